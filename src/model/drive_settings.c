/* drive_settings.c: room model: from the definitions of drive.h to settings. */
#include <math.h>
#include <string.h>

#include "model/drive_settings.h"
#include "math/m3.h"

tn_drive_settings tn_no_drive(void)
{
    tn_drive_settings s;
    memset(&s, 0, sizeof s); /* padding too: states are compared bit by bit */
    s.motion_function = s.motor_function = TN_NO_FUNCTION;
    s.rest_function = s.law_function = TN_NO_FUNCTION;
    s.motor_force = s.spring_force = INFINITY;
    s.motor_time_constant = TN_MOTOR_TIME_CONSTANT;
    return s;
}

static double or_else(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

/* A function, or the number it always is. */
static tn_status take_function(const tn_function_def *def, tn_function_list *list, int32_t *index,
                               double *number)
{
    if (def->kind == TN_FUNCTION_CONSTANT) {
        *index = TN_NO_FUNCTION;
        *number = def->numbers[0];
        return TN_OK;
    }
    *number = 0.0;
    return tn_function_list_add(list, def, index);
}

tn_status tn_settings_take_motion(tn_drive_settings *s, const tn_function_def *motion,
                                  tn_function_list *list)
{
    s->motion[1] = s->motion[2] = s->motion_time = s->motion_time_rest = 0.0;
    s->driven = motion->kind != TN_FUNCTION_NONE;
    return take_function(motion, list, &s->motion_function, &s->motion[0]);
}

tn_status tn_settings_take_motor(tn_drive_settings *s, const tn_motor_def *def,
                                 tn_function_list *list)
{
    const int speed = def->speed.kind != TN_FUNCTION_NONE;
    const int position = def->position.kind != TN_FUNCTION_NONE;
    s->motor = (int8_t)(speed ? TN_MOTOR_SPEED : position ? TN_MOTOR_POSITION : TN_MOTOR_OFF);
    s->motor_force = or_else(def->max_force, INFINITY);
    s->motor_time_constant = or_else(def->time_constant, TN_MOTOR_TIME_CONSTANT);
    return take_function(speed ? &def->speed : &def->position, list, &s->motor_function,
                         &s->motor_target);
}

void tn_settings_take_friction(tn_drive_settings *s, const tn_friction_def *def)
{
    const double radius = or_else(def->radius, 1.0);
    s->friction = or_else(def->force, 0.0);
    s->friction_share = or_else(def->coefficient, 0.0) * radius;
    s->static_friction = or_else(def->static_force, s->friction);
    s->static_share = or_else(def->static_coefficient * radius, s->friction_share);
    s->viscous = or_else(def->viscous, 0.0);
}

tn_status tn_settings_take_spring(tn_drive_settings *s, const tn_spring_def *def, double mass,
                                  tn_function_list *list)
{
    const double rate = 2.0 * TN_PI * def->frequency; /* rad/s; NaN when unset */
    s->stiffness = or_else(def->stiffness, isnan(rate) ? 0.0 : mass * rate * rate);
    const double critical = 2.0 * sqrt(s->stiffness * mass);
    s->damping = or_else(def->damping, or_else(def->damping_ratio, 0.0) * critical);
    s->spring_force = or_else(def->max_force, INFINITY);
    s->sprung = s->stiffness > 0.0 || s->damping > 0.0 || def->force.kind != TN_FUNCTION_NONE;
    tn_status status = take_function(&def->rest, list, &s->rest_function, &s->rest);
    if (status == TN_OK)
        status = tn_function_list_add(list, &def->force, &s->law_function);
    return status;
}

int tn_settings_act(const tn_drive_settings *s)
{
    return s->driven || s->motor != TN_MOTOR_OFF || s->sprung || tn_has_friction(s) ||
           s->viscous > 0.0;
}
