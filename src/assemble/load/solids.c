/* solids.c: room assemble/load: elements of solids in the equations (solids.h). */
#include "assemble/load/solids.h"

#include <math.h>
#include <string.h>

#include "assemble/joint_terms.h"
#include "assemble/load/modal.h"
#include "element/element.h"

/* An element with its nodes gathered. */
typedef struct gathered {
    tn_deformed e;
    const tn_model_solid *solid;
    const tn_model_element *element;
    tn_vec3 x[TN_ELEMENT_NODES], v[TN_ELEMENT_NODES];
} gathered;

tn_vec3 tn_solid_node_place(const tn_system *sys, const tn_body_point *node)
{
    return xf_point(tn_system_xform(sys, node->body), node->arm);
}

tn_vec3 tn_solid_node_arm(const tn_system *sys, const tn_body_point *node)
{
    return m3_mulv(&tn_system_xform(sys, node->body)->R, node->arm);
}

tn_vec3 tn_solid_node_velocity(const tn_system *sys, const double *u, const tn_body_point *node)
{
    if (node->body < 0)
        return v3(0.0, 0.0, 0.0);
    const tn_twist twist = tn_assemble_twist(sys, u, node->body);
    return tn_point_velocity(twist, tn_solid_node_arm(sys, node));
}

void tn_solid_places(const tn_system *sys, const tn_model_solid *solid, tn_vec3 *places)
{
    for (int32_t i = 0; i < solid->node_count; i++) {
        places[i] = solid->modal ? tn_modal_node_place(sys, solid->modal, i)
                                 : tn_solid_node_place(sys, &solid->nodes[i]);
    }
}

/* Elements that act by themselves: those of a reduced solid do not. */
static int32_t acting(const tn_model_solid *solid)
{
    return solid->modal ? 0 : solid->element_count;
}

static const tn_body_point *node_of(const gathered *g, int32_t i)
{
    return &g->solid->nodes[g->element->nodes[i]];
}

/* u NULL: without velocities. */
static void gather(const tn_system *sys, const double *u, const tn_model_solid *solid,
                   int32_t element, gathered *g)
{
    g->solid = solid;
    g->element = &solid->elements[element];
    for (int32_t i = 0; i < g->element->data.nodes; i++) {
        g->x[i] = tn_solid_node_place(sys, node_of(g, i));
        if (u)
            g->v[i] = tn_solid_node_velocity(sys, u, node_of(g, i));
    }
    g->e = (tn_deformed){&g->element->data, g->element->material, g->x, u ? g->v : NULL};
}

const tn_model_solid *tn_solids_find(const tn_model *model, int32_t number, int32_t *element)
{
    for (int32_t s = 0; s < model->solid_count; s++) {
        if (number < model->solids[s].element_count) {
            *element = number;
            return &model->solids[s];
        }
        number -= model->solids[s].element_count;
    }
    return NULL;
}

/* forces ---------------------------------------------------------------------------------------- */

static void add_to_nodes(const tn_system *sys, const gathered *g, const tn_vec3 *forces, double *f)
{
    const tn_vec3 none = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < g->element->data.nodes; i++) {
        const tn_body_point *node = node_of(g, i);
        if (node->body >= 0)
            tn_body_add_wrench(sys, node->body, tn_solid_node_arm(sys, node),
                               (tn_wrench){forces[i], none}, f);
    }
}

int32_t tn_solids_add_forces(const tn_system *sys, const double *u, double *f)
{
    int32_t number = 0, inverted = -1;
    for (int32_t s = 0; s < sys->model->solid_count; s++) {
        const tn_model_solid *solid = &sys->model->solids[s];
        if (solid->modal)
            tn_modal_add_forces(sys, solid->modal, u, f);
        number += solid->element_count - acting(solid);
        for (int32_t e = 0; e < acting(solid); e++, number++) {
            gathered g;
            tn_vec3 forces[TN_ELEMENT_NODES] = {{0.0, 0.0, 0.0}};
            gather(sys, u, solid, e, &g);
            if (!tn_element_forces(&g.e, forces)) {
                inverted = inverted < 0 ? number : inverted;
                for (int32_t i = 0; i < g.element->data.nodes; i++)
                    forces[i] = v3((double)NAN, (double)NAN, (double)NAN);
            }
            add_to_nodes(sys, &g, forces, f);
        }
    }
    return inverted;
}

/* sum w (lambda + 2 mu) g . g */
static double stiffness_of_node(const tn_element_data *d, int32_t node, double modulus)
{
    double sum = 0.0;
    for (int32_t p = 0; p < d->points; p++) {
        const tn_vec3 g = v3_load(d->grad + 3 * ((size_t)p * (size_t)d->nodes + (size_t)node));
        sum += d->weight[p] * modulus * v3_dot(g, g);
    }
    return sum;
}

double tn_solids_stiffest(const tn_model *model)
{
    double most = 0.0;
    for (int32_t s = 0; s < model->solid_count; s++) {
        const tn_model_solid *solid = &model->solids[s];
        if (solid->modal)
            most = fmax(most, tn_modal_stiffest(solid->modal));
        for (int32_t e = 0; e < acting(solid); e++) {
            const tn_elastic *m = solid->elements[e].material;
            const double modulus = m->lambda + 2.0 * m->mu;
            for (int32_t i = 0; i < solid->elements[e].data.nodes; i++)
                most = fmax(most, stiffness_of_node(&solid->elements[e].data, i, modulus));
        }
    }
    return most;
}

static bool any_among(const gathered *g, int32_t first, int32_t end)
{
    bool any = false;
    for (int32_t i = 0; i < g->element->data.nodes && !any; i++)
        any = node_of(g, i)->body >= first && node_of(g, i)->body < end;
    return any;
}

void tn_solids_note_forces(const tn_system *sys, int32_t first, int32_t end, double *scale)
{
    for (int32_t s = 0; s < sys->model->solid_count; s++) {
        const tn_model_solid *solid = &sys->model->solids[s];
        if (solid->modal)
            tn_modal_note_forces(sys, solid->modal, first, end, scale);
        for (int32_t e = 0; e < acting(solid); e++) {
            gathered g = {.solid = solid, .element = &solid->elements[e]};
            tn_vec3 forces[TN_ELEMENT_NODES] = {{0.0, 0.0, 0.0}};
            if (!any_among(&g, first, end))
                continue;
            gather(sys, NULL, solid, e, &g);
            tn_element_forces(&g.e, forces);
            for (int32_t i = 0; i < g.element->data.nodes; i++) {
                const int32_t body = node_of(&g, i)->body;
                if (body >= first && body < end)
                    scale[2 * body] = fmax(scale[2 * body], v3_norm(forces[i]));
            }
        }
    }
}

static bool turns(const tn_model *model, const tn_body_point *node)
{
    return node->body >= 0 && model->bodies[node->body].dim == 6;
}

static bool any_turns(const tn_model *model, const gathered *g)
{
    bool any = false;
    for (int32_t i = 0; i < g->element->data.nodes; i++)
        any = any || turns(model, node_of(g, i));
    return any;
}

void tn_solids_add_turning(const tn_system *sys, tn_load_matrix *matrices)
{
    for (int32_t s = 0; s < sys->model->solid_count; s++) {
        const tn_model_solid *solid = &sys->model->solids[s];
        for (int32_t e = 0; e < acting(solid); e++) {
            gathered g;
            tn_vec3 forces[TN_ELEMENT_NODES] = {{0.0, 0.0, 0.0}};
            gather(sys, NULL, solid, e, &g);
            if (!any_turns(sys->model, &g) || !tn_element_forces(&g.e, forces))
                continue;
            for (int32_t i = 0; i < g.element->data.nodes; i++) {
                const tn_body_point *node = node_of(&g, i);
                if (turns(sys->model, node))
                    tn_add_turning_arm(node->arm, m3_tmulv(&sys->T[node->body].R, forces[i]),
                                       matrices[node->body].stiffness);
            }
        }
    }
}

/* stiffness ------------------------------------------------------------------------------------- */

/* B of a node, 3 rows, its body's dim columns of which it returns the number. */
static int32_t map_of(const tn_system *sys, const tn_body_point *node, double B[3][6])
{
    const tn_model_body *body = &sys->model->bodies[node->body];
    memset(B, 0, sizeof(double[3][6]));
    for (int c = 0; c < 3; c++)
        B[c][c] = 1.0;
    for (int c = 0; c < 3 && body->dim == 6; c++) {
        const tn_mat3 *R = &sys->T[node->body].R;
        const tn_vec3 column = v3_cross(m3_column(R, c), m3_mulv(R, node->arm));
        B[0][3 + c] = column.x;
        B[1][3 + c] = column.y;
        B[2][3 + c] = column.z;
    }
    return body->dim;
}

static bool moves(const tn_system *sys, const tn_body_point *node)
{
    return node->body >= 0 && sys->model->bodies[node->body].dim > 0;
}

/* out[m][n] += A^T K B; K 3 x 3 at row stride. */
static void add_congruent(double A[3][6], int32_t m, const double *K, int32_t stride,
                          double B[3][6], int32_t n, double *out)
{
    double KB[3][6];
    for (int r = 0; r < 3; r++) {
        for (int32_t c = 0; c < n; c++) {
            KB[r][c] =
                K[r * stride] * B[0][c] + K[r * stride + 1] * B[1][c] + K[r * stride + 2] * B[2][c];
        }
    }
    for (int32_t r = 0; r < m; r++) {
        for (int32_t c = 0; c < n; c++)
            out[r * n + c] += A[0][r] * KB[0][c] + A[1][r] * KB[1][c] + A[2][r] * KB[2][c];
    }
}

/* Of two particles. */
static void add_plain(const double *K, int32_t stride, double *out)
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            out[3 * r + c] += K[r * stride + c];
    }
}

/* A block of two nodes, at row stride 3 n, into the matrix. */
static void scatter(tn_system *sys, const tn_body_point *a, const tn_body_point *b,
                    const double *block, int32_t n, double *out)
{
    if (sys->model->bodies[a->body].dim == 3 && sys->model->bodies[b->body].dim == 3) {
        add_plain(block, 3 * n, out);
        return;
    }
    double A[3][6], B[3][6];
    const int32_t rows = map_of(sys, a, A), columns = map_of(sys, b, B);
    add_congruent(A, rows, block, 3 * n, B, columns, out);
}

static const double *block_of(const double *K, int32_t n, int32_t i, int32_t j)
{
    return K + 9 * (size_t)i * (size_t)n + 3 * (size_t)j;
}

void tn_solid_scatter(tn_system *sys, const tn_model_solid *solid, const tn_model_element *element,
                      const int8_t *of, int32_t n, const double *K)
{
    const tn_kkt_layout *layout = sys->layout;
    for (int32_t j = 0; j < n; j++) {
        for (int32_t i = 0; i <= j; i++) {
            const int32_t p = of ? of[i] : i, q = of ? of[j] : j;
            const tn_body_point *a = &solid->nodes[element->nodes[p]],
                                *b = &solid->nodes[element->nodes[q]];
            if (!moves(sys, a) || !moves(sys, b))
                continue;
            const int32_t pair = i < j ? element->pairs[q * (q - 1) / 2 + p] : -1;
            if (pair >= 0 && a->body < b->body) {
                scatter(sys, a, b, block_of(K, n, i, j), n,
                        sys->values->g + layout->pair_offset[pair]);
            } else if (pair >= 0) {
                scatter(sys, b, a, block_of(K, n, j, i), n,
                        sys->values->g + layout->pair_offset[pair]);
            } else {
                double *out = sys->values->h + layout->h_offset[a->body];
                scatter(sys, a, b, block_of(K, n, i, j), n, out);
                if (i < j) /* two nodes of one body */
                    scatter(sys, b, a, block_of(K, n, j, i), n, out);
            }
        }
    }
}

/* f += D u of an element. */
static void add_damped(const tn_system *sys, const gathered *g, double *f)
{
    tn_vec3 all[TN_ELEMENT_NODES] = {{0.0, 0.0, 0.0}}, still[TN_ELEMENT_NODES] = {{0.0, 0.0, 0.0}};
    tn_deformed at_rest = g->e;
    at_rest.v = NULL;
    if (!tn_element_forces(&g->e, all) || !tn_element_forces(&at_rest, still))
        return;
    for (int32_t i = 0; i < g->element->data.nodes; i++)
        all[i] = v3_sub(still[i], all[i]);
    add_to_nodes(sys, g, all, f);
}

void tn_solids_fill(tn_system *sys, double elastic, double viscous, bool positive, const double *u,
                    double *f)
{
    for (int32_t s = 0; s < sys->model->solid_count; s++) {
        const tn_model_solid *solid = &sys->model->solids[s];
        if (solid->modal)
            tn_modal_fill(sys, solid->modal, elastic, viscous, positive, u, f);
        for (int32_t e = 0; e < acting(solid); e++) {
            double K[9 * TN_ELEMENT_NODES * TN_ELEMENT_NODES];
            gathered g;
            gather(sys, f ? u : NULL, solid, e, &g);
            if (!tn_element_stiffness(&g.e, elastic, viscous, positive, K))
                continue;
            tn_solid_scatter(sys, solid, g.element, NULL, g.element->data.nodes, K);
            if (f && g.e.material->viscous > 0.0)
                add_damped(sys, &g, f);
        }
    }
}

/* energy ---------------------------------------------------------------------------------------- */

double tn_solids_energy(const tn_system *sys)
{
    double energy = 0.0;
    for (int32_t s = 0; s < sys->model->solid_count; s++) {
        const tn_model_solid *solid = &sys->model->solids[s];
        if (solid->modal)
            energy += tn_modal_energy(sys, solid->modal);
        for (int32_t e = 0; e < acting(solid); e++) {
            gathered g;
            gather(sys, NULL, solid, e, &g);
            energy += tn_element_energy(&g.e);
        }
    }
    return energy;
}

double tn_solids_power(const tn_system *sys, const double *u)
{
    double power = 0.0;
    for (int32_t s = 0; s < sys->model->solid_count; s++) {
        const tn_model_solid *solid = &sys->model->solids[s];
        if (solid->modal)
            power += tn_modal_power(sys, solid->modal, u);
        for (int32_t e = 0; e < acting(solid); e++) {
            gathered g;
            tn_vec3 forces[TN_ELEMENT_NODES] = {{0.0, 0.0, 0.0}};
            gather(sys, u, solid, e, &g);
            g.e.v = NULL; /* elastic forces alone */
            tn_element_forces(&g.e, forces);
            for (int32_t i = 0; i < g.element->data.nodes; i++)
                power -= v3_dot(forces[i], g.v[i]);
        }
    }
    return power;
}

double tn_solids_losses(const tn_system *sys, const double *u)
{
    double losses = 0.0;
    for (int32_t s = 0; s < sys->model->solid_count; s++) {
        const tn_model_solid *solid = &sys->model->solids[s];
        if (solid->modal)
            losses += tn_modal_losses(sys, solid->modal, u);
        for (int32_t e = 0; e < acting(solid); e++) {
            gathered g;
            if (!(solid->elements[e].material->viscous > 0.0))
                continue;
            gather(sys, u, solid, e, &g);
            losses += tn_element_losses(&g.e);
        }
    }
    return losses;
}
