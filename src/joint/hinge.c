/* hinge.c: room joint: rotation about the common z axis of C and D.
 *
 * T_CD = Rz(theta) (3.7). G is C with its z axis turned onto z_D by the shortest rotation and its
 * origin put on D's. Rows are constant in G: fx, fy, fz, mx, my; the motion row is mz.
 */
#include "joint/joint_class.h"
#include "joint/rotation_about_z.h"

static const tn_row_info rows[] = {
    {"fx", TN_FORCE_ROW},  {"fy", TN_FORCE_ROW},  {"fz", TN_FORCE_ROW},
    {"mx", TN_MOMENT_ROW}, {"my", TN_MOMENT_ROW}, {"theta", TN_ANGLE_ROW(0)},
};
static const int8_t axes[] = {TN_FX, TN_FY, TN_FZ, TN_MX, TN_MY, TN_MZ};
static const tn_coordinate_info coordinates[] = {{"theta", 1}};

static int project(const tn_joint_setup *setup, const tn_xform *T_CD, tn_xform *T_GD)
{
    (void)setup;
    T_GD->p = v3(0.0, 0.0, 0.0);
    return tn_nearest_rotation_about_z(&T_CD->R, &T_GD->R);
}

static void pose_to_coordinates(const tn_joint_setup *setup, const tn_xform *T_GD,
                                const double *reference, double *q)
{
    (void)setup;
    q[0] = tn_nearest_turn(atan2(T_GD->R.m[1][0], T_GD->R.m[0][0]), reference[0]);
}

static void coordinates_to_pose(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    (void)setup;
    T_GD->R = m3_rot_z(cos(q[0]), sin(q[0]));
    T_GD->p = v3(0.0, 0.0, 0.0);
}

static const tn_draw_item draw[] = {{TN_DRAW_SHAFT, TN_DRAW_IN_D, 2, 0}, {TN_DRAW_END, 0, 0, 0}};

enum { FX, FY, FZ, MX, MY };

static const tn_joint_relief reliefs[] = {
    {TN_JOINT_cylindrical, 1 << FZ, 0},
    {TN_JOINT_spherical, 1 << MX | 1 << MY, 0},
    {TN_JOINT_point_line, 1 << FZ | 1 << MX | 1 << MY, 0},
    {TN_JOINT_slotted_hinge, 1 << FX, 0},
    {TN_JOINT_slotted_hinge, 1 << FY, 1},
    {TN_JOINT_planar, 1 << FX | 1 << FY, 0},
    {TN_JOINT_free, TN_FIRST_ROWS(5), 0},
    {0, 0, 0},
};

const tn_joint_class tn_joint_class_hinge = {
    .info = {.name = "hinge",
             .aliases = (const char *const[]){"revolute", NULL},
             .summary = "turns about one axis",
             TN_JOINT_DOF(1),
             .rows = rows,
             TN_JOINT_COORDINATES(coordinates)},
    .axes = axes,
    .pin_in_plane = 1,
    .draw = draw,
    .reliefs = reliefs,
    .project = project,
    .pose_to_coordinates = pose_to_coordinates,
    .coordinates_to_pose = coordinates_to_pose,
};
