/* xml_parse.c: from bytes to the tree, by expat's calls for each tag (xml.h).
 *
 * Room import/xml. expat opens no other file. A document type that declares entities or defaults of attributes, or names
 * another file, is refused: models have no use for them, hostile files have.
 */
#include "import/xml/xml.h"

#include <expat.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Salt of expat's tables of names: a constant, for the same work at the same input. Colliding names cost time, which the
 * limits below bound. */
#define NAME_SALT 0x7e3779b9u

typedef struct tag_reader {
    tn_import *import;
    const char *text, *file;
    size_t length;
    XML_Parser parser;
    tn_xml_element *root, *open;
    int32_t depth;   /* open elements */
    size_t walked;   /* bytes up to which lines are counted */
    tn_location at;  /* the place there */
    char coding[64]; /* declared, and known by its ASCII letters alone; "" */
    bool told;
} tag_reader;

/* ---- problems ---- */

static void stop(tag_reader *reader)
{
    XML_StopParser(reader->parser, XML_FALSE);
}

static void refuse(tag_reader *reader, tn_location at, const char *hint, const char *what)
{
    if (!reader->told) {
        tn_diagnostics_add(reader->import->found, TN_ERROR, TN_ERROR_INPUT, at, hint,
                           "this is no XML that can be read: %s", what);
        reader->import->problems++;
    }
    reader->told = true;
    stop(reader);
}

static tn_location place_here(const tag_reader *reader)
{
    return (tn_location){reader->file, (int32_t)XML_GetCurrentLineNumber(reader->parser),
                         (int32_t)XML_GetCurrentColumnNumber(reader->parser) + 1};
}

static void run_out(tag_reader *reader)
{
    reader->import->status = TN_ERROR_MEMORY;
    stop(reader);
}

/* ---- places ---- */

/* Walks on through the text, counting lines; columns are bytes from 1. */
static void walk_to(tag_reader *reader, size_t to)
{
    for (; reader->walked < to && reader->walked < reader->length; reader->walked++) {
        reader->at.column++;
        if (reader->text[reader->walked] == '\n') {
            reader->at.line++;
            reader->at.column = 1;
        }
    }
}

static size_t find(const tag_reader *reader, size_t at, size_t end, const char *these)
{
    for (; at < end && (reader->text[at] == '\0' || strchr(these, reader->text[at]) == NULL);
         at++) {
    }
    return at;
}

/* The places of the values that a tag's text has, which are in its order and well formed. */
static void place_values(tag_reader *reader, tn_xml_element *element)
{
    const size_t begin = (size_t)XML_GetCurrentByteIndex(reader->parser);
    const size_t end = begin + (size_t)XML_GetCurrentByteCount(reader->parser);
    const int32_t written = XML_GetSpecifiedAttributeCount(reader->parser) / 2;
    size_t at = begin;
    for (int32_t i = 0; i < written && end <= reader->length; i++) {
        at = find(reader, at, end, "\"'");
        if (at >= end) /* another encoding than that of ASCII's letters */
            return;
        const char quote[2] = {reader->text[at], '\0'};
        walk_to(reader, at + 1);
        element->attributes[i].line = reader->at.line;
        element->attributes[i].column = reader->at.column;
        at = find(reader, at + 1, end, quote) + 1;
    }
}

/* ---- the tree ---- */

static const char *keep(tag_reader *reader, const char *text)
{
    const char *kept = tn_arena_text(&reader->import->arena, text, strlen(text));
    if (kept == NULL)
        run_out(reader);
    return kept;
}

/* Declarations of namespaces say nothing about a model; names keep their prefixes. */
static bool is_namespace(const char *name)
{
    return strncmp(name, "xmlns", 5) == 0 && (name[5] == '\0' || name[5] == ':');
}

/* expat gives names and values alternately. */
static bool keep_attributes(tag_reader *reader, const XML_Char **parts, int32_t count,
                            tn_xml_element *element)
{
    element->attributes = tn_import_alloc(reader->import, count, sizeof(tn_xml_attribute));
    for (int32_t i = 0; element->attributes != NULL && i < count; i++) {
        tn_xml_attribute *a = &element->attributes[i];
        a->name = keep(reader, parts[2 * i]);
        a->value = keep(reader, parts[2 * i + 1]);
        a->read = is_namespace(parts[2 * i]);
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
        reader->root = element;
    } else if (reader->open->last == NULL) {
        reader->open->first = reader->open->last = element;
    } else {
        reader->open->last = reader->open->last->next = element;
    }
    reader->open = element;
    reader->depth++;
}

/* Limits, before anything is made of the element. */
static bool is_too_much(tag_reader *reader, int32_t count)
{
    char what[96];
    if (count > TN_MOST_XML_ATTRIBUTES) {
        snprintf(what, sizeof what, "an element has more than %d attributes",
                 TN_MOST_XML_ATTRIBUTES);
    } else if (reader->depth >= TN_XML_MOST_DEPTH) {
        snprintf(what, sizeof what, "elements are more than %d deep", TN_XML_MOST_DEPTH);
    } else if (reader->import->nodes > TN_MOST_XML_NODES - 1 - count) {
        snprintf(what, sizeof what,
                 "the model has more than %d elements and attributes in its files",
                 TN_MOST_XML_NODES);
    } else {
        return false;
    }
    refuse(reader, reader->at, NULL, what);
    return true;
}

static void on_start(void *context, const XML_Char *name, const XML_Char **parts)
{
    tag_reader *reader = context;
    int32_t count = 0;
    if (reader->told || reader->import->status != TN_OK)
        return;
    walk_to(reader, (size_t)XML_GetCurrentByteIndex(reader->parser));
    for (; count <= TN_MOST_XML_ATTRIBUTES && parts[2 * count] != NULL; count++) {
    }
    if (is_too_much(reader, count))
        return;
    tn_xml_element *element = tn_import_alloc(reader->import, 1, sizeof *element);
    if (element == NULL) {
        run_out(reader);
        return;
    }
    element->at = reader->at;
    element->name = keep(reader, name);
    if (element->name == NULL)
        return;
    if (!keep_attributes(reader, parts, count, element)) {
        run_out(reader);
        return;
    }
    place_values(reader, element);
    hang(reader, element);
}

static void on_end(void *context, const XML_Char *name)
{
    tag_reader *reader = context;
    (void)name;
    if (reader->open != NULL) {
        reader->open = reader->open->parent;
        reader->depth--;
    }
}

/* ---- document types and encodings ---- */

static void on_entity(void *context, const XML_Char *name, int is_parameter, const XML_Char *value,
                      int length, const XML_Char *base, const XML_Char *system_id,
                      const XML_Char *public_id, const XML_Char *notation)
{
    (void)name, (void)is_parameter, (void)value, (void)length;
    (void)base, (void)system_id, (void)public_id, (void)notation;
    refuse(context, place_here(context), "write what they stand for in their place",
           "it declares entities, which are not read");
}

static void on_default(void *context, const XML_Char *element, const XML_Char *attribute,
                       const XML_Char *type, const XML_Char *value, int needed)
{
    (void)element, (void)attribute, (void)type, (void)value, (void)needed;
    refuse(context, place_here(context), "leave the declaration out",
           "its document type declares attributes, which is not read");
}

/* Undeclared entities would be left out of values in silence, as the other file could declare them. */
static int on_other_file(void *context)
{
    refuse(context, place_here(context), "leave the document type out",
           "its document type names another file, which is not read");
    return XML_STATUS_ERROR;
}

/* Encodings that expat does not know: of each only ASCII is read, which nearly all of them contain. Other letters are errors,
 * so that no two names become one. */
static int on_encoding(void *context, const XML_Char *name, XML_Encoding *out)
{
    tag_reader *reader = context;
    snprintf(reader->coding, sizeof reader->coding, "%s", name);
    for (int byte = 0; byte < 256; byte++) {
        out->map[byte] = byte < 128 ? byte : -1;
    }
    out->data = NULL;
    out->convert = NULL;
    out->release = NULL;
    return XML_STATUS_OK;
}

/* ---- parsing ---- */

/* expat's memory is Tenon's. */
static void *get_memory(size_t size)
{
    return tn_realloc(NULL, size);
}

static void tell_failure(tag_reader *reader)
{
    const enum XML_Error code = XML_GetErrorCode(reader->parser);
    char what[320];
    if (code == XML_ERROR_NO_MEMORY) {
        reader->import->status = TN_ERROR_MEMORY;
    } else if (code == XML_ERROR_TAG_MISMATCH && reader->open != NULL) {
        snprintf(what, sizeof what,
                 "the tag that ends here is not '%.100s', which is open since line %d",
                 reader->open->name, (int)reader->open->at.line);
        refuse(reader, place_here(reader), NULL, what);
    } else if (code == XML_ERROR_NO_ELEMENTS && reader->open != NULL) {
        snprintf(what, sizeof what, "it ends before '%.100s' of line %d does", reader->open->name,
                 (int)reader->open->at.line);
        refuse(reader, place_here(reader), NULL, what);
    } else if (code == XML_ERROR_INVALID_TOKEN && reader->coding[0] != '\0') {
        snprintf(what, sizeof what,
                 "a letter beyond ASCII in the encoding '%.60s', which is not known",
                 reader->coding);
        refuse(reader, place_here(reader), "save it as UTF-8", what);
    } else {
        refuse(reader, place_here(reader), NULL, XML_ErrorString(code));
    }
}

static void parse(tag_reader *reader)
{
    XML_SetHashSalt(reader->parser, NAME_SALT);
    XML_SetUserData(reader->parser, reader);
    XML_SetElementHandler(reader->parser, on_start, on_end);
    XML_SetEntityDeclHandler(reader->parser, on_entity);
    XML_SetAttlistDeclHandler(reader->parser, on_default);
    XML_SetNotStandaloneHandler(reader->parser, on_other_file);
    XML_SetUnknownEncodingHandler(reader->parser, on_encoding, reader);
    const enum XML_Status status =
        XML_Parse(reader->parser, reader->text, (int)reader->length, XML_TRUE);
    if (status != XML_STATUS_OK && !reader->told && reader->import->status == TN_OK)
        tell_failure(reader);
}

static bool refuse_text(tn_import *import, size_t length, const char *file)
{
    if (length > 0 && length <= INT_MAX)
        return false;
    tn_diagnostics_add(import->found, TN_ERROR, TN_ERROR_INPUT, (tn_location){file, 0, 0}, NULL,
                       length == 0 ? "the file is empty" : "the file is too large");
    import->problems++;
    return true;
}

tn_xml_element *tn_xml_parse(tn_import *import, const char *text, size_t length, const char *file)
{
    static const XML_Memory_Handling_Suite memory = {get_memory, tn_realloc, tn_free};
    tag_reader reader = {
        .import = import, .text = text, .length = length, .file = file, .at = {file, 1, 1}};
    if (refuse_text(import, length, file))
        return NULL;
    reader.parser = XML_ParserCreate_MM(NULL, &memory, NULL);
    if (reader.parser == NULL) {
        import->status = TN_ERROR_MEMORY;
        return NULL;
    }
    parse(&reader);
    XML_ParserFree(reader.parser);
    return reader.told || import->status != TN_OK ? NULL : reader.root;
}
