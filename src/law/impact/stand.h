/* stand.h: room law/impact: impacts of trees as they stand. See stand.c. */
#ifndef TN_LAW_IMPACT_STAND_H
#define TN_LAW_IMPACT_STAND_H

#include "motion/simulation.h"

/* Who asks, and room for what is answered. */
typedef struct tn_impact_asked {
    tn_sim *sim;
    double *g, *y; /* [y_size] */
    double *u;     /* [u_size] */
    tn_step_report *report;
} tn_impact_asked;

/* The change u of the velocities and impulses y for which rows have these speeds more, limits pushing only; by the factor
 * at TN_STANCE_HERE of all that is held. */
bool tn_impact_stand(const tn_impact_asked *asked, const double *g, double *u, double *y);
/* The accelerations and multipliers of the state, limits pushing only, by the same factor; row_state, of the rows of
 * limits: TN_MLCP_FREE of those that push. */
bool tn_impact_stand_acceleration(const tn_impact_asked *asked, int8_t *row_state);

#endif
