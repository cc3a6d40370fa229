/* custom_motion.c: room joint/custom: pose and rows of a custom joint from a callback (custom_motion.h).
 */
#include "joint/custom/custom_motion.h"

#include <string.h>

/* Pivots of 1 + Q^T E below this ask for other signs of E. */
#define TN_SMALL_PIVOT 0.2

static tn_dual sum(tn_dual a, tn_dual b)
{
    return dual(a.v + b.v, a.d + b.d);
}

static tn_dual negative(tn_dual a)
{
    return dual(-a.v, -a.d);
}

static tn_dual dot6(const tn_dual6 *a, const tn_dual6 *b)
{
    return sum(dual3_dot(a->f, b->f), dual3_dot(a->m, b->m));
}

/* a + s b */
static tn_dual6 axpy6(const tn_dual6 *a, tn_dual s, const tn_dual6 *b)
{
    return (tn_dual6){dual3_axpy(a->f, s, b->f), dual3_axpy(a->m, s, b->m)};
}

static tn_dual root(tn_dual a)
{
    const double v = sqrt(a.v);
    return dual(v, 0.5 * a.d / v);
}

/* ---- pose and twists ---------------------------------------------------------------------- */

void tn_custom_motion_point(const tn_pose_family *family, const double *q, const double *speeds,
                            tn_family_point *out)
{
    const tn_custom_motion *motion = (const tn_custom_motion *)family;
    const int32_t n = family->own.info.dof;
    tn_joint_motion m;
    memset(&m, 0, sizeof m);
    motion->motion(motion->context, q, &m);
    out->T_GD = (tn_xform){q_to_m3(q_normalize(m.pose.q)), m.pose.p};
    for (int32_t j = 0; j < n; j++) {
        out->v[j] = (tn_dual3){m.v[j], {0.0, 0.0, 0.0}};
        out->w[j] = (tn_dual3){m.w[j], {0.0, 0.0, 0.0}};
        for (int32_t k = 0; speeds && k < n; k++) {
            out->v[j].d = v3_axpy(out->v[j].d, speeds[k], m.dv[j][k]);
            out->w[j].d = v3_axpy(out->w[j].d, speeds[k], m.dw[j][k]);
        }
    }
}

/* Q in place of the twists, and R. */
static void orthonormalize(tn_dual6 *twists, int32_t n, tn_dual R[6][6])
{
    for (int32_t j = 0; j < n; j++) {
        for (int32_t i = 0; i < j; i++) {
            R[i][j] = dot6(&twists[i], &twists[j]);
            twists[j] = axpy6(&twists[j], negative(R[i][j]), &twists[i]);
        }
        R[j][j] = root(dot6(&twists[j], &twists[j]));
        const tn_dual share = dual_div(dual(1.0, 0.0), R[j][j]);
        twists[j].f = dual3_scale(share, twists[j].f);
        twists[j].m = dual3_scale(share, twists[j].m);
    }
}

static void frame_at(const tn_pose_family *family, const double *q, const double *speeds,
                     tn_dual6 Q[6], tn_dual R[6][6])
{
    const int32_t n = family->own.info.dof;
    tn_family_point point;
    tn_custom_motion_point(family, q, speeds, &point);
    for (int32_t j = 0; j < n; j++)
        Q[j] = (tn_dual6){point.v[j], point.w[j]};
    orthonormalize(Q, n, R);
}

/* ---- at coordinates zero ------------------------------------------------------------------ */

static tn_dual6 unit_axis(int axis)
{
    const tn_vec3 e = v3(axis % 3 == 0, axis % 3 == 1, axis % 3 == 2), zero = {0.0, 0.0, 0.0};
    return axis < 3 ? (tn_dual6){{e, zero}, {zero, zero}} : (tn_dual6){{zero, zero}, {e, zero}};
}

/* What the first n vectors leave of an axis. */
static tn_dual6 left_of(int axis, const tn_dual6 *vectors, int32_t n)
{
    tn_dual6 left = unit_axis(axis);
    for (int32_t i = 0; i < n; i++)
        left = axpy6(&left, negative(dot6(&vectors[i], &left)), &vectors[i]);
    return left;
}

/* Fills n orthonormal vectors up to six; taken[axis] says which axes complete them. Of nonsense
 * whatever comes. */
static void complete(tn_dual6 vectors[6], int32_t n, int8_t taken[6])
{
    memset(taken, 0, 6);
    for (; n < 6; n++) {
        int best = -1;
        double most = -1.0;
        for (int axis = 0; axis < 6; axis++) {
            const tn_dual6 left = left_of(axis, vectors, n);
            const double size = dot6(&left, &left).v;
            if (!taken[axis] && !(size <= most * (1.0 + 1e-9))) {
                best = axis;
                most = size;
            }
        }
        taken[best] = 1;
        const tn_dual6 left = left_of(best, vectors, n);
        const tn_dual share = dual(1.0 / sqrt(most), 0.0);
        vectors[n] = (tn_dual6){dual3_scale(share, left.f), dual3_scale(share, left.m)};
    }
}

/* The same in the order of the axes. */
static void start_frame(tn_custom_motion *motion, int8_t taken[6])
{
    static const double zero[TN_MAX_COORDINATES] = {0.0};
    const int32_t n = motion->family.own.info.dof;
    tn_dual R[6][6];
    frame_at(&motion->family, zero, NULL, motion->start, R);
    complete(motion->start, n, taken);
    int32_t next = n;
    for (int axis = 0; axis < 6; axis++) {
        if (!taken[axis])
            continue;
        motion->start[next] = left_of(axis, motion->start, next);
        const tn_dual share =
            dual(1.0 / sqrt(dot6(&motion->start[next], &motion->start[next]).v), 0.0);
        motion->start[next].f = dual3_scale(share, motion->start[next].f);
        motion->start[next].m = dual3_scale(share, motion->start[next].m);
        next++;
    }
}

void tn_custom_motion_make(const tn_joint_data *data, tn_custom_motion *motion)
{
    int8_t taken[6];
    motion->motion = data->motion;
    motion->context = data->motion_context;
    start_frame(motion, taken);
}

void tn_custom_motion_describe(const tn_joint_data *data, const tn_joint_type_info *type,
                               tn_joint_own_info *own)
{
    static const char *const names[6] = {"fx", "fy", "fz", "mx", "my", "mz"};
    tn_custom_motion motion = {.motion = data->motion, .context = data->motion_context};
    int8_t taken[6];
    tn_family_describe(data, type, own);
    motion.family.own.info.dof = own->info.dof;
    start_frame(&motion, taken);
    int32_t next = 0;
    for (int axis = 0; axis < 6; axis++) {
        if (taken[axis]) {
            own->rows[next++] = (tn_row_info){
                names[axis], TN_ROW_BILATERAL | (axis < 3 ? TN_ROW_LINEAR : TN_ROW_ROTARY), -1};
        }
    }
}

/* ---- rows --------------------------------------------------------------------------------- */

/* The unknowns of (1 + Q^T E) X = Q^T N. */
typedef struct tn_completion {
    int32_t n;
    tn_dual C[6][6]; /* the matrix, then the right-hand sides; X in these */
} tn_completion;

static void exchange_rows(tn_completion *c, int32_t i, int32_t j)
{
    for (int32_t k = 0; k < 6; k++) {
        const tn_dual other = c->C[i][k];
        c->C[i][k] = c->C[j][k];
        c->C[j][k] = other;
    }
}

/* Gauss's elimination; answers the smallest pivot. */
static double eliminate(tn_completion *c)
{
    double smallest = INFINITY;
    for (int32_t i = 0; i < c->n; i++) {
        int32_t pivot = i;
        for (int32_t j = i + 1; j < c->n; j++) {
            if (fabs(c->C[j][i].v) > fabs(c->C[pivot][i].v))
                pivot = j;
        }
        exchange_rows(c, i, pivot);
        smallest = fmin(smallest, fabs(c->C[i][i].v));
        for (int32_t j = 0; j < c->n; j++) {
            if (j == i)
                continue;
            const tn_dual factor = negative(dual_div(c->C[j][i], c->C[i][i]));
            for (int32_t k = i; k < 6; k++)
                c->C[j][k] = sum(c->C[j][k], dual_mul(factor, c->C[i][k]));
        }
    }
    for (int32_t i = 0; i < c->n; i++) {
        for (int32_t k = c->n; k < 6; k++)
            c->C[i][k] = dual_div(c->C[i][k], c->C[i][i]);
    }
    return smallest;
}

/* X with E of these signs; answers the smallest pivot. */
static double solve_with(const tn_custom_motion *motion, const tn_dual6 *Q, const double *sign,
                         tn_completion *c)
{
    c->n = motion->family.own.info.dof;
    for (int32_t j = 0; j < c->n; j++) {
        for (int32_t k = 0; k < 6; k++) {
            const double s = k < c->n ? sign[k] : 1.0;
            c->C[j][k] = dual_mul(dual(s, 0.0), dot6(&Q[j], &motion->start[k]));
        }
        c->C[j][j].v += 1.0;
    }
    return eliminate(c);
}

/* As they were at zero, else with one or all signs the other way. */
static void choose_signs(const tn_custom_motion *motion, const tn_dual6 *Q, double *sign,
                         tn_completion *c)
{
    const int32_t n = motion->family.own.info.dof;
    int32_t best = -1;
    for (int32_t i = 0; i < 6; i++)
        sign[i] = 1.0;
    double largest = solve_with(motion, Q, sign, c);
    if (largest >= TN_SMALL_PIVOT)
        return;
    for (int32_t flip = 0; flip <= n; flip++) {
        double other[6];
        for (int32_t i = 0; i < 6; i++)
            other[i] = i == flip || flip == n ? -1.0 : 1.0;
        const double pivot = solve_with(motion, Q, other, c);
        if (pivot > largest) {
            largest = pivot;
            best = flip;
        }
    }
    for (int32_t i = 0; i < 6; i++)
        sign[i] = i == best || best == n ? -1.0 : 1.0;
    solve_with(motion, Q, sign, c);
}

void tn_custom_motion_rows(const tn_pose_family *family, const double *q, const double *speeds,
                           tn_dual3 force[6], tn_dual3 moment[6])
{
    const tn_custom_motion *motion = (const tn_custom_motion *)family;
    const int32_t n = family->own.info.dof, bilateral = family->own.info.bilateral_count;
    tn_dual6 Q[6], rows[6];
    tn_dual R[6][6] = {{{0.0, 0.0}}};
    tn_completion c;
    double sign[6];
    frame_at(family, q, speeds, Q, R);
    choose_signs(motion, Q, sign, &c);
    for (int32_t k = 0; k < bilateral; k++) {
        rows[k] = motion->start[n + k];
        for (int32_t j = 0; j < n; j++) {
            const tn_dual6 a = axpy6(&Q[j], dual(sign[j], 0.0), &motion->start[j]);
            rows[k] = axpy6(&rows[k], negative(c.C[j][n + k]), &a);
        }
    }
    for (int32_t j = n - 1; j >= 0; j--) { /* W R^T = Q */
        tn_dual6 row = Q[j];
        for (int32_t k = j + 1; k < n; k++)
            row = axpy6(&row, negative(R[j][k]), &rows[bilateral + k]);
        const tn_dual share = dual_div(dual(1.0, 0.0), R[j][j]);
        rows[bilateral + j] = (tn_dual6){dual3_scale(share, row.f), dual3_scale(share, row.m)};
    }
    for (int k = 0; k < 6; k++) {
        force[k] = rows[k].f;
        moment[k] = rows[k].m;
    }
}
