/* redundancy.h: room redundancy: the parts of the redundancy analysis.
 *
 * Every closed loop says: the relative twists of its joints add up to zero. With T the unit twists
 * of all free motions of the joints and q' their speeds, all loops together are
 *     C q' = 0,    6 rows per loop.
 * A wrench mu that flows
 * around the loops without being felt by any free motion, mu^T C = 0, is a state of stress that
 * needs no load: it is what the reactions are indeterminate by (Davies 1983). C
 * knows no masses, is small, and a loop's own part of it is 6 x (its free motions): this says which
 * loop is to blame. A coupling, sum s_k q_k' = 0 with the slopes s_k, is one more equation in the
 * same q'; joints in no loop take part where they are coupled.
 *
 * Bodies with fewer than six motions hang on ground by a joint of their own (pseudo-joint) that
 * takes the others away.
 *
 *     pose    private state and workspace: closing, moving along random velocities
 *     graph   edges and loops of the mechanism
 *     closure C at a pose, its rank, the stresses as multipliers of rows
 *     count   its rank alone
 *     second  which stresses last, by second order
 *     freedoms  which motions do
 *     rows    dependent rows and their composition, classes
 *     change  replacing joints
 */
#ifndef TN_REDUNDANCY_H
#define TN_REDUNDANCY_H

#include "assemble/system.h"
#include "base/arena.h"
#include "tenon/analysis.h"

/* count zeroed items from an arena. */
#define TN_ARENA_ARRAY(arena, type, count)                                                         \
    ((type *)tn_arena_alloc(arena, sizeof(type) * (size_t)(count)))

/* ---- pose ---- */

typedef struct tn_red_pose {
    const tn_model *model;
    tn_state state;
    tn_system sys;
    double size;     /* m, of the mechanism */
    double residual; /* m or rad, largest error of a hard row */
    double relative; /* the same in sizes of the mechanism or rad */
    int32_t worst;   /* its joint or coupling, or -1 */
} tn_red_pose;

/* At the model's initial state, not closed. */
tn_status tn_red_pose_create(const tn_model *model, tn_red_pose *pose);
void tn_red_pose_destroy(tn_red_pose *pose);
/* The pose and switches of another state. */
void tn_red_pose_take(tn_red_pose *pose, const tn_state *state);
/* What the error of active row n of element j counts by: 1 / size for lengths, 1 for turns. */
double tn_red_weight(const tn_red_pose *pose, int32_t j, int32_t n);
/* Kinematics and errors of the state as it is. */
void tn_red_pose_refresh(tn_red_pose *pose);
/* Moves the bodies least, by lengths and not by masses, until the errors of all active rows are as
 * small as they get; contradictory ones keep their least-squares residual. */
tn_status tn_red_pose_close(tn_red_pose *pose);
/* Factors the pose's rows, for velocities. */
tn_status tn_red_pose_factor(tn_red_pose *pose);
/* A random velocity that the rows of the pose factored allow, in u: 0 in *speed if there is none;
 * else scaled so that no body turns faster than 1 rad/s nor moves faster than one size per second.
 */
tn_status tn_red_pose_velocity(tn_red_pose *pose, uint64_t *seed, double *u, double *speed);
/* Moves by `step` along such a velocity and closes. *reached is 0 when it did not close. */
tn_status tn_red_pose_wander(tn_red_pose *pose, uint64_t *seed, double step, int32_t *reached);
/* Deterministic, in (-1, 1). */
double tn_red_random(uint64_t *seed);

/* ---- graph ---- */

typedef struct tn_red_edge {
    int32_t joint; /* -1: the pseudo-joint of a body that is not rigid */
    int32_t a, b;  /* nodes: bodies, or body_count for ground and fixed bodies */
    int32_t group; /* loops that share an edge or a coupling are a group; -1: neither here */
} tn_red_edge;

typedef struct tn_red_loop {
    int32_t *edge;     /* [count], the last one closes the loop */
    int8_t *direction; /* +1: walked from B to A */
    int32_t *node;     /* [count] node after edge i */
    int32_t count;
    int32_t group;
} tn_red_loop;

typedef struct tn_red_graph {
    tn_red_edge *edges;
    int32_t edge_count;
    tn_red_loop *loops;
    int32_t loop_count, group_count;
    int32_t *edge_of;        /* [joints] -1: none */
    int32_t *coupling_group; /* [couplings] -1: it does not act */
} tn_red_graph;

/* Edges are the enabled joints with something to act on. All memory from the arena. */
tn_status tn_red_graph_build(const tn_model *model, const tn_state *state, tn_arena *arena,
                             tn_red_graph *graph);

/* ---- closure ---- */

/* Stresses: columns of row multipliers (slots of the KKT layout), each of one loop or of a group
 * of loops. */
typedef struct tn_red_stress {
    double *lambda; /* [y_size] N; moments in N m */
    int32_t loop;   /* or -1: coupled loops */
    int32_t group;
    int8_t momentary; /* 1: of this pose only, by second order */
} tn_red_stress;

typedef struct tn_red_closure {
    int32_t rows; /* that take part */
    int32_t rank;
    tn_red_stress *stress; /* [count] independent on the rows that take part */
    int32_t count;         /* rows - rank */
    double gap_low, gap_high;
} tn_red_closure;

/* hard_only: compliant rows count as free motions. */
tn_status tn_red_closure_find(const tn_red_pose *pose, const tn_red_graph *graph, int hard_only,
                              double threshold, tn_arena *arena, tn_red_closure *out);

/* Rows, rank and gap alone (no stresses), sparse: any number of loops. The same singular values as
 * above are counted; gap_low is known from above, gap_high from below. */
tn_status tn_red_count(const tn_red_pose *pose, const tn_red_graph *graph, double threshold,
                       tn_arena *arena, tn_red_closure *out);

/* Is some value so near the threshold that the count may be wrong? */
int tn_red_is_unclear(const tn_red_closure *closure, double threshold);

/* ---- second, freedoms ---- */

/* Combines the stresses so that each lasts or belongs to this pose only, and marks and counts the
 * latter. Factors the pose. */
tn_status tn_red_second_split(tn_red_pose *pose, const tn_red_graph *graph, double threshold,
                              tn_red_closure *closure, int32_t *momentary);
/* Degrees of freedom of the largest finite motion that second order allows: dof where no stress is
 * momentary. basis: dof independent velocities that the rows allow. */
tn_status tn_red_freedoms(tn_red_pose *pose, const tn_red_closure *closure, const double *basis,
                          int32_t dof, int32_t *freedoms);

/* ---- rows ---- */

/* Dependent rows of the stresses, classes after the witness (may be NULL: as marked). Also
 * tells in permanent[] (y_size each) the stresses that last. */
tn_status tn_red_rows_find(const tn_red_pose *pose, const tn_red_graph *graph,
                           const tn_red_closure *here, const tn_red_closure *witness,
                           double tolerance, tn_arena *arena, tn_red_closure *permanent,
                           tn_analysis *out);
/* Masks per joint and coupling. */
tn_status tn_red_uniqueness_find(const tn_red_pose *pose, const tn_red_closure *hard,
                                 tn_arena *arena, tn_analysis *out);

/* ---- share ---- */

/* The stresses of the hard rows, kept with the analysis: entry i of a column belongs to row[i] of
 * joint[i]. */
typedef struct tn_red_share {
    int32_t count, size;
    int32_t *joint, *row; /* [size] */
    double *column;       /* [count][size] */
} tn_red_share;

/* What analysis->storage is. */
typedef struct tn_red_storage {
    tn_arena arena;
    tn_red_share share;
} tn_red_storage;

tn_status tn_red_share_keep(const tn_red_pose *pose, const tn_red_closure *hard,
                            tn_red_storage *storage);

/* ---- change, idle ---- */

tn_status tn_red_change_find(const tn_red_pose *pose, const tn_red_closure *permanent,
                             tn_arena *arena, tn_analysis *out);
tn_status tn_red_idle_find(const tn_red_pose *pose, const tn_red_graph *graph, tn_arena *arena,
                           tn_analysis *out);

/* The row behind slot n of joint or coupling j. */
static inline int32_t tn_red_row(const tn_red_pose *pose, int32_t j, int32_t n)
{
    return pose->state.switches[j].active[n];
}

#endif
