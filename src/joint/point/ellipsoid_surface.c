/* ellipsoid_surface.c: room joint/point: the point of an ellipsoid nearest to a given one.
 *
 * D. Eberly, Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid (2013). In the
 * first octant, with e the semi-axes and y the point, the nearest point is
 *     x_i = e_i^2 y_i / (s + e_i^2)   at the largest root s of   sum (e_i y_i / (s + e_i^2))^2 = 1.
 * With m the smallest semi-axis, r_i = (e_i / m)^2, z_i = y_i / e_i and t = s / m^2 + 1,
 *     S(t) = sum (r_i z_i / (t + r_i - 1))^2 = 1,    x_i = r_i y_i / (t + r_i - 1),    t > 0,
 * and S decreases. Newton's method runs on 1 / sqrt(S), which is nearly linear, inside a bracket.
 */
#include "joint/point/ellipsoid_surface.h"

/* A coordinate of 0 counts as this share of its semi-axis: x_i = y_i / t is then well-defined also
 * where t is as small, on the symmetry planes near the centre. */
#define TN_TINY_SHARE 1e-150

/* Newton in a bracket needs below ten; halving a bracket of doubles never needs more. */
#define TN_NEAREST_MAX_PASSES 1100

typedef struct tn_nearest {
    double r[3], z[3];
} tn_nearest;

static double sum_of_squares(const tn_nearest *n, double t, double *slope)
{
    double sum = 0.0;
    *slope = 0.0;
    for (int i = 0; i < 3; i++) {
        const double d = t + (n->r[i] - 1.0), x = n->r[i] * n->z[i] / d;
        sum += x * x;
        *slope -= 2.0 * x * x / d;
    }
    return sum;
}

/* Each term of S is at most 1 at the root, and each at most (r z / t)^2. */
static void bracket(const tn_nearest *n, double *low, double *high)
{
    double sum = 0.0;
    *low = 0.0;
    for (int i = 0; i < 3; i++) {
        *low = fmax(*low, 1.0 - n->r[i] * (1.0 - n->z[i]));
        sum += n->r[i] * n->r[i] * n->z[i] * n->z[i];
    }
    *high = fmax(1.0, sqrt(sum));
}

static double find_root(const tn_nearest *n)
{
    double low, high, slope, t = 1.0; /* a point on the surface */
    bracket(n, &low, &high);
    for (int pass = 0; pass < TN_NEAREST_MAX_PASSES; pass++) {
        const double sum = sum_of_squares(n, t, &slope);
        if (sum > 1.0) {
            low = t;
        } else {
            high = t;
        }
        /* f = 1/sqrt(S) - 1, f' = -S'/2 S^-3/2 */
        double next = t + 2.0 * sum * (1.0 - sqrt(sum)) / slope;
        if (!(next > low && next < high))
            next = fabs(next - t) <= 1e-16 * t ? t : 0.5 * (low + high);
        if (next == t)
            break;
        t = next;
    }
    return t;
}

int tn_ellipsoid_nearest(tn_vec3 semi_axes, tn_vec3 point, tn_vec3 *nearest)
{
    double e[3], y[3], x[3];
    v3_store(e, semi_axes);
    v3_store(y, point);
    const double m = fmin(e[0], fmin(e[1], e[2]));
    tn_nearest n;
    for (int i = 0; i < 3; i++) {
        n.r[i] = e[i] / m * (e[i] / m);
        n.z[i] = fmax(fabs(y[i]) / e[i], TN_TINY_SHARE);
    }
    const double t = find_root(&n);
    double slope;
    const double scale = 1.0 / sqrt(sum_of_squares(&n, t, &slope)); /* onto the surface */
    int unique = 1;
    for (int i = 0; i < 3; i++) {
        x[i] = copysign(scale * e[i] * n.z[i] * n.r[i] / (t + (n.r[i] - 1.0)), y[i]);
        if (y[i] == 0.0 && fabs(x[i]) > 1e-12 * e[i]) {
            unique = 0;
        } else if (y[i] == 0.0) {
            x[i] = 0.0;
        }
    }
    *nearest = v3_load(x);
    return unique;
}
