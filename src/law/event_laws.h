/* event_laws.h: room law: what can happen between two moments: the one list of it.
 *
 * Each row is a function F(t) of the state, a distance (m, rad): F <= 0 while nothing happens, and
 * what follows where F is zero. Another kind of event is another row; step/event/locate.c finds the first
 * zero of all of them together, step/advance.c lets them happen in the order of the rows.
 *
 * In: two moments of a simulation. Out: how far each law is from its event, and the state after
 * it.
 */
#ifndef TN_LAW_EVENT_LAWS_H
#define TN_LAW_EVENT_LAWS_H

#include "law/drives/drives.h"
#include "law/limits/limits.h"
#include "law/pieces.h"
#include "motion/simulation.h"

/* What an event has changed. */
typedef struct tn_happened {
    int32_t changed; /* holds and switches, of which no impact comes */
    int32_t hit;     /* coordinates that are held from now on: an impact */
} tn_happened;

/* Columns that are NULL: the law does not have it. Kinematics and coordinates are current. */
typedef struct tn_event_law {
    /* F, for steps of so many seconds. The factor may be another afterwards. */
    double (*beyond)(tn_sim *sim, double step);
    /* F of forces, which are other ones within a part of h seconds than at its ends (within.h), counts there from this on. */
    double (*least)(const tn_sim *sim, double h);
    /* F of now, before and its rate, where F is a coordinate: one whose zero a parabola finds. */
    bool (*course)(const tn_sim *sim, tn_limit_course *out);
    double (*first)(const tn_sim *sim, double target, double t);
    /* Was F > 0 in the h seconds from sim->mark, though it is not at their end? *when: s */
    bool (*passed)(const tn_sim *sim, double h, double *when);
    /* At an event: what is at its zero changes; adds to *out. */
    tn_status (*happen)(tn_sim *sim, double step, tn_happened *out, tn_step_report *report);
    /* What F says twice without anything that happens is taken at its word. */
    void (*insist)(tn_sim *sim, tn_happened *out);
    /* F is a multiplier of a row that only pushes. Methods of first order know it as the mean over a part, which must not be
     * negative (Stewart and Trinkle 1996): if it is, the row lets go where the part begins. */
    bool is_mean;
} tn_event_law;

/* Can anything happen in this state? */
static inline bool tn_events_possible(const tn_sim *sim)
{
    return sim->state.head->limited > 0 || sim->state.head->breakable > 0 || tn_pieces_are(sim) ||
           tn_drive_knots_are(sim);
}

/* The largest F of all laws whose events are at a time within a part; negative infinity where nothing can happen. */
double tn_events_beyond(tn_sim *sim, double step);
/* The largest F of the others, at the end of a part: what they find happens where it begins. */
double tn_events_of_part(tn_sim *sim, double step);
/* The course of the coordinate whose F is so far above the target; false: it is none of a coordinate. */
bool tn_events_course(const tn_sim *sim, double target, double above, tn_limit_course *out);
/* The moment, in s, at which the first of such coordinates passes the target, of those beyond it after t
 * seconds; NaN: none is known to. */
double tn_events_first(const tn_sim *sim, double target, double t);
/* The first of what was passed in h seconds. */
bool tn_events_passed(const tn_sim *sim, double h, double *when);

/* May forces have come to an event between the stages that were noted? */
bool tn_events_nearly(const tn_sim *sim);

/* What F is at a stage of a part, t seconds from sim->mark. */
void tn_events_note(tn_sim *sim, double t);

/* All that is at its zero happens; and, where that was nothing, what insists. */
tn_status tn_events_happen(tn_sim *sim, double step, tn_happened *out, tn_step_report *report);
void tn_events_insist(tn_sim *sim, tn_happened *out);

#endif
