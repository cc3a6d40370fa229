/* output.h: room file: the one way in which files are written: beside their place, and moved there when complete.
 *
 * Whoever reads a file while it is written, or after a program was killed, sees the one before or
 * the one after, never a part of one.
 *
 * In: the path of an output. Out: a stream beside it, then the file in its place, or nothing. The file beside
 * it, NAME.XXXXXXXX.part, has a name of its own that cannot be foreseen, and is made anew (O_EXCL, no links). It
 * is locked while it is written: who wants to write the same output meanwhile is refused with EBUSY. Before it
 * is moved it is flushed to the disk. What is no plain file, a device or a pipe, is written where it is; a link
 * stays one, and what it leads to is replaced.
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
/* Where it is written until it is settled. */
TN_SIBLING const char *tn_output_name(const tn_output *output);
/* Complete: to the disk and to its place, with the permissions of the file that was there. Returns 0, or -1
 * with the reason in errno, and what was there stays. */
TN_SIBLING int tn_output_settle(tn_output *output);
/* Given up: what was written goes, what was at its place stays. NULL is fine. */
TN_SIBLING void tn_output_drop(tn_output *output);
/* Given up, but what was written may be of use: to its place where nothing is, else it stays beside it. True: there
 * under the name that tn_output_name has told. */
TN_SIBLING bool tn_output_leave(tn_output *output);
/* Every file that is being written goes, of all threads, and is not settled any more. For the handler of a signal after
 * which the program ends: calls only what handlers may call. */
TN_SIBLING void tn_output_abandon(void);
/* The names of the folder of a file, too, are on the disk. */
void tn_output_flush_folder(const char *path);
/* The reason of a failure, in words. */
TN_SIBLING const char *tn_output_problem(int error);

#endif
