/* field_measure.c: what a measure is of: a coordinate, a joint, a load, an energy.
 *
 * Room io/field.
 */
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "io/field/coupling_tables.h"
#include "io/reader/frame.h"
#include "io/reader/number.h"
#include "io/field/measure_io.h"
#include "io/reader/table_io.h"

static void schema_name(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "string");
}

/* coordinate: joint.coordinate, or coupling.value ------------------------------------------------
 */

/* A coupling's value; 0: the path is none. */
static int read_value_of_coupling(tn_reader *reader, int32_t node, tn_coupling_term *out)
{
    static const char suffix[] = ".value";
    const char *path = tn_node_text(reader->tree, node);
    const size_t length = strlen(path), end = sizeof(suffix) - 1;
    if (tn_get(reader, node)->kind != TN_NODE_SCALAR || length <= end ||
        strcmp(path + length - end, suffix) != 0) {
        return 0;
    }
    const char *name = tn_arena_text(&reader->arena, path, length - end);
    if (name == NULL) {
        reader->status = TN_ERROR_MEMORY;
        return 0;
    }
    const int32_t k =
        tn_find_item(reader, &reader->names[TN_SECTION_COUPLING], node, &name, length - end);
    if (k == TN_NO_NAME) {
        return 0;
    }
    out->joint = tn_coupling_as_joint((tn_coupling){k});
    out->coordinate = 0;
    return 1;
}

static void read_coordinate(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    if (!read_value_of_coupling(reader, node, tn_field_target(field, target))) {
        tn_field_coupled.read(reader, field, node, target);
    }
}

static void write_coordinate(tn_emitter *emitter, const tn_field *field, const void *source,
                             const void *initial)
{
    const tn_coupling_term *term = tn_field_source(field, source);
    const int32_t k = term->joint.i - TN_COUPLING_JOINTS;
    if (term->joint.i < 0) {
        return;
    }
    if (k < 0) {
        tn_field_coupled.write(emitter, field, source, initial);
        return;
    }
    const char *name = tn_spec_coupling(emitter->spec, (tn_coupling){k})->name;
    const size_t size = strlen(name) + sizeof(".value");
    char *path = tn_alloc(1, size);
    if (path == NULL) {
        emitter->out.status = TN_ERROR_MEMORY;
        return;
    }
    snprintf(path, size, "%s.value", name);
    tn_emit_key(emitter, field->key);
    tn_emit_text(emitter, path);
    tn_emit_end(emitter);
    tn_free(path);
}

const tn_field_kind tn_field_measured_coordinate = {read_coordinate, write_coordinate, schema_name};

/* a joint, a load, by name ------------------------------------------------------------------------
 */

static void read_joint(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_joint *joint = tn_field_target(field, target);
    tn_read_reference(reader, node, field->key, &reader->names[TN_SECTION_JOINT], "joint",
                      &joint->i);
}

static void write_joint(tn_emitter *emitter, const tn_field *field, const void *source,
                        const void *initial)
{
    (void)initial;
    const tn_joint *joint = tn_field_source(field, source);
    if (joint->i >= 0) {
        tn_emit_key(emitter, field->key);
        tn_emit_text(emitter, tn_spec_joint(emitter->spec, *joint)->name);
        tn_emit_end(emitter);
    }
}

const tn_field_kind tn_field_measured_joint = {read_joint, write_joint, schema_name};

static void read_load(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_load *load = tn_field_target(field, target);
    tn_read_reference(reader, node, field->key, &reader->names[TN_SECTION_LOAD], "load", &load->i);
}

static void write_load(tn_emitter *emitter, const tn_field *field, const void *source,
                       const void *initial)
{
    (void)initial;
    const tn_load *load = tn_field_source(field, source);
    if (load->i >= 0) {
        tn_emit_key(emitter, field->key);
        tn_emit_text(emitter, tn_spec_load(emitter->spec, *load)->name);
        tn_emit_end(emitter);
    }
}

const tn_field_kind tn_field_measured_load = {read_load, write_load, schema_name};

/* a quantity of the kind in `extra`: a tn_measure_kind --------------------------------------------
 */

/* The word of a kind, in its order; NULL after the last one. */
static const char *word_of(tn_measure_kind kind, int32_t index, tn_quantity *quantity)
{
    for (int i = 0; i < TN_QUANTITY_COUNT; i++) {
        if (tn_quantity_kind((tn_quantity)i) == kind && index-- == 0) {
            *quantity = (tn_quantity)i;
            return tn_quantity_name((tn_quantity)i);
        }
    }
    return NULL;
}

static void read_quantity(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    const tn_measure_kind kind = *(const tn_measure_kind *)field->extra;
    const char *text = NULL, *word;
    tn_quantity quantity = TN_QUANTITY_COUNT;
    if (!tn_read_text(reader, node, field->key, &text)) {
        return;
    }
    tn_suggestion suggestion = tn_suggestion_for(text);
    for (int32_t i = 0; (word = word_of(kind, i, &quantity)) != NULL; i++) {
        if (strcmp(word, text) == 0) {
            *(tn_quantity *)tn_field_target(field, target) = quantity;
            return;
        }
        tn_suggestion_offer(&suggestion, word);
    }
    char hint[TN_HINT_SIZE];
    tn_problem(reader, node, tn_suggestion_hint(&suggestion, NULL, hint),
               "'%s': there is no %s '%.100s'", field->key, tn_measure_kind_name(kind), text);
}

static void write_quantity(tn_emitter *emitter, const tn_field *field, const void *source,
                           const void *initial)
{
    (void)initial;
    const tn_quantity *quantity = tn_field_source(field, source);
    if (*quantity != TN_QUANTITY_COUNT) {
        tn_emit_key(emitter, field->key);
        tn_emit_text(emitter, tn_quantity_name(*quantity));
        tn_emit_end(emitter);
    }
}

static void schema_words(tn_json *json, tn_measure_kind kind)
{
    tn_quantity quantity;
    const char *word;
    for (int32_t i = 0; (word = word_of(kind, i, &quantity)) != NULL; i++) {
        tn_json_text(json, NULL, word);
    }
}

static void schema_quantity(tn_json *json, const tn_field *field)
{
    tn_json_open(json, "enum", '[');
    schema_words(json, *(const tn_measure_kind *)field->extra);
    tn_json_close(json);
}

const tn_field_kind tn_field_quantity_of = {read_quantity, write_quantity, schema_quantity};

/* quantity: a word whose meaning the kind gives ---------------------------------------------------
 */

static void read_word(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_read_text(reader, node, field->key, (const char **)tn_field_target(field, target));
}

static void write_word(tn_emitter *emitter, const tn_field *field, const void *source,
                       const void *initial)
{
    (void)initial;
    const char *const *word = tn_field_source(field, source);
    if (*word != NULL) {
        tn_emit_key(emitter, field->key);
        tn_emit_text(emitter, *word);
        tn_emit_end(emitter);
    }
}

const tn_field_kind tn_field_quantity_word = {read_word, write_word, schema_name};

/* above: a number with any unit, which is checked when the measure's own is known -----------------
 */

static void read_bound(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_measure_form *form = target;
    char buffer[TN_DIMENSION_TEXT];
    tn_value value;
    if (!tn_read_value(reader, node, field->key, &value)) {
        return;
    }
    if (value.count != 1) {
        tn_problem(reader, node, NULL, "'%s' must be a number, not a vector", field->key);
        return;
    }
    form->def.above = value.v[0];
    if (!tn_dimension_is_plain(value.dimension)) {
        const char *unit = tn_dimension_unit(value.dimension, buffer);
        form->def.above_unit = tn_arena_text(&reader->arena, unit, strlen(unit));
        reader->status = form->def.above_unit == NULL ? TN_ERROR_MEMORY : reader->status;
    }
}

static void write_bound(tn_emitter *emitter, const tn_field *field, const void *source,
                        const void *initial)
{
    const tn_measure_def *def = &((const tn_measure_form *)source)->def;
    char text[2 * TN_DIMENSION_TEXT];
    if (!tn_field_differs(field, source, initial, sizeof(double))) {
        return;
    }
    tn_emit_key(emitter, field->key);
    if (def->above_unit == NULL) {
        tn_emit_number(emitter, def->above);
    } else {
        snprintf(text, sizeof(text), "%.17g %.40s", def->above, def->above_unit);
        tn_emit_text(emitter, text);
    }
    tn_emit_end(emitter);
}

static void schema_bound(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_schema_number(json);
}

const tn_field_kind tn_field_measured_bound = {read_bound, write_bound, schema_bound};
