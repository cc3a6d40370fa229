/* joint_off.c: room joint: the rows of a joint off its constraints, where soft joints are.
 *
 * In: kinematics of a joint with an error (p, e) of C against G. Out: its rows as they are there:
 * the exact rates of the coordinates, theta' = D twist, and of the errors, phi' = J twist; and their
 * derivatives.
 *
 * The rows W of a type are exact where G is C. Off there the nearest legal pose keeps
 *     W_i(theta) . (p, e) = 0    for all motions i,
 * and what C moves against G, twist - T theta', changes the error by
 *     p' = v + w x p,    e' = dexp^-1(-e) w,    (p, e)' = B (v, w).
 * So with B^T W = [ f ; p x f + dexp^-1(e) m ] for W = (f, m), and for all rows k
 *     A_kj = W_k B T_j - dW_k/dtheta_j . (p, e),
 *     motions:      D = A^-1 W B,
 *     constraints:  phi_k = W_k . (p, e),    J_k = W_k B - A_kj D_j.
 * What is held at a value has to stand still at it: with W instead of D it would have a speed while
 * its velocity is zero, as large as the error times the joint's, and the answer would depend on the
 * steps. What yields pushes along J, the derivative of its energy phi^2 / 2C, and so makes none.
 *
 * Their derivatives want second ones of W, which types do not have: central differences along the
 * motion, right to 1e-12 of themselves.
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "joint/joint_rows.h"

/* Rounding and the term left out of a central difference of fourth order are 1e-12 at this share of a
 * radian; also where rows turn ten times as fast as bodies, those of short distances. */
#define TN_PROBE 1e-4
/* A D that has lost as many digits to a bad A is no better than W. */
#define TN_LEAST_PIVOT 1e-2

/* W B */
static void on_error(const double W[6], const double error[6], double row[6])
{
    const tn_vec3 f = v3_load(W), p = v3_load(error), e = v3_load(error + 3);
    v3_store(row, f);
    v3_store(row + 3, v3_add(v3_cross(p, f), tn_m3_rate_of_turn(e, v3_load(W + 3))));
}

static double dot6(const double a[6], const double b[6])
{
    double sum = 0.0;
    for (int i = 0; i < 6; i++)
        sum += a[i] * b[i];
    return sum;
}

/* D = A^-1 D, with the rows of A in the order of the motions: near the identity, and so without
 * exchanges. Returns false if A is too far from it. */
static bool divide(int32_t n, double A[TN_MAX_ROWS][TN_MAX_ROWS], double D[TN_MAX_ROWS][6])
{
    for (int32_t i = 0; i < n; i++) {
        if (!(fabs(A[i][i]) >= TN_LEAST_PIVOT))
            return false;
        for (int32_t j = 0; j < n; j++) {
            const double factor = j == i ? 0.0 : A[j][i] / A[i][i];
            for (int32_t k = i; k < n; k++)
                A[j][k] -= factor * A[i][k];
            for (int32_t k = 0; k < 6; k++)
                D[j][k] -= factor * D[i][k];
        }
    }
    for (int32_t i = 0; i < n; i++) {
        for (int32_t k = 0; k < 6; k++)
            D[i][k] /= A[i][i];
    }
    return true;
}

/* Where the joint is: W B, and A of all rows. */
typedef struct tn_off_rows {
    double WB[TN_MAX_ROWS][6], A[TN_MAX_ROWS][TN_MAX_ROWS], D[TN_MAX_ROWS][6];
} tn_off_rows;

static void fill_rows(const tn_joint_geometry *geometry, const tn_joint_kinematics *kin,
                      tn_off_rows *rows)
{
    const tn_joint_class *cls = geometry->cls;
    double W[TN_MAX_ROWS][6] = {{0.0}}, T[TN_MAX_ROWS][6] = {{0.0}};
    tn_joint_wrenches(cls, &geometry->setup, &kin->T_GD, kin->moving->q, W);
    tn_joint_twists(cls, &geometry->setup, &kin->T_GD, kin->moving->q, T);
    for (int32_t k = 0; k < cls->info.row_count; k++)
        on_error(W[k], kin->error, rows->WB[k]);
    for (int32_t j = 0; j < cls->info.dof; j++) {
        double dW[TN_MAX_ROWS][6] = {{0.0}};
        if (cls->wrench_rates)
            cls->wrench_rates(&geometry->setup, &kin->T_GD, kin->moving->q, T[j], dW);
        for (int32_t k = 0; k < cls->info.row_count; k++)
            rows->A[k][j] = dot6(rows->WB[k], T[j]) - dot6(dW[k], kin->error);
    }
}

/* D from what the rows of the motions keep. */
static bool rates_by_rows(const tn_joint_type_info *info, tn_off_rows *rows)
{
    double A[TN_MAX_ROWS][TN_MAX_ROWS];
    const size_t bytes = (size_t)info->dof * sizeof A[0];
    memcpy(A, rows->A + info->bilateral_count, bytes);
    memcpy(rows->D, rows->WB + info->bilateral_count, (size_t)info->dof * sizeof rows->D[0]);
    return divide(info->dof, A, rows->D);
}

/* D by the formula of the type. */
static bool rates_by_type(const tn_joint_geometry *geometry, const tn_joint_kinematics *kin,
                          double D[TN_MAX_ROWS][6])
{
    const tn_xform T_CG = {q_to_m3(q_exp(v3_load(kin->error + 3))), v3_load(kin->error)};
    const tn_xform T_CD = xf_mul(&kin->T_GD, &T_CG);
    return geometry->cls->rates(&geometry->setup, &T_CD, kin->moving->q, D) != 0;
}

void tn_joint_kinematics_off(const tn_joint_geometry *geometry, tn_joint_kinematics *kin)
{
    const tn_joint_type_info *info = &geometry->cls->info;
    tn_off_rows rows;
    if (!kin->unique || geometry->cls->errors)
        return;
    fill_rows(geometry, kin, &rows);
    if (!(geometry->cls->rates ? rates_by_type(geometry, kin, rows.D) : rates_by_rows(info, &rows)))
        return;
    for (int32_t k = 0; k < info->row_count; k++) {
        const int32_t motion = k - info->bilateral_count;
        memcpy(kin->moving->W[k], motion < 0 ? rows.WB[k] : rows.D[motion],
               sizeof kin->moving->W[k]);
        for (int32_t j = 0; motion < 0 && j < info->dof; j++) {
            for (int i = 0; i < 6; i++)
                kin->moving->W[k][i] -= rows.A[k][j] * rows.D[j][i];
        }
    }
    kin->off = 1;
}

double tn_joint_row_error_off(const tn_joint_geometry *geometry, const tn_joint_kinematics *kin,
                              int32_t k)
{
    double W[TN_MAX_ROWS][6] = {{0.0}};
    if (geometry->cls->errors)
        return kin->moving->phi[k];
    tn_joint_wrenches(geometry->cls, &geometry->setup, &kin->T_GD, kin->moving->q, W);
    return dot6(W[k], kin->error);
}

/* After a time at constant velocities. */
static tn_xform moved(const tn_xform *T, tn_twist twist, double time)
{
    const tn_mat3 turn = q_to_m3(q_exp(v3_scale(time, twist.w)));
    return (tn_xform){m3_mul(&turn, &T->R), v3_axpy(T->p, time, twist.v)};
}

/* How fast the joint turns, 1/s: its bodies, and what moves in it about their arms. */
static double pace(const tn_joint_kinematics *kin, tn_twist A, tn_twist B)
{
    double twist[6];
    tn_joint_relative_twist(kin, A, B, twist);
    const double arm = v3_norm(kin->r_A) + v3_norm(kin->r_B) + v3_norm(v3_load(kin->error));
    const double along = v3_norm(v3_load(twist));
    return v3_norm(A.w) + v3_norm(B.w) + (along > 0.0 && arm > 0.0 ? along / arm : 0.0);
}

/* Of all rows, after a time. */
static void speeds_after(const tn_joint_geometry *geometry, const double *reference,
                         const tn_xform *T_A, const tn_xform *T_B, tn_twist A, tn_twist B,
                         double time, double *speeds)
{
    const tn_xform at_A = moved(T_A, A, time), at_B = moved(T_B, B, time);
    tn_joint_moving moving;
    tn_joint_kinematics there = {.moving = &moving};
    double twist[6];
    tn_joint_kinematics_update(geometry, &at_A, &at_B, reference, &there);
    tn_joint_kinematics_off(geometry, &there);
    tn_joint_relative_twist(&there, A, B, twist);
    for (int32_t k = 0; k < geometry->cls->info.row_count; k++)
        speeds[k] = tn_joint_row_speed(geometry, &there, k, twist);
}

void tn_joint_accelerations_off(const tn_joint_geometry *geometry, const tn_joint_kinematics *kin,
                                const tn_xform *T_A, const tn_xform *T_B, tn_twist A, tn_twist B,
                                double *gamma)
{
    static const double at[] = {-2.0, -1.0, 1.0, 2.0};
    static const double weight[] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0};
    const double rate = pace(kin, A, B), time = rate > 0.0 ? TN_PROBE / rate : 0.0;
    double reference[TN_MAX_COORDINATES] = {0.0}, speeds[TN_MAX_ROWS] = {0.0};
    for (int i = 0; i < TN_MAX_COORDINATES && !geometry->cls->axes; i++)
        reference[i] = kin->moving->q[i];
    for (int32_t k = 0; k < geometry->cls->info.row_count; k++)
        gamma[k] = 0.0;
    for (int i = 0; i < 4 && time > 0.0; i++) {
        speeds_after(geometry, reference, T_A, T_B, A, B, at[i] * time, speeds);
        for (int32_t k = 0; k < geometry->cls->info.row_count; k++)
            gamma[k] += weight[i] * speeds[k] / time;
    }
}
