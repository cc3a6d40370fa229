/* table.h: a table of numbers from a file of comma-separated values (RFC 4180), or from a motion
 * recorded as HDF5, with the same names.
 *
 * The first line that is no comment names the columns. Lines that begin with # are comments; one that
 * says `# units: s,rad,N` gives each column its unit. Fields that are empty or no numbers are NaN.
 *
 * Room tool/table, in: files of numbers. Out: columns with names and units, and plots of them.
 */
#ifndef TN_TOOL_TABLE_H
#define TN_TOOL_TABLE_H

#include <stdbool.h>

typedef struct tool_table {
    char **names; /* [columns] */
    char **units; /* [columns]; NULL: the file does not say */
    int columns;
    double *values; /* [rows][columns] */
    long rows;
    long capacity;
} tool_table;

/* TOOL_OK, or TOOL_BAD_INPUT with a message. Release in any case. */
int tool_table_read(const char *path, tool_table *out);
void tool_table_free(tool_table *table);

/* table_hdf5.c: whether a file begins as one of HDF5; what tool_table_read does then. */
bool tool_is_hdf5(const char *path);
int tool_table_read_hdf5(const char *path, tool_table *out);

static inline double tool_table_at(const tool_table *table, long row, int column)
{
    return table->values[row * table->columns + column];
}

/* Whether a column has a number in any row. */
bool tool_table_has_numbers(const tool_table *table, int column);

/* What a word stands for: the column of that name; else all columns of that thing ("elbow" for
 * elbow.fx, elbow.fy); else all with that last name ("theta" for crank.theta). Sets chosen[columns]
 * and returns how many. */
int tool_table_find(const tool_table *table, const char *word, bool *chosen);

#endif
