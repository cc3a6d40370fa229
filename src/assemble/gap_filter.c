/* gap_filter.c: room assemble: the part of row errors that no motion takes away.
 *
 * With S = G H^-1 G^T and E the regularisation of rows, F v = E (S + E)^-1 v leaves of v what
 * belongs to eigenvalues of S far below E and takes away what belongs to those far above. 3 F^2 - 2
 * F^3 does so more sharply: what is left out is wrong by the square of their ratio only.
 */
#include <string.h>

#include "assemble/system.h"

/* v <- F v with the current factor; u[velocities] scratch. */
static void apply(const tn_system *sys, double *v, double *u)
{
    memset(u, 0, sizeof(double) * (size_t)sys->layout->u_size);
    tn_kkt_solve(sys->model->kkt, sys->factor, u, v);
    for (int64_t k = 0; k < sys->layout->y_size; k++)
        v[k] *= -sys->values->e[k];
}

void tn_gap_filter(const tn_system *sys, const double *v, double *d, double *power, double *u)
{
    const int64_t size = sys->layout->y_size;
    for (int64_t k = 0; k < size; k++)
        power[k] = sys->values->e[k] > 0.0 ? v[k] : 0.0;
    apply(sys, power, u);
    apply(sys, power, u);
    for (int64_t k = 0; k < size; k++)
        d[k] = 3.0 * power[k];
    apply(sys, power, u);
    for (int64_t k = 0; k < size; k++)
        d[k] -= 2.0 * power[k];
}
