/* hdf5_file.h: creates an HDF5 file that can always be closed.
 *
 * Room record/format. The HDF5 library cannot close a file whose last writes fail (a full disk): the file
 * stays open inside it and the program crashes when the library cleans up at exit. So the file goes
 * through a driver of ours that remembers the first error, returns success to the library, and
 * has the error for the caller.
 */
#ifndef TN_RECORD_FORMAT_HDF5_FILE_H
#define TN_RECORD_FORMAT_HDF5_FILE_H

#include "record/format/hdf5_library.h"

#include "file/output.h"

/* An empty file in an output, path being its name for the library; negative when it cannot be opened. *error is set to the errno of the first
 * operation that fails, now or later, and is not touched otherwise; it must outlive the file. */
hid_t tn_hdf5_create_file(const char *path, tn_output *output, int *error);

#endif
