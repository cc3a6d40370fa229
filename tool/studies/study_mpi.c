/* study_mpi.c: the cases of a study by the processes that mpirun started, on any number of machines.
 *
 * The first process hands out runs of cases and takes their results; the others request work. Each
 * has one run ahead of the one it is at, so that no process waits for an answer. Runs are a share of what is
 * left, but not longer than RUN_SECONDS: large at first, few messages; small at the end, all end
 * together.
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "signals.h"
#include "studies/study.h"
#include "tool.h"

/* s of work in one message, at most: the longer, the fewer messages; the shorter, the less is lost. */
#define RUN_SECONDS 0.5
/* s for each process: a message keeps the first one some 5 us, which is to be a tenth of its time. */
#define RUN_SECONDS_EACH 5e-5
/* Runs handed to a process before it has given back the first. */
#define AHEAD 2
/* s between two looks where nothing came: the first process shares its core. */
#define PAUSE 2e-4

enum { TAG_RUN = 1, TAG_RESULTS };

/* A run of cases; count 0: there is no more. */
typedef struct run {
    int64_t first, count;
} run;

/* What stands before each case's numbers in a message. */
typedef struct row_head {
    int64_t index;
    int32_t status;
    char message[TN_STUDY_MESSAGE];
} row_head;

typedef struct message_head {
    double seconds; /* the run took */
    int64_t count;
} message_head;

static int ranks, rank;

bool study_is_spread(void)
{
    const char *size = getenv("OMPI_COMM_WORLD_SIZE");
    return size != NULL && strtol(size, NULL, 10) > 1;
}

int study_spread_begin(bool *first)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    *first = rank == 0;
    return TOOL_OK;
}

/* Ends all ranks. */
static _Noreturn void out_of_memory(void)
{
    MPI_Abort(MPI_COMM_WORLD, TOOL_BAD_INPUT);
    abort();
}

static size_t row_size(const tn_study *study)
{
    return sizeof(row_head) + (size_t)tn_study_result_count(study) * sizeof(double);
}

/* ---- those that run cases ---- */

/* Waits without taking a core for it. */
static void receive(void *bytes, int size, int from, int tag)
{
    int there = 0;
    while (MPI_Iprobe(from, tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE), !there)
        study_wait(PAUSE);
    MPI_Recv(bytes, size, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void run_row(const tn_study *study, int64_t index, char *row)
{
    row_head head = {.index = index};
    double *values = malloc(((size_t)tn_study_result_count(study) + 1) * sizeof *values);
    if (values == NULL)
        out_of_memory();
    head.status = (int32_t)tn_study_run_case(study, index, values, head.message);
    memcpy(row, &head, sizeof head);
    memcpy(row + sizeof head, values, row_size(study) - sizeof head);
    free(values);
}

static void run_and_send(const tn_study *study, const run *r)
{
    const size_t size = sizeof(message_head) + (size_t)r->count * row_size(study);
    char *message = calloc(1, size);
    if (message == NULL)
        out_of_memory();
    const double before = study_clock();
    for (int64_t i = 0; i < r->count; i++)
        run_row(study, r->first + i, message + sizeof(message_head) + (size_t)i * row_size(study));
    const message_head head = {study_clock() - before, r->count};
    memcpy(message, &head, sizeof head);
    MPI_Send(message, (int)size, MPI_BYTE, 0, TAG_RESULTS, MPI_COMM_WORLD);
    free(message);
}

/* Whether all have read the same study. */
static bool same_study(const tn_study *study)
{
    uint64_t identity = study != NULL ? tn_study_identity(study) : 0, first = identity;
    MPI_Bcast(&first, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    int same = first == identity && study != NULL, all = 0;
    MPI_Allreduce(&same, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all != 0;
}

void study_spread_serve(const tn_study *study)
{
    if (!same_study(study))
        return;
    int ended = 0;
    while (ended < AHEAD) {
        run r;
        receive(&r, sizeof r, 0, TAG_RUN);
        ended += r.count == 0;
        if (r.count > 0)
            run_and_send(study, &r);
    }
}

/* ---- the first ---- */

static bool all_have_it;

void study_spread_open(const tn_study *study)
{
    all_have_it = same_study(study);
    if (study != NULL && !all_have_it)
        tool_error("not all processes read the same study: are its files on all machines?");
}

typedef struct handing {
    study_job *job;
    int64_t next, left; /* cases not handed out */
    double seconds;     /* all cases so far took */
    int64_t measured;   /* how many */
    int out;            /* runs handed out */
    size_t size;        /* bytes of the buffer */
    char *buffer;
} handing;

/* Cases that stand together, not done, of a suitable number. */
static run next_run(handing *h)
{
    const study_store *store = &h->job->store;
    const double share = ceil((double)h->left / (2.0 * AHEAD * (double)(ranks - 1)));
    const double by_time =
        h->measured > 0 ? ceil(RUN_SECONDS * (double)h->measured / fmax(h->seconds, 1e-9)) : 1.0;
    const int64_t most = (int64_t)fmax(1.0, fmin(share, by_time));
    run r = {study_next(store, h->next), 0};
    while (r.count < most && r.first + r.count < store->cases &&
           !study_is_done(store, r.first + r.count))
        r.count++;
    h->next = r.first + r.count;
    h->left -= r.count;
    return r;
}

static void hand_out(handing *h, int to)
{
    const run r = tool_signal() != 0 ? (run){0, 0} : next_run(h);
    MPI_Send(&r, sizeof r, MPI_BYTE, to, TAG_RUN, MPI_COMM_WORLD);
    h->out += r.count > 0;
}

/* Takes the results of a run, if some came; the process gets another one. */
static bool take_results(handing *h)
{
    int there = 0, size = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, TAG_RESULTS, MPI_COMM_WORLD, &there, &status);
    if (!there)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &size);
    if (h->buffer == NULL || (size_t)size > h->size) {
        free(h->buffer);
        h->size = (size_t)size;
        h->buffer = malloc(h->size);
        if (h->buffer == NULL)
            out_of_memory();
    }
    MPI_Recv(h->buffer, size, MPI_BYTE, status.MPI_SOURCE, TAG_RESULTS, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    message_head head;
    memcpy(&head, h->buffer, sizeof head);
    const char *row = h->buffer + sizeof head;
    double *values = malloc(row_size(h->job->store.study));
    if (values == NULL)
        out_of_memory();
    for (int64_t i = 0; i < head.count; i++) {
        row_head r;
        memcpy(&r, row, sizeof r);
        memcpy(values, row + sizeof r, row_size(h->job->store.study) - sizeof r);
        study_store_put(&h->job->store, r.index, r.status, values, r.message);
        row += row_size(h->job->store.study);
    }
    free(values);
    h->seconds += head.seconds;
    h->measured += head.count;
    h->out--;
    hand_out(h, status.MPI_SOURCE);
    return true;
}

void study_spread_run(study_job *job)
{
    handing h = {.job = job, .left = job->store.cases - job->done_before};
    if (!all_have_it)
        return;
    for (int ahead = 0; ahead < AHEAD; ahead++) {
        for (int to = 1; to < ranks; to++)
            hand_out(&h, to);
    }
    while (h.out > 0 && tool_signal() == 0) {
        if (!take_results(&h))
            study_wait(PAUSE);
        study_note(job);
    }
    while (take_results(&h)) /* what came meanwhile */
        ;
    free(h.buffer);
}

void study_spread_end(bool whole)
{
    if (whole) {
        MPI_Finalize();
    } else {
        MPI_Abort(MPI_COMM_WORLD, TOOL_STOPPED);
    }
}
