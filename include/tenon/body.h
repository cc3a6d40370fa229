/* body.h: bodies and their markers.
 *
 * Optional numbers are unset when NaN; cookies are set by tn_default_body_def and tn_default_marker_def (spec.h).
 */
#ifndef TENON_BODY_H
#define TENON_BODY_H

#include "tenon/ids.h"
#include "tenon/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A body kind is a motion subspace. One line per kind: enum, name in model files, dimensions. */
#define TN_BODY_KIND_LIST(X)                                                                       \
    X(TN_BODY_RIGID, "rigid", 6, "six degrees of freedom")                                         \
    X(TN_BODY_FIXED, "fixed", 0, "does not move")                                                  \
    X(TN_BODY_PLANAR, "planar", 3, "moves in x and y and turns about z")                           \
    X(TN_BODY_PARTICLE, "particle", 3, "a point mass that does not turn")                          \
    X(TN_BODY_PLANAR_PARTICLE, "planar_particle", 2,                                               \
      "a point mass in the x-y plane: what a particle of a planar world is")

typedef enum tn_body_kind {
#define TN_BODY_KIND_ENUM(kind, name, dim, text) kind,
    TN_BODY_KIND_LIST(TN_BODY_KIND_ENUM)
#undef TN_BODY_KIND_ENUM
        TN_BODY_KIND_COUNT
} tn_body_kind;

/* The name in model files; NULL for a value that is none of the list. */
TN_API const char *tn_body_kind_name(tn_body_kind kind);
/* The kind of a name in model files. TN_ERROR_NOT_FOUND: there is none, and *out stays; TN_ERROR_ARGUMENT: a NULL pointer. */
TN_API tn_status tn_body_kind_find(const char *name, tn_body_kind *out);

/* A body, of known mass and initial motion. Mass comes from `mass` and `inertia` when set, else from the shapes. A mass together with shapes
 * but without inertia scales the shapes' properties to that mass. */
typedef struct tn_body_def {
    uint32_t cookie;
    const char *name; /* NULL: "body<i>" */
    tn_body_kind kind;
    tn_pose pose;               /* body frame in the world at t = 0 */
    tn_twist velocity;          /* world axes, at the body's origin */
    double mass;                /* kg; NaN: from shapes */
    tn_vec3 com;                /* m, body frame; x NaN: from shapes, or the origin */
    tn_mat3 inertia;            /* kg m^2 about com, body axes; m[0][0] NaN: from shapes */
    double density;             /* kg/m^3 for shapes without their own; NaN: unset */
    const tn_shape_def *shapes; /* [shape_count] */
    int32_t shape_count;
    double frame_damping;  /* N s/m, force -d v at the body's origin; NaN: the spec's default */
    double rotary_damping; /* N m s/rad, moment -d w; NaN: the spec's default */
    tn_location at;        /* where it is in the file; file NULL: nowhere */
} tn_body_def;

/* A named point of a body (or of the world), to record or to move to a place. Its axes, for example of a tool or a
 * camera, can be recorded or moved to an orientation. */
typedef struct tn_marker_def {
    uint32_t cookie;
    const char *name; /* NULL: "marker<i>" */
    tn_body body;
    tn_vec3 position; /* m, body frame */
    tn_quat rotation; /* of the marker's axes in the body frame; unit */
    tn_location at;
} tn_marker_def;

#ifdef __cplusplus
}
#endif
#endif
