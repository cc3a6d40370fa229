/* xml.h: an XML file as a tree with line numbers, and a mark at everything that was read.
 *
 * Room import/xml. In: bytes from an untrusted source, parsed by expat without network, other files and
 * entities except XML's own five, with bounds on depth and size (tenon/limits.h). Out: elements and attributes
 * with their places; texts and numbers by name; and a report of everything unread, so that a reader loses
 * nothing silently: every access marks what it finds as read.
 */
#ifndef TN_IMPORT_XML_XML_H
#define TN_IMPORT_XML_XML_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/base.h"
#include "io/text/roots.h"
#include "tenon/limits.h"
#include "tenon/spec.h"

/* Most problems of one file that are reported. */
#define TN_XML_MOST_PROBLEMS 1000

typedef struct tn_xml_attribute {
    const char *name, *value;
    int32_t line, column; /* of its value; 0: unknown */
    bool read;
} tn_xml_attribute;

typedef struct tn_xml_element tn_xml_element;
struct tn_xml_element {
    const char *name;
    tn_location at;
    tn_xml_attribute *attributes; /* [attribute_count] */
    int32_t attribute_count;
    bool read;
    tn_xml_element *parent, *first, *last, *next;
};

/* What a reader of XML models carries along. */
typedef struct tn_import {
    tn_arena arena; /* the tree and all that is made of it */
    tn_spec *spec;
    tn_diagnostics *found;
    tn_status status;  /* TN_ERROR_MEMORY when it ran out; TN_OK */
    int32_t problems;  /* found, also those beyond the number that is reported */
    const char *model; /* name of the model file, kept by the spec */
    int32_t nodes;     /* elements and attributes of all files of the model */
    int32_t files;
    tn_roots roots; /* below which files that the model names may lie */
} tn_import;

/* Parses a file; NULL with a problem in found, or with status TN_ERROR_MEMORY. file is kept by the
 * spec. */
tn_xml_element *tn_xml_parse(tn_import *import, const char *text, size_t length, const char *file);

/* Memory that lives as long as the reading, zeroed; NULL: status says so. */
void *tn_import_alloc(tn_import *import, int32_t count, size_t size);
/* Room for one more item at the end of an array in that memory, which may move. */
void *tn_import_push(tn_import *import, void *array, int32_t count, size_t size);
/* printf into that memory; "" when out of it. */
const char *tn_import_print(tn_import *import, const char *format, ...) TN_PRINTF(2, 3);

/* An error, a warning or a note at an element, or at one of its attributes (NULL: the element). */
void tn_xml_error(tn_import *import, const tn_xml_element *element, const char *attribute,
                  const char *hint, const char *format, ...) TN_PRINTF(5, 6);
void tn_xml_warning(tn_import *import, const tn_xml_element *element, const char *attribute,
                    const char *hint, const char *format, ...) TN_PRINTF(5, 6);
void tn_xml_note(tn_import *import, const tn_xml_element *element, const char *attribute,
                 const char *hint, const char *format, ...) TN_PRINTF(5, 6);

bool tn_xml_is(const tn_xml_element *element, const char *name);
/* The first element of this name in another, and the next one of the same name; NULL: none. */
tn_xml_element *tn_xml_child(const tn_xml_element *element, const char *name);
tn_xml_element *tn_xml_same(const tn_xml_element *element);
/* Where an attribute's value stands, or its element where it is not there. */
tn_location tn_xml_place(const tn_xml_element *element, const char *attribute);
/* The value of an attribute; NULL: not there. Marks it as read; _peek does not. */
const char *tn_xml_text(tn_xml_element *element, const char *name);
const char *tn_xml_peek(const tn_xml_element *element, const char *name);
/* Likewise; one that is not there is an error. */
const char *tn_xml_needed(tn_import *import, tn_xml_element *element, const char *name);
/* `least` to `most` finite numbers. Returns how many; 0: no such attribute, or a wrong value, which is reported;
 * `out` is then unchanged. element may be NULL: no such attribute. */
int32_t tn_xml_numbers(tn_import *import, tn_xml_element *element, const char *name, double *out,
                       int32_t least, int32_t most);
/* Any number of finite numbers, in memory of the import; NULL: none, or a wrong value, which is reported. */
double *tn_xml_list(tn_import *import, tn_xml_element *element, const char *name, int32_t *count);
/* One number; `otherwise` where there is none. */
double tn_xml_number(tn_import *import, tn_xml_element *element, const char *name,
                     double otherwise);
/* The same, of a number that must not be negative. */
double tn_xml_amount(tn_import *import, tn_xml_element *element, const char *name,
                     double otherwise);
/* Three numbers. */
tn_vec3 tn_xml_vector(tn_import *import, tn_xml_element *element, const char *name,
                      tn_vec3 otherwise);
bool tn_xml_flag(tn_import *import, tn_xml_element *element, const char *name, bool otherwise);

/* Something of a format that Tenon does not take over: the name of an element, or "element@attribute", the severity (a
 * warning if the motion may differ because of it), and the reason. */
typedef struct tn_xml_loss {
    const char *name;
    tn_severity severity;
    const char *why;
} tn_xml_loss;

/* Marks an element with all its content as read. */
void tn_xml_take(tn_xml_element *element);
/* Reports everything in the tree that was not read: entries of the table with their reason, all else as unknown to
 * the format. Equal cases are reported once, with all their lines. */
void tn_xml_tell_unread(tn_import *import, tn_xml_element *root, const tn_xml_loss *losses,
                        const char *format);

#endif
