/* purge.c: room integrate: takes out of the multipliers what nothing determines.
 *
 * In: multipliers and the factor of a solve. Out: of all lambda with the same G^T lambda the one of
 * least sum E lambda^2; with E proportional to the rows' own scale A the sum is free of units.
 *
 * With S = G H^-1 G^T + R a solve gives d = (S + E)^-1 E lambda: the null-space part of lambda as
 * it is, the part that belongs to an eigenvalue sigma of S reduced to E / (E + sigma). A few solves
 * leave nothing but the null-space part, and that is taken away. To build the rest up from zero
 * instead, (S + E)^-1 S lambda, would look simpler, but the pivots of redundant rows are little
 * more than E, and known only to the round-off of A: each such solve leaves 1e-16 A / E of lambda
 * itself in the null space, where this one leaves as much of d. That is why multipliers of equal
 * rows come out equal to round-off and not to 1e-8.
 *
 * Limits: near a fold sigma may be below E; what belongs to it is then lost from the forces.
 */
#include <math.h>
#include <string.h>

#include "integrate/sim_internal.h"

/* Solves: (E / sigma)^3 of the rest is lost, less than round-off down to sigma = 1e-3 A. */
#define TN_PURGE_PASSES 3

/* Where reactions are asked for to round-off. */
#define TN_PURGE_PASSES_TIGHT 6

int tn_rows_repeat(const tn_sim *sim, const tn_step_report *report)
{
    return sim->model->loop_joints > 0 &&
           (report->smallest_pivot < TN_REDUNDANT_PIVOT || tn_gap_is_on(&sim->state));
}

void tn_purge_rows(tn_sim *sim, double *lambda, tn_step_report *report)
{
    const tn_system *sys = &sim->sys;
    const int passes =
        isinf(sim->options.force_tolerance) ? TN_PURGE_PASSES : TN_PURGE_PASSES_TIGHT;
    double *d = sim->speeds;
    memcpy(d, lambda, sizeof(double) * (size_t)sys->layout->y_size);
    for (int pass = 0; pass < passes; pass++) {
        memset(sys->du, 0, sizeof(double) * (size_t)sys->layout->u_size);
        for (int64_t k = 0; k < sys->layout->y_size; k++)
            d[k] *= -sys->values->e[k];
        tn_kkt_solve(sim->model->kkt, sys->factor, sys->du, d);
        report->solves++;
    }
    for (int64_t k = 0; k < sys->layout->y_size; k++)
        lambda[k] -= d[k];
}

void tn_purge_multipliers(tn_sim *sim, tn_step_report *report)
{
    tn_assemble_gather_lambda(&sim->sys, &sim->state, sim->sys.y);
    tn_purge_rows(sim, sim->sys.y, report);
    tn_assemble_scatter_lambda(&sim->sys, &sim->state, sim->sys.y, 1.0);
}
