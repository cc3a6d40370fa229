/* tilt.h: room joint/turn: turning a frame until one of its axes has a given elevation. */
#ifndef TN_TILT_H
#define TN_TILT_H

#include "math/m3.h"

/* Below this length of its horizontal part an axis is vertical and may fall to any side. */
#define TN_VERTICAL_AXIS 1e-12

/* A horizontal unit vector: along y, or any when y is vertical (*unique is then 0). */
static inline tn_vec3 tn_horizontal(tn_vec3 y, tn_vec3 z, int *unique)
{
    tn_vec3 h = v3_axpy(y, -v3_dot(y, z), z);
    *unique = v3_norm(h) > TN_VERTICAL_AXIS;
    if (!*unique) { /* away from the coordinate axis nearest to z */
        h = fabs(z.y) < 0.9 ? v3_cross(z, v3_cross(v3(0.0, 1.0, 0.0), z))
                            : v3_cross(z, v3_cross(v3(1.0, 0.0, 0.0), z));
    }
    h = v3_scale(1.0 / v3_norm(h), h);
    h = v3_axpy(h, -v3_dot(h, z), z); /* what cancelled when y is steep */
    return v3_scale(1.0 / v3_norm(h), h);
}

/* The rotation nearest to R whose axis (unit, in C) has elevation sine s, cosine c > 0 over the
 * plane across z (unit, in D): R is turned about the horizontal direction across the axis. Returns
 * 0 when the axis was along z. With y = R axis, y' its goal and w = y x y' the turn is
 *     I + [w]x + [w]x^2 / (1 + y . y'). */
static inline int tn_tilt_axis(const tn_mat3 *R, tn_vec3 axis, tn_vec3 z, double c, double s,
                               tn_mat3 *out)
{
    int unique;
    const tn_vec3 y = m3_mulv(R, axis);
    const tn_vec3 goal = v3_axpy(v3_scale(c, tn_horizontal(y, z, &unique)), s, z);
    const tn_vec3 w = v3_cross(y, goal);
    const double f = 1.0 / (1.0 + v3_dot(y, goal));
    for (int j = 0; j < 3; j++) {
        const tn_vec3 column = m3_column(R, j);
        const tn_vec3 wc = v3_cross(w, column);
        const tn_vec3 turned = v3_axpy(v3_add(column, wc), f, v3_cross(w, wc));
        out->m[0][j] = turned.x;
        out->m[1][j] = turned.y;
        out->m[2][j] = turned.z;
    }
    return unique;
}

#endif
