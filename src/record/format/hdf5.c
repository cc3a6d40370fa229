/* hdf5.c: frames as extendible data sets of one HDF5 file (layout: tenon/record.h).
 *
 * Room record/format. One data set per kind of part, not per body: ten thousand bodies are one array and
 * a list of names. Frames are gathered in memory and written in whole chunks. The library's own
 * error messages are switched off while it is called; the innermost one becomes the diagnostic.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "record/format/hdf5_file.h"
#include "record/format/formats.h"
#include "record/format/hdf5_sink.h"

#define BLOCK_BYTES  ((size_t)1024 * 1024) /* frames gathered before a write; largest chunk */
#define BLOCK_FRAMES 1024                  /* most frames in a block */
#define CHUNK_BYTES  ((size_t)8 * 1024)    /* a chunk is not smaller while it has < BLOCK_FRAMES */

/* The HDF5 library prints errors by default; that is a setting of the calling program, so it is
 * put back after every call into this file. */
typedef struct error_printer {
    H5E_auto2_t function;
    void *data;
} error_printer;

static error_printer silence(void)
{
    error_printer before = {NULL, NULL};
    H5Eget_auto2(H5E_DEFAULT, &before.function, &before.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return before;
}

static void restore(error_printer before)
{
    H5Eset_auto2(H5E_DEFAULT, before.function, before.data);
}

/* --- data sets -------------------------------------------------------------------------------- */

static void measure_sets(tn_hdf5_sink *sink)
{
    const tn_frame *frame = sink->head.frame;
    for (int32_t k = 0; k < TN_PART_KIND_COUNT; k++)
        sink->sets[k] = (tn_hdf5_set){.kind = (tn_part_kind_id)k, .id = -1};
    for (int32_t i = 0; i < frame->part_count; i++) {
        sink->sets[frame->parts[i].kind].items++;
        sink->sets[frame->parts[i].kind].columns += frame->parts[i].width;
    }
    for (int32_t k = 0; k < TN_PART_KIND_COUNT; k++) {
        const tn_part_kind *kind = &tn_part_kinds[k];
        int32_t plain = kind->ragged || kind->group[0] == '\0';
        const int32_t fields = tn_form_of(frame, (tn_part_kind_id)k)->field_count;
        sink->sets[k].rank = kind->group[0] == '\0' && fields == 1 ? 1 : plain ? 2 : 3;
    }
}

/* Sizes of a data set's frames: dims[1..], or the chunk that goes with them. */
static void chunk_size(const tn_hdf5_sink *sink, const tn_hdf5_set *set, hsize_t dims[3],
                       hsize_t chunk[3])
{
    size_t frame_bytes = (size_t)set->columns * sizeof(double);
    size_t frames = CHUNK_BYTES / frame_bytes;
    frames = frames > BLOCK_FRAMES ? BLOCK_FRAMES : frames;
    frames = frames > (size_t)sink->block_frames ? frames : (size_t)sink->block_frames;
    dims[0] = 0;
    dims[1] = (hsize_t)(set->rank == 3 ? set->items : set->columns);
    dims[2] = set->items > 0 ? (hsize_t)(set->columns / set->items) : 1;
    chunk[0] = frames;
    chunk[1] = dims[1];
    chunk[2] = dims[2];
    if (frame_bytes > BLOCK_BYTES)
        chunk[1] = 1 + dims[1] * BLOCK_BYTES / frame_bytes;
}

static tn_status create_set(tn_hdf5_sink *sink, tn_hdf5_set *set, tn_diagnostics *diags)
{
    hsize_t dims[3];
    hsize_t chunk[3];
    hsize_t most[3];
    char path[2 * TN_FIELD_NAME_SIZE];
    const tn_part_kind *kind = &tn_part_kinds[set->kind];
    chunk_size(sink, set, dims, chunk);
    memcpy(most, dims, sizeof most);
    most[0] = H5S_UNLIMITED;
    snprintf(path, sizeof path, "%s%s%s", kind->group, kind->group[0] == '\0' ? "" : "/",
             kind->dataset);

    hid_t space = H5Screate_simple(set->rank, dims, most);
    hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(layout, set->rank, chunk);
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    set->id = H5Dcreate2(sink->file, path, H5T_IEEE_F64LE, space, links, layout, H5P_DEFAULT);
    H5Pclose(links);
    H5Pclose(layout);
    H5Sclose(space);
    if (set->id < 0)
        return tn_hdf5_failed(sink, "create a data set", diags);
    const tn_status status = tn_hdf5_put_names(sink, set, diags);
    return status == TN_OK ? tn_hdf5_put_unique(sink, set, diags) : status;
}

/* The values of one kind in all buffered frames, side by side. */
static void gather_set(tn_hdf5_sink *sink, const tn_hdf5_set *set)
{
    const tn_frame *frame = sink->head.frame;
    double *to = sink->gather;
    for (int32_t f = 0; f < sink->used; f++) {
        const double *row = sink->rows + (size_t)f * (size_t)frame->column_count;
        for (int32_t i = 0; i < frame->part_count; i++) {
            const tn_part *part = &frame->parts[i];
            if (part->kind != set->kind)
                continue;
            memcpy(to, row + part->offset, (size_t)part->width * sizeof *to);
            to += part->width;
        }
    }
}

/* Appends the gathered frames to one data set. */
static herr_t append_set(tn_hdf5_sink *sink, const tn_hdf5_set *set)
{
    hsize_t dims[3];
    hsize_t chunk[3];
    chunk_size(sink, set, dims, chunk);
    const hsize_t start[3] = {sink->written, 0, 0};
    const hsize_t count[3] = {(hsize_t)sink->used, dims[1], dims[2]};
    dims[0] = sink->written + (hsize_t)sink->used;
    if (H5Dset_extent(set->id, dims) < 0)
        return -1;
    hid_t memory = H5Screate_simple(set->rank, count, NULL);
    hid_t space = H5Dget_space(set->id);
    herr_t result = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    if (result >= 0)
        result = H5Dwrite(set->id, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, sink->gather);
    H5Sclose(space);
    H5Sclose(memory);
    return result;
}

static tn_status write_block(tn_hdf5_sink *sink, tn_diagnostics *diags)
{
    if (sink->failed)
        return TN_ERROR_IO;
    for (int32_t k = 0; k < TN_PART_KIND_COUNT && sink->used > 0; k++) {
        if (sink->sets[k].id < 0)
            continue;
        gather_set(sink, &sink->sets[k]);
        if (append_set(sink, &sink->sets[k]) < 0 || sink->error != 0)
            return tn_hdf5_failed(sink, "write", diags);
    }
    sink->written += (hsize_t)sink->used;
    sink->used = 0;
    /* a run that is killed leaves the frames so far */
    if (H5Fflush(sink->file, H5F_SCOPE_LOCAL) < 0 || sink->error != 0)
        return tn_hdf5_failed(sink, "write", diags);
    return TN_OK;
}

/* --- the sink --------------------------------------------------------------------------------- */

static tn_status hdf5_write(tn_sink *head, const double *row, tn_diagnostics *diags)
{
    tn_hdf5_sink *sink = (tn_hdf5_sink *)head;
    size_t columns = (size_t)head->frame->column_count;
    if (sink->failed)
        return TN_ERROR_IO;
    memcpy(sink->rows + (size_t)sink->used * columns, row, columns * sizeof *row);
    sink->used++;
    if (sink->used < sink->block_frames)
        return TN_OK;
    error_printer before = silence();
    tn_status status = write_block(sink, diags);
    restore(before);
    return status;
}

static tn_status hdf5_close(tn_sink *head, tn_diagnostics *diags)
{
    tn_hdf5_sink *sink = (tn_hdf5_sink *)head;
    error_printer before = silence();
    herr_t result = 0;
    tn_status status = sink->file >= 0 ? write_block(sink, diags) : TN_OK;
    for (int32_t k = 0; k < TN_PART_KIND_COUNT; k++) {
        if (sink->sets[k].id >= 0)
            result |= H5Dclose(sink->sets[k].id);
    }
    if (sink->text >= 0)
        H5Tclose(sink->text);
    if (sink->file >= 0)
        result |= H5Fclose(sink->file);
    if (status == TN_OK && (result < 0 || sink->error != 0))
        status = tn_hdf5_failed(sink, "write", diags);
    restore(before);
    tn_free(sink->rows);
    tn_free(sink->gather);
    tn_free(head->path);
    tn_free(sink);
    return status;
}

static tn_status hdf5_write_events(tn_sink *head, const tn_record_event *events, int32_t count,
                                   tn_diagnostics *diags)
{
    tn_hdf5_sink *sink = (tn_hdf5_sink *)head;
    if (sink->failed)
        return TN_ERROR_IO;
    error_printer before = silence();
    const tn_status status = tn_hdf5_put_events(sink, events, count, diags);
    restore(before);
    return status;
}

static const tn_sink_ops hdf5_ops = {hdf5_write, hdf5_write_events, hdf5_close};

static tn_status allocate(tn_hdf5_sink *sink, const char *path)
{
    const tn_frame *frame = sink->head.frame;
    size_t row_bytes = (size_t)frame->column_count * sizeof(double);
    size_t frames = BLOCK_BYTES / row_bytes;
    sink->block_frames = (int32_t)(frames > BLOCK_FRAMES ? BLOCK_FRAMES : frames < 1 ? 1 : frames);
    measure_sets(sink);
    int32_t widest = 0;
    for (int32_t k = 0; k < TN_PART_KIND_COUNT; k++)
        widest = sink->sets[k].columns > widest ? sink->sets[k].columns : widest;
    sink->head.path = tn_copy_text(path, strlen(path));
    sink->rows = TN_NEW_ARRAY(double, (size_t)sink->block_frames *(size_t)frame->column_count);
    sink->gather = TN_NEW_ARRAY(double, (size_t)sink->block_frames *(size_t)widest);
    return sink->head.path == NULL || sink->rows == NULL || sink->gather == NULL ? TN_ERROR_MEMORY
                                                                                 : TN_OK;
}

static tn_status create_file(tn_hdf5_sink *sink, tn_output *output, tn_diagnostics *diags)
{
    const char *const format = "tenon-record-1";
    const char *const model = tn_model_name(tn_sim_model(sink->head.frame->sim));
    sink->file = tn_hdf5_create_file(sink->head.path, output, &sink->error);
    if (sink->file < 0) {
        return sink->error == ENOMEM ? TN_ERROR_MEMORY
                                     : tn_hdf5_failed(sink, "open for writing", diags);
    }
    sink->text = H5Tcopy(H5T_C_S1);
    H5Tset_size(sink->text, H5T_VARIABLE);
    H5Tset_cset(sink->text, H5T_CSET_UTF8);
    if (tn_hdf5_put_attribute(sink, sink->file, "format", &format, 1) < 0 ||
        tn_hdf5_put_attribute(sink, sink->file, "model", &model, 1) < 0)
        return tn_hdf5_failed(sink, "write attributes", diags);
    tn_status status = TN_OK;
    for (int32_t k = 0; k < TN_PART_KIND_COUNT && status == TN_OK; k++) {
        if (sink->sets[k].columns > 0)
            status = create_set(sink, &sink->sets[k], diags);
    }
    /* out to the medium at once: a disk that is full already is reported before the run */
    if (status == TN_OK && (H5Fflush(sink->file, H5F_SCOPE_LOCAL) < 0 || sink->error != 0))
        status = tn_hdf5_failed(sink, "write", diags);
    return status;
}

tn_status tn_hdf5_open(const tn_frame *frame, const char *path, tn_output *output,
                       tn_diagnostics *diags, tn_sink **out)
{
    const char *missing = tn_hdf5_load();
    if (missing != NULL)
        return tn_sink_failed(path, "write HDF5", missing, diags);
    tn_hdf5_sink *sink = TN_NEW(tn_hdf5_sink);
    if (sink == NULL)
        return TN_ERROR_MEMORY;
    sink->head = (tn_sink){&hdf5_ops, frame, NULL};
    sink->file = -1;
    sink->text = -1;
    tn_status status = allocate(sink, path);
    if (status == TN_OK) {
        error_printer before = silence();
        status = create_file(sink, output, diags);
        restore(before);
    }
    if (status != TN_OK) {
        (void)hdf5_close(&sink->head, NULL);
        return status;
    }
    *out = &sink->head;
    return TN_OK;
}
