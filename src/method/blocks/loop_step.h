/* loop_step.h: room method/blocks: what iterations of loops that finish a step by themselves share (method/linkage, method/space): when
 * a step may go from one state to another, whether it is to be tried, that it is left to another way, and what it tells.
 */
#ifndef TN_METHOD_BLOCKS_LOOP_STEP_H
#define TN_METHOD_BLOCKS_LOOP_STEP_H

#include "method/alpha/alpha.h"

/* What others would ask of a step. */
typedef struct tn_loop_step_told {
    tn_moved moved;
    double position, angle; /* m, rad: by which joints are off */
    double sum;             /* of all numbers: none where one of them is none */
    int32_t worst_joint;    /* -1: none is off */
    bool balances;          /* as tn_told */
} tn_loop_step_told;

/* Can a step of h seconds go from one state to another (tn_method.shares_start)? */
bool tn_loop_step_goes_on(const tn_sim *sim, double h);
/* Is it to be tried, after pauses? Counts the step. */
bool tn_loop_step_tries(tn_sim *sim);
/* It is to be taken in another way, from its start; after a pause where that is asked for. Returns false. */
bool tn_loop_step_gives_up(tn_sim *sim, bool pause);
/* So that nobody has to look again. */
void tn_loop_step_tells(tn_sim *sim, const tn_loop_step_told *told, tn_step_report *report);

#endif
