/* crew.h: room crew: threads that do the runs of one piece of work together.
 *
 * In: what is to be done to so many items, in one stage or several. Out: all of it done, with the same bits however
 * many threads there are: who takes which run depends on chance, what comes of a run and which one comes before it
 * in a stage that goes in order does not.
 *
 * Threads wait for work between the calls; the caller works with them. Without threads (WebAssembly, TN_NO_THREADS)
 * the caller does all.
 */
#ifndef TN_CREW_CREW_H
#define TN_CREW_CREW_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tn_crew tn_crew;

/* What is done with items first .. first + count - 1, by thread 0 .. crew size - 1. */
typedef void tn_crew_work(void *context, int32_t thread, int32_t first, int32_t count);

/* A stage does to a run what waits for no other run, or, in order, what goes on from where the run before ended. */
typedef struct tn_crew_stage {
    tn_crew_work *work;
    bool in_order;
} tn_crew_stage;

/* Runs that are under way at a time, at most. */
enum { TN_CREW_STAGES = 5, TN_CREW_NEAR = 64 };

/* Each run goes through all stages, one after the other. */
typedef struct tn_crew_pass {
    int32_t count, run; /* items; of these in a run, but for the last one */
    bool backward;      /* the last run comes first */
    int32_t stage_count;
    tn_crew_stage stages[TN_CREW_STAGES];
    void *context;
} tn_crew_pass;

/* NULL: there are none to be had, or none are needed. */
tn_crew *tn_crew_create(int32_t threads);
void tn_crew_destroy(tn_crew *crew);
/* With the calling one. */
int32_t tn_crew_size(const tn_crew *crew);
/* Comes back when all is done; crew may be NULL. Runs are worked on not far from each other, so that a stage finds
 * in the caches what the one before has left there. */
void tn_crew_do(tn_crew *crew, const tn_crew_pass *pass);

#endif
