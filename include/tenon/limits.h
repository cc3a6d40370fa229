/* limits.h: bounds on the work of one call. Whoever reaches one is told TN_ERROR_WORK, and nothing
 * has changed. docs/reliability.md lists them with all other limits.
 */
#ifndef TENON_LIMITS_H
#define TENON_LIMITS_H

/* Factorisations of the system in one call: steps, coordinates, targets. A step takes 1 to 10; one
 * in 64 parts with an event in each some 10 000. */
#define TN_MOST_FACTORIZATIONS 100000

/* rad or m by which a coordinate may be outside its range, or away from its prescribed motion, to
 * be moved there in strides of 1: 1591 turns. */
#define TN_MOST_STRIDES 10000

/* tn_sim_options: max_iterations and iterations. */
#define TN_MOST_ITERATIONS 1000000

#endif
