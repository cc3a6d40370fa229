/* euler.h: room method/euler: the data of the Euler schemes.
 *
 * In: a state, and h. Out: velocities by an implicit step of first order, or by impulses one joint after the other, and
 * the poses that follow from them; the energy that this created.
 */
#ifndef TN_METHOD_EULER_EULER_H
#define TN_METHOD_EULER_EULER_H

#include "motion/simulation.h"
#include "solve/impulses.h"

typedef struct tn_euler_work {
    tn_impulses *sweeps; /* data of sequential impulses, else NULL */
    double *lo, *hi;     /* [y_size] bounds of their impulses */
    double *sum;         /* [velocities] of created_energy.c */
    double *speeds;      /* [y_size] likewise */
    double *block;       /* the allocation of all these */
    double size;         /* m, of the mechanism */
} tn_euler_work;

/* impulse_steps.c: the velocities of a step by sequential impulses, from the prepared system: u+ to sys.du and impulses
 * over h seconds to sys.y. */
tn_status tn_velocity_by_impulses(tn_sim *sim, double h, tn_step_report *report);
/* impulse_positions.c: the position pass, with this number of visits of every joint. */
tn_status tn_correct_by_impulses(tn_sim *sim, tn_step_report *report);

/* created_energy.c: between velocity solve and move: the energy that the joints have created, relative to the kinetic
 * energy. */
double tn_created_share(tn_sim *sim);

#endif
