/* energy.c: room measure: energies and residuals of the current state. */
#include <math.h>

#include "assemble/joint_terms.h"
#include "integrate/sim_internal.h"
#include "tenon/results.h"

/* 1/2 m v^2 + 1/2 w.J w and -m g.x of every moving body. */
static void body_energy(const tn_sim *sim, tn_energy *energy)
{
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        if (body->dim == 0)
            continue;
        tn_vec3 v, w;
        tn_body_unpack(body, sim->state.u, &v, &w);
        energy->kinetic += 0.5 * body->mass * v3_dot(v, v) + 0.5 * v3_dot(w, m3_mulv(&body->J, w));
        energy->potential -= body->mass * v3_dot(sim->model->gravity, sim->state.x[i]);
    }
}

/* 1/2 phi^2 / C of every compliant row, held coordinates included. */
static double elastic_energy(const tn_sim *sim)
{
    double sum = 0.0;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        double phi[TN_MAX_ROWS];
        if (!s->compliant)
            continue;
        tn_joint_errors(&sim->sys, &sim->state, j, phi);
        for (int32_t n = 0; n < s->active_count; n++)
            if (s->compliance[s->active[n]] > 0.0)
                sum += 0.5 * phi[n] * phi[n] / s->compliance[s->active[n]];
    }
    return sum;
}

tn_energy tn_sim_energy(const tn_sim *sim)
{
    tn_energy energy = {0.0, 0.0, 0.0, 0.0};
    body_energy(sim, &energy);
    energy.elastic = elastic_energy(sim);
    energy.total = energy.kinetic + energy.potential + energy.elastic;
    return energy;
}

tn_residuals tn_sim_residuals(const tn_sim *sim)
{
    tn_residuals worst = {0.0, 0.0, 0.0, 0.0, {-1}};
    double largest = 0.0;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_model_joint *joint = &sim->model->joints[j];
        const tn_switches *s = &sim->state.switches[j];
        if (s->active_count == 0)
            continue;
        double twist[6];
        tn_joint_relative_twist(&sim->sys.kin[j],
                                tn_assemble_twist(&sim->sys, sim->state.u, joint->a),
                                tn_assemble_twist(&sim->sys, sim->state.u, joint->b), twist);
        for (int32_t n = 0; n < s->active_count; n++) {
            const int32_t row = s->active[n];
            if (s->compliance[row] > 0.0 || row >= joint->geometry.cls->info.bilateral_count)
                continue;
            const int linear = joint->geometry.cls->info.rows[row].flags & TN_ROW_LINEAR;
            const double error = fabs(tn_joint_row_error(&joint->geometry, &sim->sys.kin[j], row));
            const double speed =
                fabs(tn_joint_row_speed(&joint->geometry, &sim->sys.kin[j], row, twist));
            double *e = linear ? &worst.position : &worst.angle;
            double *v = linear ? &worst.speed : &worst.turn_rate;
            *e = fmax(*e, error);
            *v = fmax(*v, speed);
            if (error >= largest) {
                largest = error;
                worst.worst.i = j;
            }
        }
    }
    return worst;
}
