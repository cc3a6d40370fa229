/* linkage_across.c: room method/linkage: the loads of the hinges of a planar linkage across its plane. See linkage.h.
 *
 * A body that moves in the plane needs a force along the normal against gravity only, and moments for its products of
 * inertia, with b1, b2 its own axes, w its speed and a = dw/dt:
 *     J1n a - w^2 J2n about b1,    J2n a + w^2 J1n about b2,
 * less the moments that forces in the plane have at arms along the normal.
 *
 * Limits: weights are A of each hinge alone, as in all minimum-norm solutions; a hinge of weight zero carries nothing
 * here.
 */
#include <math.h>
#include <string.h>

#include "method/linkage/linkage.h"
#include "solve/singular.h"

/* W^-1 of a hinge in axes of the plane: of the force, and of the two moments. */
typedef struct tn_yield {
    double force, xx, xy, yy;
} tn_yield;

TN_INLINE tn_yield yield_of(const tn_linkage_pin *pin)
{
    const tn_v2 twice = bar_double(pin->axis);
    const double even = pin->yield_half * twice[0];
    return (tn_yield){pin->yield_force, pin->yield_mean + even, pin->yield_half * twice[1],
                      pin->yield_mean - even};
}

/* += sign Q W^-1 Q^T of two arms; a force along the normal at (x, y) has the moments (y, -x). */
TN_INLINE void add_yield(double *at, double sign, const tn_yield *by, tn_v2 one, tn_v2 other)
{
    tn_v4 *block = (tn_v4 *)(void *)at;
    const tn_v4 q = sign * by->force * (tn_v4){1.0, other[1], -other[0], 0.0};
    const tn_v4 x = {0.0, by->xx, by->xy, 0.0}, y = {0.0, by->xy, by->yy, 0.0};
    block[0] += q;
    block[1] += one[1] * q + sign * x;
    block[2] += -one[0] * q + sign * y;
}

/* The wrenches across the plane that the bodies need. */
TN_INLINE void set_lack_of_bars(const tn_sim *sim, tn_linkage *linkage)
{
    const double g = v3_dot(linkage->e[2], sim->model->gravity);
    for (int32_t k = 0; k < linkage->bar_count; k++) {
        const tn_bar *bar = &linkage->bars[k];
        const double w2 = bar->u[2] * bar->u[2];
        const tn_v2 moment = bar->udot[2] * bar->off + w2 * p2_across(bar->off);
        double *load = linkage->load + TN_BAR_STRIDE * k;
        load[0] = -bar->inertia[0] * g;
        tn_v2_store(load + 1, p2_turn(bar->axis, moment));
    }
}

/* The hinges: their matrix, and the moments of their forces in the plane at arms along the normal. */
TN_INLINE void add_pins(tn_linkage *linkage)
{
    tn_spd *P = &linkage->across;
    for (int32_t k = 0; k < linkage->pin_count; k++) {
        tn_linkage_pin *pin = &linkage->pins[k];
        const bool a_first = pin->a < pin->b;
        pin->axis = p2_turn(linkage->bars[pin->a].axis, pin->axis_a);
        const tn_yield by = yield_of(pin);
        const tn_v2 turned = p2_across(pin->force);
        if (pin->a < linkage->bar_count) {
            double *load = linkage->load + TN_BAR_STRIDE * pin->a;
            add_yield(P->diagonal + spd_block(TN_ACROSS_ROWS) * pin->a, 1.0, &by, pin->arm_a,
                      pin->arm_a);
            tn_v2_store(load + 1, tn_v2_load(load + 1) - pin->z_a * turned);
        }
        if (pin->b < linkage->bar_count) {
            double *load = linkage->load + TN_BAR_STRIDE * pin->b;
            add_yield(P->diagonal + spd_block(TN_ACROSS_ROWS) * pin->b, 1.0, &by, pin->arm_b,
                      pin->arm_b);
            tn_v2_store(load + 1, tn_v2_load(load + 1) + pin->z_b * turned);
        }
        if (pin->coupling >= 0) {
            add_yield(P->block + spd_block(TN_ACROSS_ROWS) * pin->coupling, -1.0, &by,
                      a_first ? pin->arm_a : pin->arm_b, a_first ? pin->arm_b : pin->arm_a);
        }
    }
}

/* Motion at an arm due to a displacement: along the normal, and two rotations. */
TN_INLINE tn_vec3 opened(const double *y, tn_v2 arm)
{
    return v3(y[0] + arm[1] * y[1] - arm[0] * y[2], y[1], y[2]);
}

TN_INLINE tn_vec3 opened_of(const tn_linkage *linkage, int32_t bar, tn_v2 arm)
{
    if (bar >= linkage->bar_count)
        return v3(0.0, 0.0, 0.0);
    return opened(linkage->load + TN_BAR_STRIDE * bar, arm);
}

/* Subtracts a force along the normal and moments at an arm from what a body needs. */
TN_INLINE void relieve(tn_linkage *linkage, int32_t bar, tn_v2 arm, double force, tn_v2 moment)
{
    double *lack = linkage->lack + TN_BAR_STRIDE * bar;
    if (bar >= linkage->bar_count)
        return;
    lack[0] -= force;
    lack[1] -= arm[1] * force + moment[0];
    lack[2] -= moment[1] - arm[0] * force;
}

TN_INLINE void bear_pin(tn_linkage *linkage, tn_linkage_pin *pin)
{
    const tn_yield by = yield_of(pin);
    const tn_vec3 y =
        v3_sub(opened_of(linkage, pin->a, pin->arm_a), opened_of(linkage, pin->b, pin->arm_b));
    const tn_v2 moment = {by.xx * y.y + by.xy * y.z, by.xy * y.y + by.yy * y.z};
    relieve(linkage, pin->a, pin->arm_a, by.force * y.x, moment);
    relieve(linkage, pin->b, pin->arm_b, -by.force * y.x, -moment);
    v3_store(pin->across, v3(pin->side * by.force * y.x, p2_dot(pin->axis, moment),
                             pin->side * p2_cross(pin->axis, moment)));
}

/* Zero loads have the zero solution, which needs no improvement. */
bool tn_linkage_is_loaded(const tn_sim *sim, const tn_linkage *linkage)
{
    return !linkage->level || v3_dot(linkage->e[2], sim->model->gravity) != 0.0;
}

TN_INLINE bool bear(const tn_sim *sim, tn_linkage *linkage)
{
    tn_spd *P = &linkage->across;
    memset(P->diagonal, 0, sizeof(double) * (size_t)spd_block(TN_ACROSS_ROWS) * (size_t)P->n);
    memset(P->block, 0,
           sizeof(double) * (size_t)spd_block(TN_ACROSS_ROWS) * (size_t)P->start[P->n]);
    set_lack_of_bars(sim, linkage);
    add_pins(linkage);
    if (!(spd_factor(P, NULL, TN_ACROSS_ROWS) > TN_ROUNDED))
        return false;
    memcpy(linkage->lack, linkage->load,
           sizeof(double) * TN_BAR_STRIDE * (size_t)linkage->bar_count);
    spd_solve(P, linkage->load, TN_ACROSS_ROWS);
    for (int32_t k = 0; k < linkage->pin_count; k++)
        bear_pin(linkage, &linkage->pins[k]);
    return true;
}

static bool bear_narrow(const tn_sim *sim, tn_linkage *linkage)
{
    return bear(sim, linkage);
}

TN_WIDE static bool bear_wide(const tn_sim *sim, tn_linkage *linkage)
{
    return bear(sim, linkage);
}

bool tn_linkage_bear(const tn_sim *sim, tn_linkage *linkage)
{
    if (!tn_linkage_is_loaded(sim, linkage))
        return true;
    return TN_WIDE_COPIES && linkage->wide ? bear_wide(sim, linkage) : bear_narrow(sim, linkage);
}
