/* set_coordinates.c: room model: `set` coordinates of joints move bodies (ArtiSynth
 * Modeling Guide 3.3.4).
 *
 * Taking a joint out of a tree leaves two sides; one of them moves rigidly. It is the side that is
 * not grounded; if neither is, the lighter one. Moving a whole side leaves every other joint alone,
 * so several requests, siblings included, all end at their values. A joint in a closed loop has
 * only one side: its coordinates are set when a simulation is made, once the loops are closed
 * (room coords).
 */
#include <math.h>
#include <string.h>

#include "model/model.h"

/* Joints of each body, and scratch for walking over the graph. */
typedef struct tn_walk {
    int32_t *start, *joint; /* joints of body i: joint[start[i]] .. */
    int32_t *queue;
    int8_t *side; /* per body: 0 not reached, 1 reached */
} tn_walk;

typedef struct tn_side {
    int32_t count; /* bodies, in walk->queue */
    double mass;   /* kg */
    int grounded;  /* holds a fixed body or a joint to ground */
    int closed;    /* reaches the joint's other body: there is a loop */
} tn_side;

static void walk_destroy(tn_walk *walk)
{
    tn_free(walk->start);
    tn_free(walk->joint);
    tn_free(walk->queue);
    tn_free(walk->side);
}

static tn_status walk_create(const tn_model *model, tn_walk *walk)
{
    walk->start = TN_NEW_ARRAY(int32_t, model->body_count + 2);
    walk->joint = TN_NEW_ARRAY(int32_t, 2 * (int64_t)model->joint_count);
    walk->queue = TN_NEW_ARRAY(int32_t, model->body_count);
    walk->side = TN_NEW_ARRAY(int8_t, model->body_count);
    if (!walk->start || !walk->joint || !walk->queue || !walk->side)
        return TN_ERROR_MEMORY;
    for (int32_t j = 0; j < model->joint_count; j++) {
        if (tn_model_is_removed(model, TN_SECTION_JOINT, j))
            continue;
        walk->start[model->joints[j].a + 2]++;
        if (model->joints[j].b >= 0)
            walk->start[model->joints[j].b + 2]++;
    }
    for (int32_t i = 0; i < model->body_count; i++)
        walk->start[i + 2] += walk->start[i + 1];
    for (int32_t j = 0; j < model->joint_count; j++) {
        if (tn_model_is_removed(model, TN_SECTION_JOINT, j))
            continue;
        walk->joint[walk->start[model->joints[j].a + 1]++] = j;
        if (model->joints[j].b >= 0)
            walk->joint[walk->start[model->joints[j].b + 1]++] = j;
    }
    return TN_OK;
}

/* Everything reachable from `from` without crossing joint `cut`; fixed bodies are walls. */
static tn_side walk_side(const tn_model *model, tn_walk *walk, int32_t cut, int32_t from,
                         int32_t other)
{
    tn_side side = {0};
    memset(walk->side, 0, (size_t)model->body_count);
    walk->queue[side.count++] = from;
    walk->side[from] = 1;
    for (int32_t head = 0; head < side.count; head++) {
        const int32_t i = walk->queue[head];
        side.mass += model->bodies[i].mass;
        if (model->bodies[i].dim == 0) {
            side.grounded = 1;
            continue;
        }
        for (int32_t k = walk->start[i]; k < walk->start[i + 1]; k++) {
            const tn_model_joint *joint = &model->joints[walk->joint[k]];
            if (walk->joint[k] == cut)
                continue;
            const int32_t next = joint->a == i ? joint->b : joint->a;
            if (next < 0) {
                side.grounded = 1;
            } else if (!walk->side[next]) {
                walk->side[next] = 1;
                walk->queue[side.count++] = next;
            }
        }
    }
    side.closed = other >= 0 && walk->side[other];
    return side;
}

/* Moves all bodies in the queue by the rigid transform T (world to world). The first that may not
 * be there, a planar one out of its plane; -1: none. */
static int32_t move_side(tn_model *model, const tn_walk *walk, const tn_side *side,
                         const tn_xform *T)
{
    const tn_quat q = tn_quat_from_matrix(&T->R);
    int32_t out = -1;
    for (int32_t k = 0; k < side->count; k++) {
        tn_model_body *body = &model->bodies[walk->queue[k]];
        const tn_vec3 from = body->x0;
        body->x0 = xf_point(T, body->x0);
        body->q0 = q_normalize(q_mul(q, body->q0));
        body->v0 = m3_mulv(&T->R, body->v0);
        if (!tn_plane_keeps(model, body, from, &body->x0, &body->q0) && out < 0)
            out = walk->queue[k];
    }
    return out;
}

/* Where C must go, from the coordinates as they are and the ones that are set. */
static tn_xform target_T_CD(const tn_model *model, const tn_joint_def *def, tn_model_joint *joint)
{
    const tn_joint_class *cls = joint->geometry.cls;
    const tn_xform T_A = tn_model_initial_xform(model, joint->a);
    const tn_xform T_B = tn_model_initial_xform(model, joint->b);
    tn_joint_moving moving;
    tn_joint_kinematics kin = {.moving = &moving};
    tn_joint_kinematics_update(&joint->geometry, &T_A, &T_B, joint->q0, &kin);
    double q[TN_MAX_COORDINATES] = {0};
    cls->pose_to_coordinates(&joint->geometry.setup, &kin.T_GD, joint->q0, q);
    for (int32_t i = 0; i < cls->info.coordinate_count; i++)
        joint->q0[i] = isnan(def->set[i]) ? q[i] : def->set[i];
    tn_joint_adjust(cls, &joint->geometry.setup, joint->q0, &kin.T_GD);
    return kin.T_GD;
}

static tn_xform inverse(const tn_xform *T)
{
    const tn_xform identity = xf_identity();
    return xf_inv_mul(T, &identity);
}

/* Does a coupling that says what its value is have the joint? The others take the value that comes
 * out. */
static bool is_coupled(const tn_spec *spec, int32_t j)
{
    for (int32_t k = 0; k < tn_spec_coupling_count(spec); k++) {
        const tn_coupling_def *def = tn_spec_coupling(spec, (tn_coupling){k});
        for (int32_t t = 0; t < def->term_count && !isnan(def->value); t++) {
            if (def->terms[t].joint.i == j)
                return true;
        }
    }
    return false;
}

static tn_status set_joint(tn_model *model, tn_walk *walk, const tn_spec *spec, int32_t j,
                           tn_diagnostics *diags)
{
    const tn_joint_def *def = tn_spec_joint(spec, (tn_joint){j});
    tn_model_joint *joint = &model->joints[j];
    if (model->from) /* bodies keep their poses: the simulation sets the coordinate */
        return tn_model_list_sets(spec, j, "set", def->set, model->sets, &model->set_count);
    tn_side side_b = {.grounded = 1};
    if (joint->b >= 0)
        side_b = walk_side(model, walk, j, joint->b, -1);
    tn_side side_a = walk_side(model, walk, j, joint->a, joint->b);
    if (side_a.closed || (side_a.grounded && side_b.grounded) || is_coupled(spec, j))
        return tn_model_list_sets(spec, j, "set", def->set, model->sets, &model->set_count);
    const tn_xform T_CD = target_T_CD(model, def, joint);
    const tn_xform T_A = tn_model_initial_xform(model, joint->a);
    const tn_xform T_B = tn_model_initial_xform(model, joint->b);
    const tn_xform T_CW = xf_mul(&T_A, &joint->geometry.T_CA);
    const tn_xform T_DW = xf_mul(&T_B, &joint->geometry.T_DB);
    const int move_b = side_a.grounded || (!side_b.grounded && side_b.mass < side_a.mass);
    tn_xform before = T_CW, after = xf_mul(&T_DW, &T_CD);
    if (move_b) {
        const tn_xform T_DC = inverse(&T_CD);
        before = T_DW;
        after = xf_mul(&T_CW, &T_DC);
        side_a = walk_side(model, walk, j, joint->b, -1);
    }
    const tn_xform back = inverse(&before);
    const tn_xform move = xf_mul(&after, &back);
    const int32_t out = move_side(model, walk, &side_a, &move);
    if (out < 0)
        return TN_OK;
    tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, def->at,
                       "set nothing here, or make the body 'kind: rigid'",
                       "joint '%.100s': what is set takes planar body '%.100s' out of its plane",
                       def->name, tn_spec_body(spec, (tn_body){out})->name);
    return TN_ERROR_INPUT;
}

/* What goes on is not set anew. */
static int32_t count_sets(const tn_model *model, const tn_spec *spec, int32_t j)
{
    return tn_model_keeps(model, TN_SECTION_JOINT, j)
               ? 0
               : tn_model_count_sets(tn_spec_joint(spec, (tn_joint){j})->set);
}

tn_status tn_model_set_coordinates(tn_model *model, const tn_spec *spec, tn_diagnostics *diags)
{
    int32_t requests = 0;
    for (int32_t j = 0; j < model->joint_count; j++)
        requests += count_sets(model, spec, j);
    if (requests == 0)
        return TN_OK;
    tn_walk walk = {0};
    tn_status status = walk_create(model, &walk);
    model->sets = TN_NEW_ARRAY(tn_model_set, requests);
    if (!model->sets)
        status = TN_ERROR_MEMORY;
    for (int32_t j = 0; j < model->joint_count && status == TN_OK; j++) {
        if (count_sets(model, spec, j) > 0)
            status = set_joint(model, &walk, spec, j, diags);
    }
    walk_destroy(&walk);
    return status;
}
