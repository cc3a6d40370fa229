/* joint_rows.c: room joint: frame G, errors, relative motion and row derivatives of one joint. */
#include "joint/joint_rows.h"

#include <stdbool.h>
#include <string.h>

#include "base/base.h"
#include "joint/rotation_about_z.h"

tn_joint_kinematics *tn_joint_kinematics_create(int64_t count)
{
    const size_t each = sizeof(tn_joint_kinematics) + sizeof(tn_joint_moving);
    unsigned char *block = TN_NEW_ARRAY(unsigned char, count *(int64_t)each);
    tn_joint_kinematics *kin = (tn_joint_kinematics *)(void *)block;
    if (!block)
        return NULL;
    tn_joint_moving *moving = (tn_joint_moving *)(void *)(kin + count);
    for (int64_t j = 0; j < count; j++)
        kin[j].moving = &moving[j];
    return kin;
}

void tn_joint_kinematics_copy(tn_joint_kinematics *to, const tn_joint_kinematics *from)
{
    tn_joint_moving *moving = to->moving;
    *to = *from;
    to->moving = moving;
    *moving = *from->moving;
}

/* Which rows are zero. */
static int16_t vanished_rows(const tn_joint_class *cls, double W[TN_MAX_ROWS][6])
{
    unsigned rows = 0;
    for (int32_t k = 0; k < cls->info.row_count; k++) {
        int zero = 1;
        for (int i = 0; i < 6; i++)
            zero = zero && W[k][i] == 0.0;
        rows |= (unsigned)zero << k;
    }
    return (int16_t)rows;
}

/* The same with a quarter of the products and memory, for joints in the plane: rows are axes of G.
 */
static void update_flat(const tn_joint_geometry *geometry, const tn_xform *T_A, const tn_xform *T_B,
                        const double *reference, tn_joint_kinematics *kin)
{
    const tn_xform_z T_CW = xz_mul(xz_load(T_A), xz_load(&geometry->T_CA));
    const tn_xform_z T_DW = xz_mul(xz_load(T_B), xz_load(&geometry->T_DB));
    const tn_xform_z T_CD = xz_inv_mul(T_DW, T_CW);
    const tn_xform full = xz_xform(T_CD);
    kin->unique =
        (int8_t)tn_joint_project(geometry->cls, &geometry->setup, &full, reference, &kin->T_GD);
    const tn_xform_z T_GD = xz_load(&kin->T_GD);
    const tn_xform_z T_CG = xz_inv_mul(T_GD, T_CD);
    v3_store(kin->error, T_CG.p);
    v3_store(kin->error + 3, v3(0.0, 0.0, xz_angle(T_CG)));

    const tn_xform_z T_GW = xz_mul(T_DW, T_GD);
    kin->R_GW = m3_rot_z(T_GW.c, T_GW.s);
    kin->r_A = v3_sub(T_GW.p, T_A->p);
    kin->r_B = v3_sub(T_GW.p, T_B->p);
    kin->off = 0;
    kin->vanished = 0;
}

/* The same of a hinge in space, whose G has D's origin and z axis: with its x axis nearest to C's,
 * tan(theta) = (y_D . x_C - x_D . y_C) / (x_D . x_C + y_D . y_C) (rotation_about_z.h), and the error
 * of the angle is along z_D x z_C. */
static void update_hinge(const tn_joint_geometry *geometry, const tn_xform *T_A,
                         const tn_xform *T_B, tn_joint_kinematics *kin)
{
    const tn_xform T_CW = xf_mul(T_A, &geometry->T_CA);
    const tn_xform T_DW = xf_mul(T_B, &geometry->T_DB);
    const tn_vec3 x_C = m3_column(&T_CW.R, 0), y_C = m3_column(&T_CW.R, 1);
    const tn_vec3 x_D = m3_column(&T_DW.R, 0), y_D = m3_column(&T_DW.R, 1);
    const tn_mat3 R = {{{v3_dot(x_D, x_C), v3_dot(x_D, y_C), 0.0},
                        {v3_dot(y_D, x_C), v3_dot(y_D, y_C), 0.0},
                        {0.0, 0.0, 0.0}}};
    kin->unique = (int8_t)tn_nearest_rotation_about_z(&R, &kin->T_GD.R);
    kin->T_GD.p = v3(0.0, 0.0, 0.0);
    const double c = kin->T_GD.R.m[0][0], s = kin->T_GD.R.m[1][0];
    const tn_vec3 x = v3_axpy(v3_scale(c, x_D), s, y_D), y = v3_axpy(v3_scale(c, y_D), -s, x_D);
    const tn_vec3 z = m3_column(&T_DW.R, 2);
    kin->R_GW = (tn_mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    kin->r_A = v3_sub(T_DW.p, T_A->p);
    kin->r_B = v3_sub(T_DW.p, T_B->p);
    kin->off = 0;
    kin->vanished = 0;
    v3_store(kin->error, m3_tmulv(&kin->R_GW, v3_sub(T_CW.p, T_DW.p)));
    if (kin->unique) {
        const tn_vec3 tilt = tn_tilt(z, m3_column(&T_CW.R, 2));
        v3_store(kin->error + 3, v3(v3_dot(x, tilt), v3_dot(y, tilt), 0.0));
    } else {
        const tn_mat3 R_CG = m3_tmul(&kin->R_GW, &T_CW.R);
        v3_store(kin->error + 3, m3_log(&R_CG));
    }
}

/* The same of what turns about a point: it is off by a distance alone. */
static void update_ball(const tn_joint_geometry *geometry, const tn_xform *T_A, const tn_xform *T_B,
                        tn_joint_kinematics *kin)
{
    const tn_xform T_CW = xf_mul(T_A, &geometry->T_CA);
    const tn_xform T_DW = xf_mul(T_B, &geometry->T_DB);
    kin->T_GD = (tn_xform){m3_tmul(&T_DW.R, &T_CW.R), {0.0, 0.0, 0.0}};
    kin->unique = 1;
    kin->R_GW = T_CW.R;
    kin->r_A = v3_sub(T_DW.p, T_A->p);
    kin->r_B = v3_sub(T_DW.p, T_B->p);
    kin->off = 0;
    kin->vanished = 0;
    v3_store(kin->error, m3_tmulv(&T_CW.R, v3_sub(T_CW.p, T_DW.p)));
    v3_store(kin->error + 3, v3(0.0, 0.0, 0.0));
}

/* Where G is, of its pose in D, and how far C is from it. */
static void place(const tn_xform *T_A, const tn_xform *T_B, const tn_xform *T_DW,
                  const tn_xform *T_CD, tn_joint_kinematics *kin)
{
    const tn_xform T_GW = xf_mul(T_DW, &kin->T_GD);
    tn_joint_error(&kin->T_GD, T_CD, kin->error);
    kin->R_GW = T_GW.R;
    kin->r_A = v3_sub(T_GW.p, T_A->p);
    kin->r_B = v3_sub(T_GW.p, T_B->p);
    kin->off = 0;
}

/* Rows that move in G, of the coordinates there are. */
static void find_rows(const tn_joint_geometry *geometry, tn_joint_kinematics *kin)
{
    const tn_joint_class *cls = geometry->cls;
    cls->wrenches(&geometry->setup, &kin->T_GD, kin->moving->q, kin->moving->W);
    kin->vanished = 0;
    if (cls->rows_may_vanish)
        kin->vanished = vanished_rows(cls, kin->moving->W);
}

/* Coordinates and rows of a type whose rows move in G. */
static void update_moving(const tn_joint_geometry *geometry, const double *reference,
                          tn_joint_kinematics *kin)
{
    geometry->cls->pose_to_coordinates(&geometry->setup, &kin->T_GD, reference, kin->moving->q);
    find_rows(geometry, kin);
}

/* Errors and rows of a type that has its own: its rows are about C's origin, in C, and come to G's. */
static void update_errors(const tn_joint_geometry *geometry, const tn_xform *T_CD,
                          tn_joint_kinematics *kin)
{
    double J[TN_MAX_ROWS][6];
    geometry->cls->errors->rows(&geometry->setup, T_CD, kin->moving->phi, J);
    const tn_xform T_CG = xf_inv_mul(&kin->T_GD, T_CD);
    for (int32_t k = 0; k < geometry->cls->info.bilateral_count; k++) {
        const tn_vec3 f = m3_mulv(&T_CG.R, v3_load(J[k]));
        const tn_vec3 m = m3_mulv(&T_CG.R, v3_load(J[k] + 3));
        v3_store(kin->moving->W[k], f);
        v3_store(kin->moving->W[k] + 3, v3_add(m, v3_cross(T_CG.p, f)));
    }
    kin->vanished = 0;
    kin->off = 1;
}

void tn_joint_kinematics_update(const tn_joint_geometry *geometry, const tn_xform *T_A,
                                const tn_xform *T_B, const double *reference,
                                tn_joint_kinematics *kin)
{
    if (geometry->flat) {
        if (geometry->pin) {
            tn_joint_update_pin(geometry, T_A, T_B, kin);
        } else {
            update_flat(geometry, T_A, T_B, reference, kin);
        }
        return;
    }
    if (geometry->hinge) {
        update_hinge(geometry, T_A, T_B, kin);
        return;
    }
    const tn_joint_class *cls = geometry->cls;
    if (geometry->ball) {
        update_ball(geometry, T_A, T_B, kin);
        if (!cls->axes)
            update_moving(geometry, reference, kin);
        return;
    }
    const tn_xform T_CW = xf_mul(T_A, &geometry->T_CA);
    const tn_xform T_DW = xf_mul(T_B, &geometry->T_DB);
    const tn_xform T_CD = xf_inv_mul(&T_DW, &T_CW);
    kin->unique = (int8_t)tn_joint_project(cls, &geometry->setup, &T_CD, reference, &kin->T_GD);
    place(T_A, T_B, &T_DW, &T_CD, kin);
    if (cls->errors)
        update_errors(geometry, &T_CD, kin);
    else if (!cls->axes)
        update_moving(geometry, reference, kin);
}

void tn_joint_kinematics_at(const tn_joint_geometry *geometry, const tn_xform *T_A,
                            const tn_xform *T_B, const double *q, const tn_xform *T_GD,
                            tn_joint_kinematics *kin)
{
    const tn_joint_class *cls = geometry->cls;
    const tn_xform T_CW = xf_mul(T_A, &geometry->T_CA);
    const tn_xform T_DW = xf_mul(T_B, &geometry->T_DB);
    const tn_xform T_CD = xf_inv_mul(&T_DW, &T_CW);
    kin->T_GD = *T_GD;
    kin->unique = 1;
    place(T_A, T_B, &T_DW, &T_CD, kin);
    if (cls->axes)
        return;
    memcpy(kin->moving->q, q, sizeof *q * (size_t)cls->info.coordinate_count);
    find_rows(geometry, kin);
}

void tn_joint_coordinates(const tn_joint_geometry *geometry, const tn_xform *T_GD,
                          const tn_joint_stops *stops, const double *reference, double *q)
{
    const tn_joint_class *cls = geometry->cls;
    double stopped[TN_MAX_COORDINATES], error[TN_MAX_COORDINATES] = {0.0};
    if (!cls->stop_at_pole ||
        !cls->stop_at_pole(&geometry->setup, T_GD, stops, reference, stopped, error)) {
        cls->pose_to_coordinates(&geometry->setup, T_GD, reference, q);
        return;
    }
    for (int32_t i = 0; i < cls->info.coordinate_count; i++)
        q[i] = stopped[i] + error[i];
}

/* What is held near a pole is compared with values that have their turns: one number each there. */
static unsigned turns_apart(const tn_joint_class *cls, const tn_joint_stops *stops)
{
    return cls->stop_at_pole && stops->held ? 0u : cls->whole_turns;
}

void tn_joint_turned(const tn_joint_geometry *geometry, const tn_xform *T_GD,
                     const tn_joint_stops *stops, const double *reference, tn_dd *q)
{
    const int32_t count = geometry->cls->info.coordinate_count;
    const unsigned apart = turns_apart(geometry->cls, stops);
    double turns[TN_MAX_COORDINATES] = {0.0}, near[TN_MAX_COORDINATES] = {0.0};
    double angle[TN_MAX_COORDINATES] = {0.0};
    for (int32_t i = 0; i < count; i++) {
        turns[i] = apart >> i & 1u ? tn_whole_turns(reference[i]) : 0.0;
        near[i] = reference[i] - turns[i] * (2.0 * TN_PI);
    }
    tn_joint_coordinates(geometry, T_GD, stops, near, angle);
    for (int32_t i = 0; i < count; i++)
        q[i] = tn_turned(turns[i], angle[i]);
}

void tn_joint_kinematics_stop(const tn_joint_geometry *geometry, const tn_joint_stops *stops,
                              const double *reference, tn_joint_kinematics *kin)
{
    const tn_joint_class *cls = geometry->cls;
    double error[TN_MAX_COORDINATES] = {0.0};
    if (cls->stop_at_pole &&
        cls->stop_at_pole(&geometry->setup, &kin->T_GD, stops, reference, kin->moving->q, error)) {
        cls->wrenches(&geometry->setup, &kin->T_GD, kin->moving->q, kin->moving->W);
        kin->off = 0;
    }
}

void tn_joint_motion_speeds(const tn_joint_geometry *geometry, const tn_joint_kinematics *kin,
                            const double twist[6], double *speeds)
{
    const tn_joint_type_info *info = &geometry->cls->info;
    for (int32_t i = 0; i < info->dof; i++)
        speeds[i] = tn_joint_row_speed(geometry, kin, info->bilateral_count + i, twist);
}

/* A row's speed is s = f_w . y + m_w . (w_A - w_B), y = v_A(x) - v_B(x). With the row carried by A
 * (f_w' = w_A x f_w, m_w' = w_A x m_w, its point x = p_C fixed in A) and constant body twists,
 *     ds/dt = W . a + W' . twist,
 *     a = R_C^T [ w_A x (v_C - v_A) - w_B x (v_C - v_B) - w_A x y ; w_A x w_B ],
 * where W' is the change of W in G. On the constraint G is C, and this is the exact derivative. */
typedef struct tn_carried {
    double a[6], twist[6]; /* in C; twist of C against D, at C's origin */
} tn_carried;

static inline tn_carried carried_by_a(const tn_joint_geometry *geometry, const tn_xform *T_A,
                                      const tn_xform *T_B, tn_twist A, tn_twist B)
{
    tn_carried c;
    const tn_xform T_CW = xf_mul(T_A, &geometry->T_CA);
    const tn_vec3 v_C = tn_point_velocity(A, v3_sub(T_CW.p, T_A->p));
    const tn_vec3 y = v3_sub(v_C, tn_point_velocity(B, v3_sub(T_CW.p, T_B->p)));
    const tn_vec3 a_w = v3_sub(
        v3_sub(v3_cross(A.w, v3_sub(v_C, A.v)), v3_cross(B.w, v3_sub(v_C, B.v))), v3_cross(A.w, y));
    v3_store(c.a, m3_tmulv(&T_CW.R, a_w));
    v3_store(c.a + 3, m3_tmulv(&T_CW.R, v3_cross(A.w, B.w)));
    v3_store(c.twist, m3_tmulv(&T_CW.R, y));
    v3_store(c.twist + 3, m3_tmulv(&T_CW.R, v3_sub(A.w, B.w)));
    return c;
}

static inline void accelerations(const tn_joint_geometry *geometry, const tn_joint_kinematics *kin,
                                 const tn_xform *T_A, const tn_xform *T_B, tn_twist A, tn_twist B,
                                 int32_t rows, bool rows_move, double *gamma)
{
    const tn_joint_class *cls = geometry->cls;
    const tn_carried c = carried_by_a(geometry, T_A, T_B, A, B);
    const double *a = c.a, *twist = c.twist;
    double dW[TN_MAX_ROWS][6] = {{0.0}};
    if (rows_move)
        cls->wrench_rates(&geometry->setup, &kin->T_GD, kin->moving->q, twist, dW);

    for (int32_t k = 0; k < rows; k++) {
        if (cls->axes) {
            gamma[k] = a[cls->axes[k]];
            continue;
        }
        gamma[k] = 0.0;
        for (int i = 0; i < 6; i++)
            gamma[k] += kin->moving->W[k][i] * a[i];
        for (int i = 0; i < 6 && rows_move; i++)
            gamma[k] += dW[k][i] * twist[i];
    }
}

/* The same of a type with errors of its own, whose rows J about C's origin are exact anywhere:
 * gamma = J a + J' twist. */
static void accelerations_of_errors(const tn_joint_geometry *geometry,
                                    const tn_joint_kinematics *kin, const tn_xform *T_A,
                                    const tn_xform *T_B, tn_twist A, tn_twist B, double *gamma)
{
    const tn_joint_class *cls = geometry->cls;
    const tn_carried c = carried_by_a(geometry, T_A, T_B, A, B);
    double twist[6], at_g[6], rates[TN_MAX_ROWS], dJ[TN_MAX_ROWS][6];
    const tn_xform T_CG = {q_to_m3(q_exp(v3_load(kin->error + 3))), v3_load(kin->error)};
    v3_store(at_g + 3, m3_mulv(&T_CG.R, v3_load(c.a + 3)));
    v3_store(at_g, v3_sub(m3_mulv(&T_CG.R, v3_load(c.a)), v3_cross(v3_load(at_g + 3), T_CG.p)));
    tn_joint_relative_twist(kin, A, B, twist);
    for (int32_t k = 0; k < cls->info.bilateral_count; k++)
        rates[k] = tn_joint_row_speed(geometry, kin, k, twist);
    cls->errors->rates(&geometry->setup, kin->moving->phi, rates, dJ);
    for (int32_t k = 0; k < cls->info.bilateral_count; k++) {
        gamma[k] = tn_joint_row_speed(geometry, kin, k, at_g);
        for (int i = 0; i < 6; i++)
            gamma[k] += dJ[k][i] * c.twist[i];
    }
}

void tn_joint_row_accelerations(const tn_joint_geometry *geometry, const tn_joint_kinematics *kin,
                                const tn_xform *T_A, const tn_xform *T_B, tn_twist A, tn_twist B,
                                double *gamma)
{
    const tn_joint_class *cls = geometry->cls;
    if (cls->errors)
        accelerations_of_errors(geometry, kin, T_A, T_B, A, B, gamma);
    else if (kin->off)
        tn_joint_accelerations_off(geometry, kin, T_A, T_B, A, B, gamma);
    else
        accelerations(geometry, kin, T_A, T_B, A, B, cls->info.row_count, cls->wrench_rates != NULL,
                      gamma);
}

void tn_joint_still_row_accelerations(const tn_joint_geometry *geometry,
                                      const tn_joint_kinematics *kin, const tn_xform *T_A,
                                      const tn_xform *T_B, tn_twist A, tn_twist B, double *gamma)
{
    accelerations(geometry, kin, T_A, T_B, A, B, geometry->cls->info.bilateral_count, false, gamma);
}
