/* body.c: room element: forces, energy and stiffness of a deformed element (body.h). */
#include "element/body.h"

#include <math.h>
#include <string.h>

#include "element/element.h"

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

/* P at a point, with what is viscous of it. */
static int stress_at(const tn_deformed *e, int32_t point, double P[9])
{
    double F[9], rate[9], viscous[9];
    tn_response r;
    tn_element_deformation(e, e->x, point, F);
    if (!tn_elastic_at(e->material, F, &r, NULL))
        return 0;
    memcpy(P, r.P, sizeof r.P);
    if (!e->v || e->material->viscous == 0.0)
        return 1;
    tn_element_deformation(e, e->v, point, rate);
    tn_viscous_at(e->material, F, rate, viscous);
    for (int k = 0; k < 9; k++)
        P[k] += viscous[k];
    return 1;
}

int tn_element_forces(const tn_deformed *e, tn_vec3 *f)
{
    const tn_element_data *d = e->element;
    tn_vec3 own[TN_ELEMENT_NODES];
    memset(own, 0, sizeof *own * (size_t)d->nodes);
    for (int32_t p = 0; p < d->points; p++) {
        double P[9];
        const double *g = gradients(d, p);
        if (!stress_at(e, p, P))
            return 0;
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
    double energy = 0.0;
    for (int32_t p = 0; p < e->element->points; p++) {
        double F[9];
        tn_response r;
        tn_element_deformation(e, e->x, p, F);
        if (!tn_elastic_at(e->material, F, &r, NULL))
            return NAN;
        energy += e->element->weight[p] * r.W;
    }
    return energy;
}

double tn_element_losses(const tn_deformed *e)
{
    double losses = 0.0;
    for (int32_t p = 0; p < e->element->points && e->material->viscous > 0.0; p++) {
        double F[9], rate[9], P[9];
        tn_element_deformation(e, e->x, p, F);
        tn_element_deformation(e, e->v, p, rate);
        tn_viscous_at(e->material, F, rate, P);
        for (int k = 0; k < 9; k++)
            losses += e->element->weight[p] * P[k] * rate[k];
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

/* The upper triangle of blocks. */
static void add_point(const tn_element_data *d, int32_t point, double A[9][9], double *K)
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
    for (int32_t p = 0; p < d->points; p++) {
        double A[9][9];
        if (!slopes_at(e, p, elastic, viscous, positive, A))
            return 0;
        add_point(d, p, A, K);
    }
    for (int32_t i = 0; i < size; i++) {
        for (int32_t j = 0; j < i; j++)
            K[i * size + j] = K[j * size + i];
    }
    return 1;
}
