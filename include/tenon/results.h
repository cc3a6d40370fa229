/* results.h: read-only measurements of a simulation: wrenches, energy, residuals, rank, the
 * equations themselves.
 */
#ifndef TENON_RESULTS_H
#define TENON_RESULTS_H

#include "tenon/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where and to whom a joint's wrench is reported. */
typedef enum tn_wrench_frame {
    TN_WRENCH_IN_C, /* on A, in C axes about C's origin (ArtiSynth Modeling Guide, (3.17)) */
    TN_WRENCH_IN_D, /* on A, in D axes about D's origin */
    TN_WRENCH_ON_A, /* what A feels, world axes, about A's origin */
    TN_WRENCH_ON_B  /* what B feels, world axes, about B's origin (world origin for ground) */
} tn_wrench_frame;

/* Constraint wrench of the last step, force not impulse. */
TN_API tn_wrench tn_sim_joint_wrench(const tn_sim *sim, tn_joint joint, tn_wrench_frame frame);

/* The generalised force of a coupling on the coordinate of one of its terms, N or N m. */
TN_API double tn_sim_coupling_term_force(const tn_sim *sim, tn_coupling coupling, int32_t term);
/* What a body feels of a coupling: the wrench of all terms whose joints it is part of, about its
 * origin, world axes. The joints' own wrenches do not contain it: it acts beside them, tooth on
 * tooth or through a rope. */
TN_API tn_wrench tn_sim_coupling_wrench(const tn_sim *sim, tn_coupling coupling, tn_body body);

/* The parts of a joint's wrench; they add up to it. */
typedef enum tn_wrench_part {
    TN_WRENCH_CONSTRAINT, /* hard bilateral rows */
    TN_WRENCH_COMPLIANCE, /* compliant bilateral rows */
    TN_WRENCH_LOCK,       /* locked coordinates */
    TN_WRENCH_LIMIT,      /* coordinates at their limits */
    TN_WRENCH_DRIVER,     /* prescribed motions */
    TN_WRENCH_MOTOR,
    TN_WRENCH_FRICTION, /* dry and viscous */
    TN_WRENCH_SPRING,   /* along coordinates */
    TN_WRENCH_PART_COUNT
} tn_wrench_part;

TN_API tn_wrench tn_sim_joint_wrench_part(const tn_sim *sim, tn_joint joint, tn_wrench_part part,
                                          tn_wrench_frame frame);

/* Generalised force of one part on a coordinate, N or N m: positive pushes the coordinate up. Parts
 * from TN_WRENCH_LOCK on; together they are the multiplier of the coordinate's motion row. */
TN_API double tn_sim_coordinate_force(const tn_sim *sim, tn_joint joint, int32_t coordinate,
                                      tn_wrench_part part);
/* Its power, W: force times the speed of the coordinate. */
TN_API double tn_sim_coordinate_power(const tn_sim *sim, tn_joint joint, int32_t coordinate,
                                      tn_wrench_part part);

/* Newton-Euler balance of every body at the end of the last step: |M u' - f - G^T lambda|, what the
 * reported multipliers leave unexplained. Relative to the largest force on the body; only
 * integrators with accelerations (generalized_alpha), else TN_ERROR_UNSUPPORTED. */
typedef struct tn_balance {
    double force;  /* largest |residual force| / |largest force on that body| */
    double moment; /* likewise for moments, about the centre of mass */
    tn_body worst;
} tn_balance;

TN_API tn_status tn_sim_balance(const tn_sim *sim, tn_balance *out);

typedef struct tn_energy {
    double kinetic;   /* J */
    double potential; /* J, of gravity, zero at the world origin */
    double elastic;   /* J, stored in compliant rows and springs along coordinates */
    double total;     /* J, of the three */
    /* Since the start: total - work + lost stays as it is, to the accuracy of the steps (methods of
     * first order lose energy besides, in impacts too). */
    double work; /* J, done by prescribed motions, motors, what moves the rests of springs, loads */
    double lost; /* J, in friction, in damping of any kind, in impacts and in what breaks */
} tn_energy;

TN_API tn_energy tn_sim_energy(const tn_sim *sim);

/* What is known of how right the motion since the start is. */
typedef enum tn_verdict {
    TN_VERDICT_WITHIN, /* all figures are within their bounds, errors are controlled: within the
                              requested accuracy */
    TN_VERDICT_BALANCES, /* fixed steps: all figures are within their bounds, energy and momentum to 1 %;
                              how far off the motion is, nothing has measured */
    TN_VERDICT_UNBALANCED, /* likewise, but more than 1 % of the energy or of momenta is made, lost, or of work that is
                              not known */
    TN_VERDICT_EXCEEDED /* a figure is beyond its bound */
} tn_verdict;

/* "within", "balances", "unbalanced", "exceeded"; NULL for what is none. */
TN_API const char *tn_verdict_word(tn_verdict verdict);

/* How well the motion since the start has obeyed mechanics: the worst of all steps, and what may be
 * (docs/explanation/verification.md). */
typedef struct tn_accuracy {
    /* J: the most that the sum over the steps has made of nothing, or lost (methods of first order
     * lose by design: only made, the largest rise of total - work + lost of tn_energy); what that is
     * measured by: the largest kinetic energy, work done or loss, without what was made; and the share. */
    double energy_made, energy_turnover, energy_share, energy_allowed;
    /* Newton and Euler of the bodies with the reactions reported, relative to the forces on them:
     * of one body in 128 in each step, in turn; 0 in steps of generalized_alpha that find reactions as what these equations
     * leave (trees of hinges), or see that all bodies balance to what the tolerance leaves unknown (loops of hinges). */
    double force, moment, balance_allowed;
    /* How far joints are open, as a share of the extent of their bodies (m / m, rad): of methods
     * that do not close them to a tolerance; and what may be. */
    double open, open_allowed;
    /* Where steps ended: force with which limits pull, as a share of the largest on a body (it may
     * be what a balance may); how far coordinates are beyond their range, m or rad; and the share,
     * by energy, of multipliers of loops that acts on nothing, asked for in one step of 64, of linkages that are
     * iterated without the system's factor of 512. */
    double pull, beyond, beyond_allowed, idle;
    /* Steps that may have come so near to a change point that loads are not told there, with joints that may break, by a
     * method that does not look ahead (of steps of one length): what breaks there is not seen. 0 may be. */
    int64_t unwatched;
    int32_t loses; /* 1: energy that is lost is the integrator's way, and not counted */
    int32_t holds; /* 1: all is within what may be */
    tn_verdict verdict;
    int32_t order; /* of the integrator */
    double
        exceeded_at; /* s: at the end of which step a figure was first beyond its bound; NaN: never */
    double
        energy_faded; /* J: largest fall of total - work + lost by a method of first order; of others, what is not
                         known of work and of springs that change much within steps */
    /* Linear and angular momentum of what floats freely: what steps have changed it by, all together, as shares
     * of the largest sum of the bodies' own; 0 of methods that keep it. And what may be. */
    double linear, angular, momentum_allowed;
    /* Compliant constraints: the one furthest from compliance times force (that of its damper too), by the energy
     * stored without a force for it, as a share of the turnover; and what may be. How far off it was, m or rad, where
     * compliance times force was this; and its joint, -1: none. */
    double yield_share, yield_allowed, yield_off, yield_wanted;
    tn_joint yield_joint;
} tn_accuracy;

TN_API tn_accuracy tn_sim_accuracy(const tn_sim *sim);

/* A figure of it: its name, its value and its bound. NULL is the name of what is none. */
typedef struct tn_accuracy_figure {
    const char *
        name; /* energy, faded, forces, moments, linear_momentum, angular_momentum, yield, open, pull, beyond, idle, unwatched */
    double worst, allowed;
} tn_accuracy_figure;

TN_API int32_t tn_accuracy_figure_count(void);
TN_API tn_accuracy_figure tn_accuracy_get_figure(const tn_accuracy *accuracy, int32_t index);

/* The verdict and its figures as a sentence, as `tenon run` prints it, at most size bytes with the final 0. Returns
 * its length, as snprintf does. */
TN_API int tn_accuracy_print(const tn_accuracy *accuracy, char *text, size_t size);
/* What is beyond its bound, by how much and what helps; "": nothing is. */
TN_API int tn_accuracy_complain(const tn_accuracy *accuracy, char *text, size_t size);

/* Largest errors over all enabled joints and held couplings. */
typedef struct tn_residuals {
    double position;  /* m, hard linear rows */
    double angle;     /* rad, hard rotary rows */
    double speed;     /* m/s, hard linear rows: |G u| */
    double turn_rate; /* rad/s, hard rotary rows */
    tn_joint worst;   /* of position and angle, or a coupling as a joint (tn_model_coupling_joint);
                       * index   -1 if there is none */
} tn_residuals;

TN_API tn_residuals tn_sim_residuals(const tn_sim *sim);

typedef struct tn_rank {
    int32_t rows;      /* active hard rows */
    int32_t compliant; /* active rows with compliance: they repeat none, and take no freedom away */
    int32_t rank;      /* independent ones at this pose */
    int32_t redundant; /* rows - rank */
    int32_t dof;       /* velocities - rank */
    double gap_low;    /* no singular value of the loop equations called zero is larger; 0: none */
    double gap_high;   /* no one called independent is smaller; 1: none below */
    int32_t unclear;   /* 1: the two are so near that the count may be wrong */
} tn_rank;

/* Rank of the active rows at the current pose (allocates): constraints, locks, limits, prescribed
 * motions; not what is compliant, nor what springs, friction and motors hold. The count of tn_sim_analyze with its default
 * threshold, whatever the masses and the unit of length, at the cost of a few factorizations.
 * TN_ERROR_UNSUPPORTED: loops that hang together too densely (a factor of 3 GB). */
TN_API tn_status tn_sim_rank(const tn_sim *sim, tn_rank *out);

/* The equations at the current state, dense, row-major: for inspection and teaching.
 * u is (v of the centre of mass, world axes; w, body axes) per moving body, sliced to its kind. */
typedef struct tn_equations {
    int32_t velocities; /* n */
    int32_t rows;       /* m, active rows */
    double *mass;       /* [n][n] */
    double *jacobian;   /* J: [m][n] */
    double *effective;  /* K = J M^-1 J^T: [m][m] */
    double *rhs;        /* b = -J u: [m] */
    int32_t *row_joint; /* [m] joint of each row */
    int32_t *row_index; /* [m] row within the joint */
} tn_equations;

/* joint.i = -1: all joints. Free with tn_equations_free. TN_ERROR_SINGULAR: a body without inertia
 * has no M^-1; effective is then NULL. */
TN_API tn_status tn_sim_equations(const tn_sim *sim, tn_joint joint, tn_equations *out);
TN_API void tn_equations_free(tn_equations *equations);

#ifdef __cplusplus
}
#endif
#endif
