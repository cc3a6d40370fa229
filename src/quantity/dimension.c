/* dimension.c: exponents of length, mass, time and angle, and what they are called (quantity.h). */
#include "quantity/quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of any quantity a model or a formula can mean. */
#define LARGEST_EXPONENT (99 * TN_WHOLE)

tn_value tn_plain(double number)
{
    return (tn_value){.v = {number}, .count = 1};
}

bool tn_dimension_is_plain(tn_dimension d)
{
    return tn_dimension_equal(d, (tn_dimension){{0}});
}

bool tn_dimension_equal(tn_dimension a, tn_dimension b)
{
    return memcmp(&a, &b, sizeof(a)) == 0;
}

/* Angles, plain numbers and their rates: what differs by the angle alone. */
static bool is_mistakable(tn_dimension d)
{
    return d.exponent[TN_LENGTH] == 0 && d.exponent[TN_MASS] == 0 &&
           (d.exponent[TN_ANGLE] == 0 || d.exponent[TN_ANGLE] == TN_WHOLE);
}

bool tn_dimension_fits(tn_dimension a, tn_dimension b)
{
    tn_dimension without = a;
    without.exponent[TN_ANGLE] = b.exponent[TN_ANGLE];
    return tn_dimension_equal(a, b) ||
           (tn_dimension_equal(without, b) && !(is_mistakable(a) && is_mistakable(b)));
}

bool tn_dimension_add(tn_dimension a, tn_dimension b, int times, tn_dimension *out)
{
    for (int i = 0; i < TN_DIMENSION_COUNT; i++) {
        int sum = a.exponent[i] + times * b.exponent[i];
        if (sum > LARGEST_EXPONENT || sum < -LARGEST_EXPONENT) {
            return false;
        }
        out->exponent[i] = (int16_t)sum;
    }
    return true;
}

bool tn_dimension_power(tn_dimension d, double power, tn_dimension *out)
{
    for (int i = 0; i < TN_DIMENSION_COUNT; i++) {
        const double exponent = d.exponent[i] * power;
        const double whole = round(exponent);
        /* 1/3 and its like are not exact: the product is a whole number up to their rounding */
        if (!(fabs(exponent - whole) <= 1e-9) || fabs(whole) > LARGEST_EXPONENT) {
            return false;
        }
        out->exponent[i] = (int16_t)whole;
    }
    return true;
}

/* length, mass, time, angle */
#define D(l, m, t, a)                                                                              \
    {                                                                                              \
        {                                                                                          \
            (l) * TN_WHOLE, (m)*TN_WHOLE, (t)*TN_WHOLE, (a)*TN_WHOLE                               \
        }                                                                                          \
    }

static const struct {
    tn_dimension dimension;
    const char *unit, *name;
} known[] = {
    {D(0, 0, 0, 0), "1", "a plain number"},
    {D(1, 0, 0, 0), "m", "a length"},
    {D(0, 1, 0, 0), "kg", "a mass"},
    {D(0, 0, 1, 0), "s", "a time"},
    {D(0, 0, 0, 1), "rad", "an angle"},
    {D(2, 0, 0, 0), "m^2", "an area"},
    {D(3, 0, 0, 0), "m^3", "a volume"},
    {D(1, 0, -1, 0), "m/s", "a speed"},
    {D(0, 0, -1, 1), "rad/s", "a speed of turning"},
    {D(0, 0, -1, 0), "Hz", "a frequency"},
    {D(1, 0, -2, 0), "m/s^2", "an acceleration"},
    {D(0, 0, -2, 1), "rad/s^2", "an acceleration of turning"},
    {D(1, 1, -2, 0), "N", "a force"},
    {D(2, 1, -2, 0), "N m", "a moment or an energy"},
    {D(2, 1, -3, 0), "W", "a power"},
    {D(2, 1, -2, -1), "N m/rad", "a stiffness against turning"},
    {D(0, 1, -2, 0), "N/m", "a stiffness"},
    {D(0, 1, -1, 0), "N s/m", "a damping"},
    {D(2, 1, -1, -1), "N m s/rad", "a damping of turning"},
    {D(0, -1, 2, 0), "m/N", "a compliance"},
    {D(-2, -1, 2, 1), "rad/(N m)", "a compliance in turning"},
    {D(2, 1, 0, 0), "kg m^2", "a moment of inertia"},
    {D(-3, 1, 0, 0), "kg/m^3", "a density"},
    {D(-1, 1, 0, 0), "kg/m", "a mass by length"},
    {D(-2, 1, 0, 0), "kg/m^2", "a mass by area"},
    {D(-1, 1, -2, 0), "Pa", "a pressure"},
    {D(2, 1, -3, 0), "W", "a power"},
    {D(1, 1, -1, 0), "kg m/s", "a momentum"},
    {D(1, 0, 0, -1), "m/rad", "a length by angle"},
};

static int find_known(tn_dimension d)
{
    for (size_t i = 0; i < TN_COUNT_OF(known); i++) {
        if (tn_dimension_equal(known[i].dimension, d)) {
            return (int)i;
        }
    }
    return -1;
}

const char *tn_dimension_unit(tn_dimension d, char buffer[TN_DIMENSION_TEXT])
{
    static const int order[TN_DIMENSION_COUNT] = {TN_MASS, TN_LENGTH, TN_TIME, TN_ANGLE};
    static const char *const units[TN_DIMENSION_COUNT] = {"m", "kg", "s", "rad"};
    const int index = find_known(d);
    size_t used = 0;
    if (index >= 0) {
        return known[index].unit;
    }
    buffer[0] = '\0';
    for (int k = 0; k < TN_DIMENSION_COUNT && used < TN_DIMENSION_TEXT; k++) {
        const int i = order[k];
        const double exponent = (double)d.exponent[i] / TN_WHOLE;
        const char *gap = used > 0 ? " " : "";
        int size = 0;
        if (d.exponent[i] == TN_WHOLE) {
            size = snprintf(buffer + used, TN_DIMENSION_TEXT - used, "%s%s", gap, units[i]);
        } else if (d.exponent[i] != 0) {
            size = snprintf(buffer + used, TN_DIMENSION_TEXT - used, "%s%s^%.4g", gap, units[i],
                            exponent);
        }
        used += size > 0 ? (size_t)size : 0;
    }
    return buffer;
}

const char *tn_dimension_name(tn_dimension d, char buffer[TN_DIMENSION_TEXT])
{
    char unit[TN_DIMENSION_TEXT];
    const int index = find_known(d);
    if (index >= 0) {
        return known[index].name;
    }
    snprintf(buffer, TN_DIMENSION_TEXT, "in %.40s", tn_dimension_unit(d, unit));
    return buffer;
}

const char *tn_dimension_noun(tn_dimension d, char buffer[TN_DIMENSION_TEXT])
{
    char unit[TN_DIMENSION_TEXT];
    if (find_known(d) >= 0) {
        return tn_dimension_name(d, buffer);
    }
    snprintf(buffer, TN_DIMENSION_TEXT, "a quantity in %.33s", tn_dimension_unit(d, unit));
    return buffer;
}
