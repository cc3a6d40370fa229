/* field_flexible.c: what flexible bodies are made of: numbers with bounds, sides of sections, corners, elastic
 * materials and directions without elasticity.
 *
 * Room io/field. The writer writes the bodies and joints that come of it.
 */
#include <math.h>
#include <string.h>

#include "io/field/flexible_io.h"
#include "io/field/kinds.h"
#include "io/reader/number.h"

const tn_bounds tn_positive = {0.0, (double)INFINITY, false, "positive"};
const tn_bounds tn_not_negative = {0.0, (double)INFINITY, true, "0 or more"};

/* bounded: a number within bounds ---------------------------------------------------------------- */

static bool is_within(tn_reader *reader, int32_t node, const char *key, const tn_bounds *bounds,
                      double value)
{
    const bool above = value > bounds->lower || (bounds->with_lower && value == bounds->lower);
    if (above && value <= bounds->upper) {
        return true;
    }
    tn_problem(reader, node, NULL, "'%s' must be %s, is %g", key, bounds->must, value);
    return false;
}

static void read_bounded(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    double value = 0.0;
    if (tn_read_quantity(reader, node, field->key, tn_field_measure(reader, field), &value) &&
        is_within(reader, node, field->key, field->extra, value)) {
        *(double *)tn_field_target(field, target) = value;
    }
}

static void schema_number(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_schema_number(json);
}

const tn_field_kind tn_field_bounded = {read_bounded, tn_write_nothing, schema_number};

/* sides: two positive numbers, of y and z; with extra set one number may stand for both ----------- */

static void read_sides(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    const tn_measure measure = tn_field_measure(reader, field);
    const bool one = field->extra != NULL && tn_vector_size(reader, node) == 0;
    double v[2];
    const int ok = one ? tn_read_quantity(reader, node, field->key, measure, &v[0])
                       : tn_read_quantities(reader, node, field->key, measure, 2, v);
    if (!ok) {
        return;
    }
    v[1] = one ? v[0] : v[1];
    if (is_within(reader, node, field->key, &tn_positive, fmin(v[0], v[1]))) {
        memcpy(tn_field_target(field, target), v, sizeof(v));
    }
}

static void schema_sides(tn_json *json, const tn_field *field)
{
    if (field->extra == NULL) {
        tn_schema_numbers(json, 2, 2);
        return;
    }
    tn_schema_number_or_list(json, 2, 2);
}

const tn_field_kind tn_field_sides = {read_sides, tn_write_nothing, schema_sides};

/* corners: a list of points ---------------------------------------------------------------------- */

static void read_corners(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_cable_form *form = target;
    if (!tn_want_sequence(reader, node, field->key)) {
        return;
    }
    const int32_t count = tn_get(reader, node)->count;
    tn_vec3 *points = tn_reader_alloc(reader, count, sizeof(*points));
    int32_t read = 0;
    if (points == NULL) {
        return;
    }
    TN_EACH(reader, node, entry)
    {
        double v[3];
        if (tn_read_quantities(reader, entry, field->key, tn_field_measure(reader, field), 3, v)) {
            points[read++] = (tn_vec3){v[0], v[1], v[2]};
        }
    }
    form->points = points;
    form->count = read;
}

static void schema_corners(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_schema_places(json, 2, 0);
}

const tn_field_kind tn_field_corners = {read_corners, tn_write_nothing, schema_corners};

/* elastic: a material by its name, with young and poisson ----------------------------------------- */

static void read_elastic(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    int32_t index = 0;
    if (!tn_read_reference(reader, node, field->key, &reader->materials, "material", &index)) {
        return;
    }
    const tn_material *material = &reader->matter[index];
    reader->material_uses[index] = TN_NO_NODE;
    if (isnan(material->density)) {
        tn_mark_bad(reader); /* has been reported */
        reader->problems++;
        reader->untold++;
    } else if (isnan(material->young) || isnan(material->poisson)) {
        tn_problem(reader, node, "steel: {density: 7850, young: 210 GPa, poisson: 0.3}",
                   "the material '%.100s' has no %s", tn_node_text(reader->tree, node),
                   isnan(material->young) ? "young" : "poisson");
    } else {
        *(tn_material *)tn_field_target(field, target) = *material;
    }
}

static void schema_text(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "string");
}

const tn_field_kind tn_field_elastic = {read_elastic, tn_write_nothing, schema_text};

/* rigid: directions without elasticity ------------------------------------------------------------ */

static const struct {
    const char *word;
    int32_t bit;
} directions[] = {
    {"stretch", TN_RIGID_STRETCH}, {"shear", TN_RIGID_SHEAR}, {"twist", TN_RIGID_TWIST}};

static void read_rigid(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    int32_t *rigid = tn_field_target(field, target);
    if (!tn_want_sequence(reader, node, field->key)) {
        return;
    }
    TN_EACH(reader, node, entry)
    {
        const char *text = NULL;
        int32_t bit = 0;
        if (!tn_read_text(reader, entry, field->key, &text)) {
            continue;
        }
        for (size_t i = 0; i < TN_COUNT_OF(directions); i++) {
            bit |= strcmp(text, directions[i].word) == 0 ? directions[i].bit : 0;
        }
        if (bit == 0) {
            tn_problem(reader, entry, "stretch, shear, twist",
                       "'%.100s' is no direction of a beam that may be rigid", text);
        }
        *rigid |= bit;
    }
}

static void schema_rigid(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "array");
    tn_json_open(json, "items", '{');
    tn_json_open(json, "enum", '[');
    for (size_t i = 0; i < TN_COUNT_OF(directions); i++) {
        tn_json_text(json, NULL, directions[i].word);
    }
    tn_json_close(json);
    tn_json_close(json);
}

const tn_field_kind tn_field_rigid = {read_rigid, tn_write_nothing, schema_rigid};
