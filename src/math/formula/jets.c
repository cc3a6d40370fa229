/* jets.c: room math/formula: values of steps with two derivatives by the variable (formula.h).
 *
 * With f of u, and u', u'' by the variable:  f' u'  and  f'' u'^2 + f' u''.  Values of two doubles come from the same rules: the
 * second double of a value goes the way of a derivative, f(hi + lo) = f(hi) + f'(hi) lo, but for sums, products and whole
 * powers, which are exact in both.
 *
 * What has no value is NaN, comparisons of such too.
 */
#include <math.h>

#include "math/formula/formula.h"
#include "real/real.h"

/* 0 times what is infinite, the slope of a root say, where nothing changes. */
static double times(double slope, double change)
{
    return change == 0.0 ? 0.0 : slope * change;
}

static tn_jet chain(double f, double f1, double f2, const tn_jet *u)
{
    return (tn_jet){f, times(f1, u->d), times(f2, u->d * u->d) + times(f1, u->c)};
}

static tn_jet constant(double v)
{
    return (tn_jet){v, 0.0, 0.0};
}

#define TN_RULE(name) static tn_jet name(const tn_jet *a, const tn_jet *b, const tn_jet *c)
#define TN_ALONE      (void)b, (void)c
#define TN_PAIR       (void)c

TN_RULE(sum)
{
    TN_PAIR;
    return (tn_jet){a->v + b->v, a->d + b->d, a->c + b->c};
}

TN_RULE(difference)
{
    TN_PAIR;
    return (tn_jet){a->v - b->v, a->d - b->d, a->c - b->c};
}

TN_RULE(product)
{
    TN_PAIR;
    return (tn_jet){a->v * b->v, a->d * b->v + a->v * b->d,
                    a->c * b->v + 2.0 * a->d * b->d + a->v * b->c};
}

TN_RULE(quotient)
{
    TN_PAIR;
    const double q = a->v / b->v, d = (a->d - q * b->d) / b->v;
    return (tn_jet){q, d, (a->c - 2.0 * d * b->d - q * b->c) / b->v};
}

TN_RULE(remainder_of)
{
    TN_PAIR;
    double rest = fmod(a->v, b->v);
    if (rest != 0.0 && (rest < 0.0) != (b->v < 0.0))
        rest += b->v;
    const double n = rint((a->v - rest) / b->v);
    return (tn_jet){rest, a->d - times(n, b->d), a->c - times(n, b->c)};
}

/* To a power that stands still. */
static tn_jet fixed_power(const tn_jet *a, double p)
{
    const double f1 = p == 0.0 ? 0.0 : p * tn_pow(a->v, p - 1.0);
    const double f2 = p == 0.0 || p == 1.0 ? 0.0 : p * (p - 1.0) * tn_pow(a->v, p - 2.0);
    return chain(tn_pow(a->v, p), f1, f2, a);
}

/* a^b = e^(b ln a) */
TN_RULE(power)
{
    TN_PAIR;
    if (b->d == 0.0 && b->c == 0.0)
        return fixed_power(a, b->v);
    const double f = tn_pow(a->v, b->v), slope = 1.0 / a->v;
    const tn_jet ln = chain(tn_log(a->v), slope, -slope * slope, a);
    const tn_jet exponent = product(b, &ln, NULL);
    return chain(f, f, f, &exponent);
}

TN_RULE(negative)
{
    TN_ALONE;
    return (tn_jet){-a->v, -a->d, -a->c};
}

TN_RULE(sine)
{
    TN_ALONE;
    const double f = tn_sin(a->v);
    return chain(f, tn_cos(a->v), -f, a);
}

TN_RULE(cosine)
{
    TN_ALONE;
    const double f = tn_cos(a->v);
    return chain(f, -tn_sin(a->v), -f, a);
}

TN_RULE(tangent)
{
    TN_ALONE;
    const double f = tn_tan(a->v), f1 = 1.0 + f * f;
    return chain(f, f1, 2.0 * f * f1, a);
}

TN_RULE(arc_sine)
{
    TN_ALONE;
    const double f1 = 1.0 / sqrt((1.0 - a->v) * (1.0 + a->v));
    return chain(tn_asin(a->v), f1, a->v * f1 * f1 * f1, a);
}

TN_RULE(arc_cosine)
{
    TN_ALONE;
    const double f1 = -1.0 / sqrt((1.0 - a->v) * (1.0 + a->v));
    return chain(tn_acos(a->v), f1, a->v * f1 * f1 * f1, a);
}

TN_RULE(arc_tangent)
{
    TN_ALONE;
    const double f1 = 1.0 / (1.0 + a->v * a->v);
    return chain(tn_atan(a->v), f1, -2.0 * a->v * f1 * f1, a);
}

/* Of the point (b, a): theta' = (b a' - a b') / r^2, of which the derivative. */
TN_RULE(angle_of_point)
{
    TN_PAIR;
    const double r2 = a->v * a->v + b->v * b->v, d = (b->v * a->d - a->v * b->d) / r2;
    const double turn = b->v * a->c - a->v * b->c, grow = a->v * a->d + b->v * b->d;
    return (tn_jet){tn_atan2(a->v, b->v), d, (turn - 2.0 * grow * d) / r2};
}

TN_RULE(hypotenuse)
{
    TN_PAIR;
    const double r = tn_hypot(a->v, b->v);
    if (r == 0.0) /* to the right */
        return (tn_jet){r, tn_hypot(a->d, b->d), 0.0};
    const double d = (a->v * a->d + b->v * b->d) / r;
    const double way = a->d * a->d + b->d * b->d + a->v * a->c + b->v * b->c;
    return (tn_jet){r, d, (way - d * d) / r};
}

TN_RULE(root)
{
    TN_ALONE;
    const double f = sqrt(a->v), f1 = 0.5 / f;
    return chain(f, f1, -0.5 * f1 / a->v, a);
}

TN_RULE(exponential)
{
    TN_ALONE;
    const double f = tn_exp(a->v);
    return chain(f, f, f, a);
}

TN_RULE(logarithm)
{
    TN_ALONE;
    const double f1 = 1.0 / a->v;
    return chain(tn_log(a->v), f1, -f1 * f1, a);
}

TN_RULE(decimal_logarithm)
{
    TN_ALONE;
    const double f1 = 0.43429448190325182765 / a->v; /* 1 / ln 10 */
    return chain(tn_log10(a->v), f1, -f1 / a->v, a);
}

TN_RULE(hyperbolic_sine)
{
    TN_ALONE;
    const double f = tn_sinh(a->v);
    return chain(f, tn_cosh(a->v), f, a);
}

TN_RULE(hyperbolic_cosine)
{
    TN_ALONE;
    const double f = tn_cosh(a->v);
    return chain(f, tn_sinh(a->v), f, a);
}

TN_RULE(hyperbolic_tangent)
{
    TN_ALONE;
    const double f = tn_tanh(a->v), part = 1.0 / tn_cosh(a->v), f1 = part * part;
    return chain(f, f1, -2.0 * f * f1, a);
}

/* At the place where a size bends, or two are the same, it goes on as to the right. */
static bool falls(const tn_jet *a)
{
    return a->v != 0.0 ? a->v < 0.0 : a->d < 0.0;
}

TN_RULE(size)
{
    TN_ALONE;
    return falls(a) ? negative(a, NULL, NULL) : *a;
}

TN_RULE(sign_of)
{
    TN_ALONE;
    return constant(isnan(a->v) ? a->v : (a->v > 0.0) - (a->v < 0.0));
}

static const tn_jet *lesser(const tn_jet *a, const tn_jet *b)
{
    const tn_jet way = difference(a, b, NULL);
    return isnan(a->v) ? a : isnan(b->v) ? b : falls(&way) ? a : b;
}

TN_RULE(least)
{
    TN_PAIR;
    return *lesser(a, b);
}

TN_RULE(greatest)
{
    TN_PAIR;
    return lesser(a, b) == a && !isnan(a->v) ? *b : isnan(b->v) ? *b : *a;
}

TN_RULE(whole_below)
{
    TN_ALONE;
    return constant(floor(a->v));
}

TN_RULE(whole_above)
{
    TN_ALONE;
    return constant(ceil(a->v));
}

TN_RULE(whole_nearest)
{
    TN_ALONE;
    return constant(round(a->v));
}

/* 1 or 0; NaN of what has no value. */
static tn_jet truth(const tn_jet *a, const tn_jet *b, bool holds)
{
    return constant(isnan(a->v) ? a->v : isnan(b->v) ? b->v : holds);
}

TN_RULE(less)
{
    TN_PAIR;
    return truth(a, b, a->v < b->v);
}

TN_RULE(at_most)
{
    TN_PAIR;
    return truth(a, b, a->v <= b->v);
}

TN_RULE(equal)
{
    TN_PAIR;
    return truth(a, b, a->v == b->v);
}

TN_RULE(different)
{
    TN_PAIR;
    return truth(a, b, a->v != b->v);
}

TN_RULE(opposite)
{
    TN_ALONE;
    return truth(a, a, a->v == 0.0);
}

/* What the first settles, the second may lack. */
TN_RULE(both)
{
    TN_PAIR;
    return a->v == 0.0 || b->v == 0.0 ? constant(0.0) : truth(a, b, true);
}

TN_RULE(either)
{
    TN_PAIR;
    const bool yes = (a->v != 0.0 && !isnan(a->v)) || (b->v != 0.0 && !isnan(b->v));
    return yes ? constant(1.0) : truth(a, b, false);
}

TN_RULE(choice)
{
    return isnan(a->v) ? constant(a->v) : a->v != 0.0 ? *b : *c;
}

static tn_jet (*const rules[TN_TAPE_OP_COUNT])(const tn_jet *, const tn_jet *, const tn_jet *) = {
#define TN_RULE_OF(op, operands, rule) [op] = rule,
    TN_TAPE_RULES(TN_RULE_OF)
#undef TN_RULE_OF
};

tn_jet tn_formula_rule(tn_tape_op op, const tn_jet *a, const tn_jet *b)
{
    return rules[op](a, b, NULL);
}

/* An operand that there is not: any. */
static const tn_jet *operand(const tn_jet *jets, const tn_tape_step *s, int32_t i)
{
    return &jets[s->of[i] > 0 ? s->of[i] - 1 : 0];
}

static tn_jet follow(const tn_tape_step *s, const tn_jet *jets)
{
    return rules[s->op](operand(jets, s, 0), operand(jets, s, 1), operand(jets, s, 2));
}

void tn_formula_jets(const tn_formula *f, int32_t count, double x, tn_jet *jets)
{
    for (int32_t k = 0; k < count; k++) {
        const tn_tape_step *s = &f->steps[k];
        jets[k] = s->op == TN_TAPE_CONSTANT   ? constant(s->number)
                  : s->op == TN_TAPE_VARIABLE ? (tn_jet){x, 1.0, 0.0}
                                              : follow(s, jets);
    }
}

void tn_formula_evaluate(const tn_formula *f, double x, double out[3])
{
    tn_jet jets[TN_TAPE_STEPS];
    tn_formula_jets(f, f->count, x, jets);
    const tn_jet *value = &jets[f->count - 1];
    out[0] = value->v;
    out[1] = value->d;
    out[2] = value->c;
}

/* values of two doubles --------------------------------------------------------------------------- */

static tn_dd two_of(const tn_jet *a)
{
    return (tn_dd){a->v, a->d};
}

static tn_jet of_two(tn_dd a)
{
    return (tn_jet){a.hi, a.lo, 0.0};
}

/* Whole powers up to this one are products. */
#define TN_LARGEST_PRODUCT 16

static tn_dd power_of_two_doubles(const tn_jet *a, const tn_jet *b)
{
    const bool whole =
        b->d == 0.0 && b->v >= 1.0 && b->v <= TN_LARGEST_PRODUCT && b->v == rint(b->v);
    if (!whole) {
        const tn_jet p = power(a, b, NULL);
        return dd_sum(p.v, p.d);
    }
    tn_dd value = two_of(a);
    for (int n = 1; n < (int)b->v; n++)
        value = dd_mul(value, two_of(a));
    return value;
}

static tn_dd two_doubles(const tn_tape_step *s, const tn_jet *jets)
{
    const tn_jet *a = operand(jets, s, 0), *b = operand(jets, s, 1);
    const tn_dd minus = {-b->v, -b->d};
    switch (s->op) {
    case TN_TAPE_SUM:
        return dd_add(two_of(a), two_of(b));
    case TN_TAPE_DIFFERENCE:
        return dd_add(two_of(a), minus);
    case TN_TAPE_PRODUCT:
        return dd_mul(two_of(a), two_of(b));
    case TN_TAPE_QUOTIENT:
        return dd_div(two_of(a), two_of(b));
    case TN_TAPE_POWER:
        return power_of_two_doubles(a, b);
    default: {
        const tn_jet value = follow(s, jets);
        return dd_sum(value.v, value.d);
    }
    }
}

/* What two doubles cannot hold, beyond 1e300 or infinite on the way to 0, in one. */
static tn_dd two_or_one(const tn_tape_step *s, const tn_jet *jets)
{
    const tn_dd both = two_doubles(s, jets);
    return isfinite(both.hi) && isfinite(both.lo) ? both : (tn_dd){follow(s, jets).v, 0.0};
}

tn_dd tn_formula_value(const tn_formula *f, tn_dd x)
{
    tn_jet jets[TN_TAPE_STEPS];
    for (int32_t k = 0; k < f->count; k++) {
        const tn_tape_step *s = &f->steps[k];
        jets[k] = s->op == TN_TAPE_CONSTANT   ? constant(s->number)
                  : s->op == TN_TAPE_VARIABLE ? of_two(x)
                                              : of_two(two_or_one(s, jets));
    }
    return two_of(&jets[f->count - 1]);
}
