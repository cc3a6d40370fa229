/* simulation.h: how a model is simulated and what is recorded: its sections `simulation` and `record`.
 *
 * Cookies are set by tn_default_simulation_def and tn_default_record_def (spec.h).
 */
#ifndef TENON_SIMULATION_H
#define TENON_SIMULATION_H

#include "tenon/ids.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One line per integrator: enum, name, what it is, its order, whether it controls its errors; the rest of an
 * integrator is in src/method/method.h. Sources: Bruels, Cardona 2010; Dormand, Prince 1980 with Munthe-Kaas
 * 1999; the other two are ArtiSynth's scheme and a variant of it. */
#define TN_INTEGRATOR_LIST(X)                                                                      \
    X(TN_GENERALIZED_ALPHA, generalized_alpha,                                                     \
      "Lie group generalized-alpha, second order, constraints met at position level (default)", 2, \
      0)                                                                                           \
    X(TN_CONSTRAINED_BACKWARD_EULER, constrained_backward_euler,                                   \
      "ArtiSynth's velocity solve (3.18)/(3.22) with one position correction a step", 1, 0)        \
    X(TN_BACKWARD_EULER, backward_euler,                                                           \
      "first order and dissipative, backward compliance: robust at any step", 1, 0)                \
    X(TN_DORMAND_PRINCE, dormand_prince,                                                           \
      "explicit Runge-Kutta 5(4) on the Lie group, error controlled: exact, for what is not "      \
      "stiff",                                                                                     \
      5, 1)                                                                                        \
    X(TN_AUTO, auto,                                                                               \
      "error controlled: dormand_prince, or implicit Runge-Kutta parts (Radau; Kennedy, "          \
      "Carpenter) "                                                                                \
      "where the motion is stiff",                                                                 \
      5, 1)

typedef enum tn_integrator {
#define TN_INTEGRATOR_ENUM(id, name, text, order, controls) id,
    TN_INTEGRATOR_LIST(TN_INTEGRATOR_ENUM)
#undef TN_INTEGRATOR_ENUM
        TN_INTEGRATOR_COUNT
} tn_integrator;

#define TN_DEFAULT_INTEGRATOR TN_GENERALIZED_ALPHA
/* The integrator when an accuracy is requested and no integrator is named. */
#define TN_ACCURATE_INTEGRATOR TN_AUTO

/* The name in model files; NULL for a value that is none of the list. */
TN_API const char *tn_integrator_name(tn_integrator integrator);
/* What it is, in one sentence without a full stop; NULL for a value that is no integrator. */
TN_API const char *tn_integrator_summary(tn_integrator integrator);
/* 1: it divides its steps as its error estimate requires; 0: it does not, or the value is no integrator. */
TN_API int tn_integrator_controls_errors(tn_integrator integrator);
/* Order p: errors are proportional to step^p; 0 for a value that is no integrator. */
TN_API int tn_integrator_order(tn_integrator integrator);
/* The integrator of a name in model files. TN_ERROR_NOT_FOUND: there is none, and *out stays; TN_ERROR_ARGUMENT: a NULL pointer. */
TN_API tn_status tn_integrator_find(const char *name, tn_integrator *out);

/* One line per solver of the steps' linear systems: enum, name, what it is. */
#define TN_SOLVER_LIST(X)                                                                          \
    X(TN_SOLVER_DIRECT, "direct", "sparse LDL^T: exact, linear in the number of joints (default)") \
    X(TN_SOLVER_SEQUENTIAL_IMPULSES, "sequential_impulses",                                        \
      "block Gauss-Seidel, joint by joint: the same work every step, errors that shrink slowly")

typedef enum tn_solver {
#define TN_SOLVER_ENUM(id, name, text) id,
    TN_SOLVER_LIST(TN_SOLVER_ENUM)
#undef TN_SOLVER_ENUM
        TN_SOLVER_COUNT
} tn_solver;

/* The name in model files; NULL for a value that is none of the list. */
TN_API const char *tn_solver_name(tn_solver solver);
/* The solver of a name in model files. TN_ERROR_NOT_FOUND: there is none, and *out stays; TN_ERROR_ARGUMENT: a NULL pointer. */
TN_API tn_status tn_solver_find(const char *name, tn_solver *out);

/* Loops that no pose closes, because a link has the wrong length or a joint the wrong place. */
#define TN_LOOP_POLICY_LIST(X)                                                                     \
    X(TN_LOOPS_REFUSE, "refuse", "an error that names the joints (default)")                       \
    X(TN_LOOPS_LEAST_SQUARES, "least_squares", "they run with the smallest gaps")

typedef enum tn_loop_policy {
#define TN_LOOP_POLICY_ENUM(id, name, text) id,
    TN_LOOP_POLICY_LIST(TN_LOOP_POLICY_ENUM)
#undef TN_LOOP_POLICY_ENUM
        TN_LOOPS_COUNT
} tn_loop_policy;

/* The name in model files; NULL for a value that is none of the list. */
TN_API const char *tn_loop_policy_name(tn_loop_policy policy);

/* When the effects of limits, caps and friction change. */
#define TN_EVENT_TIMING_LIST(X)                                                                    \
    X(TN_EVENTS_LOCATED, "located", "where they are reached within a step (default)")              \
    X(TN_EVENTS_AT_STEPS, "at_steps",                                                              \
      "sequential impulses only: what is reached within a step is so for all of it, as in games; " \
      "the work of a step is bounded")

typedef enum tn_event_timing {
#define TN_EVENT_TIMING_ENUM(id, name, text) id,
    TN_EVENT_TIMING_LIST(TN_EVENT_TIMING_ENUM)
#undef TN_EVENT_TIMING_ENUM
        TN_EVENT_TIMING_COUNT
} tn_event_timing;

/* The name in model files; NULL for a value that is none of the list. */
TN_API const char *tn_event_timing_name(tn_event_timing timing);
/* The event timing of a name in model files. TN_ERROR_NOT_FOUND: there is none, and *out stays; TN_ERROR_ARGUMENT: a NULL pointer. */
TN_API tn_status tn_event_timing_find(const char *name, tn_event_timing *out);

/* Conditions on the rows of joints at the end of a step of generalized_alpha: index 3 (Bruels, Cardona
 * 2010), or the stabilized index-2 form (Arnold, Bruels, Cardona 2015), which also satisfies the velocity
 * constraints, to twice the position tolerance divided by the step. */
#define TN_FORMULATION_LIST(X)                                                                     \
    X(TN_INDEX_3, "index_3",                                                                       \
      "closed joints; speeds satisfy them to second order (default, the cheapest)")                \
    X(TN_STABILIZED_INDEX_2, "stabilized_index_2",                                                 \
      "closed joints and speeds that satisfy them too: smoother reactions, a third less energy "   \
      "error")

typedef enum tn_formulation {
#define TN_FORMULATION_ENUM(id, name, text) id,
    TN_FORMULATION_LIST(TN_FORMULATION_ENUM)
#undef TN_FORMULATION_ENUM
        TN_FORMULATION_COUNT
} tn_formulation;

/* The name in model files; NULL for a value that is none of the list. */
TN_API const char *tn_formulation_name(tn_formulation formulation);
/* The formulation of a name in model files. TN_ERROR_NOT_FOUND: there is none, and *out stays; TN_ERROR_ARGUMENT: a NULL pointer. */
TN_API tn_status tn_formulation_find(const char *name, tn_formulation *out);

/* Range of a requested accuracy, relative: finer ones are lost in rounding; at coarser ones the stages of a step
 * no longer follow the motion within it. */
#define TN_LEAST_ACCURACY 1e-12
#define TN_MOST_ACCURACY  0.1
/* Accuracy of model files that name neither an accuracy nor an integrator nor a step. */
#define TN_USUAL_ACCURACY 1e-6
/* Number of output times of a run with an accuracy whose file names neither a step nor record.every: the step is
 * the duration divided by this. */
#define TN_USUAL_LOOKS 1000

/* How to run: the `simulation` section. */
typedef struct tn_simulation_def {
    uint32_t cookie;
    tn_integrator integrator;
    tn_solver solver;   /* sequential impulses: only with the integrators of first order */
    int32_t iterations; /* of sequential impulses, in the velocity and in the position pass; 20 */
    tn_event_timing events;     /* TN_EVENTS_AT_STEPS: only with sequential impulses */
    tn_loop_policy loops;       /* inconsistent ones */
    tn_formulation formulation; /* of generalized_alpha */
    /* Numerical damping of generalized_alpha at infinite frequency, 0 (all of it in one step) .. 1 (none);
     * 0.8. Near 1 energy is conserved best, and stiff rows oscillate longest. */
    double spectral_radius;
    double position_tolerance; /* m and rad: joint error accepted after a step; 1e-12 */
    /* For reactions, relative: see tn_sim_options; infinite: no requirement. */
    double force_tolerance;
    /* dormand_prince: error allowed per sub-step. For poses (relative_tolerance + absolute_tolerance)
     * times the model's size (m) or 1 rad. For velocities relative_tolerance times that of the fastest
     * body, plus absolute_tolerance times one size, or 1 rad, per second. Defaults 1e-9, 1e-11. With a
     * relative_tolerance of 1 or more steps are not divided. */
    double relative_tolerance, absolute_tolerance;
    /* Requested relative accuracy of the results of a run, TN_LEAST_ACCURACY .. TN_MOST_ACCURACY; only for
     * integrators that control their errors, whose tolerances follow from it. 0: tolerances as set. */
    double accuracy;
    double step;     /* s; with an accuracy the longest step, and the time between output times */
    double duration; /* s */
    tn_location at;
} tn_simulation_def;

/* What to record: the `record` section. One line per choice: enum, bit, word in model files, columns
 * of CSV in space, columns in the plane if different, what they are. The columns of a file follow this
 * order, with the quantities plotted most often first. */
#define TN_RECORD_LIST(X)                                                                          \
    X(TN_RECORD_COORDINATES, 2, "coordinates", "JOINT.COORDINATE BALL.rx ry rz COUPLING.value",    \
      "JOINT.COORDINATE BALL.angle COUPLING.value",                                                \
      "coordinates of a joint, angles with all their turns; how a ball joint is turned, along "    \
      "the axis and as long as the angle; what a coupling adds up to")                             \
    X(TN_RECORD_SPEEDS, 8, "speeds", "JOINT.COORDINATE.speed BALL.wx wy wz",                       \
      "JOINT.COORDINATE.speed BALL.w", "their rates; angular velocity in a ball joint")            \
    X(TN_RECORD_EFFORTS, 9, "efforts", "JOINT.COORDINATE.effort COUPLING.force", "",               \
      "force or moment along a coordinate, on body a: of motor, prescribed motion, lock, limit, "  \
      "spring and friction together; of coordinates that have any of them. Force of a coupling")   \
    X(TN_RECORD_REACTIONS, 4, "reactions", "JOINT.fx fy fz mx my mz", "JOINT.fx fy m",             \
      "force and moment of all that acts in the joint on body a, at the origin of frame C, in "    \
      "its axes")                                                                                  \
    X(TN_RECORD_MEASURES, 7, "measures", "MEASURE MEASURE.x y z MEASURE.fx fy fz mx my mz",        \
      "MEASURE MEASURE.x y MEASURE.fx fy m", "the measures of the model")                          \
    X(TN_RECORD_MARKERS, 5, "markers", "MARKER.x y z", "MARKER.x y", "place in the world")         \
    X(TN_RECORD_ENERGY, 6, "energy", "energy.kinetic potential elastic total work lost", "",       \
      "energies; work done by drives and loads, and what friction, damping and impacts took, "     \
      "since the start: total - work + lost stays what it was")                                    \
    X(TN_RECORD_POSES, 0, "poses", "BODY.px py pz qw qx qy qz", "BODY.x y angle",                  \
      "origin and rotation of a body in the world (unit quaternion, w first; in the plane the "    \
      "angle about z, up to half a turn)")                                                         \
    X(TN_RECORD_VELOCITIES, 1, "velocities", "BODY.vx vy vz wx wy wz", "BODY.vx vy w",             \
      "velocity of a body's origin and angular velocity, world axes")                              \
    X(TN_RECORD_MULTIPLIERS, 3, "multipliers", "JOINT.lambda0 lambda1 ...", "",                    \
      "multipliers of the joint's constraint rows, in their order: tenon joints TYPE")

enum {
#define TN_RECORD_ENUM(name, bit, word, columns, in_plane, meaning) name = 1 << (bit),
    TN_RECORD_LIST(TN_RECORD_ENUM)
#undef TN_RECORD_ENUM
        TN_RECORD_ALL = 1023
};

/* Which rows and columns a recorder writes (record.h). */
typedef struct tn_record_def {
    uint32_t cookie;
    double every;          /* s between records; NaN: every step */
    uint32_t what;         /* TN_RECORD_... */
    int32_t degrees;       /* 1: angles of results are in degrees, as in the model's file */
    const tn_body *bodies; /* [body_count]; body_count -1: all */
    int32_t body_count;
    const tn_joint *joints; /* [joint_count]; -1: all */
    int32_t joint_count;
    const tn_marker *markers; /* [marker_count]; -1: all */
    int32_t marker_count;
    const tn_coupling *couplings; /* [coupling_count]; -1: all */
    int32_t coupling_count;
    tn_location at;
} tn_record_def;

#ifdef __cplusplus
}
#endif
#endif
