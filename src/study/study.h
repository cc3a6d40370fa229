/* study.h: room study: what a study is made of, once read.
 *
 * read.c fills it from a file, design.c says which values a case has, keep.c what is read of a
 * simulation, case.c runs one.
 *
 * In: a study file, and a model with parameters. Out: the values of each case, what a case gives,
 * the table of all.
 */
#ifndef TN_STUDY_STUDY_H
#define TN_STUDY_STUDY_H

#include <stdbool.h>

#include "base/arena.h"
#include "quantity/quantity.h"
#include "tenon/measure.h"
#include "tenon/sim.h"
#include "tenon/study.h"

/* How a parameter varies. */
typedef enum tn_way {
    TN_WAY_LIST,  /* each of its values with each of the others' */
    TN_WAY_RANGE, /* likewise, values at equal distances */
    TN_WAY_UNIFORM,
    TN_WAY_NORMAL,
    TN_WAY_TABLE /* values by their weights */
} tn_way;

typedef struct tn_varied {
    const char *name;
    tn_way way;
    double *values;  /* [count] of a list or table, SI */
    double *weights; /* [count] of a table, adding up: the last is 1 */
    int32_t count;   /* of a range too */
    double from, to; /* of a range, uniform, and of a normal that is cut (else infinite) */
    double mean, deviation;
    tn_dimension dimension;
    char unit[TN_DIMENSION_TEXT];
    int32_t axis; /* of random numbers; -1: a list or range */
} tn_varied;

typedef enum tn_sampling {
    TN_SAMPLING_RANDOM,
    TN_SAMPLING_LATIN_HYPERCUBE,
    TN_SAMPLING_SOBOL
} tn_sampling;

/* What is done with each case. */
typedef enum tn_task { TN_TASK_SIMULATION, TN_TASK_SWEEP, TN_TASK_CHECK } tn_task;

typedef struct tn_study_simulation {
    double duration, step; /* s; NaN: the model's */
} tn_study_simulation;

typedef struct tn_study_sweep {
    const char *coordinate, *output, *through; /* output, through: NULL, or of the transmission */
    double from, to;
    int32_t count;
} tn_study_sweep;

/* A value over time (of a simulation), over the coordinate (of a sweep), or once (of a check). */
typedef enum tn_series_source {
    TN_SOURCE_MEASURE,
    TN_SOURCE_COORDINATE,
    TN_SOURCE_TRANSMISSION,
    TN_SOURCE_CHECK
} tn_series_source;

typedef struct tn_series {
    tn_series_source source;
    tn_measure_id measure;
    int32_t field; /* of a measure; 0, 1 of the transmission; index into what a check counts */
    tn_joint joint;
    int32_t coordinate;
} tn_series;

/* One result: a statistic of a series. */
typedef struct tn_kept {
    const char *name;   /* "tip.x.max" */
    size_t source_name; /* bytes of "tip.x" */
    int32_t statistic;
    const char *unit;
} tn_kept;

struct tn_study {
    tn_arena arena; /* of all texts and lists */
    const char *path, *model_path;
    char *model_text;
    size_t model_length;
    uint64_t identity;
    tn_varied *varied; /* [varied_count] */
    int32_t varied_count, axes;
    uint64_t seed;
    int32_t samples;
    tn_sampling sampling;
    bool indices; /* with the cases that Sobol's indices need */
    double limit; /* s that a case may take; infinite: none */
    int64_t case_count;
    tn_task task;
    tn_study_simulation simulation;
    tn_study_sweep sweep;
    tn_kept *kept; /* [kept_count] */
    int32_t kept_count;
    bool degrees; /* angles are in degrees, as the model's file counts them */
};

/* design.c */
/* A number in (0, 1) of an axis in a sample. */
double tn_study_draw(const tn_study *study, int32_t axis, int32_t sample);
/* Which of the axes there are at most, with this sampling. */
int32_t tn_study_most_axes(tn_sampling sampling);
/* indices.c: how many sets of samples there are: 1, or with indices 2 independent ones, and for each axis
 * the first of them with this axis of the second. */
int32_t tn_study_sets(const tn_study *study);
/* sobol.c: the first 32 bits behind the point, of point `index` along an axis, without a shift. */
#define TN_SOBOL_AXES 50
uint32_t tn_sobol(int32_t axis, uint32_t index);
/* distribution.c: the value below which a share u of the parameter's values are. */
double tn_varied_quantile(const tn_varied *varied, double u);

/* keep.c */
/* Words for what is kept; NULL after the last one. */
const char *tn_kept_statistic(int32_t index);
/* The source by its name (length bytes) in a model. False: there is none of this name, or the task
 * does not have it, which *why then says. */
bool tn_series_find(const tn_study *study, const tn_model *model, const char *name, size_t length,
                    tn_series *out, const char **why);
const char *tn_series_unit(const tn_model *model, const tn_series *series);
/* Offers all names to keep, one after the other; NULL after the last one. In buffer. */
const char *tn_series_name(const tn_study *study, const tn_model *model, int32_t index,
                           char *buffer, size_t size);
/* JOINT.COORDINATE, or JOINT of a joint with one coordinate. */
bool tn_study_coordinate(const tn_model *model, const char *name, size_t length, tn_joint *joint,
                         int32_t *coordinate);
/* The words of a check's results. */
enum {
    TN_CHECK_DOF,
    TN_CHECK_ROWS,
    TN_CHECK_RANK,
    TN_CHECK_REDUNDANT,
    TN_CHECK_POSITION_ERROR,
    TN_CHECK_ANGLE_ERROR,
    TN_CHECK_COUNT
};

/* case.c: the model with these values of its parameters, or (NULL) its own. What was made is to be
 * destroyed also when it fails. */
tn_status tn_study_model(const tn_study *study, const double *values, tn_diagnostics *diags,
                         tn_spec **spec, tn_model **model);

#endif
