/* tree.h: a YAML text as a tree of located nodes.
 *
 * Room io/tree. In: text. Out: scalars, sequences and mappings, each with line and column, in one array;
 * or located problems. This is the only part that knows libfyaml. YAML is used as plain data: tags
 * are refused, aliases and merge keys become copies (tree_alias.h), and nesting is bounded, so
 * readers may recurse. What a scalar means (number, true, ...) is scalar.h.
 */
#ifndef TN_IO_TREE_TREE_H
#define TN_IO_TREE_TREE_H

#include <stdbool.h>

#include "base/base.h"
#include "tenon/limits.h"

/* Values, keys and lists of one model: some 250 000 bodies with their joints. */
#define TN_MAX_NODES (1 << 24)

typedef enum tn_node_kind { TN_NODE_SCALAR, TN_NODE_SEQUENCE, TN_NODE_MAPPING } tn_node_kind;

/* Nodes are named by index; TN_NO_NODE ends a chain of children. */
#define TN_NO_NODE (-1)

typedef struct tn_node {
    int32_t line;   /* from 1 */
    int32_t column; /* from 1, in characters */
    int32_t next;   /* the next child of the same parent */
    int32_t first;  /* first child; of a scalar: where its text starts */
    int32_t count;  /* number of children, keys and values both counted; of a scalar: bytes */
    int32_t source; /* index of the file it stands in */
    uint8_t kind;   /* tn_node_kind */
    uint8_t plain;  /* scalar without quotes */
    uint8_t inset;  /* columns from the node to its text; TN_NOT_VERBATIM */
} tn_node;

/* Of a text that does not stand in the file as it is read: escapes, several lines. */
#define TN_NOT_VERBATIM 255

/* A file that nodes stand in. */
typedef struct tn_source {
    const char *file; /* as in locations; kept by whoever reads */
    double angle;     /* rad per unit of angle of the file */
    int32_t included; /* node of the entry that names the file; TN_NO_NODE: the model itself */
    /* Zero-terminated texts of all scalars of the file. Once it is read they stay where they are:
     * names point into them while other files are included. */
    char *texts;
    int32_t text_count, text_capacity;
} tn_source;

/* Children of a mapping alternate: key, value, key, value. */
typedef struct tn_tree {
    tn_node *nodes;
    int32_t count, capacity;
    tn_source *sources; /* [0] is the model file */
    int32_t source_count, source_capacity;
    size_t byte_count; /* of all files */
} tn_tree;

/* Adds the nodes of a text to a tree, zeroed at first; *root is the topmost of them. included is
 * the node that includes it, or TN_NO_NODE. TN_ERROR_INPUT: the diagnostics say where the text is
 * broken. file (may be NULL) goes into their locations. The tree must be freed in any case. */
tn_status tn_tree_read(tn_tree *tree, const char *text, size_t length, const char *file,
                       int32_t included, tn_diagnostics *diags, int32_t *root);
void tn_tree_free(tn_tree *tree);

/* Adds to a mapping a key with an empty mapping, placed where `like` is and named like it. False:
 * out of memory. */
bool tn_tree_add_section(tn_tree *tree, int32_t mapping, int32_t like);

static inline tn_source *tn_source_of(const tn_tree *tree, int32_t node)
{
    return &tree->sources[tree->nodes[node].source];
}

static inline const char *tn_node_text(const tn_tree *tree, int32_t node)
{
    return tn_source_of(tree, node)->texts + tree->nodes[node].first;
}

/* Whether text is UTF-8 without control characters (other than tab and line ends) and without the
 * byte 0. TN_ERROR_INPUT and a located problem otherwise: the parser behind tn_tree_read is only
 * given clean text. */
tn_status tn_text_check(const char *text, size_t length, const char *file, tn_diagnostics *diags);

#endif
