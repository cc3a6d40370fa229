/* test_speeds.c: velocities that fit the joints: at the start, and set by speeds of coordinates.
 *
 * Judged by dense linear algebra (least kinetic energy through the pseudo-inverse, LAPACK), by the
 * kinematic ratios, and by the momenta of what hangs on nothing.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coords_mechanisms.h"
#include "dense.h"
#include "motion/simulation.h"
#include "random_numbers.h"
#include "run_main.h"
#include "tenon/io.h"

static uint64_t seed;
static double uniform(double low, double high)
{
    return random_between(&seed, low, high);
}

static tn_twist random_twist(void)
{
    return (tn_twist){vec(uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-1.0, 1.0)),
                      vec(uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-1.0, 1.0))};
}

static void throw_about(mechanism *m)
{
    for (int i = 0; i < tn_model_get_size(m->model).bodies; i++)
        ck_assert_int_eq(tn_sim_set_body_velocity(m->sim, (tn_body){i}, random_twist()), TN_OK);
}

/* Linear momentum and that about the origin. */
static void momentum_of(const tn_sim *sim, double p[6])
{
    memset(p, 0, 6 * sizeof(double));
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *b = &sim->model->bodies[i];
        tn_vec3 v, w;
        tn_body_unpack(b, sim->state.u, &v, &w);
        const tn_mat3 R = q_to_m3(sim->state.q[i]);
        const tn_vec3 l = v3_scale(b->mass, v);
        const tn_vec3 L = v3_add(v3_cross(sim->state.x[i], l), m3_mulv(&R, m3_mulv(&b->J, w)));
        const double one[6] = {l.x, l.y, l.z, L.x, L.y, L.z};
        for (int k = 0; k < 6; k++)
            p[k] += one[k];
    }
}

/* ---- at the start ---- */

/* A floating chain of rods with ball joints and hinges, velocities at random. */
static mechanism thrown_chain(int grounded)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    tn_body before = tn_ground();
    for (int k = 0; k < 5; k++) {
        const rod r = {.p = vec(k, 0.1 * k * k, 0.2 * k),
                       .q = vec(k + 1.0, 0.1 * (k + 1) * (k + 1), 0.2 * (k + 1)),
                       .mass = 1.0 + k,
                       .along = 0.05,
                       .across = 0.1 + 0.05 * k,
                       .velocity = random_twist()};
        const tn_body body = mechanism_rod(&m, &r);
        if (k > 0 || grounded)
            mechanism_axis_joint(&m, k % 2 ? "spherical" : "hinge", body, before, r.p,
                                 vec(0.3, 0.1 * k, 1.0));
        before = body;
    }
    return m;
}

START_TEST(first_velocities_fit_with_least_energy)
{
    double worst = 0.0;
    seed = 3;
    for (int n = 0; n < 20; n++) {
        mechanism m = thrown_chain(n % 2);
        mechanism_start_as_given(&m);
        tn_equations eq;
        double du[30], u[30];
        ck_assert_int_eq(tn_sim_equations(m.sim, (tn_joint){-1}, &eq), TN_OK);
        ck_assert_int_eq(eq.velocities, 30);
        memcpy(u, m.sim->state.u, sizeof u);
        dense_project(30, eq.rows, eq.mass, eq.jacobian, u, du);
        tn_equations_free(&eq);
        double before[6], after[6];
        momentum_of(m.sim, before);
        mechanism_start(&m, TN_GENERALIZED_ALPHA);
        momentum_of(m.sim, after);
        for (int k = 0; k < 30; k++)
            worst = fmax(worst, fabs(m.sim->state.u[k] - u[k] - du[k]));
        for (int k = 0; k < 6 && n % 2 == 0; k++) /* it hangs on nothing */
            ck_assert_double_eq_tol(after[k], before[k], 1e-11);
        mechanism_free(&m);
    }
    printf("first velocities: off the dense least squares by %.1e\n", worst);
    ck_assert_double_le(worst, 1e-11);
}
END_TEST

START_TEST(changes_at_the_start_are_told)
{
    seed = 3;
    mechanism m = thrown_chain(0);
    tn_diagnostics *diags = tn_diagnostics_create();
    ck_assert_int_eq(tn_model_compile(m.spec, diags, &m.model), TN_OK);
    ck_assert_int_eq(tn_sim_create(m.model, NULL, diags, &m.sim), TN_OK);
    ck_assert_int_eq(tn_diagnostics_count(diags), 6); /* one for all, one for each body */
    for (int k = 0; k < 6; k++)
        ck_assert_int_eq(tn_diagnostics_get(diags, k)->severity, TN_NOTE);
    ck_assert_ptr_nonnull(strstr(tn_diagnostics_get(diags, 0)->message, "5 bodies"));
    tn_diagnostics_clear(diags);
    /* what fits is left alone, to the bit, and nothing is told */
    double u[30];
    memcpy(u, m.sim->state.u, sizeof u);
    tn_placement_report report;
    ck_assert_int_eq(tn_sim_assemble(m.sim, &report), TN_OK);
    ck_assert_int_eq(report.changed_bodies, 0);
    ck_assert_int_eq(report.changed_most.i, -1);
    for (int k = 0; k < 30; k++)
        ck_assert_double_eq_tol(u[k], m.sim->state.u[k], 1e-13);
    tn_diagnostics_destroy(diags);
    mechanism_free(&m);
}
END_TEST

/* ---- speeds ---- */

static mechanism parallelogram(void)
{
    return coords_four_bar(COORDS_PARALLELOGRAM);
}
static mechanism crank_rocker(void)
{
    return coords_four_bar(COORDS_CRANK_ROCKER);
}

/* One freedom: whatever the velocities were, they are the ratios times the speed. */
START_TEST(loops_follow_their_ratios)
{
    mechanism (*const make[])(void) = {parallelogram, crank_rocker, coords_watt,
                                       coords_universal_four_bar};
    mechanism m = make[_i]();
    const int joints = tn_model_get_size(m.model).joints;
    double *rate = calloc((size_t)joints * TN_MAX_COORDINATES, sizeof *rate);
    double *second = calloc((size_t)joints * TN_MAX_COORDINATES, sizeof *second), worst = 0.0;
    seed = 9;
    for (int n = 0; n < 20; n++) {
        const tn_joint j = {n % joints};
        const double speed = uniform(-3.0, 3.0);
        ck_assert_int_eq(tn_sim_motion_ratios(m.sim, j, 0, rate, second, NULL), TN_OK);
        throw_about(&m);
        ck_assert_int_eq(tn_sim_set_coordinate_speed(m.sim, j, 0, speed), TN_OK);
        for (int k = 0; k < joints; k++) {
            double qdot[TN_MAX_COORDINATES];
            tn_sim_joint_speeds(m.sim, (tn_joint){k}, qdot);
            worst = fmax(worst, fabs(qdot[0] - speed * rate[k * TN_MAX_COORDINATES]));
        }
    }
    printf("speeds of a loop: off the ratios by %.1e\n", worst);
    ck_assert_double_le(worst, 1e-10);
    free(rate);
    free(second);
    mechanism_free(&m);
}
END_TEST

/* In a tree only the coordinate that was set changes its speed, whatever hangs where. */
START_TEST(trees_keep_the_other_speeds)
{
    enum { N = 8 };
    mechanism m = coords_chain(N);
    double qdot[N], now[TN_MAX_COORDINATES];
    seed = 5;
    tn_coordinate_request all[N];
    tn_coordinate_answer answers[N];
    for (int k = 0; k < N; k++)
        all[k] = (tn_coordinate_request){{k}, 0, qdot[k] = uniform(-2.0, 2.0)};
    ck_assert_int_eq(tn_sim_set_coordinate_speeds(m.sim, all, N, NULL, answers, NULL), TN_OK);
    for (int k = 0; k < N; k++) {
        ck_assert_int_eq(answers[k].outcome, TN_COORDINATE_SET);
        ck_assert_double_eq_tol(answers[k].value, qdot[k], 1e-12);
    }
    qdot[3] = 1.75;
    ck_assert_int_eq(tn_sim_set_coordinate_speed(m.sim, (tn_joint){3}, 0, qdot[3]), TN_OK);
    for (int k = 0; k < N; k++) {
        tn_sim_joint_speeds(m.sim, (tn_joint){k}, now);
        ck_assert_double_eq_tol(now[0], qdot[k], 1e-11);
    }
    mechanism_free(&m);
}
END_TEST

/* As after a blow: the change is orthogonal in the mass metric to every motion that leaves the
 * coordinate alone, which is what makes it the least. */
START_TEST(others_follow_with_least_energy)
{
    enum { N = 6, U = 36 };
    mechanism m = coords_chain(N);
    seed = 8;
    double worst = 0.0, energy[2];
    for (int n = 0; n < 10; n++) {
        throw_about(&m);
        ck_assert_int_eq(tn_sim_project(m.sim, NULL), TN_OK);
        double u[U], du[U];
        memcpy(u, m.sim->state.u, sizeof u);
        tn_coordinate_options options = tn_default_coordinate_options();
        const tn_coordinate_request r = {{n % N}, 0, uniform(-2.0, 2.0)};
        tn_placement_report report;
        options.others_follow = 1;
        ck_assert_int_eq(tn_sim_set_coordinate_speeds(m.sim, &r, 1, &options, NULL, &report),
                         TN_OK);
        for (int k = 0; k < U; k++)
            du[k] = m.sim->state.u[k] - u[k];
        ck_assert_double_eq_tol(report.energy_change, 0.5 * tn_coords_dot(m.sim->coords, du, du),
                                1e-12);
        energy[0] = report.energy_change;
        for (int j = 0; j < N; j++) { /* unit speed of joint j, the others still: all motions */
            double rate[N * TN_MAX_COORDINATES], second[N * TN_MAX_COORDINATES];
            if (j == r.joint.i)
                continue;
            ck_assert_int_eq(tn_sim_motion_ratios(m.sim, (tn_joint){j}, 0, rate, second, NULL),
                             TN_OK);
            worst = fmax(worst, fabs(tn_coords_dot(m.sim->coords, du, m.sim->state.u)));
        }
        memcpy(m.sim->state.u, u, sizeof u); /* keeping the others takes more */
        ck_assert_int_eq(tn_sim_set_coordinate_speeds(m.sim, &r, 1, NULL, NULL, &report), TN_OK);
        energy[1] = report.energy_change;
        ck_assert_double_le(energy[0], energy[1] * (1.0 + 1e-9));
    }
    printf("others follow: mass product with the free motions %.1e\n", worst);
    ck_assert_double_le(worst, 1e-11);
    mechanism_free(&m);
}
END_TEST

/* Two bodies on nothing: the momenta stay, the hinge has its speed. */
START_TEST(floating_mechanisms_keep_their_momenta)
{
    mechanism m = coords_floating(3.0, 1.0);
    seed = 4;
    throw_about(&m);
    double before[6], after[6], qdot[TN_MAX_COORDINATES];
    ck_assert_int_eq(tn_sim_project(m.sim, NULL), TN_OK);
    momentum_of(m.sim, before);
    ck_assert_int_eq(tn_sim_set_coordinate_speed(m.sim, (tn_joint){0}, 0, 2.5), TN_OK);
    momentum_of(m.sim, after);
    tn_sim_joint_speeds(m.sim, (tn_joint){0}, qdot);
    ck_assert_double_eq_tol(qdot[0], 2.5, 1e-12);
    for (int k = 0; k < 6; k++)
        ck_assert_double_eq_tol(after[k], before[k], 1e-12);
    mechanism_free(&m);
}
END_TEST

START_TEST(what_cannot_have_its_speed_says_so)
{
    mechanism m = crank_rocker();
    tn_coordinate_answer a[2];
    const tn_coordinate_request two[] = {{{0}, 0, 2.0}, {{3}, 0, 7.0}};
    ck_assert_int_eq(tn_sim_set_coordinate_speeds(m.sim, two, 2, NULL, a, NULL), TN_OK);
    ck_assert_int_eq(a[0].outcome, TN_COORDINATE_SET);
    ck_assert_int_eq(a[1].outcome, TN_COORDINATE_DEPENDENT);
    double qdot[TN_MAX_COORDINATES];
    tn_sim_joint_speeds(m.sim, (tn_joint){3}, qdot);
    ck_assert_double_eq_tol(a[1].value, qdot[0], 1e-14);
    /* locked: stays, and so does all of it */
    ck_assert_int_eq(tn_sim_set_locked(m.sim, (tn_joint){0}, 0, 1), TN_OK);
    ck_assert_int_eq(tn_sim_set_coordinate_speeds(m.sim, &two[1], 1, NULL, a, NULL), TN_OK);
    ck_assert_int_eq(a[0].outcome, TN_COORDINATE_DEPENDENT);
    ck_assert_double_eq_tol(a[0].value, 0.0, 1e-13);
    ck_assert(tn_sim_is_locked(m.sim, (tn_joint){0}, 0));
    tn_twist before = tn_sim_body_velocity(m.sim, (tn_body){1});
    ck_assert_int_eq(tn_sim_set_coordinate_speed(m.sim, (tn_joint){0}, 0, 1.0), TN_ERROR_CONFLICT);
    tn_twist after = tn_sim_body_velocity(m.sim, (tn_body){1});
    ck_assert_mem_eq(&before, &after, sizeof before);
    const tn_coordinate_request bad[] = {{{9}, 0, 1.0}, {{0}, 1, 1.0}, {{0}, 0, NAN}};
    for (int k = 0; k < 3; k++)
        ck_assert_int_ne(tn_sim_set_coordinate_speeds(m.sim, &bad[k], 1, NULL, a, NULL), TN_OK);
    mechanism_free(&m);
}
END_TEST

/* At the end of a range: not outwards; inwards it is free. Another joint's end counts as well. */
START_TEST(ends_of_ranges_limit_speeds)
{
    mechanism m = coords_ranged_and_locked();
    tn_coordinate_request r = {{0}, 0, 0.5};
    tn_coordinate_answer a;
    ck_assert_int_eq(tn_sim_set_coordinates(m.sim, &r, 1, NULL, NULL, NULL), TN_OK);
    r.value = 1.0;
    ck_assert_int_eq(tn_sim_set_coordinate_speeds(m.sim, &r, 1, NULL, &a, NULL), TN_OK);
    ck_assert_int_eq(a.outcome, TN_COORDINATE_LIMITED);
    ck_assert_double_eq_tol(a.value, 0.0, 1e-13);
    r.value = -1.0;
    ck_assert_int_eq(tn_sim_set_coordinate_speeds(m.sim, &r, 1, NULL, &a, NULL), TN_OK);
    ck_assert_int_eq(a.outcome, TN_COORDINATE_SET);
    mechanism_free(&m);

    m = coords_four_bar(COORDS_CRANK_ROCKER_RANGED);
    r = (tn_coordinate_request){{0}, 0, 3.0}; /* until the rocker is at its end */
    ck_assert_int_eq(tn_sim_set_coordinates(m.sim, &r, 1, NULL, &a, NULL), TN_OK);
    ck_assert_int_eq(a.outcome, TN_COORDINATE_LIMITED);
    r.value = 1.0;
    ck_assert_int_eq(tn_sim_set_coordinate_speeds(m.sim, &r, 1, NULL, &a, NULL), TN_OK);
    ck_assert_int_eq(a.outcome, TN_COORDINATE_LIMITED);
    ck_assert_double_eq_tol(a.value, 0.0, 1e-12);
    r.value = -1.0;
    ck_assert_int_eq(tn_sim_set_coordinate_speeds(m.sim, &r, 1, NULL, &a, NULL), TN_OK);
    ck_assert_int_eq(a.outcome, TN_COORDINATE_SET);
    mechanism_free(&m);
}
END_TEST

/* Several freedoms: six legs of a platform at once. */
START_TEST(a_platform_has_six_speeds)
{
    mechanism m = coords_stewart();
    tn_coordinate_request r[6];
    tn_coordinate_answer a[6];
    tn_step_report step;
    seed = 6;
    for (int k = 0; k < 6; k++)
        r[k] = (tn_coordinate_request){{k}, 0, uniform(-0.5, 0.5)};
    throw_about(&m);
    ck_assert_int_eq(tn_sim_set_coordinate_speeds(m.sim, r, 6, NULL, a, NULL), TN_OK);
    double before[6], after[TN_MAX_COORDINATES];
    for (int k = 0; k < 6; k++) {
        ck_assert_int_eq(a[k].outcome, TN_COORDINATE_SET);
        tn_sim_joint_speeds(m.sim, r[k].joint, after);
        before[k] = after[0];
        ck_assert_double_eq_tol(after[0], r[k].value, 1e-11);
    }
    ck_assert_int_eq(tn_sim_project(m.sim, &step), TN_OK); /* nothing is left to project */
    for (int k = 0; k < 6; k++) {
        tn_sim_joint_speeds(m.sim, r[k].joint, after);
        ck_assert_double_eq_tol(after[0], before[k], 1e-10);
    }
    mechanism_free(&m);
}
END_TEST

/* Three wheels, each coupled to the one before by -2/3: one speed turns all, two contradict. */
START_TEST(coupled_wheels_turn_together)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    tn_joint wheel[3];
    for (int k = 0; k < 3; k++) {
        tn_body_def def = tn_default_body_def();
        def.mass = 1.0;
        def.com = vec(0.0, 0.0, 0.0);
        def.inertia = mat_diagonal(0.1, 0.1, 0.2);
        def.pose.p = vec(k, 0.0, 0.0);
        wheel[k] = mechanism_axis_joint(&m, "hinge", mechanism_body(&m, &def), tn_ground(),
                                        def.pose.p, vec(0.0, 0.0, 1.0));
    }
    for (int k = 1; k < 3; k++) {
        tn_coupling_def def = tn_default_coupling_def();
        tn_coupling_term terms[2];
        memset(terms, 0, sizeof terms);
        terms[0] = (tn_coupling_term){.joint = wheel[k], .coordinate = 0, .ratio = 1.0};
        terms[1] = (tn_coupling_term){.joint = wheel[k - 1], .coordinate = 0, .ratio = 2.0 / 3.0};
        def.terms = terms;
        def.term_count = 2;
        ck_assert_int_eq(tn_spec_add_coupling(m.spec, &def, NULL), TN_OK);
    }
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    double q[TN_MAX_COORDINATES];
    for (int pass = 0; pass < 2; pass++) {
        ck_assert_int_eq(tn_sim_set_coordinate_speed(m.sim, wheel[pass ? 2 : 0], 0, 3.0), TN_OK);
        for (int k = 0; k < 3; k++) {
            tn_sim_joint_speeds(m.sim, wheel[k], q);
            ck_assert_double_eq_tol(q[0], 3.0 * pow(-2.0 / 3.0, pass ? k - 2 : k), 1e-12);
        }
    }
    const tn_coordinate_request r[2] = {{wheel[1], 0, 1.0}, {wheel[0], 0, 9.0}};
    tn_coordinate_answer a[2];
    ck_assert_int_eq(tn_sim_set_coordinate_speeds(m.sim, r, 2, NULL, a, NULL), TN_OK);
    ck_assert_int_eq(a[0].outcome, TN_COORDINATE_SET);
    ck_assert_int_eq(a[1].outcome, TN_COORDINATE_DEPENDENT);
    ck_assert_double_eq_tol(a[1].value, -1.5, 1e-12);
    /* positions likewise */
    ck_assert_int_eq(tn_sim_set_coordinates(m.sim, r, 2, NULL, a, NULL), TN_OK);
    ck_assert_int_eq(a[0].outcome, TN_COORDINATE_SET);
    ck_assert_int_eq(a[1].outcome, TN_COORDINATE_DEPENDENT);
    tn_sim_joint_coordinates(m.sim, wheel[2], q);
    ck_assert_double_eq_tol(q[0], -2.0 / 3.0, 1e-10);
    double rate[3 * TN_MAX_COORDINATES], second[3 * TN_MAX_COORDINATES];
    ck_assert_int_eq(tn_sim_motion_ratios(m.sim, wheel[0], 0, rate, second, NULL), TN_OK);
    ck_assert_double_eq_tol(rate[2 * TN_MAX_COORDINATES], 4.0 / 9.0, 1e-12);
    mechanism_free(&m);
}
END_TEST

/* ---- in model files ---- */

/* A crank that starts with its speed, and a conflict told where it was written. */
START_TEST(models_start_with_speeds)
{
    static const char text[] = "tenon: 1\n"
                               "angle: deg\n"
                               "bodies:\n"
                               "  a: {mass: 1, inertia: [1, 1, 1], position: [0, 1, 0]}\n"
                               "  b: {mass: 1, inertia: [1, 1, 1], position: [1, 2, 0]}\n"
                               "  c: {mass: 1, inertia: [1, 1, 1], position: [2, 1, 0]}\n"
                               "joints:\n"
                               "  o: {type: hinge, a: a, b: ground, origin: [0, 0, 0], speed: "
                               "{theta: 90}}\n"
                               "  p: {type: hinge, a: b, b: a, origin: [0, 2, 0]}\n"
                               "  q: {type: hinge, a: b, b: c, origin: [2, 2, 0]}\n"
                               "  r:\n"
                               "    type: hinge\n"
                               "    a: c\n"
                               "    b: ground\n"
                               "    origin: [2, 0, 0]\n";
    static const char conflict[] = "    speed: {theta: 80}\n";
    for (int bad = 0; bad < 2; bad++) {
        char all[sizeof text + sizeof conflict];
        snprintf(all, sizeof all, "%s%s", text, bad ? conflict : "");
        tn_diagnostics *diags = tn_diagnostics_create();
        mechanism m = {NULL, NULL, NULL};
        ck_assert_int_eq(tn_spec_read_string(all, strlen(all), "crank.yaml", diags, &m.spec),
                         TN_OK);
        ck_assert_int_eq(tn_model_compile(m.spec, diags, &m.model), TN_OK);
        const tn_status status = tn_sim_create(m.model, NULL, diags, &m.sim);
        if (bad) {
            ck_assert_int_eq(status, TN_ERROR_CONFLICT);
            ck_assert_int_eq(tn_diagnostics_get(diags, 0)->at.line, 16);
            ck_assert_ptr_nonnull(strstr(tn_diagnostics_get(diags, 0)->message, "'r': theta"));
        } else {
            ck_assert_int_eq(status, TN_OK);
            double qdot[TN_MAX_COORDINATES];
            tn_sim_joint_speeds(m.sim, (tn_joint){3}, qdot); /* a parallelogram */
            ck_assert_double_eq_tol(qdot[0], acos(0.0), 1e-12);
            const tn_twist v = tn_sim_body_velocity(m.sim, (tn_body){1});
            ck_assert_double_eq_tol(v.v.x, -2.0 * acos(0.0), 1e-12);
            ck_assert_double_eq_tol(v.w.z, 0.0, 1e-12);
        }
        tn_diagnostics_destroy(diags);
        mechanism_free(&m);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("speeds");
    TCase *start = tcase_create("start");
    tcase_add_test(start, first_velocities_fit_with_least_energy);
    tcase_add_test(start, changes_at_the_start_are_told);
    tcase_add_test(start, models_start_with_speeds);
    suite_add_tcase(suite, start);
    TCase *speeds = tcase_create("speeds");
    tcase_add_loop_test(speeds, loops_follow_their_ratios, 0, 4);
    tcase_add_test(speeds, trees_keep_the_other_speeds);
    tcase_add_test(speeds, others_follow_with_least_energy);
    tcase_add_test(speeds, floating_mechanisms_keep_their_momenta);
    tcase_add_test(speeds, what_cannot_have_its_speed_says_so);
    tcase_add_test(speeds, ends_of_ranges_limit_speeds);
    tcase_add_test(speeds, a_platform_has_six_speeds);
    tcase_add_test(speeds, coupled_wheels_turn_together);
    suite_add_tcase(suite, speeds);
    return suite;
}
