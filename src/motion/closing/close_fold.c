/* close_fold.c: room motion/closing: the end of a first-order step near a singular configuration.
 *
 * In: a pose near the end of the step; h u, the motion of the step. Out: that pose with errors at round-off, on its
 * branch of the motion.
 *
 * At a distance x from a singular configuration (a change point of a parallelogram, say) the smallest eigenvalue of
 * G M^-1 G^T is sigma ~ x^2. The plain correction of the predicted pose leaves out eigenvalues far below E. Bodies then
 * move as the other rows push them with least motion, off their branch by y ~ (h w)^3, while the rows are off by x y
 * only. An exact solution of the rows would find y to eps / x. But redundant rows whose joints are off by e look like
 * regular rows at a distance of e / 2 from a singular configuration, and an exact solution would search the pose where
 * that loop closes, which undoes the motion of all steps since it did (gap.c). The size of the correction separates the
 * two cases: it is at least h u for redundant rows, and a small part of h u for the others. So the equations are
 * solved with a much finer E, and the solution is used if it is small, joint by joint.
 *
 * Below some x the rows do not determine y at all: the step fails, so that a shorter step, which ends elsewhere, is
 * tried. A singular configuration is recognised by rows that depend on others now and did not at the start of the step.
 *
 * Limits: needed by the first-order steppers only; generalized_alpha solves for forces and positions together
 * (alpha_newton.c).
 */
#include <float.h>
#include <math.h>

#include "motion/kinematics.h"
#include "motion/closing/purge.h"
#include "motion/closing/project.h"
#include "motion/closing/gap.h"
#include "motion/closing/close_fold.h"

void tn_note_dependence(tn_sim *sim)
{
    if (sim->model->loop_joints > 0) {
        sim->dependent = tn_kkt_count_pivots(sim->model->kkt, sim->sys.values, sim->sys.factor,
                                             TN_REDUNDANT_PIVOT);
    }
}

/* With E = epsilon A, are there more rows with pivots of redundant rows than at the start? Pivots are about x^2 near a
 * singular configuration. The threshold at the start is higher, TN_REDUNDANT_PIVOT, so that rows that are always
 * redundant are not counted as new; a step that ends on a singular configuration from within that threshold, x = 3e-3,
 * has y < 1e-8 anyway. */
static int depend_more(const tn_sim *sim, double epsilon)
{
    return tn_kkt_count_pivots(sim->model->kkt, sim->sys.values, sim->sys.factor,
                               TN_FAR * epsilon) > sim->dependent;
}

/* Is the correction in sys.du a small part of the step's motion, in the joints that it moves? Near a singular
 * configuration y / h w is (h w)^2, less than h w; redundant rows of joints that are off give 1 or more. */
static bool is_small(const tn_sim *sim, double h)
{
    double correction = 0.0, both = 0.0, turn = 0.0;
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const double d = tn_motion_of_joint(sim, sim->sys.du, j);
        const double motion = h * tn_motion_of_joint(sim, sim->state.u, j);
        correction += d * d;
        both += d * motion;
        turn = fmax(turn, motion);
    }
    return correction <= turn * both;
}

/* m: round-off of the positions of bodies. */
static double round_off(const tn_sim *sim)
{
    double farthest = 0.0;
    for (int32_t i = 0; i < sim->model->body_count; i++)
        farthest = fmax(farthest, v3_norm(sim->state.x[i]));
    return DBL_EPSILON * farthest;
}

double tn_largest_move(const tn_sim *sim)
{
    double moved = 0.0;
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++)
        moved = fmax(moved, fabs(sim->sys.du[k]));
    return moved;
}

/* May the pose be off by more than after a shorter step? Errors of this size need sys.du, and a share `left` of them is
 * out of reach. */
static bool is_unclear(const tn_sim *sim, double error, double left)
{
    if (sim->last_resort)
        return false;
    return tn_largest_move(sim) * round_off(sim) > TN_FREE_MOTION * error ||
           (left > TN_OUT_OF_REACH && depend_more(sim, TN_ROUNDED));
}

tn_status tn_correct_at_fold(tn_sim *sim, double h, double error, tn_step_report *report,
                             int *taken)
{
    *taken = 0;
    tn_prepare_correction(sim, h);
    tn_gap_set_epsilon(sim, TN_ROUNDED);
    const tn_status status = tn_factorize(sim, report);
    if (status != TN_OK)
        return status;
    const double left = tn_solve_at_fold(sim, report);
    if (!is_small(sim, h))
        return TN_OK;
    if (is_unclear(sim, error, left))
        return TN_ERROR_NOT_CONVERGED;
    tn_apply_correction(sim);
    *taken = 1;
    return TN_OK;
}

/* Passes with the fine E until they move nothing; *taken: were their corrections small enough to be used? */
static tn_status close_finely(tn_sim *sim, double h, tn_step_report *report, int *taken)
{
    for (int pass = 0; pass < TN_NEWTON_PASSES; pass++) {
        const double error = tn_measure_position(sim, report);
        const tn_status status = tn_correct_at_fold(sim, h, error, report, taken);
        if (status != TN_OK || !*taken || tn_largest_move(sim) <= TN_FREE_MOTION)
            return status;
    }
    return sim->last_resort ? TN_OK : TN_ERROR_NOT_CONVERGED;
}

/* Passes without eigenvalues far below E; *left: do these leave more than round-off? */
static tn_status close_plainly(tn_sim *sim, double h, tn_step_report *report, int *left)
{
    double before = INFINITY;
    *left = 0;
    for (int pass = 0; pass < TN_NEWTON_PASSES && !*left; pass++) {
        const double error = tn_measure_position(sim, report);
        if (error > TN_CRAWLING * before)
            break;
        before = error;
        tn_prepare_correction(sim, h);
        const tn_status status = pass == 0 ? tn_factorize(sim, report) : TN_OK;
        if (status != TN_OK)
            return status;
        *left =
            tn_solve_at_fold(sim, report) > TN_OUT_OF_REACH && error > TN_CLEAR * round_off(sim);
        tn_apply_correction(sim);
    }
    return TN_OK;
}

tn_status tn_close_at_fold(tn_sim *sim, double h, tn_step_report *report)
{
    const double error = fmax(report->position_error, report->angle_error);
    int taken = 0, left = 0;
    tn_status status = TN_OK;
    if (depend_more(sim, TN_EPSILON))
        status = close_finely(sim, h, report, &taken);
    if (taken || status != TN_OK || error <= TN_FOLD_SHARE * sim->options.position_tolerance)
        return status;
    status = close_plainly(sim, h, report, &left);
    return left && status == TN_OK ? close_finely(sim, h, report, &taken) : status;
}
