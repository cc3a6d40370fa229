/* inertia.h: how many eigenvalues of a sparse symmetric matrix lie below a number. Room sparse. */
#ifndef TN_SPARSE_INERTIA_H
#define TN_SPARSE_INERTIA_H

#include <stdint.h>

#include "tenon/status.h"

/* One triangle by blocks: block b couples nodes row[b] <= column[b] and has size[row] x
 * size[column] doubles, row-major; a diagonal block is full. A pair may come several times: the sum
 * counts. */
typedef struct tn_block_matrix {
    int32_t nodes;
    const int32_t *size; /* [nodes] scalars, 0: absent */
    int64_t blocks;
    const int32_t *row, *column; /* [blocks] */
    const int64_t *at;           /* [blocks] where the block begins in value */
    const double *value;
} tn_block_matrix;

typedef struct tn_inertia tn_inertia;

/* Orders and copies the matrix. TN_ERROR_UNSUPPORTED: its factor would have more than 2^28
 * entries. */
tn_status tn_inertia_create(const tn_block_matrix *matrix, tn_inertia **out);
void tn_inertia_destroy(tn_inertia *inertia);

/* Number of eigenvalues below `shift`: one factorization, no allocation. */
int32_t tn_inertia_below(tn_inertia *inertia, double shift);

#endif
