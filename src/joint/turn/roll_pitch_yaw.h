/* roll_pitch_yaw.h: room joint/turn: three angles for a free rotation, for gimbal and free.
 *
 * R_CD = Rz(roll) Ry(pitch) Rx(yaw), the order of ArtiSynth's gimbal joint. Functions of
 * q = (roll, pitch, yaw); rows and twists are angular, in G. With c, s of pitch and yaw:
 *     T_roll  = (-sp, sy cp, cy cp),   T_pitch = (0, cy, -sy),   T_yaw = (1, 0, 0)
 *     W_roll  = (0, sy, cy) / cp,      W_pitch = (0, cy, -sy),   W_yaw = (1, 0, 0) + sp W_roll
 * Singular at the pole cos(pitch) = 0 (pole.h): rows are clamped there. Two triples give the same
 * rotation, (roll, pitch, yaw) and (roll + pi, pi - pitch, yaw + pi): the nearer one to the
 * reference is taken, so pitch runs on through the pole. Inside the zone of the pole a jump of roll
 * is not followed: roll and yaw then share the change of the combination that is defined there,
 * yaw - roll at +90 degrees, yaw + roll at -90.
 */
#ifndef TN_ROLL_PITCH_YAW_H
#define TN_ROLL_PITCH_YAW_H

#include "joint/joint_class.h"

tn_mat3 tn_rpy_to_rotation(const double q[3]);
void tn_rpy_from_rotation(const tn_mat3 *R, const double reference[3], double q[3]);
/* stop_at_pole of joint_class.h. */
int tn_rpy_stop_at_pole(const tn_mat3 *R, const tn_joint_stops *stops, const double reference[3],
                        double q[3], double error[3]);
void tn_rpy_wrenches(const double q[3], tn_vec3 W[3]);
/* w: angular velocity of G in D, in G. */
void tn_rpy_wrench_rates(const double q[3], tn_vec3 w, tn_vec3 dW[3]);
void tn_rpy_twists(const double q[3], tn_vec3 T[3]);
/* Without the speeds of roll and yaw where the pole makes them useless. */
void tn_rpy_predict(const double q[3], const double now[3], const double speeds[3], double h,
                    double predicted[3]);

#endif
