/* ranges.c: room math/formula: bounds of the steps of a formula on a piece (ranges.h).
 *
 * Every bound is moved outwards by more than the rounding of what it comes from; a 0 that is exact stays one.
 */
#include "math/formula/ranges.h"

#include <float.h>
#include <math.h>

#include "real/real.h"

/* Of a bound: an operation and a function of room real are off by less. */
#define TN_ROUNDING (2.0 * DBL_EPSILON)

#define TN_PI 3.14159265358979323846

static const tn_range everything = {-INFINITY, INFINITY}, nothing = {0.0, 0.0}, truths = {0.0, 1.0};

static tn_range wide(double lo, double hi)
{
    if (isnan(lo) || isnan(hi))
        return everything;
    /* what is beyond all doubles is finite all the same */
    const double low = fmin(lo, DBL_MAX), high = fmax(hi, -DBL_MAX);
    return (tn_range){isinf(low) ? low : low - TN_ROUNDING * fabs(low),
                      isinf(high) ? high : high + TN_ROUNDING * fabs(high)};
}

static tn_range point(double v)
{
    return (tn_range){v, v};
}

static bool has(tn_range a, double v)
{
    return a.lo <= v && v <= a.hi;
}

static bool is_point(tn_range a)
{
    return a.lo == a.hi;
}

static tn_range hull(tn_range a, tn_range b)
{
    return (tn_range){fmin(a.lo, b.lo), fmax(a.hi, b.hi)};
}

static tn_range minus(tn_range a)
{
    return (tn_range){-a.hi, -a.lo};
}

tn_range tn_range_add(tn_range a, tn_range b)
{
    return wide(a.lo + b.lo, a.hi + b.hi);
}

/* What is unbounded times 0 is 0: bounds are not met. */
static double by(double a, double b)
{
    return a == 0.0 || b == 0.0 ? 0.0 : a * b;
}

tn_range tn_range_times(tn_range a, tn_range b)
{
    const double p[4] = {by(a.lo, b.lo), by(a.lo, b.hi), by(a.hi, b.lo), by(a.hi, b.hi)};
    return wide(fmin(fmin(p[0], p[1]), fmin(p[2], p[3])), fmax(fmax(p[0], p[1]), fmax(p[2], p[3])));
}

static tn_range over(tn_range a, tn_range b)
{
    if (has(b, 0.0))
        return everything;
    return tn_range_times(a, wide(1.0 / b.hi, 1.0 / b.lo));
}

/* Does a piece in turns reach a place that comes once in a turn? */
static bool reaches(double lo, double hi, double place)
{
    return floor(hi - place) >= ceil(lo - place);
}

/* A sine or cosine on a piece: 1 where it has a crest, which is there in every turn, -1 half a turn on. */
static tn_range wave_of(double (*f)(double), tn_range a, double crest)
{
    const double slack = TN_ROUNDING * fmax(fabs(a.lo), fabs(a.hi)) + DBL_EPSILON;
    if (!(a.hi - a.lo < 2.0 * TN_PI) || !isfinite(a.lo))
        return (tn_range){-1.0, 1.0};
    const double lo = (a.lo - slack) / (2.0 * TN_PI), hi = (a.hi + slack) / (2.0 * TN_PI);
    const double s = f(a.lo), t = f(a.hi);
    tn_range r = wide(fmin(s, t), fmax(s, t));
    if (reaches(lo, hi, crest))
        r.hi = 1.0;
    if (reaches(lo, hi, crest + 0.5))
        r.lo = -1.0;
    return r;
}

static tn_range sine_of(tn_range a)
{
    return wave_of(tn_sin, a, 0.25);
}

static tn_range cosine_of(tn_range a)
{
    return wave_of(tn_cos, a, 0.0);
}

static tn_range square_of(tn_range a)
{
    const double s = a.lo * a.lo, t = a.hi * a.hi;
    return wide(has(a, 0.0) ? 0.0 : fmin(s, t), fmax(s, t));
}

/* rules: value and slope -------------------------------------------------------------------------- */

#define TN_RULE(name)                                                                              \
    static tn_spread name(const tn_spread *a, const tn_spread *b, const tn_spread *c)
#define TN_ALONE (void)b, (void)c
#define TN_PAIR  (void)c

/* Of u with bounds of f'(u). */
static tn_spread chain(tn_range f, tn_range f1, const tn_spread *u)
{
    return (tn_spread){f, tn_range_times(f1, u->d)};
}

static const tn_spread unknown = {{-INFINITY, INFINITY}, {-INFINITY, INFINITY}};

/* Of rules whose values and slopes are least and most at the ends of a piece or at 0: by their jets (jets.c) there. */
static tn_spread by_ends(tn_tape_op op, const tn_spread *a, tn_range domain, const tn_jet *exponent)
{
    const double places[3] = {fmax(a->v.lo, domain.lo), fmin(a->v.hi, domain.hi), 0.0};
    tn_spread s = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
    bool known = true;
    for (int k = 0; k < (has(a->v, 0.0) ? 3 : 2); k++) {
        const tn_jet u = {places[k], 1.0, 0.0}, f = tn_formula_rule(op, &u, exponent);
        s.v = hull(s.v, point(f.v));
        s.d = hull(s.d, point(f.d));
        known = known && !isnan(f.v) && !isnan(f.d);
    }
    if (!known)
        return unknown;
    return chain(wide(s.v.lo, s.v.hi), wide(s.d.lo, s.d.hi), a);
}

#define TN_BY_ENDS(name, op, lo, hi)                                                               \
    TN_RULE(name)                                                                                  \
    {                                                                                              \
        TN_ALONE;                                                                                  \
        return by_ends(op, a, (tn_range){lo, hi}, NULL);                                           \
    }

TN_BY_ENDS(arc_sine, TN_TAPE_ASIN, -1.0, 1.0)
TN_BY_ENDS(arc_cosine, TN_TAPE_ACOS, -1.0, 1.0)
TN_BY_ENDS(arc_tangent, TN_TAPE_ATAN, -INFINITY, INFINITY)
TN_BY_ENDS(root, TN_TAPE_ROOT, 0.0, INFINITY)
TN_BY_ENDS(exponential, TN_TAPE_EXP, -INFINITY, INFINITY)
TN_BY_ENDS(logarithm, TN_TAPE_LN, 0.0, INFINITY)
TN_BY_ENDS(decimal_logarithm, TN_TAPE_LOG10, 0.0, INFINITY)
TN_BY_ENDS(hyperbolic_sine, TN_TAPE_SINH, -INFINITY, INFINITY)
TN_BY_ENDS(hyperbolic_cosine, TN_TAPE_COSH, -INFINITY, INFINITY)
TN_BY_ENDS(hyperbolic_tangent, TN_TAPE_TANH, -INFINITY, INFINITY)

/* What may jump within the piece. */
static tn_spread loose(tn_range v)
{
    return (tn_spread){v, everything};
}

TN_RULE(sum)
{
    TN_PAIR;
    return (tn_spread){tn_range_add(a->v, b->v), tn_range_add(a->d, b->d)};
}

TN_RULE(negative)
{
    TN_ALONE;
    return (tn_spread){minus(a->v), minus(a->d)};
}

TN_RULE(difference)
{
    TN_PAIR;
    const tn_spread other = negative(b, NULL, NULL);
    return sum(a, &other, NULL);
}

TN_RULE(product)
{
    TN_PAIR;
    const tn_range v = a == b ? square_of(a->v) : tn_range_times(a->v, b->v);
    return (tn_spread){v, tn_range_add(tn_range_times(a->d, b->v), tn_range_times(a->v, b->d))};
}

TN_RULE(quotient)
{
    TN_PAIR;
    const tn_range q = over(a->v, b->v);
    return (tn_spread){q, over(tn_range_add(a->d, minus(tn_range_times(q, b->d))), b->v)};
}

TN_RULE(remainder_of)
{
    TN_PAIR;
    const tn_range q = over(a->v, b->v), n = {floor(q.lo), floor(q.hi)};
    if (is_point(n) && isfinite(n.lo)) {
        return (tn_spread){tn_range_add(a->v, minus(tn_range_times(n, b->v))),
                           tn_range_add(a->d, minus(tn_range_times(n, b->d)))};
    }
    return loose((tn_range){fmin(b->v.lo, 0.0), fmax(b->v.hi, 0.0)});
}

static bool is_whole(double p)
{
    return p == rint(p);
}

/* To a power that stands still, by its ends; to another, what is positive, e^(b ln a). */
TN_RULE(power)
{
    TN_PAIR;
    const double p = b->v.lo;
    const tn_jet exponent = {p, 0.0, 0.0};
    if (is_point(b->v) && is_point(b->d)) {
        const bool pole = p < 1.0 && p != 0.0 && has(a->v, 0.0);
        return pole || (a->v.lo < 0.0 && !is_whole(p))
                   ? unknown
                   : by_ends(TN_TAPE_POWER, a, everything, &exponent);
    }
    if (!(a->v.lo > 0.0))
        return unknown;
    const tn_spread ln = logarithm(a, NULL, NULL), whole_exponent = product(b, &ln, NULL);
    return exponential(&whole_exponent, NULL, NULL);
}

TN_RULE(sine)
{
    TN_ALONE;
    return chain(sine_of(a->v), cosine_of(a->v), a);
}

TN_RULE(cosine)
{
    TN_ALONE;
    return chain(cosine_of(a->v), minus(sine_of(a->v)), a);
}

TN_RULE(tangent)
{
    TN_ALONE;
    const double turns = floor(a->v.lo / TN_PI + 0.5);
    if (!(turns == floor(a->v.hi / TN_PI + 0.5)) || !isfinite(turns))
        return unknown;
    const tn_range f = wide(tn_tan(a->v.lo), tn_tan(a->v.hi));
    return chain(f, tn_range_add(point(1.0), square_of(f)), a);
}

TN_RULE(angle_of_point)
{
    TN_PAIR;
    const tn_range r2 = tn_range_add(square_of(a->v), square_of(b->v));
    const tn_range turn =
        tn_range_add(tn_range_times(b->v, a->d), minus(tn_range_times(a->v, b->d)));
    const bool cut = b->v.lo <= 0.0 && has(a->v, 0.0);
    return cut ? loose((tn_range){-TN_PI, TN_PI}) : (tn_spread){{-TN_PI, TN_PI}, over(turn, r2)};
}

TN_RULE(hypotenuse)
{
    TN_PAIR;
    const tn_range square = tn_range_add(square_of(a->v), square_of(b->v));
    const tn_range r = wide(sqrt(fmax(square.lo, 0.0)), sqrt(square.hi));
    const tn_range unit = {-1.0, 1.0}; /* r' = cos a' + sin b' */
    return (tn_spread){r, tn_range_add(tn_range_times(unit, a->d), tn_range_times(unit, b->d))};
}

/* With neither sign settled both slopes may be. */
TN_RULE(size)
{
    TN_ALONE;
    const tn_spread other = negative(a, NULL, NULL);
    if (a->v.lo >= 0.0)
        return *a;
    if (a->v.hi <= 0.0)
        return other;
    return (tn_spread){{0.0, fmax(-a->v.lo, a->v.hi)}, hull(a->d, other.d)};
}

/* Whole numbers between two bounds: loose unless there is but one. */
static tn_spread whole(double lo, double hi)
{
    return lo == hi ? (tn_spread){{lo, hi}, nothing} : loose((tn_range){lo, hi});
}

TN_RULE(sign_of)
{
    TN_ALONE;
    return whole((a->v.lo > 0.0) - (a->v.lo < 0.0), (a->v.hi > 0.0) - (a->v.hi < 0.0));
}

TN_RULE(whole_below)
{
    TN_ALONE;
    return whole(floor(a->v.lo), floor(a->v.hi));
}

TN_RULE(whole_above)
{
    TN_ALONE;
    return whole(ceil(a->v.lo), ceil(a->v.hi));
}

TN_RULE(whole_nearest)
{
    TN_ALONE;
    return whole(round(a->v.lo), round(a->v.hi));
}

TN_RULE(least)
{
    TN_PAIR;
    const tn_range v = {fmin(a->v.lo, b->v.lo), fmin(a->v.hi, b->v.hi)};
    return a->v.hi <= b->v.lo ? *a : b->v.hi <= a->v.lo ? *b : (tn_spread){v, hull(a->d, b->d)};
}

TN_RULE(greatest)
{
    TN_PAIR;
    const tn_range v = {fmax(a->v.lo, b->v.lo), fmax(a->v.hi, b->v.hi)};
    return a->v.lo >= b->v.hi ? *a : b->v.lo >= a->v.hi ? *b : (tn_spread){v, hull(a->d, b->d)};
}

static tn_spread truth(bool always, bool never)
{
    return always  ? (tn_spread){{1.0, 1.0}, nothing}
           : never ? (tn_spread){nothing, nothing}
                   : loose(truths);
}

TN_RULE(less)
{
    TN_PAIR;
    return truth(a->v.hi < b->v.lo, a->v.lo >= b->v.hi);
}

TN_RULE(at_most)
{
    TN_PAIR;
    return truth(a->v.hi <= b->v.lo, a->v.lo > b->v.hi);
}

static bool are_points(const tn_spread *a, const tn_spread *b)
{
    return is_point(a->v) && is_point(b->v);
}

TN_RULE(equal)
{
    TN_PAIR;
    return truth(are_points(a, b) && a->v.lo == b->v.lo, a->v.hi < b->v.lo || b->v.hi < a->v.lo);
}

TN_RULE(different)
{
    const tn_spread same = equal(a, b, c);
    return truth(same.v.hi == 0.0, same.v.lo == 1.0);
}

static bool is_false(const tn_spread *a)
{
    return a->v.lo == 0.0 && a->v.hi == 0.0;
}

TN_RULE(opposite)
{
    TN_ALONE;
    return truth(is_false(a), !has(a->v, 0.0));
}

TN_RULE(both)
{
    TN_PAIR;
    return truth(!has(a->v, 0.0) && !has(b->v, 0.0), is_false(a) || is_false(b));
}

TN_RULE(either)
{
    TN_PAIR;
    return truth(!has(a->v, 0.0) || !has(b->v, 0.0), is_false(a) && is_false(b));
}

TN_RULE(choice)
{
    return !has(a->v, 0.0) ? *b : is_false(a) ? *c : loose(hull(b->v, c->v));
}

static tn_spread (*const rules[TN_TAPE_OP_COUNT])(const tn_spread *, const tn_spread *,
                                                  const tn_spread *) = {
#define TN_RULE_OF(op, operands, rule) [op] = rule,
    TN_TAPE_RULES(TN_RULE_OF)
#undef TN_RULE_OF
};

static const tn_spread *operand(const tn_spread *spreads, const tn_tape_step *s, int32_t i)
{
    return &spreads[s->of[i] > 0 ? s->of[i] - 1 : 0];
}

void tn_formula_spreads(const tn_formula *f, tn_range x, tn_spread *spreads)
{
    for (int32_t k = 0; k < f->all; k++) {
        const tn_tape_step *s = &f->steps[k];
        spreads[k] = s->op == TN_TAPE_CONSTANT ? (tn_spread){point(s->number), nothing}
                     : s->op == TN_TAPE_VARIABLE
                         ? (tn_spread){x, point(1.0)}
                         : rules[s->op](operand(spreads, s, 0), operand(spreads, s, 1),
                                        operand(spreads, s, 2));
    }
}
