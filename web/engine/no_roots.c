/* no_roots.c: room web: a page has no folders and no links: every file that it can open was put into it. */
#include "io/text/roots.h"

#include "tenon/io.h"

tn_status tn_allow_path(const char *folder)
{
    (void)folder;
    return TN_OK;
}

tn_status tn_roots_begin(tn_roots *roots, const char *file)
{
    (void)roots;
    (void)file;
    return TN_OK;
}

tn_status tn_roots_add_package(tn_roots *roots, const char *file, const char *name)
{
    (void)roots;
    (void)file;
    (void)name;
    return TN_OK;
}

bool tn_roots_hold(const tn_roots *roots, const char *path)
{
    (void)roots;
    (void)path;
    return true;
}

void tn_roots_free(tn_roots *roots)
{
    (void)roots;
}
