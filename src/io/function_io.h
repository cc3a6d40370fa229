/* function_io.h: scalar functions in model files.
 *
 * Room io. Either a number, which is a constant, or a mapping with the kind as a key and the
 * kind's numbers in a list; points may also be pairs: {spline: [[0, 0], [1, 2], [3, 1]]}.
 */
#ifndef TN_IO_FUNCTION_IO_H
#define TN_IO_FUNCTION_IO_H

#include "io/emitter.h"
#include "io/json.h"
#include "io/reader.h"
#include "tenon/function.h"

/* Reads a function whose x and y are in the given units (SI per unit of the file). The rate and
 * phase of a sine of or from an angle are in the file's unit of angle, others in rad. Numbers are
 * the reader's until the spec has copied them. Answers 0 when something was reported; *out then
 * stays. */
int tn_read_function(tn_reader *reader, int32_t node, const char *key, double x_unit, double y_unit,
                     tn_function_def *out);

/* The value after a key, in SI units and rad: a number or {kind: [...]}. Callbacks have no form:
 * the caller leaves them out. */
void tn_emit_function(tn_emitter *emitter, const tn_function_def *def);

/* Members of the schema of a function. */
void tn_schema_function(tn_json *json);

#endif
