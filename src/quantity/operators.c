/* operators.c: sums, products, comparisons and powers of quantities (evaluation.h). */
#include "real/real.h"
#include "quantity/evaluation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_plain_zero(const tn_value *a)
{
    return tn_dimension_is_plain(a->dimension) && a->from == 0 && a->v[0] == 0.0 &&
           a->v[1] == 0.0 && a->v[2] == 0.0;
}

/* "3 has no unit: as in 3 m", of the operand that is a plain number; what comes from a variable has no number. */
static const char *unit_hint(const tn_value *a, const tn_value *b, char hint[TN_HINT_SIZE])
{
    char unit[TN_DIMENSION_TEXT];
    const tn_value *plain = tn_dimension_is_plain(a->dimension) ? a : b;
    const tn_value *other = plain == a ? b : a;
    if (plain->from != 0 || plain->count != 1) {
        return "give the plain number a unit, as in 10 mm";
    }
    snprintf(hint, TN_HINT_SIZE, "%.9g has no unit: as in %.9g %s", plain->v[0], plain->v[0],
             tn_dimension_unit(other->dimension, unit));
    return hint;
}

bool tn_same_kind(tn_evaluation *e, size_t at, const char *what, const tn_value *a,
                  const tn_value *b, tn_dimension *common)
{
    char first[TN_DIMENSION_TEXT], second[TN_DIMENSION_TEXT];
    *common = is_plain_zero(a) ? b->dimension : a->dimension;
    if (a->count != b->count) {
        tn_fault(e, at, NULL, "'%s' of %d and %d numbers", what, (int)a->count, (int)b->count);
        return false;
    }
    if (is_plain_zero(a) || is_plain_zero(b) || tn_dimension_fits(a->dimension, b->dimension)) {
        return true;
    }
    const bool plain = tn_dimension_is_plain(a->dimension) || tn_dimension_is_plain(b->dimension);
    char hint[TN_HINT_SIZE];
    const bool first_fault = e->idle == 0 && !e->failed;
    tn_fault(e, at, plain ? unit_hint(a, b, hint) : NULL, "'%s' of %s and %s", what,
             tn_dimension_noun(a->dimension, first), tn_dimension_noun(b->dimension, second));
    e->problem->lacks_unit = first_fault ? plain : e->problem->lacks_unit;
    return false;
}

bool tn_want_plain(tn_evaluation *e, size_t at, const char *what, const tn_value *a)
{
    char name[TN_DIMENSION_TEXT];
    if (tn_dimension_is_plain(a->dimension)) {
        return true;
    }
    tn_fault(e, at, NULL, "'%s' takes a plain number, not %s", what,
             tn_dimension_noun(a->dimension, name));
    return false;
}

bool tn_want_number(tn_evaluation *e, size_t at, const char *what, const tn_value *a)
{
    if (a->count != 1) {
        tn_fault(e, at, "its parts are .x, .y and .z", "'%s' takes a number, not a vector", what);
    }
    return a->count == 1;
}

tn_value tn_finite(tn_evaluation *e, size_t at, const char *what, tn_value a)
{
    for (int32_t i = 0; i < a.count; i++) {
        if (!isfinite(a.v[i]) && !e->names->changing && !e->open) {
            tn_fault(e, at, NULL, "'%s' gives what is no finite number here", what);
            return tn_plain(0.0);
        }
    }
    return a;
}

static tn_value add(tn_evaluation *e, size_t at, const char *sign, tn_value a, tn_value b)
{
    tn_value sum = {.count = a.count};
    if (!tn_same_kind(e, at, sign, &a, &b, &sum.dimension)) {
        return tn_plain(0.0);
    }
    for (int32_t i = 0; i < a.count; i++) {
        sum.v[i] = sign[0] == '+' ? a.v[i] + b.v[i] : a.v[i] - b.v[i];
    }
    return sum;
}

static tn_value multiply(tn_evaluation *e, size_t at, tn_value a, tn_value b)
{
    tn_value product = {.count = a.count > b.count ? a.count : b.count};
    if (a.count > 1 && b.count > 1) {
        tn_fault(e, at, "dot(a, b) or cross(a, b)", "'*' of two vectors");
        return tn_plain(0.0);
    }
    for (int32_t i = 0; i < product.count; i++) {
        product.v[i] = a.v[a.count > 1 ? i : 0] * b.v[b.count > 1 ? i : 0];
    }
    if (!tn_dimension_add(a.dimension, b.dimension, 1, &product.dimension)) {
        tn_fault(e, at, NULL, "a product of too many units");
    }
    return product;
}

static tn_value divide(tn_evaluation *e, size_t at, tn_value a, tn_value b)
{
    tn_value quotient = {.count = a.count};
    if (!tn_want_number(e, at, "/", &b)) {
        return tn_plain(0.0);
    }
    if (b.v[0] == 0.0 && tn_no_value(e, at, "division by zero")) {
        return tn_plain(0.0);
    }
    for (int32_t i = 0; i < a.count; i++) {
        quotient.v[i] = a.v[i] / b.v[0];
    }
    if (!tn_dimension_add(a.dimension, b.dimension, -1, &quotient.dimension)) {
        tn_fault(e, at, NULL, "a quotient of too many units");
    }
    return quotient;
}

static tn_value remainder_of(tn_evaluation *e, size_t at, tn_value a, tn_value b)
{
    tn_value rest = {.count = 1};
    if (!tn_want_number(e, at, "%", &a) || !tn_want_number(e, at, "%", &b) ||
        !tn_same_kind(e, at, "%", &a, &b, &rest.dimension)) {
        return tn_plain(0.0);
    }
    if (b.v[0] == 0.0 && tn_no_value(e, at, "division by zero")) {
        return tn_plain(0.0);
    }
    rest.v[0] = fmod(a.v[0], b.v[0]);
    if (rest.v[0] != 0.0 && (rest.v[0] < 0.0) != (b.v[0] < 0.0)) {
        rest.v[0] += b.v[0];
    }
    return rest;
}

static tn_value compare(tn_evaluation *e, size_t at, const char *sign, tn_value a, tn_value b)
{
    tn_dimension common;
    if (!tn_want_number(e, at, sign, &a) || !tn_want_number(e, at, sign, &b) ||
        !tn_same_kind(e, at, sign, &a, &b, &common)) {
        return tn_plain(0.0);
    }
    const double x = a.v[0], y = b.v[0];
    const bool equal = sign[1] == '=';
    const bool holds = sign[0] == '<'   ? (equal ? x <= y : x < y)
                       : sign[0] == '>' ? (equal ? x >= y : x > y)
                       : sign[0] == '=' ? x == y
                                        : x != y;
    return tn_plain(holds);
}

static tn_value worked_out(tn_evaluation *e, size_t at, const char *sign, tn_value a, tn_value b)
{
    switch (sign[0]) {
    case '+':
    case '-':
        return tn_finite(e, at, sign, add(e, at, sign, a, b));
    case '*':
        return tn_finite(e, at, sign, multiply(e, at, a, b));
    case '/':
        return tn_finite(e, at, sign, divide(e, at, a, b));
    case '%':
        return remainder_of(e, at, a, b);
    default:
        return compare(e, at, sign, a, b);
    }
}

/* What an operator is on a tape: "a > b" is "b < a". */
static const struct {
    const char *sign;
    tn_tape_op op;
    bool swapped;
} noted[] = {
    {"+", TN_TAPE_SUM, false},      {"-", TN_TAPE_DIFFERENCE, false}, {"*", TN_TAPE_PRODUCT, false},
    {"/", TN_TAPE_QUOTIENT, false}, {"%", TN_TAPE_REMAINDER, false},  {"<", TN_TAPE_LESS, false},
    {"<=", TN_TAPE_AT_MOST, false}, {">", TN_TAPE_LESS, true},        {">=", TN_TAPE_AT_MOST, true},
    {"==", TN_TAPE_EQUAL, false},   {"!=", TN_TAPE_DIFFERENT, false},
};

static tn_value note(tn_evaluation *e, size_t at, const char *sign, tn_value a, tn_value b,
                     tn_value result)
{
    const bool one = a.count == 1 && b.count == 1;
    size_t k = 0;
    for (size_t i = 0; i < TN_COUNT_OF(noted); i++) {
        k = strcmp(noted[i].sign, sign) == 0 ? i : k;
    }
    if (!one && !e->failed) {
        tn_mistake(e, at, "give each component its own formula",
                   "a vector of what changes in a function of one variable");
    }
    const tn_tape *tape = e->names->tape;
    if (sign[1] == '=' && (sign[0] == '=' || sign[0] == '!') && e->idle == 0 &&
        !(tn_tape_is_in_steps(tape, a.from) && tn_tape_is_in_steps(tape, b.from))) {
        tn_mistake(e, at, "it is met for no time at all: compare by < or >",
                   "'%s' of what changes smoothly", sign);
    }
    return tn_note(e, at, noted[k].op,
                   noted[k].swapped ? (const tn_value[2]){b, a} : (const tn_value[2]){a, b}, 2,
                   result);
}

tn_value tn_operate(tn_evaluation *e, size_t at, const char *sign, tn_value a, tn_value b)
{
    e->open = a.from > 0 || b.from > 0;
    tn_value result = worked_out(e, at, sign, a, b);
    if (e->open) {
        result = note(e, at, sign, a, b, result);
    }
    e->open = false;
    return result;
}

static tn_value power_of(tn_evaluation *e, size_t at, tn_value a, tn_value b)
{
    tn_value power = {.count = 1};
    if (!tn_want_number(e, at, "^", &a) || !tn_want_number(e, at, "^", &b) ||
        !tn_want_plain(e, at, "^", &b)) {
        return tn_plain(0.0);
    }
    if (a.v[0] == 0.0 && b.v[0] < 0.0 && tn_no_value(e, at, "division by zero")) {
        return tn_plain(0.0);
    }
    if (b.from > 0 && !tn_want_plain(e, at, "^", &a)) { /* to a power that changes */
        return tn_plain(0.0);
    }
    if (!tn_dimension_is_plain(a.dimension) &&
        !tn_dimension_power(a.dimension, b.v[0], &power.dimension)) {
        tn_fault(e, at, NULL, "a unit to the power %.6g", b.v[0]);
        return tn_plain(0.0);
    }
    power.v[0] = tn_pow(a.v[0], b.v[0]);
    return tn_finite(e, at, "^", power);
}

tn_value tn_raise(tn_evaluation *e, size_t at, tn_value a, tn_value b)
{
    e->open = a.from > 0 || b.from > 0;
    const tn_value power = power_of(e, at, a, b);
    e->open = false;
    return tn_note(e, at, TN_TAPE_POWER, (const tn_value[2]){a, b}, 2, power);
}
