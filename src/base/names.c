/* names.c: hash table of names, open addressing with linear probing.
 *
 * Room base. The hash is FNV-1a (Fowler, Noll, Vo) with a final avalanche (the MurmurHash3
 * finaliser, Appleby), because linear probing needs good low bits and generated names (link1,
 * link2, ...) differ in few. At most 2/3 of the slots are used.
 */
#include "base/names.h"

#include <stdbool.h>
#include <string.h>

#define TN_FIRST_SLOTS 16

static uint32_t hash_text(const char *text, size_t length)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++) {
        h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    }
    h = (h ^ (h >> 33)) * UINT64_C(0xff51afd7ed558ccd);
    h = (h ^ (h >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
    return (uint32_t)(h ^ (h >> 33));
}

/* The slot of a name, or the empty slot where it belongs. There is always an empty one. */
static int32_t *slot_of(const tn_names *names, const char *text, size_t length, uint32_t hash)
{
    uint32_t mask = (uint32_t)names->slot_count - 1;
    for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
        int32_t *slot = &names->slots[i];
        if (*slot < 0) {
            return slot;
        }
        const tn_name_entry *entry = &names->entries[*slot];
        if (entry->hash == hash && entry->length == length &&
            memcmp(entry->text, text, length) == 0) {
            return slot;
        }
    }
}

/* Doubles the slots when one more name would fill more than 2/3; false when out of memory. */
static bool make_slots(tn_names *names)
{
    if (2 * (int64_t)names->slot_count >= 3 * ((int64_t)names->count + 1)) {
        return true;
    }
    int64_t wanted = names->slot_count > 0 ? 2 * (int64_t)names->slot_count : TN_FIRST_SLOTS;
    if (wanted > INT32_MAX) {
        return false;
    }
    int32_t *slots = TN_NEW_ARRAY(int32_t, wanted);
    if (slots == NULL) {
        return false;
    }
    for (int64_t i = 0; i < wanted; i++) {
        slots[i] = -1;
    }
    tn_free(names->slots);
    names->slots = slots;
    names->slot_count = (int32_t)wanted;
    for (int32_t i = 0; i < names->count; i++) {
        const tn_name_entry *entry = &names->entries[i];
        *slot_of(names, entry->text, entry->length, entry->hash) = i;
    }
    return true;
}

static bool make_entries(tn_names *names)
{
    tn_name_entry *grown =
        names->count < INT32_MAX
            ? tn_grow(names->entries, &names->capacity, names->count + 1, sizeof(*names->entries))
            : NULL;
    if (grown != NULL) {
        names->entries = grown;
    }
    return grown != NULL;
}

tn_status tn_names_add(tn_names *names, const char *text, size_t length, int32_t value)
{
    TN_ASSERT(value >= 0);
    if (value < 0 || length > INT32_MAX || memchr(text, '\0', length) != NULL) {
        return TN_ERROR_ARGUMENT;
    }
    if (!make_slots(names) || !make_entries(names)) {
        return TN_ERROR_MEMORY;
    }
    uint32_t hash = hash_text(text, length);
    int32_t *slot = slot_of(names, text, length, hash);
    if (*slot >= 0) {
        return TN_ERROR_CONFLICT;
    }
    char *copy = tn_arena_text(&names->texts, text, length);
    if (copy == NULL) {
        return TN_ERROR_MEMORY;
    }
    names->entries[names->count] = (tn_name_entry){copy, (uint32_t)length, hash, value};
    *slot = names->count++;
    return TN_OK;
}

int32_t tn_names_find(const tn_names *names, const char *text, size_t length)
{
    if (names->count == 0) {
        return TN_NO_NAME;
    }
    int32_t index = *slot_of(names, text, length, hash_text(text, length));
    return index >= 0 ? names->entries[index].value : TN_NO_NAME;
}

int32_t tn_names_find_text(const tn_names *names, const char *text)
{
    return tn_names_find(names, text, strlen(text));
}

void tn_names_offer(const tn_names *names, tn_suggestion *suggestion)
{
    for (int32_t i = 0; i < names->count; i++) {
        tn_suggestion_offer(suggestion, names->entries[i].text);
    }
}

void tn_names_free(tn_names *names)
{
    tn_arena_free(&names->texts);
    tn_free(names->entries);
    tn_free(names->slots);
    *names = (tn_names){0};
}
