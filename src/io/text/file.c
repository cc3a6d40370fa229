/* file.c: a whole file in memory (file.h). Works for pipes too: the size is not needed in advance.
 */
#include "io/text/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/output.h"

/* ms: so long may the other end of a pipe be silent before its first byte. */
#define TN_PIPE_PATIENCE 3000

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

/* Files know their size before they are read; pipes do not. */
static bool is_too_large(FILE *stream, size_t most)
{
    struct stat what;
    return fstat(fileno(stream), &what) == 0 && S_ISREG(what.st_mode) &&
           (uintmax_t)what.st_size > most;
}

static tn_status read_stream(FILE *stream, size_t most, char **block, size_t *length)
{
    size_t capacity = 0;
    if (is_too_large(stream, most))
        return TN_ERROR_INPUT;
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

/* Is there something to read, now or soon? */
static bool can_be_read(int descriptor)
{
    struct stat what;
    if (fstat(descriptor, &what) != 0) {
        return false;
    }
    if (S_ISREG(what.st_mode)) {
        return true;
    }
    errno = S_ISDIR(what.st_mode) ? EISDIR : EINVAL;
    if (!S_ISFIFO(what.st_mode)) {
        return S_ISSOCK(what.st_mode) || (S_ISCHR(what.st_mode) && isatty(descriptor));
    }
    struct pollfd pipe = {.fd = descriptor, .events = POLLIN};
    if (poll(&pipe, 1, TN_PIPE_PATIENCE) <= 0) {
        errno = ETIMEDOUT;
        return false;
    }
    return true;
}

/* Opened without waiting: a pipe without a writer would keep the call for ever. */
FILE *tn_file_open(const char *path)
{
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        return NULL;
    }
    const int flags = fcntl(descriptor, F_GETFL);
    FILE *stream = NULL;
    if (can_be_read(descriptor) && flags >= 0 &&
        fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) == 0) {
        stream = fdopen(descriptor, "rb");
    }
    if (stream == NULL) {
        const int reason = errno;
        close(descriptor);
        errno = reason;
    }
    return stream;
}

tn_status tn_file_read(const char *path, size_t most, tn_diagnostics *diags, char **bytes,
                       size_t *length)
{
    const tn_location at = {path, 0, 0};
    char *block = NULL;
    *bytes = NULL;
    *length = 0;
    errno = 0;
    FILE *stream = tn_file_open(path);
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

/* What stands in the way of opening a file or folder, in words. */
static const char *open_problem(int error)
{
    return error == ELOOP ? "symbolic links are not followed" : strerror(error);
}

/* The folder of a model; names beyond it are opened from here, so no rename can lead elsewhere. */
static int open_folder(const char *path, size_t length)
{
    char *name = tn_copy_text(length > 0 ? path : ".", length > 0 ? length : 1);
    const int folder = name != NULL ? open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    tn_free(name);
    return folder;
}

/* Goes down one part of the path: a folder, or at the end the file. Closes `folder`. */
static int open_part(int folder, const char *part, size_t length, bool last)
{
    char *name = tn_copy_text(part, length);
    const int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (last ? O_NONBLOCK : O_DIRECTORY);
    const int opened = name != NULL ? openat(folder, name, flags) : -1;
    const int error = errno;
    tn_free(name);
    close(folder);
    errno = error;
    return opened;
}

/* A descriptor of the plain file `relative` below a folder, -1 and errno otherwise. */
static int open_inside(const char *folder_path, size_t folder_length, const char *relative)
{
    int at = open_folder(folder_path, folder_length);
    while (at >= 0) {
        const size_t length = strcspn(relative, "/");
        const bool last = relative[length] == '\0';
        at = open_part(at, relative, length, last);
        if (last) {
            break;
        }
        relative += length + 1;
    }
    return at;
}

tn_status tn_file_read_inside(const char *folder, size_t folder_length, const char *relative,
                              size_t most, const char **why, char **bytes, size_t *length)
{
    struct stat about;
    *bytes = NULL;
    *length = 0;
    const int at = open_inside(folder, folder_length, relative);
    if (at < 0) {
        *why = open_problem(errno);
        return TN_ERROR_IO;
    }
    FILE *stream = fstat(at, &about) == 0 && S_ISREG(about.st_mode) ? fdopen(at, "rb") : NULL;
    if (stream == NULL) {
        close(at);
        *why = "it is no plain file";
        return TN_ERROR_IO;
    }
    char *block = NULL;
    tn_status status = read_stream(stream, most, &block, length);
    fclose(stream);
    if (status != TN_OK) {
        *why = status == TN_ERROR_INPUT ? "it is too large" : "it cannot be read";
        tn_free(block);
        return status;
    }
    *bytes = block;
    return TN_OK;
}

/* 0, or the reason. */
static int write_to(tn_output *output, const char *text, size_t length)
{
    FILE *stream = tn_output_stream(output);
    if (stream == NULL)
        return errno;
    const bool good = fwrite(text, 1, length, stream) == length;
    const int reason = good ? 0 : errno;
    return fclose(stream) != 0 && good ? errno : reason;
}

static int write_text(const char *path, const char *text, size_t length)
{
    tn_output *output = tn_output_open(path);
    if (output == NULL)
        return errno;
    const int reason = write_to(output, text, length);
    if (reason == 0)
        return tn_output_settle(output) == 0 ? 0 : errno;
    tn_output_drop(output);
    return reason;
}

tn_status tn_file_write(const char *path, const char *text, size_t length, tn_diagnostics *diags)
{
    const int reason = write_text(path, text, length);
    if (reason == 0)
        return TN_OK;
    const tn_location file = {path, 0, 0};
    tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_IO, file, NULL, "cannot be written: %s",
                       tn_output_problem(reason));
    return TN_ERROR_IO;
}
