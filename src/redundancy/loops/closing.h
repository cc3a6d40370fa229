/* closing.h: room redundancy/loops: shared data and functions of the files that analyse the loop equations.
 *
 *     motions.c    the free motions of every joint
 *     loops.c      every loop by itself, and its stresses
 *     group.c      loops and couplings that share edges
 *     closure.c    the whole: rank and stresses
 *     count.c      the rank alone, sparse
 *
 * A joint's rows W (6 x 6 with its motion rows) and the columns X of W^-1 belong together: X_k is
 * the twist that violates row k and no other. Free motions are the X_k of rows that are not active; the
 * multiplier of row k in a wrench w is X_k . w.
 *
 * Each loop has an origin (middle of its joints) and a length (their largest distance from it);
 * twists count as (v / length, w) and are scaled to length 1: singular values are pure numbers,
 * those of a loop by itself between 0 and the root of its free motions.
 */
#ifndef TN_REDUNDANCY_LOOPS_CLOSING_H
#define TN_REDUNDANCY_LOOPS_CLOSING_H

#include "redundancy/loops/loops.h"

/* Largest number of equations of one group: some seconds of work. */
#define TN_CLOSURE_LARGEST 1000

/* Singular values of several loops together below this are lost in the round-off of their squares, 1e-16. */
#define TN_COUNT_FLOOR 1e-7

/* One edge at a pose: free motions and rows, world axes, about `at`. */
typedef struct tn_edge_motions {
    tn_vec3 at;         /* m, world */
    double twist[6][6]; /* X_k, (v, w) */
    int8_t is_free[6];
    int8_t in_use;
} tn_edge_motions;

typedef struct tn_loop_frame {
    tn_vec3 origin;    /* m */
    double length;     /* m */
    double keep[6][6]; /* keep[k]: an independent combination of the loop's equations */
    double null[6][6]; /* and the dependent combinations; (f length, m) */
    int32_t kept, nulls;
} tn_loop_frame;

typedef struct tn_closing {
    const tn_red_pose *pose;
    const tn_red_graph *graph;
    tn_arena *arena;
    double threshold;
    tn_edge_motions *motions; /* [edges] */
    tn_loop_frame *frames;    /* [loops] */
    tn_red_closure *out;
    int32_t capacity;      /* of out->stress */
    int32_t slots;         /* y_size */
    int8_t *taking_part;   /* [slots] rows that are constraints here */
    double *coupling_size; /* [couplings] divisor of its equation */
} tn_closing;

/* ---- motions.c ---- */

/* True if row k of element j is no constraint. hard_only: compliant rows are none, rows held by motors or friction
 * are. */
int tn_red_row_is_free(const tn_red_pose *pose, int32_t j, int32_t k, int hard_only);
/* Computes c->motions of all edges. */
tn_status tn_red_find_motions(tn_closing *c, int hard_only);
/* Free motion k of an edge about the loop's origin: (v / length, w), not yet of length 1. */
void tn_red_twist_at(const tn_edge_motions *m, int32_t k, const tn_loop_frame *f, double t[6]);
double tn_red_twist_length(const double t[6]);

/* ---- closure.c ---- */

/* Finds the active constraint rows and the motions of all edges; frames are not filled yet. */
tn_status tn_red_open_loops(tn_closing *c, int hard_only);
/* Fills the frames. */
tn_status tn_red_split_loops(tn_closing *c);
/* True if there are bodies with fewer than six motions, whose joints lost rows when compiled. */
int tn_red_has_dropped_rows(const tn_model *model);

/* ---- loops.c ---- */

/* Splits the loop's own equations into independent and dependent combinations, by singular values. */
tn_status tn_red_split_loop(tn_closing *c, int32_t l);
/* lambda += the wrench mu (f length, m) flowing around loop l. */
void tn_red_add_flow(const tn_closing *c, int32_t l, const double mu[6], double *lambda);
/* A new stress, zero; NULL: out of memory. */
double *tn_red_new_stress(tn_closing *c, int32_t loop, int32_t group);
/* Sets multipliers of rows that are no constraint here to zero (compliant ones, when only hard rows count). */
void tn_red_mask_rows(const tn_closing *c, double *lambda);
/* The stresses of every loop by itself. */
tn_status tn_red_local_stresses(tn_closing *c);

/* ---- group.c ---- */

/* Slot of coupling k. */
int64_t tn_red_coupling_slot(const tn_closing *c, int32_t k);

/* The stresses of the remaining equations of each group: its loops together, with its couplings. */
tn_status tn_red_group_stresses(tn_closing *c);

#endif
