/* hinge_world.h: room method/links: prediction and correction of one world of hinges: stages of blocks
 * (hinge_block.h) and what goes from link to link, tile by tile. As hinge_tree.h has it, with the same bits.
 *
 * Room method/links, in: links of a tree, a state and what acts on them, as numbers. Out: what links move by in a step, wrenches, and
 * the state at its end.
 */
#ifndef TN_METHOD_HINGES_HINGE_WORLD_H
#define TN_METHOD_HINGES_HINGE_WORLD_H

#include "crew/crew.h"
#include "method/links/hinge_block.h"

/* ---- the head (hinge_head.c): the innermost links of a large tree, and what hangs on them ----
 *
 * Near what does not move, what all others pull with turns hinges in waves that no prediction foresees, and one correction
 * leaves them more than is asked; all others are nearly as predicted. So the head is iterated by itself before the rest is
 * corrected. When the matrix has been eliminated as far as its links, what hangs on one of them, its stem, is a wrench, what its
 * own corrections leave of that, and a matrix, F = A v + B w, M = D v + C w, about O: how the rest answers when the stem moves by
 * a twist. That is exact but for the twist's square, and the twist is what is left of waves that far out.
 */

/* Links of the head, in whole runs, and of it at most so many on each of which something hangs. */
enum { TN_HINGE_HEAD = 512, TN_HINGE_STEMS = 16 };
/* Trees of so many links have one. */
enum { TN_HINGE_LONG = 8 * TN_HINGE_HEAD };

/* A link of the head, of what hangs on it. */
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
    int32_t outer[TN_HINGE_STEMS]; /* links of the rest that hang on them */
    tn_hinge_off rest;             /* what the others are off */
} tn_hinge_head;

/* Of a tree that has one; false: it is too small, or too much hangs on its first links. */
bool tn_hinge_head_find(const tn_hinge_world *w, tn_hinge_head *head);

/* Going inward to the head: wrenches have been summed as far as its links; the matrix has been eliminated. */
void tn_hinge_head_note_pulls(const tn_hinge_world *w, const tn_hinge_inertia *inertias,
                              tn_hinge_head *head);
void tn_hinge_head_note_matrix(const tn_hinge_world *w, const tn_hinge_off *off,
                               tn_hinge_head *head);

/* The twists by which stems are from where they were predicted; the links get them. */
void tn_hinge_head_follow(const tn_hinge_world *w, tn_hinge_head *head);
void tn_hinge_head_put_twists(const tn_hinge_world *w, const tn_hinge_head *head);

/* What hangs on the stems now, for wrenches and the first half of a solve of the head alone. */
void tn_hinge_head_hang(const tn_hinge_world *w, const tn_hinge_rule *c, const tn_hinge_head *head,
                        tn_hinge_inertia *inertias);
/* rad: what the rest is off after that. */
double tn_hinge_head_rest_off(const tn_hinge_world *w, const tn_hinge_head *head);

/* ---- the world ---- */

/* Of a run of links, the largest of each of tn_hinge_memory.turns. */
typedef struct tn_hinge_differences {
    double of[TN_HINGE_DEGREE];
} tn_hinge_differences;

typedef struct tn_hinge_forest {
    tn_hinge_world world;
    const tn_hinge_stages *stages;
    const tn_hinge_recursions *recursions;
    tn_hinge_inertia *inertias;  /* by slots, of wrenches alone */
    tn_hinge_cross *crosses;     /* [tn_hinges_crosses()] of the runs of blocks under way, */
    double *pulls;               /* and their wrenches, in blocks of tn_hinge_pull */
    tn_hinge_onset *onsets;      /* [runs] */
    tn_hinge_told *told;         /* [runs] */
    tn_hinge_differences *worst; /* [runs] */
    tn_hinge_head *head;         /* NULL: it has none */
    tn_crew *crew;               /* threads that go through the stages; NULL: the calling one */
} tn_hinge_forest;

/* Blocks that are gone through by all stages before the next, so that they stay in the second cache; by threads up to
 * four times as many, so that one waits for another less often, if so many runs are left that all have work. */
enum {
    TN_HINGE_TILE = TN_HINGE_RUN / TN_HINGE_WIDTH,
    TN_HINGE_TILES_SHARED = 4,
    TN_HINGE_RUNS_SHARED = 32
};

static inline int32_t tn_hinges_runs(const tn_hinge_world *w)
{
    return (w->blocks + TN_HINGE_TILE - 1) / TN_HINGE_TILE;
}

/* Links whose crosses are kept at a time. */
static inline int32_t tn_hinges_crosses(const tn_hinge_world *w)
{
    const int32_t most = TN_CREW_NEAR * TN_HINGE_TILES_SHARED * TN_HINGE_TILE;
    return TN_HINGE_WIDTH * (w->blocks < most ? w->blocks : most);
}

/* By how many differences predictions are nearest, to judge by the last of them, of so many steps that are remembered. */
int32_t tn_hinges_order(const tn_hinge_forest *forest, int32_t steps);
/* What is predicted from where the step begins. Out: what it was asked. */
tn_hinge_onset tn_hinges_predict(const tn_hinge_forest *forest, const tn_hinge_rule *c);
/* All that of the angles found, from where the step begins: for another matrix. */
void tn_hinges_try_again(const tn_hinge_forest *forest, const tn_hinge_rule *c);
/* The matrix of that, and the first half of a solve. False: it cannot be solved. */
bool tn_hinges_factorize(const tn_hinge_forest *forest, const tn_hinge_rule *c, tn_hinge_off *left);
/* The second half, and a correction of the first order; `shows` what is found, but for multipliers. Out: the largest turn
 * of a body by it, its square. */
double tn_hinges_correct(const tn_hinge_forest *forest, const tn_hinge_rule *c, bool shows);
/* The same of all but the head, which has been led. */
double tn_hinges_correct_rest(const tn_hinge_forest *forest, const tn_hinge_rule *c, bool shows);
/* Likewise, and all that goes with the angles in the same pass. Nothing can be shown on the way, which takes the place of what
 * links further out ask for. */
double tn_hinges_correct_widely(const tn_hinge_forest *forest, const tn_hinge_rule *c);
/* The head by itself, after the matrix, in at most so many corrections, as far as is enough; *rest: what the others are off. False:
 * that was not enough. */
bool tn_hinges_lead(const tn_hinge_forest *forest, const tn_hinge_rule *c, double enough,
                    int32_t most, double *rest);
/* All that goes with the angles, where the first order is not enough. The state is that of the start. */
void tn_hinges_turn_again(const tn_hinge_forest *forest, const tn_hinge_rule *c);
/* What it has left, wrenches, and the first half of the next solve. False: that is no number. */
bool tn_hinges_look(const tn_hinge_forest *forest, const tn_hinge_rule *c, tn_hinge_sizes *left);

/* Speeds and accelerations of joints that something acts along, in a trial. */
void tn_hinges_spin(const tn_hinge_forest *forest);

/* What was found, to where everybody else looks for it; `shown`: motion is there already. */
void tn_hinges_show(const tn_hinge_forest *forest, const tn_hinge_rule *c, bool shown);
/* What was told of all links, run after run. */
tn_hinge_told tn_hinges_told(const tn_hinge_forest *forest);

/* rad: of a hinge whose body is a of its joint or not, so many turns and parts of one; `near` that. */
double tn_alpha_hinge_coordinate(const tn_hinge_memory *memory, bool is_a, double near);

#endif
