/* test_damping.c: frame and rotary damping of a body whose centre of mass is off its origin.
 *
 * The energy a free body loses must be what its damping takes, d |v|^2 at the origin plus
 * d_r |w|^2, integrated by the trapezoidal rule over the steps; and a body that only translates
 * slows down as exp(-d t / m).
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "support/run_main.h"
#include "tenon/tenon.h"

static const double frame_damping = 3.0;  /* N s/m */
static const double rotary_damping = 0.4; /* N m s/rad */

static tn_sim *start(tn_vec3 com, tn_twist velocity, double rotary, tn_integrator integrator,
                     tn_model **model)
{
    tn_spec *spec = tn_spec_create();
    tn_world_def world = tn_default_world_def();
    world.gravity.z = 0.0;
    tn_spec_set_world(spec, &world);
    tn_body_def body = tn_default_body_def();
    body.mass = 2.0;
    body.com = com;
    body.inertia = (tn_mat3){{{0.3, 0.02, 0}, {0.02, 0.5, 0.01}, {0, 0.01, 0.6}}};
    body.velocity = velocity;
    body.frame_damping = frame_damping;
    body.rotary_damping = rotary;
    tn_spec_add_body(spec, &body, NULL);
    tn_sim *sim = NULL;
    ck_assert_int_eq(tn_model_compile(spec, NULL, model), TN_OK);
    tn_sim_options options = tn_default_sim_options(*model);
    options.integrator = integrator;
    ck_assert_int_eq(tn_sim_create(*model, &options, NULL, &sim), TN_OK);
    tn_spec_destroy(spec);
    return sim;
}

static double dissipation(const tn_sim *sim)
{
    const tn_twist t = tn_sim_body_velocity(sim, (tn_body){0});
    return frame_damping * (t.v.x * t.v.x + t.v.y * t.v.y + t.v.z * t.v.z) +
           rotary_damping * (t.w.x * t.w.x + t.w.y * t.w.y + t.w.z * t.w.z);
}

/* |energy lost - energy taken| after 1 s, relative to the energy at the start. */
static double imbalance(tn_integrator integrator, int steps)
{
    tn_model *model = NULL;
    tn_sim *sim = start((tn_vec3){0.3, -0.2, 0.15}, (tn_twist){{1.0, -2.0, 0.5}, {3.0, 1.0, -2.0}},
                        rotary_damping, integrator, &model);
    const double h = 1.0 / steps, before = tn_sim_energy(sim).total;
    double taken = 0.0, power = dissipation(sim);
    for (int k = 0; k < steps; k++) {
        ck_assert_int_eq(tn_sim_step(sim, h, NULL), TN_OK);
        const double now = dissipation(sim);
        taken += 0.5 * h * (power + now);
        power = now;
    }
    const double lost = before - tn_sim_energy(sim).total;
    ck_assert_double_gt(lost, 0.5 * before); /* the damping is what this test is about */
    tn_sim_destroy(sim);
    tn_model_destroy(model);
    return fabs(lost - taken) / before;
}

START_TEST(takes_what_is_lost)
{
    const tn_integrator integrator = (tn_integrator)_i;
    const double coarse = imbalance(integrator, 500), fine = imbalance(integrator, 1000);
    printf("%s: imbalance %.2e, %.2e, ratio %.3f\n", tn_integrator_name(integrator), coarse, fine,
           coarse / fine);
    const int second_order = tn_integrator_order(integrator) > 1; /* that of the sum, too */
    ck_assert_double_lt(fine, second_order ? 1e-5 : 1e-2);
    ck_assert_double_gt(coarse / fine, second_order ? 3.5 : 1.8);
    ck_assert_double_lt(coarse / fine, second_order ? 4.5 : 2.2);
}
END_TEST

START_TEST(translation_decays_exponentially)
{
    tn_model *model = NULL;
    tn_sim *sim = start((tn_vec3){0.0, 0.0, 0.0}, (tn_twist){{1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, 0.0,
                        TN_GENERALIZED_ALPHA, &model);
    for (int k = 0; k < 1000; k++)
        ck_assert_int_eq(tn_sim_step(sim, 1e-3, NULL), TN_OK);
    const double v = tn_sim_body_velocity(sim, (tn_body){0}).v.x;
    ck_assert_double_le(fabs(v - exp(-frame_damping / 2.0)), 1e-6);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("damping");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, takes_what_is_lost, 0, TN_INTEGRATOR_COUNT);
    tcase_add_test(all, translation_decays_exponentially);
    suite_add_tcase(suite, all);
    return suite;
}
