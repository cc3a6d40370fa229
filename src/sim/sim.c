/* sim.c: room sim: making a simulation, reading and writing its state. */
#include <math.h>
#include <string.h>

#include "tenon/limits.h"

#include "base/base.h"
#include "crew/crew.h"
#include "law/drives/drives.h"
#include "step/part/ahead.h"
#include "step/event/dense.h"
#include "step/part/judge.h"
#include "step/apart.h"
#include "motion/ahead/knots.h"
#include "motion/friction_fit.h"
#include "motion/kinematics.h"
#include "law/impact/impact.h"
#include "law/limits/limits.h"
#include "law/pieces.h"
#include "law/poles.h"
#include "method/method.h"
#include "motion/momentum.h"
#include "motion/tree/tree.h"
#include "sim/sim_internal.h"
#include "motion/closing/project.h"
#include "motion/closing/gap.h"
#include "motion/loads.h"

#define TN_SIM_COOKIE 0x7e5109aau

/* The first pose is brought this close to the joints (m and rad): round-off of metre-sized
 * machines. */
#define TN_INITIAL_TOLERANCE 1e-13

/* m: what counts as no length, as in joint/point/two_points.h. */
#define TN_NO_LENGTH 1e-9

/* Newton iterations of a step. */
#define DEFAULT_MAX_ITERATIONS 8

tn_sim_options tn_default_sim_options(const tn_model *model)
{
    tn_sim_options options;
    memset(&options, 0, sizeof options);
    options.cookie = TN_SIM_COOKIE;
    const tn_simulation_def def = model ? model->simulation : tn_default_simulation_def();
    options.integrator = def.integrator;
    options.spectral_radius = def.spectral_radius;
    options.formulation = def.formulation;
    options.position_tolerance = def.position_tolerance;
    options.force_tolerance = def.force_tolerance;
    options.relative_tolerance = def.relative_tolerance;
    options.absolute_tolerance = def.absolute_tolerance;
    options.accuracy = def.accuracy;
    options.max_iterations = DEFAULT_MAX_ITERATIONS;
    options.solver = def.solver;
    options.iterations = def.iterations;
    options.loops = def.loops;
    options.events = def.events;
    return options;
}

/* True if the options have the model's accuracy, but an integrator or tolerances that contradict it. */
static bool overrules(const tn_model *model, const tn_sim_options *options)
{
    const tn_simulation_def *asked = &model->simulation;
    return options->accuracy == asked->accuracy &&
           (!tn_integrator_controls_errors(options->integrator) ||
            options->relative_tolerance != asked->relative_tolerance ||
            options->absolute_tolerance != asked->absolute_tolerance);
}

static tn_status check_options(const tn_model *model, const tn_sim_options *options,
                               tn_diagnostics *diags)
{
    const tn_location nowhere = {NULL, 0, 0};
    if (options->cookie != TN_SIM_COOKIE) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_ARGUMENT, nowhere,
                           "start from tn_default_sim_options",
                           "simulation options without cookie");
        return TN_ERROR_ARGUMENT;
    }
    if (options->solver == TN_SOLVER_SEQUENTIAL_IMPULSES &&
        tn_integrator_order(options->integrator) > 1) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_UNSUPPORTED, nowhere,
                           "take backward_euler or constrained_backward_euler as integrator",
                           "sequential impulses solve for velocities, which %s does not",
                           tn_integrator_name(options->integrator));
        return TN_ERROR_UNSUPPORTED;
    }
    if (options->solver == TN_SOLVER_SEQUENTIAL_IMPULSES && model->solid_count > 0) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_UNSUPPORTED, nowhere, "take the direct solver",
                           "sequential impulses go body by body: they have no elastic solids, '%s'",
                           model->solids[0].name);
        return TN_ERROR_UNSUPPORTED;
    }
    if (options->accuracy != 0.0 && !tn_integrator_controls_errors(options->integrator) &&
        !overrules(model, options)) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_UNSUPPORTED, nowhere,
                           "take an integrator that controls its errors, or accuracy 0",
                           "%s takes steps of one length: it has no accuracy to ask for",
                           tn_integrator_name(options->integrator));
        return TN_ERROR_UNSUPPORTED;
    }
    const int good = options->integrator >= 0 && options->integrator < TN_INTEGRATOR_COUNT &&
                     options->spectral_radius >= 0.0 && options->spectral_radius <= 1.0 &&
                     options->position_tolerance > 0.0 && isfinite(options->position_tolerance) &&
                     options->max_iterations > 0 && options->max_iterations <= TN_MOST_ITERATIONS &&
                     options->force_tolerance > 0.0 && options->relative_tolerance > 0.0 &&
                     options->absolute_tolerance >= 0.0 && isfinite(options->absolute_tolerance) &&
                     (options->accuracy == 0.0 || (options->accuracy >= TN_LEAST_ACCURACY &&
                                                   options->accuracy <= TN_MOST_ACCURACY)) &&
                     (unsigned)options->loops < TN_LOOPS_COUNT &&
                     (unsigned)options->formulation < TN_FORMULATION_COUNT &&
                     (options->events == TN_EVENTS_LOCATED ||
                      (options->events == TN_EVENTS_AT_STEPS &&
                       options->solver == TN_SOLVER_SEQUENTIAL_IMPULSES)) &&
                     (unsigned)options->solver < TN_SOLVER_COUNT && options->iterations > 0 &&
                     options->iterations <= TN_MOST_ITERATIONS;
    if (good)
        return TN_OK;
    tn_diagnostics_add(
        diags, TN_ERROR, TN_ERROR_ARGUMENT, nowhere, NULL,
        "simulation options out of range: integrator, spectral_radius in [0, 1], "
        "position_tolerance > 0, max_iterations from 1 to 1000000, force_tolerance > 0, "
        "relative_tolerance > 0, absolute_tolerance >= 0, accuracy 0 or from 1e-12 to 0.1, loops, "
        "formulation, solver, iterations from 1 to 1000000, events at_steps only with sequential "
        "impulses");
    return TN_ERROR_ARGUMENT;
}

/* Errors of parts of steps add up over a run, and mechanisms magnify them, those that pass change
 * points by a hundred: a sub-step may have this share of the accuracy as error. */
#define TN_SHARE_OF_PART 0.01
/* Of the relative tolerance: what is at rest has no speed to be relative to. */
#define TN_SHARE_AT_REST 0.01

static void take_accuracy(const tn_model *model, tn_sim_options *options)
{
    if (overrules(model, options))
        options->accuracy = 0.0;
    if (options->accuracy == 0.0)
        return;
    options->relative_tolerance = TN_SHARE_OF_PART * options->accuracy;
    options->absolute_tolerance = TN_SHARE_AT_REST * options->relative_tolerance;
}

static void pack_inertia(const tn_model *model, double *inverse_inertia)
{
    for (int32_t i = 0; i < model->body_count; i++) {
        const tn_model_body *body = &model->bodies[i];
        memcpy(inverse_inertia + body->u, body->inverse_inertia,
               sizeof(double) * (size_t)body->dim);
    }
}

/* Workspaces of files, made once there are states and a system. */
static const struct {
    tn_status (*create)(tn_sim *sim);
    void (*destroy)(tn_sim *sim);
} workspaces[] = {
    {tn_reactions_create, tn_reactions_destroy},
    {tn_loads_create, tn_loads_destroy},
    {tn_momenta_create, tn_momenta_destroy},
    {tn_impact_create, tn_impact_destroy},
    {tn_friction_fit_create, tn_friction_fit_destroy},
    {tn_knots_create, tn_knots_destroy},
    {tn_judge_create, tn_judge_destroy},
    {tn_between_create, tn_between_destroy},
    {tn_pieces_create, tn_pieces_destroy},
    {tn_ahead_create, tn_ahead_destroy},
    {tn_poles_create, tn_poles_destroy},
    {tn_dense_create, tn_dense_destroy},
    {tn_body_tree_create, tn_body_tree_destroy},
};

static tn_status create_states(tn_sim *sim)
{
    const size_t own = tn_ahead_memory_size(sim);
    tn_state *const states[] = {&sim->state, &sim->backup, &sim->mark};
    tn_status status = tn_apart_create(sim, own);
    const size_t memory = own + (sim->apart ? sim->apart->memory_size : 0);
    for (size_t i = 0; i < TN_COUNT_OF(states) && status == TN_OK; i++)
        status = tn_state_create(sim->model, memory, states[i]);
    return status;
}

tn_status tn_sim_allocate_parts(tn_sim *sim)
{
    const tn_model *model = sim->model;
    tn_status status = create_states(sim);
    if (status == TN_OK)
        status = tn_system_create(model, &sim->sys);
    if (status != TN_OK)
        return status;
    sim->sys.functions = &sim->functions;
    sim->sys.legal_rows = sim->method->legal_rows;
    const int64_t n = model->size.velocities, rows = sim->sys.layout->y_size;
    const int64_t coordinates = TN_MAX_COORDINATES * (int64_t)model->element_count;
    double *at = TN_ARENA_ARRAY(&sim->seldom, double,
                                n + 2 * (int64_t)model->body_count + 5 * rows + 3 * coordinates);
    if (!at)
        return TN_ERROR_MEMORY;
    sim->inverse_inertia = at;
    sim->purge.force_scale = at += n;
    sim->purge.before = at += 2 * (int64_t)model->body_count;
    sim->purge.change = at += rows;
    sim->gap_rows = at += rows;
    sim->speeds = at += rows;
    sim->yields = at += rows;
    sim->setting_out = at += rows;
    sim->drive_knots = at + coordinates;
    pack_inertia(model, sim->inverse_inertia);
    status = tn_singular_create(model->kkt, sim->sys.values, sim->sys.factor, sim->inverse_inertia,
                                &sim->singular);
    for (size_t i = 0; i < TN_COUNT_OF(workspaces) && status == TN_OK; i++)
        status = workspaces[i].create(sim);
    return status == TN_OK && sim->method->create ? sim->method->create(sim) : status;
}

/* Names of the culprit of a projection that failed. */
static void report_open_joint(const tn_sim *sim, const tn_step_report *report, tn_status status,
                              tn_diagnostics *diags)
{
    if (report->culprit_body.i >= 0) {
        tn_diagnostics_add(diags, TN_ERROR, status,
                           tn_model_body_place(sim->model, report->culprit_body.i),
                           "give the body mass and inertia, or joints that determine its motion",
                           "the motion of body '%s' is not determined",
                           tn_model_body_name(sim->model, report->culprit_body));
    } else {
        tn_diagnostics_add(diags, TN_ERROR, status,
                           tn_model_place(sim->model, report->worst_joint.i),
                           "check the placement of the joints in this loop",
                           "joint '%s' cannot be closed: error %.3g m, %.3g rad",
                           tn_element_name(sim->model, report->worst_joint.i),
                           report->position_error, report->angle_error);
    }
}

/* A rod or rope of no length is no constraint with a direction (the gradient is undefined
 * there), and holds its points together all the same: what it means is a spherical joint.
 */
static tn_status refuse_no_length(const tn_sim *sim, tn_diagnostics *diags)
{
    tn_status status = TN_OK;
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        const int held = s->hold[0] == TN_HOLD_LOCK || s->hold[0] == TN_HOLD_PINNED;
        const double most = held ? s->hold_value[0] : s->upper[0];
        if (!sim->model->joints[j].geometry.cls->rows_may_vanish || most > TN_NO_LENGTH ||
            !tn_state_is_on(sim->model, &sim->state, j))
            continue;
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_SINGULAR, tn_model_place(sim->model, j),
                           "a spherical joint keeps two points together",
                           "joint '%s' has zero length: it has no direction to act in",
                           tn_model_joint_name(sim->model, (tn_joint){j}));
        status = TN_ERROR_SINGULAR;
    }
    return status;
}

/* Held lines of no length that may get one. */
static void report_vanished(const tn_sim *sim, tn_diagnostics *diags)
{
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        for (int32_t n = 0; n < s->active_count; n++) {
            if (tn_joint_row_vanished(&sim->model->joints[j].geometry, &sim->sys.kin[j],
                                      s->active[n])) {
                tn_diagnostics_add(diags, TN_WARNING, TN_OK, tn_model_place(sim->model, j),
                                   "a spherical joint keeps two points together",
                                   "joint '%s' has zero length: it has no direction to act in and "
                                   "is skipped while that is so",
                                   tn_model_joint_name(sim->model, (tn_joint){j}));
            }
        }
    }
}

/* A drawing that is more than round-off off is closed with least movement. */
static tn_status close_drawing(tn_sim *sim, tn_diagnostics *diags)
{
    tn_step_report report = tn_empty_report();
    tn_status status = tn_close_drawing(sim, diags);
    if (status != TN_OK)
        return status;
    status = tn_project_position(sim, TN_INITIAL_TOLERANCE, &report);
    if (status == TN_ERROR_NOT_CONVERGED &&
        report.position_error < sim->options.position_tolerance * tn_length_unit(sim) &&
        report.angle_error < sim->options.position_tolerance)
        status = TN_OK; /* round-off of a large machine */
    if (status != TN_OK)
        report_open_joint(sim, &report, status, diags);
    return status == TN_ERROR_NOT_CONVERGED ? TN_ERROR_CONFLICT : status;
}

/* Loops that do not close by as little as rounding causes keep this gap. Larger gaps remain only if the options accept
 * them and the drawing cannot be closed. */
static tn_status close_where_drawn(tn_sim *sim, tn_diagnostics *diags)
{
    const int any_gap = sim->options.loops == TN_LOOPS_LEAST_SQUARES;
    tn_status status = tn_gap_start(sim, TN_GAP_LARGEST, diags);
    if (status != TN_OK || tn_gap_is_on(&sim->state))
        return status;
    tn_state_copy(&sim->mark, &sim->state);
    status = close_drawing(sim, any_gap ? NULL : diags);
    if (status != TN_ERROR_CONFLICT || !any_gap)
        return status;
    tn_state_copy(&sim->state, &sim->mark);
    tn_refresh_kinematics(sim);
    status = tn_gap_start(sim, INFINITY, diags);
    return status == TN_OK && !tn_gap_is_on(&sim->state) ? close_drawing(sim, diags) : status;
}

static tn_status close_loops(tn_sim *sim, tn_diagnostics *diags)
{
    const tn_status status = close_where_drawn(sim, diags);
    return status == TN_OK ? tn_gap_expect(sim, diags) : status;
}

/* Closing joints from absurd places can end anywhere. */
static tn_status refuse_unsound(const tn_sim *sim, tn_diagnostics *diags)
{
    tn_location at = {NULL, 0, 0};
    tn_body body = {-1};
    tn_joint joint = {-1};
    if (tn_state_is_sound(sim->model, &sim->state, &body.i, &joint.i))
        return TN_OK;
    const char *name = body.i >= 0    ? tn_model_body_name(sim->model, body)
                       : joint.i >= 0 ? tn_element_name(sim->model, joint.i)
                                      : "";
    if (body.i >= 0) {
        at = tn_model_body_place(sim->model, body.i);
    } else if (joint.i >= 0) {
        at = tn_model_place(sim->model, joint.i);
    }
    tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_NOT_FINITE, at, NULL,
                       "%s '%s' is at no place that numbers hold at the start",
                       body.i >= 0 ? "body" : "joint", name);
    return TN_ERROR_NOT_FINITE;
}

tn_status tn_sim_close(tn_sim *sim, bool open, tn_diagnostics *diags)
{
    tn_refresh_kinematics(sim);
    tn_status status = refuse_no_length(sim, diags);
    if (status == TN_OK && open)
        status = close_loops(sim, diags);
    if (status != TN_OK)
        return status;
    tn_update_coordinates(sim, 0.0);
    return tn_set_loop_coordinates(sim, diags);
}

static tn_status assemble_initial(tn_sim *sim, tn_diagnostics *diags)
{
    tn_status status = tn_sim_close(sim, true, diags);
    if (status == TN_OK)
        status = tn_start_inside(sim, diags);
    if (status == TN_OK)
        status = tn_drives_start(sim, diags);
    if (status == TN_OK)
        status = tn_fit_initial_velocities(sim, diags);
    if (status == TN_OK)
        status = tn_set_initial_speeds(sim, diags);
    if (status != TN_OK)
        return status;
    status = refuse_unsound(sim, diags);
    if (status != TN_OK)
        return status;
    if (sim->model->loop_joints > 0)
        status = tn_kkt_make_room(sim->model->kkt, sim->sys.factor);
    if (status != TN_OK)
        return status;
    tn_warn_of_no_motion(sim, diags);
    tn_warn_of_dead_points(sim, diags);
    tn_keep_reaction_kinematics(sim);
    report_vanished(sim, diags);
    tn_warn_of_outside(sim, diags);
    return TN_OK;
}

tn_status tn_sim_create_with(const tn_model *model, const tn_sim_options *options,
                             const tn_method *method, tn_diagnostics *diags, tn_sim **out)
{
    if (!model || !out)
        return TN_ERROR_ARGUMENT;
    *out = NULL;
    const tn_sim_options defaults = tn_default_sim_options(model);
    options = options ? options : &defaults;
    tn_status status = check_options(model, options, diags);
    if (status != TN_OK)
        return status;
    tn_sim *sim = TN_NEW(tn_sim);
    if (!sim)
        return TN_ERROR_MEMORY;
    sim->model = model;
    sim->options = *options;
    take_accuracy(model, &sim->options);
    sim->method = method ? method : tn_method_of(options->integrator);
    sim->traits = sim->method->traits;
    status = tn_sim_allocate_parts(sim);
    if (status == TN_OK)
        status = assemble_initial(sim, diags);
    if (status != TN_OK) {
        tn_sim_destroy(sim);
        return status;
    }
    *out = sim;
    return TN_OK;
}

tn_status tn_sim_create(const tn_model *model, const tn_sim_options *options, tn_diagnostics *diags,
                        tn_sim **out)
{
    return tn_sim_create_with(model, options, NULL, diags, out);
}

void tn_sim_free_parts(tn_sim *sim)
{
    if (sim->method->destroy)
        sim->method->destroy(sim);
    for (size_t i = 0; i < TN_COUNT_OF(workspaces); i++)
        workspaces[i].destroy(sim);
    tn_apart_destroy(sim);
    tn_coords_destroy(sim->coords);
    tn_system_destroy(&sim->sys);
    tn_state_destroy(&sim->state);
    tn_state_destroy(&sim->backup);
    tn_state_destroy(&sim->mark);
    tn_function_list_free(&sim->functions);
    tn_arena_free(&sim->seldom);
    tn_singular_destroy(&sim->singular);
    tn_model_destroy(sim->own);
}

void tn_sim_destroy(tn_sim *sim)
{
    if (!sim || tn_sim_is_at_work(sim))
        return;
    tn_sim_free_parts(sim);
    tn_crew_destroy(sim->crew);
    tn_free(sim);
}

const tn_model *tn_sim_model(const tn_sim *sim)
{
    TN_DEMAND(sim, NULL);
    return sim->model;
}

const tn_sim_options *tn_sim_get_options(const tn_sim *sim)
{
    TN_DEMAND(sim, NULL);
    return &sim->options;
}

double tn_sim_time(const tn_sim *sim)
{
    TN_DEMAND(sim, NAN);
    return sim->state.head->time;
}

tn_status tn_sim_project(tn_sim *sim, tn_step_report *report)
{
    TN_DEMAND(sim, TN_ERROR_ARGUMENT);
    tn_step_report local;
    report = report ? report : &local;
    *report = tn_empty_report();
    TN_COME_IN(sim, report->status = TN_ERROR_BUSY);
    tn_state_copy(&sim->backup, &sim->state);
    tn_refresh_kinematics(sim);
    tn_status status = tn_project_position(sim, sim->options.position_tolerance, report);
    if (status == TN_OK)
        status = tn_project_velocity(sim, report);
    if (status == TN_OK) {
        tn_update_coordinates(sim, 0.0);
    } else {
        tn_state_copy(&sim->state, &sim->backup);
    }
    tn_refresh_kinematics(sim);
    sim->state.head->restart = 1;
    tn_report_ids(sim, report);
    return report->status = status;
}
