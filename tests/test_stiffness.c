/* Compliance in other units: stiffness, frequency and damping ratio in model files and definitions,
 * against each other and against the swing of a mass. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/run_main.h"
#include "tenon/io.h"
#include "tenon/sim.h"

#define PI 3.14159265358979323846

/* A mass welded to the ground, with these lines in the joint. */
static tn_spec *read_weld(const char *lines, tn_diagnostics *diags)
{
    char text[1024];
    tn_spec *spec = NULL;
    snprintf(text, sizeof text,
             "tenon: 1\ngravity: [0, 0, -9.81]\nbodies:\n  b: {mass: 2, inertia: [0.1, 0.2, 0.3]}\n"
             "joints:\n  j:\n    type: solid\n    a: b\n    origin: [0, 0, 0]\n%s",
             lines);
    tn_spec_read_string(text, strlen(text), "file.yaml", diags, &spec);
    return spec;
}

static void compiled(const char *lines, double *compliance, double *damping)
{
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = read_weld(lines, diags);
    tn_model *model = NULL;
    ck_assert_msg(tn_diagnostics_count(diags) == 0, "%s: %s", lines,
                  tn_diagnostics_count(diags) ? tn_diagnostics_get(diags, 0)->message : "");
    ck_assert_int_eq(tn_model_compile(spec, diags, &model), TN_OK);
    tn_model_joint_compliance(model, (tn_joint){0}, compliance, damping);
    tn_model_destroy(model);
    tn_spec_destroy(spec);
    tn_diagnostics_destroy(diags);
}

typedef struct same_thing {
    const char *one, *other;
} same_thing;

/* 1 / (2 kg (2 pi 5 Hz)^2) and 2 * 0.5 * 2 kg * 2 pi 5 Hz; inertia 0.2 kg m^2 about y. */
static const same_thing same_things[] = {
    {"    stiffness: 4000\n", "    compliance: 0.00025\n"},
    {"    stiffness: [null, 4000]\n", "    compliance: [null, 0.00025]\n"},
    {"    linear_stiffness: 8000\n", "    linear_compliance: 0.000125\n"},
    {"    rotary_stiffness: 80\n", "    rotary_compliance: 0.0125\n"},
    {"    frequency: [5]\n    damping_ratio: [0.5]\n",
     "    compliance: [0.000506605918211689]\n    damping: [62.83185307179586]\n"},
    {"    frequency: [null, null, null, null, 5]\n",
     "    compliance: [null, null, null, null, 0.00506605918211689]\n"
     "    damping: [null, null, null, null, 12.566370614359172]\n"},
    {"    linear_frequency: 5\n    linear_damping_ratio: 0.5\n",
     "    compliance: [0.000506605918211689, 0.000506605918211689, 0.000506605918211689]\n"
     "    damping: [62.83185307179586, 62.83185307179586, 62.83185307179586]\n"},
    {"    rotary_frequency: 5\n    rotary_damping_ratio: 0\n    linear_compliance: 1.0e-4\n",
     "    rotary_compliance: 1\n"
     "    compliance: [null, null, null, 0.01013211836423378, 0.00506605918211689, "
     "0.00337737278807793]\n    linear_compliance: 1.0e-4\n"},
    {"    compliance: 0.00025\n    damping_ratio: 1\n",
     "    linear_compliance: 0.00025\n    rotary_compliance: 0.00025\n"},
};

START_TEST(units_mean_the_same)
{
    double c[2][TN_MAX_ROWS], d[2][TN_MAX_ROWS];
    compiled(same_things[_i].one, c[0], d[0]);
    compiled(same_things[_i].other, c[1], d[1]);
    double largest = 0.0;
    for (int k = 0; k < 6; k++) {
        ck_assert_double_eq_tol(c[0][k], c[1][k], 1e-14 * fmax(1.0, c[1][k]));
        ck_assert_double_eq_tol(d[0][k], d[1][k], 1e-12 * fmax(1.0, d[1][k]));
        largest = fmax(largest, c[0][k]);
    }
    ck_assert_double_gt(largest, 0.0);
}
END_TEST

/* Without damping the mass swings about the sag g / (2 pi f)^2, from its hard place to twice that,
 * f times a second. */
START_TEST(a_frequency_is_that_of_the_swing)
{
    tn_spec *spec = read_weld("    linear_frequency: 5\n    linear_damping_ratio: 0\n", NULL);
    tn_model *model = NULL;
    tn_sim *sim = NULL;
    ck_assert_int_eq(tn_model_compile(spec, NULL, &model), TN_OK);
    tn_sim_options options = tn_default_sim_options(model);
    options.spectral_radius = 1.0; /* the integrator takes nothing */
    ck_assert_int_eq(tn_sim_create(model, &options, NULL, &sim), TN_OK);
    const double sag = 9.81 / pow(2.0 * PI * 5.0, 2), h = 1e-3;
    double worst = 0.0;
    for (int step = 1; step <= 1000; step++) {
        ck_assert_int_eq(tn_sim_step(sim, h, NULL), TN_OK);
        const double z = -sag * (1.0 - cos(2.0 * PI * 5.0 * step * h));
        worst = fmax(worst, fabs(tn_sim_body_pose(sim, (tn_body){0}).p.z - z));
    }
    printf("swing of 5 Hz followed through 5 periods to %.1e of the sag\n", worst / sag);
    ck_assert_double_le(worst, 5e-3 * sag);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
    tn_spec_destroy(spec);
}
END_TEST

typedef struct refusal {
    const char *lines, *said;
} refusal;

static const refusal refusals[] = {
    {"    compliance: 1.0e-4\n    stiffness: 1.0e+4\n", "only one of 'compliance' and 'stiffness'"},
    {"    stiffness: 1\n    frequency: 1\n", "only one of 'stiffness' and 'frequency'"},
    {"    damping: 1\n    damping_ratio: 1\n", "only one of 'damping_ratio' and 'damping'"},
    {"    linear_compliance: 1\n    linear_frequency: 1\n",
     "only one of 'linear_compliance' and 'linear_frequency'"},
    {"    stiffness: 0\n", "'stiffness' must be positive"},
    {"    rotary_stiffness: -1\n", "'rotary_stiffness' must be positive"},
    {"    frequency: 0\n", "frequency of row"},
    {"    rotary_frequency: 0\n", "rotary_frequency"},
    {"    linear_damping_ratio: -1\n", "linear_damping_ratio"},
};

START_TEST(contradictions_are_refused)
{
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_model *model = NULL;
    tn_spec *spec = read_weld(refusals[_i].lines, diags);
    if (spec != NULL)
        ck_assert_int_eq(tn_model_compile(spec, diags, &model), TN_ERROR_INPUT);
    ck_assert_int_gt(tn_diagnostics_count(diags), 0);
    const tn_diagnostic *d = tn_diagnostics_get(diags, 0);
    ck_assert_msg(strstr(d->message, refusals[_i].said) != NULL, "said: %s", d->message);
    ck_assert_int_ge(d->at.line, 10);
    tn_spec_destroy(spec);
    tn_diagnostics_destroy(diags);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("stiffness");
    TCase *tc = tcase_create("all");
    tcase_add_loop_test(tc, units_mean_the_same, 0,
                        (int)(sizeof same_things / sizeof *same_things));
    tcase_add_test(tc, a_frequency_is_that_of_the_swing);
    tcase_add_loop_test(tc, contradictions_are_refused, 0,
                        (int)(sizeof refusals / sizeof *refusals));
    suite_add_tcase(suite, tc);
    return suite;
}
