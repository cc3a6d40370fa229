/* test_modal.c: solids that are reduced to modes: against their full mesh, closed forms, what is conserved, what is refused.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assemble/load/modal.h"
#include "math/dense/jacobi_svd.h"
#include "reduce/reduce.h"
#include "reduce/reduced.h"
#include "motion/simulation.h"
#include "support/allocator.h"
#include "support/beam_models.h"
#include "support/flying_solid.h"
#include "support/heavy.h"
#include "support/random_numbers.h"
#include "support/run_main.h"
#include "tenon/solid.h"
#include "tenon/stress.h"

#define STEEL "materials: {m: {density: 7850, young: 210e9, poisson: 0.3}}\n"
/* A bar of 1 m, 0.1 m square. */
#define BAR(cells, modal, holds)                                                                   \
    "flexible: {bar: {solid: {grid: {size: [1, 0.1, 0.1], cells: " cells "}, " modal               \
    "holds: {" holds "}}, material: m}}\n"
#define HEAD "tenon: 1\ngravity: [0, 0, 0]\nparameters: {n: 1}\n"

static double frequency(const mechanism *m, int32_t k)
{
    return tn_spec_solid_frequency(m->spec, (tn_solid){0}, k);
}

/* ---- frequencies ---- */

/* Free-free Timoshenko bar of L/h = 10 (kappa 5/6, nu 0.3), both planes: 513.45 Hz, the root of its determinant; the bar along its
 * axis: sqrt(E/rho)/(2 L). */
START_TEST(a_free_bar_has_its_frequencies)
{
    mechanism m = beam_model(HEAD STEEL BAR("[10, 2, 2]", "modal: {modes: 8}, ", ""), 1);
    const double axial = sqrt(210e9 / 7850.0) / 2.0;
    bool has_axial = false;
    ck_assert_double_le(fabs(frequency(&m, 0) / frequency(&m, 1) - 1.0), 1e-6); /* both planes */
    for (int32_t k = 0; k < 8; k++) {
        has_axial = has_axial || fabs(frequency(&m, k) / axial - 1.0) < 0.01;
        ck_assert(k == 0 || frequency(&m, k) >= frequency(&m, k - 1) * (1.0 - 1e-9));
    }
    ck_assert_msg(fabs(frequency(&m, 0) / 513.45 - 1.0) < 0.002, "%g", frequency(&m, 0));
    ck_assert(has_axial);
    ck_assert(isnan(frequency(&m, 8)));
    mechanism_free(&m);
}
END_TEST

/* Timoshenko cantilever of L/h = 10: 82.8943626933, 496.814531609 Hz (reference data); a clamp of mean motion is softer. */
START_TEST(a_clamped_bar_has_its_frequencies)
{
    mechanism m = beam_model(
        HEAD STEEL BAR("[20, 1, 1]", "modal: {modes: 6}, ", "root: {set: x_min, as: fixed}"), 1);
    const double exact[4] = {82.8943626933, 82.8943626933, 496.814531609, 496.814531609};
    for (int32_t k = 0; k < 4; k++)
        ck_assert_msg(fabs(frequency(&m, k) / exact[k] - 1.0) < 0.01, "%g", frequency(&m, k));
    mechanism_free(&m);
}
END_TEST

/* ---- frequencies of what comes out ---- */

/* A bar of hex20 as it is reduced: its masses and two interfaces, the ends. */
typedef struct bar_mesh {
    tn_solid_mesh mesh;
    tn_solid_material material;
    int32_t material_of[64];
    double taken[800], weights[2][64];
    tn_reduce_interface ends[2];
} bar_mesh;

static void make_bar_mesh(bar_mesh *b)
{
    const tn_solid_grid grid = {{1.0, 0.1, 0.06}, {8, 2, 1}, TN_HEX20};
    static const char *const names[2] = {"x_min", "x_max"};
    *b = (bar_mesh){.material = tn_default_solid_def().material};
    b->material.young = 210e9;
    b->material.poisson = 0.3;
    b->material.density = 7850.0;
    ck_assert_int_eq(tn_solid_mesh_grid(&grid, &b->mesh), TN_OK);
    ck_assert_int_le(b->mesh.node_count, 800);
    for (int k = 0; k < 2; k++) {
        const tn_node_set *set = tn_solid_mesh_set(&b->mesh, names[k]);
        for (int32_t i = 0; i < set->count; i++)
            b->weights[k][i] = 1.0 / set->count;
        b->ends[k] = (tn_reduce_interface){set->nodes, b->weights[k], set->count};
    }
}

static tn_reduction reduce_bar(const bar_mesh *b, int32_t interfaces, int32_t modes)
{
    tn_reduction out;
    const tn_reduce_def def = {.mesh = &b->mesh,
                               .materials = &b->material,
                               .material_of = b->material_of,
                               .taken = b->taken,
                               .interfaces = b->ends,
                               .interface_count = interfaces,
                               .modes = modes};
    ck_assert_int_eq(tn_reduce(&def, &out), TN_OK);
    return out;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The frequencies of a bar that flies, reduced with two ends as interfaces and with its lowest modes while these are held: those of all
 * of its mesh to 1e-4 up to the highest of these modes, and none is lower. */
START_TEST(frequencies_are_those_of_the_mesh)
{
    enum { MODES = 8, FULL = 12, MOST = 3 * TN_REDUCED_MOST };
    static bar_mesh bar;
    static double A[MOST * MOST], V[MOST * MOST], value[MOST];
    make_bar_mesh(&bar);
    tn_reduction full = reduce_bar(&bar, 0, FULL), few = reduce_bar(&bar, 2, MODES);
    const int32_t size = 3 * few.functions;
    int compared = 0;
    memcpy(A, few.K, sizeof(double) * (size_t)(size * size));
    tn_jacobi_svd(size, size, A, V, value);
    qsort(value, (size_t)size, sizeof *value, ascending);
    for (int k = 0; k < FULL; k++) {
        const double found = sqrt(value[6 + k] / (few.mass / few.functions)) / (2.0 * acos(-1.0));
        const double off = found / full.frequency[k] - 1.0;
        const double part = full.frequency[k] / few.frequency[MODES - 1];
        ck_assert_msg(off > -1e-8 && (part > 1.0 || off < 1e-4), "%d: %g Hz %g", k,
                      full.frequency[k], off);
        compared += part < 1.0;
    }
    ck_assert_int_ge(compared, 7);
    tn_arena_free(&full.arena);
    tn_arena_free(&few.arena);
    tn_solid_mesh_free(&bar.mesh);
}
END_TEST

/* ---- against the full mesh ---- */

/* A pendulum: swings by its weight, bends and is pulled by its end; step by step what the mesh does. */
#define PENDULUM(modal)                                                                            \
    "tenon: 1\ngravity: [0, 0, -9.81]\nparameters: {n: 1}\n"                                       \
    "materials: {m: {density: 1000, young: 3e8, poisson: 0.3, damping: 0.2 ms}}\n"                 \
    "flexible: {bar: {solid: {grid: {size: [0.6, 0.1, 0.1], cells: [4, 1, 1]}, " modal             \
    "holds: {root: {set: x_min, as: mean}, tip: {set: x_max, as: mean}}}, material: m}}\n"         \
    "joints: {h: {type: hinge, a: bar.root, origin: [0, 0.05, 0.05], axis: [0, 1, 0.1]}}\n"        \
    "loads: {f: {body: bar.tip, force: [0, {step: [0, 0, 0.05, 40]}, 30]}}\n"                      \
    "measures: {r: {reaction: h}}\n"

START_TEST(a_pendulum_moves_as_its_mesh)
{
    mechanism full = beam_model(PENDULUM(""), 1),
              modal = beam_model(PENDULUM("modal: {modes: 4, mass: lumped}, "), 1);
    tn_body tip[2];
    ck_assert_int_eq(tn_model_find_body(full.model, "bar.tip", &tip[0]), TN_OK);
    ck_assert_int_eq(tn_model_find_body(modal.model, "bar.tip", &tip[1]), TN_OK);
    ck_assert_int_lt(modal.model->body_count, full.model->body_count);
    double largest = 0.0;
    for (int k = 0; k < ALL_OR_FEW(8, 2); k++) {
        mechanism_run(&full, 1e-3, 25, NULL);
        mechanism_run(&modal, 1e-3, 25, NULL);
        const tn_vec3 a = tn_sim_body_pose(full.sim, tip[0]).p,
                      b = tn_sim_body_pose(modal.sim, tip[1]).p;
        largest = fmax(largest, v3_norm(v3_sub(a, b)));
    }
    ck_assert_msg(largest < 1e-6, "%g", largest);
    double r[2][6];
    beam_measure(&full, "r", r[0]);
    beam_measure(&modal, "r", r[1]);
    /* reactions have a part of modes beyond those that are kept */
    const double size = v3_norm(v3_load(r[0]));
    ck_assert_msg(v3_norm(v3_sub(v3_load(r[0]), v3_load(r[1]))) < 2e-3 * size, "%g %g %g, %g %g %g",
                  r[0][0], r[0][1], r[0][2], r[1][0], r[1][1], r[1][2]);
    mechanism_free(&full);
    mechanism_free(&modal);
}
END_TEST

/* At rest: displacements of interfaces come from constraint modes, which are exact. Force and moment in a clamped bar, its stress. */
#define CLAMPED(modal)                                                                             \
    HEAD "materials: {m: {density: 1000, young: 1e9, poisson: 0.3, damping: 10 ms}}\n" BAR(        \
        "[6, 1, 1]", modal,                                                                        \
        "root: {set: x_min, as: mean}, tip: {set: x_max, as: mean}") "joints: {c: {type: solid, "  \
                                                                     "a: bar.root, origin: [0, "   \
                                                                     "0.05, 0.05]}}\n"             \
                                                                     "loads: {f: {body: bar.tip, " \
                                                                     "force: [{step: [0, 0, "      \
                                                                     "0.05, 1]}, {step: [0, 0, "   \
                                                                     "0.05, 5]}, 0]}}\n"           \
                                                                     "measures: {r: {reaction: "   \
                                                                     "c}}\n"

START_TEST(a_bar_at_rest_is_that_of_its_mesh)
{
    double place[2][3], r[6];
    const char *texts[2] = {CLAMPED(""), CLAMPED("modal: {modes: 2, damping_ratio: 0.2}, ")};
    for (int k = 0; k < 2; k++) {
        mechanism m = beam_model(texts[k], 1);
        tn_body tip;
        ck_assert_int_eq(tn_model_find_body(m.model, "bar.tip", &tip), TN_OK);
        mechanism_run(&m, 5e-3, 100, NULL);
        v3_store(place[k], tn_sim_body_pose(m.sim, tip).p);
        beam_measure(&m, "r", r);
        ck_assert_double_le(fabs(r[0] + 1.0), 1e-4);
        ck_assert_double_le(fabs(r[1] + 5.0), 1e-4);
        static tn_stress stress[200];
        const tn_model_solid *solid = &m.model->solids[0];
        ck_assert_int_le(solid->node_count, 200);
        ck_assert_int_eq(tn_sim_solid_stress(m.sim, (tn_solid){0}, stress), TN_OK);
        for (int32_t i = 0; i < solid->node_count; i++) {
            const tn_vec3 X = solid->rest[i]; /* pull and bending, in the middle of the bar */
            const double exact = 100.0 + 5.0 * 0.5 * (0.05 - X.y) * 12e4;
            if (fabs(X.x - 0.5) < 0.01)
                ck_assert_msg(fabs(stress[i].xx - exact) < 150.0, "%g %g", stress[i].xx, exact);
        }
        mechanism_free(&m);
    }
    for (int k = 0; k < 3; k++)
        ck_assert_msg(fabs(place[0][k] - place[1][k]) < 1e-8, "%g", place[0][k] - place[1][k]);
}
END_TEST

/* A bar that a moment at its end bends evenly, by a curvature k = M / (E I): beside its own axes its mass moves by k (x^2/2 - L^2/24)
 * across and by k x y along them, in the mean square 0.0382 k, and its radius of gyration is 0.2916 m. */
#define BENT(moment)                                                                               \
    HEAD "materials: {m: {density: 1000, young: 1e9, poisson: 0.3, damping: 10 ms}}\n" BAR(        \
        "[6, 1, 1]", "modal: {modes: 2, damping_ratio: 0.2}, ",                                    \
        "root: {set: x_min, as: mean}, tip: {set: x_max, as: mean}") "joints: {c: {type: solid, "  \
                                                                     "a: bar.root, origin: [0, "   \
                                                                     "0.05, 0.05]}}\n"             \
                                                                     "loads: {f: {body: bar.tip, " \
                                                                     "moment: [0, 0, {step: [0, "  \
                                                                     "0, 0.1, " moment "]}]}}\n"

static tn_accuracy_figure bent_figure(const tn_accuracy *a)
{
    tn_accuracy_figure found = {NULL, NAN, NAN};
    for (int32_t k = 0; k < tn_accuracy_figure_count(); k++) {
        if (strcmp(tn_accuracy_get_figure(a, k).name, "bent") == 0)
            found = tn_accuracy_get_figure(a, k);
    }
    return found;
}

/* How far it is bent stands in the accuracy of the run, and what is more than its modes are for is no good run. */
START_TEST(how_far_it_is_bent_is_said)
{
    static const char *const texts[2] = {BENT("833.333"), BENT("5000")};
    const double curvature[2] = {0.1, 0.6};
    char text[1024];
    for (int k = 0; k < 2; k++) {
        mechanism m = beam_model(texts[k], 1);
        mechanism_run(&m, 5e-3, 100, NULL);
        const tn_accuracy a = tn_sim_accuracy(m.sim);
        const tn_accuracy_figure bent = bent_figure(&a);
        /* what linear displacements leave out goes by the square of the turn */
        ck_assert_msg(fabs(bent.worst / (0.0382 / 0.2916 * curvature[k]) - 1.0) <
                          0.03 + 0.15 * curvature[k] * curvature[k],
                      "%g", bent.worst);
        ck_assert(a.bent == bent.worst && a.bent_allowed == bent.allowed);
        ck_assert_int_eq(a.holds, bent.worst <= bent.allowed);
        ck_assert_int_eq(a.verdict == TN_VERDICT_EXCEEDED, k);
        tn_accuracy_print(&a, text, sizeof text);
        ck_assert_ptr_nonnull(strstr(text, "modal bodies bent by at most"));
        tn_accuracy_complain(&a, text, sizeof text);
        ck_assert_int_eq(strstr(text, "leave out `modal`") != NULL, k);
        mechanism_free(&m);
    }
}
END_TEST

/* The bar that is bent by a curvature of 0.1: its stress is E curvature y all along it, though its sections turn by 0.05, half of whose
 * square is a quarter of the strain: as the energy, stress is that of small strain with its part of the second order. */
START_TEST(a_bent_bar_has_the_stress_of_its_bending)
{
    static tn_stress stress[200];
    mechanism m = beam_model(BENT("833.333"), 1);
    const tn_model_solid *solid = &m.model->solids[0];
    mechanism_run(&m, 5e-3, 100, NULL);
    ck_assert_int_le(solid->node_count, 200);
    ck_assert_int_eq(tn_sim_solid_stress(m.sim, (tn_solid){0}, stress), TN_OK);
    int seen = 0;
    for (int32_t i = 0; i < solid->node_count; i++) {
        const tn_vec3 X = solid->rest[i];
        const double exact = 1e9 * 0.1 * fabs(X.y - 0.05);
        if (X.x < 0.15 || X.x > 0.85)
            continue;
        ck_assert_msg(fabs(tn_stress_von_mises(stress[i]) - exact) < 0.01 * 5e6, "%g %g: %g %g",
                      X.x, X.y, tn_stress_von_mises(stress[i]), exact);
        seen++;
    }
    ck_assert_int_ge(seen, 50);
    mechanism_free(&m);
}
END_TEST

/* Bauchau et al. 2016: a four-bar whose hinge C is off by 5 degrees; its coupler, of beams there, is a modal body. The force at A is
 * 193.48888 N at -30 degrees of the exact rods (reference data); 8 elements of the other bars and the solid are off by 0.4 %. */
START_TEST(a_four_bar_has_the_reactions_of_beams)
{
    static const char *const text =
        "tenon: 1\nangle: deg\ngravity: [0, 0, 0]\nparameters: {n: 8}\n"
        "materials: {steel: {density: 7850, young: 207 GPa, poisson: 0.3, damping: 20 us}}\n"
        "flexible:\n"
        "  crank: {beam: {from: [0, 0, 0], to: [0, 120 mm, 0], elements: =n}, section: {rectangle: "
        "[16 mm, 16 mm]}, material: steel}\n"
        "  coupler: {solid: {grid: {size: [0.24, 0.016, 0.016], cells: [8, 2, 2]}, pose: "
        "{position: [0, 0.112, -0.008]}, modal: {modes: 4}, holds: {start: {set: x_min}, end: "
        "{set: x_max}}}, material: steel}\n"
        "  rocker: {beam: {from: [240 mm, 120 mm, 0], to: [240 mm, 0, 0], elements: =n}, section: "
        "{rectangle: [8 mm, 8 mm]}, material: steel}\n"
        "joints:\n"
        "  A: {type: hinge, a: crank.start, origin: [0, 0, 0], drive: {theta: {position: {step: "
        "[0, 0, 1, -30]}}}}\n"
        "  B: {type: hinge, a: coupler.start, b: crank.end, origin: [0, 120 mm, 0]}\n"
        "  C: {type: hinge, a: rocker.start, b: coupler.end, origin: [240 mm, 120 mm, 0], axis: "
        "[0.08715574274765818, 0, 0.9961946980917454]}\n"
        "  D: {type: hinge, a: rocker.end, origin: [240 mm, 0, 0]}\n"
        "measures: {load: {reaction: A, axes: world, quantity: force}}\n";
    static const double exact[3] = {21.12497818, -11.79773527, 193.48887738};
    mechanism m = beam_model(text, 8);
    double load[3];
    mechanism_run(&m, 5e-3, 240, NULL);
    beam_measure(&m, "load", load);
    for (int k = 0; k < 3; k++)
        ck_assert_msg(fabs(load[k] / exact[k] - 1.0) < 5e-3, "%g", load[k]);
    mechanism_free(&m);
}
END_TEST

/* ---- stiffening ---- */

/* A cantilever, L/h = 20, pulled or pushed along its axis at its end by P, and across by F = 1 N: with u = L sqrt(|P| / EI) it moves by
 * F L^3 / (3 EI) times 3 (tan u - u) / u^3 pushed, 3 (u - tanh u) / u^3 pulled. Compared with itself without P, so that the stiffness of
 * the mesh does not count; pushed by 0.6 and pulled by 3 times what it buckles under. */
#define COLUMN                                                                                     \
    "tenon: 1\ngravity: [0, 0, 0]\nparameters: {n: 1, p: %g}\n"                                    \
    "materials: {m: {density: 1000, young: 1.2e9, poisson: 0, damping: 10 ms}}\n"                  \
    "flexible: {bar: {solid: {grid: {size: [1, 0.05, 0.05], cells: [8, 1, 1]}, "                   \
    "modal: {modes: 2, damping_ratio: 0.3}, holds: {root: {set: x_min}, tip: {set: x_max}}}, "     \
    "material: m}}\n"                                                                              \
    "joints: {c: {type: solid, a: bar.root, origin: [0, 0.025, 0.025]}}\n"                         \
    "loads: {f: {body: bar.tip, force: [{step: [0, 0, 0.2, =p]}, {step: [0, 0, 0.2, 1]}, 0]}}\n"

static double deflection(double pull)
{
    char text[1024];
    tn_body tip;
    snprintf(text, sizeof text, COLUMN, pull);
    mechanism m = beam_model(text, 1);
    ck_assert_int_eq(tn_model_find_body(m.model, "bar.tip", &tip), TN_OK);
    mechanism_run(&m, 1e-2, 60, NULL);
    const double y = tn_sim_body_pose(m.sim, tip).p.y - 0.025;
    mechanism_free(&m);
    return y;
}

START_TEST(pull_stiffens_and_pressure_softens)
{
    const double EI = 625.0, without = deflection(0.0), pi = acos(-1.0);
    static const double parts[] = {0.6, -3.0};
    for (size_t k = 0; k < (size_t)ALL_OR_FEW(2, 1); k++) {
        const double P = parts[k] * EI * pi * pi / 4.0, u = sqrt(fabs(P) / EI);
        const double exact = 3.0 * (P > 0.0 ? tan(u) - u : u - tanh(u)) / (u * u * u);
        const double found = deflection(-P) / without;
        ck_assert_msg(fabs(found / exact - 1.0) < 0.01, "%g: %g %g", parts[k], found, exact);
    }
}
END_TEST

/* A bar whose root is turned, at 6 rad/s in 15 s (reference data: spin_up.json; Kane, Ryan, Banerjee 1987 had such a bar diverge by linear
 * modes): displacements of its tip along and across at 5 s and 7.5 s. */
#define SPIN_UP                                                                                    \
    "tenon: 1\ngravity: [0, 0, 0]\nparameters: {n: 1, h: 0.07745966692414834}\n"                   \
    "materials: {m: {density: 200, young: 4.666666666666667e9, poisson: 0}}\n"                     \
    "flexible: {bar: {solid: {grid: {size: [10, =h, =h], cells: [16, 1, 1]}, pose: {position: "    \
    "[0, =-h/2, =-h/2]}, modal: {modes: 4}, holds: {root: {set: x_min}, tip: {set: x_max}}}, "     \
    "material: m}}\n"                                                                              \
    "joints: {h: {type: hinge, a: bar.root, origin: [0, 0, 0], axis: [0, 0, 1], drive: {theta: "   \
    "{position: \"=t < 15 ? 0.2*t^2 + 90/(4*pi^2)*(cos(2*pi*t/15) - 1) : 45 + 6*(t - 15)\"}}}}\n"

START_TEST(a_bar_that_is_spun_up_stays_straight)
{
    static const double exact[][3] = {{5.0, -0.0126546363, -0.468476184},
                                      {7.5, -0.0177418646, -0.559083455}};
    mechanism m = beam_model(SPIN_UP, 1);
    tn_body root, tip;
    ck_assert_int_eq(tn_model_find_body(m.model, "bar.root", &root), TN_OK);
    ck_assert_int_eq(tn_model_find_body(m.model, "bar.tip", &tip), TN_OK);
    for (int k = 0; k < ALL_OR_FEW(2, 0); k++) {
        mechanism_run(&m, 10e-3, (int)lround((exact[k][0] - tn_sim_time(m.sim)) / 10e-3), NULL);
        const tn_pose base = tn_sim_body_pose(m.sim, root);
        const tn_mat3 R = q_to_m3(base.q);
        const tn_vec3 at = m3_tmulv(&R, v3_sub(tn_sim_body_pose(m.sim, tip).p, base.p));
        ck_assert_msg(fabs(at.x - 10.0 - exact[k][1]) < 1e-4, "%g: %g", exact[k][0], at.x - 10.0);
        ck_assert_msg(fabs(at.y - exact[k][2]) < 2e-3, "%g: %g", exact[k][0], at.y);
    }
    mechanism_free(&m);
}
END_TEST

/* ---- what is conserved ---- */

#define FLYING(holds, rest)                                                                        \
    HEAD "materials: {m: {density: 1000, young: 1e6, poisson: 0.3}}\n"                             \
         "flexible: {pad: {solid: {grid: {size: [0.4, 0.1, 0.1], cells: [2, 1, 1], element: "      \
         "hex8}, "                                                                                 \
         "modal: {modes: 2}, holds: {" holds "}}, material: m}}\n" rest
static const char *const flights[] = {
    FLYING("", ""),
    FLYING("tip: {set: x_max}",
           "bodies: {p: {position: [0.6, 0.05, 0.05], mass: 0.5, inertia: [2e-3, 1e-3, 3e-3]}}\n"
           "joints: {h: {type: hinge, a: p, b: pad.tip, origin: [0.4, 0.05, 0.05], axis: [0, 1, "
           "0.2]}}\n")};

START_TEST(flights_keep_momenta_and_energy)
{
    expect_free_flight(flights[_i], 0.02, ALL_OR_FEW(20, 3), 1e-6);
}
END_TEST

/* Mass, centre and moments of inertia of the particles and the bodies of holds are those of the nodes of the mesh, and with a consistent
 * mass those of the box that it fills. */
START_TEST(it_has_the_inertia_of_its_mesh)
{
    static const double box[7] = {6.0, 1.8, 0.3, 0.3, 0.72, 0.02, 0.02};
    double sums[3][10] = {{0.0}};
    const char *texts[3] = {PENDULUM(""), PENDULUM("modal: {modes: 5, mass: lumped}, "),
                            PENDULUM("modal: {modes: 5}, ")};
    for (int k = 0; k < 3; k++) {
        mechanism m = beam_model(texts[k], 1);
        for (int32_t i = 0; i < m.model->body_count; i++) {
            const tn_model_body *body = &m.model->bodies[i];
            const tn_vec3 x = m.sim->state.x[i];
            const double p[3] = {x.x, x.y, x.z};
            sums[k][0] += body->mass;
            for (int n = 0; n < 3; n++)
                sums[k][1 + n] += body->mass * p[n];
            for (int n = 0; n < 6; n++) {
                static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2};
                sums[k][4 + n] += body->mass * p[row[n]] * p[column[n]] -
                                  (body->dim == 6 ? body->J.m[row[n]][column[n]] : 0.0);
                if (n < 3 && body->dim == 6)
                    sums[k][4 + n] += 0.5 * (body->J.m[0][0] + body->J.m[1][1] + body->J.m[2][2]);
            }
        }
        mechanism_free(&m);
    }
    /* diagonal moments: sums of squares; the products of holds are the same by symmetry */
    for (int n = 0; n < 7; n++) {
        ck_assert_msg(fabs(sums[0][n] - sums[1][n]) < 1e-12, "%d: %g %g", n, sums[0][n],
                      sums[1][n]);
        ck_assert_msg(fabs(sums[2][n] - box[n]) < 1e-12, "%d: %g", n, sums[2][n]);
    }
}
END_TEST

/* ---- what is refused ---- */

static const struct {
    const char *text, *message;
} refused[] = {
    {HEAD "materials: {m: {density: 1000, young: 1e6, poisson: 0.3, law: neo_hookean}}\n" BAR(
         "[2, 1, 1]", "modal: {modes: 4}, ", ""),
     "'bar': a modal body is for small strain"},
    {HEAD STEEL BAR("[2, 1, 1]", "modal: {modes: 0}, ", ""), "'modes' must be a whole number"},
    {HEAD STEEL BAR("[2, 1, 1]", "modal: {modes: 4, damping_ratio: 2}, ", ""), "'damping_ratio'"},
    {HEAD STEEL
     "flexible: {bar: {solid: {grid: {size: [1, 1, 1], cells: [1, 1, 1], element: tet4}, "
     "modal: {modes: 40}}, material: m}}\n",
     "'bar': the mesh has not as many modes"},
    {HEAD STEEL BAR("[2, 1, 1]", "modal: {modes: 4}, ", "a: {within: [[0, 0, 0], [0, 0, 0]]}"),
     "'bar': the hold 'a' has nodes in a line only"},
    {HEAD STEEL "flexible: {bar: {solid: {grid: {size: [1, 1, 1], cells: [1, 1, 1]}, "
                "modal: {modes: 4}, surfaces: {s: {set: x_max}}}, material: m}}\n"
                "loads: {p: {surface: bar.s, pressure: 1}}\n",
     "'bar' is a modal body, which bears no pressure"},
};

START_TEST(what_it_cannot_be_is_refused)
{
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = NULL;
    const char *text = refused[_i].text;
    bool found = false;
    ck_assert_int_ne(tn_spec_read_string(text, strlen(text), "modal", diags, &spec), TN_OK);
    for (int32_t k = 0; k < tn_diagnostics_count(diags); k++)
        found = found || strstr(tn_diagnostics_get(diags, k)->message, refused[_i].message);
    ck_assert_msg(found, "%s", tn_diagnostics_get(diags, 0)->message);
    tn_diagnostics_destroy(diags);
    tn_spec_destroy(spec);
}
END_TEST

/* Every third allocation of adding a body fails in turn: it says so, and all is given back. */
START_TEST(memory_may_run_out)
{
    const tn_solid_grid grid = {{1.0, 1.0, 1.0}, {2, 1, 1}, TN_HEX8};
    const tn_solid_modal modal = {2, 0.1};
    test_allocator allocator = {.left = -1};
    tn_solid_mesh mesh;
    tn_set_allocator(test_realloc, &allocator);
    ck_assert_int_eq(tn_solid_mesh_grid(&grid, &mesh), TN_OK);
    const tn_node_set *root = tn_solid_mesh_set(&mesh, "x_min");
    const tn_solid_hold hold = {"root", TN_PATCH_FIXED, root->nodes, root->count};
    tn_solid_def def = tn_default_solid_def();
    def.name = "part";
    def.mesh = &mesh;
    def.material.young = 1e6;
    def.holds = &hold;
    def.hold_count = 1;
    def.modal = &modal;
    tn_status status = TN_ERROR_MEMORY;
    int32_t failed = 0;
    for (int64_t allowed = 1; status != TN_OK; allowed += 3) {
        const int64_t before = allocator.alive;
        tn_spec *spec = tn_spec_create();
        allocator.left = allowed;
        status = tn_spec_add_solid(spec, &def, NULL, NULL);
        allocator.left = -1;
        ck_assert(status == TN_OK || status == TN_ERROR_MEMORY);
        failed += status != TN_OK;
        tn_spec_destroy(spec);
        ck_assert_int_eq(allocator.alive, before);
    }
    ck_assert_int_gt(failed, 10);
    tn_solid_mesh_free(&mesh);
    tn_set_allocator(NULL, NULL);
    ck_assert_int_eq(allocator.alive, 0);
}
END_TEST

/* A hinge on a hold, of a mesh or of modes, is no loop: its frame is that of many nodes, not of the one that stands for them. */
START_TEST(holds_repeat_no_rows)
{
    mechanism m = beam_model(_i == 0 ? PENDULUM("") : PENDULUM("modal: {modes: 2}, "), 1);
    tn_analysis analysis;
    ck_assert_int_eq(tn_sim_analyze(m.sim, NULL, &analysis), TN_OK);
    ck_assert_int_eq(analysis.redundant, 0);
    ck_assert_int_eq(analysis.dof, m.model->size.velocities - 17);
    tn_analysis_free(&analysis);
    mechanism_free(&m);
}
END_TEST

START_TEST(nodes_have_no_bodies)
{
    mechanism m = beam_model(PENDULUM("modal: {modes: 1}, "), 1);
    tn_body body;
    tn_vec3 point;
    ck_assert_int_eq(tn_spec_solid_node(m.spec, (tn_solid){0}, 0, &body, &point),
                     TN_ERROR_UNSUPPORTED);
    ck_assert_int_eq(tn_spec_solid_size(m.spec, (tn_solid){0}).modes, 1);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("modal");
    TCase *tc = tcase_create("modal");
    tcase_add_test(tc, a_free_bar_has_its_frequencies);
    tcase_add_test(tc, a_clamped_bar_has_its_frequencies);
    tcase_add_test(tc, frequencies_are_those_of_the_mesh);
    tcase_add_test(tc, a_pendulum_moves_as_its_mesh);
    tcase_add_test(tc, a_bar_at_rest_is_that_of_its_mesh);
    tcase_add_test(tc, how_far_it_is_bent_is_said);
    tcase_add_test(tc, a_bent_bar_has_the_stress_of_its_bending);
    tcase_add_loop_test(tc, a_four_bar_has_the_reactions_of_beams, 0, ALL_OR_FEW(1, 0));
    tcase_add_test(tc, pull_stiffens_and_pressure_softens);
    tcase_add_test(tc, a_bar_that_is_spun_up_stays_straight);
    tcase_add_loop_test(tc, flights_keep_momenta_and_energy, 0, (int)TN_COUNT_OF(flights));
    tcase_add_test(tc, it_has_the_inertia_of_its_mesh);
    tcase_add_loop_test(tc, what_it_cannot_be_is_refused, 0, (int)TN_COUNT_OF(refused));
    tcase_add_test(tc, memory_may_run_out);
    tcase_add_loop_test(tc, holds_repeat_no_rows, 0, 2);
    tcase_add_test(tc, nodes_have_no_bodies);
    suite_add_tcase(suite, tc);
    return suite;
}
