/* field_rows.c: compliance, stiffness and damping of a joint's rows.
 *
 * Room io/field. One number for all constraint rows, or a list for the first rows in which null leaves a
 * row unchanged; always in SI units. Which of the two it was is stored with the values (tn_rows_meant), because the
 * meaning of a list of at most three depends on the bodies.
 */
#include <math.h>

#include "io/reader/number.h"
#include "io/field/kinds.h"

/* Most entries of a list that may mean the rows of a planar joint. */
#define PLANE_ROWS 3

static int32_t told_at(const tn_field *field, const void *source)
{
    return *(const int32_t *)((const char *)source + *(const size_t *)field->extra);
}

static void tell(const tn_field *field, void *target, int32_t told)
{
    *(int32_t *)((char *)target + *(const size_t *)field->extra) = told;
}

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
            tn_read_quantity(reader, child, field->key, tn_field_measure(reader, field),
                             &values[i]);
        }
        i++;
    }
}

/* One number for all constraint rows of the joint: those of its own axes, if it has some. */
static void fill_rows(const tn_reader *reader, const tn_joint_def *def, double value,
                      double *values)
{
    tn_joint_own_info own;
    tn_joint_type type;
    if (reader->type == NULL || tn_joint_type_find(reader->type->name, &type) != TN_OK) {
        return;
    }
    const tn_joint_type_info *info = tn_joint_info(type, def->data, &own);
    for (int32_t i = 0; i < info->row_count; i++) {
        if (tn_joint_row_holds(info, i)) {
            values[i] = value;
        }
    }
}

static void read_row_values(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    double *values = tn_field_target(field, target);
    const tn_node *n = tn_get(reader, node);
    double value = 0.0;
    if (n->kind == TN_NODE_SEQUENCE) {
        tell(field, target, n->count > PLANE_ROWS ? TN_ROWS_OF_TYPE : TN_ROWS_OF_PLANE);
        read_row_list(reader, field, node, values);
    } else if (n->kind == TN_NODE_MAPPING) {
        tn_wrong_type(reader, node, field->key, "a number or a list of numbers", NULL);
    } else if (tn_read_quantity(reader, node, field->key, tn_field_measure(reader, field),
                                &value)) {
        tell(field, target, TN_ROWS_ALIKE);
        fill_rows(reader, target, value, values);
    }
}

/* Number of entries to write: up to the last row with a value; for the type's rows more than PLANE_ROWS, so that the
 * list is not read as rows of the plane. */
static int32_t used_rows(const tn_emitter *emitter, const double *values, int32_t told)
{
    int32_t count = emitter->type->row_count;
    while (count > 0 && isnan(values[count - 1])) {
        count--;
    }
    const bool alone = told == TN_ROWS_OF_PLANE || count == 0 || count > PLANE_ROWS;
    return alone ? count : PLANE_ROWS + 1;
}

static void write_list(tn_emitter *emitter, const double *values, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        tn_emit_raw(emitter, i == 0 ? "[" : ", ");
        if (isnan(values[i])) {
            tn_emit_raw(emitter, "null");
        } else {
            tn_emit_number(emitter, values[i]);
        }
    }
    tn_emit_raw(emitter, "]");
}

/* The value shared by all constraint rows, with all other rows unset; NaN: there is none. */
static double common_value(const tn_joint_type_info *info, const double *values)
{
    double common = (double)NAN;
    bool alike = true;
    for (int32_t i = 0; i < info->row_count; i++) {
        const bool holds = tn_joint_row_holds(info, i);
        common = holds && isnan(common) ? values[i] : common;
        alike &= holds ? values[i] == common : isnan(values[i]);
    }
    return alike ? common : (double)NAN;
}

static void write_row_values(tn_emitter *emitter, const tn_field *field, const void *source,
                             const void *initial)
{
    (void)initial;
    const double *values = tn_field_source(field, source);
    const int32_t told = told_at(field, source), count = used_rows(emitter, values, told);
    const double common = told == TN_ROWS_ALIKE ? common_value(emitter->type, values) : (double)NAN;
    if (count == 0) {
        return;
    }
    tn_emit_key(emitter, field->key);
    if (isnan(common)) {
        write_list(emitter, values, count);
    } else {
        tn_emit_number(emitter, common);
    }
    tn_emit_end(emitter);
}

static void schema_rows(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_open(json, "oneOf", '[');
    tn_json_open(json, NULL, '{');
    tn_schema_number(json);
    tn_json_close(json);
    tn_json_open(json, NULL, '{');
    tn_json_text(json, "type", "array");
    tn_json_open(json, "items", '{');
    tn_json_open(json, "anyOf", '[');
    tn_json_open(json, NULL, '{');
    tn_schema_number(json);
    tn_json_close(json);
    tn_json_open(json, NULL, '{');
    tn_json_text(json, "type", "null");
    tn_json_close(json);
    tn_json_close(json);
    tn_json_close(json);
    tn_json_number(json, "maxItems", TN_MAX_ROWS);
    tn_json_close(json);
    tn_json_close(json);
}

const tn_field_kind tn_field_rows = {read_row_values, write_row_values, schema_rows};

/* stiffness: its inverse is kept. The writer has the compliance. ------------------------------- */

static void invert(tn_reader *reader, const tn_field *field, int32_t node, double *value)
{
    if (isnan(*value)) {
        return;
    }
    if (!(*value > 0.0) || !isfinite(1.0 / *value)) {
        tn_problem(reader, node, "leave it out for a hard row", "'%s' must be positive, not %g",
                   field->key, *value);
        *value = (double)NAN;
    } else {
        *value = 1.0 / *value;
    }
}

static void read_inverse_rows(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    double *values = tn_field_target(field, target);
    const int32_t before = reader->problems;
    read_row_values(reader, field, node, target);
    for (int32_t i = 0; i < TN_MAX_ROWS; i++) {
        if (reader->problems == before) {
            invert(reader, field, node, &values[i]);
        } else {
            values[i] = (double)NAN;
        }
    }
}

static void read_inverse(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    double *value = tn_field_target(field, target);
    if (tn_read_quantity(reader, node, field->key, tn_field_measure(reader, field), value)) {
        invert(reader, field, node, value);
    }
}

static void schema_positive(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_schema_number(json);
    tn_json_number(json, "exclusiveMinimum", 0);
}

const tn_field_kind tn_field_inverse = {read_inverse, tn_write_nothing, schema_positive};
const tn_field_kind tn_field_inverse_rows = {read_inverse_rows, tn_write_nothing, schema_rows};
