/* spherical_tilt.c: room joint/type: a spherical joint that measures the tilt of its z axis.
 *
 *     tilt = angle between z_C and z_D, 0 .. pi;
 * an upper limit makes a cone. Its row is the unit moment about n = z_D x z_C / |..|; the rows that
 * complete it, without coordinates, are the moments about z_C and z_C x n. All three are
 * orthonormal. Singular where the axes are parallel (tilt 0 and pi): there n is x of C, and a limit
 * that holds the tilt at 0 or pi does not do so; it takes a universal joint or a hinge.
 */
#include "joint/turn/ball_rows.h"

static const tn_row_info rows[] = {
    {"fx", TN_FORCE_ROW},      {"fy", TN_FORCE_ROW},       {"fz", TN_FORCE_ROW},
    {"tilt", TN_ANGLE_ROW(0)}, {"spin", TN_ANGLE_ROW(-1)}, {"orbit", TN_ANGLE_ROW(-1)},
};
static const tn_coordinate_info coordinates[] = {{"tilt", 1}};

static void pose_to_coordinates(const tn_joint_setup *setup, const tn_xform *T_GD,
                                const double *reference, double *q)
{
    (void)setup;
    (void)reference;
    const tn_ball_tilt tilt = tn_ball_tilt_at(T_GD, v3(0.0, 0.0, 0.0));
    q[0] = tn_ball_tilt_angle(&tilt);
}

static void coordinates_to_pose(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    (void)setup;
    *T_GD = tn_ball_pose(0, q[0], 0.0);
}

/* The axis it tilts about stays, and so does the spin about its own. */
static void adjust(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    (void)setup;
    tn_ball_tilt_to(T_GD, q[0]);
}

TN_INLINE void moments(const tn_joint_setup *setup, const tn_xform *T_GD, tn_vec3 w, tn_dual3 m[3])
{
    (void)setup;
    const tn_dual3 z = {tn_unit(2), v3(0.0, 0.0, 0.0)};
    m[0] = tn_ball_tilt_at(T_GD, w).n;
    m[1] = z;
    m[2] = dual3_cross(z, m[0]);
}

TN_BALL_MAPS(moments)

static const tn_draw_item draw[] = {{TN_DRAW_BALL, TN_DRAW_IN_C, 0, 0}, {TN_DRAW_END, 0, 0, 0}};

const tn_joint_class tn_joint_class_spherical_tilt = {
    .info = {.name = "spherical_tilt",
             .aliases = (const char *const[]){"ball_tilt", "cone_limited", NULL},
             .summary = "turns about a point; the tilt of its axis can be limited to a cone",
             TN_JOINT_DOF(3),
             .rows = rows,
             TN_JOINT_COORDINATES(coordinates)},
    .draw = draw,
    .turns_about_point = 1,
    .project = tn_ball_project,
    .pose_to_coordinates = pose_to_coordinates,
    .coordinates_to_pose = coordinates_to_pose,
    .adjust = adjust,
    .wrenches = wrenches,
    .wrench_rates = wrench_rates,
    .twists = twists,
};
