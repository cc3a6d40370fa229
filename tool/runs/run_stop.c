/* run_stop.c: when a run is to stop (run_stop.h). A number without a unit, alone behind the sign of a
 * comparison, counts in SI units and rad, as elsewhere on the command line; in formulas units are as
 * in model files.
 */
#include "runs/run_stop.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pick/coordinate.h"
#include "measure/formula.h"
#include "tenon/measure.h"
#include "tool.h"

/* ---- events ---- */

static const char *kind_at(const void *context, int index)
{
    (void)context;
    return run_event_name(index);
}

/* Joints, then couplings. */
static const char *joint_at(const void *context, int index)
{
    const tn_model_size size = tn_model_get_size(context);
    if (index < size.joints)
        return tn_model_joint_name(context, (tn_joint){index});
    return index < size.joints + size.couplings
               ? tn_model_coupling_name(context, (tn_coupling){index - size.joints})
               : NULL;
}

/* "event" or "event: joint". */
static bool parse_event(const char *text, const tn_model *model, run_stop *out)
{
    const char *colon = strchr(text, ':');
    size_t length = colon ? (size_t)(colon - text) : strlen(text);
    while (length > 0 && text[length - 1] == ' ')
        length--;
    out->kind = run_event_find(text, length);
    if (out->kind < 0) {
        tool_unknown("event", text, kind_at, NULL);
        return false;
    }
    if (!colon)
        return true;
    const char *name = colon + 1 + strspn(colon + 1, " ");
    tn_coupling coupling;
    if (tn_model_find_joint(model, name, &out->joint) == TN_OK)
        return true;
    if (tn_model_find_coupling(model, name, &coupling) == TN_OK) {
        out->joint = tn_model_coupling_joint(model, coupling);
        return true;
    }
    tool_unknown("joint", name, joint_at, model);
    return false;
}

/* ---- formulas ---- */

typedef struct binding {
    const tool_loaded *loaded;
    run_stop *stop;
} binding;

/* "pin" for "pin.theta": joints of one coordinate, and couplings. */
static bool find_short(const tool_loaded *loaded, const char *name, size_t length,
                       tn_formula_term *out)
{
    const tn_model *model = loaded->model;
    char path[RUN_STOP_TEXT + 64];
    tn_joint joint;
    tn_coupling coupling;
    snprintf(path, sizeof path - 64, "%.*s", (int)length, name);
    if (tn_model_find_joint(model, path, &joint) != TN_OK) {
        if (tn_model_find_coupling(model, path, &coupling) != TN_OK)
            return false;
        joint = tn_model_coupling_joint(model, coupling);
    }
    const tn_joint_type_info *info = tn_model_joint_info(model, joint);
    if (info->coordinate_count != 1)
        return false;
    snprintf(path + strlen(path), 64, ".%s", info->coordinates[0].name);
    return tn_formula_term_find(loaded->spec, path, strlen(path), out);
}

/* Formulas of the model know their units when they are compiled. */
static bool find_term(const tool_loaded *loaded, const char *name, size_t length,
                      tn_formula_term *out)
{
    static const tn_name_source no_names = {0};
    char text[TN_DIMENSION_TEXT + 2];
    tn_expression_problem problem;
    tn_value one;
    if (!tn_formula_term_find(loaded->spec, name, length, out))
        return find_short(loaded, name, length, out);
    if (out->what != TN_TERM_MEASURE)
        return true;
    const char *unit = tn_measure_unit(loaded->model, out->measure, out->field);
    snprintf(text, sizeof text, "1 %s", strcmp(unit, "1") == 0 ? "" : unit);
    if (tn_expression_evaluate(text, &no_names, &one, &problem))
        out->dimension = one.dimension;
    return true;
}

static tn_name_answer bind_name(void *context, const char *name, size_t length, tn_value *out)
{
    binding *b = context;
    run_stop *stop = b->stop;
    tn_formula_term term;
    if (!find_term(b->loaded, name, length, &term))
        return TN_NAME_UNKNOWN;
    term.at = (size_t)(name - stop->text);
    term.length = length;
    if (stop->term_count < RUN_STOP_TERMS)
        stop->terms[stop->term_count] = term;
    stop->term_count++;
    *out = (tn_value){.v = {1.0}, .count = 1, .dimension = term.dimension};
    return TN_NAME_KNOWN;
}

static void offer_names(void *context, tn_suggestion *suggestion)
{
    const binding *b = context;
    tn_suggestion_offer(suggestion, "t");
    tn_formula_offer(b->loaded->spec, suggestion);
    for (int32_t m = 0; m < tn_model_measure_count(b->loaded->model); m++) {
        tn_suggestion_offer(suggestion,
                            tn_model_measure_name(b->loaded->model, (tn_measure_id){m}));
    }
}

static bool bind_formula(const tool_loaded *loaded, run_stop *out)
{
    binding b = {loaded, out};
    tn_name_source names = tn_formula_names(bind_name, &b);
    tn_expression_problem problem;
    tn_value value;
    names.offer = offer_names;
    if (!tn_expression_evaluate(out->text, &names, &value, &problem)) {
        tool_error("--stop-when: %s at '%s'%s%s", problem.message, out->text + problem.at,
                   problem.hint[0] ? ": " : "", problem.hint);
        return false;
    }
    if (out->term_count > RUN_STOP_TERMS) {
        tool_error("--stop-when: more than %d names", RUN_STOP_TERMS);
        return false;
    }
    if (value.count == 1 && tn_dimension_is_plain(value.dimension))
        return true;
    char name[TN_DIMENSION_TEXT];
    tool_error("--stop-when: '%s' is %s: compare it with one, as in 't > 2 s'", out->text,
               value.count > 1 ? "a vector" : tn_dimension_name(value.dimension, name));
    return false;
}

/* ---- NAME < NUMBER ---- */

static bool is_name(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (!isalnum((unsigned char)text[i]) && !strchr("_.[]", text[i]) && text[i] >= 0)
            return false;
    }
    return length > 0;
}

/* Nothing behind the sign. */
static bool refuse_nothing(const tool_loaded *loaded, const tn_formula_term *term)
{
    double none;
    if (term->what == TN_TERM_COORDINATE) {
        tool_parse_quantity(
            "", tool_coordinate_info(loaded->model, term->joint, term->coordinate)->angular, &none);
    } else {
        tool_error("--stop-when: there is nothing to compare with");
    }
    return false;
}

/* The unit that a number behind the sign lacks; "" where it has one, is a formula, or needs none.
 * False after a message: the name is none, or there is no number. */
static bool find_unit(const char *text, const tool_loaded *loaded, char unit[TN_DIMENSION_TEXT])
{
    const char *sign = strpbrk(text, "<>");
    size_t length = sign ? (size_t)(sign - text) : 0;
    tn_formula_term term;
    tn_joint joint;
    int32_t coordinate;
    unit[0] = '\0';
    while (length > 0 && text[length - 1] == ' ')
        length--;
    if (!is_name(text, length))
        return true;
    if (!find_term(loaded, text, length, &term)) /* says so */
        return tool_parse_coordinate(loaded->model, text, length, &joint, &coordinate) == TOOL_OK;
    const char *number = sign + 1 + strspn(sign + 1, "= ");
    char *end = NULL;
    if (*number == '\0')
        return refuse_nothing(loaded, &term);
    const bool plain = isfinite(strtod(number, &end)) && end != number &&
                       end[strspn(end, " ")] == '\0' && !tn_dimension_is_plain(term.dimension);
    if (plain) {
        char buffer[TN_DIMENSION_TEXT];
        if (term.dimension.exponent[TN_ANGLE] != 0 && strtod(number, NULL) != 0.0 &&
            tn_model_record(loaded->model)->degrees) {
            tool_error("--stop-when: the model counts angles in degrees: write '%sdeg' or '%srad'",
                       number, number);
            return false;
        }
        snprintf(unit, TN_DIMENSION_TEXT, " %s", tn_dimension_unit(term.dimension, buffer));
    }
    return true;
}

static bool parse_formula(const char *text, const tool_loaded *loaded, run_stop *out)
{
    char unit[TN_DIMENSION_TEXT];
    if (!find_unit(text, loaded, unit))
        return false;
    const int length = snprintf(out->text, sizeof out->text, "%s%s", text, unit);
    if (length < (int)sizeof out->text)
        return bind_formula(loaded, out);
    tool_error("--stop-when: a formula of more than %d characters", RUN_STOP_TEXT - 1);
    return false;
}

bool run_stop_parse(const char *text, const tool_loaded *loaded, run_stop *out)
{
    *out = (run_stop){.on = true, .kind = -1, .joint = {-1}};
    return strpbrk(text, "<>=!&|") ? parse_formula(text, loaded, out)
                                   : parse_event(text, loaded->model, out);
}

/* ---- each step ---- */

typedef struct evaluation {
    const run_stop *stop;
    const tn_sim *sim;
} evaluation;

static tn_name_answer read_name(void *context, const char *name, size_t length, tn_value *out)
{
    const evaluation *e = context;
    const size_t at = (size_t)(name - e->stop->text);
    for (int32_t i = 0; i < e->stop->term_count; i++) {
        const tn_formula_term *term = &e->stop->terms[i];
        if (term->at == at && term->length == length) {
            *out = (tn_value){.v = {tn_formula_term_value(e->sim, term)},
                              .count = 1,
                              .dimension = term->dimension};
            return TN_NAME_KNOWN;
        }
    }
    return TN_NAME_UNKNOWN;
}

static bool is_true(const run_stop *stop, const tn_sim *sim)
{
    evaluation e = {stop, sim};
    const tn_name_source names = tn_formula_names(read_name, &e);
    tn_expression_problem problem;
    tn_value value;
    return tn_expression_evaluate(stop->text, &names, &value, &problem) && value.v[0] != 0.0 &&
           !isnan(value.v[0]);
}

bool run_stop_met(const run_stop *stop, const tool_loaded *loaded, const run_events *events,
                  int64_t from)
{
    if (!stop->on)
        return false;
    if (stop->kind < 0)
        return is_true(stop, loaded->sim);
    for (int64_t k = from; k < events->kept; k++) {
        if (events->list[k].kind == stop->kind &&
            (stop->joint.i < 0 || stop->joint.i == events->list[k].joint.i))
            return true;
    }
    return false;
}
