/* field_basic.c: numbers, texts, words, switches, nested mappings, mappings of items.
 *
 * Room io/field. Each kind of field is its three functions: read, write, schema (field.h).
 */
#include <string.h>

#include "base/suggest.h"
#include "io/reader/frame.h"
#include "io/reader/number.h"
#include "io/field/kinds.h"

/* The only version of the format so far. */
#define FORMAT_VERSION 1

/* number ----------------------------------------------------------------------------------- */

static void read_number(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_read_quantity(reader, node, field->key, tn_field_measure(reader, field),
                     tn_field_target(field, target));
}

static void write_number(tn_emitter *emitter, const tn_field *field, const void *source,
                         const void *initial)
{
    if (tn_field_differs(field, source, initial, sizeof(double))) {
        tn_emit_key(emitter, field->key);
        tn_emit_number(emitter, *(const double *)tn_field_source(field, source));
        tn_emit_end(emitter);
    }
}

static void schema_number(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_schema_number(json);
}

const tn_field_kind tn_field_number = {read_number, write_number, schema_number};

/* count: a whole number, at least 1; extra, if any, is the largest that is accepted, an int32_t ---- */

/* The largest otherwise. */
#define MOST 1000000

static int32_t most_of(const tn_field *field)
{
    return field->extra != NULL ? *(const int32_t *)field->extra : MOST;
}

static void read_count(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    const int32_t most = most_of(field);
    double value = 0.0;
    if (!tn_read_number(reader, node, field->key, &value)) {
        return;
    }
    if (!(value >= 1.0 && value <= most) || value != (double)(int32_t)value) {
        tn_problem(reader, node, NULL, "'%s' must be a whole number between 1 and %d, not %g",
                   field->key, (int)most, value);
        return;
    }
    *(int32_t *)tn_field_target(field, target) = (int32_t)value;
}

static void write_count(tn_emitter *emitter, const tn_field *field, const void *source,
                        const void *initial)
{
    if (tn_field_differs(field, source, initial, sizeof(int32_t))) {
        tn_emit_key(emitter, field->key);
        tn_emit_number(emitter, *(const int32_t *)tn_field_source(field, source));
        tn_emit_end(emitter);
    }
}

static void schema_count(tn_json *json, const tn_field *field)
{
    tn_schema_reference(json, "count");
    tn_json_number(json, "minimum", 1);
    tn_json_number(json, "maximum", most_of(field));
}

const tn_field_kind tn_field_count = {read_count, write_count, schema_count};

/* text ------------------------------------------------------------------------------------- */

static void read_text(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_read_text(reader, node, field->key, (const char **)tn_field_target(field, target));
}

static void write_text(tn_emitter *emitter, const tn_field *field, const void *source,
                       const void *initial)
{
    (void)initial;
    const char *text = *(const char *const *)tn_field_source(field, source);
    if (text != NULL) {
        tn_emit_key(emitter, field->key);
        tn_emit_text(emitter, text);
        tn_emit_end(emitter);
    }
}

static void schema_text(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "string");
}

const tn_field_kind tn_field_text = {read_text, write_text, schema_text};

/* word: one of a list; the value is its index ---------------------------------------------- */

void tn_read_word(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    const tn_words *words = field->extra;
    const char *text = NULL;
    if (!tn_read_text(reader, node, field->key, &text)) {
        return;
    }
    tn_suggestion suggestion = tn_suggestion_for(text);
    for (int32_t i = 0; words->word(i) != NULL; i++) {
        if (strcmp(words->word(i), text) == 0) {
            memcpy(tn_field_target(field, target), &i, sizeof(i));
            return;
        }
        tn_suggestion_offer(&suggestion, words->word(i));
    }
    char hint[TN_HINT_SIZE];
    tn_problem(reader, node, tn_suggestion_hint(&suggestion, NULL, hint), "unknown %s '%.100s'",
               field->key, text);
}

static void write_word(tn_emitter *emitter, const tn_field *field, const void *source,
                       const void *initial)
{
    const tn_words *words = field->extra;
    int32_t value;
    memcpy(&value, tn_field_source(field, source), sizeof(value));
    if (tn_field_differs(field, source, initial, sizeof(value))) {
        tn_emit_key(emitter, field->key);
        tn_emit_text(emitter, words->word(value));
        tn_emit_end(emitter);
    }
}

static void schema_word(tn_json *json, const tn_field *field)
{
    tn_schema_words(json, field->extra);
}

const tn_field_kind tn_field_word = {tn_read_word, write_word, schema_word};

/* names: a list of texts for programs that show models; the engine does not keep it --------- */

static void read_names(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    (void)target;
    if (!tn_want_sequence(reader, node, field->key)) {
        return;
    }
    const char *text = NULL;
    for (int32_t i = tn_get(reader, node)->first; i != TN_NO_NODE; i = tn_get(reader, i)->next) {
        tn_read_text(reader, i, field->key, &text);
    }
}

static void schema_names(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "array");
    tn_json_open(json, "items", '{');
    tn_json_text(json, "type", "string");
    tn_json_close(json);
}

const tn_field_kind tn_field_names = {read_names, tn_write_nothing, schema_names};

/* truth, which is stored as it is, and switch: `true` is stored as 0, the structure says `disabled`
 */

static void read_truth_as(tn_reader *reader, const tn_field *field, int32_t node, int32_t stored[2],
                          void *target)
{
    const tn_scalar scalar = tn_node_scalar(reader, node);
    if (scalar.kind != TN_SCALAR_BOOL) {
        tn_wrong_type(reader, node, field->key, "true or false", NULL);
        return;
    }
    *(int32_t *)tn_field_target(field, target) = stored[scalar.number != 0.0];
}

static void read_truth(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    read_truth_as(reader, field, node, (int32_t[2]){0, 1}, target);
}

static void read_switch(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    read_truth_as(reader, field, node, (int32_t[2]){1, 0}, target);
}

static void write_switch(tn_emitter *emitter, const tn_field *field, const void *source,
                         const void *initial)
{
    (void)initial;
    if (*(const int32_t *)tn_field_source(field, source) != 0) {
        tn_emit_key(emitter, field->key);
        tn_emit_raw(emitter, "false");
        tn_emit_end(emitter);
    }
}

void tn_write_nothing(tn_emitter *emitter, const tn_field *field, const void *source,
                      const void *initial)
{
    (void)emitter;
    (void)field;
    (void)source;
    (void)initial;
}

static void schema_truth(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "boolean");
}

const tn_field_kind tn_field_truth = {read_truth, tn_write_nothing, schema_truth};
const tn_field_kind tn_field_switch = {read_switch, write_switch, schema_truth};

/* table: a mapping within a mapping --------------------------------------------------------- */

static void read_nested(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    const tn_table *table = field->extra;
    void *inside = tn_field_target(field, target);
    if (table->section == TN_NO_SECTION) {
        tn_read_table(reader, table, node, node, inside);
        return;
    }
    tn_saved saved;
    tn_enter(reader, &saved, (tn_section)table->section, 0, field->key, NULL);
    tn_read_table(reader, table, node, node, inside);
    tn_leave(reader, &saved);
}

static void write_nested(tn_emitter *emitter, const tn_field *field, const void *source,
                         const void *initial)
{
    tn_emit_open(emitter, field->key);
    tn_write_table(emitter, field->extra, tn_field_source(field, source),
                   tn_field_source(field, initial));
    tn_emit_close(emitter, field->placements != 0);
}

static void schema_nested(tn_json *json, const tn_field *field)
{
    const tn_table *table = field->extra;
    if (table->name != NULL) {
        tn_schema_reference(json, table->name);
    } else {
        tn_schema_of_table(json, table);
    }
}

const tn_field_kind tn_field_table = {read_nested, write_nested, schema_nested};

/* items: a mapping from names to items ------------------------------------------------------ */

static void read_item(tn_reader *reader, const void *context, int32_t key, int32_t value,
                      int32_t index)
{
    const tn_item_class *item_class = context;
    (void)index;
    item_class->read(reader, item_class, key, value);
}

/* A section of one mapping, in its own file's unit of angle. */
static void read_section(tn_reader *reader, const tn_field *field, int32_t node)
{
    reader->angle = tn_source_of(reader->tree, node)->angle;
    if (!tn_want_mapping(reader, node, field->key)) {
        return;
    }
    TN_EACH_KEY(reader, node, key)
    {
        if (reader->status != TN_OK) {
            return;
        }
        tn_read_repeated(reader, key, tn_get(reader, key)->next, read_item, field->extra);
    }
}

/* The items of the model, of the files it includes and of the instances of its parts. */
static void read_items(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    (void)target;
    (void)node; /* that of the model is found like the others */
    for (int32_t f = 0; f < reader->frame_count; f++) {
        const tn_definition *d = &reader->definitions[reader->frames[f].definition];
        tn_frame_enter(reader, f);
        reader->repetition++;
        for (int32_t i = 0; i < d->count; i++) {
            const int32_t key = tn_find_key(reader, d->mappings[i], field->key);
            if (key != TN_NO_NODE) {
                read_section(reader, field, tn_get(reader, key)->next);
            }
        }
    }
    tn_frame_enter(reader, 0);
    reader->angle = reader->tree->sources[0].angle;
}

static void write_items(tn_emitter *emitter, const tn_field *field, const void *source,
                        const void *initial)
{
    (void)source;
    (void)initial;
    const tn_item_class *item_class = field->extra;
    tn_emit_open(emitter, field->key);
    for (int32_t i = 0; i < item_class->count(emitter); i++) {
        item_class->write(emitter, item_class, i);
    }
    tn_emit_close(emitter, (field->flags & TN_FIELD_REQUIRED) != 0);
}

static void schema_items(tn_json *json, const tn_field *field)
{
    const tn_item_class *item_class = field->extra;
    tn_json_text(json, "type", "object");
    tn_json_open(json, "additionalProperties", '{');
    if (item_class->table->instead != NULL) {
        tn_json_open(json, "anyOf", '[');
        tn_json_open(json, NULL, '{');
        tn_json_text(json, "type", "string");
        tn_json_text(json, "pattern", item_class->table->instead);
        tn_json_close(json);
        tn_json_open(json, NULL, '{');
        tn_schema_reference(json, item_class->table->name);
        tn_json_close(json);
        tn_json_close(json);
    } else {
        tn_schema_reference(json, item_class->table->name);
    }
    tn_json_close(json);
}

const tn_field_kind tn_field_items = {read_items, write_items, schema_items};

/* the format's version, and its unit of angle ------------------------------------------------ */

static void read_version(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    (void)target;
    double version = 0.0;
    if (tn_read_number(reader, node, field->key, &version) && version != FORMAT_VERSION) {
        tn_problem(reader, node, "this version of Tenon reads 'tenon: 1'",
                   "unknown version %g of the model format", version);
    }
}

static void write_version(tn_emitter *emitter, const tn_field *field, const void *source,
                          const void *initial)
{
    (void)source;
    (void)initial;
    tn_emit_key(emitter, field->key);
    tn_emit_number(emitter, FORMAT_VERSION);
    tn_emit_end(emitter);
}

static void schema_version(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_number(json, "const", FORMAT_VERSION);
}

const tn_field_kind tn_field_version = {read_version, write_version, schema_version};

#define DEGREE (3.14159265358979323846 / 180.0) /* rad */

static const double angle_units[] = {1.0, DEGREE}; /* in the order of the field's words */

static void read_angle_unit(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    (void)target;
    tn_field word = *field;
    word.offset = 0;
    int32_t chosen = 0;
    tn_read_word(reader, &word, node, &chosen);
    reader->angle = angle_units[chosen];
}

/* Formulas are read before the table: they need the unit at once. A wrong word is reported later. */
void tn_find_angle(tn_tree *tree, int32_t root)
{
    int32_t key = tree->nodes[root].kind == TN_NODE_MAPPING ? tree->nodes[root].first : TN_NO_NODE;
    for (; key != TN_NO_NODE; key = tree->nodes[tree->nodes[key].next].next) {
        const int32_t value = tree->nodes[key].next;
        if (strcmp(tn_node_text(tree, key), "angle") == 0 &&
            tree->nodes[value].kind == TN_NODE_SCALAR &&
            strcmp(tn_node_text(tree, value), "deg") == 0) {
            tn_source_of(tree, root)->angle = DEGREE;
        }
    }
}

static void write_angle_unit(tn_emitter *emitter, const tn_field *field, const void *source,
                             const void *initial)
{
    (void)source;
    (void)initial;
    const tn_words *words = field->extra;
    tn_emit_key(emitter, field->key);
    tn_emit_text(emitter, words->word(0));
    tn_emit_end(emitter);
}

const tn_field_kind tn_field_angle_unit = {read_angle_unit, write_angle_unit, schema_word};
