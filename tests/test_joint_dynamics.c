/* Every joint type between moving bodies: momentum, energy, balance of the wrenches, and how well
 * velocities fit the constraints after a step. Each test prints one line of figures. */
#include <check.h>
#include <stdio.h>

#include "joint_sims.h"
#include "run_main.h"

enum { SCENES = 3, LEVELS = 3 };

static const double seconds = 0.5;
static const double coarsest = 1e-2; /* s: step of level 0; halved per level */
static const double round_off =
    1e-9; /* of multipliers and speeds: position tolerance over h^2 and h */

typedef struct scene_kind {
    int grounded;
    tn_vec3 gravity; /* m/s^2 */
    tn_integrator integrator;
    tn_formulation formulation;
} scene_kind;

static const scene_kind free_flight = {0, {0.0, 0.0, 0.0}, TN_GENERALIZED_ALPHA, TN_INDEX_3};
static const scene_kind led_flight = {
    0, {0.0, 0.0, 0.0}, TN_GENERALIZED_ALPHA, TN_STABILIZED_INDEX_2};
static const scene_kind swinging = {1, {1.0, -2.0, -9.0}, TN_GENERALIZED_ALPHA, TN_INDEX_3};
static const scene_kind led_swinging = {
    1, {1.0, -2.0, -9.0}, TN_GENERALIZED_ALPHA, TN_STABILIZED_INDEX_2};
static const scene_kind flight_by_velocities = {
    0, {0.0, 0.0, 0.0}, TN_CONSTRAINED_BACKWARD_EULER, TN_INDEX_3};

static const char *name_of(int type)
{
    return tn_joint_type_get((tn_joint_type){type})->name;
}

/* Scene number n of a type, velocities consistent. */
static joint_sim make_scene(int type, int n, scene_kind kind)
{
    uint64_t seed = 40 + (uint64_t)n;
    const joint_scene scene = sample_scene((tn_joint_type){type}, &seed);
    joint_sim s = joint_sim_create(&scene, kind.grounded, kind.gravity, kind.integrator, seed);
    if (kind.formulation != TN_INDEX_3)
        joint_sim_restart(&s, kind.formulation);
    ck_assert_int_eq(tn_sim_project(s.sim, NULL), TN_OK);
    return s;
}

/* A figure of one run in steps of h, summed over the scenes, per level. */
typedef double (*run_figure)(joint_sim *s, double h, int32_t steps);

static void converge(int type, scene_kind kind, run_figure figure, double error[LEVELS])
{
    for (int level = 0; level < LEVELS; level++) {
        const double h = coarsest / (1 << level);
        error[level] = 0.0;
        for (int n = 0; n < SCENES; n++) {
            joint_sim s = make_scene(type, n, kind);
            error[level] += figure(&s, h, (int32_t)(seconds / h + 0.5));
            joint_sim_destroy(&s);
        }
    }
}

/* Prints the figures and expects order 2 over all levels, unless they are round-off. From one level
 * to the next the small ones wander: position_tolerance / h^2 is 2e-8 N per kg on the last. */
static void expect_second_order(int type, const char *what, const double error[LEVELS])
{
    const double order = log2(error[0] / error[LEVELS - 1]) / (LEVELS - 1);
    printf("%-20s %s", name_of(type), what);
    for (int level = 0; level < LEVELS; level++)
        printf(" %8.1e", error[level]);
    if (error[0] < round_off) {
        printf("  exact\n");
        return;
    }
    printf("  order %.2f\n", order);
    ck_assert_msg(order > 1.8, "%s: %s order %g", name_of(type), what, order);
}

/* ---- momentum ----------------------------------------------------------------------------- */

typedef struct momentum_change {
    double linear, angular; /* relative */
} momentum_change;

static momentum_change change_of_momenta(joint_sim *s, double h, int32_t steps)
{
    const momenta before = joint_sim_momenta(s);
    joint_sim_run(s, h, steps);
    const momenta after = joint_sim_momenta(s);
    return (momentum_change){
        v3_norm(v3_sub(after.linear, before.linear)) / before.linear_size,
        v3_norm(v3_sub(after.angular, before.angular)) / before.angular_size,
    };
}

/* The angular momentum is that about the world's origin: the centre of mass goes straight on too.
 */
START_TEST(free_flight_keeps_both_momenta)
{
    momentum_change worst = {0.0, 0.0};
    for (int n = 0; n < SCENES; n++) {
        joint_sim s = make_scene(_i, n, free_flight);
        const momentum_change change = change_of_momenta(&s, 1e-3, 1000);
        worst.linear = fmax(worst.linear, change.linear);
        worst.angular = fmax(worst.angular, change.angular);
        joint_sim_destroy(&s);
    }
    printf("%-20s momenta, relative change in 1000 steps: linear %.1e, angular %.1e\n", name_of(_i),
           worst.linear, worst.angular);
    ck_assert_msg(worst.linear < 1e-12 && worst.angular < 1e-12,
                  "%s: linear momentum changes by %g, angular by %g", name_of(_i), worst.linear,
                  worst.angular);
}
END_TEST

/* ---- energy ------------------------------------------------------------------------------- */

static double energy_error(joint_sim *s, double h, int32_t steps)
{
    const double before = tn_sim_energy(s->sim).total;
    double worst = 0.0;
    for (int32_t n = 0; n < steps; n++) {
        joint_sim_run(s, h, 1);
        worst = fmax(worst, fabs(tn_sim_energy(s->sim).total - before));
    }
    return worst;
}

START_TEST(swinging_keeps_energy)
{
    double error[LEVELS];
    if (tn_joint_type_get((tn_joint_type){_i})->start == TN_START_AT_MOST)
        return; /* what is caught at its limit loses energy */
    converge(_i, swinging, energy_error, error);
    expect_second_order(_i, "energy, J", error);
}
END_TEST

START_TEST(swinging_led_by_speeds_keeps_energy)
{
    double error[LEVELS];
    if (tn_joint_type_get((tn_joint_type){_i})->start == TN_START_AT_MOST)
        return;
    converge(_i, led_swinging, energy_error, error);
    expect_second_order(_i, "energy, J, index 2", error);
}
END_TEST

/* ---- velocities on the constraint --------------------------------------------------------- */

static double constraint_speed(joint_sim *s, double h, int32_t steps)
{
    double worst = 0.0;
    for (int32_t n = 0; n < steps; n++) {
        joint_sim_run(s, h, 1);
        const tn_residuals r = tn_sim_residuals(s->sim);
        worst = fmax(worst, fmax(r.speed, r.turn_rate));
    }
    return worst;
}

/* A wrong row derivative makes this first order: the velocity solve is G u = -h (dG/dt) u. */
START_TEST(velocities_fit_the_constraint_after_a_velocity_solve)
{
    double error[LEVELS];
    converge(_i, flight_by_velocities, constraint_speed, error);
    expect_second_order(_i, "|G u|, constrained_backward_euler", error);
}
END_TEST

START_TEST(velocities_fit_the_constraint_after_a_position_solve)
{
    double error[LEVELS];
    converge(_i, free_flight, constraint_speed, error);
    expect_second_order(_i, "|G u|, generalized_alpha", error);
}
END_TEST

/* To what Newton's iteration leaves: position tolerance times gamma' = 2 / h. */
START_TEST(velocities_of_index_2_fit_the_constraint)
{
    double error[LEVELS];
    converge(_i, led_flight, constraint_speed, error);
    printf("%-20s |G u|, stabilized index 2 %8.1e %8.1e %8.1e\n", name_of(_i), error[0], error[1],
           error[2]);
    for (int level = 0; level < LEVELS; level++)
        ck_assert_double_le(error[level], SCENES * 2.0 * 1e-13 / (coarsest / (1 << level)));
}
END_TEST

/* ---- forces ------------------------------------------------------------------------------- */

/* Wrench on a body about its origin, moved to the world's origin. */
static tn_wrench at_world_origin(const joint_sim *s, tn_joint joint, tn_wrench_frame frame,
                                 int body)
{
    tn_wrench w = tn_sim_joint_wrench(s->sim, joint, frame);
    w.m = v3_add(w.m, v3_cross(tn_sim_body_pose(s->sim, (tn_body){body}).p, w.f));
    return w;
}

START_TEST(wrenches_on_both_bodies_balance)
{
    for (int n = 0; n < SCENES; n++) {
        joint_sim s = make_scene(_i, n, free_flight);
        for (int k = 0; k < 50; k++) {
            joint_sim_run(&s, 1e-3, 1);
            const tn_wrench a = at_world_origin(&s, (tn_joint){0}, TN_WRENCH_ON_A, 0);
            const tn_wrench b = at_world_origin(&s, (tn_joint){0}, TN_WRENCH_ON_B, 1);
            const double size = 1.0 + v3_norm(a.f) + v3_norm(a.m);
            ck_assert_double_le(v3_norm(v3_add(a.f, b.f)), 1e-12 * size);
            ck_assert_double_le(v3_norm(v3_add(a.m, b.m)), 1e-12 * size);
        }
        joint_sim_destroy(&s);
    }
}
END_TEST

/* Without external forces the wrench on A is all that moves A: over a step the change of its
 * linear momentum is the impulse, to the order of the trapezoidal rule. */
static double impulse_error(joint_sim *s, double h, int32_t steps)
{
    const tn_mass_properties mass = tn_model_body_mass(s->model, (tn_body){0});
    double worst = 0.0;
    tn_vec3 last_p = {0.0, 0.0, 0.0}, last_f = {0.0, 0.0, 0.0};
    for (int32_t n = 0; n < steps; n++) {
        joint_sim_run(s, h, 1);
        const tn_twist u = tn_sim_body_velocity(s->sim, (tn_body){0});
        const tn_pose pose = tn_sim_body_pose(s->sim, (tn_body){0});
        const tn_vec3 arm = tn_pose_rotate_vector(pose, mass.com);
        const tn_vec3 p = v3_scale(mass.mass, v3_add(u.v, v3_cross(u.w, arm)));
        const tn_vec3 f = tn_sim_joint_wrench(s->sim, (tn_joint){0}, TN_WRENCH_ON_A).f;
        const tn_vec3 force = v3_scale(1.0 / h, v3_sub(p, last_p));
        const tn_vec3 error = v3_sub(force, v3_scale(0.5, v3_add(f, last_f)));
        if (n > steps / 2)
            worst = fmax(worst, v3_norm(error));
        last_p = p;
        last_f = f;
    }
    return worst;
}

START_TEST(wrench_is_the_rate_of_momentum)
{
    double error[LEVELS];
    converge(_i, free_flight, impulse_error, error);
    expect_second_order(_i, "force - rate of momentum, N", error);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("joint dynamics");
    TCase *tc = tcase_create("every type");
    const TTest *const every_type[] = {
        free_flight_keeps_both_momenta,
        swinging_keeps_energy,
        swinging_led_by_speeds_keeps_energy,
        velocities_fit_the_constraint_after_a_velocity_solve,
        velocities_fit_the_constraint_after_a_position_solve,
        velocities_of_index_2_fit_the_constraint,
        wrenches_on_both_bodies_balance,
        wrench_is_the_rate_of_momentum,
    };
    for (size_t k = 0; k < sizeof every_type / sizeof every_type[0]; k++)
        tcase_add_loop_test(tc, every_type[k], 0, tn_joint_type_count());
    suite_add_tcase(suite, tc);
    return suite;
}
