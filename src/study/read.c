/* read.c: room study: from a study file to a study (tenon/study.h).
 *
 * Stages: text -> tree -> draft (read_tables.c), its model read and compiled, the draft against the
 * model (read_against.c).
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "io/text/file.h"
#include "io/text/locale_scope.h"
#include "io/text/roots.h"
#include "io/reader/scope.h"
#include "model/model.h"
#include "study/read.h"
#include "tenon/io.h"
#include "tenon/record.h"
#include "tenon/version.h"

/* The model's file, in the folder of the study. */
static tn_status find_model(tn_reader *reader, tn_study *study, const tn_study_draft *draft)
{
    const char *slash = strrchr(study->path, '/');
    const size_t folder =
        slash == NULL || draft->model[0] == '/' ? 0 : (size_t)(slash - study->path) + 1;
    const size_t length = folder + strlen(draft->model);
    char *path = tn_arena_alloc(&reader->arena, length + 1);
    if (path == NULL)
        return TN_ERROR_MEMORY;
    memcpy(path, study->path, folder);
    memcpy(path + folder, draft->model, length - folder);
    study->model_path = path;
    tn_roots roots = {.count = 0};
    tn_status status = tn_roots_begin(&roots, study->path);
    if (status == TN_OK && access(path, F_OK) == 0 && !tn_roots_hold(&roots, path)) {
        status = TN_ERROR_INPUT;
        tn_diagnostics_add(reader->found, TN_ERROR, status, (tn_location){study->path, 0, 0},
                           "--allow FOLDER lets files below another folder be read",
                           "the model '%.200s' lies outside of the study's folder", draft->model);
    }
    tn_roots_free(&roots);
    if (status != TN_OK)
        return status;
    return tn_file_read(path, TN_MAX_TEXT, reader->found, &study->model_text, &study->model_length);
}

/* Everything of the model that a reader of studies needs. */
static tn_status read_model(tn_reader *reader, tn_study *study, const tn_study_draft *draft)
{
    tn_spec *spec = NULL;
    tn_model *model = NULL;
    tn_status status = find_model(reader, study, draft);
    if (status == TN_OK)
        status = tn_study_model(study, NULL, reader->found, &spec, &model);
    if (status == TN_OK) {
        tn_study_read_against(reader, spec, model, study, draft);
        study->identity = tn_hash_bytes(study->identity, study->model_text, study->model_length);
        study->identity =
            tn_hash_bytes(study->identity, &model->fingerprint, sizeof model->fingerprint);
    }
    tn_model_destroy(model);
    tn_spec_destroy(spec);
    return status;
}

static void free_reader(tn_reader *reader)
{
    tn_free(reader->scopes.scopes);
    tn_free(reader->scopes.slots);
    tn_free(reader->told);
    tn_arena_free(&reader->arena);
}

static tn_status read_tree(const tn_tree *tree, int32_t root, tn_study *study,
                           tn_diagnostics *diags)
{
    tn_spec *places = tn_spec_create(); /* of the keys, which the reader notes */
    if (places == NULL)
        return TN_ERROR_MEMORY;
    tn_reader reader = {.tree = tree,
                        .spec = places,
                        .found = diags,
                        .angle = 1.0,
                        .field_place = -1,
                        .sub_place = -1};
    tn_study_draft draft;
    reader.scope = tn_scope_begin(&reader, TN_NO_SCOPE);
    tn_study_read_draft(&reader, root, study, &draft);
    tn_status status = reader.status;
    if (status == TN_OK && draft.model != NULL)
        status = read_model(&reader, study, &draft);
    if (status == TN_OK)
        status = reader.status;
    if (status == TN_OK && reader.problems > 0)
        status = TN_ERROR_INPUT;
    study->arena = reader.arena; /* the study keeps what was read */
    reader.arena = (tn_arena){0};
    free_reader(&reader);
    tn_spec_destroy(places);
    return status;
}

static const char *copy(tn_arena *arena, const char *text)
{
    return text == NULL ? NULL : tn_arena_text(arena, text, strlen(text));
}

/* Names that point into the tree get copies of their own. */
static tn_status keep_names(tn_study *study)
{
    bool good = true;
    for (int32_t i = 0; i < study->varied_count; i++) {
        study->varied[i].name = copy(&study->arena, study->varied[i].name);
        good = good && study->varied[i].name != NULL;
    }
    const char **const names[] = {&study->sweep.coordinate, &study->sweep.output,
                                  &study->sweep.through, &study->path};
    for (size_t i = 0; i < TN_COUNT_OF(names); i++) {
        const bool had = *names[i] != NULL;
        *names[i] = copy(&study->arena, *names[i]);
        good = good && (!had || *names[i] != NULL);
    }
    return good ? TN_OK : TN_ERROR_MEMORY;
}

static tn_status fill(tn_study *study, const char *path, tn_diagnostics *diags)
{
    char *text = NULL;
    size_t length = 0;
    int32_t root = TN_NO_NODE;
    tn_tree tree = {0};
    study->path = path;
    tn_status status = tn_file_read(path, TN_MAX_TEXT, diags, &text, &length);
    if (status == TN_OK) {
        study->identity = tn_hash_bytes(TN_HASH_START, text, length);
        study->identity =
            tn_hash_bytes(study->identity, tn_version_text(), strlen(tn_version_text()));
        status = tn_tree_read(&tree, text, length, path, TN_NO_NODE, diags, &root);
    }
    if (status == TN_OK)
        status = read_tree(&tree, root, study, diags);
    if (status == TN_OK)
        status = keep_names(study);
    tn_tree_free(&tree);
    tn_free(text);
    return status;
}

tn_status tn_study_read_file(const char *path, tn_diagnostics *diags, tn_study **out)
{
    tn_locale_scope locale;
    *out = NULL;
    tn_study *study = TN_NEW(tn_study);
    if (study == NULL || !tn_locale_enter(&locale)) {
        tn_free(study);
        return TN_ERROR_MEMORY;
    }
    const tn_status status = fill(study, path, diags);
    tn_locale_leave(&locale);
    if (status == TN_OK) {
        *out = study;
    } else {
        tn_study_destroy(study);
    }
    return status;
}

void tn_study_destroy(tn_study *study)
{
    if (study == NULL)
        return;
    tn_arena_free(&study->arena);
    tn_free(study->model_text);
    tn_free(study);
}

uint64_t tn_study_identity(const tn_study *study)
{
    return study->identity;
}

const char *tn_study_model_path(const tn_study *study)
{
    return study->model_path;
}

int64_t tn_study_case_count(const tn_study *study)
{
    return study->case_count;
}

int32_t tn_study_parameter_count(const tn_study *study)
{
    return study->varied_count;
}

static tn_study_column column_of(const tn_study *study, const char *name, const char *unit)
{
    tn_study_column out = {.name = name, .unit = unit};
    tn_record_def record = tn_default_record_def();
    record.degrees = study->degrees;
    out.scale = tn_record_scale(&record, unit, &out.told);
    return out;
}

tn_study_column tn_study_parameter(const tn_study *study, int32_t index)
{
    return column_of(study, study->varied[index].name, study->varied[index].unit);
}

int32_t tn_study_result_count(const tn_study *study)
{
    return study->kept_count;
}

tn_study_column tn_study_result(const tn_study *study, int32_t index)
{
    return column_of(study, study->kept[index].name, study->kept[index].unit);
}
