/* compile_measures.c: room model/compile: measures, with their formulas bound to what they name. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/compile/compile.h"
#include "spec/spec_internal.h"

/* Complains at the measure, with the text that is wrong. */
static void complain(const tn_measure_def *def, const tn_expression_problem *problem,
                     tn_diagnostics *diags)
{
    const char *rest = def->formula + (problem->at < strlen(def->formula) ? problem->at : 0);
    tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, def->at,
                       problem->hint[0] != '\0' ? problem->hint : NULL,
                       "measure '%.100s': %s, in '%.60s'", def->name, problem->message, rest);
}

static tn_status keep(tn_measure_formula *out, const tn_measure_formula *bound)
{
    *out = *bound;
    out->text = tn_copy_text(bound->text, strlen(bound->text));
    out->terms = TN_NEW_ARRAY(tn_formula_term, bound->term_count + 1);
    if (!out->text || !out->terms)
        return TN_ERROR_MEMORY;
    memcpy(out->terms, bound->terms, sizeof *out->terms * (size_t)bound->term_count);
    return TN_OK;
}

/* A formula is bound when it is first needed. */
typedef enum progress { WAITING, BUSY, DONE, BROKEN } progress;

typedef struct formulas_context {
    tn_model *model;
    const tn_spec *spec;
    tn_diagnostics *diags;
    progress *progress; /* [measure_count] */
    int32_t depth;
    tn_status status;
} formulas_context;

static bool is_sound(formulas_context *c, int32_t i, tn_measure_formula *bound);

static const tn_measure_formula *get_formula(void *context, int32_t i)
{
    formulas_context *c = context;
    tn_expression_problem circle = {.message = "it depends on itself"};
    if (c->progress[i] == WAITING && c->depth < TN_MOST_FORMULA_DEPTH) {
        tn_measure_formula bound;
        c->progress[i] = BUSY;
        c->depth++;
        c->progress[i] = is_sound(c, i, &bound) ? DONE : BROKEN;
        c->depth--;
    } else if (c->progress[i] == BUSY || c->progress[i] == WAITING) {
        if (c->progress[i] == WAITING)
            snprintf(circle.message, sizeof circle.message, "too many formulas of formulas");
        complain(tn_spec_measure(c->spec, (tn_measure_id){i}), &circle, c->diags);
        c->status = TN_ERROR_INPUT;
        return NULL;
    }
    return c->progress[i] == DONE ? &c->model->formulas[i] : NULL;
}

static bool is_sound(formulas_context *c, int32_t i, tn_measure_formula *bound)
{
    const tn_measure_def *def = tn_spec_measure(c->spec, (tn_measure_id){i});
    const tn_formula_source others = {get_formula, c};
    tn_formula_term terms[TN_MOST_TERMS];
    tn_expression_problem problem;
    if (!tn_formula_bind(c->spec, i, &others, terms, bound, &problem)) {
        if (problem.message[0] != '\0') /* else reported at another formula */
            complain(def, &problem, c->diags);
        c->status = c->status == TN_OK ? TN_ERROR_INPUT : c->status;
        return false;
    }
    if (keep(&c->model->formulas[i], bound) != TN_OK) {
        c->status = TN_ERROR_MEMORY;
        return false;
    }
    return true;
}

static tn_status compile_formulas(tn_model *model, const tn_spec *spec, tn_diagnostics *diags)
{
    formulas_context c = {.model = model, .spec = spec, .diags = diags};
    c.progress = TN_NEW_ARRAY(progress, model->measure_count);
    if (!c.progress)
        return TN_ERROR_MEMORY;
    for (int32_t i = 0; i < model->measure_count; i++) {
        if (model->measures[i].quantity == TN_QUANTITY_FORMULA)
            get_formula(&c, i);
    }
    tn_free(c.progress);
    return c.status;
}

/* In SI units and rad; NaN after a complaint. A number without a unit is no angle where the file counts
 * in degrees: neither 4 deg nor 4 rad may be taken for the other. */
static double bound_of(const tn_measure_def *def, tn_dimension wanted, bool degrees,
                       tn_diagnostics *diags)
{
    static const tn_name_source no_names = {0};
    char text[128], a[TN_DIMENSION_TEXT];
    tn_expression_problem problem;
    tn_value unit;
    if (!def->above_unit) {
        if (def->above == 0.0 || !degrees || wanted.exponent[TN_ANGLE] == 0)
            return def->above;
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, def->at,
                           "write deg or rad behind it: above: 4 deg",
                           "measure '%.100s': 'above' is in %s, and the file counts in degrees",
                           def->name, tn_dimension_unit(wanted, a));
        return (double)NAN;
    }
    snprintf(text, sizeof text, "1 %.100s", def->above_unit);
    if (tn_expression_evaluate(text, &no_names, &unit, &problem) && unit.count == 1 &&
        tn_dimension_fits(unit.dimension, wanted))
        return def->above * unit.v[0];
    tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, def->at, NULL,
                       "measure '%.100s': 'above' is in %s, not in '%.40s'", def->name,
                       tn_dimension_unit(wanted, a), def->above_unit);
    return (double)NAN;
}

static tn_status compile_bounds(tn_model *model, const tn_spec *spec, tn_diagnostics *diags)
{
    const bool degrees = tn_spec_record(spec)->degrees != 0;
    tn_status status = TN_OK;
    for (int32_t i = 0; i < model->measure_count; i++) {
        const tn_measure_def *def = tn_spec_measure(spec, (tn_measure_id){i});
        if (isnan(def->above) || tn_spec_is_removed(spec, TN_SECTION_MEASURE, i))
            continue;
        model->measures[i].above =
            bound_of(def,
                     def->quantity == TN_QUANTITY_FORMULA ? model->formulas[i].dimension
                                                          : tn_measure_dimension(spec, i),
                     degrees, diags);
        if (isnan(model->measures[i].above))
            status = TN_ERROR_INPUT;
    }
    return status;
}

tn_status tn_model_compile_measures(tn_model *model, const tn_spec *spec, tn_diagnostics *diags)
{
    const int32_t count = tn_spec_measure_count(spec);
    tn_status status = TN_OK;
    model->measures = TN_NEW_ARRAY(tn_measure_def, count);
    model->formulas = TN_NEW_ARRAY(tn_measure_formula, count);
    if (!model->measures || !model->formulas)
        return TN_ERROR_MEMORY;
    for (int32_t i = 0; i < count && status == TN_OK; i++) {
        const tn_measure_def *def = tn_spec_measure(spec, (tn_measure_id){i});
        model->measures[i] = *def;
        model->measures[i].name = NULL;
        model->measures[i].formula = NULL;
        model->measures[i].above_unit = NULL;
        model->measures[i].at.file = NULL;
        model->measure_count++;
        status = tn_names_add(&model->measure_names, def->name, strlen(def->name), i);
    }
    if (status == TN_OK)
        status = compile_formulas(model, spec, diags);
    return status == TN_OK ? compile_bounds(model, spec, diags) : status;
}

void tn_model_free_measures(tn_model *model)
{
    for (int32_t i = 0; i < model->measure_count && model->formulas; i++) {
        tn_free(model->formulas[i].text);
        tn_free(model->formulas[i].terms);
    }
    tn_free(model->formulas);
    tn_free(model->measures);
}
