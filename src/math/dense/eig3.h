/* eig3.h (room: math): eigenvalues and eigenvectors of a symmetric 3 x 3 matrix. */
#ifndef TN_MATH_DENSE_EIG3_H
#define TN_MATH_DENSE_EIG3_H

#include "tenon/math.h"

/* values ascending; the columns of vectors are the matching unit eigenvectors, right-handed
 * (det +1), or NULL. Only the upper triangle of a is read. An entry that is not finite gives NaN
 * values and the identity. */
void tn_eig3(const tn_mat3 *a, double values[3], tn_mat3 *vectors);

#endif
