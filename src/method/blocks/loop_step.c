/* loop_step.c: room method/blocks: a step of loops by a special iteration. See loop_step.h.
 *
 * In: the state and its memory. Out: its pause; tn_told and the errors of the report.
 */
#include "method/blocks/loop_step.h"

#include <math.h>

#include "method/alpha/alpha_tree.h"

/* Number of steps for which an iteration that did not converge is not tried again. */
#define TN_LOOP_PAUSE 16.0

bool tn_loop_step_goes_on(const tn_sim *sim, double h)
{
    const tn_alpha_balance *balance = tn_alpha_remembers(sim->model, &sim->state).balance;
    return tn_alpha_is_left_alone(sim) && tn_alpha_keeps_balance(sim, h, false) &&
           balance->hinge_steps == 0.0 && balance->parts > 0.0;
}

bool tn_loop_step_tries(tn_sim *sim)
{
    double *pause = &tn_alpha_remembers(sim->model, &sim->state).balance->hinge_steps;
    *pause = fmin(*pause + 1.0, 0.0);
    return *pause == 0.0;
}

bool tn_loop_step_gives_up(tn_sim *sim, bool pause)
{
    tn_state_copy_start(sim->crew, &sim->state, &sim->backup);
    if (pause)
        tn_alpha_remembers(sim->model, &sim->state).balance->hinge_steps = -TN_LOOP_PAUSE;
    return false;
}

void tn_loop_step_report(tn_sim *sim, const tn_loop_step_results *results, tn_step_report *report)
{
    sim->told = (tn_told){.moves = true,
                          .sound = isfinite(results->sum),
                          .errors = true,
                          .balances = results->balances,
                          .moved = results->moved};
    report->position_error = results->position;
    report->angle_error = results->angle;
    report->worst_joint.i = results->worst_joint;
    report->skipped_rows = 0;
}
