/* hinge_rows.h: room method/links: the elimination of hinge_inertia.h, link by link inward, in the rows of its matrices: a
 * vector each, with the same sums and products. After hinge_stages.h.
 */
#include "method/links/hinge_loops.h"

/* A vector's number in all places. */
TN_INLINE tn_real every(tn_real a, int i)
{
    return r_splat(a[i]);
}

/* x + y + z of each; what stands behind z is not looked at. */
TN_INLINE tn_real three_of(tn_real a, tn_real b, tn_real c, tn_real d)
{
    tn_real all[4] = {a, b, c, d};
    tn_rows_turn(all);
    return all[0] + all[1] + all[2];
}

/* The products of M v, of three rows. */
TN_INLINE tn_real row_sums(const tn_real *M, tn_real v)
{
    const tn_real z = M[2] * v;
    return three_of(M[0] * v, M[1] * v, z, z);
}

/* col += M v, row += M^T w. */
TN_INLINE void both_sides(const tn_real *M, tn_real v, tn_real w, tn_real *col, tn_real *row)
{
    *col += row_sums(M, v);
    *row += every(w, 0) * M[0];
    *row += every(w, 1) * M[1];
    *row += every(w, 2) * M[2];
}

TN_INLINE tn_real with_sign(tn_real a, tn_mask signs)
{
    return (tn_real)((tn_mask)a ^ signs);
}

/* Rows of [v], with -0 for 0: what is added to nothing changes no bit of it. v has 0 behind z. */
TN_INLINE void turned_rows(tn_real v, tn_real *rows)
{
    const int64_t minus = INT64_MIN;
    const tn_real x = {v[3], v[2], v[1], v[3]}, y = {v[2], v[3], v[0], v[3]},
                  z = {v[1], v[0], v[3], v[3]};
    rows[0] = with_sign(x, (tn_mask){minus, minus, 0, 0});
    rows[1] = with_sign(y, (tn_mask){0, minus, minus, 0});
    rows[2] = with_sign(z, (tn_mask){minus, 0, minus, 0});
}

typedef struct tn_hinge_own {
    tn_real A[3], B[3], D[3], C[3];
} tn_hinge_own;

/* A vector of a record, with what is behind it there. */
TN_INLINE tn_real vector_at(const double *a)
{
    return (tn_real) * (const tn_v4 *)a;
}

/* Of a body alone, to be added: -0 for 0. */
TN_INLINE tn_hinge_own own_of(const tn_hinge_record *record)
{
    tn_hinge_own own;
    const tn_mask three = {-1, -1, -1, 0};
    const double m = record->part.mass;
    const tn_real A[3] = {{m, -0.0, -0.0, -0.0}, {-0.0, m, -0.0, -0.0}, {-0.0, -0.0, m, -0.0}};
    turned_rows((tn_real)((tn_mask)vector_at(record->part.B) & three), own.B);
    turned_rows((tn_real)((tn_mask)vector_at(record->part.D) & three), own.D);
    for (int i = 0; i < 3; i++) {
        own.A[i] = A[i];
        own.C[i] = vector_at(record->part.C[i]);
    }
    return own;
}

/* As hinge_put_own: nothing hangs on it. */
TN_INLINE void begin_load(const tn_hinge_record *record, tn_hinge_load *load)
{
    const tn_hinge_own own = own_of(record);
    const tn_real zero = r_splat(0.0);
    for (int i = 0; i < 3; i++) {
        load->A[i] = (tn_v4)(zero + own.A[i]);
        load->B[i] = (tn_v4)(zero + own.B[i]);
        load->D[i] = (tn_v4)(zero + own.D[i]);
        load->C[i] = (tn_v4)own.C[i];
    }
}

/* What is left for the inner link: `begins` with that of its body alone. */
TN_INLINE void pass_rows(const tn_hinge_load *I, tn_real f, tn_real m, tn_real row_f, tn_real row_m,
                         const tn_hinge_record *inner, bool begins, tn_hinge_load *to)
{
    tn_hinge_own own;
    if (begins)
        own = own_of(inner);
    for (int i = 0; i < 3; i++) {
        const tn_real by_f = every(f, i), by_m = every(m, i);
        const tn_real A = (tn_real)I->A[i] - by_f * row_f, B = (tn_real)I->B[i] - by_f * row_m,
                      D = (tn_real)I->D[i] - by_m * row_f, C = (tn_real)I->C[i] - by_m * row_m;
        to->A[i] = (tn_v4)(begins ? A + own.A[i] : (tn_real)to->A[i] + A);
        to->B[i] = (tn_v4)(begins ? B + own.B[i] : (tn_real)to->B[i] + B);
        to->D[i] = (tn_v4)(begins ? D + own.D[i] : (tn_real)to->D[i] + D);
        to->C[i] = (tn_v4)(begins ? C + own.C[i] : (tn_real)to->C[i] + C);
    }
}

/* Of what acts on the body. */
TN_INLINE void add_yielding(const tn_hinge_load *more, tn_hinge_load *I)
{
    for (int i = 0; i < 3; i++) {
        I->A[i] += more->A[i];
        I->B[i] += more->B[i];
        I->D[i] += more->D[i];
        I->C[i] += more->C[i];
    }
}

/* Of the loops that close at the link. False: some rows nearly repeat others. */
static __attribute__((noinline)) bool add_loops(const tn_hinge_world *w, int32_t k,
                                                tn_hinge_load *I, tn_hinge_off *off)
{
    tn_vec3 f, n;
    const bool good = tn_loops_factor(w, k);
    if (!good)
        return false;
    tn_loops_close(w, k, &f, &n, off);
    I->left_f += (tn_v4){f.x, f.y, f.z, 0.0};
    I->left_n += (tn_v4){n.x, n.y, n.z, 0.0};
    return true;
}

TN_INLINE void count_off(const tn_hinge_world *w, int32_t k, double size, tn_hinge_off *off)
{
    if (hinge_is_in_loop(w, k))
        return; /* by what its loops leave of it */
    off->sum += size;
    off->largest = size > off->largest ? size : off->largest;
}

TN_INLINE bool eliminate_limb(const tn_hinge_world *w, int32_t k, const tn_hinge_cross *by,
                              tn_hinge_off *off)
{
    const tn_hinge_slots slots = w->slots[k];
    tn_hinge_load *I = &w->loads[slots.own];
    tn_hinge_record *record = &w->records[k];
    if (slots.order.begins)
        begin_load(record, I);
    if (w->yielding && w->is_yielding[k])
        add_yielding(&w->yielding[k], I);
    const bool good = !hinge_hosts(w, k) || add_loops(w, k, I, off);
    const tn_real a = (tn_real)by->screw, z = (tn_real)by->axis, none = r_splat(0.0);
    tn_real M[4][3];
    for (int i = 0; i < 3; i++) {
        M[0][i] = (tn_real)I->A[i];
        M[1][i] = (tn_real)I->D[i];
        M[2][i] = (tn_real)I->C[i];
        M[3][i] = (tn_real)I->B[i];
    }
    tn_real col_f = none, col_m = none, row_f = none, row_m = none;
    both_sides(M[0], a, a, &col_f, &row_f);
    both_sides(M[1], a, z, &col_m, &row_f);
    both_sides(M[2], z, z, &col_m, &row_m);
    both_sides(M[3], z, a, &col_f, &row_m);
    const tn_real of_f = a * col_f, of_m = z * col_m;
    const tn_real parts = three_of(of_f, of_m, of_m, of_m);
    const double yield = w->acting ? w->acting->yield[k] : 0.0;
    const double d = parts[0] + parts[1] + yield, by_d = 1.0 / d;
    double torque = z[3];
    if (!slots.order.begins) {
        const tn_real from_f = a * (tn_real)I->left_f, from_m = z * (tn_real)I->left_n;
        const tn_real left = three_of(from_f, from_m, from_m, from_m);
        torque += left[0] + left[1];
    }
    const double s = -torque * by_d;
    row_f += (tn_real)by->force;
    row_m += (tn_real)by->moment;
    if (w->inner[k] >= 0) {
        tn_hinge_load *to = &w->loads[slots.inner];
        const tn_hinge_record *inner = &w->records[w->inner[k]];
        const tn_real f = r_splat(by_d) * col_f, m = r_splat(by_d) * col_m;
        const tn_real own_f = r_splat(s) * col_f, own_m = r_splat(s) * col_m;
        const tn_real left_f = slots.order.begins ? own_f : (tn_real)I->left_f + own_f,
                      left_n = slots.order.begins ? own_m : (tn_real)I->left_n + own_m;
        if (slots.order.begins_inner) {
            pass_rows(I, f, m, row_f, row_m, inner, true, to);
            to->left_f = (tn_v4)left_f;
            to->left_n = (tn_v4)left_n;
        } else {
            pass_rows(I, f, m, row_f, row_m, inner, false, to);
            to->left_f = (tn_v4)((tn_real)to->left_f + left_f);
            to->left_n = (tn_v4)((tn_real)to->left_n + left_n);
        }
    }
    *(tn_v4 *)record->factor.row_f = (tn_v4)row_f;
    *(tn_v4 *)record->factor.row_m = (tn_v4)row_m;
    record->factor.col_f = (tn_v4)col_f;
    record->factor.col_m = (tn_v4)col_m;
    record->factor.by_d = by_d;
    record->factor.s = s;
    count_off(w, k, fabs(s), off);
    off->definite &= d > 0.0;
    return good && fabs(by_d) <= DBL_MAX;
}

#include "method/links/hinge_flat_rows.h"

static bool eliminate(const tn_hinge_world *w, int32_t first, int32_t last,
                      const tn_hinge_cross *crosses, tn_hinge_off *off)
{
    bool good = true;
    for (int32_t k = last - 1; k >= first && !w->flat; k--)
        good &= eliminate_limb(w, k, &crosses[k - first], off);
    for (int32_t k = last - 1; k >= first && w->flat; k--)
        good &= eliminate_flat_limb(w, k, &crosses[k - first], off);
    return good;
}
