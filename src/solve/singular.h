/* singular.h: room solve: rows of closed loops that repeat others, or are about to.
 *
 * In: a KKT system (sparse/kkt.h), factored with E > 0 on the hard rows of loops. Out: the part of a row
 * vector that no motion can remove, the multipliers of least energy, and one verdict on the rows.
 *
 * With S = G H^-1 G^T and A its diagonal, E = epsilon A, all follows from one operator that the
 * factor gives,
 *     F = E (S + E)^-1,    F v = E / (E + sigma) v for an eigenvalue sigma of S against A:
 * 1 on rows that repeat others (sigma = 0), sigma / E less than 1 near it, and next to nothing on
 * regular rows, sigma >> E. At a distance x (rad, or lengths of the mechanism) from a change point
 * sigma is about x^2.
 *
 * Rows repeat each other only where loops close. At a pose with an error e, sigma of rows that repeat
 * others is about e^2: a factor made there cannot distinguish them from rows at a change point at a
 * distance of e. The verdict is then TN_ROWS_UNTOLD: factorize at the closed pose and repeat the
 * call.
 */
#ifndef TN_SOLVE_SINGULAR_H
#define TN_SOLVE_SINGULAR_H

#include <stdint.h>

#include "assemble/system.h"
#include "sparse/kkt.h"
#include "tenon/status.h"

/* Factor between E and a clear verdict, for eigenvalues and scaled pivots (which concern a row and those before
 * it only). Above TN_FAR E they belong to independent rows: a solve with E is right to 1 % there; Bricard's
 * repetitions have pivots of 10 to 100 E. Below E / TN_FAR they belong to exact repetitions. In between are
 * repetitions in joints open by up to 1e-5 (sigma = e^2 / 4), before gaps are accepted for them. */
#define TN_FAR 100.0
/* Factor by which a value is clearly above or below a bound. */
#define TN_CLEAR 10.0
/* Relative effect of rounding on a pivot, a closed loop, or the forces of multipliers that have none: some
 * thousand roundings. No E is finer. */
#define TN_ROUNDED 1e-12
/* A share of the forces, or of a motion, that counts as zero: a step computes forces no better
 * (1e-10 m at 1e-3 s are 1e-9 of a crank's). */
#define TN_AS_NONE 1e-9
/* Multipliers are accurate to this share of the forces that act: the tolerance of tn_sim_balance. */
#define TN_FORCES_KNOWN 1e-10
/* n: times the filter of multipliers is applied; it leaves (E / sigma)^n of regular rows. */
#define TN_FILTERINGS 3
/* A larger share of the forces left means a change point: (E / sigma)^n of independent rows. */
#define TN_FORCES_HANG (1.0 / (TN_FAR * TN_FAR * TN_FAR))
_Static_assert(TN_FILTERINGS == 3, "the power of TN_FAR above");
/* At a singular pose, where two branches cross, an error is quadratic in the distance, and a Newton
 * pass leaves a quarter of it; slower convergence counts as crawling. */
#define TN_CRAWLING 0.25
/* At a regular pose each pass squares the error: this many reduce any error to round-off. */
#define TN_NEWTON_PASSES 4

typedef enum tn_rows_verdict {
    TN_ROWS_REGULAR,     /* no row repeats others */
    TN_ROWS_REPEAT,      /* some do; the multipliers were replaced by those of least energy */
    TN_ROWS_UNTOLD,      /* undecided: the pose of the factor is too far from closed */
    TN_ROWS_CHANGE_POINT /* rows that nearly repeat others carry forces */
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

/* inverse_mass may be NULL if no multipliers are requested later. */
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
 * at_closed_pose: the factor is that of a closed pose; else the verdict may be TN_ROWS_UNTOLD. lambda is
 * unchanged unless the verdict is that rows repeat, or the forces stay the same. */
tn_rows_told tn_singular_least_multipliers(tn_singular *s, double *lambda, bool at_closed_pose,
                                           int32_t *solves);
/* The same without a verdict, of a correction of multipliers, or where rows that nearly repeat
 * others count as such (loops with gaps). */
void tn_singular_take_null_part(tn_singular *s, double *lambda, int32_t *solves);
/* E / A of the rows that have E; and x <- (S + E)^-1 E x of multipliers, which is F in their metric. */
double tn_singular_epsilon(const tn_singular *s);
void tn_singular_filter(tn_singular *s, double *x, int32_t *solves);

#endif
