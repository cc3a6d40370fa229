/* file.h: a whole file in memory.
 *
 * Room io.
 */
#ifndef TN_IO_FILE_H
#define TN_IO_FILE_H

#include "base/base.h"

/* Reads all of a file, at most `most` bytes; free *bytes with tn_free. TN_ERROR_IO with a problem
 * that names the file, TN_ERROR_INPUT when it is larger, TN_ERROR_MEMORY. */
tn_status tn_file_read(const char *path, size_t most, tn_diagnostics *diags, char **bytes,
                       size_t *length);

#endif
