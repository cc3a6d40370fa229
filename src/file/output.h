/* output.h: room file: files are written beside their place and moved there when complete.
 *
 * Whoever reads a file while it is written, or after a program was killed, sees the one before or
 * the one after, never a part of one.
 *
 * In: the path of an output. Out: another beside it, then the file in its place, or nothing.
 */
#ifndef TN_FILE_OUTPUT_H
#define TN_FILE_OUTPUT_H

#include "base/base.h"

/* The name to write to: `path` with ".part" at its end; `path` itself where nothing can be moved to
 * it: a device, a pipe, a link, a file in a folder that may not be written. NULL: out of memory.
 * Free with tn_free. */
TN_SIBLING char *tn_output_beside(const char *path);
/* Complete: to its place, with the permissions of the file that was there. Returns 0, or -1 with
 * the reason in errno. */
TN_SIBLING int tn_output_settle(const char *beside, const char *path);
/* Given up: what was written goes, what was at its place stays. */
TN_SIBLING void tn_output_drop(const char *beside, const char *path);

#endif
