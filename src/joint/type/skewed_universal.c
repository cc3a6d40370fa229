/* skewed_universal.c: room joint/type: turns about the z axis of D and an axis of C that crosses it
 * askew.
 *
 * The pitch axis is (0, cos skew, sin skew) in C; the maths is in universal_axes.h.
 */
#include "joint/turn/universal_axes.h"

static const tn_parameter_info parameters[] = {
    {"skew", "rad", 0.0, -0.5 * TN_PI, 0.5 * TN_PI,
     "angle of the pitch axis over the plane across the roll axis"}};

static const tn_draw_item draw[] = {
    {TN_DRAW_SHAFT, TN_DRAW_OF_MOTION, 0, 0},
    {TN_DRAW_SHAFT, TN_DRAW_OF_MOTION, 1, 0},
    {TN_DRAW_END, 0, 0, 0},
};

const tn_joint_class tn_joint_class_skewed_universal = {
    .info = {.name = "skewed_universal",
             .summary = "turns about two crossing axes at any angle",
             TN_JOINT_DOF(2),
             .coordinate_count = 2,
             .parameter_count = 1,
             .rows = tn_universal_rows,
             .coordinates = tn_universal_coordinates,
             .parameters = parameters,
             .skew_after = 1},
    .draw = draw,
    .chain = tn_chain_in_order,
    .project = tn_universal_project,
    .whole_turns = 0x3,
    .pose_to_coordinates = tn_universal_to_coordinates,
    .coordinates_to_pose = tn_universal_to_pose,
    .wrenches = tn_universal_wrenches,
    .wrench_rates = tn_universal_wrench_rates,
    .twists = tn_universal_twists,
};
