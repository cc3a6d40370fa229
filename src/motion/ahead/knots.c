/* knots.c: room motion/ahead: see knots.h. */
#include "motion/ahead/knots.h"

#include <float.h>
#include <math.h>

#include "assemble/drive_terms.h"
#include "base/base.h"
#include "force/load.h"

/* Round-off of times, relative: a knot this near to the start of a sub-step is at the start; any knot further on is
 * yet to come. */
#define TN_SAME_MOMENT (8.0 * DBL_EPSILON)

static double slack_of(const tn_sim *sim)
{
    return TN_SAME_MOMENT * fabs(sim->event_time);
}

/* s: the same for a bend of a formula, which may be at the next double after 0. */
static double slack_at(const tn_sim *sim)
{
    return slack_of(sim) + DBL_MIN;
}

/* A search from the start of a sub-step. */
typedef struct tn_search {
    const tn_sim *sim;
    double first; /* s from the start to the first knot so far */
    double limit; /* s, time up to which knots are searched */
    double jump;  /* s, time of the first knot at which a formula may jump */
} tn_search;

static double time_to(const tn_sim *sim, double time)
{
    return (time - sim->event_time) - sim->event_rest;
}

static void search(const tn_function *function, tn_search *out)
{
    double knot = tn_function_next_knot_until(function, out->sim->event_time, out->limit);
    const double slack = function->formula ? slack_at(out->sim) : slack_of(out->sim);
    if (time_to(out->sim, knot) <= slack) /* it has just been reached */
        knot = tn_function_next_knot_until(function, knot, out->limit);
    out->first = fmin(out->first, time_to(out->sim, knot));
    if (tn_function_may_jump(function))
        out->jump = fmin(out->jump, knot);
}

static void search_load(const tn_load_data *load, tn_search *out)
{
    for (int i = 0; i < 3; i++) {
        search(&load->force[i], out);
        search(&load->moment[i], out);
        search(&load->acceleration[i], out);
        search(&load->medium[i], out);
    }
    search(&load->thrust, out);
    search(&load->effort, out);
}

static void search_drive(const tn_drive *d, tn_search *out)
{
    const int32_t functions[] = {d->set.motion_function, d->set.motor_function,
                                 d->set.rest_function};
    for (size_t n = 0; n < TN_COUNT_OF(functions); n++) {
        if (functions[n] != TN_NO_FUNCTION)
            search(tn_drive_function_at(&out->sim->sys, functions[n]), out);
    }
}

/* A bend of a formula counts if values or slopes before and after it differ by more than this, relative; a crest
 * does not. */
#define TN_SAME_SIDES 1e-9

static bool is_another(const tn_function *f, double before, double behind)
{
    double a[3], b[3];
    bool other = false;
    tn_function_evaluate(f, before, a);
    tn_function_evaluate(f, behind, b);
    for (int k = 0; k < 3; k++)
        other = other || !(fabs(b[k] - a[k]) <= TN_SAME_SIDES * (fabs(a[k]) + fabs(b[k])));
    return other;
}

/* The bend of a formula at which the sub-step begins: the first time after it; else -INFINITY. */
static double formula_here(const tn_sim *sim, const tn_function *f)
{
    const double slack = slack_at(sim), now = sim->event_time;
    const double ahead = nextafter(now - slack, -INFINITY),
                 behind = nextafter(now + slack, INFINITY);
    const double knot = tn_function_next_knot_until(f, ahead, nextafter(behind, INFINITY));
    return isfinite(knot) && is_another(f, nextafter(ahead, -INFINITY), behind) ? behind
                                                                                : -INFINITY;
}

/* The point of a table, or bend of a formula, at which the sub-step begins, else -INFINITY. */
static double bend_of(const tn_sim *sim, const tn_function *f)
{
    if (f->formula)
        return formula_here(sim, f);
    const double knot = tn_function_next_knot(f, sim->event_time - slack_of(sim));
    const bool here = fabs(time_to(sim, knot)) <= slack_of(sim);
    return f->def.kind == TN_FUNCTION_TABLE && here ? knot : -INFINITY;
}

static double bend_here(const tn_sim *sim, int32_t index)
{
    return index == TN_NO_FUNCTION ? -INFINITY
                                   : bend_of(sim, tn_drive_function_at(&sim->sys, index));
}

static double jump_here(const tn_sim *sim, const tn_function *f)
{
    return tn_function_may_jump(f) ? formula_here(sim, f) : -INFINITY;
}

static double load_here(const tn_sim *sim, const tn_load_data *load)
{
    double here = fmax(jump_here(sim, &load->thrust), jump_here(sim, &load->effort));
    for (int i = 0; i < 3; i++) {
        here = fmax(here, fmax(jump_here(sim, &load->force[i]), jump_here(sim, &load->moment[i])));
        here = fmax(here, jump_here(sim, &load->acceleration[i]));
        here = fmax(here, jump_here(sim, &load->medium[i]));
    }
    return here;
}

double tn_knot_here(const tn_sim *sim)
{
    double here = -INFINITY;
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const tn_drive_settings *set = &sim->state.drives[k].set;
        here = fmax(here, bend_here(sim, set->motion_function));
        here = fmax(here, bend_here(sim, set->motor_function));
        here = fmax(here, bend_here(sim, set->rest_function));
    }
    for (int32_t k = 0; sim->model->loads_jump && k < sim->model->load_count; k++)
        here = fmax(here, load_here(sim, &sim->model->loads[k]));
    return here;
}

/* A search up to `longest` seconds from the start, and beyond that by round-off. */
static tn_search search_from(const tn_sim *sim, double longest)
{
    const double end = sim->event_time + (sim->event_rest + longest);
    return (tn_search){sim, INFINITY, end + 4.0 * TN_SAME_MOMENT * fabs(end), INFINITY};
}

/* A knot that is after the end of a sub-step by round-off only is moved to its end: else values after it would be
 * used there. */
static double first_of(const tn_search *out, double longest)
{
    const double end = out->sim->event_time + longest;
    const double beyond = out->first - longest;
    return beyond > 0.0 && beyond <= TN_SAME_MOMENT * fabs(end) + DBL_MIN ? longest : out->first;
}

/* The last time that is certainly before this one. */
static double before(double time)
{
    return nextafter(time - TN_SAME_MOMENT * fabs(time), -INFINITY);
}

double tn_knot_ahead(const tn_sim *sim, double longest, double *jump)
{
    tn_search out = search_from(sim, longest);
    for (int32_t k = 0; k < sim->model->load_count; k++)
        search_load(&sim->model->loads[k], &out);
    for (int32_t k = 0; k < sim->state.head->drive_count; k++)
        search_drive(&sim->state.drives[k], &out);
    *jump = isinf(out.jump) ? INFINITY : before(out.jump);
    return first_of(&out, longest);
}

double tn_knot_before(const tn_sim *sim, double knot)
{
    return before(sim->event_time + (sim->event_rest + knot));
}

/* ---- steps of one length ---- */

/* Steps for which a search for bends of a formula is made at once. */
#define TN_WATCHED_STEPS 64

/* This formula has no bend after `from` and up to `until`, s. */
struct tn_bend_watch {
    const tn_function *f;
    double from, until;
};

tn_status tn_knots_create(tn_sim *sim)
{
    sim->watches = TN_ARENA_ARRAY(&sim->seldom, tn_bend_watch, sim->model->coordinate_count);
    return sim->watches ? TN_OK : TN_ERROR_MEMORY;
}

void tn_knots_destroy(tn_sim *sim)
{
    sim->watches = NULL;
}

/* The function of time whose slope is the speed of the drive's coordinate, if it may bend; NULL: there is none. */
static const tn_function *prescribed_motion(const tn_sim *sim, const tn_drive *d)
{
    const tn_drive_settings *set = &d->set;
    const bool leads = set->motor == TN_MOTOR_POSITION && isinf(set->motor_force);
    const int32_t index = set->driven ? set->motion_function
                          : leads     ? set->motor_function
                                      : TN_NO_FUNCTION;
    const tn_function *f = index == TN_NO_FUNCTION ? NULL : tn_drive_function_at(&sim->sys, index);
    return f && (f->formula ? f->formula->bend_count > 0 : f->def.kind == TN_FUNCTION_TABLE) ? f
                                                                                             : NULL;
}

/* Has the function of drive k no bend from the start of a sub-step to `longest` seconds from it, ends included? The
 * search covers several steps of h at once, since a search of a formula costs as much as several steps. */
static bool goes_on(const tn_sim *sim, int32_t k, const tn_function *f, double longest, double h)
{
    tn_bend_watch *w = &sim->watches[k];
    const double end = sim->event_time + (sim->event_rest + longest);
    const double from = before(sim->event_time - DBL_MIN),
                 to = end + 4.0 * TN_SAME_MOMENT * fabs(end);
    if (!f->formula)
        return false;
    if (w->f != f || from < w->from || to > w->until) {
        const double far = to + TN_WATCHED_STEPS * h;
        const double bend = tn_function_next_knot_until(f, from, far);
        *w = (tn_bend_watch){f, from, isfinite(bend) ? before(bend) : far};
    }
    return to <= w->until;
}

/* Has the table points within h both before and after this one, up to round-off of their times? */
static bool is_sample(const tn_function *f, double knot, double h)
{
    const double reach = h + 4.0 * TN_SAME_MOMENT * fabs(knot);
    return !f->formula && tn_function_next_knot(f, knot - reach) < knot &&
           tn_function_next_knot(f, knot) <= knot + reach;
}

double tn_bend_here(const tn_sim *sim, double h)
{
    double here = -INFINITY;
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const tn_function *f = prescribed_motion(sim, &sim->state.drives[k]);
        const double bend = f && !goes_on(sim, k, f, 0.0, h) ? bend_of(sim, f) : -INFINITY;
        if (isfinite(bend) && !is_sample(f, bend, h))
            here = fmax(here, bend);
    }
    return here;
}

double tn_bend_ahead(const tn_sim *sim, double longest, double h)
{
    double first = INFINITY;
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const tn_function *f = prescribed_motion(sim, &sim->state.drives[k]);
        if (!f || goes_on(sim, k, f, longest, h))
            continue;
        tn_search out = search_from(sim, longest);
        search(f, &out);
        const double bend = first_of(&out, longest);
        if (bend <= longest && !is_sample(f, sim->event_time + bend, h))
            first = fmin(first, bend);
    }
    return first;
}
