/* compile_check.c: room model/compile: numbers that are numbers each, and together are not: a body's place
 * that a rotation by an absurd angle or a far origin makes of them. */
#include <math.h>

#include "model/compile/compile.h"

static int xform_is_finite(const tn_xform *T)
{
    double sum = T->p.x + T->p.y + T->p.z;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            sum += T->R.m[i][k];
    }
    return isfinite(sum);
}

static int body_is_finite(const tn_model_body *body)
{
    double sum = v3_dot(body->x0, body->x0) + v3_dot(body->v0, body->v0) +
                 v3_dot(body->w0, body->w0) + body->mass;
    sum += body->q0.w + body->q0.x + body->q0.y + body->q0.z;
    for (int i = 0; i < 3; i++)
        sum += body->J.m[i][0] + body->J.m[i][1] + body->J.m[i][2];
    return isfinite(sum);
}

static int joint_is_finite(const tn_model_joint *joint)
{
    double sum = 0.0;
    for (int32_t i = 0; i < joint->geometry.cls->info.coordinate_count; i++)
        sum += joint->q0[i];
    return isfinite(sum) && xform_is_finite(&joint->geometry.T_CA) &&
           xform_is_finite(&joint->geometry.T_DB);
}

tn_status tn_model_check_finite(const tn_model *model, const tn_spec *spec, tn_diagnostics *diags)
{
    tn_status status = TN_OK;
    for (int32_t i = 0; i < model->body_count; i++) {
        if (body_is_finite(&model->bodies[i]))
            continue;
        const tn_body_def *def = tn_spec_body(spec, (tn_body){i});
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, def->at, NULL,
                           "body '%.100s': its place, speed or mass is beyond what numbers hold",
                           def->name);
        status = TN_ERROR_INPUT;
    }
    for (int32_t j = 0; j < model->joint_count; j++) {
        if (joint_is_finite(&model->joints[j]))
            continue;
        const tn_joint_def *def = tn_spec_joint(spec, (tn_joint){j});
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, def->at, NULL,
                           "joint '%.100s': its place or coordinates are beyond what numbers hold",
                           def->name);
        status = TN_ERROR_INPUT;
    }
    return status;
}
