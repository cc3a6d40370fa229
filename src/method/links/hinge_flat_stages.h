/* hinge_flat_stages.h: room method/links: stages of hinge_stages.h where bodies are planar, in the numbers that are not 0 there: x and y
 * of places, velocities and forces, z of turns and moments. In hinge_stages.h, after what the stages share.
 *
 * The part of a body in the matrix, about O, with r = O - x and f what acts on it:
 *     B = m r,   D = f / beta' - m r,   C = J + m r . r - r . f / beta'.
 */

/* What a body has of motion: along x and y, about z. */
enum { TN_FLAT_MOTIONS = 3 };
static const int flat_motion[TN_FLAT_MOTIONS] = {0, 1, TN_FLAT_TURN};

/* Cosine and sine of a turn about z. */
typedef struct tn_flat_axes {
    tn_real c, s;
} tn_flat_axes;

TN_INLINE tn_flat_axes flat_axes(tn_realq q)
{
    return (tn_flat_axes){1.0 - 2.0 * (q.z * q.z), 2.0 * (q.w * q.z)};
}

TN_INLINE tn_real3 flat_turned(tn_flat_axes R, tn_real3 v)
{
    return r3(R.c * v.x - R.s * v.y, R.s * v.x + R.c * v.y, v.z);
}

/* A velocity of the step, as hinge_move has it; out: what does not change of it, too. */
TN_INLINE void flat_move(const tn_hinge_world *w, const tn_hinge_rule *c, const tn_hinge_lanes *l)
{
    const tn_hinge_trial *own = l->own;
    const tn_real moved[TN_FLAT_MOTIONS] = {own->moved.x, own->moved.y, own->spun.z};
    tn_hinge_motion from;
    tn_hinge_limb k;
    gather_motion(w, l, true, &from);
    for (int n = 0; n < TN_FLAT_MOTIONS; n++) {
        const int i = flat_motion[n];
        hinge_coast(c, &from, from.acc[i], i, &k);
        l->own->udot[i] = c->beta * (moved[n] - k.drift[i]);
    }
    l->own->u[2] = hinge_velocity(c, &k, own->udot[TN_FLAT_TURN], TN_FLAT_TURN);
}

/* What the motion asks of the joints, as hinge_strive has it. */
TN_INLINE void flat_weigh(const tn_hinge_world *w, const tn_hinge_lanes *l)
{
    const tn_hinge_link *link = &l->kind->link;
    tn_hinge_trial *own = l->own;
    own->f.x = link->mass * (w->gravity.x - own->udot[0]);
    own->f.y = link->mass * (w->gravity.y - own->udot[1]);
    own->n.z =
        -(link->J.zz * own->udot[TN_FLAT_TURN]) - (own->arm.x * own->f.y - own->arm.y * own->f.x);
}

TN_INLINE void put_flat_records(const tn_hinge_world *w, const tn_hinge_rule *c,
                                const tn_hinge_lanes *l, int32_t b)
{
    const tn_hinge_trial *own = l->own;
    const tn_real m = l->kind->link.mass, x = own->arm.x - own->place.x,
                  y = own->arm.y - own->place.y, f = c->by_beta * own->f.x,
                  g = c->by_beta * own->f.y,
                  C = l->kind->link.J.zz + m * (x * x + y * y) - (x * f + y * g);
    tn_real first[4] = {m * x, m * y, f - m * x, g - m * y}, second[4] = {C, m, m, m};
    tn_rows_turn(first);
    tn_rows_turn(second);
    for (int k = 0; k < TN_HINGE_WIDTH; k++) {
        tn_hinge_record *to = &w->records[b * TN_HINGE_WIDTH + k];
        to->part.B[0] = first[k][0];
        to->part.B[1] = first[k][1];
        to->part.D[0] = first[k][2];
        to->part.D[1] = first[k][3];
        to->part.C[2][2] = second[k][0];
        to->part.mass = second[k][1];
    }
}

/* As strive_block. */
TN_INLINE void strive_flat_block(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t b)
{
    const tn_hinge_lanes l = block_at(w, b);
    l.own->axis = flat_turned(flat_axes(l.own->q), l.kind->link.axis);
    flat_move(w, c, &l);
    flat_weigh(w, &l);
    put_flat_records(w, c, &l, b);
}

/* As settle_block by a twist. */
TN_INLINE tn_real settle_flat_block(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t b,
                                    tn_real widest)
{
    const tn_hinge_lanes l = block_at(w, b);
    const tn_hinge_link *link = &l.kind->link;
    const tn_flat_axes R = flat_axes(l.own->q),
                       inner_R = flat_axes(inner_q(w, &l, TN_LIMB_FIELD(q)));
    const tn_rows u = rows_by_velocity(w->at.u, &l), udot = rows_by_velocity(w->at.udot, &l),
                  acc = rows_by_velocity(w->at.acc, &l);
    tn_hinge_trial *own = l.own;
    tn_hinge_motion from;
    tn_hinge_limb k;
    own->axis = flat_turned(R, link->axis);
    own->arm = flat_turned(R, link->at);
    own->x = flat_turned(inner_R, link->inner_at);
    own->span = r3_sub(own->x, inner_r3(w, &l, TN_LIMB_FIELD(arm)));
    from.u[TN_FLAT_TURN] = tn_rows_get_one(&u, 2);
    from.udot[TN_FLAT_TURN] = tn_rows_get_one(&udot, 2);
    from.acc[TN_FLAT_TURN] = tn_rows_get_one(&acc, 2);
    hinge_coast(c, &from, from.acc[TN_FLAT_TURN], TN_FLAT_TURN, &k);
    own->u[2] = hinge_velocity(c, &k, own->udot[TN_FLAT_TURN], TN_FLAT_TURN);
    flat_weigh(w, &l);
    return r_max(own->w.z * own->w.z, widest);
}
