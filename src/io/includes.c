/* includes.c: the other files of a model (includes.h). */
#include "io/includes.h"

#include <string.h>

#include "base/suggest.h"
#include "io/text/file.h"
#include "io/field/kinds.h"
#include "io/outline.h"
#include "io/field/tables.h"

/* keys -------------------------------------------------------------------------------------------
 */

static const tn_field *find_field(const char *key, bool whole)
{
    for (int32_t i = 0; i < tn_model_table.field_count; i++) {
        const tn_field *field = &tn_model_table.fields[i];
        if (strcmp(field->key, key) == 0) {
            return whole || tn_is_part_key(field) ? field : NULL;
        }
    }
    return NULL;
}

/* Those of the model itself are checked as its table is read. */
static void check_keys(tn_reader *reader, int32_t mapping, bool whole)
{
    TN_EACH_KEY(reader, mapping, key)
    {
        const char *text = tn_node_text(reader->tree, key);
        const int32_t first = tn_find_key(reader, mapping, text);
        if (first != key) {
            tn_problem(reader, key, NULL, "'%.100s' is given twice, first in line %d", text,
                       (int)tn_get(reader, first)->line);
            continue;
        }
        if (find_field(text, whole) != NULL) {
            continue;
        }
        tn_suggestion suggestion = tn_suggestion_for(text);
        for (int32_t i = 0; i < tn_model_table.field_count; i++) {
            if (whole || tn_is_part_key(&tn_model_table.fields[i])) {
                tn_suggestion_offer(&suggestion, tn_model_table.fields[i].key);
            }
        }
        char hint[TN_HINT_SIZE];
        tn_problem(reader, key, tn_suggestion_hint(&suggestion, NULL, hint),
                   "unknown key '%.100s' in %s", text, whole ? "an included file" : "a part");
    }
}

/* What a file says of itself must suit the model. */
static void check_head(tn_reader *reader, int32_t root)
{
    const int32_t version = tn_find_key(reader, root, "tenon");
    const int32_t world = tn_find_key(reader, root, "world");
    const int32_t angle = tn_find_key(reader, root, "angle");
    if (version != TN_NO_NODE) {
        tn_field_version.read(reader, find_field("tenon", true), tn_get(reader, version)->next,
                              NULL);
    }
    if (angle != TN_NO_NODE) {
        const double kept = reader->angle;
        tn_field_angle_unit.read(reader, find_field("angle", true), tn_get(reader, angle)->next,
                                 NULL);
        reader->angle = kept;
    }
    if (world != TN_NO_NODE) {
        tn_file_head head = {.world = tn_default_world_def()};
        const int planar = reader->planar;
        tn_field_world.read(reader, find_field("world", true), tn_get(reader, world)->next, &head);
        if (reader->planar != planar) {
            tn_problem(reader, world, NULL, "this file is for another kind of world");
        }
        reader->planar = planar;
    }
}

/* files ------------------------------------------------------------------------------------------
 */

/* Whether the file is not being included already by the one that includes it, and there is room
 * for one more. */
static bool may_include(tn_reader *reader, int32_t node, const char *name)
{
    const tn_tree *tree = reader->tree;
    int depth = 0;
    const char *path = tn_path_beside(reader, node, name);
    for (int32_t by = node; path != NULL && by != TN_NO_NODE;
         by = tn_source_of(tree, by)->included, depth++) {
        if (strcmp(tn_source_of(tree, by)->file, path) == 0) {
            tn_problem(reader, node, NULL, "'%.150s' would include itself", name);
            return false;
        }
    }
    if (depth > TN_DEEPEST_FILE) {
        tn_problem(reader, node, NULL, "files include each other too deeply");
    } else if (tree->source_count >= TN_MOST_FILES) {
        tn_problem(reader, node, NULL, "a model has at most %d files", TN_MOST_FILES);
    } else {
        return path != NULL;
    }
    return false;
}

/* Reads a file and adds what it holds to the definition. */
static void include(tn_reader *reader, tn_tree *tree, int32_t node, tn_definition *definition)
{
    const char *name = NULL, *path = NULL, *why = NULL;
    char *text = NULL;
    size_t length = 0;
    int32_t root = TN_NO_NODE;
    if (!tn_read_text(reader, node, "include", &name) || !may_include(reader, node, name)) {
        return;
    }
    tn_status status = tn_read_beside(reader, node, name, TN_MAX_TEXT - tree->byte_count, &path,
                                      &why, &text, &length);
    if (status == TN_OK) {
        const int32_t errors = tn_diagnostics_error_count(reader->found);
        status = tn_tree_read(tree, text, length, path, node, reader->found, &root);
        reader->problems += tn_diagnostics_error_count(reader->found) - errors;
    } else if (status != TN_ERROR_MEMORY) {
        tn_problem(reader, node, NULL, "'%.150s' cannot be included: %s", name, why);
    }
    tn_free(text);
    if (status == TN_ERROR_MEMORY) {
        reader->status = status;
    } else if (status == TN_OK) {
        tn_collect(reader, tree, root, true, definition);
    }
}

void tn_collect(tn_reader *reader, tn_tree *tree, int32_t mapping, bool whole,
                tn_definition *definition)
{
    const bool is_model = definition->count == 0 && whole;
    if (tn_get(reader, mapping)->kind != TN_NODE_MAPPING) {
        if (!is_model) { /* that is reported as its table is read */
            tn_wrong_type(reader, mapping, whole ? "an included file" : "a part",
                          "a mapping (key: value)", NULL);
        }
    } else if (!is_model) {
        check_keys(reader, mapping, whole);
    }
    if (whole) {
        tn_find_angle(tree, mapping);
    }
    if (whole && !is_model) {
        check_head(reader, mapping);
    }
    int32_t *grown =
        tn_grow(definition->mappings, &definition->capacity, definition->count + 1, sizeof(*grown));
    if (grown == NULL) {
        reader->status = TN_ERROR_MEMORY;
        return;
    }
    definition->mappings = grown;
    definition->mappings[definition->count++] = mapping;
    const int32_t key = tn_find_key(reader, mapping, "include");
    if (key == TN_NO_NODE) {
        return;
    }
    const int32_t value = tn_get(reader, key)->next;
    if (tn_get(reader, value)->kind != TN_NODE_SEQUENCE) {
        include(reader, tree, value, definition);
        return;
    }
    for (int32_t entry = tn_get(reader, value)->first;
         entry != TN_NO_NODE && reader->status == TN_OK; entry = tn_get(reader, entry)->next) {
        include(reader, tree, entry, definition);
    }
}
