/* joint_tables.c: the keys of a joint.
 *
 * Room io/section. See tables.c, the top of the format. Fields are read in this order: what others need
 * comes first.
 */
#include "io/field/drive_io.h"
#include "io/reader/number.h"
#include "io/field/tables.h"

#define PLACED(way) (1u << (way))

static const char *frame_style_word(int32_t index)
{
    return tn_frame_style_name((tn_frame_style)index);
}

static const tn_words frame_style_words = {frame_style_word};

static const size_t upper_offset = offsetof(tn_joint_def, upper);

/* Of compliance and the like, where which rows they are for is noted. */
static const size_t compliance_told = offsetof(tn_joint_def, compliance_rows);
static const size_t damping_told = offsetof(tn_joint_def, damping_rows);
static const size_t frequency_told = offsetof(tn_joint_def, frequency_rows);
static const size_t ratio_told = offsetof(tn_joint_def, damping_ratio_rows);

static const tn_field joint_fields[] = {
    TN_REPEAT_FIELD,
    {TN_FIELD("type", joint_type, tn_joint_def, type), .doc = "The type of joint.",
     .flags = TN_FIELD_REQUIRED},
    {TN_FIELD("block", block, tn_joint_def, type),
     .doc = "Of a rod or a distance: true makes it a block_distance, three distances at once that "
            "hold at zero length too.",
     .flags = TN_FIELD_READ_ONLY},
    {TN_FIELD("a", body, tn_joint_def, a), .doc = "The body that moves; frame C is fixed to it.",
     .flags = TN_FIELD_REQUIRED},
    {TN_FIELD("b", body, tn_joint_def, b),
     .doc = "The base body, frame D is fixed to it; default ground.", .flags = TN_FIELD_GROUND},
    {TN_KEY("points", points),
     .doc = "x and z in frame D of the points of a segmented surface, in the order of the line.",
     .unit = "m"},
    {TN_KEY("coordinates", own_coordinates),
     .doc = "Names of a custom joint's coordinates, each with 'angle' or 'length'."},
    {TN_KEY("axes", axes),
     .doc = "Rotations and translations that make a custom joint, in order; at most three each."},
    {TN_FIELD("frame", table, tn_joint_def, frame_d),
     .doc = "Frame D in the world; frame C follows from the initial coordinates.",
     .extra = &tn_pose_table, .placements = PLACED(TN_PLACE_WORLD_FRAME)},
    {TN_FIELD("frame_a", table, tn_joint_def, frame_c), .doc = "Frame C in body a; with frame_b.",
     .extra = &tn_pose_table, .placements = PLACED(TN_PLACE_BODY_FRAMES)},
    {TN_FIELD("frame_b", table, tn_joint_def, frame_d), .doc = "Frame D in body b; with frame_a.",
     .extra = &tn_pose_table, .placements = PLACED(TN_PLACE_BODY_FRAMES)},
    {TN_FIELD("frame_c", table, tn_joint_def, frame_c),
     .doc = "Frame C in the world; with frame_d.", .extra = &tn_pose_table,
     .placements = PLACED(TN_PLACE_WORLD_FRAMES)},
    {TN_FIELD("frame_d", table, tn_joint_def, frame_d),
     .doc = "Frame D in the world; with frame_c.", .extra = &tn_pose_table,
     .placements = PLACED(TN_PLACE_WORLD_FRAMES)},
    {TN_FIELD("origin", vector, tn_joint_def, origin),
     .doc = "Origin of frame D in the world; alone: world axes, or with axis.", .unit = "m",
     .placements = PLACED(TN_PLACE_ORIGIN) | PLACED(TN_PLACE_AXIS)},
    {TN_FIELD("axis", vector, tn_joint_def, axis),
     .doc = "The z axis of frame D in the world, of any length; with origin. Between bodies in the "
            "plane: the direction of sliding.",
     .measure = TN_DIRECTION, .placements = PLACED(TN_PLACE_AXIS)},
    {TN_FIELD("x_axis", vector, tn_joint_def, x_axis),
     .doc = "The x axis of frame D in the world (the slot of a slotted hinge), square to axis.",
     .measure = TN_DIRECTION, .group = "second axis"},
    {TN_FIELD("y_axis", vector, tn_joint_def, y_axis),
     .doc = "The y axis of frame D in the world (the pitch axis of a universal joint), square to "
            "axis; of a skewed universal joint at any angle, which is its skew.",
     .measure = TN_DIRECTION, .group = "second axis"},
    {TN_FIELD("initial", coordinates, tn_joint_def, initial),
     .doc = "Coordinates of the bodies as they are placed [m];", .measure = "m, rad",
     .flags = TN_FIELD_ANGLE},
    {TN_FIELD("set", coordinates, tn_joint_def, set),
     .doc = "Coordinates to which the bodies are moved before the start [m];", .measure = "m, rad",
     .flags = TN_FIELD_ANGLE},
    {TN_FIELD("speed", coordinates, tn_joint_def, speed),
     .doc = "Speeds of coordinates at the start, by coordinate, per second [m]; the joints keep "
            "together;",
     .measure = "m/s, rad/s", .flags = TN_FIELD_ANGLE},
    {TN_FIELD("angular_velocity", spin, tn_joint_def, angular_velocity),
     .doc = "Of a ball joint: angular velocity of C against D at the start, in axes of D, per "
            "second;",
     .measure = "rad/s", .flags = TN_FIELD_ANGLE},
    {TN_FIELD("compliance", rows, tn_joint_def, compliance),
     .doc =
         "One number for all constraint rows, or a list for the first rows, between planar bodies "
         "of the three of the plane; null: leave.",
     .unit = "m/N, rad/(N m)", .extra = &compliance_told, .group = "row compliance"},
    {TN_FIELD("stiffness", inverse_rows, tn_joint_def, compliance),
     .doc = "Instead of compliance, which is 1 / stiffness.", .unit = "N/m, N m/rad",
     .extra = &compliance_told, .group = "row compliance", .flags = TN_FIELD_READ_ONLY},
    {TN_FIELD("frequency", rows, tn_joint_def, frequency),
     .doc = "Instead of compliance: at which the row's effective mass swings; critically damped.",
     .unit = "Hz", .extra = &frequency_told, .group = "row compliance"},
    {TN_FIELD("damping_ratio", rows, tn_joint_def, damping_ratio),
     .doc = "Instead of damping: 1 is critical for the row's effective mass.", .extra = &ratio_told,
     .group = "row damping"},
    {TN_FIELD("damping", rows, tn_joint_def, damping),
     .doc =
         "One number for all constraint rows, or a list for the first rows, between planar bodies "
         "of the three of the plane; null: leave.",
     .unit = "N s/m, N m s/rad", .extra = &damping_told, .group = "row damping"},
    {TN_FIELD("linear_compliance", number, tn_joint_def, linear_compliance),
     .doc = "Of all linear constraint rows, with critical damping.", .unit = "m/N",
     .group = "linear"},
    {TN_FIELD("linear_stiffness", inverse, tn_joint_def, linear_compliance),
     .doc = "Instead of linear_compliance.", .unit = "N/m", .group = "linear",
     .flags = TN_FIELD_READ_ONLY},
    {TN_FIELD("linear_frequency", number, tn_joint_def, linear_frequency),
     .doc = "Instead of linear_compliance.", .unit = "Hz", .group = "linear"},
    {TN_FIELD("linear_damping_ratio", number, tn_joint_def, linear_damping_ratio),
     .doc = "Of the linear rows by the collective values; default 1, critical."},
    {TN_FIELD("rotary_compliance", number, tn_joint_def, rotary_compliance),
     .doc = "Of all rotary constraint rows, with critical damping.", .unit = "rad/(N m)",
     .group = "rotary"},
    {TN_FIELD("rotary_stiffness", inverse, tn_joint_def, rotary_compliance),
     .doc = "Instead of rotary_compliance.", .unit = "N m/rad", .group = "rotary",
     .flags = TN_FIELD_READ_ONLY},
    {TN_FIELD("rotary_frequency", number, tn_joint_def, rotary_frequency),
     .doc = "Instead of rotary_compliance.", .unit = "Hz", .group = "rotary"},
    {TN_FIELD("rotary_damping_ratio", number, tn_joint_def, rotary_damping_ratio),
     .doc = "Of the rotary rows by the collective values; default 1, critical."},
    {TN_FIELD("relative_compliance", number, tn_joint_def, relative_compliance),
     .doc =
         "Where redundant joints share a load in one of many ways: how many times softer this one "
         "counts, 1e-3 to 1e3; default 1. Motion is unaffected."},
    {TN_FIELD("range", ranges, tn_joint_def, lower),
     .doc = "[lower, upper] by coordinate, infinite for none [m];", .measure = "m, rad",
     .extra = &upper_offset, .flags = TN_FIELD_ANGLE},
    {TN_FIELD("restitution", coordinates, tn_joint_def, restitution),
     .doc = "Bounce at the limits by coordinate, 0 (default) to 1."},
    {TN_FIELD("armature", coordinates, tn_joint_def, armature),
     .doc = "Inertia along coordinates, of rotors behind gears: rotor inertia times the gear ratio "
            "squared; default 0.",
     .measure = "kg, kg m^2"},
    {TN_FIELD("break_force", number, tn_joint_def, break_force),
     .doc = "Force at which the joint breaks, of its load at frame C: constraints, drives and "
            "springs together, "
            "no impacts; default never.",
     .unit = "N"},
    {TN_FIELD("break_torque", number, tn_joint_def, break_torque),
     .doc = "Moment about frame C at which the joint breaks, likewise; default never.",
     .unit = "N m"},
    {TN_FIELD("locked", locks, tn_joint_def, locked), .doc = "Coordinates held at their value."},
    {TN_KEY("drive", drives), .doc = "Prescribed motions by coordinate.",
     .extra = &tn_driver_table},
    {TN_KEY("motor", drives), .doc = "Motors by coordinate.", .extra = &tn_motor_table},
    {TN_KEY("friction", drives), .doc = "Dry and viscous friction by coordinate.",
     .extra = &tn_friction_table},
    {TN_KEY("spring", drives), .doc = "Springs along coordinates.", .extra = &tn_spring_table},
    {TN_KEY("pull", pull),
     .doc = "Like springs along all lengths of the joint, in the plane along x and y.",
     .extra = &tn_pull_table, .flags = TN_FIELD_READ_ONLY},
    {TN_FIELD("round", flag, tn_joint_def, round),
     .doc = "Whether friction and caps of motors and springs along lengths bound the length of the "
            "force, not its components; default false, of a pull true."},
    {TN_FIELD("enabled", switch, tn_joint_def, disabled),
     .doc = "Whether the joint is switched on at the start; default true."},
    {TN_FIELD("axis_length", number, tn_joint_def, look.axis_length),
     .doc = "Drawing: length of the axes of frames C and D; 0: none.", .unit = "m"},
    {TN_FIELD("shaft_length", number, tn_joint_def, look.shaft_length),
     .doc = "Drawing: length of shafts and rails; 0: none.", .unit = "m"},
    {TN_FIELD("shaft_radius", number, tn_joint_def, look.shaft_radius),
     .doc = "Drawing: radius of shafts and rails; 0: a share of their length.", .unit = "m"},
    {TN_FIELD("joint_radius", number, tn_joint_def, look.joint_radius),
     .doc = "Drawing: radius of balls; 0: none.", .unit = "m"},
    {TN_FIELD("slot_width", number, tn_joint_def, look.slot_width),
     .doc = "Drawing: width of slots; 0: none.", .unit = "m"},
    {TN_FIELD("plane_size", number, tn_joint_def, look.plane_size),
     .doc = "Drawing: edge of the square that stands for a plane; 0: none.", .unit = "m"},
    {TN_FIELD("color", vector, tn_joint_def, look.color),
     .doc = "Drawing: colour of shafts, balls and the like as [red, green, blue] between 0 and 1.",
     .flags = TN_FIELD_SPACE},
    {TN_FIELD("draw_frame_c", word, tn_joint_def, look.draw_frame_c),
     .doc = "Drawing: how the axes of frame C are shown.", .extra = &frame_style_words},
    {TN_FIELD("draw_frame_d", word, tn_joint_def, look.draw_frame_d),
     .doc = "Drawing: how the axes of frame D are shown.", .extra = &frame_style_words},
};

const tn_table tn_joint_table = {.name = "joint",
                                 .title = "a joint",
                                 .section = TN_NO_SECTION,
                                 TN_FIELDS(joint_fields),
                                 .read_other = tn_read_joint_parameter,
                                 .write_other = tn_write_joint_parameters,
                                 .schema_other = tn_schema_joint_types,
                                 .other_key = tn_joint_key};
