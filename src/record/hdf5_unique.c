/* hdf5_unique.c: which columns of /joints/multipliers mean something by themselves.
 *
 * Room record. In: the recorded simulation at the pose in which the file is opened. Out:
 * /joints/multipliers_unique, one small integer per column: 1 unique, 0 one of many ways in which
 * redundant joints can share their load. Left out for models so large that telling takes longer
 * than many a run (tn_sim_analyze does it at any size), or that cannot be analysed.
 */
#include "base/base.h"
#include "record/hdf5_sink.h"
#include "tenon/analysis.h"

/* Rows of the largest model that is analysed: a second or so of work. */
#define TN_MOST_ROWS 1500

static herr_t put_mask(const tn_hdf5_sink *sink, const int8_t *mask, int32_t count)
{
    const hsize_t size = (hsize_t)count;
    const hid_t space = H5Screate_simple(1, &size, NULL);
    const hid_t set = H5Dcreate2(sink->file, "/joints/multipliers_unique", H5T_STD_I8LE, space,
                                 H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const herr_t result =
        set < 0 ? -1 : H5Dwrite(set, H5T_NATIVE_INT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, mask);
    if (set >= 0)
        H5Dclose(set);
    H5Sclose(space);
    return result;
}

static void fill_mask(const tn_frame *frame, const tn_analysis *analysis, int8_t *mask)
{
    for (int32_t i = 0; i < frame->part_count; i++) {
        const tn_part *part = &frame->parts[i];
        for (int32_t k = 0; k < part->width && part->kind == TN_PART_MULTIPLIERS; k++)
            *mask++ = tn_analysis_row_is_unique(analysis, (tn_joint){part->owner}, k) ? 1 : 0;
    }
}

tn_status tn_hdf5_put_unique(tn_hdf5_sink *sink, const tn_hdf5_set *set, tn_diagnostics *diags)
{
    const tn_frame *frame = sink->head.frame;
    if (set->kind != TN_PART_MULTIPLIERS ||
        tn_model_get_size(tn_sim_model(frame->sim)).rows > TN_MOST_ROWS)
        return TN_OK;
    tn_analysis analysis = {0};
    tn_analysis_options options = tn_default_analysis_options();
    options.witnesses = 0; /* only this pose */
    tn_status status = tn_sim_analyze(frame->sim, &options, &analysis);
    if (status != TN_OK)
        return status == TN_ERROR_MEMORY ? status : TN_OK;
    int8_t *mask = TN_NEW_ARRAY(int8_t, set->columns);
    status = mask == NULL ? TN_ERROR_MEMORY : TN_OK;
    if (mask != NULL) {
        fill_mask(frame, &analysis, mask);
        if (put_mask(sink, mask, set->columns) < 0)
            status = tn_hdf5_failed(sink, "write", diags);
    }
    tn_free(mask);
    tn_analysis_free(&analysis);
    return status;
}
