/* saved.c: room sim: a state as a block of bytes that knows what it is.
 *
 * A block is a head and the bytes of the state. Restoring takes nothing on trust: a block of
 * another model, integrator or version of the library, a part of one, or one that was damaged is
 * refused, and the simulation stays as it was.
 */
#include <stddef.h>
#include <string.h>

#include "assemble/drive_terms.h"
#include "base/hash.h"
#include "law/poles.h"
#include "motion/kinematics.h"

/* "tenon st" as a number, which also shows the byte order. */
#define TN_SAVED_MAGIC   0x7473206e6f6e6574u
#define TN_SAVED_VERSION 6u

typedef struct tn_saved_head {
    uint64_t magic;
    uint32_t version, integrator;
    uint64_t model;     /* tn_model.fingerprint */
    uint64_t functions; /* what those are that its drives name */
    uint64_t length;    /* bytes of the state */
    uint64_t sum;       /* of the fields above and these bytes */
} tn_saved_head;

static uint64_t sum_of(const tn_saved_head *head, const void *state)
{
    const uint64_t start = tn_hash_bytes(TN_HASH_START, head, offsetof(tn_saved_head, sum));
    return tn_hash_bytes(start, state, (size_t)head->length);
}

static tn_saved_head head_of(const tn_sim *sim, size_t length)
{
    return (tn_saved_head){.magic = TN_SAVED_MAGIC,
                           .version = TN_SAVED_VERSION,
                           .integrator = (uint32_t)sim->options.integrator,
                           .model = sim->model->fingerprint,
                           .length = length};
}

/* Drives refer to functions by number: the model's, and those that were set while this simulation ran. Hashes the
 * functions that a state refers to, into *sum; false: the simulation does not have one of them. */
static bool sum_functions(const tn_sim *sim, const unsigned char *state, size_t length,
                          uint64_t *sum)
{
    const int32_t count = sim->model->drive_functions.count + sim->functions.count;
    tn_drive drive;
    *sum = TN_HASH_START;
    for (size_t at = sim->state.size; at < length; at += sizeof drive) {
        memcpy(&drive, state + at, sizeof drive);
        const int32_t named[] = {drive.set.motion_function, drive.set.motor_function,
                                 drive.set.rest_function, drive.set.law_function};
        for (size_t i = 0; i < TN_COUNT_OF(named); i++) {
            if (named[i] == TN_NO_FUNCTION)
                continue;
            if (!TN_IN(named[i], count))
                return false;
            *sum = tn_function_hash(*sum, tn_drive_function_at(&sim->sys, named[i]));
        }
    }
    return true;
}

size_t tn_sim_state_size(const tn_sim *sim)
{
    return sim ? sizeof(tn_saved_head) + tn_state_used(&sim->state) : 0;
}

void tn_sim_save(const tn_sim *sim, void *block)
{
    if (!sim || !block)
        return;
    if (tn_sim_is_at_work(
            sim)) { /* what a step has in its hands is no state, nor made of numbers */
        memset(block, 0, tn_sim_state_size(sim));
        return;
    }
    tn_saved_head head = head_of(sim, tn_state_used(&sim->state));
    sum_functions(sim, sim->state.block, (size_t)head.length, &head.functions);
    head.sum = sum_of(&head, sim->state.block);
    memcpy(block, &head, sizeof head);
    memcpy((unsigned char *)block + sizeof head, sim->state.block, (size_t)head.length);
}

/* How many bytes the state in a block has that begins so: its drives count. */
static size_t used_by(const tn_sim *sim, const unsigned char *bytes)
{
    tn_state_head head;
    memcpy(&head, bytes, sizeof head);
    if (head.drive_count < 0 || head.drive_count > sim->model->coordinate_count)
        return 0;
    return sim->state.size + (size_t)head.drive_count * sizeof(tn_drive);
}

static tn_status check(const tn_sim *sim, const void *block)
{
    tn_saved_head head;
    memcpy(&head, block, sizeof head);
    const tn_saved_head wanted = head_of(sim, 0);
    if (head.magic != wanted.magic || head.version != wanted.version ||
        head.integrator != wanted.integrator || head.model != wanted.model)
        return TN_ERROR_ARGUMENT;
    const unsigned char *bytes = (const unsigned char *)block + sizeof head;
    if (head.length != used_by(sim, bytes) || head.sum != sum_of(&head, bytes))
        return TN_ERROR_INPUT;
    uint64_t functions;
    if (!sum_functions(sim, bytes, (size_t)head.length, &functions) || functions != head.functions)
        return TN_ERROR_ARGUMENT;
    return TN_OK;
}

tn_status tn_sim_restore(tn_sim *sim, const void *block)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    if (!sim || !block)
        return TN_ERROR_ARGUMENT;
    const tn_status status = check(sim, block);
    if (status != TN_OK)
        return status;
    const unsigned char *bytes = (const unsigned char *)block + sizeof(tn_saved_head);
    memcpy(sim->state.block, bytes, used_by(sim, bytes));
    tn_state_written(&sim->state);
    tn_poles_clear(sim);
    sim->sys.lead = 0.0;
    tn_refresh_kinematics(sim);
    tn_keep_reaction_kinematics(sim);
    return TN_OK;
}
