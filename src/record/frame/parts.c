/* parts.c: the table of quantities a frame may hold, and what reads each of them.
 *
 * Room record/frame.
 */
#include <stdbool.h>
#include <string.h>

#include "math/m3.h"
#include "measure/measure.h"
#include "real/real.h"
#include "record/frame/frame.h"
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
    const tn_wrench w = tn_measure_plane_wrench(sim, (tn_joint){owner});
    out[0] = w.f.x;
    out[1] = w.f.y;
    out[2] = w.m.z;
}

/* How a ball joint is turned: along the axis, as long as the angle; what its coordinates do not
 * count. */
static tn_vec3 rotation_of(const tn_sim *sim, int32_t joint)
{
    tn_pose T_CD;
    tn_sim_joint_motion(sim, (tn_joint){joint}, &T_CD, NULL);
    return tn_quat_to_rotation_vector(T_CD.q);
}

static tn_vec3 spin_of(const tn_sim *sim, int32_t joint)
{
    tn_twist velocity;
    tn_sim_joint_motion(sim, (tn_joint){joint}, NULL, &velocity);
    return velocity.w;
}

/* Its coordinates, or their speeds, are in `out` already. */
static void put_turning(const tn_sim *sim, int32_t joint, tn_vec3 turning, bool planar, double *out)
{
    const int32_t n = tn_part_joint(sim, joint)->coordinate_count;
    if (planar) {
        out[n] = turning.z;
    } else {
        v3_store(out + n, turning);
    }
}

static void read_coordinates_in(const tn_sim *sim, int32_t owner, bool planar, double *out)
{
    tn_sim_joint_coordinates(sim, (tn_joint){owner}, out);
    if (tn_joint_is_ball(tn_part_joint(sim, owner)))
        put_turning(sim, owner, rotation_of(sim, owner), planar, out);
}

static void read_coordinates(const tn_sim *sim, int32_t owner, double *out)
{
    read_coordinates_in(sim, owner, false, out);
}

static void read_planar_coordinates(const tn_sim *sim, int32_t owner, double *out)
{
    read_coordinates_in(sim, owner, true, out);
}

/* Only the bilateral rows, which come first. */
static void read_multipliers(const tn_sim *sim, int32_t owner, double *out)
{
    double lambda[TN_MAX_ROWS];
    tn_sim_joint_multipliers(sim, (tn_joint){owner}, lambda);
    memcpy(out, lambda, (size_t)tn_part_joint(sim, owner)->bilateral_count * sizeof *out);
}

static void read_speeds_in(const tn_sim *sim, int32_t owner, bool planar, double *out)
{
    tn_sim_joint_speeds(sim, (tn_joint){owner}, out);
    if (tn_joint_is_ball(tn_part_joint(sim, owner)))
        put_turning(sim, owner, spin_of(sim, owner), planar, out);
}

static void read_speeds(const tn_sim *sim, int32_t owner, double *out)
{
    read_speeds_in(sim, owner, false, out);
}

static void read_planar_speeds(const tn_sim *sim, int32_t owner, double *out)
{
    read_speeds_in(sim, owner, true, out);
}

static void read_reaction(const tn_sim *sim, int32_t owner, double *out)
{
    tn_wrench w = tn_sim_joint_wrench(sim, (tn_joint){owner}, TN_WRENCH_IN_C);
    const double values[6] = {w.f.x, w.f.y, w.f.z, w.m.x, w.m.y, w.m.z};
    memcpy(out, values, sizeof values);
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
/* Of ball joints, behind their coordinates. */
static const char *const rotation_fields[] = {"rx", "ry", "rz"};
static const char *const spin_fields[] = {"wx", "wy", "wz"};
static const char *const planar_rotation_fields[] = {"angle"};
static const char *const planar_spin_fields[] = {"w"};
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
    [TN_PART_COORDINATES] = {"joints",
                             "coordinates",
                             TN_RECORD_COORDINATES,
                             1,
                             {3, rotation_fields, NULL, read_coordinates},
                             {1, planar_rotation_fields, NULL, read_planar_coordinates}},
    [TN_PART_SPEEDS] = {"joints",
                        "speeds",
                        TN_RECORD_SPEEDS,
                        1,
                        {3, spin_fields, NULL, read_speeds},
                        {1, planar_spin_fields, NULL, read_planar_speeds}},
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
