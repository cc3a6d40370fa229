/* evaluation.h: what the parser, the names, the operators and the functions of formulas share.
 *
 * Room quantity, for expression.c, formula_names.c, operators.c and functions.c.
 */
#ifndef TN_QUANTITY_EVALUATION_H
#define TN_QUANTITY_EVALUATION_H

#include "quantity/expression.h"
#include "tenon/limits.h"

typedef struct tn_evaluation {
    const char *text;
    size_t at;
    int32_t depth;
    int32_t idle; /* > 0: in the way of a choice that is not taken */
    bool failed;
    bool open; /* what is worked out comes from a variable: its value is no matter */
    const tn_name_source *names;
    tn_expression_problem *problem;
} tn_evaluation;

/* The first problem counts. Wrong values in a way not taken are no problem (tn_fault), wrong
 * writing is (tn_mistake). */
void tn_mistake(tn_evaluation *e, size_t at, const char *hint, const char *format, ...)
    TN_PRINTF(4, 5);
void tn_fault(tn_evaluation *e, size_t at, const char *hint, const char *format, ...)
    TN_PRINTF(4, 5);

/* A value that is not to be had: true, and a fault, where values are checked. */
bool tn_no_value(tn_evaluation *e, size_t at, const char *message);

/* Takes a sign if it comes next, or demands that it does. */
bool tn_take(tn_evaluation *e, const char *sign);
void tn_expect(tn_evaluation *e, const char *sign);
void tn_skip_spaces(tn_evaluation *e);
/* A whole formula, from the weakest binding on. */
tn_value tn_choice(tn_evaluation *e);

/* A name in the order of its meanings: a function that is called, what the source knows (the whole
 * path, or a vector and its part), pi, a unit. */
tn_value tn_named(tn_evaluation *e);
/* Takes .x, .y, .z or [1] behind a vector, [1] behind a list; both are named, or start, there. */
tn_value tn_part(tn_evaluation *e, size_t start, tn_value vector);
/* 12 N m: names that follow a number or a unit directly are units too. */
tn_value tn_with_units(tn_evaluation *e, tn_value value);

/* Both sides measure the same; else the fault is "'+' of a length and a mass". A plain 0 fits everything. */
bool tn_same_kind(tn_evaluation *e, size_t at, const char *what, const tn_value *a,
                  const tn_value *b, tn_dimension *common);
bool tn_want_plain(tn_evaluation *e, size_t at, const char *what, const tn_value *a);
bool tn_want_number(tn_evaluation *e, size_t at, const char *what, const tn_value *a);
/* A value by an operation, noted where one of its operands comes from a variable. */
tn_value tn_note(tn_evaluation *e, size_t at, tn_tape_op op, const tn_value *operands,
                 int32_t count, tn_value result);
/* The value, all of it finite. */
tn_value tn_finite(tn_evaluation *e, size_t at, const char *what, tn_value a);

/* a sign b, for + - * / % and comparisons; sign is written as in a formula. */
tn_value tn_operate(tn_evaluation *e, size_t at, const char *sign, tn_value a, tn_value b);
tn_value tn_raise(tn_evaluation *e, size_t at, tn_value a, tn_value b);

/* Index of a function, -1 when there is none of this name. */
int32_t tn_function_named(const char *name, size_t length);
tn_value tn_call_function(tn_evaluation *e, size_t at, int32_t function, const tn_value *arguments,
                          int32_t count);

#endif
