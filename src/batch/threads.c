/* threads.c: room batch: threads that share runs of members.
 *
 * They wait for work between the calls; the caller works with them. Who takes which run depends on chance,
 * what comes of it does not. Without threads (WebAssembly, TN_NO_THREADS) the caller does all.
 */
#if !defined(TN_NO_THREADS) && !defined(__wasm__)
#define WITH_THREADS
#include <pthread.h>
#include <stdatomic.h>
#endif

#include "base/base.h"
#include "batch/batch.h"

#ifdef WITH_THREADS

struct tn_crew {
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
    int64_t round; /* of work, counted up */
    int32_t busy;  /* threads still at it */
    bool closing;
    tn_batch_work work;
    void *context;
    int32_t count;
    _Atomic int32_t next;
    int32_t threads;       /* without the caller, which is number 0 */
    _Atomic int32_t named; /* of them */
    pthread_t *thread;
};

/* Takes runs until there are none left. */
static void take_runs(tn_crew *crew, int32_t thread)
{
    int32_t first = atomic_fetch_add(&crew->next, TN_BATCH_RUN);
    while (first < crew->count) {
        const int32_t left = crew->count - first;
        crew->work(crew->context, thread, first, left < TN_BATCH_RUN ? left : TN_BATCH_RUN);
        first = atomic_fetch_add(&crew->next, TN_BATCH_RUN);
    }
}

static void *thread_main(void *argument)
{
    tn_crew *crew = argument;
    const int32_t number = atomic_fetch_add(&crew->named, 1) + 1;
    int64_t round = 0;
    pthread_mutex_lock(&crew->lock);
    while (!crew->closing) {
        if (crew->round == round) {
            pthread_cond_wait(&crew->begin, &crew->lock);
            continue;
        }
        round = crew->round;
        pthread_mutex_unlock(&crew->lock);
        take_runs(crew, number);
        pthread_mutex_lock(&crew->lock);
        if (--crew->busy == 0)
            pthread_cond_signal(&crew->end);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

tn_crew *tn_crew_create(int32_t threads)
{
    tn_crew *crew = threads > 1 ? TN_NEW(tn_crew) : NULL;
    if (crew == NULL)
        return NULL;
    crew->thread = TN_NEW_ARRAY(pthread_t, threads - 1);
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->begin, NULL);
    pthread_cond_init(&crew->end, NULL);
    while (crew->thread != NULL && crew->threads < threads - 1 &&
           pthread_create(&crew->thread[crew->threads], NULL, thread_main, crew) == 0)
        crew->threads++;
    return crew;
}

void tn_crew_destroy(tn_crew *crew)
{
    if (crew == NULL)
        return;
    pthread_mutex_lock(&crew->lock);
    crew->closing = true;
    pthread_cond_broadcast(&crew->begin);
    pthread_mutex_unlock(&crew->lock);
    for (int32_t i = 0; i < crew->threads; i++)
        pthread_join(crew->thread[i], NULL);
    pthread_cond_destroy(&crew->end);
    pthread_cond_destroy(&crew->begin);
    pthread_mutex_destroy(&crew->lock);
    tn_free(crew->thread);
    tn_free(crew);
}

int32_t tn_crew_size(const tn_crew *crew)
{
    return crew == NULL ? 1 : crew->threads + 1;
}

static void do_together(tn_crew *crew, int32_t count, tn_batch_work work, void *context)
{
    pthread_mutex_lock(&crew->lock);
    crew->work = work;
    crew->context = context;
    crew->count = count;
    atomic_store(&crew->next, 0);
    crew->busy = crew->threads;
    crew->round++;
    pthread_cond_broadcast(&crew->begin);
    pthread_mutex_unlock(&crew->lock);
    take_runs(crew, 0);
    pthread_mutex_lock(&crew->lock);
    while (crew->busy > 0)
        pthread_cond_wait(&crew->end, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}

#else

struct tn_crew {
    int32_t none;
};

tn_crew *tn_crew_create(int32_t threads)
{
    (void)threads;
    return NULL;
}

void tn_crew_destroy(tn_crew *crew)
{
    (void)crew;
}

int32_t tn_crew_size(const tn_crew *crew)
{
    (void)crew;
    return 1;
}

static void do_together(tn_crew *crew, int32_t count, tn_batch_work work, void *context)
{
    (void)crew;
    work(context, 0, 0, count);
}

#endif

void tn_crew_do(tn_crew *crew, int32_t count, tn_batch_work work, void *context)
{
    if (crew == NULL || tn_crew_size(crew) == 1 || count <= TN_BATCH_RUN) {
        for (int32_t first = 0; first < count; first += TN_BATCH_RUN)
            work(context, 0, first, count - first < TN_BATCH_RUN ? count - first : TN_BATCH_RUN);
        return;
    }
    do_together(crew, count, work, context);
}
