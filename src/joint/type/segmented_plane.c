/* segmented_plane.c: room joint/type: the origin of C stays on a line of segments, swept along y of D.
 *
 * The line goes through points of the x-z plane of D, its corners rounded by arcs (rounded_line.h),
 * its ends go on straight. One coordinate, along: the arc length from the first point. G has C's
 * orientation at the point of the surface nearest to C's origin. Rows and twists alike:
 *     force n (bilateral), forces t (along) and y, moments x, y, z of G.
 * A point that slides over a corner follows the arc: it keeps its energy and is not thrown. Where the
 * arc begins and ends is an event (law/pieces.c). Limits: methods of first order know no such events;
 * a step of theirs that jumps over a corner meets the new direction all of a sudden, as an impact.
 */
#include "joint/point/segmented.h"

static const tn_row_info rows[] = {
    {"normal", TN_FORCE_ROW}, {"along", TN_LENGTH_ROW(0)}, {"fy", TN_LENGTH_ROW(-1)},
    {"mx", TN_ANGLE_ROW(-1)}, {"my", TN_ANGLE_ROW(-1)},    {"mz", TN_ANGLE_ROW(-1)},
};
static const tn_coordinate_info coordinates[] = {{"along", 0}};

static int project(const tn_joint_setup *setup, const tn_xform *T_CD, tn_xform *T_GD)
{
    tn_line_place place;
    const int unique = tn_segmented_place(setup, T_CD->p, &place);
    T_GD->R = T_CD->R;
    T_GD->p = v3(place.point[0], T_CD->p.y, place.point[1]);
    return unique;
}

static void pose_to_coordinates(const tn_joint_setup *setup, const tn_xform *T_GD,
                                const double *reference, double *q)
{
    (void)reference;
    tn_line_place place;
    tn_segmented_place(setup, T_GD->p, &place);
    q[0] = place.s;
}

static void coordinates_to_pose(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    tn_line_place place;
    tn_rounded_line_at(tn_segmented_line(setup), q[0], &place);
    T_GD->R = m3_identity();
    T_GD->p = v3(place.point[0], 0.0, place.point[1]);
}

static void wrenches(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                     double W[TN_MAX_ROWS][6])
{
    tn_line_place place;
    tn_rounded_line_at(tn_segmented_line(setup), q[0], &place);
    tn_segmented_rows(T_GD, &place, W);
}

static void wrench_rates(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                         const double twist_GD[6], double dW[TN_MAX_ROWS][6])
{
    tn_line_place place;
    tn_rounded_line_at(tn_segmented_line(setup), q[0], &place);
    tn_segmented_row_rates(T_GD, &place, twist_GD, dW);
}

const tn_joint_class tn_joint_class_segmented_plane = {
    .info = {.name = "segmented_plane",
             .aliases = (const char *const[]){"segmented_planar_connector", NULL},
             .summary = "keeps a point of one body on a line of segments, swept to a surface",
             TN_JOINT_DOF(5),
             .parameter_count = 1,
             .rows = rows,
             TN_JOINT_COORDINATES(coordinates),
             .parameters = tn_segmented_parameters,
             .data = TN_JOINT_DATA_POINTS},
    .draw = tn_segmented_draw,
    .build = tn_segmented_build,
    .pieces = &tn_segmented_pieces,
    .project = project,
    .pose_to_coordinates = pose_to_coordinates,
    .coordinates_to_pose = coordinates_to_pose,
    .wrenches = wrenches,
    .wrench_rates = wrench_rates,
};
