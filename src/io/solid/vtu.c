/* vtu.c: room io/solid: VTK's XML files of an unstructured grid in one piece, ASCII (VTK file formats, 2010).
 *
 * Read are the arrays of points, connectivity, offsets and types; others are left out. Angle brackets are blanks: what is in
 * between are words, and an array ends with the word /DataArray. They have no groups: holds of such a mesh take nodes by their
 * place.
 */
#include <string.h>

#include "base/base.h"
#include "io/solid/volume.h"

/* Arrays that make a grid. */
enum { POINTS, CONNECTIVITY, OFFSETS, TYPES, ARRAYS };

typedef struct vtu {
    tn_volume *v;
    tn_mesh_text *text;
    double *values[ARRAYS]; /* [count] */
    int32_t count[ARRAYS], capacity[ARRAYS];
    int32_t line[ARRAYS]; /* where they begin */
    int32_t pieces;
    bool in_points;
} vtu;

static tn_status refuse(vtu *f, const char *what)
{
    return tn_volume_refuse(f->v, tn_mesh_text_place(f->text), what);
}

/* Does the word contain this? */
static bool has(const tn_mesh_word *word, const char *part)
{
    const size_t length = strlen(part);
    bool found = false;
    for (size_t i = 0; i + length <= word->length && !found; i++) {
        found = memcmp(word->text + i, part, length) == 0;
    }
    return found;
}

static tn_status add_value(vtu *f, int array, double value)
{
    double *grown = tn_grow(f->values[array], &f->capacity[array], f->count[array] + 1,
                            sizeof *f->values[array]);
    if (grown == NULL) {
        return TN_ERROR_MEMORY;
    }
    f->values[array] = grown;
    grown[f->count[array]++] = value;
    return TN_OK;
}

/* Which of them an array is, by its attributes, to the first number; -1: another one. */
static tn_status read_attributes(vtu *f, tn_mesh_word *word, int *array)
{
    static const char *const names[ARRAYS] = {NULL, "Name=\"connectivity\"", "Name=\"offsets\"",
                                              "Name=\"types\""};
    double value = 0.0;
    bool ascii = false;
    *array = f->in_points ? POINTS : -1;
    while (tn_mesh_text_next_word(f->text, word) && !tn_mesh_word_is(word, "/dataarray") &&
           !tn_mesh_word_real(word, &value)) {
        ascii = ascii || has(word, "format=\"ascii\"");
        for (int k = CONNECTIVITY; k < ARRAYS; k++) {
            *array = has(word, names[k]) ? k : *array;
        }
    }
    return ascii || *array < 0 ? TN_OK : refuse(f, "the array is binary: save it as ASCII");
}

static tn_status read_array(vtu *f)
{
    tn_mesh_word word = {0};
    int array = -1;
    double value = 0.0;
    tn_status status = read_attributes(f, &word, &array);
    if (status != TN_OK || array < 0) {
        return status;
    }
    if (f->count[array] > 0) {
        return refuse(f, "an array is there twice: one piece is read");
    }
    f->line[array] = word.place.line;
    bool more = !tn_mesh_word_is(&word, "/dataarray");
    while (more && status == TN_OK) {
        status = tn_mesh_word_real(&word, &value) ? add_value(f, array, value)
                                                  : refuse(f, "this is no number");
        more = tn_mesh_text_next_word(f->text, &word) && !tn_mesh_word_is(&word, "/dataarray");
    }
    return status;
}

static tn_status add_points(vtu *f)
{
    tn_status status = f->count[POINTS] % 3 == 0 ? TN_OK : refuse(f, "a point has 3 coordinates");
    for (int32_t i = 0; i < f->count[POINTS] / 3 && status == TN_OK; i++) {
        const double *p = f->values[POINTS] + 3 * (size_t)i;
        status = tn_volume_add_node(f->v, i, (tn_vec3){p[0], p[1], p[2]});
    }
    return status;
}

static bool is_whole(double value, double most)
{
    return value >= 0.0 && value <= most && value == (double)(int64_t)value;
}

static tn_status add_cells(vtu *f)
{
    const int32_t cells = f->count[TYPES], all = f->count[CONNECTIVITY];
    int64_t nodes[TN_ELEMENT_NODES];
    int32_t from = 0;
    tn_status status =
        cells == f->count[OFFSETS] ? TN_OK : refuse(f, "offsets are not as many as types");
    for (int32_t i = 0; i < cells && status == TN_OK; i++) {
        const double end = f->values[OFFSETS][i], type = f->values[TYPES][i];
        if (!is_whole(end, all) || end < from || !is_whole(type, 255.0)) {
            return refuse(f, "offsets must be whole numbers that ascend, types from 0 to 255");
        }
        const int32_t count = (int32_t)end - from;
        for (int32_t k = 0; k < count && k < TN_ELEMENT_NODES && status == TN_OK; k++) {
            const double node = f->values[CONNECTIVITY][from + k];
            nodes[k] = is_whole(node, TN_MAX_SOLID_NODES) ? (int64_t)node : -1;
            status = nodes[k] < 0 ? refuse(f, "connectivity must be numbers of points") : TN_OK;
        }
        if (status == TN_OK) {
            status =
                tn_volume_add_vtk_cell(f->v, (int64_t)type, count, nodes, f->line[CONNECTIVITY]);
        }
        from = (int32_t)end;
    }
    return status;
}

static tn_status read_words(vtu *f)
{
    tn_mesh_word word;
    tn_status status = TN_OK;
    bool good = false;
    while (status == TN_OK && tn_mesh_text_next_word(f->text, &word)) {
        good = good || has(&word, "type=\"UnstructuredGrid\"");
        f->in_points = tn_mesh_word_is(&word, "points") ||
                       (f->in_points && !tn_mesh_word_is(&word, "/points"));
        f->pieces += tn_mesh_word_is(&word, "piece");
        if (tn_mesh_word_is(&word, "appendeddata")) {
            status = refuse(f, "the arrays are appended: save it as ASCII");
        } else if (tn_mesh_word_is(&word, "dataarray")) {
            status =
                good ? read_array(f) : refuse(f, "this is no VTU file of an unstructured grid");
        }
    }
    return status == TN_OK && (!good || f->pieces != 1)
               ? refuse(f, "this is no VTU file of an unstructured grid in one piece")
               : status;
}

tn_status tn_volume_read_vtu(tn_volume *v, tn_mesh_text *text)
{
    const size_t size = (size_t)(text->end - text->at);
    char *copy = tn_alloc(1, size + 1);
    if (copy == NULL) {
        return TN_ERROR_MEMORY;
    }
    for (size_t i = 0; i < size; i++) {
        const char c = text->at[i];
        copy[i] = c == '<' || c == '>' ? ' ' : c;
    }
    tn_mesh_text words = tn_mesh_text_open(text->name, copy, size);
    vtu f = {.v = v, .text = &words};
    tn_status status = read_words(&f);
    status = status == TN_OK ? add_points(&f) : status;
    status = status == TN_OK ? add_cells(&f) : status;
    for (int k = 0; k < ARRAYS; k++) {
        tn_free(f.values[k]);
    }
    tn_free(copy);
    return status;
}
