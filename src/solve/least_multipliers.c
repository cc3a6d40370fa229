/* least_multipliers.c: room solve: removes the null-space component of multipliers (singular.h).
 *
 * In: multipliers and the factor. Out: of all lambda with the same G^T lambda the one of least sum
 * A lambda^2, which is an energy: no unit enters the choice. Or the verdict that there is none,
 * because rows nearly repeat others and carry forces.
 *
 * d = F^n lambda is the null-space part of lambda unchanged, and (E / sigma)^n of the rest; d is
 * subtracted. To build up the rest from zero instead, (S + E)^-1 S lambda, would be simpler, but
 * the pivots of rows that repeat others are little more than E, and known only to the round-off of
 * A: each such solve leaves 1e-16 A / E of lambda itself in the null space, where this one leaves
 * as much of d. Therefore multipliers of equal rows are equal to round-off and not to 1e-8.
 *
 * G^T d, the forces of d on the bodies, decides whether d may be subtracted. At a distance x from a change
 * point sigma = x^2 is below E while its multiplier has the pole f / x, f the force: d then carries
 * f, and must stay. But d carries forces as well when the pose of the factor is not closed, as its null
 * vectors differ from those of the closed pose. So if d has forces, the verdict needs the factor of a
 * closed pose.
 *
 * Limits: at a change point itself lambda is not changed, and rows that repeat others keep the shares
 * they had.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve/singular.h"

/* Weak rows, those of long chains, may need this many passes more before d is free of forces. */
#define TN_MORE_PASSES 12

/* x <- F x. */
void tn_singular_filter(tn_singular *s, double *x, int32_t *solves)
{
    const tn_kkt_layout *layout = tn_kkt_get_layout(s->kkt);
    memset(s->u, 0, sizeof(double) * (size_t)layout->u_size);
    for (int64_t k = 0; k < layout->y_size; k++)
        x[k] *= -s->values->e[k];
    tn_kkt_solve(s->kkt, s->factor, s->u, x);
    ++*solves;
}

/* The forces G^T y in the metric of the masses. */
static double size_of_forces(tn_singular *s, const double *y)
{
    const int64_t n = tn_kkt_get_layout(s->kkt)->u_size;
    double sum = 0.0;
    memset(s->u, 0, sizeof(double) * (size_t)n);
    tn_kkt_apply_gt(s->kkt, s->values, y, s->u);
    for (int64_t k = 0; k < n; k++)
        sum += s->u[k] * s->u[k] * s->inverse_mass[k];
    return sqrt(sum);
}

/* The same of the y that a pass has just found: with its motion u the pass met H u = G^T y. */
static double size_of_found(const tn_singular *s)
{
    const int64_t n = tn_kkt_get_layout(s->kkt)->u_size;
    double sum = 0.0;
    for (int64_t k = 0; k < n; k++) {
        if (s->inverse_mass[k] > 0.0)
            sum += s->u[k] * s->u[k] / s->inverse_mass[k];
    }
    return sqrt(sum);
}

/* The dual that has most of y, by energy. */
static int32_t dual_of(const tn_singular *s, const double *y)
{
    const tn_kkt_layout *layout = tn_kkt_get_layout(s->kkt);
    double largest = 0.0;
    int32_t dual = -1;
    for (int32_t k = 0; k < layout->n_dual; k++) {
        const int64_t slot = layout->y_offset[k];
        double energy = 0.0;
        for (int32_t n = 0; n < s->values->rows[k]; n++)
            energy += y[slot + n] * y[slot + n] * s->values->a[slot + n];
        if (energy > largest) {
            largest = energy;
            dual = k;
        }
    }
    return dual;
}

/* E / A of the rows that have it. */
double tn_singular_epsilon(const tn_singular *s)
{
    for (int64_t k = 0; k < tn_kkt_get_layout(s->kkt)->y_size; k++) {
        if (s->values->e[k] > 0.0 && s->values->a[k] > 0.0)
            return s->values->e[k] / s->values->a[k];
    }
    return 0.0;
}

static void start(tn_singular *s, const double *lambda)
{
    memcpy(s->part, lambda, sizeof(double) * (size_t)tn_kkt_get_layout(s->kkt)->y_size);
}

/* Passes from the multipliers on, and what forces they have left: with E = 1e-8 A a pass less than
 * the usual leaves 1e-12 of rows with sigma > 1e-2 A and 1e-10 of those with sigma > 1e-3 A. */
typedef struct tn_passed {
    bool done;      /* the passes left no forces; `all` was not computed */
    double all;     /* forces of the multipliers */
    double nothing; /* forces up to this count as none */
    double left;    /* forces after the passes */
} tn_passed;

/* In the metric of sigma a pass multiplies the components of the forces by factors F. With f1 and f2 left
 * after one and two passes, (sum F^2)^2 <= (sum 1) (sum F^4) gives: all forces are at least f1^2 / f2,
 * and f2 / all is at most (f2 / f1)^2. All forces are computed only if this does not decide. */
static tn_passed find_part(tn_singular *s, const double *lambda, double share, int32_t *solves)
{
    tn_passed at = {0};
    start(s, lambda);
    tn_singular_filter(s, s->part, solves);
    const double first = size_of_found(s);
    tn_singular_filter(s, s->part, solves);
    at.left = size_of_found(s);
    at.done = at.left * at.left <= share * first * first;
    if (at.done)
        return at;
    at.all = size_of_forces(s, lambda);
    at.nothing = share * at.all;
    if (at.left > at.nothing) {
        tn_singular_filter(s, s->part, solves);
        at.left = size_of_found(s);
    }
    return at;
}
_Static_assert(TN_FILTERINGS == 3, "the passes above");

static void take_away(const tn_singular *s, double *lambda)
{
    for (int64_t k = 0; k < tn_kkt_get_layout(s->kkt)->y_size; k++)
        lambda[k] -= s->part[k];
}

void tn_singular_take_null_part(tn_singular *s, double *lambda, int32_t *solves)
{
    start(s, lambda);
    for (int pass = 0; pass < TN_FILTERINGS; pass++)
        tn_singular_filter(s, s->part, solves);
    take_away(s, lambda);
}

/* More passes than those before, which have left first of the forces, until they leave nothing;
 * returns what they leave. *share: what a pass leaves of them. */
static double go_on(tn_singular *s, double nothing, double first, double *share, int32_t *solves)
{
    double left = first;
    *share = 0.0;
    for (int pass = 0; pass < TN_MORE_PASSES && left > nothing; pass++) {
        const double before = left;
        tn_singular_filter(s, s->part, solves);
        left = size_of_found(s);
        *share = pass == 0 ? left / before : *share;
    }
    return left;
}

tn_rows_told tn_singular_least_multipliers(tn_singular *s, double *lambda, bool at_closed_pose,
                                           int32_t *solves)
{
    const tn_rows_told repeat = {TN_ROWS_REPEAT, 0.0, -1, s->part};
    const double share = at_closed_pose ? TN_ROUNDED : TN_FORCES_KNOWN;
    const tn_passed at = find_part(s, lambda, share, solves);
    const double none = TN_AS_NONE * at.all, first = at.left;
    if (at.done) {
        take_away(s, lambda);
        return repeat;
    }
    if (!at_closed_pose && first > none)
        return (tn_rows_told){TN_ROWS_UNTOLD, 0.0, -1, s->part};
    double F;
    const double left = go_on(s, at.nothing, first, &F, solves);
    if (left <= none)
        take_away(s, lambda);
    if (first <= none)
        return repeat;
    const double E = tn_singular_epsilon(s); /* F = E / (E + sigma), sigma at most 1 */
    const double distance = sqrt(E / fmin(fmax(F, E), 1.0) - E);
    if (left <= none && first <= TN_FORCES_HANG * at.all)
        return (tn_rows_told){TN_ROWS_REPEAT, distance, -1, s->part};
    return (tn_rows_told){TN_ROWS_CHANGE_POINT, distance, dual_of(s, s->part), s->part};
}
