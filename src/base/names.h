/* names.h: a table from names to numbers (body name -> body index and the like).
 *
 * Room base. Names are any bytes but zero, compared exactly; the table owns its copies and they do
 * not move, so the pointers it gives stay good until tn_names_free. Adding and finding cost
 * constant time on average; names cannot be removed one by one. Copies of a table share nothing: do
 * not copy the struct.
 */
#ifndef TN_BASE_NAMES_H
#define TN_BASE_NAMES_H

#include "base/arena.h"
#include "base/base.h"
#include "base/suggest.h"

typedef struct tn_name_entry {
    const char *text; /* zero-terminated */
    uint32_t length;  /* bytes */
    uint32_t hash;
    int32_t value;
} tn_name_entry;

/* Zero it to start: tn_names names = {0}; */
typedef struct tn_names {
    tn_arena texts;
    tn_name_entry *entries; /* in the order they were added */
    int32_t count;
    int32_t capacity;
    int32_t *slots;     /* open addressing: index into entries, -1 empty */
    int32_t slot_count; /* 0 or a power of two, more than half as many again as count */
} tn_names;

/* What tn_names_find answers for a name that is not there. */
#define TN_NO_NAME (-1)

/* Adds a name of length bytes with its value (>= 0). TN_ERROR_CONFLICT when the name is there
 * already (nothing changes), TN_ERROR_MEMORY, or TN_ERROR_ARGUMENT for an over-long name or a zero
 * byte. */
TN_SIBLING tn_status tn_names_add(tn_names *names, const char *text, size_t length, int32_t value);

/* The value of a name, or TN_NO_NAME. */
TN_SIBLING int32_t tn_names_find(const tn_names *names, const char *text, size_t length);
TN_SIBLING int32_t tn_names_find_text(const tn_names *names, const char *text);

/* Offers all of them (suggest.h). */
TN_SIBLING void tn_names_offer(const tn_names *names, tn_suggestion *suggestion);

TN_SIBLING void tn_names_free(tn_names *names);

#endif
