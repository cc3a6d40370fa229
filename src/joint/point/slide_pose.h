/* slide_pose.h: room joint/point: the poses of types that slide along axes of D and may turn about z.
 *
 *     T_CD = trans(lengths along the axes) Rz(theta),
 * coordinates first the lengths in the order of the axes, then theta. The nearest pose keeps the
 * lengths and turns z_C onto z_D by the shortest rotation; without theta it has D's orientation.
 */
#ifndef TN_SLIDE_POSE_H
#define TN_SLIDE_POSE_H

#include "real/real.h"
#include "base/base.h"
#include "joint/joint_class.h"
#include "joint/rotation_about_z.h"
#include "joint/row_vectors.h"

typedef struct tn_slides {
    int8_t turns; /* 1: about z */
    int8_t count;
    int8_t axis[2]; /* 0 .. 2: x, y, z of D */
} tn_slides;

TN_INLINE int tn_slides_project(tn_slides s, const tn_xform *T_CD, tn_xform *T_GD)
{
    double from[3], p[3] = {0.0, 0.0, 0.0};
    v3_store(from, T_CD->p);
    for (int i = 0; i < s.count; i++)
        p[s.axis[i]] = from[s.axis[i]];
    T_GD->p = v3_load(p);
    if (s.turns)
        return tn_nearest_rotation_about_z(&T_CD->R, &T_GD->R);
    T_GD->R = m3_identity();
    return 1;
}

TN_INLINE void tn_slides_coordinates(tn_slides s, const tn_xform *T_GD, const double *reference,
                                     double *q)
{
    const tn_mat3 *R = &T_GD->R;
    double p[3];
    v3_store(p, T_GD->p);
    for (int i = 0; i < s.count; i++)
        q[i] = p[s.axis[i]];
    if (s.turns)
        q[s.count] = tn_nearest_turn(tn_atan2(R->m[1][0], R->m[0][0]), reference[s.count]);
}

TN_INLINE void tn_slides_pose(tn_slides s, const double *q, tn_xform *T_GD)
{
    double p[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < s.count; i++)
        p[s.axis[i]] = q[i];
    T_GD->p = v3_load(p);
    T_GD->R = s.turns ? m3_rot_z(tn_cos(q[s.count]), tn_sin(q[s.count])) : m3_identity();
}

/* Defines project, pose_to_coordinates and coordinates_to_pose of a type. */
#define TN_SLIDE_POSE(...)                                                                         \
    static const tn_slides slides = {__VA_ARGS__};                                                 \
    static int project(const tn_joint_setup *setup, const tn_xform *T_CD, tn_xform *T_GD)          \
    {                                                                                              \
        (void)setup;                                                                               \
        return tn_slides_project(slides, T_CD, T_GD);                                              \
    }                                                                                              \
    static void pose_to_coordinates(const tn_joint_setup *setup, const tn_xform *T_GD,             \
                                    const double *reference, double *q)                            \
    {                                                                                              \
        (void)setup;                                                                               \
        tn_slides_coordinates(slides, T_GD, reference, q);                                         \
    }                                                                                              \
    static void coordinates_to_pose(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)  \
    {                                                                                              \
        (void)setup;                                                                               \
        tn_slides_pose(slides, q, T_GD);                                                           \
    }

/* Rows that are axes of D beside those of G: forces along x and y of D (row_vectors.h). */
enum { TN_DX = TN_MZ + 1, TN_DY };

TN_INLINE void tn_slides_wrenches(const int8_t axis[TN_MAX_ROWS], const tn_xform *T_GD,
                                  double W[TN_MAX_ROWS][6])
{
    for (int k = 0; k < TN_MAX_ROWS; k++) {
        if (axis[k] >= TN_DX) {
            tn_row_linear(W[k], tn_axis_of_d(T_GD, axis[k] - TN_DX));
        } else if (axis[k] >= TN_MX) {
            tn_row_angular(W[k], tn_unit(axis[k] - TN_MX));
        } else {
            tn_row_linear(W[k], tn_unit(axis[k]));
        }
    }
}

/* Defines wrenches and wrench_rates of a type with such rows. */
#define TN_SLIDE_ROWS(...)                                                                         \
    static const int8_t axis_of_row[TN_MAX_ROWS] = {__VA_ARGS__};                                  \
    static void wrenches(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,       \
                         double W[TN_MAX_ROWS][6])                                                 \
    {                                                                                              \
        (void)setup;                                                                               \
        (void)q;                                                                                   \
        tn_slides_wrenches(axis_of_row, T_GD, W);                                                  \
    }                                                                                              \
    static void wrench_rates(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,   \
                             const double twist_GD[6], double dW[TN_MAX_ROWS][6])                  \
    {                                                                                              \
        (void)setup;                                                                               \
        (void)q;                                                                                   \
        for (int k = 0; k < TN_MAX_ROWS; k++)                                                      \
            if (axis_of_row[k] >= TN_DX)                                                           \
                tn_row_linear(dW[k], tn_axis_of_d_rate(T_GD, axis_of_row[k] - TN_DX, twist_GD));   \
    }

#endif
