/* rows.h: room step/part: checks rows that may only push, ranges, and null-space components of multipliers. */
#ifndef TN_STEP_PART_ROWS_H
#define TN_STEP_PART_ROWS_H

#include "motion/simulation.h"

/* The figures of a step's end. */
typedef struct tn_rows_ended {
    double pull;   /* of limits, as a share of the largest force on `body` */
    double beyond; /* m, rad: coordinates outside of their range */
    /* null-space component of the multipliers of loops, as a share of them in the metric of A */
    double idle;
    int32_t body;       /* the one pulled most, -1: none */
    int32_t pulling;    /* a joint whose limit pulls it, -1: none */
    int32_t ranged;     /* the joint furthest outside its range, -1: none */
    int32_t idle_joint; /* the joint with the largest null-space component, -1: none */
} tn_rows_ended;

typedef struct tn_rows_check {
    double *residual; /* [velocities] */
    double *scale;    /* [bodies][2] */
    double *lambda;   /* [y_size], of models with loops */
} tn_rows_check;

tn_status tn_rows_check_create(const tn_sim *sim, tn_rows_check *check);
void tn_rows_check_destroy(tn_rows_check *check);

/* Checks the state after a step of h seconds; the multipliers only if `multipliers` is set. unknown: N, a force below
 * which forces are uncertain. */
tn_rows_ended tn_rows_verify(tn_sim *sim, const tn_rows_check *check, double unknown,
                             bool multipliers, int32_t *solves);

#endif
