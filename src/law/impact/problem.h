/* problem.h: room law/impact: the complementarity problem that impacts and accelerations pose.
 *
 * In: with every touching limit held, the right-hand side in sys.f and sys.g. Out: sys.du and sys.y, in which limits push
 * only, and which rows are at their bounds.
 */
#ifndef TN_LAW_IMPACT_PROBLEM_H
#define TN_LAW_IMPACT_PROBLEM_H

#include "law/limits/limits_impl.h"
#include "law/impact/rub.h"
#include "solve/mlcp/mlcp.h"

/* An impact in its course (course.h). */
typedef struct tn_course {
    double *came;    /* [y_size] speeds of the rows before it */
    double *bounces; /* [y_size] restitution of limits that were met fast enough, else 0 */
    double *push;    /* [y_size] impulses of limits in a phase in which they push on (rub.h) */
    double *start;   /* [u_size] velocities before it */
    double *rested;  /* [u_size] when all has come to rest at the limits */
    double rebound;  /* share of the speeds of Newton's restitution with which limits are left */
} tn_course;

struct tn_impact {
    tn_mlcp *mlcp;
    double *lo, *hi;   /* [y_size] bounds of the multipliers */
    int8_t *row_state; /* [y_size] TN_MLCP_FREE ... */
    double *speeds;    /* [y_size] of the rows after an impact */
    double *changes;   /* [y_size] of those speeds by the last solution */
    int32_t resting;   /* coordinates that an impact leaves slower than they can leave */
    double step;       /* s, fixed, of the impact; 0: steps are divided */
    double seconds;    /* for which caps act in the problem of impulses */
    double lost;       /* J lost in limits that were hit, since it was read last */
    bool struck;       /* the last impact has changed speeds */
    double *g, *y,
        *u; /* [y_size], [y_size], [u_size] right-hand sides and solutions of a tree (by_tree.h) */
    tn_course course;
    tn_rubbing rubs;
};

/* Calls the function for every coordinate held at a limit that only pushes in this step, with the
 * slot of its row. */
typedef void (*tn_held_function)(tn_sim *sim, int32_t joint, int32_t coordinate, int64_t slot);
void tn_impact_for_each_held(tn_sim *sim, tn_held_function function);

/* The problem of velocities (impulses) or accelerations. */
tn_status tn_impact_solve_rows(tn_sim *sim, int impulses, tn_step_report *report);

#endif
