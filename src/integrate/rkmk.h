/* rkmk.h: room integrate: Runge-Kutta stages on the Lie group (rkmk.c), and the lengths of parts of
 * steps that their errors allow (dormand_prince.c).
 *
 * A step of dormand_prince is taken in parts (advance.c): each is tried, judged by its error, and
 * taken or tried again, shorter. How long the next may be is part of the state.
 */
#ifndef TN_INTEGRATE_RKMK_H
#define TN_INTEGRATE_RKMK_H

#include "integrate/sim_internal.h"

/* Of Dormand and Prince; the last is the first of the next part. */
#define TN_RKMK_STAGES 7

struct tn_rkmk {
    double *rate[TN_RKMK_STAGES]; /* [velocities] of the pose's coordinates: m/s, rad/s */
    double *udot[TN_RKMK_STAGES]; /* [velocities] m/s^2, rad/s^2 */
    double *block;                /* of them all */
    double length;                /* m: size of the model */
    double error;                 /* of the last part, in units of the tolerance */
};

/* Poses, which say how large the model is, may be those before it is assembled. */
tn_status tn_rkmk_create(tn_sim *sim);
void tn_rkmk_destroy(tn_sim *sim);

/* The fastest body of the state, sizes of the model or rad per second, and its turning only. */
typedef struct tn_pace {
    double any, turn;
} tn_pace;
tn_pace tn_rkmk_pace(const tn_sim *sim, const double *u);

/* dormand_prince.c: from sim->part on. */
typedef struct tn_part {
    double length;    /* s, what is to be tried */
    double remaining; /* s, of the step */
    double known;     /* s, what its length would be but for the step's end; 0: not known */
    int rejected;     /* a longer one was */
} tn_part;

/* The next part of a step of which so much remains, or TN_ERROR_STIFF. */
tn_status tn_part_begin(tn_sim *sim, double remaining, tn_part *part, tn_step_report *report);
/* It has been tried, with this status. 1: it is taken, or the step fails, as the status then says;
 * the state remembers how long the next may be. 0: it is to be tried again, shorter. */
int tn_part_judge(tn_sim *sim, tn_part *part, tn_status *status, tn_step_report *report);

#endif
