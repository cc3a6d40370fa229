/* number.c: numbers of the file: plain, with a unit, or by a formula (number.h). */
#include "io/reader/advice.h"
#include "io/reader/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/reader/scope.h"
#include "io/reader/table_io.h"
#include "quantity/expression.h"
#include "quantity/unit.h"

/* What alternatives of a unit are parted by. */
#define PARTED ", "

tn_measure tn_field_measure(const tn_reader *reader, const tn_field *field)
{
    const bool angle = (field->flags & TN_FIELD_ANGLE) != 0;
    const char *unit = field->measure != NULL ? field->measure
                       : field->unit != NULL  ? field->unit
                       : angle                ? "rad"
                                              : NULL;
    return (tn_measure){.unit = unit, .plain = angle ? reader->angle : 1.0};
}

/* what is wanted --------------------------------------------------------------------------------
 */

/* The part of "N/m, N m/rad" that the coordinate being read chooses, or part `index`. */
static bool take_alternative(const char *text, int32_t index, tn_dimension *out)
{
    for (; index > 0; index--) {
        text = strstr(text, PARTED);
        if (text == NULL) {
            return false;
        }
        text += strlen(PARTED);
    }
    size_t at = 0;
    tn_unit unit = {1.0, 1.0, {{0}}};
    const bool read = tn_unit_read(text, &at, &unit);
    TN_ASSERT(read);
    *out = unit.dimension;
    return read;
}

/* The alternatives that count now; none: only a direction matters. */
static int32_t wanted_dimensions(const tn_reader *reader, const tn_measure *measure,
                                 tn_dimension wanted[2])
{
    int32_t count = 0;
    wanted[0] = wanted[1] = (tn_dimension){{0}};
    if (measure->unit == NULL) {
        return 1;
    }
    if (strcmp(measure->unit, TN_DIRECTION) == 0) {
        return 0;
    }
    const int32_t chosen = (int32_t)reader->coordinate_kind - 1;
    if (chosen >= 0 && strstr(measure->unit, PARTED) != NULL) {
        count = take_alternative(measure->unit, chosen, &wanted[0]);
    }
    for (; count < 2 && chosen < 0 && take_alternative(measure->unit, count, &wanted[count]);) {
        count++;
    }
    if (count == 0) {
        count = take_alternative(measure->unit, 0, &wanted[0]);
    }
    tn_dimension per = {{0}};
    const bool divided = measure->per != NULL && measure->power != 0;
    if (divided) {
        const bool two = chosen > 0 && strstr(measure->per, PARTED) != NULL;
        take_alternative(measure->per, two ? chosen : 0, &per);
    }
    for (int32_t i = 0; divided && i < count; i++) {
        for (int32_t k = 0; k < measure->power; k++) {
            tn_dimension_add(wanted[i], per, -1, &wanted[i]);
        }
    }
    return count;
}

static void report_dimension(tn_reader *reader, int32_t node, const char *key,
                             const tn_dimension *wanted, int32_t count, const tn_value *value,
                             const char *hint)
{
    char a[TN_DIMENSION_TEXT], b[TN_DIMENSION_TEXT], c[TN_DIMENSION_TEXT];
    const char *text = tn_node_text(reader->tree, node);
    const char *is = text[0] == '=' ? "gives" : "is";
    const char *found = text[0] == '=' ? tn_dimension_noun(value->dimension, c)
                                       : tn_dimension_name(value->dimension, c);
    if (tn_dimension_is_plain(wanted[0])) {
        tn_problem(reader, node, hint, "'%s' is a plain number, '%.60s' %s %s", key, text, is,
                   found);
    } else if (count > 1) {
        tn_problem(reader, node, hint, "'%s' is in %s or %s, '%.60s' %s %s", key,
                   tn_dimension_unit(wanted[0], a), tn_dimension_unit(wanted[1], b), text, is,
                   found);
    } else {
        tn_problem(reader, node, hint, "'%s' is in %s, '%.60s' %s %s", key,
                   tn_dimension_unit(wanted[0], a), text, is, found);
    }
}

tn_dimension tn_measured_dimension(const tn_reader *reader, const tn_measure *measure)
{
    tn_dimension wanted[2];
    (void)wanted_dimensions(reader, measure, wanted);
    return wanted[0];
}

bool tn_measures(const tn_reader *reader, const tn_measure *measure, const tn_value *value)
{
    tn_dimension wanted[2];
    const int32_t count = wanted_dimensions(reader, measure, wanted);
    bool fits = count == 0 || tn_dimension_is_plain(value->dimension);
    for (int32_t i = 0; i < count; i++) {
        fits = fits || tn_dimension_fits(value->dimension, wanted[i]);
    }
    return fits;
}

void tn_report_measure(tn_reader *reader, int32_t node, const char *key, const tn_measure *measure,
                       const tn_value *value, const char *hint)
{
    tn_dimension wanted[2];
    const int32_t count = wanted_dimensions(reader, measure, wanted);
    report_dimension(reader, node, key, wanted, count, value, hint);
}

/* The numbers of a value in SI units, when it measures what is wanted. */
static bool take_value(tn_reader *reader, int32_t node, const char *key, const tn_measure *measure,
                       const tn_value *value, double *out)
{
    const bool plain = tn_dimension_is_plain(value->dimension);
    if (!tn_measures(reader, measure, value)) {
        const char *text = tn_node_text(reader->tree, node);
        tn_report_measure(reader, node, key, measure, value,
                          text[0] == '=' ? tn_expression_time_hint(text + 1) : NULL);
        return false;
    }
    for (int32_t i = 0; i < value->count; i++) {
        out[i] = plain ? value->v[i] * measure->plain : value->v[i];
    }
    return true;
}

/* what is there ----------------------------------------------------------------------------------
 */

static bool is_formula(const tn_reader *reader, int32_t node)
{
    return tn_get(reader, node)->kind == TN_NODE_SCALAR &&
           tn_node_text(reader->tree, node)[0] == '=';
}

/* The units that would do: of the dimension that is wanted, where single ones have it. */
static void report_unknown_unit(tn_reader *reader, int32_t node, const char *key, size_t at,
                                const tn_measure *measure, const char *name)
{
    char hint[TN_HINT_SIZE], unit[TN_DIMENSION_TEXT];
    tn_dimension wanted[2];
    const bool one =
        measure != NULL && measure->unit != NULL && wanted_dimensions(reader, measure, wanted) == 1;
    tn_suggestion meant = tn_unit_suggest(name, one ? &wanted[0] : NULL);
    if (meant.count > 0) {
        tn_suggestion_hint(&meant, TN_WHERE_UNITS, hint);
    } else {
        snprintf(hint, sizeof(hint), "'%s' is in %s; " TN_WHERE_UNITS " lists the units", key,
                 tn_dimension_unit(wanted[0], unit));
    }
    tn_problem_inside(reader, node, at, hint, "'%s': unknown unit '%s'", key, name);
}

/* "0.3/2": a formula that does not say so? */
static void report_no_unit(tn_reader *reader, int32_t node, const char *key, size_t at,
                           const tn_measure *measure)
{
    const char *text = tn_node_text(reader->tree, node);
    const size_t length = tn_name_length(text + at);
    char hint[TN_HINT_SIZE], name[TN_DESCRIPTION_SIZE];
    if (strcspn(text + at, "0123456789_") < length) { /* 0x10, 2_000: no unit was meant */
        tn_wrong_type(reader, node, key, "a number", NULL);
        return;
    }
    if (length == 0) {
        snprintf(hint, sizeof(hint), "a formula starts with '=': '=%.100s'", text);
        tn_problem_inside(reader, node, at, hint, "'%s' must be a number, not the text '%.40s'",
                          key, text);
        return;
    }
    snprintf(name, sizeof(name), "%.*s", (int)(length < 40 ? length : 40), text + at);
    report_unknown_unit(reader, node, key, at, measure, name);
}

static bool read_scalar(tn_reader *reader, int32_t node, const char *key, const tn_measure *measure,
                        tn_value *out)
{
    const tn_scalar scalar = tn_node_scalar(reader, node);
    char buffer[TN_DESCRIPTION_SIZE];
    size_t at = 0;
    switch (scalar.kind) {
    case TN_SCALAR_NUMBER:
        *out = tn_plain(scalar.number);
        return true;
    case TN_SCALAR_INFINITE:
    case TN_SCALAR_NAN:
    case TN_SCALAR_TOO_LARGE:
        tn_problem(reader, node, NULL, "'%s' must be a finite number, not %s", key,
                   tn_describe(reader, node, buffer));
        return false;
    case TN_SCALAR_TEXT:
        break;
    default:
        tn_wrong_type(reader, node, key, "a number", NULL);
        return false;
    }
    if (is_formula(reader, node)) {
        return tn_evaluate_formula(reader, node, 1, key, out);
    }
    const char *text = tn_node_text(reader->tree, node);
    const tn_quantity_form form = tn_quantity_read(text, &at, out);
    if (form == TN_QUANTITY_GOOD && isfinite(out->v[0])) {
        return true;
    }
    char hint[TN_HINT_SIZE];
    const char *advice = tn_advice_on_number(reader, node, hint);
    if (form == TN_QUANTITY_WRONG && text[at] != '\0' && advice == NULL) {
        report_no_unit(reader, node, key, at, measure);
    } else {
        tn_wrong_type(reader, node, key, "a number", advice);
    }
    return false;
}

/* [x, y, z] as a value of one dimension */
static bool read_list(tn_reader *reader, int32_t node, const char *key, tn_value *out)
{
    *out = (tn_value){.count = 0};
    TN_EACH(reader, node, child)
    {
        tn_value part;
        if (tn_get(reader, child)->kind != TN_NODE_SCALAR) {
            tn_wrong_type(reader, child, key, "a number", NULL);
            return false;
        }
        if (!read_scalar(reader, child, key, NULL, &part)) {
            return false;
        }
        const bool zero = part.count == 1 && part.v[0] == 0.0;
        const bool first = out->v[0] == 0.0 && out->v[1] == 0.0 &&
                           tn_dimension_is_plain(out->dimension); /* zeros fit everything */
        if (part.count != 1 ||
            (!first && !zero && !tn_dimension_fits(part.dimension, out->dimension))) {
            tn_problem(reader, child, NULL, "'%s': the numbers of a vector are of one kind", key);
            return false;
        }
        out->dimension = first ? part.dimension : out->dimension;
        out->v[out->count++] = part.v[0];
    }
    return true;
}

bool tn_read_value(tn_reader *reader, int32_t node, const char *key, tn_value *out)
{
    const tn_node *n = tn_get(reader, node);
    if (n->kind == TN_NODE_SCALAR) {
        return read_scalar(reader, node, key, NULL, out);
    }
    if (n->kind == TN_NODE_SEQUENCE && (n->count == 2 || n->count == 3)) {
        return read_list(reader, node, key, out);
    }
    tn_wrong_type(reader, node, key, "a number or a list of two or three", NULL);
    return false;
}

/* numbers of a measure --------------------------------------------------------------------------
 */

int tn_read_quantity(tn_reader *reader, int32_t node, const char *key, tn_measure measure,
                     double *value)
{
    const tn_scalar scalar = tn_node_scalar(reader, node);
    tn_value found;
    if (scalar.kind == TN_SCALAR_NUMBER) { /* most of them */
        *value = scalar.number * measure.plain;
        return 1;
    }
    if (tn_get(reader, node)->kind != TN_NODE_SCALAR) {
        tn_wrong_type(reader, node, key, "a number", NULL);
        return 0;
    }
    if (!read_scalar(reader, node, key, &measure, &found)) {
        return 0;
    }
    if (found.count != 1) {
        tn_problem(reader, node, "its parts are .x, .y and .z",
                   "'%s' must be a number, not a vector", key);
        return 0;
    }
    double number = 0.0;
    if (!take_value(reader, node, key, &measure, &found, &number)) {
        return 0;
    }
    *value = number;
    return 1;
}

int tn_read_number(tn_reader *reader, int32_t node, const char *key, double *value)
{
    return tn_read_quantity(reader, node, key, tn_measure_of(NULL), value);
}

int32_t tn_vector_size(tn_reader *reader, int32_t node)
{
    const tn_node *n = tn_get(reader, node);
    if (n->kind == TN_NODE_SEQUENCE) {
        return n->count;
    }
    tn_value value;
    const bool known = is_formula(reader, node) && tn_try_formula(reader, node, 1, &value);
    return known && value.count > 1 ? value.count : 0;
}

/* A formula for all numbers of a list. */
static int read_vector(tn_reader *reader, int32_t node, const char *key, const tn_measure *measure,
                       int32_t count, double *values)
{
    tn_value found;
    if (!read_scalar(reader, node, key, measure, &found)) {
        return 0;
    }
    if (found.count != count) {
        char is[32] = "a number";
        if (found.count > 1) {
            snprintf(is, sizeof(is), "a vector of %d", (int)found.count);
        }
        tn_problem(reader, node, NULL, "'%s' must be a list of %d numbers, not %s", key, (int)count,
                   is);
        return 0;
    }
    return take_value(reader, node, key, measure, &found, values);
}

static int read_all(tn_reader *reader, int32_t node, const char *key, const tn_measure *measures,
                    int32_t stride, int32_t count, double *values)
{
    if (stride == 0 && is_formula(reader, node)) {
        return read_vector(reader, node, key, measures, count, values);
    }
    char hint[TN_HINT_SIZE];
    if (tn_get(reader, node)->kind != TN_NODE_SEQUENCE) {
        tn_wrong_type(reader, node, key, "a list", tn_advice_on_vector(reader, node, count, hint));
        return 0;
    }
    if (tn_get(reader, node)->count != count) {
        tn_problem(reader, node, NULL, "'%s' must be a list of %d numbers, not of %d", key,
                   (int)count, (int)tn_get(reader, node)->count);
        return 0;
    }
    int ok = 1;
    int32_t i = 0;
    TN_EACH(reader, node, child)
    {
        ok &= tn_read_quantity(reader, child, key, measures[(ptrdiff_t)stride * i], &values[i]);
        i++;
    }
    return ok;
}

int tn_read_quantities(tn_reader *reader, int32_t node, const char *key, tn_measure measure,
                       int32_t count, double *values)
{
    return read_all(reader, node, key, &measure, 0, count, values);
}

int tn_read_mixed(tn_reader *reader, int32_t node, const char *key, const tn_measure *measures,
                  int32_t count, double *values)
{
    return read_all(reader, node, key, measures, 1, count, values);
}

int tn_read_numbers(tn_reader *reader, int32_t node, const char *key, int32_t count, double *values)
{
    return tn_read_quantities(reader, node, key, tn_measure_of(NULL), count, values);
}

/* The only place where infinity is allowed. */
static int read_bound(tn_reader *reader, int32_t node, const char *key, tn_measure measure,
                      double *value)
{
    const tn_scalar scalar = tn_node_scalar(reader, node);
    if (scalar.kind == TN_SCALAR_INFINITE) {
        *value = scalar.number;
        return 1;
    }
    return tn_read_quantity(reader, node, key, measure, value);
}

int tn_read_bounds(tn_reader *reader, int32_t node, const char *key, tn_measure measure,
                   double bounds[2])
{
    if (!tn_want_sequence(reader, node, key)) {
        return 0;
    }
    if (tn_get(reader, node)->count != 2) {
        tn_problem(reader, node, NULL, "'%s' must be [lower, upper], not a list of %d", key,
                   (int)tn_get(reader, node)->count);
        return 0;
    }
    int ok = 1;
    int32_t i = 0;
    TN_EACH(reader, node, child)
    {
        ok &= read_bound(reader, child, key, measure, &bounds[i++]);
    }
    return ok;
}

void tn_schema_number(tn_json *json)
{
    tn_schema_reference(json, "number");
}
