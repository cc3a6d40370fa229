/* mesh_text.c (room: io/mesh): splits the text of a mesh file into words with line and column.
 *
 * Lines end with LF, CR or both. Any bytes are safe: nothing is assumed about zeros or encoding.
 */
#include "io/mesh/mesh_text.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More characters than any number written to round-trip a double. */
#define MAX_NUMBER 63

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

tn_mesh_text tn_mesh_text_open(const char *name, const void *bytes, size_t size)
{
    const char *begin = size > 0 ? bytes : ""; /* no arithmetic on NULL */
    return (tn_mesh_text){
        .name = name, .at = begin, .end = begin + size, .line_start = begin, .line = 1};
}

tn_location tn_mesh_text_place(const tn_mesh_text *text)
{
    ptrdiff_t column = text->at - text->line_start + 1;
    return (tn_location){text->name, text->line, column > INT32_MAX ? INT32_MAX : (int32_t)column};
}

/* Takes one line end, counting CR LF once. */
static void take_line_end(tn_mesh_text *text)
{
    if (*text->at == '\r' && text->at + 1 < text->end && text->at[1] == '\n') {
        text->at++;
    }
    text->at++;
    text->line++;
    text->line_start = text->at;
}

bool tn_mesh_text_next_line(tn_mesh_text *text)
{
    while (text->at < text->end && !is_line_end(*text->at)) {
        text->at++;
    }
    if (text->at < text->end) {
        take_line_end(text);
    }
    return text->at < text->end;
}

bool tn_mesh_text_word(tn_mesh_text *text, tn_mesh_word *word)
{
    for (; text->at < text->end; text->at++) {
        bool joins = *text->at == '\\' && text->at + 1 < text->end && is_line_end(text->at[1]);
        if (joins) {
            text->at++;
            take_line_end(text);
            text->at--; /* the loop steps over it */
        } else if (!is_blank(*text->at)) {
            break;
        }
    }
    if (text->at == text->end || is_line_end(*text->at)) {
        return false;
    }
    word->text = text->at;
    word->place = tn_mesh_text_place(text);
    while (text->at < text->end && !is_blank(*text->at) && !is_line_end(*text->at)) {
        text->at++;
    }
    word->length = (size_t)(text->at - word->text);
    return true;
}

bool tn_mesh_text_next_word(tn_mesh_text *text, tn_mesh_word *word)
{
    while (!tn_mesh_text_word(text, word)) {
        if (!tn_mesh_text_next_line(text)) {
            return false;
        }
    }
    return true;
}

static char lower_case(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool tn_mesh_word_is(const tn_mesh_word *word, const char *expected)
{
    if (word->length != strlen(expected)) {
        return false;
    }
    for (size_t i = 0; i < word->length; i++) {
        if (lower_case(word->text[i]) != expected[i]) {
            return false;
        }
    }
    return true;
}

/* strtod reads the decimal point of the program's locale, and also words like "nan" and "0x1p3"
 * that these formats do not have: the characters are checked and the point is translated first. */
bool tn_mesh_word_real(const tn_mesh_word *word, double *value)
{
    char digits[MAX_NUMBER + 1];
    if (word->length == 0 || word->length > MAX_NUMBER) {
        return false;
    }
    const char *point = localeconv()->decimal_point;
    for (size_t i = 0; i < word->length; i++) {
        char c = word->text[i];
        if (!(c >= '0' && c <= '9') && strchr("+-.eE", c) == NULL) {
            return false;
        }
        digits[i] = c == '.' && point[0] != '\0' ? point[0] : c;
    }
    digits[word->length] = '\0';
    char *end = NULL;
    *value = strtod(digits, &end);
    return end == digits + word->length && isfinite(*value);
}

const char *tn_mesh_word_quote(const tn_mesh_word *word, char buffer[TN_MESH_QUOTE_SIZE])
{
    const size_t room = TN_MESH_QUOTE_SIZE - 4; /* three points and the final zero */
    size_t shown = word->length < room ? word->length : room;
    for (size_t i = 0; i < shown; i++) {
        char c = word->text[i];
        buffer[i] = c > ' ' && c < 127 ? c : '?';
    }
    memcpy(buffer + shown, shown < word->length ? "..." : "", shown < word->length ? 4 : 1);
    return buffer;
}
