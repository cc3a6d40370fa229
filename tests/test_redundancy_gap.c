/* test_redundancy_gap.c: loops that close only almost: they move as the exact mechanism does, and
 * what stays open is told; larger gaps are refused by name, or run on request.
 *
 * Bricard's mechanism moves only because its geometry is exact; its path is that of the IFToMM
 * benchmark (data/mechanisms/A04.csv). With joints off by 1e-6 a solver that takes the nearly
 * repeated row seriously sees no freedom at all, and the mechanism creeps or stands still.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/csv_table.h"
#include "support/overconstrained.h"
#include "support/run_main.h"
#include "support/sample_mechanisms.h"
#include "support/saved_states.h"
#include "support/solids.h"

#define OFF  1e-6 /* m, rad: error of the joints' frames */
#define SEED 7

typedef struct outcome {
    double gap, error; /* m or rad: largest that stayed open; largest joint error besides */
    tn_vec3 J4;        /* m, at the end */
} outcome;

static mechanism exact_bricard(mechanism (*build)(void))
{
    mechanism m = build();
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    return m;
}

static void start(mechanism *m, tn_integrator integrator, tn_diagnostics *diags)
{
    tn_sim_options options = tn_default_sim_options(m->model);
    options.integrator = integrator;
    ck_assert_int_eq(tn_sim_create(m->model, &options, diags, &m->sim), TN_OK);
}

static outcome run(mechanism *m, double h, double duration)
{
    outcome seen = {0};
    const int steps = (int)round(duration / h);
    for (int k = 0; k < steps; k++) {
        tn_step_report r;
        ck_assert_int_eq(tn_sim_step(m->sim, h, &r), TN_OK);
        seen.gap = fmax(seen.gap, fmax(r.gap, r.gap_angle));
        seen.error = fmax(seen.error, fmax(r.position_error, r.angle_error));
    }
    if (tn_model_get_size(m->model).bodies < 3)
        return seen;
    const tn_pose third = tn_sim_body_pose(m->sim, (tn_body){2});
    seen.J4 = tn_pose_transform_point(third, vec(0.0, 0.0, 0.5));
    return seen;
}

/* Distance from the benchmark at 8 s. */
static double off_path(tn_vec3 J4)
{
    csv_table table = csv_table_read("A04");
    double off = NAN;
    for (int row = 0; row < table.row_count; row++)
        if (fabs(csv_table_at(&table, row, "t") - 8.0) < 1e-9)
            off = vec_norm(
                vec_sub(J4, vec(csv_table_at(&table, row, "P4x"), csv_table_at(&table, row, "P4y"),
                                csv_table_at(&table, row, "P4z"))));
    csv_table_free(&table);
    return off;
}

static void check_path(double amount, double h, double tolerance)
{
    mechanism exact = exact_bricard(sample_bricard);
    mechanism m = disturbed(&exact, amount, SEED);
    start(&m, TN_GENERALIZED_ALPHA, NULL);
    const outcome seen = run(&m, h, 8.0);
    const double off = off_path(seen.J4);
    printf("Bricard, joints off by %g, h = %g: J4 off by %.2e m, gap %.1e, error %.1e\n", amount, h,
           off, seen.gap, seen.error);
    ck_assert_double_le(off, tolerance);
    ck_assert_double_gt(seen.gap, 0.01 * amount);
    ck_assert_double_le(seen.gap, 3.0 * amount);
    ck_assert_double_le(seen.error, 1e-12);
    mechanism_free(&m);
    mechanism_free(&exact);
}

/* The step's own error is 6e-4 m at 1e-2 s. */
START_TEST(disturbed_bricard_keeps_its_path)
{
    check_path(OFF, 1e-2, 1e-3);
    check_path(OFF, 1e-3, 5e-5);
    check_path(1e-9, 1e-2, 1e-3);
    check_path(1e-5, 1e-2, 1e-3);
    check_path(3e-5, 1e-2, 2e-3);
}
END_TEST

/* First-order steppers: the same motion as without the disturbance; and rods without inertia about
 * themselves, whose rows have no scale of their own, move as others do. */
START_TEST(first_order_steppers_move_on)
{
    static const tn_integrator both[] = {TN_BACKWARD_EULER, TN_CONSTRAINED_BACKWARD_EULER};
    mechanism (*const build[])(void) = {sample_bricard, sample_bricard_slender};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            mechanism exact = exact_bricard(build[k]);
            tn_vec3 end[3];
            const double amount[3] = {0.0, 1e-9, OFF};
            for (int a = 0; a < 3; a++) {
                mechanism m = disturbed(&exact, amount[a], SEED);
                start(&m, both[i], NULL);
                end[a] = run(&m, 1e-2, 4.0).J4;
                mechanism_free(&m);
            }
            ck_assert_double_gt(vec_norm(vec_sub(end[0], vec(0.0, -1.0, 1.0))), 0.3);
            ck_assert_double_le(vec_norm(vec_sub(end[0], end[1])), 1e-5);
            ck_assert_double_le(vec_norm(vec_sub(end[0], end[2])), 1e-3);
            mechanism_free(&exact);
        }
    }
}
END_TEST

/* Both frames of each joint off alike: the drawing closes, the motion does not. */
static mechanism skewed(const mechanism *m, double amount)
{
    mechanism off = mechanism_new(tn_spec_world(m->spec)->gravity);
    uint64_t seed = SEED;
    for (int i = 0; i < tn_spec_body_count(m->spec); i++)
        mechanism_body(&off, tn_spec_body(m->spec, (tn_body){i}));
    for (int j = 0; j < tn_spec_joint_count(m->spec); j++) {
        tn_joint_def def = *tn_spec_joint(m->spec, (tn_joint){j});
        tn_model_joint_frames(m->model, (tn_joint){j}, &def.frame_c, &def.frame_d);
        const tn_vec3 p = random_vector(&seed), w = random_vector(&seed);
        const tn_pose d = {vec(amount * p.x, amount * p.y, amount * p.z),
                           tn_quat_from_axis_angle(w, amount * vec_norm(w))};
        def.frame_c = tn_pose_multiply(def.frame_c, d);
        def.frame_d = tn_pose_multiply(def.frame_d, d);
        def.placement = TN_PLACE_BODY_FRAMES;
        mechanism_joint(&off, &def);
    }
    ck_assert_int_eq(tn_model_compile(off.spec, NULL, &off.model), TN_OK);
    return off;
}

static const char *message_with(const tn_diagnostics *diags, const char *part)
{
    for (int i = 0; i < tn_diagnostics_count(diags); i++)
        if (strstr(tn_diagnostics_get(diags, i)->message, part))
            return tn_diagnostics_get(diags, i)->message;
    return NULL;
}

START_TEST(a_loop_that_opens_as_it_moves)
{
    mechanism exact = exact_bricard(sample_bricard);
    mechanism m = skewed(&exact, OFF);
    tn_diagnostics *diags = tn_diagnostics_create();
    start(&m, TN_GENERALIZED_ALPHA, diags);
    ck_assert_int_eq(tn_diagnostics_count(diags), 1);
    ck_assert_ptr_nonnull(message_with(diags, "closes only where it is drawn"));
    const outcome seen = run(&m, 1e-3, 8.0);
    ck_assert_double_le(off_path(seen.J4), 1e-4);
    ck_assert_double_gt(seen.gap, 1e-9);
    ck_assert_double_le(seen.gap, 1e-5);
    tn_diagnostics_destroy(diags);
    mechanism_free(&m);
    mechanism_free(&exact);
}
END_TEST

/* First-order steppers move on too: rows that nearly repeat others are not those of a fold. */
START_TEST(a_loop_that_opens_under_first_order_steppers)
{
    static const tn_integrator both[] = {TN_BACKWARD_EULER, TN_CONSTRAINED_BACKWARD_EULER};
    static const double amounts[] = {0.0, 1e-12, 1e-11, 1e-9, 1e-7, OFF, 1e-5};
    mechanism exact = exact_bricard(sample_bricard);
    for (int i = 0; i < 2; i++) {
        tn_vec3 end = vec(0.0, 0.0, 0.0);
        for (size_t a = 0; a < sizeof amounts / sizeof amounts[0]; a++) {
            mechanism m = skewed(&exact, amounts[a]);
            start(&m, both[i], NULL);
            const outcome seen = run(&m, 1e-2, 4.0);
            end = a == 0 ? seen.J4 : end;
            const double off = vec_norm(vec_sub(seen.J4, end));
            printf("%s, joints skewed by %g: J4 off by %.1e m, gap %.1e\n",
                   tn_integrator_name(both[i]), amounts[a], off, seen.gap);
            ck_assert_double_le(off, 1e-3);
            mechanism_free(&m);
        }
    }
    mechanism_free(&exact);
}
END_TEST

START_TEST(the_warning_names_the_circuit)
{
    mechanism exact = exact_bricard(sample_bricard);
    mechanism m = disturbed(&exact, OFF, SEED);
    tn_diagnostics *diags = tn_diagnostics_create();
    start(&m, TN_GENERALIZED_ALPHA, diags);
    ck_assert_int_eq(tn_diagnostics_count(diags), 1);
    ck_assert_int_eq(tn_diagnostics_get(diags, 0)->severity, TN_WARNING);
    const char *message = message_with(diags, "does not close");
    ck_assert_ptr_nonnull(message);
    for (int j = 0; j < 6; j++) {
        char name[16];
        snprintf(name, sizeof name, "'%s'", tn_model_joint_name(m.model, (tn_joint){j}));
        ck_assert_ptr_nonnull(strstr(message, name));
    }
    tn_diagnostics_destroy(diags);
    mechanism_free(&m);
    mechanism_free(&exact);
}
END_TEST

/* An exact mechanism has no gaps, whatever its redundancy, and text with 17 digits leaves none. */
START_TEST(exact_loops_have_no_gaps)
{
    for (int k = 0; k < overconstrained_count; k++) {
        mechanism m = overconstrained_list[k].build();
        tn_diagnostics *diags = tn_diagnostics_create();
        ck_assert_int_eq(tn_model_compile(m.spec, NULL, &m.model), TN_OK);
        start(&m, TN_GENERALIZED_ALPHA, diags);
        ck_assert_int_eq(tn_diagnostics_count(diags), 0);
        for (int n = 0; n < 3; n++) {
            tn_step_report r;
            ck_assert_int_eq(tn_sim_step(m.sim, 1e-3, &r), TN_OK);
            ck_assert_double_eq(fmax(r.gap, r.gap_angle), 0.0);
        }
        tn_diagnostics_destroy(diags);
        mechanism_free(&m);
    }
}
END_TEST

/* Two hinges of a door a centimetre out of line. */
START_TEST(large_gaps_are_refused_or_asked_for)
{
    mechanism exact = door(2);
    mechanism_start(&exact, TN_GENERALIZED_ALPHA);
    mechanism m = disturbed(&exact, 1e-2, SEED);
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_sim_options options = tn_default_sim_options(m.model);
    ck_assert_int_eq(options.loops, TN_LOOPS_REFUSE);
    ck_assert_int_eq(tn_sim_create(m.model, &options, diags, &m.sim), TN_ERROR_CONFLICT);
    ck_assert_ptr_null(m.sim);
    ck_assert_ptr_nonnull(message_with(diags, "joint0"));
    ck_assert_ptr_nonnull(message_with(diags, "joint1"));
    tn_diagnostics_clear(diags);
    options.loops = TN_LOOPS_LEAST_SQUARES;
    ck_assert_int_eq(tn_sim_create(m.model, &options, diags, &m.sim), TN_OK);
    ck_assert_int_eq(tn_diagnostics_error_count(diags), 0);
    ck_assert_ptr_nonnull(message_with(diags, "least squares"));
    const outcome seen = run(&m, 1e-3, 1.0);
    ck_assert_double_gt(seen.gap, 1e-3);
    ck_assert_double_le(seen.gap, 2e-2);
    tn_diagnostics_destroy(diags);
    mechanism_free(&m);
    mechanism_free(&exact);
}
END_TEST

START_TEST(save_and_restore_keep_the_bits)
{
    mechanism exact = exact_bricard(sample_bricard);
    mechanism m = disturbed(&exact, OFF, SEED);
    start(&m, TN_GENERALIZED_ALPHA, NULL);
    run(&m, 1e-2, 0.5);
    void *block = saved_state(m.sim);
    const tn_vec3 first = run(&m, 1e-2, 0.5).J4;
    ck_assert_int_eq(tn_sim_restore(m.sim, block), TN_OK);
    const tn_vec3 second = run(&m, 1e-2, 0.5).J4;
    ck_assert_int_eq(memcmp(&first, &second, sizeof first), 0);
    free(block);
    mechanism_free(&m);
    mechanism_free(&exact);
}
END_TEST

/* A door of this size on two hinges of which the upper leans by `lean`, pulled by gravity across its axis. */
static mechanism leaning_door(double lean, double size, double mass)
{
    mechanism m = mechanism_new(vec(1.0 * size, 2.0 * size, -9.81 * size));
    tn_body_def def = tn_default_body_def();
    def.pose.p = vec(0.4 * size, 0.0, 0.5 * size);
    def.mass = mass;
    def.inertia = mat_diagonal(0.10 * mass * size * size, 0.15 * mass * size * size,
                               0.06 * mass * size * size);
    const tn_body leaf = mechanism_body(&m, &def);
    mechanism_axis_joint(&m, "hinge", leaf, tn_ground(), vec(0.0, 0.0, 0.0), vec(0.0, 0.0, 1.0));
    mechanism_axis_joint(&m, "hinge", leaf, tn_ground(), vec(0.0, 0.0, size), vec(lean, 0.0, 1.0));
    return m;
}

/* rad: where the door is after 1 s; degrees of freedom by the analysis and by the simulation. */
static double turned_by(double lean, double size, double mass, int method, int *dof)
{
    mechanism m = leaning_door(lean, size, mass);
    mechanism_start(&m, method);
    mechanism_run(&m, 0.04, 25, NULL);
    double q[2 * TN_MAX_COORDINATES];
    tn_sim_get_coordinates(m.sim, q);
    tn_analysis analysis;
    tn_rank rank;
    ck_assert_int_eq(tn_model_analyze(m.model, NULL, &analysis), TN_OK);
    ck_assert_int_eq(tn_sim_rank(m.sim, &rank), TN_OK);
    ck_assert_int_eq(rank.dof, analysis.dof);
    *dof = analysis.dof;
    tn_analysis_free(&analysis);
    mechanism_free(&m);
    return q[0];
}

/* One verdict: what has a freedom by the analysis moves as the exact door does, of any size and mass and by every
 * method; what has none stands still. */
START_TEST(leaning_doors_move_or_are_locked)
{
    static const struct {
        double lean, size, mass; /* rad, m, kg */
    } doors[] = {{1e-6, 1.0, 1e-6},  {1e-5, 1e-3, 10.0}, {2e-5, 1.0, 10.0},
                 {8e-5, 10.0, 10.0}, {3e-4, 1e-3, 1e6},  {1e-3, 10.0, 1e-6}};
    for (int method = 0; method < METHODS; method++) {
        int dof = 0;
        const double exact = turned_by(0.0, 1.0, 10.0, method, &dof);
        ck_assert_int_eq(dof, 1);
        for (int k = 0; k < (int)(sizeof doors / sizeof doors[0]); k++) {
            const double lean = doors[k].lean,
                         angle = turned_by(lean, doors[k].size, doors[k].mass, method, &dof);
            ck_assert_int_eq(dof, lean < 1e-4);
            ck_assert_double_eq_tol(angle, dof == 1 ? exact : 0.0, 100.0 * lean + 1e-3);
        }
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("redundancy_gap");
    TCase *tests = tcase_create("gap");
    tcase_set_timeout(tests, 60.0);
    tcase_add_test(tests, disturbed_bricard_keeps_its_path);
    tcase_add_test(tests, first_order_steppers_move_on);
    tcase_add_test(tests, a_loop_that_opens_as_it_moves);
    tcase_add_test(tests, a_loop_that_opens_under_first_order_steppers);
    tcase_add_test(tests, leaning_doors_move_or_are_locked);
    tcase_add_test(tests, the_warning_names_the_circuit);
    tcase_add_test(tests, exact_loops_have_no_gaps);
    tcase_add_test(tests, large_gaps_are_refused_or_asked_for);
    tcase_add_test(tests, save_and_restore_keep_the_bits);
    suite_add_tcase(suite, tests);
    return suite;
}
