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
    double mass;       /* kg */
    tn_vec3 centre;    /* m */
    tn_momentum total; /* kg m/s; kg m^2/s about the centre */
} tn_component;

/* The n-th body of a component, with its velocities, about the component's centre. */
typedef struct tn_component_body {
    const tn_model_body *body;
    tn_mat3 R, RJ;
    tn_vec3 arm, v, spin; /* m; m/s; kg m^2/s, about its own centre */
} tn_component_body;

static tn_component_body body_of(const tn_sim *sim, int32_t n, tn_vec3 centre)
{
    const int32_t i = sim->model->floating_bodies[n];
    tn_component_body of = {.body = &sim->model->bodies[i],
                            .R = q_to_m3(sim->state.q[i]),
                            .arm = v3_sub(sim->state.x[i], centre)};
    tn_vec3 w;
    tn_body_unpack(of.body, sim->state.u, &of.v, &w);
    of.RJ = m3_mul(&of.R, &of.body->J);
    of.spin = m3_mulv(&of.RJ, w);
    return of;
}

/* Onto the upper half of an inertia: R J R^T + m (r^2 - r r^T). */
static void add_inertia(const tn_component_body *of, tn_mat3 *I)
{
    double r[3];
    v3_store(r, of->arm);
    const double square = v3_dot(of->arm, of->arm), mass = of->body->mass;
    for (int a = 0; a < 3; a++) {
        for (int b = a; b < 3; b++)
            I->m[a][b] += v3_dot(v3_load(of->RJ.m[a]), v3_load(of->R.m[b])) +
                          mass * ((a == b ? square : 0.0) - r[a] * r[b]);
    }
}

static tn_vec3 centre_of(const tn_sim *sim, int32_t component, double *mass)
{
    tn_vec3 sum = {0.0, 0.0, 0.0};
    *mass = 0.0;
    for (int32_t n = sim->model->floating_start[component];
         n < sim->model->floating_start[component + 1]; n++) {
        const int32_t i = sim->model->floating_bodies[n];
        *mass += sim->model->bodies[i].mass;
        sum = v3_axpy(sum, sim->model->bodies[i].mass, sim->state.x[i]);
    }
    return *mass > 0.0 ? v3_scale(1.0 / *mass, sum) : sum;
}

/* I: its inertia about its centre, world axes; or NULL. */
static tn_component component_of(const tn_sim *sim, int32_t component, tn_mat3 *I)
{
    tn_component c = {.mass = 0.0};
    c.centre = centre_of(sim, component, &c.mass);
    for (int32_t n = sim->model->floating_start[component];
         n < sim->model->floating_start[component + 1]; n++) {
        const tn_component_body of = body_of(sim, n, c.centre);
        c.total.linear = v3_axpy(c.total.linear, of.body->mass, of.v);
        c.total.angular =
            v3_add(c.total.angular, v3_axpy(of.spin, of.body->mass, v3_cross(of.arm, of.v)));
        if (I)
            add_inertia(&of, I);
    }
    for (int a = 1; a < 3; a++) {
        for (int b = 0; b < a && I; b++)
            I->m[a][b] = I->m[b][a];
    }
    return c;
}

/* The momenta of each body without direction, added up. */
static void add_sizes(const tn_sim *sim, int32_t component, tn_vec3 centre, tn_momentum_change *sum)
{
    for (int32_t n = sim->model->floating_start[component];
         n < sim->model->floating_start[component + 1]; n++) {
        const tn_component_body of = body_of(sim, n, centre);
        const double linear = of.body->mass * v3_norm(of.v);
        sum->linear_size += linear;
        sum->angular_size += v3_norm(of.spin) + linear * v3_norm(of.arm);
    }
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
        sim->momenta[k] = component_of(sim, k, NULL).total;
}

void tn_momentum_restore(tn_sim *sim, double h)
{
    const tn_model *model = sim->model;
    for (int32_t k = 0; k < model->floating_count && !tn_loads_from_outside(sim); k++) {
        tn_mat3 I = {{{0.0}}};
        const tn_component c = component_of(sim, k, &I);
        const int flat = model->bodies[model->floating_bodies[model->floating_start[k]]].dim != 6;
        if (!(c.mass > 0.0))
            continue;
        const tn_vec3 lost = v3_sub(sim->momenta[k].linear, c.total.linear);
        const tn_vec3 V = v3_axpy(v3_scale(1.0 / c.mass, lost), h, model->gravity);
        const tn_vec3 L = v3_sub(sim->momenta[k].angular, c.total.angular);
        add_rigid_motion(sim, k, c.centre, V, turn_with(&I, L, flat));
    }
}

tn_momentum_change tn_momentum_changed(const tn_sim *sim, double h)
{
    tn_momentum_change sum = {0.0, 0.0, 0.0, 0.0};
    for (int32_t k = 0; k < sim->model->floating_count && !tn_loads_from_outside(sim); k++) {
        const tn_component c = component_of(sim, k, NULL);
        const tn_vec3 fallen = v3_scale(c.mass * h, sim->model->gravity);
        const tn_vec3 P = v3_add(sim->momenta[k].linear, fallen);
        sum.linear += v3_norm(v3_sub(c.total.linear, P));
        sum.angular += v3_norm(v3_sub(c.total.angular, sim->momenta[k].angular));
        add_sizes(sim, k, c.centre, &sum);
    }
    return sum;
}
