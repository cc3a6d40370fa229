/* mlcp_respond.h: test support: a complementarity problem solved by what rows answer (solve/mlcp/mlcp_answers.h), with the
 * factor of the general elimination.
 */
#ifndef TENON_TESTS_MLCP_RESPOND_H
#define TENON_TESTS_MLCP_RESPOND_H

#include "solve/mlcp/mlcp.h"

/* u, lambda: the solution as if no row had a bound, by this exact factor (tn_kkt_solve is a solve with the matrix
 * itself). The solution with bounds, and true, if it is found by letting go of few rows, of which `state` has a guess, and
 * is one to the tolerance; then `state` is that of the solution. Signs that are wrong by no more than the rounding, the
 * square root of an energy, are right. Else u and lambda are lost, and all else is as it was. */
bool tn_mlcp_respond(tn_mlcp *mlcp, const tn_kkt_values *values, tn_kkt_factor *factor,
                     const double *b, const double *g, const double *lo, const double *hi,
                     int8_t *state, double rounding, double tolerance, double *u, double *lambda,
                     int32_t *solves);

#endif
