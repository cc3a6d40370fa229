/* saved_states.h: test support: what is saved of a simulation, and whether it is as it was, to the last byte. */
#ifndef TENON_TESTS_SAVED_STATES_H
#define TENON_TESTS_SAVED_STATES_H

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tenon/sim.h"

/* Whoever asks frees it. */
static inline void *saved_state(const tn_sim *sim)
{
    void *block = malloc(tn_sim_state_size(sim));
    ck_assert_ptr_nonnull(block);
    tn_sim_save(sim, block);
    return block;
}

static inline bool is_saved_as(const tn_sim *sim, const void *block)
{
    void *now = saved_state(sim);
    const bool same = memcmp(now, block, tn_sim_state_size(sim)) == 0;
    free(now);
    return same;
}

static inline bool is_same_saved(const tn_sim *one, const tn_sim *other)
{
    void *block = saved_state(other);
    const bool same = is_saved_as(one, block);
    free(block);
    return same;
}

/* It goes on from where the other is. */
static inline void take_over(tn_sim *sim, const tn_sim *other)
{
    void *block = saved_state(other);
    ck_assert_int_eq(tn_sim_restore(sim, block), TN_OK);
    free(block);
}

#endif
