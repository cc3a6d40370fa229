/* drive_events.c: room law/drives: motors and friction that reach their bounds and come back.
 *
 * In: a state inside a step, its multipliers and speeds. Out: how far it is from the next change,
 * the changes, the bounds of what holds. A drive that holds lets go when its force reaches its
 * bound; one that has let go may hold again when the speed is the one it wants; a spring passes its
 * cap.
 */
#include <math.h>

#include "law/drives/drive_changes.h"
#include "motion/kinematics.h"
#include "solve/mlcp/mlcp.h"

/* What is within this of its event is there (m, rad). */
#define TN_AT_EVENT 1e-12

static double beyond_bound(const tn_sim *sim, const tn_drive *d)
{
    const double bound = tn_drive_bound(sim, d);
    if (isinf(bound) || d->changes > TN_MAX_CHANGES)
        return -INFINITY;
    return TN_BOUND_DISTANCE * (fabs(tn_drive_force(sim, d)) - bound) / fmax(bound, TN_LEAST_BOUND);
}

/* How far the prescribed motion of a coordinate with friction is beyond the moment at which it turns back or
 * starts. */
static double beyond_turn(const tn_drive *d, double step)
{
    if (!tn_has_friction(&d->set))
        return -INFINITY;
    return step * (d->slip != 0 ? -d->slip * d->rate : fabs(d->rate) - TN_SAME_SPEED);
}

/* May friction stick? A coordinate that would turn back sticks; one that would go on is just starting to move. Nor does
 * friction stick where a limit of another joint blocks the coordinate already: the forces of the two would not be unique,
 * and so neither when they let go. Its friction then stays at its bound. */
static bool may_stick(const tn_sim *sim, const tn_drive *d, double speed, double step)
{
    if (fabs(speed) * step > TN_AT_EVENT || !sim->traits.accelerations)
        return true;
    const double acceleration = tn_coordinate_acceleration(sim, d->joint, d->coordinate);
    return -d->slip * acceleration * step * step > TN_AT_EVENT;
}

/* How far the drive is beyond its nearest event, and which that is. */
static double event_of(const tn_sim *sim, const tn_drive *d, double step, tn_change *which)
{
    const tn_hold hold = tn_drive_hold_of(sim, d);
    double worst = -INFINITY;
    *which = TN_CHANGE_NONE;
    if (!tn_state_is_on(sim->model, &sim->state, d->joint) || hold >= TN_HOLD_LOCK)
        return worst;
    if (d->round)
        return tn_round_event(sim, d, step, which);
    if (hold >= TN_HOLD_MOTOR)
        tn_keep_larger(beyond_turn(d, step), TN_CHANGE_TURN, &worst, which);
    if (hold == TN_HOLD_DRIVER)
        return worst;
    const double q = tn_drive_coordinate(sim, d), speed = tn_drive_speed(sim, d);
    if (hold >= TN_HOLD_FRICTION)
        tn_keep_larger(beyond_bound(sim, d), TN_CHANGE_LET_GO, &worst, which);
    if (d->motor_side != 0 && hold != TN_HOLD_MOTOR) {
        const double slack =
            (hold == TN_HOLD_FRICTION ? 0.0 : speed) - tn_drive_command(sim, d, sim->now, q);
        tn_keep_larger(slack * d->motor_side * step, TN_CHANGE_TRACK, &worst, which);
    }
    if (d->slip != 0 && hold <= TN_HOLD_SPRING && may_stick(sim, d, speed, step))
        tn_keep_larger(-speed * d->slip * step, TN_CHANGE_STICK, &worst, which);
    if (d->set.sprung && isfinite(d->set.spring_force) && hold <= TN_HOLD_SPRING) {
        const double cap = d->set.spring_force, force = tn_spring_force(&sim->sys, d, q, speed);
        const double over = d->spring_side == 0 ? fabs(force) - cap : cap - d->spring_side * force;
        tn_keep_larger(TN_BOUND_DISTANCE * over / cap, TN_CHANGE_SPRING, &worst, which);
    }
    return worst;
}

double tn_drives_event(const tn_sim *sim, double step)
{
    double worst = -INFINITY;
    tn_change which;
    for (int32_t k = 0; k < sim->state.head->drive_count; k++)
        worst = fmax(worst, event_of(sim, &sim->state.drives[k], step, &which));
    return worst;
}

/* The drive gives `side` times its bound from now on. */
static void let_go(tn_sim *sim, tn_drive *d, int8_t side)
{
    if (tn_drive_hold_of(sim, d) == TN_HOLD_MOTOR)
        d->motor_side = side;
    if (tn_has_friction(&d->set) && d->slip == 0)
        d->slip = (int8_t)-side;
    tn_drive_free(sim, d);
}

static int32_t catches(tn_sim *sim, tn_drive *d)
{
    if (d->pending == TN_CHANGE_TRACK) {
        d->motor_side = 0;
        d->command = tn_drive_command(sim, d, sim->now, tn_drive_coordinate(sim, d));
        tn_drive_hold_here(sim, d, TN_HOLD_MOTOR);
    } else if (d->pending == TN_CHANGE_STICK && d->round) {
        tn_round_stick(sim, d);
    } else if (d->pending == TN_CHANGE_STICK) {
        tn_drive_hold_here(sim, d, TN_HOLD_FRICTION);
    } else if (d->pending == TN_CHANGE_TURN) {
        d->slip = tn_drive_rubs(d);
    }
    d->changes = (int8_t)(d->changes + (d->pending != TN_CHANGE_NONE));
    return d->pending != TN_CHANGE_NONE;
}

int32_t tn_drives_catch(tn_sim *sim, double step)
{
    int32_t changed = 0;
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        tn_change which;
        tn_drive *d = &sim->state.drives[k];
        const int is_there = event_of(sim, d, step, &which) >= -TN_AT_EVENT;
        d->pending = (int8_t)(is_there ? which : TN_CHANGE_NONE);
    }
    for (int32_t k = 0; k < sim->state.head->drive_count; k++)
        changed += catches(sim, &sim->state.drives[k]);
    return changed;
}

void tn_drives_forget_changes(tn_sim *sim)
{
    for (int32_t k = 0; k < sim->state.head->drive_count; k++)
        sim->state.drives[k].changes = 0;
}

double tn_drives_beyond_bound(const tn_sim *sim, int32_t *joint)
{
    double worst = 0.0;
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const tn_drive *d = &sim->state.drives[k];
        const bool stays =
            d->changes > TN_MAX_CHANGES && !d->round; /* the box of a round bound is not its own */
        const double bound = stays ? tn_drive_bound(sim, d) : INFINITY;
        const double beyond = (fabs(tn_drive_force(sim, d)) - bound) / fmax(bound, TN_LEAST_BOUND);
        if (isfinite(bound) && beyond > worst) {
            worst = beyond;
            *joint = d->joint;
        }
    }
    return worst;
}

static void let_go_round(tn_sim *sim, tn_drive *d)
{
    if (d->pending == TN_CHANGE_LET_GO)
        tn_round_let_go(sim, d);
    if (d->pending == TN_CHANGE_SPRING)
        tn_round_turn_spring(sim, d);
    d->pending = TN_CHANGE_NONE;
}

void tn_drives_let_go(tn_sim *sim)
{
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        tn_drive *d = &sim->state.drives[k];
        const double q = tn_drive_coordinate(sim, d), speed = tn_drive_speed(sim, d);
        if (d->round)
            let_go_round(sim, d);
        if (d->pending == TN_CHANGE_LET_GO)
            let_go(sim, d, tn_sign(tn_drive_force(sim, d)));
        if (d->pending == TN_CHANGE_SPRING) {
            const int8_t side = tn_sign(tn_spring_force(&sim->sys, d, q, speed));
            d->spring_side = (int8_t)(d->spring_side ? 0 : side);
            tn_drive_soften(sim, d, q);
        }
        d->pending = TN_CHANGE_NONE;
    }
}

/* What moves a coordinate may bring it to rest without turning. */
static bool has_come_to_rest(const tn_sim *sim, const tn_drive *d, double step)
{
    return tn_drive_kind(sim, d)->moves && fabs(d->rate) <= TN_SAME_SPEED &&
           fabs(d->acceleration) * step <= TN_SAME_SPEED;
}

void tn_drives_begin_step(tn_sim *sim, double step)
{
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        tn_drive *d = &sim->state.drives[k];
        d->changes = d->caught = 0;
        if (has_come_to_rest(sim, d, step))
            d->slip = 0;
    }
}

void tn_drives_bound(const tn_sim *sim, double seconds, double *lo, double *hi)
{
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const tn_drive *d = &sim->state.drives[k];
        const int64_t slot = tn_drive_slot(&sim->sys, &sim->state, d);
        if (slot < 0 || !tn_drive_kind(sim, d)->bound || (d->round && seconds == TN_FORCES))
            continue; /* the box of a round bound is not its own */
        const double bound = tn_hold_bound(&sim->state, d, d->static_bound);
        hi[slot] = isinf(bound) ? INFINITY : seconds == TN_FORCES ? bound : seconds * bound;
        lo[slot] = -hi[slot];
    }
}

/* N, N m: of what a drive gives along its coordinate, as it is now. */
static double force_now(tn_sim *sim, tn_drive *d, double *of_row)
{
    const double q = tn_drive_coordinate(sim, d), speed = tn_drive_speed(sim, d);
    tn_drive_apply_at(&sim->sys, &sim->state, d, q, speed);
    *of_row = tn_soft_row_force(&sim->sys, &sim->state, d, q, speed);
    return tn_drive_applied(d) + *of_row;
}

/* Forces that differ by less than this, relative to the bound, are one. */
#define TN_SAME_FORCE 1e-12

/* It gives `side` times its bound from now on. Is that another force than its row had at that bound? Where it is not, accelerations
 * stay, and what was found of other rows; of joints with one coordinate, whose rows have none behind that one. */
static bool let_go_with_jump(tn_sim *sim, tn_drive *d, int8_t side)
{
    double of_row;
    const double before = tn_drive_force(sim, d) + tn_drive_applied(d);
    let_go(sim, d, side);
    const double now = force_now(sim, d, &of_row);
    *tn_state_held_force(sim->model, &sim->state, d->joint, d->coordinate) = of_row;
    const bool alone = sim->model->joints[d->joint].geometry.cls->info.coordinate_count == 1;
    return !(alone && fabs(now - before) <= TN_SAME_FORCE * fabs(before));
}

int32_t tn_drives_settle(tn_sim *sim, const int8_t *row_state)
{
    int32_t changed = 0;
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        tn_drive *d = &sim->state.drives[k];
        const int64_t slot = tn_drive_slot(&sim->sys, &sim->state, d);
        if (d->round) {
            changed += tn_round_settle(sim, d);
            continue;
        }
        if (slot < 0 || !tn_drive_kind(sim, d)->bound || row_state[slot] == TN_MLCP_FREE ||
            d->changes > TN_MAX_CHANGES)
            continue;
        changed += let_go_with_jump(sim, d, row_state[slot] == TN_MLCP_HI ? 1 : -1);
    }
    return changed;
}

int tn_drives_need_reactions(const tn_sim *sim)
{
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        if (sim->state.drives[k].set.static_share > 0.0)
            return 1;
    }
    return 0;
}

/* Logs an event if the state differs from the one that was logged last. */
static void tell(tn_sim *sim, const tn_drive *d, int8_t *told, int now, tn_event_kind begins,
                 tn_event_kind ends)
{
    if (*told == now)
        return;
    *told = (int8_t)now;
    tn_event_log_add(&sim->log, (tn_event){now ? begins : ends,
                                           sim->event_time,
                                           {d->joint},
                                           d->coordinate,
                                           now             ? 0
                                           : d->motor_side ? d->motor_side
                                                           : d->slip,
                                           tn_drive_speed(sim, d)});
}

/* m, rad: limits are located to a tenth of this. */
#define TN_SAME_PLACE 1e-9

static void tell_held(tn_sim *sim, tn_drive *d)
{
    const double ahead = d->target - tn_drive_coordinate(sim, d);
    const int held = tn_state_is_on(sim->model, &sim->state, d->joint) &&
                     tn_drive_hold_of(sim, d) > TN_HOLD_DRIVER && fabs(ahead) > TN_SAME_PLACE;
    if (held && !d->told_held)
        tn_event_log_add(&sim->log, (tn_event){TN_EVENT_MOTION_HELD,
                                               sim->event_time,
                                               {d->joint},
                                               d->coordinate,
                                               tn_sign(ahead),
                                               ahead});
    d->told_held = (int8_t)held;
}

void tn_drives_tell_held(tn_sim *sim)
{
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        if (sim->state.drives[k].set.driven)
            tell_held(sim, &sim->state.drives[k]);
    }
}

void tn_drives_tell(tn_sim *sim)
{
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        tn_drive *d = &sim->state.drives[k];
        const tn_hold hold = tn_drive_hold_of(sim, d);
        if (hold >= TN_HOLD_DRIVER)
            continue;
        if (tn_has_friction(&d->set)) {
            tell(sim, d, &d->told_stuck, d->slip == 0 && tn_drive_kind(sim, d)->bound,
                 TN_EVENT_STUCK, TN_EVENT_SLIPPING);
        }
        if (tn_has_motor(&d->set)) {
            tell(sim, d, &d->told_tracking, hold == TN_HOLD_MOTOR && d->motor_side == 0,
                 TN_EVENT_MOTOR_TRACKS, TN_EVENT_MOTOR_AT_CAP);
        }
    }
}

/* Speeds of a motion are the same on both sides of a bend within this share of them: methods meet them to their order only. */
#define TN_SAME_MOTION 1e-6

void tn_drives_tell_jumps(tn_sim *sim)
{
    tn_drives_move(sim, 0.0);
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const tn_drive *d = &sim->state.drives[k];
        const double speed = tn_drive_speed(sim, d), jump = d->rate - speed;
        const bool leads = tn_drive_kind(sim, d)->moves && isinf(tn_drive_bound(sim, d));
        if (leads && fabs(jump) > TN_SAME_SPEED + TN_SAME_MOTION * fmax(fabs(d->rate), fabs(speed)))
            tn_event_log_add(&sim->log, (tn_event){TN_EVENT_MOTION_JUMPS,
                                                   sim->event_time,
                                                   {d->joint},
                                                   d->coordinate,
                                                   tn_sign(jump),
                                                   jump});
    }
}
