/* pole.c: room joint/turn: stops of coordinates at their pole (pole.h). */
#include <stdbool.h>

#include "real/real.h"
#include "joint/turn/pole.h"

int tn_pole_holds(const tn_joint_stops *stops, int i, const double *reference)
{
    return (stops->held >> i & 1) && fabs(stops->value[i] - reference[i]) < TN_POLE_JUMP;
}

double tn_pole_angle(double b, double a)
{
    if (fabs(b) <= TN_POLE_ROUND_OFF)
        return 0.0;
    if (fabs(a) < TN_POLE_CLAMP || fabs(b) > fabs(a))
        return b / tn_clamped_cosine(a);
    return tn_atan(b / a);
}

int tn_pole_is_limited(const tn_joint_stops *stops, int count)
{
    for (int i = 0; i < count; i++) {
        if (isfinite(stops->lower[i]) || isfinite(stops->upper[i]))
            return 1;
    }
    return 0;
}

static bool is_outside(const tn_joint_stops *stops, int count, const double *q)
{
    for (int i = 0; i < count; i++) {
        if (q[i] < stops->lower[i] || q[i] > stops->upper[i])
            return true;
    }
    return false;
}

int tn_pole_prefers_other(const tn_joint_stops *stops, int count, const double *q,
                          const double *other)
{
    return is_outside(stops, count, q) && !is_outside(stops, count, other);
}
