/* mesh_names.c: see mesh_names.h. */
#include "mesh/mesh_names.h"

#include <stdlib.h>
#include <string.h>

#include "tenon/parameter.h"

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/* The folder of one path and the name in another. */
char *tool_beside(const char *path, const char *name)
{
    const size_t folder = name[0] == '/' ? 0 : folder_length(path);
    char *joined = malloc(folder + strlen(name) + 1);
    if (joined != NULL) {
        memcpy(joined, path, folder);
        strcpy(joined + folder, name);
    }
    return joined;
}

/* Does a path end with a slash and the name? */
static bool ends_with(const char *path, const char *name)
{
    const size_t length = strlen(path), tail = strlen(name);
    return length > tail && path[length - tail - 1] == '/' &&
           strcmp(path + length - tail, name) == 0;
}

char *tool_mesh_path(const char *model, const tn_spec *spec, const char *name)
{
    char *path = tool_beside(model, name);
    const char *source = NULL, *found = NULL;
    for (int32_t i = 0; path != NULL && (source = tn_spec_source(spec, i)) != NULL; i++) {
        if (strcmp(source, path) == 0)
            return path;
        found = found == NULL && ends_with(source, name) ? source : found; /* the first has it */
    }
    if (path == NULL || found == NULL)
        return path;
    free(path);
    return strdup(found);
}

static bool named_before(const tn_spec *spec, int32_t body, int32_t shape, const char *name)
{
    for (int32_t b = 0; b <= body; b++) {
        const tn_body_def *def = tn_spec_body(spec, (tn_body){b});
        for (int32_t k = 0; k < (b < body ? def->shape_count : shape); k++) {
            if (def->shapes[k].file != NULL && strcmp(def->shapes[k].file, name) == 0)
                return true;
        }
    }
    return false;
}

bool tool_next_mesh(const tn_spec *spec, int32_t *body, int32_t *shape, const char **name)
{
    for (; *body < tn_spec_body_count(spec); ++*body, *shape = 0) {
        const tn_body_def *def = tn_spec_body(spec, (tn_body){*body});
        for (; *shape < def->shape_count; ++*shape) {
            *name = def->shapes[*shape].file;
            if (*name != NULL && !named_before(spec, *body, *shape, *name)) {
                ++*shape;
                return true;
            }
        }
    }
    return false;
}
