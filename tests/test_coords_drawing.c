/* test_coords_drawing.c: closing rough drawings: closed or refused by name, with least movement,
 * right side up; coordinates of loops set by the model.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coords_mechanisms.h"
#include "random_numbers.h"
#include "run_main.h"
#include "saved_states.h"

static uint64_t seed;
static double uniform(double low, double high)
{
    return random_between(&seed, low, high);
}

static tn_quat turned(tn_quat q, tn_vec3 w)
{
    const tn_pose turn = {vec(0.0, 0.0, 0.0),
                          tn_quat_from_axis_angle(vec(w.x, w.y, w.z + 1e-300), vec_norm(w))};
    const tn_pose body = {vec(0.0, 0.0, 0.0), q};
    return tn_pose_multiply(turn, body).q;
}

static mechanism crank_rocker(void)
{
    return coords_four_bar(COORDS_CRANK_ROCKER);
}
static mechanism parallelogram(void)
{
    return coords_four_bar(COORDS_PARALLELOGRAM);
}
static mechanism chain(void)
{
    return coords_chain(8);
}
static mechanism ring(void)
{
    return coords_ring(12);
}

static mechanism (*const drawings[])(void) = {crank_rocker,
                                              parallelogram,
                                              chain,
                                              ring,
                                              coords_universal_four_bar,
                                              coords_slotted_three_bar,
                                              coords_stewart,
                                              coords_watt,
                                              coords_siblings,
                                              coords_multi_loop};

static void disturb(mechanism *m, double share)
{
    for (int i = 0; i < tn_model_get_size(m->model).bodies; i++) {
        tn_pose pose = tn_sim_body_pose(m->sim, (tn_body){i});
        const double s = share;
        pose.p.x += uniform(-s, s);
        pose.p.y += uniform(-s, s);
        pose.p.z += uniform(-s, s);
        pose.q = turned(pose.q, vec(uniform(-s, s), uniform(-s, s), uniform(-s, s)));
        ck_assert_int_eq(tn_sim_set_body_pose(m->sim, (tn_body){i}, pose), TN_OK);
    }
}

/* 10 mechanisms, three roughnesses (of links about 1 m long), ten drawings each. */
START_TEST(rough_drawings_close_or_are_refused)
{
    const double share[] = {0.01, 0.05, 0.2};
    int closed[3] = {0}, refused[3] = {0};
    seed = 11;
    for (size_t k = 0; k < sizeof drawings / sizeof *drawings; k++) {
        mechanism m = drawings[k]();
        void *block = saved_state(m.sim);
        for (int n = 0; n < 30; n++) {
            tn_placement_report report;
            ck_assert_int_eq(tn_sim_restore(m.sim, block), TN_OK);
            disturb(&m, share[n % 3]);
            const tn_status status = tn_sim_assemble(m.sim, &report);
            if (status == TN_OK) {
                closed[n % 3]++;
                ck_assert_double_le(report.position_error, 1e-11);
                ck_assert_double_le(report.angle_error, 1e-11);
                ck_assert_int_eq(report.worst_count, 0);
                ck_assert_int_ge(report.moved_most.i, 0);
                continue;
            }
            refused[n % 3]++;
            ck_assert_int_eq(status, TN_ERROR_NOT_CONVERGED);
            ck_assert_int_gt(report.worst_count, 0); /* by name */
        }
        free(block);
        mechanism_free(&m);
    }
    for (int n = 0; n < 3; n++)
        printf("drawings off by %2.0f %%: %d closed, %d refused\n", 100.0 * share[n], closed[n],
               refused[n]);
    ck_assert_int_eq(closed[0], 100);
    ck_assert_int_eq(closed[1], 100);
    ck_assert_int_ge(closed[2], 95);
}
END_TEST

/* Against SciPy: see tests/data/coords/make_least_movement.py. */
START_TEST(movement_is_least)
{
    FILE *file = fopen(TN_TEST_DATA "/coords/least_movement.csv", "r");
    ck_assert_ptr_nonnull(file);
    mechanism m = crank_rocker();
    const double length[] = {1.0, 3.0, 2.5};
    double v[19], worst = 0.0;
    int rows = 0;
    for (;; rows++) {
        int n = 0;
        while (n < 19 && fscanf(file, n < 18 ? "%lf," : "%lf", &v[n]) == 1)
            n++;
        if (n < 19)
            break;
        for (int i = 0; i < 3; i++) {
            tn_pose pose = tn_sim_body_pose(m.sim, (tn_body){i});
            const tn_vec3 d = tn_pose_rotate_vector(pose, vec(0.0, 0.0, 1.0)); /* along the rod */
            pose.q = turned(pose.q, vec(0.0, 0.0, v[3 * i + 2] - atan2(d.y, d.x)));
            pose.p = vec(v[3 * i], v[3 * i + 1], 0.0);
            ck_assert_int_eq(tn_sim_set_body_pose(m.sim, (tn_body){i}, pose), TN_OK);
        }
        ck_assert_int_eq(tn_sim_assemble(m.sim, NULL), TN_OK);
        double sum = 0.0;
        for (int i = 0; i < 3; i++) {
            const tn_pose pose = tn_sim_body_pose(m.sim, (tn_body){i});
            const tn_vec3 d = tn_pose_rotate_vector(pose, vec(0.0, 0.0, 1.0)); /* along the rod */
            const double angle = atan2(d.y, d.x), l = length[i];
            const double inertia = l * l * l / 12.0 + 1e-3 * l;
            const double dx = pose.p.x - v[3 * i], dy = pose.p.y - v[3 * i + 1];
            sum += l * (dx * dx + dy * dy) + inertia * pow(angle - v[3 * i + 2], 2.0);
            worst = fmax(worst, fabs(pose.p.x - v[9 + 3 * i]));
            worst = fmax(worst, fabs(pose.p.y - v[10 + 3 * i]));
            worst = fmax(worst, fabs(angle - v[11 + 3 * i]));
        }
        ck_assert_double_eq_tol(sum, v[18], 1e-9);
    }
    fclose(file);
    ck_assert_int_eq(rows, 20);
    printf("least movement: %d drawings, largest distance from SciPy's %.1e\n", rows, worst);
    ck_assert_double_le(worst, 1e-7);
    mechanism_free(&m);
}
END_TEST

static void add_rod(mechanism *m, double length, tn_body *body)
{
    const rod r = {.p = vec(0.0, 0.0, 0.0),
                   .q = vec(length, 0.0, 0.0),
                   .mass = length,
                   .along = 1e-3,
                   .across = 0.1};
    *body = mechanism_rod(m, &r);
}

/* Hinge between points on the axes of two rods (or ground), given in body frames; z of the world is
 * y of the rods. */
static void add_pin(mechanism *m, const char *name, tn_body a, double at_a, tn_body b, tn_vec3 at_b)
{
    const tn_quat to_axis = tn_quat_from_z_axis(vec(0.0, 1.0, 0.0));
    tn_joint_def def = tn_default_joint_def();
    def.name = name;
    def.type = "spherical";
    def.a = a;
    def.b = b;
    def.placement = TN_PLACE_BODY_FRAMES;
    def.frame_c = (tn_pose){vec(0.0, 0.0, at_a), to_axis};
    def.frame_d = (tn_pose){at_b, to_axis};
    mechanism_joint(m, &def);
}

/* Two rods of 1 m cannot span 3 m: refused, with the joints' names. */
START_TEST(impossible_loop_is_refused_by_name)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    tn_body a, b;
    add_rod(&m, 1.0, &a);
    add_rod(&m, 1.0, &b);
    add_pin(&m, "left", a, -0.5, tn_ground(), vec(0.0, 0.0, 0.0));
    add_pin(&m, "middle", b, -0.5, a, vec(0.0, 0.0, 0.5));
    add_pin(&m, "right", b, 0.5, tn_ground(), vec(3.0, 0.0, 0.0));
    tn_diagnostics *diags = tn_diagnostics_create();
    ck_assert_int_eq(tn_model_compile(m.spec, diags, &m.model), TN_OK);
    ck_assert_int_eq(tn_sim_create(m.model, NULL, diags, &m.sim), TN_ERROR_CONFLICT);
    ck_assert_ptr_null(m.sim);
    int named = 0;
    for (int k = 0; k < tn_diagnostics_count(diags); k++)
        named += strstr(tn_diagnostics_get(diags, k)->message, "cannot be closed") != NULL;
    ck_assert_int_ge(named, 1);
    tn_diagnostics_destroy(diags);
    mechanism_free(&m);
}
END_TEST

/* Body welded to ground with its frame turned by 180 degrees about each axis: it ends at C = D. */
START_TEST(weld_ends_right_side_up)
{
    const tn_vec3 axes[] = {vec(1.0, 0.0, 0.0), vec(0.0, 1.0, 0.0), vec(0.0, 0.0, 1.0),
                            vec(1.0, 1.0, 0.0)};
    for (int k = 0; k < 4; k++) {
        mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
        tn_body_def def = tn_default_body_def();
        def.mass = 1.0;
        def.com = vec(0.1, 0.0, 0.0);
        def.inertia = mat_diagonal(1.0, 2.0, 2.5);
        def.pose =
            (tn_pose){vec(0.3, 0.2, 0.1), tn_quat_from_axis_angle(axes[k], 3.14159265358979323846)};
        tn_joint_def weld = tn_default_joint_def();
        weld.type = "solid";
        weld.a = mechanism_body(&m, &def);
        weld.placement = TN_PLACE_BODY_FRAMES;
        mechanism_joint(&m, &weld);
        mechanism_start(&m, TN_GENERALIZED_ALPHA);
        const tn_pose pose = tn_sim_body_pose(m.sim, (tn_body){0});
        ck_assert_double_le(vec_norm(pose.p), 1e-12);
        ck_assert_double_ge(fabs(pose.q.w), 1.0 - 1e-12);
        mechanism_free(&m);
    }
}
END_TEST

/* Velocities: the change of least kinetic energy keeps what the joints allow: v' = P v is
 * M-orthogonal to the change. */
START_TEST(velocities_become_consistent)
{
    mechanism m = crank_rocker();
    seed = 5;
    for (int i = 0; i < 3; i++) {
        const tn_twist twist = {vec(uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-1.0, 1.0)),
                                vec(uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-1.0, 1.0))};
        ck_assert_int_eq(tn_sim_set_body_velocity(m.sim, (tn_body){i}, twist), TN_OK);
    }
    const double before = tn_sim_energy(m.sim).kinetic;
    tn_placement_report report;
    ck_assert_int_eq(tn_sim_assemble(m.sim, &report), TN_OK);
    const double after = tn_sim_energy(m.sim).kinetic;
    ck_assert_double_gt(report.velocity_change, 0.1);
    ck_assert_double_lt(after, before);
    ck_assert_int_eq(tn_sim_assemble(m.sim, &report), TN_OK);
    ck_assert_double_le(report.velocity_change, 1e-12);
    ck_assert_double_eq_tol(tn_sim_energy(m.sim).kinetic, after, 1e-12);
    mechanism_free(&m);
}
END_TEST

/* `set` of a joint in a loop: reached when the simulation is made, or refused. */
START_TEST(model_sets_coordinates_of_loops)
{
    for (int reachable = 0; reachable < 2; reachable++) {
        mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
        const tn_vec3 p[4] = {vec(0.0, 0.0, 0.0), vec(0.0, 1.0, 0.0), vec(2.0, 1.0, 0.0),
                              vec(2.0, 0.0, 0.0)};
        tn_body before = tn_ground();
        for (int k = 0; k < 4; k++) {
            const rod r = {
                .p = p[k], .q = p[(k + 1) % 4], .mass = 1.0, .along = 0.01, .across = 0.1};
            const tn_body body = k < 3 ? mechanism_rod(&m, &r) : tn_ground();
            tn_joint_def def = tn_default_joint_def();
            def.type = "hinge";
            def.a = k < 3 ? body : before;
            def.b = k < 3 ? before : tn_ground();
            def.placement = TN_PLACE_ORIGIN;
            def.origin = p[k];
            if (k == 0) {
                def.set[0] = reachable ? -0.5 : 0.5;
                def.lower[0] = reachable ? -INFINITY : -0.1;
            }
            if (k == 3 && !reachable)
                def.upper[0] = 0.2; /* the crank is stopped before it gets there */
            mechanism_joint(&m, &def);
            before = body;
        }
        tn_diagnostics *diags = tn_diagnostics_create();
        ck_assert_int_eq(tn_model_compile(m.spec, diags, &m.model), TN_OK);
        const tn_status status = tn_sim_create(m.model, NULL, diags, &m.sim);
        if (reachable) {
            double q;
            ck_assert_int_eq(status, TN_OK);
            tn_sim_joint_coordinates(m.sim, (tn_joint){0}, &q);
            ck_assert_double_eq_tol(q, -0.5, 1e-10);
            const tn_vec3 middle = tn_sim_body_pose(m.sim, (tn_body){1}).p; /* parallelogram */
            ck_assert_double_eq_tol(middle.x, 1.0 + sin(0.5), 1e-10);
            ck_assert_double_eq_tol(middle.y, cos(0.5), 1e-10);
        } else {
            ck_assert_int_eq(status, TN_ERROR_CONFLICT);
            ck_assert_ptr_nonnull(
                strstr(tn_diagnostics_get(diags, 0)->message, "cannot be set to 0.5"));
        }
        tn_diagnostics_destroy(diags);
        mechanism_free(&m);
    }
}
END_TEST

/* Ratios of the crank-rocker against central differences of set coordinates. */
START_TEST(ratios_are_derivatives)
{
    enum { N = 4 * TN_MAX_COORDINATES };
    mechanism m = crank_rocker();
    const double h = 1e-4;
    double q[3][N], rate[N], second[N];
    for (double at = 0.1; at < 6.3; at += 0.7) {
        for (int k = 0; k < 3; k++) {
            const tn_coordinate_request r = {{0}, 0, at + h * (k == 0 ? -1 : k == 1 ? 1 : 0)};
            ck_assert_int_eq(tn_sim_set_coordinates(m.sim, &r, 1, NULL, NULL, NULL), TN_OK);
            tn_sim_get_coordinates(m.sim, q[k]);
        }
        ck_assert_int_eq(tn_sim_motion_ratios(m.sim, (tn_joint){0}, 0, rate, second, NULL), TN_OK);
        for (int j = 0; j < 4; j++) {
            const int i = j * TN_MAX_COORDINATES;
            ck_assert_double_eq_tol(rate[i], (q[1][i] - q[0][i]) / (2.0 * h), 1e-7);
            ck_assert_double_eq_tol(second[i], (q[1][i] - 2.0 * q[2][i] + q[0][i]) / (h * h), 1e-5);
        }
        ck_assert_double_eq_tol(rate[0], 1.0, 1e-12);
        ck_assert_double_eq_tol(second[0], 0.0, 1e-10);
    }
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("coords drawing");
    TCase *all = tcase_create("all");
    tcase_add_test(all, rough_drawings_close_or_are_refused);
    tcase_add_test(all, movement_is_least);
    tcase_add_test(all, impossible_loop_is_refused_by_name);
    tcase_add_test(all, weld_ends_right_side_up);
    tcase_add_test(all, velocities_become_consistent);
    tcase_add_test(all, model_sets_coordinates_of_loops);
    tcase_add_test(all, ratios_are_derivatives);
    suite_add_tcase(suite, all);
    return suite;
}
