/* text_edit.c: room io/tree: a few values of a model file changed in its text.
 *
 * In: a text and what its values are to be. Out: the same text with these replaced or added. Nodes
 * know the line and column where they start, which is enough: a value on one line ends where its
 * text does, and a new key goes before the first one of its mapping, in front of a comma or on a
 * line of its own. Whether the new text means what it should is for the caller to see, by reading
 * it: an alias may have made one place of two.
 */
#include <stdio.h>
#include <string.h>

#include "io/tree/text_edit.h"
#include "io/tree/tree.h"

/* Bytes [at, at + taken) of the text become `given`. */
typedef struct change {
    size_t at, taken;
    char *given;
} change;

typedef struct editor {
    const char *text; /* behind a byte order mark */
    size_t length;
    tn_tree tree;
    int32_t root;
    change *changes; /* one for each edit, in the order of the text */
    int32_t count;
} editor;

/* The byte where a node stands, which is counted in characters. */
static size_t offset_of(const editor *e, const tn_node *node)
{
    size_t at = 0;
    for (int32_t line = 1; line < node->line && at < e->length; at++) {
        line += e->text[at] == '\n';
    }
    for (int32_t column = 1; column < node->column && at < e->length; at++) {
        column += at + 1 >= e->length || (e->text[at + 1] & 0xc0) != 0x80;
    }
    return at;
}

/* The value of a key of a mapping, TN_NO_NODE without one. */
static int32_t value_of(const editor *e, int32_t mapping, const char *key)
{
    const tn_node *nodes = e->tree.nodes;
    if (mapping == TN_NO_NODE || nodes[mapping].kind != TN_NODE_MAPPING) {
        return TN_NO_NODE;
    }
    for (int32_t k = nodes[mapping].first; k != TN_NO_NODE; k = nodes[nodes[k].next].next) {
        if (nodes[k].kind == TN_NODE_SCALAR && strcmp(tn_node_text(&e->tree, k), key) == 0) {
            return nodes[k].next;
        }
    }
    return TN_NO_NODE;
}

static tn_status add_change(editor *e, size_t at, size_t taken, char *given)
{
    int32_t place = e->count;
    if (given == NULL) {
        return TN_ERROR_MEMORY;
    }
    for (; place > 0 && e->changes[place - 1].at > at; place--) {
        e->changes[place] = e->changes[place - 1];
    }
    e->changes[place] = (change){at, taken, given};
    e->count++;
    return TN_OK;
}

/* A scalar on one line becomes another one. */
static tn_status replace(editor *e, int32_t node, const char *value)
{
    const tn_node *n = &e->tree.nodes[node];
    if (n->kind != TN_NODE_SCALAR || n->inset == TN_NOT_VERBATIM || n->count == 0) {
        return TN_ERROR_UNSUPPORTED;
    }
    const size_t quotes = 2 * (size_t)n->inset;
    return add_change(e, offset_of(e, n), (size_t)n->count + quotes,
                      tn_copy_text(value, strlen(value)));
}

/* "key: value" or, with a sub, "key: {sub: value}", as it goes before what stands at `before`. */
static char *entry_text(const editor *e, size_t before, bool flow, int32_t column,
                        const char *const parts[2], const char *value)
{
    const char *quote = e->text[before] == '"' ? "\"" : "";
    const size_t room =
        strlen(parts[0]) + (parts[1] ? strlen(parts[1]) : 0) + strlen(value) + (size_t)column + 32;
    char *text = tn_alloc(room, 1);
    if (text == NULL) {
        return NULL;
    }
    int used = parts[1] == NULL ? snprintf(text, room, "%s%s%s: %s", quote, parts[0], quote, value)
                                : snprintf(text, room, "%s%s%s: {%s%s%s: %s}", quote, parts[0],
                                           quote, quote, parts[1], quote, value);
    snprintf(text + used, room - (size_t)used, flow ? ", " : "\n%*s", flow ? 0 : (int)column - 1,
             "");
    return text;
}

/* A new key at the beginning of a mapping that has some. */
static tn_status insert(editor *e, int32_t mapping, const char *key, const char *sub,
                        const char *value)
{
    const tn_node *m = &e->tree.nodes[mapping];
    if (m->kind != TN_NODE_MAPPING || m->first == TN_NO_NODE) {
        return TN_ERROR_UNSUPPORTED;
    }
    const tn_node *first = &e->tree.nodes[m->first];
    const size_t before = offset_of(e, first);
    const bool flow = e->text[offset_of(e, m)] == '{';
    const char *const parts[2] = {key, sub};
    return add_change(e, before, 0, entry_text(e, before, flow, first->column, parts, value));
}

static tn_status take_edit(editor *e, const tn_text_edit *edit)
{
    const int32_t item = value_of(e, value_of(e, e->root, edit->section), edit->name);
    if (item == TN_NO_NODE) {
        return TN_ERROR_UNSUPPORTED;
    }
    if (edit->key == NULL) {
        return replace(e, item, edit->value);
    }
    const int32_t value = value_of(e, item, edit->key);
    if (value == TN_NO_NODE) {
        return insert(e, item, edit->key, edit->sub, edit->value);
    }
    if (edit->sub == NULL || e->tree.nodes[value].kind == TN_NODE_SCALAR) {
        return replace(e, value, edit->value);
    }
    const int32_t inner = value_of(e, value, edit->sub);
    return inner == TN_NO_NODE ? insert(e, value, edit->sub, NULL, edit->value)
                               : replace(e, inner, edit->value);
}

/* The text with its changes; none may begin within another. */
static tn_status write_changes(const editor *e, char **out, size_t *out_length)
{
    size_t length = e->length, from = 0;
    for (int32_t k = 0; k < e->count; k++) {
        length += strlen(e->changes[k].given);
    }
    char *text = tn_alloc(length + 1, 1), *at = text;
    if (text == NULL) {
        return TN_ERROR_MEMORY;
    }
    for (int32_t k = 0; k < e->count; k++) {
        const change *c = &e->changes[k];
        if (c->at < from || c->at + c->taken > e->length) {
            tn_free(text);
            return TN_ERROR_UNSUPPORTED;
        }
        memcpy(at, e->text + from, c->at - from);
        at += c->at - from;
        memcpy(at, c->given, strlen(c->given));
        at += strlen(c->given);
        from = c->at + c->taken;
    }
    memcpy(at, e->text + from, e->length - from);
    at += e->length - from;
    *out = text;
    *out_length = (size_t)(at - text);
    return TN_OK;
}

tn_status tn_text_edit_all(const char *text, size_t length, const tn_text_edit *edits,
                           int32_t count, char **out, size_t *out_length)
{
    const size_t mark = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    editor e = {.text = text + mark, .length = length - mark};
    *out = NULL;
    e.changes = TN_NEW_ARRAY(change, count);
    tn_status status = e.changes != NULL ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK) {
        status = tn_tree_read(&e.tree, text, length, NULL, TN_NO_NODE, NULL, &e.root);
    }
    for (int32_t k = 0; k < count && status == TN_OK; k++) {
        status = take_edit(&e, &edits[k]);
    }
    if (status == TN_OK) {
        status = write_changes(&e, out, out_length);
    }
    for (int32_t k = 0; k < e.count; k++) {
        tn_free(e.changes[k].given);
    }
    tn_free(e.changes);
    tn_tree_free(&e.tree);
    return status;
}
