/* mesh_moments.c (room: spec/shape): volume integrals of what a closed triangle mesh encloses.
 *
 * In: a mesh whose indices and numbers have been checked. Out: its moments.
 *
 * The solid is the signed sum of the tetrahedra (o, a, b, c) over the triangles. With o as origin
 *     V = a . ((b - a) x (c - a)) / 6,   int r = V s / 4,
 *     int r r^T = V (a a^T + b b^T + c c^T + s s^T) / 20,   s = a + b + c
 * exact for a polyhedron. o is the first corner used, so that a mesh far from its frame loses no
 * digits.
 */
#include "spec/shape/moments.h"

#include <float.h>
#include <math.h>

#include "spec/shape/mesh_surface.h"

/* A volume below this part of distance times area, summed, is round-off: the surface is flat. */
#define VOLUME_NOISE (1e3 * DBL_EPSILON)

typedef struct integrals {
    double volume;
    double magnitude; /* m^3, sum of |a| |area| / 3: what the tetrahedra could have been */
    double first[3];
    double second[3][3]; /* upper triangle */
} integrals;

static double norm(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void corner(const tn_shape_def *def, tn_vec3 origin, int32_t vertex, double out[3])
{
    const tn_vec3 *p = &def->vertices[vertex];
    out[0] = def->scale * (p->x - origin.x);
    out[1] = def->scale * (p->y - origin.y);
    out[2] = def->scale * (p->z - origin.z);
}

/* The determinant is taken from the sides of the triangle, a . ((b - a) x (c - a)): with small
 * triangles far from o nothing cancels. */
static void add_tetrahedron(const double a[3], const double b[3], const double c[3], integrals *sum)
{
    double e[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    double f[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    double normal[3] = {e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2],
                        e[0] * f[1] - e[1] * f[0]};
    double volume = (a[0] * normal[0] + a[1] * normal[1] + a[2] * normal[2]) / 6.0;
    double s[3] = {a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]};
    sum->volume += volume;
    sum->magnitude += norm(a) * norm(normal) / 6.0;
    for (int i = 0; i < 3; i++) {
        sum->first[i] += volume * s[i] / 4.0;
        for (int j = i; j < 3; j++) {
            sum->second[i][j] +=
                volume * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s[i] * s[j]) / 20.0;
        }
    }
}

/* From integrals about the origin to moments about the centroid. Inward triangles gave every
 * integral the other sign. */
static tn_moments about_centroid(const integrals *sum, tn_vec3 origin)
{
    double sign = sum->volume < 0.0 ? -1.0 : 1.0, v = sum->volume;
    double c[3] = {sum->first[0] / v, sum->first[1] / v, sum->first[2] / v};
    tn_moments moments = {
        .volume = sign * v,
        .centroid = {origin.x + c[0], origin.y + c[1], origin.z + c[2]},
    };
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            double about = sign * (sum->second[i][j] - v * c[i] * c[j]);
            moments.second.m[i][j] = moments.second.m[j][i] = about;
        }
    }
    return moments;
}

tn_status tn_moments_mesh(const tn_shape_def *def, tn_moments *out, tn_diagnostics *diags)
{
    const char *what = tn_shape_kind_get(def->kind)->name;
    tn_status status =
        tn_mesh_check_closed(def->triangles, def->triangle_count, what, def->at, diags);
    if (status != TN_OK) {
        return status;
    }
    tn_vec3 origin = def->vertices[def->triangles[0].v[0]];
    integrals sum = {0};
    for (int32_t t = 0; t < def->triangle_count; t++) {
        double a[3], b[3], c[3];
        corner(def, origin, def->triangles[t].v[0], a);
        corner(def, origin, def->triangles[t].v[1], b);
        corner(def, origin, def->triangles[t].v[2], c);
        add_tetrahedron(a, b, c, &sum);
    }
    if (!(fabs(sum.volume) > VOLUME_NOISE * sum.magnitude)) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, def->at, NULL,
                           "%s: the surface encloses no volume (%g m^3)", what, sum.volume);
        return TN_ERROR_INPUT;
    }
    if (sum.volume < 0.0) {
        tn_diagnostics_add(diags, TN_WARNING, TN_OK, def->at,
                           "Order the corners of every triangle counter-clockwise from outside.",
                           "%s: all triangles face inwards; taken as facing outwards", what);
    }
    tn_vec3 scaled = {def->scale * origin.x, def->scale * origin.y, def->scale * origin.z};
    *out = about_centroid(&sum, scaled);
    return TN_OK;
}
