/* field_record.c: what to record: a list of words, and lists of items or `all`.
 *
 * Room io/field.
 */
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "io/reader/reader.h"
#include "io/field/selection.h"
#include "io/reader/table_io.h"

#define ALL_NAME "all"

static int is_all(const tn_reader *reader, int32_t node)
{
    return tn_get(reader, node)->kind == TN_NODE_SCALAR &&
           strcmp(tn_node_text(reader->tree, node), ALL_NAME) == 0;
}

static int want_all_or_list(tn_reader *reader, int32_t node, const char *key)
{
    if (tn_get(reader, node)->kind == TN_NODE_SEQUENCE) {
        return 1;
    }
    tn_wrong_type(reader, node, key, "'all' or a list", NULL);
    return 0;
}

/* flags: a list of words, one bit each --------------------------------------------------------- */

static int32_t find_word(const tn_words *words, const char *text, tn_suggestion *suggestion)
{
    for (int32_t i = 0; words->word(i) != NULL; i++) {
        if (strcmp(words->word(i), text) == 0) {
            return i;
        }
        tn_suggestion_offer(suggestion, words->word(i));
    }
    return -1;
}

static void read_flags(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    uint32_t flags = 0;
    if (is_all(reader, node)) {
        return; /* the default */
    }
    if (!want_all_or_list(reader, node, field->key)) {
        return;
    }
    TN_EACH(reader, node, child)
    {
        const char *text = NULL;
        if (!tn_read_text(reader, child, field->key, &text)) {
            continue;
        }
        tn_suggestion suggestion = tn_suggestion_for(text);
        int32_t bit = find_word(field->extra, text, &suggestion);
        char hint[TN_HINT_SIZE];
        if (bit < 0) {
            tn_problem(reader, child, tn_suggestion_hint(&suggestion, NULL, hint),
                       "'%.100s' cannot be recorded", text);
        } else {
            flags |= 1u << bit;
        }
    }
    *(uint32_t *)tn_field_target(field, target) = flags;
}

static void write_flags(tn_emitter *emitter, const tn_field *field, const void *source,
                        const void *initial)
{
    const tn_words *words = field->extra;
    uint32_t flags = *(const uint32_t *)tn_field_source(field, source);
    if (flags == *(const uint32_t *)tn_field_source(field, initial)) {
        return;
    }
    tn_emit_key(emitter, field->key);
    const char *before = "[";
    for (int32_t i = 0; words->word(i) != NULL; i++) {
        if (flags & 1u << i) {
            tn_emit_raw(emitter, before);
            tn_emit_text(emitter, words->word(i));
            before = ", ";
        }
    }
    tn_emit_raw(emitter, flags == 0 ? "[]" : "]");
    tn_emit_end(emitter);
}

/* `all`, or a list of strings described by `open_items` members. */
static void schema_all_or_list(tn_json *json, const tn_words *words)
{
    tn_json_open(json, "oneOf", '[');
    tn_json_open(json, NULL, '{');
    tn_json_text(json, "const", ALL_NAME);
    tn_json_close(json);
    tn_json_open(json, NULL, '{');
    tn_json_text(json, "type", "array");
    tn_json_open(json, "items", '{');
    if (words != NULL) {
        tn_schema_words(json, words);
    } else {
        tn_json_text(json, "type", "string");
    }
    tn_json_close(json);
    tn_json_close(json);
    tn_json_close(json);
}

static void schema_flags(tn_json *json, const tn_field *field)
{
    schema_all_or_list(json, field->extra);
}

const tn_field_kind tn_field_flags = {read_flags, write_flags, schema_flags};

/* selection: a list of bodies, joints or markers, whose ids are alike -------------------------------
 */

static int32_t *count_target(const tn_selection *selection, void *target)
{
    return (int32_t *)(void *)((char *)target + selection->count_offset);
}

static void read_selection(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    const tn_selection *selection = field->extra;
    if (is_all(reader, node) || !want_all_or_list(reader, node, field->key)) {
        return;
    }
    tn_body *items = tn_reader_alloc(reader, tn_get(reader, node)->count + 1, sizeof(*items));
    if (items == NULL) {
        return;
    }
    int32_t count = 0;
    TN_EACH(reader, node, child)
    {
        count += tn_read_reference(reader, child, field->key, &reader->names[selection->section],
                                   selection->what, &items[count].i);
    }
    *(const tn_body **)tn_field_target(field, target) = items;
    *count_target(selection, target) = count;
}

static void write_selection(tn_emitter *emitter, const tn_field *field, const void *source,
                            const void *initial)
{
    (void)initial;
    const tn_selection *selection = field->extra;
    int32_t count;
    memcpy(&count, (const char *)source + selection->count_offset, sizeof(count));
    if (count < 0) {
        return;
    }
    const tn_body *items = *(const tn_body *const *)tn_field_source(field, source);
    tn_emit_key(emitter, field->key);
    tn_emit_raw(emitter, "[");
    for (int32_t i = 0; i < count; i++) {
        tn_emit_raw(emitter, i > 0 ? ", " : "");
        tn_emit_text(emitter, selection->name(emitter->spec, items[i].i));
    }
    tn_emit_raw(emitter, "]");
    tn_emit_end(emitter);
}

static void schema_selection(tn_json *json, const tn_field *field)
{
    (void)field;
    schema_all_or_list(json, NULL);
}

const tn_field_kind tn_field_selection = {read_selection, write_selection, schema_selection};
