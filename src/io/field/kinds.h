/* kinds.h: room io/field: what kinds of fields ask of each other.
 *
 * In: a field of a table and the node, or the value, that is its. Out: as of every kind (field.h): the
 * value read, or a problem reported; its text; its schema. One file a kind, or a few that are alike.
 */
#ifndef TN_IO_FIELD_KINDS_H
#define TN_IO_FIELD_KINDS_H

#include "io/reader/table_io.h"

/* Of kinds that are read as another way of saying what the writer says elsewhere. */
void tn_write_nothing(tn_emitter *emitter, const tn_field *field, const void *source,
                      const void *initial);

/* Goes through a mapping from the coordinates of reader->type; `one` reads the value of each that
 * exists, with reader->coordinate_unit set. */
typedef void (*tn_coordinate_reader)(tn_reader *reader, const tn_field *field, int32_t coordinate,
                                     int32_t node, void *target);
void tn_read_by_coordinate(tn_reader *reader, const tn_field *field, int32_t node,
                           tn_coordinate_reader one, void *target);

/* Notes the unit of angle that the file with this topmost node declares (field_basic.c). */
void tn_find_angle(tn_tree *tree, int32_t root);

/* A word of the field's list, as its index; reports what is none. */
void tn_read_word(tn_reader *reader, const tn_field *field, int32_t node, void *target);

/* The writer's `angle` says this rotation (field_vector.c). */
int tn_written_as_turn(const tn_emitter *emitter, const tn_quat *q);

#endif
