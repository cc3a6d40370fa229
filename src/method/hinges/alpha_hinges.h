/* alpha_hinges.h: room method/hinges: steps of trees of rigid bodies on hinges in the angles of the hinges
 * (hinge_kernel.h).
 *
 * The equations, and with them what a step ends at, are those of alpha_residual.c; Newton's iteration
 * is another. It is tried where nothing but motion happens and as many steps are remembered as the
 * prediction asks for; what it does not bring to an end the other one does, from the start.
 *
 * Room method/hinges, in: a state of a tree of hinges, and h. Out: the state h later, or word that
 * the other way is to take the step.
 */
#ifndef TN_METHOD_HINGES_ALPHA_HINGES_H
#define TN_METHOD_HINGES_ALPHA_HINGES_H

#include "method/alpha/alpha_tree.h"
#include "method/hinges/hinge_world.h"

/* Of a hinge that turns freely. */
enum { TN_HINGE_ROWS = 5 };

/* What acts along a hinge, or holds it (hinge_acts.c). */
typedef struct tn_hinge_act {
    tn_vec3 axis, inner_axis; /* z, in axes of the body and of the inner one */
    double sign;              /* of the coordinate in what the hinge turns by */
    double start, before; /* rad, N m: coordinate and multiplier of its row where the step begins */
    double coast;         /* rad/s: of what it turns at, without udot+ */
    tn_drive *drive;      /* NULL: none */
    int32_t limb, inner, joint;
    bool held;
} tn_hinge_act;

typedef struct tn_hinge_acts {
    tn_hinge_acting by_limb;
    tn_hinge_act *all; /* [count] of this step */
    int32_t *limb;     /* [joints] */
    double *numbers;   /* those by limb */
    int32_t count;
} tn_hinge_acts;

/* What motion rows are at the end of a step. */
typedef struct tn_hinge_acted {
    double sum;          /* of multipliers */
    double angle;        /* rad: by which the worst held coordinate is off, */
    int32_t worst_joint; /* and whose that is; -1: nobody's */
} tn_hinge_acted;

struct tn_alpha_hinges {
    tn_hinge_forest forest; /* its arrays `at` are those of the state a step begins with */
    unsigned char *blocks;  /* of limbs, records and wrenches */
    unsigned char *kinds;   /* likewise */
    int32_t *kind;          /* [blocks] */
    tn_hinge_place *places; /* [4 blocks] */
    int32_t *inner;         /* [4 blocks] */
    int32_t *roots;         /* [root_count] limbs that hang on what does not move */
    tn_hinge_slots *slots;  /* [count] */
    int8_t *sides;          /* [3 blocks] sides, apart and in_row of the world */
    int32_t count, inertia_count, root_count;
    bool principal; /* axes of all bodies are principal ones */
    tn_hinge_acts acts;
};

/* Doubles that states remember of a model. */
size_t tn_alpha_hinges_memory(const tn_model *model);

/* NULL in *out: it is no such tree. */
tn_status tn_alpha_hinges_create(const tn_sim *sim, const tn_alpha_tree *tree,
                                 tn_alpha_hinges **out);
void tn_alpha_hinges_destroy(tn_alpha_hinges *hinges);

/* That of a simulation by this method; NULL: it has another, or its model is no such tree. */
const tn_alpha_hinges *tn_alpha_hinges_of(const tn_sim *sim);
/* The constants of limb k, with what it hangs on as it is now. */
tn_hinge_link tn_alpha_hinge_link(const tn_sim *sim, int32_t k);
/* In a state. */
tn_hinge_memory *tn_alpha_hinge_memory(const tn_sim *sim, const tn_state *state, int32_t joint);

/* Will the next step, of h seconds, be taken here with the memory there is, and by nothing but motion? If bodies move, and
 * smoothly. */
bool tn_alpha_hinges_go_on(const tn_sim *sim, double h);

/* The step, its start being tn_alpha_work.from; false: it is to be taken otherwise, from there. */
bool tn_alpha_hinges_step(tn_sim *sim, const tn_alpha *c, tn_step_report *report);

/* After a step that was taken otherwise: what the hinges turned by is remembered too, unless the model was
 * no tree in it. */
void tn_alpha_hinges_follow(tn_sim *sim);

/* hinge_acts.c: */

tn_status tn_hinge_acts_create(int32_t blocks, int32_t joints, tn_hinge_acts *acts);
void tn_hinge_acts_destroy(tn_hinge_acts *acts);
/* Can all that acts now be taken along in the angles? */
bool tn_hinges_bear(const tn_sim *sim);
/* At the start of a step: what acts, and where held hinges go to. */
void tn_hinges_begin_acts(const tn_sim *sim, const tn_alpha *alpha, const tn_hinge_rule *c);
/* Does a body rest that is not held where it is? Those that are, all the way to what does not move, do so exactly. */
bool tn_hinges_some_rest(const tn_sim *sim, const tn_alpha *c);
/* Efforts of the trial, and where it `yields` what they add to pivots. */
void tn_hinges_act(const tn_sim *sim, const tn_hinge_rule *c, bool yields);
/* After all has been shown: known forces, multipliers and errors of motion rows. */
tn_hinge_acted tn_hinges_end_acts(const tn_sim *sim, const tn_hinge_rule *c);

#endif
