/* test_looks.c: looks at a motion that goes on (step/part/ahead.c): they do not change it, they are as
 * right as ends of parts, in the middle of a part a state is saved and changed as any other.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/mechanism.h"
#include "support/run_main.h"
#include "support/sample_mechanisms.h"
#include "support/saved_states.h"
#include "support/trajectories.h"

typedef struct moving {
    const char *name;
    mechanism (*build)(void);
    double duration; /* s */
    double speed;    /* m/s or rad/s, 1 or more: what it comes to */
    double energy;   /* J, that it turns over */
} moving;

/* A swing on a spring with a damper, and a load of the model. */
static mechanism damped_swing(void)
{
    return mechanism_read(
        "tenon: 1\nbodies: {a: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]},\n"
        "  b: {mass: 2, inertia: [0.1, 0.2, 0.1], position: [1.5, 0, 0]}}\n"
        "joints:\n  p: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 1, 0],\n"
        "    spring: {theta: {stiffness: 20, damping: 0.5}}}\n"
        "  q: {type: hinge, a: b, b: a, origin: [1, 0, 0], axis: [0, 1, 0]}\n"
        "loads: {push: {coordinate: q.theta, effort: 3}}\n");
}

/* A four-bar linkage whose crank is led, pushed by a load that swings. */
static mechanism led_linkage(void)
{
    return mechanism_read(
        "tenon: 1\nworld: planar\nbodies: {c: {mass: 1, inertia: 0.02, position: [0, 0.1]},\n"
        "  l: {mass: 1, inertia: 0.1, position: [0.3, 0.25]},\n"
        "  r: {mass: 1, inertia: 0.05, position: [0.6, 0.15]}}\n"
        "joints:\n  o: {type: hinge, a: c, origin: [0, 0], drive: {theta: {position: {sine: [1.2, "
        "5, "
        "0, 0]}}}}\n"
        "  k: {type: hinge, a: l, b: c, origin: [0, 0.2]}\n"
        "  h: {type: hinge, a: r, b: l, origin: [0.6, 0.3]}\n"
        "  b: {type: hinge, a: r, origin: [0.6, 0]}\n"
        "loads: {push: {body: l, force: [{sine: [20, 9, 0, 0]}, 0]}}\n");
}

/* Tables and splines over the time: parts end at their points; of one hinge with far limits. */
static mechanism led_by_points(void)
{
    return mechanism_read(
        "tenon: 1\nbodies: {a: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]},\n"
        "  b: {mass: 2, inertia: [0.1, 0.2, 0.1], position: [1.5, 0, 0]}}\n"
        "joints:\n  p: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 1, 0], range: {theta: [-9, "
        "9]},\n    spring: {theta: {stiffness: 20, damping: 0.5, rest: {sine: [0.5, 4, 0, 0]}}}}\n"
        "  q: {type: hinge, a: b, b: a, origin: [1, 0, 0], axis: [0, 1, 0],\n"
        "    drive: {theta: {position: {spline: [0, 0, 0.31, 0.4, 0.77, -0.2, 1.3, 0.3, 2, 0]}}}}\n"
        "loads: {push: {coordinate: p.theta, effort: {table: [0, 0, 0.4, 9, 0.45, -3, 2, 1]}}}\n");
}

static mechanism squeezer(void)
{
    return mechanism_read_file("models/andrews.yaml");
}

static const moving all[] = {
    {"Bricard", sample_bricard, 2.0, 5.0, 10.0},
    {"top", sample_top, 2.0, 3.0, 1.0},
    {"squeezer", squeezer, 0.03, 1000.0, 0.3},
    {"mixed", sample_mixed, 1.0, 10.0, 10.0},
    {"damped swing", damped_swing, 1.5, 10.0, 30.0},
    {"led linkage", led_linkage, 2.0, 10.0, 50.0},
    {"led by points", led_by_points, 1.5, 10.0, 50.0},
};
enum { MOVING = sizeof all / sizeof *all };

static mechanism start(const moving *what, double accuracy)
{
    mechanism m = what->build();
    tn_sim_options options = mechanism_compile(&m, 0);
    options.integrator = TN_ACCURATE_INTEGRATOR;
    options.accuracy = accuracy;
    mechanism_start_with(&m, &options);
    return m;
}

/* To the end with so many looks; parts taken, those tried again among them. */
static int look(mechanism *m, double duration, int looks)
{
    int parts = 0;
    for (int k = 1; k <= looks; k++) {
        tn_step_report report;
        ck_assert_int_eq(tn_sim_advance(m->sim, duration * k / looks, &report), TN_OK);
        ck_assert_double_le(report.position_error, 1e-11);
        ck_assert_double_le(report.angle_error, 1e-11);
        parts += report.parts + report.rejections;
    }
    return parts;
}

static double apart(const mechanism *a, const mechanism *b)
{
    double worst = 0.0;
    for (int i = 0; i < tn_model_get_size(a->model).bodies; i++) {
        const tn_pose p = tn_sim_body_pose(a->sim, (tn_body){i}),
                      q = tn_sim_body_pose(b->sim, (tn_body){i});
        const tn_twist u = tn_sim_body_velocity(a->sim, (tn_body){i}),
                       v = tn_sim_body_velocity(b->sim, (tn_body){i});
        worst = fmax(worst, vec_norm(vec_sub(p.p, q.p)));
        worst = fmax(worst, fabs(p.q.w - q.q.w) + fabs(p.q.x - q.q.x) + fabs(p.q.y - q.q.y));
        worst = fmax(worst, vec_norm(vec_sub(u.v, v.v)) + vec_norm(vec_sub(u.w, v.w)));
    }
    return worst;
}

/* As many parts, and the same place but for rounding, however often somebody looks. */
START_TEST(looks_do_not_change_the_motion)
{
    const moving *what = &all[_i];
    mechanism seldom = start(what, 1e-6);
    const int parts = look(&seldom, what->duration, 1);
    static const int looks[] = {10, 37, 300};
    for (int k = 0; k < 3; k++) {
        mechanism often = start(what, 1e-6);
        const int as_many = look(&often, what->duration, looks[k]);
        printf("%-12s %3d looks: %d parts, %d with one; %.1e apart\n", what->name, looks[k],
               as_many, parts, apart(&seldom, &often));
        ck_assert_int_eq(as_many, parts);
        ck_assert_double_le(apart(&seldom, &often), 1e-10);
        mechanism_free(&often);
    }
    mechanism_free(&seldom);
}
END_TEST

static double books(const mechanism *m)
{
    const tn_energy e = tn_sim_energy(m->sim);
    return e.total - e.work + e.lost;
}

/* What is seen errs by no more than was asked for, against looks within much finer parts, and so do
 * the works. */
START_TEST(looks_are_as_right_as_ends)
{
    const moving *what = &all[_i];
    for (double accuracy = 1e-2; accuracy > 1e-9; accuracy *= 1e-2) {
        mechanism m = start(what, accuracy), fine = start(what, 1e-11);
        double off = 0.0, made = 0.0, before = books(&m);
        for (int k = 1; k <= 50; k++) {
            ck_assert_int_eq(tn_sim_advance(m.sim, what->duration * k / 50, NULL), TN_OK);
            ck_assert_int_eq(tn_sim_advance(fine.sim, what->duration * k / 50, NULL), TN_OK);
            off = fmax(off, apart(&m, &fine));
            made = fmax(made, fabs(books(&m) - before));
        }
        printf("%-12s accuracy %.0e: off by %.1e, %.1e J made\n", what->name, accuracy, off, made);
        ck_assert_double_le(off, accuracy * what->speed);
        ck_assert_double_le(made, accuracy * what->energy);
        mechanism_free(&m);
        mechanism_free(&fine);
    }
}
END_TEST

/* From a state in the middle of a part, in a simulation that has been elsewhere: the same bits. */
START_TEST(looks_are_saved)
{
    const moving *what = &all[_i];
    mechanism m = start(what, 1e-6), other = start(what, 1e-6);
    look(&other, what->duration, 3);
    for (int k = 1; k < 30; k++) {
        ck_assert_int_eq(tn_sim_advance(m.sim, what->duration * k / 30, NULL), TN_OK);
        void *middle = saved_state(m.sim);
        ck_assert_int_eq(tn_sim_advance(m.sim, what->duration * (k + 0.3) / 30, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_advance(m.sim, what->duration * (k + 0.6) / 30, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_restore(other.sim, middle), TN_OK);
        ck_assert_int_eq(tn_sim_advance(other.sim, what->duration * (k + 0.3) / 30, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_advance(other.sim, what->duration * (k + 0.6) / 30, NULL), TN_OK);
        ck_assert(is_same_saved(m.sim, other.sim));
        free(middle);
    }
    mechanism_free(&m);
    mechanism_free(&other);
}
END_TEST

/* Who changes something goes on from what he saw: turned back, a motion without losses comes back. */
START_TEST(what_is_changed_at_a_look_counts)
{
    mechanism m = start(&all[0], 1e-9), there = start(&all[0], 1e-9);
    ck_assert_int_eq(tn_sim_advance(m.sim, 0.37, NULL), TN_OK);
    for (int i = 0; i < tn_model_get_size(m.model).bodies; i++) {
        const tn_twist u = tn_sim_body_velocity(m.sim, (tn_body){i});
        const tn_twist back = {vec(-u.v.x, -u.v.y, -u.v.z), vec(-u.w.x, -u.w.y, -u.w.z)};
        ck_assert_int_eq(tn_sim_set_body_velocity(m.sim, (tn_body){i}, back), TN_OK);
    }
    ck_assert_int_eq(tn_sim_advance(m.sim, 0.74, NULL), TN_OK);
    double off = 0.0;
    for (int i = 0; i < tn_model_get_size(m.model).bodies; i++) {
        off = fmax(off, vec_norm(vec_sub(tn_sim_body_pose(m.sim, (tn_body){i}).p,
                                         tn_sim_body_pose(there.sim, (tn_body){i}).p)));
    }
    printf("back again: off by %.1e m\n", off);
    ck_assert_double_le(off, 1e-8);
    mechanism_free(&m);
    mechanism_free(&there);
}
END_TEST

/* A part goes on over looks: most of them take none. */
START_TEST(parts_go_on_over_looks)
{
    mechanism m = start(&all[0], 1e-3);
    int none = 0;
    for (int k = 1; k <= 200; k++) {
        tn_step_report report;
        ck_assert_int_eq(tn_sim_advance(m.sim, 0.01 * k, &report), TN_OK);
        none += report.parts == 0;
    }
    ck_assert_int_ge(none, 150);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("looks");
    TCase *tests = tcase_create("looks");
    tcase_add_loop_test(tests, looks_do_not_change_the_motion, 0, MOVING);
    tcase_add_loop_test(tests, looks_are_as_right_as_ends, 0, MOVING);
    tcase_add_loop_test(tests, looks_are_saved, 0, MOVING);
    tcase_add_test(tests, what_is_changed_at_a_look_counts);
    tcase_add_test(tests, parts_go_on_over_looks);
    tcase_set_timeout(tests, 120.0);
    suite_add_tcase(suite, tests);
    return suite;
}
