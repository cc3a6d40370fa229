/* loop_matrix.c: room method/loops: factors of the matrix of a loop's rows, within their envelope. See loop_matrix.h.
 *
 * Crout's order, line by line (George & Liu, Computer Solution of Large Sparse Positive Definite Systems, 1981, ch. 4):
 *     L_iq = (V_iq - sum_k L_ik U_kq) / U_qq,    U_qi = V_qi - sum_k L_qk U_ki.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "method/loops/loop_matrix.h"
#include "tenon/joint.h"

/* ---- making ---- */

static int64_t put_lines(const int32_t *count, const int32_t *first, tn_loop_matrix *m)
{
    int64_t size = 0;
    int32_t row = 0;
    for (int32_t b = 0; b < m->blocks; b++) {
        m->begin[b] = row;
        m->start[b] = m->begin[first[b]];
        m->begin[b + 1] = row + count[b];
        for (int32_t c = first[b]; c <= b; c++)
            m->end[c] = m->begin[b + 1];
        for (; row < m->begin[b + 1]; row++) {
            m->block[row] = b;
            m->order[row] = row;
            m->at[row] = size;
            size += m->begin[b + 1] - m->start[b];
            m->work += (double)(row + 1 - m->start[b]) * (row + 1 - m->start[b]);
        }
    }
    return size;
}

tn_status tn_loop_matrix_create(const int32_t *count, const int32_t *first, int32_t blocks,
                                tn_loop_matrix *m)
{
    *m = (tn_loop_matrix){.blocks = blocks};
    for (int32_t b = 0; b < blocks; b++)
        m->rows += count[b];
    const int64_t rows = m->rows;
    m->at = TN_NEW_ARRAY(int64_t, rows + 1);
    int32_t *at = m->indices = TN_NEW_ARRAY(int32_t, 3 * (int64_t)blocks + 1 + 2 * rows);
    if (!m->at || !at)
        return TN_ERROR_MEMORY;
    m->begin = at;
    m->start = at += blocks + 1;
    m->end = at += blocks;
    m->block = at += blocks;
    m->order = at + rows;
    const int64_t size = put_lines(count, first, m);
    double *numbers = m->numbers = TN_NEW_ARRAY(double, 4 * size + 2 * rows);
    if (!numbers)
        return TN_ERROR_MEMORY;
    m->by_row = numbers;
    m->by_column = numbers += size;
    m->lower = numbers += size;
    m->upper = numbers += size;
    m->pivot = numbers += size;
    m->once = numbers + rows;
    return TN_OK;
}

void tn_loop_matrix_destroy(tn_loop_matrix *m)
{
    tn_free(m->at);
    tn_free(m->indices);
    tn_free(m->numbers);
}

/* ---- entries ---- */

double *tn_loop_matrix_entries(const tn_loop_matrix *m, int32_t i, int32_t b, int64_t *stride)
{
    const int32_t own = m->block[i], first = m->begin[b];
    *stride = 1;
    if (b <= own)
        return m->by_row + m->at[i] + (first - m->start[own]);
    *stride = m->begin[b + 1] - m->start[b];
    return m->by_column + m->at[first] + (i - m->start[b]);
}

tn_loop_lines tn_loop_matrix_lines(const tn_loop_matrix *m, int32_t r)
{
    const int32_t b = m->block[r];
    return (tn_loop_lines){m->start[b], m->end[b]};
}

double tn_loop_matrix_entry(const tn_loop_matrix *m, int32_t i, int32_t j)
{
    const int32_t later = m->block[i] < m->block[j] ? j : i, other = later == i ? j : i,
                  start = m->start[m->block[later]];
    const double *lines = later == i ? m->by_row : m->by_column;
    return other < start ? 0.0 : lines[m->at[later] + (other - start)];
}

void tn_loop_matrix_column(const tn_loop_matrix *m, int32_t r, double *to)
{
    const tn_loop_lines lines = tn_loop_matrix_lines(m, r);
    memset(to, 0, sizeof *to * (size_t)m->rows);
    for (int32_t i = lines.first; i < lines.last; i++)
        to[i] = tn_loop_matrix_entry(m, i, r);
}

/* ---- factors ---- */

/* The rows of a diagonal block that some link moves, at its first places, less what the blocks before it eliminate. */
typedef struct tn_loop_block {
    double S[TN_MAX_ROWS][TN_MAX_ROWS];
    double by_bound[TN_MAX_ROWS];
    int32_t begin, rows, start;
    int32_t count; /* of rows that some link moves */
} tn_loop_block;

static double product(const double *a, const double *b, int32_t count)
{
    double sum = 0.0;
    for (int32_t k = 0; k < count; k++)
        sum += a[k] * b[k];
    return sum;
}

/* The order of rows before pivoting: those that some link moves come first. */
static void put_order(tn_loop_matrix *m, const double *bound, tn_loop_block *block)
{
    int32_t still = block->rows;
    for (int32_t i = block->rows - 1; i >= 0; i--) {
        if (!(bound[block->begin + i] > 0.0))
            m->order[block->begin + --still] = block->begin + i;
    }
    for (int32_t i = 0; i < block->rows; i++) {
        if (!(bound[block->begin + i] > 0.0))
            continue;
        block->by_bound[block->count] = 1.0 / bound[block->begin + i];
        m->order[block->begin + block->count++] = block->begin + i;
    }
}

/* L and U of the row at place p, for places before its block. */
static void put_outside(const tn_loop_matrix *m, const tn_loop_block *block, int32_t p)
{
    const int64_t from = m->at[m->order[p]];
    const double *row = m->by_row + from, *column = m->by_column + from;
    double *l = m->lower + m->at[p], *u = m->upper + m->at[p];
    for (int32_t q = block->start; q < block->begin; q++) {
        const int32_t at = q - block->start;
        l[at] = u[at] = 0.0;
        if (tn_loop_matrix_leaves_out(m, q))
            continue;
        const int32_t other = m->start[m->block[q]],
                      first = other > block->start ? other : block->start,
                      skipped = first - block->start, entry = m->order[q] - block->start;
        const double *l_q = m->lower + m->at[q] + (first - other),
                     *u_q = m->upper + m->at[q] + (first - other);
        l[at] = (row[entry] - product(l + skipped, u_q, q - first)) / m->pivot[q];
        u[at] = column[entry] - product(l_q, u + skipped, q - first);
    }
}

static void put_inside(const tn_loop_matrix *m, tn_loop_block *block)
{
    const int32_t before = block->begin - block->start;
    for (int32_t i = 0; i < block->count; i++) {
        const double *row = m->by_row + m->at[m->order[block->begin + i]] - block->start,
                     *l = m->lower + m->at[block->begin + i];
        for (int32_t j = 0; j < block->count; j++)
            block->S[i][j] = row[m->order[block->begin + j]] -
                             product(l, m->upper + m->at[block->begin + j], before);
    }
}

static void swap_numbers(double *a, double *b, int32_t count)
{
    for (int32_t n = 0; n < count; n++) {
        const double t = a[n];
        a[n] = b[n];
        b[n] = t;
    }
}

/* Exchanges places i and k of the block. */
static void swap_places(tn_loop_matrix *m, tn_loop_block *block, int32_t i, int32_t k)
{
    const int32_t before = block->begin - block->start, one = block->begin + i,
                  other = block->begin + k, row = m->order[one];
    m->order[one] = m->order[other];
    m->order[other] = row;
    swap_numbers(m->lower + m->at[one], m->lower + m->at[other], before);
    swap_numbers(m->upper + m->at[one], m->upper + m->at[other], before);
    swap_numbers(&block->by_bound[i], &block->by_bound[k], 1);
    swap_numbers(block->S[i], block->S[k], block->count);
    for (int32_t n = 0; n < block->count; n++)
        swap_numbers(&block->S[n][i], &block->S[n][k], 1);
}

static double share_of(const tn_loop_block *block, int32_t i)
{
    return block->by_bound[i] * block->S[i][i];
}

/* Returns how many rows are kept. */
static int32_t eliminate(tn_loop_matrix *m, tn_loop_block *block, double own)
{
    int32_t kept = 0;
    for (; kept < block->count; kept++) {
        int32_t best = kept;
        for (int32_t i = kept + 1; i < block->count; i++)
            best = share_of(block, i) > share_of(block, best) ? i : best;
        if (!(share_of(block, best) > own))
            break;
        if (best != kept)
            swap_places(m, block, kept, best);
        for (int32_t i = kept + 1; i < block->count; i++) {
            const double by = block->S[i][kept] /= block->S[kept][kept];
            for (int32_t j = kept + 1; j < block->count; j++)
                block->S[i][j] -= by * block->S[kept][j];
        }
    }
    return kept;
}

/* Factorizes the block, and decides which of its rows are left out. */
static void put_block(const tn_loop_matrix *m, const tn_loop_block *block, int32_t kept)
{
    const int32_t before = block->begin - block->start;
    for (int32_t i = 0; i < block->rows; i++) {
        const int64_t at = m->at[block->begin + i] + before;
        m->pivot[block->begin + i] = i < kept ? block->S[i][i] : 0.0;
        for (int32_t j = 0; j < i && i < kept; j++) {
            m->lower[at + j] = block->S[i][j];
            m->upper[at + j] = block->S[j][i];
        }
    }
}

bool tn_loop_matrix_factorize(tn_loop_matrix *m, const double *bound, tn_loop_shares shares)
{
    bool clear = true;
    m->kept = 0;
    for (int32_t b = 0; b < m->blocks; b++) {
        tn_loop_block block = {
            .begin = m->begin[b], .rows = m->begin[b + 1] - m->begin[b], .start = m->start[b]};
        put_order(m, bound, &block);
        for (int32_t i = 0; i < block.count; i++)
            put_outside(m, &block, block.begin + i);
        put_inside(m, &block);
        const int32_t kept = eliminate(m, &block, shares.own);
        put_block(m, &block, kept);
        for (int32_t i = kept; i < block.count; i++)
            clear &= fabs(share_of(&block, i)) <= shares.repeats;
        m->kept += kept;
    }
    return clear;
}

/* ---- solves ---- */

/* Forward substitution by the lines of one factor; `divides`: also by the pivots. */
static void go_forward(const tn_loop_matrix *m, const double *lines, bool divides, const double *b)
{
    double *x = m->once;
    for (int32_t p = 0; p < m->rows; p++) {
        const int32_t start = m->start[m->block[p]];
        x[p] = 0.0;
        if (tn_loop_matrix_leaves_out(m, p))
            continue;
        x[p] = b[m->order[p]] - product(lines + m->at[p], x + start, p - start);
        if (divides)
            x[p] /= m->pivot[p];
    }
}

static void go_back(const tn_loop_matrix *m, const double *lines, bool divides, double *b)
{
    double *x = m->once;
    for (int32_t p = m->rows - 1; p >= 0; p--) {
        const int32_t start = m->start[m->block[p]];
        const double *line = lines + m->at[p];
        if (tn_loop_matrix_leaves_out(m, p))
            continue;
        if (divides)
            x[p] /= m->pivot[p];
        for (int32_t k = start; k < p; k++)
            x[k] -= line[k - start] * x[p];
    }
    for (int32_t p = 0; p < m->rows; p++)
        b[m->order[p]] = tn_loop_matrix_leaves_out(m, p) ? 0.0 : x[p];
}

void tn_loop_matrix_solve(const tn_loop_matrix *m, double *b)
{
    go_forward(m, m->lower, false, b);
    go_back(m, m->upper, true, b);
}

void tn_loop_matrix_solve_transposed(const tn_loop_matrix *m, double *b)
{
    go_forward(m, m->upper, true, b);
    go_back(m, m->lower, false, b);
}
