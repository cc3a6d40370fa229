/* speeds.c: room coords: coordinates set to speeds, joints kept.
 *
 *     min 1/2 |du|_M^2   with   G (u + du) = 0        joints and locks
 *                               W (u + du) = speed    requested coordinates
 *                               W du = 0              joints that keep their own speeds
 * A request may also be for a motion that no coordinate counts, as those of a ball joint: they have
 * the numbers behind the coordinates. One solve. Requests are admitted one by one, each if the rows
 * before leave it freedom, those of mechanisms that share no moving body side by side. A coordinate at
 * the end of its range that would go on outwards is held there and all is done again; at most once for
 * each such coordinate.
 */
#include <math.h>
#include <string.h>

#include "assemble/elements.h"
#include "coords/coords.h"

/* Share of the fastest requested coordinate: faster than this outwards leaves the range. */
#define TN_OUTWARDS 1e-9
/* Relative error up to which a speed is met. */
#define TN_SPEED_MET 1e-9
/* Solves that take away what the first leaves; one or two are enough for links of 1e-10 of the mass of their neighbours. */
#define TN_SPEED_SOLVES 3

typedef struct tn_speed_task {
    const tn_coordinate_request *requests;
    int32_t count;
    double fastest; /* rad/s, m/s */
    int32_t rounds; /* of holding coordinates at the ends of their ranges */
} tn_speed_task;

static int32_t at_of(const tn_coords *c, const tn_coordinate_request *r)
{
    return tn_coords_element(c, r) * TN_MAX_COORDINATES + r->coordinate;
}

/* Speed of the motion row of a coordinate. */
static double speed_of(const tn_coords *c, const double *u, int32_t at)
{
    const int32_t j = at / TN_MAX_COORDINATES;
    const int8_t row = (int8_t)tn_motion_row(&c->model->joints[j], at % TN_MAX_COORDINATES);
    double speed;
    tn_element_ops_of(c->sys, j)->speeds(c->sys, j, u, (tn_row_list){&row, 1}, &speed);
    return speed;
}

/* Would coordinate `at` leave its range at this speed? What no coordinate counts has none. */
static bool leaves(const tn_coords *c, int32_t at, double speed, double least)
{
    const int32_t j = at / TN_MAX_COORDINATES;
    if (at % TN_MAX_COORDINATES >= c->model->joints[j].geometry.cls->info.coordinate_count)
        return false;
    const double q = c->state->coordinates[at];
    return (q >= c->upper[at] - TN_COORDS_MET && speed > least) ||
           (q <= c->lower[at] + TN_COORDS_MET && speed < -least);
}

/* Sorts the requests; checks only each coordinate's own range. */
static void sort_requests(tn_coords *c, const tn_speed_task *task)
{
    for (int32_t k = 0; k < task->count; k++)
        c->priority[at_of(c, &task->requests[k])] = -1;
    for (int32_t k = 0; k < task->count; k++) {
        const tn_coordinate_request *r = &task->requests[k];
        const int32_t at = at_of(c, r);
        if (c->priority[at] >= 0) /* requested twice: the first counts */
            continue;
        c->priority[at] = k;
        c->goal[at] = r->value;
        c->outcome[at] = TN_COORDINATE_DEPENDENT;
        if (c->hold[at] == TN_KEEP_LOCK || !c->in[tn_coords_element(c, r)] ||
            c->tree.block[tn_coords_element(c, r)] < 0)
            continue;
        c->hold[at] = TN_KEEP_IDLE;
        c->outcome[at] = TN_COORDINATE_SET;
        if (leaves(c, at, r->value, 0.0)) {
            c->goal[at] = 0.0;
            c->outcome[at] = TN_COORDINATE_LIMITED;
        }
    }
}

/* Does a body, if it moves, do so in all six ways? */
static bool feels_all(const tn_model *model, int32_t body)
{
    return body < 0 || model->bodies[body].dim == 6 || model->bodies[body].dim == 0;
}

/* True if the coordinate is the only motion of a joint outside loops, between bodies that move in space. It is then
 * free, independent of other requests. */
static bool is_free_alone(const tn_coords *c, int32_t at)
{
    const tn_model_joint *joint = &c->model->joints[at / TN_MAX_COORDINATES];
    const int32_t block = c->tree.block[at / TN_MAX_COORDINATES];
    const bool in_space = feels_all(c->model, joint->a) && feels_all(c->model, joint->b);
    return c->tree.joint_count[block] == 1 && joint->kept_count - joint->kept_bilateral == 1 &&
           at / TN_MAX_COORDINATES < c->model->joint_count && in_space;
}

/* What the mechanisms leave free, each by itself. */
static tn_status admit_requests(tn_coords *c, const tn_speed_task *task)
{
    for (int32_t k = 0; k < task->count; k++) {
        const int32_t at = at_of(c, &task->requests[k]);
        if (c->hold[at] == TN_KEEP_IDLE && is_free_alone(c, at))
            c->hold[at] = TN_KEEP_REQUEST;
    }
    tn_tree_components(&c->tree, c->set);
    return tn_coords_admit(c, task->requests, task->count,
                           task->rounds > 0 ? TN_COORDINATE_LIMITED : TN_COORDINATE_DEPENDENT);
}

/* The wanted speed of an active row: NAN where it is to stay as it is. */
static double wanted(const tn_coords *c, int32_t j, int32_t row)
{
    const int32_t i = row - c->model->joints[j].geometry.cls->info.bilateral_count;
    if (i < 0)
        return c->state->switches[j].compliance[row] > 0.0 ? (double)NAN : 0.0;
    const int32_t at = j * TN_MAX_COORDINATES + i;
    if (c->hold[at] == TN_KEEP_REQUEST)
        return c->goal[at];
    if (c->hold[at] == TN_KEEP_FREE)
        return (double)NAN;
    if (c->state->switches[j].hold[i] != TN_HOLD_DRIVER)
        return 0.0;
    return tn_state_drive(c->state, j, i)->rate; /* a prescribed motion goes on */
}

/* What active rows are to change their speeds by, into sys->g. Out: the largest (rad/s, m/s). */
static double find_misses(tn_coords *c)
{
    double largest = 0.0;
    tn_assemble_speeds(c->sys, c->state, c->state->u, c->lambda);
    for (int32_t j = 0; j < c->model->element_count; j++) {
        const tn_switches *s = &c->state->switches[j];
        const int64_t slot = c->sys->layout->y_offset[j];
        for (int32_t n = 0; n < s->active_count; n++) {
            const double speed = wanted(c, j, s->active[n]);
            c->sys->g[slot + n] = isnan(speed) ? 0.0 : speed - c->lambda[slot + n];
            largest = fmax(largest, fabs(c->sys->g[slot + n]));
        }
    }
    return largest;
}

/* du of the head comment into sys->du. */
static tn_status solve_change(tn_coords *c)
{
    tn_coords_activate(c);
    const tn_status status = tn_coords_factor(c, 0.0);
    find_misses(c);
    return status == TN_OK ? tn_coords_solve(c) : status;
}

/* Holds what is free, at the end of its range and would leave it; how many. */
static int32_t hold_at_ends(tn_coords *c, const tn_speed_task *task)
{
    int32_t held = 0;
    double *u = c->tangent;
    for (int64_t k = 0; k < c->sys->layout->u_size; k++)
        u[k] = c->state->u[k] + c->sys->du[k];
    for (int32_t j = 0; j < c->model->element_count; j++) {
        for (int32_t i = 0; i < c->model->joints[j].geometry.cls->info.coordinate_count; i++) {
            const int32_t at = j * TN_MAX_COORDINATES + i;
            if (!c->in[j] || c->carried[j] || c->hold[at] != TN_KEEP_FREE ||
                !leaves(c, at, speed_of(c, u, at), TN_OUTWARDS * task->fastest))
                continue;
            c->hold[at] = TN_KEEP_LIMIT;
            held++;
        }
    }
    return held;
}

/* Requests that were met wait again for the next round. */
static void ask_again(tn_coords *c, const tn_speed_task *task)
{
    for (int32_t k = 0; k < task->count; k++) {
        if (c->hold[at_of(c, &task->requests[k])] == TN_KEEP_REQUEST)
            c->hold[at_of(c, &task->requests[k])] = TN_KEEP_IDLE;
    }
}

/* Each round but the last holds one more at the end of its range. */
static tn_status find_change(tn_coords *c, tn_speed_task *task)
{
    for (;; task->rounds++) {
        tn_status status = admit_requests(c, task);
        if (status == TN_OK)
            status = solve_change(c);
        if (status != TN_OK || hold_at_ends(c, task) == 0)
            return status;
        ask_again(c, task);
    }
}

static void add_change(tn_coords *c, double times)
{
    for (int64_t k = 0; k < c->sys->layout->u_size; k++)
        c->state->u[k] += times * c->sys->du[k];
}

/* The change into the velocities, all of it into sys->du. Rows of links of next to no mass are met to their own scale, which
 * is loose beside heavy bodies: what is left is solved for again, with the same factor, as long as it becomes less. */
static tn_status take_change(tn_coords *c, const tn_speed_task *task)
{
    const double enough = TN_SPEED_MET * fmax(1.0, task->fastest);
    add_change(c, 1.0);
    double left = find_misses(c);
    for (int32_t n = 0; n < TN_SPEED_SOLVES && left > enough; n++) {
        const double before = left;
        const tn_status status = tn_coords_solve(c);
        if (status != TN_OK)
            return status;
        add_change(c, 1.0);
        left = find_misses(c);
        if (!(left < before)) {
            add_change(c, -1.0);
            break;
        }
    }
    for (int64_t k = 0; k < c->sys->layout->u_size; k++)
        c->sys->du[k] = c->state->u[k] - c->saved.u[k];
    return TN_OK;
}

static void answer(const tn_coords *c, const tn_speed_task *task, tn_coordinate_answer *answers,
                   int *all_set)
{
    *all_set = 1;
    for (int32_t k = 0; k < task->count; k++) {
        const tn_coordinate_request *r = &task->requests[k];
        const int32_t at = at_of(c, r);
        tn_coordinate_answer a = {TN_COORDINATE_DEPENDENT, speed_of(c, c->state->u, at)};
        if (c->priority[at] == k)
            a.outcome = (tn_coordinate_outcome)c->outcome[at];
        if (a.outcome == TN_COORDINATE_SET &&
            !(fabs(a.value - r->value) <= TN_SPEED_MET * fmax(1.0, task->fastest)))
            a.outcome = TN_COORDINATE_DEPENDENT;
        *all_set &= a.outcome == TN_COORDINATE_SET;
        if (answers)
            answers[k] = a;
    }
}

static void enter(tn_coords *c, const tn_speed_task *task, const tn_coordinate_options *options)
{
    tn_state_copy(&c->saved, c->state);
    c->steps = c->factorizations = 0;
    c->beyond = -1;
    tn_tree_build(c->model, c->state, -1, &c->tree);
    tn_coords_enter_whole(c);
    if (!options->others_follow) {
        memset(c->outcome, 0,
               (size_t)c->model->element_count); /* scratch: which joints are moved */
        for (int32_t k = 0; k < task->count; k++)
            c->outcome[tn_coords_element(c, &task->requests[k])] = 1;
        tn_coords_carry_others(c, c->outcome);
    }
    sort_requests(c, task);
}

tn_status tn_coords_set_speeds(tn_coords *c, const tn_coordinate_request *requests, int32_t count,
                               const tn_coordinate_options *options, tn_coordinate_answer *answers,
                               tn_placement_report *report)
{
    const tn_coordinate_options defaults = tn_default_coordinate_options();
    tn_speed_task task = {.requests = requests, .count = count};
    int all_set;
    options = options ? options : &defaults;
    tn_status status = tn_coords_check(c, requests, count, options, true);
    if (status != TN_OK || count == 0)
        return report->status = status;
    for (int32_t k = 0; k < count; k++)
        task.fastest = fmax(task.fastest, fabs(requests[k].value));
    enter(c, &task, options);
    status = find_change(c, &task);
    if (status == TN_OK)
        status = take_change(c, &task);
    answer(c, &task, answers, &all_set);
    tn_coords_write_switches(c);
    c->state->head->restart = 1;
    if (status == TN_OK && options->all_or_nothing && !all_set)
        status = TN_ERROR_CONFLICT;
    tn_coords_report(c, report);
    if (status == TN_OK) {
        tn_coords_report_change(c, c->sys->du, report);
    } else {
        tn_state_copy(c->state, &c->saved);
    }
    return report->status = status;
}
