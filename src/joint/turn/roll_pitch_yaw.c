/* roll_pitch_yaw.c: room joint/turn: see roll_pitch_yaw.h. */
#include "real/real.h"
#include "joint/turn/roll_pitch_yaw.h"

#include <string.h>

#include "joint/turn/pole.h"
#include "joint/rotation_about_z.h"

enum { ROLL, PITCH, YAW };

tn_mat3 tn_rpy_to_rotation(const double q[3])
{
    const double cr = tn_cos(q[ROLL]), sr = tn_sin(q[ROLL]), cp = tn_cos(q[PITCH]),
                 sp = tn_sin(q[PITCH]);
    const double cy = tn_cos(q[YAW]), sy = tn_sin(q[YAW]);
    return (tn_mat3){{{cr * cp, cr * sp * sy - sr * cy, cr * sp * cy + sr * sy},
                      {sr * cp, sr * sp * sy + cr * cy, sr * sp * cy - cr * sy},
                      {-sp, cp * sy, cp * cy}}};
}

/* The triple with this roll (or the rotation nearest to R that has it), turns nearest to the
 * reference. Rz(-roll) R = Ry(pitch) Rx(yaw): together they give R back to round-off even where
 * roll itself is badly determined. */
static void triple_with_roll(const tn_mat3 *R, double c, double s, const double reference[3],
                             double q[3])
{
    const double pitch = tn_atan2(-R->m[2][0], c * R->m[0][0] + s * R->m[1][0]);
    const double yaw = tn_atan2(s * R->m[0][2] - c * R->m[1][2], c * R->m[1][1] - s * R->m[0][1]);
    q[ROLL] = tn_nearest_turn(tn_atan2(s, c), reference[ROLL]);
    q[PITCH] = tn_nearest_turn(pitch, reference[PITCH]);
    q[YAW] = tn_nearest_turn(yaw, reference[YAW]);
}

static double distance(const double a[3], const double b[3])
{
    return v3_norm(v3_sub(v3_load(a), v3_load(b)));
}

/* |cos(pitch)| */
static double distance_from_pole(const tn_mat3 *R)
{
    return tn_hypot(R->m[0][0], R->m[1][0]);
}

/* The two triples of R, the nearer one to the reference first. */
static void both_triples(const tn_mat3 *R, const double reference[3], double q[3], double other[3])
{
    const double n = distance_from_pole(R);
    const double c = n > 0.0 ? R->m[0][0] / n : 1.0, s = n > 0.0 ? R->m[1][0] / n : 0.0;
    double swap[3];
    triple_with_roll(R, c, s, reference, q);
    triple_with_roll(R, -c, -s, reference, other);
    if (distance(other, reference) < distance(q, reference)) {
        memcpy(swap, q, sizeof swap);
        memcpy(q, other, sizeof swap);
        memcpy(other, swap, sizeof swap);
    }
}

/* Roll and yaw share the change of yaw + k roll. */
static void split_at_pole(const double reference[3], double q[3])
{
    const double k = tn_sin(q[PITCH]) > 0.0 ? -1.0 : 1.0;
    const double before = reference[YAW] + k * reference[ROLL];
    const double change = tn_nearest_turn(q[YAW] + k * q[ROLL], before) - before;
    q[YAW] = reference[YAW] + 0.5 * change;
    q[ROLL] = reference[ROLL] + 0.5 * k * change;
}

void tn_rpy_from_rotation(const tn_mat3 *R, const double reference[3], double q[3])
{
    const double ref[3] = {reference[ROLL], reference[PITCH], reference[YAW]}; /* may be q */
    double other[3];
    both_triples(R, ref, q, other);
    if (distance_from_pole(R) < TN_POLE_ZONE && fabs(q[ROLL] - ref[ROLL]) > TN_POLE_JUMP)
        split_at_pole(ref, q);
}

/* Roll held: R e_x = (cr cp, sr cp, -sp). */
static double hold_roll(const tn_mat3 *R, double roll, const double reference[3], double q[3])
{
    const double c = tn_cos(roll), s = tn_sin(roll);
    triple_with_roll(R, c, s, reference, q);
    q[ROLL] = roll;
    return tn_pole_angle(c * R->m[1][0] - s * R->m[0][0], c * R->m[0][0] + s * R->m[1][0]);
}

/* Yaw held: R^T e_z = (-sp, cp sy, cp cy), R Rx(-yaw) e_y = (-sr, cr, 0). */
static double hold_yaw(const tn_mat3 *R, double yaw, const double reference[3], double q[3])
{
    const double c = tn_cos(yaw), s = tn_sin(yaw);
    const double along = c * R->m[2][2] + s * R->m[2][1];
    const double roll = tn_atan2(s * R->m[0][2] - c * R->m[0][1], c * R->m[1][1] - s * R->m[1][2]);
    q[ROLL] = tn_nearest_turn(roll, reference[ROLL]);
    q[PITCH] = tn_nearest_turn(tn_atan2(-R->m[2][0], along), reference[PITCH]);
    q[YAW] = yaw;
    return tn_pole_angle(c * R->m[2][1] - s * R->m[2][2], along);
}

/* Held ones of roll and yaw. Returns 0 if there are none the pole lies near to. */
static int hold(const tn_mat3 *R, const tn_joint_stops *stops, const double reference[3],
                double q[3], double error[3])
{
    int taken[3] = {0, 0, 0};
    if (distance_from_pole(R) >= TN_POLE_ZONE)
        return 0;
    for (int i = ROLL; i <= YAW; i += YAW)
        taken[i] = tn_pole_holds(stops, i, reference);
    if (taken[ROLL]) {
        error[ROLL] = hold_roll(R, stops->value[ROLL], reference, q);
    } else if (taken[YAW]) {
        error[YAW] = hold_yaw(R, stops->value[YAW], reference, q);
    }
    if (taken[ROLL] && taken[YAW]) /* W_yaw = (1, 0, 0) + sp W_roll; the rows are those of yaw so */
        error[YAW] = tn_sin(q[PITCH]) * error[ROLL];
    return taken[ROLL] || taken[YAW];
}

int tn_rpy_stop_at_pole(const tn_mat3 *R, const tn_joint_stops *stops, const double reference[3],
                        double q[3], double error[3])
{
    const double ref[3] = {reference[ROLL], reference[PITCH], reference[YAW]}; /* may be q */
    double other[3];
    if (hold(R, stops, ref, q, error))
        return 1;
    if (!tn_pole_is_limited(stops, 3))
        return 0;
    both_triples(R, ref, q, other);
    if (fabs(q[ROLL] - ref[ROLL]) > TN_POLE_JUMP && tn_pole_prefers_other(stops, 3, q, other))
        memcpy(q, other, sizeof other);
    return 1;
}

void tn_rpy_wrenches(const double q[3], tn_vec3 W[3])
{
    const double cp = tn_clamped_cosine(tn_cos(q[PITCH])), sp = tn_sin(q[PITCH]);
    const double cy = tn_cos(q[YAW]), sy = tn_sin(q[YAW]);
    W[ROLL] = v3(0.0, sy / cp, cy / cp);
    W[PITCH] = v3(0.0, cy, -sy);
    W[YAW] = v3(1.0, sp * sy / cp, sp * cy / cp);
}

/* Derivatives by pitch and yaw; the clamped cosine is constant. */
void tn_rpy_wrench_rates(const double q[3], tn_vec3 w, tn_vec3 dW[3])
{
    tn_vec3 W[3];
    tn_rpy_wrenches(q, W);
    const double dp = v3_dot(W[PITCH], w), dy = v3_dot(W[YAW], w);
    const double cp = tn_clamped_cosine(tn_cos(q[PITCH])), sp = tn_sin(q[PITCH]);
    const double dcp = fabs(tn_cos(q[PITCH])) >= TN_POLE_CLAMP ? -sp * dp : 0.0;
    const double cy = tn_cos(q[YAW]), sy = tn_sin(q[YAW]);
    dW[ROLL] = v3_axpy(v3(0.0, cy * dy / cp, -sy * dy / cp), -dcp / cp, W[ROLL]);
    dW[PITCH] = v3(0.0, -sy * dy, -cy * dy);
    dW[YAW] = v3_axpy(v3_scale(sp, dW[ROLL]), tn_cos(q[PITCH]) * dp, W[ROLL]);
}

void tn_rpy_twists(const double q[3], tn_vec3 T[3])
{
    const double cp = tn_cos(q[PITCH]), sp = tn_sin(q[PITCH]), cy = tn_cos(q[YAW]),
                 sy = tn_sin(q[YAW]);
    T[ROLL] = v3(-sp, sy * cp, cy * cp);
    T[PITCH] = v3(0.0, cy, -sy);
    T[YAW] = v3(1.0, 0.0, 0.0);
}

void tn_rpy_predict(const double q[3], const double now[3], const double speeds[3], double h,
                    double predicted[3])
{
    const double pitches[2] = {q[PITCH], now[PITCH]};
    const double guided = tn_pole_is_near(pitches, speeds[PITCH], h) ? 0.0 : h;
    predicted[ROLL] = q[ROLL] + guided * speeds[ROLL];
    predicted[PITCH] = q[PITCH] + h * speeds[PITCH];
    predicted[YAW] = q[YAW] + guided * speeds[YAW];
}
