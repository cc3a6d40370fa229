/* trajectories.h: test support: mechanisms whose motion or reactions are known, in files of
 * tests/data/mechanisms, and how far a run is from them.
 */
#ifndef TENON_TESTS_TRAJECTORIES_H
#define TENON_TESTS_TRAJECTORIES_H

#include "csv_table.h"
#include "mechanism.h"

enum { MAX_SEEN = 16 };

typedef struct trajectory {
    const char *name;
    mechanism (*build)(void);
    const char *file;                  /* reference data */
    const char *columns[MAX_SEEN + 1]; /* what observe gives */
    void (*observe)(const mechanism *m, double *seen);
    double step;      /* s, of generalized_alpha; the larger of the two */
    double duration;  /* s */
    double tolerance; /* on the error with the smaller step */
} trajectory;

extern const trajectory trajectories[];
extern const int trajectory_count;

/* The one of that name. */
const trajectory *trajectory_find(const char *name);

/* Largest deviation from the file over its rows within the duration, by steps of h. */
double trajectory_error(const trajectory *t, const csv_table *table, mechanism *m, double h);

#endif
