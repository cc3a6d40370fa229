/* front.c: room sparse/front: which kernel this machine runs. */
#include "sparse/front/front.h"

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
const tn_front_kernel *tn_front_kernel_of(int32_t most)
{
    const bool avx2 = __builtin_cpu_supports("avx2"), f = __builtin_cpu_supports("avx512f"),
               dq = __builtin_cpu_supports("avx512dq"), vl = __builtin_cpu_supports("avx512vl");
    if (f && dq && vl && most >= 8)
        return &tn_front_kernel_8;
    return avx2 && most >= 4 ? &tn_front_kernel_4 : &tn_front_kernel_2;
}
#else
const tn_front_kernel *tn_front_kernel_of(int32_t most)
{
    (void)most;
    return &tn_front_kernel_2;
}
#endif
