/* joint_rows.h: room joint: the rows of one joint in the world, for given poses of its bodies.
 *
 * In: the joint's geometry and the poses of A and B (centre-of-mass frames). Out: frame G, the
 * error of C against G, and each row as a covector on the bodies' velocities.
 *
 * A row is the wrench W = (f, m) at G's origin in G axes; in the world f_w = R_GW f, m_w = R_GW m.
 * Acting on A about its centre of mass, with the angular velocity in body axes, it is
 *     [ f_w ; R_A^T (m_w + r_A x f_w) ],   r_A = x_G - x_A,
 * and the negative of the same for B: the two wrenches balance exactly, whatever the error is.
 */
#ifndef TN_JOINT_ROWS_H
#define TN_JOINT_ROWS_H

#include "joint/joint_class.h"
#include "real/double_double.h"

/* What of a joint never changes. Frames are relative to the bodies' centre-of-mass frames (body
 * axes, origin at the centre of mass), or to the world for ground. */
typedef struct tn_joint_geometry {
    const tn_joint_class *cls;
    int8_t flat;  /* its bodies, frames and legal poses turn about z only, now and for ever */
    int8_t pin;   /* it is flat and a pin (joint_class.h, pin_in_plane) */
    int8_t hinge; /* it is not flat, and only turns about z (joint_class.h, turns_about_z) */
    int8_t ball;  /* it is not flat, and turns about a point (likewise, turns_about_point) */
    tn_xform T_CA, T_DB;
    tn_joint_setup setup;
} tn_joint_geometry;

/* What follows from the poses of types whose rows move in G, or off the constraints: most of it, of few joints, and out
 * of the way of the rest. */
typedef struct tn_joint_moving {
    double q[TN_MAX_COORDINATES]; /* only kept for types whose rows move in G */
    double W[TN_MAX_ROWS][6];
    double phi[TN_MAX_ROWS]; /* only kept for types with errors of their own */
} tn_joint_moving;

/* What follows from the poses. */
typedef struct tn_joint_kinematics {
    tn_mat3 R_GW;     /* G in the world */
    tn_vec3 r_A, r_B; /* m, from the centres of mass to G's origin, world axes */
    double error[6];  /* (p, angle axis) of T_CG, m and rad */
    tn_xform T_GD;
    int8_t unique;           /* 0: the projection met a tie */
    int8_t off;              /* 1: W holds all rows, as they are off the constraints */
    int16_t vanished;        /* bit k: row k has no direction here and is zero */
    tn_joint_moving *moving; /* its own */
} tn_joint_kinematics;

/* So many, each with its own `moving`, in one piece of memory (tn_free); NULL: there is none. */
tn_joint_kinematics *tn_joint_kinematics_create(int64_t count);
/* Of one joint: with what moves, which stays where it is. */
void tn_joint_kinematics_copy(tn_joint_kinematics *to, const tn_joint_kinematics *from);

/* The axes of G that the rows are (TN_FX ...), or NULL where they are in W. */
static inline const int8_t *tn_joint_axes(const tn_joint_geometry *geometry,
                                          const tn_joint_kinematics *kin)
{
    return kin->off ? NULL : geometry->cls->axes;
}

/* reference[coordinate_count]: previous coordinates, for branches and turns. */
void tn_joint_kinematics_update(const tn_joint_geometry *geometry, const tn_xform *T_A,
                                const tn_xform *T_B, const double *reference,
                                tn_joint_kinematics *kin);

/* The same where coordinates q are known, one for each motion of the type, in space: T_GD is their pose. */
void tn_joint_kinematics_at(const tn_joint_geometry *geometry, const tn_xform *T_A,
                            const tn_xform *T_B, const double *q, const tn_xform *T_GD,
                            tn_joint_kinematics *kin);

/* What the poses of C and D make of a pin in the plane: G has C's orientation and D's origin. */
typedef struct tn_pin_frames {
    double c, s;      /* cosine and sine of the angle of G in the world */
    tn_vec3 r_A, r_B; /* m, as in tn_joint_kinematics */
    tn_vec3 error;    /* m, in G */
    double c_GD, s_GD;
} tn_pin_frames;

static inline void tn_joint_put_pin(const tn_pin_frames *pin, tn_joint_kinematics *kin)
{
    kin->R_GW = m3_rot_z(pin->c, pin->s);
    kin->r_A = pin->r_A;
    kin->r_B = pin->r_B;
    v3_store(kin->error, pin->error);
    v3_store(kin->error + 3, v3(0.0, 0.0, 0.0));
    kin->T_GD = (tn_xform){m3_rot_z(pin->c_GD, pin->s_GD), {0.0, 0.0, 0.0}};
    kin->unique = 1;
    kin->off = 0;
    kin->vanished = 0;
}

/* The kinematics of a pin in the plane, whose G is known at once. */
static inline void tn_joint_update_pin(const tn_joint_geometry *geometry, const tn_xform *T_A,
                                       const tn_xform *T_B, tn_joint_kinematics *kin)
{
    const tn_xform_z T_CW = xz_mul(xz_load(T_A), xz_load(&geometry->T_CA));
    const tn_xform_z T_DW = xz_mul(xz_load(T_B), xz_load(&geometry->T_DB));
    const tn_pin_frames pin = {.c = T_CW.c,
                               .s = T_CW.s,
                               .r_A = v3_sub(T_DW.p, T_A->p),
                               .r_B = v3_sub(T_DW.p, T_B->p),
                               .error = z_turn(T_CW.c, -T_CW.s, v3_sub(T_CW.p, T_DW.p)),
                               .c_GD = T_DW.c * T_CW.c + T_DW.s * T_CW.s,
                               .s_GD = T_DW.c * T_CW.s - T_DW.s * T_CW.c};
    tn_joint_put_pin(&pin, kin);
}

/* Coordinates of the pose: q as pose_to_coordinates has them, held ones near a pole as their rows
 * count them. */
void tn_joint_coordinates(const tn_joint_geometry *geometry, const tn_xform *T_GD,
                          const tn_joint_stops *stops, const double *reference, double *q);

/* The same, with an angle accurate to the last digit after any number of turns. The sum of q[i].hi and q[i].lo
 * is a whole number of turns, from the reference, plus the angle within a turn, from the pose. After 1e6
 * turns q[i].hi alone would have lost six digits. */
void tn_joint_turned(const tn_joint_geometry *geometry, const tn_xform *T_GD,
                     const tn_joint_stops *stops, const double *reference, tn_dd *q);

/* Rows near a pole turn to where the coordinates are held: to be called after the update. */
void tn_joint_kinematics_stop(const tn_joint_geometry *geometry, const tn_joint_stops *stops,
                              const double *reference, tn_joint_kinematics *kin);

/* joint_off.c: the rows of a joint whose constraints have errors, as those of a soft one do: to be
 * called after the update, where rows are to be the derivatives of coordinates and errors to the
 * last digit. */
void tn_joint_kinematics_off(const tn_joint_geometry *geometry, tn_joint_kinematics *kin);
/* phi of row k then. */
double tn_joint_row_error_off(const tn_joint_geometry *geometry, const tn_joint_kinematics *kin,
                              int32_t k);
/* gamma then (tn_joint_row_accelerations). */
void tn_joint_accelerations_off(const tn_joint_geometry *geometry, const tn_joint_kinematics *kin,
                                const tn_xform *T_A, const tn_xform *T_B, tn_twist A, tn_twist B,
                                double *gamma);

/* phi of row k: W_k . error. Motion rows included. m or rad. */
static inline double tn_joint_row_error(const tn_joint_geometry *geometry,
                                        const tn_joint_kinematics *kin, int32_t k)
{
    if (geometry->cls->axes)
        return kin->error[geometry->cls->axes[k]];
    if (kin->off)
        return tn_joint_row_error_off(geometry, kin, k);
    double phi = 0.0;
    for (int i = 0; i < 6; i++)
        phi += kin->moving->W[k][i] * kin->error[i];
    return phi;
}

/* Has the row no direction at this pose? Then it is zero, and no equation. */
static inline int tn_joint_row_vanished(const tn_joint_geometry *geometry,
                                        const tn_joint_kinematics *kin, int32_t k)
{
    return geometry->cls->rows_may_vanish && (kin->vanished >> k & 1) != 0;
}

/* Row k as force and moment at G's origin, world axes. */
static inline void tn_joint_row_wrench(const tn_joint_geometry *geometry,
                                       const tn_joint_kinematics *kin, int32_t k, tn_vec3 *f,
                                       tn_vec3 *m)
{
    const int8_t *axes = tn_joint_axes(geometry, kin);
    if (axes) {
        const int axis = axes[k];
        *f = axis < 3 ? m3_column(&kin->R_GW, axis) : v3(0.0, 0.0, 0.0);
        *m = axis < 3 ? v3(0.0, 0.0, 0.0) : m3_column(&kin->R_GW, axis - 3);
        return;
    }
    *f = m3_mulv(&kin->R_GW, v3_load(kin->moving->W[k]));
    *m = m3_mulv(&kin->R_GW, v3_load(kin->moving->W[k] + 3));
}

/* Row k as covector on the velocity (v of the centre of mass in world axes, w in body axes) of a
 * body with orientation R and arm r, times sign: +1 for A, -1 for B. */
static inline void tn_joint_row_covector(const tn_joint_geometry *geometry,
                                         const tn_joint_kinematics *kin, int32_t k,
                                         const tn_mat3 *R, tn_vec3 r, double sign, double row[6])
{
    tn_vec3 f, m;
    tn_joint_row_wrench(geometry, kin, k, &f, &m);
    v3_store(row, v3_scale(sign, f));
    v3_store(row + 3, v3_scale(sign, m3_tmulv(R, v3_add(m, v3_cross(r, f)))));
}

/* Velocity of the point at arm r from the centre of mass. */
static inline tn_vec3 tn_point_velocity(tn_twist body, tn_vec3 r)
{
    return v3_add(body.v, v3_cross(body.w, r));
}

/* Twist of C against D at G's origin in G axes, from world velocities at the centres of mass. */
static inline void tn_joint_relative_twist(const tn_joint_kinematics *kin, tn_twist A, tn_twist B,
                                           double twist[6])
{
    const tn_vec3 v = v3_sub(tn_point_velocity(A, kin->r_A), tn_point_velocity(B, kin->r_B));
    v3_store(twist, m3_tmulv(&kin->R_GW, v));
    v3_store(twist + 3, m3_tmulv(&kin->R_GW, v3_sub(A.w, B.w)));
}

/* Speed of row k: W_k . twist, twist in G. */
static inline double tn_joint_row_speed(const tn_joint_geometry *geometry,
                                        const tn_joint_kinematics *kin, int32_t k,
                                        const double twist[6])
{
    const int8_t *axes = tn_joint_axes(geometry, kin);
    if (axes)
        return twist[axes[k]];
    double speed = 0.0;
    for (int i = 0; i < 6; i++)
        speed += kin->moving->W[k][i] * twist[i];
    return speed;
}

/* Speeds of the motions: W_i . twist over the motion rows, [dof]. */
void tn_joint_motion_speeds(const tn_joint_geometry *geometry, const tn_joint_kinematics *kin,
                            const double twist[6], double *speeds);

/* gamma_k = (dG/dt) u of every row at constant body velocities u, [row_count], where A and B are
 * the world twists at the centres of mass. */
void tn_joint_row_accelerations(const tn_joint_geometry *geometry, const tn_joint_kinematics *kin,
                                const tn_xform *T_A, const tn_xform *T_B, tn_twist A, tn_twist B,
                                double *gamma);
/* The same of the bilateral rows of a joint that is not off, and whose bilateral rows do not move in G. */
void tn_joint_still_row_accelerations(const tn_joint_geometry *geometry,
                                      const tn_joint_kinematics *kin, const tn_xform *T_A,
                                      const tn_xform *T_B, tn_twist A, tn_twist B, double *gamma);

#endif
