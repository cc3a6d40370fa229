/* load.h: room force: loads as compiled, and what one of them does to a body (tenon/load.h).
 *
 * In: a load, the time, pose and velocity of the bodies it acts on. Out: force and moment at a
 * point, and their derivatives by its motion. Joints and equations are not known here: an effort is only a
 * function of time.
 */
#ifndef TN_FORCE_LOAD_H
#define TN_FORCE_LOAD_H

#include "math/function/function.h"
#include "math/m3.h"
#include "tenon/load.h"

/* A point with axes of a body: from its centre of mass in body axes; of the world for ground. */
typedef struct tn_load_place {
    int32_t body; /* or TN_GROUND_INDEX */
    tn_vec3 p;    /* m */
    tn_mat3 R;
} tn_load_place;

typedef struct tn_load_data {
    tn_load_kind kind;
    tn_load_axes axes;
    tn_load_place places[2]; /* where it acts; the other marker of a pair, or the centre */
    /* The bodies it acts on: TN_LOAD_PAIR those of both places, TN_LOAD_EFFORT those of the joint,
     * neither of which may be ground; places[0] but for .body is that of each of them. */
    const int32_t *bodies; /* [body_count] */
    int32_t body_count;
    tn_function force[3], moment[3], thrust, effort, acceleration[3], medium[3];
    tn_vec3 weight; /* m/s^2, (scale - 1) g of TN_LOAD_GRAVITY */
    double linear, quadratic, rotary, rotary_quadratic;
    double strength, exponent;
    int32_t joint, coordinate;
    int32_t solid, surface;
    tn_function pressure;
} tn_load_data;

/* The motion of a body that a load needs. */
typedef struct tn_load_motion {
    tn_xform T; /* of its centre-of-mass frame */
    tn_vec3 v;  /* m/s, of the centre of mass, world axes */
    tn_vec3 w;  /* rad/s, world axes */
    double mass;
} tn_load_motion;

/* Force and moment in world axes at a point, and minus the derivatives of the force by the point's
 * displacement and velocity, of the moment by the angular velocity; all three symmetric. */
typedef struct tn_load_effect {
    tn_vec3 point; /* m, world */
    tn_wrench wrench;
    tn_mat3 stiffness, damping, rotary_damping;
    bool yields; /* there are such derivatives */
} tn_load_effect;

/* The effect on a body with motion a; b is that of the other place (ground: at rest at the origin).
 * 0: the load has no value at this time or pose. */
int tn_load_effect_of(const tn_load_data *load, double time, const tn_load_motion *a,
                      const tn_load_motion *b, tn_load_effect *out);

/* The effort at a time, N or N m; the pressure, Pa; NaN where it has no value. */
double tn_load_effort(const tn_load_data *load, double time);
double tn_load_pressure(const tn_load_data *load, double time);

#endif
