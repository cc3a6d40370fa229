/* limits.c: room law/limits: finding limits: which coordinates are beyond theirs, which held ones
 * pull, which of those that touch are held.
 *
 * A limit whose motion row is compliant engages without an impact, then its force is -phi/C - D
 * phi', and it is let go when the coordinate comes back to it.
 */
#include <string.h>

#include "real/real.h"

#include "motion/kinematics.h"
#include "law/limits/limits_impl.h"
#include "motion/closing/project.h"

/* A limit that pushes by less than this share of the joint's largest multiplier does not push. */
#define TN_NO_PUSH 1e-9

/* Hits of one coordinate in a step after which its limit holds it until the step ends: limits may throw coordinates to
 * and fro ever faster. With controlled accuracy only hits before which it had not left the deadband are counted. */
#define TN_MAX_HITS 3
/* Hits are counted to here: what pulls it ten metres away in a step is no chatter. */
#define TN_MOST_HITS (TN_MAX_HITS + 11)

/* Pulls that are the same but for rounding, relative. */
#define TN_SAME_PULL 1e-6

/* What leads away from a limit, or soon will: m, rad or per second. */
#define TN_NO_PRESSURE 1e-12

/* How far held coordinate i is inside its limit. */
static double inside(const tn_sim *sim, int32_t j, int32_t i)
{
    const tn_switches *s = &sim->state.switches[j];
    const double q = tn_state_coordinate(&sim->state, j, i);
    return tn_limit_inwards(sim, j, i) * (q - s->hold_value[i]);
}

/* Has free coordinate i, at its limit when the part began, got behind it though it moves inwards?
 * The steppers of first order go along tangents and fall by g h^2 at once, so that what leaves a
 * limit is behind it by the order of h^2: no impact. */
static bool is_leaving(const tn_sim *sim, int32_t j, int32_t i)
{
    const tn_switches *s = &sim->state.switches[j];
    const double q = tn_state_coordinate(&sim->mark, j, i);
    if (sim->traits.accelerations || s->hold[i] >= TN_HOLD_LOCK ||
        !(tn_limit_beyond(sim, j, i) > 0.0))
        return false;
    const int upper = tn_limit_is_upper(sim, j, i);
    const double before = upper ? q - s->upper[i] : s->lower[i] - q;
    const double v = tn_limit_speed_of(sim, j, i);
    return before >= -TN_LIMIT_TOLERANCE && (upper ? -v : v) > TN_LEAVING_SPEED;
}

double tn_limits_violation(const tn_sim *sim)
{
    const bool may_leave = !sim->traits.accelerations;
    const tn_limited_list *list = tn_limits_list(sim);
    double worst = -INFINITY;
    for (int32_t n = 0; n < list->count; n++) {
        const int32_t j = list->all[n].joint, i = list->all[n].coordinate;
        const tn_switches *s = &sim->state.switches[j];
        if (s->hold[i] < TN_HOLD_LOCK) {
            const bool leaves = may_leave && is_leaving(sim, j, i);
            const double beyond = leaves ? 0.0 : tn_limit_beyond(sim, j, i);
            worst = beyond > worst ? beyond : worst;
        } else if (tn_limit_holds(sim, j, i) && tn_limit_yields(sim, j, i) && !s->let_go[i]) {
            worst = fmax(worst, inside(sim, j, i));
        }
    }
    return worst;
}

bool tn_limits_course(const tn_sim *sim, tn_limit_course *out)
{
    const double worst = tn_limits_violation(sim);
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        for (int32_t i = 0; i < tn_limit_coordinate_count(sim, j); i++) {
            if (sim->state.switches[j].hold[i] >= TN_HOLD_LOCK || is_leaving(sim, j, i) ||
                tn_limit_beyond(sim, j, i) != worst)
                continue;
            const tn_switches *s = &sim->state.switches[j];
            const double q = tn_state_coordinate(&sim->mark, j, i);
            const double v = tn_limit_speed_of(sim, j, i);
            const int upper = tn_limit_is_upper(sim, j, i);
            *out =
                (tn_limit_course){worst, upper ? q - s->upper[i] : s->lower[i] - q, upper ? v : -v};
            return true;
        }
    }
    return false;
}

/* The force with which the limit of held coordinate i pulls; negative: it pushes. */
static double pull_of(const tn_sim *sim, int32_t j, int32_t i)
{
    return -tn_limit_inwards(sim, j, i) * *tn_state_held_force(sim->model, &sim->state, j, i);
}

/* The largest multiplier of a joint, over all of its rows. */
static double joint_force(const tn_sim *sim, int32_t j)
{
    double largest = 0.0;
    for (int32_t k = 0; k < TN_MAX_ROWS; k++)
        largest = fmax(largest, fabs(sim->state.lambda[j * TN_MAX_ROWS + k]));
    return largest;
}

/* The distance by which the limit's pull moves coordinate i in a step. */
static double pull_distance(const tn_sim *sim, int32_t j, int32_t i, double step)
{
    return pull_of(sim, j, i) * sim->model->joints[j].row_scale[tn_limit_row_of(sim, j, i)] * step *
           step;
}

/* What has come back so often that it is kept is let go all the same, where parts are as long as their
 * error allows, when it clearly pulls: ten times as clearly each time that it comes back again. m, rad. */
static double kept_until(const tn_sim *sim, int32_t j, int32_t i)
{
    const tn_switches *s = &sim->state.switches[j];
    if (s->let_go[i] != TN_CAME_BACK)
        return s->let_go[i] == TN_STAYS ? 0.0 : INFINITY;
    return sim->traits.divides_steps ? TN_LIMIT_TOLERANCE * tn_pow(10.0, s->hits[i] - TN_MAX_HITS)
                                     : INFINITY;
}

/* Does the multiplier of held coordinate i release it? A prescribed motion that its limit stops is released by its direction. */
static bool is_let_go_by_force(const tn_sim *sim, int32_t j, int32_t i, double step)
{
    return tn_limit_holds(sim, j, i) && !tn_limit_yields(sim, j, i) &&
           isnan(tn_drives_pressing(sim, j, i, step));
}

double tn_limits_largest_pull(const tn_sim *sim, double step)
{
    double worst = -INFINITY;
    const tn_limited_list *list = tn_limits_list(sim);
    for (int32_t n = 0; n < list->count && list->holds; n++) {
        const int32_t j = list->all[n].joint, i = list->all[n].coordinate;
        if (is_let_go_by_force(sim, j, i, step))
            worst = fmax(worst, pull_distance(sim, j, i, step) - kept_until(sim, j, i));
    }
    return worst;
}

double tn_limits_largest_lead(const tn_sim *sim, double step)
{
    double worst = -INFINITY;
    const tn_limited_list *list = tn_limits_list(sim);
    for (int32_t n = 0; n < list->count && list->holds; n++) {
        const int32_t j = list->all[n].joint, i = list->all[n].coordinate;
        if (tn_limit_holds(sim, j, i) && !tn_limit_yields(sim, j, i))
            worst = fmax(worst, -tn_drives_pressing(sim, j, i, step) - kept_until(sim, j, i));
    }
    return worst;
}

/* A pull that moves its coordinate by less than this in a step is none (m, rad): an event is
 * located no better. */
#define TN_NO_PULL 1e-13

double tn_limits_pull_of(const tn_sim *sim, int32_t joint, int32_t coordinate)
{
    const bool alone = tn_limit_holds(sim, joint, coordinate) &&
                       !tn_limit_yields(sim, joint, coordinate) &&
                       !tn_state_drive(&sim->state, joint, coordinate);
    return alone ? pull_of(sim, joint, coordinate) : 0.0;
}

static bool any_pulls(const tn_sim *sim, double step)
{
    const tn_limited_list *list = tn_limits_list(sim);
    for (int32_t n = 0; n < list->count && list->holds; n++) {
        const int32_t j = list->all[n].joint, i = list->all[n].coordinate;
        const bool came_back = sim->state.switches[j].let_go[i] == TN_CAME_BACK;
        if (!came_back && !sim->traits.accelerations)
            continue; /* the multiplier of the next part decides */
        if (tn_limits_pull_of(sim, j, i) > 0.0 && pull_distance(sim, j, i, step) > TN_NO_PULL)
            return true;
    }
    return false;
}

/* All of them: one that pushes may pull when another has let go. */
bool tn_limits_reconsider(tn_sim *sim, double step)
{
    if (!any_pulls(sim, step))
        return false;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        for (int32_t i = 0; i < tn_limit_coordinate_count(sim, j); i++) {
            if (tn_limit_holds(sim, j, i) && !tn_state_drive(&sim->state, j, i))
                tn_state_edit(&sim->state, j)->let_go[i] = TN_STAYS;
        }
    }
    return true;
}

int32_t tn_limits_held(const tn_sim *sim)
{
    int32_t held = 0;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        for (int32_t i = 0; i < tn_limit_coordinate_count(sim, j); i++)
            held += sim->state.switches[j].hold[i] > TN_HOLD_LOCK;
    }
    return held;
}

static void log_event(tn_sim *sim, tn_event_kind kind, int32_t j, int32_t i)
{
    const int32_t side = tn_limit_inwards(sim, j, i) < 0.0 ? 1 : -1;
    tn_event_log_add(&sim->log,
                     (tn_event){kind, sim->event_time, {j}, i, side, tn_limit_speed_of(sim, j, i)});
}

void tn_limit_release(tn_sim *sim, int32_t joint, int32_t coordinate)
{
    log_event(sim, TN_EVENT_LIMIT_RELEASED, joint, coordinate);
    tn_state_hold(sim->model, &sim->state, joint, coordinate, TN_HOLD_NONE);
    *tn_state_held_force(sim->model, &sim->state, joint, coordinate) = 0.0;
    tn_drives_retake(sim, joint, coordinate);
}

/* Is the limit of held coordinate i to be let go? A hard one that does not push; a spring that is
 * back at its length. */
static bool is_done(const tn_sim *sim, int32_t j, int32_t i)
{
    const double pressing = tn_drives_pressing(sim, j, i, 1.0);
    if (!isnan(pressing))
        return pressing < TN_NO_PRESSURE;
    if (!tn_limit_yields(sim, j, i))
        return pull_of(sim, j, i) >= -TN_NO_PUSH * joint_force(sim, j);
    return inside(sim, j, i) >= -TN_LIMIT_TOLERANCE &&
           tn_limit_inwards(sim, j, i) * tn_limit_speed_of(sim, j, i) > 0.0;
}

static bool pulls_clearly(const tn_sim *sim, int32_t j, int32_t i, double step)
{
    const double pressing = tn_drives_pressing(sim, j, i, step);
    const double way = isnan(pressing) ? pull_distance(sim, j, i, step) : -pressing;
    return sim->state.switches[j].let_go[i] == TN_CAME_BACK && !tn_limit_yields(sim, j, i) &&
           way >= 0.5 * kept_until(sim, j, i);
}

/* Multipliers of methods of first order are those of the rows that a part holds, and change with each that lets go: one after the
 * other does, and those that pull as much. */
static double least_pull(const tn_sim *sim, double step)
{
    return sim->traits.accelerations ? -INFINITY
                                     : (1.0 - TN_SAME_PULL) * tn_limits_largest_pull(sim, step);
}

static bool pulls_less(const tn_sim *sim, int32_t j, int32_t i, double step, double least)
{
    return is_let_go_by_force(sim, j, i, step) &&
           pull_distance(sim, j, i, step) - kept_until(sim, j, i) < least;
}

int32_t tn_limits_mark_pulling(tn_sim *sim, double step)
{
    const double least = least_pull(sim, step);
    int32_t marked = 0;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        for (int32_t i = 0; i < tn_limit_coordinate_count(sim, j); i++) {
            const bool stays = sim->state.switches[j].let_go[i] == TN_STAYS;
            if (!tn_limit_holds(sim, j, i) ||
                !((stays && is_done(sim, j, i)) || pulls_clearly(sim, j, i, step)) ||
                pulls_less(sim, j, i, step, least))
                continue;
            tn_state_edit(&sim->state, j)->let_go[i] = TN_PULLS;
            marked++;
        }
    }
    return marked;
}

int32_t tn_limits_release_marked(tn_sim *sim)
{
    int32_t released = 0;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        for (int32_t i = 0; i < tn_limit_coordinate_count(sim, j); i++) {
            if (sim->state.switches[j].let_go[i] != TN_PULLS)
                continue;
            if (tn_limit_holds(sim, j, i))
                tn_limit_release(sim, j, i);
            tn_state_edit(&sim->state, j)->let_go[i] = TN_LET_GO;
            released++;
        }
    }
    return released;
}

static void clear_step(tn_switches *s)
{
    memset(s->let_go, 0, sizeof s->let_go);
    memset(s->hits, 0, sizeof s->hits);
}

/* Switches that stay as they are are not copied with the state. */
void tn_limits_begin_step(tn_sim *sim)
{
    if (tn_limits_list(sim)->happened) {
        for (int32_t j = 0; j < sim->model->element_count; j++)
            clear_step(tn_state_edit(&sim->state, j));
    }
    tn_limits_begin_heights(sim);
}

static void hold_at_limit(tn_sim *sim, int32_t j, int32_t i)
{
    tn_switches *s = tn_state_edit(&sim->state, j);
    const int upper = tn_limit_is_upper(sim, j, i);
    tn_hold hold = upper ? TN_HOLD_UPPER : TN_HOLD_LOWER;
    s->hold_value[i] = upper ? s->upper[i] : s->lower[i];
    if (s->upper[i] - s->lower[i] <= TN_LIMIT_TOLERANCE) {
        hold = TN_HOLD_PINNED;
        s->hold_value[i] = 0.5 * (s->lower[i] + s->upper[i]);
    }
    tn_state_hold(sim->model, &sim->state, j, i, hold);
    s->let_go[i] = TN_STAYS;
    log_event(sim, TN_EVENT_LIMIT_REACHED, j, i);
}

static void take(tn_sim *sim, int32_t j, int32_t i)
{
    tn_switches *s = tn_state_edit(&sim->state, j);
    const bool let_go = s->let_go[i] == TN_LET_GO && !sim->traits.divides_steps;
    hold_at_limit(sim, j, i);
    s->hits[i] = tn_limits_comes_back(sim, j, i) ? 0 : (int8_t)fmin(s->hits[i] + 1, TN_MOST_HITS);
    if (let_go || s->hits[i] > TN_MAX_HITS)
        s->let_go[i] = TN_CAME_BACK;
}

/* Is free coordinate i to be held? */
static bool touches(const tn_sim *sim, int32_t j, int32_t i, tn_touching which)
{
    const tn_switches *s = &sim->state.switches[j];
    const double out = tn_limit_beyond(sim, j, i);
    if (s->hold[i] >= TN_HOLD_LOCK || out < -TN_LIMIT_TOLERANCE)
        return false;
    if (out > TN_LIMIT_TOLERANCE || s->lower[i] == s->upper[i])
        return true;
    if (which == TN_TOUCH_ALL)
        return true;
    const double v = tn_limit_speed_of(sim, j, i);
    const double outwards = tn_limit_is_upper(sim, j, i) ? v : -v;
    return outwards > (s->let_go[i] == TN_LET_GO ? TN_LEAVING_SPEED : -TN_LEAVING_SPEED);
}

/* Does free coordinate i, let go in this step, still rest at its limit? */
static bool lies_there(const tn_sim *sim, int32_t j, int32_t i)
{
    const tn_switches *s = &sim->state.switches[j];
    return s->let_go[i] == TN_LET_GO && s->hold[i] < TN_HOLD_LOCK &&
           tn_limit_beyond(sim, j, i) >= -TN_LIMIT_TOLERANCE &&
           fabs(tn_limit_speed_of(sim, j, i)) <= TN_LEAVING_SPEED;
}

/* An impact finds all that touches, what friction has taken over from its limit too. */
static void hold_lying(tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        for (int32_t i = 0; i < tn_limit_coordinate_count(sim, j); i++) {
            if (lies_there(sim, j, i))
                hold_at_limit(sim, j, i);
        }
    }
}

int32_t tn_limits_hold_touching(tn_sim *sim, tn_touching which)
{
    bool hit = false;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        for (int32_t i = 0; i < tn_limit_coordinate_count(sim, j); i++) {
            if (!touches(sim, j, i, which))
                continue;
            take(sim, j, i);
            hit = true;
        }
    }
    if (hit)
        hold_lying(sim);
    return tn_limits_held(sim);
}

/* Where a coordinate held by its range or a prescribed motion belongs. */
static double place_of(const tn_sim *sim, int32_t j, int32_t i)
{
    const tn_switches *s = &sim->state.switches[j];
    switch (s->hold[i]) {
    case TN_HOLD_DRIVER:
        return tn_state_drive(&sim->state, j, i)->target;
    case TN_HOLD_LOWER:
        return s->lower[i];
    case TN_HOLD_UPPER:
        return s->upper[i];
    default:
        return 0.5 * (s->lower[i] + s->upper[i]);
    }
}

double tn_limits_stride(tn_sim *sim, double stride, tn_joint *whose)
{
    double furthest = 0.0;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        for (int32_t i = 0; i < tn_limit_coordinate_count(sim, j); i++) {
            tn_switches *s = tn_state_edit(&sim->state, j);
            if (s->hold[i] < TN_HOLD_DRIVER || s->hold[i] == TN_HOLD_LOCK)
                continue;
            const double q = tn_state_coordinate(&sim->state, j, i);
            const double place = place_of(sim, j, i), to_go = place - q;
            const int far = fabs(to_go) > stride && !tn_limit_yields(sim, j, i);
            s->hold_value[i] = far ? q + copysign(stride, to_go) : place;
            if (far && fabs(to_go) > furthest) {
                furthest = fabs(to_go);
                whose->i = j;
            }
        }
    }
    return furthest;
}

/* Where the way back of one moves others out, more are taken in, so often at most. */
#define TN_BRINGING_PASSES 8

typedef enum tn_behind { TN_ALL_LEAVING, TN_ALL_BEYOND } tn_behind;

/* Holds these at their limits; how many. */
static int32_t hold_behind(tn_sim *sim, tn_behind which)
{
    int32_t count = 0;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        tn_switches *s = tn_state_edit(&sim->state, j);
        for (int32_t i = 0; i < tn_limit_coordinate_count(sim, j); i++) {
            if (s->hold[i] >= TN_HOLD_LOCK || !(tn_limit_beyond(sim, j, i) > TN_LIMIT_TOLERANCE) ||
                (which == TN_ALL_LEAVING && !is_leaving(sim, j, i)))
                continue;
            const int upper = tn_limit_is_upper(sim, j, i);
            s->hold_value[i] = upper ? s->upper[i] : s->lower[i];
            s->let_go[i] = TN_BEHIND;
            tn_state_hold(sim->model, &sim->state, j, i, upper ? TN_HOLD_UPPER : TN_HOLD_LOWER);
            count++;
        }
    }
    return count;
}

static void let_go_again(tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        int8_t *let_go = tn_state_edit(&sim->state, j)->let_go;
        for (int32_t i = 0; i < tn_limit_coordinate_count(sim, j); i++) {
            if (let_go[i] != TN_BEHIND)
                continue;
            let_go[i] = TN_LET_GO;
            tn_state_hold(sim->model, &sim->state, j, i, TN_HOLD_NONE);
            tn_drives_retake(sim, j, i);
        }
    }
}

tn_status tn_limits_bring_back(tn_sim *sim, tn_step_report *report)
{
    if (sim->traits.accelerations || hold_behind(sim, TN_ALL_LEAVING) == 0)
        return TN_OK;
    tn_status status = TN_OK;
    for (int pass = 0; pass < TN_BRINGING_PASSES; pass++) {
        tn_refresh_kinematics(sim);
        status = tn_project_position(sim, sim->options.position_tolerance, report);
        tn_update_coordinates(sim, 0.0);
        if (status != TN_OK || hold_behind(sim, TN_ALL_BEYOND) == 0)
            break;
    }
    let_go_again(sim);
    return status;
}
