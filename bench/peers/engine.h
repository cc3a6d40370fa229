/* engine.h: what a program of bench/peers says about its engine; bench.c does the rest. */
#ifndef BENCH_PEERS_ENGINE_H
#define BENCH_PEERS_ENGINE_H

#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A body's present state: frame and axes as in scene.h. */
typedef struct engine_motion {
    double p[3];    /* m */
    double r[3][3]; /* body axes as columns; the identity at the start */
    double v[3];    /* m/s, of the centre of mass */
    double w[3];    /* rad/s, world axes */
} engine_motion;

typedef struct engine_setting {
    const char *name;
    const char *what; /* for people: method and parameters */
} engine_setting;

typedef struct engine {
    const char *name;
    const char *version;
    const engine_setting *settings; /* ends with a NULL name */
    /* The scene at its start; NULL: it cannot be built. */
    void *(*create)(const scene *s, const char *setting, double h);
    /* One step of h seconds; NULL, or a few words about what went wrong. */
    const char *(*step)(void *peer, double h);
    /* Called once before the bodies are asked; may be NULL. */
    void (*refresh)(void *peer);
    void (*body)(void *peer, int k, engine_motion *out);
    void (*destroy)(void *peer);
} engine;

/* The main program of every engine: NAME SCENE SETTING STEP prints one line, NAME alone says what
 * there is. */
int engine_main(int argc, char **argv, const engine *e);

/* For engines with quaternions: w first. */
void engine_rotation(double r[3][3], double w, double x, double y, double z);

/* For engines whose loops are closed by point pairs: the points on a hinge's axis, m in the world
 * at the start, HALF_SPAN on either side. */
#define ENGINE_HALF_SPAN 0.25 /* m: like a hinge of a quarter of the bars' length */
void engine_axis_point(const scene_hinge *hinge, int side, double out[3]);

#ifdef __cplusplus
}
#endif
#endif
