/* within.c: room law: see within.h.
 *
 * Limits: a peak that neither a stage nor a parabola through three of them sees is missed.
 */
#include "law/within.h"

#include <math.h>

int tn_within_place(tn_within *w, double t)
{
    int at = w->count;
    while (at > 0 && w->t[at - 1] > t)
        at--;
    if (at > 0 && w->t[at - 1] == t) /* the later of two of one time */
        return at - 1;
    if (w->count == TN_WITHIN_SAMPLES)
        return -1;
    for (int i = w->count; i > at; i--) {
        w->t[i] = w->t[i - 1];
        for (int law = 0; law < TN_WITHIN_LAWS; law++)
            w->beyond[law][i] = w->beyond[law][i - 1];
    }
    w->count++;
    w->t[at] = t;
    return at;
}

/* Where the parabola through samples k, k + 1 and k + 2 is largest, if that is between them and beyond by so much; or NaN. */
static double peak(const double *t, const double *beyond, double much)
{
    const double first = (beyond[1] - beyond[0]) / (t[1] - t[0]),
                 second = (beyond[2] - beyond[1]) / (t[2] - t[1]),
                 bend = (second - first) / (t[2] - t[0]);
    const double at = 0.5 * (t[0] + t[1]) - 0.5 * first / bend;
    const double value = beyond[0] + (at - t[0]) * (first + bend * (at - t[1]));
    return bend < 0.0 && at > t[0] && at < t[2] && value > much ? at : (double)NAN;
}

bool tn_within_passed(const tn_within *w, const double *beyond, double much, double h, double *when)
{
    for (int k = 0; k < w->count; k++) {
        *when = w->t[k];
        if (*when > 0.0 && *when < h && beyond[k] > much)
            return true;
    }
    for (int k = 0; k + 2 < w->count; k++) {
        *when = peak(w->t + k, beyond + k, much);
        if (*when > 0.0 && *when < h)
            return true;
    }
    return false;
}

/* Of the way of a law in the part, what parabolas through stages may miss. */
#define TN_MISSED 0.1

bool tn_within_nearly(const tn_within *w, const double *beyond)
{
    double most = -INFINITY, least = INFINITY;
    for (int n = 0; n < w->count; n++) {
        if (!isfinite(beyond[n]))
            continue;
        most = fmax(most, beyond[n]);
        least = fmin(least, beyond[n]);
    }
    return most > least && most > -TN_MISSED * (most - least);
}
