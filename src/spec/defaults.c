/* defaults.c: what a definition says before anything is written into it.
 *
 * Room spec. Optional numbers are NaN, ranges infinite, bodies ground.
 */
#include "spec/spec_internal.h"

#include <math.h>

#define NOT_SET ((double)NAN)

/* Standard gravity rounded as the ArtiSynth guide's worked examples have it, m/s^2. */
#define STANDARD_GRAVITY 9.81

#define DEFAULT_ITERATIONS         20    /* of sequential impulses: twice what games take */
#define DEFAULT_SPECTRAL_RADIUS    0.8   /* stiff rows lose a fifth of a deflection each step */
#define DEFAULT_POSITION_TOLERANCE 1e-12 /* m, rad */
#define DEFAULT_RELATIVE_TOLERANCE 1e-9  /* of a part: 1e-8 or better after a second of most */
#define DEFAULT_ABSOLUTE_TOLERANCE 1e-11 /* sizes or rad, and per second: of what hardly moves */
#define DEFAULT_STEP               1e-3 /* s: resolves motions up to about 100 Hz to second order */
#define DEFAULT_DURATION           1.0  /* s */

static void unset(double *values, int count)
{
    for (int i = 0; i < count; i++) {
        values[i] = NOT_SET;
    }
}

tn_body_def tn_default_body_def(void)
{
    tn_body_def def = {.cookie = TN_COOKIE_BODY,
                       .kind = TN_BODY_RIGID,
                       .mass = NOT_SET,
                       .com = {NOT_SET, NOT_SET, NOT_SET},
                       .density = NOT_SET,
                       .frame_damping = NOT_SET,
                       .rotary_damping = NOT_SET};
    def.pose = tn_pose_identity();
    unset(&def.inertia.m[0][0], 9);
    return def;
}

tn_joint_def tn_default_joint_def(void)
{
    tn_joint_def def = {.cookie = TN_COOKIE_JOINT,
                        .placement = TN_PLACE_WORLD_FRAME,
                        .axis = {0.0, 0.0, 1.0},
                        .linear_compliance = NOT_SET,
                        .rotary_compliance = NOT_SET,
                        .linear_frequency = NOT_SET,
                        .rotary_frequency = NOT_SET,
                        .linear_damping_ratio = NOT_SET,
                        .rotary_damping_ratio = NOT_SET,
                        .relative_compliance = NOT_SET};
    def.look = (tn_joint_look){.axis_length = NOT_SET,
                               .shaft_length = NOT_SET,
                               .shaft_radius = NOT_SET,
                               .joint_radius = NOT_SET,
                               .slot_width = NOT_SET,
                               .plane_size = NOT_SET,
                               .color = {NOT_SET, NOT_SET, NOT_SET}};
    def.a = tn_ground();
    def.b = tn_ground();
    def.x_axis = def.y_axis = def.angular_velocity = (tn_vec3){NOT_SET, NOT_SET, NOT_SET};
    def.frame_c = tn_pose_identity();
    def.frame_d = tn_pose_identity();
    unset(def.parameters, TN_MAX_PARAMETERS);
    unset(def.initial, TN_MAX_COORDINATES);
    unset(def.set, TN_MAX_COORDINATES);
    unset(def.speed, TN_MAX_COORDINATES);
    unset(def.compliance, TN_MAX_ROWS);
    unset(def.damping, TN_MAX_ROWS);
    unset(def.frequency, TN_MAX_ROWS);
    unset(def.damping_ratio, TN_MAX_ROWS);
    unset(def.restitution, TN_MAX_COORDINATES);
    unset(def.armature, TN_MAX_COORDINATES);
    def.break_force = NOT_SET;
    def.break_torque = NOT_SET;
    for (int i = 0; i < TN_MAX_COORDINATES; i++) {
        def.lower[i] = -(double)INFINITY;
        def.upper[i] = (double)INFINITY;
    }
    return def;
}

tn_motor_def tn_default_motor_def(void)
{
    return (tn_motor_def){.max_force = NOT_SET, .time_constant = NOT_SET};
}

tn_friction_def tn_default_friction_def(void)
{
    return (tn_friction_def){.force = NOT_SET,
                             .coefficient = NOT_SET,
                             .radius = NOT_SET,
                             .viscous = NOT_SET,
                             .static_force = NOT_SET,
                             .static_coefficient = NOT_SET};
}

tn_spring_def tn_default_spring_def(void)
{
    return (tn_spring_def){.stiffness = NOT_SET,
                           .frequency = NOT_SET,
                           .damping = NOT_SET,
                           .damping_ratio = NOT_SET,
                           .max_force = NOT_SET};
}

tn_drive_def tn_default_drive_def(void)
{
    tn_drive_def def = {.cookie = TN_COOKIE_DRIVE};
    def.motor = tn_default_motor_def();
    def.friction = tn_default_friction_def();
    def.spring = tn_default_spring_def();
    return def;
}

tn_marker_def tn_default_marker_def(void)
{
    tn_marker_def def = {.cookie = TN_COOKIE_MARKER};
    def.body = tn_ground();
    def.rotation = tn_pose_identity().q;
    return def;
}

tn_pulley_def tn_default_pulley_def(void)
{
    tn_pulley_def def = {.cookie = TN_COOKIE_PULLEY, .ratio = NOT_SET};
    def.on = tn_ground();
    return def;
}

tn_coupling_def tn_default_coupling_def(void)
{
    tn_coupling_def def = {.cookie = TN_COOKIE_COUPLING,
                           .hold = TN_COUPLING_HELD,
                           .value = NOT_SET,
                           .lower = -(double)INFINITY,
                           .upper = (double)INFINITY,
                           .restitution = NOT_SET,
                           .compliance = NOT_SET,
                           .damping = NOT_SET,
                           .break_force = NOT_SET,
                           .drive = tn_default_drive_def()};
    return def;
}

tn_simulation_def tn_default_simulation_def(void)
{
    tn_simulation_def def = {.cookie = TN_COOKIE_SIMULATION,
                             .integrator = TN_DEFAULT_INTEGRATOR,
                             .solver = TN_SOLVER_DIRECT,
                             .iterations = DEFAULT_ITERATIONS,
                             .spectral_radius = DEFAULT_SPECTRAL_RADIUS,
                             .position_tolerance = DEFAULT_POSITION_TOLERANCE,
                             .force_tolerance = INFINITY,
                             .relative_tolerance = DEFAULT_RELATIVE_TOLERANCE,
                             .absolute_tolerance = DEFAULT_ABSOLUTE_TOLERANCE,
                             .step = DEFAULT_STEP,
                             .duration = DEFAULT_DURATION};
    return def;
}

tn_record_def tn_default_record_def(void)
{
    tn_record_def def = {.cookie = TN_COOKIE_RECORD,
                         .every = NOT_SET,
                         .what = TN_RECORD_ALL,
                         .body_count = -1,
                         .joint_count = -1,
                         .marker_count = -1,
                         .coupling_count = -1};
    return def;
}

tn_world_def tn_default_world_def(void)
{
    tn_world_def def = {.cookie = TN_COOKIE_WORLD,
                        .kind = TN_WORLD_SPATIAL,
                        .gravity = {0.0, 0.0, -STANDARD_GRAVITY}};
    return def;
}

tn_world_def tn_default_world_of(tn_world_kind kind)
{
    tn_world_def def = tn_default_world_def();
    if (kind == TN_WORLD_PLANAR) {
        def.kind = TN_WORLD_PLANAR;
        def.gravity = (tn_vec3){0.0, -STANDARD_GRAVITY, 0.0};
    }
    return def;
}
