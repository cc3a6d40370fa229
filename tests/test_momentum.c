/* Which bodies float, and that they keep both momenta: with limits that are hit, under gravity, in
 * the plane, in chains. (Every joint type: test_joint_dynamics.c.) */
#include <check.h>
#include <stdio.h>

#include "model/model.h"
#include "support/mechanism.h"
#include "support/run_main.h"

static const tn_vec3 no_gravity = {0.0, 0.0, 0.0};

/* A body at x with velocities of its own. */
static tn_body_def body_at(double x, tn_body_kind kind)
{
    tn_body_def def = tn_default_body_def();
    def.kind = kind;
    def.pose.p = vec(x, 0.0, 0.0);
    def.mass = 1.0 + 0.3 * x;
    def.com = kind == TN_BODY_PARTICLE ? vec(0.0, 0.0, 0.0) : vec(0.1, 0.05, 0.0);
    if (kind != TN_BODY_PARTICLE)
        def.inertia = mat_diagonal(0.1, 0.2, 0.25);
    def.velocity.v = vec(0.2, -0.1 * x, 0.0);
    def.velocity.w = kind == TN_BODY_PARTICLE ? vec(0.0, 0.0, 0.0) : vec(0.0, 0.0, 1.0 + x);
    return def;
}

static tn_body add(mechanism *m, double x, tn_body_kind kind)
{
    const tn_body_def def = body_at(x, kind);
    return mechanism_body(m, &def);
}

static void hinge(mechanism *m, tn_body a, tn_body b, double x)
{
    mechanism_axis_joint(m, "hinge", a, b, vec(x, 0.0, 0.0), vec(0.0, 0.0, 1.0));
}

/* The floating components as text: bodies in order, a bar after each component. */
static void expect_floating(mechanism *m, const char *expected)
{
    mechanism_start(m, TN_GENERALIZED_ALPHA);
    char text[64];
    size_t length = 0;
    for (int32_t k = 0; k < m->model->floating_count; k++) {
        for (int32_t n = m->model->floating_start[k]; n < m->model->floating_start[k + 1]; n++)
            text[length++] = (char)('0' + m->model->floating_bodies[n]);
        text[length++] = '|';
    }
    text[length] = '\0';
    ck_assert_str_eq(text, expected);
    mechanism_free(m);
}

START_TEST(two_chains_float)
{
    mechanism m = mechanism_new(no_gravity);
    tn_body b[5];
    for (int i = 0; i < 5; i++)
        b[i] = add(&m, i, TN_BODY_RIGID);
    hinge(&m, b[3], b[0], 1.5);
    hinge(&m, b[4], b[1], 2.5);
    hinge(&m, b[2], b[0], 1.0);
    expect_floating(&m, "023|14|");
}
END_TEST

START_TEST(what_is_held_does_not_float)
{
    mechanism m = mechanism_new(no_gravity);
    const tn_body grounded = add(&m, 0.0, TN_BODY_RIGID), next = add(&m, 1.0, TN_BODY_RIGID);
    const tn_body held = add(&m, 2.0, TN_BODY_RIGID), wall = add(&m, 3.0, TN_BODY_FIXED);
    add(&m, 4.0, TN_BODY_RIGID);
    hinge(&m, grounded, tn_ground(), 0.0);
    hinge(&m, next, grounded, 1.0);
    hinge(&m, wall, held, 3.0);
    expect_floating(&m, "4|");
}
END_TEST

START_TEST(what_is_damped_does_not_float)
{
    mechanism m = mechanism_new(no_gravity);
    tn_body_def def = body_at(0.0, TN_BODY_RIGID);
    def.rotary_damping = 0.1;
    const tn_body damped = mechanism_body(&m, &def);
    hinge(&m, damped, add(&m, 1.0, TN_BODY_RIGID), 0.5);
    def.rotary_damping = 0.0;
    def.frame_damping = 0.1;
    mechanism_body(&m, &def);
    add(&m, 2.0, TN_BODY_RIGID);
    expect_floating(&m, "3|");
}
END_TEST

START_TEST(what_cannot_feel_a_moment_does_not_float)
{
    mechanism m = mechanism_new(no_gravity);
    const tn_body rigid = add(&m, 0.0, TN_BODY_RIGID), particle = add(&m, 1.0, TN_BODY_PARTICLE);
    const tn_body flat[2] = {add(&m, 2.0, TN_BODY_PLANAR), add(&m, 3.0, TN_BODY_PLANAR)};
    const tn_body other = add(&m, 4.0, TN_BODY_RIGID), third = add(&m, 5.0, TN_BODY_PLANAR);
    mechanism_axis_joint(&m, "spherical", particle, rigid, vec(1.0, 0.0, 0.0), vec(0.0, 0.0, 1.0));
    hinge(&m, flat[0], flat[1], 2.5);
    hinge(&m, other, third, 4.5);
    expect_floating(&m, "23|");
}
END_TEST

/* ---- momenta of a run ---- */

typedef struct sums {
    tn_vec3 linear, angular; /* kg m/s; kg m^2/s about the world's origin */
    tn_vec3 moment;          /* kg m, of the masses */
    double mass, size;       /* kg; kg m^2/s */
} sums;

static sums momenta_of(const mechanism *m)
{
    sums s = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, 0.0, 0.0};
    for (int32_t i = 0; i < m->model->body_count; i++) {
        const tn_mass_properties mass = tn_model_body_mass(m->model, (tn_body){i});
        const tn_pose pose = tn_sim_body_pose(m->sim, (tn_body){i});
        const tn_twist u = tn_sim_body_velocity(m->sim, (tn_body){i});
        const tn_mat3 R = q_to_m3(pose.q);
        const tn_vec3 arm = m3_mulv(&R, mass.com), x = v3_add(pose.p, arm);
        const tn_vec3 p = v3_scale(mass.mass, v3_add(u.v, v3_cross(u.w, arm)));
        const tn_vec3 spin = m3_mulv(&R, m3_mulv(&mass.inertia, m3_tmulv(&R, u.w)));
        s.mass += mass.mass;
        s.linear = v3_add(s.linear, p);
        s.angular = v3_add(s.angular, v3_add(v3_cross(x, p), spin));
        s.moment = v3_axpy(s.moment, mass.mass, x);
        s.size += v3_norm(v3_cross(x, p)) + v3_norm(spin);
    }
    return s;
}

/* About the centre of mass: L - X x P. */
static tn_vec3 spin_of(const sums *s)
{
    return v3_sub(s->angular, v3_scale(1.0 / s->mass, v3_cross(s->moment, s->linear)));
}

/* Runs 1000 steps of a millisecond; P must grow by m g t, the spin not change. */
static int32_t expect_kept(mechanism *m, int which, tn_vec3 gravity, const char *what)
{
    static const int keepers[] = {TN_GENERALIZED_ALPHA, TN_DORMAND_PRINCE};
    mechanism_start(m, keepers[which]);
    int32_t events = 0;
    mechanism_run(m, 1e-3, 1, NULL); /* the start makes the velocities fit the joints */
    const sums before = momenta_of(m);
    for (int n = 0; n < 1000; n++) {
        mechanism_run(m, 1e-3, 1, NULL);
        events += tn_sim_event_count(m->sim);
    }
    const sums after = momenta_of(m);
    const tn_vec3 grown = v3_axpy(before.linear, before.mass * 1.0, gravity);
    const double linear = v3_norm(v3_sub(after.linear, grown)) / (1.0 + v3_norm(grown));
    const double angular = v3_norm(v3_sub(spin_of(&after), spin_of(&before))) / before.size;
    printf("%-24s %s, events %d, relative change: linear %.1e, spin %.1e\n", what,
           method_name(keepers[which]), (int)events, linear, angular);
    ck_assert_double_le(linear, 1e-12);
    ck_assert_double_le(angular, 1e-12);
    return events;
}

static mechanism chain(tn_body_kind kind, double range, tn_vec3 gravity)
{
    mechanism m = mechanism_new(gravity);
    tn_body last = add(&m, 0.0, kind);
    for (int i = 1; i < 4; i++) {
        const tn_body body = add(&m, i, kind);
        tn_joint_def def = tn_default_joint_def();
        def.type = "hinge";
        def.a = body;
        def.b = last;
        def.placement = TN_PLACE_AXIS;
        def.origin = vec(i - 0.5, 0.0, 0.0);
        def.axis = kind == TN_BODY_PLANAR ? vec(0.0, 0.0, 1.0) : vec(0.1 * i, 0.2, 1.0);
        def.lower[0] = -range;
        def.upper[0] = range;
        mechanism_joint(&m, &def);
        last = body;
    }
    return m;
}

START_TEST(chain_keeps_its_momenta_under_gravity)
{
    const tn_vec3 gravity = {1.0, -2.0, -9.81};
    mechanism m = chain(TN_BODY_RIGID, INFINITY, gravity);
    expect_kept(&m, _i, gravity, "chain, falling");
    mechanism_free(&m);
}
END_TEST

START_TEST(planar_chain_keeps_its_momenta)
{
    const tn_vec3 gravity = {1.0, -2.0, 0.0};
    mechanism m = chain(TN_BODY_PLANAR, INFINITY, gravity);
    expect_kept(&m, _i, gravity, "planar chain");
    mechanism_free(&m);
}
END_TEST

START_TEST(limits_between_the_bodies_keep_the_momenta)
{
    mechanism m = chain(TN_BODY_RIGID, 0.2, no_gravity);
    ck_assert_int_gt(expect_kept(&m, _i, no_gravity, "chain, limits hit"), 2);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("momentum");
    TCase *tc = tcase_create("floating");
    tcase_add_test(tc, two_chains_float);
    tcase_add_test(tc, what_is_held_does_not_float);
    tcase_add_test(tc, what_is_damped_does_not_float);
    tcase_add_test(tc, what_cannot_feel_a_moment_does_not_float);
    tcase_add_loop_test(tc, chain_keeps_its_momenta_under_gravity, 0, 2);
    tcase_add_loop_test(tc, planar_chain_keeps_its_momenta, 0, 2);
    tcase_add_loop_test(tc, limits_between_the_bodies_keep_the_momenta, 0, 2);
    suite_add_tcase(suite, tc);
    return suite;
}
