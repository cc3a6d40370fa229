/* load.h: what acts on bodies from outside the joints: forces and moments, fields, efforts along
 * coordinates; in the description of a mechanism, step by step, and computed by the program.
 *
 * A load is exact in every integrator at its order: it is evaluated wherever the equations are, at
 * the time, pose and velocity of that stage. Its work is part of tn_energy.work.
 *
 * A table that is tn_function_def.bounded, and a direction between two points that meet, may leave
 * a load without a value: the step then fails with TN_ERROR_LOAD, and its report names the load.
 */
#ifndef TENON_LOAD_H
#define TENON_LOAD_H

#include "tenon/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One line per kind: enum, name, what it is. */
#define TN_LOAD_KIND_LIST(X)                                                                       \
    X(TN_LOAD_WRENCH, "wrench", "force and moment on a body at a point of it")                     \
    X(TN_LOAD_PAIR, "pair", "force and moment between two markers, on both their bodies")          \
    X(TN_LOAD_EFFORT, "effort", "force or moment along a coordinate of a joint, on both bodies")   \
    X(TN_LOAD_UNIFORM, "uniform", "the same acceleration of free fall everywhere, times mass")     \
    X(TN_LOAD_GRAVITY, "gravity", "gravity scaled, for some bodies")                               \
    X(TN_LOAD_DRAG, "drag", "against the velocity relative to a medium")                           \
    X(TN_LOAD_CENTRAL, "central", "attraction of masses by a point")                               \
    X(TN_LOAD_PRESSURE, "pressure", "on a surface of an elastic solid, against its normal now")

typedef enum tn_load_kind {
#define TN_LOAD_KIND_ENUM(kind, name, text) kind,
    TN_LOAD_KIND_LIST(TN_LOAD_KIND_ENUM)
#undef TN_LOAD_KIND_ENUM
        TN_LOAD_KIND_COUNT
} tn_load_kind;

/* Name in model files; NULL: no such kind. */
TN_API const char *tn_load_kind_name(tn_load_kind kind);

/* The axes in which force and moment are given. One line per choice: enum, name in model files. */
#define TN_LOAD_AXES_LIST(X)                                                                       \
    X(TN_AXES_WORLD, "world", "fixed in the world: a dead load (default)")                         \
    X(TN_AXES_BODY, "body",                                                                        \
      "those of the body: a follower load; between markers the first's body")                      \
    X(TN_AXES_MARKER, "marker", "those of the marker; between markers the first's")

typedef enum tn_load_axes {
#define TN_LOAD_AXES_ENUM(axes, name, text) axes,
    TN_LOAD_AXES_LIST(TN_LOAD_AXES_ENUM)
#undef TN_LOAD_AXES_ENUM
        TN_LOAD_AXES_COUNT
} tn_load_axes;

/* Name in model files; NULL: no such choice. */
TN_API const char *tn_load_axes_name(tn_load_axes axes);

/* Fill it from tn_default_load_def(kind). Functions are of the time in s; none: 0. Optional numbers
 * are unset when NaN, markers when their index is negative. */
typedef struct tn_load_def {
    uint32_t cookie;
    const char *name; /* NULL: "load<i>" */
    tn_load_kind kind;
    /* Bodies it acts on: TN_LOAD_WRENCH one, fields any number; -1: all that move. */
    const tn_body *bodies; /* [body_count] */
    int32_t body_count;
    /* TN_LOAD_WRENCH: a marker instead of a body and a point. TN_LOAD_PAIR: markers[0] is pushed by
     * force, moment and thrust, at its point; the body of markers[1] feels the opposite at that
     * point. TN_LOAD_CENTRAL: markers[0] is the centre, unless there is a point. */
    tn_marker markers[2];
    /* m. TN_LOAD_WRENCH: in the body frame, the origin unless set. TN_LOAD_DRAG: in the body frame,
     * the centre of mass unless set. TN_LOAD_CENTRAL: the centre in the world. x NaN: unset. */
    tn_vec3 point;
    tn_load_axes axes;         /* of force and moment */
    tn_function_def force[3];  /* N */
    tn_function_def moment[3]; /* N m */
    tn_function_def thrust;    /* N, of a pair: pushes the markers apart along their line */
    tn_joint joint;            /* TN_LOAD_EFFORT: not a coupling */
    int32_t coordinate;
    tn_function_def effort;          /* N or N m, pushes the coordinate up */
    tn_function_def acceleration[3]; /* m/s^2, world axes, of TN_LOAD_UNIFORM */
    double scale; /* TN_LOAD_GRAVITY: factor on gravity; 0: no weight, 1: unchanged */
    /* TN_LOAD_DRAG: force -(linear + quadratic |v|) v, v the velocity of the point less the
     * medium's; moment -(rotary + rotary_quadratic |w|) w. NaN: 0. */
    double linear, quadratic;        /* N s/m, N s^2/m^2; >= 0 */
    double rotary, rotary_quadratic; /* N m s/rad, N m s^2/rad^2; >= 0 */
    tn_function_def medium[3];       /* m/s, world axes */
    /* TN_LOAD_CENTRAL: acceleration strength / r^exponent towards the centre, at centres of mass.
     * exponent NaN: 2, gravitation; -1: a spring to the centre. */
    double strength, exponent; /* m^(1 + exponent) / s^2; positive attracts */
    tn_solid solid;            /* TN_LOAD_PRESSURE: the solid that has the surface */
    int32_t surface;           /* its number among tn_solid_def.surfaces */
    tn_function_def pressure;  /* Pa, pushes inwards; follows the surface as it deforms */
    tn_location at;
} tn_load_def;

/* A load of this kind without functions, bodies and markers, with numbers unset. */
TN_API tn_load_def tn_default_load_def(tn_load_kind kind);

/* As for the other definitions (spec.h). */
TN_API tn_status tn_spec_add_load(tn_spec *spec, const tn_load_def *def, tn_load *out);
/* As tn_spec_remove_joint. */
TN_API tn_status tn_spec_remove_load(tn_spec *spec, tn_load load);
/* Number of loads, removed ones included. */
TN_API int32_t tn_spec_load_count(const tn_spec *spec);
/* The definition of a load, a copy owned by the spec; NULL: no such load. */
TN_API const tn_load_def *tn_spec_load(const tn_spec *spec, tn_load load);

/* Number of loads, removed ones included. */
TN_API int32_t tn_model_load_count(const tn_model *model);
/* By name; TN_ERROR_NOT_FOUND leaves *out unchanged. */
TN_API tn_status tn_model_find_load(const tn_model *model, const char *name, tn_load *out);
TN_API int tn_model_has_load(const tn_model *model, tn_load load); /* as tn_model_has_body */
/* The name of a load; "": no such load. */
TN_API const char *tn_model_load_name(const tn_model *model, tn_load load);

/* Loads for the next step only, constant during it. Calls add up, and a successful step clears them. A wrench
 * is a dead force and moment, world axes, about the body's origin; an effort (N or N m) pushes the coordinate
 * of a joint up. For what varies smoothly with time or motion use a load of the model or a callback.
 * TN_ERROR_ARGUMENT: no such body, joint or coordinate (couplings have none), or a number that is not finite. */
TN_API tn_status tn_sim_apply_wrench(tn_sim *sim, tn_body body, tn_wrench wrench);
/* See tn_sim_apply_wrench. */
TN_API tn_status tn_sim_apply_effort(tn_sim *sim, tn_joint joint, int32_t coordinate,
                                     double effort);
/* Removes what was applied since the last step. */
TN_API void tn_sim_clear_applied(tn_sim *sim);

/* Loads computed by the program at every stage of every step. tn_stage has the pose and velocity of the stage,
 * which may be a trial that is discarded. The callback must be pure: the same time and motion give the same
 * loads. Which calls are allowed inside: docs/howto/c_interface.md, Callbacks; calls that change the simulation
 * return TN_ERROR_BUSY. NULL removes the callback. */
typedef struct tn_stage tn_stage;
/* Adds the loads of one stage by tn_stage_add_wrench and tn_stage_add_effort. */
typedef void (*tn_load_callback)(void *context, tn_stage *stage);
/* Sets or (NULL) removes the callback. context is passed to it. TN_ERROR_BUSY: called inside a step. */
TN_API tn_status tn_sim_set_load_callback(tn_sim *sim, tn_load_callback callback, void *context);

/* The time of the stage. */
TN_API double tn_stage_time(const tn_stage *stage); /* s */
/* As tn_sim_body_pose and tn_sim_body_velocity. */
TN_API tn_pose tn_stage_body_pose(const tn_stage *stage, tn_body body);
/* As tn_sim_body_velocity. */
TN_API tn_twist tn_stage_body_velocity(const tn_stage *stage, tn_body body);
/* Coordinates and their speeds, [TN_MAX_COORDINATES]; of a coupling its value. */
TN_API void tn_stage_coordinates(const tn_stage *stage, tn_joint joint, double *q, double *speed);
/* On the body, world axes, about its origin; along the coordinate of a joint. */
TN_API void tn_stage_add_wrench(tn_stage *stage, tn_body body, tn_wrench wrench);
/* Adds an effort (N or N m) along a coordinate of a joint. */
TN_API void tn_stage_add_effort(tn_stage *stage, tn_joint joint, int32_t coordinate, double effort);
/* Minus the derivatives of the wrench on a body (f, m; world axes, about its origin) with respect to its
 * displacement and its velocity (v, w; world axes, at its origin), row-major; either may be NULL. They change no
 * result, but stiff loads need them to converge. Of a matrix that is not symmetric only the symmetric part is
 * used; a matrix that would cancel half of the inertia or more is ignored. */
TN_API void tn_stage_add_derivatives(tn_stage *stage, tn_body body, const double stiffness[36],
                                     const double damping[36]);

/* A load now: its wrench on a body (world axes, about its origin; zero for a body it does not act on), its power
 * (W) and its work since the start (J). NaN if it has no value. */
TN_API tn_wrench tn_sim_load_wrench(const tn_sim *sim, tn_load load, tn_body body);
/* W, the power of a load now; NaN if it has no value or does not exist. */
TN_API double tn_sim_load_power(const tn_sim *sim, tn_load load);
/* J, the work of a load since the start; NaN: no such load. */
TN_API double tn_sim_load_work(const tn_sim *sim, tn_load load);

#ifdef __cplusplus
}
#endif
#endif
