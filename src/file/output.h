/* output.h: room file: the one way in which files are written: beside their place, and moved there when complete.
 *
 * A program that reads the file while it is written, or after the writer was killed, sees the old file or the
 * complete new one.
 *
 * In: the path of an output. Out: a stream to a file beside it, then the file in its place, or nothing. The file
 * beside it, NAME.XXXXXXXX.part, has an unpredictable name and is newly created (O_EXCL, no links). The output is
 * locked while it is written: a second writer of the same output gets EBUSY. The file is flushed to the disk
 * before it is moved. A device or a pipe is written in place. A link stays a link, and the file it leads to is
 * replaced.
 */
#ifndef TN_FILE_OUTPUT_H
#define TN_FILE_OUTPUT_H

#include <stdio.h>

#include "base/base.h"

typedef struct tn_output tn_output;

/* "-" is standard output. NULL: it cannot be written, for the reason in errno. */
TN_SIBLING tn_output *tn_output_open(const char *path);
/* A stream, or a descriptor, of its own that the caller closes before the output is settled. NULL, -1: errno. */
TN_SIBLING FILE *tn_output_stream(tn_output *output);
TN_SIBLING int tn_output_descriptor(tn_output *output);
/* Path under which it is written until it is settled. */
TN_SIBLING const char *tn_output_name(const tn_output *output);
/* The output is complete: flushes it to the disk and moves it to its place, with the permissions of the file that was
 * there. Returns 0, or -1 with the reason in errno; the old file then stays. */
TN_SIBLING int tn_output_settle(tn_output *output);
/* Gives the output up: deletes what was written; the old file stays. NULL is accepted. */
TN_SIBLING void tn_output_drop(tn_output *output);
/* Gives the output up, but keeps what was written: moves it to its place if there is no file, else leaves it beside
 * it. Returns true in the second case: it is then under tn_output_name. */
TN_SIBLING bool tn_output_leave(tn_output *output);
/* Deletes the unfinished files of all threads; none can be settled afterwards. For the handler of a signal after which
 * the program ends: calls only functions that handlers may call. */
/* Every file that is being written goes, of all threads, and is not settled any more. For the handler of a signal after
 * which the program ends: calls only what handlers may call. */
TN_SIBLING void tn_output_abandon(void);
/* The names of the folder of a file, too, are on the disk. */
void tn_output_flush_folder(const char *path);
/* The reason of a failure, in words. */
TN_SIBLING const char *tn_output_problem(int error);

#endif
