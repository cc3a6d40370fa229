/* kkt.h: block symmetric quasi-definite (KKT) systems: analyse once, then factor and solve fast.
 *
 * Room sparse: knows no joints. The system is
 *
 *     [ H   G^T ] [u]   [b]
 *     [ G   -R  ] [y] = [g]          y = -lambda
 *
 * with blocks: primal nodes (bodies, a few velocities each) carry the diagonal blocks of H, pairs of
 * them its blocks off the diagonal (stiffness between two bodies); dual nodes (joints, a few rows
 * each) carry rows of G over the primal nodes they touch, and a diagonal R >= 0 (compliance; 0 is a
 * hard row).
 *
 * The factor is that of the regularised matrix H + diag(delta), R + diag(E). With E > 0 it is
 * quasi-definite, so a signed block LDL^T exists in every order without pivoting (Vanderbei 1995,
 * SIAM J. Optim. 5) and redundant rows need no care. tn_kkt_solve_refined removes E and delta again
 * by proximal passes (Carpentier, Budhiraja, Mansard, RSS 2021): u becomes exact, lambda the
 * solution with least sum E_i lambda_i^2. Choosing E = eps a: 1e-8 keeps lambda of redundant rows
 * accurate to about 1e-8; 1e-12 needs fewer passes on long chains when no row is redundant.
 *
 * Life: tn_kkt_analyze (symbolic, immutable, shareable between threads) -> tn_kkt_values and
 * tn_kkt_factor (one per thread) -> fill, factor, solve as often as needed without any allocation.
 * All sums run in a fixed order: the same input gives the same bits.
 *
 * In: the graph of bodies and rows, then numbers. Out: solutions, ranks, and counts of negative
 * pivots.
 */
#ifndef TN_SPARSE_KKT_H
#define TN_SPARSE_KKT_H

#include <stdbool.h>
#include <stdint.h>

#include "tenon/status.h"

/* Largest dimension of a primal node and largest row capacity of a dual node. */
#define TN_KKT_MAX_BLOCK 12

/* The graph of nodes. A primal node of dimension 0 and a dual node of capacity 0 are absent; so is a
 * dual node all of whose primal nodes are absent: its rows are skipped, neither read nor written.
 * A dual node names a primal node at most once. */
typedef struct tn_kkt_pattern {
    int32_t n_primal;
    const int32_t *primal_dim; /* 0 .. TN_KKT_MAX_BLOCK */
    int32_t n_dual;
    const int32_t *dual_cap;    /* most rows that are ever active, 0 .. TN_KKT_MAX_BLOCK */
    const int32_t *dual_start;  /* n_dual + 1: incidences of dual k are dual_start[k] .. [k+1]-1 */
    const int32_t *dual_primal; /* the primal node of each incidence */
    /* Per dual: a primal node of its own that is eliminated before it, or -1; NULL: all -1. Rows
     * may have E = 0 only if they are independent on the columns of their key, and the key is
     * connected with the rest of a tree of such duals only through them or through rows with E > 0.
     */
    const int32_t *dual_key;
    /* Per dual: usual number of active rows, by which nets are ordered; 0: dual_cap; NULL: dual_cap for all. */
    const int32_t *dual_usual;
    /* Per dual 1: all of its primal nodes are eliminated before it; then its rows may have E = 0 as long as they
     * are independent on these together. NULL: all 0. */
    const int8_t *dual_waits;
    /* Primal nodes between which H has a block: those of pair p are pair_primal[2 p] and [2 p + 1], two
     * different ones; no pair twice, in either order. */
    int32_t n_pair;
    const int32_t *pair_primal;
} tn_kkt_pattern;

/* Symbolic object. */
typedef struct tn_kkt tn_kkt;

/* Near linear in nodes and incidences (plus fill). TN_ERROR_ARGUMENT on an ill-formed pattern. */
tn_status tn_kkt_analyze(const tn_kkt_pattern *pattern, tn_kkt **out);
void tn_kkt_destroy(tn_kkt *kkt);

/* Places of all blocks. Vectors are in the caller's order: u has primal_dim[i] entries for node i,
 * y (and lambda, R, E, ...) has dual_cap[k] entries for dual k of which the first rows[k] count.
 * Matrix blocks are row-major and packed in elimination order, so walking nodes in the caller's
 * order and writing through these offsets is right, in elimination order also fast. */
typedef struct tn_kkt_layout {
    int32_t n_primal, n_dual, n_incidence, n_pair;
    const int32_t *primal_dim;
    const int32_t *dual_cap;
    const int32_t *dual_start;
    const int32_t *dual_primal;
    const int64_t *u_offset; /* n_primal + 1 */
    const int64_t *y_offset; /* n_dual + 1 */
    const int64_t *h_offset; /* per primal: dim x dim block in values->h, full symmetric */
    const int64_t *g_offset; /* per incidence: rows x dim block in values->g, row stride dim;
                                 * -1 when the primal or the dual is absent */
    const int32_t *pair_primal;
    const int64_t
        *pair_offset;   /* per pair: block in values->g, rows of the first node, columns of the
                                 * second, row stride its dim; -1 when one of them is absent */
    int64_t pair_start; /* offset in values->g from which on it has the blocks of pairs */
    int64_t u_size, y_size, h_size, g_size; /* doubles */
    int64_t factor_blocks;                  /* off-diagonal blocks of the factor */
    int64_t fill_blocks;                    /* of these, the ones that are zero in the matrix */
    int64_t factor_doubles;                 /* size of the factor */
    const int32_t *order; /* order[p] = node eliminated p-th; dual k is n_primal + k */
    int32_t n_order;      /* nodes present */
} tn_kkt_layout;

const tn_kkt_layout *tn_kkt_get_layout(const tn_kkt *kkt);

/* The numbers of one system. Filled by the caller; created with everything 0 and all rows active.
 */
typedef struct tn_kkt_values {
    double *h; /* h_size */
    double *g; /* g_size: rows, then pairs */
    double *r; /* y_size: R, >= 0 */
    double *e; /* y_size: E, in the factor only */
    double *a; /* y_size: natural scale of each row, about G_i H^-1 G_i^T; > 0 for active rows */
    double *delta; /* u_size: added to the diagonal of H in the factor only */
    int32_t *rows; /* n_dual: active rows, 0 .. dual_cap */
} tn_kkt_values;

tn_status tn_kkt_values_create(const tn_kkt *kkt, tn_kkt_values **out);
void tn_kkt_values_destroy(tn_kkt_values *values);
/* Sets the blocks of all pairs to 0. */
void tn_kkt_clear_pairs(const tn_kkt *kkt, tn_kkt_values *values);

/* Numeric factor and all workspace of factor, solve and refinement. */
typedef struct tn_kkt_factor tn_kkt_factor;
tn_status tn_kkt_factor_create(const tn_kkt *kkt, tn_kkt_factor **out);
void tn_kkt_factor_destroy(tn_kkt_factor *factor);
/* Exchanges the contents of two factors of the same analysis. */
void tn_kkt_factor_swap(tn_kkt_factor *a, tn_kkt_factor *b);

/* kept.c: memory to note the values of a factor; without it nothing is noted. */
tn_status tn_kkt_make_room(const tn_kkt *kkt, tn_kkt_factor *factor);
/* Notes that the factor is that of these values. The result of a refined solve from zero is then kept too: the next
 * solve with the same right-hand sides, the same reach and the same or a finer tolerance continues from it, with
 * the same bits. */
void tn_kkt_keep(const tn_kkt *kkt, const tn_kkt_values *values, tn_kkt_factor *factor);
/* True if the factor was noted as that of exactly these values. */
bool tn_kkt_is_kept(const tn_kkt *kkt, const tn_kkt_values *values, const tn_kkt_factor *factor);

/* The smallest dual pivot divided by its row's a + R; *dual: index of its dual node. 1 or more: the rows are
 * independent; about E / a: a redundant row. */
double tn_kkt_smallest_pivot(const tn_kkt_factor *factor, int32_t *dual);

/* Number of scalar dual pivots that are, scaled likewise, below a bound. */
int32_t tn_kkt_count_pivots(const tn_kkt *kkt, const tn_kkt_values *values,
                            const tn_kkt_factor *factor, double bound);

/* One back-solve with the factor (regularised matrix) in place: (b, g) -> (u, y). Entries of
 * inactive rows are not touched. */
void tn_kkt_solve(const tn_kkt *kkt, tn_kkt_factor *factor, double *u_inout, double *y_inout);

/* Residual of the system without regularisation, ru = b - H u + G^T lambda, rl = g - G u - R
 * lambda. b or g may be NULL (zero). Inactive rows of rl are not touched. */
void tn_kkt_residual(const tn_kkt *kkt, const tn_kkt_values *values, const double *u,
                     const double *lambda, const double *b, const double *g, double *ru,
                     double *rl);
/* f += G^T lambda. */
void tn_kkt_apply_gt(const tn_kkt *kkt, const tn_kkt_values *values, const double *lambda,
                     double *f);
/* w = G u on active rows. */
void tn_kkt_apply_g(const tn_kkt *kkt, const tn_kkt_values *values, const double *u, double *w);
/* f = H u. */
void tn_kkt_apply_h(const tn_kkt *kkt, const tn_kkt_values *values, const double *u, double *f);

typedef struct tn_kkt_refine_options {
    int32_t max_passes; /* back-solves allowed, >= 1 */
    double tolerance;   /* on the relative scaled residual below */
    /* > 0: eigenvalues of G H^-1 G^T + R smaller than E by more than this factor are not resolved; those
     * of contradictory rows are as small. 0: a factor of 1e5. */
    double reach;
    /* true: the factor is that of a nearby matrix. The contraction of a pass then depends on the distance; slow
     * convergence ends the solve. */
    bool nearby;
} tn_kkt_refine_options;

/* Residuals are scaled to be free of units, max |ru_i|/sqrt(H_ii) and max |rl_i|/sqrt(a_i), and
 * relative to the same norm of the right-hand side (primal: or of the forces, max |lambda_i|
 * sqrt(a_i), if those are larger); of the iterate that was kept. */
typedef struct tn_kkt_refine_stats {
    int32_t passes;
    double primal_residual;
    double dual_residual;
    bool stagnated; /* ended above the tolerance: contradictory rows, or round-off */
} tn_kkt_refine_stats;

/* Solves the unregularised system by proximal passes from the given u, lambda (0 is a fine start;
 * then lambda is the least-energy one among those of redundant rows). Keeps the best iterate.
 * TN_OK also when the tolerance was not reached: the caller checks the stats.
 * TN_ERROR_NOT_FINITE when the right-hand side or the start is not finite (u, lambda untouched). */
tn_status tn_kkt_solve_refined(const tn_kkt *kkt, const tn_kkt_values *values,
                               tn_kkt_factor *factor, const double *b, const double *g, double *u,
                               double *lambda, const tn_kkt_refine_options *options,
                               tn_kkt_refine_stats *stats);

#endif
