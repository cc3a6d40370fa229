/* test_coords.c: setting coordinates: trees, loops, ranges, locks, dead points, branches.
 *
 * A result is judged by what it must satisfy: joints closed to 1e-12, requested values to 1e-10,
 * and the same pose as many small requests lead to. Closed forms where a mechanism has one.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "coords_mechanisms.h"
#include "random_numbers.h"
#include "run_main.h"
#include "saved_states.h"
#include "support/heavy.h"

#define DEG (3.14159265358979323846 / 180.0)

/* A small generator with a seed of its own: the same requests everywhere. */
static uint64_t seed;
static double uniform(double low, double high)
{
    return random_between(&seed, low, high);
}

static tn_status set_many(mechanism *m, const tn_coordinate_request *r, int count,
                          tn_coordinate_answer *answers)
{
    tn_placement_report report;
    const tn_status status = tn_sim_set_coordinates(m->sim, r, count, NULL, answers, &report);
    if (status == TN_OK) {
        ck_assert_double_le(report.position_error, 1e-12);
        ck_assert_double_le(report.angle_error, 1e-12);
    }
    return status;
}

static tn_coordinate_answer set_one(mechanism *m, int joint, int coordinate, double value)
{
    const tn_coordinate_request r = {{joint}, coordinate, value};
    tn_coordinate_answer a = {TN_COORDINATE_OUTCOME_COUNT, 0.0};
    ck_assert_int_eq(set_many(m, &r, 1, &a), TN_OK);
    return a;
}

static double coordinate(const mechanism *m, int joint, int i)
{
    double q[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(m->sim, (tn_joint){joint}, q);
    return q[i];
}

static double pose_distance(const tn_sim *a, const tn_sim *b)
{
    double worst = 0.0;
    for (int i = 0; i < tn_model_get_size(tn_sim_model(a)).bodies; i++) {
        const tn_pose p = tn_sim_body_pose(a, (tn_body){i}), q = tn_sim_body_pose(b, (tn_body){i});
        const double same = p.q.w * q.q.w + p.q.x * q.q.x + p.q.y * q.q.y + p.q.z * q.q.z;
        const double s = same < 0.0 ? -1.0 : 1.0;
        worst = fmax(worst, vec_norm(vec_sub(p.p, q.p)));
        worst = fmax(worst, fabs(p.q.w - s * q.q.w));
        worst = fmax(worst, fabs(p.q.x - s * q.q.x));
        worst = fmax(worst, fabs(p.q.y - s * q.q.y));
        worst = fmax(worst, fabs(p.q.z - s * q.q.z));
    }
    return worst;
}

/* ---- trees ---- */

START_TEST(siblings_end_at_their_own_values)
{
    mechanism m = coords_siblings();
    const tn_coordinate_request r[] = {{{0}, 0, 30 * DEG}, {{1}, 0, 40 * DEG}};
    tn_coordinate_answer a[2];
    ck_assert_int_eq(set_many(&m, r, 2, a), TN_OK);
    for (int k = 0; k < 2; k++) {
        ck_assert_int_eq(a[k].outcome, TN_COORDINATE_SET);
        ck_assert_double_eq_tol(coordinate(&m, k, 0), r[k].value, 1e-15);
        ck_assert_double_eq_tol(a[k].value, r[k].value, 1e-15);
    }
    mechanism_free(&m);
}
END_TEST

/* A chain of n hinges hanging from ground: nested requests, positions by summing the angles. */
START_TEST(nested_chain_follows)
{
    enum { N = 12 };
    mechanism m = coords_chain(N);
    tn_coordinate_request r[N];
    tn_coordinate_answer a[N];
    seed = 3;
    for (int k = 0; k < N; k++)
        r[(k * 5) % N] = (tn_coordinate_request){{k}, 0, uniform(-8.0, 8.0)};
    ck_assert_int_eq(set_many(&m, r, N, a), TN_OK);
    double angle = 0.0, x = 0.0, y = 0.0;
    for (int k = 0; k < N; k++) {
        double q = 0.0;
        for (int n = 0; n < N; n++)
            q = r[n].joint.i == k ? r[n].value : q;
        ck_assert_double_eq_tol(coordinate(&m, k, 0), q, 1e-13);
        angle += q;
        x += cos(angle);
        y += sin(angle);
        const tn_vec3 tip = tn_sim_marker_position(m.sim, (tn_marker){k});
        ck_assert_double_eq_tol(tip.x, x, 1e-12);
        ck_assert_double_eq_tol(tip.y, y, 1e-12);
    }
    mechanism_free(&m);
}
END_TEST

/* Light body on a heavy one, hanging on nothing: the light one moves, unless told otherwise. */
START_TEST(floating_tree_moves_the_lighter_side)
{
    for (int always_a = 0; always_a < 2; always_a++) {
        mechanism m = coords_floating(10.0, 1.0); /* A heavy */
        const tn_pose a = tn_sim_body_pose(m.sim, (tn_body){0});
        const tn_pose b = tn_sim_body_pose(m.sim, (tn_body){1});
        const tn_coordinate_request r = {{0}, 0, 1.0};
        tn_coordinate_options options = tn_default_coordinate_options();
        options.always_move_a = always_a;
        ck_assert_int_eq(tn_sim_set_coordinates(m.sim, &r, 1, &options, NULL, NULL), TN_OK);
        ck_assert_double_eq_tol(coordinate(&m, 0, 0), 1.0, 1e-15);
        const double moved_a = vec_norm(vec_sub(tn_sim_body_pose(m.sim, (tn_body){0}).p, a.p));
        const double moved_b = vec_norm(vec_sub(tn_sim_body_pose(m.sim, (tn_body){1}).p, b.p));
        ck_assert(always_a ? moved_a > 0.1 && moved_b == 0.0 : moved_b > 0.1 && moved_a == 0.0);
        mechanism_free(&m);
    }
}
END_TEST

START_TEST(ranges_clip_and_locks_move)
{
    mechanism m = coords_ranged_and_locked();
    const tn_coordinate_answer clipped = set_one(&m, 0, 0, 2.0);
    ck_assert_int_eq(clipped.outcome, TN_COORDINATE_LIMITED);
    ck_assert_double_eq_tol(clipped.value, 0.5, 1e-15);
    const tn_coordinate_answer locked = set_one(&m, 1, 0, 0.7);
    ck_assert_int_eq(locked.outcome, TN_COORDINATE_SET);
    for (int k = 0; k < 100; k++)
        ck_assert_int_eq(tn_sim_step(m.sim, 1e-3, NULL), TN_OK);
    ck_assert_double_eq_tol(coordinate(&m, 1, 0), 0.7, 1e-9); /* locked where it was set */
    mechanism_free(&m);
}
END_TEST

START_TEST(bad_requests_are_refused)
{
    mechanism m = coords_siblings();
    const tn_coordinate_request bad[] = {{{-1}, 0, 0.0}, {{3}, 0, 0.0}, {{0}, 1, 0.0},
                                         {{0}, -1, 0.0}, {{0}, 0, NAN}, {{0}, 0, INFINITY}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        ck_assert_int_ne(tn_sim_set_coordinates(m.sim, &bad[k], 1, NULL, NULL, NULL), TN_OK);
    const tn_coordinate_options blank = {0};
    const tn_coordinate_request good = {{0}, 0, 0.0};
    ck_assert_int_eq(tn_sim_set_coordinates(m.sim, &good, 1, &blank, NULL, NULL),
                     TN_ERROR_ARGUMENT);
    mechanism_free(&m);
}
END_TEST

/* World velocities stay; asked to, they are projected. */
START_TEST(velocities_stay_or_are_projected)
{
    mechanism m = coords_four_bar(COORDS_CRANK_ROCKER);
    const tn_twist spin = {vec(0.3, -0.2, 0.0), vec(0.0, 0.0, 2.0)};
    ck_assert_int_eq(tn_sim_set_body_velocity(m.sim, (tn_body){0}, spin), TN_OK);
    ck_assert_int_eq(tn_sim_project(m.sim, NULL), TN_OK);
    const double w = tn_sim_body_velocity(m.sim, (tn_body){1}).w.z;
    set_one(&m, 0, 0, 2.0);
    ck_assert_double_eq_tol(tn_sim_body_velocity(m.sim, (tn_body){1}).w.z, w, 1e-13);
    tn_coordinate_options options = tn_default_coordinate_options();
    options.project_velocity = 1;
    const tn_coordinate_request r = {{0}, 0, 2.1};
    ck_assert_int_eq(tn_sim_set_coordinates(m.sim, &r, 1, &options, NULL, NULL), TN_OK);
    double before[18], after[18];
    tn_sim_get_velocities(m.sim, before);
    ck_assert_int_eq(tn_sim_project(m.sim, NULL), TN_OK); /* nothing left to project */
    tn_sim_get_velocities(m.sim, after);
    for (int k = 0; k < 18; k++)
        ck_assert_double_eq_tol(before[k], after[k], 1e-10);
    mechanism_free(&m);
}
END_TEST

/* ---- loops ---- */

#define MOST 16

typedef struct loop_case {
    const char *name;
    mechanism (*make)(void);
    int count;       /* coordinates asked for together: all freedoms of the mechanism, so that the
                        pose follows from them and the branch */
    int joint[MOST]; /* -1: any of the first `joints` */
    int coordinate[MOST];
    int joints;
    double low, high; /* of the values */
} loop_case;

static mechanism parallelogram(void)
{
    return coords_four_bar(COORDS_PARALLELOGRAM);
}
static mechanism crank_rocker(void)
{
    return coords_four_bar(COORDS_CRANK_ROCKER);
}

static const loop_case loop_cases[] = {
    {"parallelogram", parallelogram, 1, {-1}, {0}, 4, -7.0, 7.0},
    {"crank-rocker", crank_rocker, 1, {-1}, {0}, 4, -7.0, 7.0},
    {"universals", coords_universal_four_bar, 1, {-1}, {0}, 4, -0.8, 0.8},
    {"slotted three-bar", coords_slotted_three_bar, 3, {0, 0, 1}, {0, 1, 0}, 3, -0.3, 0.3},
    {"Stewart platform", coords_stewart, 6, {0, 1, 2, 3, 4, 5}, {0}, 6, -0.25, 0.25},
    {"Watt six-bar", coords_watt, 1, {-1}, {0}, 7, -7.0, 7.0},
    {"four five-bars",
     coords_multi_loop,
     16,
     {0, 1, 2, 6, 7, 8, 9, 13, 14, 15, 16, 20, 21, 22, 23, 27},
     {0},
     28,
     -0.6,
     0.6},
};

/* The way of a big request in small ones, or -1 if one of them is not answered "set". */
static int small_requests(mechanism *m, const tn_coordinate_request *r, int count, int pieces)
{
    double from[32];
    tn_coordinate_answer a[32];
    tn_coordinate_request piece[32];
    for (int k = 0; k < count; k++)
        from[k] = coordinate(m, r[k].joint.i, r[k].coordinate);
    for (int n = 1; n <= pieces; n++) {
        for (int k = 0; k < count; k++) {
            piece[k] = r[k];
            piece[k].value = from[k] + (r[k].value - from[k]) * n / pieces;
        }
        if (set_many(m, piece, count, a) != TN_OK)
            return -1;
        for (int k = 0; k < count; k++)
            if (a[k].outcome != TN_COORDINATE_SET)
                return -1;
    }
    return 0;
}

START_TEST(random_requests)
{
    const loop_case *lc = &loop_cases[_i];
    mechanism m = lc->make(), twin = lc->make();
    int outcomes[TN_COORDINATE_OUTCOME_COUNT] = {0}, failures = 0, compared = 0, other = 0;
    void *block = malloc(tn_sim_state_size(m.sim));
    double worst_value = 0.0, worst_branch = 0.0;
    seed = 17 + (uint64_t)_i;
    for (int n = 0; n < ALL_OR_FEW(400, 40); n++) {
        tn_coordinate_request r[MOST];
        tn_coordinate_answer a[MOST];
        for (int k = 0; k < lc->count; k++) {
            const int any = (int)uniform(0.0, lc->joints);
            r[k].joint = (tn_joint){lc->joint[k] < 0 ? any : lc->joint[k]};
            r[k].coordinate = lc->coordinate[k];
            r[k].value = uniform(lc->low, lc->high);
        }
        tn_sim_save(m.sim, block);
        if (set_many(&m, r, lc->count, a) != TN_OK) {
            failures++;
            ck_assert(is_saved_as(m.sim, block)); /* the old pose */
            continue;
        }
        int all = 1;
        for (int k = 0; k < lc->count; k++) {
            outcomes[a[k].outcome]++;
            all &= a[k].outcome == TN_COORDINATE_SET;
            if (a[k].outcome == TN_COORDINATE_SET)
                worst_value = fmax(
                    worst_value, fabs(coordinate(&m, r[k].joint.i, r[k].coordinate) - r[k].value));
        }
        if (all && n % 8 == 0) { /* the continuous path */
            ck_assert_int_eq(tn_sim_restore(twin.sim, block), TN_OK);
            if (small_requests(&twin, r, lc->count, 150) == 0) {
                const double d = pose_distance(m.sim, twin.sim);
                compared++;
                other += d > 1e-6;
                worst_branch = fmax(worst_branch, d);
            }
        }
    }
    printf("%-18s set %d dependent %d limited %d failed %d; value %.1e; %d continuous paths, %d "
           "other, distance %.1e\n",
           lc->name, outcomes[0], outcomes[1], outcomes[2], failures, worst_value, compared, other,
           worst_branch);
    ck_assert_double_le(worst_value, 1e-10);
    ck_assert_int_eq(other, 0);
    ck_assert_int_le(failures, 0);
    ck_assert_int_gt(outcomes[TN_COORDINATE_SET], ALL_OR_FEW(100, 10));
    free(block);
    mechanism_free(&m);
    mechanism_free(&twin);
}
END_TEST

/* Two turns in 1-degree and in 30-degree requests end on the same pose: the first one. */
START_TEST(two_turns_come_back)
{
    mechanism (*const make[])(void) = {parallelogram, crank_rocker, coords_watt};
    mechanism start = make[_i](), fine = make[_i](), coarse = make[_i]();
    const double from = coordinate(&start, 0, 0);
    for (int n = 1; n <= 720; n++)
        ck_assert_int_eq(set_one(&fine, 0, 0, from + n * DEG).outcome, TN_COORDINATE_SET);
    for (int n = 1; n <= 24; n++)
        ck_assert_int_eq(set_one(&coarse, 0, 0, from + 30 * n * DEG).outcome, TN_COORDINATE_SET);
    ck_assert_double_le(pose_distance(fine.sim, coarse.sim), 1e-10);
    ck_assert_double_le(pose_distance(fine.sim, start.sim), 1e-10);
    ck_assert_double_eq_tol(coordinate(&fine, 0, 0), from + 720 * DEG, 1e-10);
    mechanism_free(&start);
    mechanism_free(&fine);
    mechanism_free(&coarse);
}
END_TEST

/* Exactly onto both change points and on: the coupler never turns. */
START_TEST(parallelogram_stays_one)
{
    mechanism m = parallelogram();
    const double step[] = {1.0, 5.0, 15.0, 45.0, 90.0};
    for (int k = 0; k < 5; k++)
        for (double q = step[k]; q <= 720.0; q += step[k]) {
            set_one(&m, 0, 0, q * DEG);
            const tn_quat c = tn_sim_body_pose(m.sim, (tn_body){1}).q;
            const tn_quat c0 = tn_quat_from_z_axis(vec(1.0, 0.0, 0.0));
            const double same = fabs(c.w * c0.w + c.x * c0.x + c.y * c0.y + c.z * c0.z);
            /* on a change point the pose is only determined to the root of the round-off */
            ck_assert_msg(same >= 1.0 - 1e-10, "step %g, at %g: %g", step[k], q, 1.0 - same);
        }
    mechanism_free(&m);
}
END_TEST

START_TEST(second_coordinate_of_four_bar_is_dependent)
{
    mechanism m = crank_rocker();
    const tn_coordinate_request r[] = {{{0}, 0, 2.0}, {{3}, 0, 0.1}};
    tn_coordinate_answer a[2];
    ck_assert_int_eq(set_many(&m, r, 2, a), TN_OK);
    ck_assert_int_eq(a[0].outcome, TN_COORDINATE_SET);
    ck_assert_int_eq(a[1].outcome, TN_COORDINATE_DEPENDENT);
    ck_assert_double_eq_tol(coordinate(&m, 0, 0), 2.0, 1e-10);
    ck_assert_double_eq_tol(a[1].value, coordinate(&m, 3, 0), 1e-15);
    /* all or nothing: nothing */
    tn_coordinate_options options = tn_default_coordinate_options();
    options.all_or_nothing = 1;
    const tn_pose before = tn_sim_body_pose(m.sim, (tn_body){0});
    const tn_coordinate_request s[] = {{{0}, 0, 1.0}, {{3}, 0, 0.1}};
    ck_assert_int_eq(tn_sim_set_coordinates(m.sim, s, 2, &options, a, NULL),
                     TN_ERROR_NOT_CONVERGED);
    const tn_pose after = tn_sim_body_pose(m.sim, (tn_body){0});
    ck_assert_mem_eq(&before, &after, sizeof before);
    mechanism_free(&m);
}
END_TEST

/* The rocker of a crank-rocker swings between two dead points known in closed form. */
START_TEST(rocker_stops_at_its_dead_point)
{
    mechanism m = crank_rocker();
    const double from = coordinate(&m, 3, 0);
    const double e = coords_rocker_angle_at_dead_point();
    const double at_start = coords_rocker_angle(0.0);
    const double sign = e > at_start ? 1.0 : -1.0;
    /* joint 3: rocker against ground */
    const tn_coordinate_answer a = set_one(&m, 3, 0, from + sign * 3.0);
    ck_assert_int_eq(a.outcome, TN_COORDINATE_LIMITED);
    ck_assert_double_eq_tol(a.value - from, e - at_start, 1e-5);
    mechanism_free(&m);
}
END_TEST

/* A range on another joint of the loop stops the crank where that joint reaches its end. */
START_TEST(other_ranges_limit)
{
    mechanism m = coords_four_bar(COORDS_CRANK_ROCKER_RANGED);
    const double upper = coordinate(&m, 3, 0) + 0.2;
    const tn_coordinate_answer a = set_one(&m, 0, 0, 3.0);
    ck_assert_int_eq(a.outcome, TN_COORDINATE_LIMITED);
    ck_assert_double_eq_tol(fabs(coordinate(&m, 3, 0) - upper), 0.0, 1e-10);
    ck_assert_double_eq_tol(coords_rocker_angle(a.value) - coords_rocker_angle(0.0), 0.2, 1e-9);
    mechanism_free(&m);
}
END_TEST

/* ---- markers ---- */

/* The tip of a chain of five unit rods, the first held at 0.3 rad: at a place within reach exactly;
 * out of reach refused, or with a weight as near as it gets: in line. */
START_TEST(markers_come_to_places)
{
    mechanism m = coords_chain(5);
    const tn_coordinate_request r = {{0}, 0, 0.3};
    tn_marker_request tip = {.marker = {4}, .position = vec(2.5, 2.0, 0.0)};
    tn_placement_report report;
    ck_assert_int_eq(tn_sim_pose(m.sim, &r, 1, &tip, 1, NULL, NULL, NULL, &report), TN_OK);
    tn_vec3 p = tn_sim_marker_position(m.sim, tip.marker);
    ck_assert_double_le(vec_norm(vec_sub(p, tip.position)), 1e-8);
    ck_assert_double_eq_tol(coordinate(&m, 0, 0), 0.3, 1e-10);
    ck_assert_double_le(report.position_error, 1e-12);

    const tn_pose before = tn_sim_body_pose(m.sim, (tn_body){4});
    tip.position = vec(0.0, 9.0, 0.0);
    ck_assert_int_eq(tn_sim_pose(m.sim, &r, 1, &tip, 1, NULL, NULL, NULL, &report),
                     TN_ERROR_NOT_CONVERGED);
    const tn_pose after = tn_sim_body_pose(m.sim, (tn_body){4});
    ck_assert_mem_eq(&before, &after, sizeof before);

    tip.weight = 1.0;
    ck_assert_int_eq(tn_sim_pose(m.sim, &r, 1, &tip, 1, NULL, NULL, NULL, &report), TN_OK);
    p = tn_sim_marker_position(m.sim, tip.marker);
    const tn_vec3 knee = vec(cos(0.3), sin(0.3), 0.0);
    const double reach = vec_norm(vec_sub(tip.position, knee)) - 4.0;
    ck_assert_double_eq_tol(vec_norm(vec_sub(tip.position, p)), reach, 1e-5);
    mechanism_free(&m);
}
END_TEST

/* ---- cost ---- */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

START_TEST(cost_of_a_chain_and_of_a_loop)
{
    mechanism chain = coords_chain(1000);
    tn_placement_report report;
    tn_coordinate_request r = {{500}, 0, 1.0};
    ck_assert_int_eq(tn_sim_set_coordinates(chain.sim, &r, 1, NULL, NULL, &report), TN_OK);
    ck_assert_int_eq(report.factorizations, 0);
    double start = seconds();
    r.value = 2.0;
    ck_assert_int_eq(tn_sim_set_coordinates(chain.sim, &r, 1, NULL, NULL, &report), TN_OK);
    printf("chain of 1000 joints: %.3f ms, %d factorizations\n", 1e3 * (seconds() - start),
           report.factorizations);
    mechanism_free(&chain);

    mechanism loop = coords_ring(100);
    r = (tn_coordinate_request){{30}, 0, coordinate(&loop, 30, 0) + 0.3};
    start = seconds();
    ck_assert_int_eq(tn_sim_set_coordinates(loop.sim, &r, 1, NULL, NULL, &report), TN_OK);
    printf("loop of 100 joints: %.3f ms, %d factorizations\n", 1e3 * (seconds() - start),
           report.factorizations);
    ck_assert_double_le(report.position_error, 1e-12);
    ck_assert_double_eq_tol(coordinate(&loop, 30, 0), r.value, 1e-10);
    mechanism_free(&loop);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("coords");
    TCase *trees = tcase_create("trees");
    tcase_add_test(trees, siblings_end_at_their_own_values);
    tcase_add_test(trees, nested_chain_follows);
    tcase_add_test(trees, floating_tree_moves_the_lighter_side);
    tcase_add_test(trees, ranges_clip_and_locks_move);
    tcase_add_test(trees, bad_requests_are_refused);
    suite_add_tcase(suite, trees);
    TCase *loops = tcase_create("loops");
    tcase_add_test(loops, velocities_stay_or_are_projected);
    tcase_add_loop_test(loops, random_requests, 0, (int)(sizeof loop_cases / sizeof *loop_cases));
    tcase_add_loop_test(loops, two_turns_come_back, 0, 3);
    tcase_add_test(loops, parallelogram_stays_one);
    tcase_add_test(loops, second_coordinate_of_four_bar_is_dependent);
    tcase_add_test(loops, rocker_stops_at_its_dead_point);
    tcase_add_test(loops, other_ranges_limit);
    tcase_add_test(loops, markers_come_to_places);
    tcase_add_test(loops, cost_of_a_chain_and_of_a_loop);
    suite_add_tcase(suite, loops);
    return suite;
}
