/* space_wide.c: room method/space: four bodies or hinges at a time, with AVX2. See space_kernel.h. Without fused
 * products: the bits are those of two at a time.
 */
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#include <immintrin.h>
#define TN_LANES 4
#define TN_LANES_AVX2
#include "method/space/space_kernel.h"

const tn_space_kernel tn_space_kernel_4 = {iterate_hinges, find_part_of_hinges, take_part,
                                           finish_hinges_of};
const tn_space_kernel tn_space_balls_4 = {iterate_balls, find_part_of_balls, take_part_of_balls,
                                          finish_balls};
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
