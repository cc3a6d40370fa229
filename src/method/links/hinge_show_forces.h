/* hinge_show_forces.h: room method/links: multipliers of joints at the end of a step, and what they bear along their coordinates, four at
 * a time; after hinge_show.h.
 */

TN_INLINE void show_multipliers(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t b,
                                int32_t limbs, bool mixed, const tn_hinge_pull *pull, tn_real *sum)
{
    const tn_hinge_lanes l = block_at(w, b);
    const int8_t *apart = w->apart + (size_t)b * TN_HINGE_WIDTH;
    tn_hinge_bin bin;
    const tn_hinge_seen seen = {&bin, limbs, mixed, false, w->flat};
    const tn_rows from = rows_by_joint(w->at.lambda, &l, TN_MAX_ROWS),
                  to = only_hinges(rows_by_joint(w->to.lambda, &l, TN_MAX_ROWS), apart, &seen),
                  rate =
                      only_hinges(rows_by_joint(w->to.lambda_rate, &l, TN_MAX_ROWS), apart, &seen);
    const tn_real3 axes[3] = {l.own->spun, l.own->place, l.own->axis};
    tn_real lambda[TN_MAX_ROWS], before[TN_MAX_ROWS], change[TN_MAX_ROWS], own = r_splat(0.0);
    tn_rows_get(&from, 0, TN_MAX_ROWS, before);
    lambda[TN_MAX_ROWS - 1] = before[TN_MAX_ROWS - 1];
    hinge_multipliers(pull, axes, l.places[0].is_a ? 1.0 : -1.0, lambda);
    if (w->flat)
        lambda[2] = lambda[3] = lambda[4] = r_splat(0.0);
    for (int n = 0; n < TN_MAX_ROWS - 1 && mixed; n++)
        lambda[n] *= l.kind->column.sign * (l.places[0].is_a ? 1.0 : -1.0);
    if (w->has_rates) {
        rates_of(1.0 / c->h, lambda, before, TN_MAX_ROWS, change);
        tn_rows_put(&rate, 0, TN_MAX_ROWS, change);
    }
    tn_rows_put(&to, 0, TN_MAX_ROWS, lambda);
    add_all(lambda, TN_MAX_ROWS, &own);
    *sum += mixed ? r_select(l.kind->column.alone < 0.5, own, r_splat(0.0)) : own;
}

/* What joints bear along their coordinates. */
TN_INLINE void keep_borne(const tn_hinge_world *w, int32_t b, const tn_hinge_pull *pull)
{
    const tn_hinge_lanes l = block_at(w, b);
    const tn_hinge_column *column = &l.kind->column;
    const tn_real borne = column->spin * r3_dot(l.own->axis, pull->moment) +
                          column->lead * r3_dot(l.own->axis, pull->force);
    for (int k = 0; k < TN_HINGE_WIDTH; k++)
        w->acting->borne[b * TN_HINGE_WIDTH + k] = r_get(&borne, k);
}

/* In place of twists, that nothing is read of any more. */
TN_INLINE void keep_pull(tn_hinge_trial *own, const tn_hinge_pull *pull)
{
    own->v = pull->force;
    own->w = pull->moment;
}

static void show_forces(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t begin, int32_t end,
                        const double *pulls, tn_hinge_told *told)
{
    tn_real sum = r_splat(0.0);
    for (int32_t b = begin; b < end; b++) {
        const int32_t limbs = limbs_in(w, b);
        const tn_hinge_pull *pull = pulls_at(pulls, b - begin);
        const int8_t *apart = w->apart + (size_t)b * TN_HINGE_WIDTH;
        hinge_fetch_forces(w, b - TN_HINGE_AHEAD);
        if (w->acting)
            keep_borne(w, b, pull);
        if (w->bears[b] || memchr(apart, 1, (size_t)limbs))
            keep_pull(block_at(w, b).own, pull);
        if (!memchr(apart, 0, (size_t)limbs))
            continue;
        if (limbs == TN_HINGE_WIDTH && !w->mixed[b]) {
            show_multipliers(w, c, b, TN_HINGE_WIDTH, false, pull, &sum);
        } else {
            show_multipliers(w, c, b, limbs, w->mixed[b], pull, &sum);
        }
    }
    for (int k = 0; k < TN_HINGE_WIDTH; k++)
        told->sum += r_get(&sum, k);
}
