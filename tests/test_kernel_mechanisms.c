/* test_kernel_mechanisms.c: velocity solves of random mechanisms against dense LAPACK solutions.
 *
 * Random forests with extra joints that close loops and doubled joints (redundant rows), all joint
 * types of the registry, rigid, planar, particle and fixed bodies. Two solves are compared with the
 * pseudo-inverse of J M^-1/2, J and M from tn_sim_equations:
 *   tn_sim_project: the nearest velocities that keep the joints;
 *   one backward_euler step from velocities without rotation, for which the gyroscopic moment
 *   vanishes: the nearest to u + h g. So is that of constrained_backward_euler as long as
 *   (dG/dt) u = 0, which then holds for joints whose rows are constant in G.
 * M and the velocities that go in are built here from the bodies, not taken from the library.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/dense.h"
#include "support/joint_data.h"
#include "support/mechanism.h"
#include "support/run_main.h"
#include "support/solids.h"

enum { CASES = 300, MAX_BODIES = 14, MAX_SIZE = 6 * MAX_BODIES };

#define TOLERANCE 1e-9
/* Relative singular values of J M^-1/2 between this and round-off: K has a condition of 1e7. */
#define WELL_POSED 3e-4

static const tn_vec3 gravity = {1.0, -2.0, -9.0};

static int pick(uint64_t *seed, int n)
{
    const int k = (int)floor(0.5 * n * (1.0 + random_number(seed)));
    return k < n ? k : n - 1;
}

/* Inertia with random axes and moments in [0.05, 0.1] times three: always physical. */
static tn_mat3 random_inertia(uint64_t *seed)
{
    const tn_mat3 R = tn_quat_to_matrix(random_pose(seed).q);
    const double moments[3] = {0.075 + 0.025 * random_number(seed),
                               0.075 + 0.025 * random_number(seed),
                               0.075 + 0.025 * random_number(seed)};
    tn_mat3 J = {{{0}}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                J.m[i][j] += R.m[i][k] * moments[k] * R.m[j][k];
    return J;
}

static tn_body random_body(mechanism *m, uint64_t *seed, int spins)
{
    static const tn_body_kind kinds[8] = {TN_BODY_RIGID,           TN_BODY_RIGID,   TN_BODY_RIGID,
                                          TN_BODY_RIGID,           TN_BODY_RIGID,   TN_BODY_PLANAR,
                                          TN_BODY_PLANAR_PARTICLE, TN_BODY_PARTICLE};
    tn_body_def def = tn_default_body_def();
    def.kind = pick(seed, 20) == 0 ? TN_BODY_FIXED : kinds[pick(seed, 8)];
    def.pose = random_pose(seed);
    if (def.kind == TN_BODY_PLANAR)
        def.pose.q = tn_quat_from_axis_angle(vec(0.0, 0.0, 1.0), PI * random_number(seed));
    def.velocity.v = random_vector(seed);
    if (spins)
        def.velocity.w = random_vector(seed);
    if (def.kind == TN_BODY_PLANAR) {
        def.velocity.v.z = 0.0;
        def.velocity.w = vec(0.0, 0.0, def.velocity.w.z);
    }
    if (def.kind == TN_BODY_PLANAR_PARTICLE)
        def.velocity.v.z = 0.0;
    def.mass = pow(10.0, random_number(seed));
    if (def.kind == TN_BODY_PARTICLE || def.kind == TN_BODY_PLANAR_PARTICLE)
        return mechanism_body(m, &def);
    def.com = random_vector(seed);
    if (def.kind == TN_BODY_PLANAR)
        def.com.z = 0.0;
    def.inertia = random_inertia(seed);
    return mechanism_body(m, &def);
}

static const char *const plain_types[] = {"hinge", "slider", "cylindrical", "spherical", "solid"};

static void random_joint(mechanism *m, uint64_t *seed, int plain, tn_body a, tn_body b)
{
    tn_joint_type type = {pick(seed, tn_joint_type_count())};
    tn_joint_def def = tn_default_joint_def();
    def.type = plain ? plain_types[pick(seed, 5)] : tn_joint_type_get(type)->name;
    const tn_joint_type_info *info = tn_joint_type_get(type);
    if (!plain && (info->ranges || info->start != TN_START_FREE))
        def.type = "free"; /* the type's own limits and holds are not in the dense equations */
    tn_joint_type_find(def.type, &type);
    def.data = sample_joint_data(type, seed);
    def.a = a;
    def.b = b;
    def.placement = TN_PLACE_WORLD_FRAME;
    def.frame_d = random_pose(seed);
    const int copies = pick(seed, 6) == 0 ? 2 : 1; /* doubled: all its rows are redundant */
    for (int k = 0; k < copies; k++)
        mechanism_joint(m, &def);
}

/* A forest of random bodies with up to three joints more than it takes. */
static mechanism random_mechanism(uint64_t *seed, int spins, int plain)
{
    mechanism m = mechanism_new(gravity);
    const int n = 1 + pick(seed, MAX_BODIES);
    for (int i = 0; i < n; i++) {
        const tn_body body = random_body(&m, seed, spins);
        if (pick(seed, 8) == 0)
            continue; /* a component of its own */
        random_joint(&m, seed, plain, body, (tn_body){pick(seed, i + 1) - 1}); /* -1: ground */
    }
    for (int extra = pick(seed, 4); n > 1 && extra > 0; extra--) {
        const int a = pick(seed, n), b = pick(seed, n);
        if (a != b)
            random_joint(&m, seed, plain, (tn_body){a}, (tn_body){b});
    }
    return m;
}

/* ---- the packed velocities, from the public poses, twists and masses ---- */

static const int columns[TN_BODY_KIND_COUNT][7] = {
    [TN_BODY_RIGID] = {6, 0, 1, 2, 3, 4, 5}, [TN_BODY_FIXED] = {0},
    [TN_BODY_PLANAR] = {3, 0, 1, 5},         [TN_BODY_PARTICLE] = {3, 0, 1, 2},
    [TN_BODY_PLANAR_PARTICLE] = {2, 0, 1},
};

static tn_vec3 transposed_times(const tn_mat3 *R, tn_vec3 a)
{
    return vec(R->m[0][0] * a.x + R->m[1][0] * a.y + R->m[2][0] * a.z,
               R->m[0][1] * a.x + R->m[1][1] * a.y + R->m[2][1] * a.z,
               R->m[0][2] * a.x + R->m[1][2] * a.y + R->m[2][2] * a.z);
}

/* The axes in which the velocities of a step are compared: those at its start. */
static void body_axes(const tn_sim *sim, tn_mat3 *axes)
{
    for (int i = 0; i < tn_model_get_size(tn_sim_model(sim)).bodies; i++)
        axes[i] = tn_quat_to_matrix(tn_sim_body_pose(sim, (tn_body){i}).q);
}

/* u: (v of the centre of mass in world axes, w in the given axes), sliced to the kind. */
static void packed_velocities(const tn_sim *sim, const tn_mat3 *axes, double *u)
{
    const tn_model *model = tn_sim_model(sim);
    const int bodies = tn_model_get_size(model).bodies;
    for (int i = 0; i < bodies; i++) {
        const tn_body body = {i};
        const tn_pose pose = tn_sim_body_pose(sim, body);
        const tn_twist twist = tn_sim_body_velocity(sim, body);
        const tn_vec3 arm = tn_pose_rotate_vector(pose, tn_model_body_mass(model, body).com);
        const tn_vec3 turn = vec_cross(twist.w, arm), w = transposed_times(&axes[i], twist.w);
        const double all[6] = {
            twist.v.x + turn.x, twist.v.y + turn.y, twist.v.z + turn.z, w.x, w.y, w.z};
        const int *column = columns[tn_model_body_kind(model, body)];
        for (int k = 0; k < column[0]; k++)
            *u++ = all[column[k + 1]];
    }
}

static void add_gravity(const tn_sim *sim, double h, double *u)
{
    const tn_model *model = tn_sim_model(sim);
    const double all[6] = {h * gravity.x, h * gravity.y, h * gravity.z, 0.0, 0.0, 0.0};
    for (int i = 0; i < tn_model_get_size(model).bodies; i++) {
        const int *column = columns[tn_model_body_kind(model, (tn_body){i})];
        for (int k = 0; k < column[0]; k++)
            *u++ += all[column[k + 1]];
    }
}

/* M from the bodies' masses; body axes do not turn into it. */
static void mass_matrix(const tn_sim *sim, int n, double *M)
{
    const tn_model *model = tn_sim_model(sim);
    memset(M, 0, sizeof *M * (size_t)(n * n));
    int offset = 0;
    for (int i = 0; i < tn_model_get_size(model).bodies; i++) {
        const tn_mass_properties mass = tn_model_body_mass(model, (tn_body){i});
        const int *column = columns[tn_model_body_kind(model, (tn_body){i})];
        for (int r = 0; r < column[0]; r++) {
            for (int c = 0; c < column[0]; c++) {
                const int R = column[r + 1], C = column[c + 1];
                double *entry = M + (offset + r) * n + offset + c;
                if (R < 3 && R == C)
                    *entry = mass.mass;
                if (R >= 3 && C >= 3)
                    *entry = mass.inertia.m[R - 3][C - 3];
            }
        }
        offset += column[0];
    }
}

static double deviation(const double *a, const double *b, int n)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++)
        worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

typedef struct tally {
    int cases, redundant, ill, rows, rank, wrong_ranks;
    double mass, velocity;
} tally;

/* s; of the solves that are steps */
#define EULER_STEP 1e-3

/* What is compared: a projection (integrator -1), or a step. */
typedef struct solve {
    const char *name;
    int integrator;
    int plain; /* only types whose rows are constant in G */
} solve;

static const solve solves[] = {
    {"project", -1, 0},
    {"backward_euler", TN_BACKWARD_EULER, 0},
    {"constrained_backward_euler", TN_CONSTRAINED_BACKWARD_EULER, 1},
};

static void compare(uint64_t seed, const solve *s, tally *t)
{
    const int steps = s->integrator >= 0;
    mechanism m = random_mechanism(&seed, !steps, s->plain);
    mechanism_start(&m, steps ? (int)s->integrator : (int)TN_GENERALIZED_ALPHA);
    tn_equations eq;
    ck_assert_int_eq(tn_sim_equations(m.sim, (tn_joint){-1}, &eq), TN_OK);
    const int n = eq.velocities;
    ck_assert_int_le(n, MAX_SIZE);
    static double M[MAX_SIZE * MAX_SIZE];
    double u[MAX_SIZE], du[MAX_SIZE], got[MAX_SIZE];
    mass_matrix(m.sim, n, M);
    t->mass = fmax(t->mass, deviation(M, eq.mass, n * n));
    tn_mat3 axes[MAX_BODIES];
    body_axes(m.sim, axes);
    packed_velocities(m.sim, axes, u);
    add_gravity(m.sim, steps ? EULER_STEP : 0.0, u);
    const dense_projection dense = dense_project(n, eq.rows, M, eq.jacobian, u, du);
    t->cases++;
    t->rows += eq.rows;
    t->rank += dense.rank;
    t->redundant += dense.rank < eq.rows;
    if (dense.gap_low > 1e-12 || dense.gap_high < WELL_POSED) {
        t->ill++; /* which rows are independent is a matter of taste */
    } else {
        tn_rank rank;
        ck_assert_int_eq(tn_sim_rank(m.sim, &rank), TN_OK);
        t->wrong_ranks += rank.rank != dense.rank || rank.rows != eq.rows ||
                          rank.redundant != eq.rows - dense.rank || rank.dof != n - dense.rank;
        for (int k = 0; k < n; k++)
            u[k] += du[k];
        tn_step_report report;
        ck_assert_int_eq(steps ? tn_sim_step(m.sim, EULER_STEP, &report)
                               : tn_sim_project(m.sim, &report),
                         TN_OK);
        ck_assert_int_eq(report.halvings, 0);
        packed_velocities(m.sim, axes, got);
        t->velocity = fmax(t->velocity, deviation(got, u, n));
    }
    tn_equations_free(&eq);
    mechanism_free(&m);
}

START_TEST(velocities_are_the_dense_ones)
{
    const solve *s = &solves[_i];
    tally t = {0};
    for (int i = 0; i < CASES; i++)
        compare((uint64_t)(1000 * (_i + 1) + i), s, &t);
    printf("%-26s %d mechanisms, %d rows, rank %d, %d with redundant rows, %d ill-conditioned: M "
           "%.1e, velocities %.1e, wrong ranks %d\n",
           s->name, t.cases, t.rows, t.rank, t.redundant, t.ill, t.mass, t.velocity, t.wrong_ranks);
    ck_assert_double_le(t.mass, 1e-14);
    ck_assert_double_le(t.velocity, TOLERANCE);
    ck_assert_int_eq(t.wrong_ranks, 0);
    ck_assert_int_ge(t.redundant, t.cases / 3);
    ck_assert_int_le(t.ill, t.cases / 10);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("kernel_mechanisms");
    TCase *dense = tcase_create("dense");
    tcase_add_loop_test(dense, velocities_are_the_dense_ones, 0,
                        (int)(sizeof solves / sizeof solves[0]));
    suite_add_tcase(suite, dense);
    return suite;
}
