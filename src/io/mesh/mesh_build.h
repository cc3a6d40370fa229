/* mesh_build.h (room: io/mesh): a mesh that grows while a file is read. */
#ifndef TN_IO_MESH_MESH_BUILD_H
#define TN_IO_MESH_MESH_BUILD_H

#include "io/mesh/mesh_read.h"

/* Zero it to start. */
typedef struct tn_mesh_builder {
    tn_mesh mesh;
    int32_t vertex_capacity;
    int32_t triangle_capacity;
    int32_t *slots; /* hash table of positions: vertex index + 1, 0 empty */
    int32_t slot_count;
    int32_t degenerate_count; /* triangles left out because two corners coincide */
} tn_mesh_builder;

/* The index of the vertex at p, made if there is none at exactly this position. */
tn_status tn_mesh_builder_vertex(tn_mesh_builder *builder, tn_vec3 p, int32_t *index);

/* Triangles with two equal corners enclose nothing and are counted, not kept. TN_ERROR_UNSUPPORTED
 * beyond TN_MESH_MAX_TRIANGLES. */
tn_status tn_mesh_builder_triangle(tn_mesh_builder *builder, int32_t a, int32_t b, int32_t c);

/* Gives the mesh away and frees the rest; on a status other than TN_OK the mesh is freed too. */
tn_status tn_mesh_builder_finish(tn_mesh_builder *builder, tn_status status, tn_mesh *out);

#endif
