/* study.h: runs one model many times, with different values of its parameters (library tenon_io).
 *
 * A study file (docs/howto/studies.md) names a model, how its parameters vary, how each case is run and which
 * results are kept. A case takes values of the parameters and returns results. Its results depend on its
 * number alone, so cases may run in any order, in any number of threads, processes and machines, with the
 * same bits. This header does not distribute cases: the program does.
 */
#ifndef TENON_STUDY_H
#define TENON_STUDY_H

#include <stdbool.h>

#include "tenon/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A study that was read. Several threads may run cases of it at the same time. */
typedef struct tn_study tn_study;

/* Reads a study and its model, and checks both: *out is NULL unless TN_OK. The path of the model is relative to
 * the folder of the study. It is read once; files that it includes are read once for all cases. */
TN_API tn_status tn_study_read_file(const char *path, tn_diagnostics *diags, tn_study **out);
/* Frees the study; NULL is accepted. */
TN_API void tn_study_destroy(tn_study *study);

/* A hash that distinguishes studies: of its text, the text of its model, the compiled model and the version of the
 * library. */
TN_API uint64_t tn_study_identity(const tn_study *study);
/* Path of the study's model; owned by the study. */
TN_API const char *tn_study_model_path(const tn_study *study);

/* Number of cases. */
TN_API int64_t tn_study_case_count(const tn_study *study);

/* What varies and what is kept: columns of the study's tables. */
typedef struct tn_study_column {
    const char *name; /* "crank", "tip.x.max" */
    const char *unit; /* of its values in memory: SI and rad; "1": a plain number */
    const char *told; /* unit in files and reports: angles as in the model's file */
    double scale;     /* factor from the first to the second */
} tn_study_column;

/* Number of parameters that vary. */
TN_API int32_t tn_study_parameter_count(const tn_study *study);
/* The column of a parameter, 0 .. count - 1. */
TN_API tn_study_column tn_study_parameter(const tn_study *study, int32_t index);
/* Number of results of a case. */
TN_API int32_t tn_study_result_count(const tn_study *study);
/* The column of a result, 0 .. count - 1. */
TN_API tn_study_column tn_study_result(const tn_study *study, int32_t index);

/* The values of the parameters in a case, out[parameters]. */
TN_API void tn_study_values(const tn_study *study, int64_t index, double *out);

/* Longest message of a case, with its zero. */
#define TN_STUDY_MESSAGE 192

/* Runs a case: results[results]. If it fails they are NaN and message gives the reason, else message is "". Any
 * number of threads may run cases of one study at the same time. */
TN_API tn_status tn_study_run_case(const tn_study *study, int64_t index, double *results,
                                   char message[TN_STUDY_MESSAGE]);

/* Of a case that was not run, or whose process ended while it ran. */
#define TN_STUDY_NOT_RUN (-1)
#define TN_STUDY_CRASHED (-2)

/* The results of all cases, in their order. */
typedef struct tn_study_table {
    const tn_study *study;
    const double *results;      /* [cases][results] */
    const int32_t *status;      /* [cases] tn_status, or one of these two */
    const char *const *message; /* [cases]; "" or NULL: none */
} tn_study_table;

/* Writes the table as HDF5: /parameters [cases][parameters], /results [cases][results], /status
 * [cases], the first two with the attributes names and units; /failures/case and /failures/message of
 * those that failed; attributes study, model and version of the file. The same table gives the same
 * bytes. */
TN_API tn_status tn_study_write(const tn_study_table *table, const char *path,
                                tn_diagnostics *diags);

/* One result over all cases that have it. Quantiles are linear between the values. */
typedef struct tn_study_summary {
    int64_t count;
    double mean, deviation;             /* of a sample: count - 1 */
    double min, low, median, high, max; /* low, high: 5 and 95 of a hundred are below */
} tn_study_summary;

/* The summary of a result, 0 .. count - 1. TN_ERROR_MEMORY. */
TN_API tn_status tn_study_summarize(const tn_study_table *table, int32_t result,
                                    tn_study_summary *out);

/* Dependence of a result on a parameter, -1 .. 1: the correlation of the values (Pearson) and of their
 * ranks (Spearman). NaN: one of them does not vary. */
typedef struct tn_study_sensitivity {
    double linear, rank;
} tn_study_sensitivity;

/* The correlations of a result with a parameter, each 0 .. count - 1. TN_ERROR_MEMORY. */
TN_API tn_status tn_study_sensitivity_of(const tn_study_table *table, int32_t result,
                                         int32_t parameter, tn_study_sensitivity *out);

/* Sobol's indices of a result and a parameter: the share of the result's variance caused by this parameter
 * alone (first), and together with all others (total); each with its standard error. For studies with
 * `indices: true`, which take their samples once for each random parameter and twice more (Saltelli
 * et al., Computer Physics Communications 181, 2010). All NaN: the result does not vary.
 * TN_ERROR_ARGUMENT: the study has no indices, or there is no such result or parameter. */
typedef struct tn_study_indices {
    double first, total;
    double first_error, total_error;
} tn_study_indices;

/* true: the study has `indices: true`. */
TN_API bool tn_study_has_indices(const tn_study *study);
/* The indices of a result and a parameter: see tn_study_indices. */
TN_API tn_status tn_study_indices_of(const tn_study_table *table, int32_t result, int32_t parameter,
                                     tn_study_indices *out);

#ifdef __cplusplus
}
#endif
#endif
