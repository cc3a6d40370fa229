/* solid.c: room spec/flexible: an elastic solid as bodies of a description (tenon/solid.h).
 *
 * In: a mesh, a material, holds. Out: a particle for each free node, with the mass of its part of the elements; for each
 * rigid hold a body that has the mass and the moments of inertia of its nodes; for each mean hold a body with half of
 * their mass, and a joint of type solid between it and the frame of the nodes that are left with the other half: then no
 * body is without mass, all masses add up to that of the solid, and its motion as a rigid body has all of its
 * energy. Elements and places of nodes are kept in an entry of the description.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/m3.h"
#include "spec/flexible/solid.h"
#include "spec/pack.h"

/* Room behind a name for "[2147483647]", and around that of a hold for "." and ".ground". */
#define SUFFIX_SIZE 16

tn_solid_def tn_default_solid_def(void)
{
    return (tn_solid_def){.cookie = TN_COOKIE_SOLID,
                          .material = {.law = TN_LAW_LINEAR, .density = 1000.0, .poisson = 0.3}};
}

const char *tn_elastic_law_name(tn_elastic_law law)
{
    static const char *const names[TN_LAW_COUNT] = {"linear", "st_venant", "neo_hookean",
                                                    "mooney_rivlin"};
    return TN_IN(law, TN_LAW_COUNT) ? names[law] : NULL;
}

/* nodes ------------------------------------------------------------------------------------------- */

/* m/s, of a point of the solid as a rigid body. */
static tn_vec3 velocity_at(const tn_solid_def *def, tn_vec3 p)
{
    return v3_add(def->velocity.v, v3_cross(def->velocity.w, p));
}

tn_status tn_solid_add_particle(tn_solid_making *m, int32_t k, tn_vec3 at, double mass)
{
    tn_body_def body = tn_default_body_def();
    tn_body made;
    snprintf(m->name, m->room, "%s[%d]", m->def->name, (int)k);
    body.name = m->name;
    body.kind = TN_BODY_PARTICLE;
    body.pose.p = at;
    body.velocity.v = velocity_at(m->def, at);
    body.mass = mass;
    body.com = v3(0.0, 0.0, 0.0);
    body.at = m->def->at;
    m->places[k] = (tn_solid_place){m->spec->body_count, {0.0, 0.0, 0.0}};
    return tn_spec_add_body(m->spec, &body, &made);
}

static tn_status add_node(tn_solid_making *m, int32_t i, double mass)
{
    return tn_solid_add_particle(m, i, m->def->mesh->nodes[i], mass);
}

static tn_status add_free_nodes(tn_solid_making *m)
{
    tn_status status = TN_OK;
    for (int32_t i = 0; i < m->entry.size.nodes && status == TN_OK; i++) {
        if (m->hold[i] < 0) {
            status = add_node(m, i, m->mass[i]);
            m->entry.size.free_nodes++;
        }
    }
    return status;
}

/* holds ------------------------------------------------------------------------------------------- */

/* Mass, centre, and moments of inertia about that, of nodes of a hold; of this share of their mass. */
static void put_inertia(const tn_solid_making *m, const tn_solid_hold *hold, double share,
                        tn_body_def *body)
{
    const tn_vec3 *X = m->def->mesh->nodes;
    tn_vec3 sum = {0.0, 0.0, 0.0};
    double mass = 0.0;
    for (int32_t i = 0; i < hold->count; i++) {
        mass += m->mass[hold->nodes[i]];
        sum = v3_axpy(sum, m->mass[hold->nodes[i]], X[hold->nodes[i]]);
    }
    body->pose.p = v3_scale(1.0 / mass, sum);
    body->mass = share * mass;
    memset(&body->inertia, 0, sizeof body->inertia);
    for (int32_t i = 0; i < hold->count; i++) {
        double r[3];
        const tn_vec3 arm = v3_sub(X[hold->nodes[i]], body->pose.p);
        v3_store(r, arm);
        for (int k = 0; k < 9; k++) {
            body->inertia.m[k / 3][k % 3] +=
                share * m->mass[hold->nodes[i]] *
                ((k % 4 == 0 ? v3_dot(arm, arm) : 0.0) - r[k / 3] * r[k % 3]);
        }
    }
}

tn_status tn_solid_add_hold_body(tn_solid_making *m, const tn_solid_hold *hold, double share,
                                 tn_body *out)
{
    tn_body_def body = tn_default_body_def();
    snprintf(m->name, m->room, "%s.%s", m->def->name, hold->name);
    body.name = m->name;
    body.com = v3(0.0, 0.0, 0.0);
    body.at = m->def->at;
    put_inertia(m, hold, share, &body);
    body.velocity = (tn_twist){velocity_at(m->def, body.pose.p), m->def->velocity.w};
    return tn_spec_add_body(m->spec, &body, out);
}

static tn_status add_rigid(tn_solid_making *m, const tn_solid_hold *hold)
{
    tn_body body;
    const tn_status status = tn_solid_add_hold_body(m, hold, 1.0, &body);
    for (int32_t i = 0; i < hold->count && status == TN_OK; i++) {
        const tn_vec3 at = m->spec->bodies[body.i].def.pose.p;
        m->places[hold->nodes[i]] =
            (tn_solid_place){body.i, v3_sub(m->def->mesh->nodes[hold->nodes[i]], at)};
    }
    return status;
}

static tn_status add_fixed(tn_solid_making *m, const tn_solid_hold *hold)
{
    for (int32_t i = 0; i < hold->count; i++) {
        m->places[hold->nodes[i]] =
            (tn_solid_place){TN_GROUND_INDEX, m->def->mesh->nodes[hold->nodes[i]]};
    }
    return TN_OK;
}

/* A joint of type solid at the origin of the body of a hold, of the name that is in m->name. */
static tn_status weld(tn_solid_making *m, tn_body body, tn_body to)
{
    tn_joint_def joint = tn_default_joint_def();
    joint.name = m->name;
    joint.type = "solid";
    joint.a = body;
    joint.b = to;
    joint.placement = TN_PLACE_ORIGIN;
    joint.origin = m->spec->bodies[body.i].def.pose.p;
    joint.look.axis_length = 0.0;
    joint.at = m->def->at;
    return tn_spec_add_joint(m->spec, &joint, NULL);
}

tn_status tn_solid_add_mean_joint(tn_solid_making *m, const tn_solid_hold *hold, tn_body body)
{
    const tn_mean_set *set = &m->means[m->entry.mean_count - 1];
    snprintf(m->name, m->room, "%s.%s", m->def->name, hold->name);
    return weld(m, body, (tn_body){.i = m->places[m->list[set->first]].body});
}

tn_status tn_solid_fix_hold_body(tn_solid_making *m, const tn_solid_hold *hold, tn_body body)
{
    snprintf(m->name, m->room, "%s.%s.ground", m->def->name, hold->name);
    return weld(m, body, (tn_body){.i = TN_GROUND_INDEX});
}

/* Weights times the places of the nodes of a set from their mean one. */
static void list_arms(tn_solid_making *m, const tn_mean_set *set)
{
    const tn_vec3 *X = m->def->mesh->nodes;
    const int32_t *nodes = m->list + set->first;
    const double *weights = m->weights + set->first;
    tn_vec3 center = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < set->count; i++)
        center = v3_axpy(center, weights[i], X[nodes[i]]);
    for (int32_t i = 0; i < set->count; i++)
        m->arms[set->first + i] = v3_scale(weights[i], v3_sub(X[nodes[i]], center));
}

static tn_status add_mean(tn_solid_making *m, const tn_solid_hold *hold)
{
    tn_body body;
    tn_status status = tn_solid_add_hold_body(m, hold, TN_MEAN_SHARE, &body);
    double sum = 0.0;
    for (int32_t i = 0; i < hold->count && status == TN_OK; i++) {
        const int32_t node = hold->nodes[i];
        status = add_node(m, node, (1.0 - TN_MEAN_SHARE) * m->mass[node]);
        sum += m->mass[node];
    }
    if (status != TN_OK) {
        return status;
    }
    m->means[m->entry.mean_count++] = (tn_mean_set){m->spec->joint_count, m->listed, hold->count};
    for (int32_t i = 0; i < hold->count; i++) {
        m->list[m->listed] = hold->nodes[i];
        m->weights[m->listed++] = m->mass[hold->nodes[i]] / sum;
    }
    list_arms(m, &m->means[m->entry.mean_count - 1]);
    return tn_solid_add_mean_joint(m, hold, body);
}

static tn_status add_holds(tn_solid_making *m)
{
    static tn_status (*const add[TN_PATCH_KIND_COUNT])(tn_solid_making *, const tn_solid_hold *) = {
        [TN_PATCH_RIGID] = add_rigid, [TN_PATCH_FIXED] = add_fixed, [TN_PATCH_MEAN] = add_mean};
    tn_status status = TN_OK;
    for (int32_t k = 0; k < m->def->hold_count && status == TN_OK; k++) {
        status = add[m->def->holds[k].kind](m, &m->def->holds[k]);
    }
    return status;
}

static tn_status add_nodes(tn_solid_making *m)
{
    const tn_status status = add_free_nodes(m);
    return status == TN_OK ? add_holds(m) : status;
}

/* the entry --------------------------------------------------------------------------------------- */

static void copy_surfaces(tn_pack *pack, tn_solid_entry *e)
{
    int32_t faces = 0;
    for (int32_t k = 0; k < e->surface_count; k++)
        faces += e->surfaces[k].count;
    e->faces = tn_pack_items(pack, e->faces, faces, sizeof *e->faces);
    tn_surface_entry *surfaces =
        (tn_surface_entry *)tn_pack_items(pack, e->surfaces, e->surface_count, sizeof *surfaces);
    for (int32_t k = 0; k < e->surface_count; k++)
        surfaces[k].name = tn_pack_text(pack, surfaces[k].name);
    e->surfaces = surfaces;
}

static void copy_modal(tn_pack *pack, tn_solid_entry *e)
{
    tn_modal_entry *modal = (tn_modal_entry *)tn_pack_items(pack, e->modal, 1, sizeof *modal);
    const int32_t n = modal->functions, size = 9 * n * n;
    modal->shape = tn_pack_items(pack, modal->shape, n * e->size.nodes, sizeof(double));
    modal->rest = tn_pack_items(pack, modal->rest, n, sizeof *modal->rest);
    modal->K = tn_pack_items(pack, modal->K, size, sizeof(double));
    modal->D = tn_pack_items(pack, modal->D, modal->D ? size : 0, sizeof(double));
    modal->frequency = tn_pack_items(pack, modal->frequency, modal->modes, sizeof(double));
    tn_stiffening *fields = &modal->stiffening;
    fields->force = tn_pack_items(pack, fields->force, fields->count * 3 * n, sizeof(double));
    fields->move = tn_pack_items(pack, fields->move, fields->count * 3 * n, sizeof(double));
    fields->shape = tn_pack_items(pack, fields->shape, fields->count * n * n, sizeof(double));
    e->modal = modal;
}

static void copy(tn_pack *pack, tn_solid_entry *e)
{
    e->name = tn_pack_text(pack, e->name);
    e->rest = tn_pack_items(pack, e->rest, e->size.nodes, sizeof *e->rest);
    e->places = tn_pack_items(pack, e->places, e->place_count, sizeof *e->places);
    e->materials = tn_pack_items(pack, e->materials, e->material_count, sizeof *e->materials);
    e->material_of = tn_pack_items(pack, e->material_of, e->size.elements, sizeof *e->material_of);
    e->elements = tn_pack_items(pack, e->elements, e->size.elements, sizeof *e->elements);
    int32_t listed = 0;
    for (int32_t k = 0; k < e->mean_count; k++) {
        listed += e->means[k].count;
    }
    e->list = tn_pack_items(pack, e->list, listed, sizeof *e->list);
    e->weights = tn_pack_items(pack, e->weights, listed, sizeof *e->weights);
    e->arms = tn_pack_items(pack, e->arms, listed, sizeof *e->arms);
    e->means = tn_pack_items(pack, e->means, e->mean_count, sizeof *e->means);
    copy_surfaces(pack, e);
    if (e->modal)
        copy_modal(pack, e);
}

static tn_status keep(tn_solid_making *m)
{
    tn_solid_entry *e = &m->entry;
    tn_pack pack = {0};
    copy(&pack, e);
    if (tn_pack_allocate(&pack) != TN_OK) {
        return TN_ERROR_MEMORY;
    }
    copy(&pack, e);
    e->block = pack.block;
    m->spec->solids[m->spec->solid_count++] = *e;
    return TN_OK;
}

static tn_status make(tn_solid_making *m)
{
    tn_spec *spec = m->spec;
    tn_status status = tn_solid_check(m->def, m->hold, m->material_of, m->diags);
    if (status != TN_OK) {
        return status;
    }
    tn_solid_entry *grown =
        tn_grow(spec->solids, &spec->solid_capacity, spec->solid_count + 1, sizeof *spec->solids);
    if (grown == NULL) {
        return TN_ERROR_MEMORY;
    }
    spec->solids = grown;
    m->entry = (tn_solid_entry){.name = m->def->name,
                                .materials = m->materials,
                                .material_of = m->material_of,
                                .material_count = 1 + m->def->part_count,
                                .rest = m->def->mesh->nodes,
                                .places = m->places,
                                .elements = m->def->mesh->elements,
                                .means = m->means,
                                .place_count = m->def->mesh->node_count,
                                .list = m->list,
                                .weights = m->weights,
                                .arms = m->arms};
    m->entry.surfaces = m->surfaces;
    m->entry.surface_count = m->def->surface_count;
    for (int32_t k = 0; k < m->entry.material_count; k++) {
        m->materials[k] = *tn_solid_material_at(m->def, k);
    }
    tn_solid_weigh(m->def, m->material_of, m->mass, &m->entry.size);
    status = tn_solid_find_surfaces(m->def, m->surfaces, &m->faces);
    m->entry.faces = m->faces;
    if (status != TN_OK) {
        return status;
    }
    status = tn_spec_intern_file(spec, m->def->at.file, &m->entry.at.file);
    m->entry.at.line = m->def->at.line;
    m->entry.at.column = m->def->at.column;
    if (status == TN_OK) {
        status = m->def->modal ? tn_solid_add_modal(m) : add_nodes(m);
    }
    return status == TN_OK ? keep(m) : status;
}

static size_t longest_name(const tn_solid_def *def)
{
    size_t most = SUFFIX_SIZE;
    for (int32_t k = 0; k < def->hold_count; k++) {
        const size_t length = def->holds[k].name ? strlen(def->holds[k].name) + SUFFIX_SIZE : 0;
        most = length > most ? length : most;
    }
    return strlen(def->name) + most;
}

static bool is_usable(const tn_solid_def *def)
{
    const tn_solid_mesh *mesh = def->mesh;
    return def->cookie == TN_COOKIE_SOLID && def->name && def->name[0] != '\0' && mesh &&
           mesh->node_count > 0 && mesh->node_count <= TN_MAX_SOLID_NODES && mesh->nodes &&
           mesh->element_count > 0 && mesh->elements && def->hold_count >= 0 &&
           (def->hold_count == 0 || def->holds) && def->surface_count >= 0 &&
           (def->surface_count == 0 || def->surfaces) && def->part_count >= 0 &&
           (def->part_count == 0 || def->parts);
}

tn_status tn_spec_add_solid(tn_spec *spec, const tn_solid_def *def, tn_diagnostics *diags,
                            tn_solid *out)
{
    TN_DEMAND(spec && def, TN_ERROR_ARGUMENT);
    if (!is_usable(def)) {
        return tn_spec_refuse(spec, __func__);
    }
    const int32_t nodes = def->mesh->node_count;
    /* of a modal solid every hold may list all that it is reduced to */
    const int64_t most = nodes * (def->modal ? 1 + (int64_t)def->hold_count : 1);
    tn_solid_making m = {.spec = spec, .def = def, .diags = diags, .room = longest_name(def)};
    m.mass = TN_NEW_ARRAY(double, nodes);
    m.hold = TN_NEW_ARRAY(int32_t, nodes);
    m.places = TN_NEW_ARRAY(tn_solid_place, nodes);
    m.means = TN_NEW_ARRAY(tn_mean_set, def->hold_count);
    m.surfaces = TN_NEW_ARRAY(tn_surface_entry, def->surface_count);
    m.material_of = TN_NEW_ARRAY(int32_t, def->mesh->element_count);
    m.materials = TN_NEW_ARRAY(tn_solid_material, 1 + (int64_t)def->part_count);
    m.list = TN_NEW_ARRAY(int32_t, most);
    m.weights = TN_NEW_ARRAY(double, most);
    m.arms = TN_NEW_ARRAY(tn_vec3, most);
    m.name = tn_alloc(1, m.room);
    tn_status status = TN_ERROR_MEMORY;
    if (m.mass && m.hold && m.places && m.means && m.surfaces && m.material_of && m.materials &&
        m.list && m.weights && m.arms && m.name) {
        status = make(&m);
    }
    if (status == TN_OK && out) {
        *out = (tn_solid){spec->solid_count - 1};
    }
    void *all[] = {m.mass, m.hold,     m.places, m.means,       m.list,      m.weights,
                   m.name, m.surfaces, m.faces,  m.material_of, m.materials, m.arms};
    tn_arena_free(&m.reduction.arena);
    for (size_t k = 0; k < TN_COUNT_OF(all); k++) {
        tn_free(all[k]);
    }
    return status;
}

/* reading back ------------------------------------------------------------------------------------ */

int32_t tn_spec_solid_count(const tn_spec *spec)
{
    TN_DEMAND(spec, 0);
    return spec->solid_count;
}

const char *tn_spec_solid_name(const tn_spec *spec, tn_solid solid)
{
    TN_DEMAND(spec && TN_IN(solid.i, spec->solid_count), NULL);
    return spec->solids[solid.i].name;
}

tn_status tn_spec_find_surface(const tn_spec *spec, const char *name, tn_solid *solid,
                               int32_t *surface)
{
    TN_DEMAND(spec && name && solid && surface, TN_ERROR_ARGUMENT);
    for (int32_t s = 0; s < spec->solid_count; s++) {
        const tn_solid_entry *e = &spec->solids[s];
        const size_t length = strlen(e->name);
        for (int32_t k = 0;
             k < e->surface_count && strncmp(name, e->name, length) == 0 && name[length] == '.';
             k++) {
            if (strcmp(name + length + 1, e->surfaces[k].name) == 0) {
                *solid = (tn_solid){s};
                *surface = k;
                return TN_OK;
            }
        }
    }
    return TN_ERROR_NOT_FOUND;
}

tn_solid_size tn_spec_solid_size(const tn_spec *spec, tn_solid solid)
{
    TN_DEMAND(spec && TN_IN(solid.i, spec->solid_count), (tn_solid_size){0});
    return spec->solids[solid.i].size;
}

double tn_spec_solid_frequency(const tn_spec *spec, tn_solid solid, int32_t k)
{
    TN_DEMAND(spec && TN_IN(solid.i, spec->solid_count), (double)NAN);
    const tn_modal_entry *modal = spec->solids[solid.i].modal;
    return modal && TN_IN(k, modal->modes) ? modal->frequency[k] : (double)NAN;
}

tn_status tn_spec_solid_node(const tn_spec *spec, tn_solid solid, int32_t node, tn_body *body,
                             tn_vec3 *point)
{
    TN_DEMAND(spec && TN_IN(solid.i, spec->solid_count), TN_ERROR_ARGUMENT);
    const tn_solid_entry *e = &spec->solids[solid.i];
    if (!TN_IN(node, e->size.nodes) || !body || !point) {
        return TN_ERROR_ARGUMENT;
    }
    if (e->modal) {
        return TN_ERROR_UNSUPPORTED;
    }
    *body = (tn_body){.i = e->places[node].body};
    *point = e->places[node].point;
    return TN_OK;
}
