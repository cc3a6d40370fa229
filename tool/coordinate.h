/* coordinate.h: coordinates and numbers as written on the command line: crank.theta, 70deg. */
#ifndef TN_TOOL_COORDINATE_H
#define TN_TOOL_COORDINATE_H

#include "tenon/coords.h"
#include "tenon/model.h"

/* "joint.coordinate", or "joint" if it has only one; length characters of text. TOOL_OK, or
 * TOOL_USAGE with a message. */
int tool_parse_coordinate(const tn_model *model, const char *text, size_t length, tn_joint *joint,
                          int32_t *coordinate);
/* A finite number with an optional unit: deg, rad, m, mm, cm. angular 1: an angle is wanted, 0: a
 * length. */
int tool_parse_quantity(const char *text, int angular, double *out);
/* "rad" or "m", and the name of a coordinate. */
const tn_coordinate_info *tool_coordinate_info(const tn_model *model, tn_joint joint,
                                               int32_t coordinate);

#endif
