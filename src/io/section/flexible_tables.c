/* flexible_tables.c: the keys of flexible bodies.
 *
 * Room io/section. See tables.c, the top of the format.
 */
#include "io/field/flexible_io.h"
#include "io/reader/number.h"

static const tn_field arc_fields[] = {
    {TN_FIELD("center", vector, tn_arc_form, center), .doc = "Centre of the circle.", .unit = "m",
     .flags = TN_FIELD_REQUIRED},
    {TN_FIELD("radius", bounded, tn_arc_form, radius), .doc = "Its radius.", .unit = "m",
     .extra = &tn_positive, .flags = TN_FIELD_REQUIRED},
    {TN_FIELD("from", number, tn_arc_form, from),
     .doc = "Where the beam starts: the angle about the axis, from x of the world turned with z "
            "onto the axis by the shortest rotation;",
     .flags = TN_FIELD_REQUIRED | TN_FIELD_ANGLE},
    {TN_FIELD("to", number, tn_arc_form, to), .doc = "Where it ends;",
     .flags = TN_FIELD_REQUIRED | TN_FIELD_ANGLE},
    {TN_FIELD("axis", vector, tn_arc_form, axis),
     .doc = "Normal of the circle's plane, z of the sections; default [0, 0, 1].",
     .measure = TN_DIRECTION, .flags = TN_FIELD_SPACE},
};

const tn_table tn_arc_table = {
    .name = "arc", .title = "an arc", .section = TN_NO_SECTION, TN_FIELDS(arc_fields)};

static const int32_t most_elements = TN_MAX_BEAM_ELEMENTS;

static const tn_field beam_fields[] = {
    {TN_FIELD("from", vector, tn_beam_form, from), .doc = "Where a straight beam starts.",
     .unit = "m", .group = "curve"},
    {TN_FIELD("to", vector, tn_beam_form, to), .doc = "Where it ends.", .unit = "m"},
    {TN_FIELD("up", vector, tn_beam_form, up),
     .doc = "Where z of its sections points, as far as square to the beam; default [0, 0, 1], of a "
            "beam along that [0, 1, 0].",
     .measure = TN_DIRECTION, .flags = TN_FIELD_SPACE},
    {TN_FIELD("arc", table, tn_beam_form, arc), .doc = "Instead of from and to: part of a circle.",
     .extra = &tn_arc_table, .group = "curve"},
    {TN_FIELD("elements", count, tn_beam_form, elements),
     .doc = "Number of elements; the error falls with its square.", .extra = &most_elements,
     .flags = TN_FIELD_REQUIRED},
};

const tn_table tn_beam_table = {
    .name = "beam", .title = "a beam", .section = TN_NO_SECTION, TN_FIELDS(beam_fields)};

static const tn_field cable_fields[] = {
    {TN_KEY("through", corners),
     .doc = "Points, two or more: the corners of the line on which it lies without stress; each is "
            "a node.",
     .unit = "m", .flags = TN_FIELD_REQUIRED},
    {TN_FIELD("elements", count, tn_cable_form, elements),
     .doc = "Number of elements; the error falls with its square.", .extra = &most_elements,
     .flags = TN_FIELD_REQUIRED},
};

const tn_table tn_cable_table = {
    .name = "cable", .title = "a cable", .section = TN_NO_SECTION, TN_FIELDS(cable_fields)};

/* One number may stand for both axes. */
static const bool alike = true;

static const tn_field section_fields[] = {
    {TN_FIELD("rectangle", sides, tn_section_form, rectangle), .doc = "Sides along y and z.",
     .unit = "m", .group = "section"},
    {TN_FIELD("circle", bounded, tn_section_form, circle), .doc = "Diameter of a full circle.",
     .unit = "m", .extra = &tn_positive, .group = "section"},
    {TN_FIELD("tube", sides, tn_section_form, tube), .doc = "Outer and inner diameter.",
     .unit = "m", .group = "section"},
    {TN_FIELD("EI", sides, tn_section_form, given.EI),
     .doc = "Stiffness against bending about y and z, or one number for both: a section by "
            "numbers.",
     .unit = "N m^2", .extra = &alike, .group = "section"},
    {TN_FIELD("EA", bounded, tn_section_form, given.EA),
     .doc = "With EI, or of a cable: stiffness against stretch; default rigid.", .unit = "N",
     .extra = &tn_positive},
    {TN_FIELD("GA", sides, tn_section_form, given.GA),
     .doc = "With EI: stiffness against shear along y and z, with the shear correction factor; "
            "default rigid.",
     .unit = "N", .extra = &alike},
    {TN_FIELD("GJ", bounded, tn_section_form, given.GJ),
     .doc = "With EI: stiffness against twist; default rigid.", .unit = "N m^2",
     .extra = &tn_positive},
    {TN_FIELD("mass", bounded, tn_section_form, given.mass),
     .doc = "With EI, where it must be given, or of a cable: mass per length.", .unit = "kg/m",
     .extra = &tn_positive},
    {TN_FIELD("inertia", sides, tn_section_form, given.inertia),
     .doc = "With EI: moments of inertia per length about y and z; default mass EI / EA, that of "
            "one material.",
     .unit = "kg m", .extra = &alike},
};

const tn_table tn_section_table = {
    .name = "section", .title = "a section", .section = TN_NO_SECTION, TN_FIELDS(section_fields)};

static const tn_field flexible_fields[] = {
    TN_REPEAT_FIELD,
    {TN_FIELD("beam", table, tn_flexible_form, beam), .doc = "The line of a beam.",
     .extra = &tn_beam_table, .group = "line", .flags = TN_FIELD_REQUIRED, .or_key = "cable",
     .or_other = "solid"},
    {TN_FIELD("cable", table, tn_flexible_form, cable),
     .doc = "The line of a cable, which has no stiffness but along itself.",
     .extra = &tn_cable_table, .group = "line"},
    {TN_FIELD("solid", solid, tn_flexible_form, solid),
     .doc = "The mesh of an elastic solid, and what holds it.", .extra = &tn_solid_table,
     .group = "line"},
    {TN_FIELD("section", table, tn_flexible_form, section),
     .doc = "Its section, whose y and z are square to the line.", .extra = &tn_section_table,
     .flags = TN_FIELD_REQUIRED, .or_key = "solid"},
    {TN_FIELD("material", elastic, tn_flexible_form, material),
     .doc = "What a solid, or a section that is given by its sides, is made of."},
    {TN_FIELD("damping", bounded, tn_flexible_form, damping),
     .doc = "Time constant of damping, instead of that of the material; default 0.", .unit = "s",
     .extra = &tn_not_negative},
    {TN_FIELD("rigid", rigid, tn_flexible_form, rigid),
     .doc = "In which directions it does not yield: a list of stretch, shear, twist."},
};

const tn_table tn_flexible_table = {.name = "flexible",
                                    .title = "a flexible body",
                                    .section = TN_NO_SECTION,
                                    TN_FIELDS(flexible_fields)};
