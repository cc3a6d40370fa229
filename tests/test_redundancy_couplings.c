/* test_redundancy_couplings.c: couplings in the explanation of redundant rows: counts known by
 * reasoning, the rank by dense singular values, the sums by the Jacobian of the equations.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "support/overconstrained.h"
#include "support/run_main.h"
#include "support/sample_mechanisms.h"
#include "tenon/io.h"

/* Dense singular values are clear for exact geometry. */
#define EXACT 1e-7

#define TWO_WHEELS                                                                                 \
    "tenon: 1\n"                                                                                   \
    "bodies:\n"                                                                                    \
    "  a: {mass: 1, inertia: [1, 1, 1]}\n"                                                         \
    "  b: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n"                                    \
    "joints:\n"

/* Crank a and rocker c of a parallelogram are parallel: their angles are equal. */
#define PARALLELOGRAM(world, inertia, axis)                                                        \
    "tenon: 1\n" world "bodies:\n"                                                                 \
    "  a: {mass: 1, inertia: " inertia ", position: [0.3, 0.4]}\n"                                 \
    "  b: {mass: 1, inertia: " inertia ", position: [1.6, 0.8]}\n"                                 \
    "  c: {mass: 1, inertia: " inertia ", position: [2.3, 0.4]}\n"                                 \
    "joints:\n"                                                                                    \
    "  o: {type: hinge, a: a, b: ground, origin: [0, 0]" axis "}\n"                                \
    "  p: {type: hinge, a: b, b: a, origin: [0.6, 0.8]" axis "}\n"                                 \
    "  q: {type: hinge, a: b, b: c, origin: [2.6, 0.8]" axis "}\n"                                 \
    "  r: {type: hinge, a: c, b: ground, origin: [2, 0]" axis "}\n"

typedef struct coupled_case {
    const char *name, *text;
    int dof, redundant;
    const char *left_out; /* the coupling to leave out, NULL: none is */
    int not_unique;       /* couplings whose force is not unique */
} coupled_case;

static const coupled_case cases[] = {
    {"one gear",
     TWO_WHEELS "  p: {type: hinge, a: a, b: ground, origin: [0, 0, 0]}\n"
                "  q: {type: hinge, a: b, b: ground, origin: [1, 0, 0]}\n"
                "couplings:\n  g: {gear: {a: p.theta, b: q.theta, ratio: -2}}\n",
     1, 0, NULL, 0},
    {"three gears between two wheels, two of one ratio",
     TWO_WHEELS "  p: {type: hinge, a: a, b: ground, origin: [0, 0, 0]}\n"
                "  q: {type: hinge, a: b, b: ground, origin: [1, 0, 0]}\n"
                "couplings:\n  g: {gear: {a: p.theta, b: q.theta, ratio: -2}}\n"
                "  h: {gear: {a: p.theta, b: q.theta, ratio: 3}}\n"
                "  i: {gear: {a: p.theta, b: q.theta, ratio: 3}}\n",
     0, 1, "i", 2},
    {"gear between locked wheels",
     TWO_WHEELS "  p: {type: hinge, a: a, b: ground, origin: [0, 0, 0], locked: [theta]}\n"
                "  q: {type: hinge, a: b, b: ground, origin: [1, 0, 0], locked: [theta]}\n"
                "couplings:\n  g: {gear: {a: p.theta, b: q.theta, ratio: -2}}\n",
     0, 1, "g", 1},
    {"gear between a locked wheel and a free one",
     TWO_WHEELS "  p: {type: hinge, a: a, b: ground, origin: [0, 0, 0], locked: [theta]}\n"
                "  q: {type: hinge, a: b, b: ground, origin: [1, 0, 0]}\n"
                "couplings:\n  g: {gear: {a: p.theta, b: q.theta, ratio: -2}}\n",
     0, 0, NULL, 0},
    {"rack, pinion and a second rack on one slider",
     TWO_WHEELS "  p: {type: hinge, a: a, b: ground, origin: [0, 0, 0]}\n"
                "  s: {type: slider, a: b, b: ground, origin: [1, 0, 0], axis: [1, 0, 0]}\n"
                "couplings:\n"
                "  k: {rack_and_pinion: {rack: s.z, pinion: p.theta, radius: 0.02}}\n"
                "  l: {rack_and_pinion: {rack: s.z, pinion: p.theta, radius: 0.02}}\n",
     1, 1, "l", 2},
    {"gear between crank and rocker of a planar parallelogram",
     PARALLELOGRAM("world: planar\n", "1",
                   "") "couplings:\n  g: {gear: {a: o.theta, b: r.theta, ratio: 1}}\n",
     1, 1, NULL, 1},
    {"the same with the wrong ratio",
     PARALLELOGRAM("world: planar\n", "1",
                   "") "couplings:\n  g: {gear: {a: o.theta, b: r.theta, ratio: -2}}\n",
     0, 0, NULL, 0},
};

static int couplings_not_unique(const tn_model *model, const tn_analysis *a)
{
    int count = 0;
    for (int k = 0; k < tn_model_get_size(model).couplings; k++)
        count += !tn_analysis_row_is_unique(a, tn_model_coupling_joint(model, (tn_coupling){k}), 0);
    return count;
}

static int leaves_out(const tn_model *model, const tn_analysis *a, const char *name)
{
    for (int k = 0; k < a->change_count; k++)
        if (strcmp(tn_model_joint_name(model, a->changes[k].joint), name) == 0)
            return 1;
    return 0;
}

START_TEST(counts_and_sums)
{
    const coupled_case *c = &cases[_i];
    mechanism m = mechanism_of(c->text, TN_GENERALIZED_ALPHA);
    tn_analysis a;
    ck_assert_int_eq(tn_sim_analyze(m.sim, NULL, &a), TN_OK);
    const dense_rank dense = dense_rank_of(m.sim, EXACT);
    printf("%s: dof %d, redundant %d, gap %.0e .. %.0e\n", c->name, a.dof, a.redundant, a.gap_low,
           a.gap_high);
    ck_assert_int_eq(a.rank, dense.rank);
    ck_assert_int_eq(a.rows, dense.rows);
    ck_assert_int_eq(a.dof, c->dof);
    ck_assert_int_eq(a.redundant, c->redundant);
    ck_assert_int_eq(a.dependent_count, c->redundant);
    ck_assert_int_eq(a.momentary, 0);
    ck_assert_int_eq(a.conflicts, 0);
    ck_assert_int_eq(a.couplings, tn_model_get_size(m.model).couplings);
    ck_assert_int_eq(couplings_not_unique(m.model, &a), c->not_unique);
    ck_assert_int_eq(a.change_complete, 1);
    ck_assert(c->left_out == NULL || leaves_out(m.model, &a, c->left_out));
    expect_dependents(m.sim, &a);
    tn_analysis_free(&a);
    mechanism_free(&m);
}
END_TEST

/* Spatial: the three dependent rows of the loop, and the gear that repeats them. */
START_TEST(gear_in_a_spatial_loop)
{
    static const char text[] = PARALLELOGRAM(
        "", "[1, 1, 1]",
        ", axis: [0, 0, 1]") "couplings:\n  g: {gear: {a: o.theta, b: r.theta, ratio: 1}}\n";
    char *three = malloc(2 * sizeof text), *to = three; /* positions have a z */
    ck_assert_ptr_nonnull(three);
    for (const char *from = text; *from != '\0'; from++) {
        if (*from == ']' && from[-1] != '1')
            to += sprintf(to, ", 0");
        *to++ = *from;
    }
    *to = '\0';
    mechanism m = mechanism_of(three, TN_GENERALIZED_ALPHA);
    free(three);
    tn_analysis a;
    ck_assert_int_eq(tn_sim_analyze(m.sim, NULL, &a), TN_OK);
    ck_assert_int_eq(a.rank, dense_rank_of(m.sim, EXACT).rank);
    ck_assert_int_eq(a.redundant, 4);
    ck_assert_int_eq(a.dof, 1);
    ck_assert_int_eq(couplings_not_unique(m.model, &a), 1);
    expect_dependents(m.sim, &a);
    /* sharing the joints' reactions leaves the gear's force and the bodies' loads alone */
    double lambda[4 * TN_MAX_ROWS];
    for (int k = 0; k < 4 * TN_MAX_ROWS; k++)
        lambda[k] = k % TN_MAX_ROWS < 5 ? 1.0 + k : 0.0;
    ck_assert_int_eq(tn_analysis_share(&a, m.model, NULL, lambda), TN_OK);
    tn_equations eq;
    ck_assert_int_eq(tn_sim_equations(m.sim, (tn_joint){-1}, &eq), TN_OK);
    for (int c = 0; c < eq.velocities; c++) {
        double before = 0.0, after = 0.0;
        for (int r = 0; r < eq.rows; r++) {
            if (eq.row_joint[r] >= 4) /* the gear */
                continue;
            const int k = eq.row_joint[r] * TN_MAX_ROWS + eq.row_index[r];
            before += eq.jacobian[r * eq.velocities + c] * (1.0 + k);
            after += eq.jacobian[r * eq.velocities + c] * lambda[k];
        }
        ck_assert_double_eq_tol(before, after, 1e-10);
    }
    tn_equations_free(&eq);
    tn_analysis_free(&a);
    mechanism_free(&m);
}
END_TEST

/* Wheels as drawn do not fit their gears: a conflict that names the gear. */
START_TEST(contradiction_is_named)
{
    static const char text[] =
        TWO_WHEELS "  p: {type: hinge, a: a, b: ground, origin: [0, 0, 0], locked: [theta]}\n"
                   "  q: {type: hinge, a: b, b: ground, origin: [1, 0, 0], locked: [theta]}\n"
                   "couplings:\n  g: {gear: {a: p.theta, b: q.theta, ratio: -2}, value: 0.1}\n";
    tn_spec *spec = NULL;
    tn_model *model = NULL;
    tn_analysis a;
    ck_assert_int_eq(tn_spec_read_string(text, strlen(text), "test", NULL, &spec), TN_OK);
    ck_assert_int_eq(tn_model_compile(spec, NULL, &model), TN_OK);
    ck_assert_int_eq(tn_model_analyze(model, NULL, &a), TN_OK);
    ck_assert_int_eq(a.redundant, 1);
    ck_assert_int_eq(a.conflicts, 1);
    ck_assert_str_eq(tn_model_joint_name(model, a.dependents[0].joint), "g");
    ck_assert_double_eq_tol(a.dependents[0].residual, 0.1, 0.05);
    tn_analysis_free(&a);
    tn_model_destroy(model);
    tn_spec_destroy(spec);
}
END_TEST

/* The examples with couplings: the same rank as that of all equations together. */
START_TEST(examples)
{
    static const char *const names[] = {"clock_train", "crane", "atwood"};
    char path[512];
    mechanism m = {NULL, NULL, NULL};
    tn_analysis a;
    tn_rank rank;
    snprintf(path, sizeof path, "%s/%s.yaml", TN_EXAMPLES, names[_i]);
    ck_assert_int_eq(tn_spec_read_file(path, NULL, &m.spec), TN_OK);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    ck_assert_int_eq(tn_sim_analyze(m.sim, NULL, &a), TN_OK);
    ck_assert_int_eq(tn_sim_rank(m.sim, &rank), TN_OK);
    ck_assert_int_eq(a.rows, rank.rows);
    ck_assert_int_eq(a.rank, rank.rank);
    ck_assert_int_eq(a.dof, rank.dof);
    ck_assert(!a.unclear);
    tn_analysis_free(&a);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("redundancy_couplings");
    TCase *tests = tcase_create("couplings");
    tcase_add_loop_test(tests, counts_and_sums, 0, (int)(sizeof cases / sizeof cases[0]));
    tcase_add_test(tests, gear_in_a_spatial_loop);
    tcase_add_test(tests, contradiction_is_named);
    tcase_add_loop_test(tests, examples, 0, 3);
    suite_add_tcase(suite, tests);
    return suite;
}
