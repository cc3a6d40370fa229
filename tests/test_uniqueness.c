/* test_uniqueness.c: which reactions are not unique, whatever springs the mechanism has.
 *
 * Statics judges: what bodies feel fixes the reactions where joints do not repeat each other, and only there. A spring
 * along a motion adds a known force and takes no reaction's place.
 */
#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/mechanism.h"
#include "support/run_main.h"
#include "tenon/analysis.h"
#include "tenon/io.h"
#include "tenon/record.h"

enum { MOST_TEXT = 4096 };

/* A simulation of the text, in which %s stands for `with`. */
static mechanism read_model(const char *text, const char *with)
{
    char whole[MOST_TEXT];
    snprintf(whole, sizeof whole, text, with);
    mechanism m = {NULL, NULL, NULL};
    ck_assert_int_eq(tn_spec_read_string(whole, strlen(whole), "test", NULL, &m.spec), TN_OK);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    return m;
}

static tn_analysis look(const mechanism *m)
{
    tn_analysis analysis;
    ck_assert_int_eq(tn_sim_analyze(m->sim, NULL, &analysis), TN_OK);
    return analysis;
}

/* A door on two hinges in line: of each only the moment about its axis is unique. */
static const char door_text[] =
    "tenon: 1\n"
    "bodies:\n"
    "  door: {mass: 10, inertia: [1, 1, 1], position: [0.4, 0, 0]}\n"
    "joints:\n"
    "  low: {type: hinge, a: door, origin: [0, 0, -0.5], axis: [0, 0, 1]%s}\n"
    "  high: {type: hinge, a: door, origin: [0, 0, 0.5], axis: [0, 0, 1]}\n";

static const char coil_text[] =
    "tenon: 1\n"
    "bodies:\n"
    "  door: {mass: 10, inertia: [1, 1, 1], position: [0.4, 0, 0]}\n"
    "joints:\n"
    "  low: {type: hinge, a: door, origin: [0, 0, -0.5], axis: [0, 0, 1]}\n"
    "  high: {type: hinge, a: door, origin: [0, 0, 0.5], axis: [0, 0, 1]}\n"
    "  coil: {type: distance, a: door, frame_c: {position: [0.8, 0, 0]}, frame_d: {position: [0.8, "
    "1, 0]},\n"
    "         spring: {length: {stiffness: 30, rest: %s}}}\n";

static void check_door_of(const char *text, const char *with)
{
    mechanism m = read_model(text, with);
    tn_analysis a = look(&m);
    ck_assert_int_eq(a.redundant, 5);
    ck_assert_int_eq(a.permanent, 5);
    ck_assert_int_eq(a.indeterminate, 5);
    for (int j = 0; j < 2; j++)
        ck_assert_msg(a.joints[j].wrench == 32u, "'%s', joint %d: %x", with, j, a.joints[j].wrench);
    ck_assert_msg(a.change_count == 1, "'%s': %d changes", with, (int)a.change_count);
    ck_assert_msg(a.residual < 1e-9, "'%s' is open by %g", with, a.residual);
    tn_analysis_free(&a);
    mechanism_free(&m);
}

START_TEST(a_spring_hides_nothing_of_a_door)
{
    static const char *const springs[] = {
        "",
        ", spring: {theta: {stiffness: 3, rest: 0}}",
        ", spring: {theta: {stiffness: 3, rest: 0.01}}",
        ", spring: {theta: {stiffness: 3, rest: 0.5}}",
        ", spring: {theta: {stiffness: 3, damping: 1, rest: 0.5}}",
        ", spring: {theta: {stiffness: 3}}, initial: {theta: 0.5}",
        ", spring: {theta: {force: {table: [[-1, 4], [0, 1], [1, -3]]}}}",
    };
    for (size_t k = 0; k < sizeof springs / sizeof springs[0]; k++)
        check_door_of(door_text, springs[k]);
    check_door_of(coil_text, "1");
    check_door_of(coil_text, "0.5");
}
END_TEST

/* What yields shares by how much it does, whether the file says so or it is set later. */
START_TEST(rows_that_yield_since_are_unique)
{
    mechanism m = read_model(door_text, "");
    for (int32_t row = 0; row < 5; row++)
        ck_assert_int_eq(tn_sim_set_compliance(m.sim, (tn_joint){1}, row, 1e-6, 0.0), TN_OK);
    tn_analysis a = look(&m);
    ck_assert_int_eq(a.indeterminate, 0);
    ck_assert_uint_eq(a.joints[0].wrench & a.joints[1].wrench, 63u);
    tn_analysis_free(&a);
    mechanism_free(&m);
}
END_TEST

/* Two gears that say the same, and a third that only pulls by its spring. */
static const char gears_text[] = "tenon: 1\n"
                                 "bodies:\n"
                                 "  a: {mass: 1, inertia: [1, 1, 1]}\n"
                                 "  b: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
                                 "joints:\n"
                                 "  ga: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 0, 1]}\n"
                                 "  gb: {type: hinge, a: b, origin: [1, 0, 0], axis: [0, 0, 1]}\n"
                                 "couplings:\n"
                                 "  g1: {gear: {a: ga.theta, b: gb.theta, ratio: -2}}\n"
                                 "  g2: {gear: {a: ga.theta, b: gb.theta, ratio: 1}, hold: "
                                 "in_range, spring: {stiffness: 3, rest: %s}}\n"
                                 "  g3: {gear: {a: gb.theta, b: ga.theta, ratio: -1/2}}\n";

START_TEST(a_spring_of_a_coupling_hides_nothing)
{
    static const char *const rests[] = {"0", "1"};
    for (int k = 0; k < 2; k++) {
        mechanism m = read_model(gears_text, rests[k]);
        tn_analysis a = look(&m);
        ck_assert_int_eq(a.indeterminate, 1);
        for (int c = 0; c < 3; c++) {
            const tn_joint coupling = tn_model_coupling_joint(m.model, (tn_coupling){c});
            ck_assert_int_eq(tn_analysis_row_is_unique(&a, coupling, 0), c == 1);
        }
        tn_analysis_free(&a);
        mechanism_free(&m);
    }
}
END_TEST

/* Of a planar four-bar in space the forces across its plane, and moments in it; it goes on as its spring relaxes. */
static const char bars_text[] =
    "tenon: 1\n"
    "bodies:\n"
    "  crank: {position: [0, 0, 0.15], mass: 1, inertia: [0.01, 0.01, 0.001]}\n"
    "  coupler: {position: [0.4, 0.1, 0.4], mass: 1, inertia: [0.01, 0.05, 0.05]}\n"
    "  rocker: {position: [0.8, 0, 0.25], mass: 1, inertia: [0.02, 0.02, 0.001]}\n"
    "joints:\n"
    "  o: {type: hinge, a: crank, origin: [0, 0, 0], axis: [0, 1, 0], spring: {theta: {stiffness: "
    "5, rest: %s}}}\n"
    "  k: {type: hinge, a: coupler, b: crank, origin: [0, 0, 0.3], axis: [0, 1, 0]}\n"
    "  h: {type: hinge, a: rocker, b: coupler, origin: [0.8, 0, 0.5], axis: [0, 1, 0]}\n"
    "  b: {type: hinge, a: rocker, origin: [0.8, 0, 0], axis: [0, 1, 0]}\n";

START_TEST(a_spring_hides_nothing_of_a_four_bar)
{
    mechanism m = read_model(bars_text, "0.3");
    for (int run = 0; run < 2; run++) {
        tn_analysis a = look(&m);
        ck_assert_int_eq(a.permanent, 3);
        ck_assert_int_gt(a.witnesses, 0); /* poses nearby are reached in spite of the spring */
        for (int j = 0; j < 4; j++)
            ck_assert_uint_eq(a.joints[j].wrench, 3u | 32u); /* the hinge's z is its axis */
        tn_analysis_free(&a);
        mechanism_run(&m, 1e-3, 200, NULL);
    }
    mechanism_free(&m);
}
END_TEST

/* ---- friction ---- */

/* A bar on two cranks, and on a third of the same length or not: pulls along it are then one of many. */
static const char legs_text[] =
    "tenon: 1\n"
    "world: planar\n"
    "bodies:\n"
    "  bar: {position: [1.2, 0.4], mass: 2, inertia: 0.2}\n"
    "  c0: {position: [0.1, 0.2], mass: 1, inertia: 0.02}\n"
    "  c1: {position: [1.1, 0.2], mass: 1, inertia: 0.02}\n"
    "  c2: {position: [2.1, 0.2], mass: 1, inertia: 0.02}\n"
    "joints:\n"
    "  f0: {type: hinge, a: c0, origin: [0, 0], friction: {theta: {%s}}}\n"
    "  h0: {type: hinge, a: bar, b: c0, origin: [0.2, 0.4], speed: {theta: -1}}\n"
    "  f1: {type: hinge, a: c1, origin: [1, 0]}\n"
    "  h1: {type: hinge, a: bar, b: c1, origin: [1.2, 0.4]}\n"
    "  f2: {type: hinge, a: c2, origin: [2, 0]}\n"
    "%s"
    "measures:\n"
    "  rubs: {coordinate: f0.theta, quantity: effort, part: friction}\n"
    "  power: {coordinate: f0.theta, quantity: power}\n"
    "  spring: {coordinate: f0.theta, quantity: effort, part: spring}\n";
#define HELD     "  h2: {type: hinge, a: bar, b: c2, origin: [2.2, 0.4]}\n"
#define YIELDING "  h2: {type: hinge, a: bar, b: c2, origin: [2.2, 0.4], compliance: 1.0e-6}\n"
#define BEARING  "coefficient: 0.2, radius: 0.05"

static mechanism make_legs(const char *friction, const char *third)
{
    char text[MOST_TEXT];
    snprintf(text, sizeof text, legs_text, friction, third);
    return read_model("%s", text);
}

/* By how much more or less the first pin may press, where the load is shared otherwise. */
static double press_left_open(const mechanism *m, const tn_analysis *a)
{
    double weights[8 * TN_MAX_ROWS], shared[8 * TN_MAX_ROWS], press[2];
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 8 * TN_MAX_ROWS; i++)
            weights[i] = k > 0 && i < TN_MAX_ROWS ? 1e3 : 1.0;
        tn_sim_get_multipliers(m->sim, shared);
        ck_assert_int_eq(tn_analysis_share(a, m->model, weights, shared), TN_OK);
        press[k] = hypot(shared[0], shared[1]);
    }
    return fabs(press[1] - press[0]) / press[0];
}

START_TEST(friction_by_what_is_shared_is_told)
{
    static const struct {
        const char *friction, *third;
        bool unique; /* what rubs */
    } cases[] = {{BEARING, "", true},
                 {BEARING, HELD, false},
                 {"static_coefficient: 0.2, radius: 0.05", HELD, false},
                 {"force: 1", HELD, true},
                 {BEARING, YIELDING, true}};
    for (int i = 0; i < 5; i++) {
        mechanism m = make_legs(cases[i].friction, cases[i].third);
        mechanism_run(&m, 1e-3, 10, NULL);
        tn_analysis a = look(&m);
        ck_assert_msg(tn_analysis_friction_is_unique(&a, (tn_joint){0}, 0) == cases[i].unique,
                      "case %d", i);
        const int32_t row = tn_model_joint_info(m.model, (tn_joint){0})->bilateral_count;
        ck_assert_int_eq(tn_analysis_row_is_unique(&a, (tn_joint){0}, row), cases[i].unique);
        ck_assert_int_eq(tn_analysis_friction_is_unique(&a, (tn_joint){1}, 0), 1);
        const bool shares = a.indeterminate > 0; /* whatever friction goes by */
        ck_assert_msg((press_left_open(&m, &a) > 0.01) == shares, "case %d", i);
        tn_analysis_free(&a);
        mechanism_free(&m);
    }
}
END_TEST

/* ---- files ---- */

#define CSV_NAME TN_TEST_OUTPUT "/uniqueness.csv"

/* The columns that a file says are not unique, "" for none. */
static void told_by_file(const mechanism *m, char told[MOST_TEXT])
{
    tn_recorder *recorder = NULL;
    tn_record_def def = *tn_model_record(m->model);
    def.what = TN_RECORD_ALL;
    ck_assert_int_eq(tn_recorder_create(m->sim, &def, &recorder), TN_OK);
    ck_assert_int_eq(tn_recorder_add_csv(recorder, CSV_NAME, NULL), TN_OK);
    tn_recorder_destroy(recorder);
    FILE *file = fopen(CSV_NAME, "r");
    ck_assert_ptr_nonnull(file);
    told[0] = '\0';
    char line[MOST_TEXT];
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "# not unique: ", 14) == 0)
            snprintf(told, MOST_TEXT, "%.*s", (int)strcspn(line + 14, "\n"), line + 14);
    }
    fclose(file);
}

/* Of a simulation as its first step begins, when limits, motors and friction hold what they can. */
static void check_file(const char *text, const char *with, const char *columns)
{
    char told[MOST_TEXT];
    mechanism m = read_model(text, with);
    ck_assert_int_eq(tn_sim_start(m.sim, 1e-3, NULL), TN_OK);
    told_by_file(&m, told);
    ck_assert_str_eq(told, columns);
    mechanism_free(&m);
}

START_TEST(friction_in_files_is_told)
{
    mechanism m = make_legs(BEARING, HELD);
    char told[MOST_TEXT];
    told_by_file(&m, told);
    ck_assert_str_eq(told, "f0.theta.effort,f0.fx,f0.fy,h0.fx,h0.fy,f1.fx,f1.fy,h1.fx,h1.fy,f2.fx,"
                           "f2.fy,h2.fx,h2.fy,rubs,power,f0.lambda0,f0.lambda1,h0.lambda0,"
                           "h0.lambda1,f1.lambda0,f1.lambda1,h1.lambda0,h1.lambda1,f2.lambda0,"
                           "f2.lambda1,h2.lambda0,h2.lambda1");
    mechanism_free(&m);
}
END_TEST

/* A bar on a hinge that is locked, its end on a vertical rod, 1 m from the hinge. Forces across are
 * unique, and moments about the end;
 * the vertical ones and the lock's moment are one of many ways to hold it. */
static const char bar_text[] =
    "tenon: 1\n"
    "world: planar\n"
    "bodies: {a: {mass: 1, inertia: 0.1, position: [0.5, 0]}}\n"
    "joints:\n"
    "  A: {type: hinge, a: a, origin: [0, 0]%s}\n"
    "  B: {type: rod, a: a, frame_c: {position: [1, 0]}, frame_d: {position: [1, 1]}}\n"
    "markers: {end: {body: a, position: [0.5, 0]}, above: {body: ground, position: [0, 1]}}\n"
    "measures:\n"
    "  lock: {coordinate: A.theta, quantity: effort}\n"
    "  power: {coordinate: A.theta, quantity: power}\n"
    "  spring: {coordinate: A.theta, quantity: effort, part: spring}\n"
    "  place: {coordinate: A.theta}\n"
    "  size: {reaction: B, quantity: force, component: magnitude}\n"
    "  across: {reaction: A, quantity: force, component: x}\n"
    "  turned: {reaction: A, quantity: force, axes: world}\n"
    "  at_end: {reaction: A, quantity: moment, about: end}\n"
    "  at_rod: {reaction: B, quantity: moment}\n"
    "  both: {reaction: A, quantity: wrench, about: above}\n"
    "  twice: =2*A.theta.effort\n"
    "  thrice: =1.5*twice + turned.x*1 m\n"
    "  angle: =2*A.theta + place\n"
    "  good: =turned.x + across\n"
    "  half: =turned.y/2\n";

START_TEST(efforts_and_measures_are_told)
{
    check_file(
        bar_text, ", locked: [theta]",
        "A.theta.effort,A.fy,A.m,B.length.effort,B.fy,lock,power,size,turned.y,both.fy,both.m,"
        "twice,thrice,half,A.lambda1");
    check_file(bar_text, "", "");
    check_file(bar_text, ", spring: {theta: {stiffness: 5, rest: 0.5}}", "");
}
END_TEST

/* ---- what holds ---- */

/* A parallelogram on the stops of its cranks: 5.886 N m are shared by two. The bar is pressed along
 * itself by what they share. */
static const char stops_text[] =
    "tenon: 1\n"
    "world: planar\n"
    "bodies:\n"
    "  c0: {position: [0.1, 0.2], mass: 1, inertia: 0.02}\n"
    "  bar: {position: [0.7, 0.4], mass: 2, inertia: 0.2}\n"
    "  c1: {position: [1.1, 0.2], mass: 1, inertia: 0.02}\n"
    "joints:\n"
    "  f0: {type: hinge, a: c0, origin: [0, 0], range: {theta: [0, 1]}}\n"
    "  h0: {type: hinge, a: bar, b: c0, origin: [0.2, 0.4]}\n"
    "  h1: {type: hinge, a: bar, b: c1, origin: [1.2, 0.4]}\n"
    "  f1: {type: hinge, a: c1, origin: [1, 0], range: {theta: [%s, 1]}}\n"
    "measures:\n"
    "  stop: {coordinate: f0.theta, quantity: effort, part: limit}\n"
    "  lock: {coordinate: f0.theta, quantity: effort, part: lock}\n";

START_TEST(of_two_stops_neither_is_unique)
{
    check_file(stops_text, "0",
               "f0.theta.effort,f0.fx,f0.m,h0.fx,h1.fx,f1.theta.effort,f1.fx,f1.m,stop,"
               "f0.lambda0,h0.lambda0,h1.lambda0,f1.lambda0");
    check_file(stops_text, "-1", "");
}
END_TEST

/* Of a table's feet only three are told by balance. */
static const char table_text[] =
    "tenon: 1\n"
    "bodies:\n"
    "  top: {mass: 20, inertia: [1, 1, 2], position: [0.1, 0.05, 0.7], center_of_mass: [0, 0, 0]}\n"
    "joints:\n"
    "  f:\n"
    "    repeat: %s\n"
    "    type: half_space\n"
    "    a: top\n"
    "    frame_c:\n"
    "      position:\n"
    "      - '=index < 2 ? 0.5 : -0.5'\n"
    "      - '=index == 0 || index == 2 ? -0.5 : 0.5'\n"
    "      - 0\n"
    "    frame_d: {}\n";

START_TEST(of_four_feet_none_is_unique)
{
    check_file(
        table_text, "4",
        "f[0].distance.effort,f[0].fz,f[1].distance.effort,f[1].fz,f[2].distance.effort,f[2].fz,"
        "f[3].distance.effort,f[3].fz");
    check_file(table_text, "3", "");
}
END_TEST

/* Two wheels in gear. What holds both shares; what is at its cap, or slips, gives what it gives. */
static const char wheels_text[] =
    "tenon: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [1, 1, 1]}\n"
    "  b: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
    "couplings:\n"
    "  g: {gear: {a: ga.theta, b: gb.theta, ratio: 2}}\n"
    "loads: {turn: {coordinate: ga.theta, effort: 1}}\n"
    "joints:\n"
    "  ga: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 0, 1]%s}\n";

/* What acts on the first wheel and on the second. */
static void check_wheels(const char *a, const char *b, bool shared)
{
    char with[MOST_TEXT];
    snprintf(with, sizeof with,
             ", %s}\n  gb: {type: hinge, a: b, origin: [1, 0, 0], axis: [0, 0, 1], %s", a, b);
    check_file(wheels_text, with,
               shared ? "ga.theta.effort,ga.mz,gb.theta.effort,gb.mz,g.force" : "");
}

START_TEST(of_two_that_hold_neither_is_unique)
{
    static const char *const holding[] = {
        "motor: {theta: {speed: 0}}",
        "motor: {theta: {speed: 0, max_force: 30}}",
        "friction: {theta: {force: 5}}",
        "drive: {theta: {position: 0}}",
        "locked: [theta]",
    };
    static const char *const giving[] = {
        "motor: {theta: {speed: 3, max_force: 0.1}}", "spring: {theta: {stiffness: 3, rest: 0.5}}",
        "friction: {theta: {viscous: 5}}", "range: {theta: [-1, 1]}"};
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 3; k++)
            check_wheels(holding[i], holding[k], true);
        for (int k = 0; k < 4; k++)
            check_wheels(holding[i], giving[k], false);
    }
}
END_TEST

/* Which of two that stick lets go first is by how they share, if they hold more than it takes to slip. */
START_TEST(what_lets_go_of_a_share_is_told)
{
    static const char with_text[] =
        ", friction: {theta: {%s}}}\n  gb: {type: hinge, a: b, origin: [1, 0, 0], axis: [0, 0, 1], "
        "friction: {theta: {%s}}";
    static const struct {
        const char *a, *b;
        int unique[2];
    } cases[] = {{"force: 5", "force: 5", {1, 1}},
                 {"force: 5, static_force: 6", "force: 5", {0, 1}},
                 {"force: 5", "force: 5, static_force: 6", {1, 0}},
                 {"force: 5, static_force: 6", "viscous: 1", {1, 1}}};
    for (int i = 0; i < 4; i++) {
        char with[MOST_TEXT];
        snprintf(with, sizeof with, with_text, cases[i].a, cases[i].b);
        mechanism m = read_model(wheels_text, with);
        ck_assert_int_eq(tn_sim_start(m.sim, 1e-3, NULL), TN_OK);
        tn_analysis a = look(&m);
        for (int j = 0; j < 2; j++) {
            const int told = tn_analysis_friction_is_unique(&a, (tn_joint){j}, 0);
            ck_assert_msg(told == cases[i].unique[j], "case %d, joint %d: %d", i, j, told);
        }
        tn_analysis_free(&a);
        mechanism_free(&m);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("uniqueness");
    TCase *tests = tcase_create("springs");
    tcase_add_test(tests, a_spring_hides_nothing_of_a_door);
    tcase_add_test(tests, rows_that_yield_since_are_unique);
    tcase_add_test(tests, a_spring_of_a_coupling_hides_nothing);
    tcase_add_test(tests, a_spring_hides_nothing_of_a_four_bar);
    suite_add_tcase(suite, tests);
    tests = tcase_create("friction");
    tcase_add_test(tests, friction_by_what_is_shared_is_told);
    tcase_add_test(tests, what_lets_go_of_a_share_is_told);
    suite_add_tcase(suite, tests);
    tests = tcase_create("files");
    tcase_add_test(tests, friction_in_files_is_told);
    tcase_add_test(tests, efforts_and_measures_are_told);
    suite_add_tcase(suite, tests);
    tests = tcase_create("what holds");
    tcase_add_test(tests, of_two_stops_neither_is_unique);
    tcase_add_test(tests, of_four_feet_none_is_unique);
    tcase_add_test(tests, of_two_that_hold_neither_is_unique);
    suite_add_tcase(suite, tests);
    return suite;
}
