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

const double tn_turn_series[TN_TURN_TERMS] = {1.0 / 12.0,
                                              1.0 / 720.0,
                                              1.0 / 30240.0,
                                              1.0 / 1209600.0,
                                              1.0 / 47900160.0,
                                              691.0 / 1307674368000.0,
                                              1.0 / 74724249600.0,
                                              3617.0 / 10670622842880000.0,
                                              43867.0 / 5109094217170944000.0,
                                              174611.0 / 802857662698291200000.0,
                                              77683.0 / 14101100039391805440000.0};

/* Square of the angle, rad^2, up to which c is summed by its series: parts turn by less as a rule. */
#define TN_SERIES_TURN 1.0

/* c of an angle of this square. */
static double share_of_square(double x2)
{
    if (x2 > TN_SERIES_TURN) {
        const double half = 0.5 * sqrt(x2);
        return (1.0 - half / tn_tan(half)) / x2;
    }
    double c = 0.0;
    for (int k = TN_TURN_TERMS; k > 0; k--)
        c = tn_turn_series[k - 1] + c * x2;
    return c;
}

/* w + T x w / 2 + c(|T|) T x (T x w),    c(x) = (1 - (x/2) cot(x/2)) / x^2 */
tn_vec3 tn_m3_rate_of_turn(tn_vec3 T, tn_vec3 w)
{
    const tn_vec3 Tw = v3_cross(T, w);
    return v3_axpy(v3_axpy(w, 0.5, Tw), share_of_square(v3_dot(T, T)), v3_cross(T, Tw));
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
