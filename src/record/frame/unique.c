/* unique.c: which reactions, multipliers, efforts, coupling forces and measures of a frame mean something
 * by themselves.
 *
 * Room record/frame. In: the recorded simulation at the pose in which a file is opened. Out: one small
 * integer per column: 1 unique, 0 one of many ways in which redundant joints and couplings can
 * share their load; columns of other kinds have 1. Left out for models so large that the analysis takes
 * longer than many a run (tn_sim_analyze does it at any size), or that cannot be analysed.
 */
#include <string.h>

#include "base/base.h"
#include "measure/formula.h"
#include "measure/measure.h"
#include "record/frame/frame.h"
#include "redundancy/redundancy.h"

/* Rows of the largest model that is analysed: a second or so of work. */
#define TN_MOST_ROWS 1500

/* Of the wrench in C, the components that each field of planar models is made of: as a rule, and where C has its z axis
 * in the plane (measure/measure.h). */
static const uint8_t planar_components[2][3] = {{1u << 0, 1u << 1, 1u << 5},
                                                {1u << 2, 1u << 0 | 1u << 1, 1u << 3 | 1u << 4}};

static uint8_t components(const tn_frame *frame, const tn_part *part, int32_t field)
{
    if (!frame->planar)
        return (uint8_t)(1u << field);
    return planar_components[tn_measure_slides_in_plane(frame->sim, (tn_joint){part->owner})]
                            [field];
}

/* What holds a coordinate gives its effort, known forces beside it. */
static bool is_unique_effort(const tn_frame *frame, const tn_analysis *analysis,
                             const tn_part *part)
{
    const int32_t joint = tn_owning_joint(part);
    const int32_t row =
        tn_part_joint(frame->sim, joint)->bilateral_count + part->owner % TN_MAX_COORDINATES;
    return tn_analysis_row_is_unique(analysis, (tn_joint){joint}, row) != 0;
}

static bool is_unique(const tn_frame *frame, const tn_analysis *analysis, const tn_part *part,
                      int32_t field)
{
    const tn_model *model = tn_sim_model(frame->sim);
    if (part->kind == TN_PART_EFFORT)
        return is_unique_effort(frame, analysis, part);
    if (part->kind == TN_PART_REACTION) {
        const uint8_t asked = components(frame, part, field);
        return (analysis->joints[part->owner].wrench & asked) == asked;
    }
    const tn_joint joint = part->kind == TN_PART_COUPLING_FORCE
                               ? tn_model_coupling_joint(model, (tn_coupling){part->owner})
                               : (tn_joint){part->owner};
    return tn_analysis_row_is_unique(analysis, joint, field) != 0;
}

/* measures: a mask for each. */
static void fill_mask(tn_frame *frame, const tn_analysis *analysis, const uint8_t *measures)
{
    memset(frame->unique, 1, (size_t)frame->column_count);
    for (int32_t i = 0; i < frame->part_count; i++) {
        const tn_part *part = &frame->parts[i];
        for (int32_t k = 0; k < part->width && tn_part_has_unique(part); k++) {
            const bool unique = part->kind == TN_PART_MEASURE
                                    ? (measures[part->owner] >> k & 1u) != 0
                                    : is_unique(frame, analysis, part, k);
            frame->unique[part->offset + k] = unique ? 1 : 0;
        }
    }
}

/* Whether something of the frame may hang on multipliers. */
static bool has_multipliers(const tn_frame *frame)
{
    for (int32_t i = 0; i < frame->part_count; i++) {
        const tn_part *part = &frame->parts[i];
        if (tn_part_has_unique(part) && part->width > 0 &&
            !(part->kind == TN_PART_MEASURE &&
              tn_measure_is_of_pose(tn_sim_model(frame->sim), (tn_measure_id){.i = part->owner})))
            return true;
    }
    return false;
}

static tn_status find_mask(tn_frame *frame, const tn_analysis *analysis)
{
    uint8_t *measures = TN_NEW_ARRAY(uint8_t, tn_model_measure_count(tn_sim_model(frame->sim)));
    frame->unique = TN_NEW_ARRAY(int8_t, frame->column_count);
    tn_status status = measures && frame->unique ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK)
        status = tn_red_measures_find(frame->sim, analysis, measures);
    if (status == TN_OK) {
        fill_mask(frame, analysis, measures);
    } else {
        tn_free(frame->unique);
        frame->unique = NULL;
    }
    tn_free(measures);
    return status;
}

tn_status tn_frame_find_unique(tn_frame *frame)
{
    tn_free(frame->unique);
    frame->unique = NULL;
    if (!has_multipliers(frame) || tn_model_get_size(tn_sim_model(frame->sim)).rows > TN_MOST_ROWS)
        return TN_OK;
    tn_analysis analysis = {0};
    tn_analysis_options options = tn_default_analysis_options();
    options.witnesses = 0; /* only this pose */
    tn_status status = tn_sim_analyze(frame->sim, &options, &analysis);
    if (status != TN_OK)
        return status == TN_ERROR_MEMORY ? status : TN_OK;
    status = find_mask(frame, &analysis);
    tn_analysis_free(&analysis);
    return status;
}
