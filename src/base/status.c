/* status.c: the text of each status, from the one list in status.h. Room base. */
#include "base/base.h"

static const char *const texts[TN_STATUS_COUNT] = {
#define TN_STATUS_TEXT(name, text) [name] = text,
    /* NOLINTNEXTLINE(bugprone-suspicious-missing-comma): a text of two lines */
    TN_STATUS_LIST(TN_STATUS_TEXT)
#undef TN_STATUS_TEXT
};

const char *tn_status_text(tn_status status)
{
    /* the int detour: a caller may pass anything, and enums may be unsigned */
    int64_t index = (int64_t)status;
    if (index < 0 || index >= TN_STATUS_COUNT) {
        return "unknown status";
    }
    return texts[index];
}
