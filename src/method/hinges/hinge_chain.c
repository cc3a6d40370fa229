/* hinge_chain.c: room method/hinges: joints of several freedoms, and bodies that float, as chains of links.
 *
 * A step begins with all links of a chain where its body is; each but the last is a shadow of the body, without mass. With T the
 * body in the inner one then, and s_1, s_2, ... turns about or shifts along axes that stand still in the body, it moves in the
 * step by
 *     T exp(s_1 d_1) exp(s_2 d_2) ...
 * Chains of a joint type (joint_class.h, chain) have the twists of its coordinates as s, so that coordinates change by d: in
 * their order where the body is a of its joint, from the last to the first and with the other sign where it is b. Joints that
 * hold a point turn about the axes of the body, which no pole is in the way of, and bodies that float slide along and turn
 * about them.
 *
 * Bodies of such joints begin where the coordinates have them, and so are closed to rounding, however many steps there were.
 *
 * In: a state of a simulation, and after the step the turns of links. Out: links of these links for the step; predictions; what
 * is shown of such joints.
 */
#include <math.h>
#include <string.h>

#include "assemble/joint_terms.h"
#include "base/base.h"
#include "joint/rotation_about_z.h"
#include "method/hinges/alpha_hinges.h"
#include "tenon/math.h"

static const tn_vec3 unit_axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

static tn_xform pose_of(const tn_state *s, int32_t body)
{
    return body < 0 ? tn_ground_xform : (tn_xform){q_to_m3(s->q[body]), s->x[body]};
}

static tn_xform inverse(const tn_xform *T)
{
    const tn_xform none = xf_identity();
    return xf_inv_mul(T, &none);
}

static const tn_model_joint *joint_of(const tn_sim *sim, const tn_hinge_chain *chain)
{
    return &sim->model->joints[chain->joint];
}

/* ---- making ---- */

/* The twist of a coordinate, of C against D in axes of C about its origin, as an axis in the body. */
static tn_chain_screw screw_of(const double *twist, bool turns, const tn_joint_geometry *geometry,
                               bool is_a, const tn_xform *T_CD)
{
    const tn_xform *frame = is_a ? &geometry->T_CA : &geometry->T_DB;
    tn_vec3 v = v3_load(twist), w = v3_load(twist + 3);
    if (!is_a) {
        w = m3_mulv(&T_CD->R, w);
        v = v3_add(m3_mulv(&T_CD->R, v), v3_cross(T_CD->p, w));
    }
    const tn_vec3 at = turns ? xf_point(frame, v3_cross(w, v)) : frame->p;
    return (tn_chain_screw){m3_mulv(&frame->R, turns ? w : v), at};
}

/* Where the body is in the inner one of a joint whose coordinates are 0, but for those that stand still, and about what they turn it
 * then. */
static void put_home(const tn_joint_geometry *geometry, const tn_xform *T_CD,
                     double T[TN_MAX_ROWS][6], tn_hinge_chain *chain)
{
    const tn_xform *T_CA = &geometry->T_CA, *T_DB = &geometry->T_DB;
    const tn_xform back = inverse(chain->is_a ? T_CA : T_DB),
                   there = chain->is_a ? *T_CD : inverse(T_CD), to_own = xf_mul(&there, &back);
    chain->home.in_inner = xf_mul(chain->is_a ? T_DB : T_CA, &to_own);
    for (int32_t n = 0; n < chain->count; n++)
        chain->home.screws[n] =
            screw_of(T[chain->coordinate[n]], chain->turns[n], geometry, chain->is_a, T_CD);
    chain->now_at[0] = (double)NAN;
}

/* Of a body that floats, and of a joint that holds a point: links along the body's axes that it may shift along, then about those it
 * may turn about. */
static void put_body_axes(const tn_model *model, tn_hinge_chain *chain)
{
    const tn_motion_subspace *space = tn_motion_subspace_get(model->bodies[chain->body].kind);
    for (int32_t n = 0; n < chain->count; n++) {
        const int32_t column = chain->joint < 0 ? space->column[n] : 3 + n;
        chain->turns[n] = column >= 3;
        chain->axis[n] = (int8_t)(column % 3);
        chain->coordinate[n] = -1;
    }
}

bool tn_hinge_moves_along(const tn_model_joint *joint, int32_t i)
{
    bool some = false;
    for (int32_t n = joint->kept_bilateral; n < joint->kept_count && !some; n++)
        some = joint->geometry.cls->info.rows[joint->kept[n]].coordinate == i;
    return some;
}

void tn_hinge_chain_make(const tn_model *model, tn_hinge_chain *chain)
{
    if (chain->joint < 0 || !model->joints[chain->joint].geometry.cls->chain) {
        chain->kind = chain->joint < 0 ? TN_CHAIN_FREE : TN_CHAIN_BALL;
        put_body_axes(model, chain);
        return;
    }
    const tn_joint_geometry *geometry = &model->joints[chain->joint].geometry;
    double at[TN_MAX_COORDINATES] = {0.0}, T[TN_MAX_ROWS][6];
    tn_xform T_CD;
    chain->kind = TN_CHAIN_OF_COORDINATES;
    for (int32_t i = 0; i < geometry->cls->info.coordinate_count; i++)
        at[i] = tn_hinge_moves_along(&model->joints[chain->joint], i)
                    ? 0.0
                    : model->joints[chain->joint].q0[i];
    geometry->cls->coordinates_to_pose(&geometry->setup, at, &T_CD);
    tn_joint_twists(geometry->cls, &geometry->setup, &T_CD, at, T);
    for (int32_t n = 0, k = 0; n < geometry->cls->info.dof; n++) {
        const int8_t i = geometry->cls->chain[chain->is_a ? n : geometry->cls->info.dof - 1 - n];
        const tn_vec3 w = v3_load(T[i] + 3);
        if (!tn_hinge_moves_along(&model->joints[chain->joint], i))
            continue;
        chain->coordinate[k] = i;
        chain->turns[k++] = v3_dot(w, w) > 0.5;
    }
    put_home(geometry, &T_CD, T, chain);
}

/* ---- the start of a step ---- */

/* By an angle about an axis, or along it. */
static tn_xform moved_along(const tn_chain_screw *screw, bool turns, double by)
{
    tn_xform move = {m3_identity(), v3_scale(by, screw->axis)};
    if (turns) {
        move.R = q_to_m3(q_exp(move.p));
        move.p = v3_sub(screw->at, m3_mulv(&move.R, screw->at));
    }
    return move;
}

/* Turns about the axes of the body through the joint's point, at the distance that the joint keeps. */
static void start_ball(const tn_sim *sim, tn_hinge_chain *chain, tn_chain_pose *start)
{
    const tn_joint_geometry *geometry = &joint_of(sim, chain)->geometry;
    const tn_vec3 at = chain->is_a ? geometry->T_CA.p : geometry->T_DB.p,
                  inner_at = chain->is_a ? geometry->T_DB.p : geometry->T_CA.p;
    const tn_xform own = pose_of(&sim->state, chain->body),
                   inner = pose_of(&sim->state, chain->inner_body);
    start->in_inner.R = m3_tmul(&inner.R, &own.R);
    start->in_inner.p = v3_sub(inner_at, m3_mulv(&start->in_inner.R, at));
    for (int32_t n = 0; n < chain->count; n++)
        start->screws[n] = (tn_chain_screw){unit_axes[chain->axis[n]], at};
}

static void start_free(const tn_sim *sim, tn_hinge_chain *chain, tn_chain_pose *start)
{
    start->in_inner = pose_of(&sim->state, chain->body);
    for (int32_t n = 0; n < chain->count; n++)
        start->screws[n] = (tn_chain_screw){unit_axes[chain->axis[n]], {0.0, 0.0, 0.0}};
}

/* Of coordinates: the product of the turns and shifts from home on, and each of them as those outside of it have moved its axis.
 *
 * With E_n the n-th one, the body is at home E_1 E_2 ..., and the n-th axis has moved by the inverse of E_n+1 E_n+2 ... */
static const tn_chain_pose *pose_at(tn_hinge_chain *chain, const double *q)
{
    tn_xform outer = xf_identity();
    if (memcmp(chain->now_at, q, sizeof chain->now_at) == 0)
        return &chain->now;
    for (int32_t n = chain->count - 1; n >= 0; n--) {
        const tn_chain_screw *home = &chain->home.screws[n];
        const double by = chain->is_a ? q[chain->coordinate[n]] : -q[chain->coordinate[n]];
        chain->now.screws[n] = (tn_chain_screw){m3_tmulv(&outer.R, home->axis),
                                                m3_tmulv(&outer.R, v3_sub(home->at, outer.p))};
        const tn_xform move = moved_along(home, chain->turns[n], by);
        outer = xf_mul(&move, &outer);
    }
    chain->now.in_inner = xf_mul(&chain->home.in_inner, &outer);
    memcpy(chain->now_at, q, sizeof chain->now_at);
    return &chain->now;
}

static void start_coordinates(const tn_sim *sim, tn_hinge_chain *chain, tn_chain_pose *start)
{
    (void)sim;
    *start = *pose_at(chain, chain->q);
}

/* Coordinates of the poses, where these and what was measured of them last need not be the same. */
static void measure(const tn_sim *sim, tn_hinge_chain *chain)
{
    const tn_model_joint *joint = joint_of(sim, chain);
    const tn_joint_geometry *geometry = &joint->geometry;
    const double *reference = sim->state.coordinates + (size_t)chain->joint * TN_MAX_COORDINATES;
    const tn_xform A = pose_of(&sim->state, joint->a), B = pose_of(&sim->state, joint->b),
                   C = xf_mul(&A, &geometry->T_CA), D = xf_mul(&B, &geometry->T_DB),
                   T_CD = xf_inv_mul(&D, &C);
    tn_xform T_GD;
    tn_joint_project(geometry->cls, &geometry->setup, &T_CD, reference, &T_GD);
    geometry->cls->pose_to_coordinates(&geometry->setup, &T_GD, reference, chain->q);
}

static void find_coordinates(const tn_sim *sim, bool fresh, tn_hinge_chain *chain)
{
    if (chain->kind != TN_CHAIN_OF_COORDINATES)
        return;
    if (fresh) {
        measure(sim, chain);
        return;
    }
    for (int32_t n = 0; n < chain->count; n++) {
        const int8_t i = chain->coordinate[n];
        chain->q[i] = tn_state_coordinate(&sim->state, chain->joint, i);
    }
}

/* The body in the inner one, with the sign that the quaternions of both have. */
static tn_quat turn_in_inner(const tn_hinge_world *w, const tn_state *s,
                             const tn_hinge_chain *chain, const tn_hinge_weld *carrier,
                             const tn_chain_pose *start)
{
    tn_quat q = tn_quat_from_matrix(&start->in_inner.R);
    const tn_quat ground = {1.0, 0.0, 0.0, 0.0},
                  inner = carrier                 ? q_mul(s->q[carrier->carrier], carrier->turn)
                          : chain->inner_body < 0 ? ground
                                                  : s->q[chain->inner_body],
                  now = q_mul(q_conjugate(inner), s->q[chain->body]);
    const double along = q.w * now.w + q.x * now.x + q.y * now.y + q.z * now.z;
    if (w->flat)
        q.x = q.y = 0.0;
    return along < 0.0 ? (tn_quat){-q.w, -q.x, -q.y, -q.z} : q;
}

/* Of link n: the links of the world for this step. The first hangs on the carrier of the inner body, where that is welded to it. */
static void put_link(const tn_sim *sim, const tn_hinge_chain *chain, const tn_chain_pose *start,
                     int32_t n)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_hinge_world *w = &hinges->forest.world;
    const tn_hinge_weld *weld = chain->weld < 0 ? NULL : &hinges->welds.all[chain->weld];
    const tn_chain_screw *screw = &start->screws[n];
    double *kind = hinge_kind_at(w, chain->first + n);
    const tn_vec3 a = screw->axis;
    const tn_quat none = {1.0, 0.0, 0.0, 0.0},
                  in_inner = n == 0 ? turn_in_inner(w, &sim->state, chain, weld, start) : none,
                  at_0 = n == 0 && weld ? q_mul(weld->turn, in_inner) : in_inner,
                  at_half = q_mul(at_0, (tn_quat){0.0, a.x, a.y, a.z});
    tn_vec3 inner_at = n == 0 ? xf_point(&start->in_inner, screw->at) : screw->at;
    if (n == 0 && weld)
        inner_at = v3_add(weld->at, hinge_in_world(weld->turn, inner_at));
    put_v3(kind + TN_KIND_FIELD(link.at), screw->at);
    put_v3(kind + TN_KIND_FIELD(link.inner_at), inner_at);
    put_v3(kind + TN_KIND_FIELD(link.axis), a);
    put_q(kind + TN_KIND_FIELD(link.rel), at_0);
    put_q(kind + TN_KIND_FIELD(link.rel) + 4 * TN_HINGE_WIDTH, at_half);
}

void tn_hinge_chains_begin(const tn_sim *sim, bool fresh)
{
    static void (*const start_of[])(const tn_sim *, tn_hinge_chain *,
                                    tn_chain_pose *) = {start_free, start_ball, start_coordinates};
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    for (int32_t m = 0; m < hinges->chain_count; m++) {
        tn_hinge_chain *chain = &hinges->chains[m];
        tn_chain_pose start;
        find_coordinates(sim, fresh, chain);
        start_of[chain->kind](sim, chain, &start);
        for (int32_t n = 0; n < chain->count; n++)
            put_link(sim, chain, &start, n);
    }
}

/* ---- predictions ---- */

/* What a body moves by in h seconds as it goes on, in axes of its own: its place, and what it turns by against the inner one. */
typedef struct tn_chain_drift {
    tn_vec3 moved, turned;
} tn_chain_drift;

static tn_vec3 goes_on(double h, tn_vec3 rate, tn_vec3 change)
{
    return v3_scale(h, v3_axpy(rate, 0.5 * h, change));
}

static tn_chain_drift drift_of(const tn_sim *sim, const tn_hinge_chain *chain, double h)
{
    const tn_state *s = &sim->state;
    const tn_model_body *bodies = sim->model->bodies;
    const tn_xform own = pose_of(s, chain->body);
    tn_vec3 v, w, more, spin;
    tn_body_unpack(&bodies[chain->body], s->u, &v, &w);
    tn_body_unpack(&bodies[chain->body], s->udot, &more, &spin);
    if (chain->inner_body >= 0 && bodies[chain->inner_body].dim > 0) {
        const tn_xform inner = pose_of(s, chain->inner_body);
        const tn_mat3 to_own = m3_tmul(&own.R, &inner.R);
        tn_vec3 v_inner, w_inner, more_inner, spin_inner;
        tn_body_unpack(&bodies[chain->inner_body], s->u, &v_inner, &w_inner);
        tn_body_unpack(&bodies[chain->inner_body], s->udot, &more_inner, &spin_inner);
        const tn_vec3 turn = m3_mulv(&to_own, w_inner), w_own = w;
        w = v3_sub(w, turn);
        spin = v3_add(v3_sub(spin, m3_mulv(&to_own, spin_inner)), v3_cross(w_own, turn));
    }
    return (tn_chain_drift){goes_on(h, m3_tmulv(&own.R, v), m3_tmulv(&own.R, more)),
                            goes_on(h, w, spin)};
}

/* What a coordinate of joint j changes by. */
static double coordinate_goes_on(const tn_sim *sim, int32_t j, int32_t i, double h)
{
    const int8_t row = (int8_t)(sim->model->joints[j].geometry.cls->info.bilateral_count + i);
    double speed, rate, turning[TN_MAX_ROWS];
    tn_joint_speeds(&sim->sys, j, sim->state.u, (tn_row_list){&row, 1}, &speed);
    tn_joint_speeds(&sim->sys, j, sim->state.udot, (tn_row_list){&row, 1}, &rate);
    tn_joint_accelerations(&sim->sys, j, sim->state.u, turning);
    return h * (speed + 0.5 * h * (rate + turning[row]));
}

void tn_hinge_chain_foresee(const tn_sim *sim, const tn_hinge_chain *chain, double h, double *ways)
{
    tn_chain_drift drift;
    if (chain->kind != TN_CHAIN_OF_COORDINATES)
        drift = drift_of(sim, chain, h);
    for (int32_t n = 0; n < chain->count; n++) {
        const double sign = chain->is_a ? 1.0 : -1.0;
        ways[n] =
            chain->kind == TN_CHAIN_OF_COORDINATES
                ? sign * coordinate_goes_on(sim, chain->joint, chain->coordinate[n], h)
                : v3_dot(unit_axes[chain->axis[n]], chain->turns[n] ? drift.turned : drift.moved);
    }
}

/* The angles of turns about x, y and z one after the other that are R together. */
static tn_vec3 turns_of(const tn_mat3 *R)
{
    const double s = R->m[0][2], c = sqrt(R->m[0][0] * R->m[0][0] + R->m[0][1] * R->m[0][1]);
    return v3(tn_atan2(-R->m[1][2], R->m[2][2]), tn_atan2(s, c), tn_atan2(-R->m[0][1], R->m[0][0]));
}

/* What links that turn about or slide along the axes of the body have moved by since a state. */
static tn_chain_drift moved_since(const tn_sim *sim, const tn_hinge_chain *chain,
                                  const tn_state *from)
{
    const tn_xform own_0 = pose_of(from, chain->body), own = pose_of(&sim->state, chain->body),
                   inner_0 = pose_of(from, chain->inner_body),
                   inner = pose_of(&sim->state, chain->inner_body);
    const tn_mat3 before = m3_tmul(&inner_0.R, &own_0.R), now = m3_tmul(&inner.R, &own.R),
                  turn = m3_tmul(&before, &now);
    return (tn_chain_drift){m3_tmulv(&own_0.R, v3_sub(own.p, own_0.p)), turns_of(&turn)};
}

void tn_hinge_chain_follow(const tn_sim *sim, const tn_hinge_chain *chain, const tn_state *from)
{
    tn_chain_drift drift;
    if (chain->kind != TN_CHAIN_OF_COORDINATES)
        drift = moved_since(sim, chain, from);
    for (int32_t n = 0; n < chain->count; n++) {
        const int8_t i = chain->coordinate[n];
        const double by = i >= 0 ? tn_state_coordinate(&sim->state, chain->joint, i) -
                                       tn_state_coordinate(from, chain->joint, i)
                                 : v3_dot(unit_axes[chain->axis[n]],
                                          chain->turns[n] ? drift.turned : drift.moved);
        tn_hinge_memory *memory = tn_alpha_hinge_memory(sim, &sim->state, chain->first + n);
        hinge_remember(i >= 0 && !chain->is_a ? -by : by, memory, memory);
    }
}

/* ---- the end ---- */

/* Coordinates of its links: where they were, and what they moved by; others as they were, to be measured. */
static void show_coordinates(const tn_hinge_world *w, const tn_hinge_chain *chain)
{
    const size_t at = (size_t)chain->joint * TN_MAX_COORDINATES;
    memmove(w->to.coordinates + at, w->at.coordinates + at, sizeof(double) * TN_MAX_COORDINATES);
    for (int32_t n = 0; n < chain->count; n++) {
        const int8_t i = chain->coordinate[n];
        const double turn = hinge_limb_at(w, chain->first + n)[TN_LIMB_FIELD(turn)];
        if (i >= 0)
            w->to.coordinates[at + (size_t)i] = chain->q[i] + (chain->is_a ? turn : -turn);
    }
}

/* x of A x = b, A and b lost; rows of joints are independent. */
static void solve_six(double A[6][6], double b[6])
{
    for (int k = 0; k < 6; k++) {
        int best = k;
        for (int i = k + 1; i < 6; i++)
            best = fabs(A[i][k]) > fabs(A[best][k]) ? i : best;
        for (int n = 0; n < 6 && best != k; n++) {
            const double t = A[k][n];
            A[k][n] = A[best][n];
            A[best][n] = t;
        }
        const double t = b[k];
        b[k] = b[best];
        b[best] = t;
        for (int i = k + 1; i < 6; i++) {
            const double f = A[i][k] / A[k][k];
            for (int n = k; n < 6; n++)
                A[i][n] -= f * A[k][n];
            b[i] -= f * b[k];
        }
    }
    for (int k = 5; k >= 0; k--) {
        for (int n = k + 1; n < 6; n++)
            b[k] -= A[k][n] * b[n];
        b[k] /= A[k][k];
    }
}

void tn_hinge_multipliers(const tn_joint_geometry *geometry, const tn_joint_kinematics *kin,
                          const double wrench[6], double lambda[6])
{
    const int8_t *axes = geometry->cls->axes;
    double A[6][6];
    for (int row = 0; row < 6 && axes; row++)
        lambda[row] = wrench[axes[row]];
    if (axes)
        return;
    for (int row = 0; row < 6; row++) {
        lambda[row] = wrench[row];
        for (int i = 0; i < 6; i++)
            A[i][row] = kin->moving->W[row][i];
    }
    solve_six(A, lambda);
}

void tn_hinge_twist(const tn_joint_geometry *geometry, const tn_joint_kinematics *kin,
                    const double along[6], double twist[6])
{
    const int8_t *axes = geometry->cls->axes;
    double A[6][6];
    for (int row = 0; row < 6 && axes; row++)
        twist[axes[row]] = along[row];
    if (axes)
        return;
    memcpy(A, kin->moving->W, sizeof A);
    memcpy(twist, along, sizeof *along * 6);
    solve_six(A, twist);
}

/* The wrench of its joint on body a at the origin of G, in G. */
static void wrench_of(const tn_sim *sim, const tn_hinge_chain *chain, double wrench[6])
{
    const tn_hinge_world *w = &tn_alpha_of(sim)->hinges->forest.world;
    const tn_joint_kinematics *kin = &sim->sys.kin[chain->joint];
    const double *limb = hinge_limb_at(w, chain->first + chain->count - 1);
    const double sign = chain->is_a ? 1.0 : -1.0;
    const tn_vec3 arm = limb_v3(limb + TN_LIMB_FIELD(arm)), to = chain->is_a ? kin->r_A : kin->r_B,
                  F = v3_scale(sign, limb_v3(limb + TN_LIMB_FIELD(v))),
                  M = v3_scale(sign, limb_v3(limb + TN_LIMB_FIELD(w)));
    v3_store(wrench, m3_tmulv(&kin->R_GW, F));
    v3_store(wrench + 3, m3_tmulv(&kin->R_GW, v3_add(M, v3_cross(v3_sub(arm, to), F))));
}

/* C in D, where the body of the one is in that of the other. */
static tn_xform legal_pose(const tn_joint_geometry *geometry, bool is_a, const tn_xform *in_inner)
{
    const tn_xform own = xf_mul(in_inner, is_a ? &geometry->T_CA : &geometry->T_DB);
    return is_a ? xf_inv_mul(&geometry->T_DB, &own) : xf_inv_mul(&own, &geometry->T_CA);
}

void tn_hinge_chain_show(tn_sim *sim, tn_hinge_chain *chain, double h)
{
    const tn_hinge_world *w = &tn_alpha_of(sim)->hinges->forest.world;
    const int32_t j = chain->joint;
    if (j < 0)
        return;
    const tn_joint_geometry *geometry = &sim->model->joints[j].geometry;
    const tn_joint_type_info *info = &geometry->cls->info;
    const size_t at = (size_t)j * TN_MAX_ROWS;
    double before[TN_MAX_ROWS], wrench[6], all[6], *lambda = w->to.lambda + at;
    memcpy(before, w->at.lambda + at, sizeof before);
    memcpy(lambda, before, sizeof before);
    show_coordinates(w, chain);
    if (chain->kind == TN_CHAIN_OF_COORDINATES) {
        const double *q = w->to.coordinates + (size_t)j * TN_MAX_COORDINATES;
        const tn_xform T_GD = legal_pose(geometry, chain->is_a, &pose_at(chain, q)->in_inner);
        tn_joint_refresh_at(&sim->sys, &sim->state, j, &T_GD);
    } else {
        tn_joint_refresh(&sim->sys, &sim->state, j);
    }
    if (chain->kind == TN_CHAIN_BALL && info->coordinate_count > 0)
        tn_joint_follow(&sim->sys, &sim->state, j, h,
                        w->to.coordinates + (size_t)j * TN_MAX_COORDINATES);
    wrench_of(sim, chain, wrench);
    tn_hinge_multipliers(geometry, &sim->sys.kin[j], wrench, all);
    memcpy(lambda, all, sizeof *all * (size_t)info->bilateral_count);
    tn_hinge_drop_rows(&sim->model->joints[j], lambda);
    for (size_t n = 0; n < TN_MAX_ROWS && w->has_rates; n++)
        w->to.lambda_rate[at + n] = 1.0 / h * (lambda[n] - before[n]);
    tn_hinge_put_errors(sim, j);
}
