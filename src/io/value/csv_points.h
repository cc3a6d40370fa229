/* csv_points.h: two columns of a table in a file: {csv: {file: gust.csv, column: Fx}}.
 *
 * Room io/value. The file is comma-separated text with a line of column names (RFC 4180); lines that
 * begin with # are comments. It must be in the folder of the model file or below it.
 */
#ifndef TN_IO_VALUE_CSV_POINTS_H
#define TN_IO_VALUE_CSV_POINTS_H

#include "io/reader/reader.h"
#include "tenon/function.h"

/* The section after the key `csv` into kind, numbers and count of a function, x and y in SI units
 * where the file's are so many. 0: something was reported. */
int tn_read_csv_points(tn_reader *reader, int32_t node, double x_unit, double y_unit,
                       tn_function_def *def);

/* Members of the schema of the section. */
void tn_schema_csv(tn_json *json);

#endif
