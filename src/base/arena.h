/* arena.h: memory that grows by pieces, never moves, and is given back all at once.
 *
 * Room base. For the many small strings and records of a model description, and for
 * workspaces that are seldom used. Not for arrays
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

/* size zeroed bytes aligned for any type; NULL when out of memory. What is never written to of a large item takes no
 * memory where the system gives out pages as they are used. */
TN_SIBLING void *tn_arena_alloc(tn_arena *arena, size_t size);

/* count zeroed items of a type; NULL also when the product overflows. */
TN_SIBLING void *tn_arena_items(tn_arena *arena, size_t count, size_t item_size);
#define TN_ARENA_ARRAY(arena, type, count)                                                         \
    ((type *)tn_arena_items(arena, (size_t)(count), sizeof(type)))

/* A zero-terminated copy of length bytes; NULL when out of memory. */
TN_SIBLING char *tn_arena_text(tn_arena *arena, const char *text, size_t length);

/* Frees everything; the arena can be used again. */
TN_SIBLING void tn_arena_free(tn_arena *arena);

#endif
