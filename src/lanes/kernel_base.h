/* kernel_base.h: room lanes: what a step of a block works with. Part of kernel.h. */
#ifndef TN_LANES_KERNEL_BASE_H
#define TN_LANES_KERNEL_BASE_H

#include "lanes/block.h"

/* Beyond this a number is on its way to infinity, and its lane leaves. */
#define TN_LANE_LARGE 1e290

/* What a step finds beside that, of a limb. */
typedef struct tn_lane_work {
    tn_real lambda[TN_LANE_ROWS];
    tn_real turns;
} tn_lane_work;

/* The world, at the end. */
typedef struct tn_lane_end {
    tn_lane_world world;
    tn_hinge_limb limbs[];
} tn_lane_end;

/* Bytes for a limb: in all three arrays. */
enum { TN_LANE_WORK_SIZE = sizeof(tn_hinge_limb) + sizeof(tn_lane_work) };

typedef struct tn_lane_course {
    const tn_lane_shape *shape;
    const tn_lane_rule *rule;
    tn_lane_views block;
    tn_lane_world *world; /* the next one */
    tn_lane_work *work;
    tn_hinge_tree tree;
    tn_mask stays; /* lanes that are still in the step */
} tn_lane_course;

TN_INLINE tn_lane_course course_of(const tn_lane_shape *shape, const tn_lane_rule *rule,
                                   double *block, double *work)
{
    tn_lane_end *end = (tn_lane_end *)(void *)work;
    tn_lane_work *found = (tn_lane_work *)(void *)(end->limbs + shape->count);
    return (tn_lane_course){
        .shape = shape,
        .rule = rule,
        .block = tn_lane_view(shape, block),
        .world = &end->world,
        .work = found,
        .tree = {.limbs = end->limbs,
                 .inner = shape->inner,
                 .slots = shape->slots,
                 .inertias = (tn_hinge_inertia *)(void *)(found + shape->count),
                 .count = shape->count},
        .stays = r_yes(),
    };
}

typedef struct tn_lane_frame {
    const tn_real33 *R;
    tn_real3 x;
} tn_lane_frame;

TN_INLINE tn_lane_frame own_frame(const tn_lane_course *t, int32_t k)
{
    return (tn_lane_frame){&t->tree.limbs[k].R, t->tree.limbs[k].pose.x};
}

TN_INLINE tn_lane_frame inner_frame(const tn_lane_course *t, int32_t k)
{
    const int32_t inner = t->shape->inner[k];
    if (inner >= 0)
        return own_frame(t, inner);
    return (tn_lane_frame){&t->block.bodies[k].base_R, t->block.bodies[k].base_x};
}

#endif
