/* field_formula.c: the formula of a measure, rewritten from the names valid where it is written to the names of the
 * model.
 *
 * Room io/field. Parameters become their values; names inside an instance of a part get its path. Names of
 * joints and couplings are rewritten when the formula is read, those of measures when all measures have been. Names are
 * resolved to items when the model is compiled (spec/measure/measure_formula.h).
 */
#include <stdio.h>
#include <string.h>

#include "io/reader/frame.h"
#include "io/field/measure_io.h"
#include "io/reader/scope.h"
#include "io/reader/table_io.h"
#include "io/value/formula_text.h"
#include "quantity/unit.h"
#include "spec/measure/measure_formula.h"
#include "spec/spec_internal.h"

/* The name of an item; items were named in their order. */
static const char *owner_name(const tn_names *names, int32_t index)
{
    TN_ASSERT(names->entries[index].value == index);
    return names->entries[index].text;
}

/* Replaces the owner in a path by its name in the model. The owner is an item of the section whose name is the part of
 * the path before one of the last dots. 0: there is none. */
static int find_owner(const tn_rewriting *r, tn_section section, const char *path, size_t length,
                      char out[TN_FORMULA_PATH])
{
    tn_reader *reader = r->reader;
    for (size_t end = length; end > 0; end--) {
        if (end < length && path[end] != '.') {
            continue;
        }
        const char *name = tn_arena_text(&reader->arena, path, end);
        if (name == NULL) {
            reader->status = TN_ERROR_MEMORY;
            return 0;
        }
        const int32_t found = tn_find_item(reader, &reader->names[section], r->node, &name, end);
        if (found != TN_NO_NAME && name != NULL) {
            snprintf(out, TN_FORMULA_PATH, "%s%.*s", owner_name(&reader->names[section], found),
                     (int)(length - end), path + end);
            return 1;
        }
    }
    return 0;
}

/* True for a name that may be a unit; the formula itself knows those. */
static bool is_unit(const char *name, size_t length)
{
    tn_unit unit;
    return (length == 2 && memcmp(name, "pi", 2) == 0) || tn_unit_find(name, length, &unit);
}

/* Finds parameters, joints and couplings; other names are resolved when all measures are known. */
static tn_name_answer find_name(void *context, const char *name, size_t length, tn_value *out)
{
    static const tn_section owners[] = {TN_SECTION_JOINT, TN_SECTION_COUPLING};
    tn_rewriting *r = context;
    tn_formula_term term;
    char path[TN_FORMULA_PATH];
    const tn_name_answer parameter = tn_scope_ask(r->reader, name, length, out);
    if (parameter == TN_NAME_KNOWN) { /* a list alone is refused next */
        return out->count > 0 ? tn_replace_by_value(r, name, length, out) : parameter;
    }
    if (parameter == TN_NAME_BROKEN || length >= TN_FORMULA_PATH / 2) {
        return parameter;
    }
    *out = tn_plain(1.0);
    for (size_t i = 0; i < TN_COUNT_OF(owners); i++) {
        if (find_owner(r, owners[i], name, length, path) &&
            tn_formula_term_find(r->reader->spec, path, strlen(path), &term)) {
            return tn_replace_name(r, name, length, path);
        }
    }
    return is_unit(name, length) || tn_is_part_of_parameter(r, name, length) ? TN_NAME_UNKNOWN
                                                                             : TN_NAME_KNOWN;
}

/* Finds measures visible where the formula is written; other names have been resolved. */
static tn_name_answer find_measure(void *context, const char *name, size_t length, tn_value *out)
{
    tn_rewriting *r = context;
    tn_formula_term term;
    char path[TN_FORMULA_PATH];
    *out = tn_plain(1.0);
    if (length < TN_FORMULA_PATH / 2 && find_owner(r, TN_SECTION_MEASURE, name, length, path)) {
        return tn_replace_name(r, name, length, path);
    }
    return tn_formula_term_find(r->reader->spec, name, length, &term) ? TN_NAME_KNOWN
                                                                      : TN_NAME_UNKNOWN;
}

/* Offers names for a suggestion: measures, and coordinates of joints and couplings. */
static void offer(void *context, tn_suggestion *suggestion)
{
    tn_rewriting *r = context;
    if (!tn_may_search(r->reader)) {
        return;
    }
    tn_names_offer(&r->reader->names[TN_SECTION_MEASURE], suggestion);
    tn_formula_offer(r->reader->spec, suggestion);
}

/* The text with its names replaced by `find`; NULL after an error was reported. */
static const char *read_names(tn_rewriting *r,
                              tn_name_answer (*find)(void *context, const char *name, size_t length,
                                                     tn_value *out))
{
    const tn_name_source source = {.find = find,
                                   .offer = offer,
                                   .context = r,
                                   .plain_is_rad = true,
                                   .changing = true,
                                   .only_writing = true}; /* units are checked by tn_formula_bind */
    tn_expression_problem problem;
    tn_value value;
    if (tn_expression_evaluate(r->text, &source, &value, &problem)) {
        return tn_rewritten(r);
    }
    if (problem.message[0] == '\0') {
        tn_mark_bad(r->reader);
    } else {
        tn_problem(r->reader, r->node, problem.hint[0] != '\0' ? problem.hint : NULL, "%s",
                   problem.message);
    }
    return NULL;
}

static void read_formula(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    const char *text = NULL;
    if (!tn_read_text(reader, node, field->key, &text)) {
        return;
    }
    const size_t skip = text[0] == '=';
    text = tn_expand_indices(reader, node, skip, text + skip, strlen(text + skip));
    if (text == NULL) {
        tn_mark_bad(reader);
        return;
    }
    tn_rewriting r = {.reader = reader, .node = node, .text = text};
    tn_waiting_formula *grown = tn_grow(reader->waiting, &reader->waiting_capacity,
                                        reader->waiting_count + 1, sizeof(*grown));
    if (grown == NULL) {
        reader->status = TN_ERROR_MEMORY;
        return;
    }
    reader->waiting = grown;
    const char *found = read_names(&r, find_name);
    *(const char **)tn_field_target(field, target) = found;
    if (found != NULL) {
        grown[reader->waiting_count++] = (tn_waiting_formula){reader->item, node, reader->frame};
    }
}

static void read_waiting(tn_reader *reader, const tn_waiting_formula *waiting)
{
    const tn_measure_def *def = &reader->spec->measures[waiting->measure].def;
    tn_saved saved;
    if (def->formula == NULL) {
        return; /* the measure has other problems */
    }
    tn_rewriting r = {.reader = reader, .node = waiting->node, .text = def->formula};
    tn_enter(reader, &saved, TN_SECTION_MEASURE, waiting->measure, "measure", def->name);
    reader->frame = waiting->frame;
    const char *found = read_names(&r, find_measure);
    tn_leave(reader, &saved);
    if (found != NULL && tn_spec_set_formula(reader->spec, waiting->measure, found) != TN_OK) {
        reader->status = TN_ERROR_MEMORY;
    }
}

/* Remarks names such as hub.z that a parameter and a measure share. */
static void remark_shadowed(tn_reader *reader)
{
    for (int32_t i = 0; i < reader->spec->measure_count; i++) {
        const tn_measure_def *def = &reader->spec->measures[i].def;
        if (tn_scope_find(reader, 0, def->name) >= 0) {
            tn_diagnostics_add(tn_spec_remarks(reader->spec), TN_WARNING, TN_OK, def->at,
                               "give one of them another name",
                               "in formulas '%.100s' is the parameter, not this measure",
                               def->name);
        }
    }
}

void tn_read_waiting_formulas(tn_reader *reader)
{
    if (reader->waiting_count > 0) {
        remark_shadowed(reader);
    }
    const int32_t frame = reader->frame;
    for (int32_t i = 0; i < reader->waiting_count && reader->status == TN_OK; i++) {
        read_waiting(reader, &reader->waiting[i]);
    }
    reader->frame = frame;
}

static void write_formula(tn_emitter *emitter, const tn_field *field, const void *source,
                          const void *initial)
{
    const char *text = *(const char *const *)tn_field_source(field, source);
    (void)initial;
    if (text != NULL) {
        tn_emit_key(emitter, field->key);
        tn_emit_text(emitter, text);
        tn_emit_end(emitter);
    }
}

static void schema_formula(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "string");
}

const tn_field_kind tn_field_measured_formula = {read_formula, write_formula, schema_formula};
