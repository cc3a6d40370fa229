/* spec.h: the description of a mechanism: its world, and the calls that add bodies, joints, markers and couplings to it.
 *
 * Fill a definition struct (body.h, connection.h, simulation.h) from its tn_default_..._def() (the cookie catches = {0}), change
 * what you need, add it. Adding copies everything. Nothing is checked here beyond cookies and arrays: compiling
 * (model.h) reports all problems at once. Optional numbers are unset when NaN.
 */
#ifndef TENON_SPEC_H
#define TENON_SPEC_H

#include "tenon/body.h"
#include "tenon/connection.h"
#include "tenon/ids.h"
#include "tenon/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kind of world of a model file. One line per kind: enum, name in model files, what it is. */
#define TN_WORLD_KIND_LIST(X)                                                                      \
    X(TN_WORLD_SPATIAL, "spatial", "bodies are rigid unless they say otherwise")                   \
    X(TN_WORLD_PLANAR, "planar",                                                                   \
      "bodies move in the x-y plane unless they say otherwise; two numbers make a vector")

typedef enum tn_world_kind {
#define TN_WORLD_KIND_ENUM(kind, name, text) kind,
    TN_WORLD_KIND_LIST(TN_WORLD_KIND_ENUM)
#undef TN_WORLD_KIND_ENUM
        TN_WORLD_KIND_COUNT
} tn_world_kind;

/* The name in model files; NULL for a value that is none of the list. */
TN_API const char *tn_world_kind_name(tn_world_kind kind);

/* What is up in pictures. One line per kind: enum, name in model files. */
#define TN_UP_LIST(X)                                                                              \
    X(TN_UP_FROM_GRAVITY, "from_gravity")                                                          \
    X(TN_UP_X, "x")                                                                                \
    X(TN_UP_Y, "y")                                                                                \
    X(TN_UP_Z, "z")

typedef enum tn_up {
#define TN_UP_ENUM(up, name) up,
    TN_UP_LIST(TN_UP_ENUM)
#undef TN_UP_ENUM
        TN_UP_COUNT
} tn_up;

/* The name in model files; NULL for a value that is none of the list. */
TN_API const char *tn_up_name(tn_up up);

/* Properties of the whole world. In a planar world everything about planar bodies must lie in the plane;
 * bodies of other kinds may take part. In calls, each body has its kind given in either world. */
typedef struct tn_world_def {
    uint32_t cookie;
    tn_world_kind kind;
    const char *name;      /* title of the model; may be NULL */
    tn_vec3 gravity;       /* m/s^2 */
    double frame_damping;  /* N s/m, default of all bodies */
    double rotary_damping; /* N m s/rad, default of all bodies */
    tn_up up;              /* drawing */
    tn_location at;
} tn_world_def;

/* Definitions with their cookie and defaults; pointers are NULL and optional numbers NaN. */
/* A rigid body at the origin, at rest, without mass. */
TN_API tn_body_def tn_default_body_def(void);
/* A joint without type and bodies, placed by a world frame (TN_PLACE_WORLD_FRAME), hard, without limits and drives. */
TN_API tn_joint_def tn_default_joint_def(void);
/* The origin and axes of a body. */
TN_API tn_marker_def tn_default_marker_def(void);
/* Held at its initial value, without terms. */
TN_API tn_coupling_def tn_default_coupling_def(void);
/* On the ground, taut, with ratio 1. */
TN_API tn_pulley_def tn_default_pulley_def(void);
/* generalized_alpha with steps of 1e-3 s, for 1 s. */
TN_API tn_simulation_def tn_default_simulation_def(void);
/* All quantities of all items, at every step. */
TN_API tn_record_def tn_default_record_def(void);
/* Spatial, gravity (0, 0, -9.81) m/s^2, no damping. */
TN_API tn_world_def tn_default_world_def(void);
/* A world of that kind: gravity of a planar one is (0, -9.81, 0) m/s^2. */
TN_API tn_world_def tn_default_world_of(tn_world_kind kind);

/* T_CD of a joint of this type, parameters and data at the coordinates q (rad, m; as many as the type has), as
 * tn_joint_coordinates_to_pose; the joint need not be attached, and nothing else of def is used. TN_ERROR_INPUT: the type is
 * unknown or its data are unusable; TN_ERROR_MEMORY. */
TN_API tn_status tn_joint_def_coordinates_to_pose(const tn_joint_def *def, const double *q,
                                                  tn_pose *t_cd);
/* The inverse, as tn_joint_pose_to_coordinates: coordinates q of the legal pose *t_gd that is nearest to t_cd. Angles are taken
 * nearest to those of reference. Errors as above. */
TN_API tn_status tn_joint_def_pose_to_coordinates(const tn_joint_def *def, tn_pose t_cd,
                                                  const double *reference, double *q,
                                                  tn_pose *t_gd);

typedef struct tn_spec tn_spec;

/* A world of the default kind with nothing in it; NULL: out of memory. */
TN_API tn_spec *tn_spec_create(void);
/* Frees a spec and all its copies; NULL is allowed. Models compiled from it stay valid. */
TN_API void tn_spec_destroy(tn_spec *spec);

/* The calls below copy what their definition points to. They return TN_ERROR_ARGUMENT for a NULL pointer, a missing cookie or
 * an unusable array (a count without its array), and TN_ERROR_MEMORY; the spec is then as it was. */
/* Replaces the properties of the world. */
TN_API tn_status tn_spec_set_world(tn_spec *spec, const tn_world_def *def);
/* Replaces how the model is simulated. */
TN_API tn_status tn_spec_set_simulation(tn_spec *spec, const tn_simulation_def *def);
/* Replaces what is recorded. */
TN_API tn_status tn_spec_set_record(tn_spec *spec, const tn_record_def *def);
/* Adds a body; *out, unless out is NULL, is its id. */
TN_API tn_status tn_spec_add_body(tn_spec *spec, const tn_body_def *def, tn_body *out);
/* Adds a joint between bodies of the spec; *out, unless out is NULL, is its id. */
TN_API tn_status tn_spec_add_joint(tn_spec *spec, const tn_joint_def *def, tn_joint *out);
/* Adds a marker on a body of the spec or the ground; *out, unless out is NULL, is its id. */
TN_API tn_status tn_spec_add_marker(tn_spec *spec, const tn_marker_def *def, tn_marker *out);
/* Adds a coupling of coordinates of the spec's joints; *out, unless out is NULL, is its id. */
TN_API tn_status tn_spec_add_coupling(tn_spec *spec, const tn_coupling_def *def, tn_coupling *out);
/* Adds a rope: two joints of type distance, "<name>_a" and "<name>_b", and the coupling of their lengths, whose id is *out
 * (out may be NULL). */
TN_API tn_status tn_spec_add_pulley(tn_spec *spec, const tn_pulley_def *def, tn_coupling *out);

/* Removal of an item takes all that depends on it along. Other items keep their ids: a removed item keeps its index
 * but does nothing, and its name, then "(removed joint 3)", is free for others. A load on several bodies stays
 * on the remaining ones. Formulas that name a removed item are reported as errors when the spec is compiled.
 * TN_ERROR_NOT_FOUND: it was removed before. TN_ERROR_CONFLICT: it is a node or a hold of an elastic solid.
 * TN_ERROR_MEMORY: nothing is removed. For a running simulation: tn_sim_change. */
/* Removes a body with its joints, markers and loads. */
TN_API tn_status tn_spec_remove_body(tn_spec *spec, tn_body body);
/* Removes a joint with the couplings, loads and measures along it. */
TN_API tn_status tn_spec_remove_joint(tn_spec *spec, tn_joint joint);
/* Removes a coupling with the loads and measures along it. */
TN_API tn_status tn_spec_remove_coupling(tn_spec *spec, tn_coupling coupling);

/* The calls below read the description. Pointers are the spec's own copies: valid until it changes or is destroyed. */
/* The properties of the world. */
TN_API const tn_world_def *tn_spec_world(const tn_spec *spec);
/* How it is simulated. */
TN_API const tn_simulation_def *tn_spec_simulation(const tn_spec *spec);
/* What is recorded. */
TN_API const tn_record_def *tn_spec_record(const tn_spec *spec);
/* The number of bodies, removed ones included: ids are 0 to this - 1. */
TN_API int32_t tn_spec_body_count(const tn_spec *spec);
/* The number of joints, removed ones included. */
TN_API int32_t tn_spec_joint_count(const tn_spec *spec);
/* The number of markers, removed ones included. */
TN_API int32_t tn_spec_marker_count(const tn_spec *spec);
/* The number of couplings, removed ones included. */
TN_API int32_t tn_spec_coupling_count(const tn_spec *spec);
/* A body's definition; NULL for an id that is none of this spec. */
TN_API const tn_body_def *tn_spec_body(const tn_spec *spec, tn_body body);
/* A joint's definition; NULL for an id that is none of this spec. */
TN_API const tn_joint_def *tn_spec_joint(const tn_spec *spec, tn_joint joint);
/* A marker's definition; NULL for an id that is none of this spec. */
TN_API const tn_marker_def *tn_spec_marker(const tn_spec *spec, tn_marker marker);
/* A coupling's definition; NULL for an id that is none of this spec. */
TN_API const tn_coupling_def *tn_spec_coupling(const tn_spec *spec, tn_coupling coupling);

#ifdef __cplusplus
}
#endif
#endif
