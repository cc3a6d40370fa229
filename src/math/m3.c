/* m3.c: room math: rotation matrices from an axis, their logarithm at any angle, and its rate. */
#include "real/real.h"
#include "math/m3.h"

/* Through the quaternion, which is well conditioned at every angle including pi. */
tn_vec3 tn_m3_log_general(const tn_mat3 *R)
{
    tn_quat q = tn_quat_from_matrix(R);
    if (q.w < 0.0)
        q = (tn_quat){-q.w, -q.x, -q.y, -q.z};
    const tn_vec3 v = {q.x, q.y, q.z};
    const double n = v3_norm(v);
    if (n < 1e-300)
        return v3_scale(2.0, v);
    return v3_scale(2.0 * tn_atan2(n, q.w) / n, v);
}

/* Below this angle, rad, by a series: what is left out is 1e-17. */
#define TN_SMALL_TURN 1e-2

/* w + T x w / 2 + c(|T|) T x (T x w),    c(x) = (1 - (x/2) cot(x/2)) / x^2 */
tn_vec3 tn_m3_rate_of_turn(tn_vec3 T, tn_vec3 w)
{
    const double x2 = v3_dot(T, T), x = sqrt(x2);
    const double c = x < TN_SMALL_TURN ? 1.0 / 12.0 + x2 * (1.0 / 720.0 + x2 / 30240.0)
                                       : (1.0 - 0.5 * x / tn_tan(0.5 * x)) / x2;
    const tn_vec3 Tw = v3_cross(T, w);
    return v3_axpy(v3_axpy(w, 0.5, Tw), c, v3_cross(T, Tw));
}

/* R = I + [w]x + [w]x^2 / (1 + c) with w = z x a, c = z . a. */
tn_mat3 tn_m3_from_z_axis(tn_vec3 axis)
{
    const double n = v3_norm(axis);
    const tn_vec3 a = n > 0.0 ? v3_scale(1.0 / n, axis) : v3(0.0, 0.0, 1.0);
    const double across = a.x * a.x + a.y * a.y;
    if (a.z < 0.0 && across == 0.0)
        return (tn_mat3){{{1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}, {0.0, 0.0, -1.0}}};
    /* 1 / (1 + c), without cancellation when the axis points almost against z */
    const double f = a.z > 0.0 ? 1.0 / (1.0 + a.z) : (1.0 - a.z) / across;
    return (tn_mat3){{{1.0 - f * a.x * a.x, -f * a.x * a.y, a.x},
                      {-f * a.x * a.y, 1.0 - f * a.y * a.y, a.y},
                      {-a.x, -a.y, a.z}}};
}
