/* polygon.h (room: spec): outlines in the plane. */
#ifndef TN_SPEC_POLYGON_H
#define TN_SPEC_POLYGON_H

#include "tenon/shape.h"

/* TN_OK when no two edges cross or touch except neighbours at their corner; otherwise one
 * diagnostic at `at`, headed by `what`. count >= 3, all finite. */
tn_status tn_polygon_check_simple(const tn_vec2 *points, int32_t count, const char *what,
                                  tn_location at, tn_diagnostics *diags);

/* Integrals over a simple polygon, either way round. */
typedef struct tn_area_moments {
    double area;       /* m^2, >= 0 */
    tn_vec2 centroid;  /* m */
    double xx, xy, yy; /* m^4, about the centroid */
} tn_area_moments;

tn_area_moments tn_polygon_moments(const tn_vec2 *points, int32_t count);

#endif
