/* row_vectors.h: room joint: writing rows and twists of types whose rows move in G.
 *
 * Rows of W, T and dW are 6-vectors, linear part first. An axis of D seen in G is a row of R_GD;
 * while G turns with w (in G) in D, a vector n fixed in D changes in G by n' = -w x n.
 */
#ifndef TN_ROW_VECTORS_H
#define TN_ROW_VECTORS_H

#include "joint/joint_class.h"

static inline void tn_row_set(double row[6], tn_vec3 linear, tn_vec3 angular)
{
    v3_store(row, linear);
    v3_store(row + 3, angular);
}

/* A pure force, or a pure translation. */
static inline void tn_row_linear(double row[6], tn_vec3 linear)
{
    tn_row_set(row, linear, v3(0.0, 0.0, 0.0));
}

/* A pure moment, or a pure rotation. */
static inline void tn_row_angular(double row[6], tn_vec3 angular)
{
    tn_row_set(row, v3(0.0, 0.0, 0.0), angular);
}

/* Axis 0 .. 2 of G itself. */
static inline tn_vec3 tn_unit(int axis)
{
    return v3(axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0);
}

/* Axis 0 .. 2 of D, in G. */
static inline tn_vec3 tn_axis_of_d(const tn_xform *T_GD, int axis)
{
    return v3_load(T_GD->R.m[axis]);
}

/* Its rate while G moves in D with twist_GD (in G). */
static inline tn_vec3 tn_axis_of_d_rate(const tn_xform *T_GD, int axis, const double twist_GD[6])
{
    return v3_cross(tn_axis_of_d(T_GD, axis), v3_load(twist_GD + 3));
}

#endif
