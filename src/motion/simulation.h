/* simulation.h: room motion: a simulation, and what is computed of its bodies, whatever moves them.
 *
 * In: model, state, and the system that room assemble makes of them. Out, from the files of this room: current
 * kinematics, the nearest poses and velocities that satisfy the joints, the accelerations and multipliers that belong
 * to them, momenta, gaps of loops. Rooms below add the laws of held coordinates (law), integration (method), verified
 * steps (step), and the public functions (sim).
 */
#ifndef TN_MOTION_SIMULATION_H
#define TN_MOTION_SIMULATION_H

#include "base/arena.h"
#include "coords/coords.h"
#include "motion/events.h"
#include "solve/singular.h"
#include "tenon/sim.h"

/* Kinematics kept from the solve that gave the multipliers. */
typedef struct tn_snapshot {
    tn_xform *T;              /* [bodies] */
    tn_joint_kinematics *kin; /* [elements] */
    tn_term_state *terms;     /* [terms of couplings] */
} tn_snapshot;

/* The gaps of loops that do not close: largest errors (m, rad), the larger of them relative to the mechanism's size,
 * and its joint (-1: none). */
typedef struct tn_gap {
    double position, angle, relative;
    int32_t worst;
} tn_gap;

/* Scratch of purge.c. */
typedef struct tn_purge {
    double *before, *change; /* [y_size] N, N m */
    double *force_scale;     /* [bodies][2] N, N m */
} tn_purge;

/* Private data of single files. */
typedef struct tn_momentum tn_momentum;         /* momentum.c */
typedef struct tn_impact tn_impact;             /* problem.h */
typedef struct tn_friction_fit tn_friction_fit; /* friction_fit.h */
typedef struct tn_bend_watch tn_bend_watch;     /* ahead/knots.c */
typedef struct tn_between tn_between;           /* limits_between.c */
typedef struct tn_pieces tn_pieces;             /* law/pieces.c */
typedef struct tn_body_tree tn_body_tree;       /* motion/tree/tree.c */
typedef struct tn_poles tn_poles;               /* law/poles.c */
typedef struct tn_sim_loads tn_sim_loads;       /* loads.c */
typedef struct tn_judge tn_judge;               /* step/part/judge.c */
typedef struct tn_ahead tn_ahead;               /* step/part/ahead.c */
typedef struct tn_dense tn_dense;               /* step/event/dense.c */
typedef struct tn_apart tn_apart;               /* step/apart.h */

/* method/method.h: an integrator. */
typedef struct tn_method tn_method;

/* Event functions (law/event_laws.h) sampled at some times of a sub-step: law/within.h. */
enum { TN_WITHIN_SAMPLES = 16, TN_WITHIN_LAWS = 7 };
typedef struct tn_within {
    int count;
    double t[TN_WITHIN_SAMPLES];                      /* s from sim->mark, rising */
    double beyond[TN_WITHIN_LAWS][TN_WITHIN_SAMPLES]; /* m, rad */
} tn_within;

/* Sums over all bodies for the energy accounting of a sub-step (step/part/books.c), J: energy gained, energy
 * exchanged, the work of weights; and m v^2 and w.J w of the mean velocities and of the changes. */
typedef struct tn_moved {
    double made, moved, size;
    double run, pushed, spun, twisted;
} tn_moved;

/* Results that a method has already computed in its step, so that they are not computed again. */
typedef struct tn_told {
    bool moves;  /* `moved` is that of the sub-step */
    bool sound;  /* all numbers of the state's motion are finite, coordinates and multipliers too */
    bool errors; /* the errors in the report are those of its end */
    bool speeds; /* the speeds of the drives are those of its end (tn_drive.speed) */
    /* The Newton-Euler equations of every body hold with the multipliers in the state, up to the uncertainty due to the
     * tolerance of poses (step/part/reactions.c). */
    bool balances;
    tn_moved moved;
} tn_told;

struct tn_sim {
    const tn_model *model;
    const tn_method *method;
    tn_integrator_traits traits; /* the method's */
    void *work;                  /* private data of the method */
    tn_sim_options options;
    tn_model *own;   /* the model, where the simulation made it (sim/change.c); NULL: the user's */
    int64_t changes; /* number of changes */
    tn_state state;
    tn_state backup; /* the state before tn_sim_step */
    tn_state mark;   /* a state to return to within a call, for example the start of a sub-step */
    /* Which of these two the state equals, but for switches, drives and sums, at the start of a sub-step; NULL:
     * neither, or something has moved since. */
    const tn_state *from;
    tn_system sys;  /* between steps the kinematics are those of the state */
    double *speeds; /* [y_size] scratch of project.c */
    /* [y_size] m, rad: errors of compliant rows at the end of the step, by a velocity solve of first order */
    double *yields;
    /* [elements][TN_MAX_COORDINATES]: scratch of law/limits/limits_setting_out.c; and twice as
     * many: knots of springs, law/drives/drive_knots.c */
    double *setting_out, *drive_knots;
    tn_purge purge;
    double *inverse_inertia; /* [velocities] tn_model_body.inverse_inertia, packed */
    tn_impact *impact;
    tn_between *between;
    tn_pieces *pieces;  /* NULL: no joint is on pieces */
    tn_body_tree *tree; /* NULL: the model is no tree (motion/tree/tree.h) */
    tn_judge *judge;
    tn_dense *dense;
    tn_ahead *ahead;        /* NULL: sub-steps end where the step does */
    tn_apart *apart;        /* NULL: the world is one tree, or is stepped as one */
    int32_t begins_nothing; /* joint that the model's own velocities would open, -1: none */
    tn_event_log log;       /* of the last step */
    double event_time;      /* s, of the event being resolved: the start of a sub-step */
    double event_rest;      /* s, round-off of that time */
    int32_t knots;          /* sub-steps of this step that ended at a knot (motion/ahead/knots.h) */
    double smooth_from,
        smooth_to; /* s, interval of the present sub-step in which prescribed functions of time are smooth */
    double now;        /* s, of the state, within a step too */
    double step;       /* s, the present step, whose sub-steps may be shorter */
    double stage_time; /* s, of the pose at which loads are evaluated */
    tn_within within;  /* of the sub-step that was tried last */
    tn_poles *poles;   /* NULL: no loops */
    tn_sim_loads *loads;
    tn_function_list functions; /* of drives set while running, beyond the model's */
    tn_friction_fit *friction_fit;
    tn_bend_watch *watches; /* [coordinates] of the drives, in the order of the state */
    tn_momentum *momenta;   /* [floating components] as noted last */
    tn_snapshot reactions;  /* kinematics of the multipliers, if not those of the state */
    tn_coords *coords;      /* created on demand */
    tn_singular singular;   /* of sys */
    double *gap_rows;       /* [y_size] scratch of gap.c */
    tn_arena seldom;        /* scratch that many models never write to: it then takes no memory */
    double corrected; /* J, energy gained in the position pass of impulses in the last sub-step */
    double pushed; /* J: work of loads and drives for poses that are off by about 1 m and 1 rad */
    double gap_split;    /* E / A by which a position correction has separated gaps from errors */
    double out_of_reach; /* share of the residual that refined solves of the last step left */
    /* scalar rows that depend on others at the start of a first-order step (close_fold.c) */
    int32_t dependent;
    int only_whole; /* 1: a sub-step that fails is not repeated at a shorter length */
    /* Of the sub-step taken last: the wrenches of its joints are the residuals of the bodies' equations, so that their
     * balance needs no check. */
    bool reactions_balance;
    bool coordinates_known; /* likewise: the coordinates in the state are those of its end */
    tn_told told;           /* likewise */
    bool factor_is_old;     /* likewise: it was computed without the system's factor */
    tn_status missed;       /* why sub-steps of the step were halved (step/part/halving.c) */
    int32_t line_passed;    /* joint whose line shrank to a point within a sub-step; -1 */
    /* 1: sub-steps cannot be shorter (step/part/halving.h): errors that only a shorter one would reduce are
     * accepted, all others are still checked */
    int last_resort;
    double size; /* m, half the extent of the joints' positions at the start; of loops only */
    struct tn_crew *crew; /* threads that work on a step; NULL: the calling one alone */
    /* 0: no call is running; else 1 + the callbacks that its thread was inside of when it came */
    int32_t door;
};

/* Is a call running on the simulation, and does this one come from inside one of its callbacks? A change could free or
 * move what the running step still uses. */
static inline bool tn_sim_is_at_work(const tn_sim *sim)
{
    return sim && sim->door > 0 && tn_callbacks() >= sim->door;
}

/* NULL: this is within another call, which will leave by itself. */
static inline tn_sim *tn_sim_come_in(tn_sim *sim)
{
    if (!sim || sim->door > 0)
        return NULL;
    sim->door = 1 + tn_callbacks();
    return sim;
}

static inline void tn_sim_leave(tn_sim *const *came_in)
{
    if (*came_in)
        (*came_in)->door = 0;
}

/* At the start of every call that changes a simulation: from inside one of its callbacks it returns the refusal;
 * else the call counts as running until its function returns. */
#define TN_COME_IN(sim, refusal)                                                                   \
    if (tn_sim_is_at_work(sim)) {                                                                  \
        return refusal;                                                                            \
    }                                                                                              \
    __attribute__((cleanup(tn_sim_leave), unused)) tn_sim *const came_in = tn_sim_come_in(sim)

/* The time of a state, and h seconds on, with the round-off of the sum kept (Kahan). */
static inline void tn_time_begin(tn_sim *sim)
{
    sim->event_time = sim->now = sim->state.head->time;
    sim->event_rest = sim->state.head->time_rest;
    sim->smooth_from = -INFINITY;
    sim->smooth_to = INFINITY;
}

static inline void tn_time_pass(tn_sim *sim, double h)
{
    const double add = h + sim->event_rest, time = sim->event_time + add;
    sim->event_rest = add - (time - sim->event_time);
    sim->event_time = time;
}

/* For public calls: without a simulation there are no elements. */
static inline int32_t tn_sim_element(const tn_sim *sim, tn_joint joint)
{
    return sim ? tn_element_of(sim->model, joint) : -1;
}

#endif
