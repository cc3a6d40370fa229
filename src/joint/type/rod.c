/* rod.c: room joint/type: two points at a fixed distance, as by a rigid rod without mass.
 *
 * Rows, coordinate and derivatives are those of two_points.h.
 */
#include "joint/point/two_points.h"

const tn_joint_class tn_joint_class_rod = {
    .info = {.name = "rod",
             .aliases = (const char *const[]){"distance_constraint", NULL},
             .summary = "keeps two points at their distance",
             .start = TN_START_HELD,
             .block = "block_distance",
             TN_TWO_POINTS_INFO},
    TN_TWO_POINTS_CLASS,
};
