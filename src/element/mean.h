/* mean.h: room element: the frame that follows a set of particles, its rates and what forces on it do to them.
 *
 * With weights w_i (together 1), arms X_i (together 0) and places x_i: p = sum w_i x_i, and R is the rotation nearest to the
 * set's: A = sum x_i X_i^T = R S, S symmetric. The arm of a particle is its reference place, from the mean one, times its weight.
 * With B = sum x_i' X_i^T, M = R^T B and G = tr S 1 - S, components in axes of the frame, its angular velocity and, at x'' = 0,
 * the rate of that are
 *     G w = axial(M)                                   axial(M) = sum X_i x R^T x_i'
 *     G w' = -(S w) x w - 2 (tr S' 1 - S') w,          S' = M - [w] S
 * A force f at p and a moment m (axes of the frame) are f_i = w_i f + R ((G^-1 m) x X_i) on the particles: the transpose, whose
 * sum is f and whose moment about p is m, exactly.
 */
#ifndef TN_ELEMENT_MEAN_H
#define TN_ELEMENT_MEAN_H

#include "math/m3.h"

/* sum w_i a_i and sum a_i X_i^T, of places or velocities a. */
typedef struct tn_mean_moments {
    tn_vec3 p;
    tn_mat3 A;
} tn_mean_moments;

static inline void tn_mean_add(tn_mean_moments *sum, double weight, tn_vec3 a, tn_vec3 arm)
{
    sum->p = v3_axpy(sum->p, weight, a);
    for (int i = 0; i < 3; i++) {
        const double c = i == 0 ? a.x : i == 1 ? a.y : a.z;
        sum->A.m[i][0] += c * arm.x;
        sum->A.m[i][1] += c * arm.y;
        sum->A.m[i][2] += c * arm.z;
    }
}

typedef struct tn_mean_frame {
    tn_xform T;
    tn_mat3 S;
    tn_mat3 inverse; /* of G */
} tn_mean_frame;

/* 0: the particles are in a line, which leaves it open; then its entries are NaN. A set in a plane has the side that X has. */
int tn_mean_frame_make(const tn_mean_moments *places, tn_mean_frame *frame);

/* w, and w' at x'' = 0, in axes of the frame. */
tn_vec3 tn_mean_spin(const tn_mean_frame *frame, const tn_mean_moments *rates);
tn_vec3 tn_mean_spin_rate(const tn_mean_frame *frame, const tn_mean_moments *rates);

/* G^-1 m, m in axes of the frame; and the force on a particle of a force f and a moment for which that is c. */
static inline tn_vec3 tn_mean_turning(const tn_mean_frame *frame, tn_vec3 m)
{
    return m3_mulv(&frame->inverse, m);
}

static inline tn_vec3 tn_mean_force(const tn_mean_frame *frame, tn_vec3 f, tn_vec3 c, double weight,
                                    tn_vec3 arm)
{
    return v3_axpy(m3_mulv(&frame->T.R, v3_cross(c, arm)), weight, f);
}

#endif
