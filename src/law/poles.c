/* poles.c: room law: see poles.h. */
#include "law/poles.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "solve/singular.h"

/* A pole of so many thresholds is beyond one whatever else the joint carries, less than one. */
#define TN_POLE_BEYOND 4.0

/* x L, force and moment. */
enum { TN_POLE_PARTS = 6 };

struct tn_poles {
    int samples;
    double t[TN_POLE_SAMPLES], x[TN_POLE_SAMPLES]; /* s, of the simulation; rad or lengths */
    /* [element_count][parts][samples] of x L; once all are there Newton's divided differences */
    double *flat;
    bool *has; /* [element_count] a pole */
    bool any;
    bool has_ended;
    tn_fold_end began, ended;
};

tn_status tn_poles_create(tn_sim *sim)
{
    if (sim->model->loop_joints == 0)
        return TN_OK;
    tn_poles *p = sim->poles = TN_NEW(tn_poles);
    if (!p)
        return TN_ERROR_MEMORY;
    p->flat = TN_ARENA_ARRAY(&sim->seldom, double,
                             (int64_t)sim->model->element_count *TN_POLE_PARTS *TN_POLE_SAMPLES);
    p->has = TN_ARENA_ARRAY(&sim->seldom, bool, sim->model->element_count);
    return p->flat && p->has ? TN_OK : TN_ERROR_MEMORY;
}

void tn_poles_destroy(tn_sim *sim)
{
    tn_free(sim->poles);
}

void tn_poles_clear(tn_sim *sim)
{
    if (!sim->poles)
        return;
    sim->poles->samples = 0;
    sim->poles->any = false;
    sim->poles->has_ended = false;
}

bool tn_poles_begin(tn_sim *sim)
{
    sim->poles->began = sim->poles->ended;
    return sim->poles->has_ended;
}

tn_fold_end tn_poles_end(tn_sim *sim, tn_fold_end end)
{
    sim->poles->ended = end;
    sim->poles->has_ended = true;
    return sim->poles->began;
}

/* [samples] of a part of element j. */
static double *part_of(const tn_poles *p, int32_t j, int part)
{
    return p->flat + ((size_t)j * TN_POLE_PARTS + (size_t)part) * TN_POLE_SAMPLES;
}

void tn_poles_note(tn_sim *sim, double t, double x, tn_shares_of *shares)
{
    tn_poles *p = sim->poles;
    if (p->samples == TN_POLE_SAMPLES)
        return;
    p->t[p->samples] = sim->event_time + t;
    p->x[p->samples] = x;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_wrench load = shares(sim, j);
        double parts[TN_POLE_PARTS];
        v3_store(parts, load.f);
        v3_store(parts + 3, load.m);
        for (int i = 0; i < TN_POLE_PARTS; i++)
            part_of(p, j, i)[p->samples] = x * parts[i];
    }
    p->samples++;
}

/* Newton's. */
static void divide_differences(const double *x, double *f)
{
    for (int order = 1; order < TN_POLE_SAMPLES; order++) {
        for (int k = TN_POLE_SAMPLES - 1; k >= order; k--)
            f[k] = (f[k] - f[k - 1]) / (x[k] - x[k - order]);
    }
}

static double polynomial(const double *x, const double *f, double at)
{
    double sum = f[TN_POLE_SAMPLES - 1];
    for (int k = TN_POLE_SAMPLES - 2; k >= 0; k--)
        sum = sum * (at - x[k]) + f[k];
    return sum;
}

/* Of x L at x: the larger of force and moment. */
static double size_at(const tn_poles *p, int32_t j, double x)
{
    double q[TN_POLE_PARTS];
    for (int i = 0; i < TN_POLE_PARTS; i++)
        q[i] = polynomial(p->x, part_of(p, j, i), x);
    return fmax(v3_norm(v3_load(q)), v3_norm(v3_load(q + 3)));
}

/* What rounding leaves of that at the change point: of a load it leaves 1e-16 / x^4
 * (motion/ahead/fold_ahead.h), f: x L, of which Lagrange's polynomials have such values there. */
static double rounded(const double *x, const double *f)
{
    double sum = 0.0;
    for (int k = 0; k < TN_POLE_SAMPLES; k++) {
        double weight = 1.0;
        for (int i = 0; i < TN_POLE_SAMPLES; i++)
            weight *= i == k ? 1.0 : x[i] / (x[i] - x[k]);
        sum += fabs(weight * f[k]) * DBL_EPSILON / (x[k] * x[k] * x[k] * x[k]);
    }
    return sum;
}

void tn_poles_keep_first(tn_sim *sim)
{
    sim->poles->samples = 1;
}

bool tn_poles_find(tn_sim *sim, int32_t *whose)
{
    tn_poles *p = sim->poles;
    const double none = p->x[TN_POLE_SAMPLES - 1] / TN_FAR; /* nearer than that no break counts */
    bool told = true;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        double unknown = 0.0;
        for (int i = 0; i < TN_POLE_PARTS; i++) {
            unknown += rounded(p->x, part_of(p, j, i));
            divide_differences(p->x, part_of(p, j, i));
        }
        p->has[j] = size_at(p, j, 0.0) > TN_CLEAR * unknown;
        p->any |= p->has[j];
        if (p->has[j] || TN_CLEAR * unknown <= none)
            continue;
        *whose = j;
        told = false;
    }
    return told;
}

bool tn_poles_on_the_way(const tn_sim *sim)
{
    const tn_poles *p = sim->poles;
    return p->samples == TN_POLE_SAMPLES && sim->event_time >= p->t[0] &&
           sim->event_time < p->t[TN_POLE_SAMPLES - 1];
}

/* By which x grows a second. */
static double rate_of(const tn_poles *p)
{
    const int last = TN_POLE_SAMPLES - 1;
    return (p->x[last] - p->x[last - 1]) / (p->t[last] - p->t[last - 1]);
}

double tn_poles_distance(const tn_sim *sim, double time)
{
    const tn_poles *p = sim->poles;
    const int last = TN_POLE_SAMPLES - 1;
    if (!p || p->samples < TN_POLE_SAMPLES || time < p->t[last])
        return INFINITY;
    return p->x[last] + rate_of(p) * (time - p->t[last]);
}

bool tn_poles_any(const tn_sim *sim)
{
    return sim->poles && sim->poles->any;
}

double tn_poles_share(const tn_sim *sim, int32_t j, double x)
{
    const tn_poles *p = sim->poles;
    return tn_poles_any(sim) && p->has[j] && x > 0.0 ? size_at(p, j, x) / x : 0.0;
}

bool tn_poles_passed(const tn_sim *sim, double h, double *when)
{
    const tn_poles *p = sim->poles;
    const int last = TN_POLE_SAMPLES - 1;
    double widest = 0.0;
    for (int32_t j = 0; tn_poles_any(sim) && j < sim->model->element_count; j++) {
        if (p->has[j])
            widest = fmax(widest, size_at(p, j, 0.0) / TN_POLE_BEYOND);
    }
    if (!(widest > 0.0))
        return false;
    const double near = fmin(widest, p->x[last]);
    *when = p->t[last] - sim->event_time + (near - p->x[last]) / rate_of(p);
    return *when > 0.0 && *when < h;
}
