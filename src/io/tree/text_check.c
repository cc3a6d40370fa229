/* text_check.c: is this text at all? UTF-8 and nothing that cannot be seen (tree.h).
 *
 * Room io/tree. UTF-8 as RFC 3629 defines it: no over-long forms, no surrogates, nothing above U+10FFFF.
 * Of the control characters YAML allows tab, line feed, carriage return and next line (U+0085).
 */
#include <stdint.h>

#include "io/tree/tree.h"

/* Bytes of the character at text, 0 when they are not UTF-8. */
static size_t decode(const unsigned char *text, size_t left, uint32_t *character)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t smallest;
    } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (size_t extra = 0; extra < TN_COUNT_OF(forms); extra++) {
        if ((text[0] & forms[extra].mask) != forms[extra].lead) {
            continue;
        }
        if (left <= extra) {
            return 0;
        }
        uint32_t value = text[0] & (unsigned char)~forms[extra].mask;
        for (size_t i = 1; i <= extra; i++) {
            if ((text[i] & 0xc0) != 0x80) {
                return 0;
            }
            value = value << 6 | (text[i] & 0x3fu);
        }
        *character = value;
        int surrogate = value >= 0xd800 && value <= 0xdfff;
        return value >= forms[extra].smallest && value <= 0x10ffff && !surrogate ? extra + 1 : 0;
    }
    return 0;
}

static bool is_allowed(uint32_t c)
{
    if (c < 0x20) {
        return c == '\t' || c == '\n' || c == '\r';
    }
    if (c < 0xa0) {
        return c < 0x7f || c == 0x85;
    }
    return c != 0xfffe && c != 0xffff;
}

tn_status tn_text_check(const char *text, size_t length, const char *file, tn_diagnostics *diags)
{
    tn_location at = {file, 1, 1};
    for (size_t i = 0; i < length;) {
        uint32_t c = 0;
        size_t size = decode((const unsigned char *)text + i, length - i, &c);
        if (size == 0) {
            tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at, NULL,
                               "the byte 0x%02x is not UTF-8 text", (unsigned char)text[i]);
            return TN_ERROR_INPUT;
        }
        if (!is_allowed(c)) {
            tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at, NULL,
                               "the character U+%04X is not allowed", (unsigned)c);
            return TN_ERROR_INPUT;
        }
        at.column++;
        if (c == '\n') {
            at.line++;
            at.column = 1;
        }
        i += size;
    }
    return TN_OK;
}
