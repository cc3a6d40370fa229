/* shape.h: solid shapes and the mass, centre of mass and inertia that follow from them.
 *
 * A shape is a kind with a few dimensions, a pose in its body and a density or a mass. The kinds
 * and their parameters are a table (tn_shape_kind_get), from which readers, writers, schemas and
 * documentation are made. The properties of a body are the sum of those of its shapes
 * (tn_mass_properties_combine). Lengths in m, masses in kg.
 *
 *     tn_shape_def def = tn_default_shape_def(TN_SHAPE_CYLINDER);
 *     def.radius = 0.1;
 *     def.length = 0.5;
 *     tn_mass_properties props;
 *     tn_status status = tn_shape_mass_properties(&def, 7850.0, &props, NULL);
 */
#ifndef TENON_SHAPE_H
#define TENON_SHAPE_H

#include <stdbool.h>

#include "tenon/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One line per kind: identifier, name in model files, what it is and where its frame lies. */
#define TN_SHAPE_LIST(X)                                                                           \
    X(BOX, box, "Rectangular box centred on its frame.")                                           \
    X(SPHERE, sphere, "Solid ball.")                                                               \
    X(CYLINDER, cylinder, "Solid cylinder along z, centred on its frame.")                         \
    X(CAPSULE, capsule, "Cylinder along z closed by two half-balls, centred on its frame.")        \
    X(ELLIPSOID, ellipsoid, "Solid ellipsoid with its axes along x, y, z.")                        \
    X(ROUNDED_BOX, rounded_box,                                                                    \
      "Link plate: a bar along z whose two ends are rounded in the x-z plane; depth along y.")     \
    X(ROUNDED_CYLINDER, rounded_cylinder,                                                          \
      "Cylinder along z with half-ball ends, like the capsule, but optionally faceted.")           \
    X(EXTRUSION, extrusion, "Simple polygon in x-y extruded along z, centred in z.")               \
    X(MESH, mesh, "Closed triangle mesh; the solid is what it encloses.")

typedef enum tn_shape_kind {
#define TN_SHAPE_ENUM(id, name, doc) TN_SHAPE_##id,
    TN_SHAPE_LIST(TN_SHAPE_ENUM)
#undef TN_SHAPE_ENUM
        TN_SHAPE_KIND_COUNT
} tn_shape_kind;

/* A point of a plane. */
typedef struct tn_vec2 {
    double x, y;
} tn_vec2;

/* Corners as indices from 0, counter-clockwise seen from outside. */
typedef struct tn_triangle {
    int32_t v[3];
} tn_triangle;

/* The description of one shape. Start from tn_default_shape_def. Arrays and strings are borrowed: they
 * must outlive the calls that take the definition. A kind uses only the fields that its table
 * names. */
typedef struct tn_shape_def {
    uint32_t cookie; /* set by tn_default_shape_def */
    tn_shape_kind kind;
    tn_location at; /* its place in a file, for messages; zero: unknown */
    tn_pose pose;   /* shape frame to body frame */
    double density; /* kg/m^3; NAN: unset. At most one of density and mass may be set; */
    double mass;    /* kg; NAN: unset. with neither, the density of the body is used */

    tn_vec3 size;      /* m, edge lengths along x, y, z */
    tn_vec3 semi_axes; /* m, along x, y, z */
    double radius;     /* m */
    double length;     /* m, along z; of round-ended shapes: between the centres of the ends */
    double width;      /* m, along x; the diameter of the rounded ends */
    double depth;      /* m, along y */
    double height;     /* m, along z */
    int32_t slices;    /* facets of the round part; 0: exactly round */

    const tn_vec2 *points; /* m, corners of a simple polygon, either way round */
    int32_t point_count;

    const tn_vec3 *vertices; /* m before scaling */
    int32_t vertex_count;
    const tn_triangle *triangles;
    int32_t triangle_count;
    double scale;     /* factor on the vertices, for files that are not in m */
    const char *file; /* the file a reader took the mesh from, or NULL; never opened here */
} tn_shape_def;

/* A definition of this kind with identity pose and every dimension unset (NAN, 0, NULL), so that a
 * forgotten one is refused. */
TN_API tn_shape_def tn_default_shape_def(tn_shape_kind kind);

/* The type of the value of a parameter. */
typedef enum tn_shape_parameter_type {
    TN_SHAPE_PARAMETER_REAL,     /* count doubles, finite and positive */
    TN_SHAPE_PARAMETER_INTEGER,  /* int32_t: 0, or at least minimum and a multiple of multiple_of */
    TN_SHAPE_PARAMETER_POINTS,   /* points and point_count */
    TN_SHAPE_PARAMETER_VERTICES, /* vertices and vertex_count */
    TN_SHAPE_PARAMETER_TRIANGLES, /* triangles and triangle_count */
    TN_SHAPE_PARAMETER_FILE       /* const char *; stands for vertices and triangles */
} tn_shape_parameter_type;

/* One parameter of a kind. */
typedef struct tn_shape_parameter {
    const char *name; /* key in model files and name of the field in tn_shape_def */
    const char *unit; /* "m", or "" for a pure number */
    const char *doc;
    tn_shape_parameter_type type;
    int32_t count;       /* numbers in a REAL, otherwise 1 */
    int32_t minimum;     /* INTEGER: smallest value beside 0; POINTS and the like: fewest entries */
    int32_t multiple_of; /* INTEGER; otherwise 1 */
    bool optional;       /* the default of tn_default_shape_def is usable (mesh: or file given) */
    size_t offset;       /* of the field in tn_shape_def */
} tn_shape_parameter;

/* The row of a kind in the table. */
typedef struct tn_shape_kind_info {
    const char *name; /* in model files */
    const char *doc;
    const tn_shape_parameter *parameters;
    int32_t parameter_count;
} tn_shape_kind_info;

/* The row of a kind; NULL for a number that is no kind. */
TN_API const tn_shape_kind_info *tn_shape_kind_get(tn_shape_kind kind);
/* Finds a kind by its name in model files; TN_ERROR_NOT_FOUND. */
TN_API tn_status tn_shape_kind_find(const char *name, tn_shape_kind *kind);
/* The doubles of a REAL parameter inside a definition, count of them; to write and to read. */
TN_API double *tn_shape_reals(tn_shape_def *def, const tn_shape_parameter *parameter);
/* The same, to read. */
TN_API const double *tn_shape_reals_const(const tn_shape_def *def,
                                          const tn_shape_parameter *parameter);
/* The value of an INTEGER parameter, likewise. */
TN_API int32_t *tn_shape_integer(tn_shape_def *def, const tn_shape_parameter *parameter);
/* The same, to read. */
TN_API int32_t tn_shape_integer_const(const tn_shape_def *def, const tn_shape_parameter *parameter);

/* Checks one parameter on its own and reports problems at `at` (a reader knows where the key is).
 */
TN_API tn_status tn_shape_check_parameter(const tn_shape_def *def,
                                          const tn_shape_parameter *parameter, tn_location at,
                                          tn_diagnostics *diags);

/* Mass, centre and inertia of one shape, in the frame of its body. density (kg/m^3, NAN: none) is
 * that of the body, used if the shape has neither density nor mass of its own. The whole definition
 * is checked; problems are reported at def->at and leave *out unchanged. */
TN_API tn_status tn_shape_mass_properties(const tn_shape_def *def, double density,
                                          tn_mass_properties *out, tn_diagnostics *diags);

/* The sum of count parts, all in the same frame (parallel axes). No parts: all zero. */
TN_API tn_mass_properties tn_mass_properties_combine(const tn_mass_properties *parts,
                                                     int32_t count);

/* The same mass properties in another frame: t_ba maps the frame B of props to the result's frame A.
 */
TN_API tn_mass_properties tn_mass_properties_transform(tn_pose t_ba,
                                                       const tn_mass_properties *props);

/* Principal moments about the centre of mass (kg m^2, ascending) and the rotation that takes the
 * right-handed principal axes to body axes. Either result may be NULL. */
TN_API void tn_mass_properties_principal(const tn_mass_properties *props, tn_vec3 *moments,
                                         tn_quat *axes);

/* Whether a body may be without mass. */
typedef enum tn_mass_check { TN_MASS_POSITIVE, TN_MASS_MAY_BE_ZERO } tn_mass_check;

/* Checks that such a body can exist: finite, mass > 0 (or >= 0, then without inertia), inertia
 * symmetric, no negative principal moment, none larger than the sum of the other two. */
TN_API tn_status tn_mass_properties_check(const tn_mass_properties *props, tn_mass_check check,
                                          tn_location at, tn_diagnostics *diags);

#ifdef __cplusplus
}
#endif
#endif
