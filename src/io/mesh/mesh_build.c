/* mesh_build.c (room: io/mesh): vertices merged by exact position, triangles, limits.
 *
 * STL repeats every corner in every triangle it belongs to, and many writers of OBJ do the same;
 * a surface is closed only once equal positions are one vertex. Equal means equal numbers: files
 * write a shared corner with the same digits each time, and a tolerance would close real gaps.
 */
#include "io/mesh/mesh_build.h"

#include <string.h>

#include "base/base.h"

/* Slots of the first table; it doubles whenever it is half full. */
#define FIRST_SLOTS 1024

/* FNV-1a over the bytes of three doubles, with a final mix: round numbers share their low bits. */
static uint32_t hash_position(tn_vec3 p)
{
    unsigned char bytes[sizeof p];
    memcpy(bytes, &p, sizeof p);
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < sizeof bytes; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    }
    return (uint32_t)(hash ^ (hash >> 32));
}

static bool same_position(tn_vec3 a, tn_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* The slot that holds the vertex at p, or the empty one where it belongs. */
static int32_t *find_slot(const tn_mesh_builder *builder, tn_vec3 p)
{
    uint32_t mask = (uint32_t)builder->slot_count - 1;
    for (uint32_t i = hash_position(p) & mask;; i = (i + 1) & mask) {
        int32_t *slot = &builder->slots[i];
        if (*slot == 0 || same_position(builder->mesh.vertices[*slot - 1], p)) {
            return slot;
        }
    }
}

static tn_status widen_table(tn_mesh_builder *builder)
{
    int32_t wanted = builder->slot_count == 0 ? FIRST_SLOTS : 2 * builder->slot_count;
    int32_t *slots = TN_NEW_ARRAY(int32_t, wanted);
    if (slots == NULL) {
        return TN_ERROR_MEMORY;
    }
    tn_free(builder->slots);
    builder->slots = slots;
    builder->slot_count = wanted;
    for (int32_t i = 0; i < builder->mesh.vertex_count; i++) {
        *find_slot(builder, builder->mesh.vertices[i]) = i + 1;
    }
    return TN_OK;
}

tn_status tn_mesh_builder_vertex(tn_mesh_builder *builder, tn_vec3 p, int32_t *index)
{
    /* Minus zero is the same place as zero but has other bits. */
    p = (tn_vec3){p.x + 0.0, p.y + 0.0, p.z + 0.0};
    tn_mesh *mesh = &builder->mesh;
    if (mesh->vertex_count >= builder->slot_count / 2) {
        tn_status status = widen_table(builder);
        if (status != TN_OK) {
            return status;
        }
    }
    int32_t *slot = find_slot(builder, p);
    if (*slot == 0) {
        tn_vec3 *grown = tn_grow(mesh->vertices, &builder->vertex_capacity, mesh->vertex_count + 1,
                                 sizeof *mesh->vertices);
        if (grown == NULL) {
            return TN_ERROR_MEMORY;
        }
        mesh->vertices = grown;
        mesh->vertices[mesh->vertex_count++] = p;
        *slot = mesh->vertex_count;
    }
    *index = *slot - 1;
    return TN_OK;
}

tn_status tn_mesh_builder_triangle(tn_mesh_builder *builder, int32_t a, int32_t b, int32_t c)
{
    tn_mesh *mesh = &builder->mesh;
    if (mesh->triangle_count + builder->degenerate_count >= TN_MESH_MAX_TRIANGLES) {
        return TN_ERROR_UNSUPPORTED;
    }
    if (a == b || b == c || c == a) {
        builder->degenerate_count++;
        return TN_OK;
    }
    tn_triangle *grown = tn_grow(mesh->triangles, &builder->triangle_capacity,
                                 mesh->triangle_count + 1, sizeof *mesh->triangles);
    if (grown == NULL) {
        return TN_ERROR_MEMORY;
    }
    mesh->triangles = grown;
    mesh->triangles[mesh->triangle_count++] = (tn_triangle){{a, b, c}};
    return TN_OK;
}

tn_status tn_mesh_builder_finish(tn_mesh_builder *builder, tn_status status, tn_mesh *out)
{
    tn_free(builder->slots);
    builder->slots = NULL;
    if (status == TN_OK) {
        *out = builder->mesh;
    } else {
        tn_mesh_free(&builder->mesh);
        *out = (tn_mesh){0};
    }
    return status;
}

void tn_mesh_free(tn_mesh *mesh)
{
    tn_free(mesh->vertices);
    tn_free(mesh->triangles);
    *mesh = (tn_mesh){0};
}
