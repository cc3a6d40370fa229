/* connection.h: what holds bodies together: joints, couplings of their coordinates, ropes over pulleys.
 *
 * Optional numbers are unset when NaN; cookies are set by tn_default_joint_def, ... (spec.h).
 */
#ifndef TENON_CONNECTION_H
#define TENON_CONNECTION_H

#include "tenon/drive.h"
#include "tenon/function.h"
#include "tenon/ids.h"
#include "tenon/joint.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* The name in model files; NULL for a value that is none of the list. */
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

/* A joint between two bodies, or a body and the ground: type, place, initial coordinates, and what acts in it. */
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

/* The name in model files; NULL for a value that is none of the list. */
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

#ifdef __cplusplus
}
#endif
#endif
