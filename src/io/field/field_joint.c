/* field_joint.c: the bodies, the type and the parameters of a joint.
 *
 * Room io/field. Names come from the registry (joint.h); nothing here knows a type by name. While the
 * type is unknown, values are checked as far as they can be and go nowhere.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "io/reader/number.h"
#include "io/reader/table_io.h"
#include "io/field/tables.h"
#include "spec/validate/validate.h"

/* body: a name or ground --------------------------------------------------------------------- */

#define GROUND_NAME "ground"

static void read_body(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    const tn_node *n = tn_get(reader, node);
    tn_body *body = tn_field_target(field, target);
    if (n->kind == TN_NODE_SCALAR && strcmp(tn_node_text(reader->tree, node), GROUND_NAME) == 0) {
        *body = tn_ground();
        if (!(field->flags & TN_FIELD_GROUND)) {
            tn_problem(reader, node, "swap a and b",
                       "'%s' is the side that moves and cannot be the ground", field->key);
        }
        return;
    }
    tn_read_reference(reader, node, field->key, &reader->names[TN_SECTION_BODY], "body", &body->i);
}

static void write_body(tn_emitter *emitter, const tn_field *field, const void *source,
                       const void *initial)
{
    (void)initial;
    const tn_body *body = tn_field_source(field, source);
    tn_emit_key(emitter, field->key);
    tn_emit_text(emitter, body->i == TN_GROUND_INDEX ? GROUND_NAME
                                                     : tn_spec_body(emitter->spec, *body)->name);
    tn_emit_end(emitter);
}

static void schema_body(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "string");
}

const tn_field_kind tn_field_body = {read_body, write_body, schema_body};

/* joint_type ---------------------------------------------------------------------------------- */

/* All names and aliases of types, one after the other; NULL after the last one. */
static const char *type_word(int32_t index)
{
    for (int32_t i = 0; i < tn_joint_type_count(); i++) {
        const tn_joint_type_info *info = tn_joint_type_get((tn_joint_type){i});
        if (index-- == 0) {
            return info->name;
        }
        for (const char *const *alias = info->aliases; alias != NULL && *alias != NULL; alias++) {
            if (index-- == 0) {
                return *alias;
            }
        }
    }
    return NULL;
}

static void read_joint_type(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    const char *text = NULL;
    tn_joint_type type;
    if (!tn_read_text(reader, node, field->key, &text)) {
        return;
    }
    if (tn_joint_type_find(text, &type) == TN_OK) {
        reader->type = tn_joint_type_get(type);
        *(const char **)tn_field_target(field, target) = text;
        return;
    }
    tn_suggestion suggestion = tn_suggestion_for(text);
    tn_joint_types_offer(&suggestion);
    char hint[TN_HINT_SIZE];
    tn_problem(reader, node, tn_suggestion_hint(&suggestion, "'tenon joints'", hint),
               "unknown joint type '%.100s'", text);
}

static void schema_joint_type(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_open(json, "enum", '[');
    for (int32_t i = 0; type_word(i) != NULL; i++) {
        tn_json_text(json, NULL, type_word(i));
    }
    tn_json_close(json);
}

static void write_joint_type(tn_emitter *emitter, const tn_field *field, const void *source,
                             const void *initial)
{
    tn_field_text.write(emitter, field, source, initial);
}

const tn_field_kind tn_field_joint_type = {read_joint_type, write_joint_type, schema_joint_type};

/* parameters of the type ------------------------------------------------------------------------
 */

static int32_t find_parameter(const tn_joint_type_info *info, const char *name)
{
    for (int32_t i = 0; i < info->parameter_count; i++) {
        if (strcmp(info->parameters[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static bool is_parameter_of_any_type(const char *name)
{
    for (int32_t i = 0; i < tn_joint_type_count(); i++) {
        if (find_parameter(tn_joint_type_get((tn_joint_type){i}), name) >= 0) {
            return true;
        }
    }
    return false;
}

int tn_read_joint_parameter(tn_reader *reader, int32_t key, int32_t value, void *target)
{
    tn_joint_def *def = target;
    const char *name = tn_node_text(reader->tree, key);
    if (reader->type == NULL) {
        return is_parameter_of_any_type(name);
    }
    int32_t i = find_parameter(reader->type, name);
    if (i < 0) {
        return 0;
    }
    const tn_parameter_info *info = &reader->type->parameters[i];
    const bool angle = strcmp(info->unit, "rad") == 0;
    const tn_measure measure = {.unit = info->unit, .plain = angle ? reader->angle : 1.0};
    tn_begin_field(reader, info->name, value);
    if (!isnan(def->parameters[i])) {
        tn_problem(reader, key, NULL, "'%s' is given twice", name);
    } else {
        tn_read_quantity(reader, value, name, measure, &def->parameters[i]);
    }
    reader->field_place = -1;
    return 1;
}

void tn_write_joint_parameters(tn_emitter *emitter, const void *source)
{
    const tn_joint_def *def = source;
    for (int32_t i = 0; i < emitter->type->parameter_count; i++) {
        if (!isnan(def->parameters[i])) {
            tn_emit_key(emitter, emitter->type->parameters[i].name);
            tn_emit_number(emitter, def->parameters[i]);
            tn_emit_end(emitter);
        }
    }
}

const char *tn_joint_key(const tn_reader *reader, int32_t index)
{
    const tn_joint_type_info *info = reader->type;
    return info != NULL && index < info->parameter_count ? info->parameters[index].name : NULL;
}

/* The coordinates of a type as the only properties of a field that is a mapping from them. */
static void schema_type_coordinates(tn_json *json, const tn_joint_type_info *info, const char *key)
{
    tn_json_open(json, key, '{');
    tn_json_open(json, "propertyNames", '{');
    tn_json_open(json, "enum", '[');
    for (int32_t i = 0; i < info->coordinate_count; i++) {
        tn_json_text(json, NULL, info->coordinates[i].name);
    }
    tn_json_close(json);
    tn_json_close(json);
    tn_json_close(json);
}

static void schema_type_locks(tn_json *json, const tn_joint_type_info *info)
{
    tn_json_open(json, "locked", '{');
    tn_json_open(json, "items", '{');
    tn_json_open(json, "enum", '[');
    for (int32_t i = 0; i < info->coordinate_count; i++) {
        tn_json_text(json, NULL, info->coordinates[i].name);
    }
    tn_json_close(json);
    tn_json_close(json);
    tn_json_close(json);
}

static void schema_parameter(tn_json *json, const tn_parameter_info *parameter)
{
    char doc[256];
    snprintf(doc, sizeof(doc), "%s [%s]", parameter->summary, parameter->unit);
    tn_json_open(json, parameter->name, '{');
    tn_json_text(json, "description", doc);
    tn_schema_number(json);
    tn_json_close(json);
}

/* The keys a type with data cannot do without. */
static void schema_data(tn_json *json, tn_joint_data_kind data)
{
    static const char *const keys[][3] = {[TN_JOINT_DATA_NONE] = {NULL},
                                          [TN_JOINT_DATA_POINTS] = {"points", NULL},
                                          [TN_JOINT_DATA_AXES] = {"coordinates", "axes", NULL}};
    if (keys[data][0] == NULL) {
        return;
    }
    tn_json_open(json, "required", '[');
    for (const char *const *key = keys[data]; *key != NULL; key++) {
        tn_json_text(json, NULL, *key);
    }
    tn_json_close(json);
}

/* if the type is this one, then these properties */
static void schema_type(tn_json *json, const tn_joint_type_info *info)
{
    tn_json_open(json, NULL, '{');
    tn_json_open(json, "if", '{');
    tn_json_open(json, "properties", '{');
    tn_json_open(json, "type", '{');
    tn_json_open(json, "enum", '[');
    tn_json_text(json, NULL, info->name);
    for (const char *const *alias = info->aliases; alias != NULL && *alias != NULL; alias++) {
        tn_json_text(json, NULL, *alias);
    }
    tn_json_close(json);
    tn_json_close(json);
    tn_json_close(json);
    tn_json_close(json);
    tn_json_open(json, "then", '{');
    tn_json_text(json, "description", info->summary);
    tn_json_open(json, "properties", '{');
    for (int32_t i = 0; i < info->parameter_count; i++) {
        schema_parameter(json, &info->parameters[i]);
    }
    if (info->data != TN_JOINT_DATA_AXES) { /* those have coordinates of their own */
        schema_type_coordinates(json, info, "initial");
        schema_type_coordinates(json, info, "set");
        schema_type_coordinates(json, info, "range");
        schema_type_coordinates(json, info, "restitution");
        schema_type_coordinates(json, info, "armature");
        schema_type_locks(json, info);
    }
    tn_json_close(json);
    schema_data(json, info->data);
    tn_json_close(json);
    tn_json_close(json);
}

void tn_schema_joint_types(tn_json *json)
{
    tn_json_open(json, "allOf", '[');
    for (int32_t i = 0; i < tn_joint_type_count(); i++) {
        schema_type(json, tn_joint_type_get((tn_joint_type){i}));
    }
    tn_json_close(json);
}
