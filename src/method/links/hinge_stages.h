/* hinge_stages.h: room method/links: what is local to a link, four links of one world at a time (hinge_block.h).
 * Included by one file for each kind of machine, with TN_LANES 4.
 */
#include "math/rows.h"
#include "method/links/hinge_fetch.h"

/* ---- blocks ---- */

/* A block, and what its lanes hang on. */
typedef struct tn_hinge_lanes {
    const tn_hinge_place *places;
    const int32_t *inner;
    const tn_hinge_kind *kind;
    tn_hinge_trial *own;
    bool in_row;
} tn_hinge_lanes;

TN_INLINE tn_hinge_lanes block_at(const tn_hinge_world *w, int32_t b)
{
    const size_t n = (size_t)b;
    const double *kind = w->kinds + (size_t)w->kind[n] * TN_HINGE_KIND_SIZE;
    return (tn_hinge_lanes){w->places + n * TN_HINGE_WIDTH, w->inner + n * TN_HINGE_WIDTH,
                            (const tn_hinge_kind *)(const void *)kind,
                            (tn_hinge_trial *)(void *)(w->limbs + (n + 1) * TN_HINGE_LIMB_SIZE),
                            w->in_row[b] != 0};
}

TN_INLINE tn_realq gather_q(const tn_rows *rows)
{
    tn_real q[4];
    tn_rows_get(rows, 0, 4, q);
    return (tn_realq){q[0], q[1], q[2], q[3]};
}

/* The last of the first, and three of the second. */
TN_INLINE tn_real next_lanes(const double *before, const double *own)
{
#if __has_builtin(__builtin_shufflevector)
    const tn_real a = (tn_real) * (const tn_v4 *)before, b = (tn_real) * (const tn_v4 *)own;
    return __builtin_shufflevector(__builtin_shufflevector(a, b, 2, 3, 4, 5), b, 1, 4, 3, 6);
#else
    return (tn_real){before[3], own[0], own[1], own[2]};
#endif
}

/* Numbers of a field of the links that lanes hang on. */
TN_INLINE void gather_inner(const tn_hinge_world *w, const tn_hinge_lanes *l, size_t field,
                            size_t count, tn_real *to)
{
    if (__builtin_expect(l->in_row, 1)) {
        const double *own = (const double *)(const void *)l->own + field;
        for (size_t n = 0; n < count * TN_HINGE_WIDTH; n += TN_HINGE_WIDTH)
            to[n / TN_HINGE_WIDTH] = next_lanes(own - TN_HINGE_LIMB_SIZE + n, own + n);
        return;
    }
    tn_rows rows;
    for (int k = 0; k < TN_HINGE_WIDTH; k++)
        rows.of[k] = hinge_limb_at(w, l->inner[k]) + field;
    for (size_t n = 0; n < count; n++)
        to[n] = tn_rows_get_one(&rows, n * TN_HINGE_WIDTH);
}

TN_INLINE tn_real3 inner_r3(const tn_hinge_world *w, const tn_hinge_lanes *l, size_t field)
{
    tn_real a[3];
    gather_inner(w, l, field, 3, a);
    return r3_load(a);
}

TN_INLINE tn_realq inner_q(const tn_hinge_world *w, const tn_hinge_lanes *l, size_t field)
{
    tn_real a[4];
    gather_inner(w, l, field, 4, a);
    return (tn_realq){a[0], a[1], a[2], a[3]};
}

TN_INLINE tn_rows rows_by_body(double *a, const tn_hinge_lanes *l, size_t stride)
{
    tn_rows rows;
    for (int k = 0; k < TN_HINGE_WIDTH; k++)
        rows.of[k] = a + stride * (size_t)l->places[k].body;
    return rows;
}

TN_INLINE tn_rows rows_by_velocity(double *a, const tn_hinge_lanes *l)
{
    tn_rows rows;
    for (int k = 0; k < TN_HINGE_WIDTH; k++)
        rows.of[k] = a + l->places[k].u;
    return rows;
}

TN_INLINE tn_rows rows_by_joint(double *a, const tn_hinge_lanes *l, size_t stride)
{
    tn_rows rows;
    for (int k = 0; k < TN_HINGE_WIDTH; k++)
        rows.of[k] = a + stride * (size_t)l->places[k].joint;
    return rows;
}

TN_INLINE tn_rows rows_by_memory(double *a, const tn_hinge_lanes *l)
{
    tn_rows rows;
    for (int k = 0; k < TN_HINGE_WIDTH; k++)
        rows.of[k] = a + HINGE_MEMORY_SIZE * (size_t)l->places[k].memory;
    return rows;
}

/* ---- the start ---- */

TN_INLINE tn_realq start_q(const tn_hinge_world *w, const tn_hinge_lanes *l)
{
    const tn_rows rows = rows_by_body(w->at.q, l, 4);
    return gather_q(&rows);
}

/* Of the link it hangs on; of those that hang on what does not move any. */
TN_INLINE tn_realq inner_start_q(const tn_hinge_world *w, const tn_hinge_lanes *l)
{
    tn_rows rows;
    for (int k = 0; k < TN_HINGE_WIDTH; k++)
        rows.of[k] =
            w->at.q + 4 * (size_t)(l->inner[k] < 0 ? l->places[k].body : l->places[k].inner_body);
    return gather_q(&rows);
}

/* Six velocities of each lane, as hinge_get_six. */
TN_INLINE void get_six(bool flat, const tn_rows *rows, tn_real *to)
{
    if (!flat) {
        tn_rows_get(rows, 0, 6, to);
        return;
    }
    tn_rows_get_two(rows, 0, to);
    to[2] = to[3] = to[4] = r_splat(0.0);
    to[TN_FLAT_TURN] = tn_rows_get_one(rows, 2);
}

TN_INLINE void put_six(bool flat, const tn_rows *rows, const tn_real *from)
{
    if (!flat) {
        tn_rows_put(rows, 0, 6, from);
        return;
    }
    tn_rows_put_two(rows, 0, from);
    tn_rows_put_one(rows, 2, from[TN_FLAT_TURN]);
}

/* `flat`: of planar bodies. */
TN_INLINE void gather_motion(const tn_hinge_world *w, const tn_hinge_lanes *l, bool flat,
                             tn_hinge_motion *to)
{
    const tn_rows u = rows_by_velocity(w->at.u, l), udot = rows_by_velocity(w->at.udot, l),
                  acc = rows_by_velocity(w->at.acc, l);
    get_six(flat, &u, to->u);
    get_six(flat, &udot, to->udot);
    get_six(flat, &acc, to->acc);
}

/* By fewer differences than all. */
TN_INLINE tn_real foresee_by(int32_t order, const tn_hinge_memory *memory, tn_real *change)
{
    tn_real turn = memory->turns[0];
    for (int32_t i = 1; i < order; i++)
        turn += memory->turns[i];
    *change = r_max(r_abs(memory->turns[order - 1]), *change);
    return turn;
}

/* Half the angle, and that by which it turns on. */
TN_INLINE void foresee(const tn_hinge_world *w, const tn_rows *rows, tn_hinge_memory *memory,
                       tn_real *turn, tn_real *change)
{
    tn_rows_get(rows, 0, HINGE_MEMORY_SIZE, memory->half);
    if (w->order < TN_HINGE_DEGREE) {
        *turn = foresee_by(w->order, memory, change);
        return;
    }
    *turn = hinge_foresee(memory);
    hinge_note_change(memory, change);
}

/* Numbers of the links of block b. */
TN_INLINE tn_real four_of(const double *by_limb, int32_t b)
{
    return (tn_real) * (const tn_v4 *)(by_limb + (size_t)b * TN_HINGE_WIDTH);
}

/* What held hinges turn by is given. */
TN_INLINE void turn_as_given(const tn_hinge_world *w, int32_t b, tn_real *turn)
{
    const tn_real given = four_of(w->acting->given, b);
    *turn = r_select(r_abs(given) <= DBL_MAX, given, *turn);
}

/* Links of chains begin at angle 0, whatever is remembered. */
TN_INLINE void begin_chains(const tn_hinge_lanes *l, tn_hinge_memory *from)
{
    for (int k = 0; k < TN_HINGE_WIDTH; k++) {
        if (l->places[k].part == TN_LIMB_WHOLE)
            continue;
        r_put(&from->half[0], k, 1.0);
        r_put(&from->half[1], k, 0.0);
    }
}

TN_INLINE void start_block(const tn_hinge_world *w, int32_t b, bool predicts, tn_real *change)
{
    const tn_hinge_lanes l = block_at(w, b);
    const tn_hinge_link *link = &l.kind->link;
    tn_hinge_trial *own = l.own;
    tn_hinge_limb k;
    tn_hinge_memory from;
    const tn_rows memory = rows_by_memory(w->at.memory, &l);
    if (predicts) {
        foresee(w, &memory, &from, &own->turn, change);
        if (w->acting)
            turn_as_given(w, b, &own->turn);
    } else {
        tn_rows_get(&memory, 0, 2, from.half);
    }
    if (__builtin_expect(w->chained != NULL, 0))
        begin_chains(&l, &from);
    const tn_body_pose pose = {.q = start_q(w, &l)};
    const tn_real33 inner_R = rq_to_r33(inner_start_q(w, &l));
    k.link.axis = link->axis;
    k.turn = own->turn;
    hinge_orient(&pose, &k);
    own->arm = r33_mulv(&k.R, link->at);
    own->moved = r33_mulv(&inner_R, link->inner_at);
    const tn_hinge_swing swing = hinge_swing(&k, from.half);
    own->turned = swing.own;
    own->half[0] = swing.half[0];
    own->half[1] = swing.half[1];
    own->q = hinge_bent(link->rel, swing.half[0], swing.half[1]);
}

static void start(const tn_hinge_world *w, int32_t begin, int32_t end, tn_hinge_onset *onset)
{
    tn_real change = r_splat(0.0);
    for (int32_t b = begin; b < end && onset; b++) {
        hinge_fetch_start(w, b + TN_HINGE_AHEAD);
        start_block(w, b, true, &change);
    }
    for (int32_t b = begin; b < end && !onset; b++) {
        hinge_fetch_turned(w, b + TN_HINGE_AHEAD);
        start_block(w, b, false, NULL);
    }
    if (w->slides)
        tn_hinges_slide_from(w, begin, end);
    for (int k = 0; k < TN_HINGE_WIDTH && onset; k++)
        onset->change = r_get(&change, k) > onset->change ? r_get(&change, k) : onset->change;
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
    tn_hinge_limb k;
    k.turned = l.own->turned;
    k.arm = l.own->arm;
    k.base = l.own->moved;
    l.own->spun = rq_small_log(k.turned);
    const tn_real3 arm = hinge_turn_arm(&k);
    l.own->arm = k.arm;
    const tn_real3 base = hinge_turn_base(inner_q(w, &l, TN_LIMB_FIELD(turned)),
                                          inner_r3(w, &l, TN_LIMB_FIELD(arm)), &k);
    l.own->span = k.span;
    put_moved(&l, base, arm);
}

static void turn(const tn_hinge_world *w, int32_t begin, int32_t end)
{
    for (int32_t b = begin; b < end; b++) {
        hinge_fetch_turn(w, b + TN_HINGE_AHEAD);
        turn_block(w, b);
    }
    if (w->slides)
        tn_hinges_slide_on(w, begin, end);
}

TN_INLINE tn_real3 gravity_of(const tn_hinge_world *w)
{
    return r3(r_splat(w->gravity.x), r_splat(w->gravity.y), r_splat(w->gravity.z));
}

/* A vector of each lane, with a fourth number. */
TN_INLINE void put_vectors(tn_real3 a, tn_real fourth, tn_v4 *to, size_t stride)
{
    tn_real all[4] = {a.x, a.y, a.z, fourth};
    tn_rows_turn(all);
    for (size_t k = 0; k < TN_HINGE_WIDTH; k++)
        to[k * stride] = (tn_v4)all[k];
}

enum { CROSS = sizeof(tn_hinge_cross) / sizeof(tn_v4) };

TN_INLINE void put_records(const tn_hinge_world *w, const tn_hinge_part *part, tn_real mass,
                           int32_t b)
{
    tn_rows to;
    for (int k = 0; k < TN_HINGE_WIDTH; k++)
        to.of[k] = w->records[b * TN_HINGE_WIDTH + k].part.B;
    tn_real all[sizeof(tn_hinge_record) / sizeof(double)];
    r3_store(all, part->B);
    r3_store(all + 3, part->D);
    for (int i = 0; i < 9; i++)
        all[6 + i] = part->C.m[i / 3][i % 3];
    all[15] = mass;
    tn_rows_put(&to, 0, 16, all);
}

/* What velocity, and the fields that motion is made of, are found of again. */
TN_INLINE void load_motion(const tn_hinge_lanes *l, tn_hinge_limb *k)
{
    k->link.axis = l->kind->link.axis;
    k->link.J = l->kind->link.J;
    k->link.mass = l->kind->link.mass;
    k->moved = l->own->moved;
    k->spun = l->own->spun;
}

TN_INLINE void keep_efforts(const tn_hinge_limb *k, tn_hinge_trial *own)
{
    own->axis = k->axis;
    own->f = k->f;
    own->n = k->n;
}

TN_INLINE void keep_motion(const tn_hinge_state *to, tn_hinge_trial *own)
{
    for (int i = 0; i < 6; i++)
        own->udot[i] = to->at.udot[i];
    for (int i = 0; i < 3; i++)
        own->u[i] = to->at.u[3 + i];
}

TN_INLINE void strive_block(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t b,
                            bool principal)
{
    const tn_hinge_lanes l = block_at(w, b);
    tn_hinge_limb k;
    tn_hinge_state from, to;
    const tn_hinge_pair pair = {&k, NULL, &from, &to, NULL};
    from.pose.q = start_q(w, &l);
    to.pose.q = l.own->q;
    gather_motion(w, &l, false, &from.at);
    load_motion(&l, &k);
    k.arm = l.own->arm;
    k.place = l.own->place;
    hinge_coasts(c, &from.at, &k);
    hinge_orient(&to.pose, &k);
    hinge_move(c, &pair, r_yes(), true);
    const tn_hinge_effort now = hinge_strive(gravity_of(w), principal, &pair);
    const tn_hinge_part part = hinge_part(c, principal, &now, &pair);
    keep_efforts(&k, l.own);
    keep_motion(&to, l.own);
    put_records(w, &part, k.link.mass, b);
}

#include "method/links/hinge_flat_stages.h"

static void strive(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t begin, int32_t end)
{
    for (int32_t b = begin; b < end && w->flat; b++) {
        hinge_fetch_strive(w, b + TN_HINGE_AHEAD);
        strive_flat_block(w, c, b);
    }
    for (int32_t b = begin; b < end && w->principal && !w->flat; b++) {
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
    tn_hinge_trial *k = block_at(w, b).own;
    const tn_hinge_pull turned = hinge_turned_pull(pull, k->axis, k->place);
    tn_real torque = r3_dot(k->axis, pull->moment);
    if (w->acting)
        torque -= four_of(w->acting->effort, b);
    torque = c->by_beta * torque;
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
    if (w->slides)
        tn_hinges_slide_cross(w, c, begin, end, pulls, to);
}

/* ---- a correction ---- */

TN_INLINE void nudge_block(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t b)
{
    const tn_hinge_lanes l = block_at(w, b);
    tn_hinge_trial *own = l.own;
    tn_hinge_limb k;
    tn_real moved[6];
    k.place = own->place;
    k.arm = own->arm;
    k.spun = own->spun;
    k.s = own->s;
    k.v = own->v;
    k.w = own->w;
    k.R = rq_to_r33(own->q);
    hinge_twist(&k, moved);
    for (int i = 0; i < 6; i++)
        own->udot[i] = own->udot[i] + c->beta * moved[i];
    k.s = l.kind->column.spin * k.s;
    const tn_hinge_swing swing = hinge_swing_on(&k, own->half);
    own->turn = own->turn + own->s;
    own->half[0] = swing.half[0];
    own->half[1] = swing.half[1];
    own->q = hinge_bent(l.kind->link.rel, swing.half[0], swing.half[1]);
}

static void nudge(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t begin, int32_t end)
{
    for (int32_t b = begin; b < end; b++) {
        hinge_fetch_nudge(w, b + TN_HINGE_AHEAD);
        nudge_block(w, c, b);
    }
}

/* About what the body turns, after its udot. */
TN_INLINE void find_spin(const tn_hinge_world *w, const tn_hinge_rule *c, const tn_hinge_lanes *l,
                         tn_hinge_limb *k, tn_hinge_state *to)
{
    const tn_rows u = rows_by_velocity(w->at.u, l), udot = rows_by_velocity(w->at.udot, l),
                  acc = rows_by_velocity(w->at.acc, l);
    tn_hinge_motion from;
    tn_rows_get(&u, 2, 4, from.u + 2);
    tn_rows_get(&udot, 2, 4, from.udot + 2);
    tn_rows_get(&acc, 2, 4, from.acc + 2);
    for (int i = 0; i < 6; i++)
        to->at.udot[i] = l->own->udot[i];
    for (int i = 3; i < 6; i++) {
        hinge_coast(c, &from, from.acc[i], i, k);
        to->at.u[i] = hinge_velocity(c, k, to->at.udot[i], i);
        l->own->u[i - 3] = to->at.u[i];
    }
}

/* Velocity and udot, of h dq. */
TN_INLINE void find_motion(const tn_hinge_world *w, const tn_hinge_rule *c, const tn_hinge_lanes *l,
                           const tn_hinge_pair *pair)
{
    tn_hinge_motion from;
    gather_motion(w, l, w->flat, &from);
    hinge_coasts(c, &from, pair->own);
    hinge_move(c, pair, r_yes(), true);
    keep_motion(pair->to, l->own);
}

TN_INLINE tn_real settle_block(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t b,
                               tn_hinge_settling how, tn_real widest)
{
    const tn_hinge_lanes l = block_at(w, b);
    const tn_real33 inner_R = rq_to_r33(inner_q(w, &l, TN_LIMB_FIELD(q)));
    tn_hinge_trial *own = l.own;
    tn_hinge_limb k;
    tn_hinge_state to;
    const tn_hinge_pair pair = {&k, NULL, NULL, &to, NULL};
    load_motion(&l, &k);
    to.pose.q = own->q;
    hinge_orient(&to.pose, &k);
    if (how != TN_HINGE_AT_ONCE)
        own->arm = r33_mulv(&k.R, l.kind->link.at);
    k.arm = own->arm;
    own->x = r33_mulv(&inner_R, l.kind->link.inner_at);
    own->span = r3_sub(own->x, inner_r3(w, &l, TN_LIMB_FIELD(arm)));
    if (how == TN_HINGE_BY_TWIST) {
        find_spin(w, c, &l, &k, &to);
    } else {
        find_motion(w, c, &l, &pair);
    }
    hinge_strive(gravity_of(w), w->principal, &pair);
    keep_efforts(&k, own);
    return r_max(r3_dot(own->w, own->w), widest);
}

static double settle(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t begin, int32_t end,
                     tn_hinge_settling how)
{
    tn_real widest = r_splat(0.0);
    for (int32_t b = begin; b < end; b++) {
        hinge_fetch_settle(w, b + TN_HINGE_AHEAD);
        widest = w->flat && how == TN_HINGE_BY_TWIST ? settle_flat_block(w, c, b, widest)
                                                     : settle_block(w, c, b, how, widest);
    }
    double most = w->slides ? tn_hinges_slide_to(w, begin, end) : 0.0;
    for (int k = 0; k < TN_HINGE_WIDTH; k++)
        most = r_get(&widest, k) > most ? r_get(&widest, k) : most;
    return most;
}
