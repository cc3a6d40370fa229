/* mesh_read.h (room: io/mesh): triangle meshes from STL, OBJ and MSH files.
 *
 * In: a file or its bytes. Out: vertices and triangles as tn_shape_def takes them, vertices at one
 * position merged, or located messages (file:line:column; for binary STL the triangle's number).
 * Whether the surface is closed is not checked here: tn_shape_mass_properties does.
 */
#ifndef TN_IO_MESH_MESH_READ_H
#define TN_IO_MESH_MESH_READ_H

#include "tenon/limits.h"
#include "tenon/shape.h"

/* Zero it or fill it by reading; give it back with tn_mesh_free. */
typedef struct tn_mesh {
    tn_vec3 *vertices; /* in the unit of the file */
    tn_triangle *triangles;
    int32_t vertex_count;
    int32_t triangle_count;
} tn_mesh;

/* Reads a file whose name ends in .stl (binary or ASCII), .obj or .msh (MuJoCo's). On failure *out is empty. */
tn_status tn_mesh_read(const char *path, tn_mesh *out, tn_diagnostics *diags);

/* The same from bytes in memory; name decides the format and appears in messages. */
tn_status tn_mesh_parse(const char *name, const void *bytes, size_t size, tn_mesh *out,
                        tn_diagnostics *diags);

void tn_mesh_free(tn_mesh *mesh);

#endif
