/* foreign.h: which models are not Tenon's own.
 *
 * Room io. In: a text. Out: whether it is XML, and then what room import makes of it; or why not, in builds
 * without that room.
 */
#ifndef TN_IO_FOREIGN_H
#define TN_IO_FOREIGN_H

#include <stdbool.h>

#include "tenon/io.h"

/* By the first letter, or by the name of a file: .urdf, .mjcf, .xacro, .xml. No YAML mapping begins
 * with <. */
bool tn_is_foreign(const char *text, size_t length, const char *name);

tn_status tn_read_foreign(const char *text, size_t length, const char *name,
                          const tn_setting *settings, int32_t setting_count, tn_diagnostics *diags,
                          tn_spec **out);

#endif
