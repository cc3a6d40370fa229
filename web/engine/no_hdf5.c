/* no_hdf5.c: room web: what stands for the HDF5 files that a page cannot have. */
#include "record/frame/sink.h"

tn_status tn_hdf5_open(const tn_frame *frame, const char *path, const char *file,
                       tn_diagnostics *diags, tn_sink **out)
{
    (void)frame;
    (void)file;
    (void)out;
    (void)tn_sink_failed(path, "write HDF5", "this is a build without HDF5", diags);
    return TN_ERROR_UNSUPPORTED;
}
