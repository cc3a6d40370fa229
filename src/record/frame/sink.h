/* sink.h: a file that frames go to.
 *
 * Room record/frame. A format is one file with one open function; the recorder only knows this table of
 * operations. Every operation reports its failure as a status and one diagnostic.
 */
#ifndef TN_RECORD_FRAME_SINK_H
#define TN_RECORD_FRAME_SINK_H

#include "file/output.h"
#include "record/frame/frame.h"

typedef struct tn_sink tn_sink;

typedef struct tn_sink_ops {
    /* Appends row[frame->column_count]. */
    tn_status (*write)(tn_sink *sink, const double *row, tn_diagnostics *diags);
    /* The table of events, once, at the end; NULL: the format has no place for it. */
    tn_status (*write_events)(tn_sink *sink, const tn_record_event *events, int32_t count,
                              tn_diagnostics *diags);
    /* Writes what is buffered, closes the file and frees the sink, whatever happens. */
    tn_status (*close)(tn_sink *sink, tn_diagnostics *diags);
} tn_sink_ops;

/* The head of every sink. */
struct tn_sink {
    const tn_sink_ops *ops;
    const tn_frame *frame; /* belongs to the recorder */
    char *path;
};

/* path is for messages; the output stays the recorder's (file/output.h). */
typedef tn_status (*tn_sink_open_function)(const tn_frame *frame, const char *path,
                                           tn_output *output, tn_diagnostics *diags, tn_sink **out);

/* Adds "<path>: cannot <action>: <reason>" and returns TN_ERROR_IO. */
tn_status tn_sink_failed(const char *path, const char *action, const char *reason,
                         tn_diagnostics *diags);

#endif
