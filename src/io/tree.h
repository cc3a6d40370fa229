/* tree.h: a YAML text as a tree of located nodes.
 *
 * Room io. In: text. Out: scalars, sequences and mappings, each with line and column, in one array;
 * or located problems. This is the only part that knows libfyaml. YAML is used as plain data:
 * anchors, aliases and tags are refused, so a tree is never larger than its text, and nesting is
 * bounded, so readers may recurse. What a scalar means (number, true, ...) is scalar.h.
 */
#ifndef TN_IO_TREE_H
#define TN_IO_TREE_H

#include "base/base.h"

/* Deepest nesting of sequences and mappings; a model needs 8. */
#define TN_MAX_DEPTH 32

/* Largest text, in bytes: positions fit 32 bits. */
#define TN_MAX_TEXT ((size_t)1 << 30)

typedef enum tn_node_kind { TN_NODE_SCALAR, TN_NODE_SEQUENCE, TN_NODE_MAPPING } tn_node_kind;

/* Nodes are named by index; TN_NO_NODE ends a chain of children. */
#define TN_NO_NODE (-1)

typedef struct tn_node {
    int32_t line;   /* from 1 */
    int32_t column; /* from 1, in characters */
    int32_t next;   /* the next child of the same parent */
    int32_t first;  /* first child; of a scalar: where its text starts */
    int32_t count;  /* number of children, keys and values both counted; of a scalar: bytes */
    uint8_t kind;   /* tn_node_kind */
    uint8_t plain;  /* scalar without quotes */
} tn_node;

/* Children of a mapping alternate: key, value, key, value. */
typedef struct tn_tree {
    tn_node *nodes; /* [0] is the root */
    int32_t count, capacity;
    char *texts; /* zero-terminated texts of all scalars */
    int32_t text_count, text_capacity;
} tn_tree;

/* Builds the tree of a text. TN_ERROR_INPUT: the diagnostics say where the text is broken.
 * file (may be NULL) goes into their locations. The tree must be freed in any case. */
tn_status tn_tree_read(tn_tree *tree, const char *text, size_t length, const char *file,
                       tn_diagnostics *diags);
void tn_tree_free(tn_tree *tree);

static inline const char *tn_node_text(const tn_tree *tree, int32_t node)
{
    return tree->texts + tree->nodes[node].first;
}

/* Whether text is UTF-8 without control characters (other than tab and line ends) and without the
 * byte 0. TN_ERROR_INPUT and a located problem otherwise: the parser behind tn_tree_read is only
 * given clean text. */
tn_status tn_text_check(const char *text, size_t length, const char *file, tn_diagnostics *diags);

#endif
