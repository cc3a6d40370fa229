/* custom_plain.c: room joint/custom: coordinates of axes at right angles, without a search.
 *
 * In: a joint each of whose axes is moved by a coordinate of its own, the coordinate itself, each turn
 * at right angles to the next, as joints of one body are in files of robots and animals. Shifts do
 * not turn and turns do not shift, so F of custom_search.h is the sum of both.
 *     shifts:       p's part along them, by the dual basis
 *     one turn:     F is least at tan q = a . vee / (tr R - a . R a), vee the axis of R - R^T
 *     two turns:    R a_2 = E_1 a_2 has q_1, E_1^T R a_1 = E_2 a_1 has q_2: of a legal pose, and of the
 *                   nearest one to first order in how far R is off it, as what is off is at right angles to
 *                   both axes; further off a start, from which a pass or two of the search are left
 *     three turns:  with u = a_1, w = a_2 x a_1 and a_3 at the angle t from u to w,
 *                   R a_3 = E_1 (cos(t + q_2) u + sin(t + q_2) w) has q_1 and q_2, in two ways; the
 *                   nearer one to the coordinates before is taken. R^T E_1 E_2 a_2 has q_3. Any R has them.
 * Limits: near the pole of three turns, and where one turn leaves half a turn, it is for the search.
 */
#include "joint/custom/custom_plain.h"

#include <string.h>

#include "joint/rotation_about_z.h"
#include "joint/turn/pole.h"
#include "real/real.h"

/* Cosines of axes at right angles: rounding. */
#define TN_RIGHT_ANGLE 1e-14
/* rad: two turns so far off a legal pose are as on it, as what is left out is of second order (rounding); and
 * are not near one. */
#define TN_AS_LEGAL   1e-8
#define TN_NEAR_LEGAL 0.1

static bool are_own(const tn_custom_axis *axes, int32_t count, uint32_t *seen)
{
    bool own = true;
    for (int32_t i = 0; i < count; i++) {
        own &= axes[i].moves && axes[i].is_itself && (*seen & 1u << axes[i].coordinate) == 0;
        *seen |= own ? 1u << axes[i].coordinate : 0u;
    }
    return own;
}

void tn_custom_plain_make(tn_custom *custom)
{
    const tn_custom_axis *turn = custom->turns;
    uint32_t seen = 0;
    custom->plain = are_own(turn, custom->turn_count, &seen) &&
                    are_own(custom->shifts, custom->shift_count, &seen);
    for (int32_t i = 0; i + 1 < custom->turn_count && custom->plain; i++)
        custom->plain &= fabs(v3_dot(turn[i].axis, turn[i + 1].axis)) <= TN_RIGHT_ANGLE;
    if (!custom->plain || custom->turn_count < 3)
        return;
    const tn_vec3 u = turn[0].axis, w = v3_cross(turn[1].axis, u);
    custom->third = tn_atan2(v3_dot(turn[2].axis, w), v3_dot(turn[2].axis, u));
}

static tn_mat3 turned(tn_vec3 axis, double angle)
{
    return q_to_m3(q_exp(v3_scale(angle, axis)));
}

/* How far `to` is turned from `from`, which is at right angles to the axis. */
static double angle_about(tn_vec3 axis, tn_vec3 from, tn_vec3 to)
{
    return tn_atan2(v3_dot(to, v3_cross(axis, from)), v3_dot(to, from));
}

static tn_closed_form one_turn(tn_vec3 a, const tn_mat3 *R, double *angle)
{
    const tn_vec3 vee =
        v3(R->m[2][1] - R->m[1][2], R->m[0][2] - R->m[2][0], R->m[1][0] - R->m[0][1]);
    const double sine = v3_dot(a, vee);
    const double cosine = R->m[0][0] + R->m[1][1] + R->m[2][2] - v3_dot(a, m3_mulv(R, a));
    *angle = tn_atan2(sine, cosine);
    return tn_hypot(sine, cosine) >= TN_POLE_ZONE ? TN_CLOSED_EXACT : TN_CLOSED_NONE;
}

static tn_closed_form two_turns(const tn_custom_axis *turn, const tn_mat3 *R, double angle[2])
{
    const tn_vec3 a = turn[0].axis, b = turn[1].axis;
    const tn_vec3 second = m3_mulv(R, b);
    angle[0] = angle_about(a, b, second);
    const tn_mat3 E = turned(a, angle[0]);
    angle[1] = angle_about(b, a, m3_tmulv(&E, m3_mulv(R, a)));
    const double off = fabs(v3_dot(a, second));
    return off <= TN_AS_LEGAL     ? TN_CLOSED_EXACT
           : off <= TN_NEAR_LEGAL ? TN_CLOSED_START
                                  : TN_CLOSED_NONE;
}

/* With the first turn's angle; together they give R back even where that one is badly determined. */
static void last_turns(const tn_custom *custom, const tn_mat3 *R, double angle[3])
{
    const tn_vec3 a = custom->turns[0].axis, b = custom->turns[1].axis, c = custom->turns[2].axis;
    const tn_mat3 E = turned(a, angle[0]);
    const tn_vec3 rest = m3_tmulv(&E, m3_mulv(R, c));
    angle[1] = tn_atan2(v3_dot(rest, v3_cross(b, a)), v3_dot(rest, a)) - custom->third;
    angle[2] = -angle_about(c, b, m3_tmulv(R, m3_mulv(&E, b)));
}

/* Turns nearest to the coordinates before; how far those are, squared. */
static double settle(const tn_custom *custom, const double *before, double *angle)
{
    double sum = 0.0;
    for (int32_t i = 0; i < custom->turn_count; i++) {
        const double was = before[custom->turns[i].coordinate];
        angle[i] = tn_nearest_turn(angle[i], was);
        sum += (angle[i] - was) * (angle[i] - was);
    }
    return sum;
}

static tn_closed_form three_turns(const tn_custom *custom, const tn_mat3 *R, const double *before,
                                  double angle[3])
{
    const tn_vec3 a = custom->turns[0].axis, w = v3_cross(custom->turns[1].axis, a);
    const tn_vec3 rest = m3_mulv(R, custom->turns[2].axis);
    const double x = v3_dot(rest, w), y = v3_dot(rest, v3_cross(a, w));
    double other[3];
    angle[0] = tn_atan2(y, x);
    other[0] = tn_atan2(-y, -x);
    last_turns(custom, R, angle);
    last_turns(custom, R, other);
    if (settle(custom, before, other) < settle(custom, before, angle))
        memcpy(angle, other, sizeof other);
    return tn_hypot(x, y) >= TN_POLE_ZONE ? TN_CLOSED_EXACT : TN_CLOSED_NONE;
}

tn_closed_form tn_custom_plain(const tn_pose_family *family, const tn_xform *T_CD, double *q)
{
    const tn_custom *custom = (const tn_custom *)family;
    double angle[TN_AXES_OF_A_KIND] = {0.0};
    tn_closed_form found = TN_CLOSED_EXACT;
    if (!custom->plain)
        return TN_CLOSED_NONE;
    if (custom->turn_count == 1)
        found = one_turn(custom->turns[0].axis, &T_CD->R, &angle[0]);
    if (custom->turn_count == 2)
        found = two_turns(custom->turns, &T_CD->R, angle);
    if (custom->turn_count == 3)
        found = three_turns(custom, &T_CD->R, q, angle);
    if (found == TN_CLOSED_NONE)
        return found;
    settle(custom, q, angle);
    for (int32_t i = 0; i < custom->turn_count; i++)
        q[custom->turns[i].coordinate] = angle[i];
    for (int32_t i = 0; i < custom->shift_count; i++)
        q[custom->shifts[i].coordinate] = v3_dot(custom->dual_basis[i], T_CD->p);
    return found;
}
