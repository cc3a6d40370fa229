/* rows.c: room coords: which rows count, their errors, and one Newton step of least movement.
 *
 * The rows of a joint are its bilateral ones and the motion rows of held coordinates: the gradient
 * of coordinate i is motion row i (W_i . twist = dq_i/dt), its error is q_i minus the target. Each
 * step solves, with M the mass matrix, the saddle-point problem
 *     min 1/2 d^T M d   with   G d + R lambda = -phi      R = C on rows that yield, mu A on hard
 * ones with the columns of bodies that are held cut out of G. Rotation errors are angle times axis
 * (joint_rows.h), which has a non-zero gradient up to 180 degrees.
 */
#include <math.h>
#include <string.h>

#include "assemble/body_terms.h"
#include "coords/coords.h"
#include "tenon/limits.h"
#include "sparse/factor/factor.h"

/* R, in units of its scale, of a row that is there but does not count. */
#define TN_COORDS_LEFT_OUT 1e30

static const tn_row_law correction_law = {.scale = 1.0, .shift = 1.0, .rate = 0.0};

void tn_coords_refresh(tn_coords *c)
{
    tn_assemble_poses(c->sys, c->state->x, c->state->q);
    tn_assemble_joints(c->sys, c->state);
}

/* The number of a motion row: that of its coordinate, or of a motion that no coordinate counts,
 * which has the next ones; negative: bilateral. */
static int32_t motion_of(const tn_coords *c, int32_t joint, int32_t row)
{
    return row - c->model->joints[joint].geometry.cls->info.bilateral_count;
}

static int counts(const tn_coords *c, int32_t joint, int32_t row)
{
    const int32_t i = motion_of(c, joint, row);
    return i < 0 || c->carried[joint] || c->hold[joint * TN_MAX_COORDINATES + i] != TN_KEEP_FREE;
}

void tn_coords_activate(tn_coords *c)
{
    for (int32_t j = 0; j < c->model->element_count; j++) {
        const tn_model_joint *joint = &c->model->joints[j];
        tn_switches *s = tn_state_edit(c->state, j);
        s->active_count = 0;
        c->state->plain[j] = 0;
        if (!c->in[j])
            continue;
        for (int32_t k = 0; k < joint->kept_count; k++) {
            if (counts(c, j, joint->kept[k]))
                s->active[s->active_count++] = joint->kept[k];
        }
    }
}

static int is_bilateral(const tn_coords *c, int32_t joint, int32_t row)
{
    return motion_of(c, joint, row) < 0;
}

static int is_idle(const tn_coords *c, int32_t joint, int32_t row)
{
    const int32_t i = motion_of(c, joint, row);
    return i >= 0 && c->hold[joint * TN_MAX_COORDINATES + i] == TN_KEEP_IDLE;
}

/* True for a compliant row that may stay open. Rows of joints: only if loops would not close otherwise (coords.h:
 * yields); compliant joints without load are closed. The compliance of a coordinate's row is that of its lock;
 * that of a spring or a soft limit does not affect the requested value of the coordinate. */
static int is_soft(const tn_coords *c, int32_t joint, int32_t row)
{
    if (c->state->switches[joint].compliance[row] <= 0.0)
        return 0;
    const int32_t i = motion_of(c, joint, row);
    if (i < 0)
        return c->yields;
    return c->hold[joint * TN_MAX_COORDINATES + i] == TN_KEEP_LOCK;
}

int tn_coords_soft_joints_are_open(const tn_coords *c)
{
    const double most = TN_COORDS_MET * fmax(1.0, c->size);
    int open = 0;
    for (int32_t j = 0; j < c->model->joint_count; j++) {
        const tn_model_joint *joint = &c->model->joints[j];
        const tn_switches *s = &c->state->switches[j];
        for (int32_t k = 0; k < joint->kept_count && s->compliant; k++) {
            const int32_t row = joint->kept[k];
            open |= is_bilateral(c, j, row) && s->compliance[row] > 0.0 &&
                    fabs(tn_joint_row_error(&joint->geometry, &c->sys->kin[j], row)) > most;
        }
    }
    return open;
}

int64_t tn_coords_slot(const tn_coords *c, int32_t joint, int32_t coordinate)
{
    const tn_switches *s = &c->state->switches[joint];
    for (int32_t n = 0; n < s->active_count; n++) {
        if (motion_of(c, joint, s->active[n]) == coordinate)
            return c->sys->layout->y_offset[joint] + n;
    }
    return -1;
}

static void measure_joint(const tn_coords *c, int32_t j, double *q)
{
    const tn_joint_geometry *geometry = &c->model->joints[j].geometry;
    if (j >= c->model->joint_count) {
        q[0] = c->sys->kin[j].moving->q[0];
    } else if (geometry->cls->info.coordinate_count > 0) {
        geometry->cls->pose_to_coordinates(&geometry->setup, &c->sys->kin[j].T_GD,
                                           c->state->coordinates + (size_t)j * TN_MAX_COORDINATES,
                                           q);
    }
}

void tn_coords_measure(tn_coords *c)
{
    for (int32_t j = 0; j < c->model->element_count; j++) {
        if (!c->in[j])
            continue;
        double q[TN_MAX_COORDINATES] = {0};
        measure_joint(c, j, q);
        for (int32_t i = 0; i < c->model->joints[j].geometry.cls->info.coordinate_count; i++)
            c->state->coordinates[j * TN_MAX_COORDINATES + i] = q[i];
    }
}

/* Where loops have gaps (solve/singular.h) the errors of their rows are counted from there. */
static double gap_of(const tn_coords *c, int32_t j, int32_t n)
{
    return tn_gap_is_on(c->state) ? c->sys->gap[c->sys->layout->y_offset[j] + n] : 0.0;
}

double tn_coords_error_of(const tn_coords *c, int32_t joint)
{
    const tn_switches *s = &c->state->switches[joint];
    const double *slot = c->sys->phi + c->sys->layout->y_offset[joint];
    double worst = 0.0;
    for (int32_t n = 0; n < s->active_count; n++) {
        if (!is_soft(c, joint, s->active[n]) && !isnan(worst) && !(fabs(slot[n]) <= worst))
            worst = fabs(slot[n]);
    }
    return worst;
}

double tn_coords_errors(tn_coords *c)
{
    double worst = 0.0;
    for (int32_t j = 0; j < c->model->element_count; j++) {
        const tn_switches *s = &c->state->switches[j];
        double *slot = c->sys->phi + c->sys->layout->y_offset[j];
        double q[TN_MAX_COORDINATES] = {0};
        if (s->active_count > 0)
            measure_joint(c, j, q);
        for (int32_t n = 0; n < s->active_count; n++) {
            const int32_t row = s->active[n], i = motion_of(c, j, row);
            if (is_idle(c, j, row) ||
                tn_joint_row_vanished(&c->model->joints[j].geometry, &c->sys->kin[j], row)) {
                slot[n] = 0.0;
            } else if (is_bilateral(c, j, row)) {
                slot[n] = tn_joint_row_error(&c->model->joints[j].geometry, &c->sys->kin[j], row) -
                          gap_of(c, j, n);
            } else {
                slot[n] = q[i] - c->target[j * TN_MAX_COORDINATES + i];
            }
        }
        const double own = tn_coords_error_of(c, j);
        if (!isnan(worst) && !(own <= worst))
            worst = own;
    }
    return worst;
}

/* Bodies that are held have no columns. */
static void cut_held_bodies(tn_coords *c)
{
    const tn_kkt_layout *layout = c->sys->layout;
    for (int32_t j = 0; j < c->model->element_count; j++) {
        const int32_t rows = c->sys->values->rows[j];
        for (int32_t k = layout->dual_start[j]; k < layout->dual_start[j + 1]; k++) {
            const int32_t body = layout->dual_primal[k];
            if (layout->g_offset[k] >= 0 && !c->moves[body]) {
                memset(c->sys->values->g + layout->g_offset[k], 0,
                       sizeof(double) * (size_t)(rows * layout->primal_dim[body]));
            }
        }
    }
}

static void damp_rows(tn_coords *c, double damping)
{
    for (int32_t j = 0; j < c->model->element_count; j++) {
        const tn_switches *s = &c->state->switches[j];
        const int64_t slot = c->sys->layout->y_offset[j];
        for (int32_t n = 0; n < s->active_count; n++) {
            if (!is_soft(c, j, s->active[n])) {
                c->sys->values->r[slot + n] = damping * c->sys->values->a[slot + n];
            } else {
                c->sys->values->r[slot + n] += damping * c->sys->values->a[slot + n];
            }
            if (is_idle(c, j, s->active[n]) || (c->looks && is_soft(c, j, s->active[n])))
                c->sys->values->r[slot + n] = TN_COORDS_LEFT_OUT * c->sys->values->a[slot + n];
            /* a held body leaves less to a row than its scale says, and joints that are rigid for
             * the stepper need not be independent once bodies are held */
            c->sys->values->e[slot + n] =
                c->sys->values->a[slot + n] * (is_bilateral(c, j, s->active[n])
                                                   ? fmax(TN_EPSILON, c->state->head->gap_epsilon)
                                                   : TN_EPSILON);
        }
    }
}

tn_status tn_coords_factor(tn_coords *c, double damping)
{
    int32_t node;
    tn_assemble_mass(c->sys, NULL, 0.0, NULL);
    tn_coords_add_targets(c);
    tn_assemble_jacobian(c->sys, c->state);
    cut_held_bodies(c);
    tn_assemble_row_law(c->sys, c->state, &correction_law);
    damp_rows(c, damping);
    memset(c->sys->f, 0, sizeof(double) * (size_t)c->sys->layout->u_size);
    memset(c->sys->g, 0, sizeof(double) * (size_t)c->sys->layout->y_size);
    const tn_status spent = tn_spend(&c->factorizations, TN_MOST_FACTORIZATIONS);
    if (spent != TN_OK)
        return spent;
    return tn_kkt_factorize(c->model->kkt, c->sys->values, c->sys->factor, &node);
}

tn_status tn_coords_solve(tn_coords *c)
{
    const bool gaps = tn_gap_is_on(c->state); /* else poses are closed to round-off */
    int32_t solves = 0;
    return tn_singular_solve(&c->singular, c->sys->f, c->sys->g, c->sys->du, c->sys->y,
                             gaps ? tn_singular_reach(gaps, c->model->loop_joints) : 0.0,
                             TN_SOLVE_TOLERANCE, NULL, &solves);
}

void tn_coords_advance(tn_coords *c, const double *d, double scale)
{
    for (int32_t i = 0; i < c->model->body_count; i++) {
        if (c->moves[i])
            tn_body_move(&c->model->bodies[i], d, scale, &c->state->x[i], &c->state->q[i]);
    }
}

/* What no motion takes away of the errors at this pose becomes the rows' new zero. Each round
 * leaves the square of the one before; the part that can be closed goes to nothing as Newton closes
 * it. */
static void take_gap(tn_coords *c)
{
    double *gap = c->sys->gap, *rest = c->gap_rows, *d = rest + c->sys->layout->y_size;
    int32_t solves = 0;
    for (int32_t j = 0; j < c->model->element_count; j++) {
        for (int32_t n = 0; n < c->state->switches[j].active_count; n++)
            gap[c->sys->layout->y_offset[j] + n] = 0.0;
    }
    for (int round = 0; round < TN_NEWTON_PASSES; round++) {
        tn_coords_errors(c);
        memset(rest, 0, sizeof(double) * (size_t)c->sys->layout->y_size);
        for (int32_t j = 0; j < c->model->element_count; j++) {
            for (int32_t n = 0; n < c->state->switches[j].active_count; n++) {
                const int64_t slot = c->sys->layout->y_offset[j] + n;
                rest[slot] = c->sys->phi[slot];
            }
        }
        tn_singular_out_of_reach(&c->singular, rest, d, &solves);
        for (int32_t j = 0; j < c->model->element_count; j++) {
            for (int32_t n = 0; n < c->state->switches[j].active_count; n++) {
                if (is_bilateral(c, j, c->state->switches[j].active[n]))
                    gap[c->sys->layout->y_offset[j] + n] += d[c->sys->layout->y_offset[j] + n];
            }
        }
    }
}

void tn_coords_keep_in_reach(tn_coords *c)
{
    int32_t solves = 0;
    if (tn_gap_is_on(c->state))
        tn_singular_keep_in_reach(&c->singular, c->sys->g, &solves);
}

tn_status tn_coords_correct(tn_coords *c, double tolerance, int32_t passes, double *error)
{
    tn_coords_refresh(c);
    *error = tn_coords_errors(c);
    for (int32_t pass = 0; pass<passes && * error> tolerance; pass++) {
        tn_status status = tn_coords_factor(c, 0.0);
        if (status != TN_OK)
            return status;
        if (tn_gap_is_on(c->state)) {
            take_gap(c);
            *error = tn_coords_errors(c);
            if (*error <= tolerance)
                break;
        }
        for (int64_t k = 0; k < c->sys->layout->y_size; k++)
            c->sys->g[k] = -c->sys->phi[k];
        status = tn_coords_solve(c);
        if (status != TN_OK)
            return status;
        tn_coords_keep_pose(c, TN_POSE_TRIED);
        tn_coords_advance(c, c->sys->du, 1.0);
        tn_coords_refresh(c);
        const double before = *error;
        *error = tn_coords_errors(c);
        if (*error <= TN_COORDS_LEAST_GAIN * before)
            continue;
        if (!(*error < before)) { /* no better: keep what was */
            tn_coords_take_pose(c, TN_POSE_TRIED);
            tn_coords_refresh(c);
            *error = tn_coords_errors(c);
        }
        break;
    }
    return TN_OK;
}

/* With u the least-energy answer to f = G_r^T on the free motions, G_r u over G_r M^-1 G_r^T. Each f is scaled by
 * its row, so that light mechanisms and heavy ones are solved to the same share. */
tn_status tn_coords_freedoms(tn_coords *c, const int32_t *at, int32_t count, double *freedom)
{
    c->looks = true; /* what yields leaves freedom, however stiff it is */
    tn_coords_activate(c);
    tn_status status = tn_coords_factor(c, 0.0);
    c->looks = false;
    memset(c->lambda, 0, sizeof(double) * (size_t)c->sys->layout->y_size);
    bool any = false;
    for (int32_t n = 0; n < count; n++) {
        const int64_t slot =
            tn_coords_slot(c, at[n] / TN_MAX_COORDINATES, at[n] % TN_MAX_COORDINATES);
        freedom[n] = 0.0;
        any |= slot >= 0;
        if (slot >= 0)
            c->lambda[slot] = 1.0 / sqrt(c->sys->values->a[slot]);
    }
    if (status != TN_OK || !any)
        return status;
    tn_kkt_apply_gt(c->model->kkt, c->sys->values, c->lambda, c->sys->f);
    status = tn_coords_solve(c);
    tn_kkt_apply_g(c->model->kkt, c->sys->values, c->sys->du, c->lambda);
    for (int32_t n = 0; n < count; n++) {
        const int64_t slot =
            tn_coords_slot(c, at[n] / TN_MAX_COORDINATES, at[n] % TN_MAX_COORDINATES);
        if (slot >= 0)
            freedom[n] = c->lambda[slot] / sqrt(c->sys->values->a[slot]);
    }
    return status;
}

tn_status tn_coords_freedom(tn_coords *c, int32_t joint, int32_t coordinate, double *freedom)
{
    const int32_t at = joint * TN_MAX_COORDINATES + coordinate;
    const int8_t was = c->hold[at];
    c->hold[at] = TN_KEEP_IDLE;
    const tn_status status = tn_coords_freedoms(c, &at, 1, freedom);
    c->hold[at] = was;
    tn_coords_activate(c);
    return status;
}
