/* stored_energy.c: room assemble/load: what bodies, springs and compliant rows hold, and what is lost.
 *
 * In: a state with its kinematics and coordinates. A compliant row, l = -phi/C - D phi', holds
 * phi^2 / (2 C), takes up phi phi' / C and loses D phi'^2. A spring along a coordinate holds the
 * integral of its law, its cap clipped.
 */
#include "assemble/load/stored_energy.h"

#include <math.h>
#include <string.h>

#include "assemble/armature.h"
#include "assemble/body_terms.h"
#include "assemble/drive_terms.h"
#include "assemble/elements.h"
#include "assemble/load/solids.h"

static void add(tn_stiff_store *sum, tn_stiff_store part)
{
    sum->energy += part.energy;
    sum->power += part.power;
    sum->losses += part.losses;
}

/* Does a spring along a coordinate have the row? */
static bool is_spring(const tn_model_joint *joint, const tn_switches *s, int32_t row)
{
    const tn_joint_type_info *info = &joint->geometry.cls->info;
    return row >= info->bilateral_count && s->hold[info->rows[row].coordinate] == TN_HOLD_SPRING;
}

/* Does a row yield that is none of a spring along a coordinate? */
static bool has_soft_rows(const tn_state *state, int32_t j)
{
    return state->switches[j].compliant & TN_SOFT_OTHER;
}

static void add_rows(const tn_system *sys, const tn_state *state, int32_t j, double h,
                     double *energy, tn_stiff_store *stiff)
{
    const tn_switches *s = &state->switches[j];
    const tn_model_joint *joint = &sys->model->joints[j];
    double phi[TN_MAX_ROWS], speed[TN_MAX_ROWS];
    tn_element_errors(sys, state, j, phi);
    tn_element_speeds(tn_element_ops_of(sys, j), sys, state, j, state->u, speed);
    for (int32_t n = 0; n < s->active_count; n++) {
        const int32_t row = s->active[n];
        const double C = s->compliance[row], D = s->damping[row], A = joint->row_scale[row];
        if (!(C > 0.0) || is_spring(joint, s, row))
            continue;
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): a speed for each row */
        const tn_stiff_store part = {0.5 * phi[n] * phi[n] / C, phi[n] * speed[n] / C,
                                     D * speed[n] * speed[n]};
        *energy += part.energy;
        if (h * h * A > C || h * D * A > 1.0)
            add(stiff, part);
    }
}

/* Panels of the integral of a spring's law; of two Gauss points each. */
#define TN_LAW_PANELS 64

/* -clip(law) integrated from one place of the spring to another. */
static double energy_by_panels(const tn_system *sys, const tn_drive *d, double from, double to)
{
    const double cap = d->set.spring_force, width = (to - from) / TN_LAW_PANELS;
    double sum = 0.0;
    for (int k = 0; k < TN_LAW_PANELS; k++) {
        for (int side = -1; side <= 1; side += 2) {
            const double x = from + width * (k + 0.5 * (1.0 + side / sqrt(3.0)));
            sum -= fmin(fmax(tn_spring_law(sys, d, d->rest + x, NULL), -cap), cap);
        }
    }
    return 0.5 * width * sum;
}

/* -clip(law) integrated from rest to coordinate q: what has a cap between one point of the law and the next. */
static double energy_of_law(const tn_system *sys, const tn_drive *d, double q)
{
    const tn_function *law = tn_drive_function_at(sys, d->set.law_function);
    const double x = q - d->rest, low = fmin(0.0, x), high = fmax(0.0, x);
    if (isinf(d->set.spring_force) && law->def.kind != TN_FUNCTION_CALLBACK)
        return tn_function_integral(law, 0.0) - tn_function_integral(law, x);
    double sum = 0.0, from = low;
    while (from < high) {
        const double to = fmin(high, tn_function_next_knot_until(law, from, high));
        sum += energy_by_panels(sys, d, from, to);
        from = to;
    }
    return x < 0.0 ? -sum : sum;
}

/* A linear spring, up to its cap and beyond. */
static double energy_of_linear(const tn_drive *d, double q)
{
    const double k = d->set.stiffness, cap = d->set.spring_force, x = fabs(q - d->rest);
    return k * x <= cap ? 0.5 * k * x * x : cap * x - 0.5 * cap * cap / k;
}

/* q: its coordinate. Only stiff springs need a power. */
static void add_spring(const tn_system *sys, const tn_state *state, const tn_drive *d, double q,
                       double h, double *energy, tn_stiff_store *stiff)
{
    const double cap = d->set.spring_force;
    const tn_model_joint *joint = &sys->model->joints[d->joint];
    const int8_t row = (int8_t)tn_motion_row(joint, d->coordinate);
    const double A = joint->row_scale[row];
    double slope, speed;
    const double law = tn_spring_law(sys, d, q, &slope);
    tn_stiff_store part = {d->set.law_function == TN_NO_FUNCTION ? energy_of_linear(d, q)
                                                                 : energy_of_law(sys, d, q),
                           0.0, 0.0};
    *energy += part.energy;
    if (!(h * h * A * fabs(slope) > 1.0 || h * A * d->set.damping > 1.0))
        return;
    tn_element_ops_of(sys, d->joint)
        ->speeds(sys, d->joint, state->u, (tn_row_list){&row, 1}, &speed);
    part.power = -fmin(fmax(law, -cap), cap) * (speed - d->rest_rate);
    add(stiff, part);
}

/* rad, m: of kin. */
static double coordinate_of(const tn_system *sys, const tn_state *state, const tn_drive *d)
{
    tn_dd q[TN_MAX_COORDINATES] = {{0.0, 0.0}};
    tn_element_ops_of(sys, d->joint)
        ->measure(sys, state, d->joint, state->coordinates + (size_t)d->joint * TN_MAX_COORDINATES,
                  q);
    return q[d->coordinate].hi;
}

/* Energy of the solids, J. No step resolves their highest frequencies, so the growth of their energy is compared
 * with their power, as for stiff rows. Their losses are checked through the change of energy, as those of bodies. */
static void add_solids(const tn_system *sys, const tn_state *state, double h, double *energy,
                       tn_stiff_store *stiff)
{
    if (sys->model->solid_count == 0)
        return;
    tn_stiff_store part = {tn_solids_energy(sys), 0.0, 0.0};
    *energy += part.energy;
    if (h > 0.0) {
        part.power = tn_solids_power(sys, state->u);
        add(stiff, part);
    }
}

/* `counted`: coordinates of the state are those of kin. */
static double store_of(const tn_system *sys, const tn_state *state, bool counted, double h,
                       tn_stiff_store *stiff)
{
    double energy = 0.0;
    *stiff = (tn_stiff_store){0.0, 0.0, 0.0};
    const int32_t count = sys->model->element_count;
    for (int32_t j = tn_next_special(state, 0, count); j < count;
         j = tn_next_special(state, j + 1, count)) {
        if (has_soft_rows(state, j))
            add_rows(sys, state, j, h, &energy, stiff);
    }
    for (int32_t k = 0; k < state->head->drive_count; k++) {
        const tn_drive *d = &state->drives[k];
        if (d->set.sprung && tn_state_is_on(sys->model, state, d->joint))
            add_spring(sys, state, d,
                       counted ? tn_state_coordinate(state, d->joint, d->coordinate)
                               : coordinate_of(sys, state, d),
                       h, &energy, stiff);
    }
    add_solids(sys, state, h, &energy, stiff);
    return energy;
}

double tn_stored_energy(const tn_system *sys, const tn_state *state)
{
    tn_stiff_store stiff;
    return store_of(sys, state, false, 0.0, &stiff);
}

double tn_store_of(const tn_system *sys, const tn_state *state, double h, tn_stiff_store *stiff)
{
    return store_of(sys, state, true, h, stiff);
}

void tn_body_energy(const tn_system *sys, const tn_state *state, double *kinetic, double *potential)
{
    const tn_model *model = sys->model;
    *kinetic = *potential = 0.0;
    for (int32_t i = 0; i < model->body_count; i++) {
        const tn_model_body *body = &model->bodies[i];
        if (body->dim == 0)
            continue;
        tn_vec3 v, w;
        tn_body_unpack(body, state->u, &v, &w);
        *kinetic += 0.5 * body->mass * v3_dot(v, v) + 0.5 * v3_dot(w, m3_mulv(&body->J, w));
        *potential -= body->mass * v3_dot(model->gravity, state->x[i]);
    }
    *kinetic += tn_armatures_energy(sys, state, state->u);
}

static double row_losses(const tn_system *sys, const tn_state *state, int32_t j)
{
    const tn_switches *s = &state->switches[j];
    double speed[TN_MAX_ROWS], sum = 0.0;
    tn_element_speeds(tn_element_ops_of(sys, j), sys, state, j, state->u, speed);
    for (int32_t n = 0; n < s->active_count; n++) {
        const int32_t row = s->active[n];
        if (s->compliance[row] > 0.0 && !is_spring(&sys->model->joints[j], s, row))
            sum += s->damping[row] * speed[n] * speed[n];
    }
    return sum;
}

double tn_row_losses(const tn_system *sys, const tn_state *state)
{
    double sum = 0.0;
    const int32_t count = sys->model->element_count;
    for (int32_t j = tn_next_special(state, 0, count); j < count;
         j = tn_next_special(state, j + 1, count)) {
        if (has_soft_rows(state, j))
            sum += row_losses(sys, state, j);
    }
    return sum + tn_solids_losses(sys, state->u);
}

double tn_body_losses(const tn_system *sys, const tn_state *state)
{
    double sum = 0.0;
    for (int32_t i = 0; sys->model->damped && i < sys->model->body_count; i++) {
        const tn_model_body *body = &sys->model->bodies[i];
        if (body->dim == 0 || !tn_body_is_damped(body))
            continue;
        tn_vec3 v, w, force = {0.0, 0.0, 0.0}, moment = {0.0, 0.0, 0.0};
        tn_body_unpack(body, state->u, &v, &w);
        tn_body_damping_force(body, &sys->T[i].R, v, w, &force, &moment);
        sum -= v3_dot(force, v) + v3_dot(moment, w);
    }
    return sum;
}
