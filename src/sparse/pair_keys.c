/* pair_keys.c: room sparse: lists of pairs (pair_keys.h). */
#include "sparse/pair_keys.h"

#include <stdlib.h>

int64_t tn_pair_key(int32_t a, int32_t b)
{
    return a < b ? (int64_t)a << 32 | b : (int64_t)b << 32 | a;
}

static int compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

int64_t tn_pair_keys_sort(int64_t *keys, int64_t count)
{
    int64_t kept = 0;
    qsort(keys, (size_t)count, sizeof *keys, compare);
    for (int64_t k = 0; k < count; k++) {
        if (k == 0 || keys[k] != keys[k - 1])
            keys[kept++] = keys[k];
    }
    return kept;
}

int32_t tn_pair_keys_find(const int64_t *keys, int64_t count, int64_t key)
{
    int64_t low = 0, high = count;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (keys[middle] <= key) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (int32_t)low;
}

void tn_pair_keys_split(const int64_t *keys, int64_t count, int32_t *nodes)
{
    for (int64_t k = 0; k < count; k++) {
        nodes[2 * k] = (int32_t)(keys[k] >> 32);
        nodes[2 * k + 1] = (int32_t)(keys[k] & INT32_MAX);
    }
}
