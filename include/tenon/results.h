/* results.h: read-only measurements of a simulation: wrenches, energy, residuals, rank, the
 * equations themselves.
 */
#ifndef TENON_RESULTS_H
#define TENON_RESULTS_H

#include "tenon/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The body, axes and point for which a joint's wrench is reported. */
typedef enum tn_wrench_frame {
    TN_WRENCH_IN_C, /* on A, in C axes about C's origin (ArtiSynth Modeling Guide, (3.17)) */
    TN_WRENCH_IN_D, /* on A, in D axes about D's origin */
    TN_WRENCH_ON_A, /* on A, world axes, about A's origin */
    TN_WRENCH_ON_B  /* on B, world axes, about B's origin (world origin for ground) */
} tn_wrench_frame;

/* Constraint wrench of the last step: a force (N) and moment (N m), not an impulse. */
TN_API tn_wrench tn_sim_joint_wrench(const tn_sim *sim, tn_joint joint, tn_wrench_frame frame);

/* The generalised force of a coupling on the coordinate of one of its terms, N or N m. */
TN_API double tn_sim_coupling_term_force(const tn_sim *sim, tn_coupling coupling, int32_t term);
/* The wrench of a coupling on a body: of all terms whose joints it is part of, about its origin, world
 * axes. The wrenches of these joints do not contain it: the coupling acts beside them, through teeth or a
 * rope. */
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

/* One part of the wrench of a joint in the last step. */
TN_API tn_wrench tn_sim_joint_wrench_part(const tn_sim *sim, tn_joint joint, tn_wrench_part part,
                                          tn_wrench_frame frame);

/* Generalised force of one part on a coordinate, N or N m: positive pushes the coordinate up. For parts
 * from TN_WRENCH_LOCK on; their sum is the multiplier of the coordinate's motion row. */
TN_API double tn_sim_coordinate_force(const tn_sim *sim, tn_joint joint, int32_t coordinate,
                                      tn_wrench_part part);
/* Its power, W: force times the speed of the coordinate. */
TN_API double tn_sim_coordinate_power(const tn_sim *sim, tn_joint joint, int32_t coordinate,
                                      tn_wrench_part part);

/* Newton-Euler balance of every body at the end of the last step: the residual |M u' - f - G^T lambda| with
 * the reported multipliers, relative to the largest force on the body. Only for integrators with
 * accelerations (generalized_alpha), else TN_ERROR_UNSUPPORTED. */
typedef struct tn_balance {
    double force;  /* largest |residual force| / |largest force on that body| */
    double moment; /* likewise for moments, about the centre of mass */
    tn_body worst;
} tn_balance;

/* The balance at the end of the last step. */
TN_API tn_status tn_sim_balance(const tn_sim *sim, tn_balance *out);

/* Energies of the whole model. */
typedef struct tn_energy {
    double kinetic;   /* J */
    double potential; /* J, of gravity, zero at the world origin */
    double elastic;   /* J, stored in compliant rows and springs along coordinates */
    double total;     /* J, of the three */
    /* Since the start: total - work + lost is constant to the accuracy of the steps (methods of first
     * order lose energy in addition, also in impacts). */
    double
        work; /* J, done by prescribed motions, motors, loads, and by moving the rests of springs */
    double lost; /* J, in friction, in damping of any kind, in impacts, and in joints that break */
} tn_energy;

/* The energies of the present state. */
TN_API tn_energy tn_sim_energy(const tn_sim *sim);

/* What is known about the correctness of the motion since the start. */
typedef enum tn_verdict {
    TN_VERDICT_WITHIN, /* all figures are within their bounds and errors are controlled: within the
                              requested accuracy */
    TN_VERDICT_BALANCES, /* fixed steps: all figures are within their bounds, energy and momentum to 1 %;
                              the error of the motion was not measured */
    TN_VERDICT_UNBALANCED, /* fixed steps: more than 1 % of the energy or of the momenta was gained or lost, or
                              is work that is not known */
    TN_VERDICT_EXCEEDED /* a figure is beyond its bound */
} tn_verdict;

/* "within", "balances", "unbalanced", "exceeded"; NULL for any other value. */
TN_API const char *tn_verdict_word(tn_verdict verdict);

/* How well the motion since the start has satisfied the laws of mechanics: the worst of all steps, with the
 * bounds (docs/explanation/verification.md). */
typedef struct tn_accuracy {
    /* J. energy_made: largest sum over the steps of energy gained or lost without a cause. Methods of first
     * order lose energy by design: for them only a gain counts, the largest rise of total - work + lost of
     * tn_energy. energy_turnover, the reference: the largest kinetic energy, work done or loss, without what was
     * gained. energy_share: energy_made / energy_turnover. energy_allowed: its bound. */
    double energy_made, energy_turnover, energy_share, energy_allowed;
    /* Newton-Euler residuals of the bodies with the reported reactions, relative to the forces on them. Each
     * step checks one body in 128, the next step the following ones. 0 for steps of generalized_alpha that
     * compute reactions as what these equations leave (trees of hinges), or that establish that every body
     * balances to what the tolerance leaves unknown (loops of hinges). */
    double force, moment, balance_allowed;
    /* For methods that do not close joints to a tolerance: largest opening of a joint as a share of the extent
     * of its bodies (m / m, rad), and its bound. */
    double open, open_allowed;
    /* At the ends of steps. pull: largest force with which a limit pulls, as a share of the largest force on a
     * body; its bound is balance_allowed. beyond: how far coordinates are beyond their range, m or rad, with its
     * bound. idle: share, by energy, of multipliers of loops that acts on nothing; evaluated in one step of 64,
     * for linkages iterated without the factor of the system in one of 512. */
    double pull, beyond, beyond_allowed, idle;
    /* Steps of models with joints that may break, by a method with steps of one length, that may have come so
     * near to a change point that the loads there are not known: a joint that breaks there is not noticed.
     * Allowed: 0. */
    int64_t unwatched;
    /* Modal bodies (tn_solid_modal): the largest root mean square displacement of their mass against their own axes, as a
     * share of the radius of gyration, at the ends of steps, with its bound. Displacements are linear in the modes: at
     * the bound, the strain that this leaves out of an evenly bent bar is 1 %. Stiffening by tension is always left out. */
    double bent, bent_allowed;
    int32_t loses; /* 1: the integrator loses energy by design; losses are not counted */
    int32_t holds; /* 1: all figures are within their bounds */
    tn_verdict verdict;
    int32_t order; /* of the integrator */
    double
        exceeded_at; /* s: the end of the step in which a figure was first beyond its bound; NaN: never */
    double
        energy_faded; /* J: for a method of first order the largest fall of total - work + lost; for others the work
                         that is not known, and that of springs that change much within steps */
    /* Change of linear and angular momentum by steps, summed up, of mechanisms that float freely, as shares of
     * the largest sum of the momenta of the single bodies; 0 for methods that conserve momentum. With its bound. */
    double linear, angular, momentum_allowed;
    /* Compliant constraints: the largest deviation from displacement = compliance times force (the damper's force
     * included). yield_share: the energy stored without a matching force, as a share of the turnover, with its
     * bound. yield_off: the deviation, m or rad; yield_wanted: compliance times force there. yield_joint: its
     * joint, -1: none. */
    double yield_share, yield_allowed, yield_off, yield_wanted;
    tn_joint yield_joint;
} tn_accuracy;

/* The figures of the motion since the start. */
TN_API tn_accuracy tn_sim_accuracy(const tn_sim *sim);

/* A figure of tn_accuracy: its name, its value and its bound. name NULL: no such index. */
typedef struct tn_accuracy_figure {
    const char *
        name; /* energy, faded, forces, moments, linear_momentum, angular_momentum, yield, open, pull, beyond, idle, unwatched, bent */
    double worst, allowed;
} tn_accuracy_figure;

/* Number of figures. */
TN_API int32_t tn_accuracy_figure_count(void);
/* A figure by its index; name NULL: no such index. */
TN_API tn_accuracy_figure tn_accuracy_get_figure(const tn_accuracy *accuracy, int32_t index);

/* Writes the verdict and its figures as a sentence, as `tenon run` prints it, at most size bytes with the final 0.
 * Returns its full length, as snprintf does. */
TN_API int tn_accuracy_print(const tn_accuracy *accuracy, char *text, size_t size);
/* Likewise: which figure is beyond its bound, by how much, and what helps; "" if none is. */
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

/* The errors of the present state. */
TN_API tn_residuals tn_sim_residuals(const tn_sim *sim);

/* The count of rows and freedoms at a pose. */
typedef struct tn_rank {
    int32_t rows;      /* active hard rows */
    int32_t compliant; /* active rows with compliance: not counted for rank and freedom */
    int32_t rank;      /* independent ones at this pose */
    int32_t redundant; /* rows - rank */
    int32_t dof;       /* velocities - rank */
    double gap_low;    /* largest singular value of the loop equations counted as zero; 0: none */
    double gap_high;   /* smallest one counted as independent; 1: none below */
    int32_t unclear;   /* 1: the two are so close that the count may be wrong */
} tn_rank;

/* Rank of the active hard rows at the current pose (allocates): constraints, locks, limits, prescribed motions.
 * Rows with compliance and rows held by springs, friction and motors are not counted. The same count as by
 * tn_sim_analyze with its default threshold, independent of masses and of the unit of length, at the cost of a
 * few factorizations. TN_ERROR_UNSUPPORTED: coupled loops that are too dense (a factor of 3 GB). */
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
/* Frees the arrays; a zeroed struct is accepted. */
TN_API void tn_equations_free(tn_equations *equations);

#ifdef __cplusplus
}
#endif
#endif
