/* acceleration.c: room law/impact: accelerations and multipliers after an impact, or a start.
 *
 * M u' = f + G^T l + N^T t,  G u' = -gamma,  0 <= t  _|_  N u' + gamma_N >= 0, of what holds; what does not push lets go, and
 * friction and motors have the bounds that follow from the reactions.
 */
#include <math.h>
#include <string.h>

#include "law/impact/impact.h"
#include "law/impact/problem.h"
#include "motion/closing/project.h"
#include "motion/friction_fit.h"

/* Most passes that find bounds of friction from the reactions: first of Aitken's iteration, as in stages. Where that does not converge, because
 * limits change meanwhile or there are several equilibria, as many that go half of the way; methods that iterate themselves take plain passes, ... */
#define TN_REACTION_PASSES 20
/* ... which have converged when no multiplier changes by more than this share of the largest. The second number is the imbalance of forces
 * allowed where they have not (step/part/judge.c); beyond it no friction fits the reactions (Painleve 1895). */
#define TN_SAME_REACTION    1e-12
#define TN_FITTING_REACTION 1e-2

/* Accelerations and multipliers by the bounds of the reactions in the state. */
static tn_status solve_once(tn_sim *sim, tn_step_report *report)
{
    tn_prepare_acceleration(sim);
    const tn_status status = tn_impact_solve_rows(sim, 0, report);
    if (status == TN_OK)
        tn_take_acceleration(sim);
    return status;
}

/* The same with reactions that friction goes by. */
static tn_status solve_fitting(tn_sim *sim, tn_step_report *report)
{
    const bool plain = !sim->traits.divides_steps;
    const int passes = plain ? TN_REACTION_PASSES : 2 * TN_REACTION_PASSES;
    double off = HUGE_VAL;
    tn_friction_fit_begin(sim);
    for (int pass = 0; pass < passes && off > TN_SAME_REACTION; pass++) {
        if (pass > 0)
            tn_friction_fit_next(sim, plain ? 1.0 : pass > TN_REACTION_PASSES ? 0.5 : 0.0);
        const tn_status status = solve_once(sim, report);
        if (status != TN_OK)
            return status;
        off = tn_friction_fit_off(sim);
    }
    if (off <= TN_FITTING_REACTION)
        return TN_OK;
    report->culprit_joint.i = report->worst_joint.i = sim->friction_fit->worst;
    return TN_ERROR_NOT_CONVERGED;
}

/* With what holds now. */
static tn_status solve_accelerations(tn_sim *sim, tn_step_report *report)
{
    return tn_drives_need_reactions(sim) ? solve_fitting(sim, report) : solve_once(sim, report);
}

/* The direction in which what has round bounds starts is found in so many passes at most. */
#define TN_DIRECTION_PASSES 100

/* What lets go gives less from then on where it has slipped, so that more may let go: each at most
 * once. */
static tn_status settle_accelerations(tn_sim *sim, tn_step_report *report)
{
    tn_status status = solve_accelerations(sim, report);
    for (int32_t k = 0; status == TN_OK && k < sim->state.head->drive_count + TN_DIRECTION_PASSES;
         k++) {
        if (tn_drives_settle(sim, sim->impact->row_state) == 0)
            break;
        status = solve_accelerations(sim, report);
    }
    return status;
}

/* Releases rows that carry no force: they leave, or could. */
static void release_unloaded(tn_sim *sim, int32_t j, int32_t i, int64_t slot)
{
    if (sim->impact->row_state[slot] != TN_MLCP_FREE)
        tn_limit_release(sim, j, i);
}

/* What leaves its limit is taken by its motor or friction again, which may hold it or not: with them
 * it is solved once more. Limits only let go here, so that it ends. */
tn_status tn_impact_accelerate(tn_sim *sim, tn_step_report *report)
{
    int32_t held, left;
    do {
        const tn_status status = settle_accelerations(sim, report);
        if (status != TN_OK)
            return status;
        held = tn_limits_held(sim);
        tn_impact_for_each_held(sim, release_unloaded);
        left = tn_limits_held(sim);
    } while (left < held && sim->state.head->drive_count > 0);
    if (tn_drives_need_reactions(sim)) /* of which drives have those of now */
        tn_assemble_drive_forces(&sim->sys, &sim->state, sim->state.u, sim->sys.f);
    return TN_OK;
}
