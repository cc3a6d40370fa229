/* m3.c: room math: rotation matrices from an axis, and their logarithm at any angle. */
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
