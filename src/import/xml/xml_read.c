/* xml_read.c: elements, texts and numbers by their names (xml.h).
 *
 * Room import/xml. What is found is marked as read; what is wrong is reported at its place.
 */
#include "import/xml/xml.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longest message; longer ones are cut. */
#define MESSAGE_SIZE 640

void *tn_import_alloc(tn_import *import, int32_t count, size_t size)
{
    void *block = tn_arena_items(&import->arena, (size_t)(count > 0 ? count : 1), size);
    if (block == NULL)
        import->status = TN_ERROR_MEMORY;
    return block;
}

/* Arrays are as long as the next power of two. */
void *tn_import_push(tn_import *import, void *array, int32_t count, size_t size)
{
    if (count > 0 && (count & (count - 1)) != 0)
        return array;
    char *grown = tn_import_alloc(import, count == 0 ? 1 : 2 * count, size);
    if (grown != NULL && count > 0)
        memcpy(grown, array, (size_t)count * size);
    return grown;
}

const char *tn_import_print(tn_import *import, const char *format, ...)
{
    char text[MESSAGE_SIZE];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    const char *kept = tn_arena_text(&import->arena, text, strlen(text));
    if (kept == NULL)
        import->status = TN_ERROR_MEMORY;
    return kept != NULL ? kept : "";
}

static void tell(tn_import *import, tn_severity severity, tn_location at, const char *hint,
                 const char *format, va_list list)
{
    char text[MESSAGE_SIZE];
    vsnprintf(text, sizeof text, format, list);
    import->problems += severity == TN_ERROR;
    if (severity == TN_ERROR && import->problems > TN_XML_MOST_PROBLEMS)
        return;
    tn_diagnostics_add(import->found, severity, severity == TN_ERROR ? TN_ERROR_INPUT : TN_OK, at,
                       hint, "%s", text);
}

#define TELL(name, severity)                                                                       \
    void name(tn_import *import, const tn_xml_element *element, const char *attribute,             \
              const char *hint, const char *format, ...)                                           \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        tell(import, severity, tn_xml_place(element, attribute), hint, format, list);              \
        va_end(list);                                                                              \
    }
TELL(tn_xml_error, TN_ERROR)
TELL(tn_xml_warning, TN_WARNING)
TELL(tn_xml_note, TN_NOTE)

bool tn_xml_is(const tn_xml_element *element, const char *name)
{
    return strcmp(element->name, name) == 0;
}

static tn_xml_element *named(tn_xml_element *from, const char *name)
{
    for (tn_xml_element *e = from; e != NULL; e = e->next) {
        if (tn_xml_is(e, name)) {
            e->read = true;
            return e;
        }
    }
    return NULL;
}

tn_xml_element *tn_xml_child(const tn_xml_element *element, const char *name)
{
    return element != NULL ? named(element->first, name) : NULL;
}

tn_xml_element *tn_xml_same(const tn_xml_element *element)
{
    return named(element->next, element->name);
}

static tn_xml_attribute *attribute_of(const tn_xml_element *element, const char *name)
{
    for (int32_t i = 0; element != NULL && name != NULL && i < element->attribute_count; i++) {
        if (strcmp(element->attributes[i].name, name) == 0)
            return &element->attributes[i];
    }
    return NULL;
}

tn_location tn_xml_place(const tn_xml_element *element, const char *attribute)
{
    const tn_xml_attribute *a = attribute_of(element, attribute);
    tn_location at = element->at;
    if (a != NULL && a->line > 0) {
        at.line = a->line;
        at.column = a->column;
    }
    return at;
}

const char *tn_xml_peek(const tn_xml_element *element, const char *name)
{
    const tn_xml_attribute *a = attribute_of(element, name);
    return a != NULL ? a->value : NULL;
}

const char *tn_xml_text(tn_xml_element *element, const char *name)
{
    tn_xml_attribute *a = attribute_of(element, name);
    if (a == NULL)
        return NULL;
    a->read = true;
    return a->value;
}

const char *tn_xml_needed(tn_import *import, tn_xml_element *element, const char *name)
{
    const char *text = tn_xml_text(element, name);
    if (text == NULL || text[0] == '\0') {
        tn_xml_error(import, element, NULL, NULL, "'%.100s' needs '%s'", element->name, name);
        return NULL;
    }
    return text;
}

/* One number at the head of a text, moved behind it and the blanks after. */
static bool take_number(const char **text, double *out)
{
    const size_t length = strspn(*text, "+-.0123456789eE");
    char *end = NULL;
    *out = strtod(*text, &end);
    if (length == 0 || end != *text + length || !isfinite(*out))
        return false;
    *text = end + strspn(end, " \t\r\n");
    return length > 0 && (*text > end || *end == '\0');
}

int32_t tn_xml_numbers(tn_import *import, tn_xml_element *element, const char *name, double *out,
                       int32_t least, int32_t most)
{
    double values[64];
    int32_t count = 0;
    const char *text = tn_xml_text(element, name), *at = text;
    if (text == NULL)
        return 0;
    at += strspn(at, " \t\r\n");
    bool good = true;
    for (; good && *at != '\0' && count < most; count++) {
        good = take_number(&at, &values[count]);
    }
    if (!good || *at != '\0' || count < least) {
        tn_xml_error(import, element, name, NULL,
                     least == most ? "'%s' of '%.60s' must be %d number%s, not '%.100s'"
                                   : "'%s' of '%.60s' must be up to %d number%s, not '%.100s'",
                     name, element->name, (int)most, most == 1 ? "" : "s", text);
        return 0;
    }
    memcpy(out, values, (size_t)count * sizeof *out);
    return count;
}

double *tn_xml_list(tn_import *import, tn_xml_element *element, const char *name, int32_t *count)
{
    const char *at = tn_xml_text(element, name);
    double *list = NULL;
    *count = 0;
    if (at == NULL)
        return NULL;
    at += strspn(at, " \t\r\n");
    while (*at != '\0') {
        double value;
        if (!take_number(&at, &value)) {
            tn_xml_error(import, element, name, NULL, "number %d of '%s' of '%.60s' is none",
                         (int)*count + 1, name, element->name);
            return NULL;
        }
        list = tn_import_push(import, list, *count, sizeof *list);
        if (list == NULL)
            return NULL;
        list[(*count)++] = value;
    }
    return list;
}

double tn_xml_number(tn_import *import, tn_xml_element *element, const char *name, double otherwise)
{
    double value = otherwise;
    tn_xml_numbers(import, element, name, &value, 1, 1);
    return value;
}

double tn_xml_amount(tn_import *import, tn_xml_element *element, const char *name, double otherwise)
{
    const double value = tn_xml_number(import, element, name, otherwise);
    if (value < 0.0) {
        tn_xml_error(import, element, name, NULL, "'%s' of '%.60s' must not be negative", name,
                     element->name);
        return otherwise;
    }
    return value;
}

tn_vec3 tn_xml_vector(tn_import *import, tn_xml_element *element, const char *name,
                      tn_vec3 otherwise)
{
    double v[3] = {otherwise.x, otherwise.y, otherwise.z};
    tn_xml_numbers(import, element, name, v, 3, 3);
    return (tn_vec3){v[0], v[1], v[2]};
}

bool tn_xml_flag(tn_import *import, tn_xml_element *element, const char *name, bool otherwise)
{
    const char *text = tn_xml_text(element, name);
    if (text == NULL)
        return otherwise;
    const bool yes = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
    if (!yes && strcmp(text, "false") != 0 && strcmp(text, "0") != 0)
        tn_xml_error(import, element, name, NULL, "'%s' must be true or false, not '%.100s'", name,
                     text);
    return yes;
}
