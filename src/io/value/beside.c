/* beside.c: files that a model names (beside.h). */
#include "io/value/beside.h"

#include <string.h>

#include "io/text/file.h"

/* Bytes of the folder in front of a file's name, with its slash. */
static size_t folder_length(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash != NULL ? (size_t)(slash - file) + 1 : 0;
}

/* NULL, or why a name may not be included. */
static const char *name_problem(const char *name)
{
    if (name[0] == '\0') {
        return "names no file";
    }
    if (name[0] == '/') {
        return "leads out of the model's folder";
    }
    if (strchr(name, '\\') != NULL || strchr(name, ':') != NULL) {
        return "must be relative, with '/' between folders";
    }
    for (const char *part = name; part != NULL; part = strchr(part, '/')) {
        part += *part == '/';
        const size_t length = strcspn(part, "/");
        if (length == 2 && memcmp(part, "..", 2) == 0) {
            return "leads out of the model's folder";
        }
        if (length == 0 || (length == 1 && part[0] == '.')) {
            return "has an empty part, or one that is '.'";
        }
    }
    return NULL;
}

const char *tn_path_beside(tn_reader *reader, int32_t node, const char *name)
{
    const char *from = tn_source_of(reader->tree, node)->file;
    const size_t folder = folder_length(from);
    char *path = tn_reader_alloc(reader, (int32_t)(folder + strlen(name) + 1), 1);
    const char *kept = NULL;
    if (path == NULL) {
        return NULL;
    }
    memcpy(path, from, folder);
    memcpy(path + folder, name, strlen(name) + 1);
    if (tn_spec_intern_file(reader->spec, path, &kept) != TN_OK) {
        reader->status = TN_ERROR_MEMORY;
    }
    return kept;
}

tn_status tn_read_beside(tn_reader *reader, int32_t node, const char *name, size_t most,
                         const char **path, const char **why, char **bytes, size_t *length)
{
    const char *model = reader->tree->sources[0].file;
    const size_t folder = folder_length(model);
    *why = name_problem(name);
    if (*why != NULL) {
        return TN_ERROR_INPUT;
    }
    *path = tn_path_beside(reader, node, name);
    if (*path == NULL) {
        return TN_ERROR_MEMORY;
    }
    const char *noted = NULL;
    const tn_status status =
        tn_file_read_inside(model, folder, *path + folder, most, why, bytes, length);
    return status == TN_OK ? tn_spec_intern_file(reader->spec, *path, &noted) : status;
}
