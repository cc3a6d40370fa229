/* foreign.c: the one place that recognises formats of models (foreign.h).
 *
 * Room io.
 */
#include "io/foreign.h"

#include <string.h>

#include "base/base.h"

static bool begins_with_tag(const char *text, size_t length)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* of UTF-8 */
    size_t at = length >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    for (; at < length && strchr(" \t\r\n", text[at]) != NULL && text[at] != '\0'; at++) {
    }
    return at < length && text[at] == '<';
}

static bool has_ending(const char *name)
{
    static const char *const endings[] = {".urdf", ".mjcf", ".xacro", ".xml"};
    const size_t length = name != NULL ? strlen(name) : 0;
    for (size_t i = 0; i < TN_COUNT_OF(endings); i++) {
        const size_t tail = strlen(endings[i]);
        if (length > tail && strcmp(name + length - tail, endings[i]) == 0)
            return true;
    }
    return false;
}

bool tn_is_foreign(const char *text, size_t length, const char *name)
{
    return begins_with_tag(text, length) || has_ending(name);
}

#if defined(TN_WITHOUT_IMPORT)

tn_status tn_read_foreign(const char *text, size_t length, const char *name,
                          const tn_setting *settings, int32_t setting_count, tn_diagnostics *diags,
                          tn_spec **out)
{
    (void)text, (void)length, (void)settings, (void)setting_count;
    *out = NULL;
    tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_UNSUPPORTED, (tn_location){name, 0, 0},
                       "one built with it, which is the default, writes the equal "
                       "model: tenon import",
                       "this is XML, URDF or MJCF perhaps, which is not read here: this Tenon was "
                       "built without expat");
    return TN_ERROR_UNSUPPORTED;
}

#else

#include "import/import.h"
#include "spec/spec_internal.h"

tn_status tn_read_foreign(const char *text, size_t length, const char *name,
                          const tn_setting *settings, int32_t setting_count, tn_diagnostics *diags,
                          tn_spec **out)
{
    const tn_status status =
        tn_import_read(text, length, name, settings, setting_count, diags, out);
    if (status == TN_OK)
        (*out)->foreign = true;
    return status;
}

#endif
