/* mlcp_problem.h: test support: complementarity problems on random KKT systems, and their solution
 * by trying every active set in dense algebra (LAPACK).
 *
 *     H u - G^T lambda = b,  w = G u + R lambda - g,  lo <= lambda <= hi,
 *     lambda = lo => w >= 0, lambda = hi => w <= 0, else w = 0
 */
#ifndef TN_TEST_MLCP_PROBLEM_H
#define TN_TEST_MLCP_PROBLEM_H

#include "kkt_systems.h"
#include "solve/mlcp/mlcp.h"

enum { MLCP_MOST_BOUNDED = 8 };

typedef struct mlcp_problem {
    kkt_system *s;
    tn_mlcp *mlcp;
    double *lo, *hi; /* layout of y */
    int8_t *state;
    int32_t n_bounded;
    int64_t bounded[MLCP_MOST_BOUNDED];
} mlcp_problem;

typedef enum mlcp_kind {
    MLCP_REGULAR,    /* independent rows */
    MLCP_COMPLIANT,  /* some rows with R > 0 */
    MLCP_DEGENERATE, /* lambda at its bound and w = 0 in many rows */
    MLCP_REDUNDANT,  /* bounded rows that repeat others, a solution exists */
    MLCP_ZERO_ROWS,  /* rows of zeros among them, a solution may not exist */
    MLCP_RANDOM_G,   /* repeated rows and random g: often contradictory */
    MLCP_KINDS
} mlcp_kind;

mlcp_problem *mlcp_problem_random(mlcp_kind kind, uint64_t seed);
/* Takes the system; all rows bilateral. */
mlcp_problem *mlcp_problem_of(kkt_system *s);
void mlcp_problem_free(mlcp_problem *p);

/* Limits at their bound, boxes free. */
void mlcp_cold_start(mlcp_problem *p);
void mlcp_random_start(mlcp_problem *p);

/* Tries every active set; false when none is a solution. u has the layout of the system's. */
bool mlcp_enumerate(const mlcp_problem *p, double *u);

/* The violation of u, lambda in dense algebra: largest of the three conditions, absolute. */
double mlcp_dense_violation(const mlcp_problem *p, const double *u, const double *lambda);

#endif
