/* distribution.c: room study: from a share of all values to a value.
 *
 * The normal distribution's by Wichura's algorithm AS 241 (PPND16; Applied Statistics 37, 1988): 16
 * digits.
 */
#include <math.h>

#include "real/real.h"
#include "study/study.h"

/* A polynomial, its highest coefficient first. */
static double polynomial(const double c[8], double r)
{
    double sum = c[0];
    for (int i = 1; i < 8; i++)
        sum = sum * r + c[i];
    return sum;
}

static const double middle[2][8] = {
    {2.5090809287301226727e+3, 3.3430575583588128105e+4, 6.7265770927008700853e+4,
     4.5921953931549871457e+4, 1.3731693765509461125e+4, 1.9715909503065514427e+3,
     1.3314166789178437745e+2, 3.3871328727963666080e+0},
    {5.2264952788528545610e+3, 2.8729085735721942674e+4, 3.9307895800092710610e+4,
     2.1213794301586595867e+4, 5.3941960214247511077e+3, 6.8718700749205790830e+2,
     4.2313330701600911252e+1, 1.0}};
static const double side[2][8] = {
    {7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1,
     1.27045825245236838258e+0, 3.64784832476320460504e+0, 5.76949722146069140550e+0,
     4.63033784615654529590e+0, 1.42343711074968357734e+0},
    {1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2,
     1.48103976427480074590e-1, 6.89767334985100004550e-1, 1.67638483018380384940e+0,
     2.05319162663775882187e+0, 1.0}};
static const double tail[2][8] = {
    {2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3,
     2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580e+0,
     5.46378491116411436990e+0, 6.65790464350110377720e+0},
    {2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5,
     7.86869131145613259100e-4, 1.48753612908506148525e-2, 1.36929880922735805310e-1,
     5.99832206555887937690e-1, 1.0}};

static double normal_quantile(double u)
{
    const double q = u - 0.5;
    if (fabs(q) <= 0.425) {
        const double r = 0.180625 - q * q;
        return q * polynomial(middle[0], r) / polynomial(middle[1], r);
    }
    const double r = sqrt(-tn_log(q < 0.0 ? u : 1.0 - u));
    const double x = r <= 5.0 ? polynomial(side[0], r - 1.6) / polynomial(side[1], r - 1.6)
                              : polynomial(tail[0], r - 5.0) / polynomial(tail[1], r - 5.0);
    return q < 0.0 ? -x : x;
}

/* The share below x: where the quantile, which grows, passes x. */
static double normal_share(double x)
{
    double low = 0.0, high = 1.0;
    if (!(x > -37.0) || !(x < 37.0))
        return x > 0.0 ? 1.0 : 0.0;
    for (int k = 0; k < 1100; k++) { /* down to the smallest doubles */
        const double half = 0.5 * (low + high);
        if (half <= low || half >= high)
            break;
        if (normal_quantile(half) < x) {
            low = half;
        } else {
            high = half;
        }
    }
    return high;
}

/* A normal distribution cut at from and to is the share between theirs. */
static double cut_normal(const tn_varied *varied, double u)
{
    const double low = normal_share((varied->from - varied->mean) / varied->deviation);
    const double high = normal_share((varied->to - varied->mean) / varied->deviation);
    const double x = varied->mean + varied->deviation * normal_quantile(low + u * (high - low));
    return fmin(fmax(x, varied->from), varied->to);
}

double tn_varied_quantile(const tn_varied *varied, double u)
{
    int32_t i = 0;
    switch (varied->way) {
    case TN_WAY_UNIFORM:
        return varied->from + u * (varied->to - varied->from);
    case TN_WAY_NORMAL:
        return isfinite(varied->from) || isfinite(varied->to)
                   ? cut_normal(varied, u)
                   : varied->mean + varied->deviation * normal_quantile(u);
    default:
        while (i < varied->count - 1 && u > varied->weights[i])
            i++;
        return varied->values[i];
    }
}
