/* beside.h: files that a model names.
 *
 * Room io/value. A file is named relative to the one that names it, and lies in the folder of the model or
 * below: absolute names, "..", and symbolic links are refused, and what is opened is a plain file, so
 * that a model from an unknown source reads nothing else.
 *
 * Room io/value, in: nodes that name a file or have a form of their own: shapes, meshes, points.
 * Out: what they say, in SI units.
 */
#ifndef TN_IO_VALUE_BESIDE_H
#define TN_IO_VALUE_BESIDE_H

#include "io/reader/frame.h"

/* The file's name as in locations: that of the folder of the file that names it, and its own. NULL:
 * out of memory, which is in reader->status. */
const char *tn_path_beside(tn_reader *reader, int32_t node, const char *name);

/* Reads the file that a node names, relative to the file it stands in. *path is its name as in
 * locations. TN_ERROR_IO or TN_ERROR_INPUT: *why says why not; nothing is reported. */
tn_status tn_read_beside(tn_reader *reader, int32_t node, const char *name, size_t most,
                         const char **path, const char **why, char **bytes, size_t *length);

#endif
