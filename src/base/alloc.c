/* alloc.c: the one place where Tenon takes and gives back memory.
 *
 * Room base. The hook is the library's only changeable global besides the assertion handler; it is
 * set before the first object exists (status.h), so reading it needs no lock.
 */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Objects above this cannot be addressed by pointer differences. */
#define TN_LARGEST_BLOCK ((size_t)PTRDIFF_MAX)

/* First size of a growing array, in items: fewer moves for small lists, little waste. */
#define TN_FIRST_CAPACITY 8

static void *libc_realloc(void *context, void *block, size_t size)
{
    (void)context;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, size);
}

static struct {
    tn_realloc_function function;
    void *context;
} hook = {libc_realloc, NULL};

void tn_set_allocator(tn_realloc_function function, void *context)
{
    hook.function = function != NULL ? function : libc_realloc;
    hook.context = function != NULL ? context : NULL;
}

static _Thread_local size_t requested;

size_t tn_requested(void)
{
    return requested;
}

size_t tn_memory_of_machine(void)
{
#ifdef _SC_PHYS_PAGES
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    if (pages > 0 && size > 0 && (size_t)pages <= SIZE_MAX / (size_t)size) {
        return (size_t)pages * (size_t)size;
    }
#endif
    return SIZE_MAX;
}

void *tn_realloc(void *block, size_t size)
{
    if (size > TN_LARGEST_BLOCK) {
        return NULL;
    }
    requested += size;
    return hook.function(hook.context, block, size);
}

/* The C library takes large blocks from the system, where they are zero already: what of them is never used,
 * such as room for rows that are not active, then takes no memory. */
void *tn_alloc(size_t count, size_t item_size)
{
    if (item_size != 0 && count > TN_LARGEST_BLOCK / item_size) {
        return NULL;
    }
    size_t size = count * item_size;
    if (hook.function == libc_realloc) {
        requested += size;
        return calloc(size > 0 ? size : 1, 1);
    }
    void *block = tn_realloc(NULL, size > 0 ? size : 1);
    if (block != NULL) {
        memset(block, 0, size > 0 ? size : 1);
    }
    return block;
}

void tn_free(void *block)
{
    if (block != NULL) {
        tn_realloc(block, 0);
    }
}

char *tn_copy_text(const char *text, size_t length)
{
    TN_ASSERT(text != NULL);
    if (length >= TN_LARGEST_BLOCK) {
        return NULL;
    }
    char *copy = tn_realloc(NULL, length + 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

void *tn_grow(void *array, int32_t *capacity, int32_t wanted, size_t item_size)
{
    TN_ASSERT(wanted >= 0 && *capacity >= 0 && item_size > 0);
    if (wanted <= *capacity && array != NULL) {
        return array;
    }
    int64_t larger = (int64_t)*capacity + *capacity / 2;
    if (larger < TN_FIRST_CAPACITY) {
        larger = TN_FIRST_CAPACITY;
    }
    if (larger < wanted) {
        larger = wanted;
    }
    if (larger > INT32_MAX) {
        larger = INT32_MAX;
    }
    if ((size_t)larger > TN_LARGEST_BLOCK / item_size) {
        return NULL;
    }
    void *grown = tn_realloc(array, (size_t)larger * item_size);
    if (grown != NULL) {
        *capacity = (int32_t)larger;
    }
    return grown;
}
