/* read.c: from the text of a model file to a spec (io.h).
 *
 * Room io. Stages: text -> tree of nodes (tree.c) -> definitions by the tables (read_table.c and
 * the field kinds) -> validation (spec/validate.h), which knows from the places what has been
 * reported already. Problems are handed on sorted by line. A spec comes out only when there are
 * none.
 */
#include "tenon/io.h"

#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "io/locale_scope.h"
#include "io/reader.h"
#include "io/tables.h"
#include "spec/validate.h"

#define NAMELESS "model"

static void free_reader(tn_reader *reader)
{
    for (int i = 0; i < TN_SECTION_COUNT; i++) {
        tn_names_free(&reader->names[i]);
    }
    tn_names_free(&reader->materials);
    tn_free(reader->densities);
    tn_arena_free(&reader->arena);
}

static tn_status set_head(tn_spec *spec, tn_file_head *head, const char *file)
{
    head->world.at.file = head->simulation.at.file = head->record.at.file = file;
    tn_status status = tn_spec_set_world(spec, &head->world);
    if (status == TN_OK) {
        status = tn_spec_set_simulation(spec, &head->simulation);
    }
    return status == TN_OK ? tn_spec_set_record(spec, &head->record) : status;
}

/* Fills the spec from the tree; problems go into found. */
static tn_status read_tree(const tn_tree *tree, tn_spec *spec, const char *file,
                           tn_diagnostics *found)
{
    tn_reader reader = {.tree = tree,
                        .spec = spec,
                        .file = file,
                        .found = found,
                        .angle = 1.0,
                        .field_place = -1,
                        .sub_place = -1};
    tn_file_head head = {tn_default_world_def(), tn_default_simulation_def(),
                         tn_default_record_def()};
    tn_read_table(&reader, &tn_model_table, 0, 0, &head);
    if (reader.status == TN_OK) {
        reader.status = set_head(spec, &head, file);
    }
    if (reader.problems > TN_MAX_PROBLEMS) {
        tn_location at = {file, INT32_MAX, 0};
        tn_diagnostics_add(found, TN_NOTE, TN_ERROR_INPUT, at, NULL, "%d more problems not shown",
                           (int)(reader.problems - TN_MAX_PROBLEMS));
    }
    tn_status status = reader.status;
    free_reader(&reader);
    return status;
}

/* A problem and when it was found. */
typedef struct found_problem {
    const tn_diagnostic *problem;
    int32_t order;
} found_problem;

static int by_line(const void *left, const void *right)
{
    const found_problem *a = left, *b = right;
    if (a->problem->at.line != b->problem->at.line) {
        return a->problem->at.line < b->problem->at.line ? -1 : 1;
    }
    if (a->problem->at.column != b->problem->at.column) {
        return a->problem->at.column < b->problem->at.column ? -1 : 1;
    }
    return a->order < b->order ? -1 : 1;
}

/* Hands the problems on in the order of the file. */
static tn_status hand_on(const tn_diagnostics *found, tn_diagnostics *diags)
{
    int32_t count = tn_diagnostics_count(found);
    found_problem *list = TN_NEW_ARRAY(found_problem, count);
    if (list == NULL) {
        return TN_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < count; i++) {
        list[i] = (found_problem){tn_diagnostics_get(found, i), i};
    }
    qsort(list, (size_t)count, sizeof(*list), by_line);
    for (int32_t i = 0; i < count; i++) {
        const tn_diagnostic *d = list[i].problem;
        tn_location at = d->at;
        at.line = at.line == INT32_MAX ? 0 : at.line; /* the note at the end */
        tn_diagnostics_add(diags, d->severity, d->code, at, d->hint, "%s", d->message);
    }
    tn_free(list);
    return TN_OK;
}

/* Warnings of an accepted spec are left to tn_model_compile, which validates again. */
static tn_status validate(const tn_spec *spec, tn_diagnostics *found)
{
    tn_diagnostics *judged = tn_diagnostics_create();
    if (judged == NULL) {
        return TN_ERROR_MEMORY;
    }
    tn_status status = tn_spec_validate(spec, judged);
    for (int32_t i = 0; status != TN_OK && i < tn_diagnostics_count(judged); i++) {
        const tn_diagnostic *d = tn_diagnostics_get(judged, i);
        tn_diagnostics_add(found, d->severity, d->code, d->at, d->hint, "%s", d->message);
    }
    tn_diagnostics_destroy(judged);
    return status;
}

static tn_status fill_spec(tn_spec *spec, const char *text, size_t length, const char *name,
                           tn_diagnostics *found)
{
    const char *file = NULL;
    tn_status status = tn_spec_intern_file(spec, name, &file);
    if (status != TN_OK) {
        return status;
    }
    tn_tree tree;
    status = tn_tree_read(&tree, text, length, file, found);
    if (status == TN_OK) {
        status = read_tree(&tree, spec, file, found);
    }
    tn_tree_free(&tree);
    if (status == TN_OK) {
        status = validate(spec, found);
    }
    return status == TN_OK && tn_diagnostics_error_count(found) > 0 ? TN_ERROR_INPUT : status;
}

tn_status tn_spec_read_string(const char *text, size_t length, const char *name,
                              tn_diagnostics *diags, tn_spec **out)
{
    *out = NULL;
    tn_locale_scope locale;
    if (!tn_locale_enter(&locale)) {
        return TN_ERROR_MEMORY;
    }
    tn_spec *spec = tn_spec_create();
    tn_diagnostics *found = tn_diagnostics_create();
    tn_status status = TN_ERROR_MEMORY;
    if (spec != NULL && found != NULL) {
        status = fill_spec(spec, text, length, name != NULL ? name : NAMELESS, found);
        tn_status told = hand_on(found, diags);
        status = told != TN_OK ? told : status;
    }
    tn_diagnostics_destroy(found);
    if (status != TN_OK) {
        tn_spec_destroy(spec);
        spec = NULL;
    }
    tn_locale_leave(&locale);
    *out = spec;
    return status;
}

tn_status tn_spec_read_file(const char *path, tn_diagnostics *diags, tn_spec **out)
{
    *out = NULL;
    char *text = NULL;
    size_t length = 0;
    tn_status status = tn_file_read(path, TN_MAX_TEXT, diags, &text, &length);
    if (status == TN_OK) {
        status = tn_spec_read_string(text, length, path, diags, out);
    }
    tn_free(text);
    return status;
}
