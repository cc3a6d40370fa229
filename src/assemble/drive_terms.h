/* drive_terms.h: room assemble: the forces along a coordinate that something drives.
 *
 * In: settings and modes of its drives (state.h), the joint's kinematics. Out: phi of a soft row,
 * and the known force beside the row's multiplier. With q the coordinate and q' its speed:
 *     spring     F = law(q - rest) or -k (q - rest), minus d (q' - rest'), clipped to its cap
 *     friction   -slip bound - viscous q',  bound = force + share |f|, f the constraint force;
 *                where it sticks, up to its static bound
 *     motor      side cap, where it is at its cap
 * A soft row (TN_HOLD_SPRING) carries spring and viscous friction implicitly: its multiplier is
 *     lambda = -phi / C - D q',
 * 1 / C and D their tangents, phi such that q' = 0 gives F exactly.
 *
 * Limits: the tangent of a law is taken where the step starts; a law that falls off (negative
 * stiffness) without damping acts as a known force.
 */
#ifndef TN_ASSEMBLE_DRIVE_TERMS_H
#define TN_ASSEMBLE_DRIVE_TERMS_H

#include <math.h>

#include "assemble/system.h"

/* out[3]: value and derivatives of a function of the settings. */
void tn_drive_function(const tn_system *sys, int32_t index, double x, double out[3]);
const tn_function *tn_drive_function_at(const tn_system *sys, int32_t index);
/* Its value alone, to the last digit of two doubles. */
tn_dd tn_drive_function_value(const tn_system *sys, int32_t index, tn_dd x);

/* Force of the spring's law at coordinate q, without damping; *slope (may be NULL) by q. */
double tn_spring_law(const tn_system *sys, const tn_drive *drive, double q, double *slope);

/* The spring's whole force at q and q', not clipped. */
double tn_spring_force(const tn_system *sys, const tn_drive *drive, double q, double speed);

/* phi of a row held by the drive's spring at coordinate q; C is the row's compliance. */
double tn_soft_row_error(const tn_system *sys, const tn_drive *drive, double C, double q);

/* N (N s of impulses): the size of the force of joint j's constraints, of multipliers [TN_MAX_ROWS] of all its rows. */
double tn_constraint_force(const tn_system *sys, const tn_state *state, int32_t j,
                           const double *lambda);

/* Largest force of dry friction at the state's multipliers, N or N m. */
typedef struct tn_friction_bounds {
    double slips, sticks;
} tn_friction_bounds;
tn_friction_bounds tn_friction_bounds_of(const tn_system *sys, const tn_state *state,
                                         const tn_drive *drive);

/* Largest force of the row when a motor or friction holds it, given the bound of friction that
 * sticks; infinite if there is no bound. */
double tn_hold_bound(const tn_state *state, const tn_drive *drive, double sticks);

/* Where the motion row of the drive is in row vectors, -1: it is not active. */
int64_t tn_drive_slot(const tn_system *sys, const tn_state *state, const tn_drive *drive);

/* Coordinates and speeds of an element from kin. */
void tn_drive_motion(const tn_system *sys, const tn_state *state, int32_t j, const double *u,
                     double q[TN_MAX_COORDINATES], double speed[TN_MAX_COORDINATES]);

/* The known force of a drive as it was found last. */
static inline double tn_drive_applied(const tn_drive *drive)
{
    return drive->motor_known + drive->friction_known + drive->spring_known;
}

/* The known forces of a drive at q and q'; of hinges from kin where friction goes by reactions. */
void tn_drive_apply_at(const tn_system *sys, const tn_state *state, tn_drive *drive, double q,
                       double speed);
/* The multiplier that a soft row has at q and q', N or N m; 0: the drive has none. */
double tn_soft_row_force(const tn_system *sys, const tn_state *state, const tn_drive *drive,
                         double q, double speed);
/* Is that all there is: a spring without curve or cap, and dampers? As most drives are, that of robots above all. */
static inline bool tn_drive_is_linear(const tn_state *state, const tn_drive *drive)
{
    const tn_drive_settings *set = &drive->set;
    return state->switches[drive->joint].hold[drive->coordinate] == TN_HOLD_SPRING &&
           set->motor == TN_MOTOR_OFF && !tn_has_friction(set) && drive->spring_side == 0 &&
           (!set->sprung || (set->law_function == TN_NO_FUNCTION && isinf(set->spring_force)));
}
/* N, N m: the law of such a spring; and the multiplier of its row, that of a drive that is linear. */
static inline double tn_drive_linear_law(const tn_drive *drive, double q)
{
    return -drive->set.stiffness * (q - drive->rest);
}
static inline double tn_linear_row_force_at_rest(const tn_drive *drive, double q)
{
    return drive->set.sprung
               ? tn_drive_linear_law(drive, q) - drive->set.damping * (0.0 - drive->rest_rate)
               : 0.0;
}
static inline double tn_linear_row_force(const tn_drive *drive, double q, double speed)
{
    return tn_linear_row_force_at_rest(drive, q) - drive->damping * speed;
}
/* Its known force, none, at speed q'. */
static inline void tn_drive_apply_linear(tn_drive *drive, double speed)
{
    drive->friction_bound = drive->set.friction;
    drive->static_bound = drive->set.static_friction;
    drive->speed = speed;
    drive->motor_known = drive->friction_known = drive->spring_known = 0.0;
}
/* By how much both together fall with q and with q': N/m, N s/m or rotary. */
typedef struct tn_drive_slopes {
    double stiffness, damping;
} tn_drive_slopes;
tn_drive_slopes tn_drive_slopes_at(const tn_system *sys, const tn_state *state,
                                   const tn_drive *drive, double q, double speed);
/* The known forces of all drives of an element, from kin and velocities u. */
void tn_drive_apply(const tn_system *sys, tn_state *state, int32_t j, const double *u);
/* All forces of a drive along its coordinate, of the row's multiplier too, at speed q'. */
typedef struct tn_drive_forces {
    double driver, motor, friction, spring; /* N, N m */
} tn_drive_forces;
tn_drive_forces tn_drive_forces_of(const tn_system *sys, const tn_state *state,
                                   const tn_drive *drive, double speed);
/* The wrench of the known forces of a joint at G's origin, world axes, on A; p is j. */
tn_wrench tn_joint_known_wrench(const tn_system *sys, const tn_state *state, int32_t j, int32_t p);
/* The known forces of all elements, found and added to f. */
void tn_assemble_drive_forces(const tn_system *sys, tn_state *state, const double *u, double *f);
/* f += those of all elements, as they were found last. */
void tn_assemble_applied_forces(const tn_system *sys, const tn_state *state, double *f);

#endif
