/* stiffness.c: room method/stages: the rate at which the accelerations change with the motion, times h: of the last two stages of an
 * explicit method, both at the end (Hairer, Wanner II, IV.2). Of one fast mode it is that mode's rate.
 */
#include <math.h>

#include "method/stages/rkmk.h"

/* By how much pose and velocity of the last two stages differ, in velocity k. Bodies that are placed by joint coordinates are not
 * where their own rates would have them within a part. */
static void difference(const tn_sim *sim, int32_t k, double h, double *dq, double *du)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    const int last = r->tableau->last;
    const double *a = r->tableau->a[last - 1], *b = r->tableau->a[last];
    *dq = r->in_joints ? h * (r->dq[k] - r->known_rate[k]) : 0.0;
    *du = r->in_joints ? sim->state.u[k] - r->known_udot[k] : 0.0;
    for (int j = 0; j < last && !r->in_joints; j++) {
        *dq += h * (b[j] - a[j]) * r->rate[j][k];
        *du += h * (b[j] - a[j]) * r->udot[j][k];
    }
}

double tn_rkmk_stiffness(const tn_sim *sim, double h)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    const int last = r->tableau->last;
    double moved = 0.0, changed = 0.0;
    for (int32_t k = 0; k < sim->model->size.velocities; k++) {
        const double rate = r->rate[last][k] - r->rate[last - 1][k];
        const double udot = r->udot[last][k] - r->udot[last - 1][k];
        double dq, du;
        difference(sim, k, h, &dq, &du);
        const double weight = sim->inverse_inertia[k] > 0.0 ? 1.0 / sim->inverse_inertia[k] : 0.0;
        moved += weight * (dq * dq + du * du);
        changed += weight * (rate * rate + udot * udot);
    }
    return moved > 0.0 ? h * sqrt(changed / moved) : 0.0;
}
