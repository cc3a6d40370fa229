/* shape_output.c: writes the parameters of one shape, and describes all kinds in the schema.
 *
 * Room io/value.
 */
#include <math.h>
#include <stdio.h>

#include "io/value/shape_parts.h"
#include "io/reader/number.h"
#include "io/reader/table_io.h"

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

void tn_write_shape_kind(tn_emitter *emitter, const tn_shape_def *def)
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

/* schema -------------------------------------------------------------------------------------- */

/* An array of arrays. */
static void schema_rows(tn_json *json, const tn_shape_parameter *p, int32_t width,
                        const char *entry)
{
    tn_json_text(json, "type", "array");
    tn_json_number(json, "minItems", p->minimum);
    tn_json_open(json, "items", '{');
    tn_json_text(json, "type", "array");
    tn_json_open(json, "items", '{');
    tn_schema_reference(json, entry);
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
            tn_schema_number(json);
        } else {
            tn_schema_numbers(json, p->count, p->count);
        }
        break;
    case TN_SHAPE_PARAMETER_INTEGER:
        tn_schema_reference(json, "count");
        break;
    case TN_SHAPE_PARAMETER_POINTS:
        schema_rows(json, p, 2, "number");
        break;
    case TN_SHAPE_PARAMETER_VERTICES:
        schema_rows(json, p, 3, "number");
        break;
    case TN_SHAPE_PARAMETER_TRIANGLES:
        schema_rows(json, p, 3, "count");
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
        tn_json_text(json, NULL, tn_shape_kind_get((tn_shape_kind)i)->name);
        tn_json_close(json);
        tn_json_close(json);
    }
    tn_json_close(json);
}
