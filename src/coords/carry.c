/* carry.c: room coords: rigid motion of what hangs on bodies that move.
 *
 * A body's own joint to its parent fixes where it is relative to the parent; when the parent goes
 * from T to T', everything that hangs on it goes with T' T^-1. World velocities stay, so the body
 * components of w are turned back.
 */
#include "coords/coords.h"

/* Moves everything that hangs on a body that moved by itself by the motion of that body, at any distance: the error is
 * the round-off of one product, not of one per joint in between. */
static void follow(tn_coords *c, int32_t node, int32_t mover)
{
    const tn_motion *motion = &c->motion[mover];
    const tn_vec3 arm = v3_sub(c->x[TN_POSE_BLOCK][node], motion->from);
    c->state->x[node] = v3_add(m3_mulv(&motion->R, arm), motion->to);
    c->state->q[node] = q_normalize(q_mul(motion->q, c->q[TN_POSE_BLOCK][node]));
}

/* Notes the motion of a node that moved by itself: from its kept pose to the present one. */
static void note_motion(tn_coords *c, int32_t node)
{
    const tn_quat before = c->q[TN_POSE_BLOCK][node];
    const tn_quat back = {before.w, -before.x, -before.y, -before.z};
    tn_motion *motion = &c->motion[node];
    motion->q = q_mul(c->state->q[node], back);
    motion->R = q_to_m3(motion->q);
    motion->from = c->x[TN_POSE_BLOCK][node];
    motion->to = c->state->x[node];
    c->mover[node] = node;
}

/* Moves a node that does not move by itself with its parent. Parents come first. */
static void carry(tn_coords *c, int32_t node, int32_t parent)
{
    const int carried = parent >= 0 && parent < c->model->body_count && c->moves[parent];
    c->moves[node] = (int8_t)carried;
    if (!carried)
        return;
    c->mover[node] = c->mover[parent];
    follow(c, node, c->mover[node]);
}

void tn_coords_carry_blocks(tn_coords *c)
{
    const tn_tree *tree = &c->tree;
    for (int32_t k = 0; k < tree->visited; k++) {
        const int32_t node = tree->order[k], parent = tree->parent[node];
        if (node == c->model->body_count)
            continue;
        if (parent >= 0 && c->followed[tree->leader[node]]) {
            c->moves[node] = 1;
            note_motion(c, node);
        } else {
            carry(c, node, parent);
        }
    }
}

static tn_xform new_pose(const tn_coords *c, int32_t node)
{
    if (node == c->model->body_count)
        return xf_identity();
    return (tn_xform){q_to_m3(c->state->q[node]), c->state->x[node]};
}

/* T_CD of the goal: requested coordinates from the goals; other coordinates, and what the coordinates do not
 * describe, as they are. A compliant joint keeps its opening. */
static tn_xform goal_T_CD(const tn_coords *c, int32_t joint)
{
    const tn_model_joint *j = &c->model->joints[joint];
    const tn_joint_kinematics *kin = &c->sys->kin[joint];
    const size_t at = (size_t)joint * TN_MAX_COORDINATES;
    double *q = c->state->coordinates + at;
    int compliant = 0;
    for (int32_t i = 0; i < j->geometry.cls->info.coordinate_count; i++) {
        if (c->hold[at + (size_t)i] == TN_KEEP_REQUEST)
            q[i] = c->goal[at + (size_t)i];
    }
    tn_xform T_CD = kin->T_GD;
    tn_joint_adjust(j->geometry.cls, &j->geometry.setup, q, &T_CD);
    for (int32_t n = 0; n < j->kept_bilateral; n++)
        compliant |= c->state->switches[joint].compliance[j->kept[n]] > 0.0;
    if (!compliant)
        return T_CD;
    const tn_xform T_CG = {q_to_m3(q_exp(v3_load(kin->error + 3))), v3_load(kin->error)};
    return xf_mul(&T_CD, &T_CG);
}

static tn_xform inverse(const tn_xform *T)
{
    const tn_xform identity = xf_identity();
    return xf_inv_mul(T, &identity);
}

/* Places the outer body of a joint from its parent's new pose and the goal. */
static void turn_bridge(tn_coords *c, int32_t joint, int32_t node, int32_t parent)
{
    const tn_model_joint *j = &c->model->joints[joint];
    const int outer_is_a = tn_tree_node(c->model, j->a) == node;
    const int32_t inner = outer_is_a ? j->b : j->a;
    const tn_xform T_CD = goal_T_CD(c, joint);
    tn_xform T_inner = new_pose(c, parent);
    if (parent == c->model->body_count && inner >= 0) /* a fixed body */
        T_inner = (tn_xform){q_to_m3(c->state->q[inner]), c->state->x[inner]};
    tn_xform T_outer;
    if (outer_is_a) {
        const tn_xform T_DW = xf_mul(&T_inner, &j->geometry.T_DB);
        const tn_xform T_CW = xf_mul(&T_DW, &T_CD);
        const tn_xform T_AC = inverse(&j->geometry.T_CA);
        T_outer = xf_mul(&T_CW, &T_AC);
    } else {
        const tn_xform T_CW = xf_mul(&T_inner, &j->geometry.T_CA);
        const tn_xform T_DC = inverse(&T_CD), T_BD = inverse(&j->geometry.T_DB);
        const tn_xform T_DW = xf_mul(&T_CW, &T_DC);
        T_outer = xf_mul(&T_DW, &T_BD);
    }
    c->state->x[node] = T_outer.p;
    c->state->q[node] = tn_quat_from_matrix(&T_outer.R);
}

/* Joint of a block between a node and its parent in the tree. */
static int32_t edge_of(const tn_coords *c, int32_t block, int32_t node, int32_t parent)
{
    for (int32_t j = c->tree.first_joint[block]; j >= 0; j = c->tree.next_joint[j]) {
        if (j >= c->model->joint_count)
            continue;
        const int32_t a = tn_tree_node(c->model, c->model->joints[j].a);
        const int32_t b = tn_tree_node(c->model, c->model->joints[j].b);
        if ((a == node && b == parent) || (a == parent && b == node))
            return j;
    }
    return -1;
}

void tn_coords_turn_block(tn_coords *c, int32_t block)
{
    const tn_tree *tree = &c->tree;
    for (int32_t k = 0; k < tree->visited; k++) {
        const int32_t node = tree->order[k], parent = tree->parent[node];
        if (node == c->model->body_count || parent < 0 || tree->leader[node] != block)
            continue;
        const int32_t joint = edge_of(c, block, node, parent);
        if (joint >= 0)
            turn_bridge(c, joint, node, parent);
    }
}

static bool is_requested(const tn_coords *c, int32_t joint)
{
    for (int32_t i = 0; i < TN_MAX_COORDINATES; i++) {
        if (c->hold[joint * TN_MAX_COORDINATES + i] == TN_KEEP_REQUEST)
            return true;
    }
    return false;
}

/* Keeps planar bodies that were moved in the plane they had at the start of the call. */
static void keep_planes(tn_coords *c)
{
    for (int32_t i = 0; i < c->model->body_count; i++) {
        const tn_model_body *body = &c->model->bodies[i];
        c->left_plane |= c->moves[i] && !tn_plane_keeps(c->model, body, c->saved.x[i],
                                                        &c->state->x[i], &c->state->q[i]);
    }
}

void tn_coords_turn_bridges(tn_coords *c)
{
    const tn_tree *tree = &c->tree;
    tn_coords_keep_pose(c, TN_POSE_BLOCK);
    for (int32_t k = 0; k < tree->visited; k++) {
        const int32_t node = tree->order[k], parent = tree->parent[node];
        if (node == c->model->body_count)
            continue;
        const int32_t block = tree->leader[node], joint = tree->first_joint[block];
        if (parent >= 0 && tree->joint_count[block] == 1 && is_requested(c, joint)) {
            turn_bridge(c, joint, node, parent);
            c->moves[node] = 1;
            note_motion(c, node);
        } else {
            carry(c, node, parent);
        }
    }
    keep_planes(c);
}
