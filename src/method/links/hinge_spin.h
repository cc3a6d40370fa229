/* hinge_spin.h: room method/links: how fast joints of one freedom turn, four links at a time, in blocks along whose joints something
 * acts. After hinge_stages.h. With z the axis, w the angular velocity in axes of a body and i the inner body, all of
 *     z . w - z_i . w_i.
 */

/* Velocities of what does not move: only read. */
static const double hinge_no_spin[6];

/* Of packed rates of bodies: about the axes, of the body against the inner one. */
TN_INLINE tn_real about_axes(const tn_hinge_world *w, const tn_hinge_lanes *l, double *packed)
{
    const tn_rows own = rows_by_velocity(packed, l);
    tn_rows inner;
    tn_real spin[3], inner_spin[3];
    for (int k = 0; k < TN_HINGE_WIDTH; k++)
        inner.of[k] = l->inner[k] < 0 ? (double *)hinge_no_spin : packed + w->places[l->inner[k]].u;
    tn_rows_get(&own, 3, 3, spin);
    tn_rows_get(&inner, 3, 3, inner_spin);
    return r3_dot(l->kind->link.axis, r3_load(spin)) -
           r3_dot(l->kind->axes.inner[2], r3_load(inner_spin));
}

TN_INLINE void put_four(tn_real a, double *by_limb, int32_t b)
{
    *(tn_v4 *)(by_limb + (size_t)b * TN_HINGE_WIDTH) = (tn_v4)a;
}

/* Where the step begins: the speeds at its end but for what is found of the trial. */
static void coast(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t begin, int32_t end)
{
    for (int32_t b = begin; b < end; b++) {
        if (!w->acting->turning[b])
            continue;
        const tn_hinge_lanes l = block_at(w, b);
        const tn_real u = about_axes(w, &l, w->at.u), udot = about_axes(w, &l, w->at.udot),
                      a = about_axes(w, &l, w->at.acc);
        put_four(u + (c->coast_a * a + c->coast_acc * (c->acc_udot * udot + c->acc_acc * a)),
                 w->acting->coast, b);
    }
}

/* Accelerations in the trial. */
static void spin(const tn_hinge_world *w, int32_t begin, int32_t end)
{
    for (int32_t b = begin; b < end; b++) {
        if (!w->acting->turning[b])
            continue;
        const tn_hinge_lanes l = block_at(w, b);
        put_four(r3_dot(l.kind->link.axis, r3_load(l.own->udot + 3)) -
                     r3_dot(l.kind->axes.inner[2],
                            inner_r3(w, &l, TN_LIMB_FIELD(udot) + 3 * TN_HINGE_WIDTH)),
                 w->acting->rate, b);
    }
}
