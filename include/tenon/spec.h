/* spec.h: the description of a mechanism: bodies, joints, markers, how to simulate and what to record.
 *
 * Fill a definition struct from its tn_default_..._def() (the cookie catches = {0}), change what
 * you need, add it. Adding copies everything. Nothing is checked here beyond the cookie: compiling
 * (model.h) reports all problems at once. Optional numbers are unset when NaN.
 */
#ifndef TENON_SPEC_H
#define TENON_SPEC_H

#include "tenon/drive.h"
#include "tenon/function.h"
#include "tenon/joint.h"
#include "tenon/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Typed indices i, in order of adding. An index keeps its meaning as long as the spec exists, whatever is added
 * or removed: it is not reused. Ids returned by the library (tn_spec_add_..., tn_model_find_...) also contain
 * `of`, a hash of what they name: its name, its kind or type and the bodies it joins; never 0. An id of
 * something removed, of something that never existed, or of another model with something else at this index
 * causes an error (TN_ERROR_ARGUMENT; calls without a status return no number and write nothing). Models of
 * one build share their ids. of = 0, as in (tn_body){3}: the index alone, without a check. */
typedef struct tn_body {
    int32_t i;
    uint32_t of;
} tn_body;
typedef struct tn_joint {
    int32_t i;
    uint32_t of;
} tn_joint;
typedef struct tn_marker {
    int32_t i;
    uint32_t of;
} tn_marker;
typedef struct tn_coupling {
    int32_t i;
    uint32_t of;
} tn_coupling;
typedef struct tn_load {
    int32_t i;
    uint32_t of;
} tn_load;
/* An elastic solid (tenon/solid.h). */
typedef struct tn_solid {
    int32_t i;
} tn_solid;

/* A coupling as a joint (tn_model_coupling_joint): this and its index, behind any joint. */
#define TN_COUPLING_JOINTS 0x40000000
static inline tn_joint tn_coupling_as_joint(tn_coupling coupling)
{
    tn_joint joint;
    const int is_one = coupling.i >= 0 && coupling.i < TN_COUPLING_JOINTS;
    joint.i = is_one ? TN_COUPLING_JOINTS + coupling.i : -1;
    joint.of = coupling.of;
    return joint;
}

/* The world as body of a joint or marker. */
#define TN_GROUND_INDEX (-1)
static inline tn_body tn_ground(void)
{
    tn_body ground;
    ground.i = TN_GROUND_INDEX;
    ground.of = 0;
    return ground;
}

/* A body kind is a motion subspace. One line per kind: enum, name in model files, dimensions. */
#define TN_BODY_KIND_LIST(X)                                                                       \
    X(TN_BODY_RIGID, "rigid", 6, "six degrees of freedom")                                         \
    X(TN_BODY_FIXED, "fixed", 0, "does not move")                                                  \
    X(TN_BODY_PLANAR, "planar", 3, "moves in x and y and turns about z")                           \
    X(TN_BODY_PARTICLE, "particle", 3, "a point mass that does not turn")                          \
    X(TN_BODY_PLANAR_PARTICLE, "planar_particle", 2,                                               \
      "a point mass in the x-y plane: what a particle of a planar world is")

typedef enum tn_body_kind {
#define TN_BODY_KIND_ENUM(kind, name, dim, text) kind,
    TN_BODY_KIND_LIST(TN_BODY_KIND_ENUM)
#undef TN_BODY_KIND_ENUM
        TN_BODY_KIND_COUNT
} tn_body_kind;

/* Mass comes from `mass` and `inertia` when set, else from the shapes. A mass together with shapes
 * but without inertia scales the shapes' properties to that mass. */
typedef struct tn_body_def {
    uint32_t cookie;
    const char *name; /* NULL: "body<i>" */
    tn_body_kind kind;
    tn_pose pose;               /* body frame in the world at t = 0 */
    tn_twist velocity;          /* world axes, at the body's origin */
    double mass;                /* kg; NaN: from shapes */
    tn_vec3 com;                /* m, body frame; x NaN: from shapes, or the origin */
    tn_mat3 inertia;            /* kg m^2 about com, body axes; m[0][0] NaN: from shapes */
    double density;             /* kg/m^3 for shapes without their own; NaN: unset */
    const tn_shape_def *shapes; /* [shape_count] */
    int32_t shape_count;
    double frame_damping;  /* N s/m, force -d v at the body's origin; NaN: the spec's default */
    double rotary_damping; /* N m s/rad, moment -d w; NaN: the spec's default */
    tn_location at;        /* where it is in the file; file NULL: nowhere */
} tn_body_def;

/* The ways of placing frames C and D (ArtiSynth Modeling Guide 3.3.3). */
typedef enum tn_placement {
    TN_PLACE_WORLD_FRAME,  /* frame_d = T_DW; T_CW = T_DW T_CD(initial coordinates) */
    TN_PLACE_BODY_FRAMES,  /* frame_c = T_CA, frame_d = T_DB */
    TN_PLACE_WORLD_FRAMES, /* frame_c = T_CW, frame_d = T_DW */
    /* World origin and axis: z of D, by the shortest rotation unless x_axis or y_axis turn D about
     * it. Between bodies that stay in the plane an axis in the plane is the direction of sliding: x
     * of D where the type slides along x only (slotted_hinge), else z; the third axis of D is then
     * that of the plane. */
    TN_PLACE_AXIS,
    TN_PLACE_ORIGIN /* world origin, world-aligned */
} tn_placement;

/* How the axes of a joint's frame are shown. One line per style: enum, name in model files. */
#define TN_FRAME_STYLE_LIST(X)                                                                     \
    X(TN_FRAME_AUTO, "auto")                                                                       \
    X(TN_FRAME_NONE, "none")                                                                       \
    X(TN_FRAME_LINE, "line")                                                                       \
    X(TN_FRAME_ARROW, "arrow")

typedef enum tn_frame_style {
#define TN_FRAME_STYLE_ENUM(style, name) style,
    TN_FRAME_STYLE_LIST(TN_FRAME_STYLE_ENUM)
#undef TN_FRAME_STYLE_ENUM
        TN_FRAME_STYLE_COUNT
} tn_frame_style;

TN_API const char *tn_frame_style_name(tn_frame_style style);

/* How a joint is drawn (draw.h; ArtiSynth Modeling Guide 3.3.10); no effect on the motion. A size that
 * is NaN is chosen by the call that draws; with 0 the part is left out. */
typedef struct tn_joint_look {
    double axis_length;  /* m, of the axes of frames C and D */
    double shaft_length; /* m, of shafts and rails */
    double shaft_radius; /* m; NaN or 0: a share of the shaft's length */
    double joint_radius; /* m, of balls */
    double slot_width;   /* m */
    double plane_size;   /* m, edge of the square that represents a plane */
    tn_vec3 color;       /* red, green, blue in 0 .. 1; x NaN: by type */
    tn_frame_style draw_frame_c, draw_frame_d;
} tn_joint_look;

/* The rows to which the values of a joint's list belong. */
typedef enum tn_rows_meant {
    TN_ROWS_OF_TYPE, /* those of the type, one after the other */
    TN_ROWS_ALIKE, /* likewise, from one number for all constraint rows (tn_joint_row_holds); rows that
                         the joint does not have between its bodies are ignored */
    TN_ROWS_OF_PLANE, /* the first three values, between planar bodies: the rows that exist, constraints
                         first; fx, fy, mz of a weld; otherwise as TN_ROWS_OF_TYPE */
} tn_rows_meant;

typedef struct tn_joint_def {
    uint32_t cookie;
    const char *name;                     /* NULL: "joint<i>" */
    const char *type;                     /* registry name or alias */
    tn_body a, b;                         /* b may be ground; a may not */
    double parameters[TN_MAX_PARAMETERS]; /* NaN: the type's default */
    const tn_joint_data *data;            /* of types that need some, else NULL */
    tn_placement placement;
    tn_pose frame_c, frame_d;
    tn_vec3 origin, axis; /* m, world */
    /* With TN_PLACE_AXIS: where x or y of D points, world, any length; x NaN: unset; at most one.
     * y_axis is the pitch axis of a universal joint, x_axis the slot of a slotted hinge. Perpendicular to
     * axis, except the y_axis of a skewed universal joint without parameter: its angle gives the skew. */
    tn_vec3 x_axis, y_axis;
    /* Coordinates that define T_CD when the joint is attached (rad, m; NaN: zero). Must be unset with
     * TN_PLACE_BODY_FRAMES and TN_PLACE_WORLD_FRAMES, where T_CD follows from the frames. */
    double initial[TN_MAX_COORDINATES];
    /* Coordinates set after all joints are attached: bodies move (3.3.4). NaN: leave. */
    double set[TN_MAX_COORDINATES];
    /* Initial speeds of the coordinates (rad/s, m/s; NaN: leave), joints satisfied, set as by
     * tn_sim_set_coordinate_speeds after the bodies' own velocities. */
    double speed[TN_MAX_COORDINATES];
    /* For ball joints, whose coordinates do not describe every rotation: initial angular velocity of C
     * relative to D (rad/s, axes of D; x NaN: leave), set likewise. */
    tn_vec3 angular_velocity;
    /* Compliance (m/N or rad/(N m)) and damping (N s/m or N m s/rad) per row; NaN: hard. */
    double compliance[TN_MAX_ROWS];
    double damping[TN_MAX_ROWS];
    /* Other forms of the same. frequency (Hz) instead of compliance: that of the undamped oscillation of
     * the row's effective mass (tn_sim_row_mass) at the start. damping_ratio instead of damping: 1 is
     * critical, and the default for a row with a frequency. A stiffness k is the compliance 1/k.
     * NaN: unset. */
    double frequency[TN_MAX_ROWS];
    double damping_ratio[TN_MAX_ROWS];
    /* tn_rows_meant of each list. Between planar bodies a value for a row that does not exist is an error. */
    int32_t compliance_rows, damping_rows, frequency_rows, damping_ratio_rows;
    /* For all linear (rotary) constraint rows (tn_joint_row_holds): compliance, with critical damping of the row's
     * effective mass. NaN: unset. A per-row value has priority. */
    double linear_compliance;
    double rotary_compliance;
    double linear_frequency, rotary_frequency;         /* Hz, instead; NaN: unset */
    double linear_damping_ratio, rotary_damping_ratio; /* NaN: 1 */
    /* For redundant joints that may share a load in many ways: factor by which this joint counts as more
     * compliant than its bodies' inertia makes it, 1e-3 .. 1e3; NaN: 1. Of two equal hinges one with 10
     * takes an eleventh of the load. No effect on the motion. */
    double relative_compliance;
    /* Range of each coordinate (rad, m); infinite: the type's own, for most types none. */
    double lower[TN_MAX_COORDINATES];
    double upper[TN_MAX_COORDINATES];
    double restitution[TN_MAX_COORDINATES]; /* of both limits, 0 .. 1; NaN: 0 */
    /* Armature: inertia a along each coordinate, with the energy a q'^2 / 2, without weight or gyroscopic
     * moment (kg m^2 for angles, kg for lengths). A rotor of inertia J behind a gear of ratio n is J n^2. NaN: 0. */
    double armature[TN_MAX_COORDINATES];
    int32_t locked[TN_MAX_COORDINATES]; /* 1: held at its initial value */
    const tn_drive_def *drives;         /* [drive_count], at most one for each coordinate */
    int32_t drive_count;
    /* 1: along the joint's lengths, dry friction and the caps of motors and springs bound the force as a
     * vector: they are the half axes of an ellipse (with equal values a disc or ball). The lengths then have
     * friction, motors with caps or motors without, not two of these, and no prescribed motions. A length
     * that is locked or at its limit leaves the vector: its motor has its full cap.
     */
    int32_t round;
    /* N, and N m about frame C's origin. The joint breaks when its load (constraints, drives and springs together)
     * exceeds this. Impacts have an impulse and no force: they break nothing. NaN: never. */
    double break_force, break_torque;
    int32_t disabled; /* 1: the joint starts switched off */
    tn_joint_look look;
    tn_location at;
} tn_joint_def;

/* One coordinate's part of a coupling: ratio times the coordinate, or ratio times a function of it.
 */
typedef struct tn_coupling_term {
    tn_joint joint;
    int32_t coordinate;
    double ratio;             /* NaN: 1; in the unit of the coupling's value over that of f */
    tn_function_def function; /* f(q), twice differentiable; none: q itself */
} tn_coupling_term;

/* What the value of a coupling may be. One line per hold: enum, name in model files, meaning. */
#define TN_COUPLING_HOLD_LIST(X)                                                                   \
    X(TN_COUPLING_HELD, "held", "kept at its value: gears, belts, racks, taut pulleys")            \
    X(TN_COUPLING_AT_MOST, "at_most", "the value or less: ropes and pulleys that may go slack")    \
    X(TN_COUPLING_AT_LEAST, "at_least", "the value or more: stops between two motions")            \
    X(TN_COUPLING_IN_RANGE, "in_range", "between lower and upper; without them only measured")

typedef enum tn_coupling_hold {
#define TN_COUPLING_HOLD_ENUM(hold, name, text) hold,
    TN_COUPLING_HOLD_LIST(TN_COUPLING_HOLD_ENUM)
#undef TN_COUPLING_HOLD_ENUM
        TN_COUPLING_HOLD_COUNT
} tn_coupling_hold;

TN_API const char *tn_coupling_hold_name(tn_coupling_hold hold);

/* A relation between coordinates of joints. The sum of its terms,
 *     c = ratio_1 f_1(q_1) + ratio_2 f_2(q_2) + ...,
 * is a coordinate like those of joints, in the unit of the first term (rad if its coordinate is an
 * angle and its ratio a number). It is held, limited or compliant. Its force lambda acts on every coordinate
 * as Q_k = lambda dc/dq_k, on both bodies of its joint, so power is conserved. A gear with q_b = r q_a
 * is the coupling q_b - r q_a = const; a pulley l_a + r l_b = const. While one of its joints is switched
 * off, a coupling does nothing. */
typedef struct tn_coupling_def {
    uint32_t cookie;
    const char *name;              /* NULL: "coupling<i>"; unlike that of any joint */
    const tn_coupling_term *terms; /* [term_count] */
    int32_t term_count;
    tn_coupling_hold hold;
    double value; /* the value at which it is held, or its bound; NaN: its value at the start */
    double lower, upper; /* of TN_COUPLING_IN_RANGE; infinite: none */
    double restitution;  /* at its bounds, 0 .. 1; NaN: 0 */
    double compliance;   /* unit of the value per unit of its force; NaN: hard */
    double damping;      /* force per speed of the value; only with compliance; NaN: 0 */
    double break_force;  /* it breaks when its force exceeds this; NaN: never */
    /* What acts along the value, as along a coordinate of a joint: prescribed motion, motor,
     * friction, spring; its coordinate is 0. A coupling that is TN_COUPLING_HELD has no drive. No constraint
     * force belongs to a value: friction has no coefficient and no radius. The mass for a spring's
     * frequency is tn_sim_coordinate_mass. */
    tn_drive_def drive;
    int32_t
        ring; /* 1: two angles that turn the same way are drawn as a wheel in a ring with teeth; 0: as a belt, unless
                       * a cylinder on one of the axes has the radius of such a wheel */
    int32_t disabled; /* 1: it starts switched off */
    tn_location at;
} tn_coupling_def;

/* A rope from body a over pulleys to body b. The points where it leaves the pulleys are fixed to one body,
 * for example the ground. length of side a + ratio * length of side b stays what it is at the start, or with
 * slack at most that. Ratio 2: side b is a tackle of two falls, and the force on b is twice that on a. */
typedef struct tn_pulley_def {
    uint32_t cookie;
    const char *name;           /* NULL: "coupling<i>" */
    tn_body a, b;               /* at the ends of the rope */
    tn_vec3 end_a, end_b;       /* m, world at the start, points of them */
    tn_body on;                 /* the body that carries the pulleys */
    tn_vec3 pulley_a, pulley_b; /* m, world at the start, points of it */
    double ratio;               /* NaN: 1 */
    int32_t slack;
    tn_location at;
} tn_pulley_def;

/* A named point of a body (or of the world), to record or to move to a place. Its axes, for example of a tool or a
 * camera, can be recorded or moved to an orientation. */
typedef struct tn_marker_def {
    uint32_t cookie;
    const char *name; /* NULL: "marker<i>" */
    tn_body body;
    tn_vec3 position; /* m, body frame */
    tn_quat rotation; /* of the marker's axes in the body frame; unit */
    tn_location at;
} tn_marker_def;

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

TN_API const char *tn_integrator_name(tn_integrator integrator);
TN_API const char *tn_integrator_summary(tn_integrator integrator);
/* 1 if it divides its steps as its error estimate requires. */
TN_API int tn_integrator_controls_errors(tn_integrator integrator);
/* Order p: errors are proportional to step^p; 0 for a value that is no integrator. */
TN_API int tn_integrator_order(tn_integrator integrator);
TN_API tn_status tn_integrator_find(const char *name, tn_integrator *out);
TN_API const char *tn_body_kind_name(tn_body_kind kind);
TN_API tn_status tn_body_kind_find(const char *name, tn_body_kind *out);

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

TN_API const char *tn_solver_name(tn_solver solver);
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

TN_API const char *tn_event_timing_name(tn_event_timing timing);
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

TN_API const char *tn_formulation_name(tn_formulation formulation);
TN_API tn_status tn_formulation_find(const char *name, tn_formulation *out);

/* Range of a requested accuracy: the finest that double precision leaves room for, and the coarsest
 * at which stages of a step still resemble its motion. */
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

/* The kind of world of a model file. One line per kind: enum, name in model files, what it is. */
#define TN_WORLD_KIND_LIST(X)                                                                      \
    X(TN_WORLD_SPATIAL, "spatial", "bodies are rigid unless they say otherwise")                   \
    X(TN_WORLD_PLANAR, "planar",                                                                   \
      "bodies move in the x-y plane unless they say otherwise; two numbers make a vector")

typedef enum tn_world_kind {
#define TN_WORLD_KIND_ENUM(kind, name, text) kind,
    TN_WORLD_KIND_LIST(TN_WORLD_KIND_ENUM)
#undef TN_WORLD_KIND_ENUM
        TN_WORLD_KIND_COUNT
} tn_world_kind;

TN_API const char *tn_world_kind_name(tn_world_kind kind);

/* What is up in pictures. One line per kind: enum, name in model files. */
#define TN_UP_LIST(X)                                                                              \
    X(TN_UP_FROM_GRAVITY, "from_gravity")                                                          \
    X(TN_UP_X, "x")                                                                                \
    X(TN_UP_Y, "y")                                                                                \
    X(TN_UP_Z, "z")

typedef enum tn_up {
#define TN_UP_ENUM(up, name) up,
    TN_UP_LIST(TN_UP_ENUM)
#undef TN_UP_ENUM
        TN_UP_COUNT
} tn_up;

TN_API const char *tn_up_name(tn_up up);

/* Properties of the whole world. In a planar world everything about planar bodies must lie in the plane;
 * bodies of other kinds may take part. In calls, each body has its kind given in either world. */
typedef struct tn_world_def {
    uint32_t cookie;
    tn_world_kind kind;
    const char *name;      /* title of the model; may be NULL */
    tn_vec3 gravity;       /* m/s^2 */
    double frame_damping;  /* N s/m, default of all bodies */
    double rotary_damping; /* N m s/rad, default of all bodies */
    tn_up up;              /* drawing */
    tn_location at;
} tn_world_def;

TN_API tn_body_def tn_default_body_def(void);
TN_API tn_joint_def tn_default_joint_def(void);
TN_API tn_marker_def tn_default_marker_def(void);
TN_API tn_coupling_def tn_default_coupling_def(void);     /* held, without terms */
TN_API tn_pulley_def tn_default_pulley_def(void);         /* on the ground, taut, ratio 1 */
TN_API tn_simulation_def tn_default_simulation_def(void); /* generalized_alpha, 1e-3 s, 1 s */
TN_API tn_record_def tn_default_record_def(void);         /* everything, every step */
TN_API tn_world_def tn_default_world_def(void); /* spatial, gravity (0, 0, -9.81), no damping */
/* A planar world's gravity is (0, -9.81, 0). */
TN_API tn_world_def tn_default_world_of(tn_world_kind kind);

/* The maps of tn_joint_coordinates_to_pose and tn_joint_pose_to_coordinates for any type, without attaching the
 * joint. Only type, parameters and data of def are used. TN_ERROR_INPUT: the type is unknown or its data
 * are unusable; TN_ERROR_MEMORY. */
TN_API tn_status tn_joint_def_coordinates_to_pose(const tn_joint_def *def, const double *q,
                                                  tn_pose *t_cd);
TN_API tn_status tn_joint_def_pose_to_coordinates(const tn_joint_def *def, tn_pose t_cd,
                                                  const double *reference, double *q,
                                                  tn_pose *t_gd);

typedef struct tn_spec tn_spec;

/* NULL when out of memory. */
TN_API tn_spec *tn_spec_create(void);
TN_API void tn_spec_destroy(tn_spec *spec);

/* Each copies its definition. TN_ERROR_ARGUMENT: cookie missing; TN_ERROR_MEMORY: nothing added.
 * The id pointers may be NULL. */
TN_API tn_status tn_spec_set_world(tn_spec *spec, const tn_world_def *def);
TN_API tn_status tn_spec_set_simulation(tn_spec *spec, const tn_simulation_def *def);
TN_API tn_status tn_spec_set_record(tn_spec *spec, const tn_record_def *def);
TN_API tn_status tn_spec_add_body(tn_spec *spec, const tn_body_def *def, tn_body *out);
TN_API tn_status tn_spec_add_joint(tn_spec *spec, const tn_joint_def *def, tn_joint *out);
TN_API tn_status tn_spec_add_marker(tn_spec *spec, const tn_marker_def *def, tn_marker *out);
TN_API tn_status tn_spec_add_coupling(tn_spec *spec, const tn_coupling_def *def, tn_coupling *out);
/* Two joints of type distance, "<name>_a" and "<name>_b", and the coupling of their lengths. */
TN_API tn_status tn_spec_add_pulley(tn_spec *spec, const tn_pulley_def *def, tn_coupling *out);

/* Removes an item with all that depends on it: of a body its joints, markers and loads; of a joint the couplings,
 * loads and measures along it; of a load its measures. Other items keep their ids: a removed item keeps its index
 * but does nothing, and its name, then "(removed joint 3)", is free for others. A load on several bodies stays
 * on the remaining ones. Formulas that name a removed item are reported as errors when the spec is compiled.
 * TN_ERROR_NOT_FOUND: it was removed before. TN_ERROR_CONFLICT: it is a node or a hold of an elastic solid.
 * TN_ERROR_MEMORY: nothing is removed. For a running simulation: tn_sim_change. */
TN_API tn_status tn_spec_remove_body(tn_spec *spec, tn_body body);
TN_API tn_status tn_spec_remove_joint(tn_spec *spec, tn_joint joint);
TN_API tn_status tn_spec_remove_coupling(tn_spec *spec, tn_coupling coupling);

/* Reads the description. Pointers are the spec's own copies: valid until it changes or is destroyed. */
TN_API const tn_world_def *tn_spec_world(const tn_spec *spec);
TN_API const tn_simulation_def *tn_spec_simulation(const tn_spec *spec);
TN_API const tn_record_def *tn_spec_record(const tn_spec *spec);
TN_API int32_t tn_spec_body_count(const tn_spec *spec);
TN_API int32_t tn_spec_joint_count(const tn_spec *spec);
TN_API int32_t tn_spec_marker_count(const tn_spec *spec);
TN_API int32_t tn_spec_coupling_count(const tn_spec *spec);
TN_API const tn_body_def *tn_spec_body(const tn_spec *spec, tn_body body);
TN_API const tn_joint_def *tn_spec_joint(const tn_spec *spec, tn_joint joint);
TN_API const tn_marker_def *tn_spec_marker(const tn_spec *spec, tn_marker marker);
TN_API const tn_coupling_def *tn_spec_coupling(const tn_spec *spec, tn_coupling coupling);

#ifdef __cplusplus
}
#endif
#endif
