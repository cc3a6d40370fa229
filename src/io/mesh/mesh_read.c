/* mesh_read.c (room: io/mesh): from a file name to a mesh: the format table, loading, limits.
 *
 * In: a path. Out: a mesh or located problems. A file is read whole: the formats are parsed from
 * memory, with the size known, and the same parser serves tests and fuzzers.
 */
#include "io/text/file.h"
#include "io/mesh/mesh_read.h"

#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "io/mesh/mesh_formats.h"

typedef struct mesh_format {
    const char *ending; /* lower case */
    tn_status (*read)(const char *name, const void *bytes, size_t size, tn_mesh_builder *builder,
                      tn_diagnostics *diags);
} mesh_format;

static const mesh_format FORMATS[] = {
    {".stl", tn_mesh_read_stl}, {".obj", tn_mesh_read_obj}, {".msh", tn_mesh_read_msh}};

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    if (length < tail) {
        return false;
    }
    for (size_t i = 0; i < tail; i++) {
        char c = name[length - tail + i];
        if ((c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c) != ending[i]) {
            return false;
        }
    }
    return true;
}

static tn_status find_format(const char *name, const mesh_format **format, tn_diagnostics *diags)
{
    for (size_t i = 0; i < TN_COUNT_OF(FORMATS); i++) {
        if (ends_with(name, FORMATS[i].ending)) {
            *format = &FORMATS[i];
            return TN_OK;
        }
    }
    tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_UNSUPPORTED, (tn_location){name, 0, 0},
                       "Meshes are read from .stl, .obj and .msh files.",
                       "the name does not end in a known mesh format");
    return TN_ERROR_UNSUPPORTED;
}

/* What a reader that found nothing wrong may still have to say. */
static tn_status review(const char *name, const tn_mesh_builder *builder, tn_status status,
                        tn_diagnostics *diags)
{
    tn_location at = {name, 0, 0};
    if (status == TN_ERROR_UNSUPPORTED) {
        tn_diagnostics_add(diags, TN_ERROR, status, at, NULL, "more than %d triangles",
                           TN_MESH_MAX_TRIANGLES);
    } else if (status == TN_OK && builder->mesh.triangle_count == 0) {
        status = TN_ERROR_INPUT;
        tn_diagnostics_add(diags, TN_ERROR, status, at, NULL, "there are no triangles in the file");
    } else if (status == TN_OK && builder->degenerate_count > 0) {
        tn_diagnostics_add(diags, TN_NOTE, TN_OK, at, NULL,
                           "%d triangles with coinciding corners are left out",
                           (int)builder->degenerate_count);
    }
    return status;
}

tn_status tn_mesh_parse(const char *name, const void *bytes, size_t size, tn_mesh *out,
                        tn_diagnostics *diags)
{
    const mesh_format *format = NULL;
    *out = (tn_mesh){0};
    tn_status status = find_format(name, &format, diags);
    if (status != TN_OK) {
        return status;
    }
    tn_mesh_builder builder = {0};
    status = format->read(name, bytes, size, &builder, diags);
    status = review(name, &builder, status, diags);
    return tn_mesh_builder_finish(&builder, status, out);
}

/* The whole stream; grows as it reads, since a pipe does not know its size. */
static tn_status load(FILE *file, char **bytes, size_t *size)
{
    int32_t capacity = 0;
    *bytes = NULL;
    *size = 0;
    for (;;) {
        const size_t block = 1 << 16;
        char *grown = tn_grow(*bytes, &capacity, (int32_t)(*size + block), 1);
        if (grown == NULL) {
            return TN_ERROR_MEMORY;
        }
        *bytes = grown;
        size_t got = fread(*bytes + *size, 1, block, file);
        *size += got;
        if (*size > TN_MESH_MAX_BYTES) {
            return TN_ERROR_UNSUPPORTED;
        }
        if (got < block) {
            return ferror(file) ? TN_ERROR_IO : TN_OK;
        }
    }
}

tn_status tn_mesh_read(const char *path, tn_mesh *out, tn_diagnostics *diags)
{
    const mesh_format *format = NULL;
    *out = (tn_mesh){0};
    tn_status status = find_format(path, &format, diags);
    if (status != TN_OK) {
        return status;
    }
    char *bytes = NULL;
    size_t size = 0;
    tn_location at = {path, 0, 0};
    FILE *file = tn_file_open(path);
    status = file == NULL ? TN_ERROR_IO : load(file, &bytes, &size);
    if (file != NULL) {
        fclose(file);
    }
    if (status == TN_OK) {
        status = tn_mesh_parse(path, bytes, size, out, diags);
    } else if (status == TN_ERROR_UNSUPPORTED) {
        tn_diagnostics_add(diags, TN_ERROR, status, at, NULL, "the file is larger than %zu bytes",
                           TN_MESH_MAX_BYTES);
    } else {
        tn_diagnostics_add(diags, TN_ERROR, status, at, NULL, "%s", tn_status_text(status));
    }
    tn_free(bytes);
    return status;
}
