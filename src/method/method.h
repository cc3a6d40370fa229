/* method.h: room method: the interface of integrators.
 *
 * An integrator is one file with one tn_method in it, tn_method_NAME, and one line of TN_INTEGRATOR_LIST
 * (tenon/simulation.h), from which the table of method.c is made. All other code reads these columns, never which
 * integrator it is. Undoing a step, events, halving and fallbacks are implemented once for all of them (step.c,
 * part.c).
 *
 * In: a simulation whose state is at the start of a sub-step, with current kinematics and with drives moved to the
 * end of the sub-step. Out: pose, velocity and multipliers h seconds later; the method does not set time and
 * coordinates. After a failure the state is undefined.
 */
#ifndef TN_METHOD_METHOD_H
#define TN_METHOD_METHOD_H

#include <stdbool.h>

#include "state/state.h"
#include "tenon/sim.h"

/* A sub-step of a method that divides its steps. */
typedef struct tn_part {
    double length;    /* s, to be tried */
    double remaining; /* s, of the step */
    double known;     /* s, its length if the step did not end; 0: not known */
    int rejected;     /* number of longer ones that were */
} tn_part;

typedef struct tn_method tn_method;

struct tn_method {
    tn_integrator_traits traits;
    /* the momenta of floating components are restored at the end of steps (momentum.c) */
    bool restores_momenta;
    /* rows of compliant joints are those of the nearest legal pose, as in the ArtiSynth Modeling Guide, not those
     * of the present one (joint/joint_off.c) */
    bool legal_rows;
    bool sums_work; /* it adds up the work of drives itself, with weights of its own */
    /* When this method fails at any length, one robust step of the fallback is taken; NULL: none. It has no memory, and
     * uses the workspace of this method or none. */
    const tn_method *fallback;

    /* Bytes of its memory between steps in every state, without pointers; NULL: none. */
    size_t (*memory_size)(const tn_model *model);

    /* Creates its workspace, sim->work, at the initial poses. NULL: none. destroy frees it, also after create has
     * failed half-way. */
    tn_status (*create)(tn_sim *sim);
    void (*destroy)(tn_sim *sim);

    /* Accelerations, multipliers and memory at a consistent pose and velocity, for steps of h seconds: after every
     * change of held coordinates or loads. */
    tn_status (*start)(tn_sim *sim, double h, tn_step_report *report);
    /* Before a sub-step of h seconds, while all that moves is at its start: changes the memory to that of such steps.
     * NULL: the memory does not depend on the length. */
    tn_status (*change_step)(tn_sim *sim, double h, tn_step_report *report);
    /* The part of change_step that is the same for sub-steps of any length up to h from here, when many are to be
     * tried; NULL: there is none. */
    tn_status (*prepare)(tn_sim *sim, double h, tn_step_report *report);
    tn_status (*step)(tn_sim *sim, double h, tn_step_report *report);
    /* Does a step of h seconds from here write every number of another state that shares its start
     * (tn_state_share_start)? NULL: never. */
    bool (*shares_start)(const tn_sim *sim, double h);

    /* For methods that divide their steps by their error estimates; NULL: a step is one sub-step. Sets the next
     * sub-step of a step of which `remaining` seconds are left, or returns TN_ERROR_STIFF. */
    tn_status (*begin_part)(tn_sim *sim, double remaining, tn_part *part, tn_step_report *report);
    /* After a trial with this status. 1: it is accepted, or the step fails, as the status then says. 0: it is to be
     * repeated with a shorter length. */
    int (*judge_part)(tn_sim *sim, tn_part *part, tn_status *status, tn_step_report *report);
    /* For methods whose sub-steps may end after the step: a sample. In: sim->mark, which sim->state equals, the
     * start of the last sub-step, of `length` seconds. Out: the state t seconds after the start, like that after
     * step. NULL: sub-steps end with the step. */
    tn_status (*look)(tn_sim *sim, double length, double t, tn_step_report *report);
    /* Bytes at the beginning of the memory that such a sub-step starts from. */
    size_t looks_from;
};

/* The method of an integrator; NULL: there is no such integrator. */
const tn_method *tn_method_of(tn_integrator integrator);

#define TN_METHOD_DECLARE(id, name, text, order, controls) extern const tn_method tn_method_##name;
TN_INTEGRATOR_LIST(TN_METHOD_DECLARE)
#undef TN_METHOD_DECLARE

#endif
