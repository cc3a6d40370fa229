/* field_shape.c: the list of a body's shapes.
 *
 * Room io/field. An entry is one key that names the kind, with a mapping of its parameters, and the keys
 * of the shape table (pose, density, mass, material).
 */
#include <string.h>

#include "io/reader/frame.h"
#include "io/reader/reader.h"
#include "io/reader/scope.h"
#include "io/value/shape_parts.h"
#include "io/reader/table_io.h"
#include "io/field/tables.h"

/* The key that names the kind; reports when there is none or more than one. */
static int32_t find_kind_key(tn_reader *reader, int32_t node, tn_shape_kind *kind)
{
    int32_t found = TN_NO_NODE;
    TN_EACH_KEY(reader, node, key)
    {
        tn_shape_kind one;
        if (tn_shape_kind_find(tn_node_text(reader->tree, key), &one) != TN_OK) {
            continue;
        }
        if (found != TN_NO_NODE) {
            tn_problem(reader, key, "start a new entry of the list with '- '",
                       "a second kind of shape in one entry");
            continue;
        }
        found = key;
        *kind = one;
    }
    return found;
}

static const char *kind_name(int32_t index)
{
    const tn_shape_kind_info *info =
        index < TN_SHAPE_KIND_COUNT ? tn_shape_kind_get((tn_shape_kind)index) : NULL;
    return info != NULL ? info->name : NULL;
}

int tn_read_shape_kind(tn_reader *reader, int32_t key, int32_t value, void *target)
{
    tn_shape_kind kind;
    tn_shape_def *def = target;
    if (tn_shape_kind_find(tn_node_text(reader->tree, key), &kind) != TN_OK) {
        return 0;
    }
    if (kind == def->kind) {
        tn_read_shape_parameters(reader, tn_shape_kind_get(kind), key, value, def);
    }
    return 1;
}

const char *tn_shape_key(const tn_reader *reader, int32_t index)
{
    (void)reader;
    return kind_name(index);
}

/* Without a known kind the other keys are checked nevertheless. */
static void read_shape(tn_reader *reader, int32_t node, tn_shape_def *def)
{
    tn_shape_kind kind = TN_SHAPE_BOX;
    int32_t kind_key = TN_NO_NODE;
    if (tn_get(reader, node)->kind == TN_NODE_MAPPING) {
        kind_key = find_kind_key(reader, node, &kind);
    }
    *def = tn_default_shape_def(kind);
    def->at = tn_node_location(reader, node);
    int32_t before = reader->problems;
    tn_read_table(reader, &tn_shape_table, node, node, def);
    if (kind_key == TN_NO_NODE && reader->problems == before) {
        tn_problem(reader, node, "for example 'box: {size: [0.1, 0.2, 0.3]}'",
                   "this entry names no kind of shape");
    }
}

/* The shapes of a body while they are read. */
typedef struct shape_list {
    tn_shape_def *shapes;
    int32_t count, capacity;
} shape_list;

static void add_shape(tn_reader *reader, int32_t node, shape_list *list)
{
    tn_shape_def *grown = tn_grow(list->shapes, &list->capacity, list->count + 1, sizeof(*grown));
    if (grown == NULL) {
        reader->status = TN_ERROR_MEMORY;
        return;
    }
    list->shapes = grown;
    read_shape(reader, node, &list->shapes[list->count++]);
}

/* An entry of the list: one shape, or as many as its key `repeat` says. */
static void read_entry(tn_reader *reader, int32_t node, shape_list *list)
{
    const int32_t key = tn_find_key(reader, node, "repeat");
    tn_repeat repeat;
    if (key == TN_NO_NODE) {
        add_shape(reader, node, list);
        return;
    }
    if (!tn_read_repeat(reader, tn_get(reader, key)->next, &repeat) ||
        !tn_repeat_fits(reader, &repeat, key)) {
        return;
    }
    const int32_t around = reader->scope;
    for (int32_t i = repeat.first; i <= repeat.last && reader->status == TN_OK; i++) {
        const int32_t scope = tn_repeat_begin(reader, around, &repeat, i, key);
        if (scope == TN_NO_SCOPE) {
            return;
        }
        reader->scope = scope;
        add_shape(reader, node, list);
        tn_scope_end(reader, scope);
        reader->scope = around;
    }
}

static void read_shapes(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_body_def *body = target;
    if (!tn_want_sequence(reader, node, field->key)) {
        return;
    }
    shape_list list = {NULL, 0, 0};
    TN_EACH(reader, node, entry)
    {
        read_entry(reader, entry, &list);
        if (reader->status != TN_OK) {
            break;
        }
    }
    tn_shape_def *shapes = tn_reader_alloc(reader, list.count + 1, sizeof(tn_shape_def));
    if (shapes != NULL && list.count > 0) {
        memcpy(shapes, list.shapes, (size_t)list.count * sizeof(*shapes));
    }
    tn_free(list.shapes);
    body->shapes = shapes;
    body->shape_count = shapes != NULL ? list.count : 0;
}

static void write_shapes(tn_emitter *emitter, const tn_field *field, const void *source,
                         const void *initial)
{
    (void)initial;
    const tn_body_def *body = source;
    tn_emit_open(emitter, field->key);
    for (int32_t i = 0; i < body->shape_count; i++) {
        const tn_shape_def *def = &body->shapes[i];
        const tn_shape_def plain = tn_default_shape_def(def->kind);
        tn_emit_open(emitter, NULL);
        tn_write_shape_kind(emitter, def);
        tn_write_table(emitter, &tn_shape_table, def, &plain);
        tn_emit_close(emitter, 0);
    }
    tn_emit_close(emitter, 0);
}

static void schema_shapes(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "array");
    tn_json_open(json, "items", '{');
    tn_schema_reference(json, tn_shape_table.name);
    tn_json_close(json);
}

const tn_field_kind tn_field_shapes = {read_shapes, write_shapes, schema_shapes};
