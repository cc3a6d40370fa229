/* implicit.h: room method/stages: what implicit stages work with, one after the other
 * (implicit_stage.c) or all together (collocation.c).
 *
 * In: what other stages give a stage, and its accelerations and multipliers so far. Out: its pose
 * and velocity, its matrix, a correction of Newton's.
 */
#ifndef TN_METHOD_STAGES_IMPLICIT_H
#define TN_METHOD_STAGES_IMPLICIT_H

#include "method/stages/rkmk.h"
#include "solve/mixing.h"

typedef struct tn_together tn_together; /* collocation.c */

struct tn_implicit {
    double own;        /* weight of the stage in itself */
    double *weight;    /* [velocities] of the norm of corrections: 1 / size, or 1 of turns */
    double *lambda;    /* [elements][TN_MAX_ROWS] of hard rows, those of the iterate */
    double *iterate;   /* [numbers] u' and multipliers */
    double *change;    /* [numbers] likewise, of Newton */
    double *speeds;    /* [y_size] of the rows */
    double *closing_q; /* [velocities] m, rad: what closes the loops of the stage */
    double *closing_u; /* [velocities] and makes its velocities fit */
    double closed;     /* how far the rows of loops were off at the last iterate, m or rad */
    tn_mixing mixing;
    bool factored; /* the matrix is of this part */
    double *block;
    tn_together *together; /* NULL: stages are solved one after the other only */
};

/* Of the multipliers of all elements. */
static inline size_t tn_implicit_rows(const tn_sim *sim)
{
    return TN_MAX_ROWS * (size_t)sim->model->element_count;
}

/* s: the time that the accelerations of a stage act in itself. */
static inline double tn_implicit_own_time(const tn_sim *sim, double h)
{
    return h * tn_rkmk_of(sim)->implicit->own;
}

/* Pose, velocity and kinematics of stage i of the accelerations in the state; what other stages give
 * is in known_rate and known_udot. */
void tn_implicit_place(tn_sim *sim, int i, double h);
/* The matrix at the state, factored. */
tn_status tn_implicit_factor(tn_sim *sim, double h, tn_step_report *report);
/* The correction of Newton, into change. */
tn_status tn_implicit_correct(tn_sim *sim, tn_step_report *report);
/* Pose and velocity of the next iterate nearer to where the loops close. */
tn_status tn_implicit_close(tn_sim *sim, double h, tn_step_report *report);
/* Were they closed, before that and so far as may be? */
bool tn_implicit_is_closed(const tn_sim *sim, double now, double before);
/* The correction in units of what a stage may be off, this share of what a part may err. */
double tn_implicit_off(const tn_sim *sim, double h, double share);
/* Does round-off keep corrections from getting smaller? */
bool tn_implicit_is_rounding(double off, double before);

/* collocation.c: NULL where there is no memory. */
tn_status tn_together_create(tn_sim *sim, tn_together **out);
void tn_together_destroy(tn_together *t);

#endif
