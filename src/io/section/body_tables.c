/* body_tables.c: the keys of poses, bodies, their shapes and markers.
 *
 * Room io/section. See tables.c, the top of the format.
 */
#include "io/section/sections.h"
#include "io/value/shape_parts.h"

#include "spec/spec_internal.h"

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
        {.key = "matrix",                                                                          \
         .kind = &tn_field_matrix,                                                                 \
         .offset = (at),                                                                           \
         .doc = "Rotation as 3 x 3 matrix, row by row; its columns are the axes.",                 \
         .group = "rotation",                                                                      \
         .flags = TN_FIELD_READ_ONLY},                                                             \
        {.key = "axes",                                                                            \
         .kind = &tn_field_two_axes,                                                               \
         .offset = (at),                                                                           \
         .doc = "Rotation by where two of the axes x, y, z point; they are square.",               \
         .group = "rotation",                                                                      \
         .flags = TN_FIELD_READ_ONLY},                                                             \
    {                                                                                              \
        .key = "rpy", .kind = &tn_field_rpy, .offset = (at),                                       \
        .doc = "Rotation as [roll, pitch, yaw], R = Rz(roll) Ry(pitch) Rx(yaw). Roll is about z "  \
               "here, as in ArtiSynth; URDF and ROS have it about x: their three numbers come in " \
               "the reverse order;",                                                               \
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
    .name = "pose", .title = "a pose", .section = TN_NO_SECTION, TN_FIELDS(pose_fields)};

/* body ---------------------------------------------------------------------------------------- */

static const char *body_kind_word(int32_t index)
{
    return tn_body_kind_name((tn_body_kind)index);
}

static const tn_words body_kind_words = {body_kind_word};

static const tn_field velocity_fields[] = {
    {TN_FIELD("linear", vector, tn_twist, v), .doc = "Velocity of the body's origin, world axes.",
     .unit = "m/s"},
    {TN_FIELD("angular", spin, tn_twist, w),
     .doc = "Angular velocity, world axes; a number about z in a planar world;", .unit = "1/s",
     .measure = "rad/s", .flags = TN_FIELD_ANGLE},
};

static const tn_table velocity_table = {
    .title = "a velocity", .section = TN_NO_SECTION, TN_FIELDS(velocity_fields)};

static const tn_field body_damping_fields[] = {
    {TN_FIELD("frame", number, tn_body_def, frame_damping),
     .doc = "Force against the velocity of the body's origin.", .unit = "N s/m"},
    {TN_FIELD("rotary", number, tn_body_def, rotary_damping),
     .doc = "Moment against the angular velocity.", .unit = "N m s/rad"},
};

static const tn_table body_damping_table = {
    .title = "a damping", .section = TN_NO_SECTION, TN_FIELDS(body_damping_fields)};

static const tn_field body_fields[] = {
    TN_REPEAT_FIELD,
    {TN_FIELD("kind", word, tn_body_def, kind),
     .doc = "How the body can move; default rigid, planar in a planar world.",
     .extra = &body_kind_words},
    POSE_FIELDS(offsetof(tn_body_def, pose)),
    {TN_FIELD("velocity", table, tn_body_def, velocity), .doc = "Initial velocity; default none.",
     .extra = &velocity_table},
    {TN_FIELD("mass", number, tn_body_def, mass), .doc = "Mass; default from the shapes.",
     .unit = "kg"},
    {TN_FIELD("center_of_mass", vector, tn_body_def, com),
     .doc = "Centre of mass, body frame; default from the shapes, or the origin.", .unit = "m"},
    {TN_FIELD("inertia", inertia, tn_body_def, inertia),
     .doc = "Inertia about the centre of mass, body axes: [Jxx, Jyy, Jzz], or [Jxx, Jyy, Jzz, Jxy, "
            "Jxz, Jyz], or 3 x 3; a planar body may give Jzz alone. Default from the shapes.",
     .unit = "kg m^2"},
    {TN_FIELD("density", number, tn_body_def, density),
     .doc = "Density of the shapes that have none of their own.", .unit = "kg/m^3",
     .group = "density"},
    {TN_FIELD("material", material, tn_body_def, density),
     .doc = "Density of the shapes, by the name of a material.", .group = "density",
     .flags = TN_FIELD_READ_ONLY},
    {TN_KEY("shapes", shapes), .doc = "Solids the body is made of."},
    {TN_KEY("damping", table), .doc = "Damping of this body; default that of the model.",
     .extra = &body_damping_table},
};

const tn_table tn_body_table = {
    .name = "body", .title = "a body", .section = TN_NO_SECTION, TN_FIELDS(body_fields)};

/* instance ------------------------------------------------------------------------------------ */

static const tn_field instance_fields[] = {
    {TN_KEY("part", part), .doc = "The part that is made, by the name it has under 'parts'.",
     .flags = TN_FIELD_REQUIRED},
    TN_REPEAT_FIELD,
    POSE_FIELDS(offsetof(tn_instance, pose)),
    {TN_KEY("parameters", parameters),
     .doc = "Values of the part's parameters instead of its own."},
};

const tn_table tn_instance_table = {.name = "instance",
                                    .title = "an instance",
                                    .section = TN_NO_SECTION,
                                    TN_FIELDS(instance_fields)};

/* shape --------------------------------------------------------------------------------------- */

static const tn_field shape_fields[] = {
    TN_REPEAT_FIELD,
    POSE_FIELDS(offsetof(tn_shape_def, pose)),
    {TN_FIELD("density", number, tn_shape_def, density), .doc = "Density of this shape.",
     .unit = "kg/m^3", .group = "matter"},
    {TN_FIELD("mass", number, tn_shape_def, mass), .doc = "Mass of this shape.", .unit = "kg",
     .group = "matter"},
    {TN_FIELD("material", material, tn_shape_def, density),
     .doc = "Density of this shape, by the name of a material.", .group = "matter",
     .flags = TN_FIELD_READ_ONLY},
};

const tn_table tn_shape_table = {.name = "shape",
                                 .title = "a shape",
                                 .section = TN_NO_SECTION,
                                 TN_FIELDS(shape_fields),
                                 .read_other = tn_read_shape_kind,
                                 .schema_other = tn_schema_shape_kinds,
                                 .other_key = tn_shape_key};

/* marker --------------------------------------------------------------------------------------- */

static const tn_field marker_fields[] = {
    TN_REPEAT_FIELD,
    {TN_FIELD("body", body, tn_marker_def, body),
     .doc = "The body the point belongs to, or ground.",
     .flags = TN_FIELD_REQUIRED | TN_FIELD_GROUND},
    {TN_FIELD("position", vector, tn_marker_def, position),
     .doc = "The point in the body frame; default [0, 0, 0].", .unit = "m"},
    ROTATION_FIELDS(offsetof(tn_marker_def, rotation)),
};

const tn_table tn_marker_table = {
    .name = "marker", .title = "a marker", .section = TN_NO_SECTION, TN_FIELDS(marker_fields)};
