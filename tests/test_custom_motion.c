/* test_custom_motion.c: joints whose motion the program computes: rebuilt types against the types
 * themselves, a cam in closed form, full turns, and what is refused.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/m3.h"
#include "support/mechanism.h"
#include "support/quadrature.h"
#include "support/run_main.h"
#include "tenon/io.h"

static const tn_joint first = {0};

/* ---- motions ------------------------------------------------------------------------------ */

/* A chain of turns, each about an axis fixed to the one before, by a coordinate each; C's origin is
 * at `arm` (component by component) times the vector `to` that goes with the first `carried`. */
typedef struct chain {
    int turns, carried;
    tn_vec3 axis[4], to, arm;
} chain;

static tn_vec3 stretch(tn_vec3 a, tn_vec3 b)
{
    return v3(a.x * b.x, a.y * b.y, a.z * b.z);
}

/* w_j is the axis carried along; coordinate k < j turns it, dw_j/dq_k = w_k x w_j. What is carried
 * goes s' = w_j x s, and s'' along j and k likewise. */
static void move_chain(void *context, const double *q, tn_joint_motion *out)
{
    const chain *c = context;
    tn_mat3 turned = m3_identity();
    tn_vec3 s = c->to;
    for (int j = 0; j < c->turns; j++) {
        out->w[j] = m3_mulv(&turned, c->axis[j]);
        const tn_mat3 turn = q_to_m3(tn_quat_from_axis_angle(c->axis[j], q[j]));
        turned = m3_mul(&turned, &turn);
        if (j == c->carried - 1)
            s = m3_mulv(&turned, c->to);
    }
    out->pose = (tn_pose){stretch(c->arm, s), tn_quat_from_matrix(&turned)};
    for (int j = 0; j < c->turns; j++) {
        if (j < c->carried)
            out->v[j] = stretch(c->arm, v3_cross(out->w[j], s));
        for (int k = 0; k < c->turns; k++) {
            if (k < j)
                out->dw[j][k] = v3_cross(out->w[k], out->w[j]);
            if (j < c->carried && k < c->carried)
                out->dv[j][k] =
                    stretch(c->arm, v3_add(v3_cross(out->dw[j][k], s),
                                           v3_cross(out->w[j], v3_cross(out->w[k], s))));
        }
    }
}

static const tn_coordinate_info names[] = {{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}};

static tn_joint_data data_of(const chain *c)
{
    return (tn_joint_data){.coordinates = names,
                           .coordinate_count = c->turns,
                           .motion = move_chain,
                           .motion_context = (void *)c};
}

/* ---- rebuilt types ------------------------------------------------------------------------ */

typedef struct twin {
    const char *type;
    chain motion;
    double parameters[5]; /* of the type */
    tn_vec3 offset;       /* of the callback's C in the type's C */
    double q[4];          /* at the start */
} twin;

/* A universal joint seen from a point on its arm; a gimbal; a point gliding on an ellipsoid. */
static const twin twins[] = {
    {"universal",
     {2, 2, {{0.0, 0.0, 1.0}, {0.0, 1.0, 0.0}}, {0.3, 0.1, -0.7}, {1.0, 1.0, 1.0}},
     {0.0},
     {0.3, 0.1, -0.7},
     {0.4, 0.5}},
    {"gimbal",
     {3, 3, {{0.0, 0.0, 1.0}, {0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}}, {0.3, 0.1, -0.7}, {1.0, 1.0, 1.0}},
     {0.0},
     {0.3, 0.1, -0.7},
     {0.4, 0.5, -0.2}},
    {"ellipsoid",
     {4,
      2,
      {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}},
      {0.0, 0.0, 1.0},
      {1.0, 1.3, 0.8}},
     {1.0, 1.3, 0.8, 0.0, 1.0},
     {0.0, 0.0, 0.0},
     {0.3, 0.4, 0.2, -0.3}},
};
enum { TWINS = sizeof twins / sizeof twins[0] };

/* A body hanging on the joint, with frame C at its origin moved by `offset`. */
static mechanism hang(const twin *t, int by_callback)
{
    mechanism m = mechanism_new(vec(0.5, -1.0, -9.81));
    const tn_joint_data data = data_of(&t->motion);
    tn_body_def body = tn_default_body_def();
    body.mass = 1.3;
    body.com = vec(0.2, -0.1, 0.15);
    body.inertia = mat_diagonal(0.12, 0.13, 0.125);
    tn_joint_def def = tn_default_joint_def();
    def.type = t->type;
    memcpy(def.parameters, t->parameters, sizeof t->parameters);
    const tn_joint_def type = def;
    tn_pose C;
    ck_assert_int_eq(tn_joint_def_coordinates_to_pose(&type, t->q, &C), TN_OK);
    body.pose = C;
    def.a = mechanism_body(&m, &body);
    def.b = tn_ground();
    def.placement = TN_PLACE_BODY_FRAMES;
    def.frame_c = def.frame_d = tn_pose_identity();
    if (by_callback) {
        def.type = "custom";
        for (int i = 0; i < TN_MAX_PARAMETERS; i++)
            def.parameters[i] = (double)NAN;
        def.data = &data;
        def.frame_c.p = t->offset;
    } else if (strcmp(t->type, "ellipsoid") != 0) {
        for (int i = 0; i < TN_MAX_PARAMETERS; i++)
            def.parameters[i] = (double)NAN;
    }
    mechanism_joint(&m, &def);
    mechanism_start_tight(&m, TN_GENERALIZED_ALPHA);
    return m;
}

static double largest_difference(const mechanism *a, const mechanism *b, double *force)
{
    const tn_pose p = tn_sim_body_pose(a->sim, (tn_body){0}),
                  q = tn_sim_body_pose(b->sim, (tn_body){0});
    const tn_wrench v = tn_sim_joint_wrench(a->sim, first, TN_WRENCH_ON_A);
    const tn_wrench w = tn_sim_joint_wrench(b->sim, first, TN_WRENCH_ON_A);
    *force = vec_norm(vec_sub(v.f, w.f)) + vec_norm(vec_sub(v.m, w.m));
    const double sign =
        p.q.w * q.q.w + p.q.x * q.q.x + p.q.y * q.q.y + p.q.z * q.q.z < 0.0 ? -1 : 1;
    const tn_vec3 turn = vec(p.q.x - sign * q.q.x, p.q.y - sign * q.q.y, p.q.z - sign * q.q.z);
    return vec_norm(vec_sub(p.p, q.p)) + vec_norm(turn) + fabs(p.q.w - sign * q.q.w);
}

START_TEST(rebuilt_types_move_and_carry_as_the_types)
{
    const twin *t = &twins[_i];
    mechanism a = hang(t, 0), b = hang(t, 1);
    double apart = 0.0, force = 0.0, now;
    for (int k = 0; k < 500; k++) {
        mechanism_run(&a, 1e-3, 1, NULL);
        mechanism_run(&b, 1e-3, 1, NULL);
        apart = fmax(apart, largest_difference(&a, &b, &now));
        force = fmax(force, now);
    }
    double q[TN_MAX_COORDINATES] = {0}, r[TN_MAX_COORDINATES] = {0};
    tn_sim_joint_coordinates(a.sim, first, q);
    tn_sim_joint_coordinates(b.sim, first, r);
    printf("%s by a callback: apart by %.1e, reactions by %.1e N\n", t->type, apart, force);
    ck_assert_double_le(apart, 1e-10);
    ck_assert_double_le(force, 1e-6);
    for (int i = 0; i < t->motion.turns; i++)
        ck_assert_double_eq_tol(q[i], r[i], 1e-10);
    mechanism_free(&a);
    mechanism_free(&b);
}
END_TEST

/* ---- a cam -------------------------------------------------------------------------------- */

/* A screw whose lead changes: z = f(theta) = pitch theta + lift sin(2 theta). */
typedef struct groove {
    double pitch, lift;    /* m/rad, m */
    double mass, inertia;  /* of what follows it, kg, kg m^2 */
    double gravity, speed; /* m/s^2; rad/s at theta = 0 */
} groove;

static void follow_groove(void *context, const double *q, tn_joint_motion *out)
{
    const groove *g = context;
    out->pose.q = tn_quat_from_axis_angle(vec(0.0, 0.0, 1.0), q[0]);
    out->pose.p.z = g->pitch * q[0] + g->lift * sin(2.0 * q[0]);
    out->v[0].z = g->pitch + 2.0 * g->lift * cos(2.0 * q[0]);
    out->w[0].z = 1.0;
    out->dv[0][0].z = -4.0 * g->lift * sin(2.0 * q[0]);
}

/* dt/dtheta from (I + m f'^2) theta'^2 / 2 + m g f = const. */
static double time_per_angle(double theta, const void *context)
{
    const groove *g = context;
    tn_joint_motion start = {0}, at = {0};
    const double zero = 0.0;
    follow_groove((void *)g, &zero, &start);
    follow_groove((void *)g, &theta, &at);
    const double first_mass = g->inertia + g->mass * start.v[0].z * start.v[0].z;
    const double mass = g->inertia + g->mass * at.v[0].z * at.v[0].z;
    const double energy = 0.5 * first_mass * g->speed * g->speed;
    return sqrt(0.5 * mass / (energy - g->mass * g->gravity * at.pose.p.z));
}

static mechanism nut_in_a_groove(const groove *g, const tn_joint_data *data)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -g->gravity));
    tn_body_def body = tn_default_body_def();
    body.mass = g->mass;
    body.com = vec(0.0, 0.0, 0.0);
    body.inertia = mat_diagonal(0.02, 0.02, g->inertia);
    tn_joint_def def = tn_default_joint_def();
    def.type = "custom";
    def.data = data;
    def.a = mechanism_body(&m, &body);
    def.b = tn_ground();
    def.placement = TN_PLACE_ORIGIN;
    def.speed[0] = g->speed;
    mechanism_joint(&m, &def);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    return m;
}

/* The angle reached at a time told by quadrature, at two steps: second order. Six turns. */
START_TEST(variable_pitch_follows_its_energy)
{
    groove g = {0.02, 0.008, 2.0, 0.01, 9.81, -3.0};
    const tn_joint_data data = {
        .coordinates = names, .coordinate_count = 1, .motion = follow_groove, .motion_context = &g};
    const double turn = -2.0 * acos(-1.0), end = 6.0 * turn;
    double seconds = 0.0;
    for (int n = 0; n < 6; n++)
        seconds -= integral(time_per_angle, &g, n * turn, (n + 1) * turn);
    double error[2];
    for (int k = 0; k < 2; k++) {
        mechanism m = nut_in_a_groove(&g, &data);
        const int steps = k ? 4000 : 2000;
        const double energy = tn_sim_energy(m.sim).total;
        mechanism_run(&m, seconds / steps, steps, NULL);
        double q[TN_MAX_COORDINATES];
        tn_sim_joint_coordinates(m.sim, first, q);
        error[k] = fabs(q[0] - end);
        printf("groove: %d steps to %.6f s, angle off by %.1e rad, energy by %.1e J\n", steps,
               seconds, q[0] - end, tn_sim_energy(m.sim).total - energy);
        ck_assert_double_le(tn_sim_residuals(m.sim).position, 1e-11);
        mechanism_free(&m);
    }
    ck_assert_double_le(error[1], 1e-3);
    ck_assert_double_ge(error[0] / error[1], 3.5);
}
END_TEST

/* ---- full turns --------------------------------------------------------------------------- */

/* A bead without spin on a circle: its only twist turns all the way round, through the opposite of
 * what it was at zero. */
static void go_round(void *context, const double *q, tn_joint_motion *out)
{
    const double r = *(const double *)context, c = cos(q[0]), s = sin(q[0]);
    out->pose = (tn_pose){{r * s, 0.0, -r * c}, {1.0, 0.0, 0.0, 0.0}};
    out->v[0] = v3(r * c, 0.0, r * s);
    out->dv[0][0] = v3(-r * s, 0.0, r * c);
}

/* It is a pendulum that goes over the top: theta'^2 = v0^2 / r^2 - 2 (g / r) (1 - cos theta). */
static double time_round(double theta, const void *context)
{
    const double *p = context; /* r, theta' at the bottom */
    return 1.0 / sqrt(p[1] * p[1] - 2.0 * 9.81 / p[0] * (1.0 - cos(theta)));
}

START_TEST(bead_goes_round_and_round)
{
    double r = 0.5;
    const double p[2] = {r, 15.0}, pi = acos(-1.0);
    const tn_joint_data data = {
        .coordinates = names, .coordinate_count = 1, .motion = go_round, .motion_context = &r};
    const groove bead = {0.0, 0.0, 2.0, 0.01, 9.81, p[1]};
    mechanism m = nut_in_a_groove(&bead, &data);
    const double turn = 2.0 * integral(time_round, p, 0.0, pi);
    run_stats stats = {0};
    for (int n = 1; n <= 4; n++) {
        double q[TN_MAX_COORDINATES];
        mechanism_run(&m, turn / 500.0, 500, &stats);
        tn_sim_joint_coordinates(m.sim, first, q);
        ck_assert_double_eq_tol(q[0], n * 2.0 * pi, 2e-3 * n);
    }
    printf("bead: error %.1e m, energy drifts by %.1e J, %d halvings\n", stats.position_error,
           stats.energy_drift, stats.halvings);
    ck_assert_int_eq(stats.halvings + stats.fallbacks, 0);
    ck_assert_double_le(stats.position_error, 1e-11);
    ck_assert_double_le(stats.energy_drift, 1e-4 * 0.5 * 2.0 * r * r * p[1] * p[1]);
    mechanism_free(&m);
}
END_TEST

/* ---- what is refused ---------------------------------------------------------------------- */

typedef enum fault {
    NO_FAULT,
    WRONG_V,
    WRONG_W,
    WRONG_DV,
    WRONG_DW,
    NOT_UNIT,
    NOT_FINITE,
    STILL
} fault;

static void faulty(void *context, const double *q, tn_joint_motion *out)
{
    const fault f = *(const fault *)context;
    static const chain c = {
        2, 2, {{0.0, 0.0, 1.0}, {0.0, 1.0, 0.0}}, {0.3, 0.1, -0.7}, {1.0, 1.0, 1.0}};
    move_chain((void *)&c, q, out);
    out->v[1].x += f == WRONG_V ? 0.01 : 0.0;
    out->w[0].y += f == WRONG_W ? 0.01 : 0.0;
    out->dv[1][0].z += f == WRONG_DV ? 0.01 : 0.0;
    out->dw[1][0].z += f == WRONG_DW ? 0.01 : 0.0;
    out->pose.q.w *= f == NOT_UNIT ? 1.1 : 1.0;
    out->pose.p.x = f == NOT_FINITE ? (double)NAN : out->pose.p.x;
    for (int j = 0; j < 2 && f == STILL; j++)
        out->v[j] = out->w[j] = vec(0.0, 0.0, 0.0);
}

static const char *const complaints[] = {NULL,
                                         "velocities v that are not the derivatives",
                                         "angular velocities w that are not the derivatives",
                                         "dv or dw that are not the derivatives",
                                         "dv or dw that are not the derivatives",
                                         "quaternion is not of length one",
                                         "not finite",
                                         "move nothing"};

START_TEST(wrong_motions_are_refused_with_what_is_wrong)
{
    fault f = (fault)_i;
    const tn_joint_data data = {
        .coordinates = names, .coordinate_count = 2, .motion = faulty, .motion_context = &f};
    tn_spec *spec = tn_spec_create();
    tn_body_def body = tn_default_body_def();
    body.mass = 1.0;
    body.inertia = mat_diagonal(1.0, 1.0, 1.0);
    tn_joint_def def = tn_default_joint_def();
    def.type = "custom";
    def.data = &data;
    def.placement = TN_PLACE_ORIGIN;
    ck_assert_int_eq(tn_spec_add_body(spec, &body, &def.a), TN_OK);
    def.b = tn_ground();
    ck_assert_int_eq(tn_spec_add_joint(spec, &def, NULL), TN_OK);
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_model *model = NULL;
    const tn_status status = tn_model_compile(spec, diags, &model);
    ck_assert_int_eq(status, f == NO_FAULT ? TN_OK : TN_ERROR_INPUT);
    if (f != NO_FAULT)
        ck_assert_msg(strstr(tn_diagnostics_get(diags, 0)->message, complaints[f]) != NULL, "%s",
                      tn_diagnostics_get(diags, 0)->message);
    char *text = NULL; /* a program has no form in a file */
    ck_assert_int_eq(tn_spec_write_string(spec, NULL, &text, NULL),
                     f == NO_FAULT ? TN_ERROR_ARGUMENT : TN_ERROR_INPUT);
    tn_model_destroy(model);
    tn_diagnostics_destroy(diags);
    tn_spec_destroy(spec);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("custom motion");
    TCase *tc = tcase_create("custom motion");
    tcase_add_loop_test(tc, rebuilt_types_move_and_carry_as_the_types, 0, TWINS);
    tcase_add_test(tc, variable_pitch_follows_its_energy);
    tcase_add_test(tc, bead_goes_round_and_round);
    tcase_add_loop_test(tc, wrong_motions_are_refused_with_what_is_wrong, NO_FAULT, STILL + 1);
    suite_add_tcase(suite, tc);
    return suite;
}
