/* places.c: where the fields of a spec were written (spec_internal.h).
 *
 * Room spec. The lists are sorted by item because items are noted in the order in which they are
 * added; within an item there are few fields, searched one by one, the last one first.
 */
#include "spec/spec_internal.h"

#include <string.h>

tn_status tn_spec_note_place(tn_spec *spec, tn_section section, const tn_place *place)
{
    tn_place_list *list = &spec->places[section];
    TN_ASSERT(list->count == 0 || list->places[list->count - 1].item <= place->item);
    tn_place *grown = tn_grow(list->places, &list->capacity, list->count + 1, sizeof(*grown));
    if (grown == NULL) {
        return TN_ERROR_MEMORY;
    }
    list->places = grown;
    list->places[list->count++] = *place;
    return TN_OK;
}

/* Number of places that belong to items up to and including this one. */
static int32_t end_of_item(const tn_place_list *list, int32_t item)
{
    int32_t low = 0;
    int32_t high = list->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (list->places[middle].item <= item) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const tn_place *tn_spec_find_place(const tn_spec *spec, tn_section section, int32_t item,
                                   const char *key, int32_t sub)
{
    const tn_place_list *list = &spec->places[section];
    for (int32_t i = end_of_item(list, item) - 1; i >= 0 && list->places[i].item == item; i--) {
        const tn_place *place = &list->places[i];
        if (place->sub == sub && strcmp(place->key, key) == 0) {
            return place;
        }
    }
    return NULL;
}

const char *tn_spec_written_key(const tn_spec *spec, tn_section section, int32_t item,
                                const char *key, const char *other)
{
    return tn_spec_find_place(spec, section, item, other, TN_WHOLE_FIELD) ? other : key;
}
