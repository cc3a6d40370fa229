/* test_limit_pairs.c: two free bodies thrown about within the ranges of their joint, every type.
 *
 * Limits act between the bodies: whatever happens there, both momenta stay, and energy is never
 * made. Each test prints one line of figures.
 */
#include <check.h>
#include <stdio.h>

#include "joint_sims.h"
#include "run_main.h"

enum { PAIRS = 3, STEPS = 1000 };

static const double restitutions[] = {0.0, 0.5};
static const double step = 1e-3;  /* s */
static const double reach = 0.05; /* rad, m; speeds are of the order of one per second */

typedef struct figures {
    double linear, angular; /* relative change of the momenta */
    double gain;            /* relative to the energy at the start: above the lowest so far */
    double lost;            /* relative */
    int reached;            /* limits */
} figures;

static int limits_reached(const tn_sim *sim)
{
    int count = 0;
    for (int32_t k = 0; k < tn_sim_event_count(sim); k++)
        count += tn_sim_event(sim, k)->kind == TN_EVENT_LIMIT_REACHED;
    return count;
}

static void run(joint_sim *s, figures *worst)
{
    const momenta before = joint_sim_momenta(s);
    const double start = tn_sim_energy(s->sim).total;
    double lowest = start, energy = start;
    for (int k = 0; k < STEPS; k++) {
        joint_sim_run(s, step, 1);
        worst->reached += limits_reached(s->sim);
        energy = tn_sim_energy(s->sim).total;
        worst->gain = fmax(worst->gain, (energy - lowest) / start);
        lowest = fmin(lowest, energy);
    }
    const momenta after = joint_sim_momenta(s);
    worst->lost = fmax(worst->lost, 1.0 - energy / start);
    worst->linear =
        fmax(worst->linear, v3_norm(v3_sub(after.linear, before.linear)) / before.linear_size);
    worst->angular =
        fmax(worst->angular, v3_norm(v3_sub(after.angular, before.angular)) / before.angular_size);
}

START_TEST(limits_keep_both_momenta_and_make_no_energy)
{
    const tn_joint_type_info *type = tn_joint_type_get((tn_joint_type){_i});
    for (int e = 0; e < 2; e++) {
        figures worst = {0};
        for (int n = 0; n < PAIRS; n++) {
            uint64_t seed = 70 + (uint64_t)n;
            const joint_scene scene = sample_scene((tn_joint_type){_i}, &seed);
            const joint_ranges ranges = {reach, restitutions[e]};
            joint_sim s = joint_sim_create_in_ranges(&scene, 0, v3(0.0, 0.0, 0.0),
                                                     TN_GENERALIZED_ALPHA, seed, &ranges);
            run(&s, &worst);
            joint_sim_destroy(&s);
        }
        printf("%-20s e = %.1f: %4d hits, momenta off by %.1e, %.1e, energy lost %.2f, gained "
               "%.1e\n",
               type->name, restitutions[e], worst.reached, worst.linear, worst.angular, worst.lost,
               worst.gain);
        ck_assert_double_le(worst.linear, 1e-12);
        ck_assert_double_le(worst.angular, 1e-12);
        ck_assert_double_le(worst.gain, 1e-5);
        ck_assert_int_eq(worst.reached > 0, type->coordinate_count > 0);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("limits of pairs");
    TCase *tc = tcase_create("limits of pairs");
    tcase_add_loop_test(tc, limits_keep_both_momenta_and_make_no_energy, 0, tn_joint_type_count());
    suite_add_tcase(suite, tc);
    return suite;
}
