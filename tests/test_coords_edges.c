/* test_coords_edges.c: setting coordinates at the edges: poses that coordinates do not determine,
 * ranges left before anything is asked, switches that must outlive it, targets of two kinds, memory
 * that runs out, and where a conflict was written.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocator.h"
#include "coords_mechanisms.h"
#include "joint_samples.h"
#include "run_main.h"
#include "sample_mechanisms.h"
#include "saved_states.h"
#include "tenon/io.h"

/* ---- every type ---- */

static tn_pose as_pose(const tn_xform *T)
{
    return (tn_pose){T->p, tn_quat_from_matrix(&T->R)};
}

/* A body on a joint of the sample's type to ground, at the sample's pose. */
static mechanism one_joint(const joint_sample *s)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    tn_body_def body = tn_default_body_def();
    body.pose = as_pose(&s->T_GD);
    body.mass = 1.0;
    body.com = vec(0.1, 0.2, -0.1);
    body.inertia = mat_diagonal(0.2, 0.3, 0.25);
    tn_joint_def joint = tn_default_joint_def();
    joint.type = s->cls->info.name;
    joint.data = s->data;
    joint.a = mechanism_body(&m, &body);
    joint.b = tn_ground();
    joint.placement = TN_PLACE_BODY_FRAMES;
    for (int i = 0; i < s->cls->info.parameter_count; i++)
        joint.parameters[i] = s->setup.parameters[i];
    for (int i = 0; i < s->cls->info.coordinate_count; i++) {
        joint.lower[i] = -1e3;
        joint.upper[i] = 1e3;
    }
    mechanism_joint(&m, &joint);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    return m;
}

static double set_and_compare(mechanism *m, int i, double value, const tn_pose *with)
{
    const tn_coordinate_request r = {{0}, i, value};
    tn_coordinate_answer a;
    ck_assert_int_eq(tn_sim_set_coordinates(m->sim, &r, 1, NULL, &a, NULL), TN_OK);
    ck_assert_int_eq(a.outcome, TN_COORDINATE_SET);
    const tn_pose now = tn_sim_body_pose(m->sim, (tn_body){0});
    const tn_xform x = xf_from_pose(now), y = xf_from_pose(*with);
    return pose_distance(&x, &y);
}

/* One coordinate, there and back: it has its value, the others keep theirs, and the pose is the old
 * one, the part no coordinate tells included. */
START_TEST(setting_keeps_the_rest_of_the_pose)
{
    double worst = 0.0, off = 0.0;
    int moves = 0;
    uint64_t seed = 77;
    for (int t = 0; t < tn_joint_type_count(); t++)
        for (int n = 0; n < 4; n++) {
            const joint_sample s = sample_joint((tn_joint_type){t}, &seed);
            if (s.cls->info.coordinate_count == 0)
                continue;
            mechanism m = one_joint(&s);
            for (int i = 0; i < s.cls->info.coordinate_count; i++) {
                double q[TN_MAX_COORDINATES], now[TN_MAX_COORDINATES];
                const tn_pose before = tn_sim_body_pose(m.sim, (tn_body){0});
                tn_sim_joint_coordinates(m.sim, (tn_joint){0}, q);
                worst = fmax(worst, set_and_compare(&m, i, q[i], &before));
                const double d = q[i] > 0.5 ? -0.05 : 0.05;
                ck_assert_double_gt(set_and_compare(&m, i, q[i] + d, &before), 1e-3);
                tn_sim_joint_coordinates(m.sim, (tn_joint){0}, now);
                for (int k = 0; k < s.cls->info.coordinate_count; k++)
                    off = fmax(off, fabs(now[k] - q[k] - (k == i ? d : 0.0)));
                worst = fmax(worst, set_and_compare(&m, i, q[i], &before));
                moves++;
            }
            mechanism_free(&m);
        }
    printf("%d coordinates set there and back: pose off by %.1e, coordinates by %.1e\n", moves,
           worst, off);
    ck_assert_int_gt(moves, 100);
    ck_assert_double_le(worst, 1e-9);
    ck_assert_double_le(off, 1e-9);
}
END_TEST

/* Points on lines and over planes do not turn or drift when they are moved along. */
START_TEST(points_glide_straight)
{
    const char *const types[] = {"point_line", "half_space"};
    uint64_t seed = 5;
    for (int t = 0; t < 2; t++) {
        tn_joint_type type;
        ck_assert_int_eq(tn_joint_type_find(types[t], &type), TN_OK);
        const joint_sample s = sample_joint(type, &seed);
        mechanism m = one_joint(&s);
        const tn_pose a = tn_sim_body_pose(m.sim, (tn_body){0});
        const tn_coordinate_request r = {{0}, 0, 3.5};
        ck_assert_int_eq(tn_sim_set_coordinates(m.sim, &r, 1, NULL, NULL, NULL), TN_OK);
        const tn_pose b = tn_sim_body_pose(m.sim, (tn_body){0});
        ck_assert_double_eq_tol(b.p.z, 3.5, 1e-12);
        ck_assert_double_eq_tol(b.p.x, a.p.x, 1e-12);
        ck_assert_double_eq_tol(b.p.y, a.p.y, 1e-12);
        const double same = a.q.w * b.q.w + a.q.x * b.q.x + a.q.y * b.q.y + a.q.z * b.q.z;
        ck_assert_double_ge(fabs(same), 1.0 - 1e-14);
        mechanism_free(&m);
    }
}
END_TEST

/* A tilt of less than none cannot be: as near as it gets, and said to be limited. */
START_TEST(impossible_values_are_limited)
{
    uint64_t seed = 6;
    tn_joint_type type;
    ck_assert_int_eq(tn_joint_type_find("spherical_tilt", &type), TN_OK);
    const joint_sample s = sample_joint(type, &seed);
    mechanism m = one_joint(&s);
    const tn_coordinate_request r = {{0}, 0, -0.3};
    tn_coordinate_answer a;
    ck_assert_int_eq(tn_sim_set_coordinates(m.sim, &r, 1, NULL, &a, NULL), TN_OK);
    ck_assert_int_eq(a.outcome, TN_COORDINATE_LIMITED);
    ck_assert_double_eq_tol(a.value, 0.0, 1e-7);
    mechanism_free(&m);
}
END_TEST

/* ---- ranges ---- */

static double coordinate(const mechanism *m, int joint)
{
    double q[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(m->sim, (tn_joint){joint}, q);
    return q[0];
}

/* The rocker is 0.1 rad outside a range made narrower. */
static mechanism rocker_outside(double *bound)
{
    mechanism m = coords_four_bar(COORDS_CRANK_ROCKER);
    *bound = coordinate(&m, 3) - 0.1;
    ck_assert_int_eq(tn_sim_set_range(m.sim, (tn_joint){3}, 0, -INFINITY, *bound), TN_OK);
    return m;
}

START_TEST(what_is_outside_is_led_back)
{
    double bound;
    for (int k = 0; k < 3; k++) {
        mechanism m = rocker_outside(&bound);
        const double from = coordinate(&m, 0);
        /* further out, a little in, far in: the crank goes forwards as the rocker goes up */
        const double sense = coords_rocker_angle(1e-3) > coords_rocker_angle(0.0) ? 1.0 : -1.0;
        const tn_coordinate_request r = {{0},
                                         0,
                                         from + sense * (k == 0   ? 0.1
                                                         : k == 1 ? -0.02
                                                                  : -0.8)};
        tn_coordinate_answer a;
        ck_assert_int_eq(tn_sim_set_coordinates(m.sim, &r, 1, NULL, &a, NULL), TN_OK);
        ck_assert_double_le(coordinate(&m, 3), bound + 1e-9);
        ck_assert_int_eq(a.outcome, k == 2 ? TN_COORDINATE_SET : TN_COORDINATE_LIMITED);
        if (k < 2)
            ck_assert_double_eq_tol(coordinate(&m, 3), bound, 1e-9);
        mechanism_free(&m);
    }
}
END_TEST

START_TEST(what_cannot_come_back_is_named)
{
    double bound;
    mechanism m = rocker_outside(&bound);
    ck_assert_int_eq(tn_sim_set_locked(m.sim, (tn_joint){0}, 0, 1), TN_OK);
    const tn_coordinate_request stuck = {{1}, 0, coordinate(&m, 1) + 0.1};
    tn_placement_report report;
    const tn_pose before = tn_sim_body_pose(m.sim, (tn_body){1});
    ck_assert_int_eq(tn_sim_set_coordinates(m.sim, &stuck, 1, NULL, NULL, &report),
                     TN_ERROR_NOT_CONVERGED);
    ck_assert_int_eq(report.beyond_joint.i, 3);
    ck_assert_int_eq(report.beyond_coordinate, 0);
    ck_assert_double_eq_tol(report.beyond, 0.1, 1e-9);
    const tn_pose after = tn_sim_body_pose(m.sim, (tn_body){1});
    ck_assert_mem_eq(&before, &after, sizeof before);
    /* the lock itself is asked to where it fits */
    const double sense = coords_rocker_angle(1e-3) > coords_rocker_angle(0.0) ? 1.0 : -1.0;
    const tn_coordinate_request r = {{0}, 0, coordinate(&m, 0) - 0.8 * sense};
    ck_assert_int_eq(tn_sim_set_coordinates(m.sim, &r, 1, NULL, NULL, &report), TN_OK);
    ck_assert_int_eq(report.beyond_joint.i, -1);
    ck_assert_double_le(coordinate(&m, 3), bound);
    ck_assert(tn_sim_is_locked(m.sim, (tn_joint){0}, 0));
    mechanism_free(&m);
}
END_TEST

/* ---- switches ---- */

/* A spring along a coordinate, and a soft limit, say nothing about where it is asked to be. */
START_TEST(soft_rows_do_not_soften_requests)
{
    mechanism m = sample_four_bar();
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    tn_spring_def spring = tn_default_spring_def();
    spring.stiffness = 2.0;
    ck_assert_int_eq(tn_sim_set_spring(m.sim, (tn_joint){0}, 0, &spring), TN_OK);
    double q[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(m.sim, (tn_joint){0}, q);
    for (int k = 1; k <= 5; k++) {
        const tn_coordinate_request r = {{0}, 0, q[0] + 0.1 * k};
        tn_coordinate_answer a;
        ck_assert_int_eq(tn_sim_set_coordinates(m.sim, &r, 1, NULL, &a, NULL), TN_OK);
        ck_assert_int_eq(a.outcome, TN_COORDINATE_SET);
        ck_assert_double_eq_tol(a.value, r.value, 1e-12);
    }
    mechanism_free(&m);
}
END_TEST

/* A pendulum at rest on its cone, and a sibling hinge. Placing the sibling, taking ratios and
 * closing joints leave the pendulum held, with the force it had. */
START_TEST(holds_outlive_placing)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -9.81));
    tn_body_def body = tn_default_body_def();
    body.mass = 2.0;
    body.com = vec(0.0, 0.0, 0.7);
    body.inertia = mat_diagonal(0.1, 0.1, 0.2);
    body.pose.q = tn_quat_from_axis_angle(vec(1.0, 0.0, 0.0), 0.1);
    tn_joint_def ball = tn_default_joint_def();
    ball.type = "spherical_swing_twist";
    ball.a = mechanism_body(&m, &body);
    ball.placement = TN_PLACE_BODY_FRAMES;
    ball.upper[0] = 0.5;
    ball.locked[1] = 1;
    mechanism_joint(&m, &ball);
    body.pose = (tn_pose){vec(2.0, 0.0, 0.0), {1.0, 0.0, 0.0, 0.0}};
    tn_joint_def hinge = tn_default_joint_def();
    hinge.type = "hinge";
    hinge.a = mechanism_body(&m, &body);
    hinge.placement = TN_PLACE_AXIS;
    hinge.origin = body.pose.p;
    hinge.axis = vec(0.0, 0.0, 1.0);
    mechanism_joint(&m, &hinge);
    hinge.origin = vec(2.0, 0.0, 0.7);
    hinge.axis = vec(0.0, 1.0, 0.0);
    hinge.b = hinge.a;
    body.pose.p = hinge.origin;
    hinge.a = mechanism_body(&m, &body);
    hinge.lower[0] = hinge.upper[0] = 0.0; /* a range without width */
    mechanism_joint(&m, &hinge);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    mechanism_run(&m, 1e-3, 1500, NULL);
    double force = 0.0, later = 0.0;
    ck_assert_int_eq(tn_sim_at_limit(m.sim, (tn_joint){0}, 0, &force), 1);
    ck_assert_double_lt(force, -1.0);
    for (int k = 0; k < 4; k++) {
        double rate[3 * TN_MAX_COORDINATES], second[3 * TN_MAX_COORDINATES];
        const tn_coordinate_request r = {{1}, 0, 0.3 * (k + 1)};
        void *block = saved_state(m.sim);
        if (k == 0)
            ck_assert_int_eq(tn_sim_motion_ratios(m.sim, r.joint, 0, rate, second, NULL), TN_OK);
        if (k == 1)
            ck_assert_int_eq(tn_sim_set_coordinates(m.sim, &r, 1, NULL, NULL, NULL), TN_OK);
        if (k == 2)
            ck_assert_int_eq(tn_sim_assemble(m.sim, NULL), TN_OK);
        if (k == 3)
            ck_assert_int_eq(tn_sim_set_coordinate_speed(m.sim, r.joint, 0, 0.1), TN_OK);
        ck_assert_int_eq(tn_sim_at_limit(m.sim, (tn_joint){0}, 0, &later), 1);
        ck_assert_double_eq_tol(later, force, 1e-12);
        ck_assert(tn_sim_is_locked(m.sim, (tn_joint){0}, 1));
        ck_assert(tn_sim_is_locked(m.sim, (tn_joint){2}, 0));
        if (k > 0) { /* ratios leave their own velocities */
            mechanism_run(&m, 1e-3, 2, NULL);
            ck_assert_int_eq(tn_sim_at_limit(m.sim, (tn_joint){0}, 0, &later), 1);
            ck_assert_double_eq_tol(later, force, 1e-5 * fabs(force));
        }
        ck_assert_int_eq(tn_sim_restore(m.sim, block), TN_OK);
        free(block);
    }
    mechanism_free(&m);
}
END_TEST

/* ---- targets ---- */

/* Three unit rods with the tip exactly at (1.5, 0, 0); the first elbow as near to (0, 5, 0) as it
 * gets, which is (0, 1, 0); and with a second soft target the weighted compromise on the circle. */
START_TEST(hard_and_soft_markers_together)
{
    mechanism m = coords_chain(3);
    const tn_coordinate_request bend[3] = {{{0}, 0, 0.9}, {{1}, 0, -0.9}, {{2}, 0, -0.9}};
    tn_placement_report report;
    ck_assert_int_eq(tn_sim_set_coordinates(m.sim, bend, 3, NULL, NULL, NULL), TN_OK);
    tn_marker_request both[3] = {{.marker = {2}, .position = vec(1.5, 0.0, 0.0)},
                                 {.marker = {0}, .position = vec(0.0, 5.0, 0.0), .weight = 1.0}};
    ck_assert_int_eq(tn_sim_pose(m.sim, NULL, 0, both, 2, NULL, NULL, NULL, &report), TN_OK);
    const tn_vec3 tip = tn_sim_marker_position(m.sim, (tn_marker){2});
    tn_vec3 elbow = tn_sim_marker_position(m.sim, (tn_marker){0});
    printf("hard marker off by %.1e, soft one off its best by %.1e\n",
           vec_norm(vec_sub(tip, both[0].position)), vec_norm(vec_sub(elbow, vec(0, 1, 0))));
    ck_assert_double_le(vec_norm(vec_sub(tip, both[0].position)), 1e-8);
    ck_assert_double_le(vec_norm(vec_sub(elbow, vec(0.0, 1.0, 0.0))), 1e-4);
    ck_assert_double_le(report.position_error, 1e-12);
    /* weights 1 and 3: the pull of (5, 0) and (0, 5) on the unit circle, towards 15 : 5 */
    both[1].weight = 3.0;
    both[2] = (tn_marker_request){.marker = {0}, .position = vec(5.0, 0.0, 0.0), .weight = 1.0};
    ck_assert_int_eq(tn_sim_pose(m.sim, NULL, 0, both, 3, NULL, NULL, NULL, &report), TN_OK);
    elbow = tn_sim_marker_position(m.sim, (tn_marker){0});
    ck_assert_double_eq_tol(atan2(elbow.y, elbow.x), atan2(15.0, 5.0), 1e-4);
    mechanism_free(&m);
}
END_TEST

/* ---- memory ---- */

/* A rough drawing of a four-bar, moving, with a coordinate to set: all that room coords does, with
 * the k-th allocation made to fail. */
static tn_status everything(void)
{
    tn_spec *spec = NULL;
    tn_model *model = NULL;
    tn_sim *sim = NULL;
    static const char text[] =
        "tenon: 1\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: [1, 1, 1], position: [0, 1.1, 0], velocity: "
        "{linear: [1, 0, 0]}}\n"
        "  b: {mass: 1, inertia: [1, 1, 1], position: [1, 2, 0.02]}\n"
        "  c: {mass: 1, inertia: [1, 1, 1], position: [2, 1, 0]}\n"
        "joints:\n"
        "  o: {type: hinge, a: a, b: ground, frame_a: {position: [0, -1, 0]},"
        " frame_b: {}, set: {theta: 0.2}}\n"
        "  p: {type: hinge, a: b, b: a, frame_a: {position: [-1, 0, 0]}, "
        "frame_b: {position: [0, 1, 0]}}\n"
        "  q: {type: hinge, a: b, b: c, frame_a: {position: [1, 0, 0]}, "
        "frame_b: {position: [0, 1, 0]}}\n"
        "  r: {type: hinge, a: c, b: ground, frame_a: {position: [0, -1, 0]},"
        " frame_b: {position: [2, 0, 0]}}\n"
        "markers:\n"
        "  m: {body: b, position: [0, 0.5, 0]}\n";
    tn_status status = tn_spec_read_string(text, strlen(text), "four bar", NULL, &spec);
    if (status == TN_OK)
        status = tn_model_compile(spec, NULL, &model);
    if (status == TN_OK)
        status = tn_sim_create(model, NULL, NULL, &sim);
    const tn_coordinate_request r = {{0}, 0, 0.5};
    const tn_marker_request marker = {.marker = {0}, .position = {1.0, 2.0, 0.0}, .weight = 1.0};
    double rate[4 * TN_MAX_COORDINATES], second[4 * TN_MAX_COORDINATES];
    tn_transmission t;
    if (status == TN_OK)
        status = tn_sim_set_coordinates(sim, &r, 1, NULL, NULL, NULL);
    if (status == TN_OK)
        status = tn_sim_pose(sim, NULL, 0, &marker, 1, NULL, NULL, NULL, NULL);
    if (status == TN_OK)
        status = tn_sim_set_coordinate_speed(sim, r.joint, 0, 1.0);
    if (status == TN_OK)
        status = tn_sim_motion_ratios(sim, r.joint, 0, rate, second, NULL);
    if (status == TN_OK)
        status = tn_sim_transmission(sim, r.joint, 0, (tn_joint){3}, 0, (tn_joint){-1}, &t);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
    tn_spec_destroy(spec);
    return status;
}

START_TEST(every_allocation_may_fail)
{
    test_allocator allocator = {.left = -1};
    tn_set_allocator(test_realloc, &allocator);
    ck_assert_int_eq(everything(), TN_OK);
    const int64_t all = allocator.calls;
    ck_assert_int_eq(allocator.alive, 0);
    for (int64_t k = 0; k < all; k++) {
        allocator.left = k;
        ck_assert_int_eq(everything(), TN_ERROR_MEMORY);
        ck_assert_int_eq(allocator.alive, 0);
    }
    tn_set_allocator(NULL, NULL);
    printf("%d allocations, each made to fail\n", (int)all);
}
END_TEST

/* ---- where it was written ---- */

START_TEST(a_conflict_has_its_line)
{
    static const char text[] = "tenon: 1\n"
                               "bodies:\n"
                               "  a: {mass: 1, inertia: [1, 1, 1], position: [0, 1, 0]}\n"
                               "  b: {mass: 1, inertia: [1, 1, 1], position: [1, 2, 0]}\n"
                               "  c: {mass: 1, inertia: [1, 1, 1], position: [2, 1, 0]}\n"
                               "joints:\n"
                               "  o: {type: hinge, a: a, b: ground, origin: [0, 0, 0]}\n"
                               "  p: {type: hinge, a: b, b: a, origin: [0, 2, 0]}\n"
                               "  q: {type: hinge, a: b, b: c, origin: [2, 2, 0]}\n"
                               "  r:\n"
                               "    type: hinge\n"
                               "    a: c\n"
                               "    b: ground\n"
                               "    origin: [2, 0, 0]\n"
                               "    range: {theta: [-0.1, 0.1]}\n"
                               "  s:\n"
                               "    type: hinge\n"
                               "    a: a\n"
                               "    b: ground\n"
                               "    origin: [0, 0, 0]\n"
                               "    set: {theta: 0.6}\n";
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = NULL;
    tn_model *model = NULL;
    tn_sim *sim = NULL;
    ck_assert_int_eq(tn_spec_read_string(text, strlen(text), "my file.yaml", diags, &spec), TN_OK);
    ck_assert_int_eq(tn_model_compile(spec, diags, &model), TN_OK);
    tn_spec_destroy(spec);
    ck_assert_int_eq(tn_sim_create(model, NULL, diags, &sim), TN_ERROR_CONFLICT);
    int found = 0;
    for (int k = 0; k < tn_diagnostics_count(diags); k++) {
        const tn_diagnostic *d = tn_diagnostics_get(diags, k);
        if (d->severity != TN_ERROR)
            continue;
        found++;
        ck_assert_str_eq(d->at.file, "my file.yaml");
        ck_assert_int_eq(d->at.line, 21);
        ck_assert_ptr_nonnull(strstr(d->message, "'s': theta cannot be set to 0.6"));
    }
    ck_assert_int_eq(found, 1);
    tn_diagnostics_destroy(diags);
    tn_model_destroy(model);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("coords edges");
    TCase *all = tcase_create("all");
    tcase_add_test(all, setting_keeps_the_rest_of_the_pose);
    tcase_add_test(all, points_glide_straight);
    tcase_add_test(all, impossible_values_are_limited);
    tcase_add_test(all, what_is_outside_is_led_back);
    tcase_add_test(all, what_cannot_come_back_is_named);
    tcase_add_test(all, soft_rows_do_not_soften_requests);
    tcase_add_test(all, holds_outlive_placing);
    tcase_add_test(all, hard_and_soft_markers_together);
    tcase_add_test(all, every_allocation_may_fail);
    tcase_add_test(all, a_conflict_has_its_line);
    suite_add_tcase(suite, all);
    return suite;
}
