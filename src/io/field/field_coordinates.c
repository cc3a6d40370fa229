/* field_coordinates.c: values, ranges and locks of a joint's coordinates.
 *
 * Room io/field. The names of the coordinates come from the joint's type; angles are in the file's unit.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/reader/advice.h"
#include "io/reader/number.h"
#include "io/field/kinds.h"

/* coordinates: a mapping from names to numbers, NaN where there is none ------------------------ */

/* What counts the angles that a ball joint without coordinates does not. */
static const char *instead_of(const tn_reader *reader)
{
    if (!tn_joint_is_ball(reader->type)) {
        return "";
    }
    return reader->planar ? ": a hinge counts its angle theta, which can be limited"
                          : ": a gimbal counts three angles, a spherical_tilt or "
                            "spherical_swing_twist can be limited";
}

/* Index of the coordinate named by a node, -1 when the type has none or is unknown. */
static int32_t find_coordinate(tn_reader *reader, int32_t node)
{
    const char *text = tn_node_text(reader->tree, node);
    if (reader->type == NULL) {
        return -1;
    }
    tn_suggestion suggestion = tn_suggestion_for(text);
    for (int32_t i = 0; i < reader->type->coordinate_count; i++) {
        const char *name = reader->type->coordinates[i].name;
        if (strcmp(name, text) == 0) {
            return i;
        }
        tn_suggestion_offer(&suggestion, name);
    }
    char hint[TN_HINT_SIZE];
    const char *advice = tn_advice_on_coordinate(text);
    if (reader->type->coordinate_count > 0 && advice != NULL) {
        snprintf(hint, sizeof(hint), "%s", advice);
    } else if (reader->type->coordinate_count > 0) {
        tn_suggestion_hint(&suggestion, NULL, hint);
    } else {
        snprintf(hint, sizeof(hint), "a %s has no coordinates%s", reader->type->name,
                 instead_of(reader));
    }
    /* the coordinates beside it are still to be checked: the field is not bad */
    int32_t place = reader->field_place;
    reader->field_place = -1;
    tn_problem(reader, node, hint, "unknown coordinate '%.100s'", text);
    reader->field_place = place;
    return -1;
}

/* A coordinate, or what is given by coordinate; the latter may be a plain number. */
static tn_measure coordinate_measure(const tn_reader *reader, const tn_field *field)
{
    const bool angle =
        (field->flags & TN_FIELD_ANGLE) != 0 && reader->coordinate_kind == TN_COORDINATE_ANGLE;
    return (tn_measure){.unit = field->measure, .plain = angle ? reader->angle : 1.0};
}

/* For examples. */
static const char *first_coordinate(const tn_reader *reader)
{
    const bool any = reader->type != NULL && reader->type->coordinate_count > 0;
    return any ? reader->type->coordinates[0].name : "theta";
}

void tn_read_by_coordinate(tn_reader *reader, const tn_field *field, int32_t node,
                           tn_coordinate_reader one, void *target)
{
    if (tn_get(reader, node)->kind != TN_NODE_MAPPING) {
        char hint[TN_HINT_SIZE];
        const char *coordinate = first_coordinate(reader);
        snprintf(hint, sizeof(hint), "by coordinate, as in %s: {%s: ...}", field->key, coordinate);
        tn_wrong_type(reader, node, field->key, "a mapping (key: value)", hint);
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
        tn_begin_coordinate(reader, reader->type->coordinates[i].angular);
        one(reader, field, i, value, target);
    }
    reader->coordinate_kind = TN_COORDINATE_UNKNOWN;
}

static void read_coordinate(tn_reader *reader, const tn_field *field, int32_t coordinate,
                            int32_t node, void *target)
{
    double *values = tn_field_target(field, target);
    tn_read_quantity(reader, node, reader->type->coordinates[coordinate].name,
                     coordinate_measure(reader, field), &values[coordinate]);
}

static void read_coordinates(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_read_by_coordinate(reader, field, node, read_coordinate, target);
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
    tn_schema_number(json);
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

/* Bounds of less than this many degrees, both, look like rad: pi is 3.14. */
#define SMALL_DEGREES 3.2
/* A bound of more turns than this looks like degrees: 90 rad are 14 turns. */
#define MANY_TURNS 4.0
#define TURN       6.28318530717958648

/* A range of plain numbers that would be usual in the other unit of angle. */
static void remark_unit(tn_reader *reader, int32_t node, const double bounds[2])
{
    const double most = fmax(fabs(bounds[0]), fabs(bounds[1])) / reader->angle; /* as written */
    const tn_node *n = tn_get(reader, node);
    const int32_t second = tn_get(reader, n->first)->next;
    const bool plain = tn_node_scalar(reader, n->first).kind == TN_SCALAR_NUMBER &&
                       tn_node_scalar(reader, second).kind == TN_SCALAR_NUMBER;
    const bool degrees = reader->angle != 1.0;
    if (!plain || (degrees ? !(most > 0.0 && most < SMALL_DEGREES) : !(most > MANY_TURNS * TURN))) {
        return;
    }
    tn_diagnostics_add(tn_spec_remarks(reader->spec), TN_WARNING, TN_OK,
                       tn_node_location(reader, node),
                       degrees ? "write the unit: [-1.5 rad, 1.5 rad]"
                               : "write the unit, [-90 deg, 90 deg], or 'angle: deg' in the file",
                       "joint '%s': a range up to %g %s: is it meant in %s?", reader->name, most,
                       degrees ? "degrees" : "rad", degrees ? "rad" : "degrees");
}

static void read_range(tn_reader *reader, const tn_field *field, int32_t coordinate, int32_t node,
                       void *target)
{
    double bounds[2] = {0.0, 0.0};
    if (tn_read_bounds(reader, node, field->key, coordinate_measure(reader, field), bounds)) {
        if (reader->coordinate_kind == TN_COORDINATE_ANGLE) {
            remark_unit(reader, node, bounds);
        }
        ((double *)tn_field_target(field, target))[coordinate] = bounds[0];
        ((double *)(void *)((char *)target + upper_offset(field)))[coordinate] = bounds[1];
    }
}

static void read_ranges(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_read_by_coordinate(reader, field, node, read_range, target);
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
    if (tn_get(reader, node)->kind != TN_NODE_SEQUENCE) {
        char hint[TN_HINT_SIZE];
        snprintf(hint, sizeof(hint), "coordinates by name, as in %s: [%s]", field->key,
                 first_coordinate(reader));
        tn_wrong_type(reader, node, field->key, "a list", hint);
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
