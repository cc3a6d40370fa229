/* implicit_stage.c: room method/stages: stages whose own weight is gamma > 0, one after the other.
 *
 * In: what the stages before give (rkmk.h), the start of the part in sim->mark. Out: the state at
 * the stage (implicit_system.c), by Newton's iteration with the matrix of the stage as it is begun,
 * for what is stiff turns with the bodies; in loops of hard rows with that of the part's first
 * stage. What the matrix lacks is made up for by mixing the iterates (solve/mixing.h).
 *
 * Limits: an iteration that does not get there in TN_STAGE_ITERATIONS, with a matrix of its own
 * stage too, fails, and the part is tried again, shorter.
 */
#include <math.h>
#include <string.h>

#include "method/stages/implicit.h"

#define TN_STAGE_ITERATIONS 16

/* A stage is solved when a correction, the error of the iterate before it, is this share of what a
 * part may err: over a run such errors add up while those of parts, of order 6, are far below what
 * their estimate, of order 5, may be. */
#define TN_STAGE_SHARE 1e-3
/* A rise, a fall and a rise of corrections. */
#define TN_STAGE_TURNS 3

/* The next iterate. */
static void mix(tn_sim *sim)
{
    tn_implicit *w = tn_rkmk_of(sim)->implicit;
    const size_t n = (size_t)sim->model->size.velocities, rows = tn_implicit_rows(sim);
    memcpy(w->iterate, sim->state.udot, sizeof(double) * n);
    memcpy(w->iterate + n, sim->state.lambda, sizeof(double) * rows);
    tn_mixing_next(&w->mixing, w->iterate, w->change);
    memcpy(sim->state.udot, w->iterate, sizeof(double) * n);
    memcpy(sim->state.lambda, w->iterate + n, sizeof(double) * rows);
}

/* One iteration; *off: its correction in units of what a stage may be off. */
static tn_status iterate(tn_sim *sim, double h, double *off, tn_step_report *report)
{
    tn_implicit *w = tn_rkmk_of(sim)->implicit;
    tn_status status = w->factored ? TN_OK : tn_implicit_factor(sim, h, report);
    if (status == TN_OK)
        status = tn_implicit_correct(sim, report);
    if (status != TN_OK)
        return status;
    *off = tn_implicit_off(sim, h, TN_STAGE_SHARE);
    if (!isfinite(*off))
        return TN_ERROR_NOT_FINITE;
    mix(sim);
    report->iterations++;
    return tn_rkmk_of(sim)->closes ? tn_implicit_close(sim, h, report) : TN_OK;
}

/* A correction is the error of the iterate before it; what is left goes on as the last two did
 * (Hairer, Wanner II, IV.8). */
static bool is_solved(double off, double before)
{
    const double share =
        before < INFINITY ? off / before : (double)NAN; /* of the first: not known */
    return off <= 1.0 || (share < 1.0 && off * share <= 1.0 - share) ||
           tn_implicit_is_rounding(off, before);
}

/* Corrections within what a part may err that rise, fall and rise again are round-off, as of springs of light bodies far
 * from the origin, of which a shorter part has more: an iteration that converges slowly falls, one that diverges rises. */
static bool is_stalled(double off, double before, int *turns)
{
    const bool rises = off >= before;
    if (before > 1.0 / TN_STAGE_SHARE)
        return false;
    *turns += (*turns % 2 == 0) == rises;
    return *turns >= TN_STAGE_TURNS && off <= 1.0 / TN_STAGE_SHARE;
}

/* From the accelerations and multipliers in the state. */
static tn_status solve(tn_sim *sim, int i, double h, tn_step_report *report)
{
    tn_implicit *w = tn_rkmk_of(sim)->implicit;
    const size_t bytes = sizeof(double) * (size_t)sim->model->size.velocities;
    memset(w->closing_q, 0, bytes);
    memset(w->closing_u, 0, bytes);
    w->closed = 0.0;
    tn_mixing_begin(&w->mixing);
    double off = INFINITY;
    int turns = 0;
    for (int k = 0; k < TN_STAGE_ITERATIONS; k++) {
        const double closed = w->closed, before = off;
        tn_implicit_place(sim, i, h);
        const tn_status status = iterate(sim, h, &off, report);
        if (status != TN_OK)
            return status;
        const bool done = is_solved(off, before) || is_stalled(off, before, &turns);
        if (done && tn_implicit_is_closed(sim, w->closed, closed)) {
            tn_implicit_place(sim, i, h);
            return TN_OK;
        }
    }
    return TN_ERROR_NOT_CONVERGED;
}

/* Where the iteration starts: the accelerations of the polynomial through those of the stages
 * before, and the multipliers of the last one. */
static void guess(tn_sim *sim, int i)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    const double *at = r->tableau->at;
    memset(sim->state.udot, 0, sizeof(double) * (size_t)sim->model->size.velocities);
    for (int j = 0; j < i; j++) {
        double weight = 1.0;
        for (int k = 0; k < i; k++)
            weight *= k == j ? 1.0 : (at[i] - at[k]) / (at[j] - at[k]);
        for (int32_t k = 0; k < sim->model->size.velocities; k++)
            sim->state.udot[k] += weight * r->udot[j][k];
    }
}

tn_status tn_implicit_stage(tn_sim *sim, int i, double h, tn_step_report *report)
{
    tn_implicit *w = tn_rkmk_of(sim)->implicit;
    w->own = tn_rkmk_of(sim)->tableau->gamma;
    w->factored = w->factored && tn_rkmk_of(sim)->closes;
    const int fresh = !w->factored;
    guess(sim, i);
    const tn_status status = solve(sim, i, h, report);
    if (status != TN_ERROR_NOT_CONVERGED || fresh)
        return status;
    w->factored = 0;
    guess(sim, i);
    return solve(sim, i, h, report);
}
