/* frame.c: the table of quantities a frame may hold, and the row they form.
 *
 * Room record. The order of the row is the order of the CSV columns: time, then per body pose and
 * velocity, then per joint coordinates, multipliers and wrench, then markers, then energies.
 */
#include "record/frame.h"

#include <stdio.h>
#include <string.h>

#include "base/base.h"

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

static void read_position(const tn_sim *sim, int32_t owner, double *out)
{
    tn_vec3 p = tn_sim_marker_position(sim, (tn_marker){owner});
    out[0] = p.x;
    out[1] = p.y;
    out[2] = p.z;
}

static void read_energy(const tn_sim *sim, int32_t owner, double *out)
{
    (void)owner;
    tn_energy e = tn_sim_energy(sim);
    const double values[4] = {e.kinetic, e.potential, e.elastic, e.total};
    memcpy(out, values, sizeof values);
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

const tn_part_kind tn_part_kinds[TN_PART_KIND_COUNT] = {
    [TN_PART_TIME] = {"", "t", 0, 0, 1, time_fields, time_units, read_time},
    [TN_PART_POSE] = {"bodies", "pose", TN_RECORD_POSES, 0, 7, pose_fields, pose_units, read_pose},
    [TN_PART_VELOCITY] = {"bodies", "velocity", TN_RECORD_VELOCITIES, 0, 6, velocity_fields,
                          velocity_units, read_velocity},
    [TN_PART_COORDINATES] = {"joints", "coordinates", TN_RECORD_COORDINATES, 1, 0, NULL, NULL,
                             read_coordinates},
    [TN_PART_MULTIPLIERS] = {"joints", "multipliers", TN_RECORD_MULTIPLIERS, 1, 0, NULL, NULL,
                             read_multipliers},
    [TN_PART_WRENCH] = {"joints", "wrench", TN_RECORD_WRENCHES, 0, 6, wrench_fields, wrench_units,
                        read_wrench},
    [TN_PART_POSITION] = {"markers", "position", TN_RECORD_MARKERS, 0, 3, position_fields,
                          position_units, read_position},
    [TN_PART_ENERGY] = {"", "energy", TN_RECORD_ENERGY, 0, 4, energy_fields, energy_units,
                        read_energy},
};

/* How many values a part of this kind has. */
static int32_t part_width(const tn_sim *sim, tn_part_kind_id kind, int32_t owner)
{
    if (kind == TN_PART_COORDINATES)
        return joint_info(sim, owner)->coordinate_count;
    if (kind == TN_PART_MULTIPLIERS)
        return joint_info(sim, owner)->bilateral_count;
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

tn_status tn_frame_init(tn_frame *frame, const tn_sim *sim, const tn_record_def *def)
{
    tn_model_size size = tn_model_get_size(tn_sim_model(sim));
    int32_t bodies = def->body_count < 0 ? size.bodies : def->body_count;
    int32_t joints = def->joint_count < 0 ? size.joints : def->joint_count;
    int32_t markers = def->marker_count < 0 ? size.markers : def->marker_count;

    *frame = (tn_frame){.sim = sim};
    tn_status status = add_part(frame, def->what, TN_PART_TIME, 0);
    for (int32_t i = 0; i < bodies && status == TN_OK; i++)
        status = add_parts(frame, def->what, TN_PART_POSE, TN_PART_VELOCITY,
                           def->body_count < 0 ? i : def->bodies[i].i);
    for (int32_t i = 0; i < joints && status == TN_OK; i++)
        status = add_parts(frame, def->what, TN_PART_COORDINATES, TN_PART_WRENCH,
                           def->joint_count < 0 ? i : def->joints[i].i);
    for (int32_t i = 0; i < markers && status == TN_OK; i++)
        status = add_part(frame, def->what, TN_PART_POSITION,
                          def->marker_count < 0 ? i : def->markers[i].i);
    if (status == TN_OK)
        status = add_part(frame, def->what, TN_PART_ENERGY, 0);
    if (status != TN_OK)
        tn_frame_clear(frame);
    return status;
}

void tn_frame_clear(tn_frame *frame)
{
    tn_free(frame->parts);
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
        return tn_model_joint_name(model, (tn_joint){part->owner});
    if (strcmp(group, "markers") == 0)
        return tn_model_marker_name(model, (tn_marker){part->owner});
    return part->kind == TN_PART_ENERGY ? "energy" : NULL;
}

void tn_part_field_name(const tn_frame *frame, const tn_part *part, int32_t field,
                        char name[TN_FIELD_NAME_SIZE])
{
    if (part->kind == TN_PART_MULTIPLIERS)
        snprintf(name, TN_FIELD_NAME_SIZE, "lambda%d", (int)field);
    else if (part->kind == TN_PART_COORDINATES)
        snprintf(name, TN_FIELD_NAME_SIZE, "%s",
                 joint_info(frame->sim, part->owner)->coordinates[field].name);
    else
        snprintf(name, TN_FIELD_NAME_SIZE, "%s", tn_part_kinds[part->kind].fields[field]);
}

const char *tn_part_field_unit(const tn_frame *frame, const tn_part *part, int32_t field)
{
    if (part->kind == TN_PART_MULTIPLIERS) {
        uint32_t flags = joint_info(frame->sim, part->owner)->rows[field].flags;
        return (flags & TN_ROW_ROTARY) != 0 ? "N m" : "N";
    }
    if (part->kind == TN_PART_COORDINATES)
        return joint_info(frame->sim, part->owner)->coordinates[field].angular ? "rad" : "m";
    return tn_part_kinds[part->kind].units[field];
}
