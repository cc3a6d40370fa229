/* stress.c: room measure/solids: where the nodes of solids are, and the stress there (tenon/stress.h).
 *
 * In: a simulation. Out: numbers by node. In an element the stress at its points is continued to its nodes by the linear
 * function of its own coordinates that is nearest to it (least squares), as points of integration are where
 * stress is best known (Barlow 1976).
 */
#include <math.h>
#include <string.h>

#include "assemble/load/modal.h"
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

/* A solid as it is strained: by places of its nodes; a modal one by small displacements of them in axes of its own. */
typedef struct strained {
    const tn_model_solid *solid;
    tn_vec3 *nodes; /* m */
    tn_mat3 axes;
} strained;

static void put_strained(const tn_sim *sim, strained *s)
{
    tn_vec3 moved[TN_REDUCED_MOST];
    const tn_model_modal *modal = s->solid->modal;
    if (!modal) {
        tn_solid_places(&sim->sys, s->solid, s->nodes);
        return;
    }
    tn_modal_strained(&sim->sys, modal, moved, &s->axes);
    for (int32_t i = 0; i < s->solid->node_count; i++) {
        const double *shape = modal->shape + (size_t)i * (size_t)modal->data.count;
        s->nodes[i] = v3(0.0, 0.0, 0.0);
        for (int32_t k = 0; k < modal->data.count; k++)
            s->nodes[i] = v3_axpy(s->nodes[i], shape[k], moved[k]);
    }
}

/* R s R^T */
static void turn(const tn_mat3 *R, double s[9])
{
    tn_mat3 S;
    memcpy(S.m, s, sizeof S.m);
    const tn_mat3 RS = m3_mul(R, &S), back = m3_transpose(R), turned = m3_mul(&RS, &back);
    memcpy(s, turned.m, sizeof turned.m);
}

/* Cauchy stress in world axes; NaN where it is turned inside out. */
static void cauchy_of(const strained *s, const tn_model_element *element, const tn_vec3 *x,
                      double sigma[TN_ELEMENT_POINTS][9])
{
    const tn_deformed e = {&element->data, element->material, x, NULL};
    tn_element_state state;
    const bool small = s->solid->modal != NULL, good = small || tn_element_stresses(&e, &state);
    if (small)
        tn_element_small_stresses(&element->data, element->material, x, sigma);
    for (int32_t p = 0; p < element->data.points; p++) {
        if (small)
            turn(&s->axes, sigma[p]);
        else if (good)
            tn_cauchy_of(state.F[p], state.P[p], sigma[p]);
        for (int k = 0; k < 9 && !good; k++)
            sigma[p][k] = NAN;
    }
}

/* Stress at the points of an element. Returns its volume without stress. */
static double stress_at_points(const strained *in, const tn_model_element *element,
                               double stress[TN_ELEMENT_POINTS][PARTS])
{
    tn_vec3 x[TN_ELEMENT_NODES];
    double volume = 0.0, sigma[TN_ELEMENT_POINTS][9];
    for (int32_t i = 0; i < element->data.nodes; i++)
        x[i] = in->nodes[element->nodes[i]];
    cauchy_of(in, element, x, sigma);
    for (int32_t p = 0; p < element->data.points; p++) {
        const double *s = sigma[p];
        const double parts[PARTS] = {
            s[0], s[4], s[8], 0.5 * (s[1] + s[3]), 0.5 * (s[5] + s[7]), 0.5 * (s[2] + s[6])};
        memcpy(stress[p], parts, sizeof parts);
        volume += element->data.weight[p];
    }
    return volume;
}

static void add_element(const strained *in, int32_t e, double *stress, double *volumes)
{
    const tn_element_type *type = tn_element_type_of(in->solid->source[e].kind);
    const tn_model_element *element = &in->solid->elements[e];
    double at_points[TN_ELEMENT_POINTS][PARTS], linear[TERMS][PARTS];
    const double volume = stress_at_points(in, element, at_points);
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
    strained in = {.solid = solid, .nodes = TN_NEW_ARRAY(tn_vec3, n)};
    double *sums = TN_NEW_ARRAY(double, (PARTS + 1) * n);
    const bool room = in.nodes && sums;
    for (int32_t e = 0; room && e < solid->element_count; e++) {
        if (e == 0)
            put_strained(sim, &in);
        add_element(&in, e, sums, sums + PARTS * n);
    }
    for (int32_t i = 0; room && i < solid->node_count; i++) {
        const double *s = sums + PARTS * (size_t)i, by = 1.0 / sums[PARTS * n + i];
        out[i] = (tn_stress){by * s[0], by * s[1], by * s[2], by * s[3], by * s[4], by * s[5]};
    }
    tn_free(in.nodes);
    tn_free(sums);
    return room ? TN_OK : TN_ERROR_MEMORY;
}
