/* study_store.c: results of the cases of a study in shared memory (study.h).
 *
 * Pages that were never written take no memory: messages of cases that went well cost nothing.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <string.h>
#include <sys/mman.h>

#include "studies/study.h"

bool study_store_create(const tn_study *study, study_store *out)
{
    *out = (study_store){.study = study,
                         .cases = tn_study_case_count(study),
                         .results = tn_study_result_count(study)};
    const size_t cases = (size_t)out->cases;
    const size_t numbers = cases * (size_t)out->results * sizeof(double);
    out->memory_size = numbers + cases * (sizeof(int32_t) + TN_STUDY_MESSAGE + 1) + 1;
    void *memory = mmap(NULL, out->memory_size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    out->memory = memory;
    out->values = memory;
    out->status = (int32_t *)(void *)((char *)memory + numbers);
    out->messages = (char *)(out->status + cases);
    out->done = (_Atomic unsigned char *)(void *)(out->messages + cases * TN_STUDY_MESSAGE);
    return true;
}

void study_store_destroy(study_store *store)
{
    if (store->memory != NULL)
        munmap(store->memory, store->memory_size);
    *store = (study_store){0};
}

void study_store_put(study_store *store, int64_t index, int32_t status, const double *values,
                     const char *message)
{
    memcpy(store->values + index * store->results, values, (size_t)store->results * sizeof *values);
    store->status[index] = status;
    if (message[0] != '\0')
        strncpy(store->messages + index * TN_STUDY_MESSAGE, message, TN_STUDY_MESSAGE - 1);
    atomic_store_explicit(&store->done[index], 1, memory_order_release);
}

void study_store_run(study_store *store, int64_t index)
{
    char message[TN_STUDY_MESSAGE];
    double *values = store->values + index * store->results;
    const tn_status status = tn_study_run_case(store->study, index, values, message);
    store->status[index] = (int32_t)status;
    if (message[0] != '\0')
        memcpy(store->messages + index * TN_STUDY_MESSAGE, message, sizeof message);
    atomic_store_explicit(&store->done[index], 1, memory_order_release);
}

int64_t study_next(const study_store *store, int64_t from)
{
    while (from < store->cases && study_is_done(store, from))
        from++;
    return from;
}
