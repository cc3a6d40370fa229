/* study_journal.c: what is done of a study, case by case, in a file (study.h).
 *
 * A head that says of which study, then a record for each case: number, status, length of the
 * message, results, message, and a hash of all that. Records are only appended; one that a killed
 * process left half written ends what is read, and is written over.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "file/journal.h"
#include "studies/study.h"
#include "tool.h"

typedef struct head {
    char magic[16];
    uint64_t identity;
    int64_t cases;
    int64_t results;
} head;

typedef struct record {
    int64_t index;
    int32_t status, length;
} record;

static const char magic[16] = {'t', 'e', 'n', 'o', 'n', ' ', 'j', 'o',
                               'u', 'r', 'n', 'a', 'l', ' ', '1', '\n'};

static head head_of(const study_store *store)
{
    head h = {.identity = tn_study_identity(store->study),
              .cases = store->cases,
              .results = store->results};
    memcpy(h.magic, magic, sizeof h.magic);
    return h;
}

/* Reads all of `size` bytes; false at the end of the file. */
static bool get(int file, void *bytes, size_t size)
{
    char *at = bytes;
    while (size > 0) {
        const ssize_t count = read(file, at, size);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        at += count;
        size -= (size_t)count;
    }
    return true;
}

static uint64_t hash_of(const record *r, const double *values, size_t numbers, const char *message)
{
    uint64_t hash = tn_hash_bytes(TN_HASH_START, r, sizeof *r);
    hash = tn_hash_bytes(hash, values, numbers);
    return tn_hash_bytes(hash, message, (size_t)r->length);
}

static bool get_record(const study_journal *journal, study_store *store, double *values)
{
    record r;
    uint64_t hash;
    char message[TN_STUDY_MESSAGE];
    const size_t numbers = (size_t)store->results * sizeof(double);
    if (!get(journal->file, &r, sizeof r) || r.index < 0 || r.index >= store->cases ||
        r.length < 0 || r.length >= TN_STUDY_MESSAGE || !get(journal->file, values, numbers) ||
        !get(journal->file, message, (size_t)r.length) || !get(journal->file, &hash, sizeof hash) ||
        hash != hash_of(&r, values, numbers, message))
        return false;
    message[r.length] = '\0';
    study_store_put(store, r.index, r.status, values, message);
    journal->written[r.index] = 1;
    return true;
}

/* What is there, as far as it is whole; what follows is cut off. */
static void take_records(study_journal *journal, study_store *store)
{
    double *values = malloc(((size_t)store->results + 1) * sizeof *values);
    off_t end = lseek(journal->file, 0, SEEK_CUR);
    while (values != NULL && get_record(journal, store, values)) {
        end = lseek(journal->file, 0, SEEK_CUR);
        journal->count++;
    }
    free(values);
    journal->failed = end < 0 || !tn_journal_cut(journal->file, end);
}

static int refuse(study_journal *journal, const char *why)
{
    tool_error("%s: %s", journal->name, why);
    study_journal_close(journal, false);
    return TOOL_BAD_INPUT;
}

/* Why it cannot be opened, in words. */
static const char *problem(int error)
{
    return error == EBUSY    ? "another 'tenon study' is at work on it"
           : error == EINVAL ? "is no journal of a study; nothing is written over it"
           : error == EMLINK ? "has other names (hard links); nothing is written to it"
                             : strerror(error);
}

int study_journal_open(const char *name, bool anew, study_store *store, study_journal *out)
{
    const head wanted = head_of(store);
    head found;
    *out = (study_journal){.name = name, .file = tn_journal_open(name, magic, sizeof magic)};
    const char *wrong = out->file < 0 ? problem(errno) : NULL;
    out->written = calloc((size_t)store->cases + 1, 1);
    if (wrong == NULL && out->written == NULL)
        wrong = "out of memory";
    if (wrong != NULL)
        return refuse(out, wrong);
    const bool empty = lseek(out->file, 0, SEEK_END) == 0;
    if (lseek(out->file, 0, SEEK_SET) < 0)
        return refuse(out, strerror(errno));
    if (empty || anew) {
        return tn_journal_cut(out->file, 0) &&
                       tn_journal_append(out->file, &wanted, sizeof wanted) &&
                       tn_journal_sync(out->file)
                   ? TOOL_OK
                   : refuse(out, strerror(errno));
    }
    if (!get(out->file, &found, sizeof found) || memcmp(&found, &wanted, sizeof found) != 0) {
        return refuse(out, "was left by another study, or the study or its model were changed "
                           "since; --restart begins anew");
    }
    take_records(out, store);
    return TOOL_OK;
}

void study_journal_write(study_journal *journal, const study_store *store)
{
    const size_t numbers = (size_t)store->results * sizeof(double);
    const int64_t before = journal->count;
    while (journal->first < store->cases && journal->written[journal->first])
        journal->first++;
    for (int64_t i = journal->first; i < store->cases && !journal->failed; i++) {
        if (journal->written[i] || !study_is_done(store, i))
            continue;
        const char *message = store->messages + i * TN_STUDY_MESSAGE;
        const double *values = store->values + i * store->results;
        const record r = {i, store->status[i], (int32_t)strlen(message)};
        const uint64_t hash = hash_of(&r, values, numbers, message);
        journal->failed = !tn_journal_append(journal->file, &r, sizeof r) ||
                          !tn_journal_append(journal->file, values, numbers) ||
                          !tn_journal_append(journal->file, message, (size_t)r.length) ||
                          !tn_journal_append(journal->file, &hash, sizeof hash);
        journal->written[i] = 1;
        journal->count++;
    }
    const bool more = journal->count > before;
    if (more && !journal->failed)
        journal->failed = !tn_journal_sync(journal->file);
    if (more && journal->failed) {
        tool_error("%s: cannot be written: %s; what is done is lost if the study is "
                   "interrupted",
                   journal->name, strerror(errno));
    }
}

void study_journal_close(study_journal *journal, bool remove)
{
    if (journal->file >= 0)
        tn_journal_close(journal->file, remove ? journal->name : NULL);
    free(journal->written);
    *journal = (study_journal){.file = -1};
}
