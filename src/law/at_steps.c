/* at_steps.c: room law: steps without events, as games take them (TN_EVENTS_AT_STEPS).
 *
 * In: a state at the start of a step of sequential impulses. Out: what holds each coordinate for
 * all of the step, and the bounds of its impulse L, which the sweeps keep:
 *     motor, friction     |L| <= h bound,      v = (where it leads to - q) / h, or 0
 *     spring with a cap   |L| <= h cap,        soft
 *     limit               L >= 0 inwards,      v >= -gap / h: it may just be reached
 * (the soft rows of backward Euler with clamped accumulated impulses, Catto 2005; limits as in
 * Stewart and Trinkle 1996). A coordinate has one row. Its drive has it, unless the speeds found
 * lead beyond a limit: then the limit has it, the motor presses with its cap, and the velocities
 * are solved again; TN_STEP_PASSES solves at most, so that the work of a step is bounded. A round
 * bound gives its box the sides of the vector that was found to leave it.
 *
 * Where a motor or friction is at its bound and there is a spring, that gets the row, to be
 * implicit, and the bound acts as a known force. Limits: beside what holds its coordinate, a limit
 * too, a spring is what it is as the step starts. What is reached within a step is so for all of
 * it: first order.
 */
#include "law/at_steps.h"

#include <math.h>

#include "motion/kinematics.h"
#include "law/limits/limits_impl.h"

/* Solves of a step: limits are found with the first, round bounds with the next. */
#define TN_STEP_PASSES 3

/* An impulse this close to its bound, relative, is at it. */
#define TN_STEP_AT_BOUND 1e-9

int tn_at_steps(const tn_sim *sim)
{
    return sim->options.events == TN_EVENTS_AT_STEPS;
}

static void hold_at(tn_sim *sim, tn_drive *d, double q)
{
    tn_state_edit(&sim->state, d->joint)->hold_value[d->coordinate] = q;
    d->held_rest = 0.0;
}

/* What the drive has to say about the row of its coordinate. */
static void take_drive(tn_sim *sim, tn_drive *d)
{
    const tn_hold was = tn_drive_hold_of(sim, d);
    const tn_hold hold = tn_hold_wanted(&d->set);
    if (was == TN_HOLD_LOCK || was == TN_HOLD_PINNED)
        return;
    d->motor_side = d->slip = d->spring_side = 0;
    d->slip_share = d->spring_share = d->round ? (double)INFINITY : 1.0;
    d->rate = d->acceleration = 0.0;
    hold_at(sim, d, tn_drive_coordinate(sim, d));
    tn_drive_soften(sim, d, tn_drive_coordinate(sim, d));
    tn_state_hold(sim->model, &sim->state, d->joint, d->coordinate, hold);
}

static void take_limit(tn_sim *sim, int32_t j, int32_t i, tn_hold hold)
{
    tn_switches *s = tn_state_edit(&sim->state, j);
    s->hold_value[i] = hold == TN_HOLD_LOWER ? s->lower[i] : s->upper[i];
    tn_state_hold(sim->model, &sim->state, j, i, hold);
}

/* Limits that pushed in the last step stay: hits[] says which. */
static void begin(tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        tn_switches *s = tn_state_edit(&sim->state, j);
        for (int32_t i = 0; i < tn_limit_coordinate_count(sim, j); i++)
            s->hits[i] = (int8_t)tn_limit_holds(sim, j, i);
    }
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        tn_drive *d = &sim->state.drives[k];
        if (tn_state_is_on(sim->model, &sim->state, d->joint) &&
            tn_drive_hold_of(sim, d) < TN_HOLD_LOWER)
            take_drive(sim, d);
    }
}

/* The whole of what bounds the row, N or N m. */
static double bound_of(const tn_sim *sim, const tn_drive *d)
{
    const tn_friction_bounds friction = tn_friction_bounds_of(&sim->sys, &sim->state, d);
    const int rests = fabs(tn_drive_speed(sim, d)) <= TN_SAME_SPEED;
    if (tn_drive_hold_of(sim, d) == TN_HOLD_SPRING)
        return d->set.spring_force;
    return tn_hold_bound(&sim->state, d, rests ? friction.sticks : friction.slips);
}

static double *share_of(const tn_sim *sim, tn_drive *d)
{
    return tn_drive_hold_of(sim, d) == TN_HOLD_SPRING ? &d->spring_share : &d->slip_share;
}

/* Of slip_share, which is infinite until the vector of a round bound is known. */
static double known_share(const tn_drive *d)
{
    return isinf(d->slip_share) ? 1.0 : d->slip_share;
}

static void bound_drive(tn_sim *sim, tn_drive *d, double h, double *lo, double *hi)
{
    const int64_t slot = tn_drive_slot(&sim->sys, &sim->state, d);
    const double bound = bound_of(sim, d);
    if (slot < 0)
        return;
    if (tn_drive_kind(sim, d)->moves) {
        const int32_t row = tn_motion_row(&sim->model->joints[d->joint], d->coordinate);
        sim->sys.g[slot] -=
            tn_element_hold_error(&sim->sys, &sim->state, d->joint, row) / h + d->rate;
    }
    hi[slot] = isinf(bound) ? (double)INFINITY : h * bound * *share_of(sim, d);
    if (isnan(hi[slot]))
        hi[slot] = 0.0; /* no bound at all of a round one that is not known yet */
    lo[slot] = -hi[slot];
}

/* The row of a limit pushes inwards; a hard one lets it be reached, or thrown back. */
static void bound_limit(tn_sim *sim, int32_t j, int32_t i, double h, double *lo, double *hi)
{
    const tn_switches *s = &sim->state.switches[j];
    const double inwards = tn_limit_inwards(sim, j, i);
    const double q = tn_state_coordinate(&sim->state, j, i);
    const double gap = fmax(inwards * (q - s->hold_value[i]), 0.0);
    const double speed = inwards * tn_limit_speed_of(sim, j, i);
    const double bounce = -sim->model->joints[j].restitution[i] * fmin(speed, 0.0);
    int64_t slot = sim->sys.layout->y_offset[j];
    for (int32_t n = 0; s->active[n] != tn_limit_row_of(sim, j, i); n++)
        slot++;
    if (!tn_limit_yields(sim, j, i))
        sim->sys.g[slot] = inwards * (gap + h * speed <= 0.0 && bounce > 0.0 ? bounce : -gap / h);
    lo[slot] = inwards > 0.0 ? 0.0 : -(double)INFINITY;
    hi[slot] = inwards > 0.0 ? (double)INFINITY : 0.0;
}

void tn_at_steps_bound(tn_sim *sim, double h, double *lo, double *hi)
{
    for (int64_t k = 0; k < sim->sys.layout->y_size; k++) {
        lo[k] = -(double)INFINITY;
        hi[k] = INFINITY;
    }
    for (int32_t k = 0; k < sim->state.head->drive_count; k++)
        bound_drive(sim, &sim->state.drives[k], h, lo, hi);
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        for (int32_t i = 0; i < tn_limit_coordinate_count(sim, j); i++) {
            if (tn_limit_holds(sim, j, i) && sim->state.switches[j].active_count > 0)
                bound_limit(sim, j, i, h, lo, hi);
        }
    }
}

/* Limits of an element that the velocities found lead beyond, and in the first pass those that do
 * not push though something else wants the row. */
static int change_limits(tn_sim *sim, int32_t j, double h, int pass)
{
    const tn_switches *s = &sim->state.switches[j];
    double q[TN_MAX_COORDINATES] = {0}, speed[TN_MAX_COORDINATES] = {0};
    int changed = 0;
    tn_drive_motion(&sim->sys, &sim->state, j, sim->sys.du, q, speed);
    for (int32_t i = 0; i < tn_limit_coordinate_count(sim, j); i++) {
        const double next = q[i] + h * speed[i];
        tn_drive *d = tn_state_drive(&sim->state, j, i);
        if (s->hold[i] >= TN_HOLD_LOWER && pass == 0 && d &&
            *tn_state_held_force(sim->model, &sim->state, j, i) == 0.0) {
            take_drive(sim, d);
            tn_drives_move(sim, h);
            changed = 1;
        } else if (s->hold[i] < TN_HOLD_LOCK && (next < s->lower[i] - TN_LIMIT_TOLERANCE ||
                                                 next > s->upper[i] + TN_LIMIT_TOLERANCE)) {
            take_limit(sim, j, i, next < s->lower[i] ? TN_HOLD_LOWER : TN_HOLD_UPPER);
            changed = 1;
        }
    }
    return changed;
}

/* The row of a drive that is at its bound goes to its spring, if it has one. */
static int give_way(tn_sim *sim, tn_drive *d)
{
    const tn_hold hold = tn_drive_hold_of(sim, d);
    const double lambda = tn_drive_force(sim, d);
    const double share = known_share(d);
    const int soft = d->stiffness > 0.0 || d->damping > 0.0;
    if (!soft || !tn_hold_kinds[hold].bound ||
        fabs(lambda) < bound_of(sim, d) * share * (1.0 - TN_STEP_AT_BOUND))
        return 0;
    if (hold == TN_HOLD_MOTOR)
        d->motor_side = tn_sign(lambda);
    if (tn_has_friction(&d->set))
        d->slip = (int8_t)-tn_sign(lambda);
    d->slip_share = share;
    tn_state_hold(sim->model, &sim->state, d->joint, d->coordinate, TN_HOLD_NONE);
    return 1;
}

/* Is it part of the vector of this kind that its joint's round bounds bound? */
static bool is_of_vector(const tn_sim *sim, const tn_drive *d, tn_hold hold)
{
    return d->round && tn_drive_hold_of(sim, d) == hold && isfinite(bound_of(sim, d));
}

static double square(double x)
{
    return x * x;
}

/* Of the vector of forces of this kind: how much of its ellipse it takes. */
static double load_of(const tn_sim *sim, int32_t j, tn_hold hold)
{
    double sum = 0.0;
    for (int32_t k = sim->state.switches[j].drive; k != TN_NO_DRIVE;
         k = sim->state.drives[k].next) {
        const tn_drive *d = &sim->state.drives[k];
        if (is_of_vector(sim, d, hold))
            sum += square(tn_drive_force(sim, d) / fmax(bound_of(sim, d), TN_LEAST_BOUND));
    }
    return sqrt(sum);
}

static int change_vector(tn_sim *sim, int32_t j, tn_hold hold)
{
    const double load = load_of(sim, j, hold);
    int changed = 0;
    for (int32_t k = sim->state.switches[j].drive; k != TN_NO_DRIVE;
         k = sim->state.drives[k].next) {
        tn_drive *d = &sim->state.drives[k];
        if (!is_of_vector(sim, d, hold) || load <= 1.0 + TN_STEP_AT_BOUND)
            continue;
        *share_of(sim, d) =
            fabs(tn_drive_force(sim, d)) / (load * fmax(bound_of(sim, d), TN_LEAST_BOUND));
        changed = 1;
    }
    return changed;
}

int tn_at_steps_again(tn_sim *sim, double h, int pass)
{
    int changed = 0;
    if (!tn_at_steps(sim) || pass + 1 >= TN_STEP_PASSES)
        return 0;
    tn_assemble_scatter_lambda(&sim->sys, &sim->state, sim->sys.y, 1.0 / h);
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        changed |= change_limits(sim, j, h, pass);
        changed |= change_vector(sim, j, TN_HOLD_SPRING);
        changed |= change_vector(sim, j, TN_HOLD_FRICTION);
        changed |= change_vector(sim, j, TN_HOLD_MOTOR);
    }
    for (int32_t k = 0; k < sim->state.head->drive_count; k++)
        changed |= give_way(sim, &sim->state.drives[k]);
    return changed;
}

/* At its bound friction slips, a motor has not reached its speed. */
static void settle_drive(tn_sim *sim, tn_drive *d)
{
    const tn_hold hold = tn_drive_hold_of(sim, d);
    const double lambda = tn_drive_force(sim, d);
    double q[TN_MAX_COORDINATES] = {0}, speed[TN_MAX_COORDINATES] = {0};
    if (!tn_hold_kinds[hold].bound)
        return;
    const double share = known_share(d);
    const double bound = bound_of(sim, d) * share;
    const int at_bound = fabs(lambda) >= bound * (1.0 - TN_STEP_AT_BOUND);
    tn_drive_motion(&sim->sys, &sim->state, d->joint, sim->state.u, q, speed);
    hold_at(sim, d, q[d->coordinate]);
    if (hold == TN_HOLD_MOTOR) {
        d->motor_side = (int8_t)(at_bound ? tn_sign(lambda) : 0);
    } else {
        d->slip = (int8_t)(at_bound ? -tn_sign(lambda) : 0);
    }
}

void tn_at_steps_settle(tn_sim *sim)
{
    if (!tn_at_steps(sim))
        return;
    for (int32_t k = 0; k < sim->state.head->drive_count; k++)
        settle_drive(sim, &sim->state.drives[k]);
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        for (int32_t i = 0; i < tn_limit_coordinate_count(sim, j); i++) {
            if (tn_limit_holds(sim, j, i) &&
                *tn_state_held_force(sim->model, &sim->state, j, i) == 0.0)
                tn_state_hold(sim->model, &sim->state, j, i, TN_HOLD_NONE);
        }
    }
}

static void tell_limits(tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        for (int32_t i = 0; i < tn_limit_coordinate_count(sim, j); i++) {
            const int now = tn_limit_holds(sim, j, i);
            if (now == s->hits[i])
                continue;
            tn_event_log_add(&sim->log,
                             (tn_event){now ? TN_EVENT_LIMIT_REACHED : TN_EVENT_LIMIT_RELEASED,
                                        sim->event_time,
                                        {j},
                                        i,
                                        tn_limit_is_upper(sim, j, i) ? 1 : -1,
                                        tn_limit_speed_of(sim, j, i)});
        }
    }
}

void tn_at_steps_begin(tn_sim *sim)
{
    if (sim->state.head->restart) {
        tn_refresh_kinematics(sim);
        tn_update_coordinates(sim, 0.0);
        sim->state.head->restart = 0;
    }
    begin(sim);
}

void tn_at_steps_end(tn_sim *sim, double h)
{
    tn_time_pass(sim, h);
    tell_limits(sim);
    tn_drives_tell(sim);
}
