/* study_local.c: the cases of a study by processes of this machine.
 *
 * Each process takes the next case from a counter in shared memory until there is none left. One that
 * ends otherwise is replaced, and the case it was at is run once more; where that ends a process too,
 * the case has failed and the rest goes on.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "signals.h"
#include "studies/study.h"
#include "tool.h"

#define MOST_JOBS 1024
/* s: so long may cases under way take when the study is to end. */
#define PATIENCE 0.5

typedef struct team {
    _Atomic int64_t next;
    _Atomic int stop;
    _Atomic int64_t at[MOST_JOBS]; /* the case each process is at; -1: none */
} team;

typedef struct crew {
    team *shared;
    pid_t process[MOST_JOBS];   /* 0: none */
    int64_t suspect[MOST_JOBS]; /* a case that ended a process before; -1: none */
    int count;
} crew;

static void work(study_store *store, team *shared, int seat, int64_t first)
{
    int64_t i = first >= 0 ? first : atomic_fetch_add(&shared->next, 1);
    while (i < store->cases && !atomic_load(&shared->stop)) {
        atomic_store(&shared->at[seat], i);
        if (!study_is_done(store, i))
            study_store_run(store, i);
        atomic_store(&shared->at[seat], -1);
        i = atomic_fetch_add(&shared->next, 1);
    }
}

/* Ends with the one that started it; signals to the whole group are handled by that one. */
static void begin_child(pid_t parent)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
}

static void hire(study_job *job, crew *c, int seat, int64_t first)
{
    const pid_t parent = getpid();
    fflush(NULL);
    c->process[seat] = fork();
    if (c->process[seat] == 0) {
        begin_child(parent);
        work(&job->store, c->shared, seat, first);
        _exit(0);
    }
    if (c->process[seat] < 0)
        c->process[seat] = 0;
}

static void record_crash(study_store *store, int64_t index, int status)
{
    char message[TN_STUDY_MESSAGE];
    double *values = malloc(((size_t)store->results + 1) * sizeof *values);
    for (int32_t k = 0; values != NULL && k < store->results; k++)
        values[k] = NAN;
    if (WIFSIGNALED(status)) {
        snprintf(message, sizeof message, "the process that ran it ended by signal %d (%s)",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else {
        snprintf(message, sizeof message, "the process that ran it ended with code %d",
                 WEXITSTATUS(status));
    }
    if (values != NULL)
        study_store_put(store, index, TN_STUDY_CRASHED, values, message);
    free(values);
}

/* A process has ended. */
static void retire(study_job *job, crew *c, int seat, int status)
{
    const int64_t at = atomic_load(&c->shared->at[seat]);
    const bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    c->process[seat] = 0;
    if (well || atomic_load(&c->shared->stop))
        return;
    int64_t again = -1;
    if (at >= 0 && !study_is_done(&job->store, at)) {
        if (c->suspect[seat] == at) {
            record_crash(&job->store, at, status);
        } else {
            again = at;
        }
    }
    c->suspect[seat] = again;
    atomic_store(&c->shared->at[seat], -1);
    hire(job, c, seat, again);
}

static int count_working(study_job *job, crew *c)
{
    int working = 0;
    for (int seat = 0; seat < c->count; seat++) {
        int status = 0;
        if (c->process[seat] > 0 && waitpid(c->process[seat], &status, WNOHANG) > 0)
            retire(job, c, seat, status);
        working += c->process[seat] > 0;
    }
    return working;
}

/* Lets cases under way end, for a while. */
static void dismiss(study_job *job, crew *c)
{
    const double until = study_clock() + PATIENCE;
    atomic_store(&c->shared->stop, 1);
    while (count_working(job, c) > 0 && study_clock() < until)
        study_wait(0.01);
    for (int seat = 0; seat < c->count; seat++) {
        if (c->process[seat] > 0) {
            kill(c->process[seat], SIGKILL);
            waitpid(c->process[seat], NULL, 0);
        }
    }
}

/* Where no process can be made the cases are run by this one. */
static void work_alone(study_job *job, team *shared)
{
    int64_t i;
    while (tool_signal() == 0 && (i = atomic_fetch_add(&shared->next, 1)) < job->store.cases) {
        if (!study_is_done(&job->store, i))
            study_store_run(&job->store, i);
        study_note(job);
    }
}

void study_run_here(study_job *job)
{
    crew c = {.count = job->jobs < MOST_JOBS ? job->jobs : MOST_JOBS};
    c.shared =
        mmap(NULL, sizeof *c.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (c.shared == MAP_FAILED) {
        tool_error("out of memory");
        return;
    }
    for (int seat = 0; seat < c.count; seat++) {
        atomic_store(&c.shared->at[seat], -1);
        c.suspect[seat] = -1;
        hire(job, &c, seat, -1);
    }
    double pause = 0.001;
    while (count_working(job, &c) > 0 && tool_signal() == 0) {
        study_wait(pause);
        pause = fmin(1.5 * pause, 0.05);
        study_note(job);
    }
    if (tool_signal() != 0)
        dismiss(job, &c);
    work_alone(job, c.shared);
    munmap(c.shared, sizeof *c.shared);
}
