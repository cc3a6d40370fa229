/* hinge_recursion.c: room method/hinges: what goes from limb to limb, one after the other (hinge_block.h), for every machine and
 * with AVX2: instructions of three operands need no copies of numbers. Without fused products: the bits are the same.
 */
#include "math/small_turns.h"
#include "method/hinges/hinge_fetch.h"

/* ---- outward ---- */

/* Most limbs hang on the one before, whose numbers are then at hand, and neither stored nor read on the way. */
TN_INLINE bool is_next(int32_t k, int32_t inner)
{
    return __builtin_expect(inner == k - 1 && inner >= 0, 1);
}

/* The orientation of a limb that does not hang on the one before. */
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
            place = v3(0.0, 0.0, 0.0);
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

/* What hinge_scatter reads of a limb. */
TN_INLINE void load_factor(const double *own, const tn_hinge_record *record, tn_hinge_limb *limb)
{
    limb->s = record->factor.s;
    limb->axis = limb_v3(own + TN_LIMB_FIELD(axis));
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
        hinge_scatter(base >= 0 ? &inner : NULL, &limb);
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
        const tn_vec3 base = inner < 0
                                 ? limb_v3(hinge_kind_at(w, k) + TN_KIND_FIELD(link.ground_at))
                                 : v3_add(at, limb_v3(x));
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

/* Sums of what hangs on the limb that limb k hangs on. */
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

TN_INLINE void gather_limb(const tn_hinge_world *w, const tn_hinge_rule *c, tn_hinge_inertia *sums,
                           int32_t k, const double *pull, tn_hinge_sizes *left)
{
    const tn_hinge_slots slots = w->slots[k];
    const double *own = hinge_limb_at(w, k);
    tn_hinge_record *record = &w->records[k];
    tn_hinge_pull of = {limb_v3(pull), limb_v3(pull + 3 * TN_HINGE_WIDTH)};
    tn_hinge_limb limb;
    limb.axis = limb_v3(own + TN_LIMB_FIELD(axis));
    if (w->acting)
        of.moment = v3_axpy(of.moment, -w->acting->effort[k], limb.axis);
    limb.screw = limb_v3(own + TN_LIMB_FIELD(screw));
    limb.col_f = v3_load((const double *)&record->factor.col_f);
    limb.col_m = v3_load((const double *)&record->factor.col_m);
    limb.by_d = record->factor.by_d;
    hinge_gather(c, slots.order, &of, &limb, &sums[slots.own], inner_sums(w, sums, k), left);
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

const tn_hinge_recursions tn_hinge_recursions_any = {compose, compose_turns, add_places, scatter,
                                                     seat,    weigh,         gather};
const tn_hinge_recursions tn_hinge_recursions_wide = {
    compose_wide, compose_turns_wide, add_places_wide, scatter_wide,
    seat_wide,    weigh_wide,         gather_wide};
