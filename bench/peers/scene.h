/* scene.h: a model of hinges as plain numbers, the same for every engine that is compared.
 *
 * A scene is read from one of Tenon's model files. What comes out is engine-neutral: every moving
 * body's frame is put at its centre of mass with axes parallel to the world's at the start (all
 * scenes here have their principal axes there), so a pose at the start is a point, an inertia is
 * three numbers, and a hinge is a point and an axis in the world. Fixed bodies are the ground, -1.
 *
 * Engines with joint coordinates need a tree: hinges come in an order in which `b` is the ground or
 * a body met before, unless they close a loop. SI units and radians.
 */
#ifndef BENCH_PEERS_SCENE_H
#define BENCH_PEERS_SCENE_H

#include "tenon/model.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SCENE_GROUND (-1)
#define SCENE_NAME   32

typedef struct scene_body {
    char name[SCENE_NAME];
    double mass;       /* kg */
    double inertia[3]; /* kg m^2, about the centre of mass, world axes at the start */
    double p[3];       /* m, centre of mass at the start */
    double v[3], w[3]; /* m/s, rad/s at the start, world axes */
    tn_body id;        /* of the Tenon model */
} scene_body;

typedef struct scene_hinge {
    char name[SCENE_NAME];
    int a, b;       /* moving body, its base: indices of bodies, or SCENE_GROUND */
    double p[3];    /* m, a point on the axis at the start */
    double axis[3]; /* unit, at the start */
    double rate;    /* rad/s, of a about the axis relative to b, at the start */
    int closes;     /* 1: both its bodies are already held by hinges before it */
} scene_hinge;

typedef struct scene {
    tn_model *model;   /* for Tenon itself */
    double gravity[3]; /* m/s^2 */
    int body_count, hinge_count;
    scene_body *body;
    scene_hinge *hinge; /* tree first, from the ground outwards, then those that close loops */
    int tip;            /* body whose point is compared with the reference */
    double tip_at[3];   /* m, from its centre, axes as at the start */
} scene;

/* marker, the tip, may be NULL. NULL: it cannot be read, or has bodies or joints that the comparison does not know; the reason
 * goes to standard error. */
scene *scene_read(const char *file, const char *marker);
void scene_free(scene *s);

/* Index of a body by its name; SCENE_GROUND if there is none. */
int scene_find(const scene *s, const char *name);

#ifdef __cplusplus
}
#endif
#endif
