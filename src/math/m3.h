/* m3.h: room math: inline 3-vectors, rotations and rigid transforms for the inner loops.
 *
 * In and out: plain values. Matrices are row-major; R_AB maps B coordinates to A coordinates.
 * Limits: angles are radians, quaternions unit; nothing here checks for NaN.
 */
#ifndef TN_MATH_M3_H
#define TN_MATH_M3_H

#include <math.h>
#include <stdbool.h>

#include "real/real.h"
#include "tenon/math.h"

#define TN_PI 3.14159265358979323846

/* A rigid transform with its rotation as a matrix, as the inner loops want it. */
typedef struct tn_xform {
    tn_mat3 R;
    tn_vec3 p;
} tn_xform;

static inline tn_vec3 v3(double x, double y, double z)
{
    return (tn_vec3){x, y, z};
}

static inline tn_vec3 v3_load(const double *a)
{
    return (tn_vec3){a[0], a[1], a[2]};
}

static inline void v3_store(double *a, tn_vec3 v)
{
    a[0] = v.x;
    a[1] = v.y;
    a[2] = v.z;
}

static inline tn_vec3 v3_add(tn_vec3 a, tn_vec3 b)
{
    return (tn_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline tn_vec3 v3_sub(tn_vec3 a, tn_vec3 b)
{
    return (tn_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline tn_vec3 v3_scale(double s, tn_vec3 a)
{
    return (tn_vec3){s * a.x, s * a.y, s * a.z};
}

/* a + s b */
static inline tn_vec3 v3_axpy(tn_vec3 a, double s, tn_vec3 b)
{
    return (tn_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double v3_dot(tn_vec3 a, tn_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline tn_vec3 v3_cross(tn_vec3 a, tn_vec3 b)
{
    return (tn_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double v3_norm(tn_vec3 a)
{
    return sqrt(v3_dot(a, a));
}

/* The length of v, and v / |v|, without squares that overflow or vanish: of texts of others. 0: v has no direction, it is 0 or
 * not finite, and *unit is 0. */
static inline double v3_unit(tn_vec3 v, tn_vec3 *unit)
{
    const double largest = fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
    *unit = v3(0.0, 0.0, 0.0);
    if (!(largest > 0.0) || !isfinite(v.x) || !isfinite(v.y) || !isfinite(v.z))
        return 0.0;
    const tn_vec3 s = {v.x / largest, v.y / largest, v.z / largest};
    const double length = v3_norm(s);
    *unit = v3(s.x / length, s.y / length, s.z / length);
    return largest * length; /* may be infinite */
}

static inline int v3_equal(tn_vec3 a, tn_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static inline int q_equal(tn_quat a, tn_quat b)
{
    return a.w == b.w && a.x == b.x && a.y == b.y && a.z == b.z;
}

static inline int v3_is_finite(tn_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static inline tn_vec3 m3_column(const tn_mat3 *R, int j)
{
    return (tn_vec3){R->m[0][j], R->m[1][j], R->m[2][j]};
}

/* R v */
static inline tn_vec3 m3_mulv(const tn_mat3 *R, tn_vec3 v)
{
    return (tn_vec3){R->m[0][0] * v.x + R->m[0][1] * v.y + R->m[0][2] * v.z,
                     R->m[1][0] * v.x + R->m[1][1] * v.y + R->m[1][2] * v.z,
                     R->m[2][0] * v.x + R->m[2][1] * v.y + R->m[2][2] * v.z};
}

/* R^T v */
static inline tn_vec3 m3_tmulv(const tn_mat3 *R, tn_vec3 v)
{
    return (tn_vec3){R->m[0][0] * v.x + R->m[1][0] * v.y + R->m[2][0] * v.z,
                     R->m[0][1] * v.x + R->m[1][1] * v.y + R->m[2][1] * v.z,
                     R->m[0][2] * v.x + R->m[1][2] * v.y + R->m[2][2] * v.z};
}

/* A B */
static inline tn_mat3 m3_mul(const tn_mat3 *A, const tn_mat3 *B)
{
    tn_mat3 C;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            C.m[i][j] = A->m[i][0] * B->m[0][j] + A->m[i][1] * B->m[1][j] + A->m[i][2] * B->m[2][j];
    }
    return C;
}

/* A^T B */
static inline tn_mat3 m3_tmul(const tn_mat3 *A, const tn_mat3 *B)
{
    tn_mat3 C;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            C.m[i][j] = A->m[0][i] * B->m[0][j] + A->m[1][i] * B->m[1][j] + A->m[2][i] * B->m[2][j];
    }
    return C;
}

static inline tn_mat3 m3_transpose(const tn_mat3 *A)
{
    tn_mat3 T;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            T.m[i][j] = A->m[j][i];
    }
    return T;
}

static inline tn_mat3 m3_identity(void)
{
    return (tn_mat3){{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
}

static inline tn_mat3 m3_rot_z(double c, double s)
{
    return (tn_mat3){{{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}}};
}

static inline tn_mat3 q_to_m3(tn_quat q)
{
    const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (tn_mat3){{{1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy)},
                      {2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx)},
                      {2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)}}};
}

/* The same of a rotation about z. */
static inline tn_mat3 q_to_m3_z(tn_quat q)
{
    return m3_rot_z(1.0 - 2.0 * (q.z * q.z), 2.0 * (q.w * q.z));
}

static inline tn_quat q_mul(tn_quat a, tn_quat b)
{
    return (tn_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                     a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                     a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                     a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static inline tn_quat q_conjugate(tn_quat q)
{
    return (tn_quat){q.w, -q.x, -q.y, -q.z};
}

static inline tn_quat q_normalize(tn_quat q)
{
    const double s = 1.0 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (tn_quat){s * q.w, s * q.x, s * q.y, s * q.z};
}

/* Likewise of a quaternion of any length; false: it has none, and *unit is no turn. */
static inline bool q_unit(tn_quat q, tn_quat *unit)
{
    const double largest = fmax(fmax(fabs(q.w), fabs(q.x)), fmax(fabs(q.y), fabs(q.z)));
    const bool has_direction =
        largest > 0.0 && isfinite(q.w) && isfinite(q.x) && isfinite(q.y) && isfinite(q.z);
    *unit = (tn_quat){1.0, 0.0, 0.0, 0.0};
    if (has_direction)
        *unit = q_normalize((tn_quat){q.w / largest, q.x / largest, q.y / largest, q.z / largest});
    return has_direction;
}

/* The shortest rotation that takes z onto axis (exactly opposite: 180 degrees about x), without a
 * detour through a quaternion: coordinate axes give exact zeros and ones. */
tn_mat3 tn_m3_from_z_axis(tn_vec3 axis);

/* 1 / sqrt(square) where the square is 1 but for round-off: one step of Newton's method, which
 * leaves 3/8 of the square of what it was off. */
static inline double tn_unit_again(double square)
{
    return 1.5 - 0.5 * square;
}

/* As q_normalize(q_mul(q, rotation about z)) with a rotation (c, 0, 0, s) where q itself is about
 * z. */
static inline tn_quat q_turn_z(tn_quat q, double c, double s)
{
    const double w = q.w * c - q.z * s, z = q.w * s + q.z * c;
    const double n = tn_unit_again(w * w + z * z);
    return (tn_quat){n * w, 0.0, 0.0, n * z};
}

/* Below this half angle (rad) the exponential uses its series; the first term left out is then
 * below 1e-19 of the result. */
#define TN_EXP_SERIES_HALF_ANGLE 0.25

/* cos(a) and sin(a)/a of a half angle given by its square. */
static inline void tn_half_angle(double a2, double *c_out, double *sinc_out)
{
    double c, sinc;
    if (a2 < TN_EXP_SERIES_HALF_ANGLE * TN_EXP_SERIES_HALF_ANGLE) {
        c = 1.0 + a2 * (-1.0 / 2 +
                        a2 * (1.0 / 24 +
                              a2 * (-1.0 / 720 + a2 * (1.0 / 40320 +
                                                       a2 * (-1.0 / 3628800 + a2 / 479001600.0)))));
        sinc = 1.0 +
               a2 * (-1.0 / 6 +
                     a2 * (1.0 / 120 +
                           a2 * (-1.0 / 5040 + a2 * (1.0 / 362880 +
                                                     a2 * (-1.0 / 39916800 + a2 / 6227020800.0)))));
    } else {
        const double a = sqrt(a2);
        c = tn_cos(a);
        sinc = tn_sin(a) / a;
    }
    *c_out = c;
    *sinc_out = sinc;
}

/* exp of the rotation vector r: angle |r| about r. */
static inline tn_quat q_exp(tn_vec3 r)
{
    double c, sinc;
    tn_half_angle(0.25 * v3_dot(r, r), &c, &sinc);
    const double s = 0.5 * sinc;
    return (tn_quat){c, s * r.x, s * r.y, s * r.z};
}

/* Rotation vector of a rotation matrix, angle in [0, pi]. */
tn_vec3 tn_m3_log_general(const tn_mat3 *R);

/* |B_2k| / (2k)!, k = 1 .. 11, B_2k the Bernoulli numbers: sum of them times x^(2k - 2) is
 * c(x) = (1 - (x/2) cot(x/2)) / x^2; up to x = 1 what is left out is 1e-18 of c. */
#define TN_TURN_TERMS 11
extern const double tn_turn_series[TN_TURN_TERMS];

/* dexp^-1(T) w: the rate of the rotation vector T where its rotation turns with w, in the axes that
 * turn; in those that stand still it is that of -T. */
tn_vec3 tn_m3_rate_of_turn(tn_vec3 T, tn_vec3 w);

/* asin(x) / x with x^2 = s2 < 1e-4: the term left out is below 1e-17 */
static inline double tn_small_asin(double s2)
{
    return 1.0 + s2 * (1.0 / 6 + s2 * (3.0 / 40 + s2 * (15.0 / 336 + s2 * 105.0 / 3456)));
}

/* The same, quick for the small rotations that joint errors are. */
static inline tn_vec3 m3_log(const tn_mat3 *R)
{
    const tn_vec3 s = {0.5 * (R->m[2][1] - R->m[1][2]), 0.5 * (R->m[0][2] - R->m[2][0]),
                       0.5 * (R->m[1][0] - R->m[0][1])};
    const double s2 = v3_dot(s, s);
    const double trace = R->m[0][0] + R->m[1][1] + R->m[2][2];
    if (s2 < 1e-4 && trace > 1.0)
        return v3_scale(tn_small_asin(s2), s);
    return tn_m3_log_general(R);
}

static inline tn_xform xf_identity(void)
{
    return (tn_xform){m3_identity(), {0.0, 0.0, 0.0}};
}

static inline tn_xform xf_from_pose(tn_pose t)
{
    return (tn_xform){q_to_m3(t.q), t.p};
}

static inline tn_vec3 xf_point(const tn_xform *T, tn_vec3 p)
{
    return v3_add(m3_mulv(&T->R, p), T->p);
}

/* v turned about z by the angle of this cosine and sine. */
static inline tn_vec3 z_turn(double c, double s, tn_vec3 v)
{
    return (tn_vec3){c * v.x - s * v.y, s * v.x + c * v.y, v.z};
}

/* R v and R^T v where R turns about z only. */
static inline tn_vec3 m3_turn_z(const tn_mat3 *R, tn_vec3 v)
{
    return z_turn(R->m[0][0], R->m[1][0], v);
}

static inline tn_vec3 m3_turn_back_z(const tn_mat3 *R, tn_vec3 v)
{
    return z_turn(R->m[0][0], -R->m[1][0], v);
}

/* A transform that turns about z only. */
typedef struct tn_xform_z {
    double c, s; /* cosine and sine of the angle */
    tn_vec3 p;
} tn_xform_z;

static inline tn_xform_z xz_load(const tn_xform *T)
{
    return (tn_xform_z){T->R.m[0][0], T->R.m[1][0], T->p};
}

static inline tn_xform xz_xform(tn_xform_z T)
{
    return (tn_xform){m3_rot_z(T.c, T.s), T.p};
}

/* A B and A^-1 B */
static inline tn_xform_z xz_mul(tn_xform_z A, tn_xform_z B)
{
    return (tn_xform_z){A.c * B.c - A.s * B.s, A.s * B.c + A.c * B.s,
                        v3_add(z_turn(A.c, A.s, B.p), A.p)};
}

static inline tn_xform_z xz_inv_mul(tn_xform_z A, tn_xform_z B)
{
    return (tn_xform_z){A.c * B.c + A.s * B.s, A.c * B.s - A.s * B.c,
                        z_turn(A.c, -A.s, v3_sub(B.p, A.p))};
}

/* The angle in [-pi, pi], quick like m3_log. */
static inline double xz_angle(tn_xform_z T)
{
    const double s2 = T.s * T.s;
    return s2 < 1e-4 && T.c > 0.0 ? tn_small_asin(s2) * T.s : tn_atan2(T.s, T.c);
}

/* Does R turn about z only? */
static inline int m3_is_about_z(const tn_mat3 *R)
{
    return R->m[0][2] == 0.0 && R->m[1][2] == 0.0 && R->m[2][0] == 0.0 && R->m[2][1] == 0.0 &&
           R->m[2][2] == 1.0;
}

/* A B */
static inline tn_xform xf_mul(const tn_xform *A, const tn_xform *B)
{
    return (tn_xform){m3_mul(&A->R, &B->R), xf_point(A, B->p)};
}

/* A^-1 B */
static inline tn_xform xf_inv_mul(const tn_xform *A, const tn_xform *B)
{
    return (tn_xform){m3_tmul(&A->R, &B->R), m3_tmulv(&A->R, v3_sub(B->p, A->p))};
}

#endif
