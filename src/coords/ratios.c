/* ratios.c: room coords: how everything moves per unit speed of one coordinate.
 *
 *     G u = e        e: 1 on the row of the coordinate, 0 on all others
 *     G a = -gamma   gamma = (dG/dt) u; the coordinate's own second derivative is 0
 * of least size in the mass metric where the coordinate leaves freedom. The rows are those of all
 * enabled joints, and the motion rows of joints outside the coordinate's block: what hangs on the
 * loop is carried along rigidly. A driven coordinate that is locked is driven. A coordinate's speed
 * is its motion row's, W . twist, and its second derivative W . a + gamma of that row. At a dead
 * point of the driven coordinate there is no such motion, which shows in its own speed.
 */
#include <math.h>
#include <string.h>

#include "assemble/joint_terms.h"
#include "coords/coords.h"

/* The driven coordinate's speed is 1 to this, or it cannot move. */
#define TN_DRIVEN_SPEED 1e-6

void tn_coords_carry_others(tn_coords *c, const int8_t *moved)
{
    int8_t *busy = c->moves; /* per body, so per leader but ground: ground leads no block */
    memset(busy, 0, (size_t)c->model->body_count);
    for (int32_t j = 0; j < c->model->element_count; j++)
        if (moved[j] && c->tree.block[j] >= 0 && c->tree.joint_count[c->tree.block[j]] > 1)
            busy[c->tree.block[j]] = 1;
    for (int32_t j = 0; j < c->model->element_count; j++) {
        const int moves = c->tree.block[j] >= 0 && busy[c->tree.block[j]];
        const int link = j < c->model->joint_count && c->tree.link[j] && !moved[j];
        c->carried[j] = (int8_t)(c->in[j] && j < c->model->joint_count && (!moves || link));
    }
    for (int32_t i = 0; i < c->model->body_count; i++)
        c->moves[i] = c->model->bodies[i].dim > 0;
}

/* W . twist of every motion row with a coordinate; plus gamma of the motion u unless NULL. */
static void read_speeds(const tn_coords *c, const double *v, const double *u, double *out)
{
    for (int32_t j = 0; j < c->model->element_count; j++) {
        const tn_model_joint *joint = &c->model->joints[j];
        const tn_joint_type_info *info = &joint->geometry.cls->info;
        const tn_joint_kinematics *kin = &c->sys->kin[j];
        double twist[6], gamma[TN_MAX_ROWS] = {0.0};
        memset(out + j * TN_MAX_COORDINATES, 0, sizeof(double) * TN_MAX_COORDINATES);
        if (!c->in[j])
            continue;
        if (tn_is_coupling(c->sys, j)) {
            const int32_t k = tn_model_as_coupling(c->model, j);
            out[j * TN_MAX_COORDINATES] =
                tn_coupling_speed(c->sys, k, v) + (u ? tn_coupling_gamma(c->sys, k, u) : 0.0);
            continue;
        }
        tn_joint_relative_twist(kin, tn_assemble_twist(c->sys, v, joint->a),
                                tn_assemble_twist(c->sys, v, joint->b), twist);
        if (u)
            tn_joint_row_accelerations(&joint->geometry, kin, tn_system_xform(c->sys, joint->a),
                                       tn_system_xform(c->sys, joint->b),
                                       tn_assemble_twist(c->sys, u, joint->a),
                                       tn_assemble_twist(c->sys, u, joint->b), gamma);
        for (int32_t k = 0; k < info->row_count; k++)
            if (info->rows[k].coordinate >= 0)
                out[j * TN_MAX_COORDINATES + info->rows[k].coordinate] =
                    tn_joint_row_speed(&joint->geometry, kin, k, twist) + gamma[k];
    }
}

static tn_status solve_ratios(tn_coords *c, int64_t slot, int32_t at)
{
    tn_status status = tn_coords_factor(c, 0.0);
    if (status != TN_OK)
        return status;
    c->sys->g[slot] = 1.0;
    status = tn_coords_solve(c);
    if (status != TN_OK)
        return status;
    const size_t bytes = sizeof(double) * (size_t)c->sys->layout->u_size;
    memcpy(c->state->u, c->sys->du, bytes);
    read_speeds(c, c->state->u, NULL, c->rate);
    if (!(fabs(c->rate[at] - 1.0) <= TN_DRIVEN_SPEED))
        return TN_ERROR_SINGULAR;
    tn_assemble_gamma(c->sys, c->state, c->state->u, c->sys->g);
    for (int64_t k = 0; k < c->sys->layout->y_size; k++)
        c->sys->g[k] = -c->sys->g[k];
    status = tn_coords_solve(c);
    if (status == TN_OK)
        read_speeds(c, c->sys->du, c->state->u, c->second);
    return status;
}

tn_status tn_coords_ratios(tn_coords *c, int32_t joint, int32_t coordinate)
{
    const int32_t at = joint * TN_MAX_COORDINATES + coordinate;
    tn_state_copy(&c->saved, c->state);
    tn_tree_build(c->model, c->state, -1, &c->tree);
    tn_coords_enter_whole(c);
    memset(c->outcome, 0, (size_t)c->model->element_count); /* scratch: which joints are moved */
    c->outcome[joint] = 1;
    tn_coords_carry_others(c, c->outcome);
    if (c->hold[at] == TN_KEEP_FREE)
        c->hold[at] = TN_KEEP_REQUEST;
    tn_coords_activate(c);
    const int64_t slot = tn_coords_slot(c, joint, coordinate);
    const tn_status status = slot < 0 ? TN_ERROR_SINGULAR : solve_ratios(c, slot, at);
    if (status == TN_OK) {
        tn_coords_write_switches(c);
        c->state->head->restart = 1;
    } else {
        tn_state_copy(c->state, &c->saved);
        tn_coords_refresh(c);
    }
    return status;
}
