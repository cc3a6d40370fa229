/* precision.h: bench/accuracy: an engine that goes to times with an accuracy. */
#ifndef BENCH_ACCURACY_PRECISION_H
#define BENCH_ACCURACY_PRECISION_H

#include "cases.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct engine {
    const char *name;
    void *(*create)(const accuracy_case *c, const mechanism *m, double accuracy);
    int (*go)(void *run, double time); /* 0: it could not */
    void (*see)(void *run, double *seen);
    void (*destroy)(void *run);
} engine;

extern const engine engine_tenon, engine_simbody;

#ifdef __cplusplus
}
#endif
#endif
