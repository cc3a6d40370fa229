/* coordinate.h: coordinates and numbers as written on the command line: crank.theta, 70deg.
 *
 * Room tool/pick, in: words that name coordinates, markers and poses of a model. Out: ids and
 * numbers in SI units.
 */
#ifndef TN_TOOL_COORDINATE_H
#define TN_TOOL_COORDINATE_H

#include "tenon/coords.h"
#include "tenon/model.h"

/* "joint.coordinate", or "joint" if it has only one; or a coupling, whose value it then is, as a
 * joint (tn_model_coupling_joint). length characters of text. TOOL_OK, or TOOL_USAGE with a
 * message.
 */
int tool_parse_coordinate(const tn_model *model, const char *text, size_t length, tn_joint *joint,
                          int32_t *coordinate);
/* TOOL_USAGE, and a message with the reason, if it is a coupling. */
int tool_refuse_coupling(const tn_model *model, tn_joint joint, const char *why);
/* A finite number, with any unit of an angle (angular 1) or a length (0) or in rad, m. */
int tool_parse_quantity(const char *text, int angular, double *out);
/* "rad" or "m", and the name of a coordinate. */
const tn_coordinate_info *tool_coordinate_info(const tn_model *model, tn_joint joint,
                                               int32_t coordinate);

#endif
