/* limits_between.c: room law/limits: limits that are passed and left again within one part.
 *
 * What is free at both ends of a part may have been beyond its limit between them: after an impact
 * on one rope another may go taut and be pulled slack in a moment. Places and speeds at both ends
 * give each limited coordinate the cubic Hermite polynomial (its error is of fourth order in the
 * part); its largest value says where to look.
 *
 * That cubic is nowhere above the largest of w_0, w_0 + d_0 / 3, w_1 - d_1 / 3 and w_1 (its Bezier points; w
 * the value, d the rate times the length h): where a coordinate is inside by more than h / 3 times what bounds
 * its speed, at both ends, nothing is passed, and its speeds are not asked for. That bound is
 *     |m . (w_A - w_B)| <= 2 |m| max |w|,   m the moment of a row that has no force, w of any body.
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
    double *speeds; /* [elements][TN_MAX_COORDINATES] rad/s, m/s, at the start of the part */
    double *after;  /* likewise, at the end of the part looked at last */
    /* [elements] rad^2/s^2: the square of what bounds the speeds at the start, and at the end, where they are not
     * known; less than 0: they are; NaN: nobody asked. */
    double *reach, *reach_after;
    tn_vec3 *x;          /* [bodies] m: where the bodies were there ... */
    tn_quat *q;          /* [bodies] */
    double *u;           /* [velocities] ... and how they moved */
    tn_edition switched; /* what was held there */
    bool known;          /* there was such a part */
    double
        *heights; /* likewise, rad, m: how far inside it was since its step began, or it was held */
};

tn_status tn_between_create(tn_sim *sim)
{
    const int64_t count = (int64_t)sim->model->element_count * TN_MAX_COORDINATES;
    tn_between *b = sim->between = TN_NEW(tn_between);
    if (!b)
        return TN_ERROR_MEMORY;
    b->speeds = TN_ARENA_ARRAY(&sim->seldom, double,
                               3 * count + sim->model->size.velocities +
                                   2 * (int64_t)sim->model->element_count);
    b->x = TN_ARENA_ARRAY(&sim->seldom, tn_vec3, sim->model->body_count);
    b->q = TN_ARENA_ARRAY(&sim->seldom, tn_quat, sim->model->body_count);
    if (!b->speeds || !b->x || !b->q)
        return TN_ERROR_MEMORY;
    b->heights = b->speeds + count;
    b->after = b->heights + count;
    b->u = b->after + count;
    b->reach = b->u + sim->model->size.velocities;
    b->reach_after = b->reach + sim->model->element_count;
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

static bool has_limited(const tn_sim *sim, int32_t j)
{
    const int32_t count = tn_limit_coordinate_count(sim, j);
    for (int32_t i = 0; i < count; i++) {
        if (is_limited(sim, j, i))
            return true;
    }
    return false;
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
    const tn_edition now = sim->state.edition;
    return b->known && b->switched.editor == now.editor && b->switched.number == now.number &&
           memcmp(b->x, sim->state.x, sizeof *b->x * bodies) == 0 &&
           memcmp(b->q, sim->state.q, sizeof *b->q * bodies) == 0 &&
           memcmp(b->u, sim->state.u, sizeof *b->u * (size_t)sim->model->size.velocities) == 0;
}

void tn_limits_begin_part(tn_sim *sim)
{
    if (sim->state.head->limited == 0 || !sim->traits.accelerations)
        return; /* methods of first order go along lines: these end beyond what they pass */
    tn_between *b = sim->between;
    const bool known = goes_on(sim);
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const int64_t at = (int64_t)j * TN_MAX_COORDINATES;
        if (!has_limited(sim, j))
            continue;
        b->reach[j] = known ? b->reach_after[j] : (double)NAN;
        if (b->reach[j] < 0.0) {
            memcpy(b->speeds + at, b->after + at, sizeof *b->speeds * TN_MAX_COORDINATES);
        } else if (isnan(b->reach[j])) {
            tn_coordinate_speeds(sim, j, b->speeds + at);
            b->reach[j] = -1.0;
        }
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
        if (tn_limit_holds(sim, j, i) || !(TN_REACH * way < -tn_limit_beyond(sim, j, i)))
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

/* rad^2/s^2: the largest square of a difference of two bodies' turns, at most. */
static double square_of_turning(const tn_sim *sim)
{
    double largest = 0.0;
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        tn_vec3 v, w;
        if (body->dim == 0)
            continue;
        tn_body_unpack(body, sim->state.u, &v, &w);
        const double square = v3_dot(w, w);
        largest = square > largest ? square : largest;
    }
    return 4.0 * largest;
}

/* The largest square of a moment of the rows of the joint's coordinates; infinite: one has a force. */
static inline double square_of_moments(const tn_sim *sim, int32_t j)
{
    const tn_joint_geometry *geometry = &sim->model->joints[j].geometry;
    const tn_joint_kinematics *kin = &sim->sys.kin[j];
    const tn_row_list rows = tn_motion_rows(&sim->model->joints[j]);
    const int8_t *axes = tn_joint_axes(geometry, kin);
    double largest = 0.0;
    for (int32_t n = 0; n < rows.count; n++) {
        const double *W = kin->moving->W[rows.row[n]];
        if (axes ? axes[rows.row[n]] < 3 : (W[0] != 0.0 || W[1] != 0.0 || W[2] != 0.0))
            return INFINITY;
        const double square = axes ? 1.0 : v3_dot(v3_load(W + 3), v3_load(W + 3));
        largest = square > largest ? square : largest;
    }
    return largest;
}

/* By how much what is limited of joint j is inside, in this state, at least; infinite: nothing is limited. */
static inline double clearance(const tn_sim *sim, const tn_state *state, int32_t j, int32_t count)
{
    const tn_switches *s = &sim->state.switches[j];
    double least = INFINITY;
    for (int32_t i = 0; i < count; i++) {
        const double q = tn_state_coordinate(state, j, i);
        const double up = s->upper[i] - q, down = q - s->lower[i];
        const double inside = s->hold[i] >= TN_HOLD_LOCK ? INFINITY : up < down ? up : down;
        least = inside < least ? inside : least;
    }
    return least;
}

/* Rounding makes no difference by this factor. */
#define TN_CLEARLY 1.0001

/* Can cubics that begin, or end, so far inside not rise beyond it in h seconds, with speeds of this square? */
static inline bool is_clear(double inside, double h, double reach)
{
    return inside > 0.0 && 9.0 * inside * inside > TN_CLEARLY * h * h * reach;
}

/* The speeds of joint j at the start of the part, where they were bounded only: bodies and joint are put there,
 * and then where they were. */
static void find_speeds_before(const tn_sim *sim, int32_t j)
{
    const tn_model_joint *joint = &sim->model->joints[j];
    const int32_t bodies[2] = {joint->a, joint->b};
    const tn_joint_kinematics kin = sim->sys.kin[j];
    const tn_joint_moving moving = *kin.moving;
    tn_system sys = sim->sys;
    tn_xform T[2];
    for (int side = 0; side < 2; side++) {
        const int32_t i = bodies[side];
        if (i < 0)
            continue;
        T[side] = sys.T[i];
        sys.T[i] =
            (tn_xform){tn_body_rotation(&sim->model->bodies[i], sim->mark.q[i]), sim->mark.x[i]};
    }
    tn_joint_refresh(&sys, &sim->mark, j);
    tn_joint_speeds(&sys, j, sim->mark.u, tn_motion_rows(joint),
                    sim->between->speeds + (int64_t)j * TN_MAX_COORDINATES);
    sim->between->reach[j] = -1.0;
    for (int side = 0; side < 2; side++) {
        if (bodies[side] >= 0)
            sys.T[bodies[side]] = T[side];
    }
    sys.kin[j] = kin;
    *kin.moving = moving;
}

static const double *speeds_before(const tn_sim *sim, int32_t j)
{
    if (sim->between->reach[j] >= 0.0)
        find_speeds_before(sim, j);
    return sim->between->speeds + (int64_t)j * TN_MAX_COORDINATES;
}

static const double *speeds_after(const tn_sim *sim, int32_t j)
{
    double *now = sim->between->after + (int64_t)j * TN_MAX_COORDINATES;
    if (!(sim->between->reach_after[j] < 0.0))
        tn_coordinate_speeds(sim, j, now);
    sim->between->reach_after[j] = -1.0;
    return now;
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
        if (has_limited(sim, j))
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

/* Where a part ends, speeds are bounded only if a part this many times as long would be clear as well: the next
 * is not to ask for them. */
#define TN_CLEAR_AHEAD 3.0

/* The square of what bounds the speeds of joint j at the start of the part. */
static inline double reach_before(const tn_sim *sim, int32_t j, int32_t count)
{
    const tn_between *b = sim->between;
    const double *speeds = b->speeds + (int64_t)j * TN_MAX_COORDINATES;
    double largest = b->reach[j];
    for (int32_t i = 0; i < count && b->reach[j] < 0.0; i++) {
        const double square = speeds[i] * speeds[i];
        largest = square > largest ? square : largest;
    }
    return largest;
}

/* Is nothing of joint j passed in a part of h seconds, by what bounds its speeds? */
static inline bool is_clear_between(const tn_sim *sim, int32_t j, double h, double turning)
{
    tn_between *b = sim->between;
    const int32_t count = tn_limit_coordinate_count(sim, j);
    const double inside = clearance(sim, &sim->state, j, count);
    if (isinf(inside) && inside > 0.0)
        return true;
    const bool bounded = j < sim->model->joint_count && !sim->state.switches[j].compliant;
    const double reach = bounded ? turning * square_of_moments(sim, j) : INFINITY;
    if (!is_clear(inside, TN_CLEAR_AHEAD * h, reach)) {
        speeds_after(sim, j); /* a next part asks for them */
        return false;
    }
    b->reach_after[j] = reach;
    return is_clear(clearance(sim, &sim->mark, j, count), h, reach_before(sim, j, count));
}

bool tn_limits_passed_between(const tn_sim *sim, double h, double *when)
{
    double first = INFINITY;
    if (sim->state.head->limited == 0 || !sim->traits.accelerations)
        return false;
    const double turning =
        sim->traits.divides_steps || sim->pieces ? INFINITY : square_of_turning(sim);
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        sim->between->reach_after[j] = (double)NAN;
        if (is_clear_between(sim, j, h, turning))
            continue;
        const tn_switches *s = &sim->state.switches[j];
        const double *before = speeds_before(sim, j), *now = speeds_after(sim, j);
        for (int32_t i = 0; i < tn_limit_coordinate_count(sim, j); i++) {
            const double q0 = tn_state_coordinate(&sim->mark, j, i),
                         q1 = tn_state_coordinate(&sim->state, j, i);
            const tn_passage up = {q0 - s->upper[i], h * before[i], q1 - s->upper[i], h * now[i]},
                             down = {s->lower[i] - q0, -up.d0, s->lower[i] - q1, -up.d1};
            double where = 1.0;
            if (is_limited(sim, j, i) && (tn_passage_peak(&up, &where) > TN_LIMIT_TOLERANCE ||
                                          tn_passage_peak(&down, &where) > TN_LIMIT_TOLERANCE))
                first = fmin(first, where);
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
            const double *before = speeds_before(sim, j);
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
