/* test_rubbing_impacts.c: friction by a coefficient in impacts: Coulomb's law for impulses.
 *
 * Numbers are closed forms of momentum, those of an impact in the course of which what slides stops or turns back among
 * them (Routh 1860), and what a stiff spring does in place of a limit.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "support/mechanism.h"
#include "support/run_main.h"

static const tn_integrator integrators[] = {TN_AUTO, TN_DORMAND_PRINCE, TN_GENERALIZED_ALPHA,
                                            TN_CONSTRAINED_BACKWARD_EULER, TN_BACKWARD_EULER};
enum { INTEGRATORS = sizeof integrators / sizeof *integrators };

static mechanism start(const char *text, tn_integrator integrator)
{
    mechanism m = mechanism_read(text);
    tn_sim_options options = mechanism_compile(&m, 0);
    options.integrator = integrator;
    if (integrator == TN_AUTO || integrator == TN_DORMAND_PRINCE)
        options.accuracy = 1e-8;
    ck_assert_int_eq(tn_sim_create(m.model, &options, NULL, &m.sim), TN_OK);
    return m;
}

static double speed_of(const mechanism *m, int joint)
{
    double speeds[TN_MAX_COORDINATES] = {0};
    tn_sim_joint_speeds(m->sim, (tn_joint){joint}, speeds);
    return speeds[0];
}

static void take(mechanism *m, double seconds, int steps)
{
    for (int n = 0; n < steps; n++)
        ck_assert_int_eq(tn_sim_step(m->sim, seconds / steps, NULL), TN_OK);
}

static const char sled[] =
    "tenon: 1\n"
    "world: planar\n"
    "gravity: [0, 0]\n"
    "bodies:\n"
    "  sled: {mass: %g, inertia: 1}\n"
    "  hammer: {mass: 1, inertia: 1, position: [0, 0.1]}\n"
    "joints:\n"
    "  ground: {type: slider, a: sled, origin: [0, 0], axis: [1, 0], speed: {z: %.17g},\n"
    "           friction: {z: {coefficient: %g, static_coefficient: %g}}}\n"
    "  fall: {type: slider, a: hammer, b: sled, origin: [0, 0.1], axis: [%.17g, %.17g],\n"
    "         speed: {z: -1}, %s}\n";

/* A sled that a hammer meets from above takes m v (1 + e) through its rail, and as much times mu from its motion; it
 * does not turn back. What it loses is told. */
START_TEST(a_sled_that_is_hit_across)
{
    static const double restitutions[] = {0.0, 0.5, 1.0}, coefficients[] = {0.1, 0.5, 1.1, 3.0};
    for (int k = 0; k < 12; k++) {
        char text[1024], stop[80];
        const double e = restitutions[k / 4], mu = coefficients[k % 4], M = 1.0 + mu;
        snprintf(stop, sizeof stop, "range: {z: [-0.025, 1]}, restitution: {z: %g}", e);
        snprintf(text, sizeof text, sled, M, 1.0, mu, mu, 0.0, 1.0, stop);
        mechanism m = start(text, integrators[_i]);
        take(&m, 0.05, 5);
        const double now = fmax(0.0, 1.0 - mu * (1.0 + e) / (M + 1.0));
        ck_assert_double_eq_tol(speed_of(&m, 0), now, 1e-12);
        ck_assert_double_eq_tol(speed_of(&m, 1), e, 1e-12);
        const tn_energy energy = tn_sim_energy(m.sim);
        const double first = 0.5 * (M + 2.0);
        ck_assert_double_eq_tol(energy.kinetic, 0.5 * (M + 1.0) * now * now + 0.5 * e * e, 1e-12);
        ck_assert_double_eq_tol(energy.kinetic - energy.work + energy.lost, first, 1e-12);
        mechanism_free(&m);
    }
}
END_TEST

typedef struct askew {
    double angle, mu, fixed, speed, mass; /* of the hammer's way; coefficients; the sled's */
} askew;

/* The sled's speed after a hammer of 1 kg has come to rest on it: as r', the hammer's speed, goes from -1 to 0, X' changes by
 *     dX' / dr' = -(cos a + mu sin a sign(X')) / (M + 1),
 * where it rests by nothing as long as mu_static sin a holds what cos a asks for. */
static double speed_after(askew at)
{
    const double c = cos(at.angle), s = sin(at.angle), k = 1.0 / (at.mass + 1.0);
    double X = at.speed, r = -1.0;
    if (X != 0.0) {
        const double slope = -k * (c + at.mu * s * copysign(1.0, X));
        const double stop = slope * X < 0.0 ? -X / slope : HUGE_VAL;
        if (stop >= -r)
            return X + slope * -r;
        r += stop;
    }
    if (at.fixed * s >= fabs(c))
        return 0.0;
    return -k * (c - at.mu * s * copysign(1.0, c)) * -r;
}

START_TEST(a_sled_that_is_hit_askew_stops_and_turns_back)
{
    static const double angles[] = {0.5, 0.8, 1.1, 1.4, 1.8, 2.4}, coefficients[] = {0.1, 0.4, 0.8},
                        speeds[] = {-0.5, -0.1, 0.0, 0.05, 0.2, 0.6};
    int stopped = 0, turned = 0;
    for (int k = 0; k < 6 * 3 * 6 * 2; k++) {
        const double mu = coefficients[k / 6 % 3];
        const askew at = {angles[k % 6], mu, k / 108 ? 1.3 * mu : mu, speeds[k / 18 % 6],
                          k % 2 ? 0.5 : 2.0};
        char text[1024];
        snprintf(text, sizeof text, sled, at.mass, at.speed, at.mu, at.fixed, cos(at.angle),
                 sin(at.angle), "range: {z: [-0.025, 1]}");
        mechanism m = start(text, integrators[_i]);
        take(&m, 0.05, 2);
        const double after = speed_after(at);
        ck_assert_double_eq_tol(speed_of(&m, 0), after, 1e-12);
        ck_assert_double_eq_tol(speed_of(&m, 1), 0.0, 1e-12);
        stopped += after == 0.0;
        turned += after * at.speed < 0.0;
        mechanism_free(&m);
    }
    ck_assert_int_ge(stopped, 10);
    ck_assert_int_ge(turned, 10);
}
END_TEST

/* A spring of 1e8 N/m that only pushes is a limit with restitution 1, which gives back the energy that it has taken: it does the
 * same to a sled that slides all along, rests, stops or turns back, for the time that it takes to do it. */
START_TEST(a_stiff_spring_does_the_same)
{
    static const askew hits[] = {
        {0.8, 0.2, 0.2, 0.0, 2.0}, {0.8, 0.9, 1.1, 0.0, 2.0},  {0.8, 0.2, 0.9, 0.0, 2.0},
        {1.6, 0.5, 0.5, 1.0, 1.0}, {2.2, 0.3, 0.3, 0.4, 1.0},  {0.8, 0.4, 0.4, 0.2, 2.0},
        {0.8, 1.1, 1.1, 0.2, 2.0}, {2.4, 0.8, 0.8, -0.4, 0.5}, {1.1, 0.2, 0.3, 0.05, 0.5}};
    const askew *hit = &hits[_i];
    double found[2][2];
    for (int k = 0; k < 2; k++) {
        char text[1024];
        snprintf(text, sizeof text, sled, hit->mass, hit->speed, hit->mu, hit->fixed,
                 cos(hit->angle), sin(hit->angle),
                 k ? "spring: {z: {force: {table: [[-1, 0.99e8], [-0.01, 0], [1, 0]]}}}"
                   : "range: {z: [-0.01, 1]}, restitution: {z: 1}");
        mechanism m = start(text, TN_AUTO);
        take(&m, 0.02, 1);
        found[k][0] = speed_of(&m, 0);
        found[k][1] = speed_of(&m, 1);
        mechanism_free(&m);
    }
    ck_assert_double_eq_tol(found[0][0], found[1][0], 1e-8);
    ck_assert_double_eq_tol(found[0][1], found[1][1], 1e-8);
}
END_TEST

/* Friction of what takes no impulse changes nothing about an impact of others: a bar whose two feet of restitution 0.9 and 0.3 come down
 * at once, beside a block that slides on its own. */
START_TEST(what_takes_no_impulse_has_no_say)
{
    static const char feet[] =
        "tenon: 1\n"
        "world: planar\n"
        "gravity: [0, -10]\n"
        "bodies:\n"
        "  bar: {mass: 2, inertia: 0.3, position: [0, 1]}\n"
        "  block: {mass: 1, inertia: 1, position: [5, 0]}\n"
        "joints:\n"
        "  left: {type: half_space, a: bar, origin: [-0.5, 0.8], axis: [0, 1], restitution: "
        "{distance: 0.9}}\n"
        "  right: {type: half_space, a: bar, origin: [0.7, 0.8], axis: [0, 1], restitution: "
        "{distance: 0.3}}\n"
        "  way: {type: slider, a: block, origin: [5, 0], axis: [1, 0], speed: {z: 9}%s}\n";
    double spun[2];
    for (int k = 0; k < 2; k++) {
        char text[1024];
        snprintf(text, sizeof text, feet, k ? ", friction: {z: {coefficient: 0.4}}" : "");
        mechanism m = mechanism_read(text);
        tn_sim_options options = mechanism_compile(&m, 0);
        options.integrator = TN_AUTO;
        ck_assert_int_eq(tn_sim_create(m.model, &options, NULL, &m.sim), TN_OK);
        const tn_twist falling = {{0.0, -3.0, 0.0}, {0.0, 0.0, 0.0}};
        ck_assert_int_eq(tn_sim_set_body_velocity(m.sim, (tn_body){0}, falling), TN_OK);
        take(&m, 1e-3, 1);
        spun[k] = tn_sim_body_velocity(m.sim, (tn_body){0}).w.z;
        mechanism_free(&m);
    }
    ck_assert_double_gt(fabs(spun[0]), 0.1);
    ck_assert_double_eq_tol(spun[0], spun[1], 1e-12);
}
END_TEST

/* A bar on a pin of radius r that rubs is hit at the distance a: with P what the pin takes across the bar,
 *     J w = - m a v (1 + e) + mu r |P|,    P = (M c + m a) w + m v (1 + e). */
START_TEST(a_pin_rubs_in_proportion_to_its_radius)
{
    static const char bar[] = "tenon: 1\n"
                              "world: planar\n"
                              "gravity: [0, 0]\n"
                              "bodies:\n"
                              "  bar: {mass: 2, inertia: 0.3, position: [0.4, 0]}\n"
                              "  hammer: {mass: 1, inertia: 0.1, position: [0.7, 0]}\n"
                              "joints:\n"
                              "  pin: {type: hinge, a: bar, origin: [0, 0], friction: {theta: "
                              "{coefficient: %g, radius: %g}}}\n"
                              "  fall: {type: slider, a: hammer, b: bar, origin: [0.7, 0], axis: "
                              "[0, 1], speed: {z: -1},\n"
                              "         range: {z: [-1.0e-6, 1]}, restitution: {z: %g}}\n";
    static const double ratios[] = {0.5, 0.01, 0.3, 0.05, 1.5, 0.2};
    for (int k = 0; k < 6; k++) {
        char text[1024];
        const double mu = ratios[k / 2 * 2], r = ratios[k / 2 * 2 + 1], e = k % 2 ? 0.6 : 0.0;
        const double J = 0.3 + 2.0 * 0.16 + 0.1 + 0.49, B = 2.0 * 0.4 + 0.7, p = 1.0 + e;
        snprintf(text, sizeof text, bar, mu, r, e);
        mechanism m = start(text, integrators[_i]);
        take(&m, 1.001e-6, 1);
        double w = 0.0;
        for (int side = -1; side <= 1; side += 2) { /* of P */
            const double found = (side * mu * r * p - 0.7 * p) / (J - side * mu * r * B);
            w = side * (B * found + p) >= 0.0 ? found : w;
        }
        ck_assert_double_lt(w, -0.1);
        ck_assert_double_eq_tol(speed_of(&m, 0), w, 1e-9);
        ck_assert_double_eq_tol(speed_of(&m, 1), e, 1e-9);
        mechanism_free(&m);
    }
}
END_TEST

/* A ball bounces on a sliding block until it lies still: from one rest to the other what the ground has taken is all of the
 * weight, (M + m) g T, whoever gave it when, so that friction has taken mu g T from the speed. */
START_TEST(bounces_rub_as_much_as_the_weight_does)
{
    static const char block[] =
        "tenon: 1\n"
        "world: planar\n"
        "gravity: [0, -10]\n"
        "bodies:\n"
        "  block: {mass: 3, inertia: 1}\n"
        "  ball: {mass: 2, inertia: 1, position: [0, 0.2]}\n"
        "joints:\n"
        "  ground: {type: slider, a: block, origin: [0, 0], axis: [1, 0], speed: {z: 5},\n"
        "           friction: {z: {coefficient: 0.3}}}\n"
        "  fall: {type: slider, a: ball, b: block, origin: [0, 0.2], axis: [0, 1],\n"
        "         range: {z: [-0.2, 1]}, restitution: {z: %g}}\n";
    static const double restitutions[] = {0.0, 0.4, 0.7};
    for (int k = 0; k < 3; k++) {
        char text[1024];
        snprintf(text, sizeof text, block, restitutions[k]);
        mechanism m = start(text, integrators[_i]);
        take(&m, 1.5, 3);
        ck_assert_double_eq_tol(speed_of(&m, 0), 5.0 - 0.3 * 10.0 * 1.5, 1e-8);
        ck_assert_double_eq_tol(speed_of(&m, 1), 0.0, 1e-9);
        mechanism_free(&m);
    }
}
END_TEST

/* What a given motion changes at once is an impact too: a load of 1 kg on a sled of 1 kg is lifted at 1 m/s from 0.1 s to
 * `until`. */
static const char lift[] =
    "tenon: 1\n"
    "world: planar\n"
    "gravity: [0, 0]\n"
    "bodies:\n"
    "  block: {mass: 1, inertia: 1}\n"
    "  load: {mass: 1, inertia: 1, position: [0, 0.1]}\n"
    "joints:\n"
    "  ground: {type: slider, a: block, origin: [0, 0], axis: [1, 0], speed: {z: 1},\n"
    "           friction: {z: {coefficient: %g}}}\n"
    "  lift: {type: slider, a: load, b: block, origin: [0, 0.1], axis: [0, 1],\n"
    "         drive: {z: {position: {%s}}}}\n";

static const char *const lifts[] = {"table: [[0, 0], [0.1, 0], [0.2, 0.1], [1, 0.1]]",
                                    "formula: 'max(0, min(t - 0.1, 0.1))'"};

/* In parts, in steps that end at the bends, and in steps that go over them. */
START_TEST(a_jump_of_a_given_motion_rubs)
{
    static const tn_integrator methods[] = {TN_AUTO, TN_DORMAND_PRINCE, TN_GENERALIZED_ALPHA};
    static const int counts[] = {1, 50, 13};
    static const double speeds[] = {1.0, 0.75, 0.5};
    for (int n = 0; n < 6; n++) {
        char text[1024];
        snprintf(text, sizeof text, lift, 0.5, lifts[n % 2]);
        mechanism m = start(text, methods[_i]);
        for (int k = 0; k < 3; k++) {
            take(&m, k ? 0.1 : 0.05, counts[n / 2]);
            ck_assert_double_eq_tol(speed_of(&m, 0), speeds[k], 1e-8);
        }
        mechanism_free(&m);
    }
}
END_TEST

static double lifting_force(const mechanism *m)
{
    return tn_sim_joint_wrench(m->sim, (tn_joint){1}, TN_WRENCH_ON_A).f.y;
}

/* Behind a jump no force is left of it, in steps of one length either. */
START_TEST(steps_of_one_length_end_where_a_given_motion_bends)
{
    for (int n = 0; n < 2; n++) {
        char text[1024];
        snprintf(text, sizeof text, lift, 0.0, lifts[n]);
        mechanism m = start(text, TN_GENERALIZED_ALPHA);
        int jumps = 0;
        for (int step = 0; step < 300; step++) {
            ck_assert_int_eq(tn_sim_step(m.sim, 0.997e-3, NULL), TN_OK);
            ck_assert_double_eq_tol(lifting_force(&m), 0.0, 1e-6);
            for (int e = 0; e < tn_sim_event_count(m.sim); e++) {
                const tn_event *event = tn_sim_event(m.sim, e);
                ck_assert_int_eq(event->kind, TN_EVENT_MOTION_JUMPS);
                ck_assert_double_eq_tol(event->time, jumps ? 0.2 : 0.1, 1e-12);
                ck_assert_double_eq_tol(event->value, jumps ? -1.0 : 1.0, 1e-9);
                jumps++;
            }
        }
        ck_assert_int_eq(jumps, 2);
        const tn_energy energy = tn_sim_energy(m.sim);
        ck_assert_double_eq_tol(energy.work, 0.5, 1e-9);
        ck_assert_double_eq_tol(energy.lost, 0.5, 1e-9);
        mechanism_free(&m);
    }
}
END_TEST

/* Samples of a smooth motion that are no further apart than steps are gone over, and leave the force of that motion: a lift of
 * 0.05 (1 - cos 10 t) m is accelerated by 5 cos 10 t m/s^2. */
START_TEST(samples_of_a_motion_do_not_bend_it)
{
    static char text[32768], samples[30000];
    size_t size = 0;
    size += (size_t)snprintf(samples, sizeof samples, "table: [[-1, 0]");
    for (int k = 0; k < 400; k++) {
        const double t = 1e-3 * k;
        size += (size_t)snprintf(samples + size, sizeof samples - size, ", [%.17g, %.17g]", t,
                                 0.05 * (1.0 - cos(10.0 * t)));
    }
    snprintf(samples + size, sizeof samples - size, "]");
    snprintf(text, sizeof text, lift, 0.0, samples);
    mechanism m = start(text, TN_GENERALIZED_ALPHA);
    for (int step = 1; step <= 300; step++) {
        ck_assert_int_eq(tn_sim_step(m.sim, 1e-3, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_event_count(m.sim), 0);
        if (step > 100)
            ck_assert_double_eq_tol(lifting_force(&m), 5.0 * cos(1e-2 * step), 0.05);
    }
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("rubbing_impacts");
    TCase *one = tcase_create("one");
    tcase_add_loop_test(one, a_sled_that_is_hit_across, 0, INTEGRATORS);
    tcase_add_loop_test(one, a_sled_that_is_hit_askew_stops_and_turns_back, 0, INTEGRATORS);
    tcase_add_loop_test(one, a_stiff_spring_does_the_same, 0, 9);
    tcase_add_test(one, what_takes_no_impulse_has_no_say);
    tcase_add_loop_test(one, a_pin_rubs_in_proportion_to_its_radius, 0, 2);
    tcase_add_loop_test(one, bounces_rub_as_much_as_the_weight_does, 0, 2);
    tcase_add_loop_test(one, a_jump_of_a_given_motion_rubs, 0, 3);
    tcase_add_test(one, steps_of_one_length_end_where_a_given_motion_bends);
    tcase_add_test(one, samples_of_a_motion_do_not_bend_it);
    suite_add_tcase(suite, one);
    return suite;
}
