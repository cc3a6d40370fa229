/* hinge_stages.h: room method/hinges: what is local to a limb, four limbs of one world at a time (hinge_block.h).
 * Included by one file for each kind of machine, with TN_LANES 4.
 */
#include "math/lanes.h"
#include "method/hinges/hinge_fetch.h"

/* ---- blocks ---- */

/* A block, and what its lanes hang on. */
typedef struct tn_hinge_lanes {
    const tn_hinge_place *places;
    const int32_t *inner;
    tn_hinge_limb *own;
    tn_hinge_state *to;
} tn_hinge_lanes;

TN_INLINE tn_hinge_lanes block_at(const tn_hinge_world *w, int32_t b)
{
    const size_t n = (size_t)b;
    return (tn_hinge_lanes){w->places + n * TN_HINGE_WIDTH, w->inner + n * TN_HINGE_WIDTH,
                            (tn_hinge_limb *)(void *)(w->limbs + (n + 1) * TN_HINGE_LIMB_SIZE),
                            (tn_hinge_state *)(void *)(w->ends + n * TN_HINGE_END_SIZE)};
}

/* Each lane's own array. */
typedef struct tn_hinge_rows {
    double *of[TN_HINGE_WIDTH];
} tn_hinge_rows;

/* Number n of them. */
TN_INLINE tn_real gather(const tn_hinge_rows *rows, size_t n)
{
    return (tn_real){rows->of[0][n], rows->of[1][n], rows->of[2][n], rows->of[3][n]};
}

TN_INLINE void scatter(const tn_hinge_rows *rows, size_t n, tn_real a)
{
    for (int k = 0; k < TN_HINGE_WIDTH; k++)
        rows->of[k][n] = a[k];
}

/* Four numbers of four lanes: rows to columns. */
TN_INLINE void transpose(tn_real *a)
{
#if __has_builtin(__builtin_shufflevector)
    const tn_real ab_02 = __builtin_shufflevector(a[0], a[1], 0, 4, 2, 6);
    const tn_real ab_13 = __builtin_shufflevector(a[0], a[1], 1, 5, 3, 7);
    const tn_real cd_02 = __builtin_shufflevector(a[2], a[3], 0, 4, 2, 6);
    const tn_real cd_13 = __builtin_shufflevector(a[2], a[3], 1, 5, 3, 7);
    a[0] = __builtin_shufflevector(ab_02, cd_02, 0, 1, 4, 5);
    a[1] = __builtin_shufflevector(ab_13, cd_13, 0, 1, 4, 5);
    a[2] = __builtin_shufflevector(ab_02, cd_02, 2, 3, 6, 7);
    a[3] = __builtin_shufflevector(ab_13, cd_13, 2, 3, 6, 7);
#else
    const tn_real from[4] = {a[0], a[1], a[2], a[3]};
    for (int i = 0; i < 4; i++)
        a[i] = (tn_real){from[0][i], from[1][i], from[2][i], from[3][i]};
#endif
}

/* Numbers n and n + 1 of all lanes. */
TN_INLINE void gather_two(const tn_hinge_rows *rows, size_t n, tn_real *to)
{
#if __has_builtin(__builtin_shufflevector)
    tn_v2 a[TN_HINGE_WIDTH];
    for (int k = 0; k < TN_HINGE_WIDTH; k++)
        a[k] = tn_v2_load(rows->of[k] + n);
    const tn_real even = __builtin_shufflevector(a[0], a[2], 0, 1, 2, 3),
                  odd = __builtin_shufflevector(a[1], a[3], 0, 1, 2, 3);
    to[0] = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
    to[1] = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
#else
    to[0] = gather(rows, n);
    to[1] = gather(rows, n + 1);
#endif
}

TN_INLINE void scatter_two(const tn_hinge_rows *rows, size_t n, const tn_real *from)
{
#if __has_builtin(__builtin_shufflevector)
    const tn_real even = __builtin_shufflevector(from[0], from[1], 0, 4, 2, 6),
                  odd = __builtin_shufflevector(from[0], from[1], 1, 5, 3, 7);
    tn_v2_store(rows->of[0] + n, __builtin_shufflevector(even, even, 0, 1));
    tn_v2_store(rows->of[1] + n, __builtin_shufflevector(odd, odd, 0, 1));
    tn_v2_store(rows->of[2] + n, __builtin_shufflevector(even, even, 2, 3));
    tn_v2_store(rows->of[3] + n, __builtin_shufflevector(odd, odd, 2, 3));
#else
    scatter(rows, n, from[0]);
    scatter(rows, n + 1, from[1]);
#endif
}

/* Numbers first .. first + count of all lanes. */
TN_INLINE void gather_all(const tn_hinge_rows *rows, size_t first, size_t count, tn_real *to)
{
    size_t n = 0;
    for (; n + 4 <= count; n += 4) {
        tn_real a[4];
        for (int k = 0; k < TN_HINGE_WIDTH; k++)
            a[k] = (tn_real) * (const tn_v4 *)(rows->of[k] + first + n);
        transpose(a);
        for (int i = 0; i < 4; i++)
            to[n + (size_t)i] = a[i];
    }
    if (n + 2 <= count) {
        gather_two(rows, first + n, to + n);
        n += 2;
    }
    if (n < count)
        to[n] = gather(rows, first + n);
}

TN_INLINE void scatter_all(const tn_hinge_rows *rows, size_t first, size_t count,
                           const tn_real *from)
{
    size_t n = 0;
    for (; n + 4 <= count; n += 4) {
        tn_real a[4] = {from[n], from[n + 1], from[n + 2], from[n + 3]};
        transpose(a);
        for (int k = 0; k < TN_HINGE_WIDTH; k++)
            *(tn_v4 *)(rows->of[k] + first + n) = (tn_v4)a[k];
    }
    if (n + 2 <= count) {
        scatter_two(rows, first + n, from + n);
        n += 2;
    }
    if (n < count)
        scatter(rows, first + n, from[n]);
}

TN_INLINE tn_realq gather_q(const tn_hinge_rows *rows)
{
    tn_real q[4];
    gather_all(rows, 0, 4, q);
    return (tn_realq){q[0], q[1], q[2], q[3]};
}

/* A field of the limbs that the lanes hang on. */
TN_INLINE tn_hinge_rows inner_rows(const tn_hinge_world *w, const tn_hinge_lanes *l, size_t field)
{
    tn_hinge_rows rows;
    for (int k = 0; k < TN_HINGE_WIDTH; k++)
        rows.of[k] = hinge_limb_at(w, l->inner[k]) + field;
    return rows;
}

TN_INLINE tn_real3 inner_r3(const tn_hinge_rows *rows, size_t at)
{
    return r3(gather(rows, at), gather(rows, at + TN_HINGE_WIDTH),
              gather(rows, at + 2 * TN_HINGE_WIDTH));
}

TN_INLINE tn_hinge_rows rows_by_body(double *a, const tn_hinge_lanes *l, size_t stride)
{
    tn_hinge_rows rows;
    for (int k = 0; k < TN_HINGE_WIDTH; k++)
        rows.of[k] = a + stride * (size_t)l->places[k].body;
    return rows;
}

TN_INLINE tn_hinge_rows rows_by_velocity(double *a, const tn_hinge_lanes *l)
{
    tn_hinge_rows rows;
    for (int k = 0; k < TN_HINGE_WIDTH; k++)
        rows.of[k] = a + l->places[k].u;
    return rows;
}

TN_INLINE tn_hinge_rows rows_by_joint(double *a, const tn_hinge_lanes *l, size_t stride)
{
    tn_hinge_rows rows;
    for (int k = 0; k < TN_HINGE_WIDTH; k++)
        rows.of[k] = a + stride * (size_t)l->places[k].joint;
    return rows;
}

/* ---- the start ---- */

TN_INLINE tn_realq start_q(const tn_hinge_world *w, const tn_hinge_lanes *l)
{
    const tn_hinge_rows rows = rows_by_body(w->at.q, l, 4);
    return gather_q(&rows);
}

/* Of the limb it hangs on; of those that hang on what does not move any. */
TN_INLINE tn_realq inner_start_q(const tn_hinge_world *w, const tn_hinge_lanes *l)
{
    tn_hinge_rows rows;
    for (int k = 0; k < TN_HINGE_WIDTH; k++)
        rows.of[k] =
            w->at.q + 4 * (size_t)(l->inner[k] < 0 ? l->places[k].body : l->places[k].inner_body);
    return gather_q(&rows);
}

TN_INLINE void gather_motion(const tn_hinge_world *w, const tn_hinge_lanes *l, tn_hinge_motion *to)
{
    const tn_hinge_rows u = rows_by_velocity(w->at.u, l), udot = rows_by_velocity(w->at.udot, l),
                        acc = rows_by_velocity(w->at.acc, l);
    gather_all(&u, 0, 6, to->u);
    gather_all(&udot, 0, 6, to->udot);
    gather_all(&acc, 0, 6, to->acc);
}

/* Likewise, of four limbs; those behind the last one are as the last. */
typedef struct tn_hinge_four_onsets {
    tn_real change, slowest;
} tn_hinge_four_onsets;

/* By fewer differences than all. */
TN_INLINE void predict_by(int32_t order, const tn_hinge_memory *memory, tn_hinge_limb *k,
                          tn_hinge_four_onsets *onset)
{
    k->turn = memory->turns[0];
    for (int32_t i = 1; i < order; i++)
        k->turn += memory->turns[i];
    onset->change = r_max(r_abs(memory->turns[order - 1]), onset->change);
}

TN_INLINE void note_onset(const tn_hinge_state *from, tn_hinge_four_onsets *onset)
{
    tn_real speed = r_abs(from->at.u[0]);
    for (int i = 1; i < 6; i++)
        speed = r_max(r_abs(from->at.u[i]), speed);
    onset->slowest = r_select(speed < onset->slowest, speed, onset->slowest);
}

TN_INLINE void start_block(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t b,
                           bool predicts, tn_hinge_four_onsets *onset)
{
    const tn_hinge_lanes l = block_at(w, b);
    tn_hinge_limb *k = l.own;
    tn_hinge_state from;
    const tn_hinge_rows memory = rows_by_joint(w->at.memory, &l, HINGE_MEMORY_SIZE);
    from.pose.q = start_q(w, &l);
    if (predicts) {
        gather_motion(w, &l, &from.at);
        gather_all(&memory, 0, HINGE_MEMORY_SIZE, from.memory.half);
        hinge_predict(c, &from, k);
        note_onset(&from, onset);
        if (w->order < TN_HINGE_DEGREE) {
            predict_by(w->order, &from.memory, k, onset);
        } else {
            hinge_note_change(&from.memory, &onset->change);
        }
    } else {
        gather_all(&memory, 0, 2, from.memory.half);
    }
    const tn_real33 inner_R = rq_to_r33(inner_start_q(w, &l));
    hinge_orient(&from.pose, k);
    k->arm = r33_mulv(&k->R, k->link.at);
    k->base = r33_mulv(&inner_R, k->link.inner_at);
    const tn_hinge_swing swing = hinge_swing(k, from.memory.half);
    k->turned = swing.own;
    l.to->memory.half[0] = swing.half[0];
    l.to->memory.half[1] = swing.half[1];
    l.to->pose.q = hinge_bent(k->link.rel, swing.half[0], swing.half[1]);
}

static void start(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t begin, int32_t end,
                  tn_hinge_onset *onset)
{
    tn_hinge_four_onsets four = {r_splat(0.0), r_splat(DBL_MAX)};
    for (int32_t b = begin; b < end && onset; b++) {
        hinge_fetch_start(w, b + TN_HINGE_AHEAD);
        start_block(w, c, b, true, &four);
    }
    for (int32_t b = begin; b < end && !onset; b++) {
        hinge_fetch_turned(w, b + TN_HINGE_AHEAD);
        start_block(w, c, b, false, NULL);
    }
    for (int k = 0; k < TN_HINGE_WIDTH && onset; k++) {
        onset->change = fmax(r_get(&four.change, k), onset->change);
        onset->slowest = fmin(r_get(&four.slowest, k), onset->slowest);
    }
}

/* ---- the trial ---- */

/* Dx less that of the inner body, for those that hang on what does not move: Dx. */
TN_INLINE void put_moved(const tn_hinge_lanes *l, tn_real3 base, tn_real3 arm)
{
    tn_real3 *moved = &l->own->moved;
    *moved = r3_sub(base, arm);
    for (int k = 0; k < TN_HINGE_WIDTH; k++) {
        if (__builtin_expect(l->inner[k] >= 0, 1))
            continue;
        r_put(&moved->x, k, 0.0 - r_get(&arm.x, k));
        r_put(&moved->y, k, 0.0 - r_get(&arm.y, k));
        r_put(&moved->z, k, 0.0 - r_get(&arm.z, k));
    }
}

TN_INLINE void turn_block(const tn_hinge_world *w, int32_t b)
{
    const tn_hinge_lanes l = block_at(w, b);
    const tn_hinge_rows inner = inner_rows(w, &l, 0);
    l.own->spun = rq_small_log(l.own->turned);
    const tn_real3 arm = hinge_turn_arm(l.own);
    const size_t at = TN_LIMB_FIELD(turned);
    const tn_realq turned = {gather(&inner, at), gather(&inner, at + TN_HINGE_WIDTH),
                             gather(&inner, at + 2 * TN_HINGE_WIDTH),
                             gather(&inner, at + 3 * TN_HINGE_WIDTH)};
    const tn_real3 base = hinge_turn_base(turned, inner_r3(&inner, TN_LIMB_FIELD(arm)), l.own);
    put_moved(&l, base, arm);
}

static void turn(const tn_hinge_world *w, int32_t begin, int32_t end)
{
    for (int32_t b = begin; b < end; b++) {
        hinge_fetch_turn(w, b + TN_HINGE_AHEAD);
        turn_block(w, b);
    }
}

TN_INLINE tn_real3 gravity_of(const tn_hinge_world *w)
{
    return r3(r_splat(w->gravity.x), r_splat(w->gravity.y), r_splat(w->gravity.z));
}

/* A vector of each lane, with a fourth number. */
TN_INLINE void put_vectors(tn_real3 a, tn_real fourth, tn_v4 *to, size_t stride)
{
    tn_real all[4] = {a.x, a.y, a.z, fourth};
    transpose(all);
    for (size_t k = 0; k < TN_HINGE_WIDTH; k++)
        to[k * stride] = (tn_v4)all[k];
}

enum { CROSS = sizeof(tn_hinge_cross) / sizeof(tn_v4) };

TN_INLINE void put_records(const tn_hinge_world *w, const tn_hinge_part *part, tn_real mass,
                           int32_t b)
{
    tn_hinge_rows to;
    for (int k = 0; k < TN_HINGE_WIDTH; k++)
        to.of[k] = w->records[b * TN_HINGE_WIDTH + k].part.B;
    tn_real all[sizeof(tn_hinge_record) / sizeof(double)];
    r3_store(all, part->B);
    r3_store(all + 3, part->D);
    for (int i = 0; i < 9; i++)
        all[6 + i] = part->C.m[i / 3][i % 3];
    all[15] = mass;
    scatter_all(&to, 0, 16, all);
}

TN_INLINE void strive_block(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t b,
                            bool principal)
{
    const tn_hinge_lanes l = block_at(w, b);
    tn_hinge_state from;
    from.pose.q = start_q(w, &l);
    const tn_hinge_pair pair = {l.own, NULL, &from, l.to, NULL};
    hinge_orient(&l.to->pose, l.own);
    hinge_move(c, &pair, r_yes(), true);
    const tn_hinge_effort now = hinge_strive(gravity_of(w), principal, &pair);
    const tn_hinge_part part = hinge_part(c, principal, &now, &pair);
    put_records(w, &part, l.own->link.mass, b);
}

static void strive(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t begin, int32_t end)
{
    for (int32_t b = begin; b < end && w->principal; b++) {
        hinge_fetch_strive(w, b + TN_HINGE_AHEAD);
        strive_block(w, c, b, true);
    }
    for (int32_t b = begin; b < end && !w->principal; b++) {
        hinge_fetch_strive(w, b + TN_HINGE_AHEAD);
        strive_block(w, c, b, false);
    }
}

/* ---- inward ---- */

/* Of block n. */
TN_INLINE const tn_hinge_pull *pulls_at(const double *pulls, int32_t n)
{
    return (const tn_hinge_pull *)(const void *)(pulls + (size_t)n * TN_HINGE_PULLS_SIZE);
}

TN_INLINE void cross_block(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t b,
                           const tn_hinge_pull *pull, tn_hinge_cross *to)
{
    tn_hinge_limb *k = block_at(w, b).own;
    const tn_hinge_pull turned = hinge_turned_pull(pull, k->axis, k->place);
    const tn_real torque = c->by_beta * r3_dot(k->axis, pull->moment);
    k->screw = r3_cross(k->place, k->axis);
    put_vectors(k->screw, torque, &to->screw, CROSS);
    put_vectors(k->axis, torque, &to->axis, CROSS);
    put_vectors(r3_times(c->by_beta, turned.force), torque, &to->force, CROSS);
    put_vectors(r3_times(c->by_beta, turned.moment), torque, &to->moment, CROSS);
}

static void cross(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t begin, int32_t end,
                  const double *pulls, tn_hinge_cross *to)
{
    for (int32_t b = begin; b < end; b++) {
        hinge_fetch_records(w, b - TN_HINGE_AHEAD);
        cross_block(w, c, b, pulls_at(pulls, b - begin), to + (size_t)(b - begin) * TN_HINGE_WIDTH);
    }
}

/* ---- a correction ---- */

TN_INLINE void nudge_block(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t b)
{
    const tn_hinge_lanes l = block_at(w, b);
    const tn_hinge_pair pair = {l.own, NULL, NULL, l.to, NULL};
    const tn_hinge_swing swing = hinge_swing_on(l.own, l.to->memory.half);
    hinge_nudge(c, &pair, r_yes(), true);
    l.to->memory.half[0] = swing.half[0];
    l.to->memory.half[1] = swing.half[1];
    l.to->pose.q = hinge_bent(l.own->link.rel, swing.half[0], swing.half[1]);
}

static void nudge(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t begin, int32_t end)
{
    for (int32_t b = begin; b < end; b++) {
        hinge_fetch_nudge(w, b + TN_HINGE_AHEAD);
        nudge_block(w, c, b);
    }
}

TN_INLINE tn_real settle_block(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t b,
                               tn_hinge_settling how, tn_real widest)
{
    const tn_hinge_lanes l = block_at(w, b);
    tn_hinge_limb *k = l.own;
    const tn_hinge_rows inner = inner_rows(w, &l, 0);
    const tn_hinge_pair pair = {k, NULL, NULL, l.to, NULL};
    tn_real33 inner_R;
    hinge_orient(&l.to->pose, k);
    if (how != TN_HINGE_AT_ONCE)
        k->arm = r33_mulv(&k->R, k->link.at);
    for (size_t n = 0; n < 9; n++)
        inner_R.m[n / 3][n % 3] = gather(&inner, TN_LIMB_FIELD(R) + n * TN_HINGE_WIDTH);
    k->base = r33_mulv(&inner_R, k->link.inner_at);
    k->span = r3_sub(k->base, inner_r3(&inner, TN_LIMB_FIELD(arm)));
    if (how != TN_HINGE_BY_TWIST)
        hinge_move(c, &pair, r_yes(), true);
    hinge_strive(gravity_of(w), w->principal, &pair);
    return r_max(r3_dot(k->w, k->w), widest);
}

static double settle(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t begin, int32_t end,
                     tn_hinge_settling how)
{
    tn_real widest = r_splat(0.0);
    for (int32_t b = begin; b < end; b++) {
        hinge_fetch_settle(w, b + TN_HINGE_AHEAD);
        widest = settle_block(w, c, b, how, widest);
    }
    double most = 0.0;
    for (int k = 0; k < TN_HINGE_WIDTH; k++)
        most = r_get(&widest, k) > most ? r_get(&widest, k) : most;
    return most;
}
