/* kernel_base.h: room lanes: what a step of a block works with. Part of kernel.h. */
#ifndef TN_LANES_KERNEL_BASE_H
#define TN_LANES_KERNEL_BASE_H

#include "lanes/block.h"

/* Beyond this a number is on its way to infinity, and its lane leaves. */
#define TN_LANE_LARGE 1e290

/* What a step works with, of a limb. */
typedef struct tn_lane_work {
    tn_hinge_limb limb;
    tn_real lambda[TN_LANE_ROWS];
    tn_real turns;
} tn_lane_work;

/* The world, at the end. */
typedef struct tn_lane_end {
    tn_lane_world world;
    tn_lane_work limbs[];
} tn_lane_end;

typedef struct tn_lane_course {
    const tn_lane_shape *shape;
    const tn_lane_rule *rule;
    tn_lane_views block;
    tn_lane_world *world; /* the next one */
    tn_lane_work *work;
    tn_mask stays; /* lanes that are still in the step */
} tn_lane_course;

TN_INLINE tn_lane_course course_of(const tn_lane_shape *shape, const tn_lane_rule *rule,
                                   double *block, double *work)
{
    tn_lane_end *end = (tn_lane_end *)(void *)work;
    return (tn_lane_course){shape,       rule,       tn_lane_view(shape, block),
                            &end->world, end->limbs, r_yes()};
}

/* The limb it hangs on; NULL: what does not move. */
TN_INLINE tn_hinge_limb *inner_limb(const tn_lane_course *t, int32_t k)
{
    const int32_t inner = t->shape->inner[k];
    return inner < 0 ? NULL : &t->work[inner].limb;
}

typedef struct tn_lane_frame {
    const tn_real33 *R;
    tn_real3 x;
} tn_lane_frame;

TN_INLINE tn_lane_frame own_frame(const tn_lane_course *t, int32_t k)
{
    return (tn_lane_frame){&t->work[k].limb.R, t->work[k].limb.pose.x};
}

TN_INLINE tn_lane_frame inner_frame(const tn_lane_course *t, int32_t k)
{
    const int32_t inner = t->shape->inner[k];
    if (inner >= 0)
        return own_frame(t, inner);
    return (tn_lane_frame){&t->block.bodies[k].base_R, t->block.bodies[k].base_x};
}

#endif
