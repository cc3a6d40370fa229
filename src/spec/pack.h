/* pack.h: deep copies into one block.
 *
 * Room spec. The same copying code runs twice: first with no block, to add up the size, then with a
 * block of that size, to fill it:
 *     tn_pack pack = {0};
 *     copy_things(&pack, &def);           measures
 *     if (tn_pack_allocate(&pack) != TN_OK) ...
 *     copy_things(&pack, &def);           copies; def's pointers now point into pack.block
 */
#ifndef TN_SPEC_PACK_H
#define TN_SPEC_PACK_H

#include <stddef.h>

#include "tenon/status.h"

typedef struct tn_pack {
    char *block; /* NULL while measuring, or when nothing is to be copied */
    size_t size; /* bytes used so far */
} tn_pack;

/* Takes the measured size as a block; an empty pack gets none. */
tn_status tn_pack_allocate(tn_pack *pack);

/* count items of a fundamental or structure type; returns where they are now: the copy, or while
 * measuring the original. NULL or nothing gives NULL. */
const void *tn_pack_items(tn_pack *pack, const void *items, int32_t count, size_t item_size);

/* The same for a zero-terminated string. */
const char *tn_pack_text(tn_pack *pack, const char *text);

#endif
