/* limits.h: room law/limits: coordinates at their limits: finding, hitting, holding, releasing.
 *
 * A coordinate at a limit is held: its motion row is a constraint that may only push inwards. What
 * is held is part of the state, so a step starts from it (warm start) and stepping treats held rows
 * like any other constraint. Events (event_laws.h) change it.
 *
 * In: coordinates, their speeds, and velocities before an impact. Out: which limits hold, the
 * velocities after the impact, the energy it took.
 */
#ifndef TN_LAW_LIMITS_LIMITS_H
#define TN_LAW_LIMITS_LIMITS_H

#include "motion/simulation.h"

/* A coordinate within this distance of its limit is at it (m, rad): the deadband. */
#define TN_LIMIT_TOLERANCE 1e-10

/* How far the free coordinates are beyond their limits, largest first; negative when all are
 * inside. m or rad. Coordinates must be current. */
double tn_limits_violation(const tn_sim *sim);

/* Of the free coordinate furthest beyond its limit: by how much it is, was in sim->mark, and how
 * fast it goes on. False where what is furthest is held. Kinematics must be current. */
typedef struct tn_limit_course {
    double beyond, before; /* m, rad */
    double rate;           /* per s */
} tn_limit_course;
bool tn_limits_course(const tn_sim *sim, tn_limit_course *out);
/* Of the free coordinates that are above the target, after t seconds, and were below: the earliest moment, in
 * s, at which the cubic through places and speeds of both ends passes it; NaN: there is none. */
double tn_limits_first(const tn_sim *sim, double target, double t);

/* What a stepper of first order leaves behind its limit though it moves away from it is put on the
 * limit: no event. To be called with sim->mark the state before. */
tn_status tn_limits_bring_back(tn_sim *sim, tn_step_report *report);

/* The largest distance (m, rad) by which a held limit's pull moves its coordinate in `step` seconds; negative when all push. */
double tn_limits_largest_pull(const tn_sim *sim, double step);
/* The same, by which a prescribed motion that a limit stops leads away from it. */
double tn_limits_largest_lead(const tn_sim *sim, double step);
/* Marks every held limit that does not push; says how many. Then lets those marked go (how many).
 * One that comes back in the same step is kept until the step ends, whatever it does: no chatter
 * where the order of a stepper leaves the sign open. */
int32_t tn_limits_mark_pulling(tn_sim *sim, double step);
int32_t tn_limits_release_marked(tn_sim *sim);
void tn_limits_begin_step(tn_sim *sim);

/* The force with which the hard limit that holds a coordinate pulls it outwards, N or N m; <= 0: it
 * pushes, or none holds it. 0 where something drives, brakes or springs the coordinate: the row
 * carries that too. */
double tn_limits_pull_of(const tn_sim *sim, int32_t joint, int32_t coordinate);
/* At the end of a step: limits that pull may let go after all, however often they have in it; with methods of first order those
 * that were kept. Are there any? Accelerations and multipliers are to be found anew then. */
bool tn_limits_reconsider(tn_sim *sim, double step);

/* Sets the held values of coordinates at most `stride` (m, rad) off their place, on the way to
 * their limits. Returns how far the furthest of those on the way still is; 0: all are held at the
 * limits themselves. What yields is pushed back by its spring, in its own time. *whose: its joint. */
double tn_limits_stride(tn_sim *sim, double stride, tn_joint *whose);

/* How many coordinates are held at limits. */
int32_t tn_limits_held(const tn_sim *sim);

/* Which coordinates at a limit (within the deadband) are held. */
typedef enum tn_touching {
    TN_TOUCH_NOT_LEAVING, /* those that do not move inwards, nor were let go and are at rest */
    TN_TOUCH_ALL
} tn_touching;

/* Holds every free coordinate that is beyond a limit, or at one; where any is, those too that were let go in
 * this step and have not moved. Returns how many are held at limits now. Needs current kinematics. */
int32_t tn_limits_hold_touching(tn_sim *sim, tn_touching which);

/* What a part of h seconds from sim->mark may have passed and left again between its ends, where no
 * limit is passed at the end: *when: s from the start, where the first of them was furthest beyond its
 * limit. The kinematics are those of the end. Begin is called at the start of every part, end where it is kept. */
void tn_limits_begin_part(tn_sim *sim);
/* Is every limit that does not hold further away than speeds and accelerations of the state take its coordinate in h
 * seconds, and as far again? Of what swings that is so in a quarter of its period and less. */
bool tn_limits_out_of_reach(const tn_sim *sim, double h);
bool tn_limits_passed_between(const tn_sim *sim, double h, double *when);
void tn_limits_end_part(tn_sim *sim, double h);

tn_status tn_between_create(tn_sim *sim);
void tn_between_destroy(tn_sim *sim);
/* limits_setting_out.c: from sim->mark, which is the present state: does a prescribed motion start from rest within h seconds
 * against limits, friction or motors that yield to it? True: they are released. */
bool tn_limits_set_out(tn_sim *sim, double h, tn_step_report *report);

#endif
