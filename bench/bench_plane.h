/* bench_plane.h: what bench_plane asks of an engine. */
#ifndef BENCH_PLANE_H
#define BENCH_PLANE_H

#include <stdint.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PLANE_GRAVITY 9.81 /* m/s^2 */

typedef struct plane_chain {
    int32_t links;
    double tip_mass; /* kg, of the last link */
    double step;     /* s */
    int32_t steps;
} plane_chain;

typedef struct plane_result {
    double microseconds; /* CPU time per link and step */
    double separation;   /* m, largest of any joint at the end of any step */
    double energy;       /* change over the run, in units of plane_energy_scale */
    int32_t steps;       /* taken */
} plane_result;

typedef struct plane_engine {
    const char *name;
    plane_result (*run)(const plane_chain *chain);
} plane_engine;

extern const plane_engine plane_box2d, plane_box2d_v3, plane_chipmunk;

static inline double plane_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* J: m g n L / 2 of the whole chain, and what the heavy tip adds. */
static inline double plane_energy_scale(const plane_chain *chain)
{
    const double n = (double)chain->links;
    return PLANE_GRAVITY * (0.5 * n * n + (chain->tip_mass - 1.0) * n);
}

#ifdef __cplusplus
}
#endif
#endif
