/* model.h: a compiled mechanism: checked, immutable, shareable between threads.
 *
 * All analysis that depends only on the topology happens here, once: mass properties, frames,
 * elimination order, sizes. Compiling either succeeds or reports every problem and builds nothing.
 */
#ifndef TENON_MODEL_H
#define TENON_MODEL_H

#include "tenon/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A compiled mechanism. */
typedef struct tn_model tn_model;

/* Compiles a spec; the spec may be destroyed afterwards. TN_ERROR_INPUT: the diagnostics list everything
 * that is wrong, and *out is NULL. */
TN_API tn_status tn_model_compile(const tn_spec *spec, tn_diagnostics *diags, tn_model **out);
/* Frees the model; its simulations must have been destroyed before. NULL is accepted. */
TN_API void tn_model_destroy(tn_model *model);

/* Numbers of items of a model. */
typedef struct tn_model_size {
    int32_t bodies; /* all, fixed ones included */
    int32_t moving; /* bodies that are not fixed */
    int32_t joints;
    int32_t markers;
    int32_t couplings;
    int32_t velocities; /* sum of the bodies' motion dimensions */
    int32_t rows;       /* bilateral rows of joints, rods and held couplings */
    int32_t gruebler;   /* velocities - rows: degrees of freedom if all rows were independent */
} tn_model_size;

/* The numbers of items. */
TN_API tn_model_size tn_model_get_size(const tn_model *model);
/* The title of the model. */
TN_API const char *tn_model_name(const tn_model *model); /* never NULL */
/* The simulation section, owned by the model. */
TN_API const tn_simulation_def *tn_model_simulation(const tn_model *model);
/* The record section, owned by the model. */
TN_API const tn_record_def *tn_model_record(const tn_model *model);

/* By name; TN_ERROR_NOT_FOUND leaves *out unchanged. */
TN_API tn_status tn_model_find_body(const tn_model *model, const char *name, tn_body *out);
/* Likewise. */
TN_API tn_status tn_model_find_joint(const tn_model *model, const char *name, tn_joint *out);
/* Likewise. */
TN_API tn_status tn_model_find_coupling(const tn_model *model, const char *name, tn_coupling *out);
/* Likewise. */
TN_API tn_status tn_model_find_marker(const tn_model *model, const char *name, tn_marker *out);
/* A coordinate of a joint by its name ("theta"). The coordinate of a coupling is called "value". */
TN_API tn_status tn_model_find_coordinate(const tn_model *model, tn_joint joint, const char *name,
                                          int32_t *coordinate);
/* The name of a body; "ground" for index -1; "": no such body. */
TN_API const char *tn_model_body_name(const tn_model *model, tn_body body);
/* The name of a joint, or of a coupling as a joint; "": no such joint. */
TN_API const char *tn_model_joint_name(const tn_model *model, tn_joint joint);
/* The name of a coupling; "": no such coupling. */
TN_API const char *tn_model_coupling_name(const tn_model *model, tn_coupling coupling);
/* 1 if the item exists; 0 if it was removed from the spec or never existed. */
TN_API int tn_model_has_body(const tn_model *model, tn_body body);
/* Likewise; also for a coupling as a joint. */
TN_API int tn_model_has_joint(const tn_model *model, tn_joint joint);
/* Likewise. */
TN_API int tn_model_has_coupling(const tn_model *model, tn_coupling coupling);
/* Likewise. */
TN_API int tn_model_has_marker(const tn_model *model, tn_marker marker);
/* The body a marker is on; ground: index -1. */
TN_API tn_body tn_model_marker_body(const tn_model *model, tn_marker marker);
/* The name of a marker; "": no such marker. */
TN_API const char *tn_model_marker_name(const tn_model *model, tn_marker marker);

/* A coupling as a joint with one coordinate (TN_COUPLING_JOINTS). Every call about coordinates that
 * takes a joint accepts it: ranges, locks, compliance, drives, events, setting. It has no frames, and arrays
 * with one entry per joint do not contain it. */
TN_API tn_joint tn_model_coupling_joint(const tn_model *model, tn_coupling coupling);

/* The kind of world. */
TN_API tn_world_kind tn_model_world_kind(const tn_model *model);
/* The upward axis in pictures: as the model says, else y in a planar world, else the axis nearest to the direction
 * opposite to gravity; z without gravity. */
TN_API tn_up tn_model_up(const tn_model *model);
/* The kind of a body. */
TN_API tn_body_kind tn_model_body_kind(const tn_model *model, tn_body body);
/* Mass, centre of mass and inertia of a body as compiled; NaN: no such body. */
TN_API tn_mass_properties tn_model_body_mass(const tn_model *model, tn_body body);
/* The type of a joint; i is -1 if there is no such joint. */
TN_API tn_joint_type tn_model_joint_type(const tn_model *model, tn_joint joint);
/* Rows and coordinates of a joint: those of the type, or its own (tn_joint_info). Owned by the model. */
TN_API const tn_joint_type_info *tn_model_joint_info(const tn_model *model, tn_joint joint);
/* The bodies of a joint; ground has index TN_GROUND_INDEX. */
TN_API void tn_model_joint_bodies(const tn_model *model, tn_joint joint, tn_body *a, tn_body *b);
/* Frame C in A and frame D in B (in the world when B is ground). */
TN_API void tn_model_joint_frames(const tn_model *model, tn_joint joint, tn_pose *t_ca,
                                  tn_pose *t_db);
/* Compliance and damping of each row as compiled, [row_count]; 0 compliance is hard. */
TN_API void tn_model_joint_compliance(const tn_model *model, tn_joint joint, double *compliance,
                                      double *damping);

#ifdef __cplusplus
}
#endif
#endif
