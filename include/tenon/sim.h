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

typedef struct tn_sim tn_sim;

/* What an integrator does and does not do; all 0 for what is none. */
typedef struct tn_integrator_traits {
    /* 1: all that a simulation tells is of one instant, the end of the step: multipliers balance
     * the accelerations (tn_sim_balance). 0: a step is a solve for velocities; its multipliers are
     * impulses per second of step, and there are no accelerations. */
    int accelerations;
    int reactions_at_start; /* its multipliers are forces at the pose where the step began */
    int closes_joints;      /* every step ends within the position_tolerance */
    int formulations;       /* it has the choice of tn_formulation */
    int divides_steps;      /* its steps are taken in parts as long as its errors allow */
} tn_integrator_traits;

TN_API tn_integrator_traits tn_integrator_traits_of(tn_integrator integrator);

typedef struct tn_sim_options {
    uint32_t cookie;
    tn_integrator integrator;
    double spectral_radius;     /* generalized_alpha's damping at infinite frequency, 0 .. 1; 0.8 */
    tn_formulation formulation; /* of generalized_alpha: TN_INDEX_3 */
    double position_tolerance;  /* m and rad: joint error accepted after a step; 1e-12 */
    int32_t max_iterations;     /* Newton iterations of a step; 8 */
    /* generalized_alpha: residual of the bodies' equations accepted after a step, relative to the
     * largest force on the body; infinite: what position_tolerance gives, which leaves the
     * multipliers a noise of some mass * position_tolerance / h^2. Where round-off allows no less
     * than reached, that is accepted. Default: infinite; 1e-10 for tight reactions. */
    double force_tolerance;
    /* dormand_prince: see tn_simulation_def. */
    double relative_tolerance, absolute_tolerance;
    /* Of what the simulation tells, relative; 0: the tolerances above are as they are. Else they
     * follow from it (tn_simulation_def). What the model asks for holds until something goes
     * against it: an integrator that takes steps of one length, or other tolerances. To ask such an
     * integrator for another accuracy is refused. */
    double accuracy;
    /* How the systems of a step are solved. Sequential impulses serve the integrators of first
     * order only: iterations sweeps for the velocities, warm started by the last multipliers, and
     * as many in one position pass, whatever they reach (see the report). What happens between
     * steps (the first pose, setting coordinates, impacts at limits) is solved directly all the
     * same. */
    tn_solver solver;
    int32_t iterations;
    /* TN_EVENTS_AT_STEPS, with sequential impulses: nothing is looked for within a step. Bounds of
     * motors, friction and capped springs hold for the step's impulses, limits may just be reached
     * at its end, events are told at its end, and a position motor leaves exp(-step /
     * time_constant) of its error in a step. A step then takes at most three velocity solves. First
     * order. */
    tn_event_timing events;
    /* What to do with loops that no pose closes. Gaps of up to 1e-4 of the mechanism's size (1e-4
     * rad), as numbers rounded in a file leave them, are always accepted, with a warning. */
    tn_loop_policy loops;
    /* 1: the model's velocities are taken as they are, and the first step makes them fit the
     * joints, by an impulse that tn_sim_equations can show before; 0: integrators of
     * higher order start from velocities that fit. */
    int32_t keep_velocities;
} tn_sim_options;

/* The defaults with what the model's simulation section says. */
TN_API tn_sim_options tn_default_sim_options(const tn_model *model);

/* Makes a simulation at the model's initial state. The model must outlive it. The initial poses
 * are corrected to satisfy the joints, and the velocities with the least kinetic energy of the
 * change; notes in diags tell what moved and changed. A joint that cannot be satisfied is an error.
 */
TN_API tn_status tn_sim_create(const tn_model *model, const tn_sim_options *options,
                               tn_diagnostics *diags, tn_sim **out);
TN_API void tn_sim_destroy(tn_sim *sim);
/* How many threads work on each step, 1 to 1024, the calling one among them; 1, as it is made: no others. They wait
 * between the calls. What comes out has the same bits with any number. They have something to do where a
 * model is a tree of some ten thousand bodies on hinges; smaller ones go as fast without. */
TN_API tn_status tn_sim_set_threads(tn_sim *sim, int32_t threads);
/* Fewer than asked for where they cannot be had. */
TN_API int32_t tn_sim_threads(const tn_sim *sim);
TN_API const tn_model *tn_sim_model(const tn_sim *sim);
/* The options it was made with, tolerances as they follow from an accuracy. */
TN_API const tn_sim_options *tn_sim_get_options(const tn_sim *sim);

/* What of a step does not balance. */
typedef enum tn_imbalance {
    TN_IMBALANCE_NONE,
    TN_IMBALANCE_ENERGY,    /* made or lost, as a share of what the step moved about */
    TN_IMBALANCE_REACTIONS, /* Newton and Euler of a body, relative to the forces on it */
    TN_IMBALANCE_CLOSURE,   /* of joints that a step does not close to a tolerance: open, as a share
                             * of the bodies' extent */
    TN_IMBALANCE_PULL,      /* a limit pulls: share of the largest force on a body */
    TN_IMBALANCE_RANGE,     /* a coordinate is beyond its range: m, rad */
    TN_IMBALANCE_MULTIPLIERS, /* of loops: share of them that acts on nothing */
    TN_IMBALANCE_BOUND,       /* friction or a motor holds beyond its bound: share of that */
    TN_IMBALANCE_ROUNDING /* of a part of dormand_prince near a change point, whose error it cannot
                               * tell from rounding: sizes of the mechanism, rad */
} tn_imbalance;

/* Kinds of parts of steps, and those of one kind that an integrator which controls its errors took:
 * how many, their lengths, and how many more were tried and taken again, shorter, and why. */
#define TN_PARTS_KIND_LIST(X)                                                                      \
    X(TN_PARTS_EXPLICIT, explicit)                                                                 \
    X(TN_PARTS_IMPLICIT, implicit)

typedef enum tn_parts_kind {
#define TN_PARTS_KIND_ENUM(kind, name) kind,
    TN_PARTS_KIND_LIST(TN_PARTS_KIND_ENUM)
#undef TN_PARTS_KIND_ENUM
        TN_PARTS_KIND_COUNT
} tn_parts_kind;

typedef struct tn_part_history {
    int32_t taken;
    int32_t off;              /* rejected: their error was beyond what a part may have */
    int32_t unsolved;         /* rejected: their equations could not be solved */
    int32_t unbalanced;       /* rejected: they failed what every part is asked (tn_imbalance) */
    double shortest, longest; /* s, of those taken; 0: none */
} tn_part_history;

/* What a step met. Numerical events are counted, never hidden. Where generalized_alpha steps trees that share nothing
 * apart (they have limits), iterations, factorizations and solves are those of the busiest of them. Where it solves trees
 * of planar bodies on pins, each of solves eliminates anew and none is counted as a factorization. */
typedef struct tn_step_report {
    tn_status status;
    int32_t iterations;                 /* Newton iterations */
    int32_t factorizations;             /* of the KKT matrix */
    int32_t solves;                     /* back-solves */
    int32_t fallbacks;                  /* sub-steps taken with a more robust method */
    int32_t halvings;                   /* times that a part had to be halved */
    int32_t parts;                      /* that the step was taken in; 0: in one */
    int32_t implicit_parts;             /* of these: implicit ones, for what is stiff */
    int32_t rejections;                 /* and parts taken again, because of their error, shorter */
    double shortest_part, longest_part; /* s, of those taken; 0: there were none */
    tn_part_history history[TN_PARTS_KIND_COUNT]; /* the same by tn_parts_kind */
    int32_t events;                               /* limits reached or released within the step */
    int32_t skipped_rows;  /* held rows without a direction at the end: rods of zero length */
    double position_error; /* m, largest error of a hard linear row after the step */
    double angle_error;    /* rad, largest error of a hard rotary row */
    /* Sequential impulses: sweeps taken, and how far the worst row of the velocities is from its
     * condition after the last one, m/s or rad/s. */
    int32_t sweeps;
    double sweep_residual;
    /* What of the books does not add up: kinetic, potential and elastic energy, less the work of
     * drivers and motors, plus what friction and dampers took. J made by the step (negative: lost),
     * and the worst of its parts as a share of the energy that it moved (judge.c). */
    double energy_made, energy_share;
    /* TN_ERROR_INACCURATE: what does not balance, by how much, and what may be. */
    tn_imbalance imbalance;
    double unbalanced, allowed;
    double gap;            /* m, largest of what loops stay open by because no pose closes them;
                            * joint errors are counted from there */
    double gap_angle;      /* rad, likewise */
    double smallest_pivot; /* scaled; near the regularisation where rows are redundant */
    /* 1: the step, or a part of it, ended near a fold: rows that are about to depend on others for
     * a moment (a change point, a flat linkage). A rounding error eps of the rows then is an error
     * of the pose of eps / fold_distance, and reactions grow as 1 / fold_distance; at a distance
     * below some 1e-5 the rows do not determine the branch, and shorter steps are taken. With gaps:
     * the step failed but for counting what is in the way of the fold among the gaps. */
    int32_t folds;
    double fold_distance; /* about the singular value, scaled, of the rows that carry it; 0 at it */
    tn_joint fold_joint;  /* the joint whose reaction has the largest part in it */
    tn_joint worst_joint; /* joint with the largest error; index -1 if none */
    tn_body culprit_body; /* on failure: the body, or index -1 */
    tn_joint culprit_joint; /* on failure: the joint, or index -1 */
    tn_load culprit_load;   /* TN_ERROR_LOAD: the load without a value (load.h), or index -1 */
} tn_step_report;

/* Advances by h > 0 seconds. report may be NULL. On any status but TN_OK the state is unchanged. */
TN_API tn_status tn_sim_step(tn_sim *sim, double h, tn_step_report *report);

/* Advances to a time (s) later than tn_sim_time: by as many steps as an integrator that controls
 * its errors needs, or else by steps of the model's length, the last one shorter. The report is of
 * all of them, as the log of events is. On any status but TN_OK the state is that of the last step
 * that succeeded, tn_sim_time says when. TN_ERROR_ARGUMENT: the time is not later; TN_ERROR_WORK: it
 * is more than TN_MOST_STEPS steps away, or the motion hardly gets on, as at a dead point that
 * something is driven into. */
TN_API tn_status tn_sim_advance(tn_sim *sim, double time, tn_step_report *report);

/* A step of a run: tn_sim_step, and where the accuracy asked for takes more parts, or work, than a step
 * may have, tn_sim_advance to its end. */
TN_API tn_status tn_sim_take_step(tn_sim *sim, double h, tn_step_report *report);

/* What the next step of h seconds begins with, where it would make poses, velocities and forces
 * consistent first: at the start, and after something was set. Reactions and accelerations are then
 * those of this very state. The log of events is empty afterwards: what the step would have told of
 * its start is lost, unless a state saved before is restored. On failure the state is unchanged. */
TN_API tn_status tn_sim_start(tn_sim *sim, double h, tn_step_report *report);

TN_API double tn_sim_time(const tn_sim *sim); /* s */

/* The times of a run from 0 s on: equal steps, the last one shorter where they do not fit, and what
 * of them is recorded. Runs on the same grid have the same bits, whoever makes the steps. */
typedef struct tn_time_grid {
    double step;     /* s */
    double duration; /* s */
    double every;    /* s between records; NaN, or at most step: every step */
    int64_t steps;
} tn_time_grid;

/* The grid of these times, all but every finite and > 0, and at most 1e15 steps; otherwise it has 0 steps and no
 * numbers. Below, an index k that is none of the grid's has no number either (NaN, 0). */
TN_API tn_time_grid tn_time_grid_of(double step, double duration, double every);
/* s, the step of a run of so many seconds where nobody says: the model's; where that is what its duration
 * makes it (TN_USUAL_LOOKS) a run that is longer has longer ones. NaN without a model. */
TN_API double tn_usual_step(const tn_model *model, double duration);
/* s between records where nobody says: about a thousand over the run, at least; NaN: every step. */
TN_API double tn_usual_every(double step, double duration);
/* s, the length of step k = 0 .. steps - 1 of a simulation that stands at `time`. */
TN_API double tn_time_grid_step(const tn_time_grid *grid, int64_t k, double time);
/* After how many steps to record next, the last record having been after k: at the first step that
 * ends on or after a multiple of every, and at the end. Records begin at k = 0. */
TN_API int64_t tn_time_grid_next_record(const tn_time_grid *grid, int64_t k);
/* s, the multiple of every for which that is recorded, k its answer: not after the end of step k,
 * and within the step where steps and records have no common measure; at the end the duration. */
TN_API double tn_time_grid_record_time(const tn_time_grid *grid, int64_t k);
/* s, how far that is from `time`, where step k begins, if it is within the step: what is recorded is
 * the state after a step so long, which is then taken back (tn_sim_save), so that records change no
 * bit of a run. 0: the end of the step is recorded. */
TN_API double tn_time_grid_within(const tn_time_grid *grid, int64_t k, double time);

/* The whole state as one block of tn_sim_state_size bytes: what restore needs to go on with the
 * same bits, for simulations of the same model with the same options. Blocks know what they are:
 * TN_ERROR_ARGUMENT: of another model, integrator or version of the library, or no such block, or with
 * drives whose functions this simulation does not have, or has others in their place: functions set while a simulation runs
 * are its own, in the order they were set. Callbacks are taken to be the same. TN_ERROR_INPUT: damaged. The simulation then stays as it was.
 * From inside a callback of its own step there is no state to save: the block gets zeros, which are refused. */
TN_API size_t tn_sim_state_size(const tn_sim *sim);
TN_API void tn_sim_save(const tn_sim *sim, void *block);
TN_API tn_status tn_sim_restore(tn_sim *sim, const void *block);

/* Goes on with a changed description: the spec the simulation's model was compiled from, to which
 * bodies, joints, couplings, markers, loads and measures were added (tn_spec_add_...), or from which
 * some were removed (tn_spec_remove_...). Time, poses, velocities, turns, switches, drives, loads'
 * work, and ids of everything that stays are as they were; the simulation has a model of its own
 * then (tn_sim_model), and what was read from the old one is to be asked for again.
 * Poses of new bodies, and world places of new joints, are those of now; new joints that are open
 * are closed with the least movement, which diags tell, and velocities fit all joints at the next
 * step, by an impulse where the change demands one. Where only markers and measures come or go, the
 * motion keeps every bit, and blocks saved before are of the same model; else they are of another.
 * Recorders made before refuse to go on. Nothing was added or removed: nothing happens.
 * TN_ERROR_ARGUMENT: a spec of another model, with fewer items, other names, types or bodies;
 * otherwise as tn_model_compile and tn_sim_create. On failure the simulation is as it was. */
TN_API tn_status tn_sim_change(tn_sim *sim, const tn_spec *spec, tn_diagnostics *diags);
/* How often that has changed something. */
TN_API int64_t tn_sim_change_count(const tn_sim *sim);

/* One body. The velocity is in world axes at the body's origin. Setting poses or velocities
 * restarts the integrator's memory; joints are not re-assembled. Of a velocity counts what a body
 * of its kind can have. TN_ERROR_ARGUMENT: no such body, or no pose of it: planar bodies turn about
 * z, and have z = 0 in a planar world. TN_ERROR_NOT_FINITE: a number is none, or beyond
 * TN_LARGEST_NUMBER. */
TN_API tn_pose tn_sim_body_pose(const tn_sim *sim, tn_body body);
TN_API tn_twist tn_sim_body_velocity(const tn_sim *sim, tn_body body);
TN_API tn_status tn_sim_set_body_pose(tn_sim *sim, tn_body body, tn_pose pose);
TN_API tn_status tn_sim_set_body_velocity(tn_sim *sim, tn_body body, tn_twist velocity);
TN_API tn_vec3 tn_sim_marker_position(const tn_sim *sim, tn_marker marker); /* m, world */
/* The same with the orientation of its axes in the world. */
TN_API tn_pose tn_sim_marker_pose(const tn_sim *sim, tn_marker marker);

/* Switches of a running simulation: constant cost, no new analysis. Each makes velocities and
 * accelerations consistent again at the next step (an impulse, if the motion demands one).
 * TN_ERROR_ARGUMENT: no such joint or coordinate, or a value that is NaN or out of order. */

/* Limits of a coordinate (rad, m; infinite: none). A coordinate outside is moved to its nearer
 * limit at the next step. */
TN_API tn_status tn_sim_set_range(tn_sim *sim, tn_joint joint, int32_t coordinate, double lower,
                                  double upper);
TN_API tn_status tn_sim_get_range(const tn_sim *sim, tn_joint joint, int32_t coordinate,
                                  double *lower, double *upper);
/* Holds a coordinate at its present value, or lets it go. */
TN_API tn_status tn_sim_set_locked(tn_sim *sim, tn_joint joint, int32_t coordinate, int locked);
TN_API int tn_sim_is_locked(const tn_sim *sim, tn_joint joint, int32_t coordinate);
/* A joint that is switched off does nothing; switched on again, it must be closed
 * (tn_sim_project closes small gaps). */
TN_API tn_status tn_sim_set_enabled(tn_sim *sim, tn_joint joint, int enabled);
TN_API int tn_sim_is_enabled(const tn_sim *sim, tn_joint joint);
/* What breaks a joint: it is switched off where the force or moment it carries, about frame C's
 * origin, exceeds this (N, N m; infinite: it never does). A coupling carries a force alone, its
 * moment stays infinite. One that is loaded beyond it already breaks as the next step begins.
 * TN_ERROR_ARGUMENT also: a threshold that is not positive. */
TN_API tn_status tn_sim_set_break(tn_sim *sim, tn_joint joint, double force, double torque);
TN_API tn_status tn_sim_get_break(const tn_sim *sim, tn_joint joint, double *force, double *torque);

/* Compliance C (m/N or rad/(N m)) and damping D (N s/m or N m s/rad) of a row, bilateral or of a
 * coordinate's lock and limits: its force is -phi/C - D phi', or whatever it takes where C = 0
 * (hard; D is then without effect). A row made hard again is closed by the next step.
 * TN_ERROR_ARGUMENT: no such row, or a value that is negative or not finite. */
TN_API tn_status tn_sim_set_compliance(tn_sim *sim, tn_joint joint, int32_t row, double compliance,
                                       double damping);
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

/* What acts along a coordinate (drive.h), set, changed or (NULL) taken away at constant cost.
 * Definitions are copied; functions are kept until the simulation is destroyed, so what changes
 * often is set as a number. The state grows by a coordinate that had no drive before: ask for
 * tn_sim_state_size again. TN_ERROR_ARGUMENT also: the bodies cannot move along the coordinate. */

/* Prescribed motion q(t), t the simulation's time. A coordinate that is elsewhere is moved there,
 * as into a new range, at the next step. A lock and a limit hold against it. */
TN_API tn_status tn_sim_set_driver(tn_sim *sim, tn_joint joint, int32_t coordinate,
                                   const tn_function_def *position);
/* The same from now on as value + rate t + acceleration t^2 / 2 (rad or m, per s, per s^2). */
TN_API tn_status tn_sim_set_driver_motion(tn_sim *sim, tn_joint joint, int32_t coordinate,
                                          double value, double rate, double acceleration);
TN_API tn_status tn_sim_set_motor(tn_sim *sim, tn_joint joint, int32_t coordinate,
                                  const tn_motor_def *def);
/* Of a motor that is there: its speed or position (rad/s, m/s or rad, m), its cap (N, N m). */
TN_API tn_status tn_sim_set_motor_target(tn_sim *sim, tn_joint joint, int32_t coordinate,
                                         double target);
TN_API tn_status tn_sim_set_motor_cap(tn_sim *sim, tn_joint joint, int32_t coordinate,
                                      double max_force);
TN_API tn_status tn_sim_set_friction(tn_sim *sim, tn_joint joint, int32_t coordinate,
                                     const tn_friction_def *def);
TN_API tn_status tn_sim_set_spring(tn_sim *sim, tn_joint joint, int32_t coordinate,
                                   const tn_spring_def *def);
/* Of a spring that is there (rad, m). */
TN_API tn_status tn_sim_set_spring_rest(tn_sim *sim, tn_joint joint, int32_t coordinate,
                                        double rest);

/* 1: something drives, brakes or springs the coordinate, or did so before. */
TN_API int tn_sim_has_drive(const tn_sim *sim, tn_joint joint, int32_t coordinate);

/* The mass, kg or kg m^2, that the bodies of the joint, free of everything but the joint, oppose to
 * a motion along the coordinate at the present pose. Of a coupling's value, whose terms' masses are
 * m_k: 1 / sum (f_k'^2 / m_k), as if no body were part of two of its joints. NaN: there is no such
 * coordinate. */
TN_API double tn_sim_coordinate_mass(const tn_sim *sim, tn_joint joint, int32_t coordinate);

/* What holds a coordinate now; the rest acts as forces (tn_sim_coordinate_force). */
typedef enum tn_coordinate_holder {
    TN_HELD_BY_NOTHING,
    TN_HELD_BY_SPRING,   /* it gives way */
    TN_HELD_BY_FRICTION, /* it sticks */
    TN_HELD_BY_MOTOR,    /* it has the motor's speed */
    TN_HELD_BY_DRIVER,
    TN_HELD_BY_LOCK,
    TN_HELD_BY_LIMIT
} tn_coordinate_holder;
TN_API tn_coordinate_holder tn_sim_coordinate_holder(const tn_sim *sim, tn_joint joint,
                                                     int32_t coordinate);

/* Is the coordinate at a limit: -1 lower, 1 upper, 0 neither. force (may be NULL): generalised
 * force of the limit on the coordinate, N or N m: positive at a lower limit, negative at an upper
 * one. */
TN_API int tn_sim_at_limit(const tn_sim *sim, tn_joint joint, int32_t coordinate, double *force);

/* What happened during the last step, in order of time. Events are located within the step; joints
 * break there too, but at the end of the step with integrators of first order. A given motion jumps, in its speed, where it is a table
 * or a formula that bends: that is an impulse, which no force has in it (integrators of second order and more). It is not followed
 * while a limit or a lock holds its coordinate elsewhere, which come first: one event each time that this begins. */
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

typedef struct tn_event {
    tn_event_kind kind;
    double time; /* s */
    tn_joint joint;
    int32_t coordinate; /* -1 when the event is the whole joint's */
    int32_t
        side; /* limits: -1 lower, 1 upper; motors and friction: sign of the force; prescribed motions: of the value */
    double
        value; /* speed before the impact, or by which a given motion jumps (m/s, rad/s); lead of one that is not followed (m, rad); load that broke the joint (N, N m) */
} tn_event;

TN_API const char *tn_event_text(tn_event_kind kind);
/* How many there were; more than TN_EVENTS_KEPT are counted but only the first are kept. */
#define TN_EVENTS_KEPT 64
TN_API int32_t tn_sim_event_count(const tn_sim *sim);
TN_API const tn_event *tn_sim_event(const tn_sim *sim, int32_t index);

/* Moves poses and velocities onto the constraints (mass-weighted least change). */
TN_API tn_status tn_sim_project(tn_sim *sim, tn_step_report *report);

/* Bulk access, row-major, in order of the ids. */
TN_API void tn_sim_get_poses(const tn_sim *sim, double *out);      /* [bodies][7]: p, q (w first) */
TN_API void tn_sim_get_velocities(const tn_sim *sim, double *out); /* [bodies][6]: v, w */
TN_API void tn_sim_get_coordinates(const tn_sim *sim,
                                   double *out); /* [joints][TN_MAX_COORDINATES] */
TN_API void tn_sim_get_multipliers(const tn_sim *sim,
                                   double *out); /* [joints][TN_MAX_ROWS] N, N m */

/* One joint: coordinates and their speeds [coordinate_count], multipliers [row_count]. */
TN_API void tn_sim_joint_coordinates(const tn_sim *sim, tn_joint joint, double *q);
TN_API void tn_sim_joint_speeds(const tn_sim *sim, tn_joint joint, double *qdot);
TN_API void tn_sim_joint_multipliers(const tn_sim *sim, tn_joint joint, double *lambda);
/* Frame C of a joint (not of a coupling) in D: its pose, the velocity of its origin and its angular
 * velocity, both seen from D in D's axes. Either may be NULL. */
TN_API void tn_sim_joint_motion(const tn_sim *sim, tn_joint joint, tn_pose *T_CD,
                                tn_twist *velocity);
/* One coupling: its value sum f(q), the value's speed and the force on it (N where the value is a
 * length, N m where it is an angle): positive where it pushes the value up. */
TN_API double tn_sim_coupling_value(const tn_sim *sim, tn_coupling coupling);
TN_API double tn_sim_coupling_speed(const tn_sim *sim, tn_coupling coupling);
TN_API double tn_sim_coupling_force(const tn_sim *sim, tn_coupling coupling);
/* Error of each row, [row_count]: phi = W . (p, angle axis) of T_CG; motion rows 0. m and rad. */
TN_API void tn_sim_joint_error(const tn_sim *sim, tn_joint joint, double *phi);

#ifdef __cplusplus
}
#endif
#endif
