/* test_wrenches.c: what a joint does to its bodies, in every frame, for every type.
 *
 * Nothing here knows how the library computes: frames are related by moving wrenches, bodies by
 * action and reaction, wrenches to motion by Newton and Euler.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "joint_sims.h"
#include "run_main.h"
#include "support/sample_mechanisms.h"

static const tn_vec3 gravity = {0.3, -0.7, -9.81};

/* A wrench about the origin of frame T, T's axes, as one about the world origin in world axes. */
static tn_wrench in_world(tn_wrench w, tn_pose T)
{
    const tn_mat3 R = q_to_m3(T.q);
    const tn_vec3 f = m3_mulv(&R, w.f);
    return (tn_wrench){f, v3_add(m3_mulv(&R, w.m), v3_cross(T.p, f))};
}

/* A wrench about point p, world axes, likewise. */
static tn_wrench from_point(tn_wrench w, tn_vec3 p)
{
    return (tn_wrench){w.f, v3_add(w.m, v3_cross(p, w.f))};
}

static double size_of(tn_wrench w)
{
    return v3_norm(w.f) + v3_norm(w.m);
}

static double difference(tn_wrench a, tn_wrench b)
{
    return v3_norm(v3_sub(a.f, b.f)) + v3_norm(v3_sub(a.m, b.m));
}

static tn_pose pose_in_world(const tn_sim *sim, tn_body body, tn_pose local)
{
    if (body.i < 0)
        return local;
    const tn_pose T = tn_sim_body_pose(sim, body);
    const tn_mat3 R = q_to_m3(T.q);
    return (tn_pose){v3_add(T.p, m3_mulv(&R, local.p)), q_mul(T.q, local.q)};
}

static tn_vec3 origin_of(const tn_sim *sim, tn_body body)
{
    return body.i < 0 ? v3(0.0, 0.0, 0.0) : tn_sim_body_pose(sim, body).p;
}

/* The wrench of a joint in C, in D, on A and minus on B is the same one; the parts add up. Returns
 * the largest relative difference. The pose must be the one the wrenches belong to. */
static double frame_disagreement(const tn_sim *sim, tn_joint joint)
{
    tn_body a, b;
    tn_pose T_CA, T_DB;
    tn_model_joint_bodies(tn_sim_model(sim), joint, &a, &b);
    tn_model_joint_frames(tn_sim_model(sim), joint, &T_CA, &T_DB);
    const tn_wrench on_a =
        from_point(tn_sim_joint_wrench(sim, joint, TN_WRENCH_ON_A), origin_of(sim, a));
    tn_wrench on_b = from_point(tn_sim_joint_wrench(sim, joint, TN_WRENCH_ON_B), origin_of(sim, b));
    on_b = (tn_wrench){v3_scale(-1.0, on_b.f), v3_scale(-1.0, on_b.m)};
    const tn_wrench c =
        in_world(tn_sim_joint_wrench(sim, joint, TN_WRENCH_IN_C), pose_in_world(sim, a, T_CA));
    const tn_wrench d =
        in_world(tn_sim_joint_wrench(sim, joint, TN_WRENCH_IN_D), pose_in_world(sim, b, T_DB));
    tn_wrench sum = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int part = 0; part < TN_WRENCH_PART_COUNT; part++) {
        const tn_wrench w =
            tn_sim_joint_wrench_part(sim, joint, (tn_wrench_part)part, TN_WRENCH_ON_A);
        sum = (tn_wrench){v3_add(sum.f, w.f), v3_add(sum.m, w.m)};
    }
    sum = from_point(sum, origin_of(sim, a));
    const double worst = fmax(fmax(difference(on_a, on_b), difference(on_a, c)),
                              fmax(difference(on_a, d), difference(on_a, sum)));
    return worst == 0.0 ? 0.0 : worst / size_of(on_a);
}

/* The pose of the last velocity solve: that at the start of the step. The wrenches of the
 * first-order steppers belong to it. */
typedef struct body_state {
    tn_pose pose;
    tn_vec3 com, p, spin; /* m, kg m/s, kg m^2/s about the centre of mass */
} body_state;

static body_state measure(const joint_sim *s, int32_t i)
{
    body_state out;
    const tn_mass_properties mass = tn_model_body_mass(s->model, (tn_body){i});
    out.pose = tn_sim_body_pose(s->sim, (tn_body){i});
    const tn_twist u = tn_sim_body_velocity(s->sim, (tn_body){i});
    const tn_mat3 R = q_to_m3(out.pose.q);
    const tn_vec3 arm = m3_mulv(&R, mass.com);
    out.com = v3_add(out.pose.p, arm);
    out.p = v3_scale(mass.mass, v3_add(u.v, v3_cross(u.w, arm)));
    out.spin = m3_mulv(&mass.inertia, m3_tmulv(&R, u.w)); /* body axes */
    return out;
}

/* The wrench on body i about its origin at the pose of the solve. */
static tn_wrench on_body(const joint_sim *s, int32_t i)
{
    tn_wrench sum = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int32_t j = 0; j < tn_model_get_size(s->model).joints; j++) {
        tn_body a, b;
        tn_model_joint_bodies(s->model, (tn_joint){j}, &a, &b);
        for (int side = 0; side < 2; side++) {
            if ((side ? b : a).i != i)
                continue;
            const tn_wrench w =
                tn_sim_joint_wrench(s->sim, (tn_joint){j}, side ? TN_WRENCH_ON_B : TN_WRENCH_ON_A);
            sum = (tn_wrench){v3_add(sum.f, w.f), v3_add(sum.m, w.m)};
        }
    }
    return sum;
}

/* h times the wrenches is the change of linear momentum beyond gravity's, and without spin before
 * (no gyroscopic moment) that of angular momentum; relative. */
static double momentum_disagreement(joint_sim *s, double h)
{
    body_state before[2], after[2];
    tn_wrench w[2];
    double worst = 0.0;
    for (int32_t i = 0; i < s->bodies; i++)
        before[i] = measure(s, i);
    joint_sim_run(s, h, 1);
    for (int32_t i = 0; i < s->bodies; i++) {
        after[i] = measure(s, i);
        w[i] = on_body(s, i);
        const double mass = tn_model_body_mass(s->model, (tn_body){i}).mass;
        const tn_vec3 change = v3_sub(v3_sub(after[i].p, before[i].p), v3_scale(h * mass, gravity));
        const tn_vec3 impulse = v3_scale(h, w[i].f);
        const double scale = v3_norm(impulse) + v3_norm(after[i].p) + v3_norm(before[i].p);
        worst = fmax(worst, v3_norm(v3_sub(change, impulse)) / scale);
        if (v3_norm(before[i].spin) > 0.0)
            continue;
        const tn_mat3 R = q_to_m3(before[i].pose.q);
        const tn_vec3 arm = v3_sub(before[i].com, before[i].pose.p);
        const tn_vec3 moment = v3_sub(w[i].m, v3_cross(arm, w[i].f));
        const tn_vec3 turned = v3_scale(h, m3_tmulv(&R, moment)); /* body axes */
        const double size = v3_norm(turned) + v3_norm(after[i].spin) + h;
        worst = fmax(worst, v3_norm(v3_sub(after[i].spin, turned)) / size);
    }
    return worst;
}

static void stop(joint_sim *s)
{
    const tn_twist rest = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int32_t i = 0; i < s->bodies; i++)
        ck_assert_int_eq(tn_sim_set_body_velocity(s->sim, (tn_body){i}, rest), TN_OK);
}

/* Runs f on scenes of every type, free and grounded, with one integrator. */
typedef double (*scene_check)(joint_sim *s);

static double over_all_types(tn_integrator integrator, scene_check check, const char **worst_type)
{
    enum { SAMPLES = 5 };
    double worst = 0.0;
    for (int32_t t = 0; t < tn_joint_type_count(); t++) {
        uint64_t seed = 77u + (uint64_t)t;
        for (int n = 0; n < 2 * SAMPLES; n++) {
            const joint_scene scene = sample_scene((tn_joint_type){t}, &seed);
            joint_sim s = joint_sim_create(&scene, n % 2, gravity, integrator, seed);
            const double now = check(&s);
            if (!(now <= worst)) {
                worst = now;
                *worst_type = tn_joint_type_get((tn_joint_type){t})->name;
            }
            joint_sim_destroy(&s);
        }
    }
    return worst;
}

static double check_frames(joint_sim *s)
{
    joint_sim_run(s, 1e-3, 3);
    return frame_disagreement(s->sim, (tn_joint){0});
}

/* These report at the end of the step: frames of then. */
START_TEST(frames_agree_for_every_type)
{
    static const tn_integrator of_the_end[] = {TN_GENERALIZED_ALPHA, TN_DORMAND_PRINCE};
    const char *type = "none";
    const double worst = over_all_types(of_the_end[_i], check_frames, &type);
    printf("%s: wrench in C, in D, on A, on B and parts: %.1e (%s)\n",
           tn_integrator_name(of_the_end[_i]), worst, type);
    ck_assert_double_le(worst, 1e-12);
}
END_TEST

/* Wrench on A plus wrench on B at the pose of the solve. */
static double check_action_and_reaction(joint_sim *s)
{
    double worst = 0.0;
    for (int k = 0; k < 3; k++) {
        tn_vec3 origin[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        tn_body a, b;
        tn_model_joint_bodies(s->model, (tn_joint){0}, &a, &b);
        origin[0] = origin_of(s->sim, a);
        origin[1] = origin_of(s->sim, b);
        joint_sim_run(s, 1e-3, 1);
        const tn_wrench on_a =
            from_point(tn_sim_joint_wrench(s->sim, (tn_joint){0}, TN_WRENCH_ON_A), origin[0]);
        const tn_wrench on_b =
            from_point(tn_sim_joint_wrench(s->sim, (tn_joint){0}, TN_WRENCH_ON_B), origin[1]);
        const tn_wrench minus = {v3_scale(-1.0, on_b.f), v3_scale(-1.0, on_b.m)};
        const double d = difference(on_a, minus);
        worst = fmax(worst, d == 0.0 ? 0.0 : d / size_of(on_a));
    }
    return worst;
}

START_TEST(action_is_reaction)
{
    const char *type = "none";
    const double worst = over_all_types((tn_integrator)_i, check_action_and_reaction, &type);
    printf("%-27s on A + on B: %.1e (%s)\n", tn_integrator_name((tn_integrator)_i), worst, type);
    ck_assert_double_le(worst, 1e-10);
}
END_TEST

static double check_momentum(joint_sim *s)
{
    double worst = 0.0;
    const tn_joint_type type = tn_model_joint_type(s->model, (tn_joint){0});
    if (tn_joint_type_get(type)->start == TN_START_AT_MOST)
        return 0.0; /* it is caught at its limit: that impulse is no wrench */
    for (int k = 0; k < 3; k++)
        worst = fmax(worst, momentum_disagreement(s, 1e-3));
    stop(s);
    return fmax(worst, momentum_disagreement(s, 1e-3));
}

START_TEST(wrenches_are_the_change_of_momentum)
{
    const char *type = "none";
    const double worst = over_all_types((tn_integrator)_i, check_momentum, &type);
    printf("%-27s momentum change: %.1e (%s)\n", tn_integrator_name((tn_integrator)_i), worst,
           type);
    ck_assert_double_le(worst, 1e-10);
}
END_TEST

/* ---- d'Alembert, mechanisms ---- */

typedef mechanism (*builder)(void);

/* Redundant rows and compliant ones in the same loop. */
static mechanism compliant_four_bar(void)
{
    mechanism m = sample_four_bar();
    tn_joint_def def = tn_default_joint_def();
    def = *tn_spec_joint(m.spec, (tn_joint){3});
    def.linear_compliance = 1e-6;
    def.rotary_compliance = 1e-6;
    def.name = "soft";
    mechanism_joint(&m, &def);
    return m;
}

static mechanism n_four_bar(void)
{
    return sample_n_four_bar(3, TN_BODY_RIGID);
}

static mechanism chain(void)
{
    return sample_hinge_chain(6);
}

static const builder builders[] = {
    sample_four_bar, sample_bricard, sample_bennett, sample_slider_crank,      sample_mixed,
    sample_turret,   n_four_bar,     chain,          sample_inclined_cylinder, compliant_four_bar};
enum { BUILDERS = sizeof builders / sizeof builders[0] };

START_TEST(newton_and_euler_balance)
{
    mechanism m = builders[_i % BUILDERS]();
    const int method = _i < BUILDERS ? TN_GENERALIZED_ALPHA : BY_SPEEDS;
    mechanism_start_tight(&m, method);
    double force = 0.0, moment = 0.0, at_fold = 0.0, nearest = INFINITY;
    for (int k = 0; k < 1000; k++) {
        tn_step_report report;
        tn_balance balance;
        ck_assert_int_eq(tn_sim_step(m.sim, 1e-3, &report), TN_OK);
        ck_assert_int_eq(tn_sim_balance(m.sim, &balance), TN_OK);
        const double worst = fmax(balance.force, balance.moment);
        if (report.folds) { /* multipliers are known to rounding over x, the distance of the fold */
            at_fold = fmax(at_fold, worst * report.fold_distance);
            nearest = fmin(nearest, report.fold_distance);
            continue;
        }
        force = fmax(force, balance.force);
        moment = fmax(moment, balance.moment);
    }
    printf("mechanism %d, %s: forces %.1e, moments %.1e; times the distance of folds, %.1e at the "
           "nearest, %.1e\n",
           _i % BUILDERS, method_name(method), force, moment, nearest, at_fold);
    /* with index 2 one step of mechanism 6, at a fold, stops at 1.9e-10 */
    ck_assert_double_le(fmax(force, moment), method == TN_GENERALIZED_ALPHA ? 1e-10 : 2e-10);
    ck_assert_double_le(at_fold, 1e-14);
    mechanism_free(&m);
}
END_TEST

/* ---- the guide's example ---- */

/* A box of 40 kg, its centre 0.5 m along x from a weld to the ground. */
static mechanism welded_box(double linear_compliance)
{
    mechanism m = mechanism_new(v3(0.0, 0.0, -9.8));
    tn_body_def box = tn_default_body_def();
    box.mass = 40.0;
    box.com = v3(0.5, 0.0, 0.0);
    box.inertia = mat_diagonal(1.0, 2.0, 2.0);
    const tn_body body = mechanism_body(&m, &box);
    tn_joint_def def = tn_default_joint_def();
    def.type = "solid";
    def.a = body;
    def.b = tn_ground();
    def.placement = TN_PLACE_ORIGIN;
    if (linear_compliance > 0.0)
        def.linear_compliance = linear_compliance;
    mechanism_joint(&m, &def);
    return m;
}

static void expect_wrench(tn_wrench w, tn_vec3 f, tn_vec3 m, double tolerance)
{
    ck_assert_double_le(v3_norm(v3_sub(w.f, f)), tolerance);
    ck_assert_double_le(v3_norm(v3_sub(w.m, m)), tolerance);
}

START_TEST(a_weld_carries_a_box)
{
    static const double expected[6] = {0.0, 0.0, 392.0, 0.0, -196.0, 0.0};
    mechanism m = welded_box(0.0);
    mechanism_start_tight(&m, _i);
    mechanism_run(&m, 1e-2, 20, NULL);
    double lambda[TN_MAX_ROWS];
    tn_sim_joint_multipliers(m.sim, (tn_joint){0}, lambda);
    for (int k = 0; k < 6; k++)
        ck_assert_double_eq_tol(lambda[k], expected[k], 1e-8);
    const tn_joint weld = {0};
    /* the box frame is the weld's: no shift; the ground's origin too */
    expect_wrench(tn_sim_joint_wrench(m.sim, weld, TN_WRENCH_ON_A), v3(0.0, 0.0, 392.0),
                  v3(0.0, -196.0, 0.0), 1e-8);
    expect_wrench(tn_sim_joint_wrench(m.sim, weld, TN_WRENCH_ON_B), v3(0.0, 0.0, -392.0),
                  v3(0.0, 196.0, 0.0), 1e-8);
    mechanism_free(&m);
}
END_TEST

/* Compliant rows carry the same load, in the part named after them. */
START_TEST(compliance_is_a_part_of_its_own)
{
    mechanism m = welded_box(1e-6);
    mechanism_start_tight(&m, _i);
    mechanism_run(&m, 1e-2, 300, NULL);
    const tn_joint weld = {0};
    const tn_wrench soft =
        tn_sim_joint_wrench_part(m.sim, weld, TN_WRENCH_COMPLIANCE, TN_WRENCH_IN_D);
    const tn_wrench hard =
        tn_sim_joint_wrench_part(m.sim, weld, TN_WRENCH_CONSTRAINT, TN_WRENCH_IN_D);
    ck_assert_double_eq_tol(soft.f.z, 392.0, 1e-3);
    ck_assert_double_le(v3_norm(hard.f), 1e-9);
    ck_assert_double_eq_tol(hard.m.y, -196.0, 1e-2);
    if (tn_integrator_order((tn_integrator)_i) > 1) {
        tn_balance balance;
        ck_assert_int_eq(tn_sim_balance(m.sim, &balance), TN_OK);
        ck_assert_double_le(fmax(balance.force, balance.moment), 1e-10);
        ck_assert_double_le(frame_disagreement(m.sim, weld), 1e-12);
    }
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("wrenches");
    TCase *types = tcase_create("every type");
    tcase_set_timeout(types, 60.0);
    tcase_add_loop_test(types, frames_agree_for_every_type, 0, 2);
    tcase_add_loop_test(types, action_is_reaction, 1, TN_DORMAND_PRINCE);
    tcase_add_loop_test(types, wrenches_are_the_change_of_momentum, 1, TN_DORMAND_PRINCE);
    suite_add_tcase(suite, types);
    TCase *balance = tcase_create("balance");
    tcase_add_loop_test(balance, newton_and_euler_balance, 0, 2 * BUILDERS);
    suite_add_tcase(suite, balance);
    TCase *box = tcase_create("box");
    tcase_add_loop_test(box, a_weld_carries_a_box, 0, TN_INTEGRATOR_COUNT);
    tcase_add_loop_test(box, compliance_is_a_part_of_its_own, 0, TN_INTEGRATOR_COUNT);
    suite_add_tcase(suite, box);
    return suite;
}
