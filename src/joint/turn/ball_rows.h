/* ball_rows.h: room joint/turn: what the spherical types with limits share.
 *
 * T_CD = R, p = 0; G keeps C's orientation at D's origin. Rows 0 .. 2 are forces along x, y, z of
 * G, rows 3 .. 5 the moments a type gives: gradients of its measured angles against the angular
 * velocity of C in D, seen in G, and rows that complete them. The twists are the reciprocal basis
 * of these moments, so that W^T T = I.
 *
 * Room joint/turn, in: a rotation of C in D, or angles. Out: the angles, or the rotation, with the
 * rows and twists of that way of measuring turns: what several types share.
 */
#ifndef TN_BALL_ROWS_H
#define TN_BALL_ROWS_H

#include "base/base.h"
#include "joint/row_vectors.h"
#include "math/function/dual.h"
#include "real/real.h"

/* Below this sine the axis between two z axes is not defined: any will do. */
#define TN_BALL_NO_AXIS 1e-9

/* The z axis of D against that of C, both in G: u = z_D, and n = u x z_C / |u x z_C|, the axis C
 * tilts about. Derivatives are those at the angular velocity w (in G) of C in D. */
typedef struct tn_ball_tilt {
    tn_dual3 u, n;
    tn_dual sine;   /* of the angle between z_C and z_D */
    tn_dual cosine; /* likewise */
} tn_ball_tilt;

/* Inlined, so that the compiler leaves out the derivatives a caller does not use. */
TN_INLINE tn_ball_tilt tn_ball_tilt_at(const tn_xform *T_GD, tn_vec3 w)
{
    tn_ball_tilt t;
    t.u = (tn_dual3){tn_axis_of_d(T_GD, 2), v3_cross(tn_axis_of_d(T_GD, 2), w)};
    const double s = sqrt(t.u.v.x * t.u.v.x + t.u.v.y * t.u.v.y);
    t.cosine = dual(t.u.v.z, t.u.d.z);
    if (s < TN_BALL_NO_AXIS) {
        t.sine = dual(s, 0.0);
        t.n = (tn_dual3){v3(1.0, 0.0, 0.0), v3(0.0, 0.0, 0.0)};
        return t;
    }
    t.sine = dual(s, (t.u.v.x * t.u.d.x + t.u.v.y * t.u.d.y) / s);
    t.n = dual3_scale(dual_div(dual(1.0, 0.0), t.sine),
                      (tn_dual3){v3(t.u.v.y, -t.u.v.x, 0.0), v3(t.u.d.y, -t.u.d.x, 0.0)});
    return t;
}

/* rad, between z_C and z_D; it grows by n . w where there is an axis. */
TN_INLINE double tn_ball_tilt_angle(const tn_ball_tilt *tilt)
{
    return tn_atan2(tilt->sine.v, tilt->cosine.v);
}

int tn_ball_project(const tn_joint_setup *setup, const tn_xform *T_CD, tn_xform *T_GD);

/* T_GD tilted about the axis it is tilted about already, until the angle between the z axes is this
 * one (0 .. pi; what is beyond counts as the nearer end). */
void tn_ball_tilt_to(tn_xform *T_GD, double angle);

/* A rotation about a coordinate axis of D, then one about z of C; p = 0. */
tn_xform tn_ball_pose(int axis, double angle, double twist);

/* Rows 0 .. 2, and the moments. */
TN_INLINE void tn_ball_wrenches(const tn_dual3 moments[3], double W[TN_MAX_ROWS][6])
{
    for (int k = 0; k < 3; k++) {
        tn_row_linear(W[k], tn_unit(k));
        tn_row_angular(W[3 + k], moments[k].v);
    }
}
void tn_ball_wrench_rates(const tn_dual3 moments[3], double dW[TN_MAX_ROWS][6]);
void tn_ball_twists(const tn_dual3 moments[3], double T[TN_MAX_ROWS][6]);

/* The maps of a type from its moments(): one line each in its file. */
#define TN_BALL_MAPS(moments)                                                                      \
    static void wrenches(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,       \
                         double W[TN_MAX_ROWS][6])                                                 \
    {                                                                                              \
        (void)q;                                                                                   \
        tn_dual3 m[3];                                                                             \
        moments(setup, T_GD, v3(0.0, 0.0, 0.0), m);                                                \
        tn_ball_wrenches(m, W);                                                                    \
    }                                                                                              \
    static void wrench_rates(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,   \
                             const double twist_GD[6], double dW[TN_MAX_ROWS][6])                  \
    {                                                                                              \
        (void)q;                                                                                   \
        tn_dual3 m[3];                                                                             \
        moments(setup, T_GD, v3_load(twist_GD + 3), m);                                            \
        tn_ball_wrench_rates(m, dW);                                                               \
    }                                                                                              \
    static void twists(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,         \
                       double T[TN_MAX_ROWS][6])                                                   \
    {                                                                                              \
        (void)q;                                                                                   \
        tn_dual3 m[3];                                                                             \
        moments(setup, T_GD, v3(0.0, 0.0, 0.0), m);                                                \
        tn_ball_twists(m, T);                                                                      \
    }

#endif
