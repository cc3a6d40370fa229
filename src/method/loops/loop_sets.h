/* loop_sets.h: room method/loops: sets of links for creating loops. */
#ifndef TN_METHOD_LOOPS_LOOP_SETS_H
#define TN_METHOD_LOOPS_LOOP_SETS_H

#include <stdint.h>

/* A set of links, in the order in which they were added. */
typedef struct tn_loop_set {
    int32_t *links; /* [links] */
    int32_t *place; /* [links] its index in `links`; -1: it is not in the set */
    int32_t count;
} tn_loop_set;

static inline void tn_loop_set_clear(tn_loop_set *set)
{
    for (int32_t n = 0; n < set->count; n++)
        set->place[set->links[n]] = -1;
    set->count = 0;
}

static inline void tn_loop_set_add(tn_loop_set *set, int32_t k)
{
    if (set->place[k] >= 0)
        return;
    set->place[k] = set->count;
    set->links[set->count++] = k;
}

#endif
