/* measure_formula.c: what the names in the formula of a measure stand for (measure_formula.h). */
#include "spec/measure/measure_formula.h"

#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "spec/measure/measure_fields.h"
#include "spec/spec_internal.h"

/* A unit of the tables as a dimension: "m/s", "N m". */
static tn_dimension dimension_of(const char *unit)
{
    static const tn_name_source no_names = {0};
    char text[TN_DIMENSION_TEXT];
    tn_expression_problem problem;
    tn_value value = tn_plain(1.0);
    snprintf(text, sizeof(text), "1 %s", unit);
    if (strcmp(unit, "1") != 0) {
        tn_expression_evaluate(text, &no_names, &value, &problem);
    }
    return value.dimension;
}

/* Whether path is `name` followed by `rest`. */
static bool is_path(const char *path, size_t length, const char *name, const char *rest)
{
    const size_t head = strlen(name), tail = strlen(rest);
    return length == head + tail && memcmp(path, name, head) == 0 &&
           memcmp(path + head, rest, tail) == 0;
}

/* What may stand behind joint.coordinate or coupling.value. */
static const struct {
    const char *suffix;
    tn_term_kind what;
    const char *linear, *angular;
} ways[] = {{"", TN_TERM_COORDINATE, "m", "rad"},
            {".speed", TN_TERM_SPEED, "m/s", "rad/s"},
            {".effort", TN_TERM_EFFORT, "N", "N m"}};

static bool find_coordinate(const char *path, size_t length, const char *owner, tn_joint joint,
                            int32_t coordinate, const char *name, int angular, tn_formula_term *out)
{
    const size_t head = strlen(owner);
    if (length <= head || memcmp(path, owner, head) != 0 || path[head] != '.') {
        return false;
    }
    for (size_t w = 0; w < TN_COUNT_OF(ways); w++) {
        if (is_path(path + head + 1, length - head - 1, name, ways[w].suffix)) {
            out->what = ways[w].what;
            out->joint = joint;
            out->coordinate = coordinate;
            out->dimension = dimension_of(angular ? ways[w].angular : ways[w].linear);
            return true;
        }
    }
    return false;
}

/* NULL: its type or what it is made of is unknown, which is reported elsewhere. */
static const tn_joint_type_info *info_of(const tn_joint_def *def, tn_joint_own_info *own)
{
    tn_joint_type type;
    const bool sound = def->type != NULL && tn_joint_type_find(def->type, &type) == TN_OK;
    return sound ? tn_joint_info(type, def->data, own) : NULL;
}

static bool find_in_joints(const tn_spec *spec, const char *path, size_t length,
                           tn_formula_term *out)
{
    for (int32_t j = 0; j < spec->joint_count; j++) {
        const tn_joint_def *def = &spec->joints[j].def;
        const size_t head = strlen(def->name);
        tn_joint_own_info own;
        if (length <= head || memcmp(path, def->name, head) != 0 || path[head] != '.') {
            continue;
        }
        const tn_joint_type_info *info = info_of(def, &own);
        for (int32_t i = 0; info != NULL && i < info->coordinate_count; i++) {
            if (find_coordinate(path, length, def->name, (tn_joint){j}, i,
                                info->coordinates[i].name, info->coordinates[i].angular, out)) {
                return true;
            }
        }
    }
    return false;
}

static int coupling_is_angular(const tn_spec *spec, const tn_coupling_def *def)
{
    tn_joint_own_info own;
    const tn_coupling_term *first = def->term_count > 0 ? &def->terms[0] : NULL;
    const bool known = first != NULL && first->joint.i >= 0 && first->joint.i < spec->joint_count;
    const tn_joint_type_info *info =
        known ? info_of(&spec->joints[first->joint.i].def, &own) : NULL;
    return info != NULL && first->coordinate >= 0 && first->coordinate < info->coordinate_count &&
           info->coordinates[first->coordinate].angular;
}

static bool find_in_couplings(const tn_spec *spec, const char *path, size_t length,
                              tn_formula_term *out)
{
    for (int32_t c = 0; c < spec->coupling_count; c++) {
        const tn_coupling_def *def = &spec->couplings[c].def;
        const int angular = coupling_is_angular(spec, def);
        const tn_joint joint = tn_coupling_as_joint((tn_coupling){c});
        if (find_coordinate(path, length, def->name, joint, 0, "value", angular, out)) {
            return true;
        }
        if (is_path(path, length, def->name, ".force")) { /* as results have it */
            out->what = TN_TERM_EFFORT;
            out->joint = joint;
            out->coordinate = 0;
            out->dimension = dimension_of(angular ? "N m" : "N");
            return true;
        }
    }
    return false;
}

static int measure_is_angular(const tn_spec *spec, const tn_measure_def *def)
{
    tn_joint_own_info own;
    if (tn_quantity_kind(def->quantity) != TN_MEASURE_COORDINATE) {
        return 0;
    }
    if (def->joint.i >= TN_COUPLING_JOINTS) {
        return coupling_is_angular(spec, &spec->couplings[def->joint.i - TN_COUPLING_JOINTS].def);
    }
    const tn_joint_type_info *info = info_of(&spec->joints[def->joint.i].def, &own);
    return info != NULL && info->coordinates[def->coordinate].angular;
}

tn_dimension tn_measure_dimension(const tn_spec *spec, int32_t measure)
{
    const tn_measure_def *def = &spec->measures[measure].def;
    const char *unit = tn_measure_field_unit(def, spec->world.kind == TN_WORLD_PLANAR,
                                             measure_is_angular(spec, def), 0);
    return unit != NULL ? dimension_of(unit) : (tn_dimension){{0}};
}

static bool find_in_measures(const tn_spec *spec, const char *path, size_t length,
                             tn_formula_term *out)
{
    const int planar = spec->world.kind == TN_WORLD_PLANAR;
    for (int32_t m = 0; m < spec->measure_count; m++) {
        const tn_measure_def *def = &spec->measures[m].def;
        const tn_measure_fields *fields = tn_measure_fields_of(def->quantity, planar);
        const bool whole = def->component == TN_COMPONENT_ALL;
        for (int32_t k = 0; k < (whole ? fields->count : 1); k++) {
            char rest[16] = "";
            if (whole && fields->names[k][0] != '\0') {
                snprintf(rest, sizeof(rest), ".%s", fields->names[k]);
            }
            if (is_path(path, length, def->name, rest)) {
                const char *unit =
                    tn_measure_field_unit(def, planar, measure_is_angular(spec, def), k);
                out->what = TN_TERM_MEASURE;
                out->measure = (tn_measure_id){m};
                out->field = k;
                out->dimension = unit != NULL ? dimension_of(unit) : (tn_dimension){{0}};
                return true;
            }
        }
    }
    return false;
}

bool tn_formula_term_find(const tn_spec *spec, const char *path, size_t length,
                          tn_formula_term *out)
{
    *out = (tn_formula_term){.length = length, .joint = {-1}, .measure = {-1}};
    if (length == 1 && path[0] == 't') {
        out->what = TN_TERM_TIME;
        out->dimension = dimension_of("s");
        return true;
    }
    return find_in_joints(spec, path, length, out) || find_in_couplings(spec, path, length, out) ||
           find_in_measures(spec, path, length, out);
}

static void offer_path(tn_suggestion *suggestion, const char *owner, const char *coordinate)
{
    char path[2 * TN_LONGEST_WORD];
    snprintf(path, sizeof(path), "%s.%s", owner, coordinate);
    tn_suggestion_offer(suggestion, path);
    for (size_t w = 1; w < TN_COUNT_OF(ways); w++) {
        snprintf(path, sizeof(path), "%s.%s%s", owner, coordinate, ways[w].suffix);
        tn_suggestion_offer_alias(suggestion, path);
    }
}

void tn_formula_offer(const tn_spec *spec, tn_suggestion *suggestion)
{
    for (int32_t j = 0; j < spec->joint_count; j++) {
        const tn_joint_def *def = &spec->joints[j].def;
        tn_joint_own_info own;
        const tn_joint_type_info *info = info_of(def, &own);
        for (int32_t i = 0; info != NULL && i < info->coordinate_count; i++) {
            offer_path(suggestion, def->name, info->coordinates[i].name);
        }
    }
    for (int32_t c = 0; c < spec->coupling_count; c++) {
        offer_path(suggestion, spec->couplings[c].def.name, "value");
    }
}

typedef struct binding {
    const tn_spec *spec;
    const tn_formula_source *others;
    tn_formula_term *terms;
    tn_measure_formula *out;
} binding;

/* Notes a term; its value here is any that is not 0. */
static tn_name_answer bind_name(void *context, const char *name, size_t length, tn_value *value)
{
    binding *b = context;
    tn_formula_term term;
    if (!tn_formula_term_find(b->spec, name, length, &term)) {
        return TN_NAME_UNKNOWN;
    }
    term.at = (size_t)(name - b->out->text);
    if (term.what == TN_TERM_MEASURE &&
        b->spec->measures[term.measure.i].def.quantity == TN_QUANTITY_FORMULA) {
        const tn_measure_formula *inner = b->others->get(b->others->context, term.measure.i);
        if (inner == NULL) {
            return TN_NAME_BROKEN;
        }
        term.dimension = inner->dimension;
        b->out->depth = inner->depth >= b->out->depth ? inner->depth + 1 : b->out->depth;
    }
    if (b->out->term_count < TN_MOST_TERMS) {
        b->terms[b->out->term_count] = term;
    }
    b->out->term_count++;
    *value = (tn_value){.v = {1.0}, .count = 1, .dimension = term.dimension};
    return TN_NAME_KNOWN;
}

bool tn_formula_bind(const tn_spec *spec, int32_t measure, const tn_formula_source *others,
                     tn_formula_term *terms, tn_measure_formula *out,
                     tn_expression_problem *problem)
{
    const tn_measure_def *def = &spec->measures[measure].def;
    *out = (tn_measure_formula){.text = (char *)def->formula, .terms = terms, .depth = 1};
    binding b = {spec, others, terms, out};
    const tn_name_source names = tn_formula_names(bind_name, &b);
    tn_value value;
    if (!tn_expression_evaluate(def->formula, &names, &value, problem)) {
        return false;
    }
    const char *wrong = value.count != 1                  ? "a measure is one number, not a vector"
                        : out->term_count > TN_MOST_TERMS ? "too many names"
                        : out->depth > TN_MOST_FORMULA_DEPTH ? "too many formulas of formulas"
                                                             : NULL;
    if (wrong != NULL) {
        *problem = (tn_expression_problem){0};
        snprintf(problem->message, sizeof(problem->message), "%s", wrong);
        return false;
    }
    /* rad is 1 where it cannot be mistaken: radius * angle is in m */
    if (value.dimension.exponent[TN_LENGTH] != 0 || value.dimension.exponent[TN_MASS] != 0) {
        value.dimension.exponent[TN_ANGLE] = 0;
    }
    out->dimension = value.dimension;
    char buffer[TN_DIMENSION_TEXT];
    snprintf(out->unit, sizeof(out->unit), "%s", tn_dimension_unit(value.dimension, buffer));
    return true;
}
