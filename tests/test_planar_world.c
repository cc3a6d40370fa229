/* test_planar_world.c: model files of planar worlds: what they read as, that they are written back
 * bit for bit, that joints placed by an axis in the plane keep just the rows the plane needs, and
 * that bodies of other kinds take part.
 */
#include <check.h>
#include <math.h>
#include <string.h>

#include "support/model_text.h"
#include "support/run_main.h"
#include "support/same_spec.h"
#include "tenon/io.h"
#include "tenon/tenon.h"

static const char *const everything =
    "tenon: 1\n"
    "world: planar\n"
    "angle: deg\n"
    "bodies:\n"
    "  a: {position: [1, 0.5], angle: 30, mass: 2, inertia: 0.5, center_of_mass: [0.1, 0],\n"
    "      velocity: {linear: [1, -2], angular: 90}}\n"
    "  b: {position: [2, 0.5, 0], mass: 2, inertia: 0.5, quaternion: [0.6, 0, 0, 0.8]}\n"
    "  r: {kind: rigid, position: [7, 0.5, 3], rpy: [10, 20, 30], mass: 2, inertia: [1, 1, 1],\n"
    "      velocity: {angular: [1, 2, 3]}}\n"
    "joints:\n"
    "  h: {type: hinge, a: a, origin: [0, 0], color: [1, 0, 0]}\n"
    "  s: {type: slider, a: b, b: a, origin: [2, 0.5], axis: [1, 2]}\n"
    "  w: {type: spherical, a: r, b: a, origin: [1, 2, 3]}\n"
    "  f: {type: solid, a: a, b: b, frame: {position: [1, 1], angle: 45}, enabled: false}\n"
    "markers:\n"
    "  m: {body: a, position: [0.3, 0.4]}\n";

START_TEST(reads_two_numbers_as_a_vector)
{
    tn_spec *spec = read_text(everything);
    const tn_world_def *world = tn_spec_world(spec);
    ck_assert_int_eq(world->kind, TN_WORLD_PLANAR);
    ck_assert_double_eq(world->gravity.y, -9.81);
    ck_assert_double_eq(world->gravity.z, 0.0);
    const tn_body_def *a = tn_spec_body(spec, (tn_body){0});
    ck_assert_int_eq(a->kind, TN_BODY_PLANAR);
    ck_assert_double_eq(a->pose.p.y, 0.5);
    ck_assert_double_eq_tol(2.0 * atan2(a->pose.q.z, a->pose.q.w), acos(-1.0) / 6.0, 1e-15);
    ck_assert_double_eq_tol(a->velocity.w.z, acos(-1.0) / 2.0, 1e-15);
    ck_assert_double_eq(a->inertia.m[2][2], 0.5);
    ck_assert_double_eq(a->com.x, 0.1);
    ck_assert_int_eq(tn_spec_body(spec, (tn_body){2})->kind, TN_BODY_RIGID);
    ck_assert_double_eq(tn_spec_joint(spec, (tn_joint){1})->axis.y, 2.0);
    ck_assert_double_eq(tn_spec_marker(spec, (tn_marker){0})->position.y, 0.4);
    tn_spec_destroy(spec);
}
END_TEST

START_TEST(is_written_back_bit_for_bit)
{
    tn_spec *spec = read_text(everything), *again = NULL;
    char *text = NULL;
    size_t length = 0;
    ck_assert_int_eq(tn_spec_write_string(spec, NULL, &text, &length), TN_OK);
    ck_assert_ptr_nonnull(strstr(text, "world: planar\n"));
    ck_assert_ptr_nonnull(strstr(text, "position: [1, 0.5]\n"));
    ck_assert_ptr_nonnull(strstr(text, "position: [7, 0.5, 3]\n"));
    ck_assert_ptr_nonnull(strstr(text, "color: [1, 0, 0]\n"));
    ck_assert_ptr_null(strstr(text, "kind: planar"));
    ck_assert_int_eq(tn_spec_read_string(text, length, "again", NULL, &again), TN_OK);
    ck_assert_int_eq(tn_spec_world(again)->kind, TN_WORLD_PLANAR);
    for (int32_t i = 0; i < tn_spec_body_count(spec); i++)
        expect_same_body(tn_spec_body(spec, (tn_body){i}), tn_spec_body(again, (tn_body){i}));
    for (int32_t i = 0; i < tn_spec_joint_count(spec); i++)
        expect_same_joint(tn_spec_joint(spec, (tn_joint){i}), tn_spec_joint(again, (tn_joint){i}));
    tn_text_free(text);
    tn_spec_destroy(spec);
    tn_spec_destroy(again);
}
END_TEST

/* A joint between two planar bodies and the rows it has there, by an axis at 26.6 degrees. */
static const struct {
    const char *joint;
    int rows;
} in_plane[] = {
    {"{type: hinge, a: b, b: a, origin: [2, 1]}", 2},
    {"{type: slider, a: b, b: a, origin: [2, 1], axis: [2, 1]}", 2},
    {"{type: cylindrical, a: b, b: a, origin: [2, 1], axis: [2, 1]}", 2},
    {"{type: slotted_hinge, a: b, b: a, origin: [2, 1], axis: [2, 1]}", 1},
    {"{type: wheel, a: b, b: a, origin: [2, 1], axis: [2, 1]}", 1},
    {"{type: point_line, a: b, b: a, origin: [2, 1], axis: [2, 1]}", 1},
    {"{type: point_plane, a: b, b: a, origin: [2, 1], axis: [2, 1]}", 1},
    {"{type: rotation_lock, a: b, b: a, origin: [2, 1]}", 1},
    {"{type: planar_translation, a: b, b: a, origin: [2, 1]}", 1},
    {"{type: solid, a: b, b: a, origin: [2, 1]}", 3},
    {"{type: planar, a: b, b: a, origin: [2, 1]}", 0},
};

static tn_sim *start(const char *text, tn_model **model)
{
    tn_spec *spec = read_text(text);
    tn_sim *sim = NULL;
    ck_assert_int_eq(tn_model_compile(spec, NULL, model), TN_OK);
    ck_assert_int_eq(tn_sim_create(*model, NULL, NULL, &sim), TN_OK);
    tn_spec_destroy(spec);
    return sim;
}

START_TEST(keeps_just_the_rows_of_the_plane)
{
    char text[512];
    snprintf(text, sizeof text,
             "tenon: 1\nworld: planar\nbodies:\n"
             "  a: {position: [1, 0.5], angle: 0.3, mass: 2, inertia: 0.5}\n"
             "  b: {position: [3, 0.7], angle: -1, mass: 1, inertia: 0.2}\n"
             "joints:\n  j: %s\n",
             in_plane[_i].joint);
    tn_model *model;
    tn_sim *sim = start(text, &model);
    tn_equations eq;
    tn_rank rank;
    ck_assert_int_eq(tn_sim_equations(sim, (tn_joint){0}, &eq), TN_OK);
    ck_assert_int_eq(eq.velocities, 6);
    ck_assert_int_eq(eq.rows, in_plane[_i].rows);
    ck_assert_int_eq(tn_sim_rank(sim, &rank), TN_OK);
    ck_assert_int_eq(rank.redundant, 0);
    tn_equations_free(&eq);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}
END_TEST

/* A body sliding down a slope: z'' = g . n along the axis, whichever type slides. */
START_TEST(slides_along_the_axis_given)
{
    static const char *const types[] = {"slider", "slotted_hinge", "point_line", "wheel"};
    char text[512];
    snprintf(text, sizeof text,
             "tenon: 1\nworld: planar\ngravity: [0, -10]\nbodies:\n"
             "  b: {position: [3, 0.7], mass: 1, inertia: 0.2}\n"
             "joints:\n  j: {type: %s, a: b, origin: [3, 0.7], axis: [3, -4]}\n",
             types[_i]);
    tn_model *model;
    tn_sim *sim = start(text, &model);
    for (int k = 0; k < 100; k++)
        ck_assert_int_eq(tn_sim_step(sim, 0.01, NULL), TN_OK);
    const double way = 0.5 * 8.0; /* g . n = 10 * 4/5, 1 s */
    const tn_pose pose = tn_sim_body_pose(sim, (tn_body){0});
    ck_assert_double_eq_tol(pose.p.x, 3.0 + 0.6 * way, 1e-12);
    ck_assert_double_eq_tol(pose.p.y, 0.7 - 0.8 * way, 1e-12);
    double q[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(sim, (tn_joint){0}, q);
    ck_assert_double_eq_tol(q[0], way, 1e-12);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}
END_TEST

/* A planar pendulum with a particle on it carries, on a ball joint, a rigid body that swings out of the plane, and another one
 * at its end: energy and the plane are kept. */
START_TEST(kinds_mix_in_one_world)
{
    tn_model *model;
    tn_sim *sim = start(
        "tenon: 1\nworld: planar\nbodies:\n"
        "  link: {position: [0.5, 0], mass: 1, inertia: 0.1}\n"
        "  rod: {kind: rigid, position: [1, 0, 0.25], mass: 1, inertia: [0.1, 0.1, 0.05]}\n"
        "  bob: {kind: rigid, position: [1, 0, 0.5], mass: 0.5, inertia: [1e-3, 1e-3, 1e-3]}\n"
        "  dot: {kind: particle, position: [0.5, 0], mass: 0.5}\n"
        "joints:\n"
        "  pin: {type: hinge, a: link, origin: [0, 0]}\n"
        "  ball: {type: spherical, a: rod, b: link, origin: [1, 0]}\n"
        "  tie: {type: spherical, a: bob, b: rod, origin: [1, 0, 0.5]}\n"
        "  sits: {type: spherical, a: dot, b: link, origin: [0.5, 0]}\n",
        &model);
    const double before = tn_sim_energy(sim).total;
    double out_of_plane = 0.0;
    for (int k = 0; k < 500; k++) {
        ck_assert_int_eq(tn_sim_step(sim, 1e-3, NULL), TN_OK);
        out_of_plane = fmax(out_of_plane, fabs(tn_sim_body_pose(sim, (tn_body){0}).p.z));
        out_of_plane = fmax(out_of_plane, fabs(tn_sim_body_pose(sim, (tn_body){3}).p.z));
    }
    ck_assert_double_eq(out_of_plane, 0.0);
    ck_assert_double_le(tn_sim_residuals(sim).position, 1e-12);
    ck_assert_double_le(fabs(tn_sim_energy(sim).total - before), 1e-3);
    ck_assert_double_ge(fabs(tn_sim_body_pose(sim, (tn_body){1}).p.z - 0.25), 1e-2);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}
END_TEST

/* The writer's shortest angle gives the same bits as the rotation, for turns of any size. */
START_TEST(angles_survive_writing)
{
    for (int k = -40; k <= 40; k++) {
        char text[256];
        snprintf(text, sizeof text,
                 "tenon: 1\nworld: planar\nbodies:\n"
                 "  b: {angle: %.17g, mass: 1, inertia: 1}\n",
                 0.0787 * k * (1.0 + 1e-3 * k));
        tn_spec *spec = read_text(text), *again = written_and_read(spec);
        expect_same_body(tn_spec_body(spec, (tn_body){0}), tn_spec_body(again, (tn_body){0}));
        tn_spec_destroy(spec);
        tn_spec_destroy(again);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("planar_world");
    TCase *tc = tcase_create("planar_world");
    tcase_add_test(tc, reads_two_numbers_as_a_vector);
    tcase_add_test(tc, is_written_back_bit_for_bit);
    tcase_add_loop_test(tc, keeps_just_the_rows_of_the_plane, 0,
                        (int)(sizeof in_plane / sizeof in_plane[0]));
    tcase_add_loop_test(tc, slides_along_the_axis_given, 0, 4);
    tcase_add_test(tc, kinds_mix_in_one_world);
    tcase_add_test(tc, angles_survive_writing);
    suite_add_tcase(suite, tc);
    return suite;
}
