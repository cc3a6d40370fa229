/* linkage_show.h: room method/linkage: writes a bar or a pin of a planar linkage back: state, poses and kinematics,
 * as tn_joint_refresh and tn_joint_follow would compute them. See linkage.h.
 *
 * In: the end of the iteration. Out: the state after the step, which may be the same arrays as its start; frames and
 * errors.
 */
#ifndef TN_METHOD_LINKAGE_LINKAGE_SHOW_H
#define TN_METHOD_LINKAGE_LINKAGE_SHOW_H

#include <string.h>

#include "joint/rotation_about_z.h"
#include "method/alpha/hinge_terms.h"
#include "method/linkage/linkage_begin.h"

/* Destination and data of the write-back. */
typedef struct tn_linkage_show {
    const tn_sim *sim;
    const tn_linkage *linkage;
    tn_linkage_past past, to; /* states before and after the step: two, or one */
    double h, by_h;
    double keep;    /* share of udot+ in a+ */
    bool has_rates; /* tn_alpha_has_rates */
    /* the multipliers across the plane are computed (linkage_across.c); false: they are zero */
    bool is_loaded;
} tn_linkage_show;

TN_INLINE tn_linkage_show show_of(const tn_sim *sim, const tn_alpha *c, const tn_linkage *linkage)
{
    const tn_state own = tn_state_own(&sim->state);
    return (tn_linkage_show){.sim = sim,
                             .linkage = linkage,
                             .past = past_of(sim, &sim->state),
                             .to = past_of(sim, &own),
                             .h = c->h,
                             .by_h = 1.0 / c->h,
                             .keep = (1.0 - c->af) / (1.0 - c->am),
                             .has_rates = tn_alpha_has_rates(sim),
                             .is_loaded = tn_linkage_is_loaded(sim, linkage)};
}

/* ---- bars ---- */

/* A velocity in the plane, in the packed form of a rigid body. */
typedef struct tn_bar_velocity {
    tn_vec3 v, w;
} tn_bar_velocity;

TN_INLINE tn_bar_velocity velocity_of(const tn_linkage *linkage, const tn_bar *bar, tn_v2 run,
                                      double turn)
{
    return (tn_bar_velocity){bar_in_space(linkage, run, 0.0), v3_scale(turn, bar->normal)};
}

TN_INLINE void put_velocity(tn_bar_velocity u, double *to)
{
    v3_store(to, u.v);
    v3_store(to + 3, u.w);
}

TN_INLINE tn_quat orientation_of(const tn_bar *bar)
{
    double q[4];
    for (int k = 0; k < 4; k++)
        q[k] = bar->half[0] * bar->turn[0][k] + bar->half[1] * bar->turn[1][k];
    return (tn_quat){q[0], q[1], q[2], q[3]};
}

/* udot and its rate of change. */
TN_INLINE void show_change(const tn_linkage_show *show, const tn_bar *bar)
{
    const double *at = show->past.udot + bar->at;
    const tn_bar_velocity now =
        velocity_of(show->linkage, bar, tn_v2_load(bar->udot), bar->udot[2]);
    if (show->has_rates) {
        const tn_bar_velocity rate = {v3_scale(show->by_h, v3_sub(now.v, v3_load(at))),
                                      v3_scale(show->by_h, v3_sub(now.w, v3_load(at + 3)))};
        put_velocity(rate, show->to.rate + bar->at);
    }
    put_velocity(now, show->to.udot + bar->at);
}

TN_INLINE void show_bar(const tn_linkage_show *show, const tn_bar *bar)
{
    const tn_linkage *linkage = show->linkage;
    const tn_vec3 x = bar_in_space(linkage, bar->x, bar->z);
    const tn_quat q = orientation_of(bar);
    const tn_v2 acc = tn_v2_load(bar->base) + show->keep * tn_v2_load(bar->udot);
    show->to.x[bar->body] = x;
    show->to.q[bar->body] = q;
    show->sim->sys.T[bar->body] = (tn_xform){q_to_m3(q), x};
    put_velocity(velocity_of(linkage, bar, tn_v2_load(bar->u), bar->u[2]), show->to.u + bar->at);
    put_velocity(velocity_of(linkage, bar, acc, bar->base[2] + show->keep * bar->udot[2]),
                 show->to.acc + bar->at);
    show_change(show, bar);
}

/* ---- pins ---- */

/* The axes of G, its origin and the errors of the rows, all in the plane. */
TN_INLINE void show_frames(const tn_linkage *linkage, const tn_linkage_pin *pin, tn_v2 axis,
                           tn_joint_kinematics *kin)
{
    const tn_bar *a = &linkage->bars[pin->a], *b = &linkage->bars[pin->b];
    const tn_vec3 x = bar_in_space(linkage, axis, 0.0);
    const tn_vec3 y = bar_in_space(linkage, pin->side * p2_across(axis), 0.0);
    const tn_vec3 z = v3_scale(pin->side, linkage->e[2]);
    kin->R_GW = (tn_mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    kin->r_B = bar_in_space(linkage, pin->arm_b, pin->z_b);
    kin->r_A = bar_in_space(linkage, (b->x - a->x) + pin->arm_b, (b->z - a->z) + pin->z_b);
    const double apart = (a->z - b->z) + (pin->z_a - pin->z_b);
    v3_store(kin->error, v3(p2_dot(axis, pin->error), pin->side * p2_cross(axis, pin->error),
                            pin->side * apart));
    v3_store(kin->error + 3, v3(0.0, 0.0, 0.0));
}

/* The angle of G in D, with turns counted. */
TN_INLINE double show_angle(const tn_linkage *linkage, const tn_linkage_pin *pin, tn_v2 axis,
                            double h, double before, tn_joint_kinematics *kin)
{
    const tn_bar *a = &linkage->bars[pin->a], *b = &linkage->bars[pin->b];
    const tn_v2 x_D = p2_turn(b->axis, pin->axis_b);
    const tn_v2 turn = {p2_dot(x_D, axis), pin->side * p2_cross(x_D, axis)};
    const double unit = tn_unit_again(p2_dot(turn, turn));
    kin->T_GD = (tn_xform){m3_rot_z(unit * turn[0], unit * turn[1]), {0.0, 0.0, 0.0}};
    kin->unique = 1;
    kin->off = 0;
    kin->vanished = 0;
    return tn_nearest_turn(tn_atan2(turn[1], turn[0]),
                           before + h * pin->side * (a->u[2] - b->u[2]));
}

/* The multipliers in the plane and across it, and their rates; inactive rows keep their values. Returns the sum. */
TN_INLINE double show_multipliers(const tn_linkage_show *show, const tn_linkage_pin *pin,
                                  tn_v2 axis)
{
    const size_t at = (size_t)pin->joint * TN_MAX_ROWS;
    const double *before = show->past.lambda + at, *across = pin->across;
    const double now[TN_MAX_ROWS] = {
        p2_dot(axis, pin->force),          pin->side * p2_cross(axis, pin->force),
        show->is_loaded ? across[0] : 0.0, show->is_loaded ? across[1] : 0.0,
        show->is_loaded ? across[2] : 0.0, before[TN_STRAIGHT_ROWS]};
    double sum = 0.0;
    for (int n = 0; n < TN_MAX_ROWS; n++) {
        if (show->has_rates)
            show->to.lambda_rate[at + (size_t)n] = show->by_h * (now[n] - before[n]);
        show->to.lambda[at + (size_t)n] = now[n];
        sum += now[n];
    }
    return sum;
}

/* Returns a sum of the numbers written, to detect any that is not finite. */
TN_INLINE double show_pin(const tn_linkage_show *show, const tn_linkage_pin *pin)
{
    const tn_linkage *linkage = show->linkage;
    const size_t at = (size_t)pin->joint * TN_MAX_COORDINATES;
    const tn_v2 axis = p2_turn(linkage->bars[pin->a].axis, pin->axis_a);
    tn_joint_kinematics *kin = &show->sim->sys.kin[pin->joint];
    const double sum = show_multipliers(show, pin, axis);
    show_frames(linkage, pin, axis, kin);
    const double angle = show_angle(linkage, pin, axis, show->h, show->past.coordinates[at], kin);
    show->to.coordinates[at] = angle;
    memcpy(show->sim->sys.phi + pin->y, kin->error, TN_STRAIGHT_ROWS * sizeof(double));
    return sum + angle;
}

#endif
