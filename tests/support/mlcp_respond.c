/* mlcp_respond.c: test support: rows let go of, by what the others answer.
 *
 * In: the solution as if all rows were bilateral, the factor it was found with, and a guess of
 * which rows are at a bound instead. Out: the solution with bounds.
 *
 * Which rows let go is found by what the others answer (mlcp_answers.h), each answer a solve with the factor there
 * is. The last change of the solution is one solve more. Whether it is the solution is asked of the definition (mlcp_check.c).
 */
#include "mlcp_respond.h"
#include "solve/mlcp/mlcp_impl.h"

#include "solve/mlcp/mlcp_answers.h"

#include <math.h>
#include <string.h>

/* Who answers: the factor with all rows. */
typedef struct tn_mlcp_responses {
    const tn_mlcp *m;
    const tn_kkt_values *values;
    tn_kkt_factor *factor;
    const double *lo, *hi, *lambda;
} tn_mlcp_responses;

/* The rows with bounds; false: too many. */
static bool find_rows(const tn_mlcp_responses *r, const int8_t *state, tn_mlcp_answers *z)
{
    z->count = z->known = 0;
    TN_MLCP_ROWS(r->m, r->values, i)
    {
        if (isinf(r->lo[i]) && isinf(r->hi[i])) {
            continue;
        }
        if (z->count == TN_MLCP_BOUNDED) {
            return false;
        }
        z->rows[z->count++] =
            (tn_mlcp_bounded){.lo = r->lo[i],
                              .hi = r->hi[i],
                              .lambda = r->lambda[i],
                              .scale = sqrt(r->values->a[i]),
                              .slot = i,
                              .state = r->lo[i] < r->hi[i] ? state[i] : TN_MLCP_LO};
    }
    return true;
}

/* By speeds that are asked of rows, in step_lambda: what they change, in step_u and step_lambda. */
static void respond(const tn_mlcp_responses *r)
{
    const tn_mlcp *m = r->m;
    memset(m->step_u, 0, (size_t)m->l->u_size * sizeof(double));
    tn_kkt_solve(m->kkt, r->factor, m->step_u, m->step_lambda);
    TN_MLCP_ROWS(m, r->values, i)
    {
        m->step_lambda[i] = -m->step_lambda[i]; /* y = -lambda */
    }
}

static void clear_speeds(const tn_mlcp_responses *r)
{
    memset(r->m->step_lambda, 0, (size_t)r->m->l->y_size * sizeof(double));
}

static void ask(void *of, const tn_mlcp_answers *z, int32_t b, double *answer)
{
    const tn_mlcp_responses *r = of;
    clear_speeds(r);
    r->m->step_lambda[z->rows[b].slot] = 1.0;
    respond(r);
    for (int32_t k = 0; k < z->count; k++) {
        answer[k] = r->m->step_lambda[z->rows[k].slot];
    }
}

/* The solution of the set. */
static void take(const tn_mlcp_responses *r, const tn_mlcp_answers *z, double *u, double *lambda)
{
    const tn_mlcp *m = r->m;
    const bool is_last = z->gone == 1 && z->let_go[0] == z->known - 1; /* its answer is at hand */
    const double share = is_last ? z->alpha[0] : 1.0;
    if (!is_last) {
        clear_speeds(r);
        for (int32_t p = 0; p < z->gone; p++) {
            m->step_lambda[z->rows[z->row[z->let_go[p]]].slot] = z->alpha[p];
        }
        respond(r);
    }
    for (int64_t k = 0; k < m->l->u_size; k++) {
        u[k] += share * m->step_u[k];
    }
    TN_MLCP_ROWS(m, r->values, i)
    {
        lambda[i] += share * m->step_lambda[i];
    }
    for (int32_t p = 0; p < z->gone; p++) {
        const tn_mlcp_bounded *row = &z->rows[z->row[z->let_go[p]]];
        lambda[row->slot] = tn_mlcp_bound_of(row);
    }
    for (int32_t b = 0; b < z->count; b++) { /* others may be outside by rounding */
        const tn_mlcp_bounded *row = &z->rows[b];
        lambda[row->slot] = fmin(fmax(lambda[row->slot], row->lo), row->hi);
    }
}

bool tn_mlcp_respond(tn_mlcp *m, const tn_kkt_values *values, tn_kkt_factor *factor,
                     const double *b, const double *g, const double *lo, const double *hi,
                     int8_t *state, double rounding, double tolerance, double *u, double *lambda,
                     int32_t *solves)
{
    tn_mlcp_responses r = {
        .m = m, .values = values, .factor = factor, .lo = lo, .hi = hi, .lambda = lambda};
    tn_mlcp_answers z;
    z.of = &r;
    z.ask = ask;
    tn_mlcp_residual left;
    if (!find_rows(&r, state, &z) || !tn_mlcp_find_set(&z, rounding)) {
        return false;
    }
    take(&r, &z, u, lambda);
    *solves += z.known + 1;
    tn_mlcp_check(m, values, b, g, lo, hi, u, lambda, &left);
    if (!(left.violation <= tolerance)) {
        return false;
    }
    for (int32_t k = 0; k < z.count; k++) {
        state[z.rows[k].slot] = z.rows[k].state;
    }
    return true;
}
