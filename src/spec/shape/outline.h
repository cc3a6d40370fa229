/* outline.h (room: spec/shape): what a shape looks like, as one primitive of draw.h. One function per
 * kind of TN_SHAPE_LIST, named tn_outline_<kind>.
 */
#ifndef TN_SPEC_SHAPE_OUTLINE_H
#define TN_SPEC_SHAPE_OUTLINE_H

#include "base/arena.h"
#include "tenon/draw.h"

/* The definition has been checked. Sets kind, size, points and triangles; pose is that of the
 * shape's frame in the body on entry. Arrays are the arena's. Only fails for want of memory. */
typedef tn_status (*tn_outline_function)(const tn_shape_def *def, tn_arena *arena,
                                         tn_primitive *out);

#define TN_OUTLINE_DECLARE(id, name, doc)                                                          \
    tn_status tn_outline_##name(const tn_shape_def *def, tn_arena *arena, tn_primitive *out);
TN_SHAPE_LIST(TN_OUTLINE_DECLARE)
#undef TN_OUTLINE_DECLARE

/* The function of a kind; the kind must be valid. */
tn_outline_function tn_outline_of_kind(tn_shape_kind kind);

#endif
