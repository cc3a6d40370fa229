/* mlcp_respond.c: a few rows let go of, by what the others answer.
 *
 * Room solve/mlcp. In: the solution as if all rows were bilateral, the factor it was found with, and the rows
 * that are to be at a bound instead. Out: the solution with these at their bounds, if that is one.
 *
 * With all rows, speeds that are asked of row k by one more change the solution by its response z_k:
 *     H z_u - G^T z_lambda = 0,   G z_u + R z_lambda = e_k.
 * Rows at a bound do not care what is asked of them: it is what their multipliers ask,
 *     sum_q (z_q)_lambda_p alpha_q = bound_p - lambda_p,
 * a system as large as there are such rows, symmetric and positive. A solve each, where another set of rows is
 * a factor. Whether that is the solution is asked of its definition (mlcp_check.c).
 */
#include "solve/mlcp/mlcp_impl.h"

#include <math.h>
#include <string.h>

/* So many have room. */
enum { TN_MLCP_RESPONSES = 3 };

/* A pivot below this share of its diagonal says that rows answer for each other. */
#define TN_MLCP_SAME_ROW 1e-8

typedef struct tn_mlcp_responses {
    int32_t count;
    int64_t row[TN_MLCP_RESPONSES];
    double *u[TN_MLCP_RESPONSES], *lambda[TN_MLCP_RESPONSES];
    double change[TN_MLCP_RESPONSES]; /* alpha */
} tn_mlcp_responses;

/* The rows that are at a bound; false: too many. */
static bool find_rows(const tn_mlcp *m, const tn_kkt_values *values, const int8_t *state,
                      tn_mlcp_responses *z)
{
    double *const u[] = {m->step_u, m->interior_u, m->best_u};
    double *const lambda[] = {m->step_lambda, m->interior_lambda, m->best_lambda};
    memcpy(z->u, u, sizeof u);
    memcpy(z->lambda, lambda, sizeof lambda);
    z->count = 0;
    TN_MLCP_ROWS(m, values, i)
    {
        if (state[i] == TN_MLCP_FREE) {
            continue;
        }
        if (z->count == TN_MLCP_RESPONSES) {
            return false;
        }
        z->row[z->count++] = i;
    }
    return true;
}

static void respond(const tn_mlcp *m, const tn_kkt_values *values, tn_kkt_factor *factor,
                    tn_mlcp_responses *z, int32_t p)
{
    memset(z->u[p], 0, (size_t)m->l->u_size * sizeof(double));
    memset(z->lambda[p], 0, (size_t)m->l->y_size * sizeof(double));
    z->lambda[p][z->row[p]] = 1.0;
    tn_kkt_solve(m->kkt, factor, z->u[p], z->lambda[p]);
    TN_MLCP_ROWS(m, values, i)
    {
        z->lambda[p][i] = -z->lambda[p][i]; /* y = -lambda */
    }
}

/* alpha, by elimination; false: rows answer for each other. */
static bool find_changes(tn_mlcp_responses *z)
{
    double a[TN_MLCP_RESPONSES][TN_MLCP_RESPONSES];
    for (int32_t p = 0; p < z->count; p++) {
        for (int32_t q = 0; q < z->count; q++) {
            a[p][q] = z->lambda[q][z->row[p]];
        }
    }
    for (int32_t k = 0; k < z->count; k++) {
        if (!(a[k][k] > TN_MLCP_SAME_ROW * z->lambda[k][z->row[k]])) {
            return false;
        }
        for (int32_t p = k + 1; p < z->count; p++) {
            const double share = a[p][k] / a[k][k];
            z->change[p] -= share * z->change[k];
            for (int32_t q = k + 1; q < z->count; q++) {
                a[p][q] -= share * a[k][q];
            }
        }
    }
    for (int32_t k = z->count - 1; k >= 0; k--) {
        for (int32_t q = k + 1; q < z->count; q++) {
            z->change[k] -= a[k][q] * z->change[q];
        }
        z->change[k] /= a[k][k];
    }
    return true;
}

static void add(const tn_mlcp *m, const tn_kkt_values *values, const tn_mlcp_responses *z,
                int32_t p, double *u, double *lambda)
{
    for (int64_t k = 0; k < m->l->u_size; k++) {
        u[k] += z->change[p] * z->u[p][k];
    }
    TN_MLCP_ROWS(m, values, i)
    {
        lambda[i] += z->change[p] * z->lambda[p][i];
    }
}

bool tn_mlcp_respond(tn_mlcp *m, const tn_kkt_values *values, tn_kkt_factor *factor,
                     const double *b, const double *g, const double *lo, const double *hi,
                     const int8_t *state, double tolerance, double *u, double *lambda)
{
    tn_mlcp_responses z;
    tn_mlcp_residual left;
    double bound[TN_MLCP_RESPONSES];
    if (!find_rows(m, values, state, &z)) {
        return false;
    }
    for (int32_t p = 0; p < z.count; p++) {
        const int64_t i = z.row[p];
        bound[p] = state[i] == TN_MLCP_LO ? lo[i] : hi[i];
        z.change[p] = bound[p] - lambda[i];
        respond(m, values, factor, &z, p);
    }
    if (!find_changes(&z)) {
        return false;
    }
    for (int32_t p = 0; p < z.count; p++) {
        add(m, values, &z, p, u, lambda);
    }
    for (int32_t p = 0; p < z.count; p++) {
        lambda[z.row[p]] = bound[p];
    }
    tn_mlcp_check(m, values, b, g, lo, hi, u, lambda, &left);
    return left.violation <= tolerance;
}
