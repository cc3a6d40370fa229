/* alpha_plane.h: room method/alpha: planar bodies and the pins between them (hinges, ball joints), packed for the
 * iteration of a generalized-alpha step.
 *
 * The equations are those of alpha_residual.c in the three components of a planar body, f_x, f_y and m_z. An
 * iteration needs 220 bytes of a pin and 120 of a body, where full kinematics, poses and model entries take 3
 * kilobytes: more of a long chain stays in the cache, and an evaluation takes 120 instructions a pin and 90 a body
 * instead of 400 and 175.
 *
 * Between tn_alpha_evaluate and tn_plane_show the poses of planar bodies and the kinematics, multipliers and errors
 * of packed pins are current here only. Velocities are always those in the state. Bodies that have other elements
 * than packed pins have their poses in the state and in sys.T at all times too.
 *
 * A pin is packed if it is hard, holds no coordinate, keeps no gap, and nothing drives it or reads it (no coupling).
 * This is decided anew at every prediction.
 */
#ifndef TN_METHOD_ALPHA_ALPHA_PLANE_H
#define TN_METHOD_ALPHA_ALPHA_PLANE_H

#include "assemble/body_terms.h"
#include "assemble/elements.h"
#include "method/alpha/alpha.h"
#include "math/lanes.h"

/* Vectors of the plane. An axis (c, s) represents the rotation that takes x to it. */
static inline tn_v2 p2_across(tn_v2 a)
{
    static const tn_m2 sign_of_first = {INT64_MIN, 0};
    return (tn_v2)((tn_m2)(tn_v2){a[1], a[0]} ^ sign_of_first);
}

static inline tn_v2 p2_turn(tn_v2 axis, tn_v2 v)
{
    return v[0] * axis + v[1] * p2_across(axis);
}

static inline tn_v2 p2_turn_back(tn_v2 axis, tn_v2 v)
{
    return p2_turn((tn_v2){axis[0], -axis[1]}, v);
}

static inline double p2_cross(tn_v2 a, tn_v2 b)
{
    return a[0] * b[1] - a[1] * b[0];
}

typedef struct tn_plane_body {
    /* of the trial */
    tn_v2 x;                     /* m, centre of mass */
    tn_v2 axis;                  /* its own x axis */
    tn_v2 half;                  /* w, z of its quaternion: the axis of half the angle */
    tn_v2 x_before, half_before; /* at the start of the step */
    /* of the model */
    double mass, inertia; /* kg, kg m^2 */
    double stand_in;      /* kg m^2, of the model's body */
    int64_t u;            /* offset in velocities */
    int32_t body;         /* -1: ground */
    int8_t damped;
    int8_t shown; /* 1: other elements read its pose during the iteration */
} tn_plane_body;

typedef struct tn_plane_pin {
    /* of the trial */
    tn_v2 axis;         /* x of G in the world */
    tn_v2 arm_a, arm_b; /* m, from the centres of mass to the origin of G, world axes */
    tn_v2 force;        /* N, on body a, world axes */
    tn_v2 error;        /* m, of the rows */
    /* of the model */
    tn_v2 at_a, at_b;     /* m, origins of C in A and of D in B */
    tn_v2 axis_a, axis_b; /* x of C in A, of D in B */
    tn_v2 scale;          /* 1/kg, of the rows */
    double softness;      /* E of a row, in units of scale and of tn_loop_epsilon; 0: no loop */
    double z_a, z_b;      /* m, the third component of the origins */
    int64_t y;            /* offset in row vectors */
    tn_plane_body *a, *b; /* in tn_plane.bodies */
    int32_t joint;
    int8_t packed;
} tn_plane_pin;

struct tn_plane {
    tn_plane_body *bodies; /* [body_count + 1], the last one is ground */
    tn_plane_pin *pins;    /* [pin_count] */
    int32_t body_count, pin_count;
    int32_t packed_count; /* of pins, in this step */
    bool wide;            /* this machine runs the AVX2 copies of the passes (same bits) */
    int32_t *place;       /* [bodies of the model] its index in `bodies`; -1: it is not planar */
    int8_t *is_packed;    /* [elements] 1: it is a pin that is packed now */
};

tn_status tn_plane_create(const tn_model *model, tn_plane **out);
void tn_plane_destroy(tn_plane *plane);

/* At the prediction: decides what is packed, and reads the start and the multipliers from the state. */
void tn_plane_begin(tn_sim *sim);
/* Computes poses, and all forces but those of joints, which overwrite sys.f. */
void tn_plane_evaluate_bodies(tn_sim *sim, const tn_alpha *c);
/* Computes kinematics, multipliers, sys.g and the joints' forces, which are added to sys.f. Returns the largest
 * error of a row as a distance; NaN if anything is not finite. */
double tn_plane_evaluate_pins(tn_sim *sim, const tn_alpha *c, tn_trial trial);
/* Adds the stiffness of the pins' forces to that of the bodies. */
void tn_plane_stiffen(tn_sim *sim, const tn_alpha *c);
/* Their part of the matrix, as tn_assemble_mass, _jacobian and _row_law compute it. */
void tn_plane_assemble(tn_sim *sim, double damping_factor);
/* Writes poses, multipliers, sys.phi and kinematics back to the state and the system. */
void tn_plane_show(tn_sim *sim);

/* Writes back the pose of one body. */
void tn_plane_show_body(tn_sim *sim, const tn_plane_body *body);

/* Velocity of a point of a body at an arm; ground rests. */
static inline tn_v2 tn_plane_velocity(const tn_plane_body *body, tn_v2 arm, const double *u)
{
    if (body->body < 0)
        return (tn_v2){0.0, 0.0};
    const double *at = u + body->u;
    return tn_v2_load(at) + at[2] * p2_across(arm);
}

/* Speeds of the rows of a pin, G u. */
static inline tn_v2 tn_plane_speeds(const tn_plane_pin *pin, const double *u)
{
    return p2_turn_back(pin->axis, tn_plane_velocity(pin->a, pin->arm_a, u) -
                                       tn_plane_velocity(pin->b, pin->arm_b, u));
}

#endif
