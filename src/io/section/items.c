/* items.c: bodies, joints, markers and materials: from an entry of their section to the spec.
 *
 * Room io/section. An item with problems is added all the same, with defaults where it could not be read,
 * so that the items after it keep their index and their references can be checked; the whole spec
 * is thrown away at the end.
 */
#include <math.h>
#include <string.h>

#include "io/field/coupling_tables.h"
#include "io/value/placing.h"
#include "io/reader/table_io.h"
#include "io/section/sections.h"

/* Takes the name of an item into a table; an unusable one is reported. */
static void take_name(tn_reader *reader, tn_names *names, int32_t key, int32_t index)
{
    const tn_node *n = tn_get(reader, key);
    const char *name = reader->item_name;
    if (tn_node_scalar(reader, key).kind != TN_SCALAR_TEXT) {
        tn_problem(reader, key, "put it in quotes", "a name must be a text");
    }
    const size_t length = name == tn_node_text(reader->tree, key) ? (size_t)n->count : strlen(name);
    const int32_t first = tn_names_find(names, name, length);
    if (first != TN_NO_NAME) {
        tn_problem(reader, key, NULL, "the name is used twice");
        tn_note_bad(reader, "name", key);
    } else if (tn_names_add(names, name, length, index) != TN_OK) {
        reader->status = TN_ERROR_MEMORY;
    }
}

void tn_enter_item(tn_reader *reader, tn_saved *saved, const tn_item_class *item_class, int32_t key,
                   int32_t index)
{
    tn_section section = (tn_section)item_class->section;
    tn_enter(reader, saved, section, index, item_class->what, reader->item_name);
    take_name(reader, &reader->names[section], key, index);
}

void tn_leave_item(tn_reader *reader, const tn_saved *saved, tn_status added)
{
    tn_leave(reader, saved);
    if (added != TN_OK) {
        reader->status = added;
    }
}

void tn_read_body(tn_reader *reader, const tn_item_class *item_class, int32_t key, int32_t value)
{
    tn_saved saved;
    tn_enter_item(reader, &saved, item_class, key, reader->spec->body_count);
    tn_body_def def = tn_default_body_def();
    def.kind = reader->planar ? TN_BODY_PLANAR : def.kind;
    def.name = reader->name;
    def.at = tn_node_location(reader, key);
    tn_read_table(reader, item_class->table, value, key, &def);
    tn_place_body(reader, &def);
    tn_leave_item(reader, &saved, tn_spec_add_body(reader->spec, &def, NULL));
}

/* The way of placing that is served by exactly the given keys; 0 when there is none. */
static int find_placement(const tn_table *table, uint64_t seen, tn_placement *placement)
{
    for (int way = 0; way <= TN_PLACE_ORIGIN; way++) {
        int matches = 1;
        for (int32_t i = 0; i < table->field_count; i++) {
            uint32_t serves = table->fields[i].placements;
            int given = (seen >> i & 1) != 0;
            matches &= serves == 0 || given == ((serves >> way & 1) != 0);
        }
        if (matches) {
            *placement = (tn_placement)way;
            return 1;
        }
    }
    return 0;
}

void tn_read_joint(tn_reader *reader, const tn_item_class *item_class, int32_t key, int32_t value)
{
    tn_saved saved;
    tn_enter_item(reader, &saved, item_class, key, reader->spec->joint_count);
    tn_joint_def def = tn_default_joint_def();
    def.name = reader->name;
    def.at = tn_node_location(reader, key);
    reader->type = NULL;
    uint64_t seen = tn_read_table(reader, item_class->table, value, key, &def);
    if (tn_get(reader, value)->kind == TN_NODE_MAPPING &&
        !find_placement(item_class->table, seen, &def.placement)) {
        tn_problem(reader, key,
                   "frame | frame_a and frame_b | frame_c and frame_d | origin and axis | origin",
                   "the joint must be placed in exactly one way");
    }
    tn_place_joint(reader, &def);
    tn_leave_item(reader, &saved, tn_spec_add_joint(reader->spec, &def, NULL));
    reader->type = NULL;
}

void tn_read_marker(tn_reader *reader, const tn_item_class *item_class, int32_t key, int32_t value)
{
    tn_saved saved;
    tn_enter_item(reader, &saved, item_class, key, reader->spec->marker_count);
    tn_marker_def def = tn_default_marker_def();
    def.name = reader->name;
    def.at = tn_node_location(reader, key);
    tn_read_table(reader, item_class->table, value, key, &def);
    tn_place_marker(reader, &def);
    tn_leave_item(reader, &saved, tn_spec_add_marker(reader->spec, &def, NULL));
}

void tn_read_coupling(tn_reader *reader, const tn_item_class *item_class, int32_t key,
                      int32_t value)
{
    tn_saved saved;
    tn_enter_item(reader, &saved, item_class, key, reader->spec->coupling_count);
    tn_coupling_def def = tn_default_coupling_def();
    def.name = reader->name;
    def.at = tn_node_location(reader, key);
    reader->coordinate_unit = (double)NAN; /* that of the first coordinate, once it is known */
    reader->coordinate_kind = TN_COORDINATE_UNKNOWN;
    tn_read_table(reader, item_class->table, value, key, &def);
    reader->coordinate_kind = TN_COORDINATE_UNKNOWN;
    tn_leave_item(reader, &saved, tn_spec_add_coupling(reader->spec, &def, NULL));
}

/* Materials are not part of a spec: they end as densities, so they are checked here. */
void tn_read_material(tn_reader *reader, const tn_item_class *item_class, int32_t key,
                      int32_t value)
{
    tn_saved saved;
    tn_enter(reader, &saved, TN_SECTION_WORLD, 0, item_class->what, reader->item_name);
    take_name(reader, &reader->materials, key, reader->material_count);
    tn_material material = {(double)NAN, (double)NAN, (double)NAN, (double)NAN, 0, (double)NAN};
    int32_t before = reader->problems;
    tn_read_table(reader, item_class->table, value, key, &material);
    if (reader->problems == before && !(material.density > 0.0)) {
        tn_problem(reader, key, NULL, "density must be positive, is %g", material.density);
    }
    if (reader->problems != before) {
        material.density = (double)NAN;
    }
    tn_material *grown = tn_grow(reader->matter, &reader->material_capacity,
                                 reader->material_count + 1, sizeof(*grown));
    int32_t *uses = grown != NULL ? tn_grow(reader->material_uses, &reader->use_capacity,
                                            reader->material_count + 1, sizeof(*uses))
                                  : NULL;
    const tn_status status = uses != NULL ? TN_OK : TN_ERROR_MEMORY;
    if (grown != NULL) {
        reader->matter = grown;
    }
    if (uses != NULL) {
        reader->material_uses = uses;
        uses[reader->material_count] = key;
        reader->matter[reader->material_count++] = material;
    }
    tn_leave_item(reader, &saved, status);
}

int32_t tn_emitted_bodies(const tn_emitter *emitter)
{
    return tn_spec_body_count(emitter->spec);
}

int32_t tn_emitted_joints(const tn_emitter *emitter)
{
    return tn_spec_joint_count(emitter->spec);
}

int32_t tn_emitted_markers(const tn_emitter *emitter)
{
    return tn_spec_marker_count(emitter->spec);
}

int32_t tn_emitted_couplings(const tn_emitter *emitter)
{
    return tn_spec_coupling_count(emitter->spec);
}

int32_t tn_emitted_materials(const tn_emitter *emitter)
{
    (void)emitter;
    return 0;
}

void tn_write_body(tn_emitter *emitter, const tn_item_class *item_class, int32_t index)
{
    const tn_body_def *def = tn_spec_body(emitter->spec, (tn_body){index});
    tn_body_def initial = tn_default_body_def();
    if (tn_spec_world(emitter->spec)->kind == TN_WORLD_PLANAR) {
        initial.kind = TN_BODY_PLANAR;
    }
    tn_emit_open(emitter, def->name);
    tn_write_table(emitter, item_class->table, def, &initial);
    tn_emit_close(emitter, 1);
}

void tn_write_joint(tn_emitter *emitter, const tn_item_class *item_class, int32_t index)
{
    const tn_joint_def *def = tn_spec_joint(emitter->spec, (tn_joint){index});
    const tn_joint_def initial = tn_default_joint_def();
    tn_joint_type type;
    if (tn_joint_type_find(def->type, &type) != TN_OK) {
        return; /* a valid spec has no such joint */
    }
    emitter->type = tn_joint_info(type, def->data, &emitter->own_type);
    emitter->placement = 1u << def->placement;
    tn_emit_open(emitter, def->name);
    tn_write_table(emitter, item_class->table, def, &initial);
    tn_emit_close(emitter, 1);
}

void tn_write_coupling(tn_emitter *emitter, const tn_item_class *item_class, int32_t index)
{
    const tn_coupling_def *def = tn_spec_coupling(emitter->spec, (tn_coupling){index});
    const tn_coupling_def initial = tn_default_coupling_def();
    tn_emit_open(emitter, def->name);
    tn_write_table(emitter, item_class->table, def, &initial);
    tn_emit_close(emitter, 1);
}

void tn_write_marker(tn_emitter *emitter, const tn_item_class *item_class, int32_t index)
{
    const tn_marker_def *def = tn_spec_marker(emitter->spec, (tn_marker){index});
    const tn_marker_def initial = tn_default_marker_def();
    tn_emit_open(emitter, def->name);
    tn_write_table(emitter, item_class->table, def, &initial);
    tn_emit_close(emitter, 1);
}

void tn_write_no_item(tn_emitter *emitter, const tn_item_class *item_class, int32_t index)
{
    (void)emitter;
    (void)item_class;
    (void)index;
}
