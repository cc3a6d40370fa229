/* hinge_recursion.c: room method/links: what goes from link to link, one after the other (hinge_block.h), for every machine and
 * with AVX2: instructions of three operands need no copies of numbers. Without fused products: the bits are the same.
 */
#include "math/small_turns.h"
#include "method/links/hinge_fetch.h"
#include "method/links/hinge_loops.h"

/* ---- outward ---- */

/* Most links hang on the one before, whose numbers are then at hand, and neither stored nor read on the way. */
TN_INLINE bool is_next(int32_t k, int32_t inner)
{
    return __builtin_expect(inner == k - 1 && inner >= 0, 1);
}

/* The orientation of a link that does not hang on the one before. */
static tn_quat base_turn(const tn_hinge_world *w, int32_t k, int32_t inner)
{
    return limb_q(inner < 0 ? hinge_kind_at(w, k) + TN_KIND_FIELD(link.ground)
                            : hinge_limb_at(w, inner) + TN_LIMB_FIELD(q));
}

/* Orientations, from those in the inner body's. */
TN_INLINE void compose_body(const tn_hinge_world *w, int32_t begin, int32_t end)
{
    const tn_limb_range r = limbs_of(w, begin, end);
    tn_quat q = limb_q(hinge_limb_at(w, r.first - 1) + TN_LIMB_FIELD(q));
    for (int32_t k = r.first; k < r.last; k++) {
        const int32_t inner = w->inner[k];
        double *own = hinge_limb_at(w, k) + TN_LIMB_FIELD(q);
        if (!is_next(k, inner))
            q = base_turn(w, k, inner);
        q = hinge_compose(q, limb_q(own));
        put_q(own, q);
    }
}

/* D too, from what the hinges turn by. */
TN_INLINE void compose_turns_body(const tn_hinge_world *w, int32_t begin, int32_t end)
{
    const tn_limb_range r = limbs_of(w, begin, end);
    const double *before = hinge_limb_at(w, r.first - 1);
    tn_quat q = limb_q(before + TN_LIMB_FIELD(q)), D = limb_q(before + TN_LIMB_FIELD(turned));
    for (int32_t k = r.first; k < r.last; k++) {
        const int32_t inner = w->inner[k];
        double *own = hinge_limb_at(w, k), *turned = own + TN_LIMB_FIELD(turned);
        if (!is_next(k, inner)) {
            q = base_turn(w, k, inner);
            D = limb_q(hinge_limb_at(w, inner) + TN_LIMB_FIELD(turned));
        }
        q = hinge_compose(q, limb_q(own + TN_LIMB_FIELD(q)));
        D = inner < 0 ? limb_q(turned) : q_mul(D, limb_q(turned));
        put_q(own + TN_LIMB_FIELD(q), q);
        put_q(turned, D);
    }
}

/* p and Dx. */
TN_INLINE void add_places_body(const tn_hinge_world *w, int32_t begin, int32_t end)
{
    const tn_limb_range r = limbs_of(w, begin, end);
    const double *before = hinge_limb_at(w, r.first - 1);
    tn_vec3 place = limb_v3(before + TN_LIMB_FIELD(place)),
            moved = limb_v3(before + TN_LIMB_FIELD(moved));
    for (int32_t k = r.first; k < r.last; k++) {
        const int32_t inner = w->inner[k];
        double *own = hinge_limb_at(w, k);
        if (inner < 0) {
            place = hinge_slides(w, k) ? limb_v3(own + TN_LIMB_FIELD(span)) : v3(0.0, 0.0, 0.0);
            moved = limb_v3(own + TN_LIMB_FIELD(moved));
            put_v3(own + TN_LIMB_FIELD(place), place);
            continue;
        }
        if (!is_next(k, inner)) {
            place = limb_v3(hinge_limb_at(w, inner) + TN_LIMB_FIELD(place));
            moved = limb_v3(hinge_limb_at(w, inner) + TN_LIMB_FIELD(moved));
        }
        place = v3_add(place, limb_v3(own + TN_LIMB_FIELD(span)));
        moved = v3_add(moved, limb_v3(own + TN_LIMB_FIELD(moved)));
        put_v3(own + TN_LIMB_FIELD(place), place);
        put_v3(own + TN_LIMB_FIELD(moved), moved);
    }
}

/* The angular part of its joint's screw. */
TN_INLINE tn_vec3 spin_of(const tn_hinge_world *w, int32_t k, const double *own)
{
    const tn_vec3 axis = limb_v3(own + TN_LIMB_FIELD(axis));
    return hinge_slides(w, k) ? v3_scale(hinge_kind_at(w, k)[TN_KIND_FIELD(column.spin)], axis)
                              : axis;
}

/* What hinge_scatter reads of a link. */
TN_INLINE void load_factor(const double *own, const tn_hinge_record *record, tn_hinge_limb *limb)
{
    limb->s = record->factor.s;
    limb->screw = limb_v3(own + TN_LIMB_FIELD(screw));
    limb->row_f = v3_load(record->factor.row_f);
    limb->row_m = v3_load(record->factor.row_m);
    limb->by_d = record->factor.by_d;
}

TN_INLINE void load_twist(const double *own, tn_hinge_limb *limb)
{
    limb->v = limb_v3(own + TN_LIMB_FIELD(v));
    limb->w = limb_v3(own + TN_LIMB_FIELD(w));
}

/* The second half of a solve. */
TN_INLINE void scatter_body(const tn_hinge_world *w, int32_t begin, int32_t end)
{
    const tn_limb_range r = limbs_of(w, begin, end);
    tn_hinge_limb limb, inner;
    load_twist(hinge_limb_at(w, r.first - 1), &inner);
    for (int32_t k = r.first; k < r.last; k++) {
        double *own = hinge_limb_at(w, k);
        const int32_t base = w->inner[k];
        if (k % TN_HINGE_WIDTH == 0)
            hinge_fetch_scatter(w, k / TN_HINGE_WIDTH + TN_HINGE_AHEAD);
        if (!is_next(k, base))
            load_twist(hinge_limb_at(w, base), &inner);
        load_factor(own, &w->records[k], &limb);
        limb.axis = spin_of(w, k, own);
        hinge_scatter(base >= 0 ? &inner : NULL, &limb);
        if (base < 0 && hinge_slides(w, k))
            limb.v = v3_scale(limb.s, limb.screw);
        if (hinge_hosts(w, k))
            tn_loops_follow(w, k, limb.v, limb.w);
        own[TN_LIMB_FIELD(s)] = limb.s;
        put_v3(own + TN_LIMB_FIELD(v), limb.v);
        put_v3(own + TN_LIMB_FIELD(w), limb.w);
        inner.v = limb.v;
        inner.w = limb.w;
    }
}

/* Where bodies are, in place of their bases: as hinge_place. */
TN_INLINE void seat_body(const tn_hinge_world *w, int32_t begin, int32_t end)
{
    const tn_limb_range r = limbs_of(w, begin, end);
    tn_vec3 at = limb_v3(hinge_limb_at(w, r.first - 1) + TN_LIMB_FIELD(x));
    for (int32_t k = r.first; k < r.last; k++) {
        const int32_t inner = w->inner[k];
        double *own = hinge_limb_at(w, k), *x = own + TN_LIMB_FIELD(x);
        if (!is_next(k, inner))
            at = limb_v3(hinge_limb_at(w, inner) + TN_LIMB_FIELD(x));
        tn_vec3 base = inner < 0 ? limb_v3(hinge_kind_at(w, k) + TN_KIND_FIELD(link.ground_at))
                                 : v3_add(at, limb_v3(x));
        if (inner < 0 && hinge_slides(w, k))
            base = v3_add(base, limb_v3(x));
        at = v3_sub(base, limb_v3(own + TN_LIMB_FIELD(arm)));
        put_v3(x, at);
    }
}

/* ---- inward ---- */

/* What wrenches are summed of. */
TN_INLINE void load_weights(const double *own, tn_hinge_limb *limb)
{
    limb->f = limb_v3(own + TN_LIMB_FIELD(f));
    limb->n = limb_v3(own + TN_LIMB_FIELD(n));
    limb->span = limb_v3(own + TN_LIMB_FIELD(span));
}

/* Sums of what hangs on the link that link k hangs on. */
TN_INLINE tn_hinge_inertia *inner_sums(const tn_hinge_world *w, tn_hinge_inertia *sums, int32_t k)
{
    return w->inner[k] >= 0 ? &sums[w->slots[k].inner] : NULL;
}

TN_INLINE void weigh_limb(const tn_hinge_world *w, tn_hinge_inertia *sums, int32_t k,
                          const double *own, double *pull)
{
    const tn_hinge_slots slots = w->slots[k];
    tn_hinge_limb limb;
    load_weights(own, &limb);
    const tn_hinge_pull now =
        hinge_weigh(slots.order, &limb, &sums[slots.own], inner_sums(w, sums, k));
    put_v3(pull, now.force);
    put_v3(pull + 3 * TN_HINGE_WIDTH, now.moment);
}

TN_INLINE void weigh_body(const tn_hinge_world *w, tn_hinge_inertia *sums, int32_t begin,
                          int32_t end, double *pulls)
{
    for (int32_t b = end - 1; b >= begin; b--) {
        const tn_limb_range r = limbs_of(w, b, b + 1);
        const double *own = hinge_limb_at(w, r.first);
        double *to = pulls + (size_t)(b - begin) * TN_HINGE_PULLS_SIZE;
        hinge_fetch_weights(w, b - TN_HINGE_AHEAD);
        for (int32_t n = r.last - r.first - 1; n >= 0; n--)
            weigh_limb(w, sums, r.first + n, own + n, to + n);
    }
}

/* What loops that close at the link leave of its wrench. */
static __attribute__((noinline)) void close_loops(const tn_hinge_world *w, int32_t k,
                                                  tn_hinge_inertia *sums, tn_hinge_sizes *left)
{
    tn_hinge_off off = {left->largest, left->sum, true};
    tn_vec3 f, n;
    tn_loops_close(w, k, &f, &n, &off);
    sums->left_f = v3_add(sums->left_f, f);
    sums->left_n = v3_add(sums->left_n, n);
    *left = (tn_hinge_sizes){off.largest, off.sum};
}

TN_INLINE void gather_limb(const tn_hinge_world *w, const tn_hinge_rule *c, tn_hinge_inertia *sums,
                           int32_t k, const double *pull, tn_hinge_sizes *left)
{
    const tn_hinge_slots slots = w->slots[k];
    const double *own = hinge_limb_at(w, k);
    tn_hinge_record *record = &w->records[k];
    const tn_vec3 axis = limb_v3(own + TN_LIMB_FIELD(axis));
    double along = v3_dot(axis, limb_v3(pull + 3 * TN_HINGE_WIDTH));
    tn_hinge_limb limb;
    if (hinge_slides(w, k)) {
        const double *column = hinge_kind_at(w, k) + TN_KIND_FIELD(column);
        along = column[0] * along + column[TN_HINGE_WIDTH] * v3_dot(axis, limb_v3(pull));
    }
    if (w->acting)
        along -= w->acting->effort[k];
    limb.axis = spin_of(w, k, own);
    limb.screw = limb_v3(own + TN_LIMB_FIELD(screw));
    limb.col_f = v3_load((const double *)&record->factor.col_f);
    limb.col_m = v3_load((const double *)&record->factor.col_m);
    limb.by_d = record->factor.by_d;
    if (hinge_hosts(w, k))
        close_loops(w, k, &sums[slots.own], left);
    tn_hinge_sizes apart = {0.0, 0.0};
    hinge_gather(c, slots.order, along, &limb, &sums[slots.own], inner_sums(w, sums, k),
                 hinge_is_in_loop(w, k) ? &apart : left);
    record->factor.s = limb.s;
}

TN_INLINE void gather_body(const tn_hinge_world *w, const tn_hinge_rule *c, tn_hinge_inertia *sums,
                           int32_t begin, int32_t end, const double *pulls, tn_hinge_sizes *left)
{
    for (int32_t b = end - 1; b >= begin; b--) {
        const tn_limb_range r = limbs_of(w, b, b + 1);
        const double *of = pulls + (size_t)(b - begin) * TN_HINGE_PULLS_SIZE;
        hinge_fetch_records(w, b - TN_HINGE_AHEAD);
        for (int32_t n = r.last - r.first - 1; n >= 0; n--)
            gather_limb(w, c, sums, r.first + n, of + n, left);
    }
}

#include "method/links/hinge_flat.h"

/* ---- for both ---- */

#define FOR_BOTH(name, parameters, arguments)                                                      \
    static void name parameters                                                                    \
    {                                                                                              \
        name##_body arguments;                                                                     \
    }                                                                                              \
    TN_WIDE static void name##_wide parameters                                                     \
    {                                                                                              \
        name##_body arguments;                                                                     \
    }

FOR_BOTH(compose, (const tn_hinge_world *w, int32_t begin, int32_t end), (w, begin, end))
FOR_BOTH(compose_turns, (const tn_hinge_world *w, int32_t begin, int32_t end), (w, begin, end))
FOR_BOTH(add_places, (const tn_hinge_world *w, int32_t begin, int32_t end), (w, begin, end))
FOR_BOTH(scatter, (const tn_hinge_world *w, int32_t begin, int32_t end), (w, begin, end))
FOR_BOTH(seat, (const tn_hinge_world *w, int32_t begin, int32_t end), (w, begin, end))
FOR_BOTH(weigh,
         (const tn_hinge_world *w, tn_hinge_inertia *sums, int32_t begin, int32_t end,
          double *pulls),
         (w, sums, begin, end, pulls))
FOR_BOTH(gather,
         (const tn_hinge_world *w, const tn_hinge_rule *c, tn_hinge_inertia *sums, int32_t begin,
          int32_t end, const double *pulls, tn_hinge_sizes *left),
         (w, c, sums, begin, end, pulls, left))

FOR_BOTH(compose_flat, (const tn_hinge_world *w, int32_t begin, int32_t end), (w, begin, end))
FOR_BOTH(compose_flat_turns, (const tn_hinge_world *w, int32_t begin, int32_t end), (w, begin, end))
FOR_BOTH(scatter_flat, (const tn_hinge_world *w, int32_t begin, int32_t end), (w, begin, end))
FOR_BOTH(weigh_flat,
         (const tn_hinge_world *w, tn_hinge_inertia *sums, int32_t begin, int32_t end,
          double *pulls),
         (w, sums, begin, end, pulls))

const tn_hinge_recursions tn_hinge_recursions_any = {compose, compose_turns, add_places, scatter,
                                                     seat,    weigh,         gather};
const tn_hinge_recursions tn_hinge_recursions_wide = {
    compose_wide, compose_turns_wide, add_places_wide, scatter_wide,
    seat_wide,    weigh_wide,         gather_wide};
const tn_hinge_recursions tn_hinge_flat_recursions_any = {
    compose_flat, compose_flat_turns, add_places, scatter_flat, seat, weigh_flat, gather};
const tn_hinge_recursions tn_hinge_flat_recursions_wide = {
    compose_flat_wide, compose_flat_turns_wide, add_places_wide, scatter_flat_wide,
    seat_wide,         weigh_flat_wide,         gather_wide};

/* ---- joints that slide, or advance as they turn ----
 *
 * One after the other: they are few, and their numbers are of blocks that stages have just worked on. What a stage has found as
 * if all were hinges becomes that of the screw of each joint (hinge_kernel.h).
 */

/* A body in a block with such joints. */
typedef struct tn_hinge_slid {
    int32_t k;
    double *own;
    const double *kind;
    double spin, lead;
    bool is_root;
} tn_hinge_slid;

static tn_hinge_slid slid_at(const tn_hinge_world *w, int32_t k)
{
    const double *kind = hinge_kind_at(w, k);
    return (tn_hinge_slid){.k = k,
                           .own = hinge_limb_at(w, k),
                           .kind = kind,
                           .spin = kind[TN_KIND_FIELD(column.spin)],
                           .lead = kind[TN_KIND_FIELD(column.lead)],
                           .is_root = w->inner[k] < 0};
}

static void add_v3(double *to, tn_vec3 more)
{
    put_v3(to, v3_add(limb_v3(to), more));
}

/* m: by how much P is along the axis from that of the inner body, where the step begins. */
static double begun_along(const tn_hinge_world *w, const tn_hinge_slid *s)
{
    const size_t j = (size_t)w->places[s->k].joint;
    if (w->places[s->k].part != TN_LIMB_WHOLE)
        return 0.0; /* chains begin where their body is */
    return s->lead *
           (s->kind[TN_KIND_FIELD(column.sign)] * w->at.coordinates[j * TN_MAX_COORDINATES]);
}

void tn_hinges_slide_from(const tn_hinge_world *w, int32_t begin, int32_t end)
{
    const tn_limb_range r = limbs_of(w, begin, end);
    for (int32_t k = r.first; k < r.last; k++) {
        if (!hinge_slides(w, k))
            continue;
        const tn_hinge_slid s = slid_at(w, k);
        const double *q = w->at.q + 4 * (size_t)w->places[k].body;
        const double *memory = w->at.memory + HINGE_MEMORY_SIZE * (size_t)w->places[k].memory;
        const bool is_whole = w->places[k].part == TN_LIMB_WHOLE;
        const tn_vec3 axis = hinge_in_world((tn_quat){q[0], q[1], q[2], q[3]},
                                            limb_v3(s.kind + TN_KIND_FIELD(link.axis)));
        add_v3(s.own + TN_LIMB_FIELD(moved), v3_scale(begun_along(w, &s), axis));
        if (s.spin > 0.0)
            continue;
        /* it turns by nothing */
        tn_quat rel;
        hinge_get_numbers(s.kind + TN_KIND_FIELD(link.rel), sizeof rel, &rel);
        put_q(s.own + TN_LIMB_FIELD(turned), (tn_quat){1.0, 0.0, 0.0, 0.0});
        put_q(s.own + TN_LIMB_FIELD(q), rel);
        s.own[TN_LIMB_FIELD(half)] = is_whole ? memory[0] : 1.0;
        s.own[TN_LIMB_FIELD(half) + TN_HINGE_WIDTH] = is_whole ? memory[1] : 0.0;
    }
}

void tn_hinges_slide_on(const tn_hinge_world *w, int32_t begin, int32_t end)
{
    const tn_limb_range r = limbs_of(w, begin, end);
    for (int32_t k = r.first; k < r.last; k++) {
        if (!hinge_slides(w, k))
            continue;
        const tn_hinge_slid s = slid_at(w, k);
        const tn_vec3 axis = hinge_in_world(limb_q(s.own + TN_LIMB_FIELD(q)),
                                            limb_v3(s.kind + TN_KIND_FIELD(link.axis)));
        const tn_vec3 along = v3_scale(s.lead * s.own[TN_LIMB_FIELD(turn)], axis);
        double *span = s.own + TN_LIMB_FIELD(span);
        add_v3(s.own + TN_LIMB_FIELD(moved), along);
        put_v3(span, s.is_root ? along : v3_add(limb_v3(span), along));
    }
}

static void put_cross(tn_v4 *to, tn_vec3 a, double torque)
{
    *to = (tn_v4){a.x, a.y, a.z, torque};
}

void tn_hinges_slide_cross(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t begin,
                           int32_t end, const double *pulls, tn_hinge_cross *to)
{
    const tn_limb_range r = limbs_of(w, begin, end);
    for (int32_t k = r.first; k < r.last; k++) {
        if (!hinge_slides(w, k))
            continue;
        const tn_hinge_slid s = slid_at(w, k);
        const int32_t n = k - r.first;
        const double *pull =
            pulls + (size_t)(n / TN_HINGE_WIDTH) * TN_HINGE_PULLS_SIZE + n % TN_HINGE_WIDTH;
        const tn_hinge_pull of = {limb_v3(pull), limb_v3(pull + 3 * TN_HINGE_WIDTH)};
        const tn_vec3 z = limb_v3(s.own + TN_LIMB_FIELD(axis)),
                      place = limb_v3(s.own + TN_LIMB_FIELD(place));
        const tn_hinge_pull turned = hinge_turned_pull(&of, z, place);
        const tn_vec3 screw = v3_axpy(v3_scale(s.spin, v3_cross(place, z)), s.lead, z);
        const tn_vec3 moment = v3_axpy(v3_scale(s.spin, turned.moment), s.lead, turned.force);
        double along = s.spin * v3_dot(z, of.moment) + s.lead * v3_dot(z, of.force);
        if (w->acting)
            along -= w->acting->effort[k];
        along *= c->by_beta;
        put_v3(s.own + TN_LIMB_FIELD(screw), screw);
        put_cross(&to[n].screw, screw, along);
        put_cross(&to[n].axis, v3_scale(s.spin, z), along);
        put_cross(&to[n].force, v3_scale(c->by_beta * s.spin, turned.force), along);
        put_cross(&to[n].moment, v3_scale(c->by_beta, moment), along);
    }
}

/* Products of a turn and an advance are left out of a first-order correction too. */
double tn_hinges_slide_to(const tn_hinge_world *w, int32_t begin, int32_t end)
{
    const tn_limb_range r = limbs_of(w, begin, end);
    double most = 0.0;
    for (int32_t k = r.first; k < r.last; k++) {
        if (!hinge_slides(w, k))
            continue;
        const tn_hinge_slid s = slid_at(w, k);
        const tn_vec3 turn = limb_v3(s.own + TN_LIMB_FIELD(w));
        const double by = s.lead * s.own[TN_LIMB_FIELD(s)];
        const double at = begun_along(w, &s) + s.lead * s.own[TN_LIMB_FIELD(turn)];
        const tn_vec3 along = v3_scale(at, limb_v3(s.own + TN_LIMB_FIELD(axis)));
        double *x = s.own + TN_LIMB_FIELD(x);
        add_v3(s.own + TN_LIMB_FIELD(span), along);
        put_v3(x, s.is_root ? along : v3_add(limb_v3(x), along));
        most = r_max(2.0 * (v3_dot(turn, turn) + by * by), most); /* at least (|turn| + |by|)^2 */
    }
    return most;
}
