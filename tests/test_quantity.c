/* Quantities and formulas: units against UDUNITS-2, numbers against muParser, dimensions by hand.
 */
#include <check.h>
#include <math.h>
#include <muParserDLL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <udunits2.h>

#include "quantity/expression.h"
#include "quantity/unit.h"
#include "support/random_numbers.h"
#include "support/run_main.h"

/* units -----------------------------------------------------------------------------------------
 */

/* How UDUNITS-2 spells what it spells otherwise, and SI units of the same dimension. */
static const struct {
    const char *ours, *theirs, *si;
} spellings[] = {
    {"m", "m", "m"},
    {"mm", "mm", "m"},
    {"cm", "cm", "m"},
    {"km", "km", "m"},
    {"um", "um", "m"},
    {"\xc2\xb5m", "um", "m"},
    {"nm", "nm", "m"},
    {"dm", "dm", "m"},
    {"g", "g", "kg"},
    {"kg", "kg", "kg"},
    {"mg", "mg", "kg"},
    {"s", "s", "s"},
    {"ms", "ms", "s"},
    {"rad", "rad", "rad"},
    {"mrad", "mrad", "rad"},
    {"N", "N", "kg m s-2"},
    {"kN", "kN", "kg m s-2"},
    {"MN", "MN", "kg m s-2"},
    {"J", "J", "kg m2 s-2"},
    {"W", "W", "kg m2 s-3"},
    {"kW", "kW", "kg m2 s-3"},
    {"Pa", "Pa", "kg m-1 s-2"},
    {"GPa", "GPa", "kg m-1 s-2"},
    {"Hz", "Hz", "s-1"},
    {"kHz", "kHz", "s-1"},
    {"Nm", "N m", "kg m2 s-2"},
    {"kNm", "kN m", "kg m2 s-2"},
    {"Nmm", "N mm", "kg m2 s-2"},
    {"deg", "arc_degree", "rad"},
    {"\xc2\xb0", "arc_degree", "rad"},
    {"rev", "6.283185307179586476925 radian", "rad"},
    {"rpm", "6.283185307179586476925 radian/minute", "rad/s"},
    {"min", "min", "s"},
    {"h", "hour", "s"},
    {"t", "tonne", "kg"},
    {"bar", "bar", "kg m-1 s-2"},
    {"in", "inch", "m"},
    {"ft", "international_foot", "m"},
    {"lb", "lb", "kg"},
    {"lbf", "lbf", "kg m s-2"},
    {"psi", "psi", "kg m-1 s-2"},
    {"N/m", "N/m", "kg s-2"},
    {"N m/rad", "N m", "kg m2 s-2"},
    {"N s/m", "N s/m", "kg s-1"},
    {"N m s/rad", "N m s", "kg m2 s-1"},
    {"rad/(N m)", "1/(N m)", "kg-1 m-2 s2"},
    {"kg/m^3", "kg/m3", "kg m-3"},
    {"g/cm^3", "g/cm3", "kg m-3"},
    {"kg m^2", "kg m2", "kg m2"},
    {"kg*m^2", "kg m2", "kg m2"},
    {"kg.m^2", "kg m2", "kg m2"},
    {"km/h", "km/hour", "m/s"},
    {"1/s", "1/s", "s-1"},
    {"m s^-2", "m s-2", "m s-2"},
    {"mm^2", "mm2", "m2"},
    {"N/mm", "N/mm", "kg s-2"},
    {"m/(s^2)", "m s-2", "m s-2"},
    {"lbf/in", "lbf/inch", "kg s-2"},
};

static double by_udunits(ut_system *system, const char *from, const char *to)
{
    ut_unit *a = ut_parse(system, from, UT_UTF8), *b = ut_parse(system, to, UT_UTF8);
    ck_assert_msg(a != NULL && b != NULL, "%s or %s", from, to);
    cv_converter *converter = ut_get_converter(a, b);
    ck_assert_msg(converter != NULL, "%s is no %s", from, to);
    const double factor = cv_convert_double(converter, 1.0);
    cv_free(converter);
    ut_free(a);
    ut_free(b);
    return factor;
}

START_TEST(test_units_are_those_of_udunits)
{
    ut_set_error_message_handler(ut_ignore);
    ut_system *system = ut_read_xml(NULL);
    ck_assert_ptr_nonnull(system);
    for (size_t i = 0; i < TN_COUNT_OF(spellings); i++) {
        size_t at = 0;
        tn_unit unit;
        ck_assert_msg(tn_unit_read(spellings[i].ours, &at, &unit), "%s", spellings[i].ours);
        ck_assert_uint_eq(at, strlen(spellings[i].ours));
        const double theirs = by_udunits(system, spellings[i].theirs, spellings[i].si);
        ck_assert_msg(fabs(unit.up / unit.down / theirs - 1.0) < 1e-14, "%s: %.17g, not %.17g",
                      spellings[i].ours, unit.up / unit.down, theirs);
    }
    ut_free_system(system);
}
END_TEST

/* Every unit of the table has been compared. */
START_TEST(test_no_unit_is_left_out)
{
    for (int32_t i = 0; tn_unit_name(i) != NULL; i++) {
        size_t found = 0;
        for (size_t k = 0; k < TN_COUNT_OF(spellings); k++) {
            found += strcmp(spellings[k].ours, tn_unit_name(i)) == 0;
        }
        ck_assert_msg(found == 1, "%s", tn_unit_name(i));
    }
}
END_TEST

static tn_dimension dimension_of(const char *unit)
{
    size_t at = 0;
    tn_unit read;
    ck_assert_msg(tn_unit_read(unit, &at, &read) && unit[at] == '\0', "%s", unit);
    return read.dimension;
}

/* The name of a dimension reads back as that dimension; products that have no name too. */
START_TEST(test_dimension_names)
{
    static const char *const units[] = {"m",          "kg",    "rad/s",  "N m/rad",      "Pa",
                                        "W",          "m^3/s", "kg m^3", "rad/(N m)",    "1/s^2",
                                        "kg m^2 s^3", "m/N",   "N s/m",  "kg rad^-2 s^4"};
    for (size_t i = 0; i < TN_COUNT_OF(units); i++) {
        char buffer[TN_DIMENSION_TEXT];
        const tn_dimension d = dimension_of(units[i]);
        ck_assert_msg(tn_dimension_equal(dimension_of(tn_dimension_unit(d, buffer)), d), "%s",
                      units[i]);
    }
    char buffer[TN_DIMENSION_TEXT];
    ck_assert_str_eq(tn_dimension_name(dimension_of("kg"), buffer), "a mass");
    ck_assert_str_eq(tn_dimension_name(dimension_of("J"), buffer), "a moment or an energy");
    ck_assert_str_eq(tn_dimension_name(dimension_of("m^4"), buffer), "in m^4");
    ck_assert_str_eq(tn_dimension_noun(dimension_of("m^4"), buffer), "a quantity in m^4");
    ck_assert_str_eq(tn_dimension_noun(dimension_of("kg"), buffer), "a mass");
}
END_TEST

/* rad is 1 wherever an angle cannot be mistaken for a number. */
START_TEST(test_what_fits)
{
    static const struct {
        const char *a, *b;
        bool fits;
    } pairs[] = {
        {"m", "mm", true},
        {"m", "kg", false},
        {"deg", "rad", true},
        {"rad", "1", false},
        {"1", "deg", false},
        {"Hz", "rad/s", false},
        {"rpm", "Hz", false},
        {"m rad", "m", true},
        {"N m", "N m/rad", true},
        {"N m", "N/m", false},
        {"m/rad", "m", true},
        {"rpm", "deg/s", true},
        {"kg m^2/rad", "kg m^2", true},
        {"rad^2", "1", true},
    };
    for (size_t i = 0; i < TN_COUNT_OF(pairs); i++) {
        const tn_dimension a = dimension_of(pairs[i].a), b = dimension_of(pairs[i].b);
        ck_assert_msg(tn_dimension_fits(a, b) == pairs[i].fits, "%s %s", pairs[i].a, pairs[i].b);
        ck_assert_msg(tn_dimension_fits(b, a) == pairs[i].fits, "%s %s", pairs[i].b, pairs[i].a);
    }
}
END_TEST

/* What a person writes is the number nearest to what it means. */
START_TEST(test_quantities)
{
    static const struct {
        const char *text;
        double value;
        tn_quantity_form form;
        size_t at;
    } cases[] = {
        {"350 mm", 0.35, TN_QUANTITY_GOOD, 6},
        {"0.3mm", 0.0003, TN_QUANTITY_GOOD, 5},
        {"-5 kg", -5.0, TN_QUANTITY_GOOD, 5},
        {"1e3 N/m", 1e3, TN_QUANTITY_GOOD, 7},
        {"2.5 t", 2500.0, TN_QUANTITY_GOOD, 5},
        {"+12 N m", 12.0, TN_QUANTITY_GOOD, 7},
        {"72 km/h", 20.0, TN_QUANTITY_GOOD, 7},
        {"1 in", 0.0254, TN_QUANTITY_GOOD, 4},
        {"7.8 g/cm^3", 7800.0, TN_QUANTITY_GOOD, 10},
        {"abc", 0.0, TN_QUANTITY_NONE, 0},
        {"", 0.0, TN_QUANTITY_NONE, 0},
        {"12 qq", 0.0, TN_QUANTITY_WRONG, 3},
        {"12 mm +", 0.0, TN_QUANTITY_WRONG, 6},
        {"3 m^", 0.0, TN_QUANTITY_WRONG, 4},
        {"3 (m", 0.0, TN_QUANTITY_WRONG, 4},
        {"1/2", 0.0, TN_QUANTITY_WRONG, 1},
        {"3 m^-9", 3.0, TN_QUANTITY_GOOD, 6},
        {"3 ((((((((((m", 0.0, TN_QUANTITY_WRONG, 10},
    };
    for (size_t i = 0; i < TN_COUNT_OF(cases); i++) {
        size_t at = 0;
        tn_value value = tn_plain(0.0);
        ck_assert_msg(tn_quantity_read(cases[i].text, &at, &value) == cases[i].form, "%s",
                      cases[i].text);
        ck_assert_msg(at == cases[i].at, "%s: at %zu", cases[i].text, at);
        ck_assert_double_eq(value.v[0], cases[i].value);
    }
}
END_TEST

/* formulas --------------------------------------------------------------------------------------
 */

static tn_name_answer find(void *context, const char *name, size_t length, tn_value *out)
{
    static const struct {
        const char *name;
        tn_value value;
    } names[] = {
        {"a", {{0.7}, 1, {{0}}}},
        {"b", {{1.3}, 1, {{0}}}},
        {"c", {{2.9}, 1, {{0}}}},
        {"length", {{0.35}, 1, {{TN_WHOLE, 0, 0, 0}}}},
        {"mass", {{2.0}, 1, {{0, TN_WHOLE, 0, 0}}}},
        {"tilt", {{0.5}, 1, {{0, 0, 0, TN_WHOLE}}}},
        {"p", {{3.0, 4.0, 12.0}, 3, {{TN_WHOLE, 0, 0, 0}}}},
        {"leg[3].knee", {{7.0}, 1, {{0}}}},
    };
    (void)context;
    if (length == 6 && memcmp(name, "broken", 6) == 0) {
        return TN_NAME_BROKEN;
    }
    for (size_t i = 0; i < TN_COUNT_OF(names); i++) {
        if (strlen(names[i].name) == length && memcmp(names[i].name, name, length) == 0) {
            *out = names[i].value;
            return TN_NAME_KNOWN;
        }
    }
    return TN_NAME_UNKNOWN;
}

static void offer(void *context, tn_suggestion *suggestion)
{
    (void)context;
    tn_suggestion_offer(suggestion, "length");
}

static const tn_name_source source = {find, offer, NULL, false, false, false};

static tn_value good(const char *text)
{
    tn_value value;
    tn_expression_problem problem;
    ck_assert_msg(tn_expression_evaluate(text, &source, &value, &problem), "%s: %zu: %s", text,
                  problem.at, problem.message);
    return value;
}

static void expect_value(const char *text, double value, const char *unit)
{
    char buffer[TN_DIMENSION_TEXT];
    const tn_value found = good(text);
    ck_assert_msg(fabs(found.v[0] - value) <= 1e-15 * fabs(value), "%s: %.17g, not %.17g", text,
                  found.v[0], value);
    ck_assert_int_eq(found.count, 1);
    ck_assert_str_eq(tn_dimension_unit(found.dimension, buffer), unit);
}

START_TEST(test_values_with_units)
{
    expect_value("0.3*length", 0.105, "m");
    expect_value("length + 10 mm", 0.36, "m");
    expect_value("mass*length^2/12", 2.0 * 0.35 * 0.35 / 12.0, "kg m^2");
    expect_value("sqrt(length*length)", 0.35, "m");
    expect_value("(8 m^3)^(1/3)", 2.0, "m");
    expect_value("sin(30 deg)", sin(30.0 * (3.14159265358979323846 / 180.0)), "1");
    expect_value("atan2(length, 350 mm)", atan2(1.0, 1.0), "rad");
    expect_value("60 deg*3", 3.14159265358979323846, "rad");
    expect_value("10 m/s", 10.0, "m/s");
    expect_value("12 N m/rad", 12.0, "N m/rad");
    expect_value("1/(2 N m)", 0.5, "kg^-1 m^-2 s^2");
    expect_value("3000 rpm*2 min", 3000.0 * 2.0 * 3.14159265358979323846 / 60.0 * 120.0, "rad");
    expect_value("max(0, length, 20 cm)", 0.35, "m");
    expect_value("max(length - 1 m, 0)", 0.0, "m");
    expect_value("-2^2", -4.0, "1");
    expect_value("2^-1", 0.5, "1");
    expect_value("2^3^2", 512.0, "1");
    expect_value("7 % 3 - (-7) % 3", -1.0, "1");
    expect_value("leg[3].knee + 1", 8.0, "1");
    expect_value("p[0] + p[1 + 1]", 15.0, "m");
    expect_value("[5, 6, 7][a > 0] + (p*2)[c - 2.9]/length", 6.0 + 6.0 / 0.35, "1");
    expect_value("c < 3 ? 1 : p[9]/length", 1.0, "1");
    expect_value("mass > 1 kg && !(length < 0) || 0", 1.0, "1");
    expect_value("1 ? 2 : 1/0", 2.0, "1");
    expect_value("0 ? 1/0 : 0 ? sqrt(-1) : 3", 3.0, "1");
    expect_value("0 && 1/0", 0.0, "1");
    expect_value("1 || 1/0", 1.0, "1");
    expect_value("2 m*3", 6.0, "m");
    expect_value("length*tilt", 0.175, "m rad");
    expect_value("length*tilt + 25 mm", 0.2, "m rad");
}
END_TEST

static void expect_vector(const char *text, int32_t count, double x, double y, double z)
{
    const tn_value v = good(text);
    ck_assert_int_eq(v.count, count);
    ck_assert_msg(fabs(v.v[0] - x) + fabs(v.v[1] - y) + fabs(v.v[2] - z) < 1e-14,
                  "%s: %.17g %.17g %.17g", text, v.v[0], v.v[1], v.v[2]);
}

START_TEST(test_vectors)
{
    expect_vector("p/2 + [1 m, 0, 0]", 3, 2.5, 2.0, 6.0);
    expect_vector("[1, 2]*3", 2, 3.0, 6.0, 0.0);
    expect_vector("-[1, 2, 3]", 3, -1.0, -2.0, -3.0);
    expect_vector("cross([1, 0, 0], [0, 1, 0])", 3, 0.0, 0.0, 1.0);
    expect_vector("turn([1, 0, 5], 90 deg)", 3, 0.0, 1.0, 5.0);
    expect_vector("unit([3, 4])", 2, 0.6, 0.8, 0.0);
    /* a 3-4-5 triangle on either side */
    expect_vector("meet([0, 0], 3, [5, 0], 4)", 2, 1.8, 2.4, 0.0);
    expect_vector("meet([5, 0], 4, [0, 0], 3)", 2, 1.8, -2.4, 0.0);
    expect_vector("meet([0, 0], 3, [5, 0], 4, -1)", 2, 1.8, -2.4, 0.0);
    expect_value("norm(p)", 13.0, "m");
    expect_value("p.z", 12.0, "m");
    expect_value("(p - [0, 1 m, 0]).y", 3.0, "m");
    expect_value("dot(p, p)", 169.0, "m^2");
    expect_value("direction([0, 1])", atan2(1.0, 0.0), "rad");
}
END_TEST

/* Everything wrong is told once, with its place. */
START_TEST(test_mistakes)
{
    static const struct {
        const char *text;
        size_t at;
        const char *message, *hint;
    } cases[] = {
        {"length + mass", 7, "'+' of a length and a mass", ""},
        {"3 kg*(1 m/s^3)*(1 rad) + 5 N", 23, "'+' of a quantity in kg m s^-3 rad and a force", ""},
        {"length + 3", 7, "'+' of a length and a plain number", "3 has no unit: as in 3 m"},
        {"2*lenght", 2, "unknown name 'lenght'", "did you mean 'length'?"},
        {"sine(1)", 0, "unknown name 'sine'", "did you mean 'sin'?"},
        {"1/0", 1, "division by zero", ""},
        {"length/(mass - 2 kg)", 6, "division by zero", ""},
        {"1 % 0", 2, "division by zero", ""},
        {"0^-1", 1, "division by zero", ""},
        {"sqrt(-1)", 0, "'sqrt' gives what is no finite number here", ""},
        {"ln(0)", 0, "'ln' gives what is no finite number here", ""},
        {"asin(2)", 0, "'asin' gives what is no finite number here", ""},
        {"1e300*1e300", 5, "'*' gives what is no finite number here", ""},
        {"1e999", 0, "this number is too large", ""},
        {"sin(length)", 0, "'sin' takes an angle, not a length", ""},
        {"sin(30)", 0, "'sin' takes an angle, not a plain number",
         "30 deg or 0.5 rad, where the file says 'angle: deg'"},
        {"exp(length)", 0, "'exp' takes a plain number, not a length", ""},
        {"atan2(length)", 0, "'atan2' takes 2 numbers, not 1", ""},
        {"max()", 0, "'max' takes 1 numbers, not 0", ""},
        {"12 degr", 3, "unknown unit 'degr'",
         "did you mean 'deg'? There are: m, g, s, rad, N, J, W, Pa, Hz, Nm, Nmm, deg, °, rev, rpm, "
         "min, h, t, bar, in, ft, lb, lbf, psi"},
        {"2 length", 2, "unknown unit 'length'",
         "a product is written with '*'; 'tenon functions' lists the units"},
        {"(1 + 2", 6, "')' is missing at the end", ""},
        {"1 + ", 4, "something is missing at the end", ""},
        {"", 0, "something is missing at the end", ""},
        {"1 +* 2", 3, "a number or a name is missing before '*'", ""},
        {"1 2", 2, "'2' is too much here", ""},
        {"2**3", 2, "a number or a name is missing before '*'", ""},
        {"1 = 2", 2, "'=' is too much here", ""},
        {"length^a", 6, "a unit to the power 0.7", ""},
        {"2^length", 1, "'^' takes a plain number, not a length", ""},
        {"p*p", 1, "'*' of two vectors", "dot(a, b) or cross(a, b)"},
        {"p + 1 m", 2, "'+' of 3 and 1 numbers", ""},
        {"p.w", 0, "unknown name 'p.w'", "there is only 'length'"},
        {"[1, 2].z", 6, "'.z' of a vector of two", ""},
        {"[1]", 0, "a vector has two or three numbers", ""},
        {"[1, 2, 3, 4]", 9, "a vector has two or three numbers", ""},
        {"[1, 2 m]", 3, "',' of a plain number and a length", NULL},
        {"length ? 1 : 2", 7, "'?' takes a plain number, not a length", ""},
        {"1 ? 2", 5, "':' is missing at the end", ""},
        {"tilt + 1 Hz", 5, "'+' of an angle and a frequency", ""},
        {"meet([0, 0], 1, [5, 0], 1)", 0, "circles of 1 and 1 about points 5 apart do not meet",
         ""},
        {"unit([0, 0])", 0, "'unit' of a vector without length", ""},
        {"broken + 1", 0, "", ""},
        {"0 ? lenght : 1", 4, "unknown name 'lenght'", NULL},
    };
    for (size_t i = 0; i < TN_COUNT_OF(cases); i++) {
        tn_value value;
        tn_expression_problem problem;
        ck_assert_msg(!tn_expression_evaluate(cases[i].text, &source, &value, &problem), "%s",
                      cases[i].text);
        ck_assert_msg(strcmp(problem.message, cases[i].message) == 0, "%s: '%s'", cases[i].text,
                      problem.message);
        ck_assert_msg(problem.at == cases[i].at, "%s: at %zu", cases[i].text, problem.at);
        ck_assert_msg(cases[i].hint == NULL || strcmp(problem.hint, cases[i].hint) == 0,
                      "%s: hint '%s'", cases[i].text, problem.hint);
    }
}
END_TEST

/* Any depth is refused, not crashed on. */
START_TEST(test_deep_texts)
{
    enum { SIZE = 100000 };
    static char text[SIZE + 1];
    static const char fills[] = "(-![^?";
    for (size_t k = 0; k < strlen(fills); k++) {
        tn_value value;
        tn_expression_problem problem;
        memset(text, fills[k], SIZE);
        text[SIZE] = '\0';
        ck_assert(!tn_expression_evaluate(text, &source, &value, &problem));
        ck_assert_uint_gt(strlen(problem.message), 0);
    }
}
END_TEST

/* random formulas against muParser --------------------------------------------------------------
 */

typedef struct formula {
    char text[2000];
    size_t used;
    uint64_t seed;
} formula;

static uint32_t draw(formula *f, uint32_t below)
{
    return (uint32_t)random_between(&f->seed, 0.0, below);
}

static void put(formula *f, const char *text)
{
    const size_t length = strlen(text);
    if (f->used + length < sizeof(f->text)) {
        memcpy(f->text + f->used, text, length + 1);
        f->used += length;
    }
}

static void grow(formula *f, int depth)
{
    static const char *const atoms[] = {"a", "b", "c", "1.5", "0.25", "3"};
    static const char *const binary[] = {" + ",  " - ",          "*",           "/", "^", " < ",
                                         " >= ", " > 1 && 1 < ", " > 1 || 1 < "};
    static const char *const unary[] = {"sin",  "cos",  "tan",  "atan", "exp",  "ln",   "log10",
                                        "sqrt", "sinh", "cosh", "tanh", "asin", "acos", "abs"};
    const uint32_t kind = depth == 0 ? 0 : draw(f, 6);
    if (kind == 0) {
        put(f, atoms[draw(f, TN_COUNT_OF(atoms))]);
    } else if (kind == 1) {
        put(f, unary[draw(f, TN_COUNT_OF(unary))]);
        put(f, "(");
        grow(f, depth - 1);
        put(f, ")");
    } else if (kind == 2) {
        put(f, "(-");
        grow(f, 0);
        put(f, ")");
    } else if (kind == 3) {
        put(f, "(");
        grow(f, depth - 1);
        put(f, " > 1 ? ");
        grow(f, depth - 1);
        put(f, " : ");
        grow(f, depth - 1);
        put(f, ")");
    } else {
        const bool open = draw(f, 2) != 0; /* without parentheses: the strengths decide */
        put(f, open ? "" : "(");
        grow(f, depth - 1);
        put(f, binary[draw(f, TN_COUNT_OF(binary))]);
        grow(f, depth - 1);
        put(f, open ? "" : ")");
    }
}

static tn_name_answer find_plain(void *context, const char *name, size_t length, tn_value *out)
{
    const tn_name_answer answer = find(context, name, length, out);
    if (answer == TN_NAME_KNOWN) {
        out->dimension = (tn_dimension){{0}};
    }
    return answer;
}

START_TEST(test_numbers_are_those_of_muparser)
{
    /* asin and acos give angles, which this source may mix with numbers only in its own parser */
    const tn_name_source plain = {find_plain, NULL, NULL, true, false, false};
    double a = 0.7, b = 1.3, c = 2.9;
    muParserHandle_t parser = mupCreate(muBASETYPE_FLOAT);
    mupSetErrorHandler(parser, NULL);
    mupDefineVar(parser, "a", &a);
    mupDefineVar(parser, "b", &b);
    mupDefineVar(parser, "c", &c);
    int compared = 0, refused = 0;
    formula f = {.seed = 20260117};
    for (int i = 0; i < 20000; i++) {
        f.used = 0;
        grow(&f, 4);
        tn_value ours;
        tn_expression_problem problem;
        const bool ok = tn_expression_evaluate(f.text, &plain, &ours, &problem);
        mupSetExpr(parser, f.text);
        const double theirs = mupEval(parser);
        ck_assert_msg(!mupError(parser), "%s: %s", f.text, mupGetErrorMsg(parser));
        if (!ok) { /* an angle among numbers, or something that is not finite on the way */
            refused++;
            continue;
        }
        compared++;
        ck_assert_msg(fabs(ours.v[0] - theirs) <= 1e-9 * (1.0 + fabs(theirs)),
                      "%s: %.17g, not %.17g", f.text, ours.v[0], theirs);
    }
    mupRelease(parser);
    ck_assert_int_gt(compared, 10000);
    ck_assert_int_gt(refused, 100);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("quantity");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, test_units_are_those_of_udunits);
    tcase_add_test(tests, test_no_unit_is_left_out);
    tcase_add_test(tests, test_dimension_names);
    tcase_add_test(tests, test_what_fits);
    tcase_add_test(tests, test_quantities);
    tcase_add_test(tests, test_values_with_units);
    tcase_add_test(tests, test_vectors);
    tcase_add_test(tests, test_mistakes);
    tcase_add_test(tests, test_deep_texts);
    tcase_add_test(tests, test_numbers_are_those_of_muparser);
    suite_add_tcase(suite, tests);
    return suite;
}
