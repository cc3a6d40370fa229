/* scope.c: parameters and the formulas over them (scope.h). */
#include "io/reader/scope.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "io/reader/number.h"
#include "quantity/expression.h"
#include "quantity/unit.h"

/* Parameters that each need the next one: more are refused, so that evaluation may recurse. */
#define LONGEST_CHAIN 100

#define NO_PARAMETER (-1)

static tn_parameter_slot *slot_of(const tn_reader *reader, int32_t parameter)
{
    return &reader->scopes.slots[parameter];
}

/* building --------------------------------------------------------------------------------------
 */

int32_t tn_scope_begin(tn_reader *reader, int32_t around)
{
    tn_scopes *scopes = &reader->scopes;
    tn_scope *grown = tn_grow(scopes->scopes, &scopes->capacity, scopes->count + 1, sizeof(*grown));
    if (grown == NULL) {
        reader->status = TN_ERROR_MEMORY;
        return TN_NO_SCOPE;
    }
    scopes->scopes = grown;
    grown[scopes->count] = (tn_scope){.around = around,
                                      .first = NO_PARAMETER,
                                      .last = NO_PARAMETER,
                                      .slots_before = scopes->slot_count};
    return scopes->count++;
}

void tn_scope_end(tn_reader *reader, int32_t scope)
{
    tn_scopes *scopes = &reader->scopes;
    if (scope == scopes->count - 1) {
        scopes->slot_count = scopes->scopes[scope].slots_before;
        scopes->count = scope;
    }
}

int32_t tn_scope_find(const tn_reader *reader, int32_t scope, const char *name)
{
    int32_t i = scope >= 0 ? reader->scopes.scopes[scope].first : NO_PARAMETER;
    while (i != NO_PARAMETER && strcmp(slot_of(reader, i)->name, name) != 0) {
        i = slot_of(reader, i)->next;
    }
    return i;
}

static tn_parameter_slot *add(tn_reader *reader, int32_t scope, const char *name)
{
    tn_scopes *scopes = &reader->scopes;
    if (scope < 0) {
        return NULL;
    }
    tn_parameter_slot *grown =
        tn_grow(scopes->slots, &scopes->slot_capacity, scopes->slot_count + 1, sizeof(*grown));
    if (grown == NULL) {
        reader->status = TN_ERROR_MEMORY;
        return NULL;
    }
    scopes->slots = grown;
    const int32_t index = scopes->slot_count++;
    tn_scope *owner = &scopes->scopes[scope];
    grown[index] =
        (tn_parameter_slot){.name = name, .node = TN_NO_NODE, .seen = scope, .next = NO_PARAMETER};
    if (owner->last == NO_PARAMETER) {
        owner->first = index;
    } else {
        grown[owner->last].next = index;
    }
    owner->last = index;
    return &grown[index];
}

/* A formula can only use what reads as a name. */
static void check_name(tn_reader *reader, int32_t key)
{
    const char *name = tn_node_text(reader->tree, key);
    if (tn_name_length(name) != (size_t)tn_get(reader, key)->count || name[0] == '\0') {
        tn_problem(reader, key, "letters, digits and _, as in crank_length",
                   "'%.60s' cannot be the name of a parameter", name);
    } else if (strcmp(name, "pi") == 0) {
        tn_problem(reader, key, NULL, "'pi' is a number already");
    }
}

void tn_scope_add(tn_reader *reader, int32_t scope, int32_t mapping, int32_t seen)
{
    if (!tn_want_mapping(reader, mapping, "parameters")) {
        return;
    }
    TN_EACH_KEY(reader, mapping, key)
    {
        const char *name = tn_node_text(reader->tree, key);
        const int32_t known = tn_scope_find(reader, scope, name);
        if (known == NO_PARAMETER) {
            check_name(reader, key);
            tn_parameter_slot *slot = add(reader, scope, name);
            if (slot == NULL) {
                return;
            }
            slot->node = tn_get(reader, key)->next;
            slot->seen = seen;
            slot->mapping = mapping;
        } else if (slot_of(reader, known)->mapping == mapping) {
            tn_problem(reader, key, NULL, "'%.100s' is given twice", name);
        }
    }
}

void tn_scope_add_value(tn_reader *reader, int32_t scope, const char *name, double value)
{
    tn_parameter_slot *slot = add(reader, scope, name);
    if (slot != NULL) {
        slot->state = TN_PARAMETER_KNOWN;
        slot->value = tn_plain(value);
    }
}

void tn_scope_add_indices(tn_reader *reader, int32_t scope, int32_t from, int32_t until)
{
    for (; from != until && from != TN_NO_SCOPE; from = reader->scopes.scopes[from].around) {
        const tn_parameter_slot index = *slot_of(reader, reader->scopes.scopes[from].first);
        if (tn_scope_find(reader, scope, index.name) == NO_PARAMETER) {
            tn_scope_add_value(reader, scope, index.name, index.value.v[0]);
        }
    }
}

void tn_scope_offer(const tn_reader *reader, int32_t scope, tn_suggestion *suggestion)
{
    for (int32_t i = reader->scopes.scopes[scope].first; i != NO_PARAMETER;
         i = slot_of(reader, i)->next) {
        tn_suggestion_offer(suggestion, slot_of(reader, i)->name);
    }
}

void tn_scope_set(tn_reader *reader, int32_t scope, const char *name, const char *text)
{
    const int32_t index = tn_scope_find(reader, scope, name);
    if (index != NO_PARAMETER) {
        slot_of(reader, index)->text = text;
    }
}

/* evaluating ------------------------------------------------------------------------------------
 */

static bool evaluate(tn_reader *reader, const char *text, tn_value *out,
                     tn_expression_problem *problem)
{
    const tn_name_source source = {.find = tn_scope_ask,
                                   .offer = tn_scope_offer_names,
                                   .context = reader,
                                   .plain_is_rad = reader->angle == 1.0};
    return tn_expression_evaluate(text, &source, out, problem);
}

/* Does a coordinate of a joint stand here? */
static bool is_coordinate(const tn_reader *reader, const char *text)
{
    const size_t joint = tn_name_length(text);
    const char *dot = memchr(text, '.', joint);
    const size_t length = dot != NULL ? (size_t)(dot - text) : joint;
    return text[length] == '.' &&
           tn_names_find(&reader->names[TN_SECTION_JOINT], text, length) != TN_NO_NAME;
}

bool tn_evaluate_formula(tn_reader *reader, int32_t node, size_t skip, const char *key,
                         tn_value *out)
{
    tn_expression_problem problem;
    const char *text = tn_node_text(reader->tree, node) + skip;
    if (evaluate(reader, text, out, &problem)) {
        return true;
    }
    if (problem.message[0] == '\0') {
        tn_mark_bad(reader); /* a parameter without a value has been reported */
        return false;
    }
    const bool cut = tn_get(reader, node)->plain && text[problem.at] == '\0' &&
                     strchr(text, '(') != NULL && problem.hint[0] == '\0';
    tn_problem_inside(
        reader, node, skip + problem.at,
        cut ? "a formula with commas stands in quotes"
        : is_coordinate(reader, text + problem.at)
            ? "coordinates of joints are known in measures; a force over the way is a spring: "
              "spring: {z: {force: \"=-100*x\"}}"
        : problem.hint[0] != '\0' ? problem.hint
                                  : NULL,
        "'%s': %s", key, problem.message);
    return false;
}

bool tn_try_formula(tn_reader *reader, int32_t node, size_t skip, tn_value *out)
{
    tn_expression_problem problem;
    return evaluate(reader, tn_node_text(reader->tree, node) + skip, out, &problem);
}

bool tn_evaluate_index(tn_reader *reader, int32_t node, size_t at, const char *text, int32_t *out)
{
    tn_value value;
    tn_expression_problem problem;
    if (!evaluate(reader, text, &value, &problem)) {
        if (problem.message[0] != '\0') {
            tn_problem_inside(reader, node, at + problem.at,
                              problem.hint[0] != '\0' ? problem.hint : NULL, "in brackets: %s",
                              problem.message);
        }
        return false;
    }
    if (value.count != 1 || !tn_dimension_is_plain(value.dimension) ||
        value.v[0] != rint(value.v[0]) || !(fabs(value.v[0]) <= INT32_MAX)) {
        tn_problem_inside(reader, node, at, NULL, "an index is a whole number, not %.9g",
                          value.v[0]);
        return false;
    }
    *out = (int32_t)value.v[0];
    return true;
}

/* "a, b, a": the parameters from this one to itself again */
static void report_circle(tn_reader *reader, int32_t parameter)
{
    char list[TN_DESCRIPTION_SIZE * 2] = "";
    size_t used = 0;
    const tn_scopes *scopes = &reader->scopes;
    int32_t from = 0;
    while (from < scopes->depth && scopes->stack[from] != parameter) {
        from++;
    }
    for (int32_t i = from; i <= scopes->depth && used < sizeof(list); i++) {
        const char *name = slot_of(reader, i < scopes->depth ? scopes->stack[i] : parameter)->name;
        const int size =
            snprintf(list + used, sizeof(list) - used, "%s%.40s", i > from ? " -> " : "", name);
        used += size > 0 ? (size_t)size : 0;
    }
    const tn_parameter_slot *slot = slot_of(reader, parameter);
    if (slot->text == NULL) {
        tn_problem(reader, slot->node, NULL, "the value depends on itself: %s", list);
    } else {
        tn_problem_nowhere(reader, NULL, "the value of '%.60s' depends on itself: %s", slot->name,
                           list);
    }
}

static bool read_text(tn_reader *reader, const tn_parameter_slot *slot, tn_value *out)
{
    tn_expression_problem problem;
    const char *text = slot->text + (slot->text[0] == '=');
    if (evaluate(reader, text, out, &problem)) {
        return true;
    }
    if (problem.message[0] != '\0') {
        tn_problem_nowhere(reader, problem.hint[0] != '\0' ? problem.hint : NULL,
                           "--set %.60s=%.100s: %s", slot->name, slot->text, problem.message);
    }
    return false;
}

/* More than a vector has, or a list of vectors: a list, whose items are values of their own. */
static bool is_list(const tn_reader *reader, int32_t node)
{
    const tn_node *n = tn_get(reader, node);
    if (n->kind != TN_NODE_SEQUENCE || n->count > 3) {
        return n->kind == TN_NODE_SEQUENCE;
    }
    TN_EACH(reader, node, child)
    {
        if (tn_get(reader, child)->kind == TN_NODE_SEQUENCE) {
            return true;
        }
    }
    return false;
}

static bool read_items(tn_reader *reader, int32_t parameter, int32_t node, tn_value *out)
{
    const int32_t count = tn_get(reader, node)->count;
    tn_value *items = tn_reader_alloc(reader, count, sizeof(*items));
    int32_t known = 0;
    bool read = items != NULL;
    TN_EACH(reader, node, child)
    {
        read = items != NULL && tn_read_value(reader, child, "value", &items[known++]) && read;
    }
    tn_parameter_slot *slot = slot_of(reader, parameter);
    slot->items = items;
    slot->count = count;
    *out = (tn_value){.v = {(double)count}, .count = 0};
    return read;
}

/* The value of a parameter, in its own scope and its file's unit of angle. */
static bool read_parameter(tn_reader *reader, int32_t parameter, tn_value *out)
{
    tn_parameter_slot slot = *slot_of(reader, parameter);
    tn_saved saved;
    const int32_t scope = reader->scope;
    const double angle = reader->angle;
    tn_enter(reader, &saved, TN_SECTION_WORLD, 0, "parameter", slot.name);
    reader->scope = slot.seen;
    bool read;
    if (slot.text == NULL) {
        reader->angle = tn_source_of(reader->tree, slot.node)->angle;
        read = is_list(reader, slot.node) ? read_items(reader, parameter, slot.node, out)
                                          : tn_read_value(reader, slot.node, "value", out);
    } else {
        read = read_text(reader, &slot, out);
    }
    reader->scope = scope;
    reader->angle = angle;
    tn_leave(reader, &saved);
    return read;
}

static void find_value(tn_reader *reader, int32_t parameter)
{
    tn_scopes *scopes = &reader->scopes;
    if (slot_of(reader, parameter)->state == TN_PARAMETER_BUSY) {
        report_circle(reader, parameter);
        slot_of(reader, parameter)->state = TN_PARAMETER_BROKEN;
    }
    if (slot_of(reader, parameter)->state != TN_PARAMETER_NEW) {
        return;
    }
    if (scopes->depth == LONGEST_CHAIN) {
        tn_problem_nowhere(reader, NULL, "more than %d parameters that each need the next one",
                           LONGEST_CHAIN);
        slot_of(reader, parameter)->state = TN_PARAMETER_BROKEN;
        return;
    }
    tn_value value = tn_plain(0.0);
    slot_of(reader, parameter)->state = TN_PARAMETER_BUSY;
    scopes->stack[scopes->depth++] = parameter;
    const bool read = read_parameter(reader, parameter, &value);
    scopes->depth--;
    tn_parameter_slot *slot = slot_of(reader, parameter);
    if (slot->state == TN_PARAMETER_BUSY) {
        slot->state = read ? TN_PARAMETER_KNOWN : TN_PARAMETER_BROKEN;
    }
    slot->value = value;
}

/* The scope being read; what is no model, a study, has none. */
static int32_t innermost(const tn_reader *reader)
{
    return reader->scopes.count > 0 ? reader->scope : TN_NO_SCOPE;
}

/* The parameter of that name in the scope being read, NO_PARAMETER: none. */
static int32_t find_outwards(const tn_reader *reader, const char *name, size_t length)
{
    for (int32_t scope = innermost(reader); scope != TN_NO_SCOPE;
         scope = reader->scopes.scopes[scope].around) {
        int32_t i = reader->scopes.scopes[scope].first;
        for (; i != NO_PARAMETER; i = slot_of(reader, i)->next) {
            const char *known = slot_of(reader, i)->name;
            if (strncmp(known, name, length) == 0 && known[length] == '\0') {
                return i;
            }
        }
    }
    return NO_PARAMETER;
}

/* list[3], where the list has so many. */
static bool take_item(const tn_parameter_slot *slot, const char *brackets, tn_value *out)
{
    const long index = strtol(brackets + 1, NULL, 10);
    if (index < 0 || index >= slot->count) {
        return false;
    }
    *out = slot->items[index];
    return true;
}

tn_name_answer tn_scope_ask(void *context, const char *name, size_t length, tn_value *out)
{
    tn_reader *reader = context;
    const bool item = length > 0 && name[length - 1] == ']';
    const size_t own = item ? tn_part_owner(name, length) : length;
    const int32_t parameter = own > 0 ? find_outwards(reader, name, own) : NO_PARAMETER;
    if (parameter == NO_PARAMETER) {
        return TN_NAME_UNKNOWN;
    }
    find_value(reader, parameter);
    tn_parameter_slot *slot = slot_of(reader, parameter);
    *out = slot->value;
    slot->used = true;
    if (slot->state != TN_PARAMETER_KNOWN) {
        return TN_NAME_BROKEN;
    }
    return !item || take_item(slot, name + own, out) ? TN_NAME_KNOWN : TN_NAME_UNKNOWN;
}

void tn_scope_offer_names(void *context, tn_suggestion *suggestion)
{
    tn_reader *reader = context;
    const bool search = tn_may_search(reader);
    for (int32_t scope = innermost(reader); search && scope != TN_NO_SCOPE;
         scope = reader->scopes.scopes[scope].around) {
        tn_scope_offer(reader, scope, suggestion);
    }
}

void tn_scope_evaluate(tn_reader *reader, int32_t scope)
{
    if (scope == TN_NO_SCOPE) {
        return;
    }
    for (int32_t i = reader->scopes.scopes[scope].first; i != NO_PARAMETER;
         i = slot_of(reader, i)->next) {
        find_value(reader, i);
    }
}

/* What stands in the file; NULL of a list. */
static const char *text_at(const tn_reader *reader, int32_t node)
{
    return tn_get(reader, node)->kind == TN_NODE_SCALAR ? tn_node_text(reader->tree, node) : NULL;
}

static void note(tn_reader *reader, tn_parameter *noted, const tn_value *value)
{
    char buffer[TN_DIMENSION_TEXT];
    noted->count = value->count;
    memcpy(noted->value, value->v, sizeof(noted->value));
    noted->unit = tn_dimension_unit(value->dimension, buffer);
    if (tn_spec_note_parameter(reader->spec, noted) != TN_OK) {
        reader->status = TN_ERROR_MEMORY;
    }
}

/* The items of a list are parameters of their own; if none is used, the first is reported. */
static void note_items(tn_reader *reader, const tn_parameter_slot *slot)
{
    int32_t index = 0;
    TN_EACH(reader, slot->node, child)
    {
        char name[TN_DESCRIPTION_SIZE * 2];
        snprintf(name, sizeof(name), "%.120s[%d]", slot->name, (int)index);
        tn_parameter noted = {.name = name,
                              .text = text_at(reader, child),
                              .used = slot->used || index > 0,
                              .at = tn_node_location(reader, child)};
        note(reader, &noted, &slot->items[index++]);
    }
}

void tn_scope_note(tn_reader *reader, int32_t scope)
{
    for (int32_t i = scope >= 0 ? reader->scopes.scopes[scope].first : NO_PARAMETER;
         i != NO_PARAMETER; i = slot_of(reader, i)->next) {
        const tn_parameter_slot *slot = slot_of(reader, i);
        tn_parameter noted = {.name = slot->name, .used = slot->used};
        if (slot->text != NULL) {
            noted.text = slot->text;
        } else {
            noted.text = text_at(reader, slot->node);
            noted.at = tn_node_location(reader, slot->node);
        }
        if (slot->items != NULL && slot->text == NULL) {
            note_items(reader, slot);
        } else {
            note(reader, &noted, &slot->value);
        }
    }
}
