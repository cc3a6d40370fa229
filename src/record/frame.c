/* frame.c: the table of quantities a frame may hold, and the row they form.
 *
 * Room record. The order of the row is the order of the CSV columns: time, then per body pose and
 * velocity, then per joint coordinates, speeds, efforts and reaction, then couplings, markers,
 * measures, energies; the multipliers last.
 */
#include "real/real.h"
#include "record/frame.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "tenon/measure.h"

static void read_time(const tn_sim *sim, int32_t owner, double *out)
{
    (void)owner;
    out[0] = tn_sim_time(sim);
}

static void read_pose(const tn_sim *sim, int32_t owner, double *out)
{
    tn_pose t = tn_sim_body_pose(sim, (tn_body){owner});
    const double values[7] = {t.p.x, t.p.y, t.p.z, t.q.w, t.q.x, t.q.y, t.q.z};
    memcpy(out, values, sizeof values);
}

static void read_velocity(const tn_sim *sim, int32_t owner, double *out)
{
    tn_twist u = tn_sim_body_velocity(sim, (tn_body){owner});
    const double values[6] = {u.v.x, u.v.y, u.v.z, u.w.x, u.w.y, u.w.z};
    memcpy(out, values, sizeof values);
}

static void read_planar_pose(const tn_sim *sim, int32_t owner, double *out)
{
    const tn_pose t = tn_sim_body_pose(sim, (tn_body){owner});
    out[0] = t.p.x;
    out[1] = t.p.y;
    out[2] = 2.0 * (t.q.w < 0.0 ? tn_atan2(-t.q.z, -t.q.w) : tn_atan2(t.q.z, t.q.w));
}

static void read_planar_velocity(const tn_sim *sim, int32_t owner, double *out)
{
    const tn_twist u = tn_sim_body_velocity(sim, (tn_body){owner});
    out[0] = u.v.x;
    out[1] = u.v.y;
    out[2] = u.w.z;
}

static void read_planar_reaction(const tn_sim *sim, int32_t owner, double *out)
{
    const tn_wrench w = tn_sim_joint_wrench(sim, (tn_joint){owner}, TN_WRENCH_IN_C);
    out[0] = w.f.x;
    out[1] = w.f.y;
    out[2] = w.m.z;
}

static void read_coordinates(const tn_sim *sim, int32_t owner, double *out)
{
    tn_sim_joint_coordinates(sim, (tn_joint){owner}, out);
}

static const tn_joint_type_info *joint_info(const tn_sim *sim, int32_t joint)
{
    return tn_model_joint_info(tn_sim_model(sim), (tn_joint){joint});
}

/* Only the bilateral rows, which come first. */
static void read_multipliers(const tn_sim *sim, int32_t owner, double *out)
{
    double lambda[TN_MAX_ROWS];
    tn_sim_joint_multipliers(sim, (tn_joint){owner}, lambda);
    memcpy(out, lambda, (size_t)joint_info(sim, owner)->bilateral_count * sizeof *out);
}

static void read_speeds(const tn_sim *sim, int32_t owner, double *out)
{
    tn_sim_joint_speeds(sim, (tn_joint){owner}, out);
}

static void read_reaction(const tn_sim *sim, int32_t owner, double *out)
{
    tn_wrench w = tn_sim_joint_wrench(sim, (tn_joint){owner}, TN_WRENCH_IN_C);
    const double values[6] = {w.f.x, w.f.y, w.f.z, w.m.x, w.m.y, w.m.z};
    memcpy(out, values, sizeof values);
}

/* Efforts are owned by coordinate i of joint j as j TN_MAX_COORDINATES + i. */
static int32_t owning_joint(const tn_part *part)
{
    return part->kind == TN_PART_EFFORT ? part->owner / TN_MAX_COORDINATES : part->owner;
}

/* What holds, stops, drives or brakes the coordinate. */
static void read_effort(const tn_sim *sim, int32_t owner, double *out)
{
    const tn_joint joint = {owner / TN_MAX_COORDINATES};
    out[0] = 0.0;
    for (tn_wrench_part part = TN_WRENCH_LOCK; part < TN_WRENCH_PART_COUNT; part++)
        out[0] += tn_sim_coordinate_force(sim, joint, owner % TN_MAX_COORDINATES, part);
}

static void read_value(const tn_sim *sim, int32_t owner, double *out)
{
    out[0] = tn_sim_coupling_value(sim, (tn_coupling){owner});
}

static void read_force(const tn_sim *sim, int32_t owner, double *out)
{
    out[0] = tn_sim_coupling_force(sim, (tn_coupling){owner});
}

static void read_position(const tn_sim *sim, int32_t owner, double *out)
{
    tn_vec3 p = tn_sim_marker_position(sim, (tn_marker){owner});
    out[0] = p.x;
    out[1] = p.y;
    out[2] = p.z;
}

static void read_measure(const tn_sim *sim, int32_t owner, double *out)
{
    tn_sim_measure(sim, (tn_measure_id){owner}, out);
}

static void read_energy(const tn_sim *sim, int32_t owner, double *out)
{
    (void)owner;
    tn_energy e = tn_sim_energy(sim);
    const double values[4] = {e.kinetic, e.potential, e.elastic, e.total};
    memcpy(out, values, sizeof values);
}

static void read_work(const tn_sim *sim, int32_t owner, double *out)
{
    (void)owner;
    out[0] = tn_sim_energy(sim).work;
    out[1] = tn_sim_energy(sim).lost;
}

static void read_planar_position(const tn_sim *sim, int32_t owner, double *out)
{
    const tn_vec3 p = tn_sim_marker_position(sim, (tn_marker){owner});
    out[0] = p.x;
    out[1] = p.y;
}

static const char *const time_fields[] = {"t"};
static const char *const time_units[] = {"s"};
static const char *const pose_fields[] = {"px", "py", "pz", "qw", "qx", "qy", "qz"};
static const char *const pose_units[] = {"m", "m", "m", "1", "1", "1", "1"};
static const char *const planar_pose_fields[] = {"x", "y", "angle"};
static const char *const planar_pose_units[] = {"m", "m", "rad"};
static const char *const velocity_fields[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
static const char *const velocity_units[] = {"m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"};
static const char *const planar_velocity_fields[] = {"vx", "vy", "w"};
static const char *const planar_velocity_units[] = {"m/s", "m/s", "rad/s"};
static const char *const wrench_fields[] = {"fx", "fy", "fz", "mx", "my", "mz"};
static const char *const wrench_units[] = {"N", "N", "N", "N m", "N m", "N m"};
static const char *const planar_wrench_fields[] = {"fx", "fy", "m"};
static const char *const planar_wrench_units[] = {"N", "N", "N m"};
static const char *const position_fields[] = {"x", "y", "z"};
static const char *const position_units[] = {"m", "m", "m"};
static const char *const energy_fields[] = {"kinetic", "potential", "elastic", "total"};
static const char *const energy_units[] = {"J", "J", "J", "J"};
static const char *const work_fields[] = {"work", "lost"};
static const char *const value_fields[] = {"value"};
static const char *const force_fields[] = {"force"};

/* Multipliers and efforts were one choice once: files that ask for the former get both. */
#define EFFORTS (TN_RECORD_EFFORTS | TN_RECORD_MULTIPLIERS)

const tn_part_kind tn_part_kinds[TN_PART_KIND_COUNT] = {
    [TN_PART_TIME] = {"", "t", 0, 0, {1, time_fields, time_units, read_time}, {0}},
    [TN_PART_POSE] = {"bodies",
                      "pose",
                      TN_RECORD_POSES,
                      0,
                      {7, pose_fields, pose_units, read_pose},
                      {3, planar_pose_fields, planar_pose_units, read_planar_pose}},
    [TN_PART_VELOCITY] = {"bodies",
                          "velocity",
                          TN_RECORD_VELOCITIES,
                          0,
                          {6, velocity_fields, velocity_units, read_velocity},
                          {3, planar_velocity_fields, planar_velocity_units, read_planar_velocity}},
    [TN_PART_COORDINATES] =
        {"joints", "coordinates", TN_RECORD_COORDINATES, 1, {0, NULL, NULL, read_coordinates}, {0}},
    [TN_PART_SPEEDS] = {"joints", "speeds", TN_RECORD_SPEEDS, 1, {0, NULL, NULL, read_speeds}, {0}},
    [TN_PART_EFFORT] = {"joints", "effort", EFFORTS, 1, {1, NULL, NULL, read_effort}, {0}},
    [TN_PART_REACTION] = {"joints",
                          "reaction",
                          TN_RECORD_REACTIONS,
                          0,
                          {6, wrench_fields, wrench_units, read_reaction},
                          {3, planar_wrench_fields, planar_wrench_units, read_planar_reaction}},
    [TN_PART_COUPLING_VALUE] =
        {"couplings", "value", TN_RECORD_COORDINATES, 1, {1, value_fields, NULL, read_value}, {0}},
    [TN_PART_COUPLING_FORCE] =
        {"couplings", "force", EFFORTS, 1, {1, force_fields, NULL, read_force}, {0}},
    [TN_PART_POSITION] = {"markers",
                          "position",
                          TN_RECORD_MARKERS,
                          0,
                          {3, position_fields, position_units, read_position},
                          {2, position_fields, position_units, read_planar_position}},
    [TN_PART_MEASURE] =
        {"measures", "value", TN_RECORD_MEASURES, 1, {0, NULL, NULL, read_measure}, {0}},
    [TN_PART_ENERGY] =
        {"", "energy", TN_RECORD_ENERGY, 0, {4, energy_fields, energy_units, read_energy}, {0}},
    [TN_PART_WORK] =
        {"", "work", TN_RECORD_ENERGY, 0, {2, work_fields, energy_units, read_work}, {0}},
    [TN_PART_MULTIPLIERS] =
        {"joints", "multipliers", TN_RECORD_MULTIPLIERS, 1, {0, NULL, NULL, read_multipliers}, {0}},
};

/* How many values a part of this kind has. */
static int32_t part_width(const tn_frame *frame, tn_part_kind_id kind, int32_t owner)
{
    if (kind == TN_PART_COORDINATES || kind == TN_PART_SPEEDS)
        return joint_info(frame->sim, owner)->coordinate_count;
    if (kind == TN_PART_MULTIPLIERS)
        return joint_info(frame->sim, owner)->bilateral_count;
    if (kind == TN_PART_MEASURE)
        return tn_measure_width(tn_sim_model(frame->sim), (tn_measure_id){owner});
    return tn_form_of(frame, kind)->field_count;
}

/* Was the owner of a part removed from the model? Of an effort the joint is asked. */
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
    tn_status status = add_parts(frame, what, TN_PART_COORDINATES, TN_PART_SPEEDS, joint);
    for (int32_t i = 0; i < joint_info(frame->sim, joint)->coordinate_count && status == TN_OK; i++)
        if (has_effort(frame->sim, (tn_joint){joint}, i))
            status = add_part(frame, what, TN_PART_EFFORT, joint * TN_MAX_COORDINATES + i);
    return status == TN_OK ? add_part(frame, what, TN_PART_REACTION, joint) : status;
}

/* In a planar world without bodies that leave the plane. */
static bool is_planar(const tn_model *model)
{
    bool planar = tn_model_world_kind(model) == TN_WORLD_PLANAR;
    for (int32_t i = 0; i < tn_model_get_size(model).bodies && planar; i++) {
        const tn_body_kind kind = tn_model_body_kind(model, (tn_body){i});
        planar = kind == TN_BODY_PLANAR || kind == TN_BODY_FIXED;
    }
    return planar;
}

static tn_status add_all(tn_frame *frame, const tn_record_def *def)
{
    const tn_sim *sim = frame->sim;
    const tn_model_size size = tn_model_get_size(tn_sim_model(sim));
    const int32_t bodies = def->body_count < 0 ? size.bodies : def->body_count;
    const int32_t joints = def->joint_count < 0 ? size.joints : def->joint_count;
    const int32_t markers = def->marker_count < 0 ? size.markers : def->marker_count;
    const int32_t couplings = def->coupling_count < 0 ? size.couplings : def->coupling_count;
    tn_status status = add_part(frame, def->what, TN_PART_TIME, 0);
    for (int32_t i = 0; i < bodies && status == TN_OK; i++)
        status = add_parts(frame, def->what, TN_PART_POSE, TN_PART_VELOCITY,
                           def->body_count < 0 ? i : def->bodies[i].i);
    for (int32_t i = 0; i < joints && status == TN_OK; i++)
        status = add_joint(frame, def->what, def->joint_count < 0 ? i : def->joints[i].i);
    for (int32_t i = 0; i < couplings && status == TN_OK; i++)
        status = add_parts(frame, def->what, TN_PART_COUPLING_VALUE, TN_PART_COUPLING_FORCE,
                           def->coupling_count < 0 ? i : def->couplings[i].i);
    for (int32_t i = 0; i < markers && status == TN_OK; i++)
        status = add_part(frame, def->what, TN_PART_POSITION,
                          def->marker_count < 0 ? i : def->markers[i].i);
    for (int32_t i = 0; i < tn_model_measure_count(tn_sim_model(sim)) && status == TN_OK; i++)
        status = add_part(frame, def->what, TN_PART_MEASURE, i);
    if (status == TN_OK)
        status = add_parts(frame, def->what, TN_PART_ENERGY, TN_PART_WORK, 0);
    for (int32_t i = 0; i < joints && status == TN_OK; i++)
        status = add_part(frame, def->what, TN_PART_MULTIPLIERS,
                          def->joint_count < 0 ? i : def->joints[i].i);
    return status;
}

/* Units of angle, per s and per s^2, and what they are in degrees. */
static const char *const angles[][2] = {{"rad", "deg"}, {"rad/s", "deg/s"}, {"rad/s^2", "deg/s^2"}};

/* The unit in which a file in degrees tells what has this unit; the same for what is no angle. */
static const char *in_degrees(const char *unit)
{
    for (size_t i = 0; i < sizeof angles / sizeof angles[0]; i++)
        if (strcmp(unit, angles[i][0]) == 0)
            return angles[i][1];
    return unit;
}

double tn_record_scale(const tn_record_def *def, const char *unit, const char **told)
{
    TN_DEMAND(def && unit && told, NAN);
    *told = def->degrees ? in_degrees(unit) : unit;
    return *told == unit ? 1.0 : 57.295779513082320877; /* 180 / pi */
}

/* Factors of the columns that are told in degrees. */
static tn_status find_scale(tn_frame *frame, const tn_record_def *def)
{
    if (!def->degrees)
        return TN_OK;
    frame->scale = TN_NEW_ARRAY(double, frame->column_count);
    if (frame->scale == NULL)
        return TN_ERROR_MEMORY;
    for (int32_t i = 0; i < frame->part_count; i++)
        for (int32_t k = 0; k < frame->parts[i].width; k++) {
            const char *told;
            frame->scale[frame->parts[i].offset + k] =
                tn_record_scale(def, tn_part_field_unit(frame, &frame->parts[i], k), &told);
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

const char *tn_part_owner_name(const tn_frame *frame, const tn_part *part)
{
    const tn_model *model = tn_sim_model(frame->sim);
    const char *group = tn_part_kinds[part->kind].group;
    if (strcmp(group, "bodies") == 0)
        return tn_model_body_name(model, (tn_body){part->owner});
    if (strcmp(group, "joints") == 0)
        return tn_model_joint_name(model, (tn_joint){owning_joint(part)});
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
    return &joint_info(frame->sim, owning_joint(part))
                ->coordinates[part->owner % TN_MAX_COORDINATES];
}

void tn_part_field_name(const tn_frame *frame, const tn_part *part, int32_t field,
                        char name[TN_FIELD_NAME_SIZE])
{
    if (part->kind == TN_PART_MULTIPLIERS)
        snprintf(name, TN_FIELD_NAME_SIZE, "lambda%d", (int)field);
    else if (part->kind == TN_PART_MEASURE)
        snprintf(name, TN_FIELD_NAME_SIZE, "%s",
                 tn_measure_field(tn_sim_model(frame->sim), (tn_measure_id){part->owner}, field));
    else if (part->kind == TN_PART_COORDINATES)
        snprintf(name, TN_FIELD_NAME_SIZE, "%s",
                 joint_info(frame->sim, part->owner)->coordinates[field].name);
    else if (part->kind == TN_PART_SPEEDS)
        snprintf(name, TN_FIELD_NAME_SIZE, "%s.speed",
                 joint_info(frame->sim, part->owner)->coordinates[field].name);
    else if (part->kind == TN_PART_EFFORT)
        snprintf(name, TN_FIELD_NAME_SIZE, "%s.effort", effort_coordinate(frame, part)->name);
    else
        snprintf(name, TN_FIELD_NAME_SIZE, "%s", tn_form_of(frame, part->kind)->fields[field]);
}

/* Of a coupling's value or an effort: is it an angle? */
static int is_angular(const tn_frame *frame, const tn_part *part)
{
    if (part->kind == TN_PART_EFFORT)
        return effort_coordinate(frame, part)->angular;
    const tn_joint coupling =
        tn_model_coupling_joint(tn_sim_model(frame->sim), (tn_coupling){part->owner});
    return tn_model_joint_info(tn_sim_model(frame->sim), coupling)->coordinates[0].angular;
}

/* In SI and rad. */
static const char *plain_unit(const tn_frame *frame, const tn_part *part, int32_t field)
{
    const tn_joint_type_info *info;
    switch (part->kind) {
    case TN_PART_MULTIPLIERS:
        info = joint_info(frame->sim, part->owner);
        return (info->rows[field].flags & TN_ROW_ROTARY) != 0 ? "N m" : "N";
    case TN_PART_COORDINATES:
        return joint_info(frame->sim, part->owner)->coordinates[field].angular ? "rad" : "m";
    case TN_PART_SPEEDS:
        return joint_info(frame->sim, part->owner)->coordinates[field].angular ? "rad/s" : "m/s";
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
