/* drawing.c: room coords: closing a rough drawing with least movement.
 *
 * First any closed pose near the drawing: Gauss-Newton, and where that fails damped least squares,
 * in the mass metric,
 *     min 1/2 d^T M d   with   G d + mu A lambda = -phi,
 * mu growing when the errors do and shrinking when they fall (Levenberg, Marquardt), from the
 * drawing itself and if that fails from eight poses around it. Then the closed pose nearest to the
 * drawing: sequential quadratic programming on
 *     min 1/2 sum m |x - x0|^2 + e^T J e,   e = log(q0^-1 q),   with phi = 0,
 * with M as Hessian. Fixed bodies have no motion, heavy ones move little. The gradient about the
 * body's axes is Jr(e)^-T J e, Jr^-1 = I + [e]x / 2 + c(|e|) [e]x^2 (Chirikjian 2011, 10.86).
 */
#include <math.h>
#include <string.h>

#include "real/real.h"
#include "coords/coords.h"
#include "math/box.h"

/* Most a body turns (rad) or goes (share of the size) in one pass. */
#define TN_CLOSE_MAX_TURN 0.5
#define TN_CLOSE_MAX_MOVE 0.25
/* Passes of damped least squares, and of the search for the nearest pose. */
#define TN_CLOSE_PASSES 80
#define TN_NEAR_PASSES  200
/* Damping: first value, growth and shrinkage, and below which it is none at all. */
#define TN_CLOSE_DAMPING 1e-3
#define TN_CLOSE_GROW    4.0
#define TN_CLOSE_SHRINK  0.2
#define TN_CLOSE_NONE    1e-6
#define TN_CLOSE_MOST    1e9
/* Nearest when a pass moves less than this share of the way from the drawing. */
#define TN_NEAREST 1e-10
/* rad and share of the size: how far new starts lie from the drawing. */
#define TN_RESTART_TURN 0.1
#define TN_RESTARTS     8

/* Scaled sum of squares of the errors. */
static double merit(const tn_coords *c)
{
    double sum = 0.0;
    for (int32_t j = 0; j < c->model->element_count; j++) {
        const tn_switches *s = &c->state->switches[j];
        const int64_t slot = c->sys->layout->y_offset[j];
        for (int32_t n = 0; n < s->active_count; n++) {
            if (s->compliance[s->active[n]] <= 0.0) {
                sum += c->sys->phi[slot + n] * c->sys->phi[slot + n] /
                       c->model->joints[j].row_scale[s->active[n]];
            }
        }
    }
    return sum;
}

/* Share of a step that keeps every body's motion moderate. */
static double moderate(const tn_coords *c, const double *d)
{
    double share = 1.0;
    for (int32_t i = 0; i < c->model->body_count; i++) {
        if (c->model->bodies[i].dim == 0)
            continue;
        tn_vec3 v, w;
        tn_body_unpack(&c->model->bodies[i], d, &v, &w);
        share = fmin(share, TN_CLOSE_MAX_TURN / fmax(v3_norm(w), 1e-300));
        share = fmin(share, TN_CLOSE_MAX_MOVE * c->size / fmax(v3_norm(v), 1e-300));
    }
    return share;
}

/* The pose after a damped pass; its error and merit. */
static tn_status take_pass(tn_coords *c, double damping, double *error, double *value)
{
    tn_status status = tn_coords_factor(c, damping);
    if (status != TN_OK)
        return status;
    for (int64_t k = 0; k < c->sys->layout->y_size; k++)
        c->sys->g[k] = -c->sys->phi[k];
    status = tn_coords_solve(c);
    if (status != TN_OK)
        return status;
    tn_coords_keep_pose(c, TN_POSE_TRIED);
    tn_coords_advance(c, c->sys->du, moderate(c, c->sys->du));
    tn_coords_refresh(c);
    *error = tn_coords_errors(c);
    *value = merit(c);
    return TN_OK;
}

/* Plain passes. Far from closed the rows are not the errors' exact gradient (their arm ends at G,
 * not at C), so errors may grow for a while on the way, as when a weld is turned over. */
static tn_status close_boldly(tn_coords *c, double *error)
{
    double value, least = INFINITY;
    tn_coords_refresh(c);
    *error = tn_coords_errors(c);
    for (int32_t pass = 0; pass<TN_CLOSE_PASSES && * error> TN_COORDS_ROUND_OFF; pass++) {
        if (*error <= TN_COORDS_CLOSED && *error > 0.5 * least)
            return TN_OK; /* round-off */
        least = fmin(least, *error);
        const tn_status status = take_pass(c, 0.0, error, &value);
        if (status != TN_OK)
            return status;
    }
    return TN_OK;
}

/* Passes that must lower the merit, with damping as it takes. */
static tn_status close_carefully(tn_coords *c, double *error)
{
    double damping = TN_CLOSE_DAMPING, now, tried;
    tn_coords_refresh(c);
    *error = tn_coords_errors(c);
    double value = merit(c);
    for (int32_t pass = 0; pass<TN_CLOSE_PASSES && * error> TN_COORDS_ROUND_OFF; pass++) {
        if (damping > TN_CLOSE_MOST || (*error <= TN_COORDS_CLOSED && damping > 0.0))
            break;
        const tn_status status = take_pass(c, damping, &tried, &now);
        if (status != TN_OK)
            return status;
        if (now < value) {
            value = now;
            *error = tried;
            damping *= TN_CLOSE_SHRINK;
            damping = damping < TN_CLOSE_NONE ? 0.0 : damping;
            continue;
        }
        tn_coords_take_pose(c, TN_POSE_TRIED);
        tn_coords_refresh(c);
        tn_coords_errors(c);
        damping = fmax(damping * TN_CLOSE_GROW, TN_CLOSE_DAMPING);
    }
    return TN_OK;
}

tn_status tn_coords_close_from_here(tn_coords *c, int *closed)
{
    const double good = tn_coords_closed(c);
    double error;
    tn_coords_keep_pose(c, TN_POSE_PATH);
    tn_status status = close_boldly(c, &error);
    if (status == TN_OK && !(error <= good)) {
        tn_coords_take_pose(c, TN_POSE_PATH);
        status = close_carefully(c, &error);
    }
    *closed = error <= good;
    return status;
}

double tn_coords_scatter(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

static void start_elsewhere(tn_coords *c, int32_t attempt)
{
    uint64_t seed = (uint64_t)attempt;
    tn_coords_take_pose(c, TN_POSE_START);
    for (int32_t i = 0; i < c->model->body_count; i++) {
        const tn_vec3 v = {tn_coords_scatter(&seed), tn_coords_scatter(&seed),
                           tn_coords_scatter(&seed)};
        const tn_vec3 w = {tn_coords_scatter(&seed), tn_coords_scatter(&seed),
                           tn_coords_scatter(&seed)};
        const tn_vec3 none = {0.0, 0.0, 0.0};
        memset(c->tangent + c->model->bodies[i].u, 0,
               sizeof(double) * (size_t)c->model->bodies[i].dim);
        if (c->model->bodies[i].dim > 0) {
            tn_body_add(&c->model->bodies[i], v3_axpy(none, TN_RESTART_TURN * c->size, v),
                        v3_axpy(none, TN_RESTART_TURN, w), c->tangent);
        }
    }
    tn_coords_advance(c, c->tangent, 1.0);
}

/* Jr(e)^-T a. */
static tn_vec3 pull_back(tn_vec3 e, tn_vec3 a)
{
    const double t2 = v3_dot(e, e), t = sqrt(t2);
    /* (1 / t^2 - (1 + cos t) / (2 t sin t)), by its series near 0 */
    const double k =
        t < 1e-2 ? 1.0 / 12.0 + t2 / 720.0 : 1.0 / t2 - (1.0 + tn_cos(t)) / (2.0 * t * tn_sin(t));
    const tn_vec3 ea = v3_cross(e, a);
    return v3_axpy(v3_axpy(a, -0.5, ea), k, v3_cross(e, ea));
}

/* f = minus the gradient of the movement. */
static void pull_to_drawing(tn_coords *c, double *f)
{
    for (int32_t i = 0; i < c->model->body_count; i++) {
        const tn_model_body *body = &c->model->bodies[i];
        if (body->dim == 0)
            continue;
        const tn_vec3 d = v3_sub(c->state->x[i], c->x[TN_POSE_START][i]);
        const tn_vec3 e = tn_coords_turn(c->q[TN_POSE_START][i], c->state->q[i]);
        const tn_vec3 g = pull_back(e, m3_mulv(&body->J, e));
        tn_body_add(body, v3_scale(-body->mass, d), v3_scale(-1.0, g), f);
    }
}

/* From a closed pose to the nearest one. The pose is closed again at the end, or as it was. */
static tn_status find_nearest(tn_coords *c)
{
    double before = INFINITY, share = 1.0, error;
    tn_coords_keep_pose(c, TN_POSE_PATH);
    tn_coords_difference(c, TN_POSE_START, c->tangent);
    const double first = tn_coords_norm(c, c->tangent);
    for (int32_t pass = 0; pass < TN_NEAR_PASSES; pass++) {
        tn_status status = tn_coords_factor(c, 0.0);
        if (status != TN_OK)
            return status;
        pull_to_drawing(c, c->sys->f);
        for (int64_t k = 0; k < c->sys->layout->y_size; k++)
            c->sys->g[k] = -c->sys->phi[k];
        status = tn_coords_solve(c);
        if (status != TN_OK)
            return status;
        const double step = tn_coords_norm(c, c->sys->du);
        if (step <= TN_NEAREST * first || step <= TN_COORDS_CLOSED * c->size)
            break;
        share = step > before ? 0.5 * share : fmin(1.0, 1.2 * share);
        before = step;
        tn_coords_advance(c, c->sys->du, share * moderate(c, c->sys->du));
        tn_coords_refresh(c);
        tn_coords_errors(c);
    }
    const tn_status status = tn_coords_correct(c, TN_COORDS_ROUND_OFF, TN_CLOSE_PASSES, &error);
    tn_coords_difference(c, TN_POSE_START, c->tangent);
    if (status != TN_OK || !(error <= tn_coords_closed(c)) ||
        !(tn_coords_norm(c, c->tangent) <= first)) {
        tn_coords_take_pose(c, TN_POSE_PATH);
        tn_coords_refresh(c);
    }
    return status;
}

/* Diagonal of the box of all centres of mass and joint frames. */
static double size_of(const tn_coords *c)
{
    tn_box box = tn_empty_box();
    for (int32_t i = 0; i < c->model->body_count; i++)
        tn_box_add(&box, c->state->x[i]);
    for (int32_t j = 0; j < c->model->joint_count; j++) {
        const tn_model_joint *joint = &c->model->joints[j];
        tn_box_add(&box, tn_system_place(c->sys, joint));
        tn_box_add(&box, xf_point(tn_system_xform(c->sys, joint->b), joint->geometry.T_DB.p));
    }
    return tn_box_diagonal(&box);
}

void tn_coords_enter_whole(tn_coords *c)
{
    tn_coords_read_switches(c);
    memset(c->carried, 0, (size_t)c->model->element_count);
    for (int32_t j = 0; j < c->model->element_count; j++)
        c->in[j] = (int8_t)tn_state_is_on(c->model, c->state, j);
    for (int32_t i = 0; i < c->model->body_count; i++)
        c->moves[i] = c->model->bodies[i].dim > 0;
    tn_coords_refresh(c);
    c->size = size_of(c);
    tn_coords_activate(c);
    c->yields = tn_coords_soft_joints_are_open(c);
}

/* Soft joints that are drawn open are so: they carry what holds them open. */
static tn_status close_anyhow(tn_coords *c)
{
    int closed = 0;
    tn_status status = tn_coords_close_from_here(c, &closed);
    for (int32_t k = 1; status == TN_OK && !closed && k <= TN_RESTARTS; k++) {
        if (k == 1)
            tn_coords_keep_pose(c, TN_POSE_END); /* as good as it gets: for the report */
        start_elsewhere(c, k);
        status = tn_coords_close_from_here(c, &closed);
    }
    if (status == TN_OK && !closed) {
        tn_coords_take_pose(c, TN_POSE_END);
        tn_coords_refresh(c);
        status = TN_ERROR_NOT_CONVERGED;
    }
    c->has_last = 0;
    return status;
}

tn_status tn_coords_assemble(tn_coords *c, tn_placement_report *report)
{
    if (c->model->body_count == 0) {
        tn_coords_report(c, report);
        return TN_OK;
    }
    tn_coords_save(c);
    c->beyond = -1;
    c->steps = c->factorizations = 0;
    tn_coords_enter_whole(c);
    tn_coords_keep_pose(c, TN_POSE_START);
    c->yields = 1;
    tn_status status = close_anyhow(c);
    if (status == TN_OK)
        status = find_nearest(c);
    c->yields = 0;
    tn_coords_measure(c);
    tn_coords_write_switches(c);
    tn_coords_keep_velocities(c);
    c->state->head->restart = 1;
    tn_coords_report(c, report);
    if (status != TN_OK) {
        tn_coords_restore(c);
    }
    return report->status = status;
}
