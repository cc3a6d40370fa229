/* drives.h: room law/drives: driven coordinates in time: what moves, sticks, slips, is at its cap.
 *
 * A prescribed motion and a motor that tracks hold their coordinate at a value that moves; friction
 * that sticks holds it where it is. A motor or friction whose force reaches its bound lets go: it
 * then acts with that force (friction with its kinetic bound) until the speed is again the one it
 * wants (for friction zero). What moves a coordinate with friction turns at an event too. Which
 * of them hold is part of the state; the changes are events (event_laws.h), and which of those that
 * could hold do is decided at once by the complementarity problem of limits.c, whose rows have
 * these bounds.
 *
 * In: coordinates, their speeds, the time. Out: which drives hold and which push, by how much,
 * what they want next, and when that changes.
 */
#ifndef TN_LAW_DRIVES_DRIVES_H
#define TN_LAW_DRIVES_DRIVES_H

#include "assemble/elements.h"
#include "assemble/holds.h"
#include "motion/simulation.h"

/* A speed this close to the wanted one is that speed (m/s, rad/s). */
#define TN_SAME_SPEED 1e-9

static inline tn_hold tn_drive_hold_of(const tn_sim *sim, const tn_drive *d)
{
    return (tn_hold)sim->state.switches[d->joint].hold[d->coordinate];
}

static inline const tn_hold_kind *tn_drive_kind(const tn_sim *sim, const tn_drive *d)
{
    return tn_hold_kind_of(&sim->state, d->joint, d->coordinate);
}

static inline double tn_drive_coordinate(const tn_sim *sim, const tn_drive *d)
{
    return tn_state_coordinate(&sim->state, d->joint, d->coordinate);
}

static inline double tn_drive_force(const tn_sim *sim, const tn_drive *d)
{
    return *tn_state_held_force(sim->model, &sim->state, d->joint, d->coordinate);
}

static inline int8_t tn_sign(double value)
{
    return (int8_t)(value > 0.0 ? 1 : value < 0.0 ? -1 : 0);
}

/* Speed of the drive's coordinate at the current kinematics. */
double tn_drive_speed(const tn_sim *sim, const tn_drive *d);
/* The speed its motor wants at time t and coordinate q. */
double tn_drive_command(const tn_sim *sim, const tn_drive *d, double t, double q);
/* How it changes per second at the current speed. */
double tn_drive_command_rate(const tn_sim *sim, const tn_drive *d, double t);
/* The sign of the sliding speed of a coordinate whose motion is prescribed by what holds it; 0: it rests. */
int8_t tn_drive_rubs(const tn_drive *d);
/* The difference of speeds at which what holds, or could, has its coordinate. */
double tn_drive_tolerance(const tn_sim *sim, const tn_drive *d, tn_hold wanted, double step);
/* Largest force of the row of what holds its coordinate, N or N m; infinite: there is none. */
double tn_drive_bound(const tn_sim *sim, const tn_drive *d);
/* Nothing but its spring holds the coordinate any more. */
void tn_drive_free(tn_sim *sim, const tn_drive *d);
/* Motor or friction holds the coordinate, from where it is. */
void tn_drive_hold_here(tn_sim *sim, tn_drive *d, tn_hold hold);
/* The tangents of the soft row at coordinate q; it has the row if nothing holds the coordinate. */
void tn_drive_soften(tn_sim *sim, tn_drive *d, double q);

/* Sets the moving values to those h seconds after the start of the part of a step, where the state is. */
void tn_drives_move(tn_sim *sim, double h);

/* The joint of a drive one of whose functions of the time has no value at t; -1: none. */
int32_t tn_drives_without_value(const tn_sim *sim, double t);

/* Whether prescribed motions, motors and rests of springs have values after that; *joint: whose has none. */
bool tn_drives_have_values(const tn_sim *sim, int32_t *joint);

/* Decides by the speeds what may hold each coordinate: what held it stays unless its bound could
 * not stop it within `step` seconds; of methods with accelerations, if it is at rest, or as fast as its
 * motor wants. Needs current kinematics. */
void tn_drives_sort(tn_sim *sim, double step);
/* The same for one coordinate that its limit has let go. */
void tn_drives_retake(tn_sim *sim, int32_t joint, int32_t coordinate);

/* Events: how far beyond its bound or its speed the worst drive is, as a distance (negative: none).
 * At an event: what may hold from now on holds (says how many change); what was at its bound lets
 * go. */
double tn_drives_event(const tn_sim *sim, double step);
int32_t tn_drives_catch(tn_sim *sim, double step);
void tn_drives_let_go(tn_sim *sim);
void tn_drives_forget_changes(tn_sim *sim);
/* What has changed so often in this step that it stays held: the largest share of its bound by which such a one holds beyond it, and
 * whose. */
double tn_drives_beyond_bound(const tn_sim *sim, int32_t *joint);
void tn_drives_begin_step(tn_sim *sim, double step);

/* Does a prescribed motion, or a motor without cap, press its coordinate against the limit that
 * holds it? > 0 yes; < 0: it leads away by that distance or step times that speed; NaN: there is
 * none. */
double tn_drives_pressing(const tn_sim *sim, int32_t joint, int32_t coordinate, double step);

/* Bounds of held rows for the complementarity problems: of forces (TN_FORCES), or of their impulses in so many
 * seconds; to an impact, which takes none, what has a cap gives nothing. Then what is at its bound lets go (row_state says); how many do
 * by which accelerations change. */
enum { TN_FORCES = -1 };
void tn_drives_bound(const tn_sim *sim, double seconds, double *lo, double *hi);
int32_t tn_drives_settle(tn_sim *sim, const int8_t *row_state);
/* Does a bound depend on the reactions? */
int tn_drives_need_reactions(const tn_sim *sim);

/* drive_round.c: drives whose bounds are those of a vector. What may stick or is at its cap, by the
 * speeds; the directions over the step from now on; the speeds after h seconds (0: anew); what lets
 * go, or slips in another direction, at the accelerations found. */
void tn_round_sort(tn_sim *sim, const tn_drive *d, double step);
void tn_round_move(tn_sim *sim, const tn_drive *d, double h);
void tn_round_note(tn_sim *sim, double h);
/* Turns all that slips to the speeds of now, where there are any. */
void tn_round_turn(tn_sim *sim);
int tn_round_settle(tn_sim *sim, tn_drive *d);

/* drive_knots.c: springs by points, of methods that divide their steps. Are there any? The points between which the next part is taken, or
 * this one goes on behind an event: how many changed. How far the furthest is beyond them, m or rad. */
bool tn_drive_knots_are(const tn_sim *sim);
int32_t tn_drive_knots_choose(tn_sim *sim);
double tn_drive_knots_beyond(const tn_sim *sim);

/* At the end of a step: puts prescribed motions that a range or a lock has begun to hold up into the event log. */
void tn_drives_tell_held(tn_sim *sim);
/* Put into the event log what has changed, and by how much speeds differ from those of prescribed motions from now on. */
void tn_drives_tell(tn_sim *sim);
void tn_drives_tell_jumps(tn_sim *sim);

/* The powers of this state, `known`: of the speeds by which the drives' forces were found (tn_drive.speed); and the work they do
 * in so many seconds. */
void tn_drives_power(tn_sim *sim, bool known);
/* Of what is damped only: where the velocities may have been set from outside. */
void tn_drives_note_damping(tn_sim *sim);
void tn_drives_account(tn_sim *sim, double seconds);
/* Of powers of both ends of h seconds that were accounted for: what moved the rests of springs did so by their way. */
void tn_drives_account_rests(tn_sim *sim, const tn_state *from, double h);

#endif
