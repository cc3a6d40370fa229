/* study.h: the parts of `tenon study`: what runs the cases, where their results are kept meanwhile,
 * what is reported of them.
 *
 * Room tool/studies, in: a study. Out: its cases run by processes of this machine or of mpirun, a
 * table, a report.
 */
#ifndef TN_TOOL_STUDY_H
#define TN_TOOL_STUDY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tenon/study.h"

/* Results of all cases, in memory that the processes of one machine share. */
typedef struct study_store {
    const tn_study *study;
    int64_t cases;
    int32_t results;             /* numbers of a case */
    double *values;              /* [cases][results] */
    int32_t *status;             /* [cases] */
    char *messages;              /* [cases][TN_STUDY_MESSAGE] */
    _Atomic unsigned char *done; /* [cases] set when the others are there */
    void *memory;
    size_t memory_size;
} study_store;

/* study_store.c. False: out of memory. */
bool study_store_create(const tn_study *study, study_store *out);
void study_store_destroy(study_store *store);
void study_store_put(study_store *store, int64_t index, int32_t status, const double *values,
                     const char *message);
/* Runs a case and stores its results. */
void study_store_run(study_store *store, int64_t index);
static inline bool study_is_done(const study_store *store, int64_t index)
{
    return atomic_load_explicit(&store->done[index], memory_order_acquire) != 0;
}
/* The first case from here on that is not done; cases: none. */
int64_t study_next(const study_store *store, int64_t from);

/* Finished cases in a file beside the results, so that an interrupted study can continue. */
typedef struct study_journal {
    const char *name;
    int file;
    unsigned char *written; /* [cases] */
    int64_t count;          /* cases in it */
    int64_t first;          /* all before are in it */
    bool failed;            /* it could not be written */
} study_journal;

/* study_journal.c. Reads the finished cases of the same study into the store, unless anew. TOOL_OK or
 * TOOL_BAD_INPUT with a message. */
int study_journal_open(const char *name, bool anew, study_store *store, study_journal *out);
/* Appends finished cases that are not in it yet. */
void study_journal_write(study_journal *journal, const study_store *store);
void study_journal_close(study_journal *journal, bool remove);

/* The study under way. */
typedef struct study_job {
    study_store store;
    study_journal journal;
    int jobs; /* processes on this machine */
    bool progress;
    double started, shown, noted; /* s */
    int64_t done_before;          /* cases that were there at the start */
} study_job;

/* Writes the journal and shows progress, a few times a second. */
void study_note(study_job *job);
double study_clock(void); /* s */
/* Sleeps. */
void study_wait(double seconds);

/* study_local.c: by processes of this machine. */
void study_run_here(study_job *job);

/* With processes started by mpirun: study_mpi.c in tenon-mpi, study_alone.c in tenon, which runs
 * tenon-mpi instead if it exists. */
bool study_is_spread(void); /* true if mpirun started several processes */
/* Call it first. TOOL_OK, or another code with a message if this is impossible. *first: this is the process that
 * reads, writes and reports; the others only run cases. */
int study_spread_begin(bool *first);
/* In the other processes: runs cases until none is left. study NULL: it could not be read. */
void study_spread_serve(const tn_study *study);
/* In the first process: sends to the others whether the study could be read. */
void study_spread_open(const tn_study *study);
void study_spread_run(study_job *job);
void study_spread_end(bool whole);

/* study_report.c */
void study_print(FILE *stream, const tn_study_table *table, const char *path);
int study_write_csv(const tn_study_table *table, const char *path);
/* Draws histograms of the results, and each result against the parameter with the largest correlation. */
int study_draw(const tn_study_table *table, const char *path);

#endif
