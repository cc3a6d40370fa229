/* pole.h: room joint/turn: coordinates that have a pole, where two of them turn about the same axis.
 *
 * The pole is where the cosine of the middle angle (pitch, latitude) is zero: there only a
 * combination of its neighbours is defined. Close to it they may turn by half a turn within any
 * time, and their speeds say nothing about the next step.
 */
#ifndef TN_POLE_H
#define TN_POLE_H

#include "real/real.h"
#include "joint/joint_class.h"

/* Within this |cosine| of the pole a jump of the neighbours is attributed to the pole. */
#define TN_POLE_ZONE 1e-2

/* rad: a neighbour that moves further from its reference inside the zone has jumped. */
#define TN_POLE_JUMP (TN_PI / 4.0)

/* Rows use at least this |cosine|, so that they stay finite at the pole. */
#define TN_POLE_CLAMP 1e-4

/* Rounding error of those entries of a rotation that are products of others. Divided by the clamp it would exceed the
 * position tolerance. */
#define TN_POLE_ROUND_OFF 4e-15

/* If the middle angle may lose more than this share of its distance to the pole in a step, speeds predict nothing. */
#define TN_POLE_APPROACH 0.5

static inline double tn_clamped_cosine(double c)
{
    return fabs(c) >= TN_POLE_CLAMP ? c : copysign(TN_POLE_CLAMP, c);
}

/* pole.c: stops at the pole, for stop_at_pole of joint_class.h. */

/* True if coordinate i is held at its value in the reference. */
int tn_pole_holds(const tn_joint_stops *stops, int i, const double *reference);
/* The angle by which a coordinate is off what it is held at, by the entries of the pose across (b)
 * and along (a) its direction: b = c sin(angle), a = c cos(angle), c the distance from the pole.
 * Its row is a unit one over the clamped c, and so is the angle: b, which is smooth where a goes
 * through zero. */
double tn_pole_angle(double b, double a);
/* True if one of the first count coordinates has a range. */
int tn_pole_is_limited(const tn_joint_stops *stops, int count);
/* Of two sets of coordinates for one pose: true if only the second is within the ranges. */
int tn_pole_prefers_other(const tn_joint_stops *stops, int count, const double *q,
                          const double *other);

/* 1 if speeds do not predict the coordinates after h: see above. middle: the middle angle before and after h;
 * middle_speed: its speed at one of the two, which is zero where the pole is passed at the least distance. */
static inline int tn_pole_is_near(const double middle[2], double middle_speed, double h)
{
    const double before = fabs(tn_cos(middle[0])), after = fabs(tn_cos(middle[1]));
    const double c = fmin(before, after);
    return c < TN_POLE_ZONE ||
           fmax(fabs(h * middle_speed), fabs(after - before)) > TN_POLE_APPROACH * c;
}

#endif
