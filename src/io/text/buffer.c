/* buffer.c: a text that grows (buffer.h). */
#include "io/text/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for any double in 17 digits. */
#define NUMBER_SIZE 32

/* Makes room for length more bytes and a zero; 0 when out of memory. */
static int make_room(tn_buffer *buffer, size_t length)
{
    if (buffer->status != TN_OK) {
        return 0;
    }
    char *grown =
        length < (size_t)(INT32_MAX - buffer->length)
            ? tn_grow(buffer->text, &buffer->capacity, buffer->length + (int32_t)length + 1, 1)
            : NULL;
    if (grown == NULL) {
        buffer->status = TN_ERROR_MEMORY;
        return 0;
    }
    buffer->text = grown;
    return 1;
}

void tn_buffer_add(tn_buffer *buffer, const char *text, size_t length)
{
    if (make_room(buffer, length)) {
        memcpy(buffer->text + buffer->length, text, length);
        buffer->length += (int32_t)length;
        buffer->text[buffer->length] = '\0';
    }
}

void tn_buffer_print(tn_buffer *buffer, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length >= 0 && make_room(buffer, (size_t)length)) {
        vsnprintf(buffer->text + buffer->length, (size_t)length + 1, format, again);
        buffer->length += length;
    }
    va_end(again);
}

void tn_buffer_number(tn_buffer *buffer, double value)
{
    char digits[NUMBER_SIZE];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof(digits), "%.*g", precision, value);
        if (strtod(digits, NULL) == value) {
            break;
        }
    }
    tn_buffer_add(buffer, digits, strlen(digits));
}

/* Characters that readers could take for line ends or lose, besides those below U+0020. */
static uint32_t invisible(const unsigned char *c)
{
    if (c[0] == 0x7f) {
        return c[0];
    }
    if (c[0] == 0xc2 && c[1] < 0xa0) {
        return c[1]; /* U+0080 .. U+009F */
    }
    if (c[0] == 0xe2 && c[1] == 0x80 && (c[2] == 0xa8 || c[2] == 0xa9)) {
        return 0x2000u + (c[2] & 0x3fu); /* line and paragraph separator */
    }
    return c[0] == 0xef && c[1] == 0xbb && c[2] == 0xbf ? 0xfeffu : 0u;
}

void tn_buffer_quoted(tn_buffer *buffer, const char *text)
{
    tn_buffer_add(buffer, "\"", 1);
    for (const unsigned char *c = (const unsigned char *)text; *c != 0; c++) {
        uint32_t code = *c < 0x20 ? *c : invisible(c);
        if (*c == '"' || *c == '\\') {
            tn_buffer_print(buffer, "\\%c", *c);
        } else if (code != 0) {
            tn_buffer_print(buffer, "\\u%04X", (unsigned)code);
            c += code < 0x80 ? 0 : code < 0x800 ? 1 : 2;
        } else {
            tn_buffer_add(buffer, (const char *)c, 1);
        }
    }
    tn_buffer_add(buffer, "\"", 1);
}
