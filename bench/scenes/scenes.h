/* scenes.h: the mechanisms whose steps are measured (bench_speed.c). */
#ifndef BENCH_SPEED_SCENES_H
#define BENCH_SPEED_SCENES_H

#include <stdint.h>

#include "tenon/tenon.h"

typedef struct speed_scene {
    const char *name;
    const char *what;
    tn_spec *(*make)(int32_t n); /* NULL: not to be had */
    double step;                 /* s */
    double start;                /* s of simulated time before the measured steps */
} speed_scene;

/* NULL: there is none of this name. */
const speed_scene *speed_scene_find(const char *name);
/* The k-th; NULL: there are no more. */
const speed_scene *speed_scene_at(int k);

/* The place of a marker at a time, from many engines at very small steps, as far as there
 * is one. */
typedef struct speed_truth {
    const char *scene;
    int32_t n;
    double time;        /* s */
    const char *marker; /* NULL: the first */
    double at[3];       /* m */
} speed_truth;

const speed_truth *speed_truth_of(const char *scene, int32_t n);

#endif
