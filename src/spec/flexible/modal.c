/* modal.c: room spec/flexible: a solid that is reduced to modes (reduce/reduce.h), as bodies of a description.
 *
 * In: a solid without faults. Out: a particle for each function; for each hold a body, as for a mean hold of other solids: with
 * a share of the mass of its nodes, joined to the frame that follows their mean motion. That of a fixed hold is joined to the
 * ground. A frame follows the nodes of its hold, which follow the particles: with shape N its weights are sum_i w_i N_k(i)
 * and its arms sum_i w_i N_k(i) (X_i - X).
 */
#include <math.h>
#include <string.h>

#include "element/geometry.h"
#include "reduce/reduced.h"
#include "math/m3.h"
#include "spec/flexible/solid.h"

/* Most holds of a modal solid, which are interfaces: each takes six modes. */
#define TN_MOST_INTERFACES 12
/* Of what makes the mass of an element singular: a tenth of its least value is left. */
#define TN_MASS_SHARE 0.9

static tn_status report(const tn_solid_making *m, const char *hint, const char *what)
{
    tn_diagnostics_add(m->diags, TN_ERROR, TN_ERROR_INPUT, m->def->at, hint, "'%s': %s",
                       m->def->name, what);
    return TN_ERROR_INPUT;
}

static tn_status check(const tn_solid_making *m)
{
    const tn_solid_modal *modal = m->def->modal;
    if (modal->modes < 0 || modal->modes > TN_MOST_MODES)
        return report(m, "modes: 12", "the number of its modes must be 0 to 60");
    if (!(modal->damping_ratio >= 0.0 && modal->damping_ratio <= 1.0))
        return report(m, "damping_ratio: 0.01", "the damping ratio of its modes must be 0 to 1");
    if (!TN_IN(modal->mass, TN_MASS_KIND_COUNT))
        return report(m, NULL, "there is no such kind of mass");
    if (m->def->hold_count > TN_MOST_INTERFACES)
        return report(m, NULL, "a modal body has at most 12 holds");
    for (int32_t k = 0; k < m->entry.material_count; k++) {
        if (m->materials[k].law != TN_LAW_LINEAR)
            return report(m, "law: linear", "a modal body is for small strain");
    }
    for (int32_t k = 0; k < m->def->hold_count; k++) {
        if (m->def->holds[k].count < 3)
            return report(m, "a hold of 3 nodes or more, not in a line",
                          "a hold of a modal body has too few nodes for a frame");
    }
    return TN_OK;
}

/* What the reduction says is wrong. */
static tn_status explain(const tn_solid_making *m, tn_status status)
{
    switch (status) {
    case TN_ERROR_INPUT:
        return report(m, "fewer modes", "the mesh has not as many modes");
    case TN_ERROR_WORK:
        return report(m, "fewer modes, fewer holds", "it takes more than 128 functions");
    case TN_ERROR_SINGULAR:
        return report(m, NULL, "its holds depend on each other, or its mesh falls apart");
    case TN_ERROR_NOT_CONVERGED:
        return report(m, "another number of modes", "its modes were not found in 200 iterations");
    case TN_OK:
    case TN_ERROR_MEMORY:
        return status;
    default:
        return report(m, NULL, tn_status_text(status));
    }
}

/* reduction ------------------------------------------------------------------------------------- */

/* Share of the lumped masses of nodes of holds that the bodies of these may have: what leaves the mass of each element a positive
 * matrix. */
static double share_of(const tn_solid_making *m)
{
    tn_shape_basis basis = {0};
    double least = 1.0;
    if (m->def->modal->mass == TN_MASS_LUMPED)
        return TN_MEAN_SHARE;
    for (int32_t e = 0; e < m->def->mesh->element_count; e++) {
        const tn_solid_element *element = &m->def->mesh->elements[e];
        const tn_element_type *type = tn_element_type_of(element->kind);
        tn_vec3 X[TN_ELEMENT_NODES];
        bool held = false;
        if (basis.type != type)
            tn_shape_basis_make(type, &basis);
        for (int32_t i = 0; i < type->nodes; i++) {
            X[i] = m->def->mesh->nodes[element->nodes[i]];
            held = held || m->hold[element->nodes[i]] >= 0;
        }
        if (held)
            least = fmin(least, tn_element_least_mass(&basis, X));
    }
    return fmin(TN_MEAN_SHARE, TN_MASS_SHARE * least);
}

/* kg, of each node. */
static double *masses_taken(const tn_solid_making *m, double share)
{
    double *taken = TN_NEW_ARRAY(double, m->entry.size.nodes);
    for (int32_t i = 0; i < m->entry.size.nodes && taken; i++)
        taken[i] = m->hold[i] >= 0 ? share * m->mass[i] : 0.0;
    return taken;
}

static void weigh(const tn_solid_making *m, const tn_solid_hold *hold, double *weights)
{
    double sum = 0.0;
    for (int32_t i = 0; i < hold->count; i++)
        sum += m->mass[hold->nodes[i]];
    for (int32_t i = 0; i < hold->count; i++)
        weights[i] = m->mass[hold->nodes[i]] / sum;
}

static tn_status reduce(tn_solid_making *m, const double *taken, double *weights)
{
    tn_reduce_interface interfaces[TN_MOST_INTERFACES];
    int32_t at = 0;
    for (int32_t k = 0; k < m->def->hold_count; k++) {
        const tn_solid_hold *hold = &m->def->holds[k];
        weigh(m, hold, weights + at);
        interfaces[k] = (tn_reduce_interface){hold->nodes, weights + at, hold->count};
        at += hold->count;
    }
    const tn_reduce_def def = {.mesh = m->def->mesh,
                               .materials = m->materials,
                               .material_of = m->material_of,
                               .lumped = m->def->modal->mass == TN_MASS_LUMPED,
                               .taken = taken,
                               .interfaces = interfaces,
                               .interface_count = m->def->hold_count,
                               .modes = m->def->modal->modes,
                               .ratio = m->def->modal->damping_ratio};
    return tn_reduce(&def, &m->reduction);
}

/* bodies ---------------------------------------------------------------------------------------- */

static tn_status add_particles(tn_solid_making *m)
{
    const tn_reduction *r = &m->reduction;
    tn_status status = TN_OK;
    for (int32_t k = 0; k < r->functions && status == TN_OK; k++)
        status = tn_solid_add_particle(m, k, r->rest[k], r->mass / r->functions);
    m->modal = (tn_modal_entry){r->functions, r->modes, r->shape,     r->rest,
                                r->K,         r->D,     r->frequency, r->stiffening};
    m->entry.modal = &m->modal;
    m->entry.place_count = m->entry.size.free_nodes = r->functions;
    m->entry.size.modes = r->modes;
    return status;
}

/* Weights and arms of all particles, in an order that begins with another one for each hold: the first stands for all where
 * joints are a graph, and holds of one body make no loop. */
static void list_particles(tn_solid_making *m, const tn_solid_hold *hold, const double *weights)
{
    const int32_t n = m->reduction.functions, number = m->entry.mean_count;
    const tn_vec3 *X = m->def->mesh->nodes;
    tn_vec3 center = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < hold->count; i++)
        center = v3_axpy(center, weights[i], X[hold->nodes[i]]);
    for (int32_t k = 0; k < n; k++) {
        const int32_t at = m->listed + k, of = (k + number) % n;
        m->list[at] = of;
        m->weights[at] = 0.0;
        m->arms[at] = v3(0.0, 0.0, 0.0);
        for (int32_t i = 0; i < hold->count; i++) {
            const int32_t node = hold->nodes[i];
            const double w = weights[i] * m->reduction.shape[(int64_t)node * n + of];
            m->weights[at] += w;
            m->arms[at] = v3_axpy(m->arms[at], w, v3_sub(X[node], center));
        }
    }
    m->means[m->entry.mean_count++] = (tn_mean_set){m->spec->joint_count, m->listed, n};
    m->listed += n;
}

static tn_status add_holds(tn_solid_making *m, double share, const double *weights)
{
    tn_status status = TN_OK;
    for (int32_t k = 0; k < m->def->hold_count && status == TN_OK; k++) {
        const tn_solid_hold *hold = &m->def->holds[k];
        tn_body body;
        status = tn_solid_add_hold_body(m, hold, share, &body);
        list_particles(m, hold, weights);
        if (status == TN_OK)
            status = tn_solid_add_mean_joint(m, hold, body);
        if (status == TN_OK && hold->kind == TN_PATCH_FIXED)
            status = tn_solid_fix_hold_body(m, hold, body);
        weights += hold->count;
    }
    return status;
}

tn_status tn_solid_add_modal(tn_solid_making *m)
{
    tn_status status = check(m);
    if (status != TN_OK)
        return status;
    const double share = share_of(m);
    double *taken = masses_taken(m, share), *weights = TN_NEW_ARRAY(double, m->entry.size.nodes);
    status = taken && weights ? explain(m, reduce(m, taken, weights)) : TN_ERROR_MEMORY;
    if (status == TN_OK)
        status = add_particles(m);
    if (status == TN_OK)
        status = add_holds(m, share, weights);
    tn_free(taken);
    tn_free(weights);
    return status;
}
