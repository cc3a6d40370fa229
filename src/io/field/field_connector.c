/* field_connector.c: other ways of writing connectors: blocks of distances, pulls to a target.
 *
 * Room io/field. Both are read only: the writer uses the type and the springs they stand for.
 */
#include <string.h>

#include "io/field/drive_io.h"
#include "io/field/function_io.h"
#include "io/field/kinds.h"

/* block: true of a rod or a distance ----------------------------------------------------------- */

static void read_block(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_joint_type type;
    const tn_scalar scalar = tn_node_scalar(reader, node);
    if (scalar.kind != TN_SCALAR_BOOL) {
        tn_wrong_type(reader, node, field->key, "true or false", NULL);
        return;
    }
    if (reader->type == NULL || scalar.number == 0.0) {
        return; /* an unknown type has been reported */
    }
    if (reader->type->block == NULL) {
        tn_problem(reader, node, "type: rod", "only a rod or a distance can be a block, not a %s",
                   reader->type->name);
        return;
    }
    *(const char **)tn_field_target(field, target) = reader->type->block;
    if (tn_joint_type_find(reader->type->block, &type) == TN_OK) {
        reader->type = tn_joint_type_get(type);
    }
}

static void schema_block(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_json_text(json, "type", "boolean");
}

const tn_field_kind tn_field_block = {read_block, tn_write_nothing, schema_block};

/* a switch that is off unless it is given ------------------------------------------------------ */

static void read_flag(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_field_truth.read(reader, field, node, target);
}

static void write_flag(tn_emitter *emitter, const tn_field *field, const void *source,
                       const void *initial)
{
    (void)initial;
    if (*(const int32_t *)tn_field_source(field, source) != 0) {
        tn_emit_key(emitter, field->key);
        tn_emit_raw(emitter, "true");
        tn_emit_end(emitter);
    }
}

static void schema_flag(tn_json *json, const tn_field *field)
{
    tn_field_truth.schema(json, field);
}

const tn_field_kind tn_field_flag = {read_flag, write_flag, schema_flag};

/* targets by coordinate ------------------------------------------------------------------------ */

static void read_target(tn_reader *reader, const tn_field *field, int32_t coordinate, int32_t node,
                        void *target)
{
    tn_function_def *targets = tn_field_target(field, target);
    const tn_measure measure = {.unit = field->measure, .plain = reader->coordinate_unit};
    tn_read_function(reader, node, field->key, tn_time_measure(), measure, &targets[coordinate]);
}

static void read_targets(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_read_by_coordinate(reader, field, node, read_target, target);
}

static void schema_targets(tn_json *json, const tn_field *field)
{
    tn_json_text(json, "type", "object");
    tn_json_open(json, "additionalProperties", '{');
    tn_field_function.schema(json, field);
    tn_json_close(json);
}

const tn_field_kind tn_field_targets = {read_targets, tn_write_nothing, schema_targets};

/* a pull --------------------------------------------------------------------------------------- */

/* In a planar world nothing moves along z; a pull along it all the same is reported later. */
static int is_pulled(const tn_reader *reader, const tn_pull *pull, int32_t i)
{
    const tn_coordinate_info *coordinate = &reader->type->coordinates[i];
    if (pull->target[i].kind != TN_FUNCTION_NONE) {
        return 1;
    }
    return !coordinate->angular && !(reader->planar && strcmp(coordinate->name, "z") == 0);
}

static void read_pull(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_pull pull = {.each = tn_default_drive_def()};
    ((tn_joint_def *)target)->round = 1;
    tn_read_table(reader, field->extra, node, node, &pull);
    for (int32_t i = 0; reader->type != NULL && i < reader->type->coordinate_count; i++) {
        if (!is_pulled(reader, &pull, i)) {
            continue;
        }
        tn_drive_def *drive = tn_read_drive_of(reader, target, i);
        if (drive != NULL) {
            drive->spring = pull.each.spring;
            drive->spring.rest = pull.target[i];
        }
    }
}

static void schema_pull(tn_json *json, const tn_field *field)
{
    tn_schema_reference(json, ((const tn_table *)field->extra)->name);
}

const tn_field_kind tn_field_pull = {read_pull, tn_write_nothing, schema_pull};
