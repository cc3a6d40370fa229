/* pack.c: deep copies into one block (pack.h). */
#include "spec/pack.h"

#include <stdalign.h>
#include <string.h>

#include "base/base.h"

tn_status tn_pack_allocate(tn_pack *pack)
{
    if (pack->size > 0) {
        pack->block = tn_realloc(NULL, pack->size);
        if (pack->block == NULL) {
            return TN_ERROR_MEMORY;
        }
    }
    pack->size = 0;
    return TN_OK;
}

static const void *put(tn_pack *pack, const void *source, size_t size, size_t alignment)
{
    size_t at = (pack->size + alignment - 1) / alignment * alignment;
    pack->size = at + size;
    if (pack->block == NULL) {
        return source;
    }
    return memcpy(pack->block + at, source, size);
}

const void *tn_pack_items(tn_pack *pack, const void *items, int32_t count, size_t item_size)
{
    if (items == NULL || count <= 0) {
        return NULL;
    }
    return put(pack, items, (size_t)count * item_size, alignof(max_align_t));
}

const char *tn_pack_text(tn_pack *pack, const char *text)
{
    return text == NULL ? NULL : put(pack, text, strlen(text) + 1, 1);
}
