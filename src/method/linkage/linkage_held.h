/* linkage_held.h: room method/linkage: held angles of a planar linkage in its iteration (linkage_iterate.c). See
 * linkage.h.
 *
 * In: the trial, and the factor of the pins. Out: the moments of held angles, and the forces of pins due to them.
 */
#ifndef TN_METHOD_LINKAGE_LINKAGE_HELD_H
#define TN_METHOD_LINKAGE_LINKAGE_HELD_H

#include "method/linkage/linkage.h"

/* The error of one held angle; its moment is added to the bars. */
TN_INLINE void held_place(tn_linkage *linkage, tn_linkage_held *held)
{
    const tn_linkage_pin *pin = &linkage->pins[held->pin];
    tn_bar *a = &linkage->bars[pin->a], *b = &linkage->bars[pin->b];
    const tn_v2 x = p2_turn(a->axis, pin->axis_a), x_D = p2_turn(b->axis, pin->axis_b);
    const tn_v2 turn = {p2_dot(x_D, x), pin->side * p2_cross(x_D, x)};
    held->error = xz_angle(
        (tn_xform_z){p2_dot(held->target, turn), p2_cross(held->target, turn), {0.0, 0.0, 0.0}});
    a->f[2] += pin->side * held->moment;
    b->f[2] -= pin->side * held->moment;
}

/* Rotations of body a, and in the opposite sense of body b, by the moment of one held angle. */
typedef struct tn_held_turn {
    double a, b;
} tn_held_turn;

TN_INLINE tn_held_turn held_turn(const tn_linkage *linkage, const tn_linkage_pin *pin)
{
    return (tn_held_turn){pin->side * linkage->bars[pin->a].inverse[2],
                          -pin->side * linkage->bars[pin->b].inverse[2]};
}

/* The rotation of a bar by it. */
TN_INLINE double held_turn_of(const tn_linkage_pin *pin, tn_held_turn turn, int32_t bar)
{
    return bar == pin->a ? turn.a : bar == pin->b ? turn.b : 0.0;
}

/* The relative motion of a pin's two sides due to that: rows of G H^-1 D^T. */
TN_INLINE tn_v2 held_way(const tn_linkage_pin *held, tn_held_turn turn, const tn_linkage_pin *pin)
{
    return held_turn_of(held, turn, pin->a) * p2_across(pin->arm_a) -
           held_turn_of(held, turn, pin->b) * p2_across(pin->arm_b);
}

/* The change of another held angle by a moment, without the response of the pins: D H^-1 D^T. */
TN_INLINE double held_turns(const tn_linkage_pin *held, tn_held_turn turn,
                            const tn_linkage_pin *other)
{
    return other->side * (held_turn_of(held, turn, other->a) - held_turn_of(held, turn, other->b));
}

TN_INLINE void held_columns(tn_linkage *linkage)
{
    for (int32_t n = 0; n < linkage->held_count; n++) {
        const tn_linkage_held *held = &linkage->held[n];
        const tn_linkage_pin *own = &linkage->pins[held->pin];
        const tn_held_turn turn = held_turn(linkage, own);
        for (int32_t k = 0; k < linkage->pin_count; k++)
            tn_v2_store(held->column + TN_PIN_ROWS * k, held_way(own, turn, &linkage->pins[k]));
        spd_solve(&linkage->along, held->column, TN_PIN_ROWS);
    }
}

/* The change of a held angle by forces of the pins: D H^-1 G^T. */
TN_INLINE double held_gather(const tn_linkage *linkage, const tn_linkage_held *held,
                             const double *forces)
{
    const tn_linkage_pin *own = &linkage->pins[held->pin];
    const tn_held_turn turn = held_turn(linkage, own);
    double sum = 0.0;
    for (int32_t k = 0; k < linkage->pin_count; k++)
        sum += p2_dot(held_way(own, turn, &linkage->pins[k]), tn_v2_load(forces + TN_PIN_ROWS * k));
    return sum;
}

/* Factorizes the matrix of the held angles, L D L^T. Returns the smallest pivot, relative to its value without pins. */
TN_INLINE double held_factor(tn_linkage *linkage)
{
    double(*A)[TN_LINKAGE_HELD] = linkage->held_matrix, smallest = INFINITY;
    held_columns(linkage);
    for (int32_t i = 0; i < linkage->held_count; i++) {
        const tn_linkage_pin *own = &linkage->pins[linkage->held[i].pin];
        const tn_held_turn turn = held_turn(linkage, own);
        const double alone = held_turns(own, turn, own);
        for (int32_t j = 0; j <= i; j++) {
            const tn_linkage_held *other = &linkage->held[j];
            double sum = held_turns(own, turn, &linkage->pins[other->pin]) -
                         held_gather(linkage, &linkage->held[i], other->column);
            for (int32_t k = 0; k < j; k++)
                sum -= A[i][k] * A[k][k] * A[j][k];
            A[i][j] = i == j ? sum : sum / A[j][j];
        }
        smallest = spd_smaller(A[i][i] / alone, smallest);
    }
    return smallest;
}

/* Solves for the moments from the residuals of the angles, and adds the pins' response to them. */
TN_INLINE void held_solve(tn_linkage *linkage)
{
    double(*A)[TN_LINKAGE_HELD] = linkage->held_matrix;
    const int32_t count = linkage->held_count;
    for (int32_t i = 0; i < count; i++) {
        tn_linkage_held *held = &linkage->held[i];
        const tn_linkage_pin *pin = &linkage->pins[held->pin];
        const double turn = pin->side * (linkage->bars[pin->a].d[2] - linkage->bars[pin->b].d[2]);
        held->more = -held->error - turn - held_gather(linkage, held, linkage->y);
        for (int32_t k = 0; k < i; k++)
            held->more -= A[i][k] * linkage->held[k].more;
    }
    for (int32_t i = count - 1; i >= 0; i--) {
        linkage->held[i].more /= A[i][i];
        for (int32_t k = i + 1; k < count; k++)
            linkage->held[i].more -= A[k][i] * linkage->held[k].more;
    }
    for (int32_t i = 0; i < count; i++) {
        const tn_linkage_held *held = &linkage->held[i];
        const tn_linkage_pin *pin = &linkage->pins[held->pin];
        for (int32_t k = 0; k < TN_PIN_ROWS * linkage->pin_count; k++)
            linkage->y[k] -= held->more * held->column[k];
        linkage->bars[pin->a].f[2] += pin->side * held->more;
        linkage->bars[pin->b].f[2] -= pin->side * held->more;
    }
}

#endif
