/* wrench.c: room measure: the constraint wrench of a joint, in the requested frame.
 *
 * The multipliers give one wrench at G's origin in world axes, on A; B feels the opposite at the
 * same place. Moving a wrench (f, m) from point P to Q: m_Q = m_P + (P - Q) x f.
 */
#include <string.h>

#include <math.h>
#include "math/none.h"
#include "base/base.h"
#include "assemble/armature.h"
#include "assemble/joint_terms.h"
#include "assemble/drive_terms.h"
#include "motion/kinematics.h"
#include "motion/simulation.h"
#include "measure/measure.h"

static tn_wrench in_frame(tn_wrench w, tn_vec3 from, const tn_xform *T)
{
    w = tn_wrench_at(w, from, T->p);
    return (tn_wrench){m3_tmulv(&T->R, w.f), m3_tmulv(&T->R, w.m)};
}

tn_system tn_measure_reactions(const tn_sim *sim)
{
    tn_system sys = sim->sys;
    if (sim->traits.reactions_at_start) {
        sys.T = sim->reactions.T;
        sys.kin = sim->reactions.kin;
        sys.terms = sim->reactions.terms;
    }
    return sys;
}

tn_vec3 tn_measure_origin(const tn_sim *sim, const tn_system *sys, int32_t body)
{
    if (body < 0)
        return v3(0.0, 0.0, 0.0);
    const tn_xform *T = &sys->T[body];
    return v3_sub(T->p, m3_mulv(&T->R, sim->model->bodies[body].com));
}

/* A z axis is in the plane or across it. */
#define TN_ACROSS 0.5

bool tn_measure_lies_in_plane(const tn_model *model, const tn_mat3 *R)
{
    return model->planar && fabs(R->m[2][2]) < TN_ACROSS;
}

tn_mat3 tn_measure_plane_axes(const tn_model *model, const tn_mat3 *R)
{
    if (!tn_measure_lies_in_plane(model, R))
        return *R;
    const double x = R->m[0][2], y = R->m[1][2];
    return (tn_mat3){{{x, -y, 0.0}, {y, x, 0.0}, {0.0, 0.0, 1.0}}};
}

static tn_mat3 axes_of_c(const tn_sim *sim, tn_joint joint)
{
    const tn_system sys = tn_measure_reactions(sim);
    const tn_model_joint *j = &sim->model->joints[joint.i];
    return xf_mul(tn_system_xform(&sys, j->a), &j->geometry.T_CA).R;
}

bool tn_measure_slides_in_plane(const tn_sim *sim, tn_joint joint)
{
    const tn_mat3 R = axes_of_c(sim, joint);
    return tn_measure_lies_in_plane(sim->model, &R);
}

tn_wrench tn_measure_plane_wrench(const tn_sim *sim, tn_joint joint)
{
    const tn_wrench w = tn_sim_joint_wrench(sim, joint, TN_WRENCH_IN_C);
    const tn_mat3 R = axes_of_c(sim, joint), plane = tn_measure_plane_axes(sim->model, &R);
    if (!tn_measure_lies_in_plane(sim->model, &R))
        return w;
    return (tn_wrench){m3_tmulv(&plane, m3_mulv(&R, w.f)), m3_tmulv(&plane, m3_mulv(&R, w.m))};
}

/* The wrench that the multipliers lambda[TN_MAX_ROWS] of a joint's rows, active or not, make, in
 * the given frame. */
static tn_wrench wrench_of(const tn_sim *sim, int32_t joint, const double *lambda,
                           tn_wrench_frame frame)
{
    const tn_model_joint *j = &sim->model->joints[joint];
    const tn_system sys = tn_measure_reactions(sim);
    const tn_xform *T_A = tn_system_xform(&sys, j->a);
    const tn_xform *T_B = tn_system_xform(&sys, j->b);
    const tn_vec3 at = v3_add(T_A->p, sys.kin[joint].r_A);
    tn_switches all = {.active_count = j->kept_count};
    memcpy(all.active, j->kept, sizeof all.active);
    tn_wrench w = tn_joint_wrench(&j->geometry, &sys.kin[joint], &all, lambda);
    switch (frame) {
    case TN_WRENCH_IN_C: {
        const tn_xform T_CW = xf_mul(T_A, &j->geometry.T_CA);
        return in_frame(w, at, &T_CW);
    }
    case TN_WRENCH_IN_D: {
        const tn_xform T_DW = xf_mul(T_B, &j->geometry.T_DB);
        return in_frame(w, at, &T_DW);
    }
    case TN_WRENCH_ON_A:
        return tn_wrench_at(w, at, tn_measure_origin(sim, &sys, j->a));
    case TN_WRENCH_ON_B:
        w = (tn_wrench){v3_scale(-1.0, w.f), v3_scale(-1.0, w.m)};
        return tn_wrench_at(w, at, tn_measure_origin(sim, &sys, j->b));
    }
    return w;
}

/* What its armatures oppose to the accelerations, where these are known. */
static void add_armatures(const tn_sim *sim, int32_t j, double *lambda)
{
    const tn_model_joint *joint = &sim->model->joints[j];
    for (int32_t i = 0; i < joint->geometry.cls->info.coordinate_count; i++) {
        lambda[tn_motion_row(joint, i)] +=
            tn_armature_force(&sim->sys, &sim->state, j, i, sim->state.u, sim->state.udot);
    }
}

/* Multipliers by row, with the known forces along coordinates and what armatures oppose in their rows; none of a joint that is
 * switched off. */
static void all_forces(const tn_sim *sim, int32_t j, double *lambda)
{
    const tn_state *state = &sim->state;
    memset(lambda, 0, sizeof(double) * TN_MAX_ROWS);
    if (!tn_state_is_on(sim->model, state, j))
        return;
    for (int32_t n = 0; n < state->switches[j].active_count; n++) {
        const int32_t row = state->switches[j].active[n];
        lambda[row] = state->lambda[j * TN_MAX_ROWS + row];
    }
    for (int32_t k = state->switches[j].drive; k != TN_NO_DRIVE; k = state->drives[k].next) {
        lambda[tn_motion_row(&sim->model->joints[j], state->drives[k].coordinate)] +=
            tn_drive_applied(&state->drives[k]);
    }
    if (sim->traits.accelerations && !state->head->restart)
        add_armatures(sim, j, lambda);
}

tn_wrench tn_sim_joint_wrench(const tn_sim *sim, tn_joint joint, tn_wrench_frame frame)
{
    TN_DEMAND(sim && tn_has_joint(sim->model, joint), tn_no_wrench());
    double lambda[TN_MAX_ROWS];
    all_forces(sim, joint.i, lambda);
    return wrench_of(sim, joint.i, lambda, frame);
}

/* The forces of the drive's parts, in the order of tn_wrench_part from TN_WRENCH_DRIVER on. */
static double drive_force(const tn_sim *sim, int32_t j, int32_t i, tn_wrench_part part)
{
    const tn_drive *d = tn_state_drive(&sim->state, j, i);
    if (!d || part < TN_WRENCH_DRIVER)
        return 0.0;
    double speeds[TN_MAX_COORDINATES] = {0};
    tn_coordinate_speeds(sim, j, speeds);
    const tn_drive_forces f = tn_drive_forces_of(&sim->sys, &sim->state, d, speeds[i]);
    const double forces[] = {f.driver, f.motor, f.friction, f.spring};
    return forces[part - TN_WRENCH_DRIVER];
}

/* Lock or limit: which of them the multiplier of a held motion row is. */
static bool is_part_of_hold(int8_t hold, tn_wrench_part part)
{
    const int locks = hold == TN_HOLD_LOCK || hold == TN_HOLD_PINNED;
    return part == (locks ? TN_WRENCH_LOCK : TN_WRENCH_LIMIT) && hold >= TN_HOLD_LOCK;
}

static double coordinate_force(const tn_sim *sim, int32_t j, int32_t i, tn_wrench_part part)
{
    const tn_joint_type_info *info = &sim->model->joints[j].geometry.cls->info;
    if (!TN_IN(i, info->coordinate_count) || part >= TN_WRENCH_PART_COUNT ||
        !tn_state_is_on(sim->model, &sim->state, j))
        return 0.0;
    if (is_part_of_hold(sim->state.switches[j].hold[i], part))
        return *tn_state_held_force(sim->model, &sim->state, j, i);
    return drive_force(sim, j, i, part);
}

double tn_sim_coordinate_force(const tn_sim *sim, tn_joint joint, int32_t i, tn_wrench_part part)
{
    const int32_t j = tn_sim_element(sim, joint);
    TN_DEMAND(j >= 0, NAN);
    return coordinate_force(sim, j, i, part);
}

double tn_sim_coordinate_power(const tn_sim *sim, tn_joint joint, int32_t i, tn_wrench_part part)
{
    const int32_t j = tn_sim_element(sim, joint);
    TN_DEMAND(j >= 0, NAN);
    const double force = coordinate_force(sim, j, i, part);
    double speeds[TN_MAX_COORDINATES] = {0};
    if (force != 0.0)
        tn_coordinate_speeds(sim, j, speeds);
    return force != 0.0 ? force * speeds[i] : 0.0;
}

/* Does a bilateral row belong to the part? */
static bool is_part(const tn_switches *s, int32_t row, tn_wrench_part part)
{
    return part == (s->compliance[row] > 0.0 ? TN_WRENCH_COMPLIANCE : TN_WRENCH_CONSTRAINT);
}

tn_wrench tn_sim_joint_wrench_part(const tn_sim *sim, tn_joint joint, tn_wrench_part part,
                                   tn_wrench_frame frame)
{
    TN_DEMAND(sim && tn_has_joint(sim->model, joint), tn_no_wrench());
    const tn_joint_type_info *info = &sim->model->joints[joint.i].geometry.cls->info;
    const tn_switches *s = &sim->state.switches[joint.i];
    double lambda[TN_MAX_ROWS] = {0};
    for (int32_t n = 0; n < s->active_count; n++) {
        if (s->active[n] < info->bilateral_count && is_part(s, s->active[n], part))
            lambda[s->active[n]] = sim->state.lambda[joint.i * TN_MAX_ROWS + s->active[n]];
    }
    for (int32_t i = 0; i < info->coordinate_count; i++)
        lambda[info->bilateral_count + i] += tn_sim_coordinate_force(sim, joint, i, part);
    return wrench_of(sim, joint.i, lambda, frame);
}

void tn_sim_joint_multipliers(const tn_sim *sim, tn_joint joint, double *lambda)
{
    TN_DEMAND_OR_RETURN(sim && lambda && tn_has_joint(sim->model, joint));
    double all[TN_MAX_ROWS];
    all_forces(sim, joint.i, all);
    memcpy(lambda, all,
           sizeof(double) * (size_t)sim->model->joints[joint.i].geometry.cls->info.row_count);
}

void tn_sim_get_multipliers(const tn_sim *sim, double *out)
{
    TN_DEMAND_OR_RETURN(sim && out);
    for (int32_t j = 0; j < sim->model->joint_count; j++)
        all_forces(sim, j, out + (size_t)j * TN_MAX_ROWS);
}
