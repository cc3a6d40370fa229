/* csv_table.h: test support: tables of numbers with named columns from tests/data/mechanisms.
 *
 * First line: column names; then one row of numbers a line. Asserts when a file or column is not
 * there: a test without its reference must not pass.
 */
#ifndef TENON_TESTS_CSV_TABLE_H
#define TENON_TESTS_CSV_TABLE_H

enum { CSV_MAX_COLUMNS = 24, CSV_NAME_SIZE = 24 };

typedef struct csv_table {
    int row_count, column_count;
    char names[CSV_MAX_COLUMNS][CSV_NAME_SIZE];
    double *values; /* [row_count][column_count] */
} csv_table;

/* name is relative to tests/data/mechanisms and has no suffix. */
csv_table csv_table_read(const char *name);
void csv_table_free(csv_table *table);
int csv_table_column(const csv_table *table, const char *name);
double csv_table_at(const csv_table *table, int row, const char *column);

#endif
