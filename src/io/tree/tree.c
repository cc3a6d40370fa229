/* tree.c: from libfyaml's parser events to a tree of located nodes (tree.h).
 *
 * Room io/tree. Events rather than libfyaml's own documents: those resolve aliases, compare the keys of
 * a mapping pair by pair, and take ten times the memory. libfyaml counts lines and columns from 0.
 */
#include "io/tree/tree.h"

#include <libfyaml.h>
#include <string.h>

#include "io/tree/tree_alias.h"
#include "io/tree/yaml_guard.h"

/* Everything the building of one tree needs. */
typedef struct builder {
    tn_tree *tree;
    const char *text; /* as given to libfyaml */
    int guarded;      /* with stand-ins for question marks */
    const char *file;
    tn_diagnostics *diags;
    tn_status status;
    int32_t open[TN_MAX_DEPTH]; /* containers not yet ended, outermost first */
    int32_t last[TN_MAX_DEPTH]; /* newest child of each */
    int32_t depth;
    int32_t documents;
    tn_anchors anchors;
    bool merges;                  /* a key << has been met */
    struct fy_token_iter *pieces; /* walks through the text of one token after the other */
} builder;

void tn_tree_free(tn_tree *tree)
{
    for (int32_t i = 0; i < tree->source_count; i++) {
        tn_free(tree->sources[i].texts);
    }
    tn_free(tree->nodes);
    tn_free(tree->sources);
    *tree = (tn_tree){0};
}

static tn_location location_of(const builder *b, const struct fy_mark *mark)
{
    tn_location at = {b->file, 0, 0};
    if (mark != NULL) {
        at.line = mark->line + 1;
        at.column = mark->column + 1;
    }
    return at;
}

/* An empty value has no mark: it is where its key is; an empty text is at its start. */
static tn_location node_location(const builder *b, const struct fy_mark *mark)
{
    tn_location at = location_of(b, mark);
    if (mark == NULL) {
        at.line = at.column = 1;
    }
    if (mark == NULL && b->depth > 0) {
        int32_t last = b->last[b->depth - 1];
        const tn_node *near = &b->tree->nodes[last != TN_NO_NODE ? last : b->open[b->depth - 1]];
        at.line = near->line;
        at.column = near->column;
    }
    return at;
}

static void refuse(builder *b, const struct fy_mark *mark, const char *hint, const char *message)
{
    b->status = TN_ERROR_INPUT;
    tn_diagnostics_add(b->diags, TN_ERROR, TN_ERROR_INPUT, location_of(b, mark), hint, "%s",
                       message);
}

/* Hangs a node under the innermost open container. */
static void hang(builder *b, int32_t index)
{
    tn_tree *tree = b->tree;
    if (b->depth == 0) {
        return;
    }
    tn_node *parent = &tree->nodes[b->open[b->depth - 1]];
    int32_t *last = &b->last[b->depth - 1];
    if (*last == TN_NO_NODE) {
        parent->first = index;
    } else {
        tree->nodes[*last].next = index;
    }
    *last = index;
    parent->count++;
}

static int32_t add_node(builder *b, tn_node_kind kind, const struct fy_mark *mark)
{
    tn_tree *tree = b->tree;
    if (tree->count == TN_MAX_NODES) {
        refuse(b, mark, NULL, "more values than a model may have");
        return TN_NO_NODE;
    }
    tn_node *grown = tn_grow(tree->nodes, &tree->capacity, tree->count + 1, sizeof(*grown));
    if (grown == NULL) {
        b->status = TN_ERROR_MEMORY;
        return TN_NO_NODE;
    }
    tree->nodes = grown;
    int32_t index = tree->count++;
    tn_location at = node_location(b, mark);
    tree->nodes[index] = (tn_node){.line = at.line,
                                   .column = at.column,
                                   .next = TN_NO_NODE,
                                   .first = TN_NO_NODE,
                                   .source = tree->source_count - 1,
                                   .kind = (uint8_t)kind};
    hang(b, index);
    return index;
}

static void add_container(builder *b, tn_node_kind kind, const struct fy_mark *mark)
{
    if (b->depth == TN_MAX_DEPTH) {
        refuse(b, mark, NULL, "nested too deeply for a model");
        return;
    }
    int32_t index = add_node(b, kind, mark);
    if (index != TN_NO_NODE) {
        b->open[b->depth] = index;
        b->last[b->depth] = TN_NO_NODE;
        b->depth++;
    }
}

/* The file that is being read. */
static tn_source *source_of(const builder *b)
{
    return &b->tree->sources[b->tree->source_count - 1];
}

/* Appends to the texts; 0 when out of memory. */
static int add_text(builder *b, const char *text, size_t length)
{
    tn_source *source = source_of(b);
    char *grown = NULL;
    if (length < TN_MAX_TEXT && source->text_count <= INT32_MAX - (int32_t)length) {
        grown =
            tn_grow(source->texts, &source->text_capacity, source->text_count + (int32_t)length, 1);
    }
    if (grown == NULL) {
        b->status = TN_ERROR_MEMORY;
        return 0;
    }
    source->texts = grown;
    memcpy(source->texts + source->text_count, text, length);
    source->text_count += (int32_t)length;
    return 1;
}

/* What stands between the quotes of a token, as it is in the text. */
static const char *between_quotes(const builder *b, struct fy_token *token, size_t *length)
{
    size_t start = fy_token_start_mark(token)->input_pos;
    *length = fy_token_end_mark(token)->input_pos - start;
    return b->text + start;
}

/* A single-quoted text that libfyaml would get wrong (yaml_guard.h). */
static int add_quote_run(builder *b, const char *text, size_t length, const struct fy_mark *mark)
{
    if (memchr(text, '\n', length) != NULL) {
        refuse(b, mark, "use double quotes", "too many quotes in a text of several lines");
        return 0;
    }
    int32_t start = source_of(b)->text_count;
    if (!add_text(b, text, length)) {
        return 0;
    }
    source_of(b)->text_count =
        start + (int32_t)tn_guard_unquote(source_of(b)->texts + start, length);
    return 1;
}

/* Piece by piece: fy_token_get_text gives up and leaks when it has misjudged the length. */
static int add_pieces(builder *b, struct fy_token *token, const struct fy_mark *mark)
{
    const struct fy_iter_chunk *chunk = NULL;
    int error = 0;
    fy_token_iter_start(token, b->pieces);
    while (b->status == TN_OK &&
           (chunk = fy_token_iter_chunk_next(b->pieces, chunk, &error)) != NULL) {
        if (memchr(chunk->str, '\0', chunk->len) != NULL) {
            refuse(b, mark, NULL, "a text must not contain the character U+0000");
        } else {
            add_text(b, chunk->str, chunk->len);
        }
    }
    fy_token_iter_finish(b->pieces);
    if (b->status == TN_OK && error != 0) {
        refuse(b, mark, NULL, "not YAML: this text cannot be read");
    }
    return b->status == TN_OK;
}

/* The text of a scalar with its question marks and a zero behind it. */
static int add_token_text(builder *b, struct fy_token *token, const struct fy_mark *mark)
{
    int32_t start = source_of(b)->text_count;
    enum fy_scalar_style style = fy_token_scalar_style(token);
    size_t length = 0;
    const char *quoted = style == FYSS_SINGLE_QUOTED ? between_quotes(b, token, &length) : NULL;
    int ok = quoted != NULL && tn_guard_has_quote_run(quoted, length)
                 ? add_quote_run(b, quoted, length, mark)
                 : add_pieces(b, token, mark);
    if (!ok) {
        return 0;
    }
    length = (size_t)(source_of(b)->text_count - start);
    if (style == FYSS_PLAIN && length > 0 &&
        tn_guard_is_complex_key(source_of(b)->texts + start, length)) {
        refuse(b, mark, NULL, "complex keys (? key) are not part of the model format");
        return 0;
    }
    if (b->guarded && length > 0) {
        source_of(b)->text_count =
            start + (int32_t)tn_guard_restore(source_of(b)->texts + start, length);
    }
    return add_text(b, "", 1);
}

/* Whether the text stands in the file as it is read: then a place in it can be pointed at. */
static bool is_verbatim(const builder *b, struct fy_token *token, const tn_node *node)
{
    const struct fy_mark *start = fy_token_start_mark(token), *end = fy_token_end_mark(token);
    if (start == NULL || end == NULL || start->line != end->line) {
        return false;
    }
    size_t length = (size_t)node->count;
    for (int32_t i = 0; b->guarded && i < node->count; i++) {
        length += source_of(b)->texts[node->first + i] == '?' ? TN_STAND_IN_SIZE - 1 : 0;
    }
    return end->input_pos - start->input_pos == length;
}

static void add_scalar(builder *b, struct fy_token *token, const struct fy_mark *mark)
{
    int32_t index = add_node(b, TN_NODE_SCALAR, mark);
    int32_t start = source_of(b)->text_count;
    if (index == TN_NO_NODE || !add_token_text(b, token, mark)) {
        return;
    }
    tn_node *node = &b->tree->nodes[index];
    enum fy_scalar_style style = fy_token_scalar_style(token);
    node->first = start;
    node->count = source_of(b)->text_count - start - 1;
    node->plain = style == FYSS_PLAIN;
    /* the mark of a quoted text is behind its quote */
    const bool quoted = style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED;
    node->column -= quoted;
    node->inset = is_verbatim(b, token, node) ? quoted : TN_NOT_VERBATIM;
    b->merges |= node->plain && strcmp(source_of(b)->texts + start, "<<") == 0;
}

/* Keys are texts: a mapping may not be the key of a mapping. */
static void check_key(builder *b, const struct fy_mark *mark, enum fy_event_type type)
{
    if (b->depth == 0 || type == FYET_SCALAR) {
        return;
    }
    const tn_node *parent = &b->tree->nodes[b->open[b->depth - 1]];
    if (parent->kind == TN_NODE_MAPPING && parent->count % 2 == 0) {
        refuse(b, mark, "curly or square brackets at a place where a name should be?",
               "a key must be a text");
    }
}

static int is_node(enum fy_event_type type)
{
    return type == FYET_SCALAR || type == FYET_SEQUENCE_START || type == FYET_MAPPING_START;
}

static void refuse_yaml_features(builder *b, struct fy_event *event, const struct fy_mark *mark)
{
    if (is_node(event->type) && fy_event_get_tag_token(event) != NULL) {
        refuse(b, mark, NULL, "tags (!name) are not part of the model format");
    } else if (event->type == FYET_DOCUMENT_START && b->documents++ > 0) {
        refuse(b, mark, NULL, "a second document starts here, a file holds one model");
    }
}

/* Gives the node that was added last its name. */
static void add_anchor(builder *b, struct fy_event *event, int32_t node)
{
    struct fy_token *token = is_node(event->type) ? fy_event_get_anchor_token(event) : NULL;
    size_t length = 0;
    const char *name = token != NULL ? fy_token_get_text(token, &length) : NULL;
    if (name != NULL && b->status == TN_OK) {
        b->status = tn_anchor_add(&b->anchors, name, length, node);
    }
}

static bool is_open(const builder *b, int32_t node)
{
    for (int32_t i = 0; i < b->depth; i++) {
        if (b->open[i] == node) {
            return true;
        }
    }
    return false;
}

/* A copy of what an alias means. */
static void add_alias(builder *b, struct fy_event *event, const struct fy_mark *mark)
{
    size_t length = 0;
    const char *name = fy_token_get_text(event->alias.anchor, &length);
    const int32_t node = name != NULL ? tn_anchor_find(&b->anchors, name, length) : TN_NO_NODE;
    int32_t copy = TN_NO_NODE;
    if (node == TN_NO_NODE) {
        refuse(b, mark, "an anchor stands before its aliases: &name",
               "this alias has no anchor before it");
    } else if (is_open(b, node)) {
        refuse(b, mark, NULL, "this alias would hold itself");
    } else {
        const char *problem =
            tn_tree_copy(b->tree, &b->anchors, node, TN_MAX_DEPTH - b->depth, &copy);
        if (problem != NULL) {
            refuse(b, mark, NULL, problem);
        } else if (copy == TN_NO_NODE) {
            b->status = TN_ERROR_MEMORY;
        } else {
            hang(b, copy);
        }
    }
}

/* All keys of the mapping are there: what it merges comes behind them. */
static void end_mapping(builder *b)
{
    int32_t where = TN_NO_NODE;
    b->depth--;
    const char *problem = b->merges ? tn_tree_merge(b->tree, b->open[b->depth], &where) : NULL;
    if (problem != NULL) {
        const tn_node *n = &b->tree->nodes[where];
        const tn_location at = {b->file, n->line, n->column};
        b->status = TN_ERROR_INPUT;
        tn_diagnostics_add(b->diags, TN_ERROR, TN_ERROR_INPUT, at, NULL, "%s", problem);
    }
}

static void take_event(builder *b, struct fy_event *event)
{
    const struct fy_mark *mark = fy_event_start_mark(event);
    const int32_t next = b->tree->count;
    refuse_yaml_features(b, event, mark);
    if (is_node(event->type) || event->type == FYET_ALIAS) {
        check_key(b, mark, event->type);
    }
    if (b->status != TN_OK) {
        return;
    }
    switch (event->type) {
    case FYET_SCALAR:
        add_scalar(b, event->scalar.value, mark);
        break;
    case FYET_SEQUENCE_START:
        add_container(b, TN_NODE_SEQUENCE, mark);
        break;
    case FYET_MAPPING_START:
        add_container(b, TN_NODE_MAPPING, mark);
        break;
    case FYET_SEQUENCE_END:
        b->depth--;
        break;
    case FYET_MAPPING_END:
        end_mapping(b);
        break;
    case FYET_ALIAS:
        add_alias(b, event, mark);
        break;
    default:
        break;
    }
    add_anchor(b, event, next);
}

/* What to do about it. */
static const char *syntax_hint(const char *message)
{
    static const struct {
        const char *part, *hint;
    } hints[] = {
        {"missing comma in flow", "is a bracket closed, a comma there? A formula with brackets or "
                                  "commas stands in quotes, \"=max(a, b)\""},
        {"tab character", "indent with blanks: two for every level"},
        {"invalid multiline plain key", "the keys of one mapping start in the same column"},
        {"wrongly indented", "the keys of one mapping start in the same column"},
        {"did not find expected key", "the keys of one mapping start in the same column"},
    };
    for (size_t i = 0; i < TN_COUNT_OF(hints); i++) {
        if (strstr(message, hints[i].part) != NULL) {
            return hints[i].hint;
        }
    }
    return NULL;
}

/* What libfyaml found wrong, in its words. */
static void report_syntax(builder *b, struct fy_diag *diag)
{
    void *iterator = NULL;
    const struct fy_diag_error *error;
    while ((error = fy_diag_errors_iterate(diag, &iterator)) != NULL) {
        tn_location at = {b->file, error->line, error->column};
        b->status = TN_ERROR_INPUT;
        const char *message = error->msg != NULL ? error->msg : "syntax error";
        tn_diagnostics_add(b->diags, TN_ERROR, TN_ERROR_INPUT, at, syntax_hint(message),
                           "not YAML: %s", message);
    }
    if (b->status == TN_OK) {
        refuse(b, NULL, NULL, "not YAML");
    }
}

static void take_events(builder *b, struct fy_parser *parser, struct fy_diag *diag)
{
    struct fy_event *event = NULL;
    while (b->status == TN_OK && (event = fy_parser_parse(parser)) != NULL) {
        take_event(b, event);
        fy_parser_event_free(parser, event);
    }
    if (b->status == TN_OK && fy_parser_get_stream_error(parser)) {
        report_syntax(b, diag);
    }
}

/* A list for libfyaml's errors, which would otherwise be printed. */
static struct fy_diag *create_error_list(void)
{
    struct fy_diag_cfg options;
    fy_diag_cfg_default(&options);
    options.fp = NULL;
    options.level = FYET_ERROR;
    options.colorize = false;
    struct fy_diag *diag = fy_diag_create(&options);
    if (diag != NULL) {
        fy_diag_set_collect_errors(diag, true);
    }
    return diag;
}

static void parse(builder *b, const char *text, size_t length)
{
    struct fy_diag *diag = create_error_list();
    const struct fy_parse_cfg options = {
        .flags = FYPCF_QUIET | FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE |
                 FYPCF_SLOPPY_FLOW_INDENTATION,
        .diag = diag,
    };
    struct fy_parser *parser = diag != NULL ? fy_parser_create(&options) : NULL;
    b->pieces = fy_token_iter_create(NULL);
    if (parser == NULL || b->pieces == NULL || fy_parser_set_string(parser, text, length) != 0) {
        b->status = TN_ERROR_MEMORY;
    } else {
        take_events(b, parser, diag);
    }
    fy_token_iter_destroy(b->pieces);
    fy_parser_destroy(parser);
    fy_diag_destroy(diag);
}

static void parse_guarded(builder *b, const char *text, size_t length)
{
    char *copy = NULL;
    size_t copy_length = 0;
    b->status = tn_guard_text(text, length, b->file, b->diags, &copy, &copy_length);
    b->guarded = copy != NULL;
    b->text = copy != NULL ? copy : text;
    if (b->status == TN_OK) {
        parse(b, b->text, copy != NULL ? copy_length : length);
    }
    tn_free(copy);
}

/* The start of the text behind a byte order mark. */
static size_t skip_byte_order_mark(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

static tn_status add_source(tn_tree *tree, const char *file, int32_t included)
{
    tn_source *grown =
        tn_grow(tree->sources, &tree->source_capacity, tree->source_count + 1, sizeof(*grown));
    if (grown == NULL) {
        return TN_ERROR_MEMORY;
    }
    tree->sources = grown;
    grown[tree->source_count++] = (tn_source){.file = file, .angle = 1.0, .included = included};
    return TN_OK;
}

tn_status tn_tree_read(tn_tree *tree, const char *text, size_t length, const char *file,
                       int32_t included, tn_diagnostics *diags, int32_t *root)
{
    builder b = {.tree = tree, .file = file, .diags = diags};
    b.status = add_source(tree, file, included);
    *root = tree->count;
    if (b.status != TN_OK) {
        return b.status;
    }
    if (length > TN_MAX_TEXT) {
        refuse(&b, NULL, NULL, "the text is larger than 1 GiB");
        return b.status;
    }
    tree->byte_count += length;
    size_t skipped = skip_byte_order_mark(text, length);
    b.status = tn_text_check(text + skipped, length - skipped, file, diags);
    if (b.status == TN_OK) {
        parse_guarded(&b, text + skipped, length - skipped);
    }
    if (b.status == TN_OK && tree->count == *root) {
        refuse(&b, &(struct fy_mark){0, 0, 0}, "a model starts with 'tenon: 1'",
               "the text is empty");
    }
    tn_anchors_free(&b.anchors);
    return b.status;
}
