/* function.c: room math/function: scalar functions and their first two derivatives.
 *
 * In: a definition. Out: f, f', f'' at any x. Each kind is one row of a table: how it is checked
 * and how it is evaluated.
 *
 * The spline through (x_i, y_i) has continuous curvatures m_i, zero at both ends:
 *     h_i-1 m_i-1 + 2 (h_i-1 + h_i) m_i + h_i m_i+1 = 6 (s_i - s_i-1),   s_i = (y_i+1 - y_i) / h_i
 * which is diagonally dominant and solved by elimination (Press et al., Numerical Recipes, 3.3).
 */
#include "real/real.h"
#include "math/function/function.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "base/hash.h"

int32_t tn_function_piece(const tn_function_def *def, double x)
{
    int32_t low = 0, high = def->count / 2 - 1;
    while (high - low > 1) {
        const int32_t middle = (low + high) / 2;
        if (x < def->numbers[2 * middle]) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return low;
}

static void constant(const tn_function *f, double x, double out[3])
{
    (void)x;
    out[0] = f->def.numbers[0];
    out[1] = 0.0;
    out[2] = 0.0;
}

/* Horner's rule for the value and both derivatives at once. */
static void polynomial(const tn_function *f, double x, double out[3])
{
    double value = 0.0, slope = 0.0, half_curvature = 0.0;
    for (int32_t i = f->def.count - 1; i >= 0; i--) {
        half_curvature = half_curvature * x + slope;
        slope = slope * x + value;
        value = value * x + f->def.numbers[i];
    }
    out[0] = value;
    out[1] = slope;
    out[2] = 2.0 * half_curvature;
}

static void sine(const tn_function *f, double x, double out[3])
{
    const double *n = f->def.numbers;
    const double amplitude = n[0], rate = n[1], angle = n[1] * x + n[2];
    out[0] = n[3] + amplitude * tn_sin(angle);
    out[1] = amplitude * rate * tn_cos(angle);
    out[2] = -amplitude * rate * rate * tn_sin(angle);
}

/* s^3 (10 - 15 s + 6 s^2), s in 0 .. 1: slope and curvature vanish at both ends. */
static void step(const tn_function *f, double x, double out[3])
{
    const double *n = f->def.numbers;
    const double width = n[2] - n[0], rise = n[3] - n[1];
    const double s = fmin(fmax((x - n[0]) / width, 0.0), 1.0);
    out[0] = n[1] + rise * (s * s * s * (10.0 + s * (6.0 * s - 15.0)));
    out[1] = rise / width * (30.0 * s * s * (1.0 - s) * (1.0 - s));
    out[2] = rise / (width * width) * (60.0 * s * (1.0 - s) * (1.0 - 2.0 * s));
}

static void table(const tn_function *f, double x, double out[3])
{
    const double *p = f->def.numbers + 2 * tn_function_piece(&f->def, x);
    out[1] = (p[3] - p[1]) / (p[2] - p[0]);
    out[0] = p[1] + (x - p[0]) * out[1];
    out[2] = 0.0;
}

/* The cubic on [x0, x1] with ends y0, y1 and curvatures m0, m1; beyond the ends its tangent. */
static void spline(const tn_function *f, double x, double out[3])
{
    const int32_t piece = tn_function_piece(&f->def, x);
    const double *p = f->def.numbers + 2 * piece, *m = f->curvature + piece;
    const double h = p[2] - p[0], inside = fmin(fmax(x, p[0]), p[2]);
    const double a = (p[2] - inside) / h, b = (inside - p[0]) / h;
    const double value =
        a * p[1] + b * p[3] + h * h / 6.0 * ((a * a * a - a) * m[0] + (b * b * b - b) * m[1]);
    out[1] =
        (p[3] - p[1]) / h + h / 6.0 * ((3.0 * b * b - 1.0) * m[1] - (3.0 * a * a - 1.0) * m[0]);
    out[0] = value + (x - inside) * out[1];
    out[2] = x == inside ? a * m[0] + b * m[1] : 0.0;
}

static void formula(const tn_function *f, double x, double out[3])
{
    tn_formula_evaluate(f->formula, x, out);
}

static void callback(const tn_function *f, double x, double out[3])
{
    out[0] = out[1] = out[2] = NAN; /* what is not written is no value */
    tn_callback_begin();
    f->def.callback(f->def.context, x, out);
    tn_callback_end();
}

/* What is wrong with the numbers of each kind. */

static const char *check_points(const tn_function_def *def)
{
    if (def->count < 4)
        return "needs two points at least";
    for (int32_t i = 2; i < def->count; i += 2) {
        if (!(def->numbers[i] > def->numbers[i - 2]))
            return "needs points with increasing x";
    }
    return NULL;
}

static const char *check_step(const tn_function_def *def)
{
    return def->numbers[2] > def->numbers[0] ? NULL : "needs x0 < x1";
}

static const char *check_formula(const tn_function_def *def)
{
    tn_expression_problem problem;
    if (!def->formula)
        return "needs a formula";
    return tn_formula_problem(def->formula, '\0', &problem) ? "has a formula without a meaning"
                                                            : NULL;
}

static const char *check_nothing(const tn_function_def *def)
{
    (void)def;
    return NULL;
}

typedef struct function_info {
    const char *name;
    int32_t numbers, group; /* as in TN_FUNCTION_LIST */
    const char *text;
} function_info;

static const function_info infos[TN_FUNCTION_KIND_COUNT] = {
#define TN_FUNCTION_INFO(kind, name, numbers, group, text) [kind] = {name, numbers, group, text},
    TN_FUNCTION_LIST(TN_FUNCTION_INFO)
#undef TN_FUNCTION_INFO
};

typedef struct function_class {
    void (*evaluate)(const tn_function *f, double x, double out[3]);
    const char *(*check)(const tn_function_def *def);
} function_class;

static const function_class classes[TN_FUNCTION_KIND_COUNT] = {
    [TN_FUNCTION_CONSTANT] = {constant, check_nothing},
    [TN_FUNCTION_POLYNOMIAL] = {polynomial, check_nothing},
    [TN_FUNCTION_SINE] = {sine, check_nothing},
    [TN_FUNCTION_STEP] = {step, check_step},
    [TN_FUNCTION_TABLE] = {table, check_points},
    [TN_FUNCTION_SPLINE] = {spline, check_points},
    [TN_FUNCTION_FORMULA] = {formula, check_formula},
    [TN_FUNCTION_CALLBACK] = {callback, check_nothing},
};

const char *tn_function_kind_name(tn_function_kind kind)
{
    return kind >= 0 && kind < TN_FUNCTION_KIND_COUNT ? infos[kind].name : NULL;
}

const char *tn_function_kind_text(tn_function_kind kind)
{
    return kind >= 0 && kind < TN_FUNCTION_KIND_COUNT ? infos[kind].text : NULL;
}

tn_status tn_function_kind_find(const char *name, tn_function_kind *out)
{
    TN_DEMAND(name && out, TN_ERROR_ARGUMENT);
    for (int i = 0; i < TN_FUNCTION_KIND_COUNT; i++) {
        if (infos[i].name && strcmp(infos[i].name, name) == 0) {
            *out = (tn_function_kind)i;
            return TN_OK;
        }
    }
    return TN_ERROR_NOT_FOUND;
}

static const char *check_count(const tn_function_def *def)
{
    const function_info *info = &infos[def->kind];
    if (info->numbers > 0 && def->count != info->numbers)
        return info->numbers == 1 ? "needs one number" : "needs four numbers";
    if (def->count <= 0)
        return "needs numbers";
    return def->count % info->group == 0 ? NULL : "needs pairs of numbers";
}

const char *tn_function_problem(const tn_function_def *def)
{
    TN_DEMAND(def, "");
    if (def->kind == TN_FUNCTION_NONE)
        return NULL;
    if (def->kind < 0 || def->kind >= TN_FUNCTION_KIND_COUNT)
        return "is of no known kind";
    if (def->kind == TN_FUNCTION_CALLBACK)
        return def->callback ? NULL : "has no callback";
    if (def->bounded && infos[def->kind].group != 2)
        return "is bounded, which only tables and splines are";
    if (def->kind == TN_FUNCTION_FORMULA)
        return classes[def->kind].check(def);
    if (!def->numbers)
        return "needs numbers";
    const char *problem = check_count(def);
    for (int32_t i = 0; !problem && i < def->count; i++) {
        if (!isfinite(def->numbers[i]))
            problem = "has a number that is not finite";
    }
    return problem ? problem : classes[def->kind].check(def);
}

const char *tn_function_explain(const tn_function_def *def, char variable,
                                char text[TN_FUNCTION_TEXT])
{
    tn_expression_problem in = {0};
    const char *problem = tn_function_problem(def);
    if (!def || def->kind != TN_FUNCTION_FORMULA || !def->formula ||
        !tn_formula_problem(def->formula, variable, &in))
        return problem;
    snprintf(text, TN_FUNCTION_TEXT, "has the formula '%.60s': %s", def->formula, in.message);
    return text;
}

/* A copy of the definition alone, its numbers in the arena. */
static tn_status copy_def(const tn_function_def *def, tn_arena *arena, tn_function_def *out)
{
    tn_function_def copy = *def;
    copy.numbers = NULL;
    if (def->count > 0 && def->numbers) {
        const size_t size = sizeof(double) * (size_t)def->count;
        double *numbers = tn_arena_alloc(arena, size);
        if (!numbers)
            return TN_ERROR_MEMORY;
        memcpy(numbers, def->numbers, size);
        copy.numbers = numbers;
    }
    *out = copy;
    return TN_OK;
}

void tn_function_convert(tn_function_kind kind, double *numbers, int32_t count, double x_unit,
                         double y_unit, double angle)
{
    switch (kind) {
    case TN_FUNCTION_POLYNOMIAL:
        for (int32_t i = 0; i < count; i++, y_unit /= x_unit)
            numbers[i] *= y_unit;
        break;
    case TN_FUNCTION_SINE:
        numbers[0] *= y_unit;
        numbers[1] *= angle / x_unit;
        numbers[2] *= angle;
        numbers[3] *= y_unit;
        break;
    case TN_FUNCTION_CONSTANT:
        numbers[0] *= y_unit;
        break;
    case TN_FUNCTION_FORMULA: /* has no numbers */
        break;
    default: /* points */
        for (int32_t i = 0; i < count; i++)
            numbers[i] *= i % 2 == 0 ? x_unit : y_unit;
        break;
    }
}

/* The curvatures of a spline: elimination downwards, then back. work[points]. */
static void find_curvatures(const double *p, int32_t points, double *m, double *work)
{
    m[0] = work[0] = m[points - 1] = 0.0;
    for (int32_t i = 1; i < points - 1; i++) {
        const double *q = p + 2 * i;
        const double before = q[0] - q[-2], after = q[2] - q[0];
        const double bend = (q[3] - q[1]) / after - (q[1] - q[-1]) / before;
        const double pivot = 2.0 * (before + after) - before * work[i - 1];
        work[i] = after / pivot;
        m[i] = (6.0 * bend - before * m[i - 1]) / pivot;
    }
    for (int32_t i = points - 2; i > 0; i--)
        m[i] -= work[i] * m[i + 1];
}

static tn_status make_formula(tn_arena *arena, tn_function *made)
{
    tn_expression_problem problem;
    tn_formula *own = tn_arena_alloc(arena, sizeof *own);
    if (!own)
        return TN_ERROR_MEMORY;
    const tn_status status = tn_formula_make(made->def.formula, arena, own, &problem);
    if (status == TN_OK) {
        made->def.formula = own->text;
        made->formula = own;
    }
    return status;
}

tn_status tn_function_make(const tn_function_def *def, tn_arena *arena, tn_function *out)
{
    tn_function made = {.curvature = NULL};
    tn_status status = copy_def(def, arena, &made.def);
    if (status == TN_OK && def->kind == TN_FUNCTION_FORMULA)
        status = make_formula(arena, &made);
    if (status != TN_OK)
        return status;
    if (infos[def->kind].group == 2 && made.def.numbers) {
        const int32_t points = def->count / 2;
        double *m = tn_arena_alloc(arena, 3 * sizeof(double) * (size_t)points);
        if (!m)
            return TN_ERROR_MEMORY;
        if (def->kind == TN_FUNCTION_SPLINE) {
            find_curvatures(made.def.numbers, points, m, m + points);
            made.curvature = m;
        }
        tn_function_sum_areas(&made.def, made.curvature, m + 2 * points);
        made.area = m + 2 * points;
    }
    *out = made;
    return TN_OK;
}

/* Of the width of a table: times that are sums of steps end as near as this to its ends. */
#define TN_SAME_END 1e-9

bool tn_function_ends_before(const tn_function *function, double x)
{
    const tn_function_def *def = &function->def;
    if (!def->bounded || infos[def->kind].group != 2)
        return false;
    const double first = def->numbers[0], last = def->numbers[def->count - 2];
    const double slack = TN_SAME_END * (last - first);
    return !(x >= first - slack && x <= last + slack);
}

void tn_function_evaluate(const tn_function *function, double x, double out[3])
{
    TN_ASSERT(function->def.kind != TN_FUNCTION_NONE);
    classes[function->def.kind].evaluate(function, x, out);
    if (tn_function_ends_before(function, x))
        out[0] = out[1] = out[2] = (double)NAN;
}

uint64_t tn_function_hash(uint64_t hash, const tn_function *function)
{
    const tn_function_def *def = &function->def;
    const int32_t parts[] = {(int32_t)def->kind, def->count, def->bounded};
    hash = tn_hash_bytes(hash, parts, sizeof parts);
    if (def->numbers)
        hash = tn_hash_bytes(hash, def->numbers, sizeof(double) * (size_t)def->count);
    const char *text = function->formula ? function->formula->text : "";
    return tn_hash_bytes(hash, text, strlen(text));
}
