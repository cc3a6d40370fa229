/* ratios.c: room coords: how everything moves per unit speed of one coordinate.
 *
 *     G u = e        e: 1 on the row of the coordinate, 0 on all others
 *     G a = -gamma   gamma = (dG/dt) u; the coordinate's own second derivative is 0
 * of least size in the mass metric if the coordinate leaves freedom. The rows are those of all
 * enabled joints, and the motion rows of joints outside the coordinate's block: what hangs on the
 * loop is carried along rigidly. The driven coordinate moves even if it is locked. A coordinate's speed
 * is its motion row's, W . twist, and its second derivative W . a + gamma of that row. At a dead
 * point of the driven coordinate no such motion exists: the computed speed of the coordinate is then not 1.
 */
#include <math.h>
#include <string.h>

#include "assemble/elements.h"
#include "coords/coords.h"

/* Like TN_SAME_MOTION, for motions known to first order only: the direction of the last step, which is its direction up
 * to its end; and rows of loops with gaps, satisfied to about gap / size, at most some 1e-3 for a mechanism that still
 * moves like one without gaps. Branches that cross differ by about 1. */
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

/* W . twist of every motion row with a coordinate; plus gamma of the motion u unless u is NULL. */
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

/* The direction in which the driven coordinate came here, at its unit speed, into tangent. Returns 0 if it is unknown
 * or does not satisfy the rows. */
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

/* Writes r at the motion u0 + z / 2, which lies on no branch, into phi; *share: |r| relative to gamma. The
 * solve leaves E r as residual, its regularisation being E ~ A. */
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
 * u0, belongs to neither. Let u0 + z be the motion nearest to the direction in which the mechanism came,
 * M u + G^T y = M tangent. Among u0 + alpha z the branches are the motions that satisfy the rows
 * to second order: gamma has no part r that G a cannot balance, r . gamma(u0 + alpha z) = 0, a
 * parabola in alpha. If the coordinate merely leaves freedom, gamma has no such part. */
static tn_status follow_branch(tn_coords *c, int64_t slot, int *crossing)
{
    const double apart = tn_gap_is_on(c->state) ? TN_ROUGHLY : TN_SAME_MOTION;
    const size_t bytes = sizeof(double) * (size_t)c->sys->layout->u_size;
    double share = 0.0;
    memcpy(c->pull, c->sys->du, bytes);
    tn_assemble_momentum(c->sys, NULL, c->tangent, c->sys->f);
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

/* --- Dead points: whether a coordinate turns back at this pose.
 *
 * To first order the rows allow no motion of the coordinate; motions u of the other coordinates move it to
 * second order:
 *     G u = 0    G a = -gamma(u)    q'' = W . a + gamma of its row.
 * It turns back if q'' is not zero for some u. For a coordinate without any motion, or one that
 * others hold, q'' = 0 for all u, or there is no u. Limits: only a few random u are tried; q'' would be zero
 * for all of them by chance only. */

/* Motions tried. */
#define TN_DEAD_POINT_MOTIONS 3

/* Sets the velocities of bodies that stay to zero, as no row of the block holds them. */
static void keep_what_stays(const tn_coords *c, double *u)
{
    for (int32_t i = 0; i < c->model->body_count; i++) {
        const tn_model_body *body = &c->model->bodies[i];
        if (!c->moves[i])
            memset(u + body->u, 0, sizeof(double) * (size_t)body->dim);
    }
}

/* Projects random velocities onto those the rows allow, into state->u. *found: something is left. */
static tn_status find_motion(tn_coords *c, int seed, bool *found)
{
    const int64_t n = c->sys->layout->u_size;
    uint64_t random = 2654435761u * (uint64_t)(seed + 1);
    for (int64_t k = 0; k < n; k++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        c->pull[k] = (double)(random >> 33) / 2147483648.0 - 0.5;
    }
    keep_what_stays(c, c->pull);
    memset(c->sys->f, 0, sizeof(double) * (size_t)n);
    memset(c->sys->g, 0, sizeof(double) * (size_t)c->sys->layout->y_size);
    tn_assemble_momentum(c->sys, NULL, c->pull, c->sys->f);
    const tn_status status = tn_coords_solve(c);
    memcpy(c->state->u, c->sys->du, sizeof(double) * (size_t)n);
    *found = tn_coords_norm(c, c->state->u) > TN_AS_NONE * tn_coords_norm(c, c->pull);
    return status;
}

/* How fast bodies turn, or points of them about each other, rad/s. */
static double pace(const tn_coords *c)
{
    double fastest = 0.0;
    for (int32_t i = 0; i < c->model->body_count; i++) {
        tn_vec3 v, w;
        if (!c->moves[i] || c->model->bodies[i].dim == 0)
            continue;
        tn_body_unpack(&c->model->bodies[i], c->state->u, &v, &w);
        fastest = fmax(fastest, fmax(v3_norm(w), v3_norm(v) / c->size));
    }
    return fastest;
}

/* q'' along the motion in state->u. */
static tn_status second_derivative(tn_coords *c, int64_t slot, double *second)
{
    const size_t rows = sizeof(double) * (size_t)c->sys->layout->y_size;
    memset(c->lambda, 0, rows);
    tn_assemble_gamma(c->sys, c->state, c->state->u, c->lambda);
    const double own = c->lambda[slot];
    memset(c->sys->f, 0, sizeof(double) * (size_t)c->sys->layout->u_size);
    for (int64_t k = 0; k < c->sys->layout->y_size; k++)
        c->sys->g[k] = -c->lambda[k];
    tn_coords_keep_in_reach(c);
    const tn_status status = tn_coords_solve(c);
    memset(c->lambda, 0, rows);
    tn_kkt_apply_g(c->model->kkt, c->sys->values, c->sys->du, c->lambda);
    *second = c->lambda[slot] + own;
    return status;
}

static tn_status try_motions(tn_coords *c, int64_t slot, double length, bool *turns)
{
    tn_status status = tn_coords_factor(c, 0.0);
    for (int k = 0; k < TN_DEAD_POINT_MOTIONS && status == TN_OK && !*turns; k++) {
        double second = 0.0;
        bool found = false;
        status = find_motion(c, k, &found);
        const double fastest = pace(c);
        if (status == TN_OK && found)
            status = second_derivative(c, slot, &second);
        *turns = found && fabs(second) > TN_SAME_MOTION * fastest * fastest * length;
    }
    return status;
}

tn_status tn_coords_turns_back(tn_coords *c, int32_t joint, int32_t coordinate, bool *turns)
{
    const tn_joint_type_info *info = &c->model->joints[joint].geometry.cls->info;
    int8_t *hold = &c->hold[joint * TN_MAX_COORDINATES + coordinate];
    const int8_t was = *hold;
    tn_status status = TN_OK;
    *turns = false;
    memcpy(c->true_tangent, c->state->u, sizeof(double) * (size_t)c->sys->layout->u_size);
    *hold = TN_KEEP_IDLE; /* its row exists and is left out */
    tn_coords_activate(c);
    const int64_t slot = tn_coords_slot(c, joint, coordinate);
    if (slot >= 0)
        status = try_motions(c, slot, info->coordinates[coordinate].angular ? 1.0 : c->size, turns);
    *hold = was;
    tn_coords_activate(c);
    memcpy(c->state->u, c->true_tangent, sizeof(double) * (size_t)c->sys->layout->u_size);
    return status;
}

tn_status tn_coords_is_dead_point(tn_coords *c, int32_t joint, int32_t coordinate, bool *is)
{
    double freedom = 1.0;
    *is = false;
    if (!tn_state_is_on(c->model, c->state, joint))
        return TN_OK;
    tn_state_copy(&c->saved, c->state);
    tn_tree_build(c->model, c->state, -1, &c->tree);
    tn_coords_enter_whole(c);
    tn_status status = tn_coords_freedom(c, joint, coordinate, &freedom);
    if (status == TN_OK && freedom <= TN_AS_NONE)
        status = tn_coords_turns_back(c, joint, coordinate, is);
    tn_state_copy(c->state, &c->saved);
    tn_coords_refresh(c);
    return status;
}
