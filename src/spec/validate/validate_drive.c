/* validate_drive.c: can a joint or coupling have this drive, friction and spring?
 *
 * Room spec/validate. In: the drives of one of them. Out: complaints. The keys are those of model files:
 * drive, motor, friction, spring, each with the coordinate of a joint.
 */
#include <math.h>
#include <stdio.h>

#include "math/function/function.h"
#include "spec/validate/check.h"

#define LABEL_SIZE 96

/* One coordinate of the joint or coupling being checked. */
typedef struct drive_check {
    tn_check *check;
    const tn_drive_def *def;
    const tn_coordinate_info *coordinate;
    int32_t sub; /* where its keys are: by coordinate, or TN_WHOLE_FIELD of a coupling */
} drive_check;

static bool check_function(const drive_check *c, const char *key, const tn_function_def *def,
                           const char *what, char variable)
{
    char text[TN_FUNCTION_TEXT];
    const char *problem = tn_function_explain(def, variable, text);
    if (problem != NULL) {
        tn_complain(c->check, key, c->sub, NULL, "%s of %s %s", what, c->coordinate->name, problem);
    }
    return problem == NULL;
}

/* Of what nothing can follow that is elsewhere at once: of the time from 0 on, or of the way. */
static void check_continuous(const drive_check *c, const char *key, const tn_function_def *def,
                             const char *what, char variable)
{
    const bool of_time = variable == 't';
    const double at = check_function(c, key, def, what, variable)
                          ? tn_function_jump(def, of_time ? 0.0 : (double)-INFINITY)
                          : (double)NAN;
    if (!isnan(at)) {
        tn_complain(c->check, key, c->sub,
                    of_time ? "let it take some time" : "let it take some way",
                    "%s of %s jumps at %c = %.9g", what, c->coordinate->name, variable, at);
    }
}

/* NaN is unset. Infinite is allowed where it means "no cap". */
static void check_number(const drive_check *c, const char *key, double value, const char *what,
                         int positive, int may_be_infinite)
{
    if (isnan(value) || (may_be_infinite && value == (double)INFINITY)) {
        return;
    }
    char label[LABEL_SIZE];
    snprintf(label, sizeof(label), "%s of %s", what, c->coordinate->name);
    if (positive) {
        tn_check_positive(c->check, key, c->sub, value, label);
    } else {
        tn_check_not_negative(c->check, key, c->sub, value, label);
    }
}

static bool is_given(const tn_function_def *def)
{
    return def->kind != TN_FUNCTION_NONE;
}

static bool has_motor(const tn_motor_def *motor)
{
    return is_given(&motor->speed) || is_given(&motor->position);
}

static void check_driver(const drive_check *c)
{
    check_continuous(c, "drive", &c->def->position, "position", 't');
    if (is_given(&c->def->position) && has_motor(&c->def->motor)) {
        tn_complain(c->check, "drive", c->sub, "give only one of the two",
                    "%s has both a prescribed motion and a motor", c->coordinate->name);
    }
}

static void check_motor(const drive_check *c)
{
    const tn_motor_def *motor = &c->def->motor;
    check_function(c, "motor", &motor->speed, "motor speed", 't');
    check_function(c, "motor", &motor->position, "motor position", 't');
    check_number(c, "motor", motor->max_force, "motor max_force", 0, 1);
    check_number(c, "motor", motor->time_constant, "motor time_constant", 1, 0);
    if (is_given(&motor->speed) && is_given(&motor->position)) {
        tn_complain(c->check, "motor", c->sub, "give only one of the two",
                    "the motor of %s has both a speed and a position", c->coordinate->name);
    }
    if (!has_motor(motor) && !(isnan(motor->max_force) && isnan(motor->time_constant))) {
        tn_complain(c->check, "motor", c->sub, "speed: ... or position: ...",
                    "the motor of %s has neither a speed nor a position", c->coordinate->name);
    }
}

static void check_lock(const drive_check *c, const tn_joint_def *def)
{
    if (is_given(&c->def->position) && def->locked[c->sub] != 0) {
        tn_complain(c->check, "drive", c->sub, "give only one of the two",
                    "%s is both driven and locked", c->coordinate->name);
    }
}

static bool has_dry_friction(const tn_friction_def *f)
{
    return f->force > 0.0 || f->coefficient > 0.0 || f->static_force > 0.0 ||
           f->static_coefficient > 0.0;
}

static bool has_cap(const tn_motor_def *motor)
{
    return !isnan(motor->max_force) && !isinf(motor->max_force);
}

/* Another motor of a length says otherwise, or friction has the bound. */
static bool is_at_odds(const drive_check *c, const tn_joint_def *def,
                       const tn_joint_type_info *info)
{
    for (int32_t k = 0; k < def->drive_count; k++) {
        const tn_drive_def *other = &def->drives[k];
        const int counts = other->coordinate >= 0 && other->coordinate < info->coordinate_count &&
                           !info->coordinates[other->coordinate].angular;
        if (counts &&
            (has_dry_friction(&other->friction) ||
             (has_motor(&other->motor) && has_cap(&other->motor) != has_cap(&c->def->motor)))) {
            return true;
        }
    }
    return false;
}

/* A prescribed motion of a length would have to share its bound with the others. A round bound is
 * that of motors or of friction. */
static void check_round(const drive_check *c, const tn_joint_def *def,
                        const tn_joint_type_info *info)
{
    if (!def->round || c->coordinate->angular) {
        return;
    }
    if (is_given(&c->def->position)) {
        tn_complain(c->check, "drive", c->sub, "round: false, or a motor",
                    "%s has a prescribed motion, but the joint's bounds are round",
                    c->coordinate->name);
    }
    if (has_motor(&c->def->motor) && is_at_odds(c, def, info)) {
        tn_complain(c->check, "motor", c->sub,
                    "friction on a second joint of the two bodies; max_force for all or none",
                    "the joint's bounds are round: beside the motor of %s its lengths have no "
                    "friction, and either all of their motors have a max_force or none has",
                    c->coordinate->name);
    }
}

/* Friction that sticks holds no less than friction that slips. */
static void check_static(const drive_check *c, double sticks, double slips, const char *name)
{
    const double least = isnan(slips) ? 0.0 : slips;
    if (sticks < least) {
        tn_complain(c->check, "friction", c->sub, "what sticks holds at least what slips takes",
                    "friction static_%s of %s is less than its %s: %g < %g", name,
                    c->coordinate->name, name, sticks, least);
    }
}

static void check_friction(const drive_check *c)
{
    const tn_friction_def *friction = &c->def->friction;
    check_number(c, "friction", friction->force, "friction force", 0, 0);
    check_number(c, "friction", friction->coefficient, "friction coefficient", 0, 0);
    check_number(c, "friction", friction->radius, "friction radius", 1, 0);
    check_number(c, "friction", friction->viscous, "viscous friction", 0, 0);
    check_number(c, "friction", friction->static_force, "friction static_force", 0, 0);
    check_number(c, "friction", friction->static_coefficient, "friction static_coefficient", 0, 0);
    check_static(c, friction->static_force, friction->force, "force");
    check_static(c, friction->static_coefficient, friction->coefficient, "coefficient");
}

/* The bearing makes a moment of the force; a length has none. */
static void check_bearing(const drive_check *c)
{
    const tn_friction_def *friction = &c->def->friction;
    const int proportional = friction->coefficient > 0.0 || friction->static_coefficient > 0.0;
    if (proportional && c->coordinate->angular && isnan(friction->radius)) {
        tn_complain(c->check, "friction", c->sub,
                    "radius: of the bearing, which makes a moment of the force",
                    "the friction coefficient of the angle %s needs a radius", c->coordinate->name);
    }
    if (!c->coordinate->angular && !isnan(friction->radius)) {
        tn_complain(c->check, "friction", c->sub, NULL,
                    "%s is a length: its friction has no radius", c->coordinate->name);
    }
}

/* At most one of two ways to say the same. */
static void check_either(const drive_check *c, double a, double b, const char *names)
{
    if (!isnan(a) && !isnan(b)) {
        tn_complain(c->check, "spring", c->sub, NULL, "the spring of %s has both %s: give only one",
                    c->coordinate->name, names);
    }
}

static void check_spring(const drive_check *c)
{
    const tn_spring_def *spring = &c->def->spring;
    const int law = is_given(&spring->force);
    const int linear = !isnan(spring->stiffness) || !isnan(spring->frequency);
    check_number(c, "spring", spring->stiffness, "spring stiffness", 0, 0);
    check_number(c, "spring", spring->frequency, "spring frequency", 1, 0);
    check_number(c, "spring", spring->damping, "spring damping", 0, 0);
    check_number(c, "spring", spring->damping_ratio, "spring damping_ratio", 0, 0);
    check_number(c, "spring", spring->max_force, "spring max_force", 1, 1);
    check_continuous(c, "spring", &spring->rest, "spring rest", 't');
    check_continuous(c, "spring", &spring->force, "spring force", 'x');
    check_either(c, spring->stiffness, spring->frequency, "stiffness and frequency");
    check_either(c, spring->damping, spring->damping_ratio, "damping and damping_ratio");
    if (law && linear) {
        tn_complain(c->check, "spring", c->sub, NULL,
                    "the spring of %s has both a force and a stiffness: give only one",
                    c->coordinate->name);
    }
    if (!isnan(spring->damping_ratio) && !linear) {
        tn_complain(c->check, "spring", c->sub, "damping: ... instead",
                    "the damping_ratio of the spring of %s needs a stiffness or a frequency",
                    c->coordinate->name);
    }
    if (!law && !linear && isnan(spring->damping) &&
        (is_given(&spring->rest) || !isnan(spring->max_force))) {
        tn_complain(c->check, "spring", c->sub, "stiffness: ... or frequency: ...",
                    "the spring of %s has no stiffness", c->coordinate->name);
    }
}

/* What does not depend on what the coordinate is of. */
static void check_drive(const drive_check *c)
{
    check_driver(c);
    check_motor(c);
    check_friction(c);
    check_spring(c);
}

void tn_check_drives(tn_check *check, const tn_joint_def *def, const tn_joint_type_info *info)
{
    int seen[TN_MAX_COORDINATES] = {0};
    for (int32_t k = 0; k < def->drive_count; k++) {
        const tn_drive_def *drive = &def->drives[k];
        if (drive->coordinate < 0 || drive->coordinate >= info->coordinate_count) {
            tn_complain(check, "drive", TN_WHOLE_FIELD, NULL,
                        "%s has no coordinate number %d to drive", info->name,
                        (int)drive->coordinate);
            continue;
        }
        const drive_check c = {check, drive, &info->coordinates[drive->coordinate],
                               drive->coordinate};
        if (seen[drive->coordinate]++) {
            tn_complain(check, "drive", drive->coordinate, NULL, "%s is driven twice",
                        c.coordinate->name);
        }
        check_lock(&c, def);
        check_round(&c, def, info);
        check_bearing(&c);
        check_drive(&c);
    }
}

/* The first key of what acts; NULL: nothing does. */
static const char *first_key(const tn_drive_def *def)
{
    const tn_friction_def *f = &def->friction;
    const tn_spring_def *s = &def->spring;
    const int rubs = has_dry_friction(f) || f->viscous > 0.0;
    const int sprung = s->stiffness > 0.0 || s->frequency > 0.0 || s->damping > 0.0;
    return is_given(&def->position)        ? "drive"
           : has_motor(&def->motor)        ? "motor"
           : rubs                          ? "friction"
           : sprung || is_given(&s->force) ? "spring"
                                           : NULL;
}

void tn_check_coupling_drive(tn_check *check, const tn_coupling_def *def)
{
    const tn_coordinate_info value = {"the value", 0};
    const drive_check c = {check, &def->drive, &value, TN_WHOLE_FIELD};
    const tn_friction_def *friction = &def->drive.friction;
    if (def->drive.coordinate != 0) {
        tn_complain(check, "drive", TN_WHOLE_FIELD, NULL, "a coupling has no coordinate number %d",
                    (int)def->drive.coordinate);
    }
    check_drive(&c);
    if (!isnan(friction->coefficient) || !isnan(friction->static_coefficient) ||
        !isnan(friction->radius)) {
        tn_complain(check, "friction", TN_WHOLE_FIELD, "force: ... instead",
                    "no constraint carries a force along a coupling: its friction has neither "
                    "coefficient nor radius");
    }
    const char *key = first_key(&def->drive);
    if (def->hold == TN_COUPLING_HELD && key != NULL) {
        tn_complain(check, key, TN_WHOLE_FIELD, "hold: in_range",
                    "a coupling that is held is not moved by a %s", key);
    }
}
