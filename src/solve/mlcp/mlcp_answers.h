/* mlcp_answers.h: room solve/mlcp: which rows are at a bound, from the responses of the multipliers.
 *
 * In: the multipliers of the rows with bounds as if all rows were bilateral; a guess of the rows at a bound; and a
 * function that computes how these multipliers respond to a unit speed of one of them. Out: the set of rows at a
 * bound for which all signs are right, and their speeds.
 *
 * With all rows bilateral, a right-hand side of row q larger by one changes the solution by the response z_q:
 *     H z_u - G^T z_lambda = 0,   G z_u + R z_lambda = e_q.
 * A row at a bound has any speed w. The speeds alpha of these rows follow from their multipliers,
 *     sum_q (z_q)_lambda_p alpha_q = bound_p - lambda_p,
 * a symmetric positive system with one equation per row at a bound; all other multipliers follow from alpha.
 * Rows with wrong signs then change sides, all at once, as in mlcp_pivot.c. A set costs one solve for each row that
 * was not at a bound before.
 */
#ifndef TN_SOLVE_MLCP_ANSWERS_H
#define TN_SOLVE_MLCP_ANSWERS_H

#include <stdbool.h>
#include <stdint.h>

/* Most rows at a bound, and most rows with bounds. */
enum { TN_MLCP_RESPONSES = 12, TN_MLCP_BOUNDED = 64 };

/* A row with bounds. */
typedef struct tn_mlcp_bounded {
    double lo, hi, lambda;
    double scale; /* root of its G M^-1 G^T: lambda times this is the square root of an energy */
    int64_t slot; /* in y */
    int8_t state; /* TN_MLCP_FREE ... */
    double now;   /* its multiplier in this set */
} tn_mlcp_bounded;

typedef struct tn_mlcp_answers {
    /* Computes the response of all multipliers to a unit speed of row b; of: its context. */
    void *of;
    void (*ask)(void *of, const struct tn_mlcp_answers *z, int32_t b, double *answer);
    int32_t count;
    tn_mlcp_bounded rows[TN_MLCP_BOUNDED];
    int32_t known;
    int32_t row[TN_MLCP_RESPONSES]; /* rows with a known response: indices in rows */
    double answer[TN_MLCP_RESPONSES][TN_MLCP_BOUNDED]; /* their responses */
    int32_t gone;                                      /* rows at a bound in this set */
    int32_t let_go[TN_MLCP_RESPONSES];                 /* these: indices in row */
    double alpha[TN_MLCP_RESPONSES];                   /* their speeds */
} tn_mlcp_answers;

/* The bound at which a row is. */
double tn_mlcp_bound_of(const tn_mlcp_bounded *row);

/* From count, rows and states: finds the set with right signs up to `rounding`, the square root of an energy. Returns
 * false if it was not found. */
bool tn_mlcp_find_set(tn_mlcp_answers *z, double rounding);

#endif
