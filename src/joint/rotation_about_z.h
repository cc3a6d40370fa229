/* rotation_about_z.h: room joint: the rotation about z nearest to a given one.
 *
 * Shared by the types whose rotation is Rz(theta). Turning z_C onto z_D by the shortest rotation
 * removes the swing; what is left is the twist with tan(theta) = (R10 - R01) / (R00 + R11).
 */
#ifndef TN_ROTATION_ABOUT_Z_H
#define TN_ROTATION_ABOUT_Z_H

#include "math/m3.h"

/* Below this sum the axes are opposite and the shortest rotation is not unique. */
#define TN_OPPOSITE_AXES 1e-12

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

/* value shifted by whole turns to within pi of reference. */
static inline double tn_nearest_turn(double value, double reference)
{
    return value + 2.0 * TN_PI * floor((reference - value) / (2.0 * TN_PI) + 0.5);
}

#endif
