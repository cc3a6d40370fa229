/* overconstrained.h: test support: mechanisms with known redundancy, and the means to look at them:
 * dense rank by LAPACK, disturbed frames, random reachable poses.
 */
#ifndef TENON_TESTS_OVERCONSTRAINED_H
#define TENON_TESTS_OVERCONSTRAINED_H

#include <stdint.h>

#include "mechanism.h"

/* What the literature (or the count in the comment at the builder) says. */
typedef struct overconstrained {
    const char *name;
    mechanism (*build)(void);
    int dof, redundant, idle;
} overconstrained;

extern const overconstrained overconstrained_list[];
extern const int overconstrained_count;

/* A leaf on n hinges along z, spaced evenly and symmetrically about its middle, its centre of mass
 * 0.5 m from them along x, which is where gravity pulls: at rest. dof 1, 5 (n - 1) redundant rows.
 */
mechanism door(int hinges);

/* The same spec with every joint's frame C moved and turned by `amount` (m, rad) in a random
 * direction; compiled, not started. */
mechanism disturbed(const mechanism *m, double amount, uint64_t seed);

/* Random velocities, projected, then `steps` steps of h. */
void wander(mechanism *m, uint64_t *seed, double h, int steps);

/* Singular values of the rows of J, each scaled to length 1, in descending order: how many are at
 * least `threshold`, the smallest of them and the largest of the others (1 and 0 if none). */
typedef struct dense_rank {
    int rows, rank;
    double kept, dropped;
} dense_rank;
dense_rank dense_rank_of(const tn_sim *sim, double threshold);

/* Every dependent row of an analysis is the sum it says: row r - sum c_i row_i = 0 in the Jacobian
 * of the equations. */
void expect_dependents(const tn_sim *sim, const tn_analysis *a);

#endif
