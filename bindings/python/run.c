/* run.c: many steps at once, so that a run costs Python nothing: the loop of `tenon run`. */
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "run.h"

static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* s between two questions of a long call to Python. */
#define PATIENCE 0.1
/* Sub-steps between two looks at the clock, which may cost as much as a sub-step of few bodies; long sub-steps
 * look each time. */
#define SUBSTEPS 16

/* What stops the calls of a thread. The workers of its batches look at `stopped` alone. */
typedef struct listener {
    atomic_int stopped;
    bool asks;            /* the main thread: it has the handlers of signals */
    int32_t left;         /* sub-steps until the clock is read */
    double looked, asked; /* s of the clock: when it was read, and when Python was asked */
} listener;

static _Thread_local listener own;

static int tenon_interrupted(void);

static int stops(void *context)
{
    listener *of = context;
    if (of != &own || !own.asks || atomic_load(&of->stopped))
        return atomic_load(&of->stopped);
    if (own.left > 0) {
        own.left--;
        return 0;
    }
    const double now = clock_seconds();
    own.left = now - own.looked < PATIENCE / SUBSTEPS ? SUBSTEPS - 1 : 0;
    own.looked = now;
    if (now - own.asked < PATIENCE)
        return 0;
    own.asked = now;
    if (tenon_interrupted())
        atomic_store(&own.stopped, 1);
    return atomic_load(&own.stopped);
}

void tenon_listen(int asks)
{
    own.asks = asks;
    tn_set_stop(stops, &own);
}

void tenon_stop(void)
{
    atomic_store(&own.stopped, 1);
}

void tenon_go_on(void)
{
    atomic_store(&own.stopped, 0);
}

static int is_set(void *flag)
{
    return *(volatile int *)flag;
}

void tenon_stop_by(int *flag)
{
    tn_set_stop(flag ? is_set : NULL, flag);
}

static void add_step(tenon_run *run)
{
    const tn_step_report *r = &run->last;
    run->iterations += r->iterations;
    run->factorizations += r->factorizations;
    run->solves += r->solves;
    run->fallbacks += r->fallbacks;
    run->halvings += r->halvings;
    run->parts += r->parts;
    run->rejections += r->rejections;
    if (r->status != TN_OK) {
        return; /* its errors are those of no state */
    }
    run->events += r->events;
    run->folds += r->folds;
    run->position_error = fmax(run->position_error, r->position_error);
    run->angle_error = fmax(run->angle_error, r->angle_error);
    run->gap = fmax(run->gap, r->gap);
    run->gap_angle = fmax(run->gap_angle, r->gap_angle);
}

/* The first frame, with the forces that the first step starts from; the simulation stays as it is. */
static tn_status record_start(tn_sim *sim, const tn_time_grid *grid, tn_recorder *recorder,
                              double *rows, tenon_run *run)
{
    void *block = malloc(tn_sim_state_size(sim));
    if (!block) {
        return TN_ERROR_MEMORY;
    }
    tn_sim_save(sim, block);
    tn_sim_start(sim, tn_time_grid_step(grid, 0, 0.0), NULL);
    tn_recorder_read(recorder, rows);
    run->frames = 1;
    run->record_at = tn_time_grid_next_record(grid, 0);
    const tn_status status = tn_sim_restore(sim, block);
    free(block);
    return status;
}

/* Where frames go. */
typedef struct table {
    tn_recorder *recorder;
    double *rows; /* [capacity][columns] */
    int64_t capacity, columns;
} table;

/* The state is what is to be recorded at the end of step `record_at`. */
static tn_status record(const table *to, const tn_time_grid *grid, tenon_run *run)
{
    if (run->frames >= to->capacity)
        return TN_ERROR_ARGUMENT;
    tn_recorder_read(to->recorder, to->rows + run->frames * to->columns);
    run->frames++;
    run->record_at = tn_time_grid_next_record(grid, run->record_at);
    return TN_OK;
}

/* What is asked for within the next step: a shorter step there, which is taken back. */
static tn_status record_within(tn_sim *sim, const tn_time_grid *grid, const table *to,
                               tenon_run *run)
{
    const double within =
        run->steps + 1 == run->record_at
            ? tn_time_grid_within(grid, run->record_at, tn_sim_time(sim) - run->start)
            : 0.0;
    if (within == 0.0) {
        return TN_OK;
    }
    void *block = malloc(tn_sim_state_size(sim));
    if (!block) {
        return TN_ERROR_MEMORY;
    }
    tn_sim_save(sim, block);
    tn_status recorded = TN_OK;
    if (tn_sim_step(sim, within, NULL) == TN_OK) {
        recorded = record(to, grid, run);
    }
    const tn_status status = tn_sim_restore(sim, block);
    free(block);
    return status == TN_OK ? recorded : status;
}

tn_status tenon_run_steps(tn_sim *sim, const tn_time_grid *grid, tn_recorder *recorder,
                          double *rows, int64_t capacity, int64_t columns, double seconds,
                          tenon_run *run)
{
    const double end = clock_seconds() + seconds;
    const table to = {recorder, rows, capacity, columns};
    if (capacity < 1) {
        return TN_ERROR_ARGUMENT;
    }
    if (run->steps == 0 && run->frames == 0) {
        const tn_status status = record_start(sim, grid, recorder, rows, run);
        if (status != TN_OK) {
            return status;
        }
    }
    /* no clock is read for steps that cost less than reading it; without time one step is done */
    const int64_t first = run->steps;
    double looked = end - seconds;
    for (int32_t left = 0; run->steps < grid->steps; left--) {
        if (left <= 0) {
            const double now = clock_seconds();
            if (now >= end && run->steps > first)
                break;
            left = seconds > 0.0 && now - looked < PATIENCE / SUBSTEPS ? SUBSTEPS : 1;
            looked = now;
        }
        const double h = tn_time_grid_step(grid, run->steps, tn_sim_time(sim) - run->start);
        tn_status status = record_within(sim, grid, &to, run);
        if (status != TN_OK) {
            return status;
        }
        status = tn_sim_take_step(sim, h, &run->last);
        add_step(run);
        if (status != TN_OK) {
            return status;
        }
        run->steps++;
        if (run->steps == run->record_at) {
            status = record(&to, grid, run);
            if (status != TN_OK) {
                return status;
            }
        }
    }
    return TN_OK;
}
