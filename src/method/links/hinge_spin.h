/* hinge_spin.h: room method/links: how fast joints of one freedom turn in a trial, four links at a time, in blocks along whose joints
 * something acts. After hinge_stages.h. With z the axis, w the angular velocity in axes of a body and i the inner body, all of
 *     z . w - z_i . w_i.
 */

TN_INLINE void put_four(tn_real a, double *by_limb, int32_t b)
{
    *(tn_v4 *)(by_limb + (size_t)b * TN_HINGE_WIDTH) = (tn_v4)a;
}

/* Of angular numbers of the links, about the axes, against those of the inner ones. */
TN_INLINE tn_real about_axes(const tn_hinge_world *w, const tn_hinge_lanes *l, const tn_real *own,
                             size_t field)
{
    return r3_dot(l->kind->link.axis, r3_load(own)) -
           r3_dot(l->kind->axes.inner[2], inner_r3(w, l, field));
}

static void spin(const tn_hinge_world *w, int32_t begin, int32_t end)
{
    for (int32_t b = begin; b < end; b++) {
        if (!w->acting->turning[b])
            continue;
        const tn_hinge_lanes l = block_at(w, b);
        put_four(about_axes(w, &l, l.own->u, TN_LIMB_FIELD(u)), w->acting->speed, b);
        put_four(about_axes(w, &l, l.own->udot + 3, TN_LIMB_FIELD(udot) + 3 * TN_HINGE_WIDTH),
                 w->acting->rate, b);
    }
}
