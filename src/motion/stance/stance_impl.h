/* stance_impl.h: room motion/stance, private: what it works with. */
#ifndef TN_MOTION_STANCE_STANCE_IMPL_H
#define TN_MOTION_STANCE_STANCE_IMPL_H

#include "motion/stance/held_turns.h"
#include "motion/stance/stance.h"
#include "motion/stance/tree_order.h"

/* Of a body, world axes. */
typedef struct tn_stance_body {
    tn_vec3 turn;           /* rad/s, its angular velocity */
    tn_vec3 f, m;           /* N, N m: what acts on it but for joints */
    tn_vec3 v, w;           /* m/s^2, rad/s^2: of its centre of mass */
    tn_vec3 pull_f, pull_m; /* N, N m: of its joint, at P */
    tn_vec3 left_f, left_m; /* N, N m: what Newton and Euler leave */
} tn_stance_body;

typedef struct tn_stance_pose {
    tn_limb *limbs;      /* [count] */
    tn_held_turns *held; /* [count] */
} tn_stance_pose;

/* What a body turns by against what it hangs on, its own axes, and the way of one that floats; rates are those of the
 * ends, times the length (between.c). */
typedef struct tn_stance_course {
    tn_quat q; /* of the start, against the inner body */
    tn_vec3 turn, turn_0, turn_1;
    tn_vec3 way, way_0, way_1;
} tn_stance_course;

struct tn_stance {
    tn_tree_link *links; /* inner ones first */
    int32_t count;
    tn_stance_pose at[TN_STANCE_PLACES];
    tn_stance_body *bodies;    /* [count] */
    tn_stance_course *courses; /* [count] */
};

#endif
