/* rkmk.h: room method: Runge-Kutta stages on the Lie group (rkmk.c), and the lengths of parts of
 * steps that their errors allow (dormand_prince.c).
 *
 * A step of dormand_prince is taken in parts (advance.c): each is tried, judged by its error, and
 * taken or tried again, shorter. How long the next may be is part of the state.
 */
#ifndef TN_METHOD_RKMK_H
#define TN_METHOD_RKMK_H

#include "motion/simulation.h"

/* Of Dormand and Prince; the last is the first of the next part. */
#define TN_RKMK_STAGES 7

typedef struct tn_rkmk {
    double *rate[TN_RKMK_STAGES]; /* [velocities] of the pose's coordinates: m/s, rad/s */
    double *udot[TN_RKMK_STAGES]; /* [velocities] m/s^2, rad/s^2 */
    double *dq;                   /* [velocities] increment of the pose per second */
    double *block;                /* of them all */
    double length;                /* m: size of the model */
    double error;                 /* of the last part, in units of the tolerance */
} tn_rkmk;

static inline tn_rkmk *tn_rkmk_of(const tn_sim *sim)
{
    return sim->work;
}

/* Poses, which say how large the model is, may be those before it is assembled. */
tn_status tn_rkmk_create(tn_sim *sim);
void tn_rkmk_destroy(tn_sim *sim);

/* A part of a step, from sim->mark, where sim->state is. */
tn_status tn_rkmk_step(tn_sim *sim, double h, tn_step_report *report);

/* The fastest body of the state, sizes of the model or rad per second, and its turning only. */
typedef struct tn_pace {
    double any, turn;
} tn_pace;
tn_pace tn_rkmk_pace(const tn_sim *sim, const double *u);

#endif
