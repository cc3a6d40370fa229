/* field_load.c: markers, and vectors whose components are numbers or functions of time.
 *
 * Room io/field.
 */
#include <string.h>

#include "io/reader/advice.h"
#include "io/field/coupling_tables.h"
#include "io/field/function_io.h"
#include "io/field/load_io.h"
#include "io/reader/table_io.h"

#define IN_PLANE 2
#define IN_SPACE 3

static void schema_name(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "string");
}

/* body: one that a load acts on -------------------------------------------------------------------
 */

static void read_body(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_body *body = tn_field_target(field, target);
    const tn_node *n = tn_get(reader, node);
    if (n->kind == TN_NODE_SCALAR && strcmp(tn_node_text(reader->tree, node), "ground") == 0) {
        tn_problem(reader, node, "name a body", "the ground does not move: a load does nothing");
        return;
    }
    tn_read_reference(reader, node, field->key, &reader->names[TN_SECTION_BODY], "body", &body->i);
}

static void write_body(tn_emitter *emitter, const tn_field *field, const void *source,
                       const void *initial)
{
    const tn_body *body = tn_field_source(field, source);
    if (body->i >= 0) {
        tn_field_body.write(emitter, field, source, initial);
    }
}

const tn_field_kind tn_field_loaded_body = {read_body, write_body, schema_name};

/* along: a coordinate as joint.coordinate ---------------------------------------------------------
 */

static void read_along(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_field_coupled.read(reader, field, node, target);
}

static void write_along(tn_emitter *emitter, const tn_field *field, const void *source,
                        const void *initial)
{
    const tn_coupling_term *term = tn_field_source(field, source);
    if (term->joint.i >= 0) {
        tn_field_coupled.write(emitter, field, source, initial);
    }
}

const tn_field_kind tn_field_along = {read_along, write_along, schema_name};

/* marker ---------------------------------------------------------------------------------------
 */

static void read_marker(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_marker *marker = tn_field_target(field, target);
    tn_read_reference(reader, node, field->key, &reader->names[TN_SECTION_MARKER], "marker",
                      &marker->i);
}

static void write_marker(tn_emitter *emitter, const tn_field *field, const void *source,
                         const void *initial)
{
    (void)initial;
    const tn_marker *marker = tn_field_source(field, source);
    if (marker->i >= 0) {
        tn_emit_key(emitter, field->key);
        tn_emit_text(emitter, tn_spec_marker(emitter->spec, *marker)->name);
        tn_emit_end(emitter);
    }
}

const tn_field_kind tn_field_marker = {read_marker, write_marker, schema_name};

/* between: two of them --------------------------------------------------------------------------
 */

static void read_between(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_marker *markers = tn_field_target(field, target);
    const tn_node *n = tn_get(reader, node);
    if (n->kind != TN_NODE_SEQUENCE || n->count != 2) {
        tn_wrong_type(reader, node, field->key, "a list of two markers", NULL);
        return;
    }
    int32_t k = 0;
    TN_EACH(reader, node, child)
    {
        tn_read_reference(reader, child, field->key, &reader->names[TN_SECTION_MARKER], "marker",
                          &markers[k++].i);
    }
}

static void write_between(tn_emitter *emitter, const tn_field *field, const void *source,
                          const void *initial)
{
    (void)initial;
    const tn_marker *markers = tn_field_source(field, source);
    if (markers[0].i < 0 || markers[1].i < 0) {
        return;
    }
    tn_emit_key(emitter, field->key);
    tn_emit_raw(emitter, "[");
    tn_emit_text(emitter, tn_spec_marker(emitter->spec, markers[0])->name);
    tn_emit_raw(emitter, ", ");
    tn_emit_text(emitter, tn_spec_marker(emitter->spec, markers[1])->name);
    tn_emit_raw(emitter, "]");
    tn_emit_end(emitter);
}

static void schema_between(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "array");
    tn_json_number(json, "minItems", 2);
    tn_json_number(json, "maxItems", 2);
    tn_json_open(json, "items", '{');
    tn_json_text(json, "type", "string");
    tn_json_close(json);
}

const tn_field_kind tn_field_between = {read_between, write_between, schema_between};

/* components: a vector, each component a number or a function of the time in s
 * ---------------------
 */

static void read_components(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_function_def *out = tn_field_target(field, target);
    const tn_node *n = tn_get(reader, node);
    const int count = reader->planar ? IN_PLANE : IN_SPACE;
    if (n->kind == TN_NODE_SEQUENCE && n->count != count) {
        tn_problem(reader, node,
                   reader->planar ? "x and y: the file says 'world: planar'" : "x, y and z",
                   "'%s' has %d number%s, needs %d", field->key, (int)n->count,
                   n->count == 1 ? "" : "s", count);
        return;
    }
    if (n->kind != TN_NODE_SEQUENCE) {
        char hint[TN_HINT_SIZE];
        tn_wrong_type(reader, node, field->key,
                      reader->planar ? "a list of two numbers or functions of time"
                                     : "a list of three numbers or functions of time",
                      tn_advice_on_vector(reader, node, count, hint));
        return;
    }
    int32_t k = 0;
    TN_EACH(reader, node, child)
    {
        tn_read_function(reader, child, field->key, tn_time_measure(),
                         tn_field_measure(reader, field), &out[k++]);
    }
}

static void emit_component(tn_emitter *emitter, const tn_function_def *def)
{
    if (tn_function_kind_name(def->kind) == NULL) {
        tn_emit_number(emitter, 0.0);
    } else {
        tn_emit_function(emitter, def);
    }
}

static void write_components(tn_emitter *emitter, const tn_field *field, const void *source,
                             const void *initial)
{
    (void)initial;
    const tn_function_def *defs = tn_field_source(field, source);
    const int planar = tn_spec_world(emitter->spec)->kind == TN_WORLD_PLANAR;
    int given = 0;
    for (int i = 0; i < IN_SPACE; i++) {
        given |= defs[i].kind != TN_FUNCTION_NONE;
    }
    if (!given) {
        return;
    }
    tn_emit_key(emitter, field->key);
    for (int i = 0; i < (planar ? IN_PLANE : IN_SPACE); i++) {
        tn_emit_raw(emitter, i > 0 ? ", " : "[");
        emit_component(emitter, &defs[i]);
    }
    tn_emit_raw(emitter, "]");
    tn_emit_end(emitter);
}

static void schema_components(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "array");
    tn_json_number(json, "minItems", IN_PLANE);
    tn_json_number(json, "maxItems", IN_SPACE);
    tn_json_open(json, "items", '{');
    tn_schema_function(json);
    tn_json_close(json);
}

const tn_field_kind tn_field_components = {read_components, write_components, schema_components};

/* moment: in a planar world one number or function, about z --------------------------------------
 */

static void read_moment(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_function_def *out = tn_field_target(field, target);
    if (!reader->planar) {
        read_components(reader, field, node, target);
    } else {
        tn_read_function(reader, node, field->key, tn_time_measure(),
                         tn_field_measure(reader, field), &out[2]);
    }
}

static void write_moment(tn_emitter *emitter, const tn_field *field, const void *source,
                         const void *initial)
{
    const tn_function_def *defs = tn_field_source(field, source);
    if (tn_spec_world(emitter->spec)->kind != TN_WORLD_PLANAR) {
        write_components(emitter, field, source, initial);
    } else if (defs[2].kind != TN_FUNCTION_NONE) {
        tn_emit_key(emitter, field->key);
        emit_component(emitter, &defs[2]);
        tn_emit_end(emitter);
    }
}

static void schema_moment(tn_json *json, const tn_field *field)
{
    tn_json_open(json, "anyOf", '[');
    tn_json_open(json, NULL, '{');
    tn_schema_function(json);
    tn_json_close(json);
    tn_json_open(json, NULL, '{');
    schema_components(json, field);
    tn_json_close(json);
    tn_json_close(json);
}

const tn_field_kind tn_field_moment = {read_moment, write_moment, schema_moment};
