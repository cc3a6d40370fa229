/* test_pressure.c: pressures on surfaces of elastic solids: forces and their derivatives by themselves, work, hydrostatic
 * compression, thick cylinders and spheres against closed forms.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "element/geometry.h"
#include "element/surface.h"
#include "assemble/load/pressure.h"
#include "motion/simulation.h"
#include "support/beam_models.h"
#include "support/heavy.h"
#include "support/random_numbers.h"
#include "support/run_main.h"
#include "tenon/stress.h"

/* ---- faces by themselves ---- */

/* An element of any shape, and the velocities of its nodes. */
typedef struct sample {
    tn_shape_basis basis;
    tn_vec3 x[TN_ELEMENT_NODES], v[TN_ELEMENT_NODES];
} sample;

static sample make_sample(tn_element_kind kind, uint64_t seed)
{
    sample s;
    tn_shape_basis_make(tn_element_type_of(kind), &s.basis);
    for (int32_t i = 0; i < s.basis.type->nodes; i++) {
        double at[3];
        tn_element_node_place(s.basis.type, i, at);
        s.x[i] = v3_axpy(v3_load(at), 0.1, random_vector(&seed));
        s.v[i] = random_vector(&seed);
    }
    return s;
}

static tn_face_data face_of(const sample *s, int32_t number, tn_vec3 x[TN_FACE_FUNCTIONS])
{
    tn_face_data face;
    tn_face_make(&s->basis, number, &face);
    for (int32_t i = 0; i < face.nodes; i++)
        x[i] = s->x[face.node[i]];
    return face;
}

/* By 4 points in each direction. */
static double volume_after(const sample *s, double t)
{
    tn_vec3 x[TN_ELEMENT_NODES];
    tn_element_point points[TN_MASS_POINTS];
    double volume = 0.0, N[TN_ELEMENT_NODES], g[TN_ELEMENT_NODES][3];
    const int32_t count = tn_element_mass_points(s->basis.type, points);
    for (int32_t i = 0; i < s->basis.type->nodes; i++)
        x[i] = v3_axpy(s->x[i], t, s->v[i]);
    for (int32_t p = 0; p < count; p++)
        volume += points[p].weight * tn_element_gradients(&s->basis, x, points[p].at, N, g);
    return volume;
}

/* All around an element: no sum, no moment, and the power is -p times the rate of the volume. */
START_TEST(pressures_around_an_element_balance)
{
    const sample s = make_sample((tn_element_kind)_i, 3);
    const double h = 1e-5, pressure = 2.0;
    tn_vec3 sum = {0, 0, 0}, moment = {0, 0, 0};
    double power = 0.0, area = 0.0;
    for (int32_t n = 0; n < s.basis.type->faces; n++) {
        tn_vec3 x[TN_FACE_FUNCTIONS], f[TN_FACE_FUNCTIONS] = {{0.0, 0.0, 0.0}};
        const tn_face_data face = face_of(&s, n, x);
        tn_face_forces(&face, x, pressure, f);
        for (int32_t i = 0; i < face.nodes; i++) {
            sum = v3_add(sum, f[i]);
            moment = v3_add(moment, v3_cross(x[i], f[i]));
            power += v3_dot(f[i], s.v[face.node[i]]);
        }
        for (int32_t p = 0; p < TN_FACE_POINTS; p++)
            area += face.weight[p] * v3_norm(tn_face_normal(&face, x, p));
    }
    ck_assert_double_gt(area, 2.0);
    ck_assert_double_le(v3_norm(sum), 1e-13 * area);
    ck_assert_double_le(v3_norm(moment), 1e-13 * area);
    const double rate = (volume_after(&s, h) - volume_after(&s, -h)) / (2.0 * h);
    ck_assert_double_le(fabs(power + pressure * rate), 1e-8 * area);
}
END_TEST

START_TEST(derivatives_are_those_of_the_forces)
{
    const double h = 1e-6;
    const sample s = make_sample((tn_element_kind)_i, 5);
    for (int32_t n = 0; n < s.basis.type->faces; n++) {
        double K[9 * TN_FACE_FUNCTIONS * TN_FACE_FUNCTIONS];
        tn_vec3 x[TN_FACE_FUNCTIONS];
        const tn_face_data face = face_of(&s, n, x);
        tn_face_stiffness(&face, x, 3.0, K);
        for (int32_t k = 0; k < 3 * face.nodes; k++) {
            tn_vec3 f[2][TN_FACE_FUNCTIONS] = {{{0.0, 0.0, 0.0}}};
            double *at = &x[k / 3].x + k % 3;
            const double was = *at;
            for (int side = 0; side < 2; side++) {
                *at = was + (side ? h : -h);
                tn_face_forces(&face, x, 3.0, f[side]);
            }
            *at = was;
            for (int32_t i = 0; i < 3 * face.nodes; i++) {
                const double slope =
                    ((&f[0][i / 3].x)[i % 3] - (&f[1][i / 3].x)[i % 3]) / (2.0 * h);
                ck_assert_double_le(fabs(slope - K[i * 3 * face.nodes + k]), 1e-8);
            }
        }
    }
}
END_TEST

/* ---- hydrostatic pressure ---- */

/* A block that floats, all around; by hexahedra, wedges, tetrahedra. */
static const char *const block_text =
    "tenon: 1\ngravity: [0, 0, 0]\nparameters: {n: 1}\n"
    "materials: {m: {density: 1000, young: 1e6, poisson: 0.4, law: neo_hookean, damping: 20 ms}}\n"
    "flexible: {block: {solid: {grid: {size: [0.3, 0.2, 0.1], cells: [2, 2, 1], element: %s}, "
    "surfaces: {skin: {}}, "
    "holds: {end: {set: x_max%s}}}, material: m}}\n"
    "loads: {p: {surface: block.skin, pressure: %s}}\n";

static mechanism block_of(tn_element_kind kind, const char *hold, const char *pressure)
{
    char text[1024];
    snprintf(text, sizeof text, block_text, tn_element_kind_name(kind), hold, pressure);
    return beam_model(text, 1);
}

/* Of hexahedra, by their corners: faces are flat. */
static double volume_of(const tn_sim *sim)
{
    const tn_model_solid *solid = &sim->model->solids[0];
    static tn_vec3 x[1000];
    double volume = 0.0;
    ck_assert_int_le(solid->node_count, 1000);
    ck_assert_int_eq(tn_sim_solid_places(sim, (tn_solid){0}, x), TN_OK);
    for (int32_t t = 0; t < solid->surface_count; t++) {
        const int32_t *v = solid->surface[t].v;
        volume += v3_dot(x[v[0]], v3_cross(x[v[1]], x[v[2]])) / 6.0;
    }
    return volume;
}

/* p (Cauchy) of the neo-Hookean law at F = s 1: -(mu (s^2 - 1) + lambda ln s^3) / s^3. */
static double pressure_at(double s)
{
    const double mu = 1e6 / 2.8, lambda = 1e6 * 0.4 / (1.4 * 0.2);
    return -(mu * (s * s - 1.0) + lambda * 3.0 * log(s)) / (s * s * s);
}

START_TEST(pressure_all_around_compresses_evenly)
{
    mechanism m = block_of((tn_element_kind)_i, ", as: mean", "{step: [0, 0, 0.2, 2e5]}");
    double low = 0.8, high = 1.0;
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (low + high);
        *(pressure_at(middle) > 2e5 ? &low : &high) = middle;
    }
    mechanism_run(&m, ALL_OR_FEW(5e-3, 1e-2), ALL_OR_FEW(120, 60), NULL);
    ck_assert_double_le(fabs(volume_of(m.sim) / 0.006 - low * low * low), 1e-6);
    tn_vec3 sum = {0, 0, 0};
    for (int32_t b = 0; b < m.model->body_count; b++)
        sum = v3_add(sum, tn_sim_load_wrench(m.sim, (tn_load){0}, (tn_body){.i = b}).f);
    ck_assert_double_le(v3_norm(sum), 1e-9);
    mechanism_free(&m);
}
END_TEST

/* What a pressure that does not change works is p times the volume that is lost, and all energy comes from it. */
START_TEST(work_is_pressure_times_volume)
{
    mechanism m = block_of(TN_HEX8, "", "5e4");
    const double before = volume_of(m.sim);
    for (int i = 0; i < ALL_OR_FEW(200, 50); i++)
        ck_assert_int_eq(tn_sim_step(m.sim, ALL_OR_FEW(1e-4, 2e-4), NULL), TN_OK);
    const double work = tn_sim_load_work(m.sim, (tn_load){0});
    const tn_energy energy = tn_sim_energy(m.sim);
    ck_assert_double_gt(work, 0.5);
    ck_assert_double_le(fabs(work / (5e4 * (before - volume_of(m.sim))) - 1.0), 1e-3);
    ck_assert_double_le(energy.kinetic + energy.elastic, work);
    mechanism_free(&m);
}
END_TEST

/* ---- the matrix ---- */

/* On nodes of rigid bodies and between: blocks against the symmetric part of differences. */
START_TEST(blocks_are_the_slopes_of_the_forces)
{
    mechanism m = block_of(TN_HEX8, "", "1e6");
    tn_sim *sim = m.sim;
    const int32_t n = sim->model->size.velocities, bodies = sim->model->body_count;
    static double K[100][100];
    tn_vec3 x[64];
    tn_quat q[64];
    double u[100], Ku[100];
    ck_assert(n <= 100 && bodies <= 64);
    memcpy(x, sim->state.x, sizeof *x * (size_t)bodies);
    memcpy(q, sim->state.q, sizeof *q * (size_t)bodies);
    for (int32_t k = 0; k < n; k++) {
        double f[2][100] = {{0.0}};
        memset(u, 0, sizeof u);
        u[k] = 1.0;
        for (int side = 0; side < 2; side++) {
            for (int32_t i = 0; i < bodies; i++) {
                tn_vec3 v, w;
                tn_body_unpack(&sim->model->bodies[i], u, &v, &w);
                sim->state.x[i] = v3_axpy(x[i], side ? 1e-6 : -1e-6, v);
                sim->state.q[i] = q_mul(q[i], q_exp(v3_scale(side ? 1e-6 : -1e-6, w)));
            }
            tn_assemble_poses(&sim->sys, sim->state.x, sim->state.q);
            tn_pressure_add(&sim->sys, &sim->model->loads[0], 1e6, f[side]);
        }
        for (int32_t i = 0; i < n; i++)
            K[i][k] = (f[0][i] - f[1][i]) / 2e-6;
    }
    tn_assemble_poses(&sim->sys, x, q);
    memset(sim->sys.values->h, 0, sizeof(double) * (size_t)sim->sys.layout->h_size);
    tn_kkt_clear_pairs(sim->model->kkt, sim->sys.values);
    tn_pressures_fill(&sim->sys, 0.0, 1.0);
    for (int32_t k = 0; k < n; k++) {
        memset(u, 0, sizeof u);
        u[k] = 1.0;
        tn_kkt_apply_h(sim->model->kkt, sim->sys.values, u, Ku);
        for (int32_t i = 0; i < n; i++) {
            const bool turn =
                i >= n - 3 && k >= n - 3; /* arms turn with their body: left to the iteration */
            ck_assert(turn || fabs(0.5 * (K[i][k] + K[k][i]) - Ku[i]) < 1e-2);
        }
    }
    mechanism_free(&m);
}
END_TEST

/* ---- shells of quadratic hexahedra ---- */

enum { MOST = 6000 };

/* Nodes of a mesh by the numbers of their places, two steps of which are an element. */
typedef struct lattice {
    int32_t *number;
    int32_t size[3];
    tn_vec3 *nodes;
    tn_solid_element *elements;
    int32_t node_count, element_count;
    int32_t inner[MOST];
    int32_t inner_count;
} lattice;

typedef tn_vec3 (*place_at)(const int32_t at[3]);

static lattice lattice_of(int32_t a, int32_t b, int32_t c)
{
    lattice l = {.size = {a, b, c}};
    const size_t all = (size_t)(a * b * c);
    l.number = malloc(all * sizeof *l.number);
    l.nodes = calloc(all, sizeof *l.nodes);
    l.elements = calloc(all, sizeof *l.elements);
    ck_assert(l.number && l.nodes && l.elements);
    memset(l.number, -1, all * sizeof *l.number);
    return l;
}

/* The element whose first corner is at `from`, its own axes along these of the lattice. */
static void add_element(lattice *l, tn_element_kind kind, const int32_t from[3],
                        const int32_t wrap[3], place_at place)
{
    const tn_element_type *type = tn_element_type_of(kind);
    tn_solid_element *element = &l->elements[l->element_count++];
    *element = (tn_solid_element){.kind = kind};
    for (int32_t i = 0; i < type->nodes; i++) {
        int32_t at[3];
        double own[3];
        tn_element_node_place(type, i, own);
        for (int k = 0; k < 3; k++) {
            at[k] = from[k] + 1 + (int32_t)own[k];
            at[k] = wrap[k] > 0 ? at[k] % wrap[k] : at[k];
        }
        int32_t *number = &l->number[(at[2] * l->size[1] + at[1]) * l->size[0] + at[0]];
        if (*number < 0) {
            *number = l->node_count;
            l->nodes[l->node_count++] = place(at);
        }
        element->nodes[i] = *number;
    }
}

static void note_inner(lattice *l, double radius, bool flat)
{
    for (int32_t i = 0; i < l->node_count; i++) {
        const tn_vec3 p = l->nodes[i];
        if (fabs(v3_norm(v3(p.x, p.y, flat ? 0.0 : p.z)) - radius) < 1e-9)
            l->inner[l->inner_count++] = i;
    }
    ck_assert_int_le(l->inner_count, MOST);
}

static mechanism shell_model(const lattice *l, tn_solid_material material,
                             const tn_function_def *pressure)
{
    tn_solid_mesh mesh = {.nodes = l->nodes,
                          .elements = l->elements,
                          .node_count = l->node_count,
                          .element_count = l->element_count};
    const tn_solid_surface inner = {"inner", l->inner, l->inner_count};
    mechanism m = mechanism_new((tn_vec3){0.0, 0.0, 0.0});
    tn_solid_def def = tn_default_solid_def();
    tn_load_def load = tn_default_load_def(TN_LOAD_PRESSURE);
    def.name = "shell";
    def.mesh = &mesh;
    def.material = material;
    def.surfaces = &inner;
    def.surface_count = 1;
    ck_assert_int_eq(tn_spec_add_solid(m.spec, &def, NULL, NULL), TN_OK);
    ck_assert_int_eq(tn_spec_find_surface(m.spec, "shell.inner", &load.solid, &load.surface),
                     TN_OK);
    load.pressure = *pressure;
    ck_assert_int_eq(tn_spec_add_load(m.spec, &load, NULL), TN_OK);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    return m;
}

static double mean_radius(const mechanism *m, const lattice *l, bool flat)
{
    static tn_vec3 x[MOST];
    double sum = 0.0;
    ck_assert_int_le(l->node_count, MOST);
    ck_assert_int_eq(tn_sim_solid_places(m->sim, (tn_solid){0}, x), TN_OK);
    for (int32_t k = 0; k < l->inner_count; k++) {
        const tn_vec3 p = x[l->inner[k]];
        sum += v3_norm(v3(p.x, p.y, flat ? 0.0 : p.z));
    }
    return sum / l->inner_count;
}

static void free_lattice(lattice *l)
{
    free(l->number);
    free(l->nodes);
    free(l->elements);
}

/* A ring from radius 1 to 2, its ends free: 16 x 3 x 1 elements. */
static tn_vec3 ring_place(const int32_t at[3])
{
    const double angle = 2.0 * acos(-1.0) * at[1] / 32.0, r = 1.0 + at[0] / 6.0;
    return v3(r * cos(angle), r * sin(angle), 0.25 * at[2]);
}

/* Lame: u = p a^2 ((1 - nu) r + (1 + nu) b^2/r) / (E (b^2 - a^2)), the stresses along r and around add up to 2 p a^2/(b^2 - a^2). */
static void check_ring(double poisson)
{
    static const int32_t wrap[3] = {0, 32, 0};
    const double E = 1000.0, p = 1e-3;
    lattice l = lattice_of(7, 32, 3);
    for (int32_t k = 0; k < 48; k++)
        add_element(&l, TN_HEX20, (const int32_t[3]){2 * (k % 3), 2 * (k / 3), 0}, wrap,
                    ring_place);
    note_inner(&l, 1.0, true);
    const tn_function_def pressure = {.kind = TN_FUNCTION_CONSTANT, .numbers = &p, .count = 1};
    mechanism m =
        shell_model(&l, (tn_solid_material){TN_LAW_LINEAR, 1.0, E, poisson, 0.0, 1.0}, &pressure);
    mechanism_run(&m, 0.5, 60, NULL);
    const double exact = p * ((1.0 - poisson) + (1.0 + poisson) * 4.0) / (E * 3.0);
    const double u = mean_radius(&m, &l, true) - 1.0;
    ck_assert_msg(fabs(u / exact - 1.0) < 1e-3, "%.9g %.9g", u, exact);
    static tn_stress stress[MOST];
    ck_assert_int_eq(tn_sim_solid_stress(m.sim, (tn_solid){0}, stress), TN_OK);
    for (int32_t i = 0; i < l.node_count; i++) {
        if (fabs(v3_norm(v3(l.nodes[i].x, l.nodes[i].y, 0.0)) - 1.5) > 1e-9)
            continue;
        ck_assert_msg(fabs((stress[i].xx + stress[i].yy) / p - 2.0 / 3.0) < 0.01, "%g",
                      (stress[i].xx + stress[i].yy) / p);
        ck_assert_double_le(fabs(stress[i].zz / p), 0.01);
    }
    mechanism_free(&m);
    free_lattice(&l);
}

/* A load names a surface: two of one name would leave one out. */
START_TEST(surfaces_have_names_of_their_own)
{
    static const int32_t low[] = {0, 1, 2, 3}, high[] = {4, 5, 6, 7};
    const tn_solid_surface both[] = {{"side", low, 4}, {"side", high, 4}};
    const tn_solid_grid grid = {{1.0, 1.0, 1.0}, {1, 1, 1}, TN_HEX8};
    tn_solid_mesh mesh = {0};
    tn_solid_def def = tn_default_solid_def();
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = tn_spec_create();
    ck_assert_int_eq(tn_solid_mesh_grid(&grid, &mesh), TN_OK);
    def.name = "block";
    def.mesh = &mesh;
    def.material = (tn_solid_material){.density = 1.0, .young = 1.0};
    def.surfaces = both;
    def.surface_count = 1;
    ck_assert_int_eq(tn_spec_add_solid(spec, &def, diags, NULL), TN_OK);
    def.name = "other";
    def.surface_count = 2;
    ck_assert_int_eq(tn_spec_add_solid(spec, &def, diags, NULL), TN_ERROR_INPUT);
    ck_assert_ptr_nonnull(strstr(tn_diagnostics_get(diags, 0)->message, "the same name"));
    tn_solid_mesh_free(&mesh);
    tn_spec_destroy(spec);
    tn_diagnostics_destroy(diags);
}
END_TEST

START_TEST(rings_widen_as_lame_says)
{
    check_ring(_i == 0 ? 0.3 : 0.4999);
}
END_TEST

/* A sphere from radius 1 to 2: a cube of 4 x 4 cells a face blown up, 2 layers. The lattice is that of the cube, layers along its third
 * axis below it. */
enum { SIDE = 4, STEPS = 2 * SIDE, LAYERS = 4 };

static tn_vec3 on_cube(int32_t face, int32_t i, int32_t j)
{
    const double quarter = 0.25 * acos(-1.0), a = tan(quarter * (2.0 * i / STEPS - 1.0)),
                 b = tan(quarter * (2.0 * j / STEPS - 1.0));
    const tn_vec3 of[6] = {{1.0, a, b},  {-1.0, b, a}, {b, 1.0, a},
                           {a, -1.0, b}, {a, b, 1.0},  {b, a, -1.0}};
    return of[face];
}

static int32_t node_at(lattice *l, tn_vec3 p)
{
    for (int32_t i = 0; i < l->node_count; i++) {
        if (v3_norm(v3_sub(l->nodes[i], p)) < 1e-9)
            return i;
    }
    l->nodes[l->node_count] = p;
    return l->node_count++;
}

static void add_to_sphere(lattice *l, tn_element_kind kind, int32_t face, const int32_t from[3])
{
    const tn_element_type *type = tn_element_type_of(kind);
    tn_solid_element *element = &l->elements[l->element_count++];
    *element = (tn_solid_element){.kind = kind};
    for (int32_t n = 0; n < type->nodes; n++) {
        double own[3];
        tn_vec3 out;
        tn_element_node_place(type, n, own);
        v3_unit(on_cube(face, from[0] + 1 + (int32_t)own[0], from[1] + 1 + (int32_t)own[1]), &out);
        element->nodes[n] = node_at(l, v3_scale(1.0 + (from[2] + 1 + own[2]) / LAYERS, out));
    }
}

static lattice sphere(tn_element_kind kind)
{
    lattice l = lattice_of(20, 20, 20);
    for (int32_t face = 0; face < 6; face++) {
        for (int32_t k = 0; k < SIDE * SIDE * LAYERS / 2; k++)
            add_to_sphere(
                &l, kind, face,
                (const int32_t[3]){2 * (k % SIDE), 2 * (k / SIDE % SIDE), 2 * (k / SIDE / SIDE)});
    }
    note_inner(&l, 1.0, false);
    return l;
}

/* Nearly incompressible, neo-Hookean, mu 1e5: at 75543.311871234 Pa the inner radius is 1.5, at 48015.977929079 it is 1.2
 * (quadrature, and in closed form). */
static const struct {
    double pressure, radius;
    tn_element_kind kind;
} inflations[] = {{48015.977929079, 1.2, TN_HEX20},
                  {75543.311871234, 1.5, TN_HEX27},
                  {75543.311871234, 1.5, TN_HEX20}};

START_TEST(spheres_inflate)
{
    const double numbers[4] = {0.0, 0.0, 1.0, inflations[_i].pressure}, nu = 0.4999;
    const tn_function_def ramp = {.kind = TN_FUNCTION_STEP, .numbers = numbers, .count = 4};
    lattice l = sphere(inflations[_i].kind);
    mechanism m = shell_model(
        &l, (tn_solid_material){TN_LAW_NEO_HOOKEAN, 100.0, 2e5 * (1.0 + nu), nu, 0.0, 0.05}, &ramp);
    mechanism_run(&m, 0.1, 25, NULL);
    const double a = mean_radius(&m, &l, false);
    ck_assert_msg(fabs(a - inflations[_i].radius) < 0.001 * a, "%g", a);
    mechanism_free(&m);
    free_lattice(&l);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("pressure");
    TCase *tc = tcase_create("pressure");
    tcase_add_loop_test(tc, pressures_around_an_element_balance, 0, TN_ELEMENT_KIND_COUNT);
    tcase_add_loop_test(tc, derivatives_are_those_of_the_forces, 0, TN_ELEMENT_KIND_COUNT);
    tcase_add_loop_test(tc, pressure_all_around_compresses_evenly, 0, TN_ELEMENT_KIND_COUNT);
    tcase_add_test(tc, work_is_pressure_times_volume);
    tcase_add_test(tc, blocks_are_the_slopes_of_the_forces);
    tcase_add_test(tc, surfaces_have_names_of_their_own);
    tcase_add_loop_test(tc, rings_widen_as_lame_says, 0, ALL_OR_FEW(2, 0));
    tcase_add_loop_test(tc, spheres_inflate, 0, ALL_OR_FEW(3, 0));
    suite_add_tcase(suite, tc);
    return suite;
}
