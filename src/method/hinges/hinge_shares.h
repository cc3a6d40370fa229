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
    double (*units)[TN_MAX_ROWS]; /* [room] of their rows */
    int32_t *touched;             /* [room] */
    double (*numbers)[6];         /* [room] */
    int32_t room;
} tn_share_sets;

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
    tn_vec3 at;    /* m: the origin of G in the world */
    bool holds[6]; /* which rows bear something: none of a cut, whose units are given */
    bool is_in_tree;
} tn_share_joint;

/* Joints of loops that share some. */
typedef struct tn_hinge_share {
    int32_t first, joints;                      /* of tn_hinge_shares.joints */
    int32_t first_loop, loops, first_cut, cuts; /* likewise of loops and cuts */
    int32_t rows;                               /* of its loops */
    tn_share_sets sets;
    tn_share_gram gram;
    double (*weights)[6];    /* [joints] A of each row; 0 of what does not share */
    double (*weighed)[6];    /* [joints] of the set at hand, by A */
    tn_share_joint *ends;    /* [joints] */
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
    /* of the set that is made, by joints of its share: */
    tn_vec3 *force, *moment;
    int32_t count;
};

/* The joint that is link k, of chains once; -1: none. */
static inline int32_t tn_share_joint_at(const tn_alpha_hinges *hinges, int32_t k)
{
    return hinges->places[k].part == TN_LIMB_SHADOW ? -1 : hinges->places[k].joint;
}

#endif
