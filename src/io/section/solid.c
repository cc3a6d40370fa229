/* solid.c: elastic solids: from an entry of flexible bodies to bodies of the spec.
 *
 * Room io/section. A mesh is read from its file, or made; the nodes of holds are found by names of sets and by place. In
 * place of a solid with problems its holds are bodies that do nothing, so that their names are known.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/field/flexible_io.h"
#include "io/reader/frame.h"
#include "io/section/sections.h"
#include "io/value/beside.h"
#include "tenon/io.h"
#include "tenon/limits.h"

/* Room for a name of a solid and one of its holds. */
#define TN_NAME_SIZE 320

/* The node of a key of the solid's own mapping, or that of the solid. */
static int32_t node_of(const tn_reader *reader, int32_t value, const char *name)
{
    const int32_t solid = tn_find_key(reader, value, "solid");
    const int32_t mapping = tn_get(reader, solid)->next;
    const int32_t key = tn_find_key(reader, mapping, name);
    return key != TN_NO_NODE ? tn_get(reader, key)->next : mapping;
}

/* meshes ------------------------------------------------------------------------------------------- */

static tn_status load_mesh(tn_reader *reader, int32_t node, const tn_solid_form *form,
                           tn_solid_mesh *mesh)
{
    const char *path = NULL, *why = NULL;
    char *bytes = NULL;
    size_t length = 0;
    const double scale = isnan(form->scale) ? 1.0 : form->scale;
    tn_status status =
        tn_read_beside(reader, node, form->mesh, TN_MESH_MAX_BYTES, &path, &why, &bytes, &length);
    if (status == TN_OK) {
        status = tn_solid_mesh_parse(path, bytes, length, scale, reader->found, mesh);
    }
    tn_free(bytes);
    if (status != TN_OK && status != TN_ERROR_MEMORY) {
        tn_problem(reader, node, NULL, "the mesh '%.200s' cannot be used: %s", form->mesh,
                   why != NULL ? why : tn_status_text(status));
    }
    return status;
}

static tn_status make_grid(tn_reader *reader, int32_t node, const tn_solid_form *form,
                           tn_solid_mesh *mesh)
{
    const tn_solid_grid grid = {form->grid.size,
                                {form->grid.cells[0], form->grid.cells[1], form->grid.cells[2]},
                                (tn_element_kind)form->grid.element};
    const tn_status status = tn_solid_mesh_grid(&grid, mesh);
    if (status == TN_ERROR_ARGUMENT) {
        tn_problem(reader, node, NULL,
                   "the sides must be positive, and the nodes at most %d: choose fewer cells",
                   TN_MAX_SOLID_NODES);
    } else if (!isnan(form->scale)) {
        tn_problem(reader, node, NULL, "'scale' is for the file of a mesh: a grid has its size");
    }
    return status;
}

/* Into the world, through the instance of a part that it stands in. */
static void place_mesh(tn_reader *reader, const tn_solid_form *form, tn_solid_mesh *mesh)
{
    for (int32_t i = 0; i < mesh->node_count; i++) {
        mesh->nodes[i] =
            tn_frame_point(reader, tn_pose_transform_point(form->pose, mesh->nodes[i]));
    }
}

/* holds -------------------------------------------------------------------------------------------- */

static void report_set(tn_reader *reader, const tn_hold_form *form, const tn_solid_mesh *mesh,
                       const char *name)
{
    char list[200] = "there are none: take nodes by their place, within: [[..], [..]]";
    size_t at = 0;
    for (int32_t i = 0; i < mesh->set_count && at < sizeof list; i++) {
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", i == 0 ? "" : ", ",
                               mesh->sets[i].name);
    }
    tn_problem(reader, form->sets_node, list, "the mesh has no set '%.100s'", name);
}

static bool is_within(const tn_hold_form *form, tn_vec3 p)
{
    const tn_vec3 low = form->within[0], high = form->within[1];
    return isnan(low.x) || (p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y &&
                            p.z >= low.z && p.z <= high.z);
}

/* Marks the nodes, or the elements, of the sets named, or all. */
static void mark(tn_reader *reader, const tn_hold_form *form, const tn_solid_mesh *mesh,
                 bool of_elements, bool *in)
{
    const int32_t all = of_elements ? mesh->element_count : mesh->node_count;
    for (int32_t i = 0; i < all; i++) {
        in[i] = form->set_count == 0;
    }
    for (int32_t k = 0; k < form->set_count; k++) {
        const tn_node_set *set = tn_solid_mesh_set(mesh, form->sets[k]);
        if (set == NULL) {
            report_set(reader, form, mesh, form->sets[k]);
            continue;
        }
        const int32_t *members = of_elements ? set->elements : set->nodes;
        const int32_t count = of_elements ? set->element_count : set->count;
        if (count == 0 && of_elements) {
            tn_problem(reader, form->sets_node, "within: [[..], [..]]",
                       "the set '%.100s' has nodes, but no elements", form->sets[k]);
        }
        for (int32_t i = 0; i < count; i++) {
            in[members[i]] = true;
        }
    }
}

/* In the axes of the mesh: before it is placed. */
static void find_nodes(tn_reader *reader, const tn_hold_form *form, const tn_solid_mesh *mesh,
                       tn_solid_hold *hold)
{
    bool *in = tn_reader_alloc(reader, mesh->node_count, sizeof *in);
    int32_t *nodes = tn_reader_alloc(reader, mesh->node_count, sizeof *nodes);
    if (in == NULL || nodes == NULL) {
        return;
    }
    const int32_t before = reader->problems;
    mark(reader, form, mesh, false, in);
    *hold = (tn_solid_hold){form->name, (tn_patch_kind)form->as, nodes, 0};
    for (int32_t i = 0; i < mesh->node_count; i++) {
        if (in[i] && is_within(form, mesh->nodes[i])) {
            nodes[hold->count++] = i;
        }
    }
    if (hold->count == 0 && reader->problems == before) {
        tn_problem(reader, form->node, NULL, "no node is there for '%.100s'", form->name);
    }
}

static tn_solid_surface *find_surfaces(tn_reader *reader, const tn_solid_form *form,
                                       const tn_solid_mesh *mesh)
{
    tn_solid_surface *surfaces = tn_reader_alloc(reader, form->surface_count + 1, sizeof *surfaces);
    for (int32_t k = 0; k < form->surface_count && surfaces != NULL; k++) {
        tn_solid_hold nodes = {0};
        find_nodes(reader, &form->surfaces[k], mesh, &nodes);
        surfaces[k] = (tn_solid_surface){form->surfaces[k].name, nodes.nodes, nodes.count};
    }
    return surfaces;
}

static tn_solid_hold *find_holds(tn_reader *reader, const tn_solid_form *form,
                                 const tn_solid_mesh *mesh)
{
    tn_solid_hold *holds = tn_reader_alloc(reader, form->hold_count + 1, sizeof *holds);
    for (int32_t k = 0; k < form->hold_count && holds != NULL; k++) {
        find_nodes(reader, &form->holds[k], mesh, &holds[k]);
    }
    return holds;
}

/* the solid ---------------------------------------------------------------------------------------- */

/* All bodies and joints from these on. */
static void enter_names(tn_reader *reader, int32_t key, int32_t body, int32_t joint)
{
    const tn_spec *spec = reader->spec;
    for (int32_t i = body; i < tn_spec_body_count(spec) && reader->status == TN_OK; i++) {
        tn_enter_made_name(reader, key, TN_SECTION_BODY, "body",
                           tn_spec_body(spec, (tn_body){.i = i})->name, i);
    }
    for (int32_t j = joint; j < tn_spec_joint_count(spec) && reader->status == TN_OK; j++) {
        tn_enter_made_name(reader, key, TN_SECTION_JOINT, "joint",
                           tn_spec_joint(spec, (tn_joint){.i = j})->name, j);
    }
}

/* In place of a solid with problems. */
static void add_names(tn_reader *reader, int32_t key, const tn_solid_form *form)
{
    const int32_t body = tn_spec_body_count(reader->spec);
    for (int32_t k = 0; k < form->hold_count && reader->status == TN_OK; k++) {
        char name[TN_NAME_SIZE];
        tn_body_def def = tn_default_body_def();
        snprintf(name, sizeof name, "%s.%s", reader->name, form->holds[k].name);
        def.name = name;
        def.kind = TN_BODY_FIXED;
        def.at = tn_node_location(reader, key);
        reader->status = tn_spec_add_body(reader->spec, &def, NULL);
    }
    enter_names(reader, key, body, tn_spec_joint_count(reader->spec));
}

/* damping: of the flexible body, instead of that of the material; NaN: not given. */
static tn_solid_material material_of(const tn_material *m, double given)
{
    const double damping = isnan(given) ? m->damping : given;
    return (tn_solid_material){.law = (tn_elastic_law)m->law,
                               .density = m->density,
                               .young = m->young,
                               .poisson = m->poisson,
                               .share = isnan(m->share) ? 0.0 : m->share,
                               .damping = isnan(damping) ? 0.0 : damping};
}

static bool is_whole_within(const tn_hold_form *form, const tn_solid_mesh *mesh, int32_t e)
{
    const tn_solid_element *element = &mesh->elements[e];
    bool within = true;
    for (int32_t i = 0; i < tn_element_kind_nodes(element->kind); i++) {
        within = within && is_within(form, mesh->nodes[element->nodes[i]]);
    }
    return within;
}

/* In the axes of the mesh: before it is placed. */
static void find_elements(tn_reader *reader, const tn_hold_form *form, const tn_solid_mesh *mesh,
                          tn_solid_part *part)
{
    bool *in = tn_reader_alloc(reader, mesh->element_count, sizeof *in);
    int32_t *elements = tn_reader_alloc(reader, mesh->element_count, sizeof *elements);
    if (in == NULL || elements == NULL) {
        return;
    }
    const int32_t before = reader->problems;
    mark(reader, form, mesh, true, in);
    part->elements = elements;
    for (int32_t e = 0; e < mesh->element_count; e++) {
        if (in[e] && is_whole_within(form, mesh, e)) {
            elements[part->count++] = e;
        }
    }
    if (part->count == 0 && reader->problems == before) {
        tn_problem(reader, form->node, NULL, "no element is there for '%.100s'", form->name);
    }
}

static tn_solid_part *find_parts(tn_reader *reader, const tn_flexible_form *form,
                                 const tn_solid_mesh *mesh)
{
    const int32_t count = form->solid.part_count;
    tn_solid_part *parts = tn_reader_alloc(reader, count + 1, sizeof *parts);
    for (int32_t k = 0; k < count && parts != NULL; k++) {
        parts[k] =
            (tn_solid_part){NULL, 0, material_of(&form->solid.parts[k].material, form->damping)};
        find_elements(reader, &form->solid.parts[k], mesh, &parts[k]);
    }
    return parts;
}

static void add_solid(tn_reader *reader, int32_t key, const tn_flexible_form *form,
                      tn_solid_mesh *mesh)
{
    const int32_t before = reader->problems, body = tn_spec_body_count(reader->spec),
                  joint = tn_spec_joint_count(reader->spec);
    tn_solid_def def = tn_default_solid_def();
    def.name = reader->name;
    def.mesh = mesh;
    def.material = material_of(&form->material, form->damping);
    def.parts = find_parts(reader, form, mesh);
    def.part_count = form->solid.part_count;
    def.holds = find_holds(reader, &form->solid, mesh);
    def.hold_count = form->solid.hold_count;
    def.surfaces = find_surfaces(reader, &form->solid, mesh);
    def.surface_count = form->solid.surface_count;
    def.modal = form->solid.modal.modes >= 0 ? &form->solid.modal : NULL;
    def.at = tn_node_location(reader, key);
    if (reader->problems != before || reader->status != TN_OK ||
        !tn_has_room_for(reader, key, mesh->node_count)) {
        add_names(reader, key, &form->solid);
        return;
    }
    place_mesh(reader, &form->solid, mesh);
    const tn_status status = tn_spec_add_solid(reader->spec, &def, reader->found, NULL);
    if (status == TN_OK) {
        enter_names(reader, key, body, joint);
    } else if (status == TN_ERROR_INPUT) {
        reader->problems++; /* they have been reported */
        add_names(reader, key, &form->solid);
    } else if (status == TN_ERROR_ARGUMENT) {
        tn_problem(reader, key, NULL, "the mesh has more than %d nodes", TN_MAX_SOLID_NODES);
    } else {
        reader->status = status;
    }
}

/* What only beams have, and what a solid lacks. */
static void check_keys(tn_reader *reader, int32_t key, int32_t value, const tn_flexible_form *form)
{
    static const char *const of_beams[] = {"section", "rigid"};
    for (size_t i = 0; i < TN_COUNT_OF(of_beams); i++) {
        const int32_t other = tn_find_key(reader, value, of_beams[i]);
        if (other != TN_NO_NODE) {
            tn_problem(reader, other, NULL, "'%s' is for beams and cables: leave it out",
                       of_beams[i]);
        }
    }
    if (reader->planar) {
        tn_problem(reader, key, NULL, "a planar world has no elastic solids");
    } else if (isnan(form->material.density)) {
        tn_problem(reader, key, "material: rubber", "a solid needs a 'material'");
    }
}

void tn_read_solid(tn_reader *reader, int32_t key, int32_t value, const tn_flexible_form *form,
                   bool good)
{
    const int32_t before = reader->problems;
    tn_solid_mesh mesh = {0};
    tn_status status = TN_ERROR_INPUT;
    if (good) {
        check_keys(reader, key, value, form);
    }
    if (good && reader->problems == before) {
        const char *name = form->solid.mesh != NULL ? "mesh" : "grid";
        const int32_t node = node_of(reader, value, name);
        status = form->solid.mesh != NULL ? load_mesh(reader, node, &form->solid, &mesh)
                                          : make_grid(reader, node, &form->solid, &mesh);
    }
    if (status == TN_OK && reader->problems == before) {
        add_solid(reader, key, form, &mesh);
    } else if (status == TN_ERROR_MEMORY) {
        reader->status = status;
    } else {
        add_names(reader, key, &form->solid);
    }
    tn_solid_mesh_free(&mesh);
}
