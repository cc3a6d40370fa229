/* jacobi_svd.h: room math/dense: singular values and null space of a small dense matrix. */
#ifndef TN_MATH_DENSE_JACOBI_SVD_H
#define TN_MATH_DENSE_JACOBI_SVD_H

#include <stdint.h>

/* Rotates the columns of A (m x n, column after column) until they are orthogonal: on return
 * A V^T is what A was, sigma[j] the length of column j, and V (n x n, column after column) the
 * product of the rotations: column j of V is null for A where sigma[j] is zero. Any m and n. */
void tn_jacobi_svd(int32_t m, int32_t n, double *A, double *V, double *sigma);

#endif
