/* columns.c: names and units of the values of a frame.
 *
 * Room record/frame. Angles have the unit that the file counts in.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "record/frame/frame.h"
#include "tenon/measure.h"

/* Units of angle, per s and per s^2, and what they are in degrees. */
static const char *const angles[][2] = {{"rad", "deg"}, {"rad/s", "deg/s"}, {"rad/s^2", "deg/s^2"}};

/* The unit in which a file in degrees writes what has this unit; the same for what is no angle. */
static const char *in_degrees(const char *unit)
{
    for (size_t i = 0; i < sizeof angles / sizeof angles[0]; i++) {
        if (strcmp(unit, angles[i][0]) == 0)
            return angles[i][1];
    }
    return unit;
}

double tn_record_scale(const tn_record_def *def, const char *unit, const char **told)
{
    TN_DEMAND(def && unit && told, NAN);
    *told = def->degrees ? in_degrees(unit) : unit;
    return *told == unit ? 1.0 : 57.295779513082320877; /* 180 / pi */
}

const char *tn_part_owner_name(const tn_frame *frame, const tn_part *part)
{
    const tn_model *model = tn_sim_model(frame->sim);
    const char *group = tn_part_kinds[part->kind].group;
    if (strcmp(group, "bodies") == 0)
        return tn_model_body_name(model, (tn_body){part->owner});
    if (strcmp(group, "joints") == 0)
        return tn_model_joint_name(model, (tn_joint){tn_owning_joint(part)});
    if (strcmp(group, "couplings") == 0)
        return tn_model_coupling_name(model, (tn_coupling){part->owner});
    if (strcmp(group, "markers") == 0)
        return tn_model_marker_name(model, (tn_marker){part->owner});
    if (part->kind == TN_PART_MEASURE)
        return tn_model_measure_name(model, (tn_measure_id){part->owner});
    return part->kind == TN_PART_TIME ? NULL : "energy";
}

static const tn_coordinate_info *effort_coordinate(const tn_frame *frame, const tn_part *part)
{
    return &tn_part_joint(frame->sim, tn_owning_joint(part))
                ->coordinates[part->owner % TN_MAX_COORDINATES];
}

/* A coordinate of the part's joint, or its speed; NULL: one of a ball joint's turning. */
static const tn_coordinate_info *coordinate_of(const tn_frame *frame, const tn_part *part,
                                               int32_t field)
{
    const tn_joint_type_info *info = tn_part_joint(frame->sim, part->owner);
    return field < info->coordinate_count ? &info->coordinates[field] : NULL;
}

static void name_motion(const tn_frame *frame, const tn_part *part, int32_t field,
                        char name[TN_FIELD_NAME_SIZE])
{
    const tn_coordinate_info *coordinate = coordinate_of(frame, part, field);
    const int32_t turn = field - tn_part_joint(frame->sim, part->owner)->coordinate_count;
    if (coordinate == NULL) {
        snprintf(name, TN_FIELD_NAME_SIZE, "%s", tn_form_of(frame, part->kind)->fields[turn]);
    } else {
        snprintf(name, TN_FIELD_NAME_SIZE, "%s%s", coordinate->name,
                 part->kind == TN_PART_SPEEDS ? ".speed" : "");
    }
}

void tn_part_field_name(const tn_frame *frame, const tn_part *part, int32_t field,
                        char name[TN_FIELD_NAME_SIZE])
{
    if (part->kind == TN_PART_MULTIPLIERS) {
        snprintf(name, TN_FIELD_NAME_SIZE, "lambda%d", (int)field);
    } else if (part->kind == TN_PART_MEASURE) {
        snprintf(name, TN_FIELD_NAME_SIZE, "%s",
                 tn_measure_field(tn_sim_model(frame->sim), (tn_measure_id){part->owner}, field));
    } else if (part->kind == TN_PART_COORDINATES || part->kind == TN_PART_SPEEDS) {
        name_motion(frame, part, field, name);
    } else if (part->kind == TN_PART_EFFORT) {
        snprintf(name, TN_FIELD_NAME_SIZE, "%s.effort", effort_coordinate(frame, part)->name);
    } else {
        snprintf(name, TN_FIELD_NAME_SIZE, "%s", tn_form_of(frame, part->kind)->fields[field]);
    }
}

/* Of a coupling's value or an effort: is it an angle? */
static bool is_angular(const tn_frame *frame, const tn_part *part)
{
    if (part->kind == TN_PART_EFFORT)
        return effort_coordinate(frame, part)->angular;
    const tn_joint coupling =
        tn_model_coupling_joint(tn_sim_model(frame->sim), (tn_coupling){part->owner});
    return tn_model_joint_info(tn_sim_model(frame->sim), coupling)->coordinates[0].angular;
}

static bool is_length(const tn_frame *frame, const tn_part *part, int32_t field)
{
    const tn_coordinate_info *coordinate = coordinate_of(frame, part, field);
    return coordinate != NULL && !coordinate->angular;
}

/* In SI and rad. */
static const char *plain_unit(const tn_frame *frame, const tn_part *part, int32_t field)
{
    const tn_joint_type_info *info;
    switch (part->kind) {
    case TN_PART_MULTIPLIERS:
        info = tn_part_joint(frame->sim, part->owner);
        return (info->rows[field].flags & TN_ROW_ROTARY) != 0 ? "N m" : "N";
    case TN_PART_COORDINATES:
        return is_length(frame, part, field) ? "m" : "rad";
    case TN_PART_SPEEDS:
        return is_length(frame, part, field) ? "m/s" : "rad/s";
    case TN_PART_MEASURE:
        return tn_measure_unit(tn_sim_model(frame->sim), (tn_measure_id){part->owner}, field);
    case TN_PART_COUPLING_VALUE:
        return is_angular(frame, part) ? "rad" : "m";
    case TN_PART_COUPLING_FORCE:
    case TN_PART_EFFORT:
        return is_angular(frame, part) ? "N m" : "N";
    default:
        return tn_form_of(frame, part->kind)->units[field];
    }
}

const char *tn_part_field_unit(const tn_frame *frame, const tn_part *part, int32_t field)
{
    const char *unit = plain_unit(frame, part, field);
    return frame->degrees ? in_degrees(unit) : unit;
}
