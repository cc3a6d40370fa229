/* crew.h: room crew: a thread pool: threads that do the runs of one piece of work together.
 *
 * In: a number of items and the stages of work on them. Out: all stages done. The result has the same bits with any
 * number of threads. Which thread takes which run depends on chance, but the result of a run does not, and neither does
 * the order of runs in a stage that is done in order.
 *
 * Workers wait between the calls; the calling thread works with them. Without threads (WebAssembly, TN_NO_THREADS) the
 * calling thread does all.
 */
#ifndef TN_CREW_CREW_H
#define TN_CREW_CREW_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tn_crew tn_crew;

/* Work on items first .. first + count - 1; thread: 0 .. tn_crew_size - 1. */
typedef void tn_crew_work(void *context, int32_t thread, int32_t first, int32_t count);

/* A stage of work. in_order: runs one after the other, each continuing from the one before; else in any order. */
typedef struct tn_crew_stage {
    tn_crew_work *work;
    bool in_order;
} tn_crew_stage;

/* Most stages of a pass, and most runs between the first and the last one in progress. */
enum { TN_CREW_STAGES = 5, TN_CREW_NEAR = 64 };

/* Each run goes through all stages, one after the other. */
typedef struct tn_crew_pass {
    int32_t count, run; /* items; items in a run (the last run may have fewer) */
    bool backward;      /* the last run is processed first */
    int32_t stage_count;
    tn_crew_stage stages[TN_CREW_STAGES];
    void *context;
} tn_crew_pass;

/* NULL: no threads are available, or threads <= 1. */
tn_crew *tn_crew_create(int32_t threads);
void tn_crew_destroy(tn_crew *crew);
/* Threads, including the calling one. */
int32_t tn_crew_size(const tn_crew *crew);
/* Returns when all is done; without a pool the calling thread does all. Runs in progress are at most TN_CREW_NEAR
 * apart, so that each stage finds the data of the stage before in the caches. */
void tn_crew_do(tn_crew *crew, const tn_crew_pass *pass);

#endif
