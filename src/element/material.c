/* material.c: room element: elastic materials (material.h). A law gives the second Piola-Kirchhoff stress S and, for
 * a change dC of C, its change; what is common to all is done once:
 *     P = F S,   dP/dF_kL = (e_k e_L^T) S + F (dS/dC : (e_L F_k^T + F_k e_L^T))
 * The corotated law goes by the polar decomposition F = R U instead, with t = tr (U - 1):
 *     P = 2 mu (F - R) + lambda t R
 *     dP = 2 mu dF + lambda (R:dF) R + (lambda t - 2 mu) dR,   dR = R [w],   (tr U 1 - U) w = axial(R^T dF)
 * (axial(M)_n = sum -e_nij M_ij).
 */
#include "element/material.h"

#include <math.h>
#include <string.h>

#include "math/dense/eig3.h"
#include "math/m3.h"
#include "real/real.h"

typedef double mat[9]; /* 3 x 3, row-major */

static const mat one = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};

tn_elastic tn_elastic_of(const tn_solid_material *material)
{
    const double E = material->young, nu = material->poisson;
    return (tn_elastic){.law = material->law,
                        .lambda = E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)),
                        .mu = 0.5 * E / (1.0 + nu),
                        .share = material->share,
                        .viscous = material->damping,
                        .density = material->density};
}

static double trace(const mat a)
{
    return a[0] + a[4] + a[8];
}

static double product(const mat a, const mat b)
{
    double sum = 0.0;
    for (int k = 0; k < 9; k++)
        sum += a[k] * b[k];
    return sum;
}

static double det(const mat a)
{
    return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
           a[2] * (a[3] * a[7] - a[4] * a[6]);
}

/* out = A B, or A^T B. */
static void multiply(const mat a, const mat b, mat out)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
    }
}

static void multiply_transposed(const mat a, const mat b, mat out)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
    }
}

/* Of a symmetric matrix whose determinant is d. */
static void invert_symmetric(const mat c, double d, mat out)
{
    out[0] = (c[4] * c[8] - c[5] * c[7]) / d;
    out[4] = (c[0] * c[8] - c[2] * c[6]) / d;
    out[8] = (c[0] * c[4] - c[1] * c[3]) / d;
    out[1] = out[3] = (c[2] * c[7] - c[1] * c[8]) / d;
    out[2] = out[6] = (c[1] * c[5] - c[2] * c[4]) / d;
    out[5] = out[7] = (c[2] * c[3] - c[0] * c[5]) / d;
}

/* laws in C ------------------------------------------------------------------------------------- */

/* C and what laws need of it. */
typedef struct strain {
    mat C, inverse;
    double J, log_J;
    double power; /* J^-2/3, of mooney_rivlin */
} strain;

/* S, the energy, and for a direction D, symmetric, dS/dC : D. */
typedef struct law {
    double (*stress)(const tn_elastic *m, const strain *e, mat S);
    void (*change)(const tn_elastic *m, const strain *e, const mat S, const mat D, mat dS);
} law;

/* X D X of two symmetric matrices. */
static void sandwich(const mat X, const mat D, mat out)
{
    mat XD;
    multiply(X, D, XD);
    multiply(XD, X, out);
}

static double st_venant_stress(const tn_elastic *m, const strain *e, mat S)
{
    mat E;
    for (int k = 0; k < 9; k++)
        E[k] = 0.5 * (e->C[k] - one[k]);
    const double t = trace(E);
    for (int k = 0; k < 9; k++)
        S[k] = m->lambda * t * one[k] + 2.0 * m->mu * E[k];
    return m->mu * product(E, E) + 0.5 * m->lambda * t * t;
}

static void st_venant_change(const tn_elastic *m, const strain *e, const mat S, const mat D, mat dS)
{
    (void)e;
    (void)S;
    for (int k = 0; k < 9; k++)
        dS[k] = 0.5 * m->lambda * trace(D) * one[k] + m->mu * D[k];
}

static double neo_hookean_stress(const tn_elastic *m, const strain *e, mat S)
{
    const double L = e->log_J;
    for (int k = 0; k < 9; k++)
        S[k] = m->mu * (one[k] - e->inverse[k]) + m->lambda * L * e->inverse[k];
    return 0.5 * m->mu * (trace(e->C) - 3.0) - m->mu * L + 0.5 * m->lambda * L * L;
}

/* d(C^-1) = -C^-1 D C^-1, d(ln J) = C^-1 : D / 2. */
static void neo_hookean_change(const tn_elastic *m, const strain *e, const mat S, const mat D,
                               mat dS)
{
    mat X;
    (void)S;
    sandwich(e->inverse, D, X);
    const double along = 0.5 * m->lambda * product(e->inverse, D);
    for (int k = 0; k < 9; k++)
        dS[k] = (m->mu - m->lambda * e->log_J) * X[k] + along * e->inverse[k];
}

/* With I1 = tr C, I2 = (I1^2 - C:C)/2, p = J^-2/3 and X = C^-1:
 *     S = 2 c1 p (1 - I1/3 X) + 2 c2 p^2 (I1 1 - C - 2/3 I2 X) + K (J - 1) J X. */
static double mooney_rivlin_stress(const tn_elastic *m, const strain *e, mat S)
{
    const double c = 0.5 * m->mu, c2 = c * m->share, c1 = c - c2, K = m->lambda + m->mu / 1.5;
    const double p = e->power, I1 = trace(e->C), I2 = 0.5 * (I1 * I1 - product(e->C, e->C));
    const double pressure = K * (e->J - 1.0) * e->J;
    for (int k = 0; k < 9; k++) {
        S[k] = 2.0 * c1 * p * (one[k] - I1 / 3.0 * e->inverse[k]) +
               2.0 * c2 * p * p * (I1 * one[k] - e->C[k] - I2 / 1.5 * e->inverse[k]) +
               pressure * e->inverse[k];
    }
    return c1 * (p * I1 - 3.0) + c2 * (p * p * I2 - 3.0) + 0.5 * K * (e->J - 1.0) * (e->J - 1.0);
}

/* dp = -p/3 X:D, dI1 = tr D, dI2 = I1 tr D - C:D, dJ = J/2 X:D, dX = -X D X. */
static void mooney_rivlin_change(const tn_elastic *m, const strain *e, const mat S, const mat D,
                                 mat dS)
{
    const double c = 0.5 * m->mu, c2 = c * m->share, c1 = c - c2, K = m->lambda + m->mu / 1.5;
    const double p = e->power, I1 = trace(e->C), I2 = 0.5 * (I1 * I1 - product(e->C, e->C));
    const double along = product(e->inverse, D), dI1 = trace(D), dI2 = I1 * dI1 - product(e->C, D);
    const double dp = -p / 3.0 * along, dpp = 2.0 * p * dp, J = e->J;
    const double pressure = K * (J - 1.0) * J, change = 0.5 * K * (2.0 * J - 1.0) * J * along;
    mat X;
    (void)S;
    sandwich(e->inverse, D, X);
    for (int k = 0; k < 9; k++) {
        const double i = e->inverse[k];
        dS[k] = 2.0 * c1 * (dp * (one[k] - I1 / 3.0 * i) + p / 3.0 * (I1 * X[k] - dI1 * i)) +
                2.0 * c2 *
                    (dpp * (I1 * one[k] - e->C[k] - I2 / 1.5 * i) +
                     p * p * (dI1 * one[k] - D[k] + (I2 * X[k] - dI2 * i) / 1.5)) +
                change * i - pressure * X[k];
    }
}

static const law laws[TN_LAW_COUNT] = {
    [TN_LAW_ST_VENANT] = {st_venant_stress, st_venant_change},
    [TN_LAW_NEO_HOOKEAN] = {neo_hookean_stress, neo_hookean_change},
    [TN_LAW_MOONEY_RIVLIN] = {mooney_rivlin_stress, mooney_rivlin_change},
};

static strain strain_of(const mat F, double J)
{
    strain e = {.J = J, .log_J = tn_log(J)};
    multiply_transposed(F, F, e.C);
    invert_symmetric(e.C, J * J, e.inverse);
    e.power = tn_exp(-e.log_J / 1.5);
    return e;
}

/* D = e_L F_k^T + F_k e_L^T: what dF = e_k e_L^T does to C, F_k row k of F. */
static void direction(const mat F, int k, int L, mat D)
{
    memset(D, 0, sizeof(mat));
    for (int j = 0; j < 3; j++) {
        D[3 * L + j] += F[3 * k + j];
        D[3 * j + L] += F[3 * k + j];
    }
}

/* The column of dP/dF for dF = e_k e_L^T, with dS. */
static void put_column(const mat F, const mat S, const mat dS, int k, int L, double A[9][9])
{
    mat FdS;
    multiply(F, dS, FdS);
    for (int j = 0; j < 3; j++)
        FdS[3 * k + j] += S[3 * L + j];
    for (int r = 0; r < 9; r++)
        A[r][3 * k + L] = FdS[r];
}

static void by_strain(const tn_elastic *m, const mat F, double J, tn_response *out, double A[9][9])
{
    const strain e = strain_of(F, J);
    mat S;
    out->W = laws[m->law].stress(m, &e, S);
    multiply(F, S, out->P);
    for (int c = 0; A && c < 9; c++) {
        mat D, dS;
        direction(F, c / 3, c % 3, D);
        laws[m->law].change(m, &e, S, D, dS);
        put_column(F, S, dS, c / 3, c % 3, A);
    }
}

/* corotated ------------------------------------------------------------------------------------- */

/* F = R U by the eigenvectors of C. */
static void decompose(const mat F, mat R, mat U)
{
    mat C;
    tn_mat3 a, v;
    double square[3];
    multiply_transposed(F, F, C);
    memcpy(a.m, C, sizeof(mat));
    tn_eig3(&a, square, &v);
    mat inverse;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            U[3 * i + j] = inverse[3 * i + j] = 0.0;
            for (int k = 0; k < 3; k++) {
                const double length = sqrt(square[k]), vv = v.m[i][k] * v.m[j][k];
                U[3 * i + j] += length * vv;
                inverse[3 * i + j] += vv / length;
            }
        }
    }
    multiply(F, inverse, R);
}

/* R [e_n]: how R changes while it turns about n of its own axes. */
static void turned(const mat R, int n, mat out)
{
    static const double cross[3][9] = {
        {0, 0, 0, 0, 0, -1, 0, 1, 0}, {0, 0, 1, 0, 0, 0, -1, 0, 0}, {0, -1, 0, 1, 0, 0, 0, 0, 0}};
    multiply(R, cross[n], out);
}

static void corotated_slopes(const tn_elastic *m, const mat R, const mat U, double A[9][9])
{
    const double s = trace(U), factor = m->lambda * (s - 3.0) - 2.0 * m->mu;
    mat G, inverse, T[3];
    for (int k = 0; k < 9; k++)
        G[k] = s * one[k] - U[k];
    invert_symmetric(G, det(G), inverse);
    for (int n = 0; n < 3; n++)
        turned(R, n, T[n]);
    for (int r = 0; r < 9; r++) {
        for (int c = 0; c < 9; c++) {
            double turn = 0.0;
            for (int k = 0; k < 9; k++)
                turn += T[k / 3][r] * inverse[k] * T[k % 3][c];
            A[r][c] = (r == c ? 2.0 * m->mu : 0.0) + m->lambda * R[r] * R[c] + factor * turn;
        }
    }
}

static void corotated(const tn_elastic *m, const mat F, tn_response *out, double A[9][9])
{
    mat R, U;
    decompose(F, R, U);
    const double t = trace(U) - 3.0;
    double square = 0.0;
    for (int k = 0; k < 9; k++) {
        out->P[k] = 2.0 * m->mu * (F[k] - R[k]) + m->lambda * t * R[k];
        square += (U[k] - one[k]) * (U[k] - one[k]);
    }
    out->W = m->mu * square + 0.5 * m->lambda * t * t;
    if (A)
        corotated_slopes(m, R, U, A);
}

int tn_elastic_at(const tn_elastic *m, const double F[9], tn_response *out, double A[9][9])
{
    const double J = det(F);
    if (!(J > 0.0) || !isfinite(J))
        return 0;
    if (m->law == TN_LAW_LINEAR) {
        corotated(m, F, out, A);
    } else {
        by_strain(m, F, J, out, A);
    }
    return 1;
}

/* viscous --------------------------------------------------------------------------------------- */

void tn_viscous_at(const tn_elastic *m, const double F[9], const double rate[9], double P[9])
{
    mat FR, S;
    multiply_transposed(F, rate, FR);
    const double t = trace(FR);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            S[3 * i + j] = m->viscous * (m->lambda * t * one[3 * i + j] +
                                         m->mu * (FR[3 * i + j] + FR[3 * j + i]));
        }
    }
    multiply(F, S, P);
}

void tn_viscous_slopes(const tn_elastic *m, const double F[9], double A[9][9])
{
    const tn_elastic unit = {.lambda = m->lambda, .mu = m->mu, .viscous = 1.0};
    for (int c = 0; c < 9; c++) {
        mat rate = {0.0}, P;
        rate[c] = 1.0;
        tn_viscous_at(&unit, F, rate, P);
        for (int r = 0; r < 9; r++)
            A[r][c] = P[r];
    }
}

void tn_cauchy_of(const double F[9], const double P[9], double sigma[9])
{
    const double J = det(F);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++)
                sum += P[3 * i + k] * F[3 * j + k];
            sigma[3 * i + j] = sum / J;
        }
    }
}
