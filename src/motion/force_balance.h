/* force_balance.h: room motion: how well forces, inertia and reactions of every body balance. */
#ifndef TN_MOTION_FORCE_BALANCE_H
#define TN_MOTION_FORCE_BALANCE_H

#include "motion/simulation.h"

/* Round-off spreads through the mechanism: a body that carries less than this share of the largest
 * load is measured against that share. */
#define TN_SMALL_LOAD 1e-3

/* Accelerations below this are no load (m/s^2, rad/s^2): they do not count as what is balanced. */
#define TN_NO_LOAD 1e-3

typedef struct tn_force_balance {
    double force, moment; /* largest residual of a body relative to what acts on it */
    int32_t worst;        /* its index, -1: all are exact */
} tn_force_balance;

/* Whose balance, and with what. */
typedef struct tn_balance_of {
    const tn_system *sys;    /* kinematics that the multipliers belong to */
    const double *udot;      /* packed */
    int32_t first, end;      /* bodies */
    const int32_t *elements; /* that act on them; NULL: all */
    int32_t element_count;
    /* Wrenches of those elements that are on, of the joints that each goes through one after the other, where they are
     * known; NULL: they are not. */
    const tn_wrench *wrenches;
    double unknown; /* N, what a residual may be at any body: no error */
} tn_balance_of;

/* residual: f - M u' + G^T lambda, packed; scale: [bodies][2] scratch. Kinematics must be those of
 * the state. */
tn_force_balance tn_force_balance_of(const tn_sim *sim, const double *residual, double *scale);
/* The same of some bodies. */
tn_force_balance tn_force_balance_among(const tn_sim *sim, const tn_balance_of *of,
                                        const double *residual, double *scale);

#endif
