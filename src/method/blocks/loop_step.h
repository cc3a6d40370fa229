/* loop_step.h: room method/blocks: functions shared by special iterations of loops (method/linkage, method/space):
 * whether a step may go from one state to another, whether it is tried, what follows a failure, and the report of
 * its results.
 */
#ifndef TN_METHOD_BLOCKS_LOOP_STEP_H
#define TN_METHOD_BLOCKS_LOOP_STEP_H

#include "method/alpha/alpha.h"

/* Results of a step that its verification needs. */
typedef struct tn_loop_step_results {
    tn_moved moved;
    double position, angle; /* m, rad: largest errors of joints */
    double sum;             /* of all numbers: not finite if one of them is not */
    int32_t worst_joint;    /* -1: no joint has an error */
    bool balances;          /* as in tn_told */
} tn_loop_step_results;

/* Can a step of h seconds go from one state to another (tn_method.shares_start)? */
bool tn_loop_step_goes_on(const tn_sim *sim, double h);
/* Is the step to be tried, or is there a pause? Counts the step. */
bool tn_loop_step_tries(tn_sim *sim);
/* The general iteration is to take the step, from its start; pause: and the next ones too. Returns false. */
bool tn_loop_step_gives_up(tn_sim *sim, bool pause);
/* Reports the results, so that they are not computed again. */
void tn_loop_step_report(tn_sim *sim, const tn_loop_step_results *results, tn_step_report *report);

#endif
