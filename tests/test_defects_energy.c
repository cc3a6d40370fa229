/* test_defects_energy.c: mechanisms whose halved steps made or lost energy without bound.
 *
 * Free of friction and drives, each keeps the energy it starts with: kinetic + potential + elastic.
 * A run keeps it to a fiftieth of the energy that it turns over, or a step is refused, or the whole
 * run; no step that is taken makes or loses more than judge.c says.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "support/mechanism.h"
#include "support/run_main.h"
#include "tenon/io.h"

/* Of what a run turns over; what a step may miss is a hundredth of what it moves. */
static const double kept = 0.02;
static const double missed_by_a_step = 0.0102;

typedef struct defect {
    const char *file;
    double step, duration; /* s */
    double energy;         /* J, turned over */
} defect;

static const defect defects[] = {
    {"double_pendulum_energy.json", 0.02, 20.0, 167.0},
    {"slider_crank_3000rpm.json", 1e-3, 0.5, 177.0},
    {"equal_slider_crank_energy.json", 0.01, 10.0, 22.5},
    {"scissor_energy.json", 0.01, 3.0, 384.0},
    {"near_parallelogram_energy.json", 1e-3, 3.0, 2.87},
    {"gimbal_pole_springs.yaml", 1e-3, 8.0, 2.4},
    {"stewart_energy_jump.json", 1e-3, 0.6, 82.3},
    {"spherical_four_bar_halved_steps.json", 2e-3, 10.0, 2.04},
    {"cardan_halved_steps.json", 2e-3, 10.0, 2.04},
};
enum { DEFECTS = sizeof defects / sizeof defects[0], FORMULATIONS = 2 };

START_TEST(energy_is_kept_or_the_step_refused)
{
    const defect *d = &defects[_i / FORMULATIONS];
    char path[512];
    snprintf(path, sizeof path, "%s/defects/%s", TN_TEST_DATA, d->file);
    mechanism m = {NULL, NULL, NULL};
    ck_assert_int_eq(tn_spec_read_file(path, NULL, &m.spec), TN_OK);
    ck_assert_int_eq(tn_model_compile(m.spec, NULL, &m.model), TN_OK);
    tn_sim_options options = tn_default_sim_options(m.model);
    options.integrator = TN_GENERALIZED_ALPHA;
    options.formulation = (tn_formulation)(_i % FORMULATIONS);
    ck_assert_int_eq(tn_sim_create(m.model, &options, NULL, &m.sim), TN_OK);
    const double start = tn_sim_energy(m.sim).total;
    double drift = 0.0, share = 0.0;
    tn_status status = TN_OK;
    while (status == TN_OK && tn_sim_time(m.sim) < d->duration) {
        tn_step_report report;
        status = tn_sim_step(m.sim, d->step, &report);
        drift = fmax(drift, fabs(tn_sim_energy(m.sim).total - start));
        share = status == TN_OK && !report.folds ? fmax(share, report.energy_share) : share;
    }
    printf("%-38s %d: %s at %.3f s, off by %.2g J of %.3g, worst step %.1e\n", d->file,
           _i % FORMULATIONS, tn_status_text(status), tn_sim_time(m.sim), drift, d->energy, share);
    ck_assert(status == TN_OK || status == TN_ERROR_INACCURATE || status == TN_ERROR_NOT_CONVERGED);
    const tn_accuracy accuracy = tn_sim_accuracy(m.sim);
    ck_assert(drift <= kept * d->energy || !accuracy.holds);
    ck_assert_double_ge(accuracy.energy_made, 0.98 * drift); /* told as it is */
    ck_assert_double_le(share, missed_by_a_step);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("defects");
    TCase *tc = tcase_create("energy");
    tcase_set_timeout(tc, 120.0);
    tcase_add_loop_test(tc, energy_is_kept_or_the_step_refused, 0, DEFECTS * FORMULATIONS);
    suite_add_tcase(suite, tc);
    return suite;
}
