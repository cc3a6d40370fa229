/* factor.h: room sparse/factor: the elimination of a KKT matrix.
 *
 * In: a structure, its numbers (sparse/kkt.h). Out: the factor, or which node has no pivot.
 */
#ifndef TN_SPARSE_FACTOR_FACTOR_H
#define TN_SPARSE_FACTOR_FACTOR_H

#include "sparse/kkt.h"

/* LDL^T. A pivot of the wrong sign or zero: TN_ERROR_SINGULAR; a NaN or infinite one:
 * TN_ERROR_NOT_FINITE; both name the node in *node (may be NULL), -1 on success. */
tn_status tn_kkt_factorize(const tn_kkt *kkt, const tn_kkt_values *values, tn_kkt_factor *factor,
                           int32_t *node);

/* Both that and tn_kkt_solve, with the same bits: where the factor is that of a net and larger than the cache, the first half of the solve
 * is done while the blocks are at hand. After a failure (b, g) are lost. */
tn_status tn_kkt_factorize_and_solve(const tn_kkt *kkt, const tn_kkt_values *values,
                                     tn_kkt_factor *factor, double *u_inout, double *y_inout,
                                     int32_t *node);

#endif
