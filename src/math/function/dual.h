/* dual.h: room math/function: values with their derivative by one variable (dual numbers), so that a formula
 * written once gives both, exactly: (a + a' e)(b + b' e) = ab + (a' b + a b') e.
 */
#ifndef TN_MATH_FUNCTION_DUAL_H
#define TN_MATH_FUNCTION_DUAL_H

#include "real/real.h"
#include "math/m3.h"

typedef struct tn_dual {
    double v, d; /* value, derivative */
} tn_dual;

typedef struct tn_dual3 {
    tn_vec3 v, d;
} tn_dual3;

static inline tn_dual dual(double v, double d)
{
    return (tn_dual){v, d};
}

static inline tn_dual dual_mul(tn_dual a, tn_dual b)
{
    return (tn_dual){a.v * b.v, a.d * b.v + a.v * b.d};
}

static inline tn_dual dual_div(tn_dual a, tn_dual b)
{
    const double v = a.v / b.v;
    return (tn_dual){v, (a.d - v * b.d) / b.v};
}

static inline tn_dual dual_sin(tn_dual a)
{
    return (tn_dual){tn_sin(a.v), tn_cos(a.v) * a.d};
}

static inline tn_dual dual_cos(tn_dual a)
{
    return (tn_dual){tn_cos(a.v), -tn_sin(a.v) * a.d};
}

static inline tn_dual3 dual3(tn_dual x, tn_dual y, tn_dual z)
{
    return (tn_dual3){{x.v, y.v, z.v}, {x.d, y.d, z.d}};
}

static inline tn_dual3 dual3_add(tn_dual3 a, tn_dual3 b)
{
    return (tn_dual3){v3_add(a.v, b.v), v3_add(a.d, b.d)};
}

/* s a */
static inline tn_dual3 dual3_scale(tn_dual s, tn_dual3 a)
{
    return (tn_dual3){v3_scale(s.v, a.v), v3_axpy(v3_scale(s.v, a.d), s.d, a.v)};
}

/* a + s b */
static inline tn_dual3 dual3_axpy(tn_dual3 a, tn_dual s, tn_dual3 b)
{
    return dual3_add(a, dual3_scale(s, b));
}

/* Component by component times the constant k. */
static inline tn_dual3 dual3_stretch(tn_vec3 k, tn_dual3 a)
{
    return (tn_dual3){{k.x * a.v.x, k.y * a.v.y, k.z * a.v.z},
                      {k.x * a.d.x, k.y * a.d.y, k.z * a.d.z}};
}

static inline tn_dual dual3_dot(tn_dual3 a, tn_dual3 b)
{
    return (tn_dual){v3_dot(a.v, b.v), v3_dot(a.d, b.v) + v3_dot(a.v, b.d)};
}

static inline tn_dual3 dual3_cross(tn_dual3 a, tn_dual3 b)
{
    return (tn_dual3){v3_cross(a.v, b.v), v3_add(v3_cross(a.d, b.v), v3_cross(a.v, b.d))};
}

static inline tn_dual dual3_norm(tn_dual3 a)
{
    const double n = v3_norm(a.v);
    return (tn_dual){n, v3_dot(a.v, a.d) / n};
}

static inline tn_dual3 dual3_unit(tn_dual3 a)
{
    return dual3_scale(dual_div(dual(1.0, 0.0), dual3_norm(a)), a);
}

#endif
