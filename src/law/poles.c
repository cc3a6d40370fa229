/* poles.c: room law: see poles.h. */
#include "law/poles.h"

#include <math.h>
#include <string.h>

#include "base/base.h"

/* Loads are known to 1e-4 at worst where they are told (motion/closing/fold_ahead.h), and ten times worse at
 * the change point, where the polynomial is extrapolated to: what is this share of the square at the nearest sample is
 * there, a tenth of the load. */
#define TN_POLE_SURE 1e-2

/* A pole of so many thresholds is beyond one whatever else the joint carries, less than one. */
#define TN_POLE_BEYOND 4.0

struct tn_poles {
    int samples;
    double t[TN_POLE_SAMPLES], x[TN_POLE_SAMPLES]; /* s, of the simulation; rad or lengths */
    double *square; /* [element_count][TN_POLE_SAMPLES] of x times the share; then divided differences */
    bool *has; /* [element_count] a pole */
    bool any;
};

tn_status tn_poles_create(tn_sim *sim)
{
    if (sim->model->loop_joints == 0)
        return TN_OK;
    tn_poles *p = sim->poles = TN_NEW(tn_poles);
    if (!p)
        return TN_ERROR_MEMORY;
    p->square = TN_NEW_ARRAY(double, (int64_t)sim->model->element_count * TN_POLE_SAMPLES);
    p->has = TN_NEW_ARRAY(bool, sim->model->element_count);
    return p->square && p->has ? TN_OK : TN_ERROR_MEMORY;
}

void tn_poles_destroy(tn_sim *sim)
{
    if (!sim->poles)
        return;
    tn_free(sim->poles->square);
    tn_free(sim->poles->has);
    tn_free(sim->poles);
}

void tn_poles_clear(tn_sim *sim)
{
    sim->poles->samples = 0;
    sim->poles->any = false;
}

void tn_poles_note(tn_sim *sim, double t, double x, tn_share_of *share)
{
    tn_poles *p = sim->poles;
    const int k = p->samples;
    if (k == TN_POLE_SAMPLES)
        return;
    p->t[k] = sim->event_time + t;
    p->x[k] = x;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const double flat = x * share(sim, j);
        p->square[j * TN_POLE_SAMPLES + k] = flat * flat;
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

/* At the change point: the square of what the pole is times x. */
static double residue_square(const tn_poles *p, int32_t j)
{
    return polynomial(p->x, p->square + j * TN_POLE_SAMPLES, 0.0);
}

void tn_poles_find(tn_sim *sim)
{
    tn_poles *p = sim->poles;
    for (int32_t j = 0; j < sim->model->element_count && p->samples == TN_POLE_SAMPLES; j++) {
        double *square = p->square + j * TN_POLE_SAMPLES;
        const double nearest = square[TN_POLE_SAMPLES - 1];
        divide_differences(p->x, square);
        p->has[j] = nearest > 0.0 && residue_square(p, j) > TN_POLE_SURE * nearest;
        p->any |= p->has[j];
    }
}

bool tn_poles_any(const tn_sim *sim)
{
    return sim->poles && sim->poles->any;
}

double tn_poles_share(const tn_sim *sim, int32_t j, double x)
{
    const tn_poles *p = sim->poles;
    if (!tn_poles_any(sim) || !p->has[j] || !(x > 0.0))
        return 0.0;
    return sqrt(fmax(0.0, polynomial(p->x, p->square + j * TN_POLE_SAMPLES, x))) / x;
}

bool tn_poles_passed(const tn_sim *sim, double h, double *when)
{
    const tn_poles *p = sim->poles;
    const int last = TN_POLE_SAMPLES - 1;
    double widest = 0.0;
    for (int32_t j = 0; tn_poles_any(sim) && j < sim->model->element_count; j++) {
        if (p->has[j])
            widest = fmax(widest, sqrt(residue_square(p, j)) / TN_POLE_BEYOND);
    }
    if (!(widest > 0.0))
        return false;
    const double near = fmin(widest, p->x[last]);
    const double rate = (p->x[last] - p->x[last - 1]) / (p->t[last] - p->t[last - 1]);
    *when = p->t[last] - sim->event_time + (near - p->x[last]) / rate;
    return *when > 0.0 && *when < h;
}
