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

/* What is seen at the file's times within the duration, from its second row on. */
enum { MAX_ROWS = 400 };
typedef struct sightings {
    double seen[MAX_ROWS][MAX_SEEN];
    int count;
} sightings;

/* Of a mechanism that has just been started, by steps of h. */
void trajectory_watch(const trajectory *t, const csv_table *table, mechanism *m, double h,
                      sightings *out);
/* The same by steps of h on average, in turn longer and shorter by `swing` of it. */
void trajectory_watch_uneven(const trajectory *t, const csv_table *table, mechanism *m, double h,
                             double swing, sightings *out);
/* Largest deviation from the file. */
double trajectory_deviation(const trajectory *t, const csv_table *table, const sightings *s);
/* Both. */
double trajectory_error(const trajectory *t, const csv_table *table, mechanism *m, double h);

#endif
