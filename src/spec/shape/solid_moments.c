/* solid_moments.c (room: spec/shape): volume and second moments of the solids with a closed form.
 *
 * In: checked dimensions. Out: moments about the centre; all these solids are symmetric in their
 * three coordinate planes, so the centroid is the origin and the second moment is diagonal.
 *
 * Per unit density S_xx = integral of x^2, so that I_xx = S_yy + S_zz (textbook inertias follow):
 *     box        S_xx = V a^2 / 12               ball, ellipsoid  S_xx = V a^2 / 5
 *     cylinder   S_xx = V r^2 / 4,  S_zz = V L^2 / 12
 * Round-ended solids are a straight part of length L plus two mirrored caps. A cap standing on the
 * plane u = 0 has volume V, first moment Q = int u, along = int u^2, across = int x^2; moved to
 * u = L/2 its moment about the centre is along + L Q + V L^2 / 4.
 *     half disc  V = pi r^2 / 2, Q = 2 r^3 / 3, along = across = pi r^4 / 8
 *     half ball  V = 2 pi r^3 / 3, Q = pi r^4 / 4, along = across = 2 pi r^5 / 15
 * With n slices the half disc is a fan of n isosceles triangles of apex angle d = pi / n,
 * inscribed: V = n r^2 sin d / 2, Q = 2/3 r^3 cos^2(d/2), along = across = n r^4 sin d (2 + cos d)
 * / 24 (Q telescopes; the regular 2n-gon is isotropic, and by point symmetry so is half of it.) The
 * faceted half ball with n slices around is n/4 frusta of regular n-gons inscribed in the ball,
 * every d = 2 pi / n of latitude; see faceted_half_ball. These are the polyhedra that ArtiSynth's
 * rounded box and rounded cylinder meshes describe; their faces are plane, so no triangulation
 * enters.
 */
#include "real/real.h"
#include "spec/shape/moments.h"

#include <math.h>

#define PI 3.14159265358979323846

typedef struct end_cap {
    double volume; /* m^3, or m^2 for a plane figure; the others have 1 or 2 lengths more */
    double first;  /* int u */
    double along;  /* int u^2 */
    double across; /* int x^2 */
} end_cap;

static tn_status set_diagonal(tn_moments *out, double volume, double xx, double yy, double zz)
{
    *out = (tn_moments){.volume = volume};
    out->second.m[0][0] = xx;
    out->second.m[1][1] = yy;
    out->second.m[2][2] = zz;
    return TN_OK;
}

tn_status tn_moments_box(const tn_shape_def *def, tn_moments *out, tn_diagnostics *diags)
{
    (void)diags;
    double x = def->size.x, y = def->size.y, z = def->size.z, volume = x * y * z;
    return set_diagonal(out, volume, volume * x * x / 12.0, volume * y * y / 12.0,
                        volume * z * z / 12.0);
}

static tn_status set_ellipsoid(tn_moments *out, double a, double b, double c)
{
    double volume = 4.0 / 3.0 * PI * a * b * c;
    return set_diagonal(out, volume, volume * a * a / 5.0, volume * b * b / 5.0,
                        volume * c * c / 5.0);
}

tn_status tn_moments_sphere(const tn_shape_def *def, tn_moments *out, tn_diagnostics *diags)
{
    (void)diags;
    return set_ellipsoid(out, def->radius, def->radius, def->radius);
}

tn_status tn_moments_ellipsoid(const tn_shape_def *def, tn_moments *out, tn_diagnostics *diags)
{
    (void)diags;
    return set_ellipsoid(out, def->semi_axes.x, def->semi_axes.y, def->semi_axes.z);
}

tn_status tn_moments_cylinder(const tn_shape_def *def, tn_moments *out, tn_diagnostics *diags)
{
    (void)diags;
    double r = def->radius, l = def->length, volume = PI * r * r * l;
    double across = volume * r * r / 4.0;
    return set_diagonal(out, volume, across, across, volume * l * l / 12.0);
}

/* The whole body as an end_cap about its centre (first = 0): a straight part of length l and
 * cross-section area, whose second moment is section, and a cap at each end. */
static end_cap round_ended(double area, double section, double l, end_cap cap)
{
    end_cap whole = {.volume = area * l, .across = section * l, .along = area * l * l * l / 12.0};
    whole.volume += 2.0 * cap.volume;
    whole.across += 2.0 * cap.across;
    whole.along += 2.0 * (cap.along + l * cap.first + 0.25 * l * l * cap.volume);
    return whole;
}

/* A half disc of radius r, round (slices 0) or a fan of slices triangles. */
static end_cap half_disc(double r, int32_t slices)
{
    double r2 = r * r;
    if (slices == 0) {
        double second = PI * r2 * r2 / 8.0;
        return (end_cap){PI * r2 / 2.0, 2.0 / 3.0 * r2 * r, second, second};
    }
    double n = slices, d = PI / n, c = tn_cos(0.5 * d);
    double second = n * r2 * r2 * tn_sin(d) * (2.0 + tn_cos(d)) / 24.0;
    return (end_cap){0.5 * n * r2 * tn_sin(d), 2.0 / 3.0 * r2 * r * c * c, second, second};
}

tn_status tn_moments_rounded_box(const tn_shape_def *def, tn_moments *out, tn_diagnostics *diags)
{
    (void)diags;
    double w = def->width, depth = def->depth;
    end_cap plate = round_ended(w, w * w * w / 12.0, def->length, half_disc(0.5 * w, def->slices));
    double volume = plate.volume * depth;
    return set_diagonal(out, volume, plate.across * depth, volume * depth * depth / 12.0,
                        plate.along * depth);
}

/* Cross-section of a body round about z: at radius rho its area is area rho^2 and its second moment
 * second rho^4, about any axis through the centre. */
typedef struct round_section {
    double area, second;
} round_section;

static round_section section_of(int32_t slices)
{
    if (slices == 0) {
        return (round_section){PI, PI / 4.0};
    }
    double n = slices, d = 2.0 * PI / n;
    return (round_section){0.5 * n * tn_sin(d), n * tn_sin(d) * (2.0 + tn_cos(d)) / 24.0};
}

static end_cap half_ball(double r)
{
    double second = 2.0 / 15.0 * PI * tn_pow(r, 5.0);
    return (end_cap){2.0 / 3.0 * PI * tn_pow(r, 3.0), PI * tn_pow(r, 4.0) / 4.0, second, second};
}

/* Frusta between the latitudes 0, d, 2d, ... 90 degrees. Within a frustum the radius is linear in
 * z, so every integrand is a polynomial of degree <= 4 in z and three Gauss points are exact. */
static end_cap faceted_half_ball(double r, int32_t slices)
{
    static const double NODE[3] = {-0.77459666924148337704, 0.0, 0.77459666924148337704};
    static const double WEIGHT[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0}; /* on [0, 1] */
    round_section section = section_of(slices);
    int32_t levels = slices / 4;
    double d = 2.0 * PI / slices;
    end_cap cap = {0};
    for (int32_t level = 0; level < levels; level++) {
        double rho_0 = r * tn_cos(level * d), z_0 = r * tn_sin(level * d);
        /* At the pole the radius is exactly 0, not the cosine's round-off. */
        double rho_1 = level + 1 == levels ? 0.0 : r * tn_cos((level + 1) * d);
        double z_1 = r * tn_sin((level + 1) * d);
        for (int g = 0; g < 3; g++) {
            double t = 0.5 * (1.0 + NODE[g]), dz = WEIGHT[g] * (z_1 - z_0);
            double rho = rho_0 + t * (rho_1 - rho_0), z = z_0 + t * (z_1 - z_0);
            double area = section.area * rho * rho * dz;
            cap.volume += area;
            cap.first += area * z;
            cap.along += area * z * z;
            cap.across += section.second * rho * rho * rho * rho * dz;
        }
    }
    return cap;
}

static tn_status set_round_ended(tn_moments *out, double r, double length, int32_t slices)
{
    round_section section = section_of(slices);
    end_cap cap = slices == 0 ? half_ball(r) : faceted_half_ball(r, slices);
    end_cap whole = round_ended(section.area * r * r, section.second * r * r * r * r, length, cap);
    return set_diagonal(out, whole.volume, whole.across, whole.across, whole.along);
}

tn_status tn_moments_capsule(const tn_shape_def *def, tn_moments *out, tn_diagnostics *diags)
{
    (void)diags;
    return set_round_ended(out, def->radius, def->length, 0);
}

tn_status tn_moments_rounded_cylinder(const tn_shape_def *def, tn_moments *out,
                                      tn_diagnostics *diags)
{
    (void)diags;
    return set_round_ended(out, def->radius, def->length, def->slices);
}
