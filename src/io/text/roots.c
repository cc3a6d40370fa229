/* roots.c: room io/text (roots.h). */
#include "io/text/roots.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tenon/io.h"

/* Most folders above a model that are searched for its package. */
#define MOST_ABOVE 8

/* The path without links, tn_free; NULL: there is none such. */
static char *resolved(const char *path)
{
    char *real = realpath(path, NULL);
    char *kept = real != NULL ? tn_copy_text(real, strlen(real)) : NULL;
    free(real);
    return kept;
}

/* Takes the folder over. */
static tn_status keep(tn_roots *roots, char *folder)
{
    for (int32_t i = 0; i < roots->count && folder != NULL; i++) {
        if (strcmp(roots->folders[i], folder) == 0) {
            tn_free(folder);
            return TN_OK;
        }
    }
    if (folder == NULL)
        return TN_OK;
    if (roots->count == TN_MOST_ROOTS) {
        tn_free(folder);
        return TN_ERROR_WORK;
    }
    roots->folders[roots->count++] = folder;
    return TN_OK;
}

/* Those of tn_allow_path, in libc's memory: they outlive what is read. */
static char *allowed[TN_MOST_ALLOWED];
static int32_t allowed_count;

tn_status tn_allow_path(const char *folder)
{
    if (folder == NULL) {
        for (int32_t i = 0; i < allowed_count; i++) {
            free(allowed[i]);
        }
        allowed_count = 0;
        return TN_OK;
    }
    if (allowed_count == TN_MOST_ALLOWED)
        return TN_ERROR_WORK;
    char *real = realpath(folder, NULL);
    if (real == NULL)
        return TN_ERROR_IO;
    allowed[allowed_count++] = real;
    return TN_OK;
}

/* The resolved folder of a file, which need not be there itself; NULL: nor is the folder. */
static char *folder_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    if (slash == NULL)
        return resolved(".");
    char *name = tn_copy_text(file, (size_t)(slash - file) + 1);
    char *folder = name != NULL ? resolved(name) : NULL;
    tn_free(name);
    return folder;
}

tn_status tn_roots_begin(tn_roots *roots, const char *file)
{
    tn_status status = keep(roots, folder_of(file));
    for (int32_t i = 0; i < allowed_count && status == TN_OK; i++) {
        status = keep(roots, tn_copy_text(allowed[i], strlen(allowed[i])));
    }
    return status;
}

static bool is_below(const char *path, const char *folder)
{
    const size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 &&
           (path[length] == '/' || path[length] == '\0' || (length == 1 && folder[0] == '/'));
}

/* The first folder of a path, a home, or one above it: what a file calls its package may be none of these. */
static bool is_nobodys_package(const char *folder)
{
    const char *home = getenv("HOME");
    char *real = home != NULL ? resolved(home) : NULL;
    const bool is = strchr(folder + 1, '/') == NULL || (real != NULL && is_below(real, folder));
    tn_free(real);
    return is;
}

static bool is_package(const char *folder, const char *name)
{
    const char *slash = strrchr(folder, '/');
    if (name != NULL)
        return slash != NULL && strcmp(slash + 1, name) == 0 && !is_nobodys_package(folder);
    static const char mark[] = "/package.xml";
    char *path = tn_realloc(NULL, strlen(folder) + sizeof mark);
    if (path == NULL)
        return false;
    strcat(strcpy(path, folder), mark);
    const bool is = access(path, F_OK) == 0;
    tn_free(path);
    return is;
}

tn_status tn_roots_add_package(tn_roots *roots, const char *file, const char *name)
{
    char *folder = folder_of(file);
    for (int up = 0; folder != NULL && up <= MOST_ABOVE && strlen(folder) > 1; up++) {
        if (is_package(folder, name))
            return keep(roots, folder);
        *strrchr(folder, '/') = '\0';
    }
    tn_free(folder);
    return TN_OK;
}

bool tn_roots_hold(const tn_roots *roots, const char *path)
{
    char *real = resolved(path);
    bool held = false;
    for (int32_t i = 0; real != NULL && i < roots->count && !held; i++) {
        held = is_below(real, roots->folders[i]);
    }
    tn_free(real);
    return held;
}

void tn_roots_free(tn_roots *roots)
{
    for (int32_t i = 0; i < roots->count; i++) {
        tn_free(roots->folders[i]);
    }
    roots->count = 0;
}
