/* system.h: room assemble: from poses and velocities to the equations of one solve.
 *
 * In: model and state. Out: body transforms, joint kinematics, the KKT blocks and right-hand
 * sides. Stages are separate so that a stepper computes only what it needs:
 *
 *     poses -> joints -> jacobian          the matrix
 *                     -> errors, gamma     right-hand sides of the rows
 *     velocities -> forces (+ joint forces) right-hand side of the bodies
 *
 * Row vectors (phi, gamma, y ...) are in the slots of the KKT layout: the n-th active row of joint
 * j is at y_offset[j] + n. Behind those of the elements stand those of armatures, to be 0 in every right-hand side.
 */
#ifndef TN_ASSEMBLE_SYSTEM_H
#define TN_ASSEMBLE_SYSTEM_H

#include "element/mean.h"
#include "state/state.h"

/* Hard rows of closed loops are never quite rigid in the factor: E_ii = TN_EPSILON A_ii. This keeps the matrix
 * quasi-definite whatever the redundancy; refinement removes it again (docs/explanation/constraint_solver.md, 3).
 * Rows outside loops are independent and need none. */
#define TN_EPSILON 1e-8

/* How the rows enter the matrix, for all compliant and hard rows alike:
 *     compliant (C > 0):  R = scale C / (shift + rate C D), or R = far * A to leave the row out
 *     hard (C = 0):       R = 0, and E = TN_EPSILON A in loops      A: the row's scale, 1/m_eff */
typedef struct tn_row_law {
    double scale, shift, rate;
    int leave_out_compliant;
} tn_row_law;

/* True if loops stay open because their geometry is not exact. */
static inline int tn_gap_is_on(const tn_state *state)
{
    return state->head->gap_epsilon > 0.0;
}

/* E of hard rows of loops, in units of their scale: see TN_EPSILON; coarser where loops have gaps,
 * finer where they are long. */
static inline double tn_loop_epsilon(const tn_state *state)
{
    const double weak = state->head->weak_epsilon;
    return tn_gap_is_on(state) ? state->head->gap_epsilon : weak > 0.0 ? weak : TN_EPSILON;
}

/* A term of a coupling at the current pose. */
typedef struct tn_term_state {
    double q;                /* rad, m: the coordinate, turns counted */
    double slope, curvature; /* f', f'' */
    double rounded; /* rad, m: magnitude to which the rounding error of its value is relative; 0: an
                       angle that is exact after any number of turns */
} tn_term_state;

typedef struct tn_system tn_system;
struct tn_system {
    const tn_model *model;
    const tn_kkt_layout *layout;
    const tn_function_list *functions; /* of drives, beyond those of the model; NULL: none */
    tn_xform *T;                       /* [bodies] centre-of-mass frames in the world */
    tn_joint_kinematics *kin;          /* [elements]; couplings use only q[0], the value, and
                                          q[1], its rounding error */
    tn_term_state *terms;              /* [terms of couplings] */
    /* [elements] geometry of joints that are kept to one piece of their surface (law/pieces.c); NULL:
     * the model's. NULL as a whole: no joint has pieces. */
    const tn_joint_geometry **pieces;
    tn_mean_frame *frames; /* [means of the model] mean frames, current as kin of their joints */
    bool legal_rows;       /* tn_method has it */
    /* 1: the hard rows close no loop (motion/hard_loops.c), so they repeat no others and get no E.
     * Set within steps only. */
    bool regular_rows;
    /* s: time by which the pose is ahead of the state's coordinates. Turns of fast terms of couplings are counted
     * from a prediction over this time. */
    double lead;
    tn_kkt_values *values;
    tn_kkt_factor *factor;
    int8_t
        *loose;  /* [groups of light bodies + 1] 1: some joint that holds the group does not now */
    double *f;   /* [velocities] forces; body part of a right-hand side */
    double *du;  /* [velocities] body part of a solution */
    double *phi; /* [y_size] row errors */
    double *gap; /* [y_size] offset of the rows' zeros, for loops with gaps; else without meaning */
    double *g;   /* [y_size] row part of a right-hand side */
    double *y;   /* [y_size] row part of a solution */
};

/* E of the rows of loops: 0 if they cannot repeat each other. */
static inline double tn_rows_epsilon(const tn_system *sys, const tn_state *state)
{
    return sys->regular_rows ? 0.0 : tn_loop_epsilon(state);
}

/* Inertia added in the factor to light bodies, as long as all joints that hold their group are active
 * (model/bearing.c). */
void tn_assemble_stand_ins(tn_system *sys, const tn_state *state);
tn_status tn_system_create(const tn_model *model, tn_system *sys);
void tn_system_destroy(tn_system *sys);

/* T of all bodies from positions and orientations. */
void tn_assemble_poses(tn_system *sys, const tn_vec3 *x, const tn_quat *q);
/* kin of all enabled joints from T; branches and turns nearest to the state's coordinates. */
void tn_assemble_joints(tn_system *sys, const tn_state *state);
/* Coordinates of all elements that are on, turns counted from a prediction over the h seconds since
 * the state's, which they may be; kin must be current. */
void tn_assemble_coordinates(tn_system *sys, const tn_state *state, double h, double *coordinates);
/* G and the number of active rows, into values. */
void tn_assemble_jacobian(tn_system *sys, const tn_state *state);
/* phi of the active rows: W . error, and coordinate minus held value for held rows. */
void tn_assemble_errors(tn_system *sys, const tn_state *state, double *phi);
/* Speeds of the active rows, G u, from kin (the matrix is not needed). */
void tn_assemble_speeds(const tn_system *sys, const tn_state *state, const double *u,
                        double *speeds);
/* Adds the speeds (rate 1) or accelerations (rate 2) that drivers and motors give to the rows they
 * hold. */
void tn_assemble_hold_rates(const tn_system *sys, const tn_state *state, int rate, double *g);
/* gamma = (dG/dt) u of the active rows at constant body velocities. */
void tn_assemble_gamma(tn_system *sys, const tn_state *state, const double *u, double *gamma);

/* R, E and scale of the active rows, into values. */
void tn_assemble_row_law(tn_system *sys, const tn_state *state, const tn_row_law *law);
/* The compliance of the n-th active row of joint j. */
static inline double tn_active_compliance(const tn_state *state, int32_t j, int32_t n)
{
    return state->switches[j].compliance[state->switches[j].active[n]];
}

/* H = M + damping_factor * D + S into values, with the rows of armatures (armature.h), which are part of M, or
 * without a state that of the bodies alone. D is the matrix of the bodies' frame and rotary damping, S a stiffness
 * against rotation, kg m^2, in body axes, stiffness[6 bodies] = xx yy zz xy xz yz of each body, or NULL. A body's S
 * is left out where it would take away half of its inertia. */
void tn_assemble_mass(tn_system *sys, const tn_state *state, double damping_factor,
                      const double *stiffness);
/* f = m g, minus the gyroscopic moment w x J w; minus D u if damping is set; minus M udot unless udot is
 * NULL. */
void tn_assemble_forces(const tn_system *sys, const tn_state *state, const double *u,
                        const double *udot, int damping, double *f);
/* f += M u; without a state that of the bodies alone. */
void tn_assemble_momentum(const tn_system *sys, const tn_state *state, const double *u, double *f);
/* f += G^T lambda with the multipliers of the state, from kin (the matrix is not needed). */
void tn_assemble_joint_forces(const tn_system *sys, const tn_state *state, double *f);
/* The wrench of a joint's multipliers lambda[row] at G's origin, world axes, on A. Not for
 * couplings, which have no place. */
tn_wrench tn_assemble_joint_wrench(const tn_system *sys, const tn_state *state, int32_t joint,
                                   const double *lambda);

/* World twist of a body at its centre of mass; zero for ground. */
static inline tn_twist tn_assemble_twist(const tn_system *sys, const double *u, int32_t body)
{
    tn_twist twist = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (body < 0 || sys->model->bodies[body].dim == 0)
        return twist;
    tn_body_unpack(&sys->model->bodies[body], u, &twist.v, &twist.w);
    twist.w = m3_mulv(&sys->T[body].R, twist.w);
    return twist;
}
/* Twist of C relative to D of a joint, in G. */
void tn_assemble_joint_twist(const tn_system *sys, const double *u, int32_t joint, double twist[6]);

/* Multipliers between the state's rows and the slots of a row vector. */
void tn_assemble_gather_lambda(const tn_system *sys, const tn_state *state, double *y);
void tn_assemble_scatter_lambda(const tn_system *sys, tn_state *state, const double *y,
                                double factor);

/* Sets the slots of armatures to 0 again after a solve, as every right-hand side needs. */
static inline void tn_clear_armatures(const tn_system *sys, double *rows)
{
    const int64_t first = sys->layout->y_offset[sys->model->element_count];
    for (int64_t k = first; k < sys->layout->y_size; k++)
        rows[k] = 0.0;
}

/* Solves with the present factor, in place in du and g; clears the slots of armatures in g. */
static inline void tn_system_solve(tn_system *sys)
{
    tn_kkt_solve(sys->model->kkt, sys->factor, sys->du, sys->g);
    tn_clear_armatures(sys, sys->g);
}

/* The transform of a body, identity for ground. */
extern const tn_xform tn_ground_xform;
static inline const tn_xform *tn_system_xform(const tn_system *sys, int32_t body)
{
    return body >= 0 ? &sys->T[body] : &tn_ground_xform;
}

/* Origin of a joint's frame C in the world (m). */
tn_vec3 tn_system_place(const tn_system *sys, const tn_model_joint *joint);

#endif
