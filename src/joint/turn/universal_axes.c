/* universal_axes.c: room joint/turn: see universal_axes.h. */
#include "real/real.h"
#include "joint/turn/universal_axes.h"

#include "joint/rotation_about_z.h"
#include "joint/row_vectors.h"
#include "joint/turn/tilt.h"

enum { SKEW };

const tn_row_info tn_universal_rows[6] = {
    {"fx", TN_FORCE_ROW},     {"fy", TN_FORCE_ROW},      {"fz", TN_FORCE_ROW},
    {"cross", TN_MOMENT_ROW}, {"roll", TN_ANGLE_ROW(0)}, {"pitch", TN_ANGLE_ROW(1)},
};
const tn_coordinate_info tn_universal_coordinates[2] = {{"roll", 1}, {"pitch", 1}};

/* k, in C and G */
static tn_vec3 pitch_axis(const tn_joint_setup *setup)
{
    return v3(0.0, tn_cos(setup->parameters[SKEW]), tn_sin(setup->parameters[SKEW]));
}

int tn_universal_project(const tn_joint_setup *setup, const tn_xform *T_CD, tn_xform *T_GD)
{
    const tn_vec3 k = pitch_axis(setup);
    T_GD->p = v3(0.0, 0.0, 0.0);
    return tn_tilt_axis(&T_CD->R, k, tn_unit(2), k.y, k.z, &T_GD->R);
}

/* R k = Rz(roll) k = (-sin roll cos a, cos roll cos a, sin a); then Rz(-roll) R x = Rot(k, pitch) x
 * = (cos pitch, sin a sin pitch, -cos a sin pitch). */
void tn_universal_to_coordinates(const tn_joint_setup *setup, const tn_xform *T_GD,
                                 const double *reference, double *q)
{
    const tn_vec3 k = pitch_axis(setup);
    const tn_vec3 y = m3_mulv(&T_GD->R, k);
    const double roll = tn_atan2(-y.x, y.y);
    const tn_mat3 Rz = m3_rot_z(tn_cos(roll), tn_sin(roll));
    const tn_vec3 x = m3_tmulv(&Rz, m3_column(&T_GD->R, 0));
    q[0] = tn_nearest_turn(roll, reference[0]);
    q[1] = tn_nearest_turn(tn_atan2(k.z * x.y - k.y * x.z, x.x), reference[1]);
}

/* Rot(k, t) = I + sin t [k]x + (1 - cos t) [k]x^2 */
static tn_mat3 rotation_about(tn_vec3 k, double angle)
{
    const double s = tn_sin(angle), v = 1.0 - tn_cos(angle);
    tn_mat3 R;
    for (int j = 0; j < 3; j++) {
        const tn_vec3 e = tn_unit(j), ke = v3_cross(k, e);
        const tn_vec3 column = v3_axpy(v3_axpy(e, s, ke), v, v3_cross(k, ke));
        R.m[0][j] = column.x;
        R.m[1][j] = column.y;
        R.m[2][j] = column.z;
    }
    return R;
}

void tn_universal_to_pose(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    const tn_mat3 roll = m3_rot_z(tn_cos(q[0]), tn_sin(q[0]));
    const tn_mat3 pitch = rotation_about(pitch_axis(setup), q[1]);
    T_GD->R = m3_mul(&roll, &pitch);
    T_GD->p = v3(0.0, 0.0, 0.0);
}

void tn_universal_wrenches(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                           double W[TN_MAX_ROWS][6])
{
    (void)q;
    const tn_vec3 k = pitch_axis(setup), r = tn_axis_of_d(T_GD, 2);
    const double c = k.y, s = k.z;
    for (int i = 0; i < 3; i++)
        tn_row_linear(W[i], tn_unit(i));
    tn_row_angular(W[3], v3_scale(1.0 / c, v3_cross(k, r)));
    tn_row_angular(W[4], v3_scale(1.0 / (c * c), v3_axpy(r, -s, k)));
    tn_row_angular(W[5], v3_scale(1.0 / (c * c), v3_axpy(k, -s, r)));
}

void tn_universal_wrench_rates(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                               const double twist_GD[6], double dW[TN_MAX_ROWS][6])
{
    (void)q;
    const tn_vec3 k = pitch_axis(setup), dr = tn_axis_of_d_rate(T_GD, 2, twist_GD);
    const double c = k.y, s = k.z;
    tn_row_angular(dW[3], v3_scale(1.0 / c, v3_cross(k, dr)));
    tn_row_angular(dW[4], v3_scale(1.0 / (c * c), dr));
    tn_row_angular(dW[5], v3_scale(-s / (c * c), dr));
}

void tn_universal_twists(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                         double T[TN_MAX_ROWS][6])
{
    (void)q;
    tn_row_angular(T[0], tn_axis_of_d(T_GD, 2));
    tn_row_angular(T[1], pitch_axis(setup));
}
