/* test_measures.c: named outputs against closed forms: a crank that turns as prescribed, a
 * cantilever, relative motion, energy and momentum; statistics; mistakes in files with their
 * places.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "support/mechanism.h"
#include "support/model_text.h"
#include "support/run_main.h"
#include "tenon/tenon.h"

#define RATE   3.0 /* rad/s */
#define MASS   2.0
#define RADIUS 0.5 /* m, of the centre of mass */

static const char crank[] =
    "tenon: 1\nworld: %s\ngravity: %s\n"
    "bodies: {crank: {mass: 2, inertia: %s, position: [0.5, 0%s]}}\n"
    "joints: {pin: {type: hinge, a: crank, b: ground, origin: [0, 0%s]%s,\n"
    "  drive: {theta: {position: {polynomial: [0, 3, %s]}}}}}\n"
    "markers:\n"
    "  tip: {body: crank, position: [0.5, 0%s]}\n"
    "  post: {body: ground, position: [2, 0%s]}\n"
    "  hub: {body: crank, position: [-0.5, 0%s]}\n"
    "measures:\n"
    "  angle: {coordinate: pin.theta}\n"
    "  speed: {coordinate: pin.theta, quantity: speed}\n"
    "  acceleration: {coordinate: pin.theta, quantity: acceleration}\n"
    "  torque: {coordinate: pin.theta, quantity: effort}\n"
    "  power: {coordinate: pin.theta, quantity: power, part: drive}\n"
    "  pull: {reaction: pin, quantity: force, part: constraint, component: magnitude}\n"
    "  pin: {reaction: pin}\n"
    "  back: {reaction: pin, quantity: force, axes: world, on: b}\n"
    "  tip: {marker: tip}\n"
    "  tip_speed: {marker: tip, quantity: velocity, component: magnitude}\n"
    "  tip_acc: {marker: tip, quantity: acceleration, component: magnitude}\n"
    "  seen: {marker: post, relative_to: tip}\n"
    "  seen_speed: {marker: post, relative_to: tip, quantity: velocity}\n"
    "  seen_acc: {marker: post, relative_to: hub, quantity: acceleration}\n"
    "  still: {marker: tip, relative_to: hub, quantity: acceleration, component: magnitude}\n"
    "  gap: {distance: [tip, post]}\n"
    "  gap_speed: {distance: [tip, post], quantity: speed}\n"
    "  turned: {angle: [tip, post]}\n"
    "  kinetic: {energy: kinetic}\n"
    "  momentum: {momentum: linear, component: magnitude}\n"
    "  swirl: {momentum: angular, component: z}\n";

static mechanism turning(int planar, const char *gravity, const char *bend)
{
    char text[4000];
    const char *z = planar ? "" : ", 0";
    snprintf(text, sizeof text, crank, planar ? "planar" : "spatial", gravity,
             planar ? "0.3" : "[1, 1, 0.3]", z, z, planar ? "" : ", axis: [0, 0, 1]", bend, z, z,
             z);
    mechanism m = mechanism_read(text);
    tn_sim_options options = mechanism_compile(&m, TN_DORMAND_PRINCE);
    options.relative_tolerance = 1e-12;
    mechanism_start_with(&m, &options);
    return m;
}

static double value(const mechanism *m, const char *name, int field)
{
    double out[TN_MEASURE_MOST];
    tn_measure_id measure;
    ck_assert_msg(tn_model_find_measure(m->model, name, &measure) == TN_OK, "%s", name);
    tn_sim_measure(m->sim, measure, out);
    return out[field];
}

static void expect(const mechanism *m, const char *name, int field, double wanted)
{
    const double is = value(m, name, field);
    ck_assert_msg(fabs(is - wanted) < 1e-8, "%s[%d] is %.12g, not %.12g", name, field, is, wanted);
}

START_TEST(a_crank_at_constant_speed)
{
    mechanism m = turning(_i, _i ? "[0, 0]" : "[0, 0, 0]", "0");
    mechanism_run(&m, 0.05, 20, NULL);
    const double a = RATE, c = cos(a), s = sin(a), L = 1.0;
    expect(&m, "angle", 0, a);
    expect(&m, "speed", 0, RATE);
    expect(&m, "acceleration", 0, 0.0);
    expect(&m, "torque", 0, 0.0);
    expect(&m, "power", 0, 0.0);
    expect(&m, "pull", 0, MASS * RATE * RATE * RADIUS);
    expect(&m, "pin", 0, -MASS * RATE * RATE * RADIUS); /* C turns with the crank */
    expect(&m, "pin", 1, 0.0);
    expect(&m, "back", 0, MASS * RATE * RATE * RADIUS * c);
    expect(&m, "back", 1, MASS * RATE * RATE * RADIUS * s);
    expect(&m, "tip", 0, L * c);
    expect(&m, "tip", 1, L * s);
    expect(&m, "tip_speed", 0, RATE * L);
    expect(&m, "tip_acc", 0, RATE * RATE * L);
    expect(&m, "seen", 0, (2.0 - L * c) * c - L * s * s);
    expect(&m, "seen", 1, -(2.0 - L * c) * s - L * s * c);
    /* a fixed point seen from the hub goes round clockwise at 2 m */
    expect(&m, "seen_speed", 0, 2.0 * RATE * -s);
    expect(&m, "seen_speed", 1, 2.0 * RATE * -c);
    expect(&m, "seen_acc", 0, -RATE * RATE * 2.0 * c);
    expect(&m, "seen_acc", 1, RATE * RATE * 2.0 * s);
    expect(&m, "still", 0, 0.0);
    const double gap = sqrt(4.0 + L * L - 4.0 * L * c);
    expect(&m, "gap", 0, gap);
    expect(&m, "gap_speed", 0, 2.0 * L * s * RATE / gap);
    expect(&m, "turned", 0, a);
    expect(&m, "kinetic", 0, 0.5 * (MASS * RADIUS * RADIUS + 0.3) * RATE * RATE);
    expect(&m, "momentum", 0, MASS * RADIUS * RATE);
    expect(&m, "swirl", 0, (MASS * RADIUS * RADIUS + 0.3) * RATE);
    mechanism_free(&m);
}
END_TEST

/* theta = 3 t + t^2 against gravity: what the drive takes. */
START_TEST(a_crank_that_speeds_up)
{
    mechanism m = turning(_i, _i ? "[0, -9.81]" : "[0, -9.81, 0]", "1");
    mechanism_run(&m, 0.05, 20, NULL);
    const double a = 4.0, rate = 5.0, I = MASS * RADIUS * RADIUS + 0.3;
    const double torque = I * 2.0 + MASS * 9.81 * RADIUS * cos(a);
    expect(&m, "acceleration", 0, 2.0);
    expect(&m, "torque", 0, torque);
    expect(&m, "power", 0, torque * rate);
    expect(&m, "pin", 0, -MASS * rate * rate * RADIUS + MASS * 9.81 * sin(a));
    expect(&m, "pin", 1, MASS * 2.0 * RADIUS + MASS * 9.81 * cos(a));
    expect(&m, "pin", _i ? 2 : 5, torque); /* of the whole, the drive's moment too */
    expect(&m, "tip_acc", 0, hypot(rate * rate, 2.0));
    mechanism_free(&m);
}
END_TEST

/* Names and units, fewer in the plane. */
START_TEST(values_have_names_and_units)
{
    static const char *const space[] = {"fx", "fy", "fz", "mx", "my", "mz"};
    static const char *const plane[] = {"fx", "fy", "m"};
    mechanism m = turning(_i, _i ? "[0, 0]" : "[0, 0, 0]", "0");
    tn_measure_id pin, angle, swirl, tip;
    tn_model_find_measure(m.model, "pin", &pin);
    tn_model_find_measure(m.model, "angle", &angle);
    tn_model_find_measure(m.model, "swirl", &swirl);
    tn_model_find_measure(m.model, "tip", &tip);
    ck_assert_int_eq(tn_measure_width(m.model, pin), _i ? 3 : 6);
    for (int k = 0; k < (_i ? 3 : 6); k++) {
        const char *name = _i ? plane[k] : space[k];
        ck_assert_str_eq(tn_measure_field(m.model, pin, k), name);
        ck_assert_str_eq(tn_measure_unit(m.model, pin, k), name[0] == 'f' ? "N" : "N m");
    }
    ck_assert_int_eq(tn_measure_width(m.model, angle), 1);
    ck_assert_str_eq(tn_measure_field(m.model, angle, 0), "");
    ck_assert_str_eq(tn_measure_unit(m.model, angle, 0), "rad");
    ck_assert_str_eq(tn_measure_unit(m.model, swirl, 0), "kg m^2/s");
    ck_assert_int_eq(tn_measure_width(m.model, tip), _i ? 2 : 3);
    mechanism_free(&m);
}
END_TEST

/* A bar welded to the wall: moments about its root, its end and a marker, axes of the weld. */
START_TEST(reactions_are_where_and_as_asked_for)
{
    mechanism m = mechanism_read(
        "tenon: 1\n"
        "bodies: {bar: {mass: 2, inertia: [1, 1, 1], position: [1.5, 0, 0]}}\n"
        "joints: {weld: {type: solid, a: bar, b: ground,\n"
        "  frame: {position: [0.5, 0, 0], axis_angle: [0, 0, 1, 1.5707963267948966]}}}\n"
        "markers: {end: {body: bar, position: [1, 0, 0]}, mass: {body: bar}}\n"
        "measures:\n"
        "  root: {reaction: weld}\n"
        "  world: {reaction: weld, axes: world}\n"
        "  end: {reaction: weld, axes: world, about: end}\n"
        "  mass: {reaction: weld, axes: a, about: mass, quantity: moment, component: magnitude}\n"
        "  wall: {reaction: weld, axes: d, on: b}\n");
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    mechanism_run(&m, 0.001, 5, NULL);
    const double W = 2.0 * 9.81;
    expect(&m, "root", 2, W);
    expect(&m, "root", 3, -W * 1.0); /* -y of the world is -x of C */
    expect(&m, "root", 4, 0.0);
    expect(&m, "world", 4, -W * 1.0);
    expect(&m, "end", 4, W * 1.0);
    expect(&m, "mass", 0, 0.0);
    expect(&m, "wall", 2, -W);
    expect(&m, "wall", 3, W * 1.0);
    mechanism_free(&m);
}
END_TEST

/* Before any step, in every way of stepping. */
START_TEST(reactions_of_a_start)
{
    mechanism m = mechanism_read(
        "tenon: 1\n"
        "bodies: {bar: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}}\n"
        "joints: {pin: {type: hinge, a: bar, b: ground, origin: [0, 0, 0], axis: [0, 1, 0]}}\n"
        "measures: {pin: {reaction: pin, quantity: force, axes: world}}\n");
    tn_sim_options options = mechanism_compile(&m, _i);
    mechanism_start_with(&m, &options);
    ck_assert_int_eq(tn_sim_start(m.sim, 0.01, NULL), TN_OK);
    /* let go from the horizontal: W - m a, a = g m r^2 / (m r^2 + I) at the centre */
    expect(&m, "pin", 2, 2.0 * 9.81 * (1.0 - 2.0 / 3.0));
    expect(&m, "pin", 0, 0.0);
    ck_assert_double_eq(tn_sim_time(m.sim), 0.0);
    mechanism_free(&m);
}
END_TEST

START_TEST(statistics_of_a_sine)
{
    tn_statistics s = tn_statistics_begin(0.5);
    const double period = 2.0, w = 3.14159265358979323846;
    for (int k = 0; k <= 20000; k++)
        tn_statistics_add(&s, 1.0 + period * k / 20000.0, 2.0 * sin(w * period * k / 20000.0));
    ck_assert_double_eq_tol(s.mean, 0.0, 1e-9);
    ck_assert_double_eq_tol(s.rms, sqrt(2.0), 1e-7);
    ck_assert_double_eq_tol(s.max, 2.0, 1e-7);
    ck_assert_double_eq_tol(s.max_time, 1.5, 1e-3);
    ck_assert_double_eq_tol(s.min_time, 2.5, 1e-3);
    ck_assert_double_eq_tol(s.above_time, 1.0 + asin(0.25) / w, 1e-7);
    s = tn_statistics_begin((double)NAN);
    tn_statistics_add(&s, 0.0, 3.0);
    tn_statistics_add(&s, 1.0, (double)NAN);
    ck_assert_double_eq(s.mean, 3.0);
    ck_assert_double_eq(s.rms, 3.0);
    ck_assert(isnan(s.above_time));
}
END_TEST

/* Integrators of first order have no accelerations, and say so. */
START_TEST(what_is_not_known_is_no_number)
{
    mechanism m = turning(0, "[0, 0, 0]", "0");
    tn_sim_options options = tn_default_sim_options(m.model);
    options.integrator = TN_BACKWARD_EULER;
    tn_sim_destroy(m.sim);
    ck_assert_int_eq(tn_sim_create(m.model, &options, NULL, &m.sim), TN_OK);
    mechanism_run(&m, 0.01, 3, NULL);
    ck_assert(isnan(value(&m, "acceleration", 0)));
    ck_assert(isnan(value(&m, "tip_acc", 0)));
    ck_assert_double_eq_tol(value(&m, "speed", 0), RATE, 1e-9);
    mechanism_free(&m);
}
END_TEST

/* ---- files ---- */

static const mistake mistakes[] = {
    {"  m: {}\n", "does not say what it is of", "coordinate"},
    {"  m: 3\n", "must be a mapping", NULL},
    {"  m: {quantity: speed}\n", "does not say what it is of", NULL},
    {"  m: {coordinate: pin.teta}\n", "no coordinate 'teta'", "theta"},
    {"  m: {coordinate: pni.theta}\n", "unknown joint 'pni'", "pin"},
    {"  m: {coordinate: pin}\n", "names no coordinate", NULL},
    {"  m: {coordinate: pin.theta, quantity: sped}\n", "has no quantity 'sped'", "speed"},
    {"  m: {coordinate: pin.theta, quantity: force}\n", "has no quantity 'force'", NULL},
    {"  m: {coordinate: pin.theta, part: moter}\n", "moter", "motor"},
    {"  m: {coordinate: pin.theta, axes: c}\n", "'axes' does not belong", NULL},
    {"  m: {coordinate: pin.theta, component: x}\n", "'component' does not belong", NULL},
    {"  m: {reaction: pinn}\n", "unknown joint 'pinn'", "pin"},
    {"  m: {reaction: pin, axes: e}\n", "'e'", NULL},
    {"  m: {reaction: pin, about: nowhere}\n", "unknown marker 'nowhere'", NULL},
    {"  m: {reaction: pin, on: c}\n", "'c'", NULL},
    {"  m: {reaction: pin, component: x}\n", "'wrench' has no component 'x'", "quantity: force"},
    {"  m: {reaction: pin, component: magnitude}\n", "no common magnitude", "quantity: force"},
    {"  m: {reaction: pin, quantity: force, component: w}\n", "'w'", NULL},
    {"  m: {reaction: pin, relative_to: tip}\n", "'relative_to' does not belong", NULL},
    {"  m: {marker: top}\n", "unknown marker 'top'", "tip"},
    {"  m: {marker: tip, quantity: jerk}\n", "has no quantity 'jerk'", NULL},
    {"  m: {marker: tip, relative_to: pots}\n", "unknown marker 'pots'", "post"},
    {"  m: {distance: tip}\n", "a list of two markers", NULL},
    {"  m: {distance: [tip]}\n", "a list of two markers", NULL},
    {"  m: {distance: [tip, pst]}\n", "unknown marker 'pst'", "post"},
    {"  m: {distance: [tip, post], component: x}\n", "'component' does not belong", NULL},
    {"  m: {angle: [tip, post, tip]}\n", "a list of two markers", NULL},
    {"  m: {energy: heat}\n", "there is no energy 'heat'", NULL},
    {"  m: {energy: kinetc}\n", "there is no energy 'kinetc'", "kinetic"},
    {"  m: {energy: total, part: motor}\n", "'part' does not belong", NULL},
    {"  m: {momentum: total}\n", "there is no momentum 'total'", NULL},
    {"  m: {load: wind}\n", "unknown load 'wind'", NULL},
    {"  m: {coordinate: pin.theta, marker: tip}\n", "only one of", NULL},
    {"  m: {coordinate: pin.theta, above: high}\n", "above", NULL},
    {"  m: {coordinate: pin.theta, abve: 1}\n", "unknown key 'abve'", "above"},
};

static const char head[] = "tenon: 1\nbodies:\n"
                           "  bar: {mass: 1, inertia: [1, 1, 1]}\n"
                           "joints:\n"
                           "  pin: {type: hinge, a: bar, b: ground, frame: {}}\n"
                           "markers:\n"
                           "  tip: {body: bar}\n"
                           "  post: {body: ground}\n"
                           "measures:\n";

START_TEST(mistakes_are_located)
{
    expect_mistake(head, &mistakes[_i], 10, 10);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("measures");
    TCase *tc = tcase_create("measures");
    tcase_add_loop_test(tc, a_crank_at_constant_speed, 0, 2);
    tcase_add_loop_test(tc, a_crank_that_speeds_up, 0, 2);
    tcase_add_loop_test(tc, values_have_names_and_units, 0, 2);
    tcase_add_test(tc, reactions_are_where_and_as_asked_for);
    tcase_add_loop_test(tc, reactions_of_a_start, 0, METHODS);
    tcase_add_test(tc, statistics_of_a_sine);
    tcase_add_test(tc, what_is_not_known_is_no_number);
    tcase_add_loop_test(tc, mistakes_are_located, 0, (int)(sizeof mistakes / sizeof *mistakes));
    suite_add_tcase(suite, tc);
    return suite;
}
