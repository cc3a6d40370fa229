/* se3.c: exponential and logarithm of rigid motions (se3.h). Room math. */
#include "math/se3.h"

#include "real/real.h"

/* rad^2: below, b is summed by its series, tn_turn_series. */
#define TN_SERIES_BELOW 1.0

/* b, and what its derivatives by |w| = t are made of: c = b'/t, e = c'/t. */
typedef struct tn_se3_factors {
    double b, c, e;
} tn_se3_factors;

/* With s = t^2: c = 2 db/ds, e = 4 d2b/ds2. */
static tn_se3_factors factors_by_series(double s)
{
    double b = 0.0, first = 0.0, half_second = 0.0;
    for (int k = TN_TURN_TERMS - 1; k >= 0; k--) {
        half_second = half_second * s + first;
        first = first * s + b;
        b = b * s + tn_turn_series[k];
    }
    return (tn_se3_factors){b, 2.0 * first, 8.0 * half_second};
}

/* g = (t/2) cot(t/2), h = g'/t. */
static tn_se3_factors factors(double s)
{
    if (s < TN_SERIES_BELOW)
        return factors_by_series(s);
    const double t = sqrt(s), sine = tn_sin(t), lack = 1.0 - tn_cos(t);
    const double g = 0.5 * t * sine / lack, g1 = 0.5 * (sine - t) / lack;
    const double g2 = -0.5 - g1 * sine / lack, h = g1 / t;
    const double b = (1.0 - g) / s, c = -(h + 2.0 * b) / s;
    return (tn_se3_factors){b, c, -((g2 - h) / s + 4.0 * c) / s};
}

/* M += f [a] */
static void add_cross(tn_mat3 *M, double f, tn_vec3 a)
{
    M->m[0][1] -= f * a.z, M->m[0][2] += f * a.y, M->m[1][2] -= f * a.x;
    M->m[1][0] += f * a.z, M->m[2][0] -= f * a.y, M->m[2][1] += f * a.x;
}

/* M += f ([a] [b] + [b] [a]), [a] [b] = b a^T - (a . b) 1. */
static void add_crosses(tn_mat3 *M, double f, tn_vec3 a, tn_vec3 b)
{
    const double p[3] = {a.x, a.y, a.z}, q[3] = {b.x, b.y, b.z}, dot = v3_dot(a, b);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            M->m[i][j] += f * (q[i] * p[j] + p[i] * q[j]);
        M->m[i][i] -= 2.0 * f * dot;
    }
}

/* J = [ A B ; 0 A ] */
static void put_blocks(const tn_mat3 *A, const tn_mat3 *B, double J[6][6])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            J[i][j] = J[i + 3][j + 3] = A->m[i][j];
            J[i][j + 3] = B->m[i][j];
            J[i + 3][j] = 0.0;
        }
    }
}

/* The derivative of A at w along v: [v]/2 + b ([w][v] + [v][w]) + c (w . v) [w]^2. */
static tn_mat3 along(const tn_se3_factors *f, tn_vec3 w, tn_vec3 v)
{
    tn_mat3 B = {{{0.0}}};
    add_cross(&B, 0.5, v);
    add_crosses(&B, f->b, w, v);
    add_crosses(&B, 0.5 * f->c * v3_dot(w, v), w, w);
    return B;
}

void tn_se3_tangent(const double d[6], double J[6][6])
{
    const tn_vec3 v = v3_load(d), w = v3_load(d + 3);
    const tn_se3_factors f = factors(v3_dot(w, w));
    tn_mat3 A = m3_identity();
    add_cross(&A, 0.5, w);
    add_crosses(&A, 0.5 * f.b, w, w);
    const tn_mat3 B = along(&f, w, v);
    put_blocks(&A, &B, J);
}

void tn_se3_tangent_rate(const double d[6], const double d_rate[6], double dJ[6][6])
{
    const tn_vec3 v = v3_load(d), w = v3_load(d + 3);
    const tn_vec3 dv = v3_load(d_rate), dw = v3_load(d_rate + 3);
    const tn_se3_factors f = factors(v3_dot(w, w));
    const double wv = v3_dot(w, v), turning = v3_dot(w, dw);
    const tn_mat3 A = along(&f, w, dw);
    tn_mat3 B = along(&f, w, dv);
    add_crosses(&B, f.b, dw, v);
    add_crosses(&B, f.c * turning, w, v);
    add_crosses(&B, 0.5 * (f.e * turning * wv + f.c * v3_dot(dw, v)), w, w);
    add_crosses(&B, f.c * wv, w, dw);
    put_blocks(&A, &B, dJ);
}

/* With W = [w], s = |w|^2: p = (1 + a W + c W^2) v, which is the inverse of 1 - W/2 + b W^2. */
tn_xform tn_se3_exp(const double d[6])
{
    const tn_vec3 v = v3_load(d), w = v3_load(d + 3);
    const double s = v3_dot(w, w), b = factors(s).b;
    double cosine, sinc; /* of half the angle */
    tn_half_angle(0.25 * s, &cosine, &sinc);
    const double a = 0.5 * sinc * sinc;
    const double c =
        s < TN_SERIES_BELOW ? (0.5 * a - b) / (1.0 - s * b) : (1.0 - sinc * cosine) / s;
    const tn_vec3 across = v3_cross(w, v);
    return (tn_xform){q_to_m3(q_exp(w)), v3_axpy(v3_axpy(v, a, across), c, v3_cross(w, across))};
}

void tn_se3_log(const tn_xform *T, double d[6])
{
    const tn_vec3 w = m3_log(&T->R), across = v3_cross(w, T->p);
    const double b = factors(v3_dot(w, w)).b;
    v3_store(d, v3_axpy(v3_axpy(T->p, -0.5, across), b, v3_cross(w, across)));
    v3_store(d + 3, w);
}
