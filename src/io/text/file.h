/* file.h: a whole file in memory.
 *
 * Room io/text.
 */
#ifndef TN_IO_TEXT_FILE_H
#define TN_IO_TEXT_FILE_H

#include <stdio.h>

#include "base/base.h"

/* A file, pipe or standard input for reading, NULL with the reason in errno. A pipe without a writer
 * is given up after TN_PIPE_PATIENCE (ETIMEDOUT), folders and devices that have no end
 * are no files (EINVAL). */
TN_SIBLING FILE *tn_file_open(const char *path);

/* Reads all of a file, at most `most` bytes; free *bytes with tn_free. TN_ERROR_IO with a problem
 * that names the file, TN_ERROR_INPUT when it is larger, TN_ERROR_MEMORY. */
TN_SIBLING tn_status tn_file_read(const char *path, size_t most, tn_diagnostics *diags,
                                  char **bytes, size_t *length);

/* Writes a text, beside its place first: what was there stays when the disk is full.
 * TN_ERROR_IO with a problem that names the file. */
TN_SIBLING tn_status tn_file_write(const char *path, const char *text, size_t length,
                                   tn_diagnostics *diags);

/* Reads a plain file by its path relative to a folder (folder_length bytes of a path; 0: the
 * current one). Symbolic links are not followed, neither on the way nor at the end; the caller sees
 * to it that the path has no "..". When it fails *why says what is wrong. */
tn_status tn_file_read_inside(const char *folder, size_t folder_length, const char *relative,
                              size_t most, const char **why, char **bytes, size_t *length);

#endif
