/* formats.h: room record/format: the formats of recorded files.
 *
 * In: the columns of a frame, and a path. Out: a sink that takes rows, one for each format: a file
 * with its table of operations (record/frame/sink.h) and one function that opens it.
 */
#ifndef TN_RECORD_FORMAT_FORMATS_H
#define TN_RECORD_FORMAT_FORMATS_H

#include "record/frame/sink.h"

tn_status tn_csv_open(const tn_frame *frame, const char *path, tn_output *output,
                      tn_diagnostics *diags, tn_sink **out);
tn_status tn_hdf5_open(const tn_frame *frame, const char *path, tn_output *output,
                       tn_diagnostics *diags, tn_sink **out);
tn_status tn_gltf_open(const tn_frame *frame, const char *path, tn_output *output,
                       tn_diagnostics *diags, tn_sink **out);

#endif
