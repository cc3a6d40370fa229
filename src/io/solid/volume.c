/* volume.c: room io/solid: from what a file says to a mesh (volume.h). */
#include "io/solid/volume.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "io/text/file.h"
#include "tenon/limits.h"

/* Problems of one file that are reported. */
#define TN_MOST_PROBLEMS 20

tn_status tn_volume_refuse(tn_volume *v, tn_location at, const char *what)
{
    if (v->problems++ < TN_MOST_PROBLEMS) {
        tn_diagnostics_add(v->diags, TN_ERROR, TN_ERROR_INPUT, at, NULL, "%s", what);
    }
    return TN_ERROR_INPUT;
}

/* Members of all sets of a file: some for each of the most nodes. Ranges of a few letters could else fill the memory. */
#define TN_MOST_MEMBERS (64 * TN_MAX_SOLID_NODES)

/* lists ------------------------------------------------------------------------------------------ */

tn_status tn_volume_add_node(tn_volume *v, int64_t tag, tn_vec3 p)
{
    tn_volume_node *grown =
        tn_grow(v->nodes, &v->node_capacity, v->node_count + 1, sizeof *v->nodes);
    if (grown == NULL) {
        return TN_ERROR_MEMORY;
    }
    v->nodes = grown;
    v->nodes[v->node_count++] = (tn_volume_node){tag, p};
    return TN_OK;
}

tn_status tn_volume_add_element(tn_volume *v, const tn_volume_element *element)
{
    tn_volume_element *grown =
        tn_grow(v->elements, &v->element_capacity, v->element_count + 1, sizeof *v->elements);
    if (grown == NULL) {
        return TN_ERROR_MEMORY;
    }
    v->elements = grown;
    v->elements[v->element_count++] = *element;
    return TN_OK;
}

tn_status tn_volume_add_member(tn_volume *v, tn_volume_member member)
{
    if (v->member_count >= TN_MOST_MEMBERS) {
        return tn_volume_refuse(v, (tn_location){v->name, 0, 0},
                                "the sets of the file have too many members");
    }
    tn_volume_member *grown =
        tn_grow(v->members, &v->member_capacity, v->member_count + 1, sizeof *v->members);
    if (grown == NULL) {
        return TN_ERROR_MEMORY;
    }
    v->members = grown;
    v->members[v->member_count++] = member;
    return TN_OK;
}

int32_t tn_volume_set(tn_volume *v, const char *name, size_t length)
{
    const int32_t known = tn_names_find(&v->sets, name, length);
    if (known != TN_NO_NAME) {
        return known;
    }
    return tn_names_add(&v->sets, name, length, v->sets.count) == TN_OK ? v->sets.count - 1 : -1;
}

/* numbers ---------------------------------------------------------------------------------------- */

bool tn_volume_real(tn_volume *v, tn_mesh_text *text, double *value)
{
    tn_mesh_word word;
    if (!tn_mesh_text_next_word(text, &word)) {
        tn_volume_refuse(v, tn_mesh_text_place(text), "the file ends where a number is expected");
        return false;
    }
    if (!tn_mesh_word_real(&word, value) || !isfinite(*value)) {
        tn_volume_refuse(v, word.place, "this is no number");
        return false;
    }
    return true;
}

/* Whole numbers that a double holds. */
#define TN_LARGEST_TAG 9007199254740992.0

bool tn_volume_integer(tn_volume *v, tn_mesh_text *text, int64_t *value)
{
    double real = 0.0;
    if (!tn_volume_real(v, text, &real)) {
        return false;
    }
    if (real != floor(real) || fabs(real) > TN_LARGEST_TAG) {
        tn_volume_refuse(v, tn_mesh_text_place(text), "this is no whole number");
        return false;
    }
    *value = (int64_t)real;
    return true;
}

bool tn_volume_point(tn_volume *v, tn_mesh_text *text, tn_vec3 *p)
{
    return tn_volume_real(v, text, &p->x) && tn_volume_real(v, text, &p->y) &&
           tn_volume_real(v, text, &p->z);
}

/* from tags to a mesh ---------------------------------------------------------------------------- */

/* Nodes of a file sorted by their tags. */
typedef struct ranked {
    int64_t tag;
    int32_t node;   /* in the order of the file */
    int32_t number; /* in the mesh; -1: no element has it */
} ranked;

static int compare(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return x->tag < y->tag ? -1 : x->tag > y->tag ? 1 : x->node - y->node;
}

static ranked *find(ranked *list, int32_t count, int64_t tag)
{
    int32_t low = 0, high = count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (list[middle].tag < tag) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && list[low].tag == tag ? &list[low] : NULL;
}

static ranked *rank(tn_volume *v)
{
    ranked *list = TN_NEW_ARRAY(ranked, v->node_count);
    for (int32_t i = 0; i < v->node_count && list != NULL; i++) {
        list[i] = (ranked){v->nodes[i].tag, i, -1};
    }
    if (list != NULL) {
        qsort(list, (size_t)v->node_count, sizeof *list, compare);
    }
    for (int32_t i = 1; i < v->node_count && list != NULL; i++) {
        if (list[i].tag == list[i - 1].tag) {
            tn_volume_refuse(v, (tn_location){v->name, 0, 0}, "two nodes have the same number");
        }
    }
    return list;
}

/* Marks the nodes that elements have. */
static void mark_nodes(tn_volume *v, ranked *list)
{
    for (int32_t e = 0; e < v->element_count; e++) {
        const tn_volume_element *element = &v->elements[e];
        for (int32_t i = 0; i < tn_element_kind_nodes(element->kind); i++) {
            ranked *node = find(list, v->node_count, element->nodes[i]);
            if (node == NULL) {
                tn_volume_refuse(v, (tn_location){v->name, element->line, 0},
                                 "the element has a node that is not in the file");
                break;
            }
            node->number = 0;
        }
    }
}

/* Numbers them in the order of the file. */
static tn_status number_nodes(tn_volume *v, ranked *list, double scale, tn_solid_mesh *out)
{
    int32_t *place = TN_NEW_ARRAY(int32_t, v->node_count);
    int32_t count = 0;
    for (int32_t i = 0; i < v->node_count && place != NULL; i++) {
        place[list[i].node] = list[i].number < 0 ? 0 : 1 + i;
        count += list[i].number >= 0;
    }
    out->nodes = place != NULL ? TN_ARENA_ARRAY(out->block, tn_vec3, count) : NULL;
    for (int32_t i = 0; i < v->node_count && out->nodes != NULL; i++) {
        if (place[i] > 0) {
            const tn_vec3 p = v->nodes[i].p;
            list[place[i] - 1].number = out->node_count;
            out->nodes[out->node_count++] = (tn_vec3){scale * p.x, scale * p.y, scale * p.z};
        }
    }
    tn_free(place);
    return out->nodes != NULL ? TN_OK : TN_ERROR_MEMORY;
}

static tn_status put_elements(tn_volume *v, ranked *list, tn_solid_mesh *out)
{
    out->elements = TN_ARENA_ARRAY(out->block, tn_solid_element, v->element_count);
    for (int32_t e = 0; e < v->element_count && out->elements != NULL; e++) {
        const tn_volume_element *element = &v->elements[e];
        tn_solid_element *to = &out->elements[out->element_count++];
        to->kind = element->kind;
        to->line = element->line;
        for (int32_t i = 0; i < tn_element_kind_nodes(element->kind); i++) {
            to->nodes[i] = find(list, v->node_count, element->nodes[i])->number;
        }
    }
    return out->elements != NULL ? TN_OK : TN_ERROR_MEMORY;
}

/* Which nodes and elements of a mesh a set has. */
typedef struct membership {
    bool *nodes, *elements;
} membership;

static void mark_members(const tn_volume *v, ranked *list, int32_t set, const tn_solid_mesh *out,
                         membership *in)
{
    memset(in->nodes, 0, sizeof *in->nodes * (size_t)out->node_count);
    memset(in->elements, 0, sizeof *in->elements * (size_t)out->element_count);
    for (int32_t i = 0; i < v->member_count; i++) {
        const tn_volume_member *member = &v->members[i];
        if (member->set != set) {
            continue;
        }
        if (member->is_element) {
            const tn_solid_element *element = &out->elements[member->of];
            in->elements[member->of] = true;
            for (int32_t k = 0; k < tn_element_kind_nodes(element->kind); k++) {
                in->nodes[element->nodes[k]] = true;
            }
            continue;
        }
        const ranked *node = find(list, v->node_count, member->of);
        if (node != NULL && node->number >= 0) {
            in->nodes[node->number] = true;
        }
    }
}

/* The numbers that are marked; NULL: no memory. */
static const int32_t *list_marked(const bool *in, int32_t of, tn_solid_mesh *out, int32_t *count)
{
    *count = 0;
    for (int32_t i = 0; i < of; i++) {
        *count += in[i];
    }
    int32_t *numbers = TN_ARENA_ARRAY(out->block, int32_t, *count + 1), at = 0;
    for (int32_t i = 0; i < of && numbers != NULL; i++) {
        if (in[i]) {
            numbers[at++] = i;
        }
    }
    return numbers;
}

/* The nodes of a set that elements have, and its elements, each once, in the order of their numbers. */
static tn_status put_set(const tn_volume *v, ranked *list, int32_t number, membership *in,
                         tn_solid_mesh *out)
{
    const tn_name_entry *entry = &v->sets.entries[number];
    tn_node_set *set = &out->sets[out->set_count++];
    mark_members(v, list, number, out, in);
    set->name = tn_arena_text(out->block, entry->text, entry->length);
    set->nodes = list_marked(in->nodes, out->node_count, out, &set->count);
    set->elements = list_marked(in->elements, out->element_count, out, &set->element_count);
    return set->name && set->nodes && set->elements ? TN_OK : TN_ERROR_MEMORY;
}

static tn_status put_sets(const tn_volume *v, ranked *list, tn_solid_mesh *out)
{
    membership in = {TN_NEW_ARRAY(bool, out->node_count), TN_NEW_ARRAY(bool, out->element_count)};
    out->sets = TN_ARENA_ARRAY(out->block, tn_node_set, v->sets.count);
    tn_status status = in.nodes && in.elements && out->sets ? TN_OK : TN_ERROR_MEMORY;
    for (int32_t s = 0; s < v->sets.count && status == TN_OK; s++) {
        status = put_set(v, list, s, &in, out);
    }
    tn_free(in.nodes);
    tn_free(in.elements);
    return status;
}

static tn_status finish(tn_volume *v, double scale, tn_solid_mesh *out)
{
    if (v->element_count == 0 || v->node_count == 0) {
        return tn_volume_refuse(v, (tn_location){v->name, 0, 0},
                                "there are no solid elements in the file");
    }
    out->block = TN_NEW(tn_arena);
    ranked *list = rank(v);
    tn_status status = out->block != NULL && list != NULL ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK) {
        mark_nodes(v, list);
        status = v->problems == 0 ? number_nodes(v, list, scale, out) : TN_ERROR_INPUT;
    }
    if (status == TN_OK) {
        status = put_elements(v, list, out);
    }
    if (status == TN_OK) {
        status = put_sets(v, list, out);
    }
    if (status == TN_OK) {
        out->file = tn_arena_text(out->block, v->name, strlen(v->name));
        status = out->file != NULL ? TN_OK : TN_ERROR_MEMORY;
    }
    tn_free(list);
    return status;
}

/* formats ---------------------------------------------------------------------------------------- */

typedef struct volume_format {
    const char *ending;
    tn_status (*read)(tn_volume *v, tn_mesh_text *text);
} volume_format;

static const volume_format formats[] = {{".msh", tn_volume_read_gmsh},
                                        {".inp", tn_volume_read_abaqus},
                                        {".vtk", tn_volume_read_vtk},
                                        {".vtu", tn_volume_read_vtu}};

static const volume_format *format_of(const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < TN_COUNT_OF(formats); i++) {
        const size_t ending = strlen(formats[i].ending);
        if (length > ending && strcmp(name + length - ending, formats[i].ending) == 0) {
            return &formats[i];
        }
    }
    return NULL;
}

tn_status tn_solid_mesh_parse(const char *name, const void *bytes, size_t size, double scale,
                              tn_diagnostics *diags, tn_solid_mesh *out)
{
    TN_DEMAND(name && bytes && out, TN_ERROR_ARGUMENT);
    const volume_format *format = format_of(name);
    tn_volume v = {.name = name, .diags = diags};
    *out = (tn_solid_mesh){0};
    if (format == NULL) {
        return tn_volume_refuse(&v, (tn_location){name, 0, 0},
                                "meshes of solids are read from .msh, .inp, .vtk and .vtu files");
    }
    tn_mesh_text text = tn_mesh_text_open(name, bytes, size);
    tn_status status = format->read(&v, &text);
    status = status == TN_OK && v.problems > 0 ? TN_ERROR_INPUT : status;
    if (status == TN_OK) {
        status = finish(&v, scale, out);
    }
    if (status != TN_OK) {
        tn_solid_mesh_free(out);
    }
    tn_free(v.nodes);
    tn_free(v.elements);
    tn_free(v.members);
    tn_names_free(&v.sets);
    return status;
}

tn_status tn_solid_mesh_read(const char *path, double scale, tn_diagnostics *diags,
                             tn_solid_mesh *out)
{
    char *bytes = NULL;
    size_t length = 0;
    TN_DEMAND(path && out, TN_ERROR_ARGUMENT);
    *out = (tn_solid_mesh){0};
    tn_status status = tn_file_read(path, TN_MESH_MAX_BYTES, diags, &bytes, &length);
    if (status == TN_OK) {
        status = tn_solid_mesh_parse(path, bytes, length, scale, diags, out);
    }
    tn_free(bytes);
    return status;
}
