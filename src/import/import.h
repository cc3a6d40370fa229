/* import.h: models in XML: URDF and MJCF.
 *
 * Room import. In: the bytes of a file that others made. Out: the same spec that a model file of
 * Tenon gives, with the places in the XML, and what of the file is not in it; or every problem.
 */
#ifndef TN_IMPORT_IMPORT_H
#define TN_IMPORT_IMPORT_H

#include "tenon/io.h"

/* As tn_spec_read_string_with (io.h). Notes and warnings say what is lost or done otherwise, in
 * the order of the file. Settings: root, massless (docs/reference/import.md). */
tn_status tn_import_read(const char *text, size_t length, const char *name,
                         const tn_setting *settings, int32_t setting_count, tn_diagnostics *diags,
                         tn_spec **out);

#endif
