/* vtk.c: room io/solid: legacy VTK files of an unstructured grid, ASCII, up to version 4.2 (VTK file formats, 2010).
 *
 * They have no groups: holds of such a mesh take nodes by their place. Cells of less than three dimensions are left out.
 */
#include <string.h>

#include "base/base.h"
#include "io/solid/volume.h"

typedef struct vtk {
    tn_volume *v;
    tn_mesh_text *text;
    int64_t *cells; /* [cell_size] each: how many nodes, nodes */
    int32_t *lines; /* [cell_count] */
    int64_t cell_count, cell_size;
} vtk;

static tn_status refuse(vtk *f, const char *what)
{
    return tn_volume_refuse(f->v, tn_mesh_text_place(f->text), what);
}

/* A count of what is in a file, which is of no more bytes. */
static bool count_of(vtk *f, int64_t *value)
{
    if (!tn_volume_integer(f->v, f->text, value)) {
        return false;
    }
    if (*value < 0 || *value > f->text->end - f->text->at) {
        refuse(f, "there are not so many in the file");
        return false;
    }
    return true;
}

static tn_status read_points(vtk *f)
{
    int64_t count = 0;
    tn_mesh_word type;
    tn_status status = TN_OK;
    if (!count_of(f, &count)) {
        return TN_ERROR_INPUT;
    }
    if (!tn_mesh_text_next_word(f->text, &type)) {
        return refuse(f, "the file ends where the type of the POINTS is expected");
    }
    for (int64_t i = 0; i < count && status == TN_OK; i++) {
        tn_vec3 p;
        status =
            tn_volume_point(f->v, f->text, &p) ? tn_volume_add_node(f->v, i, p) : TN_ERROR_INPUT;
    }
    return status;
}

static tn_status read_cells(vtk *f)
{
    if (f->cells != NULL || !count_of(f, &f->cell_count) || !count_of(f, &f->cell_size)) {
        return f->cells != NULL ? refuse(f, "a second list of CELLS") : TN_ERROR_INPUT;
    }
    f->cells = TN_NEW_ARRAY(int64_t, f->cell_size + 1);
    f->lines = TN_NEW_ARRAY(int32_t, f->cell_count + 1);
    if (f->cells == NULL || f->lines == NULL) {
        return TN_ERROR_MEMORY;
    }
    int64_t at = 0;
    for (int64_t i = 0; i < f->cell_count; i++) {
        int64_t count = 0;
        if (at >= f->cell_size || !tn_volume_integer(f->v, f->text, &count)) {
            return refuse(f, "CELLS are not as many as they say");
        }
        f->lines[i] = f->text->line;
        f->cells[at++] = count;
        if (count < 0 || count > f->cell_size - at) {
            return refuse(f, "CELLS are not as many as they say");
        }
        for (int64_t k = 0; k < count; k++) {
            if (!tn_volume_integer(f->v, f->text, &f->cells[at++])) {
                return TN_ERROR_INPUT;
            }
        }
    }
    return TN_OK;
}

/* Numbers of cells of less than three dimensions: up to the pixel, and quadratic ones. */
static bool is_flat(int64_t type)
{
    return (type >= 1 && type <= 9) || (type >= 21 && type <= 23) || type == 28;
}

tn_status tn_volume_add_vtk_cell(tn_volume *v, int64_t type, int64_t count, const int64_t *nodes,
                                 int32_t line)
{
    int kind = 0;
    while (kind < TN_ELEMENT_KIND_COUNT && tn_element_type_of((tn_element_kind)kind)->vtk != type) {
        kind++;
    }
    if (is_flat(type)) {
        return TN_OK;
    }
    if (kind == TN_ELEMENT_KIND_COUNT || count != tn_element_kind_nodes((tn_element_kind)kind)) {
        return tn_volume_refuse(
            v, (tn_location){v->name, line, 0},
            "cells of this type are not supported: 10, 12, 13, 14, 24 .. 27, 29");
    }
    tn_volume_element element = {.kind = (tn_element_kind)kind, .line = line};
    memcpy(element.nodes, nodes, sizeof(int64_t) * (size_t)count);
    return tn_volume_add_element(v, &element);
}

static tn_status read_types(vtk *f)
{
    int64_t count = 0, at = 0;
    if (!count_of(f, &count)) {
        return TN_ERROR_INPUT;
    }
    if (f->cells == NULL || count != f->cell_count) {
        return refuse(f, "CELL_TYPES are not as many as CELLS");
    }
    tn_status status = TN_OK;
    for (int64_t i = 0; i < count && status == TN_OK; i++) {
        int64_t type = 0;
        status =
            tn_volume_integer(f->v, f->text, &type)
                ? tn_volume_add_vtk_cell(f->v, type, f->cells[at], f->cells + at + 1, f->lines[i])
                : TN_ERROR_INPUT;
        at += 1 + f->cells[at];
    }
    return status;
}

/* "# vtk DataFile Version 3.0", a title, ASCII. */
static tn_status read_head(vtk *f)
{
    tn_mesh_word word;
    double version = 0.0;
    bool good = true;
    for (int i = 0; i < 5 && good; i++) {
        good = tn_mesh_text_word(f->text, &word);
    }
    if (!good || !tn_mesh_word_real(&word, &version)) {
        return refuse(f, "this is no legacy VTK file");
    }
    if (version >= 5.0) {
        return refuse(f, "save it as version 4.2 or before: cells of later ones are not read");
    }
    tn_mesh_text_next_line(f->text);
    tn_mesh_text_next_line(f->text);
    if (!tn_mesh_text_next_word(f->text, &word) || !tn_mesh_word_is(&word, "ascii")) {
        return refuse(f, "the file is binary: save it as ASCII");
    }
    return TN_OK;
}

tn_status tn_volume_read_vtk(tn_volume *v, tn_mesh_text *text)
{
    vtk f = {.v = v, .text = text};
    tn_mesh_word word;
    tn_status status = read_head(&f);
    while (status == TN_OK && tn_mesh_text_next_word(text, &word)) {
        status = tn_mesh_word_is(&word, "points")       ? read_points(&f)
                 : tn_mesh_word_is(&word, "cells")      ? read_cells(&f)
                 : tn_mesh_word_is(&word, "cell_types") ? read_types(&f)
                                                        : TN_OK;
    }
    tn_free(f.cells);
    tn_free(f.lines);
    return status;
}
