/* universal.c: room joint/type: Cardan joint: the z axis of D and the y axis of C cross at right angles.
 *
 * R_CD = Rz(roll) Ry(pitch), p = 0. The maths is that of universal_axes.h without skew.
 */
#include "joint/turn/universal_axes.h"

static const tn_draw_item draw[] = {
    {TN_DRAW_SHAFT, TN_DRAW_OF_MOTION, 0, 0},
    {TN_DRAW_SHAFT, TN_DRAW_OF_MOTION, 1, 0},
    {TN_DRAW_END, 0, 0, 0},
};

enum { FX, FY, FZ, CROSS };

static const tn_joint_relief reliefs[] = {
    {TN_JOINT_spherical, 1 << CROSS, 0},
    {TN_JOINT_free, TN_FIRST_ROWS(4), 0},
    {0, 0, 0},
};

const tn_joint_class tn_joint_class_universal = {
    .info = {.name = "universal",
             .summary = "turns about two crossing axes at right angles",
             TN_JOINT_DOF(2),
             .coordinate_count = 2,
             .rows = tn_universal_rows,
             .coordinates = tn_universal_coordinates},
    .draw = draw,
    .reliefs = reliefs,
    .chain = tn_chain_in_order,
    .project = tn_universal_project,
    .whole_turns = 0x3,
    .pose_to_coordinates = tn_universal_to_coordinates,
    .coordinates_to_pose = tn_universal_to_pose,
    .wrenches = tn_universal_wrenches,
    .wrench_rates = tn_universal_wrench_rates,
    .twists = tn_universal_twists,
};
