/* loops.h: room redundancy/loops: the loops of a mechanism, and the stresses that they can bear.
 *
 * In: a pose. Out: the graph of its joints with its independent loops; how many rows there are, their
 * rank, and for each row that says nothing new a stress: multipliers that no body feels.
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
 *     graph   edges and loops of the mechanism
 *     closure C at a pose, its rank, the stresses as multipliers of rows
 *     count   its rank alone
 *     near    rows that count as repeated and are not
 */
#ifndef TN_REDUNDANCY_LOOPS_LOOPS_H
#define TN_REDUNDANCY_LOOPS_LOOPS_H

#include "motion/closing/gap.h"
#include "redundancy/loops/pose.h"

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
    int32_t number; /* in the list of the report, if it is there */
} tn_red_loop;

typedef struct tn_red_graph {
    tn_red_edge *edges;
    int32_t edge_count;
    tn_red_loop *loops;
    int32_t loop_count, group_count;
    int32_t *edge_of;        /* [joints] -1: none */
    int32_t *coupling_group; /* [couplings] -1: it does not act */
} tn_red_graph;

/* Edges are the enabled joints that act on a body. If compliant rows are left out, a joint that is compliant in all
 * rows and has no coordinate for a coupling closes no loop. All memory from the arena. */
tn_status tn_red_graph_build(const tn_red_pose *pose, tn_arena *arena, tn_red_graph *graph);

/* ---- closure ---- */

/* A singular value below this counts as zero: rank is decided no finer than four digits of a drawing. */
#define TN_RED_ZERO TN_GAP_LARGEST
/* rad, and share of the mechanism's size: how far witness poses are. */
#define TN_RED_STEP 0.05

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

/* hard_only: only rows whose forces follow from balance alone. Compliant rows then count as free motions, and
 * coordinates held by motors or friction count as rows, although they take no freedom away. */
tn_status tn_red_closure_find(const tn_red_pose *pose, const tn_red_graph *graph, int hard_only,
                              double threshold, tn_arena *arena, tn_red_closure *out);

/* Rows, rank and gap alone (no stresses), sparse: any number of loops. Counts the same singular values as
 * above; gap_low is an upper bound, gap_high a lower bound. */
tn_status tn_red_count(const tn_red_pose *pose, const tn_red_graph *graph, double threshold,
                       tn_arena *arena, tn_red_closure *out);

/* The same of the pose's own loops, by TN_RED_ZERO. */
tn_status tn_red_count_at(const tn_red_pose *pose, tn_red_closure *out);

/* ---- near ---- */

/* How far bodies are from where they are in another state, in this size or rad. */
double tn_red_distance(const tn_model *model, const tn_state *one, const tn_state *other,
                       double size);

/* off: error of the geometry: the largest singular value of rows that count as repeated although they are not. 0: the
 * geometry is exact, or nothing moves. worst: the joint or coupling that opens most, or -1. */
typedef struct tn_red_near {
    double off;
    int32_t worst;
} tn_red_near;

/* The verdict on rows that nearly repeat others; compliant rows are left out. */
tn_status tn_red_near_find(const tn_model *model, const tn_state *state, tn_red_near *out);

/* Is some value so near the threshold that the count may be wrong? */
int tn_red_is_unclear(const tn_red_closure *closure, double threshold);

#endif
