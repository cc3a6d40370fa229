/* csv_points.c: two columns of a table in a file (csv_points.h).
 *
 * In: the section. Out: points (x, scale y). Order of work: read the section, take the file's text,
 * find both columns in the first line, then go through the lines; a problem in the file names it
 * with its line.
 */
#include "io/value/csv_points.h"

#include <string.h>

#include "base/suggest.h"
#include "io/value/beside.h"
#include "io/reader/table_io.h"
#include "tenon/limits.h"

/* The longest cell that is a number or a name. */
#define CELL_SIZE 128

typedef struct csv_source {
    const char *file, *column, *x; /* x NULL: the first column */
    int32_t interpolation;         /* index in interpolations */
    double scale;
} csv_source;

static const char *interpolation_word(int32_t index)
{
    static const char *const words[] = {"linear", "cubic"};
    return index < (int32_t)TN_COUNT_OF(words) ? words[index] : NULL;
}

static const tn_words interpolations = {interpolation_word};

static const tn_field csv_fields[] = {
    {TN_FIELD("file", text, csv_source, file),
     .doc = "Name of the file, in the folder of the model or below it.",
     .flags = TN_FIELD_REQUIRED},
    {TN_FIELD("column", text, csv_source, column),
     .doc = "Name of the column of values, in its first line.", .flags = TN_FIELD_REQUIRED},
    {TN_FIELD("x", text, csv_source, x),
     .doc = "Name of the column they belong to, times for instance; default the first one."},
    {TN_FIELD("interpolation", word, csv_source, interpolation),
     .doc = "Between the lines: linear (default) or cubic, a natural spline.",
     .extra = &interpolations},
    {TN_FIELD("scale", number, csv_source, scale),
     .doc = "The values are multiplied by this; default 1."},
};

static const tn_table csv_table = {
    .title = "a csv table", .section = TN_NO_SECTION, TN_FIELDS(csv_fields)};

/* Where reading stands in the text of a file. */
typedef struct csv_text {
    tn_reader *reader;
    int32_t node;     /* of the section, for messages */
    const char *file; /* as the model names it */
    const char *at, *end;
    int32_t line;
} csv_text;

static int complain(const csv_text *text, const char *what)
{
    tn_problem(text->reader, text->node, NULL, "'%.200s' line %d: %s", text->file, (int)text->line,
               what);
    return 0;
}

/* The next cell of a line without its quotes and outer blanks; *last: the line ends with it. */
static int next_cell(csv_text *text, char cell[CELL_SIZE], bool *last)
{
    size_t length = 0;
    bool quoted = false;
    const char *c = text->at;
    for (; c < text->end && (quoted || (*c != ',' && *c != '\n')); c++) {
        if (*c == '"') {
            quoted = !quoted;
        } else if (*c != '\r' && (length > 0 || *c != ' ')) {
            if (length + 1 >= CELL_SIZE) {
                return complain(text, "a cell is too long");
            }
            cell[length++] = *c;
        }
    }
    while (length > 0 && cell[length - 1] == ' ') {
        length--;
    }
    cell[length] = '\0';
    *last = c == text->end || *c == '\n';
    text->at = c < text->end ? c + 1 : c;
    return 1;
}

/* Past comments and empty lines; false at the end of the text. */
static bool next_line(csv_text *text)
{
    while (text->at < text->end && strchr("#\r\n", *text->at) != NULL) {
        const char *stop = memchr(text->at, '\n', (size_t)(text->end - text->at));
        text->at = stop != NULL ? stop + 1 : text->end;
        text->line++;
    }
    return text->at < text->end;
}

/* Columns of x and y by their names. */
static int find_columns(csv_text *text, const csv_source *source, int32_t columns[2])
{
    char cell[CELL_SIZE], hint[TN_HINT_SIZE];
    bool last = !next_line(text);
    tn_suggestion suggestion = tn_suggestion_for(source->column);
    columns[0] = source->x != NULL ? -1 : 0;
    columns[1] = -1;
    for (int32_t i = 0; !last; i++) {
        if (!next_cell(text, cell, &last)) {
            return 0;
        }
        columns[0] = source->x != NULL && strcmp(cell, source->x) == 0 ? i : columns[0];
        columns[1] = strcmp(cell, source->column) == 0 ? i : columns[1];
        tn_suggestion_offer(&suggestion, cell);
    }
    text->line++;
    if (columns[0] < 0 || columns[1] < 0) {
        tn_problem(text->reader, text->node, tn_suggestion_hint(&suggestion, NULL, hint),
                   "'%.200s' has no column '%.100s'", text->file,
                   columns[0] < 0 ? source->x : source->column);
        return 0;
    }
    return 1;
}

/* Both numbers of a line. */
static int read_line(csv_text *text, const int32_t columns[2], double point[2])
{
    char cell[CELL_SIZE];
    bool last = false;
    int found = 0;
    for (int32_t i = 0; !last; i++) {
        if (!next_cell(text, cell, &last)) {
            return 0;
        }
        for (int k = 0; k < 2; k++) {
            if (columns[k] != i) {
                continue;
            }
            const tn_scalar scalar = tn_scalar_read(cell);
            if (scalar.kind != TN_SCALAR_NUMBER) {
                return complain(text, "a cell that is used holds no number");
            }
            point[k] = scalar.number;
            found++;
        }
    }
    return found == 2 || complain(text, "the line is too short");
}

static int32_t count_lines(const char *bytes, size_t size)
{
    int32_t count = 1;
    for (size_t i = 0; i < size; i++) {
        count += bytes[i] == '\n';
    }
    return count;
}

static int read_points(csv_text *text, const csv_source *source, int32_t room, tn_function_def *def,
                       const double units[2])
{
    int32_t columns[2];
    if (!find_columns(text, source, columns)) {
        return 0;
    }
    double *points = tn_reader_alloc(text->reader, 2 * room, sizeof(double));
    int ok = points != NULL;
    def->count = 0;
    for (; ok && next_line(text); text->line++) {
        ok = read_line(text, columns, points + def->count);
        points[def->count] *= units[0];
        points[def->count + 1] *= source->scale * units[1];
        if (ok && def->count >= 2 && !(points[def->count] > points[def->count - 2])) {
            ok = complain(text, "x must grow from line to line");
        }
        def->count += 2;
    }
    def->numbers = points;
    return ok;
}

int tn_read_csv_points(tn_reader *reader, int32_t node, double x_unit, double y_unit,
                       tn_function_def *def)
{
    csv_source source = {.scale = 1.0};
    const int32_t before = reader->problems;
    tn_read_table(reader, &csv_table, node, node, &source);
    if (reader->problems != before || source.file == NULL) {
        return 0;
    }
    const char *path = NULL, *why = NULL;
    char *bytes = NULL;
    size_t size = 0;
    const tn_status status =
        tn_read_beside(reader, node, source.file, TN_MAX_TABLE, &path, &why, &bytes, &size);
    if (status == TN_ERROR_MEMORY) {
        reader->status = status;
        return 0;
    }
    if (status != TN_OK) {
        tn_problem(reader, node, "put it into the folder of the model, or below it",
                   "the file '%.200s' cannot be read: %s", source.file, why);
        return 0;
    }
    csv_text text = {reader, node, source.file, bytes, bytes + size, 1};
    def->kind = source.interpolation == 0 ? TN_FUNCTION_TABLE : TN_FUNCTION_SPLINE;
    const int ok = read_points(&text, &source, count_lines(bytes, size) + 1, def,
                               (const double[]){x_unit, y_unit});
    tn_free(bytes);
    return ok;
}

void tn_schema_csv(tn_json *json)
{
    tn_schema_of_table(json, &csv_table);
}
