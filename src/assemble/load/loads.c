/* loads.c: room assemble/load: the sums of loads over bodies (loads.h).
 *
 * A force f at a point with arm r = R c from the centre of mass acts on the motions (v, w) of a
 * body, w in body axes, through B = [1, -[r]x R]:
 *     (f, c x R^T f),    matrices B^T A B of the derivatives A at the point.
 * While the body turns by t the arm of a force that keeps its direction does too; with F = R^T f
 *     -d(c x F)/dt = -[c]x [F]x = (c . F) 1 - F c^T,    of which the symmetric part is taken.
 */
#include "assemble/load/loads.h"

#include <math.h>
#include <string.h>

#include "assemble/drive_terms.h"
#include "assemble/joint_terms.h"
#include "assemble/load/pressure.h"

static tn_load_motion motion_of(const tn_system *sys, const double *u, int32_t body)
{
    if (body < 0)
        return (tn_load_motion){.T = tn_ground_xform};
    const tn_twist twist = tn_assemble_twist(sys, u, body);
    return (tn_load_motion){sys->T[body], twist.v, twist.w, sys->model->bodies[body].mass};
}

/* B of the head comment. */
static void motion_of_point(const tn_mat3 *R, tn_vec3 r, double B[3][6])
{
    memset(B, 0, sizeof(double[3][6]));
    for (int c = 0; c < 3; c++) {
        B[c][c] = 1.0;
        const tn_vec3 column = v3_cross(m3_column(R, c), r);
        B[0][3 + c] = column.x;
        B[1][3 + c] = column.y;
        B[2][3 + c] = column.z;
    }
}

/* out += B^T A B. */
static void add_congruent(const double B[3][6], const tn_mat3 *A, double out[6][6])
{
    double AB[3][6];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 6; j++)
            AB[i][j] = A->m[i][0] * B[0][j] + A->m[i][1] * B[1][j] + A->m[i][2] * B[2][j];
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++)
            out[i][j] += B[0][i] * AB[0][j] + B[1][i] * AB[1][j] + B[2][i] * AB[2][j];
    }
}

void tn_add_turning_arm(tn_vec3 c, tn_vec3 F, double out[6][6])
{
    double arm[3], force[3];
    v3_store(arm, c);
    v3_store(force, F);
    for (int i = 0; i < 3; i++) {
        out[3 + i][3 + i] += v3_dot(c, F);
        for (int j = 0; j < 3; j++)
            out[3 + i][3 + j] -= 0.5 * (force[i] * arm[j] + force[j] * arm[i]);
    }
}

static void add_matrices(const tn_load_motion *body, const tn_load_effect *e, bool dead,
                         tn_load_matrix *out)
{
    const tn_vec3 r = v3_sub(e->point, body->T.p);
    if (e->yields) {
        double B[3][6];
        motion_of_point(&body->T.R, r, B);
        add_congruent(B, &e->stiffness, out->stiffness);
        add_congruent(B, &e->damping, out->damping);
        const tn_mat3 DR = m3_mul(&e->rotary_damping, &body->T.R), D = m3_tmul(&body->T.R, &DR);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++)
                out->damping[3 + i][3 + j] += D.m[i][j];
        }
    }
    if (dead)
        tn_add_turning_arm(m3_tmulv(&body->T.R, r), m3_tmulv(&body->T.R, e->wrench.f),
                           out->stiffness);
}

/* On one of its bodies, which of a pair may be the second: that feels the opposite there. */
static int effect_on(const tn_system *sys, const double *u, double time, int32_t k, int32_t body,
                     tn_load_motion *motion, tn_load_effect *out)
{
    const tn_load_data *load = &sys->model->loads[k];
    const int32_t first = load->kind == TN_LOAD_PAIR ? load->places[0].body : body;
    const tn_load_motion a = motion_of(sys, u, first);
    const tn_load_motion b = motion_of(sys, u, load->places[1].body);
    const int defined = tn_load_effect_of(load, time, &a, &b, out);
    *motion = body == first ? a : b;
    if (body != first)
        out->wrench = (tn_wrench){v3_scale(-1.0, out->wrench.f), v3_scale(-1.0, out->wrench.m)};
    return defined;
}

/* An effort that has no value still goes into the sum: nothing may come of it. */
static void add_effort_load(const tn_system *sys, const tn_state *state, double time, int32_t k,
                            tn_load_sums *sums)
{
    const tn_load_data *load = &sys->model->loads[k];
    const double effort = tn_load_effort(load, time);
    if (!isfinite(effort) && sums->undefined < 0)
        sums->undefined = k;
    tn_add_effort(sys, state, load->joint, load->coordinate, effort, sums->f);
}

static void add_pressure(const tn_system *sys, double time, int32_t k, tn_load_sums *sums)
{
    const double pressure = tn_load_pressure(&sys->model->loads[k], time);
    if (!isfinite(pressure) && sums->undefined < 0)
        sums->undefined = k;
    tn_pressure_add(sys, &sys->model->loads[k], pressure, sums->f);
}

static void add_body_load(const tn_system *sys, const double *u, double time, int32_t k,
                          tn_load_sums *sums)
{
    const tn_load_data *load = &sys->model->loads[k];
    const bool dead = load->axes == TN_AXES_WORLD;
    if (load->kind == TN_LOAD_PRESSURE) {
        add_pressure(sys, time, k, sums);
        return;
    }
    for (int32_t n = 0; n < load->body_count; n++) {
        const int32_t body = load->bodies[n];
        tn_load_motion motion;
        tn_load_effect e;
        if (!effect_on(sys, u, time, k, body, &motion, &e) && sums->undefined < 0)
            sums->undefined = k;
        tn_body_add_wrench(sys, body, v3_sub(e.point, motion.T.p), e.wrench, sums->f);
        if (sums->matrices)
            add_matrices(&motion, &e, dead, &sums->matrices[body]);
    }
}

void tn_assemble_body_loads(const tn_system *sys, const double *u, double time, tn_load_sums *sums)
{
    for (int32_t k = 0; k < sys->model->load_count; k++) {
        if (sys->model->loads[k].kind != TN_LOAD_EFFORT)
            add_body_load(sys, u, time, k, sums);
    }
}

void tn_assemble_loads(const tn_system *sys, const tn_state *state, const double *u, double time,
                       tn_load_sums *sums)
{
    for (int32_t k = 0; k < sys->model->load_count; k++) {
        if (sys->model->loads[k].kind == TN_LOAD_EFFORT) {
            add_effort_load(sys, state, time, k, sums);
        } else {
            add_body_load(sys, u, time, k, sums);
        }
    }
}

/* The wrench of an effort on a body of its joint, about the centre of mass. */
static tn_wrench effort_on(const tn_system *sys, const tn_load_data *load, double effort,
                           int32_t body)
{
    const tn_model_joint *joint = &sys->model->joints[load->joint];
    const tn_joint_kinematics *kin = &sys->kin[load->joint];
    const double sign = body == joint->a ? effort : -effort;
    tn_wrench w;
    tn_joint_row_wrench(&joint->geometry, kin, tn_motion_row(joint, load->coordinate), &w.f, &w.m);
    w = (tn_wrench){v3_scale(sign, w.f), v3_scale(sign, w.m)};
    w.m = v3_add(w.m, v3_cross(body == joint->a ? kin->r_A : kin->r_B, w.f));
    return w;
}

static bool acts_on(const tn_load_data *load, int32_t body)
{
    for (int32_t n = 0; n < load->body_count; n++) {
        if (load->bodies[n] == body)
            return true;
    }
    return false;
}

int tn_assemble_load_wrench(const tn_system *sys, const tn_state *state, const double *u,
                            double time, int32_t k, int32_t body, tn_wrench *out)
{
    const tn_load_data *load = &sys->model->loads[k];
    *out = (tn_wrench){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (!acts_on(load, body))
        return 1;
    if (load->kind == TN_LOAD_EFFORT) {
        const double effort = tn_load_effort(load, time);
        if (tn_state_is_on(sys->model, state, load->joint))
            *out = effort_on(sys, load, effort, body);
        return isfinite(effort);
    }
    if (load->kind == TN_LOAD_PRESSURE) {
        const double pressure = tn_load_pressure(load, time);
        *out = tn_pressure_on(sys, load, pressure, body);
        return isfinite(pressure);
    }
    tn_load_motion motion;
    tn_load_effect e;
    const int defined = effect_on(sys, u, time, k, body, &motion, &e);
    const tn_vec3 r = v3_sub(e.point, motion.T.p);
    *out = (tn_wrench){e.wrench.f, v3_add(e.wrench.m, v3_cross(r, e.wrench.f))};
    return defined;
}

double tn_assemble_load_power(const tn_system *sys, const tn_state *state, const double *u,
                              double time, int32_t k, double *push)
{
    const tn_load_data *load = &sys->model->loads[k];
    double power = 0.0;
    if (load->kind == TN_LOAD_PRESSURE)
        return tn_pressure_power(sys, u, load, tn_load_pressure(load, time), push);
    for (int32_t n = 0; n < load->body_count; n++) {
        tn_wrench w;
        const tn_twist twist = tn_assemble_twist(sys, u, load->bodies[n]);
        if (!tn_assemble_load_wrench(sys, state, u, time, k, load->bodies[n], &w))
            return NAN;
        power += v3_dot(w.f, twist.v) + v3_dot(w.m, twist.w);
        if (push)
            *push += sys->model->bodies[load->bodies[n]].reach * v3_norm(w.f) + v3_norm(w.m);
    }
    return power;
}

void tn_add_wrench_at_origin(const tn_system *sys, int32_t body, tn_wrench w, double *f)
{
    const tn_vec3 c = m3_mulv(&sys->T[body].R, sys->model->bodies[body].com);
    tn_body_add_wrench(sys, body, v3_scale(-1.0, c), w, f);
}

void tn_add_effort(const tn_system *sys, const tn_state *state, int32_t j, int32_t coordinate,
                   double effort, double *f)
{
    const tn_model_joint *joint = &sys->model->joints[j];
    tn_wrench w;
    if (!tn_state_is_on(sys->model, state, j))
        return;
    tn_joint_row_wrench(&joint->geometry, &sys->kin[j], tn_motion_row(joint, coordinate), &w.f,
                        &w.m);
    w = (tn_wrench){v3_scale(effort, w.f), v3_scale(effort, w.m)};
    tn_joint_add_wrench(sys, j, w, f);
}

/* Column c of the map from motions (v, w in body axes) to the twist of a point, world axes. */
static void twist_column(const tn_mat3 *R, tn_vec3 r, int c, double column[6])
{
    const tn_vec3 axis = c < 3 ? v3(0.0, 0.0, 0.0) : m3_column(R, c - 3);
    const tn_vec3 v = c < 3 ? v3(c == 0, c == 1, c == 2) : v3_cross(axis, r);
    v3_store(column, v);
    v3_store(column + 3, axis);
}

void tn_add_derivative(const tn_system *sys, int32_t body, tn_vec3 r, const double at_point[36],
                       double out[6][6])
{
    double B[6][6]; /* columns */
    for (int c = 0; c < 6; c++)
        twist_column(&sys->T[body].R, r, c, B[c]);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            for (int a = 0; a < 6; a++) {
                for (int b = 0; b < 6; b++) {
                    out[i][j] +=
                        0.5 * B[i][a] * (at_point[6 * a + b] + at_point[6 * b + a]) * B[j][b];
                }
            }
        }
    }
}

/* Is A[n][n], symmetric, positive definite? By its Cholesky factor. */
static bool is_positive(double A[6][6], int32_t n)
{
    for (int32_t j = 0; j < n; j++) {
        for (int32_t i = j; i < n; i++) {
            for (int32_t k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[j][k];
            if (i == j && !(A[j][j] > 0.0))
                return false;
            A[i][j] /= i == j ? sqrt(A[j][j]) : A[j][j];
        }
    }
    return true;
}

/* Does half of the body's block, with what stands in for inertia, and S stay positive? */
static bool is_bearable(const tn_model_body *body, const double *block, const double *delta,
                        const double *S)
{
    double A[6][6];
    for (int32_t i = 0; i < body->dim; i++) {
        for (int32_t j = 0; j < body->dim; j++) {
            A[i][j] = 0.5 * (block[i * body->dim + j] + (i == j && delta ? delta[i] : 0.0)) +
                      S[i * body->dim + j];
        }
    }
    return is_positive(A, body->dim);
}

/* factor times the part of a full matrix that the body's motions see, added. */
static void add_part(const tn_model_body *body, const double full[6][6], double factor, double *S)
{
    const tn_motion_subspace *space = tn_motion_subspace_get(body->kind);
    for (int32_t i = 0; i < body->dim; i++) {
        for (int32_t j = 0; j < body->dim; j++)
            S[i * body->dim + j] += factor * full[space->column[i]][space->column[j]];
    }
}

/* f += D u. */
static void add_damped(const tn_model_body *body, const double full[6][6], const double *u,
                       double *f)
{
    const tn_motion_subspace *space = tn_motion_subspace_get(body->kind);
    for (int32_t i = 0; i < body->dim; i++) {
        for (int32_t j = 0; j < body->dim; j++)
            f[body->u + i] += full[space->column[i]][space->column[j]] * u[body->u + j];
    }
}

bool tn_load_matrix_of(const tn_model_body *body, const tn_load_matrix *matrix, const double *block,
                       const double *delta, double stiffness_factor, double damping_factor,
                       double *out)
{
    double damping[36] = {0.0}, all[36];
    add_part(body, matrix->damping, damping_factor, damping);
    memcpy(all, damping, sizeof all);
    add_part(body, matrix->stiffness, stiffness_factor, all);
    const double *S = is_bearable(body, block, delta, all)       ? all
                      : is_bearable(body, block, delta, damping) ? damping
                                                                 : NULL;
    if (S)
        memcpy(out, S, sizeof(double) * (size_t)(body->dim * body->dim));
    return S != NULL;
}

void tn_assemble_load_matrices(tn_system *sys, const tn_load_matrix *matrices,
                               double stiffness_factor, double damping_factor, const double *u,
                               double *f)
{
    for (int32_t i = 0; i < sys->model->body_count; i++) {
        const tn_model_body *body = &sys->model->bodies[i];
        double *block = sys->values->h + sys->layout->h_offset[i];
        const double *delta = sys->values->delta + body->u;
        double S[36];
        if (body->dim == 0 || !tn_load_matrix_of(body, &matrices[i], block, delta, stiffness_factor,
                                                 damping_factor, S))
            continue;
        for (int32_t k = 0; k < body->dim * body->dim; k++)
            block[k] += S[k];
        if (f)
            add_damped(body, matrices[i].damping, u, f);
    }
}
