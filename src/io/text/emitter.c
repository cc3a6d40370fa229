/* emitter.c: writes YAML (emitter.h). */
#include "io/text/emitter.h"

#include <math.h>
#include <string.h>

#include "io/text/scalar.h"

#define INDENT 2

void tn_emit_raw(tn_emitter *emitter, const char *text)
{
    tn_buffer_add(&emitter->out, text, strlen(text));
}

/* Words that YAML 1.1 readers take for true and false. */
static bool is_old_bool(const char *text)
{
    static const char *const words[] = {"y",  "Y",  "yes", "Yes", "YES", "n",   "N",   "no",
                                        "No", "NO", "on",  "On",  "ON",  "off", "Off", "OFF"};
    for (size_t i = 0; i < TN_COUNT_OF(words); i++) {
        if (strcmp(text, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Whether a text needs no quotes: letters, digits, _ and -, and not taken for something else. */
static bool is_plain(const char *text)
{
    if (!is_letter(text[0]) || tn_scalar_read(text).kind != TN_SCALAR_TEXT || is_old_bool(text)) {
        return false;
    }
    for (const char *c = text; *c != '\0'; c++) {
        if (!is_letter(*c) && !(*c >= '0' && *c <= '9') && *c != '-') {
            return false;
        }
    }
    return true;
}

void tn_emit_text(tn_emitter *emitter, const char *text)
{
    if (is_plain(text)) {
        tn_emit_raw(emitter, text);
    } else {
        tn_buffer_quoted(&emitter->out, text);
    }
}

void tn_emit_number(tn_emitter *emitter, double value)
{
    if (isinf(value)) {
        tn_emit_raw(emitter, value > 0.0 ? ".inf" : "-.inf");
    } else {
        tn_buffer_number(&emitter->out, value);
    }
}

void tn_emit_numbers(tn_emitter *emitter, const double *values, int32_t count)
{
    tn_emit_raw(emitter, "[");
    for (int32_t i = 0; i < count; i++) {
        tn_emit_raw(emitter, i > 0 ? ", " : "");
        tn_emit_number(emitter, values[i]);
    }
    tn_emit_raw(emitter, "]");
}

/* The start of a line; the first line of a list's entry carries its dash. */
static void begin_line(tn_emitter *emitter, int32_t indent)
{
    if (emitter->dash) {
        indent -= INDENT;
    }
    tn_buffer_print(&emitter->out, "%*s%s", (int)indent, "", emitter->dash ? "- " : "");
    emitter->dash = 0;
}

/* Writes the headings that are still owed, outermost first. */
static void write_headings(tn_emitter *emitter)
{
    for (int32_t i = 0; i < emitter->depth; i++) {
        if (emitter->open[i].written) {
            continue;
        }
        emitter->open[i].written = 1;
        if (emitter->open[i].key == NULL) {
            emitter->dash = 1;
            continue;
        }
        begin_line(emitter, emitter->open[i].indent);
        tn_emit_text(emitter, emitter->open[i].key);
        tn_emit_raw(emitter, ":\n");
    }
}

static int32_t inner_indent(const tn_emitter *emitter)
{
    return emitter->depth > 0 ? emitter->open[emitter->depth - 1].indent + INDENT : 0;
}

void tn_emit_open(tn_emitter *emitter, const char *key)
{
    TN_ASSERT(emitter->depth < TN_EMITTER_DEPTH);
    int32_t indent = inner_indent(emitter);
    emitter->open[emitter->depth].key = key;
    emitter->open[emitter->depth].indent = indent;
    emitter->open[emitter->depth].written = 0;
    emitter->depth++;
}

void tn_emit_close(tn_emitter *emitter, int keep)
{
    emitter->depth--;
    if (keep && !emitter->open[emitter->depth].written) {
        tn_emit_key(emitter, emitter->open[emitter->depth].key);
        tn_emit_raw(emitter, "{}");
        tn_emit_end(emitter);
    }
}

void tn_emit_key(tn_emitter *emitter, const char *key)
{
    write_headings(emitter);
    begin_line(emitter, inner_indent(emitter));
    tn_emit_text(emitter, key);
    tn_emit_raw(emitter, ": ");
}

void tn_emit_end(tn_emitter *emitter)
{
    tn_emit_raw(emitter, "\n");
}
