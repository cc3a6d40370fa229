/* test_dilatation.c: nearly incompressible solids: Cook's membrane, beams, whether pressures are stable, for each type of element.
 *
 * A small static program of its own: elements of a mesh at rest, coordinates that are held, a banded Cholesky factor.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "element/body.h"
#include "element/geometry.h"
#include "element/surface.h"
#include "support/heavy.h"
#include "support/run_main.h"

/* ---- statics ---- */

typedef struct statics {
    tn_solid_mesh mesh;
    tn_shape_basis basis;
    tn_elastic material;
    double poisson;
    int32_t *number; /* [3 nodes] unknown of a coordinate; -1: held */
    int32_t unknowns, band;
    double *K; /* [unknowns][band + 1], K[i][band + j - i] */
    double *f; /* [unknowns] */
} statics;

typedef bool (*held)(tn_vec3 X, int axis);

static const statics *sorting;

static int by_place(const void *a, const void *b)
{
    const double *x = &sorting->mesh.nodes[*(const int32_t *)a].x,
                 *y = &sorting->mesh.nodes[*(const int32_t *)b].x;
    for (int k = 0; k < 3; k++) {
        if (fabs(x[k] - y[k]) > 1e-9)
            return x[k] < y[k] ? -1 : 1;
    }
    return 0;
}

/* Unknowns in the order of places, x first. */
static void number_unknowns(statics *s, held is_held)
{
    const int32_t n = s->mesh.node_count;
    if (n <= 0)
        ck_abort_msg("no nodes");
    int32_t *order = calloc((size_t)n, sizeof *order);
    s->number = calloc((size_t)(3 * n), sizeof *s->number);
    ck_assert(order && s->number);
    for (int32_t i = 0; i < n; i++)
        order[i] = i;
    sorting = s;
    qsort(order, (size_t)n, sizeof *order, by_place);
    s->unknowns = 0;
    for (int32_t k = 0; k < 3 * n; k++) {
        const int32_t node = order[k / 3];
        s->number[3 * node + k % 3] = is_held(s->mesh.nodes[node], k % 3) ? -1 : s->unknowns++;
    }
    free(order);
}

typedef struct one {
    tn_vec3 X[TN_ELEMENT_NODES];
    double weight[TN_ELEMENT_POINTS], grad[TN_ELEMENT_POINTS * TN_ELEMENT_NODES * 3],
        mode[TN_ELEMENT_MODES * TN_ELEMENT_POINTS];
    tn_element_data data;
} one;

static void make_one(const statics *s, int32_t element, one *e)
{
    const tn_element_type *type = s->basis.type;
    const int32_t modes = tn_element_modes(type, s->poisson);
    for (int32_t i = 0; i < type->nodes; i++)
        e->X[i] = s->mesh.nodes[s->mesh.elements[element].nodes[i]];
    tn_element_integrate(&s->basis, e->X, modes, e->weight, e->grad, e->mode);
    e->data = (tn_element_data){type->nodes, type->points, e->weight, e->grad, e->mode, modes};
}

static int32_t unknown_of(const statics *s, int32_t element, int32_t k)
{
    return s->number[3 * s->mesh.elements[element].nodes[k / 3] + k % 3];
}

static void find_band(statics *s)
{
    for (int32_t e = 0; e < s->mesh.element_count; e++) {
        int32_t low = s->unknowns, high = 0;
        for (int32_t k = 0; k < 3 * s->basis.type->nodes; k++) {
            const int32_t u = unknown_of(s, e, k);
            if (u >= 0) {
                low = u < low ? u : low;
                high = u > high ? u : high;
            }
        }
        s->band = high - low > s->band ? high - low : s->band;
    }
}

static double *entry(statics *s, int32_t i, int32_t j)
{
    return &s->K[(size_t)i * (size_t)(s->band + 1) + (size_t)(s->band + j - i)];
}

static void assemble(statics *s)
{
    static double K[9 * TN_ELEMENT_NODES * TN_ELEMENT_NODES];
    find_band(s);
    s->K = calloc((size_t)s->unknowns * (size_t)(s->band + 1), sizeof *s->K);
    s->f = calloc((size_t)s->unknowns, sizeof *s->f);
    ck_assert(s->K && s->f);
    for (int32_t e = 0; e < s->mesh.element_count; e++) {
        one element;
        make_one(s, e, &element);
        const tn_deformed at_rest = {&element.data, &s->material, element.X, NULL};
        const int32_t n = 3 * element.data.nodes;
        ck_assert(tn_element_stiffness(&at_rest, 1.0, 0.0, false, K));
        for (int32_t k = 0; k < n * n; k++) {
            const int32_t i = unknown_of(s, e, k / n), j = unknown_of(s, e, k % n);
            if (i >= j && j >= 0)
                *entry(s, i, j) += K[k];
        }
    }
}

/* f: solved in place. */
static void solve(statics *s)
{
    for (int32_t i = 0; i < s->unknowns; i++) {
        const int32_t first = i > s->band ? i - s->band : 0;
        for (int32_t j = first; j <= i; j++) {
            const int32_t from = j > s->band ? j - s->band : 0, start = from > first ? from : first;
            const double *a = entry(s, i, start), *b = entry(s, j, start);
            double sum = *entry(s, i, j);
            for (int32_t k = 0; k < j - start; k++)
                sum -= a[k] * b[k];
            ck_assert(i != j || sum > 0.0);
            *entry(s, i, j) = i == j ? sqrt(sum) : sum / *entry(s, j, j);
        }
    }
    for (int32_t i = 0; i < s->unknowns; i++) {
        for (int32_t j = i > s->band ? i - s->band : 0; j < i; j++)
            s->f[i] -= *entry(s, i, j) * s->f[j];
        s->f[i] /= *entry(s, i, i);
    }
    for (int32_t i = s->unknowns - 1; i >= 0; i--) {
        s->f[i] /= *entry(s, i, i);
        for (int32_t j = i > s->band ? i - s->band : 0; j < i; j++)
            s->f[j] -= *entry(s, i, j) * s->f[i];
    }
}

/* A force per area along y on all faces whose corners are at this x. */
static void pull_up(statics *s, double x, double traction)
{
    for (int32_t e = 0; e < s->mesh.element_count; e++) {
        const tn_element_type *type = s->basis.type;
        for (int32_t f = 0; f < type->faces; f++) {
            tn_face_data face;
            tn_vec3 X[TN_FACE_FUNCTIONS];
            bool there = true;
            tn_face_make(&s->basis, f, &face);
            for (int32_t i = 0; i < face.nodes; i++) {
                X[i] = s->mesh.nodes[s->mesh.elements[e].nodes[face.node[i]]];
                there = there && fabs(X[i].x - x) < 1e-9;
            }
            for (int32_t k = 0; k < TN_FACE_POINTS * face.nodes && there; k++) {
                const int32_t p = k / face.nodes, i = k % face.nodes;
                const int32_t u = unknown_of(s, e, 3 * face.node[i] + 1);
                if (u >= 0)
                    s->f[u] += traction * face.weight[p] * face.N[p][i] *
                               v3_norm(tn_face_normal(&face, X, p));
            }
        }
    }
}

static statics statics_of(tn_solid_grid grid, double poisson)
{
    statics s = {.poisson = poisson};
    const tn_solid_material m = {TN_LAW_LINEAR, 1.0, 1.0, poisson, 0.0, 0.0};
    s.material = tn_elastic_of(&m);
    tn_shape_basis_make(tn_element_type_of(grid.kind), &s.basis);
    ck_assert_int_eq(tn_solid_mesh_grid(&grid, &s.mesh), TN_OK);
    return s;
}

static void free_statics(statics *s)
{
    tn_solid_mesh_free(&s->mesh);
    free(s->number);
    free(s->K);
    free(s->f);
}

/* Displacement along y of the node at a place. */
static double up_at(const statics *s, tn_vec3 at)
{
    for (int32_t i = 0; i < s->mesh.node_count; i++) {
        if (v3_norm(v3_sub(s->mesh.nodes[i], at)) < 1e-9)
            return s->f[s->number[3 * i + 1]];
    }
    ck_abort_msg("no node is there");
    return 0.0;
}

/* ---- Cook's membrane ---- */

static bool clamped_in_the_plane(tn_vec3 X, int axis)
{
    return axis == 2 || X.x < 1e-9;
}

/* Plane strain, E 1, nu 0.4999, a load of 1 on the right edge: 18.512 +- 0.001 at (48, 52), by displacements of order 8 and 10 on
 * 12 x 12 quadrilaterals that are graded towards the corners; 19.41 at (48, 60), 19.42 by Elguedj et al. 2008. */
static double cook(tn_element_kind kind, int32_t cells)
{
    const tn_solid_grid grid = {{1.0, 1.0, 1.0}, {cells, cells, 1}, kind};
    statics s = statics_of(grid, 0.4999);
    for (int32_t i = 0; i < s.mesh.node_count; i++) {
        const tn_vec3 p = s.mesh.nodes[i];
        s.mesh.nodes[i] = v3(48.0 * p.x, 44.0 * p.x + p.y * (44.0 - 28.0 * p.x), p.z);
    }
    number_unknowns(&s, clamped_in_the_plane);
    assemble(&s);
    pull_up(&s, 48.0, 1.0 / 16.0);
    solve(&s);
    const double up = up_at(&s, v3(48.0, 52.0, 0.0));
    free_statics(&s);
    return up;
}

static const struct {
    tn_element_kind kind;
    int32_t cells;
    double error;
} membranes[] = {{TN_HEX8, 16, 0.02},  {TN_HEX20, 8, 0.02},    {TN_HEX27, 8, 0.005},
                 {TN_TET10, 16, 0.01}, {TN_WEDGE15, 16, 0.01}, {TN_HEX20, 16, 0.01},
                 {TN_HEX27, 16, 0.002}};

START_TEST(cooks_membrane_nearly_incompressible)
{
    const double up = cook(membranes[_i].kind, membranes[_i].cells), exact = 18.512;
    ck_assert_msg(fabs(up / exact - 1.0) < membranes[_i].error, "%s: %g",
                  tn_element_kind_name(membranes[_i].kind), up);
}
END_TEST

/* ---- a cantilever ---- */

static bool clamped(tn_vec3 X, int axis)
{
    (void)axis;
    return X.x < 1e-9;
}

/* Bending of a cantilever 8 x 1 x 1 of 8 x 2 x 2 cells over P L^3/(3 E I). */
static double bending(tn_element_kind kind, double poisson)
{
    const tn_solid_grid grid = {{8.0, 1.0, 1.0}, {8, 2, 2}, kind};
    statics s = statics_of(grid, poisson);
    number_unknowns(&s, clamped);
    assemble(&s);
    pull_up(&s, 8.0, 1.0);
    solve(&s);
    const double up = up_at(&s, v3(8.0, 0.5, 0.5));
    free_statics(&s);
    return up / (512.0 / 3.0 * 12.0);
}

/* What bends at 0.49 bends at 0.499999, by what the material is softer: E is the same, so hardly at all. */
START_TEST(beams_do_not_lock)
{
    const tn_element_kind kind = (tn_element_kind)_i;
    const bool bears = tn_element_type_of(kind)->modes > 0;
    const double near = bending(kind, 0.4901), nearest = bending(kind, 0.499999);
    const double low = kind == TN_HEX8 ? 0.75 : 0.96, high = 1.06;
    ck_assert_msg(!bears || (near > low && near < high), "%s: %g", tn_element_kind_name(kind),
                  near);
    ck_assert_msg(!bears || fabs(nearest / near - 1.0) < 0.004, "%s: %g",
                  tn_element_kind_name(kind), nearest);
    ck_assert_msg(bears || nearest < 0.03, "%s bears: why is it warned of?",
                  tn_element_kind_name(kind));
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("dilatation");
    TCase *tc = tcase_create("dilatation");
    tcase_add_loop_test(tc, cooks_membrane_nearly_incompressible, 0, ALL_OR_FEW(7, 2));
    tcase_add_loop_test(tc, beams_do_not_lock, 0, TN_ELEMENT_KIND_COUNT);
    suite_add_tcase(suite, tc);
    return suite;
}
