/* shape.c (room: spec/shape): the table of shape kinds.
 *
 * One line of TN_SHAPE_LIST, one parameter list below and the functions tn_moments_<kind> and
 * tn_outline_<kind> make a kind; nothing else in the library, the readers or the documentation
 * names one. A parameter says where in tn_shape_def its value lies, so that a reader can fill it
 * without knowing the kind.
 */
#include "tenon/shape.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "spec/shape/moments.h"
#include "spec/shape/outline.h"
#include "spec/shape/shape_check.h"

/* Readers fill triples as arrays. */
_Static_assert(sizeof(tn_vec3) == 3 * sizeof(double) && sizeof(tn_vec2) == 2 * sizeof(double),
               "vectors have no padding");

/* The three forms of a table row: a length, a triple of lengths, a number of facets. */
#define LENGTH(field, text)                                                                        \
    {                                                                                              \
        .name = #field, .unit = "m", .doc = text, .type = TN_SHAPE_PARAMETER_REAL, .count = 1,     \
        .multiple_of = 1, .offset = offsetof(tn_shape_def, field)                                  \
    }
#define LENGTHS_3(field, text)                                                                     \
    {                                                                                              \
        .name = #field, .unit = "m", .doc = text, .type = TN_SHAPE_PARAMETER_REAL, .count = 3,     \
        .multiple_of = 1, .offset = offsetof(tn_shape_def, field)                                  \
    }
#define SLICES(fewest, step, text)                                                                 \
    {                                                                                              \
        .name = "slices", .unit = "", .doc = text, .type = TN_SHAPE_PARAMETER_INTEGER, .count = 1, \
        .minimum = fewest, .multiple_of = step, .optional = true,                                  \
        .offset = offsetof(tn_shape_def, slices)                                                   \
    }

static const tn_shape_parameter PARAMETERS_box[] = {
    LENGTHS_3(size, "Edge lengths along x, y, z."),
};
static const tn_shape_parameter PARAMETERS_sphere[] = {
    LENGTH(radius, "Radius."),
};
static const tn_shape_parameter PARAMETERS_cylinder[] = {
    LENGTH(radius, "Radius."),
    LENGTH(length, "Length along z."),
};
static const tn_shape_parameter PARAMETERS_capsule[] = {
    LENGTH(radius, "Radius of the cylinder and of its half-ball ends."),
    LENGTH(length, "Length of the cylindrical part along z, between the centres of the ends."),
};
static const tn_shape_parameter PARAMETERS_ellipsoid[] = {
    LENGTHS_3(semi_axes, "Half the diameters along x, y, z."),
};
static const tn_shape_parameter PARAMETERS_rounded_box[] = {
    LENGTH(length, "Length along z between the centres of the rounded ends."),
    LENGTH(width, "Width along x; the diameter of the rounded ends."),
    LENGTH(depth, "Thickness along y."),
    SLICES(2, 1, "Facets of each rounded end, inscribed; 0: exactly round."),
};
static const tn_shape_parameter PARAMETERS_rounded_cylinder[] = {
    LENGTH(radius, "Radius of the cylinder and of its half-ball ends."),
    LENGTH(length, "Length along z between the centres of the rounded ends."),
    SLICES(4, 4,
           "Facets around the axis, inscribed, and a quarter as many in each half-ball from "
           "equator to pole; 0: exactly round."),
};
static const tn_shape_parameter PARAMETERS_extrusion[] = {
    {.name = "points",
     .unit = "m",
     .doc = "Corners [x, y] of a simple polygon in order, either way round.",
     .type = TN_SHAPE_PARAMETER_POINTS,
     .count = 1,
     .minimum = 3,
     .multiple_of = 1,
     .offset = offsetof(tn_shape_def, points)},
    LENGTH(height, "Height along z, half above and half below the x-y plane."),
};
static const tn_shape_parameter PARAMETERS_mesh[] = {
    {.name = "file",
     .unit = "",
     .doc = "STL, OBJ or MSH (MuJoCo) file to take vertices and triangles from.",
     .type = TN_SHAPE_PARAMETER_FILE,
     .count = 1,
     .multiple_of = 1,
     .optional = true,
     .offset = offsetof(tn_shape_def, file)},
    {.name = "vertices",
     .unit = "m",
     .doc = "Vertices [x, y, z], before scaling; instead of file.",
     .type = TN_SHAPE_PARAMETER_VERTICES,
     .count = 1,
     .minimum = 4,
     .multiple_of = 1,
     .optional = true,
     .offset = offsetof(tn_shape_def, vertices)},
    {.name = "triangles",
     .unit = "",
     .doc = "Triangles [i, j, k] of a closed surface: vertices from 0, counter-clockwise seen from "
            "outside.",
     .type = TN_SHAPE_PARAMETER_TRIANGLES,
     .count = 1,
     .minimum = 4,
     .multiple_of = 1,
     .optional = true,
     .offset = offsetof(tn_shape_def, triangles)},
    {.name = "scale",
     .unit = "",
     .doc = "Factor on the vertices: 0.001 for a file in millimetres.",
     .type = TN_SHAPE_PARAMETER_REAL,
     .count = 1,
     .multiple_of = 1,
     .optional = true,
     .offset = offsetof(tn_shape_def, scale)},
};

typedef struct shape_class {
    tn_shape_kind_info info;
    tn_moments_function moments;
    tn_outline_function outline;
} shape_class;

static const shape_class CLASSES[TN_SHAPE_KIND_COUNT] = {
#define CLASS_ROW(id, kind, text)                                                                  \
    {.info = {.name = #kind,                                                                       \
              .doc = text,                                                                         \
              .parameters = PARAMETERS_##kind,                                                     \
              .parameter_count = (int32_t)TN_COUNT_OF(PARAMETERS_##kind)},                         \
     .moments = tn_moments_##kind,                                                                 \
     .outline = tn_outline_##kind},
    TN_SHAPE_LIST(CLASS_ROW)
#undef CLASS_ROW
};

static bool is_kind(tn_shape_kind kind)
{
    return (int)kind >= 0 && (int)kind < TN_SHAPE_KIND_COUNT;
}

tn_shape_def tn_default_shape_def(tn_shape_kind kind)
{
    const double unset = (double)NAN;
    const tn_vec3 unset_3 = {unset, unset, unset};
    return (tn_shape_def){
        .cookie = TN_SHAPE_DEF_COOKIE,
        .kind = kind,
        .pose = {.q = {.w = 1.0}},
        .density = unset,
        .mass = unset,
        .size = unset_3,
        .semi_axes = unset_3,
        .radius = unset,
        .length = unset,
        .width = unset,
        .depth = unset,
        .height = unset,
        .scale = 1.0,
    };
}

const tn_shape_kind_info *tn_shape_kind_get(tn_shape_kind kind)
{
    return is_kind(kind) ? &CLASSES[kind].info : NULL;
}

tn_moments_function tn_moments_of_kind(tn_shape_kind kind)
{
    return CLASSES[kind].moments;
}

tn_outline_function tn_outline_of_kind(tn_shape_kind kind)
{
    return CLASSES[kind].outline;
}

tn_status tn_shape_kind_find(const char *name, tn_shape_kind *kind)
{
    TN_DEMAND(name && kind, TN_ERROR_ARGUMENT);
    for (int k = 0; k < TN_SHAPE_KIND_COUNT; k++) {
        if (strcmp(CLASSES[k].info.name, name) == 0) {
            *kind = (tn_shape_kind)k;
            return TN_OK;
        }
    }
    return TN_ERROR_NOT_FOUND;
}

const double *tn_shape_reals_const(const tn_shape_def *def, const tn_shape_parameter *parameter)
{
    TN_DEMAND(def && parameter, NULL);
    return (const double *)(const void *)((const char *)def + parameter->offset);
}

double *tn_shape_reals(tn_shape_def *def, const tn_shape_parameter *parameter)
{
    TN_DEMAND(def && parameter, NULL);
    return (double *)(void *)((char *)def + parameter->offset);
}

int32_t tn_shape_integer_const(const tn_shape_def *def, const tn_shape_parameter *parameter)
{
    TN_DEMAND(def && parameter, 0);
    return *(const int32_t *)(const void *)((const char *)def + parameter->offset);
}

int32_t *tn_shape_integer(tn_shape_def *def, const tn_shape_parameter *parameter)
{
    TN_DEMAND(def && parameter, NULL);
    return (int32_t *)(void *)((char *)def + parameter->offset);
}
