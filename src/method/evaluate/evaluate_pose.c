/* evaluate_pose.c: room method/evaluate: bodies of a stage outward, from coordinates and speeds of the joints. See evaluate.h.
 *
 * A body's velocity is that of the inner one, as if it were fixed to it, and that of its columns. Its acceleration without that of
 * the coordinates, by the turns and shifts one after the other (w is the angular velocity up to each, v_r its own velocity of the
 * centre of mass, w_r its own turning, r the arm from its point):
 *     a = w_i x (w_i x b) + sum (2 w x v_r + w_r x (w_r x r)),     alpha = sum w x w_r.
 */
#include "method/evaluate/evaluate.h"

#include <math.h>
#include <string.h>

#include "joint/joint_class.h"
#include "math/m3.h"

static const tn_quat no_turn = {1.0, 0.0, 0.0, 0.0};

/* ---- where a sub-step begins ---- */

/* A twist of C against D in axes of C about its origin, as a screw in the body, of A against B or of B against A. */
static tn_stage_screw screw_of(const double *twist, const tn_joint_geometry *geometry, bool is_a,
                               const tn_xform *T_CD)
{
    const tn_xform *frame = is_a ? &geometry->T_CA : &geometry->T_DB;
    tn_vec3 v = v3_load(twist), w = v3_load(twist + 3);
    if (!is_a) { /* of D against C, in axes of D about its origin */
        w = v3_scale(-1.0, m3_mulv(&T_CD->R, w));
        v = v3_add(v3_scale(-1.0, m3_mulv(&T_CD->R, v)), v3_cross(T_CD->p, w));
    }
    const double turn = v3_norm(w), shift = v3_norm(v);
    if (turn == 0.0)
        return (tn_stage_screw){m3_mulv(&frame->R, v3_scale(1.0 / shift, v)), frame->p, 0.0, shift};
    const tn_vec3 at = v3_scale(1.0 / (turn * turn), v3_cross(w, v));
    return (tn_stage_screw){m3_mulv(&frame->R, v3_scale(1.0 / turn, w)), xf_point(frame, at), turn,
                            v3_dot(w, v) / turn};
}

void tn_stage_put_screws(const tn_model_joint *joint, const double *q, tn_stage_joint *to)
{
    const tn_joint_geometry *geometry = &joint->geometry;
    double T[TN_MAX_ROWS][6];
    tn_xform T_CD;
    geometry->cls->coordinates_to_pose(&geometry->setup, q, &T_CD);
    tn_joint_twists(geometry->cls, &geometry->setup, &T_CD, q, T);
    for (int32_t n = 0; n < to->count; n++)
        to->screws[n] = screw_of(T[to->coordinate[n]], geometry, to->link.sign > 0.0, &T_CD);
}

static tn_xform pose_of(const tn_state *s, int32_t body)
{
    return body < 0 ? tn_ground_xform : (tn_xform){q_to_m3(s->q[body]), s->x[body]};
}

/* Screws of several coordinates turn and shift each other: by those of the pose. */
static void find_screws(const tn_sim *sim, tn_stage_joint *joint)
{
    const int32_t j = joint->link.joint;
    const tn_model_joint *of = &sim->model->joints[j];
    const tn_joint_geometry *geometry = &of->geometry;
    const double *reference = sim->mark.coordinates + (size_t)j * TN_MAX_COORDINATES;
    const tn_xform A = pose_of(&sim->mark, of->a), B = pose_of(&sim->mark, of->b),
                   C = xf_mul(&A, &geometry->T_CA), D = xf_mul(&B, &geometry->T_DB),
                   T_CD = xf_inv_mul(&D, &C);
    double q[TN_MAX_COORDINATES] = {0.0};
    tn_xform T_GD;
    tn_joint_project(geometry->cls, &geometry->setup, &T_CD, reference, &T_GD);
    geometry->cls->pose_to_coordinates(&geometry->setup, &T_GD, reference, q);
    tn_stage_put_screws(of, q, joint);
}

void tn_stage_begin_joint(tn_joint_stages *w, const tn_sim *sim, int32_t k)
{
    tn_stage_joint *joint = &w->joints[k];
    const int32_t i = joint->link.body, inner = joint->link.inner_body;
    const tn_state *mark = &sim->mark;
    if (joint->kind == TN_STAGE_FREE) {
        joint->rel = mark->q[i];
        joint->arm = mark->x[i];
        return;
    }
    const tn_quat turn = inner < 0 ? no_turn : mark->q[inner];
    const tn_mat3 R = q_to_m3(turn);
    joint->rel = q_mul(q_conjugate(turn), mark->q[i]);
    joint->arm = m3_tmulv(&R, inner < 0 ? mark->x[i] : v3_sub(mark->x[i], mark->x[inner]));
    const tn_mat3 rel = q_to_m3(joint->rel);
    const tn_vec3 at = joint->kind == TN_STAGE_BALL ? joint->link.at : joint->screws[0].at;
    joint->pivot = v3_add(joint->arm, m3_mulv(&rel, at));
    if (joint->kind == TN_STAGE_SCREWS && joint->count > 1)
        find_screws(sim, joint);
}

/* ---- the pose of a stage ---- */

static tn_stage_body *body_of(const tn_joint_stages *w, int32_t k)
{
    return &w->bodies[k + 1];
}

/* The inner body's pose. One that does not move is where the model has it, or the ground. */
static const tn_stage_body *inner_of(const tn_joint_stages *w, const tn_sim *sim, int32_t k,
                                     tn_quat *q)
{
    const tn_tree_link *link = &w->joints[k].link;
    tn_stage_body *ground = &w->bodies[0];
    *q = link->inner_body < 0 ? no_turn : sim->state.q[link->inner_body];
    if (link->inner >= 0)
        return body_of(w, link->inner);
    ground->R = q_to_m3(*q);
    ground->x = link->inner_body < 0 ? v3(0.0, 0.0, 0.0) : sim->state.x[link->inner_body];
    return ground;
}

/* By a single screw, about whose axis the body turns. */
static void move_by_screw(const tn_stage_joint *joint, double d, tn_quat *q,
                          const tn_stage_body *inner, tn_stage_body *b)
{
    const tn_stage_screw *screw = &joint->screws[0];
    if (screw->spin != 0.0)
        *q = q_mul(*q, q_exp(v3_scale(screw->spin * d, screw->axis)));
    b->R = q_to_m3(*q);
    const tn_vec3 axis = m3_mulv(&b->R, screw->axis);
    b->r[0] = v3_axpy(v3_scale(-1.0, m3_mulv(&b->R, screw->at)), screw->lead * d, axis);
    b->x = v3_add(v3_add(inner->x, m3_mulv(&inner->R, joint->pivot)), b->r[0]);
    b->z[0].w = v3_scale(screw->spin, axis);
    b->z[0].v = v3_axpy(v3_cross(b->z[0].w, b->r[0]), screw->lead, axis);
}

/* By several one after the other, from where the body is at d = 0. */
static void move_by_screws(const tn_stage_joint *joint, const double *d, tn_quat *q,
                           const tn_stage_body *inner, tn_stage_body *b)
{
    tn_vec3 point[TN_MAX_ROWS];
    b->R = q_to_m3(*q);
    b->x = v3_add(inner->x, m3_mulv(&inner->R, joint->arm));
    for (int32_t n = 0; n < joint->count; n++) {
        const tn_stage_screw *screw = &joint->screws[n];
        const tn_vec3 axis = m3_mulv(&b->R, screw->axis), arm = m3_mulv(&b->R, screw->at);
        b->z[n].w = v3_scale(screw->spin, axis);
        b->z[n].v = v3_scale(screw->lead, axis);
        point[n] = v3_add(b->x, arm);
        b->x = v3_axpy(b->x, screw->lead * d[n], axis);
        if (screw->spin == 0.0)
            continue;
        *q = q_mul(*q, q_exp(v3_scale(screw->spin * d[n], screw->axis)));
        b->R = q_to_m3(*q);
        b->x = v3_add(b->x, v3_sub(arm, m3_mulv(&b->R, screw->at)));
    }
    for (int32_t n = 0; n < joint->count; n++) {
        b->r[n] = v3_sub(b->x, point[n]);
        b->z[n].v = v3_add(b->z[n].v, v3_cross(b->z[n].w, b->r[n]));
    }
}

/* Columns about the axes of the body, through a point. */
static void put_turns(tn_vec3 r, tn_twist *z, tn_vec3 *arms, const tn_mat3 *R)
{
    for (int n = 0; n < 3; n++) {
        arms[n] = r;
        z[n].w = m3_column(R, n);
        z[n].v = v3_cross(z[n].w, r);
    }
}

static void turn_ball(const tn_stage_joint *joint, const double *d, tn_quat *q,
                      const tn_stage_body *inner, tn_stage_body *b)
{
    *q = q_mul(*q, q_exp(v3_load(d)));
    b->R = q_to_m3(*q);
    const tn_vec3 r = v3_scale(-1.0, m3_mulv(&b->R, joint->link.at));
    b->x = v3_add(v3_add(inner->x, m3_mulv(&inner->R, joint->pivot)), r);
    put_turns(r, b->z, b->r, &b->R);
}

static void move_freely(const tn_stage_joint *joint, const double *d, tn_quat *q, tn_stage_body *b)
{
    const tn_vec3 none = {0.0, 0.0, 0.0};
    *q = q_mul(joint->rel, q_exp(v3_load(d + 3)));
    b->R = q_to_m3(*q);
    b->x = v3_add(joint->arm, v3_load(d));
    for (int n = 0; n < 3; n++) {
        b->z[n] = (tn_twist){v3(n == 0, n == 1, n == 2), none};
        b->r[n] = none;
    }
    put_turns(none, b->z + 3, b->r + 3, &b->R);
}

void tn_stage_put_pose(tn_joint_stages *w, const tn_sim *sim, int32_t k)
{
    const tn_stage_joint *joint = &w->joints[k];
    const double *d = w->d + joint->first;
    tn_stage_body *b = body_of(w, k);
    tn_quat q;
    const tn_stage_body *inner = inner_of(w, sim, k, &q);
    q = q_mul(q, joint->rel);
    if (joint->kind == TN_STAGE_FREE)
        move_freely(joint, d, &q, b);
    else if (joint->kind == TN_STAGE_BALL)
        turn_ball(joint, d, &q, inner, b);
    else if (joint->count == 1)
        move_by_screw(joint, *d, &q, inner, b);
    else
        move_by_screws(joint, d, &q, inner, b);
    sim->state.q[joint->link.body] = q_normalize(q);
    sim->state.x[joint->link.body] = b->x;
    b->base = v3_sub(b->x, inner->x);
}

/* ---- its motion ---- */

/* Turns and shifts one after the other. */
static void move_along(const tn_stage_joint *joint, const double *s, tn_stage_body *b)
{
    for (int32_t n = 0; n < joint->count; n++) {
        const tn_vec3 v = v3_scale(s[n], b->z[n].v), spin = v3_scale(s[n], b->z[n].w);
        const tn_vec3 inward = v3_cross(spin, v3_cross(spin, b->r[n]));
        b->bias.v = v3_add(b->bias.v, v3_axpy(inward, 2.0, v3_cross(b->w, v)));
        b->bias.w = v3_add(b->bias.w, v3_cross(b->w, spin));
        b->v = v3_add(b->v, v);
        b->w = v3_add(b->w, spin);
    }
}

/* One turning about the point of all. */
static void turn_about(const double *s, tn_stage_body *b)
{
    const tn_vec3 spin = m3_mulv(&b->R, v3_load(s)), v = v3_cross(spin, b->r[0]);
    b->bias.v = v3_add(b->bias.v, v3_axpy(v3_cross(spin, v), 2.0, v3_cross(b->w, v)));
    b->bias.w = v3_cross(b->w, spin);
    b->v = v3_add(b->v, v);
    b->w = v3_add(b->w, spin);
}

void tn_stage_put_motion(tn_joint_stages *w, int32_t k)
{
    const tn_stage_joint *joint = &w->joints[k];
    const double *s = w->s + joint->first;
    tn_stage_body *b = body_of(w, k);
    const tn_vec3 none = {0.0, 0.0, 0.0};
    b->bias = (tn_twist){none, none};
    if (joint->kind == TN_STAGE_FREE) {
        b->v = v3_load(s);
        b->w = m3_mulv(&b->R, v3_load(s + 3));
        return;
    }
    b->v = b->w = none;
    if (joint->link.inner >= 0) {
        const tn_stage_body *inner = body_of(w, joint->link.inner);
        const tn_vec3 carried = v3_cross(inner->w, b->base);
        b->v = v3_add(inner->v, carried);
        b->w = inner->w;
        b->bias.v = v3_cross(inner->w, carried);
    }
    if (joint->kind == TN_STAGE_BALL)
        turn_about(s, b);
    else
        move_along(joint, s, b);
}

void tn_stage_put_rates(const tn_joint_stages *w, int32_t k, double *rates)
{
    const tn_stage_joint *joint = &w->joints[k];
    const int32_t at = joint->first, turn = joint->kind == TN_STAGE_FREE ? 3 : 0;
    memcpy(rates + at, w->s + at, sizeof *rates * (size_t)joint->count);
    if (joint->kind != TN_STAGE_SCREWS)
        v3_store(rates + at + turn,
                 tn_m3_rate_of_turn(v3_load(w->d + at + turn), v3_load(w->s + at + turn)));
}

static double along(tn_twist a, tn_twist b)
{
    return v3_dot(a.v, b.v) + v3_dot(a.w, b.w);
}

static tn_twist less(tn_twist a, double by, tn_twist b)
{
    return (tn_twist){v3_axpy(a.v, -by, b.v), v3_axpy(a.w, -by, b.w)};
}

/* Columns are made orthogonal one after the other; the coordinates then follow from the last to the first. */
void tn_stage_resolve(const tn_joint_stages *w, int32_t k, tn_twist twist, double *out)
{
    const tn_stage_body *b = body_of(w, k);
    const int32_t count = w->joints[k].count;
    tn_twist Q[TN_MAX_ROWS];
    double R[TN_MAX_ROWS][TN_MAX_ROWS];
    for (int32_t n = 0; n < count; n++) {
        Q[n] = b->z[n];
        for (int32_t m = 0; m < n; m++) {
            R[m][n] = along(Q[m], Q[n]) / R[m][m];
            Q[n] = less(Q[n], R[m][n], Q[m]);
        }
        R[n][n] = along(Q[n], Q[n]);
        out[n] = along(Q[n], twist) / R[n][n];
        twist = less(twist, out[n], Q[n]);
    }
    for (int32_t n = count - 1; n >= 0; n--) {
        for (int32_t m = n + 1; m < count; m++)
            out[n] -= R[n][m] * out[m];
    }
}
