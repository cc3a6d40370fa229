/* joint_adjust.c: room joint: a joint's pose brought to other coordinates, the rest of it kept.
 *
 * A type with as many coordinates as motions has a pose for every set of them. One with fewer
 * leaves motions that no coordinate counts (the rotation of a point on a line), and setting a
 * coordinate must leave them where they are: the pose moves along the twists T_i of the coordinates
 * alone, G <- G exp(sum T_i (q_i - q_i now)), which change coordinate i at unit speed and no other
 * motion at all. Newton's iteration; exact in one pass where the twists are constant on the way, as
 * they are for all types that have no adjust() of their own.
 */
#include <math.h>

#include "joint/joint_class.h"

#define TN_ADJUST_PASSES 20
/* m, rad */
#define TN_ADJUST_TOLERANCE 1e-15
/* rad or m: most that a pass moves a coordinate, a safe distance from the half turn. */
#define TN_ADJUST_STRIDE 1.0

/* Adds the twist of motion i times `by` to a sum. */
static void add_twist(double sum[6], const double T[6], double by)
{
    for (int k = 0; k < 6; k++)
        sum[k] += by * T[k];
}

/* G moved by a small twist in its own axes. */
static void move(tn_xform *T_GD, const double twist[6])
{
    const tn_mat3 turn = q_to_m3(q_exp(v3_load(twist + 3)));
    T_GD->p = v3_add(T_GD->p, m3_mulv(&T_GD->R, v3_load(twist)));
    T_GD->R = m3_mul(&T_GD->R, &turn);
}

static void along_twists(const tn_joint_class *cls, const tn_joint_setup *setup, const double *q,
                         tn_xform *T_GD)
{
    const tn_joint_type_info *info = &cls->info;
    double last = INFINITY;
    for (int pass = 0; pass < TN_ADJUST_PASSES; pass++) {
        double now[TN_MAX_COORDINATES] = {0}, T[TN_MAX_ROWS][6] = {{0.0}}, twist[6] = {0.0};
        double off = 0.0;
        cls->pose_to_coordinates(setup, T_GD, q, now);
        tn_joint_twists(cls, setup, T_GD, now, T);
        for (int32_t k = info->bilateral_count; k < info->row_count; k++) {
            const int32_t i = info->rows[k].coordinate;
            if (i < 0)
                continue;
            const double by = fmax(-TN_ADJUST_STRIDE, fmin(TN_ADJUST_STRIDE, q[i] - now[i]));
            off = fmax(off, fabs(q[i] - now[i]));
            add_twist(twist, T[k - info->bilateral_count], by);
        }
        if (off <= TN_ADJUST_TOLERANCE || !(off < last))
            return;
        last = off;
        move(T_GD, twist);
    }
}

void tn_joint_adjust(const tn_joint_class *cls, const tn_joint_setup *setup, const double *q,
                     tn_xform *T_GD)
{
    if (cls->info.coordinate_count == cls->info.dof) {
        cls->coordinates_to_pose(setup, q, T_GD);
    } else if (cls->adjust) {
        cls->adjust(setup, q, T_GD);
    } else if (cls->info.coordinate_count > 0) {
        along_twists(cls, setup, q, T_GD);
    }
}
