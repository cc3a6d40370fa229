/* drive_tables.c: the keys of prescribed motion, motor, friction and spring (drive_io.h).
 *
 * Room io/section. Data only.
 */
#include "io/field/drive_io.h"
#include "tenon/drive.h"

static const tn_field driver_fields[] = {
    {TN_FIELD("position", time_function, tn_drive_def, position),
     .doc = "The coordinate as a function of the time in s [m];", .measure = "m, rad",
     .flags = TN_FIELD_REQUIRED | TN_FIELD_ANGLE},
};

static const tn_field motor_fields[] = {
    {TN_FIELD("speed", time_function, tn_drive_def, motor.speed),
     .doc = "Wanted speed as a function of the time in s [m/s];", .measure = "m/s, rad/s",
     .group = "motor", .flags = TN_FIELD_ANGLE},
    {TN_FIELD("position", time_function, tn_drive_def, motor.position),
     .doc = "Wanted coordinate as a function of the time in s [m];", .measure = "m, rad",
     .group = "motor", .flags = TN_FIELD_ANGLE},
    {TN_FIELD("max_force", number, tn_drive_def, motor.max_force),
     .doc = "Largest force of the motor; default whatever it takes.", .unit = "N, N m"},
    {TN_FIELD("time_constant", number, tn_drive_def, motor.time_constant),
     .doc = "In which a position motor closes 63 % of an error; default 0.05.", .unit = "s"},
};

static const tn_field friction_fields[] = {
    {TN_FIELD("force", number, tn_drive_def, friction.force),
     .doc = "Dry friction that is always there.", .unit = "N, N m"},
    {TN_FIELD("coefficient", number, tn_drive_def, friction.coefficient),
     .doc =
         "Dry friction per force that the joint's constraints carry, and per impulse in impacts."},
    {TN_FIELD("static_force", number, tn_drive_def, friction.static_force),
     .doc = "Dry friction while it sticks; default force.", .unit = "N, N m"},
    {TN_FIELD("static_coefficient", number, tn_drive_def, friction.static_coefficient),
     .doc = "The coefficient while it sticks; default coefficient."},
    {TN_FIELD("radius", number, tn_drive_def, friction.radius),
     .doc = "Radius of the bearing of an angle, for the coefficient.", .unit = "m"},
    {TN_FIELD("viscous", number, tn_drive_def, friction.viscous), .doc = "Friction per speed.",
     .unit = "N s/m, N m s/rad"},
};

/* The numbers of springs. */
#define SPRING_NUMBERS                                                                             \
    {.key = "stiffness",                                                                           \
     .kind = &tn_field_number,                                                                     \
     .offset = offsetof(tn_drive_def, spring.stiffness),                                           \
     .unit = "N/m, N m/rad",                                                                       \
     .doc = "Force per deflection.",                                                               \
     .group = "stiffness"},                                                                        \
        {.key = "frequency",                                                                       \
         .kind = &tn_field_number,                                                                 \
         .offset = offsetof(tn_drive_def, spring.frequency),                                       \
         .unit = "Hz",                                                                             \
         .doc =                                                                                    \
             "Instead of stiffness: of the bodies of the joint, free of everything else but it.",  \
         .group = "stiffness"},                                                                    \
        {.key = "damping",                                                                         \
         .kind = &tn_field_number,                                                                 \
         .offset = offsetof(tn_drive_def, spring.damping),                                         \
         .unit = "N s/m, N m s/rad",                                                               \
         .doc = "Force per speed.",                                                                \
         .group = "damping"},                                                                      \
        {.key = "damping_ratio",                                                                   \
         .kind = &tn_field_number,                                                                 \
         .offset = offsetof(tn_drive_def, spring.damping_ratio),                                   \
         .doc = "Instead of damping: share of the critical one.",                                  \
         .group = "damping"},                                                                      \
    {                                                                                              \
        .key = "max_force", .kind = &tn_field_number,                                              \
        .offset = offsetof(tn_drive_def, spring.max_force), .unit = "N, N m",                      \
        .doc = "Largest force of the spring; default none."                                        \
    }

static const tn_field spring_fields[] = {
    SPRING_NUMBERS,
    {TN_FIELD("force", force_law, tn_drive_def, spring.force),
     .doc = "Instead of stiffness: force on the coordinate [N, N m] as a function of the "
            "deflection [m]; a restoring law falls;",
     .measure = "N, N m", .group = "stiffness", .flags = TN_FIELD_ANGLE},
    {TN_FIELD("rest", time_function, tn_drive_def, spring.rest),
     .doc = "Coordinate without force, a number or a function of the time in s; default 0 [m];",
     .measure = "m, rad", .flags = TN_FIELD_ANGLE},
};

static const tn_field pull_fields[] = {
    SPRING_NUMBERS,
    {TN_FIELD("target", targets, tn_pull, target),
     .doc = "Where the coordinates are pulled to, numbers or functions of the time in s; default "
            "0 [m];",
     .measure = "m, rad"},
};

const tn_table tn_driver_table = {.name = "drive",
                                  .title = "a prescribed motion",
                                  .section = TN_NO_SECTION,
                                  TN_FIELDS(driver_fields)};

const tn_table tn_motor_table = {
    .name = "motor", .title = "a motor", .section = TN_NO_SECTION, TN_FIELDS(motor_fields)};

const tn_table tn_friction_table = {
    .name = "friction", .title = "friction", .section = TN_NO_SECTION, TN_FIELDS(friction_fields)};

const tn_table tn_spring_table = {
    .name = "spring", .title = "a spring", .section = TN_NO_SECTION, TN_FIELDS(spring_fields)};

const tn_table tn_pull_table = {
    .name = "pull", .title = "a pull", .section = TN_NO_SECTION, TN_FIELDS(pull_fields)};
