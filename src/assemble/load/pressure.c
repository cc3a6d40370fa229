/* pressure.c: room assemble/load: pressures on surfaces of solids (pressure.h). */
#include "assemble/load/pressure.h"

#include <math.h>

#include "assemble/joint_terms.h"
#include "assemble/load/solids.h"

/* A face with its nodes, and the forces on them. */
typedef struct loaded {
    const tn_model_solid *solid;
    const tn_model_face *face;
    const tn_model_element *element;
    const tn_body_point *node[TN_FACE_FUNCTIONS];
    tn_vec3 x[TN_FACE_FUNCTIONS], f[TN_FACE_FUNCTIONS];
} loaded;

static const tn_model_surface *surface_of(const tn_system *sys, const tn_load_data *load)
{
    return &sys->model->solids[load->solid].surfaces[load->surface];
}

static void gather(const tn_system *sys, const tn_load_data *load, int32_t number, double pressure,
                   loaded *l)
{
    *l = (loaded){.solid = &sys->model->solids[load->solid],
                  .face = &surface_of(sys, load)->faces[number]};
    l->element = &l->solid->elements[l->face->element];
    for (int32_t i = 0; i < l->face->data->nodes; i++) {
        l->node[i] = &l->solid->nodes[l->element->nodes[l->face->data->node[i]]];
        l->x[i] = tn_solid_node_place(sys, l->node[i]);
    }
    tn_face_forces(l->face->data, l->x, pressure, l->f);
}

void tn_pressure_add(const tn_system *sys, const tn_load_data *load, double pressure, double *f)
{
    const tn_vec3 none = {0.0, 0.0, 0.0};
    for (int32_t k = 0; k < surface_of(sys, load)->count; k++) {
        loaded l;
        gather(sys, load, k, pressure, &l);
        for (int32_t i = 0; i < l.face->data->nodes; i++) {
            if (l.node[i]->body >= 0)
                tn_body_add_wrench(sys, l.node[i]->body, tn_solid_node_arm(sys, l.node[i]),
                                   (tn_wrench){l.f[i], none}, f);
        }
    }
}

tn_wrench tn_pressure_on(const tn_system *sys, const tn_load_data *load, double pressure,
                         int32_t body)
{
    tn_wrench sum = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int32_t k = 0; k < surface_of(sys, load)->count; k++) {
        loaded l;
        gather(sys, load, k, pressure, &l);
        for (int32_t i = 0; i < l.face->data->nodes; i++) {
            if (l.node[i]->body != body)
                continue;
            sum.f = v3_add(sum.f, l.f[i]);
            sum.m = v3_add(sum.m, v3_cross(tn_solid_node_arm(sys, l.node[i]), l.f[i]));
        }
    }
    return sum;
}

double tn_pressure_power(const tn_system *sys, const double *u, const tn_load_data *load,
                         double pressure, double *push)
{
    double power = 0.0;
    for (int32_t k = 0; k < surface_of(sys, load)->count; k++) {
        loaded l;
        gather(sys, load, k, pressure, &l);
        for (int32_t i = 0; i < l.face->data->nodes; i++) {
            power += v3_dot(l.f[i], tn_solid_node_velocity(sys, u, l.node[i]));
            if (push)
                *push += v3_norm(l.f[i]);
        }
    }
    return power;
}

/* Only its symmetric part is in the matrix: of a surface with an edge the rest changes no result. */
static void make_symmetric(double *K, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < i; j++)
            K[i * n + j] = K[j * n + i] = 0.5 * (K[i * n + j] + K[j * n + i]);
    }
}

static void fill(tn_system *sys, const tn_load_data *load, double pressure)
{
    for (int32_t k = 0; k < surface_of(sys, load)->count; k++) {
        double K[9 * TN_FACE_FUNCTIONS * TN_FACE_FUNCTIONS];
        loaded l;
        gather(sys, load, k, pressure, &l);
        tn_face_stiffness(l.face->data, l.x, pressure, K);
        make_symmetric(K, 3 * l.face->data->nodes);
        tn_solid_scatter(sys, l.solid, l.element, l.face->data->node, l.face->data->nodes, K);
    }
}

void tn_pressures_fill(tn_system *sys, double time, double factor)
{
    for (int32_t k = 0; k < sys->model->load_count; k++) {
        const tn_load_data *load = &sys->model->loads[k];
        const double pressure = load->kind == TN_LOAD_PRESSURE ? tn_load_pressure(load, time) : 0.0;
        if (isfinite(pressure) && pressure != 0.0)
            fill(sys, load, factor * pressure);
    }
}
