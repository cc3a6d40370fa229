/* xml.h: an XML file as a tree that knows its lines, and what of it has been asked for.
 *
 * Room import/xml. In: bytes of a stranger, parsed by expat: no network, no other files, no entities but
 * XML's own five, at most as deep and as large as below. Out: elements and attributes with their
 * places, texts and numbers by name, and what nobody asked for, so that a reader can lose nothing
 * in silence: every question marks what it finds as read.
 */
#ifndef TN_IMPORT_XML_XML_H
#define TN_IMPORT_XML_XML_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/base.h"
#include "io/text/roots.h"
#include "tenon/limits.h"
#include "tenon/spec.h"

/* Problems of one file that are told one by one. */
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
    int32_t problems;  /* told, or not for their number */
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
/* `least` to `most` finite numbers. Answers how many; 0: not there, or wrong, which is told, and
 * `out` is as it was. element may be NULL: nothing is there. */
int32_t tn_xml_numbers(tn_import *import, tn_xml_element *element, const char *name, double *out,
                       int32_t least, int32_t most);
/* Any number of finite numbers, in the memory of the reading; NULL: none, or wrong, which is told. */
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

/* What a format has and Tenon does not take over: the name of an element, or "element@attribute",
 * whether the motion may differ for it, and why. */
typedef struct tn_xml_loss {
    const char *name;
    tn_severity severity;
    const char *why;
} tn_xml_loss;

/* Marks an element with all that is in it as dealt with. */
void tn_xml_take(tn_xml_element *element);
/* Tells what nobody asked for in the tree: what the table knows with its reason, all else as
 * unknown to the format. What is alike is told once, with its lines. */
void tn_xml_tell_unread(tn_import *import, tn_xml_element *root, const tn_xml_loss *losses,
                        const char *format);

#endif
