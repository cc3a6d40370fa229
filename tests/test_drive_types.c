/* test_drive_types.c: drives in every type of joint, in closed loops, and refused where they
 * contradict each other.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/drive_scenes.h"
#include "support/joint_sims.h"
#include "support/run_main.h"
#include "tenon/io.h"

/* ---- every type with coordinates: a sine of a hundredth along each ---- */

typedef struct driven_run {
    double error;   /* rad or m, of the coordinate against its motion, largest */
    double balance; /* largest of Newton's and Euler's equations */
    double energy;  /* J, what the audit misses */
} driven_run;

static driven_run drive_one(const joint_scene *scene, int32_t coordinate,
                            tn_formulation formulation, double h)
{
    const tn_vec3 gravity = {0.3, -9.0, 1.0};
    joint_sim s = joint_sim_create(scene, 1, gravity, TN_GENERALIZED_ALPHA, 7);
    joint_sim_restart(&s, formulation);
    const tn_joint joint = {tn_model_get_size(s.model).joints - 1};
    double q[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(s.sim, joint, q);
    const double numbers[4] = {0.01, 5.0, 0.0, q[coordinate]};
    const tn_function_def sine = drive_sine(numbers);
    /* rods start locked, ropes at their limit */
    ck_assert_int_eq(tn_sim_set_locked(s.sim, joint, coordinate, 0), TN_OK);
    ck_assert_int_eq(tn_sim_set_range(s.sim, joint, coordinate, -INFINITY, INFINITY), TN_OK);
    ck_assert_int_eq(tn_sim_set_driver(s.sim, joint, coordinate, &sine), TN_OK);
    driven_run run = {0.0, 0.0, 0.0};
    tn_step_report report;
    ck_assert_int_eq(tn_sim_step(s.sim, h, &report), TN_OK);
    const tn_energy first = tn_sim_energy(s.sim);
    for (int k = 1; k < 0.2 / h; k++) {
        ck_assert_int_eq(tn_sim_step(s.sim, h, &report), TN_OK);
        double now[TN_MAX_COORDINATES];
        tn_balance balance;
        tn_sim_joint_coordinates(s.sim, joint, now);
        const double wanted = q[coordinate] + 0.01 * sin(5.0 * tn_sim_time(s.sim));
        run.error = fmax(run.error, fabs(now[coordinate] - wanted));
        ck_assert_int_eq(tn_sim_balance(s.sim, &balance), TN_OK);
        run.balance = fmax(run.balance, fmax(balance.force, balance.moment));
    }
    const tn_energy last = tn_sim_energy(s.sim);
    run.energy = fabs(last.total - last.work - first.total + first.work);
    joint_sim_destroy(&s);
    return run;
}

START_TEST(every_coordinate_of_every_type_can_be_driven)
{
    uint64_t seed = 11 + (uint64_t)(_i % tn_joint_type_count());
    const tn_joint_type type = {_i % tn_joint_type_count()};
    const tn_formulation formulation = (tn_formulation)(_i / tn_joint_type_count());
    const tn_joint_type_info *info = tn_joint_type_get(type);
    const joint_scene scene = sample_scene(type, &seed);
    for (int32_t i = 0; i < info->coordinate_count; i++) {
        const driven_run coarse = drive_one(&scene, i, formulation, 4e-3);
        const driven_run fine = drive_one(&scene, i, formulation, 2e-3);
        ck_assert_msg(fine.error <= 1e-9, "%s.%s: off by %g", info->name, info->coordinates[i].name,
                      fine.error);
        ck_assert_msg(fine.balance <= 1e-6, "%s.%s: balance %g", info->name,
                      info->coordinates[i].name, fine.balance);
        ck_assert_msg(fine.energy <= 0.4 * coarse.energy + 1e-9, "%s.%s: energy %g, then %g",
                      info->name, info->coordinates[i].name, coarse.energy, fine.energy);
    }
}
END_TEST

/* ---- a slider-crank whose crank turns steadily ---- */

static const double crank = 0.3, rod_length = 0.8; /* m */

static tn_body bar(mechanism *m, tn_vec3 p, tn_vec3 q, double mass)
{
    return mechanism_rod(m, &(rod){.p = p, .q = q, .mass = mass, .along = 0.01, .across = 0.02});
}

/* Crank from the origin at `angle`, rod to a block on the x axis. */
static mechanism slider_crank(double angle, const tn_drive_def *drive)
{
    const tn_vec3 o = vec(0.0, 0.0, 0.0), z = vec(0.0, 0.0, 1.0);
    const tn_vec3 a = vec(crank * cos(angle), crank * sin(angle), 0.0);
    const tn_vec3 b = vec(a.x + sqrt(rod_length * rod_length - a.y * a.y), 0.0, 0.0);
    mechanism m = mechanism_new(vec(0.0, -DRIVE_GRAVITY, 0.0));
    const tn_body one = bar(&m, o, a, 1.0), two = bar(&m, a, b, 2.0);
    const tn_body block = bar(&m, b, vec(b.x + 0.1, 0.0, 0.0), 3.0);
    tn_joint_def def = tn_default_joint_def();
    def.name = "crank";
    def.type = "hinge";
    def.a = one;
    def.placement = TN_PLACE_AXIS;
    def.axis = z;
    def.initial[0] = 0.0;
    def.drives = drive;
    def.drive_count = drive ? 1 : 0;
    mechanism_joint(&m, &def);
    mechanism_axis_joint(&m, "hinge", two, one, a, z);
    mechanism_axis_joint(&m, "hinge", block, two, b, z);
    mechanism_axis_joint(&m, "slider", block, tn_ground(), b, vec(1.0, 0.0, 0.0));
    return m;
}

/* The torque is the derivative of the whole energy by the angle: power in = change of energy. */
START_TEST(driven_slider_crank_takes_the_power_of_its_energy)
{
    static const double turning[2] = {0.0, 4.0};
    tn_drive_def drive = tn_default_drive_def();
    drive.position = drive_polynomial(turning, 2);
    mechanism m = slider_crank(0.7, &drive);
    mechanism_start_tight(&m, TN_GENERALIZED_ALPHA);
    double energy[3] = {0}, power = 0.0;
    const double h = 1e-3;
    for (int k = 0; k < 1600; k++) { /* a turn: both dead points are passed */
        drive_run(&m, h, 1);
        const tn_energy e = tn_sim_energy(m.sim);
        energy[0] = energy[1];
        energy[1] = energy[2];
        energy[2] = e.total;
        if (k > 2)
            ck_assert_double_eq_tol((energy[2] - energy[0]) / (2.0 * h), power, 2e-2);
        power = tn_sim_coordinate_power(m.sim, joint0, 0, TN_WRENCH_DRIVER);
        ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), 4.0 * tn_sim_time(m.sim), 1e-11);
        const double theta = 0.7 + 4.0 * tn_sim_time(m.sim), y = crank * sin(theta);
        const tn_pose block = tn_sim_body_pose(m.sim, (tn_body){2});
        ck_assert_double_eq_tol(block.p.x - 0.05,
                                crank * cos(theta) + sqrt(rod_length * rod_length - y * y), 1e-9);
    }
    mechanism_free(&m);
}
END_TEST

/* ---- contradictions ---- */

static int has_error(const tn_diagnostics *diags, const char *a, const char *b)
{
    int both = 0;
    for (int32_t k = 0; k < tn_diagnostics_count(diags); k++) {
        const char *text = tn_diagnostics_get(diags, k)->message;
        both |= (strstr(text, a) != NULL) | (strstr(text, b) != NULL) << 1;
    }
    return both == 3;
}

START_TEST(two_drivers_of_one_freedom_are_refused_by_name)
{
    static const double turning[2] = {0.0, 4.0};
    static const double sliding[2] = {0.3, 1.0};
    tn_drive_def drive = tn_default_drive_def(), other = tn_default_drive_def();
    drive.position = drive_polynomial(turning, 2);
    other.position = drive_polynomial(sliding, 2);
    mechanism m = slider_crank(0.7, &drive);
    tn_joint_def def = *tn_spec_joint(m.spec, (tn_joint){3});
    def.name = "piston";
    def.drives = &other;
    def.drive_count = _i == 0;
    def.locked[0] = _i == 1;
    mechanism n = slider_crank(0.7, &drive);
    (void)n;
    ck_assert_int_eq(tn_spec_add_joint(m.spec, &def, NULL), TN_OK);
    tn_diagnostics *diags = tn_diagnostics_create();
    ck_assert_int_eq(tn_model_compile(m.spec, diags, &m.model), TN_OK);
    ck_assert_int_eq(tn_sim_create(m.model, NULL, diags, &m.sim), TN_ERROR_CONFLICT);
    ck_assert(has_error(diags, "piston", "crank"));
    tn_diagnostics_destroy(diags);
    mechanism_free(&n);
    mechanism_free(&m);
}
END_TEST

/* ---- model files ---- */

static const char model_head[] =
    "tenon: 1\nangle: deg\nbodies: {arm: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints:\n  j: {type: cylindrical, a: arm, frame: {}, ";

typedef struct bad_text {
    const char *text, *message; /* of the joint; what is said */
} bad_text;

static const bad_text bad_texts[] = {
    {"drive: {x: {position: 1}}", "unknown coordinate 'x'"},
    {"drive: {z: {positon: 1}}", "'position' is missing"},
    {"drive: {z: {position: {wave: [1]}}}", "unknown function 'wave'"},
    {"drive: {z: {position: 1}}, locked: [z]", "z is both driven and locked"},
    {"drive: {z: {position: 1}}, motor: {z: {speed: 1}}", "prescribed motion and a motor"},
    {"motor: {theta: {speed: 1, position: 2}}", "give only one of"},
    {"motor: {theta: {max_force: 2}}", "neither a speed nor a position"},
    {"motor: {theta: {speed: 1, max_force: -2}}", "max_force of theta"},
    {"friction: {theta: {coefficient: 0.1}}", "needs a radius"},
    {"friction: {z: {coefficient: 0.1, radius: 1}}", "z is a length"},
    {"friction: {z: {force: -1}}", "friction force of z"},
    {"spring: {z: {stiffness: 1, frequency: 2}}", "give only one of"},
    {"spring: {z: {damping_ratio: 1}}", "needs a stiffness"},
    {"spring: {z: {rest: 1}}", "has no stiffness"},
    {"spring: {z: {stiffness: .nan}}", "stiffness"},
};

START_TEST(what_a_file_says_wrong_is_told_with_its_place)
{
    const bad_text *bad = &bad_texts[_i];
    char text[512];
    snprintf(text, sizeof text, "%s%s}\n", model_head, bad->text);
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = NULL;
    tn_model *model = NULL;
    if (tn_spec_read_string(text, strlen(text), "file", diags, &spec) == TN_OK)
        ck_assert_int_ne(tn_model_compile(spec, diags, &model), TN_OK);
    ck_assert_int_ge(tn_diagnostics_error_count(diags), 1);
    const tn_diagnostic *d = tn_diagnostics_get(diags, 0);
    ck_assert_msg(strstr(d->message, bad->message) != NULL, "%s", d->message);
    ck_assert_int_eq(d->at.line, 5);
    ck_assert_int_gt(d->at.column, 40);
    tn_diagnostics_destroy(diags);
    tn_spec_destroy(spec);
}
END_TEST

/* Degrees of the file, seconds of the time, N m as they are. */
START_TEST(units_of_a_file)
{
    char text[512];
    snprintf(text, sizeof text, "%s%s}\n", model_head,
             "motor: {theta: {speed: {polynomial: [90, 180]}, max_force: 3}}, "
             "spring: {theta: {force: {table: [[0, 0], [180, -5]]}, rest: 45}, z: {stiffness: 7}}");
    tn_spec *spec = NULL;
    ck_assert_int_eq(tn_spec_read_string(text, strlen(text), "file", NULL, &spec), TN_OK);
    const tn_joint_def *def = tn_spec_joint(spec, joint0);
    const double pi = 3.14159265358979323846;
    ck_assert_int_eq(def->drive_count, 2);
    ck_assert_int_eq(def->drives[0].coordinate, 1);
    ck_assert_double_eq_tol(def->drives[0].motor.speed.numbers[0], 0.5 * pi, 1e-15);
    ck_assert_double_eq_tol(def->drives[0].motor.speed.numbers[1], pi, 1e-15);
    ck_assert_double_eq(def->drives[0].motor.max_force, 3.0);
    ck_assert_double_eq_tol(def->drives[0].spring.force.numbers[2], pi, 1e-15);
    ck_assert_double_eq(def->drives[0].spring.force.numbers[3], -5.0);
    ck_assert_double_eq_tol(def->drives[0].spring.rest.numbers[0], 0.25 * pi, 1e-15);
    ck_assert_double_eq(def->drives[1].spring.stiffness, 7.0);
    tn_spec_destroy(spec);
}
END_TEST

/* The compliance of a lock is the user's whatever has the row meanwhile. */
START_TEST(lock_keeps_its_compliance_beside_a_spring)
{
    const pendulum_data data = {2.0, 0.7, 0.3, 0.0, 0.0, DRIVE_GRAVITY};
    tn_drive_def drive = tn_default_drive_def();
    drive.spring.stiffness = 10.0;
    mechanism m = drive_pendulum(&data, &drive);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    double C, D;
    drive_run(&m, 1e-3, 10);
    ck_assert_int_eq(tn_sim_get_compliance(m.sim, joint0, 5, &C, &D), TN_OK);
    ck_assert_double_eq(C, 0.0);
    ck_assert_int_eq(tn_sim_set_compliance(m.sim, joint0, 5, 1e-3, 30.0), TN_OK);
    drive_run(&m, 1e-3, 10);
    ck_assert_int_eq(tn_sim_coordinate_holder(m.sim, joint0, 0), TN_HELD_BY_SPRING);
    ck_assert_int_eq(tn_sim_get_compliance(m.sim, joint0, 5, &C, &D), TN_OK);
    ck_assert_double_eq(C, 1e-3);
    ck_assert_double_eq(D, 30.0);
    const double at = drive_coordinate(&m, 0, 0);
    ck_assert_int_eq(tn_sim_set_locked(m.sim, joint0, 0, 1), TN_OK);
    drive_run(&m, 4e-3, 1000);
    const double q = drive_coordinate(&m, 0, 0); /* weight on lock and spring */
    ck_assert_double_eq_tol(-1000.0 * (q - at) - 10.0 * q, 2.0 * DRIVE_GRAVITY * 0.7 * cos(q),
                            1e-6);
    drive_check_parts(&m, joint0);
    mechanism_free(&m);
}
END_TEST

/* ---- what is no drive is refused while a simulation runs ---- */

START_TEST(bad_settings_are_refused)
{
    const pendulum_data data = {2.0, 0.7, 0.3, 0.0, 0.0, DRIVE_GRAVITY};
    mechanism m = drive_pendulum(&data, NULL);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    tn_motor_def motor = tn_default_motor_def();
    tn_friction_def friction = tn_default_friction_def();
    tn_spring_def spring = tn_default_spring_def();
    ck_assert_int_eq(tn_sim_set_driver_motion(m.sim, joint0, 0, NAN, 0.0, 0.0), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_set_driver_motion(m.sim, joint0, 1, 0.0, 0.0, 0.0), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_set_motor_target(m.sim, joint0, 0, 1.0), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_set_spring_rest(m.sim, joint0, 0, 1.0), TN_ERROR_ARGUMENT);
    motor.max_force = -1.0;
    ck_assert_int_eq(tn_sim_set_motor(m.sim, joint0, 0, &motor), TN_ERROR_ARGUMENT);
    friction.coefficient = 0.1; /* of an angle, without a radius */
    ck_assert_int_eq(tn_sim_set_friction(m.sim, joint0, 0, &friction), TN_ERROR_ARGUMENT);
    friction.radius = INFINITY;
    ck_assert_int_eq(tn_sim_set_friction(m.sim, joint0, 0, &friction), TN_ERROR_ARGUMENT);
    spring.stiffness = 1.0;
    spring.frequency = 1.0;
    ck_assert_int_eq(tn_sim_set_spring(m.sim, joint0, 0, &spring), TN_ERROR_ARGUMENT);
    drive_run(&m, 1e-3, 5);
    ck_assert_int_eq(tn_sim_coordinate_holder(m.sim, joint0, 0), TN_HELD_BY_NOTHING);
    mechanism_free(&m);
}
END_TEST

/* Each part set while running: held by it, then free again. */
START_TEST(parts_set_while_running)
{
    static const double still = 0.0;
    const pendulum_data data = {2.0, 0.7, 0.3, 0.0, 0.0, DRIVE_GRAVITY};
    mechanism m = drive_pendulum(&data, NULL);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    tn_spring_def spring = tn_default_spring_def();
    spring.frequency = 3.0;
    spring.damping_ratio = 1.0;
    drive_run(&m, 1e-3, 10);
    ck_assert_double_eq_tol(tn_sim_coordinate_mass(m.sim, joint0, 0), 0.3 + 2.0 * 0.49, 1e-12);
    ck_assert_int_eq(tn_sim_set_spring(m.sim, joint0, 0, &spring), TN_OK);
    drive_run(&m, 4e-3, 2000);
    ck_assert_int_eq(tn_sim_coordinate_holder(m.sim, joint0, 0), TN_HELD_BY_SPRING);
    const double angle = drive_coordinate(&m, 0, 0), k = 1.28 * 36.0 * 9.869604401089358;
    ck_assert_double_eq_tol(k * angle, -2.0 * DRIVE_GRAVITY * 0.7 * cos(angle), 1e-6);
    tn_motor_def motor = tn_default_motor_def();
    motor.speed = drive_constant(&still);
    ck_assert_int_eq(tn_sim_set_motor(m.sim, joint0, 0, &motor), TN_OK);
    ck_assert_int_eq(tn_sim_set_spring(m.sim, joint0, 0, NULL), TN_OK);
    drive_run(&m, 1e-3, 100);
    ck_assert_int_eq(tn_sim_coordinate_holder(m.sim, joint0, 0), TN_HELD_BY_MOTOR);
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), angle, 1e-6);
    ck_assert_int_eq(tn_sim_set_motor(m.sim, joint0, 0, NULL), TN_OK);
    drive_run(&m, 1e-3, 100);
    ck_assert_int_eq(tn_sim_coordinate_holder(m.sim, joint0, 0), TN_HELD_BY_NOTHING);
    ck_assert_double_le(drive_coordinate(&m, 0, 0), angle - 0.01);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("drive_types");
    TCase *types = tcase_create("types");
    tcase_add_loop_test(types, every_coordinate_of_every_type_can_be_driven, 0,
                        TN_FORMULATION_COUNT * tn_joint_type_count());
    tcase_add_test(types, driven_slider_crank_takes_the_power_of_its_energy);
    tcase_add_loop_test(types, two_drivers_of_one_freedom_are_refused_by_name, 0, 2);
    tcase_add_test(types, bad_settings_are_refused);
    tcase_add_loop_test(types, what_a_file_says_wrong_is_told_with_its_place, 0,
                        (int)(sizeof bad_texts / sizeof *bad_texts));
    tcase_add_test(types, units_of_a_file);
    tcase_add_test(types, lock_keeps_its_compliance_beside_a_spring);
    tcase_add_test(types, parts_set_while_running);
    tcase_set_timeout(types, 60);
    suite_add_tcase(suite, types);
    return suite;
}
