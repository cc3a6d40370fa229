/* shape_parameters.c: reads the parameters of one shape, and its mesh from a file.
 *
 * Room io/value. Kinds and parameters come from the registry (shape.h); nothing here knows a kind by
 * name.
 */
#include <math.h>
#include <string.h>

#include "base/suggest.h"
#include "io/reader/advice.h"
#include "io/value/beside.h"
#include "io/mesh/mesh_read.h"
#include "io/reader/number.h"
#include "io/value/shape_parts.h"

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
static double *read_rows(tn_reader *reader, int32_t node, const char *key, const char *unit,
                         int32_t width, int32_t *count)
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
        ok &= tn_read_quantities(reader, row, key, tn_measure_of(unit), width,
                                 values + (size_t)width * (size_t)i++);
    }
    if (!ok) {
        return NULL;
    }
    *count = rows;
    return values;
}

static int read_points(tn_reader *reader, int32_t node, const char *key, const char *unit,
                       tn_shape_def *def)
{
    def->points = (const tn_vec2 *)read_rows(reader, node, key, unit, 2, &def->point_count);
    return def->points != NULL;
}

static int read_vertices(tn_reader *reader, int32_t node, const char *key, const char *unit,
                         tn_shape_def *def)
{
    def->vertices = (const tn_vec3 *)read_rows(reader, node, key, unit, 3, &def->vertex_count);
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
    const char *unit = parameter->unit[0] != '\0' ? parameter->unit : NULL;
    switch (parameter->type) {
    case TN_SHAPE_PARAMETER_REAL:
        return parameter->count == 1
                   ? tn_read_quantity(reader, node, key, tn_measure_of(unit),
                                      tn_shape_reals(def, parameter))
                   : tn_read_quantities(reader, node, key, tn_measure_of(unit), parameter->count,
                                        tn_shape_reals(def, parameter));
    case TN_SHAPE_PARAMETER_INTEGER:
        return read_integer(reader, node, key, tn_shape_integer(def, parameter));
    case TN_SHAPE_PARAMETER_POINTS:
        return read_points(reader, node, key, unit, def);
    case TN_SHAPE_PARAMETER_VERTICES:
        return read_vertices(reader, node, key, unit, def);
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
    char hint[TN_HINT_SIZE], buffer[TN_HINT_SIZE];
    const char *advice = tn_advice_on_key(kind->name, text, buffer);
    tn_problem(reader, key, advice != NULL ? advice : tn_suggestion_hint(&suggestion, NULL, hint),
               "unknown key '%.100s' in %s", text, kind->name);
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
    const char *path = NULL, *why = NULL;
    char *bytes = NULL;
    size_t length = 0;
    tn_mesh mesh = {0};
    tn_status status =
        tn_read_beside(reader, node, def->file, TN_MESH_MAX_BYTES, &path, &why, &bytes, &length);
    if (status == TN_OK) {
        status = tn_mesh_parse(path, bytes, length, &mesh, reader->found);
    }
    tn_free(bytes);
    if (status == TN_OK) {
        keep_mesh(reader, &mesh, def);
    } else if (status == TN_ERROR_MEMORY) {
        reader->status = status;
    } else {
        tn_problem(reader, node, NULL, "the mesh '%.200s' cannot be used: %s", def->file,
                   why != NULL ? why : tn_status_text(status));
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

void tn_read_shape_parameters(tn_reader *reader, const tn_shape_kind_info *kind, int32_t key,
                              int32_t node, tn_shape_def *def)
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
