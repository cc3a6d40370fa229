/* json.c: writes JSON (json.h). */
#include "io/text/json.h"

#include <string.h>

#define INDENT 2

static void new_line(tn_json *json)
{
    tn_buffer_print(&json->out, "\n%*s", (int)(json->depth * INDENT), "");
}

/* Comma, line and key before a value. */
static void begin_value(tn_json *json, const char *key)
{
    if (json->filled) {
        tn_buffer_add(&json->out, ",", 1);
    }
    if (json->depth > 0) {
        new_line(json);
    }
    if (key != NULL) {
        tn_buffer_quoted(&json->out, key);
        tn_buffer_add(&json->out, ": ", 2);
    }
    json->filled = 1;
}

void tn_json_open(tn_json *json, const char *key, char opening)
{
    TN_ASSERT(json->depth < TN_JSON_DEPTH);
    begin_value(json, key);
    tn_buffer_add(&json->out, &opening, 1);
    json->closing[json->depth++] = opening == '{' ? '}' : ']';
    json->filled = 0;
}

void tn_json_close(tn_json *json)
{
    TN_ASSERT(json->depth > 0);
    json->depth--;
    if (json->filled) {
        new_line(json);
    }
    tn_buffer_add(&json->out, &json->closing[json->depth], 1);
    json->filled = 1;
}

void tn_json_text(tn_json *json, const char *key, const char *text)
{
    begin_value(json, key);
    tn_buffer_quoted(&json->out, text);
}

void tn_json_number(tn_json *json, const char *key, double value)
{
    begin_value(json, key);
    tn_buffer_number(&json->out, value);
}

void tn_json_bool(tn_json *json, const char *key, int value)
{
    begin_value(json, key);
    tn_buffer_print(&json->out, "%s", value ? "true" : "false");
}
