/* tables.h: the sections of the model format.
 *
 * Room io.
 */
#ifndef TN_IO_TABLES_H
#define TN_IO_TABLES_H

#include "io/emitter.h"
#include "io/field.h"
#include "io/json.h"
#include "io/reader.h"

/* The simulation section before a file says anything, with marks of what it has not said; and what
 * that then is. */
tn_simulation_def tn_simulation_unsaid(void);
void tn_simulation_settle(tn_simulation_def *def, const tn_record_def *record);

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

/* A material is its density so far. */
typedef struct tn_material {
    double density; /* kg/m^3 */
} tn_material;

/* Items (items.c). Each begins with its name, which others may refer to, and ends with what adding
 * it to the spec gave. */
void tn_enter_item(tn_reader *reader, tn_saved *saved, const tn_item_class *item_class, int32_t key,
                   int32_t index);
void tn_leave_item(tn_reader *reader, const tn_saved *saved, tn_status added);
void tn_read_body(tn_reader *reader, const tn_item_class *item_class, int32_t key, int32_t value);
void tn_read_joint(tn_reader *reader, const tn_item_class *item_class, int32_t key, int32_t value);
void tn_read_marker(tn_reader *reader, const tn_item_class *item_class, int32_t key, int32_t value);
void tn_read_material(tn_reader *reader, const tn_item_class *item_class, int32_t key,
                      int32_t value);
int32_t tn_emitted_bodies(const tn_emitter *emitter);
int32_t tn_emitted_joints(const tn_emitter *emitter);
int32_t tn_emitted_markers(const tn_emitter *emitter);
int32_t tn_emitted_materials(const tn_emitter *emitter);
void tn_write_body(tn_emitter *emitter, const tn_item_class *item_class, int32_t index);
void tn_write_joint(tn_emitter *emitter, const tn_item_class *item_class, int32_t index);
void tn_write_marker(tn_emitter *emitter, const tn_item_class *item_class, int32_t index);
void tn_write_no_item(tn_emitter *emitter, const tn_item_class *item_class, int32_t index);

/* Keys of shapes beside those of their table (field_shape.c). */
int tn_read_shape_kind(tn_reader *reader, int32_t key, int32_t value, void *target);
const char *tn_shape_key(const tn_reader *reader, int32_t index);
void tn_schema_shape_kinds(tn_json *json);

/* Keys of joints beside those of their table: the parameters of the type (field_joint.c). */
int tn_read_joint_parameter(tn_reader *reader, int32_t key, int32_t value, void *target);
void tn_write_joint_parameters(tn_emitter *emitter, const void *source);
const char *tn_joint_key(const tn_reader *reader, int32_t index);
void tn_schema_joint_types(tn_json *json);

#endif
