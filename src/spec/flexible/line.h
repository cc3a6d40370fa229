/* line.h: room spec/flexible: a row of bodies with joints between them, under one name.
 *
 * Room spec/flexible, in: what a node and an element of a beam or a cable are. Out: bodies NAME[0] .. NAME[n],
 * joints NAME[0] .. NAME[n-1], of which joint i has body i as b and body i+1 as a, and markers NAME.start and
 * NAME.end.
 */
#ifndef TN_SPEC_FLEXIBLE_LINE_H
#define TN_SPEC_FLEXIBLE_LINE_H

#include "spec/spec_internal.h"
#include "tenon/beam.h"

typedef struct tn_line {
    const char *name;
    int32_t elements;
    tn_location at;
    const void *def; /* handed to: */
    /* Node i is added under this name. */
    tn_status (*add_node)(tn_spec *spec, const void *def, int32_t i, const char *name,
                          tn_body *out);
    /* The joint of element i, which has a name, bodies and a place; type and rows are to be set. */
    void (*set_element)(const void *def, int32_t i, tn_joint_def *joint);
} tn_line;

tn_status tn_spec_add_line(tn_spec *spec, const tn_line *line, tn_beam *out);

#endif
