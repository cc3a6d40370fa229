/* reduced.c: room reduce: forces and stiffness of a reduced body (reduced.h).
 *
 * With w = sum W_i R^T dx_i the turning of the axes, W_i = G^-1 [X_i], displacements change by R^T dx_i + [y_i] w. So
 *     R^T K_ij R = K_ij + A_i W_j + W_i^T A_j^T + W_i^T B W_j,
 *     A_i = sum_k K_ik [y_k] - [g_i],   B = sum_i [y_i]^T sum_k K_ik [y_k] + sym sum_i [g_i] [y_i]
 * with K that of V at d: to that at rest come, for each stress field, h b^T + b h^T + h h^T + (b . d + q) g, h = g d.
 * Left out are products of g and d, which strain makes as small as itself beside what is there.
 */
#include "reduce/reduced.h"

#include <math.h>
#include <string.h>

#include "math/m3.h"

static tn_mat3 cross_matrix(tn_vec3 a)
{
    return (tn_mat3){{{0.0, -a.z, a.y}, {a.z, 0.0, -a.x}, {-a.y, a.x, 0.0}}};
}

static tn_vec3 arm_of(const tn_reduced *body, int32_t i)
{
    return v3_scale(1.0 / body->count, body->rest[i]);
}

static tn_mean_moments moments_of(const tn_reduced *body, const tn_vec3 *a)
{
    tn_mean_moments sum = {{0.0, 0.0, 0.0}, {{{0.0}}}};
    for (int32_t i = 0; i < body->count; i++)
        tn_mean_add(&sum, 1.0 / body->count, a[i], arm_of(body, i));
    return sum;
}

/* Row r of a matrix [3 count][3 count] times vectors. */
static double row_times(const double *row, const tn_vec3 *a, int32_t count)
{
    double sum = 0.0;
    for (int32_t j = 0; j < count; j++)
        sum += row[3 * j] * a[j].x + row[3 * j + 1] * a[j].y + row[3 * j + 2] * a[j].z;
    return sum;
}

/* out += matrix a */
static void add_product(const double *matrix, int32_t count, const tn_vec3 *a, tn_vec3 *out)
{
    const size_t width = 3 * (size_t)count;
    for (int32_t i = 0; i < count; i++) {
        const double *rows = matrix + 3 * (size_t)i * width;
        out[i] = v3_add(out[i], v3(row_times(rows, a, count), row_times(rows + width, a, count),
                                   row_times(rows + 2 * width, a, count)));
    }
}

/* d' = R^T (v - p') - w x y */
static void make_rates(tn_reduced_state *s, const tn_vec3 *v)
{
    const tn_mean_moments rates = moments_of(s->body, v);
    const tn_vec3 w = tn_mean_spin(&s->frame, &rates);
    for (int32_t i = 0; i < s->body->count; i++) {
        const tn_vec3 own = m3_tmulv(&s->frame.T.R, v3_sub(v[i], rates.p));
        s->rate[i] = v3_sub(own, v3_cross(w, s->y[i]));
    }
}

static double stress_of(const tn_reduced *body, int32_t j, const tn_vec3 *d)
{
    return row_times(body->stiffening.force + 3 * (size_t)j * (size_t)body->count, d, body->count);
}

/* sum_l g_il a_l of field j */
static tn_vec3 shape_times(const tn_reduced *body, int32_t j, int32_t i, const tn_vec3 *a)
{
    const size_t n = (size_t)body->count;
    const double *g = body->stiffening.shape + ((size_t)j * n + (size_t)i) * n;
    tn_vec3 sum = {0.0, 0.0, 0.0};
    for (int32_t l = 0; l < body->count; l++)
        sum = v3_axpy(sum, g[l], a[l]);
    return sum;
}

/* The stress of all fields in the state, and its forces: (b_j . d + q_j) g_j d + q_j b_j. */
static void add_stiffening(tn_reduced_state *s)
{
    tn_vec3 h[TN_REDUCED_MOST];
    const tn_reduced *body = s->body;
    for (int32_t j = 0; j < body->stiffening.count; j++) {
        const double *b = body->stiffening.force + 3 * (size_t)j * (size_t)body->count;
        double bent = 0.0;
        for (int32_t i = 0; i < body->count; i++) {
            h[i] = shape_times(body, j, i, s->d);
            bent += 0.5 * v3_dot(s->d[i], h[i]);
        }
        s->bent[j] = bent;
        s->stress[j] = stress_of(body, j, s->d) + bent;
        for (int32_t i = 0; i < body->count; i++)
            s->force[i] = v3_add(s->force[i], v3_axpy(v3_scale(s->stress[j], h[i]), bent,
                                                      v3_load(b + 3 * (size_t)i)));
    }
}

int tn_reduced_make(const tn_reduced *body, const tn_vec3 *x, const tn_vec3 *v, tn_reduced_state *s)
{
    const tn_mean_moments places = moments_of(body, x);
    const size_t size = sizeof(tn_vec3) * (size_t)body->count;
    const int good = tn_mean_frame_make(&places, &s->frame);
    s->body = body;
    memset(s->rate, 0, size);
    memset(s->force, 0, size);
    for (int32_t i = 0; i < body->count; i++) {
        s->y[i] = m3_tmulv(&s->frame.T.R, v3_sub(x[i], places.p));
        s->d[i] = v3_sub(s->y[i], body->rest[i]);
    }
    if (v)
        make_rates(s, v);
    add_product(body->K, body->count, s->d, s->force);
    add_stiffening(s);
    if (v && body->D)
        add_product(body->D, body->count, s->rate, s->force);
    return good;
}

void tn_reduced_forces(const tn_reduced_state *s, tn_vec3 *f)
{
    tn_vec3 t = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < s->body->count; i++)
        t = v3_add(t, v3_cross(s->y[i], s->force[i]));
    const tn_vec3 turning = tn_mean_turning(&s->frame, t);
    for (int32_t i = 0; i < s->body->count; i++) {
        const tn_vec3 own = v3_sub(s->force[i], v3_cross(turning, arm_of(s->body, i)));
        f[i] = v3_sub(f[i], m3_mulv(&s->frame.T.R, own));
    }
}

/* sum a_i . matrix b */
static double product_of(const tn_reduced *body, const double *matrix, const tn_vec3 *a,
                         const tn_vec3 *b)
{
    tn_vec3 Mb[TN_REDUCED_MOST] = {{0.0, 0.0, 0.0}};
    double sum = 0.0;
    add_product(matrix, body->count, b, Mb);
    for (int32_t i = 0; i < body->count; i++)
        sum += v3_dot(a[i], Mb[i]);
    return sum;
}

double tn_reduced_energy(const tn_reduced_state *s)
{
    double energy = 0.5 * product_of(s->body, s->body->K, s->d, s->d);
    for (int32_t j = 0; j < s->body->stiffening.count; j++)
        energy += s->bent[j] * (s->stress[j] - 0.5 * s->bent[j]);
    return energy;
}

double tn_reduced_power(const tn_reduced_state *s)
{
    double power = product_of(s->body, s->body->K, s->rate, s->d);
    for (int32_t j = 0; j < s->body->stiffening.count; j++) {
        double turning = 0.0; /* q_j' */
        for (int32_t i = 0; i < s->body->count; i++)
            turning += v3_dot(s->rate[i], shape_times(s->body, j, i, s->d));
        power += s->stress[j] * turning + s->bent[j] * stress_of(s->body, j, s->rate);
    }
    return power;
}

double tn_reduced_losses(const tn_reduced_state *s)
{
    return s->body->D ? product_of(s->body, s->body->D, s->rate, s->rate) : 0.0;
}

/* stiffness ------------------------------------------------------------------------------------- */

/* += factor times what fields add to a block of K: h b^T + b h^T + h h^T and, with stress, (b . d + q) g. */
static void add_fields_at(const tn_reduced_slopes *s, int32_t i, int32_t j, tn_mat3 *block)
{
    const tn_reduced *body = s->state->body;
    const size_t n = (size_t)body->count;
    for (int32_t k = 0; k < body->stiffening.count; k++) {
        const double *b = body->stiffening.force + 3 * (size_t)k * n;
        const tn_vec3 b_i = v3_load(b + 3 * (size_t)i), b_j = v3_load(b + 3 * (size_t)j),
                      h_i = s->h[k][i], h_j = s->h[k][j];
        const double g = body->stiffening.shape[((size_t)k * n + (size_t)i) * n + (size_t)j],
                     c = s->geometric ? s->elastic * s->state->stress[k] * g : 0.0;
        const tn_vec3 own = v3_scale(s->elastic, h_i),
                      both = v3_scale(s->elastic, v3_add(h_i, b_i)),
                      column[3] = {v3_axpy(v3_scale(h_j.x, both), b_j.x, own),
                                   v3_axpy(v3_scale(h_j.y, both), b_j.y, own),
                                   v3_axpy(v3_scale(h_j.z, both), b_j.z, own)};
        for (int a = 0; a < 3; a++) {
            block->m[0][a] += column[a].x;
            block->m[1][a] += column[a].y;
            block->m[2][a] += column[a].z;
            block->m[a][a] += c;
        }
    }
}

/* elastic K + viscous D, of two particles. */
static tn_mat3 block_at(const tn_reduced_slopes *s, int32_t i, int32_t j)
{
    const tn_reduced *body = s->state->body;
    const size_t width = 3 * (size_t)body->count, at = 3 * (size_t)i * width + 3 * (size_t)j;
    tn_mat3 block;
    for (size_t r = 0; r < 3; r++) {
        for (size_t c = 0; c < 3; c++) {
            const size_t k = at + r * width + c;
            block.m[r][c] = s->elastic * body->K[k];
            if (body->D)
                block.m[r][c] += s->viscous * body->D[k];
        }
    }
    add_fields_at(s, i, j, &block);
    return block;
}

void tn_reduced_strained(const tn_reduced_state *s, tn_vec3 *out)
{
    const size_t n = (size_t)s->body->count;
    for (size_t i = 0; i < n; i++) {
        out[i] = s->d[i];
        for (int32_t j = 0; j < s->body->stiffening.count; j++)
            out[i] = v3_axpy(out[i], s->bent[j],
                             v3_load(s->body->stiffening.move + 3 * ((size_t)j * n + i)));
    }
}

double tn_reduced_bent(const tn_reduced_state *state)
{
    double moved = 0.0, size = 0.0;
    for (int32_t i = 0; i < state->body->count; i++) { /* of equal mass */
        moved += v3_dot(state->d[i], state->d[i]);
        size += v3_dot(state->body->rest[i], state->body->rest[i]);
    }
    return sqrt(moved / size);
}

static void add_to(tn_mat3 *sum, const tn_mat3 *a, double factor)
{
    for (int k = 0; k < 9; k++)
        sum->m[k / 3][k % 3] += factor * a->m[k / 3][k % 3];
}

/* B and A of what forces in the body do. */
static void add_geometric(tn_reduced_slopes *s)
{
    const tn_reduced_state *state = s->state;
    for (int32_t i = 0; i < state->body->count; i++) {
        const tn_mat3 g = cross_matrix(state->force[i]), y = cross_matrix(state->y[i]);
        const tn_mat3 gy = m3_mul(&g, &y), yg = m3_transpose(&gy);
        add_to(&s->A[i], &g, -s->elastic);
        add_to(&s->B, &gy, 0.5 * s->elastic);
        add_to(&s->B, &yg, 0.5 * s->elastic);
    }
}

void tn_reduced_slopes_make(const tn_reduced_state *state, double elastic, double viscous,
                            bool positive, tn_reduced_slopes *s)
{
    const int32_t n = state->body->count;
    s->state = state;
    s->elastic = elastic;
    s->viscous = viscous;
    s->geometric = !positive;
    for (int32_t k = 0; k < state->body->stiffening.count; k++) {
        for (int32_t i = 0; i < n; i++)
            s->h[k][i] = shape_times(state->body, k, i, state->d);
    }
    memset(&s->B, 0, sizeof s->B);
    memset(s->A, 0, sizeof *s->A * (size_t)n);
    for (int32_t i = 0; i < n; i++) {
        const tn_mat3 arm = cross_matrix(arm_of(state->body, i)), y = cross_matrix(state->y[i]);
        s->W[i] = m3_mul(&state->frame.inverse, &arm);
        for (int32_t k = 0; k < n; k++) {
            const tn_mat3 block = block_at(s, i, k), turned = cross_matrix(state->y[k]);
            const tn_mat3 product = m3_mul(&block, &turned);
            add_to(&s->A[i], &product, 1.0);
        }
        const tn_mat3 moment = m3_tmul(&y, &s->A[i]);
        add_to(&s->B, &moment, 1.0);
    }
    if (!positive)
        add_geometric(s);
}

tn_mat3 tn_reduced_block(const tn_reduced_slopes *s, int32_t i, int32_t j)
{
    const tn_mat3 *R = &s->state->frame.T.R;
    const tn_mat3 A_j = m3_transpose(&s->A[j]), AW = m3_mul(&s->A[i], &s->W[j]);
    tn_mat3 inner = m3_mul(&s->B, &s->W[j]), own = block_at(s, i, j);
    add_to(&inner, &A_j, 1.0);
    const tn_mat3 WAB = m3_tmul(&s->W[i], &inner);
    add_to(&own, &AW, 1.0);
    add_to(&own, &WAB, 1.0);
    const tn_mat3 turned = m3_mul(R, &own), back = m3_transpose(R);
    return m3_mul(&turned, &back);
}
