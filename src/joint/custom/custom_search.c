/* custom_search.c: room joint/custom: nearest legal pose of a custom joint (custom_search.h).
 *
 * Newton's method on F(q) with step halving. With the twists (v_j, w_j) of the coordinates in D,
 * d = p_C - p, M = R_C R^T and e its skew part, sin(angle) times the axis,
 *     F = |d|^2 / 2 + (3 - tr M) / 2,     dF/dq_j = -(d . v_j + e . w_j),
 *     F_jk = v_j . v_k + (tr M  w_j . w_k - w_j . S w_k) / 2 - d . v_jk - e . w_jk,
 * S the symmetric part of M, v_jk and w_jk the derivatives of the twists (symmetrised). Close to
 * the minimum the terms with d and e do not matter: they are left out, which saves evaluations.
 * Where the second derivative is not positive, it is raised until it is: steps always lead
 * downhill.
 */
#include "joint/custom/custom_search.h"
#include "joint/row_vectors.h"

#include <float.h>
#include <string.h>

#define TN_SEARCH_PASSES 100

/* Longest step relative to the coordinates: branches nearer than this are not left. */
#define TN_SEARCH_REACH 0.2

/* A step of this share of the coordinates is the last one; it is quadratically converged. */
#define TN_SEARCH_STEP (4.0 * DBL_EPSILON)

/* Distances squared below this let the second derivatives of the twists be left out. */
#define TN_SEARCH_NEAR 1e-8

/* Steps below this are not checked for descent, which round-off hides. */
#define TN_SEARCH_BLIND 1e-6

/* m^2: a start with 2 F below this is near. The minimum it leads to is the one meant: bodies do not
 * leave their branch in a step, however far a soft joint is off its own, and the pose found is
 * found again. */
#define TN_SEARCH_NEAR_START 1e-2

/* m^2: 2 F that cannot be bettered. */
#define TN_SEARCH_EXACT 1e-16

/* How many other starts are tried. */
#define TN_SEARCH_STARTS 7

typedef struct tn_search {
    const tn_pose_family *family;
    const tn_xform *T_CD;
    tn_family_point at;
    tn_vec3 d, e; /* see above */
    double value; /* F */
    tn_mat3 M;
} tn_search;

static void visit(tn_search *s, const double *q)
{
    s->family->at(s->family, q, NULL, &s->at);
    const tn_mat3 Rt = m3_transpose(&s->at.T_GD.R);
    s->M = m3_mul(&s->T_CD->R, &Rt);
    const double(*m)[3] = s->M.m;
    s->e = v3(0.5 * (m[2][1] - m[1][2]), 0.5 * (m[0][2] - m[2][0]), 0.5 * (m[1][0] - m[0][1]));
    s->d = v3_sub(s->T_CD->p, s->at.T_GD.p);
    /* 1 - cos = |R_C - R|^2 / 4: no cancellation */
    double sum = 0.0;
    for (int i = 0; i < 9; i++) {
        const double difference = s->T_CD->R.m[i / 3][i % 3] - s->at.T_GD.R.m[i / 3][i % 3];
        sum += difference * difference;
    }
    s->value = 0.5 * v3_dot(s->d, s->d) + 0.25 * sum;
}

/* Adds -d . v_jk - e . w_jk, taken along one coordinate after the other. */
static void add_curvature(const tn_search *s, const double *q, double H[6][6])
{
    const int32_t n = s->family->own.info.coordinate_count;
    for (int32_t k = 0; k < n; k++) {
        double speeds[TN_MAX_COORDINATES] = {0.0};
        speeds[k] = 1.0;
        tn_family_point along;
        s->family->at(s->family, q, speeds, &along);
        for (int32_t j = 0; j < n; j++) {
            const double bend = 0.5 * (v3_dot(s->d, along.v[j].d) + v3_dot(s->e, along.w[j].d));
            H[j][k] -= bend;
            H[k][j] -= bend;
        }
    }
}

/* gradient[j] = -dF/dq_j and the second derivatives. */
static void expand(const tn_search *s, const double *q, double gradient[6], double H[6][6])
{
    const int32_t n = s->family->own.info.coordinate_count;
    const double trace = s->M.m[0][0] + s->M.m[1][1] + s->M.m[2][2];
    const tn_dual3 *v = s->at.v, *w = s->at.w;
    for (int32_t j = 0; j < n; j++)
        gradient[j] = v3_dot(s->d, v[j].v) + v3_dot(s->e, w[j].v);
    for (int32_t j = 0; j < n; j++) {
        const tn_vec3 Mw = m3_mulv(&s->M, w[j].v), Mtw = m3_tmulv(&s->M, w[j].v);
        for (int32_t k = 0; k < n; k++) {
            H[j][k] = v3_dot(v[j].v, v[k].v) + 0.5 * trace * v3_dot(w[j].v, w[k].v) -
                      0.25 * (v3_dot(Mw, w[k].v) + v3_dot(Mtw, w[k].v));
        }
    }
    if (2.0 * s->value > TN_SEARCH_NEAR)
        add_curvature(s, q, H);
}

/* x = (H + raise I)^-1 b by Cholesky's method; 0 if that is not positive. */
static int solve_raised(double H[6][6], int32_t n, double raise, const double *b, double *x)
{
    double L[6][6] = {{0.0}};
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j <= i; j++) {
            double sum = H[i][j] + (i == j ? raise : 0.0);
            for (int32_t k = 0; k < j; k++)
                sum -= L[i][k] * L[j][k];
            if (i == j && !(sum > 1e-14 * fabs(H[i][i])))
                return 0;
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
    }
    for (int32_t i = 0; i < n; i++) {
        x[i] = b[i];
        for (int32_t k = 0; k < i; k++)
            x[i] -= L[i][k] * x[k];
        x[i] /= L[i][i];
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        for (int32_t k = i + 1; k < n; k++)
            x[i] -= L[k][i] * x[k];
        x[i] /= L[i][i];
    }
    return 1;
}

/* A downhill step; 0 where nothing moves at all. */
static int find_step(double H[6][6], int32_t n, const double *gradient, double *step)
{
    double largest = 0.0;
    for (int32_t i = 0; i < n; i++) {
        for (int32_t k = 0; k < n; k++)
            largest = fmax(largest, fabs(H[i][k]));
    }
    for (double raise = 0.0; largest > 0.0 && raise <= 1e4 * largest;
         raise = fmax(1e-6 * largest, 10.0 * raise)) {
        if (solve_raised(H, n, raise, gradient, step))
            return 1;
    }
    return 0;
}

/* Goes along the step as far as F falls. Answers the largest change relative to the coordinates. */
static double descend(tn_search *s, double *q, const double *step)
{
    const int32_t n = s->family->own.info.coordinate_count;
    const double before = s->value;
    double size = 0.0, share = 1.0, next[TN_MAX_COORDINATES];
    for (int32_t i = 0; i < n; i++)
        size = fmax(size, fabs(step[i]) / (1.0 + fabs(q[i])));
    share = size > TN_SEARCH_REACH ? TN_SEARCH_REACH / size : 1.0;
    for (int halving = 0; halving < 30; halving++, share *= 0.5) {
        for (int32_t i = 0; i < n; i++)
            next[i] = q[i] + share * step[i];
        visit(s, next);
        if (s->value <= before || share * size < TN_SEARCH_BLIND)
            break;
    }
    memcpy(q, next, sizeof(double) * (size_t)n);
    return share * size;
}

static int search_from(tn_search *s, double *q)
{
    visit(s, q);
    for (int pass = 0; pass < TN_SEARCH_PASSES; pass++) {
        double gradient[6], H[6][6] = {{0.0}}, step[6] = {0.0};
        expand(s, q, gradient, H);
        if (!find_step(H, s->family->own.info.coordinate_count, gradient, step))
            return 0;
        if (descend(s, q, step) <= TN_SEARCH_STEP)
            return 1;
    }
    return 0;
}

int tn_custom_search(const tn_pose_family *family, const tn_xform *T_CD, tn_search_for what,
                     double *q)
{
    const tn_joint_type_info *info = &family->own.info;
    const size_t size = sizeof(double) * (size_t)info->coordinate_count;
    tn_search s = {.family = family, .T_CD = T_CD};
    double start[TN_MAX_COORDINATES];
    memcpy(start, q, size);
    visit(&s, start);
    const int near = what == TN_SEARCH_ANYWHERE && 2.0 * s.value <= TN_SEARCH_NEAR_START;
    int found = search_from(&s, q);
    double best = s.value;
    for (int k = 1; k <= TN_SEARCH_STARTS && !near && 2.0 * best > TN_SEARCH_EXACT; k++) {
        double other[TN_MAX_COORDINATES];
        const int turn = k % 2 ? (k + 1) / 2 : -k / 2; /* nearest first */
        for (int32_t i = 0; i < info->coordinate_count; i++)
            other[i] = start[i] + turn * 2.0 * TN_PI / (TN_SEARCH_STARTS + 1);
        const int also = search_from(&s, other);
        if (s.value < best) {
            best = s.value;
            found = also;
            memcpy(q, other, size);
        }
    }
    return found;
}

/* What the nearest pose keeps, dF/dq_j = 0, changes where C moves with v and w (of G's origin) by
 *     H q' = v_j . (v + w x d) + w_j . (tr M - M) w / 2 */
int tn_custom_search_rates(const tn_pose_family *family, const tn_xform *T_CD, const double *q,
                           double D[TN_MAX_ROWS][6])
{
    const int32_t n = family->own.info.coordinate_count;
    tn_search s = {.family = family, .T_CD = T_CD};
    double gradient[6], H[6][6] = {{0.0}}, column[6] = {0.0}, solved[6];
    visit(&s, q);
    expand(&s, q, gradient, H);
    if (2.0 * s.value <= TN_SEARCH_NEAR)
        add_curvature(&s, q, H);
    const double trace = s.M.m[0][0] + s.M.m[1][1] + s.M.m[2][2];
    for (int32_t j = 0; j < n; j++) {
        const tn_vec3 v = s.at.v[j].v, w = s.at.w[j].v;
        const tn_vec3 turn = v3_scale(0.5, v3_axpy(m3_tmulv(&s.M, w), -trace, w));
        tn_row_set(D[j], m3_tmulv(&s.at.T_GD.R, v),
                   m3_tmulv(&s.at.T_GD.R, v3_sub(v3_cross(s.d, v), turn)));
    }
    for (int k = 0; k < 6; k++) {
        for (int32_t j = 0; j < n; j++)
            column[j] = D[j][k];
        if (!solve_raised(H, n, 0.0, column, solved))
            return 0;
        for (int32_t j = 0; j < n; j++)
            D[j][k] = solved[j];
    }
    return 1;
}
