/* reader.c: problems, places and single values (reader.h).
 *
 * Room io/reader. In: nodes. Out: numbers and texts, or located problems.
 */
#include "io/reader/advice.h"
#include "io/reader/frame.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Longest message; names longer than their share are cut in messages only. */
#define MESSAGE_SIZE 512

/* A search for a similar name among all items costs time in proportion to their number: this many
 * are made for one file, later messages go without the suggestion. */
#define MAX_COSTLY_SEARCHES 50

tn_location tn_node_location(const tn_reader *reader, int32_t node)
{
    const tn_node *n = tn_get(reader, node);
    return (tn_location){tn_source_of(reader->tree, node)->file, n->line, n->column};
}

void tn_mark_bad(tn_reader *reader)
{
    int32_t place = reader->sub_place >= 0 ? reader->sub_place : reader->field_place;
    if (place >= 0) {
        reader->spec->places[reader->section].places[place].bad = 1;
    }
}

/* Whether this node has been complained about in another repetition: once is enough. */
static bool is_told(tn_reader *reader, int32_t node)
{
    for (int32_t i = 0; i < reader->told_count; i++) {
        if (reader->told[i].node == node) {
            return reader->told[i].repetition != reader->repetition;
        }
    }
    if (reader->told_count == TN_MAX_PROBLEMS) {
        return false;
    }
    tn_told *grown =
        tn_grow(reader->told, &reader->told_capacity, reader->told_count + 1, sizeof(*grown));
    if (grown == NULL) {
        reader->status = TN_ERROR_MEMORY;
        return false;
    }
    reader->told = grown;
    reader->told[reader->told_count++] = (tn_told){node, reader->repetition};
    return false;
}

/* Counts a problem that need not be reported again. */
static bool skip_told(tn_reader *reader, int32_t node)
{
    if (!is_told(reader, node)) {
        return false;
    }
    tn_mark_bad(reader);
    reader->problems++;
    reader->untold++;
    return true;
}

static void report(tn_reader *reader, tn_location at, const char *hint, const char *format,
                   va_list arguments)
{
    tn_mark_bad(reader);
    if (reader->problems++ - reader->untold >= TN_MAX_PROBLEMS) {
        return;
    }
    char message[MESSAGE_SIZE];
    vsnprintf(message, sizeof(message), format, arguments);
    if (reader->what != NULL && reader->name != NULL) {
        tn_diagnostics_add(reader->found, TN_ERROR, TN_ERROR_INPUT, at, hint, "%s '%.100s': %s",
                           reader->what, reader->name, message);
    } else if (reader->what != NULL) {
        tn_diagnostics_add(reader->found, TN_ERROR, TN_ERROR_INPUT, at, hint, "%s: %s",
                           reader->what, message);
    } else {
        tn_diagnostics_add(reader->found, TN_ERROR, TN_ERROR_INPUT, at, hint, "%s", message);
    }
}

void tn_problem(tn_reader *reader, int32_t node, const char *hint, const char *format, ...)
{
    va_list arguments;
    if (skip_told(reader, node)) {
        return;
    }
    va_start(arguments, format);
    report(reader, tn_node_location(reader, node), hint, format, arguments);
    va_end(arguments);
}

void tn_problem_inside(tn_reader *reader, int32_t node, size_t at, const char *hint,
                       const char *format, ...)
{
    va_list arguments;
    if (skip_told(reader, node)) {
        return;
    }
    tn_location place = tn_node_location(reader, node);
    const tn_node *n = tn_get(reader, node);
    const char *text = tn_node_text(reader->tree, node);
    for (size_t i = 0; n->inset != TN_NOT_VERBATIM && i < at; i++) {
        place.column += ((unsigned char)text[i] & 0xc0) != 0x80; /* characters, not bytes */
    }
    place.column += n->inset != TN_NOT_VERBATIM ? n->inset : 0;
    va_start(arguments, format);
    report(reader, place, hint, format, arguments);
    va_end(arguments);
}

void tn_problem_nowhere(tn_reader *reader, const char *hint, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(reader, (tn_location){reader->tree->sources[0].file, 0, 0}, hint, format, arguments);
    va_end(arguments);
}

tn_scalar tn_node_scalar(const tn_reader *reader, int32_t node)
{
    const tn_node *n = tn_get(reader, node);
    if (n->kind != TN_NODE_SCALAR || !n->plain) {
        return (tn_scalar){TN_SCALAR_TEXT, 0.0};
    }
    return tn_scalar_read(tn_node_text(reader->tree, node));
}

const char *tn_describe(const tn_reader *reader, int32_t node, char *buffer)
{
    const tn_node *n = tn_get(reader, node);
    if (n->kind != TN_NODE_SCALAR) {
        return n->kind == TN_NODE_SEQUENCE ? "a list" : "a mapping";
    }
    tn_scalar scalar = tn_node_scalar(reader, node);
    if (scalar.kind == TN_SCALAR_NULL) {
        return "nothing";
    }
    snprintf(buffer, TN_DESCRIPTION_SIZE, "%s%.40s%s",
             scalar.kind == TN_SCALAR_TEXT ? "the text '" : "", tn_node_text(reader->tree, node),
             scalar.kind == TN_SCALAR_TEXT ? "'" : "");
    return buffer;
}

void tn_wrong_type(tn_reader *reader, int32_t node, const char *key, const char *wanted,
                   const char *hint)
{
    char buffer[TN_DESCRIPTION_SIZE];
    tn_problem(reader, node, hint, "'%s' must be %s, not %s", key, wanted,
               tn_describe(reader, node, buffer));
}

static int32_t note_place(tn_reader *reader, const char *key, int32_t sub, int32_t node, int bad)
{
    const tn_node *n = tn_get(reader, node);
    tn_place place = {key, reader->item, sub, n->line, n->column, bad};
    if (tn_spec_note_place(reader->spec, reader->section, &place) != TN_OK) {
        reader->status = TN_ERROR_MEMORY;
        return -1;
    }
    return reader->spec->places[reader->section].count - 1;
}

void tn_begin_field(tn_reader *reader, const char *key, int32_t node)
{
    reader->field_place = note_place(reader, key, TN_WHOLE_FIELD, node, 0);
    reader->sub_place = -1;
}

void tn_begin_sub(tn_reader *reader, const char *key, int32_t sub, int32_t node)
{
    reader->sub_place = note_place(reader, key, sub, node, 0);
}

void tn_note_bad(tn_reader *reader, const char *key, int32_t node)
{
    note_place(reader, key, TN_WHOLE_FIELD, node, 1);
}

int tn_read_text(tn_reader *reader, int32_t node, const char *key, const char **text)
{
    if (tn_get(reader, node)->kind == TN_NODE_SCALAR &&
        tn_node_scalar(reader, node).kind == TN_SCALAR_TEXT) {
        *text = tn_node_text(reader->tree, node);
        return 1;
    }
    char buffer[TN_DESCRIPTION_SIZE];
    int is_scalar = tn_get(reader, node)->kind == TN_NODE_SCALAR && tn_get(reader, node)->count > 0;
    tn_problem(reader, node, is_scalar ? "put it in quotes if it is meant as a text" : NULL,
               "'%s' must be a text, not %s", key, tn_describe(reader, node, buffer));
    return 0;
}

int tn_want_mapping(tn_reader *reader, int32_t node, const char *key)
{
    if (tn_get(reader, node)->kind == TN_NODE_MAPPING) {
        return 1;
    }
    char hint[TN_HINT_SIZE];
    tn_wrong_type(reader, node, key, "a mapping (key: value)",
                  tn_advice_on_mapping(reader, node, key, hint));
    return 0;
}

int tn_want_sequence(tn_reader *reader, int32_t node, const char *key)
{
    if (tn_get(reader, node)->kind == TN_NODE_SEQUENCE) {
        return 1;
    }
    tn_wrong_type(reader, node, key, "a list", NULL);
    return 0;
}

bool tn_may_search(tn_reader *reader)
{
    return reader->costly_searches++ < MAX_COSTLY_SEARCHES;
}

void tn_report_unknown(tn_reader *reader, int32_t node, const tn_names *names, const char *what,
                       const char *name)
{
    const bool search = tn_may_search(reader);
    const char *full = tn_full_name(reader, name, -1);
    char hint[TN_HINT_SIZE];
    const char *how = tn_hint_of_index(reader, names, name, hint);
    if (how == NULL && search && full != NULL) {
        tn_suggestion suggestion = tn_suggestion_for(full);
        tn_names_offer(names, &suggestion);
        how = tn_suggestion_hint(&suggestion, NULL, hint);
    }
    tn_problem(reader, node, how, "unknown %s '%.100s'", what, name);
}

int tn_read_reference(tn_reader *reader, int32_t node, const char *key, const tn_names *names,
                      const char *what, int32_t *index)
{
    const char *name = NULL;
    if (!tn_read_text(reader, node, key, &name)) {
        return 0;
    }
    const int32_t found =
        tn_find_item(reader, names, node, &name, (size_t)tn_get(reader, node)->count);
    if (found == TN_NO_NAME && name == NULL) {
        return 0; /* an index in it has no value */
    }
    if (found == TN_NO_NAME) {
        tn_report_unknown(reader, node, names, what, name);
        return 0;
    }
    *index = found;
    return 1;
}

void *tn_reader_alloc(tn_reader *reader, int32_t count, size_t item_size)
{
    void *block = tn_arena_alloc(&reader->arena, (size_t)count * item_size);
    if (block == NULL) {
        reader->status = TN_ERROR_MEMORY;
    }
    return block;
}

void tn_enter(tn_reader *reader, tn_saved *saved, tn_section section, int32_t item,
              const char *what, const char *name)
{
    *saved = (tn_saved){reader->what, reader->name,        reader->section,
                        reader->item, reader->field_place, reader->sub_place};
    reader->what = what;
    reader->name = name;
    reader->section = section;
    reader->item = item;
    reader->field_place = -1;
    reader->sub_place = -1;
}

void tn_leave(tn_reader *reader, const tn_saved *saved)
{
    reader->what = saved->what;
    reader->name = saved->name;
    reader->section = saved->section;
    reader->item = saved->item;
    reader->field_place = saved->field_place;
    reader->sub_place = saved->sub_place;
}
