/* motion_mass.c: room model: the inertia that the bodies of a joint oppose to one of its
 * coordinates.
 *
 * In: an element and where everything is. Out: of a joint, 1 / A_ii' with
 *     A = G M^-1 G^T over the joint's bilateral rows b and the motion row i,
 *     A_ii' = A_ii - A_ib A_bb^-1 A_bi,
 * which is the acceleration along i that a unit force along it makes when the joint holds and
 * nothing else does. Of a pendulum it is the inverse of its moment of inertia about the hinge. To the inertia comes the
 * coordinate's armature.
 * Of a coupling c = sum f_k(q_k), whose coordinates' masses are m_k, 1 / sum (f_k'^2 / m_k): exact
 * where no body is part of two of its joints.
 */
#include <math.h>

#include "model/model.h"

/* A bilateral row whose pivot is below this share of its scale follows from those before it. */
#define TN_DEPENDENT_ROW 1e-10

/* Rows of one body of the joint as covectors; A += their products r_i M^-1 r_j. */
static void add_body(const tn_model *model, const tn_model_joint *joint,
                     const tn_joint_kinematics *kin, const tn_mat3 *R, int side,
                     const int32_t *rows, int32_t count, double A[TN_MAX_ROWS][TN_MAX_ROWS])
{
    const tn_model_body *body = &model->bodies[side ? joint->b : joint->a];
    double r[TN_MAX_ROWS][6], own[TN_MAX_ROWS], felt = 0.0;
    for (int32_t i = 0; i < count; i++) {
        tn_joint_row_covector(&joint->geometry, kin, rows[i], R, side ? kin->r_B : kin->r_A,
                              side ? -1.0 : 1.0, r[i]);
        own[i] = tn_model_inverse_mass(body, r[i], &felt);
        A[i][i] += own[i];
    }
    for (int32_t i = 0; i < count; i++) {
        for (int32_t j = 0; j < i; j++) { /* polarisation of the quadratic form */
            double sum[6];
            for (int c = 0; c < 6; c++)
                sum[c] = r[i][c] + r[j][c];
            const double both = 0.5 * (tn_model_inverse_mass(body, sum, &felt) - own[i] - own[j]);
            A[i][j] += both;
            A[j][i] += both;
        }
    }
}

/* Takes rows 0 .. count - 2 out of A; what is left of the last diagonal. */
static double eliminate(double A[TN_MAX_ROWS][TN_MAX_ROWS], int32_t count)
{
    double scale[TN_MAX_ROWS];
    for (int32_t k = 0; k < count; k++)
        scale[k] = A[k][k];
    for (int32_t k = 0; k + 1 < count; k++) {
        if (!(A[k][k] > TN_DEPENDENT_ROW * scale[k]))
            continue;
        for (int32_t i = k + 1; i < count; i++) {
            for (int32_t j = k + 1; j < count; j++)
                A[i][j] -= A[i][k] * A[k][j] / A[k][k];
        }
    }
    return A[count - 1][count - 1];
}

static tn_xform placed(const tn_model *model, const tn_xform *T, int32_t body)
{
    return T && body >= 0 ? T[body] : tn_model_initial_xform(model, body);
}

static const double *coordinates_of(const tn_model *model, const double *q, int32_t j)
{
    return q ? q + (size_t)j * TN_MAX_COORDINATES : model->joints[j].q0;
}

static double joint_mass(const tn_model *model, int32_t j, int32_t coordinate, const tn_xform *T,
                         const double *q)
{
    const tn_model_joint *joint = &model->joints[j];
    const tn_xform T_A = placed(model, T, joint->a), T_B = placed(model, T, joint->b);
    double A[TN_MAX_ROWS][TN_MAX_ROWS] = {{0.0}};
    int32_t rows[TN_MAX_ROWS], count = 0;
    tn_joint_moving moving;
    tn_joint_kinematics kin = {.moving = &moving};
    tn_joint_kinematics_update(&joint->geometry, &T_A, &T_B, coordinates_of(model, q, j), &kin);
    for (int32_t n = 0; n < joint->kept_bilateral; n++)
        rows[count++] = joint->kept[n];
    rows[count++] = joint->geometry.cls->info.bilateral_count + coordinate;
    add_body(model, joint, &kin, &T_A.R, 0, rows, count, A);
    if (joint->b >= 0)
        add_body(model, joint, &kin, &T_B.R, 1, rows, count, A);
    return 1.0 / eliminate(A, count) + joint->armature[coordinate];
}

double tn_model_motion_mass(const tn_model *model, int32_t element, int32_t coordinate,
                            const tn_xform *T, const double *q)
{
    const int32_t k = tn_model_as_coupling(model, element);
    double inverse = 0.0;
    if (k < 0)
        return joint_mass(model, element, coordinate, T, q);
    for (int32_t t = model->term_start[k]; t < model->term_start[k + 1]; t++) {
        const tn_model_term *term = &model->terms[t];
        double f[3];
        tn_model_term_evaluate(term, coordinates_of(model, q, term->joint)[term->coordinate], f);
        inverse += f[1] * f[1] / joint_mass(model, term->joint, term->coordinate, T, q);
    }
    return 1.0 / inverse;
}
