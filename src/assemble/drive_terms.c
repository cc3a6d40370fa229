/* drive_terms.c: room assemble: the forces along driven coordinates (drive_terms.h). */
#include "assemble/drive_terms.h"

#include <math.h>

#include "assemble/elements.h"
#include "assemble/holds.h"

const tn_function *tn_drive_function_at(const tn_system *sys, int32_t index)
{
    const tn_function_list *own = &sys->model->drive_functions;
    return index < own->count ? &own->items[index] : &sys->functions->items[index - own->count];
}

void tn_drive_function(const tn_system *sys, int32_t index, double x, double out[3])
{
    tn_function_evaluate(tn_drive_function_at(sys, index), x, out);
}

tn_dd tn_drive_function_value(const tn_system *sys, int32_t index, tn_dd x)
{
    return tn_function_value(tn_drive_function_at(sys, index), x);
}

double tn_spring_law(const tn_system *sys, const tn_drive *drive, double q, double *slope)
{
    double out[3] = {-drive->set.stiffness * (q - drive->rest), -drive->set.stiffness, 0.0};
    if (drive->set.law_function != TN_NO_FUNCTION)
        tn_drive_function(sys, drive->set.law_function, q - drive->rest, out);
    if (slope)
        *slope = out[1];
    return out[0];
}

double tn_spring_force(const tn_system *sys, const tn_drive *drive, double q, double speed)
{
    if (!drive->set.sprung)
        return 0.0;
    return tn_spring_law(sys, drive, q, NULL) - drive->set.damping * (speed - drive->rest_rate);
}

double tn_soft_row_error(const tn_system *sys, const tn_drive *drive, double C, double q)
{
    if (!drive->set.sprung || drive->spring_side != 0)
        return 0.0;
    return -C * tn_spring_force(sys, drive, q, 0.0);
}

double tn_constraint_force(const tn_system *sys, const tn_state *state, int32_t j,
                           const double *lambda)
{
    const tn_joint_geometry *geometry = &sys->model->joints[j].geometry;
    double constraint[TN_MAX_ROWS] = {0.0};
    for (int32_t k = 0; k < geometry->cls->info.bilateral_count; k++)
        constraint[k] = lambda[k];
    const tn_wrench w = tn_joint_wrench(geometry, &sys->kin[j], &state->switches[j], constraint);
    return v3_norm(w.f);
}

static double constraint_force(const tn_system *sys, const tn_state *state, const tn_drive *drive)
{
    return tn_constraint_force(sys, state, drive->joint,
                               state->lambda + (size_t)drive->joint * TN_MAX_ROWS);
}

tn_friction_bounds tn_friction_bounds_of(const tn_system *sys, const tn_state *state,
                                         const tn_drive *drive)
{
    const tn_drive_settings *set = &drive->set;
    const double f = set->static_share > 0.0 ? constraint_force(sys, state, drive) : 0.0;
    return (tn_friction_bounds){set->friction + set->friction_share * f,
                                set->static_friction + set->static_share * f};
}

double tn_hold_bound(const tn_state *state, const tn_drive *drive, double sticks)
{
    const tn_hold_kind *kind = tn_hold_kind_of(state, drive->joint, drive->coordinate);
    return kind->bound ? kind->bound(drive, sticks) : INFINITY;
}

void tn_drive_motion(const tn_system *sys, const tn_state *state, int32_t j, const double *u,
                     double q[TN_MAX_COORDINATES], double speed[TN_MAX_COORDINATES])
{
    const tn_element_ops *ops = tn_element_ops_of(sys, j);
    tn_dd at[TN_MAX_COORDINATES] = {{0.0, 0.0}};
    ops->measure(sys, state, j, state->coordinates + (size_t)j * TN_MAX_COORDINATES, at);
    for (int32_t i = 0; i < TN_MAX_COORDINATES; i++)
        q[i] = at[i].hi;
    ops->speeds(sys, j, u, tn_motion_rows(&sys->model->joints[j]), speed);
}

static double sign_of(double value)
{
    return value > 0.0 ? 1.0 : value < 0.0 ? -1.0 : 0.0;
}

/* A motor that does not track pushes with its cap, or its part of a round one, which what is
 * stopped has for itself; one without a cap rests at what stops it. */
static double motor_force(const tn_drive *drive, tn_hold hold)
{
    if (drive->set.motor == TN_MOTOR_OFF || hold == TN_HOLD_MOTOR || isinf(drive->set.motor_force))
        return 0.0;
    const double rate = tn_hold_kinds[hold].moves ? drive->rate : 0.0;
    const double side = hold >= TN_HOLD_DRIVER ? sign_of(drive->command - rate)
                                               : drive->motor_side * drive->slip_share;
    return side * drive->set.motor_force;
}

static double dry_friction(const tn_drive *drive, tn_hold hold)
{
    if (!tn_has_friction(&drive->set) || hold == TN_HOLD_FRICTION)
        return 0.0;
    return hold >= TN_HOLD_LOCK ? 0.0 : -drive->slip * drive->slip_share * drive->friction_bound;
}

static double spring_force(const tn_system *sys, const tn_drive *drive, tn_hold hold, double q,
                           double speed)
{
    const double cap = drive->set.spring_force;
    if (!drive->set.sprung)
        return 0.0;
    if (drive->spring_side != 0)
        return drive->spring_side * drive->spring_share * cap;
    if (hold == TN_HOLD_SPRING)
        return 0.0;
    return fmin(fmax(tn_spring_force(sys, drive, q, speed), -cap), cap);
}

static tn_hold hold_of(const tn_state *state, const tn_drive *drive)
{
    return (tn_hold)state->switches[drive->joint].hold[drive->coordinate];
}

void tn_drive_apply_at(const tn_system *sys, const tn_state *state, tn_drive *drive, double q,
                       double speed)
{
    const tn_hold hold = hold_of(state, drive);
    const tn_friction_bounds bounds = tn_friction_bounds_of(sys, state, drive);
    drive->friction_bound = bounds.slips;
    drive->static_bound = bounds.sticks;
    drive->speed = speed;
    const double viscous = hold == TN_HOLD_SPRING ? 0.0 : drive->set.viscous * speed;
    drive->motor_known = motor_force(drive, hold);
    drive->friction_known = dry_friction(drive, hold) - viscous;
    drive->spring_known = spring_force(sys, drive, hold, q, speed);
}

/* Does its spring answer to q and q'? */
static bool is_elastic(const tn_drive *drive)
{
    return drive->set.sprung && drive->spring_side == 0;
}

double tn_soft_row_force(const tn_system *sys, const tn_state *state, const tn_drive *drive,
                         double q, double speed)
{
    if (hold_of(state, drive) != TN_HOLD_SPRING)
        return 0.0;
    const double spring = is_elastic(drive) ? tn_spring_force(sys, drive, q, 0.0) : 0.0;
    return spring - drive->damping * speed;
}

tn_drive_slopes tn_drive_slopes_at(const tn_system *sys, const tn_state *state,
                                   const tn_drive *drive, double q, double speed)
{
    const tn_hold hold = hold_of(state, drive);
    const double cap = drive->set.spring_force;
    tn_drive_slopes out = {0.0, drive->set.viscous};
    if (hold == TN_HOLD_SPRING)
        out.damping = drive->damping;
    if (!is_elastic(drive) ||
        (hold != TN_HOLD_SPRING && fabs(tn_spring_force(sys, drive, q, speed)) >= cap))
        return out;
    double slope;
    tn_spring_law(sys, drive, q, &slope);
    out.stiffness = -slope;
    if (hold != TN_HOLD_SPRING)
        out.damping += drive->set.damping;
    return out;
}

void tn_drive_apply(const tn_system *sys, tn_state *state, int32_t j, const double *u)
{
    double q[TN_MAX_COORDINATES] = {0}, speed[TN_MAX_COORDINATES] = {0};
    tn_drive_motion(sys, state, j, u, q, speed);
    for (int32_t k = state->switches[j].drive; k != TN_NO_DRIVE; k = state->drives[k].next) {
        tn_drive *drive = &state->drives[k];
        tn_drive_apply_at(sys, state, drive, q[drive->coordinate], speed[drive->coordinate]);
    }
}

tn_drive_forces tn_drive_forces_of(const tn_system *sys, const tn_state *state,
                                   const tn_drive *drive, double speed)
{
    const tn_hold_kind *kind = tn_hold_kind_of(state, drive->joint, drive->coordinate);
    const int32_t row = tn_motion_row(&sys->model->joints[drive->joint], drive->coordinate);
    const double lambda = state->lambda[(size_t)drive->joint * TN_MAX_ROWS + (size_t)row];
    const double sticks = tn_friction_bounds_of(sys, state, drive).sticks;
    tn_drive_forces f = {0.0, drive->motor_known, drive->friction_known, drive->spring_known};
    if (kind->share)
        kind->share(drive, (tn_held_row){lambda, speed, sticks}, &f);
    return f;
}

tn_wrench tn_joint_known_wrench(const tn_system *sys, const tn_state *state, int32_t j, int32_t p)
{
    (void)p;
    const int8_t *axes = tn_joint_axes(&sys->model->joints[j].geometry, &sys->kin[j]);
    double W[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}; /* in G */
    for (int32_t k = state->switches[j].drive; k != TN_NO_DRIVE; k = state->drives[k].next) {
        const tn_drive *drive = &state->drives[k];
        const int32_t row = tn_motion_row(&sys->model->joints[j], drive->coordinate);
        for (int i = 0; i < 6; i++) {
            W[i] +=
                tn_drive_applied(drive) * (axes ? axes[row] == i : sys->kin[j].moving->W[row][i]);
        }
    }
    const tn_mat3 *R = &sys->kin[j].R_GW;
    return (tn_wrench){m3_mulv(R, v3_load(W)), m3_mulv(R, v3_load(W + 3))};
}

/* Is this the first drive of an element that is on? Then it stands for all of the element's. */
static int leads(const tn_system *sys, const tn_state *state, int32_t k)
{
    const int32_t j = state->drives[k].joint;
    return state->switches[j].drive == k && tn_state_is_on(sys->model, state, j);
}

void tn_assemble_applied_forces(const tn_system *sys, const tn_state *state, double *f)
{
    for (int32_t k = 0; k < state->head->drive_count; k++) {
        if (leads(sys, state, k))
            tn_element_add_known(sys, state, state->drives[k].joint, f);
    }
}

void tn_assemble_drive_forces(const tn_system *sys, tn_state *state, const double *u, double *f)
{
    for (int32_t k = 0; k < state->head->drive_count; k++) {
        if (leads(sys, state, k))
            tn_drive_apply(sys, state, state->drives[k].joint, u);
    }
    tn_assemble_applied_forces(sys, state, f);
}
