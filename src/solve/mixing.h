/* mixing.h: room solve: Anderson's mixing of a fixed-point iteration.
 *
 * In: iterates x and the corrections f of an iteration x <- x + f, whose matrix lacks parts of the true
 * one. Out: the next iterate, a combination of the last few. The corrections are taken as linear in x,
 * and the combination minimises them in the sense of least squares:
 *     min |f - DF y|,    x <- x + f - (DX + DF) y,
 * DX, DF the differences of the last iterates and corrections. Of linear problems this is GMRES
 * (Walker, Ni 2011): as many iterations as the iteration's matrix has distinct eigenvalues.
 */
#ifndef TN_SOLVE_MIXING_H
#define TN_SOLVE_MIXING_H

#include <stdint.h>

/* Differences kept. Stiff parts missing in the matrix are few; more differences hardly help. */
#define TN_MIXING_DEPTH 6

typedef struct tn_mixing {
    int32_t size;         /* of an iterate */
    int32_t judged;       /* number of leading entries that count in the norm */
    const double *weight; /* of these */
    int32_t kept;         /* differences */
    int begun;            /* 1: x and f are those of the last iterate */
    double *x, *f;        /* [size] */
    double *dx[TN_MIXING_DEPTH], *df[TN_MIXING_DEPTH]; /* [size], the newest first */
} tn_mixing;

/* Numbers that a mixing of iterates of this size works with. */
static inline int64_t tn_mixing_numbers(int64_t size)
{
    return (2 + 2 * TN_MIXING_DEPTH) * size;
}
/* With that many at block. */
tn_mixing tn_mixing_of(int32_t size, int32_t judged, const double *weight, double *block);

/* Aitken's relaxation of vectors (Irons and Tuck 1969): the next relaxation factor, from the last one, `way`, and
 * the corrections f before and g after it: turned = f . (g - f), changed = |g - f|^2. It is less than 1 if a
 * correction undoes part of the one before, and more if it adds to it. 0: corrections grow, and no factor makes the
 * iteration converge. */
double tn_aitken(double way, double turned, double changed);

/* What came before belongs to another problem. */
void tn_mixing_begin(tn_mixing *m);
/* x becomes the next iterate. */
void tn_mixing_next(tn_mixing *m, double *x, const double *f);

#endif
