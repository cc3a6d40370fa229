/* inertia.c: eigenvalues below a number, by Sylvester's law of inertia.
 *
 * Room sparse. In: a symmetric matrix S by blocks. Out: counts.
 *
 *     S - shift I = L D L^T:   as many eigenvalues of S lie below shift as D has negative entries
 *
 * (Sylvester 1852; Parlett, The Symmetric Eigenvalue Problem, 3.3). Nodes are put in order of
 * minimum degree; L is found row by row along the elimination tree (Davis, Direct Methods for
 * Sparse Linear Systems, chapter 4: "up-looking"). No pivoting: for a positive semidefinite S and a
 * shift far from its eigenvalues the pivots of what is null end at -shift and those of the rest
 * well above it, so that nothing grows.
 *
 * Limits: where an eigenvalue is within round-off of the shift the count may be one off; callers
 * ask at several shifts.
 */
#include "sparse/inertia.h"

#include "base/base.h"
#include "sparse/order/ordering.h"

#include <math.h>
#include <string.h>

/* Entries of L at most: 3 GB. */
#define TN_INERTIA_LARGEST ((int64_t)1 << 28)

struct tn_inertia {
    int32_t n;        /* scalars */
    int64_t *a_start; /* [n + 1] upper triangle by columns, permuted; the diagonal apart */
    int32_t *a_row;
    double *a_value, *diagonal;
    int32_t *parent;  /* [n] elimination tree, -1: a root */
    int64_t *l_start; /* [n + 1] columns of L */
    int32_t *l_row;
    double *l_value, *d;
    int64_t *l_end;        /* [n] while columns grow */
    int32_t *mark, *reach; /* [n] */
    double *y;             /* [n] */
    double largest;        /* entry of the diagonal */
};

/* ---- order ---- */

typedef struct graph {
    int64_t *start;
    int32_t *neighbour;
    int32_t *zero, *none, *weight, *order;
} graph;

static void graph_free(graph *g)
{
    tn_free(g->start);
    tn_free(g->neighbour);
    tn_free(g->zero);
    tn_free(g->none);
    tn_free(g->weight);
    tn_free(g->order);
}

/* Both directions of each pair, lists begun at start[i + 1] so that filling moves them to place. */
static void fill_lists(const tn_block_matrix *m, graph *g)
{
    for (int64_t b = 0; b < m->blocks; b++) {
        if (m->row[b] != m->column[b]) {
            g->start[m->row[b] + 2]++;
            g->start[m->column[b] + 2]++;
        }
    }
    for (int32_t i = 0; i < m->nodes; i++) {
        g->start[i + 2] += g->start[i + 1];
    }
    for (int64_t b = 0; b < m->blocks; b++) {
        if (m->row[b] != m->column[b]) {
            g->neighbour[g->start[m->row[b] + 1]++] = m->column[b];
            g->neighbour[g->start[m->column[b] + 1]++] = m->row[b];
        }
    }
}

/* Takes neighbours that come again out of the lists; `seen` holds -1. */
static void drop_duplicates(int32_t nodes, graph *g, int32_t *seen)
{
    int64_t to = 0;
    int64_t from = 0;
    for (int32_t i = 0; i < nodes; i++) {
        const int64_t end = g->start[i + 1];
        for (; from < end; from++) {
            const int32_t other = g->neighbour[from];
            if (seen[other] != i) {
                seen[other] = i;
                g->neighbour[to++] = other;
            }
        }
        g->start[i + 1] = to;
    }
}

static tn_status order_nodes(const tn_block_matrix *m, graph *g)
{
    const int32_t n = m->nodes;
    *g = (graph){.start = TN_NEW_ARRAY(int64_t, n + 2),
                 .neighbour = TN_NEW_ARRAY(int32_t, 2 * m->blocks),
                 .zero = TN_NEW_ARRAY(int32_t, n),
                 .none = TN_NEW_ARRAY(int32_t, n),
                 .weight = TN_NEW_ARRAY(int32_t, n),
                 .order = TN_NEW_ARRAY(int32_t, n)};
    if (!g->start || !g->neighbour || !g->zero || !g->none || !g->weight || !g->order) {
        return TN_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < n; i++) {
        g->none[i] = -1;
        g->weight[i] = m->size[i] > 0 ? m->size[i] : 1;
    }
    fill_lists(m, g);
    drop_duplicates(n, g, g->none);
    for (int32_t i = 0; i < n; i++) {
        g->none[i] = -1;
    }
    const tn_order_graph asked = {n, g->start, g->neighbour, g->weight, g->zero, g->zero, g->none};
    return tn_order_minimum_degree(&asked, g->order);
}

/* ---- the permuted matrix ---- */

/* Calls for every entry of the upper triangle, each once per block that has it. */
typedef void (*entry_function)(tn_inertia *s, int32_t row, int32_t column, double value);

static void each_entry(tn_inertia *s, const tn_block_matrix *m, const int32_t *first,
                       entry_function entry)
{
    for (int64_t b = 0; b < m->blocks; b++) {
        const int32_t rows = m->size[m->row[b]];
        const int32_t columns = m->size[m->column[b]];
        const bool diagonal = m->row[b] == m->column[b];
        for (int32_t i = 0; i < rows; i++) {
            for (int32_t j = diagonal ? i : 0; j < columns; j++) {
                const int32_t p = first[m->row[b]] + i;
                const int32_t q = first[m->column[b]] + j;
                entry(s, p < q ? p : q, p < q ? q : p, m->value[m->at[b] + i * columns + j]);
            }
        }
    }
}

static void count_entry(tn_inertia *s, int32_t row, int32_t column, double value)
{
    (void)value;
    s->a_start[column + 1] += row != column;
}

static void store_entry(tn_inertia *s, int32_t row, int32_t column, double value)
{
    if (row == column) {
        s->diagonal[row] += value;
        return;
    }
    s->a_row[s->a_start[column]] = row;
    s->a_value[s->a_start[column]++] = value;
}

static tn_status copy_matrix(tn_inertia *s, const tn_block_matrix *m, const int32_t *first)
{
    s->a_start = TN_NEW_ARRAY(int64_t, s->n + 1);
    s->diagonal = TN_NEW_ARRAY(double, s->n);
    if (!s->a_start || !s->diagonal) {
        return TN_ERROR_MEMORY;
    }
    each_entry(s, m, first, count_entry);
    for (int32_t i = 0; i < s->n; i++) {
        s->a_start[i + 1] += s->a_start[i];
    }
    s->a_row = TN_NEW_ARRAY(int32_t, s->a_start[s->n]);
    s->a_value = TN_NEW_ARRAY(double, s->a_start[s->n]);
    if (!s->a_row || !s->a_value) {
        return TN_ERROR_MEMORY;
    }
    each_entry(s, m, first, store_entry);
    for (int32_t i = s->n; i > 0; i--) { /* storing moved each start to the next */
        s->a_start[i] = s->a_start[i - 1];
    }
    s->a_start[0] = 0;
    for (int32_t i = 0; i < s->n; i++) {
        s->largest = fmax(s->largest, fabs(s->diagonal[i]));
    }
    return TN_OK;
}

/* ---- the factor ---- */

/* Columns that row k of L has entries in, children before parents: reach[top .. n - 1]. */
static int32_t reach_of(tn_inertia *s, int32_t k)
{
    int32_t top = s->n;
    s->mark[k] = k;
    for (int64_t t = s->a_start[k]; t < s->a_start[k + 1]; t++) {
        int32_t length = 0;
        for (int32_t i = s->a_row[t]; s->mark[i] != k; i = s->parent[i]) {
            s->reach[length++] = i;
            s->mark[i] = k;
        }
        while (length > 0) {
            s->reach[--top] = s->reach[--length];
        }
    }
    return top;
}

/* Elimination tree and column sizes of L. */
static tn_status analyze(tn_inertia *s)
{
    for (int32_t k = 0; k < s->n; k++) {
        s->parent[k] = -1;
        s->mark[k] = k;
        for (int64_t t = s->a_start[k]; t < s->a_start[k + 1]; t++) {
            for (int32_t i = s->a_row[t]; s->mark[i] != k; i = s->parent[i]) {
                if (s->parent[i] < 0) {
                    s->parent[i] = k;
                }
                s->l_start[i + 1]++;
                s->mark[i] = k;
            }
        }
    }
    for (int32_t k = 0; k < s->n; k++) {
        s->l_start[k + 1] += s->l_start[k];
    }
    return s->l_start[s->n] > TN_INERTIA_LARGEST ? TN_ERROR_UNSUPPORTED : TN_OK;
}

static tn_status make_room(tn_inertia *s)
{
    s->parent = TN_NEW_ARRAY(int32_t, s->n);
    s->l_start = TN_NEW_ARRAY(int64_t, s->n + 1);
    s->l_end = TN_NEW_ARRAY(int64_t, s->n);
    s->mark = TN_NEW_ARRAY(int32_t, s->n);
    s->reach = TN_NEW_ARRAY(int32_t, s->n);
    s->y = TN_NEW_ARRAY(double, s->n);
    s->d = TN_NEW_ARRAY(double, s->n);
    if (!s->parent || !s->l_start || !s->l_end || !s->mark || !s->reach || !s->y || !s->d) {
        return TN_ERROR_MEMORY;
    }
    const tn_status status = analyze(s);
    if (status != TN_OK) {
        return status;
    }
    s->l_row = TN_NEW_ARRAY(int32_t, s->l_start[s->n]);
    s->l_value = TN_NEW_ARRAY(double, s->l_start[s->n]);
    return s->l_row && s->l_value ? TN_OK : TN_ERROR_MEMORY;
}

/* Row k of L and pivot k. */
static double eliminate(tn_inertia *s, int32_t k, double shift)
{
    double pivot = s->diagonal[k] - shift;
    const int32_t top = reach_of(s, k);
    for (int64_t t = s->a_start[k]; t < s->a_start[k + 1]; t++) {
        s->y[s->a_row[t]] += s->a_value[t];
    }
    for (int32_t r = top; r < s->n; r++) {
        const int32_t i = s->reach[r];
        const double y = s->y[i];
        const int64_t end = s->l_end[i];
        s->y[i] = 0.0;
        for (int64_t t = s->l_start[i]; t < end; t++) {
            s->y[s->l_row[t]] -= s->l_value[t] * y;
        }
        const double l = y / s->d[i];
        pivot -= l * y;
        s->l_row[end] = k;
        s->l_value[end] = l;
        s->l_end[i]++;
    }
    return pivot;
}

int32_t tn_inertia_below(tn_inertia *s, double shift)
{
    int32_t negative = 0;
    const double least = 1e-300 + 1e-18 * s->largest; /* in place of a zero: keeps all finite */
    memcpy(s->l_end, s->l_start, sizeof *s->l_end * (size_t)s->n);
    for (int32_t k = 0; k < s->n; k++) {
        s->mark[k] = -1;
        s->y[k] = 0.0;
    }
    for (int32_t k = 0; k < s->n; k++) {
        const double pivot = eliminate(s, k, shift);
        s->d[k] = fabs(pivot) < least ? -least : pivot;
        negative += s->d[k] < 0.0;
    }
    return negative;
}

/* ---- life ---- */

void tn_inertia_destroy(tn_inertia *s)
{
    if (!s) {
        return;
    }
    tn_free(s->a_start);
    tn_free(s->a_row);
    tn_free(s->a_value);
    tn_free(s->diagonal);
    tn_free(s->parent);
    tn_free(s->l_start);
    tn_free(s->l_row);
    tn_free(s->l_value);
    tn_free(s->d);
    tn_free(s->l_end);
    tn_free(s->mark);
    tn_free(s->reach);
    tn_free(s->y);
    tn_free(s);
}

/* first[i]: the scalar that node i begins at, in order of elimination. */
static tn_status build(tn_inertia *s, const tn_block_matrix *m, const graph *g, int32_t *first)
{
    for (int32_t p = 0; p < m->nodes; p++) {
        first[g->order[p]] = s->n;
        s->n += m->size[g->order[p]];
    }
    const tn_status status = copy_matrix(s, m, first);
    return status == TN_OK ? make_room(s) : status;
}

tn_status tn_inertia_create(const tn_block_matrix *matrix, tn_inertia **out)
{
    graph g = {0};
    tn_inertia *s = TN_NEW(tn_inertia);
    int32_t *first = TN_NEW_ARRAY(int32_t, matrix->nodes);
    tn_status status = s && first ? order_nodes(matrix, &g) : TN_ERROR_MEMORY;
    if (status == TN_OK) {
        status = build(s, matrix, &g, first);
    }
    graph_free(&g);
    tn_free(first);
    if (status != TN_OK) {
        tn_inertia_destroy(s);
        s = NULL;
    }
    *out = s;
    return status;
}
