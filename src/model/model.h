/* model.h (internal): room model: the compiled mechanism.
 *
 * Everything here is constant after tn_model_compile. Bodies keep their centre-of-mass frame: body
 * axes, origin at the centre of mass; its velocity is u = (v of the centre of mass in world axes,
 * w in body axes), so that the mass matrix diag(m I, J) never changes. A body kind takes some of
 * these six components; the packed velocity vector holds only those.
 *
 * In: a valid spec. Out: bodies, elements, loops and loads, numbered, in SI units. Room model/compile
 * makes it, all rooms below read it.
 */
#ifndef TN_MODEL_MODEL_H
#define TN_MODEL_MODEL_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/names.h"
#include "force/load.h"
#include "joint/joint_rows.h"
#include "model/drive_settings.h"
#include "model/model_solid.h"
#include "math/function/function.h"
#include "sparse/kkt.h"
#include "tenon/draw.h"
#include "spec/measure/measure_formula.h"
#include "spec/spec_internal.h"
#include "tenon/measure.h"
#include "tenon/model.h"

/* The columns of (v, w) a body kind has. */
typedef struct tn_motion_subspace {
    int32_t dim;
    int8_t column[6];
} tn_motion_subspace;

const tn_motion_subspace *tn_motion_subspace_get(tn_body_kind kind);

typedef struct tn_model_body {
    tn_body_kind kind;
    int32_t dim; /* motion dimensions */
    int64_t u;   /* offset in the packed velocity vector */
    double mass; /* kg */
    tn_mat3 J;   /* kg m^2, about the centre of mass, body axes */
    /* 1/kg, 1/(kg m^2): per motion, the inverse of its own inertia; 0 if it has none. Factor from a
     * residual force to an acceleration. */
    double inverse_inertia[6];
    /* kg m^2: stand-in, in the factor only, for the inertia that a slender rod does not have about its
     * axis; 0 for all other bodies. */
    double stand_in_inertia;
    /* kg, kg m^2: per motion, inertia added in the factor to a light body held by heavier ones
     * (bearing.c); 0 for all other bodies. held_by: its group of such bodies, 0: none. */
    double bearing[6];
    int32_t held_by;
    double frame_damping;  /* N s/m, at the body's origin */
    double rotary_damping; /* N m s/rad */
    tn_vec3 com;           /* m, body frame */
    /* used only at the start */
    tn_vec3 x0;     /* m, centre of mass at t = 0 */
    tn_quat q0;     /* orientation at t = 0 */
    tn_vec3 v0, w0; /* m/s of the centre of mass, world; rad/s, body axes */
    double
        reach; /* 1 + the arms of its joints in m: about how far a pose error of 1 m and 1 rad moves them */
} tn_model_body;

/* True if the body has its own inertia in the factor, without additions. */
static inline int tn_body_is_plain(const tn_model_body *body)
{
    return body->stand_in_inertia == 0.0 && body->held_by == 0;
}

static inline int tn_body_is_damped(const tn_model_body *body)
{
    return body->frame_damping != 0.0 || body->rotary_damping != 0.0;
}

typedef struct tn_model_joint {
    /* read in every step, so kept together */
    int32_t a, b; /* bodies; b may be TN_GROUND_INDEX */
    tn_joint_type type;
    int32_t outer_body; /* of a joint that is not in_loop: the end away from ground, else -1 */
    int32_t hangs;      /* its outer body in the spanning tree; -1: the joint is a cut */
    int8_t in_loop;     /* 0: its rows are independent of all others whatever the pose (a bridge) */
    int8_t carries;     /* 1: bodies can hang by it in joint coordinates (model/graph/carries.c) */
    int8_t round;       /* bounds along its lengths are round */
    /* Rows that act on some motion of the bodies: bilateral ones, then motion rows. A row without effect on
     * both bodies (a force along z between planar bodies) is dropped. */
    int8_t kept_bilateral, kept_count;
    int8_t kept[TN_MAX_ROWS];
    double softness;               /* relative compliance for the sharing of loads; 1: by inertia */
    double row_scale[TN_MAX_ROWS]; /* 1/kg, 1/(kg m^2): G_i M^-1 G_i^T at t = 0, M as factored */
    tn_joint_geometry geometry;
    /* for the start, and rarely used */
    double compliance[TN_MAX_ROWS]; /* m/N or rad/(N m), at the start; 0: hard */
    double damping[TN_MAX_ROWS];    /* N s/m or N m s/rad, at the start */
    double q0[TN_MAX_COORDINATES];
    double held_at[TN_MAX_COORDINATES]; /* rad, m: value of a locked coordinate */
    double lower[TN_MAX_COORDINATES], upper[TN_MAX_COORDINATES];
    double restitution[TN_MAX_COORDINATES];
    double armature[TN_MAX_COORDINATES]; /* kg m^2, kg: inertia along each; 0: none */
    double break_force, break_torque;    /* N, N m; infinite: never */
    int8_t locked[TN_MAX_COORDINATES], disabled;
    int8_t ring;   /* of a coupling: drawn as a wheel in a ring */
    int32_t holds; /* the group of light bodies (held_by) that its hard rows hold; 0: none */
    /* For a joint whose side B is the mean frame of a set of nodes: 1 + its index in model->means; b is
     * then the first of these nodes. 0: side B is body b. */
    int32_t mean;
    /* Like outer_body, in the forest of joints with hard rows (model/graph/hard_forest.c); -1: no hard rows, or no
     * such forest. */
    int32_t hard_outer;
} tn_model_joint;

/* f(q) of one coordinate, in a coupling. */
typedef struct tn_model_term {
    int32_t joint, coordinate, row; /* the joint, its coordinate and the motion row of that */
    int32_t place_a, place_b;       /* of its bodies among the coupling's; -1: does not move */
    double ratio;                   /* f = ratio q without a function, else ratio function(q) */
    tn_function function;
} tn_model_term;

/* Inertia along a coordinate that acts on bodies (assemble/armature.h). */
typedef struct tn_model_armature {
    int32_t joint, row; /* the motion row of the coordinate */
    double inertia;     /* kg m^2, kg */
} tn_model_armature;

/* A frame that follows particles: their mean position, and the rotation nearest to theirs (element/mean.h). */
typedef struct tn_model_mean {
    const int32_t *bodies; /* [count] */
    const double *weights; /* [count], together 1 */
    const tn_vec3 *arms;   /* [count] m, weight times the place from the mean one, without stress */
    int32_t count;
} tn_model_mean;

/* Data for drawing only, kept apart from data that steps read. */
typedef struct tn_model_drawing {
    tn_primitive *outlines; /* [first[bodies]] poses in their bodies, by body */
    int32_t *first;         /* [bodies + 1] */
    tn_joint_look *looks;   /* [joints] */
    int32_t *
        hues; /* [bodies] body that gives the colour: itself; for a node of a beam the first node */
    double body_size; /* m: mean size of a body; 0: all are in one point */
    tn_arena arena;   /* points and triangles */
} tn_model_drawing;

typedef struct tn_model_marker {
    int32_t body;
    tn_vec3 p; /* m, from the centre of mass in body axes; world for ground */
    tn_quat q; /* of its axes in body axes; unit */
} tn_model_marker;

/* The initial drive of a coordinate. */
typedef struct tn_model_drive {
    int32_t joint, coordinate; /* the joint may be a coupling: an element */
    tn_drive_settings settings;
} tn_model_drive;
/* A requested coordinate of a joint in a loop, set after the loops are closed because no side can be moved alone; or a
 * requested speed. */
typedef struct tn_model_set {
    int32_t joint, coordinate;
    double value; /* rad, m; per s */
    char *file;   /* of its place; NULL: none */
    int32_t line, column;
} tn_model_set;

/* The initial angular velocity of a ball joint. */
typedef struct tn_model_spin {
    int32_t joint;
    tn_vec3 w; /* rad/s, of C against D in axes of D */
    char *file;
    int32_t line, column;
} tn_model_spin;

/* The present state of a simulation that continues with a changed model. */
typedef struct tn_going_on {
    const tn_model *model;
    const tn_vec3 *x;          /* [bodies] m, centre of mass */
    const tn_quat *q;          /* [bodies] */
    const double *u;           /* [velocities] */
    const double *coordinates; /* [elements][TN_MAX_COORDINATES] */
} tn_going_on;

struct tn_model {
    char *title;
    tn_vec3 gravity; /* m/s^2 */
    tn_simulation_def simulation;
    tn_record_def record;
    void *record_lists[4]; /* ids that record points to: bodies, joints, markers, couplings */

    int32_t body_count, joint_count, marker_count, coupling_count;
    /* Joints, then couplings: everything with rows. A coupling is an entry of joints without
     * bodies and with one motion row, that of its value sum f(q) (compile_couplings.c). */
    int32_t element_count;
    tn_model_body *bodies;
    tn_model_joint *joints; /* [element_count] */
    tn_arena joint_data;    /* data that joint types made from lists of points and axes */
    /* Terms of coupling k: terms[term_start[k]] ..; the bodies its row acts on: coupled[
     * coupled_start[k]] .. */
    tn_model_term *terms;
    int32_t *term_start;    /* [coupling_count + 1] */
    int32_t *coupled_start; /* [coupling_count + 1] */
    int32_t *coupled;
    /* The joints through which element j acts on bodies: through[through_start[j]] .. ; a joint
     * through itself, a coupling through those of its terms. Joints come first, so that term t is
     * entry joint_count + t. */
    int32_t *through_start; /* [element_count + 1] */
    int32_t *through;
    tn_arena functions; /* numbers of the terms' functions */
    tn_model_marker *markers;
    tn_names files;      /* every file of a place once */
    tn_location *places; /* [bodies + elements] places in files; file NULL: none */
    tn_names body_names, joint_names, marker_names;
    tn_model_drawing drawing;
    tn_model_set *sets; /* [set_count] in the order of joints and coordinates */
    int32_t set_count;
    tn_model_set *speeds; /* [speed_count] rad/s, m/s, likewise: initial speeds */
    int32_t speed_count;
    tn_model_spin *spins; /* [spin_count] in the order of joints */
    int32_t spin_count;

    int32_t coordinate_count; /* of all elements */
    tn_model_drive *drives;   /* [drive_count] */
    int32_t drive_count;
    tn_function_list drive_functions;
    tn_model_armature *armatures; /* [armature_count] in the order of joints and coordinates */
    int32_t armature_count;

    tn_load_data *loads; /* [load_count] */
    int32_t load_count;
    bool loads_jump; /* some loads are formulas of time whose values may jump */
    tn_names load_names;
    tn_measure_def *measures; /* [measure_count] without names and places */
    int32_t measure_count;
    tn_measure_formula *formulas; /* [measure_count] */
    tn_names measure_names;
    int32_t planar;      /* 1: the world is */
    tn_up up;            /* as the model says */
    tn_arena load_lists; /* their bodies and the numbers of their functions */

    tn_model_solid *solids; /* [solid_count] */
    int32_t solid_count;
    tn_model_mean *means; /* [mean_count] */
    int32_t mean_count;
    int32_t *pairs; /* [2 pair_count] bodies between which elements act; the first is the smaller */
    int32_t pair_count;
    int8_t
        *is_node; /* [bodies] 1: a particle that is a node of a solid; NULL: there are no solids */
    tn_arena solid_data;

    int32_t loop_joints; /* joints that lie in a closed loop, and couplings */
    int8_t stand_ins;    /* 1: some body has added inertia in the factor */
    double
        lever; /* kg: sum of masses, each times 1 + the arms of its joints in m: scale of the effect of pose errors */
    int32_t held_groups; /* number of groups of light bodies held by heavier ones (bearing.c) */
    int8_t damped;       /* some body has damping of its own */
    int32_t lines;       /* joints whose row may lose its direction */

    /* Components that only gravity moves: the bodies of component k are floating_bodies[
     * floating_start[k] .. floating_start[k + 1] - 1] (compile_components.c). */
    int32_t floating_count;
    int32_t *floating_start, *floating_bodies;

    /* Per body, joint and so on: 1 at the index of an item that was removed from the spec. */
    bool *removed[TN_SECTION_COUNT];
    uint32_t *of[TN_SECTION_COUNT]; /* hash in the id of the body, joint and so on of each index */
    /* While compiled for a simulation that continues: its present state. Bodies and joints it has
     * keep their frames and begin there; else NULL. */
    const tn_going_on *from;

    uint64_t fingerprint; /* of what the model is made of (fingerprint.c) */
    /* Primal node i is body i, dual node j is element j; behind the elements a node for each armature. */
    tn_kkt *kkt;
    tn_model_size size;
};

/* body_kind.c: true if a body that was at `from` may be at (x, q). A planar body is moved back into its plane if it is out
 * of it by rounding only; false: it is further out. All poses are allowed for other bodies. */
bool tn_plane_keeps(const tn_model *model, const tn_model_body *body, tn_vec3 from, tn_vec3 *x,
                    tn_quat *q);

/* True for a free node of a solid. Such bodies are many, and are not reported one by one. */
static inline bool tn_model_is_node(const tn_model *model, int32_t body)
{
    return model->is_node && body >= 0 && model->is_node[body];
}

/* The bodies of a joint's side B: b, or the nodes whose frame it is. Returns how many; ground counts. */
static inline int32_t tn_model_side_b(const tn_model *model, const tn_model_joint *joint,
                                      const int32_t **bodies)
{
    if (joint->mean > 0) {
        *bodies = model->means[joint->mean - 1].bodies;
        return model->means[joint->mean - 1].count;
    }
    *bodies = &joint->b;
    return 1;
}

/* True if the item was removed. Indices beyond the list were not. */
static inline bool tn_model_is_removed(const tn_model *model, tn_section section, int32_t index)
{
    return model->removed[section] && model->removed[section][index];
}

/* True if the simulation that continues has the body or joint and keeps it. */
static inline bool tn_model_keeps(const tn_model *model, tn_section section, int32_t index)
{
    const tn_going_on *from = model->from;
    const int32_t count = !from                        ? 0
                          : section == TN_SECTION_BODY ? from->model->body_count
                                                       : from->model->joint_count;
    return index < count && !tn_model_is_removed(model, section, index);
}

/* True if a body stays in the plane, as ground and fixed bodies do. */
static inline bool tn_model_stays_in_plane(const tn_model *model, int32_t body)
{
    return body < 0 || tn_kind_is_flat(model->bodies[body].kind) ||
           model->bodies[body].kind == TN_BODY_FIXED;
}

/* True if a coordinate of the joint has an armature. */
static inline bool tn_model_has_armature(const tn_model_joint *joint)
{
    bool any = false;
    for (int i = 0; i < TN_MAX_COORDINATES; i++)
        any |= joint->armature[i] > 0.0;
    return any;
}

/* True if the bodies of an element can move along this coordinate. */
static inline bool tn_model_has_motion(const tn_model_joint *joint, int32_t coordinate)
{
    for (int32_t n = joint->kept_bilateral; n < joint->kept_count; n++) {
        if (joint->geometry.cls->info.rows[joint->kept[n]].coordinate == coordinate)
            return true;
    }
    return false;
}

/* The number of an element as a coupling; negative: it is a joint. */
static inline int32_t tn_model_as_coupling(const tn_model *model, int32_t element)
{
    return element - model->joint_count;
}

/* Public ids to elements. An id of a removed or missing item, or of another model, gives no element (-1). Every public
 * call checks its ids here. */
static inline bool tn_model_had(const tn_model *model, tn_section section, int32_t index,
                                uint32_t of, int32_t count)
{
    return TN_IN(index, count) && (of == 0 || of == model->of[section][index]);
}

static inline bool tn_model_has(const tn_model *model, tn_section section, int32_t index,
                                uint32_t of, int32_t count)
{
    return tn_model_had(model, section, index, of, count) &&
           !tn_model_is_removed(model, section, index);
}

/* The same including removed elements, for calls that describe them. */
static inline int32_t tn_any_element_of(const tn_model *model, tn_joint joint)
{
    if (joint.i < TN_COUPLING_JOINTS) {
        return tn_model_had(model, TN_SECTION_JOINT, joint.i, joint.of, model->joint_count)
                   ? joint.i
                   : -1;
    }
    const int32_t k = joint.i - TN_COUPLING_JOINTS;
    return tn_model_had(model, TN_SECTION_COUPLING, k, joint.of, model->coupling_count)
               ? model->joint_count + k
               : -1;
}

static inline int32_t tn_element_of(const tn_model *model, tn_joint joint)
{
    const int32_t element = tn_any_element_of(model, joint), k = element - model->joint_count;
    const bool gone = element < 0 || (k < 0 ? tn_model_is_removed(model, TN_SECTION_JOINT, element)
                                            : tn_model_is_removed(model, TN_SECTION_COUPLING, k));
    return gone ? -1 : element;
}

static inline tn_joint tn_joint_of(const tn_model *model, int32_t element)
{
    if (element < model->joint_count)
        return (tn_joint){element};
    return tn_coupling_as_joint((tn_coupling){element - model->joint_count});
}

/* Converts an element index in a report to an id; -1 is kept. */
static inline void tn_name_element(const tn_model *model, tn_joint *joint)
{
    if (TN_IN(joint->i, model->element_count))
        *joint = tn_joint_of(model, joint->i);
}

static inline const char *tn_element_name(const tn_model *model, int32_t element)
{
    return tn_model_joint_name(model, tn_joint_of(model, element));
}

static inline bool tn_has_body(const tn_model *model, tn_body body)
{
    return tn_model_has(model, TN_SECTION_BODY, body.i, body.of, model->body_count);
}

static inline bool tn_has_joint(const tn_model *model, tn_joint joint)
{
    return tn_model_has(model, TN_SECTION_JOINT, joint.i, joint.of, model->joint_count);
}

static inline bool tn_has_coupling(const tn_model *model, tn_coupling coupling)
{
    return tn_model_has(model, TN_SECTION_COUPLING, coupling.i, coupling.of, model->coupling_count);
}

static inline bool tn_has_marker(const tn_model *model, tn_marker marker)
{
    return tn_model_has(model, TN_SECTION_MARKER, marker.i, marker.of, model->marker_count);
}

static inline bool tn_has_load(const tn_model *model, tn_load load)
{
    return tn_model_has(model, TN_SECTION_LOAD, load.i, load.of, model->load_count);
}

static inline bool tn_has_measure(const tn_model *model, tn_measure_id measure)
{
    return tn_model_has(model, TN_SECTION_MEASURE, measure.i, measure.of, model->measure_count);
}

/* True if the joint or coupling has this coordinate. */
static inline bool tn_model_has_coordinate(const tn_model *model, int32_t element,
                                           int32_t coordinate)
{
    return element >= 0 && element < model->element_count && coordinate >= 0 &&
           coordinate < model->joints[element].geometry.cls->info.coordinate_count;
}

/* Spreads a body's packed velocity into (v, w). */
static inline void tn_body_unpack(const tn_model_body *body, const double *u, tn_vec3 *v,
                                  tn_vec3 *w)
{
    if (body->dim == 6) {
        *v = v3_load(u + body->u);
        *w = v3_load(u + body->u + 3);
        return;
    }
    if (body->kind == TN_BODY_PLANAR) {
        *v = v3(u[body->u], u[body->u + 1], 0.0);
        *w = v3(0.0, 0.0, u[body->u + 2]);
        return;
    }
    const tn_motion_subspace *s = tn_motion_subspace_get(body->kind);
    double full[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    for (int32_t i = 0; i < s->dim; i++)
        full[s->column[i]] = u[body->u + i];
    *v = v3_load(full);
    *w = v3_load(full + 3);
}

/* Writes the components of (f, m) along the body's motions to a packed vector. */
static inline void tn_body_put(const tn_model_body *body, tn_vec3 f, tn_vec3 m, double *packed)
{
    double *p = packed + body->u;
    if (body->dim == 6) {
        v3_store(p, f);
        v3_store(p + 3, m);
        return;
    }
    if (body->kind == TN_BODY_PLANAR) {
        v3_store(p, v3(f.x, f.y, m.z));
        return;
    }
    const tn_motion_subspace *s = tn_motion_subspace_get(body->kind);
    const double full[6] = {f.x, f.y, f.z, m.x, m.y, m.z};
    for (int32_t i = 0; i < s->dim; i++)
        p[i] = full[s->column[i]];
}

/* The same, added. */
static inline void tn_body_add(const tn_model_body *body, tn_vec3 f, tn_vec3 m, double *packed)
{
    double *p = packed + body->u;
    if (body->dim == 6) {
        p[0] += f.x;
        p[1] += f.y;
        p[2] += f.z;
        p[3] += m.x;
        p[4] += m.y;
        p[5] += m.z;
        return;
    }
    if (body->kind == TN_BODY_PLANAR) {
        p[0] += f.x;
        p[1] += f.y;
        p[2] += m.z;
        return;
    }
    const tn_motion_subspace *s = tn_motion_subspace_get(body->kind);
    const double full[6] = {f.x, f.y, f.z, m.x, m.y, m.z};
    for (int32_t i = 0; i < s->dim; i++)
        p[i] += full[s->column[i]];
}

/* Centre-of-mass transforms at t = 0; identity for ground. */
static inline tn_xform tn_model_initial_xform(const tn_model *model, int32_t body)
{
    if (body < 0)
        return xf_identity();
    return (tn_xform){q_to_m3(model->bodies[body].q0), model->bodies[body].x0};
}

/* G_k M^-1 G_k^T of row k of a joint, 1/kg or 1/(kg m^2), at orientations of its bodies; *acts is 0
 * when neither body feels the row (the scale is then 1). */
double tn_model_row_scale(const tn_model *model, const tn_model_joint *joint,
                          const tn_joint_kinematics *kin, const tn_mat3 *R_A, const tn_mat3 *R_B,
                          int32_t k, int *acts);

/* The same for given bodies instead of the model's; b may be NULL. */
double tn_model_row_scale_of(const tn_model_joint *joint, const tn_model_body *a,
                             const tn_model_body *b, const tn_joint_kinematics *kin,
                             const tn_mat3 *R_A, const tn_mat3 *R_B, int32_t k, int *acts);

/* bearing.c: inertia added to light bodies in the factor, and the scales of rows on them. Needs the loops. */
tn_status tn_model_compile_bearing(tn_model *model);

/* The mass, kg or kg m^2, that the bodies of an element, free of everything but it, oppose to a
 * motion along one of its coordinates (motion_mass.c), where body i is at T[i] and element j has
 * the coordinates q[j]; both NULL: at t = 0. */
double tn_model_motion_mass(const tn_model *model, int32_t element, int32_t coordinate,
                            const tn_xform *T, const double *q);

/* Place of an element, or of a body, in a file (places.c), for messages; -1: none. */
static inline tn_location tn_model_place(const tn_model *model, int32_t element)
{
    return element < 0 ? (tn_location){NULL, 0, 0} : model->places[model->body_count + element];
}

static inline tn_location tn_model_body_place(const tn_model *model, int32_t body)
{
    return body < 0 ? (tn_location){NULL, 0, 0} : model->places[body];
}

/* f, f' and f'' of a term at q. */
static inline void tn_model_term_evaluate(const tn_model_term *term, double q, double out[3])
{
    if (term->function.def.kind == TN_FUNCTION_NONE) {
        out[0] = term->ratio * q;
        out[1] = term->ratio;
        out[2] = 0.0;
        return;
    }
    tn_function_evaluate(&term->function, q, out);
    for (int i = 0; i < 3; i++)
        out[i] *= term->ratio;
}

/* The motion row of a term's coordinate as covector on body A (side 0) or B (1) of its joint, whose
 * orientation is R. */
static inline void tn_model_term_covector(const tn_model *model, const tn_model_term *term,
                                          const tn_joint_kinematics *kin, int side,
                                          const tn_mat3 *R, double row[6])
{
    tn_joint_row_covector(&model->joints[term->joint].geometry, kin, term->row, R,
                          side ? kin->r_B : kin->r_A, side ? -1.0 : 1.0, row);
}

/* row . M^-1 row over the components the body has; *felt grows to the largest of them. Directions
 * without inertia are left out: they only scale. */
double tn_model_inverse_mass(const tn_model_body *body, const double row[6], double *felt);

/* Stages of tn_model_compile that read what others have compiled: coordinates, speeds and spins that
 * are to be set (set_coordinates.c, list_sets.c), where things were written (places.c), what the model
 * is (fingerprint.c). */
tn_status tn_model_set_coordinates(tn_model *model, const tn_spec *spec, tn_diagnostics *diags);
tn_status tn_model_compile_speeds(tn_model *model, const tn_spec *spec);
tn_status tn_model_compile_spins(tn_model *model, const tn_spec *spec);
tn_status tn_model_note_places(tn_model *model, const tn_spec *spec);
void tn_model_compile_fingerprint(tn_model *model);
/* How many of a joint's coordinates have a value (are not NaN), and those added to a list that has
 * room, with where the key's values were written. */
int32_t tn_model_count_sets(const double *values);
tn_status tn_model_list_sets(const tn_spec *spec, int32_t joint, const char *key,
                             const double *values, tn_model_set *list, int32_t *count);

#endif
