/* tree_alias.h: what YAML lets a text say once: anchors, aliases and merge keys.
 *
 * Room io/tree. An alias becomes a copy of what its anchor names, `<<: *name` brings the keys that a
 * mapping does not have itself. Copies are counted, so that a short text cannot become a huge tree.
 */
#ifndef TN_IO_TREE_TREE_ALIAS_H
#define TN_IO_TREE_TREE_ALIAS_H

#include <stdbool.h>

#include "io/tree/tree.h"

/* Nodes that aliases may add to one text. */
#define TN_MAX_COPIES 1000000

/* Keys that a mapping may merge: each is compared with all of its own. */
#define TN_MAX_MERGED 1000

typedef struct tn_anchor {
    char *name;
    int32_t node;
} tn_anchor;

/* Zero it to start. */
typedef struct tn_anchors {
    tn_anchor *list;
    int32_t count, capacity;
    int32_t copies; /* nodes made by aliases so far */
} tn_anchors;

tn_status tn_anchor_add(tn_anchors *anchors, const char *name, size_t length, int32_t node);
/* The node that was given this name last, TN_NO_NODE when none was. */
int32_t tn_anchor_find(const tn_anchors *anchors, const char *name, size_t length);
void tn_anchors_free(tn_anchors *anchors);

/* A copy of a subtree, with the places of the original; it hangs nowhere yet. deepest: how many
 * levels it may have. NULL, or what is wrong; *copy is TN_NO_NODE then and when out of memory. */
const char *tn_tree_copy(tn_tree *tree, tn_anchors *anchors, int32_t node, int deepest,
                         int32_t *copy);

/* Replaces the key << of a mapping by the keys it brings. NULL, or what is wrong at *where. */
const char *tn_tree_merge(tn_tree *tree, int32_t mapping, int32_t *where);

#endif
