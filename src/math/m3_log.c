/* m3_log.c: room math: the logarithm of a rotation matrix at any angle. */
#include "math/m3.h"

/* Through the quaternion, which is well conditioned at every angle including pi. */
tn_vec3 m3_log_general(const tn_mat3 *R)
{
    tn_quat q = tn_quat_from_matrix(R);
    if (q.w < 0.0)
        q = (tn_quat){-q.w, -q.x, -q.y, -q.z};
    const tn_vec3 v = {q.x, q.y, q.z};
    const double n = v3_norm(v);
    if (n < 1e-300)
        return v3_scale(2.0, v);
    return v3_scale(2.0 * atan2(n, q.w) / n, v);
}
