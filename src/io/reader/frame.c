/* frame.c: names, places and repetitions of the items of a frame (frame.h). */
#include "io/reader/frame.h"

#include <stdio.h>
#include <string.h>

#include "io/reader/number.h"
#include "io/reader/scope.h"
#include "quantity/unit.h"

/* Room for "[2147483647]". */
#define INDEX_SIZE 16

static const tn_frame *current(const tn_reader *reader)
{
    return &reader->frames[reader->frame];
}

void tn_frame_enter(tn_reader *reader, int32_t frame)
{
    reader->frame = frame;
    reader->scope = reader->frames[frame].scope;
}

int32_t tn_find_key(const tn_reader *reader, int32_t mapping, const char *name)
{
    if (tn_get(reader, mapping)->kind != TN_NODE_MAPPING) {
        return TN_NO_NODE;
    }
    TN_EACH_KEY(reader, mapping, key)
    {
        if (strcmp(tn_node_text(reader->tree, key), name) == 0) {
            return key;
        }
    }
    return TN_NO_NODE;
}

/* names -----------------------------------------------------------------------------------------
 */

const char *tn_full_name(tn_reader *reader, const char *name, int32_t index)
{
    const char *prefix = current(reader)->prefix;
    char brackets[INDEX_SIZE] = "";
    if (index >= 0) {
        snprintf(brackets, sizeof(brackets), "[%d]", (int)index);
    }
    if (prefix[0] == '\0' && index < 0) {
        return name;
    }
    const size_t size = strlen(prefix) + strlen(name) + strlen(brackets) + 1;
    char *full = size < INT32_MAX ? tn_reader_alloc(reader, (int32_t)size, 1) : NULL;
    if (full != NULL) {
        snprintf(full, size, "%s%s%s", prefix, name, brackets);
    }
    return full;
}

const char *tn_prefix_of(tn_reader *reader, const char *instance)
{
    const size_t length = strlen(instance);
    char *prefix = tn_reader_alloc(reader, (int32_t)length + 2, 1);
    if (prefix != NULL) {
        /* NOLINTNEXTLINE(bugprone-not-null-terminated-result): the room is zeroed */
        memcpy(prefix, instance, length);
        prefix[length] = '.';
    }
    return prefix;
}

/* The item of this name in the frame being read or in one around it. */
static int32_t find_outwards(tn_reader *reader, const tn_names *names, const char *name,
                             size_t length)
{
    for (int32_t f = reader->frame; f >= 0; f = reader->frames[f].around) {
        const char *prefix = reader->frames[f].prefix;
        const size_t before = strlen(prefix);
        if (before == 0) {
            return tn_names_find(names, name, length);
        }
        char *full = tn_reader_alloc(reader, (int32_t)(before + length + 1), 1);
        if (full == NULL) {
            return TN_NO_NAME;
        }
        /* NOLINTBEGIN(bugprone-not-null-terminated-result): it is searched by its length */
        memcpy(full, prefix, before);
        memcpy(full + before, name, length);
        /* NOLINTEND(bugprone-not-null-terminated-result) */
        const int32_t found = tn_names_find(names, full, before + length);
        if (found != TN_NO_NAME) {
            return found;
        }
    }
    return TN_NO_NAME;
}

/* Whether brackets behind this character hold an index, not a vector. */
static bool is_of_name(char c)
{
    return tn_name_length((const char[]){c, '\0'}) == 1 || (c >= '0' && c <= '9') || c == ']';
}

/* Bytes from the bracket at the start of a text to behind the one that closes it; 0: none does. */
static size_t bracketed(const char *text, size_t length)
{
    int32_t depth = 0;
    for (size_t i = 0; i < length; i++) {
        depth += (text[i] == '[') - (text[i] == ']');
        if (depth == 0) {
            return i + 1;
        }
    }
    return 0;
}

/* Writes the value of the formula between brackets at text[*at], which are `whole` bytes; false: it
 * has none. */
static bool put_index(tn_reader *reader, int32_t node, size_t skip, const char *text, size_t whole,
                      size_t *at, char **end)
{
    const size_t length = whole - 2;
    char *formula = tn_reader_alloc(reader, (int32_t)length + 1, 1);
    int32_t index = 0;
    if (formula == NULL) {
        return false;
    }
    memcpy(formula, text + *at + 1, length);
    if (!tn_evaluate_index(reader, node, skip + *at + 1, formula, &index)) {
        return false;
    }
    *end += snprintf(*end, INDEX_SIZE, "[%d]", (int)index);
    *at += whole;
    return true;
}

const char *tn_expand_indices(tn_reader *reader, int32_t node, size_t skip, const char *text,
                              size_t length)
{
    size_t brackets = 0;
    for (size_t i = 0; i < length; i++) {
        brackets += text[i] == '[';
    }
    char *expanded = tn_reader_alloc(reader, (int32_t)(length + INDEX_SIZE * brackets + 1), 1);
    char *end = expanded;
    for (size_t at = 0; expanded != NULL && at < length;) {
        const bool index = text[at] == '[' && at > 0 && is_of_name(text[at - 1]);
        const size_t whole = index ? bracketed(text + at, length - at) : 0;
        if (whole == 0) {
            *end++ = text[at++];
        } else if (!put_index(reader, node, skip, text, whole, &at, &end)) {
            return NULL;
        }
    }
    return expanded;
}

int32_t tn_find_item(tn_reader *reader, const tn_names *names, int32_t node, const char **text,
                     size_t length)
{
    const int32_t found = find_outwards(reader, names, *text, length);
    if (found != TN_NO_NAME || memchr(*text, '[', length) == NULL) {
        return found;
    }
    *text = tn_expand_indices(reader, node, 0, *text, length);
    return *text != NULL ? find_outwards(reader, names, *text, strlen(*text)) : TN_NO_NAME;
}

/* Is there NAME[index]? */
static bool is_there(tn_reader *reader, const tn_names *names, const char *name, int32_t index)
{
    char indexed[200];
    const int length = snprintf(indexed, sizeof(indexed), "%s[%d]", name, (int)index);
    return length < (int)sizeof(indexed) &&
           find_outwards(reader, names, indexed, (size_t)length) != TN_NO_NAME;
}

/* The last index of a name that has this one. */
static int32_t last_index(tn_reader *reader, const tn_names *names, const char *name, int32_t first)
{
    int32_t there = first, beyond = TN_MAX_ITEMS + 1;
    while (beyond - there > 1) {
        const int32_t middle = there + (beyond - there) / 2;
        if (is_there(reader, names, name, middle)) {
            there = middle;
        } else {
            beyond = middle;
        }
    }
    return there;
}

/* Beams and cables have an end of this name. */
static bool is_flexible(tn_reader *reader, const char *name)
{
    char end[200];
    const int length = snprintf(end, sizeof(end), "%s.start", name);
    const tn_names *bodies = &reader->names[TN_SECTION_BODY];
    return length < (int)sizeof(end) &&
           find_outwards(reader, bodies, end, (size_t)length) != TN_NO_NAME;
}

const char *tn_hint_of_index(tn_reader *reader, const tn_names *names, const char *name,
                             char hint[TN_HINT_SIZE])
{
    char base[160];
    const char *bracket = strrchr(name, '[');
    const size_t length = bracket != NULL ? (size_t)(bracket - name) : strlen(name);
    if (length >= sizeof(base)) {
        return NULL;
    }
    memcpy(base, name, length);
    base[length] = '\0';
    const int32_t first = is_there(reader, names, base, 0) ? 0 : 1;
    if (!is_there(reader, names, base, first)) {
        return NULL;
    }
    const int32_t last = last_index(reader, names, base, first);
    const bool node = names == &reader->names[TN_SECTION_BODY];
    if (bracket == NULL && node && is_flexible(reader, base)) {
        snprintf(hint, TN_HINT_SIZE,
                 "it is a beam or a cable: take %s.start, %s.end or a node, %s[0] to %s[%d]", base,
                 base, base, base, (int)last);
    } else if (bracket == NULL && is_flexible(reader, base)) {
        snprintf(hint, TN_HINT_SIZE, "it is a beam or a cable: take an element, %s[0] to %s[%d]",
                 base, base, (int)last);
    } else if (bracket == NULL) {
        snprintf(hint, TN_HINT_SIZE, "it is repeated: its name has an index, as in name[0]");
    } else {
        snprintf(hint, TN_HINT_SIZE, "there are %s[%d] to %s[%d]", base, (int)first, base,
                 (int)last);
    }
    return hint;
}

/* repetitions ------------------------------------------------------------------------------------
 */

/* A whole number that a repetition may count to. */
static bool read_whole(tn_reader *reader, int32_t node, int32_t *out)
{
    double value = 0.0;
    if (!tn_read_number(reader, node, "repeat", &value)) {
        return false;
    }
    if (!(value >= -TN_MAX_REPEATS && value <= TN_MAX_REPEATS) || value != (double)(int32_t)value) {
        tn_problem(reader, node, NULL, "'repeat' must be a whole number up to %d, not %.9g",
                   TN_MAX_REPEATS, value);
        return false;
    }
    *out = (int32_t)value;
    return true;
}

static bool read_range(tn_reader *reader, int32_t node, tn_repeat *out)
{
    const tn_node *n = tn_get(reader, node);
    if (n->kind != TN_NODE_SEQUENCE) {
        out->first = 0;
        if (!read_whole(reader, node, &out->last)) {
            return false;
        }
        if (out->last < 0) {
            tn_problem(reader, node, NULL, "'repeat' must not be negative, is %d", (int)out->last);
            return false;
        }
        out->last--;
        return true;
    }
    if (n->count != 2) {
        tn_problem(reader, node, NULL, "'repeat' must be [first, last], not a list of %d",
                   (int)n->count);
        return false;
    }
    if (!read_whole(reader, n->first, &out->first) ||
        !read_whole(reader, tn_get(reader, n->first)->next, &out->last)) {
        return false;
    }
    if (out->first < 0) {
        tn_problem(reader, node, NULL, "an index must not be negative");
        return false;
    }
    return true;
}

bool tn_read_repeat(tn_reader *reader, int32_t node, tn_repeat *out)
{
    const tn_node *n = tn_get(reader, node);
    out->index = "index";
    if (n->kind == TN_NODE_MAPPING) {
        const char *name = n->count == 2 ? tn_node_text(reader->tree, n->first) : "";
        if (n->count != 2 || tn_name_length(name) != strlen(name) || name[0] == '\0') {
            tn_problem(reader, node, "repeat: {k: 4}", "'repeat' names one index");
            return false;
        }
        out->index = name;
        node = tn_get(reader, n->first)->next;
    }
    return read_range(reader, node, out);
}

bool tn_repeat_fits(tn_reader *reader, const tn_repeat *repeat, int32_t node)
{
    const int64_t rounds = (int64_t)repeat->last - repeat->first + 1;
    if (reader->repetition + rounds <= TN_MAX_ITEMS)
        return true;
    tn_problem(reader, node, NULL, "the repetitions of this model are more than %d", TN_MAX_ITEMS);
    return false;
}

int32_t tn_repeat_begin(tn_reader *reader, int32_t around, const tn_repeat *repeat, int32_t i,
                        int32_t node)
{
    if (reader->repetition >= TN_MAX_ITEMS) {
        tn_problem(reader, node, NULL, "the repetitions of this model are more than %d",
                   TN_MAX_ITEMS);
        return TN_NO_SCOPE;
    }
    const int32_t scope = tn_scope_begin(reader, around);
    tn_scope_add_value(reader, scope, repeat->index, i);
    reader->repetition++;
    return scope;
}

void tn_read_repeated(tn_reader *reader, int32_t key, int32_t value, tn_item_reader one,
                      const void *context)
{
    const char *name = tn_node_text(reader->tree, key);
    const int32_t repeat_key = tn_find_key(reader, value, "repeat");
    tn_repeat repeat;
    reader->item_name = tn_full_name(reader, name, -1);
    if (reader->item_name == NULL) {
        return;
    }
    if (repeat_key == TN_NO_NODE) {
        one(reader, context, key, value, -1);
        return;
    }
    if (!tn_read_repeat(reader, tn_get(reader, repeat_key)->next, &repeat) ||
        !tn_repeat_fits(reader, &repeat, key)) {
        return;
    }
    const int32_t around = reader->scope;
    for (int32_t i = repeat.first; i <= repeat.last && reader->status == TN_OK; i++) {
        const int32_t scope = tn_repeat_begin(reader, around, &repeat, i, key);
        if (scope == TN_NO_SCOPE) {
            return;
        }
        reader->scope = scope;
        reader->item_name = tn_full_name(reader, name, i);
        if (reader->status == TN_OK) {
            one(reader, context, key, value, i);
        }
        reader->scope = around;
        tn_scope_end(reader, scope);
    }
}

/* places -----------------------------------------------------------------------------------------
 */

bool tn_frame_is_placed(const tn_reader *reader)
{
    return current(reader)->placed;
}

tn_pose tn_frame_pose(const tn_reader *reader, tn_pose pose)
{
    return current(reader)->placed ? tn_pose_multiply(current(reader)->pose, pose) : pose;
}

tn_vec3 tn_frame_point(const tn_reader *reader, tn_vec3 point)
{
    return current(reader)->placed ? tn_pose_transform_point(current(reader)->pose, point) : point;
}

tn_vec3 tn_frame_vector(const tn_reader *reader, tn_vec3 vector)
{
    return current(reader)->placed ? tn_pose_rotate_vector(current(reader)->pose, vector) : vector;
}
