/* hinge_stages_wide.c: room method/links: four links at a time, with AVX2. See hinge_stages.h. Without fused
 * products: the bits are those of every other machine.
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
#include "method/links/hinge_stages.h"
#include "method/links/hinge_rows.h"
#include "method/links/hinge_show.h"
#include "method/links/hinge_show_forces.h"
#include "method/links/hinge_spin.h"

const tn_hinge_stages tn_hinge_stages_wide = {start, turn,   strive,      cross,       eliminate,
                                              nudge, settle, show_motion, show_forces, spin};
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
