/* limits_setting_out.c: room law/limits: releases what would block a prescribed motion that starts from rest.
 *
 * A prescribed motion, or a motor without a cap, may begin with neither speed nor acceleration. Friction that sticks, motors with a cap
 * and limits elsewhere in its loop hold at that moment too. Their forces are not unique, so no force determines which of them to release,
 * but a moment later their rows contradict the motion. They are chosen by velocities: the speeds that the motion will have are imposed
 * without these rows, with the least kinetic energy. Coordinates that move then are released, in the direction of their motion; the
 * others stay held. Friction that was released but could hold is found to stick again.
 */
#include <math.h>

#include "base/base.h"
#include "law/limits/limits_impl.h"
#include "motion/closing/project.h"

/* Speed of a prescribed motion, rad/s or m/s, from which it counts as started, and the most halvings of the time that find it. */
#define TN_SET_OUT      1e-8
#define TN_SET_OUT_LOOK 40

/* This share of the fastest given speed is motion. */
#define TN_MOVES_ALONG 1e-6

/* Does what holds coordinate i hold it against less than anything, or one way only? */
static bool gives_way(const tn_sim *sim, int32_t j, int32_t i)
{
    const int8_t hold = sim->state.switches[j].hold[i];
    const tn_drive *d = tn_state_drive(&sim->state, j, i);
    if (hold >= TN_HOLD_LOWER)
        return tn_limit_inwards(sim, j, i) != 0.0 && !tn_limit_yields(sim, j, i) &&
               isnan(tn_drives_pressing(sim, j, i, 1.0)); /* no prescribed motion of its own */
    return d && !d->round && (hold == TN_HOLD_FRICTION || hold == TN_HOLD_MOTOR) &&
           isfinite(tn_drive_bound(sim, d));
}

static double *speed_at(const tn_sim *sim, int32_t j, int32_t i)
{
    return &sim->setting_out[(size_t)j * TN_MAX_COORDINATES + (size_t)i];
}

/* All that gives way is free; NaN are the speeds of the others. */
static void free_all(tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        for (int32_t i = 0; i < tn_limit_coordinate_count(sim, j); i++) {
            const bool gives = gives_way(sim, j, i);
            *speed_at(sim, j, i) = gives ? 0.0 : (double)NAN;
            if (gives)
                tn_state_hold(sim->model, &sim->state, j, i, TN_HOLD_NONE);
        }
    }
}

/* rad/s, m/s: the fastest prescribed motion; negative: there is none. */
static double fastest(const tn_sim *sim)
{
    double largest = -1.0;
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const tn_drive *d = &sim->state.drives[k];
        if (tn_drive_kind(sim, d)->moves && isinf(tn_drive_bound(sim, d)))
            largest = fmax(largest, fabs(d->rate));
    }
    return largest;
}

/* The drives as soon as they move, in h seconds at most; false: they do not. */
static bool move_on(tn_sim *sim, double h, double *pace)
{
    double t = ldexp(h, -TN_SET_OUT_LOOK);
    tn_drives_move(sim, h);
    *pace = fastest(sim);
    if (*pace <= TN_SET_OUT)
        return false;
    *pace = 0.0;
    for (int k = 0; k <= TN_SET_OUT_LOOK && *pace <= TN_SET_OUT; k++, t *= 2.0) {
        tn_drives_move(sim, t);
        *pace = fastest(sim);
    }
    return *pace > TN_SET_OUT;
}

/* Of coordinates that gave way: how fast they go along. */
static void note_speeds(tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        for (int32_t i = 0; i < tn_limit_coordinate_count(sim, j); i++) {
            if (!isnan(*speed_at(sim, j, i)))
                *speed_at(sim, j, i) = tn_limit_speed_of(sim, j, i);
        }
    }
}

/* Friction and motors let go whatever moves, and act at their bounds. */
static void slip(tn_sim *sim, tn_drive *d, double speed)
{
    if (tn_drive_hold_of(sim, d) == TN_HOLD_MOTOR)
        d->motor_side = tn_sign(d->command - speed);
    if (tn_has_friction(&d->set))
        d->slip = tn_sign(speed);
    tn_drive_free(sim, d);
}

/* Limits what leads inwards, which friction or a motor of its own may hold then. */
static bool let_go(tn_sim *sim, int32_t j, int32_t i, double speed)
{
    if (tn_limit_holds(sim, j, i)) {
        if (!(tn_limit_inwards(sim, j, i) * speed > 0.0))
            return false;
        tn_limit_release(sim, j, i);
        if (!gives_way(sim, j, i))
            return true;
    }
    slip(sim, tn_state_drive(&sim->state, j, i), speed);
    return true;
}

/* Is there anything, and is all that is given at rest? */
static bool may_set_out(const tn_sim *sim)
{
    const double pace = fastest(sim);
    bool any = false;
    if (pace < 0.0 || pace > TN_SET_OUT)
        return false;
    for (int32_t j = 0; j < sim->model->element_count && !any; j++) {
        for (int32_t i = 0; i < tn_limit_coordinate_count(sim, j); i++)
            any |= gives_way(sim, j, i);
    }
    return any;
}

bool tn_limits_set_out(tn_sim *sim, double h, tn_step_report *report)
{
    double pace;
    bool changed = false;
    if (!may_set_out(sim))
        return false;
    bool moves = move_on(sim, h, &pace);
    if (moves) {
        free_all(sim);
        moves = tn_project_velocity(sim, report) == TN_OK;
    }
    if (moves)
        note_speeds(sim);
    tn_state_copy(&sim->state, &sim->mark);
    tn_refresh_kinematics(sim);
    for (int32_t j = 0; j < sim->model->element_count && moves; j++) {
        for (int32_t i = 0; i < tn_limit_coordinate_count(sim, j); i++) {
            const double speed = *speed_at(sim, j, i);
            if (fabs(speed) > TN_MOVES_ALONG * pace) /* not of NaN */
                changed |= let_go(sim, j, i, speed);
        }
    }
    return changed;
}
