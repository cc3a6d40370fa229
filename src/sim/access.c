/* access.c: room sim: poses, velocities, coordinates and multipliers for the outside.
 *
 * Inside, a body is its centre of mass; outside, it is its origin: p = x - R c, and the velocity
 * of the origin is v + w x (p - x).
 */
#include <math.h>
#include <string.h>

#include "tenon/limits.h"

#include "math/none.h"
#include "assemble/elements.h"
#include "base/base.h"
#include "motion/kinematics.h"

static tn_pose pose_of(const tn_sim *sim, int32_t i)
{
    const tn_mat3 R = q_to_m3(sim->state.q[i]);
    const tn_vec3 arm = m3_mulv(&R, sim->model->bodies[i].com);
    return (tn_pose){v3_sub(sim->state.x[i], arm), sim->state.q[i]};
}

static tn_twist velocity_of(const tn_sim *sim, int32_t i)
{
    tn_twist twist = tn_assemble_twist(&sim->sys, sim->state.u, i);
    const tn_vec3 arm = m3_mulv(&sim->sys.T[i].R, sim->model->bodies[i].com);
    twist.v = v3_sub(twist.v, v3_cross(twist.w, arm));
    return twist;
}

tn_pose tn_sim_body_pose(const tn_sim *sim, tn_body body)
{
    TN_DEMAND(sim && tn_has_body(sim->model, body), tn_no_pose());
    return pose_of(sim, body.i);
}

tn_twist tn_sim_body_velocity(const tn_sim *sim, tn_body body)
{
    TN_DEMAND(sim && tn_has_body(sim->model, body), tn_no_twist());
    return velocity_of(sim, body.i);
}

/* Not so large that sums and squares of it are no numbers. */
static bool is_usable(tn_vec3 a)
{
    return fabs(a.x) <= TN_LARGEST_NUMBER && fabs(a.y) <= TN_LARGEST_NUMBER &&
           fabs(a.z) <= TN_LARGEST_NUMBER;
}

/* As the description demands: planar bodies turn about z only, and stay in the world's plane. */
static bool is_place_of(const tn_model *model, const tn_model_body *body, const tn_pose *pose)
{
    if (!tn_kind_is_flat(body->kind))
        return true;
    const bool upright = pose->q.x == 0.0 && pose->q.y == 0.0;
    return (upright || body->kind != TN_BODY_PLANAR) && (!model->planar || pose->p.z == 0.0);
}

/* What a body that is turned by q and whose origin has this velocity has in its own coordinates: of the centre of mass in world
 * axes, angular in its own. */
static tn_status find_speeds(const tn_model_body *body, tn_quat q, tn_twist velocity,
                             double speeds[6])
{
    if (!is_usable(velocity.v) || !is_usable(velocity.w))
        return TN_ERROR_NOT_FINITE;
    const tn_mat3 R = q_to_m3(q);
    v3_store(speeds, v3_add(velocity.v, v3_cross(velocity.w, m3_mulv(&R, body->com))));
    v3_store(speeds + 3, m3_tmulv(&R, velocity.w));
    const bool fit = v3_is_finite(v3_load(speeds)) && v3_is_finite(v3_load(speeds + 3));
    return fit ? TN_OK : TN_ERROR_NOT_FINITE; /* the arm of the centre of mass was too much */
}

/* Those that a body of its kind has. */
static void set_speeds(tn_sim *sim, const tn_model_body *body, const double speeds[6])
{
    const tn_motion_subspace *s = tn_motion_subspace_get(body->kind);
    for (int32_t i = 0; i < s->dim; i++)
        sim->state.u[body->u + i] = speeds[s->column[i]];
    sim->state.head->restart = 1;
}

tn_status tn_sim_set_body_pose(tn_sim *sim, tn_body body, tn_pose pose)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    TN_DEMAND(sim, TN_ERROR_ARGUMENT);
    if (!tn_has_body(sim->model, body))
        return TN_ERROR_ARGUMENT;
    const tn_model_body *b = &sim->model->bodies[body.i];
    const double n =
        pose.q.w * pose.q.w + pose.q.x * pose.q.x + pose.q.y * pose.q.y + pose.q.z * pose.q.z;
    if (!is_usable(pose.p) || !isfinite(n) || n == 0.0)
        return TN_ERROR_NOT_FINITE;
    if (!is_place_of(sim->model, b, &pose))
        return TN_ERROR_ARGUMENT;
    const tn_quat q = q_normalize(pose.q);
    const tn_mat3 R = q_to_m3(q);
    const tn_vec3 x = v3_add(pose.p, m3_mulv(&R, b->com));
    if (!v3_is_finite(x))
        return TN_ERROR_NOT_FINITE;
    /* the world velocity of the origin stays; one that is too large is refused before anything moves */
    double speeds[6];
    const tn_status status = find_speeds(b, q, velocity_of(sim, body.i), speeds);
    if (status != TN_OK)
        return status;
    sim->state.q[body.i] = q;
    sim->state.x[body.i] = x;
    tn_refresh_kinematics(sim);
    tn_update_coordinates(sim, 0.0);
    set_speeds(sim, b, speeds);
    return TN_OK;
}

tn_status tn_sim_set_body_velocity(tn_sim *sim, tn_body body, tn_twist velocity)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    TN_DEMAND(sim, TN_ERROR_ARGUMENT);
    if (!tn_has_body(sim->model, body))
        return TN_ERROR_ARGUMENT;
    const tn_model_body *b = &sim->model->bodies[body.i];
    double speeds[6];
    const tn_status status = find_speeds(b, sim->state.q[body.i], velocity, speeds);
    if (status == TN_OK)
        set_speeds(sim, b, speeds);
    return status;
}

tn_vec3 tn_sim_marker_position(const tn_sim *sim, tn_marker marker)
{
    TN_DEMAND(sim && tn_has_marker(sim->model, marker), tn_no_place());
    const tn_model_marker *m = &sim->model->markers[marker.i];
    return xf_point(tn_system_xform(&sim->sys, m->body), m->p);
}

tn_pose tn_sim_marker_pose(const tn_sim *sim, tn_marker marker)
{
    TN_DEMAND(sim && tn_has_marker(sim->model, marker), tn_no_pose());
    const tn_vec3 p = tn_sim_marker_position(sim, marker);
    const tn_model_marker *m = &sim->model->markers[marker.i];
    return (tn_pose){p, m->body < 0 ? m->q : q_mul(sim->state.q[m->body], m->q)};
}

void tn_sim_get_poses(const tn_sim *sim, double *out)
{
    TN_DEMAND_OR_RETURN(sim && out);
    for (int32_t i = 0; i < sim->model->body_count; i++, out += 7) {
        const tn_pose pose = pose_of(sim, i);
        v3_store(out, pose.p);
        out[3] = pose.q.w;
        out[4] = pose.q.x;
        out[5] = pose.q.y;
        out[6] = pose.q.z;
    }
}

void tn_sim_get_velocities(const tn_sim *sim, double *out)
{
    TN_DEMAND_OR_RETURN(sim && out);
    for (int32_t i = 0; i < sim->model->body_count; i++, out += 6) {
        const tn_twist twist = velocity_of(sim, i);
        v3_store(out, twist.v);
        v3_store(out + 3, twist.w);
    }
}

void tn_sim_get_coordinates(const tn_sim *sim, double *out)
{
    TN_DEMAND_OR_RETURN(sim && out);
    memcpy(out, sim->state.coordinates,
           sizeof(double) * TN_MAX_COORDINATES * (size_t)sim->model->joint_count);
}

void tn_sim_joint_coordinates(const tn_sim *sim, tn_joint joint, double *q)
{
    const int32_t j = tn_sim_element(sim, joint);
    TN_DEMAND_OR_RETURN(j >= 0 && q);
    const int32_t count = sim->model->joints[j].geometry.cls->info.coordinate_count;
    for (int32_t i = 0; i < count; i++)
        q[i] = sim->state.coordinates[j * TN_MAX_COORDINATES + i];
}

int tn_sim_has_drive(const tn_sim *sim, tn_joint joint, int32_t coordinate)
{
    const int32_t j = tn_sim_element(sim, joint);
    TN_DEMAND(j >= 0 && tn_model_has_coordinate(sim->model, j, coordinate), 0);
    return tn_state_drive(&sim->state, j, coordinate) != NULL;
}

void tn_sim_joint_speeds(const tn_sim *sim, tn_joint joint, double *qdot)
{
    const int32_t j = tn_sim_element(sim, joint);
    TN_DEMAND_OR_RETURN(j >= 0 && qdot);
    tn_coordinate_speeds(sim, j, qdot);
}

/* A frame fixed to a body in the world, and how it moves; of ground the world's own. */
typedef struct frame_motion {
    tn_xform T;
    tn_twist u;
} frame_motion;

static frame_motion motion_of(const tn_sim *sim, int32_t body, const tn_xform *frame)
{
    const tn_xform *B = tn_system_xform(&sim->sys, body);
    frame_motion out = {xf_mul(B, frame), tn_assemble_twist(&sim->sys, sim->state.u, body)};
    out.u.v = v3_add(out.u.v, v3_cross(out.u.w, v3_sub(out.T.p, B->p)));
    return out;
}

void tn_sim_joint_motion(const tn_sim *sim, tn_joint joint, tn_pose *T_CD, tn_twist *velocity)
{
    TN_DEMAND_OR_RETURN(sim && tn_has_joint(sim->model, joint));
    const tn_model_joint *j = &sim->model->joints[joint.i];
    const frame_motion C = motion_of(sim, j->a, &j->geometry.T_CA);
    const frame_motion D = motion_of(sim, j->b, &j->geometry.T_DB);
    const tn_xform T = xf_inv_mul(&D.T, &C.T);
    const tn_vec3 arm = v3_sub(C.T.p, D.T.p);
    const tn_vec3 v = v3_sub(v3_sub(C.u.v, D.u.v), v3_cross(D.u.w, arm));
    if (T_CD)
        *T_CD = (tn_pose){T.p, tn_quat_from_matrix(&T.R)};
    if (velocity)
        *velocity = (tn_twist){m3_tmulv(&D.T.R, v), m3_tmulv(&D.T.R, v3_sub(C.u.w, D.u.w))};
}

void tn_sim_joint_error(const tn_sim *sim, tn_joint joint, double *phi)
{
    const int32_t j = tn_sim_element(sim, joint);
    TN_DEMAND_OR_RETURN(j >= 0 && phi);
    const tn_joint_geometry *geometry = &sim->model->joints[j].geometry;
    const tn_joint_type_info *info = &geometry->cls->info;
    for (int32_t k = 0; k < info->row_count; k++) {
        phi[k] =
            k < info->bilateral_count ? tn_joint_row_error(geometry, &sim->sys.kin[j], k) : 0.0;
    }
}
