/* articulated.c: see articulated.h. */
#include "sparse/tree/articulated.h"

int32_t tn_limbs_factorize(tn_limb *limbs, int32_t count)
{
    for (int32_t i = count - 1; i >= 0; i--) {
        if (!limb_factor(limbs, &limbs[i]))
            return i;
    }
    return -1;
}

void tn_limbs_solve(tn_limb *limbs, int32_t count)
{
    for (int32_t i = count - 1; i >= 0; i--)
        limb_gather(limbs, &limbs[i]);
    for (int32_t i = 0; i < count; i++)
        limb_scatter(limbs, &limbs[i]);
}
