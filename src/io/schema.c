/* schema.c: the JSON Schema of model files, from the tables (io.h).
 *
 * Room io.
 */
#include "base/base.h"
#include "io/text/json.h"
#include "io/text/locale_scope.h"
#include "io/reader/table_io.h"
#include "io/field/tables.h"
#include "tenon/io.h"

#define DIALECT "https://json-schema.org/draft/2020-12/schema"

/* What the reader takes for a number and its unit, as far as a pattern can say. */
#define NUMBER "[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?"
#define UNIT   "(1/)?[(]*[A-Za-z\xc2\xb0\xc2\xb5\xce\xbc]+([\\^]-?[0-9])?[)]*"

/* A number, a number with its unit, or a formula. */
static void write_number(tn_json *json, const char *name, const char *type, const char *doc)
{
    tn_json_open(json, name, '{');
    tn_json_text(json, "description", doc);
    tn_json_open(json, "type", '[');
    tn_json_text(json, NULL, type);
    tn_json_text(json, NULL, "string");
    tn_json_close(json);
    tn_json_text(json, "pattern", "^(=|" NUMBER " *" UNIT "([ */.]+" UNIT ")*$)");
    tn_json_close(json);
}

static void write_definitions(tn_json *json)
{
    tn_json_open(json, "$defs", '{');
    write_number(json, "number", "number",
                 "A number, one with its unit such as '150 mm', or a formula such as "
                 "'=0.3*length'.");
    write_number(json, "count", "integer", "A whole number, or a formula for one.");
    tn_json_open(json, "part", '{');
    tn_schema_part(json);
    tn_json_close(json);
    for (int i = 0; tn_named_tables[i] != NULL; i++) {
        tn_json_open(json, tn_named_tables[i]->name, '{');
        tn_schema_of_table(json, tn_named_tables[i]);
        tn_json_close(json);
    }
    tn_json_close(json);
}

static tn_status write_schema(tn_json *json)
{
    tn_json_open(json, NULL, '{');
    tn_json_text(json, "$schema", DIALECT);
    tn_json_text(json, "title", "Tenon model file, version 1");
    tn_schema_of_table(json, &tn_model_table);
    write_definitions(json);
    tn_json_close(json);
    tn_buffer_add(&json->out, "\n", 1);
    return json->out.status;
}

tn_status tn_schema_write(char **text, size_t *length)
{
    TN_DEMAND(text, TN_ERROR_ARGUMENT);
    *text = NULL;
    tn_locale_scope locale;
    if (!tn_locale_enter(&locale)) {
        return TN_ERROR_MEMORY;
    }
    tn_json json = {0};
    tn_status status = write_schema(&json);
    tn_locale_leave(&locale);
    if (status != TN_OK) {
        tn_free(json.out.text);
        return status;
    }
    *text = json.out.text;
    if (length != NULL) {
        *length = (size_t)json.out.length;
    }
    return TN_OK;
}
