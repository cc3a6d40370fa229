/* bends.c: room math/formula: where a formula is not smooth next (formula.h).
 *
 * The deciding steps (make.c) are bounded on a piece, by what they are made of and by their slope, g(c) + g'(piece) (x - c). A
 * piece whose bounds leave 0 out, or every whole number, has no bend: that is proved, not sampled. On one where the slope has one
 * sign there is at most one, which secants and halves find to the last digit. Any other is halved, the nearer half first. Where it is
 * the slope of a step that goes through 0, nothing bounds how that changes: halves find it.
 *
 * Limits: what touches 0 without going through it is found to TN_FINEST; after TN_MOST_PIECES pieces of one search the place so
 * far is answered, where nothing may be: a part of a step then ends for no reason, which does no harm.
 */
#include <float.h>
#include <math.h>

#include "math/formula/formula.h"
#include "math/formula/ranges.h"

/* Of a place, and in all: pieces are not made shorter than that. */
#define TN_FINEST      1e-13
#define TN_FINEST_AT_0 1e-15
#define TN_MOST_PIECES 4000
#define TN_DEEPEST     80 /* halves of halves */

/* Searched one after the other without a limit, each twice as long as the one before: the first and the last. */
#define TN_FIRST_WINDOW 1.0
#define TN_LAST_WINDOW  1e12

/* What two sides of a difference that is nothing but rounding are off by, of their size, over more than a millionth of a place. */
#define TN_NOISE       (8.0 * DBL_EPSILON)
#define TN_NOISE_WIDTH 1e-6

typedef struct tn_search {
    const tn_formula *f;
    const tn_formula_bend *bend;
    double from; /* where it began */
    int side;    /* 1: towards larger x, -1 */
    int32_t pieces;
} tn_search;

static double finest(double x)
{
    return TN_FINEST * fabs(x) + TN_FINEST_AT_0;
}

static double value_at(const tn_search *s, double x)
{
    tn_jet jets[TN_TAPE_STEPS];
    tn_formula_jets(s->f, s->bend->step, x, jets);
    return jets[s->bend->step - 1].v;
}

static bool is_whole(const tn_search *s)
{
    return s->bend->level == TN_LEVEL_WHOLE;
}

/* 0 or a whole number between these? */
static bool has_level(const tn_search *s, tn_range g)
{
    return is_whole(s) ? ceil(g.lo) <= g.hi : g.lo <= 0.0 && g.hi >= 0.0;
}

static tn_range common(tn_range a, tn_range b)
{
    const tn_range r = {fmax(a.lo, b.lo), fmin(a.hi, b.hi)};
    return r.lo <= r.hi ? r : a;
}

/* Sizes of the operands of the deciding step's difference. */
static double size_of(const tn_search *s, const tn_spread *spreads)
{
    const tn_tape_step *step = &s->f->steps[s->bend->step - 1];
    double sum = 0.0;
    for (int i = 0; i < 2 && step->of[i] > 0; i++) {
        const tn_range v = spreads[step->of[i] - 1].v;
        sum += fmax(fabs(v.lo), fabs(v.hi));
    }
    return sum;
}

static bool is_noise(const tn_search *s, const tn_spread *spreads, tn_range x, tn_range g)
{
    return x.hi - x.lo > TN_NOISE_WIDTH * (1.0 + fabs(x.lo)) &&
           fmax(fabs(g.lo), fabs(g.hi)) <= TN_NOISE * size_of(s, spreads);
}

typedef enum tn_finding { TN_NO_BEND, TN_ONE_BEND_AT_MOST, TN_UNDECIDED } tn_finding;

/* Bounds that are the same are of what stands still. */
static bool may_have(const tn_search *s, const tn_spread *g)
{
    const tn_range told = s->bend->level == TN_LEVEL_SLOPE ? g->d : g->v;
    return has_level(s, told) && told.lo < told.hi;
}

/* What may be on a piece. */
static tn_finding judge(const tn_search *s, tn_range x)
{
    tn_spread spreads[TN_TAPE_STEPS];
    tn_formula_spreads(s->f, x, spreads);
    const tn_spread *g = &spreads[s->bend->step - 1];
    if (!may_have(s, g))
        return TN_NO_BEND;
    if (!isfinite(x.lo) || !isfinite(x.hi) || s->bend->level == TN_LEVEL_SLOPE)
        return TN_UNDECIDED;
    const double middle = 0.5 * (x.lo + x.hi), at = value_at(s, middle);
    const double slack = TN_NOISE * fabs(at); /* of the value */
    const tn_range way = tn_range_times(g->d, (tn_range){x.lo - middle, x.hi - middle});
    const tn_range mean = tn_range_add((tn_range){at - slack, at + slack}, way);
    const tn_range both = isnan(at) ? g->v : common(g->v, mean);
    if (!has_level(s, both) || both.lo == both.hi || is_noise(s, spreads, x, both))
        return TN_NO_BEND;
    return g->d.lo > 0.0 || g->d.hi < 0.0 ? TN_ONE_BEND_AT_MOST : TN_UNDECIDED;
}

/* The level that is met first on the way from value a to value b; NaN: none is. */
static double first_level(const tn_search *s, double a, double b)
{
    if (!is_whole(s))
        return (a >= 0.0) != (b >= 0.0) ? 0.0 : (double)NAN;
    const double level = b > a ? floor(a) + 1.0 : ceil(a) - 1.0;
    /* going down a whole number is left as soon as it has been there */
    const double left = b < a ? ceil(a) : level;
    const bool met = b > a ? level <= b : left > b && left <= a;
    return met ? left : b < a && level >= b ? level : (double)NAN;
}

/* In a bracket of values that lie on both sides of a level: the first double that is on the side of x.hi. */
static double narrow(const tn_search *s, tn_range x, double level)
{
    double lo = x.lo, hi = x.hi, a = value_at(s, lo) - level, b = value_at(s, hi) - level;
    const bool up = b >= 0.0;
    for (int turn = 0; nextafter(lo, hi) < hi; turn++) {
        double m = turn % 2 == 0 && isfinite(a) && isfinite(b) && a != b
                       ? lo - a * ((hi - lo) / (b - a))
                       : lo + 0.5 * (hi - lo);
        m = fmin(fmax(m, nextafter(lo, hi)), nextafter(hi, lo));
        const double g = value_at(s, m) - level;
        if ((g >= 0.0) == up) {
            hi = m;
            b = g;
        } else {
            lo = m;
            a = g;
        }
    }
    return hi;
}

/* On a piece where it rises or falls throughout; NaN: there is none. */
static double only_bend(const tn_search *s, tn_range x)
{
    const double a = value_at(s, x.lo), b = value_at(s, x.hi);
    const double level = s->side > 0 ? first_level(s, a, b) : first_level(s, b, a);
    if (isnan(level) || (a - level >= 0.0) == (b - level >= 0.0))
        return (double)NAN;
    return narrow(s, x, level);
}

static double slope_at(const tn_search *s, double x)
{
    tn_jet jets[TN_TAPE_STEPS];
    tn_formula_jets(s->f, s->bend->step, x, jets);
    return jets[s->bend->step - 1].d;
}

/* Does a slope keep its sign about a short piece? What bounds it is too wide then. */
static bool goes_on(const tn_search *s, tn_range x)
{
    const double width = 4.0 * (x.hi - x.lo);
    return s->bend->level == TN_LEVEL_SLOPE &&
           !(slope_at(s, x.lo - width) * slope_at(s, x.hi + width) <= 0.0);
}

/* A piece so short that it is one place: not where the search began. */
static double short_piece(const tn_search *s, tn_range x)
{
    if (goes_on(s, x))
        return (double)NAN;
    return fabs(x.hi - s->from) <= 16.0 * finest(s->from) ? (double)NAN : x.hi;
}

/* The nearest bend on a finite piece; NaN: none. Pieces wait their turn, the nearest last. */
static double nearest(tn_search *s, tn_range x)
{
    tn_range waiting[TN_DEEPEST] = {x};
    int count = 1;
    while (count > 0) {
        const tn_range piece = waiting[--count];
        const tn_finding finding = judge(s, piece);
        const double middle = 0.5 * (piece.lo + piece.hi);
        double found = (double)NAN;
        if (++s->pieces > TN_MOST_PIECES)
            return piece.hi;
        if (finding == TN_ONE_BEND_AT_MOST) {
            found = only_bend(s, piece);
        } else if (finding == TN_UNDECIDED && piece.hi - piece.lo <= finest(middle)) {
            found = short_piece(s, piece);
        } else if (finding == TN_UNDECIDED && count + 2 <= TN_DEEPEST) {
            const tn_range halves[2] = {{piece.lo, middle}, {middle, piece.hi}};
            waiting[count++] = halves[s->side > 0];
            waiting[count++] = halves[s->side < 0];
        }
        if (!isnan(found))
            return found;
    }
    return (double)NAN;
}

static tn_range piece_from(double x, double to)
{
    return (tn_range){fmin(x, to), fmax(x, to)};
}

/* Of one deciding step, between x and limit; limit: there is none. */
static double search(const tn_formula *f, const tn_formula_bend *bend, double x, double limit)
{
    tn_search s = {f, bend, x, limit > x ? 1 : -1, 0};
    double from = x, window = isfinite(limit) ? fabs(limit - x) : TN_FIRST_WINDOW;
    for (bool last = false; !last; window *= 2.0) {
        double to = from + s.side * window;
        last = isfinite(limit) || window >= TN_LAST_WINDOW;
        to = isfinite(limit) ? limit : to;
        s.pieces = 0;
        const double found = nearest(&s, piece_from(from, to));
        if (!isnan(found))
            return found;
        from = to;
    }
    return limit;
}

static double next_by(const tn_formula *f, double x, double limit)
{
    tn_spread spreads[TN_TAPE_STEPS];
    if (f->bend_count == 0 || !(fabs(limit - x) > 0.0))
        return limit;
    tn_formula_spreads(f, piece_from(x, limit), spreads);
    x = fmin(fmax(x, -TN_LAST_WINDOW), TN_LAST_WINDOW); /* from the end of the last window */
    for (int32_t k = 0; k < f->bend_count; k++) {
        const tn_search s = {.bend = &f->bends[k]};
        if (may_have(&s, &spreads[s.bend->step - 1]))
            limit = search(f, s.bend, x, limit);
    }
    return limit;
}

double tn_formula_next_bend(const tn_formula *f, double x, double limit)
{
    const double found = next_by(f, x, limit);
    return found < limit && found > x ? found : INFINITY;
}

double tn_formula_last_bend(const tn_formula *f, double x, double limit)
{
    const double found = next_by(f, x, limit);
    return found > limit && found <= x ? found : -INFINITY;
}

/* jumps ------------------------------------------------------------------------------------------- */

/* Bends that are checked, each way. */
#define TN_MOST_BENDS 64

/* Sides differ by more than this share of what is there. */
#define TN_SAME_SIDES 1e-9

/* Beside a bend, of the place: off what finding it is off by. */
#define TN_BESIDE 1e-12

static bool jumps_at(const tn_formula *f, double x)
{
    const double off = TN_BESIDE * fabs(x) + TN_BESIDE;
    double before[3], after[3];
    tn_formula_evaluate(f, x - off, before);
    tn_formula_evaluate(f, x + off, after);
    const double apart = fabs(after[0] - before[0]);
    const double led = 4.0 * off * (fabs(before[1]) + fabs(after[1]));
    const double size = fabs(before[0]) + fabs(after[0]) + fabs(before[1]) + fabs(after[1]);
    return isfinite(apart) && apart > led + TN_SAME_SIDES * size;
}

static double jump_on_the_way(const tn_formula *f, double from, int side)
{
    double x = from;
    for (int32_t k = 0; k < TN_MOST_BENDS && isfinite(x); k++) {
        x = side > 0 ? tn_formula_next_bend(f, x, INFINITY)
                     : tn_formula_last_bend(f, nextafter(x, -INFINITY), -INFINITY);
        if (isfinite(x) && jumps_at(f, x))
            return x;
    }
    return (double)NAN;
}

double tn_formula_jump(const tn_formula *f, double from)
{
    if (!f->may_jump)
        return (double)NAN;
    const double start = isinf(from) ? 0.0 : from;
    double found = jumps_at(f, start) && isinf(from) ? start : jump_on_the_way(f, start, 1);
    if (isnan(found) && isinf(from))
        found = jump_on_the_way(f, start, -1);
    return found;
}
