/* hdf5_unique.c: which columns of reactions, multipliers and coupling forces mean something by
 * themselves.
 *
 * Room record/format. In: what unique.c found when the file was opened. Out:
 * /joints/reaction_unique, /joints/multipliers_unique and /couplings/force_unique, one small integer per column: 1 unique,
 * 0 one of many ways in which redundant joints can share their load. Left out where it is not
 * known.
 */
#include <stdio.h>

#include "base/base.h"
#include "record/format/hdf5_sink.h"

static herr_t put_mask(const tn_hdf5_sink *sink, const char *path, const int8_t *mask,
                       int32_t count)
{
    const hsize_t size = (hsize_t)count;
    const hid_t space = H5Screate_simple(1, &size, NULL);
    const hid_t set =
        H5Dcreate2(sink->file, path, H5T_STD_I8LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const herr_t result =
        set < 0 ? -1 : H5Dwrite(set, H5T_NATIVE_INT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, mask);
    if (set >= 0)
        H5Dclose(set);
    H5Sclose(space);
    return result;
}

tn_status tn_hdf5_put_unique(tn_hdf5_sink *sink, const tn_hdf5_set *set, tn_diagnostics *diags)
{
    const tn_frame *frame = sink->head.frame;
    const tn_part of_kind = {.kind = set->kind};
    char path[2 * TN_FIELD_NAME_SIZE];
    if (!tn_part_has_unique(&of_kind) || frame->unique == NULL)
        return TN_OK;
    int8_t *mask = TN_NEW_ARRAY(int8_t, set->columns);
    if (mask == NULL)
        return TN_ERROR_MEMORY;
    int32_t count = 0;
    for (int32_t i = 0; i < frame->part_count; i++) {
        for (int32_t k = 0; k < frame->parts[i].width && frame->parts[i].kind == set->kind; k++)
            mask[count++] = frame->unique[frame->parts[i].offset + k];
    }
    snprintf(path, sizeof path, "/%s/%s_unique", tn_part_kinds[set->kind].group,
             tn_part_kinds[set->kind].dataset);
    const herr_t result = put_mask(sink, path, mask, count);
    tn_free(mask);
    return result < 0 ? tn_hdf5_failed(sink, "write", diags) : TN_OK;
}
