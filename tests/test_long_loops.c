/* test_long_loops.c: loops of thousands of joints are no change points: steps of them are solved as
 * often as those of short ones, joints stay closed and energy is kept.
 *
 * Rows of such loops are weak for their length alone: 1 / n^2 and less is the smallest eigenvalue
 * of G M^-1 G^T.
 */
#include <check.h>
#include <math.h>

#include "run_main.h"
#include "tenon/tenon.h"

#define PI   3.14159265358979323846
#define LINK 0.1 /* m */
/* Steps before counting, those of the start, and counted. */
#define LEAD    20
#define COUNTED 10
/* Solves of a step, however long the loop. */
#define MOST_SOLVES 12

static int32_t add_box(tn_spec *spec, tn_vec3 at, tn_quat q, tn_vec3 size)
{
    const double mass = 1000.0 * size.x * size.y * size.z;
    tn_body_def body = tn_default_body_def();
    body.pose.p = at;
    body.pose.q = q;
    body.mass = mass;
    body.inertia = (tn_mat3){{{0.0}}};
    body.inertia.m[0][0] = mass * (size.y * size.y + size.z * size.z) / 12.0;
    body.inertia.m[1][1] = mass * (size.x * size.x + size.z * size.z) / 12.0;
    body.inertia.m[2][2] = mass * (size.x * size.x + size.y * size.y) / 12.0;
    tn_body added;
    ck_assert_int_eq(tn_spec_add_body(spec, &body, &added), TN_OK);
    return added.i;
}

static void add_joint(tn_spec *spec, const char *type, int32_t a, int32_t b, tn_vec3 at,
                      tn_vec3 axis)
{
    tn_joint_def joint = tn_default_joint_def();
    joint.type = type;
    joint.a.i = a;
    joint.b.i = b;
    joint.placement = TN_PLACE_AXIS;
    joint.origin = at;
    joint.axis = axis;
    ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
}

/* Two rails of links with a rung a cell, four ball joints each. */
static tn_spec *make_ladder(int32_t n)
{
    tn_spec *spec = tn_spec_create();
    const tn_vec3 z = {0.0, 0.0, 1.0};
    const tn_quat upright = {1.0, 0.0, 0.0, 0.0};
    for (int32_t k = 0; k < n; k++) {
        int32_t rail[2];
        for (int side = 0; side < 2; side++) {
            const double y = side * LINK;
            rail[side] = add_box(spec, (tn_vec3){LINK * (k + 0.5), y, 0.0}, upright,
                                 (tn_vec3){LINK, LINK / 5, LINK / 5});
            add_joint(spec, "spherical", rail[side], k == 0 ? -1 : rail[side] - 3,
                      (tn_vec3){LINK * k, y, 0.0}, z);
        }
        const int32_t rung = add_box(spec, (tn_vec3){LINK * (k + 1), LINK / 2, 0.0}, upright,
                                     (tn_vec3){LINK / 5, LINK, LINK / 5});
        for (int side = 0; side < 2; side++)
            add_joint(spec, "spherical", rung, rail[side],
                      (tn_vec3){LINK * (k + 1), side * LINK, 0.0}, z);
    }
    return spec;
}

/* n links hinged in a ring, one of them to the ground: three rows repeat others. */
static tn_spec *make_ring(int32_t n)
{
    const double radius = LINK / (2.0 * sin(PI / n)), r = radius * cos(PI / n);
    tn_spec *spec = tn_spec_create();
    for (int32_t k = 0; k < n; k++) {
        const double a = 2.0 * PI * (k + 0.5) / n;
        add_box(spec, (tn_vec3){r * cos(a), 0.0, r * sin(a)},
                (tn_quat){cos(PI / 4 - a / 2), 0.0, sin(PI / 4 - a / 2), 0.0},
                (tn_vec3){LINK / 5, LINK / 5, LINK});
    }
    for (int32_t k = 0; k < n; k++) {
        const double a = 2.0 * PI * k / n;
        const tn_vec3 at = {radius * cos(a), 0.0, radius * sin(a)}, y = {0.0, 1.0, 0.0};
        if (k == 0)
            add_joint(spec, "hinge", 0, -1, at, y);
        add_joint(spec, "hinge", k, (k + n - 1) % n, at, y);
    }
    return spec;
}

/* n x n plates on a wavy surface, ball joints half-way between neighbours, two on the ground. */
static tn_spec *make_net(int32_t n)
{
    tn_spec *spec = tn_spec_create();
    const tn_vec3 z = {0.0, 0.0, 1.0};
#define HILL(I, K)                                                                                 \
    (tn_vec3)                                                                                      \
    {                                                                                              \
        LINK *(I), LINK *(K), 0.3 * LINK *sin(0.7 * (I)) * cos(0.9 * (K))                          \
    }
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k < n; k++)
            add_box(spec, HILL(i, k), (tn_quat){1.0, 0.0, 0.0, 0.0},
                    (tn_vec3){LINK, LINK, LINK / 5});
    add_joint(spec, "spherical", 0, -1, HILL(-0.5, 0), z);
    add_joint(spec, "spherical", n - 1, -1, HILL(-0.5, n - 1), z);
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k < n; k++) {
            if (i + 1 < n)
                add_joint(spec, "spherical", (i + 1) * n + k, i * n + k, HILL(i + 0.5, k), z);
            if (k + 1 < n)
                add_joint(spec, "spherical", i * n + k + 1, i * n + k, HILL(i, k + 0.5), z);
        }
#undef HILL
    return spec;
}

static double energy_of(const tn_sim *sim)
{
    const tn_energy e = tn_sim_energy(sim);
    return e.kinetic + e.potential;
}

static const struct {
    const char *name;
    tn_spec *(*make)(int32_t n);
    int32_t n;
} loops[] = {
    {"ladder of 1500 cells", make_ladder, 1500},
    {"ring of 3000 hinges", make_ring, 3000},
    {"net of 20 x 20", make_net, 20},
};

START_TEST(test_long_loop)
{
    tn_spec *spec = loops[_i].make(loops[_i].n);
    tn_model *model = NULL;
    ck_assert_int_eq(tn_model_compile(spec, NULL, &model), TN_OK);
    tn_spec_destroy(spec);
    tn_sim *sim = NULL;
    ck_assert_int_eq(tn_sim_create(model, NULL, NULL, &sim), TN_OK);
    const double before = energy_of(sim);
    double solves = 0.0;
    for (int k = 0; k < LEAD + COUNTED; k++) {
        tn_step_report report;
        ck_assert_msg(tn_sim_step(sim, 1e-3, &report) == TN_OK, "%s", loops[_i].name);
        ck_assert_msg(report.folds == 0 && report.halvings == 0, "%s: step %d takes a change point",
                      loops[_i].name, k);
        ck_assert_double_lt(report.position_error, 1e-12 * fmax(1.0, loops[_i].n * LINK));
        solves += k >= LEAD ? report.solves : 0;
    }
    ck_assert_msg(solves <= MOST_SOLVES * COUNTED, "%s: %g solves a step", loops[_i].name,
                  solves / COUNTED);
    const double kinetic = tn_sim_energy(sim).kinetic;
    ck_assert_double_gt(kinetic, 0.0);
    ck_assert_double_lt(fabs(energy_of(sim) - before), 1e-3 * kinetic);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("long_loops");
    TCase *tests = tcase_create("steps");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, test_long_loop, 0, sizeof loops / sizeof *loops);
    suite_add_tcase(suite, tests);
    return suite;
}
