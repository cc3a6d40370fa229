/* gap_fold.c: room motion/closing: loops that no pose closes (gap.c), near singular configurations.
 *
 * In: the last step and its factor. Out: whether it met a singular configuration, and the data for passing it.
 *
 * In a parallelogram with joints off by e, at an angle x from its change point, the bars would have to be out of
 * parallel by e / x for the loop to close, and turn against each other e / x^2 times as fast as the mechanism
 * passes. Nearer than x = sqrt(e) they cannot close it at all: rigid bars jam, or continue as an antiparallelogram.
 * Real bars yield by e, with an energy of order e^2 that cannot be observed. So from x = K sqrt(e) on, where bars
 * turn against each other by 1 / K^2 of the motion, the rows that block the singular configuration count as
 * redundant for this step, with E = K^2 e, the root of the E of other steps (gap.c), K^2 some hundred, and a gap of
 * e stays open. Nothing then holds the bars in place, but over a way of K sqrt(e) only: F / m pushes them off by
 * about K^2 e F / (2 m x'^2), 30 e, say.
 *
 * A singular configuration is recognised by more scaled pivots below E than elsewhere, where none is near E. This
 * applies only while the mechanism moves: at rest it would sag. Steps that fail are treated in the same way.
 *
 * Limits: a pivot depends on its row and those before it only, so that regular poses may be taken for singular ones:
 * the wider E then frees no motion there, and nothing changes. e is relative to the mechanism's size; e = 1e-5 means
 * x = 0.03 already, which slow mechanisms cross in many steps, with a visible effect.
 */
#include <math.h>

#include "motion/kinematics.h"
#include "motion/closing/gap.h"

static int32_t pivots_below(const tn_sim *sim, double bound)
{
    return tn_kkt_count_pivots(sim->model->kkt, sim->sys.values, sim->sys.factor, bound);
}

/* Does it move by more than a small share of K sqrt(e) in the step? At rest bodies would sag. */
static bool is_moving(const tn_sim *sim, double h)
{
    const double least = 1.0 / TN_CLEAR * sqrt(sim->backup.head->fold_epsilon);
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        if (h * tn_motion_of_joint(sim, sim->state.u, j) > least)
            return true;
    }
    return false;
}

int tn_gap_meets_fold(const tn_sim *sim, double h, tn_status status)
{
    const tn_state_head *start = sim->backup.head;
    if (!(start->fold_epsilon > 0.0) || !tn_gap_is_on(&sim->backup))
        return 0;
    if (status != TN_OK)
        return status == TN_ERROR_NOT_CONVERGED || status == TN_ERROR_INACCURATE;
    return pivots_below(sim, start->fold_epsilon) > start->repeated && is_moving(sim, h);
}

void tn_gap_note(tn_sim *sim, double gap)
{
    tn_state_head *head = sim->state.head;
    if (!(gap > 0.0))
        return;
    const double epsilon = fmax(TN_FAR * TN_EPSILON, tn_gap_fold_epsilon(gap)),
                 before = head->fold_epsilon;
    head->fold_epsilon = fmax(epsilon, before);
    const int32_t least = pivots_below(sim, head->fold_epsilon / TN_CLEAR);
    const int32_t most = pivots_below(sim, head->fold_epsilon * TN_CLEAR);
    if (epsilon > before || (least == most && most < head->repeated))
        head->repeated = most;
}
