/* tables.h: the tables of the model format, as kinds of fields name them.
 *
 * Room io/field. The tables themselves are in room io/section.
 */
#ifndef TN_IO_FIELD_TABLES_H
#define TN_IO_FIELD_TABLES_H

#include "io/text/emitter.h"
#include "io/reader/field.h"
#include "io/text/json.h"
#include "io/reader/reader.h"

extern const tn_table tn_model_table; /* the top level of a file; target: tn_file_head */
extern const tn_table tn_pose_table, tn_shape_table, tn_body_table, tn_joint_table, tn_axis_table,
    tn_marker_table, tn_material_table, tn_simulation_table, tn_record_table;

/* Every table that has a definition of its own in the schema; NULL after the last one. */
extern const tn_table *const tn_named_tables[];

/* Of everything that stands in a section by its name. */
#define TN_REPEAT_FIELD                                                                            \
    {                                                                                              \
        .key = "repeat", .kind = &tn_field_repeat,                                                 \
        .doc = "Makes it so often, name[0], name[1], ...: 4, or [first, last]; 'index' counts in " \
               "formulas, {k: 4} names it otherwise.",                                             \
        .flags = TN_FIELD_READ_ONLY                                                                \
    }

/* A part made, and where. */
typedef struct tn_instance {
    const char *part;
    int32_t part_node; /* where it is named */
    bool placed;
    tn_pose pose;
} tn_instance;

extern const tn_table tn_instance_table;

/* Whether a key of a model may stand in a part, and the schema of parts (field_parts.c). */
bool tn_is_part_key(const tn_field *field);
void tn_schema_part(tn_json *json);

/* Keys of shapes beside those of their table (field_shape.c). */
int tn_read_shape_kind(tn_reader *reader, int32_t key, int32_t value, void *target);
const char *tn_shape_key(const tn_reader *reader, int32_t index);

/* Keys of joints beside those of their table: the parameters of the type (field_joint.c). */
int tn_read_joint_parameter(tn_reader *reader, int32_t key, int32_t value, void *target);
void tn_write_joint_parameters(tn_emitter *emitter, const void *source);
const char *tn_joint_key(const tn_reader *reader, int32_t index);
void tn_schema_joint_types(tn_json *json);

#endif
