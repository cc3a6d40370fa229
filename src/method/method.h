/* method.h: room method: what a simulation asks of an integrator.
 *
 * An integrator is one file with one tn_method in it, tn_method_NAME, and one line of
 * TN_INTEGRATOR_LIST (tenon/spec.h), from which the table of method.c is made. Everything else asks
 * columns, never which integrator it is. Rolling back, events, halving and falling back are done
 * once for all of them (step.c, part.c).
 *
 * In: a simulation whose state is at the start of a part of a step, its kinematics refreshed, and
 * whose drives are where they are at the part's end. Out: pose, velocity and multipliers h seconds
 * later; time and coordinates are not the method's. One that fails may leave the state anyhow.
 */
#ifndef TN_METHOD_METHOD_H
#define TN_METHOD_METHOD_H

#include <stdbool.h>

#include "state/state.h"
#include "tenon/sim.h"

/* A part of a step taken by a method that divides its steps. */
typedef struct tn_part {
    double length;    /* s, what is to be tried */
    double remaining; /* s, of the step */
    double known;     /* s, what its length would be but for the step's end; 0: not known */
    int rejected;     /* how many longer ones were */
} tn_part;

typedef struct tn_method tn_method;

struct tn_method {
    tn_integrator_traits traits;
    bool restores_momenta; /* steps end with the momenta of what floats as they were (momentum.c) */
    bool
        legal_rows; /* rows of joints that yield are those of the nearest legal pose, as the ArtiSynth
                        Modeling Guide has them, not those of where they are (joint/joint_off.c) */
    bool sums_work; /* it adds up the work of drives itself, with weights of its own */
    /* One robust step of it is taken where this one fails at any length; NULL: none. It remembers
     * nothing, and works with the workspace of this one or with none. */
    const tn_method *fallback;

    /* What it remembers between steps: bytes in every state, no pointers; NULL: nothing. */
    size_t (*memory_size)(const tn_model *model);

    /* Its workspace, sim->work, at the initial poses. NULL: none. After a failure of create destroy
     * frees what there is. */
    tn_status (*create)(tn_sim *sim);
    void (*destroy)(tn_sim *sim);

    /* Accelerations, multipliers and memory at a consistent pose and velocity, for steps of h:
     * after every change of what holds or acts. */
    tn_status (*start)(tn_sim *sim, double h, tn_step_report *report);
    /* Before a part of h seconds, while everything that moves is at its start: the memory becomes
     * that of such steps. NULL: any memory is. */
    tn_status (*change_step)(tn_sim *sim, double h, tn_step_report *report);
    /* What of that is the same for parts of any length up to h from here, where many are to be
     * tried; NULL: nothing is. */
    tn_status (*prepare)(tn_sim *sim, double h, tn_step_report *report);
    tn_status (*step)(tn_sim *sim, double h, tn_step_report *report);
    /* Does a step of h seconds from here write all of another state that shares its start (tn_state_share_start)? NULL: none does. */
    bool (*shares_start)(const tn_sim *sim, double h);

    /* Of methods that divide their steps as their errors ask; NULL: a step is one part. The next
     * part of a step of which so much remains, or TN_ERROR_STIFF. */
    tn_status (*begin_part)(tn_sim *sim, double remaining, tn_part *part, tn_step_report *report);
    /* It has been tried, with this status. 1: it is taken, or the step fails, as the status then
     * says. 0: it is to be tried again, shorter. */
    int (*judge_part)(tn_sim *sim, tn_part *part, tn_status *status, tn_step_report *report);
    /* Of methods whose parts may end behind the step. In: sim->mark, where sim->state is, the start of
     * the part of so many seconds that was taken last. Out: the state t seconds after the start, as
     * step leaves it. NULL: parts end where the step does. */
    tn_status (*look)(tn_sim *sim, double length, double t, tn_step_report *report);
    /* Bytes at the beginning of the memory from which such a part is taken. */
    size_t looks_from;
};

/* The method of an integrator; NULL for what is none. */
const tn_method *tn_method_of(tn_integrator integrator);

#define TN_METHOD_DECLARE(id, name, text, order, controls) extern const tn_method tn_method_##name;
TN_INTEGRATOR_LIST(TN_METHOD_DECLARE)
#undef TN_METHOD_DECLARE

#endif
