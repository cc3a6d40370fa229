/* field_coupling.c: couplings of coordinates: paths, ratios, forms, terms, bounds.
 *
 * Room io/field. The first coordinate of a coupling gives the unit of its value: reader->coordinate_unit,
 * which is NaN until that coordinate has been read.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "base/suggest.h"
#include "io/field/coupling_tables.h"
#include "io/reader/frame.h"
#include "io/field/function_io.h"
#include "io/field/kinds.h"

/* joint.coordinate ------------------------------------------------------------------------------
 */

/* The joint's own coordinates; NULL: its type is unknown, which has been reported. */
static const tn_joint_type_info *info_of(const tn_spec *spec, int32_t joint, tn_joint_own_info *own)
{
    tn_joint_type type;
    const tn_joint_def *def = &spec->joints[joint].def;
    if (def->type == NULL || tn_joint_type_find(def->type, &type) != TN_OK) {
        return NULL;
    }
    return tn_joint_info(type, def->data, own);
}

/* Whether the coordinate of a term is an angle. */
static bool is_angle(const tn_reader *reader, const tn_coupling_term *term)
{
    tn_joint_own_info own;
    if (term->joint.i < 0) {
        return false;
    }
    const tn_joint_type_info *info = info_of(reader->spec, term->joint.i, &own);
    const int known =
        info != NULL && term->coordinate >= 0 && term->coordinate < info->coordinate_count;
    return known && info->coordinates[term->coordinate].angular;
}

static int find_joint(tn_reader *reader, int32_t node, const char *path, size_t length,
                      int32_t *joint)
{
    const tn_names *names = &reader->names[TN_SECTION_JOINT];
    const char *name = tn_arena_text(&reader->arena, path, length);
    if (name == NULL) {
        reader->status = TN_ERROR_MEMORY;
        return 0;
    }
    *joint = tn_find_item(reader, names, node, &name, length);
    if (*joint != TN_NO_NAME) {
        return 1;
    }
    if (name == NULL) {
        return 0; /* an index in it has no value */
    }
    tn_report_unknown(reader, node, names, "joint", name);
    return 0;
}

static int find_coordinate(tn_reader *reader, int32_t node, int32_t joint, const char *name,
                           int32_t *coordinate)
{
    tn_joint_own_info own;
    const tn_joint_type_info *info = info_of(reader->spec, joint, &own);
    if (info == NULL) {
        tn_mark_bad(reader);
        return 0;
    }
    tn_suggestion suggestion = tn_suggestion_for(name);
    for (int32_t i = 0; i < info->coordinate_count; i++) {
        if (strcmp(info->coordinates[i].name, name) == 0) {
            *coordinate = i;
            return 1;
        }
        tn_suggestion_offer(&suggestion, info->coordinates[i].name);
    }
    char hint[TN_HINT_SIZE];
    tn_problem(reader, node, tn_suggestion_hint(&suggestion, NULL, hint),
               "joint '%.100s' (%s) has no coordinate '%.100s'",
               reader->spec->joints[joint].def.name, info->name, name);
    return 0;
}

/* A rack moves along a length, whatever its pinion turns by. */
static void check_unit(tn_reader *reader, const tn_field *field, int32_t node,
                       const tn_coupling_term *term, const char *path)
{
    const bool angle = is_angle(reader, term);
    if (field->unit != NULL && angle != (strcmp(field->unit, "rad") == 0)) {
        tn_problem(reader, node, NULL, "'%s': '%.100s' is %s", field->key, path,
                   angle ? "an angle, not a length" : "a length, not an angle");
    }
}

/* Names of joints may contain points: the last one counts. */
static void read_coupled(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_coupling_term *term = tn_field_target(field, target);
    const char *path = NULL;
    int32_t joint = -1, coordinate = -1;
    if (!tn_read_text(reader, node, field->key, &path)) {
        return;
    }
    const char *dot = strrchr(path, '.');
    if (dot == NULL) {
        tn_problem(reader, node, "write joint.coordinate, as in crank.theta",
                   "'%s': '%.100s' names no coordinate", field->key, path);
        return;
    }
    if (!find_joint(reader, node, path, (size_t)(dot - path), &joint) ||
        !find_coordinate(reader, node, joint, dot + 1, &coordinate)) {
        return;
    }
    term->joint.i = joint;
    term->coordinate = coordinate;
    check_unit(reader, field, node, term, path);
    if (isnan(reader->coordinate_unit)) {
        tn_begin_coordinate(reader, is_angle(reader, term));
    }
}

static void write_coupled(tn_emitter *emitter, const tn_field *field, const void *source,
                          const void *initial)
{
    (void)initial;
    const tn_coupling_term *term = tn_field_source(field, source);
    tn_joint_own_info own;
    const tn_joint_type_info *info = info_of(emitter->spec, term->joint.i, &own);
    const char *joint = tn_spec_joint(emitter->spec, term->joint)->name;
    const char *coordinate = info->coordinates[term->coordinate].name;
    const size_t size = strlen(joint) + strlen(coordinate) + 2;
    char *path = tn_alloc(1, size);
    if (path == NULL) {
        emitter->out.status = TN_ERROR_MEMORY;
        return;
    }
    snprintf(path, size, "%s.%s", joint, coordinate);
    tn_emit_key(emitter, field->key);
    tn_emit_text(emitter, path);
    tn_emit_end(emitter);
    tn_free(path);
}

static void schema_text(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "string");
}

const tn_field_kind tn_field_coupled = {read_coupled, write_coupled, schema_text};

/* a number or a fraction ------------------------------------------------------------------------
 */

#define MAX_NUMERATOR 31 /* characters */

static int read_fraction(const char *text, double *value)
{
    const char *slash = strchr(text, '/');
    if (slash == NULL) {
        return 0;
    }
    char numerator[MAX_NUMERATOR + 1];
    const size_t length = (size_t)(slash - text);
    if (length > MAX_NUMERATOR) {
        return 0;
    }
    memcpy(numerator, text, length);
    numerator[length] = 0;
    const tn_scalar above = tn_scalar_read(numerator), below = tn_scalar_read(slash + 1);
    if (above.kind != TN_SCALAR_NUMBER || below.kind != TN_SCALAR_NUMBER || below.number == 0.0) {
        return 0;
    }
    *value = above.number / below.number;
    return 1;
}

static void read_ratio(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    double *value = tn_field_target(field, target);
    if (tn_get(reader, node)->kind == TN_NODE_SCALAR &&
        read_fraction(tn_node_text(reader->tree, node), value)) {
        return;
    }
    tn_read_quantity(reader, node, field->key, tn_field_measure(reader, field), value);
}

static void write_number(tn_emitter *emitter, const tn_field *field, const void *source,
                         const void *initial)
{
    (void)initial;
    const double value = *(const double *)tn_field_source(field, source);
    if (!isnan(value)) {
        tn_emit_key(emitter, field->key);
        tn_emit_number(emitter, value);
        tn_emit_end(emitter);
    }
}

static void schema_ratio(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_open(json, "type", '[');
    tn_json_text(json, NULL, "number");
    tn_json_text(json, NULL, "string");
    tn_json_close(json);
}

const tn_field_kind tn_field_ratio = {read_ratio, write_number, schema_ratio};

/* numbers in the unit of the value --------------------------------------------------------------
 */

static tn_measure value_measure(const tn_reader *reader)
{
    const double unit = reader->coordinate_unit;
    return (tn_measure){.unit = "m, rad", .plain = isnan(unit) ? 1.0 : unit};
}

static void read_value(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_read_quantity(reader, node, field->key, value_measure(reader),
                     tn_field_target(field, target));
}

static void schema_number(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_schema_number(json);
}

const tn_field_kind tn_field_coupling_number = {read_value, write_number, schema_number};

static void read_range(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_coupling_def *def = target;
    double bounds[2] = {0.0, 0.0};
    if (tn_read_bounds(reader, node, field->key, value_measure(reader), bounds)) {
        def->lower = bounds[0];
        def->upper = bounds[1];
    }
}

static void write_range(tn_emitter *emitter, const tn_field *field, const void *source,
                        const void *initial)
{
    (void)initial;
    const tn_coupling_def *def = source;
    const double bounds[2] = {def->lower, def->upper};
    if (!isinf(bounds[0]) || !isinf(bounds[1])) {
        tn_emit_key(emitter, field->key);
        tn_emit_numbers(emitter, bounds, 2);
        tn_emit_end(emitter);
    }
}

static void schema_range(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_schema_numbers(json, 2, 2);
}

const tn_field_kind tn_field_coupling_range = {read_range, write_range, schema_range};

/* functions: y in the unit of the value, x in that of the term's coordinate ---------------------
 */

/* In a form the function is that of the second coordinate, in a term that of the only one; both
 * come before the function in their structure. */
static void read_function(tn_reader *reader, int32_t node, const char *key,
                          const tn_coupling_term *of, tn_function_def *out)
{
    tn_read_function(reader, node, key, tn_coordinate_measure(reader, is_angle(reader, of)),
                     value_measure(reader), out);
}

static void read_term_function(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_coupling_term *term = target;
    read_function(reader, node, field->key, term, &term->function);
}

static void read_form_function(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_coupling_form *form = target;
    read_function(reader, node, field->key, &form->second, &form->function);
}

static void write_function(tn_emitter *emitter, const tn_field *field, const void *source,
                           const void *initial)
{
    tn_field_function.write(emitter, field, source, initial);
}

static void schema_function(tn_json *json, const tn_field *field)
{
    tn_field_function.schema(json, field);
}

const tn_field_kind tn_field_term_function = {read_term_function, write_function, schema_function};
const tn_field_kind tn_field_form_function = {read_form_function, write_function, schema_function};

/* forms of two coordinates ----------------------------------------------------------------------
 */

static tn_coupling_term no_term(void)
{
    return (tn_coupling_term){.joint = {-1}, .ratio = (double)NAN};
}

static void read_form(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    const tn_coupling_form_class *cls = field->extra;
    tn_coupling_def *def = target;
    tn_coupling_form form = {
        .first = no_term(), .second = no_term(), .factor = (double)NAN, .offset = (double)NAN};
    tn_coupling_term *terms = tn_reader_alloc(reader, 2, sizeof(*terms));
    const int32_t before = reader->problems;
    if (terms == NULL) {
        return;
    }
    tn_read_table(reader, &cls->table, node, node, &form);
    terms[0] = form.first;
    terms[1] = form.second;
    terms[1].ratio = cls->sign * (isnan(form.factor) ? 1.0 : form.factor);
    terms[1].function = form.function;
    def->terms = terms;
    def->term_count = 2;
    def->value = isnan(form.offset) ? cls->value : form.offset;
    def->ring = cls->teeth && form.factor > 0.0;
    def->hold = form.slack ? TN_COUPLING_AT_MOST : TN_COUPLING_HELD;
    if (reader->problems != before) {
        tn_note_bad(reader, "terms", node);
    }
}

static void schema_form(tn_json *json, const tn_field *field)
{
    tn_schema_of_table(json, &((const tn_coupling_form_class *)field->extra)->table);
}

const tn_field_kind tn_field_coupling_form = {read_form, tn_write_nothing, schema_form};

/* any number of terms ---------------------------------------------------------------------------
 */

static void read_terms(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_coupling_def *def = target;
    if (!tn_want_sequence(reader, node, field->key)) {
        return;
    }
    const int32_t count = tn_get(reader, node)->count;
    tn_coupling_term *terms = tn_reader_alloc(reader, count + 1, sizeof(*terms));
    if (terms == NULL) {
        return;
    }
    int32_t i = 0;
    TN_EACH(reader, node, entry)
    {
        terms[i] = no_term();
        tn_read_table(reader, &tn_term_table, entry, entry, &terms[i++]);
    }
    def->terms = terms;
    def->term_count = count;
}

static void write_terms(tn_emitter *emitter, const tn_field *field, const void *source,
                        const void *initial)
{
    (void)initial;
    const tn_coupling_def *def = source;
    const tn_coupling_term plain = no_term();
    tn_emit_open(emitter, field->key);
    for (int32_t i = 0; i < def->term_count; i++) {
        tn_emit_open(emitter, NULL);
        tn_write_table(emitter, &tn_term_table, &def->terms[i], &plain);
        tn_emit_close(emitter, 0);
    }
    tn_emit_close(emitter, 0);
}

static void schema_terms(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "array");
    tn_json_open(json, "items", '{');
    tn_schema_of_table(json, &tn_term_table);
    tn_json_close(json);
}

const tn_field_kind tn_field_terms = {read_terms, write_terms, schema_terms};
