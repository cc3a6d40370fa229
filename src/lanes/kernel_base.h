/* kernel_base.h: room lanes: what a step of a block works with. Part of kernel.h. */
#ifndef TN_LANES_KERNEL_BASE_H
#define TN_LANES_KERNEL_BASE_H

#include "lanes/block.h"

/* Beyond this a number is on its way to infinity, and its lane leaves. */
#define TN_LANE_LARGE 1e290

/* What a step works with, of a limb. */
typedef struct tn_lane_work {
    tn_limb limb;
    tn_alpha_link link;
    tn_real dq[6], u[6], udot[6], base[6]; /* base: of acc, without udot+ */
    tn_body_pose pose;
    tn_real33 R;
    tn_real33 R_GW;
    tn_real lambda[TN_LANE_ROWS];
    tn_real cosine, sine, turns;
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

TN_INLINE tn_real3 r3_times(double a, tn_real3 v)
{
    return r3_scale(r_splat(a), v);
}

/* ---- structure and constants of the links ---- */

/* Once for many steps. */
static void put_links(const tn_lane_course *t)
{
    const tn_lane_shape *shape = t->shape;
    for (int32_t k = 0; k < shape->count; k++) {
        const tn_lane_body *body = &t->block.bodies[k];
        const bool is_a = shape->is_a[k];
        tn_lane_work *w = &t->work[k];
        w->limb.inner = shape->inner[k];
        w->limb.joint = TN_LIMB_HINGE;
        w->link.sign = is_a ? 1.0 : -1.0;
        w->link.mass = body->mass;
        w->link.J = body->J;
        w->link.at = is_a ? body->p_CA : body->p_DB;
        w->link.inner_at = is_a ? body->p_DB : body->p_CA;
        w->link.axis = r33_column(is_a ? &body->R_CA : &body->R_DB, 2);
        w->link.inner_axis = r33_column(is_a ? &body->R_DB : &body->R_CA, 2);
    }
}

typedef struct tn_lane_frame {
    const tn_real33 *R;
    tn_real3 x;
} tn_lane_frame;

TN_INLINE tn_lane_frame own_frame(const tn_lane_course *t, int32_t k)
{
    return (tn_lane_frame){&t->work[k].R, t->work[k].pose.x};
}

TN_INLINE tn_lane_frame inner_frame(const tn_lane_course *t, int32_t k)
{
    const int32_t inner = t->shape->inner[k];
    if (inner >= 0)
        return own_frame(t, inner);
    return (tn_lane_frame){&t->block.bodies[k].base_R, t->block.bodies[k].base_x};
}

#endif
