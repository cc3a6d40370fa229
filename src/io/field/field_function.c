/* field_function.c: scalar functions (function_io.h).
 *
 * Room io/field. The kinds and how many numbers they take come from tenon/function.h.
 */
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "io/value/csv_points.h"
#include "io/value/function_formula.h"
#include "io/reader/frame.h"
#include "io/field/function_io.h"
#include "io/reader/table_io.h"
#include "math/function/function.h"

#define OUTSIDE  "outside"
#define REFUSE   "refuse"
#define STRAIGHT "straight"

#define CSV "csv" /* a kind that is read only: its points are a table or spline */

/* Nothing was said of what is beyond the ends: numbers in the model go on along straight lines, a
 * file of measurements says nothing there. */
#define BOUNDED_BY_KIND (-1)

#define FORMS "a number or a function such as {polynomial: [0, 1]} or =sin(t)"

/* Numbers behind those of a list: a sine that has too few is converted before it is refused. */
#define SPARE 4

/* How many numbers a list holds, pairs counted as two. */
static int32_t count_numbers(const tn_reader *reader, int32_t list)
{
    int32_t count = 0;
    TN_EACH(reader, list, child)
    {
        const tn_node *n = tn_get(reader, child);
        count += n->kind == TN_NODE_SEQUENCE ? n->count : 1;
    }
    return count;
}

/* What the numbers of a kind measure: number i of count, with SI per 1 of a plain one. */
static tn_measure number_measure(tn_function_kind kind, int32_t i, tn_measure x, tn_measure y,
                                 double plain)
{
    tn_measure measure = i % 2 == 0 ? x : y; /* points */
    if (kind == TN_FUNCTION_CONSTANT) {
        measure = y;
    } else if (kind == TN_FUNCTION_POLYNOMIAL) {
        measure = y;
        measure.per = x.unit;
        measure.power = i;
    } else if (kind == TN_FUNCTION_SINE) { /* amplitude, rate, phase, offset */
        measure = i == 1 || i == 2 ? tn_measure_of("rad") : y;
        measure.per = i == 1 ? x.unit : NULL;
        measure.power = 1;
    }
    measure.plain = plain;
    return measure;
}

/* SI per 1 of each number, as the library converts them. */
static void find_factors(const tn_reader *reader, tn_function_kind kind, int32_t count,
                         tn_measure x, tn_measure y, double *factors)
{
    const bool angles = x.plain != 1.0 || y.plain != 1.0;
    for (int32_t i = 0; i < count; i++) {
        factors[i] = 1.0;
    }
    tn_function_convert(kind, factors, count, x.plain, y.plain, angles ? reader->angle : 1.0);
}

/* The numbers of a kind: a list of numbers or of pairs; a constant may be a number alone. */
static int read_list(tn_reader *reader, int32_t node, const char *key, tn_measure x, tn_measure y,
                     tn_function_def *def)
{
    const bool alone = tn_get(reader, node)->kind == TN_NODE_SCALAR;
    if (tn_get(reader, node)->kind == TN_NODE_MAPPING &&
        tn_find_key(reader, node, "file") != TN_NO_NODE) {
        tn_problem(reader, node, "csv: {file: NAME, column: NAME}",
                   "'%s' is a list of numbers in a %s; columns of a file are a csv", key,
                   tn_function_kind_name(def->kind));
        return 0;
    }
    if (!alone && !tn_want_sequence(reader, node, key)) {
        return 0;
    }
    def->count = alone ? 1 : count_numbers(reader, node);
    double *numbers = tn_reader_alloc(reader, def->count + SPARE, sizeof(double));
    if (numbers == NULL) {
        return 0;
    }
    def->numbers = numbers;
    find_factors(reader, def->kind, def->count, x, y, numbers);
    if (alone) {
        return tn_read_quantity(reader, node, key, number_measure(def->kind, 0, x, y, numbers[0]),
                                numbers);
    }
    int ok = 1;
    int32_t i = 0;
    TN_EACH(reader, node, child)
    {
        const bool pair = tn_get(reader, child)->kind == TN_NODE_SEQUENCE;
        const tn_measure measures[2] = {number_measure(def->kind, i, x, y, numbers[i]),
                                        number_measure(def->kind, i + 1, x, y, numbers[i + pair])};
        ok = ok && (pair ? tn_read_mixed(reader, child, key, measures, 2, &numbers[i])
                         : tn_read_quantity(reader, child, key, measures[0], &numbers[i]));
        i += pair ? tn_get(reader, child)->count : 1;
    }
    return ok;
}

/* Numbers of a kind by name; a frequency stands for a rate. */
static const struct {
    tn_function_kind kind;
    const char *names[4];
    bool needed[4];
} named[] = {
    {TN_FUNCTION_SINE, {"amplitude", "rate", "phase", "offset"}, {true, true, false, false}},
    {TN_FUNCTION_STEP, {"x0", "y0", "x1", "y1"}, {true, true, true, true}},
};

#define FREQUENCY "frequency"
#define TURN      6.28318530717958648 /* rad */

static int find_named(tn_function_kind kind)
{
    for (size_t i = 0; i < TN_COUNT_OF(named); i++) {
        if (named[i].kind == kind) {
            return (int)i;
        }
    }
    return -1;
}

/* Index of a number's name, -1: none. *frequency: it is the rate, in turns. */
static int find_number(int which, const char *text, bool *frequency)
{
    *frequency = named[which].kind == TN_FUNCTION_SINE && strcmp(text, FREQUENCY) == 0;
    for (int i = 0; i < 4; i++) {
        if (strcmp(named[which].names[i], *frequency ? "rate" : text) == 0) {
            return i;
        }
    }
    return -1;
}

static void report_unknown_number(tn_reader *reader, int32_t key, int which)
{
    char hint[TN_HINT_SIZE];
    const char *const *names = named[which].names;
    snprintf(hint, sizeof(hint), "it has %s, %s, %s and %s", names[0], names[1], names[2],
             names[3]);
    tn_problem(reader, key, hint, "unknown number '%.60s' of a %s", tn_node_text(reader->tree, key),
               tn_function_kind_name(named[which].kind));
}

/* {amplitude: 20 deg, frequency: 2 Hz} */
static int read_named(tn_reader *reader, int32_t node, const char *key, tn_measure x, tn_measure y,
                      tn_function_def *def)
{
    const int which = find_named(def->kind);
    bool seen[4] = {false, false, false, false};
    double factors[4];
    double *numbers = tn_reader_alloc(reader, 4, sizeof(double));
    int ok = numbers != NULL;
    find_factors(reader, def->kind, 4, x, y, factors);
    for (int32_t k = tn_get(reader, node)->first; ok && k != TN_NO_NODE;
         k = tn_get(reader, tn_get(reader, k)->next)->next) {
        bool frequency = false;
        const int i = find_number(which, tn_node_text(reader->tree, k), &frequency);
        if (i < 0) {
            report_unknown_number(reader, k, which);
            return 0;
        }
        if (seen[i]) {
            tn_problem(reader, k, NULL, "'%s' is given twice", named[which].names[i]);
            return 0;
        }
        seen[i] = true;
        const tn_measure turns = {.unit = "1", .per = x.unit, .power = 1, .plain = 1.0 / x.plain};
        const tn_measure own = number_measure(def->kind, i, x, y, factors[i]);
        const int32_t value = tn_get(reader, k)->next;
        ok = tn_read_quantity(reader, value, key, frequency ? turns : own, &numbers[i]);
        if (ok && frequency) {
            numbers[i] *= TURN;
        }
    }
    for (int i = 0; ok && i < 4; i++) {
        if (named[which].needed[i] && !seen[i]) {
            tn_problem(reader, node, NULL, "'%s': a %s needs '%s'", key,
                       tn_function_kind_name(def->kind), named[which].names[i]);
            ok = 0;
        }
    }
    def->numbers = numbers;
    def->count = 4;
    return ok;
}

static int read_kind(tn_reader *reader, int32_t node, tn_function_kind *kind)
{
    const char *text = tn_node_text(reader->tree, node);
    if (tn_function_kind_find(text, kind) == TN_OK) {
        return 1;
    }
    tn_suggestion suggestion = tn_suggestion_for(text);
    for (int i = 0; i < TN_FUNCTION_KIND_COUNT; i++) {
        if (tn_function_kind_name((tn_function_kind)i) != NULL) {
            tn_suggestion_offer(&suggestion, tn_function_kind_name((tn_function_kind)i));
        }
    }
    tn_suggestion_offer(&suggestion, CSV);
    tn_suggestion_offer_alias(&suggestion, OUTSIDE);
    char hint[TN_HINT_SIZE];
    tn_problem(reader, node, tn_suggestion_hint(&suggestion, NULL, hint),
               "unknown function '%.100s'", text);
    return 0;
}

/* What a table is beyond its ends: see tn_function_def.bounded. */
static void read_outside(tn_reader *reader, int32_t node, tn_function_def *def)
{
    const char *text = NULL;
    if (!tn_read_text(reader, node, OUTSIDE, &text)) {
        return;
    }
    def->bounded = strcmp(text, REFUSE) == 0;
    if (!def->bounded && strcmp(text, STRAIGHT) != 0) {
        tn_problem(reader, node, STRAIGHT " or " REFUSE, "'%s': '%.100s' is no way to go on",
                   OUTSIDE, text);
    }
}

/* The key of the kind and what is beside it, TN_FUNCTION_NONE being a csv table; 0 when something
 * was reported. */
static int read_mapping(tn_reader *reader, int32_t node, const char *key, tn_function_def *def,
                        int32_t *list)
{
    const int32_t before = reader->problems;
    *list = TN_NO_NODE;
    TN_EACH_KEY(reader, node, name)
    {
        const int32_t value = tn_get(reader, name)->next;
        if (strcmp(tn_node_text(reader->tree, name), OUTSIDE) == 0) {
            read_outside(reader, value, def);
        } else if (*list != TN_NO_NODE) {
            tn_problem(reader, name, NULL, "'%s' is one function: give one kind", key);
        } else if (strcmp(tn_node_text(reader->tree, name), CSV) == 0) {
            def->kind = TN_FUNCTION_NONE;
            *list = value;
        } else if (read_kind(reader, name, &def->kind)) {
            *list = value;
        }
    }
    if (*list == TN_NO_NODE && reader->problems == before) {
        tn_wrong_type(reader, node, key, FORMS, NULL);
    }
    return reader->problems == before;
}

/* What stands at the key of a kind: a formula, columns of a file, numbers by name or in a list. */
static int read_content(tn_reader *reader, int32_t list, const char *key, tn_measure x,
                        tn_measure y, bool formula, tn_function_def *def)
{
    const bool demanded = def->kind == TN_FUNCTION_FORMULA;
    const tn_formula_answer answer =
        formula ? tn_read_formula_function(reader, list, key, x, y, demanded, def)
                : TN_FORMULA_NONE;
    if (answer != TN_FORMULA_NONE) {
        return answer == TN_FORMULA_READ;
    }
    if (def->kind == TN_FUNCTION_NONE) {
        return tn_read_csv_points(reader, list, x.plain, y.plain, def);
    }
    return tn_get(reader, list)->kind == TN_NODE_MAPPING && find_named(def->kind) >= 0
               ? read_named(reader, list, key, x, y, def)
               : read_list(reader, list, key, x, y, def);
}

int tn_read_function(tn_reader *reader, int32_t node, const char *key, tn_measure x, tn_measure y,
                     tn_function_def *out)
{
    tn_function_def def = {.kind = TN_FUNCTION_CONSTANT, .bounded = BOUNDED_BY_KIND};
    int32_t list = node;
    const tn_node *n = tn_get(reader, node);
    if (n->kind == TN_NODE_MAPPING) {
        if (!read_mapping(reader, node, key, &def, &list)) {
            return 0;
        }
    } else if (n->kind != TN_NODE_SCALAR) {
        tn_wrong_type(reader, node, key, FORMS, NULL);
        return 0;
    }
    const bool csv = def.kind == TN_FUNCTION_NONE;
    const bool formula = def.kind == TN_FUNCTION_FORMULA || list == node;
    const int32_t bounded = def.bounded;
    if (!read_content(reader, list, key, x, y, formula, &def)) {
        return 0;
    }
    def.bounded = bounded == BOUNDED_BY_KIND ? csv : bounded;
    const char *problem = tn_function_problem(&def);
    if (problem != NULL) {
        tn_problem(reader, list, NULL, "'%s': a %s %s", key, tn_function_kind_name(def.kind),
                   problem);
        return 0;
    }
    *out = def;
    return 1;
}

void tn_emit_function(tn_emitter *emitter, const tn_function_def *def)
{
    if (def->kind == TN_FUNCTION_CONSTANT) {
        tn_emit_number(emitter, def->numbers[0]);
        return;
    }
    if (def->kind == TN_FUNCTION_FORMULA) {
        tn_emit_formula_function(emitter, def->formula);
        return;
    }
    tn_emit_raw(emitter, "{");
    tn_emit_raw(emitter, tn_function_kind_name(def->kind));
    tn_emit_raw(emitter, ": ");
    tn_emit_numbers(emitter, def->numbers, def->count);
    tn_emit_raw(emitter, def->bounded ? ", " OUTSIDE ": " REFUSE "}" : "}");
}

void tn_schema_function(tn_json *json)
{
    tn_json_open(json, "oneOf", '[');
    tn_json_open(json, NULL, '{');
    tn_schema_number(json); /* or a formula, which is a text too */
    tn_json_close(json);
    tn_json_open(json, NULL, '{');
    tn_json_text(json, "type", "object");
    tn_json_open(json, "properties", '{');
    for (int i = 0; i < TN_FUNCTION_KIND_COUNT; i++) {
        if (tn_function_kind_name((tn_function_kind)i) != NULL) {
            tn_json_open(json, tn_function_kind_name((tn_function_kind)i), '{');
            tn_json_text(json, "description", tn_function_kind_text((tn_function_kind)i));
            tn_json_open(json, "type", '[');
            tn_json_text(json, NULL, "number");
            tn_json_text(json, NULL, "string");
            tn_json_text(json, NULL, "array");
            tn_json_text(json, NULL, "object");
            tn_json_close(json);
            tn_json_close(json);
        }
    }
    tn_json_open(json, CSV, '{');
    tn_schema_csv(json);
    tn_json_close(json);
    tn_json_open(json, OUTSIDE, '{');
    tn_json_open(json, "enum", '[');
    tn_json_text(json, NULL, STRAIGHT);
    tn_json_text(json, NULL, REFUSE);
    tn_json_close(json);
    tn_json_close(json);
    tn_json_close(json);
    tn_json_bool(json, "additionalProperties", 0);
    tn_json_number(json, "minProperties", 1);
    tn_json_number(json, "maxProperties", 2);
    tn_json_close(json);
    tn_json_close(json);
}

/* As a field of a table: y is an angle where the field is one. ----------------------------------
 */

static void read_field(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_read_function(reader, node, field->key, tn_time_measure(), tn_field_measure(reader, field),
                     tn_field_target(field, target));
}

static void write_field(tn_emitter *emitter, const tn_field *field, const void *source,
                        const void *initial)
{
    (void)initial;
    const tn_function_def *def = tn_field_source(field, source);
    if (tn_function_kind_name(def->kind) == NULL) {
        return;
    }
    tn_emit_key(emitter, field->key);
    tn_emit_function(emitter, def);
    tn_emit_end(emitter);
}

static void schema_field(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_schema_function(json);
}

const tn_field_kind tn_field_function = {read_field, write_field, schema_field};
