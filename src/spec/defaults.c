/* defaults.c: what a definition says before anything is written into it, and the name tables of
 * body kinds, integrators and frame styles.
 *
 * Room spec. Optional numbers are NaN, ranges infinite, bodies ground.
 */
#include "spec/spec_internal.h"

#include <math.h>
#include <string.h>

#define NOT_SET ((double)NAN)

/* Standard gravity rounded as the specification's worked examples have it, m/s^2. */
#define STANDARD_GRAVITY 9.81

#define DEFAULT_ITERATIONS 20   /* of sequential impulses: twice what games take */
#define DEFAULT_STEP       1e-3 /* s: resolves motions up to about 100 Hz to second order */
#define DEFAULT_DURATION   1.0  /* s */

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
    def.x_axis = def.y_axis = (tn_vec3){NOT_SET, NOT_SET, NOT_SET};
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
    return (tn_friction_def){
        .force = NOT_SET, .coefficient = NOT_SET, .radius = NOT_SET, .viscous = NOT_SET};
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
                           .break_force = NOT_SET};
    return def;
}

tn_simulation_def tn_default_simulation_def(void)
{
    tn_simulation_def def = {.cookie = TN_COOKIE_SIMULATION,
                             .integrator = TN_GENERALIZED_ALPHA,
                             .solver = TN_SOLVER_DIRECT,
                             .iterations = DEFAULT_ITERATIONS,
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
                         .marker_count = -1};
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

static const char *const body_kind_names[] = {
#define KIND_NAME(kind, name, dim, text) name,
    TN_BODY_KIND_LIST(KIND_NAME)
#undef KIND_NAME
};

static const char *const integrator_names[] = {
#define INTEGRATOR_NAME(id, name, text) name,
    TN_INTEGRATOR_LIST(INTEGRATOR_NAME)
#undef INTEGRATOR_NAME
};

static const char *const loop_policy_names[] = {
#define NAME(id, name, text) [id] = name,
    TN_LOOP_POLICY_LIST(NAME)
#undef NAME
};

static const char *const integrator_summaries[] = {
#define INTEGRATOR_SUMMARY(id, name, text) text,
    TN_INTEGRATOR_LIST(INTEGRATOR_SUMMARY)
#undef INTEGRATOR_SUMMARY
};

static const char *const frame_style_names[] = {
#define FRAME_STYLE_NAME(style, name) name,
    TN_FRAME_STYLE_LIST(FRAME_STYLE_NAME)
#undef FRAME_STYLE_NAME
};

static const char *const coupling_hold_names[] = {
#define HOLD_NAME(hold, name, text) name,
    TN_COUPLING_HOLD_LIST(HOLD_NAME)
#undef HOLD_NAME
};

/* Index of name in names, -1 when it is not there. */
static const char *const world_kind_names[] = {
#define WORLD_KIND_NAME(kind, name, text) name,
    TN_WORLD_KIND_LIST(WORLD_KIND_NAME)
#undef WORLD_KIND_NAME
};

const char *tn_world_kind_name(tn_world_kind kind)
{
    return (unsigned)kind < TN_WORLD_KIND_COUNT ? world_kind_names[kind] : NULL;
}

static int find_name(const char *const *names, int count, const char *name)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

const char *tn_integrator_name(tn_integrator integrator)
{
    return (unsigned)integrator < TN_INTEGRATOR_COUNT ? integrator_names[integrator] : NULL;
}

const char *tn_loop_policy_name(tn_loop_policy policy)
{
    return (unsigned)policy < TN_LOOPS_COUNT ? loop_policy_names[policy] : NULL;
}

const char *tn_integrator_summary(tn_integrator integrator)
{
    return (unsigned)integrator < TN_INTEGRATOR_COUNT ? integrator_summaries[integrator] : NULL;
}

tn_status tn_integrator_find(const char *name, tn_integrator *out)
{
    int found = find_name(integrator_names, TN_INTEGRATOR_COUNT, name);
    if (found < 0) {
        return TN_ERROR_NOT_FOUND;
    }
    *out = (tn_integrator)found;
    return TN_OK;
}

const char *tn_frame_style_name(tn_frame_style style)
{
    return (unsigned)style < TN_FRAME_STYLE_COUNT ? frame_style_names[style] : NULL;
}

const char *tn_coupling_hold_name(tn_coupling_hold hold)
{
    return (unsigned)hold < TN_COUPLING_HOLD_COUNT ? coupling_hold_names[hold] : NULL;
}

tn_status tn_coupling_hold_find(const char *name, tn_coupling_hold *out)
{
    int found = find_name(coupling_hold_names, TN_COUPLING_HOLD_COUNT, name);
    if (found < 0) {
        return TN_ERROR_NOT_FOUND;
    }
    *out = (tn_coupling_hold)found;
    return TN_OK;
}

const char *tn_body_kind_name(tn_body_kind kind)
{
    return (unsigned)kind < TN_BODY_KIND_COUNT ? body_kind_names[kind] : NULL;
}

static const char *const solver_names[] = {
#define SOLVER_NAME(id, name, text) name,
    TN_SOLVER_LIST(SOLVER_NAME)
#undef SOLVER_NAME
};

const char *tn_solver_name(tn_solver solver)
{
    return (unsigned)solver < TN_SOLVER_COUNT ? solver_names[solver] : NULL;
}

tn_status tn_solver_find(const char *name, tn_solver *out)
{
    int found = find_name(solver_names, TN_SOLVER_COUNT, name);
    if (found < 0) {
        return TN_ERROR_NOT_FOUND;
    }
    *out = (tn_solver)found;
    return TN_OK;
}

tn_status tn_body_kind_find(const char *name, tn_body_kind *out)
{
    int found = find_name(body_kind_names, TN_BODY_KIND_COUNT, name);
    if (found < 0) {
        return TN_ERROR_NOT_FOUND;
    }
    *out = (tn_body_kind)found;
    return TN_OK;
}
