/* test_limits_passed.c: a turn that rises over its limit and is back within one step is stopped there, wherever
 * in a chain of hinges and balls it is.
 *
 * A chain swings freely; of each coordinate the cubics through places and speeds at both ends of its steps are
 * known. Where one has its top within a step, above all there was before, a limit just below the top is passed
 * and left again. With that limit from the beginning on, the event is in this step, and none is before.
 */
#include <math.h>
#include <stdio.h>

#include "law/limits/limits.h"
#include "law/limits/passage.h"
#include "support/limit_scenes.h"
#include "support/random_numbers.h"
#include "support/run_main.h"

enum { LINKS = 3, STEPS = 150, CHAINS = 60, MOST_TOPS = 6 };

static const double h = 4e-3; /* s */
/* rad, that no coordinate reaches */
static const double wide = 40.0;

static mechanism random_chain(uint64_t seed, bool balls)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -9.81));
    tn_body last = tn_ground();
    const double speed = random_between(&seed, -6.0, 6.0);
    for (int k = 0; k < LINKS; k++) {
        const double x = 0.3 * k, mass = random_between(&seed, 0.2, 1.0);
        const double aside = random_between(&seed, -0.5, 0.5),
                     up = random_between(&seed, -0.5, 0.5);
        const char *type = balls && k != 1 ? "spherical_swing_twist" : "hinge";
        const tn_twist turning = {{0.0, 0.0, -speed * (x + 0.15)}, {0.0, speed, 0.0}};
        const tn_body link = mechanism_rod(&m, &(rod){.p = vec(x, 0.0, 0.0),
                                                      .q = vec(x + 0.3, 0.0, 0.0),
                                                      .mass = mass,
                                                      .along = 1e-3 * mass,
                                                      .across = mass * 0.09 / 12.0,
                                                      .velocity = turning});
        mechanism_axis_joint(&m, type, link, last, vec(x, 0.0, 0.0), vec(aside, 1.0, up));
        last = link;
    }
    return m;
}

static void set_range(const mechanism *m, int j, int i, double upper)
{
    ck_assert_int_eq(tn_sim_set_range(m->sim, (tn_joint){j}, i, -wide, upper), TN_OK);
}

static int coordinates_of(const mechanism *m, int j)
{
    return tn_joint_type_get(tn_model_joint_type(m->model, (tn_joint){j}))->coordinate_count;
}

static void start(mechanism *m)
{
    mechanism_start(m, TN_GENERALIZED_ALPHA);
    for (int j = 0; j < LINKS; j++) {
        for (int i = 0; i < coordinates_of(m, j); i++)
            set_range(m, j, i, wide);
    }
}

/* A limit that is passed and left again in this step, counted from 1. */
typedef struct top {
    int joint, coordinate, step;
    double limit; /* rad */
} top;

/* The limit in the middle between the cubic's top and the larger of its ends. */
static bool find_top(const tn_passage *c, double highest, double *limit)
{
    double where;
    const double peak = tn_passage_peak(c, &where), end = fmax(fmax(c->w0, c->w1), highest);
    *limit = 0.5 * (peak + end);
    return peak > end + 1e-5;
}

static int find_tops(mechanism *m, top *tops)
{
    double q[LINKS][TN_MAX_COORDINATES], v[LINKS][TN_MAX_COORDINATES],
        highest[LINKS][TN_MAX_COORDINATES];
    int count = 0;
    start(m);
    for (int k = 0; k <= STEPS; k++) {
        if (k > 0)
            step(m, h);
        ck_assert_int_eq(tn_sim_event_count(m->sim), 0);
        for (int j = 0; j < LINKS; j++) {
            for (int i = 0; i < coordinates_of(m, j); i++) {
                const double now = coordinate(m, j, i), rate = speed(m, j, i);
                const tn_passage c = {q[j][i], h * v[j][i], now, h * rate};
                top t = {j, i, k, 0.0};
                if (k > 1 && count < MOST_TOPS && k < 100 && find_top(&c, highest[j][i], &t.limit))
                    tops[count++] = t;
                highest[j][i] = k > 0 ? fmax(highest[j][i], now) : now;
                q[j][i] = now;
                v[j][i] = rate;
            }
        }
    }
    return count;
}

static void expect_stop(mechanism *m, const top *t)
{
    start(m);
    set_range(m, t->joint, t->coordinate, t->limit);
    for (int k = 1; k < t->step; k++) {
        step(m, h);
        ck_assert_msg(tn_sim_event_count(m->sim) == 0, "joint %d coordinate %d: in step %d, not %d",
                      t->joint, t->coordinate, k, t->step);
    }
    step(m, h);
    ck_assert_msg(tn_sim_event_count(m->sim) > 0, "joint %d coordinate %d: none in step %d",
                  t->joint, t->coordinate, t->step);
    const tn_event *event = tn_sim_event(m->sim, 0);
    ck_assert_int_eq(event->kind, TN_EVENT_LIMIT_REACHED);
    ck_assert_int_eq(event->joint.i, t->joint);
    ck_assert_int_eq(event->coordinate, t->coordinate);
    ck_assert(event->time > (t->step - 1) * h && event->time < t->step * h);
    ck_assert_double_le(coordinate(m, t->joint, t->coordinate), t->limit + DEADBAND);
}

START_TEST(what_is_passed_and_left_in_a_step_is_hit)
{
    int count = 0;
    for (int n = 0; n < CHAINS; n++) {
        mechanism m = random_chain(1u + (uint64_t)n, _i == 1);
        top tops[MOST_TOPS];
        const int found = find_tops(&m, tops);
        for (int k = 0; k < found; k++)
            expect_stop(&m, &tops[k]);
        count += found;
        mechanism_free(&m);
    }
    printf("%s: %d tops\n", _i == 1 ? "balls" : "hinges", count);
    ck_assert_int_gt(count, CHAINS / 2);
}
END_TEST

/* s: when a coordinate would have passed its limit in a part of which only the speed at its start is known. */
static double first_of_part(mechanism *m)
{
    tn_state_copy(&m->sim->mark, &m->sim->state);
    m->sim->mark.coordinates[0] = wide - 0.01;
    m->sim->state.coordinates[0] = wide + 0.01;
    const double first = tn_limits_first(m->sim, 0.0, h);
    tn_state_copy(&m->sim->state, &m->sim->mark);
    return first;
}

/* A step that is tried in parts begins its first part again: with the speeds of its start, not those of the part before. */
START_TEST(a_part_that_is_begun_again_has_the_speeds_of_its_start)
{
    mechanism m = random_chain(7, false);
    start(&m);
    for (int k = 0; k < 10; k++)
        step(&m, h);
    tn_limits_begin_part(m.sim);
    const double once = first_of_part(&m);
    tn_limits_begin_part(m.sim);
    ck_assert(once > 0.0 && once < h);
    ck_assert_double_eq(first_of_part(&m), once);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("limits passed");
    TCase *tc = tcase_create("limits passed");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, what_is_passed_and_left_in_a_step_is_hit, 0, 2);
    tcase_add_test(tc, a_part_that_is_begun_again_has_the_speeds_of_its_start);
    suite_add_tcase(suite, tc);
    return suite;
}
