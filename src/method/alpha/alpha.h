/* alpha.h: room method/alpha: data and functions that the files of the generalized-alpha stepper share.
 *
 * In: a consistent state with its accelerations, and h. Out: the state h later, by Newton's method on the equations of
 * all bodies and rows. Planar bodies (alpha_plane.h) and trees of bodies (alpha_tree.h) solve the same equations in
 * packed form.
 */
#ifndef TN_METHOD_ALPHA_ALPHA_H
#define TN_METHOD_ALPHA_ALPHA_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "motion/simulation.h"
#include "real/real.h"

/* Round-off of the errors of rows, relative to the largest coordinate. */
#define TN_ROUND_OFF (32.0 * DBL_EPSILON)

/* A step fails when an iteration leaves more than this share of the residual ... */
#define TN_SLOW_CONTRACTION 0.9
/* ... this many times. */
#define TN_SLOW_LIMIT 3

/* Largest change of the accelerations over a step, as a share of them, that counts as resolved by the step at a
 * start. */
#define TN_RESOLVED_CHANGE 0.5

/* A factor is stale when an iteration leaves more than this share of the residual, and at that rate more iterations
 * than these would follow. With redundant rows plain solves then converge slowly. */
#define TN_STALE_CONTRACTION 0.1
#define TN_STALE_ITERATIONS  3

/* alpha_plane.h */
typedef struct tn_plane tn_plane;
/* alpha_tree.h */
typedef struct tn_alpha_tree tn_alpha_tree;
/* alpha_hinges.h */
typedef struct tn_alpha_hinges tn_alpha_hinges;
/* method/pinned/pinned.h */
typedef struct tn_pinned tn_pinned;
/* method/linkage/linkage.h */
typedef struct tn_linkage tn_linkage;
/* method/space/space.h */
typedef struct tn_space tn_space;

/* Number of past steps from which the next angle of a hinge is predicted (hinge_kernel.h). With more of them,
 * round-off and high frequencies of the motion are amplified by more than the error decreases. */
enum { TN_HINGE_DEGREE = 12 };

/* What a and u in the memory belong to (alpha_start.c). */
typedef struct tn_alpha_balance {
    double step;     /* s, length of the steps before; 0: none */
    double is_apart; /* 1: u satisfies the rows, and does not contain `closing` (alpha_index_2.c) */
    /* 1: velocity, accelerations and multipliers are those of a start at this time, s, and
     * tn_alpha_work.off is theirs (tn_alpha_prepare). */
    double is_ready, ready_at;
    /* Sub-steps since rates and `closing` were those of a start within a step, up to 2: then, or if they never were,
     * they are not used. */
    double parts;
    /* Past steps, up to TN_HINGE_DEGREE, whose angles are stored for the hinges of a tree. Less than 0: the
     * iteration in coordinates, or that of a linkage, is not tried for this number of steps. */
    double hinge_steps;
    /* 1: the steps since the start were those of method/pinned; less than 0: likewise not tried. */
    double pinned_steps;
    double hinge_rate, hinge_growth, hinge_believed; /* tn_hinge_trust */
    double hinge_wide; /* 1: the first correction exceeded the first order */
} tn_alpha_balance;

typedef struct tn_alpha {
    double h;                       /* s */
    double am, af, gamma, beta;     /* of the method */
    double gamma_prime, beta_prime; /* 1/s, 1/s^2: derivatives of velocity and udot by the pose */
    double round_off;               /* m and rad: round-off of the errors of rows */
    const double *u_before;         /* [velocities] at the start of the step */
    int some_rest;                  /* some body starts the step at rest */
    int index_2;                    /* the stabilized index-2 formulation (alpha_index_2.c) */
    int needs_reactions;            /* some friction depends on the reactions */
} tn_alpha;

/* Factor of h^3 udot' in the error of the increment of a step. */
static inline double tn_alpha_defect_share(const tn_alpha *c)
{
    return 1.0 / 6.0 - 0.5 * (c->am - c->af) - c->beta;
}

/* The memory of the method, in the state's memory. */
typedef struct tn_alpha_memory {
    tn_alpha_balance *balance;
    double *acc; /* [velocities] the method's acceleration-like variable a */
    /* Changes of udot and lambda per second over the last step, for the next prediction. */
    double *udot_rate; /* [velocities] */
    /* [velocities] index 2: M^-1 G^T eta of the last step (alpha_index_2.c); index 3: tn_alpha_work.off of the
     * last start */
    double *closing;
    double *lambda_rate; /* [elements][TN_MAX_ROWS] */
    double *hinges;      /* [joints] tn_hinge_memory, of a tree of hinges, sliders and screws */
} tn_alpha_memory;

static inline tn_alpha_memory tn_alpha_remembers(const tn_model *model, const tn_state *state)
{
    const int32_t n = model->size.velocities;
    tn_alpha_balance *balance = state->memory;
    double *acc = (double *)(void *)(balance + 1), *lambda_rate = acc + 3 * n;
    return (tn_alpha_memory){.balance = balance,
                             .acc = acc,
                             .udot_rate = acc + n,
                             .closing = acc + 2 * n,
                             .lambda_rate = lambda_rate,
                             .hinges = lambda_rate + TN_MAX_ROWS * (size_t)model->element_count};
}

/* A step writes all arrays of the state that it ends with, except what is stored of the method as a whole. */
static inline tn_alpha_balance *tn_alpha_arrive(tn_sim *sim)
{
    const tn_alpha_balance before = *tn_alpha_remembers(sim->model, &sim->state).balance;
    tn_state_take_own(&sim->state);
    tn_alpha_balance *balance = tn_alpha_remembers(sim->model, &sim->state).balance;
    *balance = before;
    /* `mark` may be a view of `backup`: then the sub-step starts where the step does */
    if (sim->from == &sim->backup || sim->mark.elsewhere == sim->backup.block)
        tn_state_make_twins(&sim->state, &sim->backup);
    return balance;
}

/* Are rates stored at the end of this step? After a start its own rates are kept for the step that follows. */
static inline bool tn_alpha_has_rates(const tn_sim *sim)
{
    return tn_alpha_remembers(sim->model, &sim->state).balance->parts > 0.0;
}

/* The workspace of a simulation by this method. */
typedef struct tn_alpha_work {
    tn_plane *plane;         /* planar bodies and pins, packed for the iteration */
    tn_alpha_tree *tree;     /* rigid bodies on hinges and ball joints without loops, likewise */
    tn_alpha_hinges *hinges; /* trees of hinges, sliders and screws; NULL: it is none */
    tn_pinned *pinned;       /* trees of planar bodies on pins; NULL: it is none */
    tn_linkage *linkage;     /* of parallel hinges; NULL: it is none */
    tn_space *space;         /* of hinges in space with loops, and no linkage; NULL: it is none */
    const tn_state *from;    /* the start of the step: that of the sub-step, or `start` */
    tn_state start;          /* another start: of a guess one step ahead, or of a step of its own */
    double *dq;              /* [velocities] increment of the pose per second over the step */
    double *stiffness;       /* [bodies][6] kg m^2, of the joint forces (tn_assemble_mass) */
    double *force_scale;     /* [bodies][2] N, N m: of the force balance */
    /* alpha_index_2.c: */
    double *speeds; /* [y_size] v - G u */
    double *rest;   /* [y_size] m, rad: the part of -phi that the closing increment corrects */
    double *taken; /* [velocities] m, rad: a predicted closing increment that is subtracted again */
    /* [velocities] per s^2: times h^2, the velocity by which a balanced start violates the rows */
    double *off;
    int closing_is_guess; /* 1: dq contains the closing increment of the last step */
    int8_t *straight; /* [elements] 1: a hinge that hinge_terms.h evaluates, while it is plain */
    bool start_is_factored; /* the factor is that of the start whose rates are being computed */
    bool rates_are_known;   /* of that start: its step resolves them */
    /* the prediction is certain to be corrected: only what the correction reads is computed */
    bool in_passing;
} tn_alpha_work;

static inline tn_alpha_work *tn_alpha_of(const tn_sim *sim)
{
    return sim->work;
}

/* The coefficients of the method for this spectral radius; all else is 0. */
tn_alpha tn_alpha_scheme(double rho, double h);
/* The coefficients for a step of h seconds, with the options and the state's gaps. */
tn_alpha tn_alpha_coefficients(const tn_sim *sim, double h);

/* alpha_start.c: accelerations, multipliers and memory at a consistent pose and velocity. */
tn_status tn_alpha_start(tn_sim *sim, double h, tn_step_report *report);
/* Does once, for many trials, the part of tn_alpha_change_step that does not depend on the length of the step. */
tn_status tn_alpha_prepare(tn_sim *sim, double h, tn_step_report *report);
/* Is the memory already that of steps of h seconds? Then tn_alpha_change_step changes nothing. */
bool tn_alpha_keeps_balance(const tn_sim *sim, double h, bool index_2);
/* Will tn_alpha_change_step compute a full start, at a state that is not at an event? */
bool tn_alpha_is_to_prepare(const tn_sim *sim, double h);
/* Sets acc and the velocities to those of a run in steps of h seconds, with the present formulation. The held values of
 * drives must be those of the pose: call it before they move for the step. */
tn_status tn_alpha_change_step(tn_sim *sim, double h, tn_step_report *report);

/* alpha_newton.c */

/* Fills and factorizes the matrix at the current kinematics. */
tn_status tn_alpha_factor(tn_sim *sim, const tn_alpha *c, tn_step_report *report);

typedef enum tn_alpha_solver {
    TN_ALPHA_PLAIN,   /* factorizes the matrix; fails early where redundant rows slow it down */
    TN_ALPHA_REFINED, /* with that factor, to round-off, near singular configurations */
    TN_ALPHA_TIGHT    /* until the bodies' equations hold to the force_tolerance */
} tn_alpha_solver;

/* An iteration left r of the residual `before`. At this rate, would the factor need many more iterations to reach
 * `enough`, or more than are left? */
static inline bool tn_alpha_is_stale(double r, double before, double enough, int32_t left)
{
    const double share = r / before;
    const bool crawls = r > TN_STALE_CONTRACTION * before;
    const int32_t most = crawls && left > TN_STALE_ITERATIONS ? TN_STALE_ITERATIONS : left;
    double rest = r;
    if (r >= before)
        return true;
    for (int32_t k = 0; k < most && rest > enough; k++)
        rest *= share;
    return rest > enough;
}

/* Iterates from the state and dq to the end of the step. */
tn_status tn_alpha_iterate(tn_sim *sim, const tn_alpha *c, tn_alpha_solver solver,
                           tn_step_report *report);
typedef enum tn_trial {
    TN_TRIAL_PREDICTED, /* the pose of dq; also computes the stiffness of the forces */
    TN_TRIAL_CORRECTED  /* applies the corrections in sys.du and sys.g first */
} tn_trial;

/* Does some body that can move start the step at rest, but for round-off? */
int tn_alpha_some_body_rests(const tn_sim *sim, const tn_alpha *c);

/* Do the bodies of a joint start the step at rest? */
int tn_alpha_joint_rests(const tn_sim *sim, const tn_alpha *c, int32_t j);

/* g of a hard row of bodies at rest, with error phi and this speed. */
static inline double tn_alpha_led_row(const tn_alpha *c, double phi, double speed)
{
    return fabs(speed) <= c->gamma_prime * c->round_off ? -speed / c->gamma_prime : -phi;
}

/* Residuals as distances, m and rad: errors of rows, and the motion of bodies in the step under the residual forces.
 * NaN if anything is not finite. */
typedef struct tn_alpha_residual {
    double all;
    double forces; /* the part that corrections of the multipliers have to remove */
    double rows;   /* the part that is not a force */
} tn_alpha_residual;

/* One evaluation of the equations at a trial state. Out: pose and kinematics, phi, and in du, g the right-hand side
 * of the next correction. For packed pins and their bodies these are stored as alpha_plane.h says. */
tn_alpha_residual tn_alpha_evaluate(tn_sim *sim, const tn_alpha *c, tn_trial trial);
/* The stiffness of the loads at a corrected trial; with `joints` also that of the joints' forces, which is not
 * available for a tree (alpha_tree.h). */
void tn_alpha_stiffen(tn_sim *sim, const tn_alpha *c, bool joints);

/* alpha_index_2.c, after the evaluation of the rows: */

/* Sets g of hard rows to what their speeds require, and `rest` to what then remains of -phi. Returns the largest of
 * g, m and rad. */
double tn_alpha_lead_by_speeds(tn_sim *sim, const tn_alpha *c);
/* Corrects the pose alone, by `rest`, with the present factor. */
void tn_alpha_correct_pose(tn_sim *sim, const tn_alpha *c, tn_step_report *report);
/* At the end of a step: stores the part of dq that closed the joints in the state. */
void tn_alpha_keep_closing(tn_sim *sim, const tn_alpha *c);

#endif
