/* drive_settings.h: room model: the user's settings for one coordinate, in the library's terms.
 *
 * The same structure is the start in the model and the run-time switch in the state: numbers and
 * indices of functions (tn_system_function), no pointers.
 */
#ifndef TN_MODEL_DRIVE_SETTINGS_H
#define TN_MODEL_DRIVE_SETTINGS_H

#include "math/function/function_list.h"
#include "tenon/drive.h"

typedef enum tn_motor_kind { TN_MOTOR_OFF, TN_MOTOR_SPEED, TN_MOTOR_POSITION } tn_motor_kind;

typedef struct tn_drive_settings {
    /* Prescribed motion: a function of time, or without one the parabola with value, rate and
     * acceleration motion[0 .. 2] at the time motion_time. */
    double motion[3];                     /* rad, m; per s; per s^2 */
    double motion_time, motion_time_rest; /* s, and what rounding left out of it */
    /* The motor's target: a function of time, or without one a number. */
    double motor_target;        /* rad/s, m/s or rad, m */
    double motor_force;         /* N, N m; infinite: no cap */
    double motor_time_constant; /* s */
    double friction;            /* N, N m */
    double friction_share;      /* 1 or m: coefficient times radius */
    double static_friction;     /* N, N m: the same while it sticks */
    double static_share;        /* 1 or m */
    double viscous;             /* N s/m, N m s/rad */
    double stiffness;           /* N/m, N m/rad; unless there is a law */
    double damping;             /* N s/m, N m s/rad */
    double rest;                /* rad, m; unless there is a function */
    double spring_force;        /* N, N m; infinite: no cap */
    int32_t motion_function, motor_function, rest_function, law_function; /* or TN_NO_FUNCTION */
    int8_t driven;                                                        /* prescribed motion */
    int8_t motor;                                                         /* tn_motor_kind */
    int8_t sprung;                                                        /* there is a spring */
} tn_drive_settings;

/* Nothing acts. */
tn_drive_settings tn_no_drive(void);

/* One part of a definition that validation has passed, its functions added to the list; mass (kg,
 * kg m^2) is that of the coordinate: tn_model_motion_mass. */
tn_status tn_settings_take_motion(tn_drive_settings *s, const tn_function_def *motion,
                                  tn_function_list *list);
tn_status tn_settings_take_motor(tn_drive_settings *s, const tn_motor_def *def,
                                 tn_function_list *list);
void tn_settings_take_friction(tn_drive_settings *s, const tn_friction_def *def);
tn_status tn_settings_take_spring(tn_drive_settings *s, const tn_spring_def *def, double mass,
                                  tn_function_list *list);

static inline bool tn_has_friction(const tn_drive_settings *s)
{
    return s->static_friction > 0.0 || s->static_share > 0.0;
}

static inline bool tn_has_motor(const tn_drive_settings *s)
{
    return s->motor != TN_MOTOR_OFF && s->motor_force > 0.0;
}

/* Does anything act at all? */
int tn_settings_act(const tn_drive_settings *s);

#endif
