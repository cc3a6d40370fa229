/* alpha_tree.h: room method/alpha: trees of rigid bodies on hinges and ball joints, packed for the iteration of a
 * generalized-alpha step, and eliminated through the joints' free motions (sparse/tree/articulated.h).
 *
 * The equations are those of alpha_residual.c. Forces, errors and corrections are vectors in the world, so that
 * frames G are needed only to read and write multipliers. An evaluation, a factorization and a solve take a pass or
 * two each over half a kilobyte a joint.
 *
 * Between tn_alpha_evaluate and tn_alpha_tree_show the kinematics, multipliers and errors of the joints are current
 * here only; poses and velocities are always those in the state.
 *
 * Whether a model is such a tree is fixed (motion/tree/tree_order.h). Whether a step is taken here is decided at
 * every prediction: no joint is switched off or yields, nothing is driven, and reactions are not requested more
 * accurately than the step needs. Limits and locks, which hold coordinates, remove free motions of their joint
 * (alpha_tree_held.c).
 */
#ifndef TN_METHOD_ALPHA_ALPHA_TREE_H
#define TN_METHOD_ALPHA_ALPHA_TREE_H

#include "method/alpha/alpha.h"
#include "method/alpha/tree_kernel.h"
#include "motion/tree/tree_order.h"
#include "sparse/tree/articulated.h"

typedef struct tn_alpha_aside {
    tn_xform *T;
    tn_joint_kinematics *kin;
} tn_alpha_aside;

struct tn_alpha_tree {
    tn_limb *limbs; /* [count] inner ones first; NULL: the model is no such tree */
    tn_alpha_link *links;
    int32_t count;
    bool bare;    /* nothing acts on bodies, and no joint slides: steps may be taken here */
    bool on;      /* this step is taken here */
    bool holds;   /* some joint holds a coordinate, or did at the last check */
    double moved; /* m, the largest distance by the last correction; INFINITY: at a prediction */
    /* Room for the kinematics of another pose, for models with ranges, which start often. NULL: none. */
    tn_alpha_aside aside;
};

tn_status tn_alpha_tree_create(const tn_model *model, tn_alpha_tree **out);
void tn_alpha_tree_destroy(tn_alpha_tree *tree);

/* Does nothing but the joints act, and are no accurate reactions requested? */
bool tn_alpha_is_left_alone(const tn_sim *sim);

/* The tree of a simulation by this method; NULL: it has another method, or its model is no tree. */
const tn_alpha_tree *tn_alpha_tree_of(const tn_sim *sim);
/* Will the next step, of h seconds, be taken here, given the memory of the method? */
bool tn_alpha_tree_goes_on(const tn_sim *sim, double h);
/* At the prediction: may the step be taken here? */
bool tn_alpha_tree_begin(tn_sim *sim, const tn_alpha *c);
/* Like tn_alpha_evaluate, tn_alpha_factor and a solve, once tn_alpha_tree_begin has returned true. */
tn_alpha_residual tn_alpha_tree_evaluate(tn_sim *sim, const tn_alpha *c, tn_trial trial);
tn_status tn_alpha_tree_factor(tn_sim *sim, tn_step_report *report);
void tn_alpha_tree_solve(tn_sim *sim, tn_step_report *report);
/* Writes multipliers, errors of rows and kinematics back to the state and the system. */
void tn_alpha_tree_show(tn_sim *sim);

/* alpha_tree_held.c: for a link whose joint holds coordinates, after both of its bodies have moved: arms, errors, the
 * joint's free motions, and its wrench on both. false: rows of its coordinates are not independent at this pose. The
 * second function writes back its multipliers and errors at the end. */
bool tn_alpha_tree_apply_held(tn_sim *sim, const tn_alpha *c, int32_t k, tn_trial trial);
void tn_alpha_tree_show_held(tn_sim *sim, const tn_alpha_link *link);

#endif
