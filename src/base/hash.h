/* hash.h: room base: a hash of bytes that detects damaged or different data; not safe against forgery. */
#ifndef TN_BASE_HASH_H
#define TN_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TN_HASH_START 0xcbf29ce484222325u

/* Of what came before (or TN_HASH_START) and these bytes; eight at a time, each step a bijection,
 * so that no single change is lost. The same on machines with the same order of bytes. */
static inline uint64_t tn_hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *from = bytes;
    while (count > 0) {
        uint64_t word = 0;
        const size_t part = count < sizeof word ? count : sizeof word;
        memcpy(&word, from, part);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
        from += part;
        count -= part;
    }
    return hash;
}

#endif
