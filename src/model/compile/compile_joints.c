/* compile_joints.c: room model/compile: types, frames, initial coordinates and settings of the joints.
 *
 * Every way of placing a joint (ArtiSynth Modeling Guide 3.3.3) ends in the same two frames: T_CA
 * and T_DB, here relative to the bodies' centre-of-mass frames.
 */
#include <math.h>
#include <string.h>

#include "real/real.h"
#include "model/compile/compile.h"
#include "spec/shape/skew.h"

/* Initial coordinates with NaN as zero. */
static void initial_coordinates(const tn_joint_def *def, double *q)
{
    for (int32_t i = 0; i < TN_MAX_COORDINATES; i++)
        q[i] = isnan(def->initial[i]) ? 0.0 : def->initial[i];
}

/* Does the type slide along x of D and no other axis? */
static int slides_along_x(const tn_joint_geometry *geometry)
{
    const double q[TN_MAX_COORDINATES] = {0.0};
    tn_xform at_zero;
    double T[TN_MAX_ROWS][6];
    geometry->cls->coordinates_to_pose(&geometry->setup, q, &at_zero);
    tn_joint_twists(geometry->cls, &geometry->setup, &at_zero, q, T);
    int along_x = 0, otherwise = 0;
    for (int32_t i = 0; i < geometry->cls->info.dof; i++) {
        along_x |= T[i][0] != 0.0;
        otherwise |= T[i][1] != 0.0 || T[i][2] != 0.0;
    }
    return along_x && !otherwise;
}

/* R_DW of an axis in the plane: see TN_PLACE_AXIS. The shortest rotation would tilt both other axes
 * of D out of the plane, and two rows would say the same to the bodies. */
static tn_mat3 frame_in_plane(const tn_joint_def *def, const tn_joint_geometry *geometry)
{
    const double length = tn_hypot(def->axis.x, def->axis.y);
    const double x = def->axis.x / length, y = def->axis.y / length;
    if (slides_along_x(geometry))
        return (tn_mat3){{{x, -y, 0.0}, {y, x, 0.0}, {0.0, 0.0, 1.0}}};
    return (tn_mat3){{{-y, 0.0, x}, {x, 0.0, y}, {0.0, 1.0, 0.0}}};
}

static tn_vec3 unit(tn_vec3 v)
{
    return v3_scale(1.0 / v3_norm(v), v);
}

/* R_DW of a joint placed by its axis: z along the axis; x or y as near as possible to the given direction.
 */
static tn_mat3 frame_on_axes(const tn_model *model, const tn_joint_def *def,
                             const tn_joint_geometry *geometry)
{
    const int has_x = !isnan(def->x_axis.x);
    const int in_plane = tn_model_stays_in_plane(model, def->a.i) &&
                         tn_model_stays_in_plane(model, def->b.i) && def->axis.z == 0.0;
    if (!has_x && isnan(def->y_axis.x))
        return in_plane ? frame_in_plane(def, geometry) : tn_m3_from_z_axis(def->axis);
    const tn_vec3 z = unit(def->axis);
    tn_vec3 x, y;
    if (has_x) {
        y = unit(v3_cross(z, def->x_axis));
        x = v3_cross(y, z);
    } else {
        x = unit(v3_cross(def->y_axis, z));
        y = v3_cross(z, x);
    }
    return (tn_mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

/* Class and setup: the parameters, with the skew between the two axes, and the data. */
static tn_status make_joint(tn_model *model, const tn_joint_def *def, tn_model_joint *joint)
{
    const tn_joint_type_info *info = tn_joint_type_get(joint->type);
    double given[TN_MAX_PARAMETERS];
    memcpy(given, def->parameters, sizeof given);
    tn_joint_take_skew(def, info, given);
    return tn_joint_make(joint->type, given, def->data, &model->joint_data, &joint->geometry.cls,
                         &joint->geometry.setup);
}

/* World frames of D and C for the placements that are written in the world. */
static void world_frames(const tn_model *model, const tn_joint_def *def,
                         const tn_joint_geometry *geometry, tn_xform *T_CW, tn_xform *T_DW)
{
    if (def->placement == TN_PLACE_WORLD_FRAMES) {
        *T_CW = xf_from_pose(def->frame_c);
        *T_DW = xf_from_pose(def->frame_d);
        return;
    }
    if (def->placement == TN_PLACE_WORLD_FRAME) {
        *T_DW = xf_from_pose(def->frame_d);
    } else {
        T_DW->R =
            def->placement == TN_PLACE_AXIS ? frame_on_axes(model, def, geometry) : m3_identity();
        T_DW->p = def->origin;
    }
    double q[TN_MAX_COORDINATES];
    tn_xform T_CD;
    initial_coordinates(def, q);
    geometry->cls->coordinates_to_pose(&geometry->setup, q, &T_CD);
    *T_CW = xf_mul(T_DW, &T_CD); /* (3.16) */
}

/* A frame given in the body frame, moved to the centre-of-mass frame. */
static tn_xform from_body_frame(const tn_model *model, int32_t body, tn_pose pose)
{
    tn_xform T = xf_from_pose(pose);
    if (body >= 0)
        T.p = v3_sub(T.p, model->bodies[body].com);
    return T;
}

/* Whether everything about the joint turns about z only: its bodies by their kind, so that nothing
 * set later can change it, its frames, and, with rows along axes, its legal poses. */
static int stays_flat(const tn_model *model, const tn_model_joint *joint)
{
    const int planar_a = model->bodies[joint->a].kind == TN_BODY_PLANAR;
    const int planar_b = joint->b < 0 || model->bodies[joint->b].kind == TN_BODY_PLANAR;
    return planar_a && planar_b && joint->geometry.cls->axes &&
           m3_is_about_z(&joint->geometry.T_CA.R) && m3_is_about_z(&joint->geometry.T_DB.R);
}

static void compile_frames(const tn_model *model, const tn_joint_def *def, tn_model_joint *joint)
{
    if (def->placement == TN_PLACE_BODY_FRAMES) {
        joint->geometry.T_CA = from_body_frame(model, joint->a, def->frame_c);
        joint->geometry.T_DB = from_body_frame(model, joint->b, def->frame_d);
        return;
    }
    tn_xform T_CW, T_DW;
    world_frames(model, def, &joint->geometry, &T_CW, &T_DW);
    const tn_xform T_AW = tn_model_initial_xform(model, joint->a);
    const tn_xform T_BW = tn_model_initial_xform(model, joint->b);
    joint->geometry.T_CA = xf_inv_mul(&T_AW, &T_CW); /* (3.14) */
    joint->geometry.T_DB = xf_inv_mul(&T_BW, &T_DW); /* (3.15) */
}

/* The limits of coordinate i: the type's own where the definition leaves it free. */
static void compile_range(const tn_joint_def *def, tn_model_joint *joint, int32_t i)
{
    const double(*ranges)[2] = joint->geometry.cls->info.ranges;
    const int given = !isinf(def->lower[i]) || !isinf(def->upper[i]);
    joint->lower[i] = ranges && !given ? ranges[i][0] : def->lower[i];
    joint->upper[i] = ranges && !given ? ranges[i][1] : def->upper[i];
    if (joint->geometry.cls->rows_may_vanish && joint->lower[i] <= 0.0) {
        joint->lower[i] =
            -INFINITY; /* a length is never less, and at 0 there is nothing to push on */
    }
}

/* Frames of a joint that a simulation continues with are kept; those of a new one are given in the world, or on
 * the bodies, as they are now. */
static void place_joint(const tn_model *model, const tn_joint_def *def, int32_t j,
                        tn_model_joint *joint)
{
    if (!tn_model_keeps(model, TN_SECTION_JOINT, j)) {
        compile_frames(model, def, joint);
        return;
    }
    const tn_joint_geometry *old = &model->from->model->joints[j].geometry;
    joint->geometry.T_CA = old->T_CA;
    joint->geometry.T_DB = old->T_DB;
}

static void compile_joint(const tn_model *model, const tn_joint_def *def, int32_t j,
                          tn_model_joint *joint)
{
    joint->a = def->a.i;
    joint->b = def->b.i;
    place_joint(model, def, j, joint);
    joint->geometry.flat = (int8_t)stays_flat(model, joint);
    joint->geometry.hinge = (int8_t)(!joint->geometry.flat && joint->geometry.cls->turns_about_z);
    joint->geometry.ball =
        (int8_t)(!joint->geometry.flat && joint->geometry.cls->turns_about_point);
    joint->geometry.pin = (int8_t)(joint->geometry.flat && joint->geometry.cls->pin_in_plane);
    initial_coordinates(def, joint->q0);
    for (int32_t i = 0; i < joint->geometry.cls->info.coordinate_count; i++) {
        compile_range(def, joint, i);
        joint->restitution[i] = isnan(def->restitution[i]) ? 0.0 : def->restitution[i];
        joint->armature[i] = isnan(def->armature[i]) ? 0.0 : def->armature[i];
        joint->locked[i] = (int8_t)(def->locked[i] != 0);
    }
    joint->break_force = isnan(def->break_force) ? INFINITY : def->break_force;
    joint->break_torque = isnan(def->break_torque) ? INFINITY : def->break_torque;
    joint->disabled = (int8_t)(def->disabled != 0);
    joint->round = (int8_t)(def->round != 0);
}

tn_status tn_model_compile_joints(tn_model *model, const tn_spec *spec, tn_diagnostics *diags)
{
    (void)diags; /* the spec was validated: nothing here can be wrong */
    model->joint_count = tn_spec_joint_count(spec);
    model->coupling_count = tn_spec_coupling_count(spec);
    model->element_count = model->joint_count + model->coupling_count;
    model->size.joints = model->joint_count;
    model->size.markers = model->marker_count;
    model->joints = TN_NEW_ARRAY(tn_model_joint, model->element_count);
    if (!model->joints)
        return TN_ERROR_MEMORY;
    for (int32_t j = 0; j < model->joint_count; j++) {
        const tn_joint_def *def = tn_spec_joint(spec, (tn_joint){j});
        tn_model_joint *joint = &model->joints[j];
        tn_status status = tn_joint_type_find(def->type, &joint->type);
        if (status == TN_OK)
            status = tn_names_add(&model->joint_names, def->name, strlen(def->name), j);
        if (status == TN_OK)
            status = make_joint(model, def, joint);
        if (status != TN_OK)
            return status;
        compile_joint(model, def, j, joint);
        model->lines += joint->geometry.cls->rows_may_vanish;
    }
    return TN_OK;
}
