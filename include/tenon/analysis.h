/* analysis.h: what is overconstrained in a mechanism, and what follows from it.
 *
 * Degrees of freedom at a pose and near it; loops; rows that repeat others, and how; which reactions
 * are therefore not unique; and which change of a joint type would remove the redundancy. Nothing is
 * modified: all work is done on private copies.
 */
#ifndef TENON_ANALYSIS_H
#define TENON_ANALYSIS_H

#include "tenon/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Options of the analysis. Fill it from tn_default_analysis_options. */
typedef struct tn_analysis_options {
    uint32_t cookie;
    double threshold; /* dimensionless: a row closer than this to others repeats them; 1e-4 */
    double
        closing_tolerance; /* rad, or share of the size: a loop open by more is a conflict; 1e-10 */
    double witness_step;   /* rad, or share of the size: how far witness poses are away; 0.05 */
    double disturbance;    /* rad, or share of the size: for the fragility test; 1e-6 */
    int32_t witnesses;     /* poses nearby at which the rank is counted again; 3 */
} tn_analysis_options;

/* The defaults, as listed with the fields. */
TN_API tn_analysis_options tn_default_analysis_options(void);

/* Why a row is dependent. */
typedef enum tn_redundancy_class {
    TN_REDUNDANCY_PERMANENT, /* repeats others at every pose nearby */
    TN_REDUNDANCY_MOMENTARY, /* only at this pose: a change point or dead point */
    TN_REDUNDANCY_CONFLICT   /* repeats the direction of others but not their value: cannot close */
} tn_redundancy_class;

/* A closed chain of joints. bodies[i] lies between joints[i] and joints[i + 1], the last one
 * between the last joint and the first; TN_GROUND_INDEX for ground. */
typedef struct tn_loop {
    const tn_joint *joints; /* [count] */
    const tn_body *bodies;  /* [count] */
    int32_t count;
    int32_t redundant; /* rows this loop alone repeats here */
} tn_loop;

/* A row with a factor: part of the combination that a dependent row repeats. Unit rows in m and rad. */
typedef struct tn_row_term {
    tn_joint joint;
    int32_t row; /* of the joint's type */
    double coefficient;
} tn_row_term;

/* row = sum of terms: the row, the ones it repeats. */
typedef struct tn_dependent_row {
    tn_joint joint;
    int32_t row;
    int32_t loop; /* the one loop that explains it, or -1: several loops or couplings together */
    tn_redundancy_class kind;
    double residual;          /* m or rad: the part of the row's error that no motion can remove */
    const tn_row_term *terms; /* [term_count] */
    int32_t term_count;
} tn_dependent_row;

/* Masks: bit k set means unique.
 *
 * - rows: bit k is row k of the joint's type. An inactive row has no reaction and counts as unique, except
 *   if friction along its coordinate depends on a constraint force that is not unique.
 * - wrench: fx fy fz mx my mz in axes of C, about C's origin.
 * - friction: by coordinate. Cleared where friction has a coefficient and the constraint force it is proportional
 *   to is not unique. Cleared also where friction sticks, its static level is above the kinetic one, and the
 *   force it carries is not unique: then it may slip or not. In both cases the computed motion is one of
 *   many that satisfy the equations.
 * - breaks: bit 0 for break_force, bit 1 for break_torque. Cleared where the joint has this threshold and the force
 *   (moment) compared with it is not unique: whether and when the joint breaks is then not unique either. */
typedef struct tn_joint_uniqueness {
    uint32_t rows;
    uint32_t wrench;
    uint32_t friction;
    uint32_t breaks;
} tn_joint_uniqueness;

/* A body that can turn or slide by itself while its neighbours stand still. */
typedef struct tn_idle_motion {
    tn_body body;
    tn_twist twist; /* world axes, at the body's origin; unit length */
} tn_idle_motion;

/* A replacement of a joint that reduces redundancy. */
typedef struct tn_type_change {
    tn_joint joint;
    tn_joint_type type; /* the type to use instead; a coupling is left out: free */
    int32_t turned;     /* 1: its frames C and D turned by 90 degrees about z (a slot along y) */
    int32_t released;   /* rows it gives up */
    int32_t gained;     /* dependent rows it removes */
} tn_type_change;

/* Joints and couplings; a coupling is named as a joint (tn_model_coupling_joint), its row is 0. */
typedef struct tn_analysis {
    int32_t couplings; /* rows of couplings that act now, among rows */
    int32_t velocities;
    int32_t rows;         /* active ones that do not yield */
    int32_t rank;         /* at this pose */
    int32_t redundant;    /* rows - rank */
    int32_t dof;          /* velocities - rank */
    int32_t gruebler;     /* velocities - rows */
    int32_t generic_rank; /* largest rank at this and the witness poses */
    int32_t permanent;    /* rows - generic_rank */
    int32_t momentary;    /* generic_rank - rank: more than 0 at a singular pose */
    /* Degrees of freedom of finite motion, to second order: dof, or at a singular pose those of the
     * largest branch. 0 with dof > 0: the structure has infinitesimal motions only. */
    int32_t freedoms;
    int32_t witnesses; /* poses nearby that could be reached */
    double gap_low;    /* largest singular value of the loop equations counted as zero; 0 if none */
    double gap_high;   /* smallest one counted as independent; 1 if none */
    int32_t unclear;   /* 1: the two are so close that the count may be wrong */

    double residual;   /* m or rad, largest error of a hard row at the analysed pose */
    tn_joint worst;    /* its joint, or -1 */
    int32_t conflicts; /* dependent rows of kind CONFLICT */

    int32_t fragile;         /* 1: closes only because the geometry is exact */
    double fragile_residual; /* sizes or rad left open after disturbing the frames */

    const tn_loop *loops;
    int32_t loop_count;
    const tn_dependent_row *dependents; /* [redundant] */
    int32_t dependent_count;
    /* Compliance decides how compliant rows share a load, so only hard rows can be indeterminate. Rows held by
     * limits, motors and sticking friction are among them. */
    const tn_joint_uniqueness *joints; /* [joints, then couplings of the model] */
    int32_t joint_count;               /* of them joints */
    int32_t indeterminate;             /* dimension of the reactions that are not unique */
    double
        uniqueness_tolerance; /* share of the largest entry below which an entry counts as zero */

    /* At a singular pose: independent instantaneous motions, each with the twists of all bodies. */
    const tn_twist *motions; /* [motion_count][bodies], world axes at the bodies' origins */
    int32_t motion_count;
    const tn_idle_motion *idle;
    int32_t idle_count;

    /* The smallest change found that removes the permanent redundancy. change_freedom: degrees of
     * freedom it adds. change_complete 0: no set of the known replacements removes all of it. */
    const tn_type_change *changes;
    int32_t change_count;
    int32_t change_freedom;
    int32_t change_complete;

    /* The same with all parts rigid, as if no row were compliant: counts, and which rows would repeat which (loop
     * -1). The forces of these rows are unique only because of the compliance of `yielding` (joints and
     * couplings). In a model without compliance: the counts above, and empty lists. */
    int32_t rigid_rows, rigid_redundant, rigid_dof;
    const tn_dependent_row *rigid_dependents;
    int32_t rigid_dependent_count;
    const tn_joint *yielding;
    int32_t yielding_count;

    void *storage; /* everything above; private */
} tn_analysis;

/* At the model's initial pose, closed as well as possible: also for models that tn_sim_create
 * refuses because their joints contradict each other. options NULL: the defaults.
 * TN_ERROR_UNSUPPORTED: too many coupled loops (a few hundred) for the dense method. */
TN_API tn_status tn_model_analyze(const tn_model *model, const tn_analysis_options *options,
                                  tn_analysis *out);
/* At the current pose of a simulation. */
TN_API tn_status tn_sim_analyze(const tn_sim *sim, const tn_analysis_options *options,
                                tn_analysis *out);
/* Frees what the analysis owns; a zeroed struct is accepted. */
TN_API void tn_analysis_free(tn_analysis *analysis);

/* Shares the indeterminate part of reactions. multipliers: [joints][TN_MAX_ROWS] as from
 * tn_sim_get_multipliers at the analysed pose. On return: the multipliers with the same effect on every
 * body and the least sum of weight * lambda^2. weights: [joints][TN_MAX_ROWS], > 0, relative compliances of
 * the rows; with the true compliances the result is the physical sharing. weights NULL: inverse effective
 * masses times the joints' relative_compliance, the minimum-energy sharing that the integrators use. The
 * forces of couplings are not changed. */
TN_API tn_status tn_analysis_share(const tn_analysis *analysis, const tn_model *model,
                                   const double *weights, double *multipliers);

/* 1 when the reaction of the joint's row k does not depend on how redundant rows share the load. */
static inline int tn_analysis_row_is_unique(const tn_analysis *analysis, tn_joint joint, int32_t k)
{
    const int32_t at = joint.i < TN_COUPLING_JOINTS
                           ? joint.i
                           : analysis->joint_count + (joint.i - TN_COUPLING_JOINTS);
    return (int)(analysis->joints[at].rows >> k & 1u);
}

/* 1 when friction along the coordinate does not depend on how redundant rows share the load. */
static inline int tn_analysis_friction_is_unique(const tn_analysis *analysis, tn_joint joint,
                                                 int32_t coordinate)
{
    return joint.i >= TN_COUPLING_JOINTS ||
           (analysis->joints[joint.i].friction >> coordinate & 1u) != 0;
}

/* 1 when the force (which: 0) or moment (1) compared with the threshold of a joint or coupling is unique, or there is
 * no such threshold. */
static inline int tn_analysis_break_is_unique(const tn_analysis *analysis, tn_joint joint,
                                              int which)
{
    const int32_t at = joint.i < TN_COUPLING_JOINTS
                           ? joint.i
                           : analysis->joint_count + (joint.i - TN_COUPLING_JOINTS);
    return (int)(analysis->joints[at].breaks >> which & 1u);
}

#ifdef __cplusplus
}
#endif
#endif
