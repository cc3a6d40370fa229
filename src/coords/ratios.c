/* ratios.c: room coords: how everything moves per unit speed of one coordinate.
 *
 *     G u = e        e: 1 on the row of the coordinate, 0 on all others
 *     G a = -gamma   gamma = (dG/dt) u; the coordinate's own second derivative is 0
 * of least size in the mass metric where the coordinate leaves freedom. The rows are those of all
 * enabled joints, and the motion rows of joints outside the coordinate's block: what hangs on the
 * loop is carried along rigidly. A driven coordinate that is locked is driven. A coordinate's speed
 * is its motion row's, W . twist, and its second derivative W . a + gamma of that row. At a dead
 * point of the driven coordinate there is no such motion, which shows in its own speed.
 */
#include <math.h>
#include <string.h>

#include "assemble/elements.h"
#include "coords/coords.h"

/* The same where it is known to first order only: of the direction of the last step, which is that
 * of its end so far; and of the rows of loops with gaps, which are met to about the gap relative to
 * the size, at most some 1e-3 for a mechanism that still moves as one without. Branches that cross
 * are apart by about 1. */
#define TN_ROUGHLY 5e-2

void tn_coords_carry_others(tn_coords *c, const int8_t *moved)
{
    int8_t *busy = c->moves; /* per body, so per leader but ground: ground leads no block */
    memset(busy, 0, (size_t)c->model->body_count);
    for (int32_t j = 0; j < c->model->element_count; j++) {
        if (moved[j] && c->tree.block[j] >= 0 && c->tree.joint_count[c->tree.block[j]] > 1)
            busy[c->tree.block[j]] = 1;
    }
    for (int32_t j = 0; j < c->model->element_count; j++) {
        const int moves = c->tree.block[j] >= 0 && busy[c->tree.block[j]];
        const int link = j < c->model->joint_count && c->tree.link[j] && !moved[j];
        c->carried[j] = (int8_t)(j < c->model->joint_count && c->in[j] && (!moves || link));
    }
    for (int32_t i = 0; i < c->model->body_count; i++)
        c->moves[i] = c->model->bodies[i].dim > 0;
}

/* W . twist of every motion row with a coordinate; plus gamma of the motion u unless NULL. */
static void read_speeds(const tn_coords *c, const double *v, const double *u, double *out)
{
    memset(out, 0, sizeof(double) * TN_MAX_COORDINATES * (size_t)c->model->element_count);
    for (int32_t j = 0; j < c->model->element_count; j++, out += TN_MAX_COORDINATES) {
        const tn_row_list rows = tn_motion_rows(&c->model->joints[j]);
        double gamma[TN_MAX_ROWS] = {0.0};
        if (!c->in[j])
            continue;
        tn_element_ops_of(c->sys, j)->speeds(c->sys, j, v, rows, out);
        if (u)
            tn_element_ops_of(c->sys, j)->accelerations(c->sys, j, u, gamma);
        for (int32_t n = 0; n < rows.count; n++)
            out[n] += gamma[rows.row[n]];
    }
}

/* The direction in which the driven coordinate came here, at its unit speed, into tangent; 0: it is
 * not known, or does not satisfy the rows. */
static int take_direction(tn_coords *c, int64_t slot, int32_t at)
{
    if (!c->has_last || c->last_key != tn_coords_key(TN_COORDS_NO_KEY, at) ||
        !tn_coords_is_pose(c, TN_POSE_END))
        return 0;
    tn_assemble_speeds(c->sys, c->state, c->last, c->lambda);
    const double speed = c->lambda[slot], size = tn_coords_norm(c, c->last);
    for (int32_t j = 0; j < c->model->element_count; j++) {
        for (int32_t n = 0; n < c->state->switches[j].active_count; n++) {
            const int64_t k = c->sys->layout->y_offset[j] + n;
            if (k != slot &&
                !(fabs(c->lambda[k]) <= TN_ROUGHLY * sqrt(c->sys->values->a[k]) * size))
                return 0;
        }
    }
    for (int64_t k = 0; speed != 0.0 && k < c->sys->layout->u_size; k++)
        c->tangent[k] = c->last[k] / speed;
    return speed != 0.0;
}

/* r . gamma(u0 + alpha z): u0 in pull, z in tangent, r in phi. */
static double bend(tn_coords *c, double alpha)
{
    double sum = 0.0;
    for (int64_t k = 0; k < c->sys->layout->u_size; k++)
        c->state->u[k] = c->pull[k] + alpha * c->tangent[k];
    memset(c->lambda, 0, sizeof(double) * (size_t)c->sys->layout->y_size);
    tn_assemble_gamma(c->sys, c->state, c->state->u, c->lambda);
    for (int64_t k = 0; k < c->sys->layout->y_size; k++)
        sum += c->sys->phi[k] * c->lambda[k];
    return sum;
}

/* The root next to 1 of the parabola through bend at -1, 0, 1, if it is nearer to the direction the
 * mechanism came from than to the least motion, at 0; else 1. */
static double branch_share(tn_coords *c)
{
    const double low = bend(c, -1.0), middle = bend(c, 0.0), high = bend(c, 1.0);
    const double p = 0.5 * (high - low), q = 0.5 * (high + low) - middle;
    /* at 1 + s: high + slope s + q s^2 = 0, the smaller s without cancellation */
    const double slope = p + 2.0 * q, square = slope * slope - 4.0 * q * high;
    const double s = -2.0 * high / (slope + copysign(sqrt(fmax(square, 0.0)), slope));
    return square >= 0.0 && fabs(s) < 0.5 ? 1.0 + s : 1.0;
}

static double largest(const double *v, int64_t count)
{
    double most = 0.0;
    for (int64_t k = 0; k < count; k++)
        most = fmax(most, fabs(v[k]));
    return most;
}

/* r at the motion u0 + z / 2 into phi, where the branches do not go; *share: of gamma. What the
 * solve leaves is E r, its regularisation being E ~ A. */
static tn_status find_unbalanced(tn_coords *c, double *share)
{
    const int64_t rows = c->sys->layout->y_size;
    memset(c->sys->phi, 0, sizeof(double) * (size_t)rows);
    memset(c->sys->f, 0, sizeof(double) * (size_t)c->sys->layout->u_size);
    bend(c, 0.5);
    for (int64_t k = 0; k < rows; k++)
        c->sys->g[k] = -c->lambda[k];
    const tn_status status = tn_coords_solve(c);
    tn_kkt_apply_g(c->model->kkt, c->sys->values, c->sys->du, c->sys->phi);
    for (int64_t k = 0; k < rows; k++)
        c->sys->phi[k] -= c->sys->g[k];
    *share = largest(c->sys->phi, rows) / fmax(largest(c->sys->g, rows), 1e-300);
    for (int32_t j = 0; j < c->model->element_count; j++) {
        for (int32_t n = 0; n < c->state->switches[j].active_count; n++) {
            const int64_t k = c->sys->layout->y_offset[j] + n;
            c->sys->phi[k] /= c->sys->values->a[k];
        }
    }
    return status;
}

/* Where branches cross, as in a flat parallelogram, motions of both satisfy G u = e, and the least,
 * u0, is of neither. Let u0 + z be the one nearest to the direction in which the mechanism came,
 * M u + G^T y = M tangent. Of u0 + alpha z the branches are those along which the rows can be kept
 * to second order: gamma has no part r that G a cannot balance, r . gamma(u0 + alpha z) = 0, a
 * parabola in alpha. Mere freedom leaves gamma no such part. */
static tn_status follow_branch(tn_coords *c, int64_t slot, int *crossing)
{
    const double apart = tn_gap_is_on(c->state) ? TN_ROUGHLY : TN_SAME_MOTION;
    const size_t bytes = sizeof(double) * (size_t)c->sys->layout->u_size;
    double share = 0.0;
    memcpy(c->pull, c->sys->du, bytes);
    tn_assemble_momentum(c->sys, c->tangent, c->sys->f);
    tn_status status = tn_coords_solve(c);
    for (int64_t k = 0; k < c->sys->layout->u_size; k++)
        c->tangent[k] = c->sys->du[k] - c->pull[k];
    *crossing = tn_coords_norm(c, c->tangent) > apart * tn_coords_norm(c, c->pull);
    if (status == TN_OK && *crossing)
        status = find_unbalanced(c, &share);
    *crossing = *crossing && share > apart;
    bend(c, *crossing ? branch_share(c) : 0.0); /* leaves the motion in u */
    memcpy(c->sys->du, c->state->u, bytes);
    memset(c->sys->f, 0, bytes);
    memset(c->sys->g, 0, sizeof(double) * (size_t)c->sys->layout->y_size);
    c->sys->g[slot] = 1.0;
    return status;
}

static tn_status solve_ratios(tn_coords *c, int64_t slot, int32_t at)
{
    tn_status status = tn_coords_factor(c, 0.0);
    if (status != TN_OK)
        return status;
    c->sys->g[slot] = 1.0;
    status = tn_coords_solve(c);
    int crossing = 0;
    if (status == TN_OK && take_direction(c, slot, at))
        status = follow_branch(c, slot, &crossing);
    if (status != TN_OK)
        return status;
    const size_t bytes = sizeof(double) * (size_t)c->sys->layout->u_size;
    memcpy(c->state->u, c->sys->du, bytes);
    read_speeds(c, c->state->u, NULL, c->rate);
    if (!(fabs(c->rate[at] - 1.0) <= TN_SAME_MOTION))
        return TN_ERROR_SINGULAR;
    tn_assemble_gamma(c->sys, c->state, c->state->u, c->sys->g);
    for (int64_t k = 0; k < c->sys->layout->y_size; k++)
        c->sys->g[k] = -c->sys->g[k];
    tn_coords_keep_in_reach(c);
    status = tn_coords_solve(c);
    if (status == TN_OK)
        read_speeds(c, c->sys->du, c->state->u, c->second);
    for (int32_t k = 0; crossing && k < c->model->element_count * TN_MAX_COORDINATES; k++)
        c->second[k] = (double)NAN; /* not determined here to this order */
    for (int64_t k = 0; crossing && k < c->sys->layout->u_size; k++)
        c->sys->du[k] = (double)NAN;
    return status;
}

tn_status tn_coords_ratios(tn_coords *c, int32_t joint, int32_t coordinate)
{
    const int32_t at = joint * TN_MAX_COORDINATES + coordinate;
    tn_state_copy(&c->saved, c->state);
    tn_tree_build(c->model, c->state, -1, &c->tree);
    tn_coords_enter_whole(c);
    memset(c->outcome, 0, (size_t)c->model->element_count); /* scratch: which joints are moved */
    c->outcome[joint] = 1;
    tn_coords_carry_others(c, c->outcome);
    if (c->hold[at] == TN_KEEP_FREE)
        c->hold[at] = TN_KEEP_REQUEST;
    tn_coords_activate(c);
    const int64_t slot = tn_coords_slot(c, joint, coordinate);
    const tn_status status = slot < 0 ? TN_ERROR_SINGULAR : solve_ratios(c, slot, at);
    if (status == TN_OK) {
        tn_coords_write_switches(c);
        c->state->head->restart = 1;
    } else {
        tn_state_copy(c->state, &c->saved);
        tn_coords_refresh(c);
    }
    return status;
}
