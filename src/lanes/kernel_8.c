/* kernel_8.c: room lanes: eight worlds at a time, with AVX-512. See kernel.h. Without fused products:
 * the bits are those of every other width.
 */
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512vl"))),                 \
                             apply_to = function)
#else
#pragma GCC target("avx512f,avx512dq,avx512vl")
#endif
#include <immintrin.h>
#define TN_LANES 8
#define TN_LANES_AVX512
#include "lanes/kernel.h"

const tn_lane_kernel tn_lane_kernel_8 = {TN_LANES, TN_LANE_WORK_SIZE, sizeof(tn_hinge_inertia), run,
                                         commit};
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
