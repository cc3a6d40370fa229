/* rkmk.h: room method/stages: Runge-Kutta stages on the Lie group (rkmk.c), implicit ones too
 * (implicit_stage.c), and the lengths of parts of steps that their errors allow (parts.c).
 *
 * A step is taken in parts (step/part/part.c): each is tried, judged by its error, and taken or tried
 * again, shorter. How long the next may be is part of the state.
 *
 * Room method/stages, in: a state, a table of coefficients, and h. Out: the state h later and an
 * estimate of its error, explicit or implicit; from the error, the next length and which of both
 * ways takes it.
 */
#ifndef TN_METHOD_STAGES_RKMK_H
#define TN_METHOD_STAGES_RKMK_H

#include "method/method.h"
#include "motion/simulation.h"

/* Of the methods here, at most. */
#define TN_RKMK_STAGES 16
/* Stages that are solved together, at most. */
#define TN_MOST_TOGETHER 5

/* Implicit parts only, for tests: of the users' methods, auto takes such. */
extern const tn_method tn_method_kennedy_carpenter, tn_method_radau;

/* Of methods whose stages are solved together (collocation.c): L of a = L U, U with ones. */
typedef struct tn_sweeps {
    double by[TN_RKMK_STAGES][TN_RKMK_STAGES];
} tn_sweeps;

/* Powers of the parameter that looks within a part have beyond the fourth. */
#define TN_DENSE 4

/* A method: Y_i = Y + h sum a_ij F_j, errors by an embedded one of lower order. */
typedef struct tn_tableau {
    int last;     /* the stage that is what comes out, and the first of the next part */
    double order; /* p: the error that is told goes with h^p */
    double at[TN_RKMK_STAGES]; /* of the step */
    double a[TN_RKMK_STAGES][TN_RKMK_STAGES];
    double error[TN_RKMK_STAGES];  /* b - b^, b = the last row of a */
    bool has_two_errors;           /* and a second one of lower order yet: */
    double coarse[TN_RKMK_STAGES]; /* the same of that */
    double gamma;                  /* a_ii of all stages but the first; 0: they are explicit */
    /* Looks within the part (dense.c): so many more stages after the last, of which and all others
     * are the coefficients; 0: there are none. */
    int more;
    double dense[TN_DENSE][TN_RKMK_STAGES];
    const tn_sweeps *sweeps; /* a is full: gamma is L_ii of the last. NULL: it is lower */
} tn_tableau;
extern const tn_tableau tn_tableau_dormand_prince, tn_tableau_order_8, tn_tableau_kennedy_carpenter,
    tn_tableau_radau;

typedef struct tn_implicit tn_implicit;         /* implicit_stage.c */
typedef struct tn_joint_stages tn_joint_stages; /* method/evaluate */

/* How the parts of a method go. */
typedef struct tn_course {
    double size;  /* s, how long the next may be; 0: not known yet */
    double error; /* of the last, in units of the tolerance */
    double speed; /* s per unit of work (choice.c) */
} tn_course;

/* What is remembered in the state: two courses, and which method takes the parts. */
typedef struct tn_choice {
    tn_course course[2]; /* of explicit and of implicit parts */
    int32_t implicit;    /* which parts are taken now */
    int32_t signs;       /* of stiffness in the last explicit ones */
    int32_t trial;       /* parts left of a trial of the other method; 0: there is none */
    int32_t until;       /* parts before the next trial */
    int32_t wait;        /* parts before the one after that, if it fails */
    int32_t high;        /* explicit ones are of order 8 */
    /* Of the last part, if its stages were solved together: how many there are; s. Their
     * accelerations are kept behind this, one after the other. */
    int32_t kept;
    int32_t met; /* parts before one of a high order is tried again, as something happened in one */
    double kept_length;
} tn_choice;

typedef struct tn_rkmk {
    const tn_tableau *tableau;
    double *rate[TN_RKMK_STAGES]; /* [velocities] of the pose's coordinates: m/s, rad/s */
    double *udot[TN_RKMK_STAGES]; /* [velocities] m/s^2, rad/s^2 */
    double *dq;                   /* [velocities] increment of the pose per second */
    /* [velocities] of a stage: what those before it give; in joint coordinates T / h and the velocity of the last but one */
    double *known_rate, *known_udot;
    double *error_rate, *error_udot; /* [velocities] of a part, the same per second */
    double *power[TN_RKMK_STAGES];   /* [tn_rkmk_powers] W, of drives and loads, at the stages */
    double *block;                   /* of them all */
    double length;                   /* m: size of the model */
    double lightest;                 /* sqrt(kg m^2): of the lightest body */
    const tn_tableau *followed_by;   /* what tn_rkmk_followed has said last, of this method */
    double followed;
    double longer;           /* parts of order 8 than those of order 5 (choice.c) */
    double pace;             /* sizes or rad per second, at the start of the part */
    double part;             /* s, the length of the part */
    double error;            /* of the last part, in units of the tolerance */
    double astray;           /* what closing its end leaves of rounding near a fold, in the same */
    double stiffness;        /* of it, if it was explicit: its length times the fastest rate */
    int32_t work;            /* when it began */
    bool chooses;            /* the method is chosen anew for each part */
    bool high;               /* an explicit one is of order 8 */
    bool looks;              /* it may end behind the step, and is looked at within */
    bool has_more;           /* the stages for that are there */
    bool is_clear;           /* it was begun as one in which nothing happens */
    bool closes;             /* its stages close loops: rows of theirs may repeat others */
    bool in_joints;          /* its explicit stages are in joint coordinates, */
    tn_joint_stages *joints; /* in these; NULL: the model has none */
    int32_t *root;           /* [bodies + 1] scratch */
    tn_implicit *implicit;   /* NULL: for explicit stages only */
} tn_rkmk;

static inline tn_rkmk *tn_rkmk_of(const tn_sim *sim)
{
    return sim->work;
}

/* Poses, which say how large the model is, may be those before it is assembled. */
tn_status tn_rkmk_create(tn_sim *sim, const tn_tableau *tableau);
/* With a choice of both methods. */
tn_status tn_rkmk_create_both(tn_sim *sim);
void tn_rkmk_destroy(tn_sim *sim);

/* A part of a step, from sim->mark, where sim->state is. */
tn_status tn_rkmk_step(tn_sim *sim, double h, tn_step_report *report);

/* The pose whose coordinates are h dq, with its kinematics, drives and loads at the time of stage
 * i. */
void tn_rkmk_move(tn_sim *sim, int i, double h);
/* The same t seconds after the start. */
void tn_rkmk_move_to(tn_sim *sim, double t, double h);
/* An explicit stage, solved and kept. */
tn_status tn_rkmk_stage(tn_sim *sim, int i, double h, tn_step_report *report);
/* What comes out after h seconds, from the state there: on the constraints, with the accelerations of
 * there. */
tn_status tn_rkmk_solve_end(tn_sim *sim, double h, tn_step_report *report);

/* dense.c: see tn_method.look. */
tn_status tn_rkmk_look(tn_sim *sim, double length, double t, tn_step_report *report);
/* stiffness.c: of an explicit part of h seconds, after its end. */
double tn_rkmk_stiffness(const tn_sim *sim, double h);
/* How many powers there are; those of the state, as they are to be added up: work of drivers, motors
 * and loads, what is lost, and the work of each load. */
int32_t tn_rkmk_powers(const tn_model *model);
void tn_rkmk_note_power(const tn_sim *sim, double *power);
/* The rates of the coordinates, T / h in dq, that go with the state's velocities. */
void tn_rkmk_find_rate(const tn_sim *sim, double h, double *rate);

/* The fastest body of the state, sizes of the model or rad per second, and its turning only. */
typedef struct tn_pace {
    double any, turn;
} tn_pace;
tn_pace tn_rkmk_pace(const tn_sim *sim, const double *u);

/* part_error.c */
/* Of methods with two estimates: which share of the coarser one the finer one is tells rounding from what
 * a motion errs. Of a stage alone that is off it is 0.07 at least, of what a motion errs 0.014 at
 * most at tolerances to 1e-5 (test_tableau.c). */
#define TN_ALIKE 0.06
/* Poses are projected this close to their constraints, m and rad, if round-off lets them, or else
 * to the position tolerance: what is left is noise in the accelerations. */
#define TN_CLOSED 1e-13
/* The larger, or NaN if one of them is. */
double tn_rkmk_larger(double a, double b);
/* The rates of so many stages by their weights. */
void tn_rkmk_weigh(const tn_sim *sim, const double *weight, int count, double *rate, double *udot);
/* The error of the part in units of what it may err: of an explicit one at its end, of an implicit
 * one after its stages. */
void tn_rkmk_find_error(tn_sim *sim, double h, tn_step_report *report);
tn_status tn_rkmk_find_implicit_error(tn_sim *sim, double h, tn_step_report *report);
/* rtol^(1/p): how far a part of this order goes, in units of the motion's own pace. */
double tn_rkmk_followed(const tn_sim *sim);
/* How far a part of so many seconds goes, of what one at full pace does. */
double tn_rkmk_way(const tn_sim *sim, double part, double pace);

/* The largest of a pose's increments (m, rad) and of a velocity's of any body, in units of what a
 * part of a step may err. */
double tn_rkmk_in_tolerances(const tn_sim *sim, const double *pose, double pose_factor,
                             const double *velocity, double velocity_factor);

/* implicit_stage.c: for stages with a gamma. */
tn_status tn_implicit_create(tn_sim *sim);
void tn_implicit_destroy(tn_implicit *w);
/* Before a part: nothing is known of its matrix. */
void tn_implicit_begin(tn_sim *sim);
/* Stage i of a part of h seconds, from what those before it give. */
tn_status tn_implicit_stage(tn_sim *sim, int i, double h, tn_step_report *report);
/* The error of the accelerations without what stiffness makes of it; after the stages. */
tn_status tn_implicit_smooth(tn_sim *sim, double *udot, tn_step_report *report);

/* collocation.c: all stages of a part of h seconds by a method with sweeps. */
tn_status tn_collocation_solve(tn_sim *sim, double h, tn_step_report *report);
/* The state at stage i of them. */
void tn_collocation_place(tn_sim *sim, int i, double h);
/* They are remembered: where those of the next part begin. */
void tn_collocation_keep(tn_sim *sim, double h);
/* As tn_implicit_smooth. */
tn_status tn_collocation_smooth(tn_sim *sim, double *udot, tn_step_report *report);

/* parts.c: of methods that have such parts. */
size_t tn_parts_memory_size(const tn_model *model);
/* s, of a part from the state at this pace, where nothing is known yet: the time in which the motion changes by
 * itself, by its speeds and accelerations, and a share of it by the tolerance and the order. */
double tn_parts_first_length(const tn_sim *sim, double pace);
tn_status tn_parts_start(tn_sim *sim, double h, tn_step_report *report);
tn_status tn_parts_begin(tn_sim *sim, double remaining, tn_part *part, tn_step_report *report);
int tn_parts_judge(tn_sim *sim, tn_part *part, tn_status *status, tn_step_report *report);

/* The rest of such a method: a tn_method that is created so. */
#define TN_METHOD_OF_PARTS(how, looks)                                                             \
    {                                                                                              \
        .traits = {.accelerations = 1, .closes_joints = 1, .divides_steps = 1}, .sums_work = true, \
        .memory_size = tn_parts_memory_size, .create = how, .destroy = tn_rkmk_destroy,            \
        .start = tn_parts_start, .step = tn_rkmk_step, .begin_part = tn_parts_begin,               \
        .judge_part = tn_parts_judge, .look = looks, .looks_from = sizeof(tn_choice),              \
    }

/* smooth.c: is nothing about to happen in so many seconds, and is what acts smooth until something does? */
bool tn_rkmk_is_smooth(const tn_sim *sim, double soon);
/* Who leads coordinates where? */
typedef struct tn_leads {
    bool motors, any;
} tn_leads;
tn_leads tn_rkmk_leads(const tn_sim *sim);

/* choice.c: which method takes a part, if there is a choice. */
tn_course *tn_choice_course(const tn_sim *sim);
/* Before a part of what remains of a step. */
void tn_choice_begin(tn_sim *sim, double remaining, const tn_step_report *report);
/* After a part of so many seconds that is taken; and one that is tried again with the length it now
 * has, or by the other method. */
void tn_choice_taken(tn_sim *sim, double length, tn_step_report *report);
void tn_choice_rejected(tn_sim *sim, tn_part *part, tn_status status);
/* One in which nothing was to happen, but might, is tried again by a method of order 5, up to the end of the step. */
void tn_choice_lower(tn_sim *sim, tn_part *part);

#endif
