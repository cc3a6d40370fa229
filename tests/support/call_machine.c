/* call_machine.c: see call_machine.h. */
#include "support/call_machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/call_description.h"

#define MOST_CALLS   60
#define MOST_CHANGES 8 /* of the description, while the simulation runs */
#define MOST_EDITS   3 /* of a change */
#define ALL_BODIES   (CALL_BODIES + MOST_CHANGES * MOST_EDITS)
#define ALL_JOINTS   (CALL_JOINTS + MOST_CHANGES * MOST_EDITS)

typedef struct machine {
    call_bytes bytes;
    int changes; /* of the description, still to come */
    tn_spec *spec;
    tn_model *model;
    tn_sim *sim;
    tn_model_size size;
    int32_t elements;
    unsigned char *before, *after, *kept; /* blocks of the state */
    size_t block;
    call_counts *counts;
} machine;

static int current = -1; /* the call that is made, for the report of a violation */

static void require(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "violated: %s (after call %d of the table)\n", what, current);
        abort();
    }
}

/* ---- a simulation ------------------------------------------------------------------------------ */

static int start(machine *m)
{
    tn_sim_options options;
    if (tn_model_compile(m->spec, NULL, &m->model) != TN_OK)
        return 0;
    m->counts->mechanisms++;
    options = tn_default_sim_options(m->model);
    options.integrator = (tn_integrator)below(&m->bytes, TN_INTEGRATOR_COUNT);
    options.formulation = (tn_formulation)below(&m->bytes, TN_FORMULATION_COUNT);
    if (tn_integrator_order(options.integrator) == 1 && byte(&m->bytes) % 2)
        options.solver = TN_SOLVER_SEQUENTIAL_IMPULSES;
    if (byte(&m->bytes) % 4 == 0)
        options.loops = TN_LOOPS_LEAST_SQUARES;
    if (tn_sim_create(m->model, &options, NULL, &m->sim) != TN_OK)
        return 0;
    m->counts->started++;
    m->size = tn_model_get_size(m->model);
    m->elements = m->size.joints + m->size.couplings;
    return 1;
}

/* ---- what has to hold --------------------------------------------------------------------------- */

static void check_numbers(const double *values, int32_t count, const char *what)
{
    for (int32_t k = 0; k < count; k++)
        require(isfinite(values[k]), what);
}

static void check_finite(const machine *m)
{
    double v[(ALL_JOINTS + 1) * (TN_MAX_ROWS + TN_MAX_COORDINATES + 7)];
    tn_sim_get_poses(m->sim, v);
    check_numbers(v, 7 * m->size.bodies, "poses are numbers");
    tn_sim_get_velocities(m->sim, v);
    check_numbers(v, 6 * m->size.bodies, "velocities are numbers");
    tn_sim_get_coordinates(m->sim, v);
    check_numbers(v, TN_MAX_COORDINATES * m->size.joints, "coordinates are numbers");
    tn_sim_get_multipliers(m->sim, v);
    check_numbers(v, TN_MAX_ROWS * m->size.joints, "multipliers are numbers");
    require(isfinite(tn_sim_time(m->sim)), "the time is a number");
}

static void reserve(machine *m)
{
    const size_t size = tn_sim_state_size(m->sim);
    if (size <= m->block)
        return;
    m->before = realloc(m->before, size);
    m->after = realloc(m->after, size);
    m->kept = realloc(m->kept, size);
    require(m->before && m->after && m->kept, "memory");
    if (m->block == 0)
        tn_sim_save(m->sim, m->kept);
    m->block = size;
}

static void note(machine *m, tn_status status, int32_t work)
{
    m->counts->failures += status != TN_OK;
    require(work <= TN_MOST_FACTORIZATIONS + 1000, "work is bounded");
    m->counts->most_work = work > m->counts->most_work ? work : m->counts->most_work;
}

/* A call that fails has changed nothing. */
static void check_undone(machine *m, tn_status status, size_t size)
{
    if (status == TN_OK)
        return;
    require(tn_sim_state_size(m->sim) == size, "the size of the state stays");
    tn_sim_save(m->sim, m->after);
    require(memcmp(m->before, m->after, size) == 0, "what failed is undone to the bit");
}

static size_t remember(machine *m)
{
    reserve(m);
    tn_sim_save(m->sim, m->before);
    return tn_sim_state_size(m->sim);
}

/* Poses and velocities, of placements: these are what they promise. */
static void check_placed(machine *m, tn_status status, const double before[ALL_BODIES * 13])
{
    double now[ALL_BODIES * 13];
    tn_sim_get_poses(m->sim, now);
    tn_sim_get_velocities(m->sim, now + 7 * m->size.bodies);
    if (status != TN_OK)
        require(memcmp(now, before, sizeof(double) * 13 * (size_t)m->size.bodies) == 0,
                "a placement that failed is undone");
}

/* ---- calls ---------------------------------------------------------------------------------------- */

/* Of any joint or coupling, removed ones too, or of none. */
static tn_joint any_joint(machine *m)
{
    return call_joint_of(below(&m->bytes, m->elements + 2) - 1, m->size.joints, m->size.couplings);
}

static void step(machine *m)
{
    static const double usual[] = {1e-3, 1e-2, 1e-4, 0.1};
    const unsigned choice = byte(&m->bytes);
    const double h = choice % 8 ? usual[choice % 4] : number(&m->bytes);
    const size_t size = remember(m);
    tn_step_report report;
    const tn_status status = tn_sim_step(m->sim, h, &report);
    require(status == report.status, "the report has the status");
    note(m, status, report.factorizations);
    m->counts->steps += status == TN_OK;
    check_undone(m, status, size);
}

static void steps(machine *m)
{
    for (int k = 0; k < 5; k++)
        note(m, tn_sim_step(m->sim, 1e-3, NULL), 0);
}

static void begin(machine *m)
{
    tn_step_report report;
    const size_t size = remember(m);
    const tn_status status = tn_sim_start(m->sim, 1e-3, &report);
    note(m, status, report.factorizations);
    check_undone(m, status, size);
}

static void project(machine *m)
{
    tn_step_report report;
    const tn_status status = tn_sim_project(m->sim, &report);
    note(m, status, report.factorizations);
}

static void set_range(machine *m)
{
    const tn_joint j = any_joint(m);
    const double a = number(&m->bytes), b = number(&m->bytes);
    note(m, tn_sim_set_range(m->sim, j, below(&m->bytes, 7) - 1, fmin(a, b), fmax(a, b)), 0);
}

static void set_switch(machine *m)
{
    const tn_joint j = any_joint(m);
    if (byte(&m->bytes) % 2)
        note(m, tn_sim_set_locked(m->sim, j, below(&m->bytes, 7) - 1, byte(&m->bytes) % 2), 0);
    else
        note(m, tn_sim_set_enabled(m->sim, j, byte(&m->bytes) % 2), 0);
}

static void set_break(machine *m)
{
    const tn_joint j = any_joint(m);
    const double force = byte(&m->bytes) % 4 ? positive(&m->bytes) : INFINITY;
    note(m, tn_sim_set_break(m->sim, j, force, byte(&m->bytes) % 2 ? INFINITY : number(&m->bytes)),
         0);
}

static void set_compliance(machine *m)
{
    const tn_joint j = any_joint(m);
    if (byte(&m->bytes) % 2)
        note(m,
             tn_sim_set_compliance(m->sim, j, below(&m->bytes, 8) - 1, number(&m->bytes) * 1e-3,
                                   number(&m->bytes)),
             0);
    else
        note(m,
             tn_sim_set_group_compliance(m->sim, j, 1u + byte(&m->bytes) % 3u,
                                         number(&m->bytes) * 1e-3, number(&m->bytes)),
             0);
}

static void get_placement(const machine *m, double out[ALL_BODIES * 13])
{
    tn_sim_get_poses(m->sim, out);
    tn_sim_get_velocities(m->sim, out + 7 * m->size.bodies);
}

static void set_coordinates(machine *m)
{
    tn_coordinate_request requests[3];
    tn_coordinate_options options = tn_default_coordinate_options();
    tn_placement_report report = {0};
    double before[ALL_BODIES * 13];
    const int32_t count = 1 + below(&m->bytes, 3);
    for (int k = 0; k < 3; k++)
        requests[k] = (tn_coordinate_request){any_joint(m), below(&m->bytes, 4), number(&m->bytes)};
    options.all_or_nothing = byte(&m->bytes) % 2;
    options.others_follow = byte(&m->bytes) % 2;
    get_placement(m, before);
    const tn_status status =
        byte(&m->bytes) % 3
            ? tn_sim_set_coordinates(m->sim, requests, count, &options, NULL, &report)
            : tn_sim_set_coordinate_speeds(m->sim, requests, count, &options, NULL, &report);
    note(m, status, report.factorizations);
    check_placed(m, status, before);
}

static void set_targets(machine *m)
{
    tn_marker_request request = tn_default_marker_request((tn_marker){below(&m->bytes, 4) % 3 - 1});
    tn_placement_report report = {0};
    double before[ALL_BODIES * 13];
    request.position = vector(&m->bytes);
    request.weight = byte(&m->bytes) % 2 ? 0.0 : positive(&m->bytes);
    request.aim = (tn_marker_aim)below(&m->bytes, 3);
    get_placement(m, before);
    const tn_status status = tn_sim_pose(m->sim, NULL, 0, &request, 1, NULL, NULL, NULL, &report);
    note(m, status, report.factorizations);
    check_placed(m, status, before);
}

static void assemble(machine *m)
{
    tn_placement_report report = {0};
    double before[ALL_BODIES * 13];
    get_placement(m, before);
    const tn_status status = tn_sim_assemble(m->sim, &report);
    note(m, status, report.factorizations);
    check_placed(m, status, before);
}

static void place_body(machine *m)
{
    const tn_body body = {below(&m->bytes, m->size.bodies + 1)};
    if (byte(&m->bytes) % 2)
        note(m, tn_sim_set_body_pose(m->sim, body, pose(&m->bytes)), 0);
    else
        note(m,
             tn_sim_set_body_velocity(m->sim, body,
                                      (tn_twist){vector(&m->bytes), vector(&m->bytes)}),
             0);
}

static void drive(machine *m)
{
    const tn_joint j = any_joint(m);
    const int32_t i = below(&m->bytes, 3);
    tn_motor_def motor = tn_default_motor_def();
    tn_friction_def friction = tn_default_friction_def();
    tn_spring_def spring = tn_default_spring_def();
    switch (below(&m->bytes, 6)) {
    case 0:
        note(m,
             tn_sim_set_driver_motion(m->sim, j, i, number(&m->bytes), number(&m->bytes),
                                      number(&m->bytes)),
             0);
        return;
    case 1:
        note(m, tn_sim_set_motor(m->sim, j, i, &motor), 0);
        note(m, tn_sim_set_motor_target(m->sim, j, i, number(&m->bytes)), 0);
        note(m, tn_sim_set_motor_cap(m->sim, j, i, number(&m->bytes)), 0);
        return;
    case 2:
        friction.force = number(&m->bytes);
        note(m, tn_sim_set_friction(m->sim, j, i, &friction), 0);
        return;
    case 3:
        spring.stiffness = number(&m->bytes);
        spring.damping = number(&m->bytes);
        note(m, tn_sim_set_spring(m->sim, j, i, &spring), 0);
        return;
    case 4:
        note(m, tn_sim_set_driver(m->sim, j, i, NULL), 0);
        return;
    default:
        note(m, tn_sim_set_spring_rest(m->sim, j, i, number(&m->bytes)), 0);
    }
}

static void push(machine *m)
{
    const tn_body body = {below(&m->bytes, m->size.bodies + 1)};
    note(m, tn_sim_apply_wrench(m->sim, body, (tn_wrench){vector(&m->bytes), vector(&m->bytes)}),
         0);
    note(m, tn_sim_apply_effort(m->sim, any_joint(m), below(&m->bytes, 3), number(&m->bytes)), 0);
    if (byte(&m->bytes) % 4 == 0)
        tn_sim_clear_applied(m->sim);
}

/* A state comes back as it was; a damaged one does not. */
static void save_and_restore(machine *m)
{
    const size_t size = remember(m);
    if (byte(&m->bytes) % 2) {
        unsigned char *damaged = m->after;
        memcpy(damaged, m->before, size);
        damaged[(byte(&m->bytes) << 8 | byte(&m->bytes)) % size] ^=
            (unsigned char)(1u + byte(&m->bytes) % 255u);
        require(tn_sim_restore(m->sim, damaged) != TN_OK, "a damaged state is refused");
    } else {
        steps(m);
        if (tn_sim_state_size(m->sim) == size)
            require(tn_sim_restore(m->sim, m->before) == TN_OK, "a state comes back");
    }
    tn_sim_save(m->sim, m->after);
    if (tn_sim_state_size(m->sim) == size)
        require(memcmp(m->before, m->after, size) == 0, "the state is the same");
}

static tn_status count_primitive(void *context, const tn_primitive *primitive)
{
    require(isfinite(primitive->pose.p.x + primitive->pose.p.y + primitive->pose.p.z) &&
                isfinite(primitive->pose.q.w + primitive->size.x),
            "what is drawn has a place and a size");
    ++*(int *)context;
    return TN_OK;
}

static void look(machine *m)
{
    int drawn = 0;
    tn_rank rank;
    tn_balance balance;
    tn_draw_options options = tn_default_draw_options();
    (void)tn_sim_draw(m->sim, &options, count_primitive, &drawn);
    (void)tn_sim_rank(m->sim, &rank);
    (void)tn_sim_balance(m->sim, &balance);
    (void)tn_sim_energy(m->sim);
    (void)tn_sim_residuals(m->sim);
    for (int32_t j = 0; j < m->size.joints; j++)
        if (tn_model_has_joint(tn_sim_model(m->sim), (tn_joint){j}))
            (void)tn_sim_joint_wrench(m->sim, (tn_joint){j}, TN_WRENCH_ON_A);
}

static void analyse(machine *m)
{
    tn_analysis analysis;
    memset(&analysis, 0, sizeof analysis);
    const size_t size = remember(m);
    note(m, tn_sim_analyze(m->sim, NULL, &analysis), 0);
    tn_analysis_free(&analysis);
    check_undone(m, TN_ERROR_ARGUMENT, size);
}

/* ---- a description that changes ------------------------------------------------------------------ */

/* Bodies that stay keep their poses to the bit, unless a new joint closes. */
static void check_kept(const machine *m, const double *before, int32_t bodies)
{
    double now[7 * ALL_BODIES];
    tn_sim_get_poses(m->sim, now);
    for (int32_t i = 0; i < bodies; i++)
        if (tn_model_has_body(tn_sim_model(m->sim), (tn_body){i}))
            require(memcmp(now + 7 * (size_t)i, before + 7 * (size_t)i, 7 * sizeof(double)) == 0,
                    "a change leaves bodies where they are");
}

static void changed(machine *m, const double *poses, unsigned edits)
{
    const int32_t bodies = m->size.bodies;
    m->counts->changes++;
    m->size = tn_model_get_size(tn_sim_model(m->sim));
    m->elements = m->size.joints + m->size.couplings;
    if (!(edits & CALL_EDIT_MOVES))
        check_kept(m, poses, bodies);
    if (edits & CALL_EDIT_IS_OF_STATE)
        require(tn_sim_restore(m->sim, m->before) != TN_OK, "a state of another model is refused");
    reserve(m);
    tn_sim_save(m->sim, m->kept);
}

static void change(machine *m)
{
    double poses[7 * ALL_BODIES];
    unsigned edits = 0;
    if (m->changes == 0)
        return;
    m->changes--;
    const size_t size = remember(m);
    const int64_t changes = tn_sim_change_count(m->sim);
    int32_t counts[CALL_LISTS];
    call_count(m->spec, counts);
    tn_sim_get_poses(m->sim, poses);
    for (int k = below(&m->bytes, MOST_EDITS) + 1; k > 0; k--)
        edits |= call_edit(&m->bytes, m->spec);
    const tn_status status = tn_sim_change(m->sim, m->spec, NULL);
    note(m, status, 0);
    check_undone(m, status, size);
    if (status != TN_OK)
        call_take_back(m->spec, counts);
    else if (tn_sim_change_count(m->sim) != changes)
        changed(m, poses, edits);
}

static void ratios(machine *m)
{
    double rate[(ALL_JOINTS + 1) * TN_MAX_COORDINATES],
        second[(ALL_JOINTS + 1) * TN_MAX_COORDINATES];
    double at;
    tn_transmission out;
    switch (below(&m->bytes, 4)) {
    case 0:
        note(m, tn_sim_motion_ratios(m->sim, any_joint(m), below(&m->bytes, 3), rate, second, NULL),
             0);
        return;
    case 1:
        note(m,
             tn_sim_find_turning(m->sim, any_joint(m), 0, number(&m->bytes), any_joint(m), 0, &at),
             0);
        return;
    case 2:
        note(m, tn_sim_find_dead_point(m->sim, any_joint(m), 0, number(&m->bytes), &at), 0);
        return;
    default:
        note(m, tn_sim_transmission(m->sim, any_joint(m), 0, any_joint(m), 0, any_joint(m), &out),
             0);
    }
}

static void (*const calls[])(machine *m) = {
    step,           step,      step,       steps,   set_range,        set_switch,
    set_compliance, set_break, drive,      drive,   set_coordinates,  set_coordinates,
    set_targets,    assemble,  place_body, push,    save_and_restore, look,
    analyse,        ratios,    begin,      project, change,           change,
};
#define CALLS        (sizeof calls / sizeof *calls)
#define STEADY_CALLS (CALLS - 2) /* of programs that leave the description alone */

void call_machine_run(const uint8_t *bytes, size_t size, call_counts *counts)
{
    machine m = {.bytes = {bytes, bytes + size, 0}, .counts = counts};
    counts->programs++;
    const unsigned kind = byte(&m.bytes);
    const int changing = kind / 4 % 2;
    m.bytes.wild = kind % 4 == 0;
    m.changes = changing ? MOST_CHANGES : 0;
    m.spec = tn_spec_create();
    require(m.spec != NULL, "memory");
    call_describe(&m.bytes, m.spec);
    if (start(&m)) {
        check_finite(&m);
        reserve(&m);
        for (int k = 0; k < MOST_CALLS && m.bytes.at < m.bytes.end; k++) {
            current = (int)(byte(&m.bytes) % (changing ? CALLS : STEADY_CALLS));
            calls[current](&m);
            counts->calls++;
            check_finite(&m);
        }
    }
    tn_sim_destroy(m.sim);
    tn_model_destroy(m.model);
    tn_spec_destroy(m.spec);
    free(m.before);
    free(m.after);
    free(m.kept);
}
