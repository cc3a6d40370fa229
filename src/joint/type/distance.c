/* distance.c: room joint/type: the distance of two points as a coordinate that is free, unless it has a
 * range.
 *
 * Rows, coordinate and derivatives are those of two_points.h.
 */
#include "joint/point/two_points.h"

const tn_joint_class tn_joint_class_distance = {
    .info = {.name = "distance",
             .aliases = (const char *const[]){"two_points", NULL},
             .summary = "measures the distance of two points and may limit it",
             .block = "block_distance",
             TN_TWO_POINTS_INFO},
    TN_TWO_POINTS_CLASS,
};
