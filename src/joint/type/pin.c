/* pin.c: room joint/type: a point of a body and where it is wanted: a mouse that drags it, a soft stay.
 *
 * Rows, coordinates and derivatives are those of point_offset.h; the pull is springs along the
 * coordinates.
 */
#include "joint/point/point_offset.h"

const tn_joint_class tn_joint_class_pin = {
    .info = {.name = "pin",
             .aliases = (const char *const[]){"mouse", NULL},
             .summary = "measures where a point is, to be pulled to a target",
             TN_POINT_OFFSET_INFO},
    TN_POINT_OFFSET_CLASS,
};
