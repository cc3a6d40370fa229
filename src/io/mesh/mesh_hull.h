/* mesh_hull.h (room: io/mesh): the convex hull of points. */
#ifndef TN_IO_MESH_MESH_HULL_H
#define TN_IO_MESH_MESH_HULL_H

#include "io/mesh/mesh_build.h"
#include "tenon/limits.h"

/* Adds the hull's triangles, outward, to a builder. TN_ERROR_INPUT: the points lie in a plane;
 * TN_ERROR_UNSUPPORTED: there are too many. */
tn_status tn_mesh_hull(const tn_vec3 *points, int32_t count, tn_mesh_builder *builder);

#endif
