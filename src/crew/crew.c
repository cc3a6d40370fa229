/* crew.c: room crew: the thread pool of crew.h: how runs are distributed over threads. */
#if !defined(TN_NO_THREADS) && !defined(__wasm__)
#define WITH_THREADS
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#endif

#include "base/base.h"
#include "crew/crew.h"

static int32_t run_count(const tn_crew_pass *pass)
{
    return (pass->count + pass->run - 1) / pass->run;
}

/* Run number i in the order of processing. */
static void work_on(const tn_crew_pass *pass, int32_t stage, int32_t thread, int32_t i)
{
    const int32_t first = pass->run * (pass->backward ? run_count(pass) - 1 - i : i);
    const int32_t left = pass->count - first;
    pass->stages[stage].work(pass->context, thread, first, left < pass->run ? left : pass->run);
}

static void do_alone(const tn_crew_pass *pass)
{
    const int32_t runs = pass->count <= pass->run ? pass->count > 0 : run_count(pass);
    for (int32_t i = 0; i < runs; i++) {
        for (int32_t stage = 0; stage < pass->stage_count; stage++) {
            if (runs == 1) {
                pass->stages[stage].work(pass->context, 0, 0, pass->count);
            } else {
                work_on(pass, stage, 0, i);
            }
        }
    }
}

#ifdef WITH_THREADS

/* Polls of an idle worker before it yields its core, and before it sleeps. Sleeping between two passes of one step
 * would cost more than it saves. */
enum { LOOKS = 64, LOOKS_AWAKE = 4096 };

static inline void look_again(int32_t looks)
{
    if (looks % LOOKS == LOOKS - 1)
        sched_yield();
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* Progress of a stage. Run i is done when done[i % TN_CREW_NEAR] is i + 1. */
typedef struct progress {
    _Atomic int32_t next; /* next run to take */
    _Atomic bool taken;   /* stage in order: a thread works on it */
    _Atomic int32_t done[TN_CREW_NEAR];
} progress;

struct tn_crew {
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
    _Atomic int64_t round; /* number of the current piece of work */
    _Atomic int32_t busy;  /* workers that have not left the round */
    _Atomic bool closing;
    tn_crew_pass pass;
    tn_stop stop; /* of the calling thread: its workers stop with it */
    int32_t runs;
    progress stages[TN_CREW_STAGES];
    int32_t threads;       /* workers, without the calling thread, which is number 0 */
    _Atomic int32_t named; /* workers that have a number */
    pthread_t *thread;
};

/* True if run i has passed the stage. */
static bool is_through(tn_crew *crew, int32_t stage, int32_t i)
{
    return atomic_load_explicit(&crew->stages[stage].done[i % TN_CREW_NEAR], memory_order_acquire) >
           i;
}

/* True if the stage may begin with run i: the stage before has passed it, and it is at most TN_CREW_NEAR runs ahead. */
static bool may_begin(tn_crew *crew, int32_t stage, int32_t i)
{
    if (i >= crew->runs)
        return false;
    if (stage > 0)
        return is_through(crew, stage - 1, i);
    return i < TN_CREW_NEAR || is_through(crew, crew->pass.stage_count - 1, i - TN_CREW_NEAR);
}

static void work_and_tell(tn_crew *crew, int32_t stage, int32_t thread, int32_t i)
{
    work_on(&crew->pass, stage, thread, i);
    atomic_store_explicit(&crew->stages[stage].done[i % TN_CREW_NEAR], i + 1, memory_order_release);
}

/* Takes all available runs of a stage in order, unless another thread works on this stage. */
static bool take_in_order(tn_crew *crew, int32_t stage, int32_t thread)
{
    progress *at = &crew->stages[stage];
    if (!may_begin(crew, stage, atomic_load(&at->next)) || atomic_exchange(&at->taken, true))
        return false;
    bool some = false;
    for (int32_t i = atomic_load(&at->next); may_begin(crew, stage, i); i++) {
        some = true;
        work_and_tell(crew, stage, thread, i);
        atomic_store(&at->next, i + 1);
    }
    atomic_store(&at->taken, false);
    return some;
}

static bool take_any(tn_crew *crew, int32_t stage, int32_t thread)
{
    progress *at = &crew->stages[stage];
    int32_t i = atomic_load(&at->next);
    if (!may_begin(crew, stage, i) || !atomic_compare_exchange_strong(&at->next, &i, i + 1))
        return false;
    work_and_tell(crew, stage, thread, i);
    return true;
}

/* Takes the available run of the latest stage. */
static bool take_some(tn_crew *crew, int32_t thread)
{
    for (int32_t stage = crew->pass.stage_count - 1; stage >= 0; stage--) {
        if (crew->pass.stages[stage].in_order ? take_in_order(crew, stage, thread)
                                              : take_any(crew, stage, thread))
            return true;
    }
    return false;
}

/* Works until no run is left to take. */
static void take_runs(tn_crew *crew, int32_t thread)
{
    progress *last = &crew->stages[crew->pass.stage_count - 1];
    for (int32_t looks = 0; atomic_load(&last->next) < crew->runs; looks++) {
        if (take_some(crew, thread))
            looks = -1;
        else
            look_again(looks);
    }
}

/* Waits for the next piece of work. False: the pool is closing. */
static bool wait_for_round(tn_crew *crew, int64_t seen)
{
    for (int32_t looks = 0; looks < LOOKS_AWAKE && atomic_load(&crew->round) == seen; looks++)
        look_again(looks);
    if (atomic_load(&crew->round) == seen) {
        pthread_mutex_lock(&crew->lock);
        while (atomic_load(&crew->round) == seen && !atomic_load(&crew->closing))
            pthread_cond_wait(&crew->begin, &crew->lock);
        pthread_mutex_unlock(&crew->lock);
    }
    return !atomic_load(&crew->closing);
}

/* The last worker to leave wakes the calling thread, which may be asleep. */
static void leave_round(tn_crew *crew)
{
    if (atomic_fetch_sub(&crew->busy, 1) > 1)
        return;
    pthread_mutex_lock(&crew->lock);
    pthread_cond_signal(&crew->end);
    pthread_mutex_unlock(&crew->lock);
}

static void wait_for_others(tn_crew *crew)
{
    for (int32_t looks = 0; looks < LOOKS_AWAKE && atomic_load(&crew->busy) > 0; looks++)
        look_again(looks);
    if (atomic_load(&crew->busy) == 0)
        return;
    pthread_mutex_lock(&crew->lock);
    while (atomic_load(&crew->busy) > 0)
        pthread_cond_wait(&crew->end, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}

static void *thread_main(void *argument)
{
    tn_crew *crew = argument;
    const int32_t number = atomic_fetch_add(&crew->named, 1) + 1;
    for (int64_t round = 0; wait_for_round(crew, round); round++) {
        tn_set_stop(crew->stop.function, crew->stop.context);
        take_runs(crew, number);
        leave_round(crew);
    }
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

static void clear_progress(tn_crew *crew)
{
    for (int32_t stage = 0; stage < crew->pass.stage_count; stage++) {
        progress *at = &crew->stages[stage];
        atomic_store(&at->next, 0);
        atomic_store(&at->taken, false);
        for (int32_t i = 0; i < TN_CREW_NEAR; i++)
            atomic_store_explicit(&at->done[i], 0, memory_order_relaxed);
    }
}

static void do_together(tn_crew *crew, const tn_crew_pass *pass)
{
    crew->pass = *pass; /* no worker reads it between two rounds */
    crew->stop = tn_get_stop();
    crew->runs = run_count(pass);
    clear_progress(crew);
    atomic_store(&crew->busy, crew->threads);
    pthread_mutex_lock(&crew->lock);
    atomic_fetch_add(&crew->round, 1);
    pthread_cond_broadcast(&crew->begin);
    pthread_mutex_unlock(&crew->lock);
    take_runs(crew, 0);
    wait_for_others(crew);
}

void tn_crew_do(tn_crew *crew, const tn_crew_pass *pass)
{
    if (crew && tn_crew_size(crew) > 1 && run_count(pass) > 1) {
        do_together(crew, pass);
    } else {
        do_alone(pass);
    }
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

void tn_crew_do(tn_crew *crew, const tn_crew_pass *pass)
{
    (void)crew;
    do_alone(pass);
}

#endif
