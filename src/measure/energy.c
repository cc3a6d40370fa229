/* energy.c: room measure: energies and residuals of the current state. */
#include <math.h>

#include "base/base.h"
#include "math/dense/worst.h"
#include "assemble/elements.h"
#include "assemble/load/stored_energy.h"
#include "motion/simulation.h"
#include "tenon/results.h"

static tn_residuals no_residuals(void)
{
    return (tn_residuals){NAN, NAN, NAN, NAN, {-1}};
}

static tn_energy no_energy(void)
{
    return (tn_energy){NAN, NAN, NAN, NAN, NAN, NAN};
}

tn_energy tn_sim_energy(const tn_sim *sim)
{
    TN_DEMAND(sim, no_energy());
    tn_energy energy = {0.0, 0.0, 0.0, 0.0, sim->state.head->work, sim->state.head->lost};
    tn_body_energy(&sim->sys, &sim->state, &energy.kinetic, &energy.potential);
    energy.elastic = tn_stored_energy(&sim->sys, &sim->state);
    energy.total = energy.kinetic + energy.potential + energy.elastic;
    return energy;
}

/* An element's row may be the worst of all: the larger error and speed of its kind stay. */
static void note_error(const tn_model *model, tn_residuals *worst, double *largest, int32_t j,
                       int linear, double error, double speed)
{
    double *e = linear ? &worst->position : &worst->angle;
    double *v = linear ? &worst->speed : &worst->turn_rate;
    *e = tn_worst(*e, fabs(error));
    *v = tn_worst(*v, fabs(speed));
    if (!(fabs(error) < *largest)) {
        *largest = fabs(error);
        worst->worst = tn_joint_of(model, j);
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
        note_error(model, worst, largest, j,
                   model->joints[j].geometry.cls->info.rows[0].flags & TN_ROW_LINEAR, error, speed);
    }
}

tn_residuals tn_sim_residuals(const tn_sim *sim)
{
    TN_DEMAND(sim, no_residuals());
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
            note_error(sim->model, &worst, &largest, j, linear,
                       tn_joint_row_error(&joint->geometry, &sim->sys.kin[j], row),
                       tn_joint_row_speed(&joint->geometry, &sim->sys.kin[j], row, twist));
        }
    }
    note_couplings(sim, &worst, &largest);
    return worst;
}
