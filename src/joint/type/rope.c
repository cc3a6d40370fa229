/* rope.c: room joint/type: two points at most as far apart as at the start.
 *
 * Rows, coordinate and derivatives are those of two_points.h.
 */
#include "joint/point/two_points.h"

const tn_joint_class tn_joint_class_rope = {
    .info = {.name = "rope",
             .aliases = (const char *const[]){"cable", "max_distance", NULL},
             .summary = "keeps two points from getting farther apart",
             .start = TN_START_AT_MOST,
             TN_TWO_POINTS_INFO},
    TN_TWO_POINTS_CLASS,
};
