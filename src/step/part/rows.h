/* rows.h: room step/part: rows that only push, ranges, and multipliers that nothing determines. */
#ifndef TN_STEP_PART_ROWS_H
#define TN_STEP_PART_ROWS_H

#include "motion/simulation.h"

/* What a step ends with. */
typedef struct tn_rows_ended {
    double pull;     /* of limits, as a share of the largest force on the body pulled; see body */
    double beyond;   /* m, rad: coordinates outside of their range */
    double idle;     /* share of the multipliers of loops that acts on nothing: energies */
    int32_t body;    /* the one pulled most, -1: none */
    int32_t pulling; /* a joint whose limit pulls it, -1: none */
    int32_t ranged;  /* the joint that is beyond most, -1: none */
    int32_t idle_joint; /* the joint that has most of what acts on nothing, -1: none */
} tn_rows_ended;

typedef struct tn_rows_check {
    double *residual; /* [velocities] */
    double *scale;    /* [bodies][2] */
    double *lambda;   /* [y_size], of models with loops */
} tn_rows_check;

tn_status tn_rows_check_create(const tn_sim *sim, tn_rows_check *check);
void tn_rows_check_destroy(tn_rows_check *check);

/* Asked of the state after a step of h seconds; of the multipliers when it is their turn. unknown:
 * N, what no force can be told to. */
tn_rows_ended tn_rows_ask(tn_sim *sim, const tn_rows_check *check, double unknown, bool multipliers,
                          int32_t *solves);

#endif
