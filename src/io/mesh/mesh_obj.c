/* mesh_obj.c (room: io/mesh): Wavefront OBJ, as far as it describes polygons.
 *
 *     v x y z [w | r g b]     a vertex; what follows the three numbers is ignored
 *     f a b c ...             a polygon; a corner is i, i/t, i//n or i/t/n; i from 1, or negative:
 *                             counted back from the last vertex so far
 * Polygons become fans from their first corner, which leaves volume integrals of plane ones exact,
 * convex or not. Normals, textures, names, groups, materials, points and lines are passed over;
 * curved surfaces are refused, since without them the solid would be another. All problems of a
 * file are reported, up to a limit.
 */
#include "io/mesh/mesh_formats.h"

#include <string.h>

#include "base/base.h"
#include "io/mesh/mesh_text.h"

/* Problems reported before the rest of a file is given up. */
#define MAX_PROBLEMS 20

typedef struct obj_reader {
    tn_mesh_text text;
    tn_mesh_builder *builder;
    tn_diagnostics *diags;
    int32_t *merged; /* vertex of the file -> vertex of the mesh */
    int32_t merged_capacity;
    int32_t vertex_count;
    int32_t problem_count;
} obj_reader;

typedef enum statement {
    STATEMENT_VERTEX,
    STATEMENT_FACE,
    STATEMENT_PASSED,
    STATEMENT_CURVED
} statement;

static const struct {
    const char *word;
    statement statement;
} STATEMENTS[] = {
    {"v", STATEMENT_VERTEX},         {"f", STATEMENT_FACE},        {"fo", STATEMENT_FACE},
    {"vt", STATEMENT_PASSED},        {"vn", STATEMENT_PASSED},     {"vp", STATEMENT_PASSED},
    {"g", STATEMENT_PASSED},         {"o", STATEMENT_PASSED},      {"s", STATEMENT_PASSED},
    {"mg", STATEMENT_PASSED},        {"p", STATEMENT_PASSED},      {"l", STATEMENT_PASSED},
    {"usemtl", STATEMENT_PASSED},    {"mtllib", STATEMENT_PASSED}, {"usemap", STATEMENT_PASSED},
    {"maplib", STATEMENT_PASSED},    {"bevel", STATEMENT_PASSED},  {"c_interp", STATEMENT_PASSED},
    {"d_interp", STATEMENT_PASSED},  {"lod", STATEMENT_PASSED},    {"shadow_obj", STATEMENT_PASSED},
    {"trace_obj", STATEMENT_PASSED}, {"cstype", STATEMENT_CURVED}, {"deg", STATEMENT_CURVED},
    {"bmat", STATEMENT_CURVED},      {"step", STATEMENT_CURVED},   {"curv", STATEMENT_CURVED},
    {"curv2", STATEMENT_CURVED},     {"surf", STATEMENT_CURVED},   {"parm", STATEMENT_CURVED},
    {"trim", STATEMENT_CURVED},      {"hole", STATEMENT_CURVED},   {"scrv", STATEMENT_CURVED},
    {"sp", STATEMENT_CURVED},        {"end", STATEMENT_CURVED},    {"con", STATEMENT_CURVED},
};

/* Reports one problem at a word, quoting it; always TN_ERROR_INPUT. */
static tn_status refuse(obj_reader *reader, const tn_mesh_word *word, const char *problem)
{
    char quote[TN_MESH_QUOTE_SIZE];
    reader->problem_count++;
    tn_diagnostics_add(reader->diags, TN_ERROR, TN_ERROR_INPUT, word->place, NULL, "%s: '%s'",
                       problem, tn_mesh_word_quote(word, quote));
    return TN_ERROR_INPUT;
}

static tn_status read_vertex(obj_reader *reader, const tn_mesh_word *keyword)
{
    double value[3];
    for (int k = 0; k < 3; k++) {
        tn_mesh_word word;
        if (!tn_mesh_text_word(&reader->text, &word)) {
            return refuse(reader, keyword, "a vertex has three numbers");
        }
        if (!tn_mesh_word_real(&word, &value[k])) {
            return refuse(reader, &word, "expected a number");
        }
    }
    if (reader->vertex_count == INT32_MAX) {
        return refuse(reader, keyword, "too many vertices");
    }
    int32_t *grown = tn_grow(reader->merged, &reader->merged_capacity, reader->vertex_count + 1,
                             sizeof *reader->merged);
    if (grown == NULL) {
        return TN_ERROR_MEMORY;
    }
    reader->merged = grown;
    tn_status status = tn_mesh_builder_vertex(
        reader->builder, (tn_vec3){value[0], value[1], value[2]}, &grown[reader->vertex_count]);
    if (status == TN_OK) {
        reader->vertex_count++;
    }
    return status;
}

/* The whole number before the first slash; false when there is none or it does not fit. */
static bool corner_number(const tn_mesh_word *word, int64_t *number)
{
    size_t i = 0;
    bool negative = word->text[0] == '-';
    i += negative || word->text[0] == '+' ? 1 : 0;
    size_t first_digit = i;
    *number = 0;
    for (; i < word->length && word->text[i] >= '0' && word->text[i] <= '9'; i++) {
        *number = 10 * *number + (word->text[i] - '0');
        if (*number > INT32_MAX) {
            return false;
        }
    }
    *number = negative ? -*number : *number;
    return i > first_digit && (i == word->length || word->text[i] == '/');
}

static tn_status read_corner(obj_reader *reader, const tn_mesh_word *word, int32_t *vertex)
{
    int64_t number;
    if (!corner_number(word, &number)) {
        return refuse(reader, word, "expected the number of a vertex");
    }
    int64_t index = number < 0 ? reader->vertex_count + number : number - 1;
    if (number == 0 || index < 0 || index >= reader->vertex_count) {
        return refuse(reader, word, "no such vertex so far");
    }
    *vertex = reader->merged[index];
    return TN_OK;
}

static tn_status read_face(obj_reader *reader, const tn_mesh_word *keyword)
{
    int32_t first = 0, last = 0, corner = 0, count = 0;
    tn_mesh_word word;
    while (tn_mesh_text_word(&reader->text, &word)) {
        if (word.text[0] == '#') {
            break;
        }
        tn_status status = read_corner(reader, &word, &corner);
        if (status == TN_OK && count >= 2) {
            status = tn_mesh_builder_triangle(reader->builder, first, last, corner);
        }
        if (status != TN_OK) {
            return status;
        }
        first = count == 0 ? corner : first;
        last = corner;
        count++;
    }
    return count >= 3 ? TN_OK : refuse(reader, keyword, "a face has at least three corners");
}

static tn_status read_statement(obj_reader *reader, const tn_mesh_word *keyword)
{
    for (size_t i = 0; i < TN_COUNT_OF(STATEMENTS); i++) {
        if (!tn_mesh_word_is(keyword, STATEMENTS[i].word)) {
            continue;
        }
        switch (STATEMENTS[i].statement) {
        case STATEMENT_VERTEX:
            return read_vertex(reader, keyword);
        case STATEMENT_FACE:
            return read_face(reader, keyword);
        case STATEMENT_PASSED:
            return TN_OK;
        case STATEMENT_CURVED:
            return refuse(reader, keyword, "curves and curved surfaces are not supported");
        }
    }
    return refuse(reader, keyword, "unknown statement");
}

/* Goes on after wrong input, to report all of it; not after anything else. */
static tn_status read_lines(obj_reader *reader)
{
    tn_mesh_text *text = &reader->text;
    do {
        tn_mesh_word keyword;
        if (!tn_mesh_text_word(text, &keyword) || keyword.text[0] == '#') {
            continue;
        }
        tn_status status = read_statement(reader, &keyword);
        if (status != TN_OK && status != TN_ERROR_INPUT) {
            return status;
        }
        if (reader->problem_count >= MAX_PROBLEMS) {
            tn_diagnostics_add(reader->diags, TN_ERROR, TN_ERROR_INPUT, tn_mesh_text_place(text),
                               NULL, "the rest of the file is not read");
            return TN_ERROR_INPUT;
        }
    } while (tn_mesh_text_next_line(text));
    return reader->problem_count > 0 ? TN_ERROR_INPUT : TN_OK;
}

tn_status tn_mesh_read_obj(const char *name, const void *bytes, size_t size,
                           tn_mesh_builder *builder, tn_diagnostics *diags)
{
    obj_reader reader = {
        .text = tn_mesh_text_open(name, bytes, size), .builder = builder, .diags = diags};
    tn_status status = read_lines(&reader);
    tn_free(reader.merged);
    return status;
}
