/* sections.h: room io/section: the sections of a model file, item by item.
 *
 * In: the node of an item, or the spec and an index. Out: the item read by its table and added to the
 * spec, or everything that is wrong with it; its text. Sections are tables of fields (tables.h).
 */
#ifndef TN_IO_SECTION_SECTIONS_H
#define TN_IO_SECTION_SECTIONS_H

#include "io/field/tables.h"

/* The simulation section before a file says anything, with marks of what it has not said; and what
 * that then is. */
tn_simulation_def tn_simulation_unsaid(void);
void tn_simulation_settle(tn_simulation_def *def, const tn_record_def *record);

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
/* flexible.c: beside its items, for those of solid.c: enters the name of what one has made, and has the model room for so
 * many elements or nodes? */
void tn_enter_made_name(tn_reader *reader, int32_t key, tn_section section, const char *what,
                        const char *name, int32_t index);
bool tn_has_room_for(tn_reader *reader, int32_t key, int32_t elements);
/* solid.c: a solid of a form, if that is good, or what its name stands for otherwise. */
struct tn_flexible_form;
void tn_read_solid(tn_reader *reader, int32_t key, int32_t value,
                   const struct tn_flexible_form *form, bool good);
void tn_read_flexible(tn_reader *reader, const tn_item_class *item_class, int32_t key,
                      int32_t value);
int32_t tn_emitted_bodies(const tn_emitter *emitter);
int32_t tn_emitted_joints(const tn_emitter *emitter);
int32_t tn_emitted_markers(const tn_emitter *emitter);
int32_t tn_emitted_materials(const tn_emitter *emitter);
void tn_write_body(tn_emitter *emitter, const tn_item_class *item_class, int32_t index);
void tn_write_joint(tn_emitter *emitter, const tn_item_class *item_class, int32_t index);
void tn_write_marker(tn_emitter *emitter, const tn_item_class *item_class, int32_t index);
void tn_write_no_item(tn_emitter *emitter, const tn_item_class *item_class, int32_t index);

/* The same of couplings (items.c), loads (load_tables.c) and measures (measure_tables.c). */
void tn_read_coupling(tn_reader *reader, const tn_item_class *item_class, int32_t key,
                      int32_t value);
int32_t tn_emitted_couplings(const tn_emitter *emitter);
void tn_write_coupling(tn_emitter *emitter, const tn_item_class *item_class, int32_t index);
void tn_read_load(tn_reader *reader, const tn_item_class *item_class, int32_t key, int32_t value);
int32_t tn_emitted_loads(const tn_emitter *emitter);
void tn_write_load(tn_emitter *emitter, const tn_item_class *item_class, int32_t index);
void tn_read_measure(tn_reader *reader, const tn_item_class *item_class, int32_t key,
                     int32_t value);
int32_t tn_emitted_measures(const tn_emitter *emitter);
void tn_write_measure(tn_emitter *emitter, const tn_item_class *item_class, int32_t index);

#endif
