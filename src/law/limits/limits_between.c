/* limits_between.c: room law/limits: limits that are passed and left again within one part.
 *
 * What is free at both ends of a part may have been beyond its limit between them: after an impact
 * on one rope another may go taut and be pulled slack in a moment. Places and speeds at both ends
 * give each limited coordinate the cubic Hermite polynomial (its error is of fourth order in the
 * part); its largest value says where to look.
 *
 * That cubic is nowhere above the largest of w_0, w_0 + d_0 / 3, w_1 - d_1 / 3 and w_1 (its Bezier points; w
 * the value, d the rate times the length h): what is inside by all of them is passed by.
 */
#include <math.h>
#include <string.h>

#include "assemble/body_terms.h"
#include "assemble/joint_terms.h"
#include "base/base.h"
#include "law/limits/limits_impl.h"
#include "law/limits/passage.h"
#include "motion/kinematics.h"

struct tn_between {
    double *speeds;      /* [elements][TN_MAX_COORDINATES] rad/s, m/s, at the start of the part */
    double *after;       /* likewise, at the end of the part that was searched last */
    tn_vec3 *x;          /* [bodies] m: where the bodies were there ... */
    tn_quat *q;          /* [bodies] */
    double *u;           /* [velocities] ... and how they moved */
    tn_edition switched; /* what was held there */
    bool known;          /* there was such a part */
    tn_limited *limited;
    tn_limited_list list; /* of these, of the switches of an edition */
    tn_edition listed;
    double
        *heights; /* likewise, rad, m: how far inside it was since its step began, or it was held */
};

tn_status tn_between_create(tn_sim *sim)
{
    const int64_t count = (int64_t)sim->model->element_count * TN_MAX_COORDINATES;
    tn_between *b = sim->between = TN_NEW(tn_between);
    if (!b)
        return TN_ERROR_MEMORY;
    b->speeds = TN_ARENA_ARRAY(&sim->seldom, double, 3 * count + sim->model->size.velocities);
    b->x = TN_ARENA_ARRAY(&sim->seldom, tn_vec3, sim->model->body_count);
    b->q = TN_ARENA_ARRAY(&sim->seldom, tn_quat, sim->model->body_count);
    b->limited = TN_ARENA_ARRAY(&sim->seldom, tn_limited, count);
    if (!b->speeds || !b->x || !b->q || !b->limited)
        return TN_ERROR_MEMORY;
    b->heights = b->speeds + count;
    b->after = b->heights + count;
    b->u = b->after + count;
    return TN_OK;
}

void tn_between_destroy(tn_sim *sim)
{
    tn_free(sim->between);
}

static bool is_limited(const tn_sim *sim, int32_t j, int32_t i)
{
    const tn_switches *s = &sim->state.switches[j];
    return s->hold[i] < TN_HOLD_LOCK && (isfinite(s->lower[i]) || isfinite(s->upper[i]));
}

/* Has anything happened to it in the last step? */
static bool has_happened(const tn_switches *s)
{
    static const int8_t none[TN_MAX_COORDINATES];
    return memcmp(s->let_go, none, sizeof none) != 0 || memcmp(s->hits, none, sizeof none) != 0;
}

static void list_limited(const tn_sim *sim, tn_between *b)
{
    tn_limited_list list = {b->limited, 0, false, false};
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        const int32_t count = tn_limit_coordinate_count(sim, j);
        list.happened |= has_happened(s);
        for (int32_t i = 0; i < count; i++) {
            if (isinf(s->lower[i]) && isinf(s->upper[i]) && !tn_limit_holds(sim, j, i))
                continue;
            b->limited[list.count++] = (tn_limited){j, i};
            list.holds |= tn_limit_holds(sim, j, i);
        }
    }
    b->list = list;
    b->listed = sim->state.edition;
}

const tn_limited_list *tn_limits_list(const tn_sim *sim)
{
    tn_between *b = sim->between;
    if (!tn_same_edition(b->listed, sim->state.edition))
        list_limited(sim, b);
    return &b->list;
}

/* From the state alone: what was before the step is not in what is saved. */
void tn_limits_begin_heights(tn_sim *sim)
{
    if (sim->state.head->limited == 0 || !sim->traits.divides_steps)
        return;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        for (int32_t i = 0; i < tn_limit_coordinate_count(sim, j); i++) {
            sim->between->heights[(int64_t)j * TN_MAX_COORDINATES + i] =
                is_limited(sim, j, i) ? fmax(0.0, -tn_limit_beyond(sim, j, i)) : 0.0;
        }
    }
}

/* Where the bodies are, and how they move: what speeds were found of. */
static void note_motion(const tn_sim *sim)
{
    tn_between *b = sim->between;
    const size_t bodies = (size_t)sim->model->body_count;
    memcpy(b->x, sim->state.x, sizeof *b->x * bodies);
    memcpy(b->q, sim->state.q, sizeof *b->q * bodies);
    memcpy(b->u, sim->state.u, sizeof *b->u * (size_t)sim->model->size.velocities);
    b->switched = sim->state.edition;
    b->known = true;
}

/* Is the state, to the last bit, where the last part ended, with the same held? */
static bool goes_on(const tn_sim *sim)
{
    const tn_between *b = sim->between;
    const size_t bodies = (size_t)sim->model->body_count;
    return b->known && tn_same_edition(b->switched, sim->state.edition) &&
           memcmp(b->x, sim->state.x, sizeof *b->x * bodies) == 0 &&
           memcmp(b->q, sim->state.q, sizeof *b->q * bodies) == 0 &&
           memcmp(b->u, sim->state.u, sizeof *b->u * (size_t)sim->model->size.velocities) == 0;
}

void tn_limits_begin_part(tn_sim *sim)
{
    if (sim->state.head->limited == 0 || !sim->traits.accelerations)
        return; /* methods of first order go along lines: these end beyond what they pass */
    tn_between *b = sim->between;
    if (goes_on(sim)) {
        double *const after = b->after;
        b->after = b->speeds;
        b->speeds = after;
        b->known = false; /* a part that is begun again finds them */
        return;
    }
    const tn_limited_list *list = tn_limits_list(sim);
    for (int32_t n = 0; n < list->count; n++) {
        const int32_t j = list->all[n].joint;
        if (n == 0 || list->all[n - 1].joint != j)
            tn_coordinate_speeds(sim, j, b->speeds + (int64_t)j * TN_MAX_COORDINATES);
    }
}

/* As far again: speeds and accelerations may be less at the ends of a part than within. */
#define TN_REACH 2.0

static bool is_out_of_reach(const tn_sim *sim, int32_t j, double h)
{
    const tn_switches *s = &sim->state.switches[j];
    double speeds[TN_MAX_COORDINATES] = {0};
    tn_coordinate_speeds(sim, j, speeds);
    for (int32_t i = 0; i < tn_limit_coordinate_count(sim, j); i++) {
        if (isinf(s->lower[i]) && isinf(s->upper[i]))
            continue;
        const double way = h * (fabs(speeds[i]) + h * fabs(tn_coordinate_acceleration(sim, j, i)));
        if (!tn_limit_holds(sim, j, i) && !(TN_REACH * way < -tn_limit_beyond(sim, j, i)))
            return false;
    }
    return true;
}

bool tn_limits_out_of_reach(const tn_sim *sim, double h)
{
    bool far = true;
    for (int32_t j = 0; j < sim->model->element_count && sim->state.head->limited > 0 && far; j++)
        far = is_out_of_reach(sim, j, h);
    return far;
}

/* Of a flight of T seconds from a limit and back to it, which it left at speed v and meets at speed w:
 * v T / 4 at a constant acceleration, where they are the same. */
static double flight_height(double v, double w, double T)
{
    return 0.25 * T * fmax(0.0, fmin(v, w));
}

/* Takes in how far coordinate i of joint j, whose speeds are these, was inside in a part. */
static void note_height(tn_sim *sim, int32_t j, int32_t i, double h, double speed)
{
    const int64_t at = (int64_t)j * TN_MAX_COORDINATES + i;
    const double inwards = tn_limit_is_upper(sim, j, i) ? -1.0 : 1.0;
    const double flight = flight_height(inwards * sim->between->speeds[at], -inwards * speed, h);
    double *height = &sim->between->heights[at];
    *height =
        is_limited(sim, j, i) ? fmax(*height, fmax(flight, -tn_limit_beyond(sim, j, i))) : 0.0;
}

void tn_limits_end_part(tn_sim *sim, double h)
{
    if (sim->state.head->limited == 0 || !sim->traits.divides_steps)
        return;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        double speeds[TN_MAX_COORDINATES] = {0};
        const int32_t count = tn_limit_coordinate_count(sim, j);
        bool limited = false;
        for (int32_t i = 0; i < count; i++)
            limited |= is_limited(sim, j, i);
        if (limited)
            tn_coordinate_speeds(sim, j, speeds);
        for (int32_t i = 0; i < count; i++)
            note_height(sim, j, i, h, speeds[i]);
    }
}

bool tn_limits_comes_back(tn_sim *sim, int32_t j, int32_t i)
{
    double *height = &sim->between->heights[(int64_t)j * TN_MAX_COORDINATES + i];
    const bool away = sim->traits.divides_steps && *height > TN_LIMIT_TOLERANCE;
    *height = 0.0;
    return away;
}

/* Where the cubic is furthest beyond, if it is beyond at all between its ends; 1: it is not. */
static double passed_at(const tn_passage *c)
{
    double where = 1.0;
    const bool clear = c->w0 <= TN_LIMIT_TOLERANCE && c->w1 <= TN_LIMIT_TOLERANCE &&
                       c->w0 + c->d0 / 3.0 <= TN_LIMIT_TOLERANCE &&
                       c->w1 - c->d1 / 3.0 <= TN_LIMIT_TOLERANCE;
    return !clear && tn_passage_peak(c, &where) > TN_LIMIT_TOLERANCE ? where : 1.0;
}

/* The first share of a part of h seconds at which coordinate i of element j is furthest beyond a limit that it passes, given its
 * speeds at both ends; 1: it passes none. */
static double passes_at(const tn_sim *sim, tn_limited of, double h, double before, double now)
{
    const tn_switches *s = &sim->state.switches[of.joint];
    const double q0 = tn_state_coordinate(&sim->mark, of.joint, of.coordinate),
                 q1 = tn_state_coordinate(&sim->state, of.joint, of.coordinate);
    const double upper = s->upper[of.coordinate], lower = s->lower[of.coordinate];
    const tn_passage up = {q0 - upper, h * before, q1 - upper, h * now},
                     down = {lower - q0, -up.d0, lower - q1, -up.d1};
    const double at = passed_at(&up), below = passed_at(&down);
    return at < below ? at : below;
}

bool tn_limits_passed_between(const tn_sim *sim, double h, double *when)
{
    double first = INFINITY;
    if (sim->state.head->limited == 0 || !sim->traits.accelerations)
        return false;
    const tn_limited_list *list = tn_limits_list(sim);
    for (int32_t n = 0; n < list->count; n++) {
        const tn_limited of = list->all[n];
        const int64_t at = (int64_t)of.joint * TN_MAX_COORDINATES;
        double *now = sim->between->after + at;
        if (n == 0 || list->all[n - 1].joint != of.joint)
            tn_coordinate_speeds(sim, of.joint, now);
        if (is_limited(sim, of.joint, of.coordinate)) {
            first = fmin(first, passes_at(sim, of, h, sim->between->speeds[at + of.coordinate],
                                          now[of.coordinate]));
        }
    }
    note_motion(sim);
    *when = first * h;
    return first < 1.0;
}

double tn_limits_first(const tn_sim *sim, double target, double t)
{
    double first = INFINITY;
    for (int32_t j = 0; j < sim->model->element_count && sim->traits.accelerations; j++) {
        const tn_switches *s = &sim->state.switches[j];
        for (int32_t i = 0; i < tn_limit_coordinate_count(sim, j); i++) {
            if (!is_limited(sim, j, i) || !(tn_limit_beyond(sim, j, i) > target))
                continue;
            const double *before = sim->between->speeds + (int64_t)j * TN_MAX_COORDINATES;
            const double side = tn_limit_is_upper(sim, j, i) ? 1.0 : -1.0;
            const double at = side > 0.0 ? s->upper[i] : s->lower[i];
            const tn_passage c = {side * (tn_state_coordinate(&sim->mark, j, i) - at) - target,
                                  side * t * before[i], tn_limit_beyond(sim, j, i) - target,
                                  side * t * tn_limit_speed_of(sim, j, i)};
            if (c.w0 < 0.0)
                first = fmin(first, tn_passage_root(&c));
        }
    }
    return first <= 1.0 ? t * first : (double)NAN;
}
