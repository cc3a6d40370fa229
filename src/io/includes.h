/* includes.h: the other files of a model.
 *
 * Room io. Each is read once for every place that includes it (beside.h says which may be).
 */
#ifndef TN_IO_INCLUDES_H
#define TN_IO_INCLUDES_H

#include "io/value/beside.h"

/* Adds a mapping and what its key `include` names to a definition. whole: the mapping is a file. */
void tn_collect(tn_reader *reader, tn_tree *tree, int32_t mapping, bool whole,
                tn_definition *definition);

#endif
