/* read_table.c: a mapping by its table (reader.h).
 *
 * Room io/reader. First every key is matched with its field, then the fields are read in the order of the
 * table, whatever their order in the file: a field may rely on those above it (a joint's
 * coordinates on its type, joints on bodies).
 */
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "io/reader/advice.h"
#include "io/reader/reader.h"

#define MAX_FIELDS 64

/* The fields of one mapping. */
typedef struct match {
    const tn_table *table;
    int32_t keys[MAX_FIELDS]; /* node of each field's key, or TN_NO_NODE */
} match;

static int32_t find_field(const tn_table *table, const char *key)
{
    for (int32_t i = 0; i < table->field_count; i++) {
        if (strcmp(table->fields[i].key, key) == 0) {
            return i;
        }
    }
    return -1;
}

static tn_suggestion suggest_key(const tn_reader *reader, const tn_table *table, const char *key)
{
    tn_suggestion suggestion = tn_suggestion_for(key);
    const char *other = NULL;
    for (int32_t i = 0; table->other_key != NULL && (other = table->other_key(reader, i)) != NULL;
         i++) {
        tn_suggestion_offer(&suggestion, other);
    }
    for (int32_t i = 0; i < table->field_count; i++) {
        tn_suggestion_offer(&suggestion, table->fields[i].key);
    }
    return suggestion;
}

static void report_unknown(tn_reader *reader, const tn_table *table, int32_t key)
{
    const char *text = tn_node_text(reader->tree, key);
    char hint[TN_HINT_SIZE], buffer[TN_HINT_SIZE];
    tn_suggestion meant = suggest_key(reader, table, text);
    const char *advice = tn_advice_on_key(table->title, text, buffer);
    if (advice != NULL) { /* "write 'bodies'" */
        const bool one = sscanf(advice, "write '%64[^']'", meant.best) == 1;
        meant.best[0] = one ? meant.best[0] : '\0';
    }
    tn_problem(reader, key,
               advice != NULL ? advice
                              : tn_suggestion_hint(&meant, "docs/reference/model.md", hint),
               "unknown key '%.100s' in %s", text, table->title);
    const int32_t field = meant.best[0] != '\0' ? find_field(table, meant.best) : -1;
    if (field >= 0 && reader->field_place < 0) { /* what is missing now has been reported */
        tn_note_bad(reader, table->fields[field].key, key);
    }
}

/* Matches all keys; those without a field are left to the second pass. */
static void match_keys(tn_reader *reader, match *m, int32_t node)
{
    for (int32_t i = 0; i < m->table->field_count; i++) {
        m->keys[i] = TN_NO_NODE;
    }
    TN_EACH_KEY(reader, node, key)
    {
        const char *text = tn_node_text(reader->tree, key);
        int32_t field = find_field(m->table, text);
        if (field < 0) {
            continue;
        }
        if (m->keys[field] != TN_NO_NODE) {
            tn_problem(reader, key, NULL, "'%s' is given twice, first in line %d", text,
                       (int)tn_get(reader, m->keys[field])->line);
            continue;
        }
        m->keys[field] = key;
    }
}

/* At most one field of a group. */
static void check_groups(tn_reader *reader, const match *m)
{
    const tn_field *fields = m->table->fields;
    for (int32_t i = 0; i < m->table->field_count; i++) {
        for (int32_t j = i + 1; fields[i].group != NULL && j < m->table->field_count; j++) {
            if (fields[j].group != NULL && strcmp(fields[i].group, fields[j].group) == 0 &&
                m->keys[i] != TN_NO_NODE && m->keys[j] != TN_NO_NODE) {
                tn_problem(reader, m->keys[j], NULL, "give only one of '%s' and '%s' in %s",
                           fields[i].key, fields[j].key, m->table->title);
            }
        }
    }
}

static void read_other_keys(tn_reader *reader, const tn_table *table, int32_t node, void *target)
{
    TN_EACH_KEY(reader, node, key)
    {
        const char *text = tn_node_text(reader->tree, key);
        int32_t value = tn_get(reader, key)->next;
        if (find_field(table, text) < 0 &&
            (table->read_other == NULL || !table->read_other(reader, key, value, target))) {
            report_unknown(reader, table, key);
        }
    }
}

/* Only the fields of an item itself have places, not those of mappings inside it. */
static void read_field(tn_reader *reader, const tn_field *field, int32_t value, void *target)
{
    int outermost = reader->field_place < 0;
    if (outermost) {
        tn_begin_field(reader, field->key, value);
    }
    field->kind->read(reader, field, value, target);
    if (outermost) {
        reader->field_place = -1;
    }
    reader->sub_place = -1;
}

static bool is_given(const match *m, const char *key)
{
    const int32_t field = key != NULL ? find_field(m->table, key) : -1;
    return field >= 0 && m->keys[field] != TN_NO_NODE;
}

/* Must the field be there, with the keys that are? */
static bool is_missing(const match *m, const tn_field *field)
{
    return (field->flags & TN_FIELD_REQUIRED) != 0 && !is_given(m, field->or_key) &&
           !is_given(m, field->or_other);
}

uint64_t tn_read_table(tn_reader *reader, const tn_table *table, int32_t node, int32_t owner,
                       void *target)
{
    match m = {.table = table};
    TN_ASSERT(table->field_count <= MAX_FIELDS);
    if (tn_get(reader, node)->kind != TN_NODE_MAPPING) {
        char buffer[TN_DESCRIPTION_SIZE];
        tn_problem(reader, node, tn_advice_on_table(table->title),
                   "%s must be a mapping (key: value), not %s", table->title,
                   tn_describe(reader, node, buffer));
        return 0;
    }
    match_keys(reader, &m, node);
    check_groups(reader, &m);
    uint64_t seen = 0;
    for (int32_t i = 0; i < table->field_count; i++) {
        const tn_field *field = &table->fields[i];
        if (m.keys[i] != TN_NO_NODE) {
            seen |= (uint64_t)1 << i;
            read_field(reader, field, tn_get(reader, m.keys[i])->next, target);
        } else if (is_missing(&m, field)) {
            tn_problem(reader, owner, field->doc, "the key '%s' is missing in %s", field->key,
                       table->title);
            if (reader->field_place < 0) {
                tn_note_bad(reader, field->key, owner);
            }
        }
    }
    read_other_keys(reader, table, node, target);
    return seen;
}
