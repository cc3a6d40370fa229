/* version.h: the version of the headers, and that of the library in use.
 *
 * While the major version is 0, a new minor version may change the interface and the layout of its
 * structs: a program must run with the minor version it was compiled with.
 */
#ifndef TENON_VERSION_H
#define TENON_VERSION_H

#include "tenon/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TN_VERSION_MAJOR 0
#define TN_VERSION_MINOR 2
#define TN_VERSION_PATCH 0

/* 10203 for 1.2.3: larger is newer. */
#define TN_VERSION_NUMBER (10000 * TN_VERSION_MAJOR + 100 * TN_VERSION_MINOR + TN_VERSION_PATCH)

/* TN_VERSION_NUMBER of the library, and "1.2.3". */
TN_API int32_t tn_version_number(void);
/* The version of the library as text, "1.2.3". */
TN_API const char *tn_version_text(void);

/* 1 if the library in use has the interface of these headers. */
static inline int tn_version_fits(void)
{
    const int32_t major = tn_version_number() / 10000, minor = tn_version_number() / 100 % 100;
    return major == TN_VERSION_MAJOR &&
           (major == 0 ? minor == TN_VERSION_MINOR : minor >= TN_VERSION_MINOR);
}

#ifdef __cplusplus
}
#endif
#endif
