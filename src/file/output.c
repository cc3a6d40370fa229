/* output.c: room file: see output.h. */
#include "file/output.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char ending[] = ".part";

/* May files be made in the folder of this one? */
static int folder_is_open(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL) {
        return access(".", W_OK) == 0;
    }
    char *folder = tn_copy_text(path, slash == path ? 1 : (size_t)(slash - path));
    const int open = folder != NULL && access(folder, W_OK) == 0;
    tn_free(folder);
    return open;
}

/* A new file, or one that another may take the place of. */
static bool can_be_moved_to(const char *path)
{
    struct stat there;
    if (strcmp(path, "-") == 0) { /* standard output */
        return false;
    }
    if (lstat(path, &there) != 0) {
        return path[0] != '\0';
    }
    return S_ISREG(there.st_mode) && access(path, W_OK) == 0 && folder_is_open(path);
}

char *tn_output_beside(const char *path)
{
    const size_t length = strlen(path);
    char *name = tn_alloc(length + sizeof(ending), 1);
    if (name != NULL) {
        memcpy(name, path, length);
        if (can_be_moved_to(path)) {
            memcpy(name + length, ending, sizeof(ending));
        }
    }
    return name;
}

/* As the file that was there. */
static void keep_permissions(const char *beside, const char *path)
{
#ifdef __wasi__ /* which has none */
    (void)beside, (void)path;
#else
    struct stat there;
    if (lstat(path, &there) == 0) {
        (void)chmod(beside, there.st_mode & 07777u);
    }
#endif
}

int tn_output_settle(const char *beside, const char *path)
{
    if (strcmp(beside, path) == 0) {
        return 0;
    }
    keep_permissions(beside, path);
    return rename(beside, path);
}

void tn_output_drop(const char *beside, const char *path)
{
    if (strcmp(beside, path) != 0) {
        (void)remove(beside);
    }
}
