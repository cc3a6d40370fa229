/* modes.c: room reduce: modes by subspace iteration (modes.h; Bathe, Wilson 1972).
 *
 * A block of vectors, some more than are wanted, is multiplied by (K + shift M)^-1 M, made orthogonal in the masses, and turned
 * so that K is diagonal between them (Rayleigh, Ritz). The error of mode k falls each time by about (w_k^2 + shift) /
 * (w_b^2 + shift), b the first mode that is not in the block.
 */
#include "reduce/modes.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "math/dense/jacobi_svd.h"

/* Vectors of the block beyond those wanted: half as many, this at least. */
#define TN_MODES_MORE 8
/* The iteration has converged when no wanted square changes by more than this share: modes are known to its root. */
#define TN_MODES_CLOSE 1e-11
/* Rounding of a square: so many roundings of the largest one that the matrix has. */
#define TN_MODES_ROUNDINGS 4.0
#define TN_MODES_PASSES    200
/* A vector shorter than this share of what it was lies in the span of the others. */
#define TN_MODES_SPAN 1e-12

typedef struct block {
    tn_mesh_matrix *m;
    int32_t count, wanted;
    double *x, *y; /* [count][size] */
    double *rigid; /* [6][size] of a mesh that floats; NULL */
    double *Mx;    /* [size] */
    double *T, *V, *square, *before;
    double noise; /* 1/s^2, of rounding in each square */
} block;

static double *vector(const block *b, double *all, int32_t k)
{
    return all + (int64_t)k * b->m->size;
}

/* Numbers between -1 and 1 without a pattern, the same each time (Weyl). */
static void put_start(block *b)
{
    double at = 0.0;
    for (int64_t k = 0; k < b->count * b->m->size; k++) {
        at += 0.7548776662466927 + 0.1 * (double)(k % 7);
        at -= floor(at);
        b->x[k] = 2.0 * at - 1.0;
    }
}

static void take_away(const block *b, double *x, const double *Mx, const double *other)
{
    const double along = tn_mesh_dot(Mx, other, b->m->size);
    for (int64_t i = 0; i < b->m->size; i++)
        x[i] -= along * other[i];
}

static double length_of(const block *b, const double *x)
{
    tn_mesh_matrix_mass(b->m, 3, x, b->Mx);
    return sqrt(tn_mesh_dot(x, b->Mx, b->m->size));
}

/* Unit mass; 0: nothing is left of it. */
static int normalize(const block *b, double *x, double before)
{
    const double length = length_of(b, x);
    if (!(length > TN_MODES_SPAN * before))
        return 0;
    for (int64_t i = 0; i < b->m->size; i++)
        x[i] /= length;
    return 1;
}

/* Displacements and turns of all, made orthogonal. */
static int make_rigid(block *b)
{
    const tn_vec3 *X = b->m->def->mesh->nodes;
    int good = 1;
    for (int32_t k = 0; k < TN_INTERFACE; k++) {
        double *x = vector(b, b->rigid, k);
        for (int32_t i = 0; i < b->m->nodes; i++) {
            double *u = x + 3 * (int64_t)i;
            const double p[3] = {X[i].x - X[0].x, X[i].y - X[0].y, X[i].z - X[0].z};
            u[k % 3] = k < 3 ? 1.0 : 0.0;
            if (k >= 3) {
                u[(k + 1) % 3] = -p[(k + 2) % 3];
                u[(k + 2) % 3] = p[(k + 1) % 3];
            }
        }
        const double before = length_of(b, x);
        for (int pass = 0; pass < 2; pass++) {
            tn_mesh_matrix_mass(b->m, 3, x, b->Mx);
            for (int32_t j = 0; j < k; j++)
                take_away(b, x, b->Mx, vector(b, b->rigid, j));
        }
        good = good && normalize(b, x, before);
    }
    return good;
}

static int orthonormalize(block *b)
{
    int good = 1;
    for (int32_t k = 0; k < b->count && good; k++) {
        double *y = vector(b, b->y, k);
        const double before = length_of(b, y);
        for (int32_t pass = 0; pass < 2; pass++) {
            tn_mesh_matrix_mass(b->m, 3, y, b->Mx);
            for (int32_t j = 0; b->rigid && j < TN_INTERFACE; j++)
                take_away(b, y, b->Mx, vector(b, b->rigid, j));
            for (int32_t j = 0; j < k; j++)
                take_away(b, y, b->Mx, vector(b, b->y, j));
        }
        good = normalize(b, y, before);
    }
    return good;
}

/* The order of the first `wanted` of them, ascending, in place of the others (selection). */
static void sort(block *b, int32_t *order)
{
    for (int32_t k = 0; k < b->count; k++)
        order[k] = k;
    for (int32_t k = 0; k < b->count; k++) {
        int32_t least = k;
        for (int32_t j = k + 1; j < b->count; j++)
            least = b->square[order[j]] < b->square[order[least]] ? j : least;
        const int32_t other = order[k];
        order[k] = order[least];
        order[least] = other;
    }
}

/* x = y turned so that K is diagonal. */
static void turn(block *b, int32_t *order)
{
    const int32_t n = b->count;
    for (int32_t j = 0; j < n; j++) {
        tn_mesh_matrix_times(b->m, vector(b, b->y, j), b->x);
        for (int32_t i = 0; i < n; i++) {
            double sum = 0.0;
            const double *y = vector(b, b->y, i);
            for (int64_t k = 0; k < b->m->size; k++)
                sum += y[k] * b->x[k];
            b->T[j * n + i] = sum;
        }
    }
    for (int32_t k = 0; k < n * n; k++) /* rounding */
        b->V[k] = 0.5 * (b->T[k] + b->T[k % n * n + k / n]);
    memcpy(b->T, b->V, sizeof(double) * (size_t)(n * n));
    tn_jacobi_svd(n, n, b->T, b->V, b->square);
    sort(b, order);
    memset(b->x, 0, sizeof(double) * (size_t)(n * b->m->size));
    for (int32_t k = 0; k < n; k++) {
        double *x = vector(b, b->x, k);
        for (int32_t j = 0; j < n; j++) {
            const double part = b->V[order[k] * n + j], *y = vector(b, b->y, j);
            for (int64_t i = 0; i < b->m->size; i++)
                x[i] += part * y[i];
        }
    }
}

static bool is_close(block *b, const int32_t *order)
{
    bool close = true;
    for (int32_t k = 0; k < b->wanted; k++) {
        const double now = b->square[order[k]];
        close = close && fabs(now - b->before[k]) <= TN_MODES_CLOSE * now + b->noise;
        b->before[k] = now;
    }
    return close;
}

/* Squares are differences of numbers as large as the square of the stiffest node alone. */
static double noise_of(const tn_mesh_matrix *m)
{
    const tn_kkt_layout *layout = tn_kkt_get_layout(m->kkt);
    double most = 0.0;
    for (int32_t i = 0; i < m->nodes; i++) {
        for (int k = 0; k < 9; k += 4)
            most = fmax(most, m->values->h[layout->h_offset[i] + k] / m->mass[i]);
    }
    return TN_MODES_ROUNDINGS * DBL_EPSILON * most;
}

static tn_status iterate(block *b, int32_t *order)
{
    put_start(b);
    b->noise = noise_of(b->m);
    if (b->rigid && !make_rigid(b))
        return TN_ERROR_INPUT;
    for (int32_t pass = 0; pass < TN_MODES_PASSES; pass++) {
        for (int32_t k = 0; k < b->count; k++) {
            double *y = vector(b, b->y, k);
            const double *x = vector(b, b->x, k);
            tn_mesh_matrix_mass(b->m, 3, x, y);
            tn_mesh_matrix_solve(b->m, y);
        }
        if (!orthonormalize(b))
            return TN_ERROR_INPUT;
        turn(b, order);
        if (is_close(b, order))
            return TN_OK;
    }
    return TN_ERROR_NOT_CONVERGED;
}

tn_status tn_mesh_modes(tn_mesh_matrix *m, int32_t count, double *mode, double *square)
{
    const int64_t all = m->size - (m->holds > 0 ? m->holds : TN_INTERFACE);
    const int64_t most = count + (count / 2 > TN_MODES_MORE ? count / 2 : TN_MODES_MORE);
    block b = {.m = m, .count = (int32_t)(most < all ? most : all), .wanted = count};
    if (count == 0)
        return TN_OK;
    if (count > all)
        return TN_ERROR_INPUT;
    const int64_t n = b.count;
    b.x = TN_NEW_ARRAY(double, n * m->size);
    b.y = TN_NEW_ARRAY(double, n * m->size);
    b.rigid = m->holds > 0 ? NULL : TN_NEW_ARRAY(double, TN_INTERFACE * m->size);
    b.Mx = TN_NEW_ARRAY(double, m->size);
    b.T = TN_NEW_ARRAY(double, n *n);
    b.V = TN_NEW_ARRAY(double, n *n);
    b.square = TN_NEW_ARRAY(double, n);
    b.before = TN_NEW_ARRAY(double, n);
    int32_t *order = TN_NEW_ARRAY(int32_t, n);
    tn_status status = TN_ERROR_MEMORY;
    if (b.x && b.y && (b.rigid || m->holds > 0) && b.Mx && b.T && b.V && b.square && b.before &&
        order)
        status = iterate(&b, order);
    if (status == TN_OK) {
        memcpy(mode, b.x, sizeof(double) * (size_t)(count * m->size));
        memcpy(square, b.before, sizeof(double) * (size_t)count);
    }
    void *rooms[] = {b.x, b.y, b.rigid, b.Mx, b.T, b.V, b.square, b.before, order};
    for (size_t k = 0; k < TN_COUNT_OF(rooms); k++)
        tn_free(rooms[k]);
    return status;
}
