/* test_couplings.c: gears, racks, pulleys over coordinates: closed forms, power, momentum, setting.
 */
#include <check.h>
#include <math.h>

#include "support/mechanism.h"
#include "support/run_main.h"

static const tn_vec3 Z = {0.0, 0.0, 1.0};
static const double g = 9.8;

/* A wheel of inertia I about z on a hinge to ground at (x, 0, 0), turning at w. */
static tn_joint wheel(mechanism *m, double x, double inertia, double w)
{
    tn_body_def def = tn_default_body_def();
    def.mass = 1.0;
    def.inertia = mat_diagonal(inertia, inertia, inertia);
    def.pose.p = vec(x, 0.0, 0.0);
    def.velocity.w = vec(0.0, 0.0, w);
    const tn_body body = mechanism_body(m, &def);
    return mechanism_axis_joint(m, "hinge", body, tn_ground(), def.pose.p, Z);
}

/* A mass on a vertical slider at (x, 0, 0). */
static tn_joint weight(mechanism *m, double x, double mass)
{
    tn_body_def def = tn_default_body_def();
    def.mass = mass;
    def.inertia = mat_diagonal(1.0, 1.0, 1.0);
    def.pose.p = vec(x, 0.0, 0.0);
    const tn_body body = mechanism_body(m, &def);
    return mechanism_axis_joint(m, "slider", body, tn_ground(), def.pose.p, Z);
}

static tn_coupling couple(mechanism *m, tn_joint a, double ra, tn_joint b, double rb,
                          tn_coupling_hold hold)
{
    const tn_coupling_term terms[] = {{.joint = a, .ratio = ra}, {.joint = b, .ratio = rb}};
    tn_coupling_def def = tn_default_coupling_def();
    def.terms = terms;
    def.term_count = 2;
    def.hold = hold;
    tn_coupling out = {-1};
    ck_assert_int_eq(tn_spec_add_coupling(m->spec, &def, &out), TN_OK);
    return out;
}

static double coordinate(const mechanism *m, tn_joint joint)
{
    double q[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(m->sim, joint, q);
    return q[0];
}

static double speed(const mechanism *m, tn_joint joint)
{
    double v[TN_MAX_COORDINATES];
    tn_sim_joint_speeds(m->sim, joint, v);
    return v[0];
}

/* th_b - r th_a = const: K = 1/I_b + r^2 / I_a, whatever the sign of the ratio. */
START_TEST(gear_effective_mass_has_the_square_of_the_ratio)
{
    static const double ratios[] = {-2.0 / 3.0, 3.0, -1.0};
    const double r = ratios[_i], ia = 0.3, ib = 0.7;
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    const tn_joint a = wheel(&m, 0.0, ia, 2.0), b = wheel(&m, 1.0, ib, 0.0);
    const tn_coupling gear = couple(&m, b, 1.0, a, -r, TN_COUPLING_HELD);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    tn_equations eq;
    ck_assert_int_eq(tn_sim_equations(m.sim, tn_model_coupling_joint(m.model, gear), &eq), TN_OK);
    ck_assert_int_eq(eq.rows, 1);
    ck_assert_double_eq_tol(eq.effective[0], 1.0 / ib + r * r / ia, 1e-13);
    tn_equations_free(&eq);
    ck_assert_double_eq_tol(tn_sim_row_mass(m.sim, tn_model_coupling_joint(m.model, gear), 0),
                            1.0 / (1.0 / ib + r * r / ia), 1e-13);
    /* the first step makes the speeds meet: b takes the impulse p, a takes -r p */
    const double p = r * 2.0 / (1.0 / ib + r * r / ia);
    mechanism_run(&m, 1e-3, 100, NULL);
    ck_assert_double_eq_tol(speed(&m, b), p / ib, 1e-12);
    ck_assert_double_eq_tol(speed(&m, a), 2.0 - r * p / ia, 1e-12);
    ck_assert_double_eq_tol(coordinate(&m, b), r * coordinate(&m, a), 1e-12);
    mechanism_free(&m);
}
END_TEST

START_TEST(residuals_include_couplings)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    const tn_joint a = wheel(&m, 0.0, 0.3, 2.0), b = wheel(&m, 1.0, 0.7, 0.5);
    const tn_coupling gear = couple(&m, b, 1.0, a, -3.0, TN_COUPLING_HELD);
    mechanism_start(&m, TN_CONSTRAINED_BACKWARD_EULER); /* speeds as they are: c' = 0.5 - 3 2 */
    const tn_residuals before = tn_sim_residuals(m.sim);
    ck_assert_double_eq_tol(before.turn_rate, 5.5, 1e-13);
    ck_assert_int_eq(before.worst.i, tn_model_coupling_joint(m.model, gear).i);
    mechanism_run(&m, 1e-3, 1, NULL);
    ck_assert_double_le(tn_sim_residuals(m.sim).turn_rate, 1e-12);
    mechanism_free(&m);
}
END_TEST

/* 1 kg and 3 kg over a pulley: a = 4.9 m/s^2, T = 14.7 N at g = 9.8. */
START_TEST(atwood_machine)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -g));
    const tn_joint light = weight(&m, 0.0, 1.0), heavy = weight(&m, 1.0, 3.0);
    const tn_coupling rope = couple(&m, light, 1.0, heavy, 1.0, TN_COUPLING_HELD);
    mechanism_start(&m, _i);
    const double h = 1e-2;
    mechanism_run(&m, h, 100, NULL);
    ck_assert_double_eq_tol(speed(&m, light), 4.9, 1e-9);
    ck_assert_double_eq_tol(speed(&m, heavy), -4.9, 1e-9);
    ck_assert_double_eq_tol(tn_sim_coupling_value(m.sim, rope), 0.0, 1e-12);
    ck_assert_double_eq_tol(tn_sim_coupling_speed(m.sim, rope), 0.0, 1e-12);
    ck_assert_double_eq_tol(tn_sim_coupling_term_force(m.sim, rope, 0), 14.7, 1e-8);
    ck_assert_double_eq_tol(tn_sim_coupling_term_force(m.sim, rope, 1), 14.7, 1e-8);
    ck_assert_double_eq_tol(tn_sim_coupling_wrench(m.sim, rope, (tn_body){0}).f.z, 14.7, 1e-8);
    ck_assert_double_eq_tol(tn_sim_coupling_wrench(m.sim, rope, tn_ground()).f.z, -29.4, 1e-8);
    if (method_is_second_order(_i))
        ck_assert_double_eq_tol(coordinate(&m, light), 0.5 * 4.9, 1e-9);
    mechanism_free(&m);
}
END_TEST

/* l_a + r l_b = const: the force on b is r times that on a. */
START_TEST(pulley_with_a_ratio)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -g));
    const double r = 2.5, ma = 2.0, mb = 3.0;
    const tn_joint a = weight(&m, 0.0, ma), b = weight(&m, 1.0, mb);
    const tn_coupling rope = couple(&m, a, 1.0, b, r, TN_COUPLING_HELD);
    mechanism_start_tight(&m, TN_GENERALIZED_ALPHA);
    mechanism_run(&m, 1e-2, 100, NULL);
    /* T (1/ma + r^2/mb) = g (1 + r) */
    const double T = g * (1.0 + r) / (1.0 / ma + r * r / mb);
    ck_assert_double_eq_tol(tn_sim_coupling_term_force(m.sim, rope, 0), T, 1e-9);
    ck_assert_double_eq_tol(tn_sim_coupling_term_force(m.sim, rope, 1), r * T, 1e-9);
    ck_assert_double_eq_tol(coordinate(&m, a) + r * coordinate(&m, b), 0.0, 1e-10);
    ck_assert_double_eq_tol(speed(&m, a) + r * speed(&m, b), 0.0, 1e-10);
    tn_balance balance;
    ck_assert_int_eq(tn_sim_balance(m.sim, &balance), TN_OK);
    ck_assert_double_lt(fmax(balance.force, balance.moment), 1e-10);
    mechanism_free(&m);
}
END_TEST

/* A weight on a rack turns a pinion: a = m g / (m + I / R^2). */
START_TEST(rack_and_pinion)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -g));
    const double R = 0.2, mass = 2.0, inertia = 0.05;
    const tn_joint rack = weight(&m, 0.0, mass), pinion = wheel(&m, 1.0, inertia, 0.0);
    couple(&m, rack, 1.0, pinion, -R, TN_COUPLING_HELD);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    mechanism_run(&m, 1e-2, 100, NULL);
    const double a = -mass * g / (mass + inertia / (R * R));
    ck_assert_double_eq_tol(speed(&m, rack), a, 1e-10);
    ck_assert_double_eq_tol(coordinate(&m, rack), 0.5 * a, 1e-10);
    ck_assert_double_eq_tol(coordinate(&m, pinion), 0.5 * a / R, 1e-9);
    mechanism_free(&m);
}
END_TEST

/* A weight turns the first of fifty gears through a rack: every mesh takes as much power as it
 * gives, and what the weight loses is what moves. */
START_TEST(gear_train_keeps_power)
{
    enum { GEARS = 50 };
    mechanism m = mechanism_new(vec(0.0, 0.0, -g));
    const double r = -2.0 / 3.0, h = 1e-3;
    tn_joint gear[GEARS];
    tn_coupling mesh[GEARS];
    const tn_joint load = weight(&m, -1.0, 1.0);
    for (int k = 0; k < GEARS; k++)
        gear[k] = wheel(&m, k, 0.01, 0.0);
    mesh[0] = couple(&m, gear[0], 0.1, load, 1.0, TN_COUPLING_HELD);
    for (int k = 1; k < GEARS; k++)
        mesh[k] = couple(&m, gear[k], 1.0, gear[k - 1], -r, TN_COUPLING_HELD);
    mechanism_start_tight(&m, TN_GENERALIZED_ALPHA);
    run_stats stats = {0};
    mechanism_run(&m, h, 1000, &stats);
    double in = -1.0 * g * speed(&m, load), largest = 0.0;
    for (int k = 0; k < GEARS; k++) {
        const tn_joint from = k ? gear[k - 1] : load;
        const double out = tn_sim_coupling_term_force(m.sim, mesh[k], 0) * speed(&m, gear[k]);
        const double taken = tn_sim_coupling_term_force(m.sim, mesh[k], 1) * speed(&m, from);
        largest = fmax(largest, fabs(out + taken) / in);
        ck_assert_double_eq_tol(tn_sim_coupling_value(m.sim, mesh[k]), 0.0, 1e-11);
        ck_assert_double_eq_tol(speed(&m, gear[k]), (k ? r : -10.0) * speed(&m, from),
                                1e-10 * fabs(speed(&m, gear[0])));
    }
    ck_assert_double_lt(largest, 1e-10);
    /* one degree of freedom: (m + sum I_k w_k^2 / v^2) a = m g */
    double mass = 1.0;
    for (int k = 0; k < GEARS; k++)
        mass += 0.01 * 100.0 * pow(r, 2 * k);
    ck_assert_double_eq_tol(speed(&m, load), -g / mass, 1e-9);
    ck_assert_double_lt(fabs(stats.energy_drift), 1e-9);
    mechanism_free(&m);
}
END_TEST

/* A follower whose height is a polynomial of a cam's angle. Order of the position after 1 s. */
static double cam_height(double h)
{
    static const double numbers[] = {0.0, 0.3, -0.2, 0.05};
    mechanism m = mechanism_new(vec(0.0, 0.0, -g));
    const tn_joint cam = wheel(&m, 0.0, 0.5, 1.0), follower = weight(&m, 1.0, 0.7);
    const tn_coupling_term terms[] = {
        {.joint = follower, .ratio = 1.0},
        {.joint = cam,
         .ratio = -1.0,
         .function = {.kind = TN_FUNCTION_POLYNOMIAL, .numbers = numbers, .count = 4}}};
    tn_coupling_def def = tn_default_coupling_def();
    def.terms = terms;
    def.term_count = 2;
    ck_assert_int_eq(tn_spec_add_coupling(m.spec, &def, NULL), TN_OK);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    mechanism_run(&m, h, (int)lround(1.0 / h), NULL);
    const double th = coordinate(&m, cam);
    ck_assert_double_eq_tol(coordinate(&m, follower), th * (0.3 + th * (-0.2 + th * 0.05)), 1e-11);
    mechanism_free(&m);
    return th;
}

START_TEST(polynomial_coupling_is_of_second_order)
{
    const double exact = cam_height(1e-3 / 4.0);
    const double coarse = fabs(cam_height(1e-2) - exact), fine = fabs(cam_height(5e-3) - exact);
    ck_assert_double_gt(coarse, 1e-7);
    ck_assert_double_gt(coarse / fine, 3.6);
    ck_assert_double_lt(coarse / fine, 4.6);
}
END_TEST

/* A rope pulls and does not push. The light weight, thrown up with v, and the heavy one fall freely
 * until the rope is taut again after v / g; then T/m_a + T/m_b = v is the impulse of the rope. */
START_TEST(slack_and_taut)
{
    const double v = 3.0, h = 1e-3, ma = 1.0, mb = 3.0;
    mechanism m = mechanism_new(vec(0.0, 0.0, -g));
    const tn_joint light = weight(&m, 0.0, ma), heavy = weight(&m, 1.0, mb);
    /* over a wheel above them: -z_a - z_b is at its most when the rope is taut */
    const tn_coupling rope = couple(&m, light, -1.0, heavy, -1.0, TN_COUPLING_AT_MOST);
    mechanism_start(&m, _i);
    const tn_joint element = tn_model_coupling_joint(m.model, rope);
    tn_sim_set_body_velocity(m.sim, (tn_body){0}, (tn_twist){{0.0, 0.0, v}, {0.0, 0.0, 0.0}});
    int reached = 0;
    for (int k = 0; k < 400; k++) {
        ck_assert_int_eq(tn_sim_step(m.sim, h, NULL), TN_OK);
        for (int32_t e = 0; e < tn_sim_event_count(m.sim); e++) {
            const tn_event *event = tn_sim_event(m.sim, e);
            ck_assert_int_eq(event->joint.i, element.i);
            if (event->kind != TN_EVENT_LIMIT_REACHED)
                continue;
            reached++;
            ck_assert_double_eq_tol(event->time, v / g, 2e-3);
            ck_assert_double_eq_tol(event->value, v, 2e-2);
        }
        const double force = tn_sim_coupling_force(m.sim, rope);
        ck_assert_double_lt(tn_sim_coupling_value(m.sim, rope), 1e-9);
        ck_assert_double_le(force, 1e-9);
        ck_assert(reached == (force < 0.0));
    }
    ck_assert_int_eq(reached, 1);
    const double T = v / (1.0 / ma + 1.0 / mb), a = g * (mb - ma) / (ma + mb);
    ck_assert_double_eq_tol(speed(&m, light), T / ma + a * (400 * h - v / g), 1e-2);
    ck_assert_double_eq_tol(speed(&m, heavy), -speed(&m, light), 1e-10);
    ck_assert_double_eq_tol(tn_sim_coupling_force(m.sim, rope), -14.7, 1e-6);
    mechanism_free(&m);
}
END_TEST

/* A bob on a rod turns like one on a hinge, and the rod pulls with m (l th'^2 + g cos th). */
START_TEST(rod_pendulum_is_the_hinge_pendulum)
{
    const double mass = 2.0;
    mechanism m = mechanism_new(vec(0.0, 0.0, -g));
    tn_body_def def = tn_default_body_def();
    def.mass = mass;
    def.inertia = mat_diagonal(1e-9, 1e-9, 1e-9); /* the hinge turns the bob, the rod does not */
    def.pose.p = vec(1.0, 0.0, 0.0);
    const tn_body free = mechanism_body(&m, &def), turned = mechanism_body(&m, &def);
    tn_joint_def link_def = tn_default_joint_def();
    link_def.type = "rod";
    link_def.a = free;
    link_def.b = tn_ground();
    link_def.placement = TN_PLACE_BODY_FRAMES;
    const tn_joint link = mechanism_joint(&m, &link_def);
    mechanism_axis_joint(&m, "hinge", turned, tn_ground(), vec(0.0, 0.0, 0.0), vec(0.0, 1.0, 0.0));
    mechanism_start_tight(&m, TN_GENERALIZED_ALPHA);
    for (int k = 0; k < 20; k++) {
        mechanism_run(&m, 1e-3, 100, NULL);
        const tn_vec3 p = tn_sim_body_pose(m.sim, free).p, q = tn_sim_body_pose(m.sim, turned).p;
        const tn_vec3 v = tn_sim_body_velocity(m.sim, free).v;
        ck_assert_double_le(vec_norm(vec_sub(p, q)), 2e-5);
        ck_assert_double_eq_tol(vec_norm(p), 1.0, 1e-10);
        double lambda[TN_MAX_ROWS];
        tn_sim_joint_multipliers(m.sim, link, lambda);
        const double pull = mass * (v.x * v.x + v.z * v.z - g * p.z);
        ck_assert_double_eq_tol(-lambda[0], pull, 1e-3); /* of up to 59 N */
    }
    mechanism_free(&m);
}
END_TEST

/* A parallelogram may fold over where it lies flat. The gear between its cranks, a row of the loop
 * that is redundant elsewhere, keeps it what it is: without gravity both turn evenly. */
START_TEST(gear_in_a_loop_leads_through_change_points)
{
    const double w = 2.0, start = 0.3, c = 0.5 * cos(start), s = 0.5 * sin(start);
    const tn_vec3 base[2] = {vec(0.0, 0.0, 0.0), vec(1.0, 0.0, 0.0)};
    const tn_vec3 tip[2] = {vec(c, s, 0.0), vec(1.0 + c, s, 0.0)};
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    tn_body crank[2];
    tn_joint hinge[2];
    for (int i = 0; i < 2; i++) {
        const rod r = {base[i], tip[i], 1.0,
                       0.01,    0.02,   {vec(-0.5 * s * w, 0.5 * c * w, 0.0), vec(0.0, 0.0, w)}};
        crank[i] = mechanism_rod(&m, &r);
        hinge[i] = mechanism_axis_joint(&m, "hinge", crank[i], tn_ground(), base[i], Z);
    }
    const rod r = {tip[0], tip[1], 1.0, 0.01, 0.1, {vec(-s * w, c * w, 0.0), vec(0.0, 0.0, 0.0)}};
    const tn_body coupler = mechanism_rod(&m, &r);
    for (int i = 0; i < 2; i++)
        mechanism_axis_joint(&m, "hinge", coupler, crank[i], tip[i], Z);
    couple(&m, hinge[1], 1.0, hinge[0], -1.0, TN_COUPLING_HELD);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    tn_rank rank;
    ck_assert_int_eq(tn_sim_rank(m.sim, &rank), TN_OK);
    ck_assert_int_eq(rank.rows, 21);
    ck_assert_int_eq(rank.dof, 1);
    for (int k = 1; k <= 20; k++) {
        mechanism_run(&m, 1e-3, 250, NULL);
        ck_assert_double_eq_tol(coordinate(&m, hinge[0]), w * 0.25 * k, 1e-5);
        ck_assert_double_eq_tol(coordinate(&m, hinge[1]), coordinate(&m, hinge[0]), 1e-10);
        ck_assert_double_eq_tol(speed(&m, hinge[1]), w, 1e-6);
    }
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("couplings");
    TCase *forms = tcase_create("closed forms");
    tcase_set_timeout(forms, 120.0);
    tcase_add_loop_test(forms, gear_effective_mass_has_the_square_of_the_ratio, 0, 3);
    tcase_add_test(forms, residuals_include_couplings);
    tcase_add_loop_test(forms, atwood_machine, 0, METHODS);
    tcase_add_test(forms, pulley_with_a_ratio);
    tcase_add_test(forms, rack_and_pinion);
    tcase_add_test(forms, gear_train_keeps_power);
    tcase_add_test(forms, polynomial_coupling_is_of_second_order);
    tcase_add_test(forms, rod_pendulum_is_the_hinge_pendulum);
    tcase_add_test(forms, gear_in_a_loop_leads_through_change_points);
    tcase_add_loop_test(forms, slack_and_taut, 0, METHODS);
    suite_add_tcase(suite, forms);
    return suite;
}
