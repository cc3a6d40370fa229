/* mlcp.h: rows with bounds (limits, unilateral connectors, motors, friction): complementarity.
 *
 * Room solve/mlcp: sees systems, never joints. In: a KKT system (sparse/kkt.h) whose rows have bounds
 * lo <= lambda <= hi (-inf, +inf: bilateral). Out: u and lambda with
 *
 *     H u - G^T lambda = b,    w = G u + R lambda - g,
 *     lo < lambda < hi  =>  w = 0;    lambda = lo  =>  w >= 0;    lambda = hi  =>  w <= 0
 *
 * a mixed linear complementarity problem (MLCP). A limit has lo = 0, hi = +inf; a motor or dry
 * friction a box; lo = hi prescribes lambda and leaves w alone.
 *
 * Three methods on one symbolic factor, each taking over when the one before gives up:
 *   1. active set, all infeasible rows flipped at once (block pivoting: Kostreva 1978, Judice and
 *      Pires 1994); a warm start after a small change takes one to three factorisations;
 *   2. active set, only the most violated row flipped, until a set comes back;
 *   3. Mehrotra's predictor-corrector interior point, whose guess of the set is polished by an
 *      active-set solve as soon as it stands still.
 * Rows that are not free stay in the matrix with R_i = 1e30 (a_i + R_i), so the structure of the
 * factor never changes. Redundant rows need no care: the kernel's proximal passes give the free
 * rows the multipliers of least energy (those nearest to the interior point in method 3).
 *
 * Tolerances are free of units: lambda_i sqrt(a_i) and w_i / sqrt(a_i) are both square roots of an
 * energy and are compared to the largest b, u and lambda-at-a-bound in that measure.
 *
 * Vectors of rows have the layout of y of the kernel; entries of inactive rows are neither read nor
 * written. A solve allocates nothing. The same input gives the same bits.
 */
#ifndef TN_SOLVE_MLCP_H
#define TN_SOLVE_MLCP_H

#include <stdbool.h>
#include <stdint.h>

#include "sparse/kkt.h"
#include "tenon/status.h"

/* State of a row, one int8_t per slot. Zeroed memory is a legal cold start (all rows free). */
enum { TN_MLCP_LO = -1, TN_MLCP_FREE = 0, TN_MLCP_HI = 1 };

/* Workspace for systems of one analysis; one per thread. */
typedef struct tn_mlcp tn_mlcp;
tn_status tn_mlcp_create(const tn_kkt *kkt, tn_mlcp **out);
void tn_mlcp_destroy(tn_mlcp *mlcp);

typedef enum tn_mlcp_method {
    TN_MLCP_NONE,  /* nothing finished */
    TN_MLCP_BLOCK, /* active set, all infeasible rows at a time */
    TN_MLCP_PIVOT, /* active set that needed single pivots */
    TN_MLCP_INTERIOR
} tn_mlcp_method;

typedef struct tn_mlcp_options {
    double tolerance;     /* relative scaled violation that is accepted */
    int32_t max_sets;     /* active sets tried before the interior point; 0: start with that */
    int32_t max_interior; /* interior point iterations */
    int32_t patience;     /* block steps without progress before single pivots */
    tn_kkt_refine_options refine;
    double
        at_hand; /* speeds, or accelerations, there are already, as tn_mlcp_velocity_norm measures them: rows that
                         u of their size satisfies are no conflict */
} tn_mlcp_options;

/* 1e-10, 10 sets, 100 interior iterations, patience 3, refinement to 1e-13 in up to 30 passes. */
tn_mlcp_options tn_mlcp_default_options(void);

/* How far a candidate is from a solution: all relative and free of units. */
typedef struct tn_mlcp_residual {
    double primal;          /* of H u - G^T lambda = b */
    double complementarity; /* of the rows: min(lambda - lo, max(lambda - hi, w)), worst row */
    double violation;       /* the larger of the two; infinite when something is not finite */
    double reference;       /* what they are relative to; square root of an energy */
    int64_t worst_row;      /* index in y of the worst row, -1 when no row is violated */
} tn_mlcp_residual;

typedef struct tn_mlcp_stats {
    int32_t sets;     /* active sets tried, polishing included */
    int32_t interior; /* interior point iterations */
    int32_t factorizations;
    int32_t solves; /* refined solves */
    int32_t passes; /* back-solves in them */
    tn_mlcp_method method;
    double violation;  /* as tn_mlcp_check says of the returned u, lambda */
    int64_t worst_row; /* its row; with TN_ERROR_ARGUMENT the offending row */
    bool conflict;     /* the rows contradict each other: no u satisfies them all */
    int32_t node;      /* node with a bad pivot (see tn_kkt_factorize), -1 when there was none */
} tn_mlcp_stats;

/* Solves the problem. state is the warm start and the final active set; bilateral rows are FREE
 * whatever it says. values->r is used during the call and restored.
 *   TN_OK                   u, lambda solve it to the tolerance, lambda within its bounds, and the
 *                           factor is that of the final set (rows at a bound held by a large R)
 *   TN_ERROR_NOT_CONVERGED  u, lambda, state are the best candidate met, its violation is in stats
 *   TN_ERROR_ARGUMENT       lo > hi, lo = +inf, hi = -inf or a NaN bound: see worst_row
 *   TN_ERROR_SINGULAR, TN_ERROR_NOT_FINITE  of the kernel, before any candidate was found
 */
tn_status tn_mlcp_solve(tn_mlcp *mlcp, tn_kkt_values *values, tn_kkt_factor *factor,
                        const double *b, const double *g, const double *lo, const double *hi,
                        int8_t *state, double *u, double *lambda, const tn_mlcp_options *options,
                        tn_mlcp_stats *stats);

/* The violation of a candidate, from nothing but the definition above; mlcp is only scratch. */
void tn_mlcp_check(tn_mlcp *mlcp, const tn_kkt_values *values, const double *b, const double *g,
                   const double *lo, const double *hi, const double *u, const double *lambda,
                   tn_mlcp_residual *residual);

/* max |x_i| sqrt(H_ii), the square root of an energy; infinite when not finite. */
double tn_mlcp_velocity_norm(const tn_mlcp *m, const tn_kkt_values *values, const double *x);

/* For more solves on the final active set with the factor that tn_mlcp_solve left (position
 * passes, derivatives): between the two calls values->r holds the rows at a bound, so that
 * tn_kkt_solve_refined with g = 0 in those rows leaves them alone. */
void tn_mlcp_hold(tn_mlcp *mlcp, tn_kkt_values *values, const int8_t *state);
void tn_mlcp_release(tn_mlcp *mlcp, tn_kkt_values *values, const int8_t *state);

#endif
