/* momentum.c: room motion: conserves the momenta of freely floating components exactly.
 *
 * In: the momenta of every floating component (compile_components.c) at the start of a step. After the step its
 * velocities get the one rigid motion that restores
 *     P = P_before + m g h,    L = L_before (about the centre of mass),
 *     V = (P_target - P) / m,  I w = L_before - L,
 * V for all bodies and w about the common centre. A rigid motion does not change joint velocities G u, and the error
 * of generalized-alpha in a step is O(h^3): neither the constraints nor the order are affected. dormand_prince does
 * this in each of its sub-steps.
 *
 * Limits: the velocities of steppers of first order are not corrected, since one of them reproduces ArtiSynth to the
 * last bit and the other dissipates by design. Their position corrections move bodies, which changes x cross m v;
 * tn_momentum_changed reports by how much. A component on which a load of the model acts does not float; while loads
 * from outside act, none does.
 *
 * The sums take four bodies at a time, with the same bits on all machines.
 */
#if defined(__GNUC__)
#pragma GCC diagnostic ignored                                                                     \
    "-Wpsabi" /* no vector leaves or enters a function that is not inlined */
#endif
#define TN_LANES 4
#include <stddef.h>

#include "base/base.h"
#include "math/dense/eig3.h"
#include "math/rows.h"
#include "motion/loads.h"
#include "motion/momentum.h"
#include "sparse/tree/articulated_kernel.h"

struct tn_momentum {
    tn_vec3 linear;  /* kg m/s */
    tn_vec3 angular; /* kg m^2/s, about the component's centre of mass */
};

/* Principal moments of inertia below this share of the largest count as zero (slender rods): no rotation about that
 * axis. */
#define TN_NO_INERTIA 1e-10

/* Mass, centre and momenta of a component, world axes. */
typedef struct tn_component {
    double mass;       /* kg */
    tn_vec3 centre;    /* m */
    tn_momentum total; /* kg m/s; kg m^2/s about the centre */
} tn_component;

/* Four bodies of a component side by side, about its centre. Lanes without a body have zero mass, inertia and
 * velocity. */
typedef struct tn_four_bodies {
    tn_real33 R;
    tn_real3 arm, v, w; /* m; m/s; rad/s, body axes */
    tn_sym3 J;          /* kg m^2, body axes */
    tn_real mass;
} tn_four_bodies;

/* The numbers of a body in the order in which they are gathered, a lane for each body. */
enum { ARM = 0, TURN = 3, SPEED = 7, SPIN = 10, INERTIA = 13, MASS = 19, GATHERED = 20 };

TN_INLINE void put_v3(double (*to)[TN_LANES], int k, tn_vec3 v)
{
    to[0][k] = v.x;
    to[1][k] = v.y;
    to[2][k] = v.z;
}

TN_INLINE void put_place(const tn_sim *sim, int32_t i, tn_vec3 centre, int k,
                         double (*to)[TN_LANES])
{
    const tn_quat *q = &sim->state.q[i];
    put_v3(to + ARM, k, v3_sub(sim->state.x[i], centre));
    to[TURN][k] = q->w;
    put_v3(to + TURN + 1, k, v3(q->x, q->y, q->z));
}

TN_INLINE void put_motion(const tn_sim *sim, const tn_model_body *body, int k,
                          double (*to)[TN_LANES])
{
    const tn_mat3 *I = &body->J;
    tn_vec3 v, w;
    tn_body_unpack(body, sim->state.u, &v, &w);
    put_v3(to + SPEED, k, v);
    put_v3(to + SPIN, k, w);
    put_v3(to + INERTIA, k, v3(I->m[0][0], I->m[1][1], I->m[2][2]));
    put_v3(to + INERTIA + 3, k, v3(I->m[0][1], I->m[0][2], I->m[1][2]));
    to[MASS][k] = body->mass;
}

/* A lane without a body. */
TN_INLINE void put_nothing(int k, double (*to)[TN_LANES])
{
    for (int n = 0; n < GATHERED; n++)
        to[n][k] = 0.0;
    to[TURN][k] = 1.0;
}

TN_INLINE tn_real gathered(double (*from)[TN_LANES], int n)
{
    return (tn_real) * (const tn_v4 *)from[n];
}

TN_INLINE tn_real3 gathered_r3(double (*from)[TN_LANES], int n)
{
    return r3(gathered(from, n), gathered(from, n + 1), gathered(from, n + 2));
}

/* Mass and inertia in one row: of a body, and of a lane without one. */
enum { WEIGHT = 10 };
static const double no_weight[WEIGHT];
_Static_assert(offsetof(tn_model_body, J) == offsetof(tn_model_body, mass) + sizeof(double),
               "mass and inertia are one row");

/* Have the bodies from the n-th on six velocities each? */
TN_INLINE bool are_in_space(const tn_sim *sim, int32_t n, int32_t end)
{
    bool all = true;
    for (int32_t k = n; k < end && k < n + TN_LANES; k++)
        all &= sim->model->bodies[sim->model->floating_bodies[k]].dim == 6;
    return all;
}

/* Reads these as rows. Lanes without a body read the first one again, with zero mass. */
TN_INLINE tn_four_bodies four_in_space(const tn_sim *sim, int32_t n, int32_t end, tn_vec3 centre,
                                       bool places)
{
    tn_rows at, turned, moving, weighing;
    tn_real x[3], q[4], u[6], weight[WEIGHT];
    for (int k = 0; k < TN_LANES; k++) {
        const int32_t i = sim->model->floating_bodies[n + k < end ? n + k : n];
        const tn_model_body *body = &sim->model->bodies[i];
        at.of[k] = &sim->state.x[i].x;
        turned.of[k] = &sim->state.q[i].w;
        moving.of[k] = sim->state.u + body->u;
        weighing.of[k] = (double *)(n + k < end ? &body->mass : no_weight);
    }
    tn_rows_get(&at, 0, 3, x);
    tn_rows_get(&turned, 0, 4, q);
    tn_four_bodies of = {.R = rq_to_r33((tn_realq){q[0], q[1], q[2], q[3]}),
                         .arm = r3(x[0] - centre.x, x[1] - centre.y, x[2] - centre.z)};
    if (places)
        return of;
    tn_rows_get(&moving, 0, 6, u);
    tn_rows_get(&weighing, 0, WEIGHT, weight);
    of.v = r3_load(u);
    of.w = r3_load(u + 3);
    of.mass = weight[0];
    of.J = (tn_sym3){.xx = weight[1],
                     .xy = weight[2],
                     .xz = weight[3],
                     .yy = weight[5],
                     .yz = weight[6],
                     .zz = weight[9]};
    return of;
}

/* The bodies from the n-th on, before `end`. `places`: reads neither velocities nor masses. */
TN_INLINE tn_four_bodies four_from(const tn_sim *sim, int32_t n, int32_t end, tn_vec3 centre,
                                   bool places)
{
    double all[GATHERED][TN_LANES];
    if (are_in_space(sim, n, end))
        return four_in_space(sim, n, end, centre, places);
    for (int k = 0; k < TN_LANES; k++) {
        if (n + k >= end) {
            put_nothing(k, all);
            continue;
        }
        const int32_t i = sim->model->floating_bodies[n + k];
        put_place(sim, i, centre, k, all);
        if (!places)
            put_motion(sim, &sim->model->bodies[i], k, all);
    }
    const tn_realq q = {gathered(all, TURN), gathered(all, TURN + 1), gathered(all, TURN + 2),
                        gathered(all, TURN + 3)};
    tn_four_bodies of = {.R = rq_to_r33(q), .arm = gathered_r3(all, ARM)};
    if (places)
        return of;
    of.v = gathered_r3(all, SPEED);
    of.w = gathered_r3(all, SPIN);
    of.J = (tn_sym3){gathered(all, INERTIA),     gathered(all, INERTIA + 1),
                     gathered(all, INERTIA + 2), gathered(all, INERTIA + 3),
                     gathered(all, INERTIA + 4), gathered(all, INERTIA + 5)};
    of.mass = gathered(all, MASS);
    return of;
}

TN_INLINE tn_real3 spin_of(const tn_four_bodies *of)
{
    return r33_mulv(&of->R, s3_mulv(&of->J, of->w));
}

TN_INLINE double sum_of(tn_real a)
{
    return (r_get(&a, 0) + r_get(&a, 1)) + (r_get(&a, 2) + r_get(&a, 3));
}

TN_INLINE tn_vec3 sum_of_r3(tn_real3 a)
{
    return v3(sum_of(a.x), sum_of(a.y), sum_of(a.z));
}

/* Adds to the upper half of an inertia: R J R^T + m (r^2 - r r^T). */
TN_INLINE void add_inertias(const tn_four_bodies *of, tn_real I[3][3])
{
    const tn_real square = r3_dot(of->arm, of->arm);
    const tn_real3 rows[3] = {r3(of->R.m[0][0], of->R.m[0][1], of->R.m[0][2]),
                              r3(of->R.m[1][0], of->R.m[1][1], of->R.m[1][2]),
                              r3(of->R.m[2][0], of->R.m[2][1], of->R.m[2][2])};
    tn_real r[3];
    r3_store(r, of->arm);
    for (int a = 0; a < 3; a++) {
        const tn_real3 along = s3_mulv(&of->J, rows[a]);
        for (int b = a; b < 3; b++) {
            const tn_real far = a == b ? square - r[a] * r[b] : 0.0 - r[a] * r[b];
            I[a][b] += r3_dot(along, rows[b]) + of->mass * far;
        }
    }
}

/* The momenta of bodies first .. end about a centre; I: their inertia, or NULL. */
TN_INLINE tn_momentum sum_bodies(const tn_sim *sim, int32_t first, int32_t end, tn_vec3 centre,
                                 tn_mat3 *I)
{
    tn_real3 linear = r3_zero(), angular = r3_zero();
    tn_real sums[3][3];
    for (int n = 0; n < 9; n++)
        sums[n / 3][n % 3] = r_splat(0.0);
    for (int32_t n = first; n < end; n += TN_LANES) {
        const tn_four_bodies of = four_from(sim, n, end, centre, false);
        linear = r3_axpy(linear, of.mass, of.v);
        angular = r3_add(angular, r3_axpy(spin_of(&of), of.mass, r3_cross(of.arm, of.v)));
        if (I)
            add_inertias(&of, sums);
    }
    for (int a = 0; a < 3 && I; a++) {
        for (int b = a; b < 3; b++)
            I->m[a][b] = I->m[b][a] = sum_of(sums[a][b]);
    }
    return (tn_momentum){sum_of_r3(linear), sum_of_r3(angular)};
}

/* Adds it to the velocities of four bodies that have six each. */
TN_INLINE void add_to_four(tn_sim *sim, int32_t n, tn_real3 v, tn_real3 spin)
{
    tn_rows moving;
    tn_real u[6], more[6];
    for (int k = 0; k < TN_LANES; k++)
        moving.of[k] = sim->state.u + sim->model->bodies[sim->model->floating_bodies[n + k]].u;
    r3_store(more, v);
    r3_store(more + 3, spin);
    tn_rows_get(&moving, 0, 6, u);
    for (int i = 0; i < 6; i++)
        u[i] += more[i];
    tn_rows_put(&moving, 0, 6, u);
}

/* u += the rigid motion V at the centre, w. */
TN_INLINE void move_bodies(tn_sim *sim, int32_t first, int32_t end, tn_vec3 centre, tn_vec3 V,
                           tn_vec3 w)
{
    const tn_real3 turn = r3(r_splat(w.x), r_splat(w.y), r_splat(w.z)),
                   shift = r3(r_splat(V.x), r_splat(V.y), r_splat(V.z));
    for (int32_t n = first; n < end; n += TN_LANES) {
        const tn_four_bodies of = four_from(sim, n, end, centre, true);
        const tn_real3 v = r3_add(shift, r3_cross(turn, of.arm)), spin = r33_tmulv(&of.R, turn);
        if (n + TN_LANES <= end && are_in_space(sim, n, end)) {
            add_to_four(sim, n, v, spin);
            continue;
        }
        for (int k = 0; k < TN_LANES && n + k < end; k++) {
            tn_body_add(&sim->model->bodies[sim->model->floating_bodies[n + k]],
                        v3(r_get(&v.x, k), r_get(&v.y, k), r_get(&v.z, k)),
                        v3(r_get(&spin.x, k), r_get(&spin.y, k), r_get(&spin.z, k)), sim->state.u);
        }
    }
}

/* Both loops, with AVX2. */
TN_WIDE static void sum_bodies_wide(const tn_sim *sim, int32_t first, int32_t end, tn_vec3 centre,
                                    tn_mat3 *I, tn_momentum *out)
{
    *out = sum_bodies(sim, first, end, centre, I);
}

TN_WIDE static void move_bodies_wide(tn_sim *sim, int32_t first, int32_t end, tn_vec3 centre,
                                     tn_vec3 V, tn_vec3 w)
{
    move_bodies(sim, first, end, centre, V, w);
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
    const int32_t *start = sim->model->floating_start + component;
    tn_component c = {.mass = 0.0};
    c.centre = centre_of(sim, component, &c.mass);
    if (TN_WIDE_COPIES && tn_wide_lanes()) {
        sum_bodies_wide(sim, start[0], start[1], c.centre, I, &c.total);
    } else {
        c.total = sum_bodies(sim, start[0], start[1], c.centre, I);
    }
    return c;
}

/* The sum of the magnitudes of each body's momenta, as a reference. */
static void add_sizes(const tn_sim *sim, int32_t component, tn_vec3 centre, tn_momentum_change *sum)
{
    const int32_t end = sim->model->floating_start[component + 1];
    for (int32_t n = sim->model->floating_start[component]; n < end; n += TN_LANES) {
        const tn_four_bodies of = four_from(sim, n, end, centre, false);
        const tn_real linear = of.mass * r3_norm(of.v);
        sum->linear_size += sum_of(linear);
        sum->angular_size += sum_of(r3_norm(spin_of(&of)) + linear * r3_norm(of.arm));
    }
}

/* w with I w = L; none about axes without inertia. A planar component turns about z only. */
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

static void add_rigid_motion(tn_sim *sim, int32_t component, tn_vec3 centre, tn_vec3 V, tn_vec3 w)
{
    const int32_t *start = sim->model->floating_start + component;
    if (TN_WIDE_COPIES && tn_wide_lanes()) {
        move_bodies_wide(sim, start[0], start[1], centre, V, w);
    } else {
        move_bodies(sim, start[0], start[1], centre, V, w);
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
        tn_mat3 I;
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
