/* buffer.h: a text that grows.
 *
 * Room io/text. Running out of memory is remembered, later additions do nothing: check `status` once at
 * the end.
 *
 * Room io/text, in: bytes, numbers, words. Out: files in memory, scalars of YAML, JSON and YAML
 * written; nothing of models.
 */
#ifndef TN_IO_TEXT_BUFFER_H
#define TN_IO_TEXT_BUFFER_H

#include "base/base.h"

typedef struct tn_buffer {
    char *text; /* zero-terminated after the first addition */
    int32_t length;
    int32_t capacity;
    tn_status status;
} tn_buffer;

void tn_buffer_add(tn_buffer *buffer, const char *text, size_t length);
void tn_buffer_print(tn_buffer *buffer, const char *format, ...) TN_PRINTF(2, 3);

/* The shortest decimal that reads back to the same bits: 15, 16 or 17 digits. Finite numbers. */
void tn_buffer_number(tn_buffer *buffer, double value);

/* Text in double quotes with escapes that YAML and JSON share. */
void tn_buffer_quoted(tn_buffer *buffer, const char *text);

#endif
