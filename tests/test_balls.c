/* test_balls.c: ball joints at the start of a run, and told: angular velocity, rotation.
 *
 * Judged by the closed form of a symmetric top on its point without gravity, by the momentum of two
 * bodies that turn each other, and by what loops leave free.
 */
#include <math.h>
#include <string.h>

#include "alpha_sims.h"
#include "math/m3.h"
#include "run_main.h"
#include "tenon/io.h"
#include "tenon/measure.h"
#include "tenon/results.h"
#include "tenon/sim.h"
#include "tenon/coords.h"

static tn_sim *start(const char *text, tn_diagnostics *diags)
{
    tn_spec *spec = NULL;
    tn_model *model = NULL;
    tn_sim *sim = NULL;
    if (tn_spec_read_string(text, strlen(text), "top.yaml", diags, &spec) == TN_OK &&
        tn_model_compile(spec, diags, &model) == TN_OK)
        (void)tn_sim_create(model, NULL, diags, &sim);
    tn_spec_destroy(spec);
    if (!sim)
        tn_model_destroy(model);
    return sim;
}

static const char *const types[] = {"spherical", "spherical_tilt", "spherical_rotation",
                                    "spherical_swing_twist"};

/* J about the point: across 0.02 + m l^2, along 0.03. */
#define ACROSS 0.03
#define ALONG  0.02

/* Free of moments R(t) = exp(t L/A) R(0) exp(t (1 - C/A) w3 e3): it turns about L, and about its
 * own axis. Frame D is turned, so axes matter. */
START_TEST(a_top_starts_as_the_file_says)
{
    char text[1024];
    snprintf(text, sizeof text,
             "tenon: 1\nangle: deg\ngravity: [0, 0, 0]\n"
             "bodies: {top: {mass: 1, center_of_mass: [0, 0, 0.1], inertia: [0.02, 0.02, 0.02]}}\n"
             "joints:\n  ball: {type: %s, a: top, frame_a: {rpy: [10, 20, 30]}, frame_b: {rpy: "
             "[10, 20, 30]}, angular_velocity: [40, -25, 90]}\n"
             "measures: {turned: {joint: ball}, w: {joint: ball, quantity: angular_velocity}}\n"
             "simulation: {accuracy: 1.0e-9, duration: 1}\n",
             types[_i]);
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_sim *sim = start(text, diags);
    ck_assert_msg(sim != NULL, "%s",
                  tn_diagnostics_count(diags) ? tn_diagnostics_get(diags, 0)->message : "");
    const double deg = 3.14159265358979323846 / 180.0;
    const tn_mat3 D = tn_quat_to_matrix(tn_quat_from_rpy(10.0 * deg, 20.0 * deg, 30.0 * deg));
    const tn_vec3 in_d = v3(40.0 * deg, -25.0 * deg, 90.0 * deg);
    const tn_vec3 w = m3_mulv(&D, in_d); /* world, and the body's axes are the world's */
    double told[3];
    tn_measure_id id;
    ck_assert_int_eq(tn_model_find_measure(tn_sim_model(sim), "w", &id), TN_OK);
    tn_sim_measure(sim, id, told);
    ck_assert_double_lt(v3_norm(v3_sub(v3_load(told), in_d)), 1e-14);

    const double t = 0.7;
    tn_step_report report;
    ck_assert_int_eq(tn_sim_advance(sim, t, &report), TN_OK);
    const tn_vec3 L = v3(ACROSS * w.x, ACROSS * w.y, ALONG * w.z);
    const tn_quat about_L = q_exp(v3_scale(t / ACROSS, L));
    const tn_quat own = q_exp(v3(0.0, 0.0, t * (1.0 - ALONG / ACROSS) * w.z));
    const tn_mat3 R = q_to_m3(q_mul(about_L, own));
    const tn_mat3 left = m3_tmul(&D, &R);
    const tn_mat3 in_D = m3_mul(&left, &D); /* of C in D: both frames are turned by D */
    ck_assert_int_eq(tn_model_find_measure(tn_sim_model(sim), "turned", &id), TN_OK);
    tn_sim_measure(sim, id, told);
    ck_assert_double_lt(v3_norm(v3_sub(v3_load(told), m3_log(&in_D))), 1e-8);
    destroy_with_model(sim);
    tn_diagnostics_destroy(diags);
}
END_TEST

static const char two_bodies[] =
    "tenon: 1\ngravity: [0, 0, 0]\n"
    "bodies:\n  a: {mass: 2, inertia: [0.1, 0.2, 0.3]}\n"
    "  b: {mass: 1, inertia: [0.3, 0.1, 0.2], velocity: {linear: [0.1, 0, 0]}}\n"
    "joints:\n  ball: {type: ball, a: a, b: b, origin: [0, 0, 0]}\n";

/* What hangs on nothing keeps its momenta; the relative velocity is what was asked for. */
START_TEST(two_bodies_turn_each_other)
{
    tn_sim *sim = start(two_bodies, NULL);
    ck_assert_ptr_nonnull(sim);
    const tn_vec3 w = v3(1.0, -2.0, 0.5);
    ck_assert_int_eq(tn_sim_set_angular_velocity(sim, (tn_joint){0}, w, NULL), TN_OK);
    tn_twist relative;
    tn_sim_joint_motion(sim, (tn_joint){0}, NULL, &relative);
    ck_assert_double_lt(v3_norm(v3_sub(relative.w, w)), 1e-14);
    ck_assert_double_lt(v3_norm(relative.v), 1e-15);
    const tn_vec3 wa = tn_sim_body_velocity(sim, (tn_body){0}).w;
    const tn_vec3 wb = tn_sim_body_velocity(sim, (tn_body){1}).w;
    ck_assert_double_lt(fabs(0.1 * wa.x + 0.3 * wb.x), 1e-15);
    ck_assert_double_lt(fabs(0.2 * wa.y + 0.1 * wb.y), 1e-15);
    ck_assert_double_lt(fabs(0.3 * wa.z + 0.2 * wb.z), 1e-15);
    ck_assert_double_eq_tol(tn_sim_body_velocity(sim, (tn_body){0}).v.x, 0.1 / 3.0, 1e-15);
    destroy_with_model(sim);
}
END_TEST

/* A rod on two balls, both ends on the ground: it turns about itself alone. */
static const char held_rod[] = "tenon: 1\n"
                               "bodies: {rod: {mass: 1, inertia: [0.1, 0.1, 0.1]}}\n"
                               "joints:\n  left: {type: ball, a: rod, origin: [-1, 0, 0]%s}\n"
                               "  right: {type: ball, a: rod, origin: [1, 0, 0]}\n";

START_TEST(loops_hold_what_they_hold)
{
    char text[512];
    snprintf(text, sizeof text, held_rod, "");
    tn_sim *sim = start(text, NULL);
    const tn_joint left = {0};
    ck_assert_int_eq(tn_sim_set_angular_velocity(sim, left, v3(3.0, 0.0, 0.0), NULL), TN_OK);
    ck_assert_double_eq_tol(tn_sim_body_velocity(sim, (tn_body){0}).w.x, 3.0, 1e-14);
    ck_assert_int_eq(tn_sim_set_angular_velocity(sim, left, v3(1.0, 1.0, 0.0), NULL),
                     TN_ERROR_CONFLICT);
    ck_assert_double_eq_tol(tn_sim_body_velocity(sim, (tn_body){0}).w.x, 3.0, 1e-14);
    ck_assert_int_eq(tn_sim_set_angular_velocity(sim, left, v3(NAN, 0.0, 0.0), NULL),
                     TN_ERROR_NOT_FINITE);
    ck_assert_int_eq(tn_sim_set_angular_velocity(sim, (tn_joint){7}, v3(1.0, 0.0, 0.0), NULL),
                     TN_ERROR_ARGUMENT);
    destroy_with_model(sim);
}
END_TEST

/* Refused where it is written. */
START_TEST(a_file_cannot_ask_for_more)
{
    char text[512];
    tn_diagnostics *diags = tn_diagnostics_create();
    snprintf(text, sizeof text, held_rod, ", angular_velocity: [0, 0, 2]");
    ck_assert_ptr_null(start(text, diags));
    ck_assert_int_ge(tn_diagnostics_error_count(diags), 1);
    const tn_diagnostic *problem = tn_diagnostics_get(diags, 0);
    for (int32_t k = 0; problem->severity != TN_ERROR; k++)
        problem = tn_diagnostics_get(diags, k);
    ck_assert_ptr_nonnull(strstr(problem->message, "angular_velocity cannot start"));
    ck_assert_int_eq(problem->at.line, 4);
    tn_diagnostics_destroy(diags);
}
END_TEST

/* In the plane a ball is a pin, and turns about z. */
START_TEST(a_pin_turns_in_the_plane)
{
    static const char text[] =
        "tenon: 1\nworld: planar\ngravity: [0, 0]\n"
        "bodies: {bar: {mass: 1, inertia: 0.1, position: [1, 0]}}\n"
        "joints: {pin: {type: ball, a: bar, origin: [0, 0], angular_velocity: 3}}\n"
        "measures: {w: {joint: pin, quantity: angular_velocity}}\n";
    double told[TN_MEASURE_MOST] = {0};
    tn_sim *sim = start(text, NULL);
    ck_assert_ptr_nonnull(sim);
    ck_assert_int_eq(tn_measure_width(tn_sim_model(sim), (tn_measure_id){0}), 1);
    tn_sim_measure(sim, (tn_measure_id){0}, told);
    ck_assert_double_eq_tol(told[0], 3.0, 1e-14);
    ck_assert_double_eq_tol(tn_sim_body_velocity(sim, (tn_body){0}).v.y, 3.0, 1e-14);
    destroy_with_model(sim);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("balls");
    TCase *balls = tcase_create("balls");
    tcase_add_loop_test(balls, a_top_starts_as_the_file_says, 0,
                        (int)(sizeof types / sizeof *types));
    tcase_add_test(balls, two_bodies_turn_each_other);
    tcase_add_test(balls, loops_hold_what_they_hold);
    tcase_add_test(balls, a_file_cannot_ask_for_more);
    tcase_add_test(balls, a_pin_turns_in_the_plane);
    suite_add_tcase(suite, balls);
    return suite;
}
