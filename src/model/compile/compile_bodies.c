/* compile_bodies.c: room model/compile: mass properties, initial poses and velocities of the bodies. */
#include <math.h>
#include <string.h>

#include "math/dense/eig3.h"
#include "model/compile/compile.h"
#include "spec/body_mass.h"

/* A principal moment of inertia below this share of the largest is none: the pivots of the body's
 * own block would be round-off. */
#define TN_NO_INERTIA 1e-10

/* The stand-in for it, as a share of the largest. In the pivots of the joints it cancels to
 * round-off times 1 / share, which must stay far below the regularisation (1e-8) of redundant rows;
 * where joints determine the motion a proximal pass takes out whatever its size. */
#define TN_STAND_IN_SHARE 1e-3
/* The same of a point mass, which light bodies may have to turn: smaller, so that a pass takes it
 * out, and still far above the round-off that the regularisation allows. */
#define TN_POINT_MASS_SHARE 1e-6

/* The velocity of the centre of mass from the twist at the body's origin. */
static void compile_velocity(tn_model_body *body, const tn_body_def *def, const tn_mat3 *R)
{
    const tn_vec3 arm = m3_mulv(R, body->com);
    body->v0 = v3_add(def->velocity.v, v3_cross(def->velocity.w, arm));
    body->w0 = m3_tmulv(R, def->velocity.w);
    if (body->dim == 0) {
        body->v0 = v3(0.0, 0.0, 0.0);
        body->w0 = v3(0.0, 0.0, 0.0);
    }
}

/* m: how far the joints of a body reach from its centre of mass; 0: it has none, or all are there.
 */
static double reach_of(const tn_model *model, int32_t body)
{
    double reach = 0.0;
    for (int32_t j = 0; j < model->joint_count; j++) {
        const tn_model_joint *joint = &model->joints[j];
        if (tn_model_is_removed(model, TN_SECTION_JOINT, j))
            continue;
        if (joint->a == body)
            reach = fmax(reach, v3_norm(joint->geometry.T_CA.p));
        if (joint->b == body)
            reach = fmax(reach, v3_norm(joint->geometry.T_DB.p));
    }
    return reach;
}

/* Joints must determine the turning of a body that has no inertia about some axis, and the block of
 * the body alone would not be invertible: there it counts as a share of what is largest. That is
 * its largest moment, or of a point mass its mass at the reach of its joints: what else turns with
 * it may be light, and solves take out a small share in a pass or two. *largest: kg m^2, 0: none.
 */
static double stand_in_of(const tn_model *model, int32_t i, double *largest)
{
    const tn_model_body *body = &model->bodies[i];
    const tn_motion_subspace *s = tn_motion_subspace_get(body->kind);
    double moments[3] = {0.0, 0.0, 0.0};
    if (s->dim == 6) {
        tn_eig3(&body->J, moments, NULL);
    } else if (body->kind == TN_BODY_PLANAR) {
        moments[0] = moments[2] = body->J.m[2][2];
    } else {
        return 0.0;
    }
    *largest = moments[2];
    if (moments[2] > 0.0)
        return moments[0] <= TN_NO_INERTIA * moments[2] ? TN_STAND_IN_SHARE * moments[2] : 0.0;
    const double reach = reach_of(model, i);
    *largest = body->mass * reach * reach;
    return TN_POINT_MASS_SHARE * *largest;
}

/* A direction without inertia counts like the largest of the body: what is left of its moment must
 * be seen, but means no acceleration. */
static void compile_inverse_inertia(tn_model_body *body, double largest)
{
    const tn_motion_subspace *s = tn_motion_subspace_get(body->kind);
    for (int32_t i = 0; i < s->dim; i++) {
        const int c = s->column[i];
        double inertia = c < 3 ? body->mass : body->J.m[c - 3][c - 3];
        if (c >= 3 && body->stand_in_inertia > 0.0)
            inertia = fmax(inertia, largest);
        body->inverse_inertia[i] = inertia > 0.0 ? 1.0 / inertia : 0.0;
    }
}

void tn_model_compile_stand_ins(tn_model *model)
{
    for (int32_t i = 0; i < model->body_count; i++) {
        double largest = 0.0;
        model->bodies[i].stand_in_inertia = stand_in_of(model, i, &largest);
        compile_inverse_inertia(&model->bodies[i], largest);
        model->stand_ins |= model->bodies[i].stand_in_inertia > 0.0;
    }
}

void tn_model_compile_lever(tn_model *model)
{
    for (int32_t i = 0; i < model->body_count; i++) {
        model->lever += model->bodies[i].dim > 0 ? model->bodies[i].mass : 0.0;
        model->bodies[i].reach = 1.0;
    }
    for (int32_t j = 0; j < model->joint_count; j++) {
        const tn_model_joint *joint = &model->joints[j];
        if (tn_model_is_removed(model, TN_SECTION_JOINT, j))
            continue;
        tn_model_body *a = &model->bodies[joint->a];
        const double arm_a = v3_norm(joint->geometry.T_CA.p);
        const double arm_b = v3_norm(joint->geometry.T_DB.p);
        model->lever += a->dim > 0 ? a->mass * arm_a : 0.0;
        a->reach += arm_a;
        if (joint->b >= 0 && model->bodies[joint->b].dim > 0)
            model->lever += model->bodies[joint->b].mass * arm_b;
        if (joint->b >= 0)
            model->bodies[joint->b].reach += arm_b;
    }
}

/* The spec is valid, and the validation has reported the warnings about its shapes. */
static tn_status compile_body(const tn_body_def *def, const tn_world_def *world,
                              tn_model_body *body)
{
    tn_mass_properties mass = {0};
    const tn_status status = tn_body_def_mass(def, &mass, NULL);
    if (status != TN_OK)
        return status;
    body->kind = tn_built_kind(world, def->kind);
    body->dim = tn_motion_subspace_get(body->kind)->dim;
    body->com = mass.com;
    body->mass = mass.mass;
    body->J = mass.inertia;
    body->frame_damping = isnan(def->frame_damping) ? world->frame_damping : def->frame_damping;
    body->rotary_damping = isnan(def->rotary_damping) ? world->rotary_damping : def->rotary_damping;
    body->q0 = q_normalize(def->pose.q);
    const tn_mat3 R = q_to_m3(body->q0);
    body->x0 = v3_add(def->pose.p, m3_mulv(&R, body->com));
    compile_velocity(body, def, &R);
    return TN_OK;
}

/* Where a simulation that goes on has it. */
static void take_motion(const tn_going_on *from, int32_t i, tn_model_body *body)
{
    const tn_model_body *old = &from->model->bodies[i];
    body->x0 = from->x[i];
    body->q0 = from->q[i];
    tn_body_unpack(old, from->u, &body->v0, &body->w0);
}

tn_status tn_model_compile_bodies(tn_model *model, const tn_spec *spec)
{
    model->body_count = tn_spec_body_count(spec);
    model->bodies = TN_NEW_ARRAY(tn_model_body, model->body_count);
    if (!model->bodies)
        return TN_ERROR_MEMORY;
    int64_t offset = 0;
    tn_status worst = TN_OK;
    for (int32_t i = 0; i < model->body_count; i++) {
        const tn_body_def *def = tn_spec_body(spec, (tn_body){i});
        tn_model_body *body = &model->bodies[i];
        tn_status status = compile_body(def, tn_spec_world(spec), body);
        if (tn_model_keeps(model, TN_SECTION_BODY, i))
            take_motion(model->from, i, body);
        body->u = offset;
        offset += body->dim;
        model->damped |= tn_body_is_damped(body) != 0;
        if (status == TN_OK)
            status = tn_names_add(&model->body_names, def->name, strlen(def->name), i);
        if (status != TN_OK && worst == TN_OK)
            worst = status;
        if (body->dim > 0)
            model->size.moving++;
    }
    model->size.bodies = model->body_count;
    model->size.velocities = (int32_t)offset;
    return worst;
}
