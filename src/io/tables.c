/* tables.c: the model format, section by section, key by key.
 *
 * Room io. This is the one place where the format is written down: the reader, the writer, the
 * unknown-key check and the JSON Schema follow these tables. A new key is one line here. Fields are
 * read in this order: what others need comes first.
 */
#include "io/coupling_tables.h"
#include "io/tables.h"

#include "io/drive_io.h"
#include "io/selection.h"
#include "spec/spec_internal.h"

#define FIELDS(array) .fields = array, .field_count = (int32_t)TN_COUNT_OF(array)

/* pose ---------------------------------------------------------------------------------------- */

/* The keys of a rotation that lies at `at` in the structure. */
#define ROTATION_FIELDS(at)                                                                        \
    {.key = "angle",                                                                               \
     .kind = &tn_field_turn,                                                                       \
     .offset = (at),                                                                               \
     .doc = "Rotation about z;",                                                                   \
     .group = "rotation",                                                                          \
     .flags = TN_FIELD_ANGLE},                                                                     \
        {.key = "quaternion",                                                                      \
         .kind = &tn_field_quaternion,                                                             \
         .offset = (at),                                                                           \
         .doc = "Rotation as unit quaternion [w, x, y, z].",                                       \
         .group = "rotation"},                                                                     \
        {.key = "axis_angle",                                                                      \
         .kind = &tn_field_axis_angle,                                                             \
         .offset = (at),                                                                           \
         .doc = "Rotation about an axis, [x, y, z, angle];",                                       \
         .group = "rotation",                                                                      \
         .flags = TN_FIELD_ANGLE | TN_FIELD_READ_ONLY},                                            \
    {                                                                                              \
        .key = "rpy", .kind = &tn_field_rpy, .offset = (at),                                       \
        .doc = "Rotation as [roll, pitch, yaw], R = Rz(roll) Ry(pitch) Rx(yaw);",                  \
        .group = "rotation", .flags = TN_FIELD_ANGLE | TN_FIELD_READ_ONLY                          \
    }

/* The keys of a pose that lies at `at` in the structure. */
#define POSE_FIELDS(at)                                                                            \
    {.key = "position",                                                                            \
     .kind = &tn_field_vector,                                                                     \
     .offset = (at) + offsetof(tn_pose, p),                                                        \
     .unit = "m",                                                                                  \
     .doc = "Where the origin is; default [0, 0, 0]."},                                            \
        ROTATION_FIELDS((at) + offsetof(tn_pose, q))

static const tn_field pose_fields[] = {POSE_FIELDS(0)};

const tn_table tn_pose_table = {
    .name = "pose", .title = "a pose", .section = TN_NO_SECTION, FIELDS(pose_fields)};

/* body ---------------------------------------------------------------------------------------- */

static const char *body_kind_word(int32_t index)
{
    return tn_body_kind_name((tn_body_kind)index);
}

static const tn_words body_kind_words = {body_kind_word};

static const tn_field velocity_fields[] = {
    {.key = "linear",
     .kind = &tn_field_vector,
     .offset = offsetof(tn_twist, v),
     .unit = "m/s",
     .doc = "Velocity of the body's origin, world axes."},
    {.key = "angular",
     .kind = &tn_field_spin,
     .offset = offsetof(tn_twist, w),
     .unit = "1/s",
     .doc = "Angular velocity, world axes; a number about z in a planar world;",
     .flags = TN_FIELD_ANGLE},
};

static const tn_table velocity_table = {
    .title = "a velocity", .section = TN_NO_SECTION, FIELDS(velocity_fields)};

static const tn_field body_damping_fields[] = {
    {.key = "frame",
     .kind = &tn_field_number,
     .offset = offsetof(tn_body_def, frame_damping),
     .unit = "N s/m",
     .doc = "Force against the velocity of the body's origin."},
    {.key = "rotary",
     .kind = &tn_field_number,
     .offset = offsetof(tn_body_def, rotary_damping),
     .unit = "N m s/rad",
     .doc = "Moment against the angular velocity."},
};

static const tn_table body_damping_table = {
    .title = "a damping", .section = TN_NO_SECTION, FIELDS(body_damping_fields)};

static const tn_field body_fields[] = {
    {.key = "kind",
     .kind = &tn_field_word,
     .offset = offsetof(tn_body_def, kind),
     .doc = "How the body can move; default rigid, planar in a planar world.",
     .extra = &body_kind_words},
    POSE_FIELDS(offsetof(tn_body_def, pose)),
    {.key = "velocity",
     .kind = &tn_field_table,
     .offset = offsetof(tn_body_def, velocity),
     .doc = "Initial velocity; default none.",
     .extra = &velocity_table},
    {.key = "mass",
     .kind = &tn_field_number,
     .offset = offsetof(tn_body_def, mass),
     .unit = "kg",
     .doc = "Mass; default from the shapes."},
    {.key = "center_of_mass",
     .kind = &tn_field_vector,
     .offset = offsetof(tn_body_def, com),
     .unit = "m",
     .doc = "Centre of mass, body frame; default from the shapes, or the origin."},
    {.key = "inertia",
     .kind = &tn_field_inertia,
     .offset = offsetof(tn_body_def, inertia),
     .unit = "kg m^2",
     .doc = "Inertia about the centre of mass, body axes: [Jxx, Jyy, Jzz], or [Jxx, Jyy, Jzz, Jxy, "
            "Jxz, Jyz], or 3 x 3; a planar body may give Jzz alone. Default from the shapes."},
    {.key = "density",
     .kind = &tn_field_number,
     .offset = offsetof(tn_body_def, density),
     .unit = "kg/m^3",
     .doc = "Density of the shapes that have none of their own.",
     .group = "density"},
    {.key = "material",
     .kind = &tn_field_material,
     .offset = offsetof(tn_body_def, density),
     .doc = "Density of the shapes, by the name of a material.",
     .group = "density",
     .flags = TN_FIELD_READ_ONLY},
    {.key = "shapes", .kind = &tn_field_shapes, .doc = "Solids the body is made of."},
    {.key = "damping",
     .kind = &tn_field_table,
     .doc = "Damping of this body; default that of the model.",
     .extra = &body_damping_table},
};

const tn_table tn_body_table = {
    .name = "body", .title = "a body", .section = TN_NO_SECTION, FIELDS(body_fields)};

/* shape --------------------------------------------------------------------------------------- */

static const tn_field shape_fields[] = {
    POSE_FIELDS(offsetof(tn_shape_def, pose)),
    {.key = "density",
     .kind = &tn_field_number,
     .offset = offsetof(tn_shape_def, density),
     .unit = "kg/m^3",
     .doc = "Density of this shape.",
     .group = "matter"},
    {.key = "mass",
     .kind = &tn_field_number,
     .offset = offsetof(tn_shape_def, mass),
     .unit = "kg",
     .doc = "Mass of this shape.",
     .group = "matter"},
    {.key = "material",
     .kind = &tn_field_material,
     .offset = offsetof(tn_shape_def, density),
     .doc = "Density of this shape, by the name of a material.",
     .group = "matter",
     .flags = TN_FIELD_READ_ONLY},
};

const tn_table tn_shape_table = {.name = "shape",
                                 .title = "a shape",
                                 .section = TN_NO_SECTION,
                                 FIELDS(shape_fields),
                                 .read_other = tn_read_shape_kind,
                                 .schema_other = tn_schema_shape_kinds,
                                 .other_key = tn_shape_key};

/* joint --------------------------------------------------------------------------------------- */

#define PLACED(way) (1u << (way))

static const char *frame_style_word(int32_t index)
{
    return tn_frame_style_name((tn_frame_style)index);
}

static const tn_words frame_style_words = {frame_style_word};

static const size_t upper_offset = offsetof(tn_joint_def, upper);

static const tn_field joint_fields[] = {
    {.key = "type",
     .kind = &tn_field_joint_type,
     .offset = offsetof(tn_joint_def, type),
     .doc = "The type of joint.",
     .flags = TN_FIELD_REQUIRED},
    {.key = "a",
     .kind = &tn_field_body,
     .offset = offsetof(tn_joint_def, a),
     .doc = "The body that moves; frame C is fixed to it.",
     .flags = TN_FIELD_REQUIRED},
    {.key = "b",
     .kind = &tn_field_body,
     .offset = offsetof(tn_joint_def, b),
     .doc = "The base body, frame D is fixed to it; default ground.",
     .flags = TN_FIELD_GROUND},
    {.key = "points",
     .kind = &tn_field_points,
     .unit = "m",
     .doc = "x and z in frame D of the points of a segmented surface, in the order of the line."},
    {.key = "coordinates",
     .kind = &tn_field_own_coordinates,
     .doc = "Names of a custom joint's coordinates, each with 'angle' or 'length'."},
    {.key = "axes",
     .kind = &tn_field_axes,
     .doc = "Rotations and translations that make a custom joint, in order; at most three each."},
    {.key = "frame",
     .kind = &tn_field_table,
     .offset = offsetof(tn_joint_def, frame_d),
     .doc = "Frame D in the world; frame C follows from the initial coordinates.",
     .extra = &tn_pose_table,
     .placements = PLACED(TN_PLACE_WORLD_FRAME)},
    {.key = "frame_a",
     .kind = &tn_field_table,
     .offset = offsetof(tn_joint_def, frame_c),
     .doc = "Frame C in body a; with frame_b.",
     .extra = &tn_pose_table,
     .placements = PLACED(TN_PLACE_BODY_FRAMES)},
    {.key = "frame_b",
     .kind = &tn_field_table,
     .offset = offsetof(tn_joint_def, frame_d),
     .doc = "Frame D in body b; with frame_a.",
     .extra = &tn_pose_table,
     .placements = PLACED(TN_PLACE_BODY_FRAMES)},
    {.key = "frame_c",
     .kind = &tn_field_table,
     .offset = offsetof(tn_joint_def, frame_c),
     .doc = "Frame C in the world; with frame_d.",
     .extra = &tn_pose_table,
     .placements = PLACED(TN_PLACE_WORLD_FRAMES)},
    {.key = "frame_d",
     .kind = &tn_field_table,
     .offset = offsetof(tn_joint_def, frame_d),
     .doc = "Frame D in the world; with frame_c.",
     .extra = &tn_pose_table,
     .placements = PLACED(TN_PLACE_WORLD_FRAMES)},
    {.key = "origin",
     .kind = &tn_field_vector,
     .offset = offsetof(tn_joint_def, origin),
     .unit = "m",
     .doc = "Origin of frame D in the world; alone: world axes, or with axis.",
     .placements = PLACED(TN_PLACE_ORIGIN) | PLACED(TN_PLACE_AXIS)},
    {.key = "axis",
     .kind = &tn_field_vector,
     .offset = offsetof(tn_joint_def, axis),
     .doc = "The z axis of frame D in the world, of any length; with origin. Between bodies in the "
            "plane: the direction of sliding.",
     .placements = PLACED(TN_PLACE_AXIS)},
    {.key = "x_axis",
     .kind = &tn_field_vector,
     .offset = offsetof(tn_joint_def, x_axis),
     .doc = "The x axis of frame D in the world (the slot of a slotted hinge), square to axis.",
     .group = "second axis"},
    {.key = "y_axis",
     .kind = &tn_field_vector,
     .offset = offsetof(tn_joint_def, y_axis),
     .doc = "The y axis of frame D in the world (the pitch axis of a universal joint), square to "
            "axis; of a skewed universal joint at any angle, which is its skew.",
     .group = "second axis"},
    {.key = "initial",
     .kind = &tn_field_coordinates,
     .offset = offsetof(tn_joint_def, initial),
     .doc = "Coordinates of the bodies as they are placed [m];",
     .flags = TN_FIELD_ANGLE},
    {.key = "set",
     .kind = &tn_field_coordinates,
     .offset = offsetof(tn_joint_def, set),
     .doc = "Coordinates to which the bodies are moved before the start [m];",
     .flags = TN_FIELD_ANGLE},
    {.key = "speed",
     .kind = &tn_field_coordinates,
     .offset = offsetof(tn_joint_def, speed),
     .doc = "Speeds of coordinates at the start, by coordinate, per second [m]; the joints keep "
            "together;",
     .flags = TN_FIELD_ANGLE},
    {.key = "compliance",
     .kind = &tn_field_rows,
     .offset = offsetof(tn_joint_def, compliance),
     .unit = "m/N, rad/(N m)",
     .doc = "One number for all constraint rows, or a list for the first rows, null: leave.",
     .group = "row compliance"},
    {.key = "stiffness",
     .kind = &tn_field_inverse_rows,
     .offset = offsetof(tn_joint_def, compliance),
     .unit = "N/m, N m/rad",
     .doc = "Instead of compliance, which is 1 / stiffness.",
     .group = "row compliance",
     .flags = TN_FIELD_READ_ONLY},
    {.key = "frequency",
     .kind = &tn_field_rows,
     .offset = offsetof(tn_joint_def, frequency),
     .unit = "Hz",
     .doc = "Instead of compliance: at which the row's effective mass swings; critically damped.",
     .group = "row compliance"},
    {.key = "damping_ratio",
     .kind = &tn_field_rows,
     .offset = offsetof(tn_joint_def, damping_ratio),
     .doc = "Instead of damping: 1 is critical for the row's effective mass.",
     .group = "row damping"},
    {.key = "damping",
     .kind = &tn_field_rows,
     .offset = offsetof(tn_joint_def, damping),
     .unit = "N s/m, N m s/rad",
     .doc = "One number for all constraint rows, or a list for the first rows, null: leave.",
     .group = "row damping"},
    {.key = "linear_compliance",
     .kind = &tn_field_number,
     .offset = offsetof(tn_joint_def, linear_compliance),
     .unit = "m/N",
     .doc = "Of all linear constraint rows, with critical damping.",
     .group = "linear"},
    {.key = "linear_stiffness",
     .kind = &tn_field_inverse,
     .offset = offsetof(tn_joint_def, linear_compliance),
     .unit = "N/m",
     .doc = "Instead of linear_compliance.",
     .group = "linear",
     .flags = TN_FIELD_READ_ONLY},
    {.key = "linear_frequency",
     .kind = &tn_field_number,
     .offset = offsetof(tn_joint_def, linear_frequency),
     .unit = "Hz",
     .doc = "Instead of linear_compliance.",
     .group = "linear"},
    {.key = "linear_damping_ratio",
     .kind = &tn_field_number,
     .offset = offsetof(tn_joint_def, linear_damping_ratio),
     .doc = "Of the linear rows by the collective values; default 1, critical."},
    {.key = "rotary_compliance",
     .kind = &tn_field_number,
     .offset = offsetof(tn_joint_def, rotary_compliance),
     .unit = "rad/(N m)",
     .doc = "Of all rotary constraint rows, with critical damping.",
     .group = "rotary"},
    {.key = "rotary_stiffness",
     .kind = &tn_field_inverse,
     .offset = offsetof(tn_joint_def, rotary_compliance),
     .unit = "N m/rad",
     .doc = "Instead of rotary_compliance.",
     .group = "rotary",
     .flags = TN_FIELD_READ_ONLY},
    {.key = "rotary_frequency",
     .kind = &tn_field_number,
     .offset = offsetof(tn_joint_def, rotary_frequency),
     .unit = "Hz",
     .doc = "Instead of rotary_compliance.",
     .group = "rotary"},
    {.key = "rotary_damping_ratio",
     .kind = &tn_field_number,
     .offset = offsetof(tn_joint_def, rotary_damping_ratio),
     .doc = "Of the rotary rows by the collective values; default 1, critical."},
    {.key = "relative_compliance",
     .kind = &tn_field_number,
     .offset = offsetof(tn_joint_def, relative_compliance),
     .doc =
         "Where redundant joints share a load in one of many ways: how many times softer this one "
         "counts, 1e-3 to 1e3; default 1. Motion is unaffected."},
    {.key = "range",
     .kind = &tn_field_ranges,
     .offset = offsetof(tn_joint_def, lower),
     .doc = "[lower, upper] by coordinate, infinite for none [m];",
     .extra = &upper_offset,
     .flags = TN_FIELD_ANGLE},
    {.key = "restitution",
     .kind = &tn_field_coordinates,
     .offset = offsetof(tn_joint_def, restitution),
     .doc = "Bounce at the limits by coordinate, 0 (default) to 1."},
    {.key = "break_force",
     .kind = &tn_field_number,
     .offset = offsetof(tn_joint_def, break_force),
     .unit = "N",
     .doc = "Constraint force at which the joint breaks; default never."},
    {.key = "break_torque",
     .kind = &tn_field_number,
     .offset = offsetof(tn_joint_def, break_torque),
     .unit = "N m",
     .doc = "Constraint moment at which the joint breaks; default never."},
    {.key = "locked",
     .kind = &tn_field_locks,
     .offset = offsetof(tn_joint_def, locked),
     .doc = "Coordinates held at their value."},
    {.key = "drive",
     .kind = &tn_field_drives,
     .doc = "Prescribed motions by coordinate.",
     .extra = &tn_driver_table},
    {.key = "motor",
     .kind = &tn_field_drives,
     .doc = "Motors by coordinate.",
     .extra = &tn_motor_table},
    {.key = "friction",
     .kind = &tn_field_drives,
     .doc = "Dry and viscous friction by coordinate.",
     .extra = &tn_friction_table},
    {.key = "spring",
     .kind = &tn_field_drives,
     .doc = "Springs along coordinates.",
     .extra = &tn_spring_table},
    {.key = "enabled",
     .kind = &tn_field_switch,
     .offset = offsetof(tn_joint_def, disabled),
     .doc = "Whether the joint is switched on at the start; default true."},
    {.key = "axis_length",
     .kind = &tn_field_number,
     .offset = offsetof(tn_joint_def, look.axis_length),
     .unit = "m",
     .doc = "Drawing: length of the axes of frames C and D; 0: none."},
    {.key = "shaft_length",
     .kind = &tn_field_number,
     .offset = offsetof(tn_joint_def, look.shaft_length),
     .unit = "m",
     .doc = "Drawing: length of shafts and rails; 0: none."},
    {.key = "shaft_radius",
     .kind = &tn_field_number,
     .offset = offsetof(tn_joint_def, look.shaft_radius),
     .unit = "m",
     .doc = "Drawing: radius of shafts and rails; 0: a share of their length."},
    {.key = "joint_radius",
     .kind = &tn_field_number,
     .offset = offsetof(tn_joint_def, look.joint_radius),
     .unit = "m",
     .doc = "Drawing: radius of balls; 0: none."},
    {.key = "slot_width",
     .kind = &tn_field_number,
     .offset = offsetof(tn_joint_def, look.slot_width),
     .unit = "m",
     .doc = "Drawing: width of slots; 0: none."},
    {.key = "plane_size",
     .kind = &tn_field_number,
     .offset = offsetof(tn_joint_def, look.plane_size),
     .unit = "m",
     .doc = "Drawing: edge of the square that stands for a plane; 0: none."},
    {.key = "color",
     .kind = &tn_field_vector,
     .offset = offsetof(tn_joint_def, look.color),
     .doc = "Drawing: colour of shafts, balls and the like as [red, green, blue] between 0 and 1.",
     .flags = TN_FIELD_SPACE},
    {.key = "draw_frame_c",
     .kind = &tn_field_word,
     .offset = offsetof(tn_joint_def, look.draw_frame_c),
     .doc = "Drawing: how the axes of frame C are shown.",
     .extra = &frame_style_words},
    {.key = "draw_frame_d",
     .kind = &tn_field_word,
     .offset = offsetof(tn_joint_def, look.draw_frame_d),
     .doc = "Drawing: how the axes of frame D are shown.",
     .extra = &frame_style_words},
};

const tn_table tn_joint_table = {.name = "joint",
                                 .title = "a joint",
                                 .section = TN_NO_SECTION,
                                 FIELDS(joint_fields),
                                 .read_other = tn_read_joint_parameter,
                                 .write_other = tn_write_joint_parameters,
                                 .schema_other = tn_schema_joint_types,
                                 .other_key = tn_joint_key};

/* marker, material ------------------------------------------------------------------------------
 */

static const tn_field marker_fields[] = {
    {.key = "body",
     .kind = &tn_field_body,
     .offset = offsetof(tn_marker_def, body),
     .doc = "The body the point belongs to, or ground.",
     .flags = TN_FIELD_REQUIRED | TN_FIELD_GROUND},
    {.key = "position",
     .kind = &tn_field_vector,
     .offset = offsetof(tn_marker_def, position),
     .unit = "m",
     .doc = "The point in the body frame; default [0, 0, 0]."},
    ROTATION_FIELDS(offsetof(tn_marker_def, rotation)),
};

const tn_table tn_marker_table = {
    .name = "marker", .title = "a marker", .section = TN_NO_SECTION, FIELDS(marker_fields)};

static const tn_field material_fields[] = {
    {.key = "density",
     .kind = &tn_field_number,
     .offset = offsetof(tn_material, density),
     .unit = "kg/m^3",
     .doc = "Mass by volume.",
     .flags = TN_FIELD_REQUIRED},
};

const tn_table tn_material_table = {
    .name = "material", .title = "a material", .section = TN_NO_SECTION, FIELDS(material_fields)};

/* simulation, record ----------------------------------------------------------------------------
 */

static const char *integrator_word(int32_t index)
{
    return tn_integrator_name((tn_integrator)index);
}

static const tn_words integrator_words = {integrator_word};

static const char *solver_word(int32_t index)
{
    return tn_solver_name((tn_solver)index);
}

static const tn_words solver_words = {solver_word};

static const char *loop_policy_word(int32_t index)
{
    return tn_loop_policy_name((tn_loop_policy)index);
}

static const tn_words loop_policy_words = {loop_policy_word};

static const tn_field simulation_fields[] = {
    {.key = "integrator",
     .kind = &tn_field_word,
     .offset = offsetof(tn_simulation_def, integrator),
     .doc = "How time advances; default generalized_alpha.",
     .extra = &integrator_words},
    {.key = "solver",
     .kind = &tn_field_word,
     .offset = offsetof(tn_simulation_def, solver),
     .doc = "How the systems of a step are solved; default direct. Sequential impulses only with "
            "the integrators of first order.",
     .extra = &solver_words},
    {.key = "iterations",
     .kind = &tn_field_count,
     .offset = offsetof(tn_simulation_def, iterations),
     .doc = "Sweeps of sequential impulses for the velocities, and for the positions; default 20."},
    {.key = "step",
     .kind = &tn_field_number,
     .offset = offsetof(tn_simulation_def, step),
     .unit = "s",
     .doc = "Time step; default 1e-3."},
    {.key = "duration",
     .kind = &tn_field_number,
     .offset = offsetof(tn_simulation_def, duration),
     .unit = "s",
     .doc = "Simulated time; default 1."},
    {.key = "inconsistent_loops",
     .kind = &tn_field_word,
     .offset = offsetof(tn_simulation_def, loops),
     .doc =
         "Loops that no pose closes: refuse them (default; gaps from rounding are only told), or "
         "run with the smallest gaps, in the sense of least squares.",
     .extra = &loop_policy_words},
};

static const tn_table simulation_table = {
    .title = "the simulation section", .section = TN_SECTION_SIMULATION, FIELDS(simulation_fields)};

/* In the order of the bits of TN_RECORD_... */
static const char *record_word(int32_t index)
{
    static const char *const words[] = {"poses",    "velocities", "coordinates", "multipliers",
                                        "wrenches", "markers",    "energy"};
    return index < (int32_t)TN_COUNT_OF(words) ? words[index] : NULL;
}

static const tn_words record_words = {record_word};

static const char *name_of_body(const tn_spec *spec, int32_t index)
{
    return tn_spec_body(spec, (tn_body){index})->name;
}

static const char *name_of_joint(const tn_spec *spec, int32_t index)
{
    return tn_spec_joint(spec, (tn_joint){index})->name;
}

static const char *name_of_marker(const tn_spec *spec, int32_t index)
{
    return tn_spec_marker(spec, (tn_marker){index})->name;
}

static const tn_selection body_selection = {"body", TN_SECTION_BODY,
                                            offsetof(tn_record_def, body_count), name_of_body};
static const tn_selection joint_selection = {"joint", TN_SECTION_JOINT,
                                             offsetof(tn_record_def, joint_count), name_of_joint};
static const tn_selection marker_selection = {
    "marker", TN_SECTION_MARKER, offsetof(tn_record_def, marker_count), name_of_marker};

static const tn_field record_fields[] = {
    {.key = "every",
     .kind = &tn_field_number,
     .offset = offsetof(tn_record_def, every),
     .unit = "s",
     .doc = "Time between records; default every step."},
    {.key = "what",
     .kind = &tn_field_flags,
     .offset = offsetof(tn_record_def, what),
     .doc = "What is recorded; default all.",
     .extra = &record_words},
    {.key = "bodies",
     .kind = &tn_field_selection,
     .offset = offsetof(tn_record_def, bodies),
     .doc = "Names of the bodies recorded; default all.",
     .extra = &body_selection},
    {.key = "joints",
     .kind = &tn_field_selection,
     .offset = offsetof(tn_record_def, joints),
     .doc = "Names of the joints recorded; default all.",
     .extra = &joint_selection},
    {.key = "markers",
     .kind = &tn_field_selection,
     .offset = offsetof(tn_record_def, markers),
     .doc = "Names of the markers recorded; default all.",
     .extra = &marker_selection},
};

static const tn_table record_table = {
    .title = "the record section", .section = TN_SECTION_RECORD, FIELDS(record_fields)};

/* the whole file ---------------------------------------------------------------------------------
 */

static const char *angle_word(int32_t index)
{
    static const char *const words[] = {"rad", "deg"};
    return index < (int32_t)TN_COUNT_OF(words) ? words[index] : NULL;
}

static const tn_words angle_words = {angle_word};

static const char *world_kind_word(int32_t index)
{
    return tn_world_kind_name((tn_world_kind)index);
}

static const tn_words world_kind_words = {world_kind_word};

static const tn_field world_damping_fields[] = {
    {.key = "frame",
     .kind = &tn_field_number,
     .offset = offsetof(tn_world_def, frame_damping),
     .unit = "N s/m",
     .doc = "Force against the velocity of a body's origin; default 0."},
    {.key = "rotary",
     .kind = &tn_field_number,
     .offset = offsetof(tn_world_def, rotary_damping),
     .unit = "N m s/rad",
     .doc = "Moment against the angular velocity; default 0."},
};

static const tn_table world_damping_table = {
    .title = "a damping", .section = TN_NO_SECTION, FIELDS(world_damping_fields)};

static const tn_item_class materials = {"material",       TN_SECTION_WORLD,     &tn_material_table,
                                        tn_read_material, tn_emitted_materials, tn_write_no_item};
static const tn_item_class bodies = {"body",       TN_SECTION_BODY,   &tn_body_table,
                                     tn_read_body, tn_emitted_bodies, tn_write_body};
static const tn_item_class joints = {"joint",       TN_SECTION_JOINT,  &tn_joint_table,
                                     tn_read_joint, tn_emitted_joints, tn_write_joint};
static const tn_item_class couplings = {"coupling",       TN_SECTION_COUPLING,  &tn_coupling_table,
                                        tn_read_coupling, tn_emitted_couplings, tn_write_coupling};
static const tn_item_class markers = {"marker",       TN_SECTION_MARKER,  &tn_marker_table,
                                      tn_read_marker, tn_emitted_markers, tn_write_marker};

static const tn_field model_fields[] = {
    {.key = "tenon",
     .kind = &tn_field_version,
     .doc = "Version of the format: 1.",
     .flags = TN_FIELD_REQUIRED},
    {.key = "world",
     .kind = &tn_field_world,
     .doc = "Kind of world: spatial (default) or planar, where bodies move in the x-y plane and "
            "vectors have two numbers.",
     .extra = &world_kind_words},
    {.key = "name",
     .kind = &tn_field_text,
     .offset = offsetof(tn_file_head, world) + offsetof(tn_world_def, name),
     .doc = "Title of the model."},
    {.key = "angle",
     .kind = &tn_field_angle_unit,
     .doc = "Unit of every angle in this file; default rad.",
     .extra = &angle_words},
    {.key = "gravity",
     .kind = &tn_field_vector,
     .offset = offsetof(tn_file_head, world) + offsetof(tn_world_def, gravity),
     .unit = "m/s^2",
     .doc = "Acceleration of free fall; default [0, 0, -9.81], [0, -9.81] in a planar world."},
    {.key = "damping",
     .kind = &tn_field_table,
     .offset = offsetof(tn_file_head, world),
     .doc = "Damping of all bodies that have none of their own.",
     .extra = &world_damping_table},
    {.key = "materials", .kind = &tn_field_items, .doc = "Densities by name.", .extra = &materials},
    {.key = "bodies",
     .kind = &tn_field_items,
     .doc = "The bodies by name.",
     .extra = &bodies,
     .flags = TN_FIELD_REQUIRED},
    {.key = "joints", .kind = &tn_field_items, .doc = "The joints by name.", .extra = &joints},
    {.key = "couplings",
     .kind = &tn_field_items,
     .doc = "Gears, racks, pulleys: relations between coordinates of joints, by name.",
     .extra = &couplings},
    {.key = "markers",
     .kind = &tn_field_items,
     .doc = "Named points to record.",
     .extra = &markers},
    {.key = "simulation",
     .kind = &tn_field_table,
     .offset = offsetof(tn_file_head, simulation),
     .doc = "How to run the model.",
     .extra = &simulation_table},
    {.key = "record",
     .kind = &tn_field_table,
     .offset = offsetof(tn_file_head, record),
     .doc = "What to record.",
     .extra = &record_table},
};

const tn_table tn_model_table = {
    .title = "a model", .section = TN_NO_SECTION, FIELDS(model_fields)};

const tn_table *const tn_named_tables[] = {&tn_pose_table,
                                           &tn_shape_table,
                                           &tn_body_table,
                                           &tn_joint_table,
                                           &tn_coupling_table,
                                           &tn_axis_table,
                                           &tn_driver_table,
                                           &tn_motor_table,
                                           &tn_friction_table,
                                           &tn_spring_table,
                                           &tn_marker_table,
                                           &tn_material_table,
                                           NULL};
