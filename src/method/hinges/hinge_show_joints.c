/* hinge_show_joints.c: room method/hinges: frames, multipliers and errors of joints that are not shown four at a time, at the end of a
 * step (method/links/hinge_show.h shows the others).
 */
#include <string.h>

#include "assemble/elements.h"
#include "method/hinges/alpha_hinges.h"
#include "motion/kinematics.h"

/* The axis of G, TN_FX ..., that a row has and no other one but the motion's. */
static int axis_of(const tn_joint_geometry *geometry, const tn_joint_kinematics *kin, int32_t row)
{
    if (geometry->cls->axes)
        return geometry->cls->axes[row];
    int axis = 0;
    for (int i = 5; i >= 0; i--)
        axis = kin->moving->W[row][i] != 0.0 ? i : axis;
    return axis;
}

static double sum_of(const double *a, int32_t count)
{
    double sum = 0.0;
    for (int32_t n = 0; n < count; n++)
        sum += a[n];
    return sum;
}

double tn_hinge_put_errors(const tn_sim *sim, int32_t j)
{
    const tn_model_joint *joint = &sim->model->joints[j];
    double *phi = sim->sys.phi + sim->sys.layout->y_offset[j], sum = 0.0;
    for (int32_t n = 0; n < joint->kept_bilateral; n++) {
        phi[n] = tn_joint_row_error(tn_joint_geometry_now(&sim->sys, j), &sim->sys.kin[j],
                                    joint->kept[n]);
        sum += phi[n];
    }
    return sum;
}

/* Frames and multipliers of one. Out: the sum of all numbers that are shown. */
static double show_joint(tn_sim *sim, const tn_hinge_rule *c, int32_t k)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_hinge_world *w = &hinges->forest.world;
    const double *limb = hinge_limb_at(w, k);
    const tn_hinge_place *place = &hinges->places[k];
    const int32_t j = place->joint;
    const tn_model_joint *joint = &sim->model->joints[j];
    const tn_mat3 *R_A = &tn_system_xform(&sim->sys, joint->a)->R;
    const tn_mat3 *R_CA = &joint->geometry.T_CA.R;
    const tn_vec3 axes[3] = {m3_mulv(R_A, m3_column(R_CA, 0)), m3_mulv(R_A, m3_column(R_CA, 1)),
                             limb_v3(limb + TN_LIMB_FIELD(axis))};
    const double sign = place->is_a ? 1.0 : -1.0;
    const tn_vec3 F = v3_scale(sign, limb_v3(limb + TN_LIMB_FIELD(v)));
    tn_vec3 M = v3_scale(sign, limb_v3(limb + TN_LIMB_FIELD(w)));
    if (!place->is_a) { /* from P, which is D's origin then, to C's */
        const double lead = hinge_kind_at(w, k)[TN_KIND_FIELD(column.lead)];
        M = v3_sub(M,
                   v3_cross(v3_scale(lead * tn_state_coordinate(&sim->state, j, 0), axes[2]), F));
    }
    const size_t at = (size_t)j * TN_MAX_ROWS;
    double *lambda = w->to.lambda + at, before[TN_MAX_ROWS];
    memcpy(before, w->at.lambda + at, sizeof before);
    memcpy(lambda, before, sizeof before);
    tn_joint_refresh(&sim->sys, &sim->state, j);
    const tn_joint_kinematics *kin = &sim->sys.kin[j];
    const double wrench[6] = {v3_dot(axes[0], F), v3_dot(axes[1], F), v3_dot(axes[2], F),
                              v3_dot(axes[0], M), v3_dot(axes[1], M), v3_dot(axes[2], M)};
    const int32_t held = joint->geometry.cls->info.bilateral_count;
    for (int32_t row = 0; row < TN_HINGE_ROWS && row < held; row++)
        lambda[row] = wrench[axis_of(&joint->geometry, kin, row)];
    tn_hinge_drop_rows(joint, lambda);
    for (size_t n = 0; n < TN_MAX_ROWS && w->has_rates; n++)
        w->to.lambda_rate[(size_t)j * TN_MAX_ROWS + n] = 1.0 / c->h * (lambda[n] - before[n]);
    return sum_of(lambda, TN_MAX_ROWS) + tn_hinge_put_errors(sim, j);
}

/* Of the joint of a chain, likewise. */
static double show_chain(tn_sim *sim, tn_hinge_chain *chain, double h)
{
    tn_hinge_chain_show(sim, chain, h);
    if (chain->joint < 0)
        return 0.0;
    const tn_joint_type_info *info = &sim->model->joints[chain->joint].geometry.cls->info;
    const size_t j = (size_t)chain->joint;
    return sum_of(sim->state.lambda + j * TN_MAX_ROWS, TN_MAX_ROWS) +
           sum_of(sim->state.coordinates + j * TN_MAX_COORDINATES, info->coordinate_count) +
           sum_of(sim->sys.phi + sim->sys.layout->y_offset[j],
                  sim->model->joints[chain->joint].kept_bilateral);
}

double tn_hinges_show_others(tn_sim *sim, const tn_hinge_rule *c)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_hinge_world *w = &hinges->forest.world;
    double sum = 0.0;
    for (int32_t k = 0; k < w->count; k++) {
        if (w->apart[k] && w->places[k].part == TN_LIMB_WHOLE)
            sum += show_joint(sim, c, k);
    }
    for (int32_t m = 0; m < hinges->chain_count; m++)
        sum += show_chain(sim, &hinges->chains[m], c->h);
    return sum;
}
