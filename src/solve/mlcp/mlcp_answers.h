/* mlcp_answers.h: room solve/mlcp: which rows let go, by what the others answer.
 *
 * In: the multipliers of the rows with bounds as if all rows were bilateral, a guess of which are at a bound instead, and
 * whoever answers what these multipliers change by where speeds are asked of one of them. Out: the set all of whose
 * signs are right, and what it asks.
 *
 * With all rows, speeds that are asked of row q by one more change the solution by its response z_q:
 *     H z_u - G^T z_lambda = 0,   G z_u + R z_lambda = e_q.
 * Rows at a bound do not care what is asked of them: it is what their multipliers ask,
 *     sum_q (z_q)_lambda_p alpha_q = bound_p - lambda_p,
 * a system as large as there are such rows, symmetric and positive; alpha is their w, and all other multipliers
 * follow. Rows whose signs are wrong then change sides, all at once, as in mlcp_pivot.c: a set is a solve for each
 * row that was never let go before.
 */
#ifndef TN_SOLVE_MLCP_ANSWERS_H
#define TN_SOLVE_MLCP_ANSWERS_H

#include <stdbool.h>
#include <stdint.h>

/* So many rows may be let go, of so many with bounds. */
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
    void *
        of; /* who answers, and how: what speeds of one that are asked of row b change all multipliers by */
    void (*ask)(void *of, const struct tn_mlcp_answers *z, int32_t b, double *answer);
    int32_t count;
    tn_mlcp_bounded rows[TN_MLCP_BOUNDED];
    int32_t known;
    int32_t row[TN_MLCP_RESPONSES]; /* whose answers are known: places in rows */
    double answer[TN_MLCP_RESPONSES][TN_MLCP_BOUNDED];
    int32_t gone;
    int32_t let_go[TN_MLCP_RESPONSES]; /* of this set: places in row */
    double alpha[TN_MLCP_RESPONSES];   /* of these */
} tn_mlcp_answers;

/* The bound at which a row is. */
double tn_mlcp_bound_of(const tn_mlcp_bounded *row);

/* From count, rows and states: the set all of whose signs are right but for so much, the square root of an energy;
 * false: it was not found. */
bool tn_mlcp_find_set(tn_mlcp_answers *z, double rounding);

#endif
