/* pair_keys.h: room sparse: pairs of nodes as sorted numbers, to list those of a mesh once each and to find them again. */
#ifndef TN_SPARSE_PAIR_KEYS_H
#define TN_SPARSE_PAIR_KEYS_H

#include <stdint.h>

/* Two nodes as one number, the smaller in front. */
int64_t tn_pair_key(int32_t a, int32_t b);
/* Sorts them and drops repeats. Returns how many are left. */
int64_t tn_pair_keys_sort(int64_t *keys, int64_t count);
/* The number of one that is among them. */
int32_t tn_pair_keys_find(const int64_t *keys, int64_t count, int64_t key);
/* nodes[2 k], [2 k + 1]: those of key k. */
void tn_pair_keys_split(const int64_t *keys, int64_t count, int32_t *nodes);

#endif
