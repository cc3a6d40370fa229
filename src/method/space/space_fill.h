/* space_fill.h: room method/space: the matrix G H^-1 G^T + E, in vectors along its blocks. Part of space_kernel.h.
 *
 * In: the pose as space_kernel.h stores it, and (J + S)^-1. Out: the blocks. Blocks of one hinge are symmetric:
 * their last column is their last row.
 */
#ifndef TN_METHOD_SPACE_SPACE_FILL_H
#define TN_METHOD_SPACE_SPACE_FILL_H

#include "math/dense/lane_loops.h"
#include "method/space/space.h"

enum { TN_SPACE_BLOCK = TN_SPACE_ROWS * TN_SPACE_STRIDE, TN_SPACE_LAST = TN_SPACE_ROWS - 1 };

/* P of an arm r, and Q. */
TN_INLINE void put_side(const tn_space_hinge *hinge, const tn_space_body *body, const double *r,
                        tn_space_side *side)
{
    const double *W = body->W;
    TN_LANE_LOOP(TN_SPACE_STRIDE, {
        const lane x = TN_CONST_LANE(hinge->force[0] + at), y = TN_CONST_LANE(hinge->force[1] + at),
                   z = TN_CONST_LANE(hinge->force[2] + at);
        const lane X = TN_CONST_LANE(hinge->moment[0] + at) + (r[1] * z - r[2] * y);
        const lane Y = TN_CONST_LANE(hinge->moment[1] + at) + (r[2] * x - r[0] * z);
        const lane Z = TN_CONST_LANE(hinge->moment[2] + at) + (r[0] * y - r[1] * x);
        TN_LANE(side->P[0] + at) = X;
        TN_LANE(side->P[1] + at) = Y;
        TN_LANE(side->P[2] + at) = Z;
        TN_LANE(side->Q[0] + at) = W[0] * X + W[3] * Y + W[4] * Z;
        TN_LANE(side->Q[1] + at) = W[3] * X + W[1] * Y + W[5] * Z;
        TN_LANE(side->Q[2] + at) = W[4] * X + W[5] * Y + W[2] * Z;
    })
}

/* Row i of P^T Q, from a column on: as many entries as a vector has. */
#define TN_SPACE_ROW(one, other, i, at)                                                            \
    ((one)->P[0][i] * TN_CONST_LANE((other)->Q[0] + (at)) +                                        \
     (one)->P[1][i] * TN_CONST_LANE((other)->Q[1] + (at)) +                                        \
     (one)->P[2][i] * TN_CONST_LANE((other)->Q[2] + (at)))

TN_INLINE double last_of(const tn_space_side *side)
{
    return side->P[0][TN_SPACE_LAST] * side->Q[0][TN_SPACE_LAST] +
           side->P[1][TN_SPACE_LAST] * side->Q[1][TN_SPACE_LAST] +
           side->P[2][TN_SPACE_LAST] * side->Q[2][TN_SPACE_LAST];
}

TN_INLINE void fill_hinge(tn_space *space, double epsilon, int32_t k)
{
    typedef tn_v4 lane;
    tn_space_hinge *hinge = &space->hinges[k];
    const tn_space_body *a = &space->bodies[hinge->a], *b = &space->bodies[hinge->b];
    const tn_space_side *on_a = &hinge->side_a, *on_b = &hinge->side_b;
    const double by_own = a->by_own + b->by_own, *e = space->e + TN_SPACE_STRIDE * k;
    double *block = space->matrix.diagonal + TN_SPACE_BLOCK * k;
    if (a->by_own > 0.0)
        put_side(hinge, a, hinge->r_a, &hinge->side_a);
    if (b->by_own > 0.0)
        put_side(hinge, b, hinge->r_b, &hinge->side_b);
    TN_UNROLL
    for (int i = 0; i < TN_SPACE_ROWS; i++) {
        double *row = block + TN_SPACE_STRIDE * i;
        TN_LANE(row) = TN_SPACE_ROW(on_a, on_a, i, 0) + TN_SPACE_ROW(on_b, on_b, i, 0);
        if (i < TN_SPACE_LAST)
            row[i] += (i < 3 ? by_own : 0.0) + epsilon * e[i];
    }
    const double *last = block + TN_SPACE_STRIDE * TN_SPACE_LAST;
    for (int i = 0; i < TN_SPACE_LAST; i++)
        block[TN_SPACE_STRIDE * i + TN_SPACE_LAST] = last[i];
    block[TN_SPACE_STRIDE * TN_SPACE_LAST + TN_SPACE_LAST] =
        last_of(on_a) + last_of(on_b) + epsilon * e[TN_SPACE_LAST];
}

TN_INLINE void fill_pair(tn_space *space, const tn_pair *pair)
{
    const tn_space_hinge *one = &space->hinges[pair->first], *other = &space->hinges[pair->second];
    const bool on_a = one->a == pair->bar, on_other_a = other->a == pair->bar;
    const tn_space_side *side = on_a ? &one->side_a : &one->side_b,
                        *of = on_other_a ? &other->side_a : &other->side_b;
    const double sign = on_a == on_other_a ? 1.0 : -1.0;
    const double by_own = space->bodies[pair->bar].by_own;
    double *block = space->matrix.block + TN_SPACE_BLOCK * pair->block;
    TN_UNROLL
    for (int i = 0; i < TN_SPACE_ROWS; i++) {
        double *row = block + TN_SPACE_STRIDE * i;
        TN_LANE_LOOP(TN_SPACE_STRIDE, {
            lane sum = TN_SPACE_ROW(side, of, i, at);
            if (i < 3 && at == 0) {
                sum += by_own * (one->force[0][i] * TN_CONST_LANE(other->force[0]) +
                                 one->force[1][i] * TN_CONST_LANE(other->force[1]) +
                                 one->force[2][i] * TN_CONST_LANE(other->force[2]));
            }
            TN_LANE(row + at) = (pair->opens ? (lane){0.0} : TN_LANE(row + at)) + sign * sum;
        })
    }
}

/* Clears blocks that only the elimination fills. */
TN_INLINE void clear_bare(tn_spd *K, const tn_pairs *pairs, const int block)
{
    for (int32_t n = 0; n < pairs->bare_count; n++)
        memset(K->block + block * (int64_t)pairs->bare[n], 0, sizeof(double) * (size_t)block);
}

TN_INLINE void space_fill(tn_space *space, double epsilon)
{
    tn_spd *K = &space->matrix;
    clear_bare(K, &space->pairs, TN_SPACE_BLOCK);
    for (int32_t k = 0; k < space->hinge_count; k++)
        fill_hinge(space, epsilon, k);
    for (int32_t p = 0; p < space->pairs.count; p++)
        fill_pair(space, &space->pairs.pairs[p]);
}

#endif
