/* apart.h: room step: trees that share nothing but a world, each stepped as a world of its own.
 *
 * An event in one of them, a limit that is reached or released, is no event of the others: only that tree stops
 * there, and the others take the step as a whole and keep what their methods remember. A part is a simulation of its
 * own, of bodies and joints of the world's model (tn_model_part). All it keeps between steps is in the state of the
 * world: poses, velocities and the like at their usual places, its head and the memory of its method after those of
 * the world.
 *
 * Limits: methods of fixed steps with accelerations, and models without loops, couplings, drives and loads in which
 * some coordinate has a range. Where such things are set while running, the world is stepped as one.
 */
#ifndef TN_STEP_APART_H
#define TN_STEP_APART_H

#include "motion/simulation.h"

/* Some of the world's bodies and joints, in the order of the world. */
typedef struct tn_apart_part {
    tn_sim *sim;
    const int32_t *bodies, *joints; /* [those of its model] the world's */
    size_t at;                      /* bytes, in the memory of the world's state: its head */
    tn_edition switched;            /* of its state, when its switches were the world's */
    /* Its bodies and joints are numbered in a row in the world, from these on: it computes in the kinematics of the
     * world, and nothing is copied. -1: they are not. */
    int32_t first_body, first_joint;
    tn_xform *T; /* the array it was made with */
    tn_joint_kinematics *kin;
} tn_apart_part;

struct tn_apart {
    tn_apart_part *parts;
    int32_t count;
    size_t
        at; /* bytes, in the memory of the world's state: a flag, are the heads of the parts there current? */
    size_t memory_size;  /* bytes from there on */
    tn_edition switched; /* of the world's state, when its switches were those of the parts */
    int32_t *block;      /* of lists of parts */
};

/* Is the next step taken part by part? */
bool tn_apart_takes(const tn_sim *sim);
/* A step of each part, or its start (tn_sim_start), by this function. On failure nothing has changed. */
typedef tn_status tn_apart_move(tn_sim *part, double h, tn_step_report *report);
tn_status tn_apart_go(tn_sim *sim, double h, tn_apart_move *move, tn_step_report *report);
/* After a step: updates the largest energies so far. */
void tn_apart_tally(tn_sim *sim);

/* Before a part is freed: it gets its own array of kinematics again. */
void tn_apart_give_back(tn_apart_part *part);

/* The world is stepped as one from here: the memories of the parts are stale, and so is that of its own method. */
void tn_apart_leave(tn_sim *sim);
/* Restarts the parts of a state that was carried over from another model. */
void tn_apart_forget(tn_sim *sim);

#endif
