/* front_8.c: room sparse/front: eight columns at a time, with AVX-512, without fused products. See front.h.
 */
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512vl"))),                 \
                             apply_to = function)
#else
#pragma GCC target("avx512f,avx512dq,avx512vl")
#endif
#define TN_LANES 8
#include "sparse/front/front_kernel.h"

const tn_front_kernel tn_front_kernel_8 = {TN_LANES, divide, update, push, pull};
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
