/* print.c: problems as people read them: place, message, the line, a caret, a hint (io.h).
 *
 * Room io/tree. Problems come sorted by line, so a file is read once and walked through once; a problem
 * further up only starts the walk again.
 */
#include "tenon/io.h"

#include <string.h>

#include "file/plain_text.h"
#include "io/text/file.h"
#include "io/tree/tree.h"

/* Of a longer line only the part around the column is shown, in bytes. */
#define SHOWN_BEFORE 60
#define SHOWN_AFTER  40

/* The text that problems point into, and how far it has been walked. */
typedef struct source {
    const char *file; /* whose text it is; NULL: the caller's, for all files */
    const char *text; /* NULL: cannot be read */
    size_t length;
    char *owned;  /* the text if it was read here */
    size_t at;    /* start of line `line` */
    int32_t line; /* from 1 */
} source;

static void open_source(source *s, const char *file)
{
    if (s->owned == NULL && s->text != NULL) {
        return; /* the caller's text */
    }
    if (s->file != NULL && strcmp(s->file, file) == 0) {
        return;
    }
    tn_free(s->owned);
    *s = (source){.file = file, .line = 1};
    if (tn_file_read(file, TN_MAX_TEXT, NULL, &s->owned, &s->length) == TN_OK) {
        s->text = s->owned;
    }
}

static size_t end_of_line(const source *s, size_t start)
{
    const char *end = memchr(s->text + start, '\n', s->length - start);
    return end != NULL ? (size_t)(end - s->text) : s->length;
}

/* Finds a line; 0 when the text has no such line. */
static int find_line(source *s, int32_t line)
{
    if (line < s->line) {
        s->at = 0;
        s->line = 1;
    }
    while (s->line < line) {
        size_t end = end_of_line(s, s->at);
        if (end == s->length) {
            return 0;
        }
        s->at = end + 1;
        s->line++;
    }
    return 1;
}

static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* Byte position of a column counted in characters from 1. */
static size_t find_column(const char *line, size_t length, int32_t column)
{
    size_t at = 0;
    for (int32_t c = 1; c < column && at < length; c++) {
        at++;
        while (at < length && is_continuation(line[at])) {
            at++;
        }
    }
    return at;
}

/* The line and below it a caret; tabs are kept so that both lines stand alike. */
static void show_line(FILE *stream, const char *line, size_t length, int32_t column)
{
    size_t at = find_column(line, length, column);
    size_t start = at > SHOWN_BEFORE ? at - SHOWN_BEFORE : 0;
    size_t end = length - at > SHOWN_AFTER && length > SHOWN_BEFORE + SHOWN_AFTER ? at + SHOWN_AFTER
                                                                                  : length;
    while (start < at && is_continuation(line[start])) {
        start++;
    }
    while (end < length && is_continuation(line[end])) {
        end++;
    }
    fprintf(stream, "    %s", start > 0 ? "..." : "");
    tn_put_plain(stream, line + start, end - start, "\t");
    fprintf(stream, "%s\n    %s", end < length ? "..." : "", start > 0 ? "   " : "");
    for (size_t i = start; i < at; i++) {
        if (!is_continuation(line[i])) {
            fputc(line[i] == '\t' ? '\t' : ' ', stream);
        }
    }
    fputs("^\n", stream);
}

static void show_place(FILE *stream, source *s, tn_location at)
{
    if (at.line <= 0 || at.file == NULL) {
        return;
    }
    open_source(s, at.file);
    if (s->text == NULL || !find_line(s, at.line)) {
        return;
    }
    size_t length = end_of_line(s, s->at) - s->at;
    if (length > 0 && s->text[s->at + length - 1] == '\r') {
        length--;
    }
    show_line(stream, s->text + s->at, length, at.column);
}

static void print_heading(FILE *stream, const tn_diagnostic *d)
{
    static const char *const words[] = {
        [TN_NOTE] = "note", [TN_WARNING] = "warning", [TN_ERROR] = "error"};
    if (d->at.file != NULL) {
        tn_put_plain(stream, d->at.file, strlen(d->at.file), "");
        fputc(':', stream);
    }
    if (d->at.line > 0) {
        fprintf(stream, "%d:%d:", (int)d->at.line, (int)d->at.column);
    }
    fprintf(stream, "%s%s: ", d->at.file != NULL ? " " : "", words[d->severity]);
    tn_put_plain(stream, d->message, strlen(d->message), "\t");
    fputc('\n', stream);
}

void tn_diagnostics_print(const tn_diagnostics *diags, FILE *stream, const char *text,
                          size_t text_length)
{
    TN_DEMAND_OR_RETURN(stream);
    source s = {.text = text, .length = text_length, .line = 1};
    for (int32_t i = 0; i < tn_diagnostics_count(diags); i++) {
        const tn_diagnostic *d = tn_diagnostics_get(diags, i);
        print_heading(stream, d);
        show_place(stream, &s, d->at);
        if (d->hint != NULL) {
            fputs("    hint: ", stream);
            tn_put_plain(stream, d->hint, strlen(d->hint), "\t");
            fputc('\n', stream);
        }
    }
    tn_free(s.owned);
}
