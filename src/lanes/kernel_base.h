/* kernel_base.h: room lanes: what a step of a block works with. Part of kernel.h. */
#ifndef TN_LANES_KERNEL_BASE_H
#define TN_LANES_KERNEL_BASE_H

#include "lanes/block.h"

/* Bound of hinge speed over the largest spin of a body about any of its axes: 2 sqrt(3) = 3.46, as both bodies may turn
 * about all three of their axes. */
#define TN_LANE_SPEEDS 3.5

/* A number beyond this is diverging, and its lane drops out. */
#define TN_LANE_LARGE 1e290

/* Number of states of a link: before the last step, after it, and the result of the next one. */
enum { TN_LANE_STATES = 3 };

/* Layout of `work`: the world, links, then all states and all turns by number of state; then inertias. */
typedef struct tn_lane_end {
    tn_lane_world world; /* at the end */
    tn_hinge_limb limbs[];
} tn_lane_end;

/* Bytes per link. */
enum {
    TN_LANE_WORK_SIZE =
        sizeof(tn_hinge_limb) + TN_LANE_STATES * (sizeof(tn_hinge_state) + sizeof(tn_real))
};

/* A state of all links. */
typedef struct tn_lane_moment {
    tn_hinge_state *limbs;
    tn_real *turns; /* beside the angle of the half angle that is remembered */
} tn_lane_moment;

/* What a step needs to know about its start, over all bodies. */
typedef struct tn_lane_look {
    tn_real farthest; /* m */
    tn_real slowest;  /* m/s, rad/s: of the body that moves least, its fastest direction */
    tn_real fastest;  /* rad/s: about any of its axes, of all bodies */
    tn_real change;   /* rad */
} tn_lane_look;

typedef struct tn_lane_course {
    const tn_lane_shape *shape;
    const tn_lane_rule *rule;
    tn_lane_views block;
    tn_lane_world *world; /* the next one */
    tn_lane_moment before, from, to;
    tn_hinge_tree tree;
    tn_lane_look look; /* of the start, and then of the end */
    tn_mask stays;     /* lanes that are still in the step */
} tn_lane_course;

TN_INLINE void put_tree_states(tn_lane_course *t)
{
    t->tree.from = t->from.limbs;
    t->tree.to = t->to.limbs;
}

/* Views of block and work, as at the first step since the block was loaded. */
TN_INLINE tn_lane_course course_of(const tn_lane_shape *shape, const tn_lane_rule *rule,
                                   double *block, double *work)
{
    const int32_t n = shape->count;
    tn_lane_end *end = (tn_lane_end *)(void *)work;
    tn_hinge_state *states = (tn_hinge_state *)(void *)(end->limbs + n);
    tn_real *turns = (tn_real *)(void *)(states + (size_t)TN_LANE_STATES * (size_t)n);
    tn_lane_course t = {
        .shape = shape,
        .rule = rule,
        .block = tn_lane_view(shape, block),
        .world = &end->world,
        .before = {states, turns},
        .from = {states + n, turns + n},
        .to = {states + 2 * (size_t)n, turns + 2 * (size_t)n},
        .tree = {.limbs = end->limbs,
                 .inner = shape->inner,
                 .slots = shape->slots,
                 .inertias = (tn_hinge_inertia *)(void *)(turns + TN_LANE_STATES * (size_t)n),
                 .count = n,
                 .principal = shape->principal},
        .stays = r_yes(),
    };
    put_tree_states(&t);
    return t;
}

/* After a step: its result becomes the start of the next one. */
TN_INLINE void turn_over(tn_lane_course *t)
{
    const tn_lane_moment free = t->before;
    t->before = t->from;
    t->from = t->to;
    t->to = free;
    put_tree_states(t);
}

/* ---- the start of a step ---- */

TN_INLINE tn_real largest_of(const tn_real *a, int count, tn_real least)
{
    for (int i = 0; i < count; i++)
        least = r_max(r_abs(a[i]), least);
    return least;
}

TN_INLINE void look_up(tn_lane_course *t)
{
    t->look =
        (tn_lane_look){t->block.world->farthest, r_splat(DBL_MAX), r_splat(0.0), r_splat(0.0)};
}

TN_INLINE void look_at(const tn_hinge_state *from, tn_lane_look *now)
{
    const tn_real spin = largest_of(from->at.u + 3, 3, r_splat(0.0));
    const tn_real speed = largest_of(from->at.u, 3, spin);
    now->farthest = largest_of(&from->pose.x.x, 3, now->farthest);
    now->fastest = r_max(spin, now->fastest);
    now->slowest = r_select(speed < now->slowest, speed, now->slowest);
    hinge_note_change(&from->memory, &now->change);
}

#endif
