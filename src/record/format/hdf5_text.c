/* hdf5_text.c: the texts of an HDF5 file: names, units, columns; and the reasons of its failures.
 *
 * Room record/format. Texts are variable-length UTF-8. Names that come once per body or joint are data
 * sets of their own, because an attribute may hold only 64 KiB.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "record/format/hdf5_sink.h"

#define REASON_SIZE 256

static herr_t keep_innermost(unsigned n, const H5E_error2_t *error, void *text)
{
    if (n == 0 && error->desc != NULL)
        snprintf(text, REASON_SIZE, "%s", error->desc);
    return 0;
}

tn_status tn_hdf5_failed(tn_hdf5_sink *sink, const char *action, tn_diagnostics *diags)
{
    char reason[REASON_SIZE] = "the HDF5 library gives no reason";
    if (sink->error != 0) {
        snprintf(reason, sizeof reason, "%s", strerror(sink->error));
    } else {
        H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, reason);
    }
    sink->failed = 1;
    if (sink->error == ENOMEM)
        return TN_ERROR_MEMORY;
    return tn_sink_failed(sink->head.path, action, reason, diags);
}

herr_t tn_hdf5_put_attribute(const tn_hdf5_sink *sink, hid_t object, const char *name,
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

static herr_t put_texts(const tn_hdf5_sink *sink, const char *path, const char *const *texts,
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
static tn_status put_owner_names(tn_hdf5_sink *sink, const tn_hdf5_set *set, tn_diagnostics *diags)
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
    for (int32_t i = 0; i < frame->part_count; i++) {
        if (frame->parts[i].kind == set->kind)
            names[count++] = tn_part_owner_name(frame, &frame->parts[i]);
    }
    herr_t result = put_texts(sink, path, names, count);
    tn_free(names);
    return result < 0 ? tn_hdf5_failed(sink, "write names", diags) : TN_OK;
}

/* <owner>.<field> of every column of a ragged kind; texts[columns] are allocated one by one. */
static tn_status list_columns(const tn_frame *frame, const tn_hdf5_set *set, char **texts,
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
            snprintf(texts[column], size, "%s%s%s", owner, field[0] != '\0' ? "." : "", field);
            units[column] = tn_part_field_unit(frame, part, k);
        }
    }
    return TN_OK;
}

/* /<group>/<dataset>_columns and _units of a ragged kind. */
static tn_status put_ragged_columns(tn_hdf5_sink *sink, const tn_hdf5_set *set,
                                    tn_diagnostics *diags)
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
            status = tn_hdf5_failed(sink, "write names", diags);
    }
    for (int32_t i = 0; texts != NULL && i < set->columns; i++)
        tn_free(texts[i]);
    tn_free(texts);
    tn_free(units);
    return status;
}

/* Attributes columns and units of a kind whose parts have the same fields. */
static herr_t put_fields(const tn_hdf5_sink *sink, const tn_hdf5_set *set)
{
    const tn_frame *frame = sink->head.frame;
    const tn_part_form *form = tn_form_of(frame, set->kind);
    const tn_part any = {.kind = set->kind};
    const char *units[TN_MOST_FIELDS];
    for (int32_t k = 0; k < form->field_count; k++)
        units[k] = tn_part_field_unit(frame, &any, k);
    if (tn_hdf5_put_attribute(sink, set->id, "columns", form->fields, form->field_count) < 0)
        return -1;
    return tn_hdf5_put_attribute(sink, set->id, "units", units, form->field_count);
}

tn_status tn_hdf5_put_names(tn_hdf5_sink *sink, const tn_hdf5_set *set, tn_diagnostics *diags)
{
    const tn_part_kind *kind = &tn_part_kinds[set->kind];
    if (!kind->ragged && put_fields(sink, set) < 0)
        return tn_hdf5_failed(sink, "write attributes", diags);
    tn_status status = kind->ragged ? put_ragged_columns(sink, set, diags) : TN_OK;
    if (status == TN_OK && kind->group[0] != '\0')
        status = put_owner_names(sink, set, diags);
    return status;
}
