/* hinge_flat.h: room method/links: what goes from link to link (hinge_recursion.c) where bodies are planar, in the numbers that are not 0
 * there: x and y of places, velocities and forces, z of turns and moments. The same sums and products without what is 0.
 *
 * In: a world that is `flat`, orientations of what does not move turns about z. Out: as hinge_recursion.c has it. What it does not
 * write stays 0.
 */

/* A turn about z: cosine and sine of half the angle. */
typedef struct tn_flat_turn {
    double c, s;
} tn_flat_turn;

TN_INLINE tn_flat_turn flat_turn(const double *q)
{
    return (tn_flat_turn){q[0], q[3 * TN_HINGE_WIDTH]};
}

TN_INLINE void put_flat_turn(double *q, tn_flat_turn a)
{
    q[0] = a.c;
    q[3 * TN_HINGE_WIDTH] = a.s;
}

TN_INLINE tn_flat_turn flat_product(tn_flat_turn a, tn_flat_turn b)
{
    return (tn_flat_turn){a.c * b.c - a.s * b.s, a.c * b.s + a.s * b.c};
}

/* As hinge_compose. */
TN_INLINE tn_flat_turn flat_compose(tn_flat_turn inner, tn_flat_turn bent)
{
    const tn_flat_turn q = flat_product(inner, bent);
    const double by = r_unit_again(q.c * q.c + q.s * q.s);
    return (tn_flat_turn){by * q.c, by * q.s};
}

TN_INLINE tn_flat_turn flat_base_turn(const tn_hinge_world *w, int32_t k, int32_t inner)
{
    const tn_quat q = base_turn(w, k, inner);
    return (tn_flat_turn){q.w, q.z};
}

/* ---- outward ---- */

TN_INLINE void compose_flat_body(const tn_hinge_world *w, int32_t begin, int32_t end)
{
    const tn_limb_range r = limbs_of(w, begin, end);
    tn_flat_turn q = flat_turn(hinge_limb_at(w, r.first - 1) + TN_LIMB_FIELD(q));
    for (int32_t k = r.first; k < r.last; k++) {
        const int32_t inner = w->inner[k];
        double *own = hinge_limb_at(w, k) + TN_LIMB_FIELD(q);
        if (!is_next(k, inner))
            q = flat_base_turn(w, k, inner);
        q = flat_compose(q, flat_turn(own));
        put_flat_turn(own, q);
    }
}

TN_INLINE void compose_flat_turns_body(const tn_hinge_world *w, int32_t begin, int32_t end)
{
    const tn_limb_range r = limbs_of(w, begin, end);
    const double *before = hinge_limb_at(w, r.first - 1);
    tn_flat_turn q = flat_turn(before + TN_LIMB_FIELD(q)),
                 D = flat_turn(before + TN_LIMB_FIELD(turned));
    for (int32_t k = r.first; k < r.last; k++) {
        const int32_t inner = w->inner[k];
        double *own = hinge_limb_at(w, k), *turned = own + TN_LIMB_FIELD(turned);
        if (!is_next(k, inner)) {
            q = flat_base_turn(w, k, inner);
            D = flat_turn(hinge_limb_at(w, inner) + TN_LIMB_FIELD(turned));
        }
        q = flat_compose(q, flat_turn(own + TN_LIMB_FIELD(q)));
        D = inner < 0 ? flat_turn(turned) : flat_product(D, flat_turn(turned));
        put_flat_turn(own + TN_LIMB_FIELD(q), q);
        put_flat_turn(turned, D);
    }
}

/* A small twist about O: along x, y, and about z. */
typedef struct tn_flat_twist {
    double x, y, w;
} tn_flat_twist;

TN_INLINE tn_flat_twist flat_twist(const double *own)
{
    const double *v = own + TN_LIMB_FIELD(v);
    return (tn_flat_twist){v[0], v[TN_HINGE_WIDTH], own[TN_LIMB_FIELD(w) + 2 * TN_HINGE_WIDTH]};
}

TN_INLINE void put_flat_twist(double *own, const tn_flat_twist *of)
{
    double *v = own + TN_LIMB_FIELD(v);
    v[0] = of->x;
    v[TN_HINGE_WIDTH] = of->y;
    own[TN_LIMB_FIELD(w) + 2 * TN_HINGE_WIDTH] = of->w;
}

/* As hinge_scatter. */
TN_INLINE double flat_scatter(const tn_hinge_record *record, const tn_flat_twist *inner,
                              const tn_flat_twist *screw, tn_flat_twist *own)
{
    const double s = record->factor.s - record->factor.by_d * (record->factor.row_f[0] * inner->x +
                                                               record->factor.row_f[1] * inner->y +
                                                               record->factor.row_m[2] * inner->w);
    *own =
        (tn_flat_twist){inner->x + s * screw->x, inner->y + s * screw->y, inner->w + s * screw->w};
    return s;
}

TN_INLINE void scatter_flat_body(const tn_hinge_world *w, int32_t begin, int32_t end)
{
    static const tn_flat_twist still = {0.0, 0.0, 0.0};
    const tn_limb_range r = limbs_of(w, begin, end);
    tn_flat_twist twist = flat_twist(hinge_limb_at(w, r.first - 1));
    for (int32_t k = r.first; k < r.last; k++) {
        double *own = hinge_limb_at(w, k);
        const int32_t base = w->inner[k];
        if (k % TN_HINGE_WIDTH == 0)
            hinge_fetch_scatter(w, k / TN_HINGE_WIDTH + TN_HINGE_AHEAD);
        if (!is_next(k, base))
            twist = base < 0 ? still : flat_twist(hinge_limb_at(w, base));
        const double *at = own + TN_LIMB_FIELD(screw);
        const tn_flat_twist screw = {at[0], at[TN_HINGE_WIDTH], spin_of(w, k, own).z};
        const tn_flat_twist inner = twist;
        own[TN_LIMB_FIELD(s)] = flat_scatter(&w->records[k], &inner, &screw, &twist);
        if (hinge_hosts(w, k))
            tn_loops_follow(w, k, v3(twist.x, twist.y, 0.0), v3(0.0, 0.0, twist.w));
        put_flat_twist(own, &twist);
    }
}

/* ---- inward ---- */

/* As hinge_weigh. */
TN_INLINE void weigh_flat_limb(const tn_hinge_world *w, tn_hinge_inertia *sums, int32_t k,
                               const double *own, double *pull)
{
    const tn_hinge_slots slots = w->slots[k];
    const double *f = own + TN_LIMB_FIELD(f), *span = own + TN_LIMB_FIELD(span);
    const tn_hinge_inertia *hung = &sums[slots.own];
    tn_hinge_inertia *inner = inner_sums(w, sums, k);
    const bool begins = slots.order.begins;
    const double x = (begins ? 0.0 : hung->hung_f.x) - f[0],
                 y = (begins ? 0.0 : hung->hung_f.y) - f[TN_HINGE_WIDTH],
                 n = (begins ? 0.0 : hung->hung_n.z) - own[TN_LIMB_FIELD(n) + 2 * TN_HINGE_WIDTH];
    pull[0] = x;
    pull[TN_HINGE_WIDTH] = y;
    pull[5 * TN_HINGE_WIDTH] = n;
    if (!inner)
        return;
    const bool begins_inner = slots.order.begins_inner;
    const double turned = n + (span[0] * y - span[TN_HINGE_WIDTH] * x);
    inner->hung_f.x = begins_inner ? x : inner->hung_f.x + x;
    inner->hung_f.y = begins_inner ? y : inner->hung_f.y + y;
    inner->hung_n.z = begins_inner ? turned : inner->hung_n.z + turned;
}

TN_INLINE void weigh_flat_body(const tn_hinge_world *w, tn_hinge_inertia *sums, int32_t begin,
                               int32_t end, double *pulls)
{
    for (int32_t b = end - 1; b >= begin; b--) {
        const tn_limb_range r = limbs_of(w, b, b + 1);
        const double *own = hinge_limb_at(w, r.first);
        double *to = pulls + (size_t)(b - begin) * TN_HINGE_PULLS_SIZE;
        hinge_fetch_weights(w, b - TN_HINGE_AHEAD);
        for (int32_t n = r.last - r.first - 1; n >= 0; n--)
            weigh_flat_limb(w, sums, r.first + n, own + n, to + n);
    }
}
