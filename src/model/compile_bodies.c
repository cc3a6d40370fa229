/* compile_bodies.c: room model: mass properties, initial poses and velocities of the bodies. */
#include <math.h>
#include <string.h>

#include "math/eig3.h"
#include "model/model.h"
#include "spec/body_mass.h"

/* A principal moment of inertia below this share of the largest is none: the pivots of the body's
 * own block would be round-off. */
#define TN_NO_INERTIA 1e-10

/* The stand-in for it, as a share of the largest. In the pivots of the joints it cancels to
 * round-off times 1 / share, which must stay far below the regularisation (1e-8) of redundant rows;
 * where joints determine the motion a proximal pass takes out whatever its size. */
#define TN_STAND_IN_SHARE 1e-3

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

/* Joints must determine the turning of a body that has no inertia about some axis, and the block of
 * the body alone would not be invertible. */
static void compile_stand_in(tn_model_body *body)
{
    const tn_motion_subspace *s = tn_motion_subspace_get(body->kind);
    double moments[3];
    if (s->dim == 6) {
        tn_eig3(&body->J, moments, NULL);
        if (moments[0] <= TN_NO_INERTIA * moments[2])
            body->stand_in_inertia = TN_STAND_IN_SHARE * moments[2];
    } else if (body->kind == TN_BODY_PLANAR && body->J.m[2][2] <= 0.0) {
        const double length = 1.0; /* m: nothing here says how large the body is */
        body->stand_in_inertia = TN_STAND_IN_SHARE * body->mass * length * length;
    }
}

/* A direction without inertia counts like the largest of the body: what is left of its moment must
 * be seen, but means no acceleration. */
static void compile_inverse_inertia(tn_model_body *body)
{
    const tn_motion_subspace *s = tn_motion_subspace_get(body->kind);
    for (int32_t i = 0; i < s->dim; i++) {
        const int c = s->column[i];
        double inertia = c < 3 ? body->mass : body->J.m[c - 3][c - 3];
        if (c >= 3)
            inertia = fmax(inertia, body->stand_in_inertia / TN_STAND_IN_SHARE);
        body->inverse_inertia[i] = inertia > 0.0 ? 1.0 / inertia : 0.0;
    }
}

/* The spec is valid, and what its shapes are warned about has been told by the validation. */
static tn_status compile_body(const tn_body_def *def, const tn_world_def *world,
                              tn_model_body *body)
{
    tn_mass_properties mass = {0};
    const tn_status status = tn_body_def_mass(def, &mass, NULL);
    if (status != TN_OK)
        return status;
    body->kind = def->kind;
    body->dim = tn_motion_subspace_get(def->kind)->dim;
    body->com = mass.com;
    body->mass = mass.mass;
    body->J = mass.inertia;
    body->frame_damping = isnan(def->frame_damping) ? world->frame_damping : def->frame_damping;
    body->rotary_damping = isnan(def->rotary_damping) ? world->rotary_damping : def->rotary_damping;
    body->q0 = q_normalize(def->pose.q);
    const tn_mat3 R = q_to_m3(body->q0);
    body->x0 = v3_add(def->pose.p, m3_mulv(&R, body->com));
    compile_velocity(body, def, &R);
    compile_stand_in(body);
    compile_inverse_inertia(body);
    return TN_OK;
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
        body->u = offset;
        offset += body->dim;
        if (status == TN_OK)
            status = tn_names_add(&model->body_names, def->name, strlen(def->name), i);
        if (status != TN_OK && worst == TN_OK)
            worst = status;
        model->stand_ins |= body->stand_in_inertia > 0.0;
        if (body->dim > 0)
            model->size.moving++;
    }
    model->size.bodies = model->body_count;
    model->size.velocities = (int32_t)offset;
    return worst;
}
