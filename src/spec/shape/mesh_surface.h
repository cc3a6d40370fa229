/* mesh_surface.h (room: spec/shape): is a triangle mesh the boundary of a solid. */
#ifndef TN_SPEC_SHAPE_MESH_SURFACE_H
#define TN_SPEC_SHAPE_MESH_SURFACE_H

#include "tenon/shape.h"

/* TN_OK when every edge is run equally often in both directions by its triangles, and no triangle
 * is given twice: then the surface is closed and consistently oriented. Otherwise diagnostics at
 * `at`, headed by `what`, for the first few edges and a total. Indices have been checked. */
tn_status tn_mesh_check_closed(const tn_triangle *triangles, int32_t triangle_count,
                               const char *what, tn_location at, tn_diagnostics *diags);

#endif
