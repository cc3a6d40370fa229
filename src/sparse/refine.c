/* refine.c: proximal passes that remove the regularisation of the factor.
 *
 * Room sparse. In: factor of K_E, values, right-hand side, start. Out: solution of the system with
 * the target R, statistics.
 *
 *     repeat:  ru = b - H u + G^T lambda,  rl = g - G u - R lambda
 *              K_E (du, -dlambda) = (ru, rl);   u += du, lambda += dlambda
 *
 * Error factor per pass: E/(E + sigma) for each non-zero eigenvalue sigma of S = G H^-1 G^T + R
 * (Carpentier, Budhiraja, Mansard 2021). On redundant rows lambda moves only within the range of G:
 * from 0 it reaches the solution of least sum E_i lambda_i^2.
 *
 * Long chains and cantilevers have a few sigma below E (1/n^2, 1/n^4): plain passes then crawl.
 * When they do, the passes become conjugate gradients on S lambda = rhs with S + E as
 * preconditioner: the spectrum is 1 but for those few, so a few more passes suffice. Directions p =
 * (du, dlambda) carry H du = G^T dlambda along, which gives S dlambda = G du + R dlambda without
 * H^-1. A direction that S hardly moves belongs to contradictory rows (or round-off): the passes
 * stop there.
 */
#include "sparse/kkt_impl.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

/* A plain pass that leaves more than this of the residual calls for conjugate gradients. */
#define TN_SLOW 0.1
/* A pass that leaves more than this has not improved anything. */
#define TN_STAGNATION 0.5
/* Passes without improvement (gradients are not monotone) before giving up. */
#define TN_PATIENCE 8
/* Default of the longest step along a direction, in plain passes. Contradictory rows need 1/eps * E/A ~ 1e8. */
#define TN_REFINE_LONGEST 1e5

/* Relative scaled residuals of an iterate. */
struct quality {
    double primal, dual;
};

struct solve {
    const tn_kkt *kkt;
    const tn_kkt_layout *l;
    const tn_kkt_values *values;
    tn_kkt_factor *factor;
    const double *b, *g;
    double *u, *lambda;
    double reference;
    double energy; /* rl . z of the last direction; 0: no direction yet */
    bool gradients;
    bool from_zero, goes_on; /* goes_on: further passes would be those of a finer tolerance */
};

static double worst(struct quality q)
{
    return q.primal > q.dual ? q.primal : q.dual;
}

/* max x_i^2 / scale_i; false when some x_i is not finite. */
static bool scaled_maximum(const double *x, const double *scale, int64_t n, double *maximum)
{
    double largest = *maximum;
    double poison = 0.0;
    for (int64_t i = 0; i < n; i++) {
        double square = x[i] * x[i];
        poison += x[i] - x[i];
        if (square > largest * scale[i]) {
            largest = square / scale[i];
        }
    }
    *maximum = largest;
    return poison == 0.0;
}

/* The scaled norms of x over primal scalars and z over active rows; false when not finite. */
static bool norms(const struct solve *s, const double *x, const double *z, struct quality *out)
{
    double primal = 0.0;
    double dual = 0.0;
    bool finite = x == NULL || scaled_maximum(x, s->factor->h_scale, s->l->u_size, &primal);
    for (int32_t k = 0; k < s->l->n_dual && z != NULL; k++) {
        if (s->kkt->dual_position[k] >= 0) {
            int64_t at = s->l->y_offset[k];
            finite &= scaled_maximum(z + at, s->values->a + at, s->values->rows[k], &dual);
        }
    }
    *out = (struct quality){sqrt(primal), sqrt(dual)};
    return finite;
}

/* max |lambda_i| sqrt(a_i): forces of this size cause round-off in ru, however small b is.
 */
static double force_size(const struct solve *s)
{
    double largest = 0.0;
    for (int32_t k = 0; k < s->l->n_dual; k++) {
        if (s->kkt->dual_position[k] < 0) {
            continue;
        }
        for (int64_t i = s->l->y_offset[k]; i < s->l->y_offset[k] + s->values->rows[k]; i++) {
            double square = s->lambda[i] * s->lambda[i] * s->values->a[i];
            largest = square > largest ? square : largest;
        }
    }
    return sqrt(largest);
}

static bool measure(const struct solve *s, struct quality *out)
{
    tn_kkt_residual(s->kkt, s->values, s->u, s->lambda, s->b, s->g, s->factor->ru, s->factor->rl);
    bool finite = norms(s, s->factor->ru, s->factor->rl, out);
    double force = force_size(s);
    out->primal /= force > s->reference ? force : s->reference;
    out->dual /= s->reference;
    return finite;
}

static bool starts_at_zero(const struct solve *s)
{
    for (int64_t i = 0; i < s->l->u_size; i++) {
        if (s->u[i] != 0.0) {
            return false;
        }
    }
    for (int64_t i = 0; i < s->l->y_size; i++) {
        if (s->lambda[i] != 0.0) {
            return false;
        }
    }
    return true;
}

/* The residual at zero: the right-hand side. */
static bool measure_zero(const struct solve *s, struct quality *out)
{
    if (s->b != NULL) {
        memcpy(s->factor->ru, s->b, (size_t)s->l->u_size * sizeof(double));
    } else {
        memset(s->factor->ru, 0, (size_t)s->l->u_size * sizeof(double));
    }
    if (s->g != NULL) {
        memcpy(s->factor->rl, s->g, (size_t)s->l->y_size * sizeof(double));
    } else {
        memset(s->factor->rl, 0, (size_t)s->l->y_size * sizeof(double));
    }
    bool finite = norms(s, s->factor->ru, s->factor->rl, out);
    out->primal /= s->reference;
    out->dual /= s->reference;
    return finite;
}

/* Size of the right-hand side; of the start when the right-hand side is zero. */
static bool find_reference(struct solve *s)
{
    struct quality size;
    if (!norms(s, s->b, s->g, &size)) {
        return false;
    }
    s->reference = worst(size);
    if (s->reference > 0.0) {
        return true;
    }
    tn_kkt_residual(s->kkt, s->values, s->u, s->lambda, NULL, NULL, s->factor->ru, s->factor->rl);
    if (!norms(s, s->factor->ru, s->factor->rl, &size)) {
        return false;
    }
    s->reference = worst(size) > 0.0 ? worst(size) : 1.0;
    return true;
}

/* x over active rows: to = a to + f from. */
static void combine_rows(const struct solve *s, double a, double *to, double f, const double *from)
{
    for (int32_t k = 0; k < s->l->n_dual; k++) {
        if (s->kkt->dual_position[k] < 0) {
            continue;
        }
        for (int64_t i = s->l->y_offset[k]; i < s->l->y_offset[k] + s->values->rows[k]; i++) {
            to[i] = a * to[i] + f * from[i];
        }
    }
}

static double dot_rows(const struct solve *s, const double *x, const double *z)
{
    double sum = 0.0;
    for (int32_t k = 0; k < s->l->n_dual; k++) {
        if (s->kkt->dual_position[k] < 0) {
            continue;
        }
        for (int64_t i = s->l->y_offset[k]; i < s->l->y_offset[k] + s->values->rows[k]; i++) {
            sum += x[i] * z[i];
        }
    }
    return sum;
}

static void combine_primal(const struct solve *s, double a, double *to, double f,
                           const double *from)
{
    for (int64_t i = 0; i < s->l->u_size; i++) {
        to[i] = a * to[i] + f * from[i];
    }
}

/* One plain pass; the residual is in the factor's ru, rl. */
static void plain_pass(struct solve *s)
{
    tn_kkt_factor *f = s->factor;
    tn_kkt_solve(s->kkt, f, f->ru, f->rl);
    combine_primal(s, 1.0, s->u, 1.0, f->ru);
    combine_rows(s, 1.0, s->lambda, -1.0, f->rl);
}

/* One conjugate gradient pass; false if S hardly moves the direction (u, lambda untouched). */
static bool gradient_pass(struct solve *s, double longest)
{
    tn_kkt_factor *f = s->factor;
    memcpy(f->product, f->rl, (size_t)s->l->y_size * sizeof(double));
    tn_kkt_solve(s->kkt, f, f->ru, f->rl); /* z = (ru, -rl) */
    double energy = -dot_rows(s, f->product, f->rl);
    if (s->energy == 0.0) {
        memset(f->direction_u, 0, (size_t)s->l->u_size * sizeof(double));
        memset(f->direction_l, 0, (size_t)s->l->y_size * sizeof(double));
    }
    double beta = s->energy > 0.0 ? energy / s->energy : 0.0;
    combine_primal(s, beta, f->direction_u, 1.0, f->ru);
    combine_rows(s, beta, f->direction_l, -1.0, f->rl);
    tn_kkt_apply_s(s->kkt, s->values, f->direction_u, f->direction_l, f->product);
    double step = energy / dot_rows(s, f->direction_l, f->product);
    if (!(step > 0.0 && step < longest)) {
        return false;
    }
    s->energy = energy;
    combine_primal(s, 1.0, s->u, step, f->direction_u);
    combine_rows(s, 1.0, s->lambda, step, f->direction_l);
    return true;
}

static void save(const struct solve *s)
{
    memcpy(s->factor->best_u, s->u, (size_t)s->l->u_size * sizeof(double));
    memcpy(s->factor->best_l, s->lambda, (size_t)s->l->y_size * sizeof(double));
}

static void restore(const struct solve *s)
{
    memcpy(s->u, s->factor->best_u, (size_t)s->l->u_size * sizeof(double));
    memcpy(s->lambda, s->factor->best_l, (size_t)s->l->y_size * sizeof(double));
}

/* True if the first pass left a residual on bodies with added inertia in the factor. It may be as large as the residual
 * before, because the added inertia resisted their motion in the factor but does not in the system. */
static bool moved_stand_ins(const struct solve *s, struct quality now, int32_t passes)
{
    bool any = false;
    for (int64_t i = 0; passes == 1 && now.primal > now.dual && !any && i < s->l->u_size; i++) {
        any = s->values->delta[i] > 0.0;
    }
    return any;
}

/* The passes, from an iterate of known quality to the best one found. */
static struct quality iterate(struct solve *s, struct quality now,
                              const tn_kkt_refine_options *options, tn_kkt_refine_stats *stats)
{
    struct quality best = now;
    int32_t waiting = 0;
    const double longest = options->reach > 0.0 ? options->reach : TN_REFINE_LONGEST;
    while (worst(now) > options->tolerance && stats->passes < options->max_passes) {
        if (waiting == 0) {
            save(s);
        }
        double before = worst(now);
        if (s->gradients && !gradient_pass(s, longest)) {
            stats->stagnated = true;
            break;
        } else if (!s->gradients) {
            plain_pass(s);
        }
        stats->passes++;
        if (!measure(s, &now)) {
            stats->stagnated = true;
            waiting = 1;
            break;
        }
        const bool slow = worst(now) > TN_SLOW * before;
        s->gradients =
            s->gradients || (slow && now.primal < TN_SLOW * now.dual && !options->nearby);
        bool better = worst(now) < worst(best);
        bool much = worst(now) < TN_STAGNATION * worst(best);
        waiting = better ? 0 : waiting + 1;
        best = better ? now : best;
        const bool waits =
            s->gradients ? waiting < TN_PATIENCE : moved_stand_ins(s, now, stats->passes);
        if ((slow && options->nearby) || (!much && !waits)) {
            stats->stagnated = worst(best) > options->tolerance;
            s->goes_on = false;
            break;
        }
        s->goes_on = worst(now) <= options->tolerance;
    }
    if (waiting > 0) {
        restore(s);
    }
    return best;
}

/* The start of the iteration: the result of the last solve with this factor if it had the same right-hand sides. */
static bool begin(struct solve *s, const tn_kkt_refine_options *options, tn_kkt_refine_stats *stats,
                  struct quality *now)
{
    tn_kkt_course course;
    s->from_zero = starts_at_zero(s);
    if (!s->from_zero) {
        return measure(s, now);
    }
    if (options->nearby || !tn_kkt_was_solved(s->kkt, s->b, s->g, s->factor, &course) ||
        options->reach != course.reach || options->tolerance > course.tolerance ||
        options->max_passes <= course.passes) {
        return measure_zero(s, now);
    }
    restore(s);
    s->energy = course.energy;
    s->gradients = course.gradients;
    stats->passes = course.passes;
    return measure(s, now);
}

/* Keeps the result of passes from zero for a later solve of the same system with a smaller tolerance, unless the passes
 * cannot get further. */
static void leave(const struct solve *s, const tn_kkt_refine_options *options, int32_t passes)
{
    tn_kkt_forget_solution(s->factor);
    if (!s->from_zero || !s->goes_on || passes == 0 || options->nearby || s->b == NULL ||
        s->g == NULL || !tn_kkt_keeps(s->factor)) {
        return;
    }
    const tn_kkt_course course = {options->reach, options->tolerance, s->energy, s->gradients,
                                  passes};
    save(s);
    tn_kkt_keep_solution(s->kkt, s->b, s->g, &course, s->factor);
}

tn_status tn_kkt_solve_refined(const tn_kkt *kkt, const tn_kkt_values *values,
                               tn_kkt_factor *factor, const double *b, const double *g, double *u,
                               double *lambda, const tn_kkt_refine_options *options,
                               tn_kkt_refine_stats *stats)
{
    struct solve s = {kkt, tn_kkt_get_layout(kkt), values, factor, b, g, u, lambda, 1.0};
    struct quality start = {0.0, 0.0};
    *stats = (tn_kkt_refine_stats){0};
    if (!find_reference(&s) || !begin(&s, options, stats, &start)) {
        return TN_ERROR_NOT_FINITE;
    }
    const int32_t before = stats->passes;
    struct quality reached = iterate(&s, start, options, stats);
    leave(&s, options, stats->passes);
    stats->passes -= before;
    stats->primal_residual = reached.primal;
    stats->dual_residual = reached.dual;
    return TN_OK;
}
