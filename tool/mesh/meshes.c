/* meshes.c: see meshes.h. */
#include "mesh/meshes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/text/file.h"
#include "output.h"
#include "tool.h"

/* Bytes of a model or a mesh, as the library reads them; of results. */
#define TOOL_MOST_BYTES   ((size_t)256 << 20)
#define TOOL_MOST_RESULTS ((off_t)4 << 30)

FILE *tool_open_results(const char *path)
{
    struct stat what;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const bool there = file >= 0 && fstat(file, &what) == 0;
    FILE *stream = NULL;
    if (there && S_ISREG(what.st_mode) && what.st_size <= TOOL_MOST_RESULTS) {
        stream = fdopen(file, "rb");
    } else if (there) {
        errno = EFBIG;
    }
    if (stream != NULL)
        return stream;
    tool_error("%s: cannot be read: %s", path,
               !there                   ? strerror(errno)
               : !S_ISREG(what.st_mode) ? "it is no plain file"
                                        : "it has more than 4 GiB");
    if (file >= 0)
        close(file);
    return NULL;
}

char *tool_read_bytes(const char *path, size_t *length)
{
    FILE *file = tn_file_open(path);
    char *bytes = NULL;
    size_t room = 0, used = 0, got = 1;
    while (file != NULL && got > 0 && used <= TOOL_MOST_BYTES) {
        if (room - used < 4096) {
            room = 2 * room + 65536;
            char *grown = realloc(bytes, room);
            if (grown == NULL)
                break;
            bytes = grown;
        }
        got = fread(bytes + used, 1, room - used - 1, file);
        used += got;
    }
    const bool large = used > TOOL_MOST_BYTES;
    const bool bad = file == NULL || got > 0 || ferror(file) != 0;
    if (file != NULL)
        fclose(file);
    if (bad) {
        free(bytes);
        errno = large ? EFBIG : errno;
        return NULL;
    }
    bytes[used] = '\0';
    *length = used;
    return bytes;
}

/* ---- copies ---- */

static bool same_bytes(const char *path, const char *bytes, size_t length)
{
    size_t there = 0;
    char *old = tool_read_bytes(path, &there);
    const bool same = old != NULL && there == length && memcmp(old, bytes, length) == 0;
    free(old);
    return same;
}

/* The folders on the way to a file, from `from` on. */
static bool make_folders(char *path, size_t from)
{
    bool good = true;
    for (char *slash = strchr(path + from, '/'); good && slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        good = mkdir(path, 0777) == 0 || errno == EEXIST;
        *slash = '/';
    }
    return good;
}

static int write_copy(char *to, size_t folder, const char *bytes, size_t length)
{
    struct stat there;
    tool_output out;
    if (stat(to, &there) == 0) {
        if (same_bytes(to, bytes, length))
            return TOOL_OK;
        tool_error("%s: is another file than the mesh that belongs there, it is not written over",
                   to);
        return TOOL_BAD_INPUT;
    }
    if (!make_folders(to, folder)) {
        tool_error("%s: %s", to, strerror(errno));
        return TOOL_BAD_INPUT;
    }
    const int code = tool_output_open(to, &out);
    if (code != TOOL_OK)
        return code;
    fwrite(bytes, 1, length, out.stream);
    return tool_output_close(&out, true, TOOL_OK);
}

static int copy_mesh(const char *model, const tn_spec *spec, const char *out, const char *name)
{
    size_t length = 0;
    char *from = tool_mesh_path(model, spec, name), *to = tool_beside(out, name);
    char *bytes = from != NULL && to != NULL ? tool_read_bytes(from, &length) : NULL;
    int code = TOOL_BAD_INPUT;
    if (bytes != NULL) {
        code = write_copy(to, strlen(to) - strlen(name), bytes, length);
    } else {
        tool_error("%s: %s", from != NULL ? from : name, strerror(errno));
    }
    free(bytes);
    free(from);
    free(to);
    return code;
}

int tool_copy_meshes(const char *model, const tn_spec *spec, const char *out)
{
    int32_t body = 0, shape = 0;
    const char *name = NULL;
    int code = TOOL_OK;
    while (code == TOOL_OK && tool_next_mesh(spec, &body, &shape, &name)) {
        code = copy_mesh(model, spec, out, name);
    }
    return code;
}
