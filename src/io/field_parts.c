/* field_parts.c: the keys that are worked out before the sections are read: parameters and parts.
 *
 * Room io. Here are only their schemas: scope.c reads parameters. The writer writes the model that
 * came of them.
 */
#include "io/number.h"
#include "io/table_io.h"

static void read_nothing(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    (void)reader;
    (void)field;
    (void)node;
    (void)target;
}

static void schema_parameters(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "object");
    tn_json_open(json, "propertyNames", '{');
    tn_json_text(json, "pattern", "^[A-Za-z_][A-Za-z0-9_]*$");
    tn_json_close(json);
    tn_json_open(json, "additionalProperties", '{');
    tn_json_open(json, "anyOf", '[');
    tn_json_open(json, NULL, '{');
    tn_schema_number(json);
    tn_json_close(json);
    tn_json_open(json, NULL, '{');
    tn_schema_numbers(json, 2, 3);
    tn_json_close(json);
    tn_json_close(json);
    tn_json_close(json);
}

const tn_field_kind tn_field_parameters = {read_nothing, tn_write_nothing, schema_parameters};
