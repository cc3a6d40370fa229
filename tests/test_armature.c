/* test_armature.c: inertia along coordinates.
 *
 * Right values: closed forms, and the same mechanism with a wheel for each armature: a body on a hinge of the ground that a
 * coupling turns as far as the coordinate goes. For joints of all types, and where ranges, friction, motors and loops act.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mechanism.h"
#include "run_main.h"
#include "tenon/io.h"

#define EXAMPLES TN_EXAMPLES "/joints/"

/* kg m^2, kg: other than the bodies', and of each coordinate another. */
static double armature_of(int32_t j, int32_t i)
{
    return 0.3 + 0.2 * i + 0.05 * j;
}

static void ok(tn_status status)
{
    ck_assert_msg(status == TN_OK, "%s", tn_status_text(status));
}

static double coordinate_of(const tn_sim *sim, int32_t j)
{
    double q[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(sim, (tn_joint){j}, q);
    return q[0];
}

static double speed_of(const tn_sim *sim, int32_t j)
{
    double speeds[TN_MAX_COORDINATES];
    tn_sim_joint_speeds(sim, (tn_joint){j}, speeds);
    return speeds[0];
}

static void add_wheel(tn_spec *spec, tn_joint joint, int32_t coordinate, double inertia,
                      double speed)
{
    tn_body_def body = tn_default_body_def();
    tn_joint_def axle = tn_default_joint_def();
    tn_coupling_def coupling = tn_default_coupling_def();
    body.mass = inertia;
    body.inertia = (tn_mat3){{{inertia, 0, 0}, {0, inertia, 0}, {0, 0, inertia}}};
    body.com = (tn_vec3){0, 0, 0};
    body.velocity.w = (tn_vec3){0, 0, speed};
    ok(tn_spec_add_body(spec, &body, &axle.a));
    axle.type = "hinge";
    axle.placement = TN_PLACE_BODY_FRAMES;
    tn_joint hinge;
    ok(tn_spec_add_joint(spec, &axle, &hinge));
    const tn_coupling_term terms[2] = {{.joint = hinge, .coordinate = 0, .ratio = 1.0},
                                       {.joint = joint, .coordinate = coordinate, .ratio = -1.0}};
    coupling.terms = terms;
    coupling.term_count = 2;
    ok(tn_spec_add_coupling(spec, &coupling, NULL));
}

static int32_t coordinates_of(const tn_joint_def *def)
{
    tn_joint_type type;
    ok(tn_joint_type_find(def->type, &type));
    return def->data ? def->data->coordinate_count : tn_joint_type_get(type)->coordinate_count;
}

static void add_wheels(tn_spec *spec, const tn_spec *from, const tn_sim *as)
{
    for (int32_t j = 0; j < tn_spec_joint_count(from); j++) {
        double speeds[TN_MAX_COORDINATES] = {0.0};
        tn_sim_joint_speeds(as, (tn_joint){j}, speeds);
        for (int32_t i = 0; i < coordinates_of(tn_spec_joint(from, (tn_joint){j})); i++)
            add_wheel(spec, (tn_joint){j}, i, armature_of(j, i), speeds[i]);
    }
}

/* A frequency is that of all that moves, which is other by wheels. */
static tn_drive_def by_stiffness(tn_drive_def drive)
{
    if (!isnan(drive.spring.frequency)) {
        drive.spring.stiffness = 300.0;
        drive.spring.damping = 10.0;
        drive.spring.frequency = drive.spring.damping_ratio = NAN;
    }
    return drive;
}

/* The same with armatures on all coordinates, as numbers, or as wheels that turn as fast as these do. */
static tn_spec *geared(const tn_spec *from, const tn_sim *wheels)
{
    tn_spec *spec = tn_spec_create();
    ok(tn_spec_set_world(spec, tn_spec_world(from)));
    ok(tn_spec_set_simulation(spec, tn_spec_simulation(from)));
    for (int32_t i = 0; i < tn_spec_body_count(from); i++)
        ok(tn_spec_add_body(spec, tn_spec_body(from, (tn_body){i}), NULL));
    for (int32_t j = 0; j < tn_spec_joint_count(from); j++) {
        tn_joint_def def = *tn_spec_joint(from, (tn_joint){j});
        tn_drive_def drives[TN_MAX_COORDINATES];
        for (int32_t i = 0; i < coordinates_of(&def) && !wheels; i++)
            def.armature[i] = armature_of(j, i);
        for (int32_t k = 0; k < def.drive_count; k++)
            drives[k] = by_stiffness(def.drives[k]);
        def.drives = drives;
        ok(tn_spec_add_joint(spec, &def, NULL));
    }
    for (int32_t k = 0; k < tn_spec_coupling_count(from); k++)
        ok(tn_spec_add_coupling(spec, tn_spec_coupling(from, (tn_coupling){k}), NULL));
    if (wheels)
        add_wheels(spec, from, wheels);
    return spec;
}

static mechanism started(tn_spec *spec, double accuracy)
{
    mechanism m = {.spec = spec};
    tn_diagnostics *problems = tn_diagnostics_create();
    const tn_status status = tn_model_compile(spec, problems, &m.model);
    ck_assert_msg(status == TN_OK, "%s",
                  tn_diagnostics_count(problems) > 0 ? tn_diagnostics_get(problems, 0)->message
                                                     : "");
    tn_diagnostics_destroy(problems);
    tn_sim_options options = tn_default_sim_options(m.model);
    options.integrator = TN_AUTO;
    options.relative_tolerance = accuracy;
    ok(tn_sim_create(m.model, &options, NULL, &m.sim));
    return m;
}

static void expect_same_motion(const mechanism *a, const mechanism *b, int32_t bodies, double off,
                               const char *name)
{
    for (int32_t i = 0; i < bodies; i++) {
        const tn_pose p = tn_sim_body_pose(a->sim, (tn_body){i}),
                      q = tn_sim_body_pose(b->sim, (tn_body){i});
        const double places[] = {p.p.x - q.p.x, p.p.y - q.p.y, p.p.z - q.p.z};
        const double turned =
            1.0 - fabs(p.q.w * q.q.w + p.q.x * q.q.x + p.q.y * q.q.y + p.q.z * q.q.z);
        for (int k = 0; k < 3; k++)
            ck_assert_msg(fabs(places[k]) <= off, "%s: body %d is %g m off", name, i, places[k]);
        ck_assert_msg(turned <= off * off + 1e-15, "%s: body %d is turned by %g", name, i,
                      sqrt(2.0 * turned));
    }
}

/* How far it goes, to tell that it goes at all. */
static double way_of(const mechanism *m, int32_t bodies, const tn_spec *from)
{
    double way = 0.0;
    for (int32_t i = 0; i < bodies; i++) {
        const tn_pose p = tn_sim_body_pose(m->sim, (tn_body){i});
        const tn_pose before = tn_spec_body(from, (tn_body){i})->pose;
        way = fmax(way,
                   fabs(p.p.x - before.p.x) + fabs(p.p.y - before.p.y) + fabs(p.p.z - before.p.z));
    }
    return way;
}

/* Both for so long. Energies are the same, and the books close. */
static void compare(const tn_spec *from, double seconds, double off, const char *name)
{
    mechanism number = started(geared(from, NULL), 1e-9);
    mechanism wheels = started(geared(from, number.sim), 1e-9);
    const int32_t bodies = tn_spec_body_count(from);
    const tn_energy before = tn_sim_energy(number.sim);
    ok(tn_sim_advance(number.sim, seconds, NULL));
    ok(tn_sim_advance(wheels.sim, seconds, NULL));
    const tn_energy a = tn_sim_energy(number.sim), b = tn_sim_energy(wheels.sim);
    expect_same_motion(&number, &wheels, bodies, off, name);
    const double size = a.kinetic + fabs(a.potential) + a.elastic + 1.0;
    ck_assert_msg(fabs(a.kinetic - b.kinetic) <= 100.0 * off * size, "%s: %g J, not %g J", name,
                  a.kinetic, b.kinetic);
    ck_assert_msg(fabs(a.total - a.work + a.lost - (before.total - before.work + before.lost)) <=
                      100.0 * off * size,
                  "%s: the books are %g J off", name,
                  a.total - a.work + a.lost - (before.total - before.work + before.lost));
    if (way_of(&number, bodies, from) < 1e-3)
        ck_assert_msg(strcmp(name, "solid") == 0 || strcmp(name, "rotation_lock") == 0 ||
                          a.kinetic > 0.0,
                      "%s stands still", name);
    mechanism_free(&number);
    mechanism_free(&wheels);
}

/* Joints of all types, as their examples have them. */
START_TEST(test_types)
{
    const char *name = tn_joint_type_get((tn_joint_type){_i})->name;
    char path[1024];
    tn_spec *spec = NULL;
    snprintf(path, sizeof path, "%s%s.yaml", EXAMPLES, name);
    if (strcmp(name, "free") == 0) /* no joint of its example */
        return;
    ok(tn_spec_read_file(path, NULL, &spec));
    compare(spec, 0.2, 1e-6, name);
    tn_spec_destroy(spec);
}
END_TEST

/* A hinge and a slider that an effort drives: F t^2 / (2 (m + a)). */
START_TEST(test_constant_force)
{
    mechanism m = mechanism_of(
        "tenon: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies:\n"
        "  wheel: {mass: 2, inertia: [0.5, 0.6, 0.25]}\n"
        "  block: {mass: 2, inertia: [0.5, 0.6, 0.25], position: [3, 0, 0]}\n"
        "joints:\n"
        "  turns: {type: hinge, a: wheel, origin: [0, 0, 0], axis: [0, 0, 1], armature: {theta: "
        "0.75}}\n"
        "  slides: {type: slider, a: block, origin: [3, 0, 0], axis: [1, 0, 0], armature: {z: 6}}\n"
        "loads:\n"
        "  torque: {coordinate: turns.theta, effort: 3}\n"
        "  force: {coordinate: slides.z, effort: 4}\n",
        _i);
    const double t = 0.5, h = 1e-3;
    for (int k = 0; k < 500; k++)
        ok(tn_sim_step(m.sim, h, NULL));
    const double off = method_is_second_order(_i) ? 1e-9 : 2.0 * h * t;
    double theta, z, speeds[2];
    theta = coordinate_of(m.sim, 0);
    z = coordinate_of(m.sim, 1);
    ck_assert_double_eq_tol(theta, 0.5 * 3.0 * t * t, 3.0 * off);
    ck_assert_double_eq_tol(z, 0.5 * 0.5 * t * t, off);
    speeds[0] = speed_of(m.sim, 0);
    speeds[1] = speed_of(m.sim, 1);
    ck_assert_double_eq_tol(speeds[0], 3.0 * t, 1e-9);
    ck_assert_double_eq_tol(speeds[1], 0.5 * t, 1e-9);
    const tn_energy e = tn_sim_energy(m.sim);
    ck_assert_double_eq_tol(e.kinetic, 0.5 * 1.0 * 9.0 * t * t + 0.5 * 8.0 * 0.25 * t * t, 1e-8);
    mechanism_free(&m);
}
END_TEST

static const char *const machines[][2] = {
    {"a range, with a bounce",
     "tenon: 1\nbodies:\n  a: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}\n"
     "  b: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1.5, 0, 0]}\n"
     "joints:\n  j: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 1, 0], range: {theta: [-1, "
     "0.4]}, restitution: {theta: 0.6}}\n"
     "  k: {type: hinge, a: b, b: a, origin: [1, 0, 0], axis: [0, 1, 0], range: {theta: [-0.2, "
     "0.3]}}\n"},
    {"dry friction and a motor with a cap",
     "tenon: 1\nbodies:\n  a: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}\n"
     "  b: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1.5, 0, 0]}\n"
     "joints:\n  j: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 1, 0], friction: {theta: "
     "{force: 3}}}\n"
     "  k: {type: hinge, a: b, b: a, origin: [1, 0, 0], axis: [0, 1, 0], motor: {theta: {speed: 2, "
     "max_force: 2}}}\n"},
    {"a loop",
     "tenon: 1\nbodies:\n  crank: {mass: 1, inertia: [0.02, 0.02, 0.02], position: [0, 0, 0.2]}\n"
     "  rod: {mass: 2, inertia: [0.1, 0.2, 0.2], position: [0.5, 0, 0.6]}\n"
     "  rocker: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0.4]}\n"
     "joints:\n  j: {type: hinge, a: crank, origin: [0, 0, 0], axis: [0, 1, 0], drive: {theta: "
     "{position: {polynomial: [0, 1]}}}}\n"
     "  k: {type: hinge, a: rod, b: crank, origin: [0, 0, 0.4], axis: [0, 1, 0]}\n"
     "  l: {type: hinge, a: rod, b: rocker, origin: [1, 0, 0.8], axis: [0, 1, 0]}\n"
     "  m: {type: hinge, a: rocker, origin: [1, 0, 0], axis: [0, 1, 0]}\n"},
    {"a free base, and gears",
     "tenon: 1\nbodies:\n  base: {mass: 3, inertia: [0.3, 0.4, 0.5], velocity: {angular: [0.3, 1, "
     "0.2]}}\n"
     "  a: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0], velocity: {linear: [0, 0.1, "
     "-0.5], angular: [0.3, 1, 0.2]}}\n"
     "  b: {mass: 1, inertia: [0.1, 0.2, 0.1], position: [-0.5, 0, 0], velocity: {linear: [0, "
     "-0.1, 0.5], angular: [0.3, 1, 0.2]}}\n"
     "joints:\n  j: {type: hinge, a: a, b: base, origin: [0.2, 0, 0], axis: [0, 1, 0], spring: "
     "{theta: {stiffness: 20, rest: 0.5}}}\n"
     "  k: {type: universal, a: b, b: base, origin: [-0.2, 0, 0], axis: [0, 1, 0]}\n"
     "couplings:\n  gear: {gear: {a: j.theta, b: k.pitch, ratio: 1.5}}\n"},
    {"planar bodies", "tenon: 1\nworld: planar\ngravity: [0, -9.81]\nbodies:\n  a: {mass: 1, "
                      "inertia: 0.1, position: [0.5, 0]}\n"
                      "  b: {mass: 1, inertia: 0.1, position: [1.5, 0]}\n"
                      "joints:\n  j: {type: hinge, a: a, origin: [0, 0]}\n  k: {type: hinge, a: b, "
                      "b: a, origin: [1, 0]}\n"},
};
enum { MACHINES = sizeof machines / sizeof *machines };

START_TEST(test_machines)
{
    tn_spec *spec = NULL;
    tn_diagnostics *problems = tn_diagnostics_create();
    const tn_status status = tn_spec_read_string(machines[_i][1], strlen(machines[_i][1]),
                                                 "machine.yaml", problems, &spec);
    ck_assert_msg(status == TN_OK, "%s: %s", machines[_i][0],
                  tn_diagnostics_count(problems) > 0 ? tn_diagnostics_get(problems, 0)->message
                                                     : "");
    tn_diagnostics_destroy(problems);
    compare(spec, 0.6, 2e-6, machines[_i][0]);
    tn_spec_destroy(spec);
}
END_TEST

#define ARM                                                                                        \
    "tenon: 1\nbodies:\n"                                                                          \
    "  a: {mass: 1, inertia: [0.1, 0.2, 0.1], position: [0.5, 0, 0]}\n"                            \
    "  b: {mass: 1, inertia: [0.1, 0.2, 0.1], position: [1.5, 0, 0]}\n"                            \
    "  c: {mass: 1, inertia: [0.1, 0.2, 0.1], position: [2.5, 0, 0]}\n"                            \
    "joints:\n"                                                                                    \
    "  j: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 1, 0], armature: {theta: 2}}\n"         \
    "  k: {type: hinge, a: b, b: a, origin: [1, 0, 0], axis: [0, 0, 1], armature: {theta: 3}}\n"   \
    "  l: {type: hinge, a: c, b: b, origin: [2, 0, 0], axis: [0, 1, 0], armature: {theta: 4}}\n"

/* One coordinate set, or its speed, and no other one moves: not a bit. */
START_TEST(test_no_other_moves)
{
    mechanism m = mechanism_of(ARM, TN_GENERALIZED_ALPHA);
    tn_coordinate_request request = {{0}, 0, 0.4};
    ok(tn_sim_set_coordinates(m.sim, &request, 1, NULL, NULL, NULL));
    request = (tn_coordinate_request){{1}, 0, 0.7};
    const double before = coordinate_of(m.sim, 0);
    ok(tn_sim_set_coordinates(m.sim, &request, 1, NULL, NULL, NULL));
    ck_assert(coordinate_of(m.sim, 0) == before);
    ck_assert(coordinate_of(m.sim, 2) == 0.0);
    ok(tn_sim_set_coordinate_speeds(m.sim, &request, 1, NULL, NULL, NULL));
    ck_assert_double_eq_tol(speed_of(m.sim, 0), 0.0, 1e-15);
    ck_assert_double_eq_tol(speed_of(m.sim, 1), 0.7, 1e-15);
    ck_assert_double_eq_tol(speed_of(m.sim, 2), 0.0, 1e-15);
    mechanism_free(&m);
}
END_TEST

/* The mass matrix has it, and what a joint transmits: of a wheel with J = 0.25 and a = 0.75 that 3 N m drive, all of
 * -a q'' = -2.25 N m. */
START_TEST(test_seen)
{
    mechanism m = mechanism_of("tenon: 1\ngravity: [0, 0, 0]\n"
                               "bodies: {wheel: {mass: 2, inertia: [0.5, 0.6, 0.25]}}\n"
                               "joints: {turns: {type: hinge, a: wheel, origin: [0, 0, 0], axis: "
                               "[0, 0, 1], armature: {theta: 0.75}}}\n"
                               "loads: {torque: {coordinate: turns.theta, effort: 3}}\n",
                               TN_GENERALIZED_ALPHA);
    ok(tn_sim_step(m.sim, 1e-3, NULL));
    const tn_wrench w = tn_sim_joint_wrench(m.sim, (tn_joint){0}, TN_WRENCH_ON_A);
    ck_assert_double_eq_tol(w.m.z, -2.25, 1e-9);
    tn_balance balance;
    ok(tn_sim_balance(m.sim, &balance));
    ck_assert_double_le(fmax(balance.force, balance.moment), 1e-9);
    tn_equations eq;
    ok(tn_sim_equations(m.sim, (tn_joint){-1}, &eq));
    ck_assert_double_eq_tol(eq.mass[5 * 6 + 5], 1.0, 1e-9);
    ck_assert_double_eq_tol(eq.mass[3 * 6 + 3], 0.5, 1e-9);
    tn_equations_free(&eq);
    mechanism_free(&m);
}
END_TEST

/* The frequency of a spring along a coordinate is that of all that moves with it. */
START_TEST(test_off)
{
    mechanism m = mechanism_of(ARM, TN_GENERALIZED_ALPHA);
    ok(tn_sim_set_enabled(m.sim, (tn_joint){2}, 0));
    ok(tn_sim_advance(m.sim, 0.1, NULL)); /* c falls by itself */
    const tn_pose c = tn_sim_body_pose(m.sim, (tn_body){2});
    ck_assert_double_eq_tol(c.p.z, -0.5 * 9.81 * 0.01, 1e-9);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("armature");
    TCase *tests = tcase_create("armature");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, test_types, 0, tn_joint_type_count());
    tcase_add_loop_test(tests, test_constant_force, 0, METHODS);
    tcase_add_loop_test(tests, test_machines, 0, MACHINES);
    tcase_add_test(tests, test_no_other_moves);
    tcase_add_test(tests, test_seen);
    tcase_add_test(tests, test_off);
    suite_add_tcase(suite, tests);
    return suite;
}
