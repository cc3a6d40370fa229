/* test_redundancy.c: what tn_sim_analyze says of mechanisms whose redundancy is known: at the pose
 * they are drawn in, at random poses they reach, and with joints that are a little off.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/allocator.h"
#include "support/heavy.h"
#include "support/overconstrained.h"
#include "support/run_main.h"
#include "support/sample_mechanisms.h"
#include "support/saved_states.h"
#include "support/solids.h"

/* Dense singular values are clear for exact geometry. */
#define EXACT 1e-7

static mechanism started(mechanism (*build)(void))
{
    mechanism m = build();
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    return m;
}

static void check_counts(const overconstrained *o, const tn_analysis *a)
{
    ck_assert_msg(a->dof == o->dof, "%s: dof %d", o->name, a->dof);
    ck_assert_msg(a->redundant == o->redundant, "%s: redundant %d", o->name, a->redundant);
    ck_assert_msg(a->idle_count == o->idle, "%s: idle %d", o->name, a->idle_count);
    ck_assert_msg(!a->unclear, "%s: unclear, %g and %g", o->name, a->gap_low, a->gap_high);
    ck_assert_int_eq(a->dependent_count, a->redundant);
    ck_assert_int_eq(a->rows - a->rank, a->redundant);
    ck_assert_int_eq(a->velocities - a->rank, a->dof);
}

START_TEST(figures_as_drawn)
{
    for (int k = 0; k < overconstrained_count; k++) {
        const overconstrained *o = &overconstrained_list[k];
        mechanism m = started(o->build);
        tn_analysis a;
        ck_assert_int_eq(tn_sim_analyze(m.sim, NULL, &a), TN_OK);
        const dense_rank dense = dense_rank_of(m.sim, EXACT);
        printf("%-24s dof %d redundant %d (permanent %d) idle %d, gap %.0e .. %.0e, dense %.0e .. "
               "%.0e, fragile %.0e, changes %d\n",
               o->name, a.dof, a.redundant, a.permanent, a.idle_count, a.gap_low, a.gap_high,
               dense.dropped, dense.kept, a.fragile_residual, a.change_count);
        check_counts(o, &a);
        ck_assert_int_eq(a.rank, dense.rank);
        ck_assert_int_eq(a.rows, dense.rows);
        ck_assert_int_eq(a.momentary, 0);
        ck_assert_int_eq(a.conflicts, 0);
        ck_assert_int_eq(a.change_complete, 1);
        ck_assert(a.fragile == (a.redundant > 0));
        expect_dependents(m.sim, &a);
        tn_analysis_free(&a);
        mechanism_free(&m);
    }
}
END_TEST

START_TEST(figures_at_random_poses)
{
    enum { POSES = ALL_OR_FEW(20, 5), LARGE_POSES = 2, LARGE = 300 };
    for (int k = 0; k < overconstrained_count; k++) {
        const overconstrained *o = &overconstrained_list[k];
        mechanism m = started(o->build);
        uint64_t seed = 11u + (uint64_t)k;
        double low = 0.0, high = 1.0;
        for (int pose = 0; pose < POSES; pose++) {
            tn_analysis a;
            wander(&m, &seed, 0.005, 10);
            ck_assert_int_eq(tn_sim_analyze(m.sim, NULL, &a), TN_OK);
            check_counts(o, &a);
            if (a.rows < LARGE || pose < LARGE_POSES)
                ck_assert_int_eq(a.rank, dense_rank_of(m.sim, EXACT).rank);
            low = fmax(low, a.gap_low);
            high = fmin(high, a.gap_high);
            tn_analysis_free(&a);
        }
        printf("%-24s %d poses: gap %.0e .. %.0e\n", o->name, POSES, low, high);
        mechanism_free(&m);
    }
}
END_TEST

START_TEST(figures_with_joints_off)
{
    static const double amounts[] = {1e-9, 1e-7, 1e-5};
    for (int k = 0; k < overconstrained_count; k++) {
        const overconstrained *o = &overconstrained_list[k];
        mechanism m = started(o->build);
        tn_analysis exact;
        ck_assert_int_eq(tn_sim_analyze(m.sim, NULL, &exact), TN_OK);
        for (int i = 0; i < 3; i++) {
            mechanism off = disturbed(&m, amounts[i], 5u + (uint64_t)i);
            tn_analysis a;
            ck_assert_int_eq(tn_model_analyze(off.model, NULL, &a), TN_OK);
            printf("%-24s off by %.0e: gap %.0e .. %.0e, open by %.1e, conflicts %d\n", o->name,
                   amounts[i], a.gap_low, a.gap_high, a.residual, a.conflicts);
            check_counts(o, &a);
            ck_assert_int_eq(a.permanent, o->redundant);
            if (a.residual > 1e-9)
                ck_assert_int_gt(a.conflicts, 0);
            ck_assert_double_le(a.residual, 3.0 * amounts[i]);
            if (o->redundant >= 3) /* a single stress may vanish in a row by chance of the pose */
                ck_assert_int_eq(
                    memcmp(a.joints, exact.joints,
                           sizeof *a.joints * (size_t)tn_model_get_size(m.model).joints),
                    0);
            tn_analysis_free(&a);
            mechanism_free(&off);
        }
        tn_analysis_free(&exact);
        mechanism_free(&m);
    }
}
END_TEST

/* In-plane forces unique; force along the axis and both moments not. Rows fx fy fz mx my. */
START_TEST(four_bar_reactions)
{
    mechanism m = started(sample_four_bar);
    tn_analysis a;
    ck_assert_int_eq(tn_sim_analyze(m.sim, NULL, &a), TN_OK);
    for (int j = 0; j < 4; j++) {
        for (int row = 0; row < 5; row++)
            ck_assert_int_eq(tn_analysis_row_is_unique(&a, (tn_joint){j}, row), row < 2);
        ck_assert_uint_eq(a.joints[j].wrench, 1u | 2u | 32u);
    }
    ck_assert_int_eq(a.loop_count, 1);
    ck_assert_int_eq(a.loops[0].count, 4);
    ck_assert_int_eq(a.loops[0].redundant, 3);
    for (int d = 0; d < 3; d++) {
        ck_assert_int_eq(a.dependents[d].joint.i, 3);
        ck_assert_int_eq(a.dependents[d].row, 2 + d);
        ck_assert_int_eq(a.dependents[d].kind, TN_REDUNDANCY_PERMANENT);
    }
    ck_assert_int_eq(a.change_count, 1);
    ck_assert_int_eq(a.change_freedom, 0);
    ck_assert_str_eq(tn_joint_type_get(a.changes[0].type)->name, "point_line");
    tn_analysis_free(&a);
    mechanism_free(&m);
}
END_TEST

static void apply_change(const mechanism *m, const tn_type_change *change, tn_joint_def *def)
{
    const tn_pose turn = {vec(0.0, 0.0, 0.0),
                          tn_quat_from_axis_angle(vec(0.0, 0.0, 1.0), 0.5 * PI)};
    def->type = tn_joint_type_get(change->type)->name;
    tn_model_joint_frames(m->model, change->joint, &def->frame_c, &def->frame_d);
    def->placement = TN_PLACE_BODY_FRAMES;
    if (change->turned) {
        def->frame_c = tn_pose_multiply(def->frame_c, turn);
        def->frame_d = tn_pose_multiply(def->frame_d, turn);
    }
}

/* The change proposed, made: no redundant row, the same degrees of freedom plus what it said. */
START_TEST(changes_keep_their_promise)
{
    for (int k = 0; k < overconstrained_count; k++) {
        const overconstrained *o = &overconstrained_list[k];
        mechanism m = started(o->build);
        tn_analysis a, after;
        ck_assert_int_eq(tn_sim_analyze(m.sim, NULL, &a), TN_OK);
        mechanism changed = mechanism_new(vec(0.0, 0.0, 0.0));
        for (int i = 0; i < tn_spec_body_count(m.spec); i++)
            mechanism_body(&changed, tn_spec_body(m.spec, (tn_body){i}));
        for (int j = 0; j < tn_spec_joint_count(m.spec); j++) {
            tn_joint_def def = *tn_spec_joint(m.spec, (tn_joint){j});
            for (int c = 0; c < a.change_count; c++)
                if (a.changes[c].joint.i == j)
                    apply_change(&m, &a.changes[c], &def);
            mechanism_joint(&changed, &def);
        }
        mechanism_start(&changed, TN_GENERALIZED_ALPHA);
        ck_assert_int_eq(tn_sim_analyze(changed.sim, NULL, &after), TN_OK);
        ck_assert_msg(after.redundant == 0, "%s: %d left", o->name, after.redundant);

        ck_assert_int_eq(after.dof, a.dof + a.change_freedom);
        ck_assert_int_eq(after.fragile, 0);
        tn_analysis_free(&a);
        tn_analysis_free(&after);
        mechanism_free(&changed);
        mechanism_free(&m);
    }
}
END_TEST

/* All bars of the parallelogram in one line: a second way to go, one more relation along it. */
START_TEST(flat_parallelogram_is_singular)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -9.81));
    const tn_vec3 at[4] = {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}, {2, 0, 0}};
    const tn_vec3 axis = {0.0, 1.0, 0.0};
    tn_body bar[3];
    for (int k = 0; k < 3; k++)
        bar[k] = mechanism_rod(
            &m, &(rod){.p = at[k], .q = at[k + 1], .mass = 1.0, .along = 0.01, .across = 0.1});
    for (int k = 0; k < 4; k++)
        mechanism_axis_joint(&m, "hinge", bar[k < 3 ? k : 2], k % 3 ? bar[k - 1] : tn_ground(),
                             at[k], axis);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    tn_analysis a;
    ck_assert_int_eq(tn_sim_analyze(m.sim, NULL, &a), TN_OK);
    ck_assert_int_eq(a.dof, 2);
    ck_assert_int_eq(a.redundant, 4);
    ck_assert_int_eq(a.permanent, 3);
    ck_assert_int_eq(a.momentary, 1);
    ck_assert_int_eq(a.motion_count, 2);
    int momentary = 0;
    for (int d = 0; d < a.dependent_count; d++) {
        if (a.dependents[d].kind != TN_REDUNDANCY_MOMENTARY)
            continue;
        momentary++;
        for (int t = 0; t < a.dependents[d].term_count; t++)
            ck_assert_int_lt(a.dependents[d].terms[t].row, 2); /* forces in the plane */
    }
    ck_assert_int_eq(momentary, 1);
    /* the motions turn bars about y only and leave ground's joints where they are */
    for (int k = 0; k < a.motion_count; k++) {
        const tn_twist *t = &a.motions[3 * k];
        for (int i = 0; i < 3; i++) {
            ck_assert_double_le(hypot(t[i].w.x, t[i].w.z), 1e-6);
            ck_assert_double_le(fabs(t[i].v.x), 1e-6);
        }
        ck_assert_double_le(fabs(t[0].v.z + 0.5 * t[0].w.y), 1e-6);
    }
    tn_analysis_free(&a);
    mechanism_free(&m);
}
END_TEST

/* A four-bar whose coupler is 1 % too long still closes; a welded triangle with such a side cannot:
 * the analysis names the gap, tn_sim_create refuses. */
START_TEST(conflict_is_measured)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    tn_body_def def = tn_default_body_def();
    def.mass = 1.0;
    def.inertia = mat_diagonal(0.1, 0.1, 0.1);
    const tn_body body = mechanism_body(&m, &def);
    tn_joint_def weld = tn_default_joint_def();
    weld.type = "solid";
    weld.a = body;
    weld.b = tn_ground();
    weld.placement = TN_PLACE_BODY_FRAMES;
    mechanism_joint(&m, &weld);
    weld.frame_d.p = vec(0.01, 0.0, 0.0);
    mechanism_joint(&m, &weld);
    ck_assert_int_eq(tn_model_compile(m.spec, NULL, &m.model), TN_OK);
    ck_assert_int_eq(tn_sim_create(m.model, NULL, NULL, &m.sim), TN_ERROR_CONFLICT);
    tn_analysis a;
    ck_assert_int_eq(tn_model_analyze(m.model, NULL, &a), TN_OK);
    ck_assert_int_eq(a.redundant, 6);
    ck_assert_int_eq(a.conflicts, 1);
    ck_assert_int_eq(a.dependents[0].kind, TN_REDUNDANCY_CONFLICT);
    ck_assert_int_eq(a.dependents[0].row, 0);
    ck_assert_double_eq_tol(a.dependents[0].residual, 0.01, 1e-12);
    tn_analysis_free(&a);
    mechanism_free(&m);
}
END_TEST

START_TEST(compliance_makes_reactions_unique)
{
    mechanism m = sample_four_bar();
    mechanism soft = mechanism_new(vec(0.0, 0.0, -9.8));
    for (int i = 0; i < 4; i++)
        mechanism_body(&soft, tn_spec_body(m.spec, (tn_body){i}));
    for (int j = 0; j < 4; j++) {
        tn_joint_def def = *tn_spec_joint(m.spec, (tn_joint){j});
        if (j == 2) {
            def.compliance[2] = 1e-6;
            def.rotary_compliance = 1e-6;
        }
        mechanism_joint(&soft, &def);
    }
    mechanism_start(&soft, TN_GENERALIZED_ALPHA);
    tn_analysis a;
    ck_assert_int_eq(tn_sim_analyze(soft.sim, NULL, &a), TN_OK);
    ck_assert_int_eq(a.redundant, 0);
    ck_assert_int_eq(a.rigid_redundant, 3); /* of the geometry */
    ck_assert_int_eq(a.rigid_dof, 1);
    ck_assert_int_eq(a.yielding_count, 1);
    ck_assert_int_eq(a.yielding[0].i, 2);
    ck_assert_int_eq(a.indeterminate, 0);
    for (int j = 0; j < 4; j++)
        ck_assert_uint_eq(a.joints[j].rows, 63u);
    tn_analysis_free(&a);
    mechanism_free(&soft);
    mechanism_free(&m);
}
END_TEST

/* The simulation is only read. */
START_TEST(analysis_changes_nothing)
{
    mechanism m = started(sample_bricard);
    mechanism_run(&m, 1e-3, 10, NULL);
    void *before = saved_state(m.sim);
    tn_analysis a;
    ck_assert_int_eq(tn_sim_analyze(m.sim, NULL, &a), TN_OK);
    ck_assert(is_saved_as(m.sim, before));
    tn_analysis_free(&a);
    tn_analysis_free(&a);
    free(before);
    mechanism_free(&m);
}
END_TEST

START_TEST(bad_arguments_are_refused)
{
    mechanism m = started(sample_bricard);
    tn_analysis a;
    tn_analysis_options options = tn_default_analysis_options();
    ck_assert_int_eq(tn_sim_analyze(NULL, NULL, &a), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_analyze(m.sim, NULL, NULL), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_model_analyze(NULL, NULL, &a), TN_ERROR_ARGUMENT);
    options.cookie = 0;
    ck_assert_int_eq(tn_sim_analyze(m.sim, &options, &a), TN_ERROR_ARGUMENT);
    options = tn_default_analysis_options();
    options.threshold = NAN;
    ck_assert_int_eq(tn_model_analyze(m.model, &options, &a), TN_ERROR_ARGUMENT);
    mechanism_free(&m);
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    test_allocator allocator = {.left = -1};
    tn_set_allocator(test_realloc, &allocator);
    mechanism m = started(sample_four_bar);
    const int64_t alive = allocator.alive;
    tn_status status = TN_ERROR_MEMORY;
    int64_t k = 0;
    for (; status != TN_OK; k++) {
        tn_analysis a;
        allocator.left = k;
        status = tn_sim_analyze(m.sim, NULL, &a);
        allocator.left = -1;
        ck_assert(status == TN_OK || status == TN_ERROR_MEMORY);
        if (status == TN_OK)
            tn_analysis_free(&a);
        ck_assert_int_eq(allocator.alive, alive);
    }
    ck_assert_int_gt(k, 20);
    mechanism_free(&m);
    tn_set_allocator(NULL, NULL);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("redundancy");
    TCase *tests = tcase_create("redundancy");
    tcase_add_test(tests, figures_as_drawn);
    tcase_add_test(tests, figures_at_random_poses);
    tcase_add_test(tests, figures_with_joints_off);
    tcase_add_test(tests, four_bar_reactions);
    tcase_add_test(tests, changes_keep_their_promise);
    tcase_add_test(tests, flat_parallelogram_is_singular);
    tcase_add_test(tests, conflict_is_measured);
    tcase_add_test(tests, compliance_makes_reactions_unique);
    tcase_add_test(tests, analysis_changes_nothing);
    tcase_add_test(tests, bad_arguments_are_refused);
    tcase_add_test(tests, every_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return suite;
}
