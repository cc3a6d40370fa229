/* field_formula.c: the formula of a measure: written over names as they are where it stands, kept
 * over names as they are in the model.
 *
 * Room io/field. Parameters become their values and names inside an instance of a part get its path: those
 * of joints and couplings when the formula is read, those of measures when all measures are. What
 * the names stand for is looked up again when the model is compiled (spec/measure/measure_formula.h).
 */
#include <stdio.h>
#include <string.h>

#include "io/reader/frame.h"
#include "io/field/measure_io.h"
#include "io/reader/scope.h"
#include "io/reader/table_io.h"
#include "quantity/unit.h"
#include "spec/measure/measure_formula.h"
#include "spec/spec_internal.h"

/* Longest path in a formula. */
#define PATH_SIZE 256

/* What stands for the name at a place of the text. */
typedef struct replacement {
    size_t at, length;
    const char *text;
} replacement;

typedef struct rewriting {
    tn_reader *reader;
    int32_t node;
    const char *text;
    replacement list[TN_MOST_TERMS];
    int32_t count;
} rewriting;

static tn_name_answer replace(rewriting *r, const char *name, size_t length, const char *by)
{
    by = tn_arena_text(&r->reader->arena, by, strlen(by));
    if (by == NULL) {
        r->reader->status = TN_ERROR_MEMORY;
        return TN_NAME_BROKEN;
    }
    if (r->count == TN_MOST_TERMS) {
        tn_problem(r->reader, r->node, NULL, "more than %d names in a formula", TN_MOST_TERMS);
        return TN_NAME_BROKEN;
    }
    r->list[r->count++] = (replacement){(size_t)(name - r->text), length, by};
    return TN_NAME_KNOWN;
}

/* (0.35 * 1 m), or a list of such. */
static tn_name_answer replace_by_value(rewriting *r, const char *name, size_t length,
                                       const tn_value *value)
{
    char buffer[TN_DIMENSION_TEXT], text[PATH_SIZE];
    const bool plain = tn_dimension_is_plain(value->dimension);
    const char *unit = tn_dimension_unit(value->dimension, buffer);
    size_t used = 0;
    for (int32_t i = 0; i < value->count; i++) {
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%.17g*1%s%s",
                                 i > 0              ? ", "
                                 : value->count > 1 ? "["
                                                    : "(",
                                 value->v[i], plain ? "" : " ", plain ? "" : unit);
    }
    snprintf(text + used, sizeof(text) - used, value->count > 1 ? "]" : ")");
    return replace(r, name, length, text);
}

/* The name of an item; items were named in their order. */
static const char *owner_name(const tn_names *names, int32_t index)
{
    TN_ASSERT(names->entries[index].value == index);
    return names->entries[index].text;
}

/* The path with the name of its owner as it is in the model: of the items of a section the one
 * that is called what stands before one of the last points. 0: there is none. */
static int find_owner(const rewriting *r, tn_section section, const char *path, size_t length,
                      char out[PATH_SIZE])
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
            snprintf(out, PATH_SIZE, "%s%.*s", owner_name(&reader->names[section], found),
                     (int)(length - end), path + end);
            return 1;
        }
    }
    return 0;
}

/* A name that may be a unit: those are known to the formula itself. */
static bool is_unit(const char *name, size_t length)
{
    tn_unit unit;
    return (length == 2 && memcmp(name, "pi", 2) == 0) || tn_unit_find(name, length, &unit);
}

/* v.x or v[1] of a parameter v: the formula asks for v next. */
static bool is_part(const rewriting *r, const char *name, size_t length)
{
    tn_value vector;
    const size_t owner = tn_part_owner(name, length);
    return owner > 0 && tn_scope_ask(r->reader, name, owner, &vector) == TN_NAME_KNOWN;
}

/* Parameters, joints, couplings; what else a name may be is seen when all measures are known. */
static tn_name_answer find_name(void *context, const char *name, size_t length, tn_value *out)
{
    static const tn_section owners[] = {TN_SECTION_JOINT, TN_SECTION_COUPLING};
    rewriting *r = context;
    tn_formula_term term;
    char path[PATH_SIZE];
    const tn_name_answer parameter = tn_scope_ask(r->reader, name, length, out);
    if (parameter == TN_NAME_KNOWN) { /* a list alone is refused next */
        return out->count > 0 ? replace_by_value(r, name, length, out) : parameter;
    }
    if (parameter == TN_NAME_BROKEN || length >= PATH_SIZE / 2) {
        return parameter;
    }
    *out = tn_plain(1.0);
    for (size_t i = 0; i < TN_COUNT_OF(owners); i++) {
        if (find_owner(r, owners[i], name, length, path) &&
            tn_formula_term_find(r->reader->spec, path, strlen(path), &term)) {
            return replace(r, name, length, path);
        }
    }
    return is_unit(name, length) || is_part(r, name, length) ? TN_NAME_UNKNOWN : TN_NAME_KNOWN;
}

/* Measures from where the formula stands; the others have been found. */
static tn_name_answer find_measure(void *context, const char *name, size_t length, tn_value *out)
{
    rewriting *r = context;
    tn_formula_term term;
    char path[PATH_SIZE];
    *out = tn_plain(1.0);
    if (length < PATH_SIZE / 2 && find_owner(r, TN_SECTION_MEASURE, name, length, path)) {
        return replace(r, name, length, path);
    }
    return tn_formula_term_find(r->reader->spec, name, length, &term) ? TN_NAME_KNOWN
                                                                      : TN_NAME_UNKNOWN;
}

/* Measures, and coordinates of joints and couplings. */
static void offer(void *context, tn_suggestion *suggestion)
{
    rewriting *r = context;
    if (!tn_may_search(r->reader)) {
        return;
    }
    tn_names_offer(&r->reader->names[TN_SECTION_MEASURE], suggestion);
    tn_formula_offer(r->reader->spec, suggestion);
}

static const char *rewrite(rewriting *r)
{
    size_t size = strlen(r->text) + 1, from = 0, used = 0;
    for (int32_t i = 0; i < r->count; i++) {
        size += strlen(r->list[i].text);
    }
    char *out = tn_reader_alloc(r->reader, (int32_t)size, 1);
    for (int32_t i = 0; out != NULL && i < r->count; i++) {
        const replacement *each = &r->list[i];
        used += (size_t)snprintf(out + used, size - used, "%.*s%s", (int)(each->at - from),
                                 r->text + from, each->text);
        from = each->at + each->length;
    }
    if (out != NULL) {
        snprintf(out + used, size - used, "%s", r->text + from);
    }
    return out;
}

/* The text over what `find` makes of its names; NULL after a complaint. */
static const char *read_names(rewriting *r, tn_name_answer (*find)(void *context, const char *name,
                                                                   size_t length, tn_value *out))
{
    const tn_name_source source = {.find = find,
                                   .offer = offer,
                                   .context = r,
                                   .plain_is_rad = true,
                                   .changing = true,
                                   .only_writing = true}; /* units are judged by tn_formula_bind */
    tn_expression_problem problem;
    tn_value value;
    if (tn_expression_evaluate(r->text, &source, &value, &problem)) {
        return rewrite(r);
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
    rewriting r = {.reader = reader, .node = node, .text = text};
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
    rewriting r = {.reader = reader, .node = waiting->node, .text = def->formula};
    tn_enter(reader, &saved, TN_SECTION_MEASURE, waiting->measure, "measure", def->name);
    reader->frame = waiting->frame;
    const char *found = read_names(&r, find_measure);
    tn_leave(reader, &saved);
    if (found != NULL && tn_spec_set_formula(reader->spec, waiting->measure, found) != TN_OK) {
        reader->status = TN_ERROR_MEMORY;
    }
}

/* hub.z of a parameter and a measure of that name: which one is meant? */
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
