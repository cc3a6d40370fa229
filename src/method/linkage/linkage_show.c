/* linkage_show.c: room method/linkage: what a step of a planar linkage has found, to where everybody else looks
 * for it: state, poses and kinematics, as tn_joint_refresh and tn_joint_follow would have them. See linkage.h.
 */
#include <string.h>

#include "joint/rotation_about_z.h"
#include "method/alpha/hinge_terms.h"
#include "method/linkage/linkage.h"

/* A velocity of the plane, packed. */
TN_INLINE void show_velocity(const tn_linkage *linkage, const tn_bar *bar, const double *from,
                             double *to)
{
    v3_store(to + bar->at, bar_in_space(linkage, tn_v2_load(from), 0.0));
    v3_store(to + bar->at + 3, v3_scale(from[2], bar->normal));
}

TN_INLINE tn_quat orientation_of(const tn_bar *bar)
{
    double q[4];
    for (int k = 0; k < 4; k++)
        q[k] = bar->half[0] * bar->turn[0][k] + bar->half[1] * bar->turn[1][k];
    return (tn_quat){q[0], q[1], q[2], q[3]};
}

TN_INLINE void show_bar(tn_sim *sim, const tn_linkage *linkage, const tn_bar *bar)
{
    const tn_vec3 x = bar_in_space(linkage, bar->x, bar->z);
    const tn_quat q = orientation_of(bar);
    sim->state.x[bar->body] = x;
    sim->state.q[bar->body] = q;
    sim->sys.T[bar->body] = (tn_xform){q_to_m3(q), x};
    show_velocity(linkage, bar, bar->u, sim->state.u);
    show_velocity(linkage, bar, bar->udot, sim->state.udot);
    show_velocity(linkage, bar, bar->base, tn_alpha_remembers(sim->model, &sim->state).acc);
}

/* The axes of G, its place and what the rows are off, all in the plane. */
TN_INLINE void show_frames(const tn_linkage *linkage, const tn_linkage_pin *pin,
                           tn_joint_kinematics *kin)
{
    const tn_bar *a = &linkage->bars[pin->a], *b = &linkage->bars[pin->b];
    const tn_vec3 x = bar_in_space(linkage, pin->axis, 0.0);
    const tn_vec3 y = bar_in_space(linkage, pin->side * p2_across(pin->axis), 0.0);
    const tn_vec3 z = v3_scale(pin->side, linkage->e[2]);
    kin->R_GW = (tn_mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    kin->r_B = bar_in_space(linkage, pin->arm_b, pin->z_b);
    kin->r_A = bar_in_space(linkage, (b->x - a->x) + pin->arm_b, (b->z - a->z) + pin->z_b);
    const double apart = (a->z - b->z) + (pin->z_a - pin->z_b);
    v3_store(kin->error, v3(p2_dot(pin->axis, pin->error),
                            pin->side * p2_cross(pin->axis, pin->error), pin->side * apart));
    v3_store(kin->error + 3, v3(0.0, 0.0, 0.0));
}

/* The angle of G in D, its turns counted. */
TN_INLINE double show_angle(const tn_linkage *linkage, const tn_linkage_pin *pin, double h,
                            double before, tn_joint_kinematics *kin)
{
    const tn_bar *a = &linkage->bars[pin->a], *b = &linkage->bars[pin->b];
    const tn_v2 x_D = p2_turn(b->axis, pin->axis_b);
    const tn_v2 turn = {p2_dot(x_D, pin->axis), pin->side * p2_cross(x_D, pin->axis)};
    const double unit = tn_unit_again(p2_dot(turn, turn));
    kin->T_GD = (tn_xform){m3_rot_z(unit * turn[0], unit * turn[1]), {0.0, 0.0, 0.0}};
    kin->unique = 1;
    kin->off = 0;
    kin->vanished = 0;
    return tn_nearest_turn(tn_atan2(turn[1], turn[0]),
                           before + h * pin->side * (a->u[2] - b->u[2]));
}

TN_INLINE void show_pin(tn_sim *sim, double h, const tn_linkage *linkage, const tn_linkage_pin *pin)
{
    double *lambda = sim->state.lambda + (size_t)pin->joint * TN_MAX_ROWS;
    double *angle = sim->state.coordinates + (size_t)pin->joint * TN_MAX_COORDINATES;
    tn_joint_kinematics *kin = &sim->sys.kin[pin->joint];
    lambda[0] = p2_dot(pin->axis, pin->force);
    lambda[1] = pin->side * p2_cross(pin->axis, pin->force);
    show_frames(linkage, pin, kin);
    *angle = show_angle(linkage, pin, h, *angle, kin);
    memcpy(sim->sys.phi + pin->y, kin->error, TN_STRAIGHT_ROWS * sizeof(double));
}

TN_INLINE void show(tn_sim *sim, double h, const tn_linkage *linkage)
{
    for (int32_t k = 0; k < linkage->bar_count; k++)
        show_bar(sim, linkage, &linkage->bars[k]);
    for (int32_t k = 0; k < linkage->pin_count; k++)
        show_pin(sim, h, linkage, &linkage->pins[k]);
}

static void show_narrow(tn_sim *sim, double h, const tn_linkage *linkage)
{
    show(sim, h, linkage);
}

TN_WIDE static void show_wide(tn_sim *sim, double h, const tn_linkage *linkage)
{
    show(sim, h, linkage);
}

void tn_linkage_show(tn_sim *sim, double h, const tn_linkage *linkage)
{
    if (TN_WIDE_COPIES && linkage->wide) {
        show_wide(sim, h, linkage);
    } else {
        show_narrow(sim, h, linkage);
    }
    sim->sys.lead = 0.0;
    sim->coordinates_known = sim->factor_is_old = true;
}
