/* hinge_shares.h: room method/hinges: sets of multipliers of loops that move nothing (hinge_share_sets.c), and how what joints bear is
 * shared among them (hinge_shares.c).
 */
#ifndef TN_METHOD_HINGES_HINGE_SHARES_H
#define TN_METHOD_HINGES_HINGE_SHARES_H

#include "method/hinges/alpha_hinges.h"

/* Joints that a set goes through, as a multiple of those of a cut on its own, on average: past it the general iteration takes the
 * step. */
enum { TN_SHARE_REACH = 4 };

/* Sets of one share: where the numbers of each begin, and the joints, by share, that are not 0 in it. */
typedef struct tn_share_sets {
    int32_t count;
    int32_t *cut_start, *start; /* [rows + 1] of `cuts` and `touched` */
    int32_t *cuts;              /* [room] of the loops' cuts: those that bear something in a set */
    int32_t *own;               /* [room] the place of their joints in `touched` */
    double (*units)[TN_MAX_ROWS]; /* [room] of their rows */
    int32_t *way_start;           /* [room + 1] of `ways`, for each of these cuts */
    int32_t
        *ways; /* [room] places in `touched` on its path; ~ of it: that joint bears the opposite */
    int32_t *touched;     /* [room] */
    double (*numbers)[6]; /* [room] */
    int32_t room;
    int8_t *
        left_out; /* [rows] 1: the row was left out when sets were found last, and no link moved it; 2: other rows answered to it */
} tn_share_sets;

/* Where a joint is not 0: by joints, in the order of sets. */
typedef struct tn_share_touches {
    int32_t *start;    /* [joints + 1] */
    int32_t *set, *at; /* [room] which set, and its place in `touched` */
} tn_share_touches;

/* N^T A N by lines: of set n from the first set on that shares joints with it. */
typedef struct tn_share_gram {
    int32_t *first; /* [rows] */
    int64_t *at;    /* [rows] */
    double *lines;  /* [room] */
    double *x;      /* [rows] */
    int64_t room;
} tn_share_gram;

/* A joint of a share where the step ends. */
typedef struct tn_share_joint {
    tn_vec3 at;      /* m: the origin of G in the world */
    double holds[6]; /* 1: the row bears something, else 0; of a cut, whose units are given, none */
    bool is_in_tree;
} tn_share_joint;

/* What a joint deflects by, as a twist about the origin of the world. */
typedef struct tn_share_deflection {
    tn_vec3 v, w;
} tn_share_deflection;

/* Joints of loops that share some. */
typedef struct tn_hinge_share {
    int32_t first, joints;                      /* of tn_hinge_shares.joints */
    int32_t first_loop, loops, first_cut, cuts; /* likewise of loops and cuts */
    int32_t rows;                               /* of its loops */
    tn_share_sets sets;
    tn_share_gram gram;
    double (*weights)[6]; /* [joints] A of each row; 0 of what does not share */
    tn_vec3 (*wrench)
        [2]; /* [room] of the set at hand: force, and moment about the world's origin, on each joint */
    tn_share_touches touches;
    tn_share_joint *ends;             /* [joints] */
    tn_share_deflection *deflections; /* [joints] */
    int32_t *slot;           /* [joints] of the set at hand: among its joints; -1: it is 0 in it */
    void *numbers, *indices; /* what the arrays are parts of */
} tn_hinge_share;

struct tn_hinge_shares {
    tn_hinge_share *all;            /* [count] */
    int32_t *joints, *loops, *cuts; /* by share */
    int32_t *
        place; /* [joints of the model] of a joint among those of its share; -1: it is in no loop */
    double *units;  /* [rows of all loops] */
    double *column; /* [rows of all loops] of one matrix */
    int32_t count;
};

/* The joint that is link k, of chains once; -1: none. */
static inline int32_t tn_share_joint_at(const tn_alpha_hinges *hinges, int32_t k)
{
    return hinges->places[k].part == TN_LIMB_SHADOW ? -1 : hinges->places[k].joint;
}

#endif
