/* joint_motion.c: rules for joints whose motion the program computes (tn_joint_motion).
 *
 * Room spec/joint. In: the callback. Out: the first thing that is wrong at coordinates zero or a little
 * aside: numbers that are not finite, a pose without rotation, twists that depend on each other at
 * zero, twists and rates that are not the derivatives of pose and twists (central differences,
 * whose own error is far below the tolerance for motions that change over 0.1 m or 0.1 rad).
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "math/m3.h"
#include "spec/joint/joint_data.h"

/* rad, m: step of the differences, and how far aside of zero the second place is. */
#define TN_MOTION_STEP  1e-4
#define TN_MOTION_ASIDE 0.01

/* Of a derivative, relative to the larger of it and 1. */
#define TN_MOTION_TOLERANCE 1e-4

/* Part of a twist that the others do not have, relative, below which it depends on them. */
#define TN_MOTION_INDEPENDENT 1e-8

static tn_joint_motion motion_at(const tn_joint_data *data, const double *q)
{
    tn_joint_motion m;
    memset(&m, 0, sizeof m);
    data->motion(data->motion_context, q, &m);
    return m;
}

static int is_finite(const tn_joint_motion *m, int32_t n)
{
    double all = m->pose.p.x + m->pose.p.y + m->pose.p.z;
    for (int32_t j = 0; j < n; j++) {
        all += v3_norm(m->v[j]) + v3_norm(m->w[j]);
        for (int32_t k = 0; k < n; k++) {
            all += v3_norm(m->dv[j][k]) + v3_norm(m->dw[j][k]);
        }
    }
    return isfinite(all);
}

static bool is_rotation(tn_quat q)
{
    return fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) < 1e-6;
}

static int agree(tn_vec3 told, tn_vec3 found)
{
    return v3_norm(v3_sub(told, found)) <= TN_MOTION_TOLERANCE * fmax(1.0, v3_norm(told));
}

/* What the differences along coordinate k say of the motion at q. */
static const char *check_along(const tn_joint_data *data, const double *q, int32_t k)
{
    const tn_joint_motion at = motion_at(data, q);
    double aside[TN_MAX_COORDINATES];
    memcpy(aside, q, sizeof aside);
    aside[k] = q[k] + TN_MOTION_STEP;
    const tn_joint_motion after = motion_at(data, aside);
    aside[k] = q[k] - TN_MOTION_STEP;
    const tn_joint_motion before = motion_at(data, aside);
    const double share = 0.5 / TN_MOTION_STEP;
    const tn_mat3 R = q_to_m3(after.pose.q), S = q_to_m3(before.pose.q);
    const tn_mat3 back = m3_transpose(&S), turn = m3_mul(&R, &back);
    if (!agree(at.v[k], v3_scale(share, v3_sub(after.pose.p, before.pose.p)))) {
        return "has velocities v that are not the derivatives of its position";
    }
    if (!agree(at.w[k], v3_scale(share, m3_log(&turn)))) {
        return "has angular velocities w that are not the derivatives of its rotation";
    }
    for (int32_t j = 0; j < data->coordinate_count; j++) {
        if (!agree(at.dv[j][k], v3_scale(share, v3_sub(after.v[j], before.v[j]))) ||
            !agree(at.dw[j][k], v3_scale(share, v3_sub(after.w[j], before.w[j])))) {
            return "has dv or dw that are not the derivatives of v and w";
        }
    }
    return NULL;
}

/* Gram and Schmidt's way, in their order. */
static bool are_independent(const tn_joint_motion *m, int32_t n)
{
    tn_vec3 v[TN_MAX_COORDINATES], w[TN_MAX_COORDINATES];
    for (int32_t j = 0; j < n; j++) {
        v[j] = m->v[j];
        w[j] = m->w[j];
        const double whole = v3_dot(v[j], v[j]) + v3_dot(w[j], w[j]);
        for (int32_t i = 0; i < j; i++) {
            const double along = v3_dot(v[i], v[j]) + v3_dot(w[i], w[j]);
            v[j] = v3_axpy(v[j], -along, v[i]);
            w[j] = v3_axpy(w[j], -along, w[i]);
        }
        const double left = v3_dot(v[j], v[j]) + v3_dot(w[j], w[j]);
        if (!(left > TN_MOTION_INDEPENDENT * whole)) {
            return false;
        }
        v[j] = v3_scale(1.0 / sqrt(left), v[j]);
        w[j] = v3_scale(1.0 / sqrt(left), w[j]);
    }
    return true;
}

const char *tn_joint_motion_problem(const tn_joint_data *data)
{
    const int32_t n = data->coordinate_count;
    double q[TN_MAX_COORDINATES] = {0.0};
    for (int place = 0; place < 2; place++) {
        const tn_joint_motion m = motion_at(data, q);
        if (!is_finite(&m, n)) {
            return "is not finite near coordinates zero";
        }
        if (!is_rotation(m.pose.q)) {
            return "has a pose whose quaternion is not of length one";
        }
        if (place == 0 && !are_independent(&m, n)) {
            return "has coordinates that move nothing, or the same, where all are zero";
        }
        for (int32_t k = 0; k < n; k++) {
            const char *problem = check_along(data, q, k);
            if (problem != NULL) {
                return problem;
            }
        }
        for (int32_t k = 0; k < n; k++) {
            q[k] = TN_MOTION_ASIDE * (k + 1);
        }
    }
    return NULL;
}
