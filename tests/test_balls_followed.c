/* test_balls_followed.c: the coordinates of ball joints after a step are those that their poses have in the turn
 * which speeds foretell, however fast and far they have turned, and whether speeds were asked for or not.
 */
#include <check.h>
#include <math.h>
#include <string.h>

#include "assemble/elements.h"
#include "motion/kinematics.h"
#include "motion/simulation.h"
#include "support/joint_samples.h"
#include "support/mechanism.h"
#include "support/random_numbers.h"
#include "support/run_main.h"

enum { POSES = 4000 };

static const char *const types[] = {"spherical_swing_twist", "spherical_tilt",
                                    "spherical_rotation"};

/* Two rods on a ball joint, the first on another to the ground; stretched: with parameters of its own. */
static mechanism two_rods(const char *type, bool stretched)
{
    mechanism m = mechanism_new((tn_vec3){0.0, 0.0, -9.81});
    tn_body inner = {-1};
    for (int k = 0; k < 2; k++) {
        const tn_body body = mechanism_rod(&m, &(rod){.p = {0.3 * k, 0.0, 0.0},
                                                      .q = {0.3 * (k + 1), 0.0, 0.0},
                                                      .mass = 1.0,
                                                      .along = 1e-3,
                                                      .across = 1e-2});
        tn_joint_def def = mechanism_axis_def(type, body, inner, (tn_vec3){0.3 * k, 0.0, 0.0},
                                              (tn_vec3){1.0, 0.2, 0.1});
        if (stretched && strcmp(type, "spherical_tilt") != 0) /* which has none */
            def.parameters[0] = 0.7;
        mechanism_joint(&m, &def);
        inner = body;
    }
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    return m;
}

static tn_quat random_orientation(uint64_t *seed)
{
    const tn_mat3 R = sample_rotation(seed);
    return tn_quat_from_matrix(&R);
}

/* Anywhere, any turn, and any speed from slow to several turns in a step. */
static void put_anywhere(tn_sim *sim, uint64_t *seed)
{
    const double fast = pow(10.0, random_between(seed, -2.0, 4.0));
    const int turns = (int)random_between(seed, -3.0, 4.0);
    for (int i = 0; i < sim->model->body_count; i++)
        sim->state.q[i] = random_orientation(seed);
    for (int k = 0; k < sim->model->size.velocities; k++)
        sim->state.u[k] = fast * random_between(seed, -1.0, 1.0);
    tn_refresh_kinematics(sim);
    for (int j = 0; j < sim->model->joint_count; j++) {
        double *q = sim->state.coordinates + (size_t)j * TN_MAX_COORDINATES;
        const tn_joint_class *cls = sim->model->joints[j].geometry.cls;
        for (int i = 0; i < cls->info.coordinate_count; i++)
            q[i] = sim->sys.kin[j].moving->q[i] +
                   2.0 * TN_PI * turns * (cls->whole_turns >> i & 1) +
                   random_between(seed, -0.5, 0.5);
    }
    tn_refresh_kinematics(sim);
}

/* As of any joint: by what its speeds foretell, and the projection of its pose. */
static void expected(const tn_sim *sim, int32_t j, double h, double *q)
{
    const tn_model_joint *joint = &sim->model->joints[j];
    const tn_joint_stops stops = tn_joint_stops_of(sim->model, &sim->state, j);
    double twist[6], speeds[TN_MAX_ROWS], foretold[TN_MAX_COORDINATES];
    tn_assemble_joint_twist(&sim->sys, sim->state.u, j, twist);
    tn_joint_motion_speeds(&joint->geometry, &sim->sys.kin[j], twist, speeds);
    tn_joint_predict(joint->geometry.cls, sim->state.coordinates + (size_t)j * TN_MAX_COORDINATES,
                     sim->sys.kin[j].moving->q, speeds, h, foretold);
    tn_joint_coordinates(&joint->geometry, &sim->sys.kin[j].T_GD, &stops, foretold, q);
}

START_TEST(followed_as_any_joint_is)
{
    mechanism m = two_rods(types[_i / 2], _i % 2);
    uint64_t seed = 7 + (uint64_t)_i;
    int turned = 0;
    for (int n = 0; n < POSES; n++) {
        const double h = random_between(&seed, 1e-4, 1e-2);
        put_anywhere(m.sim, &seed);
        for (int j = 0; j < 2; j++) {
            const tn_joint_type_info *info = &m.sim->model->joints[j].geometry.cls->info;
            double q[TN_MAX_COORDINATES], should[TN_MAX_COORDINATES];
            tn_joint_follow(&m.sim->sys, &m.sim->state, j, h, q);
            expected(m.sim, j, h, should);
            for (int i = 0; i < info->coordinate_count; i++) {
                ck_assert_msg(q[i] == should[i], "%s, pose %d: %.17g, not %.17g", info->name, n,
                              q[i], should[i]);
                turned += fabs(q[i] - m.sim->sys.kin[j].moving->q[i]) > TN_PI;
            }
        }
    }
    if (m.sim->model->joints[0].geometry.cls->whole_turns)
        ck_assert_int_gt(turned, POSES / 100); /* both ways have been gone */
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("balls followed");
    TCase *tc = tcase_create("coordinates");
    tcase_add_loop_test(tc, followed_as_any_joint_is, 0, 2 * (int)(sizeof types / sizeof types[0]));
    suite_add_tcase(suite, tc);
    return suite;
}
