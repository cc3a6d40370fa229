/* arena.c: chunks that double up to a limit; an item that does not fit starts a new chunk.
 * Room base. */
#include "base/arena.h"

#include <stdalign.h>
#include <string.h>

#define TN_FIRST_CHUNK   1024            /* bytes: a small model needs one or two */
#define TN_LARGEST_CHUNK (1024u * 1024u) /* bytes: bounds what the last chunk wastes */

struct tn_arena_chunk {
    tn_arena_chunk *older;
    size_t size; /* bytes in data */
    size_t used;
    alignas(max_align_t) unsigned char data[];
};

/* A chunk for at least size bytes, put in front of the others. */
static tn_arena_chunk *add_chunk(tn_arena *arena, size_t size)
{
    size_t wanted = arena->chunks != NULL ? 2 * arena->chunks->size : TN_FIRST_CHUNK;
    if (wanted > TN_LARGEST_CHUNK) {
        wanted = TN_LARGEST_CHUNK;
    }
    if (wanted < size) {
        wanted = size;
    }
    if (wanted > SIZE_MAX - sizeof(tn_arena_chunk)) {
        return NULL;
    }
    tn_arena_chunk *chunk = tn_alloc(1, sizeof(tn_arena_chunk) + wanted);
    if (chunk != NULL) {
        chunk->older = arena->chunks;
        chunk->size = wanted;
        chunk->used = 0;
        arena->chunks = chunk;
    }
    return chunk;
}

/* size bytes, the first at a multiple of alignment (a power of two). */
static void *take(tn_arena *arena, size_t size, size_t alignment)
{
    tn_arena_chunk *chunk = arena->chunks;
    size_t start = chunk != NULL ? (chunk->used + alignment - 1) & ~(alignment - 1) : 0;
    if (chunk == NULL || start > chunk->size || size > chunk->size - start) {
        chunk = add_chunk(arena, size);
        start = 0;
    }
    if (chunk == NULL) {
        return NULL;
    }
    chunk->used = start + size;
    return chunk->data + start;
}

void *tn_arena_alloc(tn_arena *arena, size_t size)
{
    return take(arena, size,
                alignof(max_align_t)); /* chunks are made of zeros, and no item is given back */
}

void *tn_arena_items(tn_arena *arena, size_t count, size_t item_size)
{
    return item_size != 0 && count > SIZE_MAX / item_size
               ? NULL
               : tn_arena_alloc(arena, count * item_size);
}

char *tn_arena_text(tn_arena *arena, const char *text, size_t length)
{
    char *copy = length < SIZE_MAX ? take(arena, length + 1, 1) : NULL;
    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

void tn_arena_free(tn_arena *arena)
{
    tn_arena_chunk *chunk = arena->chunks;
    while (chunk != NULL) {
        tn_arena_chunk *older = chunk->older;
        tn_free(chunk);
        chunk = older;
    }
    arena->chunks = NULL;
}
