/* json.c: see json.h. */
#include "json.h"

#include <math.h>

tool_json tool_json_begin(FILE *stream)
{
    return (tool_json){stream, 0, true, 17};
}

static void put_string(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') {
            fprintf(stream, "\\%c", *c);
        } else if (*c < 0x20) {
            fprintf(stream, "\\u%04x", *c);
        } else {
            fputc(*c, stream);
        }
    }
    fputc('"', stream);
}

/* Comma, line break, indentation and key of the next value. */
static void begin_value(tool_json *json, const char *key)
{
    if (json->depth > 0)
        fprintf(json->stream, "%s\n%*s", json->first ? "" : ",", 2 * json->depth, "");
    json->first = false;
    if (key != NULL) {
        put_string(json->stream, key);
        fputs(": ", json->stream);
    }
}

static void put_number(const tool_json *json, double value)
{
    if (isfinite(value)) {
        fprintf(json->stream, "%.*g", json->digits, value);
    } else {
        fputs("null", json->stream);
    }
}

void tool_json_open(tool_json *json, const char *key, char bracket)
{
    begin_value(json, key);
    fputc(bracket, json->stream);
    json->depth++;
    json->first = true;
}

void tool_json_close(tool_json *json, char bracket)
{
    json->depth--;
    if (!json->first)
        fprintf(json->stream, "\n%*s", 2 * json->depth, "");
    fputc(bracket, json->stream);
    json->first = false;
    if (json->depth == 0)
        fputc('\n', json->stream);
}

void tool_json_text(tool_json *json, const char *key, const char *text)
{
    if (text == NULL) {
        tool_json_null(json, key);
        return;
    }
    begin_value(json, key);
    put_string(json->stream, text);
}

void tool_json_number(tool_json *json, const char *key, double value)
{
    begin_value(json, key);
    put_number(json, value);
}

void tool_json_integer(tool_json *json, const char *key, int64_t value)
{
    begin_value(json, key);
    fprintf(json->stream, "%lld", (long long)value);
}

void tool_json_null(tool_json *json, const char *key)
{
    begin_value(json, key);
    fputs("null", json->stream);
}

void tool_json_row(tool_json *json, const char *key, const double *values, int32_t count)
{
    begin_value(json, key);
    for (int32_t i = 0; i < count; i++) {
        fputs(i == 0 ? "[" : ", ", json->stream);
        put_number(json, values[i]);
    }
    fputs(count == 0 ? "[]" : "]", json->stream);
}
