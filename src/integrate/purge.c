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
 * Near a fold sigma passes through zero while its multiplier has a pole: what belongs to it would
 * be lost from the forces. So it is measured what taking d away does to them.
 *
 * Limits: at a fold the multipliers are not purged at all, for a few steps, and the shares of rows
 * that repeat others are those of the poses before. With gaps (gap.c) they are purged all the same:
 * there sigma of rows that count as repetitions is not zero.
 */
#include <math.h>
#include <string.h>

#include "integrate/force_balance.h"
#include "integrate/sim_internal.h"

/* Solves: (E / sigma)^3 of the rest is in d, less than round-off down to sigma = 1e-3 A. */
#define TN_PURGE_PASSES 3

/* Where reactions are asked for to round-off. */
#define TN_PURGE_PASSES_TIGHT 6

/* Shares of the forces. As long as taking d away moves more than the first, more solves, up to this
 * many, leave less of it; if it still moves more than the last, nothing is taken away. */
#define TN_PURGE_ENOUGH 1e-12
#define TN_PURGE_MORE   12
#define TN_PURGE_MOST   1e-9

int tn_rows_repeat(const tn_sim *sim, const tn_step_report *report)
{
    return sim->model->loop_joints > 0 &&
           (report->smallest_pivot < TN_REDUNDANT_PIVOT || tn_gap_is_on(&sim->state));
}

/* d <- F d = (S + E)^-1 E d; sys.du is scratch. */
static void filter(tn_sim *sim, double *d, int passes, tn_step_report *report)
{
    const tn_system *sys = &sim->sys;
    for (int pass = 0; pass < passes; pass++) {
        memset(sys->du, 0, sizeof(double) * (size_t)sys->layout->u_size);
        for (int64_t k = 0; k < sys->layout->y_size; k++)
            d[k] *= -sys->values->e[k];
        tn_kkt_solve(sim->model->kkt, sys->factor, sys->du, d);
        report->solves++;
    }
}

static int passes(const tn_sim *sim)
{
    return isinf(sim->options.force_tolerance) ? TN_PURGE_PASSES : TN_PURGE_PASSES_TIGHT;
}

/* The largest acceleration that the forces G^T y alone give a body, m/s^2 or rad/s^2. */
static double acceleration(tn_sim *sim, const double *y)
{
    double *f = sim->sys.du, largest = 0.0;
    memset(f, 0, sizeof(double) * (size_t)sim->sys.layout->u_size);
    tn_kkt_apply_gt(sim->model->kkt, sim->sys.values, y, f);
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        for (int32_t k = 0; k < body->dim; k++)
            largest = fmax(largest, fabs(f[body->u + k]) * body->inverse_inertia[k]);
    }
    return largest;
}

/* The joint that has most of d, by energy. */
static int32_t joint_of(const tn_sim *sim, const double *d)
{
    double largest = 0.0;
    int32_t joint = -1;
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const int64_t slot = sim->sys.layout->y_offset[j];
        double energy = 0.0;
        for (int32_t n = 0; n < sim->state.switches[j].active_count; n++)
            energy += d[slot + n] * d[slot + n] * sim->sys.values->a[slot + n];
        if (energy > largest) {
            largest = energy;
            joint = j;
        }
    }
    return joint;
}

/* The report of a fold: what it has of forces in d becomes F times as much with one more solve. */
static void tell_fold(const tn_sim *sim, const double *d, double F, tn_step_report *report)
{
    const double dependence = sqrt(TN_EPSILON * fmax(1.0 / F - 1.0, 0.0));
    if (report->folds && dependence >= report->fold_distance)
        return;
    report->folds = 1;
    report->fold_distance = dependence;
    report->fold_joint.i = joint_of(sim, d);
}

double tn_purge_rows(tn_sim *sim, double *lambda, tn_step_report *report)
{
    const int64_t size = sim->sys.layout->y_size;
    double *d = sim->speeds;
    const double all = acceleration(sim, lambda);
    memcpy(d, lambda, sizeof(double) * (size_t)size);
    filter(sim, d, passes(sim), report);
    const double fold = acceleration(sim, d);
    const int more = tn_gap_is_on(&sim->state) ? 0 : TN_PURGE_MORE;
    double moved = fold;
    for (int pass = 0; pass < more && moved > TN_PURGE_ENOUGH * all; pass++) {
        filter(sim, d, 1, report);
        const double before = moved;
        moved = acceleration(sim, d);
        if (pass == 0 && fold > TN_AT_FOLD * all)
            tell_fold(sim, d, moved / before, report);
    }
    if (moved <= TN_PURGE_MOST * all || tn_gap_is_on(&sim->state))
        for (int64_t k = 0; k < size; k++)
            lambda[k] -= d[k];
    return all > 0.0 ? fold / all : 0.0;
}

double tn_purge_multipliers(tn_sim *sim, tn_step_report *report)
{
    tn_assemble_gather_lambda(&sim->sys, &sim->state, sim->sys.y);
    const double fold = tn_purge_rows(sim, sim->sys.y, report);
    tn_assemble_scatter_lambda(&sim->sys, &sim->state, sim->sys.y, 1.0);
    return fold;
}

void tn_purge_tightly(tn_sim *sim, double most, tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    double *before = sim->purge.before, *change = sim->purge.change;
    tn_assemble_gather_lambda(sys, &sim->state, before);
    tn_purge_multipliers(sim, report);
    tn_assemble_gather_lambda(sys, &sim->state, change);
    for (int64_t k = 0; k < sys->layout->y_size; k++)
        change[k] -= before[k];
    memset(sys->du, 0, sizeof(double) * (size_t)sys->layout->u_size);
    tn_kkt_apply_gt(sim->model->kkt, sys->values, change, sys->du);
    const tn_force_balance moved = tn_force_balance_of(sim, sys->du, sim->purge.force_scale);
    if (fmax(moved.force, moved.moment) > most)
        tn_assemble_scatter_lambda(sys, &sim->state, before, 1.0);
}
