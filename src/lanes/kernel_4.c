/* kernel_4.c: room lanes: four worlds at a time, with AVX2. See kernel.h. Without fused products:
 * the bits are those of every other width.
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
#include "lanes/kernel.h"

const tn_lane_kernel tn_lane_kernel_4 = {TN_LANES, TN_LANE_WORK_SIZE, sizeof(tn_hinge_inertia), run,
                                         commit};
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
