/* xml_parse.c: from bytes to the tree, by libxml2's calls for each tag (xml.h).
 *
 * Room import/xml. The tree is not libxml2's: its lines end at 65535, and are those of the ends of tags. A
 * file that declares entities is refused: models have no use for them, and those who want to do
 * harm have. A document type that declares none passes; nothing that it names is opened.
 */
#include "import/xml/xml.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/SAX2.h>
#include <limits.h>
#include <string.h>

/* Columns beyond are not told, so that a file without lines takes no longer than one with them. */
#define LONGEST_LINE 4096

typedef struct tag_reader {
    tn_import *import;
    const char *text, *file;
    size_t length;
    xmlParserCtxtPtr parser;
    tn_xml_element *root, *open;
    bool told;
} tag_reader;

static void refuse(tag_reader *reader, int line, int column, const char *hint, const char *what)
{
    const size_t length = strcspn(what, "\n");
    if (!reader->told) {
        tn_diagnostics_add(reader->import->found, TN_ERROR, TN_ERROR_INPUT,
                           (tn_location){reader->file, line, column}, hint,
                           "this is no XML that can be read: %.*s", (int)length, what);
        reader->import->problems++;
    }
    reader->told = true;
    xmlStopParser(reader->parser);
}

static void refuse_here(tag_reader *reader, const char *hint, const char *what)
{
    refuse(reader, xmlSAX2GetLineNumber(reader->parser), xmlSAX2GetColumnNumber(reader->parser),
           hint, what);
}

#if LIBXML_VERSION >= 21200
static void on_problem(void *context, const xmlError *error)
#else
static void on_problem(void *context, xmlErrorPtr error)
#endif
{
    tag_reader *reader = context;
    if (error->code == XML_ERR_NO_MEMORY) {
        reader->import->status = TN_ERROR_MEMORY;
        xmlStopParser(reader->parser);
    } else if (error->level == XML_ERR_FATAL ||
               (error->level == XML_ERR_ERROR && error->domain == XML_FROM_PARSER)) {
        refuse(reader, error->line, error->int2, NULL,
               error->message != NULL ? error->message : "not well formed");
    }
}

static void on_entity(void *context, const xmlChar *name, int type, const xmlChar *public_id,
                      const xmlChar *system_id, xmlChar *content)
{
    (void)name, (void)type, (void)public_id, (void)system_id, (void)content;
    refuse_here(context, "write what they stand for in their place",
                "it declares entities, which are not read");
}

static xmlEntityPtr on_reference(void *context, const xmlChar *name)
{
    (void)context;
    return xmlGetPredefinedEntity(name);
}

/* Where in the text the tag begins whose end has been read; the text's length: unknown. */
static size_t find_tag(const tag_reader *reader, const char *name)
{
    const xmlParserInput *input = reader->parser->input;
    const size_t length = strlen(name);
    size_t at = (size_t)input->consumed + (size_t)(input->cur - input->base);
    at = at < reader->length ? at : reader->length;
    for (size_t i = at; i > 0; i--) {
        if (reader->text[i - 1] == '<')
            return i + length <= reader->length && memcmp(reader->text + i, name, length) == 0
                       ? i - 1
                       : reader->length;
    }
    return reader->length;
}

/* Walks on through the text, counting lines. */
static size_t step_to(const tag_reader *reader, size_t from, size_t to, tn_location *at)
{
    for (size_t i = from; i < to && i < reader->length; i++) {
        at->column++;
        if (reader->text[i] == '\n') {
            at->line++;
            at->column = 1;
        }
    }
    return to;
}

/* The place of the tag: libxml2's line is that of its end. */
static tn_location place_tag(const tag_reader *reader, size_t tag)
{
    tn_location at = {reader->file, xmlSAX2GetLineNumber(reader->parser), 0};
    const xmlParserInput *input = reader->parser->input;
    const size_t end = (size_t)input->consumed + (size_t)(input->cur - input->base);
    for (size_t i = tag; i < end && i < reader->length; i++) {
        at.line -= reader->text[i] == '\n';
    }
    size_t start = tag;
    for (; start > 0 && tag - start < LONGEST_LINE && reader->text[start - 1] != '\n'; start--) {
    }
    at.column = tag < reader->length && tag - start < LONGEST_LINE ? (int32_t)(tag - start) + 1 : 0;
    return at;
}

static bool is_one_of(char c, const char *these)
{
    return c != '\0' && strchr(these, c) != NULL;
}

/* The text has a length, and no end mark: where another encoding moves the tag, quotes may be missing. */
static size_t skip(const tag_reader *reader, size_t at, const char *these)
{
    for (; at < reader->length && is_one_of(reader->text[at], these); at++) {
    }
    return at;
}

static size_t find(const tag_reader *reader, size_t at, const char *these)
{
    for (; at < reader->length && !is_one_of(reader->text[at], these); at++) {
    }
    return at;
}

/* The places of the values of a tag's attributes, which are in its order and well formed. */
static void place_values(const tag_reader *reader, size_t tag, tn_xml_element *element)
{
    tn_location at = element->at;
    size_t from = tag, to = find(reader, tag, " \t\r\n");
    for (int32_t i = 0; tag < reader->length && i < element->attribute_count; i++) {
        to = find(reader, to, "\"'");
        const char quote[2] = {to < reader->length ? reader->text[to] : '"', '\0'};
        from = step_to(reader, from, to + 1, &at);
        element->attributes[i].line = at.line;
        element->attributes[i].column = at.column;
        to = skip(reader, find(reader, from, quote) + 1, " \t\r\n");
    }
}

static const char *keep(tag_reader *reader, const char *text, size_t length)
{
    const char *kept = tn_arena_text(&reader->import->arena, text, length);
    if (kept == NULL) {
        reader->import->status = TN_ERROR_MEMORY;
        xmlStopParser(reader->parser);
    }
    return kept;
}

/* A name as it is written, with the prefix of its namespace. */
static const char *keep_name(tag_reader *reader, const xmlChar *prefix, const xmlChar *name)
{
    const char *plain = (const char *)name;
    return prefix == NULL ? keep(reader, plain, strlen(plain))
                          : tn_import_print(reader->import, "%s:%s", (const char *)prefix, plain);
}

/* libxml2 gives five pointers an attribute: name, prefix, namespace, begin and end of the value. */
static bool keep_attributes(tag_reader *reader, int count, const xmlChar **parts,
                            tn_xml_element *element)
{
    element->attributes = tn_import_alloc(reader->import, count, sizeof(tn_xml_attribute));
    for (int32_t i = 0; element->attributes != NULL && i < count; i++, parts += 5) {
        tn_xml_attribute *a = &element->attributes[i];
        a->name = keep_name(reader, parts[1], parts[0]);
        a->value = keep(reader, (const char *)parts[3], (size_t)(parts[4] - parts[3]));
        if (a->name == NULL || a->value == NULL)
            return false;
        element->attribute_count = i + 1;
    }
    reader->import->nodes += 1 + count;
    return element->attributes != NULL;
}

static void hang(tag_reader *reader, tn_xml_element *element)
{
    element->parent = reader->open;
    if (reader->open == NULL) {
        reader->root = reader->root == NULL ? element : reader->root;
    } else if (reader->open->last == NULL) {
        reader->open->first = reader->open->last = element;
    } else {
        reader->open->last = reader->open->last->next = element;
    }
    reader->open = element;
}

static void on_start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                     int namespaces, const xmlChar **declared, int count, int defaulted,
                     const xmlChar **parts)
{
    tag_reader *reader = context;
    (void)uri, (void)namespaces, (void)declared, (void)defaulted;
    tn_xml_element *element = tn_import_alloc(reader->import, 1, sizeof *element);
    if (element == NULL || reader->told)
        return;
    element->name = keep_name(reader, prefix, name);
    if (element->name == NULL || !keep_attributes(reader, count, parts, element))
        return;
    const size_t tag = find_tag(reader, element->name);
    element->at = place_tag(reader, tag);
    place_values(reader, tag, element);
    hang(reader, element);
    if (reader->import->nodes > TN_MOST_XML_NODES)
        refuse_here(reader, NULL,
                    "the model has more than a million elements and attributes in its files");
}

static void on_end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    tag_reader *reader = context;
    (void)name, (void)prefix, (void)uri;
    reader->open = reader->open != NULL ? reader->open->parent : NULL;
}

static void parse(tag_reader *reader)
{
    xmlSAXHandler calls;
    memset(&calls, 0, sizeof calls);
    calls.initialized = XML_SAX2_MAGIC;
    calls.startElementNs = on_start;
    calls.endElementNs = on_end;
    calls.entityDecl = on_entity;
    calls.getEntity = on_reference;
    calls.serror = on_problem;
    xmlCtxtUseOptions(reader->parser, XML_PARSE_NONET);
    *reader->parser->sax = calls;
    reader->parser->userData = reader;
    xmlParseDocument(reader->parser);
    if (!reader->told && reader->import->status == TN_OK &&
        (reader->root == NULL || !reader->parser->wellFormed))
        refuse(reader, 0, 0, NULL, "there is no element in it that begins and ends");
}

/* Behind what begins here and ends with these letters. */
static size_t behind(const char *text, size_t length, size_t at, const char *end)
{
    const size_t size = strlen(end);
    for (; at + size <= length; at++) {
        if (memcmp(text + at, end, size) == 0)
            return at + size;
    }
    return length;
}

/* Is there an element with more attributes than may be? libxml2 compares each with all before it before it tells of
 * any. *line: where the element begins. */
static bool has_crowded_tag(const char *text, size_t length, int *line)
{
    size_t counted = 0;
    *line = 1;
    for (size_t at = 0; at < length;) {
        const char *tag = memchr(text + at, '<', length - at);
        if (tag == NULL)
            return false;
        at = (size_t)(tag - text);
        if (length - at >= 4 && memcmp(tag, "<!--", 4) == 0) {
            at = behind(text, length, at + 4, "-->");
            continue;
        }
        if (length - at >= 9 && memcmp(tag, "<![CDATA[", 9) == 0) {
            at = behind(text, length, at + 9, "]]>");
            continue;
        }
        int32_t values = 0;
        const size_t begin = at;
        while (at < length && text[at] != '>') {
            const char quote = text[at++];
            if (quote != '"' && quote != '\'')
                continue;
            const char *end = memchr(text + at, quote, length - at);
            at = end != NULL ? (size_t)(end - text) + 1 : length;
            values++;
        }
        for (; values > TN_MOST_XML_ATTRIBUTES && counted < begin; counted++) {
            *line += text[counted] == '\n';
        }
        if (values > TN_MOST_XML_ATTRIBUTES)
            return true;
    }
    return false;
}

static bool refuse_text(tn_import *import, const char *text, size_t length, const char *file)
{
    int line = 0;
    const bool crowded = length > 0 && length <= INT_MAX && has_crowded_tag(text, length, &line);
    if (crowded) {
        tn_diagnostics_add(import->found, TN_ERROR, TN_ERROR_INPUT, (tn_location){file, line, 1},
                           NULL, "an element has more than %d attributes", TN_MOST_XML_ATTRIBUTES);
    } else if (length == 0 || length > INT_MAX) {
        tn_diagnostics_add(import->found, TN_ERROR, TN_ERROR_INPUT, (tn_location){file, 0, 0}, NULL,
                           length == 0 ? "the file is empty" : "the file is too large");
    } else {
        return false;
    }
    import->problems++;
    return true;
}

tn_xml_element *tn_xml_parse(tn_import *import, const char *text, size_t length, const char *file)
{
    tag_reader reader = {.import = import, .text = text, .length = length, .file = file};
    if (refuse_text(import, text, length, file))
        return NULL;
    reader.parser = xmlCreateMemoryParserCtxt(text, (int)length);
    if (reader.parser == NULL) {
        import->status = TN_ERROR_MEMORY;
        return NULL;
    }
    parse(&reader);
    xmlFreeDoc(reader.parser->myDoc); /* libxml2 makes one for a document type */
    xmlFreeParserCtxt(reader.parser);
    return reader.told || import->status != TN_OK ? NULL : reader.root;
}
