/* impulse_block.h: the small dense problems inside sequential impulses. Room solve, private.
 *
 * Symmetric blocks of n rows, row-major with a stride; factored in place as L D L^T, 1/d on the
 * diagonal and L below it.
 */
#ifndef TN_SOLVE_IMPULSE_BLOCK_H
#define TN_SOLVE_IMPULSE_BLOCK_H

#include <stdint.h>

#include "tenon/status.h"

/* scale NULL: a pivot that is not positive is TN_ERROR_SINGULAR. Else [n], the size of each row: a
 * pivot below a tiny share of it is replaced by that share. TN_ERROR_NOT_FINITE: NaN or infinite.
 */
tn_status tn_impulse_factor(double *a, int32_t n, int32_t stride, const double *scale);

/* x <- A^-1 x. */
void tn_impulse_back_solve(const double *factor, int32_t n, int32_t stride, double *x);

/* The change x with lambda + x within [lo, hi] and w + K x zero where it is inside, not negative at
 * lo, not positive at hi: one row changes sides at a time, the worst first (Murty's rule after some
 * changes, which ends on every positive definite K). */
void tn_impulse_bounded(const double *k, int32_t n, int32_t stride, const double *w,
                        const double *lambda, const double *lo, const double *hi, double *x);

#endif
