/* allocator.h: test support: an allocator that counts, and that fails when told to.
 *
 * One set of counters per case, which gives the library its own allocator back: other cases may run in the same process.
 */
#ifndef TN_TESTS_ALLOCATOR_H
#define TN_TESTS_ALLOCATOR_H

#include <stdint.h>
#include <stdlib.h>

#include "tenon/status.h"

typedef struct test_allocator {
    int64_t left;  /* allocations that will still succeed; negative: all of them */
    int64_t calls; /* allocations and moves so far */
    int64_t alive; /* blocks not given back */
    int64_t moved; /* bytes asked for when blocks were grown */
    int64_t refused;
} test_allocator;

static void *test_realloc(void *context, void *block, size_t size)
{
    test_allocator *a = context;
    if (size == 0) {
        a->alive -= block != NULL;
        free(block);
        return NULL;
    }
    if (a->left == 0) {
        a->refused++;
        return NULL;
    }
    a->left--;
    a->calls++;
    a->alive += block == NULL;
    a->moved += block != NULL ? (int64_t)size : 0;
    return realloc(block, size);
}

#endif
