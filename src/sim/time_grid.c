/* time_grid.c: room sim: the times of a run: its steps, and which of them are recorded.
 *
 * Whole numbers of steps are counted, not times added up, so that nothing drifts over a long run.
 */
#include <math.h>

#include "base/base.h"
#include "tenon/limits.h"
#include "tenon/sim.h"

/* Of a step: a rest of the duration shorter than this is no step, and a record this early is in
 * time. What rounding leaves of decimal times is far below. */
#define TN_GRID_TOLERANCE 1e-6
/* Of a step: the time may be this far from its grid before the next step's length makes up for it:
 * equal steps keep the memory of integrators. */
#define TN_TIME_TOLERANCE 1e-9

/* Records of a run without a given number: curves look smooth, and files stay small. */
#define TN_USUAL_FRAMES 1000

double tn_usual_step(const tn_model *model, double duration)
{
    TN_DEMAND(model, NAN);
    const tn_simulation_def *def = tn_model_simulation(model);
    const bool follows = def->accuracy > 0.0 && def->step == def->duration / TN_USUAL_LOOKS;
    return follows ? fmax(def->step, duration / TN_USUAL_LOOKS) : def->step;
}

double tn_usual_every(double step, double duration)
{
    const double stride = floor(duration / step / TN_USUAL_FRAMES);
    return stride > 1.0 ? stride * step : (double)NAN;
}

tn_time_grid tn_time_grid_of(double step, double duration, double every)
{
    const double whole = ceil(duration / step - TN_GRID_TOLERANCE);
    if (!(step > 0.0 && isfinite(step) && duration > 0.0 && isfinite(duration) &&
          whole <= TN_MOST_STEPS_OF_RUN))
        return (tn_time_grid){NAN, NAN, NAN, 0};
    return (tn_time_grid){step, duration, every, whole < 1.0 ? 1 : (int64_t)whole};
}

double tn_time_grid_step(const tn_time_grid *grid, int64_t k, double time)
{
    TN_DEMAND(grid && TN_IN(k, grid->steps), NAN);
    const double end = k + 1 == grid->steps ? grid->duration : (double)(k + 1) * grid->step;
    const double wanted = end - time;
    return fabs(wanted - grid->step) <= TN_TIME_TOLERANCE * grid->step ? grid->step : wanted;
}

double tn_time_grid_record_time(const tn_time_grid *grid, int64_t k)
{
    TN_DEMAND(grid && k >= 0, NAN);
    if (k >= grid->steps)
        return grid->duration;
    const double end = (double)k * grid->step;
    if (!(grid->every > grid->step))
        return end;
    const double asked = floor(end / grid->every + TN_GRID_TOLERANCE) * grid->every;
    return end - asked <= TN_GRID_TOLERANCE * grid->step ? end : asked;
}

double tn_time_grid_within(const tn_time_grid *grid, int64_t k, double time)
{
    TN_DEMAND(grid && k >= 1 && k <= grid->steps, 0.0);
    const double asked = tn_time_grid_record_time(grid, k);
    const double early = time + tn_time_grid_step(grid, k - 1, time) - asked;
    return asked > time && early > TN_GRID_TOLERANCE * grid->step ? asked - time : 0.0;
}

int64_t tn_time_grid_next_record(const tn_time_grid *grid, int64_t k)
{
    TN_DEMAND(grid && k >= 0, 0);
    if (k >= grid->steps)
        return grid->steps;
    int64_t next = k + 1;
    if (grid->every > grid->step) {
        const double period = grid->every / grid->step; /* steps */
        const double index = floor((double)k / period + TN_GRID_TOLERANCE) + 1.0;
        const double end = ceil(index * period - TN_GRID_TOLERANCE);
        const int64_t step = (int64_t)fmin(end, (double)grid->steps);
        next = step > k ? step : k + 1;
    }
    return next < grid->steps ? next : grid->steps;
}
