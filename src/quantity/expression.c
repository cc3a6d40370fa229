/* expression.c: the grammar of formulas, evaluated as it is read (expression.h).
 *
 * Recursive descent, one function for each strength of binding; the depth is bounded, so any text
 * is safe. After the first problem everything is zero and nothing more is reported.
 */
#include "quantity/expression.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quantity/evaluation.h"
#include "quantity/unit.h"
#include "tenon/limits.h"

const char *tn_expression_time_hint(const char *text)
{
    bool number = false; /* behind it, or a unit of it, a name is a unit and meant as one */
    for (size_t at = 0; text[at] != '\0';) {
        const size_t name = tn_name_length(text + at), digits = tn_number_length(text + at);
        if (name == 1 && text[at] == 't' && !number)
            return "'t' is the tonne here; the time is in functions of it: of loads, drives, "
                   "motors";
        number = digits > 0 || (number && (name > 0 || text[at] == ' '));
        at += digits > 0 ? digits : name > 0 ? name : 1;
    }
    return NULL;
}

static void note(tn_evaluation *e, size_t at, const char *hint, const char *format, va_list list)
{
    if (e->failed) {
        return;
    }
    e->failed = true;
    e->problem->at = at;
    vsnprintf(e->problem->message, sizeof(e->problem->message), format, list);
    if (hint == NULL && !e->names->changing && e->names->tape == NULL) {
        hint = tn_expression_time_hint(e->text);
    }
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

void tn_skip_spaces(tn_evaluation *e)
{
    e->at += strspn(e->text + e->at, " \t\n");
}

bool tn_no_value(tn_evaluation *e, size_t at, const char *message)
{
    const bool judged = !e->names->changing && !e->open;
    if (judged) {
        tn_fault(e, at, NULL, "%s", message);
    }
    return judged;
}

tn_value tn_note(tn_evaluation *e, size_t at, tn_tape_op op, const tn_value *operands,
                 int32_t count, tn_value result)
{
    int32_t steps[TN_TAPE_OPERANDS] = {0};
    bool varies = false;
    for (int32_t i = 0; i < count; i++) {
        varies = varies || operands[i].from > 0;
    }
    result.from = 0;
    if (!varies || e->failed || e->idle > 0) {
        return result;
    }
    for (int32_t i = 0; i < count; i++) {
        steps[i] = operands[i].from > 0 ? operands[i].from
                                        : tn_tape_constant(e->names->tape, operands[i].v[0]);
    }
    result.from = tn_tape_add(e->names->tape, op, steps);
    if (result.from == 0) {
        tn_mistake(e, at, "a part of it may be a table", "more than %d operations in a function",
                   TN_TAPE_STEPS);
    }
    return result;
}

bool tn_take(tn_evaluation *e, const char *sign)
{
    tn_skip_spaces(e);
    const size_t length = strlen(sign);
    if (strncmp(e->text + e->at, sign, length) != 0) {
        return false;
    }
    e->at += length;
    return true;
}

void tn_expect(tn_evaluation *e, const char *sign)
{
    if (!tn_take(e, sign)) {
        const char found = e->text[e->at];
        tn_mistake(e, e->at, NULL, found == '\0' ? "'%s' is missing at the end" : "'%s' is missing",
                   sign);
    }
}

static tn_value list(tn_evaluation *e, size_t start)
{
    tn_value vector = {.count = 0};
    do {
        const size_t at = e->at;
        const tn_value value = tn_choice(e);
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
        if (value.from > 0) {
            tn_mistake(e, at, "give each component its own formula",
                       "a vector of what changes in a function of one variable");
            return vector;
        }
        if (vector.count == 0) {
            vector.dimension = value.dimension;
        } else if (!tn_same_kind(e, at, ",", &before, &value, &vector.dimension)) {
            return vector;
        }
        vector.v[vector.count++] = value.v[0];
    } while (tn_take(e, ","));
    tn_expect(e, "]");
    if (vector.count == 1) {
        tn_mistake(e, start, NULL, "a vector has two or three numbers");
    }
    return vector;
}

static tn_value primary(tn_evaluation *e)
{
    tn_skip_spaces(e);
    const size_t start = e->at;
    const size_t digits = tn_number_length(e->text + start);
    if (digits > 0) {
        e->at = start + digits;
        const tn_value number = tn_plain(strtod(e->text + start, NULL));
        if (!isfinite(number.v[0])) {
            tn_mistake(e, start, NULL, "this number is too large");
        }
        return tn_with_units(e, number);
    }
    if (tn_name_length(e->text + start) > 0) {
        return tn_named(e);
    }
    if (tn_take(e, "(")) {
        const tn_value value = tn_choice(e);
        tn_expect(e, ")");
        return tn_part(e, start, value);
    }
    if (tn_take(e, "[")) {
        return tn_part(e, start, list(e, start));
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
    tn_skip_spaces(e);
    const size_t at = e->at;
    if (e->failed || !tn_take(e, "^")) {
        return base;
    }
    const tn_value exponent = signed_value(e);
    return e->failed ? base : tn_raise(e, at, base, exponent);
}

static tn_value signed_value(tn_evaluation *e)
{
    tn_value value = tn_plain(0.0);
    tn_skip_spaces(e);
    const size_t at = e->at;
    if (e->depth == TN_DEEPEST_FORMULA) {
        tn_mistake(e, at, NULL, "nested too deeply");
        return value;
    }
    e->depth++;
    if (tn_take(e, "-")) {
        value = signed_value(e);
        const tn_value before = value;
        for (int32_t i = 0; i < value.count; i++) {
            value.v[i] = -value.v[i];
        }
        value = tn_note(e, at, TN_TAPE_NEGATIVE, &before, 1, value);
    } else if (tn_take(e, "+")) {
        value = signed_value(e);
    } else if (e->text[at] == '!' && e->text[at + 1] != '=') {
        e->at++;
        value = signed_value(e);
        if (!e->failed && tn_want_number(e, at, "!", &value) && tn_want_plain(e, at, "!", &value)) {
            value = tn_note(e, at, TN_TAPE_NOT, &value, 1, tn_plain(value.v[0] == 0.0));
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
        if (tn_take(e, *signs)) {
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
        tn_skip_spaces(e);
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

/* What "a && b" or "a || b" is; `settled`: a alone decides. */
static tn_value join(tn_evaluation *e, size_t at, const char *sign, bool settled,
                     const tn_value pair[2])
{
    const bool all = sign[0] == '&';
    const bool right = !settled && truth(e, at, sign, &pair[1]);
    return tn_note(e, at, all ? TN_TAPE_AND : TN_TAPE_OR, pair, settled ? 1 : 2,
                   tn_plain(settled ? !all : right));
}

/* a && b && c, a || b || c: what need not be known is not computed */
static tn_value joined(tn_evaluation *e, const char *sign)
{
    const bool all = sign[0] == '&';
    tn_value value = all ? chain(e, 0) : joined(e, "&&");
    size_t at = e->at;
    while (!e->failed && tn_take(e, sign)) {
        const bool left = truth(e, at, sign, &value);
        const bool settled = value.from == 0 && left != all;
        e->idle += settled;
        const tn_value pair[2] = {value, all ? chain(e, 0) : joined(e, "&&")};
        value = join(e, at, sign, settled, pair);
        e->idle -= settled;
        at = e->at;
    }
    return value;
}

/* Both ways count while what chooses is not known. */
static tn_value choose(tn_evaluation *e, size_t at, const tn_value all[3])
{
    tn_value value = all[1];
    if (e->failed || !tn_same_kind(e, at, ":", &all[1], &all[2], &value.dimension)) {
        return tn_plain(0.0);
    }
    if (value.count != 1) {
        tn_mistake(e, at, "its parts are .x, .y and .z", "a choice between vectors that changes");
    }
    return tn_note(e, at, TN_TAPE_CHOICE, all, 3, value);
}

tn_value tn_choice(tn_evaluation *e)
{
    if (e->depth == TN_DEEPEST_FORMULA) {
        tn_mistake(e, e->at, NULL, "nested too deeply");
        return tn_plain(0.0);
    }
    e->depth++;
    tn_value value = joined(e, "||");
    const size_t at = e->at;
    if (!e->failed && tn_take(e, "?")) {
        const bool yes = truth(e, at, "?", &value), known = value.from == 0;
        e->idle += known && !yes;
        const tn_value first = tn_choice(e);
        e->idle += known ? yes - !yes : 0;
        tn_expect(e, ":");
        const tn_value second = tn_choice(e);
        e->idle -= known && yes;
        value = !known ? choose(e, at, (const tn_value[3]){value, first, second})
                : yes  ? first
                       : second;
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
    *out = tn_choice(&e);
    tn_skip_spaces(&e);
    if (!e.failed && text[e.at] != '\0') {
        const char found = text[e.at];
        tn_mistake(&e, e.at, strncmp(text + e.at, "**", 2) == 0 ? "a power is written a^b" : NULL,
                   (unsigned char)found < 0x80 ? "'%c' is too much here" : "this is too much here",
                   found);
    }
    return !e.failed;
}
