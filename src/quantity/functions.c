/* functions.c: the functions of formulas, one row of a table each (expression.h).
 *
 * A row says what the arguments are and what comes out; the code only computes.
 */
#include <math.h>
#include <string.h>

#include "real/real.h"
#include "quantity/evaluation.h"

/* Of what is an angle: none where nothing has a dimension. */
static tn_dimension angle_of(const tn_evaluation *e)
{
    return (tn_dimension){{[TN_ANGLE] = e->names->bare ? 0 : TN_WHOLE}};
}

/* What the arguments must be, and the dimension of the result. */
typedef enum rule {
    OF_ANGLE,  /* an angle; a plain number comes out */
    TO_ANGLE,  /* a plain number; an angle comes out */
    PLAIN,     /* plain numbers in and out */
    LIKE,      /* all of one kind, which comes out */
    RATIO,     /* two of one kind; an angle comes out */
    ANY_PLAIN, /* anything; a plain number comes out */
    OWN        /* the function sees to it */
} rule;

typedef struct function {
    const char *name;
    rule rule;
    int32_t least, most; /* arguments */
    tn_value (*compute)(tn_evaluation *e, size_t at, const tn_value *a, int32_t count);
    tn_tape_op op; /* of what changes: what it is on a tape; TN_TAPE_NONE: it takes vectors */
    const char *summary;
} function;

/* A function of one number. */
#define OF_NUMBER(word, call)                                                                      \
    static tn_value word(tn_evaluation *e, size_t at, const tn_value *a, int32_t count)            \
    {                                                                                              \
        (void)e;                                                                                   \
        (void)at;                                                                                  \
        (void)count;                                                                               \
        return tn_plain(call(a[0].v[0]));                                                          \
    }

OF_NUMBER(f_sin, tn_sin)
OF_NUMBER(f_cos, tn_cos)
OF_NUMBER(f_tan, tn_tan)
OF_NUMBER(f_asin, tn_asin)
OF_NUMBER(f_acos, tn_acos)
OF_NUMBER(f_atan, tn_atan)
OF_NUMBER(f_sinh, tn_sinh)
OF_NUMBER(f_cosh, tn_cosh)
OF_NUMBER(f_tanh, tn_tanh)
OF_NUMBER(f_exp, tn_exp)
OF_NUMBER(f_ln, tn_log)
OF_NUMBER(f_log10, tn_log10)
OF_NUMBER(f_abs, fabs)
OF_NUMBER(f_floor, floor)
OF_NUMBER(f_ceil, ceil)
OF_NUMBER(f_round, round)

static tn_value f_sign(tn_evaluation *e, size_t at, const tn_value *a, int32_t count)
{
    (void)e;
    (void)at;
    (void)count;
    return tn_plain((a[0].v[0] > 0.0) - (a[0].v[0] < 0.0));
}

static tn_value f_atan2(tn_evaluation *e, size_t at, const tn_value *a, int32_t count)
{
    (void)e;
    (void)at;
    (void)count;
    return tn_plain(tn_atan2(a[0].v[0], a[1].v[0]));
}

static tn_value f_hypot(tn_evaluation *e, size_t at, const tn_value *a, int32_t count)
{
    (void)e;
    (void)at;
    (void)count;
    return tn_plain(tn_hypot(a[0].v[0], a[1].v[0]));
}

static tn_value f_min(tn_evaluation *e, size_t at, const tn_value *a, int32_t count)
{
    (void)e;
    (void)at;
    double least = a[0].v[0];
    for (int32_t i = 1; i < count; i++) {
        least = fmin(least, a[i].v[0]);
    }
    return tn_plain(least);
}

static tn_value f_max(tn_evaluation *e, size_t at, const tn_value *a, int32_t count)
{
    (void)e;
    (void)at;
    double most = a[0].v[0];
    for (int32_t i = 1; i < count; i++) {
        most = fmax(most, a[i].v[0]);
    }
    return tn_plain(most);
}

static tn_value f_sqrt(tn_evaluation *e, size_t at, const tn_value *a, int32_t count)
{
    (void)count;
    tn_value root = tn_plain(sqrt(a[0].v[0]));
    if (!tn_want_number(e, at, "sqrt", &a[0]) ||
        !tn_dimension_power(a[0].dimension, 0.5, &root.dimension)) {
        return tn_plain(0.0);
    }
    return root;
}

/* vectors -------------------------------------------------------------------------------------- */

static bool want_vector(tn_evaluation *e, size_t at, const char *what, const tn_value *a)
{
    if (a->count == 1) {
        tn_fault(e, at, NULL, "'%s' takes a vector, not a number", what);
    }
    return a->count > 1;
}

static double length_of(const tn_value *a)
{
    return tn_hypot(tn_hypot(a->v[0], a->v[1]), a->v[2]);
}

static tn_value f_norm(tn_evaluation *e, size_t at, const tn_value *a, int32_t count)
{
    (void)count;
    tn_value norm = tn_plain(length_of(a));
    norm.dimension = a[0].dimension;
    return want_vector(e, at, "norm", a) ? norm : tn_plain(0.0);
}

static tn_value f_unit(tn_evaluation *e, size_t at, const tn_value *a, int32_t count)
{
    (void)count;
    const double length = length_of(a);
    if (!want_vector(e, at, "unit", a)) {
        return tn_plain(0.0);
    }
    if (length == 0.0 && tn_no_value(e, at, "'unit' of a vector without length")) {
        return tn_plain(0.0);
    }
    return (tn_value){.v = {a->v[0] / length, a->v[1] / length, a->v[2] / length},
                      .count = a->count};
}

static tn_value f_direction(tn_evaluation *e, size_t at, const tn_value *a, int32_t count)
{
    (void)count;
    tn_value turn = tn_plain(tn_atan2(a->v[1], a->v[0]));
    turn.dimension = angle_of(e);
    return want_vector(e, at, "direction", a) ? turn : tn_plain(0.0);
}

static tn_value f_dot(tn_evaluation *e, size_t at, const tn_value *a, int32_t count)
{
    (void)count;
    tn_value dot = {.count = 1};
    if (!want_vector(e, at, "dot", &a[0]) || !want_vector(e, at, "dot", &a[1]) ||
        !tn_dimension_add(a[0].dimension, a[1].dimension, 1, &dot.dimension)) {
        return tn_plain(0.0);
    }
    dot.v[0] = a[0].v[0] * a[1].v[0] + a[0].v[1] * a[1].v[1] + a[0].v[2] * a[1].v[2];
    return dot;
}

static tn_value f_cross(tn_evaluation *e, size_t at, const tn_value *a, int32_t count)
{
    (void)count;
    tn_value cross = {.count = 3};
    if (!want_vector(e, at, "cross", &a[0]) || !want_vector(e, at, "cross", &a[1]) ||
        !tn_dimension_add(a[0].dimension, a[1].dimension, 1, &cross.dimension)) {
        return tn_plain(0.0);
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        cross.v[i] = a[0].v[j] * a[1].v[k] - a[0].v[k] * a[1].v[j];
    }
    return cross;
}

/* An angle as a number in rad; plain ones only where the file counts in rad. */
static bool want_angle(tn_evaluation *e, size_t at, const char *what, const tn_value *a)
{
    char name[TN_DIMENSION_TEXT];
    const int16_t *exponent = a->dimension.exponent;
    if (!tn_want_number(e, at, what, a)) {
        return false;
    }
    if (exponent[TN_LENGTH] != 0 || exponent[TN_MASS] != 0 || exponent[TN_TIME] != 0) {
        tn_fault(e, at, NULL, "'%s' takes an angle, not %s", what,
                 tn_dimension_noun(a->dimension, name));
        return false;
    }
    if (exponent[TN_ANGLE] == 0 && !e->names->plain_is_rad && (a->v[0] != 0.0 || a->from > 0)) {
        tn_fault(e, at, "30 deg or 0.5 rad, where the file says 'angle: deg'",
                 "'%s' takes an angle, not a plain number", what);
        return false;
    }
    return true;
}

static tn_value f_turn(tn_evaluation *e, size_t at, const tn_value *a, int32_t count)
{
    (void)count;
    if (!want_vector(e, at, "turn", &a[0]) || !want_angle(e, at, "turn", &a[1])) {
        return tn_plain(0.0);
    }
    const double c = tn_cos(a[1].v[0]), s = tn_sin(a[1].v[0]);
    tn_value turned = a[0];
    turned.v[0] = c * a[0].v[0] - s * a[0].v[1];
    turned.v[1] = s * a[0].v[0] + c * a[0].v[1];
    return turned;
}

/* The point at distance r from p and s from q, to the left of the way from p to q, or to the right
 * for a negative side:
 * with d = |q - p|, x = (r^2 - s^2 + d^2) / (2 d) along and y = sqrt(r^2 - x^2) across. */
static tn_value f_meet(tn_evaluation *e, size_t at, const tn_value *a, int32_t count)
{
    const double side = count == 5 && a[4].v[0] < 0.0 ? -1.0 : 1.0;
    tn_dimension place, common;
    const tn_value *p = &a[0], *q = &a[2];
    if (!want_vector(e, at, "meet", p) || !want_vector(e, at, "meet", q) ||
        !tn_want_number(e, at, "meet", &a[1]) || !tn_want_number(e, at, "meet", &a[3]) ||
        (count == 5 && !tn_want_number(e, at, "meet", &a[4])) ||
        !tn_same_kind(e, at, "meet", p, q, &place) ||
        !tn_same_kind(e, at, "meet", &a[1], &a[3], &common)) {
        return tn_plain(0.0);
    }
    const tn_value along = {.count = 1, .dimension = place};
    if (!tn_same_kind(e, at, "meet", &a[1], &along, &common)) {
        return tn_plain(0.0);
    }
    const double r = a[1].v[0], s = a[3].v[0];
    const double dx = q->v[0] - p->v[0], dy = q->v[1] - p->v[1], d = tn_hypot(dx, dy);
    const double x = (r * r - s * s + d * d) / (2.0 * d);
    if ((!(d > 0.0) || !(r * r >= x * x)) && !e->names->changing) {
        tn_fault(e, at, NULL, "circles of %.6g and %.6g about points %.6g apart do not meet", r, s,
                 d);
        return tn_plain(0.0);
    }
    const double y = side * sqrt(r * r - x * x);
    tn_value point = *p;
    point.dimension = place;
    point.v[0] = p->v[0] + (x * dx - y * dy) / d;
    point.v[1] = p->v[1] + (x * dy + y * dx) / d;
    return point;
}

static const function functions[] = {
    {"sin", OF_ANGLE, 1, 1, f_sin, TN_TAPE_SIN, "sine of an angle"},
    {"cos", OF_ANGLE, 1, 1, f_cos, TN_TAPE_COS, "cosine of an angle"},
    {"tan", OF_ANGLE, 1, 1, f_tan, TN_TAPE_TAN, "tangent of an angle"},
    {"asin", TO_ANGLE, 1, 1, f_asin, TN_TAPE_ASIN, "angle of a sine"},
    {"acos", TO_ANGLE, 1, 1, f_acos, TN_TAPE_ACOS, "angle of a cosine"},
    {"atan", TO_ANGLE, 1, 1, f_atan, TN_TAPE_ATAN, "angle of a tangent"},
    {"atan2", RATIO, 2, 2, f_atan2, TN_TAPE_ATAN2, "angle of the point (x, y), as atan2(y, x)"},
    {"hypot", LIKE, 2, 2, f_hypot, TN_TAPE_HYPOT, "square root of a^2 + b^2"},
    {"sqrt", OWN, 1, 1, f_sqrt, TN_TAPE_ROOT, "square root"},
    {"abs", LIKE, 1, 1, f_abs, TN_TAPE_ABS, "size without sign"},
    {"sign", ANY_PLAIN, 1, 1, f_sign, TN_TAPE_SIGN, "-1, 0 or 1"},
    {"min", LIKE, 1, TN_MAX_ARGUMENTS, f_min, TN_TAPE_MIN, "the least"},
    {"max", LIKE, 1, TN_MAX_ARGUMENTS, f_max, TN_TAPE_MAX, "the greatest"},
    {"floor", PLAIN, 1, 1, f_floor, TN_TAPE_FLOOR, "the whole number below"},
    {"ceil", PLAIN, 1, 1, f_ceil, TN_TAPE_CEIL, "the whole number above"},
    {"round", PLAIN, 1, 1, f_round, TN_TAPE_ROUND, "the nearest whole number, halves away from 0"},
    {"exp", PLAIN, 1, 1, f_exp, TN_TAPE_EXP, "e to a power"},
    {"ln", PLAIN, 1, 1, f_ln, TN_TAPE_LN, "natural logarithm"},
    {"log10", PLAIN, 1, 1, f_log10, TN_TAPE_LOG10, "decimal logarithm"},
    {"sinh", PLAIN, 1, 1, f_sinh, TN_TAPE_SINH, "hyperbolic sine"},
    {"cosh", PLAIN, 1, 1, f_cosh, TN_TAPE_COSH, "hyperbolic cosine"},
    {"tanh", PLAIN, 1, 1, f_tanh, TN_TAPE_TANH, "hyperbolic tangent"},
    {"norm", OWN, 1, 1, f_norm, TN_TAPE_NONE, "length of a vector"},
    {"unit", OWN, 1, 1, f_unit, TN_TAPE_NONE, "vector of length 1 along a vector"},
    {"direction", OWN, 1, 1, f_direction, TN_TAPE_NONE, "angle of a vector from x towards y"},
    {"dot", OWN, 2, 2, f_dot, TN_TAPE_NONE, "scalar product"},
    {"cross", OWN, 2, 2, f_cross, TN_TAPE_NONE, "vector product"},
    {"turn", OWN, 2, 2, f_turn, TN_TAPE_NONE, "vector turned about z by an angle"},
    {"meet", OWN, 4, 5, f_meet, TN_TAPE_NONE,
     "meet(p, r, q, s): the point r from p and s from q in the x-y plane, left of the way from p "
     "to q; meet(p, r, q, s, -1): right of it"},
};

const char *tn_expression_function(int32_t index, const char **summary)
{
    if (index < 0 || index >= (int32_t)TN_COUNT_OF(functions)) {
        return NULL;
    }
    if (summary != NULL) {
        *summary = functions[index].summary;
    }
    return functions[index].name;
}

int32_t tn_function_named(const char *name, size_t length)
{
    for (size_t i = 0; i < TN_COUNT_OF(functions); i++) {
        if (strlen(functions[i].name) == length && memcmp(functions[i].name, name, length) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

/* Whether one argument is what the rule wants; all but OWN take numbers. */
static bool want(tn_evaluation *e, size_t at, const function *f, const tn_value *a)
{
    if (f->rule == OWN) {
        return true;
    }
    if (f->rule == OF_ANGLE) {
        return want_angle(e, at, f->name, a);
    }
    const bool plain = f->rule == PLAIN || f->rule == TO_ANGLE;
    return tn_want_number(e, at, f->name, a) && (!plain || tn_want_plain(e, at, f->name, a));
}

/* Operands of one kind, by pairs: the kind is that of the first that is no plain 0. */
static bool are_alike(tn_evaluation *e, size_t at, const function *f, const tn_value *arguments,
                      int32_t count, tn_dimension *common)
{
    for (int32_t i = 1; i < count; i++) {
        const tn_value before = {.v = {1.0}, .count = 1, .dimension = *common};
        if (!tn_same_kind(e, at, f->name, i == 1 ? &arguments[0] : &before, &arguments[i],
                          common)) {
            return false;
        }
    }
    return true;
}

static bool are_fit(tn_evaluation *e, size_t at, const function *f, const tn_value *arguments,
                    int32_t count)
{
    if (count < f->least || count > f->most) {
        tn_mistake(e, at, NULL, "'%s' takes %d number%s, not %d", f->name,
                   (int)(count < f->least ? f->least : f->most), f->most == 1 ? "" : "s",
                   (int)count);
        return false;
    }
    for (int32_t i = 0; i < count; i++) {
        if (!want(e, at, f, &arguments[i])) {
            return false;
        }
    }
    return true;
}

static tn_value call(tn_evaluation *e, size_t at, const function *f, const tn_value *arguments,
                     int32_t count)
{
    tn_dimension common = count > 0 ? arguments[0].dimension : (tn_dimension){{0}};
    if (!are_fit(e, at, f, arguments, count) || ((f->rule == LIKE || f->rule == RATIO) &&
                                                 !are_alike(e, at, f, arguments, count, &common))) {
        return tn_plain(0.0);
    }
    tn_value result = f->compute(e, at, arguments, count);
    if (f->rule == TO_ANGLE || f->rule == RATIO) {
        result.dimension = angle_of(e);
    } else if (f->rule == LIKE) {
        result.dimension = common;
    }
    return tn_finite(e, at, f->name, result);
}

/* Of more than two, two at a time: min(a, b, c) is min(min(a, b), c). */
static tn_value note(tn_evaluation *e, size_t at, const function *f, const tn_value *arguments,
                     int32_t count, tn_value result)
{
    if (f->op == TN_TAPE_NONE) {
        tn_mistake(e, at, "give each component its own formula",
                   "'%s' of what changes in a function of one variable", f->name);
        return result;
    }
    if (f->most == 1 || count == 1) {
        return f->most == 1 ? tn_note(e, at, f->op, arguments, 1, result) : arguments[0];
    }
    tn_value so_far = arguments[0];
    for (int32_t i = 1; i < count; i++) {
        const double v = i + 1 < count && so_far.from == 0 && arguments[i].from == 0
                             ? f->compute(e, at, (const tn_value[2]){so_far, arguments[i]}, 2).v[0]
                             : result.v[0];
        const tn_value next = {.v = {v}, .count = 1, .dimension = result.dimension};
        so_far = tn_note(e, at, f->op, (const tn_value[2]){so_far, arguments[i]}, 2, next);
    }
    return so_far;
}

tn_value tn_call_function(tn_evaluation *e, size_t at, int32_t index, const tn_value *arguments,
                          int32_t count)
{
    const function *f = &functions[index];
    for (int32_t i = 0; i < count && i < TN_MAX_ARGUMENTS; i++) {
        e->open = e->open || arguments[i].from > 0;
    }
    tn_value result = call(e, at, f, arguments, count);
    if (e->open && !e->failed) {
        result = note(e, at, f, arguments, count, result);
    }
    e->open = false;
    return result;
}
