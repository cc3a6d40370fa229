/* shape_parts.h: the parameters of one shape; the list of shapes is field_shape.c.
 *
 * Room io/value.
 */
#ifndef TN_IO_VALUE_SHAPE_PARTS_H
#define TN_IO_VALUE_SHAPE_PARTS_H

#include "io/text/emitter.h"
#include "io/reader/field.h"
#include "io/text/json.h"
#include "tenon/shape.h"

/* Reads the mapping of a kind's parameters at node; key is the node that names the kind. */
void tn_read_shape_parameters(tn_reader *reader, const tn_shape_kind_info *kind, int32_t key,
                              int32_t node, tn_shape_def *def);

/* Writes `kind:` and the parameters that are set. */
void tn_write_shape_kind(tn_emitter *emitter, const tn_shape_def *def);

/* The members of the schema that are kinds of shapes. */
void tn_schema_shape_kinds(tn_json *json);

#endif
