/* marker.h: markers and where they are wanted, as written on the command line: tip=0.3,0.1,0,
 * tip=rpy:0,0,90deg@2.
 */
#ifndef TN_TOOL_MARKER_H
#define TN_TOOL_MARKER_H

#include "tenon/coords.h"

#define TOOL_DEGREES (180.0 / 3.14159265358979323846) /* in a radian */

/* "NAME=X,Y,Z" (m) or "NAME=KIND:NUMBERS" (a rotation), with or without "@WEIGHT"; without it the
 * given weight. TOOL_OK, or TOOL_USAGE with a message. */
int tool_parse_marker_place(const tn_model *model, const char *text, double weight,
                            tn_marker_request *out);
int tool_parse_marker_rotation(const tn_model *model, const char *text, double weight,
                               tn_marker_request *out);

/* Where a marker is and how far from where it was wanted, on stdout. */
void tool_print_marker(const tn_sim *sim, const tn_marker_request *request,
                       const tn_marker_answer *miss);

#endif
