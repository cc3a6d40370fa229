/* compile_part.c: room model/compile: some bodies of a model with their joints, as a model of their own.
 *
 * In: a compiled model, some of its bodies and the joints on them, both in its order; all bodies of these joints,
 * also fixed ones, are among the bodies. Out: the model that a description of these alone would compile to,
 * except names, places, markers and what only readers use. Bodies and joints are copied as compiled; what
 * follows from the graph (elimination, what floats) is determined anew. Only for models without couplings,
 * drives, armatures and loads.
 */
#include "model/compile/compile.h"

static tn_status make_lists(tn_model *part)
{
    part->bodies = TN_NEW_ARRAY(tn_model_body, part->body_count);
    part->joints = TN_NEW_ARRAY(tn_model_joint, part->joint_count);
    part->term_start = TN_NEW_ARRAY(int32_t, 1);
    part->coupled_start = TN_NEW_ARRAY(int32_t, 1);
    part->through_start = TN_NEW_ARRAY(int32_t, part->joint_count + 1);
    part->through = TN_NEW_ARRAY(int32_t, part->joint_count);
    return part->bodies && part->joints && part->term_start && part->coupled_start &&
                   part->through_start && part->through
               ? TN_OK
               : TN_ERROR_MEMORY;
}

static void copy_bodies(const tn_model *model, const int32_t *bodies, tn_model *part)
{
    int64_t u = 0;
    for (int32_t i = 0; i < part->body_count; i++) {
        tn_model_body *body = &part->bodies[i];
        *body = model->bodies[bodies[i]];
        body->u = u;
        u += body->dim;
        part->size.moving += body->dim > 0;
        part->stand_ins |= !tn_body_is_plain(body);
        part->damped |= tn_body_is_damped(body) != 0;
    }
    part->size.bodies = part->body_count;
    part->size.velocities = (int32_t)u;
}

/* place: of each body of the model among those of the part. */
static void copy_joints(const tn_model *model, const int32_t *joints, const int32_t *place,
                        tn_model *part)
{
    for (int32_t j = 0; j < part->joint_count; j++) {
        tn_model_joint *joint = &part->joints[j];
        *joint = model->joints[joints[j]];
        joint->a = place[joint->a];
        joint->b = joint->b < 0 ? joint->b : place[joint->b];
        joint->outer_body = joint->outer_body < 0 ? -1 : place[joint->outer_body];
        joint->hard_outer = joint->hard_outer < 0 ? -1 : place[joint->hard_outer];
        joint->hangs = joint->hangs < 0 ? -1 : place[joint->hangs];
        part->loop_joints += joint->in_loop;
        part->lines += joint->geometry.cls->rows_may_vanish;
        part->coordinate_count += joint->geometry.cls->info.coordinate_count;
        part->through_start[j] = part->through[j] = j;
    }
    part->through_start[part->joint_count] = part->joint_count;
    part->size.joints = part->joint_count;
}

static tn_status copy_graph(const tn_model *model, const int32_t *bodies, const int32_t *joints,
                            tn_model *part)
{
    int32_t *place = TN_NEW_ARRAY(int32_t, model->body_count);
    tn_status status = place ? make_lists(part) : TN_ERROR_MEMORY;
    if (status == TN_OK) {
        for (int32_t i = 0; i < part->body_count; i++)
            place[bodies[i]] = i;
        copy_bodies(model, bodies, part);
        copy_joints(model, joints, place, part);
    }
    tn_free(place);
    return status;
}

tn_status tn_model_part(const tn_model *model, const int32_t *bodies, int32_t body_count,
                        const int32_t *joints, int32_t joint_count, tn_model **out)
{
    tn_model *part = *out = TN_NEW(tn_model);
    if (!part)
        return TN_ERROR_MEMORY;
    part->gravity = model->gravity;
    part->planar = model->planar;
    part->up = model->up;
    part->simulation = model->simulation;
    part->held_groups = model->held_groups;
    part->body_count = body_count;
    part->joint_count = part->element_count = joint_count;
    tn_status status = copy_graph(model, bodies, joints, part);
    if (status == TN_OK)
        status = tn_model_compile_components(part);
    return status == TN_OK ? tn_model_compile_topology(part) : status;
}
