/* plain_text.h: text of others as a terminal may show it.
 *
 * Room file. In: bytes of a name, a message, a line of a file. Out: the same with control characters, which
 * terminals obey, written as \xHH; line ends and tabs stay where the caller wants them.
 */
#ifndef TN_FILE_PLAIN_TEXT_H
#define TN_FILE_PLAIN_TEXT_H

#include <stdio.h>
#include <string.h>

/* Bytes of the control character that begins here; 0: none. U+0080 to U+009F are two bytes of UTF-8. */
static inline size_t tn_control_length(const char *at, size_t length)
{
    const unsigned char c = (unsigned char)at[0];
    const unsigned char next = length > 1 ? (unsigned char)at[1] : 0;
    if (c < 0x20 || c == 0x7f)
        return 1;
    return c == 0xc2 && next >= 0x80 && next < 0xa0 ? 2 : 0;
}

/* kept: control characters that stay, "\n\t" or "". */
static inline void tn_put_plain(FILE *stream, const char *text, size_t length, const char *kept)
{
    for (size_t i = 0; i < length;) {
        const size_t control = tn_control_length(text + i, length - i);
        if (control == 0 || (text[i] != '\0' && strchr(kept, text[i]) != NULL)) {
            fputc(text[i++], stream);
            continue;
        }
        for (size_t k = 0; k < control; k++) {
            fprintf(stream, "\\x%02x", (unsigned char)text[i++]);
        }
    }
}

/* The same into a buffer of a size, cut where it is full. */
static inline const char *tn_plain_text(const char *text, char *out, size_t size)
{
    size_t used = 0;
    const size_t length = strlen(text);
    for (size_t i = 0; i < length && used + 9 < size;) {
        const size_t control = tn_control_length(text + i, length - i);
        if (control == 0) {
            out[used++] = text[i++];
            continue;
        }
        for (size_t k = 0; k < control; k++) {
            used += (size_t)snprintf(out + used, size - used, "\\x%02x", (unsigned char)text[i++]);
        }
    }
    out[used] = '\0';
    return out;
}

#endif
