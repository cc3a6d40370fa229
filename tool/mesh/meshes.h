/* meshes.h: the files of a model's meshes.
 *
 * Room tool/mesh. In: a model. Out: its meshes' names, places and bytes, and copies of them.
 */
#ifndef TN_TOOL_MESHES_H
#define TN_TOOL_MESHES_H

#include <stdio.h>

#include "load.h"
#include "mesh/mesh_names.h"

/* Opens results for reading: a plain file of at most 4 GiB. NULL: the problem was reported. */
FILE *tool_open_results(const char *path);

/* All bytes of a file, with a zero behind them; NULL: errno says why; more than 256 MiB are too many. Freed with
 * free. */
char *tool_read_bytes(const char *path, size_t *length);

/* Copies the meshes to where a model written to `out` has them, if they are not there. An exit
 * code, with a message. */
int tool_copy_meshes(const char *model, const tn_spec *spec, const char *out);

#endif
