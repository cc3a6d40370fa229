/* pose.c: the public functions of tenon/math.h: rotations and rigid transforms.
 *
 * Room math. No trigonometry where square roots suffice: sqrt is exact to the last bit everywhere,
 * libm's sine is not. Products are not renormalised: a product of n unit quaternions is unit to
 * about n round-offs.
 */
#include "real/real.h"
#include "math/m3.h"
#include "math/none.h"
#include "tenon/math.h"

#include <math.h>
#include <stdbool.h>

#include "base/base.h"

static const tn_quat identity_quat = {1, 0, 0, 0};

/* a b: rotate by b, then by a. */
static tn_quat quat_multiply(tn_quat a, tn_quat b)
{
    return (tn_quat){
        .w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        .x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        .y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        .z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
    };
}

static tn_quat quat_conjugate(tn_quat q)
{
    return (tn_quat){q.w, -q.x, -q.y, -q.z};
}

static tn_vec3 cross(tn_vec3 a, tn_vec3 b)
{
    return (tn_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* v + 2 u x (u x v + w v), u the vector part of the unit quaternion. */
static tn_vec3 quat_rotate(tn_quat q, tn_vec3 v)
{
    tn_vec3 u = {q.x, q.y, q.z};
    tn_vec3 a = cross(u, v);
    tn_vec3 b = cross(u, (tn_vec3){a.x + q.w * v.x, a.y + q.w * v.y, a.z + q.w * v.z});
    return (tn_vec3){v.x + 2 * b.x, v.y + 2 * b.y, v.z + 2 * b.z};
}

/* v / |v|; false where it has no direction. */
static bool normalize(tn_vec3 *v)
{
    tn_vec3 unit;
    if (v3_unit(*v, &unit) == 0.0) {
        return false;
    }
    *v = unit;
    return true;
}

tn_pose tn_pose_identity(void)
{
    return (tn_pose){.q = identity_quat};
}

tn_pose tn_pose_multiply(tn_pose t_ba, tn_pose t_cb)
{
    return (tn_pose){
        .p = tn_pose_transform_point(t_ba, t_cb.p),
        .q = quat_multiply(t_ba.q, t_cb.q),
    };
}

tn_pose tn_pose_inverse(tn_pose t)
{
    tn_quat back = quat_conjugate(t.q);
    return (tn_pose){.p = quat_rotate(back, (tn_vec3){-t.p.x, -t.p.y, -t.p.z}), .q = back};
}

tn_vec3 tn_pose_transform_point(tn_pose t, tn_vec3 p)
{
    tn_vec3 r = quat_rotate(t.q, p);
    return (tn_vec3){t.p.x + r.x, t.p.y + r.y, t.p.z + r.z};
}

tn_vec3 tn_pose_rotate_vector(tn_pose t, tn_vec3 v)
{
    return quat_rotate(t.q, v);
}

/* The zero axis is the caller's bug; without assertions it gives the identity. */
tn_quat tn_quat_from_axis_angle(tn_vec3 axis, double angle)
{
    bool has_direction = normalize(&axis);
    TN_ASSERT(has_direction);
    if (!has_direction) {
        return identity_quat;
    }
    double s = tn_sin(0.5 * angle);
    return (tn_quat){tn_cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
}

tn_quat tn_quat_from_rpy(double roll, double pitch, double yaw)
{
    tn_quat about_z = {tn_cos(0.5 * roll), 0, 0, tn_sin(0.5 * roll)};
    tn_quat about_y = {tn_cos(0.5 * pitch), 0, tn_sin(0.5 * pitch), 0};
    tn_quat about_x = {tn_cos(0.5 * yaw), tn_sin(0.5 * yaw), 0, 0};
    return quat_multiply(about_z, quat_multiply(about_y, about_x));
}

/* Half-angle formulas of the angle t between z and the axis, about (-ay, ax, 0)/sin t; each
 * hemisphere uses the one that does not cancel:
 *     cos(t/2) = sqrt((1 + az)/2),  sin(t/2) = sqrt((1 - az)/2),  sin t = 2 sin(t/2) cos(t/2). */
tn_quat tn_quat_from_z_axis(tn_vec3 axis)
{
    bool has_direction = normalize(&axis);
    TN_ASSERT(has_direction);
    if (!has_direction) {
        return identity_quat;
    }
    if (axis.z >= 0) {
        double w = sqrt(0.5 * (1 + axis.z));
        return (tn_quat){w, -axis.y / (2 * w), axis.x / (2 * w), 0};
    }
    tn_vec3 side = {axis.x, axis.y, 0};
    if (!normalize(&side)) {
        return (tn_quat){0, 1, 0, 0};
    }
    double sine = axis.x * side.x + axis.y * side.y;
    double half_sine = sqrt(0.5 * (1 - axis.z));
    return (tn_quat){sine / (2 * half_sine), -side.y * half_sine, side.x * half_sine, 0};
}

/* Shepperd's method: 4 q q^T is known from the matrix; take its row with the largest diagonal
 * (>= 1 by |q| = 1), so nothing cancels at any angle. w >= 0 is chosen. */
tn_quat tn_quat_from_matrix(const tn_mat3 *rotation)
{
    TN_DEMAND(rotation, tn_no_pose().q);
    const double(*m)[3] = rotation->m;
    double square[4] = {1 + m[0][0] + m[1][1] + m[2][2], 1 + m[0][0] - m[1][1] - m[2][2],
                        1 - m[0][0] + m[1][1] - m[2][2], 1 - m[0][0] - m[1][1] + m[2][2]};
    double wx = m[2][1] - m[1][2], wy = m[0][2] - m[2][0], wz = m[1][0] - m[0][1];
    double xy = m[1][0] + m[0][1], xz = m[0][2] + m[2][0], yz = m[2][1] + m[1][2];
    const double row[4][4] = {
        {square[0], wx, wy, wz},
        {wx, square[1], xy, xz},
        {wy, xy, square[2], yz},
        {wz, xz, yz, square[3]},
    };
    int best = 0;
    for (int i = 1; i < 4; i++) {
        if (square[i] > square[best]) {
            best = i;
        }
    }
    const double *r = row[best];
    double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    if (r[0] < 0) {
        length = -length;
    }
    return (tn_quat){r[0] / length, r[1] / length, r[2] / length, r[3] / length};
}

tn_mat3 tn_quat_to_matrix(tn_quat q)
{
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (tn_mat3){{
        {1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
        {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
        {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)},
    }};
}

/* 2 atan2(|v|, |w|) v / |v|: good to round-off for small and large angles. */
tn_vec3 tn_quat_to_rotation_vector(tn_quat q)
{
    const double sign = q.w < 0.0 ? -1.0 : 1.0;
    const double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    const double factor = length > 0.0 ? 2.0 * sign * tn_atan2(length, fabs(q.w)) / length : 0.0;
    return (tn_vec3){factor * q.x, factor * q.y, factor * q.z};
}
