/* run.h: the parts of `tenon run`: what to do, the loop over the steps, what came of it.
 *
 * Room tool/runs, in: a model and options. Out: a motion in files, its events and measures, and a
 * report that says whether to believe it.
 */
#ifndef TN_TOOL_RUN_H
#define TN_TOOL_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "json.h"
#include "load.h"
#include "report/moved.h"
#include "runs/run_events.h"
#include "runs/run_stop.h"
#include "tenon/record.h"
#include "tenon/results.h"

#define RUN_MESSAGE_SIZE 512

typedef struct run_plan {
    tn_time_grid grid;
    bool progress; /* show it on stderr */
    run_stop stop; /* when to end before the duration is over */
    tn_record_def record;
    bool tells; /* a summary or a report says what the mechanism is */
} run_plan;

/* Statistics of every value of the model's measures, in their order. */
typedef struct run_measures {
    tn_statistics *values; /* [count] */
    int32_t count;
    double *
        missing; /* s, [measures]: the first time at which the formula of a measure had no value; NaN: it had one */
} run_measures;

/* run_measures.c. False: out of memory. */
bool run_measures_begin(run_measures *measures, const tool_loaded *loaded);
void run_measures_step(run_measures *measures, const tool_loaded *loaded);
void run_measures_free(run_measures *measures);
void run_measures_print(const run_measures *measures, const tool_loaded *loaded);
/* Names the formulas that had no value for a while. */
void run_measures_warn(const run_measures *measures, const tool_loaded *loaded);
void run_measures_write(tool_json *json, const run_measures *measures, const tool_loaded *loaded);

/* The worst of all steps, and what is allowed; NaN: it does not apply. */
typedef struct run_figure {
    double worst, allowed;
} run_figure;

typedef struct run_audit {
    bool on, passed;
    bool balanced; /* the integrator has accelerations to ask Newton and Euler about */
    int64_t steps;
    run_figure force, moment;   /* tn_balance, relative */
    run_figure position, angle; /* m, rad: residuals of hard rows */
    run_figure open, energy;    /* see tn_accuracy */
} run_audit;

/* The largest difference to a finer run of a coordinate, rad or m, or of a body's place, m; of which
 * joint or body; -1: no coordinate. */
typedef struct run_difference {
    double by, time;
    int32_t of, coordinate;
} run_difference;

typedef struct run_finer run_finer;
typedef struct run_estimate {
    bool on, controlled; /* controlled: finer in accuracy, else in steps */
    run_finer *finer;
    run_difference angle, length, body;
    double failed; /* s: when the finer run could not go on; 0: it did not fail */
} run_estimate;

/* Parts of steps of one kind: tn_part_history of the whole run. */
typedef struct run_history {
    int64_t taken, off, unsolved, unbalanced;
    double shortest, longest; /* s, of those taken */
} run_history;

/* Everything in the report and the summary. */
typedef struct run_result {
    bool refused;       /* the requested files: none is written, the report neither */
    const char *status; /* tool_status_word, or "interrupted" */
    int exit_code;
    tool_moved moved; /* at the start */
    bool is_moved;    /* so far that it is reported */
    bool started;     /* the model could be loaded: the numbers below mean something */
    int64_t steps;
    double sim_time;      /* s */
    double wall_s, cpu_s; /* s, the loop with recording and closing the files */
    double step_cpu_s;    /* s, inside tn_sim_step only */
    double step_us_per_joint;
    int64_t bodies, joints, dof, rows, compliant, rank, redundant;
    double max_position_error, max_angle_error; /* m, rad; of hard rows, over all steps */
    double max_gap, max_gap_angle; /* m, rad; what loops stay open by that no pose closes */
    double energy_initial, energy_final, energy_max_drift; /* J */
    double energy_work, energy_lost;                       /* J, see tn_energy */
    int64_t factorizations, solves, fallbacks, halvings;
    int64_t parts, implicit_parts, rejections; /* of steps */
    run_history history[TN_PARTS_KIND_COUNT];
    double shortest_part, longest_part; /* s, of these */
    int64_t folds;                      /* steps that ended near one */
    double fold_distance;               /* of the nearest; see tn_step_report */
    double fold_time;                   /* s, likewise; 0 without singular configurations */
    int64_t sweeps;                     /* of sequential impulses */
    double sweep_residual;              /* m/s, rad/s: the worst they left in any step */
    tn_accuracy accuracy;
    run_audit audit;
    run_estimate estimate;
    run_events events;
    run_measures measures;
    bool stopped;                   /* by --stop-when */
    const char *fold_joint;         /* of the nearest singular configuration, or NULL */
    const char *culprit;            /* name of the joint or body a failure is about, or NULL */
    char message[RUN_MESSAGE_SIZE]; /* "" when all went well */
} run_result;

/* Steps a simulation for a while, in the model's steps; complains and answers an exit code. */
int run_advance(tool_loaded *loaded, double duration);

/* Steps through the plan, writing frames to recorder (may be NULL). Fills *result. */
void run_loop(tool_loaded *loaded, const run_plan *plan, tn_recorder *recorder, run_result *result);

/* run_failure.c: status, exit code, culprit and message of a step that could not be taken. */
void run_step_failed(const tool_loaded *loaded, const run_plan *plan, const tn_step_report *report,
                     run_result *result);

/* Reactions to round-off, for the audit: a relative residual. */
#define RUN_AUDIT_FORCE 1e-10
/* Newton iterations: linkages at their change points need more to get there. */
#define RUN_AUDIT_ITERATIONS 30

/* run_audit.c: before the first step, after each, and the verdict: exit code 2 in *result if a
 * tolerance was exceeded. */
void run_audit_begin(const tool_loaded *loaded, run_audit *audit);
void run_audit_step(const tool_loaded *loaded, run_audit *audit);
void run_audit_end(run_result *result);
void run_audit_print(const run_audit *audit);

void run_audit_write(tool_json *json, const run_audit *audit);

/* run_accuracy.c: the verdict on the run: exit code 2 in *result where it is not accurate. */
void run_accuracy_end(const tool_loaded *loaded, run_result *result);
void run_accuracy_print(const run_result *result);
void run_accuracy_write(tool_json *json, const run_result *result);

/* run_accuracy.c: a finer run beside this one. Before the first step: an exit code; after each, of h seconds. */
int run_estimate_begin(const tool_loaded *loaded, run_estimate *estimate);
void run_estimate_step(const tool_loaded *loaded, double h, run_estimate *estimate);
void run_estimate_print(const tool_loaded *loaded, const run_estimate *estimate);
void run_estimate_write(tool_json *json, const tool_loaded *loaded, const run_estimate *estimate);
void run_estimate_free(run_estimate *estimate);

/* Does friction somewhere go by forces? */
bool run_rubs_by_force(const tool_loaded *loaded);
/* run_unique.c: efforts and measures that are not unique at the end, for people; multipliers and forces of couplings, too, for programs. */
void run_unique_print(const tool_loaded *loaded, const run_result *result);
void run_unique_write(tool_json *json, const tool_loaded *loaded, const run_result *result);

/* "0.1 to 0.2 s" of parts in a run of so many seconds; a part may reach beyond its end. */
void run_print_lengths(double shortest, double longest, double sim_time);
/* run_history.c: parts of steps by kind, and why some were taken again. */
void run_history_add(run_result *result, const tn_step_report *report);
void run_history_print(const run_result *result);
void run_history_write(tool_json *json, const run_result *result);

/* One JSON object. */
void run_write_report(FILE *stream, const char *model_path, const tool_loaded *loaded,
                      const run_plan *plan, const run_result *result);

/* For people, on stdout. files is NULL-terminated. */
void run_print_summary(const char *title, const tool_loaded *loaded, const run_plan *plan,
                       const run_result *result, const char *const *files, int64_t frames);

/* A line on a terminal that shows how far the run is. */
typedef struct run_progress {
    bool on;
    double started; /* s, monotonic clock */
    double shown;   /* s, when it was last drawn */
} run_progress;

run_progress run_progress_begin(bool on);
/* Draws at most ten times a second. */
void run_progress_show(run_progress *progress, double time, double duration, double joint_error);
/* Wipes the line. */
void run_progress_end(run_progress *progress);

double run_wall_clock(void); /* s */
double run_cpu_clock(void);  /* s of the process */

#endif
