/* test_p10.c: impulse problems K lambda = b of planar constraints (Bittle 2010) with exact
 * rational answers.
 *
 * Numbers of tests/data/mechanisms/P10.md. A joint's rows are A minus B at the joint in world axes
 * here (frames are world aligned), velocities (vx, vy, wz) per planar body: J, K, b and lambda are
 * then exactly theirs. lambda and v+ come three ways: dense K lambda = b in the test,
 * tn_sim_project, and the impulse of one backward_euler step without forces.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/dense.h"
#include "support/mechanism.h"
#include "support/run_main.h"

#define TOLERANCE 1e-13

typedef struct planar_case {
    const char *name, *joint;
    int static_b; /* 1: body b is fixed and at rest */
    int rows;
    double K[9], b[3], lambda[3], v[6];
} planar_case;

static const planar_case cases[] = {
    {"revolute",
     "hinge",
     0,
     2,
     {239.0 / 216, 1.0 / 12, 1.0 / 12, 25.0 / 12},
     {-7.0 / 36, 23.0 / 4},
     {-2292.0 / 5957, 16533.0 / 5957},
     {4811.0 / 5957, -7295.0 / 11914, 35550.0 / 5957, -4429.0 / 11914, 18317.0 / 5957,
      798.0 / 851}},
    {"weld",
     "solid",
     0,
     3,
     {239.0 / 216, 1.0 / 12, -17.0 / 18, 1.0 / 12, 25.0 / 12, 0, -17.0 / 18, 0, 10.0 / 3},
     {-7.0 / 36, 23.0 / 4, -14.0 / 3},
     {-393.0 / 188, 2673.0 / 940, -7491.0 / 3760},
     {-17.0 / 376, -1087.0 / 1880, 273.0 / 94, 37.0 / 188, 2869.0 / 940, 273.0 / 94}},
    {"revolute, static b",
     "hinge",
     1,
     2,
     {5.0 / 8, -1.0 / 4, -1.0 / 4, 1},
     {-1.0 / 4, 1.0 / 2},
     {-2.0 / 9, 4.0 / 9},
     {8.0 / 9, -16.0 / 9, 32.0 / 9, 0, 0, 0}},
    {"weld, static b",
     "solid",
     1,
     3,
     {5.0 / 8, -1.0 / 4, -1.0 / 2, -1.0 / 4, 1, 1, -1.0 / 2, 1, 2},
     {-1.0 / 4, 1.0 / 2, -3},
     {-2, 4, -4},
     {0, 0, 0, 0, 0, 0}},
};

/* Bodies a and b with the joint at the world's origin. */
static mechanism planar_pair(const planar_case *c)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    tn_body_def def = tn_default_body_def();
    def.kind = TN_BODY_PLANAR;
    def.com = vec(0.0, 0.0, 0.0);
    def.pose.p = vec(-1.0 / 2, -1.0 / 4, 0.0);
    def.velocity = (tn_twist){{1.0, -2.0, 0.0}, {0.0, 0.0, 3.0}};
    def.mass = 2.0;
    def.inertia = mat_diagonal(0.0, 0.0, 1.0 / 2);
    const tn_body a = mechanism_body(&m, &def);
    def.pose.p = vec(3.0 / 4, -1.0 / 3, 0.0);
    def.velocity = (tn_twist){{-1.0 / 2, 4.0, 0.0}, {0.0, 0.0, -5.0 / 3}};
    def.mass = 3.0;
    def.inertia = mat_diagonal(0.0, 0.0, 3.0 / 4);
    if (c->static_b)
        def.kind = TN_BODY_FIXED;
    const tn_body b = mechanism_body(&m, &def);
    tn_joint_def joint = tn_default_joint_def();
    joint.type = c->joint;
    joint.a = a;
    joint.b = b;
    joint.placement = TN_PLACE_ORIGIN;
    mechanism_joint(&m, &joint);
    return m;
}

static double deviation(const double *a, const double *b, int n)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++)
        worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

static void planar_velocities(const tn_sim *sim, double v[6])
{
    for (int i = 0; i < 2; i++) {
        const tn_twist twist = tn_sim_body_velocity(sim, (tn_body){i});
        v[3 * i] = twist.v.x;
        v[3 * i + 1] = twist.v.y;
        v[3 * i + 2] = twist.w.z;
    }
}

/* v + M^-1 J^T lambda */
static void apply_impulse(const tn_equations *eq, const double *lambda, double *v)
{
    for (int k = 0; k < eq->velocities; k++)
        for (int r = 0; r < eq->rows; r++)
            v[k] +=
                eq->jacobian[r * eq->velocities + k] * lambda[r] / eq->mass[k * eq->velocities + k];
}

/* The multipliers of the rows in eq times the step. */
static void step_impulses(const tn_sim *sim, const tn_equations *eq, double h, double *impulse)
{
    for (int r = 0; r < eq->rows; r++) {
        double lambda[TN_MAX_ROWS];
        tn_sim_joint_multipliers(sim, (tn_joint){eq->row_joint[r]}, lambda);
        impulse[r] = h * lambda[eq->row_index[r]];
    }
}

START_TEST(planar_pair_is_exact)
{
    const planar_case *c = &cases[_i];
    const double h = 0.01;
    mechanism m = planar_pair(c);
    mechanism_start(&m, TN_BACKWARD_EULER);
    tn_equations eq;
    ck_assert_int_eq(tn_sim_equations(m.sim, (tn_joint){0}, &eq), TN_OK);
    ck_assert_int_eq(eq.rows, c->rows);
    ck_assert_int_eq(eq.velocities, c->static_b ? 3 : 6);
    double lambda[3], v[6] = {0};
    const double K = deviation(eq.effective, c->K, c->rows * c->rows);
    const double b = deviation(eq.rhs, c->b, c->rows);
    dense_solve(eq.rows, eq.effective, eq.rhs, lambda);
    const double dense_lambda = deviation(lambda, c->lambda, c->rows);
    planar_velocities(m.sim, v);
    apply_impulse(&eq, lambda, v);
    const double dense_v = deviation(v, c->v, 6);

    tn_step_report report;
    ck_assert_int_eq(tn_sim_step(m.sim, h, &report), TN_OK);
    step_impulses(m.sim, &eq, h, lambda);
    planar_velocities(m.sim, v);
    const double step_lambda = deviation(lambda, c->lambda, c->rows);
    const double step_v = deviation(v, c->v, 6);

    mechanism_start_as_given(&m);
    ck_assert_int_eq(tn_sim_project(m.sim, &report), TN_OK);
    planar_velocities(m.sim, v);
    const double project_v = deviation(v, c->v, 6);
    printf("%-20s K %.1e  b %.1e  dense lambda %.1e v+ %.1e  step lambda %.1e v+ %.1e  project v+ "
           "%.1e\n",
           c->name, K, b, dense_lambda, dense_v, step_lambda, step_v, project_v);
    ck_assert_double_le(fmax(K, b), TOLERANCE);
    ck_assert_double_le(fmax(dense_lambda, dense_v), TOLERANCE);
    ck_assert_double_le(fmax(step_lambda, step_v), TOLERANCE);
    ck_assert_double_le(project_v, TOLERANCE);
    tn_equations_free(&eq);
    mechanism_free(&m);
}
END_TEST

/* ---- cantilever of welded plates ---- */

static mechanism cantilever(int n)
{
    mechanism m = mechanism_new(vec(0.0, -9.81, 0.0));
    for (int i = 0; i < n; i++) {
        tn_body_def def = tn_default_body_def();
        def.kind = TN_BODY_PLANAR;
        def.pose.p = vec(i + 0.5, 0.0, 0.0);
        def.mass = 1.0;
        def.com = vec(0.0, 0.0, 0.0);
        def.inertia = mat_diagonal(0.0, 0.0, (1.0 + 0.25 * 0.25) / 12.0);
        const tn_body plate = mechanism_body(&m, &def);
        mechanism_axis_joint(&m, "solid", plate, i ? (tn_body){i - 1} : tn_ground(),
                             vec(i, 0.0, 0.0), vec(0.0, 0.0, 1.0));
    }
    return m;
}

enum { MAX_PLATES = 8 };

/* lambda (x, y, moment) of the welds of n plates from the file; returns how many lines it has. */
static int reference_impulses(int n, double want[MAX_PLATES][3])
{
    FILE *file = fopen(TN_TEST_DATA "/mechanisms/P10.csv", "r");
    ck_assert_ptr_nonnull(file);
    char line[256];
    int found = 0;
    while (fgets(line, sizeof line, file)) {
        int plates, weld;
        double x, y, moment;
        if (sscanf(line, "cantilever%d,%d,%lf,%lf,%lf", &plates, &weld, &x, &y, &moment) != 5 ||
            plates != n)
            continue;
        ck_assert_int_lt(weld, MAX_PLATES);
        want[weld][0] = x;
        want[weld][1] = y;
        want[weld][2] = moment;
        found++;
    }
    fclose(file);
    return found;
}

/* In the file a is the left body, here the right one: the signs turn. */
START_TEST(cantilever_impulses_are_exact)
{
    static const int integrators[] = {TN_CONSTRAINED_BACKWARD_EULER, TN_BACKWARD_EULER};
    const double h = 0.01;
    const int n = _i;
    double want[MAX_PLATES][3];
    ck_assert_int_eq(reference_impulses(n, want), n);
    for (size_t k = 0; k < sizeof integrators / sizeof integrators[0]; k++) {
        mechanism m = cantilever(n);
        mechanism_start(&m, (int)integrators[k]);
        ck_assert_int_eq(tn_sim_step(m.sim, h, NULL), TN_OK);
        double impulse = 0.0, speed = 0.0;
        for (int i = 0; i < n; i++) {
            double lambda[TN_MAX_ROWS];
            tn_sim_joint_multipliers(m.sim, (tn_joint){i}, lambda);
            const double got[3] = {-h * lambda[0], -h * lambda[1], -h * lambda[5]};
            impulse = fmax(impulse, deviation(got, want[i], 3));
            const tn_twist twist = tn_sim_body_velocity(m.sim, (tn_body){i});
            speed = fmax(speed, fmax(vec_norm(twist.v), vec_norm(twist.w)));
        }
        printf("cantilever %d %-27s impulses %.1e  speed left %.1e\n", n,
               method_name(integrators[k]), impulse, speed);
        ck_assert_double_le(impulse, 1e-12);
        ck_assert_double_le(speed, 1e-12);
        mechanism_free(&m);
    }
}
END_TEST

/* ---- three dimensions ---- */

/* Bodies 1 and 2 of the 3-D cases, the joint at the world's origin; A is body 2, as C = x2 - x1. */
static mechanism spatial_pair(const char *type)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    tn_body_def def = tn_default_body_def();
    def.com = vec(0.0, 0.0, 0.0);
    def.pose.p = vec(-1.0, -0.5, 0.5);
    def.velocity = (tn_twist){{1.0, -1.0, 2.0}, {1.0, 0.0, -2.0}};
    def.mass = 2.0;
    def.inertia = mat_diagonal(1.0 / 2, 2.0 / 3, 3.0 / 4);
    const tn_body b1 = mechanism_body(&m, &def);
    def.pose.p = vec(1.0 / 3, -1.0, -1.0 / 4);
    def.velocity = (tn_twist){{0.0, 3.0, -1.0}, {1.0 / 2, -1.0, 1.0}};
    def.mass = 3.0;
    def.inertia = mat_diagonal(1.0, 5.0 / 4, 3.0 / 2);
    const tn_body b2 = mechanism_body(&m, &def);
    tn_joint_def joint = tn_default_joint_def();
    joint.type = type;
    joint.a = b2;
    joint.b = b1;
    joint.placement = TN_PLACE_ORIGIN;
    mechanism_joint(&m, &joint);
    return m;
}

static void spatial_velocities(const tn_sim *sim, double v[12])
{
    for (int i = 0; i < 2; i++) {
        const tn_twist twist = tn_sim_body_velocity(sim, (tn_body){i});
        memcpy(v + 6 * i, &twist.v, sizeof twist.v);
        memcpy(v + 6 * i + 3, &twist.w, sizeof twist.w);
    }
}

START_TEST(spatial_point_is_exact)
{
    static const double want_lambda[3] = {8263230.0 / 10200509, -17756262.0 / 10200509,
                                          8080230.0 / 10200509};
    static const double want_v[12] = {0.5949599181766322, -0.12963843274879713, 1.6039300587843215,
                                      1.9485832520710487, 1.7957699463820873,   0.861017621767698,
                                      0.2700267212155786, 2.419758955165865,    -0.735953372522881,
                                      1.7273206660569584, -0.6267466652889576,  0.8467739207915997};
    static const char *const types[] = {"spherical", "block_distance"};
    mechanism m = spatial_pair(types[_i]);
    mechanism_start_as_given(&m);
    tn_equations eq;
    double lambda[3], v[12];
    ck_assert_int_eq(tn_sim_equations(m.sim, (tn_joint){-1}, &eq), TN_OK);
    ck_assert_int_eq(eq.rows, 3);
    dense_solve(3, eq.effective, eq.rhs, lambda);
    ck_assert_int_eq(tn_sim_project(m.sim, NULL), TN_OK);
    spatial_velocities(m.sim, v);
    printf("3-D point            dense lambda %.1e  project v+ %.1e\n",
           deviation(lambda, want_lambda, 3), deviation(v, want_v, 12));
    ck_assert_double_le(deviation(lambda, want_lambda, 3), TOLERANCE);
    ck_assert_double_le(deviation(v, want_v, 12), TOLERANCE);
    tn_equations_free(&eq);
    mechanism_free(&m);
}
END_TEST

/* Twist of two welded bodies from the conservation of momentum and angular momentum. */
static tn_twist welded_twist(tn_vec3 *com)
{
    const tn_vec3 x1 = {-1.0, -0.5, 0.5}, x2 = {1.0 / 3, -1.0, -1.0 / 4};
    const tn_vec3 p1 = {2.0, -2.0, 4.0}, p2 = {0.0, 9.0, -3.0};           /* m v */
    const tn_vec3 s = {0.5 * 1.0 + 0.5, -5.0 / 4, -2.0 * 0.75 + 3.0 / 2}; /* sum I w */
    *com = vec((2.0 * x1.x + 3.0 * x2.x) / 5.0, (2.0 * x1.y + 3.0 * x2.y) / 5.0,
               (2.0 * x1.z + 3.0 * x2.z) / 5.0);
    const tn_vec3 r[2] = {vec_sub(x1, *com), vec_sub(x2, *com)};
    const tn_vec3 l1 = vec_cross(r[0], p1), l2 = vec_cross(r[1], p2);
    const double L[3] = {s.x + l1.x + l2.x, s.y + l1.y + l2.y, s.z + l1.z + l2.z};
    double I[9] = {1.5, 0, 0, 0, 2.0 / 3 + 5.0 / 4, 0, 0, 0, 0.75 + 1.5}, w[3];
    for (int i = 0; i < 2; i++) {
        const double m = i ? 3.0 : 2.0, d[3] = {r[i].x, r[i].y, r[i].z};
        const double dd = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                I[3 * a + b] += m * ((a == b ? dd : 0.0) - d[a] * d[b]);
    }
    dense_solve(3, I, L, w);
    return (tn_twist){vec((p1.x + p2.x) / 5.0, (p1.y + p2.y) / 5.0, (p1.z + p2.z) / 5.0),
                      vec(w[0], w[1], w[2])};
}

START_TEST(spatial_weld_conserves_momentum)
{
    tn_vec3 com;
    const tn_twist both = welded_twist(&com);
    const tn_vec3 x[2] = {{-1.0, -0.5, 0.5}, {1.0 / 3, -1.0, -1.0 / 4}};
    double want[12], v[12];
    for (int i = 0; i < 2; i++) {
        const tn_vec3 turn = vec_cross(both.w, vec_sub(x[i], com));
        const double twist[6] = {both.v.x + turn.x, both.v.y + turn.y, both.v.z + turn.z,
                                 both.w.x,          both.w.y,          both.w.z};
        memcpy(want + 6 * i, twist, sizeof twist);
    }
    mechanism m = spatial_pair("solid");
    mechanism_start_as_given(&m);
    tn_equations eq;
    double lambda[6];
    ck_assert_int_eq(tn_sim_equations(m.sim, (tn_joint){-1}, &eq), TN_OK);
    ck_assert_int_eq(eq.rows, 6);
    dense_solve(6, eq.effective, eq.rhs, lambda);
    /* the impulse on body 2 is its change of momentum */
    const double impulse[3] = {3.0 * want[6], 3.0 * (want[7] - 3.0), 3.0 * (want[8] + 1.0)};
    ck_assert_int_eq(tn_sim_project(m.sim, NULL), TN_OK);
    spatial_velocities(m.sim, v);
    printf("3-D weld             dense lambda %.1e  project v+ %.1e\n",
           deviation(lambda, impulse, 3), deviation(v, want, 12));
    ck_assert_double_le(deviation(lambda, impulse, 3), TOLERANCE);
    ck_assert_double_le(deviation(v, want, 12), TOLERANCE);
    tn_equations_free(&eq);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("p10");
    TCase *exact = tcase_create("exact");
    tcase_add_loop_test(exact, planar_pair_is_exact, 0, (int)(sizeof cases / sizeof cases[0]));
    tcase_add_loop_test(exact, cantilever_impulses_are_exact, 1, MAX_PLATES + 1);
    tcase_add_loop_test(exact, spatial_point_is_exact, 0, 2);
    tcase_add_test(exact, spatial_weld_conserves_momentum);
    suite_add_tcase(suite, exact);
    return suite;
}
