/* pose.c: room redundancy/loops: a private pose of a model for the redundancy analysis.
 *
 * Closing is Gauss-Newton, min d^T H d with G d = -phi on all active rows, each solve regularised and refined
 * (docs/explanation/constraint_solver.md); H weighs lengths and rotations of the bodies, independent of their
 * masses. Because of the regularisation a row that is only 1e-6 away from others does not count as independent: it
 * keeps its error, and the rest closes.
 */
#include <math.h>
#include <string.h>

#include "motion/kinematics.h"
#include "math/box.h"
#include "redundancy/loops/pose.h"
#include "sparse/factor/factor.h"

/* Passes: at a singular pose the error only halves per pass. */
#define TN_CLOSE_PASSES 60
/* The error counts as zero below this, in sizes of the mechanism: round-off. */
#define TN_CLOSE_ERROR 1e-14
/* A pass that leaves more than this share of the error is slow; after this many slow passes the error remains. */
#define TN_CLOSE_SLOW       0.9
#define TN_CLOSE_SLOW_LIMIT 4
/* Regularisation of rows in loops, in units of their scale. It is above the square of the independent part of a
 * row of a slightly inexact loop, 1e-5; otherwise the mechanism would creep along its motion towards a pose where
 * even that row closes. It is below the square of what counts as independent in any reasonable
 * loop. */
#define TN_CLOSE_E 1e-6
/* Back-solves per pass. More would begin to resolve nearly dependent rows. */
#define TN_CLOSE_SOLVES    3
#define TN_CLOSE_TOLERANCE 1e-14
/* Back-solves for a velocity. A row of singular value s leaves (1 + s^2 / E)^-solves of its error, 1e-8 at
 * s = 2 sqrt(E); rows below sqrt(E) / 10 have hardly any effect. */
#define TN_VELOCITY_SOLVES 12
/* If loops may stay open, eigenvalues below E by this factor are left alone: rows that count as zero have
 * TN_RED_ZERO^2, a hundredth of E. */
#define TN_OPEN_REACH TN_CLEAR
/* Most halvings of a step that leads where the mechanism cannot go. */
#define TN_WANDER_HALVINGS 4
/* A new pose may be open by this factor more than the one before, or by this much (sizes or rad).
 */
#define TN_WANDER_FACTOR 10.0
#define TN_WANDER_ERROR  1e-11
/* If less than this share of a random velocity is allowed, there is no degree of freedom. */
#define TN_STILL 1e-6

double tn_red_random(uint64_t *seed)
{
    *seed += 0x9e3779b97f4a7c15u; /* splitmix64 */
    uint64_t z = *seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return ldexp((double)(z >> 11), -52) - 1.0;
}

static double find_size(const tn_red_pose *pose)
{
    tn_box box = tn_empty_box();
    for (int32_t i = 0; i < pose->model->body_count; i++)
        tn_box_add(&box, pose->state.x[i]);
    for (int32_t j = 0; j < pose->model->joint_count; j++)
        tn_box_add(&box, tn_system_place(&pose->sys, &pose->model->joints[j]));
    return tn_box_half_edge(&box);
}

double tn_red_weight(const tn_red_pose *pose, int32_t j, int32_t n)
{
    const tn_row_info *rows = pose->model->joints[j].geometry.cls->info.rows;
    const int linear = rows[tn_red_row(pose, j, n)].flags & TN_ROW_LINEAR;
    return linear && pose->size > 0.0 ? 1.0 / pose->size : 1.0;
}

/* Leaves out a spring's row: it is open by the deflection, and would close to the spring's rest. */
static void drop_springs(tn_red_pose *pose)
{
    for (int32_t k = 0; k < pose->state.head->drive_count; k++) {
        tn_drive *drive = &pose->state.drives[k];
        if (pose->state.switches[drive->joint].hold[drive->coordinate] != TN_HOLD_SPRING)
            continue;
        drive->stiffness = drive->damping = 0.0;
        tn_state_hold(pose->model, &pose->state, drive->joint, drive->coordinate, TN_HOLD_NONE);
    }
}

void tn_red_pose_take(tn_red_pose *pose, const tn_state *state)
{
    tn_state_copy(&pose->state, state);
    drop_springs(pose);
}

bool tn_red_pose_has_yielding(const tn_red_pose *pose)
{
    for (int32_t j = 0; j < pose->model->element_count; j++) {
        const tn_switches *s = &pose->state.switches[j];
        for (int32_t n = 0; n < s->active_count; n++) {
            if (s->compliance[s->active[n]] > 0.0)
                return true;
        }
    }
    return false;
}

int32_t tn_red_pose_yield(tn_red_pose *pose)
{
    int32_t yielding = 0;
    for (int32_t j = 0; j < pose->model->element_count; j++) {
        tn_switches *s = tn_state_edit(&pose->state, j);
        int8_t hard = 0;
        for (int8_t n = 0; n < s->active_count; n++) {
            if (s->compliance[s->active[n]] <= 0.0)
                s->active[hard++] = s->active[n];
        }
        yielding += s->active_count - hard;
        s->active_count = hard;
        pose->state.plain[j] = 0;
    }
    pose->yields = true;
    tn_red_pose_refresh(pose);
    return yielding;
}

void tn_red_pose_follow(tn_red_pose *pose, const tn_red_pose *other)
{
    tn_state_copy(&pose->state, &other->state);
    pose->yields = other->yields;
}

tn_status tn_red_pose_create(const tn_model *model, tn_red_pose *pose)
{
    memset(pose, 0, sizeof *pose);
    pose->model = model;
    tn_status status = tn_state_create(model, 0, &pose->state);
    if (status == TN_OK)
        status = tn_system_create(model, &pose->sys);
    if (status != TN_OK)
        return status;
    tn_assemble_poses(&pose->sys, pose->state.x, pose->state.q);
    pose->size = find_size(pose);
    tn_red_pose_refresh(pose);
    return TN_OK;
}

void tn_red_pose_destroy(tn_red_pose *pose)
{
    tn_state_destroy(&pose->state);
    tn_system_destroy(&pose->sys);
    memset(pose, 0, sizeof *pose);
}

/* Updates the coordinates, so that branches and turns of the next pose are right. */
static void follow_coordinates(tn_red_pose *pose)
{
    for (int32_t j = 0; j < pose->model->joint_count; j++) {
        const tn_joint_geometry *geometry = &pose->model->joints[j].geometry;
        double *q = pose->state.coordinates + (size_t)j * TN_MAX_COORDINATES;
        double reference[TN_MAX_COORDINATES];
        if (!pose->state.switches[j].enabled || geometry->cls->info.coordinate_count == 0)
            continue;
        memcpy(reference, q, sizeof reference);
        geometry->cls->pose_to_coordinates(&geometry->setup, &pose->sys.kin[j].T_GD, reference, q);
    }
    for (int32_t j = pose->model->joint_count; j < pose->model->element_count; j++)
        pose->state.coordinates[(size_t)j * TN_MAX_COORDINATES] = pose->sys.kin[j].moving->q[0];
}

/* True if a row is to close. Compliant rows are open by their load; motors and friction hold speeds only. */
static bool is_to_close(const tn_red_pose *pose, int32_t j, int32_t row)
{
    const tn_switches *s = &pose->state.switches[j];
    const int32_t i = pose->model->joints[j].geometry.cls->info.rows[row].coordinate;
    return s->compliance[row] <= 0.0 && (i < 0 || s->hold[i] >= TN_HOLD_DRIVER);
}

void tn_red_pose_refresh(tn_red_pose *pose)
{
    tn_system *sys = &pose->sys;
    tn_assemble_poses(sys, pose->state.x, pose->state.q);
    tn_assemble_joints(sys, &pose->state);
    follow_coordinates(pose);
    tn_assemble_errors(sys, &pose->state, sys->phi);
    pose->residual = pose->relative = 0.0;
    pose->worst = -1;
    for (int32_t j = 0; j < pose->model->element_count; j++) {
        for (int32_t n = 0; n < pose->state.switches[j].active_count; n++) {
            const double error = fabs(sys->phi[sys->layout->y_offset[j] + n]);
            if (!is_to_close(pose, j, tn_red_row(pose, j, n)))
                continue;
            pose->relative = fmax(pose->relative, error * tn_red_weight(pose, j, n));
            if (error <= pose->residual)
                continue;
            pose->residual = error;
            pose->worst = j;
        }
    }
}

/* H = diag(1, 1, 1, size^2, size^2, size^2) for every body. The least movement then depends on the
 * mechanism's lengths, not on its masses. */
static void fill_metric(tn_red_pose *pose)
{
    tn_system *sys = &pose->sys;
    memset(sys->values->h, 0, sizeof(double) * (size_t)sys->layout->h_size);
    memset(sys->values->delta, 0, sizeof(double) * (size_t)sys->layout->u_size);
    for (int32_t i = 0; i < pose->model->body_count; i++) {
        const tn_motion_subspace *s = tn_motion_subspace_get(pose->model->bodies[i].kind);
        for (int32_t c = 0; c < s->dim && pose->model->bodies[i].dim > 0; c++) {
            sys->values->h[sys->layout->h_offset[i] + c * s->dim + c] =
                s->column[c] < 3 ? 1.0 : pose->size * pose->size;
        }
    }
}

/* G_k H^-1 G_k^T of row n of an element. */
static double row_scale(const tn_red_pose *pose, int32_t j, int32_t n)
{
    const tn_kkt_layout *l = pose->sys.layout;
    double sum = 0.0;
    for (int32_t t = l->dual_start[j]; t < l->dual_start[j + 1]; t++) {
        const int32_t i = l->dual_primal[t], d = l->primal_dim[i];
        if (l->g_offset[t] < 0)
            continue;
        for (int32_t c = 0; c < d; c++) {
            const double g = pose->sys.values->g[l->g_offset[t] + n * d + c];
            sum += g * g / pose->sys.values->h[l->h_offset[i] + c * d + c];
        }
    }
    return sum > 0.0 ? sum : 1.0;
}

/* Makes all active rows hard. */
static void all_rows_hard(tn_red_pose *pose)
{
    tn_system *sys = &pose->sys;
    const tn_row_law law = {.scale = 1.0, .shift = 1.0};
    tn_assemble_row_law(sys, &pose->state, &law);
    for (int32_t j = 0; j < pose->model->element_count; j++) {
        for (int32_t n = 0; n < pose->state.switches[j].active_count; n++) {
            const int64_t slot = sys->layout->y_offset[j] + n;
            sys->values->r[slot] = 0.0;
            sys->values->a[slot] = row_scale(pose, j, n);
            sys->values->e[slot] =
                pose->model->joints[j].in_loop ? TN_CLOSE_E * sys->values->a[slot] : 0.0;
        }
    }
}

tn_status tn_red_pose_factor(tn_red_pose *pose)
{
    tn_assemble_jacobian(&pose->sys, &pose->state);
    fill_metric(pose);
    all_rows_hard(pose);
    return tn_kkt_factorize(pose->model->kkt, pose->sys.values, pose->sys.factor, NULL);
}

/* Solves for du, least in the metric, with the right-hand side in sys.f, sys.g. */
static tn_status solve(tn_red_pose *pose, int32_t passes, double reach)
{
    tn_system *sys = &pose->sys;
    memset(sys->du, 0, sizeof(double) * (size_t)sys->layout->u_size);
    memset(sys->y, 0, sizeof(double) * (size_t)sys->layout->y_size);
    const tn_kkt_refine_options options = {passes, TN_CLOSE_TOLERANCE, reach};
    tn_kkt_refine_stats stats;
    return tn_kkt_solve_refined(pose->model->kkt, sys->values, sys->factor, sys->f, sys->g, sys->du,
                                sys->y, &options, &stats);
}

/* Largest error of a hard row, in sizes of the mechanism or rad. */
static double largest_error(const tn_red_pose *pose)
{
    double largest = 0.0;
    for (int32_t j = 0; j < pose->model->element_count; j++) {
        for (int32_t n = 0; n < pose->state.switches[j].active_count; n++) {
            largest = fmax(largest, fabs(pose->sys.phi[pose->sys.layout->y_offset[j] + n]) *
                                        tn_red_weight(pose, j, n));
        }
    }
    return largest;
}

static tn_status close_to(tn_red_pose *pose, double reach)
{
    tn_system *sys = &pose->sys;
    double best = INFINITY;
    int32_t slow = 0;
    tn_red_pose_refresh(pose);
    for (int32_t pass = 0; pass < TN_CLOSE_PASSES && slow < TN_CLOSE_SLOW_LIMIT; pass++) {
        const double error = largest_error(pose);
        if (!isfinite(error))
            return TN_ERROR_NOT_FINITE;
        if (error <= TN_CLOSE_ERROR)
            break;
        slow += error > TN_CLOSE_SLOW * best;
        best = fmin(best, error);
        memset(sys->f, 0, sizeof(double) * (size_t)sys->layout->u_size);
        for (int64_t k = 0; k < sys->layout->y_size; k++)
            sys->g[k] = -sys->phi[k];
        tn_status status = tn_red_pose_factor(pose);
        if (status == TN_OK)
            status = solve(pose, TN_CLOSE_SOLVES, reach);
        if (status != TN_OK)
            return status;
        tn_move_bodies(pose->model, pose->state.x, pose->state.q, sys->du, 1.0, pose->state.x,
                       pose->state.q);
        tn_red_pose_refresh(pose);
    }
    return TN_OK;
}

tn_status tn_red_pose_close(tn_red_pose *pose)
{
    return close_to(pose, 0.0);
}

/* Largest speed of a body: rad/s, or sizes per second. */
static double fastest(const tn_red_pose *pose, const double *u)
{
    double speed = 0.0;
    for (int32_t i = 0; i < pose->model->body_count; i++) {
        const tn_twist twist = tn_assemble_twist(&pose->sys, u, i);
        speed = fmax(speed, fmax(v3_norm(twist.w), v3_norm(twist.v) / pose->size));
    }
    return speed;
}

static tn_status find_velocity(tn_red_pose *pose, double reach, uint64_t *seed, double *u,
                               double *speed)
{
    tn_system *sys = &pose->sys;
    const size_t bytes = sizeof(double) * (size_t)sys->layout->u_size;
    *speed = 0.0;
    for (int32_t i = 0; i < pose->model->body_count; i++) {
        const tn_model_body *body = &pose->model->bodies[i];
        const tn_motion_subspace *s = tn_motion_subspace_get(body->kind);
        for (int32_t c = 0; c < s->dim; c++)
            u[body->u + c] = tn_red_random(seed) * (s->column[c] < 3 ? pose->size : 1.0);
    }
    memset(sys->f, 0, bytes);
    memset(sys->g, 0, sizeof(double) * (size_t)sys->layout->y_size);
    tn_kkt_apply_h(pose->model->kkt, sys->values, u, sys->f);
    const tn_status status = solve(pose, TN_VELOCITY_SOLVES, reach);
    if (status != TN_OK)
        return status;
    memcpy(u, sys->du, bytes);
    *speed = fastest(pose, u);
    if (!(*speed > TN_STILL)) {
        *speed = 0.0;
        return TN_OK;
    }
    for (int64_t k = 0; k < sys->layout->u_size; k++)
        u[k] /= *speed;
    return TN_OK;
}

tn_status tn_red_pose_velocity(tn_red_pose *pose, uint64_t *seed, double *u, double *speed)
{
    return find_velocity(pose, 0.0, seed, u, speed);
}

static double reach_of(double open)
{
    return open > 0.0 ? TN_OPEN_REACH : 0.0;
}

static tn_status wander_from(tn_red_pose *pose, const tn_state *start, const double *u, double step,
                             double open, int32_t *reached)
{
    const double allowed = fmax(TN_WANDER_FACTOR * pose->relative, fmax(TN_WANDER_ERROR, open));
    tn_status status = TN_OK;
    for (int32_t halving = 0; halving < TN_WANDER_HALVINGS && status == TN_OK && !*reached;
         halving++, step *= 0.5) {
        tn_state_copy(&pose->state, start);
        tn_move_bodies(pose->model, start->x, start->q, u, step, pose->state.x, pose->state.q);
        status = close_to(pose, reach_of(open));
        *reached = status == TN_OK && pose->relative <= allowed;
    }
    return status == TN_ERROR_NOT_FINITE ? TN_OK : status;
}

tn_status tn_red_pose_wander(tn_red_pose *pose, uint64_t *seed, double step, double open,
                             int32_t *reached)
{
    *reached = 0;
    tn_state start = {0};
    double speed = 0.0;
    double *u = TN_NEW_ARRAY(double, pose->sys.layout->u_size);
    tn_status status = u ? tn_state_create(pose->model, 0, &start) : TN_ERROR_MEMORY;
    if (status == TN_OK) {
        tn_state_copy(&start, &pose->state);
        status = tn_red_pose_factor(pose);
    }
    if (status == TN_OK)
        status = find_velocity(pose, reach_of(open), seed, u, &speed);
    if (status == TN_OK && speed > 0.0)
        status = wander_from(pose, &start, u, step, open, reached);
    tn_state_destroy(&start);
    tn_free(u);
    return status;
}
