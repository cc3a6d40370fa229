/* hdf5_sink.h: what the files of an HDF5 sink share: hdf5.c (numbers), hdf5_text.c (names) and
 * hdf5_unique.c (which multipliers are unique).
 *
 * Room record/format.
 */
#ifndef TN_RECORD_FORMAT_HDF5_SINK_H
#define TN_RECORD_FORMAT_HDF5_SINK_H

#include "record/format/hdf5_library.h"

#include "record/frame/sink.h"

/* One kind of part in the file. */
typedef struct tn_hdf5_set {
    tn_part_kind_id kind;
    hid_t id;        /* -1 when the frame has no such part */
    int32_t rank;    /* 1: [n], 2: [n][columns], 3: [n][items][fields] */
    int32_t items;   /* parts of this kind */
    int32_t columns; /* values of a frame, all items together */
} tn_hdf5_set;

typedef struct tn_hdf5_sink {
    tn_sink head;
    hid_t file;
    hid_t text;     /* variable-length UTF-8 */
    double *rows;   /* [block_frames][column_count] */
    double *gather; /* [block_frames][columns of the widest data set] */
    int32_t block_frames;
    int32_t used;    /* frames in rows */
    hsize_t written; /* frames in the file */
    int error;       /* errno of the first failure of the medium (hdf5_file.h) */
    int32_t failed;  /* 1 after the first error was reported */
    tn_hdf5_set sets[TN_PART_KIND_COUNT];
} tn_hdf5_sink;

/* Reports "cannot <action>" with the reason of the medium or of the library; TN_ERROR_IO. */
tn_status tn_hdf5_failed(tn_hdf5_sink *sink, const char *action, tn_diagnostics *diags);

/* hdf5_events.c */
tn_status tn_hdf5_put_events(tn_hdf5_sink *sink, const tn_record_event *events, int32_t count,
                             tn_diagnostics *diags);

/* An attribute of count texts on object; negative on failure. */
herr_t tn_hdf5_put_attribute(const tn_hdf5_sink *sink, hid_t object, const char *name,
                             const char *const *texts, int32_t count);

/* What the columns of a data set are called and measured in, and whose they are. */
tn_status tn_hdf5_put_names(tn_hdf5_sink *sink, const tn_hdf5_set *set, tn_diagnostics *diags);

/* Which multipliers are unique, beside their data set; nothing for other kinds. */
tn_status tn_hdf5_put_unique(tn_hdf5_sink *sink, const tn_hdf5_set *set, tn_diagnostics *diags);

#endif
