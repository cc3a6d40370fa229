/* test_order.c: order of convergence of the integrators, from their own solutions.
 *
 * The pose of the last body at the end, x(h), at h, h/2, h/4, ...: the slope of a method of order p
 * is log2 |x(h) - x(h/2)| / |x(h/2) - x(h/4)| = p + O(h).
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "support/run_main.h"
#include "support/sample_mechanisms.h"

enum { LEVELS = 5 };

typedef struct sample {
    const char *name;
    mechanism (*build)(void);
    tn_body last;
    double duration; /* s */
    double whole;    /* s, the largest step of dormand_prince, whose steps are not divided */
} sample;

static mechanism chain_of_five(void)
{
    return sample_hinge_chain(5);
}

static const sample samples[] = {
    {"hinge chain", chain_of_five, {4}, 0.5, 2e-2},
    {"bricard", sample_bricard, {2}, 1.0, 0.25},
    {"mixed", sample_mixed, {4}, 0.5, 2e-2},
};

typedef struct stepping {
    int integrator;
    double step;  /* s, the largest */
    double slope; /* required of the finest three */
} stepping;

static const stepping steppings[] = {
    {TN_GENERALIZED_ALPHA, 4e-3, 1.9},
    {TN_CONSTRAINED_BACKWARD_EULER, 2e-3, 0.9},
    {TN_BACKWARD_EULER, 2e-3, 0.9},
    {TN_DORMAND_PRINCE, 0.0, 4.8},
};

enum {
    SAMPLES = sizeof samples / sizeof samples[0],
    STEPPINGS = sizeof steppings / sizeof steppings[0]
};

/* Position, rotation matrix and world velocity of a body at the end: 18 numbers. */
static void end_state(const sample *s, int integrator, double h, double x[18])
{
    mechanism m = s->build();
    if (integrator == TN_DORMAND_PRINCE)
        mechanism_start_exact(&m, 1.0);
    else
        mechanism_start(&m, (int)integrator);
    mechanism_run(&m, h, (int)lround(s->duration / h), NULL);
    const tn_pose pose = tn_sim_body_pose(m.sim, s->last);
    const tn_twist twist = tn_sim_body_velocity(m.sim, s->last);
    const tn_mat3 R = tn_quat_to_matrix(pose.q);
    const double all[18] = {pose.p.x,  pose.p.y,  pose.p.z,  R.m[0][0], R.m[0][1], R.m[0][2],
                            R.m[1][0], R.m[1][1], R.m[1][2], R.m[2][0], R.m[2][1], R.m[2][2],
                            twist.v.x, twist.v.y, twist.v.z, twist.w.x, twist.w.y, twist.w.z};
    for (int k = 0; k < 18; k++)
        x[k] = all[k];
    mechanism_free(&m);
}

static double distance(const double *a, const double *b)
{
    double sum = 0.0;
    for (int k = 0; k < 18; k++)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum);
}

START_TEST(converges_at_its_order)
{
    const sample *s = &samples[_i % SAMPLES];
    const stepping *method = &steppings[_i / SAMPLES];
    const double step = method->step > 0.0 ? method->step : s->whole;
    double x[LEVELS][18], change[LEVELS - 1], slope = 0.0;
    printf("%-27s %-12s", method_name(method->integrator), s->name);
    for (int k = 0; k < LEVELS; k++) {
        end_state(s, method->integrator, ldexp(step, -k), x[k]);
        if (k > 0)
            change[k - 1] = distance(x[k - 1], x[k]);
        if (k > 1) {
            slope = log2(change[k - 2] / change[k - 1]);
            printf("  h %.2e change %.2e slope %.3f", ldexp(step, -k), change[k - 1], slope);
        }
    }
    printf("\n");
    ck_assert_double_ge(slope, method->slope);
    if (method->integrator == TN_DORMAND_PRINCE)
        ck_assert_double_le(slope, 5.3);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("order");
    TCase *order = tcase_create("slopes");
    tcase_add_loop_test(order, converges_at_its_order, 0, SAMPLES * STEPPINGS);
    suite_add_tcase(suite, order);
    return suite;
}
