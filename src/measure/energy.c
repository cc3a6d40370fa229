/* energy.c: room measure: energies and residuals of the current state. */
#include <math.h>

#include "math/worst.h"
#include "assemble/elements.h"
#include "motion/simulation.h"
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

/* Does a spring along a coordinate have the row? */
static int is_spring(const tn_model_joint *joint, const tn_switches *s, int32_t row)
{
    const tn_joint_type_info *info = &joint->geometry.cls->info;
    return row >= info->bilateral_count && s->hold[info->rows[row].coordinate] == TN_HOLD_SPRING;
}

/* 1/2 phi^2 / C of every compliant row, held coordinates included. */
static double row_energy(const tn_sim *sim)
{
    double sum = 0.0;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        double phi[TN_MAX_ROWS];
        if (!s->compliant)
            continue;
        tn_element_errors(&sim->sys, &sim->state, j, phi);
        for (int32_t n = 0; n < s->active_count; n++)
            if (s->compliance[s->active[n]] > 0.0 &&
                !is_spring(&sim->model->joints[j], s, s->active[n]))
                sum += 0.5 * phi[n] * phi[n] / s->compliance[s->active[n]];
    }
    return sum;
}

/* Panels of the integral of a spring's law; of two Gauss points each. */
#define TN_LAW_PANELS 64

/* -clip(law) integrated from rest to coordinate q. */
static double spring_energy(const tn_sim *sim, const tn_drive *d, double q)
{
    const double cap = d->set.spring_force, width = (q - d->rest) / TN_LAW_PANELS;
    double sum = 0.0;
    for (int k = 0; k < TN_LAW_PANELS; k++) {
        for (int side = -1; side <= 1; side += 2) {
            const double x = d->rest + width * (k + 0.5 * (1.0 + side / sqrt(3.0)));
            sum -= fmin(fmax(tn_spring_law(&sim->sys, d, x, NULL), -cap), cap);
        }
    }
    return 0.5 * width * sum;
}

static double springs_energy(const tn_sim *sim)
{
    double sum = 0.0;
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const tn_drive *d = &sim->state.drives[k];
        if (d->set.sprung && tn_state_is_on(sim->model, &sim->state, d->joint))
            sum += spring_energy(sim, d, tn_state_coordinate(&sim->state, d->joint, d->coordinate));
    }
    return sum;
}

tn_energy tn_sim_energy(const tn_sim *sim)
{
    tn_energy energy = {0.0, 0.0, 0.0, 0.0, sim->state.head->work, sim->state.head->lost};
    body_energy(sim, &energy);
    energy.elastic = row_energy(sim) + springs_energy(sim);
    energy.total = energy.kinetic + energy.potential + energy.elastic;
    return energy;
}

/* An element's row may be the worst of all: the larger error and speed of its kind stay. */
static void note_error(tn_residuals *worst, double *largest, int32_t j, int linear, double error,
                       double speed)
{
    double *e = linear ? &worst->position : &worst->angle;
    double *v = linear ? &worst->speed : &worst->turn_rate;
    *e = tn_worst(*e, fabs(error));
    *v = tn_worst(*v, fabs(speed));
    if (!(fabs(error) < *largest)) {
        *largest = fabs(error);
        worst->worst.i = j;
    }
}

/* Rows of held couplings; what a limit of one holds is no constraint of the model. */
static void note_couplings(const tn_sim *sim, tn_residuals *worst, double *largest)
{
    const tn_model *model = sim->model;
    for (int32_t j = model->joint_count; j < model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        double error = 0.0, speed = 0.0;
        if (s->active_count == 0 || s->hold[0] != TN_HOLD_LOCK || s->compliance[0] > 0.0)
            continue;
        tn_element_errors(&sim->sys, &sim->state, j, &error);
        tn_element_speeds(tn_element_ops_of(&sim->sys, j), &sim->sys, &sim->state, j, sim->state.u,
                          &speed);
        note_error(worst, largest, j,
                   model->joints[j].geometry.cls->info.rows[0].flags & TN_ROW_LINEAR, error, speed);
    }
}

tn_residuals tn_sim_residuals(const tn_sim *sim)
{
    tn_residuals worst = {0.0, 0.0, 0.0, 0.0, {-1}};
    double largest = 0.0;
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const tn_model_joint *joint = &sim->model->joints[j];
        const tn_switches *s = &sim->state.switches[j];
        if (s->active_count == 0)
            continue;
        double twist[6];
        tn_assemble_joint_twist(&sim->sys, sim->state.u, j, twist);
        for (int32_t n = 0; n < s->active_count; n++) {
            const int32_t row = s->active[n];
            if (s->compliance[row] > 0.0 || row >= joint->geometry.cls->info.bilateral_count)
                continue;
            const int linear = joint->geometry.cls->info.rows[row].flags & TN_ROW_LINEAR;
            note_error(&worst, &largest, j, linear,
                       tn_joint_row_error(&joint->geometry, &sim->sys.kin[j], row),
                       tn_joint_row_speed(&joint->geometry, &sim->sys.kin[j], row, twist));
        }
    }
    note_couplings(sim, &worst, &largest);
    return worst;
}
