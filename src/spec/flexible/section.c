/* section.c: room spec/flexible: stiffness and mass of the sections of beams.
 *
 * In: material and sides. Out: stiffnesses, with shear correction factors and the torsion constant
 * of Saint-Venant, and masses per length.
 */
#include <math.h>

#include "base/base.h"
#include "math/m3.h"
#include "real/real.h"
#include "tenon/beam.h"

/* 31/32 zeta(5): the sum of n^-5 over odd n. */
#define TN_ODD_FIFTH_POWERS 1.00452376279513961613
/* What a term beyond this n leaves out is below 1e-16 of the sum: exp(-13 pi). */
#define TN_LAST_TERM 13

/* J / (a b^3) of a rectangle of sides a >= b: 1/3 - 64/pi^5 (b/a) sum tanh(n pi a / (2 b)) / n^5 over
 * odd n. The sum is that of 1/n^5 without 1 - tanh, which falls as exp(-n pi a/b). */
static double torsion_factor(double a, double b)
{
    const double pi2 = TN_PI * TN_PI;
    double sum = TN_ODD_FIFTH_POWERS;
    for (int n = 1; n <= TN_LAST_TERM; n += 2) {
        const double n2 = (double)(n * n);
        sum -= 2.0 / (tn_exp(n * TN_PI * a / b) + 1.0) / (n2 * n2 * n);
    }
    return 1.0 / 3.0 - 64.0 / (pi2 * pi2 * TN_PI) * (b / a) * sum;
}

/* A section of one material: area, second moments about y and z, torsion constant, shear factor. */
static tn_beam_section of_material(tn_beam_material material, double A, const double I[2], double J,
                                   double shear)
{
    const double E = material.young, G = 0.5 * E / (1.0 + material.poisson);
    return (tn_beam_section){.EA = E * A,
                             .GA = {shear * G * A, shear * G * A},
                             .GJ = G * J,
                             .EI = {E * I[0], E * I[1]},
                             .mass = material.density * A,
                             .inertia = {material.density * I[0], material.density * I[1]}};
}

tn_beam_section tn_rectangle_section(tn_beam_material material, double y, double z)
{
    const double I[2] = {y * z * z * z / 12.0, z * y * y * y / 12.0};
    const double a = fmax(y, z), b = fmin(y, z);
    tn_beam_section section =
        of_material(material, y * z, I, torsion_factor(a, b) * a * b * b * b, 5.0 / 6.0);
    section.size[0] = y;
    section.size[1] = z;
    return section;
}

/* Cowper 1966, m = inner / outer: 6 (1 + nu) (1 + m^2)^2 / ((7 + 6 nu) (1 + m^2)^2 + (20 + 12 nu) m^2). */
static double shear_of_tube(double nu, double m)
{
    const double m2 = m * m, s = (1.0 + m2) * (1.0 + m2);
    return 6.0 * (1.0 + nu) * s / ((7.0 + 6.0 * nu) * s + (20.0 + 12.0 * nu) * m2);
}

tn_beam_section tn_tube_section(tn_beam_material material, double outer, double inner)
{
    const double o2 = outer * outer, i2 = inner * inner, A = 0.25 * TN_PI * (o2 - i2);
    const double each = A * (o2 + i2) / 16.0, I[2] = {each, each};
    tn_beam_section section =
        of_material(material, A, I, 2.0 * each, shear_of_tube(material.poisson, inner / outer));
    section.size[0] = outer;
    return section;
}
