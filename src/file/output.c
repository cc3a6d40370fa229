/* output.c: room file: see output.h. */
#ifndef __wasi__
#define _DEFAULT_SOURCE 1 /* getentropy, flock, realpath */
#endif
#include "file/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifndef __wasi__
#include <sys/file.h>
#endif

struct tn_output {
    int descriptor; /* -1: it has gone to the caller */
    char *path;     /* where it goes, links followed; NULL: it is written where it is */
    char *beside;
};

static const char ending[] = ".part";

/* Letters between the name and the ending: 40 bits. */
enum { LETTERS = 8 };
/* Bytes of the name that are kept: names of files have 255. */
enum { KEPT = 200 };
/* Tries to find a name that is free; to lock a folder, a thousandth of a second each. */
enum { TRIES = 16, PATIENCE = 500 };
/* The same of the reader of a pipe. */
enum { PIPE_PATIENCE = 3000 };

/* NULL: errno is ENOMEM. */
static char *copied(const char *text, size_t length)
{
    char *copy = tn_copy_text(text, length);
    if (copy == NULL)
        errno = ENOMEM;
    return copy;
}

static void wait_a_little(void)
{
    nanosleep(&(struct timespec){0, 1000000}, NULL);
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static size_t kept_of(const char *name)
{
    const size_t length = strlen(name);
    return length < KEPT ? length : KEPT;
}

/* Files beside their places that are being written, for handlers of signals. More than these are left by them. */
enum { MOST_OPEN = 64 };
static _Atomic(char *) open_ones[MOST_OPEN];

static void exchange(char *from, char *to)
{
    bool done = false;
    for (int i = 0; i < MOST_OPEN && !done; i++) {
        char *there = from;
        done = atomic_compare_exchange_strong(&open_ones[i], &there, to);
    }
}

void tn_output_abandon(void)
{
    for (int i = 0; i < MOST_OPEN; i++) {
        const char *name = atomic_exchange(&open_ones[i], NULL);
        if (name != NULL)
            (void)unlink(name);
    }
}

/* It is not beside its place any more. */
static void forget_beside(tn_output *output)
{
    if (output->beside != NULL)
        exchange(output->beside, NULL);
    tn_free(output->beside);
    output->beside = NULL;
}

void tn_output_drop(tn_output *output)
{
    if (output == NULL)
        return;
    const int reason = errno;
    if (output->path != NULL && output->beside != NULL)
        (void)remove(output->beside);
    if (output->descriptor >= 0)
        (void)close(output->descriptor);
    tn_free(output->path);
    forget_beside(output);
    tn_free(output);
    errno = reason;
}

#ifdef __wasi__ /* one program that has its files to itself: neither links nor locks nor owners */

static char *resolved(const char *path)
{
    return copied(path, strlen(path));
}

static void put_letters(char letters[LETTERS])
{
    memset(letters, '0', LETTERS);
}

enum { OPEN_ANEW = O_RDWR | O_CREAT | O_TRUNC };

static int own(int descriptor)
{
    (void)descriptor;
    errno = ENOTSUP;
    return -1;
}

static int lock(tn_output *output)
{
    (void)output;
    return 0;
}

static int keep_permissions(const tn_output *output)
{
    (void)output;
    return 0;
}

void tn_output_flush_folder(const char *path)
{
    (void)path;
}

#else

static char *resolved(const char *path)
{
    char *found = realpath(path, NULL);
    char *copy = found != NULL ? copied(found, strlen(found)) : NULL;
    free(found);
    return copy;
}

static void put_letters(char letters[LETTERS])
{
    static const char all[] = "abcdefghijklmnopqrstuvwxyz234567";
    unsigned char bytes[LETTERS];
    if (getentropy(bytes, sizeof bytes) != 0)
        memset(bytes, (int)getpid(), sizeof bytes); /* O_EXCL refuses what is there */
    for (int i = 0; i < LETTERS; i++)
        letters[i] = all[bytes[i] & 31u];
}

enum { OPEN_ANEW = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC };

static int own(int descriptor)
{
    return fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}

/* The folder of a path, open. */
static int folder_of(const char *path)
{
    const char *name = name_of(path);
    char *folder = name == path ? copied(".", 1) : copied(path, (size_t)(name - path));
    const int opened = folder != NULL ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    tn_free(folder);
    return opened;
}

/* Is it the file beside an output of this name, of another writer? */
static bool is_of_other(const char *entry, const char *name, const char *beside)
{
    const size_t kept = kept_of(name), length = strlen(entry);
    return length == kept + 1 + LETTERS + sizeof ending - 1 && strncmp(entry, name, kept) == 0 &&
           entry[kept] == '.' && strcmp(entry + kept + 1 + LETTERS, ending) == 0 &&
           strcmp(entry, beside) != 0;
}

static bool is_locked(int folder, const char *entry)
{
    const int file = openat(folder, entry, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const bool locked = file >= 0 && flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (file >= 0)
        (void)close(file);
    return locked;
}

static bool is_written_by_other(const tn_output *output, int folder)
{
    const int listed = own(folder);
    DIR *entries = listed >= 0 ? fdopendir(listed) : NULL;
    bool busy = false;
    if (entries == NULL && listed >= 0)
        (void)close(listed);
    for (struct dirent *at; entries != NULL && !busy && (at = readdir(entries)) != NULL;)
        busy = is_of_other(at->d_name, name_of(output->path), name_of(output->beside)) &&
               is_locked(folder, at->d_name);
    if (entries != NULL)
        (void)closedir(entries);
    return busy;
}

/* The output is that of this writer, or EBUSY. Two that begin at once come one after the other: the folder is
 * locked meanwhile, if that can be had. */
static int lock(tn_output *output)
{
    const int folder = folder_of(output->path);
    if (folder < 0)
        return -1;
    for (int k = 0; k < PATIENCE && flock(folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
         k++)
        wait_a_little();
    const bool locked = flock(output->descriptor, LOCK_EX | LOCK_NB) == 0;
    const bool busy = locked && is_written_by_other(output, folder);
    (void)close(folder);
    errno = EBUSY;
    return busy ? -1 : 0;
}

/* As the file that was there. */
static int keep_permissions(const tn_output *output)
{
    struct stat there;
    return lstat(output->path, &there) == 0 ? fchmod(output->descriptor, there.st_mode & 07777u)
                                            : 0;
}

void tn_output_flush_folder(const char *path)
{
    const int folder = folder_of(path);
    if (folder < 0)
        return;
    (void)fsync(folder);
    (void)close(folder);
}

#endif

/* path.XXXXXXXX.part */
static char *name_beside(const char *path)
{
    const size_t length = (size_t)(name_of(path) - path) + kept_of(name_of(path));
    char *name = tn_alloc(length + 1 + LETTERS + sizeof ending, 1);
    if (name == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    memcpy(name, path, length);
    name[length] = '.';
    put_letters(name + length + 1);
    memcpy(name + length + 1 + LETTERS, ending, sizeof ending);
    return name;
}

/* A file of its own beside `path`. */
static int open_beside(tn_output *output)
{
    errno = EEXIST;
    for (int k = 0; k < TRIES && output->descriptor < 0 && errno == EEXIST; k++) {
        forget_beside(output);
        output->beside = name_beside(output->path);
        if (output->beside == NULL) {
            errno = ENOMEM;
            return -1;
        }
        exchange(NULL, output->beside);
        output->descriptor = open(output->beside, OPEN_ANEW, 0666);
    }
    if (output->descriptor < 0) {
        forget_beside(output); /* another's, or none */
        return -1;
    }
    return lock(output);
}

/* Opens a device or a pipe in place. Waits a limited time for a reader of the pipe. */
static int open_in_place(const char *path)
{
    int opened = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    for (int k = 0; k < PIPE_PATIENCE && opened < 0 && errno == ENXIO; k++) {
        wait_a_little();
        opened = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    }
    const int flags = opened >= 0 ? fcntl(opened, F_GETFL) : -1;
    if (flags >= 0)
        (void)fcntl(opened, F_SETFL, flags & ~O_NONBLOCK);
    return opened;
}

static int open_plain(const char *path, tn_output *output)
{
    struct stat link;
    const bool is_link = lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
    if (!is_link && strlen(name_of(path)) == 0) {
        errno = path[0] == '\0' ? ENOENT : EISDIR;
        return -1;
    }
    output->path = is_link ? resolved(path) : copied(path, strlen(path));
    return output->path != NULL ? open_beside(output) : -1;
}

static int open_output(const char *path, tn_output *output)
{
    struct stat there;
    if (strcmp(path, "-") == 0) {
        output->descriptor = own(STDOUT_FILENO);
        return output->descriptor >= 0 ? 0 : -1;
    }
    const bool exists = stat(path, &there) == 0;
    if (exists && S_ISDIR(there.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    if (exists && !S_ISREG(there.st_mode)) {
        output->descriptor = open_in_place(path);
        return output->descriptor >= 0 ? 0 : -1;
    }
    if (exists && access(path, W_OK) != 0)
        return -1;
    return open_plain(path, output);
}

tn_output *tn_output_open(const char *path)
{
    tn_output *output = TN_NEW(tn_output);
    if (output == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    output->descriptor = -1;
    if (open_output(path, output) == 0)
        return output;
    tn_output_drop(output);
    return NULL;
}

int tn_output_descriptor(tn_output *output)
{
    return own(output->descriptor);
}

FILE *tn_output_stream(tn_output *output)
{
#ifdef __wasi__ /* which cannot have it twice */
    FILE *stream = fdopen(output->descriptor, "wb");
    output->descriptor = stream != NULL ? -1 : output->descriptor;
    return stream;
#else
    const int descriptor = own(output->descriptor);
    FILE *stream = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (stream == NULL && descriptor >= 0)
        (void)close(descriptor);
    return stream;
#endif
}

const char *tn_output_name(const tn_output *output)
{
    return output->beside != NULL ? output->beside : "";
}

/* Nothing is buffered any more; what cannot be flushed, a pipe say, has no disk. */
static int flush(const tn_output *output)
{
    if (output->descriptor < 0 || fsync(output->descriptor) == 0)
        return 0;
    return errno == EINVAL || errno == ENOTSUP || errno == EROFS ? 0 : -1;
}

int tn_output_settle(tn_output *output)
{
    if (output->path == NULL) {
        tn_output_drop(output);
        return 0;
    }
    if (flush(output) != 0 || keep_permissions(output) != 0 ||
        rename(output->beside, output->path) != 0) {
        tn_output_drop(output);
        return -1;
    }
    tn_output_flush_folder(output->path);
    forget_beside(output);
    tn_output_drop(output);
    return 0;
}

bool tn_output_leave(tn_output *output)
{
    struct stat there;
    const bool free_place = output->path != NULL && lstat(output->path, &there) != 0;
    const bool left = output->path != NULL && !free_place;
    if (free_place && rename(output->beside, output->path) == 0)
        tn_output_flush_folder(output->path);
    forget_beside(output);
    tn_output_drop(output);
    return left;
}

const char *tn_output_problem(int error)
{
    return error == EBUSY ? "another run is writing it" : strerror(error);
}
