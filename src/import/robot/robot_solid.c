/* robot_solid.c: what a mesh weighs that does not enclose its volume (robot.h).
 *
 * Room import/robot. MuJoCo's rule: pyramids over the triangles, with signs, from the mean of the surface o, give a centre c;
 * volume and moments are those of the pyramids from c. Of a closed surface both are those of its solid.
 *     V = sum a . (b x c) / 6,   V c = sum V_i s / 4,   int r r^T = sum V_i (a a^T + b b^T + c c^T + s s^T) / 20,   s = a + b + c
 */
#include "import/robot/robot.h"

#include <math.h>
#include <string.h>

#include "math/m3.h"

/* A volume below this part of distance times area is none. */
#define NO_VOLUME 1e-9

typedef struct pyramids {
    double volume, size; /* size: of the same without signs */
    tn_vec3 first;
    tn_mat3 second;
} pyramids;

static tn_vec3 corner(const tn_shape_def *shape, int32_t triangle, int k)
{
    return v3_scale(shape->scale, shape->vertices[shape->triangles[triangle].v[k]]);
}

static tn_vec3 mean_of_surface(const tn_shape_def *shape)
{
    tn_vec3 sum = {0.0, 0.0, 0.0};
    double area = 0.0;
    for (int32_t t = 0; t < shape->triangle_count; t++) {
        const tn_vec3 a = corner(shape, t, 0), b = corner(shape, t, 1), c = corner(shape, t, 2);
        const double part = v3_norm(v3_cross(v3_sub(b, a), v3_sub(c, a)));
        sum = v3_axpy(sum, part / 3.0, v3_add(a, v3_add(b, c)));
        area += part;
    }
    return area > 0.0 ? v3_scale(1.0 / area, sum) : sum;
}

static void add_outer(tn_mat3 *sum, double weight, tn_vec3 v)
{
    const double x[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            sum->m[i][j] += weight * x[i] * x[j];
        }
    }
}

static pyramids sum_from(const tn_shape_def *shape, tn_vec3 tip)
{
    pyramids sum;
    memset(&sum, 0, sizeof sum);
    for (int32_t t = 0; t < shape->triangle_count; t++) {
        const tn_vec3 a = v3_sub(corner(shape, t, 0), tip), b = v3_sub(corner(shape, t, 1), tip),
                      c = v3_sub(corner(shape, t, 2), tip), s = v3_add(a, v3_add(b, c));
        const double volume = v3_dot(a, v3_cross(b, c)) / 6.0;
        sum.volume += volume;
        sum.size += v3_norm(a) * v3_norm(v3_cross(v3_sub(b, a), v3_sub(c, a))) / 6.0;
        sum.first = v3_axpy(sum.first, volume / 4.0, s);
        add_outer(&sum.second, volume / 20.0, a);
        add_outer(&sum.second, volume / 20.0, b);
        add_outer(&sum.second, volume / 20.0, c);
        add_outer(&sum.second, volume / 20.0, s);
    }
    return sum;
}

bool tn_robot_weigh_open(const tn_shape_def *shape, tn_mass_properties *out)
{
    const tn_vec3 mean = mean_of_surface(shape);
    pyramids sum = sum_from(shape, mean);
    if (!(fabs(sum.volume) > NO_VOLUME * sum.size))
        return false;
    tn_mass_properties own = {.com = v3_axpy(mean, 1.0 / sum.volume, sum.first)};
    sum = sum_from(shape, own.com);
    if (!(fabs(sum.volume) > NO_VOLUME * sum.size))
        return false;
    own.mass = isnan(shape->mass) ? shape->density * fabs(sum.volume) : shape->mass;
    const double density = own.mass / sum.volume;
    const double trace = sum.second.m[0][0] + sum.second.m[1][1] + sum.second.m[2][2];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            own.inertia.m[i][j] = density * ((i == j ? trace : 0.0) - sum.second.m[i][j]);
        }
    }
    *out = tn_mass_properties_transform(shape->pose, &own);
    return own.mass > 0.0;
}
