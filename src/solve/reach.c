/* reach.c: room solve: the part of a row vector that no motion takes away (singular.h). */
#include <string.h>

#include "base/base.h"
#include "solve/singular.h"

tn_status tn_singular_create(const tn_kkt *kkt, const tn_kkt_values *values, tn_kkt_factor *factor,
                             const double *inverse_mass, tn_singular *out)
{
    const tn_kkt_layout *layout = tn_kkt_get_layout(kkt);
    *out = (tn_singular){kkt, values, factor, inverse_mass, NULL, NULL, NULL};
    out->u = TN_NEW_ARRAY(double, layout->u_size);
    out->part = TN_NEW_ARRAY(double, layout->y_size);
    out->power = TN_NEW_ARRAY(double, layout->y_size);
    return out->u && out->part && out->power ? TN_OK : TN_ERROR_MEMORY;
}

void tn_singular_destroy(tn_singular *s)
{
    tn_free(s->u);
    tn_free(s->part);
    tn_free(s->power);
}

/* x <- E (S + E)^-1 x. */
static void apply(tn_singular *s, double *x, int32_t *solves)
{
    const tn_kkt_layout *layout = tn_kkt_get_layout(s->kkt);
    memset(s->u, 0, sizeof(double) * (size_t)layout->u_size);
    tn_kkt_solve(s->kkt, s->factor, s->u, x);
    for (int64_t k = 0; k < layout->y_size; k++)
        x[k] *= -s->values->e[k];
    ++*solves;
}

void tn_singular_out_of_reach(tn_singular *s, const double *v, double *d, int32_t *solves)
{
    const int64_t size = tn_kkt_get_layout(s->kkt)->y_size;
    double *power = s->power;
    for (int64_t k = 0; k < size; k++)
        power[k] = s->values->e[k] > 0.0 ? v[k] : 0.0;
    apply(s, power, solves);
    apply(s, power, solves);
    for (int64_t k = 0; k < size; k++)
        d[k] = 3.0 * power[k];
    apply(s, power, solves);
    for (int64_t k = 0; k < size; k++)
        d[k] -= 2.0 * power[k];
}

void tn_singular_keep_in_reach(tn_singular *s, double *v, int32_t *solves)
{
    tn_singular_out_of_reach(s, v, s->part, solves);
    for (int64_t k = 0; k < tn_kkt_get_layout(s->kkt)->y_size; k++)
        v[k] -= s->part[k];
}
