/* mesh_names.h: the names that a model has for the files of its meshes, and where these files are. */
#ifndef TN_TOOL_MESH_NAMES_H
#define TN_TOOL_MESH_NAMES_H

#include <stdbool.h>

#include "tenon/io.h"

/* The folder of one path and the name in another. Freed with free; NULL: out of memory. */
char *tool_beside(const char *path, const char *name);

/* Where the file is that a model calls by this name: beside the model, or where an imported one
 * found it. Freed with free; NULL: out of memory. */
char *tool_mesh_path(const char *model, const tn_spec *spec, const char *name);

/* The next mesh, from body and shape on, that no shape before it has; false: there are no more. */
bool tool_next_mesh(const tn_spec *spec, int32_t *body, int32_t *shape, const char **name);

#endif
