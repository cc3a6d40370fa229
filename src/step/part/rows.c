/* rows.c: room step/part: checks rows that may only push, ranges, and null-space components of multipliers.
 *
 * In: the state after a step. Out:
 * - Limits may only push. The pull of those that do not, as a share of the largest force on the body: Newton and
 *   Euler would be off by as much without it (motion/force_balance.c).
 * - Coordinates stay within their ranges. How far they are outside.
 * - Multipliers of loops are the minimum-norm ones, of least sum A lambda^2 among all with the same G^T lambda. With
 *   the factor of the step, or one made at its end, d = lambda - (the minimum-norm ones) is their null-space
 *   component; the figure is |d| / |lambda| in the metric of A. The minimum-norm part is bounded by the forces that
 *   act: with r = G^T lambda, the force that joints have to carry, sum A lambda^2 <= |r|^2 / sigma (of 1 / m), where
 *   sigma is the smallest eigenvalue of rows that are not redundant (solve/singular.h).
 *
 * Limits: soft limits are springs with dampers, which may pull while compressed; where a coordinate has friction or a
 * motor its row carries their force too. Multipliers are not checked where loops have gaps, or where the factor is of
 * a pose too far from closed.
 */
#include "step/part/rows.h"

#include <math.h>
#include <string.h>

#include "assemble/elements.h"
#include "base/base.h"
#include "law/at_steps.h"
#include "law/limits/limits_impl.h"
#include "motion/closing/project.h"
#include "motion/force_balance.h"
#include "motion/kinematics.h"

tn_status tn_rows_check_create(const tn_sim *sim, tn_rows_check *check)
{
    const int64_t rows = sim->model->loop_joints > 0 ? sim->sys.layout->y_size : 0;
    check->residual = TN_NEW_ARRAY(double, sim->model->size.velocities);
    check->scale = TN_NEW_ARRAY(double, 2 * (int64_t)sim->model->body_count);
    check->lambda = TN_NEW_ARRAY(double, rows);
    return check->residual && check->scale && check->lambda ? TN_OK : TN_ERROR_MEMORY;
}

void tn_rows_check_destroy(tn_rows_check *check)
{
    tn_free(check->residual);
    tn_free(check->scale);
    tn_free(check->lambda);
}

/* Adds the pulls of the limits of one element, from the n-th of the list on, as forces on bodies. Returns the first
 * of the next element; *pulling: the element, if any of its limits pulls. */
static int32_t add_pulls(const tn_sim *sim, const tn_limited_list *list, int32_t n, double *f,
                         int32_t *pulling)
{
    const int32_t j = list->all[n].joint;
    double lambda[TN_MAX_ROWS] = {0};
    bool any = false;
    for (; n < list->count && list->all[n].joint == j; n++) {
        const int32_t i = list->all[n].coordinate;
        if (!(tn_limits_pull_of(sim, j, i) > 0.0))
            continue;
        lambda[tn_limit_row_of(sim, j, i)] = *tn_state_held_force(sim->model, &sim->state, j, i);
        any = true;
    }
    if (any) {
        tn_element_add_forces(tn_element_ops_of(&sim->sys, j), &sim->sys, &sim->state, j, lambda,
                              f);
        *pulling = j;
    }
    return n;
}

static void check_signs(const tn_sim *sim, const tn_rows_check *check, double unknown,
                        tn_rows_ended *out)
{
    const size_t bytes = sizeof(double) * (size_t)sim->model->size.velocities;
    const tn_limited_list *list = tn_limits_list(sim);
    if (!list->holds)
        return;
    memset(check->residual, 0, bytes);
    for (int32_t n = 0; n < list->count;)
        n = add_pulls(sim, list, n, check->residual, &out->pulling);
    if (out->pulling < 0)
        return;
    const tn_balance_of all = {.sys = &sim->sys,
                               .udot = sim->state.udot,
                               .end = sim->model->body_count,
                               .element_count = sim->model->element_count,
                               .unknown = unknown};
    const tn_force_balance pulled =
        tn_force_balance_among(sim, &all, check->residual, check->scale);
    out->pull = fmax(pulled.force, pulled.moment);
    out->body = pulled.worst;
}

static void check_ranges(const tn_sim *sim, tn_rows_ended *out)
{
    const tn_limited_list *list = tn_limits_list(sim);
    for (int32_t n = 0; n < list->count; n++) {
        const int32_t j = list->all[n].joint, i = list->all[n].coordinate;
        const double beyond = tn_limit_beyond(sim, j, i);
        if (sim->state.switches[j].hold[i] >= TN_HOLD_LOCK || !(beyond > out->beyond))
            continue;
        out->beyond = beyond;
        out->ranged = j;
    }
}

/* Does the factor have the rows of the present state? */
static bool rows_are_those_of_now(const tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        if (sim->sys.values->rows[j] != sim->state.switches[j].active_count)
            return false;
    }
    return true;
}

/* sum A y^2 of all rows; *most: the element with the largest share of it. */
static double energy_of(const tn_sim *sim, const double *y, int32_t *most)
{
    const tn_kkt_values *values = sim->sys.values;
    double sum = 0.0, largest = 0.0;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const int64_t slot = sim->sys.layout->y_offset[j];
        double energy = 0.0;
        for (int32_t n = 0; n < values->rows[j]; n++)
            energy += values->a[slot + n] * y[slot + n] * y[slot + n];
        sum += energy;
        if (energy > largest) {
            largest = energy;
            *most = j;
        }
    }
    return sum;
}

/* u'^T M u', in the units of sum A y^2: a measure of the forces in free fall, where multipliers are round-off. */
static double force_of_motion(tn_sim *sim, double *momentum)
{
    double sum = 0.0;
    if (!sim->traits.accelerations)
        return 0.0;
    memset(momentum, 0, sizeof(double) * (size_t)sim->model->size.velocities);
    tn_assemble_momentum(&sim->sys, &sim->state, sim->state.udot, momentum);
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        sum += sim->state.udot[k] * momentum[k];
    return sum;
}

/* Factorizes the present rows if the step has no factor. */
static bool has_factor(tn_sim *sim)
{
    tn_step_report report = tn_empty_report();
    if (!sim->factor_is_old)
        return true;
    tn_prepare_hard_rows(sim);
    sim->factor_is_old = false;
    return tn_factorize(sim, &report) == TN_OK;
}

static void check_multipliers(tn_sim *sim, const tn_rows_check *check, int32_t *solves,
                              tn_rows_ended *out)
{
    int32_t most = -1;
    double *y = check->lambda;
    if (sim->model->loop_joints == 0 || tn_gap_is_on(&sim->state) || !has_factor(sim) ||
        !rows_are_those_of_now(sim))
        return;
    tn_assemble_gather_lambda(&sim->sys, &sim->state, y);
    const double all = energy_of(sim, y, &most);
    const tn_rows_told told = tn_singular_least_multipliers(&sim->singular, y, false, solves);
    const double known = TN_FORCES_KNOWN * TN_FORCES_KNOWN * force_of_motion(sim, check->residual);
    if (told.verdict != TN_ROWS_REPEAT || !(all > known))
        return;
    out->idle = sqrt(energy_of(sim, told.part, &most) / all);
    out->idle_joint = most;
}

tn_rows_ended tn_rows_verify(tn_sim *sim, const tn_rows_check *check, double unknown,
                             bool multipliers, int32_t *solves)
{
    tn_rows_ended out = {.body = -1, .pulling = -1, .ranged = -1, .idle_joint = -1};
    if (sim->state.head->limited > 0) {
        check_signs(sim, check, unknown, &out);
        if (!tn_at_steps(sim))
            check_ranges(sim, &out);
    }
    if (multipliers && sim->options.solver != TN_SOLVER_SEQUENTIAL_IMPULSES)
        check_multipliers(sim, check, solves, &out);
    return out;
}
