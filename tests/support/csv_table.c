/* csv_table.c: test support: see csv_table.h. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv_table.h"

enum { LINE_SIZE = 4096 };

static void read_names(csv_table *table, char *line)
{
    for (char *word = strtok(line, ",\r\n"); word; word = strtok(NULL, ",\r\n")) {
        ck_assert_int_lt(table->column_count, CSV_MAX_COLUMNS);
        snprintf(table->names[table->column_count++], CSV_NAME_SIZE, "%s", word);
    }
}

static void read_row(csv_table *table, char *line)
{
    const size_t columns = (size_t)table->column_count;
    table->values =
        realloc(table->values, sizeof(double) * columns * ((size_t)table->row_count + 1));
    ck_assert_ptr_nonnull(table->values);
    double *row = table->values + columns * (size_t)table->row_count++;
    char *at = line;
    for (size_t k = 0; k < columns; k++) {
        char *end;
        row[k] = strtod(at, &end);
        ck_assert_msg(end != at, "not a number: %s", at);
        at = *end == ',' ? end + 1 : end;
    }
}

csv_table csv_table_read(const char *name)
{
    char path[512], line[LINE_SIZE];
    snprintf(path, sizeof path, "%s/mechanisms/%s.csv", TN_TEST_DATA, name);
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "cannot read %s", path);
    csv_table table = {0};
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    read_names(&table, line);
    while (fgets(line, sizeof line, file))
        read_row(&table, line);
    fclose(file);
    ck_assert_int_gt(table.row_count, 0);
    return table;
}

void csv_table_free(csv_table *table)
{
    free(table->values);
    table->values = NULL;
}

int csv_table_column(const csv_table *table, const char *name)
{
    for (int k = 0; k < table->column_count; k++)
        if (strcmp(table->names[k], name) == 0)
            return k;
    ck_abort_msg("no column %s", name);
    return -1;
}

double csv_table_at(const csv_table *table, int row, const char *column)
{
    return table->values[row * table->column_count + csv_table_column(table, column)];
}
