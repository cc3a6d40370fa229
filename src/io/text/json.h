/* json.h: writes JSON, indented, with the commas in the right places.
 *
 * Room io/text. key is NULL for entries of an array.
 */
#ifndef TN_IO_TEXT_JSON_H
#define TN_IO_TEXT_JSON_H

#include "io/text/buffer.h"

#define TN_JSON_DEPTH 32

typedef struct tn_json {
    tn_buffer out;
    char closing[TN_JSON_DEPTH]; /* '}' or ']' of each open container */
    int32_t depth;
    int32_t filled; /* the innermost container has entries */
} tn_json;

void tn_json_open(tn_json *json, const char *key, char opening); /* '{' or '[' */
void tn_json_close(tn_json *json);
void tn_json_text(tn_json *json, const char *key, const char *text);
void tn_json_number(tn_json *json, const char *key, double value);
void tn_json_bool(tn_json *json, const char *key, int value);

#endif
