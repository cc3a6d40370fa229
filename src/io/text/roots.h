/* roots.h: the folders below which files that a model names may lie.
 *
 * Room io/text. In: folders and a path. Out: whether the path, with all its links resolved, lies below one of
 * them. So a model from an untrusted source cannot read other files.
 */
#ifndef TN_IO_TEXT_ROOTS_H
#define TN_IO_TEXT_ROOTS_H

#include <stdbool.h>

#include "base/base.h"
#include "tenon/limits.h"

/* Folders of one model: its own, its packages, those allowed. */
#define TN_MOST_ROOTS (TN_MOST_ALLOWED + 64)

/* Zero it to start; tn_roots_begin adds what tn_allow_path allows. */
typedef struct tn_roots {
    char *folders[TN_MOST_ROOTS]; /* resolved; tn_free */
    int32_t count;
} tn_roots;

/* The folder of a file, and the folders of tn_allow_path. TN_ERROR_MEMORY; TN_ERROR_WORK: too many. */
TN_SIBLING tn_status tn_roots_begin(tn_roots *roots, const char *file);
/* Adds the package of a file: the nearest folder at or above it that has a package.xml, as in ROS, or, if a name is
 * given, has that name. A home folder, and a folder above one, is no package. */
TN_SIBLING tn_status tn_roots_add_package(tn_roots *roots, const char *file, const char *name);
/* Does a file that is there lie below one of them? Its links are followed first. */
TN_SIBLING bool tn_roots_hold(const tn_roots *roots, const char *path);
TN_SIBLING void tn_roots_free(tn_roots *roots);

#endif
