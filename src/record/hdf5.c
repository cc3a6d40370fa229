/* hdf5.c: frames as extendible data sets of one HDF5 file (layout: tenon/record.h).
 *
 * Room record. One data set per kind of part, not per body: ten thousand bodies are one array and
 * a list of names. Frames are gathered in memory and written in whole chunks. The library's own
 * error messages are switched off while it is called; the innermost one becomes the diagnostic.
 */
#include <hdf5.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "record/hdf5_file.h"
#include "record/sink.h"

#define BLOCK_BYTES  ((size_t)1024 * 1024) /* frames gathered before a write; largest chunk */
#define BLOCK_FRAMES 1024                  /* most frames in a block */
#define CHUNK_BYTES  ((size_t)8 * 1024)    /* a chunk is not smaller while it has < BLOCK_FRAMES */
#define REASON_SIZE  256

/* One kind of part in the file. */
typedef struct dataset {
    tn_part_kind_id kind;
    hid_t id;        /* -1 when the frame has no such part */
    int32_t rank;    /* 1: [n], 2: [n][columns], 3: [n][items][fields] */
    int32_t items;   /* parts of this kind */
    int32_t columns; /* values of a frame, all items together */
} dataset;

typedef struct hdf5_sink {
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
    dataset sets[TN_PART_KIND_COUNT];
} hdf5_sink;

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

static herr_t keep_innermost(unsigned n, const H5E_error2_t *error, void *text)
{
    if (n == 0 && error->desc != NULL)
        snprintf(text, REASON_SIZE, "%s", error->desc);
    return 0;
}

static tn_status failed(hdf5_sink *sink, const char *action, tn_diagnostics *diags)
{
    char reason[REASON_SIZE] = "the HDF5 library gives no reason";
    if (sink->error != 0)
        snprintf(reason, sizeof reason, "%s", strerror(sink->error));
    else
        H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, reason);
    sink->failed = 1;
    return tn_sink_failed(sink->head.path, action, reason, diags);
}

/* --- texts ------------------------------------------------------------------------------------ */

/* An attribute of count texts on object; negative on failure. */
static herr_t put_attribute(const hdf5_sink *sink, hid_t object, const char *name,
                            const char *const *texts, int32_t count)
{
    hsize_t size = (hsize_t)count;
    hid_t space = H5Screate_simple(1, &size, NULL);
    hid_t attribute = H5Acreate2(object, name, sink->text, space, H5P_DEFAULT, H5P_DEFAULT);
    herr_t result = attribute < 0 ? -1 : H5Awrite(attribute, sink->text, texts);
    if (attribute >= 0)
        H5Aclose(attribute);
    H5Sclose(space);
    return result;
}

static herr_t put_texts(const hdf5_sink *sink, const char *path, const char *const *texts,
                        int32_t count)
{
    hsize_t size = (hsize_t)count;
    hid_t space = H5Screate_simple(1, &size, NULL);
    hid_t set =
        H5Dcreate2(sink->file, path, sink->text, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    herr_t result = set < 0 ? -1 : H5Dwrite(set, sink->text, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts);
    if (set >= 0)
        H5Dclose(set);
    H5Sclose(space);
    return result;
}

/* /<group>/names: the owners of a kind, unless another kind of the group has written them. */
static tn_status put_owner_names(hdf5_sink *sink, const dataset *set, tn_diagnostics *diags)
{
    const tn_frame *frame = sink->head.frame;
    char path[TN_FIELD_NAME_SIZE];
    snprintf(path, sizeof path, "/%s/names", tn_part_kinds[set->kind].group);
    if (H5Lexists(sink->file, path, H5P_DEFAULT) > 0)
        return TN_OK;
    const char **names = TN_NEW_ARRAY(const char *, set->items);
    if (names == NULL)
        return TN_ERROR_MEMORY;
    int32_t count = 0;
    for (int32_t i = 0; i < frame->part_count; i++)
        if (frame->parts[i].kind == set->kind)
            names[count++] = tn_part_owner_name(frame, &frame->parts[i]);
    herr_t result = put_texts(sink, path, names, count);
    tn_free(names);
    return result < 0 ? failed(sink, "write names", diags) : TN_OK;
}

/* <owner>.<field> of every column of a ragged kind; texts[columns] are allocated one by one. */
static tn_status list_columns(const tn_frame *frame, const dataset *set, char **texts,
                              const char **units)
{
    int32_t column = 0;
    char field[TN_FIELD_NAME_SIZE];
    for (int32_t i = 0; i < frame->part_count; i++) {
        const tn_part *part = &frame->parts[i];
        if (part->kind != set->kind)
            continue;
        const char *owner = tn_part_owner_name(frame, part);
        for (int32_t k = 0; k < part->width; k++, column++) {
            tn_part_field_name(frame, part, k, field);
            size_t size = strlen(owner) + strlen(field) + 2;
            texts[column] = tn_alloc(size, 1);
            if (texts[column] == NULL)
                return TN_ERROR_MEMORY;
            snprintf(texts[column], size, "%s.%s", owner, field);
            units[column] = tn_part_field_unit(frame, part, k);
        }
    }
    return TN_OK;
}

/* /<group>/<dataset>_columns and _units of a ragged kind. */
static tn_status put_ragged_columns(hdf5_sink *sink, const dataset *set, tn_diagnostics *diags)
{
    const tn_part_kind *kind = &tn_part_kinds[set->kind];
    char **texts = TN_NEW_ARRAY(char *, set->columns);
    const char **units = TN_NEW_ARRAY(const char *, set->columns);
    tn_status status = texts == NULL || units == NULL ? TN_ERROR_MEMORY : TN_OK;
    if (status == TN_OK)
        status = list_columns(sink->head.frame, set, texts, units);
    if (status == TN_OK) {
        char path[2 * TN_FIELD_NAME_SIZE];
        snprintf(path, sizeof path, "/%s/%s_columns", kind->group, kind->dataset);
        herr_t result = put_texts(sink, path, (const char *const *)texts, set->columns);
        snprintf(path, sizeof path, "/%s/%s_units", kind->group, kind->dataset);
        if (result < 0 || put_texts(sink, path, units, set->columns) < 0)
            status = failed(sink, "write names", diags);
    }
    for (int32_t i = 0; texts != NULL && i < set->columns; i++)
        tn_free(texts[i]);
    tn_free(texts);
    tn_free(units);
    return status;
}

static tn_status put_names(hdf5_sink *sink, const dataset *set, tn_diagnostics *diags)
{
    const tn_part_kind *kind = &tn_part_kinds[set->kind];
    if (!kind->ragged &&
        (put_attribute(sink, set->id, "columns", kind->fields, kind->field_count) < 0 ||
         put_attribute(sink, set->id, "units", kind->units, kind->field_count) < 0))
        return failed(sink, "write attributes", diags);
    tn_status status = kind->ragged ? put_ragged_columns(sink, set, diags) : TN_OK;
    if (status == TN_OK && kind->group[0] != '\0')
        status = put_owner_names(sink, set, diags);
    return status;
}

/* --- data sets -------------------------------------------------------------------------------- */

static void measure_sets(hdf5_sink *sink)
{
    const tn_frame *frame = sink->head.frame;
    for (int32_t k = 0; k < TN_PART_KIND_COUNT; k++)
        sink->sets[k] = (dataset){.kind = (tn_part_kind_id)k, .id = -1};
    for (int32_t i = 0; i < frame->part_count; i++) {
        sink->sets[frame->parts[i].kind].items++;
        sink->sets[frame->parts[i].kind].columns += frame->parts[i].width;
    }
    for (int32_t k = 0; k < TN_PART_KIND_COUNT; k++) {
        const tn_part_kind *kind = &tn_part_kinds[k];
        int32_t plain = kind->ragged || kind->group[0] == '\0';
        sink->sets[k].rank = kind->group[0] == '\0' && kind->field_count == 1 ? 1 : plain ? 2 : 3;
    }
}

/* Sizes of a data set's frames: dims[1..], or the chunk that goes with them. */
static void chunk_size(const hdf5_sink *sink, const dataset *set, hsize_t dims[3], hsize_t chunk[3])
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

static tn_status create_set(hdf5_sink *sink, dataset *set, tn_diagnostics *diags)
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
        return failed(sink, "create a data set", diags);
    return put_names(sink, set, diags);
}

/* The values of one kind in all buffered frames, side by side. */
static void gather_set(hdf5_sink *sink, const dataset *set)
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
static herr_t append_set(hdf5_sink *sink, const dataset *set)
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

static tn_status write_block(hdf5_sink *sink, tn_diagnostics *diags)
{
    if (sink->failed)
        return TN_ERROR_IO;
    for (int32_t k = 0; k < TN_PART_KIND_COUNT && sink->used > 0; k++) {
        if (sink->sets[k].id < 0)
            continue;
        gather_set(sink, &sink->sets[k]);
        if (append_set(sink, &sink->sets[k]) < 0 || sink->error != 0)
            return failed(sink, "write", diags);
    }
    sink->written += (hsize_t)sink->used;
    sink->used = 0;
    return TN_OK;
}

/* --- the sink --------------------------------------------------------------------------------- */

static tn_status hdf5_write(tn_sink *head, const double *row, tn_diagnostics *diags)
{
    hdf5_sink *sink = (hdf5_sink *)head;
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
    hdf5_sink *sink = (hdf5_sink *)head;
    error_printer before = silence();
    herr_t result = 0;
    tn_status status = sink->file >= 0 ? write_block(sink, diags) : TN_OK;
    for (int32_t k = 0; k < TN_PART_KIND_COUNT; k++)
        if (sink->sets[k].id >= 0)
            result |= H5Dclose(sink->sets[k].id);
    if (sink->text >= 0)
        H5Tclose(sink->text);
    if (sink->file >= 0)
        result |= H5Fclose(sink->file);
    if (status == TN_OK && (result < 0 || sink->error != 0))
        status = failed(sink, "write", diags);
    restore(before);
    tn_free(sink->rows);
    tn_free(sink->gather);
    tn_free(head->path);
    tn_free(sink);
    return status;
}

static const tn_sink_ops hdf5_ops = {hdf5_write, hdf5_close};

static tn_status allocate(hdf5_sink *sink, const char *path)
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

static tn_status create_file(hdf5_sink *sink, tn_diagnostics *diags)
{
    const char *const format = "tenon-record-1";
    const char *const model = tn_model_name(tn_sim_model(sink->head.frame->sim));
    sink->file = tn_hdf5_create_file(sink->head.path, &sink->error);
    if (sink->file < 0)
        return sink->error == ENOMEM ? TN_ERROR_MEMORY : failed(sink, "open for writing", diags);
    sink->text = H5Tcopy(H5T_C_S1);
    H5Tset_size(sink->text, H5T_VARIABLE);
    H5Tset_cset(sink->text, H5T_CSET_UTF8);
    if (put_attribute(sink, sink->file, "format", &format, 1) < 0 ||
        put_attribute(sink, sink->file, "model", &model, 1) < 0)
        return failed(sink, "write attributes", diags);
    tn_status status = TN_OK;
    for (int32_t k = 0; k < TN_PART_KIND_COUNT && status == TN_OK; k++)
        if (sink->sets[k].columns > 0)
            status = create_set(sink, &sink->sets[k], diags);
    /* out to the medium at once: a disk that is full already is reported before the run */
    if (status == TN_OK && (H5Fflush(sink->file, H5F_SCOPE_LOCAL) < 0 || sink->error != 0))
        status = failed(sink, "write", diags);
    return status;
}

tn_status tn_hdf5_open(const tn_frame *frame, const char *path, tn_diagnostics *diags,
                       tn_sink **out)
{
    hdf5_sink *sink = TN_NEW(hdf5_sink);
    if (sink == NULL)
        return TN_ERROR_MEMORY;
    sink->head = (tn_sink){&hdf5_ops, frame, NULL};
    sink->file = -1;
    sink->text = -1;
    tn_status status = allocate(sink, path);
    if (status == TN_OK) {
        error_printer before = silence();
        status = create_file(sink, diags);
        restore(before);
    }
    if (status != TN_OK) {
        (void)hdf5_close(&sink->head, NULL);
        return status;
    }
    *out = &sink->head;
    return TN_OK;
}
