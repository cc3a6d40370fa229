/* tree_alias.c: anchors, aliases and merge keys (tree_alias.h). */
#include "io/tree/tree_alias.h"

#include <string.h>

#define MERGE_KEY "<<"

tn_status tn_anchor_add(tn_anchors *anchors, const char *name, size_t length, int32_t node)
{
    tn_anchor *grown =
        tn_grow(anchors->list, &anchors->capacity, anchors->count + 1, sizeof(*grown));
    if (grown == NULL) {
        return TN_ERROR_MEMORY;
    }
    anchors->list = grown;
    char *copy = tn_copy_text(name, length);
    if (copy == NULL) {
        return TN_ERROR_MEMORY;
    }
    grown[anchors->count++] = (tn_anchor){copy, node};
    return TN_OK;
}

int32_t tn_anchor_find(const tn_anchors *anchors, const char *name, size_t length)
{
    for (int32_t i = anchors->count - 1; i >= 0; i--) {
        const char *known = anchors->list[i].name;
        if (strlen(known) == length && memcmp(known, name, length) == 0) {
            return anchors->list[i].node;
        }
    }
    return TN_NO_NODE;
}

void tn_anchors_free(tn_anchors *anchors)
{
    for (int32_t i = 0; i < anchors->count; i++) {
        tn_free(anchors->list[i].name);
    }
    tn_free(anchors->list);
    *anchors = (tn_anchors){0};
}

/* A node without children. */
static int32_t copy_node(tn_tree *tree, int32_t node)
{
    tn_node *grown = tree->count < INT32_MAX
                         ? tn_grow(tree->nodes, &tree->capacity, tree->count + 1, sizeof(*grown))
                         : NULL;
    if (grown == NULL) {
        return TN_NO_NODE;
    }
    tree->nodes = grown;
    grown[tree->count] = grown[node];
    grown[tree->count].next = TN_NO_NODE;
    if (grown[node].kind != TN_NODE_SCALAR) {
        grown[tree->count].first = TN_NO_NODE;
    }
    return tree->count++;
}

const char *tn_tree_copy(tn_tree *tree, tn_anchors *anchors, int32_t node, int deepest,
                         int32_t *copy)
{
    *copy = TN_NO_NODE;
    if (deepest <= 0) {
        return "nested too deeply for a model";
    }
    if (anchors->copies++ >= TN_MAX_COPIES) {
        return "the aliases make too much of this text";
    }
    const int32_t made = copy_node(tree, node);
    if (made == TN_NO_NODE) {
        return NULL;
    }
    int32_t last = TN_NO_NODE;
    int32_t child = tree->nodes[node].kind != TN_NODE_SCALAR ? tree->nodes[node].first : TN_NO_NODE;
    for (; child != TN_NO_NODE; child = tree->nodes[child].next) {
        int32_t below;
        const char *problem = tn_tree_copy(tree, anchors, child, deepest - 1, &below);
        if (problem != NULL || below == TN_NO_NODE) {
            return problem;
        }
        *(last == TN_NO_NODE ? &tree->nodes[made].first : &tree->nodes[last].next) = below;
        last = below;
    }
    *copy = made;
    return NULL;
}

bool tn_tree_add_section(tn_tree *tree, int32_t mapping, int32_t like)
{
    const int32_t key = copy_node(tree, like);
    const int32_t value = key != TN_NO_NODE ? copy_node(tree, like) : TN_NO_NODE;
    if (value == TN_NO_NODE) {
        return false;
    }
    tree->nodes[value].kind = TN_NODE_MAPPING;
    tree->nodes[value].first = TN_NO_NODE;
    tree->nodes[value].count = 0;
    tree->nodes[key].next = value;
    int32_t *link = &tree->nodes[mapping].first;
    while (*link != TN_NO_NODE) {
        link = &tree->nodes[*link].next;
    }
    *link = key;
    tree->nodes[mapping].count += 2;
    return true;
}

/* merge keys ------------------------------------------------------------------------------------
 */

static bool is_merge_key(const tn_tree *tree, int32_t key)
{
    const tn_node *n = &tree->nodes[key];
    return n->kind == TN_NODE_SCALAR && n->plain && strcmp(tn_node_text(tree, key), MERGE_KEY) == 0;
}

static bool has_key(const tn_tree *tree, int32_t mapping, const char *name)
{
    for (int32_t key = tree->nodes[mapping].first; key != TN_NO_NODE;
         key = tree->nodes[tree->nodes[key].next].next) {
        if (strcmp(tn_node_text(tree, key), name) == 0) {
            return true;
        }
    }
    return false;
}

/* Takes the pair behind `before` (TN_NO_NODE: the first one) out of a mapping. */
static int32_t take_pair(tn_tree *tree, int32_t mapping, int32_t before)
{
    int32_t *link = before == TN_NO_NODE ? &tree->nodes[mapping].first : &tree->nodes[before].next;
    const int32_t key = *link;
    const int32_t value = tree->nodes[key].next;
    *link = tree->nodes[value].next;
    tree->nodes[value].next = TN_NO_NODE;
    tree->nodes[mapping].count -= 2;
    return key;
}

static void hang_pair(tn_tree *tree, int32_t mapping, int32_t *last, int32_t key)
{
    *(*last == TN_NO_NODE ? &tree->nodes[mapping].first : &tree->nodes[*last].next) = key;
    *last = tree->nodes[key].next;
    tree->nodes[mapping].count += 2;
}

static int32_t last_child(const tn_tree *tree, int32_t mapping)
{
    int32_t last = TN_NO_NODE;
    for (int32_t i = tree->nodes[mapping].first; i != TN_NO_NODE; i = tree->nodes[i].next) {
        last = i;
    }
    return last;
}

/* Moves the pairs of `from` whose keys are new. */
static const char *bring(tn_tree *tree, int32_t mapping, int32_t from, int32_t *where)
{
    *where = from;
    if (tree->nodes[from].kind != TN_NODE_MAPPING) {
        return "'<<' brings the keys of a mapping: <<: *name";
    }
    if (tree->nodes[from].count / 2 > TN_MAX_MERGED) {
        return "'<<' brings too many keys";
    }
    int32_t last = last_child(tree, mapping);
    while (tree->nodes[from].first != TN_NO_NODE) {
        const int32_t key = take_pair(tree, from, TN_NO_NODE);
        if (!has_key(tree, mapping, tn_node_text(tree, key))) {
            hang_pair(tree, mapping, &last, key);
        }
    }
    return NULL;
}

static const char *merge(tn_tree *tree, int32_t mapping, int32_t value, int32_t *where)
{
    if (tree->nodes[value].kind != TN_NODE_SEQUENCE) {
        return bring(tree, mapping, value, where);
    }
    for (int32_t one = tree->nodes[value].first; one != TN_NO_NODE; one = tree->nodes[one].next) {
        const char *problem = bring(tree, mapping, one, where);
        if (problem != NULL) {
            return problem;
        }
    }
    return NULL;
}

const char *tn_tree_merge(tn_tree *tree, int32_t mapping, int32_t *where)
{
    int32_t before = TN_NO_NODE, key = tree->nodes[mapping].first, brought = TN_NO_NODE;
    while (key != TN_NO_NODE) {
        const int32_t value = tree->nodes[key].next;
        const int32_t next = tree->nodes[value].next;
        if (!is_merge_key(tree, key)) {
            before = value;
        } else if (brought != TN_NO_NODE) {
            *where = key;
            return "'<<' is given twice: a list brings several, <<: [*a, *b]";
        } else {
            take_pair(tree, mapping, before);
            brought = value;
        }
        key = next;
    }
    return brought != TN_NO_NODE ? merge(tree, mapping, brought, where) : NULL;
}
