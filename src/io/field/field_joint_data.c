/* field_joint_data.c: the points of a line, the coordinates and axes of a custom joint.
 *
 * Room io/field. All three are parts of one tn_joint_data of the joint being read; the coordinates and
 * axes make names and rows of the joint's own, which the keys after them use. An axis is an angle
 * or a length, its function takes the coordinate: both in the file's unit.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "io/field/function_io.h"
#include "io/reader/table_io.h"
#include "io/field/tables.h"

/* The data of the joint, begun if there are none; NULL when out of memory. */
static tn_joint_data *data_of(tn_reader *reader, tn_joint_def *def)
{
    if (def->data == NULL) {
        def->data = tn_reader_alloc(reader, 1, sizeof(tn_joint_data));
    }
    return (tn_joint_data *)def->data; /* the reader's own until the spec has copied it */
}

/* Names and rows as far as they are known. */
static void update_type(tn_reader *reader, const tn_joint_data *data)
{
    tn_joint_type type;
    if (reader->type != NULL && tn_joint_type_find(reader->type->name, &type) == TN_OK) {
        reader->type = tn_joint_info(type, data, &reader->own_type);
    }
}

/* points: [[x, z], ...] ------------------------------------------------------------------------ */

static void read_points(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    if (!tn_want_sequence(reader, node, field->key)) {
        return;
    }
    tn_joint_data *data = data_of(reader, target);
    const int32_t count = tn_get(reader, node)->count;
    double(*points)[2] = tn_reader_alloc(reader, count + 1, sizeof(*points));
    if (data == NULL || points == NULL) {
        return;
    }
    int32_t i = 0;
    TN_EACH(reader, node, child)
    {
        tn_read_quantities(reader, child, field->key, tn_field_measure(reader, field), 2,
                           points[i++]);
    }
    data->points = (const double(*)[2])points;
    data->point_count = count;
}

static void write_points(tn_emitter *emitter, const tn_field *field, const void *source,
                         const void *initial)
{
    (void)initial;
    const tn_joint_data *data = ((const tn_joint_def *)source)->data;
    if (data == NULL || data->point_count == 0) {
        return;
    }
    tn_emit_key(emitter, field->key);
    for (int32_t i = 0; i < data->point_count; i++) {
        tn_emit_raw(emitter, i == 0 ? "[" : ", ");
        tn_emit_numbers(emitter, data->points[i], 2);
    }
    tn_emit_raw(emitter, "]");
    tn_emit_end(emitter);
}

static void schema_points(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "array");
    tn_json_open(json, "items", '{');
    tn_schema_numbers(json, 2, 2);
    tn_json_close(json);
    tn_json_number(json, "minItems", 2);
}

const tn_field_kind tn_field_points = {read_points, write_points, schema_points};

/* coordinates: {name: angle | length} ---------------------------------------------------------- */

static const char *const units[] = {"length", "angle"}; /* by tn_coordinate_info.angular */

static int32_t read_unit(tn_reader *reader, int32_t node)
{
    const char *text = NULL;
    if (!tn_read_text(reader, node, "coordinates", &text)) {
        return 1;
    }
    for (int32_t k = 0; k < 2; k++) {
        if (strcmp(text, units[k]) == 0) {
            return k;
        }
    }
    tn_problem(reader, node, "a coordinate is an angle or a length",
               "unknown kind of coordinate '%.100s'", text);
    return 1;
}

static void read_own_coordinates(tn_reader *reader, const tn_field *field, int32_t node,
                                 void *target)
{
    if (!tn_want_mapping(reader, node, field->key)) {
        return;
    }
    tn_joint_data *data = data_of(reader, target);
    const int32_t count = tn_get(reader, node)->count;
    tn_coordinate_info *coordinates = tn_reader_alloc(reader, count + 1, sizeof(*coordinates));
    if (data == NULL || coordinates == NULL) {
        return;
    }
    int32_t i = 0;
    TN_EACH_KEY(reader, node, key)
    {
        coordinates[i].name = tn_node_text(reader->tree, key);
        coordinates[i++].angular = read_unit(reader, tn_get(reader, key)->next);
    }
    data->coordinates = coordinates;
    data->coordinate_count = i;
    update_type(reader, data);
}

static void write_own_coordinates(tn_emitter *emitter, const tn_field *field, const void *source,
                                  const void *initial)
{
    (void)initial;
    const tn_joint_data *data = ((const tn_joint_def *)source)->data;
    tn_emit_open(emitter, field->key);
    for (int32_t i = 0; data != NULL && i < data->coordinate_count; i++) {
        tn_emit_key(emitter, data->coordinates[i].name);
        tn_emit_text(emitter, units[data->coordinates[i].angular != 0]);
        tn_emit_end(emitter);
    }
    tn_emit_close(emitter, 0);
}

static void schema_own_coordinates(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "object");
    tn_json_open(json, "additionalProperties", '{');
    tn_json_open(json, "enum", '[');
    tn_json_text(json, NULL, units[1]);
    tn_json_text(json, NULL, units[0]);
    tn_json_close(json);
    tn_json_close(json);
    tn_json_number(json, "minProperties", 1);
    tn_json_number(json, "maxProperties", TN_MAX_COORDINATES);
}

const tn_field_kind tn_field_own_coordinates = {read_own_coordinates, write_own_coordinates,
                                                schema_own_coordinates};

/* axes: a list of tables ----------------------------------------------------------------------- */

/* What the table of an axis fills. */
typedef struct tn_axis_entry {
    tn_vec3 rotation, translation; /* x NaN: not given */
    tn_joint_axis axis;
    const tn_joint_data *data;
} tn_axis_entry;

static void read_axis_coordinate(tn_reader *reader, const tn_field *field, int32_t node,
                                 void *target)
{
    tn_axis_entry *entry = target;
    const char *text = NULL;
    if (!tn_read_text(reader, node, field->key, &text)) {
        return;
    }
    tn_suggestion suggestion = tn_suggestion_for(text);
    for (int32_t i = 0; i < entry->data->coordinate_count; i++) {
        if (strcmp(entry->data->coordinates[i].name, text) == 0) {
            entry->axis.coordinate = i;
            return;
        }
        tn_suggestion_offer(&suggestion, entry->data->coordinates[i].name);
    }
    char hint[TN_HINT_SIZE];
    tn_problem(reader, node, tn_suggestion_hint(&suggestion, NULL, hint),
               "unknown coordinate '%.100s': 'coordinates' names those of the joint", text);
}

static void write_axis_coordinate(tn_emitter *emitter, const tn_field *field, const void *source,
                                  const void *initial)
{
    (void)initial;
    const tn_axis_entry *entry = source;
    if (entry->axis.coordinate >= 0) {
        tn_emit_key(emitter, field->key);
        tn_emit_text(emitter, entry->data->coordinates[entry->axis.coordinate].name);
        tn_emit_end(emitter);
    }
}

static void schema_axis_coordinate(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "string");
}

static const tn_field_kind axis_coordinate = {read_axis_coordinate, write_axis_coordinate,
                                              schema_axis_coordinate};

static void read_axis_function(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_axis_entry *entry = target;
    const int32_t k = entry->axis.coordinate;
    const bool takes_angle = k >= 0 && entry->data->coordinates[k].angular;
    tn_read_function(reader, node, field->key, tn_coordinate_measure(reader, takes_angle),
                     tn_coordinate_measure(reader, !isnan(entry->rotation.x)),
                     &entry->axis.function);
}

static void write_axis_function(tn_emitter *emitter, const tn_field *field, const void *source,
                                const void *initial)
{
    (void)initial;
    const tn_axis_entry *entry = source;
    if (entry->axis.function.kind == TN_FUNCTION_CALLBACK) {
        emitter->out.status = TN_ERROR_ARGUMENT; /* a program has no form in a file */
    } else if (tn_function_kind_name(entry->axis.function.kind) != NULL) {
        tn_emit_key(emitter, field->key);
        tn_emit_function(emitter, &entry->axis.function);
        tn_emit_end(emitter);
    }
}

static void schema_axis_function(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_schema_function(json);
}

static const tn_field_kind axis_function = {read_axis_function, write_axis_function,
                                            schema_axis_function};

static const tn_field axis_fields[] = {
    {TN_FIELD("rotation", vector, tn_axis_entry, rotation),
     .doc = "A turn about this axis of the frame turned so far; the function gives the angle.",
     .measure = TN_DIRECTION, .group = "motion"},
    {TN_FIELD("translation", vector, tn_axis_entry, translation),
     .doc = "A shift along this axis of frame D; the function gives the length.",
     .measure = TN_DIRECTION, .group = "motion"},
    {.key = "coordinate",
     .kind = &axis_coordinate,
     .doc = "The coordinate the function takes; none: the function is a number."},
    {.key = "function",
     .kind = &axis_function,
     .doc = "Of the coordinate; default: the coordinate itself, in m and rad."},
};

const tn_table tn_axis_table = {.name = "axis",
                                .title = "an axis",
                                .section = TN_NO_SECTION,
                                .fields = axis_fields,
                                .field_count = (int32_t)TN_COUNT_OF(axis_fields)};

static tn_axis_entry empty_entry(const tn_joint_data *data)
{
    tn_axis_entry entry = {.axis = {.coordinate = -1}, .data = data};
    entry.rotation = entry.translation = (tn_vec3){(double)NAN, (double)NAN, (double)NAN};
    return entry;
}

static void read_axis(tn_reader *reader, int32_t node, const tn_joint_data *data,
                      tn_joint_axis *axis)
{
    tn_axis_entry entry = empty_entry(data);
    const int32_t before = reader->problems;
    tn_read_table(reader, &tn_axis_table, node, node, &entry);
    entry.axis.angular = !isnan(entry.rotation.x);
    entry.axis.axis = entry.axis.angular ? entry.rotation : entry.translation;
    if (isnan(entry.axis.axis.x) && reader->problems == before) {
        tn_problem(reader, node, "for example 'rotation: [0, 0, 1]'",
                   "this axis is neither a rotation nor a translation");
    }
    *axis = entry.axis;
}

static void read_axes(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    if (!tn_want_sequence(reader, node, field->key)) {
        return;
    }
    tn_joint_data *data = data_of(reader, target);
    const int32_t count = tn_get(reader, node)->count;
    tn_joint_axis *axes = tn_reader_alloc(reader, count + 1, sizeof(*axes));
    if (data == NULL || axes == NULL) {
        return;
    }
    int32_t i = 0;
    TN_EACH(reader, node, entry)
    {
        read_axis(reader, entry, data, &axes[i++]);
    }
    data->axes = axes;
    data->axis_count = count;
    update_type(reader, data);
}

static void write_axes(tn_emitter *emitter, const tn_field *field, const void *source,
                       const void *initial)
{
    (void)initial;
    const tn_joint_data *data = ((const tn_joint_def *)source)->data;
    if (data != NULL && data->motion != NULL) {
        emitter->out.status = TN_ERROR_ARGUMENT; /* a program has no form in a file */
    }
    tn_emit_open(emitter, field->key);
    for (int32_t i = 0; data != NULL && i < data->axis_count; i++) {
        const tn_axis_entry plain = empty_entry(data);
        tn_axis_entry entry = plain;
        entry.axis = data->axes[i];
        *(entry.axis.angular ? &entry.rotation : &entry.translation) = entry.axis.axis;
        tn_emit_open(emitter, NULL);
        tn_write_table(emitter, &tn_axis_table, &entry, &plain);
        tn_emit_close(emitter, 0);
    }
    tn_emit_close(emitter, 0);
}

static void schema_axes(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "array");
    tn_json_open(json, "items", '{');
    tn_schema_reference(json, tn_axis_table.name);
    tn_json_close(json);
    tn_json_number(json, "minItems", 1);
}

const tn_field_kind tn_field_axes = {read_axes, write_axes, schema_axes};
