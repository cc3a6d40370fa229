/* test_planar_chain.c: long taut chains in the plane, at the large steps of games: the work a step
 * takes, that joints stay closed and energy stays, and what a heavy end changes.
 *
 * Links of 1 m and 1 kg hinged in a row along +x, let go at rest.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "method/pinned/pinned.h"
#include "support/alpha_sims.h"
#include "support/attachments.h"
#include "support/run_main.h"
#include "tenon/tenon.h"

#define GRAVITY 9.81       /* m/s^2 */
#define STEP    (1.0 / 60) /* s */

typedef struct chain {
    int32_t links;
    tn_body_kind kind;
    double tip_mass; /* kg */
    int8_t game;     /* 1: damped and with the tolerance of games, else the defaults */
    int general;     /* 1: by the general iteration, not as a tree on pins (method/pinned) */
} chain;

static tn_model *make_chain(const chain *c)
{
    tn_spec *spec = tn_spec_create();
    tn_world_def world = tn_default_world_def();
    world.gravity = (tn_vec3){0.0, -GRAVITY, 0.0};
    ck_assert_int_eq(tn_spec_set_world(spec, &world), TN_OK);
    for (int32_t k = 0; k < c->links; k++) {
        tn_body_def link = tn_default_body_def();
        link.kind = c->kind;
        link.pose.p.x = k + 0.5;
        link.mass = k + 1 == c->links ? c->tip_mass : 1.0;
        link.com = (tn_vec3){0.0, 0.0, 0.0};
        link.inertia = (tn_mat3){{{0.0}}};
        for (int i = c->kind == TN_BODY_PLANAR ? 2 : 0; i < 3; i++)
            link.inertia.m[i][i] = link.mass / 12.0;
        tn_body body;
        ck_assert_int_eq(tn_spec_add_body(spec, &link, &body), TN_OK);
        tn_joint_def hinge = tn_default_joint_def();
        hinge.type = "hinge";
        hinge.a = body;
        hinge.b.i = k - 1;
        hinge.placement = TN_PLACE_ORIGIN;
        hinge.origin.x = k;
        ck_assert_int_eq(tn_spec_add_joint(spec, &hinge, NULL), TN_OK);
    }
    return compiled(spec);
}

typedef struct outcome {
    double solves, factorizations; /* a step */
    double separation;             /* m, largest at the end of any step */
    double energy; /* change, largest, as a share of m g L n / 2 and what the tip adds */
    double swing;  /* rad that the first link has turned, largest */
} outcome;

static outcome run(const chain *c, tn_integrator integrator, int steps)
{
    tn_model *model = make_chain(c);
    tn_sim_options options = tn_default_sim_options(model);
    options.integrator = integrator;
    if (c->game) {
        options.spectral_radius = 0.1;
        options.position_tolerance = 3e-8;
    }
    tn_sim *sim = NULL;
    ck_assert_int_eq(tn_sim_create(model, &options, NULL, &sim), TN_OK);
    if (c->general) {
        tn_pinned_destroy(tn_alpha_of(sim)->pinned);
        tn_alpha_of(sim)->pinned = NULL;
        forget_hinges(sim);
    }
    const double n = c->links, before = tn_sim_energy(sim).total;
    const double scale = GRAVITY * (0.5 * n * n + (c->tip_mass - 1.0) * n);
    outcome out = {0};
    for (int k = 0; k < steps; k++) {
        tn_step_report report;
        const tn_status status = tn_sim_step(sim, STEP, &report);
        ck_assert_msg(status == TN_OK, "%s at step %d", tn_status_text(status), k);
        out.solves += (double)report.solves / steps;
        out.factorizations += (double)report.factorizations / steps;
        out.separation = fmax(out.separation, tn_sim_residuals(sim).position);
        out.energy = fmax(out.energy, fabs(tn_sim_energy(sim).total - before) / scale);
        const tn_quat q = tn_sim_body_pose(sim, (tn_body){0}).q;
        out.swing = fmax(out.swing, fabs(2.0 * atan2(q.z, q.w)));
    }
    printf("%4d %s links, tip %g kg, %s: %.1f solves, %.1f factorizations a step, separation %.1e "
           "m, energy %.1e, swing %.2f rad\n",
           c->links, tn_body_kind_name(c->kind), c->tip_mass, tn_integrator_name(integrator),
           out.solves, out.factorizations, out.separation, out.energy, out.swing);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
    return out;
}

/* What a thousand links may cost that fall for a second and a half. */
static const struct {
    int8_t game;
    double solves, factorizations; /* a step */
    double separation;             /* m */
} prices[] = {
    {0, 9.0, 3.5, 1e-11},
    /* with the oscillations damped that the step does not resolve, and joints that may be some
     * hundredths of a micron open: less than half the work, and the energy stays all the same */
    {1, 3.0, 1.3, 1e-9},
};

/* The tension of the chain is in the matrix of the step, or it would take some 60 solves. */
START_TEST(a_taut_chain_takes_few_solves)
{
    const chain taut = {1000, TN_BODY_PLANAR, 1.0, prices[_i].game};
    const outcome out = run(&taut, TN_GENERALIZED_ALPHA, 90);
    ck_assert_double_le(out.solves, prices[_i].solves);
    ck_assert_double_le(out.factorizations, prices[_i].factorizations);
    ck_assert_double_le(out.separation, prices[_i].separation);
    ck_assert_double_le(out.energy, 1e-5);
}
END_TEST

/* The same chain of bodies that could move in space: the same mechanics, as much work; by the way of its own of
 * trees on pins no more. */
START_TEST(a_chain_in_space_takes_as_many)
{
    const outcome plane = run(&(chain){100, TN_BODY_PLANAR, 1.0, 0, 1}, TN_GENERALIZED_ALPHA, 60);
    const outcome pinned = run(&(chain){100, TN_BODY_PLANAR, 1.0, 0, 0}, TN_GENERALIZED_ALPHA, 60);
    const outcome space = run(&(chain){100, TN_BODY_RIGID, 1.0, 0, 0}, TN_GENERALIZED_ALPHA, 60);
    ck_assert_double_le(fabs(plane.solves - space.solves), 0.2 * space.solves);
    ck_assert_double_le(fabs(plane.swing - space.swing), 1e-6);
    ck_assert_double_le(pinned.solves, 1.2 * space.solves);
    ck_assert_double_le(fabs(pinned.swing - space.swing), 1e-6);
}
END_TEST

/* The tip as heavy as a million links: no joint opens, no step is refused. */
START_TEST(a_heavy_tip_opens_no_joint)
{
    static const tn_integrator integrators[] = {TN_GENERALIZED_ALPHA, TN_BACKWARD_EULER};
    const chain heavy = {10, TN_BODY_PLANAR, _i % 2 == 0 ? 1e3 : 1e6, 0};
    const outcome out = run(&heavy, integrators[_i / 2], 120);
    ck_assert_double_le(out.separation, 1e-11);
    ck_assert_double_le(out.energy, integrators[_i / 2] == TN_BACKWARD_EULER ? 0.1 : 1e-3);
    ck_assert_double_ge(out.swing, 1.0);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("planar_chain");
    TCase *tc = tcase_create("planar_chain");
    tcase_set_timeout(tc, 120.0);
    tcase_add_loop_test(tc, a_taut_chain_takes_few_solves, 0, 2);
    tcase_add_test(tc, a_chain_in_space_takes_as_many);
    tcase_add_loop_test(tc, a_heavy_tip_opens_no_joint, 0, 4);
    suite_add_tcase(suite, tc);
    return suite;
}
