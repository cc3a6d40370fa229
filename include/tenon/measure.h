/* measure.h: named outputs of a model: what is to be plotted, and its statistics.
 *
 * A measure has a kind, the thing it measures, a quantity, and for most kinds a choice of axes and component.
 * It has one value or several, each with a name and a unit; in a planar world vectors have two components
 * and moments one. Measures are evaluated at the end of steps and change nothing.
 */
#ifndef TENON_MEASURE_H
#define TENON_MEASURE_H

#include "tenon/load.h"
#include "tenon/results.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The id of a measure. */
typedef struct tn_measure_id {
    int32_t i;
    uint32_t of; /* as of the other ids (ids.h) */
} tn_measure_id;

/* One line per kind: enum, key in model files, what it is. */
#define TN_MEASURE_KIND_LIST(X)                                                                    \
    X(TN_MEASURE_COORDINATE, "coordinate", "a coordinate of a joint or the value of a coupling")   \
    X(TN_MEASURE_REACTION, "reaction", "what a joint does to one of its bodies")                   \
    X(TN_MEASURE_JOINT, "joint", "motion of a joint's frame C in its frame D, in axes of D")       \
    X(TN_MEASURE_MARKER, "marker", "motion of a marker, in the world or against another")          \
    X(TN_MEASURE_DISTANCE, "distance", "between two markers")                                      \
    X(TN_MEASURE_ANGLE, "angle", "by which one marker's axes are turned against another's")        \
    X(TN_MEASURE_ENERGY, "energy", "of the whole model")                                           \
    X(TN_MEASURE_MOMENTUM, "momentum", "of the whole model, about the world's origin")             \
    X(TN_MEASURE_LOAD, "load", "what a load does")                                                 \
    X(TN_MEASURE_FORMULA, "formula", "a formula over coordinates and measures")                    \
    X(TN_MEASURE_SECTION, "section", "what a beam element, or a weld, carries through its section")

typedef enum tn_measure_kind {
#define TN_MEASURE_KIND_ENUM(kind, name, text) kind,
    TN_MEASURE_KIND_LIST(TN_MEASURE_KIND_ENUM)
#undef TN_MEASURE_KIND_ENUM
        TN_MEASURE_KIND_COUNT
} tn_measure_kind;

/* Key in model files; NULL: no such kind. */
TN_API const char *tn_measure_kind_name(tn_measure_kind kind);

/* One line per quantity: enum, word in model files, kind it belongs to. The first of each kind is
 * its default. Rotations are vectors along the axis, with the angle (at most pi) as length. Accelerations are
 * NaN with integrators of first order, which have none. */
#define TN_QUANTITY_LIST(X)                                                                        \
    X(TN_QUANTITY_VALUE, "value", TN_MEASURE_COORDINATE)                                           \
    X(TN_QUANTITY_SPEED, "speed", TN_MEASURE_COORDINATE)                                           \
    X(TN_QUANTITY_ACCELERATION, "acceleration", TN_MEASURE_COORDINATE)                             \
    X(TN_QUANTITY_EFFORT, "effort", TN_MEASURE_COORDINATE)                                         \
    X(TN_QUANTITY_POWER, "power", TN_MEASURE_COORDINATE)                                           \
    X(TN_QUANTITY_WRENCH, "wrench", TN_MEASURE_REACTION)                                           \
    X(TN_QUANTITY_FORCE, "force", TN_MEASURE_REACTION)                                             \
    X(TN_QUANTITY_MOMENT, "moment", TN_MEASURE_REACTION)                                           \
    X(TN_QUANTITY_JOINT_ROTATION, "rotation", TN_MEASURE_JOINT)                                    \
    X(TN_QUANTITY_JOINT_SPIN, "angular_velocity", TN_MEASURE_JOINT)                                \
    X(TN_QUANTITY_JOINT_POSITION, "position", TN_MEASURE_JOINT)                                    \
    X(TN_QUANTITY_JOINT_VELOCITY, "velocity", TN_MEASURE_JOINT)                                    \
    X(TN_QUANTITY_POSITION, "position", TN_MEASURE_MARKER)                                         \
    X(TN_QUANTITY_VELOCITY, "velocity", TN_MEASURE_MARKER)                                         \
    X(TN_QUANTITY_POINT_ACCELERATION, "acceleration", TN_MEASURE_MARKER)                           \
    X(TN_QUANTITY_ROTATION, "rotation", TN_MEASURE_MARKER)                                         \
    X(TN_QUANTITY_SPIN, "angular_velocity", TN_MEASURE_MARKER)                                     \
    X(TN_QUANTITY_DISTANCE, "value", TN_MEASURE_DISTANCE)                                          \
    X(TN_QUANTITY_DISTANCE_SPEED, "speed", TN_MEASURE_DISTANCE)                                    \
    X(TN_QUANTITY_ANGLE, "value", TN_MEASURE_ANGLE)                                                \
    X(TN_QUANTITY_TOTAL, "total", TN_MEASURE_ENERGY)                                               \
    X(TN_QUANTITY_KINETIC, "kinetic", TN_MEASURE_ENERGY)                                           \
    X(TN_QUANTITY_POTENTIAL, "potential", TN_MEASURE_ENERGY)                                       \
    X(TN_QUANTITY_ELASTIC, "elastic", TN_MEASURE_ENERGY)                                           \
    X(TN_QUANTITY_WORK, "work", TN_MEASURE_ENERGY)                                                 \
    X(TN_QUANTITY_LOST, "lost", TN_MEASURE_ENERGY)                                                 \
    X(TN_QUANTITY_LINEAR, "linear", TN_MEASURE_MOMENTUM)                                           \
    X(TN_QUANTITY_ANGULAR, "angular", TN_MEASURE_MOMENTUM)                                         \
    X(TN_QUANTITY_LOAD_POWER, "power", TN_MEASURE_LOAD)                                            \
    X(TN_QUANTITY_LOAD_WORK, "work", TN_MEASURE_LOAD)                                              \
    X(TN_QUANTITY_FORMULA, "value", TN_MEASURE_FORMULA)                                            \
    X(TN_QUANTITY_SECTION_WRENCH, "wrench", TN_MEASURE_SECTION)                                    \
    X(TN_QUANTITY_SECTION_FORCE, "force", TN_MEASURE_SECTION)                                      \
    X(TN_QUANTITY_SECTION_MOMENT, "moment", TN_MEASURE_SECTION)

typedef enum tn_quantity {
#define TN_QUANTITY_ENUM(quantity, name, kind) quantity,
    TN_QUANTITY_LIST(TN_QUANTITY_ENUM)
#undef TN_QUANTITY_ENUM
        TN_QUANTITY_COUNT
} tn_quantity;

/* Word in model files; NULL: no such quantity. */
TN_API const char *tn_quantity_name(tn_quantity quantity);
/* The kind a quantity belongs to; TN_MEASURE_KIND_COUNT: no such quantity. */
TN_API tn_measure_kind tn_quantity_kind(tn_quantity quantity);

/* Axes of a reaction. One line per choice: enum, word in model files. */
#define TN_REACTION_AXES_LIST(X)                                                                   \
    X(TN_REACTION_IN_C, "c", "those of frame C (default)")                                         \
    X(TN_REACTION_IN_D, "d", "those of frame D")                                                   \
    X(TN_REACTION_IN_A, "a", "those of body A")                                                    \
    X(TN_REACTION_IN_B, "b", "those of body B")                                                    \
    X(TN_REACTION_IN_WORLD, "world", "those of the world")

typedef enum tn_reaction_axes {
#define TN_REACTION_AXES_ENUM(axes, name, text) axes,
    TN_REACTION_AXES_LIST(TN_REACTION_AXES_ENUM)
#undef TN_REACTION_AXES_ENUM
        TN_REACTION_AXES_COUNT
} tn_reaction_axes;

/* Word in model files; NULL: no such choice. */
TN_API const char *tn_reaction_axes_name(tn_reaction_axes axes);

/* Component of a vector quantity. */
#define TN_COMPONENT_LIST(X)                                                                       \
    X(TN_COMPONENT_ALL, "all", "each of them (default)")                                           \
    X(TN_COMPONENT_X, "x", "along x")                                                              \
    X(TN_COMPONENT_Y, "y", "along y")                                                              \
    X(TN_COMPONENT_Z, "z", "along z, or about it in the plane")                                    \
    X(TN_COMPONENT_MAGNITUDE, "magnitude", "the length of the vector")

typedef enum tn_vector_component {
#define TN_COMPONENT_ENUM(component, name, text) component,
    TN_COMPONENT_LIST(TN_COMPONENT_ENUM)
#undef TN_COMPONENT_ENUM
        TN_COMPONENT_COUNT
} tn_vector_component;

/* Word in model files; NULL: no such component. */
TN_API const char *tn_vector_component_name(tn_vector_component component);

/* The word of a part of a joint's wrench in model files; "all" for TN_WRENCH_PART_COUNT. */
TN_API const char *tn_wrench_part_name(tn_wrench_part part);

/* Fill it from tn_default_measure_def(quantity). */
typedef struct tn_measure_def {
    uint32_t cookie;
    const char *name; /* NULL: "measure<i>" */
    tn_quantity quantity;
    tn_joint joint; /* of a coordinate, reaction, joint or section; or a coupling as one */
    int32_t coordinate;
    tn_load load;
    /* TN_MEASURE_MARKER, _DISTANCE, _ANGLE: [0], and against [1] (-1: the world). */
    tn_marker markers[2];
    /* TN_MEASURE_REACTION: about this marker; -1: about the origin of C, or of D in its axes. */
    tn_marker about;
    tn_reaction_axes axes;
    int32_t on_b;        /* 1: the wrench on body B */
    tn_wrench_part part; /* of efforts, powers, reactions; TN_WRENCH_PART_COUNT: the whole */
    tn_vector_component component;
    /* TN_MEASURE_FORMULA: numbers with units, functions and signs as in model files, over t,
     * joint.coordinate (also .speed and .effort behind it), coupling.value, and other measures
     * (with .fx and the like where they have several values). NaN or infinite where the
     * formula is. */
    const char *formula;
    /* Statistics contain the time at which the value first exceeds this; NaN: unset. In the compiled
     * model in SI units and rad. */
    double above;
    const char *above_unit; /* "deg", "kN"; NULL: SI units and rad */
    tn_location at;
} tn_measure_def;

/* A measure of this quantity with everything else at its default, of joint, load and marker none. */
TN_API tn_measure_def tn_default_measure_def(tn_quantity quantity);

/* As for the other definitions (spec.h). */
TN_API tn_status tn_spec_add_measure(tn_spec *spec, const tn_measure_def *def, tn_measure_id *out);
/* As tn_spec_remove_joint. */
TN_API tn_status tn_spec_remove_measure(tn_spec *spec, tn_measure_id measure);
/* Number of measures, removed ones included. */
TN_API int32_t tn_spec_measure_count(const tn_spec *spec);
/* The definition of a measure, a copy owned by the spec; NULL: no such measure. */
TN_API const tn_measure_def *tn_spec_measure(const tn_spec *spec, tn_measure_id measure);

/* Number of measures, removed ones included. */
TN_API int32_t tn_model_measure_count(const tn_model *model);
/* By name; TN_ERROR_NOT_FOUND leaves *out unchanged. */
TN_API tn_status tn_model_find_measure(const tn_model *model, const char *name, tn_measure_id *out);
/* As tn_model_has_body. */
TN_API int tn_model_has_measure(const tn_model *model, tn_measure_id measure);
/* The name of a measure; "": no such measure. */
TN_API const char *tn_model_measure_name(const tn_model *model, tn_measure_id measure);
/* The compiled definition of a measure, owned by the model; NULL: no such measure. */
TN_API const tn_measure_def *tn_model_measure(const tn_model *model, tn_measure_id measure);

/* Values of a measure: how many (at most TN_MEASURE_MOST), and the name ("fx"; "" for the only one)
 * and unit ("N m") of each. */
#define TN_MEASURE_MOST 6
/* Number of values of a measure; 0: no such measure. */
TN_API int32_t tn_measure_width(const tn_model *model, tn_measure_id measure);
/* Name of value number `field`; "" also if there is no such value. */
TN_API const char *tn_measure_field(const tn_model *model, tn_measure_id measure, int32_t field);
/* Unit of value number `field`; "": no such value. */
TN_API const char *tn_measure_unit(const tn_model *model, tn_measure_id measure, int32_t field);

/* Its values at the present state, SI and rad. */
TN_API void tn_sim_measure(const tn_sim *sim, tn_measure_id measure, double *out);

/* Statistics of one value over time, by the trapezoidal rule between the times at which it is added. */
typedef struct tn_statistics {
    double min, max, mean, rms, last;
    double min_time, max_time; /* s, the first */
    double above_time;         /* s, interpolated; NaN: never, or above not set */
    double above;              /* NaN: not set */
    /* of the sums */
    double time, start_time, sum, square_sum;
    int64_t count;
} tn_statistics;

/* Empty statistics. above: see tn_measure_def; NaN: not used. */
TN_API tn_statistics tn_statistics_begin(double above);
/* Adds a value at a time (s), not before that of the last one. NaN is ignored. */
TN_API void tn_statistics_add(tn_statistics *statistics, double time, double value);

#ifdef __cplusplus
}
#endif
#endif
