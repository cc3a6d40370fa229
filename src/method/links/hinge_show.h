/* hinge_show.h: room method/links: writes the motion that a step has found back to the state, and frames and errors of joints, four
 * links at a time; sums of energies on the way. Frames and errors have the bits of tn_joint_refresh. After hinge_stages.h.
 */
#include "joint/rotation_about_z.h"
#include "math/arcs.h"

/* Where lanes without a link put theirs. */
typedef struct tn_hinge_bin {
    double room[sizeof(tn_joint_kinematics) / sizeof(double)];
} tn_hinge_bin;

/* What of a block is shown: lanes without a link are not, shadows show no body, and links of `chained` blocks that are of a
 * chain no joint. Those of `mixed` blocks look each for itself how. */
typedef struct tn_hinge_seen {
    tn_hinge_bin *bin;
    int32_t limbs;
    bool mixed, chained;
    bool flat; /* bodies are planar */
} tn_hinge_seen;

/* Rows that are written, those of lanes without a link the bin. */
TN_INLINE tn_rows only_limbs(tn_rows rows, const tn_hinge_seen *seen)
{
    for (int32_t k = seen->limbs; k < TN_HINGE_WIDTH; k++)
        rows.of[k] = seen->bin->room;
    return rows;
}

/* Likewise those of lanes whose part of a chain is more than `most`. */
TN_INLINE tn_rows only_parts(tn_rows rows, const tn_hinge_lanes *l, tn_limb_part most,
                             const tn_hinge_seen *seen)
{
    for (int32_t k = 0; k < TN_HINGE_WIDTH && seen->chained; k++) {
        if (l->places[k].part > (int8_t)most)
            rows.of[k] = seen->bin->room;
    }
    return only_limbs(rows, seen);
}

TN_INLINE tn_rows only_bodies(tn_rows rows, const tn_hinge_lanes *l, const tn_hinge_seen *seen)
{
    return only_parts(rows, l, TN_LIMB_LAST, seen);
}

/* What is told of the blocks shown so far. */
typedef struct tn_hinge_telling {
    tn_v4 books[2]; /* tn_hinge_told.books, by links one after the other */
    tn_real position, angle, worst, worst_limb;
    tn_real sum;
    bool joints;
} tn_hinge_telling;

TN_INLINE void add_all(const tn_real *a, int count, tn_real *sum)
{
    tn_real own = a[0];
    for (int n = 1; n < count; n++)
        own += a[n];
    *sum += own;
}

/* ---- motion ---- */

TN_INLINE void rates_of(double by_h, const tn_real *now, const tn_real *before, size_t count,
                        tn_real *rates)
{
    for (size_t n = 0; n < count; n++)
        rates[n] = by_h * (now[n] - before[n]);
}

/* What a block has found, and where it began. */
typedef struct tn_hinge_found {
    tn_hinge_motion from;
    tn_hinge_state to;
    tn_real33 R; /* of the pose */
} tn_hinge_found;

/* A planar body stays in its plane exactly. */
TN_INLINE void keep_in_plane(const tn_hinge_world *w, const tn_hinge_lanes *l)
{
    const tn_rows x = rows_by_body(w->at.x, l, 3);
    l->own->x.z = tn_rows_get_one(&x, 2);
    l->own->q.x = l->own->q.y = r_splat(0.0);
}

/* What stages have left, and what is found of it again. */
TN_INLINE void find_all(const tn_hinge_world *w, const tn_hinge_rule *c, const tn_hinge_lanes *l,
                        bool flat, tn_hinge_found *found)
{
    tn_hinge_state *to = &found->to;
    tn_hinge_limb k;
    gather_motion(w, l, flat, &found->from);
    for (int i = 0; i < 6; i++) {
        if (flat && i > 1 && i < TN_FLAT_TURN) {
            to->at.udot[i] = to->at.u[i] = to->at.acc[i] = r_splat(0.0);
            continue;
        }
        hinge_coast(c, &found->from, found->from.acc[i], i, &k);
        to->at.udot[i] = l->own->udot[i];
        to->at.u[i] = hinge_velocity(c, &k, to->at.udot[i], i);
        to->at.acc[i] = k.acc[i] + c->acc_new * to->at.udot[i];
    }
    if (flat)
        keep_in_plane(w, l);
    to->pose.x = l->own->x;
    to->pose.q = l->own->q;
    found->R = rq_to_r33(to->pose.q);
}

TN_INLINE void show_velocities(const tn_hinge_world *w, const tn_hinge_rule *c,
                               const tn_hinge_lanes *l, const tn_hinge_found *found,
                               const tn_hinge_seen *seen, tn_hinge_telling *told)
{
    const tn_hinge_motion *at = &found->to.at;
    const tn_rows u = only_bodies(rows_by_velocity(w->to.u, l), l, seen),
                  udot = only_bodies(rows_by_velocity(w->to.udot, l), l, seen),
                  acc = only_bodies(rows_by_velocity(w->to.acc, l), l, seen),
                  rate = only_bodies(rows_by_velocity(w->to.udot_rate, l), l, seen);
    if (w->has_rates) {
        tn_real more[6];
        rates_of(1.0 / c->h, at->udot, found->from.udot, 6, more);
        put_six(seen->flat, &rate, more);
    }
    put_six(seen->flat, &u, at->u);
    put_six(seen->flat, &udot, at->udot);
    put_six(seen->flat, &acc, at->acc);
    add_all(at->u, 6, &told->sum);
    add_all(at->udot, 6, &told->sum);
}

TN_INLINE void show_poses(const tn_hinge_world *w, const tn_hinge_lanes *l,
                          const tn_hinge_found *found, const tn_hinge_seen *seen,
                          tn_hinge_telling *told)
{
    const tn_rows x = only_bodies(rows_by_body(w->to.x, l, 3), l, seen),
                  q = only_bodies(rows_by_body(w->to.q, l, 4), l, seen),
                  T = only_bodies(rows_by_body((double *)(void *)w->frames.T, l,
                                               sizeof(tn_xform) / sizeof(double)),
                                  l, seen);
    const tn_body_pose *pose = &found->to.pose;
    const tn_real place[3] = {pose->x.x, pose->x.y, pose->x.z};
    const tn_real turn[4] = {pose->q.w, pose->q.x, pose->q.y, pose->q.z};
    tn_real frame[12];
    for (int n = 0; n < 9; n++)
        frame[n] = found->R.m[n / 3][n % 3];
    for (int n = 0; n < 3; n++)
        frame[9 + n] = place[n];
    tn_rows_put(&x, 0, 3, place);
    tn_rows_put(&q, 0, 4, turn);
    tn_rows_put(&T, 0, 12, frame);
    add_all(place, 3, &told->sum);
    add_all(turn, 4, &told->sum);
}

/* `half`: cosine and sine of half the angle, as they are remembered. */
TN_INLINE void show_memory(const tn_hinge_world *w, const tn_hinge_lanes *l,
                           const tn_hinge_seen *seen, tn_real *half)
{
    const tn_rows from = rows_by_memory(w->at.memory, l);
    const tn_rows to = only_limbs(rows_by_memory(w->to.memory, l), seen);
    tn_hinge_memory before, now;
    tn_rows_get(&from, 0, HINGE_MEMORY_SIZE, before.half);
    now.half[0] = l->own->half[0];
    now.half[1] = l->own->half[1];
    hinge_remember(l->own->turn, &before, &now);
    tn_rows_put(&to, 0, HINGE_MEMORY_SIZE, now.half);
    half[0] = now.half[0];
    half[1] = now.half[1];
}

/* Angles, as wound as they were and turned on: as tn_alpha_hinge_coordinate. */
TN_INLINE void show_coordinates(const tn_hinge_world *w, const tn_hinge_lanes *l,
                                const tn_real *half, const tn_rows *to, tn_hinge_telling *told)
{
    const tn_rows from = rows_by_joint(w->at.coordinates, l, TN_MAX_COORDINATES);
    const tn_real sign = l->kind->column.sign, c = half[0], s = half[1];
    const tn_real angle =
        sign * (2.0 * r_atan2(r_select(c < 0.0, -s, s), r_select(c < 0.0, -c, c)));
    const tn_real near = tn_rows_get_one(&from, 0) + sign * l->own->turn;
    const tn_real turns = r_floor((near - angle) / (2.0 * TN_PI) + 0.5);
    const tn_real wound = /* a length is as it went on */
        r_select(l->kind->column.spin > 0.0, angle + 2.0 * TN_PI * turns, near);
    tn_rows_put_one(to, 0, wound);
    told->sum += wound;
}

/* Before anything else: where the end is put in place of the start, that is still there. */
TN_INLINE void tell_books(const tn_hinge_world *w, const tn_hinge_rule *c, const tn_hinge_lanes *l,
                          const tn_hinge_found *found, int32_t limbs, tn_hinge_telling *told)
{
    const tn_rows x = rows_by_body(w->at.x, l, 3);
    tn_real x0[3];
    tn_rows_get(&x, 0, 3, x0);
    const tn_body_books b = hinge_book(&l->kind->link, gravity_of(w), w->principal, c->h,
                                       found->from.u, r3(x0[0], x0[1], x0[2]), &found->to);
    tn_real first[4] = {b.made, b.moved, b.size, b.run},
            second[4] = {b.pushed, b.spun, b.twisted, r_splat(0.0)};
    tn_rows_turn(first);
    tn_rows_turn(second);
    for (int k = 0; k < limbs; k++) {
        told->books[0] += (tn_v4)first[k];
        told->books[1] += (tn_v4)second[k];
    }
}

/* ---- frames of joints ---- */

/* A body and a frame of the joint on it. */
typedef struct tn_hinge_side {
    tn_real3 x;       /* m, the body's */
    tn_real3 p;       /* m, the frame's */
    tn_real3 axes[3]; /* the frame's */
} tn_hinge_side;

/* Of the link, and of what it hangs on, which may be a body that does not move. */
TN_INLINE tn_hinge_side own_side(const tn_hinge_lanes *l, const tn_hinge_found *found)
{
    const tn_real33 *R = &found->R;
    const tn_real3 *axes = l->kind->axes.own, x = found->to.pose.x;
    return (tn_hinge_side){x,
                           r3_add(r33_mulv(R, l->kind->link.at), x), /* the arm but for rounding */
                           {r33_mulv(R, axes[0]), r33_mulv(R, axes[1]), l->own->axis}};
}

/* In lane k. */
TN_INLINE void put_still_frame(const tn_hinge_world *w, const tn_hinge_lanes *l, int k,
                               tn_real33 *R, tn_real3 *x)
{
    const int32_t body = l->places[k].inner_body;
    const tn_xform *T = body < 0 ? &tn_ground_xform : &w->frames.T[body];
    for (int n = 0; n < 9; n++)
        r_put(&R->m[n / 3][n % 3], k, T->R.m[n / 3][n % 3]);
    r_put(&x->x, k, T->p.x);
    r_put(&x->y, k, T->p.y);
    r_put(&x->z, k, T->p.z);
}

TN_INLINE tn_hinge_side inner_side(const tn_hinge_world *w, const tn_hinge_lanes *l, bool mixed)
{
    const tn_hinge_axes *axes_of = &l->kind->axes;
    const tn_real3 *axes = axes_of->inner;
    tn_real33 R = rq_to_r33(inner_q(w, l, TN_LIMB_FIELD(q)));
    tn_real3 x = inner_r3(w, l, TN_LIMB_FIELD(x));
    for (int k = 0; k < TN_HINGE_WIDTH; k++) {
        if (__builtin_expect(l->inner[k] < 0, 0))
            put_still_frame(w, l, k, &R, &x);
    }
    const tn_real3 p = r3_add(r33_mulv(&R, l->kind->link.inner_at), x);
    if (mixed)
        x = r3_add(r33_mulv(&R, axes_of->inner_x), x);
    return (tn_hinge_side){
        x, p, {r33_mulv(&R, axes[0]), r33_mulv(&R, axes[1]), r33_mulv(&R, axes[2])}};
}

/* The lanes of a block that have a link. */
TN_INLINE tn_mask lanes_there(int32_t limbs)
{
    static const double number[TN_HINGE_WIDTH] = {0, 1, 2, 3};
    return *(const tn_v4 *)number < (double)limbs;
}

/* Numbers of a joint's frames and errors, one after the other: of tn_joint_kinematics, up to `unique`. */
enum { TN_HINGE_FRAMES = 33 };
_Static_assert(offsetof(tn_joint_kinematics, error) == 15 * sizeof(double) &&
                   offsetof(tn_joint_kinematics, T_GD) == 21 * sizeof(double) &&
                   offsetof(tn_joint_kinematics, unique) == TN_HINGE_FRAMES * sizeof(double),
               "frames of joints are one row");

/* As update_hinge of joint_rows.c has it, number by number; false: not here, of those that are there. */
TN_INLINE bool frames_of(const tn_hinge_side *a, const tn_hinge_side *b, tn_mask there,
                         tn_real *kin)
{
    const tn_real3 *C = a->axes, *D = b->axes;
    const tn_real along = r3_dot(D[0], C[0]) + r3_dot(D[1], C[1]),
                  across = r3_dot(D[1], C[0]) - r3_dot(D[0], C[1]);
    const tn_real size = r_sqrt(along * along + across * across);
    const tn_real c = along / size, s = across / size, zero = r_splat(0.0);
    const tn_real3 x = r3_axpy(r3_scale(c, D[0]), s, D[1]),
                   y = r3_axpy(r3_scale(c, D[1]), -s, D[0]), z = D[2];
    const tn_real3 tilt = r3_cross(z, C[2]), off = r3_sub(a->p, b->p);
    const tn_real s2 = r3_dot(tilt, tilt);
    const tn_real by =
        1.0 + s2 * (1.0 / 6 + s2 * (3.0 / 40 + s2 * (15.0 / 336 + s2 * 105.0 / 3456)));
    const tn_real3 swing = r3_scale(by, tilt);
    const tn_real all[TN_HINGE_FRAMES] = {x.x,
                                          y.x,
                                          z.x,
                                          x.y,
                                          y.y,
                                          z.y,
                                          x.z,
                                          y.z,
                                          z.z,
                                          b->p.x - a->x.x,
                                          b->p.y - a->x.y,
                                          b->p.z - a->x.z,
                                          b->p.x - b->x.x,
                                          b->p.y - b->x.y,
                                          b->p.z - b->x.z,
                                          r3_dot(x, off),
                                          r3_dot(y, off),
                                          r3_dot(z, off),
                                          r3_dot(x, swing),
                                          r3_dot(y, swing),
                                          zero,
                                          c,
                                          -s,
                                          zero,
                                          s,
                                          c,
                                          zero,
                                          zero,
                                          zero,
                                          1.0 + zero,
                                          zero,
                                          zero,
                                          zero};
    for (int n = 0; n < TN_HINGE_FRAMES; n++)
        kin[n] = all[n];
    return r_every(~there | ((size > TN_OPPOSITE_AXES) & (s2 < 1e-4) & (r3_dot(z, C[2]) > 0.0)));
}

/* As tn_joint_update_pin has it, number by number. */
TN_INLINE void pin_frames_of(const tn_hinge_side *a, const tn_hinge_side *b, tn_real *kin)
{
    const tn_real3 C = a->axes[0], D = b->axes[0], off = r3_sub(a->p, b->p);
    const tn_real zero = r_splat(0.0), one = r_splat(1.0), c = C.x, s = C.y,
                  c_GD = D.x * c + D.y * s, s_GD = D.x * s - D.y * c;
    const tn_real first[] = {c, -s, zero, s, c, zero, zero, zero, one};
    const tn_real3 A = r3_sub(b->p, a->x), B = r3_sub(b->p, b->x);
    const tn_real middle[] = {
        A.x, A.y, A.z, B.x, B.y, B.z, c * off.x + s * off.y, c * off.y - s * off.x, off.z};
    const tn_real turn[] = {c_GD, -s_GD, zero, s_GD, c_GD, zero, zero, zero, one};
    for (int n = 0; n < TN_HINGE_FRAMES; n++)
        kin[n] = zero;
    for (int n = 0; n < 9; n++) {
        kin[n] = first[n];
        kin[9 + n] = middle[n];
        kin[21 + n] = turn[n];
    }
}

/* By how much joints are off, in the rows of a hinge, of those that are there. */
TN_INLINE void tell_errors(const tn_real *error, int32_t b, tn_mask there, tn_hinge_telling *told)
{
    static const double number[TN_HINGE_WIDTH] = {0, 1, 2, 3};
    const tn_real limb = *(const tn_v4 *)number + (double)(b * TN_HINGE_WIDTH);
    const tn_real none = r_splat(0.0),
                  apart = r_max(r_max(r_abs(error[0]), r_abs(error[1])), r_abs(error[2])),
                  across = r_max(r_abs(error[3]), r_abs(error[4]));
    const tn_real off = r_select(there, r_max(apart, across), none);
    told->position = r_max(r_select(there, apart, none), told->position);
    told->angle = r_max(r_select(there, across, none), told->angle);
    told->worst_limb = r_select(off > told->worst, limb, told->worst_limb);
    told->worst = r_max(off, told->worst);
    tn_real sum = error[0];
    for (int n = 1; n < 5; n++)
        sum += error[n];
    told->sum += r_select(there, sum, none);
}

/* Axes that multipliers go by, where nothing else is needed of a link any more until the next step. */
TN_INLINE void keep_axes(tn_hinge_trial *own, const tn_hinge_side *a)
{
    own->spun = a->axes[0];
    own->place = a->axes[1];
}

TN_INLINE tn_hinge_side side_of(tn_mask first, const tn_hinge_side *a, const tn_hinge_side *b)
{
    return (tn_hinge_side){r3_select(first, a->x, b->x),
                           r3_select(first, a->p, b->p),
                           {r3_select(first, a->axes[0], b->axes[0]),
                            r3_select(first, a->axes[1], b->axes[1]),
                            r3_select(first, a->axes[2], b->axes[2])}};
}

/* Rows of lanes that are shown with others, those of others the bin. */
TN_INLINE tn_rows only_hinges(tn_rows rows, const int8_t *apart, const tn_hinge_seen *seen)
{
    for (int32_t k = 0; k < TN_HINGE_WIDTH && seen->mixed; k++) {
        if (apart[k])
            rows.of[k] = seen->bin->room;
    }
    return only_limbs(rows, seen);
}

/* Of joints that are hinges; apart[k]: 1, those of other lanes. */
TN_INLINE void show_joints(const tn_hinge_world *w, const tn_hinge_lanes *l,
                           const tn_hinge_found *found, int32_t b, const tn_hinge_seen *seen,
                           tn_hinge_telling *told)
{
    int8_t *apart = w->apart + (size_t)b * TN_HINGE_WIDTH;
    const tn_hinge_side own = own_side(l, found), inner = inner_side(w, l, seen->mixed);
    tn_mask there = lanes_there(seen->limbs);
    tn_hinge_side A = own, B = inner;
    tn_real kin[TN_HINGE_FRAMES];
    if (seen->mixed) {
        const tn_mask is_a = l->kind->column.sign > 0.0;
        there &= l->kind->column.alone < 0.5;
        A = side_of(is_a, &own, &inner);
        B = side_of(is_a, &inner, &own);
    } else if (!l->places[0].is_a) {
        A = inner;
        B = own;
    }
    if (seen->flat)
        pin_frames_of(&A, &B, kin);
    else if (!frames_of(&A, &B, there, kin))
        return;
    tn_rows to, phi;
    for (int k = 0; k < TN_HINGE_WIDTH; k++) {
        const int32_t j = l->places[k].joint;
        tn_joint_kinematics *of = &w->frames.kin[j];
        to.of[k] = of->R_GW.m[0];
        phi.of[k] = w->frames.phi + w->frames.y_offset[j];
        apart[k] = seen->mixed && r_get(&l->kind->column.alone, k) != 0.0;
        if (k >= seen->limbs || apart[k])
            continue;
        of->unique = 1;
        of->off = 0;
        of->vanished = 0;
    }
    to = only_hinges(to, apart, seen);
    phi = only_hinges(phi, apart, seen);
    tn_rows_put(&to, 0, TN_HINGE_FRAMES, kin);
    if (seen->flat) {
        tn_rows_put_two(&phi, 0, kin + 15);
        kin[17] = r_splat(0.0); /* across the plane it is none */
    } else {
        tn_rows_put(&phi, 0, 5, kin + 15);
    }
    tell_errors(kin + 15, b, there, told);
    keep_axes(l->own, &A);
}

TN_INLINE int32_t limbs_in(const tn_hinge_world *w, int32_t b)
{
    const int32_t rest = w->count - b * TN_HINGE_WIDTH;
    return rest < TN_HINGE_WIDTH ? rest : TN_HINGE_WIDTH;
}

/* Compiled for as many links as there are lanes, all hinges on one side, and for others. */
TN_INLINE void show_block(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t b, int32_t limbs,
                          bool mixed, bool chained, bool flat, tn_hinge_telling *told)
{
    const tn_hinge_lanes l = block_at(w, b);
    tn_hinge_bin bin;
    const tn_hinge_seen seen = {&bin, limbs, mixed, chained, flat};
    int8_t *apart = w->apart + (size_t)b * TN_HINGE_WIDTH;
    tn_real half[2];
    tn_hinge_found found;
    const int shown =
        mixed ? w->shown[b] : TN_SHOWS_BODIES | TN_SHOWS_COORDINATES | TN_SHOWS_HINGES;
    if (shown & TN_SHOWS_BODIES) {
        find_all(w, c, &l, flat, &found);
        tell_books(w, c, &l, &found, limbs, told);
        show_velocities(w, c, &l, &found, &seen, told);
        show_poses(w, &l, &found, &seen, told);
    }
    show_memory(w, &l, &seen, half);
    if (shown & TN_SHOWS_COORDINATES) {
        const tn_rows coordinates = only_parts(
            rows_by_joint(w->to.coordinates, &l, TN_MAX_COORDINATES), &l, TN_LIMB_WHOLE, &seen);
        show_coordinates(w, &l, half, &coordinates, told);
    }
    memset(apart, 1, TN_HINGE_WIDTH);
    if (shown & TN_SHOWS_HINGES)
        show_joints(w, &l, &found, b, &seen, told);
    for (int32_t k = 0; k < limbs; k++)
        told->joints &= !apart[k];
}

static __attribute__((noinline)) void show_other_block(const tn_hinge_world *w,
                                                       const tn_hinge_rule *c, int32_t b,
                                                       int32_t limbs, tn_hinge_telling *told)
{
    show_block(w, c, b, limbs, w->mixed[b], w->chained && w->chained[b], w->flat, told);
}

TN_INLINE double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Of four links at a time to one run. */
TN_INLINE void put_told(const tn_hinge_telling *from, tn_hinge_told *told)
{
    *told = (tn_hinge_told){.worst_limb = -1, .joints = from->joints};
    for (int n = 0; n < 7; n++)
        told->books[n] = from->books[n / 4][n % 4];
    for (int k = 0; k < TN_HINGE_WIDTH; k++) {
        const double worst = r_get(&from->worst, k);
        const int32_t limb = (int32_t)r_get(&from->worst_limb, k);
        told->position = larger(r_get(&from->position, k), told->position);
        told->angle = larger(r_get(&from->angle, k), told->angle);
        told->sum += r_get(&from->sum, k);
        if (worst > told->worst ||
            (worst == told->worst && worst > 0.0 && limb < told->worst_limb)) {
            told->worst = worst;
            told->worst_limb = limb;
        }
    }
}

/* Does one copy of the code serve whole blocks and a last one? In the page, where its size counts. */
#ifdef __wasm__
enum { ONE_COPY = 1 };
#else
enum { ONE_COPY = 0 };
#endif

static void show_motion(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t begin, int32_t end,
                        tn_hinge_told *told)
{
    const tn_real none = r_splat(0.0);
    tn_hinge_telling telling = {{{0.0}, {0.0}}, none, none, none, none, none, true};
    for (int32_t b = begin; b < end; b++) {
        const int32_t limbs = limbs_in(w, b);
        hinge_fetch_shown(w, b + 1);
        if (limbs == TN_HINGE_WIDTH && !w->mixed[b] && !w->flat && !ONE_COPY) {
            show_block(w, c, b, TN_HINGE_WIDTH, false, false, false, &telling);
        } else if (limbs == TN_HINGE_WIDTH && !w->mixed[b] && !ONE_COPY) {
            show_block(w, c, b, TN_HINGE_WIDTH, false, false, true, &telling);
        } else {
            show_other_block(w, c, b, limbs, &telling);
        }
    }
    put_told(&telling, told);
}
