/* poses.c: room coords: workspace, keeping and comparing poses, the report. */
#include <math.h>
#include <string.h>

#include "real/real.h"
#include "base/base.h"
#include "coords/coords.h"

/* m or rad: a joint with a larger error is listed as open. */
#define TN_OPEN_ERROR 1e-10

static tn_status allocate(tn_coords *c)
{
    const tn_model *model = c->model;
    const int64_t slots = (int64_t)model->element_count * TN_MAX_COORDINATES;
    int complete = 1;
    for (int k = 0; k < TN_POSE_COUNT; k++) {
        c->x[k] = TN_NEW_ARRAY(tn_vec3, model->body_count);
        c->q[k] = TN_NEW_ARRAY(tn_quat, model->body_count);
        complete = complete && c->x[k] && c->q[k];
    }
    c->hold = TN_NEW_ARRAY(int8_t, slots);
    c->kept_hold = TN_NEW_ARRAY(int8_t, slots);
    c->priority = TN_NEW_ARRAY(int32_t, slots);
    c->target = TN_NEW_ARRAY(double, slots);
    c->goal = TN_NEW_ARRAY(double, slots);
    c->lower = TN_NEW_ARRAY(double, slots);
    c->upper = TN_NEW_ARRAY(double, slots);
    c->coordinate = TN_NEW_ARRAY(double, slots);
    c->begin = TN_NEW_ARRAY(double, slots);
    c->outcome = TN_NEW_ARRAY(int8_t, slots);
    c->rate = TN_NEW_ARRAY(double, slots);
    c->second = TN_NEW_ARRAY(double, slots);
    c->in = TN_NEW_ARRAY(int8_t, model->element_count);
    c->carried = TN_NEW_ARRAY(int8_t, model->element_count);
    c->moves = TN_NEW_ARRAY(int8_t, model->body_count);
    c->mover = TN_NEW_ARRAY(int32_t, model->body_count);
    c->motion = TN_NEW_ARRAY(tn_motion, model->body_count);
    c->next = TN_NEW_ARRAY(int32_t, slots);
    c->followed = TN_NEW_ARRAY(int8_t, model->body_count + 1);
    c->set = TN_NEW_ARRAY(int32_t, model->body_count + 1);
    c->first = TN_NEW_ARRAY(int32_t, model->body_count + 1);
    c->round = TN_NEW_ARRAY(int32_t, model->body_count + 1);
    c->freedom = TN_NEW_ARRAY(double, model->body_count + 1);
    c->tangent = TN_NEW_ARRAY(double, model->size.velocities);
    c->true_tangent = TN_NEW_ARRAY(double, model->size.velocities);
    c->last = TN_NEW_ARRAY(double, model->size.velocities);
    c->kept_last = TN_NEW_ARRAY(double, model->size.velocities);
    c->pull = TN_NEW_ARRAY(double, model->size.velocities);
    c->lambda = TN_NEW_ARRAY(double, c->sys->layout->y_size);
    c->gap_rows = TN_NEW_ARRAY(double, 2 * c->sys->layout->y_size);
    c->kept_gap = TN_NEW_ARRAY(double, c->sys->layout->y_size);
    complete = complete && c->hold && c->priority && c->target && c->goal && c->lower && c->upper &&
               c->coordinate && c->begin && c->outcome && c->in && c->carried && c->moves &&
               c->tangent && c->true_tangent && c->last && c->pull && c->lambda && c->rate &&
               c->second && c->kept_last && c->mover && c->motion && c->gap_rows && c->kept_gap &&
               c->kept_hold && c->next && c->followed && c->set && c->first && c->round &&
               c->freedom;
    return complete
               ? tn_singular_create(model->kkt, c->sys->values, c->sys->factor, NULL, &c->singular)
               : TN_ERROR_MEMORY;
}

tn_status tn_coords_create(const tn_model *model, tn_state *state, tn_system *sys, tn_coords **out)
{
    *out = NULL;
    tn_coords *c = TN_NEW(tn_coords);
    if (!c)
        return TN_ERROR_MEMORY;
    c->model = model;
    c->state = state;
    c->sys = sys;
    tn_status status = allocate(c);
    if (status == TN_OK)
        status = tn_tree_create(model, &c->tree);
    if (status == TN_OK)
        status = tn_state_create(model, state->memory_size, &c->saved);
    if (status != TN_OK) {
        tn_coords_destroy(c);
    } else {
        *out = c;
    }
    return status;
}

void tn_coords_destroy(tn_coords *c)
{
    if (!c)
        return;
    for (int k = 0; k < TN_POSE_COUNT; k++) {
        tn_free(c->x[k]);
        tn_free(c->q[k]);
    }
    tn_free(c->hold);
    tn_free(c->kept_hold);
    tn_free(c->priority);
    tn_free(c->target);
    tn_free(c->goal);
    tn_free(c->lower);
    tn_free(c->upper);
    tn_free(c->next);
    tn_free(c->followed);
    tn_free(c->set);
    tn_free(c->first);
    tn_free(c->round);
    tn_free(c->freedom);
    tn_free(c->coordinate);
    tn_free(c->begin);
    tn_free(c->outcome);
    tn_free(c->rate);
    tn_free(c->second);
    tn_free(c->in);
    tn_free(c->carried);
    tn_free(c->moves);
    tn_free(c->mover);
    tn_free(c->motion);
    tn_free(c->tangent);
    tn_free(c->true_tangent);
    tn_free(c->last);
    tn_free(c->kept_last);
    tn_free(c->pull);
    tn_free(c->lambda);
    tn_free(c->gap_rows);
    tn_singular_destroy(&c->singular);
    tn_free(c->kept_gap);
    tn_tree_destroy(&c->tree);
    tn_state_destroy(&c->saved);
    tn_free(c);
}

void tn_coords_save(tn_coords *c)
{
    tn_state_copy(&c->saved, c->state);
    if (tn_gap_is_on(c->state)) /* else it may have no room */
        memcpy(c->kept_gap, c->sys->gap, sizeof(double) * (size_t)c->sys->layout->y_size);
}

void tn_coords_restore(tn_coords *c)
{
    tn_state_copy(c->state, &c->saved);
    if (tn_gap_is_on(c->state))
        memcpy(c->sys->gap, c->kept_gap, sizeof(double) * (size_t)c->sys->layout->y_size);
    tn_coords_refresh(c);
}

static void copy_direction(tn_coords *c, double *to, const double *from, int pose_to, int pose_from)
{
    memcpy(to, from, sizeof(double) * (size_t)c->model->size.velocities);
    memcpy(c->x[pose_to], c->x[pose_from], sizeof(tn_vec3) * (size_t)c->model->body_count);
    memcpy(c->q[pose_to], c->q[pose_from], sizeof(tn_quat) * (size_t)c->model->body_count);
}

void tn_coords_remember(tn_coords *c)
{
    copy_direction(c, c->kept_last, c->last, TN_POSE_KEPT, TN_POSE_END);
    c->kept_has_last = c->has_last;
    c->kept_last_key = c->last_key;
    c->kept_last_way = c->last_way;
}

void tn_coords_recall(tn_coords *c)
{
    copy_direction(c, c->last, c->kept_last, TN_POSE_END, TN_POSE_KEPT);
    c->has_last = c->kept_has_last;
    c->last_key = c->kept_last_key;
    c->last_way = c->kept_last_way;
}

void tn_coords_keep_pose(tn_coords *c, int which)
{
    memcpy(c->x[which], c->state->x, sizeof(tn_vec3) * (size_t)c->model->body_count);
    memcpy(c->q[which], c->state->q, sizeof(tn_quat) * (size_t)c->model->body_count);
}

void tn_coords_take_pose(tn_coords *c, int which)
{
    memcpy(c->state->x, c->x[which], sizeof(tn_vec3) * (size_t)c->model->body_count);
    memcpy(c->state->q, c->q[which], sizeof(tn_quat) * (size_t)c->model->body_count);
}

int tn_coords_is_pose(const tn_coords *c, int which)
{
    const size_t n = (size_t)c->model->body_count;
    return memcmp(c->state->x, c->x[which], sizeof(tn_vec3) * n) == 0 &&
           memcmp(c->state->q, c->q[which], sizeof(tn_quat) * n) == 0;
}

/* Rotation vector from one orientation to another, in the axes of the first. */
tn_vec3 tn_coords_turn(tn_quat from, tn_quat to)
{
    const tn_quat back = {from.w, -from.x, -from.y, -from.z};
    tn_quat d = q_mul(back, to);
    if (d.w < 0.0)
        d = (tn_quat){-d.w, -d.x, -d.y, -d.z};
    const tn_vec3 v = {d.x, d.y, d.z};
    const double s = v3_norm(v);
    return v3_scale(s > 0.0 ? 2.0 * tn_atan2(s, d.w) / s : 2.0, v);
}

void tn_coords_difference(const tn_coords *c, int which, double *d)
{
    for (int32_t i = 0; i < c->model->body_count; i++) {
        const tn_model_body *body = &c->model->bodies[i];
        const tn_motion_subspace *space = tn_motion_subspace_get(body->kind);
        double full[6];
        v3_store(full, v3_sub(c->state->x[i], c->x[which][i]));
        v3_store(full + 3, tn_coords_turn(c->q[which][i], c->state->q[i]));
        for (int32_t k = 0; k < space->dim; k++)
            d[body->u + k] = full[space->column[k]];
    }
}

double tn_coords_body_dot(const tn_coords *c, int32_t i, const double *a, const double *b)
{
    const tn_model_body *body = &c->model->bodies[i];
    tn_vec3 va, wa, vb, wb;
    if (body->dim == 0)
        return 0.0;
    tn_body_unpack(body, a, &va, &wa);
    tn_body_unpack(body, b, &vb, &wb);
    return body->mass * v3_dot(va, vb) + v3_dot(wa, m3_mulv(&body->J, wb));
}

double tn_coords_dot(const tn_coords *c, const double *a, const double *b)
{
    double sum = 0.0;
    for (int32_t i = 0; i < c->model->body_count; i++)
        sum += tn_coords_body_dot(c, i, a, b);
    return sum;
}

double tn_coords_norm(const tn_coords *c, const double *d)
{
    return sqrt(fmax(tn_coords_dot(c, d, d), 0.0));
}

/* A body has changed when its share of the change is more than this of all motion. */
#define TN_CHANGED 1e-9

static double least_change(const tn_coords *c)
{
    return TN_CHANGED * tn_coords_norm(c, c->saved.u);
}

double tn_coords_report_body_change(const tn_coords *c, const double *d, int32_t i, double least,
                                    tn_placement_report *report)
{
    const tn_model_body *body = &c->model->bodies[i];
    const double change = sqrt(fmax(tn_coords_body_dot(c, i, d, d), 0.0));
    if (!(change > least))
        return 0.0;
    tn_vec3 v, w;
    tn_body_unpack(body, d, &v, &w);
    report->velocity_change = fmax(report->velocity_change, v3_norm(v));
    report->spin_change = fmax(report->spin_change, v3_norm(w));
    report->changed_bodies++;
    return change;
}

void tn_coords_report_change(const tn_coords *c, const double *d, tn_placement_report *report)
{
    const double least = least_change(c);
    double most = 0.0;
    for (int32_t i = 0; i < c->model->body_count; i++) {
        const double change = tn_coords_report_body_change(c, d, i, least, report);
        if (change > most)
            report->changed_most.i = i;
        most = fmax(most, change);
    }
    report->energy_change = 0.5 * tn_coords_dot(c, d, d);
}

static void add_worst(const tn_coords *c, tn_placement_report *report, int32_t j, double error)
{
    int32_t k = report->worst_count;
    while (k > 0 && report->worst_error[k - 1] < error)
        k--;
    if (k == TN_MAX_WORST_JOINTS)
        return;
    if (report->worst_count < TN_MAX_WORST_JOINTS)
        report->worst_count++;
    for (int32_t n = report->worst_count - 1; n > k; n--) {
        report->worst_joint[n] = report->worst_joint[n - 1];
        report->worst_error[n] = report->worst_error[n - 1];
    }
    report->worst_joint[k] = tn_joint_of(c->model, j);
    report->worst_error[k] = error;
}

/* How far hard locks are from where they hold. */
static double lock_error(const tn_coords *c, int32_t j)
{
    const tn_model_joint *joint = &c->model->joints[j];
    const tn_switches *s = &c->state->switches[j];
    double worst = 0.0;
    for (int32_t n = joint->kept_bilateral; n < joint->kept_count; n++) {
        const int32_t i = joint->geometry.cls->info.rows[joint->kept[n]].coordinate;
        if (i < 0 || s->hold[i] != TN_HOLD_LOCK || s->compliance[joint->kept[n]] > 0.0)
            continue;
        const double error =
            fabs(c->state->coordinates[j * TN_MAX_COORDINATES + i] - s->hold_value[i]);
        worst = error > worst ? error : worst;
    }
    return worst;
}

/* The larger one; what is not finite is larger than all. */
static double larger(double error, double largest)
{
    return error <= largest ? largest : error;
}

static void report_errors(const tn_coords *c, tn_placement_report *report)
{
    const int gaps = tn_gap_is_on(c->state);
    for (int32_t j = 0; j < c->model->element_count; j++) {
        const tn_model_joint *joint = &c->model->joints[j];
        if (!tn_state_is_on(c->model, c->state, j))
            continue;
        double worst = lock_error(c, j);
        for (int32_t n = 0; n < joint->kept_bilateral; n++) {
            const int32_t row = joint->kept[n];
            if (c->state->switches[j].compliance[row] > 0.0)
                continue;
            const int linear = (joint->geometry.cls->info.rows[row].flags & TN_ROW_LINEAR) != 0;
            const double gap = gaps ? c->sys->gap[c->sys->layout->y_offset[j] + n] : 0.0;
            const double error =
                fabs(tn_joint_row_error(&joint->geometry, &c->sys->kin[j], row) - gap);
            double *largest = linear ? &report->position_error : &report->angle_error;
            double *open = linear ? &report->gap : &report->gap_angle;
            *largest = larger(error, *largest);
            *open = larger(fabs(gap), *open);
            worst = larger(error, worst);
        }
        if (!(worst <= TN_OPEN_ERROR))
            add_worst(c, report, j, worst);
    }
}

/* |sin| of half the angle between two orientations: grows with the angle. */
static double half_sine(tn_quat from, tn_quat to)
{
    const tn_quat back = {from.w, -from.x, -from.y, -from.z}, d = q_mul(back, to);
    return v3_norm(v3(d.x, d.y, d.z));
}

static void report_movement(const tn_coords *c, tn_placement_report *report)
{
    int32_t furthest = -1, most_turned = -1;
    double turn = 0.0;
    for (int32_t i = 0; i < c->model->body_count; i++) {
        if (v3_equal(c->state->x[i], c->saved.x[i]) && q_equal(c->state->q[i], c->saved.q[i]))
            continue;
        const double move = v3_norm(v3_sub(c->state->x[i], c->saved.x[i]));
        const double sine = half_sine(c->saved.q[i], c->state->q[i]);
        report->moved_bodies++;
        furthest = move > report->largest_move ? i : furthest;
        report->largest_move = larger(move, report->largest_move);
        most_turned = sine > turn ? i : most_turned;
        turn = larger(sine, turn);
    }
    report->moved_most.i = furthest >= 0 ? furthest : most_turned;
    if (most_turned >= 0) {
        report->largest_turn =
            v3_norm(tn_coords_turn(c->saved.q[most_turned], c->state->q[most_turned]));
    }
}

tn_placement_report tn_coords_empty_report(void)
{
    tn_placement_report report;
    memset(&report, 0, sizeof report);
    report.moved_most.i = -1;
    report.changed_most.i = -1;
    report.beyond_joint.i = -1;
    report.beyond_coordinate = -1;
    return report;
}

void tn_coords_report(tn_coords *c, tn_placement_report *report)
{
    *report = tn_coords_empty_report();
    if (c->beyond >= 0) {
        report->beyond_joint = tn_joint_of(c->model, c->beyond / TN_MAX_COORDINATES);
        report->beyond_coordinate = c->beyond % TN_MAX_COORDINATES;
        report->beyond = c->beyond_by;
    }
    report_errors(c, report);
    report_movement(c, report);
    report->converged = report->worst_count == 0;
    report->path_steps = c->steps;
    report->factorizations = c->factorizations;
}
