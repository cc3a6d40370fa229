/* euler.h: room method/euler: what the Euler schemes work with.
 *
 * In: a state, and h. Out: velocities by an implicit step of first order, or by impulses one joint
 * after the other, and poses that follow them; what energy that made.
 */
#ifndef TN_METHOD_EULER_EULER_H
#define TN_METHOD_EULER_EULER_H

#include "motion/simulation.h"
#include "solve/impulses.h"

typedef struct tn_euler_work {
    tn_impulses *sweeps; /* of sequential impulses, else NULL */
    double *lo, *hi;     /* [y_size] bounds of their impulses */
    double *sum;         /* [velocities] of created_energy.c */
    double *speeds;      /* [y_size] likewise */
    double *block;       /* of all these */
    double size;         /* m, of the mechanism */
} tn_euler_work;

/* The velocities of a step by sequential impulses (impulse_steps.c), with the system prepared: u+
 * into sys.du and impulses over h seconds into sys.y. */
tn_status tn_velocity_by_impulses(tn_sim *sim, double h, tn_step_report *report);
/* The position pass (impulse_positions.c): as many visits of every joint. */
tn_status tn_correct_by_impulses(tn_sim *sim, tn_step_report *report);

/* Between velocity solve and move: the energy that the joints have created, relative to the kinetic
 * energy (created_energy.c). */
double tn_created_share(tn_sim *sim);

#endif
