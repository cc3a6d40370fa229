/* dead_point.c: room coords: does a coordinate turn back at this pose?
 *
 * In: a closed pose. Out: whether the pose is a dead point of a coordinate. The rows leave the
 * coordinate no motion to first order there; motions u of the rest move it to second order:
 *     G u = 0    G a = -gamma(u)    q'' = W . a + gamma of its row.
 * It turns back where q'' is not zero for some u. A coordinate without any motion, or one that
 * others hold, has q'' = 0 for all u, or there is no u.
 *
 * Limits: a few u without a pattern are tried; q'' of all of them is zero by chance only.
 */
#include <math.h>
#include <string.h>

#include "coords/coords.h"

/* Motions tried. */
#define TN_DEAD_POINT_MOTIONS 3

/* What the rows leave of velocities without a pattern, into state->u. Is there any? */
static tn_status find_motion(tn_coords *c, int seed, bool *found)
{
    const int64_t n = c->sys->layout->u_size;
    uint64_t random = 2654435761u * (uint64_t)(seed + 1);
    for (int64_t k = 0; k < n; k++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        c->pull[k] = (double)(random >> 33) / 2147483648.0 - 0.5;
    }
    memset(c->sys->f, 0, sizeof(double) * (size_t)n);
    memset(c->sys->g, 0, sizeof(double) * (size_t)c->sys->layout->y_size);
    tn_assemble_momentum(c->sys, c->pull, c->sys->f);
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
    *hold = TN_KEEP_IDLE; /* its row is there and does not count */
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
