/* impulses.h: sequential impulses: block Gauss-Seidel over the dual nodes of a KKT system.
 *
 * Room solve: sees systems, never joints. In: the system of mlcp.h,
 *
 *     H u - G^T lambda = b,    w = G u + R lambda - g,
 *     lo < lambda < hi  =>  w = 0;    lambda = lo  =>  w >= 0;    lambda = hi  =>  w <= 0
 *
 * Out: an approximation. With H block diagonal, u = H^-1 (b + G^T lambda) is kept exactly, and one
 * iteration visits every dual node k in the caller's order with its own block
 *
 *     K_k = G_k H^-1 G_k^T + R_k,    K_k dlambda = -w_k,    u += H^-1 G_k^T dlambda
 *
 * (Guendelman, Bridson, Fedkiw 2003; Catto 2005), in which bounds hold for the accumulated lambda
 * of the node and are met exactly. A system of one dual node is solved at once; chains need about
 * as many iterations as their length squared. The direct solver (sparse/kkt.h) needs none: this one
 * is there to compare, to teach, and where a step must cost the same whatever happens.
 *
 * Iterations that end early leave work behind: of a step from velocities u0, b = H u0 + forces, the
 * rows have made lambda . w - |u - u0|^2 / 2 in the metric of H. Where that is positive, lambda is
 * taken in part, s lambda with the s that comes nearest to the solution, where lambda . w = 0.
 * Bounds, if any, must have 0 between them.
 *
 * Blocks are factored once, in tn_impulses_prepare. A pivot that is nothing but round-off, as rows
 * that repeat each other within a node have, is replaced by a small share of its row: the
 * multipliers then share the load.
 */
#ifndef TN_SOLVE_IMPULSES_H
#define TN_SOLVE_IMPULSES_H

#include "sparse/kkt.h"

/* Blocks and workspace for systems of one analysis; one per thread. */
typedef struct tn_impulses tn_impulses;
tn_status tn_impulses_create(const tn_kkt *kkt, tn_impulses **out);
void tn_impulses_destroy(tn_impulses *impulses);

/* Factors H + delta and K of the present values. TN_ERROR_SINGULAR names a primal node whose block
 * is not positive definite in *node (-1 on success), TN_ERROR_NOT_FINITE likewise. */
tn_status tn_impulses_prepare(tn_impulses *impulses, const tn_kkt_values *values, int32_t *node);

typedef struct tn_impulses_options {
    int32_t iterations; /* most visits of every dual node */
    const double
        *before; /* [u_size] velocities at the start of the step; NULL: no energy is computed */
    double
        tolerance; /* stop when no row has a larger residual than this, in the unit of w; 0: never */
} tn_impulses_options;

typedef struct tn_impulses_stats {
    int32_t iterations;
    double
        residual; /* how far the worst row is from its condition, unit of w; after the last one */
    int64_t worst_row; /* its index in y, -1 when every row is met exactly */
} tn_impulses_stats;

/* lambda is the warm start and the result, u only the result. lo and hi may be NULL: no bounds; a
 * warm start beyond a bound is moved to it. Allocates nothing; the same input gives the same bits.
 * TN_ERROR_NOT_FINITE: something in the input is not, or the iteration overflowed. */
tn_status tn_impulses_solve(tn_impulses *impulses, const tn_kkt_values *values, const double *b,
                            const double *g, const double *lo, const double *hi, double *u,
                            double *lambda, const tn_impulses_options *options,
                            tn_impulses_stats *stats);

/* For passes in which the blocks of G and R change from visit to visit: the factor of H + delta
 * alone; then one node at a time with its blocks of now, K dlambda = -w, u = H^-1 G_k^T dlambda in
 * the slots of its primal nodes. Errors as above. */
tn_status tn_impulses_prepare_bodies(tn_impulses *impulses, const tn_kkt_values *values,
                                     int32_t *node);
tn_status tn_impulses_visit(tn_impulses *impulses, const tn_kkt_values *values, int32_t k,
                            const double *w, double *u, double *dlambda);

#endif
