/* apart.h: room step: trees that share a world and nothing else, each stepped as a world of its own.
 *
 * What happens in one of them, a limit reached or let go, is no event of the others: it alone is stopped there,
 * and they take the step as a whole, with what their methods remember. A part is a simulation of its own, of
 * bodies and joints of the world's model (tn_model_part); all it knows between steps is in the state of the
 * world: poses, velocities and the like where they always are, its head and its method's memory behind those
 * of the world.
 *
 * Of methods of fixed steps with accelerations, and models without loops, couplings, drives and loads in which
 * something has a range; where anything else is set while running, the world is stepped as one.
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
    /* Its bodies and joints stand in a row in the world, from these on: the kinematics of the world are its
     * own, and nothing is copied. -1: they do not. */
    int32_t first_body, first_joint;
    tn_xform *T; /* those it was made with */
    tn_joint_kinematics *kin;
} tn_apart_part;

struct tn_apart {
    tn_apart_part *parts;
    int32_t count;
    size_t
        at; /* bytes, in the memory of the world's state: are the parts' heads there those of now? */
    size_t memory_size;  /* bytes from there on */
    tn_edition switched; /* of the world's state, when its switches were those of the parts */
    int32_t *block;      /* of lists of parts */
};

/* Is the next step one of the parts? */
bool tn_apart_takes(const tn_sim *sim);
/* A step, or its start (tn_sim_start), by this of each part. On failure nothing has changed. */
typedef tn_status tn_apart_move(tn_sim *part, double h, tn_step_report *report);
tn_status tn_apart_go(tn_sim *sim, double h, tn_apart_move *move, tn_step_report *report);
/* After a step: the largest energies there were. */
void tn_apart_tally(tn_sim *sim);

/* Before it is freed: a part has its own kinematics again. */
void tn_apart_give_back(tn_apart_part *part);

/* The world is stepped as one: what its method remembers, and what the parts' do, is not of now. */
void tn_apart_leave(tn_sim *sim);
/* The parts of a state that was carried over from another model begin anew. */
void tn_apart_forget(tn_sim *sim);

#endif
