/* journal.h: room file: a file that grows while a program works, and is read again after a killed one.
 *
 * It cannot be written beside its place and moved there: it is there to be found after a program was killed. So it
 * is appended to where it is, by the same rules as outputs (output.h) otherwise. A new one is made anew (O_EXCL). No
 * link is followed, also none of the same inode: only a plain file of one name is written. It is locked until it is
 * closed: a second writer is refused with EBUSY. What is appended goes to the disk at tn_journal_sync.
 *
 * In: the path of a journal and its first bytes. Out: a descriptor that is read and appended to.
 */
#ifndef TN_FILE_JOURNAL_H
#define TN_FILE_JOURNAL_H

#include "base/base.h"

/* At its beginning; empty if it is new. A file that is there without the `magic` is none, and refused with EINVAL.
 * -1: errno. */
TN_SIBLING int tn_journal_open(const char *path, const void *magic, size_t size);
/* True, or false with the reason in errno. */
TN_SIBLING bool tn_journal_append(int journal, const void *bytes, size_t size);
/* What was appended is on the disk. What cannot be flushed has none. */
TN_SIBLING bool tn_journal_sync(int journal);
/* What follows from here on is cut off: the part that a killed program has left. */
TN_SIBLING bool tn_journal_cut(int journal, int64_t end);
/* Unlocked; `path` not NULL: removed before. */
TN_SIBLING void tn_journal_close(int journal, const char *path);

#endif
