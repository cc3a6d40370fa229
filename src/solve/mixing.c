/* mixing.c: room solve: Anderson's mixing (mixing.h). The least-squares problem by Cholesky's
 * factorization of the few normal equations; a difference that says nothing new is left out.
 */
#include "solve/mixing.h"

#include <math.h>
#include <string.h>

/* What is left of a difference, squared and relative, when what newer ones say is taken away: below
 * this it is round-off. */
#define TN_NOTHING_NEW 1e-10

tn_mixing tn_mixing_of(int32_t size, int32_t judged, const double *weight, double *block)
{
    tn_mixing m = {.size = size, .judged = judged, .weight = weight, .x = block, .f = block + size};
    for (int k = 0; k < TN_MIXING_DEPTH; k++) {
        m.dx[k] = block + (2 + 2 * (int64_t)k) * size;
        m.df[k] = m.dx[k] + size;
    }
    return m;
}

void tn_mixing_begin(tn_mixing *m)
{
    m->kept = 0;
    m->begun = 0;
}

static double product(const tn_mixing *m, const double *a, const double *b)
{
    double sum = 0.0;
    for (int32_t k = 0; k < m->judged; k++)
        sum += m->weight[k] * m->weight[k] * a[k] * b[k];
    return sum;
}

/* The differences to the last iterate become the newest, in the place of the oldest. */
static void keep_differences(tn_mixing *m, const double *x, const double *f)
{
    double *dx = m->dx[TN_MIXING_DEPTH - 1], *df = m->df[TN_MIXING_DEPTH - 1];
    memmove(m->dx + 1, m->dx, sizeof m->dx - sizeof m->dx[0]);
    memmove(m->df + 1, m->df, sizeof m->df - sizeof m->df[0]);
    m->dx[0] = dx;
    m->df[0] = df;
    for (int32_t k = 0; k < m->size; k++) {
        dx[k] = x[k] - m->x[k];
        df[k] = f[k] - m->f[k];
    }
    m->kept = m->kept < TN_MIXING_DEPTH ? m->kept + 1 : TN_MIXING_DEPTH;
}

typedef struct tn_normal_equations {
    double L[TN_MIXING_DEPTH][TN_MIXING_DEPTH];
    double y[TN_MIXING_DEPTH];
} tn_normal_equations;

/* Row i of Cholesky's factor of DF^T DF. 0: the difference says nothing new. */
static int factor_row(const tn_mixing *m, tn_normal_equations *e, int i)
{
    const double own = product(m, m->df[i], m->df[i]);
    double left = own;
    for (int j = 0; j < i; j++) {
        double sum = product(m, m->df[i], m->df[j]);
        for (int k = 0; k < j; k++)
            sum -= e->L[i][k] * e->L[j][k];
        e->L[i][j] = e->L[j][j] > 0.0 ? sum / e->L[j][j] : 0.0;
        left -= e->L[i][j] * e->L[i][j];
    }
    const int says = left > TN_NOTHING_NEW * own;
    e->L[i][i] = says ? sqrt(left) : 0.0;
    return says;
}

/* y of the head comment. */
static void fit(const tn_mixing *m, const double *f, tn_normal_equations *e)
{
    for (int i = 0; i < m->kept; i++) {
        e->y[i] = 0.0;
        if (!factor_row(m, e, i)) {
            memset(e->L[i], 0, sizeof e->L[i]);
            continue;
        }
        e->y[i] = product(m, m->df[i], f);
        for (int k = 0; k < i; k++)
            e->y[i] -= e->L[i][k] * e->y[k];
        e->y[i] /= e->L[i][i];
    }
    for (int i = m->kept - 1; i >= 0; i--) {
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): i < kept */
        if (e->L[i][i] == 0.0)
            continue;
        for (int k = i + 1; k < m->kept; k++)
            e->y[i] -= e->L[k][i] * e->y[k];
        e->y[i] /= e->L[i][i];
    }
}

void tn_mixing_next(tn_mixing *m, double *x, const double *f)
{
    tn_normal_equations e;
    if (m->begun)
        keep_differences(m, x, f);
    memcpy(m->x, x, sizeof(double) * (size_t)m->size);
    memcpy(m->f, f, sizeof(double) * (size_t)m->size);
    m->begun = 1;
    fit(m, f, &e);
    for (int32_t k = 0; k < m->size; k++) {
        x[k] += f[k];
        for (int i = 0; i < m->kept; i++)
            x[k] -= e.y[i] * (m->dx[i][k] + m->df[i][k]);
    }
}

#define TN_SHORTEST_WAY 0.1
#define TN_LONGEST_WAY  1e4

double tn_aitken(double way, double turned, double changed)
{
    const double next = changed > 0.0 ? -way * turned / changed : 1.0;
    return next > 0.0 ? fmin(fmax(next, TN_SHORTEST_WAY), TN_LONGEST_WAY) : 0.0;
}
