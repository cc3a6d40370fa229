/* momentum.c: room motion: the exact momenta of bodies that float freely.
 *
 * In: the momenta of every floating component (compile_components.c) at the start of a step. After
 * the step its velocities get the one rigid motion that brings back
 *     P = P_before + m g h,    L = L_before (about the centre of mass),
 *     V = (P_target - P) / m,  I w = L_before - L,
 * V for all bodies and w about the common centre. A rigid motion leaves all joint velocities G u as
 * they are, and what generalized-alpha loses in a step is O(h^3), so that neither the constraints
 * nor the order notice. dormand_prince does so in each of its parts.
 *
 * Limits: the steppers of first order keep their own velocities, since one is ArtiSynth's to the
 * last bit and the other dissipates on purpose; their position corrections move bodies, which changes x cross m v. By
 * how much is reported (tn_momentum_changed). Loads of the model are no part of floating
 * components; while others act nothing floats.
 */
#include "base/base.h"
#include "motion/momentum.h"
#include "motion/loads.h"
#include "math/dense/eig3.h"

struct tn_momentum {
    tn_vec3 linear;  /* kg m/s */
    tn_vec3 angular; /* kg m^2/s, about the component's centre of mass */
};

/* A principal moment below this fraction of the largest cannot be turned about: slender rods. */
#define TN_NO_INERTIA 1e-10

/* Mass, centre and momenta of a component, world axes. */
typedef struct tn_component {
    double mass;            /* kg */
    tn_vec3 centre;         /* m */
    tn_momentum total;      /* kg m/s; kg m^2/s about the centre */
    double linear, angular; /* the same of each body without direction, added up */
} tn_component;

static tn_component component_of(const tn_sim *sim, int32_t component)
{
    const tn_model *model = sim->model;
    tn_component c = {.mass = 0.0};
    const int32_t first = model->floating_start[component];
    const int32_t end = model->floating_start[component + 1];
    for (int32_t k = first; k < end; k++) {
        const int32_t i = model->floating_bodies[k];
        tn_vec3 v, w;
        tn_body_unpack(&model->bodies[i], sim->state.u, &v, &w);
        c.mass += model->bodies[i].mass;
        c.centre = v3_axpy(c.centre, model->bodies[i].mass, sim->state.x[i]);
        c.total.linear = v3_axpy(c.total.linear, model->bodies[i].mass, v);
        c.linear += model->bodies[i].mass * v3_norm(v);
    }
    if (c.mass > 0.0)
        c.centre = v3_scale(1.0 / c.mass, c.centre);
    for (int32_t k = first; k < end; k++) {
        const int32_t i = model->floating_bodies[k];
        const tn_model_body *body = &model->bodies[i];
        const tn_mat3 R = q_to_m3(sim->state.q[i]);
        tn_vec3 v, w;
        tn_body_unpack(body, sim->state.u, &v, &w);
        const tn_vec3 arm = v3_sub(sim->state.x[i], c.centre);
        const tn_vec3 spin = m3_mulv(&R, m3_mulv(&body->J, w));
        c.total.angular = v3_add(c.total.angular, v3_axpy(spin, body->mass, v3_cross(arm, v)));
        c.angular += v3_norm(spin) + body->mass * v3_norm(arm) * v3_norm(v);
    }
    return c;
}

/* Inertia of a component about its centre, world axes: sum R J R^T + m (r^2 - r r^T). */
static tn_mat3 inertia_of(const tn_sim *sim, int32_t component, tn_vec3 centre)
{
    tn_mat3 I = {{{0.0}}};
    for (int32_t k = sim->model->floating_start[component];
         k < sim->model->floating_start[component + 1]; k++) {
        const int32_t i = sim->model->floating_bodies[k];
        const tn_model_body *body = &sim->model->bodies[i];
        const tn_mat3 R = q_to_m3(sim->state.q[i]);
        const tn_mat3 RJ = m3_mul(&R, &body->J), Rt = m3_transpose(&R), J = m3_mul(&RJ, &Rt);
        double r[3];
        v3_store(r, v3_sub(sim->state.x[i], centre));
        const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++)
                I.m[a][b] += J.m[a][b] + body->mass * ((a == b ? square : 0.0) - r[a] * r[b]);
        }
    }
    return I;
}

/* w with I w = L; nothing about axes without inertia. A planar component turns about z only. */
static tn_vec3 turn_with(const tn_mat3 *I, tn_vec3 L, int flat)
{
    if (flat)
        return v3(0.0, 0.0, I->m[2][2] > 0.0 ? L.z / I->m[2][2] : 0.0);
    double moments[3];
    tn_mat3 axes;
    tn_eig3(I, moments, &axes);
    tn_vec3 w = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        const tn_vec3 axis = m3_column(&axes, i);
        if (moments[i] > TN_NO_INERTIA * moments[2])
            w = v3_axpy(w, v3_dot(axis, L) / moments[i], axis);
    }
    return w;
}

/* u += the rigid motion V at the centre, w. */
static void add_rigid_motion(tn_sim *sim, int32_t component, tn_vec3 centre, tn_vec3 V, tn_vec3 w)
{
    for (int32_t k = sim->model->floating_start[component];
         k < sim->model->floating_start[component + 1]; k++) {
        const int32_t i = sim->model->floating_bodies[k];
        const tn_mat3 R = q_to_m3(sim->state.q[i]);
        const tn_vec3 arm = v3_sub(sim->state.x[i], centre);
        tn_body_add(&sim->model->bodies[i], v3_add(V, v3_cross(w, arm)), m3_tmulv(&R, w),
                    sim->state.u);
    }
}

tn_status tn_momenta_create(tn_sim *sim)
{
    sim->momenta = TN_NEW_ARRAY(tn_momentum, sim->model->floating_count);
    return sim->momenta ? TN_OK : TN_ERROR_MEMORY;
}

void tn_momenta_destroy(tn_sim *sim)
{
    tn_free(sim->momenta);
}

void tn_momentum_note(tn_sim *sim)
{
    for (int32_t k = 0; k < sim->model->floating_count; k++)
        sim->momenta[k] = component_of(sim, k).total;
}

void tn_momentum_restore(tn_sim *sim, double h)
{
    const tn_model *model = sim->model;
    for (int32_t k = 0; k < model->floating_count && !tn_loads_from_outside(sim); k++) {
        const tn_component c = component_of(sim, k);
        const int flat = model->bodies[model->floating_bodies[model->floating_start[k]]].dim != 6;
        if (!(c.mass > 0.0))
            continue;
        const tn_vec3 lost = v3_sub(sim->momenta[k].linear, c.total.linear);
        const tn_vec3 V = v3_axpy(v3_scale(1.0 / c.mass, lost), h, model->gravity);
        const tn_mat3 I = inertia_of(sim, k, c.centre);
        const tn_vec3 L = v3_sub(sim->momenta[k].angular, c.total.angular);
        add_rigid_motion(sim, k, c.centre, V, turn_with(&I, L, flat));
    }
}

tn_momentum_change tn_momentum_changed(const tn_sim *sim, double h)
{
    tn_momentum_change sum = {0.0, 0.0, 0.0, 0.0};
    for (int32_t k = 0; k < sim->model->floating_count && !tn_loads_from_outside(sim); k++) {
        const tn_component c = component_of(sim, k);
        const tn_vec3 fallen = v3_scale(c.mass * h, sim->model->gravity);
        const tn_vec3 P = v3_add(sim->momenta[k].linear, fallen);
        sum.linear += v3_norm(v3_sub(c.total.linear, P));
        sum.angular += v3_norm(v3_sub(c.total.angular, sim->momenta[k].angular));
        sum.linear_size += c.linear;
        sum.angular_size += c.angular;
    }
    return sum;
}
