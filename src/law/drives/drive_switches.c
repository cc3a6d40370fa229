/* drive_switches.c: room law/drives: prescribed motions, motors, friction and springs while a
 * simulation runs.
 *
 * In: what the user sets. Out: the settings of the coordinate's drive, and a restart: what holds
 * the coordinate is decided anew there. Functions set here are kept until the simulation goes.
 */
#include <math.h>

#include "law/drives/drives.h"

static bool can_move(const tn_model_joint *joint, int32_t coordinate)
{
    for (int32_t n = joint->kept_bilateral; n < joint->kept_count; n++) {
        if (joint->kept[n] == tn_motion_row(joint, coordinate))
            return true;
    }
    return false;
}

/* The drive of a coordinate as it is, or as it would be made, in *out; false: there is no coordinate that can be driven. */
static bool drive_of(const tn_sim *sim, tn_joint joint, int32_t coordinate, tn_drive *out)
{
    const int32_t j = tn_sim_element(sim, joint);
    if (j < 0 || !tn_model_has_coordinate(sim->model, j, coordinate) ||
        !can_move(&sim->model->joints[j], coordinate))
        return false;
    tn_state_get_drive(sim->model, &sim->state, j, coordinate, out);
    return true;
}

/* What held it is found again at the restart. */
static void changed(tn_sim *sim, tn_drive *d)
{
    const tn_hold_kind *kind = tn_drive_kind(sim, d);
    if (kind->is_set && !kind->is_set(&d->set))
        tn_state_hold(sim->model, &sim->state, d->joint, d->coordinate, TN_HOLD_NONE);
    tn_drive_soften(sim, d, tn_drive_coordinate(sim, d));
    tn_state_count_limited(sim->model, &sim->state);
    sim->state.head->restart = 1;
}

/* All is well with it: only now the state has it. */
static tn_status keep(tn_sim *sim, const tn_drive *d)
{
    tn_drive *kept = tn_state_add_drive(sim->model, &sim->state, d->joint, d->coordinate);
    kept->set = d->set;
    changed(sim, kept);
    return TN_OK;
}

/* Functions of the simulation come after the model's. */
static void shift(const tn_sim *sim, int32_t *index)
{
    if (*index != TN_NO_FUNCTION)
        *index += sim->model->drive_functions.count;
}

static bool is_usable(const tn_function_def *def)
{
    return tn_function_problem(def) == NULL;
}

/* Of what nothing can follow that is elsewhere at once. */
static bool is_continuous(const tn_function_def *def, double from)
{
    return is_usable(def) && isnan(tn_function_jump(def, from));
}

static bool is_unset_or_not_negative(double value)
{
    return isnan(value) || value >= 0.0;
}

/* Round bounds are those of motors with caps or of friction; motors without are at their side. */
static bool fits_round(const tn_sim *sim, const tn_drive *one)
{
    int friction = one->round && tn_has_friction(&one->set);
    int capped = one->round && tn_has_motor(&one->set) && isfinite(one->set.motor_force);
    int free_ones = one->round && tn_has_motor(&one->set) && isinf(one->set.motor_force);
    for (int32_t k = sim->state.switches[one->joint].drive; k != TN_NO_DRIVE;
         k = sim->state.drives[k].next) {
        const tn_drive *d = &sim->state.drives[k];
        const bool other = d->round && d->coordinate != one->coordinate;
        friction |= other && tn_has_friction(&d->set);
        capped |= other && tn_has_motor(&d->set) && isfinite(d->set.motor_force);
        free_ones |= other && tn_has_motor(&d->set) && isinf(d->set.motor_force);
    }
    return !one->round || friction + capped + free_ones <= 1;
}

tn_status tn_sim_set_driver(tn_sim *sim, tn_joint joint, int32_t coordinate,
                            const tn_function_def *position)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    const tn_function_def none = {.kind = TN_FUNCTION_NONE};
    tn_drive d;
    position = position ? position : &none;
    if (!drive_of(sim, joint, coordinate, &d) || d.round || !is_continuous(position, 0.0))
        return TN_ERROR_ARGUMENT;
    const tn_status status = tn_settings_take_motion(&d.set, position, &sim->functions);
    if (status != TN_OK)
        return status;
    shift(sim, &d.set.motion_function);
    return keep(sim, &d);
}

tn_status tn_sim_set_driver_motion(tn_sim *sim, tn_joint joint, int32_t coordinate, double value,
                                   double rate, double acceleration)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    tn_drive d;
    if (!drive_of(sim, joint, coordinate, &d) || d.round || !isfinite(value) || !isfinite(rate) ||
        !isfinite(acceleration))
        return TN_ERROR_ARGUMENT;
    d.set.driven = 1;
    d.set.motion_function = TN_NO_FUNCTION;
    d.set.motion[0] = value;
    d.set.motion[1] = rate;
    d.set.motion[2] = acceleration;
    d.set.motion_time = sim->state.head->time;
    d.set.motion_time_rest = sim->state.head->time_rest;
    return keep(sim, &d);
}

tn_status tn_sim_set_motor(tn_sim *sim, tn_joint joint, int32_t coordinate, const tn_motor_def *def)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    const tn_motor_def none = {.max_force = NAN, .time_constant = NAN};
    tn_drive d;
    def = def ? def : &none;
    if (!drive_of(sim, joint, coordinate, &d) || !is_usable(&def->speed) ||
        !is_usable(&def->position) || !is_unset_or_not_negative(def->max_force) ||
        def->time_constant <= 0.0 || isinf(def->time_constant) ||
        (def->speed.kind != TN_FUNCTION_NONE && def->position.kind != TN_FUNCTION_NONE))
        return TN_ERROR_ARGUMENT;
    const tn_status status = tn_settings_take_motor(&d.set, def, &sim->functions);
    if (status != TN_OK)
        return status;
    if (!fits_round(sim, &d))
        return TN_ERROR_ARGUMENT;
    shift(sim, &d.set.motor_function);
    return keep(sim, &d);
}

/* A drive that has what is to be changed; NULL: it has not. */
static tn_drive *drive_with(const tn_sim *sim, tn_joint joint, int32_t coordinate)
{
    const int32_t j = tn_sim_element(sim, joint);
    return j >= 0 && tn_model_has_coordinate(sim->model, j, coordinate)
               ? tn_state_drive(&sim->state, j, coordinate)
               : NULL;
}

tn_status tn_sim_set_motor_target(tn_sim *sim, tn_joint joint, int32_t coordinate, double target)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    tn_drive *d = drive_with(sim, joint, coordinate);
    if (!d || d->set.motor == TN_MOTOR_OFF || !isfinite(target))
        return TN_ERROR_ARGUMENT;
    d->set.motor_function = TN_NO_FUNCTION;
    d->set.motor_target = target;
    changed(sim, d);
    return TN_OK;
}

tn_status tn_sim_set_motor_cap(tn_sim *sim, tn_joint joint, int32_t coordinate, double max_force)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    tn_drive d;
    if (!drive_of(sim, joint, coordinate, &d) || d.set.motor == TN_MOTOR_OFF || !(max_force >= 0.0))
        return TN_ERROR_ARGUMENT;
    d.set.motor_force = max_force;
    if (!fits_round(sim, &d))
        return TN_ERROR_ARGUMENT;
    return keep(sim, &d);
}

tn_status tn_sim_set_friction(tn_sim *sim, tn_joint joint, int32_t coordinate,
                              const tn_friction_def *def)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    const tn_friction_def none = {0.0, 0.0, 1.0, 0.0, NAN, NAN};
    tn_drive d;
    def = def ? def : &none;
    const double values[] = {def->force,   def->coefficient,  def->radius,
                             def->viscous, def->static_force, def->static_coefficient};
    int good = drive_of(sim, joint, coordinate, &d) && !(def->static_force < def->force) &&
               !(def->static_coefficient < def->coefficient);
    for (int k = 0; k < 6; k++)
        good &= is_unset_or_not_negative(values[k]) && !isinf(values[k]);
    if (!good)
        return TN_ERROR_ARGUMENT;
    const int angular =
        sim->model->joints[d.joint].geometry.cls->info.coordinates[coordinate].angular;
    const int proportional = def->coefficient > 0.0 || def->static_coefficient > 0.0;
    if (proportional && tn_model_as_coupling(sim->model, d.joint) >= 0)
        return TN_ERROR_ARGUMENT; /* no constraint carries a force along a coupling */
    if (proportional && angular && !(def->radius > 0.0))
        return TN_ERROR_ARGUMENT;
    tn_settings_take_friction(&d.set, def);
    if (!fits_round(sim, &d))
        return TN_ERROR_ARGUMENT;
    return keep(sim, &d);
}

static bool is_good_spring(const tn_spring_def *def)
{
    const double values[] = {def->stiffness, def->frequency, def->damping, def->damping_ratio};
    int good = is_continuous(&def->rest, 0.0) && is_continuous(&def->force, -INFINITY) &&
               (isnan(def->max_force) || def->max_force > 0.0);
    for (int k = 0; k < 4; k++)
        good &= is_unset_or_not_negative(values[k]) && !isinf(values[k]);
    const int ways =
        !isnan(def->stiffness) + !isnan(def->frequency) + (def->force.kind != TN_FUNCTION_NONE);
    return good && ways <= 1 && (isnan(def->damping) || isnan(def->damping_ratio));
}

double tn_sim_coordinate_mass(const tn_sim *sim, tn_joint joint, int32_t coordinate)
{
    const int32_t j = tn_sim_element(sim, joint);
    if (j < 0 || !tn_model_has_coordinate(sim->model, j, coordinate))
        return NAN;
    return tn_model_motion_mass(sim->model, j, coordinate, sim->sys.T, sim->state.coordinates);
}

tn_status tn_sim_set_spring(tn_sim *sim, tn_joint joint, int32_t coordinate,
                            const tn_spring_def *def)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    const tn_spring_def none = {
        NAN, NAN, NAN, NAN, {.kind = TN_FUNCTION_NONE}, {.kind = TN_FUNCTION_NONE}, NAN};
    tn_drive d;
    def = def ? def : &none;
    if (!drive_of(sim, joint, coordinate, &d) || !is_good_spring(def))
        return TN_ERROR_ARGUMENT;
    const double mass = tn_sim_coordinate_mass(sim, joint, coordinate);
    const tn_status status = tn_settings_take_spring(&d.set, def, mass, &sim->functions);
    if (status != TN_OK)
        return status;
    shift(sim, &d.set.rest_function);
    shift(sim, &d.set.law_function);
    return keep(sim, &d);
}

tn_status tn_sim_set_spring_rest(tn_sim *sim, tn_joint joint, int32_t coordinate, double rest)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    tn_drive *d = drive_with(sim, joint, coordinate);
    if (!d || !d->set.sprung || !isfinite(rest))
        return TN_ERROR_ARGUMENT;
    d->set.rest_function = TN_NO_FUNCTION;
    d->set.rest = rest;
    changed(sim, d);
    return TN_OK;
}

tn_coordinate_holder tn_sim_coordinate_holder(const tn_sim *sim, tn_joint joint, int32_t coordinate)
{
    const int32_t j = tn_sim_element(sim, joint);
    if (j < 0 || !tn_model_has_coordinate(sim->model, j, coordinate) ||
        !tn_state_is_on(sim->model, &sim->state, j))
        return TN_HELD_BY_NOTHING;
    return tn_hold_kind_of(&sim->state, j, coordinate)->holder;
}
