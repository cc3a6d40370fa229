/* includes.h: the other files of a model.
 *
 * Room io. A file is named relative to the one that includes it, and lies in the folder of the
 * model or below: absolute names, "..", and symbolic links are refused, and what is opened is a
 * plain file, so that a model from a stranger reads nothing else.
 */
#ifndef TN_IO_INCLUDES_H
#define TN_IO_INCLUDES_H

#include "io/frame.h"

/* Reads the file that a node names, relative to the file it stands in. *path is its name as in
 * locations. TN_ERROR_IO or TN_ERROR_INPUT: *why says why not; nothing is reported. */
tn_status tn_read_beside(tn_reader *reader, int32_t node, const char *name, size_t most,
                         const char **path, const char **why, char **bytes, size_t *length);

/* Adds a mapping and what its key `include` names to a definition. whole: the mapping is a file. */
void tn_collect(tn_reader *reader, tn_tree *tree, int32_t mapping, bool whole,
                tn_definition *definition);

#endif
