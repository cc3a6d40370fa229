/* formula_names.c: names of formulas: parameters with their parts, functions that are called, units
 * (evaluation.h).
 */
#include "real/real.h"
#include "quantity/expression.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "quantity/evaluation.h"
#include "quantity/unit.h"

/* Longest name, with its path. */
#define NAME_SIZE 160

#define PI 3.14159265358979323846

/* Bytes of a path: knee, leg[3].knee, v.x */
static size_t path_length(const char *text)
{
    size_t length = tn_name_length(text);
    for (;;) {
        size_t more = 0;
        if (text[length] == '.') {
            more = tn_name_length(text + length + 1);
        } else if (text[length] == '[') {
            more = strspn(text + length + 1, "0123456789");
            more = more > 0 && text[length + 1 + more] == ']' ? more + 1 : 0;
        }
        if (more == 0) {
            return length;
        }
        length += 1 + more;
    }
}

static tn_name_answer ask(tn_evaluation *e, const char *name, size_t length, tn_value *out)
{
    return e->names->find != NULL ? e->names->find(e->names->context, name, length, out)
                                  : TN_NAME_UNKNOWN;
}

size_t tn_part_owner(const char *path, size_t length)
{
    if (length > 2 && path[length - 2] == '.' && path[length - 1] >= 'x' &&
        path[length - 1] <= 'z') {
        return length - 2;
    }
    size_t owner = length > 0 && path[length - 1] == ']' ? length - 1 : 0;
    while (owner > 0 && path[owner] != '[') {
        owner--;
    }
    return owner;
}

/* What is wrong with an index, NULL: nothing. */
static const char *index_fault(const tn_value *index, int32_t count, char text[TN_EXPRESSION_TEXT])
{
    if (index->count != 1 || !tn_dimension_is_plain(index->dimension) ||
        index->v[0] != rint(index->v[0])) {
        return "an index is a whole number";
    }
    if (index->v[0] >= 0.0 && index->v[0] < count) {
        return NULL;
    }
    snprintf(text, TN_EXPRESSION_TEXT, "index %.9g of %d, which count from 0 to %d", index->v[0],
             (int)count, (int)count - 1);
    return text;
}

/* The whole number in brackets, below count; -1: there is none. */
static int32_t index_below(tn_evaluation *e, int32_t count)
{
    char text[TN_EXPRESSION_TEXT];
    const size_t at = e->at;
    const bool literal = e->text[at + strspn(e->text + at, "0123456789")] == ']';
    const bool taken = e->idle == (e->names->only_writing ? 1 : 0);
    const tn_value index = tn_choice(e);
    tn_expect(e, "]");
    if (!e->failed && index.from > 0) {
        tn_mistake(e, at, NULL, "an index does not change: it is a whole number here");
    }
    const char *fault = e->failed ? NULL : index_fault(&index, count, text);
    if (!e->failed && e->names->changing && !literal) {
        tn_mistake(e, at, NULL, "an index does not change: it is a whole number here");
    } else if (fault != NULL && literal && taken) {
        tn_mistake(e, at, NULL, "%s", fault);
    } else if (fault != NULL) {
        tn_fault(e, at, NULL, "%s", fault);
    }
    return e->failed || fault != NULL ? -1 : (int32_t)index.v[0];
}

/* What stands at an index behind a vector, or behind a list whose name starts at `start`. */
static tn_value element(tn_evaluation *e, size_t start, const tn_value *of)
{
    const size_t length = e->at - start;
    tn_value value = tn_plain(0.0);
    e->at++;
    const int32_t index = index_below(e, of->count == 0 ? (int32_t)of->v[0] : of->count);
    if (index < 0) {
        return value;
    }
    if (of->count > 0) {
        return (tn_value){.v = {of->v[index]}, .count = 1, .dimension = of->dimension};
    }
    char name[NAME_SIZE];
    const int size =
        snprintf(name, sizeof(name), "%.*s[%d]", (int)length, e->text + start, (int)index);
    const bool fits = size > 0 && size < NAME_SIZE;
    if (!fits || ask(e, name, (size_t)size, &value) != TN_NAME_KNOWN) {
        e->failed = true; /* has no value, which has been reported */
    }
    return value;
}

tn_value tn_part(tn_evaluation *e, size_t start, tn_value vector)
{
    for (;;) {
        const char *next = e->text + e->at;
        if (e->failed) {
            return vector;
        }
        if (next[0] == '[' && vector.count == 1) {
            tn_mistake(e, e->at, NULL, "an index of a number");
        } else if (next[0] == '[') {
            vector = element(e, start, &vector);
        } else if (next[0] == '.' && next[1] >= 'x' && next[1] <= 'z' &&
                   tn_name_length(next + 1) == 1) {
            const int32_t index = next[1] - 'x';
            if (vector.count <= 1 || index >= vector.count) {
                tn_fault(e, e->at, NULL, "'.%c' of %s", next[1],
                         vector.count == 0   ? "a list"
                         : vector.count == 1 ? "a number"
                                             : "a vector of two");
                return tn_plain(0.0);
            }
            e->at += 2;
            vector = (tn_value){.v = {vector.v[index]}, .count = 1, .dimension = vector.dimension};
        } else {
            break;
        }
    }
    if (vector.count == 0) {
        tn_mistake(e, start, "one of them is NAME[0], the first", "a list of %d is no number",
                   (int)vector.v[0]);
    }
    return vector;
}

static void report_unknown_unit(tn_evaluation *e, size_t start, int length)
{
    char name[NAME_SIZE], hint[TN_HINT_SIZE];
    snprintf(name, sizeof(name), "%.*s", length, e->text + start);
    const tn_suggestion meant = tn_unit_suggest(name, NULL);
    tn_mistake(e, start,
               meant.best[0] != '\0' ? tn_suggestion_hint(&meant, TN_WHERE_UNITS, hint)
                                     : "a product is written with '*'; " TN_WHERE_UNITS
                                       " lists the units",
               "unknown unit '%s'", name);
}

tn_value tn_with_units(tn_evaluation *e, tn_value value)
{
    for (;;) {
        size_t start = e->at + strspn(e->text + e->at, " \t");
        const size_t length = tn_name_length(e->text + start);
        tn_unit unit;
        if (length == 0) {
            return value;
        }
        if (!tn_unit_find(e->text + start, length, &unit)) {
            report_unknown_unit(e, start, (int)(length < 100 ? length : 100));
            return value;
        }
        e->at = start + length;
        if (e->names->with_units != NULL && !tn_dimension_is_plain(unit.dimension)) {
            *e->names->with_units = true;
        }
        if (e->names->bare) {
            unit.dimension = (tn_dimension){{0}};
        }
        tn_value factor = {.v = {1.0}, .count = 1, .dimension = unit.dimension};
        if (tn_take(e, "^")) { /* only this unit is raised */
            char *end = NULL;
            const long power = strtol(e->text + e->at, &end, 10);
            if (end == e->text + e->at || labs(power) > 9) {
                tn_mistake(e, e->at, NULL, "a unit to what power?");
                return value;
            }
            e->at = (size_t)(end - e->text);
            unit = (tn_unit){tn_pow(unit.up, (double)power), tn_pow(unit.down, (double)power),
                             unit.dimension};
            tn_dimension_power(factor.dimension, (double)power, &factor.dimension);
        }
        value.v[0] = value.v[0] * unit.up / unit.down;
        if (!tn_dimension_add(value.dimension, factor.dimension, 1, &value.dimension)) {
            tn_mistake(e, start, NULL, "a product of too many units");
        }
    }
}

/* Where nothing can be offered. */
#define WHERE_NAMES "names are parameters; " TN_WHERE_UNITS " lists functions and units of formulas"

/* What other languages call it. */
static const struct {
    const char *name, *hint;
} elsewhere[] = {
    {"if", "a choice is written 'condition ? a : b'"},
    {"log", "'ln' is the natural logarithm, 'log10' the decimal one"},
    {"pow", "a power is written a^b"},
    {"mod", "what a division leaves is written a % b"},
    {"fmod", "what a division leaves is written a % b"},
    {"arctan", "'atan', or atan2(y, x)"},
    {"heaviside", "a choice is written 'condition ? a : b'"},
    {"pulse", "a choice: t > 1 s && t < 2 s ? 5 : 0"},
    {"step", "a choice, t < 1 s ? 0 : 5; a smooth one is the function {step: [x0, y0, x1, y1]}"},
    {"time", "the time is 't' in functions of it and in measures"},
    {"clamp", "min(max(x, low), high)"},
    {"inf", "infinity is written .inf, without '='"},
    {"infinity", "infinity is written .inf, without '='"},
};

static const char *hint_from_elsewhere(const char *name)
{
    for (size_t i = 0; i < TN_COUNT_OF(elsewhere); i++) {
        if (strcmp(elsewhere[i].name, name) == 0) {
            return elsewhere[i].hint;
        }
    }
    return NULL;
}

static void report_unknown(tn_evaluation *e, size_t at, const char *name)
{
    char hint[TN_HINT_SIZE];
    tn_suggestion names = tn_suggestion_for(name), functions = names;
    if (e->names->offer != NULL) {
        e->names->offer(e->names->context, &names);
    }
    for (int32_t i = 0; tn_expression_function(i, NULL) != NULL; i++) {
        tn_suggestion_offer_alias(&functions, tn_expression_function(i, NULL));
    }
    const bool function = names.best[0] == '\0' && functions.best[0] != '\0';
    const tn_suggestion *meant = function ? &functions : &names;
    const bool nothing = !function && names.count == 0;
    const char *other = names.best[0] == '\0' ? hint_from_elsewhere(name) : NULL;
    tn_mistake(e, at,
               other != NULL ? other
               : nothing     ? WHERE_NAMES
                             : tn_suggestion_hint(meant, NULL, hint),
               "unknown name '%s'", name);
}

static tn_value arguments_of(tn_evaluation *e, size_t at, int32_t function)
{
    tn_value arguments[TN_MAX_ARGUMENTS] = {0};
    int32_t count = 0;
    if (!tn_take(e, ")")) {
        do {
            const tn_value value = tn_choice(e);
            if (count < TN_MAX_ARGUMENTS) {
                arguments[count] = value;
            }
            count++;
        } while (!e->failed && tn_take(e, ","));
        tn_expect(e, ")");
    }
    return e->failed ? tn_plain(0.0) : tn_call_function(e, at, function, arguments, count);
}

tn_value tn_named(tn_evaluation *e)
{
    const size_t start = e->at;
    const char *text = e->text + start;
    const size_t whole = path_length(text), first = tn_name_length(text);
    char name[NAME_SIZE];
    tn_value value = tn_plain(0.0);
    tn_unit unit;
    snprintf(name, sizeof(name), "%.*s", (int)(whole < NAME_SIZE ? whole : NAME_SIZE - 1), text);
    e->at = start + first;
    if (tn_take(e, "(")) {
        const int32_t function = tn_function_named(text, first);
        if (function >= 0) {
            return arguments_of(e, start, function);
        }
        name[first < NAME_SIZE ? first : NAME_SIZE - 1] = '\0';
        report_unknown(e, start, name);
        return value;
    }
    tn_name_answer answer = ask(e, text, whole, &value);
    size_t used = whole;
    while (answer == TN_NAME_UNKNOWN && tn_part_owner(text, used) > 0) {
        used = tn_part_owner(text, used);
        answer = ask(e, text, used, &value);
    }
    if (answer == TN_NAME_BROKEN) {
        e->failed = true; /* without a message */
        return value;
    }
    if (answer == TN_NAME_KNOWN) {
        e->at = start + used;
        return tn_part(e, start, value);
    }
    e->at = start + first;
    if (first == 2 && memcmp(text, "pi", 2) == 0) {
        return tn_plain(PI);
    }
    if (whole == first && tn_unit_find(text, first, &unit)) {
        e->at = start;
        return tn_with_units(e, tn_plain(1.0));
    }
    report_unknown(e, start, name);
    return value;
}
