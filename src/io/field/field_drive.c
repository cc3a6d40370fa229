/* field_drive.c: prescribed motion, motor, friction and spring of a joint's coordinates.
 *
 * Room io/field. Each is a mapping from names of coordinates to a section (drive_tables.c); all sections
 * of one coordinate go into one tn_drive_def of the joint.
 */
#include <math.h>

#include "io/field/drive_io.h"
#include "io/field/function_io.h"
#include "io/field/kinds.h"
#include "spec/spec_internal.h"

/* functions in the unit of the coordinate being read ------------------------------------------- */

/* What a field of the coordinate is, in the file's unit of it. */
static tn_measure own_measure(const tn_reader *reader, const tn_field *field)
{
    return (tn_measure){.unit = field->measure, .plain = reader->coordinate_unit};
}

static void read_time_function(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_read_function(reader, node, field->key, tn_time_measure(), own_measure(reader, field),
                     tn_field_target(field, target));
}

static void read_force_law(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    const tn_measure deflection = {.unit = "m, rad", .plain = reader->coordinate_unit};
    tn_read_function(reader, node, field->key, deflection, tn_measure_of(field->measure),
                     tn_field_target(field, target));
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

const tn_field_kind tn_field_time_function = {read_time_function, write_function, schema_function};
const tn_field_kind tn_field_force_law = {read_force_law, write_function, schema_function};

/* a section by coordinate; target: the joint, the table is at field->extra --------------------- */

tn_drive_def *tn_read_drive_of(tn_reader *reader, tn_joint_def *def, int32_t coordinate)
{
    tn_drive_def *drives = (tn_drive_def *)def->drives;
    for (int32_t k = 0; k < def->drive_count; k++) {
        if (drives[k].coordinate == coordinate) {
            return &drives[k];
        }
    }
    if (drives == NULL) {
        drives = tn_reader_alloc(reader, TN_MAX_COORDINATES, sizeof(*drives));
        if (drives == NULL) {
            return NULL;
        }
        def->drives = drives;
    }
    drives[def->drive_count] = tn_default_drive_def();
    drives[def->drive_count].coordinate = coordinate;
    return &drives[def->drive_count++];
}

/* A section without a key that it needs may say nothing at all, and then does nothing: a slip. */
static void check_says_something(tn_reader *reader, const tn_field *field, int32_t node)
{
    const tn_table *table = field->extra;
    const tn_node *section = tn_get(reader, node);
    if (section->kind == TN_NODE_MAPPING && section->count == 0 &&
        !(table->fields[0].flags & TN_FIELD_REQUIRED)) {
        tn_problem(reader, node, NULL, "%s without anything in it does nothing", table->title);
    }
}

static void read_section(tn_reader *reader, const tn_field *field, int32_t coordinate, int32_t node,
                         void *target)
{
    tn_drive_def *drive = tn_read_drive_of(reader, target, coordinate);
    if (drive != NULL) {
        check_says_something(reader, field, node);
        tn_read_table(reader, field->extra, node, node, drive);
    }
}

static void read_sections(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    check_says_something(reader, field, node);
    tn_read_by_coordinate(reader, field, node, read_section, target);
}

static void write_sections(tn_emitter *emitter, const tn_field *field, const void *source,
                           const void *initial)
{
    (void)initial;
    const tn_joint_def *def = source;
    const tn_drive_def none = tn_default_drive_def();
    tn_emit_open(emitter, field->key);
    for (int32_t k = 0; k < def->drive_count; k++) {
        tn_emit_open(emitter, emitter->type->coordinates[def->drives[k].coordinate].name);
        tn_write_table(emitter, field->extra, &def->drives[k], &none);
        tn_emit_close(emitter, 0);
    }
    tn_emit_close(emitter, 0);
}

static void schema_sections(tn_json *json, const tn_field *field)
{
    const tn_table *table = field->extra;
    tn_json_text(json, "type", "object");
    tn_json_open(json, "additionalProperties", '{');
    tn_schema_reference(json, table->name);
    tn_json_close(json);
}

const tn_field_kind tn_field_drives = {read_sections, write_sections, schema_sections};

/* the section of a coupling; target: its drive, the table is at field->extra --------------------
 */

static void read_own(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    const double unit = reader->coordinate_unit;
    if (isnan(unit)) {
        reader->coordinate_unit = 1.0; /* its coordinates could not be read: that is reported */
    }
    check_says_something(reader, field, node);
    tn_read_table(reader, field->extra, node, node, tn_field_target(field, target));
    reader->coordinate_unit = unit;
}

static void write_own(tn_emitter *emitter, const tn_field *field, const void *source,
                      const void *initial)
{
    (void)initial;
    const tn_drive_def none = tn_default_drive_def();
    tn_emit_open(emitter, field->key);
    tn_write_table(emitter, field->extra, tn_field_source(field, source), &none);
    tn_emit_close(emitter, 0);
}

static void schema_own(tn_json *json, const tn_field *field)
{
    tn_schema_reference(json, ((const tn_table *)field->extra)->name);
}

const tn_field_kind tn_field_own_drive = {read_own, write_own, schema_own};
