/* dilatation.c: room element: elements whose change of volume is a projection (dilatation.h).
 *
 * The energy of a point is w(F, theta) = W((theta/J)^(1/3) F). With dF~ = s dF + F ds and
 * ds = s/3 (dtheta/theta - N:dF) its second derivatives follow from A~ = d2W/dF2 at F~:
 *     dP     = ds P~ + s A~ dF~ - dt N + (t - p J) N dF^T N + p J (N:dF) N,   dt = (A~ dF~ : F~ + P~ : dF~)/3
 *     h      = d2w/dF dtheta = ds P~ + s A~ dF~ - dt N,   h' = d2w/dtheta2 = dt/theta - t/theta^2,   at dF = 0, dtheta = 1
 * where dP is at constant theta and p. Through theta nodes act on each other: with D_a,i = sum w f_a J N g_i = dc_a/dx_i,
 * B_a,i = sum w f_a h g_i and C_ab = sum w f_a f_b h' the stiffness has sum_a (D_a B_a + B_a D_a) + sum_ab C_ab D_a D_b.
 */
#include "element/dilatation.h"

#include <math.h>
#include <string.h>

#include "element/element.h"
#include "real/real.h"

/* An element at one of its points. */
typedef struct dilated {
    double F[9], N[9], J, theta, s; /* s: (theta/J)^(1/3) */
    double bar[9];                  /* F~ */
    double P[9], t, pressure;       /* P~ */
    double A[9][9];                 /* A~ */
} dilated;

static double product(const double a[9], const double b[9])
{
    double sum = 0.0;
    for (int k = 0; k < 9; k++)
        sum += a[k] * b[k];
    return sum;
}

/* F^-T; returns det F. */
static double inverse_transposed(const double F[9], double N[9])
{
    const tn_vec3 row[3] = {v3_load(F), v3_load(F + 3), v3_load(F + 6)};
    const double J = v3_dot(row[0], v3_cross(row[1], row[2]));
    for (int i = 0; i < 3; i++)
        v3_store(N + 3 * i, v3_scale(1.0 / J, v3_cross(row[(i + 1) % 3], row[(i + 2) % 3])));
    return J;
}

/* out = the projection of in, numbers of points. */
static void project(const tn_element_data *d, const double *in, double *out)
{
    memset(out, 0, sizeof *out * (size_t)d->points);
    for (int32_t a = 0; a < d->modes; a++) {
        const double *f = d->mode + (size_t)a * (size_t)d->points;
        double c = 0.0;
        for (int32_t p = 0; p < d->points; p++)
            c += d->weight[p] * f[p] * in[p];
        for (int32_t p = 0; p < d->points; p++)
            out[p] += c * f[p];
    }
}

/* F, its change of volume and F~. 0: it is turned inside out. */
static int dilate(const tn_deformed *e, dilated *at)
{
    double J[TN_ELEMENT_POINTS] = {0.0}, theta[TN_ELEMENT_POINTS];
    for (int32_t p = 0; p < e->element->points; p++) {
        tn_element_deformation(e, e->x, p, at[p].F);
        J[p] = at[p].J = inverse_transposed(at[p].F, at[p].N);
        if (!(J[p] > 0.0))
            return 0;
    }
    project(e->element, J, theta);
    for (int32_t p = 0; p < e->element->points; p++) {
        if (!(theta[p] > 0.0) || !isfinite(theta[p]))
            return 0;
        at[p].theta = theta[p];
        at[p].s = tn_exp(tn_log(theta[p] / J[p]) / 3.0);
        for (int k = 0; k < 9; k++)
            at[p].bar[k] = at[p].s * at[p].F[k];
    }
    return 1;
}

/* Stress at F~, and pressures; slopes on request. W may be NULL. */
static int respond(const tn_deformed *e, bool slopes, dilated *at, double *W)
{
    double share[TN_ELEMENT_POINTS] = {0.0}, pressure[TN_ELEMENT_POINTS];
    if (!dilate(e, at))
        return 0;
    for (int32_t p = 0; p < e->element->points; p++) {
        tn_response r;
        if (!tn_elastic_at(e->material, at[p].bar, &r, slopes ? at[p].A : NULL))
            return 0;
        memcpy(at[p].P, r.P, sizeof r.P);
        at[p].t = product(r.P, at[p].bar) / 3.0;
        share[p] = at[p].t / at[p].theta;
        if (W)
            W[p] = r.W;
    }
    project(e->element, share, pressure);
    for (int32_t p = 0; p < e->element->points; p++)
        at[p].pressure = pressure[p];
    return 1;
}

int tn_dilated_stresses(const tn_deformed *e, tn_element_state *state)
{
    dilated at[TN_ELEMENT_POINTS];
    if (!respond(e, false, at, state->W))
        return 0;
    for (int32_t p = 0; p < e->element->points; p++) {
        memcpy(state->F[p], at[p].F, sizeof at[p].F);
        for (int k = 0; k < 9; k++) {
            state->P[p][k] =
                at[p].s * at[p].P[k] + (at[p].pressure * at[p].J - at[p].t) * at[p].N[k];
        }
    }
    return 1;
}

/* viscous --------------------------------------------------------------------------------------- */

static double bulk_modulus(const tn_elastic *m)
{
    return m->lambda + m->mu / 1.5;
}

/* The part of a material that changes of volume do not strain. */
static tn_elastic deviatoric(const tn_elastic *m)
{
    tn_elastic part = *m;
    part.lambda = -m->mu / 1.5;
    return part;
}

void tn_dilated_viscous(const tn_deformed *e, tn_element_state *state)
{
    const tn_elastic part = deviatoric(e->material);
    const double bulk = e->material->viscous * bulk_modulus(e->material);
    double cofactor[TN_ELEMENT_POINTS][9], speed[TN_ELEMENT_POINTS] = {0.0},
                                           rate[TN_ELEMENT_POINTS];
    for (int32_t p = 0; p < e->element->points; p++) {
        double velocity[9], P[9];
        const double J = inverse_transposed(state->F[p], cofactor[p]);
        tn_element_deformation(e, e->v, p, velocity);
        tn_viscous_at(&part, state->F[p], velocity, P);
        for (int k = 0; k < 9; k++) {
            cofactor[p][k] *= J;
            state->P[p][k] += P[k];
        }
        speed[p] = product(cofactor[p], velocity);
    }
    project(e->element, speed, rate);
    for (int32_t p = 0; p < e->element->points; p++) {
        for (int k = 0; k < 9; k++)
            state->P[p][k] += bulk * rate[p] * cofactor[p][k];
    }
}

/* stiffness ------------------------------------------------------------------------------------- */

/* N D^T N for D = e_k e_l^T. */
static void turn_column(const double N[9], int k, int l, double out[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = N[3 * i + l] * N[3 * k + j];
    }
}

/* ds P~ + s A~ dF~ - dt N, and dt, of a change of F~. */
static double change_of(const dilated *at, double ds, const double dbar[9], double out[9])
{
    double dP[9];
    for (int r = 0; r < 9; r++)
        dP[r] = product(at->A[r], dbar);
    const double dt = (product(dP, at->bar) + product(at->P, dbar)) / 3.0;
    for (int r = 0; r < 9; r++)
        out[r] = ds * at->P[r] + at->s * dP[r] - dt * at->N[r];
    return dt;
}

/* A = dP/dF at constant theta and pressure, times a factor. */
static void slopes_at(const dilated *at, double factor, double A[9][9])
{
    const double stress = at->pressure * at->J;
    for (int c = 0; c < 9; c++) {
        const double ds = -at->s / 3.0 * at->N[c];
        double dbar[9], column[9], turned[9];
        for (int r = 0; r < 9; r++)
            dbar[r] = ds * at->F[r] + (r == c ? at->s : 0.0);
        change_of(at, ds, dbar, column);
        turn_column(at->N, c / 3, c % 3, turned);
        for (int r = 0; r < 9; r++) {
            A[r][c] =
                factor * (column[r] + (at->t - stress) * turned[r] + stress * at->N[c] * at->N[r]);
        }
    }
}

/* h; returns h'. */
static double mixed_slopes_at(const dilated *at, double h[9])
{
    const double ds = at->s / (3.0 * at->theta);
    double dbar[9];
    for (int k = 0; k < 9; k++)
        dbar[k] = at->bar[k] / (3.0 * at->theta);
    const double dt = change_of(at, ds, dbar, h);
    return (dt - at->t / at->theta) / at->theta;
}

/* What acts through theta: D and B of each mode, [3 nodes], and C. */
typedef struct coupled {
    double D[TN_ELEMENT_MODES][3 * TN_ELEMENT_NODES], B[TN_ELEMENT_MODES][3 * TN_ELEMENT_NODES];
    double C[TN_ELEMENT_MODES][TN_ELEMENT_MODES];
} coupled;

/* to[3 i] += factor M g_i. */
static void add_column(const tn_element_data *d, int32_t point, double factor, const double M[9],
                       double *to)
{
    const double *g = d->grad + 3 * (size_t)d->nodes * (size_t)point;
    for (int32_t i = 0; i < d->nodes; i++, g += 3) {
        for (int r = 0; r < 3; r++)
            to[3 * i + r] += factor * (M[3 * r] * g[0] + M[3 * r + 1] * g[1] + M[3 * r + 2] * g[2]);
    }
}

/* elastic: of the part that is h; stiff: of that which is C without it, the bulk modulus. */
static void couple(const tn_deformed *e, const dilated *at, int32_t point, double elastic,
                   double stiff, coupled *c)
{
    const tn_element_data *d = e->element;
    double h[9] = {0.0}, bulk = stiff;
    if (elastic != 0.0)
        bulk += elastic * mixed_slopes_at(at, h);
    for (int32_t a = 0; a < d->modes; a++) {
        const double f = d->weight[point] * d->mode[a * d->points + point];
        add_column(d, point, f * at->J, at->N, c->D[a]);
        if (elastic != 0.0)
            add_column(d, point, f * elastic, h, c->B[a]);
        for (int32_t b = 0; b < d->modes; b++)
            c->C[a][b] += f * d->mode[b * d->points + point] * bulk;
    }
}

/* K += sum D (B + C D/2) + its transpose. */
static void add_coupled(const tn_element_data *d, coupled *c, double *K)
{
    const int32_t size = 3 * d->nodes;
    for (int32_t a = 0; a < d->modes; a++) {
        for (int32_t b = 0; b < d->modes; b++) {
            for (int32_t i = 0; i < size; i++)
                c->B[a][i] += 0.5 * c->C[a][b] * c->D[b][i];
        }
    }
    for (int32_t a = 0; a < d->modes; a++) {
        for (int32_t i = 0; i < size; i++) {
            for (int32_t j = i / 3 * 3; j < size; j++)
                K[i * size + j] += c->D[a][i] * c->B[a][j] + c->B[a][i] * c->D[a][j];
        }
    }
}

int tn_dilated_stiffness(const tn_deformed *e, double elastic, double viscous, bool positive,
                         double *K)
{
    const tn_elastic part = deviatoric(e->material);
    const double own = positive ? 0.0 : elastic;
    const double rest = (positive ? elastic : 0.0) + viscous * e->material->viscous;
    dilated at[TN_ELEMENT_POINTS];
    coupled c;
    memset(&c, 0, sizeof c);
    if (!respond(e, own != 0.0, at, NULL))
        return 0;
    for (int32_t p = 0; p < e->element->points; p++) {
        double A[9][9] = {{0.0}}, V[9][9];
        if (own != 0.0)
            slopes_at(&at[p], own, A);
        if (rest != 0.0) {
            tn_viscous_slopes(&part, at[p].F, V);
            for (int k = 0; k < 81; k++)
                A[k / 9][k % 9] += rest * V[k / 9][k % 9];
        }
        tn_element_add_point(e->element, p, A, K);
        couple(e, &at[p], p, own, rest * bulk_modulus(e->material), &c);
    }
    add_coupled(e->element, &c, K);
    return 1;
}
