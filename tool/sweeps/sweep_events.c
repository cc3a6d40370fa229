/* sweep_events.c: what happens between two samples of `tenon sweep-coordinate`, and where it ends.
 *
 * A coordinate whose rate changes its sign has a turning point in between, located by root finding; where the driven one
 * cannot go on it has a dead point. A range met is located by bisection. The mechanism only ever moves along its path, to and fro, so
 * that it stays on its branch; that the way back leads to where it came from is checked.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pick/coordinate.h"
#include "sweeps/sweep.h"
#include "tool.h"

/* Per unit speed: below it a coordinate stands still. */
#define SWEEP_STILL 1e-9
/* rad, m: an event this near to a sample is at it. */
#define SWEEP_SAME 1e-9
/* rad, m: a coordinate this near to the end of its range is there. */
#define SWEEP_AT_END 1e-9
/* Share of the way between two samples by which the way back may miss, and what is round-off. */
#define SWEEP_MISS       0.1
#define SWEEP_ROUND_OFF  1e-6
#define SWEEP_BISECTIONS 60
#define SWEEP_MOST       64

/* An event between two samples. */
typedef struct sweep_event {
    double value;
    int joint, coordinate;
    int side; /* 0: turning point; -1, 1: end of the range */
} sweep_event;

typedef struct sweep_events {
    sweep_event list[SWEEP_MOST];
    int count;
} sweep_events;

static const char *joint_name(const sweep *s, int j)
{
    return tn_model_joint_name(s->model, (tn_joint){j});
}

static const char *coordinate_name(const sweep *s, int j, int i)
{
    return tool_coordinate_info(s->model, (tn_joint){j}, i)->name;
}

static int go_to(sweep *s, double value)
{
    tn_coordinate_request request = s->driven;
    tn_coordinate_options options = tn_default_coordinate_options();
    request.value = value;
    options.all_or_nothing = 1;
    return tn_sim_set_coordinates(s->sim, &request, 1, &options, NULL, NULL) == TN_OK;
}

static int is_driven(const sweep *s, int j, int i)
{
    return j == s->driven.joint.i && i == s->driven.coordinate;
}

static void add(sweep_events *events, double value, int j, int i, int side)
{
    if (events->count < SWEEP_MOST)
        events->list[events->count++] = (sweep_event){value, j, i, side};
}

/* The end of its range a coordinate is at. */
static int end_of(const sweep *s, int j, int i, double q)
{
    double lower, upper;
    if (tn_sim_get_range(s->sim, (tn_joint){j}, i, &lower, &upper) != TN_OK || lower == upper)
        return 0;
    return q >= upper - SWEEP_AT_END ? 1 : q <= lower + SWEEP_AT_END ? -1 : 0;
}

static int end_here(const sweep *s, int j, int i)
{
    double q[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(s->sim, (tn_joint){j}, q);
    return end_of(s, j, i, q[i]);
}

/* The first value at which the coordinate is at that end of its range. */
static double locate_end(sweep *s, int j, int i, int side)
{
    double off = s->before.value, on = s->now.value;
    for (int k = 0; k < SWEEP_BISECTIONS && off != on; k++) {
        const double middle = 0.5 * (off + on);
        if (middle == off || middle == on || !go_to(s, middle))
            break;
        if (end_here(s, j, i) == side) {
            on = middle;
        } else {
            off = middle;
        }
    }
    return on;
}

static void find_ends(sweep *s, sweep_events *events)
{
    for (int j = 0; j < tn_model_get_size(s->model).joints; j++) {
        for (int i = 0; i < sweep_coordinates_of(s, j); i++) {
            const int side = end_of(s, j, i, s->now.q[sweep_at(j, i)]);
            if (side != 0 && !is_driven(s, j, i) &&
                end_of(s, j, i, s->before.q[sweep_at(j, i)]) != side)
                add(events, locate_end(s, j, i, side), j, i, side);
        }
    }
}

/* Rates that have changed their sign since they had one. */
static void find_dead_points(sweep *s, sweep_events *events)
{
    for (int j = 0; j < tn_model_get_size(s->model).joints; j++) {
        for (int i = 0; i < sweep_coordinates_of(s, j); i++) {
            const double rate = s->now.rate[sweep_at(j, i)];
            double *sign = &s->sign[sweep_at(j, i)], at;
            if (is_driven(s, j, i) || !(fabs(rate) > SWEEP_STILL))
                continue;
            const int turned = *sign * rate < 0.0;
            *sign = copysign(1.0, rate);
            if (!turned)
                continue;
            if (fabs(s->before.rate[sweep_at(j, i)]) <= SWEEP_STILL) {
                add(events, s->before.value, j, i, 0);
            } else if (go_to(s, s->before.value) &&
                       tn_sim_find_turning(s->sim, s->driven.joint, s->driven.coordinate,
                                           s->now.value, (tn_joint){j}, i, &at) == TN_OK) {
                add(events, at, j, i, 0);
            }
        }
    }
}

/* Along the way of the sweep. */
static int by_value(const void *a, const void *b)
{
    const double x = ((const sweep_event *)a)->value, y = ((const sweep_event *)b)->value;
    return (x > y) - (x < y);
}

static void sort(const sweep *s, sweep_events *events)
{
    qsort(events->list, (size_t)events->count, sizeof(sweep_event), by_value);
    if (s->to >= s->from)
        return;
    for (int a = 0, b = events->count - 1; a < b; a++, b--) {
        const sweep_event kept = events->list[a];
        events->list[a] = events->list[b];
        events->list[b] = kept;
    }
}

static void describe(const sweep *s, const sweep_event *event, sweep_sample *sample)
{
    const char *joint = joint_name(s, event->joint);
    const char *name = coordinate_name(s, event->joint, event->coordinate);
    if (event->side == 0) {
        sweep_add_event(sample, "turning point of %s.%s", joint, name);
        const double itself = sample->q[sweep_at(event->joint, event->coordinate)];
        fprintf(stderr, "tenon: turning point: %s.%s turns back at %s of %s.%s, at %s itself\n",
                joint, name, sweep_say(s, event->value).text, joint_name(s, s->driven.joint.i),
                coordinate_name(s, s->driven.joint.i, s->driven.coordinate),
                sweep_say_of(s, event->joint, event->coordinate, itself).text);
        return;
    }
    const char *end = event->side > 0 ? "upper" : "lower";
    sweep_add_event(sample, "%s limit of %s.%s", end, joint, name);
    fprintf(stderr, "tenon: limit: %s.%s meets its %s limit at %s\n", joint, name, end,
            sweep_say(s, event->value).text);
}

/* Events at the samples join them; the others get rows, one for all at the same value. */
static void tell(sweep *s, sweep_events *events)
{
    sort(s, events);
    for (int k = 0; k < events->count; k++) {
        if (fabs(events->list[k].value - s->before.value) <= SWEEP_SAME)
            describe(s, &events->list[k], &s->before);
    }
    sweep_write(s, &s->before);
    for (int k = 0; k < events->count; k++) {
        const double value = events->list[k].value;
        if (fabs(value - s->before.value) <= SWEEP_SAME)
            continue;
        if (fabs(value - s->now.value) <= SWEEP_SAME) {
            describe(s, &events->list[k], &s->now);
            continue;
        }
        if (!go_to(s, value))
            continue;
        sweep_take(s, value, &s->between);
        describe(s, &events->list[k], &s->between);
        while (k + 1 < events->count && fabs(events->list[k + 1].value - value) <= SWEEP_SAME)
            describe(s, &events->list[++k], &s->between);
        sweep_write(s, &s->between);
    }
}

/* Where the way back ends against where it came from. */
static int came_back(sweep *s)
{
    const int joints = tn_model_get_size(s->model).joints;
    if (!go_to(s, s->before.value))
        return 0;
    tn_sim_get_coordinates(s->sim, s->between.q);
    double miss = 0.0, way = 0.0;
    for (int k = 0; k < joints * TN_MAX_COORDINATES; k++) {
        miss = fmax(miss, fabs(s->between.q[k] - s->before.q[k]));
        way = fmax(way, fabs(s->now.q[k] - s->before.q[k]));
    }
    return miss <= SWEEP_MISS * way + SWEEP_ROUND_OFF;
}

int sweep_between(sweep *s)
{
    sweep_events events = {.count = 0};
    if (!came_back(s)) {
        sweep_write(s, &s->before);
        tool_error("between %s and %s the way back leads elsewhere: the branch may have "
                   "changed; use more steps",
                   sweep_say(s, s->before.value).text, sweep_say(s, s->now.value).text);
        return TOOL_NUMERICAL;
    }
    find_dead_points(s, &events);
    find_ends(s, &events);
    tell(s, &events);
    return go_to(s, s->now.value) ? TOOL_OK : TOOL_NUMERICAL;
}

/* The range that stops the sweep; 0: none does. */
static int find_stop(const sweep *s, sweep_event *stop)
{
    for (int own = 1; own >= 0; own--) { /* the driven coordinate's first */
        for (int j = 0; j < tn_model_get_size(s->model).joints; j++) {
            for (int i = 0; i < sweep_coordinates_of(s, j); i++) {
                const int side = end_here(s, j, i);
                if (is_driven(s, j, i) != own || side == 0)
                    continue;
                *stop = (sweep_event){0.0, j, i, side};
                return 1;
            }
        }
    }
    return 0;
}

void sweep_stopped(sweep *s, const tn_coordinate_answer *answer, double wanted)
{
    const char *joint = joint_name(s, s->driven.joint.i);
    const char *name = coordinate_name(s, s->driven.joint.i, s->driven.coordinate);
    sweep_event stop;
    double value = answer->value;
    const int limit = find_stop(s, &stop);
    const int dead = !limit && tn_sim_find_dead_point(s->sim, s->driven.joint, s->driven.coordinate,
                                                      wanted - value, &value) == TN_OK;
    sweep_take(s, value, &s->between);
    if (limit) {
        stop.value = value;
        describe(s, &stop, &s->between);
    } else {
        sweep_add_event(&s->between, dead ? "dead point of %s.%s" : "end of the motion of %s.%s",
                        joint, name);
    }
    sweep_write(s, &s->between);
    tool_error("%s.%s is limited: the motion ends at %s, %s, on the way to %s", joint, name,
               sweep_say(s, value).text,
               limit  ? "at the end of a range"
               : dead ? "a dead point"
               : answer->outcome == TN_COORDINATE_SINGULAR
                   ? "in a singular pose, where more than one way begins or none does"
                   : "where it cannot go on",
               sweep_say(s, wanted).text);
}
