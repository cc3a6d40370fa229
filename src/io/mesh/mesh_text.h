/* mesh_text.h (room: io/mesh): words, numbers and places in the text of a mesh file. */
#ifndef TN_IO_MESH_MESH_TEXT_H
#define TN_IO_MESH_MESH_TEXT_H

#include "tenon/status.h"

#include <stdbool.h>

/* A position in a text of known length; the text need not end with a zero. */
typedef struct tn_mesh_text {
    const char *name; /* of the file, for messages */
    const char *at, *end;
    const char *line_start;
    int32_t line; /* from 1 */
} tn_mesh_text;

/* A run of bytes without white space. */
typedef struct tn_mesh_word {
    const char *text;
    size_t length;
    tn_location place;
} tn_mesh_word;

/* Long enough to quote a word in a message. */
enum { TN_MESH_QUOTE_SIZE = 44 };

tn_mesh_text tn_mesh_text_open(const char *name, const void *bytes, size_t size);

/* The next word of this line; false at its end. A backslash at the end joins the next line. */
bool tn_mesh_text_word(tn_mesh_text *text, tn_mesh_word *word);
/* The next word on this line or a later one; false at the end of the text. */
bool tn_mesh_text_next_word(tn_mesh_text *text, tn_mesh_word *word);
/* Goes to the start of the next line; false at the end of the text. */
bool tn_mesh_text_next_line(tn_mesh_text *text);
/* Where the text stands. */
tn_location tn_mesh_text_place(const tn_mesh_text *text);

/* Equal to an ASCII word, upper and lower case being the same. */
bool tn_mesh_word_is(const tn_mesh_word *word, const char *expected);
/* A decimal number that fits a double, whatever the locale; false for anything else. */
bool tn_mesh_word_real(const tn_mesh_word *word, double *value);
/* The word for a message: cut when long, control bytes shown as '?'. Returns buffer. */
const char *tn_mesh_word_quote(const tn_mesh_word *word, char buffer[TN_MESH_QUOTE_SIZE]);

#endif
