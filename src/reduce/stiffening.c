/* stiffening.c: room reduce: stress fields of a mesh and what they do to other displacements (stiffening.h).
 *
 * The strain of displacements u is e(u) + q(u), e = sym grad u, q = grad u^T grad u / 2. Displacements u_c at rest of the loads that a
 * body has in motion have the stress s_c = C e(u_c): displacements and turns of interfaces, and forces of inertia mass (A X + a)
 * with any A and a, which are those of gravity, acceleration and spin. Of q the part in the span of these strains is kept
 * (reduced.h): between functions it is
 *     g_kl = integral grad N_k . s_c grad N_l,       integral s_c : q = sum g_kl d_k . d_l / 2,      b = N^T K u_c
 * The s_c are made orthonormal in energy, and turned so that what they do, K^-1/2 (g x 1) K^-1/2, is orthogonal: few fields do
 * nearly all, as the pull in a bar. With fields of the mesh, not of the functions, g is as exact as the mesh.
 */
#include "reduce/stiffening.h"

#include <math.h>
#include <string.h>

#include "math/dense/jacobi_svd.h"
#include "math/m3.h"

/* Loads by inertia: A symmetric; and A skew and a, which a mesh that floats does not bear at rest. */
#define TN_SPIN_LOADS    6
#define TN_INERTIA_LOADS 12
/* Share of the largest square of what is a motion as a rigid body, and has no stiffness but by rounding. */
#define TN_RIGID_SQUARE 1e-11
/* A field of whose energy the functions have no more than this share is left out: they can hardly move as it does. */
#define TN_SEEN_FIELD 0.1
/* Fields that differ by less than the root of this share of energy are one. */
#define TN_SAME_FIELD 1e-5
/* What a field does at unit energy, over what the strongest one does: fields below are left out. */
#define TN_WEAK_FIELD 1e-2

typedef struct fields {
    tn_functions *f;
    int32_t n, size, count, kept; /* functions, 3 n, fields, those that are kept */
    double *u, *load, *work;      /* [3 nodes] */
    double *Y;                    /* [n][nodes] */
    double *b, *g;                /* [count][size], [count][n][n] */
    double *white; /* [size][size] vectors of K over the roots of their values, a row each */
    double *own_b, *own_g; /* [count][size], [count][size][size] of these */
    double *turn;          /* [kept][count] */
    double *A, *V, *value; /* [size][size] or [count][count] */
    tn_vec3 center;        /* m, of mass */
} fields;

/* one field -------------------------------------------------------------------------------------- */

/* out[nodes][nodes] = sum w grad N_i . s grad N_j */
static void element_matrix(const tn_mesh_element *e, double s[][9], double *out)
{
    const int32_t n = e->data.nodes;
    memset(out, 0, sizeof(double) * (size_t)(n * n));
    for (int32_t p = 0; p < e->data.points; p++) {
        const double *grad = e->grad + 3 * (int64_t)p * n;
        for (int32_t i = 0; i < n; i++) {
            const double *a = grad + 3 * (int64_t)i;
            double sa[3];
            for (int k = 0; k < 3; k++)
                sa[k] = e->weight[p] * (s[p][k] * a[0] + s[p][3 + k] * a[1] + s[p][6 + k] * a[2]);
            for (int32_t j = 0; j < n; j++)
                out[i * n + j] +=
                    sa[0] * grad[3 * j] + sa[1] * grad[3 * j + 1] + sa[2] * grad[3 * j + 2];
        }
    }
}

/* Y[l] += the element's matrix times function l. */
static void add_element(fields *s, const tn_mesh_element *e, const double *matrix)
{
    const int32_t n = e->data.nodes, nodes = s->f->m->nodes;
    for (int32_t l = 0; l < s->n; l++) {
        const double *N = s->f->all + (int64_t)l * nodes;
        double *Y = s->Y + (int64_t)l * nodes;
        for (int32_t i = 0; i < n; i++) {
            double sum = 0.0;
            for (int32_t j = 0; j < n; j++)
                sum += matrix[i * n + j] * N[e->nodes[j]];
            Y[e->nodes[i]] += sum;
        }
    }
}

/* g of the field s->u. */
static void put_shape(fields *s, double *g)
{
    const int32_t nodes = s->f->m->nodes;
    double stress[TN_ELEMENT_POINTS][9], matrix[TN_ELEMENT_NODES * TN_ELEMENT_NODES];
    tn_vec3 moved[TN_ELEMENT_NODES];
    tn_mesh_element element = {0};
    memset(s->Y, 0, sizeof(double) * (size_t)s->n * (size_t)nodes);
    for (int32_t e = 0; e < s->f->m->def->mesh->element_count; e++) {
        tn_mesh_element_make(s->f->m, e, &element);
        for (int32_t i = 0; i < element.data.nodes; i++)
            moved[i] = v3_load(s->u + 3 * (int64_t)element.nodes[i]);
        tn_element_small_stresses(&element.data, &element.law, moved, stress);
        element_matrix(&element, stress, matrix);
        add_element(s, &element, matrix);
    }
    for (int32_t k = 0; k < s->n; k++) {
        for (int32_t l = 0; l < s->n; l++)
            g[k * s->n + l] =
                tn_mesh_dot(s->f->all + (int64_t)k * nodes, s->Y + (int64_t)l * nodes, nodes);
    }
}

/* The displacements s->u, brought to unit energy, if they have any. */
static void add_field(fields *s)
{
    const int32_t nodes = s->f->m->nodes;
    double *b = s->b + (int64_t)s->count * s->size;
    tn_mesh_matrix_times(s->f->m, s->u, s->work);
    const double square = tn_mesh_dot(s->u, s->work, s->f->m->size);
    if (!(square > 0.0))
        return;
    for (int64_t i = 0; i < s->f->m->size; i++) {
        s->u[i] /= sqrt(square);
        s->work[i] /= sqrt(square);
    }
    for (int32_t k = 0; k < s->n; k++) {
        const double *N = s->f->all + (int64_t)k * nodes;
        for (int64_t i = 0; i < s->f->m->size; i++)
            b[3 * k + i % 3] += N[i / 3] * s->work[i];
    }
    put_shape(s, s->g + (int64_t)s->count++ * s->n * s->n);
}

/* load = M (A (X - X_0) + a): case k. */
static void put_inertia(const fields *s, int32_t k)
{
    static const int row[9] = {0, 1, 2, 0, 1, 2, 0, 1, 2}, column[9] = {0, 1, 2, 1, 2, 0, 1, 2, 0};
    for (int32_t i = 0; i < s->f->m->nodes; i++) {
        const tn_vec3 arm = v3_sub(s->f->m->def->mesh->nodes[i], s->center);
        const double X[3] = {arm.x, arm.y, arm.z};
        double *f = s->work + 3 * (int64_t)i;
        memset(f, 0, 3 * sizeof *f);
        if (k < 9) {
            f[row[k]] = X[column[k]];
            if (k >= 3)
                f[column[k]] = k < TN_SPIN_LOADS ? X[row[k]] : -X[row[k]];
        } else {
            f[k - 9] = 1.0;
        }
    }
    tn_mesh_matrix_mass(s->f->m, 3, s->work, s->load);
}

static void add_fields(fields *s)
{
    tn_mesh_matrix *m = s->f->m;
    s->center = tn_functions_center(s->f);
    for (int32_t k = TN_INTERFACE; k < m->holds; k++) {
        tn_mesh_matrix_displace(m, k, s->u, s->work);
        add_field(s);
    }
    for (int32_t k = 0; k < (m->holds > 0 ? TN_INERTIA_LOADS : TN_SPIN_LOADS); k++) {
        put_inertia(s, k);
        tn_mesh_matrix_load(m, s->load, s->u, s->work);
        add_field(s);
    }
}

/* which ones count ------------------------------------------------------------------------------- */

/* V: the vectors of A[n][n], which is lost. Returns the largest value. */
static double solve_eigen(const fields *s, int32_t n)
{
    double largest = 0.0;
    tn_jacobi_svd(n, n, s->A, s->V, s->value);
    for (int32_t k = 0; k < n; k++)
        largest = fmax(largest, s->value[k]);
    return largest;
}

/* Rows w = v / sqrt(value) of the vectors v of K that have one, others 0. */
static void put_white(fields *s, const double *K)
{
    const int64_t square = (int64_t)s->size * s->size;
    memcpy(s->A, K, sizeof(double) * (size_t)square);
    const double most = solve_eigen(s, s->size);
    for (int64_t k = 0; k < square; k++) {
        const double value = s->value[k / s->size];
        s->white[k] = value > TN_RIGID_SQUARE * most ? s->V[k] / sqrt(value) : 0.0;
    }
}

/* Of each field b and g between these. */
static void put_own(fields *s)
{
    const int32_t n = s->n, size = s->size;
    for (int32_t c = 0; c < s->count; c++) {
        const double *g = s->g + (int64_t)c * n * n;
        double *out = s->own_g + (int64_t)c * size * size;
        for (int32_t a = 0; a < size; a++) {
            const double *w = s->white + (int64_t)a * size;
            double *gw = s->value; /* [size] */
            s->own_b[c * size + a] = tn_mesh_dot(w, s->b + (int64_t)c * size, size);
            memset(gw, 0, sizeof *gw * (size_t)size);
            for (int32_t k = 0; k < n * n; k++) {
                for (int axis = 0; axis < 3; axis++)
                    gw[3 * (k / n) + axis] += g[k] * w[3 * (k % n) + axis];
            }
            for (int32_t d = 0; d < size; d++)
                out[a * size + d] = tn_mesh_dot(gw, s->white + (int64_t)d * size, size);
        }
    }
}

/* A[rows][rows] = turn M turn^T, M[c][d] the products of the items of two fields. */
static void put_products(const fields *s, int32_t rows, const double *items, int64_t length)
{
    const int32_t count = s->count;
    memset(s->A, 0, sizeof(double) * (size_t)(rows * rows));
    for (int32_t c = 0; c < count; c++) {
        for (int32_t d = 0; d < count; d++) {
            const double product = tn_mesh_dot(items + c * length, items + d * length, length);
            for (int32_t k = 0; k < rows * rows; k++)
                s->A[k] += s->turn[k / rows * count + c] * product * s->turn[k % rows * count + d];
        }
    }
}

/* turn becomes V turn: of its rows the `most` with the largest values above `least`, over the root of it if they are to have length 1. */
static void turn_rows(fields *s, int32_t most, double least, bool unit)
{
    const int32_t rows = s->kept, count = s->count;
    double *before = s->A;
    s->kept = 0;
    memcpy(before, s->turn, sizeof(double) * (size_t)(rows * count));
    for (int32_t taken = 0; taken < rows && taken < most; taken++) {
        int32_t best = 0;
        for (int32_t k = 1; k < rows; k++)
            best = s->value[k] > s->value[best] ? k : best;
        if (!(s->value[best] > least))
            break;
        double *row = s->turn + (int64_t)s->kept++ * count;
        memset(row, 0, sizeof(double) * (size_t)count);
        for (int32_t j = 0; j < rows; j++) {
            const double part = s->V[best * rows + j] / (unit ? sqrt(s->value[best]) : 1.0);
            for (int32_t c = 0; c < count; c++)
                row[c] += part * before[j * count + c];
        }
        s->value[best] = 0.0;
    }
}

static void choose(fields *s)
{
    s->kept = 0;
    for (int32_t c = 0; c < s->count; c++) {
        const double *b = s->own_b + (int64_t)c * s->size;
        if (tn_mesh_dot(b, b, s->size) > TN_SEEN_FIELD)
            s->turn[s->kept++ * s->count + c] = 1.0;
    }
    put_products(s, s->kept, s->own_b, s->size);
    turn_rows(s, s->count, TN_SAME_FIELD * solve_eigen(s, s->kept), true);
    put_products(s, s->kept, s->own_g, (int64_t)s->size * s->size);
    turn_rows(s, TN_REDUCED_STRESSES, TN_WEAK_FIELD * TN_WEAK_FIELD * solve_eigen(s, s->kept),
              false);
}

/* what comes out --------------------------------------------------------------------------------- */

static void add_sums(const fields *s, const double *items, int64_t length, double *out)
{
    for (int32_t k = 0; k < s->kept; k++) {
        for (int32_t c = 0; c < s->count; c++) {
            for (int64_t i = 0; i < length; i++)
                out[k * length + i] += s->turn[k * s->count + c] * items[c * length + i];
        }
    }
}

static bool make_room(fields *s, tn_arena *arena)
{
    const int64_t n = s->n, size = s->size, nodes = s->f->m->size,
                  most = s->f->m->holds + TN_INERTIA_LOADS;
    const int64_t square = size > most ? size * size : most * most;
    s->u = TN_ARENA_ARRAY(arena, double, 3 * nodes);
    s->Y = TN_ARENA_ARRAY(arena, double, n *nodes);
    s->b = TN_ARENA_ARRAY(arena, double, most *size);
    s->g = TN_ARENA_ARRAY(arena, double, most *n *n);
    s->white = TN_ARENA_ARRAY(arena, double, size *size);
    s->own_b = TN_ARENA_ARRAY(arena, double, most *size);
    s->own_g = TN_ARENA_ARRAY(arena, double, most *size *size);
    s->turn = TN_ARENA_ARRAY(arena, double, most *most);
    s->A = TN_ARENA_ARRAY(arena, double, square);
    s->V = TN_ARENA_ARRAY(arena, double, square);
    s->value = TN_ARENA_ARRAY(arena, double, size + most);
    s->load = s->u + nodes;
    s->work = s->u + 2 * nodes;
    return s->u && s->Y && s->b && s->g && s->white && s->own_b && s->own_g && s->turn && s->A &&
           s->V && s->value;
}

/* K^-1 b */
static void put_moves(const fields *s, const double *b, double *move)
{
    for (int32_t k = 0; k < s->kept; k++) {
        for (int32_t a = 0; a < s->size; a++) {
            const double *w = s->white + (int64_t)a * s->size;
            const double part = tn_mesh_dot(w, b + (int64_t)k * s->size, s->size);
            for (int32_t i = 0; i < s->size; i++)
                move[k * s->size + i] += part * w[i];
        }
    }
}

tn_status tn_stiffening_make(tn_functions *f, const double *K, tn_arena *arena, tn_stiffening *out)
{
    tn_arena scratch = {0};
    fields s = {.f = f, .n = f->count, .size = 3 * f->count};
    double *force = NULL, *shape = NULL, *move = NULL;
    if (make_room(&s, &scratch)) {
        add_fields(&s);
        put_white(&s, K);
        put_own(&s);
        choose(&s);
        force = TN_ARENA_ARRAY(arena, double, (int64_t)s.kept *s.size + 1);
        move = TN_ARENA_ARRAY(arena, double, (int64_t)s.kept *s.size + 1);
        shape = TN_ARENA_ARRAY(arena, double, (int64_t)s.kept *s.n *s.n + 1);
    }
    const bool all = force && shape && move;
    if (all) {
        add_sums(&s, s.b, s.size, force);
        put_moves(&s, force, move);
        add_sums(&s, s.g, (int64_t)s.n * s.n, shape);
    }
    *out = (tn_stiffening){s.kept, force, shape, move};
    tn_arena_free(&scratch);
    return all ? TN_OK : TN_ERROR_MEMORY;
}
