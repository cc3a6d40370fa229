/* hinge_flat_rows.h: room method/links: the elimination of hinge_rows.h where bodies are planar: of twists x and y of v, z of w, of
 * wrenches x and y of the force, z of the moment. Nine numbers of a link's matrices are other than 0 then; they are where those of bodies
 * in space are, so that loops and what acts on bodies add to both alike.
 */

/* A and B for forces, D and C for the moment. */
typedef struct tn_flat_load {
    double A[2][2], B[2], D[2], C;
} tn_flat_load;

TN_INLINE tn_flat_load flat_load(const tn_hinge_load *I)
{
    return (tn_flat_load){{{I->A[0][0], I->A[0][1]}, {I->A[1][0], I->A[1][1]}},
                          {I->B[0][2], I->B[1][2]},
                          {I->D[2][0], I->D[2][1]},
                          I->C[2][2]};
}

TN_INLINE void put_flat_load(const tn_flat_load *from, tn_hinge_load *I)
{
    for (int i = 0; i < 2; i++) {
        I->A[i][0] = from->A[i][0];
        I->A[i][1] = from->A[i][1];
        I->B[i][2] = from->B[i];
        I->D[2][i] = from->D[i];
    }
    I->C[2][2] = from->C;
}

/* Of a body alone, to be added. */
TN_INLINE tn_flat_load flat_own(const tn_hinge_record *record)
{
    const double m = record->part.mass;
    return (tn_flat_load){{{m, 0.0}, {0.0, m}},
                          {record->part.B[1], -record->part.B[0]},
                          {-record->part.D[1], record->part.D[0]},
                          record->part.C[2][2]};
}

TN_INLINE tn_flat_load flat_sum(const tn_flat_load *a, const tn_flat_load *b)
{
    return (tn_flat_load){{{a->A[0][0] + b->A[0][0], a->A[0][1] + b->A[0][1]},
                           {a->A[1][0] + b->A[1][0], a->A[1][1] + b->A[1][1]}},
                          {a->B[0] + b->B[0], a->B[1] + b->B[1]},
                          {a->D[0] + b->D[0], a->D[1] + b->D[1]},
                          a->C + b->C};
}

/* A vector of x, y and z of a wrench or twist. */
typedef struct tn_flat_vector {
    double x, y, z;
} tn_flat_vector;

TN_INLINE double flat_dot(tn_flat_vector a, tn_flat_vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* I s and I^T s */
TN_INLINE tn_flat_vector flat_column(const tn_flat_load *I, tn_flat_vector s)
{
    return (tn_flat_vector){I->A[0][0] * s.x + I->A[0][1] * s.y + I->B[0] * s.z,
                            I->A[1][0] * s.x + I->A[1][1] * s.y + I->B[1] * s.z,
                            I->D[0] * s.x + I->D[1] * s.y + I->C * s.z};
}

TN_INLINE tn_flat_vector flat_row(const tn_flat_load *I, tn_flat_vector s)
{
    return (tn_flat_vector){I->A[0][0] * s.x + I->A[1][0] * s.y + I->D[0] * s.z,
                            I->A[0][1] * s.x + I->A[1][1] * s.y + I->D[1] * s.z,
                            I->B[0] * s.x + I->B[1] * s.y + I->C * s.z};
}

/* I - col row^T by by_d */
TN_INLINE tn_flat_load flat_rest(const tn_flat_load *I, double by_d, tn_flat_vector col,
                                 tn_flat_vector row)
{
    const double x = by_d * col.x, y = by_d * col.y, z = by_d * col.z;
    return (tn_flat_load){{{I->A[0][0] - x * row.x, I->A[0][1] - x * row.y},
                           {I->A[1][0] - y * row.x, I->A[1][1] - y * row.y}},
                          {I->B[0] - x * row.z, I->B[1] - y * row.z},
                          {I->D[0] - z * row.x, I->D[1] - z * row.y},
                          I->C - z * row.z};
}

/* What an elimination leaves of a link. */
typedef struct tn_flat_factor {
    tn_flat_vector col, row, left;
    double by_d, s;
} tn_flat_factor;

TN_INLINE void put_flat_factor(const tn_flat_factor *from, tn_hinge_record *record)
{
    *(tn_v4 *)record->factor.row_f = (tn_v4){from->row.x, from->row.y, 0.0, from->by_d};
    *(tn_v4 *)record->factor.row_m = (tn_v4){0.0, 0.0, from->row.z, from->s};
    record->factor.col_f = (tn_v4){from->col.x, from->col.y, 0.0, 0.0};
    record->factor.col_m = (tn_v4){0.0, 0.0, from->col.z, 0.0};
}

/* What is left for the inner link. */
TN_INLINE void pass_flat(const tn_hinge_world *w, int32_t k, const tn_flat_load *I,
                         const tn_flat_factor *of)
{
    const tn_hinge_slots slots = w->slots[k];
    const bool begins = slots.order.begins_inner;
    tn_hinge_load *to = &w->loads[slots.inner];
    const tn_flat_load more = flat_rest(I, of->by_d, of->col, of->row),
                       own = begins ? flat_own(&w->records[w->inner[k]]) : flat_load(to),
                       sum = flat_sum(&own, &more);
    put_flat_load(&sum, to);
    const tn_flat_vector left = {of->left.x + of->s * of->col.x, of->left.y + of->s * of->col.y,
                                 of->left.z + of->s * of->col.z};
    to->left_f[0] = begins ? left.x : to->left_f[0] + left.x;
    to->left_f[1] = begins ? left.y : to->left_f[1] + left.y;
    to->left_n[2] = begins ? left.z : to->left_n[2] + left.z;
}

/* As eliminate_limb. */
TN_INLINE bool eliminate_flat_limb(const tn_hinge_world *w, int32_t k, const tn_hinge_cross *by,
                                   tn_hinge_off *off)
{
    const tn_hinge_slots slots = w->slots[k];
    tn_hinge_load *I = &w->loads[slots.own];
    if (slots.order.begins) {
        const tn_flat_load own = flat_own(&w->records[k]);
        put_flat_load(&own, I);
        I->left_f = I->left_n = (tn_v4){0.0, 0.0, 0.0, 0.0};
    }
    if (w->yielding && w->is_yielding[k])
        add_yielding(&w->yielding[k], I);
    const bool good = !hinge_hosts(w, k) || add_loops(w, k, I, off);
    const tn_flat_load own = flat_load(I);
    const tn_flat_vector s = {by->screw[0], by->screw[1], by->axis[2]},
                         more = {by->force[0], by->force[1], by->moment[2]};
    tn_flat_factor of = {.col = flat_column(&own, s), .row = flat_row(&own, s)};
    const double d = flat_dot(s, of.col) + (w->acting ? w->acting->yield[k] : 0.0);
    of.left = (tn_flat_vector){I->left_f[0], I->left_f[1], I->left_n[2]};
    of.by_d = 1.0 / d;
    of.s = -(by->axis[3] + flat_dot(s, of.left)) * of.by_d;
    of.row = (tn_flat_vector){of.row.x + more.x, of.row.y + more.y, of.row.z + more.z};
    if (w->inner[k] >= 0)
        pass_flat(w, k, &own, &of);
    put_flat_factor(&of, &w->records[k]);
    count_off(w, k, fabs(of.s), off);
    off->definite &= d > 0.0;
    return good && fabs(of.by_d) <= DBL_MAX;
}
