/* text_edit.h: a few values of a model file changed, all the rest of its text left as it is. */
#ifndef TN_IO_TREE_TEXT_EDIT_H
#define TN_IO_TREE_TEXT_EDIT_H

#include <stddef.h>

#include "base/base.h"

/* The value of a key of a named item of a section: joints, crank, set, theta. */
typedef struct tn_text_edit {
    const char *section, *name;
    const char *key;   /* NULL: the item is a value itself, as parameters are */
    const char *sub;   /* key of a mapping that the key has as its value; NULL: none */
    const char *value; /* YAML on one line */
} tn_text_edit;

/* Comments, formulas and everything else stay; a key that is not there is added at the beginning of
 * its item. TN_ERROR_UNSUPPORTED: the text has no such item of its own (it belongs to a part, a
 * repetition or another file), or its value has no form that can be replaced in place;
 * TN_ERROR_INPUT: the text is no YAML. Free the new text with tn_free. */
TN_SIBLING tn_status tn_text_edit_all(const char *text, size_t length, const tn_text_edit *edits,
                                      int32_t count, char **out, size_t *out_length);

#endif
