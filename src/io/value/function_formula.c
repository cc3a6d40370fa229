/* function_formula.c: functions that are formulas of the time or of the way (function_formula.h). */
#include "io/value/function_formula.h"

#include <stdio.h>
#include <string.h>

#include "io/reader/frame.h"
#include "io/reader/scope.h"
#include "io/reader/table_io.h"
#include "io/value/formula_text.h"
#include "math/formula/formula.h"
#include "quantity/unit.h"

/* One reading of a formula: its variable with its unit, or as a plain number. */
typedef struct formula_reading {
    tn_rewriting text;
    tn_measure x;
    char variable;
    bool plain;
    bool with_units;
    tn_tape tape;
    tn_value value;
    tn_expression_problem problem;
    bool read; /* it has a value */
    bool fits; /* of what is wanted */
} formula_reading;

/* What is written: */
typedef struct written_formula {
    int32_t node;
    const char *key;
    size_t skip; /* its = */
    const char *text;
    bool moved; /* indices were put in: places of the text are not those of the file */
} written_formula;

/* Is a name of it x or t? What follows a point is a part of a vector. */
static bool names_a_variable(const char *text)
{
    bool found = false;
    for (size_t at = 0; text[at] != '\0';) {
        const size_t name = tn_name_length(text + at), digits = tn_number_length(text + at);
        found = found || (tn_is_variable(text + at, name) && (at == 0 || text[at - 1] != '.'));
        at += digits > 0 ? digits : name > 0 ? name : 1;
    }
    return found;
}

static tn_name_answer find_parameter(formula_reading *r, const char *name, size_t length,
                                     const tn_value *value)
{
    r->with_units = r->with_units || !tn_dimension_is_plain(value->dimension);
    return value->count > 0 ? tn_replace_by_value(&r->text, name, length, value) : TN_NAME_KNOWN;
}

/* The one that the function does not have. */
static tn_name_answer report_variable(const formula_reading *r, char name)
{
    const bool time = r->variable == 't';
    tn_problem(r->text.reader, r->text.node,
               time ? "of the way is the force of a spring: spring: {z: {force: \"=-100*x\"}}"
                    : "of the time are loads, drives, motors",
               "'%c' in a function of the %s: its variable is '%c'", name, time ? "time" : "way",
               r->variable);
    return TN_NAME_BROKEN;
}

static tn_name_answer find_variable(formula_reading *r, const char *name, tn_value *out)
{
    char text[64];
    if (name[0] != r->variable) {
        return report_variable(r, name[0]);
    }
    *out = tn_plain(1.0);
    out->from = tn_tape_variable(&r->tape);
    if (!r->plain) {
        out->dimension = tn_measured_dimension(r->text.reader, &r->x);
    } else if (r->x.plain != 1.0) {
        snprintf(text, sizeof(text), "(%c/%.17g)", r->variable, r->x.plain);
        return tn_replace_name(&r->text, name, 1, text);
    }
    return TN_NAME_KNOWN;
}

static tn_name_answer find(void *context, const char *name, size_t length, tn_value *out)
{
    formula_reading *r = context;
    const tn_name_answer parameter = tn_scope_ask(r->text.reader, name, length, out);
    if (parameter == TN_NAME_KNOWN) {
        return find_parameter(r, name, length, out);
    }
    return parameter == TN_NAME_BROKEN || !tn_is_variable(name, length)
               ? parameter
               : find_variable(r, name, out);
}

static void offer(void *context, tn_suggestion *suggestion)
{
    const formula_reading *r = context;
    const char name[2] = {r->variable, '\0'};
    tn_suggestion_offer(suggestion, name);
    tn_scope_offer_names(r->text.reader, suggestion);
}

static void read_as(tn_reader *reader, const written_formula *w, const tn_measure *y,
                    formula_reading *r)
{
    const tn_name_source names = {.find = find,
                                  .offer = offer,
                                  .context = r,
                                  .plain_is_rad = reader->angle == 1.0,
                                  .tape = &r->tape,
                                  .with_units = &r->with_units};
    r->text = (tn_rewriting){.reader = reader, .node = w->node, .text = w->text};
    r->read = tn_expression_evaluate(w->text, &names, &r->value, &r->problem);
    r->fits = r->read && r->value.count == 1 && tn_measures(reader, y, &r->value);
}

/* The reading that counts, or its problem. */
static formula_reading *choose(formula_reading both[2])
{
    formula_reading *units = &both[0], *plain = &both[1];
    formula_reading *first = units->with_units ? units : plain;
    formula_reading *second = first == units ? plain : units;
    if (first->fits || second->fits) {
        return first->fits ? first : second;
    }
    if (first->read || second->read) {
        return units->read ? units : plain;
    }
    /* where the variable has a unit, the number that lacks one is the mistake, not the variable as a plain number */
    if (units->problem.lacks_unit && plain->problem.lacks_unit) {
        return units;
    }
    return second->problem.at > first->problem.at ? second : first;
}

static void report(tn_reader *reader, const written_formula *w, const tn_measure *y,
                   const formula_reading *r)
{
    const char *hint = r->problem.hint[0] != '\0' ? r->problem.hint : NULL;
    if (r->read && r->value.count == 1) {
        tn_report_measure(reader, w->node, w->key, y, &r->value, NULL);
    } else if (r->read) {
        tn_problem(reader, w->node, "its parts are .x, .y and .z",
                   "'%s' must be a number, not a vector", w->key);
    } else if (r->problem.message[0] == '\0') {
        tn_mark_bad(reader);
    } else if (w->moved) {
        tn_problem(reader, w->node, hint, "'%s': %s", w->key, r->problem.message);
    } else {
        tn_problem_inside(reader, w->node, w->skip + r->problem.at, hint, "'%s': %s", w->key,
                          r->problem.message);
    }
}

/* A plain number counts in the unit of the key. */
static const char *in_si(tn_reader *reader, const formula_reading *r, const tn_measure *y)
{
    const char *text = tn_rewritten(&r->text);
    if (text == NULL || y->plain == 1.0 || !tn_dimension_is_plain(r->value.dimension)) {
        return text;
    }
    const size_t size = strlen(text) + 40;
    char *scaled = tn_reader_alloc(reader, (int32_t)size, 1);
    if (scaled != NULL) {
        snprintf(scaled, size, "(%s)*%.17g", text, y->plain);
    }
    return scaled;
}

/* One that names no variable is what it comes to. */
static tn_formula_answer keep_number(tn_reader *reader, const formula_reading *r,
                                     const tn_measure *y, tn_function_def *def)
{
    double *number = tn_reader_alloc(reader, 1, sizeof(double));
    if (number == NULL) {
        return TN_FORMULA_BROKEN;
    }
    number[0] = r->value.v[0] * (tn_dimension_is_plain(r->value.dimension) ? y->plain : 1.0);
    *def = (tn_function_def){.kind = TN_FUNCTION_CONSTANT, .numbers = number, .count = 1};
    return TN_FORMULA_READ;
}

static tn_formula_answer keep(tn_reader *reader, const written_formula *w, const tn_measure *y,
                              const formula_reading *r, tn_function_def *def)
{
    tn_expression_problem problem;
    const char *text = in_si(reader, r, y);
    if (text == NULL) {
        return TN_FORMULA_BROKEN;
    }
    if (tn_formula_problem(text, r->variable, &problem) != NULL) {
        tn_problem(reader, w->node, NULL, "'%s': %s", w->key, problem.message);
        return TN_FORMULA_BROKEN;
    }
    *def = (tn_function_def){.kind = TN_FUNCTION_FORMULA, .formula = text};
    return TN_FORMULA_READ;
}

/* t is a parameter, where it could be the time: what is meant? */
static bool remark_shadowed(tn_reader *reader, int32_t node, char variable)
{
    const char name[2] = {variable, '\0'};
    tn_value value;
    const bool shadowed = tn_scope_ask(reader, name, 1, &value) == TN_NAME_KNOWN;
    if (shadowed) {
        tn_diagnostics_add(tn_spec_remarks(reader->spec), TN_WARNING, TN_OK,
                           tn_node_location(reader, node), "give the parameter another name",
                           "'%s' is the parameter here, not the %s", name,
                           variable == 't' ? "time" : "way");
    }
    return shadowed;
}

static bool find_text(tn_reader *reader, int32_t node, bool demanded, written_formula *w)
{
    const char *text = NULL;
    if (demanded) {
        if (!tn_read_text(reader, node, "formula", &text)) {
            return false;
        }
    } else {
        text = tn_node_text(reader->tree, node);
    }
    w->skip = text[0] == '=';
    w->text = tn_expand_indices(reader, node, w->skip, text + w->skip, strlen(text + w->skip));
    w->moved = w->text != NULL && strcmp(w->text, text + w->skip) != 0;
    if (w->text == NULL) {
        tn_mark_bad(reader);
    }
    return w->text != NULL;
}

static bool may_be_one(const tn_reader *reader, int32_t node)
{
    const char *text =
        tn_get(reader, node)->kind == TN_NODE_SCALAR ? tn_node_text(reader->tree, node) : "";
    return text[0] == '=' && names_a_variable(text + 1);
}

tn_formula_answer tn_read_formula_function(tn_reader *reader, int32_t node, const char *key,
                                           tn_measure x, tn_measure y, bool demanded,
                                           tn_function_def *def)
{
    written_formula w = {.node = node, .key = key};
    if (!demanded && !may_be_one(reader, node)) {
        return TN_FORMULA_NONE;
    }
    if (!find_text(reader, node, demanded, &w)) {
        return TN_FORMULA_BROKEN;
    }
    const char variable = strcmp(x.unit, "s") == 0 ? 't' : 'x';
    formula_reading both[2] = {{.x = x, .variable = variable},
                               {.x = x, .variable = variable, .plain = true}};
    const int32_t before = reader->problems;
    for (int i = 0; i < 2 && reader->problems == before; i++) {
        read_as(reader, &w, &y, &both[i]);
    }
    if (reader->problems > before) {
        return TN_FORMULA_BROKEN;
    }
    const formula_reading *r = choose(both);
    const bool varies = both[0].tape.count > 0 || both[1].tape.count > 0;
    const bool shadowed = !varies && remark_shadowed(reader, node, variable);
    if (!varies && !demanded && (r->read || shadowed)) {
        return TN_FORMULA_NONE;
    }
    if (!r->fits) {
        report(reader, &w, &y, r);
        return TN_FORMULA_BROKEN;
    }
    return varies ? keep(reader, &w, &y, r, def) : keep_number(reader, r, &y, def);
}

void tn_emit_formula_function(tn_emitter *emitter, const char *formula)
{
    const size_t size = strlen(formula) + 2;
    char *text = tn_alloc(size, 1);
    if (text == NULL) {
        emitter->out.status = TN_ERROR_MEMORY;
        return;
    }
    snprintf(text, size, "=%s", formula);
    tn_emit_text(emitter, text);
    tn_free(text);
}
