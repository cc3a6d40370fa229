/* field_joint.c: what depends on the type of a joint: coordinates, rows, parameters.
 *
 * Room io. Names come from the registry (joint.h); nothing here knows a type by name. While the
 * type is unknown, values are checked as far as they can be and go nowhere.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "io/reader.h"
#include "io/table_io.h"
#include "io/tables.h"

/* Room for the names of a type's coordinates in a hint. */
#define LIST_SIZE 120

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
    for (int32_t i = 0; type_word(i) != NULL; i++) {
        tn_suggestion_offer(&suggestion, type_word(i));
    }
    char hint[TN_HINT_SIZE];
    tn_problem(reader, node, tn_hint_for(suggestion.best, hint), "unknown joint type '%.100s'",
               text);
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

/* coordinates: a mapping from names to numbers, NaN where there is none ------------------------ */

/* Index of the coordinate named by a node, -1 when the type has none or is unknown. */
static int32_t find_coordinate(tn_reader *reader, int32_t node)
{
    const char *text = tn_node_text(reader->tree, node);
    if (reader->type == NULL) {
        return -1;
    }
    char list[LIST_SIZE] = "";
    size_t used = 0;
    for (int32_t i = 0; i < reader->type->coordinate_count; i++) {
        const char *name = reader->type->coordinates[i].name;
        if (strcmp(name, text) == 0) {
            return i;
        }
        int size = snprintf(list + used, sizeof(list) - used, "%s%s", i > 0 ? ", " : "", name);
        used = size > 0 && used + (size_t)size < sizeof(list) ? used + (size_t)size : used;
    }
    char hint[LIST_SIZE + 64];
    snprintf(hint, sizeof(hint), "a %s has %s%s", reader->type->name,
             list[0] != '\0' ? "the coordinates " : "no coordinates", list);
    /* the coordinates beside it are still to be checked: the field is not bad */
    int32_t place = reader->field_place;
    reader->field_place = -1;
    tn_problem(reader, node, hint, "unknown coordinate '%.100s'", text);
    reader->field_place = place;
    return -1;
}

static double coordinate_unit(const tn_reader *reader, int32_t coordinate)
{
    return reader->type->coordinates[coordinate].angular ? reader->angle : 1.0;
}

/* Goes through a mapping from coordinates; `one` reads the value of a coordinate that exists. */
static void read_by_coordinate(tn_reader *reader, const tn_field *field, int32_t node,
                               void (*one)(tn_reader *, const tn_field *, int32_t, int32_t, void *),
                               void *target)
{
    if (!tn_want_mapping(reader, node, field->key)) {
        return;
    }
    int seen[TN_MAX_COORDINATES] = {0};
    TN_EACH_KEY(reader, node, key)
    {
        int32_t value = tn_get(reader, key)->next;
        reader->sub_place = -1;
        int32_t i = find_coordinate(reader, key);
        if (i < 0) {
            continue;
        }
        if (seen[i]++) {
            tn_problem(reader, key, NULL, "'%s' is given twice", reader->type->coordinates[i].name);
            continue;
        }
        tn_begin_sub(reader, field->key, i, value);
        one(reader, field, i, value, target);
    }
}

static void read_coordinate(tn_reader *reader, const tn_field *field, int32_t coordinate,
                            int32_t node, void *target)
{
    double value = 0.0;
    if (tn_read_number(reader, node, reader->type->coordinates[coordinate].name, &value)) {
        ((double *)tn_field_target(field, target))[coordinate] =
            value * coordinate_unit(reader, coordinate);
    }
}

static void read_coordinates(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    read_by_coordinate(reader, field, node, read_coordinate, target);
}

static void write_coordinates(tn_emitter *emitter, const tn_field *field, const void *source,
                              const void *initial)
{
    (void)initial;
    const double *values = tn_field_source(field, source);
    tn_emit_open(emitter, field->key);
    for (int32_t i = 0; i < emitter->type->coordinate_count; i++) {
        if (!isnan(values[i])) {
            tn_emit_key(emitter, emitter->type->coordinates[i].name);
            tn_emit_number(emitter, values[i]);
            tn_emit_end(emitter);
        }
    }
    tn_emit_close(emitter, 0);
}

static void schema_coordinates(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "object");
    tn_json_open(json, "additionalProperties", '{');
    tn_json_text(json, "type", "number");
    tn_json_close(json);
}

const tn_field_kind tn_field_coordinates = {read_coordinates, write_coordinates,
                                            schema_coordinates};

/* ranges: [lower, upper] by coordinate; target: lower[], the upper bounds are at field->extra ---
 */

static size_t upper_offset(const tn_field *field)
{
    return *(const size_t *)field->extra;
}

/* The only place where infinity is allowed. */
static int read_bound(tn_reader *reader, int32_t node, double *value)
{
    tn_scalar scalar = tn_node_scalar(reader, node);
    if (scalar.kind == TN_SCALAR_INFINITE) {
        *value = scalar.number;
        return 1;
    }
    return tn_read_number(reader, node, "range", value);
}

static void read_range(tn_reader *reader, const tn_field *field, int32_t coordinate, int32_t node,
                       void *target)
{
    if (!tn_want_sequence(reader, node, field->key)) {
        return;
    }
    if (tn_get(reader, node)->count != 2) {
        tn_problem(reader, node, NULL, "'%s' must be [lower, upper], not a list of %d", field->key,
                   (int)tn_get(reader, node)->count);
        return;
    }
    double bounds[2];
    int ok = 1;
    int32_t i = 0;
    TN_EACH(reader, node, child)
    {
        ok &= read_bound(reader, child, &bounds[i++]);
    }
    if (ok) {
        double unit = coordinate_unit(reader, coordinate);
        ((double *)tn_field_target(field, target))[coordinate] = bounds[0] * unit;
        ((double *)(void *)((char *)target + upper_offset(field)))[coordinate] = bounds[1] * unit;
    }
}

static void read_ranges(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    read_by_coordinate(reader, field, node, read_range, target);
}

static void write_ranges(tn_emitter *emitter, const tn_field *field, const void *source,
                         const void *initial)
{
    (void)initial;
    const double *lower = tn_field_source(field, source);
    const double *upper =
        (const double *)(const void *)((const char *)source + upper_offset(field));
    tn_emit_open(emitter, field->key);
    for (int32_t i = 0; i < emitter->type->coordinate_count; i++) {
        if (!isinf(lower[i]) || !isinf(upper[i])) {
            tn_emit_key(emitter, emitter->type->coordinates[i].name);
            tn_emit_numbers(emitter, (const double[]){lower[i], upper[i]}, 2);
            tn_emit_end(emitter);
        }
    }
    tn_emit_close(emitter, 0);
}

static void schema_ranges(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "object");
    tn_json_open(json, "additionalProperties", '{');
    tn_schema_numbers(json, 2, 2);
    tn_json_close(json);
}

const tn_field_kind tn_field_ranges = {read_ranges, write_ranges, schema_ranges};

/* locks: a list of coordinates ----------------------------------------------------------------- */

static void read_locks(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    int32_t *locked = tn_field_target(field, target);
    if (!tn_want_sequence(reader, node, field->key)) {
        return;
    }
    TN_EACH(reader, node, child)
    {
        const char *name = NULL;
        int32_t i =
            tn_read_text(reader, child, field->key, &name) ? find_coordinate(reader, child) : -1;
        if (i >= 0 && locked[i]) {
            tn_problem(reader, child, NULL, "'%s' is given twice", name);
        } else if (i >= 0) {
            locked[i] = 1;
        }
    }
}

static void write_locks(tn_emitter *emitter, const tn_field *field, const void *source,
                        const void *initial)
{
    (void)initial;
    const int32_t *locked = tn_field_source(field, source);
    int32_t count = 0;
    for (int32_t i = 0; i < emitter->type->coordinate_count; i++) {
        if (!locked[i]) {
            continue;
        }
        if (count++ == 0) {
            tn_emit_key(emitter, field->key);
        }
        tn_emit_raw(emitter, count == 1 ? "[" : ", ");
        tn_emit_text(emitter, emitter->type->coordinates[i].name);
    }
    if (count > 0) {
        tn_emit_raw(emitter, "]");
        tn_emit_end(emitter);
    }
}

static void schema_locks(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "array");
    tn_json_open(json, "items", '{');
    tn_json_text(json, "type", "string");
    tn_json_close(json);
}

const tn_field_kind tn_field_locks = {read_locks, write_locks, schema_locks};

/* rows: one number for all bilateral rows, or a list for the first ones; null leaves a row ------
 */

static void read_row_list(tn_reader *reader, const tn_field *field, int32_t node, double *values)
{
    int32_t most = reader->type != NULL ? reader->type->row_count : TN_MAX_ROWS;
    if (tn_get(reader, node)->count > most) {
        tn_problem(reader, node, NULL, "'%s' has %d numbers, the joint has %d rows", field->key,
                   (int)tn_get(reader, node)->count, (int)most);
        return;
    }
    int32_t i = 0;
    TN_EACH(reader, node, child)
    {
        tn_begin_sub(reader, field->key, i, child);
        if (tn_node_scalar(reader, child).kind != TN_SCALAR_NULL) {
            tn_read_number(reader, child, field->key, &values[i]);
        }
        i++;
    }
}

static void read_row_values(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    double *values = tn_field_target(field, target);
    const tn_node *n = tn_get(reader, node);
    double value = 0.0;
    if (n->kind == TN_NODE_SEQUENCE) {
        read_row_list(reader, field, node, values);
    } else if (n->kind == TN_NODE_MAPPING) {
        tn_wrong_type(reader, node, field->key, "a number or a list of numbers");
    } else if (tn_read_number(reader, node, field->key, &value)) {
        for (int32_t i = 0; reader->type != NULL && i < reader->type->bilateral_count; i++) {
            values[i] = value;
        }
    }
}

/* Number of entries a list needs: up to the last row that has a value. */
static int32_t used_rows(const tn_emitter *emitter, const double *values)
{
    int32_t count = emitter->type->row_count;
    while (count > 0 && isnan(values[count - 1])) {
        count--;
    }
    return count;
}

static void write_row_values(tn_emitter *emitter, const tn_field *field, const void *source,
                             const void *initial)
{
    (void)initial;
    const double *values = tn_field_source(field, source);
    int32_t count = used_rows(emitter, values);
    if (count == 0) {
        return;
    }
    tn_emit_key(emitter, field->key);
    for (int32_t i = 0; i < count; i++) {
        tn_emit_raw(emitter, i == 0 ? "[" : ", ");
        if (isnan(values[i])) {
            tn_emit_raw(emitter, "null");
        } else {
            tn_emit_number(emitter, values[i]);
        }
    }
    tn_emit_raw(emitter, "]");
    tn_emit_end(emitter);
}

static void schema_rows(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_open(json, "oneOf", '[');
    tn_json_open(json, NULL, '{');
    tn_json_text(json, "type", "number");
    tn_json_close(json);
    tn_json_open(json, NULL, '{');
    tn_json_text(json, "type", "array");
    tn_json_open(json, "items", '{');
    tn_json_open(json, "type", '[');
    tn_json_text(json, NULL, "number");
    tn_json_text(json, NULL, "null");
    tn_json_close(json);
    tn_json_close(json);
    tn_json_number(json, "maxItems", TN_MAX_ROWS);
    tn_json_close(json);
    tn_json_close(json);
}

const tn_field_kind tn_field_rows = {read_row_values, write_row_values, schema_rows};

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

static int is_parameter_of_any_type(const char *name)
{
    for (int32_t i = 0; i < tn_joint_type_count(); i++) {
        if (find_parameter(tn_joint_type_get((tn_joint_type){i}), name) >= 0) {
            return 1;
        }
    }
    return 0;
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
    double number = 0.0;
    tn_begin_field(reader, info->name, value);
    if (!isnan(def->parameters[i])) {
        tn_problem(reader, key, NULL, "'%s' is given twice", name);
    } else if (tn_read_number(reader, value, name, &number)) {
        def->parameters[i] = number * (strcmp(info->unit, "rad") == 0 ? reader->angle : 1.0);
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
    tn_json_text(json, "type", "number");
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
    schema_type_coordinates(json, info, "initial");
    schema_type_coordinates(json, info, "set");
    schema_type_coordinates(json, info, "range");
    schema_type_coordinates(json, info, "restitution");
    schema_type_locks(json, info);
    tn_json_close(json);
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
