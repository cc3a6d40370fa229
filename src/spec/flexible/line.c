/* line.c: a row of bodies with joints between them (line.h). Room spec/flexible. */
#include "spec/flexible/line.h"

#include <stdio.h>
#include <string.h>

/* Room behind the name for "[2147483647]" or ".start". */
#define SUFFIX_SIZE 16

static tn_status add_element(tn_spec *spec, const tn_line *line, int32_t i, int32_t first_node,
                             const char *name, tn_joint *out)
{
    tn_joint_def joint = tn_default_joint_def();
    joint.name = name;
    joint.a = (tn_body){.i = first_node + i + 1};
    joint.b = (tn_body){.i = first_node + i};
    joint.placement = TN_PLACE_BODY_FRAMES;
    joint.look.axis_length = 0.0;
    joint.at = line->at;
    line->set_element(line->def, i, &joint);
    return tn_spec_add_joint(spec, &joint, out);
}

static tn_status add_marker(tn_spec *spec, const tn_line *line, int32_t body, const char *name,
                            tn_marker *out)
{
    tn_marker_def marker = tn_default_marker_def();
    marker.name = name;
    marker.body = (tn_body){.i = body};
    marker.at = line->at;
    return tn_spec_add_marker(spec, &marker, out);
}

/* name: room for that of each, its end behind the name of the line. */
static tn_status add_parts(tn_spec *spec, const tn_line *line, char *name, tn_beam *out)
{
    char *end = name + strlen(name);
    const int32_t first = spec->body_count;
    tn_status status = TN_OK;
    for (int32_t i = 0; i <= line->elements && status == TN_OK; i++) {
        snprintf(end, SUFFIX_SIZE, "[%d]", (int)i);
        status = line->add_node(spec, line->def, i, name, i == 0 ? &out->node : NULL);
    }
    for (int32_t i = 0; i < line->elements && status == TN_OK; i++) {
        snprintf(end, SUFFIX_SIZE, "[%d]", (int)i);
        status = add_element(spec, line, i, first, name, i == 0 ? &out->element : NULL);
    }
    snprintf(end, SUFFIX_SIZE, ".start");
    status = status == TN_OK ? add_marker(spec, line, first, name, NULL) : status;
    snprintf(end, SUFFIX_SIZE, ".end");
    return status == TN_OK ? add_marker(spec, line, first + line->elements, name, &out->end)
                           : status;
}

tn_status tn_spec_add_line(tn_spec *spec, const tn_line *line, tn_beam *out)
{
    const size_t length = strlen(line->name);
    char *name = tn_alloc(1, length + SUFFIX_SIZE);
    if (name == NULL) {
        return TN_ERROR_MEMORY;
    }
    memcpy(name, line->name, length + 1);
    tn_beam made = {.element_count = line->elements};
    const tn_status status = add_parts(spec, line, name, &made);
    tn_free(name);
    if (status == TN_OK && out != NULL) {
        *out = made;
    }
    return status;
}
