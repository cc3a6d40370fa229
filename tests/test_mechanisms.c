/* test_mechanisms.c: generalized_alpha on whole mechanisms with known motions.
 *
 * Ten hard-constrained seconds of the hard ones; trajectories against closed forms and reference
 * data at h and h/2, whose errors must be in the ratio 4 of a second-order method; reactions.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/csv_table.h"
#include "support/heavy.h"
#include "support/run_main.h"
#include "support/sample_mechanisms.h"
#include "support/trajectories.h"

static const int second_order[] = {TN_GENERALIZED_ALPHA, BY_SPEEDS};
enum { SECOND_ORDER = sizeof second_order / sizeof second_order[0] };

/* ---- ten seconds with hard joints ---- */

static void print_stats(const char *name, const run_stats *s, double swing)
{
    printf("%-22s errors %.1e m %.1e rad  energy drift %.2e J of %.4g (%.1e)  Newton %d  fallbacks "
           "%d  halvings %d\n",
           name, s->position_error, s->angle_error, s->energy_drift, swing, s->energy_drift / swing,
           s->iterations, s->fallbacks, s->halvings);
}

static void check_stats(const run_stats *s, double swing)
{
    ck_assert_double_le(s->position_error, 1e-10);
    ck_assert_double_le(s->angle_error, 1e-10);
    ck_assert_double_le(s->energy_drift, 1e-3 * swing);
    ck_assert_int_eq(s->fallbacks, 0);
}

/* Angle of bar 1 of the four-bar from hanging, from the pose of its far end. */
static double bar_angle(const tn_sim *sim)
{
    const tn_pose pose = tn_sim_body_pose(sim, (tn_body){1});
    return atan2(pose.p.x + 0.5, 0.5 - pose.p.z);
}

START_TEST(four_bar_passes_its_folds)
{
    mechanism m = sample_four_bar();
    mechanism_start(&m, second_order[_i]);
    run_stats stats = {0};
    double worst = 0.0;
    for (int k = 1; k <= 100; k++) {
        mechanism_run(&m, 1e-3, 100, &stats);
        worst = fmax(worst, fabs(bar_angle(m.sim) - four_bar_angle(0.1 * k)));
        mechanism_check_rank(m.sim, 20, 17);
    }
    print_stats("four_bar_hard", &stats, four_bar_swing_energy());
    printf("  angle against the closed form, 10 s: %.2e rad\n", worst);
    check_stats(&stats, four_bar_swing_energy());
    ck_assert_double_le(worst, 3e-4);
    mechanism_free(&m);
}
END_TEST

/* Largest fall of the five rods together along the reference motion. */
static double bricard_swing(const csv_table *table)
{
    double highest = -INFINITY, lowest = INFINITY;
    for (int row = 0; row < table->row_count; row++) {
        const double y = csv_table_at(table, row, "P2y") + csv_table_at(table, row, "P3y") +
                         csv_table_at(table, row, "P4y") + csv_table_at(table, row, "P5y");
        highest = fmax(highest, y);
        lowest = fmin(lowest, y);
    }
    return 9.81 * (highest - lowest);
}

START_TEST(bricard_keeps_its_path)
{
    csv_table table = csv_table_read("A04");
    mechanism m = sample_bricard();
    mechanism_start(&m, second_order[_i]);
    run_stats stats = {0};
    mechanism_run(&m, 1e-3, 8000, &stats);
    const tn_vec3 J4 = tn_sim_marker_position(m.sim, (tn_marker){2});
    const double off = vec_norm(vec_sub(J4, vec(-0.964949, -1.234860, 0.737561)));
    mechanism_check_rank(m.sim, 30, 29);
    mechanism_run(&m, 1e-3, 2000, &stats);
    mechanism_check_rank(m.sim, 30, 29);
    print_stats("bricard", &stats, bricard_swing(&table));
    printf("  J4(8 s) off by %.2e m\n", off);
    check_stats(&stats, bricard_swing(&table));
    ck_assert_double_le(off, 1e-4);
    csv_table_free(&table);
    mechanism_free(&m);
}
END_TEST

/* Largest angle between a crank and crank 0. */
static double crank_spread(const tn_sim *sim, int cranks)
{
    double worst = 0.0;
    const tn_pose first = tn_sim_body_pose(sim, (tn_body){0});
    const tn_vec3 x = tn_pose_rotate_vector(first, vec(1.0, 0.0, 0.0));
    for (int k = 1; k < cranks; k++) {
        const tn_pose pose = tn_sim_body_pose(sim, (tn_body){k});
        const tn_vec3 y = tn_pose_rotate_vector(pose, vec(1.0, 0.0, 0.0));
        const double along = x.x * y.x + x.y * y.y + x.z * y.z;
        worst = fmax(worst, fabs(atan2(vec_norm(vec_cross(x, y)), along)));
    }
    return worst;
}

/* rank 485 of 605 in space (three redundant rows a loop), 242 of 242 in the plane. */
static void run_n_four_bar(int n, tn_body_kind kind, int method, int steps)
{
    mechanism m = sample_n_four_bar(n, kind);
    mechanism_start(&m, method);
    run_stats stats = {0};
    const int planar = kind == TN_BODY_PLANAR;
    mechanism_check_rank(m.sim, (planar ? 2 : 5) * (3 * n + 1), (planar ? 3 : 6) * (2 * n + 1) - 1);
    mechanism_run(&m, 1e-3, steps, &stats);
    mechanism_check_rank(m.sim, (planar ? 2 : 5) * (3 * n + 1), (planar ? 3 : 6) * (2 * n + 1) - 1);
    const double spread = crank_spread(m.sim, n + 1);
    char name[40];
    snprintf(name, sizeof name, "n_four_bar_%d %s", n, tn_body_kind_name(kind));
    print_stats(name, &stats, n_four_bar_swing_energy(n));
    printf("  cranks parallel to %.1e rad after %g s\n", spread, 1e-3 * steps);
    check_stats(&stats, n_four_bar_swing_energy(n));
    ck_assert_double_le(spread, 1e-6);
    mechanism_free(&m);
}

START_TEST(n_four_bar_stays_parallel)
{
    run_n_four_bar(40, TN_BODY_RIGID, second_order[_i], ALL_OR_FEW(10000, 1000));
}
END_TEST

START_TEST(planar_n_four_bar_stays_parallel)
{
    run_n_four_bar(40, TN_BODY_PLANAR, second_order[_i], ALL_OR_FEW(10000, 1000));
}
END_TEST

/* Joints in no loop have exact rows; those between ground and a loop are the hard case: the solver
 * must not eliminate them from ground outwards. */
START_TEST(turret_carries_a_loop)
{
    mechanism m = sample_turret();
    mechanism_start(&m, second_order[_i]);
    ck_assert_int_eq(tn_sim_project(m.sim, NULL), TN_OK);
    run_stats stats = {0};
    mechanism_run(&m, 1e-3, 1000, &stats);
    const double swing = 9.81 * 3.0 * 5.0;
    print_stats("turret", &stats, swing);
    check_stats(&stats, swing);
    mechanism_free(&m);
}
END_TEST

/* ---- trajectories at h and h/2 ---- */

static void watch(const trajectory *t, const csv_table *table, mechanism m, double h,
                  sightings *out)
{
    trajectory_watch(t, table, &m, h, out);
    mechanism_free(&m);
}

static double error_of(const trajectory *t, const csv_table *table, int method, double h)
{
    static sightings s;
    mechanism m = t->build();
    mechanism_start(&m, method);
    watch(t, table, m, h, &s);
    return trajectory_deviation(t, table, &s);
}

START_TEST(follows_the_reference_to_second_order)
{
    const trajectory *t = &trajectories[_i % trajectory_count];
    const int method = second_order[_i / trajectory_count];
    csv_table table = csv_table_read(t->file);
    const double coarse = error_of(t, &table, method, t->step);
    const double fine = error_of(t, &table, method, 0.5 * t->step);
    printf("%-20s %s %4g s  error %.3e (h = %g)  %.3e (h/2)  ratio %.3f\n", t->name,
           method_name(method), t->duration, coarse, t->step, fine, coarse / fine);
    ck_assert_double_le(fine, t->tolerance);
    ck_assert_double_ge(coarse / fine, 3.5);
    ck_assert_double_le(coarse / fine, 4.5);
    csv_table_free(&table);
}
END_TEST

static double uneven_error(const trajectory *t, const csv_table *table, int method, double h)
{
    static sightings s;
    mechanism m = t->build();
    mechanism_start(&m, method);
    trajectory_watch_uneven(t, table, &m, h, 0.4, &s);
    mechanism_free(&m);
    return trajectory_deviation(t, table, &s);
}

/* Steps of two sizes in turn: reactions are those of the step at hand, not of a memory of another
 * size. */
START_TEST(steps_of_uneven_size_are_of_second_order)
{
    static const char *const with_reactions[] = {"slider-crank forces", "cylinder wrench"};
    const trajectory *t = trajectory_find(with_reactions[_i % 2]);
    const int method = second_order[_i / 2];
    csv_table table = csv_table_read(t->file);
    const double coarse = uneven_error(t, &table, method, t->step);
    const double fine = uneven_error(t, &table, method, 0.5 * t->step);
    printf("%-20s %s uneven  error %.3e (h = %g)  %.3e (h/2)  ratio %.3f\n", t->name,
           method_name(method), coarse, t->step, fine, coarse / fine);
    ck_assert_double_le(fine, 2.0 * t->tolerance);
    ck_assert_double_ge(coarse / fine, 3.5);
    csv_table_free(&table);
}
END_TEST

/* ---- what the step sizes 2, 1, 1/2, 1/4 times 1e-4 s go to ---- */

enum { LEVELS = 4 };

/* Takes the errors of order 2, 3, 4 in h out of what four steps saw, into the last (Romberg). */
static void extrapolate(sightings level[LEVELS])
{
    for (int order = 2, left = LEVELS - 1; left > 0; order++, left--)
        for (int l = 0; l < left; l++) {
            const double share = 1.0 / (pow(2.0, order) - 1.0);
            for (int row = 0; row < level[l].count; row++)
                for (int k = 0; k < MAX_SEEN; k++) {
                    const double finer = level[l + 1].seen[row][k];
                    level[l].seen[row][k] = finer + share * (finer - level[l].seen[row][k]);
                }
        }
}

/* Round-off of poses would be 3e-4 N in the wrench here if it were divided by h^2. */
static const struct {
    const char *trajectory;
    double tolerance; /* what the reference claims */
} limits_of_steps[] = {{"cylinder", 1e-9}, {"cylinder wrench", 1e-7}};

START_TEST(speeds_lead_to_the_reference)
{
    static sightings level[LEVELS];
    const trajectory *t = trajectory_find(limits_of_steps[_i].trajectory);
    csv_table table = csv_table_read(t->file);
    for (int l = 0; l < LEVELS; l++) {
        mechanism m = t->build();
        mechanism_start_tight(&m, BY_SPEEDS);
        memset(&level[l], 0, sizeof level[l]);
        watch(t, &table, m, 2e-4 / (1 << l), &level[l]);
    }
    const double finest = trajectory_deviation(t, &table, &level[LEVELS - 1]);
    extrapolate(level);
    const double limit = trajectory_deviation(t, &table, &level[0]);
    printf("%-20s error %.2e at h = 2.5e-5, %.2e extrapolated\n", t->name, finest, limit);
    ck_assert_double_le(limit, limits_of_steps[_i].tolerance);
    csv_table_free(&table);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("mechanisms");
    TCase *hard = tcase_create("ten hard seconds");
    const TTest *const hard_ones[] = {four_bar_passes_its_folds, bricard_keeps_its_path,
                                      n_four_bar_stays_parallel, planar_n_four_bar_stays_parallel,
                                      turret_carries_a_loop};
    for (size_t k = 0; k < sizeof hard_ones / sizeof hard_ones[0]; k++)
        tcase_add_loop_test(hard, hard_ones[k], 0, SECOND_ORDER);
    suite_add_tcase(suite, hard);
    TCase *order = tcase_create("trajectories");
    tcase_add_loop_test(order, follows_the_reference_to_second_order, 0,
                        trajectory_count * ALL_OR_FEW(SECOND_ORDER, 1));
    tcase_add_loop_test(order, steps_of_uneven_size_are_of_second_order, 0, 2 * SECOND_ORDER);
    tcase_add_loop_test(order, speeds_lead_to_the_reference, 0,
                        (int)(sizeof limits_of_steps / sizeof limits_of_steps[0]));
    suite_add_tcase(suite, order);
    return suite;
}
