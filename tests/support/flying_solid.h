/* flying_solid.h: test support: solids that fly and turn freely keep their momenta and their energy. */
#ifndef TENON_TESTS_FLYING_SOLID_H
#define TENON_TESTS_FLYING_SOLID_H

#include <check.h>
#include <math.h>

#include "mechanism.h"
#include "motion/simulation.h"
#include "random_numbers.h"

typedef struct totals {
    tn_vec3 momentum, spin; /* about the world's origin */
    double energy;
} totals;

static inline totals totals_of(const mechanism *m)
{
    totals t = {{0, 0, 0}, {0, 0, 0}, tn_sim_energy(m->sim).total};
    for (int32_t i = 0; i < tn_model_get_size(m->model).bodies; i++) {
        const tn_model_body *body = &m->model->bodies[i];
        tn_vec3 v, w;
        tn_body_unpack(body, m->sim->state.u, &v, &w);
        const tn_vec3 p = v3_scale(body->mass, v);
        t.momentum = v3_add(t.momentum, p);
        t.spin = v3_add(t.spin, v3_add(v3_cross(m->sim->state.x[i], p),
                                       m3_mulv(&m->sim->sys.T[i].R, m3_mulv(&body->J, w))));
    }
    return t;
}

/* As one rigid body, but for more_speed, m/s, of each body in any direction, for so many steps of 10 ms. elastic, J: what it stores at the end, at
 * least. */
static inline void expect_free_flight(const char *text, double more_speed, int steps,
                                      double elastic)
{
    mechanism m = mechanism_read(text);
    mechanism_start_exact(&m, 1e-10);
    uint64_t seed = 3;
    for (int32_t i = 0; i < m.model->body_count; i++) {
        const tn_vec3 w = {2.0, 3.0, -4.0}, at = tn_sim_body_pose(m.sim, (tn_body){.i = i}).p;
        const tn_vec3 more = v3_scale(more_speed, random_vector(&seed));
        const tn_twist twist = {v3_add(v3_cross(w, at), more), w};
        ck_assert_int_eq(tn_sim_set_body_velocity(m.sim, (tn_body){.i = i}, twist), TN_OK);
    }
    ck_assert_int_eq(tn_sim_step(m.sim, 1e-3, NULL), TN_OK);
    const totals before = totals_of(&m);
    for (int i = 0; i < steps; i++)
        ck_assert_int_eq(tn_sim_step(m.sim, 1e-2, NULL), TN_OK);
    const totals after = totals_of(&m);
    ck_assert_double_le(v3_norm(v3_sub(after.momentum, before.momentum)), 1e-11);
    ck_assert_double_le(v3_norm(v3_sub(after.spin, before.spin)), 1e-9);
    ck_assert_double_le(fabs(after.energy - before.energy), 1e-7 * before.energy);
    ck_assert_double_gt(tn_sim_energy(m.sim).elastic, elastic);
    mechanism_free(&m);
}

#endif
