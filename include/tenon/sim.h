/* sim.h: a model in motion: state, stepping, save and restore.
 *
 * tn_sim_step allocates nothing, never aborts and never lets a NaN out: a step that fails leaves
 * the state as it was before the step, and the report names the culprit.
 */
#ifndef TENON_SIM_H
#define TENON_SIM_H

#include "tenon/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A simulation. Not to be used by several threads at a time. */
typedef struct tn_sim tn_sim;

/* What an integrator does and does not do; all 0 for a value that is no integrator. */
typedef struct tn_integrator_traits {
    /* 1: all results of a step are those of one instant, its end: multipliers balance the accelerations
     * (tn_sim_balance). 0: a step is a solve for velocities; its multipliers are impulses divided by the
     * step, and there are no accelerations. */
    int accelerations;
    int reactions_at_start; /* 1: its multipliers are forces at the pose where the step began */
    int closes_joints;      /* 1: every step ends within the position_tolerance */
    int formulations;       /* 1: it has the choice of tn_formulation */
    int divides_steps;      /* 1: it divides steps into sub-steps as its error estimate requires */
} tn_integrator_traits;

/* The traits of an integrator; all 0: no such integrator. */
TN_API tn_integrator_traits tn_integrator_traits_of(tn_integrator integrator);

/* Options of a simulation. Fill it from tn_default_sim_options. */
typedef struct tn_sim_options {
    uint32_t cookie;
    tn_integrator integrator;
    double spectral_radius;     /* generalized_alpha's damping at infinite frequency, 0 .. 1; 0.8 */
    tn_formulation formulation; /* of generalized_alpha: TN_INDEX_3 */
    double position_tolerance;  /* m and rad: joint error accepted after a step; 1e-12 */
    int32_t max_iterations;     /* Newton iterations of a step; 8 */
    /* generalized_alpha: residual of the bodies' equations accepted after a step, relative to the
     * largest force on the body. Infinite: the residual that position_tolerance gives, with a noise of
     * the multipliers of about mass * position_tolerance / h^2. A residual at the level of round-off is
     * always accepted. Default: infinite; 1e-10 for accurate reactions. */
    double force_tolerance;
    /* dormand_prince: see tn_simulation_def. */
    double relative_tolerance, absolute_tolerance;
    /* Requested relative accuracy of all results; the tolerances above then follow from it
     * (tn_simulation_def). 0: the tolerances above as they are. The model's accuracy applies unless the options
     * contradict it: an integrator with steps of one length, or other tolerances. Such an integrator with
     * another accuracy than the model's is refused. */
    double accuracy;
    /* How the systems of a step are solved. Sequential impulses: only with integrators of first order;
     * `iterations` sweeps for the velocities, warm started with the last multipliers, and as many in one
     * position pass, whatever error remains (see the report). Outside of steps (the first pose, setting
     * coordinates, impacts at limits) systems are solved directly. */
    tn_solver solver;
    int32_t iterations;
    /* TN_EVENTS_AT_STEPS, with sequential impulses: no event is located within a step. Bounds of motors,
     * friction and capped springs apply to the step's impulses; a limit may be reached at its end only;
     * events have the time of its end; a position motor leaves exp(-step / time_constant) of its error
     * after a step. A step then takes at most three velocity solves. First order. */
    tn_event_timing events;
    /* What to do with loops that no pose closes. Gaps of up to 1e-4 of the mechanism's size (1e-4
     * rad), as rounded numbers in a file cause them, are always accepted, with a warning. */
    tn_loop_policy loops;
    /* 1: the model's velocities are kept, and the first step makes them consistent with the joints by an
     * impulse; tn_sim_equations can show it before. 0: integrators of higher order start from consistent
     * velocities. */
    int32_t keep_velocities;
} tn_sim_options;

/* The defaults with what the model's simulation section says. */
TN_API tn_sim_options tn_default_sim_options(const tn_model *model);

/* Makes a simulation at the model's initial state. The model must outlive it. The initial poses
 * are corrected to satisfy the joints, and the velocities with the least kinetic energy of the
 * change; notes in diags report what moved and changed. A joint that cannot be satisfied is an error.
 */
TN_API tn_status tn_sim_create(const tn_model *model, const tn_sim_options *options,
                               tn_diagnostics *diags, tn_sim **out);
/* Frees the simulation; NULL is accepted. */
TN_API void tn_sim_destroy(tn_sim *sim);
/* Number of threads that work on each step, 1 to 1024, including the calling thread; 1, the default: no others.
 * They wait between calls. Results have the same bits with any number. Only a tree of some ten thousand bodies on
 * hinges has work for several; smaller models are as fast with one. */
TN_API tn_status tn_sim_set_threads(tn_sim *sim, int32_t threads);
/* Threads in use: fewer than requested if the system provides fewer. */
TN_API int32_t tn_sim_threads(const tn_sim *sim);
/* The model of the simulation; its own one after tn_sim_change. */
TN_API const tn_model *tn_sim_model(const tn_sim *sim);
/* The options it was made with, tolerances as they follow from an accuracy. */
TN_API const tn_sim_options *tn_sim_get_options(const tn_sim *sim);

/* Which residual of a step is too large. */
typedef enum tn_imbalance {
    TN_IMBALANCE_NONE,
    TN_IMBALANCE_ENERGY, /* energy gained or lost, as a share of the energy exchanged in the step */
    TN_IMBALANCE_REACTIONS, /* Newton-Euler residual of a body, relative to the forces on it */
    TN_IMBALANCE_CLOSURE,   /* opening of joints that the method does not close to a tolerance, as a
                             * share of the bodies' extent */
    TN_IMBALANCE_PULL,      /* a limit pulls: share of the largest force on a body */
    TN_IMBALANCE_RANGE,     /* a coordinate is beyond its range: m, rad */
    TN_IMBALANCE_MULTIPLIERS, /* of loops: share of the multipliers that acts on nothing */
    TN_IMBALANCE_BOUND,   /* friction or a motor holds beyond its bound: excess as a share of it */
    TN_IMBALANCE_ROUNDING /* a sub-step of dormand_prince near a change point: its error cannot be
                               * distinguished from rounding: sizes of the mechanism, rad */
} tn_imbalance;

/* Kinds of sub-steps of integrators that control their errors. For each kind: the number and lengths of those
 * taken, and of those rejected and repeated with a shorter length, by reason. */
#define TN_PARTS_KIND_LIST(X)                                                                      \
    X(TN_PARTS_EXPLICIT, explicit)                                                                 \
    X(TN_PARTS_IMPLICIT, implicit)

typedef enum tn_parts_kind {
#define TN_PARTS_KIND_ENUM(kind, name) kind,
    TN_PARTS_KIND_LIST(TN_PARTS_KIND_ENUM)
#undef TN_PARTS_KIND_ENUM
        TN_PARTS_KIND_COUNT
} tn_parts_kind;

/* Sub-steps of one kind in a step. */
typedef struct tn_part_history {
    int32_t taken;
    int32_t off;              /* rejected: error estimate above the tolerance */
    int32_t unsolved;         /* rejected: their equations could not be solved */
    int32_t unbalanced;       /* rejected: a residual check failed (tn_imbalance) */
    double shortest, longest; /* s, of those taken; 0: none */
} tn_part_history;

/* What happened numerically in a step. Where generalized_alpha steps trees that share nothing apart (they have
 * limits), iterations, factorizations and solves are those of the busiest tree. Where it solves trees of planar
 * bodies on pins, each solve is an elimination of its own, and none counts as a factorization. */
typedef struct tn_step_report {
    tn_status status;
    int32_t iterations;     /* Newton iterations */
    int32_t factorizations; /* of the KKT matrix */
    int32_t solves;         /* back-solves */
    int32_t fallbacks;      /* sub-steps taken with a more robust method */
    int32_t halvings;       /* times that a sub-step had to be halved */
    int32_t parts;          /* number of sub-steps; 0: one for the whole step */
    int32_t implicit_parts; /* of these: implicit ones, for stiff motion */
    int32_t rejections;     /* sub-steps repeated with a shorter length because of their error */
    double shortest_part, longest_part;           /* s, of those taken; 0: there were none */
    tn_part_history history[TN_PARTS_KIND_COUNT]; /* the same by tn_parts_kind */
    int32_t events;                               /* limits reached or released within the step */
    int32_t skipped_rows;  /* held rows without a direction at the end: rods of zero length */
    double position_error; /* m, largest error of a hard linear row after the step */
    double angle_error;    /* rad, largest error of a hard rotary row */
    /* Sequential impulses: sweeps taken, and the largest residual of a velocity row after the last one, m/s
     * or rad/s. */
    int32_t sweeps;
    double sweep_residual;
    /* Error of the energy balance: kinetic, potential and elastic energy, less the work of drivers and
     * motors, plus what friction and dampers took. energy_made: J gained in the step without a cause
     * (negative: lost). energy_share: the worst sub-step, as a share of the energy it exchanged. */
    double energy_made, energy_share;
    /* TN_ERROR_INACCURATE: which residual is too large, its value and its bound. */
    tn_imbalance imbalance;
    double unbalanced, allowed;
    double gap;            /* m, largest gap of a loop that no pose closes; joint errors are counted
                            * from there */
    double gap_angle;      /* rad, likewise */
    double smallest_pivot; /* scaled; near the regularisation where rows are redundant */
    /* 1: the step, or a sub-step, ended near a singular configuration: rows are about to become dependent
     * (a change point, a flat linkage). A rounding error eps of the rows is then an error of the pose of
     * eps / fold_distance, and reactions grow as 1 / fold_distance. At a distance below about 1e-5 the rows
     * do not determine the branch, and shorter steps are taken. With gaps: the step succeeded only because
     * the row error that no motion removes there is counted as a gap. */
    int32_t folds;
    double fold_distance; /* about the smallest singular value of these rows, scaled; 0: singular */
    tn_joint fold_joint;  /* the joint whose reaction has the largest part in it */
    tn_joint worst_joint; /* joint with the largest error; index -1 if none */
    tn_body culprit_body; /* on failure: the body, or index -1 */
    tn_joint culprit_joint; /* on failure: the joint, or index -1 */
    tn_load culprit_load;   /* TN_ERROR_LOAD: the load without a value (load.h), or index -1 */
} tn_step_report;

/* Advances by h > 0 seconds. report may be NULL. On any status but TN_OK the state is unchanged. */
TN_API tn_status tn_sim_step(tn_sim *sim, double h, tn_step_report *report);

/* Advances to a time (s) later than tn_sim_time. An integrator that controls its errors takes as many steps as
 * it needs; others take steps of the model's length, the last one shorter. Report and event log cover all of
 * them. On any status but TN_OK the state is that of the last step that succeeded; tn_sim_time returns its
 * time. TN_ERROR_ARGUMENT: the time is not later. TN_ERROR_WORK: more than TN_MOST_STEPS steps, or the motion
 * hardly advances, as when a drive pushes a mechanism into a dead point. */
TN_API tn_status tn_sim_advance(tn_sim *sim, double time, tn_step_report *report);

/* Takes one step of a run: tn_sim_step, or tn_sim_advance to its end if the requested accuracy needs more
 * sub-steps or work than one step may have. */
TN_API tn_status tn_sim_take_step(tn_sim *sim, double h, tn_step_report *report);

/* Makes poses, velocities and forces consistent, as the next step of h seconds would do before it begins: at
 * the start, and after something was set. Reactions and accelerations are then those of this state. Clears the
 * event log: events that the step would have reported at its start are lost, unless a state saved before is
 * restored. On failure the state is unchanged. */
TN_API tn_status tn_sim_start(tn_sim *sim, double h, tn_step_report *report);

/* The time of the state. */
TN_API double tn_sim_time(const tn_sim *sim); /* s */

/* The times of a run from 0 s on: equal steps, the last one shorter if they do not fit, and the times of
 * records. Runs on the same grid have the same bits in every program that takes these steps. */
typedef struct tn_time_grid {
    double step;     /* s */
    double duration; /* s */
    double every;    /* s between records; NaN, or at most step: every step */
    int64_t steps;
} tn_time_grid;

/* Returns the grid for these times: step and duration finite and > 0, at most 1e15 steps; otherwise a grid with 0
 * steps and NaN. The calls below return NaN or 0 for an index k that the grid does not have. */
TN_API tn_time_grid tn_time_grid_of(double step, double duration, double every);
/* s, default step of a run of this duration: the model's step. If that was derived from the model's duration
 * (TN_USUAL_LOOKS), a longer run has proportionally longer steps. NaN without a model. */
TN_API double tn_usual_step(const tn_model *model, double duration);
/* s, default time between records: at least about a thousand records over the run; NaN: every step. */
TN_API double tn_usual_every(double step, double duration);
/* s, the length of step k = 0 .. steps - 1 of a simulation whose time is `time`. */
TN_API double tn_time_grid_step(const tn_time_grid *grid, int64_t k, double time);
/* Number of steps after which to record next, if the last record was after k steps: the first step that ends
 * on or after a multiple of every, and the last step. Records begin at k = 0. */
TN_API int64_t tn_time_grid_next_record(const tn_time_grid *grid, int64_t k);
/* s, the output time of the record after k steps: a multiple of every, not after the end of these steps, and
 * within the last of them if steps and records have no common measure. After all steps: duration. */
TN_API double tn_time_grid_record_time(const tn_time_grid *grid, int64_t k);
/* s, time from `time`, where the last of k steps begins, to the output time within this step. To record: save the
 * state (tn_sim_save), take a step of this length, record, and restore, so that records do not change the bits of
 * a run. 0: record at the end of the step. */
TN_API double tn_time_grid_within(const tn_time_grid *grid, int64_t k, double time);

/* Saves and restores the whole state as one block of tn_sim_state_size bytes. A restored simulation continues with
 * the same bits, for simulations of the same model with the same options; callbacks are assumed to be the same.
 * tn_sim_restore: TN_ERROR_ARGUMENT: not a block, or one of another model, integrator or version of the library,
 * or with drives whose functions this simulation does not have or has in another order (functions set while a
 * simulation runs belong to it, in the order they were set). TN_ERROR_INPUT: damaged. On error the simulation is
 * unchanged. Inside a callback of a step there is no state to save: the block is filled with zeros, which
 * tn_sim_restore refuses. */
TN_API size_t tn_sim_state_size(const tn_sim *sim);
/* Writes the state to a block: see tn_sim_state_size. */
TN_API void tn_sim_save(const tn_sim *sim, void *block);
/* Reads the state from a block: see tn_sim_state_size. */
TN_API tn_status tn_sim_restore(tn_sim *sim, const void *block);

/* Continues with a changed description: the spec from which the simulation's model was compiled, with bodies,
 * joints, couplings, markers, loads and measures added (tn_spec_add_...) or removed (tn_spec_remove_...). Time,
 * poses, velocities, turns, switches, drives, loads' work, and ids of everything that stays are kept. The
 * simulation then has a model of its own (tn_sim_model); pointers and sizes taken from the old one are not
 * valid for it. Poses of new bodies, and world places of new joints, apply now. New joints that are open are
 * closed with the least movement, which diags report; velocities become consistent with all joints at the next
 * step, by an impulse if needed. If only markers and measures come or go, the motion keeps every bit and blocks
 * saved before remain valid; otherwise they belong to another model. Recorders made before cannot continue. With
 * nothing added or removed nothing happens. TN_ERROR_ARGUMENT: a spec of another model, with fewer items, or
 * other names, types or bodies; other errors as tn_model_compile and tn_sim_create. On failure the simulation is
 * unchanged. */
TN_API tn_status tn_sim_change(tn_sim *sim, const tn_spec *spec, tn_diagnostics *diags);
/* Number of calls of tn_sim_change that changed something. */
TN_API int64_t tn_sim_change_count(const tn_sim *sim);

/* One body. The velocity is in world axes at the body's origin. Setting poses or velocities
 * restarts the integrator; joints are not re-assembled. Components of a velocity that a body of its
 * kind cannot have are ignored. TN_ERROR_ARGUMENT: no such body, or a pose it cannot have: planar bodies
 * turn about z, and have z = 0 in a planar world. TN_ERROR_NOT_FINITE: a number that is not finite, or
 * beyond TN_LARGEST_NUMBER. */
TN_API tn_pose tn_sim_body_pose(const tn_sim *sim, tn_body body);
/* Velocity of the body's origin and angular velocity, world axes. */
TN_API tn_twist tn_sim_body_velocity(const tn_sim *sim, tn_body body);
/* Sets the pose of a body frame in the world: see tn_sim_body_pose. */
TN_API tn_status tn_sim_set_body_pose(tn_sim *sim, tn_body body, tn_pose pose);
/* Sets the velocity of a body: see tn_sim_body_pose. */
TN_API tn_status tn_sim_set_body_velocity(tn_sim *sim, tn_body body, tn_twist velocity);
/* Position of a marker. */
TN_API tn_vec3 tn_sim_marker_position(const tn_sim *sim, tn_marker marker); /* m, world */
/* The same with the orientation of its axes in the world. */
TN_API tn_pose tn_sim_marker_pose(const tn_sim *sim, tn_marker marker);

/* Changes of a running simulation: constant cost, no new analysis. Each makes velocities and
 * accelerations consistent again at the next step (by an impulse if needed).
 * TN_ERROR_ARGUMENT: no such joint or coordinate, or a value that is NaN or out of order. */

/* Limits of a coordinate (rad, m; infinite: none). A coordinate outside is moved to its nearer
 * limit at the next step. */
TN_API tn_status tn_sim_set_range(tn_sim *sim, tn_joint joint, int32_t coordinate, double lower,
                                  double upper);
/* The limits in force. */
TN_API tn_status tn_sim_get_range(const tn_sim *sim, tn_joint joint, int32_t coordinate,
                                  double *lower, double *upper);
/* Holds a coordinate at its present value, or lets it go. */
TN_API tn_status tn_sim_set_locked(tn_sim *sim, tn_joint joint, int32_t coordinate, int locked);
/* 1: the coordinate is locked, or its range has no width. */
TN_API int tn_sim_is_locked(const tn_sim *sim, tn_joint joint, int32_t coordinate);
/* A joint that is switched off does nothing; switched on again, it must be closed
 * (tn_sim_project closes small gaps). */
TN_API tn_status tn_sim_set_enabled(tn_sim *sim, tn_joint joint, int enabled);
/* 1: the joint is switched on. */
TN_API int tn_sim_is_enabled(const tn_sim *sim, tn_joint joint);
/* Sets the thresholds at which a joint breaks: it is switched off when the force or moment it carries, about
 * frame C's origin, exceeds them (N, N m; infinite: never). A coupling carries a force only; its moment stays
 * infinite. A joint already loaded beyond them breaks when the next step begins.
 * TN_ERROR_ARGUMENT also: a threshold that is not positive. */
TN_API tn_status tn_sim_set_break(tn_sim *sim, tn_joint joint, double force, double torque);
/* The thresholds in force. */
TN_API tn_status tn_sim_get_break(const tn_sim *sim, tn_joint joint, double *force, double *torque);

/* Compliance C (m/N or rad/(N m)) and damping D (N s/m or N m s/rad) of a row, bilateral or of a
 * coordinate's lock and limits: its force is -phi/C - D phi', or whatever it takes where C = 0
 * (hard; D is then without effect). A row made hard again is closed by the next step.
 * TN_ERROR_ARGUMENT: no such row, or a value that is negative or not finite. */
TN_API tn_status tn_sim_set_compliance(tn_sim *sim, tn_joint joint, int32_t row, double compliance,
                                       double damping);
/* The values in force. */
TN_API tn_status tn_sim_get_compliance(const tn_sim *sim, tn_joint joint, int32_t row,
                                       double *compliance, double *damping);
/* All bilateral rows of a joint that are TN_ROW_LINEAR or TN_ROW_ROTARY: one compliance, and the
 * share damping_ratio of the critical damping of each row's effective mass. */
TN_API tn_status tn_sim_set_group_compliance(tn_sim *sim, tn_joint joint, uint32_t group,
                                             double compliance, double damping_ratio);
/* Their common compliance; *mixed is 1, and *compliance NaN, when they differ.
 * TN_ERROR_NOT_FOUND: the joint has no such rows. */
TN_API tn_status tn_sim_get_group_compliance(const tn_sim *sim, tn_joint joint, uint32_t group,
                                             double *compliance, int *mixed);
/* Effective mass 1 / (G M^-1 G^T) of a row at the present pose, kg or kg m^2: what the bodies, free
 * of everything else, oppose to it. NaN: no such row. */
TN_API double tn_sim_row_mass(const tn_sim *sim, tn_joint joint, int32_t row);
/* The row's compliance and damping that make a mass (kg, kg m^2) swing at hertz when undamped, with
 * damping_ratio 1 for critical damping. A stiffness k is the compliance 1/k. */
TN_API tn_status tn_compliance_from_frequency(double mass, double hertz, double damping_ratio,
                                              double *compliance, double *damping);

/* What acts along a coordinate (drive.h), set, changed or (NULL) removed at constant cost.
 * Definitions are copied; functions are kept until the simulation is destroyed, so pass numbers for what
 * changes often. The state grows with a coordinate that had no drive before: call tn_sim_state_size
 * again. TN_ERROR_ARGUMENT also: the bodies cannot move along the coordinate. */

/* Prescribed motion q(t), t the simulation's time. A coordinate with another value is moved there, as into
 * a new range, at the next step. A lock and a limit have priority over it. */
TN_API tn_status tn_sim_set_driver(tn_sim *sim, tn_joint joint, int32_t coordinate,
                                   const tn_function_def *position);
/* The same, from now on, as value + rate t + acceleration t^2 / 2 (rad or m, per s, per s^2). */
TN_API tn_status tn_sim_set_driver_motion(tn_sim *sim, tn_joint joint, int32_t coordinate,
                                          double value, double rate, double acceleration);
/* Sets the motor of a coordinate; NULL removes it. */
TN_API tn_status tn_sim_set_motor(tn_sim *sim, tn_joint joint, int32_t coordinate,
                                  const tn_motor_def *def);
/* For an existing motor: its speed or position (rad/s, m/s or rad, m), its cap (N, N m). */
TN_API tn_status tn_sim_set_motor_target(tn_sim *sim, tn_joint joint, int32_t coordinate,
                                         double target);
/* Sets the cap of an existing motor (N, N m). */
TN_API tn_status tn_sim_set_motor_cap(tn_sim *sim, tn_joint joint, int32_t coordinate,
                                      double max_force);
/* Sets the friction of a coordinate; NULL removes it. */
TN_API tn_status tn_sim_set_friction(tn_sim *sim, tn_joint joint, int32_t coordinate,
                                     const tn_friction_def *def);
/* Sets the spring of a coordinate; NULL removes it. */
TN_API tn_status tn_sim_set_spring(tn_sim *sim, tn_joint joint, int32_t coordinate,
                                   const tn_spring_def *def);
/* For an existing spring (rad, m). */
TN_API tn_status tn_sim_set_spring_rest(tn_sim *sim, tn_joint joint, int32_t coordinate,
                                        double rest);

/* 1: the coordinate has, or has had, a prescribed motion, motor, friction or spring. */
TN_API int tn_sim_has_drive(const tn_sim *sim, tn_joint joint, int32_t coordinate);

/* Mass, kg or kg m^2, of a motion along the coordinate at the present pose, with the bodies of the joint free
 * of everything but the joint. For a coupling's value, with the masses m_k of its terms:
 * 1 / sum (f_k'^2 / m_k), as if no body were part of two of its joints. NaN: there is no such
 * coordinate. */
TN_API double tn_sim_coordinate_mass(const tn_sim *sim, tn_joint joint, int32_t coordinate);

/* What holds a coordinate now; what does not hold it acts as a force (tn_sim_coordinate_force). */
typedef enum tn_coordinate_holder {
    TN_HELD_BY_NOTHING,
    TN_HELD_BY_SPRING,   /* a spring: it yields */
    TN_HELD_BY_FRICTION, /* friction sticks */
    TN_HELD_BY_MOTOR,    /* the coordinate has the motor's speed */
    TN_HELD_BY_DRIVER,
    TN_HELD_BY_LOCK,
    TN_HELD_BY_LIMIT
} tn_coordinate_holder;
/* What holds the coordinate now. */
TN_API tn_coordinate_holder tn_sim_coordinate_holder(const tn_sim *sim, tn_joint joint,
                                                     int32_t coordinate);

/* Returns whether the coordinate is at a limit: -1 lower, 1 upper, 0 neither. force (may be NULL):
 * generalised force of the limit on the coordinate, N or N m: positive at a lower limit, negative at
 * an upper one. */
TN_API int tn_sim_at_limit(const tn_sim *sim, tn_joint joint, int32_t coordinate, double *force);

/* Events of the last step, in order of time. They are located within the step; with integrators of first order a
 * joint breaks at the end of the step. A prescribed motion given by a table or a formula with a kink jumps in
 * speed there: an impulse, which no reported force contains (integrators of second order and more). A prescribed
 * motion is not followed while a limit or a lock, which have priority, holds its coordinate elsewhere: one event
 * at each beginning. */
#define TN_EVENT_LIST(X)                                                                           \
    X(TN_EVENT_LIMIT_REACHED, "limit reached")                                                     \
    X(TN_EVENT_LIMIT_RELEASED, "limit released")                                                   \
    X(TN_EVENT_JOINT_BROKE, "joint broke")                                                         \
    X(TN_EVENT_STUCK, "friction sticks")                                                           \
    X(TN_EVENT_SLIPPING, "friction slips")                                                         \
    X(TN_EVENT_MOTOR_TRACKS, "motor reached its speed")                                            \
    X(TN_EVENT_MOTOR_AT_CAP, "motor at its cap")                                                   \
    X(TN_EVENT_MOTION_JUMPS, "prescribed motion jumps")                                            \
    X(TN_EVENT_MOTION_HELD, "prescribed motion not followed")

typedef enum tn_event_kind {
#define TN_EVENT_ENUM(kind, text) kind,
    TN_EVENT_LIST(TN_EVENT_ENUM)
#undef TN_EVENT_ENUM
        TN_EVENT_KIND_COUNT
} tn_event_kind;

/* An event of the last step. */
typedef struct tn_event {
    tn_event_kind kind;
    double time; /* s */
    tn_joint joint;
    int32_t coordinate; /* -1 when the event is the whole joint's */
    /* Limits: -1 lower, 1 upper; motors and friction: sign of the force; prescribed motions: sign of the value. */
    int32_t side;
    /* Limits: speed before the impact (m/s, rad/s). Prescribed motions: their jump of speed (m/s, rad/s), or their
     * distance from the coordinate that does not follow (m, rad). Joints: the load that broke them (N, N m). */
    double value;
} tn_event;

/* The text of a kind of event, such as "limit reached"; "unknown event": no such kind. */
TN_API const char *tn_event_text(tn_event_kind kind);
/* Most events that are kept for a step. */
#define TN_EVENTS_KEPT 64
/* Number of events; more than TN_EVENTS_KEPT are counted but only the first are kept. */
TN_API int32_t tn_sim_event_count(const tn_sim *sim);
/* An event by its index; NULL: not kept, or no such index. Valid until the next step. */
TN_API const tn_event *tn_sim_event(const tn_sim *sim, int32_t index);

/* Moves poses and velocities onto the constraints (mass-weighted least change). */
TN_API tn_status tn_sim_project(tn_sim *sim, tn_step_report *report);

/* Bulk access, row-major, in order of the ids. */
TN_API void tn_sim_get_poses(const tn_sim *sim, double *out); /* [bodies][7]: p, q (w first) */
/* Velocities of all bodies: of the origin, angular; world axes; m/s, rad/s. */
TN_API void tn_sim_get_velocities(const tn_sim *sim, double *out); /* [bodies][6]: v, w */
/* Coordinates of all joints, rad and m; 0 where a joint has fewer. */
TN_API void tn_sim_get_coordinates(const tn_sim *sim,
                                   double *out); /* [joints][TN_MAX_COORDINATES] */
/* Multipliers of all joints in the last step; 0 where a row is not active. */
TN_API void tn_sim_get_multipliers(const tn_sim *sim,
                                   double *out); /* [joints][TN_MAX_ROWS] N, N m */

/* One joint: coordinates and their speeds [coordinate_count], multipliers [row_count]. */
TN_API void tn_sim_joint_coordinates(const tn_sim *sim, tn_joint joint, double *q);
/* rad/s, m/s; see tn_sim_joint_coordinates. */
TN_API void tn_sim_joint_speeds(const tn_sim *sim, tn_joint joint, double *qdot);
/* N, N m; see tn_sim_joint_coordinates. */
TN_API void tn_sim_joint_multipliers(const tn_sim *sim, tn_joint joint, double *lambda);
/* Frame C of a joint (not of a coupling) in D: its pose, the velocity of its origin and its angular
 * velocity, both seen from D in D's axes. Either may be NULL. */
TN_API void tn_sim_joint_motion(const tn_sim *sim, tn_joint joint, tn_pose *T_CD,
                                tn_twist *velocity);
/* One coupling: its value sum f(q), the value's speed and the force on it (N where the value is a
 * length, N m where it is an angle): positive where it pushes the value up. */
TN_API double tn_sim_coupling_value(const tn_sim *sim, tn_coupling coupling);
/* See tn_sim_coupling_value. */
TN_API double tn_sim_coupling_speed(const tn_sim *sim, tn_coupling coupling);
/* See tn_sim_coupling_value. */
TN_API double tn_sim_coupling_force(const tn_sim *sim, tn_coupling coupling);
/* Error of each row, [row_count]: phi = W . (p, angle axis) of T_CG; motion rows 0. m and rad. */
TN_API void tn_sim_joint_error(const tn_sim *sim, tn_joint joint, double *phi);

#ifdef __cplusplus
}
#endif
#endif
