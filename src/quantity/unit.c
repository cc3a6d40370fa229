/* unit.c: the table of units and the reading of products of them (unit.h).
 *
 * The factors are exact by definition (SI brochure, 9th edition; inch, pound and their kin by the
 * agreement of 1959) but for pi.
 */
#include "quantity/unit.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"

#define PI 3.14159265358979323846

/* Parentheses within parentheses. */
#define DEEPEST 8

#define D(l, m, t, a)                                                                              \
    {                                                                                              \
        {                                                                                          \
            (l) * TN_WHOLE, (m)*TN_WHOLE, (t)*TN_WHOLE, (a)*TN_WHOLE                               \
        }                                                                                          \
    }

static const struct {
    const char *name;
    tn_unit unit;
    bool prefixed; /* takes k, m, u, ... */
} units[] = {
    {"m", {1.0, 1.0, D(1, 0, 0, 0)}, true},
    {"g", {1.0, 1000.0, D(0, 1, 0, 0)}, true},
    {"s", {1.0, 1.0, D(0, 0, 1, 0)}, true},
    {"rad", {1.0, 1.0, D(0, 0, 0, 1)}, true},
    {"N", {1.0, 1.0, D(1, 1, -2, 0)}, true},
    {"J", {1.0, 1.0, D(2, 1, -2, 0)}, true},
    {"W", {1.0, 1.0, D(2, 1, -3, 0)}, true},
    {"Pa", {1.0, 1.0, D(-1, 1, -2, 0)}, true},
    {"Hz", {1.0, 1.0, D(0, 0, -1, 0)}, true},
    {"Nm", {1.0, 1.0, D(2, 1, -2, 0)}, true},
    {"Nmm", {1.0, 1000.0, D(2, 1, -2, 0)}, false},
    {"deg", {PI / 180.0, 1.0, D(0, 0, 0, 1)}, false},
    {"\xc2\xb0", {PI / 180.0, 1.0, D(0, 0, 0, 1)}, false}, /* the degree sign */
    {"rev", {2.0 * PI, 1.0, D(0, 0, 0, 1)}, false},
    {"rpm", {2.0 * PI, 60.0, D(0, 0, -1, 1)}, false},
    {"min", {60.0, 1.0, D(0, 0, 1, 0)}, false},
    {"h", {3600.0, 1.0, D(0, 0, 1, 0)}, false},
    {"t", {1000.0, 1.0, D(0, 1, 0, 0)}, false},
    {"bar", {1e5, 1.0, D(-1, 1, -2, 0)}, false},
    {"in", {254.0, 1e4, D(1, 0, 0, 0)}, false},
    {"ft", {3048.0, 1e4, D(1, 0, 0, 0)}, false},
    {"lb", {45359237.0, 1e8, D(0, 1, 0, 0)}, false},
    {"lbf", {4.4482216152605, 1.0, D(1, 1, -2, 0)}, false},
    {"psi", {4.4482216152605, 0.0254 * 0.0254, D(-1, 1, -2, 0)}, false},
};

static const struct {
    const char *name;
    double up, down;
} prefixes[] = {
    {"k", 1e3, 1.0},        {"M", 1e6, 1.0},        {"G", 1e9, 1.0}, {"c", 1.0, 1e2},
    {"d", 1.0, 1e1},        {"m", 1.0, 1e3},        {"u", 1.0, 1e6}, {"n", 1.0, 1e9},
    {"\xc2\xb5", 1.0, 1e6}, {"\xce\xbc", 1.0, 1e6}, /* micro sign, mu */
};

/* That many of a unit. */
static tn_value times(double number, tn_unit unit)
{
    return (tn_value){.v = {number * unit.up / unit.down}, .count = 1, .dimension = unit.dimension};
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

size_t tn_name_length(const char *text)
{
    size_t length = 0;
    while (is_letter(text[length]) || (length > 0 && text[length] >= '0' && text[length] <= '9')) {
        length++;
    }
    return length;
}

static size_t digits(const char *text)
{
    return strspn(text, "0123456789");
}

size_t tn_number_length(const char *text)
{
    size_t before = digits(text), length = before;
    if (text[length] == '.') {
        const size_t after = digits(text + length + 1);
        if (before + after == 0) {
            return 0;
        }
        length += 1 + after;
    }
    if (length == 0) {
        return 0;
    }
    const char *e = text + length;
    if (*e == 'e' || *e == 'E') {
        const size_t sign = e[1] == '+' || e[1] == '-';
        const size_t exponent = digits(e + 1 + sign);
        length += exponent > 0 ? 1 + sign + exponent : 0;
    }
    return length;
}

const char *tn_unit_name(int32_t index)
{
    return index >= 0 && index < (int32_t)TN_COUNT_OF(units) ? units[index].name : NULL;
}

tn_suggestion tn_unit_suggest(const char *word, const tn_dimension *wanted)
{
    static const char *const usual[] = {"k", "m"}; /* prefixes that are listed */
    tn_suggestion suggestion = tn_suggestion_for(word);
    for (size_t i = 0; i < TN_COUNT_OF(units); i++) {
        if (wanted != NULL && !tn_dimension_fits(units[i].unit.dimension, *wanted)) {
            continue;
        }
        tn_suggestion_offer(&suggestion, units[i].name);
        for (size_t p = 0; wanted != NULL && units[i].prefixed && p < TN_COUNT_OF(usual); p++) {
            char name[16];
            snprintf(name, sizeof(name), "%s%s", usual[p], units[i].name);
            tn_suggestion_offer(&suggestion, name);
        }
    }
    return suggestion;
}

static int find_unit(const char *name, size_t length, bool prefixed)
{
    for (size_t i = 0; i < TN_COUNT_OF(units); i++) {
        if (strlen(units[i].name) == length && memcmp(units[i].name, name, length) == 0 &&
            (units[i].prefixed || !prefixed)) {
            return (int)i;
        }
    }
    return -1;
}

bool tn_unit_find(const char *name, size_t length, tn_unit *out)
{
    int index = find_unit(name, length, false);
    if (index >= 0) {
        *out = units[index].unit;
        return true;
    }
    for (size_t i = 0; i < TN_COUNT_OF(prefixes); i++) {
        const size_t size = strlen(prefixes[i].name);
        if (length <= size || memcmp(prefixes[i].name, name, size) != 0) {
            continue;
        }
        index = find_unit(name + size, length - size, true);
        if (index >= 0) {
            *out = units[index].unit;
            out->up *= prefixes[i].up;
            out->down *= prefixes[i].down;
            return true;
        }
    }
    return false;
}

static size_t skip_spaces(const char *text, size_t at)
{
    return at + strspn(text + at, " \t");
}

/* ^2 or ^-2 behind a factor; 1 when there is none, 0 for a power that is no small whole number */
static int read_power(const char *text, size_t *at)
{
    size_t start = skip_spaces(text, *at);
    if (text[start] != '^') {
        return 1;
    }
    start = skip_spaces(text, start + 1);
    const int sign = text[start] == '-' ? -1 : 1;
    start += sign < 0;
    if (digits(text + start) != 1) {
        *at = start;
        return 0;
    }
    *at = start + 1;
    return sign * (text[start] - '0');
}

static bool read_product(const char *text, size_t *at, int depth, tn_unit *out);

/* out * factor, or out / factor */
static bool take(tn_unit *out, tn_unit factor, bool divided)
{
    out->up *= divided ? factor.down : factor.up;
    out->down *= divided ? factor.up : factor.down;
    return tn_dimension_add(out->dimension, factor.dimension, divided ? -1 : 1, &out->dimension);
}

/* a name, a 1 or a parenthesis, to a power */
static bool read_factor(const char *text, size_t *at, int depth, tn_unit *out)
{
    const size_t start = *at;
    const size_t length = tn_name_length(text + start);
    tn_unit base = {1.0, 1.0, {{0}}};
    if (length > 0 && tn_unit_find(text + start, length, &base)) {
        *at += length;
    } else if (text[start] == '1' && digits(text + start) == 1) {
        *at += 1;
    } else if (text[start] == '(' && depth < DEEPEST) {
        *at += 1;
        if (!read_product(text, at, depth + 1, &base) || text[*at] != ')') {
            return false;
        }
        *at += 1;
    } else {
        return false;
    }
    const int power = read_power(text, at);
    bool fits = power != 0;
    *out = (tn_unit){1.0, 1.0, {{0}}};
    for (int i = 0; fits && i < abs(power); i++) {
        fits = take(out, base, power < 0);
    }
    return fits;
}

static bool starts_factor(char c)
{
    return is_letter(c) || c == '(';
}

static bool read_product(const char *text, size_t *at, int depth, tn_unit *out)
{
    *at = skip_spaces(text, *at);
    if (!read_factor(text, at, depth, out)) {
        return false;
    }
    for (;;) {
        const size_t next = skip_spaces(text, *at);
        const char sign = text[next];
        const bool marked = sign == '/' || sign == '*' || sign == '.';
        if (!marked && !starts_factor(sign)) {
            *at = next;
            return true;
        }
        *at = skip_spaces(text, next + marked);
        tn_unit factor;
        if (!read_factor(text, at, depth, &factor) || !take(out, factor, sign == '/')) {
            return false;
        }
    }
}

bool tn_unit_read(const char *text, size_t *at, tn_unit *out)
{
    return read_product(text, at, 0, out);
}

tn_quantity_form tn_quantity_read(const char *text, size_t *at, tn_value *out)
{
    tn_unit unit;
    const size_t start = skip_spaces(text, 0);
    const size_t sign = text[start] == '-' || text[start] == '+';
    const size_t length = tn_number_length(text + start + sign);
    *at = start;
    if (length == 0) {
        return TN_QUANTITY_NONE;
    }
    *at = skip_spaces(text, start + sign + length);
    if (!tn_unit_read(text, at, &unit) || text[*at] != '\0') {
        return TN_QUANTITY_WRONG;
    }
    *out = times(strtod(text + start, NULL), unit);
    return TN_QUANTITY_GOOD;
}
