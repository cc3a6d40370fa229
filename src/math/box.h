/* box.h: room math: the box along the axes that holds points. */
#ifndef TN_MATH_BOX_H
#define TN_MATH_BOX_H

#include <math.h>

#include "math/m3.h"

typedef struct tn_box {
    tn_vec3 low, high;
} tn_box;

static inline tn_box tn_empty_box(void)
{
    const double inf = (double)INFINITY;
    return (tn_box){v3(inf, inf, inf), v3(-inf, -inf, -inf)};
}

static inline void tn_box_add(tn_box *box, tn_vec3 p)
{
    box->low = v3(fmin(box->low.x, p.x), fmin(box->low.y, p.y), fmin(box->low.z, p.z));
    box->high = v3(fmax(box->high.x, p.x), fmax(box->high.y, p.y), fmax(box->high.z, p.z));
}

/* Sizes (m) are 1 where there is none: of an empty box, of one point, or not finite. */
static inline double tn_size_or_one(double size)
{
    return size > 0.0 && isfinite(size) ? size : 1.0;
}

static inline double tn_box_half_edge(const tn_box *box)
{
    const tn_vec3 edges = v3_sub(box->high, box->low);
    return tn_size_or_one(0.5 * fmax(edges.x, fmax(edges.y, edges.z)));
}

static inline double tn_box_diagonal(const tn_box *box)
{
    return tn_size_or_one(v3_norm(v3_sub(box->high, box->low)));
}

#endif
