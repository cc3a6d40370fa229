/* mlcp_impl.h: workspace and one run of the complementarity solver. Room solve/mlcp, private. */
#ifndef TN_SOLVE_MLCP_IMPL_H
#define TN_SOLVE_MLCP_IMPL_H

#include "solve/mlcp/mlcp.h"

/* Sets remembered to notice that single pivots go in circles. */
#define TN_MLCP_SEEN 128

/* One finite bound of one row in the interior point. */
typedef struct tn_mlcp_barrier {
    int64_t row;
    double sign; /* +1: gap = lambda - lo; -1: gap = hi - lambda */
    double gap;  /* > 0 */
    double w;    /* > 0: this bound's part of sign * (G u + R lambda - g) */
    double correction;
} tn_mlcp_barrier;

struct tn_mlcp {
    const tn_kkt *kkt;
    const tn_kkt_layout *l;
    bool *present;    /* per dual: it has a primal node that is not absent */
    int64_t *bounded; /* rows with a finite bound, indices in y */
    int64_t n_bounded;
    double *r; /* R of rows that are held or carry a barrier; restored from here */
    /* layout of u */
    double *b_shifted; /* b + G^T lambda of the rows at a bound */
    double *ru;
    double *best_u;
    double *interior_u;
    double *step_u;
    /* layout of y */
    double *g_shifted; /* g, 0 in held rows */
    double *rl;        /* -w */
    double *best_lambda;
    double *interior_lambda;
    double *step_lambda;
    double *proof;
    int8_t *best_state;
    tn_mlcp_barrier *barrier; /* room for two a row */
    int64_t n_barriers;
    uint64_t seen[TN_MLCP_SEEN];
    int32_t n_seen;
    /* Of the arrays of u and y and `bounded`: one, so that it takes no memory where nothing is bounded. */
    double *block;
};

/* The arguments of one call and what it has reached. */
typedef struct tn_mlcp_run {
    tn_mlcp *m;
    tn_kkt_values *values;
    tn_kkt_factor *factor;
    const double *b, *g, *lo, *hi;
    int8_t *state;
    double *u, *lambda;
    const tn_mlcp_options *options;
    tn_mlcp_stats *stats;
    tn_mlcp_residual now;  /* of u, lambda, after tn_mlcp_try */
    tn_mlcp_residual best; /* of best_u, best_lambda */
} tn_mlcp_run;

/* Walks the active rows of present duals: i is the index in y. */
#define TN_MLCP_ROWS(m, values, i)                                                                 \
    for (int32_t dual_ = 0; dual_ < (m)->l->n_dual; dual_++)                                       \
        for (int64_t i = (m)->l->y_offset[dual_],                                                  \
                     end_ = i + ((m)->present[dual_] ? (values)->rows[dual_] : 0);                 \
             i < end_; i++)

/* max |x_i| / sqrt(H_ii); infinite when not finite. */
double tn_mlcp_force_norm(const tn_mlcp *m, const tn_kkt_values *values, const double *x);

/* Adds a barrier or a hold to R of one bounded row, after keeping R. */
void tn_mlcp_hold_row(tn_mlcp *m, tn_kkt_values *values, int64_t i);

/* One refined solve with the factor at hand, counted. */
tn_status tn_mlcp_refined(tn_mlcp_run *run, const double *b, const double *g, double *u,
                          double *lambda);
tn_status tn_mlcp_factorize(tn_mlcp_run *run);

/* Solves with the rows of run->state free or held; run->now is the quality of the result, which is
 * remembered when it is the best so far. start: begin at this (u, lambda) instead of 0, NULL for
 * none. */
tn_status tn_mlcp_try(tn_mlcp_run *run, const double *start_u, const double *start_lambda);

/* Has run->now reached the tolerance? */
bool tn_mlcp_done(const tn_mlcp_run *run);

/* How the active set ended. */
typedef enum tn_mlcp_end {
    TN_MLCP_END_SOLVED,
    TN_MLCP_END_STUCK, /* every sign is right, yet equations are not satisfied */
    TN_MLCP_END_CYCLE, /* or out of iterations */
    TN_MLCP_END_FAILED /* *status says why */
} tn_mlcp_end;

/* Active-set iterations from run->state. */
tn_mlcp_end tn_mlcp_active_set(tn_mlcp_run *run, int32_t max_sets, tn_status *status);

/* The interior point; true when a polished set solves the problem (then in run->u, lambda). If not,
 * run->state is the set that its last iterate points at. */
bool tn_mlcp_interior(tn_mlcp_run *run);

/* Fingerprint of run->state over the bounded rows. */
uint64_t tn_mlcp_fingerprint(const tn_mlcp_run *run);

/* Does v (layout of y) prove that the rows contradict each other: G^T v = 0 and v.g > 0 along
 * directions in which lambda is unbounded, whatever u up to many times the reference? Overwrites ru
 * and proof. */
bool tn_mlcp_proves_conflict(tn_mlcp_run *run, const double *v, double reference);

#endif
