/* ratios.c: room coords: how everything moves per unit speed of one coordinate.
 *
 *     G u = e        e: 1 on the row of the coordinate, 0 on all others
 *     G a = -gamma   gamma = (dG/dt) u; the coordinate's own second derivative is 0
 * of least size in the mass metric where the coordinate leaves freedom. The rows are those of all
 * enabled joints, and the motion rows of joints outside the coordinate's block: what hangs on the
 * loop is carried along rigidly. A coordinate's speed is its motion row's, W . twist, and its
 * second derivative W . a + gamma of that row.
 */
#include <string.h>

#include "assemble/joint_terms.h"
#include "coords/coords.h"

/* All rows of joints outside the block; inside, the bilateral ones, locks and the driven one. */
static void activate(tn_coords *c, int32_t block)
{
    tn_coords_activate(c);
    for (int32_t j = 0; j < c->model->element_count; j++) {
        const tn_model_joint *joint = &c->model->joints[j];
        tn_switches *s = &c->state->switches[j];
        if (!c->in[j] || c->tree.block[j] == block)
            continue;
        memcpy(s->active, joint->kept, (size_t)joint->kept_count);
        s->active_count = joint->kept_count;
    }
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

static tn_status solve_ratios(tn_coords *c, int64_t slot, double *rate, double *second)
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
    read_speeds(c, c->state->u, NULL, rate);
    tn_assemble_gamma(c->sys, c->state, c->state->u, c->sys->g);
    for (int64_t k = 0; k < c->sys->layout->y_size; k++)
        c->sys->g[k] = -c->sys->g[k];
    status = tn_coords_solve(c);
    if (status == TN_OK)
        read_speeds(c, c->sys->du, c->state->u, second);
    return status;
}

tn_status tn_coords_ratios(tn_coords *c, int32_t joint, int32_t coordinate, double *rate,
                           double *second)
{
    tn_tree_build(c->model, c->state, -1, &c->tree);
    tn_coords_enter_whole(c);
    c->hold[joint * TN_MAX_COORDINATES + coordinate] = TN_KEEP_REQUEST;
    c->target[joint * TN_MAX_COORDINATES + coordinate] =
        c->state->coordinates[joint * TN_MAX_COORDINATES + coordinate];
    activate(c, c->tree.block[joint]);
    const int64_t slot = tn_coords_slot(c, joint, coordinate);
    const tn_status status = slot < 0 ? TN_ERROR_SINGULAR : solve_ratios(c, slot, rate, second);
    tn_coords_write_switches(c);
    c->state->head->restart = 1;
    return status;
}
