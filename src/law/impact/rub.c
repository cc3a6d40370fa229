/* rub.c: room law/impact: see rub.h. */
#include "law/impact/rub.h"

#include <math.h>

#include "assemble/drive_terms.h"
#include "law/drives/drives.h"
#include "law/impact/problem.h"
#include "solve/mixing.h"

/* Impulses are the same when none changes by more than this share of the largest. */
#define TN_SAME_IMPULSE 1e-12

/* Where sliding presses a joint the more the more that presses, what slides stops: bounds grow by so much until it does. */
#define TN_WAY_OUT 8.0

static const tn_drive *drive_at(const tn_sim *sim, int32_t k)
{
    return &sim->state.drives[k];
}

static int8_t side_of(double speed)
{
    return fabs(speed) <= TN_SAME_SPEED ? 0 : tn_sign(speed);
}

/* ---- coordinates with friction that take part ---- */

/* Not where something without a bound has the coordinate. */
static bool takes_part(const tn_sim *sim, const tn_drive *d)
{
    const tn_hold hold = tn_drive_hold_of(sim, d);
    const bool yields =
        hold <= TN_HOLD_FRICTION || (hold == TN_HOLD_MOTOR && isfinite(d->set.motor_force));
    return d->set.static_share > 0.0 && !d->round && yields &&
           tn_state_is_on(sim->model, &sim->state, d->joint);
}

static tn_rub take_row(tn_sim *sim, const tn_drive *d)
{
    tn_rub rub = {.was = TN_RUBS_NOT};
    if (!takes_part(sim, d))
        return rub;
    rub.was = sim->state.switches[d->joint].hold[d->coordinate];
    rub.side = side_of(tn_drive_speed(sim, d));
    tn_state_hold(sim->model, &sim->state, d->joint, d->coordinate, TN_HOLD_FRICTION);
    return rub;
}

bool tn_rub_begin(tn_sim *sim)
{
    tn_rubbing *w = &sim->impact->rubs;
    tn_rub_end(sim);
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        w->of[k] = take_row(sim, drive_at(sim, k));
        w->on |= w->of[k].was != TN_RUBS_NOT;
    }
    return w->on;
}

void tn_rub_end(tn_sim *sim)
{
    tn_rubbing *w = &sim->impact->rubs;
    for (int32_t k = 0; w->on && k < sim->state.head->drive_count; k++) {
        const tn_drive *d = drive_at(sim, k);
        if (w->of[k].was != TN_RUBS_NOT)
            tn_state_hold(sim->model, &sim->state, d->joint, d->coordinate, (tn_hold)w->of[k].was);
    }
    w->on = w->pushed = false;
}

/* Where the row of its coordinate is; -1: it takes no part. */
static int64_t slot_of(const tn_sim *sim, int32_t k)
{
    const tn_rubbing *w = &sim->impact->rubs;
    return w->on && w->of[k].was != TN_RUBS_NOT
               ? tn_drive_slot(&sim->sys, &sim->state, drive_at(sim, k))
               : -1;
}

/* ---- bounds ---- */

void tn_rub_begin_phase(tn_sim *sim, bool stops)
{
    tn_rubbing *w = &sim->impact->rubs;
    w->way = 0.0;
    w->stops = stops;
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        w->of[k].P = w->of[k].wrong = 0.0;
        w->of[k].slips = false;
    }
}

static bool rests(const tn_rub *rub)
{
    return rub->side == 0 && !rub->slips;
}

void tn_rub_bound(const tn_sim *sim, double *lo, double *hi)
{
    const tn_rubbing *w = &sim->impact->rubs;
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const int64_t slot = slot_of(sim, k);
        if (slot < 0)
            continue;
        const tn_drive_settings *set = &drive_at(sim, k)->set;
        const tn_rub *rub = &w->of[k];
        const double most = (rests(rub) ? set->static_share : set->friction_share) * rub->P;
        const bool slides = rub->side != 0 && !w->stops;
        lo[slot] = slides ? -rub->side * most : -most;
        hi[slot] = slides ? -rub->side * most : most;
    }
}

/* N s: what the constraints of its joint take in the phase. */
static double impulse_of(const tn_sim *sim, const tn_drive *d)
{
    const tn_switches *s = &sim->state.switches[d->joint];
    const double *y = sim->sys.y + sim->sys.layout->y_offset[d->joint];
    double rows[TN_MAX_ROWS] = {0.0};
    for (int32_t n = 0; n < s->active_count; n++)
        rows[s->active[n]] = y[n];
    return tn_constraint_force(&sim->sys, &sim->state, d->joint, rows);
}

/* Could friction by an impulse of this size change speeds along the coordinate? Else it is rounding, of velocities that fit already. */
static bool counts(const tn_sim *sim, const tn_drive *d, double P)
{
    const tn_model_joint *joint = &sim->model->joints[d->joint];
    const double scale = joint->row_scale[tn_motion_row(joint, d->coordinate)];
    return d->set.static_share * P * scale > TN_SAME_SPEED;
}

/* What rests and needs all of its static bound slides, by its kinetic one; true: some does that did not. */
static bool let_go(tn_sim *sim)
{
    const tn_impact *w = sim->impact;
    bool any = false;
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const tn_drive_settings *set = &drive_at(sim, k)->set;
        const int64_t slot = slot_of(sim, k);
        tn_rub *rub = &w->rubs.of[k];
        if (slot < 0 || !rests(rub) || w->row_state[slot] == TN_MLCP_FREE)
            continue;
        rub->slips = true;
        any |= rub->P > 0.0 && set->friction_share < set->static_share;
    }
    return any;
}

bool tn_rub_follow(tn_sim *sim)
{
    tn_rubbing *w = &sim->impact->rubs;
    double largest = 0.0, most = 0.0, turned = 0.0, changed = 0.0;
    bool any = false;
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        tn_rub *rub = &w->of[k];
        if (slot_of(sim, k) < 0)
            continue;
        const double P = impulse_of(sim, drive_at(sim, k)), wrong = P - rub->P;
        any |= counts(sim, drive_at(sim, k), P);
        turned += rub->wrong * (wrong - rub->wrong);
        changed += (wrong - rub->wrong) * (wrong - rub->wrong);
        largest = fmax(largest, P);
        most = fmax(most, fabs(wrong));
        rub->wrong = wrong;
    }
    if (!any)
        return false;
    w->took = true;
    if (most <= TN_SAME_IMPULSE * largest)
        return let_go(sim);
    const double way = w->way > 0.0 ? tn_aitken(w->way, turned, changed) : 1.0;
    w->way = way > 0.0 ? way : TN_WAY_OUT;
    for (int32_t k = 0; k < sim->state.head->drive_count; k++)
        w->of[k].P += w->way * w->of[k].wrong;
    return true;
}

/* ---- the end of a phase ---- */

/* The share of the phase after which it stops; more than 1: it goes on. */
static double stop_of(const tn_rub *rub, double speed, double change, bool pushed)
{
    const double after = rub->side * (speed + change);
    const bool turns = pushed ? rub->side * change < 0.0 : after < -TN_SAME_SPEED;
    return rub->side != 0 && turns ? fmax(0.0, -speed / change) : HUGE_VAL;
}

double tn_rub_end_phase(tn_sim *sim, const double *speeds, const double *changes)
{
    tn_rubbing *w = &sim->impact->rubs;
    double part = w->pushed ? HUGE_VAL : 1.0;
    for (int32_t k = 0; k < sim->state.head->drive_count && !w->stops; k++) {
        const int64_t slot = slot_of(sim, k);
        if (slot >= 0)
            part = fmin(part, stop_of(&w->of[k], speeds[slot], changes[slot], w->pushed));
    }
    const bool cut = w->pushed ? isfinite(part) : part < 1.0;
    for (int32_t k = 0; k < sim->state.head->drive_count && cut; k++) {
        const int64_t slot = slot_of(sim, k);
        if (slot < 0)
            continue;
        const bool now = stop_of(&w->of[k], speeds[slot], changes[slot], w->pushed) <= part;
        w->of[k].side = now ? 0 : side_of(speeds[slot] + part * changes[slot]);
    }
    return part;
}

int32_t tn_rub_culprit(const tn_sim *sim)
{
    int32_t joint = -1;
    double most = 0.0;
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const double wrong = fabs(sim->impact->rubs.of[k].wrong);
        if (slot_of(sim, k) < 0 || !(wrong >= most))
            continue;
        most = wrong;
        joint = drive_at(sim, k)->joint;
    }
    return joint;
}
