/* test_dormand_prince.c: the error controlled integrator against closed forms and reference data
 * (tests/data/mechanisms), with the figures that their "Compare" lines ask for; what its tolerance
 * means; energy and momenta; and what it refuses.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/elliptic.h"
#include "support/limit_scenes.h"
#include "support/run_main.h"
#include "support/sample_mechanisms.h"
#include "support/saved_states.h"
#include "support/trajectories.h"

static const tn_vec3 Z = {0.0, 0.0, 1.0};

/* What steps took. */
typedef struct effort {
    int parts, rejections, factorizations;
} effort;

/* Steps of at most h to time t; every one must succeed. */
static void run_to(mechanism *m, double t, double h, effort *sum)
{
    while (t - tn_sim_time(m->sim) > 1e-12 * t) {
        tn_step_report report;
        const tn_status status = tn_sim_step(m->sim, fmin(h, t - tn_sim_time(m->sim)), &report);
        ck_assert_msg(status == TN_OK, "%s at t = %g", tn_status_text(status), tn_sim_time(m->sim));
        if (!sum)
            continue;
        sum->parts += report.parts;
        sum->rejections += report.rejections;
        sum->factorizations += report.factorizations;
    }
}

/* ---- known motions and reactions ---- */

typedef struct exact {
    const char *name;
    double h;         /* s, of the steps, which are divided as need be */
    double tolerance; /* relative, asked for */
    double error;     /* allowed */
} exact;

static const exact exacts[] = {
    {"N=1", 0.1, 1e-9, 1e-6}, /* through 13 folds */
    {"N=2", 0.1, 1e-9, 1e-6},
    {"N=2 planar", 0.1, 1e-9, 1e-6},
    {"bricard", 0.1, 1e-10, 1e-9},
    {"bricard slender", 0.1, 1e-10, 1e-9},
    {"bennett", 0.05, 1e-10, 1e-8},
    {"slider-crank", 0.01, 1e-11, 1e-9},
    {"slider-crank forces", 0.01, 1e-11, 1e-7},
    {"cylinder", 0.05, 3e-11, 1e-9},
    {"cylinder wrench", 0.05, 1e-10, 1e-7},
    {"top", 0.25, 1e-13, 1e-9},
};

START_TEST(follows_the_reference)
{
    const exact *e = &exacts[_i];
    const trajectory *t = trajectory_find(e->name);
    csv_table table = csv_table_read(t->file);
    mechanism m = t->build();
    mechanism_start_exact(&m, e->tolerance);
    const double error = trajectory_error(t, &table, &m, e->h);
    printf("%-20s %4g s in steps of %g s, tolerance %.0e: error %.2e\n", t->name, t->duration, e->h,
           e->tolerance, error);
    ck_assert_double_le(error, e->error);
    mechanism_free(&m);
    csv_table_free(&table);
}
END_TEST

/* P06 over 30 s: four flips of the unstable axis. */
START_TEST(top_flips_for_thirty_seconds)
{
    trajectory t = *trajectory_find("top");
    t.duration = 30.0;
    csv_table table = csv_table_read(t.file);
    mechanism m = t.build();
    mechanism_start_exact(&m, 1e-13);
    const double error = trajectory_error(&t, &table, &m, 0.25);
    printf("top, 30 s: error %.2e\n", error);
    ck_assert_double_le(error, 1e-9);
    mechanism_free(&m);
    csv_table_free(&table);
}
END_TEST

/* P03, and Bennett's linkage, whose rows repeat: error and work by tolerance. */
START_TEST(error_follows_the_tolerance)
{
    const trajectory *t = trajectory_find(_i ? "bennett" : "cylinder");
    csv_table table = csv_table_read(t->file);
    double before = INFINITY;
    for (double tolerance = 1e-4; tolerance > 0.5e-10; tolerance *= 1e-2) {
        mechanism m = t->build();
        mechanism_start_exact(&m, tolerance);
        const double error = trajectory_error(t, &table, &m, 0.05);
        mechanism_start_exact(&m, tolerance);
        effort work = {0, 0, 0};
        run_to(&m, t->duration, t->duration, &work);
        printf("%s at tolerance %.0e: error %.2e, %d parts, %d rejected, %d systems factored\n",
               t->name, tolerance, error, work.parts, work.rejections, work.factorizations);
        ck_assert_double_le(error, 30.0 * tolerance);
        ck_assert_double_ge(error, tolerance / 30.0);
        ck_assert_double_lt(error, before);
        before = error;
        mechanism_free(&m);
    }
    csv_table_free(&table);
}
END_TEST

/* A01: a point mass on a rod, from the horizontal; the file's and the closed form. */
START_TEST(pendulum_swings_as_jacobi_says)
{
    const double g = 9.81;
    csv_table table = csv_table_read("A01");
    mechanism m = sample_pendulum();
    mechanism_start_exact(&m, 1e-13);
    double place = 0.0, form = 0.0, tension = 0.0, energy = 0.0;
    for (int row = 1; row < table.row_count; row++) {
        const double t = csv_table_at(&table, row, "t");
        run_to(&m, t, 0.1, NULL);
        const tn_vec3 p = tn_sim_body_pose(m.sim, (tn_body){0}).p;
        place = fmax(place, fmax(fabs(p.x - csv_table_at(&table, row, "x")),
                                 fabs(p.y - csv_table_at(&table, row, "y"))));
        form = fmax(form, fabs(p.x + sin(pendulum_angle(1.57079632679489661923, g, t))));
        const tn_wrench w = tn_sim_joint_wrench(m.sim, (tn_joint){0}, TN_WRENCH_ON_A);
        tension = fmax(tension, fabs(vec_norm(w.f) - csv_table_at(&table, row, "rod_tension")));
        energy = fmax(energy, fabs(tn_sim_energy(m.sim).total));
    }
    printf("A01: place %.1e m, against the closed form %.1e m, tension %.1e N, energy %.1e J\n",
           place, form, tension, energy);
    ck_assert_double_le(place, 1e-10);
    ck_assert_double_le(form, 1e-10);
    ck_assert_double_le(tension, 1e-8);
    ck_assert_double_le(energy, 1e-10);
    mechanism_free(&m);
    csv_table_free(&table);
}
END_TEST

/* It falls on its stop in one step of a second, and rests there. */
START_TEST(falls_on_its_stop_in_time)
{
    mechanism m = sample_rod_above_a_stop(0.0);
    mechanism_start_exact(&m, 1e-12);
    step(&m, 1.0);
    double torque = 0.0;
    ck_assert_int_eq(tn_sim_event_count(m.sim), 1);
    const tn_event *e = tn_sim_event(m.sim, 0);
    ck_assert_int_eq(tn_sim_at_limit(m.sim, (tn_joint){0}, 0, &torque), -1);
    printf("P02 in one step: t* off %.1e s, speed off %.1e, torque off %.1e\n",
           fabs(e->time - 0.38449852154207827633), fabs(e->value + 5.0484777540736008847),
           fabs(torque / 4.905 - 1.0));
    ck_assert_double_le(fabs(e->time - 0.38449852154207827633), 1e-9);
    ck_assert_double_le(fabs(e->value + 5.0484777540736008847), 1e-9);
    ck_assert_double_le(fabs(torque / 4.905 - 1.0), 1e-9);
    ck_assert_double_le(fabs(speed(&m, 0, 0)), 1e-12);
    mechanism_free(&m);
}
END_TEST

/* ---- long steps go on from copies with the same bits, bounces and all ---- */

START_TEST(copies_go_on_with_the_same_bits)
{
    mechanism m = sample_rod_above_a_stop(0.5);
    mechanism_start_exact(&m, 1e-9);
    void *end = NULL;
    run_to(&m, 0.3, 0.3, NULL);
    void *middle = saved_state(m.sim);
    int events = 0;
    for (int k = 0; k < 2; k++) {
        ck_assert_int_eq(tn_sim_restore(m.sim, middle), TN_OK);
        step(&m, 0.5);
        events += tn_sim_event_count(m.sim);
        step(&m, 0.7);
        events += tn_sim_event_count(m.sim);
        if (k == 0)
            end = saved_state(m.sim);
    }
    ck_assert(is_saved_as(m.sim, end));
    ck_assert_int_ge(events, 2 * 6); /* six bounces by then */
    free(middle);
    free(end);
    mechanism_free(&m);
}
END_TEST

/* ---- energy; momenta: test_momentum.c ---- */

START_TEST(double_pendulum_keeps_its_energy)
{
    mechanism m = mechanism_new(vec(0.0, -9.81, 0.0));
    tn_body last = tn_ground();
    for (int k = 0; k < 2; k++) {
        const tn_vec3 p = vec(k, 0.0, 0.0);
        const tn_body body = mechanism_rod(&m, &(rod){.p = p,
                                                      .q = vec(k + 1.0, 0.0, 0.0),
                                                      .mass = 1.0,
                                                      .along = 0.001,
                                                      .across = 1.0 / 12.0});
        mechanism_axis_joint(&m, "hinge", body, last, p, Z);
        last = body;
    }
    mechanism_start_exact(&m, 1e-12);
    double drift = 0.0, swing = 0.0;
    for (int k = 1; k <= 100; k++) {
        run_to(&m, 0.1 * k, 0.1, NULL);
        const tn_energy e = tn_sim_energy(m.sim);
        drift = fmax(drift, fabs(e.total));
        swing = fmax(swing, e.kinetic);
    }
    printf("double pendulum, 10 s: energy off by %.1e of %.3g J\n", drift / swing, swing);
    ck_assert_double_le(drift, 1e-9 * swing);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("dormand_prince");
    TCase *known = tcase_create("known motions");
    tcase_add_loop_test(known, follows_the_reference, 0, (int)(sizeof exacts / sizeof exacts[0]));
    tcase_add_test(known, top_flips_for_thirty_seconds);
    tcase_add_loop_test(known, error_follows_the_tolerance, 0, 2);
    tcase_add_test(known, pendulum_swings_as_jacobi_says);
    tcase_add_test(known, falls_on_its_stop_in_time);
    suite_add_tcase(suite, known);
    TCase *kept = tcase_create("what is kept");
    tcase_add_test(kept, double_pendulum_keeps_its_energy);
    tcase_add_test(kept, copies_go_on_with_the_same_bits);
    suite_add_tcase(suite, kept);
    return suite;
}
