/* block_distance.c: room joint/type: two points kept as they lie to each other, by a block of three
 * distances.
 *
 * Rows, coordinates and derivatives are those of point_offset.h.
 */
#include "joint/point/point_offset.h"

const tn_joint_class tn_joint_class_block_distance = {
    .info = {.name = "block_distance",
             .aliases = (const char *const[]){"block", NULL},
             .summary = "keeps a point where it is seen from the other body, together or apart",
             .start = TN_START_HELD,
             TN_POINT_OFFSET_INFO},
    TN_POINT_OFFSET_CLASS,
};
