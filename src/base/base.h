/* base.h: what every room stands on: memory, assertions, linkage.
 *
 * Room base. Core code never calls malloc itself: tn_realloc goes through the one hook that
 * tn_set_allocator (status.h) replaces, so a test can count or fail every allocation.
 *
 * In: sizes, texts, and what went wrong where. Out: memory that a test can refuse, texts kept
 * once, statuses and diagnostics; nothing of mechanics.
 */
#ifndef TN_BASE_BASE_H
#define TN_BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tenon/status.h"

/* Statuses need tests for NaN and infinity, and the same bits need sums in a fixed order. A build without these would
 * refuse every model, or none. */
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "Tenon cannot be compiled with -ffast-math or -ffinite-math-only"
#endif

/* Marks an internal function that the sibling library libtenon_io calls: visible in libtenon.so,
 * but in no public header and without any promise to other programs. */
#define TN_SIBLING TN_API

/* realloc through the hook: size 0 frees and returns NULL, a NULL block allocates.
 * NULL for a size > 0 means out of memory; the old block is then untouched. */
TN_SIBLING void *tn_realloc(void *block, size_t size);

/* count zeroed items of item_size bytes; NULL when out of memory or when the product overflows.
 * A count of 0 gives a block that must be freed too, so NULL always means failure. */
TN_SIBLING void *tn_alloc(size_t count, size_t item_size);

/* Frees; NULL is fine. */
TN_SIBLING void tn_free(void *block);

/* Bytes that this thread has requested so far. Batches compare it before and after making one member, to know the
 * size of all (room batch). */
size_t tn_requested(void);
/* Bytes of memory of the machine; SIZE_MAX: unknown. */
size_t tn_memory_of_machine(void);

/* A copy of length bytes of text plus a terminating zero; NULL when out of memory. */
TN_SIBLING char *tn_copy_text(const char *text, size_t length);

/* Makes room for wanted items in a growing array: returns the (possibly moved) array and updates
 * *capacity, growing by half so that appending costs constant time on average. New items are not
 * initialised. NULL when out of memory: array and *capacity are then unchanged.
 *     item *grown = tn_grow(list->items, &list->capacity, list->count + 1, sizeof *list->items);
 *     if (grown == NULL) return TN_ERROR_MEMORY;
 *     list->items = grown; */
TN_SIBLING void *tn_grow(void *array, int32_t *capacity, int32_t wanted, size_t item_size);

/* count zeroed items of a type. */
#define TN_NEW_ARRAY(type, count) ((type *)tn_alloc((size_t)(count), sizeof(type)))
#define TN_NEW(type)              TN_NEW_ARRAY(type, 1)

/* calls.c. Callbacks of the caller that this thread is inside of; one begins, and ends. */
TN_SIBLING int32_t tn_callbacks(void);
TN_SIBLING void tn_callback_begin(void);
TN_SIBLING void tn_callback_end(void);

/* What tn_set_stop has set for this thread. */
typedef struct tn_stop {
    tn_stop_function function;
    void *context;
} tn_stop;
TN_SIBLING tn_stop tn_get_stop(void);
/* Is this thread to end what it does? Checked in each sub-step, before each factorization and in each pass of
 * long searches; it costs a call. */
TN_SIBLING bool tn_is_stopped(void);
/* Before each factorization: counts it. TN_ERROR_WORK: there were `most`; TN_ERROR_STOPPED. */
tn_status tn_spend(int32_t *work, int32_t most);
/* Statuses that no other attempt can cure: the work of the call is used up, or it is to stop. */
static inline bool tn_is_final(tn_status status)
{
    return status == TN_ERROR_WORK || status == TN_ERROR_STOPPED;
}

/* The caller's contract. Off in Release; the build decides with TN_ASSERTIONS. */
TN_SIBLING void tn_assert_failed(const char *condition, const char *file, int line);
#if defined(TN_ASSERTIONS)
#define TN_ASSERT(condition)                                                                       \
    ((condition) ? (void)0 : tn_assert_failed(#condition, __FILE__, __LINE__))
#else
#define TN_ASSERT(condition) ((void)sizeof(condition))
#endif

/* The caller's contract at a public function. In every build a call that breaks it does nothing and returns `value`:
 * a status, or NaN, NULL or an index of nothing for functions without status. */
#define TN_DEMAND(condition, value)                                                                \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            TN_ASSERT(0 && #condition);                                                            \
            return value;                                                                          \
        }                                                                                          \
    } while (0)
#define TN_DEMAND_OR_RETURN(condition)                                                             \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            TN_ASSERT(0 && #condition);                                                            \
            return;                                                                                \
        }                                                                                          \
    } while (0)

/* True if 0 <= index < count. */
#define TN_IN(index, count) ((index) >= 0 && (index) < (count))

/* A function of which every caller has its own copy, made for its constant arguments. Where sanitizers check each
 * access, callers share one copy: such copies took most of the time to compile. */
#if defined(__SANITIZE_ADDRESS__)
#define TN_INLINE static inline
#else
#define TN_INLINE static inline __attribute__((always_inline))
#endif

#define TN_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
