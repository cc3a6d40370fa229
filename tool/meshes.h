/* meshes.h: the files of a model's meshes. */
#ifndef TN_TOOL_MESHES_H
#define TN_TOOL_MESHES_H

#include <stdio.h>

#include "load.h"

/* Where the file is that a model calls by this name: beside the model, or where an imported one
 * found it. Freed with free; NULL: out of memory. */
char *tool_mesh_path(const char *model, const tn_spec *spec, const char *name);

/* Results to be read: a plain file of at most 4 GiB. NULL: told. */
FILE *tool_open_results(const char *path);

/* All bytes of a file, with a zero behind them; NULL: errno says why; more than 256 MiB are too many. Freed with free. */
char *tool_read_bytes(const char *path, size_t *length);

/* The next mesh, from body and shape on, that no shape before it has; false: there are no more. */
bool tool_next_mesh(const tn_spec *spec, int32_t *body, int32_t *shape, const char **name);

/* Copies the meshes to where a model written to `out` has them, if they are not there. An exit
 * code, with a message. */
int tool_copy_meshes(const char *model, const tn_spec *spec, const char *out);

#endif
