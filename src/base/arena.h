/* arena.h: memory that grows by pieces, never moves, and is given back all at once.
 *
 * Room base. For the many small strings and records of a model description. Not for large arrays
 * that grow (tn_grow) and not for anything that must be freed alone.
 */
#ifndef TN_BASE_ARENA_H
#define TN_BASE_ARENA_H

#include "base/base.h"

typedef struct tn_arena_chunk tn_arena_chunk;

/* Zero it to start: tn_arena a = {0}; */
typedef struct tn_arena {
    tn_arena_chunk *chunks; /* newest first */
} tn_arena;

/* size zeroed bytes aligned for any type; NULL when out of memory. */
TN_SIBLING void *tn_arena_alloc(tn_arena *arena, size_t size);

/* A zero-terminated copy of length bytes; NULL when out of memory. */
TN_SIBLING char *tn_arena_text(tn_arena *arena, const char *text, size_t length);

/* Frees everything; the arena can be used again. */
TN_SIBLING void tn_arena_free(tn_arena *arena);

#endif
