/* statistics.c: room measure: minimum, maximum, mean, root of the mean square of one value over
 * time.
 */
#include <math.h>

#include "base/base.h"
#include "tenon/measure.h"

tn_statistics tn_statistics_begin(double above)
{
    return (tn_statistics){.above_time = NAN, .above = above};
}

/* Between the last value and this one: exact for what is linear there. */
static void add_interval(tn_statistics *s, double time, double value)
{
    const double h = time - s->time, last = s->last;
    s->sum += 0.5 * h * (last + value);
    s->square_sum += h / 3.0 * (last * last + last * value + value * value);
    if (isnan(s->above_time) && last <= s->above && value > s->above)
        s->above_time = s->time + h * (s->above - last) / (value - last);
}

static void note_extremes(tn_statistics *s, double time, double value)
{
    if (s->count == 0 || value < s->min) {
        s->min = value;
        s->min_time = time;
    }
    if (s->count == 0 || value > s->max) {
        s->max = value;
        s->max_time = time;
    }
}

void tn_statistics_add(tn_statistics *s, double time, double value)
{
    TN_DEMAND_OR_RETURN(s);
    if (isnan(value))
        return;
    note_extremes(s, time, value);
    if (s->count > 0) {
        add_interval(s, time, value);
    } else {
        s->start_time = time;
        s->above_time = value > s->above ? time : s->above_time;
    }
    s->last = value;
    s->time = time;
    s->count++;
    const double span = time - s->start_time;
    s->mean = span > 0.0 ? s->sum / span : value;
    s->rms = span > 0.0 ? sqrt(s->square_sum / span) : fabs(value);
}
