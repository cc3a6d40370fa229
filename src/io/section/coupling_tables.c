/* coupling_tables.c: the sections of couplings (coupling_tables.h).
 *
 * Room io/section.
 */
#include <math.h>

#include "io/field/coupling_tables.h"
#include "io/field/drive_io.h"

#define NOT_SET ((double)NAN)

/* What every form of two coordinates consists of. */
#define COUPLED(name, member, its_unit, text)                                                      \
    {                                                                                              \
        .key = (name), .kind = &tn_field_coupled, .offset = offsetof(tn_coupling_form, member),    \
        .unit = (its_unit), .doc = (text), .flags = TN_FIELD_REQUIRED                              \
    }
/* Of any unit. */
#define FIRST(name, text)  COUPLED(name, first, NULL, text)
#define SECOND(name, text) COUPLED(name, second, NULL, text)
#define FACTOR(name, its_unit, text, how)                                                          \
    {                                                                                              \
        .key = (name), .kind = &tn_field_ratio, .offset = offsetof(tn_coupling_form, factor),      \
        .unit = (its_unit), .doc = (text), .flags = (how)                                          \
    }

static const tn_field gear_fields[] = {
    FIRST("b", "Coordinate of the driven wheel, as joint.coordinate."),
    SECOND("a", "Coordinate of the driving wheel."),
    FACTOR("ratio", NULL,
           "b turns by ratio when a turns by 1; negative where they turn against "
           "each other. A number or a fraction such as -2/3.",
           TN_FIELD_REQUIRED),
};
static const tn_field rack_fields[] = {
    COUPLED("rack", first, "m", "Coordinate of the rack, a length."),
    COUPLED("pinion", second, "rad", "Coordinate of the pinion, an angle."),
    FACTOR("radius", "m", "The rack moves by radius when the pinion turns by 1 rad.",
           TN_FIELD_REQUIRED),
};
static const tn_field screw_fields[] = {
    COUPLED("advance", first, "m", "Coordinate of the nut, a length."),
    COUPLED("turn", second, "rad", "Coordinate of the screw, an angle."),
    FACTOR("pitch", "m/rad", "Way of the nut when the screw turns by 1 rad.", TN_FIELD_REQUIRED),
};
static const tn_field pulley_fields[] = {
    COUPLED("a", first, "m",
            "Length of the rope on one side, a coordinate such as that of a distance joint."),
    COUPLED("b", second, "m", "Length on the other side."),
    FACTOR("ratio", NULL, "a + ratio b stays; default 1.", 0),
    {TN_FIELD("slack", truth, tn_coupling_form, slack),
     .doc = "Whether the rope may go slack: a + ratio b is then at most what it is at the start; "
            "default false."},
};
static const tn_field mimic_fields[] = {
    FIRST("coordinate", "The coordinate that follows."),
    SECOND("of", "The one it follows."),
    FACTOR("ratio", NULL, "coordinate = ratio of + offset; default 1.", 0),
    {TN_FIELD("offset", coupling_number, tn_coupling_form, offset),
     .doc = "In the unit of coordinate; default 0."},
    {TN_FIELD("function", form_function, tn_coupling_form, function),
     .doc = "coordinate = ratio function(of) + offset."},
};

#define FORM(words, its_sign, its_value, list)                                                     \
    {                                                                                              \
        .table = {.title = (words), .section = TN_NO_SECTION, TN_FIELDS(list)},                    \
        .sign = (its_sign), .value = (its_value)                                                   \
    }
static const tn_coupling_form_class gear = {
    .table = {.title = "a gear", .section = TN_NO_SECTION, TN_FIELDS(gear_fields)},
    .sign = -1.0,
    .value = NOT_SET,
    .teeth = true};
static const tn_coupling_form_class belt = FORM("a belt", -1.0, NOT_SET, gear_fields);
static const tn_coupling_form_class rack = FORM("a rack and pinion", -1.0, NOT_SET, rack_fields);
static const tn_coupling_form_class screw = FORM("a screw", -1.0, NOT_SET, screw_fields);
static const tn_coupling_form_class pulley = FORM("a pulley", 1.0, NOT_SET, pulley_fields);
static const tn_coupling_form_class mimic = FORM("a mimic", -1.0, 0.0, mimic_fields);

static const tn_field term_fields[] = {
    {TN_KEY("coordinate", coupled), .doc = "As joint.coordinate.", .flags = TN_FIELD_REQUIRED},
    {TN_FIELD("ratio", ratio, tn_coupling_term, ratio),
     .doc = "Factor of the coordinate or of its function, a number or a fraction; default 1."},
    {TN_FIELD("function", term_function, tn_coupling_term, function),
     .doc = "Of the coordinate; default the coordinate itself."},
};

const tn_table tn_term_table = {
    .title = "a term", .section = TN_NO_SECTION, TN_FIELDS(term_fields)};

#define POINT(name, member, text)                                                                  \
    {                                                                                              \
        .key = (name), .kind = &tn_field_vector, .offset = offsetof(tn_pulley_def, member),        \
        .unit = "m", .doc = (text), .flags = TN_FIELD_REQUIRED                                     \
    }

static const tn_field rope_fields[] = {
    {TN_FIELD("a", body, tn_pulley_def, a), .doc = "The body at one end of the rope.",
     .flags = TN_FIELD_REQUIRED},
    POINT("end_a", end_a, "Its point, in the world."),
    POINT("pulley_a", pulley_a, "Where the rope to it leaves the pulleys, in the world."),
    {TN_FIELD("b", body, tn_pulley_def, b), .doc = "The body at the other end.",
     .flags = TN_FIELD_REQUIRED},
    POINT("end_b", end_b, "Its point, in the world."),
    POINT("pulley_b", pulley_b, "Where the rope to it leaves the pulleys, in the world."),
    {TN_FIELD("on", body, tn_pulley_def, on), .doc = "What carries the pulleys; default ground.",
     .flags = TN_FIELD_GROUND},
    {TN_FIELD("ratio", ratio, tn_pulley_def, ratio),
     .doc = "length a + ratio length b stays, a number or a fraction; default 1."},
    {TN_FIELD("slack", truth, tn_pulley_def, slack),
     .doc = "Whether the rope may go slack: the sum is then at most what it is at the start; "
            "default false."},
};

const tn_table tn_pulley_table = {
    .title = "a rope over pulleys", .section = TN_NO_SECTION, TN_FIELDS(rope_fields)};

static const char *hold_word(int32_t index)
{
    return tn_coupling_hold_name((tn_coupling_hold)index);
}

static const tn_words hold_words = {hold_word};

#define AS_FORM(name, form, text)                                                                  \
    {                                                                                              \
        .key = (name), .kind = &tn_field_coupling_form, .doc = (text), .extra = &(form),           \
        .group = "form", .flags = TN_FIELD_READ_ONLY                                               \
    }

/* What acts along the value: the same tables as along the coordinates of joints. */
#define ACTS(name, its_table, text)                                                                \
    {                                                                                              \
        .key = (name), .kind = &tn_field_own_drive, .offset = offsetof(tn_coupling_def, drive),    \
        .doc = (text), .extra = &(its_table)                                                       \
    }

/* The form comes first: its first coordinate gives the unit of the value. */
static const tn_field coupling_fields[] = {
    TN_REPEAT_FIELD,
    AS_FORM("gear", gear, "b turns with a."),
    AS_FORM("belt", belt, "The same, by a belt."),
    AS_FORM("rack_and_pinion", rack, "A rack moves with a pinion."),
    AS_FORM("screw", screw, "A length and an angle of different joints, as by a thread."),
    AS_FORM("pulley", pulley, "A rope over pulleys."),
    {TN_KEY("rope_over_pulleys", pulley),
     .doc = "A rope from body to body over points; makes the joints <name>_a and <name>_b.",
     .group = "form", .flags = TN_FIELD_READ_ONLY},
    AS_FORM("mimic", mimic, "A coordinate is a function of another."),
    {TN_KEY("terms", terms),
     .doc = "Any number of coordinates; the sum of the terms is the value of the coupling.",
     .group = "form"},
    {TN_FIELD("hold", word, tn_coupling_def, hold), .doc = "What the value may be; default held.",
     .extra = &hold_words},
    {TN_FIELD("value", coupling_number, tn_coupling_def, value),
     .doc = "Where the value is held, or its bound, in the unit of the first coordinate; default "
            "what it is at the start."},
    {TN_FIELD("range", coupling_range, tn_coupling_def, lower),
     .doc = "[lower, upper] of the value, with hold: in_range."},
    {TN_FIELD("restitution", number, tn_coupling_def, restitution),
     .doc = "Bounce at the bounds, 0 (default) to 1."},
    {TN_FIELD("compliance", number, tn_coupling_def, compliance),
     .doc = "How much the value yields; default hard.", .unit = "m/N, rad/(N m)"},
    {TN_FIELD("damping", number, tn_coupling_def, damping),
     .doc = "Of a compliant coupling; default 0.", .unit = "N s/m, N m s/rad"},
    {TN_FIELD("break_force", number, tn_coupling_def, break_force),
     .doc = "Force on the value at which it breaks; default never.", .unit = "N, N m"},
    {TN_FIELD("ring", flag, tn_coupling_def, ring),
     .doc = "Whether two angles that turn the same way are drawn as a wheel in a ring with teeth, "
            "not as a belt; default "
            "false, of a gear true."},
    ACTS("drive", tn_driver_table, "Prescribed motion of a value that is not held."),
    ACTS("motor", tn_motor_table, "Motor along a value that is not held."),
    ACTS("friction", tn_friction_table, "Friction along a value that is not held."),
    ACTS("spring", tn_spring_table, "Spring along a value that is not held."),
    {TN_FIELD("enabled", switch, tn_coupling_def, disabled),
     .doc = "Whether it is switched on at the start; default true."},
};

const tn_table tn_coupling_table = {.name = "coupling",
                                    .title = "a coupling",
                                    .section = TN_NO_SECTION,
                                    TN_FIELDS(coupling_fields)};
