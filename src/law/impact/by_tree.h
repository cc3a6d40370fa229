/* by_tree.h: room law/impact: the problem of problem.h for a tree, by its own elimination (motion/tree/tree.h). */
#ifndef TN_LAW_IMPACT_BY_TREE_H
#define TN_LAW_IMPACT_BY_TREE_H

#include "motion/simulation.h"

/* From sys.f and sys.g into sys.du and sys.y, with the bounds lo and hi of sim->impact; its row_state, of rows that have some:
 * TN_MLCP_FREE of those between theirs. false: the general problem is to be solved. */
bool tn_impact_solve_by_tree(tn_sim *sim, tn_step_report *report);

#endif
