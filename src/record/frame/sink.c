/* sink.c: room record/frame: what every format says of a file that cannot be written. */
#include "record/frame/sink.h"

tn_status tn_sink_failed(const char *path, const char *action, const char *reason,
                         tn_diagnostics *diags)
{
    const char *const no_hint = NULL;
    tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_IO, (tn_location){path, 0, 0}, no_hint,
                       "cannot %s: %s", action, reason);
    return TN_ERROR_IO;
}
