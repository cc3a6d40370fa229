/* journal.c: room file: see journal.h. */
#ifndef __wasi__          /* which has no studies */
#define _DEFAULT_SOURCE 1 /* flock */
#include "file/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/output.h"

/* Bytes of a magic; tries to open a file that others make and remove meanwhile. */
enum { MOST_MAGIC = 64, TRIES = 16 };

static int open_or_make(const char *path)
{
    enum { COMMON = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC };
    int opened = open(path, COMMON);
    for (int k = 0; k < TRIES && opened < 0; k++) {
        if (errno != ENOENT && errno != EEXIST)
            return -1;
        opened = errno == ENOENT ? open(path, COMMON | O_CREAT | O_EXCL, 0666) : open(path, COMMON);
    }
    return opened;
}

/* The error of a file that must not be appended to, or 0. One that was removed before it was locked has no name. */
static int problem_of(int journal, const char *path, const void *magic, size_t size)
{
    struct stat opened, named;
    char found[MOST_MAGIC];
    if (fstat(journal, &opened) != 0)
        return errno;
    if (!S_ISREG(opened.st_mode))
        return EINVAL;
    if (flock(journal, LOCK_EX | LOCK_NB) != 0)
        return errno == EWOULDBLOCK ? EBUSY : errno;
    if (lstat(path, &named) != 0 || named.st_ino != opened.st_ino || named.st_dev != opened.st_dev)
        return EBUSY;
    if (named.st_nlink != 1)
        return EMLINK;
    const size_t there = named.st_size < (off_t)size ? (size_t)named.st_size : size;
    const bool is_one =
        pread(journal, found, there, 0) == (ssize_t)there && memcmp(found, magic, there) == 0;
    return is_one ? 0 : EINVAL;
}

int tn_journal_open(const char *path, const void *magic, size_t size)
{
    TN_ASSERT(size <= MOST_MAGIC);
    const int journal = open_or_make(path);
    const int problem = journal < 0 ? errno : problem_of(journal, path, magic, size);
    if (problem == 0) {
        tn_output_flush_folder(path);
        return journal;
    }
    if (journal >= 0)
        (void)close(journal);
    errno = problem;
    return -1;
}

bool tn_journal_append(int journal, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        const ssize_t count = write(journal, at, size);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        at += count;
        size -= (size_t)count;
    }
    return true;
}

bool tn_journal_sync(int journal)
{
    return fdatasync(journal) == 0 || errno == EINVAL || errno == ENOTSUP;
}

bool tn_journal_cut(int journal, int64_t end)
{
    return ftruncate(journal, end) == 0 && lseek(journal, end, SEEK_SET) == end;
}

void tn_journal_close(int journal, const char *path)
{
    if (path != NULL)
        (void)unlink(path);
    (void)close(journal);
}
#endif
