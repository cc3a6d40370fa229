/* run_progress.c: clocks, and the progress line of `tenon run`. */
#include <math.h>
#include <time.h>

#include "runs/run.h"

#define SECONDS_BETWEEN_DRAWINGS 0.1

static double read_clock(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double run_wall_clock(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double run_cpu_clock(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

run_progress run_progress_begin(bool on)
{
    double now = run_wall_clock();
    return (run_progress){on, now, now};
}

void run_progress_show(run_progress *progress, double time, double duration, double joint_error)
{
    if (!progress->on)
        return;
    double now = run_wall_clock();
    if (now - progress->shown < SECONDS_BETWEEN_DRAWINGS)
        return;
    progress->shown = now;
    double speed = time / (now - progress->started);
    double left = speed > 0.0 ? (duration - time) / speed : INFINITY;
    fprintf(stderr, "\r\033[K%3.0f %%  t = %.3f of %g s  %.3g x real time  joint error %.1e",
            100.0 * time / duration, time, duration, speed, joint_error);
    if (isfinite(left))
        fprintf(stderr, "  %d:%02d left", (int)(left / 60.0), (int)fmod(left, 60.0));
    fflush(stderr);
}

void run_progress_end(run_progress *progress)
{
    if (progress->on)
        fputs("\r\033[K", stderr);
    progress->on = false;
}
