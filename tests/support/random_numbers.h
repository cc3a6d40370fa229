/* random_numbers.h: test support: a small generator with a seed of its own, the same numbers
 * everywhere (linear congruential, Knuth's MMIX constants).
 */
#ifndef TENON_TESTS_RANDOM_NUMBERS_H
#define TENON_TESTS_RANDOM_NUMBERS_H

#include <math.h>
#include <stdint.h>

#include "tenon/math.h"

static inline double random_between(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

/* Between -1 and 1. */
static inline double random_number(uint64_t *seed)
{
    return random_between(seed, -1.0, 1.0);
}

/* Each of its numbers between -size and size. */
static inline tn_vec3 random_within(uint64_t *seed, double size)
{
    const double x = random_between(seed, -size, size), y = random_between(seed, -size, size);
    return (tn_vec3){x, y, random_between(seed, -size, size)};
}

static inline tn_vec3 random_vector(uint64_t *seed)
{
    return random_within(seed, 1.0);
}

/* Of length 1. */
static inline tn_vec3 random_axis(uint64_t *seed)
{
    const tn_vec3 a = random_vector(seed);
    const double by = 1.0 / sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
    return (tn_vec3){by * a.x, by * a.y, by * a.z};
}

#endif
