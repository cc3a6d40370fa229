/* test_solids.c: elastic solids in motion and at rest: what is conserved, joints on holds against differences, and CalculiX,
 * Cook's membrane and closed forms.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "assemble/elements.h"
#include "assemble/load/solids.h"
#include "motion/simulation.h"
#include "support/beam_models.h"
#include "support/flying_solid.h"
#include "support/heavy.h"
#include "support/random_numbers.h"
#include "support/run_main.h"
#include "tenon/record.h"

/* ---- what is conserved ---- */

/* A bar of four elements that tumbles, alone or with a pendulum hanging on it. */
#define FLYING(law, holds, rest)                                                                   \
    "tenon: 1\ngravity: [0, 0, 0]\nparameters: {n: 1}\n"                                           \
    "materials: {m: {density: 1000, young: 1e6, poisson: 0.3, law: " law "}}\n"                    \
    "flexible: {pad: {solid: {grid: {size: [0.4, 0.1, 0.1], cells: [2, 1, 1], element: hex8}, "    \
    "holds: {" holds "}}, material: m}}\n" rest
#define PENDULUM                                                                                   \
    "bodies: {p: {position: [0.6, 0.05, 0.05], mass: 0.5, inertia: [2e-3, 1e-3, 3e-3]}}\n"         \
    "joints: {h: {type: hinge, a: p, b: pad.tip, origin: [0.4, 0.05, 0.05], axis: [0, 1, 0.2]}}\n"

static const char *const flights[] = {
    FLYING("linear", "", ""),
    FLYING("neo_hookean", "", ""),
    FLYING("neo_hookean", "tip: {set: x_max}", PENDULUM),
    FLYING("neo_hookean", "tip: {set: x_max, as: mean}", PENDULUM),
    FLYING("mooney_rivlin", "tip: {set: x_max, as: mean}, root: {set: x_min, as: mean}", PENDULUM),
};

START_TEST(flights_keep_momenta_and_energy)
{
    expect_free_flight(flights[_i], 0.05, ALL_OR_FEW(20, 4), 1e-5);
}
END_TEST

/* ---- joints on the frame of nodes ---- */

static const char *const mean_text =
    "tenon: 1\ngravity: [0, 0, 0]\nparameters: {n: 1}\n"
    "materials: {m: {density: 1000, young: 1e6, poisson: 0.3}}\n"
    "flexible: {pad: {solid: {grid: {size: [0.4, 0.1, 0.1], cells: [2, 1, 1]}, "
    "holds: {tip: {set: x_max, as: mean}}}, material: m}}\n"
    "joints: {h: {type: hinge, a: pad.tip, origin: [0.4, 0.05, 0.05], axis: [0, 1, 0]}}\n";

/* Poses moved on by velocities u for a time, nodes anywhere; the joint of the hold is element 0. */
static void move(tn_sim *sim, const tn_vec3 *x, const tn_quat *q, const double *u, double t)
{
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        tn_vec3 v, w;
        tn_body_unpack(&sim->model->bodies[i], u, &v, &w);
        sim->state.x[i] = v3_axpy(x[i], t, v);
        sim->state.q[i] = q_mul(q[i], q_exp(v3_scale(t, w)));
    }
    tn_assemble_poses(&sim->sys, sim->state.x, sim->state.q);
    tn_assemble_joints(&sim->sys, &sim->state);
}

typedef struct any_pose {
    mechanism m;
    tn_vec3 x[200];
    tn_quat q[200];
    double u[800];
    int32_t frame; /* the body of the hold */
} any_pose;

/* Nodes anywhere near, the body where their frame is, velocities of any kind. */
static void make_any_pose(any_pose *a, uint64_t seed)
{
    a->m = beam_model(mean_text, 1);
    tn_sim *sim = a->m.sim;
    a->frame = sim->model->joints[0].a;
    ck_assert_int_le(sim->model->body_count, 200);
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        a->x[i] = v3_axpy(sim->state.x[i], 0.02, random_vector(&seed));
        a->q[i] = sim->state.q[i];
    }
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        a->u[k] = random_number(&seed);
    move(sim, a->x, a->q, a->u, 0.0);
    a->x[a->frame] = sim->sys.frames[0].T.p;
    a->q[a->frame] = tn_quat_from_matrix(&sim->sys.frames[0].T.R);
    move(sim, a->x, a->q, a->u, 0.0);
}

enum { ROWS = 6 };

/* s, of differences of fourth order. */
#define STEP 1e-5

typedef void (*row_values)(const any_pose *a, double out[ROWS]);

static void errors_now(const any_pose *a, double out[ROWS])
{
    tn_element_errors(&a->m.sim->sys, &a->m.sim->state, 0, out);
}

static void speeds_now(const any_pose *a, double out[ROWS])
{
    tn_element_speeds(&tn_joint_ops, &a->m.sim->sys, &a->m.sim->state, 0, a->u, out);
}

static void rates_by_differences(const any_pose *a, row_values of, double out[ROWS])
{
    static const double at[4] = {-2.0, -1.0, 1.0, 2.0}, by[4] = {1.0, -8.0, 8.0, -1.0};
    memset(out, 0, sizeof(double) * ROWS);
    for (int n = 0; n < 4; n++) {
        double values[ROWS];
        move(a->m.sim, a->x, a->q, a->u, at[n] * STEP);
        of(a, values);
        for (int k = 0; k < ROWS; k++)
            out[k] += by[n] * values[k] / (12.0 * STEP);
    }
}

START_TEST(rows_on_a_frame_are_the_rates_of_its_errors)
{
    any_pose a;
    double now[ROWS], speeds[ROWS], rates[ROWS];
    make_any_pose(&a, (uint64_t)_i + 1);
    errors_now(&a, now);
    speeds_now(&a, speeds);
    rates_by_differences(&a, errors_now, rates);
    for (int k = 0; k < ROWS; k++) {
        ck_assert_double_le(fabs(now[k]), 1e-14);
        ck_assert_double_le(fabs(rates[k] - speeds[k]), 1e-8);
    }
    mechanism_free(&a.m);
}
END_TEST

START_TEST(accelerations_on_a_frame_are_the_rates_of_its_speeds)
{
    any_pose a;
    double gamma[TN_MAX_ROWS], rates[ROWS];
    make_any_pose(&a, (uint64_t)_i + 1);
    tn_joint_accelerations(&a.m.sim->sys, 0, a.u, gamma);
    rates_by_differences(&a, speeds_now, rates);
    for (int k = 0; k < ROWS; k++)
        ck_assert_double_le(fabs(rates[k] - gamma[k]), 1e-8 * (1.0 + fabs(gamma[k])));
    mechanism_free(&a.m);
}
END_TEST

/* Forces of multipliers: by the matrix and without it, and in balance. */
START_TEST(wrenches_on_a_frame_balance)
{
    any_pose a;
    uint64_t seed = (uint64_t)_i + 5;
    make_any_pose(&a, (uint64_t)_i + 1);
    tn_sim *sim = a.m.sim;
    const tn_model *model = sim->model;
    double lambda[TN_MAX_ROWS], f[800] = {0.0}, g[800] = {0.0}, y[64] = {0.0};
    for (int k = 0; k < ROWS; k++)
        lambda[k] = y[k] = random_number(&seed);
    tn_element_add_forces(&tn_joint_ops, &sim->sys, &sim->state, 0, lambda, f);
    tn_assemble_jacobian(&sim->sys, &sim->state);
    memset(y + ROWS, 0, sizeof(double) * (64 - ROWS));
    tn_kkt_apply_gt(model->kkt, sim->sys.values, y, g);
    tn_vec3 sum = {0, 0, 0}, moment = {0, 0, 0};
    double power = 0.0, speeds[ROWS];
    for (int32_t k = 0; k < model->size.velocities; k++) {
        ck_assert_double_le(fabs(f[k] - g[k]), 1e-12);
        power += f[k] * a.u[k];
    }
    for (int32_t i = 0; i < model->body_count; i++) {
        tn_vec3 force, m;
        tn_body_unpack(&model->bodies[i], f, &force, &m);
        sum = v3_add(sum, force);
        moment =
            v3_add(moment, v3_add(v3_cross(sim->state.x[i], force), m3_mulv(&sim->sys.T[i].R, m)));
    }
    ck_assert_double_le(v3_norm(sum), 1e-12);
    ck_assert_double_le(v3_norm(moment), 1e-12);
    tn_element_speeds(&tn_joint_ops, &sim->sys, &sim->state, 0, a.u, speeds);
    for (int k = 0; k < ROWS; k++)
        power -= lambda[k] * speeds[k];
    ck_assert_double_le(fabs(power), 1e-11);
    mechanism_free(&a.m);
}
END_TEST

/* ---- the matrix ---- */

/* With nodes on rigid bodies and between them: K of the blocks against differences of the forces. */
START_TEST(blocks_are_the_slopes_of_the_forces)
{
    static const char *const text =
        "tenon: 1\ngravity: [0, 0, 0]\nparameters: {n: 1}\n"
        "materials: {m: {density: 1000, young: 1e6, poisson: 0.3, law: neo_hookean}}\n"
        "flexible: {pad: {solid: {grid: {size: [0.4, 0.1, 0.1], cells: [3, 1, 1], element: hex8}, "
        "holds: {tip: {set: x_max}, root: {set: x_min}}}, material: m}}\n";
    const double h = 1e-6;
    mechanism m = beam_model(text, 1);
    tn_sim *sim = m.sim;
    const int32_t n = sim->model->size.velocities;
    tn_vec3 x[64];
    tn_quat q[64];
    double f[2][200], u[200], Ku[200];
    ck_assert_int_le(n, 200);
    memcpy(x, sim->state.x, sizeof *x * (size_t)sim->model->body_count);
    memcpy(q, sim->state.q, sizeof *q * (size_t)sim->model->body_count);
    memset(sim->sys.values->h, 0, sizeof(double) * (size_t)sim->sys.layout->h_size);
    tn_kkt_clear_pairs(sim->model->kkt, sim->sys.values);
    tn_solids_fill(&sim->sys, 1.0, 0.0, false, NULL, NULL);
    for (int32_t k = 0; k < n; k++) {
        memset(u, 0, sizeof u);
        u[k] = 1.0;
        for (int side = 0; side < 2; side++) {
            memset(f[side], 0, sizeof f[side]);
            move(sim, x, q, u, side ? h : -h);
            ck_assert_int_eq(tn_solids_add_forces(&sim->sys, NULL, f[side]), -1);
        }
        tn_kkt_apply_h(sim->model->kkt, sim->sys.values, u, Ku);
        for (int32_t i = 0; i < n; i++)
            ck_assert_double_le(fabs((f[0][i] - f[1][i]) / (2.0 * h) - Ku[i]), 0.05);
    }
    move(sim, x, q, u, 0.0);
    mechanism_free(&m);
}
END_TEST

/* ---- at rest ---- */

/* A bar that is pulled has the stress F/A away from its ends, of short elements nearer, and the force at its root. */
START_TEST(a_bar_has_its_stress)
{
    static const char *const text =
        "tenon: 1\ngravity: [0, 0, 0]\nparameters: {n: 1}\n"
        "materials: {m: {density: 1000, young: 1e6, poisson: 0.3, damping: 5 ms}}\n"
        "flexible: {bar: {solid: {grid: {size: [0.6, 0.1, 0.1], cells: [=6*n, 1, 1]}, holds: "
        "{root: "
        "{set: x_min}, tip: {set: x_max, as: mean}}}, material: m}}\n"
        "joints: {j: {type: solid, a: bar.root, origin: [0, 0.05, 0.05]}}\n"
        "loads: {f: {body: bar.tip, force: [{step: [0, 0, 0.2, 10]}, 0, 0]}}\n"
        "measures: {r: {reaction: j}}\n";
    double r[6];
    mechanism m = beam_model(text, ALL_OR_FEW(2, 1));
    mechanism_run(&m, ALL_OR_FEW(2e-3, 6e-3), ALL_OR_FEW(600, 200), NULL);
    beam_measure(&m, "r", r);
    ck_assert_double_le(fabs(r[0] + 10.0), 1e-6);
    const int32_t nodes = m.model->solids[0].node_count;
    tn_stress stress[400];
    ck_assert_int_le(nodes, 400);
    ck_assert_int_eq(tn_sim_solid_stress(m.sim, (tn_solid){0}, stress), TN_OK);
    int32_t checked = 0;
    for (int32_t i = 0; i < nodes; i++) {
        if (fabs(m.model->solids[0].rest[i].x - 0.3) > 0.051)
            continue;
        checked++;
        ck_assert_double_le(fabs(stress[i].xx - 1000.0), ALL_OR_FEW(2.0, 8.0));
        ck_assert_double_le(fabs(tn_stress_von_mises(stress[i]) - 1000.0), ALL_OR_FEW(3.0, 12.0));
        ck_assert_double_le(fabs(stress[i].yy) + fabs(stress[i].zz), ALL_OR_FEW(2.0, 8.0));
    }
    ck_assert_int_gt(checked, 10);
    ck_assert_int_eq(tn_sim_solid_stress(m.sim, (tn_solid){1}, stress), TN_ERROR_ARGUMENT);
    mechanism_free(&m);
}
END_TEST

/* Two bars in a row, the second ten times as stiff and twice as dense, without lateral strain: F/A (l/E1 + l/E2). */
START_TEST(parts_have_their_material)
{
    static const char *const text =
        "tenon: 1\ngravity: [0, 0, 0]\nparameters: {n: 1}\n"
        "materials: {m: {density: 1000, young: 1e6, poisson: 0, damping: 5 ms}, "
        "s: {density: 2000, young: 1e7, poisson: 0, damping: 5 ms}}\n"
        "flexible: {bar: {solid: {grid: {size: [0.6, 0.1, 0.1], cells: [6, 1, 1]}, regions: "
        "{stiff: "
        "{within: "
        "[[0.29, 0, 0], [0.6, 0.1, 0.1]], material: s}}, holds: {root: {set: x_min, as: fixed}, "
        "tip: {set: x_max}}}, "
        "material: m}}\n"
        "loads: {f: {body: bar.tip, force: [{step: [0, 0, 0.2, 10]}, 0, 0]}}\n";
    mechanism m = beam_model(text, 1);
    tn_body tip;
    ck_assert_int_eq(tn_model_find_body(m.model, "bar.tip", &tip), TN_OK);
    const tn_solid_size size = tn_spec_solid_size(m.spec, (tn_solid){0});
    ck_assert_double_le(fabs(size.mass - 0.003 * 3000.0), 1e-12);
    mechanism_run(&m, ALL_OR_FEW(2e-3, 6e-3), ALL_OR_FEW(600, 200), NULL);
    const double moved = tn_sim_body_pose(m.sim, tip).p.x - 0.6;
    ck_assert_double_le(fabs(moved / (10.0 / 0.01 * 0.3 * (1e-6 + 1e-7)) - 1.0), 1e-6);
    tn_stress stress[400];
    ck_assert_int_eq(tn_sim_solid_stress(m.sim, (tn_solid){0}, stress), TN_OK);
    for (int32_t i = 0; i < m.model->solids[0].node_count; i++)
        ck_assert_double_le(fabs(stress[i].xx - 1000.0), 0.1);
    mechanism_free(&m);
}
END_TEST

/* Cook's membrane (Cook 1974), plane stress, E 1, nu 1/3: 23.96 at (48, 52) under a load of 1; here 1e-5 of that on a
 * plate of 1, whose clamped edge may not become thinner. 4 x 4 elements are off by 2 %. */
START_TEST(cooks_membrane)
{
    const int32_t cells = ALL_OR_FEW(10, 4);
    const double tolerance = ALL_OR_FEW(0.01, 0.03);
    const tn_solid_grid grid = {{1.0, 1.0, 1.0}, {cells, cells, 1}, TN_HEX20};
    tn_solid_mesh mesh;
    ck_assert_int_eq(tn_solid_mesh_grid(&grid, &mesh), TN_OK);
    for (int32_t i = 0; i < mesh.node_count; i++) {
        const tn_vec3 s = mesh.nodes[i];
        mesh.nodes[i] = v3(48.0 * s.x, 44.0 * s.x + s.y * (44.0 - 28.0 * s.x), s.z);
    }
    mechanism m = mechanism_new((tn_vec3){0.0, 0.0, 0.0});
    tn_solid_def def = tn_default_solid_def();
    const tn_node_set *clamp = tn_solid_mesh_set(&mesh, "x_min");
    const tn_solid_hold hold = {"clamp", TN_PATCH_FIXED, clamp->nodes, clamp->count};
    def.name = "cook";
    def.mesh = &mesh;
    def.material = (tn_solid_material){TN_LAW_LINEAR, 1.0, 1.0, 1.0 / 3.0, 0.0, 100.0};
    def.holds = &hold;
    def.hold_count = 1;
    tn_solid solid;
    ck_assert_int_eq(tn_spec_add_solid(m.spec, &def, NULL, &solid), TN_OK);
    /* evenly on the right edge: of the 8 nodes of a face -1/12 at corners, 1/3 at middles */
    const double total = 1e-5;
    double share[2000] = {0.0};
    ck_assert_int_le(mesh.node_count, 2000);
    int32_t tip = -1;
    for (int32_t e = 0; e < mesh.element_count; e++) {
        static const int corners[4] = {1, 2, 6, 5}, middles[4] = {9, 18, 13, 17};
        const int32_t *nodes = mesh.elements[e].nodes;
        if (mesh.nodes[nodes[1]].x < 48.0 - 1e-9)
            continue;
        for (int k = 0; k < 4; k++) {
            share[nodes[corners[k]]] -= total / cells / 12.0;
            share[nodes[middles[k]]] += total / cells / 3.0;
        }
    }
    for (int32_t i = 0; i < mesh.node_count; i++) {
        tn_vec3 point;
        tn_body body;
        ck_assert_int_eq(tn_spec_solid_node(m.spec, solid, i, &body, &point), TN_OK);
        if (fabs(mesh.nodes[i].x - 48.0) < 1e-9 && fabs(mesh.nodes[i].y - 52.0) < 1e-9 &&
            mesh.nodes[i].z == 0.0)
            tip = body.i;
        if (share[i] == 0.0)
            continue;
        tn_load_def load = tn_default_load_def(TN_LOAD_WRENCH);
        load.bodies = &body;
        load.body_count = 1;
        load.force[1] =
            (tn_function_def){.kind = TN_FUNCTION_CONSTANT, .numbers = &share[i], .count = 1};
        ck_assert_int_eq(tn_spec_add_load(m.spec, &load, NULL), TN_OK);
    }
    ck_assert_int_ge(tip, 0);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    const double before = m.sim->state.x[tip].y;
    mechanism_run(&m, 20.0, ALL_OR_FEW(150, 60), NULL);
    const double up = (m.sim->state.x[tip].y - before) / total;
    ck_assert_msg(fabs(up - 23.96) < tolerance * 23.96, "%g", up);
    tn_solid_mesh_free(&mesh);
    mechanism_free(&m);
}
END_TEST

/* ---- recorded ---- */

static int32_t times_in(const char *text, const char *word)
{
    int32_t count = 0;
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
        count++;
    return count;
}

/* 45 nodes of a bar: its 9 at the root are the world's, its 9 at the tip the hold's, 3 are inside. */
START_TEST(a_solid_is_one_skin)
{
    static const char *const text =
        "tenon: 1\nparameters: {n: 1}\nmaterials: {m: {density: 1000, young: 1e6, poisson: 0.3}}\n"
        "flexible: {bar: {solid: {grid: {size: [0.4, 0.1, 0.1], cells: [4, 2, 2], element: hex8}, "
        "holds: {root: {set: x_min, as: fixed}, tip: {set: x_max}}}, material: m}}\n";
    static char bytes[1 << 16];
    const char *path = TN_TEST_OUTPUT "/solid.glb";
    mechanism m = beam_model(text, 1);
    tn_recorder *recorder = NULL;
    ck_assert_int_eq(tn_recorder_create(m.sim, NULL, &recorder), TN_OK);
    ck_assert_int_eq(tn_recorder_add_gltf(recorder, path, NULL), TN_OK);
    ck_assert_int_eq(tn_recorder_write(recorder, NULL), TN_OK);
    ck_assert_int_eq(tn_recorder_close(recorder, NULL), TN_OK);
    tn_recorder_destroy(recorder);
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    const size_t length = fread(bytes, 1, sizeof bytes - 1, file);
    fclose(file);
    const char *json = bytes + 20; /* behind two heads */
    ck_assert_uint_lt(length, sizeof bytes - 1);
    ck_assert_int_eq(times_in(json, "\"skin\":0"), 1);
    ck_assert_int_eq(times_in(json, "\"inverseBindMatrices\""), 1);
    ck_assert_int_eq(times_in(json, "\"JOINTS_0\""), 1);
    ck_assert_int_eq(times_in(json, "\"name\":\"bar["), 24);
    ck_assert_int_eq(times_in(json, "\"path\":\"translation\""), 25);
    ck_assert_int_eq(times_in(json, "\"path\":\"rotation\""), 1);
    ck_assert_ptr_null(strstr(json, "\"children\":[]"));
    mechanism_free(&m);
}
END_TEST

/* ---- what fails ---- */

/* A node is pushed through the element: the step fails, and the state is the one before. */
START_TEST(elements_do_not_turn_inside_out)
{
    static const char *const text =
        "tenon: 1\ngravity: [0, 0, 0]\nparameters: {n: 1}\n"
        "materials: {m: {density: 1000, young: 1e3, poisson: 0.3}}\n"
        "flexible: {pad: {solid: {grid: {size: [1, 1, 1], cells: [1, 1, 1], element: tet4}, holds: "
        "{root: {set: x_min, as: fixed}}}, material: m}}\n"
        "loads: {f: {body: \"pad[1]\", force: [-1e9, 0, 0]}}\n";
    mechanism m = beam_model(text, 1);
    tn_status status = TN_OK;
    tn_step_report report;
    for (int i = 0; i < 20 && status == TN_OK; i++)
        status = tn_sim_step(m.sim, 0.01, &report);
    ck_assert_int_ne(status, TN_OK);
    for (int32_t i = 0; i < m.model->body_count; i++)
        ck_assert(v3_is_finite(m.sim->state.x[i]));
    mechanism_free(&m);
}
END_TEST

START_TEST(impulses_have_no_solids)
{
    mechanism m = mechanism_read(flights[0]);
    tn_sim_options options = mechanism_compile(&m, TN_BACKWARD_EULER);
    tn_sim *sim = NULL;
    options.solver = TN_SOLVER_SEQUENTIAL_IMPULSES;
    ck_assert_int_eq(tn_sim_create(m.model, &options, NULL, &sim), TN_ERROR_UNSUPPORTED);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("solids");
    TCase *tc = tcase_create("solids");
    tcase_add_loop_test(tc, flights_keep_momenta_and_energy, 0, (int)TN_COUNT_OF(flights));
    tcase_add_loop_test(tc, rows_on_a_frame_are_the_rates_of_its_errors, 0, 20);
    tcase_add_loop_test(tc, accelerations_on_a_frame_are_the_rates_of_its_speeds, 0, 20);
    tcase_add_loop_test(tc, wrenches_on_a_frame_balance, 0, 20);
    tcase_add_test(tc, blocks_are_the_slopes_of_the_forces);
    tcase_add_test(tc, a_bar_has_its_stress);
    tcase_add_test(tc, parts_have_their_material);
    tcase_add_test(tc, cooks_membrane);
    tcase_add_test(tc, a_solid_is_one_skin);
    tcase_add_test(tc, elements_do_not_turn_inside_out);
    tcase_add_test(tc, impulses_have_no_solids);
    suite_add_tcase(suite, tc);
    return suite;
}
