/* test_redundancy_random.c: 1000 random overconstrained mechanisms: the rank against LAPACK's.
 *
 * Random trees of up to ten bodies with 1 to 10 joints more than it takes, each made at the current
 * pose and so consistent; some repeat a joint, some repeat it a little beside itself (1e-12 to 0.1
 * m and rad). Singular values of the unit rows decide densely: no value within a factor of 30 of
 * the threshold is a clear gap, and the analysis must count the same. Else it must count between
 * the two ends of that window: the analysis measures in lengths of loops, LAPACK in metres and
 * radians of bodies, and where the rows of long branches are badly conditioned loops are still
 * clear. It is hardly ever unclear without such a reason.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "support/overconstrained.h"
#include "support/run_main.h"
#include "support/solids.h"

enum { CASES = 1000, MAX_BODIES = 10, MAX_EXTRA = 10 };

/* Dense singular values within this factor of the threshold leave doubt: the analysis measures in
 * loop lengths, LAPACK in metres and radians of bodies. */
#define THRESHOLD 1e-4
#define DOUBT     30.0

static const char *const types[] = {"hinge",       "slider",        "cylindrical", "spherical",
                                    "solid",       "planar",        "universal",   "slotted_hinge",
                                    "point_plane", "parallel_axes", "screw",       "gimbal"};

static int pick(uint64_t *seed, int n)
{
    const int k = (int)floor(0.5 * n * (1.0 + random_number(seed)));
    return k < n ? k : n - 1;
}

static tn_body random_body(mechanism *m, uint64_t *seed)
{
    tn_body_def def = tn_default_body_def();
    def.pose = random_pose(seed);
    def.mass = 1.0;
    def.com = vec(0.0, 0.0, 0.0);
    def.inertia = mat_diagonal(0.1, 0.12, 0.14);
    return mechanism_body(m, &def);
}

static tn_joint_def random_joint(uint64_t *seed, tn_body a, tn_body b)
{
    tn_joint_def def = tn_default_joint_def();
    def.type = types[pick(seed, (int)(sizeof types / sizeof types[0]))];
    def.a = a;
    def.b = b;
    def.placement = TN_PLACE_WORLD_FRAME;
    def.frame_d = random_pose(seed);
    return def;
}

/* The joint again, a little beside itself. */
static tn_joint_def beside(uint64_t *seed, tn_joint_def def)
{
    const double off = pow(10.0, -6.5 + 5.5 * random_number(seed));
    const tn_vec3 p = random_vector(seed), axis = random_vector(seed);
    const tn_pose move = {vec(off * p.x, off * p.y, off * p.z), tn_quat_from_axis_angle(axis, off)};
    def.frame_d = tn_pose_multiply(def.frame_d, move);
    return def;
}

static mechanism random_mechanism(uint64_t *seed)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -9.81));
    tn_joint_def joints[MAX_BODIES];
    const int n = 2 + pick(seed, MAX_BODIES - 1), extra = 1 + pick(seed, MAX_EXTRA);
    for (int i = 0; i < n; i++) {
        const tn_body body = random_body(&m, seed);
        joints[i] = random_joint(seed, body, (tn_body){pick(seed, i + 1) - 1});
        mechanism_joint(&m, &joints[i]);
    }
    for (int k = 0; k < extra; k++) {
        const int way = pick(seed, 4), a = pick(seed, n), b = (a + 1 + pick(seed, n - 1)) % n;
        tn_joint_def def = joints[a];
        if (way == 0)
            def = beside(seed, def);
        else if (way > 1)
            def = random_joint(seed, (tn_body){a}, (tn_body){b});
        mechanism_joint(&m, &def);
    }
    return m;
}

typedef struct tally {
    int cases, redundant, doubtful, unclear, baseless, quick_unclear, differ;
} tally;

/* The count without an explanation is the same: wherever either calls itself clear, to the last
 * row; the gap holds between its bounds. */
static void check_count(const mechanism *m, const tn_analysis *a, int number, tally *t)
{
    tn_rank rank;
    ck_assert_int_eq(tn_sim_rank(m->sim, &rank), TN_OK);
    ck_assert_int_eq(rank.rows, a->rows);
    t->quick_unclear += rank.unclear;
    t->differ += rank.rank != a->rank;
    ck_assert_msg(rank.rank == a->rank || (rank.unclear && a->unclear),
                  "case %d: counted %d, explained %d", number, rank.rank, a->rank);
    if (rank.rank == a->rank && a->redundant > 0 && !a->unclear) {
        ck_assert_double_ge(rank.gap_low, fmin(a->gap_low, 1e-7) * (1.0 - 1e-6));
        ck_assert_double_le(rank.gap_high, a->gap_high * 1.05);
    }
}

static void check_case(mechanism *m, int number, tally *t)
{
    tn_analysis a;
    mechanism_start(m, TN_GENERALIZED_ALPHA);
    ck_assert_int_eq(tn_sim_analyze(m->sim, NULL, &a), TN_OK);
    const dense_rank low = dense_rank_of(m->sim, THRESHOLD * DOUBT);
    const dense_rank high = dense_rank_of(m->sim, THRESHOLD / DOUBT);
    const int doubt = low.rank != high.rank;
    ck_assert_int_eq(a.rows, low.rows);
    t->cases++;
    t->redundant += a.redundant > 0;
    t->doubtful += doubt;
    t->unclear += a.unclear;
    t->baseless += a.unclear && !doubt;
    ck_assert_msg(low.rank <= a.rank && a.rank <= high.rank,
                  "case %d: rank %d (%g .. %g), dense %d .. %d", number, a.rank, a.gap_low,
                  a.gap_high, low.rank, high.rank);
    check_count(m, &a, number, t);
    tn_analysis_free(&a);
}

START_TEST(rank_is_lapacks)
{
    tally t = {0};
    for (int k = 0; k < CASES; k++) {
        uint64_t seed = 1000u + (uint64_t)k;
        mechanism m = random_mechanism(&seed);
        check_case(&m, k, &t);
        mechanism_free(&m);
    }
    printf("%d mechanisms, %d redundant; dense values in doubt in %d, called unclear %d, of these "
           "%d without dense doubt; counted alone: unclear %d, different %d\n",
           t.cases, t.redundant, t.doubtful, t.unclear, t.baseless, t.quick_unclear, t.differ);
    ck_assert_int_eq(t.cases, CASES);
    ck_assert_int_ge(t.redundant, CASES / 2);
    ck_assert_int_le(t.doubtful, CASES / 4);
    ck_assert_int_le(t.baseless, CASES / 100);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("redundancy_random");
    TCase *tests = tcase_create("random");
    tcase_add_test(tests, rank_is_lapacks);
    suite_add_tcase(suite, tests);
    return suite;
}
