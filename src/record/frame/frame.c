/* frame.c: the row that the quantities of a frame form.
 *
 * Room record/frame. The order of the row is the order of the CSV columns: time, then per body pose and
 * velocity, then per joint coordinates, speeds, efforts and reaction, then couplings, markers,
 * measures, energies; the multipliers last.
 */
#include "record/frame/frame.h"

#include <math.h>
#include <stdbool.h>

#include "base/base.h"
#include "model/model.h"
#include "tenon/measure.h"

/* How many values a part of this kind has. */
static int32_t part_width(const tn_frame *frame, tn_part_kind_id kind, int32_t owner)
{
    if (kind == TN_PART_COORDINATES || kind == TN_PART_SPEEDS) {
        const tn_joint_type_info *info = tn_part_joint(frame->sim, owner);
        return info->coordinate_count +
               (tn_joint_is_ball(info) ? tn_form_of(frame, kind)->field_count : 0);
    }
    if (kind == TN_PART_MULTIPLIERS)
        return tn_part_joint(frame->sim, owner)->bilateral_count;
    if (kind == TN_PART_MEASURE)
        return tn_measure_width(tn_sim_model(frame->sim), (tn_measure_id){owner});
    return tn_form_of(frame, kind)->field_count;
}

/* Was the owner of a part removed from the model? Of an effort the joint counts. */
static bool is_removed(const tn_model *model, tn_part_kind_id kind, int32_t owner)
{
    switch (kind) {
    case TN_PART_POSE:
    case TN_PART_VELOCITY:
        return !tn_model_has_body(model, (tn_body){owner});
    case TN_PART_COUPLING_VALUE:
    case TN_PART_COUPLING_FORCE:
        return !tn_model_has_coupling(model, (tn_coupling){owner});
    case TN_PART_POSITION:
        return !tn_model_has_marker(model, (tn_marker){owner});
    case TN_PART_MEASURE:
        return !tn_model_has_measure(model, (tn_measure_id){owner});
    case TN_PART_TIME:
    case TN_PART_ENERGY:
    case TN_PART_WORK:
        return false;
    default:
        return !tn_model_has_joint(model, (tn_joint){owner});
    }
}

static tn_status add_part(tn_frame *frame, uint32_t what, tn_part_kind_id kind, int32_t owner)
{
    const int32_t whose = kind == TN_PART_EFFORT ? owner / TN_MAX_COORDINATES : owner;
    if ((tn_part_kinds[kind].what != 0 && (what & tn_part_kinds[kind].what) == 0) ||
        is_removed(tn_sim_model(frame->sim), kind, whose))
        return TN_OK;
    tn_part *grown =
        tn_grow(frame->parts, &frame->part_capacity, frame->part_count + 1, sizeof *frame->parts);
    if (grown == NULL)
        return TN_ERROR_MEMORY;
    frame->parts = grown;
    int32_t width = part_width(frame, kind, owner);
    frame->parts[frame->part_count++] = (tn_part){kind, owner, frame->column_count, width};
    frame->column_count += width;
    return TN_OK;
}

/* The kinds from first to last of one owner. */
static tn_status add_parts(tn_frame *frame, uint32_t what, tn_part_kind_id first,
                           tn_part_kind_id last, int32_t owner)
{
    tn_status status = TN_OK;
    for (tn_part_kind_id kind = first; kind <= last && status == TN_OK; kind++)
        status = add_part(frame, what, kind, owner);
    return status;
}

/* Whether anything can act along a coordinate, as it is now. */
static bool has_effort(const tn_sim *sim, tn_joint joint, int32_t coordinate)
{
    double lower = -INFINITY, upper = INFINITY;
    tn_sim_get_range(sim, joint, coordinate, &lower, &upper);
    return tn_sim_has_drive(sim, joint, coordinate) || tn_sim_is_locked(sim, joint, coordinate) ||
           isfinite(lower) || isfinite(upper);
}

static tn_status add_joint(tn_frame *frame, uint32_t what, int32_t joint)
{
    if (!tn_model_has_joint(tn_sim_model(frame->sim), (tn_joint){joint}))
        return TN_OK; /* it was removed */
    tn_status status = add_parts(frame, what, TN_PART_COORDINATES, TN_PART_SPEEDS, joint);
    for (int32_t i = 0; i < tn_part_joint(frame->sim, joint)->coordinate_count && status == TN_OK;
         i++) {
        if (has_effort(frame->sim, (tn_joint){joint}, i))
            status = add_part(frame, what, TN_PART_EFFORT, joint * TN_MAX_COORDINATES + i);
    }
    return status == TN_OK ? add_part(frame, what, TN_PART_REACTION, joint) : status;
}

/* In a planar world without bodies that leave the plane. */
static bool is_planar(const tn_model *model)
{
    bool planar = tn_model_world_kind(model) == TN_WORLD_PLANAR;
    for (int32_t i = 0; i < tn_model_get_size(model).bodies && planar; i++) {
        const tn_body_kind kind = tn_model_body_kind(model, (tn_body){i});
        planar = kind == TN_BODY_PLANAR || kind == TN_BODY_PLANAR_PARTICLE || kind == TN_BODY_FIXED;
    }
    return planar;
}

/* First what is plotted: TN_RECORD_LIST. */
static tn_status add_all(tn_frame *frame, const tn_record_def *def)
{
    const tn_sim *sim = frame->sim;
    const tn_model_size size = tn_model_get_size(tn_sim_model(sim));
    const int32_t bodies = def->body_count < 0 ? size.bodies : def->body_count;
    const int32_t joints = def->joint_count < 0 ? size.joints : def->joint_count;
    const int32_t markers = def->marker_count < 0 ? size.markers : def->marker_count;
    const int32_t couplings = def->coupling_count < 0 ? size.couplings : def->coupling_count;
    tn_status status = add_part(frame, def->what, TN_PART_TIME, 0);
    for (int32_t i = 0; i < joints && status == TN_OK; i++)
        status = add_joint(frame, def->what, def->joint_count < 0 ? i : def->joints[i].i);
    for (int32_t i = 0; i < couplings && status == TN_OK; i++) {
        status = add_parts(frame, def->what, TN_PART_COUPLING_VALUE, TN_PART_COUPLING_FORCE,
                           def->coupling_count < 0 ? i : def->couplings[i].i);
    }
    for (int32_t i = 0; i < tn_model_measure_count(tn_sim_model(sim)) && status == TN_OK; i++)
        status = add_part(frame, def->what, TN_PART_MEASURE, i);
    for (int32_t i = 0; i < markers && status == TN_OK; i++) {
        status = add_part(frame, def->what, TN_PART_POSITION,
                          def->marker_count < 0 ? i : def->markers[i].i);
    }
    if (status == TN_OK)
        status = add_parts(frame, def->what, TN_PART_ENERGY, TN_PART_WORK, 0);
    for (int32_t i = 0; i < bodies && status == TN_OK; i++) {
        if (def->body_count < 0 && tn_model_is_node(tn_sim_model(sim), i))
            continue;
        status = add_parts(frame, def->what, TN_PART_POSE, TN_PART_VELOCITY,
                           def->body_count < 0 ? i : def->bodies[i].i);
    }
    for (int32_t i = 0; i < joints && status == TN_OK; i++) {
        status = add_part(frame, def->what, TN_PART_MULTIPLIERS,
                          def->joint_count < 0 ? i : def->joints[i].i);
    }
    return status;
}

/* Factors of the columns that are written in degrees. */
static tn_status find_scale(tn_frame *frame, const tn_record_def *def)
{
    if (!def->degrees)
        return TN_OK;
    frame->scale = TN_NEW_ARRAY(double, frame->column_count);
    if (frame->scale == NULL)
        return TN_ERROR_MEMORY;
    for (int32_t i = 0; i < frame->part_count; i++) {
        for (int32_t k = 0; k < frame->parts[i].width; k++) {
            const char *told;
            frame->scale[frame->parts[i].offset + k] =
                tn_record_scale(def, tn_part_field_unit(frame, &frame->parts[i], k), &told);
        }
    }
    frame->degrees = 1;
    return TN_OK;
}

tn_status tn_frame_init(tn_frame *frame, const tn_sim *sim, const tn_record_def *def)
{
    *frame = (tn_frame){
        .sim = sim, .changes = tn_sim_change_count(sim), .planar = is_planar(tn_sim_model(sim))};
    tn_status status = add_all(frame, def);
    if (status == TN_OK)
        status = find_scale(frame, def);
    if (status != TN_OK)
        tn_frame_clear(frame);
    return status;
}

void tn_frame_clear(tn_frame *frame)
{
    tn_free(frame->parts);
    tn_free(frame->scale);
    tn_free(frame->unique);
    *frame = (tn_frame){0};
}

void tn_frame_read(const tn_frame *frame, double *row)
{
    for (int32_t i = 0; i < frame->part_count; i++) {
        const tn_part *part = &frame->parts[i];
        if (part->width > 0)
            tn_form_of(frame, part->kind)->read(frame->sim, part->owner, row + part->offset);
    }
    for (int32_t k = 0; k < frame->column_count && frame->scale != NULL; k++)
        row[k] *= frame->scale[k];
}
