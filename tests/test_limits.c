/* test_limits.c: coordinates that hit, rest on and leave their limits.
 *
 * Numbers come from tests/data/mechanisms/P02.md, from closed forms given with each test, or are
 * invariants: energy never grows, momentum changes by what the reactions say.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "support/csv_table.h"
#include "support/limit_scenes.h"
#include "support/run_main.h"
#include "support/sample_mechanisms.h"

#define PI 3.14159265358979323846

static const tn_vec3 X = {1.0, 0.0, 0.0}, Z = {0.0, 0.0, 1.0};
static const tn_vec3 zero = {0.0, 0.0, 0.0};
static const double gravity = 9.81, rod_mass = 2.0;

/* P02: a uniform rod of 1 m on a hinge along z, from the x axis. */
static mechanism pendulum(range r, double speed)
{
    mechanism m = mechanism_new(vec(0.0, -gravity, 0.0));
    const tn_body body =
        mechanism_rod(&m, &(rod){.p = zero,
                                 .q = X,
                                 .mass = rod_mass,
                                 .along = 0.01,
                                 .across = rod_mass / 12.0,
                                 .velocity = {{0.0, 0.5 * speed, 0.0}, {0.0, 0.0, speed}}});
    limited_joint(&m, mechanism_axis_def("hinge", body, tn_ground(), zero, Z), &r, 1);
    return m;
}

/* How steady multipliers are at rest, and how far off, N m, whatever the step size. */
static const double steady = 1e-9;

/* ---- P02 ---- */

static const double impact_time = 0.38449852154207827633, impact_speed = -5.0484777540736008847;
static const double resting_torque = 4.905, resting_acceleration = 4.905 / (2.0 / 3.0);
static const range p02_range = {-PI / 3.0, PI, 0.0};

typedef struct p02_run {
    double time, speed; /* of the impact */
    double torque, resting_speed, over;
    double torque_change; /* over the last half of the run */
    int events;
} p02_run;

static p02_run run_p02(int integrator, double h, double restitution)
{
    range r = p02_range;
    r.restitution = restitution;
    mechanism m = pendulum(r, 0.0);
    mechanism_start_tight(&m, integrator);
    p02_run run = {.over = -INFINITY};
    double torque = 0.0;
    const int steps = (int)lround(1.0 / h);
    for (int k = 0; k < steps; k++) {
        step(&m, h);
        run.over = fmax(run.over, overshoot(&m));
        if (events_of(&m, TN_EVENT_LIMIT_REACHED, NULL) > 0 && run.events == 0) {
            run.time = tn_sim_event(m.sim, 0)->time;
            run.speed = tn_sim_event(m.sim, 0)->value;
        }
        run.events += tn_sim_event_count(m.sim);
        const int side = tn_sim_at_limit(m.sim, (tn_joint){0}, 0, &run.torque);
        if (k == steps / 2)
            torque = run.torque;
        if (k > steps / 2) {
            run.torque_change = fmax(run.torque_change, fabs(run.torque - torque));
            run.resting_speed = fmax(run.resting_speed, fabs(speed(&m, 0, 0)));
            ck_assert_int_eq(side, -1);
        }
    }
    mechanism_free(&m);
    return run;
}

/* The impact comes at the time of the trajectory, whose error is the stepper's; then rest. */
START_TEST(p02_impact_and_rest)
{
    const int order = method_order(_i);
    const p02_run a = run_p02(_i, 2e-3, 0.0), b = run_p02(_i, 1e-3, 0.0);
    const double ea = fabs(a.time - impact_time), eb = fabs(b.time - impact_time);
    const double va = fabs(a.speed - impact_speed), vb = fabs(b.speed - impact_speed);
    printf("%-27s t* off %.2e -> %.2e, speed %.2e -> %.2e, torque %.2e, change %.1e, speed at rest "
           "%.1e, over %.1e, %d events\n",
           name_of(_i), ea, eb, va, vb, fabs(b.torque / resting_torque - 1.0), b.torque_change,
           b.resting_speed, b.over, b.events);
    if (order <= 2) {
        ck_assert_double_ge(ea / eb, 0.85 * pow(2.0, order));
        ck_assert_double_ge(va / vb, 0.75 * pow(2.0, order));
    }
    ck_assert_double_le(eb, order > 2 ? 1e-9 : order > 1 ? 1e-6 : 1e-3);
    ck_assert_double_le(fabs(b.torque / resting_torque - 1.0), steady);
    ck_assert_double_le(b.torque_change, steady);
    ck_assert_double_le(b.resting_speed, 1e-12);
    ck_assert_double_le(b.over, DEADBAND);
    ck_assert_int_eq(b.events, 1);
}
END_TEST

/* Also where round-off of the positions, divided by h^2, would be a force. */
START_TEST(p02_rests_steadily)
{
    static const double sizes[] = {1e-2, 2e-3, 1e-4};
    for (int k = 0; k < 3; k++) {
        const p02_run run = run_p02(_i, sizes[k], 0.0);
        printf("%-27s h = %g: torque off %.1e, changes by %.1e N m\n", name_of(_i), sizes[k],
               fabs(run.torque / resting_torque - 1.0), run.torque_change);
        ck_assert_double_le(fabs(run.torque / resting_torque - 1.0), steady);
        ck_assert_double_le(run.torque_change, steady);
    }
}
END_TEST

/* Halving down to round-off: 1e-9 s is reached by the default integrator. */
START_TEST(p02_impact_time_converges)
{
    const p02_run fine = run_p02(TN_GENERALIZED_ALPHA, 2e-5, 0.0);
    printf("h = 2e-5: t* off %.2e s\n", fabs(fine.time - impact_time));
    ck_assert_double_le(fabs(fine.time - impact_time), 1e-9);
}
END_TEST

/* The trajectory to the impact and at rest, against the table. */
START_TEST(p02_follows_the_table)
{
    csv_table table = csv_table_read("P02");
    mechanism m = pendulum(p02_range, 0.0);
    mechanism_start_tight(&m, TN_GENERALIZED_ALPHA);
    double angle = 0.0, rate = 0.0, torque = 0.0, force = 0.0;
    for (int row = 0; row < table.row_count; row++) {
        const double t = csv_table_at(&table, row, "t");
        while (tn_sim_time(m.sim) < t - 1e-9)
            step(&m, 5e-4);
        angle = fmax(angle, fabs(coordinate(&m, 0, 0) - csv_table_at(&table, row, "theta")));
        rate = fmax(rate, fabs(speed(&m, 0, 0) - csv_table_at(&table, row, "thetadot")));
        if (row == 0)
            continue;
        const tn_wrench limit =
            tn_sim_joint_wrench_part(m.sim, (tn_joint){0}, TN_WRENCH_LIMIT, TN_WRENCH_IN_D);
        const tn_wrench hinge = tn_sim_joint_wrench(m.sim, (tn_joint){0}, TN_WRENCH_IN_D);
        torque = fmax(torque, fabs(limit.m.z - csv_table_at(&table, row, "limit_torque")));
        force = fmax(force, fabs(hinge.f.x - csv_table_at(&table, row, "hinge_Fx")));
        force = fmax(force, fabs(hinge.f.y - csv_table_at(&table, row, "hinge_Fy")));
    }
    printf("P02 table, h = 5e-4: %.1e rad, %.1e rad/s, %.1e N m, %.1e N\n", angle, rate, torque,
           force);
    ck_assert_double_le(angle, 2e-6);
    ck_assert_double_le(rate, 2e-5);
    ck_assert_double_le(torque, steady);
    ck_assert_double_le(force, 2e-4);
    mechanism_free(&m);
    csv_table_free(&table);
}
END_TEST

/* Velocity just after an impact, the impulse and the energy lost: one short step over t*. */
START_TEST(p02_impact_is_an_impulse)
{
    mechanism m = pendulum(p02_range, 0.0);
    mechanism_start_tight(&m, _i);
    const double h = 1e-3, I = rod_mass / 3.0;
    double before = 0.0, energy = 0.0;
    while (tn_sim_event_count(m.sim) == 0) {
        before = speed(&m, 0, 0);
        energy = tn_sim_energy(m.sim).total;
        step(&m, h);
    }
    const double impulse = -I * before, lost = energy - tn_sim_energy(m.sim).total;
    printf("%-27s speed after %.1e, impulse off %.1e, energy lost off %.1e\n", name_of(_i),
           fabs(speed(&m, 0, 0)), fabs(impulse - 3.3656518360490672565),
           fabs(lost - 8.49570921112534312));
    ck_assert_double_le(fabs(speed(&m, 0, 0)), 1e-12);
    ck_assert_double_le(fabs(impulse - 3.3656518360490672565), rod_mass * gravity * 0.5 * h);
    ck_assert_double_le(fabs(lost - 8.49570921112534312), _i == 0 ? 1e-4 : 0.1);
    mechanism_free(&m);
}
END_TEST

/* Seven bounces with restitution 0.5. */
START_TEST(p02_bounces)
{
    static const double times[7] = {0.3844985215420783, 0.8916095178024623, 1.200162934135854,
                                    1.366656711498337,  1.451767854266026,  1.494569891214219,
                                    1.516002167299973};
    static const double speeds[7] = {-5.0484777540736, -2.5242388770368, -1.2621194385184,
                                     -0.6310597192592, -0.3155298596296, -0.1577649298148,
                                     -0.0788824649074};
    range r = p02_range;
    r.restitution = 0.5;
    mechanism m = pendulum(r, 0.0);
    mechanism_start_tight(&m, _i);
    int count = 0;
    double time_error = 0.0, speed_error = 0.0, energy = INFINITY, gain = -INFINITY;
    while (tn_sim_time(m.sim) < 1.6) {
        step(&m, 1e-3);
        for (int k = 0; k < tn_sim_event_count(m.sim); k++) {
            const tn_event *e = tn_sim_event(m.sim, k);
            if (e->kind != TN_EVENT_LIMIT_REACHED)
                continue;
            if (count < 7) {
                time_error = fmax(time_error, fabs(e->time - times[count]));
                speed_error = fmax(speed_error, fabs(e->value - speeds[count]));
            }
            count++;
        }
        if (!method_is_second_order(_i))
            continue;
        gain = fmax(gain, tn_sim_energy(m.sim).total - energy);
        energy = tn_sim_energy(m.sim).total;
    }
    printf("%-27s %d bounces, times off %.1e, speeds %.1e, energy gained %.1e\n", name_of(_i),
           count, time_error, speed_error, gain);
    ck_assert_double_le(time_error, _i == 0 ? 5e-6 : 2e-2);
    ck_assert_double_le(speed_error, _i == 0 ? 3e-5 : 4e-2);
    double torque;
    ck_assert_int_ge(
        count, _i == 0 ? 12 : 9); /* down to the speed of rest, 1e-3 rad/s: log2(5048) = 12.3 */
    if (_i == TN_DORMAND_PRINCE ||
        _i == TN_AUTO) /* down to what leaves the deadband of 1e-10 rad */
        ck_assert_double_eq_tol(count, 0.5 + log2(-speeds[0] / sqrt(2e-10 * resting_acceleration)),
                                1.0);
    else
        ck_assert_int_le(count, 15);
    ck_assert_int_eq(tn_sim_at_limit(m.sim, (tn_joint){0}, 0, &torque), -1);
    ck_assert_double_eq_tol(torque, resting_torque, steady);
    mechanism_free(&m);
}
END_TEST

/* Runs until rest, then watches multipliers and coordinates. */
static void expect_rest(mechanism *m, double h, int settle, int watch, double tolerance)
{
    for (int k = 0; k < settle; k++) {
        step(m, h);
        ck_assert_double_le(overshoot(m), DEADBAND);
    }
    double first[TN_MAX_ROWS], now[TN_MAX_ROWS], change = 0.0;
    tn_sim_joint_multipliers(m->sim, (tn_joint){0}, first);
    const tn_joint_type type = tn_model_joint_type(m->model, (tn_joint){0});
    for (int k = 0; k < watch; k++) {
        step(m, h);
        ck_assert_int_eq(tn_sim_event_count(m->sim), 0);
        ck_assert_double_le(overshoot(m), DEADBAND);
        tn_sim_joint_multipliers(m->sim, (tn_joint){0}, now);
        for (int n = 0; n < tn_joint_type_get(type)->row_count; n++)
            change = fmax(change, fabs(now[n] - first[n]));
    }
    printf("    at rest: multipliers change by %.1e\n", change);
    ck_assert_double_le(change, tolerance);
}

/* ---- wide ranges, speed ---- */

/* Thrown at 50 rad/s about its centre, into the stop at `limit`: it arrives when it must. */
static void throw_into(int integrator, double limit, double h)
{
    const double w = limit > 0.0 ? 50.0 : -50.0;
    mechanism m = mechanism_new(zero);
    const tn_body body = small_body(&m, zero, (tn_twist){zero, {0.0, 0.0, w}});
    const range r = {-fabs(limit), fabs(limit), 0.0};
    limited_joint(&m, mechanism_axis_def("hinge", body, tn_ground(), zero, Z), &r, 1);
    mechanism_start(&m, integrator);
    double hit = -1.0, over = -INFINITY;
    while (tn_sim_time(m.sim) < 1.2 * limit / w) {
        step(&m, h);
        over = fmax(over, overshoot(&m));
        if (events_of(&m, TN_EVENT_LIMIT_REACHED, NULL))
            events_of(&m, TN_EVENT_LIMIT_REACHED, &hit);
    }
    ck_assert_double_eq_tol(hit, limit / w, 1e-9);
    ck_assert_double_eq_tol(coordinate(&m, 0, 0), limit, 1e-10);
    ck_assert_double_le(over, DEADBAND);
    ck_assert_double_le(fabs(speed(&m, 0, 0)), 1e-12);
    double torque;
    ck_assert_int_eq(tn_sim_at_limit(m.sim, (tn_joint){0}, 0, &torque), limit > 0.0 ? 1 : -1);
    ck_assert_double_le(fabs(torque), 1e-9);
    mechanism_free(&m);
}

START_TEST(thrown_into_wide_ranges)
{
    static const double limits[] = {0.5, 135.0, 270.0, 1080.0};
    for (int k = 0; k < 4; k++) {
        throw_into(_i, limits[k] * PI / 180.0, 1e-3);
        throw_into(_i, -limits[k] * PI / 180.0, 1e-3);
    }
    throw_into(_i, 6.0 * PI, 5e-2); /* 2.5 rad a step */
}
END_TEST

/* A heavy pendulum wound up by 1080 degrees rests on its stop with the torque of its weight. */
START_TEST(rests_on_a_limit_of_three_turns)
{
    mechanism m = pendulum((range){-6.0 * PI, 5.0 * PI - 0.25, 0.0}, 50.0);
    mechanism_start(&m, _i);
    int reached = 0;
    for (int k = 0; k < 3000; k++) {
        step(&m, 1e-3);
        reached = reached || tn_sim_at_limit(m.sim, (tn_joint){0}, 0, NULL) == 1;
        ck_assert_double_le(overshoot(&m), DEADBAND);
    }
    ck_assert(reached);
    ck_assert_double_gt(coordinate(&m, 0, 0), -6.0 * PI - 1e-9);
    ck_assert_int_eq(tn_sim_at_limit(m.sim, (tn_joint){0}, 0, NULL), 1);
    expect_rest(&m, 1e-3, 50, 100, steady);
    expect_rest(&m, 1e-2, 50, 100, steady);
    mechanism_free(&m);
}
END_TEST

/* ---- several limits ---- */

/* A rod on a universal joint falls into the corner of both limits and stays. */
START_TEST(two_limits_of_a_universal)
{
    mechanism m = mechanism_new(vec(3.0, -4.0, -gravity));
    const tn_body body = small_body(&m, vec(0.0, 0.0, -1.0), (tn_twist){zero, zero});
    const range r[2] = {{-0.4, 0.3, 0.0}, {-0.2, 0.25, 0.0}};
    limited_joint(&m, mechanism_axis_def("universal", body, tn_ground(), zero, Z), r, 2);
    mechanism_start_tight(&m, _i);
    printf("%-27s universal\n", name_of(_i));
    expect_rest(&m, 1e-3, 1500, 300, steady);
    expect_rest(&m, 1e-2, 50, 100, steady);
    int held = 0;
    for (int i = 0; i < 2; i++) {
        double force;
        const int side = tn_sim_at_limit(m.sim, (tn_joint){0}, i, &force);
        held += side != 0;
        if (side)
            ck_assert_double_ge(-side * force, 0.0);
    }
    ck_assert_int_eq(held, 2);
    mechanism_free(&m);
}
END_TEST

/* lower == upper is a lock: it holds both ways, also where gravity pulls from either side. */
START_TEST(equal_limits_hold_both_ways)
{
    for (int side = -1; side <= 1; side += 2) {
        mechanism m = mechanism_new(vec(0.0, side * gravity, 0.0));
        const tn_body body = mechanism_rod(
            &m, &(rod){.p = zero, .q = X, .mass = 2.0, .along = 0.01, .across = 2.0 / 12.0});
        const range r = {0.0, 0.0, 0.5};
        limited_joint(&m, mechanism_axis_def("hinge", body, tn_ground(), zero, Z), &r, 1);
        mechanism_start_tight(&m, _i);
        int events = 0;
        for (int k = 0; k < 200; k++) {
            step(&m, 1e-3);
            events += tn_sim_event_count(m.sim);
            ck_assert_double_le(fabs(coordinate(&m, 0, 0)), 1e-12);
        }
        ck_assert_int_le(events, 1);
        double torque;
        ck_assert_int_eq(tn_sim_at_limit(m.sim, (tn_joint){0}, 0, &torque), side);
        ck_assert_double_eq_tol(torque, -side * 2.0 * gravity * 0.5, 1e-8);
        const tn_wrench lock =
            tn_sim_joint_wrench_part(m.sim, (tn_joint){0}, TN_WRENCH_LOCK, TN_WRENCH_ON_A);
        ck_assert_double_eq_tol(lock.m.z, torque, 1e-12);
        expect_rest(&m, 1e-2, 50, 100, steady);
        mechanism_free(&m);
    }
}
END_TEST

/* A gimbal whose pitch range includes the pole: the body swings through it, hits and rests. */
START_TEST(gimbal_limits_through_the_pole)
{
    mechanism m = mechanism_new(vec(0.0, -6.0, -gravity));
    const tn_body body =
        small_body(&m, vec(0.6, 0.0, 0.4), (tn_twist){{0.0, 0.3, 0.0}, {0.4, -3.0, 0.2}});
    const range r[3] = {{-2.0, 2.0, 0.0}, {-1.0, 2.5, 0.0}, {-3.0, 3.0, 0.0}};
    limited_joint(&m, mechanism_axis_def("gimbal", body, tn_ground(), zero, Z), r, 3);
    mechanism_start(&m, _i);
    int events = 0;
    double energy = tn_sim_energy(m.sim).total, gain = 0.0;
    for (int k = 0; k < 4000; k++) {
        step(&m, 1e-3);
        events += tn_sim_event_count(m.sim);
        ck_assert_double_le(overshoot(&m), DEADBAND);
        const double now = tn_sim_energy(m.sim).total;
        gain = fmax(gain, now - energy);
        energy = now;
    }
    printf("%-27s gimbal: %d events, energy gained in a step %.1e\n", name_of(_i), events, gain);
    ck_assert_int_gt(events, 0);
    ck_assert_int_lt(events, 400);
    mechanism_free(&m);
}
END_TEST

/* ---- mechanisms ---- */

/* A block on a slope of 30 degrees slides into a stop and leans on it with m g sin 30. */
START_TEST(slider_on_a_slope_against_a_stop)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -gravity));
    const tn_body block = small_body(&m, zero, (tn_twist){zero, zero});
    const range r = {-0.5, 10.0, 0.0};
    limited_joint(&m,
                  mechanism_axis_def("slider", block, tn_ground(), zero,
                                     vec(cos(PI / 6.0), 0.0, sin(PI / 6.0))),
                  &r, 1);
    mechanism_start_tight(&m, _i);
    double hit = 0.0, force;
    while (tn_sim_time(m.sim) < 1.0) {
        step(&m, 1e-2);
        events_of(&m, TN_EVENT_LIMIT_REACHED, &hit);
        ck_assert_double_le(overshoot(&m), DEADBAND);
    }
    const double t = sqrt(2.0 * 0.5 / (gravity * 0.5));
    ck_assert_double_le(fabs(hit - t), method_is_second_order(_i) ? 1e-9 : 1e-2);
    ck_assert_int_eq(tn_sim_at_limit(m.sim, (tn_joint){0}, 0, &force), -1);
    ck_assert_double_le(fabs(force / (1.5 * gravity * 0.5) - 1.0), 1e-9);
    mechanism_free(&m);
}
END_TEST

/* The four-bar with a range on its crank: overconstrained in space, and the limit in the loop. */
START_TEST(limit_inside_an_overconstrained_loop)
{
    mechanism m = sample_four_bar();
    mechanism_start_tight(&m, _i);
    const double q = coordinate(&m, 0, 0);
    ck_assert_int_eq(tn_sim_set_range(m.sim, (tn_joint){0}, 0, q - 0.7, q + 0.7), TN_OK);
    double first = 0.0, change = 0.0;
    for (int k = 0; k < 1000; k++) {
        double force = 0.0;
        step(&m, 2e-3);
        ck_assert_double_le(overshoot(&m), DEADBAND);
        const int side = tn_sim_at_limit(m.sim, (tn_joint){0}, 0, &force);
        if (k < 700)
            continue;
        ck_assert_int_ne(side, 0);
        ck_assert_double_gt(-side * force, 1.0);
        first = k == 700 ? force : first;
        change = fmax(change, fabs(force - first));
    }
    const double lever = cos(0.7) * 9.8 * (89.665731097521640 + 59.777154065014450);
    printf("%-27s four-bar: |force| off by %.1e, changes by %.1e N m\n", name_of(_i),
           fabs(fabs(first) / lever - 1.0), change);
    ck_assert_double_le(fabs(fabs(first) / lever - 1.0), steady);
    ck_assert_double_le(change, steady);
    mechanism_free(&m);
}
END_TEST

/* ---- contradictions, changes ---- */

/* Two hinges on one axis, one locked at 0, the other's range beyond: refused, somebody is named. */
START_TEST(limit_against_a_lock_is_a_conflict)
{
    mechanism m = pendulum((range){-1.0, 1.0, 0.0}, 0.0);
    tn_joint_def def = mechanism_axis_def("hinge", (tn_body){0}, tn_ground(), zero, Z);
    def.locked[0] = 1;
    mechanism_joint(&m, &def);
    mechanism_start(&m, _i);
    step(&m, 1e-3);
    ck_assert_int_eq(tn_sim_set_range(m.sim, (tn_joint){0}, 0, 0.5, 1.0), TN_OK);
    tn_step_report report;
    const tn_status status = tn_sim_step(m.sim, 1e-3, &report);
    ck_assert_int_ne(status, TN_OK);
    ck_assert_int_ge(report.culprit_joint.i, 0);
    ck_assert(isfinite(coordinate(&m, 0, 0)));
    ck_assert_int_eq(tn_sim_event_count(m.sim), 0);
    mechanism_free(&m);
}
END_TEST

/* A range that leaves the coordinate outside, by little and by turns, moves it to the nearer end.
 */
START_TEST(range_changed_while_running)
{
    static const double ranges[4][2] = {{0.2, 0.4}, {-3.0, -2.5}, {7.0, 8.0}, {-20.0, -19.0}};
    mechanism m = pendulum((range){-INFINITY, INFINITY, 0.0}, 0.0);
    mechanism_start(&m, _i);
    step(&m, 1e-3);
    for (int k = 0; k < 4; k++) {
        ck_assert_int_eq(tn_sim_set_range(m.sim, (tn_joint){0}, 0, ranges[k][0], ranges[k][1]),
                         TN_OK);
        for (int n = 0; n < 5; n++)
            step(&m, 1e-3);
        const double q = coordinate(&m, 0, 0);
        ck_assert_double_ge(q, ranges[k][0] - DEADBAND);
        ck_assert_double_le(q, ranges[k][1] + DEADBAND);
    }
    ck_assert_int_eq(tn_sim_set_range(m.sim, (tn_joint){0}, 0, (double)NAN, 1.0),
                     TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_set_range(m.sim, (tn_joint){0}, 0, 1.0, 0.0), TN_ERROR_ARGUMENT);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("limits");
    TCase *p02 = tcase_create("P02");
    tcase_add_loop_test(p02, p02_impact_and_rest, 0, METHODS);
    tcase_add_loop_test(p02, p02_rests_steadily, 0, METHODS);
    tcase_add_test(p02, p02_impact_time_converges);
    tcase_add_test(p02, p02_follows_the_table);
    tcase_add_loop_test(p02, p02_impact_is_an_impulse, 0, METHODS);
    tcase_add_loop_test(p02, p02_bounces, 0, METHODS);
    suite_add_tcase(suite, p02);
    TCase *ranges = tcase_create("ranges");
    tcase_add_loop_test(ranges, thrown_into_wide_ranges, 0, METHODS);
    tcase_add_loop_test(ranges, rests_on_a_limit_of_three_turns, 0, METHODS);
    suite_add_tcase(suite, ranges);
    TCase *several = tcase_create("several");
    tcase_add_loop_test(several, two_limits_of_a_universal, 0, METHODS);
    tcase_add_loop_test(several, equal_limits_hold_both_ways, 0, METHODS);
    tcase_add_loop_test(several, gimbal_limits_through_the_pole, 0, METHODS);
    suite_add_tcase(suite, several);
    TCase *mechanisms = tcase_create("mechanisms");
    tcase_add_loop_test(mechanisms, slider_on_a_slope_against_a_stop, 0, METHODS);
    tcase_add_loop_test(mechanisms, limit_inside_an_overconstrained_loop, 0, METHODS);
    tcase_add_loop_test(mechanisms, limit_against_a_lock_is_a_conflict, 0, METHODS);
    tcase_add_loop_test(mechanisms, range_changed_while_running, 0, METHODS);
    suite_add_tcase(suite, mechanisms);
    return suite;
}
