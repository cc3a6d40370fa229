/* triangulate.h: room math/dense: a simple polygon as triangles. */
#ifndef TN_MATH_DENSE_TRIANGULATE_H
#define TN_MATH_DENSE_TRIANGULATE_H

#include "tenon/math.h"

/* Triangles of a simple polygon in x-y, either way round, counter-clockwise: 3 (count - 2) indices
 * of its points. TN_ERROR_MEMORY. */
TN_SIBLING tn_status tn_triangulate(const tn_vec3 *points, int32_t count, int32_t *triangles);

#endif
