/* front_4.c: room sparse/front: four columns at a time, with AVX2. See front.h.
 */
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#define TN_LANES 4
#include "sparse/front/front_kernel.h"

const tn_front_kernel tn_front_kernel_4 = {TN_LANES, divide, update, push, pull};
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
