/* math.h: the value types of the public interface: vectors, rotations, poses, twists, wrenches.
 *
 * SI units and radians. Quaternions are (w, x, y, z) and unit. Twists and wrenches have the linear
 * part first. Monogram names: T_AB is the pose of A in B: it maps coordinates in A to
 * coordinates in B, as in the ArtiSynth Modeling Guide, (3.8): T_AB = T_DB T_CD T_CA^-1.
 */
#ifndef TENON_MATH_H
#define TENON_MATH_H

#include "tenon/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A vector. */
typedef struct tn_vec3 {
    double x, y, z;
} tn_vec3;

/* A quaternion. */
typedef struct tn_quat {
    double w, x, y, z;
} tn_quat;

/* Row-major 3 x 3 matrix. */
typedef struct tn_mat3 {
    double m[3][3];
} tn_mat3;

/* A rigid transform: rotate by q, then translate by p. */
typedef struct tn_pose {
    tn_vec3 p; /* m */
    tn_quat q; /* unit */
} tn_pose;

/* Velocity of a point and angular velocity. */
typedef struct tn_twist {
    tn_vec3 v; /* m/s */
    tn_vec3 w; /* rad/s */
} tn_twist;

/* Force, and moment about a point. */
typedef struct tn_wrench {
    tn_vec3 f; /* N */
    tn_vec3 m; /* N m */
} tn_wrench;

/* Mass, centre of mass and inertia of a body in its own frame. */
typedef struct tn_mass_properties {
    double mass;     /* kg */
    tn_vec3 com;     /* m, in the body frame */
    tn_mat3 inertia; /* kg m^2, about the centre of mass, body axes, symmetric */
} tn_mass_properties;

/* The identity pose. */
TN_API tn_pose tn_pose_identity(void);
/* Maps C to B and then B to A: T_CA = T_BA T_CB. */
TN_API tn_pose tn_pose_multiply(tn_pose t_ba, tn_pose t_cb);
/* The inverse: T_BA for T_AB. */
TN_API tn_pose tn_pose_inverse(tn_pose t);
/* The point p of the inner frame in outer coordinates. */
TN_API tn_vec3 tn_pose_transform_point(tn_pose t, tn_vec3 p);
/* The vector v of the inner frame in outer axes. */
TN_API tn_vec3 tn_pose_rotate_vector(tn_pose t, tn_vec3 v);

/* Unit quaternion of the rotation by angle (rad) about axis (any non-zero length). */
TN_API tn_quat tn_quat_from_axis_angle(tn_vec3 axis, double angle);
/* R = Rz(roll) Ry(pitch) Rx(yaw), the order of ArtiSynth's gimbal joint; rad. Roll is about z here, but about x in URDF
 * and ROS. */
TN_API tn_quat tn_quat_from_rpy(double roll, double pitch, double yaw);
/* The shortest rotation that takes world z onto axis (exactly opposite: 180 degrees about x). */
TN_API tn_quat tn_quat_from_z_axis(tn_vec3 axis);
/* Unit quaternion of a rotation matrix. */
TN_API tn_quat tn_quat_from_matrix(const tn_mat3 *rotation);
/* Rotation matrix of a unit quaternion. */
TN_API tn_mat3 tn_quat_to_matrix(tn_quat q);
/* Rotation vector of a unit quaternion: along the axis, with the angle as length, at most pi (rad). */
TN_API tn_vec3 tn_quat_to_rotation_vector(tn_quat q);

#ifdef __cplusplus
}
#endif
#endif
