/* read.c: from the text of a model file to a spec (io.h).
 *
 * Room io. Stages: text -> tree of nodes (tree.c) -> definitions by the tables (read_table.c and
 * the field kinds) -> validation (spec/validate/validate.h), which knows from the places what has been
 * reported already. Problems are handed on sorted by line. A spec comes out only when there are
 * none.
 */
#include "base/base.h"
#include "tenon/io.h"

#include <stdlib.h>
#include <string.h>

#include "io/field/measure_io.h"
#include "io/foreign.h"
#include "io/text/file.h"
#include "io/text/locale_scope.h"
#include "io/reader/reader.h"
#include "io/outline.h"
#include "io/reader/scope.h"
#include "io/section/sections.h"
#include "spec/validate/validate.h"

#define NAMELESS "model"

static void free_reader(tn_reader *reader)
{
    for (int i = 0; i < TN_SECTION_COUNT; i++) {
        tn_names_free(&reader->names[i]);
    }
    tn_names_free(&reader->materials);
    tn_free(reader->matter);
    tn_free(reader->material_uses);
    tn_free(reader->scopes.scopes);
    tn_free(reader->scopes.slots);
    tn_free(reader->told);
    tn_free(reader->waiting);
    tn_outline_free(reader);
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

/* What has a name that nothing uses. */
static void remark_unused(tn_reader *reader)
{
    for (int32_t i = 0; i < reader->material_count; i++) {
        const int32_t key = reader->material_uses[i];
        const bool first = i == 0 || key != reader->material_uses[i - 1]; /* of a repetition */
        if (key != TN_NO_NODE && first) {
            tn_diagnostics_add(
                tn_spec_remarks(reader->spec), TN_WARNING, TN_OK, tn_node_location(reader, key),
                NULL, "nothing is made of the material '%s'", tn_node_text(reader->tree, key));
        }
    }
    tn_remark_parts(reader);
}

/* Fills the spec from the tree; problems go into found. */
static tn_status read_tree(tn_tree *tree, int32_t root, const tn_setting *settings,
                           int32_t setting_count, tn_spec *spec, tn_diagnostics *found)
{
    tn_reader reader = {.tree = tree,
                        .spec = spec,
                        .found = found,
                        .angle = 1.0,
                        .field_place = -1,
                        .sub_place = -1};
    const char *file = tree->sources[0].file;
    tn_file_head head = {tn_default_world_def(), tn_simulation_unsaid(), tn_default_record_def()};
    tn_outline_read(&reader, tree, root, settings, setting_count);
    if (reader.status == TN_OK) {
        tn_read_table(&reader, &tn_model_table, root, root, &head);
        tn_scope_note(&reader, 0);
        tn_read_waiting_formulas(&reader);
        remark_unused(&reader);
        spec->file_count = tree->source_count;
    }
    tn_simulation_settle(&head.simulation, &head.record);
    if (reader.status == TN_OK) {
        head.record.degrees = reader.angle != 1.0;
        reader.status = set_head(spec, &head, file);
    }
    const int32_t told = reader.problems - reader.untold;
    if (told > TN_MAX_PROBLEMS) {
        tn_location at = {file, INT32_MAX, 0};
        tn_diagnostics_add(found, TN_NOTE, TN_ERROR_INPUT, at, NULL, "%d more problems not shown",
                           (int)(told - TN_MAX_PROBLEMS));
    }
    tn_status status = reader.status;
    free_reader(&reader);
    return status;
}

/* A problem, its file in the order they were read, and when it was found. */
typedef struct found_problem {
    const tn_diagnostic *problem;
    int32_t source; /* -1: none of the model's files */
    int32_t order;
} found_problem;

static int by_line(const void *left, const void *right)
{
    const found_problem *a = left, *b = right;
    if (a->source != b->source) {
        return a->source < b->source ? -1 : 1;
    }
    if (a->problem->at.line != b->problem->at.line) {
        return a->problem->at.line < b->problem->at.line ? -1 : 1;
    }
    if (a->problem->at.column != b->problem->at.column) {
        return a->problem->at.column < b->problem->at.column ? -1 : 1;
    }
    return a->order < b->order ? -1 : 1;
}

static int32_t find_source(const tn_tree *tree, const char *file)
{
    for (int32_t i = 0; file != NULL && i < tree->source_count; i++) {
        if (tree->sources[i].file != NULL && strcmp(tree->sources[i].file, file) == 0) {
            return i;
        }
    }
    return -1;
}

/* Says how the model came to a file that is not its own: one note for each file between them. */
static void tell_chain(const tn_tree *tree, int32_t source, tn_diagnostics *diags)
{
    while (source > 0 && tree->sources[source].included != TN_NO_NODE) {
        const tn_node *n = &tree->nodes[tree->sources[source].included];
        const tn_location at = {tree->sources[n->source].file, n->line, n->column};
        tn_diagnostics_add(diags, TN_NOTE, TN_ERROR_INPUT, at, NULL, "included here");
        source = n->source;
    }
}

/* Hands the problems on in the order of the files. */
static tn_status hand_on(const tn_tree *tree, const tn_diagnostics *found, tn_diagnostics *diags)
{
    int32_t count = tn_diagnostics_count(found);
    found_problem *list = TN_NEW_ARRAY(found_problem, count);
    if (list == NULL) {
        return TN_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < count; i++) {
        const tn_diagnostic *d = tn_diagnostics_get(found, i);
        list[i] = (found_problem){d, find_source(tree, d->at.file), i};
    }
    qsort(list, (size_t)count, sizeof(*list), by_line);
    for (int32_t i = 0; i < count; i++) {
        const tn_diagnostic *d = list[i].problem;
        tn_location at = d->at;
        at.line = at.line == INT32_MAX ? 0 : at.line; /* the note at the end */
        tn_diagnostics_add(diags, d->severity, d->code, at, d->hint, "%s", d->message);
        tell_chain(tree, list[i].source, diags);
    }
    tn_free(list);
    return TN_OK;
}

static tn_status fill_spec(tn_spec *spec, const char *text, size_t length, const char *name,
                           const tn_setting *settings, int32_t setting_count, tn_tree *tree,
                           tn_diagnostics *found)
{
    const char *file = NULL;
    tn_status status = tn_spec_intern_file(spec, name, &file);
    if (status != TN_OK) {
        return status;
    }
    int32_t root = TN_NO_NODE;
    status = tn_tree_read(tree, text, length, file, TN_NO_NODE, found, &root);
    if (status == TN_OK) {
        status = read_tree(tree, root, settings, setting_count, spec, found);
    }
    if (status == TN_OK) {
        status = tn_spec_judge(spec, found);
    }
    return status == TN_OK && tn_diagnostics_error_count(found) > 0 ? TN_ERROR_INPUT : status;
}

static bool are_settings(const tn_setting *settings, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        if (settings == NULL || settings[i].name == NULL || settings[i].value == NULL) {
            return false;
        }
    }
    return true;
}

tn_status tn_spec_read_string_with(const char *text, size_t length, const char *name,
                                   const tn_setting *settings, int32_t setting_count,
                                   tn_diagnostics *diags, tn_spec **out)
{
    TN_DEMAND(text && out && are_settings(settings, setting_count), TN_ERROR_ARGUMENT);
    *out = NULL;
    if (tn_is_foreign(text, length, name)) {
        return tn_read_foreign(text, length, name, settings, setting_count, diags, out);
    }
    tn_locale_scope locale;
    if (!tn_locale_enter(&locale)) {
        return TN_ERROR_MEMORY;
    }
    tn_tree tree = {0};
    tn_spec *spec = tn_spec_create();
    tn_diagnostics *found = tn_diagnostics_create();
    tn_status status = TN_ERROR_MEMORY;
    if (spec != NULL && found != NULL) {
        status = fill_spec(spec, text, length, name != NULL ? name : NAMELESS, settings,
                           setting_count, &tree, found);
        const tn_status told = hand_on(&tree, found, diags);
        status = told != TN_OK ? told : status;
    }
    tn_tree_free(&tree);
    tn_diagnostics_destroy(found);
    if (status != TN_OK) {
        tn_spec_destroy(spec);
        spec = NULL;
    }
    tn_locale_leave(&locale);
    *out = spec;
    return status;
}

tn_status tn_spec_read_string(const char *text, size_t length, const char *name,
                              tn_diagnostics *diags, tn_spec **out)
{
    TN_DEMAND(text && out, TN_ERROR_ARGUMENT);
    return tn_spec_read_string_with(text, length, name, NULL, 0, diags, out);
}

tn_status tn_spec_read_file_with(const char *path, const tn_setting *settings,
                                 int32_t setting_count, tn_diagnostics *diags, tn_spec **out)
{
    TN_DEMAND(path && out, TN_ERROR_ARGUMENT);
    *out = NULL;
    char *text = NULL;
    size_t length = 0;
    tn_status status = tn_file_read(path, TN_MAX_TEXT, diags, &text, &length);
    if (status == TN_OK) {
        status = tn_spec_read_string_with(text, length, path, settings, setting_count, diags, out);
    }
    tn_free(text);
    return status;
}

tn_status tn_spec_read_file(const char *path, tn_diagnostics *diags, tn_spec **out)
{
    TN_DEMAND(out, TN_ERROR_ARGUMENT);
    return tn_spec_read_file_with(path, NULL, 0, diags, out);
}
