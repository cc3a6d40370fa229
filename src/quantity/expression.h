/* expression.h: formulas over quantities: "0.3*length", "90 deg*index", "k > 0 ? crank : base".
 *
 * Room quantity. In: a text and a way to look names up. Out: a value with its dimension, or what is
 * wrong and where. Every sum, comparison and function checks dimensions, so a length is never added
 * to a mass; nothing that is not finite comes out, unless names stand for what changes.
 *
 *     or      and || and      comparison && comparison
 *     a < b   <= > >= == !=   1 or 0
 *     a ? b : c               the way not taken may divide by zero
 *     + - * / % ^             % leaves what has the sign of the divisor; ^ groups to the right
 *     12 N m, 3 rpm           a unit behind a number; elsewhere a name that nothing else has
 *     [x, y, z]  v.x  v[1]    vectors of two or three; numbers of a vector or list
 *     sin(a), min(a, b, ...)  functions.c has the list
 */
#ifndef TN_QUANTITY_EXPRESSION_H
#define TN_QUANTITY_EXPRESSION_H

#include "base/suggest.h"
#include "quantity/quantity.h"
#include "quantity/tape.h"

typedef enum tn_name_answer {
    TN_NAME_UNKNOWN,
    TN_NAME_KNOWN,
    TN_NAME_BROKEN /* known, but without a value, which has been reported */
} tn_name_answer;

/* Where names come from. A name may be a path, leg[3].knee. */
typedef struct tn_name_source {
    /* A list of more than a vector has is known with count 0 and its length in v[0]; what is in it
     * has the names list[0], list[1], ... */
    tn_name_answer (*find)(void *context, const char *name, size_t length, tn_value *out);
    /* Offers the known names. NULL: nothing is suggested. */
    void (*offer)(void *context, tn_suggestion *suggestion);
    void *context;
    bool plain_is_rad; /* whether sin() takes a plain number, as rad */
    /* Names stand for what changes: values may be infinite or NaN, only dimensions are checked. */
    bool changing;
    bool only_writing; /* neither values nor dimensions are checked */
    bool bare;         /* units are the numbers they are in SI units, and nothing has a dimension */
    /* What comes from a variable (tn_tape_variable) is noted here, step by step; what does not is checked as usual. NULL: there
     * is no variable. */
    tn_tape *tape;
    bool *with_units; /* set where the formula says a unit; NULL: not needed */
} tn_name_source;

#define TN_EXPRESSION_TEXT 200
typedef struct tn_expression_problem {
    size_t at;                        /* byte of the text */
    char message[TN_EXPRESSION_TEXT]; /* empty: a broken name, which has been reported */
    char hint[TN_HINT_SIZE];          /* empty: none */
    bool lacks_unit;                  /* of a plain number beside what has a unit */
} tn_expression_problem;

/* The value of a formula; false: *problem says why there is none. */
TN_SIBLING bool tn_expression_evaluate(const char *text, const tn_name_source *names, tn_value *out,
                                       tn_expression_problem *problem);

/* For a formula that comes to the wrong kind of quantity: what 't' is where it is no time. NULL: it has none. */
TN_SIBLING const char *tn_expression_time_hint(const char *text);

/* v.x and v[1] are parts of v: bytes of v's own name in a path; 0: it is no part of anything. */
TN_SIBLING size_t tn_part_owner(const char *path, size_t length);

/* The functions, for help and suggestions: name and what it is; NULL after the last one. */
TN_SIBLING const char *tn_expression_function(int32_t index, const char **summary);

#endif
