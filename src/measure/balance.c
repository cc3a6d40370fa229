/* balance.c: room measure: Newton and Euler asked of every body with the reported multipliers.
 *
 *     residual = M u' - f(q, u) - G^T lambda
 * relative to the largest single force (or moment) on that body: gravity, inertia, or a joint's.
 */
#include <math.h>

#include "integrate/sim_internal.h"
#include "measure/measure.h"

static tn_vec3 part(const tn_model_body *body, const double *f, int moment)
{
    tn_vec3 linear, angular;
    tn_body_unpack(body, f, &linear, &angular);
    return moment ? angular : linear;
}

/* The larger of two ratios, 0/0 counting as 0. */
static double ratio(double residual, double scale)
{
    return residual == 0.0 ? 0.0 : residual / scale;
}

tn_status tn_sim_balance(const tn_sim *sim, tn_balance *out)
{
    if (!sim || !out)
        return TN_ERROR_ARGUMENT;
    if (sim->options.integrator != TN_GENERALIZED_ALPHA || sim->state.head->restart)
        return TN_ERROR_UNSUPPORTED;
    *out = (tn_balance){0.0, 0.0, {-1}};
    const size_t n = (size_t)sim->sys.layout->u_size;
    double *residual = TN_NEW_ARRAY(double, n), *joints = TN_NEW_ARRAY(double, n);
    tn_status status = residual && joints ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK) {
        tn_assemble_forces(&sim->sys, sim->state.u, sim->state.udot, 1, residual);
        tn_assemble_joint_forces(&sim->sys, &sim->state, residual);
        tn_assemble_joint_forces(&sim->sys, &sim->state, joints);
    }
    for (int32_t i = 0; i < sim->model->body_count && status == TN_OK; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        if (body->dim == 0)
            continue;
        const double weight = body->mass * v3_norm(sim->model->gravity);
        const double force = fmax(weight, v3_norm(part(body, joints, 0)));
        const double inertia = v3_norm(m3_mulv(&body->J, part(body, sim->state.udot, 1)));
        const double moment = fmax(inertia, v3_norm(part(body, joints, 1)));
        const double f = ratio(v3_norm(part(body, residual, 0)), force);
        const double m = ratio(v3_norm(part(body, residual, 1)), moment);
        if (fmax(f, m) > fmax(out->force, out->moment))
            out->worst.i = i;
        out->force = fmax(out->force, f);
        out->moment = fmax(out->moment, m);
    }
    tn_free(residual);
    tn_free(joints);
    return status;
}
