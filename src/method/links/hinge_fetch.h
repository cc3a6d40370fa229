/* hinge_fetch.h: room method/links: what stages ask the memory for ahead of themselves, where links are so many that it is not
 * in the caches any more from one pass to the next.
 *
 * Each stage asks for what it reads and writes of the tile after the one it is at, block by block, so that what comes from
 * memory is spread over the time that all stages take with a tile, and waits for none of them.
 */
#ifndef TN_METHOD_HINGES_HINGE_FETCH_H
#define TN_METHOD_HINGES_HINGE_FETCH_H

#include "method/links/hinge_block.h"

/* Links from which on they, some 2 kB each with all that a step reads and writes, are not in the last cache from one pass
 * to the next (below, machines find them by themselves), and blocks between what is asked for and what is worked on. */
enum { TN_HINGE_FAR = 4000, TN_HINGE_AHEAD = TN_HINGE_RUN / TN_HINGE_WIDTH, TN_CACHE_LINE = 64 };

TN_INLINE bool hinge_is_far(const tn_hinge_world *w, int32_t b)
{
    return w->count >= TN_HINGE_FAR && b >= 0 && b < w->blocks;
}

TN_INLINE void fetch_numbers(const double *from, size_t numbers)
{
    for (size_t n = 0; n < numbers; n += TN_CACHE_LINE / sizeof(double))
        __builtin_prefetch(from + n, 0, 2);
}

/* Of numbers that begin within a line. */
TN_INLINE void fetch_row(const double *from, size_t numbers)
{
    fetch_numbers(from, numbers);
    __builtin_prefetch(from + numbers - 1, 0, 2);
}

/* Fields `first` up to `last` of block b, four numbers each. */
#define FETCH_LIMBS(w, b, first, last)                                                             \
    fetch_numbers(hinge_limb_at(w, (b)*TN_HINGE_WIDTH) + TN_LIMB_FIELD(first),                     \
                  TN_LIMB_FIELD(last) - TN_LIMB_FIELD(first))

/* Of its kind, unless that is the one of the block before, which is in the caches. */
TN_INLINE void fetch_kind(const tn_hinge_world *w, int32_t b, size_t numbers)
{
    if (b > 0 && w->kind[b] == w->kind[b - 1])
        return;
    fetch_numbers(hinge_kind_at(w, b * TN_HINGE_WIDTH), numbers);
}

TN_INLINE void fetch_records(const tn_hinge_world *w, int32_t b)
{
    fetch_numbers((const double *)(const void *)&w->records[b * TN_HINGE_WIDTH],
                  TN_HINGE_WIDTH * sizeof(tn_hinge_record) / sizeof(double));
}

/* ---- outward ---- */

TN_INLINE void hinge_fetch_start(const tn_hinge_world *w, int32_t b)
{
    if (!hinge_is_far(w, b))
        return;
    fetch_kind(w, b, TN_KIND_FIELD(link.ground));
    FETCH_LIMBS(w, b, turned, udot);
    for (int k = 0; k < TN_HINGE_WIDTH; k++) {
        const tn_hinge_place *of = &w->places[b * TN_HINGE_WIDTH + k];
        fetch_row(w->at.q + 4 * (size_t)of->body, 4);
        fetch_row(w->at.memory + HINGE_MEMORY_SIZE * (size_t)of->memory, HINGE_MEMORY_SIZE);
    }
}

/* Of angles that are found. */
TN_INLINE void hinge_fetch_turned(const tn_hinge_world *w, int32_t b)
{
    if (!hinge_is_far(w, b))
        return;
    fetch_kind(w, b, TN_KIND_FIELD(link.ground));
    FETCH_LIMBS(w, b, turned, udot);
    for (int k = 0; k < TN_HINGE_WIDTH; k++) {
        const tn_hinge_place *of = &w->places[b * TN_HINGE_WIDTH + k];
        fetch_row(w->at.q + 4 * (size_t)of->body, 4);
        fetch_row(w->at.memory + HINGE_MEMORY_SIZE * (size_t)of->memory, 2);
    }
}

TN_INLINE void hinge_fetch_turn(const tn_hinge_world *w, int32_t b)
{
    if (hinge_is_far(w, b))
        FETCH_LIMBS(w, b, arm, f);
}

/* The motion it begins with. */
TN_INLINE void fetch_begun(const tn_hinge_world *w, int32_t b)
{
    for (int k = 0; k < TN_HINGE_WIDTH; k++) {
        const tn_hinge_place *of = &w->places[b * TN_HINGE_WIDTH + k];
        fetch_row(w->at.u + of->u, 6);
        fetch_row(w->at.udot + of->u, 6);
        fetch_row(w->at.acc + of->u, 6);
    }
}

TN_INLINE void hinge_fetch_strive(const tn_hinge_world *w, int32_t b)
{
    if (!hinge_is_far(w, b))
        return;
    FETCH_LIMBS(w, b, udot, arm);
    FETCH_LIMBS(w, b, f, screw);
    fetch_begun(w, b);
    fetch_records(w, b);
}

TN_INLINE void hinge_fetch_scatter(const tn_hinge_world *w, int32_t b)
{
    if (!hinge_is_far(w, b))
        return;
    FETCH_LIMBS(w, b, axis, place);
    FETCH_LIMBS(w, b, screw, x);
    for (int k = 0; k < TN_HINGE_WIDTH; k++)
        __builtin_prefetch(w->records[b * TN_HINGE_WIDTH + k].factor.row_f, 0, 2);
}

TN_INLINE void hinge_fetch_nudge(const tn_hinge_world *w, int32_t b)
{
    if (!hinge_is_far(w, b))
        return;
    FETCH_LIMBS(w, b, turn, axis);
    FETCH_LIMBS(w, b, place, span);
}

TN_INLINE void hinge_fetch_settle(const tn_hinge_world *w, int32_t b)
{
    if (!hinge_is_far(w, b))
        return;
    fetch_kind(w, b, TN_HINGE_KIND_SIZE);
    FETCH_LIMBS(w, b, span, screw);
    fetch_numbers(hinge_limb_at(w, b * TN_HINGE_WIDTH) + TN_LIMB_FIELD(x), 3 * TN_HINGE_WIDTH);
    fetch_begun(w, b);
}

/* Of where it began, as what is shown remembers. */
TN_INLINE void fetch_before(const tn_hinge_world *w, const tn_hinge_place *of)
{
    const size_t i = (size_t)of->body, j = (size_t)of->joint;
    fetch_row(w->at.x + 3 * i, 3);
    fetch_row(w->at.memory + HINGE_MEMORY_SIZE * (size_t)of->memory, HINGE_MEMORY_SIZE);
    __builtin_prefetch(w->at.coordinates + TN_MAX_COORDINATES * j, 0, 2);
}

TN_INLINE void hinge_fetch_shown(const tn_hinge_world *w, int32_t b)
{
    if (!hinge_is_far(w, b))
        return;
    for (int k = 0; k < TN_HINGE_WIDTH; k++) {
        const tn_hinge_place *of = &w->places[b * TN_HINGE_WIDTH + k];
        const size_t i = (size_t)of->body, j = (size_t)of->joint;
        fetch_row(w->to.u + of->u, 6);
        fetch_row(w->to.udot + of->u, 6);
        fetch_row(w->to.acc + of->u, 6);
        fetch_row(w->to.udot_rate + of->u, 6);
        fetch_row(w->to.x + 3 * i, 3);
        fetch_row(w->to.q + 4 * i, 4);
        fetch_row(w->to.memory + HINGE_MEMORY_SIZE * (size_t)of->memory, HINGE_MEMORY_SIZE);
        __builtin_prefetch(w->to.coordinates + TN_MAX_COORDINATES * j, 0, 2);
        if (w->to.u != w->at.u)
            fetch_before(w, of);
        fetch_row(w->frames.T[i].R.m[0], sizeof(tn_xform) / sizeof(double));
        fetch_row(w->frames.kin[j].R_GW.m[0],
                  offsetof(tn_joint_kinematics, moving) / sizeof(double));
        fetch_row(w->frames.phi + w->frames.y_offset[j], 5);
    }
}

/* ---- inward ---- */

TN_INLINE void hinge_fetch_weights(const tn_hinge_world *w, int32_t b)
{
    if (hinge_is_far(w, b))
        FETCH_LIMBS(w, b, axis, s);
}

TN_INLINE void hinge_fetch_records(const tn_hinge_world *w, int32_t b)
{
    if (hinge_is_far(w, b))
        fetch_records(w, b);
}

/* Multipliers, and the axes they go by. */
TN_INLINE void hinge_fetch_forces(const tn_hinge_world *w, int32_t b)
{
    if (!hinge_is_far(w, b))
        return;
    FETCH_LIMBS(w, b, spun, axis);
    for (int k = 0; k < TN_HINGE_WIDTH; k++) {
        const size_t at = TN_MAX_ROWS * (size_t)w->places[b * TN_HINGE_WIDTH + k].joint;
        fetch_row(w->at.lambda + at, TN_MAX_ROWS);
        fetch_row(w->to.lambda + at, TN_MAX_ROWS);
        fetch_row(w->to.lambda_rate + at, TN_MAX_ROWS);
    }
}

#endif
