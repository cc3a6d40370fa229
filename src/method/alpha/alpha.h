/* alpha.h: room method/alpha: what the parts of the generalized-alpha stepper share.
 *
 * In: a consistent state with its accelerations, and h. Out: the state h later, by Newton's method
 * on the equations of all bodies and rows; the packed plane and trees of bodies are other ways
 * through the same equations.
 */
#ifndef TN_METHOD_ALPHA_ALPHA_H
#define TN_METHOD_ALPHA_ALPHA_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "motion/simulation.h"
#include "real/real.h"

/* What rounding leaves in the errors of rows, relative to the largest coordinate. */
#define TN_ROUND_OFF (32.0 * DBL_EPSILON)

/* A step gives up when an iteration leaves more than this share of the residual ... */
#define TN_SLOW_CONTRACTION 0.9
/* ... this many times. */
#define TN_SLOW_LIMIT 3

/* At a start the change of the accelerations over the step is believed up to this share of them. */
#define TN_RESOLVED_CHANGE 0.5

/* A factor is stale when an iteration leaves more than this share of the residual, and that often
 * for more iterations than these. Where rows repeat, plain solves crawl then. */
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

/* Steps from which the next angle of a hinge is predicted (hinge_kernel.h). From more, round-off and what motion has of
 * high frequencies grow faster than the rest shrinks. */
enum { TN_HINGE_DEGREE = 12 };

/* What a and u belong to (alpha_start.c). */
typedef struct tn_alpha_balance {
    double step;     /* s, of all steps before; 0: none */
    double is_apart; /* 1: u satisfies the rows, closing is not in it (alpha_index_2.c) */
    /* 1: velocity, accelerations and multipliers are those of a start at this time, s, and
     * tn_alpha_work.off is theirs (tn_alpha_prepare). */
    double is_ready, ready_at;
    /* Parts taken since rates and closing were those of a start within a step, up to 2: many, or they
     * never were. */
    double parts;
    /* So many steps, up to TN_HINGE_DEGREE, are remembered of the hinges of a tree; less than 0: its own
     * iteration, or that of a linkage, is not to be tried for a while. */
    double hinge_steps;
    /* 1: steps by planar pins have been taken since the start; less than 0: likewise. */
    double pinned_steps;
    double hinge_rate, hinge_growth, hinge_believed; /* tn_hinge_trust */
    double hinge_wide; /* 1: the first correction was more than of the first order */
} tn_alpha_balance;

typedef struct tn_alpha {
    double h;                       /* s */
    double am, af, gamma, beta;     /* of the method */
    double gamma_prime, beta_prime; /* 1/s, 1/s^2: what velocity and udot move by with the pose */
    double round_off;               /* m and rad: what rounding leaves in the errors of rows */
    const double *u_before;         /* [velocities] at the start of the step */
    int some_rest;                  /* some body starts the step at rest */
    int index_2;                    /* the stabilized index-2 formulation (alpha_index_2.c) */
    int needs_reactions;            /* some friction goes by the reactions */
} tn_alpha;

/* The increment of a step misses this share of h^3 udot'. */
static inline double tn_alpha_defect_share(const tn_alpha *c)
{
    return 1.0 / 6.0 - 0.5 * (c->am - c->af) - c->beta;
}

/* What is remembered, in the state's memory. */
typedef struct tn_alpha_memory {
    tn_alpha_balance *balance;
    double *acc; /* [velocities] the method's acceleration-like variable a */
    /* How udot and lambda changed per second over the last step, for the next prediction. */
    double *udot_rate; /* [velocities] */
    double *closing;   /* [velocities] of the last step: M^-1 G^T eta of alpha_index_2.c; of index 3
                            tn_alpha_work.off of the last start */
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

/* All arrays are written where a step ends, but what is told of the method as a whole. */
static inline tn_alpha_balance *tn_alpha_arrive(tn_sim *sim)
{
    const tn_alpha_balance before = *tn_alpha_remembers(sim->model, &sim->state).balance;
    tn_state_take_own(&sim->state);
    tn_alpha_balance *balance = tn_alpha_remembers(sim->model, &sim->state).balance;
    *balance = before;
    /* `mark` may be a view of `backup`: then the start of a part is that of the step */
    if (sim->from == &sim->backup || sim->mark.elsewhere == sim->backup.block)
        tn_state_make_twins(&sim->state, &sim->backup);
    return balance;
}

/* Are rates kept at the end of this step? Those of a start are of the step after it. */
static inline bool tn_alpha_has_rates(const tn_sim *sim)
{
    return tn_alpha_remembers(sim->model, &sim->state).balance->parts > 0.0;
}

/* What a simulation by this method works with. */
typedef struct tn_alpha_work {
    tn_plane *plane;         /* planar bodies and pins as the iteration sees them */
    tn_alpha_tree *tree;     /* rigid bodies on hinges and ball joints without loops, likewise */
    tn_alpha_hinges *hinges; /* trees of hinges, sliders and screws; NULL: it is none */
    tn_pinned *pinned;       /* trees of planar bodies on pins; NULL: it is none */
    tn_linkage *linkage;     /* of parallel hinges; NULL: it is none */
    tn_space *space;         /* of hinges in space with loops, and no linkage; NULL: it is none */
    const tn_state *from;    /* where the step begins: that of the part, or start */
    tn_state start;          /* another one: of a guess of the step, or of a step of its own */
    double *dq;              /* [velocities] increment of the pose per second over the step */
    double *stiffness;       /* [bodies][6] kg m^2, of the joint forces (tn_assemble_mass) */
    double *force_scale;     /* [bodies][2] N, N m: of the force balance */
    /* alpha_index_2.c: */
    double *speeds; /* [y_size] v - G u */
    double *rest;   /* [y_size] m, rad: what closes the joints */
    double *taken;  /* [velocities] m, rad: a closing increment that is taken back */
    double *off;    /* [velocities] per s^2: by this and h^2 a start in balance is off the rows */
    int closing_is_guess;   /* 1: dq has the closing increment of the step before */
    int8_t *straight;       /* [elements] 1: a hinge as hinge_terms.h has it, while it is plain */
    bool start_is_factored; /* the factor is that of the start whose rates are asked for */
    bool rates_are_known;   /* of that start: its step resolves them */
    bool in_passing;        /* nobody asks for more of the prediction than its correction needs */
} tn_alpha_work;

static inline tn_alpha_work *tn_alpha_of(const tn_sim *sim)
{
    return sim->work;
}

/* The method's numbers for this spectral radius; all else is 0. */
tn_alpha tn_alpha_scheme(double rho, double h);
/* Of a step of h seconds with the options and the state's gaps. */
tn_alpha tn_alpha_coefficients(const tn_sim *sim, double h);

/* alpha_start.c: accelerations, multipliers and memory at a consistent pose and velocity. */
tn_status tn_alpha_start(tn_sim *sim, double h, tn_step_report *report);
/* What the next does that does not depend on the length of the step, once for many trials. */
tn_status tn_alpha_prepare(tn_sim *sim, double h, tn_step_report *report);
/* Are steps of h seconds those it is ready for already? Then a change to them changes nothing. */
bool tn_alpha_keeps_balance(const tn_sim *sim, double h, bool index_2);
/* Will tn_alpha_change_step do that in full, at a state that is no event's? */
bool tn_alpha_is_to_prepare(const tn_sim *sim, double h);
/* acc and the velocities as they would be had all steps been of h seconds, with the formulation of
 * now. The held values of drives must be those of the pose: before they move for the step. */
tn_status tn_alpha_change_step(tn_sim *sim, double h, tn_step_report *report);

/* alpha_newton.c */

/* The matrix at the current kinematics, factored. */
tn_status tn_alpha_factor(tn_sim *sim, const tn_alpha *c, tn_step_report *report);

typedef enum tn_alpha_solver {
    TN_ALPHA_PLAIN,   /* factors the matrix; gives up early where rows repeat and it crawls */
    TN_ALPHA_REFINED, /* with that factor, to round-off, near folds */
    TN_ALPHA_TIGHT    /* until the bodies' equations are met to the force_tolerance */
} tn_alpha_solver;

/* Would a factor with which an iteration left r of `before` need many more to enough, or more than
 * are left? */
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
    TN_TRIAL_PREDICTED, /* the pose of dq; also gathers the stiffness of the forces */
    TN_TRIAL_CORRECTED  /* first takes the corrections in sys.du and sys.g */
} tn_trial;

/* Does some body that can move start the step at rest, but for round-off? */
int tn_alpha_some_body_rests(const tn_sim *sim, const tn_alpha *c);

/* Do the bodies of a joint start the step at rest? */
int tn_alpha_joint_rests(const tn_sim *sim, const tn_alpha *c, int32_t j);

/* g of a hard row of bodies at rest that is off by phi and moves with this speed. */
static inline double tn_alpha_led_row(const tn_alpha *c, double phi, double speed)
{
    return fabs(speed) <= c->gamma_prime * c->round_off ? -speed / c->gamma_prime : -phi;
}

/* As distances, m and rad: what rows are off, and what the residual forces would move the bodies in
 * the step. NaN if anything is not finite. */
typedef struct tn_alpha_residual {
    double all;
    double forces; /* what of it the multipliers have to mend */
    double rows;   /* what of it is not a force */
} tn_alpha_residual;

/* One evaluation of the equations at a trial state. Out: pose and kinematics, phi, and in du, g the
 * right-hand side of the next correction; those of packed pins and their bodies where
 * alpha_plane.h says. */
tn_alpha_residual tn_alpha_evaluate(tn_sim *sim, const tn_alpha *c, tn_trial trial);
/* The stiffness of the loads at a corrected trial, and of the joints' forces there if those are
 * asked for, which are not of a tree (alpha_tree.h). */
void tn_alpha_stiffen(tn_sim *sim, const tn_alpha *c, bool joints);

/* alpha_index_2.c, after the evaluation of the rows: */

/* g of hard rows becomes what their speeds ask for, and rest what is then left of -phi. Returns
 * the largest of g, m and rad. */
double tn_alpha_lead_by_speeds(tn_sim *sim, const tn_alpha *c);
/* The correction of the pose alone, by rest, with the factor at hand. */
void tn_alpha_correct_pose(tn_sim *sim, const tn_alpha *c, tn_step_report *report);
/* At the end of a step: what of dq closed the joints, into the state. */
void tn_alpha_keep_closing(tn_sim *sim, const tn_alpha *c);

#endif
