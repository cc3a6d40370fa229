/* simulation.h: room motion: a simulation, and what is asked of its bodies whatever moves them.
 *
 * In: model, state, and the system that room assemble makes of them. Out, from the files of this
 * room: kinematics of now, poses and velocities that fit the joints with the least change, the
 * accelerations and multipliers that go with them, momenta, what loops leave open. Rooms below add
 * what holds coordinates (law), how time goes on (method), how a step is made safe (step), and the
 * public face (sim).
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

/* What stays open in loops that do not close: largest errors (m, rad), the larger of them relative
 * to the mechanism's size, and whose it is (-1: nobody's). */
typedef struct tn_gap {
    double position, angle, relative;
    int32_t worst;
} tn_gap;

/* Scratch of purge.c. */
typedef struct tn_purge {
    double *before, *change; /* [y_size] N, N m */
    double *force_scale;     /* [bodies][2] N, N m */
} tn_purge;

/* What single files work with, known to them only. */
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

/* How far laws are beyond their events (law/event_laws.h), at some times in a part: law/within.h. */
enum { TN_WITHIN_SAMPLES = 16, TN_WITHIN_LAWS = 7 };
typedef struct tn_within {
    int count;
    double t[TN_WITHIN_SAMPLES];                      /* s from sim->mark, rising */
    double beyond[TN_WITHIN_LAWS][TN_WITHIN_SAMPLES]; /* m, rad */
} tn_within;

/* What all bodies have moved about in a part of a step, J (step/part/books.c): what energy there is more, all that was moved,
 * the falls; and m v^2 and w.J w of the mean velocities and of the changes. */
typedef struct tn_moved {
    double made, moved, size;
    double run, pushed, spun, twisted;
} tn_moved;

/* What a method has found out on the way, so that nobody has to look again. */
typedef struct tn_told {
    bool moves;  /* `moved` is that of the part */
    bool sound;  /* all numbers of the state's motion are such, coordinates and multipliers too */
    bool errors; /* those of the report are of its end */
    bool speeds; /* those of the drives are (tn_drive.speed) */
    /* Newton and Euler hold of every body with the multipliers there are, to what the tolerance of poses leaves
     * unknown (step/part/reactions.c). */
    bool balances;
    tn_moved moved;
} tn_told;

struct tn_sim {
    const tn_model *model;
    const tn_method *method;
    tn_integrator_traits traits; /* the method's */
    void *work;                  /* the method's own */
    tn_sim_options options;
    tn_model *own;   /* the model, where the simulation made it (sim/change.c); NULL: the user's */
    int64_t changes; /* how often it was changed */
    tn_state state;
    tn_state backup; /* the state before tn_sim_step */
    tn_state mark;   /* one within a call to come back to, as the start of a part of a step */
    /* Which of these two the state is, but for switches, drives and sums, while a part begins; NULL:
     * none, or something has moved since. */
    const tn_state *from;
    tn_system sys;  /* between steps the kinematics are those of the state */
    double *speeds; /* [y_size] scratch of project.c */
    /* [y_size] m, rad, of compliant rows: where a velocity solve of first order has them at the end of its step */
    double *yields;
    /* [elements][TN_MAX_COORDINATES]: scratch of law/limits/limits_setting_out.c; and twice as
     * many: points of springs, law/drives/drive_knots.c */
    double *setting_out, *drive_knots;
    tn_purge purge;
    double *inverse_inertia; /* [velocities] tn_model_body.inverse_inertia, packed */
    tn_impact *impact;
    tn_between *between;
    tn_pieces *pieces;  /* NULL: no joint is on pieces */
    tn_body_tree *tree; /* NULL: the model is no tree (motion/tree/tree.h) */
    tn_judge *judge;
    tn_dense *dense;
    tn_ahead *ahead;        /* NULL: parts of steps end where the step does */
    tn_apart *apart;        /* NULL: the world is one, or is stepped as one */
    int32_t begins_nothing; /* joint that the model's own velocities would open, -1: none */
    tn_event_log log;       /* of the last step */
    double event_time;      /* s, of the event being resolved: the start of a part of a step */
    double event_rest;      /* s, what rounding left out of it */
    int32_t knots;          /* parts of this step that ended at one (motion/ahead/knots.h) */
    double smooth_from,
        smooth_to; /* s, between which what is given over the time is smooth: of the part at hand */
    double now;    /* s, of the state, within a step too */
    double step;   /* s, the step that is taken, of which parts may be shorter */
    double stage_time; /* s, of the pose at which loads are asked for */
    tn_within within;  /* of the part that was tried last */
    tn_poles *poles;   /* NULL: no loops */
    tn_sim_loads *loads;
    tn_function_list functions; /* of drives set while running, beyond the model's */
    tn_friction_fit *friction_fit;
    tn_bend_watch *watches; /* [coordinates] of the drives, as the state has them */
    tn_momentum *momenta;   /* [floating components] as noted last */
    tn_snapshot reactions;  /* what the multipliers belong to, where that is not the state's pose */
    tn_coords *coords;      /* made when first needed */
    tn_singular singular;   /* of sys */
    double *gap_rows;       /* [y_size] scratch of gap.c */
    tn_arena seldom;  /* scratch that many models never write to, and that takes no memory then */
    double corrected; /* J, that the position pass of impulses made of the part taken last */
    double
        pushed; /* J: what loads and drives worked there at poses that are off by 1 m and 1 rad, about */
    double gap_split;    /* E / A by which a position correction has told gaps from errors */
    double out_of_reach; /* share of the residual that refined solves of the last step left */
    int32_t dependent;   /* scalar rows, at the start of a first-order step (close_fold.c) */
    int only_whole;      /* 1: a part that fails is not tried shorter */
    /* Of the part taken last: the wrenches of its joints are what Newton and Euler leave of every
     * body, and there is nothing to ask about them. */
    bool reactions_balance;
    bool coordinates_known; /* likewise: those of the state are of its end */
    tn_told told;           /* likewise */
    bool factor_is_old;     /* likewise: it was found without the system's factor */
    tn_status missed;       /* why parts of the step were halved (step/part/halving.c) */
    int32_t line_passed;    /* joint whose line a part of the step went through the end of; -1 */
    /* 1: parts cannot be cut shorter (step/part/halving.h), so that what a shorter one would do
     * better, and only that, is accepted; the judge asks all the same */
    int last_resort;
    double size;          /* m, half the extent of the joints' places at the start; of loops only */
    struct tn_crew *crew; /* threads that work on a step; NULL: the calling one alone */
    int32_t
        door; /* 1 and the callbacks its thread was inside of when the call came that is at work; 0: none is */
};

/* Is a call at work on the simulation, and this one comes from inside one of its callbacks? What it changes
 * could be freed or moved under the step that goes on after it. */
static inline bool tn_sim_is_at_work(const tn_sim *sim)
{
    return sim && sim->door > 0 && tn_callbacks() >= sim->door;
}

/* NULL: within another call already, which leaves. */
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

/* At the door of every call that changes a simulation: from inside one of its callbacks the refusal is
 * returned; else the call is at work until its function returns. */
#define TN_COME_IN(sim, refusal)                                                                   \
    if (tn_sim_is_at_work(sim)) {                                                                  \
        return refusal;                                                                            \
    }                                                                                              \
    __attribute__((cleanup(tn_sim_leave), unused)) tn_sim *const came_in = tn_sim_come_in(sim)

/* The moment of a state, and h seconds on, without losing what rounding cuts off (Kahan). */
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

/* As the calls of the outside ask: no simulation has no elements. */
static inline int32_t tn_sim_element(const tn_sim *sim, tn_joint joint)
{
    return sim ? tn_element_of(sim->model, joint) : -1;
}

#endif
