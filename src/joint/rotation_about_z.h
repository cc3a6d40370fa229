/* rotation_about_z.h: room joint: the rotation about z nearest to a given one.
 *
 * Shared by the types whose rotation is Rz(theta). Turning z_C onto z_D by the shortest rotation
 * removes the swing; what is left is the twist with tan(theta) = (R10 - R01) / (R00 + R11).
 */
#ifndef TN_ROTATION_ABOUT_Z_H
#define TN_ROTATION_ABOUT_Z_H

#include "math/m3.h"
#include "real/double_double.h"
#include "real/real.h"

/* Below this sum the axes are opposite and the shortest rotation is not unique. */
#define TN_OPPOSITE_AXES 1e-12

/* rad: 2 pi less the double nearest to it. */
#define TN_REST_OF_TURN 2.4492935982947064e-16

/* Returns 0 when z_C points against z_D: 180 degrees about x are then taken. */
static inline int tn_nearest_rotation_about_z(const tn_mat3 *R, tn_mat3 *out)
{
    double c = R->m[0][0] + R->m[1][1], s = R->m[1][0] - R->m[0][1];
    double n = sqrt(c * c + s * s);
    const int unique = n > TN_OPPOSITE_AXES;
    if (!unique) {
        c = R->m[0][0]; /* Rx(pi) R has the rows of R with y and z negated */
        s = -R->m[1][0];
        n = sqrt(c * c + s * s);
    }
    *out = m3_rot_z(c / n, s / n);
    return unique;
}

/* The rotation vector of the shortest rotation that takes one unit axis to another; of opposite
 * ones, of one of them. */
static inline tn_vec3 tn_tilt(tn_vec3 from, tn_vec3 to)
{
    const tn_vec3 across = v3_cross(from, to);
    const double s2 = v3_dot(across, across), along = v3_dot(from, to);
    if (s2 < 1e-4 && along > 0.0)
        return v3_scale(tn_small_asin(s2), across);
    const double sine = sqrt(s2);
    if (sine > TN_OPPOSITE_AXES)
        return v3_scale(tn_atan2(sine, along) / sine, across);
    const tn_mat3 R = tn_m3_from_z_axis(from);
    return v3_scale(TN_PI, m3_column(&R, 0));
}

/* The turns that are nearest to an angle; turns and an angle in one, exact as long as the number of
 * turns is. */
static inline double tn_whole_turns(double angle)
{
    return floor(angle / (2.0 * TN_PI) + 0.5);
}

static inline tn_dd tn_turned(double turns, double angle)
{
    const tn_dd whole = dd_mul((tn_dd){turns, 0.0}, (tn_dd){2.0 * TN_PI, TN_REST_OF_TURN});
    return dd_add(whole, (tn_dd){angle, 0.0});
}

/* value shifted by whole turns to within pi of reference. */
static inline double tn_nearest_turn(double value, double reference)
{
    return value + 2.0 * TN_PI * floor((reference - value) / (2.0 * TN_PI) + 0.5);
}

#endif
