/* passage.h: room law/limits: what a quantity does between the ends of a part of a step.
 *
 * Its values and rates at both ends give the cubic Hermite polynomial, whose error is of fourth order
 * in the part.
 */
#ifndef TN_LAW_LIMITS_PASSAGE_H
#define TN_LAW_LIMITS_PASSAGE_H

#include <math.h>

/* Newton's passes to a root: as many as halvings alone would take to 1e-3 of the part, which two of
 * Newton's take to rounding. */
enum { TN_PASSAGE_PASSES = 12 };

/* How far beyond something at both ends, and how fast it goes on, times the part's length. */
typedef struct tn_passage {
    double w0, d0, w1, d1;
} tn_passage;

/* The largest value of the cubic inside of (0, 1), and where; -infinity: there is none. */
static inline double tn_passage_peak(const tn_passage *c, double *where)
{
    const double rise = c->w1 - c->w0;
    const double b = 3.0 * rise - 2.0 * c->d0 - c->d1, a = c->d0 + c->d1 - 2.0 * rise;
    const double r2 = b * b - 3.0 * a * c->d0;
    if (!(r2 > 0.0))
        return -INFINITY;
    const double r = sqrt(r2);
    const double s = b < 0.0 ? c->d0 / (r - b) : -(b + r) / (3.0 * a);
    if (!(s > 0.0 && s < 1.0))
        return -INFINITY;
    *where = s;
    return c->w0 + s * (c->d0 + s * (b + s * a));
}

/* Where the cubic, below zero at 0 and above at 1, is zero: Newton's iteration, halving where it would
 * leave the bracket. */
static inline double tn_passage_root(const tn_passage *c)
{
    const double rise = c->w1 - c->w0;
    const double b = 3.0 * rise - 2.0 * c->d0 - c->d1, a = c->d0 + c->d1 - 2.0 * rise;
    double below = 0.0, above = 1.0, s = -c->w0 / rise;
    for (int k = 0; k < TN_PASSAGE_PASSES; k++) {
        const double w = c->w0 + s * (c->d0 + s * (b + s * a));
        const double d = c->d0 + s * (2.0 * b + 3.0 * s * a), next = s - w / d;
        *(w > 0.0 ? &above : &below) = s;
        s = next > below && next < above ? next : 0.5 * (below + above);
    }
    return s;
}

#endif
