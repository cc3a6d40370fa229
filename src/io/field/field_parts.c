/* field_parts.c: the keys that are worked out before the sections are read: parameters, files,
 * parts and how often something is made.
 *
 * Room io/field. Here are their schemas; outline.c, scope.c and frame.c read them. The writer writes the
 * model that came of them.
 */
#include "io/reader/number.h"
#include "io/field/kinds.h"
#include "io/field/tables.h"

static void read_nothing(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    (void)reader;
    (void)field;
    (void)node;
    (void)target;
}

/* parameters: numbers and vectors by name ------------------------------------------------------ */

static void schema_parameters(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "object");
    tn_json_open(json, "propertyNames", '{');
    tn_json_text(json, "pattern", "^[A-Za-z_][A-Za-z0-9_]*$");
    tn_json_close(json);
    tn_json_open(json, "additionalProperties", '{');
    tn_schema_number_or_list(json, 2, 3);
    tn_json_close(json);
}

const tn_field_kind tn_field_parameters = {read_nothing, tn_write_nothing, schema_parameters};

/* include: a file or a list of files ----------------------------------------------------------- */

static void schema_include(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_schema_text_or_list(json);
}

const tn_field_kind tn_field_include = {read_nothing, tn_write_nothing, schema_include};

/* repeat: how often, with an index ------------------------------------------------------------- */

/* The alternatives of how often: entries of an array already begun. */
static void schema_range(tn_json *json)
{
    tn_json_open(json, NULL, '{');
    tn_schema_reference(json, "count");
    tn_json_close(json);
    tn_json_open(json, NULL, '{');
    tn_json_text(json, "type", "array");
    tn_json_open(json, "items", '{');
    tn_schema_reference(json, "count");
    tn_json_close(json);
    tn_json_number(json, "minItems", 2);
    tn_json_number(json, "maxItems", 2);
    tn_json_close(json);
}

static void schema_repeat(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_open(json, "anyOf", '[');
    schema_range(json);
    tn_json_open(json, NULL, '{');
    tn_json_text(json, "type", "object");
    tn_json_number(json, "minProperties", 1);
    tn_json_number(json, "maxProperties", 1);
    tn_json_open(json, "additionalProperties", '{');
    tn_json_open(json, "anyOf", '[');
    schema_range(json);
    tn_json_close(json);
    tn_json_close(json);
    tn_json_close(json);
    tn_json_close(json);
}

const tn_field_kind tn_field_repeat = {read_nothing, tn_write_nothing, schema_repeat};

/* part: the name of what an instance makes ----------------------------------------------------- */

static void read_part(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_instance *instance = target;
    instance->part_node = node;
    tn_read_text(reader, node, field->key, &instance->part);
}

static void schema_part(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "string");
}

const tn_field_kind tn_field_part = {read_part, tn_write_nothing, schema_part};

/* parts: mechanisms by name; instances: where and how often they are made ---------------------- */

bool tn_is_part_key(const tn_field *field)
{
    return field->kind == &tn_field_items || field->kind == &tn_field_parameters ||
           field->kind == &tn_field_include || field->kind == &tn_field_parts ||
           field->kind == &tn_field_instances;
}

void tn_schema_part(tn_json *json)
{
    tn_json_text(json, "type", "object");
    tn_json_open(json, "properties", '{');
    for (int32_t i = 0; i < tn_model_table.field_count; i++) {
        if (tn_is_part_key(&tn_model_table.fields[i])) {
            tn_schema_of_field(json, &tn_model_table.fields[i]);
        }
    }
    tn_json_close(json);
    tn_json_bool(json, "additionalProperties", 0);
}

static void schema_named(tn_json *json, const char *definition)
{
    tn_json_text(json, "type", "object");
    tn_json_open(json, "additionalProperties", '{');
    tn_schema_reference(json, definition);
    tn_json_close(json);
}

static void schema_parts(tn_json *json, const tn_field *field)
{
    (void)field;
    schema_named(json, "part");
}

static void schema_instances(tn_json *json, const tn_field *field)
{
    (void)field;
    schema_named(json, "instance");
}

const tn_field_kind tn_field_parts = {read_nothing, tn_write_nothing, schema_parts};
const tn_field_kind tn_field_instances = {read_nothing, tn_write_nothing, schema_instances};
