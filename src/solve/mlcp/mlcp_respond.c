/* mlcp_respond.c: rows let go of, by what the others answer.
 *
 * Room solve/mlcp. In: the solution as if all rows were bilateral, the factor it was found with, and a guess of
 * which rows are at a bound instead. Out: the solution with bounds.
 *
 * With all rows, speeds that are asked of row q by one more change the solution by its response z_q:
 *     H z_u - G^T z_lambda = 0,   G z_u + R z_lambda = e_q.
 * Rows at a bound do not care what is asked of them: it is what their multipliers ask,
 *     sum_q (z_q)_lambda_p alpha_q = bound_p - lambda_p,
 * a system as large as there are such rows, symmetric and positive; alpha is their w, and all other multipliers
 * follow. Rows whose signs are wrong then change sides, all at once, as in mlcp_pivot.c: a set is a solve for each
 * row that was never let go before, where it is a factor there. The last change of the solution is one solve more.
 * Whether it is the solution is asked of the definition (mlcp_check.c).
 */
#include "solve/mlcp/mlcp_impl.h"

#include <math.h>
#include <string.h>

/* So many rows may be let go, of so many with bounds, in so many sets. */
enum { TN_MLCP_RESPONSES = 12, TN_MLCP_BOUNDED = 64, TN_MLCP_RESPONDING = 10 };

/* A pivot below this share of its diagonal says that rows answer for each other. */
#define TN_MLCP_SAME_ROW 1e-8

typedef struct tn_mlcp_responses {
    const tn_mlcp *m;
    const tn_kkt_values *values;
    tn_kkt_factor *factor;
    const double *lo, *hi, *lambda;
    int32_t n_bounded;
    int64_t bounded[TN_MLCP_BOUNDED]; /* their places in y */
    int8_t state[TN_MLCP_BOUNDED];
    double now[TN_MLCP_BOUNDED]; /* multipliers of this set */
    int32_t known;
    int32_t row[TN_MLCP_RESPONSES]; /* whose answers are known: places in bounded */
    double answer[TN_MLCP_RESPONSES][TN_MLCP_BOUNDED];
    int32_t count;
    int32_t let_go[TN_MLCP_RESPONSES]; /* of this set: places in row */
    double alpha[TN_MLCP_RESPONSES];   /* of these */
} tn_mlcp_responses;

/* The rows with bounds; false: too many. */
static bool find_rows(const int8_t *state, tn_mlcp_responses *z)
{
    z->n_bounded = z->known = 0;
    TN_MLCP_ROWS(z->m, z->values, i)
    {
        if (isinf(z->lo[i]) && isinf(z->hi[i])) {
            continue;
        }
        if (z->n_bounded == TN_MLCP_BOUNDED) {
            return false;
        }
        z->state[z->n_bounded] = z->lo[i] < z->hi[i] ? state[i] : TN_MLCP_LO;
        z->bounded[z->n_bounded++] = i;
    }
    return true;
}

/* By speeds that are asked of rows, in step_lambda: what they change, in step_u and step_lambda. */
static void respond(const tn_mlcp_responses *z)
{
    const tn_mlcp *m = z->m;
    memset(m->step_u, 0, (size_t)m->l->u_size * sizeof(double));
    tn_kkt_solve(m->kkt, z->factor, m->step_u, m->step_lambda);
    TN_MLCP_ROWS(m, z->values, i)
    {
        m->step_lambda[i] = -m->step_lambda[i]; /* y = -lambda */
    }
}

static void clear_speeds(const tn_mlcp_responses *z)
{
    memset(z->m->step_lambda, 0, (size_t)z->m->l->y_size * sizeof(double));
}

/* The place of a row with bounds among those whose answers are known; -1: there is no more room. */
static int32_t place_of(tn_mlcp_responses *z, int32_t b)
{
    for (int32_t q = 0; q < z->known; q++) {
        if (z->row[q] == b) {
            return q;
        }
    }
    if (z->known == TN_MLCP_RESPONSES) {
        return -1;
    }
    clear_speeds(z);
    z->m->step_lambda[z->bounded[b]] = 1.0;
    respond(z);
    for (int32_t k = 0; k < z->n_bounded; k++) {
        z->answer[z->known][k] = z->m->step_lambda[z->bounded[k]];
    }
    z->row[z->known] = b;
    return z->known++;
}

static double bound_of(const tn_mlcp_responses *z, int32_t b)
{
    return z->state[b] == TN_MLCP_LO ? z->lo[z->bounded[b]] : z->hi[z->bounded[b]];
}

/* The rows of the set, with their answers, and what their multipliers lack. */
static bool let_go(tn_mlcp_responses *z)
{
    z->count = 0;
    for (int32_t b = 0; b < z->n_bounded; b++) {
        if (z->state[b] == TN_MLCP_FREE) {
            continue;
        }
        const int32_t q = place_of(z, b);
        if (q < 0) {
            return false;
        }
        z->let_go[z->count] = q;
        z->alpha[z->count++] = bound_of(z, b) - z->lambda[z->bounded[b]];
    }
    return true;
}

/* alpha, by elimination; false: rows answer for each other. */
static bool find_alpha(tn_mlcp_responses *z)
{
    const int32_t n = z->count;
    double a[TN_MLCP_RESPONSES][TN_MLCP_RESPONSES];
    for (int32_t p = 0; p < n; p++) {
        for (int32_t q = 0; q < n; q++) {
            a[p][q] = z->answer[z->let_go[q]][z->row[z->let_go[p]]];
        }
    }
    for (int32_t k = 0; k < n; k++) {
        if (!(a[k][k] > TN_MLCP_SAME_ROW * z->answer[z->let_go[k]][z->row[z->let_go[k]]])) {
            return false;
        }
        for (int32_t p = k + 1; p < n; p++) {
            const double share = a[p][k] / a[k][k];
            z->alpha[p] -= share * z->alpha[k];
            for (int32_t q = k + 1; q < n; q++) {
                a[p][q] -= share * a[k][q];
            }
        }
    }
    for (int32_t k = n - 1; k >= 0; k--) {
        for (int32_t q = k + 1; q < n; q++) {
            z->alpha[k] -= a[k][q] * z->alpha[q];
        }
        z->alpha[k] /= a[k][k];
    }
    return true;
}

/* The multipliers of the rows with bounds. */
static void find_multipliers(tn_mlcp_responses *z)
{
    for (int32_t b = 0; b < z->n_bounded; b++) {
        z->now[b] = z->lambda[z->bounded[b]];
        for (int32_t p = 0; p < z->count; p++) {
            z->now[b] += z->alpha[p] * z->answer[z->let_go[p]][b];
        }
    }
}

/* Rows with wrong signs, by more than so much (the square root of an energy), change sides. How many. */
static int32_t flip(tn_mlcp_responses *z, double rounding)
{
    int32_t flipped = 0, p = 0;
    for (int32_t b = 0; b < z->n_bounded; b++) {
        const int64_t i = z->bounded[b];
        const double scale = sqrt(z->values->a[i]);
        const int8_t before = z->state[b];
        const double w = before == TN_MLCP_FREE ? 0.0 : z->alpha[p++] / scale;
        if (before == TN_MLCP_FREE) {
            const double below = (z->lo[i] - z->now[b]) * scale,
                         above = (z->now[b] - z->hi[i]) * scale;
            z->state[b] = below > rounding   ? TN_MLCP_LO
                          : above > rounding ? TN_MLCP_HI
                                             : TN_MLCP_FREE;
        } else if (z->lo[i] < z->hi[i] && (before == TN_MLCP_LO ? -w : w) > rounding) {
            z->state[b] = TN_MLCP_FREE;
        }
        flipped += z->state[b] != before;
    }
    return flipped;
}

/* The set all of whose signs are right; false: it was not found. */
static bool find_set(tn_mlcp_responses *z, double rounding)
{
    int32_t wrong = 1;
    for (int32_t set = 0; set < TN_MLCP_RESPONDING && wrong > 0; set++) {
        if (!let_go(z) || !find_alpha(z)) {
            return false;
        }
        find_multipliers(z);
        wrong = flip(z, rounding);
    }
    return wrong == 0;
}

/* The solution of the set. */
static void take(const tn_mlcp_responses *z, double *u, double *lambda)
{
    const tn_mlcp *m = z->m;
    const bool is_last = z->count == 1 && z->let_go[0] == z->known - 1; /* its answer is at hand */
    const double share = is_last ? z->alpha[0] : 1.0;
    if (!is_last) {
        clear_speeds(z);
        for (int32_t p = 0; p < z->count; p++) {
            m->step_lambda[z->bounded[z->row[z->let_go[p]]]] = z->alpha[p];
        }
        respond(z);
    }
    for (int64_t k = 0; k < m->l->u_size; k++) {
        u[k] += share * m->step_u[k];
    }
    TN_MLCP_ROWS(m, z->values, i)
    {
        lambda[i] += share * m->step_lambda[i];
    }
    for (int32_t p = 0; p < z->count; p++) {
        const int32_t b = z->row[z->let_go[p]];
        lambda[z->bounded[b]] = bound_of(z, b);
    }
    for (int32_t b = 0; b < z->n_bounded; b++) { /* others may be outside by rounding */
        const int64_t i = z->bounded[b];
        lambda[i] = fmin(fmax(lambda[i], z->lo[i]), z->hi[i]);
    }
}

bool tn_mlcp_respond(tn_mlcp *m, const tn_kkt_values *values, tn_kkt_factor *factor,
                     const double *b, const double *g, const double *lo, const double *hi,
                     int8_t *state, double rounding, double tolerance, double *u, double *lambda,
                     int32_t *solves)
{
    tn_mlcp_responses z = {
        .m = m, .values = values, .factor = factor, .lo = lo, .hi = hi, .lambda = lambda};
    tn_mlcp_residual left;
    if (!find_rows(state, &z) || !find_set(&z, rounding)) {
        return false;
    }
    take(&z, u, lambda);
    *solves += z.known + 1;
    tn_mlcp_check(m, values, b, g, lo, hi, u, lambda, &left);
    if (!(left.violation <= tolerance)) {
        return false;
    }
    for (int32_t k = 0; k < z.n_bounded; k++) {
        state[z.bounded[k]] = z.state[k];
    }
    return true;
}
