/* mesh_msh.c (room: io/mesh): MSH, MuJoCo's own binary format.
 *
 * Four 32-bit counts: vertices nv, normals nn, texture coordinates nt, faces nf. Then 32-bit floats, 3 nv of positions,
 * 3 nn of normals, 2 nt of textures, and 3 nf 32-bit indices of vertices from 0; all little-endian. Without faces
 * the mesh is the convex hull of its vertices. (MuJoCo, XML reference, asset/mesh.)
 */
#include "io/mesh/mesh_formats.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "io/mesh/mesh_hull.h"

enum { HEADER_SIZE = 16 };

typedef struct msh_counts {
    uint32_t vertices, normals, textures, faces;
} msh_counts;

static uint32_t word_at(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static double float_at(const unsigned char *bytes)
{
    const uint32_t bits = word_at(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static tn_status refuse(const char *name, const char *what, tn_diagnostics *diags)
{
    tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, (tn_location){name, 0, 0}, NULL, "%s",
                       what);
    return TN_ERROR_INPUT;
}

static tn_status add_faces(const char *name, const unsigned char *bytes, const msh_counts *n,
                           const tn_vec3 *points, tn_mesh_builder *builder, tn_diagnostics *diags)
{
    for (uint32_t f = 0; f < n->faces; f++) {
        int32_t index[3];
        for (int k = 0; k < 3; k++) {
            const uint32_t v = word_at(bytes + 4 * (3 * (size_t)f + (size_t)k));
            if (v >= n->vertices)
                return refuse(name, "a face has a vertex that is not there", diags);
            const tn_status status = tn_mesh_builder_vertex(builder, points[v], &index[k]);
            if (status != TN_OK)
                return status;
        }
        const tn_status status = tn_mesh_builder_triangle(builder, index[0], index[1], index[2]);
        if (status != TN_OK)
            return status;
    }
    return TN_OK;
}

static tn_status add_hull(const char *name, const tn_vec3 *points, uint32_t count,
                          tn_mesh_builder *builder, tn_diagnostics *diags)
{
    const tn_status status = tn_mesh_hull(points, (int32_t)count, builder);
    if (status == TN_ERROR_INPUT)
        return refuse(name, "there are no faces, and the vertices lie in a plane", diags);
    if (status == TN_ERROR_UNSUPPORTED)
        return refuse(name, "there are no faces, and too many vertices for a hull", diags);
    return status;
}

tn_status tn_mesh_read_msh(const char *name, const void *bytes, size_t size,
                           tn_mesh_builder *builder, tn_diagnostics *diags)
{
    const unsigned char *raw = bytes;
    if (size < HEADER_SIZE)
        return refuse(name, "not an MSH file: it is shorter than its header of 16 bytes", diags);
    const msh_counts n = {word_at(raw), word_at(raw + 4), word_at(raw + 8), word_at(raw + 12)};
    const uint64_t needed = HEADER_SIZE + 12 * ((uint64_t)n.vertices + n.normals) +
                            8 * (uint64_t)n.textures + 12 * (uint64_t)n.faces;
    if (needed != size || n.vertices > INT32_MAX / 2)
        return refuse(
            name, "not an MSH file of MuJoCo: its size is not that of its header's counts", diags);
    tn_vec3 *points = TN_NEW_ARRAY(tn_vec3, n.vertices);
    if (points == NULL)
        return TN_ERROR_MEMORY;
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < n.vertices; i++) {
        const unsigned char *at = raw + HEADER_SIZE + 12 * (size_t)i;
        points[i] = (tn_vec3){float_at(at), float_at(at + 4), float_at(at + 8)};
        if (status == TN_OK &&
            !(isfinite(points[i].x) && isfinite(points[i].y) && isfinite(points[i].z)))
            status = refuse(name, "a vertex is not finite", diags);
    }
    const unsigned char *faces = raw + size - 12 * (size_t)n.faces;
    if (status == TN_OK)
        status = n.faces > 0 ? add_faces(name, faces, &n, points, builder, diags)
                             : add_hull(name, points, n.vertices, builder, diags);
    tn_free(points);
    return status;
}
