/* field_mass.c: inertia tensors and materials.
 *
 * Room io/field.
 */
#include <math.h>
#include <string.h>

#include "io/reader/advice.h"
#include "io/reader/number.h"
#include "io/reader/table_io.h"
#include "quantity/unit.h"

/* inertia: Jzz | [Jxx, Jyy, Jzz] | [Jxx, Jyy, Jzz, Jxy, Jxz, Jyz] | 3 x 3 -------------------- */

/* Where the entries of a list of six go. */
static const int six_rows[6] = {0, 1, 2, 0, 0, 1};
static const int six_columns[6] = {0, 1, 2, 1, 2, 2};

static int read_list(tn_reader *reader, const tn_field *field, int32_t node, tn_mat3 *inertia)
{
    int32_t count = tn_get(reader, node)->count;
    double v[6];
    if (!tn_read_quantities(reader, node, field->key, tn_field_measure(reader, field), count, v)) {
        return 0;
    }
    for (int32_t i = 0; i < count; i++) {
        inertia->m[six_rows[i]][six_columns[i]] = v[i];
        inertia->m[six_columns[i]][six_rows[i]] = v[i];
    }
    return 1;
}

static int read_matrix(tn_reader *reader, const tn_field *field, int32_t node, tn_mat3 *inertia)
{
    int ok = 1;
    int32_t i = 0;
    TN_EACH(reader, node, row)
    {
        ok &= tn_read_quantities(reader, row, field->key, tn_field_measure(reader, field), 3,
                                 inertia->m[i++]);
    }
    return ok;
}

/* The number alone is for bodies that move in a plane; whether this one does is checked later. */
static int read_moment(tn_reader *reader, const tn_field *field, int32_t node, tn_mat3 *inertia)
{
    return tn_read_quantity(reader, node, field->key, tn_field_measure(reader, field),
                            &inertia->m[2][2]);
}

/* One number is no inertia in space; the kind has been read. */
static bool moves_in_space(const void *target)
{
    return ((const tn_body_def *)target)->kind == TN_BODY_RIGID;
}

static bool is_formula(const tn_reader *reader, int32_t node)
{
    return tn_node_text(reader->tree, node)[0] == '=';
}

static void report_moment(tn_reader *reader, const tn_field *field, int32_t node)
{
    char hint[TN_HINT_SIZE];
    const char *text = tn_node_text(reader->tree, node);
    const bool number = tn_number_length(text) > 0 && strpbrk(text, " ,") == NULL;
    tn_wrong_type(reader, node, field->key, "a list of 3 or 6 numbers or 3 x 3",
                  number
                      ? "[Jxx, Jyy, Jzz]; one number, Jzz, is enough where the file says 'world: "
                        "planar' or the body 'kind: planar'"
                      : tn_advice_on_vector(reader, node, 3, hint));
}

static void read_inertia(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    const tn_node *n = tn_get(reader, node);
    tn_mat3 inertia = {{{0.0}}};
    int ok = 0;
    if (n->kind == TN_NODE_SEQUENCE && n->count == 3 &&
        tn_get(reader, n->first)->kind == TN_NODE_SEQUENCE) {
        ok = read_matrix(reader, field, node, &inertia);
    } else if (n->kind == TN_NODE_SEQUENCE && (n->count == 3 || n->count == 6)) {
        ok = read_list(reader, field, node, &inertia);
    } else if (n->kind == TN_NODE_SEQUENCE) {
        tn_problem(reader, node, field->doc,
                   "'%s' must be a list of 3 or 6 numbers or 3 x 3, not of %d", field->key,
                   (int)n->count);
    } else if (n->kind == TN_NODE_SCALAR && moves_in_space(target) && !is_formula(reader, node)) {
        report_moment(reader, field, node);
    } else if (n->kind == TN_NODE_SCALAR) {
        ok = read_moment(reader, field, node, &inertia);
    } else {
        tn_wrong_type(reader, node, field->key, "a list of 3 or 6 numbers or 3 x 3", NULL);
    }
    if (ok) {
        *(tn_mat3 *)tn_field_target(field, target) = inertia;
    }
}

static void write_inertia(tn_emitter *emitter, const tn_field *field, const void *source,
                          const void *initial)
{
    (void)initial;
    const tn_mat3 *inertia = tn_field_source(field, source);
    if (isnan(inertia->m[0][0])) {
        return;
    }
    tn_emit_key(emitter, field->key);
    for (int i = 0; i < 3; i++) {
        tn_emit_raw(emitter, i == 0 ? "[" : ", ");
        tn_emit_numbers(emitter, inertia->m[i], 3);
    }
    tn_emit_raw(emitter, "]");
    tn_emit_end(emitter);
}

static void schema_alternative(tn_json *json, int32_t least, int32_t most)
{
    tn_json_open(json, NULL, '{');
    tn_schema_numbers(json, least, most);
    tn_json_close(json);
}

static void schema_inertia(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_open(json, "anyOf", '[');
    tn_json_open(json, NULL, '{');
    tn_schema_number(json);
    tn_json_close(json);
    schema_alternative(json, 3, 3);
    schema_alternative(json, 6, 6);
    tn_json_open(json, NULL, '{');
    tn_json_text(json, "type", "array");
    tn_json_open(json, "items", '{');
    tn_schema_numbers(json, 3, 3);
    tn_json_close(json);
    tn_json_number(json, "minItems", 3);
    tn_json_number(json, "maxItems", 3);
    tn_json_close(json);
    tn_json_close(json);
}

const tn_field_kind tn_field_inertia = {read_inertia, write_inertia, schema_inertia};

/* material: a name that stands for its density ----------------------------------------------- */

static void read_material(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    int32_t index = 0;
    int known = tn_read_reference(reader, node, field->key, &reader->materials, "material", &index);
    double density = known ? reader->matter[index].density : (double)NAN;
    if (known) {
        reader->material_uses[index] = TN_NO_NODE;
    }
    if (isnan(density)) {
        tn_mark_bad(reader);
        tn_note_bad(reader, "density", node);
        return;
    }
    *(double *)tn_field_target(field, target) = density;
}

static void write_material(tn_emitter *emitter, const tn_field *field, const void *source,
                           const void *initial)
{
    (void)emitter; /* the density is written */
    (void)field;
    (void)source;
    (void)initial;
}

static void schema_material(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "string");
}

const tn_field_kind tn_field_material = {read_material, write_material, schema_material};
