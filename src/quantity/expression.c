/* expression.c: the grammar of formulas, evaluated as it is read (expression.h).
 *
 * Recursive descent, one function for each strength of binding; the depth is bounded, so any text
 * is safe. After the first problem everything is zero and nothing more is told.
 */
#include "real/real.h"
#include "quantity/expression.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "quantity/evaluation.h"
#include "quantity/unit.h"

/* Parentheses, calls and signs within each other. */
#define DEEPEST 64

/* Longest name, with its path. */
#define NAME_SIZE 160

#define PI 3.14159265358979323846

static void note(tn_evaluation *e, size_t at, const char *hint, const char *format, va_list list)
{
    if (e->failed) {
        return;
    }
    e->failed = true;
    e->problem->at = at;
    vsnprintf(e->problem->message, sizeof(e->problem->message), format, list);
    snprintf(e->problem->hint, sizeof(e->problem->hint), "%s", hint != NULL ? hint : "");
}

void tn_mistake(tn_evaluation *e, size_t at, const char *hint, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    note(e, at, hint, format, list);
    va_end(list);
}

void tn_fault(tn_evaluation *e, size_t at, const char *hint, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (e->idle == 0) {
        note(e, at, hint, format, list);
    }
    va_end(list);
}

static void skip_spaces(tn_evaluation *e)
{
    e->at += strspn(e->text + e->at, " \t\n");
}

bool tn_no_value(tn_evaluation *e, size_t at, const char *message)
{
    if (!e->names->changing) {
        tn_fault(e, at, NULL, "%s", message);
    }
    return !e->names->changing;
}

/* Takes a sign if it comes next. */
static bool take(tn_evaluation *e, const char *sign)
{
    skip_spaces(e);
    const size_t length = strlen(sign);
    if (strncmp(e->text + e->at, sign, length) != 0) {
        return false;
    }
    e->at += length;
    return true;
}

static void expect(tn_evaluation *e, const char *sign)
{
    if (!take(e, sign)) {
        const char found = e->text[e->at];
        tn_mistake(e, e->at, NULL, found == '\0' ? "'%s' is missing at the end" : "'%s' is missing",
                   sign);
    }
}

static tn_value choice(tn_evaluation *e);

/* names -----------------------------------------------------------------------------------------
 */

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
    const tn_value index = choice(e);
    expect(e, "]");
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

/* Takes .x, .y, .z or [1] behind a vector, [1] behind a list; both are named, or start, there. */
static tn_value part(tn_evaluation *e, size_t start, tn_value vector)
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

/* 12 N m: names that follow a number or a unit directly are units too. */
static tn_value with_units(tn_evaluation *e, tn_value value)
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
        tn_value factor = {.v = {1.0}, .count = 1, .dimension = unit.dimension};
        if (take(e, "^")) { /* only this unit is raised */
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
    tn_mistake(e, at, nothing ? WHERE_NAMES : tn_suggestion_hint(meant, NULL, hint),
               "unknown name '%s'", name);
}

static tn_value arguments_of(tn_evaluation *e, size_t at, int32_t function)
{
    tn_value arguments[TN_MAX_ARGUMENTS] = {0};
    int32_t count = 0;
    if (!take(e, ")")) {
        do {
            const tn_value value = choice(e);
            if (count < TN_MAX_ARGUMENTS) {
                arguments[count] = value;
            }
            count++;
        } while (!e->failed && take(e, ","));
        expect(e, ")");
    }
    return e->failed ? tn_plain(0.0) : tn_call_function(e, at, function, arguments, count);
}

/* A name in the order of its meanings: a function that is called, what the source knows (the whole
 * path, or a vector and its part), pi, a unit. */
static tn_value named(tn_evaluation *e)
{
    const size_t start = e->at;
    const char *text = e->text + start;
    const size_t whole = path_length(text), first = tn_name_length(text);
    char name[NAME_SIZE];
    tn_value value = tn_plain(0.0);
    tn_unit unit;
    snprintf(name, sizeof(name), "%.*s", (int)(whole < NAME_SIZE ? whole : NAME_SIZE - 1), text);
    e->at = start + first;
    if (take(e, "(")) {
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
        return part(e, start, value);
    }
    e->at = start + first;
    if (first == 2 && memcmp(text, "pi", 2) == 0) {
        return tn_plain(PI);
    }
    if (whole == first && tn_unit_find(text, first, &unit)) {
        e->at = start;
        return with_units(e, tn_plain(1.0));
    }
    report_unknown(e, start, name);
    return value;
}

/* the grammar -----------------------------------------------------------------------------------
 */

static tn_value list(tn_evaluation *e, size_t start)
{
    tn_value vector = {.count = 0};
    do {
        const size_t at = e->at;
        const tn_value value = choice(e);
        if (e->failed) {
            return vector;
        }
        if (vector.count == 3) {
            tn_mistake(e, at, NULL, "a vector has two or three numbers");
            return vector;
        }
        const tn_value before = {
            .v = {vector.v[0], vector.v[1]}, .count = 1, .dimension = vector.dimension};
        if (!tn_want_number(e, at, "[ ]", &value)) {
            return vector;
        }
        if (vector.count == 0) {
            vector.dimension = value.dimension;
        } else if (!tn_same_kind(e, at, ",", &before, &value, &vector.dimension)) {
            return vector;
        }
        vector.v[vector.count++] = value.v[0];
    } while (take(e, ","));
    expect(e, "]");
    if (vector.count == 1) {
        tn_mistake(e, start, NULL, "a vector has two or three numbers");
    }
    return vector;
}

static tn_value primary(tn_evaluation *e)
{
    skip_spaces(e);
    const size_t start = e->at;
    const size_t digits = tn_number_length(e->text + start);
    if (digits > 0) {
        e->at = start + digits;
        const tn_value number = tn_plain(strtod(e->text + start, NULL));
        if (!isfinite(number.v[0])) {
            tn_mistake(e, start, NULL, "this number is too large");
        }
        return with_units(e, number);
    }
    if (tn_name_length(e->text + start) > 0) {
        return named(e);
    }
    if (take(e, "(")) {
        const tn_value value = choice(e);
        expect(e, ")");
        return part(e, start, value);
    }
    if (take(e, "[")) {
        return part(e, start, list(e, start));
    }
    const char found[2] = {e->text[start], '\0'};
    if (found[0] == '\0') {
        tn_mistake(e, start, NULL, "something is missing at the end");
    } else {
        tn_mistake(e, start, NULL, "a number or a name is missing before '%s'",
                   (unsigned char)found[0] < 0x80 ? found : "?");
    }
    return tn_plain(0.0);
}

static tn_value signed_value(tn_evaluation *e);

static tn_value power(tn_evaluation *e)
{
    const tn_value base = primary(e);
    skip_spaces(e);
    const size_t at = e->at;
    if (e->failed || !take(e, "^")) {
        return base;
    }
    const tn_value exponent = signed_value(e);
    return e->failed ? base : tn_raise(e, at, base, exponent);
}

static tn_value signed_value(tn_evaluation *e)
{
    tn_value value = tn_plain(0.0);
    skip_spaces(e);
    const size_t at = e->at;
    if (e->depth == DEEPEST) {
        tn_mistake(e, at, NULL, "nested too deeply");
        return value;
    }
    e->depth++;
    if (take(e, "-")) {
        value = signed_value(e);
        for (int32_t i = 0; i < value.count; i++) {
            value.v[i] = -value.v[i];
        }
    } else if (take(e, "+")) {
        value = signed_value(e);
    } else if (e->text[at] == '!' && e->text[at + 1] != '=') {
        e->at++;
        value = signed_value(e);
        if (!e->failed && tn_want_number(e, at, "!", &value) && tn_want_plain(e, at, "!", &value)) {
            value = tn_plain(value.v[0] == 0.0);
        }
    } else {
        value = power(e);
    }
    e->depth--;
    return value;
}

/* The first of the signs that comes next, NULL for none; longer ones stand first. */
static const char *take_one(tn_evaluation *e, const char *const *signs)
{
    for (; *signs != NULL; signs++) {
        if (take(e, *signs)) {
            return *signs;
        }
    }
    return NULL;
}

/* Operators that group to the left, by strength. */
static const char *const strengths[][7] = {
    {"<=", ">=", "==", "!=", "<", ">", NULL}, {"+", "-", NULL}, {"*", "/", "%", NULL}};

static tn_value chain(tn_evaluation *e, size_t strength)
{
    if (strength == TN_COUNT_OF(strengths)) {
        return signed_value(e);
    }
    tn_value value = chain(e, strength + 1);
    for (;;) {
        skip_spaces(e);
        const size_t at = e->at;
        const char *sign = e->failed ? NULL : take_one(e, strengths[strength]);
        if (sign == NULL) {
            return value;
        }
        const tn_value right = chain(e, strength + 1);
        if (!e->failed) {
            value = tn_operate(e, at, sign, value, right);
        }
    }
}

static bool truth(tn_evaluation *e, size_t at, const char *what, const tn_value *value)
{
    return !e->failed && tn_want_number(e, at, what, value) && tn_want_plain(e, at, what, value) &&
           value->v[0] != 0.0;
}

/* a && b && c, a || b || c: what need not be known is not computed */
static tn_value both(tn_evaluation *e)
{
    tn_value value = chain(e, 0);
    size_t at = e->at;
    while (!e->failed && take(e, "&&")) {
        const bool left = truth(e, at, "&&", &value);
        e->idle += !left;
        const tn_value right = chain(e, 0);
        value = tn_plain(left && truth(e, at, "&&", &right));
        e->idle -= !left;
        at = e->at;
    }
    return value;
}

static tn_value either(tn_evaluation *e)
{
    tn_value value = both(e);
    size_t at = e->at;
    while (!e->failed && take(e, "||")) {
        const bool left = truth(e, at, "||", &value);
        e->idle += left;
        const tn_value right = both(e);
        value = tn_plain(left || truth(e, at, "||", &right));
        e->idle -= left;
        at = e->at;
    }
    return value;
}

static tn_value choice(tn_evaluation *e)
{
    if (e->depth == DEEPEST) {
        tn_mistake(e, e->at, NULL, "nested too deeply");
        return tn_plain(0.0);
    }
    e->depth++;
    tn_value value = either(e);
    const size_t at = e->at;
    if (!e->failed && take(e, "?")) {
        const bool yes = truth(e, at, "?", &value);
        e->idle += !yes;
        const tn_value first = choice(e);
        e->idle += yes - !yes;
        expect(e, ":");
        const tn_value second = choice(e);
        e->idle -= yes;
        value = yes ? first : second;
    }
    e->depth--;
    return value;
}

bool tn_expression_evaluate(const char *text, const tn_name_source *names, tn_value *out,
                            tn_expression_problem *problem)
{
    tn_evaluation e = {
        .text = text, .idle = names->only_writing, .names = names, .problem = problem};
    *problem = (tn_expression_problem){0};
    *out = choice(&e);
    skip_spaces(&e);
    if (!e.failed && text[e.at] != '\0') {
        const char found = text[e.at];
        tn_mistake(&e, e.at, strncmp(text + e.at, "**", 2) == 0 ? "a power is written a^b" : NULL,
                   (unsigned char)found < 0x80 ? "'%c' is too much here" : "this is too much here",
                   found);
    }
    return !e.failed;
}
