/* loops.h: room method/loops: rows that close loops of a tree of links, as numbers.
 *
 * A cut is a joint that is not in the tree, or a coupling: rows of a wrench on each of its ends, W, by the change mu of their
 * multipliers in units of beta'. A joint has an end on each of its bodies, the second with the opposite wrench; a coupling two on
 * the bodies of each joint whose coordinates it couples. Carried inward, towards what does not move, through the factors that the
 * elimination of links leaves (method/angles/hinge_kernel.h), a unit of a row is
 *     y = -S . left / d,   left += y col       of link after link, from left = -W,
 * and what the row is changed by as links move is
 *     z = S . g,           g -= z row / d      likewise, from g = W,
 * so that with c the opening of the rows, by what links go by without multipliers, and t the twist of the host
 *     V mu = -(c + g t),   V = sum z y,   c = opening + sum z s.
 * The host is the outermost link that all ends hang on, or what does not move. A loop is eliminated there, after all links
 * that hang on it and before itself: its inertia grows by -left V^-1 g, and what is left of its wrench by that of mu at t = 0.
 * The rest of the tree does not know of the loop. Cuts of the same host whose paths share links are one loop; a loop whose path
 * goes by the host of another one, and shares links with it, is carried through that one's elimination there: its unit changes
 * those multipliers by -V^-1 (sum z y), and y by theirs. Such y are kept of links that a loop of a host further in goes by.
 *
 * Rows that repeat others are left out (loop_matrix.h). A pivot is seen against the sum of what the row's links can move a
 * point by in any direction, by 1 / d: 1 at most, whatever units and masses are.
 *
 * Room method/loops, in: cuts, with rows at the pose of the matrix and their openings; links that are factored. Out: changes of
 * multipliers, and what links move by under them.
 */
#ifndef TN_METHOD_LOOPS_LOOPS_H
#define TN_METHOD_LOOPS_LOOPS_H

#include <float.h>

#include "method/loops/loop_matrix.h"
#include "math/lanes.h"
#include "method/loops/loop_sets.h"
#include "tenon/joint.h"
#include "tenon/status.h"

/* What rounding leaves, at most, of the pivot of a row that repeats others, as a share of what links can move a point by. */
#define TN_ROW_REPEATS (512.0 * DBL_EPSILON)

/* In place of a compliance. */
#define TN_NO_ROW (-1.0)

/* Rows of a cut side by side: as many as a joint has, in vectors of four. */
enum { TN_LOOP_LANES = 8 };
_Static_assert(TN_LOOP_LANES >= TN_MAX_ROWS && TN_LOOP_LANES % 4 == 0, "rows of a joint fit");

/* Wrenches on a body in the world, force and moment about O of its tree, one for each row. */
typedef struct tn_loop_wrenches {
    double of[6][TN_LOOP_LANES];
} tn_loop_wrenches;

typedef struct tn_loop_row {
    double off;       /* m, rad: its opening */
    double mu;        /* of the last solve; before its host has moved, with the host at rest */
    double inherited; /* what loops of hosts further in change it by */
    double
        compliance; /* by beta': what it gives way by under a unit; 0: it is hard; TN_NO_ROW: it is none */
    bool turns; /* it holds a turn, not a point */
} tn_loop_row;

/* Where a cut acts on a body: a joint on both of its own, a coupling on those of all its joints. */
typedef struct tn_loop_end {
    tn_loop_wrenches W; /* of a unit of each row */
    tn_vec3 at;         /* m: from O, where it acts */
    int32_t link;       /* -1: what does not move */
    int32_t joins;      /* the column where it meets an earlier end; -1: none */
} tn_loop_end;

/* A loop that is eliminated before that of a cut, at a host that the cut passes, and shares links. */
typedef struct tn_loop_inner {
    int32_t loop;
    int32_t *column;  /* [columns of that one] as links that the cut moves; -1: it does not */
    double *response; /* [rows of the cut][rows of that] mu of that by a unit of this */
} tn_loop_inner;

/* A link on the path of one cut that another cut of the loop moves. */
typedef struct tn_loop_common {
    int32_t path, moved; /* its index on the path of the first, and among the links of the other */
} tn_loop_common;

/* Another cut of the loop, or the same, that moves links on the path of this one. */
typedef struct tn_loop_pair {
    int32_t cut;          /* of the loops' cuts */
    int32_t first, count; /* of tn_loop_cut.common */
} tn_loop_pair;

/* A joint that closes a loop, or a coupling. */
typedef struct tn_loop_cut {
    tn_loop_end *ends;
    int32_t end_count;
    int32_t first, count; /* its rows */
    int8_t live
        [TN_MAX_ROWS]; /* [live_count] those that links move by more than rounding: the others have no part in V */
    int32_t live_count;
    int32_t loop;
    int32_t given; /* its number among those given */
    bool couples;  /* its rows are of coordinates, and move nothing else */
    int32_t
        columns; /* links from its ends inward to the host, without that, outer ones first: its path */
    int32_t moved;   /* these, then links of loops that it goes through: all that it moves */
    int32_t *column; /* [moved] as columns of the loop */
    int32_t *from;   /* [columns] the end that is carried by it, with those that joined */
    tn_loop_inner *inner;
    tn_loop_pair *pairs;
    tn_loop_common *common;
    int32_t inner_count, pair_count;
    double *z, *own; /* [count][columns] own: y without loops that the rows go through */
    double *y;       /* [count][moved] */
} tn_loop_cut;

/* Rows of a cut on their way inward: `left`, and g. */
typedef struct tn_loop_carried {
    tn_loop_wrenches left, g;
} tn_loop_carried;

/* Cuts that share links and a host. */
typedef struct tn_link_loop {
    int32_t host;
    int32_t first, rows; /* of the loops' rows */
    int32_t cut, cuts;   /* of the loops' cuts */
    int32_t columns;
    int32_t *column;  /* [columns] links */
    int8_t *is_last;  /* [columns] 1: no loop that is eliminated later has it */
    double *added;    /* [columns] what links move by under mu, the host at rest */
    double *more;     /* [columns] of one pass */
    double *left, *g; /* [rows][6] at the host */
    double *
        by_most; /* [rows] what a pivot is seen against; 0: nothing moves it, and its entries of V are not there */
    double *c;        /* [rows] */
    tn_loop_matrix V; /* by cuts */
    int32_t active;   /* rows that are some */
    bool couples; /* it has couplings: rows that repeat others are left to the general iteration */
    bool clear;   /* all pivots are those of rows of their own, or of rows that repeat others */
} tn_link_loop;

typedef struct tn_link_loops {
    tn_link_loop *all; /* [count] as they are eliminated: hosts furthest out first */
    tn_loop_cut *cuts;
    tn_loop_row *rows;
    int32_t *hosted;  /* [links + 1] the first loop of host k is hosted[k + 1]; -1: none is */
    int8_t *in_loops; /* [links] 1: it is a column of some loop */
    tn_loop_carried *carried; /* [most_ends] of a cut */
    int32_t count, cut_count, row_count, most_ends;
    bool wide; /* the machine has AVX2 */
} tn_link_loops;

/* loops_order.c: puts the cuts of a loop, of which columns are links yet, in the order of their blocks in its matrix. Out: first, [count],
 * the first cut that moves links that each one moves. */
tn_status tn_loop_cuts_order(tn_loop_cut *cuts, int32_t count, int32_t links, int32_t *first);

/* loops_pairs.c: links that cuts of a loop, in their order and with links for columns, have in common; room for the numbers of each.
 * `set` is empty, before and after. */
tn_status tn_loop_cuts_pair(tn_loop_cut *cuts, const tn_link_loop *of, tn_loop_set *set);

/* loops_make.c: loops of cuts, one at least, of which links of ends, count and couples are given. The loops' own cuts, in another
 * order, take their ends. *out is NULL where more rows share links than are eliminated at once. */
tn_status tn_loops_create(const int32_t *inner, int32_t links, tn_loop_cut *cuts, int32_t cut_count,
                          tn_link_loops **out);
void tn_loops_destroy(tn_link_loops *loops);

#endif
