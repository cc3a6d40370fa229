/* space_iterate.c: room method/linkage: Newton's iteration of hinges in space. See space.h.
 *
 * In: start and prediction of each body. Out: their end, or that there is none. Evaluations and corrections are those of
 * alpha_residual.c and hinge_terms.h, with moments and small turns in axes of the world.
 */
#include <math.h>
#include <string.h>

#include "joint/rotation_about_z.h"
#include "method/linkage/space.h"
#include "motion/closing/purge.h"

#define BLOCK (TN_SPACE_ROWS * TN_SPACE_STRIDE)

/* ---- an evaluation ---- */

/* Poses, and forces but those of hinges. */
TN_INLINE void move_bodies(const tn_alpha *c, tn_vec3 gravity, tn_space *space)
{
    for (int32_t k = 0; k < space->moving; k++) {
        tn_space_body *body = &space->bodies[k];
        const tn_vec3 w = v3_load(body->u + 3);
        const tn_vec3 asked = m3_mulv(&body->J, v3_load(body->udot + 3));
        body->x = v3_axpy(body->x_before, c->h, v3_load(body->dq));
        body->q = q_normalize(q_mul(body->q_before, q_exp(v3_scale(c->h, v3_load(body->dq + 3)))));
        body->R = q_to_m3(body->q);
        body->f = v3_scale(body->mass, v3_sub(gravity, v3_load(body->udot)));
        body->m = m3_mulv(&body->R, v3_sub(v3_cross(m3_mulv(&body->J, w), w), asked));
    }
}

/* Axes, arms and what the rows are off. */
TN_INLINE void place_hinge(tn_space_hinge *hinge, const tn_space_body *a, const tn_space_body *b)
{
    const tn_vec3 z = m3_mulv(&b->R, hinge->z_b), x_C = m3_mulv(&a->R, hinge->x_a);
    const tn_vec3 x = v3_axpy(x_C, -v3_dot(x_C, z), z), y = v3_cross(z, x);
    const tn_vec3 tilt = tn_tilt(z, m3_mulv(&a->R, hinge->z_a));
    hinge->arm_b = m3_mulv(&b->R, hinge->at_b);
    hinge->arm_a = v3_add(v3_sub(b->x, a->x), hinge->arm_b);
    const tn_vec3 apart = v3_sub(m3_mulv(&a->R, hinge->at_a), hinge->arm_a);
    hinge->axes[0] = x;
    hinge->axes[1] = y;
    hinge->axes[2] = z;
    v3_store(hinge->error, v3(v3_dot(x, apart), v3_dot(y, apart), v3_dot(z, apart)));
    hinge->error[3] = v3_dot(x, tilt);
    hinge->error[4] = v3_dot(y, tilt);
}

TN_INLINE void push(tn_space_body *body, double sign, tn_vec3 arm, tn_vec3 force, tn_vec3 moment)
{
    body->f = v3_axpy(body->f, sign, force);
    body->m = v3_axpy(body->m, sign, v3_add(moment, v3_cross(arm, force)));
}

TN_INLINE void push_both(tn_space *space, const tn_space_hinge *hinge)
{
    push(&space->bodies[hinge->a], 1.0, hinge->arm_a, hinge->force, hinge->moment);
    push(&space->bodies[hinge->b], -1.0, hinge->arm_b, hinge->force, hinge->moment);
}

/* Minus the symmetric part of F c^T - (c . F) 1. */
TN_INLINE void stiffen(tn_space_body *body, double sign, tn_vec3 F, tn_vec3 arm)
{
    const tn_vec3 c = v3_scale(sign, arm);
    body->S[0] += F.y * c.y + F.z * c.z;
    body->S[1] += F.x * c.x + F.z * c.z;
    body->S[2] += F.x * c.x + F.y * c.y;
    body->S[3] -= 0.5 * (F.x * c.y + F.y * c.x);
    body->S[4] -= 0.5 * (F.x * c.z + F.z * c.x);
    body->S[5] -= 0.5 * (F.y * c.z + F.z * c.y);
}

/* A wrench of multipliers, by axes. */
TN_INLINE void add_wrench(tn_space_hinge *hinge, const tn_vec3 *axes, double scale, const double *y)
{
    for (int n = 0; n < 3; n++)
        hinge->force = v3_axpy(hinge->force, scale * y[n], axes[n]);
    for (int n = 0; n < 2; n++)
        hinge->moment = v3_axpy(hinge->moment, scale * y[3 + n], axes[n]);
}

/* Those of the prediction, with the multipliers going on as they did. */
TN_INLINE void predict_hinges(const tn_sim *sim, const tn_alpha *c, tn_space *space)
{
    const double *rates = tn_alpha_remembers(sim->model, &sim->state).lambda_rate;
    for (int32_t k = 0; k < space->moving; k++)
        memset(space->bodies[k].S, 0, sizeof space->bodies[k].S);
    for (int32_t k = 0; k < space->hinge_count; k++) {
        tn_space_hinge *hinge = &space->hinges[k];
        tn_space_body *a = &space->bodies[hinge->a], *b = &space->bodies[hinge->b];
        const double *before = sim->state.lambda + (size_t)hinge->joint * TN_MAX_ROWS;
        const double *rate = rates + (size_t)hinge->joint * TN_MAX_ROWS;
        double lambda[TN_SPACE_ROWS];
        for (int n = 0; n < TN_SPACE_ROWS; n++)
            lambda[n] = before[n] + c->h * rate[n];
        place_hinge(hinge, a, b);
        hinge->force = hinge->moment = v3(0.0, 0.0, 0.0);
        add_wrench(hinge, hinge->axes, 1.0, lambda);
        stiffen(a, 1.0, hinge->force, hinge->arm_a);
        stiffen(b, -1.0, hinge->force, hinge->arm_b);
        push_both(space, hinge);
    }
}

/* Those after a correction of their wrenches; what of a moment no row carries any more is taken out of it. */
TN_INLINE void correct_hinges(const tn_alpha *c, tn_space *space)
{
    for (int32_t k = 0; k < space->hinge_count; k++) {
        tn_space_hinge *hinge = &space->hinges[k];
        add_wrench(hinge, hinge->axes, c->beta_prime, space->y + TN_SPACE_STRIDE * k);
        place_hinge(hinge, &space->bodies[hinge->a], &space->bodies[hinge->b]);
        hinge->moment =
            v3_axpy(hinge->moment, -v3_dot(hinge->axes[2], hinge->moment), hinge->axes[2]);
        push_both(space, hinge);
    }
}

TN_INLINE tn_v2 size_of(double a, double b)
{
    return tn_v2_abs((tn_v2){a, b});
}

/* As tn_alpha_residual.all; NaN if anything is not finite. Forces become the right-hand side. */
TN_INLINE double measure(const tn_alpha *c, tn_space *space)
{
    const double by_beta = 1.0 / c->beta_prime;
    tn_sizes sizes = TN_NO_SIZES;
    for (int32_t k = 0; k < space->moving; k++) {
        tn_space_body *body = &space->bodies[k];
        body->f = v3_scale(by_beta, body->f);
        body->m = v3_scale(by_beta, body->m);
        const tn_vec3 m = m3_tmulv(&body->R, body->m), f = v3_scale(body->by_own, body->f);
        tn_sizes_note(&sizes, 0, size_of(f.x, f.y));
        tn_sizes_note(&sizes, 1, size_of(f.z, m.x * body->by_inertia.x));
        tn_sizes_note(&sizes, 0, size_of(m.y * body->by_inertia.y, m.z * body->by_inertia.z));
    }
    for (int32_t k = 0; k < space->hinge_count; k++) {
        const double *error = space->hinges[k].error;
        for (int n = 0; n < TN_SPACE_STRIDE; n += 2)
            tn_sizes_note(&sizes, 0, tn_v2_abs(tn_v2_load(error + n)));
    }
    return tn_sizes_largest(&sizes);
}

/* ---- the matrix ---- */

/* Of a symmetric matrix, by its minors: its inverse; false: it is not positive definite. */
TN_INLINE bool invert(const double *H, tn_mat3 *W)
{
    const double xx = H[1] * H[2] - H[5] * H[5], xy = H[4] * H[5] - H[3] * H[2];
    const double xz = H[3] * H[5] - H[4] * H[1], yy = H[0] * H[2] - H[4] * H[4];
    const double zz = H[0] * H[1] - H[3] * H[3], yz = H[3] * H[4] - H[0] * H[5];
    const double det = H[0] * xx + H[3] * xy + H[4] * xz, by = 1.0 / det;
    *W = (tn_mat3){
        {{by * xx, by * xy, by * xz}, {by * xy, by * yy, by * yz}, {by * xz, by * yz, by * zz}}};
    return H[0] > 0.0 && zz > 0.0 && det > 0.0;
}

/* (J + S)^-1, S counting where it leaves half of the inertia, as in tn_body_fill. */
TN_INLINE bool invert_mass(const tn_alpha *c, tn_space_body *body)
{
    const tn_mat3 RJ = m3_mul(&body->R, &body->J);
    const tn_vec3 x = m3_mulv(&body->R, v3_load(RJ.m[0])), y = m3_mulv(&body->R, v3_load(RJ.m[1])),
                  z = m3_mulv(&body->R, v3_load(RJ.m[2]));
    const double J[6] = {x.x, y.y, z.z, x.y, x.z, y.z}, by_beta = 1.0 / c->beta_prime;
    double half[6], all[6];
    for (int n = 0; n < 6; n++) {
        half[n] = 0.5 * J[n] + by_beta * body->S[n];
        all[n] = J[n] + by_beta * body->S[n];
    }
    return (invert(half, &body->W) && invert(all, &body->W)) || invert(J, &body->W);
}

/* P of an arm r, of rows that are forces r x X, and Q. */
TN_INLINE void put_side(const tn_space_hinge *hinge, const tn_space_body *body, tn_vec3 r,
                        tn_space_side *side)
{
    const double *x = hinge->rows[0], *y = hinge->rows[1], *z = hinge->rows[2];
    TN_LANE_LOOP(TN_SPACE_STRIDE, {
        const lane X = TN_CONST_LANE(x + at), Y = TN_CONST_LANE(y + at), Z = TN_CONST_LANE(z + at);
        TN_LANE(side->P[0] + at) = r.y * Z - r.z * Y;
        TN_LANE(side->P[1] + at) = r.z * X - r.x * Z;
        TN_LANE(side->P[2] + at) = r.x * Y - r.y * X;
    })
    for (int n = 0; n < 2; n++) {
        side->P[0][3 + n] = hinge->X[n].x;
        side->P[1][3 + n] = hinge->X[n].y;
        side->P[2][3 + n] = hinge->X[n].z;
    }
    TN_UNROLL
    for (int i = 0; i < 3; i++) {
        const double *W = body->W.m[i];
        TN_LANE_LOOP(TN_SPACE_STRIDE, {
            TN_LANE(side->Q[i] + at) =
                (W[0] * TN_CONST_LANE(side->P[0] + at) + W[1] * TN_CONST_LANE(side->P[1] + at)) +
                W[2] * TN_CONST_LANE(side->P[2] + at);
        })
    }
}

/* += three numbers, the n-th of rows of them, by rows of as many vectors. */
TN_INLINE void add_row(double *row, double sign, double by[3][TN_SPACE_STRIDE], int n,
                       double rows[3][TN_SPACE_STRIDE])
{
    const double x = sign * by[0][n], y = sign * by[1][n], z = sign * by[2][n];
    TN_LANE_LOOP(TN_SPACE_STRIDE, {
        TN_LANE(row + at) += (x * TN_CONST_LANE(rows[0] + at) + y * TN_CONST_LANE(rows[1] + at)) +
                             z * TN_CONST_LANE(rows[2] + at);
    })
}

TN_INLINE void keep_pose(tn_space_hinge *hinge)
{
    memcpy(hinge->X, hinge->axes, sizeof hinge->X);
    hinge->r_a = hinge->arm_a;
    hinge->r_b = hinge->arm_b;
    for (int n = 0; n < 3; n++) {
        hinge->rows[0][n] = hinge->X[n].x;
        hinge->rows[1][n] = hinge->X[n].y;
        hinge->rows[2][n] = hinge->X[n].z;
    }
}

TN_INLINE void fill_hinge(tn_space *space, double epsilon, int32_t k)
{
    tn_space_hinge *hinge = &space->hinges[k];
    const tn_space_body *a = &space->bodies[hinge->a], *b = &space->bodies[hinge->b];
    const double by_own = a->by_own + b->by_own;
    double *block = space->matrix.diagonal + BLOCK * k;
    keep_pose(hinge);
    memset(block, 0, sizeof(double) * BLOCK);
    if (a->by_own > 0.0)
        put_side(hinge, a, hinge->r_a, &hinge->side_a);
    if (b->by_own > 0.0)
        put_side(hinge, b, hinge->r_b, &hinge->side_b);
    TN_UNROLL
    for (int i = 0; i < TN_SPACE_ROWS; i++) {
        double *row = block + TN_SPACE_STRIDE * i;
        add_row(row, 1.0, hinge->side_a.P, i, hinge->side_a.Q);
        add_row(row, 1.0, hinge->side_b.P, i, hinge->side_b.Q);
        row[i] += (i < 3 ? by_own : 0.0) + epsilon * hinge->e[i];
    }
}

TN_INLINE void fill_pair(tn_space *space, const tn_pair *pair)
{
    tn_space_hinge *one = &space->hinges[pair->first], *other = &space->hinges[pair->second];
    const bool on_a = one->a == pair->bar, on_other_a = other->a == pair->bar;
    tn_space_side *side = on_a ? &one->side_a : &one->side_b,
                  *of = on_other_a ? &other->side_a : &other->side_b;
    const double sign = on_a == on_other_a ? 1.0 : -1.0;
    double *block = space->matrix.block + BLOCK * pair->block;
    TN_UNROLL
    for (int i = 0; i < TN_SPACE_ROWS; i++) {
        double *row = block + TN_SPACE_STRIDE * i;
        add_row(row, sign, side->P, i, of->Q);
        if (i < 3)
            add_row(row, sign * space->bodies[pair->bar].by_own, one->rows, i, other->rows);
    }
}

/* G H^-1 G^T + E. */
TN_INLINE bool factor(const tn_sim *sim, const tn_alpha *c, tn_space *space, tn_step_report *report)
{
    tn_spd *K = &space->matrix;
    const double epsilon = tn_loop_epsilon(&sim->state);
    bool good = true;
    for (int32_t k = 0; k < space->moving; k++)
        good &= invert_mass(c, &space->bodies[k]);
    memset(K->block, 0, sizeof(double) * BLOCK * (size_t)K->start[K->n]);
    for (int32_t k = 0; k < space->hinge_count; k++)
        fill_hinge(space, epsilon, k);
    for (int32_t p = 0; p < space->pairs.count; p++)
        fill_pair(space, &space->pairs.pairs[p]);
    const double pivot = spd_factor(K, TN_SPACE_ROWS);
    report->factorizations++;
    report->smallest_pivot = fmin(report->smallest_pivot, pivot);
    return good && pivot > 0.0;
}

/* ---- a correction ---- */

TN_INLINE void fall_freely(tn_space *space)
{
    for (int32_t k = 0; k < space->moving; k++) {
        tn_space_body *body = &space->bodies[k];
        body->dv = v3_scale(body->by_own, body->f);
        body->dw = m3_mulv(&body->W, body->m);
    }
}

/* What is left for the multipliers to close. */
TN_INLINE void ask_hinge(const tn_space *space, const tn_space_hinge *hinge, double *y)
{
    const tn_space_body *a = &space->bodies[hinge->a], *b = &space->bodies[hinge->b];
    const tn_vec3 turn = v3_sub(b->dw, a->dw);
    const tn_vec3 way = v3_sub(v3_add(b->dv, v3_cross(b->dw, hinge->r_b)),
                               v3_add(a->dv, v3_cross(a->dw, hinge->r_a)));
    for (int n = 0; n < 3; n++)
        y[n] = v3_dot(hinge->X[n], way) - hinge->error[n];
    for (int n = 0; n < 2; n++)
        y[3 + n] = v3_dot(hinge->X[n], turn) - hinge->error[3 + n];
    y[TN_SPACE_ROWS] = 0.0;
}

/* G^T y. */
TN_INLINE void push_rows(tn_space *space, const tn_space_hinge *hinge, const double *y)
{
    tn_vec3 force = v3_scale(y[0], hinge->X[0]), moment = v3_scale(y[3], hinge->X[0]);
    force = v3_axpy(v3_axpy(force, y[1], hinge->X[1]), y[2], hinge->X[2]);
    moment = v3_axpy(moment, y[4], hinge->X[1]);
    push(&space->bodies[hinge->a], 1.0, hinge->r_a, force, moment);
    push(&space->bodies[hinge->b], -1.0, hinge->r_b, force, moment);
}

TN_INLINE void correct_bodies(const tn_alpha *c, tn_space *space)
{
    const double by_h = 1.0 / c->h;
    fall_freely(space);
    for (int32_t k = 0; k < space->moving; k++) {
        tn_space_body *body = &space->bodies[k];
        double d[6];
        v3_store(d, body->dv);
        v3_store(d + 3, m3_tmulv(&body->R, body->dw));
        for (int n = 0; n < 6; n++) {
            body->dq[n] += by_h * d[n];
            body->u[n] += c->gamma_prime * d[n];
            body->udot[n] += c->beta_prime * d[n];
        }
    }
}

TN_INLINE void solve(const tn_alpha *c, tn_space *space)
{
    fall_freely(space);
    for (int32_t k = 0; k < space->hinge_count; k++)
        ask_hinge(space, &space->hinges[k], space->y + TN_SPACE_STRIDE * k);
    spd_solve(&space->matrix, space->y, TN_SPACE_ROWS);
    for (int32_t k = 0; k < space->hinge_count; k++)
        push_rows(space, &space->hinges[k], space->y + TN_SPACE_STRIDE * k);
    correct_bodies(c, space);
}

TN_INLINE bool iterate(const tn_sim *sim, const tn_alpha *c, tn_space *space,
                       tn_step_report *report)
{
    const double enough = fmax(sim->options.position_tolerance, c->round_off);
    move_bodies(c, sim->model->gravity, space);
    predict_hinges(sim, c, space);
    double before = measure(c, space);
    if (isnan(before) || !factor(sim, c, space, report))
        return false;
    for (int32_t left = sim->options.max_iterations - 1; left >= 0; left--) {
        report->iterations++;
        report->solves++;
        solve(c, space);
        move_bodies(c, sim->model->gravity, space);
        correct_hinges(c, space);
        const double now = measure(c, space);
        if (now <= enough)
            return true;
        if (isnan(now) || tn_alpha_is_stale(now, before, enough, left))
            return false;
        before = now;
    }
    return false;
}

static bool iterate_narrow(const tn_sim *sim, const tn_alpha *c, tn_space *space,
                           tn_step_report *report)
{
    return iterate(sim, c, space, report);
}

TN_WIDE static bool iterate_wide(const tn_sim *sim, const tn_alpha *c, tn_space *space,
                                 tn_step_report *report)
{
    return iterate(sim, c, space, report);
}

bool tn_space_iterate(const tn_sim *sim, const tn_alpha *c, tn_space *space, tn_step_report *report)
{
    return TN_WIDE_COPIES && space->wide ? iterate_wide(sim, c, space, report)
                                         : iterate_narrow(sim, c, space, report);
}
