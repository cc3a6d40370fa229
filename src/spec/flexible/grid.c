/* grid.c: room spec/flexible: meshes of boxes, and what all meshes have.
 *
 * In: sides, cells, a type of element. Out: a mesh. Places of nodes are counted in half cells, so that corners, middles of
 * edges, of faces and of cells are all whole numbers; of pyramids in quarters. A cell is one hexahedron, two wedges cut along z, six tetrahedra
 * around one diagonal (Kuhn 1960), whose faces fit those of the next cell, or six pyramids on its faces.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/base.h"
#include "element/element.h"

/* Half cells, or quarters, from the corner of the grid. */
typedef struct spot {
    int32_t x[3];
} spot;

/* What a grid is made with. */
typedef struct making {
    const tn_solid_grid *grid;
    const tn_element_type *type;
    int32_t half[3]; /* spots in each direction */
    int32_t *number; /* [spots] of the node there, + 1; 0: none */
    tn_solid_mesh *out;
} making;

void tn_solid_mesh_free(tn_solid_mesh *mesh)
{
    if (mesh == NULL) {
        return;
    }
    if (mesh->block != NULL) {
        tn_arena_free(mesh->block);
        tn_free(mesh->block);
    }
    *mesh = (tn_solid_mesh){0};
}

const tn_node_set *tn_solid_mesh_set(const tn_solid_mesh *mesh, const char *name)
{
    TN_DEMAND(mesh && name, NULL);
    for (int32_t i = 0; i < mesh->set_count; i++) {
        if (strcmp(mesh->sets[i].name, name) == 0) {
            return &mesh->sets[i];
        }
    }
    return NULL;
}

/* spots of nodes ----------------------------------------------------------------------------------- */

/* Corner 0 .. 3 of tetrahedron `part` of a cell: from (0, 0, 0) to (1, 1, 1) along one axis after the other. */
static spot tet_corner(int32_t part, int32_t corner)
{
    static const int8_t axes[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                      {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    spot s = {{0, 0, 0}};
    for (int32_t k = 0; k < corner; k++) {
        s.x[axes[part][k]] = 1;
    }
    return s;
}

static spot spot_of_tet(const tn_element_type *type, int32_t part, int32_t node)
{
    const int8_t *p = type->place + 3 * node;
    /* parts of odd permutations would be turned inside out: their corners 1 and 2 change places */
    const bool odd = part >= 3;
    spot s = {{0, 0, 0}};
    for (int32_t c = 1; c < 4; c++) {
        const int32_t corner = odd && c < 3 ? 3 - c : c;
        const spot to = tet_corner(part, corner);
        for (int k = 0; k < 3; k++) {
            s.x[k] += p[c - 1] * to.x[k];
        }
    }
    return s;
}

static spot spot_of_wedge(const tn_element_type *type, int32_t part, int32_t node)
{
    const int8_t *p = type->place + 3 * node;
    /* triangles (0,0) (1,0) (1,1) and (0,0) (1,1) (0,1) */
    return part == 0 ? (spot){{p[0] + p[1], p[1], (p[2] + 2) / 2}}
                     : (spot){{p[0], p[0] + p[1], (p[2] + 2) / 2}};
}

/* On face `part` of the cell, its top in the middle: from the corners of the face, b, in quarters. */
static spot spot_of_pyramid(const tn_element_type *type, int32_t part, int32_t node)
{
    const tn_element_type *cell = tn_element_type_of(TN_HEX8);
    const int8_t *p = type->place + 3 * node, *corner = cell->face[part]; /* seen from outside */
    const int32_t level = 2 - p[2];
    spot s;
    for (int k = 0; k < 3; k++) {
        const int32_t b = cell->place[3 * corner[0] + k] + 2,
                      along = cell->place[3 * corner[3] + k] + 2 - b,
                      across = cell->place[3 * corner[1] + k] + 2 - b;
        s.x[k] =
            (level * b + (level + p[0]) / 2 * along + (level + p[1]) / 2 * across + 2 * p[2]) / 2;
    }
    return s;
}

static spot spot_of(const tn_element_type *type, int32_t part, int32_t node)
{
    const int8_t *p = type->place + 3 * node;
    if (type->corners == 4) {
        return spot_of_tet(type, part, node);
    }
    if (type->corners == 6) {
        return spot_of_wedge(type, part, node);
    }
    if (type->corners == 5) {
        return spot_of_pyramid(type, part, node);
    }
    return (spot){{(p[0] + 2) / 2, (p[1] + 2) / 2, (p[2] + 2) / 2}};
}

static int32_t parts_of(const tn_element_type *type)
{
    return type->corners < 6 ? 6 : type->corners == 6 ? 2 : 1;
}

/* Spots along the side of a cell. */
static int32_t spots_of(const tn_element_type *type)
{
    return type->corners == 5 ? 4 : 2;
}

static int32_t *number_at(const making *m, const spot *s)
{
    return &m->number[((int64_t)s->x[2] * m->half[1] + s->x[1]) * m->half[0] + s->x[0]];
}

/* elements ----------------------------------------------------------------------------------------- */

typedef void (*visit)(making *m, tn_solid_element *element, int32_t node, const spot *s);

/* Each node of each element, in the order of cells. */
static void walk(making *m, visit act)
{
    const int32_t *n = m->grid->cells;
    int32_t at = 0;
    for (int32_t cell = 0; cell < n[0] * n[1] * n[2]; cell++) {
        const int32_t base[3] = {cell % n[0], cell / n[0] % n[1], cell / (n[0] * n[1])};
        for (int32_t part = 0; part < parts_of(m->type); part++, at++) {
            for (int32_t i = 0; i < m->type->nodes; i++) {
                spot s = spot_of(m->type, part, i);
                for (int k = 0; k < 3; k++) {
                    s.x[k] += spots_of(m->type) * base[k];
                }
                act(m, &m->out->elements[at], i, &s);
            }
        }
    }
}

static void mark(making *m, tn_solid_element *element, int32_t node, const spot *s)
{
    (void)node;
    element->kind = m->grid->kind;
    *number_at(m, s) = 1;
}

static void enter(making *m, tn_solid_element *element, int32_t node, const spot *s)
{
    element->nodes[node] = *number_at(m, s) - 1;
}

/* nodes and sets ----------------------------------------------------------------------------------- */

static double along(double size, int32_t half, int32_t spots)
{
    return size * half / (spots - 1);
}

/* Numbers the nodes, or, with places to put them, puts them there. */
static int32_t number_nodes(making *m, tn_vec3 *places)
{
    int32_t count = 0;
    const tn_vec3 size = m->grid->size;
    for (int32_t z = 0; z < m->half[2]; z++) {
        for (int32_t y = 0; y < m->half[1]; y++) {
            for (int32_t x = 0; x < m->half[0]; x++) {
                int32_t *number = number_at(m, &(spot){{x, y, z}});
                if (*number == 0) {
                    continue;
                }
                if (places != NULL) {
                    places[count] =
                        (tn_vec3){along(size.x, x, m->half[0]), along(size.y, y, m->half[1]),
                                  along(size.z, z, m->half[2])};
                }
                *number = ++count;
            }
        }
    }
    return count;
}

/* The nodes of a face: of those with x[axis] = value. NULL: counts only. */
static int32_t list_face(const making *m, int axis, int32_t value, int32_t *list)
{
    int32_t count = 0;
    spot s;
    for (s.x[2] = 0; s.x[2] < m->half[2]; s.x[2]++) {
        for (s.x[1] = 0; s.x[1] < m->half[1]; s.x[1]++) {
            for (s.x[0] = 0; s.x[0] < m->half[0]; s.x[0]++) {
                const int32_t number = s.x[axis] == value ? *number_at(m, &s) : 0;
                if (number > 0 && list != NULL) {
                    list[count] = number - 1;
                }
                count += number > 0;
            }
        }
    }
    return count;
}

static tn_status add_faces(making *m)
{
    static const char *const names[6] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
    m->out->sets = TN_ARENA_ARRAY(m->out->block, tn_node_set, 6);
    for (int f = 0; f < 6 && m->out->sets != NULL; f++) {
        const int32_t value = f % 2 == 0 ? 0 : m->half[f / 2] - 1;
        const int32_t count = list_face(m, f / 2, value, NULL);
        int32_t *list = TN_ARENA_ARRAY(m->out->block, int32_t, count);
        if (list == NULL) {
            return TN_ERROR_MEMORY;
        }
        list_face(m, f / 2, value, list);
        m->out->sets[f] = (tn_node_set){names[f], list, count};
        m->out->set_count++;
    }
    return m->out->sets != NULL ? TN_OK : TN_ERROR_MEMORY;
}

static tn_status build(making *m, int64_t spots, int64_t elements)
{
    m->out->block = TN_NEW(tn_arena);
    m->number = TN_NEW_ARRAY(int32_t, spots);
    if (m->out->block == NULL || m->number == NULL) {
        return TN_ERROR_MEMORY;
    }
    m->out->elements = TN_ARENA_ARRAY(m->out->block, tn_solid_element, elements);
    if (m->out->elements == NULL) {
        return TN_ERROR_MEMORY;
    }
    m->out->element_count = (int32_t)elements;
    walk(m, mark);
    m->out->node_count = number_nodes(m, NULL);
    if (m->out->node_count > TN_MAX_SOLID_NODES) {
        return TN_ERROR_ARGUMENT;
    }
    m->out->nodes = TN_ARENA_ARRAY(m->out->block, tn_vec3, m->out->node_count);
    if (m->out->nodes == NULL) {
        return TN_ERROR_MEMORY;
    }
    number_nodes(m, m->out->nodes);
    walk(m, enter);
    return add_faces(m);
}

static bool is_grid(const tn_solid_grid *grid)
{
    const tn_vec3 s = grid->size;
    const int32_t *n = grid->cells;
    return TN_IN(grid->kind, TN_ELEMENT_KIND_COUNT) && n[0] > 0 && n[1] > 0 && n[2] > 0 &&
           n[0] < TN_MAX_SOLID_NODES && n[1] < TN_MAX_SOLID_NODES && n[2] < TN_MAX_SOLID_NODES &&
           isfinite(s.x) && isfinite(s.y) && isfinite(s.z) && s.x > 0.0 && s.y > 0.0 && s.z > 0.0;
}

tn_status tn_solid_mesh_grid(const tn_solid_grid *grid, tn_solid_mesh *out)
{
    TN_DEMAND(grid && out, TN_ERROR_ARGUMENT);
    *out = (tn_solid_mesh){0};
    if (!is_grid(grid)) {
        return TN_ERROR_ARGUMENT;
    }
    const int32_t *n = grid->cells;
    making m = {.grid = grid, .type = tn_element_type_of(grid->kind), .out = out};
    for (int k = 0; k < 3; k++) {
        m.half[k] = spots_of(m.type) * n[k] + 1;
    }
    /* a node for each cell at least */
    const double cells = (double)n[0] * n[1] * n[2];
    if (cells > TN_MAX_SOLID_NODES) {
        return TN_ERROR_ARGUMENT;
    }
    const int64_t spots = (int64_t)m.half[0] * m.half[1] * m.half[2];
    const tn_status status = build(&m, spots, (int64_t)cells * parts_of(m.type));
    tn_free(m.number);
    if (status != TN_OK) {
        tn_solid_mesh_free(out);
    }
    return status;
}
