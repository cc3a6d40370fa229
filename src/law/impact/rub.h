/* rub.h: room law/impact: friction by a coefficient in impacts.
 *
 * Coulomb's law while an impact lasts: as the constraints of a joint take an impulse, of size P (N s), friction of
 * coefficient mu along one of its coordinates takes
 *     s = -mu P sign(v) as long as that slides with speed v,    |s| <= mu_static P while it rests.
 * All impulses grow together (Routh 1860, of one contact): what slides does so until it stops, on the way to what the impact
 * would come to, and from there on it rests or slides as the rest of the impact will have it: phases. Friction that is a
 * force, of so many newtons, has no impulse.
 *
 * In: what a phase is found to be with the bounds so far. Out: the bounds that follow from it, a fixed point; how much of
 * the phase there is until something stops.
 *
 * Painleve's paradox (1895): friction can raise the normal force faster than it slows the sliding. No impulse of the limits then ends
 * the approach while the contact slides. The limits push on, by the impulses that would end it without sliding, until sliding stops.
 *
 * Limits: of a coordinate that a limit holds, the limit determines the speed after the impact, not its friction. Impacts have no
 * friction along lengths with round bounds.
 */
#ifndef TN_LAW_IMPACT_RUB_H
#define TN_LAW_IMPACT_RUB_H

#include <stdbool.h>

#include "motion/simulation.h"

/* Of a drive, in an impact. */
typedef struct tn_rub {
    double P, wrong; /* N s: that its bound goes by, and what that was found to be off by */
    int8_t was;      /* tn_hold that had the row before; TN_RUBS_NOT: it takes no part */
    int8_t side;     /* which way it slides; 0: it rests */
    bool slips;      /* from rest, beyond what is static */
} tn_rub;

enum { TN_RUBS_NOT = -1 };

/* Of all drives, in an impact. */
typedef struct tn_rubbing {
    tn_rub *of;  /* [coordinates], as the state has the drives */
    bool on;     /* some of them have their rows */
    bool stops;  /* what slides may stop within the phase, held as what rests is */
    bool pushed; /* limits push on in the phase, by the impulses that it is given */
    bool took;   /* friction had an impulse in this impact */
    double
        way; /* times what impulses were off by: their last change; 0: there was none in this phase */
} tn_rubbing;

/* What may take part has its row from now on; false: nothing may. */
bool tn_rub_begin(tn_sim *sim);
/* Gives the rows back to what held the coordinates before the impact; called after every impact, failed ones too. */
void tn_rub_end(tn_sim *sim);

/* A phase: bounds of nothing yet. */
void tn_rub_begin_phase(tn_sim *sim, bool stops);
/* The bounds of the rows. */
void tn_rub_bound(const tn_sim *sim, double *lo, double *hi);
/* The bounds that follow from the impulses in sys.y; true: they are others. */
bool tn_rub_follow(tn_sim *sim);
/* The share of the phase until something stops, of speeds of the rows and what they change by (both [y_size]); what does then rests. 1: all
 * of it. One that is pushed on goes on until then; infinite: nothing stops. */
double tn_rub_end_phase(tn_sim *sim, const double *speeds, const double *changes);
/* The joint whose impulse is furthest from being found; -1: there is none. */
int32_t tn_rub_culprit(const tn_sim *sim);

#endif
