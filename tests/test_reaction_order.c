/* test_reaction_order.c: reactions that are unique are right to the order of the motion, with every
 * integrator, over the reference mechanisms, in steps that were cut too, and from the start on.
 * Where redundant joints share a load in one of many ways, the shares go the same way.
 *
 * Right values: dormand_prince at a tolerance of 1e-12, which agrees with the reference data of
 * these mechanisms (test_dormand_prince.c, test_mechanisms.c).
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mechanism.h"
#include "run_main.h"
#include "sample_mechanisms.h"
#include "support/heavy.h"
#include "tenon/analysis.h"

static mechanism two_parallelograms(void)
{
    return sample_n_four_bar(2, TN_BODY_RIGID);
}

static mechanism flat_parallelograms(void)
{
    return sample_n_four_bar(2, TN_BODY_PLANAR);
}

static mechanism five_hinges(void)
{
    return sample_hinge_chain(5);
}

static const struct {
    const char *name;
    mechanism (*build)(void);
    double duration, step; /* s */
} samples[] = {
    {"four-bar", sample_four_bar, 0.4, 2e-3},
    {"Bricard", sample_bricard, 0.4, 2e-3},
    {"Bennett", sample_bennett, 0.4, 2e-3},
    {"2 parallelograms", two_parallelograms, 0.2, 2e-3},
    {"2 flat parallelograms", flat_parallelograms, 0.2, 2e-3},
    {"slider-crank", sample_slider_crank, 0.1, 5e-4},
    {"inclined cylinder", sample_inclined_cylinder, 0.4, 2e-3},
    {"chain of hinges", five_hinges, 0.4, 2e-3},
    {"mixed loop", sample_mixed, 0.4, 2e-3},
    {"turret", sample_turret, 0.4, 2e-3},
};
enum { SAMPLES = sizeof samples / sizeof *samples, MOST = 16, PARTS = 6 };

typedef struct outcome {
    tn_vec3 position[MOST], velocity[MOST]; /* of bodies */
    double wrench[MOST][PARTS];             /* of joints, in C */
    int bodies, joints, cut;
} outcome;

static void run(mechanism *m, double h, int steps, outcome *out)
{
    const tn_model_size size = tn_model_get_size(m->model);
    *out = (outcome){.bodies = size.bodies, .joints = size.joints};
    for (int k = 0; k < steps; k++) {
        tn_step_report report;
        ck_assert_int_eq(tn_sim_step(m->sim, h, &report), TN_OK);
        out->cut += report.halvings > 0;
        ck_assert_int_eq(report.fallbacks, 0);
    }
    for (int i = 0; i < size.bodies; i++) {
        out->position[i] = tn_sim_body_pose(m->sim, (tn_body){i}).p;
        out->velocity[i] = tn_sim_body_velocity(m->sim, (tn_body){i}).v;
    }
    for (int j = 0; j < size.joints; j++) {
        const tn_wrench w = tn_sim_joint_wrench(m->sim, (tn_joint){j}, TN_WRENCH_IN_C);
        const double parts[PARTS] = {w.f.x, w.f.y, w.f.z, w.m.x, w.m.y, w.m.z};
        memcpy(out->wrench[j], parts, sizeof parts);
    }
}

/* Relative to the largest: of the motion, of the reactions that are unique, of the others. */
typedef struct errors {
    double motion, unique, shared;
} errors;

static errors compare(const outcome *out, const outcome *right, const tn_analysis *analysis)
{
    double fastest = 0.0, strongest = 0.0;
    errors e = {0.0, 0.0, 0.0};
    for (int i = 0; i < right->bodies; i++)
        fastest = fmax(fastest, vec_norm(right->velocity[i]));
    for (int j = 0; j < right->joints; j++)
        for (int k = 0; k < PARTS; k++)
            strongest = fmax(strongest, fabs(right->wrench[j][k]));
    for (int i = 0; i < right->bodies; i++) { /* the mechanisms are of a metre */
        e.motion = fmax(e.motion, vec_norm(vec_sub(out->position[i], right->position[i])));
        e.motion =
            fmax(e.motion, vec_norm(vec_sub(out->velocity[i], right->velocity[i])) / fastest);
    }
    for (int j = 0; j < right->joints; j++)
        for (int k = 0; k < PARTS; k++) {
            const double off = fabs(out->wrench[j][k] - right->wrench[j][k]) / strongest;
            double *which = analysis->joints[j].wrench >> k & 1 ? &e.unique : &e.shared;
            *which = fmax(*which, off);
        }
    return e;
}

/* The right end of sample i, and which of its reactions are unique there. */
static mechanism solve_exactly(int i, outcome *right, tn_analysis *analysis)
{
    mechanism m = samples[i].build();
    const int steps = (int)lround(samples[i].duration / samples[i].step);
    mechanism_start_exact(&m, 1e-12);
    run(&m, samples[i].step, steps, right);
    ck_assert_int_eq(tn_sim_analyze(m.sim, NULL, analysis), TN_OK);
    return m;
}

/* Below this round-off counts: of poses over h^2. */
#define ROUND_OFF 1e-7

/* Reactions may be off by this many times the relative error of the motion, by the worse of the
 * formulations of a method: an error of the velocities counts twice in what turns them. */
#define AS_THE_MOTION 6.0

START_TEST(reactions_have_the_order_of_the_motion)
{
    outcome right, out;
    tn_analysis analysis;
    mechanism m = solve_exactly(_i, &right, &analysis);
    double motion[3] = {0.0, 0.0, 0.0};
    errors found[METHODS][2];
    for (int method = 0; method < METHODS; method++) {
        const int order = method_order(method) > 2 ? 0 : method_order(method);
        for (int half = 0; half < 2; half++) {
            const double h = samples[_i].step / (1 << half);
            mechanism_start(&m, method);
            run(&m, h, (int)lround(samples[_i].duration / h), &out);
            found[method][half] = compare(&out, &right, &analysis);
        }
        motion[order] = fmax(motion[order], found[method][0].motion);
    }
    for (int method = 0; method < METHODS; method++) {
        const int order = method_order(method) > 2 ? 0 : method_order(method);
        const errors *e = found[method];
        printf("%s, %s: motion %.1e, reactions %.1e, %.1e at half the step, shared %.1e\n",
               samples[_i].name, method_name(method), e[0].motion, e[0].unique, e[1].unique,
               e[0].shared);
        const double most = AS_THE_MOTION * motion[order] + 1e-10;
        ck_assert_double_le(e[0].unique, most);
        ck_assert_double_le(e[0].shared, fmax(most, ROUND_OFF));
        ck_assert_double_le(e[1].unique, fmax(e[0].unique / (1 << order) * 1.2, ROUND_OFF));
    }
    tn_analysis_free(&analysis);
    mechanism_free(&m);
}
END_TEST

/* A single Newton iteration is rarely enough: most steps of some mechanisms are cut. */
START_TEST(reactions_of_cut_steps_too)
{
    static const int methods[] = {TN_GENERALIZED_ALPHA, BY_SPEEDS};
    int cut = 0;
    for (int i = 0; i < SAMPLES; i++) {
        outcome right, out;
        tn_analysis analysis;
        mechanism m = solve_exactly(i, &right, &analysis);
        double motion = 0.0;
        for (int k = 0; k < 2; k++) {
            mechanism_start(&m, methods[k]);
            run(&m, samples[i].step, (int)lround(samples[i].duration / samples[i].step), &out);
            motion = fmax(motion, compare(&out, &right, &analysis).motion);
        }
        for (int k = 0; k < 2; k++) {
            tn_sim_options options = mechanism_compile(&m, methods[k]);
            options.max_iterations = 1;
            mechanism_start_with(&m, &options);
            run(&m, samples[i].step, (int)lround(samples[i].duration / samples[i].step), &out);
            const errors e = compare(&out, &right, &analysis);
            ck_assert_double_le(fmax(e.unique, e.shared), AS_THE_MOTION * motion + ROUND_OFF);
            cut += out.cut;
        }
        tn_analysis_free(&analysis);
        mechanism_free(&m);
    }
    printf("%d steps cut\n", cut);
    ck_assert_int_ge(cut, 500);
}
END_TEST

/* An arm that turns at 3 rad/s without gravity is held by m l w^2 from the first step on; but for
 * backward_euler, whose first step goes along the tangent and has none of it. */
START_TEST(the_first_step_is_no_exception)
{
    mechanism m =
        mechanism_read("tenon: 1\n"
                       "gravity: [0, 0, 0]\n"
                       "bodies: {arm: {position: [1, 0, 0], mass: 2, inertia: [0.1, 0.1, 0.1],"
                       " velocity: {linear: [0, 3, 0], angular: [0, 0, 3]}}}\n"
                       "joints: {h: {type: hinge, a: arm, origin: [0, 0, 0], axis: [0, 0, 1]}}\n");
    mechanism_start(&m, _i);
    for (int k = 0; k < 3; k++) {
        mechanism_run(&m, 1e-3, 1, NULL);
        if (_i == TN_BACKWARD_EULER && k == 0)
            continue;
        const double pull = vec_norm(tn_sim_joint_wrench(m.sim, (tn_joint){0}, TN_WRENCH_IN_C).f);
        ck_assert_double_eq_tol(pull, 18.0, 1e-3);
    }
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("order of reactions");
    TCase *test = tcase_create("every integrator");
    tcase_set_timeout(test, 240.0);
    tcase_add_loop_test(test, reactions_have_the_order_of_the_motion, 0,
                        ALL_OR_FEW(SAMPLES, SAMPLES / 2));
    tcase_add_test(test, reactions_of_cut_steps_too);
    tcase_add_loop_test(test, the_first_step_is_no_exception, 0, METHODS);
    suite_add_tcase(suite, test);
    return suite;
}
