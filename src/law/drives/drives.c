/* drives.c: room law/drives: moving targets, and what may hold a driven coordinate.
 *
 * A held value v is moved over a step from t to t + h by
 *     prescribed motion   v = q(t + h), the sum of two doubles
 *     speed motor         v += integral of speed(t), by three Gauss points
 *     position motor      e = target - v shrinks by exp(-h / T):  v = target(t + h) - e exp(-h / T)
 * with its first and second derivative. All three are exact for constant speed and target, and far
 * beyond the order of the steppers otherwise.
 */
#include <math.h>

#include "real/real.h"
#include "law/drives/drives.h"
#include "motion/kinematics.h"

/* Gauss points and weights on 0 .. 1. */
static const double gauss_at[3] = {0.1127016653792583, 0.5, 0.8872983346207417};
static const double gauss_weight[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};

/* A function of the time, with the slopes that it has in the part at hand: at the points of a table it has two. */
static void given_at(const tn_sim *sim, int32_t function, double t, double out[3])
{
    const double within = fmin(fmax(t, sim->smooth_from), sim->smooth_to);
    tn_drive_function(&sim->sys, function, within, out);
}

/* The prescribed motion at time t, with its rate and acceleration: to the last digit of an angle
 * within a turn, however many turns there were before. */
static tn_dd motion_at(const tn_sim *sim, const tn_drive_settings *s, tn_dd t, double out[3])
{
    if (s->motion_function != TN_NO_FUNCTION) {
        given_at(sim, s->motion_function, t.hi, out);
        return tn_drive_function_value(&sim->sys, s->motion_function, t);
    }
    const tn_dd d = dd_add(t, (tn_dd){-s->motion_time, -s->motion_time_rest});
    const tn_dd mean =
        dd_add((tn_dd){s->motion[1], 0.0}, dd_mul(d, (tn_dd){0.5 * s->motion[2], 0.0}));
    out[1] = s->motion[1] + d.hi * s->motion[2];
    out[2] = s->motion[2];
    return dd_add((tn_dd){s->motion[0], 0.0}, dd_mul(d, mean));
}

/* h seconds after the start of the part of a step. */
static tn_dd time_after(const tn_sim *sim, double h)
{
    return dd_add((tn_dd){sim->event_time, sim->event_rest}, (tn_dd){h, 0.0});
}

/* The motor's target and its derivatives at time t. */
static void motor_at(const tn_sim *sim, const tn_drive_settings *s, double t, double out[3])
{
    out[0] = s->motor_target;
    out[1] = out[2] = 0.0;
    if (s->motor_function != TN_NO_FUNCTION)
        given_at(sim, s->motor_function, t, out);
}

double tn_drive_command(const tn_sim *sim, const tn_drive *d, double t, double q)
{
    double target[3];
    motor_at(sim, &d->set, t, target);
    if (d->set.motor != TN_MOTOR_POSITION)
        return target[0];
    return target[1] + (target[0] - q) / d->set.motor_time_constant;
}

double tn_drive_command_rate(const tn_sim *sim, const tn_drive *d, double t)
{
    double target[3];
    motor_at(sim, &d->set, t, target);
    if (d->set.motor != TN_MOTOR_POSITION)
        return target[1];
    return target[2] + (target[1] - tn_drive_speed(sim, d)) / d->set.motor_time_constant;
}

static double integral_of_speed(const tn_sim *sim, const tn_drive *d, double t, double h)
{
    double sum = 0.0, out[3];
    for (int k = 0; k < 3; k++) {
        motor_at(sim, &d->set, t + gauss_at[k] * h, out);
        sum += gauss_weight[k] * out[0];
    }
    return h * sum;
}

static void move_motor(const tn_sim *sim, tn_drive *d, double t, double h, double *value)
{
    const double T = d->set.motor_time_constant;
    double now[3], then[3];
    motor_at(sim, &d->set, t, now);
    motor_at(sim, &d->set, t + h, then);
    if (d->set.motor == TN_MOTOR_POSITION) {
        const double e = (now[0] - *value) * tn_exp(-h / T);
        *value = then[0] - e;
        d->held_rest = 0.0;
        d->rate = then[1] + e / T;
        d->acceleration = then[2] - e / (T * T);
    } else {
        const tn_dd way = {integral_of_speed(sim, d, t, h), 0.0};
        const tn_dd moved = dd_add((tn_dd){*value, d->held_rest}, way);
        *value = moved.hi;
        d->held_rest = moved.lo;
        d->rate = then[0];
        d->acceleration = then[1];
    }
}

void tn_drive_soften(tn_sim *sim, tn_drive *d, double q)
{
    double slope = 0.0;
    const tn_switches *s = &sim->state.switches[d->joint];
    if (d->set.sprung)
        tn_spring_law(&sim->sys, d, q, &slope);
    const int linear = d->set.sprung && d->spring_side == 0;
    const double stiffness = linear ? fmax(0.0, -slope) : 0.0,
                 damping = d->set.viscous + (linear ? d->set.damping : 0.0);
    if (s->hold[d->coordinate] == TN_HOLD_SPRING && stiffness == d->stiffness &&
        damping == d->damping)
        return; /* its row is that */
    d->stiffness = stiffness;
    d->damping = damping;
    if (s->hold[d->coordinate] <= TN_HOLD_SPRING)
        tn_state_hold(sim->model, &sim->state, d->joint, d->coordinate, TN_HOLD_NONE);
}

static void move_rest(const tn_sim *sim, tn_drive *d, double t)
{
    double out[3] = {d->set.rest, 0.0, 0.0};
    if (d->set.rest_function != TN_NO_FUNCTION)
        given_at(sim, d->set.rest_function, t, out);
    d->rest = out[0];
    d->rest_rate = out[1];
}

static void move_driver(const tn_sim *sim, tn_drive *d, tn_dd t, double *value)
{
    double out[3];
    const tn_dd q = motion_at(sim, &d->set, t, out);
    d->target = q.hi;
    d->target_rate = out[1];
    if (value) {
        *value = q.hi;
        d->held_rest = q.lo;
        d->rate = out[1];
        d->acceleration = out[2];
    }
}

/* Where its coordinate is held, to be moved. */
static double *held_at(tn_sim *sim, const tn_drive *d)
{
    return &tn_state_edit(&sim->state, d->joint)->hold_value[d->coordinate];
}

void tn_drives_move(tn_sim *sim, double h)
{
    const tn_dd then = time_after(sim, h);
    const double t = sim->event_time;
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        tn_drive *d = &sim->state.drives[k];
        const tn_hold hold = tn_drive_hold_of(sim, d);
        move_rest(sim, d, then.hi);
        tn_drive_soften(sim, d, tn_drive_coordinate(sim, d));
        if (d->round)
            tn_round_move(sim, d, h);
        if (d->set.driven) {
            move_driver(sim, d, then, hold == TN_HOLD_DRIVER ? held_at(sim, d) : NULL);
        }
        if (d->set.motor == TN_MOTOR_OFF)
            continue;
        if (hold == TN_HOLD_MOTOR)
            move_motor(sim, d, t, h, held_at(sim, d));
        d->command = tn_drive_command(sim, d, then.hi, tn_drive_coordinate(sim, d));
    }
}

/* A motor without a speed would be off, a spring's rest without a value takes all with it. */
bool tn_drives_have_values(const tn_sim *sim, int32_t *joint)
{
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const tn_drive *d = &sim->state.drives[k];
        const bool motor = d->set.motor == TN_MOTOR_OFF || isfinite(d->command);
        const bool driver = !d->set.driven || isfinite(d->target + d->target_rate);
        if (!motor || !driver || !isfinite(d->rest + d->rest_rate)) {
            *joint = d->joint;
            return false;
        }
    }
    return true;
}

int32_t tn_drives_without_value(const tn_sim *sim, double t)
{
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const tn_drive *d = &sim->state.drives[k];
        const int32_t functions[] = {d->set.motion_function, d->set.motor_function,
                                     d->set.rest_function};
        for (size_t i = 0; i < TN_COUNT_OF(functions); i++) {
            double out[3] = {0.0};
            if (functions[i] != TN_NO_FUNCTION)
                tn_drive_function(&sim->sys, functions[i], t, out);
            if (!isfinite(out[0]))
                return d->joint;
        }
    }
    return -1;
}

double tn_drive_speed(const tn_sim *sim, const tn_drive *d)
{
    double speeds[TN_MAX_COORDINATES] = {0};
    tn_coordinate_speeds(sim, d->joint, speeds);
    return speeds[d->coordinate];
}

double tn_drive_bound(const tn_sim *sim, const tn_drive *d)
{
    const double sticks = tn_friction_bounds_of(&sim->sys, &sim->state, d).sticks;
    return tn_hold_bound(&sim->state, d, sticks);
}

void tn_drive_free(tn_sim *sim, const tn_drive *d)
{
    *tn_state_held_force(sim->model, &sim->state, d->joint, d->coordinate) = 0.0;
    tn_state_hold(sim->model, &sim->state, d->joint, d->coordinate, TN_HOLD_NONE);
}

double tn_drive_tolerance(const tn_sim *sim, const tn_drive *d, tn_hold wanted, double step)
{
    const tn_model_joint *joint = &sim->model->joints[d->joint];
    if (tn_drive_hold_of(sim, d) != wanted || sim->traits.accelerations)
        return TN_SAME_SPEED; /* what an impact has set going is stopped in its own time */
    return fmax(TN_SAME_SPEED, step * tn_drive_bound(sim, d) *
                                   joint->row_scale[tn_motion_row(joint, d->coordinate)]);
}

void tn_drive_hold_here(tn_sim *sim, tn_drive *d, tn_hold hold)
{
    if (tn_drive_hold_of(sim, d) != hold) {
        *held_at(sim, d) = tn_drive_coordinate(sim, d);
        d->held_rest = 0.0;
        d->caught = 1;
    }
    d->rate = hold == TN_HOLD_MOTOR ? d->command : 0.0;
    d->acceleration = 0.0;
    tn_state_hold(sim->model, &sim->state, d->joint, d->coordinate, hold);
    if (hold == TN_HOLD_MOTOR)
        move_motor(sim, d, sim->now, 0.0, held_at(sim, d));
    d->slip = tn_drive_rubs(d);
}

int8_t tn_drive_rubs(const tn_drive *d)
{
    if (!tn_has_friction(&d->set))
        return 0;
    return tn_sign(fabs(d->rate) > TN_SAME_SPEED ? d->rate : d->acceleration);
}

/* Below its cap a spring is soft, above it a force. */
static void sort_spring(tn_sim *sim, tn_drive *d, double q, double speed)
{
    const double force = tn_spring_force(&sim->sys, d, q, speed);
    d->spring_side = 0;
    if (d->set.sprung && fabs(force) > d->set.spring_force)
        d->spring_side = tn_sign(force);
    tn_drive_soften(sim, d, q);
}

static void sort_drive(tn_sim *sim, tn_drive *d, double step)
{
    const tn_drive_settings *set = &d->set;
    const double q = tn_drive_coordinate(sim, d), speed = tn_drive_speed(sim, d);
    if (!tn_state_is_on(sim->model, &sim->state, d->joint) ||
        tn_drive_hold_of(sim, d) >= TN_HOLD_LOCK)
        return;
    if (d->round) {
        tn_round_sort(sim, d, step);
        return;
    }
    sort_spring(sim, d, q, speed);
    d->motor_side = d->slip = 0;
    if (set->driven) {
        tn_state_hold(sim->model, &sim->state, d->joint, d->coordinate, TN_HOLD_DRIVER);
        move_driver(sim, d, time_after(sim, sim->now - sim->event_time), held_at(sim, d));
        d->slip = tn_drive_rubs(d);
        return;
    }
    d->command = tn_drive_command(sim, d, sim->now, q);
    const int tracks = tn_has_motor(set) && (isinf(set->motor_force) ||
                                             fabs(speed - d->command) <=
                                                 tn_drive_tolerance(sim, d, TN_HOLD_MOTOR, step));
    const int sticks =
        tn_has_friction(set) && fabs(speed) <= tn_drive_tolerance(sim, d, TN_HOLD_FRICTION, step);
    if (tn_has_motor(set) && !tracks)
        d->motor_side = tn_sign(d->command - speed);
    if (tn_has_friction(set) && !sticks)
        d->slip = tn_sign(speed);
    const tn_hold hold = tracks ? TN_HOLD_MOTOR : sticks ? TN_HOLD_FRICTION : TN_HOLD_NONE;
    if (hold != TN_HOLD_NONE) {
        tn_drive_hold_here(sim, d, hold);
    } else {
        tn_state_hold(sim->model, &sim->state, d->joint, d->coordinate, TN_HOLD_NONE);
    }
}

void tn_drives_sort(tn_sim *sim, double step)
{
    for (int32_t k = 0; k < sim->state.head->drive_count; k++)
        sort_drive(sim, &sim->state.drives[k], step);
}

void tn_drives_retake(tn_sim *sim, int32_t joint, int32_t coordinate)
{
    tn_drive *d = tn_state_drive(&sim->state, joint, coordinate);
    if (d)
        sort_drive(sim, d, 0.0);
}

double tn_drives_pressing(const tn_sim *sim, int32_t joint, int32_t coordinate, double step)
{
    const tn_drive *d = tn_state_drive(&sim->state, joint, coordinate);
    if (!d)
        return NAN;
    const tn_switches *s = &sim->state.switches[joint];
    const double side = -tn_hold_kind_of(&sim->state, joint, coordinate)->pushes;
    if (d->set.driven) {
        const double out = side * (d->target - s->hold_value[coordinate]);
        return out == 0.0 ? side * d->target_rate * step : out;
    }
    if (d->set.motor == TN_MOTOR_OFF || isfinite(d->set.motor_force))
        return NAN;
    return side * tn_drive_command(sim, d, sim->now, tn_drive_coordinate(sim, d)) * step;
}
