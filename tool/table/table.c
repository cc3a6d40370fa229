/* table.c: see table.h. */
#include "table/table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/meshes.h"
#include "tool.h"

/* ---- one line ---- */

/* The field at *at, without its quotes, in place; moves *at behind it, to NULL after the last. */
static char *next_field(char **at)
{
    char *field = *at, *out = field, *in = field;
    const bool quoted = *in == '"';
    in += quoted;
    while (*in != '\0' && (quoted || *in != ',')) {
        if (quoted && *in == '"' && *++in != '"')
            break;
        *out++ = *in++;
    }
    while (*in != '\0' && *in != ',')
        in++; /* what stands behind the closing quote */
    *at = *in == ',' ? in + 1 : NULL;
    *out = '\0';
    return field;
}

static int count_fields(const char *line)
{
    int count = 1;
    bool quoted = false;
    for (const char *c = line; *c != '\0'; c++) {
        quoted ^= *c == '"';
        count += *c == ',' && !quoted;
    }
    return count;
}

/* Copies of all fields of a line; NULL: out of memory. */
static char **copy_fields(char *line, int count)
{
    char **fields = calloc((size_t)count, sizeof *fields);
    char *at = line;
    bool good = fields != NULL;
    for (int i = 0; good && i < count; i++) {
        char *field = at != NULL ? next_field(&at) : line + strlen(line);
        while (*field == ' ')
            field++;
        fields[i] = strdup(field);
        good = fields[i] != NULL;
    }
    if (good)
        return fields;
    for (int i = 0; fields != NULL && i < count; i++)
        free(fields[i]);
    free(fields);
    return NULL;
}

static double number_of(const char *text)
{
    char *end = NULL;
    const double value = strtod(text, &end);
    return end != text && end[strspn(end, " \t")] == '\0' ? value : NAN;
}

/* ---- the file ---- */

#define UNITS "# units:"

/* The text of the line of units, kept until the columns are counted. */
static bool read_comment(char **units, const char *line)
{
    if (strncmp(line, UNITS, strlen(UNITS)) != 0 || *units != NULL)
        return true;
    *units = strdup(line + strlen(UNITS));
    return *units != NULL;
}

static bool read_names(tool_table *table, char *line)
{
    const int count = count_fields(line);
    table->names = copy_fields(line, count);
    table->columns = table->names != NULL ? count : 0;
    return table->names != NULL;
}

static bool read_row(tool_table *table, char *line)
{
    if (table->rows == table->capacity) {
        const long capacity = table->capacity > 0 ? 2 * table->capacity : 1024;
        double *values = realloc(table->values,
                                 (size_t)capacity * (size_t)table->columns * sizeof *table->values);
        if (values == NULL)
            return false;
        table->values = values;
        table->capacity = capacity;
    }
    double *row = table->values + table->rows++ * table->columns;
    char *at = line;
    for (int i = 0; i < table->columns; i++)
        row[i] = at != NULL ? number_of(next_field(&at)) : NAN;
    return true;
}

static bool read_line(tool_table *table, char **units, char *line)
{
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0] == '#')
        return read_comment(units, line);
    if (line[0] == '\0')
        return true;
    return table->columns == 0 ? read_names(table, line) : read_row(table, line);
}

/* False: out of memory. */
static bool read_lines(FILE *stream, tool_table *table)
{
    char *line = NULL, *units = NULL;
    size_t size = 0;
    bool good = true;
    while (good && getline(&line, &size, stream) >= 0)
        good = read_line(table, &units, line);
    if (good && units != NULL && table->columns > 0) {
        table->units = copy_fields(units, table->columns);
        good = table->units != NULL;
    }
    free(line);
    free(units);
    return good;
}

/* Keys of YAML, or JSON, where names of columns would be. */
static bool is_no_table(const tool_table *table)
{
    const char *name = table->columns > 0 ? table->names[0] : "";
    const char *colon = strchr(name, ':');
    return name[0] == '{' || (colon != NULL && (colon[1] == ' ' || colon[1] == '\0'));
}

int tool_table_read(const char *path, tool_table *out)
{
    *out = (tool_table){0};
    FILE *stream = tool_open_results(path);
    if (stream == NULL)
        return TOOL_BAD_INPUT;
    if (tool_is_hdf5(path)) {
        fclose(stream);
        return tool_table_read_hdf5(path, out);
    }
    const bool good = read_lines(stream, out);
    const bool broken = ferror(stream) != 0;
    if (!good) {
        tool_error("%s: out of memory", path);
    } else if (broken) {
        tool_error("%s: cannot be read: %s", path, strerror(errno));
    } else if (is_no_table(out)) {
        tool_error("%s: is no table of results; 'tenon run MODEL --csv FILE' writes one", path);
    } else if (out->rows == 0) {
        tool_error("%s: has no rows of numbers", path);
    }
    fclose(stream);
    return good && !broken && !is_no_table(out) && out->rows > 0 ? TOOL_OK : TOOL_BAD_INPUT;
}

void tool_table_free(tool_table *table)
{
    for (int i = 0; i < table->columns; i++) {
        if (table->names != NULL)
            free(table->names[i]);
        if (table->units != NULL)
            free(table->units[i]);
    }
    free(table->names);
    free(table->units);
    free(table->values);
    *table = (tool_table){0};
}

/* ---- what is in it ---- */

bool tool_table_has_numbers(const tool_table *table, int column)
{
    for (long row = 0; row < table->rows; row++) {
        if (!isnan(tool_table_at(table, row, column)))
            return true;
    }
    return false;
}

/* Behind some names stands a remark: "loop.lambda2 (not unique)". */
static size_t name_length(const char *name)
{
    const char *remark = strstr(name, " (");
    return remark != NULL ? (size_t)(remark - name) : strlen(name);
}

static bool is_name(const char *name, const char *word)
{
    return strlen(word) == name_length(name) && strncmp(name, word, strlen(word)) == 0;
}

static bool is_of_thing(const char *name, const char *word)
{
    const size_t length = strlen(word);
    return strncmp(name, word, length) == 0 && name[length] == '.';
}

static bool is_last_name(const char *name, const char *word)
{
    const size_t length = strlen(word), whole = name_length(name);
    return whole > length && name[whole - length - 1] == '.' &&
           strncmp(name + whole - length, word, length) == 0;
}

int tool_table_find(const tool_table *table, const char *word, bool *chosen)
{
    static bool (*const ways[])(const char *name, const char *word) = {is_name, is_of_thing,
                                                                       is_last_name};
    int found = 0;
    for (size_t way = 0; way < sizeof ways / sizeof ways[0] && found == 0; way++) {
        for (int i = 0; i < table->columns; i++) {
            chosen[i] = ways[way](table->names[i], word);
            found += chosen[i];
        }
    }
    return found;
}
