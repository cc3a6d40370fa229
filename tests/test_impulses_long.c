/* test_impulses_long.c: sequential impulses over up to ten thousand steps of 1/60 s with the settings for
 * games: ten iterations, no events within steps.
 *
 * What Box2D 2.4 leaves open with as many iterations is the measure: 0.020 m in a swinging chain of
 * twenty planks of half a metre. Energy may be lost, not made.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mechanism.h"
#include "run_main.h"
#include "support/heavy.h"
#include "tenon/io.h"

#define STEP (1.0 / 60.0)
enum { STEPS = ALL_OR_FEW(10000, 1500) };

static tn_sim_options game(mechanism *m, tn_integrator integrator)
{
    tn_sim_options options = mechanism_compile(m, (int)integrator);
    options.solver = TN_SOLVER_SEQUENTIAL_IMPULSES;
    options.events = TN_EVENTS_AT_STEPS;
    options.iterations = 10;
    return options;
}

/* What the position pass lifts between two moments, of the energy turned over; it is lost again. */
#define RISEN           0.05
#define RISEN_AT_LIMITS 0.3

typedef struct outcome {
    double position, angle; /* m, rad: the worst of all steps */
    double made;            /* J above the start; 0: never */
    double risen; /* of the energy turned over: the largest rise on the way, by the position pass */
    int halvings;
} outcome;

static outcome run(mechanism *m, tn_integrator integrator, const char *name, int steps)
{
    const tn_sim_options options = game(m, integrator);
    outcome out = {0};
    mechanism_start_with(m, &options);
    const double before = tn_sim_energy(m->sim).total;
    for (int k = 0; k < steps; k++) {
        tn_step_report report;
        const tn_status status = tn_sim_step(m->sim, STEP, &report);
        ck_assert_msg(status == TN_OK, "%s: %s at step %d", name, tn_status_text(status), k);
        out.position = fmax(out.position, report.position_error);
        out.angle = fmax(out.angle, report.angle_error);
        out.made = fmax(out.made, tn_sim_energy(m->sim).total - before);
        out.halvings += report.halvings;
    }
    out.risen = tn_sim_accuracy(m->sim).energy_share;
    printf("%s: open by %.2g m, %.2g rad at worst, %.2g J made, %.2g risen, %d steps cut\n", name,
           out.position, out.angle, out.made, out.risen, out.halvings);
    return out;
}

static mechanism read_defect(const char *name)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/defects/%s", TN_TEST_DATA, name);
    mechanism m = {NULL, NULL, NULL};
    ck_assert_int_eq(tn_spec_read_file(path, NULL, &m.spec), TN_OK);
    return m;
}

static const tn_integrator integrators[] = {TN_BACKWARD_EULER, TN_CONSTRAINED_BACKWARD_EULER};

START_TEST(a_chain_of_planks)
{
    mechanism m = read_defect("impulses_chain.yaml");
    const outcome out = run(&m, integrators[_i], "20 planks", STEPS);
    ck_assert_double_lt(out.position, 0.02);
    ck_assert_double_eq(out.made, 0.0);
    ck_assert_double_le(out.risen, RISEN);
    mechanism_free(&m);
}
END_TEST

/* Planks of 6 kg and half a metre in a row from the origin, the last `tip` times as heavy; hinges
 * whose axes turn by 0.7 rad from one to the next, or balls. */
static mechanism chain_in_space(int n, double tip, const char *joint, double range)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -9.81));
    for (int k = 0; k < n; k++) {
        tn_body_def def = tn_default_body_def();
        def.pose.p = vec(0.5 * k + 0.25, 0.0, 0.0);
        def.mass = 6.0 * (k == n - 1 ? tip : 1.0);
        def.com = vec(0.0, 0.0, 0.0);
        def.inertia = mat_diagonal(def.mass / 480.0, def.mass / 48.0, def.mass / 48.0);
        const tn_body body = mechanism_body(&m, &def);
        tn_joint_def pin =
            mechanism_axis_def(joint, body, k ? (tn_body){k - 1} : tn_ground(),
                               vec(0.5 * k, 0.0, 0.0), vec(0.0, cos(0.7 * k), sin(0.7 * k)));
        if (range > 0.0) {
            pin.lower[0] = -range;
            pin.upper[0] = range;
        }
        mechanism_joint(&m, &pin);
    }
    return m;
}

/* Allowed, m and rad: of lengths of 10 and 2.5 m. */
static const struct {
    const char *name, *joint;
    int links;
    double tip, range;
    double position, angle;
} chains[] = {
    {"20 hinges askew", "hinge", 20, 1.0, 0.0, 0.02, 0.1},
    {"20 balls", "spherical", 20, 1.0, 0.0, 0.02, 1e-9},
    {"5 hinges, a tip of 100", "hinge", 5, 100.0, 0.0, 0.06, 0.05},
    {"20 hinges, a tip of 100", "hinge", 20, 100.0, 0.0, 0.11, 0.05},
    {"5 hinges with limits", "hinge", 5, 1.0, 0.3, 0.05, 0.3},
};
enum { CHAINS = sizeof chains / sizeof *chains };

START_TEST(chains_in_space)
{
    mechanism m =
        chain_in_space(chains[_i].links, chains[_i].tip, chains[_i].joint, chains[_i].range);
    const outcome out = run(&m, TN_BACKWARD_EULER, chains[_i].name, STEPS / chains[_i].links * 5);
    ck_assert_double_le(out.position, chains[_i].position);
    ck_assert_double_le(out.angle, chains[_i].angle);
    ck_assert_double_eq(out.made, 0.0);
    ck_assert_double_le(out.risen, chains[_i].range > 0.0 ? RISEN_AT_LIMITS : RISEN);
    ck_assert_int_eq(out.halvings, 0);
    mechanism_free(&m);
}
END_TEST

/* Half of a rag doll that hangs by its head: knees and elbows that bend one way, hands of 0.3 kg on
 * a trunk of 30. */
START_TEST(a_rag_doll)
{
    mechanism m = mechanism_read(
        "tenon: 1\n"
        "gravity: [3, 4, -8]\n"
        "bodies:\n"
        "  trunk: {position: [0, 0, 0], mass: 30, inertia: [1.0, 1.1, 0.33]}\n"
        "  head: {position: [0, 0, 0.5], mass: 5, inertia: [0.05, 0.05, 0.03]}\n"
        "  arm: {position: [0.35, 0, 0.25], mass: 2, inertia: [0.002, 0.016, 0.016]}\n"
        "  fore: {position: [0.65, 0, 0.25], mass: 1.5, inertia: [0.0016, 0.012, 0.012]}\n"
        "  hand: {position: [0.85, 0, 0.25], mass: 0.3, inertia: [2.0e-4, 3.0e-4, 4.0e-4]}\n"
        "  thigh: {position: [0.1, 0, -0.5], mass: 8, inertia: [0.12, 0.12, 0.02]}\n"
        "  shin: {position: [0.1, 0, -0.9], mass: 4, inertia: [0.06, 0.06, 0.007]}\n"
        "  foot: {position: [0.1, 0.05, -1.15], mass: 1, inertia: [0.006, 0.0014, 0.006]}\n"
        "joints:\n"
        "  hook: {type: spherical, a: head, origin: [0, 0, 0.65]}\n"
        "  neck: {type: spherical, a: head, b: trunk, origin: [0, 0, 0.33]}\n"
        "  shoulder: {type: spherical, a: arm, b: trunk, origin: [0.2, 0, 0.25]}\n"
        "  elbow: {type: hinge, a: fore, b: arm, origin: [0.5, 0, 0.25], axis: [0, 0, 1],"
        " range: {theta: [-0.1, 2]}}\n"
        "  wrist: {type: hinge, a: hand, b: fore, origin: [0.8, 0, 0.25], axis: [0, 1, 0],"
        " range: {theta: [-1, 1]}}\n"
        "  hip: {type: spherical, a: thigh, b: trunk, origin: [0.1, 0, -0.3]}\n"
        "  knee: {type: hinge, a: shin, b: thigh, origin: [0.1, 0, -0.7], axis: [1, 0, 0],"
        " range: {theta: [-0.05, 2.2]}}\n"
        "  ankle: {type: hinge, a: foot, b: shin, origin: [0.1, 0, -1.1], axis: [1, 0, 0],"
        " range: {theta: [-0.6, 0.6]}}\n");
    const outcome out = run(&m, TN_BACKWARD_EULER, "rag doll", STEPS);
    ck_assert_double_lt(out.position, 0.005);
    ck_assert_double_lt(out.angle, 0.005);
    ck_assert_double_eq(out.made, 0.0);
    ck_assert_double_le(out.risen, RISEN);
    mechanism_free(&m);
}
END_TEST

/* Ten thousand times the mass on the tip is more than ten iterations carry: a joint comes apart,
 * which is an error that names it. */
START_TEST(what_comes_apart_is_refused)
{
    mechanism m = chain_in_space(20, 1e4, "hinge", 0.0);
    const tn_sim_options options = game(&m, TN_BACKWARD_EULER);
    tn_step_report report;
    tn_status status = TN_OK;
    mechanism_start_with(&m, &options);
    for (int k = 0; k < 600 && status == TN_OK; k++) {
        status = tn_sim_step(m.sim, STEP, &report);
        ck_assert(status != TN_OK || (report.position_error < 0.5 && report.angle_error < 0.5));
    }
    ck_assert_int_ne(status, TN_OK);
    ck_assert_int_ge(report.culprit_joint.i, 0);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("impulses over long runs");
    TCase *test = tcase_create("games");
    tcase_set_timeout(test, 240.0);
    tcase_add_loop_test(test, a_chain_of_planks, 0, 2);
    tcase_add_loop_test(test, chains_in_space, 0, CHAINS);
    tcase_add_test(test, a_rag_doll);
    tcase_add_test(test, what_comes_apart_is_refused);
    suite_add_tcase(suite, test);
    return suite;
}
