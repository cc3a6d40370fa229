/* singular.h: room solve: rows of closed loops that repeat others, or are about to.
 *
 * In: a KKT system (sparse/kkt.h), factored with E > 0 on the hard rows of loops. Out: what of a
 * row vector no motion answers to, the multipliers of least energy, and one verdict on the rows.
 *
 * With S = G H^-1 G^T and A its diagonal, E = epsilon A, all is told by one operator that the
 * factor gives,
 *     F = E (S + E)^-1,    F v = E / (E + sigma) v for an eigenvalue sigma of S against A:
 * 1 on rows that repeat others (sigma = 0), sigma / E less than 1 near it, and next to nothing on
 * regular rows, sigma >> E. At a distance x (rad, or lengths of the mechanism) from a change point
 * sigma = x^2 or so.
 *
 * Rows repeat each other only where loops close. At a pose that is off by e, sigma of rows that
 * repeat others is e^2 or so: a factor made there does not tell them from those at a change point
 * at a distance of e. Who has such a factor gets TN_ROWS_UNTOLD, factors at the closed pose, and
 * asks again.
 */
#ifndef TN_SOLVE_SINGULAR_H
#define TN_SOLVE_SINGULAR_H

#include <stdint.h>

#include "assemble/system.h"
#include "sparse/kkt.h"
#include "tenon/status.h"

/* Far from E: eigenvalues, and scaled pivots, which tell of a row and those before it only, are
 * those of rows of their own when they are this many E (a solve with E then gets such a row right to
 * 1 %; Bricard's repetitions have pivots of 10 to 100 E), and those of exact repetitions when they
 * are this little of E: between them are repetitions in joints that are off by up to 1e-5 (sigma =
 * e^2 / 4), before gaps are opened for them. */
#define TN_FAR 100.0
/* What is well above or below a bound is so by this factor. */
#define TN_CLEAR 10.0
/* What rounding leaves, relative, of a pivot, of a closed loop or of the forces of multipliers that
 * have none: some thousand roundings. No E is finer. */
#define TN_ROUNDED 1e-12
/* A share of the forces, or of a motion, that is as good as none: a step solves for forces no better
 * (1e-10 m at 1e-3 s are 1e-9 of a crank's). */
#define TN_AS_NONE 1e-9
/* Multipliers are known to this share of the forces that act: what tn_sim_balance may be off. */
#define TN_FORCES_KNOWN 1e-10
/* n: the filter of multipliers is applied so often, and leaves (E / sigma)^n of regular rows. */
#define TN_FILTERINGS 3
/* A share of the forces above this in what is left means a change point: (E / sigma)^n of rows of their own. */
#define TN_FORCES_HANG (1.0 / (TN_FAR * TN_FAR * TN_FAR))
_Static_assert(TN_FILTERINGS == 3, "the power of TN_FAR above");
/* At a singular pose, where two branches cross, an error is quadratic in the distance, and Newton's
 * passes leave a quarter of it; what leaves more crawls. */
#define TN_CRAWLING 0.25
/* Where it is regular, each pass squares the error: so many take any to round-off. */
#define TN_NEWTON_PASSES 4

typedef enum tn_rows_verdict {
    TN_ROWS_REGULAR,     /* no row repeats others */
    TN_ROWS_REPEAT,      /* some do; the multipliers were made those of least energy */
    TN_ROWS_UNTOLD,      /* the factor is of a pose too far from closed to tell */
    TN_ROWS_CHANGE_POINT /* forces hang on rows that nearly repeat others */
} tn_rows_verdict;

typedef struct tn_rows_told {
    tn_rows_verdict verdict;
    double distance;    /* sqrt(sigma) of the weakest rows that forces hang on; 0: none are weak */
    int32_t dual;       /* of a change point: the dual that has most of it; else -1 */
    const double *part; /* [y_size] of the multipliers: what was, or would be, taken away; until the
                         * next question */
} tn_rows_told;

/* Views of a system, and scratch of its own. */
typedef struct tn_singular {
    const tn_kkt *kkt;
    const tn_kkt_values *values;
    tn_kkt_factor *factor;
    const double *inverse_mass; /* [u_size] 1 / H_ii of the masses; 0: none */
    double *u;                  /* [u_size] */
    double *part, *power;       /* [y_size] */
} tn_singular;

/* inverse_mass may be NULL for who never asks for multipliers. */
tn_status tn_singular_create(const tn_kkt *kkt, const tn_kkt_values *values, tn_kkt_factor *factor,
                             const double *inverse_mass, tn_singular *out);
void tn_singular_destroy(tn_singular *s);

/* reach.c: the part of row vector v that no motion takes away, d = (3 F^2 - 2 F^3) v: what is left
 * out of it is wrong by (sigma / E)^2 only, what is in it by (E / sigma)^2. d may not be v. */
void tn_singular_out_of_reach(tn_singular *s, const double *v, double *d, int32_t *solves);
/* v <- v - d. */
void tn_singular_keep_in_reach(tn_singular *s, double *v, int32_t *solves);

/* How far below E eigenvalues are taken for those of rows, not of repetitions that are off: with
 * what the loops' geometry is known to be, in loops of so many joints. */
double tn_singular_reach(bool has_gaps, int32_t loop_joints);
/* Solves without E, from u = 0 and y = 0, with eigenvalues down to E / reach; 0: all; to this
 * relative residual, or to round-off. *left, if not NULL: the share of the right-hand side that is
 * out of reach, 0 if nothing is. */
#define TN_SOLVE_TOLERANCE 1e-14
tn_status tn_singular_solve(tn_singular *s, const double *f, const double *g, double *u, double *y,
                            double reach, double tolerance, double *left, int32_t *solves);
/* The same from u and y, by the factor of a matrix nearby that has no rows that repeat others: is the
 * residual so small then? */
bool tn_singular_solve_nearby(tn_singular *s, const double *f, const double *g, double *u,
                              double *y, double tolerance, int32_t *solves);

/* weakest.c: the least sigma that is not one of rows that repeat others; INFINITY without loops. The
 * factor is that of a closed pose. */
double tn_singular_weakest(tn_singular *s, int32_t *solves);

/* least_multipliers.c: of all multipliers with the same G^T lambda those of least sum A lambda^2.
 * at_closed_pose: is the factor that of a closed pose? Else the verdict may be untold. lambda is
 * left as it is unless the verdict is that rows repeat, or the forces stay the same. */
tn_rows_told tn_singular_least_multipliers(tn_singular *s, double *lambda, bool at_closed_pose,
                                           int32_t *solves);
/* The same without a verdict, of a correction of multipliers, or where rows that nearly repeat
 * others count as such (loops with gaps). */
void tn_singular_take_null_part(tn_singular *s, double *lambda, int32_t *solves);
/* E / A of the rows that have E; and x <- (S + E)^-1 E x of multipliers, which is F in their metric. */
double tn_singular_epsilon(const tn_singular *s);
void tn_singular_filter(tn_singular *s, double *x, int32_t *solves);

#endif
