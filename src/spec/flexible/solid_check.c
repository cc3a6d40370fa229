/* solid_check.c: room spec/flexible: what is wrong with a solid (solid.h).
 *
 * All of it is reported, up to TN_MOST_REPORTS of each kind: elements of a bad mesh are bad by the thousand. Where
 * the mesh was read from a file the message has its line.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "base/names.h"
#include "element/geometry.h"
#include "math/dense/eig3.h"
#include "math/m3.h"
#include "spec/flexible/solid.h"

/* Messages of one kind. */
#define TN_MOST_REPORTS 10

/* Nodes whose second moments have a share of the largest below this are in a line. */
#define TN_IN_A_LINE 1e-12

typedef struct checking {
    const tn_solid_def *def;
    const tn_solid_mesh *mesh;
    tn_diagnostics *diags;
    int32_t *hold;        /* [nodes] */
    int32_t *material_of; /* [elements] */
    bool *used;           /* [nodes] by some element */
    int32_t errors, of_kind;
    tn_status status; /* memory has run out, or TN_OK */
} checking;

/* Counts one more of a kind; false: there were enough. */
static bool next(checking *c)
{
    c->errors++;
    return c->of_kind++ < TN_MOST_REPORTS;
}

static void close_kind(checking *c, const char *what)
{
    if (c->of_kind > TN_MOST_REPORTS) {
        tn_diagnostics_add(c->diags, TN_ERROR, TN_ERROR_INPUT, c->def->at, NULL, "'%s': %d more %s",
                           c->def->name, (int)(c->of_kind - TN_MOST_REPORTS), what);
    }
    c->of_kind = 0;
}

/* In the file of the mesh, if it is of one. */
static tn_location place_of(const checking *c, int32_t element)
{
    const int32_t line = c->mesh->elements[element].line;
    return c->mesh->file && line > 0 ? (tn_location){c->mesh->file, line, 0} : c->def->at;
}

static void report_element(checking *c, int32_t element, const char *hint, const char *what)
{
    if (next(c)) {
        tn_diagnostics_add(c->diags, TN_ERROR, TN_ERROR_INPUT, place_of(c, element), hint,
                           "'%s': element %d %s", c->def->name, (int)element, what);
    }
}

static void report(checking *c, const char *hint, const char *what)
{
    c->errors++;
    tn_diagnostics_add(c->diags, TN_ERROR, TN_ERROR_INPUT, c->def->at, hint, "'%s': %s",
                       c->def->name, what);
}

static void check_material(checking *c, const tn_solid_material *m)
{
    if (!(m->density > 0.0) || !isfinite(m->density)) {
        report(c, NULL, "the density must be positive");
    }
    if (!(m->young > 0.0) || !isfinite(m->young)) {
        report(c, NULL, "Young's modulus must be positive");
    }
    if (!(m->poisson > -1.0 && m->poisson < 0.5)) {
        report(c, "0.49 for rubber", "Poisson's ratio must be more than -1 and less than 0.5");
    }
    if (!(m->damping >= 0.0) || !isfinite(m->damping)) {
        report(c, NULL, "the time constant of damping must not be negative");
    }
    if (!TN_IN(m->law, TN_LAW_COUNT) || !(m->share >= 0.0 && m->share <= 1.0)) {
        report(c, NULL, "there is no such elastic law");
    }
}

const tn_solid_material *tn_solid_material_at(const tn_solid_def *def, int32_t number)
{
    return number == 0 ? &def->material : &def->parts[number - 1].material;
}

static void check_parts(checking *c)
{
    for (int32_t k = 0; k <= c->def->part_count; k++) {
        check_material(c, tn_solid_material_at(c->def, k));
    }
    for (int32_t k = 1; k <= c->def->part_count; k++) {
        const tn_solid_part *part = &c->def->parts[k - 1];
        if (part->count < 1 || !part->elements) {
            report(c, NULL, "a part has no elements");
            continue;
        }
        for (int32_t i = 0; i < part->count; i++) {
            const int32_t e = part->elements[i];
            if (!TN_IN(e, c->mesh->element_count)) {
                report(c, NULL, "a part has an element that is not there");
            } else if (c->material_of[e] > 0) {
                report_element(c, e, "leave it out of one of them",
                               "is in two parts, or in one twice");
            } else {
                c->material_of[e] = k;
            }
        }
    }
    close_kind(c, "elements that are in two parts");
}

static void check_nodes(checking *c)
{
    for (int32_t i = 0; i < c->mesh->node_count; i++) {
        if (!v3_is_finite(c->mesh->nodes[i]) && next(c)) {
            tn_diagnostics_add(c->diags, TN_ERROR, TN_ERROR_INPUT, c->def->at, NULL,
                               "'%s': the place of node %d is not finite", c->def->name, (int)i);
        }
    }
    close_kind(c, "nodes whose place is not finite");
}

/* Nodes that are there, each once. */
static bool has_nodes(const checking *c, const tn_solid_element *element)
{
    const int32_t n = tn_element_kind_nodes(element->kind);
    bool good = n > 0;
    for (int32_t i = 0; i < n && good; i++) {
        good = TN_IN(element->nodes[i], c->mesh->node_count);
        for (int32_t k = 0; k < i && good; k++) {
            good = element->nodes[k] != element->nodes[i];
        }
        if (good) {
            c->used[element->nodes[i]] = true;
        }
    }
    return good;
}

static void check_connections(checking *c)
{
    for (int32_t e = 0; e < c->mesh->element_count; e++) {
        if (!has_nodes(c, &c->mesh->elements[e])) {
            report_element(c, e, NULL, "has a node twice, or one that is not there");
        }
    }
    close_kind(c, "elements like these");
    for (int32_t i = 0; i < c->mesh->node_count; i++) {
        if (!c->used[i] && next(c)) {
            tn_diagnostics_add(c->diags, TN_ERROR, TN_ERROR_INPUT, c->def->at,
                               "leave it out of the mesh", "'%s': node %d is in no element",
                               c->def->name, (int)i);
        }
    }
    close_kind(c, "nodes without element");
}

static void gather(const tn_solid_mesh *mesh, const tn_solid_element *element,
                   tn_vec3 X[TN_ELEMENT_NODES])
{
    for (int32_t i = 0; i < tn_element_kind_nodes(element->kind); i++) {
        X[i] = mesh->nodes[element->nodes[i]];
    }
}

/* Of elements whose nodes are known to be good. */
static void check_shapes(checking *c)
{
    tn_shape_basis basis = {0};
    for (int32_t e = 0; e < c->mesh->element_count; e++) {
        const tn_solid_element *element = &c->mesh->elements[e];
        const tn_element_type *type = tn_element_type_of(element->kind);
        tn_vec3 X[TN_ELEMENT_NODES];
        if (basis.type != type) {
            tn_shape_basis_make(type, &basis);
        }
        gather(c->mesh, element, X);
        if (!(tn_element_least_jacobian(&basis, X) > 0.0)) {
            report_element(
                c, e, "nodes in the order of the type; no edge longer than its surroundings bear",
                "is flat or turned inside out: its Jacobian is not positive");
        }
    }
    close_kind(c, "elements that are flat or turned inside out");
}

/* holds -------------------------------------------------------------------------------------------- */

static void report_hold(checking *c, const tn_solid_hold *hold, const char *what)
{
    if (next(c)) {
        tn_diagnostics_add(c->diags, TN_ERROR, TN_ERROR_INPUT, c->def->at, NULL,
                           "'%s': the hold '%s' %s", c->def->name, hold->name, what);
    }
}

/* Are they in a line, or at one point? */
static bool are_in_line(const tn_solid_mesh *mesh, const tn_solid_hold *hold)
{
    tn_vec3 center = {0.0, 0.0, 0.0};
    tn_mat3 moments = {{{0.0}}};
    double values[3];
    for (int32_t i = 0; i < hold->count; i++) {
        center = v3_axpy(center, 1.0 / hold->count, mesh->nodes[hold->nodes[i]]);
    }
    for (int32_t i = 0; i < hold->count; i++) {
        double r[3];
        v3_store(r, v3_sub(mesh->nodes[hold->nodes[i]], center));
        for (int k = 0; k < 9; k++) {
            moments.m[k / 3][k % 3] += r[k / 3] * r[k % 3];
        }
    }
    tn_eig3(&moments, values, NULL);
    return !(values[1] > TN_IN_A_LINE * values[2]);
}

static void take_nodes(checking *c, int32_t k)
{
    const tn_solid_hold *hold = &c->def->holds[k];
    for (int32_t i = 0; i < hold->count; i++) {
        const int32_t node = hold->nodes[i];
        if (!TN_IN(node, c->mesh->node_count)) {
            report_hold(c, hold, "has a node that is not there");
        } else if (c->hold[node] >= 0) {
            report_hold(c, hold,
                        c->hold[node] == k ? "has a node twice"
                                           : "has a node that another hold has");
        } else {
            c->hold[node] = k;
        }
    }
}

static void check_holds(checking *c)
{
    for (int32_t k = 0; k < c->def->hold_count; k++) {
        const tn_solid_hold *hold = &c->def->holds[k];
        const int32_t before = c->errors;
        if (!hold->name || hold->name[0] == '\0' || !TN_IN(hold->kind, TN_PATCH_KIND_COUNT)) {
            report(c, NULL, "a hold has no name, or is of no kind");
            continue;
        }
        if (hold->count < 1 || !hold->nodes) {
            report_hold(c, hold, "has no nodes");
            continue;
        }
        take_nodes(c, k);
        const bool framed = hold->kind != TN_PATCH_FIXED || c->def->modal;
        if (c->errors == before && framed && are_in_line(c->mesh, hold)) {
            report_hold(c, hold, "has nodes in a line only, which leaves its rotation open");
        }
        close_kind(c, "nodes of this hold");
    }
}

/* Loads name surfaces: each name is there once. */
static void check_surfaces(checking *c)
{
    tn_names names = {0};
    for (int32_t k = 0; k < c->def->surface_count; k++) {
        const tn_solid_surface *surface = &c->def->surfaces[k];
        bool good =
            surface->name && surface->name[0] != '\0' && surface->nodes && surface->count > 0;
        for (int32_t i = 0; i < surface->count && good; i++) {
            good = TN_IN(surface->nodes[i], c->mesh->node_count);
        }
        if (!good) {
            report(c, NULL, "a surface has no name, no nodes, or nodes that are not there");
            continue;
        }
        const tn_status status = tn_names_add(&names, surface->name, strlen(surface->name), k);
        if (status == TN_ERROR_MEMORY) {
            c->status = status;
        } else if (status != TN_OK) {
            report(c, "rename one", "two surfaces have the same name, or one has too long a name");
        }
    }
    tn_names_free(&names);
}

tn_status tn_solid_check(const tn_solid_def *def, int32_t *hold, int32_t *material_of,
                         tn_diagnostics *diags)
{
    const tn_solid_mesh *mesh = def->mesh;
    checking c = {
        .def = def, .mesh = mesh, .diags = diags, .hold = hold, .material_of = material_of};
    c.used = TN_NEW_ARRAY(bool, mesh->node_count);
    if (c.used == NULL) {
        return TN_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < mesh->node_count; i++) {
        hold[i] = -1;
    }
    memset(material_of, 0, sizeof *material_of * (size_t)mesh->element_count);
    check_parts(&c);
    check_nodes(&c);
    check_connections(&c);
    if (c.errors == 0) {
        check_shapes(&c);
        check_holds(&c);
        check_surfaces(&c);
    }
    tn_free(c.used);
    if (c.status != TN_OK) {
        return c.status;
    }
    return c.errors == 0 ? TN_OK : TN_ERROR_INPUT;
}

void tn_solid_weigh(const tn_solid_def *def, const int32_t *material_of, double *mass,
                    tn_solid_size *size)
{
    const tn_solid_mesh *mesh = def->mesh;
    tn_shape_basis basis = {0};
    *size = (tn_solid_size){.nodes = mesh->node_count,
                            .elements = mesh->element_count,
                            .holds = def->hold_count,
                            .quality = (double)INFINITY};
    for (int32_t e = 0; e < mesh->element_count; e++) {
        const tn_solid_element *element = &mesh->elements[e];
        const tn_element_type *type = tn_element_type_of(element->kind);
        tn_vec3 X[TN_ELEMENT_NODES];
        double masses[TN_ELEMENT_NODES];
        if (basis.type != type) {
            tn_shape_basis_make(type, &basis);
        }
        gather(mesh, element, X);
        const double density = tn_solid_material_at(def, material_of[e])->density;
        const double volume = tn_element_masses(&basis, X, density, masses);
        for (int32_t i = 0; i < type->nodes; i++) {
            mass[element->nodes[i]] += masses[i];
        }
        const double quality = tn_element_quality(type, X);
        size->worst = quality < size->quality ? e : size->worst;
        size->quality = fmin(size->quality, quality);
        size->volume += volume;
        size->mass += volume * density;
    }
}
