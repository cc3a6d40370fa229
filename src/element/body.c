/* body.c: room element: forces, energy and stiffness of a deformed element (body.h). */
#include "element/body.h"

#include <math.h>
#include <string.h>

#include "element/dilatation.h"

static const double *gradients(const tn_element_data *d, int32_t point)
{
    return d->grad + 3 * (size_t)d->nodes * (size_t)point;
}

/* sum x_i g_i^T */
void tn_element_deformation(const tn_deformed *e, const tn_vec3 *x, int32_t point, double F[9])
{
    const double *g = gradients(e->element, point);
    memset(F, 0, 9 * sizeof *F);
    for (int32_t i = 0; i < e->element->nodes; i++, g += 3) {
        for (int j = 0; j < 3; j++) {
            F[j] += x[i].x * g[j];
            F[3 + j] += x[i].y * g[j];
            F[6 + j] += x[i].z * g[j];
        }
    }
}

/* Changes of volume, projected as those of an element (dilatation.h), which has functions for it. */
static void project_changes(const tn_element_data *d, double change[TN_ELEMENT_POINTS])
{
    double part[TN_ELEMENT_MODES] = {0.0};
    for (int32_t k = 0; k < d->modes; k++) {
        for (int32_t p = 0; p < d->points; p++)
            part[k] += d->weight[p] * d->mode[k * d->points + p] * change[p];
    }
    memset(change, 0, sizeof(double) * (size_t)d->points);
    for (int32_t k = 0; k < d->modes; k++) {
        for (int32_t p = 0; p < d->points; p++)
            change[p] += part[k] * d->mode[k * d->points + p];
    }
}

void tn_element_small_stresses(const tn_element_data *d, const tn_elastic *m, const tn_vec3 *u,
                               double stress[TN_ELEMENT_POINTS][9])
{
    const tn_deformed e = {d, m, u, NULL};
    double H[TN_ELEMENT_POINTS][9], change[TN_ELEMENT_POINTS];
    for (int32_t p = 0; p < d->points; p++) {
        tn_element_deformation(&e, u, p, H[p]);
        change[p] = H[p][0] + H[p][4] + H[p][8];
    }
    if (d->modes > 0)
        project_changes(d, change);
    for (int32_t p = 0; p < d->points; p++) {
        const double trace = H[p][0] + H[p][4] + H[p][8];
        const double pressure = m->lambda * change[p] + 2.0 / 3.0 * m->mu * (change[p] - trace);
        for (int k = 0; k < 9; k++)
            stress[p][k] = m->mu * (H[p][k] + H[p][k % 3 * 3 + k / 3]) + (k % 4 ? 0.0 : pressure);
    }
}

int tn_element_stresses(const tn_deformed *e, tn_element_state *state)
{
    if (e->element->modes > 0)
        return tn_dilated_stresses(e, state);
    for (int32_t p = 0; p < e->element->points; p++) {
        tn_response r;
        tn_element_deformation(e, e->x, p, state->F[p]);
        if (!tn_elastic_at(e->material, state->F[p], &r, NULL))
            return 0;
        memcpy(state->P[p], r.P, sizeof r.P);
        state->W[p] = r.W;
    }
    return 1;
}

/* P += the viscous stress. */
static void add_viscous(const tn_deformed *e, tn_element_state *state)
{
    if (e->element->modes > 0) {
        tn_dilated_viscous(e, state);
        return;
    }
    for (int32_t p = 0; p < e->element->points; p++) {
        double rate[9], viscous[9];
        tn_element_deformation(e, e->v, p, rate);
        tn_viscous_at(e->material, state->F[p], rate, viscous);
        for (int k = 0; k < 9; k++)
            state->P[p][k] += viscous[k];
    }
}

int tn_element_forces(const tn_deformed *e, tn_vec3 *f)
{
    const tn_element_data *d = e->element;
    tn_element_state state;
    tn_vec3 own[TN_ELEMENT_NODES];
    memset(own, 0, sizeof *own * (size_t)d->nodes);
    if (!tn_element_stresses(e, &state))
        return 0;
    if (e->v && e->material->viscous != 0.0)
        add_viscous(e, &state);
    for (int32_t p = 0; p < d->points; p++) {
        const double *P = state.P[p], *g = gradients(d, p);
        for (int32_t i = 0; i < d->nodes; i++, g += 3) {
            own[i].x -= d->weight[p] * (P[0] * g[0] + P[1] * g[1] + P[2] * g[2]);
            own[i].y -= d->weight[p] * (P[3] * g[0] + P[4] * g[1] + P[5] * g[2]);
            own[i].z -= d->weight[p] * (P[6] * g[0] + P[7] * g[1] + P[8] * g[2]);
        }
    }
    for (int32_t i = 0; i < d->nodes; i++)
        f[i] = v3_add(f[i], own[i]);
    return 1;
}

double tn_element_energy(const tn_deformed *e)
{
    tn_element_state state;
    double energy = 0.0;
    if (!tn_element_stresses(e, &state))
        return NAN;
    for (int32_t p = 0; p < e->element->points; p++)
        energy += e->element->weight[p] * state.W[p];
    return energy;
}

double tn_element_losses(const tn_deformed *e)
{
    double losses = 0.0;
    tn_element_state state;
    memset(state.P, 0, sizeof state.P);
    for (int32_t p = 0; p < e->element->points; p++)
        tn_element_deformation(e, e->x, p, state.F[p]);
    add_viscous(e, &state);
    for (int32_t p = 0; p < e->element->points; p++) {
        double rate[9];
        tn_element_deformation(e, e->v, p, rate);
        for (int k = 0; k < 9; k++)
            losses += e->element->weight[p] * state.P[p][k] * rate[k];
    }
    return losses;
}

/* The derivative of P that is to be in the matrix, at a point. */
static int slopes_at(const tn_deformed *e, int32_t point, double elastic, double viscous,
                     bool positive, double A[9][9])
{
    double F[9], V[9][9];
    tn_response r;
    tn_element_deformation(e, e->x, point, F);
    if (!tn_elastic_at(e->material, F, &r, positive ? NULL : A))
        return 0;
    const double of_rates = viscous * e->material->viscous;
    if (positive || of_rates != 0.0)
        tn_viscous_slopes(e->material, F, V);
    for (int k = 0; k < 81; k++) {
        double *a = &A[k / 9][k % 9];
        *a = elastic * (positive ? V[k / 9][k % 9] : *a);
        if (of_rates != 0.0)
            *a += of_rates * V[k / 9][k % 9];
    }
    return 1;
}

/* AG[9][3] of node j: sum_L A[.][3 k + L] g_L for k. */
static void contract(double A[9][9], const double *g, double AG[9][3])
{
    for (int r = 0; r < 9; r++) {
        for (int k = 0; k < 3; k++) {
            AG[r][k] = A[r][3 * k] * g[0] + A[r][3 * k + 1] * g[1] + A[r][3 * k + 2] * g[2];
        }
    }
}

void tn_element_add_point(const tn_element_data *d, int32_t point, double A[9][9], double *K)
{
    const int32_t n = d->nodes;
    const double *g = gradients(d, point);
    const double w = d->weight[point];
    for (int32_t j = 0; j < n; j++) {
        double AG[9][3];
        contract(A, g + 3 * j, AG);
        for (int32_t i = 0; i <= j; i++) {
            const double *gi = g + 3 * i;
            double *block = K + 3 * (size_t)i * 3 * (size_t)n + 3 * (size_t)j;
            for (int r = 0; r < 3; r++) {
                for (int c = 0; c < 3; c++) {
                    block[3 * r * n + c] += w * (gi[0] * AG[3 * r][c] + gi[1] * AG[3 * r + 1][c] +
                                                 gi[2] * AG[3 * r + 2][c]);
                }
            }
        }
    }
}

int tn_element_stiffness(const tn_deformed *e, double elastic, double viscous, bool positive,
                         double *K)
{
    const tn_element_data *d = e->element;
    const int32_t size = 3 * d->nodes;
    memset(K, 0, sizeof(double) * (size_t)(size * size));
    if (d->modes > 0 && !tn_dilated_stiffness(e, elastic, viscous, positive, K))
        return 0;
    for (int32_t p = 0; p < d->points && d->modes == 0; p++) {
        double A[9][9];
        if (!slopes_at(e, p, elastic, viscous, positive, A))
            return 0;
        tn_element_add_point(d, p, A, K);
    }
    for (int32_t i = 0; i < size; i++) {
        for (int32_t j = 0; j < i; j++)
            K[i * size + j] = K[j * size + i];
    }
    return 1;
}
