/* loop_matrix.h: room method/loops: the matrix V of the rows of one loop, and its factors.
 *
 * Rows come in blocks, one for each cut, in an order in which cuts that share links are close to each other. The row
 * and the column of a block reach from its diagonal back to the first block that shares links with it: the envelope,
 * which the factors V = L U fill and do not leave. So the cost is linear in the number of cuts for a row of loops,
 * and that of a dense matrix if all cuts share links. V is not symmetric; its pattern is.
 *
 * Within a block the largest pivots come first. A row whose pivot is 0 up to round-off depends on rows before it. It
 * is left out: its place in the factors is empty, and its unknown is 0. That is decided once for the whole matrix: V
 * is G A G^T with A definite, up to terms that vanish with the step, so where a pivot vanishes, the rest of its row
 * and column does too.
 *
 * In: entries. Out: factors, which rows are kept, and solutions.
 */
#ifndef TN_METHOD_LOOPS_LOOP_MATRIX_H
#define TN_METHOD_LOOPS_LOOP_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

#include "tenon/status.h"

/* Lines are rows, and columns likewise, up to the end of their block: line i starts at at[i], with entry start[block
 * of i]. */
typedef struct tn_loop_matrix {
    int32_t rows, blocks;
    int32_t *begin;        /* [blocks + 1] the first row of a block */
    int32_t *start;        /* [blocks] the first row that its rows and columns reach back to */
    int32_t *end;          /* [blocks] behind the last row that reaches back to the block */
    int32_t *block;        /* [rows] */
    int64_t *at;           /* [rows] */
    double *by_row;        /* lines V(i, j) */
    double *by_column;     /* lines V(j, i), of j before the block */
    double *lower, *upper; /* the same of the factors, by places; L has ones on its diagonal */
    double *pivot;         /* [rows] by places; 0: the row is left out */
    double *once;          /* [rows] */
    int32_t *order;        /* [rows] the row at a place: of each block first those that are kept */
    int32_t kept;
    double work;             /* sum of the squared lengths of lines */
    void *numbers, *indices; /* the allocations of the arrays */
} tn_loop_matrix;

/* Thresholds of a pivot, as shares of its bound: above `own` a row is independent, up to `repeats` it is redundant. */
typedef struct tn_loop_shares {
    double own, repeats;
} tn_loop_shares;

/* Blocks with these numbers of rows, [blocks], each of which shares links with none before block first[b]. Entries
 * are 0. */
tn_status tn_loop_matrix_create(const int32_t *count, const int32_t *first, int32_t blocks,
                                tn_loop_matrix *matrix);
void tn_loop_matrix_destroy(tn_loop_matrix *matrix);

/* Entries of row i in the columns of block b: adjacent if that is the row's own block or one before it; else *stride
 * apart. */
double *tn_loop_matrix_entries(const tn_loop_matrix *matrix, int32_t i, int32_t b, int64_t *stride);

/* Rows [first, last) of the blocks that share links with that of row r; V(i, r) of all others is 0. */
typedef struct tn_loop_lines {
    int32_t first, last;
} tn_loop_lines;
tn_loop_lines tn_loop_matrix_lines(const tn_loop_matrix *matrix, int32_t r);

/* V(i, j). */
double tn_loop_matrix_entry(const tn_loop_matrix *matrix, int32_t i, int32_t j);

/* Column r, [rows]. */
void tn_loop_matrix_column(const tn_loop_matrix *matrix, int32_t r, double *to);

/* bound: [rows] the size with which each pivot is compared; 0: the row is left out, and its entries are not read.
 * false: a row is neither clearly independent nor clearly redundant. */
bool tn_loop_matrix_factorize(tn_loop_matrix *matrix, const double *bound, tn_loop_shares shares);

/* Solves V x = b, or V^T x = b, in place; x of rows that are left out is 0. */
void tn_loop_matrix_solve(const tn_loop_matrix *matrix, double *b);
void tn_loop_matrix_solve_transposed(const tn_loop_matrix *matrix, double *b);

/* Is the row at that place of the factors left out? */
static inline bool tn_loop_matrix_leaves_out(const tn_loop_matrix *matrix, int32_t place)
{
    return matrix->pivot[place] == 0.0;
}

#endif
