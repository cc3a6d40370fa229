/* version.c: room base: see tenon/version.h. */
#include "tenon/version.h"

#define TEXT_OF(x)   #x
#define TEXT(x)      TEXT_OF(x)
#define VERSION_TEXT TEXT(TN_VERSION_MAJOR) "." TEXT(TN_VERSION_MINOR) "." TEXT(TN_VERSION_PATCH)

int32_t tn_version_number(void)
{
    return TN_VERSION_NUMBER;
}

const char *tn_version_text(void)
{
    return VERSION_TEXT;
}
