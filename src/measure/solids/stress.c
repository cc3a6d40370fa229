/* stress.c: room measure/solids: where the nodes of solids are, and the stress there (tenon/stress.h).
 *
 * In: a simulation. Out: numbers by node. In an element the stress at its points is continued to its nodes by the linear
 * function of its own coordinates that is nearest to it (least squares), as points of integration are where
 * stress is best known (Barlow 1976).
 */
#include <math.h>
#include <string.h>

#include "assemble/load/solids.h"
#include "base/base.h"
#include "element/element.h"
#include "motion/simulation.h"
#include "tenon/stress.h"

/* Coefficients of 1 and the three own coordinates. */
enum { TERMS = 4, PARTS = 6 };

double tn_stress_von_mises(tn_stress s)
{
    const double a = s.xx - s.yy, b = s.yy - s.zz, c = s.zz - s.xx;
    return sqrt(0.5 * (a * a + b * b + c * c) + 3.0 * (s.xy * s.xy + s.yz * s.yz + s.zx * s.zx));
}

static const tn_model_solid *solid_of(const tn_sim *sim, tn_solid solid)
{
    return sim && TN_IN(solid.i, sim->model->solid_count) ? &sim->model->solids[solid.i] : NULL;
}

tn_status tn_sim_solid_places(const tn_sim *sim, tn_solid id, tn_vec3 *places)
{
    const tn_model_solid *solid = solid_of(sim, id);
    if (!solid || !places)
        return TN_ERROR_ARGUMENT;
    tn_solid_places(&sim->sys, solid, places);
    return TN_OK;
}

/* least squares ----------------------------------------------------------------------------------- */

static void terms_at(const double at[3], double terms[TERMS])
{
    terms[0] = 1.0;
    memcpy(terms + 1, at, 3 * sizeof *at);
}

/* Solves A x = b for each column of b, A symmetric positive definite, of n rows (Cholesky). */
static void solve(double A[TERMS][TERMS], double b[TERMS][PARTS], int n)
{
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            for (int k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[j][k];
            A[i][j] = i == j ? sqrt(A[j][j]) : A[i][j] / A[j][j];
        }
    }
    for (int c = 0; c < PARTS; c++) {
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < i; k++)
                b[i][c] -= A[i][k] * b[k][c];
            b[i][c] /= A[i][i];
        }
        for (int i = n - 1; i >= 0; i--) {
            for (int k = i + 1; k < n; k++)
                b[i][c] -= A[k][i] * b[k][c];
            b[i][c] /= A[i][i];
        }
    }
}

/* The linear function nearest to the stress at the points; of one point the constant one. */
static void fit(const tn_element_type *type, double stress[TN_ELEMENT_POINTS][PARTS],
                double out[TERMS][PARTS])
{
    tn_element_point points[TN_ELEMENT_POINTS];
    const int32_t count = tn_element_points(type, points);
    const int n = count == 1 ? 1 : TERMS;
    double A[TERMS][TERMS] = {{0.0}};
    memset(out, 0, sizeof(double[TERMS][PARTS]));
    for (int32_t p = 0; p < count; p++) {
        double terms[TERMS];
        terms_at(points[p].at, terms);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                A[i][j] += terms[i] * terms[j];
            for (int c = 0; c < PARTS; c++)
                out[i][c] += terms[i] * stress[p][c];
        }
    }
    solve(A, out, n);
}

/* elements ---------------------------------------------------------------------------------------- */

/* Cauchy stress at the points of an element; NaN where it is turned inside out. Returns its volume without stress. */
static double stress_at_points(const tn_model_element *element, const tn_vec3 *places,
                               double stress[TN_ELEMENT_POINTS][PARTS])
{
    tn_vec3 x[TN_ELEMENT_NODES];
    double volume = 0.0;
    for (int32_t i = 0; i < element->data.nodes; i++)
        x[i] = places[element->nodes[i]];
    const tn_deformed e = {&element->data, element->material, x, NULL};
    tn_element_state state;
    const bool good = tn_element_stresses(&e, &state);
    for (int32_t p = 0; p < element->data.points; p++) {
        double s[9] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
        if (good)
            tn_cauchy_of(state.F[p], state.P[p], s);
        const double parts[PARTS] = {
            s[0], s[4], s[8], 0.5 * (s[1] + s[3]), 0.5 * (s[5] + s[7]), 0.5 * (s[2] + s[6])};
        memcpy(stress[p], parts, sizeof parts);
        volume += element->data.weight[p];
    }
    return volume;
}

static void add_element(const tn_model_solid *solid, int32_t e, const tn_vec3 *places,
                        double *stress, double *volumes)
{
    const tn_element_type *type = tn_element_type_of(solid->source[e].kind);
    const tn_model_element *element = &solid->elements[e];
    double at_points[TN_ELEMENT_POINTS][PARTS], linear[TERMS][PARTS];
    const double volume = stress_at_points(element, places, at_points);
    fit(type, at_points, linear);
    for (int32_t i = 0; i < type->nodes; i++) {
        double at[3], terms[TERMS];
        const int32_t node = element->nodes[i];
        tn_element_node_place(type, i, at);
        terms_at(at, terms);
        volumes[node] += volume;
        for (int c = 0; c < PARTS; c++) {
            for (int k = 0; k < TERMS; k++)
                stress[PARTS * node + c] += volume * terms[k] * linear[k][c];
        }
    }
}

tn_status tn_sim_solid_stress(const tn_sim *sim, tn_solid id, tn_stress *out)
{
    const tn_model_solid *solid = solid_of(sim, id);
    if (!solid || !out)
        return TN_ERROR_ARGUMENT;
    const int64_t n = solid->node_count;
    tn_vec3 *places = TN_NEW_ARRAY(tn_vec3, n);
    double *sums = TN_NEW_ARRAY(double, (PARTS + 1) * n);
    const bool room = places && sums;
    for (int32_t e = 0; room && e < solid->element_count; e++) {
        if (e == 0)
            tn_sim_solid_places(sim, id, places);
        add_element(solid, e, places, sums, sums + PARTS * n);
    }
    for (int32_t i = 0; room && i < solid->node_count; i++) {
        const double *s = sums + PARTS * (size_t)i, by = 1.0 / sums[PARTS * n + i];
        out[i] = (tn_stress){by * s[0], by * s[1], by * s[2], by * s[3], by * s[4], by * s[5]};
    }
    tn_free(places);
    tn_free(sums);
    return room ? TN_OK : TN_ERROR_MEMORY;
}
