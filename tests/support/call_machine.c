/* call_machine.c: see call_machine.h. */
#include "support/call_machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tenon/tenon.h"

#define MOST_BODIES 5
#define MOST_JOINTS 7
#define MOST_CALLS  60

typedef struct machine {
    const uint8_t *at, *end;
    int wild; /* 1: every fourth number is absurd */
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

/* ---- numbers ---------------------------------------------------------------------------------- */

static unsigned byte(machine *m)
{
    return m->at < m->end ? *m->at++ : 0u;
}

static int32_t below(machine *m, int32_t count)
{
    return count > 0 ? (int32_t)byte(m) % count : 0;
}

/* -2 .. 2 */
static double plain(machine *m)
{
    return (double)((int)(byte(m) << 8 | byte(m)) - 32768) / 16384.0;
}

static double number(machine *m)
{
    static const double absurd[] = {0.0,
                                    -0.0,
                                    1e-9,
                                    1e-13,
                                    1e-100,
                                    1e-320,
                                    1e6,
                                    1e12,
                                    1e100,
                                    1e160,
                                    1e308,
                                    -1e9,
                                    -1e308,
                                    NAN,
                                    INFINITY,
                                    -INFINITY,
                                    1e15,
                                    100.0,
                                    3.14159265358979312,
                                    1.57079632679489656};
    const unsigned choice = byte(m);
    if (choice % (m->wild ? 8 : 128) == 3)
        return absurd[choice / 4 % (sizeof absurd / sizeof *absurd)];
    if (choice % 8 == 1)
        return (double)((int)(choice / 8) - 8) * 0.25;
    return plain(m);
}

static double positive(machine *m)
{
    const double x = fabs(number(m));
    return x == 0.0 ? 1.0 : x;
}

static tn_vec3 vector(machine *m)
{
    const double x = number(m), y = number(m), z = number(m);
    return (tn_vec3){x, y, z};
}

/* Mostly along an axis, as people draw. */
static tn_vec3 direction(machine *m)
{
    const int32_t k = below(m, 5);
    return k < 3 ? (tn_vec3){k == 0, k == 1, k == 2} : vector(m);
}

static tn_pose pose(machine *m)
{
    tn_pose p = tn_pose_identity();
    p.p = vector(m);
    if (byte(m) % 2) {
        tn_quat q = {number(m), plain(m), plain(m), plain(m)};
        const double n = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
        if (n > 0.0 && isfinite(n))
            p.q = (tn_quat){q.w / n, q.x / n, q.y / n, q.z / n};
    }
    return p;
}

/* ---- a mechanism ------------------------------------------------------------------------------ */

static void add_body(machine *m)
{
    tn_body_def def = tn_default_body_def();
    const unsigned kind = byte(m);
    def.kind = kind % 4 ? TN_BODY_RIGID : (tn_body_kind)(kind / 4 % TN_BODY_KIND_COUNT);
    def.pose = pose(m);
    def.mass = positive(m);
    def.com = byte(m) % 4 ? (tn_vec3){0.0, 0.0, 0.0} : vector(m);
    if (def.kind == TN_BODY_RIGID || def.kind == TN_BODY_PLANAR) {
        const double a = positive(m);
        def.inertia = (tn_mat3){{{a, 0.0, 0.0}, {0.0, a * 1.2, 0.0}, {0.0, 0.0, a * 0.9}}};
    }
    if (byte(m) % 4 == 0)
        def.velocity = (tn_twist){vector(m), vector(m)};
    (void)tn_spec_add_body(m->spec, &def, NULL);
}

static void add_joint(machine *m, int32_t bodies)
{
    tn_joint_def def = tn_default_joint_def();
    const tn_joint_type_info *info =
        tn_joint_type_get((tn_joint_type){below(m, tn_joint_type_count())});
    def.type = info->name;
    def.a = (tn_body){below(m, bodies)};
    def.b = (tn_body){below(m, bodies + 1) - 1};
    if (byte(m) % 3 == 0) {
        def.placement = TN_PLACE_BODY_FRAMES;
        def.frame_c = pose(m);
        def.frame_d = pose(m);
    } else {
        def.origin = vector(m);
        def.axis = direction(m);
    }
    for (int32_t i = 0; i < info->parameter_count; i++)
        if (byte(m) % 2)
            def.parameters[i] = number(m);
    for (int32_t i = 0; i < info->coordinate_count; i++) {
        const unsigned what = byte(m);
        if (what % 4 == 0) {
            const double a = number(m), b = number(m);
            def.lower[i] = fmin(a, b);
            def.upper[i] = fmax(a, b);
            def.restitution[i] = what % 8 ? 0.0 : 0.5;
        }
        if (what % 16 == 5)
            def.locked[i] = 1;
        if (what % 16 == 6)
            def.set[i] = number(m);
    }
    for (int32_t k = 0; k < info->row_count && byte(m) % 8 == 0; k++) {
        def.compliance[k] = positive(m) * 1e-3;
        def.damping[k] = positive(m);
    }
    (void)tn_spec_add_joint(m->spec, &def, NULL);
}

static void add_coupling(machine *m, int32_t joints)
{
    tn_coupling_def def = tn_default_coupling_def();
    tn_coupling_term terms[2];
    memset(terms, 0, sizeof terms);
    for (int k = 0; k < 2; k++) {
        terms[k].joint = (tn_joint){below(m, joints)};
        terms[k].ratio = number(m);
    }
    def.terms = terms;
    def.term_count = 2;
    (void)tn_spec_add_coupling(m->spec, &def, NULL);
}

static void describe(machine *m)
{
    const int32_t bodies = 1 + below(m, MOST_BODIES), joints = below(m, MOST_JOINTS + 1);
    for (int32_t k = 0; k < bodies; k++)
        add_body(m);
    for (int32_t k = 0; k < joints; k++)
        add_joint(m, bodies);
    if (joints > 0 && byte(m) % 8 == 0)
        add_coupling(m, joints);
    tn_marker_def marker = tn_default_marker_def();
    marker.body = (tn_body){below(m, bodies)};
    marker.position = vector(m);
    (void)tn_spec_add_marker(m->spec, &marker, NULL);
}

static int start(machine *m)
{
    tn_sim_options options;
    if (tn_model_compile(m->spec, NULL, &m->model) != TN_OK)
        return 0;
    m->counts->mechanisms++;
    options = tn_default_sim_options(m->model);
    options.integrator = (tn_integrator)below(m, TN_INTEGRATOR_COUNT);
    options.formulation = (tn_formulation)below(m, TN_FORMULATION_COUNT);
    if (tn_integrator_order(options.integrator) == 1 && byte(m) % 2)
        options.solver = TN_SOLVER_SEQUENTIAL_IMPULSES;
    if (byte(m) % 4 == 0)
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
    double v[(MOST_JOINTS + 1) * (TN_MAX_ROWS + TN_MAX_COORDINATES + 7)];
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
static void check_placed(machine *m, tn_status status, const double before[MOST_BODIES * 13])
{
    double now[MOST_BODIES * 13];
    tn_sim_get_poses(m->sim, now);
    tn_sim_get_velocities(m->sim, now + 7 * m->size.bodies);
    if (status != TN_OK)
        require(memcmp(now, before, sizeof(double) * 13 * (size_t)m->size.bodies) == 0,
                "a placement that failed is undone");
}

/* ---- calls ---------------------------------------------------------------------------------------- */

static tn_joint any_joint(machine *m)
{
    return (tn_joint){below(m, m->elements + 2) - 1};
}

static void step(machine *m)
{
    static const double usual[] = {1e-3, 1e-2, 1e-4, 0.1};
    const unsigned choice = byte(m);
    const double h = choice % 8 ? usual[choice % 4] : number(m);
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
    const double a = number(m), b = number(m);
    note(m, tn_sim_set_range(m->sim, j, below(m, 7) - 1, fmin(a, b), fmax(a, b)), 0);
}

static void set_switch(machine *m)
{
    const tn_joint j = any_joint(m);
    if (byte(m) % 2)
        note(m, tn_sim_set_locked(m->sim, j, below(m, 7) - 1, byte(m) % 2), 0);
    else
        note(m, tn_sim_set_enabled(m->sim, j, byte(m) % 2), 0);
}

static void set_break(machine *m)
{
    const tn_joint j = any_joint(m);
    const double force = byte(m) % 4 ? positive(m) : INFINITY;
    note(m, tn_sim_set_break(m->sim, j, force, byte(m) % 2 ? INFINITY : number(m)), 0);
}

static void set_compliance(machine *m)
{
    const tn_joint j = any_joint(m);
    if (byte(m) % 2)
        note(m, tn_sim_set_compliance(m->sim, j, below(m, 8) - 1, number(m) * 1e-3, number(m)), 0);
    else
        note(m,
             tn_sim_set_group_compliance(m->sim, j, 1u + byte(m) % 3u, number(m) * 1e-3, number(m)),
             0);
}

static void get_placement(const machine *m, double out[MOST_BODIES * 13])
{
    tn_sim_get_poses(m->sim, out);
    tn_sim_get_velocities(m->sim, out + 7 * m->size.bodies);
}

static void set_coordinates(machine *m)
{
    tn_coordinate_request requests[3];
    tn_coordinate_options options = tn_default_coordinate_options();
    tn_placement_report report = {0};
    double before[MOST_BODIES * 13];
    const int32_t count = 1 + below(m, 3);
    for (int k = 0; k < 3; k++)
        requests[k] = (tn_coordinate_request){any_joint(m), below(m, 4), number(m)};
    options.all_or_nothing = byte(m) % 2;
    options.others_follow = byte(m) % 2;
    get_placement(m, before);
    const tn_status status =
        byte(m) % 3
            ? tn_sim_set_coordinates(m->sim, requests, count, &options, NULL, &report)
            : tn_sim_set_coordinate_speeds(m->sim, requests, count, &options, NULL, &report);
    note(m, status, report.factorizations);
    check_placed(m, status, before);
}

static void set_targets(machine *m)
{
    tn_marker_request request = tn_default_marker_request((tn_marker){below(m, 4) % 3 - 1});
    tn_placement_report report = {0};
    double before[MOST_BODIES * 13];
    request.position = vector(m);
    request.weight = byte(m) % 2 ? 0.0 : positive(m);
    request.aim = (tn_marker_aim)below(m, 3);
    get_placement(m, before);
    const tn_status status = tn_sim_pose(m->sim, NULL, 0, &request, 1, NULL, NULL, NULL, &report);
    note(m, status, report.factorizations);
    check_placed(m, status, before);
}

static void assemble(machine *m)
{
    tn_placement_report report = {0};
    double before[MOST_BODIES * 13];
    get_placement(m, before);
    const tn_status status = tn_sim_assemble(m->sim, &report);
    note(m, status, report.factorizations);
    check_placed(m, status, before);
}

static void place_body(machine *m)
{
    const tn_body body = {below(m, m->size.bodies + 1)};
    if (byte(m) % 2)
        note(m, tn_sim_set_body_pose(m->sim, body, pose(m)), 0);
    else
        note(m, tn_sim_set_body_velocity(m->sim, body, (tn_twist){vector(m), vector(m)}), 0);
}

static void drive(machine *m)
{
    const tn_joint j = any_joint(m);
    const int32_t i = below(m, 3);
    tn_motor_def motor = tn_default_motor_def();
    tn_friction_def friction = tn_default_friction_def();
    tn_spring_def spring = tn_default_spring_def();
    switch (below(m, 6)) {
    case 0:
        note(m, tn_sim_set_driver_motion(m->sim, j, i, number(m), number(m), number(m)), 0);
        return;
    case 1:
        note(m, tn_sim_set_motor(m->sim, j, i, &motor), 0);
        note(m, tn_sim_set_motor_target(m->sim, j, i, number(m)), 0);
        note(m, tn_sim_set_motor_cap(m->sim, j, i, number(m)), 0);
        return;
    case 2:
        friction.force = number(m);
        note(m, tn_sim_set_friction(m->sim, j, i, &friction), 0);
        return;
    case 3:
        spring.stiffness = number(m);
        spring.damping = number(m);
        note(m, tn_sim_set_spring(m->sim, j, i, &spring), 0);
        return;
    case 4:
        note(m, tn_sim_set_driver(m->sim, j, i, NULL), 0);
        return;
    default:
        note(m, tn_sim_set_spring_rest(m->sim, j, i, number(m)), 0);
    }
}

static void push(machine *m)
{
    const tn_body body = {below(m, m->size.bodies + 1)};
    note(m, tn_sim_apply_wrench(m->sim, body, (tn_wrench){vector(m), vector(m)}), 0);
    note(m, tn_sim_apply_effort(m->sim, any_joint(m), below(m, 3), number(m)), 0);
    if (byte(m) % 4 == 0)
        tn_sim_clear_applied(m->sim);
}

/* A state comes back as it was; a damaged one does not. */
static void save_and_restore(machine *m)
{
    const size_t size = remember(m);
    if (byte(m) % 2) {
        unsigned char *damaged = m->after;
        memcpy(damaged, m->before, size);
        damaged[(byte(m) << 8 | byte(m)) % size] ^= (unsigned char)(1u + byte(m) % 255u);
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
    (void)primitive;
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

static void ratios(machine *m)
{
    double rate[(MOST_JOINTS + 1) * TN_MAX_COORDINATES],
        second[(MOST_JOINTS + 1) * TN_MAX_COORDINATES];
    double at;
    tn_transmission out;
    switch (below(m, 4)) {
    case 0:
        note(m, tn_sim_motion_ratios(m->sim, any_joint(m), below(m, 3), rate, second, NULL), 0);
        return;
    case 1:
        note(m, tn_sim_find_turning(m->sim, any_joint(m), 0, number(m), any_joint(m), 0, &at), 0);
        return;
    case 2:
        note(m, tn_sim_find_dead_point(m->sim, any_joint(m), 0, number(m), &at), 0);
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
    analyse,        ratios,    begin,      project,
};

void call_machine_run(const uint8_t *bytes, size_t size, call_counts *counts)
{
    machine m = {.at = bytes, .end = bytes + size, .counts = counts};
    counts->programs++;
    m.wild = byte(&m) % 4 == 0;
    m.spec = tn_spec_create();
    require(m.spec != NULL, "memory");
    describe(&m);
    if (start(&m)) {
        check_finite(&m);
        reserve(&m);
        for (int k = 0; k < MOST_CALLS && m.at < m.end; k++) {
            current = (int)(byte(&m) % (sizeof calls / sizeof *calls));
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
