/* fold_ahead.c: room motion/ahead: see fold_ahead.h.
 *
 * x = sqrt(sigma) of the weakest rows (solve/weakest.c) is the distance to the singular configuration in radians or
 * lengths of the mechanism. It is measured at the pose and a little later. Where it decreases, it halves in
 * x / (2 |x'|) or more, since x' changes only by what joints turn meanwhile.
 */
#include <math.h>

#include "motion/ahead/fold_ahead.h"
#include "motion/closing/gap.h"
#include "motion/closing/project.h"
#include "motion/kinematics.h"

/* Length of the move between both measurements, as a share of the distance; joints open by the square of it. */
#define TN_FOLD_PROBE 0.05

/* Factors of the distance within which loads are not known: closer than the first, the way is extrapolated to the other
 * side; the second is the margin, before and after, at which it is to arrive. */
#define TN_FOLD_NEAR   4.0
#define TN_FOLD_BEHIND 1.05

double tn_fold_told_from(const tn_sim *sim)
{
    const bool none = sim->model->loop_joints == 0 || tn_gap_is_on(&sim->state);
    return none ? -1.0 : sqrt(TN_CLEAR * TN_FAR * tn_loop_epsilon(&sim->state));
}

double tn_fold_distance(tn_sim *sim, tn_step_report *report)
{
    tn_prepare_hard_rows(sim);
    if (tn_factorize(sim, report) != TN_OK)
        return INFINITY;
    return sqrt(tn_singular_weakest(&sim->singular, &report->solves));
}

double tn_fold_of_loads(tn_sim *sim)
{
    int32_t solves = 0;
    tn_assemble_gather_lambda(&sim->sys, &sim->state, sim->sys.y);
    const tn_rows_told told =
        tn_singular_least_multipliers(&sim->singular, sim->sys.y, true, &solves);
    return told.verdict == TN_ROWS_CHANGE_POINT ? told.distance : INFINITY;
}

double tn_fold_pace(const tn_sim *sim)
{
    double pace = 0.0;
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        if (tn_state_is_on(sim->model, &sim->state, j))
            pace = fmax(pace, tn_motion_of_joint(sim, sim->state.u, j));
    }
    return pace;
}

/* Moves bodies t seconds on at constant velocity. */
static void move(tn_sim *sim, double t)
{
    tn_state *s = &sim->state;
    tn_move_bodies(sim->model, s->x, s->q, s->u, t, s->x, s->q);
    tn_refresh_kinematics(sim);
}

/* Extrapolates linearly from a distance and its rate. */
static tn_fold_ahead straight(double distance, double rate, double told)
{
    const double behind = TN_FOLD_BEHIND * told, near = TN_FOLD_NEAR * told;
    tn_fold_ahead ahead = {INFINITY, INFINITY, INFINITY};
    if (rate > 0.0 && distance < told) {
        ahead.other = (behind - distance) / rate;
    } else if (rate < 0.0 && distance <= near * TN_FOLD_BEHIND) {
        ahead.told = distance > behind ? (distance - behind) / -rate : INFINITY;
        ahead.other = (distance + behind) / -rate;
    } else if (rate < 0.0) {
        ahead.half = fmin(0.5 * distance, distance - near) / -rate;
    }
    return ahead;
}

tn_fold_ahead tn_fold_look_ahead(tn_sim *sim, tn_step_report *report)
{
    const double pace = tn_fold_pace(sim), told = tn_fold_told_from(sim);
    tn_fold_ahead ahead = {INFINITY, INFINITY, INFINITY};
    if (told < 0.0 || !(pace > 0.0))
        return ahead;
    tn_refresh_kinematics(sim);
    const double distance = fmin(tn_fold_distance(sim, report), TN_FOLD_FAR);
    const double probe = TN_FOLD_PROBE * fmax(distance, told) / pace;
    if (distance < TN_FOLD_FAR) {
        move(sim, probe);
        ahead = straight(distance, (tn_fold_distance(sim, report) - distance) / probe, told);
    }
    const double turned = distance < TN_FOLD_FAR ? sqrt(fmax(distance, told)) : 0.5 * distance;
    ahead.half = fmin(ahead.half, turned / pace);
    return ahead;
}
