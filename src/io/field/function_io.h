/* function_io.h: scalar functions in model files.
 *
 * Room io/field. Either a number, which is a constant, or a mapping with the kind as a key and the
 * kind's numbers in a list; points may also be pairs: {spline: [[0, 0], [1, 2], [3, 1]]}.
 */
#ifndef TN_IO_FIELD_FUNCTION_IO_H
#define TN_IO_FIELD_FUNCTION_IO_H

#include "io/text/emitter.h"
#include "io/text/json.h"
#include "io/reader/number.h"
#include "tenon/function.h"

/* Reads a function whose x and y measure this; x.unit is one unit or parted as y.unit is. The rate
 * and phase of a sine are in the file's unit of angle where x or y is an angle, otherwise in rad.
 * Numbers are the reader's until the spec has copied them. Answers 0 when something was reported;
 * *out then stays. */
int tn_read_function(tn_reader *reader, int32_t node, const char *key, tn_measure x, tn_measure y,
                     tn_function_def *out);

/* Of the time. */
static inline tn_measure tn_time_measure(void)
{
    return tn_measure_of("s");
}

/* The value after a key, in SI units and rad: a number or {kind: [...]}. Callbacks have no form:
 * the caller leaves them out. */
void tn_emit_function(tn_emitter *emitter, const tn_function_def *def);

/* Members of the schema of a function. */
void tn_schema_function(tn_json *json);

#endif
