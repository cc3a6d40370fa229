/* json.h: writes one JSON value, member by member, to a stream.
 *
 * Numbers have 17 significant digits unless fewer are requested; what is not finite has no JSON number and becomes null.
 */
#ifndef TN_TOOL_JSON_H
#define TN_TOOL_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct tool_json {
    FILE *stream;
    int depth;
    bool first; /* nothing is in the innermost object or array yet */
    int digits; /* significant, of numbers; 17 are exact */
} tool_json;

tool_json tool_json_begin(FILE *stream);

/* key NULL: an element of an array, or the whole text. */
void tool_json_open(tool_json *json, const char *key, char bracket);
void tool_json_close(tool_json *json, char bracket);
void tool_json_text(tool_json *json, const char *key, const char *text); /* NULL: null */
void tool_json_number(tool_json *json, const char *key, double value);
void tool_json_integer(tool_json *json, const char *key, int64_t value);
void tool_json_null(tool_json *json, const char *key);
/* An array of numbers on one line. */
void tool_json_row(tool_json *json, const char *key, const double *values, int32_t count);

#endif
