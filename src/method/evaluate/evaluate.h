/* evaluate.h: room method/evaluate: stages of explicit Runge-Kutta methods for trees, in the coordinates of the joints.
 *
 * Within a sub-step the state is (d, s) of all joints: what their coordinates have changed by since it began, and their speeds. A
 * joint of a type whose poses are products of turns and shifts has a screw for each of them, which stands still in the outer
 * body where the sub-step begins; with T the body in the inner one there, it is at T exp(s_1 d_1) exp(s_2 d_2) ... A ball joint and a
 * body that floats have the rotation vector d from there, with the angular velocity in body axes as s and d' = dexp^-1(d) s: no pole is
 * in the way. With Z the columns by which the outer body moves, A the armatures, t the efforts along the coordinates and f all
 * that acts on the bodies,
 *     Z^T (I Z s' - f) + A s' = t
 * is solved by the elimination of sparse/tree/branches.h. Held coordinates have the acceleration of what holds them, and their
 * multipliers follow from the wrench of the joint.
 *
 * Poses of all stages are on the joints, so none is projected. As the velocities of the bodies are functions of (d, s), sums of them by
 * the weights of the method have its order too: errors and continuous extensions are those of the bodies (method/stages).
 *
 * In: sim->mark, where a sub-step begins, with its accelerations; weights of stages. Out: pose, velocity and accelerations of the bodies
 * of a stage, multipliers of coordinates that are held or have springs.
 *
 * Limits: rigid bodies in space, no loops, no couplings; constraints are hard. Friction by reactions, joints that may break, loads
 * along coordinates that the program applies, and round bounds are left to the general way (motion/closing). Multipliers of
 * constraints are not computed.
 */
#ifndef TN_METHOD_EVALUATE_EVALUATE_H
#define TN_METHOD_EVALUATE_EVALUATE_H

#include "motion/simulation.h"
#include "motion/tree/tree_order.h"
#include "sparse/tree/branches.h"

/* How the outer body of a joint moves against the inner one. */
typedef enum tn_stage_kind { TN_STAGE_SCREWS, TN_STAGE_BALL, TN_STAGE_FREE } tn_stage_kind;

/* A turn or a shift by a coordinate, in axes of the body, where the sub-step begins. */
typedef struct tn_stage_screw {
    tn_vec3 axis; /* unit vector */
    tn_vec3 at;   /* m: a point of it, from the centre of mass */
    double spin;  /* rad, or 1/m of a thread, per unit of the coordinate; 0: it is a shift */
    double lead;  /* m per unit of the coordinate */
} tn_stage_screw;

/* A body with the joint at its inner end; inner ones come first. */
typedef struct tn_stage_joint {
    tn_tree_link link;
    tn_stage_kind kind;
    int32_t first, count;           /* its coordinates among those of all joints */
    int8_t coordinate[TN_MAX_ROWS]; /* of the joint type */
    double armature[TN_MAX_ROWS];   /* kg m^2, kg */
    /* where the sub-step begins: */
    tn_stage_screw screws[TN_MAX_ROWS];
    tn_quat rel;   /* the body in axes of the inner one, */
    tn_vec3 arm;   /* m: and its centre of mass from the inner one's; of what floats in the world */
    tn_vec3 pivot; /* m: likewise the point of a ball joint, or of its only screw */
} tn_stage_joint;

/* A body in a stage; world axes. */
typedef struct tn_stage_body {
    tn_mat3 R;
    tn_vec3 x, v, w;         /* m, m/s, rad/s: of its centre of mass */
    tn_vec3 pull_f, pull_m;  /* N, N m: of all its joints, about its centre of mass */
    tn_vec3 base;            /* m: from the inner one's centre of mass */
    tn_twist z[TN_MAX_ROWS]; /* columns, at its centre of mass */
    tn_vec3 r[TN_MAX_ROWS];  /* m: from the screw's point, or the ball's, to the centre of mass */
    tn_twist bias;           /* acceleration against the inner one without that of coordinates */
    double rate_of[TN_MAX_ROWS]; /* accelerations of the coordinates */
    double effort[TN_MAX_ROWS];  /* N m, N: known ones */
    double given[TN_MAX_ROWS];   /* acceleration of a held coordinate; NaN: it is free */
} tn_stage_body;

typedef struct tn_joint_stages {
    tn_stage_joint *joints; /* [count] */
    tn_stage_body *bodies;  /* [count + 1] the first one is the ground */
    tn_branch *branches;    /* [count] */
    int32_t count, size;    /* bodies; coordinates */
    int32_t stages;
    double *d, *s;       /* [size] of the stage at hand */
    double *s_0;         /* [size] where the sub-step begins */
    double *rates;       /* [stages][size] d' */
    double *sdots;       /* [stages][size] s' */
    tn_edition borne;    /* of the switches that have been found to fit */
    bool fits, is_known; /* what was found */
} tn_joint_stages;

/* NULL in *out: the model is no such tree. */
tn_status tn_joint_stages_create(const tn_sim *sim, int32_t stages, tn_joint_stages **out);
void tn_joint_stages_destroy(tn_joint_stages *w);

/* Before a sub-step from sim->mark, where sim->state is. False: it is to be taken in the velocities of the bodies. */
bool tn_joint_stages_begin(tn_joint_stages *w, const tn_sim *sim);
/* State h seconds after the start by the weights of so many stages: poses and velocities; *dq: the increment of the bodies' poses per
 * second. `at`: of the sub-step, 0 .. 1. */
typedef struct tn_stage_sum {
    const double *weights;
    int count;
    double h, at;
} tn_stage_sum;
void tn_joint_stages_place(tn_joint_stages *w, tn_sim *sim, const tn_stage_sum *sum, double *dq);
/* Accelerations of stage i, which is there with its kinematics and drives. False: they cannot be found to the accuracy required, as where
 * a coordinate moves next to nothing that has inertia. */
bool tn_joint_stages_solve(tn_joint_stages *w, tn_sim *sim, int i, tn_step_report *report);
/* Speeds and accelerations of stage i, which is there, from those of the bodies. */
void tn_joint_stages_read(tn_joint_stages *w, const tn_sim *sim, int i);

/* evaluate_pose.c */
/* The screws of a joint of several coordinates where they are q; of joints of one coordinate they do not change. */
void tn_stage_put_screws(const tn_model_joint *joint, const double *q, tn_stage_joint *to);
/* The joint of body k where the sub-step begins. */
void tn_stage_begin_joint(tn_joint_stages *w, const tn_sim *sim, int32_t k);
/* Pose and columns of body k at d, which inner bodies are. */
void tn_stage_put_pose(tn_joint_stages *w, const tn_sim *sim, int32_t k);
/* Its velocity and bias at s. */
void tn_stage_put_motion(tn_joint_stages *w, int32_t k);
/* d' of its coordinates. */
void tn_stage_put_rates(const tn_joint_stages *w, int32_t k, double *rates);
/* Coordinates along its columns of a twist against the inner body. */
void tn_stage_resolve(const tn_joint_stages *w, int32_t k, tn_twist twist, double *out);

/* evaluate_verify.c: do these accelerations of bodies and coordinates satisfy all equations? */
bool tn_stage_is_solved(const tn_joint_stages *w, const tn_sim *sim, const double *sdot);

#endif
