/* drive.h: what acts along a coordinate of a joint: prescribed motion, motor, friction, spring;
 * and along the value of a coupling, which is a coordinate like any other (connection.h).
 *
 * At most one of these holds a coordinate at a time, with this priority: lock, limit, prescribed
 * motion, tracking motor or sticking friction, spring. What does not hold it acts as a known force
 * along it: a generalised force Q on coordinate i is the wrench Q W_i on body A and its opposite on
 * body B, W_i the coordinate's motion row. For angles units are rad, rad/s and N m, for lengths m, m/s
 * and N. Optional numbers are unset when NaN.
 */
#ifndef TENON_DRIVE_H
#define TENON_DRIVE_H

#include "tenon/function.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Drives a coordinate with a force of at most max_force. Speed: q' = speed(t). Position: q' =
 * position'(t) + (position(t) - q) / time_constant, so that the error shrinks to 1/e in every
 * time_constant. If this needs more than max_force, the motor applies max_force until the speed is reached
 * again. Give one of the two functions. */
typedef struct tn_motor_def {
    tn_function_def speed;    /* rad/s or m/s of the time in s */
    tn_function_def position; /* rad or m of the time in s */
    double max_force;         /* N or N m, >= 0; NaN or infinite: whatever it takes */
    double time_constant;     /* s, > 0, of a position motor; NaN: TN_MOTOR_TIME_CONSTANT */
} tn_motor_def;

/* A position motor closes 95 % of an error within 0.15 s. */
#define TN_MOTOR_TIME_CONSTANT 0.05

/* Dry friction sticks (q' = 0 exactly) as long as the force needed is within its static bound, else it resists with
 * the kinetic one. The kinetic bound is force + coefficient * radius * |f|, with f the force that the joint's
 * constraints carry (without the moment); for a length, radius is 1. The static bound is the same with
 * static_force and static_coefficient. In an impact, coefficients take their share of the impulse of the joint's
 * constraints, by Coulomb's law during the impact. Friction given as a force takes none, and neither do
 * coefficients along lengths of a joint with round bounds. Viscous friction: -viscous q'. */
typedef struct tn_friction_def {
    double force;              /* N or N m, >= 0; NaN: 0 */
    double coefficient;        /* 1, >= 0; NaN: 0 */
    double radius;             /* m, > 0, of the bearing, for an angle; not allowed for a length */
    double viscous;            /* N s/m or N m s/rad, >= 0; NaN: 0 */
    double static_force;       /* N or N m, >= force; NaN: force */
    double static_coefficient; /* 1, >= coefficient; NaN: coefficient */
} tn_friction_def;

/* A spring along the coordinate: -stiffness (q - rest) - damping (q' - rest'), or force(q - rest)
 * instead of the first term. Frequency and damping ratio refer to the mass of the coordinate at the start,
 * with the bodies of the joint free of everything but the joint (tn_sim_coordinate_mass in sim.h). */
typedef struct tn_spring_def {
    double stiffness;      /* N/m or N m/rad, >= 0; NaN: unset */
    double frequency;      /* Hz, > 0, instead of stiffness; NaN: unset */
    double damping;        /* N s/m or N m s/rad, >= 0; NaN: unset */
    double damping_ratio;  /* 1 is critical, instead of damping; NaN: unset */
    tn_function_def rest;  /* rad or m of the time in s; none: 0 */
    tn_function_def force; /* N or N m on the coordinate, of q - rest: a restoring law falls */
    double max_force;      /* N or N m, > 0, of the whole spring; NaN or infinite: no cap */
} tn_spring_def;

/* What acts along one coordinate; parts without numbers and functions are absent. */
typedef struct tn_drive_def {
    uint32_t cookie;
    int32_t coordinate;       /* of the joint; 0 of a coupling */
    tn_function_def position; /* prescribed motion: rad or m of the time in s */
    tn_motor_def motor;
    tn_friction_def friction;
    tn_spring_def spring;
} tn_drive_def;

/* No motor: no function, everything NaN. */
TN_API tn_motor_def tn_default_motor_def(void);
/* No friction: everything NaN. */
TN_API tn_friction_def tn_default_friction_def(void);
/* No spring: no functions, everything NaN. */
TN_API tn_spring_def tn_default_spring_def(void);
/* Of coordinate 0, nothing acting. */
TN_API tn_drive_def tn_default_drive_def(void);

#ifdef __cplusplus
}
#endif
#endif
