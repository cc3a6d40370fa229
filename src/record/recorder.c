/* recorder.c: the public recorder: one frame definition, one row buffer, any number of files.
 *
 * Room record. In: a simulation. Out: tn_sink files (csv.c, hdf5.c).
 */
#include "tenon/record.h"

#include <stdio.h>

#include "base/base.h"
#include "record/frame.h"
#include "record/sink.h"

struct tn_recorder {
    tn_frame frame;
    double *row; /* [frame.column_count] */
    tn_sink **sinks;
    int32_t sink_count;
    int32_t sink_capacity;
    int64_t frame_count;
};

tn_status tn_sink_failed(const char *path, const char *action, const char *reason,
                         tn_diagnostics *diags)
{
    const char *const no_hint = NULL;
    tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_IO, (tn_location){path, 0, 0}, no_hint,
                       "cannot %s: %s", action, reason);
    return TN_ERROR_IO;
}

tn_status tn_recorder_create(const tn_sim *sim, const tn_record_def *def, tn_recorder **out)
{
    *out = NULL;
    tn_recorder *recorder = TN_NEW(tn_recorder);
    if (recorder == NULL)
        return TN_ERROR_MEMORY;
    if (def == NULL)
        def = tn_model_record(tn_sim_model(sim));
    tn_status status = tn_frame_init(&recorder->frame, sim, def);
    if (status == TN_OK) {
        recorder->row = TN_NEW_ARRAY(double, recorder->frame.column_count);
        if (recorder->row == NULL)
            status = TN_ERROR_MEMORY;
    }
    if (status != TN_OK) {
        tn_recorder_destroy(recorder);
        return status;
    }
    *out = recorder;
    return TN_OK;
}

void tn_recorder_destroy(tn_recorder *recorder)
{
    if (recorder == NULL)
        return;
    (void)tn_recorder_close(recorder, NULL);
    tn_free(recorder->sinks);
    tn_free(recorder->row);
    tn_frame_clear(&recorder->frame);
    tn_free(recorder);
}

static tn_status add_sink(tn_recorder *recorder, tn_sink_open_function open, const char *path,
                          tn_diagnostics *diags)
{
    tn_sink **grown = tn_grow(recorder->sinks, &recorder->sink_capacity, recorder->sink_count + 1,
                              sizeof(tn_sink *));
    if (grown == NULL)
        return TN_ERROR_MEMORY;
    recorder->sinks = grown;
    tn_status status = tn_frame_find_unique(&recorder->frame);
    if (status == TN_OK)
        status = open(&recorder->frame, path, diags, &recorder->sinks[recorder->sink_count]);
    if (status == TN_OK)
        recorder->sink_count++;
    return status;
}

tn_status tn_recorder_add_csv(tn_recorder *recorder, const char *path, tn_diagnostics *diags)
{
    return add_sink(recorder, tn_csv_open, path, diags);
}

tn_status tn_recorder_add_hdf5(tn_recorder *recorder, const char *path, tn_diagnostics *diags)
{
    return add_sink(recorder, tn_hdf5_open, path, diags);
}

tn_status tn_recorder_add_gltf(tn_recorder *recorder, const char *path, tn_diagnostics *diags)
{
    return add_sink(recorder, tn_gltf_open, path, diags);
}

/* A file that fails does not keep the frame from the others; the first failure is the result. */
tn_status tn_recorder_write(tn_recorder *recorder, tn_diagnostics *diags)
{
    tn_status first = TN_OK;
    tn_frame_read(&recorder->frame, recorder->row);
    for (int32_t i = 0; i < recorder->sink_count; i++) {
        tn_sink *sink = recorder->sinks[i];
        tn_status status = sink->ops->write(sink, recorder->row, diags);
        first = first == TN_OK ? status : first;
    }
    recorder->frame_count++;
    return first;
}

void tn_recorder_read(tn_recorder *recorder, double *out)
{
    tn_frame_read(&recorder->frame, out);
}

tn_status tn_recorder_close(tn_recorder *recorder, tn_diagnostics *diags)
{
    tn_status first = TN_OK;
    for (int32_t i = 0; i < recorder->sink_count; i++) {
        tn_sink *sink = recorder->sinks[i];
        tn_status status = sink->ops->close(sink, diags);
        first = first == TN_OK ? status : first;
    }
    recorder->sink_count = 0;
    return first;
}

int32_t tn_recorder_column_count(const tn_recorder *recorder)
{
    return recorder->frame.column_count;
}

/* The part that holds a column, by bisection. */
static const tn_part *part_of_column(const tn_frame *frame, int32_t column)
{
    int32_t low = 0;
    int32_t high = frame->part_count;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (frame->parts[middle].offset <= column)
            low = middle;
        else
            high = middle;
    }
    return &frame->parts[low];
}

size_t tn_recorder_column_name(const tn_recorder *recorder, int32_t column, char *out, size_t size)
{
    TN_ASSERT(column >= 0 && column < recorder->frame.column_count);
    const tn_part *part = part_of_column(&recorder->frame, column);
    const char *owner = tn_part_owner_name(&recorder->frame, part);
    char field[TN_FIELD_NAME_SIZE];
    tn_part_field_name(&recorder->frame, part, column - part->offset, field);
    int length =
        snprintf(out, size, "%s%s%s", owner == NULL ? "" : owner, owner == NULL ? "" : ".", field);
    return length < 0 ? 0 : (size_t)length;
}

int64_t tn_recorder_frame_count(const tn_recorder *recorder)
{
    return recorder->frame_count;
}
