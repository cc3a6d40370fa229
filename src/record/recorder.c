/* recorder.c: the public recorder: one frame definition, one row buffer, any number of files.
 *
 * Room record. In: a simulation. Out: tn_sink files (csv.c, hdf5.c).
 */
#include "tenon/record.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "file/output.h"
#include "record/frame/frame.h"
#include "record/format/formats.h"

/* A file is written beside its place and moved there when it is closed, whatever was recorded until
 * then. */
typedef struct recorded_file {
    tn_sink *sink;
    char *path;
    tn_output *output;
} recorded_file;

struct tn_recorder {
    tn_frame frame;
    double *row; /* [frame.column_count] */
    recorded_file *files;
    int32_t file_count;
    int32_t file_capacity;
    int64_t frame_count;
};

/* Lists of ids that are, or were, in the model: those have a name; -1: all of them. */
#define TN_ALL_IN(list, count, name_of)                                                            \
    for (int32_t i = 0; i < (count); i++)                                                          \
        if (!(list) || (list)[i].i < 0 || *name_of(model, (list)[i]) == '\0')                      \
    return false

static bool fits(const tn_model *model, const tn_record_def *def)
{
    TN_ALL_IN(def->bodies, def->body_count, tn_model_body_name);
    TN_ALL_IN(def->joints, def->joint_count, tn_model_joint_name);
    TN_ALL_IN(def->markers, def->marker_count, tn_model_marker_name);
    TN_ALL_IN(def->couplings, def->coupling_count, tn_model_coupling_name);
    return true;
}

tn_status tn_recorder_create(const tn_sim *sim, const tn_record_def *def, tn_recorder **out)
{
    TN_DEMAND(sim && out, TN_ERROR_ARGUMENT);
    *out = NULL;
    tn_recorder *recorder = TN_NEW(tn_recorder);
    if (recorder == NULL)
        return TN_ERROR_MEMORY;
    if (def == NULL)
        def = tn_model_record(tn_sim_model(sim));
    tn_status status = fits(tn_sim_model(sim), def) ? tn_frame_init(&recorder->frame, sim, def)
                                                    : TN_ERROR_ARGUMENT;
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
    tn_free(recorder->files);
    tn_free(recorder->row);
    tn_frame_clear(&recorder->frame);
    tn_free(recorder);
}

static tn_status open_file(tn_recorder *recorder, tn_sink_open_function open, const char *path,
                           tn_diagnostics *diags, recorded_file *file)
{
    tn_status status = tn_frame_find_unique(&recorder->frame);
    *file = (recorded_file){NULL, tn_copy_text(path, strlen(path)), NULL};
    if (file->path == NULL)
        status = TN_ERROR_MEMORY;
    if (status == TN_OK && (file->output = tn_output_open(path)) == NULL)
        status = errno == ENOMEM
                     ? TN_ERROR_MEMORY
                     : tn_sink_failed(path, "open for writing", tn_output_problem(errno), diags);
    if (status == TN_OK)
        status = open(&recorder->frame, file->path, file->output, diags, &file->sink);
    if (status != TN_OK) {
        tn_output_drop(file->output);
        tn_free(file->path);
    }
    return status;
}

/* Has the simulation still the model of the columns? */
static bool is_current(const tn_recorder *recorder)
{
    return recorder->frame.changes == tn_sim_change_count(recorder->frame.sim);
}

static tn_status refuse_changed(tn_diagnostics *diags)
{
    tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_ARGUMENT, (tn_location){NULL, 0, 0},
                       "make another recorder after tn_sim_change",
                       "the simulation was changed: its columns are others");
    return TN_ERROR_ARGUMENT;
}

static tn_status add_file(tn_recorder *recorder, tn_sink_open_function open, const char *path,
                          tn_diagnostics *diags)
{
    if (!is_current(recorder))
        return refuse_changed(diags);
    recorded_file *grown =
        tn_grow(recorder->files, &recorder->file_capacity, recorder->file_count + 1, sizeof *grown);
    if (grown == NULL)
        return TN_ERROR_MEMORY;
    recorder->files = grown;
    const tn_status status =
        open_file(recorder, open, path, diags, &recorder->files[recorder->file_count]);
    recorder->file_count += status == TN_OK;
    return status;
}

/* What could not be written whole is of use still, but does not take the place of what was there. */
static void leave_file(recorded_file *file, tn_diagnostics *diags)
{
    const char *name = tn_output_name(file->output);
    char *beside = tn_copy_text(name, strlen(name));
    if (tn_output_leave(file->output) && beside != NULL) {
        tn_diagnostics_add(diags, TN_NOTE, TN_ERROR_IO, (tn_location){file->path, 0, 0}, NULL,
                           "stays as it was; what was recorded is in %s", beside);
    }
    tn_free(beside);
}

static tn_status close_file(recorded_file *file, tn_diagnostics *diags)
{
    tn_status status = file->sink->ops->close(file->sink, diags);
    if (status != TN_OK) {
        leave_file(file, diags);
    } else if (tn_output_settle(file->output) != 0) {
        status = tn_sink_failed(file->path, "write", tn_output_problem(errno), diags);
    }
    tn_free(file->path);
    return status;
}

tn_status tn_recorder_add_csv(tn_recorder *recorder, const char *path, tn_diagnostics *diags)
{
    TN_DEMAND(recorder && path, TN_ERROR_ARGUMENT);
    return add_file(recorder, tn_csv_open, path, diags);
}

tn_status tn_recorder_add_hdf5(tn_recorder *recorder, const char *path, tn_diagnostics *diags)
{
    TN_DEMAND(recorder && path, TN_ERROR_ARGUMENT);
    return add_file(recorder, tn_hdf5_open, path, diags);
}

tn_status tn_recorder_add_gltf(tn_recorder *recorder, const char *path, tn_diagnostics *diags)
{
    TN_DEMAND(recorder && path, TN_ERROR_ARGUMENT);
    return add_file(recorder, tn_gltf_open, path, diags);
}

/* A file that fails does not keep the frame from the others; the first failure is the result. */
tn_status tn_recorder_write(tn_recorder *recorder, tn_diagnostics *diags)
{
    TN_DEMAND(recorder, TN_ERROR_ARGUMENT);
    tn_status first = TN_OK;
    if (!is_current(recorder))
        return refuse_changed(diags);
    tn_frame_read(&recorder->frame, recorder->row);
    for (int32_t i = 0; i < recorder->file_count; i++) {
        tn_sink *sink = recorder->files[i].sink;
        tn_status status = sink->ops->write(sink, recorder->row, diags);
        first = first == TN_OK ? status : first;
    }
    recorder->frame_count++;
    return first;
}

void tn_recorder_read(tn_recorder *recorder, double *out)
{
    TN_DEMAND_OR_RETURN(recorder && out && is_current(recorder));
    tn_frame_read(&recorder->frame, out);
}

tn_status tn_recorder_write_events(tn_recorder *recorder, const tn_record_event *events,
                                   int32_t count, tn_diagnostics *diags)
{
    TN_DEMAND(recorder && (events || count <= 0), TN_ERROR_ARGUMENT);
    for (int32_t k = 0; k < count; k++) {
        if (!events[k].event || !events[k].where)
            return TN_ERROR_ARGUMENT;
    }
    tn_status first = TN_OK;
    for (int32_t i = 0; i < recorder->file_count && count > 0; i++) {
        tn_sink *sink = recorder->files[i].sink;
        const tn_status status =
            sink->ops->write_events ? sink->ops->write_events(sink, events, count, diags) : TN_OK;
        first = first == TN_OK ? status : first;
    }
    return first;
}

tn_status tn_recorder_close(tn_recorder *recorder, tn_diagnostics *diags)
{
    TN_DEMAND(recorder, TN_ERROR_ARGUMENT);
    tn_status first = TN_OK;
    for (int32_t i = 0; i < recorder->file_count; i++) {
        tn_status status = close_file(&recorder->files[i], diags);
        first = first == TN_OK ? status : first;
    }
    recorder->file_count = 0;
    return first;
}

int32_t tn_recorder_column_count(const tn_recorder *recorder)
{
    TN_DEMAND(recorder, 0);
    return recorder->frame.column_count;
}

/* The part that holds a column, by bisection. */
static const tn_part *part_of_column(const tn_frame *frame, int32_t column)
{
    int32_t low = 0;
    int32_t high = frame->part_count;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (frame->parts[middle].offset <= column) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &frame->parts[low];
}

size_t tn_recorder_column_name(const tn_recorder *recorder, int32_t column, char *out, size_t size)
{
    TN_DEMAND(recorder && (out || size == 0) && TN_IN(column, recorder->frame.column_count), 0);
    if (!is_current(recorder)) {
        if (size > 0)
            *out = '\0';
        return 0;
    }
    const tn_part *part = part_of_column(&recorder->frame, column);
    const char *owner = tn_part_owner_name(&recorder->frame, part);
    char field[TN_FIELD_NAME_SIZE];
    tn_part_field_name(&recorder->frame, part, column - part->offset, field);
    int length = snprintf(out, size, "%s%s%s", owner == NULL ? "" : owner,
                          owner == NULL || field[0] == '\0' ? "" : ".", field);
    return length < 0 ? 0 : (size_t)length;
}

const char *tn_recorder_column_unit(const tn_recorder *recorder, int32_t column)
{
    TN_DEMAND(recorder && TN_IN(column, recorder->frame.column_count), "");
    if (!is_current(recorder))
        return "";
    const tn_part *part = part_of_column(&recorder->frame, column);
    return tn_part_field_unit(&recorder->frame, part, column - part->offset);
}

int64_t tn_recorder_frame_count(const tn_recorder *recorder)
{
    TN_DEMAND(recorder, 0);
    return recorder->frame_count;
}
