/* friction_fit.c: room motion: see friction_fit.h. */
#include "motion/friction_fit.h"

#include <math.h>

#include "assemble/elements.h"
#include "base/base.h"
#include "solve/mixing.h"

/* m/s^2, rad/s^2: a reaction that accelerates the bodies of its joint by less than this counts as zero. */
#define TN_NO_REACTION 1e-9

tn_status tn_friction_fit_create(tn_sim *sim)
{
    tn_friction_fit *fit = sim->friction_fit = TN_NEW(tn_friction_fit);
    if (!fit)
        return TN_ERROR_MEMORY;
    fit->before = TN_ARENA_ARRAY(&sim->seldom, double, sim->sys.layout->y_size);
    fit->wrong = TN_ARENA_ARRAY(&sim->seldom, double, sim->sys.layout->y_size);
    return fit->before && fit->wrong ? TN_OK : TN_ERROR_MEMORY;
}

void tn_friction_fit_destroy(tn_sim *sim)
{
    tn_free(sim->friction_fit);
}

void tn_friction_fit_begin(tn_sim *sim)
{
    tn_friction_fit *fit = sim->friction_fit;
    tn_assemble_gather_lambda(&sim->sys, &sim->state, fit->before);
    fit->passes = 0;
}

/* Has joint j friction whose bounds depend on its reactions? */
static bool depends_on_reactions(const tn_state *s, int32_t j)
{
    bool any = false;
    for (int32_t k = s->switches[j].drive; k != TN_NO_DRIVE; k = s->drives[k].next)
        any |= s->drives[k].set.static_share > 0.0;
    return any;
}

double tn_friction_fit_off(tn_sim *sim)
{
    tn_friction_fit *fit = sim->friction_fit;
    double most = 0.0, largest = 0.0, turned = 0.0, changed = 0.0, named = 0.0;
    fit->worst = -1;
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        const int64_t first = sim->sys.layout->y_offset[j];
        for (int32_t n = 0; n < s->active_count; n++) {
            const int8_t row = s->active[n];
            const double now = sim->state.lambda[j * TN_MAX_ROWS + row];
            const double before = fit->before[first + n], last = fit->wrong[first + n];
            const double wrong = now - before;
            largest = fmax(largest, fmax(fabs(now), fabs(before)));
            const double scale = sim->model->joints[j].row_scale[row];
            if (fabs(wrong) * scale > TN_NO_REACTION)
                most = fmax(most, fabs(wrong));
            if (fabs(wrong) > named && depends_on_reactions(&sim->state, j)) {
                named = fabs(wrong);
                fit->worst = j;
            }
            turned += last * (wrong - last);
            changed += (wrong - last) * (wrong - last);
            fit->wrong[first + n] = wrong;
        }
    }
    const double way = fit->passes++ > 0 ? tn_aitken(fit->way, turned, changed) : 1.0;
    fit->way = way > 0.0 ? way : 1.0;
    return largest > 0.0 ? most / largest : 0.0;
}

void tn_friction_fit_next(tn_sim *sim, double share)
{
    tn_friction_fit *fit = sim->friction_fit;
    if (share > 0.0)
        fit->way = share;
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        const int64_t first = sim->sys.layout->y_offset[j];
        for (int32_t n = 0; n < s->active_count; n++) {
            fit->before[first + n] += fit->way * fit->wrong[first + n];
            sim->state.lambda[j * TN_MAX_ROWS + s->active[n]] = fit->before[first + n];
        }
    }
}
