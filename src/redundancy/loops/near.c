/* near.c: room redundancy/loops: rows that count as repetitions of others but repeat them only nearly.
 *
 * Numbers in a file are rounded, also axes and lengths, and joints are closed where they are drawn. Rows that
 * would repeat others with exact geometry are then independent, with a singular value s about as large as the error
 * of the axes, and moving the mechanism by x opens the loop by s x. Near a change point singular values are as
 * small, but there loops close. Test: move the mechanism by a step and close all but the rows that count as
 * repeated. If loops stay open, and close only by moving back, the cause is the geometry.
 *
 * Limits: singular values below TN_COUNT_FLOOR in the drawn pose, as of bars that are too long, are found by the steps
 * that cannot close them (step/step.c). In long loops rows are weak because of the length alone: they get no
 * verdict (sim/gap_start.c).
 */
#include <math.h>

#include "motion/closing/gap.h"
#include "redundancy/loops/closing.h"

#define TN_NEAR_SEED 17u

/* True if rows count as repeated although their singular value is above rounding. */
static bool is_nearly(const tn_red_closure *closure)
{
    return closure->count > 0 && closure->gap_low > TN_COUNT_FLOOR;
}

double tn_red_distance(const tn_model *model, const tn_state *one, const tn_state *other,
                       double size)
{
    double most = 0.0;
    for (int32_t i = 0; i < model->body_count; i++) {
        const tn_quat turn = q_mul(q_conjugate(other->q[i]), one->q[i]);
        most = fmax(most, v3_norm(v3_sub(one->x[i], other->x[i])) / size);
        most = fmax(most, 2.0 * v3_norm(v3(turn.x, turn.y, turn.z)));
    }
    return most;
}

/* Closes a pose that is open. *closes: it closed, and not by moving back to the state it came from. */
static tn_status closes_away(tn_red_pose *pose, const tn_state *from, bool *closes)
{
    const double way = tn_red_distance(pose->model, &pose->state, from, pose->size);
    const tn_status status = tn_red_pose_close(pose);
    *closes = status == TN_OK && pose->relative <= TN_ROUNDED &&
              tn_red_distance(pose->model, &pose->state, from, pose->size) > 0.5 * way;
    return status == TN_ERROR_NOT_FINITE ? TN_OK : status;
}

static tn_status look_away(tn_red_pose *pose, const tn_state *from, tn_red_near *out)
{
    uint64_t seed = TN_NEAR_SEED;
    int32_t reached = 0;
    bool closes = false;
    tn_red_closure there = {0};
    tn_status status = tn_red_pose_wander(pose, &seed, TN_RED_STEP, TN_GAP_LARGEST, &reached);
    if (status != TN_OK || !reached || pose->relative <= TN_ROUNDED)
        return status;
    const int32_t worst = pose->worst;
    status = tn_red_count_at(pose, &there);
    if (status == TN_OK)
        status = closes_away(pose, from, &closes);
    if (status == TN_OK && !closes && is_nearly(&there))
        *out = (tn_red_near){there.gap_low, worst};
    return status;
}

tn_status tn_red_near_find(const tn_model *model, const tn_state *state, tn_red_near *out)
{
    tn_red_pose pose;
    tn_red_closure here = {0};
    *out = (tn_red_near){.worst = -1};
    tn_status status = tn_red_pose_create(model, &pose);
    if (status == TN_OK) {
        tn_red_pose_take(&pose, state);
        tn_red_pose_yield(&pose);
        status = tn_red_count_at(&pose, &here);
    }
    if (status == TN_OK && is_nearly(&here) && here.rank < model->size.velocities)
        status = look_away(&pose, state, out);
    tn_red_pose_destroy(&pose);
    return status;
}
