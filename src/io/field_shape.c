/* field_shape.c: the list of a body's shapes.
 *
 * Room io. An entry is one key that names the kind, with a mapping of its parameters, and the keys
 * of the shape table (pose, density, mass, material). Kinds and parameters come from the registry
 * (shape.h); nothing here knows a kind by name.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "io/mesh_read.h"
#include "io/reader.h"
#include "io/table_io.h"
#include "io/tables.h"

/* values of parameters ----------------------------------------------------------------------- */

/* A whole number that fits 32 bits. */
static int read_integer(tn_reader *reader, int32_t node, const char *key, int32_t *value)
{
    double number = 0.0;
    if (!tn_read_number(reader, node, key, &number)) {
        return 0;
    }
    if (number != floor(number) || fabs(number) > INT32_MAX) {
        tn_problem(reader, node, NULL, "'%s' must be a whole number, not %g", key, number);
        return 0;
    }
    *value = (int32_t)number;
    return 1;
}

/* A list of lists of `width` numbers, into one array. */
static double *read_rows(tn_reader *reader, int32_t node, const char *key, int32_t width,
                         int32_t *count)
{
    if (!tn_want_sequence(reader, node, key)) {
        return NULL;
    }
    int32_t rows = tn_get(reader, node)->count;
    double *values =
        rows > 0 ? tn_reader_alloc(reader, rows, (size_t)width * sizeof(double)) : NULL;
    int ok = values != NULL || rows == 0;
    int32_t i = 0;
    TN_EACH(reader, node, row)
    {
        if (values == NULL) {
            return NULL;
        }
        ok &= tn_read_numbers(reader, row, key, width, values + (size_t)width * (size_t)i++);
    }
    if (!ok) {
        return NULL;
    }
    *count = rows;
    return values;
}

static int read_points(tn_reader *reader, int32_t node, const char *key, tn_shape_def *def)
{
    def->points = (const tn_vec2 *)read_rows(reader, node, key, 2, &def->point_count);
    return def->points != NULL;
}

static int read_vertices(tn_reader *reader, int32_t node, const char *key, tn_shape_def *def)
{
    def->vertices = (const tn_vec3 *)read_rows(reader, node, key, 3, &def->vertex_count);
    return def->vertices != NULL;
}

static int read_triangles(tn_reader *reader, int32_t node, const char *key, tn_shape_def *def)
{
    if (!tn_want_sequence(reader, node, key)) {
        return 0;
    }
    int32_t count = tn_get(reader, node)->count;
    tn_triangle *triangles = tn_reader_alloc(reader, count + 1, sizeof(tn_triangle));
    if (triangles == NULL) {
        return 0;
    }
    int ok = 1;
    int32_t i = 0;
    TN_EACH(reader, node, row)
    {
        if (!tn_want_sequence(reader, row, key)) {
            return 0;
        }
        if (tn_get(reader, row)->count != 3) {
            tn_problem(reader, row, NULL, "'%s' are lists of 3 vertex numbers", key);
            return 0;
        }
        int32_t corner = 0;
        TN_EACH(reader, row, child)
        {
            ok &= read_integer(reader, child, key, &triangles[i].v[corner++]);
        }
        i++;
    }
    def->triangles = triangles;
    def->triangle_count = count;
    return ok;
}

static int read_parameter(tn_reader *reader, const tn_shape_parameter *parameter, int32_t node,
                          tn_shape_def *def)
{
    const char *key = parameter->name;
    switch (parameter->type) {
    case TN_SHAPE_PARAMETER_REAL:
        return parameter->count == 1
                   ? tn_read_number(reader, node, key, tn_shape_reals(def, parameter))
                   : tn_read_numbers(reader, node, key, parameter->count,
                                     tn_shape_reals(def, parameter));
    case TN_SHAPE_PARAMETER_INTEGER:
        return read_integer(reader, node, key, tn_shape_integer(def, parameter));
    case TN_SHAPE_PARAMETER_POINTS:
        return read_points(reader, node, key, def);
    case TN_SHAPE_PARAMETER_VERTICES:
        return read_vertices(reader, node, key, def);
    case TN_SHAPE_PARAMETER_TRIANGLES:
        return read_triangles(reader, node, key, def);
    case TN_SHAPE_PARAMETER_FILE:
        return tn_read_text(reader, node, key, &def->file);
    }
    return 0;
}

/* the mapping of one kind --------------------------------------------------------------------- */

static const tn_shape_parameter *find_parameter(const tn_shape_kind_info *kind, const char *name)
{
    for (int32_t i = 0; i < kind->parameter_count; i++) {
        if (strcmp(kind->parameters[i].name, name) == 0) {
            return &kind->parameters[i];
        }
    }
    return NULL;
}

static void report_unknown_parameter(tn_reader *reader, const tn_shape_kind_info *kind, int32_t key)
{
    const char *text = tn_node_text(reader->tree, key);
    tn_suggestion suggestion = tn_suggestion_for(text);
    for (int32_t i = 0; i < kind->parameter_count; i++) {
        tn_suggestion_offer(&suggestion, kind->parameters[i].name);
    }
    char hint[TN_HINT_SIZE];
    tn_problem(reader, key, tn_hint_for(suggestion.best, hint), "unknown key '%.100s' in %s", text,
               kind->name);
}

/* The checks of the registry, at the value's place. */
static void check_parameter(tn_reader *reader, const tn_shape_parameter *parameter, int32_t node,
                            const tn_shape_def *def)
{
    tn_diagnostics *found = tn_diagnostics_create();
    if (found == NULL) {
        reader->status = TN_ERROR_MEMORY;
        return;
    }
    tn_shape_check_parameter(def, parameter, tn_node_location(reader, node), found);
    for (int32_t i = 0; i < tn_diagnostics_count(found); i++) {
        const tn_diagnostic *d = tn_diagnostics_get(found, i);
        tn_problem(reader, node, d->hint, "%s", d->message);
    }
    tn_diagnostics_destroy(found);
}

/* The mesh's name as the model file sees it: next to the model file unless absolute. */
static const char *mesh_path(tn_reader *reader, const char *file)
{
    const char *slash = reader->file != NULL ? strrchr(reader->file, '/') : NULL;
    if (slash == NULL || file[0] == '/') {
        return file;
    }
    size_t directory = (size_t)(slash - reader->file) + 1;
    char *path = tn_reader_alloc(reader, (int32_t)(directory + strlen(file) + 1), 1);
    if (path != NULL) {
        memcpy(path, reader->file, directory);
        memcpy(path + directory, file, strlen(file) + 1);
    }
    return path;
}

/* The mesh's arrays move to the reader's memory, which is given back as a whole. */
static void keep_mesh(tn_reader *reader, const tn_mesh *mesh, tn_shape_def *def)
{
    tn_vec3 *vertices = tn_reader_alloc(reader, mesh->vertex_count, sizeof(tn_vec3));
    tn_triangle *triangles = tn_reader_alloc(reader, mesh->triangle_count, sizeof(tn_triangle));
    if (vertices == NULL || triangles == NULL) {
        return;
    }
    memcpy(vertices, mesh->vertices, (size_t)mesh->vertex_count * sizeof(tn_vec3));
    memcpy(triangles, mesh->triangles, (size_t)mesh->triangle_count * sizeof(tn_triangle));
    def->vertices = vertices;
    def->vertex_count = mesh->vertex_count;
    def->triangles = triangles;
    def->triangle_count = mesh->triangle_count;
}

static void load_mesh(tn_reader *reader, tn_shape_def *def, int32_t node)
{
    if (def->vertices != NULL || def->triangles != NULL) {
        tn_problem(reader, node, NULL, "give either a file or vertices and triangles");
        return;
    }
    const char *path = mesh_path(reader, def->file);
    tn_mesh mesh = {0};
    tn_status status = path != NULL ? tn_mesh_read(path, &mesh, reader->found) : TN_ERROR_MEMORY;
    if (status == TN_OK) {
        keep_mesh(reader, &mesh, def);
    } else if (status == TN_ERROR_MEMORY) {
        reader->status = status;
    } else {
        tn_problem(reader, node, NULL, "the mesh '%.200s' cannot be used: %s", def->file,
                   tn_status_text(status));
    }
    tn_mesh_free(&mesh);
}

static int given(const int32_t *keys, int32_t i)
{
    return keys[i] != TN_NO_NODE;
}

/* Parameters that must be there and are not. A file stands for vertices and triangles. */
static void check_missing(tn_reader *reader, const tn_shape_kind_info *kind, const int32_t *keys,
                          int32_t owner, int has_file)
{
    for (int32_t i = 0; i < kind->parameter_count; i++) {
        const tn_shape_parameter *p = &kind->parameters[i];
        int from_file = has_file && (p->type == TN_SHAPE_PARAMETER_VERTICES ||
                                     p->type == TN_SHAPE_PARAMETER_TRIANGLES);
        if (!given(keys, i) && !p->optional && !from_file) {
            tn_problem(reader, owner, p->doc, "the key '%s' is missing in %s", p->name, kind->name);
        }
    }
}

#define MAX_PARAMETERS 16

static void read_kind(tn_reader *reader, const tn_shape_kind_info *kind, int32_t key, int32_t node,
                      tn_shape_def *def)
{
    int32_t keys[MAX_PARAMETERS];
    int read[MAX_PARAMETERS] = {0};
    int32_t file_node = TN_NO_NODE;
    TN_ASSERT(kind->parameter_count <= MAX_PARAMETERS);
    for (int32_t i = 0; i < kind->parameter_count; i++) {
        keys[i] = TN_NO_NODE;
    }
    if (!tn_want_mapping(reader, node, kind->name)) {
        return;
    }
    TN_EACH_KEY(reader, node, inner)
    {
        const tn_shape_parameter *p = find_parameter(kind, tn_node_text(reader->tree, inner));
        int32_t value = tn_get(reader, inner)->next;
        if (p == NULL) {
            report_unknown_parameter(reader, kind, inner);
        } else if (given(keys, (int32_t)(p - kind->parameters))) {
            tn_problem(reader, inner, NULL, "'%s' is given twice", p->name);
        } else {
            int32_t i = (int32_t)(p - kind->parameters);
            keys[i] = inner;
            read[i] = read_parameter(reader, p, value, def);
            if (read[i] && p->type == TN_SHAPE_PARAMETER_FILE) {
                file_node = value;
            }
        }
    }
    if (file_node != TN_NO_NODE) {
        load_mesh(reader, def, file_node);
    }
    check_missing(reader, kind, keys, key, file_node != TN_NO_NODE);
    for (int32_t i = 0; i < kind->parameter_count; i++) {
        /* what is wrong with a mesh file has been said when it was opened */
        if (read[i] && kind->parameters[i].type != TN_SHAPE_PARAMETER_FILE) {
            check_parameter(reader, &kind->parameters[i], tn_get(reader, keys[i])->next, def);
        }
    }
}

/* the entries of the list --------------------------------------------------------------------- */

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
        read_kind(reader, tn_shape_kind_get(kind), key, value, def);
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

static void read_shapes(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_body_def *body = target;
    if (!tn_want_sequence(reader, node, field->key)) {
        return;
    }
    int32_t count = tn_get(reader, node)->count;
    tn_shape_def *shapes = tn_reader_alloc(reader, count + 1, sizeof(tn_shape_def));
    if (shapes == NULL) {
        return;
    }
    int32_t i = 0;
    TN_EACH(reader, node, entry)
    {
        read_shape(reader, entry, &shapes[i++]);
        if (reader->status != TN_OK) {
            return;
        }
    }
    body->shapes = shapes;
    body->shape_count = count;
}

/* writing ------------------------------------------------------------------------------------- */

static void write_rows(tn_emitter *emitter, const double *values, int32_t count, int32_t width)
{
    tn_emit_raw(emitter, "[");
    for (int32_t i = 0; i < count; i++) {
        tn_emit_raw(emitter, i > 0 ? ", " : "");
        tn_emit_numbers(emitter, values + (size_t)width * (size_t)i, width);
    }
    tn_emit_raw(emitter, "]");
}

static void write_triangles(tn_emitter *emitter, const tn_triangle *triangles, int32_t count)
{
    tn_emit_raw(emitter, "[");
    for (int32_t i = 0; i < count; i++) {
        const int32_t *v = triangles[i].v;
        tn_buffer_print(&emitter->out, "%s[%d, %d, %d]", i > 0 ? ", " : "", (int)v[0], (int)v[1],
                        (int)v[2]);
    }
    tn_emit_raw(emitter, "]");
}

static int parameter_is_set(const tn_shape_def *def, const tn_shape_parameter *p)
{
    switch (p->type) {
    case TN_SHAPE_PARAMETER_REAL:
        return !isnan(tn_shape_reals_const(def, p)[0]);
    case TN_SHAPE_PARAMETER_INTEGER:
        return tn_shape_integer_const(def, p) != 0;
    case TN_SHAPE_PARAMETER_POINTS:
        return def->point_count > 0;
    case TN_SHAPE_PARAMETER_VERTICES:
        return def->file == NULL && def->vertex_count > 0;
    case TN_SHAPE_PARAMETER_TRIANGLES:
        return def->file == NULL && def->triangle_count > 0;
    case TN_SHAPE_PARAMETER_FILE:
        return def->file != NULL;
    }
    return 0;
}

static void write_parameter(tn_emitter *emitter, const tn_shape_def *def,
                            const tn_shape_parameter *p)
{
    switch (p->type) {
    case TN_SHAPE_PARAMETER_REAL:
        if (p->count == 1) {
            tn_emit_number(emitter, tn_shape_reals_const(def, p)[0]);
        } else {
            tn_emit_numbers(emitter, tn_shape_reals_const(def, p), p->count);
        }
        break;
    case TN_SHAPE_PARAMETER_INTEGER:
        tn_buffer_print(&emitter->out, "%d", (int)tn_shape_integer_const(def, p));
        break;
    case TN_SHAPE_PARAMETER_POINTS:
        write_rows(emitter, &def->points[0].x, def->point_count, 2);
        break;
    case TN_SHAPE_PARAMETER_VERTICES:
        write_rows(emitter, &def->vertices[0].x, def->vertex_count, 3);
        break;
    case TN_SHAPE_PARAMETER_TRIANGLES:
        write_triangles(emitter, def->triangles, def->triangle_count);
        break;
    case TN_SHAPE_PARAMETER_FILE:
        tn_emit_text(emitter, def->file);
        break;
    }
}

static void write_kind(tn_emitter *emitter, const tn_shape_def *def)
{
    const tn_shape_kind_info *kind = tn_shape_kind_get(def->kind);
    tn_emit_open(emitter, kind->name);
    for (int32_t i = 0; i < kind->parameter_count; i++) {
        const tn_shape_parameter *p = &kind->parameters[i];
        if (parameter_is_set(def, p)) {
            tn_emit_key(emitter, p->name);
            write_parameter(emitter, def, p);
            tn_emit_end(emitter);
        }
    }
    tn_emit_close(emitter, 1);
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
        write_kind(emitter, def);
        tn_write_table(emitter, &tn_shape_table, def, &plain);
        tn_emit_close(emitter, 0);
    }
    tn_emit_close(emitter, 0);
}

/* schema -------------------------------------------------------------------------------------- */

/* An array of arrays. */
static void schema_rows(tn_json *json, const tn_shape_parameter *p, int32_t width,
                        const char *entry_type)
{
    tn_json_text(json, "type", "array");
    tn_json_number(json, "minItems", p->minimum);
    tn_json_open(json, "items", '{');
    tn_json_text(json, "type", "array");
    tn_json_open(json, "items", '{');
    tn_json_text(json, "type", entry_type);
    tn_json_close(json);
    tn_json_number(json, "minItems", width);
    tn_json_number(json, "maxItems", width);
    tn_json_close(json);
}

static void schema_parameter(tn_json *json, const tn_shape_parameter *p)
{
    char doc[256];
    snprintf(doc, sizeof(doc), "%s%s%s%s", p->doc, p->unit[0] != '\0' ? " [" : "", p->unit,
             p->unit[0] != '\0' ? "]" : "");
    tn_json_open(json, p->name, '{');
    tn_json_text(json, "description", doc);
    switch (p->type) {
    case TN_SHAPE_PARAMETER_REAL:
        if (p->count == 1) {
            tn_json_text(json, "type", "number");
        } else {
            tn_schema_numbers(json, p->count, p->count);
        }
        break;
    case TN_SHAPE_PARAMETER_INTEGER:
        tn_json_text(json, "type", "integer");
        break;
    case TN_SHAPE_PARAMETER_POINTS:
        schema_rows(json, p, 2, "number");
        break;
    case TN_SHAPE_PARAMETER_VERTICES:
        schema_rows(json, p, 3, "number");
        break;
    case TN_SHAPE_PARAMETER_TRIANGLES:
        schema_rows(json, p, 3, "integer");
        break;
    case TN_SHAPE_PARAMETER_FILE:
        tn_json_text(json, "type", "string");
        break;
    }
    tn_json_close(json);
}

static void schema_kind(tn_json *json, const tn_shape_kind_info *kind)
{
    tn_json_open(json, kind->name, '{');
    tn_json_text(json, "description", kind->doc);
    tn_json_text(json, "type", "object");
    tn_json_open(json, "properties", '{');
    for (int32_t i = 0; i < kind->parameter_count; i++) {
        schema_parameter(json, &kind->parameters[i]);
    }
    tn_json_close(json);
    tn_json_open(json, "required", '[');
    for (int32_t i = 0; i < kind->parameter_count; i++) {
        if (!kind->parameters[i].optional) {
            tn_json_text(json, NULL, kind->parameters[i].name);
        }
    }
    tn_json_close(json);
    tn_json_bool(json, "additionalProperties", 0);
    tn_json_close(json);
}

void tn_schema_shape_kinds(tn_json *json)
{
    tn_json_open(json, "oneOf", '[');
    for (int32_t i = 0; i < TN_SHAPE_KIND_COUNT; i++) {
        tn_json_open(json, NULL, '{');
        tn_json_open(json, "properties", '{');
        schema_kind(json, tn_shape_kind_get((tn_shape_kind)i));
        tn_json_close(json);
        tn_json_open(json, "required", '[');
        tn_json_text(json, NULL, kind_name(i));
        tn_json_close(json);
        tn_json_close(json);
    }
    tn_json_close(json);
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
