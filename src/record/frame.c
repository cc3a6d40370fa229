/* frame.c: the table of quantities a frame may hold, and the row they form.
 *
 * Room record. The order of the row is the order of the CSV columns: time, then per body pose and
 * velocity, then per joint coordinates, multipliers, forces of drives and wrench, then
 * couplings, markers, energies.
 */
#include "record/frame.h"

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

static void read_wrench(const tn_sim *sim, int32_t owner, double *out)
{
    tn_wrench w = tn_sim_joint_wrench(sim, (tn_joint){owner}, TN_WRENCH_ON_A);
    const double values[6] = {w.f.x, w.f.y, w.f.z, w.m.x, w.m.y, w.m.z};
    memcpy(out, values, sizeof values);
}

/* Drives are owned by coordinate i of joint j as j TN_MAX_COORDINATES + i. */
static int32_t owning_joint(const tn_part *part)
{
    return part->kind == TN_PART_DRIVE ? part->owner / TN_MAX_COORDINATES : part->owner;
}

/* What drives the coordinate or brakes it: motor, prescribed motion, spring and friction. */
static void read_drive(const tn_sim *sim, int32_t owner, double *out)
{
    const tn_joint joint = {owner / TN_MAX_COORDINATES};
    out[0] = 0.0;
    for (tn_wrench_part part = TN_WRENCH_DRIVER; part < TN_WRENCH_PART_COUNT; part++)
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

static const char *const time_fields[] = {"t"};
static const char *const time_units[] = {"s"};
static const char *const pose_fields[] = {"px", "py", "pz", "qw", "qx", "qy", "qz"};
static const char *const pose_units[] = {"m", "m", "m", "1", "1", "1", "1"};
static const char *const velocity_fields[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
static const char *const velocity_units[] = {"m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"};
static const char *const wrench_fields[] = {"fx", "fy", "fz", "mx", "my", "mz"};
static const char *const wrench_units[] = {"N", "N", "N", "N m", "N m", "N m"};
static const char *const position_fields[] = {"x", "y", "z"};
static const char *const position_units[] = {"m", "m", "m"};
static const char *const energy_fields[] = {"kinetic", "potential", "elastic", "total"};
static const char *const energy_units[] = {"J", "J", "J", "J"};
static const char *const work_fields[] = {"work", "lost"};
static const char *const value_fields[] = {"value"};
static const char *const force_fields[] = {"force"};

const tn_part_kind tn_part_kinds[TN_PART_KIND_COUNT] = {
    [TN_PART_TIME] = {"", "t", 0, 0, 1, time_fields, time_units, read_time},
    [TN_PART_POSE] = {"bodies", "pose", TN_RECORD_POSES, 0, 7, pose_fields, pose_units, read_pose},
    [TN_PART_VELOCITY] = {"bodies", "velocity", TN_RECORD_VELOCITIES, 0, 6, velocity_fields,
                          velocity_units, read_velocity},
    [TN_PART_COORDINATES] = {"joints", "coordinates", TN_RECORD_COORDINATES, 1, 0, NULL, NULL,
                             read_coordinates},
    [TN_PART_MULTIPLIERS] = {"joints", "multipliers", TN_RECORD_MULTIPLIERS, 1, 0, NULL, NULL,
                             read_multipliers},
    [TN_PART_DRIVE] = {"joints", "drive_force", TN_RECORD_MULTIPLIERS, 1, 1, NULL, NULL,
                       read_drive},
    [TN_PART_COUPLING_VALUE] = {"couplings", "value", TN_RECORD_COORDINATES, 1, 1, value_fields,
                                NULL, read_value},
    [TN_PART_COUPLING_FORCE] = {"couplings", "force", TN_RECORD_MULTIPLIERS, 1, 1, force_fields,
                                NULL, read_force},
    [TN_PART_WRENCH] = {"joints", "wrench", TN_RECORD_WRENCHES, 0, 6, wrench_fields, wrench_units,
                        read_wrench},
    [TN_PART_POSITION] = {"markers", "position", TN_RECORD_MARKERS, 0, 3, position_fields,
                          position_units, read_position},
    [TN_PART_MEASURE] = {"measures", "value", TN_RECORD_MEASURES, 1, 0, NULL, NULL, read_measure},
    [TN_PART_ENERGY] = {"", "energy", TN_RECORD_ENERGY, 0, 4, energy_fields, energy_units,
                        read_energy},
    [TN_PART_WORK] = {"", "work", TN_RECORD_ENERGY, 0, 2, work_fields, energy_units, read_work},
};

/* How many values a part of this kind has. */
static int32_t part_width(const tn_sim *sim, tn_part_kind_id kind, int32_t owner)
{
    if (kind == TN_PART_COORDINATES)
        return joint_info(sim, owner)->coordinate_count;
    if (kind == TN_PART_MULTIPLIERS)
        return joint_info(sim, owner)->bilateral_count;
    if (kind == TN_PART_MEASURE)
        return tn_measure_width(tn_sim_model(sim), (tn_measure_id){owner});
    return tn_part_kinds[kind].field_count;
}

static tn_status add_part(tn_frame *frame, uint32_t what, tn_part_kind_id kind, int32_t owner)
{
    if (tn_part_kinds[kind].what != 0 && (what & tn_part_kinds[kind].what) == 0)
        return TN_OK;
    tn_part *grown =
        tn_grow(frame->parts, &frame->part_capacity, frame->part_count + 1, sizeof *frame->parts);
    if (grown == NULL)
        return TN_ERROR_MEMORY;
    frame->parts = grown;
    int32_t width = part_width(frame->sim, kind, owner);
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

/* Of one joint; the coordinates with drives are those of now. */
static tn_status add_joint(tn_frame *frame, uint32_t what, int32_t joint)
{
    tn_status status = add_parts(frame, what, TN_PART_COORDINATES, TN_PART_MULTIPLIERS, joint);
    for (int32_t i = 0; i < joint_info(frame->sim, joint)->coordinate_count && status == TN_OK; i++)
        if (tn_sim_has_drive(frame->sim, (tn_joint){joint}, i))
            status = add_part(frame, what, TN_PART_DRIVE, joint * TN_MAX_COORDINATES + i);
    return status == TN_OK ? add_part(frame, what, TN_PART_WRENCH, joint) : status;
}

static int has_drives(const tn_sim *sim)
{
    const tn_model_size size = tn_model_get_size(tn_sim_model(sim));
    for (int32_t j = 0; j < size.joints + size.couplings; j++)
        for (int32_t i = 0; i < joint_info(sim, j)->coordinate_count; i++)
            if (tn_sim_has_drive(sim, (tn_joint){j}, i))
                return 1;
    return 0;
}

tn_status tn_frame_init(tn_frame *frame, const tn_sim *sim, const tn_record_def *def)
{
    tn_model_size size = tn_model_get_size(tn_sim_model(sim));
    int32_t bodies = def->body_count < 0 ? size.bodies : def->body_count;
    int32_t joints = def->joint_count < 0 ? size.joints : def->joint_count;
    int32_t markers = def->marker_count < 0 ? size.markers : def->marker_count;
    int32_t couplings = def->coupling_count < 0 ? size.couplings : def->coupling_count;

    *frame = (tn_frame){.sim = sim};
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
        status = add_part(frame, def->what, TN_PART_ENERGY, 0);
    if (status == TN_OK && (has_drives(sim) || tn_model_load_count(tn_sim_model(sim)) > 0))
        status = add_part(frame, def->what, TN_PART_WORK, 0);
    if (status != TN_OK)
        tn_frame_clear(frame);
    return status;
}

void tn_frame_clear(tn_frame *frame)
{
    tn_free(frame->parts);
    tn_free(frame->unique);
    *frame = (tn_frame){0};
}

void tn_frame_read(const tn_frame *frame, double *row)
{
    for (int32_t i = 0; i < frame->part_count; i++) {
        const tn_part *part = &frame->parts[i];
        if (part->width > 0)
            tn_part_kinds[part->kind].read(frame->sim, part->owner, row + part->offset);
    }
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
    else if (part->kind == TN_PART_DRIVE)
        snprintf(name, TN_FIELD_NAME_SIZE, "%s.force",
                 joint_info(frame->sim, owning_joint(part))
                     ->coordinates[part->owner % TN_MAX_COORDINATES]
                     .name);
    else
        snprintf(name, TN_FIELD_NAME_SIZE, "%s", tn_part_kinds[part->kind].fields[field]);
}

/* Of a coupling's value or what drives a coordinate: is it an angle? */
static int is_angular(const tn_frame *frame, const tn_part *part)
{
    if (part->kind == TN_PART_DRIVE)
        return joint_info(frame->sim, owning_joint(part))
            ->coordinates[part->owner % TN_MAX_COORDINATES]
            .angular;
    const tn_joint coupling =
        tn_model_coupling_joint(tn_sim_model(frame->sim), (tn_coupling){part->owner});
    return joint_info(frame->sim, coupling.i)->coordinates[0].angular;
}

const char *tn_part_field_unit(const tn_frame *frame, const tn_part *part, int32_t field)
{
    if (part->kind == TN_PART_MULTIPLIERS) {
        uint32_t flags = joint_info(frame->sim, part->owner)->rows[field].flags;
        return (flags & TN_ROW_ROTARY) != 0 ? "N m" : "N";
    }
    if (part->kind == TN_PART_COORDINATES)
        return joint_info(frame->sim, part->owner)->coordinates[field].angular ? "rad" : "m";
    if (part->kind == TN_PART_MEASURE)
        return tn_measure_unit(tn_sim_model(frame->sim), (tn_measure_id){part->owner}, field);
    if (part->kind == TN_PART_COUPLING_VALUE)
        return is_angular(frame, part) ? "rad" : "m";
    if (part->kind == TN_PART_COUPLING_FORCE || part->kind == TN_PART_DRIVE)
        return is_angular(frame, part) ? "N m" : "N";
    return tn_part_kinds[part->kind].units[field];
}
