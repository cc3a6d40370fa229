/* point_offset.h: room joint/point: what pins and blocks of distances share: where a point of A, the
 * origin of C, is seen from D.
 *
 * No bilateral row, three coordinates, x, y, z, the place p of C's origin in D. Every pose is
 * legal: G is C, and forces act at C's origin. With ex, ey, ez the axes of D seen in G the rows and
 * twists are
 *     forces ex (x), ey (y), ez (z) and, without coordinates, moments x, y, z of G.
 * Held, the three rows are C = x_2 - x_1 = const, J = [-I, I]: a block of three distances,
 * whose gradient exists at zero length too.
 */
#ifndef TN_POINT_OFFSET_H
#define TN_POINT_OFFSET_H

#include "joint/point/point_rows.h"

/* Everything but name, aliases, summary and what holds the coordinates at the start. */
#define TN_POINT_OFFSET_INFO                                                                       \
    TN_JOINT_DOF(6), .coordinate_count = 3, .rows = tn_point_offset_rows,                          \
                     .coordinates = tn_point_offset_coordinates
#define TN_POINT_OFFSET_CLASS                                                                      \
    .draw = tn_point_offset_draw, .project = tn_any_pose_is_legal,                                 \
    .pose_to_coordinates = tn_point_offset_place, .coordinates_to_pose = tn_point_offset_pose,     \
    .adjust = tn_point_offset_adjust, .wrenches = tn_point_wrenches_xyz,                           \
    .wrench_rates = tn_point_wrench_rates_xyz

extern const tn_row_info tn_point_offset_rows[];
extern const tn_coordinate_info tn_point_offset_coordinates[];
extern const tn_draw_item tn_point_offset_draw[];

void tn_point_offset_place(const tn_joint_setup *setup, const tn_xform *T_GD,
                           const double *reference, double *q);
void tn_point_offset_pose(const tn_joint_setup *setup, const double *q, tn_xform *T_GD);
void tn_point_offset_adjust(const tn_joint_setup *setup, const double *q, tn_xform *T_GD);

#endif
