/* field_rows.c: compliance, stiffness and damping of a joint's rows.
 *
 * Room io/field. One number for all bilateral rows, or a list for the first rows in which null leaves a
 * row as it is; always in SI units.
 */
#include <math.h>

#include "io/reader/number.h"
#include "io/field/kinds.h"

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

static void read_row_values(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    double *values = tn_field_target(field, target);
    const tn_node *n = tn_get(reader, node);
    double value = 0.0;
    if (n->kind == TN_NODE_SEQUENCE) {
        read_row_list(reader, field, node, values);
    } else if (n->kind == TN_NODE_MAPPING) {
        tn_wrong_type(reader, node, field->key, "a number or a list of numbers", NULL);
    } else if (tn_read_quantity(reader, node, field->key, tn_field_measure(reader, field),
                                &value)) {
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
