/* outline.c: the parameters and the parts of a model, before its items are read (outline.h).
 *
 * The model is a definition like every part. Its frame comes first, the instances follow depth
 * first in the order of the file, so a frame stands behind the one it is in.
 */
#include "io/outline.h"

#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "io/includes.h"
#include "io/reader/scope.h"
#include "io/field/tables.h"

/* definitions ------------------------------------------------------------------------------------
 */

/* The definition that a mapping begins, read when it is first needed; -1: out of memory. */
static int32_t define(tn_reader *reader, tn_tree *tree, int32_t mapping, bool whole)
{
    for (int32_t i = 0; i < reader->definition_count; i++) {
        if (reader->definitions[i].owner == mapping) {
            return i;
        }
    }
    tn_definition *grown = tn_grow(reader->definitions, &reader->definition_capacity,
                                   reader->definition_count + 1, sizeof(*grown));
    if (grown == NULL) {
        reader->status = TN_ERROR_MEMORY;
        return -1;
    }
    reader->definitions = grown;
    const int32_t index = reader->definition_count++;
    tn_definition made = {.owner = mapping};
    grown[index] = made;
    tn_collect(reader, tree, mapping, whole, &made);
    reader->definitions[index] = made;
    return index;
}

/* Calls `one` for the value of a key in each mapping of a frame. */
typedef void (*value_reader)(tn_reader *reader, tn_tree *tree, int32_t value, int32_t frame);
static void for_each_value(tn_reader *reader, tn_tree *tree, int32_t frame, const char *name,
                           value_reader one)
{
    const int32_t definition = reader->frames[frame].definition;
    for (int32_t i = 0; i < reader->definitions[definition].count; i++) {
        const int32_t key = tn_find_key(reader, reader->definitions[definition].mappings[i], name);
        if (key != TN_NO_NODE && reader->status == TN_OK) {
            one(reader, tree, tn_get(reader, key)->next, frame);
        }
    }
}

static void add_parameters(tn_reader *reader, tn_tree *tree, int32_t value, int32_t frame)
{
    (void)tree;
    const int32_t scope = reader->frames[frame].scope;
    tn_scope_add(reader, scope, value, scope);
}

/* frames ------------------------------------------------------------------------------------------
 */

static int32_t add_frame(tn_reader *reader, tn_frame frame)
{
    tn_frame *grown =
        tn_grow(reader->frames, &reader->frame_capacity, reader->frame_count + 1, sizeof(*grown));
    if (grown == NULL) {
        reader->status = TN_ERROR_MEMORY;
        return -1;
    }
    reader->frames = grown;
    grown[reader->frame_count] = frame;
    return reader->frame_count++;
}

static void expand(tn_reader *reader, tn_tree *tree, int32_t value, int32_t frame);

/* A part by its name, in the frame being read or one around it; *found is the frame that has it. */
static int32_t find_part(const tn_reader *reader, const char *name, int32_t *found)
{
    for (int32_t f = reader->frame; f >= 0; f = reader->frames[f].around) {
        const tn_definition *d = &reader->definitions[reader->frames[f].definition];
        for (int32_t i = 0; i < d->count; i++) {
            const int32_t parts = tn_find_key(reader, d->mappings[i], "parts");
            const int32_t part = parts != TN_NO_NODE
                                     ? tn_find_key(reader, tn_get(reader, parts)->next, name)
                                     : TN_NO_NODE;
            if (part != TN_NO_NODE) {
                *found = f;
                return tn_get(reader, part)->next;
            }
        }
    }
    return TN_NO_NODE;
}

static void report_unknown_part(tn_reader *reader, int32_t node, const char *name)
{
    tn_suggestion suggestion = tn_suggestion_for(name);
    for (int32_t f = reader->frame; f >= 0; f = reader->frames[f].around) {
        const tn_definition *d = &reader->definitions[reader->frames[f].definition];
        for (int32_t i = 0; i < d->count; i++) {
            const int32_t parts = tn_find_key(reader, d->mappings[i], "parts");
            const int32_t value = parts != TN_NO_NODE ? tn_get(reader, parts)->next : parts;
            if (value == TN_NO_NODE || tn_get(reader, value)->kind != TN_NODE_MAPPING) {
                continue;
            }
            TN_EACH_KEY(reader, value, key)
            {
                tn_suggestion_offer(&suggestion, tn_node_text(reader->tree, key));
            }
        }
    }
    char hint[TN_HINT_SIZE];
    tn_problem(reader, node, tn_suggestion_hint(&suggestion, NULL, hint), "unknown part '%.100s'",
               name);
}

/* Whether the frame being read is an instance of this definition, or lies within one. */
static bool is_within(const tn_reader *reader, int32_t definition, int *depth)
{
    *depth = 0;
    for (int32_t f = reader->frame; f >= 0; f = reader->frames[f].around, (*depth)++) {
        if (reader->frames[f].definition == definition) {
            return true;
        }
    }
    return false;
}

/* The values that an instance gives; each must be a parameter of the part. */
static void check_given(tn_reader *reader, int32_t frame, int32_t given)
{
    if (given == TN_NO_NODE || tn_get(reader, given)->kind != TN_NODE_MAPPING) {
        return;
    }
    const tn_definition *d = &reader->definitions[reader->frames[frame].definition];
    TN_EACH_KEY(reader, given, key)
    {
        const char *name = tn_node_text(reader->tree, key);
        tn_suggestion suggestion = tn_suggestion_for(name);
        bool known = false;
        for (int32_t i = 0; i < d->count; i++) {
            const int32_t own = tn_find_key(reader, d->mappings[i], "parameters");
            const int32_t value = own != TN_NO_NODE ? tn_get(reader, own)->next : own;
            if (value == TN_NO_NODE || tn_get(reader, value)->kind != TN_NODE_MAPPING) {
                continue;
            }
            known = known || tn_find_key(reader, value, name) != TN_NO_NODE;
            TN_EACH_KEY(reader, value, one)
            {
                tn_suggestion_offer(&suggestion, tn_node_text(reader->tree, one));
            }
        }
        char hint[TN_HINT_SIZE];
        if (!known) {
            tn_problem(reader, key, tn_suggestion_hint(&suggestion, NULL, hint),
                       "the part has no parameter '%.100s'", name);
        }
    }
}

/* The frame of one instance, with its scope. */
static void make_instance(tn_reader *reader, tn_tree *tree, const tn_instance *instance,
                          int32_t definition, int32_t outside, int32_t mapping)
{
    const int32_t around = reader->frame, seen = reader->scope;
    const int32_t scope = tn_scope_begin(reader, outside);
    const char *prefix = tn_prefix_of(reader, reader->item_name);
    if (reader->status != TN_OK) {
        return;
    }
    const int32_t frame =
        add_frame(reader, (tn_frame){.around = around,
                                     .definition = definition,
                                     .scope = scope,
                                     .prefix = prefix,
                                     .placed = instance->placed || tn_frame_is_placed(reader),
                                     .pose = tn_frame_pose(reader, instance->pose)});
    if (frame < 0) {
        return;
    }
    tn_saved saved;
    tn_enter(reader, &saved, TN_SECTION_WORLD, 0, "instance", reader->item_name);
    const int32_t key = tn_find_key(reader, mapping, "parameters");
    const int32_t given = key != TN_NO_NODE ? tn_get(reader, key)->next : key;
    if (given != TN_NO_NODE) {
        tn_scope_add(reader, scope, given, seen);
        check_given(reader, frame, given);
    }
    tn_leave(reader, &saved);
    tn_scope_add_indices(reader, scope, seen, reader->frames[around].scope);
    tn_frame_enter(reader, frame);
    for_each_value(reader, tree, frame, "parameters", add_parameters);
    tn_scope_evaluate(reader, scope);
    for_each_value(reader, tree, frame, "instances", expand);
    tn_frame_enter(reader, around);
    reader->scope = seen;
}

static int32_t define_part(tn_reader *reader, tn_tree *tree, int32_t part,
                           const tn_instance *instance)
{
    tn_saved saved;
    tn_enter(reader, &saved, TN_SECTION_WORLD, 0, "part", instance->part);
    const int32_t definition = define(reader, tree, part, false);
    tn_leave(reader, &saved);
    return definition;
}

static void read_instance(tn_reader *reader, const void *context, int32_t key, int32_t value,
                          int32_t index)
{
    tn_tree *tree = (tn_tree *)context;
    tn_instance instance = {.pose = tn_pose_identity(), .part_node = TN_NO_NODE};
    tn_saved saved;
    (void)index;
    tn_enter(reader, &saved, TN_SECTION_WORLD, 0, "instance", reader->item_name);
    const int32_t before = reader->problems;
    tn_read_table(reader, &tn_instance_table, value, key, &instance);
    const tn_pose here = tn_pose_identity();
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-*): the bits are meant */
    instance.placed = memcmp(&instance.pose, &here, sizeof(here)) != 0;
    int32_t outside = 0;
    int depth = 0;
    int32_t part = TN_NO_NODE;
    if (instance.part != NULL) {
        part = find_part(reader, instance.part, &outside);
        if (part == TN_NO_NODE) {
            report_unknown_part(reader, instance.part_node, instance.part);
        }
    }
    const int32_t definition = part != TN_NO_NODE ? define_part(reader, tree, part, &instance) : -1;
    if (definition >= 0 && is_within(reader, definition, &depth)) {
        tn_problem(reader, instance.part_node, NULL, "the part '%.100s' would hold itself",
                   instance.part);
    } else if (definition >= 0 && depth >= TN_DEEPEST_PART) {
        tn_problem(reader, key, NULL, "parts stand in each other too deeply");
    } else if (definition >= 0 && reader->frame_count > TN_MAX_FRAMES) {
        tn_problem(reader, key, NULL, "a model has at most %d instances", TN_MAX_FRAMES);
    }
    tn_leave(reader, &saved);
    if (definition >= 0 && reader->problems == before && reader->status == TN_OK) {
        make_instance(reader, tree, &instance, definition, reader->frames[outside].scope, value);
    }
}

/* The instances of a frame. */
static void expand(tn_reader *reader, tn_tree *tree, int32_t value, int32_t frame)
{
    if (!tn_want_mapping(reader, value, "instances")) {
        return;
    }
    const double angle = reader->angle;
    for (int32_t key = tn_get(reader, value)->first; key != TN_NO_NODE && reader->status == TN_OK;
         key = tn_get(reader, tn_get(reader, key)->next)->next) {
        tn_frame_enter(reader, frame);
        reader->angle = tn_source_of(tree, value)->angle;
        tn_read_repeated(reader, key, tn_get(reader, key)->next, read_instance, tree);
    }
    reader->angle = angle;
}

/* the model --------------------------------------------------------------------------------------
 */

/* Whether a setting means a parameter that the model has. */
static void check_setting(tn_reader *reader, int32_t scope, const char *name)
{
    if (tn_scope_find(reader, scope, name) >= 0) {
        return;
    }
    tn_suggestion suggestion = tn_suggestion_for(name);
    tn_scope_offer(reader, scope, &suggestion);
    char hint[TN_HINT_SIZE];
    tn_problem_nowhere(reader, tn_suggestion_hint(&suggestion, NULL, hint),
                       "the model has no parameter '%.100s'", name);
}

/* A section that only parts or included files have must be found in the model too: an empty one is
 * added, the items come from the frames. */
static void add_section(tn_reader *reader, tn_tree *tree, int32_t root, const char *name)
{
    if (tn_find_key(reader, root, name) != TN_NO_NODE) {
        return;
    }
    for (int32_t f = 0; f < reader->frame_count; f++) {
        const tn_definition *d = &reader->definitions[reader->frames[f].definition];
        for (int32_t i = 0; i < d->count; i++) {
            const int32_t key = tn_find_key(reader, d->mappings[i], name);
            if (key != TN_NO_NODE) {
                if (!tn_tree_add_section(tree, root, key)) {
                    reader->status = TN_ERROR_MEMORY;
                }
                return;
            }
        }
    }
}

/* sizes -------------------------------------------------------------------------------------------
 */

/* A whole number as written; 0: a formula or no number, for which the reader reports errors later. */
static int64_t written_number(const tn_reader *reader, int32_t node)
{
    const char *text =
        tn_get(reader, node)->kind == TN_NODE_SCALAR ? tn_node_text(reader->tree, node) : "";
    const size_t length = strspn(text, "0123456789");
    return length > 0 && length <= 9 && text[length] == '\0' ? strtol(text, NULL, 10) : 0;
}

/* Rounds of the `repeat` of a mapping, as far as they are written in numbers; without any 1. */
static int64_t written_rounds(const tn_reader *reader, int32_t mapping)
{
    const int32_t key = tn_get(reader, mapping)->kind == TN_NODE_MAPPING
                            ? tn_find_key(reader, mapping, "repeat")
                            : TN_NO_NODE;
    if (key == TN_NO_NODE) {
        return 1;
    }
    int32_t node = tn_get(reader, key)->next;
    if (tn_get(reader, node)->kind == TN_NODE_MAPPING &&
        tn_get(reader, node)->first != TN_NO_NODE) {
        node = tn_get(reader, tn_get(reader, node)->first)->next;
    }
    const tn_node *n = tn_get(reader, node);
    if (n->kind != TN_NODE_SEQUENCE || n->count != 2) {
        return written_number(reader, node);
    }
    const int64_t first = written_number(reader, n->first);
    const int64_t last = written_number(reader, tn_get(reader, n->first)->next);
    return last >= first ? last - first + 1 : 0;
}

/* Of one item: its rounds, and in each those of its shapes. */
static int64_t written_items(tn_reader *reader, int32_t value)
{
    int64_t inside = 1;
    const int64_t rounds = written_rounds(reader, value);
    const int32_t key = tn_get(reader, value)->kind == TN_NODE_MAPPING
                            ? tn_find_key(reader, value, "shapes")
                            : TN_NO_NODE;
    const int32_t list = key != TN_NO_NODE ? tn_get(reader, key)->next : TN_NO_NODE;
    if (list != TN_NO_NODE && tn_get(reader, list)->kind == TN_NODE_SEQUENCE) {
        TN_EACH(reader, list, entry)
        {
            inside += written_rounds(reader, entry);
        }
    }
    return rounds > TN_MAX_ITEMS || inside > TN_MAX_ITEMS ? TN_MAX_ITEMS + 1 : rounds * inside;
}

/* Of all sections of a definition; *largest is the item with most. */
static int64_t written_in(tn_reader *reader, const tn_definition *d, int32_t *largest)
{
    int64_t sum = 0, most = 0;
    for (int32_t i = 0; i < d->count; i++) {
        for (int32_t k = 0; k < tn_model_table.field_count; k++) {
            const tn_field *field = &tn_model_table.fields[k];
            const int32_t key = field->kind == &tn_field_items &&
                                        tn_get(reader, d->mappings[i])->kind == TN_NODE_MAPPING
                                    ? tn_find_key(reader, d->mappings[i], field->key)
                                    : TN_NO_NODE;
            const int32_t section = key != TN_NO_NODE ? tn_get(reader, key)->next : TN_NO_NODE;
            if (section == TN_NO_NODE || tn_get(reader, section)->kind != TN_NODE_MAPPING) {
                continue;
            }
            TN_EACH_KEY(reader, section, item)
            {
                const int64_t items = written_items(reader, tn_get(reader, item)->next);
                *largest = items > most ? item : *largest;
                most = items > most ? items : most;
                sum += items;
            }
        }
    }
    return sum;
}

/* The items of all instances are counted before any is made; those whose number is a formula as they are read. */
static bool fits(tn_reader *reader)
{
    int64_t *sizes = TN_NEW_ARRAY(int64_t, reader->definition_count);
    int32_t largest = TN_NO_NODE;
    int64_t sum = 0;
    if (sizes == NULL) {
        reader->status = TN_ERROR_MEMORY;
        return false;
    }
    for (int32_t i = 0; i < reader->definition_count; i++) {
        int32_t item = TN_NO_NODE;
        sizes[i] = written_in(reader, &reader->definitions[i], &item);
        largest = item != TN_NO_NODE && (largest == TN_NO_NODE || sizes[i] > sum) ? item : largest;
        sum = sizes[i] > sum ? sizes[i] : sum;
    }
    sum = 0;
    for (int32_t f = 0; f < reader->frame_count && sum <= TN_MAX_ITEMS; f++) {
        sum += sizes[reader->frames[f].definition];
    }
    tn_free(sizes);
    if (sum <= TN_MAX_ITEMS) {
        return true;
    }
    tn_problem(reader, largest, NULL, "the repetitions of this model are more than %d",
               TN_MAX_ITEMS);
    return false;
}

static void find_world(tn_reader *reader, int32_t root)
{
    const int32_t key = tn_find_key(reader, root, "world");
    const int32_t value = key != TN_NO_NODE ? tn_get(reader, key)->next : TN_NO_NODE;
    reader->planar =
        value != TN_NO_NODE && tn_get(reader, value)->kind == TN_NODE_SCALAR &&
        strcmp(tn_node_text(reader->tree, value), tn_world_kind_name(TN_WORLD_PLANAR)) == 0;
}

void tn_outline_read(tn_reader *reader, tn_tree *tree, int32_t root, const tn_setting *settings,
                     int32_t setting_count)
{
    find_world(reader, root);
    const int32_t definition = define(reader, tree, root, true);
    const int32_t scope = tn_scope_begin(reader, TN_NO_SCOPE);
    if (definition < 0 || scope < 0 ||
        add_frame(reader, (tn_frame){.around = -1,
                                     .definition = definition,
                                     .scope = scope,
                                     .prefix = "",
                                     .pose = tn_pose_identity()}) < 0) {
        return;
    }
    tn_frame_enter(reader, 0);
    for_each_value(reader, tree, 0, "parameters", add_parameters);
    for (int32_t i = 0; i < setting_count; i++) {
        check_setting(reader, scope, settings[i].name);
        tn_scope_set(reader, scope, settings[i].name, settings[i].value);
    }
    tn_scope_evaluate(reader, scope);
    for_each_value(reader, tree, 0, "instances", expand);
    if (reader->status == TN_OK && !fits(reader)) {
        reader->status = TN_ERROR_INPUT;
    }
    for (int32_t i = 0; i < tn_model_table.field_count && reader->status == TN_OK; i++) {
        if (tn_model_table.fields[i].kind == &tn_field_items &&
            tn_get(reader, root)->kind == TN_NODE_MAPPING) {
            add_section(reader, tree, root, tn_model_table.fields[i].key);
        }
    }
    tn_frame_enter(reader, 0);
    reader->angle = tree->sources[0].angle;
}

static bool is_made(const tn_reader *reader, int32_t part)
{
    for (int32_t i = 0; i < reader->definition_count; i++) {
        if (reader->definitions[i].owner == part) {
            return true;
        }
    }
    return false;
}

void tn_remark_parts(tn_reader *reader)
{
    for (int32_t i = 0; i < reader->definition_count; i++) {
        for (int32_t k = 0; k < reader->definitions[i].count; k++) {
            const int32_t parts = tn_find_key(reader, reader->definitions[i].mappings[k], "parts");
            const int32_t value = parts != TN_NO_NODE ? tn_get(reader, parts)->next : TN_NO_NODE;
            if (value == TN_NO_NODE || tn_get(reader, value)->kind != TN_NODE_MAPPING) {
                continue;
            }
            TN_EACH_KEY(reader, value, key)
            {
                if (!is_made(reader, tn_get(reader, key)->next)) {
                    tn_diagnostics_add(tn_spec_remarks(reader->spec), TN_WARNING, TN_OK,
                                       tn_node_location(reader, key), NULL,
                                       "no instance makes the part '%s'",
                                       tn_node_text(reader->tree, key));
                }
            }
        }
    }
}

void tn_outline_free(tn_reader *reader)
{
    for (int32_t i = 0; i < reader->definition_count; i++) {
        tn_free(reader->definitions[i].mappings);
    }
    tn_free(reader->definitions);
    tn_free(reader->frames);
}
