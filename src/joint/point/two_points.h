/* two_points.h: room joint/point: what rods, ropes and measured distances share: two points, the origins
 * of C and D, and how far apart they are.
 *
 * No bilateral row, one coordinate, length = |p|, p the origin of C in D; its motion row is the
 * constraint of a rod, the upper limit of a rope, the line a spring acts along. Every pose is
 * legal: G is C. With n = p / |p| and t1, t2 across it the rows and twists are
 *     force n (length), forces t1, t2 and moments x, y, z of G, without coordinates.
 * In D n changes by n' = (v - n (n . v)) / |p|, and in G, which turns with w, by that minus w x n:
 * the derivative of the distance constraint.
 * At |p| <= TN_ZERO_LENGTH there is no n: the row of length is zero and left out of the equations
 * (joint_rows.h).
 */
#ifndef TN_TWO_POINTS_H
#define TN_TWO_POINTS_H

#include "joint/point/point_rows.h"

/* m: differences of coordinates of metres have errors of 1e-16 m, a direction from them is good to
 * 1e-7 here. */
#define TN_ZERO_LENGTH 1e-9

/* Everything but name, aliases, summary and what holds the length at the start. */
#define TN_TWO_POINTS_INFO                                                                         \
    TN_JOINT_DOF(6), .coordinate_count = 1, .rows = tn_two_points_rows,                            \
                     .coordinates = tn_two_points_coordinates
#define TN_TWO_POINTS_CLASS                                                                        \
    .draw = tn_two_points_draw, .rows_may_vanish = 1, .project = tn_any_pose_is_legal,             \
    .pose_to_coordinates = tn_two_points_length, .coordinates_to_pose = tn_point_at_height,        \
    .adjust = tn_two_points_adjust, .wrenches = tn_two_points_wrenches,                            \
    .wrench_rates = tn_two_points_wrench_rates

extern const tn_row_info tn_two_points_rows[];
extern const tn_coordinate_info tn_two_points_coordinates[];
extern const tn_draw_item tn_two_points_draw[];

void tn_two_points_length(const tn_joint_setup *setup, const tn_xform *T_GD,
                          const double *reference, double *q);
void tn_two_points_adjust(const tn_joint_setup *setup, const double *q, tn_xform *T_GD);
void tn_two_points_wrenches(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                            double W[TN_MAX_ROWS][6]);
void tn_two_points_wrench_rates(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                                const double twist_GD[6], double dW[TN_MAX_ROWS][6]);

#endif
