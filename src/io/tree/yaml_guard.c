/* yaml_guard.c: keeps from libfyaml what it cannot stand (yaml_guard.h). */
#include "io/tree/yaml_guard.h"

#include <stdbool.h>
#include <string.h>

/* First place of needle, NULL when there is none; the text may hold zeros. */
static const char *find(const char *text, size_t length, const char *needle)
{
    size_t size = strlen(needle);
    const char *end = text + length;
    while ((size_t)(end - text) >= size) {
        const char *found = memchr(text, needle[0], (size_t)(end - text) - size + 1);
        if (found == NULL || memcmp(found, needle, size) == 0) {
            return found;
        }
        text = found + 1;
    }
    return NULL;
}

/* Line and column of a byte of the text. */
static tn_location locate(const char *text, const char *place, const char *file)
{
    tn_location at = {file, 1, 1};
    for (; text < place; text++) {
        at.column += ((unsigned char)*text & 0xc0) != 0x80;
        if (*text == '\n') {
            at.line++;
            at.column = 1;
        }
    }
    return at;
}

static tn_status refuse_stand_in(const char *text, size_t length, const char *file,
                                 tn_diagnostics *diags)
{
    static const char *const spellings[] = {TN_STAND_IN, "\\ue000", "\\uE000", "\\U0000e000",
                                            "\\U0000E000"};
    for (size_t i = 0; i < TN_COUNT_OF(spellings); i++) {
        const char *found = find(text, length, spellings[i]);
        if (found != NULL) {
            tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, locate(text, found, file), NULL,
                               "the private character U+E000 is not allowed");
            return TN_ERROR_INPUT;
        }
    }
    return TN_OK;
}

/* Brackets open and dashes on one line, at most: the parser remembers each before it reads the
 * next, 350 bytes for one. Far more than TN_MAX_DEPTH, which the parser checks, with quotes.
 */
#define TN_GUARD_DEPTH 1000

/* What is nested too deeply to be parsed at all: quotes and comments are not regarded. */
static tn_status refuse_depth(const char *text, size_t length, const char *file,
                              tn_diagnostics *diags)
{
    int64_t open = 0;
    int64_t dashes = 0;
    for (size_t i = 0; i < length; i++) {
        const char c = text[i];
        open += (c == '[' || c == '{') - (c == ']' || c == '}');
        open = open > 0 ? open : 0;
        const int blank = i + 1 < length && (text[i + 1] == ' ' || text[i + 1] == '\t');
        dashes = c == '-' && blank ? dashes + 1 : c == ' ' || c == '\t' ? dashes : 0;
        if (open > TN_GUARD_DEPTH || dashes > TN_GUARD_DEPTH) {
            tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, locate(text, text + i, file), NULL,
                               "nested too deeply for a model");
            return TN_ERROR_INPUT;
        }
    }
    return TN_OK;
}

static size_t count_marks(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        count += text[i] == '?';
    }
    return count;
}

tn_status tn_guard_text(const char *text, size_t length, const char *file, tn_diagnostics *diags,
                        char **copy, size_t *copy_length)
{
    *copy = NULL;
    *copy_length = 0;
    size_t marks = count_marks(text, length);
    tn_status status = refuse_stand_in(text, length, file, diags);
    if (status == TN_OK) {
        status = refuse_depth(text, length, file, diags);
    }
    if (status != TN_OK || marks == 0) {
        return status;
    }
    *copy_length = length + marks * (TN_STAND_IN_SIZE - 1);
    *copy = tn_realloc(NULL, *copy_length);
    if (*copy == NULL) {
        return TN_ERROR_MEMORY;
    }
    char *to = *copy;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '?') {
            /* NOLINTNEXTLINE(bugprone-not-null-terminated-result): in the middle of a text */
            memcpy(to, TN_STAND_IN, TN_STAND_IN_SIZE);
            to += TN_STAND_IN_SIZE;
        } else {
            *to++ = text[i];
        }
    }
    return TN_OK;
}

static bool is_stand_in(const char *text, size_t length)
{
    return length >= TN_STAND_IN_SIZE && memcmp(text, TN_STAND_IN, TN_STAND_IN_SIZE) == 0;
}

size_t tn_guard_restore(char *text, size_t length)
{
    size_t to = 0;
    for (size_t from = 0; from < length; to++) {
        if (is_stand_in(text + from, length - from)) {
            text[to] = '?';
            from += TN_STAND_IN_SIZE;
        } else {
            text[to] = text[from++];
        }
    }
    return to;
}

int tn_guard_is_complex_key(const char *text, size_t length)
{
    if (!is_stand_in(text, length)) {
        return 0;
    }
    return length == TN_STAND_IN_SIZE || strchr(" \t\n", text[TN_STAND_IN_SIZE]) != NULL;
}

int tn_guard_has_quote_run(const char *text, size_t length)
{
    return find(text, length, "''''") != NULL;
}

size_t tn_guard_unquote(char *text, size_t length)
{
    size_t to = 0;
    for (size_t from = 0; from < length; from++) {
        text[to++] = text[from];
        from += from + 1 < length && text[from] == '\'' && text[from + 1] == '\'';
    }
    return to;
}
