/* random_numbers.h: test support: a small generator with a seed of its own, the same numbers
 * everywhere (linear congruential, Knuth's MMIX constants).
 */
#ifndef TENON_TESTS_RANDOM_NUMBERS_H
#define TENON_TESTS_RANDOM_NUMBERS_H

#include <stdint.h>

static inline double random_between(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

#endif
