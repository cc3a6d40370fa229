/* hinge_head.h: room method/hinges: the innermost limbs of a large tree, and what hangs on them.
 *
 * Near what does not move, what all others pull with turns hinges in waves that no prediction foresees, and one correction
 * leaves them more than is asked; all others are nearly as predicted. So the head is iterated by itself before the rest is
 * corrected. When the matrix has been eliminated as far as its limbs, what hangs on one of them, its stem, is a wrench, what its
 * own corrections leave of that, and a matrix, F = A v + B w, M = D v + C w, about O: how the rest answers when the stem moves by
 * a twist. That is exact but for the twist's square, and the twist is what is left of waves that far out.
 */
#ifndef TN_METHOD_HINGES_HINGE_HEAD_H
#define TN_METHOD_HINGES_HINGE_HEAD_H

#include "method/hinges/hinge_block.h"

/* Limbs of the head, in whole runs, and of it at most so many on each of which something hangs. */
enum { TN_HINGE_HEAD = 512, TN_HINGE_STEMS = 16 };
/* Trees of so many limbs have one. */
enum { TN_HINGE_LONG = 8 * TN_HINGE_HEAD };

/* A limb of the head, of what hangs on it. */
typedef struct tn_hinge_stem {
    int32_t limb;
    tn_vec3 place;      /* m, of P from O, as predicted, */
    tn_vec3 moved;      /* m, of its body in the step, */
    tn_quat turned;     /* and what that turns by */
    tn_hinge_pull hung; /* the wrench, at P */
    tn_hinge_load load; /* the matrix, and what corrections leave */
    tn_vec3 v, w;       /* the twist it is from there */
} tn_hinge_stem;

typedef struct tn_hinge_head {
    int32_t limbs;
    int32_t stem_count, outer_count;
    tn_hinge_stem stems[TN_HINGE_STEMS];
    int32_t outer[TN_HINGE_STEMS]; /* limbs of the rest that hang on them */
    tn_hinge_off rest;             /* what the others are off */
} tn_hinge_head;

/* Of a tree that has one; false: it is too small, or too much hangs on its first limbs. */
bool tn_hinge_head_find(const tn_hinge_world *w, tn_hinge_head *head);

/* Going inward to the head: wrenches have been summed as far as its limbs; the matrix has been eliminated. */
void tn_hinge_head_note_pulls(const tn_hinge_world *w, const tn_hinge_inertia *inertias,
                              tn_hinge_head *head);
void tn_hinge_head_note_matrix(const tn_hinge_world *w, const tn_hinge_off *off,
                               tn_hinge_head *head);

/* The twists by which stems are from where they were predicted; the limbs get them. */
void tn_hinge_head_follow(const tn_hinge_world *w, tn_hinge_head *head);
void tn_hinge_head_put_twists(const tn_hinge_world *w, const tn_hinge_head *head);

/* What hangs on the stems now, for wrenches and the first half of a solve of the head alone. */
void tn_hinge_head_hang(const tn_hinge_world *w, const tn_hinge_rule *c, const tn_hinge_head *head,
                        tn_hinge_inertia *inertias);
/* rad: what the rest is off after that. */
double tn_hinge_head_rest_off(const tn_hinge_world *w, const tn_hinge_head *head);

#endif
