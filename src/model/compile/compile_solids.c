/* compile_solids.c: room model/compile: elements with their gradients, pairs of the matrix, frames of sets of nodes.
 *
 * In: solids of a spec, compiled bodies and joints. Out: model->solids, means and pairs.
 */
#include <string.h>

#include "element/geometry.h"
#include "model/compile/compile.h"
#include "sparse/pair_keys.h"
#include "spec/flexible/surface.h"

static int32_t pairs_of(int32_t nodes)
{
    return nodes * (nodes - 1) / 2;
}

/* nodes ----------------------------------------------------------------------------------------- */

static const double *copy_numbers(tn_model *model, const double *numbers, int64_t count)
{
    double *copy = TN_ARENA_ARRAY(&model->solid_data, double, count);
    if (copy)
        memcpy(copy, numbers, sizeof *copy * (size_t)count);
    return copy;
}

static tn_stiffening copy_stiffening(tn_model *model, const tn_stiffening *from, int64_t n)
{
    const int64_t count = from->count;
    return (tn_stiffening){from->count, copy_numbers(model, from->force, 3 * n * count),
                           copy_numbers(model, from->shape, n * n * count),
                           copy_numbers(model, from->move, 3 * n * count)};
}

/* What a modal solid is reduced to; its pairs come later. */
static tn_status compile_modal(tn_model *model, const tn_solid_entry *entry, tn_model_solid *solid)
{
    const tn_modal_entry *from = entry->modal;
    const int64_t n = from->functions;
    tn_model_modal *modal = TN_ARENA_ARRAY(&model->solid_data, tn_model_modal, 1);
    int32_t *bodies = TN_ARENA_ARRAY(&model->solid_data, int32_t, n);
    tn_vec3 *rest = TN_ARENA_ARRAY(&model->solid_data, tn_vec3, n), center = {0.0, 0.0, 0.0};
    if (!modal || !bodies || !rest)
        return TN_ERROR_MEMORY;
    for (int32_t k = 0; k < n; k++) {
        bodies[k] = entry->places[k].body;
        center = v3_axpy(center, 1.0 / (double)n, from->rest[k]);
    }
    for (int32_t k = 0; k < n; k++)
        rest[k] = v3_sub(from->rest[k], center);
    modal->bodies = bodies;
    modal->shape = copy_numbers(model, from->shape, n * entry->size.nodes);
    modal->data = (tn_reduced){from->functions, rest, copy_numbers(model, from->K, 9 * n * n),
                               from->D ? copy_numbers(model, from->D, 9 * n * n) : NULL,
                               copy_stiffening(model, &from->stiffening, n)};
    solid->modal = modal;
    const tn_stiffening *fields = &modal->data.stiffening;
    const bool all = modal->shape && modal->data.K && (modal->data.D || !from->D) &&
                     fields->force && fields->shape && fields->move;
    return all ? TN_OK : TN_ERROR_MEMORY;
}

static tn_status compile_nodes(tn_model *model, const tn_solid_entry *entry, tn_model_solid *solid)
{
    const int32_t n = entry->size.nodes;
    tn_vec3 *rest = TN_ARENA_ARRAY(&model->solid_data, tn_vec3, n);
    if (!rest)
        return TN_ERROR_MEMORY;
    memcpy(rest, entry->rest, sizeof *rest * (size_t)n);
    solid->rest = rest;
    solid->node_count = n;
    if (entry->modal)
        return compile_modal(model, entry, solid);
    tn_body_point *nodes = TN_ARENA_ARRAY(&model->solid_data, tn_body_point, n);
    if (!nodes)
        return TN_ERROR_MEMORY;
    for (int32_t i = 0; i < n; i++) {
        const tn_solid_place *place = &entry->places[i];
        const tn_vec3 com = place->body >= 0 ? model->bodies[place->body].com : v3(0.0, 0.0, 0.0);
        nodes[i] = (tn_body_point){place->body, v3_sub(place->point, com)};
    }
    solid->nodes = nodes;
    return TN_OK;
}

/* elements -------------------------------------------------------------------------------------- */

static tn_status compile_element(tn_model *model, const tn_shape_basis *basis,
                                 const tn_model_solid *solid, const tn_solid_element *source,
                                 double poisson, tn_model_element *element)
{
    const tn_element_type *type = basis->type;
    const int32_t n = type->nodes, modes = tn_element_modes(type, poisson);
    double *grad = TN_ARENA_ARRAY(&model->solid_data, double, 3 * n * type->points);
    double *weight = TN_ARENA_ARRAY(&model->solid_data, double, type->points);
    double *mode = TN_ARENA_ARRAY(&model->solid_data, double, modes * type->points + 1);
    int32_t *nodes = TN_ARENA_ARRAY(&model->solid_data, int32_t, n);
    tn_vec3 X[TN_ELEMENT_NODES];
    if (!grad || !weight || !mode || !nodes)
        return TN_ERROR_MEMORY;
    for (int32_t i = 0; i < n; i++) {
        nodes[i] = source->nodes[i];
        X[i] = solid->rest[nodes[i]];
    }
    tn_element_integrate(basis, X, modes, weight, grad, mode);
    element->data = (tn_element_data){n, type->points, weight, grad, mode, modes};
    element->nodes = nodes;
    return TN_OK;
}

static tn_status compile_elements(tn_model *model, const tn_solid_entry *entry,
                                  tn_model_solid *solid)
{
    tn_status status = TN_OK;
    tn_shape_basis basis = {0};
    const int32_t count = entry->size.elements;
    tn_solid_element *source = TN_ARENA_ARRAY(&model->solid_data, tn_solid_element, count);
    solid->elements = TN_ARENA_ARRAY(&model->solid_data, tn_model_element, count);
    if (!solid->elements || !source)
        return TN_ERROR_MEMORY;
    memcpy(source, entry->elements, sizeof *source * (size_t)count);
    solid->source = source;
    for (int32_t e = 0; e < count && status == TN_OK; e++) {
        const tn_element_type *type = tn_element_type_of(source[e].kind);
        if (basis.type != type)
            tn_shape_basis_make(type, &basis);
        status =
            compile_element(model, &basis, solid, &source[e],
                            entry->materials[entry->material_of[e]].poisson, &solid->elements[e]);
        solid->elements[e].material = &solid->materials[entry->material_of[e]];
    }
    solid->element_count = count;
    return status;
}

/* pairs ----------------------------------------------------------------------------------------- */

/* Do elements act between these two? Then the key of them, else -1. */
static int64_t pair_between(const tn_model *model, int32_t a, int32_t b)
{
    const bool both =
        a >= 0 && b >= 0 && a != b && model->bodies[a].dim > 0 && model->bodies[b].dim > 0;
    return both ? tn_pair_key(a, b) : -1;
}

/* Of a solid: what acts between several bodies at once, and which bodies these are. */
static int32_t acting_count(const tn_model_solid *solid)
{
    return solid->modal ? 1 : solid->element_count;
}

static int32_t acting_size(const tn_model_solid *solid, int32_t e)
{
    return solid->modal ? solid->modal->data.count : solid->elements[e].data.nodes;
}

static int32_t acting_body(const tn_model_solid *solid, int32_t e, int32_t i)
{
    return tn_solid_body(solid, solid->modal ? i : solid->elements[e].nodes[i]);
}

/* All keys, each as often as elements have it. */
static int64_t list_keys(const tn_model *model, int64_t *keys)
{
    int64_t n = 0;
    for (int32_t s = 0; s < model->solid_count; s++) {
        const tn_model_solid *solid = &model->solids[s];
        for (int32_t e = 0; e < acting_count(solid); e++) {
            for (int32_t j = 0; j < acting_size(solid, e); j++) {
                for (int32_t i = 0; i < j; i++) {
                    const int64_t key =
                        pair_between(model, acting_body(solid, e, i), acting_body(solid, e, j));
                    if (key >= 0 && keys)
                        keys[n] = key;
                    n += key >= 0;
                }
            }
        }
    }
    return n;
}

/* The pair of each two bodies; NULL: no memory. */
static const int32_t *pairs_between(tn_model *model, const tn_model_solid *solid, int32_t e,
                                    const int64_t *keys, int64_t count)
{
    const int32_t n = acting_size(solid, e);
    int32_t *pairs = TN_ARENA_ARRAY(&model->solid_data, int32_t, pairs_of(n)), at = 0;
    for (int32_t j = 0; j < n && pairs; j++) {
        for (int32_t i = 0; i < j; i++) {
            const int64_t key =
                pair_between(model, acting_body(solid, e, i), acting_body(solid, e, j));
            pairs[at++] = key < 0 ? -1 : tn_pair_keys_find(keys, count, key);
        }
    }
    return pairs;
}

static tn_status number_pairs(tn_model *model, const int64_t *keys, int64_t count)
{
    for (int32_t s = 0; s < model->solid_count; s++) {
        tn_model_solid *solid = &model->solids[s];
        for (int32_t e = 0; e < acting_count(solid); e++) {
            const int32_t *pairs = pairs_between(model, solid, e, keys, count);
            if (!pairs)
                return TN_ERROR_MEMORY;
            if (solid->modal)
                solid->modal->pairs = pairs;
            else
                solid->elements[e].pairs = pairs;
        }
    }
    return TN_OK;
}

static tn_status compile_pairs(tn_model *model)
{
    int64_t count = list_keys(model, NULL);
    int64_t *keys = TN_NEW_ARRAY(int64_t, count);
    if (!keys)
        return TN_ERROR_MEMORY;
    list_keys(model, keys);
    count = tn_pair_keys_sort(keys, count);
    tn_status status = TN_ERROR_MEMORY;
    model->pairs = TN_ARENA_ARRAY(&model->solid_data, int32_t, 2 * count);
    if (model->pairs && count < INT32_MAX / 2) {
        model->pair_count = (int32_t)count;
        tn_pair_keys_split(keys, count, model->pairs);
        status = number_pairs(model, keys, count);
    }
    tn_free(keys);
    return status;
}

/* frames of sets -------------------------------------------------------------------------------- */

/* D of its joint is the frame itself, whose axes are those of the world in the beginning. Scales of its rows count all nodes:
 * moving them all as one takes the inverse of their mass, here of each over its weight squared. */
static void set_joint(tn_model *model, const tn_model_mean *mean, tn_model_joint *joint)
{
    const tn_model_body *frame = &model->bodies[joint->a];
    double shift = frame->mass > 0.0 ? 1.0 / frame->mass : 0.0;
    for (int32_t i = 0; i < mean->count; i++)
        shift += mean->weights[i] * mean->weights[i] / model->bodies[mean->bodies[i]].mass;
    joint->geometry.T_DB = xf_identity();
    for (int k = 0; k < 3; k++) {
        joint->row_scale[k] = shift;
        /* the nodes have the moments of the frame, which has at most as much of their mass as they */
        joint->row_scale[3 + k] = 2.0 * frame->inverse_inertia[3 + k];
    }
}

static tn_status compile_mean(tn_model *model, const tn_solid_entry *entry, const tn_mean_set *set)
{
    tn_model_mean *mean = &model->means[model->mean_count];
    int32_t *bodies = TN_ARENA_ARRAY(&model->solid_data, int32_t, set->count);
    double *weights = TN_ARENA_ARRAY(&model->solid_data, double, set->count);
    tn_vec3 *arms = TN_ARENA_ARRAY(&model->solid_data, tn_vec3, set->count);
    if (!bodies || !weights || !arms)
        return TN_ERROR_MEMORY;
    for (int32_t i = 0; i < set->count; i++) {
        bodies[i] = entry->places[entry->list[set->first + i]].body;
        weights[i] = entry->weights[set->first + i];
        arms[i] = entry->arms[set->first + i];
    }
    *mean = (tn_model_mean){bodies, weights, arms, set->count};
    model->joints[set->joint].mean = ++model->mean_count;
    set_joint(model, mean, &model->joints[set->joint]);
    return TN_OK;
}

static tn_status compile_means(tn_model *model, const tn_spec *spec)
{
    int32_t count = 0;
    tn_status status = TN_OK;
    for (int32_t s = 0; s < spec->solid_count; s++)
        count += spec->solids[s].mean_count;
    model->means = TN_ARENA_ARRAY(&model->solid_data, tn_model_mean, count);
    if (!model->means)
        return TN_ERROR_MEMORY;
    for (int32_t s = 0; s < spec->solid_count; s++) {
        for (int32_t k = 0; k < spec->solids[s].mean_count && status == TN_OK; k++)
            status = compile_mean(model, &spec->solids[s], &spec->solids[s].means[k]);
    }
    return status;
}

/* surface --------------------------------------------------------------------------------------- */

/* Nodes around a face, with those in the middle of its edges. */
static int32_t outline_of(const tn_solid_element *element, int32_t number,
                          int32_t around[TN_FACE_NODES])
{
    const tn_element_type *type = tn_element_type_of(element->kind);
    const int8_t *corner = type->face[number];
    const int32_t corners = corner[3] < 0 ? 3 : 4;
    int32_t count = 0;
    for (int32_t k = 0; k < corners; k++) {
        const int32_t middle =
            type->nodes > type->corners
                ? tn_element_edge_node(type, corner[k], corner[(k + 1) % corners])
                : -1;
        around[count++] = element->nodes[corner[k]];
        if (middle >= 0)
            around[count++] = element->nodes[middle];
    }
    return count;
}

/* With nodes in the middle of its edges the corners are cut off first; what is left is a fan. */
static int32_t add_triangles(const tn_solid_element *element, int32_t number, tn_triangle *out)
{
    int32_t around[TN_FACE_NODES], count = outline_of(element, number, around), made = 0;
    if (count > 4) {
        int32_t middles = 0;
        for (int32_t k = 0; k < count; k += 2) {
            out[made++] =
                (tn_triangle){{around[(k + count - 1) % count], around[k], around[k + 1]}};
        }
        for (int32_t k = 1; k < count; k += 2)
            around[middles++] = around[k];
        count = middles;
    }
    for (int32_t k = 2; k < count; k++)
        out[made++] = (tn_triangle){{around[0], around[k - 1], around[k]}};
    return made;
}

static tn_status compile_outline(tn_model *model, tn_model_solid *solid)
{
    tn_solid_face *faces = NULL;
    const int32_t count = tn_solid_outer_faces(solid->source, solid->element_count, &faces);
    if (count < 0)
        return TN_ERROR_MEMORY;
    solid->surface =
        TN_ARENA_ARRAY(&model->solid_data, tn_triangle, TN_FACE_NODES * (int64_t)count);
    for (int32_t f = 0; f < count && solid->surface; f++) {
        solid->surface_count += add_triangles(&solid->source[faces[f].element], faces[f].number,
                                              solid->surface + solid->surface_count);
    }
    tn_free(faces);
    return solid->surface ? TN_OK : TN_ERROR_MEMORY;
}

/* Faces of one kind and number have their shape functions in common. */
typedef tn_face_data *face_table[TN_ELEMENT_KIND_COUNT][TN_ELEMENT_FACES];

static const tn_face_data *data_of(tn_model *model, face_table table, tn_element_kind kind,
                                   int32_t number)
{
    tn_face_data **data = &table[kind][number];
    if (!*data) {
        tn_shape_basis basis;
        *data = TN_ARENA_ARRAY(&model->solid_data, tn_face_data, 1);
        if (!*data)
            return NULL;
        tn_shape_basis_make(tn_element_type_of(kind), &basis);
        tn_face_make(&basis, number, *data);
    }
    return *data;
}

/* Surfaces that loads name. */
static tn_status compile_surfaces(tn_model *model, const tn_solid_entry *entry,
                                  tn_model_solid *solid)
{
    face_table table = {{NULL}};
    tn_model_surface *surfaces =
        TN_ARENA_ARRAY(&model->solid_data, tn_model_surface, entry->surface_count + 1);
    solid->surfaces = surfaces;
    for (int32_t k = 0; k < entry->surface_count && surfaces; k++) {
        const tn_surface_entry *from = &entry->surfaces[k];
        tn_model_face *faces = TN_ARENA_ARRAY(&model->solid_data, tn_model_face, from->count + 1);
        surfaces[k] = (tn_model_surface){faces, from->count};
        for (int32_t f = 0; f < from->count; f++) {
            const tn_solid_face *face = &entry->faces[from->first + f];
            const tn_element_kind kind = entry->elements[face->element].kind;
            const tn_face_data *data = faces ? data_of(model, table, kind, face->number) : NULL;
            if (!data)
                return TN_ERROR_MEMORY;
            faces[f] = (tn_model_face){face->element, data};
        }
    }
    return surfaces ? TN_OK : TN_ERROR_MEMORY;
}

static tn_status mark_nodes(tn_model *model)
{
    model->is_node = TN_ARENA_ARRAY(&model->solid_data, int8_t, model->body_count + 1);
    for (int32_t s = 0; s < model->solid_count && model->is_node; s++) {
        const tn_model_solid *solid = &model->solids[s];
        for (int32_t i = 0; i < tn_solid_body_count(solid); i++) {
            const int32_t body = tn_solid_body(solid, i);
            if (body >= 0 && model->bodies[body].kind == TN_BODY_PARTICLE)
                model->is_node[body] = 1;
        }
    }
    return model->is_node ? TN_OK : TN_ERROR_MEMORY;
}

/* solids ---------------------------------------------------------------------------------------- */

static tn_status compile_solid(tn_model *model, const tn_solid_entry *entry)
{
    tn_model_solid *solid = &model->solids[model->solid_count++];
    solid->name = tn_arena_text(&model->solid_data, entry->name, strlen(entry->name));
    tn_elastic *materials = TN_ARENA_ARRAY(&model->solid_data, tn_elastic, entry->material_count);
    for (int32_t k = 0; k < entry->material_count && materials; k++)
        materials[k] = tn_elastic_of(&entry->materials[k]);
    solid->materials = materials;
    solid->material_count = entry->material_count;
    const tn_status status =
        solid->name && materials ? compile_nodes(model, entry, solid) : TN_ERROR_MEMORY;
    const tn_status elements = status == TN_OK ? compile_elements(model, entry, solid) : status;
    const tn_status outline = elements == TN_OK ? compile_outline(model, solid) : elements;
    return outline == TN_OK ? compile_surfaces(model, entry, solid) : outline;
}

static tn_status refuse_plane(const tn_spec *spec, tn_diagnostics *diags)
{
    tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_CONFLICT, spec->solids[0].at,
                       "leave 'world: planar' out and hold it with planar joints",
                       "'%s': a planar world has no elastic solids", spec->solids[0].name);
    return TN_ERROR_CONFLICT;
}

tn_status tn_model_compile_solids(tn_model *model, const tn_spec *spec, tn_diagnostics *diags)
{
    tn_status status = TN_OK;
    if (spec->solid_count == 0)
        return TN_OK;
    if (model->planar)
        return refuse_plane(spec, diags);
    model->solids = TN_ARENA_ARRAY(&model->solid_data, tn_model_solid, spec->solid_count);
    if (!model->solids)
        return TN_ERROR_MEMORY;
    for (int32_t s = 0; s < spec->solid_count && status == TN_OK; s++)
        status = compile_solid(model, &spec->solids[s]);
    if (status == TN_OK)
        status = mark_nodes(model);
    if (status == TN_OK)
        status = compile_pairs(model);
    return status == TN_OK ? compile_means(model, spec) : status;
}
