/* reactions.h: room step/part: do the reported reactions belong to the motion? */
#ifndef TN_STEP_PART_REACTIONS_H
#define TN_STEP_PART_REACTIONS_H

#include "method/method.h"
#include "motion/force_balance.h"

typedef struct tn_reaction_check {
    double *residual; /* [velocities] */
    double *udot;     /* [velocities] */
    double *scale;    /* [bodies][2] */
    double mass;      /* kg, of all that moves */
    /* The elements that act on the bodies of group k: element[start[k]] to element[start[k + 1]]. */
    int32_t *element, *start;
    tn_wrench *wrenches; /* of the elements checked, as tn_balance_of.wrenches */
} tn_reaction_check;

tn_status tn_reactions_check_create(const tn_model *model, tn_reaction_check *check);
void tn_reactions_check_destroy(tn_reaction_check *check);

/* How a sub-step was taken. */
typedef struct tn_part_taken {
    const tn_method *method;
    const double *u; /* [velocities] at its start */
    double length;   /* s */
} tn_part_taken;

/* Checks the Newton-Euler equations of the group of bodies that is due, or of all bodies. */
tn_force_balance tn_reactions_check(const tn_sim *sim, const tn_reaction_check *check,
                                    const tn_part_taken *part, bool all);

/* The group that is due after this one. */
int32_t tn_reactions_next_group(const tn_model *model, int32_t asked);

#endif
