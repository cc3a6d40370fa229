/* run.c: many steps at once, so that a run costs Python nothing: the loop of `tenon run`. */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "run.h"

static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
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

/* The state is what is to be recorded at the end of step `record_at`. */
static void record(tn_recorder *recorder, double *rows, int64_t columns, const tn_time_grid *grid,
                   tenon_run *run)
{
    tn_recorder_read(recorder, rows + run->frames * columns);
    run->frames++;
    run->record_at = tn_time_grid_next_record(grid, run->record_at);
}

/* What is asked for within the next step: a shorter step there, which is taken back. */
static tn_status record_within(tn_sim *sim, const tn_time_grid *grid, tn_recorder *recorder,
                               double *rows, int64_t columns, tenon_run *run)
{
    const double within = run->steps + 1 == run->record_at
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
    if (tn_sim_step(sim, within, NULL) == TN_OK) {
        record(recorder, rows, columns, grid, run);
    }
    const tn_status status = tn_sim_restore(sim, block);
    free(block);
    return status;
}

tn_status tenon_run_steps(tn_sim *sim, const tn_time_grid *grid, tn_recorder *recorder, double *rows,
                          int64_t columns, double seconds, tenon_run *run)
{
    const double end = clock_seconds() + seconds;
    if (run->steps == 0 && run->frames == 0) {
        const tn_status status = record_start(sim, grid, recorder, rows, run);
        if (status != TN_OK) {
            return status;
        }
    }
    while (run->steps < grid->steps && clock_seconds() < end) {
        const double h = tn_time_grid_step(grid, run->steps, tn_sim_time(sim) - run->start);
        tn_status status = record_within(sim, grid, recorder, rows, columns, run);
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
            record(recorder, rows, columns, grid, run);
        }
    }
    return TN_OK;
}
