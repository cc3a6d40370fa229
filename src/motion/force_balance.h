/* force_balance.h: room motion: checks the balance of forces, inertia and reactions of every body. */
#ifndef TN_MOTION_FORCE_BALANCE_H
#define TN_MOTION_FORCE_BALANCE_H

#include "motion/simulation.h"

/* Round-off spreads through the mechanism: the reference of a body is at least this share of the largest reference of
 * all bodies. */
#define TN_SMALL_LOAD 1e-3

/* m/s^2, rad/s^2: least inertia that counts as a reference. Smaller accelerations may be round-off. */
#define TN_NO_LOAD 1e-3

typedef struct tn_force_balance {
    double force, moment; /* largest residual of a body, relative to its reference */
    int32_t worst;        /* its index, -1: all residuals are zero */
} tn_force_balance;

/* The bodies whose balance is checked, and the data for it. */
typedef struct tn_balance_of {
    const tn_system *sys;    /* kinematics that the multipliers belong to */
    const double *udot;      /* packed */
    int32_t first, end;      /* bodies */
    const int32_t *elements; /* those that act on them; NULL: all */
    int32_t element_count;
    /* Wrenches of those elements that are switched on, one for each joint of an element, in order, if they have been
     * computed; NULL: not. */
    const tn_wrench *wrenches;
    double unknown; /* N, residual that is no error, since forces are not known better */
} tn_balance_of;

/* residual: f - M u' + G^T lambda, packed; scale: [bodies][2] scratch. Kinematics must be those of
 * the state. */
tn_force_balance tn_force_balance_of(const tn_sim *sim, const double *residual, double *scale);
/* The same for some of the bodies. */
tn_force_balance tn_force_balance_among(const tn_sim *sim, const tn_balance_of *of,
                                        const double *residual, double *scale);

#endif
