/* design.c: room study: which values the parameters have in a case.
 *
 * Lists and ranges make a grid, all with all; each point of it is taken with every sample of what is
 * random. Case = grid point * samples + sample; the first list varies slowest. Random numbers are
 * functions of seed, axis and sample alone, so that any case can be had without those before it.
 * For Sobol's indices (indices.c) there are several sets of the samples, one after the other.
 */
#include <math.h>

#include "study/study.h"

/* A bijection of 64 bits after which all of them depend on all (Steele, Lea, Flood: SplitMix, 2014). */
static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t key_of(const tn_study *study, int32_t axis, uint64_t purpose)
{
    return mix(mix(study->seed ^ mix(purpose)) + (uint64_t)axis);
}

/* In (0, 1), never at its ends. */
static double unit(uint64_t bits)
{
    return ((double)(bits >> 11) + 0.5) * 0x1p-53;
}

#define ROUNDS 6

/* Another number of as many bits, each once: a Feistel network of two halves. */
static uint32_t shuffle_bits(uint32_t x, int half, uint64_t key)
{
    const uint32_t mask = ((uint32_t)1 << half) - 1;
    uint32_t left = x >> half, right = x & mask;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        const uint32_t next = left ^ ((uint32_t)mix(key + (round << 32) + right) & mask);
        left = right;
        right = next;
    }
    return left << half | right;
}

/* Where x goes in an order of 0 .. count - 1 by chance: what leaves them is shuffled on. */
static uint32_t shuffle(uint32_t x, uint32_t count, uint64_t key)
{
    int half = 1;
    while ((uint64_t)1 << (2 * half) < count)
        half++;
    do {
        x = shuffle_bits(x, half, key);
    } while (x >= count);
    return x;
}

enum { PURPOSE_VALUE, PURPOSE_ORDER, PURPOSE_SHIFT };

double tn_study_draw(const tn_study *study, int32_t axis, int32_t sample)
{
    const uint32_t s = (uint32_t)sample;
    const double value = unit(mix(key_of(study, axis, PURPOSE_VALUE) + s));
    switch (study->sampling) {
    case TN_SAMPLING_LATIN_HYPERCUBE: {
        const uint32_t n = (uint32_t)study->samples;
        return ((double)shuffle(s, n, key_of(study, axis, PURPOSE_ORDER)) + value) / (double)n;
    }
    case TN_SAMPLING_SOBOL: {
        const uint32_t shift = (uint32_t)(key_of(study, axis, PURPOSE_SHIFT) >> 32);
        return ((double)(tn_sobol(axis, s) ^ shift) + 0.5) * 0x1p-32;
    }
    default:
        return value;
    }
}

int32_t tn_study_most_axes(tn_sampling sampling)
{
    return sampling == TN_SAMPLING_SOBOL ? TN_SOBOL_AXES : INT32_MAX;
}

static double grid_value(const tn_varied *varied, int32_t k)
{
    if (varied->way == TN_WAY_LIST)
        return varied->values[k];
    const double share = varied->count > 1 ? (double)k / (double)(varied->count - 1) : 0.0;
    return k + 1 == varied->count && k > 0 ? varied->to
                                           : varied->from + share * (varied->to - varied->from);
}

/* The axis that numbers of a set are taken from: the second set has axes of its own. */
static int32_t drawn_axis(const tn_study *study, int32_t axis, int32_t set)
{
    return set == 1 || set == 2 + axis ? study->axes + axis : axis;
}

void tn_study_values(const tn_study *study, int64_t index, double *out)
{
    const int32_t sample = (int32_t)(index % study->samples);
    const int32_t set = (int32_t)(index / study->samples % tn_study_sets(study));
    int64_t point = index / study->samples / tn_study_sets(study);
    for (int32_t i = study->varied_count - 1; i >= 0; i--) {
        const tn_varied *varied = &study->varied[i];
        if (varied->axis >= 0) {
            const int32_t axis = drawn_axis(study, varied->axis, set);
            out[i] = tn_varied_quantile(varied, tn_study_draw(study, axis, sample));
        } else {
            out[i] = grid_value(varied, (int32_t)(point % varied->count));
            point /= varied->count;
        }
    }
}
