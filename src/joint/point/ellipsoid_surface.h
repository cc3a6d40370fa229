/* ellipsoid_surface.h: room joint/point: the point of an ellipsoid nearest to a given one. */
#ifndef TN_ELLIPSOID_SURFACE_H
#define TN_ELLIPSOID_SURFACE_H

#include "math/m3.h"

/* Semi-axes positive (m). Returns 0 when several points are equally near: the one with positive
 * coordinates is taken. */
int tn_ellipsoid_nearest(tn_vec3 semi_axes, tn_vec3 point, tn_vec3 *nearest);

#endif
