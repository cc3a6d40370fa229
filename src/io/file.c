/* file.c: a whole file in memory (file.h). Works for pipes too: the size is not asked in advance.
 */
#include "io/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define FIRST_SIZE ((size_t)1 << 16)

/* Grows the block when it is full; 0 when out of memory. */
static int make_room(char **block, size_t length, size_t *capacity)
{
    if (length < *capacity) {
        return 1;
    }
    size_t larger = *capacity > 0 ? *capacity * 2 : FIRST_SIZE;
    char *grown = tn_realloc(*block, larger);
    if (grown == NULL) {
        return 0;
    }
    *block = grown;
    *capacity = larger;
    return 1;
}

static tn_status read_stream(FILE *stream, size_t most, char **block, size_t *length)
{
    size_t capacity = 0;
    while (*length <= most) {
        if (!make_room(block, *length, &capacity)) {
            return TN_ERROR_MEMORY;
        }
        size_t count = fread(*block + *length, 1, capacity - *length, stream);
        *length += count;
        if (count == 0) {
            return ferror(stream) ? TN_ERROR_IO : TN_OK;
        }
    }
    return TN_ERROR_INPUT;
}

tn_status tn_file_read(const char *path, size_t most, tn_diagnostics *diags, char **bytes,
                       size_t *length)
{
    const tn_location at = {path, 0, 0};
    char *block = NULL;
    *bytes = NULL;
    *length = 0;
    errno = 0;
    FILE *stream = fopen(path, "rb");
    tn_status status = stream != NULL ? read_stream(stream, most, &block, length) : TN_ERROR_IO;
    if (status == TN_ERROR_IO) {
        tn_diagnostics_add(diags, TN_ERROR, status, at, NULL, "cannot be read: %s",
                           strerror(errno));
    } else if (status == TN_ERROR_INPUT) {
        tn_diagnostics_add(diags, TN_ERROR, status, at, NULL, "is larger than %zu bytes", most);
    }
    if (stream != NULL) {
        fclose(stream);
    }
    if (status != TN_OK) {
        tn_free(block);
        return status;
    }
    *bytes = block;
    return TN_OK;
}
