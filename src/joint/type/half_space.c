/* half_space.c: room joint/type: the origin of C stays on or over the x-y plane of D.
 *
 * The unilateral point_plane: no bilateral row, one coordinate,
 *     distance = p_z, at least 0 unless the joint gives another range,
 * held by the limit of its motion row while the point touches and pushes. Every pose is legal: G
 * is C. With ex, ey, ez the axes of D seen in G the rows and the twists are
 *     force ez (distance), forces ex, ey and moments x, y, z of G, without coordinates,
 * and the axes of D turn in G: n' = -w x n.
 */
#include <math.h>

#include "joint/point/point_rows.h"

static const tn_row_info rows[] = {
    {"distance", TN_LENGTH_ROW(0)}, {"fx", TN_LENGTH_ROW(-1)}, {"fy", TN_LENGTH_ROW(-1)},
    {"mx", TN_ANGLE_ROW(-1)},       {"my", TN_ANGLE_ROW(-1)},  {"mz", TN_ANGLE_ROW(-1)},
};
static const tn_coordinate_info coordinates[] = {{"distance", 0}};
static const double ranges[][2] = {{0.0, INFINITY}};

static const tn_draw_item draw[] = {
    {TN_DRAW_PLANE, TN_DRAW_IN_D, 2, 0},
    {TN_DRAW_BALL, TN_DRAW_IN_C, 0, 0},
    {TN_DRAW_END, 0, 0, 0},
};

const tn_joint_class tn_joint_class_half_space = {
    .info = {.name = "half_space",
             .aliases = (const char *const[]){"planar_connector_unilateral",
                                              "unilateral_point_plane", NULL},
             .summary = "keeps a point of one body on one side of a plane of the other",
             TN_JOINT_DOF(6),
             .rows = rows,
             TN_JOINT_COORDINATES(coordinates),
             .ranges = ranges},
    .draw = draw,
    .project = tn_any_pose_is_legal,
    .pose_to_coordinates = tn_point_height,
    .coordinates_to_pose = tn_point_at_height,
    .wrenches = tn_point_wrenches_zxy,
    .wrench_rates = tn_point_wrench_rates_zxy,
};
