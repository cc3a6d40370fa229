/* segmented_half_space.c: room joint/type: the origin of C stays on or over a line of segments, swept
 * along y of D.
 *
 * The unilateral segmented_plane: no bilateral row, one coordinate,
 *     distance = from the nearest point of the rounded line, positive on the side of its normal
 *                (to the left of the way it goes, seen with x to the right and z up),
 * at least 0 unless the joint gives another range, held by the limit of its motion row while the
 * point touches and pushes. Every pose is legal: G is C. Rows and twists alike:
 *     force n (distance), forces t and y, moments x, y, z of G.
 * Limits: the distance has a crease where two places of the line are as near; rows are those of
 * either one. That is away from the surface, where nothing acts.
 */
#include <math.h>

#include "joint/point/point_rows.h"
#include "joint/point/segmented.h"

static const tn_row_info rows[] = {
    {"distance", TN_LENGTH_ROW(0)}, {"ft", TN_LENGTH_ROW(-1)}, {"fy", TN_LENGTH_ROW(-1)},
    {"mx", TN_ANGLE_ROW(-1)},       {"my", TN_ANGLE_ROW(-1)},  {"mz", TN_ANGLE_ROW(-1)},
};
static const tn_coordinate_info coordinates[] = {{"distance", 0}};
static const double ranges[][2] = {{0.0, INFINITY}};

/* A place further down the list must meet a distance better by this (m). */
#define TN_AS_GOOD 1e-12

static void pose_to_coordinates(const tn_joint_setup *setup, const tn_xform *T_GD,
                                const double *reference, double *q)
{
    (void)reference;
    tn_line_place place;
    tn_segmented_place(setup, T_GD->p, &place);
    q[0] = place.distance;
}

/* A point at `distance` above the line, over arc length `at`. Returns the error of its distance, which is not zero if
 * the line comes nearer elsewhere. */
static double stand_over(const tn_joint_setup *setup, double at, double distance, tn_vec3 *p)
{
    tn_line_place foot, nearest;
    tn_rounded_line_at(tn_segmented_line(setup), at, &foot);
    *p = v3(foot.point[0] + distance * foot.normal[0], 0.0,
            foot.point[1] + distance * foot.normal[1]);
    tn_segmented_place(setup, *p, &nearest);
    return fabs(nearest.distance - distance);
}

/* Over the first point of the line, or over a point outside, a few lengths away, if the distance is met better there.
 */
static void coordinates_to_pose(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    const tn_rounded_line *line = tn_segmented_line(setup);
    const tn_line_piece *last = &line->pieces[line->count - 1];
    const double length = last->from + (isfinite(last->length) ? last->length : 0.0);
    const double far = 4.0 * (fabs(q[0]) + fabs(length));
    const double places[] = {0.0, -far, length + far};
    double best = INFINITY;
    *T_GD = (tn_xform){.R = m3_identity()};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        tn_vec3 p;
        const double off = stand_over(setup, places[i], q[0], &p);
        if (off < best - TN_AS_GOOD) {
            best = off;
            T_GD->p = p;
        }
    }
}

static void wrenches(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                     double W[TN_MAX_ROWS][6])
{
    (void)q;
    tn_line_place place;
    tn_segmented_place(setup, T_GD->p, &place);
    tn_segmented_rows(T_GD, &place, W);
}

static void wrench_rates(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                         const double twist_GD[6], double dW[TN_MAX_ROWS][6])
{
    (void)q;
    tn_line_place place;
    tn_segmented_place(setup, T_GD->p, &place);
    tn_segmented_row_rates(T_GD, &place, twist_GD, dW);
}

const tn_joint_class tn_joint_class_segmented_half_space = {
    .info = {.name = "segmented_half_space",
             .aliases = (const char *const[]){"segmented_planar_connector_unilateral",
                                              "unilateral_segmented_plane", NULL},
             .summary = "keeps a point of one body on one side of a line of segments, swept to a "
                        "surface",
             TN_JOINT_DOF(6),
             .parameter_count = 1,
             .rows = rows,
             TN_JOINT_COORDINATES(coordinates),
             .ranges = ranges,
             .parameters = tn_segmented_parameters,
             .data = TN_JOINT_DATA_POINTS},
    .draw = tn_segmented_draw,
    .build = tn_segmented_build,
    .pieces = &tn_segmented_pieces,
    .project = tn_any_pose_is_legal,
    .pose_to_coordinates = pose_to_coordinates,
    .coordinates_to_pose = coordinates_to_pose,
    .wrenches = wrenches,
    .wrench_rates = wrench_rates,
};
