/* gmsh.c: room io/solid: Gmsh's MSH files, versions 2.2 and 4.1, ASCII (Gmsh reference manual, 9.1 and 9.2.1).
 *
 * Physical groups are sets: of points, lines, surfaces and volumes, the nodes of their elements. A group without a name
 * has its number as name. Elements of less than three dimensions only belong to sets.
 */
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "io/solid/volume.h"

/* Nodes of elements that only belong to sets: by the number of their type. */
static const struct {
    int8_t type, nodes;
} flat_types[] = {{15, 1}, {1, 2}, {8, 3}, {26, 4}, {2, 3}, {9, 6}, {3, 4}, {10, 9}, {16, 8}};

/* The physical group of an entity, of a dimension. */
typedef struct entity {
    int32_t dimension;
    int64_t tag, group;
} entity;

typedef struct gmsh {
    tn_volume *v;
    tn_mesh_text *text;
    entity *entities; /* of version 4 */
    int32_t count, capacity;
    double version;
    /* sets by dimension and number: sets of names that stand for groups */
    struct group {
        int64_t dimension, number;
        int32_t set;
    } * groups;
    int32_t group_count, group_capacity;
} gmsh;

static tn_status refuse(gmsh *g, const char *what)
{
    return tn_volume_refuse(g->v, tn_mesh_text_place(g->text), what);
}

static bool integers(gmsh *g, int64_t *values, int count)
{
    bool good = true;
    for (int i = 0; i < count && good; i++) {
        good = tn_volume_integer(g->v, g->text, &values[i]);
    }
    return good;
}

/* groups ----------------------------------------------------------------------------------------- */

static tn_status add_group(gmsh *g, int64_t dimension, int64_t number, const char *name,
                           size_t length)
{
    struct group *grown =
        tn_grow(g->groups, &g->group_capacity, g->group_count + 1, sizeof *g->groups);
    if (grown == NULL) {
        return TN_ERROR_MEMORY;
    }
    g->groups = grown;
    const int32_t set = tn_volume_set(g->v, name, length);
    g->groups[g->group_count++] = (struct group){dimension, number, set};
    return set >= 0 ? TN_OK : TN_ERROR_MEMORY;
}

/* The set of a group; -1: out of memory. */
static int32_t set_of(gmsh *g, int64_t dimension, int64_t number)
{
    char text[24];
    for (int32_t i = 0; i < g->group_count; i++) {
        if (g->groups[i].dimension == dimension && g->groups[i].number == number) {
            return g->groups[i].set;
        }
    }
    snprintf(text, sizeof text, "%lld", (long long)number);
    return add_group(g, dimension, number, text, strlen(text)) == TN_OK
               ? g->groups[g->group_count - 1].set
               : -1;
}

/* The rest of the line is a name in quotes. */
static tn_status read_name(gmsh *g, int64_t dimension, int64_t number)
{
    const char *line_end = g->text->at, *start, *end;
    while (line_end < g->text->end && *line_end != '\n') {
        line_end++;
    }
    start = memchr(g->text->at, '"', (size_t)(line_end - g->text->at));
    end = start != NULL ? memchr(start + 1, '"', (size_t)(line_end - start - 1)) : NULL;
    if (end == NULL || end == start + 1 || memchr(start, '\0', (size_t)(end - start)) != NULL) {
        return refuse(g, "a physical group has no name in quotes, or one with a zero byte");
    }
    const tn_status status = add_group(g, dimension, number, start + 1, (size_t)(end - start - 1));
    tn_mesh_text_next_line(g->text);
    return status;
}

static tn_status read_names(gmsh *g)
{
    int64_t count = 0, at[2];
    tn_status status = tn_volume_integer(g->v, g->text, &count) ? TN_OK : TN_ERROR_INPUT;
    for (int64_t i = 0; i < count && status == TN_OK; i++) {
        status = integers(g, at, 2) ? read_name(g, at[0], at[1]) : TN_ERROR_INPUT;
    }
    return status;
}

/* elements --------------------------------------------------------------------------------------- */

/* A solid type of this number; TN_ELEMENT_KIND_COUNT: none. */
static tn_element_kind solid_kind(int64_t type)
{
    int kind = 0;
    while (kind < TN_ELEMENT_KIND_COUNT &&
           tn_element_type_of((tn_element_kind)kind)->gmsh != type) {
        kind++;
    }
    return (tn_element_kind)kind;
}

static int32_t flat_nodes(int64_t type)
{
    for (size_t i = 0; i < TN_COUNT_OF(flat_types); i++) {
        if (flat_types[i].type == type) {
            return flat_types[i].nodes;
        }
    }
    return 0;
}

static tn_status add_solid(gmsh *g, tn_element_kind kind, const int64_t *nodes, int64_t tag,
                           int32_t line)
{
    const tn_element_type *type = tn_element_type_of(kind);
    tn_volume_element element = {.tag = tag, .kind = kind, .line = line};
    for (int32_t i = 0; i < type->nodes; i++) {
        element.nodes[i] = nodes[type->gmsh_order != NULL ? type->gmsh_order[i] : i];
    }
    return tn_volume_add_element(g->v, &element);
}

/* The nodes of one element, behind its head. group 0: none. */
static tn_status read_element(gmsh *g, int64_t tag, int64_t type, const int32_t *sets,
                              int32_t set_count)
{
    int64_t nodes[TN_ELEMENT_NODES];
    const int32_t line = g->text->line;
    const tn_element_kind kind = solid_kind(type);
    const int32_t count =
        kind < TN_ELEMENT_KIND_COUNT ? tn_element_kind_nodes(kind) : flat_nodes(type);
    if (count == 0) {
        return refuse(
            g,
            "elements of this type are not supported: tetrahedra of 4 and 10 nodes, hexahedra of "
            "8, 20 and 27, wedges of 6 and 15");
    }
    if (!integers(g, nodes, count)) {
        return TN_ERROR_INPUT;
    }
    const bool solid = kind < TN_ELEMENT_KIND_COUNT;
    tn_status status = solid ? add_solid(g, kind, nodes, tag, line) : TN_OK;
    for (int32_t s = 0; s < set_count && status == TN_OK; s++) {
        status = sets[s] < 0 ? TN_ERROR_MEMORY : TN_OK;
        for (int32_t i = 0; i < (solid ? 1 : count) && status == TN_OK; i++) {
            const int64_t of = solid ? g->v->element_count - 1 : nodes[i];
            status = tn_volume_add_member(g->v, (tn_volume_member){sets[s], solid, of});
        }
    }
    return status;
}

static int64_t dimension_of(int64_t type)
{
    return solid_kind(type) < TN_ELEMENT_KIND_COUNT ? 3
           : type == 15                             ? 0
           : type == 1 || type == 8 || type == 26   ? 1
                                                    : 2;
}

/* Version 2: number, type, how many tags, tags, of which the first is the physical group. */
static tn_status read_elements_2(gmsh *g)
{
    int64_t count = 0;
    tn_status status = tn_volume_integer(g->v, g->text, &count) ? TN_OK : TN_ERROR_INPUT;
    for (int64_t i = 0; i < count && status == TN_OK; i++) {
        int64_t head[3], tag = 0, group = 0;
        status = integers(g, head, 3) ? TN_OK : TN_ERROR_INPUT;
        for (int64_t k = 0; k < head[2] && status == TN_OK; k++) {
            status = tn_volume_integer(g->v, g->text, &tag) ? TN_OK : TN_ERROR_INPUT;
            group = k == 0 ? tag : group;
        }
        if (status == TN_OK) {
            const int32_t set = group > 0 ? set_of(g, dimension_of(head[1]), group) : -1;
            status = read_element(g, head[0], head[1], &set, group > 0);
        }
    }
    return status;
}

/* Most groups of one entity that are read. */
#define TN_MOST_GROUPS 16

static int32_t sets_of_entity(gmsh *g, int64_t dimension, int64_t tag, int32_t sets[TN_MOST_GROUPS])
{
    int32_t count = 0;
    for (int32_t i = 0; i < g->count && count < TN_MOST_GROUPS; i++) {
        if (g->entities[i].dimension == dimension && g->entities[i].tag == tag) {
            sets[count++] = set_of(g, dimension, g->entities[i].group);
        }
    }
    return count;
}

/* Version 4: blocks of elements of one entity. */
static tn_status read_elements_4(gmsh *g)
{
    int64_t head[4], block[4], tag = 0;
    tn_status status = integers(g, head, 4) ? TN_OK : TN_ERROR_INPUT;
    for (int64_t b = 0; b < head[0] && status == TN_OK; b++) {
        int32_t sets[TN_MOST_GROUPS];
        status = integers(g, block, 4) ? TN_OK : TN_ERROR_INPUT;
        const int32_t of = status == TN_OK ? sets_of_entity(g, block[0], block[1], sets) : 0;
        for (int64_t i = 0; i < block[3] && status == TN_OK; i++) {
            status = tn_volume_integer(g->v, g->text, &tag)
                         ? read_element(g, tag, block[2], sets, of)
                         : TN_ERROR_INPUT;
        }
    }
    return status;
}

/* nodes ------------------------------------------------------------------------------------------ */

static tn_status read_nodes_2(gmsh *g)
{
    int64_t count = 0, tag = 0;
    tn_status status = tn_volume_integer(g->v, g->text, &count) ? TN_OK : TN_ERROR_INPUT;
    for (int64_t i = 0; i < count && status == TN_OK; i++) {
        tn_vec3 p;
        status = tn_volume_integer(g->v, g->text, &tag) && tn_volume_point(g->v, g->text, &p)
                     ? tn_volume_add_node(g->v, tag, p)
                     : TN_ERROR_INPUT;
    }
    return status;
}

/* Numbers of a block, then its places, with up to three parameters each. */
static tn_status read_node_block(gmsh *g)
{
    int64_t head[4], tag = 0; /* dimension, entity, parametric, count */
    const int32_t first = g->v->node_count;
    tn_status status = integers(g, head, 4) ? TN_OK : TN_ERROR_INPUT;
    for (int64_t i = 0; i < head[3] && status == TN_OK; i++) {
        status = tn_volume_integer(g->v, g->text, &tag)
                     ? tn_volume_add_node(g->v, tag, (tn_vec3){0.0, 0.0, 0.0})
                     : TN_ERROR_INPUT;
    }
    for (int32_t i = first; i < g->v->node_count && status == TN_OK; i++) {
        double parameter = 0.0;
        bool good = tn_volume_point(g->v, g->text, &g->v->nodes[i].p);
        for (int64_t k = 0; good && head[2] != 0 && k < head[0]; k++) {
            good = tn_volume_real(g->v, g->text, &parameter);
        }
        status = good ? TN_OK : TN_ERROR_INPUT;
    }
    return status;
}

static tn_status read_nodes_4(gmsh *g)
{
    int64_t head[4];
    tn_status status = integers(g, head, 4) ? TN_OK : TN_ERROR_INPUT;
    for (int64_t b = 0; b < head[0] && status == TN_OK; b++) {
        status = read_node_block(g);
    }
    return status;
}

/* entities --------------------------------------------------------------------------------------- */

static tn_status add_entity(gmsh *g, int32_t dimension, int64_t tag, int64_t group)
{
    entity *grown = tn_grow(g->entities, &g->capacity, g->count + 1, sizeof *g->entities);
    if (grown == NULL) {
        return TN_ERROR_MEMORY;
    }
    g->entities = grown;
    g->entities[g->count++] = (entity){dimension, tag, group < 0 ? -group : group};
    return TN_OK;
}

/* Number, box (of points: place), groups, and of what it is bounded by. */
static tn_status read_entity(gmsh *g, int32_t dimension)
{
    int64_t tag = 0, count = 0, group = 0;
    double box = 0.0;
    bool good = tn_volume_integer(g->v, g->text, &tag);
    for (int k = 0; good && k < (dimension == 0 ? 3 : 6); k++) {
        good = tn_volume_real(g->v, g->text, &box);
    }
    good = good && tn_volume_integer(g->v, g->text, &count);
    tn_status status = good ? TN_OK : TN_ERROR_INPUT;
    for (int64_t k = 0; k < count && status == TN_OK; k++) {
        status = tn_volume_integer(g->v, g->text, &group) ? add_entity(g, dimension, tag, group)
                                                          : TN_ERROR_INPUT;
    }
    if (dimension == 0 || status != TN_OK) {
        return status;
    }
    good = tn_volume_integer(g->v, g->text, &count);
    for (int64_t k = 0; good && k < count; k++) {
        good = tn_volume_integer(g->v, g->text, &group);
    }
    return good ? TN_OK : TN_ERROR_INPUT;
}

static tn_status read_entities(gmsh *g)
{
    int64_t counts[4];
    tn_status status = integers(g, counts, 4) ? TN_OK : TN_ERROR_INPUT;
    for (int32_t dimension = 0; dimension < 4; dimension++) {
        for (int64_t i = 0; i < counts[dimension] && status == TN_OK; i++) {
            status = read_entity(g, dimension);
        }
    }
    return status;
}

/* the file --------------------------------------------------------------------------------------- */

static tn_status read_format(gmsh *g)
{
    int64_t binary = 0, size = 0;
    if (!tn_volume_real(g->v, g->text, &g->version) || !tn_volume_integer(g->v, g->text, &binary) ||
        !tn_volume_integer(g->v, g->text, &size)) {
        return TN_ERROR_INPUT;
    }
    if (binary != 0) {
        return refuse(g, "the file is binary: save it as ASCII");
    }
    const bool known = (g->version >= 2.0 && g->version < 3.0) || g->version == 4.1;
    return known ? TN_OK : refuse(g, "MSH files of version 2.2 and 4.1 are read, not of this one");
}

static bool is(const tn_mesh_word *word, const char *name)
{
    return word->length == strlen(name) && memcmp(word->text, name, word->length) == 0;
}

static tn_status read_section(gmsh *g, const tn_mesh_word *word)
{
    const bool four = g->version > 4.0;
    if (is(word, "$MeshFormat")) {
        return read_format(g);
    }
    if (word->text[0] == '$' && g->version == 0.0) {
        return refuse(g, "the file does not begin with $MeshFormat");
    }
    if (is(word, "$PhysicalNames")) {
        return read_names(g);
    }
    if (is(word, "$Entities") && four) {
        return read_entities(g);
    }
    if (is(word, "$Nodes")) {
        return four ? read_nodes_4(g) : read_nodes_2(g);
    }
    if (is(word, "$Elements")) {
        return four ? read_elements_4(g) : read_elements_2(g);
    }
    return TN_OK; /* the end of a section, or one of which nothing is needed */
}

tn_status tn_volume_read_gmsh(tn_volume *v, tn_mesh_text *text)
{
    gmsh g = {.v = v, .text = text};
    tn_mesh_word word;
    tn_status status = TN_OK;
    while (status == TN_OK && tn_mesh_text_next_word(text, &word)) {
        status = read_section(&g, &word);
    }
    if (status == TN_OK && g.version == 0.0) {
        status = refuse(&g, "this is no MSH file of Gmsh: it has no $MeshFormat");
    }
    tn_free(g.entities);
    tn_free(g.groups);
    return status;
}
