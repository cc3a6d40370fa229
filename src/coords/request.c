/* request.c: room coords: from requests to what each block of the mechanism has to do.
 *
 * Blocks are independent: a loop is followed with its inner end held, then everything that hangs on
 * it is carried along rigidly; joints outside loops are turned in one pass from the roots outwards.
 * Relative poses do not change when a whole side moves rigidly, so requests never disturb each
 * other, siblings included.
 */
#include <math.h>
#include <string.h>

#include "tenon/limits.h"

#include "coords/coords.h"

/* m, rad: a coordinate this near to the limit it was held at is still there. */
#define TN_HELD_DEADBAND 1e-10

#define TN_OPTIONS_COOKIE 0x7ec00d5u

static const char *const outcome_words[TN_COORDINATE_OUTCOME_COUNT] = {
#define TN_OUTCOME_WORD(id, word, text) word,
    TN_COORDINATE_OUTCOME_LIST(TN_OUTCOME_WORD)
#undef TN_OUTCOME_WORD
};

const char *tn_coordinate_outcome_word(tn_coordinate_outcome outcome)
{
    const int i = (int)outcome;
    return i >= 0 && i < (int)TN_COORDINATE_OUTCOME_COUNT ? outcome_words[i] : "?";
}

tn_coordinate_options tn_default_coordinate_options(void)
{
    tn_coordinate_options options;
    memset(&options, 0, sizeof options);
    options.cookie = TN_OPTIONS_COOKIE;
    return options;
}

tn_status tn_coords_check(const tn_coords *c, const tn_coordinate_request *requests, int32_t count,
                          const tn_coordinate_options *options, bool motions)
{
    if (count < 0 || (count > 0 && !requests) || options->cookie != TN_OPTIONS_COOKIE)
        return TN_ERROR_ARGUMENT;
    for (int32_t k = 0; k < count; k++) {
        const tn_coordinate_request *r = &requests[k];
        const int32_t j = tn_coords_element(c, r);
        if (j < 0)
            return TN_ERROR_ARGUMENT;
        const tn_joint_type_info *info = &c->model->joints[j].geometry.cls->info;
        const int32_t most =
            motions ? info->row_count - info->bilateral_count : info->coordinate_count;
        if (!TN_IN(r->coordinate, most))
            return TN_ERROR_ARGUMENT;
        if (!(fabs(r->value) <= TN_LARGEST_NUMBER))
            return TN_ERROR_NOT_FINITE;
    }
    return TN_OK;
}

static int32_t at_of(const tn_coords *c, const tn_coordinate_request *r)
{
    return tn_coords_element(c, r) * TN_MAX_COORDINATES + r->coordinate;
}

/* Joints between coupled joints keep their coordinates, unless these are requested. */
static void hold_links(tn_coords *c)
{
    for (int32_t j = 0; j < c->model->joint_count; j++) {
        for (int32_t i = 0, at = j * TN_MAX_COORDINATES;
             i < c->model->joints[j].geometry.cls->info.coordinate_count; i++, at++) {
            if (c->tree.link[j] && c->hold[at] == TN_KEEP_FREE) {
                c->hold[at] = TN_KEEP_LINK;
                c->target[at] = c->state->coordinates[at];
            }
        }
    }
}

/* Locks and ranges of the state. */
void tn_coords_read_switches_of(tn_coords *c, int32_t element)
{
    const tn_switches *s = &c->state->switches[element];
    for (int32_t i = 0, at = element * TN_MAX_COORDINATES; i < TN_MAX_COORDINATES; i++, at++) {
        c->hold[at] = tn_coords_kept(s, i);
        c->target[at] = s->hold_value[i];
        c->lower[at] = s->lower[i];
        c->upper[at] = s->upper[i];
        c->outcome[at] = TN_COORDINATE_SET;
    }
}

void tn_coords_read_switches(tn_coords *c)
{
    for (int32_t j = 0; j < c->model->element_count; j++)
        tn_coords_read_switches_of(c, j);
}

/* True if a coordinate held at a limit has left it. The restart checks limits anew. */
static bool has_left(const tn_switches *s, int32_t i, double q)
{
    return s->hold[i] >= TN_HOLD_LOWER && fabs(q - s->hold_value[i]) > TN_HELD_DEADBAND;
}

/* Writes the switches and their active rows back. Locks that were moved hold at the new values. */
void tn_coords_write_switches_of(tn_coords *c, int32_t element)
{
    tn_switches *s = tn_state_edit(c->state, element);
    for (int32_t i = 0; i < TN_MAX_COORDINATES; i++) {
        const int32_t at = element * TN_MAX_COORDINATES + i;
        const double q = c->state->coordinates[at];
        const int kept = s->hold[i] == TN_HOLD_LOCK || s->hold[i] == TN_HOLD_DRIVER;
        if (kept && c->hold[at] != TN_KEEP_LOCK) {
            s->hold_value[i] = q;
        } else if (!kept &&
                   (s->hold[i] < TN_HOLD_LOCK ? s->hold[i] != TN_HOLD_NONE : has_left(s, i, q))) {
            tn_state_hold(c->model, c->state, element, i, TN_HOLD_NONE);
        }
    }
    tn_state_update_active(c->model, c->state, element);
}

void tn_coords_write_switches(tn_coords *c)
{
    for (int32_t j = 0; j < c->model->element_count; j++)
        tn_coords_write_switches_of(c, j);
}

static bool has_motion(const tn_coords *c, int32_t joint, int32_t coordinate)
{
    const tn_model_joint *j = &c->model->joints[joint];
    for (int32_t n = j->kept_bilateral; n < j->kept_count; n++) {
        if (j->geometry.cls->info.rows[j->kept[n]].coordinate == coordinate)
            return true;
    }
    return false;
}

/* Requests of joints outside loops; those of loops wait (TN_KEEP_IDLE). */
static void sort_request(tn_coords *c, const tn_coordinate_request *r, int32_t priority)
{
    const int32_t j = tn_coords_element(c, r), at = at_of(c, r), block = c->tree.block[j];
    if (c->priority[at] >= 0) /* requested twice: the first counts */
        return;
    c->priority[at] = priority;
    c->goal[at] = fmax(c->lower[at], fmin(c->upper[at], r->value));
    if (c->goal[at] != r->value)
        c->outcome[at] = TN_COORDINATE_LIMITED;
    if (!tn_state_is_on(c->model, c->state, j)) {
        c->state->coordinates[at] = c->goal[at]; /* the joint is off: the value is only stored */
    } else if (block < 0 || !has_motion(c, j, r->coordinate)) {
        c->outcome[at] = TN_COORDINATE_DEPENDENT;
    } else {
        c->hold[at] = c->tree.joint_count[block] == 1 ? TN_KEEP_REQUEST : TN_KEEP_IDLE;
    }
}

void tn_coords_sort_requests(tn_coords *c, const tn_coordinate_request *requests, int32_t count)
{
    for (int32_t k = 0; k < count; k++)
        c->priority[at_of(c, &requests[k])] = -1;
    for (int32_t k = 0; k < count; k++)
        sort_request(c, &requests[k], k);
}

tn_box tn_coords_enter_joints(tn_coords *c, int32_t block)
{
    tn_box box = tn_empty_box();
    for (int32_t j = c->tree.first_joint[block]; j >= 0; j = c->tree.next_joint[j]) {
        const tn_model_joint *joint = &c->model->joints[j];
        c->in[j] = 1;
        if (j >= c->model->joint_count)
            continue;
        const tn_xform T_CW = xf_mul(tn_system_xform(c->sys, joint->a), &joint->geometry.T_CA);
        const tn_xform T_DW = xf_mul(tn_system_xform(c->sys, joint->b), &joint->geometry.T_DB);
        tn_box_add(&box, T_CW.p);
        tn_box_add(&box, T_DW.p);
    }
    return box;
}

/* Activates a block: its joints and couplings, and its bodies except the inner end. */
static void enter_block(tn_coords *c, int32_t block)
{
    memset(c->in, 0, (size_t)c->model->element_count);
    memset(c->carried, 0, (size_t)c->model->element_count);
    tn_box box = tn_coords_enter_joints(c, block);
    for (int32_t i = 0; i < c->model->body_count; i++) {
        c->moves[i] =
            c->model->bodies[i].dim > 0 && c->tree.leader[i] == block && c->tree.parent[i] >= 0;
        if (c->moves[i])
            tn_box_add(&box, c->state->x[i]);
    }
    c->size = tn_box_diagonal(&box); /* all in one point: any length will do */
}

/* Releases a block that has been placed, so that it does not affect the others. */
void tn_coords_release_block(tn_coords *c, int32_t block)
{
    for (int32_t j = c->tree.first_joint[block]; j >= 0; j = c->tree.next_joint[j]) {
        for (int32_t i = 0; i < TN_MAX_COORDINATES; i++) {
            int8_t *hold = &c->hold[j * TN_MAX_COORDINATES + i];
            if (*hold != TN_KEEP_LOCK)
                *hold = TN_KEEP_FREE;
        }
    }
}

/* Carries along what hangs on a block that has been placed. */
static void carry_from(tn_coords *c, int32_t block)
{
    memset(c->followed, 0, (size_t)c->tree.nodes);
    c->followed[block] = 1;
    tn_coords_carry_blocks(c);
}

/* All requests of the block that request k belongs to. */
static tn_status set_block(tn_coords *c, int32_t k, const tn_coordinate_request *requests,
                           int32_t count)
{
    const int32_t block = c->tree.block[tn_coords_element(c, &requests[k])];
    enter_block(c, block);
    tn_coords_keep_pose(c, TN_POSE_BLOCK);
    tn_status status = tn_coords_pull_into_ranges(c, block);
    for (int32_t i = 0; i < c->tree.nodes; i++)
        c->set[i] = i == block ? 0 : -1;
    if (status == TN_OK)
        status = tn_coords_admit(c, requests, count, TN_COORDINATE_SINGULAR);
    if (status == TN_OK)
        status = tn_coords_follow(c, block, c->outcome);
    if (status == TN_OK)
        carry_from(c, block);
    if (status == TN_OK && c->beyond < 0)
        c->beyond = tn_coords_find_beyond(c, block, &c->beyond_by);
    tn_coords_release_block(c, block);
    tn_coords_refresh(c);
    return status;
}

static tn_status place(tn_coords *c, const tn_coordinate_request *requests, int32_t count)
{
    const tn_status together = tn_coords_place_together(c, requests, count);
    if (together != TN_OK)
        return together;
    for (int32_t k = 0; k < count; k++) {
        if (c->hold[at_of(c, &requests[k])] != TN_KEEP_IDLE)
            continue;
        const tn_status status = set_block(c, k, requests, count);
        if (status != TN_OK)
            return status;
    }
    tn_coords_turn_bridges(c);
    return TN_OK;
}

/* World angular velocities stay: w <- R_new^T R_old w. */
void tn_coords_keep_velocities(tn_coords *c)
{
    for (int32_t i = 0; i < c->model->body_count; i++) {
        const tn_model_body *body = &c->model->bodies[i];
        if (body->dim != 6 || q_equal(c->saved.q[i], c->state->q[i]))
            continue;
        double *w = c->state->u + body->u + 3;
        const tn_mat3 before = q_to_m3(c->saved.q[i]), after = q_to_m3(c->state->q[i]);
        v3_store(w, m3_tmulv(&after, m3_mulv(&before, v3_load(w))));
    }
}

static void answer(const tn_coords *c, const tn_coordinate_request *requests, int32_t count,
                   tn_coordinate_answer *answers)
{
    for (int32_t k = 0; k < count; k++) {
        const int32_t at = at_of(c, &requests[k]);
        answers[k].value = c->state->coordinates[at];
        answers[k].outcome =
            c->priority[at] == k ? (tn_coordinate_outcome)c->outcome[at] : TN_COORDINATE_DEPENDENT;
    }
}

/* Marks requests for values that a coordinate cannot have in any range, such as a negative tilt, as limited. */
static void check_met(tn_coords *c, const tn_coordinate_request *requests, int32_t count)
{
    for (int32_t k = 0; k < count; k++) {
        const int32_t at = at_of(c, &requests[k]);
        const double off = fabs(c->state->coordinates[at] - requests[k].value);
        if (c->priority[at] == k && c->outcome[at] == TN_COORDINATE_SET &&
            off > TN_COORDS_MET * fmax(1.0, fabs(requests[k].value)))
            c->outcome[at] = TN_COORDINATE_LIMITED;
    }
}

static int all_set(const tn_coords *c, const tn_coordinate_request *requests, int32_t count)
{
    for (int32_t k = 0; k < count; k++) {
        if (c->outcome[at_of(c, &requests[k])] != TN_COORDINATE_SET ||
            c->priority[at_of(c, &requests[k])] != k)
            return 0;
    }
    return 1;
}

/* Every joint's coordinates from the new pose, turns counted from the ones before. */
static void finish(tn_coords *c)
{
    tn_coords_refresh(c);
    for (int32_t j = 0; j < c->model->element_count; j++)
        c->in[j] = (int8_t)tn_state_is_on(c->model, c->state, j);
    tn_coords_measure(c);
    tn_coords_write_switches(c);
    tn_coords_keep_velocities(c);
}

/* Requests of any joints. */
static tn_status set_any(tn_coords *c, const tn_coordinate_request *requests, int32_t count)
{
    tn_coords_save(c);
    tn_coords_read_switches(c);
    hold_links(c);
    tn_coords_sort_requests(c, requests, count);
    tn_coords_refresh(c);
    const tn_status status = place(c, requests, count);
    finish(c);
    return status;
}

/* Requested coordinates of the block stay; true: it was moved. */
static bool start_block_inside(tn_coords *c, int32_t block)
{
    enter_block(c, block);
    tn_coords_keep_pose(c, TN_POSE_BLOCK);
    double by;
    bool moved = tn_coords_find_beyond(c, block, &by) >= 0;
    if (moved) {
        memcpy(c->kept_hold, c->hold,
               sizeof *c->hold * TN_MAX_COORDINATES * (size_t)c->model->element_count);
        const tn_status status = tn_coords_pull_into_ranges(c, block);
        moved = (status == TN_ERROR_NOT_CONVERGED || tn_coords_find_beyond(c, block, &by) >= 0) &&
                tn_coords_find_branch(c, block);
    }
    if (moved) {
        carry_from(c, block);
    } else {
        tn_coords_take_pose(c, TN_POSE_BLOCK);
        TN_FOR_BLOCK_COORDINATES(c, block, j, i, at)
        c->state->coordinates[at] = c->saved.coordinates[at];
    }
    tn_coords_release_block(c, block);
    tn_coords_refresh(c);
    return moved;
}

bool tn_coords_start_inside(tn_coords *c, const tn_coordinate_request *requests, int32_t count)
{
    bool moved = false;
    tn_tree_build(c->model, c->state, -1, &c->tree);
    tn_coords_save(c);
    tn_coords_read_switches(c);
    hold_links(c);
    tn_coords_sort_requests(c, requests, count);
    c->steps = c->factorizations = c->poses_tried = 0;
    for (int32_t i = 0; i < c->tree.nodes; i++) {
        if (c->tree.joint_count[i] > 1)
            moved |= start_block_inside(c, i);
    }
    if (moved)
        finish(c);
    else
        tn_coords_restore(c);
    return moved;
}

static bool has_soft_rows(const tn_coords *c)
{
    for (int32_t j = 0; j < c->model->element_count; j++) {
        if (c->tree.block[j] >= 0 && c->tree.joint_count[c->tree.block[j]] > 1 &&
            c->state->switches[j].compliant)
            return true;
    }
    return false;
}

/* True if request k has no freedom because of its loop alone, not because of other requests. */
static bool is_held_by_loop(const tn_coords *c, const tn_coordinate_request *requests,
                            int32_t count, int32_t k)
{
    const int32_t block = c->tree.block[tn_coords_element(c, &requests[k])];
    bool alone = c->outcome[at_of(c, &requests[k])] == TN_COORDINATE_DEPENDENT && block >= 0;
    for (int32_t other = 0; other < count && alone; other++) {
        alone = c->tree.block[tn_coords_element(c, &requests[other])] != block ||
                c->outcome[at_of(c, &requests[other])] == TN_COORDINATE_DEPENDENT;
    }
    return alone;
}

/* True if loops prevent a request: they did not close, leave the coordinate no freedom, or it is free to first order
 * only (singular, or not moved at all). A coordinate stopped at a dead point has moved, or is dependent: not stuck. */
static int is_stuck(const tn_coords *c, const tn_coordinate_request *requests, int32_t count,
                    tn_status status)
{
    int stuck = status == TN_ERROR_NOT_CONVERGED;
    for (int32_t k = 0; k < count; k++) {
        const int32_t at = at_of(c, &requests[k]);
        const double moved = fabs(c->state->coordinates[at] - c->saved.coordinates[at]);
        stuck |= c->outcome[at] == TN_COORDINATE_SINGULAR ||
                 is_held_by_loop(c, requests, count, k) ||
                 (c->outcome[at] == TN_COORDINATE_LIMITED && c->goal[at] == requests[k].value &&
                  moved <= TN_COORDS_MET * fmax(1.0, fabs(requests[k].value)));
    }
    return stuck;
}

/* Meets the requests with compliant joints closed, as they are without load. Compliant joints that are open carry a
 * load and stay open; they may open also if loops cannot be closed otherwise. */
static tn_status set_closed(tn_coords *c, const tn_coordinate_request *requests, int32_t count)
{
    const int soft = has_soft_rows(c);
    if (soft)
        tn_coords_refresh(c);
    const int loaded = soft && tn_coords_soft_joints_are_open(c);
    c->yields = loaded;
    tn_status status = set_any(c, requests, count);
    c->yields = 0;
    if (!soft || loaded || !is_stuck(c, requests, count, status))
        return status;
    tn_coords_restore(c);
    c->yields = 1;
    c->has_last = 0;
    status = set_any(c, requests, count);
    c->yields = 0;
    return status;
}

tn_status tn_coords_set(tn_coords *c, const tn_coordinate_request *requests, int32_t count,
                        const tn_coordinate_options *options, tn_coordinate_answer *answers,
                        tn_placement_report *report)
{
    const tn_coordinate_options defaults = tn_default_coordinate_options();
    options = options ? options : &defaults;
    tn_status status = tn_coords_check(c, requests, count, options, false);
    if (status != TN_OK || count == 0)
        return status;
    c->steps = c->factorizations = 0;
    c->beyond = -1;
    c->left_plane = false;
    c->has_last = c->has_last && tn_coords_is_pose(c, TN_POSE_END);
    const int32_t base = c->model->joints[tn_coords_element(c, &requests[0])].b;
    tn_tree_build(c->model, c->state, options->always_move_a ? tn_tree_node(c->model, base) : -1,
                  &c->tree);
    const int bridges = !options->project_velocity && tn_coords_are_bridges(c, requests, count);
    if (bridges) {
        tn_coords_set_bridges(c, requests, count);
    } else {
        status = set_closed(c, requests, count);
    }
    tn_coords_keep_pose(c, TN_POSE_END);
    c->state->head->restart = 1;
    check_met(c, requests, count);
    if (answers)
        answer(c, requests, count, answers);
    tn_coords_report(c, report);
    if (status == TN_OK && (!report->converged || c->beyond >= 0 || c->left_plane ||
                            (options->all_or_nothing && !all_set(c, requests, count))))
        status = TN_ERROR_NOT_CONVERGED;
    if (status != TN_OK) {
        if (bridges) {
            tn_coords_undo_bridges(c, requests, count);
        } else {
            tn_coords_restore(c);
        }
    }
    return report->status = status;
}
