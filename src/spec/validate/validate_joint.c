/* validate_joint.c: can such a joint be built?
 *
 * Room spec/validate. What the type says about rows, coordinates and parameters comes from the registry
 * (joint.h); nothing here knows a type by name.
 */
#include <math.h>
#include <stdio.h>

#include "tenon/limits.h"

#include "spec/validate/check.h"
#include "spec/joint/joint_data.h"
#include "spec/spec_internal.h"
#include "spec/validate/validate.h"

/* Room for "coordinate 'longitude'" and the like. */
#define LABEL_SIZE 96

/* Room for the list of what there is instead. */
#define HINT_SIZE 96
/* Relative compliances: beyond these the regularisation of redundant rows would no longer be small
 * against regular ones, or drown in round-off. */
#define LEAST_SHARE   1e-3
#define LARGEST_SHARE 1e3

void tn_joint_types_offer(tn_suggestion *suggestion)
{
    for (int32_t i = 0; i < tn_joint_type_count(); i++) {
        const tn_joint_type_info *info = tn_joint_type_get((tn_joint_type){i});
        tn_suggestion_offer(suggestion, info->name);
        for (const char *const *alias = info->aliases; alias != NULL && *alias != NULL; alias++) {
            tn_suggestion_offer_alias(suggestion, *alias);
        }
    }
}

static void complain_type(tn_check *check, const char *type)
{
    if (type == NULL) {
        tn_complain(check, "type", TN_WHOLE_FIELD, NULL, "has no type");
        return;
    }
    tn_suggestion suggestion = tn_suggestion_for(type);
    tn_joint_types_offer(&suggestion);
    char hint[TN_HINT_SIZE];
    tn_complain(check, "type", TN_WHOLE_FIELD,
                tn_suggestion_hint(&suggestion, "'tenon joints'", hint),
                "unknown joint type '%.100s'", type);
}

static void check_bodies(tn_check *check, const tn_joint_def *def)
{
    int known = 1;
    if (def->a.i == TN_GROUND_INDEX) {
        tn_complain(check, "a", TN_WHOLE_FIELD, "swap a and b",
                    "body a is the side that moves and cannot be the ground");
        known = 0;
    } else {
        known = tn_check_index(check, "a", TN_SECTION_BODY, def->a.i, def->a.of, "body a");
    }
    if (def->b.i != TN_GROUND_INDEX) {
        known &= tn_check_index(check, "b", TN_SECTION_BODY, def->b.i, def->b.of, "body b");
    }
    if (known && def->a.i == def->b.i && !tn_check_is_bad(check, "a") &&
        !tn_check_is_bad(check, "b")) {
        tn_complain(check, "b", TN_WHOLE_FIELD, NULL, "joins body '%.100s' to itself",
                    check->spec->bodies[def->a.i].def.name);
    }
}

static void check_parameters(tn_check *check, const tn_joint_def *def,
                             const tn_joint_type_info *info)
{
    for (int32_t i = 0; i < TN_MAX_PARAMETERS; i++) {
        double value = def->parameters[i];
        if (isnan(value)) {
            continue;
        }
        if (i >= info->parameter_count) {
            tn_complain(check, "type", TN_WHOLE_FIELD, NULL, "%s has no parameter number %d",
                        info->name, (int)i);
            continue;
        }
        const tn_parameter_info *parameter = &info->parameters[i];
        if (!(value > parameter->lower && value < parameter->upper) || isinf(value)) {
            tn_complain(check, parameter->name, TN_WHOLE_FIELD, parameter->summary,
                        "%s must lie between %g and %g %s, is %g", parameter->name,
                        parameter->lower, parameter->upper, parameter->unit, value);
        }
    }
}

static double length_of(tn_vec3 v)
{
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static int has_direction(tn_vec3 v)
{
    return length_of(v) >= TN_SMALLEST_NUMBER;
}

static void check_axis(tn_check *check, const tn_joint_def *def)
{
    if (tn_check_vector(check, "axis", def->axis, "axis") && !has_direction(def->axis)) {
        tn_complain(check, "axis", TN_WHOLE_FIELD, NULL, "the axis is zero and has no direction");
    }
}

/* How far from square two axes may be that are called square: sin of the angle, for axes written
 * with few digits. */
#define TN_SQUARE_TOLERANCE 1e-3

/* Axes are one when the sine of their angle is below this. */
#define TN_COLLINEAR 1e-8

/* The axis of D beside z, if there is one. */
static void check_second_axis(tn_check *check, const tn_joint_def *def, const char *key,
                              tn_vec3 second, int may_lean)
{
    if (isnan(second.x) || !tn_check_vector(check, key, second, key)) {
        return;
    }
    if (def->placement != TN_PLACE_AXIS) {
        tn_complain(check, key, TN_WHOLE_FIELD, "place the joint with origin and axis",
                    "%s goes with origin and axis only", key);
        return;
    }
    const tn_vec3 z = def->axis;
    const double size = length_of(z) * length_of(second);
    if (!has_direction(z) || !has_direction(second)) {
        tn_complain(check, key, TN_WHOLE_FIELD, NULL, "%s is zero and has no direction", key);
        return;
    }
    const double cosine = (z.x * second.x + z.y * second.y + z.z * second.z) / size;
    const tn_vec3 across = {z.y * second.z - z.z * second.y, z.z * second.x - z.x * second.z,
                            z.x * second.y - z.y * second.x};
    if (length_of(across) <= TN_COLLINEAR * size) {
        tn_complain(check, key, TN_WHOLE_FIELD, NULL, "axis and %s point the same way", key);
    } else if (!may_lean && fabs(cosine) > TN_SQUARE_TOLERANCE) {
        tn_complain(check, key, TN_WHOLE_FIELD,
                    "only the y_axis of a skewed_universal without 'skew' may lean",
                    "%s is not square to axis: cos %g", key, cosine);
    }
}

/* Does the type take its skew from the y axis? */
static int takes_skew(const tn_joint_def *def)
{
    tn_joint_type type;
    if (def->type == NULL || tn_joint_type_find(def->type, &type) != TN_OK) {
        return 1; /* complained about already */
    }
    const tn_joint_type_info *info = tn_joint_type_get(type);
    return info->skew_after > 0 && isnan(def->parameters[info->skew_after - 1]);
}

static void check_second_axes(tn_check *check, const tn_joint_def *def)
{
    if (!isnan(def->x_axis.x) && !isnan(def->y_axis.x)) {
        tn_complain(check, "y_axis", TN_WHOLE_FIELD, NULL,
                    "x_axis and y_axis cannot both be given: one follows from the other");
        return;
    }
    check_second_axis(check, def, "x_axis", def->x_axis, 0);
    check_second_axis(check, def, "y_axis", def->y_axis, takes_skew(def));
}

static void check_placement(tn_check *check, const tn_joint_def *def)
{
    switch (def->placement) {
    case TN_PLACE_WORLD_FRAME:
        tn_check_pose(check, "frame", "frame", &def->frame_d, "frame");
        return;
    case TN_PLACE_BODY_FRAMES:
        tn_check_pose(check, "frame_a", "frame_a", &def->frame_c, "frame_a");
        tn_check_pose(check, "frame_b", "frame_b", &def->frame_d, "frame_b");
        return;
    case TN_PLACE_WORLD_FRAMES:
        tn_check_pose(check, "frame_c", "frame_c", &def->frame_c, "frame_c");
        tn_check_pose(check, "frame_d", "frame_d", &def->frame_d, "frame_d");
        return;
    case TN_PLACE_AXIS:
        check_axis(check, def);
        tn_check_vector(check, "origin", def->origin, "origin");
        return;
    case TN_PLACE_ORIGIN:
        tn_check_vector(check, "origin", def->origin, "origin");
        return;
    }
    tn_complain(check, "frame", TN_WHOLE_FIELD, NULL, "there is no way of placing number %d",
                (int)def->placement);
}

/* A value per coordinate, NaN where there is none. */
static void check_coordinates(tn_check *check, const tn_joint_type_info *info, const char *key,
                              const double *values)
{
    for (int32_t i = 0; i < TN_MAX_COORDINATES; i++) {
        if (isnan(values[i])) {
            continue;
        }
        if (i >= info->coordinate_count) {
            tn_complain(check, key, TN_WHOLE_FIELD, NULL, "%s: %s has no coordinate number %d", key,
                        info->name, (int)i);
            return;
        }
        if (tn_check_finite(check, key, i, values[i], info->coordinates[i].name) &&
            info->coordinates[i].angular && fabs(values[i]) > TN_LARGEST_ANGLE) {
            tn_complain(check, key, i, NULL, "%s is %g rad, the limit is %g",
                        info->coordinates[i].name, values[i], TN_LARGEST_ANGLE);
        }
    }
}

static void check_initial(tn_check *check, const tn_joint_def *def, const tn_joint_type_info *info)
{
    int follows = def->placement == TN_PLACE_BODY_FRAMES || def->placement == TN_PLACE_WORLD_FRAMES;
    for (int32_t i = 0; follows && i < info->coordinate_count; i++) {
        if (!isnan(def->initial[i])) {
            tn_complain(check, "initial", TN_WHOLE_FIELD,
                        "use 'set' to move the bodies to coordinates",
                        "two frames define the coordinates already, initial ones cannot be given");
            return;
        }
    }
    check_coordinates(check, info, "initial", def->initial);
}

/* Three speeds at once instead of those of coordinates. */
static void check_angular_velocity(tn_check *check, const tn_joint_def *def,
                                   const tn_joint_type_info *info)
{
    const tn_vec3 w = def->angular_velocity;
    if (isnan(w.x)) {
        return;
    }
    if (!tn_joint_is_ball(info)) {
        tn_complain(check, "angular_velocity", TN_WHOLE_FIELD,
                    info->coordinate_count > 0 ? "speed: of its coordinates" : NULL,
                    "a %s is no ball joint", info->name);
        return;
    }
    tn_check_vector(check, "angular_velocity", w, "angular velocity");
    for (int32_t i = 0; i < info->coordinate_count; i++) {
        if (!isnan(def->speed[i])) {
            tn_complain(check, "angular_velocity", TN_WHOLE_FIELD, "give one of the two",
                        "the speed of %s is in the angular velocity", info->coordinates[i].name);
        }
    }
    if (check->spec->world.kind == TN_WORLD_PLANAR && (w.x != 0.0 || w.y != 0.0)) {
        tn_complain(check, "angular_velocity", TN_WHOLE_FIELD, "one number, about z",
                    "in the plane nothing turns about x or y");
    }
}

/* A value per row, NaN where there is none. */
static void check_rows(tn_check *check, const tn_joint_type_info *info, const char *key,
                       const double *values)
{
    char label[LABEL_SIZE];
    for (int32_t i = 0; i < TN_MAX_ROWS; i++) {
        if (isnan(values[i])) {
            continue;
        }
        if (i >= info->row_count) {
            tn_complain(check, key, TN_WHOLE_FIELD, NULL, "%s: %s has no row number %d", key,
                        info->name, (int)i);
            return;
        }
        snprintf(label, sizeof(label), "%s of row %s", key, info->rows[i].name);
        tn_check_not_negative(check, key, i, values[i], label);
    }
}

static void check_ranges(tn_check *check, const tn_joint_def *def, const tn_joint_type_info *info)
{
    for (int32_t i = 0; i < TN_MAX_COORDINATES; i++) {
        double lower = def->lower[i], upper = def->upper[i];
        int open = isinf(lower) && lower < 0.0 && isinf(upper) && upper > 0.0;
        if (i >= info->coordinate_count) {
            if (!open || def->locked[i] != 0) {
                tn_complain(check, "range", TN_WHOLE_FIELD, NULL,
                            "%s has no coordinate number %d to limit or lock", info->name, (int)i);
                return;
            }
            continue;
        }
        const char *name = info->coordinates[i].name;
        if (isnan(lower) || isnan(upper)) {
            tn_complain(check, "range", i, NULL, "range of %s is not a number", name);
        } else if (lower > upper) {
            tn_complain(check, "range", i, NULL, "range of %s: lower %g is above upper %g", name,
                        lower, upper);
        } else if (lower == upper && isinf(lower)) {
            tn_complain(check, "range", i, NULL, "range of %s is empty", name);
        }
    }
}

static void check_armature(tn_check *check, const tn_joint_def *def, const tn_joint_type_info *info)
{
    for (int32_t i = 0; i < TN_MAX_COORDINATES; i++) {
        const double a = def->armature[i];
        if (isnan(a)) {
            continue;
        }
        if (i >= info->coordinate_count) {
            tn_complain(check, "armature", TN_WHOLE_FIELD, NULL,
                        "armature: %s has no coordinate number %d", info->name, (int)i);
            return;
        }
        if (!(a >= 0.0)) {
            tn_complain(check, "armature", i, NULL, "armature of %s must not be negative, is %g",
                        info->coordinates[i].name, a);
        } else if (!isfinite(a) || (a > 0.0 && !isfinite(1.0 / a))) {
            tn_complain(check, "armature", i, NULL, "armature of %s is out of range, %g",
                        info->coordinates[i].name, a);
        }
    }
}

static void check_restitution(tn_check *check, const tn_joint_def *def,
                              const tn_joint_type_info *info)
{
    for (int32_t i = 0; i < TN_MAX_COORDINATES; i++) {
        double e = def->restitution[i];
        if (isnan(e)) {
            continue;
        }
        if (i >= info->coordinate_count) {
            tn_complain(check, "restitution", TN_WHOLE_FIELD, NULL,
                        "%s has no coordinate number %d to bounce", info->name, (int)i);
            return;
        }
        if (!(e >= 0.0 && e <= 1.0)) {
            tn_complain(check, "restitution", i, NULL,
                        "restitution of %s must be between 0 and 1, not %g",
                        info->coordinates[i].name, e);
        }
    }
}

static void check_break(tn_check *check, const char *field, double threshold, const char *label)
{
    if (!isnan(threshold) && !(threshold > 0.0)) {
        tn_complain(check, field, TN_WHOLE_FIELD, NULL, "%s must be positive, not %g", label,
                    threshold);
    }
}

/* Of the collective values of linear or rotary rows. */
static void check_group(tn_check *check, const char *const keys[3], double compliance,
                        double frequency, double ratio)
{
    if (!isnan(compliance)) {
        char label[LABEL_SIZE];
        snprintf(label, sizeof(label), "%.6s compliance", keys[0]); /* linear, rotary */
        tn_check_not_negative(check, keys[0], TN_WHOLE_FIELD, compliance, label);
    }
    if (!isnan(frequency)) {
        tn_check_positive(check, keys[1], TN_WHOLE_FIELD, frequency, keys[1]);
    }
    if (!isnan(ratio)) {
        tn_check_not_negative(check, keys[2], TN_WHOLE_FIELD, ratio, keys[2]);
    }
    if (!isnan(compliance) && !isnan(frequency)) {
        tn_complain(check, keys[1], TN_WHOLE_FIELD, NULL, "%s and %s cannot both be given", keys[0],
                    keys[1]);
    }
}

static void check_groups(tn_check *check, const tn_joint_def *def)
{
    check_group(
        check,
        (const char *const[]){"linear_compliance", "linear_frequency", "linear_damping_ratio"},
        def->linear_compliance, def->linear_frequency, def->linear_damping_ratio);
    check_group(
        check,
        (const char *const[]){"rotary_compliance", "rotary_frequency", "rotary_damping_ratio"},
        def->rotary_compliance, def->rotary_frequency, def->rotary_damping_ratio);
}

/* A row has one of each pair. */
static void check_units(tn_check *check, const tn_joint_def *def, const tn_joint_type_info *info)
{
    for (int32_t i = 0; i < info->row_count; i++) {
        if (!isnan(def->frequency[i]) && def->frequency[i] == 0.0) {
            tn_complain(check, "frequency", i, "leave it out for a hard row",
                        "frequency of row %s is zero", info->rows[i].name);
        }
        if (!isnan(def->frequency[i]) && !isnan(def->compliance[i])) {
            tn_complain(check, "frequency", i, NULL,
                        "row %s cannot have both a compliance and a frequency", info->rows[i].name);
        }
        if (!isnan(def->damping_ratio[i]) && !isnan(def->damping[i])) {
            tn_complain(check, "damping_ratio", i, NULL,
                        "row %s cannot have both a damping and a damping ratio",
                        info->rows[i].name);
        }
    }
}

/* A fault of the joint's lists (joint_data.h). */
static void complain_data(void *context, const char *key, int32_t item, const char *hint,
                          const char *text)
{
    tn_complain(context, key, item, hint, "%s", text);
}

void tn_check_joint(tn_check *check, const tn_joint_def *def)
{
    check_bodies(check, def);
    check_placement(check, def);
    check_second_axes(check, def);
    tn_check_look(check, &def->look);
    check_break(check, "break_force", def->break_force, "break force");
    check_break(check, "break_torque", def->break_torque, "break torque");
    check_groups(check, def);
    if (!isnan(def->relative_compliance) &&
        !(def->relative_compliance >= LEAST_SHARE && def->relative_compliance <= LARGEST_SHARE)) {
        tn_complain(check, "relative_compliance", TN_WHOLE_FIELD, NULL,
                    "relative compliance must be between %g and %g", LEAST_SHARE, LARGEST_SHARE);
    }
    tn_joint_type type = {-1};
    if (def->type == NULL || tn_joint_type_find(def->type, &type) != TN_OK) {
        complain_type(check, def->type);
        return;
    }
    if (tn_joint_data_faults(tn_joint_type_get(type)->data, def->data, complain_data, check) > 0) {
        return; /* what the joint has is unknown */
    }
    tn_joint_own_info own;
    const tn_joint_type_info *info = tn_joint_info(type, def->data, &own);
    check_parameters(check, def, info);
    check_initial(check, def, info);
    check_coordinates(check, info, "set", def->set);
    check_coordinates(check, info, "speed", def->speed);
    check_angular_velocity(check, def, info);
    check_rows(check, info, "compliance", def->compliance);
    check_rows(check, info, "damping", def->damping);
    check_rows(check, info, "frequency", def->frequency);
    check_rows(check, info, "damping_ratio", def->damping_ratio);
    check_units(check, def, info);
    check_ranges(check, def, info);
    check_restitution(check, def, info);
    check_armature(check, def, info);
    tn_check_drives(check, def, info);
}
